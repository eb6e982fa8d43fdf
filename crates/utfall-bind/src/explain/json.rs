//! The objects of the report.

use serde::Serialize;
use utfall::explain::Unit;

use super::row::Row;
use crate::file_name::FileName;
use crate::likely;
use crate::name::character_name;
use crate::show;

/// An object of the report. `docs/json.md` describes the fields.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Object<'a> {
    /// Begins an input.
    Input {
        /// The input as messages name it.
        input: &'a str,
        /// The file, if it is one.
        #[serde(flatten)]
        file: Option<&'a FileName>,
        /// The name of its encoding.
        #[serde(skip_serializing_if = "Option::is_none")]
        encoding: Option<&'a str>,
        /// Whether a BOM determined the encoding.
        by_bom: bool,
    },
    /// In mail: begins a part of a message, before its texts.
    Part {
        /// The message, from 0.
        message_index: u64,
        /// The part of the message, from 0.
        part_index: usize,
        /// The part that contains it.
        #[serde(skip_serializing_if = "Option::is_none")]
        parent_index: Option<usize>,
        /// The media type in lower case.
        media_type: String,
        /// Whether the part is an attachment, to be saved and not displayed.
        attachment: bool,
        /// The offset of its header in the input.
        offset: u64,
        /// The length in the input, of header and body.
        length: usize,
        /// The transfer encoding.
        #[serde(skip_serializing_if = "Option::is_none")]
        transfer_encoding: Option<&'static str>,
        /// The charset as the message names it.
        #[serde(skip_serializing_if = "Option::is_none")]
        charset: Option<String>,
    },
    /// In mail: begins a text.
    Layer {
        /// The message, from 0.
        message_index: u64,
        /// The part of the message, from 0.
        part_index: usize,
        /// `encoded-word`, `parameter`, `field`, `long-field` or `body`.
        place: &'static str,
        /// The name of the header field.
        #[serde(skip_serializing_if = "Option::is_none")]
        field: Option<String>,
        /// The offset in the input.
        offset: u64,
        /// The length in the input.
        length: usize,
        /// The transfer encoding.
        #[serde(skip_serializing_if = "Option::is_none")]
        transfer_encoding: Option<&'static str>,
        /// The charset as the message names it.
        #[serde(skip_serializing_if = "Option::is_none")]
        charset: Option<String>,
        /// The name of its encoding.
        #[serde(skip_serializing_if = "Option::is_none")]
        encoding: Option<&'static str>,
        /// Whether the encoding is a guess.
        guessed: bool,
        /// The decoded text, with U+FFFD for ill-formed sequences.
        #[serde(skip_serializing_if = "Option::is_none")]
        text: Option<String>,
        /// Problems of the transfer encoding and the charset. The units have the problems of the
        /// text.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        problems: Vec<LayerProblem>,
    },
    /// A unit.
    Unit(Box<UnitObject>),
    /// Ends an input.
    End {
        /// The input as messages name it.
        input: &'a str,
        /// The file, if it is one.
        #[serde(flatten)]
        file: Option<&'a FileName>,
        /// How far the explanation went.
        bytes: u64,
        /// The number of errors.
        problems: u64,
        /// The encoding that an invalid text looks like.
        #[serde(skip_serializing_if = "Option::is_none")]
        likely: Option<likely::Object>,
        /// Why the input could not be read to its end.
        #[serde(skip_serializing_if = "Option::is_none")]
        error: Option<String>,
    },
}

/// A problem of the transfer encoding or the charset of a text in mail.
#[derive(Debug, Serialize)]
pub struct LayerProblem {
    /// The problem in words.
    pub message: String,
    /// The clause of the specification.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clause: Option<&'static str>,
}

/// A unit of a text.
#[derive(Debug, Serialize)]
pub struct UnitObject {
    kind: &'static str,
    offset: u64,
    line: u64,
    column: u64,
    hex: String,
    bits: Vec<String>,
    payload_mask: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    carried_bits: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    code_units: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    code_point: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    character: Option<char>,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<Problem>,
    #[serde(skip_serializing_if = "Option::is_none")]
    accepted_by: Option<Vec<&'static str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<Written>,
}

#[derive(Debug, Serialize)]
struct Problem {
    kind: &'static str,
    message: String,
    clause: &'static str,
    offset: u64,
    length: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    run_bit: Option<u32>,
}

/// How a message has it.
#[derive(Debug, Serialize)]
struct Written {
    offset: u64,
    hex: String,
}

/// The object of a unit.
#[must_use]
pub fn unit(row: &Row<'_>) -> Object<'static> {
    let unit: &Unit<'_> = row.unit;
    let bits = |of: fn(&utfall::explain::Bits) -> u8| {
        unit.bits().map(|bits| format!("{:01$b}", of(&bits), usize::from(bits.width))).collect()
    };
    let problem = row.error.map(|error| Problem {
        kind: error.kind().name(),
        message: row.says.clone(),
        clause: error.clause(),
        offset: error.offset(),
        length: error.length(),
        run_bit: error.run_bit(),
    });
    // 16 bits each, or 32.
    let units = unit.code_units();
    let digits = match (units.as_slice(), unit.bytes) {
        ([_], [_, _, _, _]) if unit.carried().is_none() && unit.bits().all(|b| b.width == 8) => 8,
        _ => 4,
    };
    Object::Unit(Box::new(UnitObject {
        kind: unit.what.name(),
        offset: unit.offset,
        line: unit.position.line,
        column: unit.position.column,
        hex: show::bytes(unit.bytes),
        bits: bits(|bits| bits.value),
        payload_mask: bits(|bits| bits.payload),
        carried_bits: unit
            .carried()
            .map(|(count, bits)| format!("{bits:00$b}", usize::from(count))),
        code_units: units.as_slice().iter().map(|unit| format!("{unit:0digits$X}")).collect(),
        code_point: row.point.map(|point| format!("U+{point:04X}")),
        character: row.point.and_then(char::from_u32),
        name: row.point.map(character_name),
        note: unit.note.map(|note| note.to_string()),
        problem,
        accepted_by: row.accepted_by(),
        source: row.written.map(|(offset, bytes)| Written { offset, hex: show::bytes(bytes) }),
    }))
}
