//! Text for people: bytes, characters, file names, numbers, errors.

use std::fmt::Write as _;
use std::path::Path;

use utfall::{Encoding, ErrorKind};

use crate::screen::plain;

/// `C0 AE`.
#[must_use]
pub fn bytes(bytes: &[u8]) -> String {
    let shown: Vec<_> = bytes.iter().map(|byte| format!("{byte:02X}")).collect();
    shown.join(" ")
}

/// `U+20AC "€"`, or only the code point if the character is not visible.
#[must_use]
pub fn character(point: u32) -> String {
    let mut text = format!("U+{point:04X}");
    // `escape_debug` does not escape characters that are printable and not combining.
    match char::from_u32(point) {
        Some(scalar @ ('"' | '\'' | '\\')) => _ = write!(text, " \"{scalar}\""),
        Some(scalar) if scalar != ' ' && scalar.escape_debug().len() == 1 => {
            _ = write!(text, " \"{scalar}\"");
        }
        _ => {}
    }
    text
}

/// A file name. Parts that are not Unicode become U+FFFD.
#[must_use]
pub fn path(path: &Path) -> String {
    let text = path.to_string_lossy();
    // Windows puts `\\?\` before canonical paths; users do not type it.
    let is_drive = |rest: &&str| rest.chars().nth(1) == Some(':');
    match text.strip_prefix(r"\\?\").filter(|rest| cfg!(windows) && is_drive(rest)) {
        Some(rest) => plain(rest),
        None => plain(&text),
    }
}

/// An error in a text, without its place: `overlong form in UTF-8`, ``U+20AC "€" cannot be encoded in
/// US-ASCII``.
///
/// ```
/// use utfall::Encoding;
/// use utfall_bind::show;
/// let error = Encoding::UsAscii.encode("10 €").unwrap_err();
/// assert_eq!(show::problem(&error), "U+20AC \"€\" cannot be encoded in US-ASCII");
/// let error = Encoding::Utf8.validate(b"\xE2\x82").unwrap_err();
/// assert_eq!(show::problem(&error), "incomplete UTF-8 sequence at the end of the input");
/// ```
#[must_use]
pub fn problem(error: &utfall::Error) -> String {
    problem_of(error.encoding(), error.kind(), error.run_bit())
}

/// The same for an error of which only these parts are known.
#[must_use]
pub fn problem_of(encoding: Encoding, kind: ErrorKind, run_bit: Option<u32>) -> String {
    let name = encoding.name();
    let text = match kind {
        ErrorKind::Unencodable(point) => {
            format!("{} cannot be encoded in {name}", character(point))
        }
        ErrorKind::Truncated => format!("incomplete {name} sequence at the end of the input"),
        _ => format!("{kind} in {name}"),
    };
    text + &bit(run_bit)
}

/// `, bit 16 of its group of eight digits`, for an error inside a shifted run.
#[must_use]
pub fn run_bit(error: &utfall::Error) -> String {
    bit(error.run_bit())
}

fn bit(run_bit: Option<u32>) -> String {
    match run_bit {
        Some(bit) => format!(", bit {bit} of its group of eight digits"),
        None => String::new(),
    }
}

/// `3 files`, `1 file`.
#[must_use]
pub fn count(number: u64, unit: &str) -> String {
    format!("{number} {unit}{}", if number == 1 { "" } else { "s" })
}
