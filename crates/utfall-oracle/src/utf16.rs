//! UTF-16 and UCS-2 (RFC 2781; Unicode D91, D96–D98; ISO 10646; §2).

use crate::{Encoded, Item, is_high, is_low, is_scalar, is_surrogate, join, split};

/// Whether a pair of surrogates represents a code point.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Repertoire {
    Utf16,
    Ucs2,
}

/// A mark at the very start determines the byte order; without one it is big-endian.
pub(crate) fn decode_marked(repertoire: Repertoire, bytes: &[u8], items: &mut Vec<Item>) {
    match bytes {
        [0xFE, 0xFF, ..] => decode_from(2, u16::from_be_bytes, repertoire, bytes, items),
        [0xFF, 0xFE, ..] => decode_from(2, u16::from_le_bytes, repertoire, bytes, items),
        _ => decode_from(0, u16::from_be_bytes, repertoire, bytes, items),
    }
}

pub(crate) fn decode_little(repertoire: Repertoire, bytes: &[u8], items: &mut Vec<Item>) {
    decode_from(0, u16::from_le_bytes, repertoire, bytes, items);
}

pub(crate) fn decode_big(repertoire: Repertoire, bytes: &[u8], items: &mut Vec<Item>) {
    decode_from(0, u16::from_be_bytes, repertoire, bytes, items);
}

/// Big-endian after a mark; no output at all for empty text.
pub(crate) fn encode_marked(points: &[u32], bytes: &mut Vec<u8>) -> Encoded {
    if !points.is_empty() {
        bytes.extend([0xFE, 0xFF]);
    }
    encode_big(Repertoire::Utf16, points, bytes)
}

/// Big-endian; writes a mark only before a U+FEFF that would be mistaken for one.
pub(crate) fn encode_unmarked(
    repertoire: Repertoire,
    points: &[u32],
    bytes: &mut Vec<u8>,
) -> Encoded {
    if points.first() == Some(&0xFEFF) {
        bytes.extend([0xFE, 0xFF]);
    }
    encode_big(repertoire, points, bytes)
}

pub(crate) fn encode_little(
    repertoire: Repertoire,
    points: &[u32],
    bytes: &mut Vec<u8>,
) -> Encoded {
    encode(u16::to_le_bytes, repertoire, points, bytes)
}

pub(crate) fn encode_big(repertoire: Repertoire, points: &[u32], bytes: &mut Vec<u8>) -> Encoded {
    encode(u16::to_be_bytes, repertoire, points, bytes)
}

fn decode_from(
    mut offset: usize,
    order: fn([u8; 2]) -> u16,
    repertoire: Repertoire,
    bytes: &[u8],
    items: &mut Vec<Item>,
) {
    let unit = |at: usize| {
        let pair = bytes.get(at..at + 2)?;
        Some(u32::from(order([pair[0], pair[1]])))
    };
    while offset < bytes.len() {
        let left = bytes.len() - offset;
        let (item, length) = match unit(offset) {
            None => (Item::Ill { offset, length: 1 }, 1),
            Some(high) if repertoire == Repertoire::Utf16 && is_high(high) => {
                match unit(offset + 2) {
                    Some(low) if is_low(low) => (Item::Point(join(high, low)), 4),
                    // If one last odd byte follows, it belongs to the sequence.
                    None if left == 3 => (Item::Ill { offset, length: 3 }, 3),
                    _ => (Item::Ill { offset, length: 2 }, 2),
                }
            }
            Some(surrogate) if is_surrogate(surrogate) => (Item::Ill { offset, length: 2 }, 2),
            Some(point) => (Item::Point(point), 2),
        };
        items.push(item);
        offset += length;
    }
}

fn encode(
    order: fn(u16) -> [u8; 2],
    repertoire: Repertoire,
    points: &[u32],
    bytes: &mut Vec<u8>,
) -> Encoded {
    for (index, &point) in points.iter().enumerate() {
        if !is_scalar(point) || point > 0xFFFF && repertoire == Repertoire::Ucs2 {
            return Err(index);
        }
        if point > 0xFFFF {
            let (high, low) = split(point);
            bytes.extend(order(high as u16));
            bytes.extend(order(low as u16));
        } else {
            bytes.extend(order(point as u16));
        }
    }
    Ok(())
}
