//! Compares `utfall::explain` with the decoders: every encoding on every vector, and on every text
//! of the test data. Units must tile the input, and have the same code points and errors at the
//! same places.

use std::fs;
use std::path::{Path, PathBuf};

use utfall::explain::{Explainer, LOOK_AHEAD, Note, UnitKind};
use utfall::lines::Position;
use utfall::{Bom, Decoder, Encoding, Error, Granularity, Options, Status};
use utfall_oracle::{rounds, step, vectors};

use crate::common::{self, Random, testdata};

#[derive(Clone, Copy, Debug, PartialEq)]
enum Item {
    Point(u32),
    Ill(Error, Position),
}

/// The items found by a decoder.
fn decoded(encoding: Encoding, text: &[u8]) -> Vec<Item> {
    use Encoding as E;
    let options = Options::default().with_bom(Bom::Keep).with_granularity(match encoding {
        E::Utf8 | E::Utf8Rfc2279 | E::Utf8Rfc2044 | E::Unicode11Utf8 => Granularity::Perl,
        _ => Granularity::MaximalSubpart,
    });
    let mut decoder = Decoder::new(encoding, options).track_position();
    let (mut rest, mut items, mut points) = (text, Vec::new(), [0; 64]);
    loop {
        let progress = decoder.decode_to_code_points(rest, &mut points, true);
        rest = &rest[progress.read..];
        items.extend(points[..progress.written].iter().map(|point| Item::Point(*point)));
        match progress.status {
            Status::InputEmpty => return items,
            Status::OutputFull => {}
            Status::Error(error) => {
                items.push(Item::Ill(error, decoder.error_position().unwrap()));
            }
        }
    }
}

/// The items found by an explainer, with chunks of this length, or `LOOK_AHEAD` if it needs more.
fn explained(encoding: Encoding, text: &[u8], piece: usize) -> Vec<Item> {
    let mut explainer = Explainer::new(encoding);
    let (mut at, mut end, mut items, mut empty) = (0, 0, Vec::new(), 0);
    loop {
        let last = end == text.len();
        let Some(unit) = explainer.next(&text[at..end], last) else {
            if last {
                break;
            }
            assert!(end - at < LOOK_AHEAD, "{encoding}: {:02X?}", &text[at..end]);
            end = text.len().min(end + piece);
            continue;
        };
        assert_eq!((unit.offset as usize, unit.bytes), (at, &text[at..][..unit.bytes.len()]));
        at += unit.bytes.len();
        assert_eq!(explainer.offset() as usize, at);
        assert_eq!(unit.bits().count(), unit.bytes.len());
        // Must not loop at one place.
        empty = if unit.bytes.is_empty() { empty + 1 } else { 0 };
        assert!(empty < 4, "{encoding}: {text:02X?} at {at}");
        match unit.what {
            UnitKind::Character(point) => items.push(Item::Point(point)),
            UnitKind::Mark => items.push(Item::Point(0xFEFF)),
            UnitKind::IllFormed(error) => items.push(Item::Ill(error, unit.position)),
            _ => {}
        }
        check_bits(encoding, &unit);
    }
    assert_eq!(at, text.len(), "{encoding}: {text:02X?}");
    items
}

/// If there is a payload, it or the code units form the code point.
fn check_bits(encoding: Encoding, unit: &utfall::explain::Unit<'_>) {
    let UnitKind::Character(point) = unit.what else { return };
    // Unicode 1.1 numbers differ from the current ones, and two code units have an offset.
    if matches!(unit.note, Some(Note::Unicode11(_) | Note::Window(_) | Note::Tag(_))) {
        return;
    }
    let units = unit.code_units();
    match *units.as_slice() {
        [] => {}
        [one] => return assert_eq!(one, point, "{encoding}: {unit:02X?}"),
        [high, low] => {
            let joined = 0x1_0000 + ((high - 0xD800) << 10) + (low - 0xDC00);
            return assert_eq!(joined, point, "{encoding}: {unit:02X?}");
        }
        _ => panic!("{encoding}: {unit:02X?}"),
    }
    let (mut value, mut width) = (0_u64, 0);
    for bits in unit.bits() {
        let count = bits.payload.count_ones();
        assert_eq!(
            bits.payload >> bits.payload.trailing_zeros().min(7),
            ((1_u32 << count) - 1) as u8
        );
        let payload = u64::from(bits.value & bits.payload) >> bits.payload.trailing_zeros().min(7);
        (value, width) = (value << count | payload, width + count);
    }
    if width > 0 && unit.note.is_none() {
        assert_eq!(value, u64::from(point), "{encoding}: {unit:02X?}");
    }
}

