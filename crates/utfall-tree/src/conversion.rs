//! What a run does with each file, and what has become of it.

use std::ffi::OsString;
use std::io;
use std::path::PathBuf;

use utfall::lines::Position;
use utfall::parallel::Done;
use utfall::{Bom, Encoding, Error, Options};
use utfall_normalize::Normalize;

use crate::choose::Basis;
use crate::replace::Keep;

/// What a run does with each file.
#[derive(Clone, Debug)]
pub struct Conversion {
    /// The encoding of what is written.
    pub to: Encoding,
    /// How text is converted.
    pub options: Options,
    /// What else is changed: line ends, normalisation.
    pub change: Normalize,
    /// Leave alone what seems to be in `to` already, although something else was said or guessed:
    /// well-formed UTF-8 with characters beyond US-ASCII, or what begins with the byte order mark
    /// of UTF-16 or UTF-32.
    pub only_if_needed: bool,
    /// Leave alone, and report, a file of which something would be replaced, escaped or left out.
    pub only_if_lossless: bool,
    /// What of the old file is kept.
    pub keep: Keep,
    /// Old texts stay under their name with this behind it.
    pub backup: Option<OsString>,
    /// Write nothing.
    pub dry_run: bool,
}

impl Conversion {
    /// The default: strict, no backup, everything that was said.
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
}

/// What has become of a file.
#[derive(Debug)]
pub enum Outcome {
    /// It was converted, or would be.
    Converted(Converted),
    /// It would be the same octets.
    Same(Encoding, Basis),
    /// This run made it what it is, so it is not converted again.
    MadeBy(u64),
    /// It seems to be what it was to become; see [`Conversion::only_if_needed`].
    NotNeeded,
    /// Copied to another tree as it is, because this run made it what it was to become, or, without
    /// a run, because it seems to be that already; see [`Conversion::only_if_needed`].
    Copied(Option<u64>),
    /// It was not converted because its bytes contradict what was said of it; see
    /// [`Given`](crate::Given).
    Contradicted {
        /// The encoding that was said.
        said: Encoding,
        /// The encoding that it is in.
        found: Encoding,
        /// How that is known.
        basis: Basis,
    },
    /// It is no text, and nobody said that it were one.
    Binary,
    /// Nobody knows its encoding, for this reason.
    Unknown(String),
    /// There is an error in the text.
    Text {
        /// Its encoding.
        from: Encoding,
        /// How that is known.
        basis: Basis,
        /// What is wrong.
        error: Error,
        /// Where.
        position: Position,
        /// The octets of the sequence.
        octets: Vec<u8>,
    },
    /// So much would be replaced, escaped or left out; see [`Conversion::only_if_lossless`].
    Lossy(Converted),
    /// It cannot be read, written, replaced or kept.
    Io {
        /// What could not be done.
        operation: Operation,
        /// Why it cannot.
        error: io::Error,
    },
}

/// What could not be done with a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// To read the text.
    Read,
    /// To write what it becomes.
    Write,
    /// To put that in its place.
    Replace,
    /// To keep the old text beside it.
    BackUp,
    /// To keep the old text in the journal.
    Record,
}

/// A file that was converted, or would be.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Converted {
    /// Its encoding before.
    pub from: Encoding,
    /// How that is known.
    pub basis: Basis,
    /// Octets, and what policies dealt with.
    pub done: Done,
    /// How many other hard links keep the old text.
    pub links: u64,
    /// The old text.
    pub backup: Option<PathBuf>,
}

/// How the byte order mark of one text is dealt with if `wanted` is how all are, and whether
/// it has decided which encoding the text is in.
#[must_use]
pub fn bom_of(wanted: Bom, has_decided: bool, to: Encoding) -> Bom {
    // These two write a mark; that of the input takes its place.
    let writes_mark = matches!(to, Encoding::Utf16 | Encoding::Utf32);
    match wanted {
        // It has done its work.
        Bom::Auto if has_decided && !writes_mark => Bom::Strip,
        _ => wanted,
    }
}
