//! Decodes exactly as many bytes as it reports.

use std::ops::RangeInclusive;
use std::sync::Arc;

use utfall::{Bom, Decoder, Encoding, Status};

use crate::iso_2022_jp::{self, Set};
use crate::names::{Charset, Kind};
use crate::source::decoder;
use crate::table::{Next, Table};

/// The number of bytes below which a decoder costs more than it saves.
const SHORT: usize = 16;

pub(super) enum Reader {
    /// An encoding without state.
    Plain(Encoding),
    /// An encoding whose byte order the first bytes of a text determine.
    Marked(Marked),
    /// UTF-7 and its variant.
    Shifting(Shifting),
    /// A table, and the second of two code points that are one character, if there was no space
    /// for it.
    Table(Arc<Table>, Option<u32>),
    Composing(Composing),
    Iso2022Jp(Arc<Table>, Set),
}

#[derive(Clone, Copy)]
pub(super) struct Marked {
    little: Encoding,
    big: Encoding,
    /// The length of a BOM.
    size: usize,
    chosen: Encoding,
    /// The first bytes were inspected.
    is_begun: bool,
}

pub(super) struct Shifting {
    encoding: Encoding,
    decoder: Box<Decoder<'static>>,
    /// The number of bytes that the decoder has read. It may wait for more before it decodes the last.
    begin: u64,
    /// Both after the ill-formed sequence that stopped the last call.
    after: Option<(Box<Decoder<'static>>, u64)>,
}

/// A table whose characters may compose.
#[derive(Clone)]
pub(super) struct Composing {
    table: Arc<Table>,
    /// Code points that wait for the next one: not only those that compose, but all between them.
    letters: RangeInclusive<u32>,
    /// A code point that waits.
    held: Option<u32>,
}

/// The progress of a call: bytes read, code points written.
pub(super) struct Read {
    pub(super) read: usize,
    pub(super) written: usize,
    pub(super) stop: Stop,
}

pub(super) enum Stop {
    /// All input was read.
    Input,
    /// The output is full.
    Full,
    /// The input ends within a character, which was not read.
    Incomplete,
    /// This many ill-formed bytes follow, which were not read.
    Ill(usize),
}

impl Reader {
    /// `None` if a table is missing.
    pub(super) fn new(charset: Charset) -> Option<Self> {
        Some(match charset.kind() {
            Kind::Plain(encoding) if encoding.info().stateful => {
                Self::Shifting(Shifting::new(encoding))
            }
            Kind::Plain(encoding) => Self::Plain(encoding),
            Kind::Marked { little, big, bytes } => Self::Marked(Marked::new(little, big, bytes)),
            Kind::Table => {
                let table = Table::load(charset.name())?;
                match table.composes() {
                    true => Self::Composing(Composing::new(table)),
                    false => Self::Table(table, None),
                }
            }
            Kind::Iso2022Jp => Self::Iso2022Jp(Table::load(iso_2022_jp::TABLE)?, Set::Ascii),
        })
    }

    /// A copy in the same state.
    pub(super) fn fork(&self) -> Self {
        match self {
            Self::Plain(encoding) => Self::Plain(*encoding),
            Self::Marked(marked) => Self::Marked(*marked),
            Self::Shifting(shifting) => Self::Shifting(shifting.fork()),
            Self::Table(table, second) => Self::Table(Arc::clone(table), *second),
            Self::Composing(composing) => Self::Composing(composing.clone()),
            Self::Iso2022Jp(table, set) => Self::Iso2022Jp(Arc::clone(table), *set),
        }
    }

    pub(super) fn reset(&mut self) {
        match self {
            Self::Plain(_) => {}
            Self::Table(_, second) => *second = None,
            Self::Marked(marked) => *marked = Marked::new(marked.little, marked.big, marked.size),
            Self::Shifting(shifting) => *shifting = Shifting::new(shifting.encoding),
            Self::Composing(composing) => composing.held = None,
            Self::Iso2022Jp(_, set) => *set = Set::Ascii,
        }
    }

    /// The length of the shortest character in bytes.
    pub(super) fn least(&self) -> usize {
        match self {
            Self::Plain(encoding) => encoding.info().code_unit,
            Self::Marked(marked) => marked.size,
            _ => 1,
        }
    }

    /// Looks for a BOM at the beginning of a text. Returns its length, or `None` if `src` is too
    /// short to tell.
    pub(super) fn begin(&mut self, src: &[u8]) -> Option<usize> {
        match self {
            Self::Marked(marked) if !marked.is_begun && !src.is_empty() => marked.begin(src),
            _ => Some(0),
        }
    }

    /// Whether the beginning of the text was inspected.
    pub(super) fn is_begun(&self) -> bool {
        !matches!(self, Self::Marked(marked) if !marked.is_begun)
    }

    /// The first call has converted no character. As in glibc, the next one looks for a BOM too, if
    /// this is UTF-16.
    pub(super) fn begin_again(&mut self) {
        if let Self::Marked(marked) = self {
            marked.is_begun = marked.little != Encoding::Utf16Le;
        }
    }

