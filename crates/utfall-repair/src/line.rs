//! Finds the edits of a line.

use crate::chain::{Chain, Step};
use crate::context::Context;
use crate::escapes::{self, Forms};
use crate::guard::{Nearby, Reason};
use crate::raw::{self, Buffers, Characters};
use crate::search::Found;
use crate::search::quick::Explained;
use crate::table::Table;
use crate::{Charset, controls, guard, halved, search, uniform, unite, whole};

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
        let characters = self.cells.iter().map(|(_, character)| *character);
        let mut text = String::with_capacity(characters.clone().map(char::len_utf8).sum());
        text.extend(characters);
        match self.chain.escape() {
            None => text.into_bytes(),
            step => escapes::escaped(&text, step),
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

/// Whether a chain turns one text into the other. Escapes of the same characters are alike.
pub(crate) fn leads_to(chain: &Chain, after: &[u8], before: &[u8]) -> bool {
    chain.apply(after).is_some_and(|bytes| match chain.escape() {
        Some(step) => escapes::undone(&bytes, step) == escapes::undone(before, step),
        None => bytes == before,
    })
}

/// The context of a line.
#[derive(Clone, Copy, Default)]
pub(crate) struct Place<'a> {
    /// The end of the text before the line.
    pub(crate) recent: &'a [u8],
    pub(crate) begins_text: bool,
    pub(crate) begins_line: bool,
    /// Whether it is all that follows of the line.
    pub(crate) is_whole: bool,
    /// Whether UTF-16 may be undone.
    pub(crate) allow_utf16: bool,
    /// The UTF-16 step undone in the previous line, if any.
    pub(crate) utf16: Option<Step>,
    /// The escapes that represent characters.
    pub(crate) escapes: Forms,
    /// Whether the lines before are about misread text.
    pub(crate) is_on_topic: bool,
    /// Whether a line shortly before has an example of misread text.
    pub(crate) has_example: bool,
    /// Whether text that may show misread text on purpose is repaired too.
    pub(crate) is_forced: bool,
}

/// How sure it is, in bits, that a BOM at the start of a later line is not part of the text.
const STRAY_MARK: i32 = 12;

/// A change of this many bits or more says something about the next lines.
const SURE: i32 = 4;

/// The edits of a line, and those that are not made, with the reasons; both in order.
#[derive(Default)]
pub(crate) struct Edits {
    /// One charset explains the whole line. The edits are in the buffers.
    pub(crate) is_explained: bool,
    pub(crate) made: Vec<Edit>,
    pub(crate) left: Vec<(Edit, Reason)>,
}

impl Edits {
    /// Whether nothing is changed.
    pub(crate) fn are_none(&self) -> bool {
        !self.is_explained && self.made.is_empty()
    }

    /// Whether the line has an example of misread text.
    pub(crate) fn have_example(&self) -> bool {
        self.left.iter().any(|(_, reason)| {
            matches!(reason, Reason::Quoted | Reason::Restored | Reason::Charsets)
        })
    }
}

