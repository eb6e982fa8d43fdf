//! ISO-IR-165: GB 2312 with corrections and more characters, as glibc has it in ISO-2022-CN-EXT.
//!
//! The index has the cells that differ from GB 2312; `codec/iso_2022_cn.rs` has a test that compares them.

use super::super::multi_byte;
use super::index;
use super::planes::{self, WIDTH};

const TEXT: &str = include_str!("../index/iso_ir_165.txt");

/// The rows of the index.
const ROWS: [u8; 14] = [1, 3, 8, 10, 11, 12, 13, 14, 15, 90, 91, 92, 93, 94];
const CELLS: usize = ROWS.len() * WIDTH;
const COUNT: usize = 947;
/// The cell of the full stop, which the index has not: there, a dot is a cell without a character.
const FULL_STOP: (u8, u8) = (10, 14);

index::tables! {
    static UNITS: [u16; CELLS] = planes::units(TEXT);
    /// The code points in order, and the numbers of their cells.
    static CELL_OF: [(u16, u16); COUNT] = planes::sorted(TEXT);
}

/// The code point of a row and a cell, which count from 1.
pub(in crate::codec) fn point(row: u8, cell: u8) -> Option<u32> {
    if (row, cell) == FULL_STOP {
        return Some(u32::from(b'.'));
    }
    let column = usize::from(cell).checked_sub(1).filter(|column| *column < WIDTH)?;
    let line = ROWS.iter().position(|it| *it == row);
    let other = line
        .and_then(|line| planes::point(&UNITS[..], &[0; CELLS / 32 + 1], line * WIDTH + column));
    other.or_else(|| multi_byte::gb_2312(row + 0xA0, cell + 0xA0))
}

/// The row and cell of a code point above US-ASCII.
pub(in crate::codec) fn cell(point: u32) -> Option<[u8; 2]> {
    let unit = u16::try_from(point).ok().filter(|unit| *unit >= 0x80)?;
    if let Ok(at) = CELL_OF.binary_search_by_key(&unit, |(unit, _)| *unit) {
        let cell = usize::from(CELL_OF[at].1);
        return Some([ROWS[cell / WIDTH], (cell % WIDTH) as u8 + 1]);
    }
    let [row, cell] = multi_byte::code_of_gb_2312(point)?.map(|byte| byte - 0xA0);
    // ISO-IR-165 has other characters in some cells of GB 2312, whose characters it lacks.
    (self::point(row, cell) == Some(point)).then_some([row, cell])
}
