//! Filters between decoding and encoding: line ends, normalization, or any other change that is
//! made in UTF-8 and does not depend on encodings.
//!
//! A [`Filter`] is placed between two conversions: from the source to UTF-8 and from UTF-8 to the
//! target. Errors are still reported at the offset in the source.
//!
//! ```
//! use utfall::filter::{Filter, FilteredTranscoder, Rejection};
//! use utfall::{Encoding, Options};
//!
//! /// a to A, and so on.
//! struct Upper;
//!
//! impl Filter for Upper {
//!     fn apply(&self, text: &[u8], _last: bool, out: &mut Vec<u8>) -> Result<usize, Rejection> {
//!         out.extend(text.iter().map(u8::to_ascii_uppercase));
//!         Ok(text.len())
//!     }
//!
//!     fn piece(&self, _text: &[u8]) -> usize {
//!         1
//!     }
//! }
//!
//! let (from, to) = (Encoding::Utf16Le, Encoding::Utf7);
//! let mut transcoder = FilteredTranscoder::new(from, to, Options::default(), &Upper);
//! let mut out = Vec::new();
//! transcoder.transcode(b"h\0i\0\x3A\x26", true, &mut out).unwrap();
//! assert_eq!(out, b"HI+Jjo-");
//! ```

mod origin;
mod pivot;

use std::fmt;
use std::vec::Vec;

use self::origin::{History, Place};
use self::pivot::Pivot;
use crate::codec::Encode;
use crate::encoding::{AnyDecoder, AnyEncoder};
use crate::engine::Engine;
use crate::lines::Position;
use crate::stream::parallel::Summary;
use crate::{Bom, Counts, Encoding, Options, Progress, Status};

/// Source bytes between two calls of a filter: the text they produce fits in the L1 or L2 cache.
const BLOCK: usize = 32 * 1024;

/// A change of text that does not depend on the encodings of source and target.
///
/// The text is UTF-8, in whole characters. Code points of a source that UTF-8 lacks (surrogates and
/// values above 10FFFF) are encoded as in [`Encoding::Utf8Perl`], and a filter must not change
/// them.
pub trait Filter: Sync {
    /// Appends the filtered `text` to `out`, as far as the result does not depend on the text that
    /// follows; all of it if `last`. Returns how many bytes of `text` were used. The rest is passed
    /// again, with more text after it.
    ///
    /// The output must not depend on how a text is split into calls.
    ///
    /// # Errors
    /// If the filter cannot continue. `out` has the output up to that point.
    fn apply(&self, text: &[u8], last: bool, out: &mut Vec<u8>) -> Result<usize, Rejection>;

    /// The length in bytes of the shortest piece at the start of `text` whose filtered form does
    /// not depend on the text after it. `text` is not empty. Called only to locate errors.
    fn piece(&self, text: &[u8]) -> usize;
}

/// The error of a [`Filter`] that does not accept a text. The conversion reports it as
/// [`Error::Rejected`], located in the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Rejection {
    /// The offset in the text passed to the filter, in bytes, at the start of a character.
    pub offset: usize,
    /// The reason, as a clause for a message.
    pub reason: &'static str,
}

impl Rejection {
    /// A rejection of the character at `offset` in the text passed to the filter, in bytes.
    ///
    /// ```
    /// use utfall::filter::Rejection;
    /// let rejection = Rejection::new(3, "a NUL");
    /// assert_eq!((rejection.offset, rejection.reason), (3, "a NUL"));
    /// ```
    #[must_use]
    pub const fn new(offset: usize, reason: &'static str) -> Self {
        Self { offset, reason }
    }
}

/// Why a [`FilteredTranscoder`] stopped, and where in the source.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// The text is ill-formed, or cannot be encoded.
    Text {
        /// The error. For a code point that the target lacks, its offset and length are those of
        /// the source characters it was made from.
        error: crate::Error,
        /// The source bytes of the error, as far as they are still buffered.
        bytes: Vec<u8>,
        /// The index of the text; each [`FilteredTranscoder::next_text`] adds one.
        index: usize,
        /// The line and column in that text.
        position: Position,
    },
    /// The filter rejected the text.
    Rejected {
        /// The offset of the character, in bytes of the source.
        offset: u64,
        /// The reason that the filter gave.
        reason: &'static str,
        /// The index of the text, as above.
        index: usize,
        /// The line and column in that text.
        position: Position,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text { position, .. } => {
                write!(f, "cannot convert line {}, column {}", position.line, position.column)
            }
            Self::Rejected { offset, reason, .. } => write!(f, "{reason} at offset {offset}"),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Text { error, .. } => Some(error),
            Self::Rejected { .. } => None,
        }
    }
}

