//! Counts of instructions instead of times, for a processor that is not here. `cargo xtask bench
//! --instructions` runs this program in QEMU with the plugin `instructions.c`, which counts between two
//! calls of `getpid` and writes each count to a file.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;
use std::process;

/// The counts that the plugin has written.
pub(crate) struct Counter {
    file: File,
}

impl Counter {
    /// Opens the file that the plugin writes to.
    ///
    /// # Errors
    /// If the file cannot be opened.
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        Ok(Self { file: File::open(path)? })
    }

    /// The number of instructions that `work` takes.
    ///
    /// # Panics
    /// If the plugin has not written one number, as when this program does not run in QEMU.
    pub(crate) fn of(&mut self, work: impl FnOnce()) -> u64 {
        _ = process::id();
        work();
        _ = process::id();
        let mut line = String::new();
        let count = self.file.read_to_string(&mut line).ok().and_then(|_| line.trim().parse().ok());
        count.unwrap_or_else(|| panic!("expected one number of instructions: {line:?}"))
    }
}
