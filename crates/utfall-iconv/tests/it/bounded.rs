//! What a [`Descriptor`] reads and writes, on systems without glibc too.

use utfall_iconv::{Charset, Code, Converter, Descriptor, End, Rules};

fn open(from: &str, to: &str) -> Descriptor {
    let code = |name| Code::parse(name, "").unwrap();
    Descriptor::new(code(from), code(to), Rules::default()).unwrap()
}

/// Converts a text in calls with `window` bytes of input and `room` bytes of output.
fn in_pieces(from: &str, to: &str, text: &[u8], window: usize, room: usize) -> Vec<u8> {
    let mut descriptor = open(from, to);
    let (mut out, mut at, mut larger) = (Vec::new(), 0, 0);
    while at < text.len() {
        let end = text.len().min(at + window + larger);
        let mut space = vec![0; room + larger];
        let step = descriptor.step(&text[at..end], &mut space);
        assert!(matches!(step.end, End::Input | End::OutputFull | End::Incomplete), "{step:?}");
        out.extend_from_slice(&space[..step.written]);
        at += step.read;
        // More of both, until a character fits.
        larger = if step.read + step.written == 0 { larger + 1 } else { 0 };
        assert!(larger < 20, "{from} to {to}: no progress at {at}");
    }
    let mut space = [0; 16];
    let step = descriptor.finish(&mut space);
    assert_eq!(step.end, End::Input);
    out.extend_from_slice(&space[..step.written]);
    out
}

#[test]
fn the_sizes_of_the_buffers_do_not_change_the_output() {
    let text = "aé€日本ế😀+-";
    for to in ["UTF-8", "UTF-16", "UTF-32BE", "UTF-7", "GB18030", "ISO-2022-JP//TRANSLIT"] {
        let whole = in_pieces("UTF-8", to, text.as_bytes(), 100, 100);
        let charset = to.split('/').next().unwrap();
        let back = in_pieces(charset, "UTF-8", &whole, 100, 100);
        if charset == to {
            assert_eq!(back, text.as_bytes(), "{to}");
        }
        for (window, room) in (1..16).flat_map(|window| (1..16).map(move |room| (window, room))) {
            let pieces = in_pieces("UTF-8", to, text.as_bytes(), window, room);
            assert_eq!(pieces, whole, "to {to}: {window} to {room} bytes");
            let pieces = in_pieces(charset, "UTF-8", &whole, window, room);
            assert_eq!(pieces, back, "from {charset}: {window} to {room} bytes");
        }
    }
}

#[test]
fn charsets_with_states_work_with_buffers_of_any_size() {
    for (charset, text) in [
        ("EUC-TW", "a中文乂\u{20021}b"),
        ("ISO-2022-KR", "a한국\nb한"),
        ("ISO-2022-CN", "a中国漢\n漢a国b"),
        ("ISO-2022-CN-EXT", "a中丂¢漢\n漢a丂b"),
        ("ISO-2022-JP-2", "a日é가\n«€b"),
        ("ISO-2022-JP-3", "a日か゚俱か\næ̀𠂉b˩˥"),
        ("EUC-JISX0213", "a日か゚俱か\næ̀𠂉b˩˥"),
        ("SHIFT_JISX0213", "a日か゚俱か\næ̀𠂉b˩"),
        ("TSCII", "aஸ்ரீஜெக்ஷௌ\nகொகூஸ்ரெbக்ஷெ"),
        ("HZ", "a中~国\nb"),
        ("Shift_JIS/whatwg", "a日本\\ｱ"),
        ("Big5/whatwg", "a中b"),
        ("CESU-8", "aé😀日"),
        ("SCSU", "aéДa日本"),
        ("UTF-EBCDIC", "aé\n日"),
        ("UTF-16/iana", "aé😀"),
        ("x-mac-greek", "aάΩ"),
    ] {
        let whole = in_pieces("UTF-8", charset, text.as_bytes(), 100, 100);
        assert_eq!(in_pieces(charset, "UTF-8", &whole, 100, 100), text.as_bytes(), "{charset}");
        for (window, room) in (1..16).flat_map(|window| (1..16).map(move |room| (window, room))) {
            let pieces = in_pieces("UTF-8", charset, text.as_bytes(), window, room);
            assert_eq!(pieces, whole, "to {charset}: {window} to {room} bytes");
            let back = in_pieces(charset, "UTF-8", &whole, window, room);
            assert_eq!(back, text.as_bytes(), "from {charset}: {window} to {room} bytes");
        }
        let code = |name| Code::parse(name, "").unwrap();
        let mut converter =
            Converter::with_codes(code("UTF-8"), code(charset), Rules::default()).unwrap();
        for part in 0..2 {
            let mut out = Vec::new();
            for byte in text.as_bytes().chunks(1) {
                converter.convert(byte, false, &mut out).unwrap();
            }
            converter.convert(b"", true, &mut out).unwrap();
            assert_eq!(out, whole, "{charset}, text {part}");
            converter.next_text();
        }
    }
}

