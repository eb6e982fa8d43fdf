//! Entities of HTML and XML for characters beyond US-ASCII: `&eacute;`, `&#233;`, `&#xE9;`.

use std::fmt::Write;

use super::names::{HTML_4, HTML_5};
use crate::Charset;

/// How characters are written as HTML entities.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Entities {
    /// By name where HTML 4 has one, otherwise as a decimal number: `&eacute;`.
    Named,
    /// As decimal numbers: `&#233;`.
    Decimal,
    /// As hexadecimal numbers: `&#xE9;`.
    Hexadecimal,
    /// Some by name or number, such as `&nbsp;`, and others as they are. The restored text has no entities.
    Some,
}

/// The longest entity that is read, in bytes, without `&`.
const LONGEST: usize = 32;

/// Parses the entity at the start. Returns its character and its length in bytes.
pub(super) fn character(bytes: &[u8]) -> Option<(char, usize)> {
    let rest = bytes.strip_prefix(b"&")?;
    let end = rest.iter().take(LONGEST).position(|byte| *byte == b';')?;
    let name = std::str::from_utf8(&rest[..end]).ok()?;
    let character = match name.strip_prefix('#') {
        Some(number) => numbered(number)?,
        None => named(name)?,
    };
    (!character.is_ascii()).then_some((character, end + 2))
}

fn numbered(number: &str) -> Option<char> {
    let (digits, radix) = match number.strip_prefix(['x', 'X']) {
        Some(digits) => (digits, 16),
        None => (number, 10),
    };
    // A sign is not a digit.
    let is_number = digits.chars().all(|digit| digit.is_digit(radix));
    let point = u32::from_str_radix(digits, radix).ok().filter(|_| is_number)?;
    match u8::try_from(point) {
        // As HTML 5 has it.
        Ok(byte @ 0x80..=0x9F) => Charset::from_name("windows-1252")?.decode(byte),
        _ => char::from_u32(point),
    }
}

fn named(name: &str) -> Option<char> {
    let found = |names: &[(&str, u16)]| {
        let index = names.binary_search_by_key(&name, |(name, _)| name).ok()?;
        char::from_u32(names[index].1.into())
    };
    found(&HTML_4).or_else(|| found(&HTML_5))
}

/// Appends the entity of a character.
pub(super) fn escape(character: char, kind: Entities, out: &mut String) {
    let point = u32::from(character);
    let name = || HTML_4.iter().find(|(_, named)| u32::from(*named) == point);
    let written = match kind {
        Entities::Some => return out.push(character),
        Entities::Hexadecimal => write!(out, "&#x{point:X};"),
        Entities::Named if let Some((name, _)) = name() => write!(out, "&{name};"),
        Entities::Named | Entities::Decimal => write!(out, "&#{point};"),
    };
    debug_assert!(written.is_ok(), "writing to a string does not fail");
}

/// How a text is written in entities. `None` if it has none.
pub(super) fn kind(bytes: &[u8]) -> Option<Entities> {
    let mut found = None;
    let mut rest = bytes;
    while !rest.is_empty() {
        let Some((_, length)) = character(rest) else {
            rest = &rest[1..];
            continue;
        };
        let kind = match (rest.get(1), rest.get(2)) {
            (Some(b'#'), Some(b'x' | b'X')) => Entities::Hexadecimal,
            (Some(b'#'), _) => Entities::Decimal,
            _ => Entities::Named,
        };
        // Many characters have no name.
        if found.is_none() || kind == Entities::Named {
            found = Some(kind);
        }
        rest = &rest[length..];
    }
    found.map(|kind| if bytes.is_ascii() { kind } else { Entities::Some })
}
