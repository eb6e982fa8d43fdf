//! Escapes of JSON, code point by code point: `\u00c3`.

use super::Place;

/// Code points of an escape.
const LENGTH: u8 = 6;

/// How a character is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Form {
    /// As itself.
    #[default]
    Plain,
    /// As an escape, in lower case or, if it has a digit from A to F, in upper case.
    Lower,
    Upper,
}

/// An escape, as far as it has come, and the character before.
#[derive(Debug, Default)]
pub(super) struct Escape {
    begin: Place,
    /// Code points of it.
    length: u8,
    unit: u32,
    form: Form,
    /// What stands before it.
    before: u32,
    /// The one before, what it stands for, and where it ends.
    last: Option<(u32, u64)>,
}

/// What a code point is to a reader of escapes.
pub(super) enum Read {
    /// A part of what may become an escape.
    Part,
    /// The end of one, which stands for this code unit.
    Unit { unit: u32, form: Form, place: Place, before: u32 },
    /// The character behind a backslash: `\n`, `\\`.
    Escaped { backslash: Place },
    /// Nothing, and what may have become an escape, which began here, is none.
    Broken { backslash: Place },
    /// Nothing.
    Plain,
}

impl Escape {
    /// Whether the next code point has to be given to it.
    pub(super) fn is_open(&self) -> bool {
        self.length > 0
    }

    /// The character before a place, of which `before` is the last code point.
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
