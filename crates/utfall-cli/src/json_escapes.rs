//! Whether `\u00e9` is read as a character: in `check` and `repair`.

use crate::cli::JsonEscapes;
use crate::input::Source;

/// Names of files that are JSON, or have JSON in each line, end so.
const EXTENSIONS: [&str; 5] = ["json", "jsonl", "ndjson", "ipynb", "geojson"];

impl JsonEscapes {
    /// Whether escapes of this input are read.
    pub(crate) fn are_read_in(self, source: &Source) -> bool {
        let extension = source.as_ref().and_then(|path| path.extension()?.to_str());
        match self {
            Self::Always => true,
            Self::Never => false,
            Self::Auto => extension.is_some_and(|extension| {
                EXTENSIONS.iter().any(|e| e.eq_ignore_ascii_case(extension))
            }),
        }
    }
}
