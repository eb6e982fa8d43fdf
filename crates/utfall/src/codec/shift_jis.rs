//! Shift_JIS according to WHATWG Encoding §12.3, which is windows-31J: JIS X 0201, JIS X 0208, and
//! the characters of NEC and IBM.

use utfall_simd::pairs::Cells;

use super::Codec;
use super::shared::double_byte::{self, Charset, Decoder, Encoder, Found};
use super::shared::index::{self, Changes, Codes, Grid, HOLE, Wide};
#[cfg(all(target_arch = "wasm32", target_os = "unknown", feature = "std"))]
use super::shared::jis;
use crate::Options;
use crate::charset::Functions;
use crate::info::Info;

pub(crate) struct ShiftJis;

impl Codec for ShiftJis {
    const INFO: Info = Info {
        name: "Shift_JIS",
        aliases: &[
            "csshiftjis",
            "ms932",
            "ms_kanji",
            "shift-jis",
            "sjis",
            "windows-31j",
            "x-sjis",
            "cp932",
            "sjis-open",
            "sjis-win",
            "cswindows31j",
        ],
        of_web: 7,
        specification: "WHATWG Encoding §12.3",
        side: double_byte::side::<Table>(),
        ..double_byte::INFO
    };
    type Decoder = Decoder<Table>;
    type Encoder = Encoder<Table>;

    fn decoder(_: &Options) -> Self::Decoder {
        Decoder::new()
    }

    fn encoder(_: &Options) -> Self::Encoder {
        Encoder::new()
    }
}

/// The index of JIS X 0208, with two of its rows in each row.
const INDEX: &str = include_str!("index/shift_jis.txt");
index::texts! {
    static TEXT = INDEX or jis::TEXTS[0];
}

const GRID: Grid = Grid::WIDE;

index::tables! {
    static CELLS: Wide = index::cells(&TEXT, GRID);
}

const CHANGES: Changes = Changes {
    unused: &[
        // NEC's selection of IBM's characters, which are in FA to FC too.
        (0xED40, 0xEEFC),
        // User-defined characters.
        (0xF040, 0xF9FC),
    ],
    set: &[(0x80, 0x80), (0xA5, 0x5C), (0x203E, 0x7E), (0x2212, 0x817C)],
    halfwidth: 0xA1,
};

type Inverted = Codes<{ index::room(INDEX, GRID, CHANGES) }>;

index::tables! {
    static CODES: Inverted = Codes::new(&TEXT, GRID, CHANGES);
}

#[derive(Clone)]
pub(crate) struct Table;

static FUNCTIONS: Functions = double_byte::functions::<Table>();

impl Charset for Table {
    const FUNCTIONS: &'static Functions = &FUNCTIONS;
    const TRAIL_BITS: u8 = 0xC0;

    double_byte::tables!(Wide: CELLS, index::wide_cell; Inverted: CODES);

    fn cells() -> Cells<'static> {
        index::wide_cells(CELLS.as_slice(), Self::TRAIL_BITS).with_katakana()
    }

    fn find(src: &[u8]) -> Found {
        let (point, length) = match *src {
            [byte @ 0x80, ..] => (u32::from(byte), 1),
            [byte @ 0xA1..0xE0, ..] => (0xFF61 - 0xA1 + u32::from(byte), 1),
            [0xA0 | 0xFD.., ..] => return Found::INVALID,
            [lead, trail, ..] => match Self::unit(lead, trail) {
                HOLE => return Found::undefined(trail),
                unit => (u32::from(unit), 2),
            },
            _ => return Found::Incomplete,
        };
        Found::Point { point, length }
    }

    fn rare(_: u32) -> u32 {
        0
    }
}
