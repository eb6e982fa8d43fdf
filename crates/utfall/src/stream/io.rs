//! [`std::io`] adapters: [`Reader`] converts while reading, [`Writer`] converts while writing.

use std::boxed::Box;
use std::fmt;
use std::io::{self, BufRead, ErrorKind, Read, Write};
use std::vec;

use crate::{Encoding, Options, Progress, Status, Transcoder};

/// The usual size of a buffer.
const BUFFER: usize = 32 * 1024;
/// Enough for any one sequence, so that every call makes progress.
const SMALLEST_BUFFER: usize = 64;

/// Reads text from `R` and converts it to another encoding.
///
/// Under [`Policy::Strict`](crate::Policy), an ill-formed sequence or a code point that the target
/// lacks is an [`io::Error`] of kind `InvalidData` with the [`Error`](crate::Error) inside. It is
/// returned after all text before it; the next read continues after it.
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
    /// Converted bytes: `ready[begin..end]`.
    ready: Box<[u8]>,
    begin: usize,
    end: usize,
    /// An error that comes after the bytes in `ready`.
    error: Option<io::Error>,
    done: bool,
}

impl<R> fmt::Debug for Reader<'_, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reader").field("transcoder", &self.transcoder).finish_non_exhaustive()
    }
}

impl<R: Read> Reader<'_, R> {
    /// Reads `source`, which is in encoding `from`, and converts it to `to`.
    pub fn new(source: R, from: Encoding, to: Encoding, options: Options) -> Self {
        Self::with_transcoder(source, Transcoder::new(from, to, options))
    }
}

impl<'h, R: Read> Reader<'h, R> {
    /// Reads `source` through `transcoder`.
    pub fn with_transcoder(source: R, transcoder: Transcoder<'h>) -> Self {
        Self::with_capacity(BUFFER, source, transcoder)
    }

    /// Like [`Reader::with_transcoder`], with two buffers of `capacity` bytes, at least 64. The
    /// other functions use 32 KiB.
    pub fn with_capacity(capacity: usize, source: R, transcoder: Transcoder<'h>) -> Self {
        let capacity = capacity.max(SMALLEST_BUFFER);
        Self {
            source: io::BufReader::with_capacity(capacity, source),
            transcoder,
            ready: vec![0; capacity].into_boxed_slice(),
            begin: 0,
            end: 0,
            error: None,
            done: false,
        }
    }

    /// The transcoder, for its statistics.
    pub fn transcoder(&self) -> &Transcoder<'h> {
        &self.transcoder
    }

    /// The source. Bytes already buffered are no longer in it.
    pub fn get_ref(&self) -> &R {
        self.source.get_ref()
    }

    /// The source. Bytes read from it directly are missing from the converted text.
    pub fn get_mut(&mut self) -> &mut R {
        self.source.get_mut()
    }

    /// The source. Buffered bytes are lost.
    pub fn into_inner(self) -> R {
        self.source.into_inner()
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

/// Accepts text in one encoding and writes it to `W` in another.
///
/// Call [`Writer::finish`] at the end: it closes an open shifted run and reports an incomplete
/// sequence. Dropping the writer does neither.
///
/// [`write`](Write::write) returns the number of input bytes consumed, and an error only if there
/// are none. So an error in the text or of the target that comes after some input was consumed is
/// returned by the next call of `write`, [`flush`](Write::flush) or `finish`. After that, writing
/// continues where it stopped. Converted bytes that the target has not accepted yet are buffered.
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
    /// Converted bytes; `converted[begin..end]` has not been written yet.
    converted: Box<[u8]>,
    begin: usize,
    end: usize,
    /// An error to return from the next call.
    error: Option<io::Error>,
}

impl<W: Write> fmt::Debug for Writer<'_, W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Writer").field("transcoder", &self.transcoder).finish_non_exhaustive()
    }
}

impl<W: Write> Writer<'_, W> {
    /// Accepts encoding `from` and writes encoding `to` to `target`.
    pub fn new(target: W, from: Encoding, to: Encoding, options: Options) -> Self {
        Self::with_transcoder(target, Transcoder::new(from, to, options))
    }
}

impl<'h, W: Write> Writer<'h, W> {
    /// Writes to `target` through `transcoder`.
    pub fn with_transcoder(target: W, transcoder: Transcoder<'h>) -> Self {
        Self::with_capacity(BUFFER, target, transcoder)
    }

