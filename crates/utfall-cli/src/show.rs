//! Text for people: bytes, characters, file names, numbers, errors.

use std::fmt::Write as _;
use std::io;
use std::path::Path;

use utfall::ErrorKind;
use utfall::lines::Position;

use crate::screen::plain;

/// `C0 AE`.
pub(crate) fn bytes(bytes: &[u8]) -> String {
    let shown: Vec<_> = bytes.iter().map(|byte| format!("{byte:02X}")).collect();
    shown.join(" ")
}

/// `U+20AC "€"`, or only the code point if the character is not visible.
pub(crate) fn character(point: u32) -> String {
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
pub(crate) fn path(path: &Path) -> String {
    let text = path.to_string_lossy();
    // Omit the prefix of canonical paths on Windows, which nobody types.
    let is_drive = |rest: &&str| rest.chars().nth(1) == Some(':');
    match text.strip_prefix(r"\\?\").filter(|rest| cfg!(windows) && is_drive(rest)) {
        Some(rest) => plain(rest),
        None => plain(&text),
    }
}

/// A word of a suggested command, quoted for the shell.
pub(crate) fn shell_word(word: &str) -> String {
    // The path separator of Windows is special in other shells.
    let harmless = if cfg!(windows) { "._-/:+,@%\\" } else { "._-/:+,@%" };
    let is_harmless = |c: char| c.is_ascii_alphanumeric() || harmless.contains(c);
    match !word.is_empty() && word.chars().all(is_harmless) {
        true => word.into(),
        // File names on Windows cannot contain quotation marks.
        false if cfg!(windows) => format!("\"{word}\""),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}

/// A file name in a suggested command, which cannot be mistaken for a flag.
pub(crate) fn shell_path(path: &Path) -> String {
    let bytes = path.as_os_str().as_encoded_bytes();
    let folder = if bytes.starts_with(b"-") { "./" } else { "" };
    match path.to_str().filter(|text| plain(text) == *text) {
        Some(name) => shell_word(&format!("{folder}{name}")),
        // POSIX.1-2024 XCU §2.2.4.
        None => format!("$'{folder}{}'", bytes.escape_ascii()),
    }
}

/// The problem with the input.
pub(crate) fn problem(error: &utfall::Error) -> String {
    let (kind, name) = (error.kind(), error.encoding().name());
    let text = match kind {
        ErrorKind::Truncated => format!("incomplete {name} sequence at the end of the input"),
        _ => format!("{kind} in {name}"),
    };
    text + &run_bit(error)
}

/// `, bit 16 of its group of eight digits`, for an error inside a shifted run.
pub(crate) fn run_bit(error: &utfall::Error) -> String {
    match error.run_bit() {
        Some(bit) => format!(", bit {bit} of its group of eight digits"),
        None => String::new(),
    }
}

/// `3 files`, `1 file`.
pub(crate) fn count(number: u64, unit: &str) -> String {
    format!("{number} {unit}{}", if number == 1 { "" } else { "s" })
}

/// `8 bytes`, `1.3 MB`.
pub(crate) fn size(bytes: u64) -> String {
    let mut size = bytes as f64;
    for unit in ["kB", "MB", "GB", "TB"] {
        size /= 1000.0;
        // Use the next unit for sizes that would be rounded to 1000.
        if bytes >= 1000 && (size < 999.95 || unit == "TB") {
            return format!("{size:.1} {unit}");
        }
    }
    count(bytes, "byte")
}

/// The reason without Rust's `(os error 2)`.
pub(crate) fn io_reason(error: &io::Error) -> String {
    let text = error.to_string();
    text.split(" (os error ").next().unwrap_or(&text).to_owned()
}

/// `page.txt: line 1, column 3 (byte 2)`: columns are code points.
pub(crate) fn place(name: &str, position: Position, offset: u64) -> String {
    let Position { line, column } = position;
    format!("{name}: line {line}, column {column} (byte {offset})")
}

/// The number of digits of a number.
pub(crate) fn digits(number: u64) -> usize {
    number.checked_ilog10().map_or(1, |log| log as usize + 1)
}
