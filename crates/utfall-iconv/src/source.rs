//! Decodes bytes to code points.

use utfall::{Bom, Decoder, Encoding, Error, ErrorKind, Status};

use crate::bulk;
use crate::iso_2022_jp::{self, Set};
use crate::names::{Charset, Kind};
use crate::options::decoder;
use crate::shifting::shifting_decoder;
use crate::table::{Next, Table};

/// The decoder of a text.
pub(crate) enum Source {
    Plain(Box<Decoder<'static>>),
    Marked(Marked),
    Table(Tabled),
}

/// A format whose byte order is not determined yet.
#[derive(Clone)]
pub(crate) struct Marked {
    encodings: (Encoding, Encoding),
    size: usize,
    held: Vec<u8>,
}

/// The decoder for a table.
#[derive(Clone)]
pub(crate) struct Tabled {
    table: &'static Table,
    /// The selected set, in ISO-2022-JP.
    set: Option<Set>,
    /// The bytes of an incomplete sequence.
    held: Vec<u8>,
    /// A code point that may compose with the next one.
    waiting: Option<u32>,
    offset: u64,
}

/// The progress of a step: bytes read, code points written.
pub(crate) struct Step {
    pub(crate) read: usize,
    pub(crate) written: usize,
    pub(crate) stop: Stop,
}

pub(crate) enum Stop {
    /// All input was read; an incomplete sequence may be buffered.
    Input,
    /// The output is full.
    Full,
    /// `length` ill-formed bytes at this offset, which have been read.
    Ill { offset: u64, length: usize, error: Option<Error> },
    /// The text ends in an incomplete sequence of `length` bytes at this offset.
    Incomplete { offset: u64, length: usize },
}

impl Source {
    /// `None` if a table is missing.
    pub(crate) fn new(charset: Charset) -> Option<Self> {
        Some(match charset.kind() {
            Kind::Plain(encoding) => Self::Plain(plain(encoding, Bom::Keep)),
            Kind::Shifting(encoding) => Self::Plain(Box::new(shifting_decoder(encoding))),
            Kind::Marked { little, big, bytes } => {
                Self::Marked(Marked { encodings: (little, big), size: bytes, held: Vec::new() })
            }
            Kind::Table(_) => Self::Table(Tabled::new(charset.table()?, None)),
            Kind::Missing => return None,
            Kind::Iso2022Jp => {
                let table = charset.table()?;
                Self::Table(Tabled::new(table, Some(Set::Ascii)))
            }
        })
    }

    /// A copy in the same state.
    pub(crate) fn fork(&self) -> Self {
        match self {
            Self::Plain(decoder) => Self::Plain(Box::new(decoder.fork())),
            Self::Marked(marked) => Self::Marked(marked.clone()),
            Self::Table(tabled) => Self::Table(tabled.clone()),
        }
    }

    /// The offset of the next character.
    pub(crate) fn offset(&self) -> u64 {
        match self {
            Self::Plain(decoder) => decoder.offset(),
            Self::Marked(_) => 0,
            Self::Table(tabled) => tabled.offset - tabled.held.len() as u64,
        }
    }

    /// Whether all of the text so far is decoded, with no partial character pending. The text ends with
    /// `before`, in a charset that [`Bulk`](bulk::Bulk) supports.
    pub(crate) fn is_idle(&self, before: &[u8], is_utf8: bool) -> bool {
        match self {
            Self::Plain(_) => !is_utf8 || bulk::is_whole(before),
            Self::Marked(_) => false,
            Self::Table(tabled) => tabled.held.is_empty() && tabled.waiting.is_none(),
        }
    }

    /// Decodes a prefix of `src`. `last` marks the end of the text.
    pub(crate) fn decode(&mut self, src: &[u8], dst: &mut [u32], last: bool) -> Step {
        match self {
            Self::Plain(decoder) => step(decoder, src, dst, last),
            Self::Table(tabled) => tabled.decode(src, dst, last),
            Self::Marked(marked) => {
                let wanted = marked.size - marked.held.len();
                if src.len() < wanted && !last {
                    marked.held.extend_from_slice(src);
                    return Step { read: src.len(), written: 0, stop: Stop::Input };
                }
                let (start, rest) = src.split_at(wanted.min(src.len()));
                marked.held.extend_from_slice(start);
                let mut decoder = marked.decide();
                let held = std::mem::take(&mut marked.held);
                let first = step(&mut decoder, &held, dst, last && rest.is_empty());
                if first.read == 0 && matches!(first.stop, Stop::Full) {
                    // There is no space for the first character, which is not a BOM.
                    marked.held.extend_from_slice(&held[..held.len() - start.len()]);
                    return Step { read: 0, ..first };
                }
                *self = Self::Plain(decoder);
                match first.stop {
                    Stop::Input => {
                        let next = self.decode(rest, &mut dst[first.written..], last);
                        Step {
                            read: start.len() + next.read,
                            written: first.written + next.written,
                            ..next
                        }
                    }
                    // An error, or no space for further output.
                    _ => Step { read: start.len(), ..first },
                }
            }
        }
    }
}

impl Marked {
    /// A decoder for the buffered bytes and the rest of the text.
    fn decide(&self) -> Box<Decoder<'static>> {
        let (little, big) = self.encodings;
        let marks = match self.size {
            2 => [Encoding::Utf16Le, Encoding::Utf16Be],
            _ => [Encoding::Utf32Le, Encoding::Utf32Be],
        };
        let mut choices = marks.iter().zip([little, big]);
        match choices.find(|(mark, _)| self.held == mark.info().signature) {
            // The decoder removes the BOM and includes it in offsets.
            Some((_, encoding)) => plain(encoding, Bom::Strip),
            None => plain(if cfg!(target_endian = "little") { little } else { big }, Bom::Keep),
        }
    }
}

