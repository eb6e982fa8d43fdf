//! Recorded runs, and how to undo them.

use std::collections::{HashMap, HashSet};
use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use crate::digest::{self, Digest};
use crate::journal::{self, Inside};
use crate::line::{self, About, Damage, Record};
use crate::locks::Locks;
use crate::replace::{self, Keep, Replacement};
use crate::{backup, same_file};

/// A run that can be undone.
#[derive(Debug)]
pub struct Run {
    number: u64,
    pub(crate) folder: PathBuf,
    pub(crate) about: Option<About>,
    pub(crate) records: Vec<Record>,
    /// The apparent content of damaged lines.
    pub(crate) hints: HashMap<u64, PathBuf>,
    damage: Vec<Damage>,
    /// The numbers of the originals that exist.
    pub(crate) originals: Vec<u64>,
    pub(crate) is_forgotten: bool,
}

/// The result of an undo for a file.
#[derive(Debug)]
#[non_exhaustive]
pub enum Undone {
    /// It was restored to its state before the run.
    Restored,
    /// It already was in its state before the run.
    AsBefore,
    /// It is not what the run wrote, so it is skipped.
    Changed {
        /// The path of the original.
        original: PathBuf,
        /// The later run that wrote the current file. Undo that run first.
        by: Option<u64>,
    },
    /// The file no longer exists; the original is at this path.
    Gone(PathBuf),
    /// It could not be restored; the original is at this path.
    Failed(PathBuf, io::Error),
}

/// The result of an undo.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Everything is as before the run, and the run was removed.
    Gone,
    /// The run remains, because it has originals left or its journal is damaged.
    Stays,
}

/// Lists the runs in a state directory that can be undone or are damaged, oldest first. Also
/// returns the other entries of their directory.
///
/// # Errors
/// Returns an error if the directory cannot be read.
pub fn runs(state: &Path) -> io::Result<(Vec<Run>, Vec<PathBuf>)> {
    let folder = journal::runs_folder(state);
    let (numbers, others) = journal::numbers(&folder)?;
    let runs = numbers.into_iter().map(|number| Run::read(&folder, number));
    let is_kept = |run: &Run| !run.is_forgotten || !run.damage.is_empty();
    Ok((runs.filter(is_kept).collect(), others))
}

impl Run {
    pub(crate) fn read(runs: &Path, number: u64) -> Self {
        let folder = runs.join(number.to_string());
        // Look at the files first: a run in progress writes the lines before the files.
        let inside = journal::look_inside(&folder);
        let mut journal = line::read(&journal::journal_path(&folder));
        let is_forgotten = journal.is_missing && journal::forgotten_path(&folder).exists();
        if is_forgotten {
            journal = line::read(&journal::forgotten_path(&folder));
        }
        let mut damage = journal.damage;
        let originals = match inside {
            Ok(Inside { originals, foreign, .. }) => {
                let named: HashSet<_> =
                    journal.records.iter().map(|record| record.number).collect();
                let unnamed = originals.iter().filter(|number| !named.contains(number)).count();
                match (unnamed as u64, journal.is_missing, journal.has_begun) {
                    // Those of a forgotten run are about to be removed.
                    _ if is_forgotten => {}
                    (0, ..) => {}
                    (_, true, _) => damage.push(Damage::NoJournal),
                    (_, _, false) => damage.push(Damage::Empty),
                    (unnamed, ..) => damage.push(Damage::Unnamed(unnamed)),
                }
                damage.extend(foreign.into_iter().map(Damage::Foreign));
                originals
            }
            Err(error) => {
                damage.push(Damage::Unreadable(error.to_string()));
                Vec::new()
            }
        };
        Self {
            number,
            folder,
            about: journal.about,
            records: journal.records,
            hints: journal.hints.into_iter().collect(),
            damage,
            originals,
            is_forgotten,
        }
    }

    /// The number of the run.
    #[must_use]
    pub fn number(&self) -> u64 {
        self.number
    }

    /// The start time, in seconds since 1970; 0 if unknown.
    #[must_use]
    pub fn time(&self) -> u64 {
        self.about.as_ref().map_or(0, |about| about.time)
    }

