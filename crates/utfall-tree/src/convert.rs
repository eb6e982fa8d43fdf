//! Converts one file of a run.

use std::fs::{File, Metadata};
use std::io::{self, BufReader, Cursor, Read, Write};

use utfall::parallel::Failed;
use utfall::{Encoding, Options};

use crate::choose::{self, Basis, Choice, Choose, Text};
use crate::conversion::{Conversion, Operation, Outcome, bom_of};
use crate::digest::{self, Digest};
use crate::journal::Journal;
use crate::large::{self, Large};
use crate::locks::Locks;
use crate::memory::Memory;
use crate::plan::Item;
use crate::replace::{Replacement, Seen};
use crate::settle::{self, New, Ready, settle};

/// Files of this many bytes are not read whole, and may be worth several threads.
pub(crate) const LARGE: u64 = 8 * 1024 * 1024;

/// State that the files of a run share.
pub(crate) struct Task<'r> {
    pub(crate) conversion: &'r Conversion,
    pub(crate) choose: &'r dyn Choose,
    pub(crate) memory: &'r Memory,
    pub(crate) journal: Option<&'r Journal>,
    pub(crate) locks: &'r Locks,
}

/// The next step for a file, or its outcome.
pub(crate) enum Step {
    ForSeveralThreads,
    Outcome(Outcome),
    /// It is converted and ready to replace the original.
    Ready(Box<Ready>),
}

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

pub(crate) type Trouble = (Operation, io::Error);

pub(crate) fn reading(error: io::Error) -> Trouble {
    (Operation::Read, error)
}

pub(crate) fn writing(error: io::Error) -> Trouble {
    (Operation::Write, error)
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
    let mut octets = Vec::with_capacity(metadata.len() as usize + 1);
    file.read_to_end(&mut octets).map_err(reading)?;
    // Windows does not replace open files.
    drop(file);
    saw(octets.len() as u64);
    small(task, item, metadata, &octets)
}

/// The treatment of a file, judging by its content.
pub(crate) enum Decision {
    /// Convert it from this encoding.
    Convert(Encoding, Basis),
    /// It is correct as it is: this run wrote it or, if there is no run, it seems to be.
    Right(Option<u64>),
    /// Skip it.
    Leave(Outcome),
}

impl Decision {
    /// The outcome for a file that is correct in its place.
    pub(crate) fn right(run: Option<u64>) -> Outcome {
        run.map_or(Outcome::NotNeeded, Outcome::MadeBy)
    }
}

pub(crate) fn choose(
    task: &Task<'_>,
    item: &Item,
    text: &mut dyn Text,
    length: u64,
    digest: impl FnOnce(&mut dyn Text) -> io::Result<Digest>,
) -> io::Result<Decision> {
    let to = task.conversion.to;
    let choice = task.choose.choose(&item.found, text)?;
    // Encodings other than UTF-8 may write pure US-ASCII, which is not evidence.
    let is_certain = match &choice {
        Choice::Known(_, Basis::Mark) => true,
        Choice::Known(_, Basis::WellFormed) => to == Encoding::Utf8,
        _ => false,
    };
    if !is_certain {
        let run = task.memory.run_that_made(&item.source, length, to.name(), || {
            text.rewind()?;
            digest(text)
        })?;
        text.rewind()?;
        let is_known = matches!(choice, Choice::Known(..) | Choice::Contradicted(..));
        let is_right =
            run.is_some() || task.conversion.only_if_needed && is_known && seems_to_be(to, text)?;
        text.rewind()?;
        match is_right {
            true if task.conversion.change.is_nothing() => return Ok(Decision::Right(run)),
            // It may still have other line ends.
            true => return Ok(Decision::Convert(to, Basis::Given)),
            false => {}
        }
    }
    text.rewind()?;
    Ok(match choice {
        Choice::Known(from, basis) => Decision::Convert(from, basis),
        Choice::Contradicted(said, found, basis) => {
            Decision::Leave(Outcome::Contradicted { said, found, basis })
        }
        Choice::Binary => Decision::Leave(Outcome::Binary),
        Choice::Unknown(why) => Decision::Leave(Outcome::Unknown(why)),
    })
}

/// Whether a text is very unlikely to be in any other encoding.
fn seems_to_be(to: Encoding, text: &mut dyn Text) -> io::Result<bool> {
    if to != Encoding::Utf8 {
        return Ok(Encoding::for_bom(text.fill_buf()?).is_some_and(|(found, _)| found == to));
    }
    choose::is_utf8_beyond_ascii(text)
}

pub(crate) fn options(conversion: &Conversion, basis: &Basis) -> Options {
    let has_decided = *basis == Basis::Mark;
    let bom = bom_of(conversion.options.bom, has_decided, conversion.to);
    conversion.options.with_bom(bom)
}

pub(crate) fn text_outcome(
    failed: Failed,
    from: Encoding,
    basis: Basis,
) -> Result<Outcome, Trouble> {
    match failed {
        Failed::Text { error, position, octets } => {
            Ok(Outcome::Text { from, basis, error, position, octets })
        }
        Failed::Refused { reason, .. } => {
            Err(reading(io::Error::new(io::ErrorKind::InvalidData, reason)))
        }
        Failed::Read(error) => Err(reading(error)),
        Failed::Write(error) => Err(writing(error)),
    }
}

/// Converts a file that is read whole.
fn small(task: &Task<'_>, item: &Item, metadata: Metadata, octets: &[u8]) -> Result<Step, Trouble> {
    let Task { conversion, .. } = *task;
    let digest = |_: &mut dyn Text| Ok(digest::of_octets(octets));
    let chosen = choose(task, item, &mut Cursor::new(octets), octets.len() as u64, digest);
    let create = |octets: &[u8]| -> io::Result<Replacement> {
        let mut replacement = settle::replacement(item)?;
        replacement.file().write_all(octets)?;
        Ok(replacement)
    };
    let (from, basis) = match chosen.map_err(reading)? {
        Decision::Convert(from, basis) => (from, basis),
        Decision::Right(run) => {
            let digest = || Ok(digest::of_octets(octets));
            let copied = settle::copy(task, item, (&metadata, run), digest, || create(octets));
            return copied.map(Step::Outcome);
        }
        Decision::Leave(outcome) => return Ok(Step::Outcome(outcome)),
    };
    let mut made = Vec::with_capacity(octets.len() + octets.len() / 2);
    let options = options(conversion, &basis);
    let (pair, change) = ((from, conversion.to), conversion.change);
    let done = match utfall_normalize::convert(pair, options, change, 1, octets, &mut made) {
        Ok(done) => done,
        Err(failed) => return text_outcome(failed, from, basis).map(Step::Outcome),
    };
    let is_same = made == octets;
    let new = New { metadata, is_same, digest: digest::of_octets(&made), from, basis, done };
    settle(task, item, new, || create(&made))
}