/// As glibc: a designation at the start, and SI at the end of a line with characters.
#[test]
fn designations() {
    let of = |charset, text: &str| in_pieces("UTF-8", charset, text.as_bytes(), 100, 100);
    assert_eq!(of("ISO-2022-KR", "a"), b"\x1B$)Ca");
    assert_eq!(of("ISO-2022-KR", "a한"), b"\x1B$)Ca\x0EGQ\x0F");
    assert_eq!(of("ISO-2022-CN", "中a"), b"\x1B$)A\x0EVP\x0Fa\x0F");
    assert_eq!(of("ISO-2022-CN", "中a\n"), b"\x1B$)A\x0EVP\x0Fa\n");
    assert_eq!(of("SHIFT_JISX0213", "a\\~¥"), b"a\\~\\");
    assert_eq!(of("ISO-2022-CN-EXT", "¢a"), b"\x1B$)E\x0E!i\x0Fa\x0F");
    // A sign of TSCII is read, though the next byte may change it, and so is its consonant.
    let mut descriptor = open("TSCII", "UTF-16BE");
    let mut out = [0; 8];
    let step = descriptor.step(b"a\xA6\x87", &mut out);
    assert_eq!((step.read, &out[..step.written], step.end), (3, &b"\0a"[..], End::Input));
    let step = descriptor.step(b"\xAA\xA6\xFF", &mut out);
    assert_eq!((step.read, step.written, step.end), (1, 8, End::OutputFull));
    assert_eq!(out, *b"\x0B\x95\x0B\xCD\x0B\xB7\x0B\xCC");
    let step = descriptor.step(b"\xA6\xFF", &mut out);
    assert_eq!((step.read, &out[..step.written], step.end), (1, &b"\x0B\xC6"[..], End::IllFormed));
    let step = descriptor.step(b"\xA8\x87", &mut out);
    assert_eq!((step.read, step.written, step.end), (2, 0, End::Input));
    let step = descriptor.finish(&mut out[..5]);
    assert_eq!((step.written, step.end), (4, End::OutputFull));
    let step = descriptor.finish(&mut out);
    assert_eq!((&out[..step.written], step.end), (&b"\x0B\xB7\x0B\xC8"[..], End::Input));
    // The web's Big5 decodes letters with marks, but does not encode them.
    for (window, room) in (1..4).flat_map(|window| (1..4).map(move |room| (window, room))) {
        let back = in_pieces("Big5/whatwg", "UTF-8", b"a\x88\x62b", window, room);
        assert_eq!(back, "aÊ̄b".as_bytes(), "{window} to {room} bytes");
    }
    // A replacement that cannot be written leaves the state.
    let mut descriptor = open("UTF-8", "ISO-2022-KR//TRANSLIT");
    let mut out = [0; 32];
    let step = descriptor.step("한".as_bytes(), &mut out);
    assert_eq!(step.written, 7);
    let step = descriptor.step("½".as_bytes(), &mut out[..2]);
    assert_eq!((step.written, step.end), (2, End::Input), "KS X 1001 has this character");
    let step = descriptor.step("Œ©".as_bytes(), &mut out[..3]);
    assert_eq!((step.read, step.end), (2, End::OutputFull));
}

