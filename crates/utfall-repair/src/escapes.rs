//! JSON escapes for characters in US-ASCII: `\u00e9`, and `\ud83d\ude00` above U+FFFF.

use crate::raw::Characters;

/// Length in bytes of an escape for one code unit.
const UNIT: usize = 6;

/// Parses the escape at the start. Returns its character and its length in bytes.
fn character(bytes: &[u8]) -> Option<(char, usize)> {
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

/// The length in bytes of the first token: an escape, a pair such as `\\`, or a single byte.
pub(crate) fn token(bytes: &[u8]) -> usize {
    match bytes {
        [b'\\', _, ..] => character(bytes).map_or(2, |(_, length)| length),
        _ => 1,
    }
}

/// Whether a line may contain escapes.
pub(crate) fn are_in(line: &[u8]) -> bool {
    line.windows(2).any(|pair| pair == b"\\u")
}

/// Replaces each escape in `characters` with the character it encodes.
pub(crate) fn join(line: &[u8], characters: &mut Characters) {
    let (mut all, mut offsets) = (Vec::new(), Vec::new());
    let mut at = 0;
    while let Some(&next) = characters.all.get(at) {
        let offset = characters.offsets[at];
        let (escaped, count) = match next {
            '\\' => match character(&line[offset..]) {
                Some((escaped, length)) => (Some(escaped), length),
                None => (None, 2),
            },
            _ => (None, 1),
        };
        let end = (at + count).min(characters.all.len());
        match escaped {
            Some(escaped) => {
                all.push(escaped);
                offsets.push(offset);
            }
            None => {
                all.extend_from_slice(&characters.all[at..end]);
                offsets.extend_from_slice(&characters.offsets[at..end]);
            }
        }
        at = end;
    }
    offsets.push(line.len());
    (characters.all, characters.offsets) = (all, offsets);
}

/// Decodes the escapes and copies everything else.
pub(crate) fn undone(bytes: &[u8]) -> Vec<u8> {
    let mut text = Vec::with_capacity(bytes.len());
    let mut rest = bytes;
    while !rest.is_empty() {
        let (head, tail) = rest.split_at(token(rest));
        match character(head) {
            Some((escaped, _)) => {
                text.extend_from_slice(escaped.encode_utf8(&mut [0; 4]).as_bytes());
            }
            None => text.extend_from_slice(head),
        }
        rest = tail;
    }
    text
}

/// Escapes each non-ASCII character of a text.
pub(crate) fn escaped(text: &str, upper: bool) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(UNIT * text.len());
    for character in text.chars() {
        if character.is_ascii() {
            bytes.push(character as u8);
            continue;
        }
        for unit in character.encode_utf16(&mut [0; 2]) {
            let escape = if upper { format!("\\u{unit:04X}") } else { format!("\\u{unit:04x}") };
            bytes.extend_from_slice(escape.as_bytes());
        }
    }
    bytes
}

/// Whether the escapes of a text have upper-case digits. `None` if there are no escapes.
pub(crate) fn case(bytes: &[u8]) -> Option<bool> {
    let mut rest = bytes;
    let mut found = None;
    while !rest.is_empty() {
        let (head, tail) = rest.split_at(token(rest));
        if character(head).is_some() {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_and_what_is_none() {
        for (bytes, text) in [
            (r"a\u00e9b", "aéb"),
            (r"\u00E9\u00e9", "éé"),
            (r"\ud83d\ude00", "\u{1F600}"),
            (r"\uD83D\uDE00\u0041", "\u{1F600}A"),
            // An escaped backslash, followed by an unescaped one.
            (r"\\u00e9", r"\\u00e9"),
            (r"\\\u00e9", r"\\é"),
            (r"\n\u00e9", r"\né"),
            // Lone surrogates, and missing digits.
            (r"\ud83d", r"\ud83d"),
            (r"\ude00\ud83d", r"\ude00\ud83d"),
            (r"\ud83d\u00e9", r"\ud83dé"),
            (r"\u00e", r"\u00e"),
            (r"\u00+9", r"\u00+9"),
            (r"\", r"\"),
        ] {
            assert_eq!(String::from_utf8(undone(bytes.as_bytes())).unwrap(), text, "{bytes}");
        }
        assert_eq!(escaped("é\u{1F600}a", false), br"\u00e9\ud83d\ude00a");
        assert_eq!(escaped("é\u{1F600}a", true), br"\u00E9\uD83D\uDE00a");
        let cases = [r"é", r"\\u00E9", r"\u0080", r"\u0080\u00E9", r"\u00e9"].map(str::as_bytes);
        assert_eq!(cases.map(case), [None, None, Some(false), Some(true), Some(false)]);
    }
}
