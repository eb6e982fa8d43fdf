//! Converts texts that arrive in chunks.

use std::{error, fmt};

use utfall::Error as TextError;
use utfall_simd::dispatch;

use crate::bulk::{Bulk, Late};
use crate::names::{Charset, Code};
use crate::source::{Source, Stop};
use crate::subst::Format;
use crate::target::Target;
use crate::translit;

/// Bytes of earlier chunks that are remembered: more than the longest ill-formed sequence.
const MEMORY: usize = 16;
/// Code points between decoding and encoding.
const BLOCK: usize = 4096;
/// Bytes that are converted by way of code points where kernels have stopped.
const SLOW: usize = 128;
/// The space for the output of a kernel, in bytes.
const ROOM: usize = 16 * 1024;

/// How to handle text that cannot be converted.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Rules {
    /// `-c` or `//IGNORE`: omit ill-formed bytes and characters that the target lacks.
    pub skip: bool,
    /// Omit characters that the target lacks, but not ill-formed bytes.
    pub discard: bool,
    /// `//TRANSLIT`: replace characters that the target lacks with text that looks or reads alike,
    /// or with `?`.
    pub transliterate: bool,
    /// Replacement for each ill-formed byte.
    pub byte: Option<Format>,
    /// Replacement for a character that the target lacks, if it has no transliteration.
    pub unicode: Option<Format>,
}

impl Rules {
    /// Sets [`skip`](Self::skip).
    #[must_use]
    pub fn with_skip(self, skip: bool) -> Self {
        Self { skip, ..self }
    }

    /// Sets [`discard`](Self::discard).
    #[must_use]
    pub fn with_discard(self, discard: bool) -> Self {
        Self { discard, ..self }
    }

    /// Sets [`transliterate`](Self::transliterate).
    #[must_use]
    pub fn with_transliterate(self, transliterate: bool) -> Self {
        Self { transliterate, ..self }
    }

    /// Sets [`byte`](Self::byte).
    #[must_use]
    pub fn with_byte(self, byte: impl Into<Option<Format>>) -> Self {
        Self { byte: byte.into(), ..self }
    }

    /// Sets [`unicode`](Self::unicode).
    #[must_use]
    pub fn with_unicode(self, unicode: impl Into<Option<Format>>) -> Self {
        Self { unicode: unicode.into(), ..self }
    }

    /// These rules and those that the suffixes of `to` ask for.
    pub(crate) fn with_suffixes(self, to: Code) -> Self {
        Self {
            skip: self.skip || to.ignore,
            discard: self.discard || to.discard,
            transliterate: self.transliterate || to.transliterate,
            ..self
        }
    }
}

/// Converts one text after another.
///
/// ```
/// use utfall_iconv::{Converter, Charset, Rules};
/// let charset = |name| Charset::for_name(name).unwrap();
/// let rules = Rules::default().with_transliterate(true);
/// let mut converter = Converter::new(charset("CP437"), charset("ASCII"), rules).unwrap();
/// let mut out = Vec::new();
/// converter.convert(b"cr\x8Ame", true, &mut out).unwrap();
/// assert_eq!(out, b"creme");
/// ```
pub struct Converter {
    from: Charset,
    source: Source,
    target: Target,
    rules: Rules,
    points: Vec<u32>,
    to: Charset,
    /// Kernels for most of the text, and space for their output.
    bulk: Late,
    room: Vec<u8>,
    /// Bytes that kernels have converted, which the decoder does not count.
    bypassed: u64,
    /// Code points to replace, regardless of the tables.
    renamed: &'static [(u32, u32)],
    line: u64,
    column: u64,
    skipped: u64,
    /// The length of the earlier chunks of the text, and their last bytes.
    begin: u64,
    before: Vec<u8>,
}

impl fmt::Debug for Converter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Converter")
            .field("from", &self.from)
            .field("line", &self.line)
            .field("column", &self.column)
            .finish_non_exhaustive()
    }
}

