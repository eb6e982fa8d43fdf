//! Keeps the original of a file under another name.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};

use crate::replace;

/// Bytes compared at a time.
const ROOM: usize = 64 * 1024;

/// Keeps the original of a file under its name plus a suffix, before the file is replaced. The
/// backup is a hard link, or a copy if links are not available. Returns its path.
///
/// # Errors
/// Returns an error if another file has this name, or if the backup cannot be created.
pub fn back_up(path: &Path, suffix: &OsStr) -> io::Result<PathBuf> {
    let backup = name(path, suffix);
    match link_or_copy(path, &backup) {
        // From a run that was interrupted.
        Err(error) if error.kind() == ErrorKind::AlreadyExists && is_same(path, &backup)? => {
            Ok(backup)
        }
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            let name = Path::new(backup.file_name().unwrap_or_default());
            let text = format!("{} exists already", name.display());
            Err(io::Error::new(ErrorKind::AlreadyExists, text))
        }
        result => result.map(|_| backup),
    }
}

fn name(path: &Path, suffix: &OsStr) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(suffix);
    name.into()
}

/// How [`link_or_copy`] created the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum How {
    Linked,
    Copied,
}

/// Creates `to`, which must not exist. Removes it again on failure.
pub(crate) fn link_or_copy(from: &Path, to: &Path) -> io::Result<How> {
    match fs::hard_link(from, to) {
        Ok(()) => Ok(How::Linked),
        Err(error) if matches!(error.kind(), ErrorKind::AlreadyExists | ErrorKind::NotFound) => {
            Err(error)
        }
        // Another file system, no support for links, too many links, or not the owner.
        Err(_) => copy(from, to).map(|()| How::Copied),
    }
}

/// Creates `to`, which must not exist, with the same content, permissions and times.
pub(crate) fn copy(from: &Path, to: &Path) -> io::Result<()> {
    let mut source = File::open(from)?;
    let existing = source.metadata()?;
    let mut file = replace::create(replace::folder(to), true)?;
    io::copy(&mut source, file.as_file_mut())?;
    replace::take_over(&file, from, &existing)?;
    replace::set_times(file.as_file(), &existing)?;
    replace::tell_late_errors(file.as_file())?;
    file.persist_noclobber(to)
}

/// Whether two files have the same bytes.
pub(crate) fn is_same(a: &Path, b: &Path) -> io::Result<bool> {
    let (mut a, mut b) = (File::open(a)?, File::open(b)?);
    if a.metadata()?.len() != b.metadata()?.len() {
        return Ok(false);
    }
    let mut rooms = (Vec::with_capacity(ROOM), Vec::with_capacity(ROOM));
    loop {
        rooms.0.clear();
        rooms.1.clear();
        (&mut a).take(ROOM as u64).read_to_end(&mut rooms.0)?;
        (&mut b).take(ROOM as u64).read_to_end(&mut rooms.1)?;
        if rooms.0 != rooms.1 {
            return Ok(false);
        }
        if rooms.0.is_empty() {
            return Ok(true);
        }
    }
}
