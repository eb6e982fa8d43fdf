//! Tests of Shift_JIS, EUC-JP, ISO-2022-JP, GBK, GB 18030, Big5 and EUC-KR beside `encoding_rs`.

extern crate std;

use std::format;
use std::string::String;
use std::vec::Vec;

use utfall_oracle::{rounds, step};

use super::testing::{
    Item, Random, check_decoding, check_encoding, decode, decode_by_encoding_rs, encode,
    encode_by_encoding_rs,
};
use crate::{
    Encoding, Encoding::*, Error, ErrorKind, Options, Policy, SplitPoint, Status, Transcoder,
};

type Charset = (Encoding, &'static encoding_rs::Encoding);

const CHARSETS: [Charset; 7] = [
    (ShiftJis, encoding_rs::SHIFT_JIS),
    (EucJp, encoding_rs::EUC_JP),
    (Iso2022Jp, encoding_rs::ISO_2022_JP),
    (Gbk, encoding_rs::GBK),
    (Gb18030, encoding_rs::GB18030),
    (Big5, encoding_rs::BIG5),
    (EucKr, encoding_rs::EUC_KR),
];

/// Prefers bytes that only one branch of a decoder accepts.
const SPECIAL: &[u8] =
    b"09<@AZ[az~\n\x1B$B(J!\x80\x81\x8E\x8F\x88\x62\x90\xA0\xA1\xA2\xC9\xE3\xF0\xFC\xFD\xFE\xFF";

/// Whether long loops run whole.
fn is_full() -> bool {
    step(2) == 1
}

#[track_caller]
fn compare((encoding, charset): Charset, bytes: &[u8]) {
    let ours = decode(encoding, &[bytes], 64);
    assert_eq!(ours, decode_by_encoding_rs(charset, bytes), "{encoding}: {bytes:02X?}");
}

/// Compares the direct conversions to UTF-8 and UTF-16, strict and lossy.
#[track_caller]
fn compare_text((encoding, charset): Charset, bytes: &[u8]) {
    let expected = charset.decode_without_bom_handling_and_without_replacement(bytes);
    let text = encoding.decode(bytes).ok();
    assert_eq!(text, expected, "{encoding}: {bytes:02X?}");
    let units = expected.map(|text| text.encode_utf16().collect::<Vec<_>>());
    assert_eq!(encoding.decode_to_utf16(bytes).ok(), units, "{encoding}: {bytes:02X?}");
    let (expected, has_errors) = charset.decode_without_bom_handling(bytes);
    let lossy = encoding.decode_lossy(bytes);
    assert_eq!(lossy.text, expected, "{encoding}: {bytes:02X?}");
    assert_eq!(lossy.errors > 0, has_errors, "{encoding}: {bytes:02X?}");
}

#[test]
fn worked_examples() {
    let text: Vec<u32> = "日本語テキスト".chars().map(u32::from).collect();
    let bytes = b"\x93\xFA\x96\x7B\x8C\xEA\x83\x65\x83\x4C\x83\x58\x83\x67";
    check_encoding(ShiftJis, &text, Ok(bytes));
    check_decoding(ShiftJis, bytes, &text.iter().copied().map(Item::Point).collect::<Vec<_>>());
    check_encoding(Gb18030, &[0x20AC, 0x1_0000], Ok(b"\xA2\xE3\x90\x30\x81\x30"));
    check_encoding(Gbk, &[0x20AC, 0x1_0000], Err(1));
    check_encoding(Gb18030, &[0xE7C7, 0xE5E5], Err(1));
    check_encoding(Gb18030, &[0xE7C7], Ok(b"\x81\x35\xF4\x37"));
    check_encoding(Big5, &[0x2550, 0x2_00CC], Ok(b"\xF9\xF9\xC8\x7A"));
    check_encoding(EucKr, &[0xAC00, 0xAC02], Ok(b"\xB0\xA1\x81\x41"));
    check_encoding(EucJp, &[0xA5, 0xFF71, 0x4E02], Err(2));
    check_decoding(EucJp, b"\x8E\xB1\x8F\xB0\xA1", &[Item::Point(0xFF71), Item::Point(0x4E02)]);
}

#[test]
fn errors_have_kinds() {
    let kind = |encoding: Encoding, bytes: &[u8]| {
        encoding.validate(bytes).map_err(|error| (error.kind(), error.length()))
    };
    assert_eq!(kind(ShiftJis, b"\x81"), Err((ErrorKind::Truncated, 1)));
    assert_eq!(kind(ShiftJis, b"\x81!"), Err((ErrorKind::MissingTrail, 1)));
    assert_eq!(kind(ShiftJis, b"\x85\x40"), Err((ErrorKind::MissingTrail, 1)));
    assert_eq!(kind(ShiftJis, b"\x81\xFF"), Err((ErrorKind::Undefined, 2)));
    assert_eq!(kind(ShiftJis, b"\xA0"), Err((ErrorKind::Undefined, 1)));
    assert_eq!(kind(EucJp, b"\x8F\xA2"), Err((ErrorKind::Truncated, 2)));
    assert_eq!(kind(EucJp, b"\x8F\xA2!"), Err((ErrorKind::MissingTrail, 2)));
    assert_eq!(kind(EucJp, b"\x8F\xA2\xFF"), Err((ErrorKind::Undefined, 3)));
    assert_eq!(kind(EucJp, b"\x8E\xFE"), Err((ErrorKind::Undefined, 2)));
    assert_eq!(kind(Gb18030, b"\x81\x30\x81"), Err((ErrorKind::Truncated, 3)));
    assert_eq!(kind(Gb18030, b"\x81\x30\x81!"), Err((ErrorKind::MissingTrail, 1)));
    assert_eq!(kind(Gb18030, b"\xFE\x39\xFE\x39"), Err((ErrorKind::Undefined, 4)));
    let clause = Big5.validate(b"\x80").as_ref().map_err(Error::clause).unwrap_err();
    assert_eq!(clause, "WHATWG Encoding §5: no entry in the index of this encoding");
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
        let mut transcoder = Transcoder::new(Big5, target, Options::default());
        let progress = transcoder.transcode(b"a\x88\x62b", &mut bytes, true);
        match progress.status {
            Status::Error(error) => (error.offset(), error.length(), error.kind()),
            status => panic!("{status:?}"),
        }
    };
    assert_eq!(lacks(Iso8859_1), (2, 1, ErrorKind::Unencodable(0x304)));
    assert_eq!(lacks(UsAscii), (1, 1, ErrorKind::Unencodable(0xCA)));
}

