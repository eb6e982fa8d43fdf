//! Cases worked out by hand from the sentences of `docs/decisions.md`.

use utfall_oracle::{Item, decode, encode, names};

const fn p(point: u32) -> Item {
    Item::Point(point)
}

const fn ill(offset: usize, length: usize) -> Item {
    Item::Ill { offset, length }
}

#[track_caller]
fn decodes(name: &str, bytes: &[u8], expected: &[Item]) {
    let mut items = Vec::new();
    assert!(decode(name, bytes, &mut items), "{name}");
    assert!(items == expected, "{name} {bytes:02X?}: {items:X?}, not {expected:X?}");
}

#[track_caller]
fn encodes(name: &str, points: &[u32], expected: &[u8]) {
    let mut bytes = b"before".to_vec();
    assert_eq!(encode(name, points, &mut bytes), Ok(()), "{name} {points:X?}");
    assert_eq!(&bytes[6..], expected, "{name} {points:X?}");
}

#[track_caller]
fn refuses(name: &str, points: &[u32], index: usize) {
    let mut bytes = b"before".to_vec();
    let outcome = encode(name, points, &mut bytes);
    assert_eq!(outcome, Err(Some(index)), "{name} {points:X?}");
    assert_eq!(bytes, b"before");
}

#[test]
fn names_are_exact() {
    assert_eq!(names().len(), 33);
    let mut items = Vec::new();
    assert!(names().iter().all(|name| decode(name, b"", &mut items)));
    assert!(items.is_empty());
    for unknown in ["", "utf-8", "UTF-8 ", "UTF8"] {
        assert!(!decode(unknown, b"A", &mut items));
        assert_eq!(encode(unknown, &[0x41], &mut Vec::new()), Err(None));
    }
    for name in names() {
        encodes(name, &[], b"");
    }
}

#[test]
fn utf_8() {
    let name = "UTF-8";
    decodes(name, b"\xE2\x89\x41", &[ill(0, 2), p(0x41)]);
    decodes(name, b"\xF0\x80\x80\x41", &[ill(0, 1), ill(1, 1), ill(2, 1), p(0x41)]);
    decodes(name, b"\xF1\x80\x80", &[ill(0, 3)]);
    decodes(name, b"\xF4\x8F\xBF\xBF", &[p(0x10FFFF)]);
    decodes(name, b"\xF4\x90\x80", &[ill(0, 1), ill(1, 1), ill(2, 1)]);
    decodes(name, b"\xED\xA0\x80", &[ill(0, 1), ill(1, 1), ill(2, 1)]);
    decodes(name, b"\xC0\x80\xC1", &[ill(0, 1), ill(1, 1), ill(2, 1)]);
    decodes(
        name,
        b"\xF5\xF8\xFC\xFE\xFF",
        &[ill(0, 1), ill(1, 1), ill(2, 1), ill(3, 1), ill(4, 1)],
    );
    decodes(name, b"\xEF\xBB\xBFA", &[p(0xFEFF), p(0x41)]);
    refuses(name, &[0x41, 0xDFFF], 1);
    refuses(name, &[0x110000], 0);
}

#[test]
fn utf_8_of_the_older_memos() {
    let name = "UTF-8/RFC2279";
    decodes(name, b"\xF4\x90\x80\x80", &[p(0x110000)]);
    decodes(name, b"\xFD\xBF\xBF\xBF\xBF\xBF", &[p(0x7FFF_FFFF)]);
    decodes(name, b"\xFC\x84\x80\x80\x80A", &[ill(0, 5), p(0x41)]);
    decodes(name, b"\xFC\x83\xBF", &[ill(0, 1), ill(1, 1), ill(2, 1)]);
    decodes(name, b"\xED\xBF\xBF", &[ill(0, 1), ill(1, 1), ill(2, 1)]);
    decodes(name, b"\xFE\xFF", &[ill(0, 1), ill(1, 1)]);
    encodes(name, &[0x7FFF_FFFF], b"\xFD\xBF\xBF\xBF\xBF\xBF");
    refuses(name, &[0xD800, 0xDC00], 0);
    refuses(name, &[0x8000_0000], 0);

    let name = "UTF-8/RFC2044";
    decodes(name, b"\xC0\x80", &[p(0)]);
    decodes(name, b"\xFC\x80\x80\x80\x81\x81", &[p(0x41)]);
    decodes(name, b"\xE0\x80A", &[ill(0, 2), p(0x41)]);
    decodes(name, b"\xED\xA0\x80\xED\xB0\x80", &[p(0xD800), p(0xDC00)]);
    decodes(name, b"\x80\xFE\xFF", &[ill(0, 1), ill(1, 1), ill(2, 1)]);
    encodes(name, &[0, 0x20_0000], b"\0\xF8\x88\x80\x80\x80");
    refuses(name, &[0xDC00], 0);

    let name = "UTF-8/Perl";
    decodes(name, b"\xED\xA0\x80\xED\xB0\x80", &[p(0xD800), p(0xDC00)]);
    decodes(name, b"\xC1\xBF", &[ill(0, 1), ill(1, 1)]);
    decodes(name, b"\xFE\x83\x80", &[ill(0, 1), ill(1, 1), ill(2, 1)]);
    encodes(name, &[0xD800, 0xDC00], b"\xED\xA0\x80\xED\xB0\x80");
}

