//! Encodes to a buffer of any size.

use std::sync::Arc;

use utfall::{Encoder, Encoding, Status};

use super::End;
use crate::iso_2022_jp::{self, Set};
use crate::names::{Charset, Kind};
use crate::table::{RUN, Table};
use crate::target::encoder;

pub(super) enum Writer {
    Plain {
        encoding: Encoding,
        encoder: Box<Encoder<'static>>,
        /// The length of the shortest character in bytes.
        least: usize,
        /// Write a BOM before the first character of each text.
        marked: bool,
        begun: bool,
    },
    /// The number of free bytes below which glibc does not look up a character.
    Table(Arc<Table>, usize),
    Iso2022Jp(Arc<Table>, Set),
}

/// The number of characters below which an encoder costs more than it saves.
const SHORT: usize = 16;

/// The length of an escape sequence in ISO-2022-JP.
const ESCAPE: usize = 3;

/// The progress of a call: code points read, bytes written.
pub(super) struct Written {
    pub(super) read: usize,
    pub(super) written: usize,
    pub(super) stop: WriteStop,
}

pub(super) enum WriteStop {
    /// All code points were written.
    Input,
    /// The output has no space for the next code point.
    Full,
    /// The charset lacks the next code point.
    Unencodable,
}

impl Writer {
    /// `None` if a table is missing.
    pub(super) fn new(charset: Charset) -> Option<Self> {
        let plain = |encoding: Encoding, marked| Self::Plain {
            encoding,
            encoder: encoder(encoding),
            least: encoding.info().code_unit,
            marked,
            begun: false,
        };
        Some(match charset.kind() {
            Kind::Plain(Encoding::UsAscii) => Self::Table(Table::direct(0x80), 1),
            Kind::Plain(Encoding::Iso8859_1) => Self::Table(Table::direct(0x100), 1),
            Kind::Plain(encoding) => plain(encoding, false),
            Kind::Marked { little, big, .. } => {
                plain(if cfg!(target_endian = "little") { little } else { big }, true)
            }
            Kind::Table => {
                let least = if charset.name() == "EUC-JP" { 2 } else { 1 };
                Self::Table(Table::load(charset.name())?, least)
            }
            Kind::Iso2022Jp => Self::Iso2022Jp(Table::load(iso_2022_jp::TABLE)?, Set::Ascii),
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
            Self::Plain { encoding, encoder, begun, .. } => {
                *encoder = self::encoder(*encoding);
                *begun = false;
            }
            Self::Table(..) => {}
            Self::Iso2022Jp(_, set) => *set = Set::Ascii,
        }
    }

    /// Writes a BOM if the text begins and has one. Returns its length, or `None` if there is no
    /// space.
    pub(super) fn mark(&mut self, dst: &mut [u8]) -> Option<usize> {
        let Self::Plain { encoder, marked: true, begun: begun @ false, .. } = self else {
            return Some(0);
        };
        let progress = encoder.encode_code_points(&[0xFEFF], dst, false);
        *begun = progress.written > 0;
        begun.then_some(progress.written)
    }

    /// Encodes a prefix of `points`, which are not empty.
    pub(super) fn write(&mut self, points: &[u32], dst: &mut [u8]) -> Written {
        let Some(mark) = self.mark(dst) else {
            return Written { read: 0, written: 0, stop: WriteStop::Full };
        };
        match self {
            Self::Plain { encoding: Encoding::Utf8, .. } if points.len() <= SHORT => {
                few_to_utf8(points, dst)
            }
            Self::Plain { encoder, least, .. } => {
                let progress = encoder.encode_code_points(points, &mut dst[mark..], false);
                let written = mark + progress.written;
                let stop = match progress.status {
                    Status::InputEmpty => WriteStop::Input,
                    Status::OutputFull => WriteStop::Full,
                    Status::Error(_) => {
                        let stop = match dst.len() - written < *least {
                            true => WriteStop::Full,
                            false => WriteStop::Unencodable,
                        };
                        return Written { read: progress.read - 1, written, stop };
                    }
                };
                Written { read: progress.read, written, stop }
            }
            Self::Table(table, least) => to_table(table, *least, points, dst),
            Self::Iso2022Jp(table, set) => to_iso_2022_jp(table, set, points, dst),
        }
    }

    /// Writes all of a text. Returns the number of bytes written, or `None` if the charset lacks a
    /// character of it.
    ///
    /// # Errors
    /// [`End::OutputFull`] if the output has no space for all of it. Then nothing was written.
    pub(super) fn write_whole(&mut self, text: &str, dst: &mut [u8]) -> Result<Option<usize>, End> {
        let before = self.set();
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

    /// The state in which a table-driven charset is. The others have every character that a
    /// replacement consists of.
    fn set(&self) -> Option<Set> {
        match self {
            Self::Iso2022Jp(_, set) => Some(*set),
            _ => None,
        }
    }

    fn restore(&mut self, before: Option<Set>) {
        if let (Self::Iso2022Jp(_, set), Some(before)) = (self, before) {
            *set = before;
        }
    }

    /// Ends a text. Returns the number of bytes written, or `None` if the output has no space.
    pub(super) fn finish(&mut self, dst: &mut [u8]) -> Option<usize> {
        match self {
            Self::Plain { encoder, .. } => {
                let progress = encoder.encode_code_points(&[], dst, true);
                (progress.status == Status::InputEmpty).then_some(progress.written)
            }
            Self::Table(..) => Some(0),
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

/// Faster than the encoder for a few characters: some programs convert each alone.
fn few_to_utf8(points: &[u32], dst: &mut [u8]) -> Written {
    let mut written = 0;
    for (read, point) in points.iter().enumerate() {
        let stopped = |stop| Written { read, written, stop };
        if written == dst.len() {
            return stopped(WriteStop::Full);
        }
        let Some(scalar) = char::from_u32(*point) else { return stopped(WriteStop::Unencodable) };
        let Some(space) = dst.get_mut(written..written + scalar.len_utf8()) else {
            return stopped(WriteStop::Full);
        };
        written += scalar.encode_utf8(space).len();
    }
    Written { read: points.len(), written, stop: WriteStop::Input }
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
