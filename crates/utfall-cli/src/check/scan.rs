//! Scans one input, or a part of a large one: the work of each thread.

use std::collections::VecDeque;
use std::fs;

use utfall::lines::LineEnd;
use utfall::lint::{Finding, FindingKind, Linter, Newlines, Rule, Rules, is_html};
use utfall::{Encoding, Utf7Tolerance};
use utfall_bind::check::decoder_options;
use utfall_bind::generation::{SPECIFICATIONS, Sequence};
use utfall_tree::is_binary;

use super::concealed::{Concealed, Mail, Search, Text};
use crate::cli::JsonEscapes;
use crate::excerpt::{Around, REACH};
use crate::failure::Failure;
use crate::input::{Input, Source};
use crate::likely::{BEFORE, Likely, SAMPLE, Sample};
use crate::mbox;
use crate::progress::Reading;

/// The size of the parts of large files. A part extends to the next line end.
const PART: u64 = 8 * 1024 * 1024;

/// How many past bytes are saved: more than the longest ill-formed sequence, and the bytes before
/// it that belong to a sample.
const MEMORY: usize = 64 + BEFORE;
/// The same if text around findings is shown: a finding waits for the bytes after it.
const LONG_MEMORY: usize = MEMORY + 3 * REACH;
/// The same for standard input, which cannot be read again: some findings become known late.
const LONGEST_MEMORY: usize = 64 * 1024;
/// Enough for every BOM.
const LONGEST_MARK: usize = 4;

/// Settings for all inputs.
#[derive(Clone, Copy)]
pub(crate) struct Scan {
    /// The encoding, if an option gives it.
    pub(crate) from: Option<Encoding>,
    pub(crate) rules: Rules,
    pub(crate) utf7_tolerance: Utf7Tolerance,
    /// Whether JSON escapes are decoded.
    pub(crate) json_escapes: JsonEscapes,
    /// Whether to send all findings, or the first of each rule.
    pub(crate) all: bool,
    pub(crate) concealed: Search,
    /// Whether to send findings with the text around them.
    pub(crate) keeps_text: bool,
}

/// An input, or a part of it.
#[derive(Clone, Debug)]
pub(crate) struct Task {
    pub(crate) source: Source,
    /// Whether it was named explicitly, and is checked even if it is binary.
    pub(crate) is_named: bool,
    /// The encoding, if it is configured for this input or given for all.
    pub(crate) from: Option<Encoding>,
    pub(crate) part: Part,
    /// The progress of reading the input.
    pub(crate) progress: Option<Reading>,
}

/// The lines to scan: those that begin in a range of bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Part {
    Whole,
    Some { begin: u64, end: u64, encoding: Encoding, by_mark: bool },
}

/// The events of a task, in this order.
pub(crate) enum Event {
    /// An input begins.
    Begin,
    /// Its encoding, and whether a BOM determined it.
    Encoding(Encoding, bool),
    /// It is binary, and was not named explicitly.
    Binary,
    /// A finding.
    Found(Box<Found>),
    /// Concealed text.
    Concealed(Box<Concealed>, Option<Around>),
    /// Everything has been scanned.
    End(Box<Done>),
    /// It cannot be read.
    Failed(Failure),
}

/// A finding and its bytes. Lines count from the start of the part.
pub(crate) struct Found {
    pub(crate) finding: Finding,
    /// The bytes of an ill-formed sequence.
    pub(crate) bytes: Vec<u8>,
    pub(crate) around: Option<Around>,
}