#[test]
fn surrogates_in_three_bytes() {
    let name = "CESU-8";
    decodes(name, b"\xED\xA0\x80\xED\xB0\x80", &[p(0x10000)]);
    decodes(name, b"\xED\xA0\x80\xED\xA0\x80\xED\xB0\x80", &[ill(0, 3), p(0x10000)]);
    decodes(name, b"\xED\xB0\x80\xED\xA0\x80", &[ill(0, 3), ill(3, 3)]);
    decodes(name, b"\xED\xA0\x80\xED\xB0", &[ill(0, 3), ill(3, 2)]);
    decodes(name, b"\xED\xA0A", &[ill(0, 2), p(0x41)]);
    decodes(name, b"\xF0\x90\x80\x80", &[ill(0, 1), ill(1, 1), ill(2, 1), ill(3, 1)]);
    decodes(name, b"\xC0\x80", &[ill(0, 1), ill(1, 1)]);
    encodes(name, &[0x10FFFF], b"\xED\xAF\xBF\xED\xBF\xBF");
    refuses(name, &[0xD800, 0xDC00], 0);

    let name = "MUTF-8";
    decodes(name, b"\x00\xC0\x80\xC0", &[ill(0, 1), p(0), ill(3, 1)]);
    decodes(name, b"\xC0\x81", &[ill(0, 1), ill(1, 1)]);
    decodes(name, b"\xED\xA0\x80\xED\xA0\x80\xED\xB0\x80", &[p(0xD800), p(0x10000)]);
    decodes(name, b"\xED\xB0\x80\xED\xA0\x80A", &[p(0xDC00), p(0xD800), p(0x41)]);
    decodes(name, b"\xF0\x90", &[ill(0, 1), ill(1, 1)]);
    encodes(name, &[0, 0x10000], b"\xC0\x80\xED\xA0\x80\xED\xB0\x80");
    encodes(name, &[0xD800, 0xDC00], b"\xED\xA0\x80\xED\xB0\x80");
    refuses(name, &[0x110000], 0);

    let name = "WTF-8";
    decodes(name, b"\xED\xA0\x80\xED\xA0\x80", &[p(0xD800), p(0xD800)]);
    decodes(name, b"\xED\xB0\x80\xED\xA0\x80", &[p(0xDC00), p(0xD800)]);
    decodes(
        name,
        b"\xED\xA0\x80\xED\xB0\x80\xED\xB0\x80",
        &[p(0xD800), ill(3, 1), ill(4, 1), ill(5, 1), p(0xDC00)],
    );
    decodes(name, b"\xED\xA0\x80\xED\x9F\xBF", &[p(0xD800), p(0xD7FF)]);
    decodes(name, b"\xF0\x90\x80\x80", &[p(0x10000)]);
    encodes(name, &[0xD800, 0xD800, 0xDC00], b"\xED\xA0\x80\xF0\x90\x80\x80");
}

