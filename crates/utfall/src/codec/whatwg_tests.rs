//! All encodings of WHATWG, compared with `encoding_rs`.

extern crate std;

use std::vec::Vec;

use utfall_oracle::{rounds, step};

use crate::codec::testing::{
    Item, Random, check_decoding, check_encoding, decode, decode_by_encoding_rs, encode,
    encode_by_encoding_rs,
};
use crate::{Encoding, Encoding::*, Error, ErrorKind, Origin};

/// The encodings of this feature: ours and those of `encoding_rs`.
fn charsets() -> impl Iterator<Item = (Encoding, &'static encoding_rs::Encoding)> {
    let is_ours = |encoding: &&Encoding| encoding.info().origin == Origin::Whatwg;
    Encoding::ALL.iter().filter(is_ours).map(|encoding| {
        let charset = encoding_rs::Encoding::for_label(encoding.name().as_bytes());
        (*encoding, charset.expect("a WHATWG name"))
    })
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
            assert!(found == bytes, "{encoding} by {step}, space for {room}");
        }
        for errors in [0, 1, 5, 500] {
            for _ in 0..errors {
                let at = random.below(bytes.len());
                bytes[at] = random.below(256) as u8;
            }
            let expected = decode_by_encoding_rs(charset, &bytes);
            for room in [1, 2, 3, 64, 511, 512, 513, 2048, 30_000] {
                let found = decode(encoding, &[&bytes], room);
                assert!(found == expected, "{encoding}: {errors} errors, space for {room}");
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

#[test]
fn labels_are_those_of_whatwg_but_for_those_of_iana() {
    for (encoding, charset) in charsets() {
        let info = encoding.info();
        for label in info.aliases.iter().take(info.of_web) {
            assert_eq!(Encoding::for_label(label), Some(encoding), "{label}");
            assert_eq!(encoding_rs::Encoding::for_label(label.as_bytes()), Some(charset));
        }
        assert_eq!(Encoding::for_whatwg_label(encoding.name()), Some(encoding));
    }
    for encoding in [Utf8, Utf16Le, Utf16Be] {
        assert_eq!(Encoding::for_whatwg_label(encoding.name()), Some(encoding));
    }
}
