//! Text checked by the rules of `utfall check`.

mod json;
mod levels;

use std::io::{self, Write};

use utfall::hidden::{Finder, Hidden};
use utfall::lines::Position;
use utfall::lint::{Finding, FindingKind, Linter, Rule};
use utfall::{Encoding, Error, Granularity, Options, Utf7Tolerance};

pub use json::{File, Found, Object, Problem, Summary, names, problem};
pub use levels::{Level, Levels, clause, usual};

use crate::file_name::FileName;
use crate::generation::{Generation, Sequence};
use crate::json::line;
use crate::likely::{BEFORE, Likely, SAMPLE, Sample};
use crate::show;

/// The bytes searched for concealed text at a time, as the command does: it determines the order of the
/// report.
const PIECE: usize = 8 * 1024;

/// How to check a text.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Request<'a> {
    /// The encoding. `None`: that of the BOM, else UTF-8.
    pub encoding: Option<Encoding>,
    /// The name of the input in the report.
    pub name: &'a str,
    /// The level of each rule.
    pub levels: Levels,
    /// Deviations in UTF-7 to accept.
    pub utf7_tolerance: Utf7Tolerance,
    /// Whether to decode escapes such as `\u00e9`.
    pub json_escapes: bool,
    /// Whether to report every problem, not only the first of each rule.
    pub all: bool,
}

impl Default for Request<'_> {
    fn default() -> Self {
        Self {
            encoding: None,
            name: crate::MEMORY,
            levels: Levels::default(),
            utf7_tolerance: Utf7Tolerance::NONE,
            json_escapes: false,
            all: false,
        }
    }
}

impl<'a> Request<'a> {
    /// Sets [`encoding`](Self::encoding).
    #[must_use]
    pub fn with_encoding(self, encoding: impl Into<Option<Encoding>>) -> Self {
        Self { encoding: encoding.into(), ..self }
    }

    /// Sets [`name`](Self::name).
    #[must_use]
    pub fn with_name(self, name: &'a str) -> Self {
        Self { name, ..self }
    }

    /// Sets [`levels`](Self::levels).
    #[must_use]
    pub fn with_levels(self, levels: Levels) -> Self {
        Self { levels, ..self }
    }

    /// Sets [`utf7_tolerance`](Self::utf7_tolerance).
    #[must_use]
    pub fn with_utf7_tolerance(self, utf7_tolerance: Utf7Tolerance) -> Self {
        Self { utf7_tolerance, ..self }
    }

    /// Sets [`json_escapes`](Self::json_escapes).
    #[must_use]
    pub fn with_json_escapes(self, json_escapes: bool) -> Self {
        Self { json_escapes, ..self }
    }

    /// Sets [`all`](Self::all).
    #[must_use]
    pub fn with_all(self, all: bool) -> Self {
        Self { all, ..self }
    }
}

/// The result of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Counts {
    /// Problems with the level `error`.
    pub errors: u64,
    /// Problems with the level `warning`.
    pub warnings: u64,
    /// Whether the text is well-formed.
    pub is_valid: bool,
}

/// Checks a text, and writes what `utfall check --json` reports of it: an object of type `problem` for each
/// problem, `file`, and `summary`. Each line is written in one piece. Mail is checked as plain text.
///
/// # Errors
/// Returns the error of `out`, or [`io::ErrorKind::InvalidInput`] if concealed text is sought in an
/// encoding in which no way to conceal it is known.
///
/// ```
/// use utfall_bind::check::{Request, check};
/// let mut out = Vec::new();
/// let counts = check(b"a\xC0\xAE\n", &Request::default(), &mut out)?;
/// assert_eq!((counts.errors, counts.is_valid), (1, false));
/// let report = String::from_utf8(out).unwrap();
/// assert!(report.contains(r#""message":"overlong form of U+002E \".\"""#));
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn check(text: &[u8], request: &Request<'_>, out: &mut dyn Write) -> io::Result<Counts> {
    let mark = Encoding::for_bom(text).map(|(encoding, _)| encoding);
    let encoding = request.encoding.or(mark).unwrap_or(Encoding::Utf8);
    let mut finder = None;
    if request.levels.are_concealed_sought() {
        finder = Finder::new(encoding);
        if finder.is_none() && request.encoding.is_some() {
            let text = format!("no way to conceal text in {encoding} is known");
            return Err(io::Error::new(io::ErrorKind::InvalidInput, text));
        }
    }
    let options = decoder_options(encoding, request.utf7_tolerance);
    // A linter of a part leaves findings about the whole text to the end.
    let mut linter = Linter::part(encoding, request.levels.rules(), options, 0);
    if request.json_escapes {
        linter = linter.json_escapes();
    }
    let mut work = Work::new(text, encoding, request, out);
    let size = if finder.is_some() { PIECE } else { text.len().max(1) };
    let pieces = text.chunks(size).map(|piece| (piece, false)).chain([(&[][..], true)]);
    for (piece, is_last) in pieces {
        let mut result = Ok(());
        linter.check(piece, is_last, |finding| {
            if result.is_ok() {
                result = work.found(&finding);
            }
        });
        if let Some(finder) = &mut finder {
            finder.find(piece, is_last, |hidden| {
                if result.is_ok() {
                    result = work.concealed(&hidden);
                }
            });
        }
        result?;
    }
    for finding in linter.newlines().finding().iter().chain(linter.unended()) {
        work.found(finding)?;
    }
    work.end(linter.counts())
}