/// A [`Transcoder`](crate::Transcoder) with a [`Filter`] between decoding and encoding.
///
/// Errors have the same offsets as those of a `Transcoder`. An unencodable code point that the
/// filter has produced is reported at the source text it was made from.
pub struct FilteredTranscoder<'f> {
    filter: &'f dyn Filter,
    options: Options,
    first: Engine<'static, AnyDecoder, Pivot>,
    second: Engine<'static, AnyDecoder, AnyEncoder>,
    target: Encoding,
    output_goes_on: bool,
    /// Text that the filter has not used yet, and its offset in all text before the filter.
    text: Vec<u8>,
    text_begin: u64,
    /// The length at which to call the filter again, so that unused text is not passed again for
    /// every byte.
    enough: usize,
    /// The output of the filter, and the length of its previous output.
    made: Vec<u8>,
    made_before: u64,
    history: History,
    read: u64,
    written: u64,
}

impl<'f> FilteredTranscoder<'f> {
    /// A stream from one encoding, through `filter`, to another.
    #[must_use]
    pub fn new(
        source: Encoding,
        target: Encoding,
        options: Options,
        filter: &'f dyn Filter,
    ) -> Self {
        let (before, after) = pivot::options(options, target);
        let middle = pivot::encoding(source, &before);
        let mut first = Engine::with(
            source,
            AnyDecoder::new(source, &before),
            middle,
            Pivot::new(middle, &before),
            before,
        );
        first.track_position();
        let mut second = Engine::new(middle, target, after);
        // Only the first engine handles BOMs.
        second.begin_inside(0);
        Self {
            filter,
            options: before,
            first,
            second,
            target,
            output_goes_on: false,
            text: Vec::new(),
            text_begin: 0,
            enough: 0,
            made: Vec::new(),
            made_before: 0,
            history: History::default(),
            read: 0,
            written: 0,
        }
    }

    /// As [`Transcoder::set_output_goes_on`](crate::Transcoder::set_output_goes_on): the filter too
    /// treats the text as continuing.
    pub fn set_output_goes_on(&mut self, goes_on: bool) {
        self.output_goes_on = goes_on;
        self.first.set_output_goes_on(goes_on);
    }

    /// As [`Transcoder::next_text`](crate::Transcoder::next_text).
    pub fn next_text(&mut self, source: Encoding, bom: Bom) {
        let options = Options { bom, ..self.options };
        self.options = pivot::options(options, self.target).0;
        let middle = pivot::encoding(source, &self.options);
        self.first.set_sink(middle, Pivot::new(middle, &self.options));
        self.second.set_decoder(middle, AnyDecoder::new(middle, &self.options));
        self.first.next_text(source, self.options.bom);
        self.history.next_text();
    }

    /// Converts all of `src` and appends the result to `out`, except the part that depends on the
    /// text after it. `last` means that this is the end of the text.
    ///
    /// # Errors
    /// The first error in the text for which the policy is to stop, or the first rejection by
    /// the filter. `out` has the output up to that point. Do not call this again after an error.
    pub fn transcode(&mut self, src: &[u8], last: bool, out: &mut Vec<u8>) -> Result<(), Error> {
        let before = out.len();
        let result = self.run(src, last, out);
        self.written += (out.len() - before) as u64;
        result
    }

    /// The totals so far. If the target lacks a replacement for an ill-formed sequence, each of its
    /// code points also counts as unencodable, and as skipped if it is skipped. This includes those
    /// that [`Policy::SurrogateEscape`](crate::Policy) turns back into bytes.
    #[must_use]
    pub fn done(&self) -> Summary {
        let (first, second) = (self.first.counts(), self.second.counts());
        Summary {
            read: self.read,
            written: self.written,
            counts: Counts {
                unencodable: first.unencodable + second.unencodable,
                skipped: first.skipped + second.skipped,
                ..first
            },
        }
    }