    /// Like [`Writer::with_transcoder`], with a buffer of `capacity` bytes, at least 64. The other
    /// functions use 32 KiB.
    pub fn with_capacity(capacity: usize, target: W, transcoder: Transcoder<'h>) -> Self {
        let converted = vec![0; capacity.max(SMALLEST_BUFFER)].into_boxed_slice();
        Self { target, transcoder, converted, begin: 0, end: 0, error: None }
    }

    /// The transcoder, for its statistics.
    pub fn transcoder(&self) -> &Transcoder<'h> {
        &self.transcoder
    }

    /// The target.
    pub fn get_ref(&self) -> &W {
        &self.target
    }

    /// The target. Bytes written to it directly may come before converted bytes that are still
    /// buffered.
    pub fn get_mut(&mut self) -> &mut W {
        &mut self.target
    }

    /// The target, without finishing the text: buffered bytes are lost.
    pub fn into_inner(self) -> W {
        self.target
    }

    /// Finishes the text, flushes, and returns the target.
    ///
    /// # Errors
    /// `InvalidData` if the text ends inside a sequence or an earlier error has not been returned
    /// yet; otherwise errors of the target. The error contains the writer, so nothing is lost.
    pub fn finish(mut self) -> Result<W, FinishError<'h, W>> {
        match self.try_finish() {
            Ok(()) => Ok(self.target),
            Err(error) => Err(FinishError { error, writer: Box::new(self) }),
        }
    }

    fn try_finish(&mut self) -> io::Result<()> {
        self.settle()?;
        loop {
            let progress = self.convert(&[], true);
            if let Status::Error(error) = progress.status {
                self.error = Some(invalid_data(error));
            }
            self.drain()?;
            self.error.take().map_or(Ok(()), Err)?;
            if progress.status == Status::InputEmpty {
                return self.target.flush();
            }
        }
    }

    /// Converts as much as the buffer can hold. The buffer must be empty.
    fn convert(&mut self, input: &[u8], last: bool) -> Progress {
        let progress = self.transcoder.transcode(input, &mut self.converted, last);
        (self.begin, self.end) = (0, progress.written);
        progress
    }

    /// Writes the converted bytes.
    fn drain(&mut self) -> io::Result<()> {
        while self.begin < self.end {
            match self.target.write(&self.converted[self.begin..self.end]) {
                Ok(0) => return Err(ErrorKind::WriteZero.into()),
                Ok(count) => self.begin += count,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Completes an earlier call: first its error, then its output.
    fn settle(&mut self) -> io::Result<()> {
        self.error.take().map_or(Ok(()), Err)?;
        self.drain()
    }
}

impl<W: Write> Write for Writer<'_, W> {
    fn write(&mut self, input: &[u8]) -> io::Result<usize> {
        self.settle()?;
        let mut read = 0;
        while read < input.len() {
            let progress = self.convert(&input[read..], false);
            read += progress.read;
            let found = match progress.status {
                Status::Error(error) => Err(invalid_data(error)),
                Status::InputEmpty | Status::OutputFull => Ok(()),
            };
            // An error of the target is returned again as long as it does not accept the buffered
            // bytes.
            if let Err(error) = found.and(self.drain()) {
                if read == 0 {
                    return Err(error);
                }
                self.error = Some(error);
                break;
            }
        }
        Ok(read)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.settle()?;
        self.target.flush()
    }
}

/// Why [`Writer::finish`] failed, with the writer.
pub struct FinishError<'h, W: Write> {
    error: io::Error,
    writer: Box<Writer<'h, W>>,
}

impl<'h, W: Write> FinishError<'h, W> {
    /// The error.
    pub fn error(&self) -> &io::Error {
        &self.error
    }

    /// The writer, to try again or to recover the target.
    pub fn into_writer(self) -> Writer<'h, W> {
        *self.writer
    }
}

impl<W: Write> From<FinishError<'_, W>> for io::Error {
    fn from(failed: FinishError<'_, W>) -> Self {
        failed.error
    }
}

impl<W: Write> fmt::Debug for FinishError<'_, W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error.fmt(f)
    }
}

impl<W: Write> fmt::Display for FinishError<'_, W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error.fmt(f)
    }
}

impl<W: Write> std::error::Error for FinishError<'_, W> {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.error)
    }
}

fn invalid_data(error: crate::Error) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, error)
}
