//! Text explained byte by byte, as `utfall explain` does.

mod json;
pub mod mail;
mod row;

use std::io::{self, Write};
use std::ops::Range;

use utfall::Encoding;
use utfall::explain::{Explainer, UnitKind};

pub use json::{LayerProblem, Object, UnitObject, unit};
pub use row::Row;

use crate::json::line;
use crate::likely::{self, Likely};

/// The part of a text to explain, and how.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Request<'a> {
    /// The encoding. `None`: that of the BOM, else UTF-8.
    pub encoding: Option<Encoding>,
    /// The name of the input in the report.
    pub name: &'a str,
    /// The bytes to explain.
    pub range: Range<u64>,
    /// Whether to report only ill-formed sequences.
    pub only_problems: bool,
    /// In mail: whether to report the texts without their units.
    pub only_layers: bool,
}

impl Default for Request<'_> {
    fn default() -> Self {
        Self {
            encoding: None,
            name: crate::MEMORY,
            range: 0..u64::MAX,
            only_problems: false,
            only_layers: false,
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

    /// Sets [`range`](Self::range).
    #[must_use]
    pub fn with_range(self, range: Range<u64>) -> Self {
        Self { range, ..self }
    }

    /// Sets [`only_problems`](Self::only_problems).
    #[must_use]
    pub fn with_only_problems(self, only_problems: bool) -> Self {
        Self { only_problems, ..self }
    }

    /// Sets [`only_layers`](Self::only_layers).
    #[must_use]
    pub fn with_only_layers(self, only_layers: bool) -> Self {
        Self { only_layers, ..self }
    }
}

/// The result of an explanation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Summary {
    /// How far the explanation went, in bytes.
    pub bytes: u64,
    /// The number of ill-formed sequences reported.
    pub problems: u64,
}

/// Writes what `utfall explain --json` reports of a text: an object of type `input`, one `unit` for each
/// unit, and `end`. Each line is written in one piece. The text may contain any bytes.
///
/// # Errors
/// Returns the error of `out`.
///
/// ```
/// use utfall_bind::explain::{Request, explain};
/// let mut out = Vec::new();
/// let summary = explain(b"a\xFF", &Request::default(), &mut out)?;
/// assert_eq!((summary.bytes, summary.problems), (2, 1));
/// let report = String::from_utf8(out).unwrap();
/// assert!(report.contains(r#""name":"LATIN SMALL LETTER A""#));
/// assert!(report.contains(r#""message":"byte that never appears""#));
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn explain(text: &[u8], request: &Request<'_>, out: &mut dyn Write) -> io::Result<Summary> {
    let mark = Encoding::for_bom(text).map(|(encoding, _)| encoding);
    let encoding = request.encoding.or(mark).unwrap_or(Encoding::Utf8);
    line(
        &mut *out,
        &Object::Input {
            input: request.name,
            file: None,
            encoding: Some(encoding.name()),
            by_bom: request.encoding.is_none() && mark.is_some(),
        },
    )?;
    let mut explainer = Explainer::new(encoding);
    let (mut problems, mut likely) = (0, None);
    let bytes = loop {
        let read = skip(&mut explainer, text, request);
        if explainer.offset() >= request.range.end {
            break read;
        }
        let offset = explainer.offset();
        let Some(seen) = explainer.next(rest(text, offset), true) else { break offset };
        let end = seen.offset + seen.bytes.len() as u64;
        let is_problem = matches!(seen.what, UnitKind::IllFormed(_));
        let is_empty_at_start = seen.bytes.is_empty() && end == request.range.start;
        let is_wanted = end > request.range.start || is_empty_at_start;
        if is_wanted && (is_problem || !request.only_problems) {
            if is_problem {
                problems += 1;
                likely.get_or_insert_with(|| {
                    Likely::of(likely::sample(text, 0, seen.offset), encoding)
                });
            }
            line(&mut *out, &unit(&Row::new(encoding, &seen, None)))?;
        }
    };
    let end = Object::End {
        input: request.name,
        file: None,
        bytes,
        problems,
        likely: likely.flatten().map(Likely::object),
        error: None,
    };
    line(out, &end)?;
    Ok(Summary { bytes, problems })
}

/// Skips text that is not to be reported. Returns the offset before it.
fn skip(explainer: &mut Explainer, text: &[u8], request: &Request<'_>) -> u64 {
    let read = explainer.offset();
    let rest = rest(text, read);
    let passed = match request.range.start.checked_sub(read) {
        Some(ahead @ 1..) => rest.len().min(usize::try_from(ahead).unwrap_or(usize::MAX)),
        _ if request.only_problems => rest.len(),
        _ => 0,
    };
    if passed > 0 {
        explainer.skip_well_formed(&rest[..passed]);
    }
    read
}

fn rest(text: &[u8], offset: u64) -> &[u8] {
    usize::try_from(offset).ok().and_then(|offset| text.get(offset..)).unwrap_or_default()
}
