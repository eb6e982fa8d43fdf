//! Explains each byte of a text: the unit it belongs to, which of its bits carry the code point,
//! the code units, and for ill-formed text the error and the clause it violates.
//!
//! ```
//! use utfall::Encoding;
//! use utfall::explain::{Explainer, UnitKind};
//!
//! let text = b"A+ImIDkQ.";
//! let mut explainer = Explainer::new(Encoding::Utf7);
//! let mut seen = String::new();
//! while let Some(unit) = explainer.next(&text[explainer.offset() as usize..], true) {
//!     if let UnitKind::Character(point) = unit.what {
//!         let digits = unit.bytes.escape_ascii();
//!         seen += &format!("{} {digits} U+{point:04X}; ", unit.offset);
//!     }
//! }
//! assert_eq!(seen, "0 A U+0041; 2 ImI U+2262; 5 DkQ U+0391; 8 . U+002E; ");
//! ```
//!
//! The units of a text tile it: every byte belongs to exactly one unit. A unit without bytes
//! describes those before it: the end of a shifted run because the next byte is not a digit, or
//! bits left over at that end. If a byte is several code points, the first of their units has it.
//!
//! The state has a small, fixed size, and so does the look-ahead of a unit, whatever the text is.

mod bits;
mod note;
mod state;

pub use bits::{Bits, CodeUnits};
pub use note::{Note, TagNote};

use core::fmt;

use utfall_simd::{Layout, dispatch};

use crate::codec::{Decode, DecodeStop, Next};
use crate::encoding::AnyDecoder;
use crate::engine::SCRATCH;
use crate::lines::Position;
use crate::route::{Route, Side};
use crate::{Bom, Encoding, Error, Granularity, Options};
use state::State;

/// No unit needs to see more bytes than this.
///
/// Pass at least this many bytes to [`Explainer::next`], if the text has them.
pub const LOOK_AHEAD: usize = 32;

/// How many code points to decode at once if no kernel can check them.
const BLOCK: usize = 256;

/// Splits a text into units.
///
/// In UTF-8, an ill-formed sequence is one unit as an older RFC would have read it
/// ([`Granularity::Perl`]); in other encodings, each maximal subpart is one.
#[derive(Clone)]
pub struct Explainer {
    encoding: Encoding,
    decoder: AnyDecoder,
    offset: u64,
    position: Position,
    /// True until something other than a BOM has been read.
    start: bool,
}

impl fmt::Debug for Explainer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Explainer")
            .field("encoding", &self.encoding)
            .field("offset", &self.offset)
            .finish_non_exhaustive()
    }
}

/// Bytes that belong together.
#[derive(Clone, Copy, Debug)]
pub struct Unit<'s> {
    /// The offset of the first byte from the start of the stream.
    pub offset: u64,
    /// The bytes.
    pub bytes: &'s [u8],
    /// Line and column before the unit.
    pub position: Position,
    /// The meaning of the bytes.
    pub what: UnitKind,
    /// Additional information, if any.
    pub note: Option<Note>,
    state: State,
    /// How many bits at the end belong to the next unit.
    left: u8,
}

/// The meaning of the bytes of a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum UnitKind {
    /// A code point, as a [`Decoder`](crate::Decoder) returns it.
    Character(u32),
    /// A byte order mark, or signature, at the start of the text.
    Mark,
    /// A shift, a tag or an escape: bytes that do not represent a character themselves.
    Shift,
    /// An ill-formed sequence. It may begin in a digit before [`Unit::bytes`] and end inside of
    /// these bytes: the error has its own offset and length.
    IllFormed(Error),
}

impl UnitKind {
    /// A stable name for use by programs.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Character(_) => "character",
            Self::Mark => "mark",
            Self::Shift => "shift",
            Self::IllFormed(_) => "ill-formed",
        }
    }
}

impl Explainer {
    /// An explainer at the start of a text.
    #[must_use]
    pub fn new(encoding: Encoding) -> Self {
        let options = Options {
            bom: Bom::Keep,
            granularity: match encoding.is_utf8() {
                true => Granularity::Perl,
                false => Granularity::MaximalSubpart,
            },
            ..Options::default()
        };
        Self {
            encoding,
            decoder: AnyDecoder::new(encoding, &options),
            offset: 0,
            position: Position::default(),
            start: true,
        }
    }

    /// The encoding.
    #[must_use]
    pub fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// How many bytes have been explained or skipped: where the input of the next call begins.
    #[must_use]
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// The line and column at [`offset`](Self::offset).
    #[must_use]
    pub fn position(&self) -> Position {
        self.position
    }