/// An error that stops a conversion.
///
/// ```
/// # use utfall_iconv::{Converter, Charset, Rules};
/// # let charset = |name| Charset::for_name(name).unwrap();
/// let mut converter =
///     Converter::new(charset("UTF-8"), charset("ASCII"), Rules::default()).unwrap();
/// let error = converter.convert("a\né".as_bytes(), true, &mut Vec::new()).unwrap_err();
/// assert_eq!(error.to_string(), "line 2, column 1, offset 2: no U+00E9 in the target");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Error {
    /// The kind of error.
    pub kind: ErrorKind,
    /// The byte offset from the start of the text.
    pub offset: u64,
    /// The length in bytes.
    pub length: usize,
    /// The line, from 1.
    pub line: u64,
    /// The column, from 1, in code points.
    pub column: u64,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kind, offset, line, column, .. } = self;
        write!(f, "line {line}, column {column}, offset {offset}: {kind}")
    }
}

impl error::Error for Error {}

/// The kind of an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// Bytes that are not a character of the source encoding, with the violated clause if there is one.
    /// The offset in the inner error may be relative to a later byte than the start of the text. Use
    /// [`Error::offset`] instead.
    IllFormed(Option<TextError>),
    /// The text ends within a character.
    Incomplete,
    /// A character that the target lacks.
    Unencodable(u32),
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::IllFormed(Some(error)) => write!(f, "{} ({})", error.kind(), error.clause()),
            Self::IllFormed(None) => f.write_str("bytes that are not a character"),
            Self::Incomplete => f.write_str("text ends within a character"),
            Self::Unencodable(point) => write!(f, "no U+{point:04X} in the target"),
        }
    }
}

impl Converter {
    /// A conversion from one charset to another. `None` if this build lacks the table of one of
    /// them.
    #[must_use]
    pub fn new(from: Charset, to: Charset, rules: Rules) -> Option<Self> {
        let (source, target) = (Source::new(from)?, Target::new(to)?);
        let points = vec![0; BLOCK];
        let renamed = renamed(from, to);
        Some(Self {
            from,
            source,
            target,
            rules,
            points,
            to,
            bulk: Late::Waiting(0),
            room: Vec::new(),
            bypassed: 0,
            renamed,
            line: 1,
            column: 1,
            skipped: 0,
            begin: 0,
            before: Vec::new(),
        })
    }

    /// A conversion according to two codes, with additional `rules`.
    #[must_use]
    pub fn with_codes(from: Code, to: Code, rules: Rules) -> Option<Self> {
        Self::new(from.charset, to.charset, rules.with_suffixes(to))
    }

    #[cfg(test)]
    pub(crate) fn use_kernels(&mut self, uses: bool) {
        self.bulk = Late::Ready(if uses { Bulk::new(self.from, self.to) } else { None });
    }

    /// Begins another text, whose output follows that of the last one.
    pub fn next_text(&mut self) {
        // Cannot fail, since the charset was found before.
        if let Some(source) = Source::new(self.from) {
            self.source = source;
        }
        (self.line, self.column, self.begin, self.bypassed) = (1, 1, 0, 0);
        self.before.clear();
    }

    /// The number of ill-formed sequences, and of characters omitted because the target lacks them.
    #[must_use]
    pub fn skipped(&self) -> u64 {
        self.skipped
    }

