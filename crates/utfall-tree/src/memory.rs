//! Remembers what earlier runs wrote, so that nothing is converted twice.

use std::collections::HashMap;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use crate::digest::Digest;
use crate::journal;
use crate::line::Damage;
use crate::undo::Run;

/// Record of the files written by earlier runs, so that no file is converted twice.
#[derive(Default)]
pub struct Memory {
    files: HashMap<PathBuf, (Digest, String, u64)>,
    damaged: Vec<(u64, Vec<Damage>)>,
}

impl fmt::Debug for Memory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Memory")
            .field("files", &self.files.len())
            .field("damaged", &self.damaged)
            .finish()
    }
}

impl Memory {
    /// Reads the journals of all runs, including forgotten ones. Call it after the files of a run
    /// have been found, since files replaced later no longer match what was found.
    ///
    /// # Errors
    /// Returns an error if the directory of the runs cannot be read. Damaged journals are not an
    /// error here: see [`damaged`](Self::damaged).
    pub fn read(state: &Path) -> io::Result<Self> {
        let folder = journal::runs_folder(state);
        let mut memory = Self::default();
        for number in journal::numbers(&folder)?.0 {
            let run = Run::read(&folder, number);
            if !run.damage().is_empty() {
                memory.damaged.push((number, run.damage().to_vec()));
            }
            for record in run.records {
                if let Some(digest) = record.digest() {
                    let made = (digest, run.about.as_ref().map_or("", |about| &about.to).into());
                    memory.files.insert(record.path.path(), (made.0, made.1, number));
                }
            }
        }
        Ok(memory)
    }

    /// Runs whose journals are incomplete, and why. Files that such a run wrote may be converted
    /// twice.
    #[must_use]
    pub fn damaged(&self) -> &[(u64, Vec<Damage>)] {
        &self.damaged
    }

    /// The run that wrote the current content of a file, in the encoding with this name.
    pub(crate) fn run_that_made(
        &self,
        path: &Path,
        length: u64,
        to: &str,
        digest: impl FnOnce() -> io::Result<Digest>,
    ) -> io::Result<Option<u64>> {
        match self.files.get(path) {
            // If the first line of the journal is damaged, the name is unknown.
            Some((made, name, run)) if made.length == length && (name.is_empty() || name == to) => {
                Ok((digest()? == *made).then_some(*run))
            }
            _ => Ok(None),
        }
    }
}
