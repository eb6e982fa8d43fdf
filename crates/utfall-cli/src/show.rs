//! Text for people: words of the shell, sizes, places.

use std::io;
use std::path::Path;

use utfall::lines::Position;
pub(crate) use utfall_bind::show::{bytes, character, count, path, problem, run_bit};

use crate::screen::plain;

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
