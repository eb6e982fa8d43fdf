//! The last steps: a text that has been made takes the place of the old one.

use std::fs::{self, Metadata};
use std::io;

use utfall::Encoding;
use utfall::parallel::Done;

use crate::backup::back_up;
use crate::choose::Basis;
use crate::conversion::{Conversion, Converted, Operation, Outcome};
use crate::convert::{Decision, Task, Trouble, reading, writing};
use crate::digest::{self, Digest};
use crate::plan::Item;
use crate::replace::{self, Keep, Replacement};

/// A text that has been made.
pub(crate) struct New<'r> {
    /// Of the old file, when it was opened.
    pub(crate) metadata: &'r Metadata,
    pub(crate) is_same: bool,
    pub(crate) digest: Digest,
    pub(crate) from: Encoding,
    pub(crate) basis: Basis,
    pub(crate) done: Done,
}

pub(crate) fn replacement(item: &Item) -> io::Result<Replacement> {
    if item.target != item.source {
        fs::create_dir_all(replace::folder(&item.target))?;
    }
    Replacement::of(&item.target)
}

/// Lets the new text take the old one's place, if it is to.
pub(crate) fn settle(
    task: &Task<'_>,
    item: &Item,
    new: New<'_>,
    create: impl FnOnce() -> io::Result<Replacement>,
) -> Result<Outcome, Trouble> {
    let Task { conversion, journal, .. } = *task;
    let New { metadata, is_same, digest, from, basis, done } = new;
    let in_place = item.target == item.source;
    // In another tree, the old file is another, if there is one.
    let is_right = match in_place {
        true => is_same,
        false => is_file_of(item, digest),
    };
    if is_right {
        return Ok(Outcome::Same(from, basis));
    }
    let links = if in_place { other_links(metadata) } else { 0 };
    let mut converted = Converted { from, basis, done, links, backup: None };
    if conversion.only_if_lossless && done.ill_formed + done.unencodable > 0 {
        return Ok(Outcome::Lossy(converted));
    }
    if conversion.dry_run {
        return Ok(Outcome::Converted(converted));
    }
    let replacement = create().map_err(writing)?;
    if !in_place {
        finish_elsewhere(conversion, metadata, replacement).map_err(writing)?;
        return Ok(Outcome::Converted(converted));
    }
    if !replace::is_as_it_was(&item.source, metadata).map_err(reading)? {
        let changed = io::Error::other("it was changed while it was converted");
        return Err((Operation::Replace, changed));
    }
    if let Some(suffix) = &conversion.backup {
        let backup = back_up(&item.source, suffix);
        converted.backup = Some(backup.map_err(|error| (Operation::BackUp, error))?);
    }
    if let Some(journal) = journal {
        let kept = journal.keep(&item.source, digest, converted.from.name());
        kept.map_err(|error| (Operation::Record, error))?;
    }
    replacement.finish(conversion.keep).map_err(writing)?;
    Ok(Outcome::Converted(converted))
}

/// Deals with a file that is right as it is: nothing is to be done where it is, but another tree
/// gets a copy.
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

/// Whether the target is there and has these octets.
fn is_file_of(item: &Item, digest: Digest) -> bool {
    let length = fs::metadata(&item.target).map(|metadata| metadata.len());
    length.is_ok_and(|length| length == digest.length)
        && digest::of_file(&item.target).is_ok_and(|there| there == digest)
}

#[cfg(unix)]
fn other_links(metadata: &Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::nlink(metadata).saturating_sub(1)
}

/// The standard library does not tell.
#[cfg(not(unix))]
fn other_links(_: &Metadata) -> u64 {
    0
}
