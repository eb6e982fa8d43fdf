//! JSON Lines. `docs/explain.schema.json` is the schema.

use serde::Serialize;
use utfall::explain::Unit;

use super::name;
use super::row::Row;
use crate::file_name::FileName;
use crate::likely;
use crate::message;

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum Object<'a> {
    /// Begins an input.
    Input {
        input: &'a str,
        #[serde(flatten)]
        file: Option<&'a FileName>,
        #[serde(skip_serializing_if = "Option::is_none")]
        encoding: Option<&'a str>,
        by_bom: bool,
    },
    /// In mail: begins a text.
    Layer {
        message_index: u64,
        part_index: usize,
        place: &'static str,
        #[serde(skip_serializing_if = "Option::is_none")]
        field: Option<String>,
        offset: u64,
        length: usize,
        #[serde(skip_serializing_if = "Option::is_none")]
        transfer_encoding: Option<&'static str>,
        #[serde(skip_serializing_if = "Option::is_none")]
        charset: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        encoding: Option<&'static str>,
        guessed: bool,
    },
    Unit(Box<UnitObject>),
    /// Ends an input.
    End {
        input: &'a str,
        #[serde(flatten)]
        file: Option<&'a FileName>,
        bytes: u64,
        problems: u64,
        #[serde(skip_serializing_if = "Option::is_none")]
        likely: Option<likely::Object>,
        #[serde(skip_serializing_if = "Option::is_none")]
        error: Option<String>,
    },
}

#[derive(Serialize)]
pub(super) struct UnitObject {
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

#[derive(Serialize)]
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
#[derive(Serialize)]
struct Written {
    offset: u64,
    hex: String,
}

pub(super) fn unit(row: &Row<'_>) -> Object<'static> {
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
        hex: message::bytes(unit.bytes),
        bits: bits(|bits| bits.value),
        payload_mask: bits(|bits| bits.payload),
        carried_bits: unit
            .carried()
            .map(|(count, bits)| format!("{bits:00$b}", usize::from(count))),
        code_units: units.as_slice().iter().map(|unit| format!("{unit:0digits$X}")).collect(),
        code_point: row.point.map(|point| format!("U+{point:04X}")),
        character: row.point.and_then(char::from_u32),
        name: row.point.map(name::name),
        note: unit.note.map(|note| note.to_string()),
        problem,
        accepted_by: row.accepted_by(),
        source: row.written.map(|(offset, bytes)| Written { offset, hex: message::bytes(bytes) }),
    }))
}
