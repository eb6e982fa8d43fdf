//! Runs, and how they are undone.

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
    /// What damaged lines seem to say.
    pub(crate) hints: HashMap<u64, PathBuf>,
    damage: Vec<Damage>,
    /// The numbers of the originals that are there.
    pub(crate) originals: Vec<u64>,
    pub(crate) is_forgotten: bool,
}

/// What has become of a file.
#[derive(Debug)]
#[non_exhaustive]
pub enum Undone {
    /// It is what it was before the run.
    Restored,
    /// It has been all along, or since it was undone before.
    AsBefore,
    /// It is not what the run wrote, so it is left alone.
    Changed {
        /// Where the original is.
        original: PathBuf,
        /// The later run that wrote what is there now. Undo that one first.
        by: Option<u64>,
    },
    /// It is not there any more; the original is here.
    Gone(PathBuf),
    /// It cannot be restored; the original is here.
    Failed(PathBuf, io::Error),
}

/// How an undo has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Everything is as it was before the run, and nothing is left of it.
    Gone,
    /// Originals are left, or the journal is damaged: the run is still there.
    Stays,
}

/// The runs in a folder of state that can be undone, or are damaged, the oldest first; and what else
/// is in their folder, which is none.
///
/// # Errors
/// The folder cannot be read.
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
        // First what is there, since a run that goes on writes the lines before that.
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
                    // Those of a run that has been forgotten are about to be removed.
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

    /// Its number.
    #[must_use]
    pub fn number(&self) -> u64 {
        self.number
    }

    /// When it began, in seconds since 1970; 0 if that is not known.
    #[must_use]
    pub fn time(&self) -> u64 {
        self.about.as_ref().map_or(0, |about| about.time)
    }

    /// The folder it was begun in.
    #[must_use]
    pub fn begun_in(&self) -> PathBuf {
        self.about.as_ref().map(|about| about.folder.path()).unwrap_or_default()
    }

    /// The encoding that it converted to.
    #[must_use]
    pub fn to(&self) -> &str {
        self.about.as_ref().map_or("", |about| &about.to)
    }

    /// The files that it replaced, or was about to when it was cut short.
    pub fn files(&self) -> impl Iterator<Item = PathBuf> {
        self.records.iter().map(|record| record.path.path())
    }

    /// How many originals are kept.
    #[must_use]
    pub fn originals(&self) -> u64 {
        self.originals.len() as u64
    }

    /// How many octets the originals have.
    #[must_use]
    pub fn octets(&self) -> u64 {
        self.originals.iter().map(|number| self.length_of(*number)).sum()
    }

    pub(crate) fn length_of(&self, number: u64) -> u64 {
        fs::symlink_metadata(self.saved(number)).map_or(0, |metadata| metadata.len())
    }

    /// What is wrong with it: nothing, if it can be undone as a whole.
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

    /// Undoes it, and tells what has become of each file. `runs` are all that there are. When everything is as before, the run is removed; else it stays, and so do the
    /// originals that are left. With `dry_run`, only tells.
    ///
    /// # Errors
    /// The run goes on still, or it cannot be removed.
    pub fn undo(
        &self,
        runs: &[Self],
        dry_run: bool,
        mut tell: impl FnMut(&Path, Undone),
    ) -> io::Result<End> {
        let lock = self.lock()?;
        let mut later = Later { runs, after: self.number, index: None };
        let mut all = Vec::with_capacity(self.records.len());
        // From the last one, since the same file may have been replaced twice.
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

    /// Removes what is left when no original is: unfinished copies, the journal, the folder. If there
    /// is anything else, that fails.
    pub(crate) fn remove(&self, lock: File) -> io::Result<()> {
        for path in journal::look_inside(&self.folder)?.unfinished {
            fs::remove_file(path)?;
        }
        remove_if_there(&journal::journal_path(&self.folder))?;
        remove_if_there(&journal::forgotten_path(&self.folder))?;
        // Windows removes no folder with a file that is open.
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
            // The run had not come to it, or it was restored: what became of it then is not ours.
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
            // Moved back before.
            (false, false) => return Ok(Undone::AsBefore),
            (false, true) => {
                return Err(io::Error::new(ErrorKind::NotFound, "the original is missing"));
            }
            _ => {}
        }
        // The run, or an undo of it, was cut short.
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
        // While it was read, too.
        if !replace::is_as_it_was(path, &before)? {
            return Ok(Undone::Changed { original: saved, by: None });
        }
        if !dry_run {
            restore(&saved, path)?;
        }
        Ok(Undone::Restored)
    }
}

/// What later runs wrote, asked for only if a file is not what the run wrote.
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

/// Lets the old file, with its owner, permissions and times, take its place again.
fn restore(saved: &Path, path: &Path) -> io::Result<()> {
    match fs::rename(saved, path) {
        Err(error) if error.kind() == ErrorKind::CrossesDevices => {}
        result => return result,
    }
    let (mut old, mut new) = (File::open(saved)?, Replacement::of(path)?);
    io::copy(&mut old, new.file())?;
    new.take_over(saved)?;
    replace::set_times(new.file(), &old.metadata()?)?;
    // The original goes after this; the copy is to survive a power cut as it would have.
    new.finish(Keep { sync: true, ..Keep::default() })?;
    fs::remove_file(saved)
}
