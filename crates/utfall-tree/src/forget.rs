//! Removes the originals of runs, on request or because they are old.

use std::fs;
use std::io;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use crate::journal;
use crate::undo::Run;

/// Seconds per day.
const DAY: u64 = 24 * 60 * 60;

/// A run that is older than the retention period.
#[derive(Debug)]
#[non_exhaustive]
pub struct Expired {
    /// The number of the run.
    pub run: u64,
    /// The number of its originals.
    pub originals: u64,
    /// The total size of its originals in bytes.
    pub bytes: u64,
    /// The age of the run in days.
    pub days: u64,
    /// The result.
    pub end: Expiry,
}

/// The result for an old run.
#[derive(Debug)]
#[non_exhaustive]
pub enum Expiry {
    /// Its originals were removed.
    Removed,
    /// Its originals remain, because its journal is damaged.
    Damaged,
    /// Its originals remain, because the run was undone only in part, or was interrupted.
    Partial,
    /// Removing its originals failed with this error; some may remain.
    Failed(io::Error),
}

impl Run {
    /// Removes the originals, so that the run can no longer be undone. Its journal remains, so that
    /// its files are not converted again, unless the journal is damaged.
    ///
    /// # Errors
    /// Returns an error if the run is still in progress, or if something cannot be removed.
    pub fn forget(&self) -> io::Result<()> {
        let lock = self.lock()?;
        if !self.damage().is_empty() {
            // Windows does not remove directories that contain open files.
            let _lock = Some(lock).filter(|_| !cfg!(windows));
            return fs::remove_dir_all(&self.folder);
        }
        if self.records.is_empty() {
            return self.remove(lock);
        }
        // From here on, the run counts as forgotten. If removal fails, `expire` removes the rest.
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

/// Forgets all runs that began at least `days` days ago, and lists them. Runs that are damaged or
/// were undone in part remain, but are listed. Runs in progress remain and are not listed.
///
/// # Errors
/// Returns an error if the directory of the runs cannot be read.
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
        // Without its first line, the journal does not have the time.
        let began = match &run.about {
            Some(about) => about.time,
            None => modified(&run.folder),
        };
        let age = now.saturating_sub(began) / DAY;
        if age < days || run.lock().is_err() {
            continue;
        }
        let bytes = run.bytes();
        let end = match () {
            () if !run.damage().is_empty() => Expiry::Damaged,
            () if run.originals.len() < run.records.len() => Expiry::Partial,
            () => run.forget().map_or_else(Expiry::Failed, |()| Expiry::Removed),
        };
        expired.push(Expired { run: number, originals: run.originals(), bytes, days: age, end });
    }
    Ok(expired)
}

fn modified(path: &Path) -> u64 {
    let modified = fs::metadata(path).and_then(|metadata| metadata.modified()).ok();
    let since = modified.and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    since.map_or(0, |since| since.as_secs())
}