/// Every pair, alone and where chunks of the loops begin and end.
#[test]
fn every_pair_decodes_as_by_encoding_rs_in_every_context() {
    let ascii = "The text around the pair is in US-ASCII. ".repeat(3);
    for charset in CHARSETS {
        let native = match charset.0 {
            Gbk | Gb18030 => "简体中文，",
            Big5 => "繁體中文，",
            EucKr => "한국어, ",
            _ => "日本語の",
        };
        let (native, _, _) = charset.1.encode(native);
        let contexts: Vec<(Vec<u8>, Vec<u8>)> = [0, 1, 14, 15, 16, 63, 64, 65]
            .into_iter()
            .flat_map(|length| {
                let ascii = ascii.as_bytes();
                [
                    (ascii[..length].to_vec(), ascii[..length].to_vec()),
                    (native.repeat(length / 5), ascii[..length / 5].to_vec()),
                    (native.repeat(length / 5), native.repeat(length / 5)),
                ]
            })
            .collect();
        for pair in (0..=0xFFFF_u16).step_by(step(7)) {
            compare(charset, &pair.to_be_bytes());
            let (before, after) = &contexts[usize::from(pair % 251) % contexts.len()];
            compare_text(charset, &[before, &pair.to_be_bytes()[..], after].concat());
            if is_full() || pair % 97 == 0 {
                for (before, after) in &contexts {
                    compare_text(charset, &[before, &pair.to_be_bytes()[..], after].concat());
                }
            }
        }
    }
}

