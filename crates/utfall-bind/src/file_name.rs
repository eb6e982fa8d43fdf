//! Names of files in JSON, without loss.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::show;

/// The name of standard input.
pub const STANDARD_INPUT: &str = "(standard input)";

/// The fields `file` and, where that is not exact, `file_hex`.
///
/// ```
/// use std::path::Path;
/// use utfall_bind::FileName;
/// assert_eq!(FileName::of(Path::new("a\nb")).shown(), "a\\nb");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileName {
    /// The name in messages: escaped, with U+FFFD for parts that are not Unicode.
    file: String,
    /// The name in hexadecimal. On Windows, its WTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    file_hex: Option<String>,
}

impl FileName {
    /// The name of a file.
    #[must_use]
    pub fn of(path: &Path) -> Self {
        let (file, bytes) = (show::path(path), path.as_os_str().as_encoded_bytes());
        let file_hex = (bytes != file.as_bytes()).then(|| show::bytes(bytes));
        Self { file, file_hex }
    }

    /// A name in messages of an input that is not a file.
    #[must_use]
    pub fn of_text(name: &str) -> Self {
        Self { file: name.into(), file_hex: None }
    }

    /// The name in messages.
    #[must_use]
    pub fn shown(&self) -> &str {
        &self.file
    }

    /// The name as `diff` writes it and `patch` reads it: if it has special characters, in quotes
    /// with bytes in octal.
    #[must_use]
    pub fn in_diff(&self) -> String {
        let Some(bytes) = &self.file_hex else { return self.file.clone() };
        let bytes = bytes.split(' ').filter_map(|byte| u8::from_str_radix(byte, 16).ok());
        let quoted = bytes.map(|byte| match byte {
            b'"' | b'\\' => format!("\\{}", char::from(byte)),
            b' '..=b'~' => char::from(byte).into(),
            _ => format!("\\{byte:03o}"),
        });
        format!("\"{}\"", quoted.collect::<String>())
    }

    /// The name of a file, or of standard input if `None`.
    #[must_use]
    pub fn of_source(source: &Option<PathBuf>) -> Self {
        match source {
            Some(path) => Self::of(path),
            None => Self { file: STANDARD_INPUT.into(), file_hex: None },
        }
    }
}
