//! Repairs texts of any length, line by line.

use std::convert::Infallible;

use crate::chain::{Chain, Step};
use crate::context::Context;
use crate::escapes::Forms;
use crate::guard::{self, EXAMPLE_LINES, NAMED_BYTES, Reason, TOPIC_LINES};
use crate::line::{self, Edit, Edits, Place};
use crate::raw::{self, Buffers};
use crate::table::Table;

/// Bytes of a line to examine at once. A longer line is repaired in parts.
const WINDOW: usize = 16 << 10;
/// Bytes of a part to examine again with the next one. A character that was wrongly decoded three
/// times is shorter.
const OVERLAP: usize = 512;

/// How many lines may look right at the start of a text that was misread as a whole.
const DOUBTFUL: usize = 4;

/// Options for repair.
///
/// ```
/// use utfall_repair::{Options, repair_with};
/// let options = Options::new().with_json_escapes(true);
/// let repaired = repair_with(br#"{"name": "Andr\u00c3\u00a9 et Zo\u00c3\u00a9"}"#, options);
/// assert_eq!(repaired.bytes, br#"{"name": "Andr\u00e9 et Zo\u00e9"}"#);
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Options {
    /// The least confidence for a change.
    pub min_confidence: f64,
    /// Treat `\u` escapes as JSON does: `\u00c3\u00a9` is `Ã©`, and becomes `\u00e9`. Repaired
    /// escapes remain escapes.
    pub json_escapes: bool,
    /// Treat entities as HTML and XML do: `&Atilde;&copy;` is `Ã©`, and becomes `&eacute;`.
    pub html_entities: bool,
    /// Treat `%` as URLs do: `%C3%83%C2%A9` is `Ã©`, and becomes `%C3%A9`.
    pub percent_encoding: bool,
    /// Repair also what seems to show misread text on purpose: quoted examples, lines about misread text, lists
    /// of characters, and texts that look [binary](Reason::Binary).
    pub force: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self::new()
    }
}

impl Options {
    /// The default: changes of at least 0.9 confidence, in plain text.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            min_confidence: 0.9,
            json_escapes: false,
            html_entities: false,
            percent_encoding: false,
            force: false,
        }
    }

    /// Sets [`min_confidence`](Self::min_confidence).
    #[must_use]
    pub const fn with_min_confidence(self, min_confidence: f64) -> Self {
        Self { min_confidence, ..self }
    }

    /// Sets [`json_escapes`](Self::json_escapes).
    #[must_use]
    pub const fn with_json_escapes(self, json_escapes: bool) -> Self {
        Self { json_escapes, ..self }
    }

    /// Sets [`html_entities`](Self::html_entities).
    #[must_use]
    pub const fn with_html_entities(self, html_entities: bool) -> Self {
        Self { html_entities, ..self }
    }

    /// Sets [`percent_encoding`](Self::percent_encoding).
    #[must_use]
    pub const fn with_percent_encoding(self, percent_encoding: bool) -> Self {
        Self { percent_encoding, ..self }
    }

    /// Sets [`force`](Self::force).
    #[must_use]
    pub const fn with_force(self, force: bool) -> Self {
        Self { force, ..self }
    }

    /// The escapes that represent characters.
    fn escapes(&self) -> Forms {
        let Self { json_escapes, html_entities, percent_encoding, .. } = *self;
        Forms { json: json_escapes, html: html_entities, percent: percent_encoding }
    }
}

/// A repaired part of a text.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Change {
    /// Byte offset in the original text.
    pub offset: u64,
    /// Byte offset in the repaired text.
    pub offset_after: u64,
    /// Line number in the original text, from 1.
    pub line: u64,
    /// The original bytes.
    pub before: Vec<u8>,
    /// The repaired bytes.
    pub after: Vec<u8>,
    /// The damage. Applied to `after`, it gives `before`.
    pub chain: Chain,
    /// The probability that the change is right, from 0 to 1.
    pub confidence: f64,
}

