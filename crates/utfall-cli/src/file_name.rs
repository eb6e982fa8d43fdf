//! Names of files in JSON, where none may be lost.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::input::{self, Source};
use crate::message;

/// The fields `file` and, where that is not the very name, `file_octets`.
#[derive(Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct FileName {
    /// As messages show it: without what moves the cursor, U+FFFD for what is not Unicode.
    file: String,
    /// Hexadecimal. On Windows those of its WTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    file_octets: Option<String>,
}

impl FileName {
    pub(crate) fn of(path: &Path) -> Self {
        let (file, octets) = (message::path(path), path.as_os_str().as_encoded_bytes());
        let file_octets = (octets != file.as_bytes()).then(|| message::octets(octets));
        Self { file, file_octets }
    }

    /// Of what is no file, as messages show it.
    pub(crate) fn of_text(name: &str) -> Self {
        Self { file: name.into(), file_octets: None }
    }

    /// As messages show it.
    pub(crate) fn shown(&self) -> &str {
        &self.file
    }

    pub(crate) fn of_source(source: &Source) -> Self {
        match source {
            Some(path) => Self::of(path),
            None => Self { file: input::name(source), file_octets: None },
        }
    }
}