/// The result of a whole task.
pub(crate) struct Done {
    pub(crate) bytes: u64,
    pub(crate) lines: u64,
    pub(crate) newlines: Newlines,
    /// The finding that the last line has no line end.
    pub(crate) unended: Option<Finding>,
    pub(crate) passed: u64,
    pub(crate) leniences: Utf7Tolerance,
    /// Findings of each rule that were not sent.
    pub(crate) unsent: Vec<u64>,
    /// The same for concealed text.
    pub(crate) unsent_concealed: Vec<(&'static str, u64)>,
    /// The likely encoding, if the input is invalid. The inner value is `None` if no encoding is
    /// likely.
    pub(crate) likely: Option<Option<Likely>>,
    pub(crate) is_mail: bool,
    /// Messages that were too long to be searched.
    pub(crate) too_long: u64,
    /// The end of the text, if text is saved for excerpts.
    pub(crate) last: Option<Around>,
}

/// The receiver needs no more events.
#[derive(Debug)]
pub(crate) struct Enough;

/// Receives events.
pub(crate) type Sink<'s> = dyn FnMut(Event) -> Result<(), Enough> + 's;

impl Scan {
    /// The tasks of an input: the whole, or parts if it is large and they can be scanned
    /// separately.
    pub(crate) fn tasks(
        &self,
        source: Source,
        is_named: bool,
        from: Option<Encoding>,
    ) -> Vec<Task> {
        let from = self.from.or(from);
        let whole = Task { source, is_named, from, part: Part::Whole, progress: None };
        let parts = match self.concealed {
            Search::No => self.parts(&whole),
            // The search for concealed text must begin at the start.
            _ => None,
        };
        parts.unwrap_or_else(|| vec![whole])
    }

    fn parts(&self, whole: &Task) -> Option<Vec<Task>> {
        let metadata = fs::metadata(whole.source.as_ref()?).ok()?;
        let size = metadata.len();
        if !metadata.is_file() || size < 2 * PART {
            return None;
        }
        let mut input = Input::open(&whole.source).ok()?;
        input.advance().ok()?;
        let (encoding, by_mark) = whole.encoding(input.piece());
        let is_one_text = self.rules.contains(Rule::Utf7Markup) && is_html(input.piece());
        if whole.is_skipped(input.piece()) || is_one_text {
            return None;
        }
        // In BOCU-1, a line feed that interrupts a sequence is part of it and does not end a line.
        let ends_lines = encoding != Encoding::Bocu1;
        LineEnd::of(encoding).filter(|line_end| line_end.unit() == 1 && ends_lines)?;
        let count = size / PART;
        let task = |number| {
            let end = if number + 1 == count { u64::MAX } else { (number + 1) * PART };
            let part = Part::Some { begin: number * PART, end, encoding, by_mark };
            Task { part, ..whole.clone() }
        };
        Some((0..count).map(task).collect())
    }

    /// Scans the task and sends its events.
    pub(crate) fn run(&self, task: &Task, sink: &mut Sink<'_>) -> Result<(), Enough> {
        if matches!(task.part, Part::Whole | Part::Some { begin: 0, .. }) {
            sink(Event::Begin)?;
        }
        match self.look(task, sink) {
            Ok(result) => result,
            Err(failure) => sink(Event::Failed(failure)),
        }
    }