impl Change {
    /// Whether the chain reproduces the original bytes. Escapes may differ: the original may have
    /// mixed upper- and lower-case digits (`\u00C3\u00a9`), names and numbers of entities, or only
    /// some characters escaped.
    ///
    /// ```
    /// let repaired = utfall_repair::repair("dÃ©jÃ\u{A0} vu".as_bytes());
    /// assert!(repaired.changes.iter().all(|change| change.leads_back()));
    /// ```
    pub fn leads_back(&self) -> bool {
        line::leads_to(&self.chain, &self.after, &self.before)
    }
}

/// A part of a text that looks misread, but was skipped; or a binary text.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Skipped {
    /// Byte offset in the original text.
    pub offset: u64,
    /// Line number in the original text, from 1.
    pub line: u64,
    /// The bytes as they are. Empty for a binary text.
    pub before: Vec<u8>,
    /// The bytes that a repair would write. Empty for a binary text.
    pub after: Vec<u8>,
    /// Why it was skipped.
    pub reason: Reason,
}

/// Several lines, or a part of a line.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Piece<'a> {
    /// The original bytes.
    pub bytes: &'a [u8],
    /// The changes to make. If there are any, the piece is within one line.
    pub changes: &'a [Change],
    /// Parts that look misread but were skipped, in order.
    pub skipped: &'a [Skipped],
    /// Byte offset in the original text.
    pub offset: u64,
    /// Whether the line continues in the next piece.
    pub goes_on: bool,
}

impl Piece<'_> {
    /// Passes the repaired bytes to `put`, in parts.
    ///
    /// # Errors
    ///
    /// Stops at the first error of `put`, and returns it.
    pub fn repaired<E>(&self, mut put: impl FnMut(&[u8]) -> Result<(), E>) -> Result<(), E> {
        let mut done = 0;
        for change in self.changes {
            let begin = (change.offset - self.offset) as usize;
            put(&self.bytes[done..begin])?;
            put(&change.after)?;
            done = begin + change.before.len();
        }
        put(&self.bytes[done..])
    }
}

/// A piece that owns the list of skipped parts.
struct Finished<'a> {
    bytes: &'a [u8],
    changes: &'a [Change],
    skipped: Vec<Skipped>,
    offset: u64,
    goes_on: bool,
}

impl Finished<'_> {
    fn piece(&self) -> Piece<'_> {
        let Self { bytes, changes, skipped, offset, goes_on } = self;
        Piece { bytes, changes, skipped, offset: *offset, goes_on: *goes_on }
    }
}

/// Repairs a text that arrives in chunks, in bounded memory: it buffers less than a line, and less
/// than 64 KiB. Chunk boundaries do not affect the result.
///
/// ```
/// # use utfall_repair::{Options, Repairer};
/// let mut out: Vec<u8> = Vec::new();
/// let mut repairer = Repairer::new(Options::default());
/// for part in ["caf\u{c3}".as_bytes(), "\u{a9}\n".as_bytes()] {
///     repairer.push(part, |piece| piece.repaired(|bytes| Ok::<_, ()>(out.extend(bytes))))?;
/// }
/// repairer.finish(|piece| piece.repaired(|bytes| Ok(out.extend(bytes))))?;
/// assert_eq!(out, "café\n".as_bytes());
/// # Ok::<(), ()>(())
/// ```
#[derive(Clone, Debug)]
pub struct Repairer {
    options: Options,
    held: Vec<u8>,
    /// Position of the buffered bytes.
    offset: u64,
    offset_after: u64,
    line: u64,
    begins_line: bool,
    /// Whether to undo lines of UTF-16, decided once enough has been seen. If other lines have
    /// U+0000 too, the file is all UTF-16 or binary, and must not be changed in parts.
    allow_utf16: Option<bool>,
    utf16: Option<Step>,
    is_binary: bool,
    context: Context,
    buffers: Buffers,
    /// The changes of a line, or of the whole text.
    changes: Vec<Change>,
    keeps_changes: bool,
    /// The last line that says that the text is about misread text.
    topic: Option<u64>,
    /// The last line that has an example of misread text.
    example: Option<u64>,
    /// The end of the text so far.
    recent: Vec<u8>,
}

