//! The decision whether `check` and `repair` decode escapes such as `\u00e9`.

use crate::cli::JsonEscapes;
use crate::input::Source;

/// Extensions of files with JSON, or with JSON in each line.
const EXTENSIONS: [&str; 5] = ["json", "jsonl", "ndjson", "ipynb", "geojson"];

impl JsonEscapes {
    /// Whether escapes of this input are decoded.
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
