//! Texts of any length, line by line.

use crate::chain::{Chain, Step};
use crate::line::{self, Edit, Place};
use crate::{escapes, raw};

/// How much of a line is looked at at once. A longer one is repaired in parts.
const WINDOW: usize = 16 << 10;
/// What of a part is looked at again with the next: more than one character can have become in
/// three wrong decodings.
const OVERLAP: usize = 512;

/// What is to be changed.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Changes below this confidence are not made.
    pub min_confidence: f64,
    /// The text is JSON, or has escapes as JSON has them: `\u00c3\u00a9` is `Ã©`, and becomes
    /// `\u00e9`. What is escaped stays so.
    pub json_escapes: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { min_confidence: 0.9, json_escapes: false }
    }
}

/// A part of a text that was something else.
#[derive(Clone, PartialEq, Debug)]
pub struct Change {
    /// Where it begins in the text, in octets.
    pub offset: u64,
    /// Where it begins in the repaired text, in octets.
    pub offset_after: u64,
    /// In which line of the text it is, from 1.
    pub line: u64,
    /// Its octets.
    pub before: Vec<u8>,
    /// What they were.
    pub after: Vec<u8>,
    /// What happened to them. Applied to `after`, it gives `before`.
    pub chain: Chain,
    /// How likely that is, from 0 to 1.
    pub confidence: f64,
}

impl Change {
    /// Whether the chain leads back to what was there: octet for octet, but that escapes of JSON
    /// may have been written with other digits (`\u00C3\u00a9`), or in part.
    ///
    /// ```
    /// let repaired = utfall_repair::repair("dÃ©jÃ\u{A0} vu".as_bytes());
    /// assert!(repaired.changes.iter().all(|change| change.leads_back()));
    /// ```
    pub fn leads_back(&self) -> bool {
        line::leads_to(&self.chain, &self.after, &self.before)
    }
}

/// Some lines, or a part of a line.
#[derive(Clone, Copy, Debug)]
pub struct Piece<'a> {
    /// The octets, as they are.
    pub octets: &'a [u8],
    /// What is to be changed in them. If anything is, they are all of one line.
    pub changes: &'a [Change],
    /// Where they begin in the text.
    pub offset: u64,
    /// Whether the line goes on in the next piece.
    pub goes_on: bool,
}

impl Piece<'_> {
    /// Hands over what the octets become, in parts.
    ///
    /// # Errors
    ///
    /// Those of `put`, the first of which ends it.
    pub fn repaired<E>(&self, mut put: impl FnMut(&[u8]) -> Result<(), E>) -> Result<(), E> {
        let mut done = 0;
        for change in self.changes {
            let begin = (change.offset - self.offset) as usize;
            put(&self.octets[done..begin])?;
            put(&change.after)?;
            done = begin + change.before.len();
        }
        put(&self.octets[done..])
    }
}

/// Repairs a text that comes in parts, in bounded memory: what it holds back is less than a line,
/// and less than 64 KiB. How the text is split does not matter.
///
/// ```
/// # use utfall_repair::{Options, Repairer};
/// let mut out: Vec<u8> = Vec::new();
/// let mut repairer = Repairer::new(Options::default());
/// for part in ["caf\u{c3}".as_bytes(), "\u{a9}\n".as_bytes()] {
///     repairer.push(part, |piece| piece.repaired(|octets| Ok::<_, ()>(out.extend(octets))))?;
/// }
/// repairer.finish(|piece| piece.repaired(|octets| Ok(out.extend(octets))))?;
/// assert_eq!(out, "café\n".as_bytes());
/// # Ok::<(), ()>(())
/// ```
#[derive(Clone, Debug)]
pub struct Repairer {
    options: Options,
    held: Vec<u8>,
    /// Of what is held.
    offset: u64,
    offset_after: u64,
    line: u64,
    begins_line: bool,
    /// Whether lines of UTF-16 are undone. They are not where others have U+0000 too: a text that
    /// is UTF-16, or none, is not to be changed in parts. Known when enough of it has been seen.
    allow_utf16: Option<bool>,
    utf16: Option<Step>,
}

impl Repairer {
    /// At the start of a text.
    pub fn new(options: Options) -> Self {
        Self {
            options,
            held: Vec::new(),
            offset: 0,
            offset_after: 0,
            line: 1,
            begins_line: true,
            allow_utf16: None,
            utf16: None,
        }
    }

