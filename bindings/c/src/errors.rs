//! Statuses and errors.

use std::ffi::{CStr, c_char};
use std::mem;

use utfall::lines::Position;
use utfall::{Encoding, Error, ErrorKind};
use utfall_bind::show;

use crate::arguments::copy_text;
use crate::encodings::{find, utfall_encoding};
use crate::guard::guard;

/// The outcome of a function.
pub type utfall_status = u8;

/// Everything was done.
pub const UTFALL_OK: utfall_status = 0;
/// The output has no space for the next character. Call again with more.
pub const UTFALL_OUTPUT_FULL: utfall_status = 1;
/// The text is invalid, or has a character that the target lacks. The `utfall_error` says what and where.
pub const UTFALL_INVALID_TEXT: utfall_status = 2;
/// An argument is wrong: NULL with a length, an unknown encoding or value, options of an unknown size.
pub const UTFALL_INVALID_ARGUMENT: utfall_status = 3;
/// The writer returned false.
pub const UTFALL_STOPPED: utfall_status = 4;
/// A bug in this library. Please report it. The stream, if there is one, can only be reset or freed.
pub const UTFALL_BUG: utfall_status = 255;

/// `utfall_error.run_bit` of errors that are not in a shifted run of UTF-7.
pub const UTFALL_NO_RUN_BIT: u32 = 0xFFFF_FFFF;

/// The input ends inside a sequence.
pub const UTFALL_KIND_TRUNCATED: u16 = 1;
/// A sequence is cut short by a byte that cannot continue it.
pub const UTFALL_KIND_MISSING_TRAIL: u16 = 2;
/// A continuation byte without a lead byte.
pub const UTFALL_KIND_UNEXPECTED_TRAIL: u16 = 3;
/// A byte that is never valid, or not at this point.
pub const UTFALL_KIND_INVALID_BYTE: u16 = 4;
/// More bytes than the code point needs.
pub const UTFALL_KIND_OVERLONG: u16 = 5;
/// A surrogate that is not allowed here.
pub const UTFALL_KIND_SURROGATE: u16 = 6;
/// A value above the largest one of the encoding.
pub const UTFALL_KIND_OUT_OF_RANGE: u16 = 7;
/// A five- or six-byte form, as in UTF-8 before RFC 3629.
pub const UTFALL_KIND_LONG_FORM: u16 = 8;
/// `\` or `~`, which UTF-7 does not allow to appear directly.
pub const UTFALL_KIND_NOT_DIRECT: u16 = 9;
/// A control character that UTF-7 does not allow to appear directly.
pub const UTFALL_KIND_CONTROL: u16 = 10;
/// A byte above 7F in a 7-bit encoding.
pub const UTFALL_KIND_EIGHT_BIT: u16 = 11;
/// A shift character followed by neither Base64 nor `-`.
pub const UTFALL_KIND_EMPTY_SHIFT: u16 = 12;
/// The padding bits of a shifted run are not all zero.
pub const UTFALL_KIND_NON_ZERO_PADDING: u16 = 13;
/// One more digit at the end of a shifted run than its code units need.
pub const UTFALL_KIND_DANGLING_DIGIT: u16 = 14;
/// A shifted run that encodes an odd number of bytes.
pub const UTFALL_KIND_ODD_BYTES: u16 = 15;
/// A high surrogate in a shifted run that is not followed by a low one.
pub const UTFALL_KIND_HIGH_SURROGATE: u16 = 16;
/// A low surrogate in a shifted run that does not follow a high one.
pub const UTFALL_KIND_LOW_SURROGATE: u16 = 17;
/// A shifted run ended by `/` where the digit of that value is `,`.
pub const UTFALL_KIND_SLASH_DIGIT: u16 = 18;
/// A shifted run without its mandatory final `-`.
pub const UTFALL_KIND_UNTERMINATED: u16 = 19;
/// A shifted run directly after another.
pub const UTFALL_KIND_NULL_SHIFT: u16 = 20;
/// US-ASCII inside a shifted run, where it must appear directly.
pub const UTFALL_KIND_ENCODED_ASCII: u16 = 21;
/// A value reserved by the specification.
pub const UTFALL_KIND_RESERVED: u16 = 22;
/// Bytes that a legacy charset does not define.
pub const UTFALL_KIND_UNDEFINED: u16 = 23;
/// A code point that the output encoding lacks: `utfall_error.code_point`.
pub const UTFALL_KIND_UNENCODABLE: u16 = 24;

