//! US-ASCII: ANSI X3.4-1986, RFC 20.

use super::{Codec, Decode, Encode, Next, Put};
use crate::info::{BoundaryRule, Family, Info, SplitPoint};
use crate::repertoire::Repertoire;
use crate::{ErrorKind, Options};

pub(crate) struct UsAscii;

impl Codec for UsAscii {
    const INFO: Info = Info {
        name: "US-ASCII",
        iana: true,
        aliases: &[
            "ASCII",
            "ANSI_X3.4-1968",
            "ANSI_X3.4-1986",
            "iso-ir-6",
            "ISO_646.irv:1991",
            "ISO646-US",
            "us",
            "IBM367",
            "cp367",
            "csASCII",
            "646",
            "osf00010020",
            "ansi_x3.4",
        ],
        specification: "RFC 20",
        boundaries: Some(BoundaryRule {
            clause: "RFC 20 §2: a character is one byte",
            is_boundary: |_, _| true,
        }),
        ascii_transparent: true,
        seven_bit: true,
        code_point_order: Some("RFC 20 §2: the code of a character is its code point"),
        split_point: SplitPoint::Character,
        repertoire: Repertoire::Ascii,
        clause: |kind| match kind {
            ErrorKind::Unencodable(_) => "RFC 20 §2: 128 characters, 00 to 7F",
            _ => "RFC 20 §2: seven bits, 00 to 7F",
        },
        ..Info::of(Family::SingleByte)
    };
    type Decoder = Decoder;
    type Encoder = Encoder;

    fn decoder(_: &Options) -> Decoder {
        Decoder
    }

    fn encoder(_: &Options) -> Encoder {
        Encoder
    }
}

#[derive(Clone)]
pub(crate) struct Decoder;

impl Decode for Decoder {
    #[inline(always)]
    fn next(&mut self, src: &[u8], _: bool) -> Next {
        match src.first() {
            None => Next::End,
            Some(byte) if byte.is_ascii() => Next::Point { point: u32::from(*byte), length: 1 },
            Some(_) => Next::ill(ErrorKind::InvalidByte, 1),
        }
    }
}

#[derive(Clone)]
pub(crate) struct Encoder;

impl Encode for Encoder {
    fn put(&mut self, point: u32, dst: &mut [u8]) -> Put {
        if point > 0x7F {
            return Put::Unencodable;
        }
        let Some(byte) = dst.first_mut() else { return Put::Full };
        *byte = point as u8;
        Put::Written(1)
    }
}
