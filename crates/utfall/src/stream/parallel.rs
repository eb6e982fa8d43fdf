//! One long text on several threads, with the output of one.
//!
//! The text is cut behind line ends, where neither encoding needs to know what stood before,
//! and its parts are put together in order. Where no line ends for megabytes, one thread
//! converts what is left.
//!
//! ```
//! use utfall::{Encoding, Options, parallel};
//! let text = "naïve\n".repeat(1000);
//! let mut out = Vec::new();
//! let (from, to) = (Encoding::Utf8, Encoding::Utf7);
//! assert!(parallel::is_possible(from, to));
//! let done = parallel::convert((from, to), Options::default(), 2, text.as_bytes(), &mut out)?;
//! assert_eq!((done.read, done.written), (7000, out.len() as u64));
//! assert_eq!(*out, *to.encode(&text).unwrap());
//! # Ok::<(), parallel::Failed>(())
//! ```

use std::boxed::Box;
use std::io::{self, Read, Write};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::vec::Vec;
use std::{fmt, mem, thread};

use crate::filter::{Cause, Filter, FilteredTranscoder, Stopped};
use crate::lines::{LineEnd, Position};
use crate::pivot::CARRY;
use crate::{Bom, Encoding, Error, Options, Status, Transcoder, Utf7Leniences};

/// Bytes of a part, to the line end before. The inputs of a fuzzer are short.
const PART: usize = if cfg!(fuzzing) { 100 } else { 512 * 1024 };
/// Bytes without a line end that make one thread convert the rest.
const LONGEST_LINE: usize = 16 * PART;
/// More threads are of no use, and not every system gives so many.
const MOST_THREADS: usize = 256;

/// Whether text can be converted in parts.
#[must_use]
pub fn is_possible(source: Encoding, target: Encoding) -> bool {
    LineEnd::of(source).is_some() && LineEnd::of(target).is_some()
}

/// Whether that is worth it: between UTF-8, UTF-16, UTF-32 and Latin-1 one thread is as fast as
/// memory.
#[must_use]
pub fn is_worthwhile(source: Encoding, target: Encoding) -> bool {
    let is_plain = source.info().form.is_some() && target.info().form.is_some();
    is_possible(source, target) && !is_plain
}

/// What was done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Done {
    /// Bytes read.
    pub read: u64,
    /// Bytes written.
    pub written: u64,
    /// Ill-formed sequences that a policy dealt with.
    pub ill_formed: u64,
    /// Code points the target lacks that a policy dealt with.
    pub unencodable: u64,
    /// What leniences let pass: how often, and which.
    pub passed: u64,
    /// See [`passed`](Self::passed).
    pub leniences: Utf7Leniences,
}

/// Why a conversion stopped. What stood before has been written.
#[derive(Debug)]
pub enum Failed {
    /// Something is wrong with the text.
    Text {
        /// With its offset in the whole text.
        error: Error,
        /// Its line and column.
        position: Position,
        /// The bytes of the sequence.
        octets: Vec<u8>,
    },
    /// A filter has refused.
    Refused {
        /// Where in the whole text.
        offset: u64,
        /// The line and column there.
        position: Position,
        /// Why.
        reason: &'static str,
    },
    /// The input cannot be read.
    Read(io::Error),
    /// The output cannot be written.
    Write(io::Error),
}

impl fmt::Display for Failed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text { error, .. } => error.fmt(f),
            Self::Refused { offset, reason, .. } => write!(f, "{reason} at offset {offset}"),
            Self::Read(error) => write!(f, "cannot read: {error}"),
            Self::Write(error) => write!(f, "cannot write: {error}"),
        }
    }
}

impl std::error::Error for Failed {}

/// Converts all of `input`, on so many threads besides this one, or as many as can be started,
/// no more than 256.
/// Where [`is_possible`] says no, or none can, on this one.
///
/// # Errors
/// The first that one thread would meet, with the same offset; what comes before it has been
/// written.
pub fn convert(
    (source, target): (Encoding, Encoding),
    options: Options,
    threads: usize,
    input: impl Read,
    output: impl Write,
) -> Result<Done, Failed> {
    convert_with((source, target), options, None, threads, input, output)
}

