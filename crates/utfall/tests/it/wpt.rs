//! The Web Platform Tests for the legacy encodings. Every entry of every index of the Encoding
//! Standard is decoded and encoded, at the bytes that its decoders (§9 to §14) assign to it. Every
//! code without an entry must be rejected. There are also single cases. `testdata/wpt` has all of
//! these.
#![cfg(feature = "legacy")]

use std::collections::{HashMap, HashSet};
use std::fs;

use utfall::{Decoder, Encoding, Options, Policy, Status};
use utfall_oracle::step;

fn rows(name: &str) -> Vec<Vec<String>> {
    let path = format!("{}/../../testdata/wpt/{name}", env!("CARGO_MANIFEST_DIR"));
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    text.lines().skip(1).map(|line| line.split('\t').map(str::to_owned).collect()).collect()
}

fn hex(text: &str) -> Vec<u32> {
    text.split_whitespace().map(|digits| u32::from_str_radix(digits, 16).unwrap()).collect()
}

fn bytes(text: &str) -> Vec<u8> {
    hex(text).into_iter().map(|byte| u8::try_from(byte).unwrap()).collect()
}

fn text(points: &[u32]) -> String {
    points.iter().map(|point| char::from_u32(*point).unwrap()).collect()
}

fn labelled(label: &str) -> Encoding {
    Encoding::for_whatwg_label(label).unwrap_or_else(|| panic!("no encoding for {label}"))
}

/// Pointer → code point, by index.
fn indexes() -> HashMap<String, HashMap<u32, u32>> {
    let mut indexes: HashMap<String, HashMap<u32, u32>> = HashMap::new();
    for row in rows("indexes.tsv") {
        let first: u32 = row[1].parse().unwrap();
        indexes.entry(row[0].clone()).or_default().extend((first..).zip(hex(&row[2])));
    }
    indexes
}

/// How the standard maps bytes to pointers into an index, and back.
struct Table {
    label: &'static str,
    index: &'static str,
    /// The number of pointers that bytes can represent.
    pointers: u32,
    bytes: fn(u32) -> Vec<u8>,
    /// Whether the encoder does not use a pointer.
    never_written: fn(u32) -> bool,
}

/// Lead and trail byte for a given number of cells per row.
fn pair(pointer: u32, row: u32, lead: u32, trail: fn(u32) -> u32) -> Vec<u8> {
    vec![(pointer / row + lead) as u8, trail(pointer % row) as u8]
}

fn euc(pointer: u32) -> Vec<u8> {
    pair(pointer, 94, 0xA1, |cell| cell + 0xA1)
}

const TABLES: &[Table] = &[
    Table {
        label: "big5",
        index: "big5",
        pointers: 126 * 157,
        bytes: |pointer| {
            pair(pointer, 157, 0x81, |cell| if cell < 0x3F { cell + 0x40 } else { cell + 0x62 })
        },
        never_written: |pointer| pointer < (0xA1 - 0x81) * 157,
    },
    Table {
        label: "euc-kr",
        index: "euc-kr",
        pointers: 126 * 190,
        bytes: |pointer| pair(pointer, 190, 0x81, |cell| cell + 0x41),
        never_written: |_| false,
    },
    Table {
        label: "gbk",
        index: "gb18030",
        pointers: 126 * 190,
        bytes: gbk,
        never_written: |_| false,
    },
    Table {
        label: "gb18030",
        index: "gb18030",
        pointers: 126 * 190,
        bytes: gbk,
        never_written: |_| false,
    },
    Table {
        label: "euc-jp",
        index: "jis0208",
        pointers: 94 * 94,
        bytes: euc,
        never_written: |_| false,
    },
    Table {
        label: "euc-jp",
        index: "jis0212",
        pointers: 94 * 94,
        bytes: |pointer| [vec![0x8F], euc(pointer)].concat(),
        never_written: |_| true,
    },
    Table {
        label: "shift_jis",
        index: "jis0208",
        pointers: 60 * 188,
        bytes: |pointer| {
            let lead = if pointer / 188 < 0x1F { 0x81 } else { 0xC1 };
            pair(pointer, 188, lead, |cell| if cell < 0x3F { cell + 0x40 } else { cell + 0x41 })
        },
        never_written: |pointer| (8272..=8835).contains(&pointer),
    },
    Table {
        label: "iso-2022-jp",
        index: "jis0208",
        pointers: 94 * 94,
        bytes: |pointer| {
            let code = pair(pointer, 94, 0x21, |cell| cell + 0x21);
            [&b"\x1B$B"[..], &code, b"\x1B(B"].concat()
        },
        never_written: |_| false,
    },
];

