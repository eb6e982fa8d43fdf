//! Arguments that are either the name of a file or the text itself. `explain` and `repair` share
//! the rule.

use std::ffi::OsStr;
use std::io;
use std::path::{Path, is_separator};

use crate::failure::Failure;
use crate::message;

/// The maximum length of an argument in its own name.
const NAME: usize = 40;

/// The meaning of an argument.
pub(crate) enum Argument<'a> {
    Stdin,
    File(&'a Path),
    Text(&'a [u8]),
}

impl<'a> Argument<'a> {
    /// A file if one has that name, otherwise a text. An argument that looks like the name of a
    /// missing file is an error, unless `--text` is given. `verb` is what would be done to the
    /// text.
    pub(crate) fn of(argument: &'a OsStr, verb: &str) -> Result<Self, Failure> {
        if argument == "-" {
            return Ok(Self::Stdin);
        }
        let path = Path::new(argument);
        // Opening the file will report why it is inaccessible.
        match path.symlink_metadata() {
            Err(error) if is_no_file(&error) => {}
            _ => return Ok(Self::File(path)),
        }
        match looks_like_a_file_name(argument) {
            true => missing(path, verb),
            false => Ok(Self::Text(argument.as_encoded_bytes())),
        }
    }
}

/// Reports a missing file, and how to pass the argument as text. For names that no file can have,
/// opening reports the reason.
pub(crate) fn missing<'a>(path: &'a Path, verb: &str) -> Result<Argument<'a>, Failure> {
    use io::ErrorKind as K;
    let name = match path.symlink_metadata().map_err(|error| error.kind()) {
        Err(K::NotFound | K::NotADirectory) if path.as_os_str().is_empty() => "\"\"".into(),
        Err(K::NotFound | K::NotADirectory) => message::path(path),
        _ => return Ok(Argument::File(path)),
    };
    let help = format!("to {verb} the text itself, use --text {}", message::shell_path(path));
    Err(Failure::NoSuchFile { name, help })
}

/// Whether no file has that name, or none can have it.
fn is_no_file(error: &io::Error) -> bool {
    use io::ErrorKind as K;
    matches!(error.kind(), K::NotFound | K::NotADirectory | K::InvalidInput | K::InvalidFilename)
}

/// Whether the argument has a path separator, or is US-ASCII without white space and with an
/// extension. An empty argument is treated as a name, from a variable that is not set.
fn looks_like_a_file_name(argument: &OsStr) -> bool {
    let text = argument.to_string_lossy();
    let is_word = text.is_ascii() && !text.contains(|c: char| c.is_ascii_whitespace());
    let extension = || Path::new(argument).extension().and_then(OsStr::to_str).unwrap_or_default();
    let has_extension =
        || !extension().is_empty() && extension().bytes().all(|byte| byte.is_ascii_alphanumeric());
    text.is_empty() || text.contains(is_separator) || is_word && has_extension()
}

/// `the argument "…"`.
pub(crate) fn named(argument: &OsStr) -> String {
    let text = message::plain(&argument.to_string_lossy());
    match text.char_indices().nth(NAME) {
        Some((end, _)) => format!("the argument \"{}…\"", &text[..end]),
        None => format!("the argument \"{text}\""),
    }
}
