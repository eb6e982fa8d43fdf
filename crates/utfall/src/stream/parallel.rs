//! Converts one long text on several threads, with the same result as on one.
//!
//! The text is split after line ends, where neither encoding depends on earlier text, and the
//! converted parts are joined in order. If a line is longer than some megabytes, one thread
//! converts the rest.
//!
//! ```
//! use utfall::{Encoding, Options, parallel};
//! let text = "naïve\n".repeat(1000);
//! let mut out = Vec::new();
//! let (from, to) = (Encoding::Utf8, Encoding::Utf7);
//! assert!(parallel::is_possible(from, to));
//! let done = parallel::convert(from, to, Options::default(), 2, text.as_bytes(), &mut out)?;
//! assert_eq!((done.read, done.written), (7000, out.len() as u64));
//! assert_eq!(*out, *to.encode(&text).unwrap());
//! # Ok::<(), parallel::Error>(())
//! ```

use std::boxed::Box;
use std::io::{self, Read, Write};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::vec::Vec;
use std::{fmt, mem, thread};

use crate::engine::CARRY;
use crate::filter::{self, Filter, FilteredTranscoder};
use crate::lines::{LineEnd, Position};
use crate::{Bom, Counts, Encoding, Options, Status, Transcoder};

/// The usual minimum size of a part.
const PART: usize = 512 * 1024;
/// The longest code unit, and a limit that leaves space to compute with.
const SMALLEST_PART: usize = 4;
const LARGEST_PART: usize = 1 << 26;
/// After this many parts without a line end, one thread converts the rest.
const LONGEST_LINE: usize = 16;
/// More threads do not help, and not every system provides so many.
const MOST_THREADS: usize = 256;

/// Whether text can be converted in parts.
#[must_use]
pub fn is_possible(source: Encoding, target: Encoding) -> bool {
    LineEnd::of(source).is_some() && LineEnd::of(target).is_some()
}

/// Whether more threads help: between UTF-8, UTF-16, UTF-32 and Latin-1, a single thread already is
/// as fast as memory.
#[must_use]
pub fn is_worthwhile(source: Encoding, target: Encoding) -> bool {
    let is_plain = source.info().side.form().is_some() && target.info().side.form().is_some();
    is_possible(source, target) && !is_plain
}

/// Totals of a conversion.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Summary {
    /// Bytes read.
    pub read: u64,
    /// Bytes written.
    pub written: u64,
    /// Errors that a policy handled.
    pub counts: Counts,
}

/// Why a conversion stopped. All output before that point has been written.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// The text is ill-formed, or cannot be encoded.
    Text {
        /// The error, with its offset in the whole text.
        error: crate::Error,
        /// The bytes of the sequence.
        bytes: Vec<u8>,
        /// Its line and column.
        position: Position,
    },
    /// The filter rejected the text.
    Rejected {
        /// The offset in the whole text, in bytes.
        offset: u64,
        /// The reason that the filter gave.
        reason: &'static str,
        /// The line and column of that offset.
        position: Position,
    },
    /// The input cannot be read.
    Read(io::Error),
    /// The output cannot be written.
    Write(io::Error),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text { position, .. } => {
                write!(f, "cannot convert line {}, column {}", position.line, position.column)
            }
            Self::Rejected { offset, reason, .. } => write!(f, "{reason} at offset {offset}"),
            Self::Read(_) => f.write_str("cannot read the input"),
            Self::Write(_) => f.write_str("cannot write the output"),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Text { error, .. } => Some(error),
            Self::Rejected { .. } => None,
            Self::Read(error) | Self::Write(error) => Some(error),
        }
    }
}

/// Converts all of `input` on `threads` additional threads, or as many as can be started, at most
/// 256. If [`is_possible`] returns false, or no thread can be started, it runs on the current
/// thread.
///
/// [`Conversion`] has more settings.
///
/// # Errors
/// The first error that a single thread would encounter, with the same offset. All output before it
/// has been written.
pub fn convert(
    source: Encoding,
    target: Encoding,
    options: Options,
    threads: usize,
    input: impl Read,
    output: impl Write,
) -> Result<Summary, Error> {
    Conversion::new(source, target, options).threads(threads).run(input, output)
}

