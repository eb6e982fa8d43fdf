//! The value of `--in-place`, in every subcommand that has it, and the files that can be replaced.

use std::ffi::{OsStr, OsString};
use std::fs::{self, Metadata};
use std::io;
use std::path::Path;

use crate::failure::Failure;

/// The SUFFIX of `--in-place=SUFFIX`, checked, if there is one.
///
/// An empty SUFFIX comes from an unset variable. Nothing could be restored: the backup would have
/// the name of the file, and the original would not be saved for `utfall undo`.
pub(crate) fn suffix(in_place: Option<&Option<OsString>>) -> Result<Option<&OsStr>, Failure> {
    let Some(Some(suffix)) = in_place else { return Ok(None) };
    if suffix.is_empty() {
        return Err(Failure::UsageWithHelp {
            text: "--in-place= has an empty SUFFIX".into(),
            help: "leave out the `=` to keep the originals for `utfall undo`".into(),
        });
    }
    if suffix.as_encoded_bytes().iter().any(|byte| b"/\\".contains(byte)) {
        return Err(Failure::UsageWithHelp {
            text: "--in-place: SUFFIX cannot contain a path separator".into(),
            help: "it is appended to each file name, such as .orig".into(),
        });
    }
    Ok(Some(suffix))
}

/// The metadata of a regular file. Other kinds cannot be replaced, and reading a pipe might never end.
pub(crate) fn regular(path: &Path) -> io::Result<Metadata> {
    let metadata = fs::metadata(path)?;
    match metadata.is_file() {
        true => Ok(metadata),
        false if metadata.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
        false => Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file")),
    }
}