#[test]
fn three_bytes_decode_as_by_encoding_rs() {
    for charset in CHARSETS {
        let every = if is_full() { 17 } else { 997 * step(1) };
        for number in (0..0x100_0000_u32).step_by(every) {
            let [_, bytes @ ..] = number.to_be_bytes();
            if bytes[0] >= 0x80 || charset.0 == Iso2022Jp {
                compare_text(charset, &bytes);
            }
        }
        // Odd, so that each byte is in one of the pairs.
        let every = step(if charset.0 == EucJp { 1 } else { 13 }) | 1;
        for pair in (0..=0xFFFF_u16).step_by(every) {
            let [first, second] = pair.to_be_bytes();
            for third in *b"!0@~\x80\x81\xA0\xA1\xFE\xFF" {
                compare(charset, &[first, second, third]);
            }
        }
    }
}

#[test]
fn a_sample_of_longer_sequences_decodes_as_by_encoding_rs() {
    for charset in CHARSETS {
        let mut random = Random(0x5EED_0001);
        for round in 0..rounds(150_000, 40) {
            let length = if round % 500 == 0 { 900 } else { 3 + random.below(8) };
            let bytes: Vec<u8> = (0..length)
                .map(|_| match random.below(3) {
                    0 => random.below(256) as u8,
                    _ => SPECIAL[random.below(SPECIAL.len())],
                })
                .collect();
            compare(charset, &bytes);
            compare_text(charset, &bytes);
        }
    }
}

#[test]
fn every_four_byte_code_of_gb18030() {
    for a in 0x81..=0xFE_u8 {
        for b in 0x30..=0x39 {
            for c in (0x81..=0xFE).step_by(if a < 0x90 { 1 } else { 5 }) {
                for d in (0x2F..=0x3A).step_by(step(5)) {
                    compare((Gb18030, encoding_rs::GB18030), &[a, b, c, d]);
                    compare_text((Gbk, encoding_rs::GBK), &[a, b, c, d, b'a']);
                }
            }
        }
    }
}

#[test]
fn every_split_and_every_size_of_output() {
    for (encoding, charset) in CHARSETS {
        let mut random = Random(0x5EED_0002);
        for round in 0..rounds(400, 40) {
            let length = if round % 50 == 0 { 80 } else { 1 + random.below(12) };
            let bytes: Vec<u8> = (0..length)
                .map(|_| match random.below(4) {
                    0 => SPECIAL[random.below(SPECIAL.len())],
                    1 => random.below(0x80) as u8,
                    _ => 0x80 + random.below(0x80) as u8,
                })
                .collect();
            check_decoding(encoding, &bytes, &decode_by_encoding_rs(charset, &bytes));
        }
    }
}

/// Text of characters that `charset` has, in runs with and without US-ASCII.
fn random_text(
    charset: &'static encoding_rs::Encoding,
    length: usize,
    random: &mut Random,
) -> String {
    let all: Vec<char> = ('\0'..=char::MAX)
        .step_by(7)
        .filter(|scalar| encode_by_encoding_rs(charset, &[*scalar]).is_ok())
        .collect();
    (0..length)
        .map(|at| match (at / 100) % 3 {
            0 => char::from(b' ' + random.below(90) as u8),
            1 if random.below(3) == 0 => char::from(b' ' + random.below(90) as u8),
            _ => all[random.below(all.len())],
        })
        .collect()
}

/// Converts `bytes` in pieces of any size, into outputs of any size.
fn in_pieces(
    (source, target): (Encoding, Encoding),
    policy: Policy,
    bytes: &[u8],
    (piece, room): (usize, usize),
) -> (Vec<u8>, u64) {
    let mut transcoder = Transcoder::new(source, target, Options::both(policy));
    let (mut made, mut out) = (Vec::new(), std::vec![0; room]);
    let mut pieces = bytes.chunks(piece).peekable();
    loop {
        let mut rest = pieces.next().unwrap_or_default();
        let last = pieces.peek().is_none();
        loop {
            let progress = transcoder.transcode(rest, &mut out, last);
            rest = &rest[progress.read..];
            made.extend_from_slice(&out[..progress.written]);
            match progress.status {
                Status::InputEmpty => break,
                Status::OutputFull => {}
                Status::Error(error) => panic!("{error}"),
            }
        }
        if last {
            return (made, transcoder.counts().ill_formed);
        }
    }
}