    /// The working directory in which the run was started.
    #[must_use]
    pub fn begun_in(&self) -> PathBuf {
        self.about.as_ref().map(|about| about.folder.path()).unwrap_or_default()
    }

    /// The target encoding of the run.
    #[must_use]
    pub fn to(&self) -> &str {
        self.about.as_ref().map_or("", |about| &about.to)
    }

    /// The files that the run replaced, or was about to replace when it was interrupted.
    pub fn files(&self) -> impl Iterator<Item = PathBuf> {
        self.records.iter().map(|record| record.path.path())
    }

    /// The number of saved originals.
    #[must_use]
    pub fn originals(&self) -> u64 {
        self.originals.len() as u64
    }

    /// The total size of the originals in bytes.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.originals.iter().map(|number| self.length_of(*number)).sum()
    }

    pub(crate) fn length_of(&self, number: u64) -> u64 {
        fs::symlink_metadata(self.saved(number)).map_or(0, |metadata| metadata.len())
    }

    /// The damage to the run's records; empty if it can be undone completely.
    #[must_use]
    pub fn damage(&self) -> &[Damage] {
        &self.damage
    }

    /// The version of the journal, if a later version of this library wrote it.
    #[must_use]
    pub fn newer_version(&self) -> Option<u32> {
        self.damage.iter().find_map(|damage| match damage {
            Damage::Newer(version) => Some(*version),
            _ => None,
        })
    }

    /// Undoes the run. Calls `tell` for each file. `runs` must be the list of all runs. If
    /// everything is as before, the run is removed; otherwise it remains, with the other originals.
    /// With `dry_run`, only reports.
    ///
    /// # Errors
    /// Returns an error if the run is still in progress, or if it cannot be removed.
    pub fn undo(
        &self,
        runs: &[Self],
        dry_run: bool,
        mut tell: impl FnMut(&Path, Undone),
    ) -> io::Result<End> {
        let lock = self.lock()?;
        let mut later = Later { runs, after: self.number, index: None };
        let mut all = Vec::with_capacity(self.records.len());
        // In reverse order, since the same file may have been replaced twice.
        for record in self.records.iter().rev() {
            let path = record.path.path();
            let undone = self
                .undo_file(record, &path, &mut later, dry_run)
                .unwrap_or_else(|error| Undone::Failed(self.saved(record.number), error));
            all.push((path, undone));
        }
        let mut is_whole = true;
        for (path, undone) in all.into_iter().rev() {
            is_whole &= matches!(undone, Undone::Restored | Undone::AsBefore);
            tell(&path, undone);
        }
        if !is_whole || !self.damage.is_empty() || dry_run {
            return Ok(End::Stays);
        }
        self.remove(lock)?;
        Ok(End::Gone)
    }

    /// Removes the rest of a run without originals: unfinished copies, the journal, the directory.
    /// Fails if there is anything else.
    pub(crate) fn remove(&self, lock: File) -> io::Result<()> {
        for path in journal::look_inside(&self.folder)?.unfinished {
            fs::remove_file(path)?;
        }
        remove_if_there(&journal::journal_path(&self.folder))?;
        remove_if_there(&journal::forgotten_path(&self.folder))?;
        // Windows does not remove directories that contain open files.
        let _lock = Some(lock).filter(|_| !cfg!(windows));
        remove_if_there(&journal::lock_path(&self.folder))?;
        fs::remove_dir(&self.folder)
    }

    pub(crate) fn saved(&self, number: u64) -> PathBuf {
        journal::saved_path(&self.folder, number)
    }

    pub(crate) fn lock(&self) -> io::Result<File> {
        let goes_on = || io::Error::new(ErrorKind::WouldBlock, "the run is still in progress");
        journal::lock(&self.folder)?.ok_or_else(goes_on)
    }

    pub(crate) fn undo_file(
        &self,
        record: &Record,
        path: &Path,
        later: &mut Later<'_>,
        dry_run: bool,
    ) -> io::Result<Undone> {
        if self.folder.ancestors().nth(2).is_some_and(|state| path.starts_with(state)) {
            let text = "it is in the state directory, where no run replaces files";
            return Err(io::Error::new(ErrorKind::InvalidData, text));
        }
        let saved = self.saved(record.number);
        let remains = match fs::symlink_metadata(&saved) {
            Ok(metadata) if metadata.is_file() => true,
            Ok(_) => {
                let text = "the original is not a regular file";
                return Err(io::Error::new(ErrorKind::InvalidData, text));
            }
            Err(error) if error.kind() == ErrorKind::NotFound => false,
            Err(error) => return Err(error),
        };
        let (before, id) = match fs::symlink_metadata(path) {
            Ok(metadata) if metadata.is_file() => (metadata, same_file::id_of_path(path)),
            Ok(_) if remains => return Ok(Undone::Changed { original: saved, by: None }),
            Err(error) if remains && error.kind() == ErrorKind::NotFound => {
                return Ok(Undone::Gone(saved));
            }
            // The run had not reached it, or it was restored: later changes are not the run's.
            Ok(_) => return Ok(Undone::AsBefore),
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Undone::AsBefore),
            Err(error) => return Err(error),
        };
        // Another run may be about to replace it.
        let locks = Locks::default();
        let _lock = if dry_run { None } else { locks.file(path)? };
        let digest = digest::of_file(path)?;
        let is_written = record.digest() == Some(digest);
        match (remains, is_written) {
            // Restored before.
            (false, false) => return Ok(Undone::AsBefore),
            (false, true) => {
                return Err(io::Error::new(ErrorKind::NotFound, "the original is missing"));
            }
            _ => {}
        }
        // The run, or an undo of it, was interrupted.
        let is_saved = id.is_some() && id == same_file::id_of_path(&saved);
        if is_saved || !is_written {
            if !is_saved && !backup::is_same(path, &saved)? {
                let by = later.run_that_wrote(path, digest);
                return Ok(Undone::Changed { original: saved, by });
            }
            if !dry_run {
                fs::remove_file(&saved)?;
            }
            return Ok(Undone::AsBefore);
        }
        // It may also have changed while it was read.
        if !replace::is_as_it_was(path, &before)? {
            return Ok(Undone::Changed { original: saved, by: None });
        }
        if !dry_run {
            restore(&saved, path)?;
        }
        Ok(Undone::Restored)
    }
}

