//! Finds the source position of a character of the intermediate text.
//!
//! Positions are not tracked during conversion. Instead, the source is buffered until it has passed
//! through the filter, with snapshots of the first conversion. To locate a character, the preceding
//! snapshot converts again, to an encoding that lacks the character. The resulting error has the
//! position, determined like that of any other error.

use std::collections::VecDeque;
use std::ops::Range;
use std::vec::Vec;

use utfall_simd::Kernels;

use super::Filter;
use super::pivot::Pivot;
use crate::codec::{EncodeStop, Encoded, Put, Sink};
use crate::encoding::AnyDecoder;
use crate::engine::Engine;
use crate::lines::Position;
use crate::{Encoding, Error, ErrorKind, Status};

/// The minimum number of bytes between two snapshots.
const BETWEEN: usize = 4096;

/// The part of `text` from which the character `made` was made, which is at `at` in the filtered
/// text: the character itself if `text` has it, otherwise the shortest piece that becomes it.
pub(super) fn of(filter: &dyn Filter, text: &[u8], made: &[u8], at: usize) -> Range<usize> {
    let (mut begin, mut before, mut out) = (0, 0, Vec::new());
    while begin < text.len() {
        let rest = &text[begin..];
        let length = filter.piece(rest).clamp(1, rest.len());
        let piece = &rest[..length];
        out.clear();
        _ = filter.apply(piece, true, &mut out);
        if before + out.len() > at {
            let count = |bytes: &[u8]| bytes.windows(made.len()).filter(|w| *w == made).count();
            let same = count(&out[..at - before]);
            let places = piece.windows(made.len()).enumerate().filter(|(_, w)| *w == made);
            return match places.map(|(place, _)| begin + place).nth(same) {
                Some(place) => place..place + made.len(),
                None => begin..begin + length,
            };
        }
        before += out.len();
        begin += length;
    }
    text.len()..text.len()
}

/// The part of the source that may still be needed.
#[derive(Default)]
pub(super) struct History {
    /// Bytes read, of one or more texts.
    bytes: Vec<u8>,
    stands: VecDeque<Stand>,
    /// How many more texts have begun after the first.
    text: usize,
    /// Whether the last of them is complete.
    ended: bool,
}

/// A snapshot of the first conversion.
struct Stand {
    engine: Engine<'static, AnyDecoder, Finder>,
    text: usize,
    /// How many bytes had been read: of [`History::bytes`], and of the text.
    at: usize,
    read: u64,
    /// How many bytes had been written.
    written: u64,
}

/// The position of a character in the source, in the form of an error.
pub(super) struct Place {
    pub(super) text: usize,
    pub(super) error: Error,
    pub(super) position: Position,
}

impl History {
    /// Remembers `bytes`, which are read next. `written` is the length of the output before them.
    pub(super) fn remember(
        &mut self,
        engine: &Engine<'static, AnyDecoder, Pivot>,
        written: u64,
        bytes: &[u8],
    ) {
        let (text, at) = (self.text, self.bytes.len());
        let last = self.stands.back().filter(|last| last.text == text);
        let since = last.map(|last| at - last.at);
        if since.is_none_or(|since| since >= BETWEEN) {
            let read = last.map_or(0, |last| last.read) + since.unwrap_or(0) as u64;
            let engine = engine.fork_to(Finder { left: 0 });
            self.stands.push_back(Stand { engine, text, at, read, written });
        }
        self.bytes.extend_from_slice(bytes);
    }

    /// Marks the end of the text.
    pub(super) fn end(&mut self) {
        self.ended = true;
    }

    /// Begins another text.
    pub(super) fn next_text(&mut self) {
        self.text += 1;
        self.ended = false;
    }

    /// Drops data that is no longer needed once everything before `written` is done. Keeps the last
    /// bytes before it, since a sequence may begin there.
    pub(super) fn forget(&mut self, written: u64) {
        let done = self.stands.iter().take_while(|stand| stand.written <= written).count();
        let useless = done.saturating_sub(2);
        if useless == 0 {
            return;
        }
        self.stands.drain(..useless);
        let bytes = self.stands[0].at;
        self.bytes.drain(..bytes);
        self.stands.iter_mut().for_each(|stand| stand.at -= bytes);
    }

