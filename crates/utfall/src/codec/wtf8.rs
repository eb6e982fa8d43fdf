//! WTF-8 (Simon Sapin): UTF-8 with unpaired surrogates, for file names and strings that should be
//! UTF-16 but are not.
//!
//! A pair has only its four-byte form: the decoder rejects a low surrogate after a high one, and
//! the encoder holds back a high one until the next code point is known. See `docs/decisions.md`
//! §1.

use utfall_simd::{Kernels, Layout};

use super::shared::{kernel, utf8_form};
use super::{Codec, Decode, Decoded, Encode, Encoded, Next, Put, utf8};
use crate::info::{BoundaryRule, Family, Info, SplitPoint};
use crate::repertoire::Repertoire;
use crate::route::Side;
use crate::{ErrorKind, Granularity, Options};

pub(crate) struct Wtf8;

impl Codec for Wtf8 {
    const INFO: Info = Info {
        name: "WTF-8",
        specification: "The WTF-8 encoding",
        code_point_order: Some("WTF-8 §4: code points are encoded as in UTF-8 (RFC 3629 §1)"),
        boundaries: Some(BoundaryRule {
            clause: "WTF-8 §4, Table 3: continuation bytes 80 to BF appear only after a lead byte",
            is_boundary: utf8_form::is_boundary,
        }),
        ascii_transparent: true,
        // The concatenation of well-formed parts may be ill-formed: a high surrogate at the end of
        // one, a low one at the start of the next.
        split_point: SplitPoint::Line,
        repertoire: Repertoire::WithSurrogates,
        signature: b"\xEF\xBB\xBF",
        clause: |kind| match kind {
            ErrorKind::Surrogate => "WTF-8 §5: a surrogate pair is encoded in four bytes",
            ErrorKind::Unencodable(_) => "WTF-8 §4: code points are 0 to 10FFFF",
            _ => (utf8::Utf8::INFO.clause)(kind),
        },
        ..Info::of(Family::Utf8)
    };
    type Decoder = Decoder;
    type Encoder = Encoder;

    fn decoder(options: &Options) -> Decoder {
        Decoder { after_high: false, granularity: options.granularity }
    }

    fn encoder(_: &Options) -> Encoder {
        Encoder { high: None }
    }
}

#[derive(Clone)]
pub(crate) struct Decoder {
    /// The previous code point was a high surrogate.
    after_high: bool,
    granularity: Granularity,
}

impl Decode for Decoder {
    fn next(&mut self, src: &[u8], last: bool) -> Next {
        let completes_pair = self.after_high && matches!(src, [0xED, 0xB0..=0xBF, ..]);
        let rules =
            utf8_form::Rules { longest: 4, shortest_form: true, surrogates: !completes_pair };
        let next = utf8_form::next(rules, self.granularity, src, last);
        if next != Next::End {
            self.after_high = matches!(next, Next::Point { point: 0xD800..=0xDBFF, .. });
        }
        next
    }

    fn decode(&mut self, kernels: &Kernels, src: &[u8], dst: &mut [u32], last: bool) -> Decoded {
        kernel::decode_with(self, src, dst, last, |this, src, dst| match this.side().form() {
            Some(form) => kernel::convert_in(kernels, form, src, dst),
            None => (0, 0),
        })
    }

    /// The kernels stop at surrogates.
    fn side(&self) -> Side {
        (!self.after_high).then_some(Layout::Utf8).into()
    }
}

#[derive(Clone)]
pub(crate) struct Encoder {
    /// A high surrogate that has not been written yet.
    high: Option<u32>,
}

impl Encode for Encoder {
    fn put(&mut self, point: u32, dst: &mut [u8]) -> Put {
        if !Wtf8::INFO.repertoire.has(point) {
            return Put::Unencodable;
        }
        let (first, second) = match (self.high, point) {
            (Some(high), 0xDC00..=0xDFFF) => {
                let joined = 0x1_0000 + ((high & 0x3FF) << 10) + (point & 0x3FF);
                (Some(joined), None)
            }
            (high, 0xD800..=0xDBFF) => (high, None),
            (high, _) => (high, Some(point)),
        };
        let mut length = 0;
        for point in [first, second].into_iter().flatten() {
            match utf8_form::put(point, &mut dst[length..]) {
                Put::Written(bytes) => length += bytes,
                other => return other,
            }
        }
        self.high = Some(point).filter(|point| matches!(point, 0xD800..=0xDBFF));
        Put::Written(length)
    }