#[test]
fn sixteen_bits() {
    let name = "UTF-16";
    decodes(name, b"\xFE\xFF\0A", &[p(0x41)]);
    decodes(name, b"\xFF\xFEA\0\xFF\xFE", &[p(0x41), p(0xFEFF)]);
    decodes(name, b"\0A", &[p(0x41)]);
    decodes(name, b"\xFE", &[ill(0, 1)]);
    encodes(name, &[0xFEFF, 0x10000], b"\xFE\xFF\xFE\xFF\xD8\0\xDC\0");
    refuses(name, &[0x41, 0xD800, 0xDC00], 1);

    let name = "UTF-16BE";
    decodes(name, b"\xFE\xFF", &[p(0xFEFF)]);
    decodes(name, b"\xD8\0\xD8\0\xDC\0\xDC\0", &[ill(0, 2), p(0x10000), ill(6, 2)]);
    decodes(name, b"\xD8\0A", &[ill(0, 3)]);
    decodes(name, b"\xDC\0A", &[ill(0, 2), ill(2, 1)]);
    decodes(name, b"\xD8\0", &[ill(0, 2)]);
    decodes("UTF-16LE", b"\0\xD8\0\xDC\0", &[p(0x10000), ill(4, 1)]);

    for name in ["ISO-10646-UCS-2", "UCS-2BE"] {
        decodes(name, b"\xD8\0\xDC\0", &[ill(0, 2), ill(2, 2)]);
        decodes(name, b"\xD8\0A", &[ill(0, 2), ill(2, 1)]);
        encodes(name, &[0x41, 0xFEFF], b"\0A\xFE\xFF");
        refuses(name, &[0x10000], 0);
        refuses(name, &[0xD800], 0);
    }
    encodes("UCS-2BE", &[0xFEFF, 0x41], b"\xFE\xFF\0A");
    encodes("ISO-10646-UCS-2", &[0xFEFF, 0x41], b"\xFE\xFF\xFE\xFF\0A");
    encodes("UNICODE-2-0", &[0xFEFF, 0x41], b"\xFE\xFF\xFE\xFF\0A");
    encodes("ISO-10646-UCS-4", &[0xFEFF], b"\0\0\xFE\xFF\0\0\xFE\xFF");
    decodes("ISO-10646-UCS-2", b"\xFF\xFEA\0", &[p(0x41)]);
    decodes("UCS-2LE", b"\xFF\xFEA\0", &[p(0xFEFF), p(0x41)]);

    decodes("UNICODE-2-0", b"\xFF\xFEA\0", &[p(0x41)]);
    encodes("UNICODE-2-0", &[0x41, 0x10000], b"\0A\xD8\0\xDC\0");
}

#[test]
fn thirty_two_bits() {
    for name in ["UTF-32", "ISO-10646-UCS-4"] {
        decodes(name, b"\0\0\xFE\xFF\0\0\0A", &[p(0x41)]);
        decodes(name, b"\xFF\xFE\0\0A\0\0\0\xFF\xFE\0\0", &[p(0x41), p(0xFEFF)]);
        decodes(name, b"\0\0\0A", &[p(0x41)]);
        decodes(name, b"\xFF\xFE", &[ill(0, 2)]);
    }
    let surrogates = b"\0\0\xD8\0\0\0\xDC\0\0";
    decodes("UTF-32", surrogates, &[ill(0, 4), ill(4, 4), ill(8, 1)]);
    decodes("ISO-10646-UCS-4", surrogates, &[p(0xD800), p(0xDC00), ill(8, 1)]);
    decodes("UTF-32BE", b"\0\0\xFE\xFF\0\x11\0\0", &[p(0xFEFF), ill(4, 4)]);
    decodes("UTF-32LE", b"\xFF\xFF\x10\0\0\0\0", &[p(0x10FFFF), ill(4, 3)]);
    decodes("UCS-4BE", b"\x7F\xFF\xFF\xFF\x80\0\0\0", &[p(0x7FFF_FFFF), ill(4, 4)]);
    decodes("UCS-4LE", b"\xFF\xFF\xFF\x7F", &[p(0x7FFF_FFFF)]);
    encodes("UTF-32", &[0xFEFF], b"\0\0\xFE\xFF\0\0\xFE\xFF");
    encodes("ISO-10646-UCS-4", &[0x110000], b"\0\x11\0\0");
    refuses("UTF-32", &[0x110000], 0);
    refuses("UTF-32", &[0xD800], 0);
    encodes("ISO-10646-UCS-4", &[0xD800], b"\0\0\xD8\0");
    refuses("UCS-4LE", &[0x8000_0000], 0);
}

