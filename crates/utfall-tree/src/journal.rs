//! Keeps the originals that a run replaces, and records them, so that the run can be undone.
//!
//! A run has a directory, `undo/N` in the state directory, with a journal, and with the originals,
//! which are named by number. For each batch of files, in this order:
//!
//! 1. The journal gets a line for each file, and is synced to disk.
//! 2. The originals get their second names in the directory. Copies are synced to disk, and so is
//!    everything if all must survive a power cut.
//! 3. The new files replace the originals.
//!
//! So wherever a run is interrupted, each saved original has its line, and a file without a line is
//! untouched.

use std::fmt;
use std::fs::{self, DirBuilder, File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use crate::backup::{self, How};
use crate::digest::{self, Digest};
use crate::line::{self, About, Line, Name, Record, VERSION};
use crate::replace::{self, sync_folder};

const JOURNAL: &str = "journal.jsonl";
/// The name of the journal after the originals have been removed.
const FORGOTTEN: &str = "forgotten.jsonl";
const LOCK: &str = "lock";

/// The directory of the runs in a state directory.
pub(crate) fn runs_folder(state: &Path) -> PathBuf {
    state.join("undo")
}

pub(crate) fn journal_path(run: &Path) -> PathBuf {
    run.join(JOURNAL)
}

pub(crate) fn forgotten_path(run: &Path) -> PathBuf {
    run.join(FORGOTTEN)
}

pub(crate) fn lock_path(run: &Path) -> PathBuf {
    run.join(LOCK)
}

/// A lock that is held while a run is in progress. It is separate from the journal, which nobody
/// could read where locks are mandatory.
pub(crate) fn lock(run: &Path) -> io::Result<Option<File>> {
    let path = lock_path(run);
    // Opening a pipe would block, and following a link could create a file elsewhere.
    if fs::symlink_metadata(&path).is_ok_and(|metadata| !metadata.is_file()) {
        return Err(io::Error::new(ErrorKind::InvalidData, "its lock is not a regular file"));
    }
    let file = OpenOptions::new().write(true).create(true).truncate(false).open(path)?;
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => Ok(None),
        // Without locks, nothing prevents another process from undoing the run before it ends.
        Ok(()) | Err(TryLockError::Error(_)) => Ok(Some(file)),
    }
}

pub(crate) fn saved_path(run: &Path, number: u64) -> PathBuf {
    run.join(number.to_string())
}

/// The journal of a run in progress. Nothing is written before the first file is saved.
pub struct Journal {
    state: PathBuf,
    to: String,
    sync: bool,
    open: Mutex<Option<Open>>,
}

impl fmt::Debug for Journal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Journal")
            .field("state", &self.state)
            .field("to", &self.to)
            .finish_non_exhaustive()
    }
}

/// The originals that a run has saved so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Kept {
    /// The number of the run.
    pub run: u64,
    /// The number of originals.
    pub files: u64,
    /// Their total size in bytes.
    pub bytes: u64,
}

/// A file about to be replaced by a text with this digest.
pub(crate) struct Entry<'e> {
    /// Absolute, and not a symbolic link.
    pub(crate) path: &'e Path,
    pub(crate) digest: Digest,
    /// The name of its encoding.
    pub(crate) from: &'e str,
}

struct Open {
    folder: PathBuf,
    file: Arc<File>,
    /// Prevents other processes from undoing the run while it is in progress.
    _lock: Option<File>,
    /// Offset of the next line.
    end: u64,
    /// The number of the last file.
    last: u64,
    kept: Kept,
}

impl Journal {
    /// Creates a journal in a state directory, which is created if necessary. Each line is on the
    /// disk before its file is replaced; with `sync`, so are the names of the originals.
    #[must_use]
    pub fn new(state: &Path, to: &str, sync: bool) -> Self {
        Self { state: state.into(), to: to.into(), sync, open: Mutex::new(None) }
    }

    /// Checks that originals can be saved, before any work that might be in vain. Leaves nothing on
    /// the disk.
    ///
    /// # Errors
    /// Returns an error if the state directory cannot be created, or is not writable.
    pub fn prepare(&self) -> io::Result<()> {
        let runs = runs_folder(&self.state);
        next_number(&runs)?;
        let existing = runs.ancestors().find(|folder| folder.exists());
        replace::create(existing.unwrap_or(Path::new(".")), true)?.remove()
    }

