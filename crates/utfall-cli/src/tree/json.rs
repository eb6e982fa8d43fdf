//! The report as lines of JSON. `CONVERT_HELP` in `cli/convert.rs` documents them.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Serialize;
use utfall::Encoding;
use utfall_tree::{Basis, Converted, Outcome};

use super::report::{Line, Total};
use crate::file_name::FileName;
use crate::kept::ExpiredObject;
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
    #[serde(flatten)]
    done: Option<DoneObject>,
    #[serde(flatten)]
    place: Option<PlaceObject>,
}

#[derive(Serialize)]
struct DoneObject {
    octets_read: u64,
    octets_written: u64,
    ill_formed: u64,
    unencodable: u64,
    passed: u64,
    other_links: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    backup: Option<String>,
}

#[derive(Serialize)]
struct PlaceObject {
    line: u64,
    column: u64,
    offset: u64,
    length: u32,
    octets: String,
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
    pub(super) removed: u64,
    /// Earlier runs that have expired.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) expired: Vec<ExpiredObject>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) run: Option<u64>,
    /// The originals of this run, and their size in bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) kept: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) kept_octets: Option<u64>,
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
        Some(Basis::Mark) => (Some("mark"), None),
        Some(Basis::WellFormed) => (Some("well_formed"), None),
        Some(Basis::Guessed(evidence)) => (Some("guessed"), Some(evidence.as_str())),
        Some(_) => (Some("other"), None),
    };
    let done = match outcome {
        Some(Outcome::Converted(converted) | Outcome::Lossy(converted)) => {
            let Converted { done, links, backup, .. } = converted;
            Some(DoneObject {
                octets_read: done.read,
                octets_written: done.written,
                ill_formed: done.counts.ill_formed,
                unencodable: done.counts.unencodable,
                passed: done.counts.tolerated,
                other_links: *links,
                backup: backup.as_deref().map(message::path),
            })
        }
        _ => None,
    };
    let place = match outcome {
        Some(Outcome::Text { error, position, octets, .. }) => Some(PlaceObject {
            line: position.line,
            column: position.column,
            offset: error.offset(),
            length: error.length(),
            octets: message::octets(octets),
            kind: error.kind().name(),
            clause: error.clause(),
        }),
        _ => None,
    };
    let from = line.from.map(|from| from.name());
    let (action, message) = (line.action, line.text.as_str());
    let file = FileName::of(path);
    Object { file, action, from, basis, evidence, to: to.name(), message, done, place }
}
