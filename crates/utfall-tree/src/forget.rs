//! Runs whose originals are removed, since somebody asked for it or they are old.

use std::fs;
use std::io;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use crate::journal;
use crate::undo::Run;

/// Seconds of a day.
const DAY: u64 = 24 * 60 * 60;

/// What has become of a run that is older than it is to be kept.
#[derive(Debug)]
#[non_exhaustive]
pub struct Expired {
    /// The number of the run.
    pub run: u64,
    /// How many originals it had.
    pub originals: u64,
    /// How many octets these had.
    pub octets: u64,
    /// How many days ago it began.
    pub days: u64,
    /// What was done.
    pub end: Expiry,
}

/// What was done with a run that is older than it is to be kept.
#[derive(Debug)]
#[non_exhaustive]
pub enum Expiry {
    /// Its originals were removed.
    Removed,
    /// It stays, because its journal is damaged.
    Damaged,
    /// It stays, because it was undone only in part, or was cut short.
    Partial,
    /// It stays, since something could not be removed.
    Failed(io::Error),
}

impl Run {
    /// Removes the originals, so that it cannot be undone any more. What it made is still known, so
    /// that it is not converted again, unless the journal is damaged.
    ///
    /// # Errors
    /// The run goes on still, or something cannot be removed.
    pub fn forget(&self) -> io::Result<()> {
        let lock = self.lock()?;
        if !self.damage().is_empty() {
            // Windows removes no folder with a file that is open.
            let _lock = Some(lock).filter(|_| !cfg!(windows));
            return fs::remove_dir_all(&self.folder);
        }
        if self.records.is_empty() {
            return self.remove(lock);
        }
        // From here on, it is a run that is forgotten, and originals that are left are removed with
        // the next one.
        let forgotten = journal::forgotten_path(&self.folder);
        fs::rename(journal::journal_path(&self.folder), forgotten)?;
        remove_originals(&self.folder)
    }
}

fn remove_originals(run: &Path) -> io::Result<()> {
    let inside = journal::look_inside(run)?;
    for number in inside.originals {
        fs::remove_file(journal::saved_path(run, number))?;
    }
    inside.unfinished.iter().try_for_each(fs::remove_file)
}

/// Forgets all runs that began more than so many days ago, and tells which. Those that are damaged,
/// or were undone in part, stay and are told, too; those that go on stay.
///
/// # Errors
/// The folder of the runs cannot be read.
pub fn expire(state: &Path, days: u64) -> io::Result<Vec<Expired>> {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let folder = journal::runs_folder(state);
    let mut expired = Vec::new();
    for number in journal::numbers(&folder)?.0 {
        let run = Run::read(&folder, number);
        if run.is_forgotten {
            if !run.originals.is_empty() {
                remove_originals(&run.folder)?;
            }
            continue;
        }
        // Without a first line, the journal does not tell.
        let began = match &run.about {
            Some(about) => about.time,
            None => modified(&run.folder),
        };
        let age = now.saturating_sub(began) / DAY;
        if age < days || run.lock().is_err() {
            continue;
        }
        let octets = run.octets();
        let end = match () {
            () if !run.damage().is_empty() => Expiry::Damaged,
            () if run.originals.len() < run.records.len() => Expiry::Partial,
            () => run.forget().map_or_else(Expiry::Failed, |()| Expiry::Removed),
        };
        expired.push(Expired { run: number, originals: run.originals(), octets, days: age, end });
    }
    Ok(expired)
}

fn modified(path: &Path) -> u64 {
    let modified = fs::metadata(path).and_then(|metadata| metadata.modified()).ok();
    let since = modified.and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    since.map_or(0, |since| since.as_secs())
}