    /// Decodes a prefix of `src`. If `dst` is full, nothing else is read.
    pub(super) fn read(&mut self, src: &[u8], dst: &mut [u32]) -> Read {
        match self {
            Self::Plain(encoding) => plain(*encoding, src, dst),
            Self::Marked(marked) => plain(marked.chosen, src, dst),
            Self::Shifting(shifting) => shifting.read(src, dst),
            Self::Table(table, second) => from_table(table, second, src, dst),
            Self::Composing(composing) => composing.read(src, dst),
            Self::Iso2022Jp(table, set) => from_iso_2022_jp(table, set, src, dst),
        }
    }

    /// Decodes to all of `dst`, for which `src` is long enough, and nothing else. Returns the
    /// number of bytes read.
    pub(super) fn read_exactly(&mut self, src: &[u8], dst: &mut [u32]) -> usize {
        if dst.is_empty() {
            return 0;
        }
        self.read(src, dst).read
    }

    /// The input goes on after the ill-formed bytes that stopped the last call.
    pub(super) fn skip(&mut self) {
        if let Self::Shifting(shifting) = self
            && let Some((decoder, begin)) = shifting.after.take()
        {
            (shifting.decoder, shifting.begin) = (decoder, begin);
        }
    }

    /// A code point that has been read, but not written.
    pub(super) fn held(&self) -> Option<u32> {
        match self {
            Self::Composing(composing) => composing.held,
            Self::Table(_, second) => *second,
            _ => None,
        }
    }

    pub(super) fn forget_held(&mut self) {
        match self {
            Self::Composing(composing) => composing.held = None,
            Self::Table(_, second) => *second = None,
            _ => {}
        }
    }
}

fn plain(encoding: Encoding, src: &[u8], dst: &mut [u32]) -> Read {
    // Faster than the decoder for a few characters: some programs convert each alone.
    if encoding == Encoding::Utf8
        && src.len() <= SHORT.min(dst.len())
        && let Ok(text) = str::from_utf8(src)
    {
        let points = text.chars().map(u32::from);
        let written = dst.iter_mut().zip(points).map(|(slot, point)| *slot = point).count();
        return Read { read: src.len(), written, stop: Stop::Input };
    }
    let mut decoder = decoder(encoding, Bom::Keep);
    let progress = decoder.decode_to_code_points(src, dst, false);
    let (read, stop) = match progress.status {
        Status::Error(error) => {
            let read = error.offset() as usize;
            (read, Stop::Ill(progress.read - read))
        }
        status => {
            let read = decoder.offset() as usize;
            let stop = match status {
                Status::InputEmpty if read == src.len() => Stop::Input,
                _ if progress.written == dst.len() => Stop::Full,
                _ => Stop::Incomplete,
            };
            (read, stop)
        }
    };
    Read { read, written: progress.written, stop }
}

impl Marked {
    fn new(little: Encoding, big: Encoding, size: usize) -> Self {
        let chosen = if cfg!(target_endian = "little") { little } else { big };
        Self { little, big, size, chosen, is_begun: false }
    }

    fn begin(&mut self, src: &[u8]) -> Option<usize> {
        let start = src.get(..self.size)?;
        self.is_begun = true;
        let is_little = start[..2] == *b"\xFF\xFE" && start[2..].iter().all(|byte| *byte == 0);
        let is_big = start[self.size - 2..] == *b"\xFE\xFF"
            && start[..self.size - 2].iter().all(|byte| *byte == 0);
        if is_little {
            self.chosen = self.little;
        } else if is_big {
            self.chosen = self.big;
        }
        Some(if is_little || is_big { self.size } else { 0 })
    }
}

impl Shifting {
    fn new(encoding: Encoding) -> Self {
        let decoder = Box::new(decoder(encoding, Bom::Keep));
        Self { encoding, decoder, begin: 0, after: None }
    }

    fn fork(&self) -> Self {
        let decoder = Box::new(self.decoder.fork());
        Self { encoding: self.encoding, decoder, begin: self.begin, after: None }
    }

    fn read(&mut self, src: &[u8], dst: &mut [u32]) -> Read {
        let before = self.decoder.fork();
        let progress = self.decoder.decode_to_code_points(src, dst, false);
        let written = progress.written;
        let end = self.begin + progress.read as u64;
        match progress.status {
            Status::InputEmpty if written < dst.len() => {
                if self.ends_in_shift(&before, src) {
                    let read = src.len() - 1;
                    self.return_to(before, &src[..read]);
                    return Read { read, written, stop: Stop::Incomplete };
                }
                // The decoder keeps the bits of an unfinished character.
                self.begin = end;
                Read { read: progress.read, written, stop: Stop::Input }
            }
            Status::InputEmpty | Status::OutputFull => {
                let mut read = self.decoder.offset().saturating_sub(self.begin) as usize;
                // The decoder may have read a shift character after the last character.
                while read > 0 && points_in(&before, &src[..read - 1]) == written {
                    read -= 1;
                }
                self.return_to(before, &src[..read]);
                let stop = if read == src.len() { Stop::Input } else { Stop::Full };
                Read { read, written, stop }
            }
            Status::Error(error) => {
                let after = Box::new(self.decoder.fork());
                let read = error.offset().saturating_sub(self.begin) as usize;
                self.return_to(before, &src[..read]);
                self.after = Some((after, end));
                Read { read, written, stop: Stop::Ill(progress.read - read) }
            }
        }
    }