/// A check in progress.
struct Work<'a> {
    text: &'a [u8],
    encoding: Encoding,
    request: &'a Request<'a>,
    out: &'a mut dyn Write,
    errors: u64,
    warnings: u64,
    ill_formed: u64,
    concealed: u64,
    likely: Option<Option<Likely>>,
    /// The UTF-8 specifications that accept the text; `None` if the encoding is not UTF-8.
    generation: Option<Generation>,
    /// The rules that have findings.
    seen: Vec<&'static str>,
}

impl<'a> Work<'a> {
    fn new(
        text: &'a [u8],
        encoding: Encoding,
        request: &'a Request<'a>,
        out: &'a mut dyn Write,
    ) -> Self {
        Self {
            text,
            encoding,
            request,
            out,
            errors: 0,
            warnings: 0,
            ill_formed: 0,
            concealed: 0,
            likely: None,
            generation: (encoding == Encoding::Utf8).then(Generation::default),
            seen: Vec::new(),
        }
    }

    fn found(&mut self, finding: &Finding) -> io::Result<()> {
        let bytes = match &finding.what {
            FindingKind::IllFormed(error) => part(self.text, error.offset(), error.length().into()),
            _ => &[],
        };
        let Described { message, clause, detail } = describe(self.encoding, finding, bytes);
        if finding.rule == Rule::IllFormed {
            self.ill_formed += 1;
            self.likely.get_or_insert_with(|| likely(self.text, finding.offset, self.encoding));
        }
        if let (Some(generation), Detail::IllFormed { sequence: Some(sequence), .. }) =
            (&mut self.generation, &detail)
        {
            generation.add(sequence, &place(finding.position));
        }
        self.problem(Problem {
            file: FileName::of_text(self.request.name),
            rule: finding.rule.name(),
            level: self.request.levels.of(finding.rule.name()),
            position: finding.position,
            offset: finding.offset,
            length: finding.length,
            message: &message,
            clause,
            detail: &detail,
        })
    }

    fn concealed(&mut self, hidden: &Hidden) -> io::Result<()> {
        let level = self.request.levels.of(hidden.kind.name());
        self.concealed += u64::from(level != Level::Off);
        self.problem(Problem {
            file: FileName::of_text(self.request.name),
            rule: hidden.kind.name(),
            level,
            position: hidden.position,
            offset: hidden.offset,
            length: hidden.length,
            message: &hidden.kind.to_string(),
            clause: hidden.reason,
            detail: &Detail::Concealed { text: &hidden.text },
        })
    }

    fn problem(&mut self, found: Problem<'_>) -> io::Result<()> {
        match found.level {
            Level::Off => return Ok(()),
            Level::Warning => self.warnings += 1,
            Level::Error => self.errors += 1,
        }
        let is_first = !self.seen.contains(&found.rule);
        if is_first {
            self.seen.push(found.rule);
        }
        match is_first || self.request.all {
            true => line(&mut *self.out, &problem(found)),
            false => Ok(()),
        }
    }

    fn end(self, counts: utfall::Counts) -> io::Result<Counts> {
        let Self { errors, warnings, ill_formed, concealed, generation, .. } = self;
        let levels = &self.request.levels;
        let tolerance = self.request.utf7_tolerance;
        let allowed = (!tolerance.is_empty()).then_some(counts);
        let is_sought = levels.are_concealed_sought();
        let file = File {
            file: FileName::of_text(self.request.name),
            encoding: Some(self.encoding.name()),
            bytes: Some(self.text.len() as u64),
            errors: Some(errors),
            warnings: (warnings > 0).then_some(warnings),
            valid: Some(ill_formed == 0),
            allowed: allowed.map(|counts| counts.tolerated),
            allowed_by: allowed.map(|counts| counts.tolerance.names().collect()),
            accepted_by: generation.as_ref().map(|generation| names(generation.satisfied())),
            explanation: generation.as_ref().map(Generation::sentence),
            likely: self.likely.flatten().map(Likely::object),
            concealed: is_sought.then_some(concealed),
            ..File::default()
        };
        line(&mut *self.out, &Object::File(&file))?;
        let summary = Summary {
            files: 1,
            errors: Some(errors),
            warnings: (warnings > 0).then_some(warnings),
            invalid_files: Some(u64::from(ill_formed > 0)),
            files_with_concealed_text: is_sought.then_some(u64::from(concealed > 0)),
            exit_status: u8::from(errors > 0),
            ..Summary::default()
        };
        line(self.out, &Object::Summary(&summary))?;
        Ok(Counts { errors, warnings, is_valid: ill_formed == 0 })
    }
}