/// Every kind with its number and its name.
const KINDS: [(u16, ErrorKind, &CStr); 24] = [
    (UTFALL_KIND_TRUNCATED, ErrorKind::Truncated, c"truncated"),
    (UTFALL_KIND_MISSING_TRAIL, ErrorKind::MissingTrail, c"missing-trail"),
    (UTFALL_KIND_UNEXPECTED_TRAIL, ErrorKind::UnexpectedTrail, c"unexpected-trail"),
    (UTFALL_KIND_INVALID_BYTE, ErrorKind::InvalidByte, c"invalid-byte"),
    (UTFALL_KIND_OVERLONG, ErrorKind::Overlong, c"overlong"),
    (UTFALL_KIND_SURROGATE, ErrorKind::Surrogate, c"surrogate"),
    (UTFALL_KIND_OUT_OF_RANGE, ErrorKind::OutOfRange, c"out-of-range"),
    (UTFALL_KIND_LONG_FORM, ErrorKind::LongForm, c"long-form"),
    (UTFALL_KIND_NOT_DIRECT, ErrorKind::NotDirect, c"not-direct"),
    (UTFALL_KIND_CONTROL, ErrorKind::Control, c"control"),
    (UTFALL_KIND_EIGHT_BIT, ErrorKind::EightBit, c"eight-bit"),
    (UTFALL_KIND_EMPTY_SHIFT, ErrorKind::EmptyShift, c"empty-shift"),
    (UTFALL_KIND_NON_ZERO_PADDING, ErrorKind::NonZeroPadding, c"non-zero-padding"),
    (UTFALL_KIND_DANGLING_DIGIT, ErrorKind::DanglingDigit, c"dangling-digit"),
    (UTFALL_KIND_ODD_BYTES, ErrorKind::OddBytes, c"odd-bytes"),
    (UTFALL_KIND_HIGH_SURROGATE, ErrorKind::HighSurrogate, c"high-surrogate"),
    (UTFALL_KIND_LOW_SURROGATE, ErrorKind::LowSurrogate, c"low-surrogate"),
    (UTFALL_KIND_SLASH_DIGIT, ErrorKind::SlashDigit, c"slash-digit"),
    (UTFALL_KIND_UNTERMINATED, ErrorKind::Unterminated, c"unterminated"),
    (UTFALL_KIND_NULL_SHIFT, ErrorKind::NullShift, c"null-shift"),
    (UTFALL_KIND_ENCODED_ASCII, ErrorKind::EncodedAscii, c"encoded-ascii"),
    (UTFALL_KIND_RESERVED, ErrorKind::Reserved, c"reserved"),
    (UTFALL_KIND_UNDEFINED, ErrorKind::Undefined, c"undefined"),
    (UTFALL_KIND_UNENCODABLE, ErrorKind::Unencodable(0), c"unencodable"),
];

/// An error in a text. All fields are 0 if there is none.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct utfall_error {
    /// The start of the invalid sequence in the input: in bytes from 0, or in code units for functions with
    /// `uint16_t` or `uint32_t` input.
    pub offset: u64,
    /// The line, from 1; 0 if it is not known.
    pub line: u64,
    /// The column in code points, from 1; 0 if it is not known.
    pub column: u64,
    /// The length of the sequence, in the units of `offset`.
    pub length: u32,
    /// In UTF-7, the bit of its group of eight Base64 digits at which the sequence begins; otherwise
    /// UTFALL_NO_RUN_BIT.
    pub run_bit: u32,
    /// The code point that the target lacks, for UTFALL_KIND_UNENCODABLE; otherwise 0.
    pub code_point: u32,
    /// The kind of error: one of UTFALL_KIND_.
    pub kind: u16,
    /// The encoding whose rule is violated: that of the input or, for UTFALL_KIND_UNENCODABLE, of the output.
    pub encoding: utfall_encoding,
}

