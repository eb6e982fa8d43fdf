//! One file of a run.

use std::ffi::OsString;
use std::fs::{self, File, Metadata};
use std::io::{self, BufReader, Cursor, Read, Write};
use std::path::PathBuf;

use utfall::lines::Position;
use utfall::parallel::{self, Done, Failed};
use utfall::{Bom, Encoding, Error, Options};
use utfall_normalize::Normalize;

use crate::backup::back_up;
use crate::choose::{self, Basis, Choice, Choose, Text};
use crate::digest::{self, Digest, Digester};
use crate::journal::{Journal, Memory};
use crate::plan::Item;
use crate::replace::{self, Keep, Replacement};

/// Files of so many octets are not read whole, and may be worth several threads.
pub(crate) const LARGE: u64 = 8 * 1024 * 1024;
/// How much of a large one is read at a time.
const ROOM: usize = 256 * 1024;

/// What a run does with each file.
#[derive(Clone, Debug)]
pub struct Conversion {
    /// The encoding of what is written.
    pub to: Encoding,
    /// How text is converted.
    pub options: Options,
    /// What else is changed: line ends, normalisation.
    pub change: Normalize,
    /// Leave alone what seems to be in `to` already, although something else was said or guessed:
    /// well-formed UTF-8 with characters beyond US-ASCII, or what begins with the byte order mark
    /// of UTF-16 or UTF-32.
    pub only_if_needed: bool,
    /// Leave alone, and report, a file of which something would be replaced, escaped or left out.
    pub only_if_lossless: bool,
    /// What of the old file is kept.
    pub keep: Keep,
    /// Old texts stay under their name with this behind it.
    pub backup: Option<OsString>,
    /// Write nothing.
    pub dry_run: bool,
}

impl Conversion {
    /// The default: strict, no backup, everything that was said.
    #[must_use]
    pub fn to(to: Encoding) -> Self {
        Self {
            to,
            options: Options::default(),
            change: Normalize::default(),
            only_if_needed: false,
            only_if_lossless: false,
            keep: Keep::default(),
            backup: None,
            dry_run: false,
        }
    }
}

/// What has become of a file.
#[derive(Debug)]
pub enum Outcome {
    /// It was converted, or would be.
    Converted(Converted),
    /// It would be the same octets.
    Same(Encoding, Basis),
    /// This run made it what it is, so it is not converted again.
    MadeBy(u64),
    /// It seems to be what it was to become; see [`Conversion::only_if_needed`].
    NotNeeded,
    /// It is no text, and nobody said that it were one.
    Binary,
    /// Nobody knows its encoding, for this reason.
    Unknown(String),
    /// There is an error in the text.
    Text {
        /// Its encoding.
        from: Encoding,
        /// How that is known.
        basis: Basis,
        /// What is wrong.
        error: Error,
        /// Where.
        position: Position,
        /// The octets of the sequence.
        octets: Vec<u8>,
    },
    /// So much would be replaced, escaped or left out; see [`Conversion::only_if_lossless`].
    Lossy(Converted),
    /// It cannot be read or written.
    Io {
        /// What was being done: `cannot read`, `cannot write`.
        what: &'static str,
        /// Why it cannot.
        error: io::Error,
    },
}

/// A file that was converted, or would be.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Converted {
    /// Its encoding before.
    pub from: Encoding,
    /// How that is known.
    pub basis: Basis,
    /// Octets, and what policies dealt with.
    pub done: Done,
    /// How many other hard links keep the old text.
    pub links: u64,
    /// The old text.
    pub backup: Option<PathBuf>,
}

/// How the byte order mark of one text is dealt with if `wanted` is how all are, and whether
/// it has decided which encoding the text is in.
#[must_use]
pub fn bom_of(wanted: Bom, has_decided: bool, to: Encoding) -> Bom {
    // These two write a mark; that of the input takes its place.
    let writes_mark = matches!(to, Encoding::Utf16 | Encoding::Utf32);
    match wanted {
        // It has done its work.
        Bom::Auto if has_decided && !writes_mark => Bom::Strip,
        _ => wanted,
    }
}

/// Everything that the files of a run share.
pub(crate) struct Task<'r> {
    pub(crate) conversion: &'r Conversion,
    pub(crate) choose: &'r dyn Choose,
    pub(crate) memory: &'r Memory,
    pub(crate) journal: Option<&'r Journal>,
}

/// A file that is to be converted by several threads, or what has become of it.
pub(crate) enum Step {
    ForSeveralThreads,
    Outcome(Outcome),
}

/// Converts one file, with so many threads if it is large and that is worth it; if it is and
/// `threads` is `None`, says so. `saw` is told how many octets have been read.
pub(crate) fn convert(
    task: &Task<'_>,
    item: &Item,
    threads: Option<usize>,
    saw: &(dyn Fn(u64) + Sync),
) -> Step {
    match try_convert(task, item, threads, saw) {
        Ok(step) => step,
        Err((what, error)) => Step::Outcome(Outcome::Io { what, error }),
    }
}