/// Texts longer than any buffer, with errors, in pieces and into outputs of many sizes.
#[test]
fn long_texts() {
    let mut random = Random(0x5EED_0003);
    for (encoding, charset) in CHARSETS {
        let text = random_text(charset, rounds(20_000, 1), &mut random);
        // Some code points are written as similar ones.
        let (encoded, _, _) = charset.encode(&text);
        let text = charset.decode_without_bom_handling(&encoded).0.into_owned();
        let sizes = [(100_000, 100_000), (777, 1000), (1000, 17), (50, 64), (7, 16)];
        for (piece, room) in sizes {
            for (form, text) in [
                (Utf8, text.as_bytes().to_vec()),
                (Utf16Le, text.encode_utf16().flat_map(u16::to_le_bytes).collect()),
                (Utf16Be, text.encode_utf16().flat_map(u16::to_be_bytes).collect()),
                (Utf32Le, text.chars().flat_map(|point| u32::from(point).to_le_bytes()).collect()),
            ] {
                let case = || format!("{encoding}, {form}, pieces of {piece}, space for {room}");
                let sizes = (piece, room);
                let (made, _) = in_pieces((form, encoding), Policy::Strict, &text, sizes);
                assert!(made == *encoded, "{}", case());
                let (made, _) = in_pieces((encoding, form), Policy::Strict, &encoded, sizes);
                assert!(made == text, "{}", case());
            }
        }
        let mut bytes = encoded.into_owned();
        for errors in [1, 5, 500] {
            for _ in 0..errors {
                let at = random.below(bytes.len());
                bytes[at] = random.below(256) as u8;
            }
            let items = decode_by_encoding_rs(charset, &bytes);
            let ill = items.iter().filter(|item| matches!(item, Item::Ill(..))).count() as u64;
            let (text, _) = charset.decode_without_bom_handling(&bytes);
            for sizes in sizes {
                let made = in_pieces((encoding, Utf8), Policy::Replace, &bytes, sizes);
                assert!(made == (text.as_bytes().to_vec(), ill), "{encoding}: {errors} {sizes:?}");
                let made = in_pieces((encoding, Utf16Le), Policy::Replace, &bytes, sizes);
                let units = text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>();
                assert!(made == (units, ill), "{encoding}: {errors} {sizes:?}");
            }
            for room in [1, 2, 3, 64, 511, 512, 513, 2048, 30_000] {
                let found = decode(encoding, &[&bytes], room);
                assert!(found == items, "{encoding}: {errors} errors, space for {room}");
            }
            let pieces: Vec<&[u8]> = bytes.chunks(777).collect();
            assert!(decode(encoding, &pieces, 1000) == items, "{encoding}: in pieces");
        }
    }
}

/// Every offset is that of the first byte of the sequence, whatever the policy.
#[test]
fn offsets_of_errors() {
    let mut random = Random(0x5EED_0005);
    for (encoding, charset) in CHARSETS {
        for _ in 0..rounds(2_000, 20) {
            let bytes: Vec<u8> = (0..200)
                .map(|_| match random.below(5) {
                    0 => SPECIAL[random.below(SPECIAL.len())],
                    1 => random.below(256) as u8,
                    _ => b'a',
                })
                .collect();
            let expected: Vec<(u64, usize)> = decode_by_encoding_rs(charset, &bytes)
                .iter()
                .filter_map(|item| match item {
                    Item::Ill(offset, length) => Some((*offset as u64, *length)),
                    Item::Point(_) => None,
                })
                .collect();
            let mut found = Vec::new();
            let lossy = encoding.decode_lossy_reporting(&bytes, |error, sequence| {
                found.push((error.offset(), sequence.len()));
            });
            assert_eq!(found, expected, "{encoding}: {bytes:02X?}");
            assert_eq!(lossy.text, charset.decode_without_bom_handling(&bytes).0, "{encoding}");
            let first = encoding.decode(&bytes).err().map(|error| error.offset());
            assert_eq!(first, expected.first().map(|(offset, _)| *offset), "{encoding}");
        }
    }
}

