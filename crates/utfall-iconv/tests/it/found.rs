//! Regression tests for fuzzer findings: each has the text found, or a shorter one with the same
//! fault.

use utfall_iconv::{Charset, Converter, Error, ErrorKind, Format, Rules};

fn error(from: &str, to: &str, pieces: &[&[u8]]) -> Error {
    let charset = |name| Charset::for_name(name).unwrap();
    let mut converter = Converter::new(charset(from), charset(to), Rules::default()).unwrap();
    let mut out = Vec::new();
    let last = pieces.len() - 1;
    let mut pieces = pieces.iter().enumerate();
    pieces
        .find_map(|(number, piece)| converter.convert(piece, number == last, &mut out).err())
        .unwrap()
}

/// The length of an unencodable character included the ill-formed bytes after it, if those came in
/// the same chunk.
#[test]
fn a_character_before_what_is_ill_formed_is_no_longer_than_it_is() {
    let checked = |from, to, pieces: &[&[u8]]| {
        let Error { kind, offset, length, line, column, .. } = error(from, to, pieces);
        assert_eq!(line, 1);
        (kind, offset, length, column)
    };
    let expected =
        |point, offset, length, column| (ErrorKind::Unencodable(point), offset, length, column);
    // Incomplete.
    let text = b"\x60\x70\x76\x2F\x60\x70";
    let whole = checked("UCS-4LE", "IBM918", &[text]);
    assert_eq!(whole, expected(0x2F76_7060, 0, 4, 1));
    assert_eq!(checked("UCS-4LE", "IBM918", &[&text[..5], &text[5..], b""]), whole);
    // Ill-formed.
    assert_eq!(checked("UTF-8", "ASCII", &[b"a\xC3\xA9\xFF"]), expected(0xE9, 1, 2, 2));
    // From a table-driven charset.
    assert_eq!(checked("EUC-JP", "ASCII", &[b"a\xA4\xA2\xFF\xFF"]), expected(0x3042, 1, 2, 2));
}

/// In encodings with a BOM, the reported length of the first character was that of the second.
#[test]
fn a_first_character_is_as_long_as_it_is() {
    for tail in [&b""[..], b"\x29", b"\x29\xFF", b"\xFF\xFF", b"\x00\xD8", b"\x29\xFF\xFF\xFF"] {
        // Without a BOM, the byte order is the machine's.
        let (two, four) = (0xFF_u16.to_ne_bytes(), 0xFF_u32.to_ne_bytes());
        for (from, first, offset, length) in [
            ("UTF-16", &two[..], 0, 2),
            ("UTF-16", b"\xFE\xFF\x00\xFF", 2, 2),
            ("UTF-32", &four, 0, 4),
            ("UCS-2", &two, 0, 2),
        ] {
            let text = [first, tail].concat();
            for (a, b) in (0..=text.len()).flat_map(|b| (0..=b).map(move |a| (a, b))) {
                let error = error(from, "ISO-2022-JP", &[&text[..a], &text[a..b], &text[b..]]);
                let expected = (offset, length, ErrorKind::Unencodable(0xFF));
                let said = (error.offset, error.length, error.kind);
                assert_eq!(said, expected, "{from}: {text:02X?}, cut at {a} and {b}");
            }
        }
    }
}

/// If an ill-formed sequence came in two chunks, only the bytes of the second were substituted.
#[test]
fn what_stands_for_ill_formed_bytes_that_come_in_two_pieces() {
    let charset = |name| Charset::for_name(name).unwrap();
    let text = b"a\0\0\0\x81\xFF\xFF\xFFb\0\0\0";
    for cut in 0..=text.len() {
        let rules = Rules::default().with_byte(Some(Format::parse("<%02X>").unwrap()));
        let mut converter = Converter::new(charset("UCS-4LE"), charset("ASCII"), rules).unwrap();
        let mut out = Vec::new();
        converter.convert(&text[..cut], false, &mut out).unwrap();
        converter.convert(&text[cut..], true, &mut out).unwrap();
        assert_eq!(out.escape_ascii().to_string(), "a<81><FF><FF><FF>b", "cut at {cut}");
    }
}

/// `ê` and a mark after it were two characters, of which BIG5-HKSCS lacks the mark.
#[test]
fn two_code_points_that_are_one_character() {
    let charset = |name| Charset::for_name(name).unwrap();
    let text = "aê\u{304} ê\u{30C}Ê\u{304}Ê\u{30C}Êêê\u{304}日ê".as_bytes();
    let expected = b"a\x88\xA3 \x88\xA5\x88\x62\x88\x64\x88\x66\x88\xA7\x88\xA3\xA4\xE9\x88\xA7";
    for (a, b) in (0..=text.len()).flat_map(|b| (0..=b).map(move |a| (a, b))) {
        let (from, to) = (charset("UTF-8"), charset("BIG5-HKSCS"));
        let mut converter = Converter::new(from, to, Rules::default()).unwrap();
        let mut out = Vec::new();
        for (piece, last) in [(&text[..a], false), (&text[a..b], false), (&text[b..], true)] {
            converter.convert(piece, last, &mut out).unwrap();
        }
        assert_eq!(out.escape_ascii().to_string(), expected.escape_ascii().to_string());
    }
    // A mark after another letter.
    let lacked = error("UTF-8", "BIG5-HKSCS", &["ê".as_bytes(), "\u{301}".as_bytes()]);
    assert_eq!((lacked.kind, lacked.offset), (ErrorKind::Unencodable(0x301), 2));
}