type Trouble = (&'static str, io::Error);

fn reading(error: io::Error) -> Trouble {
    ("cannot read", error)
}

fn writing(error: io::Error) -> Trouble {
    ("cannot write", error)
}

fn try_convert(
    task: &Task<'_>,
    item: &Item,
    threads: Option<usize>,
    saw: &(dyn Fn(u64) + Sync),
) -> Result<Step, Trouble> {
    let mut file = File::open(&item.source).map_err(reading)?;
    let metadata = file.metadata().map_err(reading)?;
    if metadata.len() >= LARGE {
        let text = BufReader::with_capacity(ROOM, file);
        return Large { task, item, metadata, saw }.convert(text, threads);
    }
    let mut octets = Vec::with_capacity(metadata.len() as usize + 1);
    file.read_to_end(&mut octets).map_err(reading)?;
    // Windows replaces no file that is open.
    drop(file);
    saw(octets.len() as u64);
    let outcome = small(task, item, &metadata, &octets)?;
    Ok(Step::Outcome(outcome))
}

/// What is to be done with a file, as far as its text says it.
fn choose(
    task: &Task<'_>,
    item: &Item,
    text: &mut dyn Text,
    length: u64,
    digest: impl FnOnce(&mut dyn Text) -> io::Result<Digest>,
) -> io::Result<Result<(Encoding, Basis), Outcome>> {
    let to = task.conversion.to;
    let choice = task.choose.choose(&item.found, text)?;
    // Of other encodings than UTF-8, some write US-ASCII, which says nothing.
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
        let is_known = matches!(choice, Choice::Known(..));
        let is_in_target = match run {
            Some(run) => Some(Outcome::MadeBy(run)),
            None if task.conversion.only_if_needed && is_known && seems_to_be(to, text)? => {
                Some(Outcome::NotNeeded)
            }
            None => None,
        };
        text.rewind()?;
        match is_in_target {
            Some(outcome) if task.conversion.change.is_nothing() => return Ok(Err(outcome)),
            // It may still have other line ends.
            Some(_) => return Ok(Ok((to, Basis::Given))),
            None => {}
        }
    }
    text.rewind()?;
    Ok(match choice {
        Choice::Known(from, basis) => Ok((from, basis)),
        Choice::Binary => Err(Outcome::Binary),
        Choice::Unknown(why) => Err(Outcome::Unknown(why)),
    })
}

/// Whether a text can hardly be in another encoding than this.
fn seems_to_be(to: Encoding, text: &mut dyn Text) -> io::Result<bool> {
    if to != Encoding::Utf8 {
        return Ok(Encoding::for_bom(text.fill_buf()?).is_some_and(|(found, _)| found == to));
    }
    let (mut has_others, mut has_nul) = (false, false);
    let is_utf8 = choose::is_utf8(text, |piece| {
        has_others |= !piece.is_ascii();
        has_nul |= piece.contains(&0);
    })?;
    Ok(is_utf8 && has_others && !has_nul)
}

fn options(conversion: &Conversion, basis: &Basis) -> Options {
    let has_decided = *basis == Basis::Mark;
    let bom = bom_of(conversion.options.bom, has_decided, conversion.to);
    Options { bom, ..conversion.options }
}

fn text_outcome(failed: Failed, from: Encoding, basis: Basis) -> Result<Outcome, Trouble> {
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

/// One that is read whole.
fn small(
    task: &Task<'_>,
    item: &Item,
    metadata: &Metadata,
    octets: &[u8],
) -> Result<Outcome, Trouble> {
    let Task { conversion, .. } = *task;
    let digest = |_: &mut dyn Text| Ok(digest::of_octets(octets));
    let chosen = choose(task, item, &mut Cursor::new(octets), octets.len() as u64, digest);
    let (from, basis) = match chosen.map_err(reading)? {
        Ok(chosen) => chosen,
        Err(outcome) => return Ok(outcome),
    };
    let mut made = Vec::with_capacity(octets.len() + octets.len() / 2);
    let options = options(conversion, &basis);
    let (pair, change) = ((from, conversion.to), conversion.change);
    let done = match utfall_normalize::convert(pair, options, change, 1, octets, &mut made) {
        Ok(done) => done,
        Err(failed) => return text_outcome(failed, from, basis),
    };
    let is_same = made == octets;
    let new = New { metadata, is_same, digest: digest::of_octets(&made), from, basis, done };
    let create = || -> io::Result<Replacement> {
        let mut replacement = replacement(item)?;
        replacement.file().write_all(&made)?;
        Ok(replacement)
    };
    settle(task, item, new, create)
}

/// One that is read in pieces.
struct Large<'r> {
    task: &'r Task<'r>,
    item: &'r Item,
    metadata: Metadata,
    saw: &'r (dyn Fn(u64) + Sync),
}