    /// Converts `src`, which continues the last chunk, and appends the result to `out`. `last`
    /// marks the end of the text.
    ///
    /// # Errors
    /// Returns the first error that the rules do not handle, after appending the text before it. An
    /// incomplete character at the end is always an error.
    pub fn convert(&mut self, src: &[u8], last: bool, out: &mut Vec<u8>) -> Result<(), Error> {
        let mut read = 0;
        let bulk = self.bulk.get(self.from, self.to, src.len());
        loop {
            if let Some(bulk) = bulk {
                read += self.convert_bulk(bulk, src, read, out);
            }
            let before = self.strict().then(|| self.source.fork());
            let rest = &src[read..];
            let most = if bulk.is_some() { SLOW } else { usize::MAX };
            let piece = &rest[..rest.len().min(most)];
            let last = last && piece.len() == rest.len();
            let mut points = std::mem::take(&mut self.points);
            let step = self.source.decode(piece, &mut points, last);
            if !self.renamed.is_empty() {
                self.rename(&mut points[..step.written]);
            }
            let written = self.encode(&points[..step.written], out);
            self.points = points;
            if let Err(at) = written {
                let point = self.points[at];
                return Err(self.unencodable(point, at, before, piece, last));
            }
            read += step.read;
            match step.stop {
                Stop::Full => {}
                Stop::Input if read < src.len() => {}
                Stop::Input => break,
                Stop::Ill { offset, length, error } => {
                    let offset = offset + self.bypassed;
                    let text: Option<String> = self.rules.byte.as_ref().map(|format| {
                        let bytes = self.bytes(src, offset, length);
                        bytes.map(|byte| format.of(u32::from(byte))).collect()
                    });
                    let is_written = text.is_some_and(|text| self.put_whole(&text, out));
                    if !is_written && !self.rules.skip {
                        return Err(self.error(ErrorKind::IllFormed(error), offset, length));
                    }
                    self.skipped += 1;
                    self.column += 1;
                }
                Stop::Incomplete { offset, length } => {
                    let offset = offset + self.bypassed;
                    return Err(self.error(ErrorKind::Incomplete, offset, length));
                }
            }
        }
        if last {
            self.target.finish(out);
        }
        self.begin += src.len() as u64;
        self.before.extend_from_slice(&src[src.len().saturating_sub(MEMORY)..]);
        self.before.drain(..self.before.len().saturating_sub(MEMORY));
        Ok(())
    }

    /// Converts as much as possible of the bytes after the first `read` of `src` by kernels. Returns
    /// their number.
    fn convert_bulk(&mut self, bulk: Bulk, src: &[u8], read: usize, out: &mut Vec<u8>) -> usize {
        let before = if read == 0 { &self.before } else { &src[..read] };
        if !self.source.is_idle(before, bulk.is_from_utf8()) {
            return 0;
        }
        let mut room = std::mem::take(&mut self.room);
        room.resize(ROOM, 0);
        let mut end = read;
        while end < src.len() {
            let (bytes, length) = bulk.run(&src[end..], &mut room);
            let (from, to) = (&src[end..end + bytes], &room[..length]);
            out.extend_from_slice(to);
            self.advance_utf8(if bulk.is_from_utf8() { from } else { to });
            end += bytes;
            if bytes == 0 {
                break;
            }
        }
        self.room = room;
        self.bypassed += (end - read) as u64;
        end - read
    }

