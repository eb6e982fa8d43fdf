//! Recovers the originals of a run with a damaged journal.

use std::collections::HashMap;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::backup;
use crate::undo::{End, Later, Run, Undone};

/// The longest file name that certainly leaves space for a number before it.
const LONGEST_NAME: usize = 200;

/// A saved original, and what happened to it.
#[derive(Debug)]
#[non_exhaustive]
pub struct Original {
    /// Its number, which is its name.
    pub number: u64,
    /// Its length in bytes.
    pub bytes: u64,
    /// The path of its file, according to the journal.
    pub path: Option<PathBuf>,
    /// The path of its file, if a damaged line is right. It is not used to restore the file.
    pub perhaps: Option<PathBuf>,
    /// The result for that file; `None` if its path is unknown.
    pub undone: Option<Undone>,
    /// The path of the copy, or the reason why copying failed.
    pub copied: Option<io::Result<PathBuf>>,
}

impl Original {
    /// Whether the file is as before the run, or there is a copy.
    #[must_use]
    pub fn is_safe(&self) -> bool {
        matches!(self.undone, Some(Undone::Restored | Undone::AsBefore))
            || matches!(self.copied, Some(Ok(_)))
    }
}

impl Run {
    /// Restores the files that the journal lists, as [`undo`](Self::undo) does. Copies all other
    /// originals to the directory `to`, if given. Calls `tell` for each original. Overwrites
    /// nothing. Removes the run if no original remains.
    ///
    /// # Errors
    /// Returns an error if the run is still in progress, if a newer version wrote it, or if its
    /// directory cannot be read.
    pub fn recover(
        &self,
        runs: &[Self],
        to: Option<&Path>,
        dry_run: bool,
        mut tell: impl FnMut(&Original),
    ) -> io::Result<End> {
        let lock = self.lock()?;
        if let Some(to) = to.filter(|_| !dry_run) {
            fs::create_dir_all(to)?;
        }
        let mut later = Later { runs, after: self.number(), index: None };
        let records: HashMap<_, _> =
            self.records.iter().map(|record| (record.number, record)).collect();
        let mut all = Vec::with_capacity(self.originals.len());
        for number in self.originals.iter().rev() {
            let record = records.get(number);
            let path = record.map(|record| record.path.path());
            let bytes = self.length_of(*number);
            let undone = record.map(|record| {
                let path = record.path.path();
                self.undo_file(record, &path, &mut later, dry_run)
                    .unwrap_or_else(|error| Undone::Failed(self.saved(*number), error))
            });
            let perhaps = self.hints.get(number).filter(|_| path.is_none()).cloned();
            let mut original =
                Original { number: *number, bytes, path, perhaps, undone, copied: None };
            if let Some(to) = to.filter(|_| !dry_run && !original.is_safe()) {
                let name = original.path.as_deref().or(original.perhaps.as_deref());
                original.copied = Some(self.copy_to(to, *number, name));
            }
            all.push(original);
        }
        all.iter().rev().for_each(&mut tell);
        let is_anything_left = match crate::journal::look_inside(&self.folder) {
            Ok(inside) => !inside.originals.is_empty() || !inside.foreign.is_empty(),
            Err(_) => true,
        };
        if dry_run || is_anything_left || self.newer_version().is_some() {
            return Ok(End::Stays);
        }
        self.remove(lock)?;
        Ok(End::Gone)
    }

    /// Copies an original to a directory. Returns the path of the copy.
    fn copy_to(&self, to: &Path, number: u64, path: Option<&Path>) -> io::Result<PathBuf> {
        use io::ErrorKind as K;
        let copy = |name| {
            let to = to.join(name);
            backup::copy(&self.saved(number), &to).map(|()| to)
        };
        match copy(copy_name(number, path)) {
            // A name from a damaged line can be one that the system does not allow.
            Err(error) if matches!(error.kind(), K::InvalidFilename | K::InvalidInput) => {
                copy(copy_name(number, None))
            }
            copied => copied,
        }
    }
}

/// `7-letter.txt`, or `7` if the name is unknown.
fn copy_name(number: u64, path: Option<&Path>) -> OsString {
    let mut name = OsString::from(number.to_string());
    let file = path.and_then(Path::file_name);
    if let Some(file) = file.filter(|file| file.len() <= LONGEST_NAME) {
        name.push("-");
        name.push(file);
    }
    name
}
