//! Boundaries between characters, incomplete sequences at the end, and order by code points: each
//! compared with what decoding one character at a time shows.

use std::cmp::Ordering;

use utfall::{Bom, ByteOrder, Decoder, Encoding, Family, Options, Policy, Status, compare};
use utfall_oracle::step;

/// Where the characters of a text begin, and where the last one ends.
fn starts(encoding: Encoding, bytes: &[u8]) -> Vec<usize> {
    let options = Options::default().with_bom(Bom::Keep);
    let mut decoder = Decoder::new(encoding, options);
    let (mut starts, mut read) = (vec![0], 0);
    loop {
        let progress = decoder.decode_to_code_points(&bytes[read..], &mut [0; 1], true);
        read += progress.read;
        match progress.status {
            Status::OutputFull => starts.push(read),
            Status::InputEmpty => break,
            Status::Error(error) => panic!("{encoding} {bytes:02X?}: {error}"),
        }
    }
    if starts.last() != Some(&bytes.len()) {
        starts.push(bytes.len());
    }
    starts
}

fn encode(encoding: Encoding, text: &str) -> Option<Vec<u8>> {
    encoding.encode_with(text, Options::default()).ok().map(|bytes| bytes.into_owned())
}

/// Characters of every length in every form, and those at their edges.
const EDGES: [char; 16] = [
    '\0',
    'a',
    '\u{7F}',
    '\u{80}',
    '\u{9F}',
    'ÿ',
    '\u{3FF}',
    '\u{400}',
    '\u{7FF}',
    '\u{800}',
    '\u{3FFF}',
    '\u{D7FF}',
    '\u{FFFD}',
    '\u{10000}',
    '\u{3FFFF}',
    '\u{10FFFF}',
];

fn check_boundaries(encoding: Encoding, bytes: &[u8]) {
    let boundaries = encoding.boundaries().unwrap();
    let starts = starts(encoding, bytes);
    for index in 0..=bytes.len() + 1 {
        let case = || format!("{encoding}, {index} of {bytes:02X?}");
        let is_boundary = starts.contains(&index);
        assert_eq!(boundaries.is_boundary(bytes, index), is_boundary, "{}", case());
        let floor = starts.iter().rfind(|start| **start <= index).unwrap();
        assert_eq!(boundaries.floor(bytes, index), *floor, "{}", case());
        let ceil = starts.iter().copied().find(|start| *start >= index).unwrap_or(bytes.len());
        assert_eq!(boundaries.ceil(bytes, index), ceil, "{}", case());
        if index <= bytes.len() && encoding != Encoding::Utf16 {
            let trimmed = encoding.trim_incomplete(&bytes[..index]);
            assert_eq!(trimmed.len(), *floor, "{}", case());
        }
    }
}

#[test]
fn boundaries_are_where_characters_begin() {
    let mut encodings = 0;
    for encoding in Encoding::ALL.iter().copied() {
        assert_eq!(encoding.boundaries().is_some(), encoding.info().is_self_synchronizing());
        let Some(boundaries) = encoding.boundaries() else { continue };
        encodings += 1;
        let clause = boundaries.clause();
        assert!(clause.contains(": ") && clause.len() < 100, "{encoding}: {clause:?}");
        let options = Options::default().with_bom(Bom::Strip);
        for a in EDGES {
            for b in EDGES {
                if let Some(bytes) = encode(encoding, &format!("{a}{b}{a}a")) {
                    check_boundaries(encoding, &bytes);
                }
            }
        }
        // No scalar value has a boundary inside.
        for c in ('\0'..=char::MAX).step_by(7 * step(17)) {
            let text = format!("a{c}a");
            let Ok(bytes) = encoding.encode_with(&text, options) else { continue };
            let unit = encoding.info().code_unit;
            let inside: Vec<_> = (unit..=bytes.len() - unit)
                .filter(|index| boundaries.is_boundary(&bytes, *index))
                .collect();
            assert_eq!(inside, [unit, bytes.len() - unit], "{encoding} {bytes:02X?}");
        }
    }
    let least = if cfg!(feature = "legacy") { 50 } else { 20 };
    assert!(encodings > least, "{encodings}");
}

