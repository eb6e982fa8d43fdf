//! The parts common to files that are read whole and larger ones: the state of a run, the treatment
//! of a file, and errors.

use std::io;

use utfall::parallel;
use utfall::{Encoding, Options};

use crate::choose::{self, Basis, Choice, Choose, Text};
use crate::conversion::{Conversion, Operation, Outcome, bom_of};
use crate::digest::Digest;
use crate::journal::Journal;
use crate::locks::Locks;
use crate::memory::Memory;
use crate::plan::Item;

/// State that the files of a run share.
pub(crate) struct Task<'r> {
    pub(crate) conversion: &'r Conversion,
    pub(crate) choose: &'r dyn Choose,
    pub(crate) memory: &'r Memory,
    pub(crate) journal: Option<&'r Journal>,
    pub(crate) locks: &'r Locks,
}

pub(crate) type Trouble = (Operation, io::Error);

pub(crate) fn reading(error: io::Error) -> Trouble {
    (Operation::Read, error)
}

pub(crate) fn writing(error: io::Error) -> Trouble {
    (Operation::Write, error)
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
    error: parallel::Error,
    from: Encoding,
    basis: Basis,
) -> Result<Outcome, Trouble> {
    match error {
        parallel::Error::Text { error, position, bytes } => {
            Ok(Outcome::Text { from, basis, error, position, bytes })
        }
        parallel::Error::Rejected { reason, .. } => {
            Err(reading(io::Error::new(io::ErrorKind::InvalidData, reason)))
        }
        parallel::Error::Read(error) => Err(reading(error)),
        parallel::Error::Write(error) => Err(writing(error)),
        other => Err(reading(io::Error::other(other))),
    }
}