    /// The originals saved so far; `None` if there is nothing to undo.
    #[must_use]
    pub fn kept(&self) -> Option<Kept> {
        self.lock().as_ref().map(|open| open.kept)
    }

    fn lock(&self) -> MutexGuard<'_, Option<Open>> {
        // After a panic in another thread, the file still has whole lines: see `append`.
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Saves the file at `path`, in the encoding named `from`, which is about to be replaced by the
    /// content of `new`. For callers that write the new file themselves.
    ///
    /// # Errors
    /// Returns an error if the new text cannot be read, or if the original cannot be saved.
    pub fn keep_for(&self, path: &Path, new: impl Read, from: &str) -> io::Result<()> {
        // The path must be valid from any directory.
        let path = &fs::canonicalize(path)?;
        let entry = Entry { path, digest: digest::of_reader(new)?, from };
        self.keep(&[entry]).pop().unwrap_or(Ok(()))
    }

    /// Saves files that are about to be replaced. Returns a result for each.
    pub(crate) fn keep(&self, entries: &[Entry<'_>]) -> Vec<io::Result<()>> {
        if entries.is_empty() {
            return Vec::new();
        }
        if let Err(error) = self.begin() {
            return entries.iter().map(|_| Err(again(&error))).collect();
        }
        let kept = self.record(entries).and_then(|(folder, numbers)| {
            let kept: Vec<_> = entries
                .iter()
                .zip(numbers)
                .map(|(entry, number)| keep_one(entry.path, &saved_path(&folder, number)))
                .collect();
            let is_copied = kept.iter().any(|kept| matches!(kept, Ok((How::Copied, _))));
            if self.sync || is_copied {
                sync_folder(&folder)?;
            }
            Ok(kept)
        });
        match kept {
            Ok(kept) => {
                let mut open = self.lock();
                let mut count = |(_, bytes)| {
                    if let Some(open) = &mut *open {
                        open.kept.files += 1;
                        open.kept.bytes += bytes;
                    }
                };
                kept.into_iter().map(|kept| kept.map(&mut count)).collect()
            }
            Err(error) if entries.len() == 1 => vec![Err(error)],
            // Fewer lines may still fit.
            Err(_) => {
                let (first, rest) = entries.split_at(entries.len() / 2);
                let mut kept = self.keep(first);
                kept.extend(self.keep(rest));
                kept
            }
        }
    }

    fn begin(&self) -> io::Result<()> {
        let mut open = self.lock();
        if open.is_none() {
            *open = Some(Open::new(&self.state, &self.to)?);
        }
        Ok(())
    }

    /// Writes a line for each file and syncs the journal. Returns the directory of the run, and the
    /// numbers of the files.
    fn record(&self, entries: &[Entry<'_>]) -> io::Result<(PathBuf, Vec<u64>)> {
        let (folder, file, numbers) = {
            let mut open = self.lock();
            let Some(open) = &mut *open else { return Err(ErrorKind::NotFound.into()) };
            let (mut text, mut numbers) = (Vec::new(), Vec::new());
            for entry in entries {
                open.last += 1;
                numbers.push(open.last);
                let record = Record::new(open.last, entry.path, entry.digest, entry.from);
                text.extend(line::write(&Line::File(record))?);
            }
            open.append(&text)?;
            (open.folder.clone(), Arc::clone(&open.file), numbers)
        };
        // Without the lock, so that other threads need not wait.
        file.sync_data()?;
        Ok((folder, numbers))
    }
}

/// Saves an original. Returns how, and its length.
fn keep_one(path: &Path, saved: &Path) -> io::Result<(How, u64)> {
    let how = backup::link_or_copy(path, saved)?;
    if how == How::Copied {
        File::open(saved)?.sync_all()?;
    }
    Ok((how, fs::metadata(saved)?.len()))
}

/// Duplicates an error for another file.
fn again(error: &io::Error) -> io::Error {
    match error.raw_os_error() {
        Some(number) => io::Error::from_raw_os_error(number),
        None => io::Error::new(error.kind(), error.to_string()),
    }
}

impl Open {
    fn new(state: &Path, to: &str) -> io::Result<Self> {
        let runs = runs_folder(state);
        private_folder(&runs, true)?;
        let mut run = next_number(&runs)?;
        let folder = loop {
            let folder = runs.join(run.to_string());
            match private_folder(&folder, false) {
                // Another run is starting, too.
                Err(error) if error.kind() == ErrorKind::AlreadyExists => run += 1,
                result => break result.map(|()| folder)?,
            }
        };
        Self::begin(&folder, run, state, to).inspect_err(|_| {
            // Nothing has been saved.
            for path in [journal_path(&folder), lock_path(&folder)] {
                _ = fs::remove_file(path);
            }
            _ = fs::remove_dir(&folder);
        })
    }

    fn begin(folder: &Path, run: u64, state: &Path, to: &str) -> io::Result<Self> {
        let folder = folder.to_path_buf();
        let _lock = lock(&folder)?;
        let path = journal_path(&folder);
        let file = Arc::new(OpenOptions::new().write(true).create_new(true).open(path)?);
        let kept = Kept { run, files: 0, bytes: 0 };
        let mut open = Self { folder, file, _lock, end: 0, last: 0, kept };
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        open.append(&line::write(&Line::Run(About {
            version: VERSION,
            time: now.map_or(0, |since| since.as_secs()),
            folder: Name::new(&std::env::current_dir().unwrap_or_default()),
            to: to.into(),
        }))?)?;
        // Sync the names of the journal and its directories.
        for folder in [&open.folder, &runs_folder(state), state] {
            sync_folder(folder)?;
        }
        Ok(open)
    }

    /// Appends all lines or nothing.
    fn append(&mut self, text: &[u8]) -> io::Result<()> {
        let mut file = &*self.file;
        // Overwrite what a failed write may have left.
        file.seek(SeekFrom::Start(self.end))?;
        match file.write_all(text) {
            Ok(()) => self.end += text.len() as u64,
            Err(error) => {
                _ = file.set_len(self.end);
                return Err(error);
            }
        }
        Ok(())
    }
}

/// Accessible only to the user, since originals may be private.
fn private_folder(path: &Path, recursive: bool) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(recursive);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}

/// Parses the directory name of a run. Accepts only names that a run writes, and not the greatest
/// number, since there must be a next one.
fn number(name: &str) -> Option<u64> {
    let number = name.parse().ok().filter(|number| (1..u64::MAX).contains(number));
    number.filter(|number: &u64| number.to_string() == name)
}

fn next_number(runs: &Path) -> io::Result<u64> {
    let next = numbers(runs)?.0.last().map_or(1, |last| last + 1);
    match next {
        u64::MAX => Err(io::Error::other("no run numbers are left")),
        next => Ok(next),
    }
}

/// The numbers of the runs, sorted, and other entries of their directory.
pub(crate) fn numbers(runs: &Path) -> io::Result<(Vec<u64>, Vec<PathBuf>)> {
    let entries = match fs::read_dir(runs) {
        // Without a directory there are no runs.
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            return Ok(Default::default());
        }
        entries => entries?,
    };
    let (mut numbers, mut others) = (Vec::new(), Vec::new());
    for entry in entries {
        let entry = entry?;
        let name = entry.file_name();
        match name.to_str().and_then(number) {
            Some(number) if entry.file_type()?.is_dir() => numbers.push(number),
            // Created by `prepare`, which is about to remove it.
            _ if name.to_str().is_some_and(replace::is_temporary) => {}
            _ => others.push(entry.path()),
        }
    }
    numbers.sort_unstable();
    others.sort_unstable();
    Ok((numbers, others))
}

/// The content of a run's directory.
#[derive(Default)]
pub(crate) struct Inside {
    /// The numbers of the originals, sorted.
    pub(crate) originals: Vec<u64>,
    /// Copies that were not finished.
    pub(crate) unfinished: Vec<PathBuf>,
    /// Entries that no run creates.
    pub(crate) foreign: Vec<PathBuf>,
}

pub(crate) fn look_inside(run: &Path) -> io::Result<Inside> {
    let mut inside = Inside::default();
    for entry in fs::read_dir(run)? {
        let entry = entry?;
        let name = entry.file_name();
        let name = name.to_str().unwrap_or_default();
        let is_file = entry.file_type()?.is_file();
        match number(name) {
            Some(number) if is_file => inside.originals.push(number),
            None if [JOURNAL, FORGOTTEN].contains(&name) => {}
            // Nothing is ever written to it.
            None if name == LOCK && is_file && entry.metadata()?.len() == 0 => {}
            None if replace::is_temporary(name) && is_file => inside.unfinished.push(entry.path()),
            _ => inside.foreign.push(entry.path()),
        }
    }
    inside.originals.sort_unstable();
    Ok(inside)
}