    /// The unit at the start of `src`, which begins at [`offset`](Self::offset). `last` means that
    /// no input follows `src`.
    ///
    /// `None` at the end of the text, or if more bytes are needed: then call again with the same
    /// bytes and more after them.
    pub fn next<'s>(&mut self, src: &'s [u8], last: bool) -> Option<Unit<'s>> {
        let seen = &src[..src.len().min(LOOK_AHEAD)];
        let state = State::of(self.encoding, &self.decoder);
        let next = self.decoder.next(seen, last && seen.len() == src.len());
        let (what, length) = match next {
            Next::Point { point: 0xFEFF, length } if self.start => (UnitKind::Mark, length),
            Next::Point { point, length } => (UnitKind::Character(point), length),
            Next::Skip { length } => (UnitKind::Shift, length),
            Next::Ill(ill) => {
                let error = Error {
                    encoding: self.encoding,
                    offset: self.offset + ill.consumed as u64 - ill.back as u64,
                    length: ill.length as u32,
                    kind: ill.kind,
                    run_bit: ill.run_bit,
                };
                (UnitKind::IllFormed(error), ill.consumed)
            }
            Next::End => return None,
        };
        let after = State::of(self.encoding, &self.decoder);
        // A byte order decided by a BOM is known only after it.
        let state = if matches!(after, State::Units { .. }) { after } else { state };
        let bytes = &src[..length];
        let unit = Unit {
            offset: self.offset,
            bytes,
            position: self.position,
            what,
            note: match what {
                UnitKind::Mark => note::of_mark(&state),
                _ => match state::old_number(&self.decoder) {
                    Some(old) => Some(Note::Unicode11(old)),
                    None => self.note(bytes, next, &state, &after),
                },
            },
            state,
            left: after.left_over(),
        };
        self.offset += length as u64;
        match what {
            UnitKind::Character(point) => self.position.advance_points(&[point]),
            UnitKind::IllFormed(_) => self.position.advance_points(&[0xFFFD]),
            UnitKind::Mark | UnitKind::Shift => {}
        }
        self.start &= matches!(what, UnitKind::Shift);
        Some(unit)
    }

    fn note(&self, bytes: &[u8], next: Next, before: &State, after: &State) -> Option<Note> {
        #[cfg(feature = "legacy")]
        if let Next::Point { .. } = next
            && let Some(cell) = note::of_cell(self.encoding, bytes)
        {
            return Some(cell);
        }
        note::of(bytes, next, before, after)
    }

    /// Skips well-formed units at the start of `src`, as fast as they can be checked, and returns
    /// the number of bytes skipped. It stops at an ill-formed sequence, perhaps some controls
    /// before it, or at the end of `src`; call [`next`](Self::next) there.
    ///
    /// ```
    /// use utfall::{Encoding, explain::{Explainer, UnitKind}};
    ///
    /// let text = b"a\nbc\xC0\xAEd";
    /// let mut explainer = Explainer::new(Encoding::Utf8);
    /// let sound = explainer.skip_well_formed(text);
    /// let unit = explainer.next(&text[sound..], true).unwrap();
    /// assert_eq!((sound, unit.bytes, unit.position.line), (4, &b"\xC0\xAE"[..], 2));
    /// assert!(matches!(unit.what, UnitKind::IllFormed(_)));
    /// ```
    pub fn skip_well_formed(&mut self, src: &[u8]) -> usize {
        let mut read = 0;
        while self.start {
            // A BOM decides how the rest is read.
            let before = self.clone();
            match self.next(&src[read..], false).map(|unit| (unit.what, unit.bytes.len())) {
                None => return read,
                Some((UnitKind::IllFormed(_), _)) => {
                    *self = before;
                    return read;
                }
                Some((_, length)) => read += length,
            }
        }
        loop {
            let skipped = self.skip_some(&src[read..]);
            read += skipped;
            if skipped == 0 {
                return read;
            }
        }
    }

    fn skip_some(&mut self, src: &[u8]) -> usize {
        let kernels = dispatch::active();
        let mut scratch;
        let (read, form, seen) = match Route::new(self.decoder.side(), Side::Discarded) {
            Route::Check(form) => {
                let read = kernels.prefix(form, src);
                (read, form, &src[..read])
            }
            Route::CheckCharset(charset) => {
                scratch = [0; SCRATCH];
                let (read, written) = charset.decode(kernels, Layout::Utf8, src, &mut scratch);
                (read, Layout::Utf8, &scratch[..written])
            }
            Route::CheckAsUtf8 => {
                scratch = [0; SCRATCH];
                let (read, written) = self.decoder.decode_to_utf8(kernels, src, &mut scratch);
                (read, Layout::Utf8, &scratch[..written])
            }
            _ => (0, Layout::Utf8, &[][..]),
        };
        if read == 0 {
            return match self.decoder.side() {
                // A kernel stops at sequences that only older encodings have.
                Side::Plain(_) => self.skip_block::<1>(src),
                _ => self.skip_block::<BLOCK>(src),
            };
        }
        self.position.advance_bytes(form, seen);
        self.offset += read as u64;
        read
    }

    /// Decodes up to `N` code points, or up to an ill-formed sequence.
    fn skip_block<const N: usize>(&mut self, src: &[u8]) -> usize {
        let kernels = dispatch::active();
        let before = self.decoder.clone();
        let mut block = [0; N];
        let mut decoded = self.decoder.decode(kernels, src, &mut block, false);
        if matches!(decoded.stop, DecodeStop::Ill(_)) {
            // Go back to just after the last code point before it.
            self.decoder = before;
            if decoded.written == 0 {
                return 0;
            }
            decoded = self.decoder.decode(kernels, src, &mut block[..decoded.written], false);
        }
        self.position.advance_points(&block[..decoded.written]);
        self.offset += decoded.read as u64;
        decoded.read
    }
}
