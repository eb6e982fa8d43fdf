//! ISO-2022-JP according to WHATWG Encoding §12.2: escape sequences of three bytes switch between
//! US-ASCII, the two halves of JIS X 0201, and JIS X 0208.
//!
//! The sets come from `encoding_rs`. The escape sequences are handled here, because its decoder can
//! neither be cloned nor stopped after an arbitrary character. The bytes of JIS X 0208 are those of
//! EUC-JP without the high bit, so the EUC-JP decoder is used for them.

use utfall_simd::Kernels;

use super::legacy::{ONE, encode_one, widen};
use super::shared::kernel;
use super::{Codec, Decode, Decoded, Encode, Ill, Next, Put};
use crate::info::{Family, Info};
use crate::repertoire::Repertoire;
use crate::{ErrorKind, Options};

pub(crate) struct Iso2022Jp;

impl Codec for Iso2022Jp {
    const INFO: Info = Info {
        name: "ISO-2022-JP",
        iana: true,
        aliases: &["csiso2022jp"],
        family: Family::MultiByte,
        specification: "WHATWG Encoding §12.2",
        seven_bit: true,
        stateful: true,
        repertoire: Repertoire::Table,
        clause: |kind| match kind {
            ErrorKind::InvalidByte => "WHATWG Encoding §12.2.1: not a byte of the active set",
            ErrorKind::NullShift => {
                "WHATWG Encoding §12.2.1: two escape sequences with nothing between"
            }
            ErrorKind::MissingTrail | ErrorKind::Truncated => {
                "WHATWG Encoding §12.2.1: incomplete sequence"
            }
            ErrorKind::Unencodable(_) => {
                "WHATWG Encoding §12.2.2: no pointer in index jis0208, or 0E, 0F, 1B"
            }
            _ => "WHATWG Encoding §12.2.1: unknown escape sequence, or no entry in index jis0208",
        },
        ..Info::BASE
    };
    type Decoder = Decoder;
    type Encoder = Encoder;

    fn decoder(_: &Options) -> Decoder {
        Decoder { set: Set::Ascii, escaped: false }
    }

    fn encoder(_: &Options) -> Encoder {
        Encoder { set: Set::Ascii }
    }
}

const ESC: u8 = 0x1B;

/// The active set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Set {
    Ascii,
    /// JIS X 0201, its lower half.
    Roman,
    /// JIS X 0201, its upper half, without the high bit. Only decoded.
    Katakana,
    /// Two bytes.
    Jis0208,
}

impl Set {
    /// The set selected by an escape sequence, given its bytes after `ESC`.
    fn chosen_by(bytes: [u8; 2]) -> Option<Self> {
        match &bytes {
            b"(B" => Some(Self::Ascii),
            b"(J" => Some(Self::Roman),
            b"(I" => Some(Self::Katakana),
            b"$@" | b"$B" => Some(Self::Jis0208),
            _ => None,
        }
    }

    /// The code point of a single byte.
    fn point(self, byte: u8) -> Option<u32> {
        match (self, byte) {
            (Self::Katakana, 0x21..=0x5F) => Some(0xFF61 - 0x21 + u32::from(byte)),
            (Self::Katakana | Self::Jis0208, _) | (_, 0x0E | 0x0F | ESC | 0x80..) => None,
            (Self::Roman, 0x5C) => Some(0xA5),
            (Self::Roman, 0x7E) => Some(0x203E),
            (Self::Ascii | Self::Roman, _) => Some(u32::from(byte)),
        }
    }
}

/// Decodes pairs of JIS X 0208 up to the first invalid one. Returns bytes read and code points
/// written.
fn decode_jis0208(src: &[u8], dst: &mut [u32]) -> (usize, usize) {
    const PAIRS: usize = 64;
    let is_part = |byte: u8| (0x21..=0x7E).contains(&byte);
    let mut written = 0;
    loop {
        let mut euc_jp = [[0; 2]; PAIRS];
        let (pairs, _) = src[2 * written..].as_chunks();
        let pairs = pairs.iter().take(dst.len() - written);
        let mut count = 0;
        for (room, [lead, trail]) in euc_jp.iter_mut().zip(pairs) {
            if !is_part(*lead) || !is_part(*trail) {
                break;
            }
            *room = [lead | 0x80, trail | 0x80];
            count += 1;
        }
        let mut units = [0; PAIRS + 1];
        let mut decoder = encoding_rs::EUC_JP.new_decoder_without_bom_handling();
        let (_, _, decoded) = decoder.decode_to_utf16_without_replacement(
            euc_jp[..count].as_flattened(),
            &mut units,
            true,
        );
        written += widen(&units[..decoded], &mut dst[written..]);
        if decoded < PAIRS {
            return (2 * written, written);
        }
    }
}

#[derive(Clone)]
pub(crate) struct Decoder {
    set: Set,
    /// The last thing read was an escape sequence.
    escaped: bool,
}

