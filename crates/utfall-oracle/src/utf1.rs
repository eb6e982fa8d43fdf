//! UTF-1 (ISO-IR-178; ISO 10646-1:1993 annex G; §5).

use crate::{Encoded, Item, is_surrogate};

/// Number of byte values that can be trail bytes: 21–7E and A0–FF.
const TRAILS: u64 = 190;
/// The first value written in two bytes, with the lead A1–F5.
const TWO: u64 = 0x100;
/// The first value written in three bytes.
const THREE: u64 = 0x4016;
/// The first value written in five bytes.
const FIVE: u64 = 0x3_8E2E;

pub(crate) fn decode(bytes: &[u8], items: &mut Vec<Item>) {
    let mut offset = 0;
    while offset < bytes.len() {
        let (item, length) = match read(&bytes[offset..]) {
            Ok((point, length)) => (Item::Point(point), length),
            Err(length) => (Item::Ill { offset, length }, length),
        };
        items.push(item);
        offset += length;
    }
}

pub(crate) fn encode(points: &[u32], bytes: &mut Vec<u8>) -> Encoded {
    for (index, &point) in points.iter().enumerate() {
        if point > 0x7FFF_FFFF || is_surrogate(point) {
            return Err(index);
        }
        let value = u64::from(point);
        let (mark, above, trailing) = match value {
            0..0xA0 => {
                bytes.push(point as u8);
                continue;
            }
            0xA0..TWO => {
                bytes.extend([0xA0, point as u8]);
                continue;
            }
            TWO..THREE => (0xA1, value - TWO, 1),
            THREE..FIVE => (0xF6, value - THREE, 2),
            FIVE.. => (0xFC, value - FIVE, 4),
        };
        bytes.push((mark + above / TRAILS.pow(trailing)) as u8);
        for left in (0..trailing).rev() {
            bytes.push(trailing_byte(above / TRAILS.pow(left) % TRAILS));
        }
    }
    Ok(())
}

/// A code point and its length in bytes, or the length of an ill-formed sequence.
fn read(bytes: &[u8]) -> Result<(u32, usize), usize> {
    let lead = u64::from(bytes[0]);
    let (mut above, base, trailing) = match lead {
        0x00..=0x9F => return Ok((bytes[0].into(), 1)),
        0xA0 => {
            return match bytes.get(1) {
                Some(&byte @ 0xA0..) => Ok((byte.into(), 2)),
                _ => Err(1),
            };
        }
        0xA1..=0xF5 => (lead - 0xA1, TWO, 1),
        0xF6..=0xFB => (lead - 0xF6, THREE, 2),
        0xFC..=0xFD => (lead - 0xFC, FIVE, 4),
        _ => return Err(1),
    };
    for taken in 1..=trailing {
        match bytes.get(taken).and_then(|&byte| trailing_value(byte)) {
            Some(value) => above = above * TRAILS + value,
            None => return Err(taken),
        }
    }
    match u32::try_from(base + above) {
        Ok(point @ ..=0x7FFF_FFFF) if !is_surrogate(point) => Ok((point, 1 + trailing)),
        _ => Err(1 + trailing),
    }
}

fn trailing_value(byte: u8) -> Option<u64> {
    match byte {
        0x21..=0x7E => Some(u64::from(byte) - 0x21),
        0xA0..=0xFF => Some(u64::from(byte) - 0xA0 + 94),
        _ => None,
    }
}

fn trailing_byte(value: u64) -> u8 {
    match value {
        0..94 => 0x21 + value as u8,
        _ => 0xA0 + (value - 94) as u8,
    }
}
