//! UTF-8 before RFC 3629: one to six bytes, 31 bits.
//!
//! - RFC 2279 (1998) defines a shortest form and requires decoders to check it.
//! - RFC 2044 (1996) and its 1997 draft do not say what a decoder must reject, so longer forms and
//!   surrogates are decoded.
//! - Perl's lax `utf8` requires the shortest form and accepts surrogates.
//!
//! See `docs/decisions.md` §1.

use super::shared::utf8_form::{self, Rules};
use super::{Codec, Decode, Encode, Next, Put};
use crate::info::{BoundaryRule, Family, Info, SplitPoint};
use crate::repertoire::Repertoire;
use crate::{ErrorKind, Granularity, Options};

/// A codec of this file: its type, its rules, its properties.
macro_rules! codec {
    ($name:ident, $rules:expr, $info:expr) => {
        pub(crate) struct $name;

        impl Codec for $name {
            const INFO: Info = $info;
            type Decoder = Decoder;
            type Encoder = Encoder;

            fn decoder(options: &Options) -> Decoder {
                Decoder { rules: $rules, granularity: options.granularity }
            }

            fn encoder(_: &Options) -> Encoder {
                Encoder { repertoire: Self::INFO.repertoire }
            }
        }
    };
}

codec!(
    Rfc2279,
    Rules { longest: 6, shortest_form: true, surrogates: false },
    Info {
        name: "UTF-8/RFC2279",
        specification: "RFC 2279",
        is_utf8: true,
        code_point_order: Some("RFC 2279 §1: the order of UCS-4 strings is preserved"),
        boundaries: Some(BoundaryRule {
            clause: "RFC 2279 §1: boundaries of characters are found from anywhere in the text",
            is_boundary: utf8_form::is_boundary
        }),
        repertoire: Repertoire::Ucs4,
        clause: |kind| match kind {
            ErrorKind::InvalidByte => "RFC 2279 §1: FE and FF never appear",
            ErrorKind::Overlong => {
                "RFC 2279 §2: there is only one valid way to encode a UCS-4 character"
            }
            ErrorKind::Surrogate => {
                "RFC 2279 §2: pairs of D800 to DFFF are joined before they are encoded"
            }
            ErrorKind::Unencodable(_) => "RFC 2279 §2: values are 0 to 7FFFFFFF, pairs joined",
            _ => SHAPE_2279,
        },
        ..LEGACY
    }
);

codec!(
    Rfc2044,
    Rules { longest: 6, shortest_form: false, surrogates: true },
    Info {
        name: "UTF-8/RFC2044",
        aliases: &["utf-8-draft-yergeau-rev-00", "utf-fss", "utf-2"],
        specification: "RFC 2044",
        is_utf8: true,
        code_point_order: Some("RFC 2044 §1: the order of UCS-4 strings is preserved"),
        boundaries: Some(BoundaryRule {
            clause: "RFC 2044 §1: boundaries of characters are found from anywhere in the text",
            is_boundary: utf8_form::is_boundary
        }),
        repertoire: Repertoire::Ucs4,
        clause: |kind| match kind {
            ErrorKind::InvalidByte => "RFC 2044 §1: FE and FF never appear",
            ErrorKind::Unencodable(_) => "RFC 2044 §2: values are 0 to 7FFFFFFF, pairs joined",
            _ => "RFC 2044 §2: the lead byte determines the number of continuation bytes 80 to BF",
        },
        ..LEGACY
    }
);

codec!(
    Perl,
    Rules { longest: 6, shortest_form: true, surrogates: true },
    Info {
        name: "UTF-8/Perl",
        specification: "perlunicode(1), to 31 bits",
        code_point_order: Some("perlunicode: first bytes increase with the code point"),
        boundaries: Some(BoundaryRule {
            clause: "perlunicode: continuation bytes 80 to BF appear only after a lead byte",
            is_boundary: utf8_form::is_boundary
        }),
        repertoire: Repertoire::Ucs4WithSurrogates,
        clause: |kind| match kind {
            ErrorKind::InvalidByte => "perlunicode: FE and FF begin values above 31 bits",
            ErrorKind::Overlong => "perlunicode: only the shortest form is valid",
            ErrorKind::Unencodable(_) => "perlunicode: values are 0 to 7FFFFFFF",
            _ => "perlunicode: the lead byte determines the number of continuation bytes 80 to BF",
        },
        ..LEGACY
    }
);

const SHAPE_2279: &str =
    "RFC 2279 §2: the lead byte determines the number of continuation bytes 80 to BF";

const LEGACY: Info = Info {
    ascii_transparent: true,
    split_point: SplitPoint::Character,
    signature: b"\xEF\xBB\xBF",
    ..Info::of(Family::Utf8)
};

#[derive(Clone)]
pub(crate) struct Decoder {
    rules: Rules,
    granularity: Granularity,
}

impl Decode for Decoder {
    fn next(&mut self, src: &[u8], last: bool) -> Next {
        utf8_form::next(self.rules, self.granularity, src, last)
    }
}

#[derive(Clone)]
pub(crate) struct Encoder {
    repertoire: Repertoire,
}

impl Encode for Encoder {
    fn put(&mut self, point: u32, dst: &mut [u8]) -> Put {
        if !self.repertoire.has(point) {
            return Put::Unencodable;
        }
        utf8_form::put(point, dst)
    }
}
