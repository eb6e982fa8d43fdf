//! Finds the edits of a line.

use crate::chain::{Chain, Step};
use crate::raw::{self, Characters};
use crate::{escapes, guard, search};

/// A part of a line to be replaced.
pub(crate) struct Edit {
    /// Byte range in the line.
    pub(crate) begin: usize,
    pub(crate) end: usize,
    /// The replacement: characters, each with the byte offset of its source.
    pub(crate) cells: Vec<(usize, char)>,
    pub(crate) chain: Chain,
    /// How many bits likelier the replacement is than the text as it is.
    pub(crate) bits: i32,
}

impl Edit {
    pub(crate) fn after(&self) -> Vec<u8> {
        let text: String = self.cells.iter().map(|(_, character)| *character).collect();
        match self.chain.0.last() {
            Some(Step::JsonEscapes { upper }) => escapes::escaped(&text, *upper),
            _ => text.into_bytes(),
        }
    }

    /// Keeps the part that comes from before `limit`. `None` if nothing is left.
    pub(crate) fn until(mut self, limit: usize) -> Option<Self> {
        if self.end > limit {
            let kept = self.cells.partition_point(|(offset, _)| *offset <= limit);
            // The last of these begins before the limit, and may end after it.
            let (end, _) = self.cells.drain(kept.checked_sub(1)?..).next()?;
            self.end = end;
        }
        (self.end > self.begin).then_some(self)
    }

    /// Whether the chain reproduces the original bytes.
    fn is_reversible(&self, line: &[u8]) -> bool {
        leads_to(&self.chain, &self.after(), &line[self.begin..self.end])
    }
}

/// Whether a chain turns one text into the other. The digits of escapes may be written in either
/// case.
pub(crate) fn leads_to(chain: &Chain, after: &[u8], before: &[u8]) -> bool {
    chain.apply(after).is_some_and(|bytes| match chain.0.last() {
        Some(Step::JsonEscapes { .. }) => escapes::undone(&bytes) == escapes::undone(before),
        _ => bytes == before,
    })
}

/// The context of a line.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    pub(crate) begins_text: bool,
    pub(crate) begins_line: bool,
    /// Whether UTF-16 may be undone.
    pub(crate) allow_utf16: bool,
    /// The UTF-16 step undone in the previous line, if any.
    pub(crate) utf16: Option<Step>,
    /// Whether JSON escapes represent characters.
    pub(crate) json_escapes: bool,
}

/// How sure it is, in bits, that a BOM at the start of a later line is not part of the text.
const STRAY_MARK: i32 = 12;

/// The edits of a line, in order.
pub(crate) fn edits(line: &[u8], place: Place) -> Vec<Edit> {
    let has_nul = line.contains(&0);
    let has_escapes = place.json_escapes && escapes::are_in(line);
    if line.is_ascii() && !has_nul && !has_escapes {
        return Vec::new();
    }
    if !has_nul
        && !has_escapes
        && let Ok(text) = std::str::from_utf8(line)
        && !search::is_suspicious(text)
        && !line.windows(3).any(|bytes| bytes == MARK)
    {
        return Vec::new();
    }
    let mut characters = raw::characters(line);
    if has_nul
        && place.allow_utf16
        && let Some(edit) = raw::utf16(&characters, place.utf16)
    {
        return vec![edit];
    }
    let mut edits = std::mem::take(&mut characters.edits);
    let stray_mark = stray_mark(&characters, place);
    let mut is_searched = characters.is_utf8;
    if has_escapes {
        escapes::join(line, &mut characters);
        is_searched &= search::is_suspicious(&characters.all.iter().collect::<String>());
    }
    let mut found = match is_searched {
        true => search::search(&characters.all),
        false => Vec::new(),
    };
    guard::keep(&characters.all, &mut found);
    for found in found {
        edits.extend(edit(line, &characters, found, place));
    }
    edits.extend(stray_mark);
    edits.sort_by_key(|edit| edit.begin);
    edits
}

/// U+FEFF in UTF-8.
const MARK: [u8; 3] = [0xEF, 0xBB, 0xBF];

/// Turns a finding into one edit, or into several if the whole is not reversible.
fn edit(line: &[u8], characters: &Characters, found: search::Found, place: Place) -> Vec<Edit> {
    let at = |index: usize| characters.offsets[index];
    let mut edit = Edit {
        begin: at(found.begin),
        end: at(found.end),
        cells: found.text.iter().map(|&(index, character)| (at(index), character)).collect(),
        chain: found.chain,
        bits: found.bits,
    };
    if place.json_escapes
        && let Some(upper) = escapes::case(&line[edit.begin..edit.end])
    {
        edit.chain.0.push(Step::JsonEscapes { upper });
    }
    if let [(begin, '\u{FEFF}')] = edit.cells[..] {
        if begin > 0 || !place.begins_line {
            return Vec::new();
        }
        if !place.begins_text {
            edit.cells.clear();
            edit.chain.0.insert(0, Step::StrayMark);
        }
    }
    if edit.is_reversible(line) {
        return vec![edit];
    }
    let ends = edit.cells.iter().skip(1).map(|(offset, _)| *offset).chain([edit.end]);
    let parts = edit.cells.iter().zip(ends).map(|(cell, end)| Edit {
        begin: cell.0,
        end,
        cells: vec![*cell],
        chain: edit.chain.clone(),
        bits: edit.bits,
    });
    parts.filter(|part| part.is_reversible(line)).collect()
}

/// A BOM at the start of a later line, or a second one at the start of the text: the sign of
/// concatenated files.
fn stray_mark(characters: &Characters, place: Place) -> Option<Edit> {
    let marks = characters.all.iter().take_while(|character| **character == '\u{FEFF}').count();
    let first = usize::from(place.begins_text);
    (place.begins_line && marks > first).then(|| Edit {
        begin: characters.offsets[first],
        end: characters.offsets[first + 1],
        cells: Vec::new(),
        chain: Chain(vec![Step::StrayMark]),
        bits: STRAY_MARK,
    })
}
