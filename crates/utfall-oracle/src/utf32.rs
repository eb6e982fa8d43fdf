//! UTF-32 and UCS-4 (Unicode D90, D99–D101; ISO 10646; §2).

use crate::{Encoded, Item, is_surrogate};

/// The values that are code points; surrogates never are.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Repertoire {
    Utf32,
    Ucs4,
}

/// A mark at the very start determines the byte order; without one it is big-endian.
pub(crate) fn decode_marked(repertoire: Repertoire, bytes: &[u8], items: &mut Vec<Item>) {
    match bytes {
        [0x00, 0x00, 0xFE, 0xFF, ..] => {
            decode_from(4, u32::from_be_bytes, repertoire, bytes, items);
        }
        [0xFF, 0xFE, 0x00, 0x00, ..] => {
            decode_from(4, u32::from_le_bytes, repertoire, bytes, items);
        }
        _ => decode_from(0, u32::from_be_bytes, repertoire, bytes, items),
    }
}

pub(crate) fn decode_little(repertoire: Repertoire, bytes: &[u8], items: &mut Vec<Item>) {
    decode_from(0, u32::from_le_bytes, repertoire, bytes, items);
}

pub(crate) fn decode_big(repertoire: Repertoire, bytes: &[u8], items: &mut Vec<Item>) {
    decode_from(0, u32::from_be_bytes, repertoire, bytes, items);
}

/// Big-endian after a mark; no output at all for empty text.
pub(crate) fn encode_marked(points: &[u32], bytes: &mut Vec<u8>) -> Encoded {
    if !points.is_empty() {
        bytes.extend([0x00, 0x00, 0xFE, 0xFF]);
    }
    encode_big(Repertoire::Utf32, points, bytes)
}

/// Big-endian; writes a mark only before a U+FEFF that would be mistaken for one.
pub(crate) fn encode_unmarked(
    repertoire: Repertoire,
    points: &[u32],
    bytes: &mut Vec<u8>,
) -> Encoded {
    if points.first() == Some(&0xFEFF) {
        bytes.extend([0, 0, 0xFE, 0xFF]);
    }
    encode_big(repertoire, points, bytes)
}

pub(crate) fn encode_little(
    repertoire: Repertoire,
    points: &[u32],
    bytes: &mut Vec<u8>,
) -> Encoded {
    encode(u32::to_le_bytes, repertoire, points, bytes)
}

pub(crate) fn encode_big(repertoire: Repertoire, points: &[u32], bytes: &mut Vec<u8>) -> Encoded {
    encode(u32::to_be_bytes, repertoire, points, bytes)
}

impl Repertoire {
    fn has(self, value: u32) -> bool {
        match self {
            Repertoire::Utf32 => value <= 0x10_FFFF && !is_surrogate(value),
            Repertoire::Ucs4 => value <= 0x7FFF_FFFF,
        }
    }
}

fn decode_from(
    start: usize,
    order: fn([u8; 4]) -> u32,
    repertoire: Repertoire,
    bytes: &[u8],
    items: &mut Vec<Item>,
) {
    for offset in (start..bytes.len()).step_by(4) {
        let item = match bytes[offset..] {
            [a, b, c, d, ..] => match order([a, b, c, d]) {
                value if repertoire.has(value) => Item::Point(value),
                _ => Item::Ill { offset, length: 4 },
            },
            _ => Item::Ill { offset, length: bytes.len() - offset },
        };
        items.push(item);
    }
}

fn encode(
    order: fn(u32) -> [u8; 4],
    repertoire: Repertoire,
    points: &[u32],
    bytes: &mut Vec<u8>,
) -> Encoded {
    for (index, &point) in points.iter().enumerate() {
        if !repertoire.has(point) {
            return Err(index);
        }
        bytes.extend(order(point));
    }
    Ok(())
}
