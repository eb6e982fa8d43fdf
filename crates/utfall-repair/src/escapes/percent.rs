//! Percent-encoding of UTF-8, as in URLs: `%C3%A9`.

use std::fmt::Write;

/// Length in bytes of an encoded byte.
const BYTE: usize = 3;

/// Parses the encoded character at the start. Returns it and its length in bytes.
pub(super) fn character(bytes: &[u8]) -> Option<(char, usize)> {
    let mut sequence = [byte(bytes)?, 0, 0, 0];
    let length = match sequence[0] {
        0xC2..=0xDF => 2,
        0xE0..=0xEF => 3,
        0xF0..=0xF4 => 4,
        _ => return None,
    };
    for (index, place) in sequence[..length].iter_mut().enumerate() {
        *place = byte(bytes.get(index * BYTE..)?)?;
    }
    let character = std::str::from_utf8(&sequence[..length]).ok()?.chars().next()?;
    Some((character, length * BYTE))
}

fn byte(bytes: &[u8]) -> Option<u8> {
    let [high, low] = *bytes.strip_prefix(b"%")?.first_chunk::<2>()?;
    let digit = |byte: u8| char::from(byte).to_digit(16);
    Some((digit(high)? << 4 | digit(low)?) as u8)
}

/// Appends a character in percent-encoding.
pub(super) fn escape(character: char, upper: bool, out: &mut String) {
    for byte in character.encode_utf8(&mut [0; 4]).bytes() {
        let written = match upper {
            true => write!(out, "%{byte:02X}"),
            false => write!(out, "%{byte:02x}"),
        };
        debug_assert!(written.is_ok(), "writing to a string does not fail");
    }
}

/// Whether the digits of a text are in upper case. `None` if it has no encoded characters.
pub(super) fn case(bytes: &[u8]) -> Option<bool> {
    let mut rest = bytes;
    while !rest.is_empty() {
        if let Some((_, length)) = character(rest) {
            // The first byte of a sequence has a letter.
            return Some(!rest[..length].iter().any(u8::is_ascii_lowercase));
        }
        rest = &rest[1..];
    }
    None
}
