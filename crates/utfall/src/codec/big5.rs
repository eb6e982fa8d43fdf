//! Big5 according to WHATWG Encoding §11.1, with the characters of Hong Kong. Those with lead bytes
//! below A1 are only decoded.

use utfall_simd::pairs::Cells;

use super::Codec;
use super::shared::double_byte::{self, Charset, Decoder, Encoder, Found};
use super::shared::index::{self, Beyond, Changes, Codes, Grid, HOLE, Wide};
use crate::Options;
use crate::charset::Functions;
use crate::info::Info;

pub(crate) struct Big5;

impl Codec for Big5 {
    const INFO: Info = Info {
        name: "Big5",
        aliases: &["big5-hkscs", "cn-big5", "csbig5", "x-x-big5", "big-five", "cp950"],
        of_web: 4,
        specification: "WHATWG Encoding §11.1",
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

const INDEX: &str = include_str!("index/big5.txt");
index::texts! {
    static TEXT = INDEX or index::unpacked(include_bytes!("index/big5.bin"), index::layouts::BIG5);
}
const GRID: Grid = Grid::WIDE;

index::tables! {
    static CELLS: Wide = index::cells(&TEXT, GRID);
}
index::tables! {
    /// The code points of U+2xxxx.
    static BEYOND: [u16; 1713] = index::beyond(&TEXT, GRID);
}

/// The first lead byte of pairs that are written.
const FIRST_WRITTEN: u16 = 0xA1;

const CHANGES: Changes = Changes {
    unused: &[(0, FIRST_WRITTEN << 8)],
    // These have two codes, and the second is written.
    set: &[
        (0x2550, 0xF9F9),
        (0x255E, 0xF9E9),
        (0x2561, 0xF9EB),
        (0x256A, 0xF9EA),
        (0x5341, 0xA451),
        (0x5345, 0xA4CA),
    ],
    halfwidth: 0,
};

type Inverted = Codes<{ index::room(INDEX, GRID, CHANGES) }>;

index::tables! {
    static CODES: Inverted = Codes::new(&TEXT, GRID, CHANGES);
}
index::tables! {
    static BEYOND_CODES: [Beyond; 291] = index::beyond_codes(&TEXT, GRID, FIRST_WRITTEN as usize);
}

#[derive(Clone)]
pub(crate) struct Table;

static FUNCTIONS: Functions = double_byte::functions::<Table>();

impl Charset for Table {
    const FUNCTIONS: &'static Functions = &FUNCTIONS;
    const TRAIL_BITS: u8 = 0xC0;

    double_byte::tables!(Wide: CELLS, index::wide_cell; Inverted: CODES);

    fn cells() -> Cells<'static> {
        index::wide_cells(CELLS.as_slice(), Self::TRAIL_BITS)
    }

    fn find(src: &[u8]) -> Found {
        match *src {
            [0x80 | 0xFF, ..] => Found::INVALID,
            [0x88, 0x62, ..] => Found::Two(0xCA, 0x304),
            [0x88, 0x64, ..] => Found::Two(0xCA, 0x30C),
            [0x88, 0xA3, ..] => Found::Two(0xEA, 0x304),
            [0x88, 0xA5, ..] => Found::Two(0xEA, 0x30C),
            [lead, trail, ..] => match Self::unit(lead, trail) {
                HOLE => Found::undefined(trail),
                unit if index::is_special(unit) => {
                    let at = usize::from(unit - HOLE - 1);
                    Found::Point { point: 0x2_0000 | u32::from(BEYOND[at]), length: 2 }
                }
                unit => Found::Point { point: u32::from(unit), length: 2 },
            },
            _ => Found::Incomplete,
        }
    }

    fn rare(point: u32) -> u32 {
        if point >> 16 != 2 {
            return 0;
        }
        match BEYOND_CODES.binary_search_by_key(&(point as u16), |(point, _)| *point) {
            Ok(at) => u32::from(BEYOND_CODES[at].1),
            Err(_) => 0,
        }
    }
}
