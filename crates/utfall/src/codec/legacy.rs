//! The legacy encodings of WHATWG, implemented by `encoding_rs`.
//!
//! These are the encodings of the web with the web's labels: what it calls ISO 8859-9 or GB 2312 is
//! windows-1254 or GBK. [`Encoding::for_whatwg_label`](crate::Encoding::for_whatwg_label) accepts
//! all labels. Those that IANA assigns to US-ASCII or ISO 8859-1 are not aliases here.
//!
//! A decoder of `encoding_rs` cannot be cloned, and does not reveal its buffered bytes. But all
//! these encodings are in their initial state between characters, so a new decoder for each call
//! suffices. ISO-2022-JP is the exception and has its own file. See `docs/decisions.md` §10.

mod charsets;

use encoding_rs::{DecoderResult, EncoderResult};
use utfall_simd::Kernels;

use super::shared::kernel;
use super::{Codec, Decode, Decoded, Encode, Encoded, Next, Put};
use crate::info::{Family, Info};
use crate::repertoire::Repertoire;
use crate::{ErrorKind, Options};
pub(crate) use charsets::*;

/// UTF-16 code units in the buffer between `encoding_rs` and a block of code points.
const UNITS: usize = 512;

#[derive(Clone)]
pub(crate) struct Decoder {
    charset: &'static encoding_rs::Encoding,
    /// Four sequences of Big5 represent two code points. The first is returned with all bytes
    /// except the last; this is the second, for the last byte.
    second: Option<u32>,
}

impl Decode for Decoder {
    fn next(&mut self, src: &[u8], last: bool) -> Next {
        if let Some(point) = self.second.take() {
            return Next::Point { point, length: 1 };
        }
        let mut decoder = self.charset.new_decoder_without_bom_handling();
        let mut units = [0; 4];
        // Going byte by byte shows where the first character ends.
        for (at, byte) in src.iter().enumerate() {
            let byte = core::slice::from_ref(byte);
            let (result, _, written) =
                decoder.decode_to_utf16_without_replacement(byte, &mut units, false);
            if let DecoderResult::Malformed(length, _) = result {
                let length = usize::from(length);
                let cut_short = length <= at;
                let kind = if cut_short { ErrorKind::MissingTrail } else { ErrorKind::Undefined };
                return Next::ill(kind, length);
            }
            let mut points = points(&units[..written]);
            if let Some(point) = points.next() {
                self.second = points.next();
                return Next::Point { point, length: at + 1 - usize::from(self.second.is_some()) };
            }
        }
        match src.len() {
            held @ 1.. if last => Next::ill(ErrorKind::Truncated, held),
            _ => Next::End,
        }
    }

    fn decode(&mut self, _: &Kernels, src: &[u8], dst: &mut [u32], last: bool) -> Decoded {
        kernel::decode_with(self, src, dst, last, |this, src, dst| match this.second {
            Some(_) => (0, 0),
            None => decode_prefix(this.charset, src, dst),
        })
    }
}

/// Decodes up to the first invalid or incomplete sequence. Returns bytes read and code points
/// written.
fn decode_prefix(
    charset: &'static encoding_rs::Encoding,
    src: &[u8],
    dst: &mut [u32],
) -> (usize, usize) {
    let mut decoder = charset.new_decoder_without_bom_handling();
    let mut units = [0; UNITS];
    let (mut read, mut written) = (0, 0);
    loop {
        // Never more code units than `dst` has space for code points. As this is declared to be the
        // last input, an incomplete sequence is malformed and is left unread.
        let room = UNITS.min(dst.len() - written);
        let (result, bytes, count) =
            decoder.decode_to_utf16_without_replacement(&src[read..], &mut units[..room], true);
        read += bytes;
        written += widen(&units[..count], &mut dst[written..]);
        match result {
            DecoderResult::OutputFull if count > 0 => {}
            DecoderResult::Malformed(length, after) => {
                return (read - usize::from(length) - usize::from(after), written);
            }
            _ => return (read, written),
        }
    }
}

/// Copies well-formed UTF-16 to code points, and returns their number.
pub(super) fn widen(units: &[u16], dst: &mut [u32]) -> usize {
    // Checking all units is faster than stopping at the first surrogate, because the loop
    // vectorizes.
    let surrogates = units.iter().fold(false, |found, unit| found | (unit & 0xF800 == 0xD800));
    if surrogates {
        let mut count = 0;
        for (slot, point) in dst.iter_mut().zip(points(units)) {
            *slot = point;
            count += 1;
        }
        return count;
    }
    for (slot, unit) in dst.iter_mut().zip(units) {
        *slot = u32::from(*unit);
    }
    units.len()
}

