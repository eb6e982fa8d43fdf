//! Looking at one input, or a part of a large one: what threads do.

use std::fs;

use utfall::lines::LineEnd;
use utfall::lint::{Finding, Linter, Newlines, Rules, What};
use utfall::{Encoding, Granularity, Options, Utf7Leniences};
use utfall_tree::is_binary;

use super::report::is_utf8;
use crate::failure::Failure;
use crate::generation::{SPECIFICATIONS, Sequence};
use crate::input::{Input, Source};

/// Files from this size on are looked at in parts, each of this size to the line end behind it.
const PART: u64 = 8 * 1024 * 1024;

/// What all inputs share.
#[derive(Clone, Copy)]
pub(crate) struct Scan {
    /// The encoding, if it is given.
    pub(crate) from: Option<Encoding>,
    pub(crate) rules: Rules,
    pub(crate) utf7_allow: Utf7Leniences,
    /// Whether all findings are wanted, or the first of each rule.
    pub(crate) all: bool,
}

/// An input, or a part of it.
#[derive(Clone, Debug)]
pub(crate) struct Task {
    pub(crate) source: Source,
    /// Whether it is looked at even if it is no text.
    pub(crate) is_named: bool,
    pub(crate) part: Part,
}

/// Which lines: those that begin in a range of octets.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Part {
    Whole,
    Some { begin: u64, end: u64, encoding: Encoding, by_mark: bool },
}

/// What comes of a task, in this order.
pub(crate) enum Event {
    /// An input begins.
    Begin,
    /// How it is read, and whether a byte order mark said so.
    Encoding(Encoding, bool),
    /// It is no text, and was not named.
    Binary,
    /// Something is found. Lines count from the start of the part.
    Found { finding: Finding, octets: Vec<u8> },
    /// All has been looked at.
    End(Box<Done>),
    /// It cannot be read.
    Failed(Failure),
}

/// What is known of a whole task.
pub(crate) struct Done {
    pub(crate) octets: u64,
    pub(crate) lines: u64,
    pub(crate) newlines: Newlines,
    /// That its last line does not end.
    pub(crate) unended: Option<Finding>,
    pub(crate) passed: u64,
    pub(crate) leniences: Utf7Leniences,
    /// Findings of each rule that were not sent.
    pub(crate) unsent: Vec<u64>,
}

/// Nobody wants to know any more.
#[derive(Debug)]
pub(crate) struct Enough;

/// Takes events.
pub(crate) type Sink<'s> = dyn FnMut(Event) -> Result<(), Enough> + 's;

impl Scan {
    /// An input, or its parts, if it is large and they can be looked at apart.
    pub(crate) fn tasks(&self, source: Source, is_named: bool) -> Vec<Task> {
        let whole = Task { source, is_named, part: Part::Whole };
        self.parts(&whole).unwrap_or_else(|| vec![whole])
    }

    fn parts(&self, whole: &Task) -> Option<Vec<Task>> {
        let metadata = fs::metadata(whole.source.as_ref()?).ok()?;
        let size = metadata.len();
        if !metadata.is_file() || size < 2 * PART {
            return None;
        }
        let mut input = Input::open(&whole.source).ok()?;
        input.advance().ok()?;
        let (encoding, by_mark) = self.encoding(input.piece());
        if self.is_skipped(whole.is_named, input.piece()) {
            return None;
        }
        // A line feed that breaks a sequence of BOCU-1 is part of that sequence, and ends no line.
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

    /// What the encoding is, and whether a mark says so.
    fn encoding(&self, first: &[u8]) -> (Encoding, bool) {
        let mark = Encoding::for_bom(first).map(|(encoding, _)| encoding);
        (self.from.or(mark).unwrap_or(Encoding::Utf8), self.from.is_none() && mark.is_some())
    }

    fn is_skipped(&self, is_named: bool, first: &[u8]) -> bool {
        !is_named && self.from.is_none() && is_binary(first)
    }

    /// Looks at it, and tells what is found.
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
                let by_mark;
                (encoding, by_mark) = self.encoding(input.first_octets()?);
                input.advance()?;
                if self.is_skipped(task.is_named, input.piece()) {
                    return Ok(sink(Event::Binary));
                }
                (begin, end) = (0, u64::MAX);
                if sink(Event::Encoding(encoding, by_mark)).is_err() {
                    return Ok(Err(Enough));
                }
            }
            Part::Some { begin: at, end: behind, encoding: it, by_mark } => {
                (encoding, end) = (it, behind);
                // Where the line ends that the octet before is in.
                input = Input::open_at(&task.source, at.saturating_sub(1))?;
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
        let options = options(encoding, self.utf7_allow);
        let mut linter = Linter::part(encoding, self.rules, options, begin);
        let mut filter = Filter::new(self.all, encoding);
        let mut offset = begin;
        let mut result = Ok(());
        loop {
            let piece = match begin < end {
                true => {
                    up_to(&input.piece()[(offset - input.piece_offset()) as usize..], offset, end)
                }
                // Nothing, if the line before goes on to behind this part.
                false => &[],
            };
            let is_end = piece.is_empty() || offset + (piece.len() as u64) < input.length();
            linter.look(piece, is_end, |finding| {
                if result.is_ok() && filter.wants(&finding, &input) {
                    let octets = filter.octets(&finding, &input);
                    result = sink(Event::Found { finding, octets });
                }
            });
            if result.is_err() {
                return Ok(result);
            }
            offset += piece.len() as u64;
            if is_end {
                break;
            }
            input.advance()?;
        }
        Ok(sink(Event::End(Box::new(Done {
            octets: offset - begin,
            lines: linter.lines(),
            newlines: linter.newlines(),
            unended: linter.unended().cloned(),
            passed: linter.passed(),
            leniences: linter.leniences(),
            unsent: filter.unsent,
        }))))
    }
}

