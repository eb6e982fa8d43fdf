//! A sink that writes nothing and reports the characters that a linter is interested in as
//! unencodable. So the engine stops there, in any encoding and however the text is split, and knows
//! the offset, the line and the column.

use utfall_simd::{Kernels, Layout};

use super::newlines::{Newline, Newlines};
use super::skim::{self, Wanted};
use super::words::{self, Tail};
use super::{Rule, Rules};
use crate::codec::{EncodeStop, Encoded, Sink};
use crate::route::Side;

/// How many bytes to scan at once: at first, and at most. An early stop then has not cost more than
/// that.
const FIRST_BLOCK: usize = 128;
const BLOCK: usize = 4096;
/// The longest sequence of any form.
const LONGEST: usize = 4;

/// The start of JSON escapes.
const BACKSLASH: u32 = 0x5C;

/// The length in bytes of a character from U+00C2 to U+00F4 at the end of a text. An escape after
/// it may encode the continuation byte.
fn lead(form: Layout, bytes: &[u8]) -> usize {
    match (form, bytes) {
        (Layout::Latin1, [.., 0xC2..=0xF4]) => 1,
        (Layout::Utf8, [.., 0xC3, 0x82..=0xB4]) => 2,
        _ => 0,
    }
}

#[derive(Clone)]
pub(super) struct Sieve {
    /// Stops at everything.
    pub(super) takes_all: bool,
    /// Accepts everything.
    wants_nothing: bool,
    /// The previous code point, or 0 at the start of the text.
    pub(super) before: u32,
    /// The last characters, if a rule needs them.
    pub(super) tail: Option<Tail>,
    /// The text begins with a BOM.
    pub(super) has_mark: bool,
    /// The next code point is the BOM.
    is_mark_next: bool,
    pub(super) newlines: Newlines,
    /// Escapes may begin there.
    pub(super) stops_at_backslash: bool,
}

impl Sieve {
    /// For these rules.
    pub(super) fn new(rules: Rules) -> Self {
        let of_no_character = [Rule::IllFormed, Rule::Bom, Rule::FinalNewline];
        Self {
            takes_all: false,
            wants_nothing: rules.iter().all(|rule| of_no_character.contains(&rule)),
            before: 0,
            tail: words::need_tail(rules).then(Tail::default),
            has_mark: false,
            is_mark_next: false,
            newlines: Newlines::new(rules.contains(Rule::MixedNewlines)),
            stops_at_backslash: false,
        }
    }

    /// Each kind of line end is looked for until it has been found.
    fn wanted(&self) -> Wanted {
        let is_wanted = |kind| self.newlines.is_counted && !self.newlines.has(kind);
        Wanted {
            lf: is_wanted(Newline::Lf),
            crlf: is_wanted(Newline::CrLf),
            cr: is_wanted(Newline::Cr),
            before: self.before,
        }
    }

    /// Counts line ends in text that was skipped. As long as there are no carriage returns, line
    /// feeds need no extra counting.
    fn pass(&mut self, points: impl Iterator<Item = u32> + Clone) {
        if self.newlines.has(Newline::CrLf) || self.newlines.has(Newline::Cr) {
            let is_return = |point: &u32| *point == 0x0D;
            self.newlines.returns += points.clone().filter(is_return).count() as u64;
            let is_pair = |(point, next): &(u32, u32)| (*point, *next) == (0x0D, 0x0A);
            let pairs = points.clone().zip(points.clone().skip(1)).filter(is_pair).count();
            let is_cut = self.before == 0x0D && points.clone().next() == Some(0x0A);
            self.newlines.pairs += pairs as u64 + u64::from(is_cut);
        }
    }

    /// The same for text in which the bytes of line ends are nothing else.
    fn pass_ascii_compatible(&mut self, bytes: &[u8]) {
        if !self.newlines.has(Newline::CrLf) && !self.newlines.has(Newline::Cr) {
            return;
        }
        let is_cut = self.before == 0x0D && bytes.first() == Some(&b'\n');
        self.newlines.pairs += u64::from(is_cut);
        // The compiler makes vectors of sums of bytes, and these do not overflow.
        let after = bytes.get(1..).unwrap_or_default();
        let mut parts = after.chunks(255);
        for part in bytes.chunks(255) {
            let returns = part.iter().fold(0, |sum: u8, byte| sum + u8::from(*byte == b'\r'));
            let followed = part.iter().zip(parts.next().unwrap_or_default());
            let pairs =
                followed.fold(0, |sum: u8, (a, b)| sum + u8::from((*a == b'\r') & (*b == b'\n')));
            self.newlines.returns += u64::from(returns);
            self.newlines.pairs += u64::from(pairs);
        }
    }

