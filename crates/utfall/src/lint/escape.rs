//! JSON escapes such as `\u00c3`, read code point by code point.

use super::Place;

/// Code points per escape.
const LENGTH: u8 = 6;

/// How a character is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Form {
    /// As itself.
    #[default]
    Plain,
    /// As an escape in lower case or, if it has a digit from A to F, in upper case.
    Lower,
    Upper,
}

/// An incomplete escape, with the preceding character.
#[derive(Debug, Default)]
pub(super) struct Escape {
    begin: Place,
    /// Code points read so far.
    length: u8,
    unit: u32,
    form: Form,
    /// The character before the escape.
    before: u32,
    /// The previous escape: its code unit and the offset of its end.
    last: Option<(u32, u64)>,
}

/// The role of a code point in an escape.
pub(super) enum Read {
    /// Part of a possible escape.
    Part,
    /// The end of an escape for this code unit.
    Unit { unit: u32, form: Form, place: Place, before: u32 },
    /// A character escaped by a backslash: `\n`, `\\`.
    Escaped { backslash: Place },
    /// A code point outside any escape, which makes the possible escape from `backslash` on
    /// invalid.
    Broken { backslash: Place },
    /// An ordinary character.
    Plain,
}

impl Escape {
    /// Whether an escape is incomplete, so that the next code point must be passed to it.
    pub(super) fn is_open(&self) -> bool {
        self.length > 0
    }

    /// The character before `place`: the code unit of an escape that ends there, or `before`.
    pub(super) fn before(&self, place: Place, before: u32) -> u32 {
        match self.last {
            Some((unit, end)) if end == place.offset => unit,
            _ => before,
        }
    }

    pub(super) fn read(&mut self, point: u32, before: u32, place: Place) -> Read {
        let backslash = self.begin;
        match (self.length, point) {
            (0, 0x5C) => self.begin(before, place),
            (0, _) => Read::Plain,
            (1, 0x75) => {
                self.length = 2;
                Read::Part
            }
            (1, _) => {
                self.length = 0;
                Read::Escaped { backslash }
            }
            _ => match char::from_u32(point).and_then(|digit| digit.to_digit(16)) {
                Some(digit) => self.digit(digit, point, place),
                None => {
                    self.length = 0;
                    Read::Broken { backslash }
                }
            },
        }
    }

    fn begin(&mut self, before: u32, place: Place) -> Read {
        let before = self.before(place, before);
        *self = Self { begin: place, length: 1, before, last: self.last, ..Self::default() };
        Read::Part
    }

    fn digit(&mut self, digit: u32, point: u32, place: Place) -> Read {
        self.unit = self.unit << 4 | digit;
        self.length += 1;
        if (0x41..=0x46).contains(&point) {
            self.form = Form::Upper;
        }
        if self.length < LENGTH {
            return Read::Part;
        }
        self.length = 0;
        let form = if self.form == Form::Upper { Form::Upper } else { Form::Lower };
        let end = place.offset + place.length;
        self.last = Some((self.unit, end));
        let place = Place { length: end - self.begin.offset, ..self.begin };
        Read::Unit { unit: self.unit, form, place, before: self.before }
    }
}
