//! UTF-8 that was decoded as windows-1252 or ISO-8859-1 and encoded again: `Ã©` for `é`.
//!
//! Each character of such text represents a byte. A run of characters that represent one or more
//! UTF-8 sequences is reported only if it is unlikely to be a coincidence. In some languages such
//! characters are adjacent by chance. `parlé…»` in French has the bytes of an ideograph, and
//! `MANHÃ”` in Portuguese those of `Ô`. The decision depends on which of the characters are letters
//! and quotation marks.

use alloc::string::String;
use core::fmt::Write;

use super::escape::Form;
use super::{FindingKind, Place, Rule, Tell};
use crate::hidden::SHOWN;

/// The byte for which windows-1252 or ISO-8859-1 has this character, if it is a continuation byte
/// of UTF-8.
pub(super) fn byte(point: u32) -> Option<u8> {
    Some(match point {
        0x80..=0xBF => point as u8,
        0x20AC => 0x80,
        0x201A => 0x82,
        0x0192 => 0x83,
        0x201E => 0x84,
        0x2026 => 0x85,
        0x2020 => 0x86,
        0x2021 => 0x87,
        0x02C6 => 0x88,
        0x2030 => 0x89,
        0x0160 => 0x8A,
        0x2039 => 0x8B,
        0x0152 => 0x8C,
        0x017D => 0x8E,
        0x2018 => 0x91,
        0x2019 => 0x92,
        0x201C => 0x93,
        0x201D => 0x94,
        0x2022 => 0x95,
        0x2013 => 0x96,
        0x2014 => 0x97,
        0x02DC => 0x98,
        0x2122 => 0x99,
        0x0161 => 0x9A,
        0x203A => 0x9B,
        0x0153 => 0x9C,
        0x017E => 0x9E,
        0x0178 => 0x9F,
        _ => return None,
    })
}

/// Whether the character of this byte commonly follows letters: a space, quotation marks, dashes,
/// an ellipsis, a bullet, a soft hyphen.
fn is_ordinary(byte: u8) -> bool {
    matches!(byte, 0x85 | 0x8B | 0x91..=0x97 | 0x9B | 0xA0 | 0xAB | 0xAD | 0xBB)
}

/// Whether it is a letter: one of `ŠŒŽšœžŸƒ`.
fn is_letter(byte: u8) -> bool {
    matches!(byte, 0x83 | 0x8A | 0x8C | 0x8E | 0x9A | 0x9C | 0x9E | 0x9F)
}

/// An incomplete run of such sequences.
#[derive(Debug, Default)]
pub(super) struct Twice {
    /// The character before the run.
    before: u32,
    begin: Option<Place>,
    /// The end of the last complete sequence.
    end: u64,
    sequences: usize,
    /// Whether any continuation byte is not [ordinary](is_ordinary).
    has_odd_trail: bool,
    /// Whether all continuation bytes are signs, neither ordinary nor letters: `áššá` is a word of
    /// Northern Sámi.
    only_signs: bool,
    /// The text as found and the original text, truncated.
    is: String,
    was: String,
    /// The first original character.
    first: u32,
    /// The next sequence.
    bytes: [u8; 4],
    length: usize,
    points: [(char, Form); 4],
}

impl Twice {
    /// Whether the run is incomplete, so that the next code point must be passed to it.
    pub(super) fn is_open(&self) -> bool {
        self.begin.is_some()
    }

    /// Adds a code point, with its written form and the preceding code point.
    pub(super) fn point(
        &mut self,
        point: u32,
        form: Form,
        before: u32,
        place: Place,
        tell: Tell<'_>,
    ) {
        let is_lead = (0xC2..=0xF4).contains(&point);
        if self.length > 0 {
            if let Some(byte) = byte(point) {
                self.push(byte, point, form);
                return self.sequence(place, tell);
            }
            // The lead of the next sequence follows the last complete one.
            self.end(u32::from(self.points[0].0), tell);
        } else if self.is_open() && !is_lead {
            self.end(point, tell);
        }
        if is_lead {
            if !self.is_open() {
                *self = Self {
                    before,
                    begin: Some(place),
                    only_signs: true,
                    is: core::mem::take(&mut self.is),
                    was: core::mem::take(&mut self.was),
                    ..Self::default()
                };
                self.is.clear();
                self.was.clear();
            }
            self.push(point as u8, point, form);
        }
    }

