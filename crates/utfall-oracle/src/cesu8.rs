//! CESU-8 (UTR #26; §1).

use crate::sequence::{Found, Scheme, read};
use crate::{Encoded, Item, is_high, is_low, is_scalar, join, split, utf8};

/// One 16-bit unit in at most three bytes; surrogates are checked afterwards.
pub(crate) static UNIT: Scheme = Scheme {
    lead: utf8::lead,
    trail: utf8::trail,
    bits: 6,
    least: utf8::SHORTEST,
    greatest: 0xFFFF,
    refused: None,
};

pub(crate) fn decode(bytes: &[u8], items: &mut Vec<Item>) {
    let mut offset = 0;
    while offset < bytes.len() {
        let unit = read(&UNIT, |at| bytes.get(offset + at).copied());
        let (item, length) = match unit {
            Found::Ill(length) => (Item::Ill { offset, length }, length),
            Found::Point(high, length) if is_high(high) => {
                match low_after(bytes, offset + length) {
                    Some(low) => (Item::Point(join(high, low)), 6),
                    None => (Item::Ill { offset, length }, length),
                }
            }
            Found::Point(low, length) if is_low(low) => (Item::Ill { offset, length }, length),
            Found::Point(point, length) => (Item::Point(point), length),
        };
        items.push(item);
        offset += length;
    }
}

pub(crate) fn encode(points: &[u32], bytes: &mut Vec<u8>) -> Encoded {
    for (index, &point) in points.iter().enumerate() {
        if !is_scalar(point) {
            return Err(index);
        }
        write(point, bytes);
    }
    Ok(())
}

/// The low surrogate whose three bytes are at `offset`, if there is one.
pub(crate) fn low_after(bytes: &[u8], offset: usize) -> Option<u32> {
    if offset == bytes.len() {
        return None;
    }
    match read(&UNIT, |at| bytes.get(offset + at).copied()) {
        Found::Point(low, _) if is_low(low) => Some(low),
        _ => None,
    }
}

/// Appends a code point up to 10FFFF, in two parts if it is above FFFF.
pub(crate) fn write(point: u32, bytes: &mut Vec<u8>) {
    if point > 0xFFFF {
        let (high, low) = split(point);
        utf8::write(high, bytes);
        utf8::write(low, bytes);
    } else {
        utf8::write(point, bytes);
    }
}
