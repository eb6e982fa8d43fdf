//! Runs, and how they are undone.

use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use crate::digest;
use crate::journal::{self, About, Record};
use crate::replace::{self, Keep, Replacement};
use crate::{backup, same_file};

/// A run that can be undone.
#[derive(Debug)]
pub struct Run {
    number: u64,
    folder: PathBuf,
    about: Option<About>,
    records: Vec<Record>,
}

/// What has become of a file.
#[derive(Debug)]
pub enum Undone {
    /// It is what it was before the run.
    Restored,
    /// It has been all along, or since it was undone before.
    AsBefore,
    /// It is not what the run wrote, so it is left alone; the old text is here.
    Changed(PathBuf),
    /// It is not there any more; the old text is here.
    Gone(PathBuf),
    /// It cannot be restored; the old text is here.
    Failed(PathBuf, io::Error),
}

/// All runs in a folder of state, the oldest first.
///
/// # Errors
/// A journal cannot be read.
pub fn runs(state: &Path) -> io::Result<Vec<Run>> {
    let folder = journal::runs_folder(state);
    journal::numbers(&folder)?.into_iter().map(|number| Run::read(&folder, number)).collect()
}

impl Run {
    fn read(runs: &Path, number: u64) -> io::Result<Self> {
        let folder = runs.join(number.to_string());
        let (about, records) = journal::read(&folder)?;
        Ok(Self { number, folder, about, records })
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

    /// How many octets the old texts have.
    #[must_use]
    pub fn octets(&self) -> u64 {
        let saved = self.records.iter().map(|record| self.saved(record));
        saved.filter_map(|path| fs::metadata(path).ok()).map(|metadata| metadata.len()).sum()
    }

    /// Undoes it, and tells what has become of each file. The run is forgotten, unless something
    /// was left alone. With `dry_run`, only tells.
    ///
    /// # Errors
    /// The run goes on still, or cannot be forgotten.
    pub fn undo(&self, dry_run: bool, mut tell: impl FnMut(&Path, Undone)) -> io::Result<()> {
        let lock = self.lock()?;
        let mut is_whole = true;
        for record in &self.records {
            let path = record.path.path();
            let undone = self
                .undo_file(record, &path, dry_run)
                .unwrap_or_else(|error| Undone::Failed(self.saved(record), error));
            is_whole &= matches!(undone, Undone::Restored | Undone::AsBefore);
            tell(&path, undone);
        }
        if is_whole && !dry_run { self.remove(lock) } else { Ok(()) }
    }

    /// Removes the old texts: the run cannot be undone any more.
    ///
    /// # Errors
    /// The run goes on still, or something cannot be removed.
    pub fn forget(&self) -> io::Result<()> {
        let lock = self.lock()?;
        self.remove(lock)
    }

    fn remove(&self, lock: File) -> io::Result<()> {
        // Windows removes no folder with a file that is open.
        let _lock = Some(lock).filter(|_| !cfg!(windows));
        fs::remove_dir_all(&self.folder)
    }

    fn saved(&self, record: &Record) -> PathBuf {
        journal::saved_path(&self.folder, record.number)
    }

    fn lock(&self) -> io::Result<File> {
        let goes_on = || io::Error::new(ErrorKind::WouldBlock, "the run goes on still");
        journal::lock(&self.folder)?.ok_or_else(goes_on)
    }

    fn undo_file(&self, record: &Record, path: &Path, dry_run: bool) -> io::Result<Undone> {
        let saved = self.saved(record);
        let (before, id) = match fs::symlink_metadata(path) {
            Ok(metadata) if metadata.is_file() => (metadata, same_file::id_of_path(path)),
            Ok(_) => return Ok(Undone::Changed(saved)),
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Undone::Gone(saved)),
            Err(error) => return Err(error),
        };
        let remains = match fs::symlink_metadata(&saved) {
            Ok(_) => true,
            Err(error) if error.kind() == ErrorKind::NotFound => false,
            Err(error) => return Err(error),
        };
        let is_written = record.digest() == Some(digest::of_file(path)?);
        match (remains, is_written) {
            // Moved back before.
            (false, false) => return Ok(Undone::AsBefore),
            (false, true) => {
                return Err(io::Error::new(ErrorKind::NotFound, "the old text is not there"));
            }
            _ => {}
        }
        // The run, or an undo of it, was cut short.
        let is_saved = id == same_file::id_of_path(&saved);
        if is_saved || !is_written {
            if !is_saved && !backup::is_same(path, &saved)? {
                return Ok(Undone::Changed(saved));
            }
            if !dry_run {
                fs::remove_file(&saved)?;
            }
            return Ok(Undone::AsBefore);
        }
        // While it was read, too.
        if !replace::is_as_it_was(path, &before)? {
            return Ok(Undone::Changed(saved));
        }
        if !dry_run {
            restore(&saved, path)?;
        }
        Ok(Undone::Restored)
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
    new.finish(Keep::default())?;
    fs::remove_file(saved)
}