/// Converts as [`convert`] does, and has a filter change the text on its way. A line feed must be
/// a boundary to the filter: what stands on both sides of one does not depend on each other.
///
/// # Errors
/// As [`convert`]; for code points that the filter makes and the target lacks, where the text
/// stands that they came from.
pub fn convert_filtered(
    pair: (Encoding, Encoding),
    options: Options,
    filter: &dyn Filter,
    threads: usize,
    input: impl Read,
    output: impl Write,
) -> Result<Done, Failed> {
    convert_with(pair, options, Some(filter), threads, input, output)
}

fn convert_with(
    (source, target): (Encoding, Encoding),
    options: Options,
    filter: Option<&dyn Filter>,
    threads: usize,
    mut input: impl Read,
    mut output: impl Write,
) -> Result<Done, Failed> {
    let task = Task { source, target, options, filter };
    let mut merged = Merged { done: Done::default(), lines: 0, output: &mut output };
    let line_end = LineEnd::of(source).filter(|_| threads > 1 && is_possible(source, target));
    let Some(line_end) = line_end else {
        return task.rest(&mut merged, Vec::new(), &mut input).map(|()| merged.done);
    };
    thread::scope(|scope| {
        let mut workers = Vec::new();
        for _ in 0..threads.min(MOST_THREADS) {
            let (jobs, inbox) = sync_channel(1);
            let (outbox, results) = sync_channel(1);
            let work = move || task.work(inbox, outbox);
            // The system may have no more of them, or none at all, as WebAssembly.
            let Ok(_) = thread::Builder::new().spawn_scoped(scope, work) else { break };
            workers.push(Worker { jobs, results });
        }
        if workers.is_empty() {
            return task.rest(&mut merged, Vec::new(), &mut input);
        }
        split(task, line_end, workers, &mut merged, &mut input)
    })?;
    Ok(merged.done)
}

/// Gives parts to the workers in turn, and takes what they made of them in the same turn.
fn split(
    task: Task<'_>,
    line_end: LineEnd,
    workers: Vec<Worker>,
    merged: &mut Merged<'_>,
    input: &mut impl Read,
) -> Result<(), Failed> {
    // How many parts have been given, and taken.
    let (mut given, mut taken) = (0, 0);
    let (mut part, mut carried) = (Part::default(), Vec::new());
    let is_long = loop {
        part.bytes.clear();
        part.bytes.append(&mut carried);
        let at_end = fill(&mut part.bytes, PART, input).map_err(Failed::Read)?;
        let mut end = line_end.behind_last(&part.bytes);
        while end.is_none() && !at_end && part.bytes.len() < LONGEST_LINE {
            // Whole units, none of which ends a line.
            let seen = part.bytes.len();
            if fill(&mut part.bytes, seen + PART, input).map_err(Failed::Read)? {
                break;
            }
            end = line_end.behind_last(&part.bytes[seen..]).map(|end| seen + end);
        }
        if !at_end {
            match end {
                Some(end) => carried.extend(part.bytes.drain(end..)),
                None if part.bytes.len() >= LONGEST_LINE => break true,
                None => {}
            }
        }
        if part.bytes.is_empty() && given > 0 {
            break false;
        }
        part.is_first = given == 0;
        // One that is converted and one that waits, for each worker.
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
    if is_long { task.rest(merged, part.bytes, input) } else { Ok(()) }
}

/// Reads until there are so many bytes, or no more. Returns whether there are no more.
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

    /// Waits for the part that it has had longest.
    fn take(&self) -> Part {
        self.results.recv().expect("a worker answers")
    }
}

/// Some lines, and what became of them.
#[derive(Default)]
struct Part {
    bytes: Vec<u8>,
    is_first: bool,
    /// Begins with what they became.
    room: Vec<u8>,
    done: Done,
    lines: u64,
    error: Option<Stopped>,
}

/// What all parts share.
#[derive(Clone, Copy)]
struct Task<'f> {
    source: Encoding,
    target: Encoding,
    options: Options,
    filter: Option<&'f dyn Filter>,
}