    /// How many line ends there were.
    pub(crate) fn lines(&self) -> u64 {
        self.first.position().map_or(0, |position| position.line - 1)
    }

    fn run(&mut self, src: &[u8], last: bool, out: &mut Vec<u8>) -> Result<(), Error> {
        let mut rest = src;
        loop {
            let (block, after) = rest.split_at(rest.len().min(BLOCK));
            rest = after;
            let ends = last && rest.is_empty();
            self.history.remember(&self.first, self.text_begin + self.text.len() as u64, block);
            if ends {
                self.history.end();
            }
            let (read, error) =
                convert(block, &mut self.text, |src, dst| self.first.run(src, dst, ends));
            self.read += read as u64;
            if self.first.sink_mut().takes_mark() {
                self.second.sink_mut().omit_bom();
            }
            // The text before an error is complete: the error comes first unless the filter reports
            // another one.
            let settled = ends && !self.output_goes_on || error.is_some();
            self.filter(settled, out)?;
            if let Some(error) = error {
                let position = self.first.error_position().unwrap_or_default();
                return Err(self.history.error(error, position));
            }
            if ends && !self.output_goes_on {
                convert(&[], out, |src, dst| self.second.run(src, dst, true));
            }
            if rest.is_empty() {
                return Ok(());
            }
        }
    }

    /// Filters and encodes as much of the text as possible.
    fn filter(&mut self, last: bool, out: &mut Vec<u8>) -> Result<(), Error> {
        if self.text.len() < self.enough && !last {
            return Ok(());
        }
        self.made.clear();
        let applied = self.filter.apply(&self.text, last, &mut self.made);
        let (_, error) = convert(&self.made, out, |src, dst| self.second.run(src, dst, false));
        if let Some(error) = error {
            return Err(self.unencodable(error));
        }
        match applied {
            Ok(taken) => {
                self.made_before += self.made.len() as u64;
                self.text_begin += taken as u64;
                self.text.drain(..taken);
                self.enough = if taken == 0 { 2 * self.text.len() } else { 0 };
                self.history.forget(self.text_begin);
                Ok(())
            }
            Err(Rejection { offset, reason }) => {
                let Place { text, error, position } =
                    self.history.place(self.text_begin + offset as u64);
                Err(Error::Rejected { offset: error.offset, reason, index: text, position })
            }
        }
    }

    /// Turns an error of the encoder, whose offset is in the filter's output, into one located in
    /// the source.
    fn unencodable(&self, error: crate::Error) -> Error {
        let at = (error.offset - self.made_before) as usize;
        let from =
            origin::of(self.filter, &self.text, &self.made[at..][..error.length as usize], at);
        let (begin, end) = (self.text_begin + from.start as u64, self.text_begin + from.end as u64);
        let first = self.history.place(begin);
        let last = self.history.last_place(&self.text[from], begin, end);
        let after = last.error.offset + u64::from(last.error.length);
        let length = match last.text == first.text {
            true => after.saturating_sub(first.error.offset).try_into().unwrap_or(u32::MAX),
            // Characters of two texts have been combined into one.
            false => first.error.length,
        };
        let error = crate::Error { offset: first.error.offset, length, run_bit: None, ..error };
        self.history.error_in(first.text, error, first.position)
    }
}

impl fmt::Debug for FilteredTranscoder<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let encodings = (self.first.encodings().0, self.target);
        f.debug_struct("FilteredTranscoder").field("encodings", &encodings).finish_non_exhaustive()
    }
}

/// Converts all of `src` and appends it to `out`. Returns how many bytes were read, and the error
/// that stopped it, if any.
fn convert(
    src: &[u8],
    out: &mut Vec<u8>,
    mut run: impl FnMut(&[u8], &mut [u8]) -> Progress,
) -> (usize, Option<crate::Error>) {
    let (mut read, mut written) = (0, out.len());
    loop {
        out.resize(written + src.len() + src.len() / 2 + 64, 0);
        let progress = run(&src[read..], &mut out[written..]);
        read += progress.read;
        written += progress.written;
        let error = match progress.status {
            Status::OutputFull => continue,
            Status::InputEmpty => None,
            Status::Error(error) => Some(error),
        };
        out.truncate(written);
        return (read, error);
    }
}