fn plain(encoding: Encoding, bom: Bom) -> Box<Decoder<'static>> {
    Box::new(decoder(encoding, bom))
}

fn step(decoder: &mut Decoder<'static>, src: &[u8], dst: &mut [u32], last: bool) -> Step {
    let progress = decoder.decode_to_code_points(src, dst, last);
    let stop = match progress.status {
        Status::InputEmpty => Stop::Input,
        Status::OutputFull => Stop::Full,
        Status::Error(error) => {
            let (offset, length) = (error.offset(), error.length() as usize);
            match error.kind() {
                ErrorKind::Truncated => Stop::Incomplete { offset, length },
                _ => Stop::Ill { offset, length, error: Some(error) },
            }
        }
    };
    Step { read: progress.read, written: progress.written, stop }
}

impl Tabled {
    fn new(table: &'static Table, set: Option<Set>) -> Self {
        Self { table, set, held: Vec::new(), waiting: None, offset: 0 }
    }

    fn next(&self, src: &[u8]) -> Next {
        match self.set {
            Some(set) => iso_2022_jp::next(self.table, set, src),
            None => self.table.next(src),
        }
    }

    fn decode(&mut self, src: &[u8], dst: &mut [u32], last: bool) -> Step {
        let (mut read, mut written) = (0, 0);
        // Complete a split sequence one byte of `src` at a time.
        while !self.held.is_empty() {
            let next = self.next(&self.held);
            if written + self.needs(next) > dst.len() {
                return self.stopped(read, written, Stop::Full);
            }
            match next {
                Next::Incomplete if read < src.len() => {
                    self.held.push(src[read]);
                    read += 1;
                }
                Next::Incomplete => break,
                Next::Ill(length) => {
                    written += self.flush(&mut dst[written..]);
                    self.held.drain(..length);
                    let end = read - self.held.len().min(read);
                    return self.ill(read, written, length, end);
                }
                Next::Point(_, length) | Next::Pair(_, length) | Next::Shift(_, length) => {
                    self.held.drain(..length);
                    written += self.put(next, &mut dst[written..]);
                }
            }
        }
        while read < src.len() {
            if !self.table.composes() {
                let (rest, room) = (&src[read..], &mut dst[written..]);
                let done = match self.set {
                    None => self.table.decode_prefix(rest, room),
                    Some(set) => iso_2022_jp::decode_prefix(self.table, set, rest, room),
                };
                (read, written) = (read + done.0, written + done.1);
                if done.0 > 0 {
                    continue;
                }
            }
            let next = self.next(&src[read..]);
            if written + self.needs(next) > dst.len() {
                return self.stopped(read, written, Stop::Full);
            }
            match next {
                Next::Incomplete => {
                    self.held.extend_from_slice(&src[read..]);
                    read = src.len();
                }
                Next::Ill(length) => {
                    written += self.flush(&mut dst[written..]);
                    read += length;
                    return self.ill(read, written, length, read);
                }
                Next::Point(_, length) | Next::Pair(_, length) | Next::Shift(_, length) => {
                    written += self.put(next, &mut dst[written..]);
                    read += length;
                }
            }
        }
        if last && written + usize::from(self.waiting.is_some()) > dst.len() {
            return self.stopped(read, written, Stop::Full);
        }
        if last {
            written += self.flush(&mut dst[written..]);
            let length = self.held.len();
            if length > 0 {
                self.held.clear();
                let offset = self.offset + read as u64 - length as u64;
                return self.stopped(read, written, Stop::Incomplete { offset, length });
            }
        }
        self.stopped(read, written, Stop::Input)
    }

    fn stopped(&mut self, read: usize, written: usize, stop: Stop) -> Step {
        self.offset += read as u64;
        Step { read, written, stop }
    }

    /// Reports `length` ill-formed bytes, which end at `end` in the input.
    fn ill(&mut self, read: usize, written: usize, length: usize, end: usize) -> Step {
        let offset = (self.offset + end as u64).saturating_sub(length as u64);
        self.stopped(read, written, Stop::Ill { offset, length, error: None })
    }

    /// The maximum number of code points that the sequence yields.
    fn needs(&self, next: Next) -> usize {
        let waiting = usize::from(self.waiting.is_some());
        match next {
            Next::Pair(..) => waiting + 2,
            Next::Point(..) => waiting + 1,
            Next::Ill(_) => waiting,
            Next::Incomplete | Next::Shift(..) => 0,
        }
    }

    fn put(&mut self, next: Next, dst: &mut [u32]) -> usize {
        match next {
            Next::Point(point, _) => self.put_point(point, dst),
            Next::Pair(points, _) => {
                let waiting = self.flush(dst);
                dst[waiting..][..2].copy_from_slice(&points);
                waiting + 2
            }
            Next::Shift(set, _) => {
                self.set = Some(set);
                0
            }
            Next::Ill(_) | Next::Incomplete => 0,
        }
    }

    fn put_point(&mut self, point: u32, dst: &mut [u32]) -> usize {
        if !self.table.composes() {
            dst[0] = point;
            return 1;
        }
        let mut written = 0;
        if let Some(waiting) = self.waiting.take() {
            if let Some(one) = self.table.compose([waiting, point]) {
                self.waiting = Some(one);
                return 0;
            }
            dst[0] = waiting;
            written = 1;
        }
        if self.table.begins_composed(point) {
            self.waiting = Some(point);
            return written;
        }
        dst[written] = point;
        written + 1
    }

    fn flush(&mut self, dst: &mut [u32]) -> usize {
        let Some(waiting) = self.waiting.take() else { return 0 };
        dst[0] = waiting;
        1
    }
}