#[test]
fn utf_7() {
    for name in ["UTF-7", "UTF-7/RFC1642"] {
        decodes(name, b"+-+-", &[p(0x2B), p(0x2B)]);
        decodes(name, b"+!+", &[ill(0, 1), p(0x21), ill(2, 1)]);
        decodes(name, b"\\~\0\x80\t", &[ill(0, 1), ill(1, 1), ill(2, 1), ill(3, 1), p(0x09)]);
        // One digit, two digits: no unit is complete.
        decodes(name, b"+A", &[ill(1, 1)]);
        decodes(name, b"+AO-", &[ill(1, 2)]);
        // Left-over bits that are not zero; six that are; the byte after a run.
        decodes(name, b"+AOl\\", &[p(0xE9), ill(3, 1), ill(4, 1)]);
        decodes(name, b"+AOkA.", &[p(0xE9), ill(3, 2), p(0x2E)]);
        decodes(name, b"+AOk\xFF", &[p(0xE9), ill(4, 1)]);
        // D801, alone, then before ABCDE, then before `x`.
        decodes(name, b"+2AE-", &[ill(1, 3)]);
        decodes(name, b"+2AHab9ze-", &[ill(1, 3), p(0xABCDE)]);
        decodes(name, b"+2AEAeA-", &[ill(1, 3), p(0x78)]);
        // A high surrogate pending with left-over bits after it: one.
        decodes(name, b"+2AEAA-", &[ill(1, 5)]);
        // DC00 DC00: the third digit holds bits of both.
        decodes(name, b"+3ADcAA", &[ill(1, 3), ill(3, 4)]);
        // No pair across two runs.
        decodes(name, b"+2AA-+3AA-", &[ill(1, 3), ill(6, 3)]);
        encodes(name, &[0x2B, 0xE9, 0x2B, 0x2D], b"+-+AOkAKw--");
        encodes(name, &[0xE9, 0x2E, 0xE9, 0x2F], b"+AOk.+AOk-/");
        encodes(name, &[0x5C, 0x7E, 0x7B], b"+AFwAfg{");
        refuses(name, &[0x41, 0xD800, 0xDC00], 1);
        refuses(name, &[0x110000], 0);
    }
}

/// Reports the rule, and the bit at which it is broken.
#[test]
fn rules_of_shifted_runs() {
    use utfall_oracle::shifted::{Reading, Rule as R, read};
    let faults = |name, bytes: &[u8], expected: &[(R, usize, usize, Option<usize>)]| {
        let found: Vec<_> = read(name, bytes)
            .unwrap()
            .into_iter()
            .filter_map(|reading| match reading {
                Reading::Point(_) => None,
                Reading::Fault(fault) => Some((fault.rule, fault.offset, fault.length, fault.bit)),
            })
            .collect();
        assert_eq!(found, expected, "{name}: {}", bytes.escape_ascii());
    };
    let name = "UTF-7";
    faults(name, b"\\~", &[(R::NotDirect, 0, 1, None), (R::NotDirect, 1, 1, None)]);
    faults(name, b"\0\x7F", &[(R::Control, 0, 1, None), (R::Control, 1, 1, None)]);
    faults(name, b"\x80\xFF", &[(R::EightBit, 0, 1, None), (R::EightBit, 1, 1, None)]);
    faults(name, b"+@+", &[(R::EmptyShift, 0, 1, None), (R::Truncated, 2, 1, None)]);
    // Padding of two bits after the first unit, of four after the second, none after the third.
    faults(name, b"+IKx-", &[(R::NonZeroPadding, 3, 1, Some(16))]);
    faults(name, b"+IKwgrD-", &[(R::NonZeroPadding, 6, 1, Some(32))]);
    faults(name, b"+IKwgrCCsA-", &[(R::DanglingDigit, 9, 1, Some(0))]);
    faults(name, b"+A-", &[(R::DanglingDigit, 1, 1, Some(0))]);
    faults(name, b"+AA-", &[(R::OddBytes, 1, 2, Some(0))]);
    faults(name, b"+IKwA-", &[(R::OddBytes, 3, 2, Some(16))]);
    faults(name, b"+IKwgrAA-", &[(R::OddBytes, 6, 2, Some(32))]);
    faults(name, b"+IKzYAAAu-", &[(R::HighSurrogate, 3, 4, Some(16))]);
    faults(name, b"+IKwgrNwA-", &[(R::LowSurrogate, 6, 3, Some(32))]);
    faults(name, b"+2AAA-", &[(R::HighSurrogate, 1, 4, Some(0))]);
    let name = "UTF-7-IMAP";
    faults(name, b"a\n\xE9", &[(R::Control, 1, 1, None), (R::EightBit, 2, 1, None)]);
    faults(name, b"&IKw", &[(R::Unterminated, 3, 1, None)]);
    faults(name, b"&IKw/", &[(R::SlashDigit, 3, 1, None)]);
    faults(name, b"&IKx/", &[(R::SlashDigit, 3, 1, Some(16))]);
    faults(name, b"&IKw-&IKw-", &[(R::NullShift, 5, 1, None)]);
    faults(name, b"&AGE-", &[(R::EncodedAscii, 1, 3, Some(0))]);
    faults(name, b"&IKwAYQ-", &[(R::EncodedAscii, 3, 4, Some(16))]);
}

