//! Charsets with Hangul from before Amendment 5 of ISO 10646 (§9): another charset of this crate,
//! with the syllables moved.

use std::sync::LazyLock;

use crate::{Encoded, Item, codec};

pub(crate) fn decode(base: &str, bytes: &[u8], items: &mut Vec<Item>) {
    let before = items.len();
    (codec(base).expect("a charset of this crate").decode)(bytes, items);
    for item in &mut items[before..] {
        if let Item::Point(point @ FIRST_OLD..=LAST_OLD) = item {
            *point = TABLE.modern[(*point - FIRST_OLD) as usize];
        }
    }
}

pub(crate) fn encode(base: &str, points: &[u32], bytes: &mut Vec<u8>) -> Encoded {
    let mut moved = Vec::with_capacity(points.len());
    for &point in points {
        match point {
            FIRST_OLD..=LAST_OLD => break,
            FIRST_MODERN..=LAST_MODERN => match TABLE.old[(point - FIRST_MODERN) as usize] {
                Some(old) => moved.push(old),
                None => break,
            },
            _ => moved.push(point),
        }
    }
    (codec(base).expect("a charset of this crate").encode)(&moved, bytes)?;
    if moved.len() < points.len() {
        return Err(moved.len());
    }
    Ok(())
}

const FIRST_OLD: u32 = 0x3400;
const LAST_OLD: u32 = 0x4DFF;
const FIRST_MODERN: u32 = 0xAC00;
const LAST_MODERN: u32 = 0xD7A3;

struct Table {
    /// By old code point, from 3400.
    modern: Vec<u32>,
    /// By modern code point, from AC00.
    old: Vec<Option<u32>>,
}

static TABLE: LazyLock<Table> = LazyLock::new(|| {
    let mut table = Table {
        modern: vec![0; (LAST_OLD - FIRST_OLD + 1) as usize],
        old: vec![None; (LAST_MODERN - FIRST_MODERN + 1) as usize],
    };
    let number = |digits: &str| u32::from_str_radix(digits, 16).expect("a hexadecimal number");
    for line in include_str!("../../../testdata/hangul-unicode-1.1.tsv").lines() {
        if line.starts_with('#') {
            continue;
        }
        let mut fields = line.split('\t');
        let old = number(fields.next().expect("the old code point"));
        let modern = number(fields.next().expect("the modern code point"));
        table.modern[(old - FIRST_OLD) as usize] = modern;
        table.old[(modern - FIRST_MODERN) as usize] = Some(old);
    }
    table
});
