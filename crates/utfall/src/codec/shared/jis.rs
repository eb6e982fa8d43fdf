//! JIS X 0208 and JIS X 0212, with the high bit of both bytes set as in EUC-JP.

use utfall_simd::pairs::Cells;

use super::index::{self, Changes, Codes, Grid, HOLE};

const JIS_X_0208: &str = include_str!("../index/jis0208.txt");
const JIS_X_0212: &str = include_str!("../index/jis0212.txt");
index::texts! {
    static TEXT_0208 = JIS_X_0208 or TEXTS[1];
    static TEXT_0212 = JIS_X_0212 or TEXTS[2];
}

/// The indexes of Shift_JIS, JIS X 0208 and JIS X 0212. They are packed together, since the last one
/// has the ideographs that the others lack.
#[cfg(all(target_arch = "wasm32", target_os = "unknown", feature = "std"))]
pub(in crate::codec) static TEXTS: std::sync::LazyLock<[&str; 3]> =
    std::sync::LazyLock::new(|| {
        use crate::packed::cells::Cells;
        use index::layouts;
        let mut packed = crate::packed::Coder::unpacker(include_bytes!("../index/jis.bin"));
        let mut cells = Cells::unused();
        let shift_jis = &*cells.code(&mut packed, layouts::SHIFT_JIS, "").leak();
        let jis_x_0212 = &*cells.code(&mut packed, layouts::JIS_X_0212, "").leak();
        [shift_jis, rows(shift_jis).leak(), jis_x_0212]
    });

/// The index of JIS X 0208 from the index of Shift_JIS, which has two of its rows in each row.
#[cfg(any(
    all(test, feature = "alloc"),
    all(target_arch = "wasm32", target_os = "unknown", feature = "std")
))]
pub(in crate::codec) fn rows(shift_jis: &str) -> alloc::string::String {
    // A row has 94 cells, and 7F is not a trail byte.
    let (row, delete) = (94, 0x7F - 0x40);
    let mut text = alloc::string::String::new();
    for (lead, line) in (0x81..=0xEF).zip(shift_jis.lines()) {
        if (0xA0..0xE0).contains(&lead) {
            continue;
        }
        let cells = line.chars().enumerate().filter(|(at, _)| *at != delete).map(|(_, cell)| cell);
        let mut cells: alloc::vec::Vec<char> = cells.collect();
        cells.resize(2 * row, '.');
        for row in cells.chunks_exact(row) {
            let end = row.iter().rposition(|cell| *cell != '.').map_or(0, |last| last + 1);
            text.extend(&row[..end]);
            text.push('\n');
        }
    }
    text
}

const GRID: Grid = Grid { first_lead: 0xA1, first_trail: 0xA1, width: WIDTH, from: 0x80 };
const WIDTH: usize = 0x80;

index::tables! {
    pub(in crate::codec) static CELLS_0208: Cells0208 = with_katakana(index::cells(&TEXT_0208, GRID));
}
index::tables! {
    static CELLS_0212: [u16; 0x80 * WIDTH + index::ASCII] = index::cells(&TEXT_0212, GRID);
}

pub(in crate::codec) type Cells0208 = [u16; 0x80 * WIDTH + index::ASCII];

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

pub(in crate::codec) type Inverted0208 = Codes<{ index::room(JIS_X_0208, GRID, CHANGES) }>;

index::tables! {
    /// The codes of EUC-JP, without JIS X 0212.
    pub(in crate::codec) static CODES: Inverted0208 = Codes::new(&TEXT_0208, GRID, CHANGES);
}

/// The code unit of a pair of JIS X 0208 with the high bits set, or of [`KATAKANA`] and a byte, or a
/// hole.
#[inline(always)]
pub(in crate::codec) fn jis_x_0208(lead: u8, trail: u8) -> u16 {
    jis_x_0208_in(&CELLS_0208, lead, trail)
}

/// The same in the table.
#[inline(always)]
pub(in crate::codec) fn jis_x_0208_in(units: &Cells0208, lead: u8, trail: u8) -> u16 {
    units[usize::from(lead & 0x7F) * WIDTH + usize::from(trail & 0x7F)]
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
        Codes::new(&TEXT_0212, GRID, Changes::NONE);
}

/// The pair of JIS X 0212 of a code unit, with the high bits set, or 0.
pub(in crate::codec) fn code_0212(unit: u16) -> u32 {
    match CODES_0212.get(unit) {
        ..0x100 => 0,
        code => u32::from(code),
    }
}
