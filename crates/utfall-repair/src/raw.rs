//! Decodes the bytes of a line, and detects errors below the level of characters: surrogates,
//! overlong forms, and UTF-16 with every other byte zero.

use crate::chain::Step;
use crate::line::Edit;
use crate::search::BARRIER;
use crate::search::quick::Explained;

/// The characters of a line, each with its byte offset.
pub(crate) struct Characters {
    pub(crate) all: Vec<char>,
    /// Includes one more for the end.
    pub(crate) offsets: Vec<usize>,
    /// Edits that need no further evidence.
    pub(crate) edits: Vec<Edit>,
    /// Whether the line is UTF-8, at least for the most part.
    pub(crate) is_utf8: bool,
}

/// Space for the characters of a line, which the next one uses again.
#[derive(Clone, Debug, Default)]
pub(crate) struct Buffers {
    all: Vec<char>,
    offsets: Vec<usize>,
    pub(crate) explained: Explained,
}

impl Buffers {
    pub(crate) fn restore(&mut self, characters: Characters) {
        (self.all, self.offsets) = (characters.all, characters.offsets);
    }
}

/// How sure it is, in bits, that two surrogates in a row encode a character.
const SURROGATES: i32 = 30;
/// How sure it is, in bits, that an overlong form encodes its character: it is U+0000, or the line
/// has four times as many well-formed characters. Otherwise, its two bytes may as well be two
/// letters of a single-byte charset, or one of a double-byte charset.
const OVERLONG: i32 = 12;
const OVERLONG_ALONE: i32 = 2;
const UTF16: i32 = 30;

/// The characters of a line. `text` is the same, if it is valid UTF-8.
pub(crate) fn characters(line: &[u8], text: Option<&str>, buffers: &mut Buffers) -> Characters {
    let mut all = std::mem::take(&mut buffers.all);
    let mut offsets = std::mem::take(&mut buffers.offsets);
    all.clear();
    all.reserve(line.len());
    offsets.clear();
    offsets.reserve(line.len() + 1);
    let mut found = Characters { all, offsets, edits: Vec::new(), is_utf8: true };
    let (mut long, mut bad) = (0, 0);
    let mut rest = line;
    while !rest.is_empty() {
        let valid = text.unwrap_or_else(|| valid_start(rest));
        let offset = line.len() - rest.len();
        let mut at = 0;
        while at < valid.len() {
            let bytes = &valid.as_bytes()[at..];
            let ascii = bytes.iter().position(|byte| *byte >= 0x80).unwrap_or(bytes.len());
            found.all.extend(bytes[..ascii].iter().map(|byte| char::from(*byte)));
            found.offsets.extend(offset + at..offset + at + ascii);
            at += ascii;
            for character in valid[at..].chars().take_while(|character| !character.is_ascii()) {
                found.all.push(character);
                found.offsets.push(offset + at);
                at += character.len_utf8();
                long += 1;
            }
        }
        rest = &rest[valid.len()..];
        if rest.is_empty() {
            break;
        }
        let begin = line.len() - rest.len();
        found.all.push(BARRIER);
        found.offsets.push(begin);
        let mut length = 1;
        match odd_form(rest) {
            Some((character, all, step)) => {
                length = all;
                let bits = if step == Step::Surrogates { SURROGATES } else { OVERLONG };
                let (cells, chain) = (vec![(begin, character)], step.into());
                found.edits.push(Edit { begin, end: begin + length, cells, chain, bits });
            }
            None => bad += 1,
        }
        rest = &rest[length..];
    }
    found.offsets.push(line.len());
    // With bytes that are in no form of UTF-8, the whole line may be in another encoding.
    found.is_utf8 = 4 * bad <= long;
    if bad > 0 {
        found.edits.clear();
    }
    if long < 4 * found.edits.len() {
        let is_weak = |edit: &Edit| {
            matches!(edit.chain.steps(), [Step::Overlong(2)]) && edit.cells[0].1 != '\0'
        };
        let weak = found.edits.iter_mut().filter(|edit| is_weak(edit));
        weak.for_each(|edit| edit.bits = OVERLONG_ALONE);
    }
    found.edits.dedup_by(|next, edit| {
        let joined = edit.end == next.begin && edit.chain == next.chain;
        if joined {
            edit.end = next.end;
            edit.cells.append(&mut next.cells);
        }
        joined
    });
    found
}

/// The valid UTF-8 at the start.
fn valid_start(bytes: &[u8]) -> &str {
    let valid = |bytes| std::str::from_utf8(bytes);
    match valid(bytes) {
        Ok(all) => all,
        Err(error) => valid(&bytes[..error.valid_up_to()]).unwrap_or_default(),
    }
}

/// A character in an older or deviant form of UTF-8, with its length in bytes.
fn odd_form(bytes: &[u8]) -> Option<(char, usize, Step)> {
    let tail = |range: std::ops::Range<usize>| {
        let bytes = bytes.get(range)?;
        bytes
            .iter()
            .all(|byte| byte & 0xC0 == 0x80)
            .then(|| bytes.iter().fold(0, |number, byte| number << 6 | u32::from(byte & 0x3F)))
    };
    let overlong = |number, length: usize| {
        Some((char::from_u32(number)?, length, Step::Overlong(length as u8)))
    };
    match *bytes.first()? {
        lead @ (0xC0 | 0xC1) => overlong(u32::from(lead & 1) << 6 | tail(1..2)?, 2),
        0xE0 if bytes.get(1)? < &0xA0 => overlong(tail(1..3)?, 3),
        0xF0 if bytes.get(1)? < &0x90 => overlong(tail(1..4)?, 4),
        0xED if bytes.get(3) == Some(&0xED) => {
            let unit = |number: u32| 0xD000 | number as u16;
            let units = [unit(tail(1..3)?), unit(tail(4..6)?)];
            // Both are surrogates, since only a pair decodes.
            let character = char::decode_utf16(units).next()?.ok()?;
            (character > '\u{FFFF}').then_some((character, 6, Step::Surrogates))
        }
        _ => None,
    }
}

/// The fewest code units that alone prove that a line is UTF-16.
const UNITS: usize = 4;

/// A line of UTF-16 that was decoded as ISO-8859-1, with only US-ASCII and Latin-1 characters:
/// every other character is U+0000. `before` is the step undone in the previous line.
pub(crate) fn utf16(characters: &Characters, before: Option<Step>) -> Option<Edit> {
    let all = &characters.all[..];
    let step = match all.first()? {
        '\0' | 'þ' => Step::Utf16Be,
        _ => Step::Utf16Le,
    };
    if all.len() < 2
        || !all.len().is_multiple_of(2)
        || (all.len() < 2 * UNITS && before != Some(step))
    {
        return None;
    }
    let mut cells = Vec::with_capacity(all.len() / 2);
    for (index, pair) in all.chunks_exact(2).enumerate() {
        let (low, high) = match step {
            Step::Utf16Le => (pair[0], pair[1]),
            _ => (pair[1], pair[0]),
        };
        let character = match (low, high) {
            // FF FE or FE FF.
            ('ÿ', 'þ') if index == 0 => '\u{FEFF}',
            (' '..='~' | '\t' | '\n' | '\r' | '\u{A0}'..='\u{FF}', '\0') => low,
            _ => return None,
        };
        cells.push((characters.offsets[2 * index], character));
    }
    let end = *characters.offsets.last()?;
    Some(Edit { begin: 0, end, cells, chain: step.into(), bits: UTF16 })
}
