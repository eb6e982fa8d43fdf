//! Names of files in JSON, where none may be lost.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::input::{self, Source};
use crate::message;

/// The fields `file` and, where that is not the exact name, `file_hex`.
#[derive(Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct FileName {
    /// As messages show it: plain, with U+FFFD for what is not Unicode.
    file: String,
    /// Hexadecimal. On Windows those of its WTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    file_hex: Option<String>,
}

impl FileName {
    pub(crate) fn of(path: &Path) -> Self {
        let (file, octets) = (message::path(path), path.as_os_str().as_encoded_bytes());
        let file_hex = (octets != file.as_bytes()).then(|| message::octets(octets));
        Self { file, file_hex }
    }

    /// Of what is no file, as messages show it.
    pub(crate) fn of_text(name: &str) -> Self {
        Self { file: name.into(), file_hex: None }
    }

    /// As messages show it.
    pub(crate) fn shown(&self) -> &str {
        &self.file
    }

    /// As `diff` writes it and `patch` reads it: in quotes and with its octets in octal, if it could
    /// not be shown otherwise.
    pub(crate) fn in_diff(&self) -> String {
        let Some(octets) = &self.file_hex else { return self.file.clone() };
        let octets = octets.split(' ').filter_map(|octet| u8::from_str_radix(octet, 16).ok());
        let quoted = octets.map(|octet| match octet {
            b'"' | b'\\' => format!("\\{}", char::from(octet)),
            b' '..=b'~' => char::from(octet).into(),
            _ => format!("\\{octet:03o}"),
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