impl Large<'_> {
    fn convert(self, mut text: BufReader<File>, threads: Option<usize>) -> Result<Step, Trouble> {
        let Self { task, item, metadata, saw } = self;
        let conversion = task.conversion;
        let digest = |text: &mut dyn Text| digest::of_reader(text);
        let chosen = choose(task, item, &mut text, metadata.len(), digest).map_err(reading)?;
        let (from, basis) = match chosen {
            Ok(chosen) => chosen,
            Err(outcome) => {
                saw(metadata.len());
                return Ok(Step::Outcome(outcome));
            }
        };
        let (pair, change) = ((from, conversion.to), conversion.change);
        let is_worthwhile = match change.is_nothing() {
            true => parallel::is_worthwhile(from, conversion.to),
            false => parallel::is_possible(from, conversion.to),
        };
        let threads = match threads {
            _ if !is_worthwhile => 1,
            None => return Ok(Step::ForSeveralThreads),
            Some(threads) => threads,
        };
        let mut replacement = match conversion.dry_run {
            true => None,
            false => Some(replacement(item).map_err(writing)?),
        };
        let mut writer = Writer {
            file: replacement.as_mut().map(Replacement::file),
            old: Some(BufReader::new(File::open(&item.source).map_err(reading)?)),
            room: Vec::new(),
            digester: Digester::default(),
        };
        let options = options(conversion, &basis);
        let reader = Reader { text: &mut text, saw };
        let done = utfall_normalize::convert(pair, options, change, threads, reader, &mut writer);
        let done = match done {
            Ok(done) => done,
            Err(failed) => return text_outcome(failed, from, basis).map(Step::Outcome),
        };
        let (is_same, digest) = writer.finish(metadata.len());
        drop(text);
        let new = New { metadata: &metadata, is_same, digest, from, basis, done };
        let create = || replacement.ok_or_else(|| io::ErrorKind::NotFound.into());
        settle(task, item, new, create).map(Step::Outcome)
    }
}

/// Tells how much is read.
struct Reader<'r> {
    text: &'r mut BufReader<File>,
    saw: &'r (dyn Fn(u64) + Sync),
}

impl Read for Reader<'_> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        let count = self.text.read(room)?;
        (self.saw)(count as u64);
        Ok(count)
    }
}

/// Writes, if there is a file; digests; and compares with the old text, as long as it is the same.
struct Writer<'r> {
    file: Option<&'r mut File>,
    old: Option<BufReader<File>>,
    room: Vec<u8>,
    digester: Digester,
}

impl Writer<'_> {
    /// Whether all is the same as an old text of this length, and the digest.
    fn finish(self, length: u64) -> (bool, Digest) {
        let digest = self.digester.finish();
        (self.old.is_some() && digest.length == length, digest)
    }
}

impl Write for Writer<'_> {
    fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
        if let Some(file) = &mut self.file {
            file.write_all(octets)?;
        }
        if let Some(old) = &mut self.old {
            self.room.clear();
            old.take(octets.len() as u64).read_to_end(&mut self.room)?;
            if self.room != octets {
                self.old = None;
            }
        }
        self.digester.add(octets);
        Ok(octets.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A text that has been made.
struct New<'r> {
    /// Of the old file, when it was opened.
    metadata: &'r Metadata,
    is_same: bool,
    digest: Digest,
    from: Encoding,
    basis: Basis,
    done: Done,
}

fn replacement(item: &Item) -> io::Result<Replacement> {
    if item.target != item.source {
        fs::create_dir_all(replace::folder(&item.target))?;
    }
    Replacement::of(&item.target)
}

/// Lets the new text take the old one's place, if it is to.
fn settle(
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
    let mut replacement = create().map_err(writing)?;
    if !in_place {
        if conversion.keep.times {
            replace::set_times(replacement.file(), metadata).map_err(writing)?;
        }
        let keep = Keep { times: false, ..conversion.keep };
        replacement.finish(keep).map_err(writing)?;
        return Ok(Outcome::Converted(converted));
    }
    let now = fs::symlink_metadata(&item.source).map_err(reading)?;
    if !is_as_it_was(metadata, &now) {
        let changed = io::Error::other("it was changed while it was converted");
        return Err(("cannot replace", changed));
    }
    if let Some(suffix) = &conversion.backup {
        let backup = back_up(&item.source, suffix);
        converted.backup = Some(backup.map_err(|error| ("cannot keep the old text", error))?);
    }
    if let Some(journal) = journal {
        let kept = journal.keep(&item.source, digest, converted.from.name());
        kept.map_err(|error| ("cannot keep the old text for undo", error))?;
    }
    replacement.finish(conversion.keep).map_err(writing)?;
    Ok(Outcome::Converted(converted))
}

/// Whether the target is there and has these octets.
fn is_file_of(item: &Item, digest: Digest) -> bool {
    let length = fs::metadata(&item.target).map(|metadata| metadata.len());
    length.is_ok_and(|length| length == digest.length)
        && digest::of_file(&item.target).is_ok_and(|there| there == digest)
}

fn is_as_it_was(before: &Metadata, now: &Metadata) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        if (before.dev(), before.ino()) != (now.dev(), now.ino()) {
            return false;
        }
    }
    now.is_file() && before.len() == now.len() && before.modified().ok() == now.modified().ok()
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