/// The files written by later runs. Read only if a file is not what this run wrote.
pub(crate) struct Later<'r> {
    pub(crate) runs: &'r [Run],
    pub(crate) after: u64,
    pub(crate) index: Option<HashMap<PathBuf, Vec<(Digest, u64)>>>,
}

impl Later<'_> {
    fn run_that_wrote(&mut self, path: &Path, digest: Digest) -> Option<u64> {
        let index = self.index.get_or_insert_with(|| {
            let mut index = HashMap::<_, Vec<_>>::new();
            for run in self.runs.iter().filter(|run| run.number > self.after) {
                for record in &run.records {
                    let made = record.digest().map(|digest| (digest, run.number));
                    index.entry(record.path.path()).or_default().extend(made);
                }
            }
            index
        });
        let made = index.get(path)?.iter().rev().find(|(made, _)| *made == digest)?;
        Some(made.1)
    }
}

fn remove_if_there(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        result => result,
    }
}

/// Moves the original back, with its owner, permissions and times.
fn restore(saved: &Path, path: &Path) -> io::Result<()> {
    match fs::rename(saved, path) {
        Err(error) if error.kind() == ErrorKind::CrossesDevices => {}
        result => return result,
    }
    let (mut old, mut new) = (File::open(saved)?, Replacement::of(path)?);
    io::copy(&mut old, new.file())?;
    new.take_over(saved)?;
    replace::set_times(new.file(), &old.metadata()?)?;
    // The original is removed next, so the copy must survive a power cut, as the original would
    // have.
    new.finish(Keep { sync: true, ..Keep::default() })?;
    fs::remove_file(saved)
}