    /// The source position of the character that begins at byte `written` of the intermediate text.
    pub(super) fn place(&self, written: u64) -> Place {
        let before = self.stands.iter().rposition(|stand| stand.written <= written);
        let stand = &self.stands[before.unwrap_or(0)];
        let (end, has_next) = self.end_of(stand.text);
        let last = has_next || self.ended || self.text > stand.text;
        let mut engine = stand.engine.fork_to(Finder { left: written - stand.written });
        let (mut bytes, mut scratch) = (&self.bytes[stand.at..end], [0; 4096]);
        let error = loop {
            let progress = engine.run(bytes, &mut scratch, last);
            bytes = &bytes[progress.read..];
            match progress.status {
                Status::Error(error) => break error,
                Status::OutputFull => {}
                // Unreachable: there was a character before.
                Status::InputEmpty => {
                    let (encoding, kind) = (Encoding::Utf8, ErrorKind::Truncated);
                    break Error { encoding, offset: stand.read, length: 0, kind, run_bit: None };
                }
            }
        };
        let position = engine.error_position().unwrap_or_default();
        Place { text: stand.text, error, position }
    }

    /// The source position of the last character of `text`, which is at `begin..end` of the
    /// intermediate text.
    pub(super) fn last_place(&self, text: &[u8], begin: u64, end: u64) -> Place {
        let tail = text.iter().rev().position(|byte| byte & 0xC0 != 0x80).unwrap_or(0) as u64;
        self.place((end.saturating_sub(tail + 1)).max(begin))
    }

    /// Adds the bytes to an error in the current text.
    pub(super) fn error(&self, error: Error, position: Position) -> super::Error {
        self.error_in(self.text, error, position)
    }

    /// Adds the bytes to an error, as far as they are still buffered.
    pub(super) fn error_in(&self, index: usize, error: Error, position: Position) -> super::Error {
        let bytes = self.bytes_of(index, &error).unwrap_or_default().to_vec();
        super::Error::Text { error, bytes, index, position }
    }

    fn bytes_of(&self, text: usize, error: &Error) -> Option<&[u8]> {
        let first = self.stands.iter().find(|stand| stand.text == text)?;
        let begin = error.offset.checked_sub(first.read)?;
        let begin = first.at + usize::try_from(begin).ok()?;
        self.bytes.get(begin..self.end_of(text).0.min(begin + error.length as usize))
    }

    /// Where a text ends in the buffered bytes, and whether another follows.
    fn end_of(&self, text: usize) -> (usize, bool) {
        let next = self.stands.iter().find(|stand| stand.text > text);
        (next.map_or(self.bytes.len(), |next| next.at), next.is_some())
    }
}

/// A sink that lacks the character after that many bytes of intermediate text.
#[derive(Clone)]
struct Finder {
    left: u64,
}

impl Sink for Finder {
    fn accept(&mut self, _: &Kernels, points: &[u32], dst: &mut [u8]) -> Encoded {
        let lacking = points.iter().position(|point| self.insert(*point, dst) == Put::Unencodable);
        let stop = if lacking.is_some() { EncodeStop::Unencodable } else { EncodeStop::Input };
        Encoded { read: lacking.unwrap_or(points.len()), written: 0, stop }
    }

    fn insert(&mut self, point: u32, _: &mut [u8]) -> Put {
        if self.left == 0 {
            return Put::Unencodable;
        }
        // The length as in UTF-8 before RFC 3629.
        let length = match point {
            0..=0x7F => 1,
            0x80..=0x7FF => 2,
            0x800..=0xFFFF => 3,
            0x1_0000..=0x1F_FFFF => 4,
            0x20_0000..=0x3FF_FFFF => 5,
            _ => 6,
        };
        self.left = self.left.saturating_sub(length);
        Put::Written(0)
    }
}
