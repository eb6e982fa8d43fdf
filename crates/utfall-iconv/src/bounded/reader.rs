//! Decodes exactly as many bytes as it reports.

use utfall::{Bom, Decoder, Encoding, Status};

use super::few;
use super::utf7::Utf7;
use crate::iso_2022_jp::{self, Set};
use crate::names::{Charset, Kind};
use crate::options::decoder;
use crate::shifting::shifting_decoder;
use crate::table::{Next, Table};

#[derive(Clone)]
pub(super) enum Reader {
    /// An encoding without state.
    Plain(Encoding),
    /// An encoding whose byte order the first bytes of a text determine.
    Marked(Marked),
    Utf7(Utf7),
    /// A table, and the second of two code points that are one character, if there was no space
    /// for it.
    Table(&'static Table, Option<u32>),
    Composing(Composing),
    Iso2022Jp(&'static Table, Set),
    Shifting(Shifting),
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

/// A table whose characters may compose.
#[derive(Clone, Copy)]
pub(super) struct Composing {
    table: &'static Table,
    /// A code point that waits.
    held: Option<u32>,
}

/// An encoding with a state.
pub(super) struct Shifting {
    encoding: Encoding,
    decoder: Box<Decoder<'static>>,
    /// The number of bytes whose code points are not yet known, since the next bytes may change them.
    ahead: usize,
}

impl Clone for Shifting {
    fn clone(&self) -> Self {
        Self { decoder: Box::new(self.decoder.fork()), ..*self }
    }
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
            Kind::Plain(encoding @ (Encoding::Utf7 | Encoding::Utf7Imap)) => {
                Self::Utf7(Utf7::new(encoding == Encoding::Utf7Imap))
            }
            Kind::Plain(encoding) => Self::Plain(encoding),
            Kind::Shifting(encoding) => Self::Shifting(Shifting::new(encoding)),
            Kind::Marked { little, big, bytes } => Self::Marked(Marked::new(little, big, bytes)),
            Kind::Table(_) => {
                let table = charset.table()?;
                match table.composes() {
                    true => Self::Composing(Composing { table, held: None }),
                    false => Self::Table(table, None),
                }
            }
            Kind::Missing => return None,
            Kind::Iso2022Jp => Self::Iso2022Jp(charset.table()?, Set::Ascii),
        })
    }

    pub(super) fn reset(&mut self) {
        match self {
            Self::Plain(_) => {}
            Self::Table(_, second) => *second = None,
            Self::Marked(marked) => *marked = Marked::new(marked.little, marked.big, marked.size),
            Self::Utf7(utf7) => utf7.reset(),
            Self::Composing(composing) => composing.held = None,
            Self::Iso2022Jp(_, set) => *set = Set::Ascii,
            Self::Shifting(shifting) => *shifting = Shifting::new(shifting.encoding),
        }
    }

    /// Whether the next bytes begin a character, whatever was read before.
    pub(super) fn is_idle(&self) -> bool {
        matches!(self, Self::Plain(_) | Self::Table(_, None))
    }

    /// The length of the shortest character in bytes.
    pub(super) fn least(&self) -> usize {
        match self {
            Self::Plain(encoding) => encoding.info().code_unit,
            Self::Marked(marked) => marked.size,
            Self::Shifting(shifting) => shifting.encoding.info().code_unit,
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
            Self::Utf7(utf7) => utf7.read(src, dst),
            Self::Table(table, second) => from_table(table, second, src, dst),
            Self::Composing(composing) => composing.read(src, dst),
            Self::Iso2022Jp(table, set) => from_iso_2022_jp(table, set, src, dst),
            Self::Shifting(shifting) => shifting.read(src, dst),
        }
    }

