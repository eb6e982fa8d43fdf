//! What earlier runs have made, so that nothing is converted twice.

use std::collections::HashMap;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use crate::digest::Digest;
use crate::journal;
use crate::line::Damage;
use crate::undo::Run;

/// What runs have made of files, so that none is converted twice.
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
    /// Everything that runs have written down, those that have been forgotten among them. To be read
    /// after the files of a run have been found: what is replaced later is not what was found.
    ///
    /// # Errors
    /// The folder of the runs cannot be read. That a journal is damaged is no error here: see
    /// [`damaged`](Self::damaged).
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

    /// Runs whose journals do not tell everything that they have made, and why. What such a run has
    /// made may be converted twice.
    #[must_use]
    pub fn damaged(&self) -> &[(u64, Vec<Damage>)] {
        &self.damaged
    }

    /// The run that made the file what it is, a text in the encoding with this name.
    pub(crate) fn run_that_made(
        &self,
        path: &Path,
        length: u64,
        to: &str,
        digest: impl FnOnce() -> io::Result<Digest>,
    ) -> io::Result<Option<u64>> {
        match self.files.get(path) {
            // If the first line of the journal is damaged, there is no name.
            Some((made, name, run)) if made.length == length && (name.is_empty() || name == to) => {
                Ok((digest()? == *made).then_some(*run))
            }
            _ => Ok(None),
        }
    }
}