/// The encoding that a text looks like if it is invalid at `offset`.
fn likely(text: &[u8], offset: u64, encoding: Encoding) -> Option<Likely> {
    let begin = offset.saturating_sub(BEFORE as u64);
    let sample = Sample { offset: begin, bytes: part(text, begin, SAMPLE as u64).into() };
    sample.likely(encoding)
}

fn part(text: &[u8], offset: u64, length: u64) -> &[u8] {
    let place = |offset: u64| usize::try_from(offset).unwrap_or(usize::MAX).min(text.len());
    &text[place(offset)..place(offset.saturating_add(length))]
}

/// `line 1, column 2`.
fn place(position: Position) -> String {
    format!("line {}, column {}", position.line, position.column)
}

/// The details of each kind of problem.
#[derive(Clone, Debug)]
pub enum Detail<'a> {
    /// Of an ill-formed sequence.
    IllFormed {
        /// The error.
        error: Error,
        /// The bytes of the sequence.
        bytes: &'a [u8],
        /// The sequence with all of its continuation bytes; `None` if the encoding is not UTF-8.
        sequence: Option<Sequence>,
    },
    /// Of another rule.
    Lint {
        /// The character.
        code_point: Option<u32>,
        /// The original of double-encoded text.
        reads: Option<&'a str>,
        /// The text that invisible characters spell or carry, or the domain in Punycode.
        text: Option<&'a str>,
        /// The word that a word of several scripts looks like.
        looks_like: Option<&'a str>,
    },
    /// Of concealed text.
    Concealed {
        /// The decoded text.
        text: &'a str,
    },
}

/// The text of a report about a finding.
#[derive(Clone, Debug)]
pub struct Described<'a> {
    /// The problem.
    pub message: String,
    /// The clause that the text violates; may be empty.
    pub clause: &'static str,
    /// The details.
    pub detail: Detail<'a>,
}

/// Describes a finding in a text of this encoding. `bytes` are those of an ill-formed sequence.
#[must_use]
pub fn describe<'a>(encoding: Encoding, finding: &'a Finding, bytes: &'a [u8]) -> Described<'a> {
    let lint = |code_point, reads, text, looks_like| Described {
        message: finding.to_string(),
        clause: clause(finding.rule),
        detail: Detail::Lint { code_point, reads, text, looks_like },
    };
    let some = |text: &'a String| (!text.is_empty()).then_some(&**text);
    match &finding.what {
        FindingKind::IllFormed(error) => {
            let sequence = encoding.is_utf8().then(|| Sequence::new(error.kind(), bytes));
            let message = match &sequence {
                Some(sequence) => sequence.message.clone(),
                None => format!("{}{}", error.kind(), show::run_bit(error)),
            };
            let detail = Detail::IllFormed { error: *error, bytes, sequence };
            Described { message, clause: error.clause(), detail }
        }
        FindingKind::Character(point) => lint(Some(*point), None, None, None),
        FindingKind::Characters { first, text, .. } => lint(Some(*first), None, some(text), None),
        FindingKind::DoubleEncoded { was, .. } => lint(None, Some(was), None, None),
        FindingKind::Markup { text } => lint(None, None, Some(text), None),
        FindingKind::Lookalike { like, .. } => lint(None, None, None, some(like)),
        FindingKind::Punycode { decoded, like } => lint(None, None, some(decoded), some(like)),
        _ => lint(None, None, None, None),
    }
}

/// The options of the decoder, which stops at every error.
#[must_use]
pub fn decoder_options(encoding: Encoding, utf7_tolerance: Utf7Tolerance) -> Options {
    let granularity = match encoding.is_utf8() {
        // Perl's granularity: a whole sequence, as an older specification would have read it.
        true => Granularity::Perl,
        false => Granularity::MaximalSubpart,
    };
    Options::default().with_granularity(granularity).with_utf7_tolerance(utf7_tolerance)
}
