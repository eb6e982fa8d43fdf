//! The indexes of the East Asian charsets, `src/codec/index/*.txt`: generated from `encoding_rs`,
//! which has those of the Encoding Standard (<https://encoding.spec.whatwg.org/#indexes>).
//!
//! A line for each row, a character for each cell, and a full stop for a cell without one.

use std::ops::RangeInclusive;

use encoding_rs::Encoding;

/// A file: its name, the charset, and the bytes before the row.
struct Index {
    name: &'static str,
    charset: &'static Encoding,
    prefix: &'static [u8],
    leads: RangeInclusive<u8>,
    trails: RangeInclusive<u8>,
}

const INDEXES: [Index; 6] = [
    Index {
        name: "jis0208",
        charset: encoding_rs::EUC_JP,
        prefix: b"",
        leads: 0xA1..=0xFE,
        trails: 0xA1..=0xFE,
    },
    Index {
        name: "jis0212",
        charset: encoding_rs::EUC_JP,
        prefix: b"\x8F",
        leads: 0xA1..=0xFE,
        trails: 0xA1..=0xFE,
    },
    Index {
        name: "gb18030",
        charset: encoding_rs::GB18030,
        prefix: b"",
        leads: 0x81..=0xFE,
        trails: 0x40..=0xFE,
    },
    Index {
        name: "big5",
        charset: encoding_rs::BIG5,
        prefix: b"",
        leads: 0x81..=0xFE,
        trails: 0x40..=0xFE,
    },
    Index {
        name: "euc_kr",
        charset: encoding_rs::EUC_KR,
        prefix: b"",
        leads: 0x81..=0xFE,
        trails: 0x40..=0xFE,
    },
    // JIS X 0208 with two rows for each lead byte, and with more rows.
    Index {
        name: "shift_jis",
        charset: encoding_rs::SHIFT_JIS,
        prefix: b"",
        leads: 0x81..=0xFC,
        trails: 0x40..=0xFC,
    },
];

const HOLE: char = '.';

impl Index {
    /// The character of a sequence; a hole if there is none, or two.
    fn character(&self, lead: u8, trail: u8) -> char {
        let sequence = [self.prefix, &[lead, trail]].concat();
        let text = self.charset.decode_without_bom_handling_and_without_replacement(&sequence);
        let text = text.unwrap_or_default();
        let mut characters = text.chars();
        match (characters.next(), characters.next()) {
            (Some(character), None) => character,
            _ => HOLE,
        }
    }

    fn text(&self) -> String {
        let mut text = String::new();
        for lead in self.leads.clone() {
            let row: String =
                self.trails.clone().map(|trail| self.character(lead, trail)).collect();
            text += row.trim_end_matches(HOLE);
            text.push('\n');
        }
        text
    }
}

/// Four-byte sequences of GB 18030 in the order of the standard: where the difference between
/// pointer and code point changes. One pointer is an exception, and left out.
fn ranges() -> String {
    let mut text = String::new();
    let mut offset = None;
    for pointer in (0..39420_u32).filter(|pointer| *pointer != 7457) {
        let bytes = [
            0x81 + (pointer / 12600) as u8,
            0x30 + (pointer / 1260 % 10) as u8,
            0x81 + (pointer / 10 % 126) as u8,
            0x30 + (pointer % 10) as u8,
        ];
        let found =
            encoding_rs::GB18030.decode_without_bom_handling_and_without_replacement(&bytes);
        let Some(point) = found.and_then(|text| text.chars().next()).map(u32::from) else {
            continue;
        };
        if offset != Some(point - pointer) {
            offset = Some(point - pointer);
            text += &format!("{pointer} {point:X}\n");
        }
    }
    text
}

/// `cargo xtask pages indexes` writes them.
#[test]
fn indexes_are_those_of_the_encoding_standard() {
    for index in INDEXES {
        let path = format!("crates/utfall/src/codec/index/{}.txt", index.name);
        utfall_page::compare(&path, &index.text());
    }
    utfall_page::compare("crates/utfall/src/codec/index/gb18030_ranges.txt", &ranges());
}
