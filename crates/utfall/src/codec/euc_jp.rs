//! EUC-JP according to WHATWG Encoding §12.1: JIS X 0208, after 8E the katakana of JIS X 0201, and
//! after 8F JIS X 0212, which is only decoded.

use utfall_simd::pairs::Cells;

use super::Codec;
use super::shared::double_byte::{self, Charset, Decoder, Encoder, Found};
use super::shared::index::HOLE;
use super::shared::jis;
use crate::Options;
use crate::charset::Functions;
use crate::info::Info;

pub(crate) struct EucJp;

impl Codec for EucJp {
    const INFO: Info = Info {
        name: "EUC-JP",
        aliases: &[
            "cseucpkdfmtjapanese",
            "x-euc-jp",
            "osf00030010",
            "ujis",
            "Extended_UNIX_Code_Packed_Format_for_Japanese",
        ],
        of_web: 2,
        specification: "WHATWG Encoding §12.1",
        ascii_transparent: true,
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

#[derive(Clone)]
pub(crate) struct Table;

static FUNCTIONS: Functions = double_byte::functions::<Table>();

impl Charset for Table {
    const FUNCTIONS: &'static Functions = &FUNCTIONS;
    const TRAIL_BITS: u8 = 0x80;

    double_byte::tables!(jis::Cells0208: jis::CELLS_0208, jis::jis_x_0208_in; jis::Inverted0208: jis::CODES);

    fn cells() -> Cells<'static> {
        jis::cells_0208(Self::TRAIL_BITS)
    }

    fn find(src: &[u8]) -> Found {
        let (unit, length) = match *src {
            [0x8E | 0x8F | 0xA1..=0xFE] => return Found::Incomplete,
            [0x8F, 0xA1..=0xFE] => return Found::Incomplete,
            [0x8F, lead @ 0xA1..=0xFE, trail, ..] => match jis::jis_x_0212(lead, trail) {
                HOLE => return three(trail),
                unit => (unit, 3),
            },
            [0x8F, trail, ..] => return Found::undefined(trail),
            [lead @ (0x8E | 0xA1..=0xFE), trail, ..] => match Self::unit(lead, trail) {
                HOLE => return Found::undefined(trail),
                unit => (unit, 2),
            },
            _ => return Found::INVALID,
        };
        Found::Point { point: u32::from(unit), length }
    }

    fn rare(_: u32) -> u32 {
        0
    }
}

/// A sequence of three bytes without a code point.
fn three(trail: u8) -> Found {
    match Found::undefined(trail) {
        Found::Ill(kind, length) => Found::Ill(kind, length + 1),
        found => found,
    }
}
