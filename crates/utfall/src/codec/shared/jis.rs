//! JIS X 0208 and JIS X 0212, with the high bit of both bytes set as in EUC-JP.

use utfall_simd::pairs::Cells;

use super::index::{self, Changes, Codes, Grid, HOLE};

const JIS_X_0208: &str = include_str!("../index/jis0208.txt");
const JIS_X_0212: &str = include_str!("../index/jis0212.txt");

const GRID: Grid = Grid { first_lead: 0xA1, first_trail: 0xA1, width: WIDTH, from: 0x80 };
const WIDTH: usize = 0x80;

index::tables! {
    static CELLS_0208: Cells0208 = with_katakana(index::cells(JIS_X_0208, GRID));
}
index::tables! {
    static CELLS_0212: [u16; 0x80 * WIDTH + index::ASCII] = index::cells(JIS_X_0212, GRID);
}

type Cells0208 = [u16; 0x80 * WIDTH + index::ASCII];

/// Adds a row that JIS X 0208 does not have: the katakana of JIS X 0201, which follow 8E in EUC-JP.
const fn with_katakana(mut cells: Cells0208) -> Cells0208 {
    let mut number = 0;
    while number <= 0xDF - 0xA1 {
        cells[(KATAKANA & 0x7F) as usize * WIDTH + 0x21 + number] = 0xFF61 + number as u16;
        number += 1;
    }
    cells
}

/// The lead byte of that row.
pub(in crate::codec) const KATAKANA: u8 = 0x8E;

const CHANGES: Changes = Changes {
    set: &[(0xA5, 0x5C), (0x203E, 0x7E), (0x2212, 0xA1DD)],
    halfwidth: (KATAKANA as u16) << 8 | 0xA1,
    ..Changes::NONE
};

index::tables! {
    /// The codes of EUC-JP, without JIS X 0212.
    pub(in crate::codec) static CODES: Codes<{ index::size(JIS_X_0208, GRID, CHANGES) }> =
        Codes::new(JIS_X_0208, GRID, CHANGES);
}

/// The code unit of a pair of JIS X 0208 with the high bits set, or of [`KATAKANA`] and a byte, or a
/// hole.
#[inline(always)]
pub(in crate::codec) fn jis_x_0208(lead: u8, trail: u8) -> u16 {
    CELLS_0208[usize::from(lead & 0x7F) * WIDTH + usize::from(trail & 0x7F)]
}

/// The same cells, for kernels.
pub(in crate::codec) fn cells_0208(trail_bits: u8) -> Cells<'static> {
    Cells::new(CELLS_0208.as_slice(), WIDTH as u8, 0x7F, trail_bits)
}

/// The same of JIS X 0212.
pub(in crate::codec) fn jis_x_0212(lead: u8, trail: u8) -> u16 {
    if trail < 0x80 {
        return HOLE;
    }
    CELLS_0212[usize::from(lead & 0x7F) * WIDTH + usize::from(trail & 0x7F)]
}

index::tables! {
    static CODES_0212: Codes<{ index::size(JIS_X_0212, GRID, Changes::NONE) }> =
        Codes::new(JIS_X_0212, GRID, Changes::NONE);
}

/// The pair of JIS X 0212 of a code unit, with the high bits set, or 0.
pub(in crate::codec) fn code_0212(unit: u16) -> u32 {
    match CODES_0212.get(unit) {
        ..0x100 => 0,
        code => u32::from(code),
    }
}