/// A conversion with settings that [`convert`] lacks.
///
/// ```
/// use utfall::parallel::Conversion;
/// use utfall::{Encoding, Options};
/// let mut out = Vec::new();
/// let conversion = Conversion::new(Encoding::Utf8, Encoding::Utf7, Options::default());
/// let done = conversion.threads(2).part_size(64).run("naïve\n".repeat(99).as_bytes(), &mut out)?;
/// assert_eq!((done.read, out.len()), (693, 990));
/// # Ok::<(), utfall::parallel::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct Conversion<'f> {
    source: Encoding,
    target: Encoding,
    options: Options,
    filter: Option<&'f dyn Filter>,
    threads: usize,
    part: usize,
}

impl fmt::Debug for Conversion<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Conversion")
            .field("source", &self.source)
            .field("target", &self.target)
            .field("options", &self.options)
            .field("threads", &self.threads)
            .field("part", &self.part)
            .finish_non_exhaustive()
    }
}

impl<'f> Conversion<'f> {
    /// A conversion on the current thread, without a filter.
    #[must_use]
    pub fn new(source: Encoding, target: Encoding, options: Options) -> Self {
        Self { source, target, options, filter: None, threads: 1, part: PART }
    }

    /// The number of additional threads, as in [`convert`].
    #[must_use]
    pub fn threads(self, threads: usize) -> Self {
        Self { threads, ..self }
    }

    /// Adds a filter between decoding and encoding. A line feed must be a boundary for the filter:
    /// the results for the text before and after it must be independent.
    ///
    /// An unencodable code point that the filter produced is reported at the source text it was
    /// made from.
    #[must_use]
    pub fn filter(self, filter: &'f dyn Filter) -> Self {
        Self { filter: Some(filter), ..self }
    }

    /// The number of bytes after which a part ends at the next line end: 512 KiB unless set,
    /// rounded to a multiple of 4 from 4 bytes to 64 MiB. Each thread buffers up to two parts and
    /// their output. If no line ends within 16 times that, one thread converts the rest.
    #[must_use]
    pub fn part_size(self, bytes: usize) -> Self {
        // Whole code units of any size.
        let part = bytes.clamp(SMALLEST_PART, LARGEST_PART).next_multiple_of(SMALLEST_PART);
        Self { part, ..self }
    }

    /// Converts all of `input`.
    ///
    /// # Errors
    /// As [`convert`].
    pub fn run(self, mut input: impl Read, mut output: impl Write) -> Result<Summary, Error> {
        let mut merged = Merged { done: Summary::default(), lines: 0, output: &mut output };
        let is_split = self.threads > 1 && is_possible(self.source, self.target);
        let Some(line_end) = LineEnd::of(self.source).filter(|_| is_split) else {
            return self.rest(&mut merged, Vec::new(), &mut input).map(|()| merged.done);
        };
        thread::scope(|scope| {
            let mut workers = Vec::new();
            for _ in 0..self.threads.min(MOST_THREADS) {
                let (jobs, inbox) = sync_channel(1);
                let (outbox, results) = sync_channel(1);
                let work = move || self.work(inbox, outbox);
                // The system may have no more threads, or none at all, like WebAssembly.
                let Ok(_) = thread::Builder::new().spawn_scoped(scope, work) else { break };
                workers.push(Worker { jobs, results });
            }
            if workers.is_empty() {
                return self.rest(&mut merged, Vec::new(), &mut input);
            }
            split(self, line_end, workers, &mut merged, &mut input)
        })?;
        Ok(merged.done)
    }

    fn path(&self, is_first: bool) -> Path<'f> {
        // U+FEFF is a BOM only at the start of the text.
        let bom = if is_first { self.options.bom } else { Bom::Keep };
        let options = Options { bom, ..self.options };
        match self.filter {
            None => {
                let transcoder = Transcoder::new(self.source, self.target, options);
                let transcoder = Box::new(transcoder.track_position());
                Path::Straight { transcoder, read: 0, written: 0, recent: Vec::new() }
            }
            Some(filter) => {
                let (source, target) = (self.source, self.target);
                Path::Filtered(Box::new(FilteredTranscoder::new(source, target, options, filter)))
            }
        }
    }

    fn work(self, inbox: Receiver<Part>, outbox: SyncSender<Part>) {
        for mut part in inbox {
            let mut path = self.path(part.is_first);
            part.error = path.convert(&part.bytes, true, &mut part.room).err();
            part.done = path.done();
            part.lines = path.lines();
            if outbox.send(part).is_err() {
                return;
            }
        }
    }

    /// Converts the rest of the input on this thread. `bytes` have been read already.
    fn rest(
        &self,
        merged: &mut Merged<'_>,
        mut bytes: Vec<u8>,
        input: &mut impl Read,
    ) -> Result<(), Error> {
        let before = merged.done;
        let (mut path, mut room) = (self.path(before.read == 0), Vec::new());
        loop {
            let filled = fill(&mut bytes, self.part, input);
            let at_end = matches!(filled, Ok(true));
            let written = path.done().written;
            let result = path.convert(&bytes, at_end, &mut room);
            merged.done = before;
            merged.done.add(path.done());
            let made = &room[..(path.done().written - written) as usize];
            merged.output.write_all(made).map_err(Error::Write)?;
            result.map_err(|error| merged.located(before.read, error))?;
            // The text before the error has been converted.
            filled.map_err(Error::Read)?;
            if at_end {
                return Ok(());
            }
            bytes.clear();
        }
    }
}

