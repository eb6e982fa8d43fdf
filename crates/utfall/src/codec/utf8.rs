//! UTF-8 as defined by RFC 3629 (STD 63) and the Unicode Standard.

use utfall_simd::{Kernels, Layout};

use super::shared::{kernel, utf8_form};
use super::{Codec, Decode, Decoded, Encode, Encoded, Next, Put};
use crate::info::{BoundaryRule, Family, Info, SplitPoint};
use crate::route::Side;
use crate::{ErrorKind, Granularity, Options};

const FORMAT: Info = Info {
    specification: "RFC 3629",
    is_utf8: true,
    boundaries: Some(BoundaryRule {
        clause: "RFC 3629 §1: boundaries of characters are found from anywhere in the text",
        is_boundary: utf8_form::is_boundary,
    }),
    ascii_transparent: true,
    split_point: SplitPoint::Character,
    signature: b"\xEF\xBB\xBF",
    clause,
    ..Info::of(Family::Utf8)
};

/// A codec of this file.
macro_rules! codec {
    ($name:ident, $info:expr) => {
        pub(crate) struct $name;

        impl Codec for $name {
            const INFO: Info = $info;
            type Decoder = Decoder;
            type Encoder = Encoder;

            fn decoder(options: &Options) -> Decoder {
                Decoder { granularity: options.granularity }
            }

            fn encoder(_: &Options) -> Encoder {
                Encoder
            }
        }
    };
}

codec!(
    Utf8,
    Info {
        name: "UTF-8",
        iana: true,
        aliases: &[
            "csUTF8",
            "utf-8-rfc3629",
            "unicode-2-0-utf-8",
            "x-unicode-2-0-utf-8",
            "utf-8-strict",
            "cp65001",
            "windows-65001",
            "x-UTF_8J",
            "cp1208",
            "ibm-1208",
            "ibm-1209",
            "ibm-5304",
            "ibm-5305",
            "ibm-13496",
            "ibm-13497",
            "ibm-17592",
            "ibm-17593",
            "iso-10646/utf8",
            "iso-ir-193",
            "osf05010001"
        ],
        code_point_order: Some("RFC 3629 §1: sorted by bytes, text is sorted by character number"),
        side: Side::Plain(Layout::Utf8),
        ..FORMAT
    }
);

codec!(
    Unicode11,
    Info {
        name: "UNICODE-1-1-UTF-8",
        specification: "RFC 2279 §5",
        clause: |kind| match kind {
            ErrorKind::Unencodable(_) => "RFC 2279 §3: Hangul moved between Unicode 1.1 and 2.0",
            _ => clause(kind),
        },
        ..FORMAT
    }
);

fn clause(kind: ErrorKind) -> &'static str {
    match kind {
        ErrorKind::InvalidByte => "RFC 3629 §1: C0, C1 and F5 to FF never appear",
        ErrorKind::Overlong => "RFC 3629 §3: there is only one valid way to encode a character",
        ErrorKind::Surrogate => "RFC 3629 §3: D800 to DFFF must not be encoded",
        ErrorKind::OutOfRange => "RFC 3629 §3: the last character is 10FFFF",
        ErrorKind::LongForm => "RFC 3629 §3: at most four bytes",
        ErrorKind::UnexpectedTrail => "RFC 3629 §4: 80 to BF appear only after a lead byte",
        ErrorKind::MissingTrail | ErrorKind::Truncated => {
            "RFC 3629 §4: a lead byte is followed by 1 to 3 continuation bytes 80 to BF"
        }
        _ => "RFC 3629 §3: characters are 0 to D7FF and E000 to 10FFFF",
    }
}

const RULES: utf8_form::Rules =
    utf8_form::Rules { longest: 4, shortest_form: true, surrogates: false };

/// The sequence at the start of `src`, the end of a text, by maximal subparts.
#[inline(always)]
pub(crate) fn at_end(src: &[u8]) -> Next {
    utf8_form::at_end(RULES, src)
}

#[derive(Clone)]
pub(crate) struct Decoder {
    granularity: Granularity,
}

impl Decode for Decoder {
    fn next(&mut self, src: &[u8], last: bool) -> Next {
        utf8_form::next(RULES, self.granularity, src, last)
    }

    fn decode(&mut self, kernels: &Kernels, src: &[u8], dst: &mut [u32], last: bool) -> Decoded {
        kernel::decode(self, kernels, Layout::Utf8, src, dst, last)
    }

    fn side(&self) -> Side {
        Side::Plain(Layout::Utf8)
    }
}

#[derive(Clone)]
pub(crate) struct Encoder;

impl Encode for Encoder {
    fn put(&mut self, point: u32, dst: &mut [u8]) -> Put {
        if !Utf8::INFO.repertoire.has(point) {
            return Put::Unencodable;
        }
        utf8_form::put(point, dst)
    }

    fn encode(&mut self, kernels: &Kernels, src: &[u32], dst: &mut [u8]) -> Encoded {
        kernel::encode(self, kernels, Layout::Utf8, src, dst)
    }

    fn side(&self) -> Side {
        Side::Plain(Layout::Utf8)
    }
}
