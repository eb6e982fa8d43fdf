//! Line ends: how many there are of each kind, and where the first one is.

use core::fmt;

use super::{Finding, FindingKind, Place, Rule};

/// A kind of line end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Newline {
    /// A line feed.
    Lf,
    /// A carriage return and a line feed.
    CrLf,
    /// A carriage return.
    Cr,
}

impl Newline {
    const ALL: [Self; 3] = [Self::Lf, Self::CrLf, Self::Cr];

    /// `LF`, `CR LF` or `CR`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Lf => "LF",
            Self::CrLf => "CR LF",
            Self::Cr => "CR",
        }
    }
}

/// The line ends of a text.
///
/// ```
/// use utfall::{Encoding, Options};
/// use utfall::lint::{Linter, Newline, Rules};
/// let mut linter = Linter::new(Encoding::Utf8, Rules::ALL, Options::default());
/// linter.check(b"a\nb\nc\r\n", true, |_| {});
/// let newlines = linter.newlines();
/// assert_eq!((newlines.count(Newline::Lf), newlines.count(Newline::CrLf)), (2, 1));
/// assert_eq!(newlines.to_string(), "2 LF, 1 CR LF");
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Newlines {
    /// The place of the first one of each kind.
    first: [Option<Place>; 3],
    /// Whether to count at all.
    pub(super) is_counted: bool,
    /// All line feeds. Counted with the position, and set at the end.
    line_feeds: u64,
    /// All carriage returns.
    pub(super) returns: u64,
    /// Carriage returns followed by a line feed.
    pub(super) pairs: u64,
}

impl Newlines {
    pub(super) fn new(is_counted: bool) -> Self {
        Self { is_counted, ..Self::default() }
    }

    /// How many there are of a kind.
    #[must_use]
    pub fn count(&self, kind: Newline) -> u64 {
        match kind {
            Newline::Lf => self.line_feeds - self.pairs.min(self.line_feeds),
            Newline::CrLf => self.pairs,
            Newline::Cr => self.returns - self.pairs.min(self.returns),
        }
    }

    /// The line ends of this text and a following one whose lines are counted from its start:
    /// `lines` have ended before it.
    pub fn append(&mut self, part: &Self, lines: u64) {
        for (first, other) in self.first.iter_mut().zip(part.first) {
            *first = first.or(other.map(|mut place| {
                place.position.line += lines;
                place
            }));
        }
        self.is_counted |= part.is_counted;
        self.line_feeds += part.line_feeds;
        self.returns += part.returns;
        self.pairs += part.pairs;
    }

    /// The finding that they are mixed, if so, at the first one of the rarest kind.
    #[must_use]
    pub fn finding(&self) -> Option<Finding> {
        let there = || Newline::ALL.into_iter().filter(|kind| self.count(*kind) > 0);
        if !self.is_counted || there().count() < 2 {
            return None;
        }
        // Among equally rare kinds, the later one: with the first one, the text was not mixed yet.
        let offset = |kind: Newline| self.first(kind).map_or(0, |place| place.offset);
        let rarest =
            there().min_by_key(|kind| (self.count(*kind), core::cmp::Reverse(offset(*kind))))?;
        let place = self.first(rarest)?;
        Some(place.finding(Rule::MixedNewlines, FindingKind::Newlines(*self)))
    }

    pub(super) fn has(&self, kind: Newline) -> bool {
        self.first[kind as usize].is_some()
    }

    pub(super) fn add(&mut self, kind: Newline, mut place: Place) {
        self.pairs += u64::from(kind == Newline::CrLf);
        if kind == Newline::CrLf {
            place.length *= 2;
        }
        self.first[kind as usize].get_or_insert(place);
    }

    pub(super) fn with_line_feeds(&self, line_feeds: u64) -> Self {
        Self { line_feeds, ..*self }
    }

    fn first(&self, kind: Newline) -> Option<Place> {
        self.first[kind as usize]
    }
}

/// Equal if there are as many of each kind, wherever they are.
impl PartialEq for Newlines {
    fn eq(&self, other: &Self) -> bool {
        Newline::ALL.iter().all(|kind| self.count(*kind) == other.count(*kind))
    }
}

impl Eq for Newlines {}

impl fmt::Display for Newlines {
    /// `120 LF, 1 CR LF`, the most frequent kind first.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut kinds = Newline::ALL.map(|kind| (self.count(kind), kind));
        kinds.sort_by_key(|(count, kind)| (core::cmp::Reverse(*count), *kind));
        for (at, (count, kind)) in kinds.iter().filter(|(count, _)| *count > 0).enumerate() {
            let comma = if at > 0 { ", " } else { "" };
            write!(f, "{comma}{count} {}", kind.name())?;
        }
        Ok(())
    }
}
