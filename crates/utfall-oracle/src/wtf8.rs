//! WTF-8 (the WTF-8 specification by Simon Sapin; §1).

use crate::sequence::{Found, Scheme, read};
use crate::{Encoded, Item, is_high, is_low, join, utf8};

static ANYWHERE: Scheme = Scheme {
    lead: utf8::lead,
    trail: utf8::trail,
    bits: 6,
    least: utf8::SHORTEST,
    greatest: 0x10_FFFF,
    refused: None,
};

/// Directly after a high surrogate, a low one is ill-formed: the two would have been written as
/// one sequence of four bytes.
static AFTER_HIGH: Scheme = Scheme { refused: Some((0xDC00, 0xDFFF)), ..ANYWHERE };

pub(crate) fn decode(bytes: &[u8], items: &mut Vec<Item>) {
    let mut after_high = false;
    let mut offset = 0;
    while offset < bytes.len() {
        let scheme = if after_high { &AFTER_HIGH } else { &ANYWHERE };
        match read(scheme, |at| bytes.get(offset + at).copied()) {
            Found::Point(point, length) => {
                items.push(Item::Point(point));
                after_high = is_high(point);
                offset += length;
            }
            Found::Ill(length) => {
                items.push(Item::Ill { offset, length });
                after_high = false;
                offset += length;
            }
        }
    }
}

pub(crate) fn encode(points: &[u32], bytes: &mut Vec<u8>) -> Encoded {
    let mut index = 0;
    while index < points.len() {
        let point = points[index];
        if point > 0x10FFFF {
            return Err(index);
        }
        match points.get(index + 1) {
            Some(&low) if is_high(point) && is_low(low) => {
                utf8::write(join(point, low), bytes);
                index += 2;
            }
            _ => {
                utf8::write(point, bytes);
                index += 1;
            }
        }
    }
    Ok(())
}
