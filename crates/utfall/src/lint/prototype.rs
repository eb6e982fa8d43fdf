//! The ASCII letters and digits that a character looks like: its prototype in UTS #39, 4, where that
//! is one or two of them.
//!
//! `prototypes.txt` has a line of eight bytes for each of these characters. A table of strings would
//! be relocated whenever a program starts.

const PROTOTYPES: &str = include_str!("prototypes.txt");

/// Five digits, the prototype, and the end of the line.
const LINE: usize = 8;
const DIGITS: usize = 5;

/// The prototype of a character that is not ASCII, or an empty string.
pub(super) fn of(c: char) -> &'static str {
    let (lines, _) = PROTOTYPES.as_bytes().as_chunks::<LINE>();
    // Plane 16, which has only private characters, has six digits.
    if c > '\u{F_FFFF}' {
        return "";
    }
    let digits = digits(c);
    let found = lines.binary_search_by(|line| line[..DIGITS].cmp(&digits));
    let prototype = found.ok().map(|at| LINE * at + DIGITS);
    prototype.and_then(|at| PROTOTYPES.get(at..at + 2)).unwrap_or_default().trim_end()
}

/// A code point in hexadecimal.
fn digits(c: char) -> [u8; DIGITS] {
    let mut digits = [0; DIGITS];
    let mut rest = u32::from(c);
    for digit in digits.iter_mut().rev() {
        *digit = b"0123456789ABCDEF"[rest as usize % 16];
        rest /= 16;
    }
    digits
}

#[cfg(all(test, feature = "std"))]
mod tests {
    use std::fmt::Write as _;
    use std::string::String;

    use unicode_security::confusable_detection::skeleton;

    use super::*;

    /// The skeleton of a character, if it is as short as those of the table.
    fn expected(c: char) -> String {
        let form: String = skeleton(c.encode_utf8(&mut [0; 4])).collect();
        let is_short = form.len() <= 2 && form.bytes().all(|byte| byte.is_ascii_alphanumeric());
        if is_short && !c.is_ascii() { form } else { String::new() }
    }

    /// `cargo xtask pages prototypes` writes the table.
    #[test]
    fn every_character_has_its_prototype() {
        let mut table = String::new();
        for c in '\0'..=char::MAX {
            let form = expected(c);
            if !form.is_empty() {
                writeln!(table, "{:05X}{form:<2}", u32::from(c)).unwrap();
            }
            assert!(of(c) == form || utfall_page::is_renewed(), "{c:?}: {form}");
        }
        utfall_page::compare("crates/utfall/src/lint/prototypes.txt", &table);
    }
}
