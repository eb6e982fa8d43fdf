//! Files that are being written under temporary names, so that all of them can be removed when the
//! process is told to end.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io;
use std::ops::{Deref, DerefMut};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard};

use tempfile::NamedTempFile;

/// Read by whoever creates or renames such a file; written, for good, by [`remove_unfinished`].
static GATE: RwLock<()> = RwLock::new(());
static PATHS: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// Removes every file that this process is writing and that has not taken its target's place yet.
///
/// This is for a process that has been told to end: from then on, a thread that wants to begin or
/// finish such a file waits until the process is gone.
pub fn remove_unfinished() {
    let gate = GATE.write().unwrap_or_else(PoisonError::into_inner);
    for path in paths().iter() {
        // What cannot be removed is removed by the next run.
        _ = fs::remove_file(path);
    }
    std::mem::forget(gate);
}

/// A file that is removed when it is dropped, or when the process is told to end.
#[derive(Debug)]
pub(crate) struct Unfinished {
    // Dropped in this order: removed, then forgotten.
    file: NamedTempFile,
    _entry: Entry,
}

impl Unfinished {
    pub(crate) fn create(make: impl FnOnce() -> io::Result<NamedTempFile>) -> io::Result<Self> {
        let _gate = pass();
        let file = make()?;
        let entry = Entry(file.path().to_path_buf());
        paths().insert(entry.0.clone());
        Ok(Self { file, _entry: entry })
    }

    /// Removes it, and tells if that fails.
    pub(crate) fn remove(self) -> io::Result<()> {
        let _gate = pass();
        self.file.close()
    }

    /// Gives it its final name, which another file may have had.
    pub(crate) fn persist(self, to: &Path) -> io::Result<File> {
        let _gate = pass();
        self.file.persist(to).map_err(|failed| failed.error)
    }

    /// Gives it its final name, unless another file has that.
    pub(crate) fn persist_noclobber(self, to: &Path) -> io::Result<()> {
        let _gate = pass();
        self.file.persist_noclobber(to).map(drop).map_err(|failed| failed.error)
    }
}

impl Deref for Unfinished {
    type Target = NamedTempFile;

    fn deref(&self) -> &NamedTempFile {
        &self.file
    }
}

impl DerefMut for Unfinished {
    fn deref_mut(&mut self) -> &mut NamedTempFile {
        &mut self.file
    }
}

/// An element of [`PATHS`].
#[derive(Debug)]
struct Entry(PathBuf);

impl Drop for Entry {
    fn drop(&mut self) {
        paths().remove(&self.0);
    }
}

fn pass() -> RwLockReadGuard<'static, ()> {
    GATE.read().unwrap_or_else(PoisonError::into_inner)
}

fn paths() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    PATHS.lock().unwrap_or_else(PoisonError::into_inner)
}
