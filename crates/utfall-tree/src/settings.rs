//! Reads settings and ignore files.
//!
//! They are as untrusted as the text: only regular files are read, up to [`MAX_BYTES`]. A file is
//! examined after it has been opened, so it cannot be swapped in between.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, ErrorKind, Read};
use std::path::Path;

/// The maximum size of such a file in bytes.
const MAX_BYTES: u64 = 1 << 20;
/// The maximum length of a pattern in bytes, like that of a path on Linux. Nested braces are parsed
/// recursively.
pub(crate) const MAX_PATTERN_BYTES: usize = 4096;

/// Reads a settings file from an untrusted directory: a regular file of at most 1 MiB. Returns
/// `None` if the file does not exist or is a directory.
///
/// # Errors
/// Returns an error if the file cannot be read, is larger, or is a device, a pipe or the like.
pub fn read_settings(path: &Path) -> io::Result<Option<Vec<u8>>> {
    let wrong = |text: &str| Err(io::Error::new(ErrorKind::InvalidInput, text));
    // Even opening a device may have an effect.
    let Some(metadata) = exists(path)? else { return Ok(None) };
    if metadata.is_dir() {
        return Ok(None);
    }
    if !metadata.is_file() {
        return if is_null(path) { Ok(Some(Vec::new())) } else { wrong("not a regular file") };
    }
    let file = match open(path) {
        Ok(file) => file,
        Err(error) if is_missing(&error) => return Ok(None),
        Err(error) => return Err(error),
    };
    // It may be another file by now.
    if !file.metadata()?.is_file() {
        return wrong("not a regular file");
    }
    let mut text = Vec::new();
    file.take(MAX_BYTES + 1).read_to_end(&mut text)?;
    if text.len() as u64 > MAX_BYTES {
        return wrong(&format!("larger than {} MiB", MAX_BYTES >> 20));
    }
    Ok(Some(text))
}

/// The metadata of a path; `None` if it does not exist.
pub(crate) fn exists(path: &Path) -> io::Result<Option<Metadata>> {
    match fs::metadata(path) {
        Ok(metadata) => Ok(Some(metadata)),
        Err(error) if is_missing(&error) => Ok(None),
        Err(error) => Err(error),
    }
}

fn is_missing(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory)
}

/// Opens a file without blocking on pipes.
fn open(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.custom_flags(nix::libc::O_NONBLOCK | nix::libc::O_NOCTTY);
    }
    options.open(path)
}

/// Whether it represents an empty file: `GIT_CONFIG_GLOBAL=/dev/null` is common.
fn is_null(path: &Path) -> bool {
    fs::canonicalize(path).is_ok_and(|path| path == Path::new("/dev/null"))
}