    /// The code point at the start of `src`, which is not empty, and its length in bytes, or 0 if it is
    /// incomplete. `None` if this depends on the state, or is not a code point.
    pub(super) fn one(&self, src: &[u8]) -> Option<(u32, usize)> {
        match self {
            Self::Plain(encoding) => few::one(*encoding, src),
            Self::Marked(marked) => few::one(marked.chosen, src),
            Self::Table(table, None) => match table.next(src) {
                Next::Point(point, length) => Some((point, length)),
                Next::Incomplete => Some((0, 0)),
                _ => None,
            },
            Self::Iso2022Jp(table, set) => match iso_2022_jp::next(table, *set, src) {
                Next::Point(point, length) => Some((point, length)),
                Next::Incomplete => Some((0, 0)),
                _ => None,
            },
            _ => None,
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
        if let Self::Utf7(utf7) = self {
            utf7.reset();
        }
    }

    /// A code point that has been read, but not written.
    pub(super) fn held(&self) -> Option<u32> {
        match self {
            Self::Composing(composing) => composing.held,
            Self::Table(_, second) => *second,
            Self::Shifting(shifting) => shifting.held(),
            _ => None,
        }
    }

    pub(super) fn forget_held(&mut self) {
        match self {
            Self::Composing(composing) => composing.held = None,
            Self::Table(_, second) => *second = None,
            Self::Shifting(shifting) => shifting.forget_held(),
            _ => {}
        }
    }
}

fn plain(encoding: Encoding, src: &[u8], dst: &mut [u32]) -> Read {
    if src.len() <= few::MOST
        && let Some(read) = few::decode(encoding, src, dst)
    {
        return read;
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
        let done = iso_2022_jp::decode_prefix(table, *set, &src[read..], &mut dst[written..]);
        (read, written) = (read + done.0, written + done.1);
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

impl Shifting {
    fn new(encoding: Encoding) -> Self {
        Self { encoding, decoder: Box::new(shifting_decoder(encoding)), ahead: 0 }
    }

    fn read(&mut self, src: &[u8], dst: &mut [u32]) -> Read {
        let before = self.decoder.fork();
        let progress = self.decoder.decode_to_code_points(src, dst, false);
        // Up to here, decoded bytes are those that an earlier call has read.
        let ahead = self.ahead;
        let decoded_until = |offset: u64| offset.saturating_sub(before.offset()) as usize;
        let (decoded, stop) = match progress.status {
            Status::Error(error) => {
                let decoded = decoded_until(error.offset());
                (decoded, Stop::Ill(progress.read - decoded.saturating_sub(ahead)))
            }
            status => {
                let decoded = decoded_until(self.decoder.offset());
                let rest = ahead + src.len() - decoded;
                if status == Status::InputEmpty && (rest == 0 || self.held().is_some()) {
                    // As in glibc, these bytes are read: they may be the last ones.
                    self.ahead = rest;
                    return Read { read: src.len(), written: progress.written, stop: Stop::Input };
                }
                let is_full = progress.written == dst.len();
                (decoded, if is_full { Stop::Full } else { Stop::Incomplete })
            }
        };
        let read = decoded.saturating_sub(ahead);
        if progress.read > read {
            // The decoder has bytes that were not read: back to the state before them.
            *self.decoder = before;
            _ = self.decoder.decode_to_code_points(&src[..read], dst, false);
        }
        self.ahead = ahead.saturating_sub(decoded);
        let info = self.encoding.info();
        if matches!(stop, Stop::Ill(_)) && info.holds_back && !info.stateful {
            // After ill-formed bytes, no character is held back.
            *self = Self::new(self.encoding);
        }
        Read { read, written: progress.written, stop }
    }

    /// The next code point of the bytes held back, as at the end of a text.
    fn held(&self) -> Option<u32> {
        let mut point = [0];
        let progress = self.decoder.fork().decode_to_code_points(&[], &mut point, true);
        (progress.written > 0).then_some(point[0])
    }

    fn forget_held(&mut self) {
        _ = self.decoder.decode_to_code_points(&[], &mut [0], true);
    }
}

impl Composing {
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
            let waits = self.table.waits(point);
            if let Some(held) = self.held.take() {
                let composed = self.table.compose([held, point]);
                let waits_too =
                    |one: &u32| !self.table.waits(*one) && self.table.begins_composed(*one);
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
