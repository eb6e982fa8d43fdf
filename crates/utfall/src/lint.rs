//! Finds suspicious text, well-formed or not: byte order marks, mixed line ends, invisible
//! characters, double-encoded UTF-8.
//!
//! ```
//! use utfall::Encoding;
//! use utfall::lint::{self, Rules};
//! let found = lint::check(Encoding::Utf8, "cafÃ©\r\nbar\n\u{202E}baz\u{FFFD}".as_bytes(), Rules::ALL);
//! let shown: Vec<_> = found.iter().map(|one| (one.rule.name(), one.offset)).collect();
//! assert_eq!(shown, [
//!     ("double-encoding", 3),
//!     ("replacement-character", 19),
//!     ("bidi-unbalanced", 13),
//!     ("mixed-newlines", 12),
//!     ("final-newline", 22),
//! ]);
//! assert_eq!(found[0].to_string(), "\"Ã©\" looks like a double-encoded \"é\" (UTF-8 read as windows-1252)");
//! ```
//!
//! Offsets and lengths are in bytes of the text in its own encoding. `docs/check.md` explains the
//! reason for each rule.

mod bidi;
mod escape;
mod finding;
mod invisible;
mod letters;
#[cfg(feature = "confusables")]
mod lookalike;
mod markup;
mod newlines;
#[cfg(feature = "confusables")]
mod prototype;
#[cfg(feature = "confusables")]
mod punycode;
mod rule;
mod sieve;
mod skim;
mod twice;
mod words;

use alloc::vec::Vec;
use core::fmt;

use crate::encoding::AnyDecoder;
use crate::engine::Engine;
use crate::lines::{LineEnd, Position};
use crate::{Counts, Encoding, Error, ErrorKind, Family, Options, Status};

pub use finding::{Finding, FindingKind};
pub use markup::is_html;
pub use newlines::{Newline, Newlines};
pub use rule::{Rule, Rules};

use bidi::Bidi;
use escape::{Escape, Form, Read};
use invisible::Invisible;
use markup::Markup;
use sieve::Sieve;
use twice::Twice;
use words::{Tail, Words};

/// Looks for suspicious text in a stream of any length, in bounded memory.
///
/// Findings are reported by increasing offset, with three exceptions. Bidirectional controls are
/// reported when they are closed or at the end of their line, findings inside a word at its end,
/// and findings about the text as a whole at its end.
///
/// ```
/// use utfall::{Encoding, Options};
/// use utfall::lint::{Linter, Rule, Rules};
/// let mut linter = Linter::new(Encoding::Utf16Be, Rules::ALL, Options::default());
/// let mut found = Vec::new();
/// for piece in [&b"\0a\xFF"[..], b"\xFD\0", b"\n"] {
///     linter.check(piece, false, |one| found.push((one.rule, one.offset, one.position.column)));
/// }
/// linter.check(b"", true, |_| unreachable!());
/// assert_eq!(found, [(Rule::ReplacementCharacter, 2, 2)]);
/// ```
pub struct Linter {
    /// Stops at ill-formed sequences, and before each code point that may be suspicious.
    engine: Engine<'static, AnyDecoder, Sieve>,
    rules: Rules,
    /// A carriage return, which a line feed may follow.
    open_cr: Option<Place>,
    bidi: Bidi,
    twice: Twice,
    invisible: Invisible,
    words: Words,
    /// The search for UTF-7 in HTML, while the text may be HTML.
    markup: Option<Markup>,
    /// JSON escapes, if they are read.
    escape: Option<Escape>,
    /// True until something has been read.
    is_start: bool,
    /// Findings about the whole text are left to the caller.
    is_part: bool,
    /// The offset of the first byte.
    begin: u64,
    unended: Option<Finding>,
}

/// The place of a code point.
#[derive(Clone, Copy, Debug, Default)]
struct Place {
    offset: u64,
    length: u64,
    position: Position,
}

/// Receives the findings.
type Tell<'t> = &'t mut dyn FnMut(Finding);