/// Distributes parts to the workers in turn, and collects their results in the same order.
fn split(
    conversion: Conversion<'_>,
    line_end: LineEnd,
    workers: Vec<Worker>,
    merged: &mut Merged<'_>,
    input: &mut impl Read,
) -> Result<(), Error> {
    let size = conversion.part;
    let longest_line = LONGEST_LINE * size;
    // How many parts have been distributed, and collected.
    let (mut given, mut taken) = (0, 0);
    let (mut part, mut carried) = (Part::default(), Vec::new());
    let rest = loop {
        part.bytes.clear();
        part.bytes.append(&mut carried);
        let mut filled = fill(&mut part.bytes, size, input);
        let mut end = line_end.after_last(&part.bytes);
        while end.is_none() && matches!(filled, Ok(false)) && part.bytes.len() < longest_line {
            // Whole units, none of which ends a line.
            let seen = part.bytes.len();
            filled = fill(&mut part.bytes, seen + size, input);
            end = line_end.after_last(&part.bytes[seen..]).map(|end| seen + end);
        }
        let at_end = match filled {
            Ok(at_end) => at_end,
            Err(error) => break Rest::Unreadable(error),
        };
        if !at_end {
            match end {
                Some(end) => carried.extend(part.bytes.drain(end..)),
                None if part.bytes.len() >= longest_line => break Rest::LongLine,
                None => {}
            }
        }
        if part.bytes.is_empty() && given > 0 {
            break Rest::Nothing;
        }
        part.is_first = given == 0;
        // For each worker, one part in progress and one waiting.
        let mut free = Part::default();
        if given - taken == 2 * workers.len() {
            free = workers[taken % workers.len()].take();
            taken += 1;
            merged.add(&mut free)?;
        }
        workers[given % workers.len()].give(mem::replace(&mut part, free));
        given += 1;
    };
    while taken < given {
        merged.add(&mut workers[taken % workers.len()].take())?;
        taken += 1;
    }
    match rest {
        Rest::Nothing => Ok(()),
        Rest::LongLine => conversion.rest(merged, part.bytes, input),
        Rest::Unreadable(error) => {
            conversion.rest(merged, part.bytes, &mut Unreadable(Some(error)))
        }
    }
}

/// The input after the parts that were distributed.
enum Rest {
    Nothing,
    /// A line that is too long for a part.
    LongLine,
    /// It cannot be read.
    Unreadable(io::Error),
}

/// An input that fails with an error.
struct Unreadable(Option<io::Error>);

impl Read for Unreadable {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        self.0.take().map_or(Ok(0), Err)
    }
}

/// Reads until `bytes` has `length` bytes, or to the end of the input. Returns whether it is at the
/// end.
fn fill(bytes: &mut Vec<u8>, length: usize, input: &mut impl Read) -> io::Result<bool> {
    let wanted = length.saturating_sub(bytes.len()) as u64;
    input.by_ref().take(wanted).read_to_end(bytes)?;
    Ok(bytes.len() < length)
}

/// A thread that converts parts.
struct Worker {
    jobs: SyncSender<Part>,
    results: Receiver<Part>,
}

impl Worker {
    fn give(&self, part: Part) {
        self.jobs.send(part).expect("a worker waits for work until there is none");
    }

    /// Waits for the oldest part of this worker.
    fn take(&self) -> Part {
        self.results.recv().expect("a worker answers")
    }
}

