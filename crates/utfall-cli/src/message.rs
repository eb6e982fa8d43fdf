//! How things are shown to people: octets, characters, file names, errors.

use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::path::Path;

use anstyle::{AnsiColor, Style};
use utfall::ErrorKind;
use utfall::lines::Position;

const ERROR: Style = AnsiColor::Red.on_default().bold();
const NOTE: Style = Style::new().bold();
const HINT: Style = AnsiColor::Cyan.on_default();

/// `C0 AE`.
pub(crate) fn octets(octets: &[u8]) -> String {
    let shown: Vec<_> = octets.iter().map(|octet| format!("{octet:02X}")).collect();
    shown.join(" ")
}

/// `U+20AC "€"`, or only the number of what is no visible character.
pub(crate) fn character(point: u32) -> String {
    let mut text = format!("U+{point:04X}");
    // What `escape_debug` leaves alone is printable and stands by itself.
    match char::from_u32(point) {
        Some(scalar @ ('"' | '\'' | '\\')) => _ = write!(text, " \"{scalar}\""),
        Some(scalar) if scalar != ' ' && scalar.escape_debug().len() == 1 => {
            _ = write!(text, " \"{scalar}\"");
        }
        _ => {}
    }
    text
}

/// Text from outside, without anything that would move the cursor.
pub(crate) fn plain(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for scalar in text.chars() {
        match scalar.is_control() {
            true => shown.extend(scalar.escape_default()),
            false => shown.push(scalar),
        }
    }
    shown
}

/// A file name. What is not Unicode in it becomes U+FFFD.
pub(crate) fn path(path: &Path) -> String {
    plain(&path.to_string_lossy())
}

/// A word of a command that the reader is to type.
pub(crate) fn shell_word(word: &str) -> String {
    let harmless = |octet: u8| octet.is_ascii_alphanumeric() || b"._-/+:,@%".contains(&octet);
    match !word.is_empty() && word.bytes().all(harmless) {
        true => word.into(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}

/// What is wrong with the input.
pub(crate) fn problem(error: &utfall::Error) -> String {
    let (kind, name) = (error.kind(), error.encoding().name());
    let text = match kind {
        ErrorKind::Truncated => format!("{kind} of {name}"),
        _ => format!("{kind} in {name}"),
    };
    text + &run_bit(error)
}

/// `, from bit 16 of its eight digits`, for what is wrong inside a shifted run.
pub(crate) fn run_bit(error: &utfall::Error) -> String {
    match error.run_bit() {
        Some(bit) => format!(", from bit {bit} of its eight digits"),
        None => String::new(),
    }
}

/// `3 files`, `1 file`.
pub(crate) fn count(number: u64, unit: &str) -> String {
    format!("{number} {unit}{}", if number == 1 { "" } else { "s" })
}

/// The reason without Rust's `(os error 2)`.
pub(crate) fn io_reason(error: &io::Error) -> String {
    let text = error.to_string();
    text.split(" (os error ").next().unwrap_or(&text).to_owned()
}

/// `utfall: something is wrong`, on stderr.
pub(crate) fn error(text: &str) {
    // If stderr is gone, the exit status still tells.
    _ = writeln!(anstream::stderr().lock(), "{ERROR}utfall:{ERROR:#} {text}");
}

/// `utfall: something worth knowing`, on stderr.
pub(crate) fn note(text: &str) {
    _ = writeln!(anstream::stderr().lock(), "{NOTE}utfall:{NOTE:#} {text}");
}

/// An error in a text, and what is to be said about it.
pub(crate) struct TextError {
    pub(crate) error: utfall::Error,
    /// The input, as it is shown.
    pub(crate) name: String,
    pub(crate) position: Position,
    /// Those of the ill-formed sequence, or of the character that cannot be encoded.
    pub(crate) octets: Vec<u8>,
    /// What may be done about it.
    pub(crate) hint: String,
}

/// Says where it is, what it is, which clause is broken, what to do about it.
pub(crate) fn text_error(text: &TextError) {
    let TextError { error: what, name, position, .. } = text;
    let (line, column, offset) = (position.line, position.column, what.offset());
    let shown = octets(&text.octets);
    let reason = match what.kind() {
        ErrorKind::Unencodable(point) => {
            format!("{} cannot be encoded in {}", character(point), what.encoding())
        }
        _ => problem(what),
    };
    error(&format!("{name}: line {line}, column {column} (octet {offset}): {shown}: {reason}"));
    let mut stderr = anstream::stderr().lock();
    if !what.clause().is_empty() {
        _ = writeln!(stderr, "  {}", what.clause());
    }
    _ = writeln!(stderr, "  {HINT}hint:{HINT:#} {}", text.hint);
}