/// The code points of well-formed UTF-16.
fn points(units: &[u16]) -> impl Iterator<Item = u32> {
    char::decode_utf16(units.iter().copied()).flatten().map(u32::from)
}

#[derive(Clone)]
pub(crate) struct Encoder {
    charset: &'static encoding_rs::Encoding,
}

impl Encode for Encoder {
    fn put(&mut self, point: u32, dst: &mut [u8]) -> Put {
        let mut buffer = [0; ONE];
        let Some(bytes) = encode_one(self.charset, point, &mut buffer) else {
            return Put::Unencodable;
        };
        let Some(room) = dst.get_mut(..bytes.len()) else { return Put::Full };
        room.copy_from_slice(bytes);
        Put::Written(bytes.len())
    }

    fn encode(&mut self, _: &Kernels, src: &[u32], dst: &mut [u8]) -> Encoded {
        kernel::encode_with(self, src, dst, |this, src, dst| encode_prefix(this.charset, src, dst))
    }
}

/// Encodes up to the first code point that `charset` lacks, or until `dst` is almost full. Returns
/// code points read and bytes written.
fn encode_prefix(
    charset: &'static encoding_rs::Encoding,
    src: &[u32],
    dst: &mut [u8],
) -> (usize, usize) {
    let mut encoder = charset.new_encoder();
    let mut units = [0; UNITS];
    let (mut read, mut written) = (0, 0);
    loop {
        let mut filled = 0;
        for scalar in src[read..].iter().map_while(|point| char::from_u32(*point)) {
            let Some(room) = units.get_mut(filled..filled + 2) else { break };
            filled += scalar.encode_utf16(room).len();
        }
        let (result, taken, bytes) = encoder.encode_from_utf16_without_replacement(
            &units[..filled],
            &mut dst[written..],
            false,
        );
        read += units[..taken].iter().filter(|unit| !matches!(unit, 0xDC00..=0xDFFF)).count();
        written += bytes;
        match result {
            EncoderResult::InputEmpty if filled > 0 => {}
            EncoderResult::Unmappable(_) => return (read - 1, written),
            _ => return (read, written),
        }
    }
}

/// More bytes than any character takes, plus the slack that `encoding_rs` requires.
pub(super) const ONE: usize = 16;

/// The bytes of `point` at the start of a text, if `charset` has it.
pub(super) fn encode_one<'b>(
    charset: &'static encoding_rs::Encoding,
    point: u32,
    buffer: &'b mut [u8; ONE],
) -> Option<&'b [u8]> {
    let mut units = [0; 2];
    let units = char::from_u32(point)?.encode_utf16(&mut units);
    let mut encoder = charset.new_encoder();
    match encoder.encode_from_utf16_without_replacement(units, buffer, false) {
        (EncoderResult::InputEmpty, _, length) => Some(&buffer[..length]),
        _ => None,
    }
}

/// The encoding for labels whose encodings are too dangerous to read: every text is one error.
pub(crate) struct Replacement;

impl Codec for Replacement {
    const INFO: Info = Info {
        name: "replacement",
        aliases: &["csiso2022kr", "hz-gb-2312", "iso-2022-cn", "iso-2022-cn-ext", "iso-2022-kr"],
        family: Family::MultiByte,
        specification: "WHATWG Encoding §14.1",
        stateful: true,
        repertoire: Repertoire::Table,
        clause: |kind| match kind {
            ErrorKind::Unencodable(_) => "WHATWG Encoding §14.1: there is no encoder",
            _ => "WHATWG Encoding §14.1: any text is one error",
        },
        ..Info::BASE
    };
    type Decoder = ReplacementDecoder;
    type Encoder = ReplacementEncoder;

    fn decoder(_: &Options) -> ReplacementDecoder {
        ReplacementDecoder { reported: false }
    }

    fn encoder(_: &Options) -> ReplacementEncoder {
        ReplacementEncoder
    }
}

#[derive(Clone)]
pub(crate) struct ReplacementDecoder {
    /// Whether the one error has been reported.
    reported: bool,
}

