//! Names of files in JSON, without loss.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::input::{self, Source};
use crate::message;

/// The fields `file` and, where that is not exact, `file_hex`.
#[derive(Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct FileName {
    /// The name in messages: escaped, with U+FFFD for parts that are not Unicode.
    file: String,
    /// The name in hexadecimal. On Windows, its WTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    file_hex: Option<String>,
}

impl FileName {
    pub(crate) fn of(path: &Path) -> Self {
        let (file, bytes) = (message::path(path), path.as_os_str().as_encoded_bytes());
        let file_hex = (bytes != file.as_bytes()).then(|| message::bytes(bytes));
        Self { file, file_hex }
    }

    /// A name in messages of an input that is not a file.
    pub(crate) fn of_text(name: &str) -> Self {
        Self { file: name.into(), file_hex: None }
    }

    /// The name in messages.
    pub(crate) fn shown(&self) -> &str {
        &self.file
    }

    /// The name as `diff` writes it and `patch` reads it: if it has special characters, in quotes
    /// with bytes in octal.
    pub(crate) fn in_diff(&self) -> String {
        let Some(bytes) = &self.file_hex else { return self.file.clone() };
        let bytes = bytes.split(' ').filter_map(|byte| u8::from_str_radix(byte, 16).ok());
        let quoted = bytes.map(|byte| match byte {
            b'"' | b'\\' => format!("\\{}", char::from(byte)),
            b' '..=b'~' => char::from(byte).into(),
            _ => format!("\\{byte:03o}"),
        });
        format!("\"{}\"", quoted.collect::<String>())
    }

    pub(crate) fn of_source(source: &Source) -> Self {
        match source {
            Some(path) => Self::of(path),
            None => Self { file: input::name(source), file_hex: None },
        }
    }
}