impl Linter {
    /// A linter for text in this encoding. Of `options`, only those for decoding apply.
    #[must_use]
    pub fn new(encoding: Encoding, rules: Rules, options: Options) -> Self {
        let decoder = AnyDecoder::new(encoding, &options);
        let sieve = Sieve::new(rules);
        let options = Options { on_ill_formed: crate::Policy::Strict, ..options };
        let options = Options { on_unencodable: crate::Policy::Strict, ..options };
        let mut engine = Engine::with(encoding, decoder, Encoding::Ucs4, sieve, options);
        engine.track_position();
        let is_utf8 = encoding.info().family == Family::Utf8;
        let markup = (is_utf8 && rules.contains(Rule::Utf7Markup)).then(Markup::default);
        Self {
            engine,
            rules,
            open_cr: None,
            bidi: Bidi::default(),
            twice: Twice::default(),
            invisible: Invisible::default(),
            words: Words::default(),
            markup,
            escape: None,
            is_start: true,
            is_part: false,
            begin: 0,
            unended: None,
        }
    }

    /// A linter for a part of a text. The part begins at `offset`, which is 0 or after a line end,
    /// and ends after a line end or at the end of the text. Lines count from the start of the part.
    /// Findings about the text as a whole are left to the caller: see [`Linter::newlines`] and
    /// [`Linter::unended`].
    #[must_use]
    pub fn part(encoding: Encoding, rules: Rules, options: Options, offset: u64) -> Self {
        let mut this = Self::new(encoding, rules, options);
        this.is_part = true;
        if offset > 0 {
            this.engine.begin_inside(offset);
            this.is_start = false;
            this.markup = None;
            this.begin = offset;
        }
        this
    }

    /// Decodes JSON escapes such as `\u00c3\u00a9` when searching for double encoding.
    ///
    /// ```
    /// use utfall::{Encoding, Options};
    /// use utfall::lint::{Linter, Rules};
    /// let mut linter = Linter::new(Encoding::Utf8, Rules::ALL, Options::default()).json_escapes();
    /// let mut found = Vec::new();
    /// linter.check(br#""Fran\u00c3\u00a7ois""#, true, |one| found.push(one.to_string()));
    /// let expected = r#""\u00c3\u00a7" looks like a double-encoded "ç" (UTF-8 read as windows-1252)"#;
    /// assert_eq!(found[0], expected);
    /// ```
    #[must_use]
    pub fn json_escapes(mut self) -> Self {
        if self.rules.contains(Rule::DoubleEncoding) {
            self.escape = Some(Escape::default());
            self.engine.sink_mut().stops_at_backslash = true;
        }
        self
    }

    /// Checks the next bytes, the last ones if `last`, and reports findings.
    pub fn check(&mut self, src: &[u8], last: bool, mut found: impl FnMut(Finding)) {
        let mut markup = self.markup(src, last).into_iter().peekable();
        let mut read = 0;
        loop {
            let progress = self.engine.run(&src[read..], &mut [], last);
            read += progress.read;
            self.look_for_mark(&mut found);
            match progress.status {
                Status::InputEmpty => break,
                Status::OutputFull => {}
                Status::Error(error) => {
                    let is_before = |it: &Finding| it.offset + it.length <= error.offset();
                    while let Some(finding) = markup.next_if(is_before) {
                        found(finding);
                    }
                    self.stopped(error, &mut found);
                }
            }
        }
        markup.for_each(&mut found);
        if last {
            self.end(&mut found);
        }
    }

    /// UTF-7 in HTML.
    fn markup(&mut self, src: &[u8], last: bool) -> Vec<Finding> {
        let mut found = Vec::new();
        if let Some(markup) = &mut self.markup
            && !markup.find(src, last, &mut |finding| found.push(finding))
        {
            self.markup = None;
        }
        found
    }

    /// How many line ends of each kind there have been so far, if [`Rule::MixedNewlines`] is
    /// enabled.
    #[must_use]
    pub fn newlines(&self) -> Newlines {
        let line_feeds = self.engine.position().map_or(0, |position| position.line - 1);
        self.engine.sink().newlines.with_line_feeds(line_feeds)
    }