#[test]
fn imap_mailbox_names() {
    let name = "UTF-7-IMAP";
    decodes(name, b"&-~\\+&", &[p(0x26), p(0x7E), p(0x5C), p(0x2B), ill(5, 1)]);
    decodes(name, b"\x1F\x7F\x80", &[ill(0, 1), ill(1, 1), ill(2, 1)]);
    decodes(name, b"&!", &[ill(0, 1), p(0x21)]);
    // Not closed, because of another byte or the end.
    decodes(name, b"&Jjo!", &[p(0x263A), ill(3, 1), p(0x21)]);
    decodes(name, b"&Jjo", &[p(0x263A), ill(3, 1)]);
    // One report per end of run.
    decodes(name, b"&Jjp!", &[p(0x263A), ill(3, 1), p(0x21)]);
    decodes(name, b"&Jjp-!", &[p(0x263A), ill(3, 1), p(0x21)]);
    decodes(name, b"&2AA", &[ill(1, 3)]);
    // A lone low surrogate does not count as a report of the end.
    decodes(name, b"&3AA", &[ill(1, 3), ill(3, 1)]);
    // Null shifts, after closed runs only.
    decodes(name, b"&Jjo-&Jjo-&Jjo-", &[p(0x263A), ill(5, 1), p(0x263A), ill(10, 1), p(0x263A)]);
    decodes(name, b"&Jjo-&-&Jjo-", &[p(0x263A), p(0x26), p(0x263A)]);
    decodes(name, b"&Jjo&Jjo-", &[p(0x263A), ill(3, 1), p(0x263A)]);
    decodes(name, b"&Jjo-&!", &[p(0x263A), ill(5, 1), p(0x21)]);
    // Printable US-ASCII, U+0061, between other units.
    decodes(name, b"&JjoAYSY6-", &[p(0x263A), ill(3, 4), p(0x263A)]);
    decodes(name, b"&ACY-", &[ill(1, 3)]);
    decodes(name, b"&AB8AfwCA-", &[p(0x1F), p(0x7F), p(0x80)]);
    encodes(name, &[0x263A, 0x26, 0x263A, 0x2D], b"&Jjo-&-&Jjo--");
    encodes(name, &[0x0A, 0x7F, 0x20], b"&AAoAfw- ");
    refuses(name, &[0xDC00], 0);
}

#[test]
fn utf_1() {
    let name = "ISO-10646-UTF-1";
    decodes(name, b"\x7F\x9F\xA0\xA0\xA0\xFF", &[p(0x7F), p(0x9F), p(0xA0), p(0xFF)]);
    decodes(name, b"\xA0\x9F\xA0", &[ill(0, 1), p(0x9F), ill(2, 1)]);
    decodes(name, b"\xA1\x21\xA1\xFF\xF5\xFF", &[p(0x100), p(0x1BD), p(0x4015)]);
    decodes(name, b"\xF6\x21\x21\xFB\xFF\xFF", &[p(0x4016), p(0x38E2D)]);
    decodes(name, b"\xFC\x21\x21\x21\x21", &[p(0x38E2E)]);
    decodes(name, b"\xFD\x21\x7F", &[ill(0, 2), p(0x7F)]);
    decodes(name, b"\xFD\xFF\xFF\xFF\xFF", &[ill(0, 5)]);
    decodes(name, b"\xFE\xFF\x21", &[ill(0, 1), ill(1, 1), p(0x21)]);
    encodes(name, &[0x7FFF_FFFF, 0x41], b"\xFD\xBD\x2B\xB9\x40\x41");
    decodes(name, b"\xFD\xBD\x2B\xB9\x40\xFD\xBD\x2B\xB9\x41", &[p(0x7FFF_FFFF), ill(5, 5)]);
    // D800 minus 4016 is 97EA, which is 1, 15 and 150 to the base 190.
    decodes(name, b"\xF7\x30\xD8\x41", &[ill(0, 3), p(0x41)]);
    refuses(name, &[0xD800], 0);
    refuses(name, &[0x8000_0000], 0);
}

