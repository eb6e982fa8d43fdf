//! JIS X 0213: two planes of 94 by 94 characters, 25 of them two code points each.
//!
//! The index has the characters of glibc's EUC-JISX0213; `codec/jis_x_0213.rs` has a test that compares
//! them.

use super::index;
use super::planes::{self, BLOCK, BLOCKS, WIDTH};

const TEXT: &str = include_str!("../index/jisx0213.txt");

/// The rows of the index: all of plane 1, then these of plane 2.
const ROWS_1: usize = 94;
const ROWS_2: [u8; 26] = [
    1, 3, 4, 5, 8, 12, 13, 14, 15, 78, 79, 80, 81, 82, 83, 84, 85, 86, 87, 88, 89, 90, 91, 92, 93,
    94,
];
const CELLS: usize = (ROWS_1 + ROWS_2.len()) * WIDTH;
const PAGES: usize = 679;

index::tables! {
    static UNITS: [u16; CELLS] = planes::units(TEXT);
    static ARE_IN_PLANE_2: [u32; CELLS / 32 + 1] = planes::are_in_plane_2(TEXT);
    static PAGE_OF: [u16; BLOCKS] = planes::page_of(TEXT).0;
    static CELL_OF: [[u16; BLOCK]; PAGES] = planes::cell_of(TEXT);
}

/// A plane, a row and a cell, which count from 1.
pub(in crate::codec) type Cell = [u8; 3];

/// The row and cell in plane 1 of two code points.
#[rustfmt::skip]
const PAIRS: [(u8, u8, [u32; 2]); 25] = [
    (4, 87, [0x304B, 0x309A]), (4, 88, [0x304D, 0x309A]), (4, 89, [0x304F, 0x309A]),
    (4, 90, [0x3051, 0x309A]), (4, 91, [0x3053, 0x309A]), (5, 87, [0x30AB, 0x309A]),
    (5, 88, [0x30AD, 0x309A]), (5, 89, [0x30AF, 0x309A]), (5, 90, [0x30B1, 0x309A]),
    (5, 91, [0x30B3, 0x309A]), (5, 92, [0x30BB, 0x309A]), (5, 93, [0x30C4, 0x309A]),
    (5, 94, [0x30C8, 0x309A]), (6, 88, [0x31F7, 0x309A]), (11, 36, [0x00E6, 0x0300]),
    (11, 40, [0x0254, 0x0300]), (11, 41, [0x0254, 0x0301]), (11, 42, [0x028C, 0x0300]),
    (11, 43, [0x028C, 0x0301]), (11, 44, [0x0259, 0x0300]), (11, 45, [0x0259, 0x0301]),
    (11, 46, [0x025A, 0x0300]), (11, 47, [0x025A, 0x0301]), (11, 69, [0x02E9, 0x02E5]),
    (11, 70, [0x02E5, 0x02E9]),
];

/// The characters that the edition of 2004 added to plane 1: their rows and cells.
const OF_2004: [(u8, u8); 10] = [
    (14, 1),
    (15, 94),
    (47, 52),
    (47, 94),
    (84, 7),
    (94, 90),
    (94, 91),
    (94, 92),
    (94, 93),
    (94, 94),
];

/// The code points of a cell.
pub(in crate::codec) enum Content {
    One(u32),
    Two([u32; 2]),
}

/// The content of a cell, if it has a character.
pub(in crate::codec) fn content([plane, row, cell]: Cell) -> Option<Content> {
    let column = usize::from(cell.checked_sub(1).filter(|column| usize::from(*column) < WIDTH)?);
    let line = match plane {
        1 => usize::from(row.checked_sub(1).filter(|row| usize::from(*row) < ROWS_1)?),
        2 => ROWS_1 + ROWS_2.iter().position(|it| *it == row)?,
        _ => return None,
    };
    match planes::point(&UNITS[..], &ARE_IN_PLANE_2[..], line * WIDTH + column) {
        Some(point) => Some(Content::One(point)),
        None => {
            let mut pairs = PAIRS.iter().filter(|_| plane == 1);
            let (.., two) =
                pairs.find(|(of_row, of_cell, _)| (*of_row, *of_cell) == (row, cell))?;
            Some(Content::Two(*two))
        }
    }
}

/// The cell of a code point.
pub(in crate::codec) fn cell(point: u32) -> Option<Cell> {
    let cell = planes::cell(&PAGE_OF[..], &CELL_OF[..], point)?;
    let (line, column) = (cell / WIDTH, cell % WIDTH + 1);
    Some(match line.checked_sub(ROWS_1) {
        None => [1, line as u8 + 1, column as u8],
        Some(line) => [2, ROWS_2[line], column as u8],
    })
}

/// The cell of two code points.
pub(in crate::codec) fn cell_of_pair(first: u32, second: u32) -> Option<Cell> {
    let (row, cell, _) = PAIRS.iter().find(|(.., two)| *two == [first, second])?;
    Some([1, *row, *cell])
}

/// A bit for each code point below U+3200: whether it is the first of two.
static BEGIN_PAIRS: [u64; 0x3200 / 64] = {
    let (mut bits, mut at) = ([0; 0x3200 / 64], 0);
    while at < PAIRS.len() {
        let (.., [first, _]) = PAIRS[at];
        bits[first as usize / 64] |= 1 << (first % 64);
        at += 1;
    }
    bits
};

/// Whether a code point may be the first of two in a cell.
pub(in crate::codec) fn begins_pair(point: u32) -> bool {
    BEGIN_PAIRS.get(point as usize / 64).is_some_and(|bits| bits >> (point % 64) & 1 == 1)
}

/// Whether the edition of 2000 lacks a cell.
pub(in crate::codec) fn is_of_2004([plane, row, cell]: Cell) -> bool {
    plane == 1 && OF_2004.contains(&(row, cell))
}
