//! Guesses of encodings, as `utfall detect` makes them.

use std::io::{self, Cursor, Write};

use serde::Serialize;
use utfall::Encoding;
use utfall_detect::{Candidate, Detection, Evidence, Extent, Hints, detect_file_with};

use crate::file_name::FileName;
use crate::guess::{LEAST, Verdict, rounded};
use crate::json::line;

/// How to guess.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Request<'a> {
    /// Known facts.
    pub hints: Hints,
    /// How much of the text to examine.
    pub extent: Extent,
    /// The name of the input in the report.
    pub name: &'a str,
    /// The most candidates in the report, at least one.
    pub most: usize,
    /// The least confidence to be sure, from 0 to 1; `None` for the rule of `utfall convert`.
    pub min_confidence: Option<f64>,
}

impl Default for Request<'_> {
    fn default() -> Self {
        Self {
            hints: Hints::default(),
            extent: Extent::Sample,
            name: crate::MEMORY,
            most: 1,
            min_confidence: None,
        }
    }
}

impl<'a> Request<'a> {
    /// Sets [`hints`](Self::hints).
    #[must_use]
    pub fn with_hints(self, hints: Hints) -> Self {
        Self { hints, ..self }
    }

    /// Sets [`extent`](Self::extent).
    #[must_use]
    pub fn with_extent(self, extent: Extent) -> Self {
        Self { extent, ..self }
    }

    /// Sets [`name`](Self::name).
    #[must_use]
    pub fn with_name(self, name: &'a str) -> Self {
        Self { name, ..self }
    }

    /// Sets [`most`](Self::most).
    #[must_use]
    pub fn with_most(self, most: usize) -> Self {
        Self { most, ..self }
    }

    /// Sets [`min_confidence`](Self::min_confidence).
    #[must_use]
    pub fn with_min_confidence(self, min_confidence: impl Into<Option<f64>>) -> Self {
        Self { min_confidence: min_confidence.into(), ..self }
    }
}

/// Guesses the encoding of a text, and writes what `utfall detect --json` reports of it: one line, in one
/// piece. Returns the best guess if it is good enough to act on.
///
/// # Errors
/// Returns the error of `out`.
///
/// ```
/// use utfall::Encoding;
/// use utfall_bind::detect::{Request, detect};
/// let mut out = Vec::new();
/// let best = detect("Μήνιν ἄειδε, θεά".as_bytes(), &Request::default(), &mut out)?;
/// assert_eq!(best, Some(Encoding::Utf8));
/// assert!(out.starts_with(br#"{"version":2,"type":"file","file":"(memory)","sure":true,"#));
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn detect(
    text: &[u8],
    request: &Request<'_>,
    out: &mut dyn Write,
) -> io::Result<Option<Encoding>> {
    let found = detect_file_with(Cursor::new(text), request.extent, &request.hints)?;
    let verdict = Verdict::on(&found.candidates, request.min_confidence);
    let (name, shown) = (FileName::of_text(request.name), shown(&found, request.most));
    line(out, &Object::new(name, &found, &shown, verdict.is_sure()))?;
    Ok(match verdict {
        Verdict::Sure(best) => Some(best.encoding),
        _ => None,
    })
}

/// The candidates to report, the likeliest first.
#[must_use]
pub fn shown(found: &Detection, most: usize) -> Vec<&Candidate> {
    let candidates = found.candidates.iter();
    candidates.filter(|candidate| candidate.confidence >= LEAST).take(most.max(1)).collect()
}

/// The line for a file.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename = "file")]
pub struct Object {
    #[serde(flatten)]
    file: FileName,
    sure: bool,
    candidates: Vec<Entry>,
    bytes_read: u64,
    bytes: Option<u64>,
}

#[derive(Debug, Serialize)]
struct Entry {
    encoding: &'static str,
    confidence: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    rival: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    language: Option<&'static str>,
    evidence: Vec<Reason>,
    #[serde(skip_serializing_if = "Option::is_none")]
    inside: Option<Inside>,
}

#[derive(Debug, Serialize)]
struct Reason {
    kind: &'static str,
    count: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    first_offset: Option<u64>,
    text: String,
}

#[derive(Debug, Serialize)]
struct Inside {
    layer: &'static str,
    candidate: Box<Entry>,
}

impl Object {
    /// The report of a detection.
    #[must_use]
    pub fn new(file: FileName, found: &Detection, shown: &[&Candidate], sure: bool) -> Self {
        Self {
            file,
            sure,
            candidates: shown.iter().map(|candidate| Entry::new(candidate)).collect(),
            bytes_read: found.read,
            bytes: found.length,
        }
    }
}

impl Entry {
    fn new(candidate: &Candidate) -> Self {
        let reason = |evidence: &Evidence| Reason {
            kind: evidence.name(),
            count: evidence.count(),
            first_offset: evidence.first(),
            text: evidence.to_string(),
        };
        let inside = candidate.inside.as_ref().map(|inside| Inside {
            layer: inside.layer.name(),
            candidate: Box::new(Self::new(&inside.candidate)),
        });
        Self {
            encoding: candidate.encoding.name(),
            confidence: rounded(candidate.confidence),
            rival: candidate.doubt.map(Encoding::name),
            language: candidate.language,
            evidence: candidate.evidence.iter().map(reason).collect(),
            inside,
        }
    }
}
