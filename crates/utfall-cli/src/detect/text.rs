//! A line for each file, and with `--verbose` the evidence below it.

use unicode_width::UnicodeWidthStr;
use utfall_detect::{Candidate, language_name};

use super::Answer;
use crate::failure::Failure;
use crate::guess::percent;
use crate::stdout::Stdout;
use crate::{input, message, width};

/// The answer if no encoding is probable enough.
const UNKNOWN: &str = "unknown";
/// The answer if no encoding turns the bytes into text.
const BINARY: &str = "binary";

/// The width of an encoding: the longest common name is `x-mac-cyrillic`.
const ENCODING: usize = 14;
/// The width of `100 %`.
const PERCENT: usize = 5;
/// The width of everything except the name: a space, the encoding, two spaces, `100 %`.
const REST: usize = 1 + ENCODING + 2 + PERCENT;

/// The column widths for one file or several.
pub(super) struct Columns {
    /// The name and its colon.
    name: usize,
    encoding: usize,
    percent: usize,
}

impl Columns {
    /// The widths for files with these names. A name that is too long moves only its own line.
    pub(super) fn new(names: impl ExactSizeIterator<Item = String>) -> Self {
        if names.len() == 1 {
            return Self { name: 0, encoding: 0, percent: 0 };
        }
        let most = width::columns().saturating_sub(REST);
        let widths = names.map(|name| name.width() + 1).filter(|width| *width <= most);
        Self { name: widths.max().unwrap_or(0), encoding: ENCODING, percent: PERCENT }
    }

    fn line(&self, name: &str, encoding: &str, rest: &str) -> String {
        let Self { name: name_width, encoding: width, .. } = *self;
        let space = " ".repeat(name_width.saturating_sub(name.width() + 1));
        match rest {
            "" => format!("{name}:{space} {encoding}"),
            _ => format!("{name}:{space} {encoding:width$}  {rest}"),
        }
    }
}

/// The answer in one word, for `--brief`.
pub(super) fn word(answer: &Answer<'_>) -> &'static str {
    match answer.shown.first() {
        Some(best) if answer.verdict.is_sure() => best.encoding.name(),
        Some(_) => UNKNOWN,
        None => BINARY,
    }
}

pub(super) fn write(
    answer: &Answer<'_>,
    columns: &Columns,
    is_verbose: bool,
    out: &mut Stdout,
) -> Result<(), Failure> {
    let best = answer.shown.first();
    let rest = best.map_or(String::new(), |best| match answer.verdict.is_sure() {
        true => {
            let (percent, width) = (percent(best.confidence), columns.percent);
            format!("{percent:>width$}{}{}", language(best), inside(best))
        }
        false => answer.verdict.best_guess() + &inside(best),
    });
    out.text(&columns.line(&input::name(answer.source), word(answer), &rest))?;
    if is_verbose {
        best.map_or(Ok(()), |best| evidence(best, "  ", out))?;
    }
    for other in answer.shown.iter().skip(1) {
        let (encoding, percent) = (other.encoding, percent(other.confidence));
        out.text(&format!("  or {encoding}  {percent}{}", inside(other)))?;
        if is_verbose {
            evidence(other, "     ", out)?;
        }
    }
    match (is_verbose, answer.found.read, answer.found.length) {
        (false, ..) => Ok(()),
        (true, read, Some(length)) if read == length => Ok(()),
        (true, read, Some(length)) => out.text(&format!("  {read} of {length} bytes read")),
        (true, read, None) => out.text(&format!("  {} read", message::count(read, "byte"))),
    }
}

/// Writes a line for each piece of evidence, then the evidence for the text inside.
fn evidence(candidate: &Candidate, indent: &str, out: &mut Stdout) -> Result<(), Failure> {
    for evidence in &candidate.evidence {
        out.text(&format!("{indent}{evidence}"))?;
    }
    let Some(inside) = &candidate.inside else { return Ok(()) };
    let (layer, inside) = (inside.layer, &inside.candidate);
    out.text(&format!(
        "{indent}inside the {layer}: {}  {}",
        inside.encoding,
        percent(inside.confidence)
    ))?;
    evidence(inside, &format!("{indent}  "), out)
}

/// `  French`, or nothing.
fn language(candidate: &Candidate) -> String {
    let name = candidate.language.and_then(language_name);
    name.map_or(String::new(), |name| format!("  {name}"))
}

/// `  (base64 of UTF-8)`, or nothing.
fn inside(candidate: &Candidate) -> String {
    match &candidate.inside {
        Some(inside) => format!("  ({} of {})", inside.layer, inside.candidate.encoding),
        None => String::new(),
    }
}
