//! Single-byte charsets: every table of kernels against the entries of the charset, one at a time.

use crate::support::{Output, Random};
use utfall_oracle::{rounds, step};
use utfall_simd::single_byte::{Entries, Inverse, NONE, Page, Table};
use utfall_simd::{Kernels, Layout, Lossy, dispatch};

/// A charset from a function of its bytes.
macro_rules! charset {
    ($name:ident, $more:expr, |$byte:ident| $unit:expr) => {
        static $name: Table = {
            const UNITS: [u16; 256] = {
                let mut units = [0; 256];
                let mut $byte = 0_u16;
                while $byte < 256 {
                    units[$byte as usize] = $unit;
                    $byte += 1;
                }
                units
            };
            const INVERSE: Inverse = Inverse::new(&UNITS, $more);
            static PAGES: [Page; INVERSE.count()] = INVERSE.pages();
            static ENTRIES: Entries = Entries::new(&UNITS, &INVERSE);
            Table::new(&ENTRIES, &PAGES)
        };
    };
}

// Letters of two bytes in UTF-8 in one window, and a few others of two and three.
charset!(CYRILLIC, &[], |byte| match byte {
    0x80..=0x8F => 0x2500 + 16 * byte,
    0x90..=0x9F => 0xA0 + byte,
    0xA0..=0xFF => 0x400 + byte - 0xA0,
    _ => byte,
});
// Letters on several pages, holes, and characters that two bytes have.
charset!(MIXED, &[(0x203E, 0xA5), (0x2D, 0x2D)], |byte| match byte {
    0x85 | 0xF5..=0xFF => NONE,
    0x86 | 0x87 => 0x20AC,
    0x88 => 0xFFFC,
    0x89 => 0xFDFF,
    0x80..=0xBF => byte,
    0xC0..=0xE0 => 0x100 + 5 * (byte - 0xC0),
    0xE1..=0xF4 => 0x380 + 7 * (byte - 0xE1),
    _ => byte,
});
// Letters of three bytes, of which no window has any.
charset!(THAI, &[], |byte| match byte {
    0xA1..=0xDA | 0xDF..=0xFB => 0xE00 + byte - 0xA0,
    0x80 => 0x20AC,
    0x00..=0x7F => byte,
    _ => NONE,
});
// US-ASCII in other places, and not all of it.
charset!(EBCDIC, &[(0x3B1, 0xFF)], |byte| match byte {
    0x00..=0x3F => byte ^ if byte > 0x1F { 0x20 } else { 0 },
    0x40..=0xBF => 0xFF - byte,
    0xC0..=0xE0 => 0x100 + byte,
    _ => NONE,
});

const CHARSETS: [&Table; 4] = [&CYRILLIC, &MIXED, &THAI, &EBCDIC];

const FORMS: [Layout; 6] = Layout::ALL;

/// A code point in a form, which has it.
fn put(form: Layout, point: u32, bytes: &mut Vec<u8>) {
    let scalar = char::from_u32(point).unwrap();
    match form {
        Layout::Utf8 => bytes.extend(scalar.encode_utf8(&mut [0; 4]).bytes()),
        Layout::Utf16Le => {
            bytes.extend(
                scalar.encode_utf16(&mut [0; 2]).iter().flat_map(|unit| unit.to_le_bytes()),
            );
        }
        Layout::Utf16Be => {
            bytes.extend(
                scalar.encode_utf16(&mut [0; 2]).iter().flat_map(|unit| unit.to_be_bytes()),
            );
        }
        Layout::Utf32Le => bytes.extend(point.to_le_bytes()),
        Layout::Utf32Be => bytes.extend(point.to_be_bytes()),
        Layout::Latin1 => bytes.push(point as u8),
    }
}

fn has(form: Layout, point: u32) -> bool {
    form != Layout::Latin1 || point <= 0xFF
}

/// The expected conversion into `room` bytes.
fn decoded(table: &Table, form: Layout, src: &[u8], room: usize, lossy: bool) -> (Lossy, Vec<u8>) {
    let (mut done, mut bytes) = (Lossy::default(), Vec::new());
    for byte in src {
        let unit = table.code_point(*byte);
        let point = u32::from(unit.unwrap_or(0xFFFD));
        let before = bytes.len();
        if unit.is_none() && !lossy || !has(form, point) {
            break;
        }
        put(form, point, &mut bytes);
        if bytes.len() > room {
            bytes.truncate(before);
            break;
        }
        done.read += 1;
        done.replaced += usize::from(unit.is_none());
    }
    (Lossy { written: bytes.len(), ..done }, bytes)
}

