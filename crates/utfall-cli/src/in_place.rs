//! The value of `--in-place`, in every subcommand that has it.

use std::ffi::{OsStr, OsString};

use crate::failure::Failure;

/// The SUFFIX of `--in-place=SUFFIX`, checked, if there is one.
///
/// An empty one would keep nothing: neither a backup, since its name is that of the file, nor what
/// `utfall undo` needs. It comes from a variable that is not set.
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