impl Decoder {
    /// Interprets `ESC` and the bytes after it.
    fn escape(&mut self, after: &[u8], last: bool) -> Next {
        let cut = matches!(after, [] | [b'(' | b'$']);
        if cut && !last {
            return Next::End;
        }
        let Some(set) = after.first_chunk().and_then(|bytes| Set::chosen_by(*bytes)) else {
            self.escaped = false;
            return Next::ill(if cut { ErrorKind::Truncated } else { ErrorKind::Undefined }, 1);
        };
        self.set = set;
        if core::mem::replace(&mut self.escaped, true) {
            // The previous escape sequence had no effect.
            Next::Ill(Ill { back: 6, ..Ill::new(ErrorKind::NullShift, 3) })
        } else {
            Next::Skip { length: 3 }
        }
    }

    /// Decodes text and well-formed escape sequences. Returns bytes read and code points written.
    fn prefix(&mut self, src: &[u8], dst: &mut [u32]) -> (usize, usize) {
        let (mut read, mut written) = (0, 0);
        loop {
            let (src, dst) = (&src[read..], &mut dst[written..]);
            let (bytes, points) = if self.set == Set::Jis0208 {
                decode_jis0208(src, dst)
            } else {
                let text = src.iter().map_while(|byte| self.set.point(*byte));
                let points = dst.iter_mut().zip(text).map(|(slot, point)| *slot = point).count();
                (points, points)
            };
            self.escaped &= bytes == 0;
            read += bytes;
            written += points;
            match src[bytes..] {
                [ESC, a, b, ..] if !self.escaped && Set::chosen_by([a, b]).is_some() => {
                    self.escape(&[a, b], false);
                    read += 3;
                }
                _ => return (read, written),
            }
        }
    }
}

impl Decode for Decoder {
    fn next(&mut self, src: &[u8], last: bool) -> Next {
        let next = match *src {
            [] => return Next::End,
            [ESC, ref after @ ..] => return self.escape(after, last),
            [0x21..=0x7E] if self.set == Set::Jis0208 && !last => return Next::End,
            [0x21..=0x7E] if self.set == Set::Jis0208 => Next::ill(ErrorKind::Truncated, 1),
            [0x21..=0x7E, ESC, ..] if self.set == Set::Jis0208 => {
                Next::ill(ErrorKind::MissingTrail, 1)
            }
            [lead @ 0x21..=0x7E, trail, ..] if self.set == Set::Jis0208 => {
                let mut point = [0];
                match decode_jis0208(&[lead, trail], &mut point) {
                    (2, _) => Next::Point { point: point[0], length: 2 },
                    _ => Next::ill(ErrorKind::Undefined, 2),
                }
            }
            [byte, ..] => match self.set.point(byte) {
                Some(point) => Next::Point { point, length: 1 },
                None => Next::ill(ErrorKind::InvalidByte, 1),
            },
        };
        self.escaped = false;
        next
    }

    fn decode(&mut self, _: &Kernels, src: &[u8], dst: &mut [u32], last: bool) -> Decoded {
        kernel::decode_with(self, src, dst, last, Self::prefix)
    }
}

#[derive(Clone)]
pub(crate) struct Encoder {
    set: Set,
}

impl Encode for Encoder {
    fn put(&mut self, point: u32, dst: &mut [u8]) -> Put {
        let mut buffer = [0; ONE];
        let Some(alone) = encode_one(encoding_rs::ISO_2022_JP, point, &mut buffer) else {
            return Put::Unencodable;
        };
        // A text begins in US-ASCII, so its escape sequence, or the lack of one, determines the
        // set.
        let (set, text) = match *alone {
            [ESC, a, b, ref text @ ..] => (Set::chosen_by([a, b]).unwrap_or(Set::Ascii), text),
            ref text => (Set::Ascii, text),
        };
        let in_roman = set == Set::Ascii && !matches!(point, 0x5C | 0x7E);
        let stays = set == self.set || (self.set == Set::Roman && in_roman);
        let escape: &[u8] = match set {
            _ if stays => b"",
            Set::Ascii => b"\x1B(B",
            _ => &alone[..3],
        };
        let Some(room) = dst.get_mut(..escape.len() + text.len()) else { return Put::Full };
        let (before, after) = room.split_at_mut(escape.len());
        before.copy_from_slice(escape);
        after.copy_from_slice(text);
        if !stays {
            self.set = set;
        }
        Put::Written(room.len())
    }

    fn finish(&mut self, dst: &mut [u8]) -> Option<usize> {
        if self.set == Set::Ascii {
            return Some(0);
        }
        dst.first_chunk_mut().map(|room| {
            *room = *b"\x1B(B";
            self.set = Set::Ascii;
            room.len()
        })
    }
}

#[cfg(test)]
mod tests {
    extern crate std;

    use std::vec::Vec;

    use utfall_oracle::{rounds, step};

    use crate::Encoding::Iso2022Jp;
    use crate::codec::testing::{
        Item, Random, check_decoding, check_encoding, decode, decode_by_encoding_rs, encode,
        encode_by_encoding_rs,
    };
    use crate::codec::{Codec, Encode, Put};
    use crate::{ErrorKind, Options};

