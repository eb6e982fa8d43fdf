//! The inputs that FILE… names: files, standard input, or texts.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use crate::argument::{self, Argument};
use crate::cli::RepairArgs;
use crate::failure::Failure;
use crate::file_name::FileName;
use crate::input::{Input, Source};

/// The action, in messages about texts.
const VERB: &str = "repair";

/// An input to be repaired.
pub(super) enum Given {
    File(Source),
    /// An argument, with a line feed at its end, as a line of text.
    Text {
        name: String,
        bytes: Vec<u8>,
    },
}

impl Given {
    pub(super) fn name(&self) -> FileName {
        match self {
            Self::File(source) => FileName::of_source(source),
            Self::Text { name, .. } => FileName::of_text(name),
        }
    }

    pub(super) fn open(&self) -> Result<Input, Failure> {
        match self {
            Self::File(source) => Input::open(source),
            Self::Text { name, bytes } => Ok(Input::of_text(name.clone(), bytes.clone())),
        }
    }

    pub(super) fn source(&self) -> Option<&Source> {
        match self {
            Self::File(source) => Some(source),
            Self::Text { .. } => None,
        }
    }
}

/// Each FILE; a missing one is an error.
pub(super) fn all(args: &RepairArgs) -> Result<Vec<Given>, Failure> {
    if reads_stdin(args) {
        return Ok(vec![Given::File(None)]);
    }
    let texts = args.given.iter().map(|argument| Ok(text(argument)));
    texts.chain(args.files.iter().map(|file| one(args, file))).collect()
}

/// Whether nothing is named, and so standard input is meant.
pub(super) fn reads_stdin(args: &RepairArgs) -> bool {
    args.files.is_empty() && args.given.is_empty()
}

/// The same, with the files that `walk` finds: files in directories are added, missing files
/// removed. Texts come last.
pub(super) fn in_trees(
    args: &RepairArgs,
    walk: impl FnOnce(&[PathBuf]) -> Result<Vec<PathBuf>, Failure>,
) -> Result<Vec<Given>, Failure> {
    if reads_stdin(args) {
        return Ok(vec![Given::File(None)]);
    }
    let (mut all, mut files) = (Vec::new(), Vec::new());
    let mut texts: Vec<_> = args.given.iter().map(|argument| text(argument)).collect();
    for file in &args.files {
        match one(args, file) {
            Ok(Given::File(None)) => all.push(Given::File(None)),
            Ok(text @ Given::Text { .. }) => texts.push(text),
            // The walk reports missing files.
            Ok(Given::File(Some(_))) | Err(_) => files.push(file.clone()),
        }
    }
    if !files.is_empty() {
        all.extend(walk(&files)?.into_iter().map(|path| Given::File(Some(path))));
    }
    all.extend(texts);
    Ok(all)
}

fn one(args: &RepairArgs, file: &Path) -> Result<Given, Failure> {
    if args.text {
        return Ok(text(file.as_os_str()));
    }
    match text_or_file(file)? {
        Argument::Stdin => Ok(Given::File(None)),
        Argument::File(path) => Ok(Given::File(Some(path.into()))),
        Argument::Text(_) => Ok(text(file.as_os_str())),
    }
}

/// An argument that is a text.
fn text(argument: &OsStr) -> Given {
    let mut bytes = argument.as_encoded_bytes().to_vec();
    if bytes.last() != Some(&b'\n') {
        bytes.push(b'\n');
    }
    Given::Text { name: argument::named(argument), bytes }
}

/// A word of US-ASCII needs no repair, so it is the name of a file.
fn text_or_file(file: &Path) -> Result<Argument<'_>, Failure> {
    match Argument::of(file.as_os_str(), VERB)? {
        Argument::Text(word) if is_plain_word(word) => argument::missing(file, VERB),
        other => Ok(other),
    }
}

fn is_plain_word(text: &[u8]) -> bool {
    text.iter().all(|byte| byte.is_ascii_graphic() && *byte != b'\\')
}