impl Decode for ReplacementDecoder {
    fn next(&mut self, src: &[u8], _: bool) -> Next {
        match src.len() {
            0 => Next::End,
            _ if !core::mem::replace(&mut self.reported, true) => {
                Next::ill(ErrorKind::Undefined, 1)
            }
            length => Next::Skip { length },
        }
    }
}

#[derive(Clone)]
pub(crate) struct ReplacementEncoder;

impl Encode for ReplacementEncoder {
    fn put(&mut self, _: u32, _: &mut [u8]) -> Put {
        Put::Unencodable
    }
}

#[cfg(test)]
mod tests {
    extern crate std;

    use std::vec::Vec;

    use utfall_oracle::{rounds, step};

    use crate::codec::testing::{
        Item, Random, check_decoding, check_encoding, decode, decode_by_encoding_rs, encode,
        encode_by_encoding_rs,
    };
    use crate::{Encoding, Encoding::*, Error, ErrorKind, SplitPoint};

    /// The encodings of this feature: ours and those of `encoding_rs`.
    fn charsets() -> impl Iterator<Item = (Encoding, &'static encoding_rs::Encoding)> {
        let is_ours = |encoding: &&Encoding| encoding.info().specification.starts_with("WHATWG");
        Encoding::ALL.iter().filter(is_ours).map(|encoding| {
            let charset = encoding_rs::Encoding::for_label(encoding.name().as_bytes());
            (*encoding, charset.expect("a WHATWG name"))
        })
    }

    fn multi_byte() -> impl Iterator<Item = (Encoding, &'static encoding_rs::Encoding)> {
        charsets().filter(|(encoding, _)| encoding.info().split_point != SplitPoint::Character)
    }

    #[track_caller]
    fn compare(encoding: Encoding, charset: &'static encoding_rs::Encoding, bytes: &[u8]) {
        let ours = decode(encoding, &[bytes], 64);
        assert_eq!(ours, decode_by_encoding_rs(charset, bytes), "{encoding}: {bytes:02X?}");
    }

    #[test]
    fn worked_examples() {
        let text: Vec<u32> = "日本語テキスト".chars().map(u32::from).collect();
        let bytes = b"\x93\xFA\x96\x7B\x8C\xEA\x83\x65\x83\x4C\x83\x58\x83\x67";
        check_encoding(ShiftJis, &text, Ok(bytes));
        check_decoding(ShiftJis, bytes, &text.iter().copied().map(Item::Point).collect::<Vec<_>>());
        check_encoding(Windows1252, &[0x20AC, 0x151], Err(1));
        check_encoding(Gb18030, &[0x20AC, 0x1_0000], Ok(b"\xA2\xE3\x90\x30\x81\x30"));
        check_encoding(Gbk, &[0x20AC, 0x1_0000], Err(1));
        check_encoding(UserDefined, &[0x41, 0xF780, 0xF7FF], Ok(b"A\x80\xFF"));
        check_encoding(Windows1252, &[0x41, 0xD800], Err(1));
        check_encoding(Windows1252, &[0x41, 0x11_0000], Err(1));
    }

    #[test]
    fn errors_have_kinds() {
        let kind = |encoding: Encoding, bytes: &[u8]| {
            encoding.validate(bytes).map_err(|error| (error.kind(), error.length()))
        };
        assert_eq!(kind(Windows1253, b"\xD2"), Err((ErrorKind::Undefined, 1)));
        assert_eq!(kind(ShiftJis, b"\x81"), Err((ErrorKind::Truncated, 1)));
        assert_eq!(kind(ShiftJis, b"\x81!"), Err((ErrorKind::MissingTrail, 1)));
        assert_eq!(kind(ShiftJis, b"\x81\xFF"), Err((ErrorKind::Undefined, 2)));
        assert_eq!(kind(ShiftJis, b"\xA0"), Err((ErrorKind::Undefined, 1)));
        assert_eq!(kind(Gb18030, b"\x81\x30\x81"), Err((ErrorKind::Truncated, 3)));
        assert_eq!(kind(Gb18030, b"\x81\x30\x81!"), Err((ErrorKind::MissingTrail, 1)));
        assert_eq!(kind(Gb18030, b"\xFE\x39\xFE\x39"), Err((ErrorKind::Undefined, 4)));
        let clause = Windows1253.validate(b"\xD2").as_ref().map_err(Error::clause).unwrap_err();
        assert_eq!(clause, "WHATWG Encoding §9.1: no entry in the index of this encoding");
    }