#[test]
fn utf_ebcdic() {
    for (name, line_feed, next_line) in
        [("UTF-EBCDIC", 0x15, 0x25), ("UTF-EBCDIC/CDRA", 0x25, 0x15)]
    {
        encodes(name, &[0x41, 0x0A, 0x85], &[0xC1, line_feed, next_line]);
        decodes(name, &[0xC1, line_feed, next_line], &[p(0x41), p(0x0A), p(0x85)]);
    }
    let name = "UTF-EBCDIC";
    // I8 F9 A1 BF BF BF and F9 A2.
    decodes(name, b"\xEE\x42\x73\x73\x73", &[p(0x10FFFF)]);
    decodes(name, b"\xEE\x43", &[ill(0, 1), ill(1, 1)]);
    // I8 C4 A0, C5 A0, C5 and 41.
    decodes(name, b"\x78\x41", &[ill(0, 1), ill(1, 1)]);
    decodes(name, b"\x80\x41", &[p(0xA0)]);
    decodes(name, b"\x80\xC1", &[ill(0, 1), p(0x41)]);
    // I8 F1 B6 A0 A0 would be D800; F1 B5 BF is the beginning of D7E0.
    decodes(name, b"\xDD\x65\x41\x41", &[ill(0, 1), ill(1, 1), ill(2, 1), ill(3, 1)]);
    decodes(name, b"\xDD\x64\x73", &[ill(0, 3)]);
    // I8 E0, FA to FF.
    decodes(name, b"\xB7\xEF\xFA\xFE", &[ill(0, 1), ill(1, 1), ill(2, 1), ill(3, 1)]);
    refuses(name, &[0xDFFF], 0);
}

#[test]
fn scsu() {
    let name = "SCSU";
    decodes(name, b"\x0CA\x0F\xF2\0A", &[ill(0, 1), p(0x41), ill(3, 1), p(0x41)]);
    // Reserved window offsets, in both modes, change neither window nor mode.
    decodes(name, b"\x18\0\x1F\xA8\xC1", &[ill(0, 2), ill(2, 2), p(0xC1)]);
    decodes(name, b"\x0F\xE9\xF8\0A", &[ill(1, 2), p(0x41)]);
    decodes(name, b"\x18\xF9\x80\x18\xA7\xFF", &[p(0xC0), p(0xFFFF)]);
    // Cut off.
    for bytes in [&b"\x01"[..], b"\x18", b"\x0B", b"\x0B\xE1", b"\x0E", b"\x0EA"] {
        decodes(name, bytes, &[ill(0, bytes.len())]);
    }
    for bytes in
        [&b"\x0FA"[..], b"\x0F\xE8", b"\x0F\xF1", b"\x0F\xF1\xE1", b"\x0F\xF0", b"\x0F\xF0A"]
    {
        decodes(name, bytes, &[ill(1, bytes.len() - 1)]);
    }
    // Surrogates: pairs of every form, and lone ones.
    decodes(name, b"\x0E\xD8\0\x0E\xDC\0", &[p(0x10000)]);
    decodes(name, b"\x0F\xD8\0\xDC\0\xD8\0\xF0\xDC\0\xF0\xD8\0\xDC\0", &[p(0x10000); 3]);
    decodes(name, b"\x0E\xD8\0\x0F\xDC\0", &[ill(0, 3), ill(4, 2)]);
    decodes(name, b"\x0F\xD8\0\xE0\x0E\xDC\0A", &[ill(1, 2), ill(4, 3), p(0x41)]);
    decodes(name, b"\x0F\xF0\xD8\0\xD8\0\xDC\0", &[ill(1, 3), p(0x10000)]);
    decodes(name, b"\x0E\xD8\0\xC1", &[ill(0, 3), p(0xC1)]);
    decodes(name, b"\x0F\xD8\0\xDC", &[ill(1, 2), ill(3, 1)]);
    decodes(name, b"\x0F\xD8\0\xF0\xDC", &[ill(1, 2), ill(3, 2)]);
    decodes(name, b"\x0E\xD8\0\x0E\xDC", &[ill(0, 3), ill(3, 2)]);
    // Quotes: static and movable windows; the active one does not change.
    decodes(name, b"\x02\x01\x03\x80\xC1", &[p(0x81), p(0x400), p(0xC1)]);
    decodes(name, b"\x0B\xFF\xFF\xFF", &[p(0x10FFFF)]);
    encodes(name, &[0x01, 0x0A, 0xFF, 0x100], b"\x01\x01\x0A\xFF\x0E\x01\0");
    refuses(name, &[0xD800, 0xDC00], 0);
}

