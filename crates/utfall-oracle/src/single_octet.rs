//! US-ASCII and ISO 8859-1: one byte, one character.

use crate::{Encoded, Item};

/// Bytes from 80 on are ill-formed, each on its own.
pub(crate) fn decode_ascii(octets: &[u8], items: &mut Vec<Item>) {
    for (offset, &octet) in octets.iter().enumerate() {
        items.push(match octet {
            0x00..=0x7F => Item::Point(octet.into()),
            0x80..=0xFF => Item::Ill { offset, length: 1 },
        });
    }
}

pub(crate) fn encode_ascii(points: &[u32], octets: &mut Vec<u8>) -> Encoded {
    encode_to(0x7F, points, octets)
}

/// Every byte is the code point of the same number.
pub(crate) fn decode_latin1(octets: &[u8], items: &mut Vec<Item>) {
    items.extend(octets.iter().map(|&octet| Item::Point(octet.into())));
}

pub(crate) fn encode_latin1(points: &[u32], octets: &mut Vec<u8>) -> Encoded {
    encode_to(0xFF, points, octets)
}

fn encode_to(greatest: u8, points: &[u32], octets: &mut Vec<u8>) -> Encoded {
    for (index, &point) in points.iter().enumerate() {
        match u8::try_from(point) {
            Ok(octet) if octet <= greatest => octets.push(octet),
            _ => return Err(index),
        }
    }
    Ok(())
}
