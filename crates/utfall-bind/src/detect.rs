//! JSON Lines.

use serde::Serialize;
use utfall::Encoding;
use utfall_detect::{Candidate, Evidence};

use super::Answer;
use crate::file_name::FileName;

/// The line for a file.
#[derive(Serialize)]
#[serde(tag = "type", rename = "file")]
pub(super) struct Object {
    #[serde(flatten)]
    file: FileName,
    sure: bool,
    candidates: Vec<Entry>,
    bytes_read: u64,
    bytes: Option<u64>,
}

#[derive(Serialize)]
struct Entry {
    encoding: &'static str,
    confidence: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    rival: Option<&'static str>,
    evidence: Vec<Reason>,
    #[serde(skip_serializing_if = "Option::is_none")]
    inside: Option<Inside>,
}

#[derive(Serialize)]
struct Reason {
    kind: &'static str,
    count: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    first_offset: Option<u64>,
    text: String,
}

#[derive(Serialize)]
struct Inside {
    layer: &'static str,
    candidate: Box<Entry>,
}

impl Object {
    pub(super) fn new(answer: &Answer<'_>) -> Self {
        Self {
            file: FileName::of_source(answer.source),
            sure: answer.verdict.is_sure(),
            candidates: answer.shown.iter().map(|candidate| Entry::new(candidate)).collect(),
            bytes_read: answer.found.read,
            bytes: answer.found.length,
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
            // More digits would suggest more precision than there is.
            confidence: (candidate.confidence * 10_000.0).floor() / 10_000.0,
            rival: candidate.doubt.map(Encoding::name),
            evidence: candidate.evidence.iter().map(reason).collect(),
            inside,
        }
    }
}
