//! Originals of a run whose journal is damaged.

use std::collections::HashMap;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::backup;
use crate::undo::{End, Later, Run, Undone};

/// Where names are longer, there may be no space for a number before them.
const LONGEST_NAME: usize = 200;

/// An original that was kept, and what has become of it.
#[derive(Debug)]
#[non_exhaustive]
pub struct Original {
    /// Its number, which is its name.
    pub number: u64,
    /// Its length.
    pub octets: u64,
    /// The file that it was, as the journal says.
    pub path: Option<PathBuf>,
    /// The file that it was if a damaged line is right. Nothing is restored because of this.
    pub perhaps: Option<PathBuf>,
    /// What has become of that file; `None` if nobody knows which it is.
    pub undone: Option<Undone>,
    /// Where it has been copied, or why it could not be.
    pub copied: Option<io::Result<PathBuf>>,
}

impl Original {
    /// Whether the file is as it was, or there is a copy.
    #[must_use]
    pub fn is_safe(&self) -> bool {
        matches!(self.undone, Some(Undone::Restored | Undone::AsBefore))
            || matches!(self.copied, Some(Ok(_)))
    }
}

impl Run {
    /// Restores what the journal names as [`undo`](Self::undo) does, copies all other originals to
    /// the folder `to`, if there is one, and tells of each original. Nothing is overwritten. If no
    /// original is left, the run is removed.
    ///
    /// # Errors
    /// The run goes on still, a newer version wrote it, or its folder cannot be read.
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
            let octets = self.length_of(*number);
            let undone = record.map(|record| {
                let path = record.path.path();
                self.undo_file(record, &path, &mut later, dry_run)
                    .unwrap_or_else(|error| Undone::Failed(self.saved(*number), error))
            });
            let perhaps = self.hints.get(number).filter(|_| path.is_none()).cloned();
            let mut original =
                Original { number: *number, octets, path, perhaps, undone, copied: None };
            if let Some(to) = to.filter(|_| !dry_run && !original.is_safe()) {
                let name = original.path.as_deref().or(original.perhaps.as_deref());
                let to = to.join(copy_name(*number, name));
                original.copied = Some(backup::copy(&self.saved(*number), &to).map(|()| to));
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
}

/// `7-letter.txt`, or `7` if the name is not known.
fn copy_name(number: u64, path: Option<&Path>) -> OsString {
    let mut name = OsString::from(number.to_string());
    let file = path.and_then(Path::file_name);
    if let Some(file) = file.filter(|file| file.len() <= LONGEST_NAME) {
        name.push("-");
        name.push(file);
    }
    name
}