fn check_decoding(table: &Table, src: &[u8], room: usize, shift: usize) {
    for form in FORMS {
        let (strict, bytes) = decoded(table, form, src, room, false);
        let (lossy, lossy_bytes) = decoded(table, form, src, room, true);
        for kernels in dispatch::available() {
            let what = || format!("{kernels:?} to {form:?}, space for {room}: {src:02X?}");
            let mut output = Output::new(room);
            let got = kernels.convert_from_table(table, form, src, output.room(room, shift));
            assert_eq!(got, (strict.read, strict.written), "{}", what());
            assert_eq!(output.written(got.1), bytes, "{}", what());
            assert!(output.is_untouched(), "{}", what());
            let got = kernels.convert_from_table_lossy(table, form, src, output.room(room, shift));
            let Some(got) = got else { continue };
            assert_eq!(got, lossy, "{}", what());
            assert_eq!(output.written(got.written), lossy_bytes, "{}", what());
            assert!(output.is_untouched(), "{}", what());
        }
    }
}

/// The code points of well-formed text before an ill-formed or truncated sequence, with the
/// offset at which each begins.
fn points(form: Layout, src: &[u8]) -> Vec<(u32, usize)> {
    let scalar = dispatch::scalar();
    let sound = scalar.prefix(form, src);
    let mut utf32 = vec![0; 4 * sound];
    let (_, written) = scalar.convert(form, Layout::Utf32Le, &src[..sound], &mut utf32);
    let mut at = 0;
    let points = utf32[..written].as_chunks().0.iter().map(|bytes| u32::from_le_bytes(*bytes));
    points
        .map(|point| {
            let mut bytes = Vec::new();
            put(form, point, &mut bytes);
            at += bytes.len();
            (point, at - bytes.len())
        })
        .chain([(u32::MAX, sound)])
        .collect()
}

fn check_encoding(table: &Table, form: Layout, src: &[u8], room: usize, shift: usize) {
    let points = points(form, src);
    let bytes: Vec<u8> =
        points.iter().map_while(|(point, _)| table.byte_of(*point)).take(room).collect();
    let read = points[bytes.len()].1;
    for kernels in dispatch::available() {
        let what = || format!("{kernels:?} from {form:?}, space for {room}: {src:02X?}");
        let mut output = Output::new(room);
        let got = kernels.convert_to_table(form, table, src, output.room(room, shift));
        assert_eq!(got, (read, bytes.len()), "{}", what());
        assert_eq!(output.written(got.1), bytes, "{}", what());
        assert!(output.is_untouched(), "{}", what());
    }
}

/// Bytes in runs: US-ASCII, characters, and few or many holes.
fn bytes(random: &mut Random, table: &Table, length: usize, holes: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    while bytes.len() < length {
        let count = random.one_of(&[1, 1, 2, 3, 6, 40, 130]);
        let ascii = random.below(2) == 0;
        for _ in 0..count {
            let byte = random.below(0x80) as u8 | if ascii { 0 } else { 0x80 };
            if table.code_point(byte).is_some() || random.below(100) < holes {
                bytes.push(byte);
            }
        }
    }
    bytes.truncate(length);
    bytes
}

fn lengths(random: &mut Random, round: usize) -> usize {
    if round.is_multiple_of(2) { random.below(80) } else { random.below(500) }
}

#[test]
fn mixtures_are_decoded() {
    let mut random = Random(0x5EED_0011);
    for round in 0..rounds(6000, 20) {
        let table = CHARSETS[round % CHARSETS.len()];
        let length = lengths(&mut random, round);
        let holes = random.one_of(&[0, 0, 1, 20]);
        let src = bytes(&mut random, table, length, holes);
        let most = 4 * length;
        let room = if round.is_multiple_of(3) { random.below(most + 1) } else { most };
        check_decoding(table, &src, room, random.below(64));
    }
}