pub(crate) fn edits(
    line: &[u8],
    place: Place<'_>,
    context: &mut Context,
    buffers: &mut Buffers,
) -> Edits {
    let has_nul = line.contains(&0);
    let has_escapes = place.escapes.are_in(line);
    if line.is_ascii() && !has_nul && !has_escapes {
        return Edits::default();
    }
    let nearby = Nearby {
        recent: place.recent,
        is_on_topic: place.is_on_topic,
        has_example: place.has_example,
        is_misread: context.is_misread(),
    };
    let mut is_explained = false;
    if !has_nul
        && !has_escapes
        && let Some(is_suspicious) = search::is_suspicious(line)
    {
        if !is_suspicious
            && context.uniform().is_none()
            && !has_mark(line)
            && !controls::are_in(line)
        {
            context.add_right();
            if let Some(table) = &mut context.table {
                let text = String::from_utf8_lossy(line);
                table.learn(&text.chars().collect::<Vec<_>>(), &[], &[]);
            }
            return Edits::default();
        }
        is_explained = buffers.explained.explain(line, context);
        let found = &buffers.explained;
        if is_explained
            && place.is_whole
            && context.table.is_none()
            && is_plain(line, place, nearby, found)
        {
            context.add_misread(&found.charsets);
            context.add_extent(uniform::extent_of(found));
            context.add_families(found.scripts.iter().copied());
            return Edits { is_explained, ..Edits::default() };
        }
    }
    let text = std::str::from_utf8(line).ok();
    let mut characters = raw::characters(line, text, buffers);
    if has_nul
        && place.allow_utf16
        && let Some(edit) = raw::utf16(&characters, place.utf16)
    {
        return Edits { made: vec![edit], ..Edits::default() };
    }
    let mut edits = std::mem::take(&mut characters.edits);
    let stray_mark = stray_mark(&characters, place);
    let mut is_searched = characters.is_utf8;
    if has_escapes {
        place.escapes.join(line, &mut characters);
        let text: String = characters.all.iter().collect();
        is_searched &= search::is_suspicious(text.as_bytes()) == Some(true);
        is_explained = is_searched && buffers.explained.explain(text.as_bytes(), context);
    }
    let (mut found, mut charsets) = match &buffers.explained {
        explained if is_explained => (explained.found(), explained.charsets.clone()),
        _ if is_searched => search::search(&characters.all, context),
        _ => (Vec::new(), Vec::new()),
    };
    let followed = match is_searched {
        true => uniform::follow(&characters.all, &found, context),
        false => None,
    };
    let is_followed = followed.is_some();
    if let Some(followed) = followed {
        (found, charsets) = followed;
    } else if is_searched
        && !is_explained
        && context.table.is_none()
        && let Some(united) = unite::unite(&characters.all, &mut found, context)
    {
        charsets = united;
    }
    let mut has_others = search::has_others(&characters.all, &found);
    if is_searched && has_others {
        add_halves(&characters.all, context, &mut found, &mut charsets);
    }
    if let Some(table) = &context.table {
        table.adjust(&characters.all, &mut found);
    }
    has_others = has_others && search::has_others(&characters.all, &found);
    let mut left = match place.is_forced {
        true => Vec::new(),
        false if is_followed && !nearby.is_on_topic => Vec::new(),
        false => guard::keep(&characters.all, has_others, nearby, &mut found),
    };
    if let Some(table) = &context.table {
        table.settle(&characters.all, &mut found, &mut left);
    }
    let is_part = has_others;
    // Those that stay are others, too.
    has_others |= !left.is_empty();
    let delimiter = context.table.as_ref().map(Table::delimiter);
    let halves = whole::keep(&characters.all, has_others, place.is_whole, delimiter, &mut found);
    has_others |= !halves.is_empty();
    left.extend(halves.into_iter().map(|found| (found, Reason::HalfWord)));
    if !is_followed && whole::is_other_damage(&characters.all, has_others, &found) {
        left.extend(found.drain(..).map(|found| (found, Reason::OtherDamage)));
    }
    left.sort_by_key(|(found, _)| found.begin);
    if let Some(table) = &mut context.table {
        table.learn(&characters.all, &found, &left);
    }
    if found.iter().any(|found| found.bits >= SURE) {
        context.add_misread(&charsets);
        context.add_extent(uniform::extent(&found, !left.is_empty(), is_part));
    } else if left.is_empty() || is_part {
        context.add_right();
    } else {
        context.add_left();
    }
    let after = found.iter().flat_map(|found| found.text.iter().map(|(_, character)| *character));
    context.add_scripts(after);
    if found.is_empty() {
        context.add_scripts(characters.all.iter().copied());
    }
    edits.reserve(found.len());
    for found in found {
        add_edits(line, &characters, found, place, &mut edits);
    }
    // In other encodings, the two bytes of a control are something else.
    if characters.is_utf8 && controls::are_in(line) {
        edits.sort_by_key(|edit| edit.begin);
        edits.extend(controls::edits(&characters, &edits));
    }
    edits.extend(stray_mark);
    if !edits.is_sorted_by_key(|edit| edit.begin) {
        edits.sort_by_key(|edit| edit.begin);
    }
    let left = left.into_iter().flat_map(|(found, reason)| {
        let mut edits = Vec::new();
        add_edits(line, &characters, found, place, &mut edits);
        edits.into_iter().map(move |edit| (edit, reason))
    });
    let left = left.collect();
    buffers.restore(characters);
    Edits { made: edits, left, ..Edits::default() }
}