impl<'f> Task<'f> {
    fn path(&self, is_first: bool) -> Path<'f> {
        // A mark is one at the start of the text only.
        let bom = if is_first { self.options.bom } else { Bom::Keep };
        let options = Options { bom, ..self.options };
        match self.filter {
            None => {
                let transcoder = Transcoder::new(self.source, self.target, options);
                let transcoder = Box::new(transcoder.track_position());
                Path::Straight { transcoder, read: 0, written: 0, recent: Vec::new() }
            }
            Some(filter) => {
                let pair = (self.source, self.target);
                Path::Filtered(Box::new(FilteredTranscoder::new(pair, options, filter)))
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

    /// Converts what is left on this thread, of which `bytes` have been read.
    fn rest(
        &self,
        merged: &mut Merged<'_>,
        mut bytes: Vec<u8>,
        input: &mut impl Read,
    ) -> Result<(), Failed> {
        let before = merged.done;
        let (mut path, mut room) = (self.path(before.read == 0), Vec::new());
        loop {
            let at_end = fill(&mut bytes, PART, input).map_err(Failed::Read)?;
            let written = path.done().written;
            let result = path.convert(&bytes, at_end, &mut room);
            merged.done = before;
            merged.done.add(path.done());
            let made = &room[..(path.done().written - written) as usize];
            merged.output.write_all(made).map_err(Failed::Write)?;
            result.map_err(|stopped| merged.failed(before.read, stopped))?;
            if at_end {
                return Ok(());
            }
            bytes.clear();
        }
    }
}

/// The way of a text.
enum Path<'f> {
    Straight {
        transcoder: Box<Transcoder<'static>>,
        /// What has been read and written.
        read: u64,
        written: u64,
        /// The last bytes read, in which an error may have begun.
        recent: Vec<u8>,
    },
    Filtered(Box<FilteredTranscoder<'f>>),
}

impl Path<'_> {
    /// Converts all of `bytes` to the start of `room`, which grows as it has to.
    fn convert(&mut self, bytes: &[u8], last: bool, room: &mut Vec<u8>) -> Result<(), Stopped> {
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
                Err(Stopped { text: 0, position, cause: Cause::Text { error, octets: bytes } })
            }
            Self::Filtered(transcoder) => {
                room.clear();
                transcoder.transcode(bytes, last, room)
            }
        }
    }

    fn done(&self) -> Done {
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

/// What became of some bytes.
struct Made {
    read: usize,
    written: usize,
    error: Option<Error>,
}

/// Converts all of `bytes` to the start of `room`, which grows as it has to.
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

fn done(transcoder: &Transcoder<'_>, read: u64, written: u64) -> Done {
    Done {
        read,
        written,
        ill_formed: transcoder.ill_formed(),
        unencodable: transcoder.unencodable(),
        passed: transcoder.passed(),
        leniences: transcoder.leniences(),
    }
}

impl Done {
    fn add(&mut self, part: Self) {
        self.read += part.read;
        self.written += part.written;
        self.ill_formed += part.ill_formed;
        self.unencodable += part.unencodable;
        self.passed += part.passed;
        self.leniences |= part.leniences;
    }
}

/// The parts put together.
struct Merged<'o> {
    done: Done,
    lines: u64,
    output: &'o mut dyn Write,
}

impl Merged<'_> {
    fn add(&mut self, part: &mut Part) -> Result<(), Failed> {
        let begin = self.done.read;
        let made = &part.room[..part.done.written as usize];
        self.output.write_all(made).map_err(Failed::Write)?;
        self.done.add(part.done);
        if let Some(stopped) = part.error.take() {
            return Err(self.failed(begin, stopped));
        }
        self.lines += part.lines;
        Ok(())
    }

    /// An error of a part that begins at `begin`.
    fn failed(&self, begin: u64, stopped: Stopped) -> Failed {
        let Position { line, column } = stopped.position;
        let position = Position { line: line + self.lines, column };
        match stopped.cause {
            Cause::Text { error, octets: bytes } => {
                Failed::Text { error: error.moved(begin), position, octets: bytes }
            }
            Cause::Refused { offset, reason } => {
                Failed::Refused { offset: offset + begin, position, reason }
            }
        }
    }
}
