//! CESU-8 (UTR #26): each 16-bit unit of UTF-16 in one to three bytes, so that bytes sort like the
//! units.
//!
//! See `docs/decisions.md` §1.

use super::shared::utf8_form::{self, Rules};
use super::{Codec, Decode, Encode, Next, Put};
use crate::info::{BoundaryRule, Family, Info, SplitPoint};
use crate::{ErrorKind, Granularity, Options};

pub(crate) struct Cesu8;

impl Codec for Cesu8 {
    const INFO: Info = Info {
        name: "CESU-8",
        iana: true,
        aliases: &["csCESU8", "csCESU-8", "ibm-9400"],
        specification: "UTR #26",
        boundaries: Some(BoundaryRule {
            clause: "UTR #26: lead and continuation bytes differ, and the surrogates of a pair",
            is_boundary: utf8_form::is_boundary_of_pairs,
        }),
        ascii_transparent: true,
        split_point: SplitPoint::Character,
        signature: b"\xEF\xBB\xBF",
        clause: |kind| match kind {
            ErrorKind::InvalidByte | ErrorKind::LongForm => {
                "UTR #26: a sequence has one to three bytes; F0 to FF never appear"
            }
            ErrorKind::Overlong => "UTR #26: only the shortest form is valid",
            ErrorKind::Surrogate => "UTR #26: surrogates come in pairs of three bytes each",
            ErrorKind::Unencodable(_) => "UTR #26: scalar values, 0 to D7FF and E000 to 10FFFF",
            _ => "UTR #26: the lead byte determines the number of continuation bytes 80 to BF",
        },
        ..Info::of(Family::Utf8)
    };
    type Decoder = Decoder;
    type Encoder = Encoder;

    fn decoder(options: &Options) -> Decoder {
        Decoder { granularity: options.granularity }
    }

    fn encoder(_: &Options) -> Encoder {
        Encoder
    }
}

const RULES: Rules = Rules { longest: 3, shortest_form: true, surrogates: true };

#[derive(Clone)]
pub(crate) struct Decoder {
    granularity: Granularity,
}

impl Decode for Decoder {
    fn next(&mut self, src: &[u8], last: bool) -> Next {
        if let Some(next) = utf8_form::next_pair(src, last) {
            return next;
        }
        match utf8_form::next(RULES, self.granularity, src, last) {
            Next::Point { point: 0xD800..=0xDFFF, length } => {
                Next::ill(ErrorKind::Surrogate, length)
            }
            next => next,
        }
    }
}

#[derive(Clone)]
pub(crate) struct Encoder;

impl Encode for Encoder {
    fn put(&mut self, point: u32, dst: &mut [u8]) -> Put {
        if !Cesu8::INFO.repertoire.has(point) {
            return Put::Unencodable;
        }
        utf8_form::put_units(point, dst)
    }
}

#[cfg(test)]
mod tests {
    use crate::Encoding::Cesu8;
    use crate::codec::testing::{Item, check_decoding, check_encoding, round_trip};

    #[test]
    fn worked_examples() {
        // The example of the Unicode Standard §3.9, encoded as in UTR #26.
        let text = [0x4D, 0x430, 0x4E8C, 0x1_0302];
        let bytes = b"M\xD0\xB0\xE4\xBA\x8C\xED\xA0\x80\xED\xBC\x82";
        check_encoding(Cesu8, &text, Ok(bytes));
        check_decoding(Cesu8, bytes, &text.map(Item::Point));
        check_decoding(Cesu8, b"\xED\xAF\xBF\xED\xBF\xBF", &[Item::Point(0x10_FFFF)]);
        check_encoding(Cesu8, &[0x61, 0xD800], Err(1));
        check_encoding(Cesu8, &[0x11_0000], Err(0));
    }

    #[test]
    fn a_surrogate_alone_is_one_ill_formed_sequence() {
        let a = Item::Point(0x61);
        check_decoding(Cesu8, b"\xED\xA0\x80", &[Item::Ill(0, 3)]);
        check_decoding(Cesu8, b"\xED\xA0\x80a", &[Item::Ill(0, 3), a]);
        check_decoding(Cesu8, b"a\xED\xB0\x80a", &[a, Item::Ill(1, 3), a]);
        check_decoding(
            Cesu8,
            b"\xED\xA0\x80\xED\xA0\x80\xED\xB0\x80",
            &[Item::Ill(0, 3), Item::Point(0x1_0000)],
        );
        check_decoding(Cesu8, b"\xED\xA0\x80\xED\xB0", &[Item::Ill(0, 3), Item::Ill(3, 2)]);
        check_decoding(Cesu8, b"\xED\xA0\x80\xED\xB0a", &[Item::Ill(0, 3), Item::Ill(3, 2), a]);
        check_decoding(Cesu8, b"\xED\xA0\x80\xC3\xA9", &[Item::Ill(0, 3), Item::Point(0xE9)]);
    }

    #[test]
    fn four_bytes_are_ill_formed_one_by_one() {
        check_decoding(
            Cesu8,
            b"\xF0\x90\x8C\x82",
            &[Item::Ill(0, 1), Item::Ill(1, 1), Item::Ill(2, 1), Item::Ill(3, 1)],
        );
    }

    #[test]
    fn every_scalar_value_comes_back() {
        round_trip(Cesu8, |point| char::from_u32(point).is_some());
    }
}
