//! Lines of JSON.

use serde::Serialize;

use super::report::{Detail, Problem};
use crate::file_name::FileName;
use crate::generation::Specification;
use crate::{likely, message};

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub(crate) enum Object<'a> {
    Problem(Box<Found<'a>>),
    File(&'a File),
    Summary(&'a Summary),
}

#[derive(Default, Serialize)]
pub(crate) struct Found<'a> {
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
    reason: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rule: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    level: Option<&'a str>,
}

/// The summary of a file.
#[derive(Default, Serialize)]
pub(crate) struct File {
    #[serde(flatten)]
    pub(crate) file: FileName,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) encoding: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) read_as: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) bytes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) errors: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) warnings: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) valid: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) allowed: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) allowed_by: Option<Vec<&'static str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) accepted_by: Option<Vec<&'static str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) explanation: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) likely: Option<likely::Object>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) concealed: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) skipped_messages: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) error: Option<String>,
}

/// The last line.
#[derive(Default, Serialize)]
pub(crate) struct Summary {
    pub(crate) files: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) errors: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) warnings: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) invalid_files: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) files_with_concealed_text: Option<u64>,
    pub(crate) unreadable_files: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) skipped_files: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) not_shown: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) known_problems: Option<u64>,
    pub(crate) exit_status: u8,
}

pub(crate) fn problem<'a>(problem: &'a Problem<'_>) -> Object<'a> {
    let found = Found {
        file: FileName::of_source(problem.source),
        line: problem.position.line,
        column: problem.position.column,
        offset: problem.offset,
        length: problem.length,
        kind: problem.rule,
        message: &problem.message,
        rule: Some(problem.rule),
        level: Some(problem.level.name()),
        ..Found::default()
    };
    let found = match &problem.detail {
        Detail::IllFormed { error, bytes, sequence } => Found {
            hex: Some(message::bytes(bytes)),
            run_bit: error.run_bit(),
            kind: error.kind().name(),
            clause: Some(problem.clause),
            accepted_by: sequence.as_ref().map(|sequence| names(sequence.accepted_by())),
            code_point: sequence.as_ref().and_then(|s| Some(format!("U+{:04X}", s.point?))),
            ..found
        },
        Detail::Lint { code_point, reads } => Found {
            code_point: code_point.map(|point| format!("U+{point:04X}")),
            original: *reads,
            ..found
        },
        Detail::Concealed { text } => {
            Found { text: Some(text), reason: Some(problem.clause), ..found }
        }
    };
    Object::Problem(Box::new(found))
}

pub(crate) fn names(
    specifications: impl IntoIterator<Item = &'static Specification>,
) -> Vec<&'static str> {
    specifications.into_iter().map(|specification| specification.name).collect()
}