/// The errors found when well-formed text is skipped: the same, at the same places.
fn problems(encoding: Encoding, text: &[u8], piece: usize) -> Vec<Item> {
    let mut explainer = Explainer::new(encoding);
    let (mut at, mut end, mut items) = (0, 0, Vec::new());
    loop {
        end = text.len().min(end.max(at) + piece);
        let last = end == text.len();
        loop {
            at += explainer.skip_well_formed(&text[at..end]);
            let Some(unit) = explainer.next(&text[at..end], last) else { break };
            at += unit.bytes.len();
            if let UnitKind::IllFormed(error) = unit.what {
                items.push(Item::Ill(error, unit.position));
            }
        }
        assert_eq!(explainer.offset() as usize, at);
        if last {
            assert_eq!(at, text.len(), "{encoding}: {text:02X?}");
            return items;
        }
    }
}

fn check(encoding: Encoding, text: &[u8]) {
    let wanted = decoded(encoding, text);
    for piece in [usize::MAX / 2, 1] {
        let items = explained(encoding, text, piece);
        assert_eq!(items, wanted, "{encoding}, pieces of {piece}: {text:02X?}");
    }
    let wanted: Vec<_> = wanted.into_iter().filter(|item| matches!(item, Item::Ill(..))).collect();
    for piece in [usize::MAX / 2, 7] {
        let items = problems(encoding, text, piece);
        assert_eq!(items, wanted, "{encoding}, pieces of {piece}: {text:02X?}");
    }
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => files(&path, found),
            false => found.push(path),
        }
    }
}

#[test]
fn every_vector_in_every_encoding() {
    let mut texts: Vec<_> = vectors::cases()
        .iter()
        .filter(|case| case.direction == "decode")
        .map(|case| vectors::bytes(&case.input))
        .collect();
    texts.sort();
    texts.dedup();
    assert!(texts.len() > 2000);
    for text in texts.iter().step_by(step(19)) {
        for encoding in common::encodings() {
            check(encoding, text);
        }
    }
}

#[test]
fn every_file_in_every_encoding() {
    let mut paths = Vec::new();
    files(&testdata(""), &mut paths);
    paths.sort();
    assert!(paths.len() > 20);
    let longest = 2000 / step(10);
    for path in paths {
        let text = fs::read(path).unwrap();
        for encoding in common::encodings() {
            check(encoding, &text[..text.len().min(longest)]);
        }
    }
}

/// Damaged text in each encoding.
#[test]
fn damaged_text() {
    let text = fs::read_to_string(testdata("UTF-8-demo.txt")).unwrap();
    let mut random = Random(6);
    for encoding in Encoding::ALL {
        let points: Vec<_> = text.chars().map(u32::from).collect();
        let mut bytes = Vec::new();
        for line in points.split_inclusive(|point| *point == 0x0A) {
            bytes.extend(common::encode_code_points(*encoding, line, 64, 64).unwrap_or_default());
        }
        bytes.truncate(6000);
        check(*encoding, &bytes);
        for _ in 0..bytes.len() / 40 {
            let at = random.below(bytes.len());
            bytes[at] = random.next() as u8;
        }
        check(*encoding, &bytes);
    }
}

#[test]
fn short_sequences() {
    let bytes = b"\x00+-&aIm/,\\\x80\xA0\xC0\xD8\xDC\xE2\xED\xF0\xFC\xFF\x1B$B\x0E\x0B";
    let mut random = Random(7);
    for _ in 0..rounds(4000, 20) {
        let length = random.below(12);
        let text: Vec<u8> = (0..length).map(|_| bytes[random.below(bytes.len())]).collect();
        for encoding in common::encodings() {
            check(encoding, &text);
        }
    }
}

/// RFC 2152's Base64 has `/` where IMAP's has `,`; the shift characters are `+` and `&`.
#[test]
fn a_character_of_a_run_has_code_units_and_bits() {
    for (encoding, text) in [(Encoding::Utf7, b"+AP/YPd4A-"), (Encoding::Utf7Imap, b"&AP,YPd4A-")] {
        let mut explainer = Explainer::new(encoding);
        let (mut at, mut seen) = (0, Vec::new());
        while let Some(unit) = explainer.next(&text[at..], true) {
            at += unit.bytes.len();
            if let UnitKind::Character(point) = unit.what {
                let bits = unit.bits().map(|bits| (bits.value, bits.width, bits.begins));
                seen.push((point, unit.code_units().as_slice().to_vec(), bits.collect::<Vec<_>>()));
            }
        }
        // 0000000011111111 1101100000111101 1101111000000000, in groups of six.
        let expected = [
            (0xFF, vec![0xFF], vec![(0, 6, Some(0)), (15, 6, None), (63, 6, Some(4))]),
            (
                0x1F600,
                vec![0xD83D, 0xDE00],
                vec![(24, 6, None), (15, 6, None), (29, 6, Some(2)), (56, 6, None), (0, 6, None)],
            ),
        ];
        assert_eq!(seen, expected, "{encoding}");
    }
}