/// Some lines, and the result of converting them.
#[derive(Default)]
struct Part {
    bytes: Vec<u8>,
    is_first: bool,
    /// The output buffer, which begins with the converted lines.
    room: Vec<u8>,
    done: Summary,
    lines: u64,
    error: Option<filter::Error>,
}

/// The conversion of a text, with or without a filter.
enum Path<'f> {
    Straight {
        transcoder: Box<Transcoder<'static>>,
        /// Bytes read and written so far.
        read: u64,
        written: u64,
        /// The last bytes read, in which an error may have begun.
        recent: Vec<u8>,
    },
    Filtered(Box<FilteredTranscoder<'f>>),
}

impl Path<'_> {
    /// Converts all of `bytes` to the start of `room`, which grows as needed.
    fn convert(
        &mut self,
        bytes: &[u8],
        last: bool,
        room: &mut Vec<u8>,
    ) -> Result<(), filter::Error> {
        match self {
            Self::Straight { transcoder, read, written, recent } => {
                let made = transcode(transcoder, bytes, last, room);
                let begin = *read - recent.len() as u64;
                *read += made.read as u64;
                *written += made.written as u64;
                let Some(error) = made.error else {
                    recent.extend_from_slice(&bytes[bytes.len().saturating_sub(CARRY)..]);
                    recent.drain(..recent.len().saturating_sub(CARRY));
                    return Ok(());
                };
                let position = transcoder.error_position().unwrap_or_default();
                let bytes = error.offset().checked_sub(begin).map_or(Vec::new(), |from| {
                    let known = recent.iter().chain(bytes).copied();
                    known.skip(from as usize).take(error.length() as usize).collect()
                });
                Err(filter::Error::Text { error, bytes, index: 0, position })
            }
            Self::Filtered(transcoder) => {
                room.clear();
                transcoder.transcode(bytes, last, room)
            }
        }
    }

    fn done(&self) -> Summary {
        match self {
            Self::Straight { transcoder, read, written, .. } => done(transcoder, *read, *written),
            Self::Filtered(transcoder) => transcoder.done(),
        }
    }

    fn lines(&self) -> u64 {
        match self {
            Self::Straight { transcoder, .. } => transcoder.lines(),
            Self::Filtered(transcoder) => transcoder.lines(),
        }
    }
}

/// The result of converting some bytes.
struct Made {
    read: usize,
    written: usize,
    error: Option<crate::Error>,
}

/// Converts all of `bytes` to the start of `room`, which grows as needed.
fn transcode(
    transcoder: &mut Transcoder<'_>,
    bytes: &[u8],
    last: bool,
    room: &mut Vec<u8>,
) -> Made {
    let (mut read, mut written) = (0, 0);
    loop {
        let progress = transcoder.transcode(&bytes[read..], &mut room[written..], last);
        read += progress.read;
        written += progress.written;
        let error = match progress.status {
            Status::OutputFull => {
                room.resize(room.len() + bytes.len() / 2 + 4096, 0);
                continue;
            }
            Status::InputEmpty => None,
            Status::Error(error) => Some(error),
        };
        return Made { read, written, error };
    }
}

fn done(transcoder: &Transcoder<'_>, read: u64, written: u64) -> Summary {
    Summary { read, written, counts: transcoder.counts() }
}

impl Summary {
    fn add(&mut self, part: Self) {
        self.read += part.read;
        self.written += part.written;
        self.counts += part.counts;
    }
}

/// Collects the parts.
struct Merged<'o> {
    done: Summary,
    lines: u64,
    output: &'o mut dyn Write,
}

impl Merged<'_> {
    fn add(&mut self, part: &mut Part) -> Result<(), Error> {
        let begin = self.done.read;
        let made = &part.room[..part.done.written as usize];
        self.output.write_all(made).map_err(Error::Write)?;
        self.done.add(part.done);
        if let Some(error) = part.error.take() {
            return Err(self.located(begin, error));
        }
        self.lines += part.lines;
        Ok(())
    }

    /// Adjusts an error of the part that begins at `begin`.
    fn located(&self, begin: u64, error: filter::Error) -> Error {
        let moved = |Position { line, column }| Position { line: line + self.lines, column };
        match error {
            filter::Error::Text { error, bytes, position, .. } => {
                Error::Text { error: error.moved(begin), bytes, position: moved(position) }
            }
            filter::Error::Rejected { offset, reason, position, .. } => {
                Error::Rejected { offset: offset + begin, reason, position: moved(position) }
            }
        }
    }
}
