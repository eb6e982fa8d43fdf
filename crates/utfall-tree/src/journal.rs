//! What a run replaces is kept, and written down, so that it can be undone.
//!
//! A run has a folder, `undo/N` in the folder of state, with the old texts, named by number, and a
//! journal of lines of JSON. For each file, in this order: the old one gets its second name there,
//! the journal its line, and the new one the old one's place. So wherever a run is cut short, what
//! the journal says has been kept, and a file that the journal does not name has not been touched.

use std::collections::HashMap;
use std::ffi::OsString;
use std::fmt;
use std::fs::{self, DirBuilder, File, OpenOptions, TryLockError};
use std::io::{self, BufRead, BufReader, ErrorKind, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

use crate::backup;
use crate::digest::{self, Digest};
use crate::replace::sync_folder;

const JOURNAL: &str = "journal.jsonl";
const LOCK: &str = "lock";

/// The folder of the runs in a folder of state.
pub(crate) fn runs_folder(state: &Path) -> PathBuf {
    state.join("undo")
}

pub(crate) fn journal_path(run: &Path) -> PathBuf {
    run.join(JOURNAL)
}

/// Locked as long as a run goes on. Not the journal: where locks are mandatory, nobody could read it.
pub(crate) fn lock(run: &Path) -> io::Result<Option<File>> {
    let path = run.join(LOCK);
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

/// A line of a journal.
#[derive(Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub(crate) enum Line {
    /// The first.
    Run(About),
    File(Record),
}

/// What a run is.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct About {
    /// When it began, in seconds since 1970.
    pub(crate) time: u64,
    pub(crate) folder: Name,
    pub(crate) to: String,
}

/// A file that was, or was about to be, replaced.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Record {
    /// The name of the old text.
    pub(crate) number: u64,
    pub(crate) path: Name,
    /// The new text: octets, and digest in hexadecimal.
    length: u64,
    digest: String,
    pub(crate) from: String,
}

impl Record {
    pub(crate) fn digest(&self) -> Option<Digest> {
        let hash = u128::from_str_radix(&self.digest, 16).ok()?;
        Some(Digest { length: self.length, hash })
    }
}

/// A path: text if it is Unicode, and what the system makes of it if not.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub(crate) enum Name {
    Text(String),
    Other(OsString),
}

impl Name {
    fn new(path: &Path) -> Self {
        match path.to_str() {
            Some(text) => Self::Text(text.into()),
            None => Self::Other(path.into()),
        }
    }

    pub(crate) fn path(&self) -> PathBuf {
        match self {
            Self::Text(text) => text.into(),
            Self::Other(text) => text.into(),
        }
    }
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

struct Open {
    number: u64,
    folder: PathBuf,
    file: File,
    /// So that nobody undoes a run that goes on.
    _lock: Option<File>,
    /// Where the next line begins.
    end: u64,
    /// The number of the next file.
    next: u64,
}

impl Journal {
    /// A journal in a folder of state, which is made if need be. With `sync`, each line is on the
    /// disk before the file it is about is replaced.
    #[must_use]
    pub fn new(state: &Path, to: &str, sync: bool) -> Self {
        Self { state: state.into(), to: to.into(), sync, open: Mutex::new(None) }
    }

    /// The number of the run, if there is something to undo.
    #[must_use]
    pub fn number(&self) -> Option<u64> {
        self.lock().as_ref().map(|open| open.number)
    }

    fn lock(&self) -> MutexGuard<'_, Option<Open>> {
        // What another thread left is a whole number of lines: see `append`.
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps the file at `path`, of text in the encoding named `from`, which is to be replaced by
    /// what `new` reads: for those who write the new file themselves.
    ///
    /// # Errors
    /// The new text cannot be read, or the old one not be kept.
    pub fn keep_for(&self, path: &Path, new: impl io::Read, from: &str) -> io::Result<()> {
        // It may be undone from anywhere.
        self.keep(&fs::canonicalize(path)?, digest::of_reader(new)?, from)
    }

