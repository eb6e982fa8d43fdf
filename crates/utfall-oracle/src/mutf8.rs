//! Java's UTF-8 (`java.io.DataInput`, JVMS 4.4.7; §1).

use crate::cesu8::{UNIT, low_after, write};
use crate::sequence::{Found, read};
use crate::{Encoded, Item, is_high, join};

pub(crate) fn decode(bytes: &[u8], items: &mut Vec<Item>) {
    let mut offset = 0;
    while offset < bytes.len() {
        let (item, length) = if bytes[offset] == 0x00 {
            (Item::Ill { offset, length: 1 }, 1)
        } else if bytes[offset..].starts_with(&[0xC0, 0x80]) {
            (Item::Point(0), 2)
        } else {
            match read(&UNIT, |at| bytes.get(offset + at).copied()) {
                Found::Ill(length) => (Item::Ill { offset, length }, length),
                Found::Point(point, length) => match low_after(bytes, offset + length) {
                    Some(low) if is_high(point) => (Item::Point(join(point, low)), 6),
                    _ => (Item::Point(point), length),
                },
            }
        };
        items.push(item);
        offset += length;
    }
}

pub(crate) fn encode(points: &[u32], bytes: &mut Vec<u8>) -> Encoded {
    for (index, &point) in points.iter().enumerate() {
        match point {
            0 => bytes.extend([0xC0, 0x80]),
            1..=0x10FFFF => write(point, bytes),
            _ => return Err(index),
        }
    }
    Ok(())
}