/// Whether an explained line needs no other rules.
fn is_plain(line: &[u8], place: Place<'_>, nearby: Nearby<'_>, found: &Explained) -> bool {
    if found.has_odd && whole::has_odd_pair(line, found) {
        return false;
    }
    place.is_forced || !place.is_on_topic && guard::shows_nothing(line, nearby, found)
}

/// Adds letters that lost their second byte to a space. They may be the only evidence that the line
/// was misread.
fn add_halves(
    line: &[char],
    context: &Context,
    found: &mut Vec<Found>,
    charsets: &mut Vec<Charset>,
) {
    let mut halves = halved::find(line, found, context);
    if halves.is_empty() {
        return;
    }
    if found.is_empty() {
        let mut proven = context.clone();
        proven.add_misread(&halved::charsets());
        (*found, *charsets) = search::search(line, &proven);
        halves = halved::find(line, found, context);
    }
    found.extend(halves);
    found.sort_by_key(|found| found.begin);
}

/// Whether a line may have U+FEFF, in UTF-8.
fn has_mark(line: &[u8]) -> bool {
    guard::has_pair(line, |first, second| first == 0xEF && second == 0xBB)
}

/// Turns a finding into one edit, or into several if the whole is not reversible.
fn add_edits(
    line: &[u8],
    characters: &Characters,
    found: search::Found,
    place: Place<'_>,
    edits: &mut Vec<Edit>,
) {
    let at = |index: usize| characters.offsets[index];
    let mut edit = Edit {
        begin: at(found.begin),
        end: at(found.end),
        cells: found.text.into_iter().map(|(index, character)| (at(index), character)).collect(),
        chain: found.chain,
        bits: found.bits,
    };
    if let Some(step) = place.escapes.step(&line[edit.begin..edit.end]) {
        edit.chain.insert(edit.chain.steps().len(), step);
    }
    if let [(begin, '\u{FEFF}')] = edit.cells[..] {
        if begin > 0 || !place.begins_line {
            return;
        }
        if !place.begins_text {
            edit.cells.clear();
            edit.chain.insert(0, Step::StrayMark);
        }
    }
    // A single step without a loss is reversible: it uses the bytes of its characters.
    let is_plain = matches!(edit.chain.steps(), [Step::Misread { loss: None, .. }]);
    if is_plain || edit.is_reversible(line) {
        edits.push(edit);
        return;
    }
    let ends = edit.cells.iter().skip(1).map(|(offset, _)| *offset).chain([edit.end]);
    let parts = edit.cells.iter().zip(ends).map(|(cell, end)| Edit {
        begin: cell.0,
        end,
        cells: vec![*cell],
        chain: edit.chain.clone(),
        bits: edit.bits,
    });
    edits.extend(parts.filter(|part| part.is_reversible(line)));
}

/// A BOM at the start of a later line, or a second one at the start of the text: the sign of
/// concatenated files.
fn stray_mark(characters: &Characters, place: Place<'_>) -> Option<Edit> {
    let marks = characters.all.iter().take_while(|character| **character == '\u{FEFF}').count();
    let first = usize::from(place.begins_text);
    (place.begins_line && marks > first).then(|| Edit {
        begin: characters.offsets[first],
        end: characters.offsets[first + 1],
        cells: Vec::new(),
        chain: Step::StrayMark.into(),
        bits: STRAY_MARK,
    })
}