    #[test]
    fn a_sequence_for_two_code_points_can_be_cut_between_them() {
        let both = [Item::Point(0xCA), Item::Point(0x304)];
        check_decoding(Big5, b"\x88\x62", &both);
        check_decoding(Big5, b"\x88\x62\xA4\x40", &[both[0], both[1], Item::Point(0x4E00)]);
        check_decoding(Big5, b"\x88", &[Item::Ill(0, 1)]);
        // Each of them contains one of the two bytes.
        let lacks = |target: Encoding| {
            let mut bytes = [0; 8];
            let mut transcoder = crate::Transcoder::new(Big5, target, crate::Options::default());
            let progress = transcoder.transcode(b"a\x88\x62b", &mut bytes, true);
            match progress.status {
                crate::Status::Error(error) => (error.offset(), error.length(), error.kind()),
                status => panic!("{status:?}"),
            }
        };
        assert_eq!(lacks(Iso8859_1), (2, 1, ErrorKind::Unencodable(0x304)));
        assert_eq!(lacks(UsAscii), (1, 1, ErrorKind::Unencodable(0xCA)));
    }

    #[test]
    fn replacement_is_one_error() {
        check_decoding(Replacement, b"", &[]);
        check_decoding(Replacement, b"any text", &[Item::Ill(0, 1)]);
        check_encoding(Replacement, &[0x41], Err(0));
    }

    #[test]
    fn short_sequences_decode_as_by_encoding_rs() {
        for (encoding, charset) in charsets() {
            compare(encoding, charset, b"");
            for a in 0..=0xFF {
                compare(encoding, charset, &[a]);
                for b in (0..=0xFF).step_by(step(7)) {
                    compare(encoding, charset, &[a, b]);
                }
            }
        }
    }

    #[test]
    fn a_sample_of_longer_sequences_decodes_as_by_encoding_rs() {
        // Prefers bytes that only one branch of a decoder accepts.
        let special = b"09<@AZ[az~\n\x1B$B(J!\x80\x81\x8E\x8F\x88\x62\x90\xA0\xA1\xA2\xC9\xE3\xF0\xFC\xFD\xFE\xFF";
        for (encoding, charset) in multi_byte() {
            let mut random = Random(0x5EED_0001);
            for round in 0..rounds(150_000, 40) {
                let length = if round % 500 == 0 { 900 } else { 3 + random.below(8) };
                let bytes: Vec<u8> = (0..length)
                    .map(|_| match random.below(3) {
                        0 => random.below(256) as u8,
                        _ => special[random.below(special.len())],
                    })
                    .collect();
                compare(encoding, charset, &bytes);
            }
        }
    }

    #[test]
    fn every_four_byte_code_of_gb18030() {
        for a in 0x81..=0xFE_u8 {
            for b in 0x30..=0x39 {
                for c in (0x81..=0xFE).step_by(if a < 0x90 { 1 } else { 5 }) {
                    for d in (0x2F..=0x3A).step_by(step(5)) {
                        compare(Gb18030, encoding_rs::GB18030, &[a, b, c, d]);
                    }
                }
            }
        }
    }

    #[test]
    fn every_split_and_every_size_of_output() {
        for (encoding, charset) in charsets() {
            let mut random = Random(0x5EED_0002);
            for round in 0..rounds(200, 20) {
                let length = if round % 50 == 0 { 80 } else { 1 + random.below(12) };
                let bytes: Vec<u8> = (0..length)
                    .map(|_| match random.below(4) {
                        0 => b'0' + random.below(10) as u8,
                        1 => random.below(0x80) as u8,
                        _ => 0x80 + random.below(0x80) as u8,
                    })
                    .collect();
                check_decoding(encoding, &bytes, &decode_by_encoding_rs(charset, &bytes));
            }
        }
    }

