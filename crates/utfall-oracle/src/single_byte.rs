//! US-ASCII and ISO 8859-1: one byte, one character.

use crate::{Encoded, Item};

/// Bytes from 80 on are ill-formed, each on its own.
pub(crate) fn decode_ascii(bytes: &[u8], items: &mut Vec<Item>) {
    for (offset, &byte) in bytes.iter().enumerate() {
        items.push(match byte {
            0x00..=0x7F => Item::Point(byte.into()),
            0x80..=0xFF => Item::Ill { offset, length: 1 },
        });
    }
}

pub(crate) fn encode_ascii(points: &[u32], bytes: &mut Vec<u8>) -> Encoded {
    encode_to(0x7F, points, bytes)
}

/// Every byte is the code point of the same number.
pub(crate) fn decode_latin1(bytes: &[u8], items: &mut Vec<Item>) {
    items.extend(bytes.iter().map(|&byte| Item::Point(byte.into())));
}

pub(crate) fn encode_latin1(points: &[u32], bytes: &mut Vec<u8>) -> Encoded {
    encode_to(0xFF, points, bytes)
}

fn encode_to(greatest: u8, points: &[u32], bytes: &mut Vec<u8>) -> Encoded {
    for (index, &point) in points.iter().enumerate() {
        match u8::try_from(point) {
            Ok(byte) if byte <= greatest => bytes.push(byte),
            _ => return Err(index),
        }
    }
    Ok(())
}
