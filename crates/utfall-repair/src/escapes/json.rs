//! JSON escapes: `\u00e9`, and `\ud83d\ude00` above U+FFFF.

use std::fmt::Write;

/// Length in bytes of an escape for one code unit.
const UNIT: usize = 6;

/// Parses the escape at the start. Returns its character and its length in bytes.
pub(super) fn character(bytes: &[u8]) -> Option<(char, usize)> {
    let first = unit(bytes)?;
    if let Some(character) = char::from_u32(u32::from(first)) {
        return Some((character, UNIT));
    }
    // A lone surrogate is not a character.
    let second = unit(bytes.get(UNIT..)?)?;
    Some((char::decode_utf16([first, second]).next()?.ok()?, 2 * UNIT))
}

fn unit(bytes: &[u8]) -> Option<u16> {
    let digits = bytes.strip_prefix(b"\\u")?.first_chunk::<4>()?;
    digits.iter().try_fold(0, |unit, byte| {
        let digit = char::from(*byte).to_digit(16)?;
        Some(unit << 4 | digit as u16)
    })
}

/// Appends the escape of a character.
pub(super) fn escape(character: char, upper: bool, out: &mut String) {
    for unit in character.encode_utf16(&mut [0; 2]) {
        let written = match upper {
            true => write!(out, "\\u{unit:04X}"),
            false => write!(out, "\\u{unit:04x}"),
        };
        debug_assert!(written.is_ok(), "writing to a string does not fail");
    }
}

/// Whether the escapes of a text have upper-case digits. `None` if there are no escapes.
pub(super) fn case(bytes: &[u8]) -> Option<bool> {
    let mut rest = bytes;
    let mut found = None;
    while !rest.is_empty() {
        let escape = character(rest);
        let pair = if rest[0] == b'\\' { 2 } else { 1 };
        let (head, tail) = rest.split_at(escape.map_or(pair, |(_, length)| length).min(rest.len()));
        if escape.is_some() {
            let letter = head.iter().skip(2).find(|byte| matches!(byte, b'A'..=b'F' | b'a'..=b'f'));
            match letter {
                Some(letter) => return Some(letter.is_ascii_uppercase()),
                None => found = Some(false),
            }
        }
        rest = tail;
    }
    found
}