#[test]
fn bocu_1() {
    let name = "BOCU-1";
    // A space does not change the state, other controls and FF reset it.
    decodes(
        name,
        b"\xD0\x6C \xB6\xD0\x6C\x0A\x91\xFF\x91",
        &[
            p(0xDF),
            p(0x20),
            p(0xE6),
            // From C0 on.
            p(0x15F),
            p(0x0A),
            p(0x41),
            p(0x41),
        ],
    );
    // Bytes that cannot be trail bytes.
    for byte in [0x00, 0x07, 0x0F, 0x1A, 0x1B, 0x20] {
        decodes(name, &[0xD0, byte, 0x91], &[ill(0, 2), p(0x41)]);
        decodes(name, &[0xFB, 0x21, byte, 0x91], &[ill(0, 3), p(0x41)]);
    }
    // FF can.
    decodes(name, b"\xD0\xFF", &[p(0x40 + 64 + 242)]);
    // The state is reset after an ill-formed sequence.
    decodes(name, b"\xD0\x6C\xD0\x00\x91", &[p(0xDF), ill(2, 2), p(0x41)]);
    decodes(name, b"\xFE\x21\x21", &[ill(0, 3)]);
    decodes(name, b"\x21\x21\x21\x21\x91", &[ill(0, 4), p(0x41)]);
    // Below 0, above 10FFFF, a surrogate.
    decodes(name, b"\x4F\xFF", &[ill(0, 2)]);
    decodes(name, b"\xFE\x19\xB4\x55", &[ill(0, 4)]);
    decodes(name, b"\xFB\xC5\x55", &[ill(0, 3)]);
    refuses(name, &[0x41, 0xD841], 1);
}

#[test]
fn hangul_from_before_amendment_5() {
    for (name, modern) in [
        ("UNICODE-1-1-UTF-8", "UTF-8"),
        ("UNICODE-1-1-UTF-7", "UTF-7"),
        ("UNICODE-1-1", "UNICODE-2-0"),
    ] {
        let old = [0x33FF, 0x3400, 0x384E, 0x40BC, 0x436C, 0x4DFF, 0x4E00, 0xAC00, 0xD7A3, 0x1F600];
        let new = [0x33FF, 0xAC00, 0xC0A3, 0xC0A4, 0xCF6A, 0xBB5D, 0x4E00, 0xAC00, 0xD7A3, 0x1F600];
        let mut bytes = Vec::new();
        assert_eq!(encode(modern, &old, &mut bytes), Ok(()));
        decodes(name, &bytes, &new.map(p));

        bytes.clear();
        assert_eq!(encode(modern, &old[..7], &mut bytes), Ok(()));
        encodes(name, &new[..7], &bytes);
        refuses(name, &[0x41, 0x3400], 1);
        refuses(name, &[0xAC00, 0xD7A3], 1);
        refuses(name, &[0xD800, 0xD7A3], 0);
        // The three errors: the syllable that UnicodeData-1.1.5 had at 436C has no code point.
        refuses(name, &[0xCF6B], 0);
    }
    decodes("UNICODE-1-1", b"\xFF\xFE\0\x34", &[p(0xAC00)]);
    decodes("UNICODE-2-0", b"\x34\0", &[p(0x3400)]);
}

#[test]
fn single_bytes() {
    decodes("US-ASCII", b"\0\x7F\x80\xFF", &[p(0), p(0x7F), ill(2, 1), ill(3, 1)]);
    decodes("ISO-8859-1", b"\0\x7F\x80\xFF", &[p(0), p(0x7F), p(0x80), p(0xFF)]);
    encodes("ISO-8859-1", &[0xFF], b"\xFF");
    refuses("US-ASCII", &[0x7F, 0x80], 1);
    refuses("ISO-8859-1", &[0xFF, 0x100], 1);
}