    /// Keeps the file at `path`, an absolute one, which is to be replaced by a text with this digest.
    pub(crate) fn keep(&self, path: &Path, digest: Digest, from: &str) -> io::Result<()> {
        let (number, saved) = {
            let mut open = self.lock();
            let open = match &mut *open {
                Some(open) => open,
                none => none.insert(Open::new(&self.state, &self.to)?),
            };
            open.next += 1;
            (open.next, saved_path(&open.folder, open.next))
        };
        backup::link_or_copy(path, &saved)?;
        if self.sync {
            sync_folder(crate::replace::folder(&saved))?;
        }
        let record = Line::File(Record {
            number,
            path: Name::new(path),
            length: digest.length,
            digest: format!("{:032x}", digest.hash),
            from: from.into(),
        });
        let mut open = self.lock();
        let Some(open) = &mut *open else { return Err(ErrorKind::NotFound.into()) };
        open.append(&record)?;
        if self.sync { open.file.sync_data() } else { Ok(()) }
    }
}

impl Open {
    fn new(state: &Path, to: &str) -> io::Result<Self> {
        let runs = runs_folder(state);
        private_folder(&runs, true)?;
        let mut number = numbers(&runs)?.last().map_or(1, |last| last + 1);
        let folder = loop {
            let folder = runs.join(number.to_string());
            match private_folder(&folder, false) {
                // Another run begins too.
                Err(error) if error.kind() == ErrorKind::AlreadyExists => number += 1,
                result => break result.map(|()| folder)?,
            }
        };
        let _lock = lock(&folder)?;
        let path = journal_path(&folder);
        let file = OpenOptions::new().write(true).create_new(true).open(path)?;
        let mut open = Self { number, folder, file, _lock, end: 0, next: 0 };
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        open.append(&Line::Run(About {
            time: now.map_or(0, |since| since.as_secs()),
            folder: Name::new(&std::env::current_dir().unwrap_or_default()),
            to: to.into(),
        }))?;
        Ok(open)
    }

    /// Appends a line, or nothing.
    fn append(&mut self, line: &Line) -> io::Result<()> {
        let mut text = serde_json::to_vec(line)?;
        text.push(b'\n');
        // Over what a line that failed may have left.
        self.file.seek(SeekFrom::Start(self.end))?;
        match self.file.write_all(&text) {
            Ok(()) => self.end += text.len() as u64,
            Err(error) => {
                _ = self.file.set_len(self.end);
                return Err(error);
            }
        }
        Ok(())
    }
}

/// Only for us: old texts may be private.
fn private_folder(path: &Path, recursive: bool) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(recursive);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}

/// The numbers of the runs, sorted.
pub(crate) fn numbers(runs: &Path) -> io::Result<Vec<u64>> {
    let entries = match fs::read_dir(runs) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries?,
    };
    let mut numbers = Vec::new();
    for entry in entries {
        numbers.extend(entry?.file_name().to_str().and_then(|name| name.parse::<u64>().ok()));
    }
    numbers.sort_unstable();
    Ok(numbers)
}

/// Reads a journal, up to a line that was cut short, by a kill or by what a power cut left of it.
pub(crate) fn read(run: &Path) -> io::Result<(Option<About>, Vec<Record>)> {
    let (mut about, mut records) = (None, Vec::new());
    let file = match File::open(journal_path(run)) {
        // Cut short before it had one.
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok((about, records)),
        file => file?,
    };
    let (mut reader, mut line) = (BufReader::new(file), Vec::new());
    while reader.read_until(b'\n', &mut line)? > 0 && line.ends_with(b"\n") {
        match serde_json::from_slice(&line) {
            Ok(Line::Run(run)) => about = Some(run),
            Ok(Line::File(record)) => records.push(record),
            Err(_) => break,
        }
        line.clear();
    }
    Ok((about, records))
}

/// What runs have made of files, so that none is converted twice.
#[derive(Default)]
pub struct Memory(HashMap<PathBuf, (Digest, String, u64)>);

impl fmt::Debug for Memory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Memory").field("files", &self.0.len()).finish_non_exhaustive()
    }
}

impl Memory {
    /// Everything that can still be undone.
    ///
    /// # Errors
    /// A journal cannot be read.
    pub fn read(state: &Path) -> io::Result<Self> {
        let runs = runs_folder(state);
        let mut memory = HashMap::new();
        for number in numbers(&runs)? {
            let (about, records) = read(&runs.join(number.to_string()))?;
            let Some(about) = about else { continue };
            for record in records {
                if let Some(digest) = record.digest() {
                    memory.insert(record.path.path(), (digest, about.to.clone(), number));
                }
            }
        }
        Ok(Self(memory))
    }

    /// The run that made the file what it is, a text in the encoding with this name.
    pub(crate) fn run_that_made(
        &self,
        path: &Path,
        length: u64,
        to: &str,
        digest: impl FnOnce() -> io::Result<Digest>,
    ) -> io::Result<Option<u64>> {
        match self.0.get(path) {
            Some((made, name, run)) if made.length == length && name == to => {
                Ok((digest()? == *made).then_some(*run))
            }
            _ => Ok(None),
        }
    }
}
