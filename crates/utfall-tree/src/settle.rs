//! The last steps: replaces originals with new files.

use std::fs::{self, Metadata};
use std::io;
use std::path::PathBuf;

use utfall::Encoding;
use utfall::parallel::Summary;

use crate::backup::back_up;
use crate::choose::Basis;
use crate::conversion::{Conversion, Converted, Operation, Outcome};
use crate::digest::{self, Digest};
use crate::journal::Entry;
use crate::locks::FileLock;
use crate::plan::Item;
use crate::replace::{self, Keep, Replacement};
use crate::task::{Decision, Task, Trouble, reading, writing};

/// The next step for a file, or its outcome.
pub(crate) enum Step {
    ForSeveralThreads,
    Outcome(Outcome),
    /// It is converted and ready to replace the original.
    Ready(Box<Ready>),
}

/// A converted text.
pub(crate) struct New {
    /// Metadata of the original when it was opened.
    pub(crate) metadata: Metadata,
    pub(crate) is_same: bool,
    pub(crate) digest: Digest,
    pub(crate) from: Encoding,
    pub(crate) basis: Basis,
    pub(crate) done: Summary,
}

pub(crate) fn replacement(item: &Item) -> io::Result<Replacement> {
    if item.target != item.source {
        fs::create_dir_all(replace::folder(&item.target))?;
    }
    Replacement::of(&item.target)
}

/// A complete new file that is about to replace an original.
pub(crate) struct Ready {
    source: PathBuf,
    replacement: Replacement,
    /// Metadata of the original when it was opened.
    metadata: Metadata,
    digest: Digest,
    converted: Converted,
}

impl Ready {
    /// The length of the new file in bytes.
    pub(crate) fn length(&self) -> u64 {
        self.digest.length
    }
}

/// Decides whether the new text replaces the original. In another tree, finishes it at once.
pub(crate) fn settle(
    task: &Task<'_>,
    item: &Item,
    new: New,
    create: impl FnOnce() -> io::Result<Replacement>,
) -> Result<Step, Trouble> {
    let Task { conversion, .. } = *task;
    let done = |outcome| Ok(Step::Outcome(outcome));
    let New { metadata, is_same, digest, from, basis, done: counted } = new;
    let in_place = item.target == item.source;
    // In another tree, compare with the file there, if there is one.
    let is_right = if in_place { is_same } else { is_file_of(item, digest) };
    if is_right {
        return done(Outcome::Same(from, basis));
    }
    let links = if in_place { other_links(&metadata) } else { 0 };
    let converted = Converted { from, basis, done: counted, links, backup: None };
    if conversion.only_if_lossless && counted.counts.ill_formed + counted.counts.unencodable > 0 {
        return done(Outcome::Lossy(converted));
    }
    if conversion.dry_run {
        return done(Outcome::Converted(converted));
    }
    let replacement = create().map_err(writing)?;
    if !in_place {
        finish_elsewhere(conversion, &metadata, replacement).map_err(writing)?;
        return done(Outcome::Converted(converted));
    }
    let source = item.source.clone();
    Ok(Step::Ready(Box::new(Ready { source, replacement, metadata, digest, converted })))
}

/// Saves the originals and replaces them with the new files. Handles all files together, so that
/// there is only one sync.
pub(crate) fn replace_all(task: &Task<'_>, all: Vec<Ready>) -> Vec<Outcome> {
    let locked: Vec<_> = all.into_iter().map(|ready| lock(task, ready)).collect();
    let entries: Vec<_> = locked
        .iter()
        .flatten()
        .map(|(ready, _)| Entry {
            path: &ready.source,
            digest: ready.digest,
            from: ready.converted.from.name(),
        })
        .collect();
    let kept = match task.journal {
        Some(journal) => journal.keep(&entries),
        None => entries.iter().map(|_| Ok(())).collect(),
    };
    let mut kept = kept.into_iter();
    let replace = |locked: Result<(Ready, _), Trouble>| {
        let (ready, lock) = locked?;
        let kept = kept.next().unwrap_or_else(|| Err(io::ErrorKind::NotFound.into()));
        kept.map_err(|error| (Operation::Record, error))?;
        let new = ready.replacement.finish_locked(task.conversion.keep).map_err(writing)?;
        task.locks.hand_over(lock, new);
        Ok(Outcome::Converted(ready.converted))
    };
    let outcomes = locked.into_iter().map(replace);
    outcomes
        .map(|outcome: Result<_, Trouble>| {
            outcome.unwrap_or_else(|(operation, error)| Outcome::Io { operation, error })
        })
        .collect()
}

/// Locks the original, checks that it is unchanged, and backs it up.
fn lock(task: &Task<'_>, mut ready: Ready) -> Result<(Ready, Option<FileLock>), Trouble> {
    let lock = task.locks.file(&ready.source).map_err(|error| (Operation::Replace, error))?;
    if !replace::is_as_it_was(&ready.source, &ready.metadata).map_err(reading)? {
        let changed = io::Error::other("it changed during the conversion");
        return Err((Operation::Replace, changed));
    }
    if let Some(suffix) = &task.conversion.backup {
        let backup = back_up(&ready.source, suffix);
        ready.converted.backup = Some(backup.map_err(|error| (Operation::BackUp, error))?);
    }
    Ok((ready, lock))
}

/// Handles a file that is already correct: does nothing in place, but copies it to another tree.
pub(crate) fn copy(
    task: &Task<'_>,
    item: &Item,
    (metadata, run): (&Metadata, Option<u64>),
    digest: impl FnOnce() -> io::Result<Digest>,
    create: impl FnOnce() -> io::Result<Replacement>,
) -> Result<Outcome, Trouble> {
    let Task { conversion, .. } = *task;
    if item.target == item.source || is_file_of(item, digest().map_err(reading)?) {
        return Ok(Decision::right(run));
    }
    if !conversion.dry_run {
        let replacement = create().map_err(writing)?;
        finish_elsewhere(conversion, metadata, replacement).map_err(writing)?;
    }
    Ok(Outcome::Copied(run))
}

/// Completes a file in another tree.
fn finish_elsewhere(
    conversion: &Conversion,
    source: &Metadata,
    mut replacement: Replacement,
) -> io::Result<()> {
    if conversion.keep.times {
        replace::set_times(replacement.file(), source)?;
    }
    replacement.finish(Keep { times: false, ..conversion.keep })
}

/// Whether the target exists with this content.
fn is_file_of(item: &Item, digest: Digest) -> bool {
    let length = fs::metadata(&item.target).map(|metadata| metadata.len());
    length.is_ok_and(|length| length == digest.length)
        && digest::of_file(&item.target).is_ok_and(|there| there == digest)
}

#[cfg(unix)]
fn other_links(metadata: &Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::nlink(metadata).saturating_sub(1)
}

/// The standard library does not report the number of links.
#[cfg(not(unix))]
fn other_links(_: &Metadata) -> u64 {
    0
}
