//! Java's modified UTF-8 (`java.io.DataInput`, JVMS §4.4.7): each 16-bit `char` in one to
//! three bytes, U+0000 in two, so that the byte 00 never appears.
//!
//! Java strings may contain unpaired surrogates, which are accepted. A surrogate pair is decoded to
//! one code point. See `docs/decisions.md` §1.

use super::shared::utf8_form::{self, Rules};
use super::{Codec, Decode, Encode, Next, Put};
use crate::info::{BoundaryRule, Family, Info, SplitPoint};
use crate::repertoire::Repertoire;
use crate::{ErrorKind, Granularity, Options};

pub(crate) struct Mutf8;

impl Codec for Mutf8 {
    const INFO: Info = Info {
        name: "MUTF-8",
        aliases: &["modified-utf-8", "java-utf-8", "x-mutf-8"],
        specification: "JVMS §4.4.7",
        boundaries: Some(BoundaryRule {
            clause: "JVMS §4.4.7: first and further bytes differ, and the units of a pair",
            is_boundary: utf8_form::is_boundary_of_pairs,
        }),
        // Not `ascii_transparent`: the byte 00 is not U+0000.
        split_point: SplitPoint::Character,
        repertoire: Repertoire::WithSurrogates,
        clause: |kind| match kind {
            ErrorKind::InvalidByte | ErrorKind::LongForm => "JVMS §4.4.7: no byte is 0 or F0 to FF",
            ErrorKind::Overlong => {
                "JVMS §4.4.7: two bytes from 80, three from 800; only 0 has a longer form"
            }
            ErrorKind::Unencodable(_) => "JVMS §4.4.7: one or two 16-bit units, 0 to 10FFFF",
            _ => "JVMS §4.4.7: the first byte determines the number of continuation bytes 80 to BF",
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
        match *src {
            [0x00, ..] => return Next::ill(ErrorKind::InvalidByte, 1),
            [0xC0, 0x80, ..] => return Next::Point { point: 0, length: 2 },
            [0xC0] if !last => return Next::End,
            [0xC0] => return Next::ill(ErrorKind::Truncated, 1),
            _ => {}
        }
        match utf8_form::next_pair(src, last) {
            Some(next) => next,
            None => utf8_form::next(RULES, self.granularity, src, last),
        }
    }
}

#[derive(Clone)]
pub(crate) struct Encoder;

impl Encode for Encoder {
    fn put(&mut self, point: u32, dst: &mut [u8]) -> Put {
        match point {
            0 => match dst.first_chunk_mut() {
                Some(room) => {
                    *room = [0xC0, 0x80];
                    Put::Written(2)
                }
                None => Put::Full,
            },
            0x01..=0x10_FFFF => utf8_form::put_units(point, dst),
            _ => Put::Unencodable,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::Encoding::Mutf8;
    use crate::codec::testing::{Item, check_decoding, check_encoding, round_trip};

    #[test]
    fn worked_examples() {
        let text = [0x41, 0, 0x7FF, 0x800, 0x1_0400, 0xFFFF];
        let bytes = b"A\xC0\x80\xDF\xBF\xE0\xA0\x80\xED\xA0\x81\xED\xB0\x80\xEF\xBF\xBF";
        check_encoding(Mutf8, &text, Ok(bytes));
        check_decoding(Mutf8, bytes, &text.map(Item::Point));
        check_encoding(Mutf8, &[0xDC00, 0xD800], Ok(b"\xED\xB0\x80\xED\xA0\x80"));
        check_encoding(Mutf8, &[0x11_0000], Err(0));
    }

    #[test]
    fn only_zero_has_a_longer_form() {
        check_decoding(Mutf8, b"\0a", &[Item::Ill(0, 1), Item::Point(0x61)]);
        check_decoding(Mutf8, b"\xC0\x81", &[Item::Ill(0, 1), Item::Ill(1, 1)]);
        check_decoding(Mutf8, b"a\xC0", &[Item::Point(0x61), Item::Ill(1, 1)]);
        check_decoding(
            Mutf8,
            b"\xE0\x80\x80",
            &[Item::Ill(0, 1), Item::Ill(1, 1), Item::Ill(2, 1)],
        );
    }

    #[test]
    fn surrogates_alone_are_code_points() {
        let alone = [Item::Point(0xD800), Item::Point(0x61), Item::Point(0xDC00)];
        check_decoding(Mutf8, b"\xED\xA0\x80a\xED\xB0\x80", &alone);
        check_decoding(
            Mutf8,
            b"\xED\xA0\x80\xED\xA0\x80\xED\xB0\x80",
            &[Item::Point(0xD800), Item::Point(0x1_0000)],
        );
        check_decoding(Mutf8, b"\xED\xA0\x80\xED\xB0", &[Item::Point(0xD800), Item::Ill(3, 2)]);
    }

    #[test]
    fn every_code_point_comes_back() {
        // A surrogate pair would be decoded to one code point.
        round_trip(Mutf8, |point| !matches!(point, 0xDC00..=0xDFFF));
        round_trip(Mutf8, |point| !matches!(point, 0xD800..=0xDBFF));
    }
}
