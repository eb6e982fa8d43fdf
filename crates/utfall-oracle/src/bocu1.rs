//! BOCU-1 (UTN #6; §8).

use crate::{Encoded, Item, is_scalar};

/// The state at the start, after a reset and after an ill-formed sequence.
const START: i64 = 0x40;
/// Number of byte values that can be trail bytes.
const TRAILS: i64 = 243;

pub(crate) fn decode(bytes: &[u8], items: &mut Vec<Item>) {
    let mut previous = START;
    let mut offset = 0;
    while offset < bytes.len() {
        let first = bytes[offset];
        if first <= 0x20 {
            items.push(Item::Point(first.into()));
            if first < 0x20 {
                previous = START;
            }
            offset += 1;
        } else if first == 0xFF {
            previous = START;
            offset += 1;
        } else {
            match read(previous, &bytes[offset..]) {
                Ok((point, length)) => {
                    items.push(Item::Point(point));
                    previous = previous_for(point);
                    offset += length;
                }
                Err(length) => {
                    items.push(Item::Ill { offset, length });
                    previous = START;
                    offset += length;
                }
            }
        }
    }
}

pub(crate) fn encode(points: &[u32], bytes: &mut Vec<u8>) -> Encoded {
    let mut previous = START;
    for (index, &point) in points.iter().enumerate() {
        if !is_scalar(point) {
            return Err(index);
        }
        if point <= 0x20 {
            bytes.push(point as u8);
            if point < 0x20 {
                previous = START;
            }
            continue;
        }
        let difference = i64::from(point) - previous;
        previous = previous_for(point);
        let mut first = 0x21;
        for next in FIRST_LEADS {
            if reach(next).0 <= difference {
                first = next;
            }
        }
        let (least, trailing) = reach(first);
        let above = difference - least;
        bytes.push(first + (above / TRAILS.pow(trailing)) as u8);
        for left in (0..trailing).rev() {
            bytes.push(trailing_byte(above / TRAILS.pow(left) % TRAILS));
        }
    }
    Ok(())
}

/// A code point and its length in bytes, or the length of an ill-formed sequence.
fn read(previous: i64, bytes: &[u8]) -> Result<(u32, usize), usize> {
    let (least, trailing) = reach(bytes[0]);
    let length = 1 + trailing as usize;
    let mut above = 0;
    for taken in 1..length {
        let Some(&byte) = bytes.get(taken) else {
            return Err(taken);
        };
        let Some(value) = trailing_value(byte) else {
            return Err(taken + 1);
        };
        above = above * TRAILS + value;
    }
    match u32::try_from(previous + least + above) {
        Ok(point) if is_scalar(point) => Ok((point, length)),
        _ => Err(length),
    }
}

/// The first lead byte of each kind, in order of the differences they begin.
const FIRST_LEADS: [u8; 7] = [0x21, 0x22, 0x25, 0x50, 0xD0, 0xFB, 0xFE];

/// The least difference that a lead byte, 21–FE, begins, and the number of its trail bytes. The
/// differences of all leads are contiguous.
fn reach(lead: u8) -> (i64, u32) {
    let nth = |first: i64| i64::from(lead) - first;
    match lead {
        0x21 => (-64 - 43 * TRAILS - 3 * TRAILS.pow(2) - TRAILS.pow(3), 3),
        0x22..=0x24 => (-64 - 43 * TRAILS + nth(0x25) * TRAILS.pow(2), 2),
        0x25..=0x4F => (-64 + nth(0x50) * TRAILS, 1),
        0x50..=0xCF => (nth(0x90), 0),
        0xD0..=0xFA => (64 + nth(0xD0) * TRAILS, 1),
        0xFB..=0xFD => (64 + 43 * TRAILS + nth(0xFB) * TRAILS.pow(2), 2),
        0xFE => (64 + 43 * TRAILS + 3 * TRAILS.pow(2), 3),
        0x00..=0x20 | 0xFF => unreachable!("not a lead byte"),
    }
}

/// The state after a code point: the middle of its block.
fn previous_for(point: u32) -> i64 {
    let middle = match point {
        // Hiragana
        0x3040..=0x309F => 0x3070,
        // Unihan: as many differences of two bytes as possible, from 4E00 on
        0x4E00..=0x9FA5 => 0x7711,
        // Hangul
        0xAC00..=0xD7A3 => 0xC1D1,
        _ => point - point % 0x80 + 0x40,
    };
    i64::from(middle)
}

/// The controls that can be trail bytes, in order of value.
const CONTROLS: [u8; 20] = [
    0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x10, 0x11, 0x12, 0x13, 0x14, 0x15, 0x16, 0x17, 0x18, 0x19,
    0x1C, 0x1D, 0x1E, 0x1F,
];

fn trailing_value(byte: u8) -> Option<i64> {
    match byte {
        0x21.. => Some(i64::from(byte) - 0x21 + 20),
        _ => CONTROLS.iter().position(|&control| control == byte).map(|value| value as i64),
    }
}

fn trailing_byte(value: i64) -> u8 {
    match CONTROLS.get(value as usize) {
        Some(&control) => control,
        None => (value - 20 + 0x21) as u8,
    }
}