    /// Remembered bytes of the text, which continues with `src`.
    fn bytes<'s>(
        &'s self,
        src: &'s [u8],
        offset: u64,
        length: usize,
    ) -> impl Iterator<Item = u8> + use<'s> {
        let known = self.begin - self.before.len() as u64;
        let all = self.before.iter().chain(src);
        let skipped = usize::try_from(offset.saturating_sub(known)).unwrap_or(usize::MAX);
        all.skip(skipped).take(length).copied()
    }

    fn rename(&self, points: &mut [u32]) {
        for point in points {
            if let Some((_, to)) = self.renamed.iter().find(|(from, _)| from == point) {
                *point = *to;
            }
        }
    }

    /// Whether a character that the target lacks can stop the conversion.
    fn strict(&self) -> bool {
        !self.rules.skip && !self.rules.discard
    }

    /// Encodes `points`. Returns the index of the code point that stops the conversion, if any.
    fn encode(&mut self, points: &[u32], out: &mut Vec<u8>) -> Result<(), usize> {
        let mut read = 0;
        loop {
            let written = self.target.encode(&points[read..], out);
            self.advance(&points[read..read + written]);
            read += written;
            let Some(point) = points.get(read) else { return Ok(()) };
            if !self.substitute(*point, out) {
                return Err(read);
            }
            self.advance(&points[read..=read]);
            read += 1;
        }
    }

    /// Handles a code point that the target lacks. Returns whether the rules allow that.
    fn substitute(&mut self, point: u32, out: &mut Vec<u8>) -> bool {
        // Tag characters are invisible to software that does not know them.
        if point >> 7 == 0xE_0000 >> 7 {
            return true;
        }
        let text = translit::text(point).filter(|_| self.rules.transliterate);
        if text.is_some_and(|text| self.put_whole(text, out)) {
            return true;
        }
        if let Some(format) = &self.rules.unicode {
            let text = format.of(point);
            if self.put_whole(&text, out) {
                return true;
            }
        }
        if self.rules.transliterate && self.put_whole("?", out) {
            return true;
        }
        self.skipped += 1;
        !self.strict()
    }

    /// Encodes all of a text or nothing.
    fn put_whole(&mut self, text: &str, out: &mut Vec<u8>) -> bool {
        let before = out.len();
        for scalar in text.chars() {
            if self.target.encode(&[u32::from(scalar)], out) == 0 {
                out.truncate(before);
                return false;
            }
        }
        true
    }

    fn advance(&mut self, points: &[u32]) {
        let lines = points.iter().filter(|point| **point == 0x0A).count();
        let last = points.iter().rposition(|point| *point == 0x0A);
        self.line += lines as u64;
        match last {
            Some(last) => self.column = (points.len() - last) as u64,
            None => self.column += points.len() as u64,
        }
    }

    /// The same for UTF-8.
    fn advance_utf8(&mut self, text: &[u8]) {
        let kernels = dispatch::active();
        let is_end = |byte: &u8| u8::from(*byte == b'\n');
        // Summing in a `u8` is fast, and 192 line feeds do not overflow it.
        let (parts, rest) = text.as_chunks::<192>();
        let in_parts = parts.iter().map(|part| u64::from(part.iter().map(is_end).sum::<u8>()));
        let lines =
            in_parts.sum::<u64>() + rest.iter().map(|byte| u64::from(is_end(byte))).sum::<u64>();
        self.line += lines;
        let last = if lines == 0 { None } else { text.iter().rposition(|byte| *byte == b'\n') };
        match last {
            Some(last) => self.column = 1 + kernels.utf8_count(&text[last + 1..]) as u64,
            None => self.column += kernels.utf8_count(text) as u64,
        }
    }

    fn error(&self, kind: ErrorKind, offset: u64, length: usize) -> Error {
        Error { kind, offset, length, line: self.line, column: self.column }
    }

    /// The error for a code point, which has index `at` among those decoded from `src`.
    fn unencodable(
        &self,
        point: u32,
        at: usize,
        before: Option<Source>,
        src: &[u8],
        last: bool,
    ) -> Error {
        let (mut offset, mut length) = (0, 0);
        if let Some(mut source) = before {
            let mut room = vec![0; at.max(1)];
            let first = source.decode(src, &mut room[..at], last);
            offset = source.offset();
            let next = source.decode(&src[first.read..], &mut room[..1], last);
            // Decoding it also reads ill-formed bytes that follow it.
            let end = match next.stop {
                Stop::Ill { offset, .. } | Stop::Incomplete { offset, .. } if next.written > 0 => {
                    offset
                }
                _ => source.offset(),
            };
            length = end.saturating_sub(offset) as usize;
            offset += self.bypassed;
        }
        self.error(ErrorKind::Unencodable(point), offset, length)
    }
}

/// The two characters of GB 2312 that its extension GBK maps differently. Conversions between the
/// two charsets preserve them.
pub(crate) fn renamed(from: Charset, to: Charset) -> &'static [(u32, u32)] {
    match (from.name(), to.name()) {
        ("GBK", "EUC-CN") => &[(0xB7, 0x30FB), (0x2014, 0x2015)],
        ("EUC-CN", "GBK") => &[(0x30FB, 0xB7), (0x2015, 0x2014)],
        _ => &[],
    }
}