/// In any bytes: the nearest boundary is near, and one of both sides.
#[test]
fn boundaries_of_ill_formed_text_are_near() {
    let bytes: Vec<u8> =
        (0..4096_u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8 | 0x80).collect();
    for encoding in Encoding::ALL.iter().copied() {
        let Some(boundaries) = encoding.boundaries() else { continue };
        for index in 0..=bytes.len() {
            let (floor, ceil) = (boundaries.floor(&bytes, index), boundaries.ceil(&bytes, index));
            assert!(floor <= index && index <= ceil, "{encoding}, {index}");
            assert!(index - floor <= 6 && ceil - index <= 6, "{encoding}, {index}");
        }
        assert_eq!(boundaries.floor(&bytes, usize::MAX), bytes.len());
        assert_eq!(boundaries.ceil(&bytes, usize::MAX), bytes.len());
    }
}

/// What is left decodes to the same, and what was cut off is no whole character.
#[test]
fn incomplete_sequences_are_trimmed() {
    let text = "aé日本語 😀 ελ кот~+&-Hi\r\n".repeat(3);
    let decode = |encoding, bytes: &[u8]| {
        let mut decoder = Decoder::new(encoding, Options::default());
        let mut points = vec![0; 4 * bytes.len()];
        let progress = decoder.decode_to_code_points(bytes, &mut points, false);
        assert_eq!(progress.status, Status::InputEmpty, "{encoding} {bytes:02X?}");
        points.truncate(progress.written);
        points
    };
    for encoding in Encoding::ALL.iter().copied() {
        let bytes = encoding.encode_with(&text, Options::both(Policy::Skip)).unwrap();
        for end in 0..=bytes.len() {
            let trimmed = encoding.trim_incomplete(&bytes[..end]);
            assert!(bytes.starts_with(trimmed) && end - trimmed.len() < 16, "{encoding} {end}");
            assert_eq!(
                decode(encoding, trimmed),
                decode(encoding, &bytes[..end]),
                "{encoding} {end}"
            );
        }
        // Ill-formed text goes through.
        let _ = encoding.trim_incomplete(b"\xFF\xFEa\xC3\xFF\xE2\x82");
    }
}

#[test]
fn texts_are_found_at_boundaries_only() {
    let text = "aāĀāaab\u{10000}\u{FFFF}ab 日本 aaab";
    for encoding in Encoding::ALL.iter().copied() {
        let Some(boundaries) = encoding.boundaries() else { continue };
        let options = Options::both(Policy::Skip).with_bom(Bom::Strip);
        let haystack = encoding.encode_with(text, options).unwrap();
        for needle in ["a", "ab", "aab", "aaab", "āa", "本 ", "\u{FFFF}", "zz", "b\u{10000}", "  "]
        {
            let needle = encoding.encode_with(needle, options).unwrap();
            let naive = (0..=haystack.len()).find(|at| {
                haystack[*at..].starts_with(&needle)
                    && boundaries.is_boundary(&haystack, *at)
                    && boundaries.is_boundary(&haystack, at + needle.len())
            });
            assert_eq!(boundaries.find(&haystack, &needle), naive, "{encoding} {needle:02X?}");
        }
    }
    // The second half of one unit and the first of the next are not a unit.
    let boundaries = Encoding::Utf16Le.boundaries().unwrap();
    assert_eq!(boundaries.find(b"\0a\0a\0b", b"a\0"), None);
    assert_eq!(boundaries.find(b"ab", b"a"), None);
    // Nor is half of a pair a character.
    assert_eq!(boundaries.find(b"\x3D\xD8\x00\xDE", b"\x00\xDE"), None);
}

#[test]
fn texts_are_found_at_every_place_and_length() {
    let boundaries = Encoding::Utf8.boundaries().unwrap();
    for needle in ["x", "xy", "x€", "€x€", "abcdefgh", "aaaaaaaaaaaaaaaab"] {
        for before in 0..40 {
            for after in [0, 1, 2, 7, 8, 9, 15, 16, 17, 40] {
                for around in ["a", "€", "bx", "x\u{20AB}"] {
                    let found =
                        format!("{}{needle}{}", around.repeat(before), around.repeat(after));
                    let place = boundaries.find(found.as_bytes(), needle.as_bytes());
                    assert_eq!(place, found.find(needle), "{found} {needle}");
                    let other = found.replace(needle, "q");
                    let place = boundaries.find(other.as_bytes(), needle.as_bytes());
                    assert_eq!(place, other.find(needle), "{other} {needle}");
                }
            }
        }
    }
}