fn gbk(pointer: u32) -> Vec<u8> {
    pair(pointer, 190, 0x81, |cell| if cell < 0x3F { cell + 0x40 } else { cell + 0x41 })
}

/// The two code points of Big5 without entries, and the user-defined ones of Shift_JIS.
fn beside_the_index(table: &Table, pointer: u32) -> Option<String> {
    match (table.label, pointer) {
        ("big5", 1133) => Some("\u{CA}\u{304}".into()),
        ("big5", 1135) => Some("\u{CA}\u{30C}".into()),
        ("big5", 1164) => Some("\u{EA}\u{304}".into()),
        ("big5", 1166) => Some("\u{EA}\u{30C}".into()),
        ("shift_jis", 8836..=10715) => Some(text(&[0xE000 - 8836 + pointer])),
        _ => None,
    }
}

/// If a code point has several pointers, the one that the encoder uses: the first, except for six
/// of Big5, the last.
fn written(table: &Table, index: &HashMap<u32, u32>) -> HashMap<u32, u32> {
    const LAST: [u32; 6] = [0x2550, 0x255E, 0x2561, 0x256A, 0x5341, 0x5345];
    let mut chosen: HashMap<u32, u32> = HashMap::new();
    for (pointer, point) in index {
        if *pointer >= table.pointers || (table.never_written)(*pointer) {
            continue;
        }
        let kept = chosen.entry(*point).or_insert(*pointer);
        let last = table.label == "big5" && LAST.contains(point);
        *kept = if last { *pointer.max(kept) } else { *pointer.min(kept) };
    }
    if table.index == "gb18030" {
        // The former meanings of these codes before GB 18030-2022, for which encoders still write
        // them (§10.2.2).
        let before = (7182..=7188).chain([7201, 7202, 7208]).zip(0xE78D..);
        let others = [0xE81E, 0xE826, 0xE82B, 0xE82C, 0xE832, 0xE843, 0xE854, 0xE864];
        let pointers = [23775, 23783, 23788, 23789, 23795, 23812, 23829, 23845];
        chosen
            .extend(before.chain(pointers.into_iter().zip(others)).map(|(at, point)| (point, at)));
    }
    chosen
}

#[test]
fn every_pointer_of_every_index() {
    let (indexes, every) = (indexes(), step(11));
    let (mut read, mut refused, mut spelled) = (0, 0, 0);
    for table in TABLES {
        let encoding = labelled(table.label);
        let index = &indexes[table.index];
        for pointer in (0..table.pointers).step_by(every) {
            let bytes = (table.bytes)(pointer);
            let expected = beside_the_index(table, pointer)
                .or_else(|| index.get(&pointer).map(|point| text(&[*point])));
            let decoded = encoding.decode(&bytes).ok().map(|text| text.into_owned());
            assert_eq!(decoded, expected, "{} {bytes:02X?}", table.label);
            if expected.is_some() { read += 1 } else { refused += 1 }
        }
        for (point, pointer) in written(table, index).into_iter().step_by(every) {
            // Special cases of the standard's encoders before they search the index.
            let bytes = match (table.label, point) {
                ("gbk", 0x20AC) => vec![0x80],
                _ => (table.bytes)(pointer),
            };
            let encoded = encoding.encode(&text(&[point])).ok().map(|bytes| bytes.into_owned());
            assert_eq!(encoded, Some(bytes), "{} U+{point:04X}", table.label);
            spelled += 1;
        }
    }
    println!("{read} codes read, {refused} refused, {spelled} characters written");
    assert!(read > 100_000 / every && spelled > 80_000 / every);
}

#[test]
fn every_byte_of_every_single_byte_encoding() {
    let mut count = 0;
    for (name, index) in indexes() {
        if index.keys().any(|pointer| *pointer >= 128) {
            continue;
        }
        let encoding = labelled(&name);
        for byte in 0..=0xFF_u8 {
            let expected = match byte {
                0x80.. => index.get(&u32::from(byte - 0x80)).copied(),
                _ => Some(u32::from(byte)),
            };
            let decoded = encoding.decode(&[byte]).ok().map(|text| text.into_owned());
            assert_eq!(decoded, expected.map(|point| text(&[point])), "{name} {byte:02X}");
            if let Some(point) = expected {
                let first = (0..=0x7F).find(|pointer| index.get(pointer) == Some(&point));
                let spelled = first.map_or(byte, |pointer| pointer as u8 + 0x80);
                let point_text = text(&[point]);
                let encoded = encoding.encode(&point_text).unwrap();
                assert_eq!(&*encoded, [spelled], "{name} U+{point:04X}");
            }
        }
        count += 1;
    }
    assert_eq!(count, 27);
}

