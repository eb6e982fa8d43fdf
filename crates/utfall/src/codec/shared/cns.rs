//! CNS 11643: planes of 94 by 94 characters.
//!
//! The index has the characters of glibc's EUC-TW; `codec/euc_tw.rs` has a test that compares them.

use super::index;
use super::planes::{self, BLOCK, BLOCKS, WIDTH};

const TEXT: &str = include_str!("../index/cns11643.txt");

/// The planes, and their rows in the index.
const PLANES: [(u8, usize); 8] =
    [(1, 93), (2, 82), (3, 71), (4, 78), (5, 92), (6, 68), (7, 70), (15, 77)];
const CELLS: usize = 631 * WIDTH;
const PAGES: usize = 1135;

index::tables! {
    static UNITS: [u16; CELLS] = planes::units(TEXT);
    static ARE_IN_PLANE_2: [u32; CELLS / 32 + 1] = planes::are_in_plane_2(TEXT);
    static PAGE_OF: [u16; BLOCKS] = planes::page_of(TEXT).0;
    static CELL_OF: [[u16; BLOCK]; PAGES] = planes::cell_of(TEXT);
}

/// The code point of a row and a cell of a plane, which count from 1.
pub(in crate::codec) fn point(plane: u8, row: u8, cell: u8) -> Option<u32> {
    let (row, column) = (usize::from(row).checked_sub(1)?, usize::from(cell).checked_sub(1)?);
    let mut first = 0;
    let (_, rows) = PLANES.iter().find(|(number, rows)| {
        first += if *number < plane { rows } else { &0 };
        *number == plane
    })?;
    if row >= *rows || column >= WIDTH {
        return None;
    }
    planes::point(&UNITS[..], &ARE_IN_PLANE_2[..], (first + row) * WIDTH + column)
}

/// The plane, row and cell of a code point.
pub(in crate::codec) fn cell(point: u32) -> Option<[u8; 3]> {
    let cell = planes::cell(&PAGE_OF[..], &CELL_OF[..], point)?;
    let (mut row, column) = (cell / WIDTH, cell % WIDTH);
    for (plane, rows) in PLANES {
        if row < rows {
            return Some([plane, row as u8 + 1, column as u8 + 1]);
        }
        row -= rows;
    }
    None
}
