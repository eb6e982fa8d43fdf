//! Encoding and decoding against each other, and UTF-8 against the standard
//! library.

use utfall_oracle::{Item, decode, encode, names, rounds, step};

/// Every scalar value that an encoding can carry survives a round trip, between letters so that
/// runs, windows and differences begin and end.
#[test]
fn every_scalar_value() {
    let (mut bytes, mut items) = (Vec::new(), Vec::new());
    for name in names() {
        let mut carried = 0;
        for point in (0..=0x10FFFF).filter(|point| !(0xD800..=0xDFFF).contains(point)) {
            let points = [0x41, point, 0xE9, point, 0x42];
            let points = if matches!(*name, "US-ASCII") { &points[..2] } else { &points[..] };
            bytes.clear();
            match encode(name, points, &mut bytes) {
                Ok(()) => carried += 1,
                Err(index) => {
                    assert_eq!(index, Some(1), "{name} {point:X}");
                    continue;
                }
            }
            items.clear();
            decode(name, &bytes, &mut items);
            let expected = points.iter().map(|&point| Item::Point(point));
            assert!(items.iter().copied().eq(expected), "{name} {point:X} {bytes:02X?} {items:X?}");
        }
        let all = 0x110000 - 0x800;
        let expected = match *name {
            "US-ASCII" => 0x80,
            "ISO-8859-1" => 0x100,
            "ISO-10646-UCS-2" | "UCS-2LE" | "UCS-2BE" => 0x10000 - 0x800,
            // The old code points, and the syllables that had none.
            name if name.starts_with("UNICODE-1-1") => all - 6656 - (11172 - 6656),
            _ => all,
        };
        assert_eq!(carried, expected, "{name}");
    }
}

/// All code points in one text: the effect of each on the next.
#[test]
fn all_scalar_values_in_sequence() {
    for name in names() {
        let mut scratch = Vec::new();
        let carried = |point: &u32| {
            scratch.clear();
            let scalar = char::from_u32(*point).is_some();
            scalar && encode(name, &[*point], &mut scratch).is_ok()
        };
        // In order, then with steps of every size.
        let mirrored = (0..=0x10FFFF_u32).map(|point| point.reverse_bits() >> 11);
        let points: Vec<u32> = (1..=0x10FFFF).chain(mirrored).filter(carried).collect();
        let (mut bytes, mut items) = (Vec::new(), Vec::new());
        assert_eq!(encode(name, &points, &mut bytes), Ok(()), "{name}");
        decode(name, &bytes, &mut items);
        let expected = points.iter().map(|&point| Item::Point(point));
        assert!(items.iter().copied().eq(expected), "{name}");
    }
}

/// Values above 10FFFF, where they exist, at the limits and in between.
#[test]
fn values_of_31_bits() {
    for name in [
        "UTF-8/RFC2279",
        "UTF-8/RFC2044",
        "UTF-8/Perl",
        "ISO-10646-UTF-1",
        "ISO-10646-UCS-4",
        "UCS-4LE",
        "UCS-4BE",
    ] {
        let limits = (0..31).flat_map(|bit| [(1 << bit) - 1, 1 << bit, 0x7FFF_FFFF - (1 << bit)]);
        for point in limits.chain((0x110000..=0x7FFF_FFFF).step_by(4001)) {
            let (mut bytes, mut items) = (Vec::new(), Vec::new());
            assert_eq!(encode(name, &[point], &mut bytes), Ok(()), "{name} {point:X}");
            decode(name, &bytes, &mut items);
            assert_eq!(items, [Item::Point(point)], "{name}");
        }
    }
}

/// The standard library's chunks are maximal subparts as well.
#[test]
fn utf_8_like_the_standard_library() {
    let mut items = Vec::new();
    let mut expected = Vec::new();
    let mut check = |bytes: &[u8]| {
        items.clear();
        decode("UTF-8", bytes, &mut items);
        expected.clear();
        let mut offset = 0;
        for chunk in bytes.utf8_chunks() {
            expected.extend(chunk.valid().chars().map(|char| Item::Point(char.into())));
            offset += chunk.valid().len();
            let length = chunk.invalid().len();
            if length > 0 {
                expected.push(Item::Ill { offset, length });
                offset += length;
            }
        }
        assert_eq!(items, expected, "{bytes:02X?}");
    };
    // Every three bytes, then four or five at the edges of the table.
    for bits in (0..1_u32 << 24).step_by(step(997)) {
        check(&bits.to_be_bytes()[1..]);
    }
    let edges = [
        0x00, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xED,
        0xEF, 0xF0, 0xF3, 0xF4, 0xF5, 0xFF,
    ];
    for a in edges {
        for b in edges {
            for c in edges {
                for d in edges {
                    check(&[a, b, c, d]);
                    check(&[a, b, c, d, 0x80]);
                }
            }
        }
    }
}

/// For any bytes, ill-formed sequences are inside the input, in order and separate. If there are
/// none, the decoded text is encoded to bytes that decode to the same text.
#[test]
fn any_bytes() {
    // Bytes that are special in some encoding.
    let alphabet = b"AZaz09+-/,&.\\~ \n\0\x01\x06\x0B\x0C\x0E\x0F\x10\x18\x1F\x20\x21\x22\x25\x34\x50\x60\x67\x68\x74\x7E\x7F\x80\x90\x9F\xA0\xA1\xB0\xB6\xBF\xC0\xC2\xD0\xD8\xDC\xDF\xE0\xE8\xED\xF0\xF1\xF2\xF4\xF6\xF8\xFB\xFC\xFD\xFE\xFF";
    let mut seed = 1_u64;
    let mut random = |below: usize| {
        // Numerical Recipes' constants.
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (seed >> 33) as usize % below
    };
    let (mut bytes, mut items, mut again) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..rounds(300_000, 100) {
        let length = random(9);
        bytes.clear();
        bytes.extend((0..length).map(|_| alphabet[random(alphabet.len())]));
        for name in names() {
            items.clear();
            decode(name, &bytes, &mut items);
            let shares = name.contains("UTF-7");
            let mut end = 0;
            let mut points = Vec::new();
            for &item in &items {
                match item {
                    Item::Point(point) => points.push(point),
                    Item::Ill { offset, length } => {
                        let apart = offset >= end || shares && offset + 1 == end;
                        assert!(length > 0 && apart, "{name} {bytes:02X?} {items:X?}");
                        end = offset + length;
                    }
                }
            }
            assert!(end <= bytes.len(), "{name} {bytes:02X?} {items:X?}");

            let refused = match *name {
                "UTF-8/RFC2044" => 0xD800..0xE000,
                name if name.starts_with("UNICODE-1-1") => 0xAC00..0xD7A4,
                _ => 0..0,
            };
            if points.len() < items.len() || points.iter().any(|point| refused.contains(point)) {
                continue;
            }
            again.clear();
            assert_eq!(encode(name, &points, &mut again), Ok(()), "{name} {bytes:02X?}");
            let mut items_again = Vec::new();
            decode(name, &again, &mut items_again);
            assert_eq!(items_again, items, "{name} {bytes:02X?} {again:02X?}");
        }
    }
}