/// Code points outside the indexes cannot be encoded. This tests all of them, not only some scripts
/// as in the error tables of the Web Platform Tests.
#[test]
fn what_is_in_no_index_is_not_written() {
    let (indexes, every) = (indexes(), step(11));
    for label in ["big5", "euc-kr", "gbk", "euc-jp", "shift_jis", "iso-2022-jp"] {
        let encoding = labelled(label);
        let mut known: HashSet<u32> = (0..0x80).collect();
        for table in TABLES.iter().filter(|table| table.label == label) {
            known.extend(written(table, &indexes[table.index]).keys());
        }
        // Code points outside the indexes that encoders accept (§12.1, §12.2 and §12.3).
        match label {
            "euc-jp" | "shift_jis" | "iso-2022-jp" => {
                known.extend([0xA5, 0x203E, 0x2212]);
                known.extend(0xFF61..=0xFF9F);
            }
            _ => {}
        }
        if label == "iso-2022-jp" {
            known.retain(|point| ![0x0E, 0x0F, 0x1B].contains(point));
        }
        if label == "shift_jis" {
            known.insert(0x80);
        }
        for scalar in ('\0'..=char::MAX).step_by(every) {
            let encodes = encoding.encode(scalar.encode_utf8(&mut [0; 4])).is_ok();
            assert_eq!(encodes, known.contains(&u32::from(scalar)), "{label} {scalar:?}");
        }
    }
}

/// The ranges of GB 18030, by their first, last and middle pointers.
#[test]
fn ranges_of_gb18030() {
    let encoding = labelled("gb18030");
    let ranges: Vec<(u32, u32)> = rows("indexes.tsv")
        .iter()
        .filter(|row| row[0] == "gb18030-ranges")
        .map(|row| (row[1].parse().unwrap(), hex(&row[2])[0]))
        .collect();
    assert_eq!(ranges.len(), 207);
    let ends = ranges[1..].iter().map(|(pointer, _)| *pointer).chain([1_237_576]);
    for ((first, point), end) in ranges.iter().zip(ends) {
        // Pointers from 39420 to 188999 are invalid.
        let end = if *first == 39394 { 39420 } else { end };
        for pointer in [*first, first + (end - first) / 2, end - 1] {
            // An exception in §10.2.1.
            let expected = if pointer == 7457 { 0xE7C7 } else { point + pointer - first };
            let bytes = [
                (0x81 + pointer / 12600) as u8,
                (0x30 + pointer / 1260 % 10) as u8,
                (0x81 + pointer / 10 % 126) as u8,
                (0x30 + pointer % 10) as u8,
            ];
            assert_eq!(encoding.decode(&bytes).unwrap(), text(&[expected]), "{bytes:02X?}");
        }
    }
}

fn cases(what: &str) -> Vec<Vec<String>> {
    let mut cases = rows("cases.tsv");
    cases.retain(|row| row[1] == what);
    assert!(!cases.is_empty());
    cases
}

#[test]
fn cases_of_decoders() {
    for case in cases("decode") {
        let input = bytes(&case[3]);
        let decoded = labelled(&case[2]).decode_lossy(&input);
        assert_eq!(decoded.text, text(&hex(&case[4])), "{case:?}");
    }
}

#[test]
fn cases_of_encoders() {
    for case in cases("encode") {
        let input = text(&hex(&case[3]));
        let encoded = labelled(&case[2]).encode(&input);
        let expected = (case[4] != "-").then(|| bytes(&case[4]));
        assert_eq!(encoded.ok().map(|bytes| bytes.into_owned()), expected, "{case:?}");
    }
}

#[test]
fn cases_of_fatal_decoders() {
    for case in cases("fatal") {
        let refused = bytes(&case[3]);
        for byte in 0..=0xFF_u8 {
            let refuses = labelled(&case[2]).validate(&[byte]).is_err();
            assert_eq!(refuses, refused.contains(&byte), "{} {byte:02X}", case[2]);
        }
    }
}

#[test]
fn cases_of_streams() {
    for case in cases("stream") {
        let options = Options::both(Policy::Replace);
        let mut decoder = Decoder::new(labelled(&case[2]), options);
        let parts: Vec<&str> = case[3].split('|').collect();
        for (at, (part, expected)) in parts.iter().zip(case[4].split('|')).enumerate() {
            let mut points = [0; 16];
            let progress =
                decoder.decode_to_code_points(&bytes(part), &mut points, at + 1 == parts.len());
            assert_eq!(progress.status, Status::InputEmpty, "{case:?}");
            assert_eq!(points[..progress.written], hex(expected), "{case:?}");
        }
    }
}

#[test]
fn labels_that_the_web_has_not() {
    for case in cases("unsupported") {
        assert_eq!(Encoding::for_whatwg_label(&case[2]), None, "{case:?}");
    }
}
