//! Options of a run for each file, and the outcome for each file.

use std::ffi::OsString;
use std::io;
use std::path::PathBuf;

use utfall::lines::Position;
use utfall::parallel::Summary;
use utfall::{Bom, Encoding, Error, Family, Options};
use utfall_normalize::Normalize;

use crate::choose::Basis;
use crate::replace::Keep;

/// The conversion that a run applies to each file.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Conversion {
    /// The target encoding.
    pub to: Encoding,
    /// Options for the conversion of text.
    pub options: Options,
    /// Further changes: line ends, normalization.
    pub change: Normalize,
    /// Skip files that already seem to be in `to`, even if another encoding was stated or guessed.
    /// This means well-formed UTF-8 with non-ASCII characters, or text that begins with the BOM of
    /// UTF-16 or UTF-32.
    pub only_if_needed: bool,
    /// Skip and report files in which something would be replaced, escaped or omitted.
    pub only_if_lossless: bool,
    /// Properties of the original file to preserve.
    pub keep: Keep,
    /// The suffix for backups of original files.
    pub backup: Option<OsString>,
    /// Write nothing.
    pub dry_run: bool,
}

impl Conversion {
    /// The defaults: strict, no backup, every file converted as stated.
    #[must_use]
    pub fn to(to: Encoding) -> Self {
        Self {
            to,
            options: Options::default(),
            change: Normalize::default(),
            only_if_needed: false,
            only_if_lossless: false,
            keep: Keep::default(),
            backup: None,
            dry_run: false,
        }
    }

    /// Sets [`options`](Self::options).
    #[must_use]
    pub fn with_options(self, options: Options) -> Self {
        Self { options, ..self }
    }

    /// Sets [`change`](Self::change).
    #[must_use]
    pub fn with_change(self, change: Normalize) -> Self {
        Self { change, ..self }
    }

    /// Sets [`only_if_needed`](Self::only_if_needed).
    #[must_use]
    pub fn with_only_if_needed(self, only_if_needed: bool) -> Self {
        Self { only_if_needed, ..self }
    }

    /// Sets [`only_if_lossless`](Self::only_if_lossless).
    #[must_use]
    pub fn with_only_if_lossless(self, only_if_lossless: bool) -> Self {
        Self { only_if_lossless, ..self }
    }

    /// Sets [`keep`](Self::keep).
    #[must_use]
    pub fn with_keep(self, keep: Keep) -> Self {
        Self { keep, ..self }
    }

    /// Sets [`backup`](Self::backup).
    #[must_use]
    pub fn with_backup(self, backup: impl Into<Option<OsString>>) -> Self {
        Self { backup: backup.into(), ..self }
    }

    /// Sets [`dry_run`](Self::dry_run).
    #[must_use]
    pub fn with_dry_run(self, dry_run: bool) -> Self {
        Self { dry_run, ..self }
    }
}

/// The outcome for a file.
#[derive(Debug)]
pub enum Outcome {
    /// It was converted, or would be in a dry run.
    Converted(Converted),
    /// Converting it would not change a byte.
    Same(Encoding, Basis),
    /// This earlier run wrote it, so it is not converted again.
    MadeBy(u64),
    /// It already seems to be in the target encoding; see [`Conversion::only_if_needed`].
    NotNeeded,
    /// It was copied to another tree unchanged: this earlier run wrote it or, if there is no run,
    /// it already seems to be in the target encoding; see [`Conversion::only_if_needed`].
    Copied(Option<u64>),
    /// It was not converted, because its bytes contradict the stated encoding; see
    /// [`Given`](crate::Given).
    Contradicted {
        /// The stated encoding.
        said: Encoding,
        /// The actual encoding.
        found: Encoding,
        /// How the actual encoding was determined.
        basis: Basis,
    },
    /// It is binary, and the user did not state an encoding.
    Binary,
    /// Its encoding is unknown, for this reason.
    Unknown(String),
    /// There is an error in the text.
    Text {
        /// The encoding of the text.
        from: Encoding,
        /// How the encoding was determined.
        basis: Basis,
        /// The error.
        error: Error,
        /// The position of the error.
        position: Position,
        /// The bytes of the ill-formed sequence.
        bytes: Vec<u8>,
    },
    /// Characters would be replaced, escaped or omitted; see [`Conversion::only_if_lossless`].
    Lossy(Converted),
    /// An I/O operation failed.
    Io {
        /// The operation.
        operation: Operation,
        /// The reason.
        error: io::Error,
    },
}

/// An operation that failed for a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// Reading the file.
    Read,
    /// Writing the new file.
    Write,
    /// Replacing the original with the new file.
    Replace,
    /// Creating the backup.
    BackUp,
    /// Saving the original in the journal.
    Record,
}

/// A file that was converted, or would be in a dry run.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Converted {
    /// Its original encoding.
    pub from: Encoding,
    /// How that was determined.
    pub basis: Basis,
    /// Counts of bytes, and of characters handled by policies.
    pub done: Summary,
    /// The number of other hard links, which keep the original.
    pub links: u64,
    /// The path of the backup.
    pub backup: Option<PathBuf>,
}

/// The BOM option for a single text, given the option `wanted` for all texts, and whether the BOM
/// determined the encoding.
#[must_use]
pub fn bom_of(wanted: Bom, has_decided: bool, to: Encoding) -> Bom {
    // These two write a BOM, which replaces that of the input.
    let writes_mark = matches!(to, Encoding::Utf16 | Encoding::Utf32);
    let info = to.info();
    let is_charset = matches!(info.family, Family::SingleByte | Family::MultiByte);
    match wanted {
        // A charset has none to add, and lacks the one of the input.
        Bom::Add if has_decided && is_charset && info.signature.is_empty() => Bom::Strip,
        // The BOM has served its purpose.
        Bom::Auto if has_decided && !writes_mark => Bom::Strip,
        _ => wanted,
    }
}