    /// After the last call: the finding that the last line has no line end, if
    /// [`Rule::FinalNewline`] is enabled.
    #[must_use]
    pub fn unended(&self) -> Option<&Finding> {
        self.unended.as_ref()
    }

    /// How many lines have ended in a line feed so far.
    #[must_use]
    pub fn lines(&self) -> u64 {
        self.engine.position().map_or(0, |position| position.line - 1)
    }

    /// As [`Decoder::counts`](crate::Decoder::counts).
    #[must_use]
    pub fn counts(&self) -> Counts {
        self.engine.counts()
    }

    /// A BOM at the start is not a character, so the engine does not stop before it.
    fn look_for_mark(&mut self, tell: Tell<'_>) {
        if !self.is_start || self.engine.is_at_start() {
            return;
        }
        self.is_start = false;
        let (encoding, _) = self.engine.encodings();
        // With code units of several bytes, the BOM determines the byte order.
        let is_needless = LineEnd::of(encoding).is_none_or(|line_end| line_end.unit() == 1);
        if self.engine.sink().has_mark && is_needless && self.rules.contains(Rule::Bom) {
            let length = encoding.info().signature.len() as u64;
            let place = Place { offset: 0, length, position: Position::default() };
            tell(place.finding(Rule::Bom, FindingKind::Character(0xFEFF)));
        }
    }

    fn stopped(&mut self, error: Error, tell: Tell<'_>) {
        let place = Place {
            offset: error.offset(),
            length: u64::from(error.length()),
            position: self.engine.error_position().unwrap_or_default(),
        };
        if let ErrorKind::Unencodable(point) = error.kind() {
            return self.point(point, place, tell);
        }
        self.interrupt(tell);
        self.bidi.line(place.position.line, self.rules, tell);
        if self.rules.contains(Rule::IllFormed) {
            tell(place.finding(Rule::IllFormed, FindingKind::IllFormed(error)));
        }
    }

    /// Handles a code point that the engine stopped at.
    fn point(&mut self, point: u32, place: Place, tell: Tell<'_>) {
        let before = self.engine.sink().before;
        let sieve = self.engine.sink();
        self.invisible.point(point, before, sieve.tail.as_ref(), place, self.rules, tell);
        // C1 controls in double-encoded text are bytes of it.
        let mut is_byte = false;
        if self.rules.contains(Rule::DoubleEncoding) {
            is_byte = self.twice.is_open() && twice::byte(point).is_some();
            self.twice(point, before, place, tell);
        }
        if let Some(tail) = &self.engine.sink().tail {
            let is_byte = is_byte && point == 0xAD;
            self.words.point(point, tail, place, is_byte, self.rules, tell);
        }
        self.newline(point, before, place);
        self.bidi.line(place.position.line, self.rules, tell);
        let rule = match point {
            0xFEFF => Some(Rule::BomInside),
            0xFFFD => Some(Rule::ReplacementCharacter),
            0xFDD0..=0xFDEF => Some(Rule::Noncharacter),
            _ if is_plane_end(point) => Some(Rule::Noncharacter),
            0x200E | 0x200F | 0x061C => Some(Rule::BidiMark),
            0x09 | 0x0A | 0x0C | 0x0D | 0x85 => None,
            _ if is_byte => None,
            0..0x20 | 0x7F..0xA0 => Some(Rule::Control),
            _ => None,
        };
        if let Some(rule) = rule
            && self.rules.contains(rule)
        {
            tell(place.finding(rule, FindingKind::Character(point)));
        }
        let tail = self.engine.sink().tail.as_ref();
        self.bidi.point(point, tail, place, self.rules, tell);
        let (is_cr, is_twice) = (self.open_cr.is_some(), self.twice.is_open());
        let is_escape = self.escape.as_ref().is_some_and(Escape::is_open);
        let is_in_word = self.invisible.is_open() || self.words.is_open() || self.bidi.is_open();
        let sieve = self.engine.sink_mut();
        sieve.before = point;
        if let Some(tail) = &mut sieve.tail {
            tail.push(point);
        }
        sieve.takes_all = is_cr || is_twice || is_escape || is_in_word;
    }