    /// Goes on with the text, and hands over what is done with.
    ///
    /// # Errors
    ///
    /// Those of `sink`, the first of which ends it.
    pub fn push<E>(
        &mut self,
        octets: &[u8],
        mut sink: impl FnMut(Piece<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        for part in octets.chunks(2 * WINDOW) {
            // A line that has not ended is not looked at again for each octet of it. A line feed at
            // the end is one of which it was not known yet whether an octet belongs to it.
            let goes_on = self.held.last() != Some(&b'\n') && !part.contains(&b'\n');
            self.held.extend_from_slice(part);
            if !goes_on || self.held.len() > WINDOW {
                self.work(false, &mut sink)?;
            }
        }
        Ok(())
    }

    /// Ends the text.
    ///
    /// # Errors
    ///
    /// Those of `sink`.
    pub fn finish<E>(mut self, mut sink: impl FnMut(Piece<'_>) -> Result<(), E>) -> Result<(), E> {
        self.work(true, &mut sink)
    }

    fn work<E>(
        &mut self,
        last: bool,
        sink: &mut impl FnMut(Piece<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        let held = std::mem::take(&mut self.held);
        let mut rest = &held[..];
        if self.allow_utf16.is_none() {
            if held.len() < WINDOW && !last {
                self.held = held;
                return Ok(());
            }
            self.allow_utf16 = Some(utf16_is_explained(&held[..held.len().min(WINDOW)]));
        }
        while !rest.is_empty() {
            // Behind a line of UTF-16LE a lone line feed is half of one.
            let escapes = self.options.json_escapes;
            let clean = if self.utf16.is_none() { clean_lines(rest, escapes) } else { 0 };
            if clean > 0 {
                let (octets, behind) = rest.split_at(clean);
                self.pass(octets, sink)?;
                rest = behind;
                continue;
            }
            // How much is looked at, and whether that is all there is of the line.
            let (seen, whole) = match line_end(rest, last) {
                Some(end) if end <= WINDOW => (end, true),
                None if last && rest.len() <= WINDOW => (rest.len(), true),
                Some(_) => (WINDOW, false),
                None if rest.len() > WINDOW => (WINDOW, false),
                None => break,
            };
            let taken = self.repair(&rest[..seen], whole, sink)?;
            rest = &rest[taken..];
        }
        self.held = rest.to_vec();
        Ok(())
    }

    /// Lines in which nothing is to be changed.
    fn pass<E>(
        &mut self,
        octets: &[u8],
        sink: &mut impl FnMut(Piece<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        sink(Piece { octets, changes: &[], offset: self.offset, goes_on: false })?;
        self.line += octets.iter().filter(|octet| **octet == b'\n').count() as u64;
        self.offset += octets.len() as u64;
        self.offset_after += octets.len() as u64;
        self.begins_line = true;
        self.utf16 = None;
        Ok(())
    }

    /// A line, or as much of it as is seen. Returns how much of that is done with.
    fn repair<E>(
        &mut self,
        seen: &[u8],
        whole: bool,
        sink: &mut impl FnMut(Piece<'_>) -> Result<(), E>,
    ) -> Result<usize, E> {
        let place = Place {
            begins_text: self.offset == 0,
            begins_line: self.begins_line,
            allow_utf16: self.allow_utf16 == Some(true),
            utf16: self.utf16,
            json_escapes: self.options.json_escapes,
        };
        let mut edits = line::edits(seen, place);
        let mut taken = seen.len();
        if !whole {
            taken = boundary(seen, seen.len() - OVERLAP, self.options.json_escapes);
            if let Some(index) = edits.iter().position(|edit| edit.end > taken) {
                edits.truncate(index + 1);
                let cut = edits.pop().filter(|edit| edit.begin < taken);
                if let Some(cut) = cut {
                    let begin = cut.begin;
                    let cut = cut.until(taken);
                    taken = cut.as_ref().map_or(begin, |edit| edit.end);
                    edits.extend(cut);
                }
            }
        }
        let mut changes = Vec::new();
        let mut grown = 0;
        for edit in edits {
            let confidence = confidence(edit.bits);
            if confidence < self.options.min_confidence {
                continue;
            }
            let change = self.change(seen, edit, grown, confidence);
            grown += change.after.len() as i64 - change.before.len() as i64;
            changes.push(change);
        }
        let octets = &seen[..taken];
        sink(Piece { octets, changes: &changes, offset: self.offset, goes_on: !whole })?;
        self.offset += taken as u64;
        self.offset_after = (self.offset_after + taken as u64).saturating_add_signed(grown);
        self.line += u64::from(whole);
        self.begins_line = whole;
        self.utf16 = changes
            .first()
            .map(|change| change.chain.steps()[0])
            .filter(|step| matches!(step, Step::Utf16Le | Step::Utf16Be));
        if self.utf16.is_none() && octets.contains(&0) {
            self.allow_utf16 = Some(false);
        }
        Ok(taken)
    }

    fn change(&self, seen: &[u8], edit: Edit, grown: i64, confidence: f64) -> Change {
        let offset = edit.begin as u64;
        Change {
            offset: self.offset + offset,
            offset_after: (self.offset_after + offset).saturating_add_signed(grown),
            line: self.line,
            before: seen[edit.begin..edit.end].to_vec(),
            after: edit.after(),
            chain: edit.chain,
            confidence,
        }
    }
}

/// How likely it is that so many bits of evidence do not mislead.
fn confidence(bits: i32) -> f64 {
    1.0 / (1.0 + 2_f64.powi(-bits.clamp(-50, 50)))
}

/// Whether all lines with U+0000 at the start of a text are UTF-16 that can be undone.
fn utf16_is_explained(mut octets: &[u8]) -> bool {
    let mut utf16 = None;
    while let Some(end) = line_end(octets, true) {
        let (line, rest) = octets.split_at(end);
        let edit = raw::utf16(&raw::characters(line), utf16);
        if line.contains(&0) && edit.is_none() {
            return false;
        }
        utf16 = edit.map(|edit| edit.chain.0[0]);
        octets = rest;
    }
    true
}

/// How many octets at the start are lines of US-ASCII without U+0000, and without a backslash if
/// there may be escapes.
fn clean_lines(octets: &[u8], escapes: bool) -> usize {
    let mut clean = 0;
    for block in octets.chunks(256) {
        let is_dirty = |octet: &u8| matches!(octet, 0 | 0x80..) || escapes && *octet == b'\\';
        let dirty = block.iter().position(is_dirty);
        clean += dirty.unwrap_or(block.len());
        if dirty.is_some() {
            break;
        }
    }
    octets[..clean].iter().rposition(|octet| *octet == b'\n').map_or(0, |index| index + 1)
}

/// Where the first line ends, if it is known. The zero octet of a line feed in UTF-16LE is a part
/// of it.
fn line_end(octets: &[u8], last: bool) -> Option<usize> {
    let feed = octets.iter().position(|octet| *octet == b'\n')?;
    // UTF-16BE begins with a zero octet, and has it before the feed.
    let wide = feed == 0 || octets[feed - 1] == 0 && octets[0] != 0;
    match octets.get(feed + 1) {
        Some(0) if wide => Some(feed + 2),
        None if wide && !last => None,
        _ => Some(feed + 1),
    }
}

/// The last boundary of characters up to an offset, or that offset if there is none near.
fn boundary(octets: &[u8], offset: usize, escapes: bool) -> usize {
    // No escape may be cut, nor what a backslash stands before.
    let mut token = 0;
    while escapes
        && let next = token + escapes::token(&octets[token..])
        && next <= offset
    {
        token = next;
    }
    let offset = if escapes { token } else { offset };
    let near = (offset.saturating_sub(3)..=offset).rev();
    near.clone().find(|at| octets[*at] & 0xC0 != 0x80).unwrap_or(offset)
}

/// A text that was repaired, and what was changed.
#[derive(Clone, PartialEq, Debug)]
pub struct Repaired {
    /// The octets.
    pub octets: Vec<u8>,
    /// What is not as it was, in order.
    pub changes: Vec<Change>,
}

/// Repairs a text in one call.
///
/// ```
/// let repaired = utfall_repair::repair("L\u{e2}\u{20ac}\u{2122}\u{c3}\u{a9}t\u{c3}\u{a9}".as_bytes());
/// assert_eq!(repaired.octets, "L’été".as_bytes());
/// ```
pub fn repair(octets: &[u8]) -> Repaired {
    repair_with(octets, Options::default())
}

/// Repairs a text in one call, with other options.
pub fn repair_with(octets: &[u8], options: Options) -> Repaired {
    let mut repaired = Repaired { octets: Vec::with_capacity(octets.len()), changes: Vec::new() };
    let mut sink = |piece: Piece<'_>| {
        repaired.changes.extend_from_slice(piece.changes);
        piece.repaired(|octets| {
            repaired.octets.extend_from_slice(octets);
            Ok::<_, std::convert::Infallible>(())
        })
    };
    let mut repairer = Repairer::new(options);
    let Ok(()) = repairer.push(octets, &mut sink);
    let Ok(()) = repairer.finish(&mut sink);
    repaired
}