    fn look(&self, task: &Task, sink: &mut Sink<'_>) -> Result<Result<(), Enough>, Failure> {
        let (mut input, encoding, begin, end);
        match task.part {
            Part::Whole => {
                input = Input::open(&task.source)?;
                input.show(task.progress.clone());
                let by_mark;
                let first = match self.concealed {
                    Search::No => input.first_bytes()?,
                    _ => input.first_piece()?,
                };
                (encoding, by_mark) = task.encoding(first);
                input.advance()?;
                if task.is_skipped(input.piece()) {
                    return Ok(sink(Event::Binary));
                }
                (begin, end) = (0, u64::MAX);
                if sink(Event::Encoding(encoding, by_mark)).is_err() {
                    return Ok(Err(Enough));
                }
            }
            Part::Some { begin: at, end: after, encoding: it, by_mark } => {
                (encoding, end) = (it, after);
                // Find the end of the line that contains the byte before this part.
                input = Input::open_at(&task.source, at.saturating_sub(1))?;
                input.show(task.progress.clone());
                input.advance()?;
                begin = match at {
                    0 => 0,
                    _ => skip_line(&mut input, end)?,
                };
                if at == 0 && sink(Event::Encoding(encoding, by_mark)).is_err() {
                    return Ok(Err(Enough));
                }
            }
        }
        let options = decoder_options(encoding, self.utf7_tolerance);
        let mut linter = Linter::part(encoding, self.rules, options, begin);
        if self.json_escapes.are_read_in(&task.source) {
            linter = linter.json_escapes();
        }
        let mut lint = Lint {
            linter,
            filter: Filter::new(self.all, encoding),
            text: None,
            sample: None,
            tail: Tail::new(begin, self.memory(&task.source)),
            surroundings: self.keeps_text.then(|| Surroundings::new(input.piece())),
        };
        let known = task.from.or(Encoding::for_bom(input.piece()).map(|(encoding, _)| encoding));
        if self.concealed.takes_for_mail(known, input.piece()) {
            return self.look_at_mail(&mut input, lint, sink);
        }
        if self.concealed != Search::No {
            lint.text = Text::new(encoding);
        }
        loop {
            let offset = lint.tail.end;
            let piece = match begin < end {
                true => {
                    up_to(&input.piece()[(offset - input.piece_offset()) as usize..], offset, end)
                }
                // No line begins in this part.
                false => &[],
            };
            let is_end = piece.is_empty() || ends_part(piece, offset, end);
            if lint.feed(piece, is_end, sink).is_err() {
                return Ok(Err(Enough));
            }
            if is_end {
                break;
            }
            input.advance()?;
        }
        Ok(sink(lint.end(begin)))
    }

    /// How many past bytes of an input are saved.
    fn memory(&self, source: &Source) -> usize {
        match source {
            _ if !self.keeps_text => MEMORY,
            Some(_) => LONG_MEMORY,
            None => LONGEST_MEMORY,
        }
    }

    fn look_at_mail(
        &self,
        input: &mut Input,
        mut lint: Lint,
        sink: &mut Sink<'_>,
    ) -> Result<Result<(), Enough>, Failure> {
        let is_mbox = input.piece().starts_with(mbox::FROM);
        let mut mail = Mail { lint: &mut lint, sink: &mut *sink, bytes: 0, line: 1 };
        let looked = mail.look(is_mbox, input.whole());
        let too_long = match looked.map_err(|error| input.failure(error))? {
            Ok(too_long) => too_long,
            Err(Enough) => return Ok(Err(Enough)),
        };
        if lint.feed(&[], true, sink).is_err() {
            return Ok(Err(Enough));
        }
        let Event::End(mut done) = lint.end(0) else { return Ok(Ok(())) };
        // Each part of a message has its own charset.
        (done.is_mail, done.too_long, done.likely) = (true, too_long, None);
        Ok(sink(Event::End(done)))
    }
}

/// Lints bytes as they arrive.
pub(super) struct Lint {
    linter: Linter,
    filter: Filter,
    /// The search for concealed text, if any.
    text: Option<Text>,
    /// The text around the first error.
    sample: Option<Sample>,
    tail: Tail,
    /// The text around findings, if it is sent.
    surroundings: Option<Surroundings>,
}

impl Lint {
    /// Lints the next bytes, the last ones if `is_last`.
    pub(super) fn feed(
        &mut self,
        bytes: &[u8],
        is_last: bool,
        sink: &mut Sink<'_>,
    ) -> Result<(), Enough> {
        let Some(mut text) = self.text.take() else { return self.lint(bytes, is_last, sink) };
        let result = text.pieces(bytes, is_last, |piece, is_end, found| {
            self.lint(piece, is_end, sink)?;
            found.into_iter().try_for_each(|found| self.concealed(found, None, sink))
        });
        self.text = Some(text);
        result?;
        if is_last { self.send_held(sink) } else { Ok(()) }
    }

    /// Sends the events that wait for more text, since there is none.
    fn send_held(&mut self, sink: &mut Sink<'_>) -> Result<(), Enough> {
        let next = Next { tail: &self.tail, bytes: &[], is_last: true };
        self.surroundings.as_mut().map_or(Ok(()), |it| it.send_held(&next, sink))
    }

