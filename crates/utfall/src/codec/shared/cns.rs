//! CNS 11643: planes of 94 by 94 characters.
//!
//! The index has a line for each row of each plane, with a dot for each cell without a character.
//! It has the characters of glibc's EUC-TW; `codec/euc_tw.rs` has a test that compares them.

use super::index;

const TEXT: &str = include_str!("../index/cns11643.txt");

/// The planes, and their rows in the index.
const PLANES: [(u8, usize); 8] =
    [(1, 93), (2, 82), (3, 71), (4, 78), (5, 92), (6, 68), (7, 70), (15, 77)];
const WIDTH: usize = 94;
const CELLS: usize = 631 * WIDTH;
/// A cell without a character: the lower 16 bits of no character.
const HOLE: u16 = 0xFFFF;

/// The number of code points of a page.
const BLOCK: usize = 64;
const BLOCKS: usize = 0x3_0000 / BLOCK;
/// The number of pages: an empty one, and those in use.
const PAGES: usize = 1135;

/// The next cell of the index: its number, and its code point.
struct Reader {
    at: usize,
    row: usize,
    column: usize,
}

impl Reader {
    const fn new() -> Self {
        Self { at: 0, row: 0, column: 0 }
    }

    const fn next(&mut self) -> Option<(usize, u32)> {
        let text = TEXT.as_bytes();
        while self.at < text.len() {
            let byte = text[self.at];
            if byte == b'\n' {
                self.row += 1;
                self.column = 0;
                self.at += 1;
                continue;
            }
            let length = match byte {
                ..0x80 => 1,
                0x80..0xE0 => 2,
                0xE0..0xF0 => 3,
                _ => 4,
            };
            let mut point = if length == 1 { byte } else { byte & (0x7F >> length) } as u32;
            let mut next = 1;
            while next < length {
                point = point << 6 | (text[self.at + next] & 0x3F) as u32;
                next += 1;
            }
            self.at += length;
            self.column += 1;
            if point != '.' as u32 {
                return Some((self.row * WIDTH + self.column - 1, point));
            }
        }
        None
    }
}

index::tables! {
    /// The lower 16 bits of the code points, or a hole.
    static UNITS: [u16; CELLS] = {
        let mut units = [HOLE; CELLS];
        let mut reader = Reader::new();
        while let Some((cell, point)) = reader.next() {
            units[cell] = point as u16;
        }
        units
    };
    /// A bit for each cell: whether its code point is in plane 2 of Unicode.
    static ARE_IN_PLANE_2: [u32; CELLS / 32 + 1] = {
        let mut bits = [0; CELLS / 32 + 1];
        let mut reader = Reader::new();
        while let Some((cell, point)) = reader.next() {
            assert!(point >> 16 == 0 || point >> 16 == 2);
            bits[cell / 32] |= (point >> 17) << (cell % 32);
        }
        bits
    };
    /// The number of the page of a block of code points.
    static PAGE_OF: [u16; BLOCKS] = page_of();
    /// The cells of code points, from 1.
    static CELL_OF: [[u16; BLOCK]; PAGES] = {
        let page_of = page_of();
        let mut pages = [[0; BLOCK]; PAGES];
        let mut reader = Reader::new();
        while let Some((cell, point)) = reader.next() {
            let slot = &mut pages[page_of[point as usize / BLOCK] as usize][point as usize % BLOCK];
            // If a character has two cells, the first is written.
            if *slot == 0 {
                *slot = cell as u16 + 1;
            }
        }
        pages
    };
}

const fn page_of() -> [u16; BLOCKS] {
    let mut numbers = [0; BLOCKS];
    let mut count = 0;
    let mut reader = Reader::new();
    while let Some((_, point)) = reader.next() {
        let number = &mut numbers[point as usize / BLOCK];
        if *number == 0 {
            count += 1;
            *number = count;
        }
    }
    assert!(count as usize + 1 == PAGES);
    numbers
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
    let cell = (first + row) * WIDTH + column;
    match UNITS[cell] {
        HOLE => None,
        unit => Some((ARE_IN_PLANE_2[cell / 32] >> (cell % 32) & 1) << 17 | u32::from(unit)),
    }
}

/// The plane, row and cell of a code point.
pub(in crate::codec) fn cell(point: u32) -> Option<[u8; 3]> {
    let page = PAGE_OF.get(point as usize / BLOCK)?;
    let cell = usize::from(CELL_OF[usize::from(*page)][point as usize % BLOCK]).checked_sub(1)?;
    let (mut row, column) = (cell / WIDTH, cell % WIDTH);
    for (plane, rows) in PLANES {
        if row < rows {
            return Some([plane, row as u8 + 1, column as u8 + 1]);
        }
        row -= rows;
    }
    None
}
