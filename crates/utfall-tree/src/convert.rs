//! Converts one file of a run.

use std::fs::{File, Metadata};
use std::io::{self, BufReader, Cursor, Read, Write};

use crate::choose::Text;
use crate::conversion::Outcome;
use crate::digest;
use crate::large::{self, Large};
use crate::plan::Item;
use crate::replace::{Replacement, Seen};
use crate::settle::{self, New, Step, settle};
use crate::task::{Decision, Task, Trouble, choose, options, reading, text_outcome};

/// Files of this many bytes are not read whole, and may be worth several threads.
pub(crate) const LARGE: u64 = 8 * 1024 * 1024;

/// Converts a file. For a large file that is worth several threads, uses `threads` of them, or
/// returns [`Step::ForSeveralThreads`] if `threads` is `None`. Calls `saw` with the numbers of
/// bytes read.
pub(crate) fn convert(
    task: &Task<'_>,
    item: &Item,
    threads: Option<usize>,
    saw: &(dyn Fn(u64) + Sync),
) -> Step {
    match try_convert(task, item, threads, saw) {
        Ok(step) => step,
        Err((operation, error)) => Step::Outcome(Outcome::Io { operation, error }),
    }
}

fn try_convert(
    task: &Task<'_>,
    item: &Item,
    threads: Option<usize>,
    saw: &(dyn Fn(u64) + Sync),
) -> Result<Step, Trouble> {
    let mut file = File::open(&item.source).map_err(reading)?;
    let metadata = file.metadata().map_err(reading)?;
    // Another run may have converted it, too late for its journal to be read here.
    if item.target == item.source && Seen::new(&metadata) != item.seen {
        return Err(reading(io::Error::other("it changed after the run began")));
    }
    if metadata.len() >= LARGE {
        let text = BufReader::with_capacity(large::ROOM, file);
        return Large { task, item, metadata, saw }.convert(text, threads);
    }
    let mut bytes = Vec::with_capacity(metadata.len() as usize + 1);
    file.read_to_end(&mut bytes).map_err(reading)?;
    // Windows does not replace open files.
    drop(file);
    saw(bytes.len() as u64);
    small(task, item, metadata, &bytes)
}

/// Converts a file that is read whole.
fn small(task: &Task<'_>, item: &Item, metadata: Metadata, bytes: &[u8]) -> Result<Step, Trouble> {
    let Task { conversion, .. } = *task;
    let digest = |_: &mut dyn Text| Ok(digest::of_bytes(bytes));
    let chosen = choose(task, item, &mut Cursor::new(bytes), bytes.len() as u64, digest);
    let create = |bytes: &[u8]| -> io::Result<Replacement> {
        let mut replacement = settle::replacement(item)?;
        replacement.file().write_all(bytes)?;
        Ok(replacement)
    };
    let (from, basis) = match chosen.map_err(reading)? {
        Decision::Convert(from, basis) => (from, basis),
        Decision::Right(run) => {
            let digest = || Ok(digest::of_bytes(bytes));
            let copied = settle::copy(task, item, (&metadata, run), digest, || create(bytes));
            return copied.map(Step::Outcome);
        }
        Decision::Leave(outcome) => return Ok(Step::Outcome(outcome)),
    };
    let mut made = Vec::with_capacity(bytes.len() + bytes.len() / 2);
    let options = options(conversion, &basis);
    let (to, change) = (conversion.to, conversion.change);
    let done = match utfall_normalize::convert(from, to, options, change, 1, bytes, &mut made) {
        Ok(done) => done,
        Err(failed) => return text_outcome(failed, from, basis).map(Step::Outcome),
    };
    let is_same = made == bytes;
    let new = New { metadata, is_same, digest: digest::of_bytes(&made), from, basis, done };
    settle(task, item, new, || create(&made))
}
