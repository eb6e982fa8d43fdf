//! How ill-formed sequences of UTF-8 and its relatives are counted, and why they are ill-formed
//! (`docs/decisions.md` §1).

use crate::{Item, is_high};

/// How to split ill-formed bytes into sequences.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// One for each maximal subpart.
    MaximalSubpart,
    /// As in Java: surrogates of three bytes are read completely before they are rejected.
    Jdk,
    /// As in Perl: the length that the lead byte announces, as far as continuation bytes follow.
    Perl,
}

/// Decodes the whole input like [`crate::decode`], and counts according to `rule`. `name` must be
/// UTF-8 or a relative.
///
/// ```
/// use utfall_oracle::{Item, counted::{Rule, decode}};
///
/// let mut items = Vec::new();
/// decode("UTF-8", b"\xED\xA0\x80", Rule::Jdk, &mut items);
/// assert_eq!(items, [Item::Ill { offset: 0, length: 3 }]);
/// ```
pub fn decode(name: &str, bytes: &[u8], rule: Rule, items: &mut Vec<Item>) {
    let begin = items.len();
    assert!(crate::decode(name, bytes, items), "{name}");
    let differs = items[begin..].iter().any(|item| match *item {
        Item::Point(_) => false,
        Item::Ill { offset, length } => counted(&bytes[offset..], length, rule) != length,
    });
    if !differs {
        return;
    }
    items.truncate(begin);
    let mut found = Vec::new();
    let mut offset = 0;
    // The start of the previous item, if the next depends on it: in WTF-8 on a high surrogate.
    let mut before = None;
    while offset < bytes.len() {
        let begin = before.unwrap_or(offset);
        found.clear();
        assert!(crate::decode(name, &bytes[begin..], &mut found), "{name}");
        let item = found[usize::from(before.is_some())];
        before = None;
        let length = match item {
            Item::Point(point) => {
                if name == "WTF-8" && is_high(point) {
                    before = Some(offset);
                }
                items.push(item);
                point_length(name, point, &bytes[offset..])
            }
            Item::Ill { length, .. } => {
                let length = counted(&bytes[offset..], length, rule);
                items.push(Item::Ill { offset, length });
                length
            }
        };
        offset += length;
    }
}

/// The length in bytes of the code point at the start of `bytes`.
fn point_length(name: &str, point: u32, bytes: &[u8]) -> usize {
    let pairs = name == "CESU-8" || name == "MUTF-8";
    if pairs && point > 0xFFFF { 6 } else { announced(bytes[0]) }
}

/// The length of an ill-formed sequence whose maximal subpart has `subpart` bytes.
fn counted(bytes: &[u8], subpart: usize, rule: Rule) -> usize {
    let trails = |most: usize| bytes[1..].iter().take(most).take_while(|o| is_trail(**o)).count();
    match (rule, bytes) {
        (Rule::Perl, _) => 1 + trails(announced(bytes[0]) - 1),
        (Rule::Jdk, [0xED, 0xA0..=0xBF, ..]) => 1 + trails(2),
        _ => subpart,
    }
}

fn is_trail(byte: u8) -> bool {
    (0x80..=0xBF).contains(&byte)
}

/// The length of the sequence that begins with a byte, by the table of RFC 2279 §2.
fn announced(byte: u8) -> usize {
    match byte {
        0xC0..=0xDF => 2,
        0xE0..=0xEF => 3,
        0xF0..=0xF7 => 4,
        0xF8..=0xFB => 5,
        0xFC..=0xFD => 6,
        _ => 1,
    }
}

/// Why the maximal subpart of `length` bytes at the start of `bytes`, the rest of an input, is
/// ill-formed: one of the names of utfall's kinds of error.
///
/// ```
/// assert_eq!(utfall_oracle::counted::why("UTF-8", b"\xE0\x80\x80", 1), "overlong");
/// ```
#[must_use]
pub fn why(name: &str, bytes: &[u8], length: usize) -> &'static str {
    let (longest, greatest) = match name {
        "CESU-8" | "MUTF-8" => (3, 0xFFFF),
        "UTF-8" | "WTF-8" | "UNICODE-1-1-UTF-8" => (4, 0x10_FFFF),
        _ => (6, 0x7FFF_FFFF),
    };
    let any_length = name == "UTF-8/RFC2044";
    let lead = bytes[0];
    let wanted = announced(lead);
    match lead {
        0x80..=0xBF => return "unexpected-trail",
        0x00..=0x7F | 0xFE..=0xFF => return "invalid-byte",
        // The one longer form in Java, cut off.
        0xC0 if name == "MUTF-8" && bytes.len() == 1 => return "truncated",
        0xC0..=0xC1 if !any_length => return "overlong",
        _ if wanted > longest && wanted > 4 => return "long-form",
        _ if wanted > longest => return "invalid-byte",
        _ => {}
    }
    // The values that the bytes after the first two can still produce.
    let bits = 6 * (wanted as u32 - 1);
    let least_value = (u32::from(lead) & (0x7F >> wanted)) << bits;
    if least_value > greatest {
        return "out-of-range";
    }
    match bytes.get(1) {
        None => return "truncated",
        Some(byte) if !is_trail(*byte) => return "missing-trail",
        Some(byte) => {
            let low = least_value | (u32::from(*byte) & 0x3F) << (bits - 6);
            let high = low | ((1 << (bits - 6)) - 1);
            let shortest = [0, 0, 0x80, 0x800, 0x1_0000, 0x20_0000, 0x400_0000][wanted];
            if high < shortest && !any_length {
                return "overlong";
            }
            if low > greatest {
                return "out-of-range";
            }
            // Rejected as soon as no other result is possible, or as a whole if it is unpaired.
            if (0xD800..=0xDFFF).contains(&low) && (length == 1 || length == 3) {
                return "surrogate";
            }
        }
    }
    match bytes.get(length) {
        None => "truncated",
        Some(_) => "missing-trail",
    }
}