/// How it is read: it stops at every problem.
fn options(encoding: Encoding, utf7_allow: Utf7Leniences) -> Options {
    let granularity = match is_utf8(encoding) {
        // A whole sequence as an older specification would have read it: that is how Perl counts.
        true => Granularity::Perl,
        false => Granularity::MaximalSubpart,
    };
    Options { granularity, utf7_allow, ..Options::default() }
}

/// The kind and the octets of each ill-formed sequence of UTF-8.
#[cfg(test)]
pub(crate) fn ill_formed_sequences(text: &[u8]) -> Vec<(utfall::ErrorKind, Vec<u8>)> {
    let rules = Rules::NONE.with(utfall::lint::Rule::IllFormed);
    let mut linter =
        Linter::new(Encoding::Utf8, rules, options(Encoding::Utf8, Utf7Leniences::NONE));
    let mut sequences = Vec::new();
    linter.look(text, true, |finding| {
        let octets = &text[finding.offset as usize..][..finding.length as usize];
        if let What::IllFormed(error) = finding.what {
            sequences.push((error.kind(), octets.to_vec()));
        }
    });
    sequences
}

/// Where the line ends that the input begins in; if that is not before `end`, somewhere behind
/// `end`. To look for it further would be to read the rest of an endless line for each part.
fn skip_line(input: &mut Input, end: u64) -> Result<u64, Failure> {
    loop {
        let piece = input.piece();
        if piece.is_empty() || input.piece_offset() >= end {
            return Ok(input.length());
        }
        if let Some(line_feed) = piece.iter().position(|octet| *octet == b'\n') {
            return Ok(input.piece_offset() + line_feed as u64 + 1);
        }
        input.advance()?;
    }
}

/// The octets, which stand at `offset`, up to the end of the line that the octet before `end` is
/// in.
fn up_to(octets: &[u8], offset: u64, end: u64) -> &[u8] {
    let last = (end - 1).saturating_sub(offset);
    let Some(tail) = usize::try_from(last).ok().and_then(|last| octets.get(last..)) else {
        return octets;
    };
    match tail.iter().position(|octet| *octet == b'\n') {
        Some(line_feed) => &octets[..last as usize + line_feed + 1],
        None => octets,
    }
}

/// Keeps back what nobody wants.
struct Filter {
    all: bool,
    encoding: Encoding,
    seen: Rules,
    /// How many of the specifications accept all of the text so far.
    accepted: usize,
    unsent: Vec<u64>,
}

impl Filter {
    fn new(all: bool, encoding: Encoding) -> Self {
        let unsent = vec![0; utfall::lint::Rule::ALL.len()];
        Self { all, encoding, seen: Rules::NONE, accepted: SPECIFICATIONS.len(), unsent }
    }

    fn wants(&mut self, finding: &Finding, input: &Input) -> bool {
        if self.all {
            return true;
        }
        let mut is_news = !self.seen.contains(finding.rule);
        self.seen = self.seen.with(finding.rule);
        if let What::IllFormed(error) = &finding.what
            && is_utf8(self.encoding)
            && self.accepted > 0
        {
            let octets = input.octets(error.offset(), error.length());
            let accepted = Sequence::new(error.kind(), octets).accepted_by().len();
            is_news |= accepted < self.accepted;
            self.accepted = self.accepted.min(accepted);
        }
        if !is_news {
            self.unsent[finding.rule as usize] += 1;
        }
        is_news
    }

    /// Of an ill-formed sequence, which is short.
    fn octets(&self, finding: &Finding, input: &Input) -> Vec<u8> {
        match &finding.what {
            What::IllFormed(error) => input.octets(error.offset(), error.length()).to_vec(),
            _ => Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each part of a file without line ends was read to the end of the file: as many times as there
    /// are parts.
    #[test]
    fn a_part_of_an_endless_line_is_not_read_beyond_the_part() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("one-line");
        fs::File::create(&path).unwrap().set_len(3 * PART).unwrap();
        let mut input = Input::open_at(&Some(path), PART - 1).ok().unwrap();
        input.advance().ok().unwrap();
        assert!(skip_line(&mut input, 2 * PART).is_ok_and(|begin| begin >= 2 * PART));
        assert!(input.length() < 2 * PART + (1 << 20), "{} octets were read", input.length());
    }
}