#[test]
fn mixtures_are_encoded() {
    let mut random = Random(0x5EED_0012);
    for round in 0..rounds(6000, 20) {
        let table = CHARSETS[round % CHARSETS.len()];
        let length = lengths(&mut random, round);
        let text = bytes(&mut random, table, length, 0);
        let form = FORMS[round / 4 % FORMS.len()];
        let mut src = Vec::new();
        for byte in &text {
            let mut point = u32::from(table.code_point(*byte).unwrap());
            // Sometimes a character that most charsets lack.
            if random.below(400) == 0 {
                point = random.one_of(&[0xE9, 0x7F1, 0x2603, 0xFFFD, 0x1_F600, 0xD7FF]);
            }
            if has(form, point) {
                put(form, point, &mut src);
            }
        }
        if !src.is_empty() && round.is_multiple_of(3) {
            // Damage.
            let at = random.below(src.len());
            src[at] =
                random.one_of(&[0x80, 0xBF, 0xC0, 0xC3, 0xD0, 0xD8, 0xE0, 0xE2, 0xED, 0xF0, 0xFF]);
            src.truncate(src.len() - random.below(2));
        }
        let room = if round.is_multiple_of(5) { random.below(length + 1) } else { length };
        check_encoding(table, form, &src, room, random.below(64));
    }
}

/// Every byte at every place of a text of US-ASCII and of characters, and at its end.
#[test]
fn every_byte_at_every_place() {
    for table in CHARSETS {
        for around in [b'a', (0x80..=0xFF).find(|byte| table.code_point(*byte).is_some()).unwrap()]
        {
            for length in [1, 31, 33, 64, 100, 130] {
                let mut src = vec![around; length];
                for place in (0..length).step_by(step(7)) {
                    for byte in (0..=0xFF).step_by(step(5)) {
                        src[place] = byte;
                        check_decoding(table, &src, 4 * length, place);
                    }
                    src[place] = around;
                }
            }
        }
    }
}

/// Every code point of the Basic Multilingual Plane, and some above it.
#[test]
fn every_code_point_is_encoded() {
    for table in CHARSETS {
        let mut bytes = [None; 0x1_0000];
        for byte in (0..=0xFF).rev() {
            if let Some(unit) = table.code_point(byte) {
                bytes[usize::from(unit)] = Some(byte);
            }
        }
        let more: &[(u32, u8)] = match table {
            _ if std::ptr::eq(table, &MIXED) => &[(0x203E, 0xA5)],
            _ if std::ptr::eq(table, &EBCDIC) => &[(0x3B1, 0xFF)],
            _ => &[],
        };
        for (point, byte) in more {
            bytes[*point as usize] = Some(*byte);
        }
        for (point, byte) in (0..).zip(bytes) {
            assert_eq!(table.byte_of(point), byte, "U+{point:04X}");
        }
        assert_eq!(table.byte_of(0x1_0041), None);
        for point in (0..0xFFFF).step_by(step(31)).filter(|point| char::from_u32(*point).is_some())
        {
            for form in FORMS.into_iter().filter(|form| has(*form, point)) {
                let mut src = Vec::new();
                for (count, other) in [(70, 0x41), (1, point), (40, 0x42)] {
                    (0..count).for_each(|_| put(form, other, &mut src));
                }
                check_encoding(table, form, &src, 111, 0);
            }
        }
    }
}

/// Every sequence of up to three bytes of interest, in a block, is decoded from UTF-8 or stops.
#[test]
fn every_short_sequence_of_utf8_is_encoded_or_stops() {
    const BYTES: [u8; 18] = [
        b'a', 0x7F, 0x80, 0x8F, 0x90, 0xA0, 0xBF, 0xC0, 0xC2, 0xC3, 0xD0, 0xD1, 0xDF, 0xE0, 0xE2,
        0xED, 0xF0, 0xFF,
    ];
    let mut random = Random(0x5EED_0013);
    for table in CHARSETS {
        for around in [0x61, 0x430, 0xE01_u32] {
            for number in (0..BYTES.len().pow(3)).step_by(step(3)) {
                let [a, b, c] = [number / 324, number / 18 % 18, number % 18].map(|at| BYTES[at]);
                let mut src = Vec::new();
                (0..random.below(90)).for_each(|_| put(Layout::Utf8, around, &mut src));
                src.extend([a, b, c]);
                (0..random.below(60)).for_each(|_| put(Layout::Utf8, around, &mut src));
                check_encoding(table, Layout::Utf8, &src, src.len(), number);
            }
        }
    }
}

#[test]
fn prefixes_end_before_holes() {
    let mut random = Random(0x5EED_0014);
    for round in 0..rounds(500, 20) {
        let table = CHARSETS[round % CHARSETS.len()];
        let src = bytes(&mut random, table, round % 120, round % 3);
        let expected =
            src.iter().position(|byte| table.code_point(*byte).is_none()).unwrap_or(src.len());
        assert_eq!(Kernels::table_prefix(dispatch::active(), table, &src), expected);
    }
}