    /// Decodes `src` again.
    fn return_to(&mut self, before: Decoder<'static>, src: &[u8]) {
        *self.decoder = before;
        let mut room = vec![0; src.len() + 1];
        _ = self.decoder.decode_to_code_points(src, &mut room, false);
        self.begin += src.len() as u64;
    }

    /// Whether the last byte of `src` is a shift character. The one after it determines whether it
    /// is a character itself.
    fn ends_in_shift(&self, before: &Decoder<'static>, src: &[u8]) -> bool {
        let shift = if self.encoding == Encoding::Utf7Imap { b'&' } else { b'+' };
        let Some(rest) = src.strip_suffix(&[shift]) else { return false };
        let itself = [rest, &[shift, b'-']].concat();
        let mut points = vec![0; itself.len() + 1];
        let progress = before.fork().decode_to_code_points(&itself, &mut points, false);
        let written = points_in(before, rest);
        progress.written == written + 1 && points[written] == u32::from(shift)
    }
}

/// The number of code points that a decoder makes of `src`.
fn points_in(decoder: &Decoder<'static>, src: &[u8]) -> usize {
    let mut points = vec![0; src.len() + 1];
    decoder.fork().decode_to_code_points(src, &mut points, false).written
}

fn from_table(table: &Table, second: &mut Option<u32>, src: &[u8], dst: &mut [u32]) -> Read {
    let (mut read, mut written) = (0, 0);
    let stop = loop {
        if let (Some(point), Some(slot)) = (*second, dst.get_mut(written)) {
            *slot = point;
            written += 1;
            *second = None;
        }
        let done = table.decode_prefix(&src[read..], &mut dst[written..]);
        (read, written) = (read + done.0, written + done.1);
        if second.is_none() && read == src.len() {
            break Stop::Input;
        }
        if written == dst.len() {
            break Stop::Full;
        }
        match table.next(&src[read..]) {
            Next::Point(point, length) => {
                dst[written] = point;
                (read, written) = (read + length, written + 1);
            }
            Next::Pair(points, length) => {
                dst[written] = points[0];
                *second = Some(points[1]);
                (read, written) = (read + length, written + 1);
            }
            Next::Ill(length) => break Stop::Ill(length.min(src.len() - read)),
            Next::Incomplete | Next::Shift(..) => break Stop::Incomplete,
        }
    };
    Read { read, written, stop }
}

fn from_iso_2022_jp(table: &Table, set: &mut Set, src: &[u8], dst: &mut [u32]) -> Read {
    let (mut read, mut written) = (0, 0);
    loop {
        let stopped = |stop| Read { read, written, stop };
        if read == src.len() {
            return stopped(Stop::Input);
        }
        if written == dst.len() {
            return stopped(Stop::Full);
        }
        match iso_2022_jp::next(table, *set, &src[read..]) {
            Next::Point(point, length) => {
                dst[written] = point;
                (read, written) = (read + length, written + 1);
            }
            Next::Shift(selected, length) => {
                *set = selected;
                read += length;
            }
            Next::Ill(length) => return stopped(Stop::Ill(length.min(src.len() - read))),
            Next::Incomplete | Next::Pair(..) => return stopped(Stop::Incomplete),
        }
    }
}

impl Composing {
    fn new(table: Arc<Table>) -> Self {
        let letters = table.first_of_composed().unwrap_or(0..=0);
        Self { table, letters, held: None }
    }

    /// As in glibc: one code point is written for each byte, two if a letter was held back.
    fn read(&mut self, src: &[u8], dst: &mut [u32]) -> Read {
        let (mut read, mut written) = (0, 0);
        let stop = loop {
            let Some(byte) = src.get(read) else { break Stop::Input };
            if written == dst.len() {
                break Stop::Full;
            }
            let point = match self.table.next(&[*byte]) {
                Next::Point(point, _) => point,
                Next::Ill(length) => break Stop::Ill(length),
                // These charsets have one byte for each character.
                _ => break Stop::Incomplete,
            };
            let waits = self.letters.contains(&point);
            if let Some(held) = self.held.take() {
                let composed = self.table.compose([held, point]);
                let waits_too =
                    |one: &u32| !self.letters.contains(one) && self.table.begins_composed(*one);
                if let Some(one) = composed.filter(waits_too) {
                    self.held = Some(one);
                } else {
                    dst[written] = composed.unwrap_or(held);
                    written += 1;
                }
                if composed.is_some() {
                    read += 1;
                    continue;
                }
            }
            if waits {
                self.held = Some(point);
            } else if written < dst.len() {
                dst[written] = point;
                written += 1;
            } else {
                break Stop::Full;
            }
            read += 1;
        };
        Read { read, written, stop }
    }
}