/// A search that compared the needle at each place would take a minute.
#[test]
fn searches_of_repetitive_text_take_linear_time() {
    let (half, haystack) = ("a".repeat(200_000), "a".repeat(1_000_000));
    let needle = format!("{half}b{half}");
    let found = format!("{haystack}{needle}{half}");
    for encoding in [Encoding::Utf8, Encoding::Utf16Le, Encoding::Utf32Be] {
        let boundaries = encoding.boundaries().unwrap();
        let [haystack, needle, found] =
            [&haystack, &needle, &found].map(|text| encoding.encode(text).unwrap());
        assert_eq!(boundaries.find(&haystack, &needle), None, "{encoding}");
        assert_eq!(boundaries.find(&found, &needle), Some(haystack.len()), "{encoding}");
    }
}

#[test]
fn order_is_that_of_code_points() {
    let texts: Vec<String> = EDGES
        .iter()
        .flat_map(|a| EDGES.iter().map(move |b| format!("{a}{b}")))
        .chain(["".into(), "x".repeat(600), "x".repeat(599) + "y", "x".repeat(600) + "y"])
        .collect();
    let texts: Vec<&str> = texts.iter().map(|text| &**text).step_by(step(3)).collect();
    // Those that can encode all of it: the forms of Unicode, and GB 18030.
    let forms: Vec<(Encoding, Vec<Vec<u8>>)> = Encoding::ALL
        .iter()
        .filter_map(|form| {
            let encoded = texts.iter().map(|text| encode(*form, text)).collect::<Option<_>>();
            Some((*form, encoded?))
        })
        .collect();
    assert!(forms.len() > 20, "{}", forms.len());
    for (left, ones) in &forms {
        for (right, others) in &forms {
            for (at, one) in ones.iter().enumerate() {
                // Each text with every tenth one, and those beside it.
                let near = at.saturating_sub(1)..(at + 2).min(texts.len());
                for other in (at % 10..texts.len()).step_by(10).chain(near) {
                    assert_eq!(
                        compare(*left, one, *right, &others[other]),
                        Ok(texts[at].chars().cmp(texts[other].chars())),
                        "{left} {:?}, {right} {:?}",
                        texts[at],
                        texts[other]
                    );
                }
            }
        }
    }
    // An error counts only if nothing before it decides.
    let compare = |one: &[u8], other: &[u8]| compare(Encoding::Utf8, one, Encoding::Utf8, other);
    assert_eq!(compare(b"a\xFF", b"b"), Ok(Ordering::Less));
    assert_eq!(compare(b"a\xFF", b"a").unwrap_err().offset(), 1);
    assert_eq!(compare(b"a", b"a\xFF").unwrap_err().offset(), 1);
}

/// Bytes have the order of code points exactly where [`utfall::Info::code_point_order`] has a clause.
/// Charsets with tables have none, even if the code points of a table ascend. Nor has UTF-1, of
/// whose order ISO-IR-178 says nothing, and encodings with a BOM, which may be little-endian.
#[test]
fn the_order_of_bytes_is_that_of_code_points_where_a_clause_says_so() {
    let mut ordered = Vec::new();
    for encoding in Encoding::ALL.iter().copied() {
        let info = encoding.info();
        let options = Options::default().with_bom(Bom::Strip);
        let encode = |c: char| {
            let text = format!("a{c}a");
            encoding.encode_with(&text, options).ok().map(|bytes| bytes.into_owned())
        };
        let mut characters: Vec<char> = EDGES.to_vec();
        characters.extend(('\0'..=char::MAX).step_by(13 * step(17)));
        characters.sort_unstable();
        characters.dedup();
        let encoded: Vec<_> = characters.into_iter().filter_map(encode).collect();
        let ascends = encoded.is_sorted();
        if info.code_point_order.is_some() {
            assert!(ascends && encoded.len() >= 3, "{encoding}");
            ordered.push(encoding);
        } else if !matches!(info.family, Family::SingleByte | Family::Utf1)
            && info.byte_order != Some(ByteOrder::Marked)
            // A few characters of a small table may ascend by chance.
            && encoded.len() > 50
        {
            assert!(!ascends, "{encoding}: a clause is missing");
        }
    }
    let some = [Encoding::Utf8, Encoding::Utf32Be, Encoding::Bocu1, Encoding::Iso8859_1];
    assert!(some.iter().all(|encoding| ordered.contains(encoding)), "{ordered:?}");
}