impl utfall_error {
    pub(crate) fn new(error: &Error, position: Option<Position>) -> Self {
        let Position { line, column } = position.unwrap_or(Position { line: 0, column: 0 });
        let code_point = match error.kind() {
            ErrorKind::Unencodable(point) => point,
            _ => 0,
        };
        Self {
            offset: error.offset(),
            line,
            column,
            length: error.length(),
            run_bit: error.run_bit().unwrap_or(UTFALL_NO_RUN_BIT),
            code_point,
            kind: number(error.kind()),
            encoding: error.encoding() as utfall_encoding,
        }
    }

    /// The parts from which messages are made; `None` if a value is unknown.
    fn parts(&self) -> Option<(Encoding, ErrorKind)> {
        let (_, kind, _) = KINDS.iter().find(|(number, ..)| *number == self.kind)?;
        let kind = match kind {
            ErrorKind::Unencodable(_) => ErrorKind::Unencodable(self.code_point),
            kind => *kind,
        };
        Some((find(self.encoding)?, kind))
    }
}

fn number(kind: ErrorKind) -> u16 {
    let is_same = |other| mem::discriminant(&other) == mem::discriminant(&kind);
    KINDS.iter().find(|(_, other, _)| is_same(*other)).map_or(0, |(number, ..)| *number)
}

/// The stable name of a kind of error, as in the JSON of the command: `overlong`, `unencodable`.
///
/// @param kind one of UTFALL_KIND_.
/// @return a constant string; NULL if there is no such kind.
#[unsafe(no_mangle)]
pub extern "C" fn utfall_kind_name(kind: u16) -> *const c_char {
    let found = KINDS.iter().find(|(number, ..)| *number == kind);
    found.map_or(std::ptr::null(), |(.., name)| name.as_ptr())
}

/// Says what is wrong, in English and without the place: `overlong form in UTF-8`.
///
/// @param error the error; NULL gives an empty text.
/// @param message space of the caller for the UTF-8 text and a NUL after it, cut between characters if it is
///   too short; may be NULL if `capacity` is 0.
/// @param capacity the size of that space in bytes.
/// @return the length of the whole text in bytes, without the NUL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utfall_error_message(
    error: *const utfall_error,
    message: *mut c_char,
    capacity: usize,
) -> usize {
    guard(0, || {
        // SAFETY: the caller passes NULL or an error.
        let error = unsafe { error.as_ref() };
        let text = error.and_then(|error| {
            let (encoding, kind) = error.parts()?;
            let run_bit = Some(error.run_bit).filter(|bit| *bit != UTFALL_NO_RUN_BIT);
            Some(show::problem_of(encoding, kind, run_bit))
        });
        // SAFETY: the caller passes space for `capacity` bytes.
        unsafe { copy_text(&text.unwrap_or_default(), message, capacity) }
    })
}

/// Names the clause of the specification that the text violates:
/// `RFC 3629 §3: there is only one valid way to encode a character`.
///
/// @param error the error; NULL gives an empty text.
/// @param clause space of the caller for the UTF-8 text and a NUL after it, cut between characters if it is too
///   short; may be NULL if `capacity` is 0.
/// @param capacity the size of that space in bytes.
/// @return the length of the whole text in bytes, without the NUL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utfall_error_clause(
    error: *const utfall_error,
    clause: *mut c_char,
    capacity: usize,
) -> usize {
    guard(0, || {
        // SAFETY: the caller passes NULL or an error.
        let parts = unsafe { error.as_ref() }.and_then(utfall_error::parts);
        let text = parts.map_or("", |(encoding, kind)| encoding.clause(kind));
        // SAFETY: the caller passes space for `capacity` bytes.
        unsafe { copy_text(text, clause, capacity) }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A kind that the library gains needs a number here.
    #[test]
    fn names_are_those_of_the_library() {
        for (index, (number, kind, name)) in KINDS.iter().enumerate() {
            assert_eq!(usize::from(*number), index + 1);
            assert_eq!(name.to_str(), Ok(kind.name()));
        }
        let all = include_str!("../../../crates/utfall/src/error.rs");
        let body = all.split("pub const fn name(self)").nth(1).unwrap();
        let names = body.split("    }\n").next().unwrap().matches("=> \"").count();
        assert_eq!(names, KINDS.len());
    }
}