/// The library's other encodings, and charsets of the web whose names glibc gives to others.
#[test]
fn every_charset_can_be_opened() {
    let mut names = std::collections::BTreeSet::new();
    for charset in Charset::all() {
        let name = charset.name();
        assert!(names.insert(name.to_ascii_uppercase()), "{name} is there twice");
        assert_eq!(Charset::for_name(name), Some(charset), "{name}");
        for alias in charset.other_names() {
            assert_eq!(Charset::for_name(alias), Some(charset), "{alias} of {name}");
        }
        let code = Code::parse(name, "").unwrap();
        let rules = Rules::default().with_skip(true);
        let mut descriptor = Descriptor::new(Code::parse("UCS-4", "").unwrap(), code, rules);
        let mut out = [0; 16];
        let step = descriptor.as_mut().unwrap().step(b"\0\0\0A", &mut out);
        let back = Descriptor::new(code, Code::parse("UTF-8", "").unwrap(), Rules::default());
        let step = back.unwrap().step(&out[..step.written], &mut [0; 16]);
        assert!(matches!(step.end, End::Input), "{name}: {step:?}");
    }
    assert!(names.len() > 300, "{}", names.len());
    for name in ["EUC-TW", "X-MAC-GREEK", "GB18030-2005", "ISO_6937", "BIG5/WHATWG", "SCSU"] {
        assert!(names.contains(name), "{name}");
    }
}

#[test]
fn a_transliteration_is_written_whole() {
    let mut descriptor = open("UTF-8", "ASCII//TRANSLIT");
    let mut out = [0; 4];
    let step = descriptor.step("ab€".as_bytes(), &mut out);
    assert_eq!((step.read, step.written, step.end), (2, 2, End::OutputFull));
    let step = descriptor.step("€".as_bytes(), &mut out);
    assert_eq!((step.read, step.written, step.irreversible, step.end), (3, 3, 1, End::Input));
    assert_eq!(&out[..3], b"EUR");
}

#[test]
fn errors_are_at_their_first_byte() {
    let mut out = [0; 9];
    let mut step = |from: &str, to: &str, text: &[u8]| {
        let step = open(from, to).step(text, &mut out);
        (step.read, step.written, step.end)
    };
    assert_eq!(step("UTF-8", "ASCII", b"a\xFFb"), (1, 1, End::IllFormed));
    assert_eq!(step("UTF-8", "ASCII", "aé".as_bytes()), (1, 1, End::Unencodable));
    assert_eq!(step("UTF-8", "ASCII", b"a\xC3"), (1, 1, End::Incomplete));
    assert_eq!(step("UTF-8", "ASCII//IGNORE", b"a\xFFb"), (3, 2, End::Ignored));
    assert_eq!(step("EUC-JP", "UTF-8", b"\xC6\xFC\xC6"), (2, 3, End::Incomplete));
    // The escape sequence has been read.
    assert_eq!(step("ISO-2022-JP", "UTF-8", b"\x1B$B\xFF"), (3, 0, End::IllFormed));
}

/// What CP1258 holds back is written by `finish`, and forgotten by `reset`.
#[test]
fn a_letter_that_is_held_back() {
    let mut descriptor = open("CP1258", "UTF-8");
    let mut out = [0; 8];
    let step = descriptor.step(b"a", &mut out);
    assert_eq!((step.read, step.written), (1, 0));
    assert_eq!(descriptor.finish(&mut []).end, End::OutputFull);
    assert_eq!(descriptor.finish(&mut out).written, 1);
    assert_eq!(descriptor.step(b"a", &mut out).written, 0);
    descriptor.reset();
    assert_eq!(descriptor.finish(&mut out).written, 0);
}