    /// Handles a code point that may be part of double-encoded text, or of an escape.
    fn twice(&mut self, point: u32, before: u32, place: Place, tell: Tell<'_>) {
        let twice = &mut self.twice;
        let Some(escape) = &mut self.escape else {
            return twice.point(point, Form::Plain, before, place, tell);
        };
        const BACKSLASH: u32 = 0x5C;
        match escape.read(point, before, place) {
            Read::Part => {}
            Read::Unit { unit, form, place, before } => {
                twice.point(unit, form, before, place, tell);
            }
            Read::Plain => {
                twice.point(point, Form::Plain, escape.before(place, before), place, tell);
            }
            Read::Escaped { backslash } => {
                twice.point(BACKSLASH, Form::Plain, 0, backslash, tell);
            }
            Read::Broken { backslash } => {
                twice.point(BACKSLASH, Form::Plain, 0, backslash, tell);
                // It may begin another escape.
                self.twice(point, before, place, tell);
            }
        }
    }

    fn newline(&mut self, point: u32, before: u32, place: Place) {
        let newlines = &mut self.engine.sink_mut().newlines;
        if let Some(cr) = self.open_cr.take() {
            match point {
                0x0A => newlines.add(Newline::CrLf, cr),
                _ => newlines.add(Newline::Cr, cr),
            }
        } else if point == 0x0A {
            match before {
                // The carriage return was skipped, so both of its kinds are known.
                0x0D => newlines.pairs += 1,
                _ => newlines.add(Newline::Lf, place),
            }
        }
        if point == 0x0D && newlines.is_counted {
            self.open_cr = Some(place);
            newlines.returns += 1;
        }
    }

    /// Ends everything that spans several code points.
    fn interrupt(&mut self, tell: Tell<'_>) {
        if let Some(cr) = self.open_cr.take() {
            self.engine.sink_mut().newlines.add(Newline::Cr, cr);
        }
        self.invisible.end(0, self.rules, tell);
        self.words.end(0, self.rules, tell);
        self.bidi.interrupt();
        self.twice.end(0, tell);
        self.escape.iter_mut().for_each(|escape| *escape = Escape::default());
        let sieve = self.engine.sink_mut();
        sieve.before = 0;
        sieve.tail.iter_mut().for_each(Tail::clear);
        sieve.takes_all = false;
    }

    fn end(&mut self, tell: Tell<'_>) {
        let before = self.engine.sink().before;
        self.interrupt(tell);
        self.bidi.end(self.rules, tell);
        let (offset, position) = (self.engine.offset(), self.engine.position().unwrap_or_default());
        let is_ended = matches!(before, 0x0A | 0x0D) || offset == self.begin;
        if self.rules.contains(Rule::FinalNewline) && !is_ended {
            let place = Place { offset, length: 0, position };
            self.unended = Some(place.finding(Rule::FinalNewline, FindingKind::Nothing));
        }
        if !self.is_part {
            let mixed = self.newlines().finding();
            mixed.into_iter().chain(self.unended.clone()).for_each(tell);
        }
    }
}

impl fmt::Debug for Linter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (encoding, _) = self.engine.encodings();
        f.debug_struct("Linter").field("encoding", &encoding).finish_non_exhaustive()
    }
}

impl Place {
    fn finding(self, rule: Rule, what: FindingKind) -> Finding {
        let Self { offset, length, position } = self;
        Finding { rule, offset, length, position, what }
    }
}

/// All findings for a text.
#[must_use]
pub fn check(encoding: Encoding, text: &[u8], rules: Rules) -> Vec<Finding> {
    let mut all = Vec::new();
    let mut linter = Linter::new(encoding, rules, Options::default());
    linter.check(text, true, |finding| all.push(finding));
    all
}

/// U+nFFFE and U+nFFFF.
fn is_plane_end(point: u32) -> bool {
    point & 0xFFFE == 0xFFFE && point <= 0x10_FFFF
}
