//! The objects of the report.

use serde::Serialize;
use utfall::lines::Position;

use super::{Detail, Level};
use crate::file_name::FileName;
use crate::generation::Specification;
use crate::{likely, show};

/// An object of the report. `docs/json.md` describes the fields.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum Object<'a> {
    /// A problem.
    Problem(Box<Found<'a>>),
    /// The summary of a file.
    File(&'a File),
    /// The last line.
    Summary(&'a Summary),
}

/// The object of a problem.
#[derive(Debug, Default, Serialize)]
pub struct Found<'a> {
    #[serde(flatten)]
    file: FileName,
    line: u64,
    column: u64,
    offset: u64,
    length: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    hex: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    run_bit: Option<u32>,
    kind: &'a str,
    message: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    clause: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    accepted_by: Option<Vec<&'a str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    code_point: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    original: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    looks_like: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rule: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    level: Option<&'a str>,
}

/// The summary of a file.
#[derive(Debug, Default, Serialize)]
pub struct File {
    /// The file.
    #[serde(flatten)]
    pub file: FileName,
    /// The encoding that it was read in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub encoding: Option<&'static str>,
    /// `mail`, if it was searched as mail.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub read_as: Option<&'static str>,
    /// Its size.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes: Option<u64>,
    /// Problems with the level `error`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub errors: Option<u64>,
    /// Problems with the level `warning`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub warnings: Option<u64>,
    /// Whether it is well-formed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub valid: Option<bool>,
    /// Deviations in UTF-7 that were accepted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub allowed: Option<u64>,
    /// Their names.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub allowed_by: Option<Vec<&'static str>>,
    /// The UTF-8 specifications that it satisfies.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub accepted_by: Option<Vec<&'static str>>,
    /// The same as a sentence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub explanation: Option<String>,
    /// The encoding that an invalid text looks like.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub likely: Option<likely::Object>,
    /// Places with concealed text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub concealed: Option<u64>,
    /// Messages that were too long to be searched.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub skipped_messages: Option<u64>,
    /// Why it could not be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// The last line.
#[derive(Debug, Default, Serialize)]
pub struct Summary {
    /// The files checked.
    pub files: u64,
    /// Problems with the level `error`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub errors: Option<u64>,
    /// Problems with the level `warning`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub warnings: Option<u64>,
    /// Files that are not well-formed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub invalid_files: Option<u64>,
    /// Files with concealed text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub files_with_concealed_text: Option<u64>,
    /// Files that could not be read.
    pub unreadable_files: u64,
    /// Binary files in directories.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub skipped_files: Option<u64>,
    /// Problems left out because there were too many.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub not_shown: Option<u64>,
    /// Problems that the baseline lists.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub known_problems: Option<u64>,
    /// The exit status.
    pub exit_status: u8,
}

/// A problem to report.
#[derive(Clone, Debug)]
pub struct Problem<'a> {
    /// The file.
    pub file: FileName,
    /// The rule, or the kind of concealed text.
    pub rule: &'static str,
    /// Its level.
    pub level: Level,
    /// The line and column.
    pub position: Position,
    /// The offset in bytes.
    pub offset: u64,
    /// The length in bytes.
    pub length: u64,
    /// The problem.
    pub message: &'a str,
    /// The clause that the text violates, or why the encoding is unnecessary.
    pub clause: &'a str,
    /// The details.
    pub detail: &'a Detail<'a>,
}

/// The object of a problem.
#[must_use]
pub fn problem(problem: Problem<'_>) -> Object<'_> {
    let found = Found {
        file: problem.file,
        line: problem.position.line,
        column: problem.position.column,
        offset: problem.offset,
        length: problem.length,
        kind: problem.rule,
        message: problem.message,
        rule: Some(problem.rule),
        level: Some(problem.level.name()),
        ..Found::default()
    };
    let found = match problem.detail {
        Detail::IllFormed { error, bytes, sequence } => Found {
            hex: Some(show::bytes(bytes)),
            run_bit: error.run_bit(),
            kind: error.kind().name(),
            clause: Some(problem.clause),
            accepted_by: sequence.as_ref().map(|sequence| names(sequence.accepted_by())),
            code_point: sequence.as_ref().and_then(|s| Some(format!("U+{:04X}", s.point?))),
            ..found
        },
        Detail::Lint { code_point, reads, text, looks_like } => Found {
            code_point: code_point.map(|point| format!("U+{point:04X}")),
            original: *reads,
            text: *text,
            looks_like: *looks_like,
            clause: (!problem.clause.is_empty()).then_some(problem.clause),
            ..found
        },
        Detail::Concealed { text } => {
            Found { text: Some(text), reason: Some(problem.clause), ..found }
        }
    };
    Object::Problem(Box::new(found))
}

/// The names of specifications.
pub fn names(
    specifications: impl IntoIterator<Item = &'static Specification>,
) -> Vec<&'static str> {
    specifications.into_iter().map(|specification| specification.name).collect()
}
