//! Encodes to a buffer of any size.

use utfall::{Bom, Encoding};

use super::{End, few};
use crate::iso_2022_jp::{self, Set};
use crate::names::{BIG5_HKSCS, Charset, Kind};
use crate::options::encoder;
use crate::shifting::ShiftingEncoder;
pub(super) use crate::shifting::{WriteStop, Written};
use crate::table::{RUN, Table};

pub(super) enum Writer {
    /// An encoding without state.
    Plain {
        encoding: Encoding,
        /// The length of the shortest character in bytes.
        least: usize,
        /// Write a BOM before the first character of each text.
        marked: bool,
        begun: bool,
    },
    Shifting(ShiftingEncoder),
    /// The number of free bytes below which glibc does not look up a character.
    Table(&'static Table, usize),
    /// BIG5-HKSCS, and a letter that may combine with the next code point.
    Combining(&'static Table, Option<u32>),
    Iso2022Jp(&'static Table, Set),
}

/// The state of a writer, to return to if a replacement cannot be written completely.
enum State {
    None,
    Set(Set),
    Shifting(ShiftingEncoder),
}

/// The length of an escape sequence in ISO-2022-JP.
const ESCAPE: usize = 3;

impl Writer {
    /// `None` if a table is missing.
    pub(super) fn new(charset: Charset) -> Option<Self> {
        let plain = |encoding: Encoding, marked| Self::Plain {
            encoding,
            least: encoding.info().code_unit,
            marked,
            begun: false,
        };
        Some(match charset.kind() {
            Kind::Plain(Encoding::UsAscii) => Self::Table(Table::ascii(), 1),
            Kind::Plain(Encoding::Iso8859_1) => Self::Table(Table::latin1(), 1),
            Kind::Plain(encoding @ (Encoding::Utf7 | Encoding::Utf7Imap)) => {
                Self::Shifting(ShiftingEncoder::new(encoding))
            }
            Kind::Plain(encoding) => plain(encoding, false),
            Kind::Shifting(encoding) => Self::Shifting(ShiftingEncoder::new(encoding)),
            Kind::Marked { little, big, .. } => {
                plain(if cfg!(target_endian = "little") { little } else { big }, true)
            }
            Kind::Table(_) if charset.name() == BIG5_HKSCS => {
                Self::Combining(charset.table()?, None)
            }
            Kind::Table(_) => {
                let least = if charset.name() == "EUC-JP" { 2 } else { 1 };
                Self::Table(charset.table()?, least)
            }
            Kind::Missing => return None,
            Kind::Iso2022Jp => Self::Iso2022Jp(charset.table()?, Set::Ascii),
        })
    }

    /// The length of the shortest character in bytes.
    pub(super) fn least(&self) -> usize {
        match self {
            Self::Plain { least, .. } => *least,
            _ => 1,
        }
    }

    pub(super) fn reset(&mut self) {
        match self {
            Self::Plain { begun, .. } => *begun = false,
            Self::Shifting(encoder) => encoder.reset(),
            Self::Table(..) => {}
            Self::Combining(_, held) => *held = None,
            Self::Iso2022Jp(_, set) => *set = Set::Ascii,
        }
    }

    /// Writes a BOM if the text begins and has one. Returns its length, or `None` if there is no
    /// space.
    pub(super) fn mark(&mut self, dst: &mut [u8]) -> Option<usize> {
        let Self::Plain { encoding, least, marked: true, begun: begun @ false } = self else {
            return Some(0);
        };
        let progress = few::encode(*encoding, *least, &[0xFEFF], dst)?;
        *begun = progress.written > 0;
        begun.then_some(progress.written)
    }

    /// The bytes of a code point, and how many of them there are. `None` if this depends on the state, or
    /// the charset lacks it.
    pub(super) fn one(&self, point: u32) -> Option<([u8; 4], usize)> {
        match self {
            Self::Plain { marked: true, begun: false, .. } => None,
            Self::Plain { encoding, .. } => {
                let mut room = [0; 4];
                let length = few::sequence(*encoding, point, &mut room)?;
                (length > 0).then_some((room, length))
            }
            Self::Table(table, _) => table.encode_one(point),
            _ => None,
        }
    }

    /// Encodes a prefix of `points`.
    pub(super) fn write(&mut self, points: &[u32], dst: &mut [u8]) -> Written {
        if points.is_empty() {
            return Written { read: 0, written: 0, stop: WriteStop::Input };
        }
        let Some(mark) = self.mark(dst) else {
            return Written { read: 0, written: 0, stop: WriteStop::Full };
        };
        match self {
            Self::Plain { encoding, least, .. } => {
                let done = to_plain(*encoding, *least, points, &mut dst[mark..]);
                Written { written: mark + done.written, ..done }
            }
            Self::Shifting(encoder) => encoder.write(points, dst),
            Self::Table(table, least) => to_table(table, *least, points, dst),
            Self::Combining(table, held) => to_combining(table, held, points, dst),
            Self::Iso2022Jp(table, set) => to_iso_2022_jp(table, set, points, dst),
        }
    }

    /// Writes all of a text. Returns the number of bytes written, or `None` if the charset lacks a
    /// character of it.
    ///
    /// # Errors
    /// [`End::OutputFull`] if the output has no space for all of it. Then nothing was written.
    pub(super) fn write_whole(&mut self, text: &str, dst: &mut [u8]) -> Result<Option<usize>, End> {
        let before = self.state();
        let mut written = 0;
        for scalar in text.chars() {
            let done = self.write(&[u32::from(scalar)], &mut dst[written..]);
            written += done.written;
            match done.stop {
                WriteStop::Input => {}
                WriteStop::Full => {
                    self.restore(before);
                    return Err(End::OutputFull);
                }
                WriteStop::Unencodable => {
                    self.restore(before);
                    return Ok(None);
                }
            }
        }
        Ok(Some(written))
    }

    /// The state, if writing a replacement changes it. The others have every character that a
    /// replacement consists of.
    fn state(&self) -> State {
        match self {
            Self::Iso2022Jp(_, set) => State::Set(*set),
            Self::Shifting(encoder) => State::Shifting(encoder.fork()),
            _ => State::None,
        }
    }

    fn restore(&mut self, before: State) {
        match (self, before) {
            (Self::Iso2022Jp(_, set), State::Set(before)) => *set = before,
            (Self::Shifting(encoder), State::Shifting(before)) => *encoder = before,
            _ => {}
        }
    }

    /// Ends a text. Returns the number of bytes written, or `None` if the output has no space.
    pub(super) fn finish(&mut self, dst: &mut [u8]) -> Option<usize> {
        match self {
            Self::Plain { .. } | Self::Table(..) => Some(0),
            Self::Shifting(encoder) => encoder.finish(dst),
            Self::Combining(table, held) => {
                let Some(point) = *held else { return Some(0) };
                let done = to_table(table, 1, &[point], dst);
                *held = held.filter(|_| done.read == 0);
                (done.read > 0).then_some(done.written)
            }
            Self::Iso2022Jp(_, set) => {
                let mut end = Vec::new();
                let mut after = *set;
                iso_2022_jp::finish(&mut after, &mut end);
                dst.get_mut(..end.len())?.copy_from_slice(&end);
                *set = after;
                Some(end.len())
            }
        }
    }
}

fn to_plain(encoding: Encoding, least: usize, points: &[u32], dst: &mut [u8]) -> Written {
    if points.len() <= few::MOST
        && let Some(done) = few::encode(encoding, least, points, dst)
    {
        return done;
    }
    let progress = encoder(encoding, Bom::Keep).encode_code_points(points, dst, false);
    Written::of(progress, least, dst.len())
}

/// As in glibc, two letters are not written before the next code point: BIG5-HKSCS has characters for
/// each of them with either of two marks.
fn to_combining(table: &Table, held: &mut Option<u32>, points: &[u32], dst: &mut [u8]) -> Written {
    let (mut read, mut written) = (0, 0);
    loop {
        let stopped = |stop| Written { read, written, stop };
        let Some(point) = points.get(read) else { return stopped(WriteStop::Input) };
        if written == dst.len() {
            return stopped(WriteStop::Full);
        }
        if let Some(letter) = *held {
            let combined = table.encode_pair([letter, *point]);
            let Some(bytes) = combined.or_else(|| table.encode_two(letter)) else {
                return stopped(WriteStop::Unencodable);
            };
            let Some(space) = dst.get_mut(written..written + 2) else {
                return stopped(WriteStop::Full);
            };
            space.copy_from_slice(&bytes);
            written += 2;
            read += usize::from(combined.is_some());
            *held = None;
        } else if table.begins_pair(*point) {
            *held = Some(*point);
            read += 1;
        } else {
            let rest = &points[read..];
            let until = rest.iter().position(|point| table.begins_pair(*point));
            let rest = &rest[..until.unwrap_or(rest.len())];
            let done = to_table(table, 1, rest, &mut dst[written..]);
            (read, written) = (read + done.read, written + done.written);
            if !matches!(done.stop, WriteStop::Input) {
                return Written { read, written, stop: done.stop };
            }
        }
    }
}

fn to_table(table: &Table, least: usize, points: &[u32], dst: &mut [u8]) -> Written {
    let (mut read, mut written) = (0, 0);
    loop {
        let done = table.encode_prefix(&points[read..], &mut dst[written..]);
        (read, written) = (read + done.0, written + done.1);
        let stopped = |stop| Written { read, written, stop };
        let Some(point) = points.get(read) else { return stopped(WriteStop::Input) };
        if written == dst.len() {
            return stopped(WriteStop::Full);
        }
        // The last bytes of the output are too few for the fast path.
        let mut room = [0; RUN];
        match table.encode_prefix(&[*point], &mut room) {
            (0, _) if dst.len() - written < least => return stopped(WriteStop::Full),
            (0, _) => return stopped(WriteStop::Unencodable),
            (_, length) => {
                let Some(space) = dst.get_mut(written..written + length) else {
                    return stopped(WriteStop::Full);
                };
                space.copy_from_slice(&room[..length]);
                (read, written) = (read + 1, written + length);
            }
        }
    }
}

fn to_iso_2022_jp(table: &Table, set: &mut Set, points: &[u32], dst: &mut [u8]) -> Written {
    let (mut read, mut written) = (0, 0);
    let mut bytes = Vec::with_capacity(RUN);
    for point in points {
        let stopped = |stop| Written { read, written, stop };
        if written == dst.len() {
            return stopped(WriteStop::Full);
        }
        bytes.clear();
        let mut after = *set;
        let space = &mut dst[written..];
        if !iso_2022_jp::encode(table, &mut after, *point, &mut bytes) {
            // As in glibc, which tries the current set first.
            let is_full = *set == Set::Kanji && space.len() < 2;
            return stopped(if is_full { WriteStop::Full } else { WriteStop::Unencodable });
        }
        let escape = if after == *set { 0 } else { ESCAPE };
        if space.len() < bytes.len() {
            // As in glibc, the escape sequence is written if there is space for it.
            if escape > 0 && space.len() >= escape {
                space[..escape].copy_from_slice(&bytes[..escape]);
                *set = after;
                return Written { read, written: written + escape, stop: WriteStop::Full };
            }
            return stopped(WriteStop::Full);
        }
        space[..bytes.len()].copy_from_slice(&bytes);
        *set = after;
        (read, written) = (read + 1, written + bytes.len());
    }
    Written { read, written, stop: WriteStop::Input }
}
