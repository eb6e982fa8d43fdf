//! [`std::io`] adapters: a [`Reader`] that gives another encoding than its source has, and a
//! [`Writer`] that passes on another encoding than it is given.

use std::boxed::Box;
use std::fmt;
use std::io::{self, BufRead, ErrorKind, Read, Write};
use std::vec;

use crate::{Encoding, Options, Progress, Status, Transcoder};

/// Octets held between two calls. The inputs of a fuzzer are short.
const BUFFER: usize = if cfg!(fuzzing) { 100 } else { 32 * 1024 };

/// Reads from `R` and gives the text in another encoding.
///
/// An ill-formed sequence, or a code point the target lacks, under [`Policy::Strict`](crate::Policy)
/// is an [`io::Error`] of kind `InvalidData` with the [`Error`](crate::Error) inside. What
/// stood before it has been read by then, and reading again goes on behind it.
///
/// ```
/// use std::io::Read;
/// use utfall::{Encoding, Options, io::Reader};
/// let source = &b"A+ImIDkQ."[..];
/// let mut text = String::new();
/// Reader::new(source, Encoding::Utf7, Encoding::Utf8, Options::default())
///     .read_to_string(&mut text)?;
/// assert_eq!(text, "A≢Α.");
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct Reader<'h, R> {
    source: io::BufReader<R>,
    transcoder: Transcoder<'h>,
    /// Converted octets: `ready[begin..end]`.
    ready: Box<[u8]>,
    begin: usize,
    end: usize,
    /// An error found behind what is ready.
    error: Option<io::Error>,
    done: bool,
}

impl<R> fmt::Debug for Reader<'_, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reader").field("transcoder", &self.transcoder).finish_non_exhaustive()
    }
}

impl<R: Read> Reader<'_, R> {
    /// Reads `source`, which is in encoding `from`, and gives encoding `to`.
    pub fn new(source: R, from: Encoding, to: Encoding, options: Options) -> Self {
        Self::with_transcoder(source, Transcoder::new(from, to, options))
    }
}

impl<'h, R: Read> Reader<'h, R> {
    /// Reads `source` through `transcoder`.
    pub fn with_transcoder(source: R, transcoder: Transcoder<'h>) -> Self {
        Self {
            source: io::BufReader::with_capacity(BUFFER, source),
            transcoder,
            ready: vec![0; BUFFER].into_boxed_slice(),
            begin: 0,
            end: 0,
            error: None,
            done: false,
        }
    }

    /// The transcoder, for its counts.
    pub fn transcoder(&self) -> &Transcoder<'h> {
        &self.transcoder
    }
}

impl<R: Read> Read for Reader<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut ready = self.fill_buf()?;
        let count = ready.read(buffer)?;
        self.consume(count);
        Ok(count)
    }
}

impl<R: Read> BufRead for Reader<'_, R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        while self.begin == self.end {
            if let Some(error) = self.error.take() {
                return Err(error);
            }
            if self.done {
                break;
            }
            let input = match self.source.fill_buf() {
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                input => input?,
            };
            let last = input.is_empty();
            let progress = self.transcoder.transcode(input, &mut self.ready, last);
            self.source.consume(progress.read);
            (self.begin, self.end) = (0, progress.written);
            match progress.status {
                Status::InputEmpty => self.done = last,
                Status::OutputFull => {}
                Status::Error(error) => self.error = Some(invalid_data(error)),
            }
        }
        Ok(&self.ready[self.begin..self.end])
    }

    fn consume(&mut self, count: usize) {
        self.begin = self.end.min(self.begin + count);
    }
}

/// Takes text in one encoding and writes it to `W` in another.
///
/// Call [`Writer::finish`] at the end: a shifted run may have to be closed, and a sequence may
/// be incomplete. Dropping the writer does neither.
///
/// ```
/// use std::io::Write;
/// use utfall::{Encoding, Options, io::Writer};
/// let mut writer = Writer::new(Vec::new(), Encoding::Utf8, Encoding::Utf7, Options::default());
/// writer.write_all("A≢Α".as_bytes())?;
/// assert_eq!(writer.finish()?, b"A+ImIDkQ-");
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct Writer<'h, W: Write> {
    target: W,
    transcoder: Transcoder<'h>,
    converted: Box<[u8]>,
}

impl<W: Write> fmt::Debug for Writer<'_, W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Writer").field("transcoder", &self.transcoder).finish_non_exhaustive()
    }
}

impl<W: Write> Writer<'_, W> {
    /// Takes encoding `from` and writes encoding `to` to `target`.
    pub fn new(target: W, from: Encoding, to: Encoding, options: Options) -> Self {
        Self::with_transcoder(target, Transcoder::new(from, to, options))
    }
}

impl<'h, W: Write> Writer<'h, W> {
    /// Writes to `target` through `transcoder`.
    pub fn with_transcoder(target: W, transcoder: Transcoder<'h>) -> Self {
        Self { target, transcoder, converted: vec![0; BUFFER].into_boxed_slice() }
    }

    /// The transcoder, for its counts.
    pub fn transcoder(&self) -> &Transcoder<'h> {
        &self.transcoder
    }

    /// Ends the text, flushes, and gives the target back.
    ///
    /// # Errors
    /// `InvalidData` if the text ends inside a sequence; what the target reports.
    pub fn finish(mut self) -> io::Result<W> {
        loop {
            let (_, progress) = self.convert(&[], true)?;
            match progress.status {
                Status::InputEmpty => break,
                Status::OutputFull => {}
                Status::Error(error) => return Err(invalid_data(error)),
            }
        }
        self.target.flush()?;
        Ok(self.target)
    }

    /// One step, all of its output written. Returns the octets read.
    fn convert(&mut self, input: &[u8], last: bool) -> io::Result<(usize, Progress)> {
        let progress = self.transcoder.transcode(input, &mut self.converted, last);
        self.target.write_all(&self.converted[..progress.written])?;
        Ok((progress.read, progress))
    }
}

impl<W: Write> Write for Writer<'_, W> {
    fn write(&mut self, input: &[u8]) -> io::Result<usize> {
        let mut read = 0;
        while read < input.len() {
            let (octets, progress) = self.convert(&input[read..], false)?;
            read += octets;
            if let Status::Error(error) = progress.status {
                return Err(invalid_data(error));
            }
        }
        Ok(read)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.target.flush()
    }
}

fn invalid_data(error: crate::Error) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, error)
}
