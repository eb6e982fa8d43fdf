//! The fields of a case.

use std::collections::BTreeMap;

use serde::{Serialize, Serializer};
use serde_json::Value;
use utfall::lines::Position;
use utfall::{Encoding, Error, ErrorKind};
use utfall_bind::show;

/// Bytes, written as hexadecimal digits.
#[derive(Clone, Debug)]
pub(crate) struct Hex(pub(crate) Vec<u8>);

impl Serialize for Hex {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let digits: String = self.0.iter().map(|byte| format!("{byte:02x}")).collect();
        serializer.serialize_str(&digits)
    }
}

/// Options by the names and words of `utfall convert`.
pub(crate) type Words = BTreeMap<&'static str, String>;

/// Lines of JSON.
pub(crate) type Report = Vec<Value>;

/// An error.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Problem {
    offset: u64,
    length: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    run_bit: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    code_point: Option<u32>,
    kind: &'static str,
    encoding: &'static str,
    message: String,
    clause: &'static str,
}

impl Problem {
    pub(crate) fn new(error: &Error, position: Option<Position>) -> Self {
        Self {
            offset: error.offset(),
            length: error.length(),
            line: position.map(|position| position.line),
            column: position.map(|position| position.column),
            run_bit: error.run_bit(),
            code_point: match error.kind() {
                ErrorKind::Unencodable(point) => Some(point),
                _ => None,
            },
            kind: error.kind().name(),
            encoding: error.encoding().name(),
            message: show::problem(error),
            clause: error.clause(),
        }
    }
}

/// A piece of a stream, and what follows from it.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Step {
    pub(crate) input: Hex,
    pub(crate) last: bool,
    pub(crate) output: Hex,
    pub(crate) errors: Vec<Problem>,
}

#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Counts {
    pub(crate) ill_formed: u64,
    pub(crate) unencodable: u64,
    pub(crate) skipped: u64,
    pub(crate) tolerated: u64,
}

/// The options of a report, of which those that are not the default are written.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct ReportOptions {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) encoding: Option<&'static str>,
    #[serde(skip_serializing_if = "is_false")]
    pub(crate) all: bool,
    #[serde(skip_serializing_if = "is_false")]
    pub(crate) only_problems: bool,
    #[serde(skip_serializing_if = "is_false")]
    pub(crate) only_layers: bool,
    #[serde(skip_serializing_if = "is_false")]
    pub(crate) json_escapes: bool,
    #[serde(skip_serializing_if = "is_false")]
    pub(crate) html_entities: bool,
    #[serde(skip_serializing_if = "is_false")]
    pub(crate) percent_encoding: bool,
    #[serde(skip_serializing_if = "is_false")]
    pub(crate) force: bool,
    #[serde(skip_serializing_if = "is_false")]
    pub(crate) concealed: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) candidates: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) utf7_allow: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) begin: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) end: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) min_confidence: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) language: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) levels: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) name: Option<&'static str>,
}

fn is_false(value: &bool) -> bool {
    !*value
}

impl ReportOptions {
    pub(crate) fn encoding(&self) -> Option<Encoding> {
        self.encoding.and_then(|name| Encoding::for_label(name.as_bytes()))
    }

    pub(crate) fn name(&self) -> &'static str {
        self.name.unwrap_or(utfall_bind::MEMORY)
    }
}

/// A call with its answer.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "call", rename_all = "kebab-case")]
pub(crate) enum Case {
    Encoding {
        name: &'static str,
        number: u16,
        specification: &'static str,
        aliases: &'static [&'static str],
        bom: Hex,
        code_unit: usize,
        iana: bool,
        ascii_transparent: bool,
        seven_bit: bool,
        stateful: bool,
        self_synchronizing: bool,
    },
    Label {
        label: &'static str,
        encoding: Option<&'static str>,
        message: Option<String>,
    },
    Bom {
        input: Hex,
        encoding: Option<&'static str>,
        length: usize,
    },
    OptionError {
        name: &'static str,
        value: &'static str,
        message: String,
    },
    Validate {
        encoding: &'static str,
        input: Hex,
        error: Option<Problem>,
    },
    Transcode {
        from: &'static str,
        to: &'static str,
        options: Words,
        input: Hex,
        output: Hex,
        error: Option<Problem>,
    },
    Stream {
        from: &'static str,
        to: &'static str,
        options: Words,
        steps: Vec<Step>,
        counts: Counts,
    },
    ImapEncode {
        input: Hex,
        output: Hex,
        error: Option<Problem>,
    },
    ImapDecode {
        input: Hex,
        output: Hex,
        problems: Vec<Problem>,
    },
    Detect {
        input: Hex,
        options: ReportOptions,
        encoding: Option<&'static str>,
        report: Report,
    },
    Repair {
        input: Hex,
        options: ReportOptions,
        output: Hex,
        changes: u64,
        report: Report,
    },
    Explain {
        input: Hex,
        options: ReportOptions,
        report: Report,
    },
    ExplainMail {
        input: Hex,
        options: ReportOptions,
        report: Report,
    },
    Check {
        input: Hex,
        options: ReportOptions,
        errors: u64,
        warnings: u64,
        valid: bool,
        report: Report,
    },
    CharacterName {
        code_point: u32,
        name: String,
    },
}