    /// Texts longer than any buffer, with errors, into outputs of many sizes.
    #[test]
    fn long_texts() {
        for (encoding, charset) in
            charsets().filter(|(encoding, _)| *encoding != Replacement).step_by(step(5))
        {
            let all: Vec<char> = ('\0'..=char::MAX)
                .step_by(7)
                .filter(|scalar| encode_by_encoding_rs(charset, &[*scalar]).is_ok())
                .collect();
            let mut random = Random(0x5EED_0003);
            let text: Vec<char> = (0..20_000)
                .map(|at| match at % 3000 < 1000 {
                    true => char::from(b' ' + random.below(90) as u8),
                    false => all[random.below(all.len())],
                })
                .collect();
            let points: Vec<u32> = text.iter().copied().map(u32::from).collect();
            let mut bytes = encode_by_encoding_rs(charset, &text).expect("can be encoded");
            for (step, room) in [(20_000, 100_000), (1_000, 700), (513, 64), (20_000, 16)] {
                let found = encode(encoding, &points, step, room).expect("can be encoded");
                assert!(found == bytes, "{encoding} by {step}, room for {room}");
            }
            for errors in [0, 1, 5, 500] {
                for _ in 0..errors {
                    let at = random.below(bytes.len());
                    bytes[at] = random.below(256) as u8;
                }
                let expected = decode_by_encoding_rs(charset, &bytes);
                for room in [1, 2, 3, 64, 511, 512, 513, 2048, 30_000] {
                    let found = decode(encoding, &[&bytes], room);
                    assert!(found == expected, "{encoding}: {errors} errors, room for {room}");
                }
                let pieces: Vec<&[u8]> = bytes.chunks(777).collect();
                assert!(decode(encoding, &pieces, 1000) == expected, "{encoding}: in pieces");
            }
        }
    }

    #[test]
    fn every_code_point_is_encoded_as_by_encoding_rs() {
        for (encoding, charset) in charsets().filter(|(encoding, _)| *encoding != Replacement) {
            let beyond = (0x1_0000..=0x10_FFFF).step_by(if encoding == Big5 { 1 } else { 251 });
            let points = (0..=0xFFFF).chain(beyond).step_by(step(7));
            for scalar in points.filter_map(char::from_u32) {
                let point = u32::from(scalar);
                let ours = encode(encoding, &[point], 1, 16);
                let theirs = encode_by_encoding_rs(charset, &[scalar]);
                assert_eq!(ours, theirs, "{encoding}: U+{point:04X}");
                let Ok(bytes) = ours else { continue };
                let back = decode(encoding, &[&bytes], 4);
                // Code points for which an encoder writes a similar character.
                let alike = match (encoding, point) {
                    (EucJp | ShiftJis, 0xA5) => 0x5C,
                    (EucJp | ShiftJis, 0x203E) => 0x7E,
                    (EucJp | ShiftJis | Iso2022Jp, 0x2212) => 0xFF0D,
                    (Iso2022Jp, 0xFF61..=0xFF9F) => continue,
                    // The private-use code points of 18 characters that Unicode has now.
                    (Gbk | Gb18030, 0xE78D..=0xE796 | 0xE81E | 0xE826 | 0xE82B | 0xE82C) => {
                        continue;
                    }
                    (Gbk | Gb18030, 0xE832 | 0xE843 | 0xE854 | 0xE864) => continue,
                    _ => point,
                };
                assert_eq!(back, [Item::Point(alike)], "{encoding}: U+{point:04X}");
            }
            for surrogate in 0xD800..=0xDFFF {
                assert_eq!(encode(encoding, &[surrogate], 1, 16), Err(0), "{encoding}");
            }
        }
    }

    /// Checks the guarantee of [`SplitPoint::Line`].
    #[test]
    fn a_line_end_ends_any_sequence() {
        for (encoding, _) in multi_byte().filter(|(e, _)| e.info().split_point == SplitPoint::Line)
        {
            for first in 0..=0xFF {
                for second in (0..=0xFF).step_by(step(7)) {
                    for bytes in [&[first, second, b'\n'][..], &[first, b'0', second, b'\n']] {
                        let last = decode(encoding, &[bytes], 8).pop();
                        assert_eq!(last, Some(Item::Point(0x0A)), "{encoding}: {bytes:02X?}");
                    }
                }
            }
        }
    }

    #[test]
    fn labels_are_those_of_whatwg_but_for_those_of_iana() {
        for (encoding, charset) in charsets() {
            for label in encoding.info().aliases {
                assert_eq!(Encoding::for_label(label), Some(encoding), "{label}");
                assert_eq!(encoding_rs::Encoding::for_label(label.as_bytes()), Some(charset));
            }
            assert_eq!(Encoding::for_whatwg_label(encoding.name()), Some(encoding));
        }
        for encoding in [Utf8, Utf16Le, Utf16Be] {
            assert_eq!(Encoding::for_whatwg_label(encoding.name()), Some(encoding));
        }
    }
}