    fn lint(&mut self, bytes: &[u8], is_last: bool, sink: &mut Sink<'_>) -> Result<(), Enough> {
        let Self { linter, filter, tail, sample, surroundings, .. } = self;
        if let Some(sample) = sample {
            sample.push(bytes);
        }
        let next = Next { tail, bytes, is_last };
        let mut result = match surroundings {
            Some(surroundings) => surroundings.send_held(&next, sink),
            None => Ok(()),
        };
        linter.check(bytes, is_last, |finding| {
            if matches!(finding.what, FindingKind::IllFormed(_)) && sample.is_none() {
                let begin = finding.offset.saturating_sub(BEFORE as u64).max(tail.begin());
                let bytes = tail.with(bytes, begin, SAMPLE as u32);
                *sample = Some(Sample { offset: begin, bytes });
            }
            let at = |offset, length| tail.with(bytes, offset, length);
            if result.is_ok() && filter.wants(&finding, at) {
                let bytes = match &finding.what {
                    // The sequence is short.
                    FindingKind::IllFormed(error) => at(error.offset(), error.length()),
                    _ => Vec::new(),
                };
                let event = Event::Found(Box::new(Found { finding, bytes, around: None }));
                result = match surroundings {
                    Some(surroundings) => surroundings.send(event, &next, sink),
                    None => sink(event),
                };
            }
        });
        tail.push(bytes);
        result
    }

    /// Sends a place where text is concealed. `text` is the text around it, with its offset, if
    /// that was not passed to `feed` last.
    pub(super) fn concealed(
        &mut self,
        found: Concealed,
        text: Option<(&[u8], u64)>,
        sink: &mut Sink<'_>,
    ) -> Result<(), Enough> {
        if !self.filter.wants_concealed(found.rule) {
            return Ok(());
        }
        if text.is_some() {
            // Another text follows a message.
            self.send_held(sink)?;
        }
        let Some(surroundings) = &mut self.surroundings else {
            return sink(Event::Concealed(Box::new(found), None));
        };
        let place = (found.offset, found.length);
        let around = text.map(|(text, begin)| Around::of(text, begin, place, &surroundings.start));
        let next = Next { tail: &self.tail, bytes: &[], is_last: false };
        surroundings.send(Event::Concealed(Box::new(found), around), &next, sink)
    }

    fn end(self, begin: u64) -> Event {
        let Self { linter, filter, tail, sample, surroundings, .. } = self;
        let (bytes, offset) = (tail.end - begin, tail.begin());
        let last = |it: Surroundings| Around { start: it.start, offset, bytes: tail.bytes };
        Event::End(Box::new(Done {
            last: surroundings.map(last),
            bytes,
            lines: linter.lines(),
            newlines: linter.newlines(),
            unended: linter.unended().cloned(),
            passed: linter.counts().tolerated,
            leniences: linter.counts().tolerance,
            unsent: filter.unsent,
            unsent_concealed: filter.unsent_concealed,
            likely: sample.map(|sample| sample.likely(filter.encoding)),
            is_mail: false,
            too_long: 0,
        }))
    }
}

/// The bytes before the current ones. An ill-formed sequence may begin in them.
struct Tail {
    bytes: Vec<u8>,
    /// The offset of their end.
    end: u64,
    /// How many are saved at least.
    memory: usize,
}

impl Tail {
    fn new(begin: u64, memory: usize) -> Self {
        // A part begins after a line end.
        let bytes = if begin > 0 { vec![b'\n'] } else { Vec::new() };
        Self { bytes, end: begin, memory }
    }

    fn begin(&self) -> u64 {
        self.end - self.bytes.len() as u64
    }

    fn push(&mut self, bytes: &[u8]) {
        self.end += bytes.len() as u64;
        if bytes.len() >= self.memory {
            self.bytes.clear();
        }
        self.bytes.extend(&bytes[bytes.len().saturating_sub(self.memory)..]);
        // Not for every small piece: that would move the bytes too often.
        if self.bytes.len() > 2 * self.memory {
            self.bytes.drain(..self.bytes.len() - self.memory);
        }
    }

