//! EUC-KR according to WHATWG Encoding §13.1, which is windows-949: KS X 1001, and all other
//! syllables of Hangul.

use utfall_simd::pairs::Cells;

use super::Codec;
use super::shared::double_byte::{self, Charset, Decoder, Encoder, Found};
use super::shared::index::{self, Changes, Codes, Grid, HOLE, Wide};
use crate::Options;
use crate::charset::Functions;
use crate::info::Info;

pub(crate) struct EucKr;

impl Codec for EucKr {
    const INFO: Info = Info {
        name: "EUC-KR",
        aliases: &[
            "cseuckr",
            "csksc56011987",
            "iso-ir-149",
            "korean",
            "ks_c_5601-1987",
            "ks_c_5601-1989",
            "ksc5601",
            "ksc_5601",
            "windows-949",
            "osf0004000a",
            "uhc",
            "mscp949",
            "cp949",
            "osf100203b5",
        ],
        of_web: 9,
        specification: "WHATWG Encoding §13.1",
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

const INDEX: &str = include_str!("index/euc_kr.txt");
index::texts! {
    static TEXT = INDEX or index::unpacked(include_bytes!("index/euc_kr.bin"), index::layouts::EUC_KR);
}
const GRID: Grid = Grid::WIDE;

index::tables! {
    static CELLS: Wide = index::cells(&TEXT, GRID);
}
type Inverted = Codes<{ index::room(INDEX, GRID, Changes::NONE) }>;

index::tables! {
    static CODES: Inverted = Codes::new(&TEXT, GRID, Changes::NONE);
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
            [lead, trail, ..] => match Self::unit(lead, trail) {
                HOLE => Found::undefined(trail),
                unit => Found::Point { point: u32::from(unit), length: 2 },
            },
            _ => Found::Incomplete,
        }
    }

    fn rare(_: u32) -> u32 {
        0
    }
}
