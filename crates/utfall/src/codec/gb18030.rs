//! GB 18030 and GBK according to WHATWG Encoding §10. They share a decoder. GBK has no sequences of
//! four bytes when it is written, and a single byte for the euro sign.

mod ranges;

use utfall_simd::pairs::Cells;

use super::Codec;
use super::shared::double_byte::{self, Charset, Decoder, Encoder, Found};
use super::shared::index::{self, Changes, Codes, Grid, HOLE, Wide};
use crate::charset::Functions;
use crate::info::Info;
use crate::{ErrorKind, Options};

pub(crate) struct Gbk;

impl Codec for Gbk {
    const INFO: Info = Info {
        name: "GBK",
        aliases: &[
            "chinese",
            "csgb2312",
            "csiso58gb231280",
            "gb2312",
            "gb_2312",
            "gb_2312-80",
            "iso-ir-58",
            "x-gbk",
            "gb13000",
            "cp936",
            "ms936",
            "windows-936",
            "csgbk",
        ],
        of_web: 8,
        specification: "WHATWG Encoding §10.1",
        side: double_byte::side::<Table<false>>(),
        ..double_byte::INFO
    };
    type Decoder = Decoder<Table<false>>;
    type Encoder = Encoder<Table<false>>;

    fn decoder(_: &Options) -> Self::Decoder {
        Decoder::new()
    }

    fn encoder(_: &Options) -> Self::Encoder {
        Encoder::new()
    }
}

pub(crate) struct Gb18030;

impl Codec for Gb18030 {
    const INFO: Info = Info {
        name: "GB18030",
        aliases: &["csgb18030"],
        of_web: 0,
        specification: "WHATWG Encoding §10.2",
        side: double_byte::side::<Table<true>>(),
        ..double_byte::INFO
    };
    type Decoder = Decoder<Table<true>>;
    type Encoder = Encoder<Table<true>>;

    fn decoder(_: &Options) -> Self::Decoder {
        Decoder::new()
    }

    fn encoder(_: &Options) -> Self::Encoder {
        Encoder::new()
    }
}

const INDEX: &str = include_str!("index/gb18030.txt");
index::texts! {
    static TEXT = INDEX or index::unpacked(include_bytes!("index/gb18030.bin"), index::layouts::GB18030);
}
const GRID: Grid = Grid::WIDE;

index::tables! {
    static CELLS: Wide = index::cells(&TEXT, GRID);
}

const EURO: u32 = 0x20AC;

const CHANGES: Changes = Changes {
    // The euro sign, which GBK and GB 18030 write differently.
    unused: &[(0xA2E3, 0xA2E3)],
    // The private-use code points of 18 characters that Unicode has now.
    set: &[
        (0xE78D, 0xA6D9),
        (0xE78E, 0xA6DA),
        (0xE78F, 0xA6DB),
        (0xE790, 0xA6DC),
        (0xE791, 0xA6DD),
        (0xE792, 0xA6DE),
        (0xE793, 0xA6DF),
        (0xE794, 0xA6EC),
        (0xE795, 0xA6ED),
        (0xE796, 0xA6F3),
        (0xE81E, 0xFE59),
        (0xE826, 0xFE61),
        (0xE82B, 0xFE66),
        (0xE82C, 0xFE67),
        (0xE832, 0xFE6D),
        (0xE843, 0xFE7E),
        (0xE854, 0xFE90),
        (0xE864, 0xFEA0),
    ],
    halfwidth: 0,
};

type Inverted = Codes<{ index::room(INDEX, GRID, CHANGES) }>;

index::tables! {
    static CODES: Inverted = Codes::new(&TEXT, GRID, CHANGES);
}

#[derive(Clone)]
pub(crate) struct Table<const HAS_FOUR: bool>;

static GBK: Functions = double_byte::functions::<Table<false>>();
static GB18030: Functions = double_byte::functions::<Table<true>>();

impl<const HAS_FOUR: bool> Charset for Table<HAS_FOUR> {
    const FUNCTIONS: &'static Functions = if HAS_FOUR { &GB18030 } else { &GBK };
    const TRAIL_BITS: u8 = 0xC0;
    const HAS_FOUR: bool = HAS_FOUR;

    double_byte::tables!(Wide: CELLS, index::wide_cell; Inverted: CODES);

    fn cells() -> Cells<'static> {
        index::wide_cells(CELLS.as_slice(), Self::TRAIL_BITS)
    }

    #[inline(always)]
    fn find(src: &[u8]) -> Found {
        match *src {
            [0x80, ..] => Found::Point { point: EURO, length: 1 },
            [0xFF, ..] => Found::INVALID,
            [_, b'0'..=b'9', ref rest @ ..] => match *rest {
                [] | [0x81..=0xFE] => Found::Incomplete,
                [third @ 0x81..=0xFE, fourth @ b'0'..=b'9', ..] => {
                    match ranges::point([src[0], src[1], third, fourth]) {
                        Some(point) => Found::Point { point, length: 4 },
                        None => Found::Ill(ErrorKind::Undefined, 4),
                    }
                }
                _ => Found::Ill(ErrorKind::MissingTrail, 1),
            },
            [lead, trail, ..] => match Self::unit(lead, trail) {
                HOLE => Found::undefined(trail),
                unit => Found::Point { point: u32::from(unit), length: 2 },
            },
            _ => Found::Incomplete,
        }
    }

    #[inline]
    fn rare(point: u32) -> u32 {
        match point {
            EURO if HAS_FOUR => 0xA2E3,
            EURO => 0x80,
            _ if HAS_FOUR => ranges::code(point),
            _ => 0,
        }
    }
}

/// The code unit of a pair, or a hole.
pub(super) fn pair(lead: u8, trail: u8) -> u16 {
    Table::<false>::unit(lead, trail)
}

/// The bytes of a code unit, or 0.
pub(super) fn code(unit: u16) -> u16 {
    Table::<false>::code(unit)
}