    /// `length` bytes from an offset, as far as they are saved or in `next`.
    fn with(&self, next: &[u8], offset: u64, length: u32) -> Vec<u8> {
        let skipped = offset.saturating_sub(self.begin()) as usize;
        let all = self.bytes.iter().skip(skipped);
        let skipped = offset.saturating_sub(self.end) as usize;
        all.chain(next.iter().skip(skipped)).take(length as usize).copied().collect()
    }
}

/// The text around findings. A finding waits until the bytes after it are available, and later
/// findings wait with it.
struct Surroundings {
    /// The first bytes of the input.
    start: Vec<u8>,
    held: VecDeque<Event>,
}

/// The current bytes, and those before them.
struct Next<'a> {
    tail: &'a Tail,
    bytes: &'a [u8],
    is_last: bool,
}

impl Surroundings {
    fn new(first: &[u8]) -> Self {
        let start = first[..first.len().min(LONGEST_MARK)].to_vec();
        Self { start, held: VecDeque::new() }
    }

    fn send(&mut self, event: Event, next: &Next<'_>, sink: &mut Sink<'_>) -> Result<(), Enough> {
        self.held.push_back(event);
        if self.held.len() == 1 { self.send_held(next, sink) } else { Ok(()) }
    }

    /// Sends the events whose surroundings are complete.
    fn send_held(&mut self, next: &Next<'_>, sink: &mut Sink<'_>) -> Result<(), Enough> {
        while let Some(mut event) = self.held.pop_front() {
            let (place, around) = match &mut event {
                Event::Found(found) => {
                    let Found { finding, around, .. } = &mut **found;
                    ((finding.offset, finding.length), around)
                }
                Event::Concealed(found, around) => ((found.offset, found.length), around),
                _ => return sink(event),
            };
            if around.is_none() {
                if !next.reaches(place) {
                    self.held.push_front(event);
                    break;
                }
                *around = next.around(place, &self.start);
            }
            sink(event)?;
        }
        Ok(())
    }
}

impl Next<'_> {
    /// Whether the bytes after a place are available.
    fn reaches(&self, (offset, length): (u64, u64)) -> bool {
        let end = self.tail.end + self.bytes.len() as u64;
        self.is_last || offset + length.min(REACH as u64) + REACH as u64 <= end
    }

    /// The bytes around a place, or `None` if they have been discarded.
    fn around(&self, (offset, length): (u64, u64), start: &[u8]) -> Option<Around> {
        let Self { tail, bytes, .. } = self;
        if offset < tail.begin() {
            return None;
        }
        let from = offset.saturating_sub(REACH as u64).max(tail.begin());
        let count = offset - from + length.min(REACH as u64) + REACH as u64;
        let bytes = tail.with(bytes, from, count as u32);
        Some(Around { start: start.to_vec(), offset: from, bytes })
    }
}

impl Task {
    /// The encoding, and whether a BOM determined it.
    fn encoding(&self, first: &[u8]) -> (Encoding, bool) {
        let mark = Encoding::for_bom(first).map(|(encoding, _)| encoding);
        (self.from.or(mark).unwrap_or(Encoding::Utf8), self.from.is_none() && mark.is_some())
    }

    fn is_skipped(&self, first: &[u8]) -> bool {
        !self.is_named && self.from.is_none() && is_binary(first)
    }
}

/// The end of the line at the start of the input. If it is not before `end`, any offset from `end`
/// on: searching further would read the rest of a very long line for each part.
fn skip_line(input: &mut Input, end: u64) -> Result<u64, Failure> {
    loop {
        let piece = input.piece();
        if piece.is_empty() || input.piece_offset() >= end {
            return Ok(input.length());
        }
        if let Some(line_feed) = piece.iter().position(|byte| *byte == b'\n') {
            return Ok(input.piece_offset() + line_feed as u64 + 1);
        }
        input.advance()?;
    }
}