impl Repairer {
    /// A repairer at the start of a text.
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
            is_binary: false,
            context: Context::default(),
            buffers: Buffers::default(),
            changes: Vec::new(),
            keeps_changes: false,
            topic: None,
            example: None,
            recent: Vec::new(),
        }
    }

    /// Feeds the next chunk, and passes finished pieces to `sink`.
    ///
    /// # Errors
    ///
    /// Stops at the first error of `sink`, and returns it.
    pub fn push<E>(
        &mut self,
        bytes: &[u8],
        mut sink: impl FnMut(Piece<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        self.feed(bytes, &mut |finished| sink(finished.piece()))
    }

    fn feed<E>(
        &mut self,
        bytes: &[u8],
        sink: &mut impl FnMut(Finished<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        for part in bytes.chunks(2 * WINDOW) {
            // An unfinished line is not examined again for each chunk. After a line feed at the
            // end, the next byte may still belong to the line.
            let goes_on = self.held.last() != Some(&b'\n') && !part.contains(&b'\n');
            self.held.extend_from_slice(part);
            if !goes_on || self.held.len() > WINDOW {
                self.work(false, sink)?;
            }
        }
        Ok(())
    }

    /// Ends the text, and passes the remaining pieces to `sink`.
    ///
    /// # Errors
    ///
    /// Returns the first error of `sink`.
    pub fn finish<E>(mut self, mut sink: impl FnMut(Piece<'_>) -> Result<(), E>) -> Result<(), E> {
        self.work(true, &mut |finished| sink(finished.piece()))
    }

    fn work<E>(
        &mut self,
        last: bool,
        sink: &mut impl FnMut(Finished<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        let held = std::mem::take(&mut self.held);
        let mut rest = &held[..];
        if self.allow_utf16.is_none() {
            if held.len() < WINDOW && !last {
                self.held = held;
                return Ok(());
            }
            let start = &held[..held.len().min(WINDOW)];
            let is_explained = utf16_is_explained(start);
            self.allow_utf16 = Some(is_explained);
            if !is_explained && !self.options.force {
                self.is_binary = true;
                let (before, after, reason) = (Vec::new(), Vec::new(), Reason::Binary);
                let binary = Skipped { offset: 0, line: 1, before, after, reason };
                return self.pass(rest, vec![binary], sink);
            }
            if !start.is_ascii() {
                self.look_for_table(start);
                self.look_ahead(start);
            }
        }
        if self.is_binary {
            return self.pass(rest, Vec::new(), sink);
        }
        while !rest.is_empty() {
            // After a line of UTF-16LE, a lone line feed is half of a code unit.
            let escapes = self.options.escapes();
            let clean = if self.utf16.is_none() { clean_lines(rest, escapes) } else { 0 };
            if clean > 0 {
                let (bytes, after) = rest.split_at(clean);
                self.pass(bytes, Vec::new(), sink)?;
                rest = after;
                continue;
            }
            // How many bytes to examine, and whether they are the whole rest of the line.
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

    /// Passes on lines that need no change.
    fn pass<E>(
        &mut self,
        bytes: &[u8],
        skipped: Vec<Skipped>,
        sink: &mut impl FnMut(Finished<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        self.look_for_topic(bytes);
        let offset = self.offset;
        sink(Finished { bytes, changes: &[], skipped, offset, goes_on: false })?;
        self.remember(bytes);
        self.line += bytes.iter().filter(|byte| **byte == b'\n').count() as u64;
        self.offset += bytes.len() as u64;
        self.offset_after += bytes.len() as u64;
        self.begins_line = true;
        self.utf16 = None;
        Ok(())
    }

    /// Looks for a table at the start of a text, and reads ahead, so that even the first cells
    /// follow their columns.
    fn look_for_table(&mut self, start: &[u8]) {
        let Some(table) = Table::of(start) else { return };
        let mut context = Context::default();
        context.table = Some(table);
        for line in lines(start) {
            self.read(line, false, &mut context);
        }
        self.context.table = context.table;
        if let Some(table) = &mut self.context.table {
            table.recount();
        }
    }

    /// If the start of a text was misread as a whole, its first lines follow the others. A text about misread text
    /// is not read ahead.
    fn look_ahead(&mut self, start: &[u8]) {
        if guard::topic(start).is_some() {
            return;
        }
        let mut context = Context::default();
        let (mut doubtful, mut example) = (Vec::new(), None);
        for (number, line) in (0..).zip(lines(start)) {
            let has_example = example.is_some_and(|last: u64| number - last <= EXAMPLE_LINES);
            let edits = self.read(line, has_example, &mut context);
            if edits.have_example() {
                example = Some(number);
            }
            if !line.is_ascii() && edits.are_none() {
                doubtful.push(line);
            }
            if doubtful.len() > DOUBTFUL {
                return;
            }
        }
        let mut follows = |line: &&[u8]| !self.read(line, false, &mut context.clone()).are_none();
        if context.uniform().is_some() && doubtful.iter().all(&mut follows) {
            self.context.follow(context);
        }
    }

    /// Reads a line ahead, as evidence for others.
    fn read(&mut self, line: &[u8], has_example: bool, context: &mut Context) -> Edits {
        let place = Place {
            escapes: self.options.escapes(),
            begins_line: true,
            is_whole: true,
            has_example,
            ..Place::default()
        };
        line::edits(line, place, context, &mut self.buffers)
    }

    /// Remembers the last line that says that the text is about misread text.
    fn look_for_topic(&mut self, bytes: &[u8]) {
        if let Some(at) = guard::topic(bytes) {
            let lines = bytes[..at].iter().filter(|byte| **byte == b'\n').count();
            self.topic = Some(self.line + lines as u64);
        }
    }

    /// Keeps the end of the text so far.
    fn remember(&mut self, bytes: &[u8]) {
        if self.recent.len() > 4 * NAMED_BYTES {
            self.recent.drain(..self.recent.len() - NAMED_BYTES);
        }
        self.recent.extend_from_slice(&bytes[bytes.len().saturating_sub(NAMED_BYTES)..]);
    }

    /// Repairs a line, or as much of it as `seen` has. Returns how many bytes are finished.
    fn repair<E>(
        &mut self,
        seen: &[u8],
        whole: bool,
        sink: &mut impl FnMut(Finished<'_>) -> Result<(), E>,
    ) -> Result<usize, E> {
        self.look_for_topic(seen);
        let place = Place {
            recent: &self.recent[self.recent.len().saturating_sub(NAMED_BYTES)..],
            begins_text: self.offset == 0,
            begins_line: self.begins_line,
            is_whole: whole,
            allow_utf16: self.allow_utf16 == Some(true),
            utf16: self.utf16,
            escapes: self.options.escapes(),
            is_on_topic: self.topic.is_some_and(|topic| self.line - topic <= TOPIC_LINES),
            has_example: self.example.is_some_and(|line| self.line - line <= EXAMPLE_LINES),
            is_forced: self.options.force,
        };
        let edits = line::edits(seen, place, &mut self.context, &mut self.buffers);
        if edits.have_example() {
            self.example = Some(self.line);
        }
        let Edits { is_explained, made: mut edits, left } = edits;
        if is_explained {
            self.replace(seen, sink)?;
            return Ok(seen.len());
        }
        let mut taken = seen.len();
        if !whole {
            taken = boundary(seen, seen.len() - OVERLAP, self.options.escapes());
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
        let known = self.forget_changes();
        let mut grown = 0;
        for edit in edits {
            let confidence = confidence(edit.bits);
            if confidence < self.options.min_confidence {
                continue;
            }
            let change = self.change(seen, edit, grown, confidence);
            grown += change.after.len() as i64 - change.before.len() as i64;
            self.changes.push(change);
        }
        let bytes = &seen[..taken];
        let skipped = self.left(seen, taken, left);
        let changes = &self.changes[known..];
        let first = changes.first().map(|change| change.chain.steps()[0]);
        let (offset, goes_on) = (self.offset, !whole);
        sink(Finished { bytes, changes, skipped, offset, goes_on })?;
        self.remember(bytes);
        self.offset += taken as u64;
        self.offset_after = (self.offset_after + taken as u64).saturating_add_signed(grown);
        self.line += u64::from(whole);
        self.begins_line = whole;
        self.utf16 = first.filter(|step| matches!(step, Step::Utf16Le | Step::Utf16Be));
        if self.utf16.is_none() && bytes.contains(&0) {
            self.allow_utf16 = Some(false);
        }
        Ok(taken)
    }

    /// Repairs a line that one charset explains.
    fn replace<E>(
        &mut self,
        line: &[u8],
        sink: &mut impl FnMut(Finished<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        let confidence = confidence(self.buffers.explained.bits);
        let is_meant = confidence >= self.options.min_confidence;
        let chain = self.buffers.explained.chain().filter(|_| is_meant);
        let known = self.forget_changes();
        let explained = &self.buffers.explained;
        let mut grown = 0;
        for (run, chain) in explained.runs.iter().zip(chain.into_iter().cycle()) {
            let (before, after) = (&line[run.begin..run.end], explained.restored(run));
            let offset = run.begin as u64;
            self.changes.push(Change {
                offset: self.offset + offset,
                offset_after: (self.offset_after + offset).saturating_add_signed(grown),
                line: self.line,
                before: before.to_vec(),
                after: after.to_vec(),
                chain,
                confidence,
            });
            grown += after.len() as i64 - before.len() as i64;
        }
        let offset = self.offset;
        let changes = &self.changes[known..];
        sink(Finished { bytes: line, changes, skipped: Vec::new(), offset, goes_on: false })?;
        self.remember(line);
        self.offset += line.len() as u64;
        self.offset_after = (self.offset_after + line.len() as u64).saturating_add_signed(grown);
        self.line += 1;
        self.begins_line = true;
        self.utf16 = None;
        Ok(())
    }

    /// Forgets the changes of earlier lines, except for a complete text. Returns how many remain.
    fn forget_changes(&mut self) -> usize {
        if !self.keeps_changes {
            self.changes.clear();
        }
        self.changes.len()
    }

    /// The skipped parts in the finished part of a line that would have been changed.
    fn left(&self, seen: &[u8], taken: usize, edits: Vec<(Edit, Reason)>) -> Vec<Skipped> {
        let is_meant = |(edit, _): &(Edit, Reason)| {
            edit.end <= taken && confidence(edit.bits) >= self.options.min_confidence
        };
        let left = edits.into_iter().filter(is_meant).map(|(edit, reason)| Skipped {
            offset: self.offset + edit.begin as u64,
            line: self.line,
            before: seen[edit.begin..edit.end].to_vec(),
            after: edit.after(),
            reason,
        });
        left.collect()
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

/// How often a change with so many bits of evidence is right, measured on the tuning part of the texts of
/// `cargo xtask repair-quality`.
const RIGHT: [f64; 10] = [0.5, 0.55, 0.6, 0.65, 0.92, 0.97, 0.98, 0.985, 0.985, 0.99];

/// The probability that this many bits of evidence do not mislead. Beyond the table, it follows from the
/// bits themselves.
fn confidence(bits: i32) -> f64 {
    match RIGHT.get(bits.max(0) as usize) {
        Some(right) => *right,
        None => 1.0 / (1.0 + 1.0 / (1_u64 << bits.min(50)) as f64),
    }
}

/// Whether all lines with U+0000 at the start of a text are UTF-16 that can be undone.
fn utf16_is_explained(mut bytes: &[u8]) -> bool {
    let (mut utf16, mut buffers) = (None, Buffers::default());
    while let Some(end) = line_end(bytes, true) {
        let (line, rest) = bytes.split_at(end);
        let characters = raw::characters(line, None, &mut buffers);
        let edit = raw::utf16(&characters, utf16);
        buffers.restore(characters);
        if line.contains(&0) && edit.is_none() {
            return false;
        }
        utf16 = edit.map(|edit| edit.chain.steps()[0]);
        bytes = rest;
    }
    true
}

/// The index of the first such byte. The compiler uses vectors for most of them.
fn position(bytes: &[u8], is_meant: impl Fn(u8) -> bool) -> Option<usize> {
    const BLOCK: usize = 32;
    let has_one = |block: &[u8]| block.iter().fold(false, |found, byte| found | is_meant(*byte));
    let clean = bytes.chunks_exact(BLOCK).take_while(|block| !has_one(block)).count() * BLOCK;
    bytes[clean..].iter().position(|byte| is_meant(*byte)).map(|index| clean + index)
}

/// The complete lines of a text.
fn lines(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split_inclusive(|byte| *byte == b'\n').filter(|line| line.ends_with(b"\n"))
}

/// The length in bytes of the leading lines of US-ASCII, without U+0000, and without signs that begin
/// escapes.
fn clean_lines(bytes: &[u8], escapes: Forms) -> usize {
    let is_odd = |byte| matches!(byte, 0 | 0x80..);
    let dirty = match escapes.are_any() {
        true => position(bytes, |byte| is_odd(byte) || escapes.begin_with(byte)),
        false => position(bytes, is_odd),
    };
    let clean = dirty.unwrap_or(bytes.len());
    bytes[..clean].iter().rposition(|byte| *byte == b'\n').map_or(0, |index| index + 1)
}

/// The end of the first line, if it is known. The line includes the zero byte of a UTF-16LE line
/// feed.
fn line_end(bytes: &[u8], last: bool) -> Option<usize> {
    let feed = position(bytes, |byte| byte == b'\n')?;
    // UTF-16BE begins with a zero byte, and has one before the line feed.
    let wide = feed == 0 || bytes[feed - 1] == 0 && bytes[0] != 0;
    match bytes.get(feed + 1) {
        Some(0) if wide => Some(feed + 2),
        None if wide && !last => None,
        _ => Some(feed + 1),
    }
}

/// The last character boundary up to `offset`, or `offset` itself if there is none nearby.
fn boundary(bytes: &[u8], offset: usize, escapes: Forms) -> usize {
    // Cut neither an escape nor a backslash from the character that it escapes.
    let mut token = 0;
    while escapes.are_any()
        && let next = token + escapes.length(&bytes[token..])
        && next <= offset
    {
        token = next;
    }
    let offset = if escapes.are_any() { token } else { offset };
    let near = (offset.saturating_sub(3)..=offset).rev();
    near.clone().find(|at| bytes[*at] & 0xC0 != 0x80).unwrap_or(offset)
}

/// A repaired text and its changes.
#[derive(Clone, PartialEq, Debug, Default)]
#[non_exhaustive]
pub struct Repaired {
    /// The repaired bytes.
    pub bytes: Vec<u8>,
    /// The changes, in order.
    pub changes: Vec<Change>,
    /// Parts that look misread but were skipped, in order.
    ///
    /// ```
    /// let repaired = utfall_repair::repair("the sign \u{201c}\u{c3}\u{a9}\u{201d} means a wrong charset".as_bytes());
    /// assert!(repaired.changes.is_empty());
    /// assert_eq!(repaired.skipped[0].reason, utfall_repair::Reason::Charsets);
    /// ```
    pub skipped: Vec<Skipped>,
}

/// Repairs a complete text.
///
/// ```
/// let repaired = utfall_repair::repair("L\u{e2}\u{20ac}\u{2122}\u{c3}\u{a9}t\u{c3}\u{a9}".as_bytes());
/// assert_eq!(repaired.bytes, "L’été".as_bytes());
/// ```
pub fn repair(bytes: &[u8]) -> Repaired {
    repair_with(bytes, Options::default())
}

/// Repairs a complete text, with options.
pub fn repair_with(bytes: &[u8], options: Options) -> Repaired {
    let mut repaired = Repaired {
        bytes: Vec::with_capacity(bytes.len()),
        changes: Vec::new(),
        skipped: Vec::new(),
    };
    let mut sink = |mut finished: Finished<'_>| {
        let Ok(()) = finished.piece().repaired(|bytes| {
            repaired.bytes.extend_from_slice(bytes);
            Ok::<_, Infallible>(())
        });
        repaired.skipped.append(&mut finished.skipped);
        Ok::<_, Infallible>(())
    };
    let mut repairer = Repairer { keeps_changes: true, ..Repairer::new(options) };
    let Ok(()) = repairer.feed(bytes, &mut sink);
    let Ok(()) = repairer.work(true, &mut sink);
    repaired.changes = repairer.changes;
    repaired
}