/// BIG5-HKSCS has characters for two letters with either of two marks, but no marks.
#[test]
fn a_letter_that_waits_for_a_mark() {
    let mut descriptor = open("UTF-8", "BIG5-HKSCS");
    let mut out = [0; 8];
    let mut step = |text: &str| {
        let step = descriptor.step(text.as_bytes(), &mut out);
        (out[..step.written].to_vec(), step.end)
    };
    assert_eq!(step("aÊ"), (b"a".to_vec(), End::Input));
    assert_eq!(step("\u{304}"), (b"\x88\x62".to_vec(), End::Input));
    assert_eq!(step("Ê"), (vec![], End::Input));
    assert_eq!(step("ê\u{30C}"), (b"\x88\x66\x88\xA5".to_vec(), End::Input));
    assert_eq!(step("êb"), (b"\x88\xA7b".to_vec(), End::Input));
    assert_eq!(step("ê"), (vec![], End::Input));
    assert_eq!(descriptor.finish(&mut [0]).end, End::OutputFull);
    assert_eq!(descriptor.finish(&mut out).written, 2);
    assert_eq!(out[..2], *b"\x88\xA7");
}

/// UTF-7 is read byte by byte: a call can stop after each of them, and an error is at the byte that shows it.
#[test]
fn utf_7_in_any_pieces() {
    let mut descriptor = open("UTF-7", "UTF-16BE");
    let mut out = [0; 8];
    let mut text = Vec::new();
    let mut left: &[u8] = b"+2DXcsw-+-\xE9";
    while let [.., _] = left {
        let window = &left[..left.len().min(2)];
        let step = descriptor.step(window, &mut out);
        text.extend_from_slice(&out[..step.written]);
        left = &left[step.read..];
        if step.end == End::IllFormed {
            break;
        }
    }
    assert_eq!((left, &*text), (&b"\xE9"[..], &b"\xD8\x35\xDC\xB3\0+"[..]));
    let mut step = |text: &[u8], to| {
        let step = open("UTF-7", to).step(text, &mut out);
        (step.read, step.end)
    };
    // Padding that is not zero, half a code unit, and half a pair.
    assert_eq!(step(b"+AOl-", "UTF-8"), (4, End::IllFormed));
    assert_eq!(step(b"+AO-", "UTF-8"), (3, End::IllFormed));
    assert_eq!(step(b"+2DUAYQ-", "UTF-8"), (4, End::IllFormed));
    // Half a pair is a character of no charset.
    assert_eq!(step(b"+3LM-", "UTF-8").1, End::Unencodable);
    assert_eq!(step(b"+3LM-", "UCS-4").1, End::Unencodable);
}

/// From UCS-4LE, glibc looks for a whole character first; from UCS-4, for space.
#[test]
fn no_space_for_half_a_character() {
    let end = |from: &str| open(from, "WCHAR_T").step(b"\0\0", &mut [0; 3]).end;
    assert_eq!(end("UCS-4LE"), End::Incomplete);
    assert_eq!(end("UCS-4"), End::OutputFull);
}

/// A BOM is written for each text, and selects the byte order of each.
#[test]
fn each_text_has_a_bom() {
    let mut descriptor = open("UTF-16", "UTF-32");
    let mut out = [0; 8];
    for text in [*b"\xFE\xFF\0a", *b"\xFF\xFEa\0"] {
        let step = descriptor.step(&text, &mut out);
        assert_eq!((step.read, step.written, step.end), (4, 8, End::Input));
        let expected = [0xFEFF_u32, 0x61].map(u32::to_ne_bytes).concat();
        assert_eq!(out[..], expected);
        assert_eq!(descriptor.finish(&mut out).written, 0);
    }
}