    fn encode(&mut self, kernels: &Kernels, src: &[u32], dst: &mut [u8]) -> Encoded {
        kernel::encode_with(self, src, dst, |this, src, dst| match this.side().form() {
            Some(form) => kernel::convert_out(kernels, form, src, dst),
            None => (0, 0),
        })
    }

    fn finish(&mut self, dst: &mut [u8]) -> Option<usize> {
        let Some(high) = self.high else { return Some(0) };
        let Put::Written(bytes) = utf8_form::put(high, dst) else { return None };
        self.high = None;
        Some(bytes)
    }

    /// The kernels stop at surrogates.
    fn side(&self) -> Side {
        self.high.is_none().then_some(Layout::Utf8).into()
    }
}

#[cfg(test)]
mod tests {
    use crate::Encoding::Wtf8;
    use crate::codec::testing::{Item, check_decoding, check_encoding, round_trip};
    use crate::codec::{Codec, Encode, Put, wtf8};
    use crate::{Granularity, Options};

    #[test]
    fn worked_examples() {
        // "aé 💩" with its last character split in two (rust-wtf8).
        let text = [0x61, 0xE9, 0x20, 0xD83D, 0x1_F4A9];
        let bytes = b"a\xC3\xA9 \xED\xA0\xBD\xF0\x9F\x92\xA9";
        check_encoding(Wtf8, &text, Ok(bytes));
        check_decoding(Wtf8, bytes, &text.map(Item::Point));
        check_encoding(Wtf8, &[0xD83D, 0xDCA9], Ok(b"\xF0\x9F\x92\xA9"));
        check_encoding(
            Wtf8,
            &[0xD800, 0xD800, 0xDC00, 0xDC00, 0xDBFF],
            Ok(b"\xED\xA0\x80\xF0\x90\x80\x80\xED\xB0\x80\xED\xAF\xBF"),
        );
        check_encoding(Wtf8, &[0x61, 0x11_0000], Err(1));
    }

    #[test]
    fn a_low_surrogate_after_a_high_one_is_ill_formed() {
        let high = Item::Point(0xD800);
        let pair = b"\xED\xA0\x80\xED\xB0\x80\xED\xB0\x80";
        check_decoding(
            Wtf8,
            pair,
            &[high, Item::Ill(3, 1), Item::Ill(4, 1), Item::Ill(5, 1), Item::Point(0xDC00)],
        );
        check_decoding(Wtf8, b"\xED\xA0\x80\xED\xB0", &[high, Item::Ill(3, 1), Item::Ill(4, 1)]);
        // A kernel handles the text between them.
        let mut bytes = [b'a'; 300];
        bytes[60..63].copy_from_slice(b"\xED\xA0\x80");
        bytes[70..73].copy_from_slice(b"\xED\xB0\x80");
        assert_eq!(Wtf8.validate(&bytes), Ok(()));
        bytes[64..67].copy_from_slice(b"\xED\xA0\x80");
        bytes[67..70].copy_from_slice(b"\xED\xB0\x80");
        let error = Wtf8.validate(&bytes).unwrap_err();
        assert_eq!((error.offset(), error.length()), (67, 1));
    }

    #[test]
    fn its_granularity_is_that_of_utf_8() {
        use crate::codec::{Decode, Next};
        let options = Options { granularity: Granularity::Jdk, ..Options::default() };
        let mut decoder = wtf8::Wtf8::decoder(&options);
        assert_eq!(decoder.next(b"\xED\xA0\x80", true), Next::Point { point: 0xD800, length: 3 });
        assert_eq!(decoder.next(b"\xED\xB0\x80", true), Next::ill(crate::ErrorKind::Surrogate, 3));
    }

    #[test]
    fn a_full_output_changes_nothing() {
        let mut encoder = wtf8::Wtf8::encoder(&Options::default());
        assert_eq!(encoder.put(0xD83D, &mut []), Put::Written(0));
        let mut room = [0; 8];
        assert_eq!(encoder.put(0xDCA9, &mut room[..3]), Put::Full);
        assert_eq!(encoder.put(0x41, &mut room[..3]), Put::Full);
        assert_eq!(encoder.put(0x11_0000, &mut room), Put::Unencodable);
        assert_eq!(encoder.finish(&mut room[..2]), None);
        assert_eq!(encoder.put(0xDCA9, &mut room), Put::Written(4));
        assert_eq!(encoder.finish(&mut []), Some(0));
    }

    #[test]
    fn every_code_point_comes_back() {
        // A pair would be decoded to one code point.
        round_trip(Wtf8, |point| !matches!(point, 0xDC00..=0xDFFF));
        round_trip(Wtf8, |point| !matches!(point, 0xD800..=0xDBFF));
    }
}