    fn pass_bytes(&mut self, form: Layout, bytes: &[u8]) {
        let (units16, units32) = (bytes.as_chunks::<2>().0, bytes.as_chunks::<4>().0);
        match form {
            // No byte of a non-ASCII character is a line end.
            Layout::Utf8 | Layout::Latin1 => self.pass_ascii_compatible(bytes),
            Layout::Utf16Le => self.pass(units16.iter().map(|u| u32::from(u16::from_le_bytes(*u)))),
            Layout::Utf16Be => self.pass(units16.iter().map(|u| u32::from(u16::from_be_bytes(*u)))),
            Layout::Utf32Le => self.pass(units32.iter().map(|u| u32::from_le_bytes(*u))),
            Layout::Utf32Be => self.pass(units32.iter().map(|u| u32::from_be_bytes(*u))),
        }
        if let Some(last) = skim::last(form, bytes) {
            self.before = last;
        }
    }
}

impl Sink for Sieve {
    fn accept(&mut self, _: &Kernels, src: &[u32], _: &mut [u8]) -> Encoded {
        let mark = usize::from(core::mem::take(&mut self.is_mark_next));
        let points = &src[mark.min(src.len())..];
        let mut clean = if self.takes_all { 0 } else { skim::points(points, self.wanted()) };
        if self.stops_at_backslash {
            // Include the next code point: it may be a backslash after a possible lead byte.
            let seen = &points[..points.len().min(clean + 1)];
            if let Some(at) = seen.iter().position(|point| *point == BACKSLASH) {
                let is_lead = |point: &u32| (0xC2..=0xF4).contains(point);
                clean = at - usize::from(seen[..at].last().is_some_and(is_lead));
            }
        }
        self.pass(points[..clean].iter().copied());
        if let Some(tail) = &mut self.tail {
            tail.push_text(points[..clean].iter().rev().copied());
        }
        self.before = points[..clean].last().copied().unwrap_or(self.before);
        let stop = if clean < points.len() { EncodeStop::Unencodable } else { EncodeStop::Input };
        Encoded { read: mark + clean, written: 0, stop }
    }

    fn side(&self) -> Side {
        Side::Inspected
    }

    fn accept_bytes(
        &mut self,
        kernels: &Kernels,
        form: Layout,
        src: &[u8],
        _: &mut [u8],
    ) -> (usize, usize) {
        if self.wants_nothing {
            let read = kernels.prefix(form, src);
            self.before = skim::last(form, &src[..read]).unwrap_or(self.before);
            return (read, 0);
        }
        let is_by_bytes = matches!(form, Layout::Utf8 | Layout::Latin1);
        if self.stops_at_backslash && !is_by_bytes {
            // The block path stops at backslashes.
            return (0, 0);
        }
        let (mut read, mut block) = (0, FIRST_BLOCK);
        let mut backslash = None;
        while read < src.len() && !self.takes_all && backslash.is_none() {
            let rest = &src[read..];
            let mut room = rest.len().min(block);
            if self.stops_at_backslash {
                // Include the next byte: it may be a backslash after a possible lead byte.
                let seen = &rest[..rest.len().min(room + 1)];
                backslash = seen.iter().position(|byte| u32::from(*byte) == BACKSLASH);
                room = backslash.map_or(room, |at| at - lead(form, &seen[..at]));
            }
            block = BLOCK.min(2 * block);
            let clean = skim::bytes(kernels, form, rest, room, self.wanted());
            let sound = kernels.prefix(form, &rest[..clean]);
            self.pass_bytes(form, &rest[..sound]);
            read += sound;
            let is_cut = clean == room && sound > 0 && clean - sound < LONGEST;
            if clean < room || sound < clean && !is_cut {
                break;
            }
        }
        if let Some(tail) = &mut self.tail {
            tail.push_text(skim::backwards(form, &src[..read]));
        }
        (read, 0)
    }

    fn omit_bom(&mut self) {
        self.has_mark = true;
        self.is_mark_next = true;
    }
}
