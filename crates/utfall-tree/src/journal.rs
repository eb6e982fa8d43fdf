//! What a run replaces is kept, and written down, so that it can be undone.
//!
//! A run has a folder, `undo/N` in the folder of state, with the originals, named by number, and a
//! journal. For a batch of files, in this order:
//!
//! 1. The journal gets a line for each, and is on the disk.
//! 2. The originals get their second names in the folder. If these are copies, or all is to survive
//!    a power cut, they are on the disk too.
//! 3. The new files take the places of the originals.
//!
//! So wherever a run is cut short, each original that was kept has its line, and a file without a
//! line has not been touched.

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
/// What the journal is called when the originals have been removed.
const FORGOTTEN: &str = "forgotten.jsonl";
const LOCK: &str = "lock";

/// The folder of the runs in a folder of state.
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

/// Locked as long as a run goes on. Not the journal: where locks are mandatory, nobody could read it.
pub(crate) fn lock(run: &Path) -> io::Result<Option<File>> {
    let path = lock_path(run);
    // Whoever opens a pipe waits, and who follows a link may make a file elsewhere.
    if fs::symlink_metadata(&path).is_ok_and(|metadata| !metadata.is_file()) {
        return Err(io::Error::new(ErrorKind::InvalidData, "its lock is not a regular file"));
    }
    let file = OpenOptions::new().write(true).create(true).truncate(false).open(path)?;
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => Ok(None),
        // Without locks, nobody may undo a run before it has ended; there is no more to do.
        Ok(()) | Err(TryLockError::Error(_)) => Ok(Some(file)),
    }
}

pub(crate) fn saved_path(run: &Path, number: u64) -> PathBuf {
    run.join(number.to_string())
}

/// The journal of a run that goes on. Nothing is written before the first file is kept.
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

/// What a run has kept so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Kept {
    /// The number of the run.
    pub run: u64,
    /// How many originals.
    pub files: u64,
    /// How many bytes they have.
    pub octets: u64,
}

/// A file that is about to be replaced by a text with this digest.
pub(crate) struct Entry<'e> {
    /// Absolute, and no symbolic link.
    pub(crate) path: &'e Path,
    pub(crate) digest: Digest,
    /// The name of its encoding.
    pub(crate) from: &'e str,
}

struct Open {
    folder: PathBuf,
    file: Arc<File>,
    /// So that nobody undoes a run that goes on.
    _lock: Option<File>,
    /// Where the next line begins.
    end: u64,
    /// The number of the last file.
    last: u64,
    kept: Kept,
}

impl Journal {
    /// A journal in a folder of state, which is made if need be. Each line is on the disk before the
    /// file it is about is replaced; with `sync`, so are the names of the originals.
    #[must_use]
    pub fn new(state: &Path, to: &str, sync: bool) -> Self {
        Self { state: state.into(), to: to.into(), sync, open: Mutex::new(None) }
    }

    /// Makes sure that originals can be kept, before there is any work that would be in vain. Leaves
    /// nothing behind.
    ///
    /// # Errors
    /// The folder of state cannot be made, or nothing can be written there.
    pub fn prepare(&self) -> io::Result<()> {
        let runs = runs_folder(&self.state);
        next_number(&runs)?;
        let existing = runs.ancestors().find(|folder| folder.exists());
        replace::create(existing.unwrap_or(Path::new(".")), true)?.remove()
    }

    /// What has been kept; `None` if there is nothing to undo.
    #[must_use]
    pub fn kept(&self) -> Option<Kept> {
        self.lock().as_ref().map(|open| open.kept)
    }

    fn lock(&self) -> MutexGuard<'_, Option<Open>> {
        // What another thread left is a whole number of lines: see `append`.
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps the file at `path`, of text in the encoding named `from`, which is to be replaced by
    /// what `new` reads: for those who write the new file themselves.
    ///
    /// # Errors
    /// The new text cannot be read, or the original not be kept.
    pub fn keep_for(&self, path: &Path, new: impl Read, from: &str) -> io::Result<()> {
        // It may be undone from anywhere.
        let path = &fs::canonicalize(path)?;
        let entry = Entry { path, digest: digest::of_reader(new)?, from };
        self.keep(&[entry]).pop().unwrap_or(Ok(()))
    }

    /// Keeps files that are about to be replaced, and says of each whether it is.
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
                let mut count = |(_, octets)| {
                    if let Some(open) = &mut *open {
                        open.kept.files += 1;
                        open.kept.octets += octets;
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

    /// Writes a line for each file, and waits until all are on the disk. Returns the folder of the
    /// run, and the numbers of the files.
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
        // Other threads need not wait for it.
        file.sync_data()?;
        Ok((folder, numbers))
    }
}

/// How an original was kept, and its length.
fn keep_one(path: &Path, saved: &Path) -> io::Result<(How, u64)> {
    let how = backup::link_or_copy(path, saved)?;
    if how == How::Copied {
        File::open(saved)?.sync_all()?;
    }
    Ok((how, fs::metadata(saved)?.len()))
}

/// The same error, for another file.
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
                // Another run begins too.
                Err(error) if error.kind() == ErrorKind::AlreadyExists => run += 1,
                result => break result.map(|()| folder)?,
            }
        };
        Self::begin(&folder, run, state, to).inspect_err(|_| {
            // Nothing has been kept.
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
        let kept = Kept { run, files: 0, octets: 0 };
        let mut open = Self { folder, file, _lock, end: 0, last: 0, kept };
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        open.append(&line::write(&Line::Run(About {
            version: VERSION,
            time: now.map_or(0, |since| since.as_secs()),
            folder: Name::new(&std::env::current_dir().unwrap_or_default()),
            to: to.into(),
        }))?)?;
        // The names of the journal and its folders.
        for folder in [&open.folder, &runs_folder(state), state] {
            sync_folder(folder)?;
        }
        Ok(open)
    }

    /// Appends lines, or nothing.
    fn append(&mut self, text: &[u8]) -> io::Result<()> {
        let mut file = &*self.file;
        // Over what lines that failed may have left.
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

/// Only for us: originals may be private.
fn private_folder(path: &Path, recursive: bool) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(recursive);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}

/// The number that a name in the folder of runs stands for, if it is one that a run writes. The
/// greatest of all is none, since there must be a next one.
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

/// The numbers of the runs, sorted, and what else is in their folder.
pub(crate) fn numbers(runs: &Path) -> io::Result<(Vec<u64>, Vec<PathBuf>)> {
    let entries = match fs::read_dir(runs) {
        // Without a folder there are none.
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
            // What `prepare` has made, and is about to remove.
            _ if name.to_str().is_some_and(replace::is_temporary) => {}
            _ => others.push(entry.path()),
        }
    }
    numbers.sort_unstable();
    others.sort_unstable();
    Ok((numbers, others))
}

/// What is in the folder of a run.
#[derive(Default)]
pub(crate) struct Inside {
    /// The numbers of the originals, sorted.
    pub(crate) originals: Vec<u64>,
    /// Copies that were not finished.
    pub(crate) unfinished: Vec<PathBuf>,
    /// What no run puts there.
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
