//! The report as lines of JSON.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Serialize;
use utfall::Encoding;
use utfall_tree::{Basis, Converted, Outcome};

use super::report::{Line, Total};
use crate::file_name::FileName;
use crate::kept::ExpiredObject;
use crate::likely::{self, Likely};
use crate::message;

/// A line about a file.
#[derive(Serialize)]
#[serde(tag = "type", rename = "file")]
pub(super) struct Object<'a> {
    #[serde(flatten)]
    file: FileName,
    action: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    from: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    basis: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    evidence: Option<&'a str>,
    to: &'static str,
    message: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    likely: Option<likely::Object>,
    #[serde(flatten)]
    done: Option<DoneObject>,
    #[serde(flatten)]
    place: Option<PlaceObject>,
}

#[derive(Serialize)]
struct DoneObject {
    bytes_read: u64,
    bytes_written: u64,
    invalid_sequences: u64,
    unencodable_characters: u64,
    allowed: u64,
    other_hard_links: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    backup: Option<String>,
}

#[derive(Serialize)]
struct PlaceObject {
    line: u64,
    column: u64,
    offset: u64,
    length: u32,
    hex: String,
    kind: &'static str,
    clause: &'static str,
}

/// The last line.
#[derive(Serialize)]
pub(super) struct Summary<'a> {
    #[serde(rename = "type")]
    pub(super) kind: &'static str,
    #[serde(flatten)]
    pub(super) total: &'a Total,
    pub(super) converted_from: &'a BTreeMap<&'static str, u64>,
    /// Unfinished files of an interrupted run, now removed.
    pub(super) removed_unfinished: u64,
    /// Earlier runs that have expired.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) expired: Vec<ExpiredObject>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) run: Option<u64>,
    /// The originals of this run, and their size in bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) originals_kept: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) bytes_kept: Option<u64>,
    pub(super) exit_status: u8,
}

pub(super) fn object<'a>(
    path: &Path,
    line: &'a Line,
    outcome: Option<&Outcome>,
    to: Encoding,
) -> Object<'a> {
    let (basis, evidence) = match &line.basis {
        None => (None, None),
        Some(Basis::Given) => (Some("given"), None),
        Some(Basis::Listed) => (Some("listed"), None),
        Some(Basis::Configured) => (Some("configured"), None),
        Some(Basis::Mark) => (Some("bom"), None),
        Some(Basis::WellFormed) => (Some("valid"), None),
        Some(Basis::Guessed(evidence)) => (Some("guessed"), Some(evidence.as_str())),
        Some(_) => (Some("other"), None),
    };
    let done = match outcome {
        Some(Outcome::Converted(converted) | Outcome::Lossy(converted)) => {
            let Converted { done, links, backup, .. } = converted;
            Some(DoneObject {
                bytes_read: done.read,
                bytes_written: done.written,
                invalid_sequences: done.counts.ill_formed,
                unencodable_characters: done.counts.unencodable,
                allowed: done.counts.tolerated,
                other_hard_links: *links,
                backup: backup.as_deref().map(message::path),
            })
        }
        _ => None,
    };
    let place = match outcome {
        Some(Outcome::Text { error, position, bytes, .. }) => Some(PlaceObject {
            line: position.line,
            column: position.column,
            offset: error.offset(),
            length: error.length(),
            hex: message::bytes(bytes),
            kind: error.kind().name(),
            clause: error.clause(),
        }),
        _ => None,
    };
    let from = line.from.map(|from| from.name());
    let (action, message) = (line.action, line.text.as_str());
    let (file, likely) = (FileName::of(path), line.likely.map(Likely::object));
    Object { file, action, from, basis, evidence, to: to.name(), message, likely, done, place }
}
