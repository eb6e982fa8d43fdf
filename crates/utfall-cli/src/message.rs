//! Text for people: bytes, characters, file names, errors.

use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::path::Path;

use utfall::ErrorKind;
use utfall::lines::Position;

use crate::excerpt::Excerpt;
pub(crate) use crate::screen::plain;
use crate::snippet::{Kind, Layout, Message};

/// `C0 AE`.
pub(crate) fn octets(octets: &[u8]) -> String {
    let shown: Vec<_> = octets.iter().map(|octet| format!("{octet:02X}")).collect();
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
    let octets = path.as_os_str().as_encoded_bytes();
    let folder = if octets.starts_with(b"-") { "./" } else { "" };
    match path.to_str().filter(|text| plain(text) == *text) {
        Some(name) => shell_word(&format!("{folder}{name}")),
        // POSIX.1-2024 XCU §2.2.4.
        None => format!("$'{folder}{}'", octets.escape_ascii()),
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

/// `error: something is wrong`, on stderr.
pub(crate) fn error(text: &str) {
    titled(Kind::Error, text);
}

/// An error and a suggestion.
pub(crate) fn error_with_help(text: &str, help: &str) {
    error(text);
    titled(Kind::Help, help);
}

/// `warning: something may surprise`, on stderr.
pub(crate) fn warning(text: &str) {
    titled(Kind::Warning, text);
}

/// `note: something worth knowing`, on stderr.
pub(crate) fn note(text: &str) {
    titled(Kind::Note, text);
}

fn titled(kind: Kind, title: &str) {
    print(&Message { kind, rule: "", title, line: None, notes: &[] });
}

/// A message about a place in a text.
pub(crate) struct Annotated<'a> {
    /// The place and the problem.
    pub(crate) title: &'a str,
    /// The number of the line.
    pub(crate) line: u64,
    pub(crate) excerpt: &'a Excerpt,
    /// The violated clause; may be empty.
    pub(crate) clause: &'a str,
    /// Suggestions, the likeliest first.
    pub(crate) help: &'a [String],
}

/// The line with the place marked, the clause and the help, on stderr.
pub(crate) fn annotated(what: &Annotated<'_>) {
    let clause = (!what.clause.is_empty()).then_some((Kind::Note, what.clause));
    let help = what.help.iter().map(|help| (Kind::Help, help.as_str()));
    let notes: Vec<_> = clause.into_iter().chain(help).collect();
    let line = Some((what.line, what.excerpt));
    print(&Message { kind: Kind::Error, rule: "", title: what.title, line, notes: &notes });
}

fn print(message: &Message<'_>) {
    let layout = Layout::of(&io::stderr());
    // If stderr is closed, the exit status still reports the result.
    _ = writeln!(anstream::stderr().lock(), "{}", layout.message(message));
}

/// `page.txt: line 1, column 3 (byte 2)`: columns are code points.
pub(crate) fn place(name: &str, position: Position, offset: u64) -> String {
    let Position { line, column } = position;
    format!("{name}: line {line}, column {column} (byte {offset})")
}

/// A message about an error in a text.
pub(crate) struct TextError {
    pub(crate) error: utfall::Error,
    /// The displayed name of the input.
    pub(crate) name: String,
    pub(crate) position: Position,
    /// The bytes of the ill-formed sequence, or of the character that cannot be encoded.
    pub(crate) octets: Vec<u8>,
    /// The line that contains the error.
    pub(crate) excerpt: Excerpt,
    /// Suggestions, the likeliest first.
    pub(crate) help: Vec<String>,
}

/// Prints the place, the problem, the violated clause and the suggestions.
pub(crate) fn text_error(text: &TextError) {
    let TextError { error: what, name, position, .. } = text;
    let place = place(name, *position, what.offset());
    let shown = octets(&text.octets);
    let reason = match what.kind() {
        ErrorKind::Unencodable(point) => {
            format!("{} cannot be encoded in {}", character(point), what.encoding())
        }
        _ => problem(what),
    };
    annotated(&Annotated {
        title: &format!("{place}: {shown}: {reason}"),
        line: position.line,
        excerpt: &text.excerpt,
        clause: what.clause(),
        help: &text.help,
    });
}