    /// Ends the run, which is followed by `next`.
    pub(super) fn end(&mut self, next: u32, tell: Tell<'_>) {
        self.length = 0;
        if let Some(begin) = self.begin.take()
            && self.is_likely(next)
        {
            let place = Place { length: self.end - begin.offset, ..begin };
            let what = FindingKind::DoubleEncoded { is: self.is.clone(), was: self.was.clone() };
            tell(place.finding(Rule::DoubleEncoding, what));
        }
    }

    fn push(&mut self, byte: u8, point: u32, form: Form) {
        self.bytes[self.length] = byte;
        self.points[self.length] = (char::from_u32(point).unwrap_or_default(), form);
        self.length += 1;
    }

    /// Adds the sequence if it is complete; ends the run if it is ill-formed.
    fn sequence(&mut self, place: Place, tell: Tell<'_>) {
        let bytes = &self.bytes[..self.length];
        let scalar = match core::str::from_utf8(bytes) {
            Ok(text) => text.chars().next().unwrap_or_default(),
            // The sequence is incomplete.
            Err(error) if error.error_len().is_none() => return,
            Err(_) => return self.end(u32::from(self.points[0].0), tell),
        };
        for byte in &bytes[1..] {
            self.has_odd_trail |= !is_ordinary(*byte);
            self.only_signs &= !is_ordinary(*byte) && !is_letter(*byte);
        }
        if self.sequences == 0 {
            self.first = u32::from(scalar);
        }
        if self.sequences < SHOWN {
            for (scalar, form) in &self.points[..self.length] {
                // Writing to a string cannot fail.
                _ = match form {
                    Form::Plain => self.is.write_char(*scalar),
                    Form::Lower => write!(self.is, "\\u{:04x}", u32::from(*scalar)),
                    Form::Upper => write!(self.is, "\\u{:04X}", u32::from(*scalar)),
                };
            }
            self.was.push(scalar);
        } else if self.sequences == SHOWN {
            self.is.push('…');
            self.was.push('…');
        }
        self.sequences += 1;
        self.end = place.offset + place.length;
        self.length = 0;
    }

    /// Whether the run is unlikely to be a coincidence.
    fn is_likely(&self, next: u32) -> bool {
        match self.sequences {
            0 => return false,
            1 => {}
            // Coincidences rarely occur in sequence.
            2 => return self.has_odd_trail,
            _ => return true,
        }
        let letter = |point| char::from_u32(point).filter(|scalar| scalar.is_alphabetic());
        let is_after_lowercase = letter(self.before).is_some_and(char::is_lowercase);
        let is_before_letter = letter(next).is_some();
        match self.first {
            // The characters with the lead `Â`.
            0xA0..=0xBF => self.has_odd_trail || is_after_lowercase || is_before_letter,
            // Accented letters of western Europe, with the lead `Ã`.
            0xC0..=0xFF => self.has_odd_trail || is_after_lowercase || is_before_letter,
            // Accented letters of central Europe, with the leads `Ä` and `Å`. Å³ is a unit.
            0x100..=0x17F => {
                let is_in_word = is_after_lowercase || letter(next).is_some_and(char::is_lowercase);
                if self.has_odd_trail { is_in_word } else { is_after_lowercase }
            }
            // Punctuation, symbols and arrows, with the lead `â`.
            0x2000..=0x206F | 0x20A0..=0x20CF | 0x2100..=0x22FF | 0x2500..=0x27BF => {
                self.has_odd_trail
            }
            // The BOM; symbols and emoji, with the lead `ð`.
            0xFEFF | 0x1F000..=0x1FAFF => true,
            // Ideographs and the like.
            0x800..=0xFFFD => self.only_signs,
            _ => false,
        }
    }
}