#[test]
fn every_code_point_is_encoded_as_by_encoding_rs() {
    for (encoding, charset) in CHARSETS {
        let beyond = (0x1_0000..=0x10_FFFF).step_by(if encoding == Big5 { 1 } else { 251 });
        let points = (0..=0xFFFF).chain(beyond).step_by(step(7));
        for scalar in points.filter_map(char::from_u32) {
            let point = u32::from(scalar);
            let ours = encode(encoding, &[point], 1, 16);
            let theirs = encode_by_encoding_rs(charset, &[scalar]);
            assert_eq!(ours, theirs, "{encoding}: U+{point:04X}");
            let text = format!("{scalar}");
            assert_eq!(encoding.encode(&text).ok().as_deref(), theirs.as_deref().ok());
            let units: Vec<u16> = text.encode_utf16().collect();
            assert_eq!(encoding.encode_utf16(&units).ok(), theirs.as_ref().ok().cloned());
            let Ok(bytes) = ours else { continue };
            let back = decode(encoding, &[&bytes], 4);
            // Code points for which an encoder writes a similar character.
            let alike = match (encoding, point) {
                (EucJp | ShiftJis, 0xA5) => 0x5C,
                (EucJp | ShiftJis, 0x203E) => 0x7E,
                (EucJp | ShiftJis | Iso2022Jp, 0x2212) => 0xFF0D,
                (Iso2022Jp, 0xFF61..=0xFF9F) => continue,
                // The private-use code points of 18 characters that Unicode has now.
                (Gbk | Gb18030, 0xE78D..=0xE796 | 0xE81E | 0xE826 | 0xE82B | 0xE82C) => continue,
                (Gbk | Gb18030, 0xE832 | 0xE843 | 0xE854 | 0xE864) => continue,
                _ => point,
            };
            assert_eq!(back, [Item::Point(alike)], "{encoding}: U+{point:04X}");
        }
        for surrogate in 0xD800..=0xDFFF {
            assert_eq!(encode(encoding, &[surrogate], 1, 16), Err(0), "{encoding}");
        }
        check_encoding(encoding, &[0x41, 0xD800], Err(1));
        check_encoding(encoding, &[0x41, 0x11_0000], Err(1));
    }
}

/// Ill-formed UTF-8 and UTF-16 are never taken for a character.
#[test]
fn ill_formed_unicode_is_not_encoded() {
    for (encoding, _) in CHARSETS {
        for text in [
            &b"\xE0\x82\xA5"[..],
            b"\xC1\xA1",
            b"\xC0\x80",
            b"\xED\xA0\x80",
            b"\xE3\x81",
            b"\xE3A\x82",
            b"\xE3\x81A",
            b"\xE3\xC1\x82",
            b"\xC2A",
            b"\xF0\x82\x82\xA5",
            b"\xF5\x80\x80\x80",
            b"\x80",
            b"\xE3\x81\xC2",
            b"\xC3",
        ] {
            for before in ["", "a", "日本", "The text before it is longer."] {
                let bytes = [before.as_bytes(), text].concat();
                let mut out = [0; 128];
                let mut transcoder = Transcoder::new(Utf8, encoding, Options::default());
                match transcoder.transcode(&bytes, &mut out, true).status {
                    Status::Error(error) if error.is_unencodable() => assert!(before == "日本"),
                    Status::Error(error) => assert_eq!(error.offset(), before.len() as u64),
                    status => panic!("{encoding}: {bytes:02X?}: {status:?}"),
                }
            }
        }
        for units in [&[0xD83D][..], &[0xDE00], &[0xDE00, 0xD83D], &[0xD83D, 0x61]] {
            let units = [&[0x61, 0x62][..], units].concat();
            let error = encoding.encode_utf16(&units).unwrap_err();
            assert_eq!(error.offset(), 2, "{encoding}: {units:04X?}");
        }
    }
}

/// Checks the guarantee of [`SplitPoint::Line`].
#[test]
fn a_line_end_ends_any_sequence() {
    let by_line = |(encoding, _): &Charset| encoding.info().split_point == SplitPoint::Line;
    for (encoding, _) in CHARSETS.into_iter().filter(by_line) {
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