/// The bytes, which begin at `offset`, up to the end of the line that contains the byte before
/// `end`.
fn up_to(bytes: &[u8], offset: u64, end: u64) -> &[u8] {
    let last = (end - 1).saturating_sub(offset);
    let Some(tail) = usize::try_from(last).ok().and_then(|last| bytes.get(last..)) else {
        return bytes;
    };
    match tail.iter().position(|byte| *byte == b'\n') {
        Some(line_feed) => &bytes[..last as usize + line_feed + 1],
        None => bytes,
    }
}

/// Whether the bytes, which begin at `offset`, complete the line that contains the byte before `end`.
fn ends_part(bytes: &[u8], offset: u64, end: u64) -> bool {
    offset + bytes.len() as u64 >= end && bytes.ends_with(b"\n")
}

/// Drops findings that are not reported.
struct Filter {
    all: bool,
    encoding: Encoding,
    seen: Rules,
    /// How many specifications accept all of the text so far.
    accepted: usize,
    unsent: Vec<u64>,
    unsent_concealed: Vec<(&'static str, u64)>,
}

impl Filter {
    fn new(all: bool, encoding: Encoding) -> Self {
        let unsent = vec![0; Rule::ALL.len()];
        let (seen, accepted) = (Rules::NONE, SPECIFICATIONS.len());
        Self { all, encoding, seen, accepted, unsent, unsent_concealed: Vec::new() }
    }

    fn wants(&mut self, finding: &Finding, bytes: impl Fn(u64, u32) -> Vec<u8>) -> bool {
        if self.all {
            return true;
        }
        let mut is_news = !self.seen.contains(finding.rule);
        self.seen = self.seen.with(finding.rule);
        if let FindingKind::IllFormed(error) = &finding.what
            && self.encoding.is_utf8()
            && self.accepted > 0
        {
            let bytes = bytes(error.offset(), error.length());
            let accepted = Sequence::new(error.kind(), &bytes).accepted_by().len();
            is_news |= accepted < self.accepted;
            self.accepted = self.accepted.min(accepted);
        }
        if !is_news {
            self.unsent[finding.rule as usize] += 1;
        }
        is_news
    }

    fn wants_concealed(&mut self, rule: &'static str) -> bool {
        let seen = self.unsent_concealed.iter_mut().find(|(other, _)| *other == rule);
        match seen {
            Some((_, unsent)) if !self.all => *unsent += 1,
            Some(_) => return true,
            None => {
                self.unsent_concealed.push((rule, 0));
                return true;
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Regression: if a piece of the input ended with the last line of a part, the part went on for
    /// one line more.
    #[test]
    fn a_part_ends_with_its_last_line_wherever_pieces_end() {
        let text = b"ab\ncd\n\nef\n";
        for end in 1..=text.len() as u64 {
            let last = end as usize - 1;
            let expected = last + 1 + text[last..].iter().position(|byte| *byte == b'\n').unwrap();
            for split in 1..text.len() {
                let mut read = 0;
                for whole in [&text[..split], &text[split..]] {
                    let piece = up_to(whole, read, end);
                    let is_end = ends_part(piece, read, end);
                    read += piece.len() as u64;
                    if is_end {
                        break;
                    }
                }
                assert_eq!(read, expected as u64, "a part to {end}, a piece to {split}");
            }
        }
    }

    /// Regression: each part of a file without line ends was read to the end of the file.
    #[test]
    fn a_part_of_an_endless_line_is_not_read_beyond_the_part() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("one-line");
        fs::File::create(&path).unwrap().set_len(3 * PART).unwrap();
        let mut input = Input::open_at(&Some(path), PART - 1).ok().unwrap();
        input.advance().ok().unwrap();
        assert!(skip_line(&mut input, 2 * PART).is_ok_and(|begin| begin >= 2 * PART));
        assert!(input.length() < 2 * PART + (1 << 20), "{} bytes were read", input.length());
    }
}
