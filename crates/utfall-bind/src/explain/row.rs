//! The facts about a unit that every output format shows.

use utfall::explain::{Unit, UnitKind};
use utfall::{Encoding, Error, ErrorKind};

use crate::generation::{Sequence, Specification};
use crate::name::character_name;
use crate::show;

/// A unit, with the facts about it.
#[derive(Debug)]
pub struct Row<'u> {
    /// The unit.
    pub unit: &'u Unit<'u>,
    /// In mail: its place in the message, and its bytes there.
    pub written: Option<(u64, &'u [u8])>,
    /// The code point; for an ill-formed sequence, the one that an older specification would have
    /// decoded.
    pub point: Option<u32>,
    /// For ill-formed units.
    pub error: Option<Error>,
    /// The problem, the name of the code point, or the effect of a control.
    pub says: String,
    /// Something worth knowing.
    pub note: Option<String>,
    /// For UTF-8 that not all specifications accept.
    pub sequence: Option<Sequence>,
}

impl<'u> Row<'u> {
    /// The facts about a unit of a text in this encoding.
    #[must_use]
    pub fn new(encoding: Encoding, unit: &'u Unit<'u>, written: Option<(u64, &'u [u8])>) -> Self {
        let sequence = sequence(encoding, unit);
        let note = unit.note.map(|note| note.to_string());
        let row = Self {
            unit,
            written,
            point: None,
            error: None,
            says: String::new(),
            note: None,
            sequence: None,
        };
        match unit.what {
            UnitKind::Character(point) => {
                Self { point: Some(point), says: character_name(point), note, sequence, ..row }
            }
            UnitKind::Mark => {
                Self { point: Some(0xFEFF), says: "byte order mark".into(), note, ..row }
            }
            UnitKind::IllFormed(error) => Self {
                point: sequence.as_ref().and_then(|sequence| sequence.point),
                error: Some(error),
                says: match &sequence {
                    Some(sequence) => sequence.message.clone(),
                    None => problem(&error, unit, written.is_some()),
                },
                sequence,
                ..row
            },
            _ => Self { says: note.unwrap_or_default(), ..row },
        }
    }

    /// The specifications that accept a sequence of UTF-8.
    #[must_use]
    pub fn accepted_by(&self) -> Option<Vec<&'static str>> {
        let specifications = self.sequence.as_ref()?.accepted_by();
        Some(
            specifications.iter().map(|specification: &Specification| specification.name).collect(),
        )
    }
}

/// The specifications that accept a sequence of UTF-8, if they disagree.
fn sequence(encoding: Encoding, unit: &Unit<'_>) -> Option<Sequence> {
    if !encoding.is_utf8() {
        return None;
    }
    match unit.what {
        UnitKind::IllFormed(error) => Some(Sequence::new(error.kind(), unit.bytes)),
        UnitKind::Character(_) => {
            let error = Encoding::Utf8.validate(unit.bytes).err()?;
            Some(Sequence::new(error.kind(), unit.bytes))
        }
        _ => None,
    }
}

/// The problem, its place if that is outside the unit, and for surrogates their value.
fn problem(error: &Error, unit: &Unit<'_>, is_decoded: bool) -> String {
    let mut text = error.kind().to_string();
    if let (ErrorKind::Surrogate | ErrorKind::HighSurrogate | ErrorKind::LowSurrogate, [unit, ..]) =
        (error.kind(), unit.code_units().as_slice())
    {
        text += &format!(": {unit:04X}");
    }
    text += &show::run_bit(error);
    if error.offset() != unit.offset {
        text += &match is_decoded {
            // Offsets are relative to the message, this one is not.
            true => {
                format!(", the first {} before", show::count(unit.offset - error.offset(), "byte"))
            }
            false => format!(", the first in byte {}", error.offset()),
        };
    }
    text
}
