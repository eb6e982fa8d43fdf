//! Temporary files being written, tracked so that all of them can be removed when the process is
//! asked to terminate.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io;
use std::ops::{Deref, DerefMut};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard};

use tempfile::NamedTempFile;

/// Held shared to create or rename such a file; held exclusively, forever, by
/// [`remove_unfinished`].
static GATE: RwLock<()> = RwLock::new(());
static PATHS: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// Removes every temporary file that this process is writing and has not renamed yet.
///
/// For a process that was asked to terminate: afterwards, any thread that tries to begin or finish
/// such a file blocks until the process exits.
pub fn remove_unfinished() {
    let gate = GATE.write().unwrap_or_else(PoisonError::into_inner);
    for path in paths().iter() {
        // The next run removes what cannot be removed now.
        _ = fs::remove_file(path);
    }
    std::mem::forget(gate);
}

/// A file that is removed when it is dropped, or when the process is asked to terminate.
#[derive(Debug)]
pub(crate) struct Unfinished {
    // Dropped in this order: removed first, then unregistered.
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

    /// Removes the file, and reports errors.
    pub(crate) fn remove(self) -> io::Result<()> {
        let _gate = pass();
        self.file.close()
    }

    /// Renames the file, replacing an existing one.
    pub(crate) fn persist(self, to: &Path) -> io::Result<File> {
        let _gate = pass();
        self.file.persist(to).map_err(|failed| failed.error)
    }

    /// Renames the file, unless another file has that name.
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