    #[test]
    fn worked_examples() {
        let text = [0x41, 0x65E5, 0x672C, 0xA5, 0x42, 0x5C, 0x8A9E];
        let bytes = b"A\x1B$BF|K\\\x1B(J\x5CB\x1B(B\x5C\x1B$B8l\x1B(B";
        check_encoding(Iso2022Jp, &text, Ok(bytes));
        check_decoding(Iso2022Jp, bytes, &text.map(Item::Point));
        check_decoding(Iso2022Jp, b"\x1B(I1\x1B(B1", &[Item::Point(0xFF71), Item::Point(0x31)]);
        // Text must not contain escape sequences of its own.
        check_encoding(Iso2022Jp, &[0x41, 0x1B], Err(1));
        check_encoding(Iso2022Jp, &[0x65E5, 0x1F600], Err(1));
    }

    #[test]
    fn an_escape_sequence_directly_after_another() {
        check_decoding(Iso2022Jp, b"\x1B(J\x1B$B8l", &[Item::Ill(0, 3), Item::Point(0x8A9E)]);
        check_decoding(
            Iso2022Jp,
            b"a\x1B$B\x1B(B\x1B(Bb",
            &[Item::Point(0x61), Item::Ill(1, 3), Item::Ill(4, 3), Item::Point(0x62)],
        );
        let error = Iso2022Jp.validate(b"\x1B(J\x1B$B8l").unwrap_err();
        assert_eq!(error.kind(), ErrorKind::NullShift);
    }

    #[test]
    fn half_a_character() {
        let bytes = b"\x1B$B8\x1B(Bb";
        check_decoding(Iso2022Jp, bytes, &[Item::Ill(3, 1), Item::Point(0x62)]);
        assert_eq!(Iso2022Jp.validate(bytes).unwrap_err().kind(), ErrorKind::MissingTrail);
        assert_eq!(Iso2022Jp.validate(b"\x1B$B8").unwrap_err().kind(), ErrorKind::Truncated);
    }

    #[test]
    fn a_full_output_changes_nothing() {
        let mut encoder = super::Iso2022Jp::encoder(&Options::default());
        let mut room = [0; 8];
        assert_eq!(encoder.put(0x65E5, &mut room[..4]), Put::Full);
        assert_eq!(encoder.put(0x41, &mut room), Put::Written(1));
        assert_eq!(encoder.put(0x65E5, &mut room), Put::Written(5));
        assert_eq!(encoder.finish(&mut room[..2]), None);
        assert_eq!(encoder.finish(&mut room), Some(3));
        assert_eq!(encoder.finish(&mut room), Some(0));
    }

    /// All orders of escape sequences, text in each set, and errors in each.
    #[test]
    fn every_sequence_of_five_pieces_decodes_as_by_encoding_rs() {
        let pieces: [&[u8]; 14] = [
            b"\x1B(B", b"\x1B(J", b"\x1B(I", b"\x1B$@", b"\x1B$B", b"!!", b"!", b"\x1B", b"(",
            b"$", b"\x5C", b"\x7E", b"\x80", b"\n",
        ];
        let mut bytes = Vec::new();
        for number in (0..14_usize.pow(5)).step_by(step(97)) {
            bytes.clear();
            let mut rest = number;
            for _ in 0..5 {
                bytes.extend_from_slice(pieces[rest % 14]);
                rest /= 14;
            }
            let found = decode(Iso2022Jp, &[&bytes], 64);
            let expected = decode_by_encoding_rs(encoding_rs::ISO_2022_JP, &bytes);
            assert_eq!(found, expected, "{bytes:02X?}");
            if number % 89 == 0 {
                check_decoding(Iso2022Jp, &bytes, &expected);
            }
        }
    }

    #[test]
    fn every_pair_of_every_set() {
        for escape in [b"\x1B(B", b"\x1B(J", b"\x1B(I", b"\x1B$@", b"\x1B$B"] {
            for pair in (0..=0xFFFF_u16).step_by(step(97)) {
                let bytes = [&escape[..], &pair.to_be_bytes()].concat();
                let found = decode(Iso2022Jp, &[&bytes], 8);
                let expected = decode_by_encoding_rs(encoding_rs::ISO_2022_JP, &bytes);
                assert_eq!(found, expected, "{bytes:02X?}");
            }
        }
    }

    #[test]
    fn random_text_is_encoded_as_by_encoding_rs() {
        let mut random = Random(0x5EED_0004);
        let some: Vec<char> = "AB\\~\n¥‾日本語かなカナｶﾅ−、€😀\u{1B}".chars().collect();
        for _ in 0..rounds(50_000, 40) {
            // The last two cannot be encoded, so use them rarely.
            let end = some.len() - if random.below(8) == 0 { 0 } else { 3 };
            let text: Vec<char> =
                (0..1 + random.below(12)).map(|_| some[random.below(end)]).collect();
            let points: Vec<u32> = text.iter().copied().map(u32::from).collect();
            let expected = encode_by_encoding_rs(encoding_rs::ISO_2022_JP, &text);
            for (step, room) in [(64, 4096), (1, 16), (5, 9)] {
                assert_eq!(encode(Iso2022Jp, &points, step, room), expected, "{text:?}");
            }
        }
    }
}
