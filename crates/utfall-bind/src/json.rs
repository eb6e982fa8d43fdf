//! JSON for all reports: no string contains characters that act on a terminal.
//!
//! Characters that [`screen`] escapes are written as `\u202E` here, so that programs read the exact
//! text. (`list` writes only constants, in another layout.)
//!
//! ```
//! let mut out = Vec::new();
//! utfall_bind::json::line(&mut out, &std::collections::BTreeMap::from([("text", "a\u{202E}")]))?;
//! assert_eq!(out, b"{\"version\":2,\"text\":\"a\\u202e\"}\n");
//! # Ok::<(), std::io::Error>(())
//! ```

use std::io::{self, Write};

use serde::{Deserialize, Serialize};
use serde_json::Serializer;
use serde_json::ser::Formatter;

use crate::screen;

/// The version of the format, on every line. It changes if programs that read it must change: a
/// field was removed, or has a different meaning. `docs/json.md` documents the fields.
pub const VERSION: u32 = 2;

#[derive(Serialize)]
struct Versioned<'a, T: Serialize> {
    version: u32,
    #[serde(flatten)]
    object: &'a T,
}

/// The version field of a line. The first version had none.
#[derive(Deserialize)]
struct Version {
    version: Option<u32>,
}

/// Writes a line with an object, in one piece, after the version of the format.
///
/// # Errors
/// Returns the error of `out`.
pub fn line(mut out: impl Write, object: &impl Serialize) -> io::Result<()> {
    let mut line = Vec::new();
    write(&mut line, &Versioned { version: VERSION, object })?;
    line.push(b'\n');
    out.write_all(&line)
}

/// The version of a line, if it is an object.
#[must_use]
pub fn version(line: &[u8]) -> Option<u32> {
    let version: Version = serde_json::from_slice(line).ok()?;
    Some(version.version.unwrap_or(1))
}

/// Writes a value.
///
/// # Errors
/// Returns the error of `out`.
pub fn write(out: impl Write, value: &impl Serialize) -> io::Result<()> {
    Ok(value.serialize(&mut Serializer::with_formatter(out, Harmless))?)
}

/// A value as a string.
pub fn text(value: &impl Serialize) -> String {
    let mut bytes = Vec::new();
    // Keys are always strings, and writing to memory cannot fail.
    _ = write(&mut bytes, value);
    String::from_utf8_lossy(&bytes).into_owned()
}

struct Harmless;

impl Formatter for Harmless {
    fn write_string_fragment<W: ?Sized + Write>(
        &mut self,
        writer: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        let mut brackets = screen::brackets(fragment).peekable();
        let mut done = 0;
        for (at, c) in fragment.char_indices() {
            if !screen::is_escaped(c) && brackets.next_if_eq(&at).is_none() {
                continue;
            }
            writer.write_all(&fragment.as_bytes()[done..at])?;
            for unit in c.encode_utf16(&mut [0; 2]) {
                write!(writer, "\\u{unit:04x}")?;
            }
            done = at + c.len_utf8();
        }
        writer.write_all(&fragment.as_bytes()[done..])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_the_same() {
        let all: String = ('\0'..=char::MAX).collect();
        for value in [&*all, "##[group]x ##vso[y] \"\\/[", ""] {
            let json = text(&value);
            assert!(!json.chars().any(screen::is_escaped));
            assert!(!json.contains("##[") && !json.contains("##vso["));
            assert_eq!(serde_json::from_str::<String>(&json).unwrap(), value);
        }
        assert_eq!(text(&"\u{202E}\u{7F}\u{E0041}é"), r#""\u202e\u007f\udb40\udc41é""#);
    }
}
