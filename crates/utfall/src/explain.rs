//! What each octet of a text is: the unit it belongs to, which of its bits carry the code point,
//! the code units, and where it is ill-formed, what is wrong and by which clause.
//!
//! ```
//! use utfall::Encoding;
//! use utfall::explain::{Explainer, What};
//!
//! let text = b"A+ImIDkQ.";
//! let mut explainer = Explainer::new(Encoding::Utf7);
//! let mut seen = String::new();
//! while let Some(unit) = explainer.next(&text[explainer.offset() as usize..], true) {
//!     if let What::Character(point) = unit.what {
//!         let digits = unit.octets.escape_ascii();
//!         seen += &format!("{} {digits} U+{point:04X}; ", unit.offset);
//!     }
//! }
//! assert_eq!(seen, "0 A U+0041; 2 ImI U+2262; 5 DkQ U+0391; 8 . U+002E; ");
//! ```
//!
//! The units of a text tile it: their octets, one after the other, are the text. A unit with no
//! octets says something about those before it: a shifted run that ends because the next octet
//! is no digit, or bits left over at its end.
//!
//! The state is small and of fixed size, and so is what a unit looks at, whatever the text is.

mod bits;
mod note;
mod state;

pub use bits::{Bits, CodeUnits};
pub use note::{Note, TagNote};

use core::fmt;

use utfall_simd::{Form, Kernels, dispatch};

use crate::codec::{Decode, DecodeStop, Next};
use crate::encoding::AnyDecoder;
use crate::lines::Position;
use crate::pivot::SCRATCH;
use crate::repertoire::hangul;
use crate::{Bom, Encoding, Error, Granularity, Options};
use state::State;

/// A unit never needs to see more octets than this to be told.
///
/// [`Explainer::next`] is to be given so many, if there are so many.
pub const LOOK_AHEAD: usize = 32;

/// Code points that are decoded at once where there is no kernel to check them.
const BLOCK: usize = 256;

/// Tells a text apart into units, one after the other.
///
/// Ill-formed sequences of UTF-8 are taken whole, as an older memo would have read them
/// ([`Granularity::Perl`]); those of other encodings by maximal subparts.
#[derive(Clone)]
pub struct Explainer {
    encoding: Encoding,
    decoder: AnyDecoder,
    kernels: &'static Kernels,
    offset: u64,
    position: Position,
    /// Only a mark has been read so far, or nothing.
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

/// Some octets that belong together.
#[derive(Clone, Copy, Debug)]
pub struct Unit<'s> {
    /// Where they begin, in octets from the start of the stream.
    pub offset: u64,
    /// The octets.
    pub octets: &'s [u8],
    /// Line and column in front of them.
    pub position: Position,
    /// What they are.
    pub what: What,
    /// More about it, where there is something to say.
    pub note: Option<Note>,
    state: State,
    /// Bits at the end that belong to what follows.
    left: u8,
}

/// What some octets are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum What {
    /// A code point, as a [`Decoder`](crate::Decoder) gives it.
    Character(u32),
    /// A byte order mark, or signature, at the start of the text.
    Mark,
    /// A shift, a tag or an escape: something that stands for no character itself.
    Shift,
    /// An ill-formed sequence. It may begin in a digit before [`Unit::octets`], and end in them:
    /// the error has its own offset and length.
    IllFormed(Error),
}

impl What {
    /// One word for programs to read, the same from version to version.
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
    /// At the start of a text.
    #[must_use]
    pub fn new(encoding: Encoding) -> Self {
        let options = Options {
            bom: Bom::Keep,
            granularity: match is_utf8(encoding) {
                true => Granularity::Perl,
                false => Granularity::MaximalSubpart,
            },
            ..Options::default()
        };
        Self {
            encoding,
            decoder: AnyDecoder::new(encoding, &options),
            kernels: dispatch::active(),
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

    /// How many octets have been explained or passed over. What follows is to be given next.
    #[must_use]
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// The line and column there.
    #[must_use]
    pub fn position(&self) -> Position {
        self.position
    }

    /// The unit at the start of `src`, which begins at [`offset`](Self::offset). If `last`, no
    /// more input follows `src`.
    ///
    /// `None` at the end of the text, and where more octets are needed: then the same octets are
    /// to be given again, with more behind them.
    pub fn next<'s>(&mut self, src: &'s [u8], last: bool) -> Option<Unit<'s>> {
        let seen = &src[..src.len().min(LOOK_AHEAD)];
        let state = State::of(&self.decoder);
        let next = self.decoder.next(seen, last && seen.len() == src.len());
        let (what, length) = match next {
            Next::Point { point: 0xFEFF, length } if self.start => (What::Mark, length),
            Next::Point { point, length } => (What::Character(self.today(point)), length),
            Next::Skip { length } => (What::Shift, length),
            Next::Ill(ill) => {
                let error = Error {
                    encoding: self.encoding,
                    offset: self.offset + ill.consumed as u64 - ill.back as u64,
                    length: ill.length as u32,
                    kind: ill.kind,
                    run_bit: ill.run_bit,
                };
                (What::IllFormed(error), ill.consumed)
            }
            Next::End => return None,
        };
        let after = State::of(&self.decoder);
        // An order that a mark decides is known behind it.
        let state = if matches!(after, State::Units { .. }) { after } else { state };
        let octets = &src[..length];
        let unit = Unit {
            offset: self.offset,
            octets,
            position: self.position,
            what,
            note: match what {
                What::Mark => note::of_mark(&state),
                _ => note::of(self.encoding, octets, next, &state, &after),
            },
            state,
            left: after.left_over(),
        };
        self.offset += length as u64;
        match what {
            What::Character(point) => self.position.advance_points(&[point]),
            What::IllFormed(_) => self.position.advance_points(&[0xFFFD]),
            What::Mark | What::Shift => {}
        }
        self.start &= matches!(what, What::Shift);
        Some(unit)
    }

    /// Passes over well-formed units at the start of `src`, as quickly as they can be checked,
    /// and returns how many octets that were. What stopped it is for [`next`](Self::next) to
    /// tell: an ill-formed sequence, perhaps with controls in front of it, or the end of `src`.
    ///
    /// ```
    /// use utfall::{Encoding, explain::{Explainer, What}};
    ///
    /// let text = b"a\nbc\xC0\xAEd";
    /// let mut explainer = Explainer::new(Encoding::Utf8);
    /// let sound = explainer.skip_well_formed(text);
    /// let unit = explainer.next(&text[sound..], true).unwrap();
    /// assert_eq!((sound, unit.octets, unit.position.line), (4, &b"\xC0\xAE"[..], 2));
    /// assert!(matches!(unit.what, What::IllFormed(_)));
    /// ```
    pub fn skip_well_formed(&mut self, src: &[u8]) -> usize {
        let mut read = 0;
        while self.start {
            // A mark decides how the rest is read.
            let before = self.clone();
            match self.next(&src[read..], false).map(|unit| (unit.what, unit.octets.len())) {
                None => return read,
                Some((What::IllFormed(_), _)) => {
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
        if let Some(form) = self.decoder.form() {
            let read = self.kernels.prefix(form, src);
            self.position.advance_octets(form, &src[..read]);
            self.offset += read as u64;
            // A kernel stops at sequences that only older encodings have.
            return if read > 0 { read } else { self.skip_block::<1>(src) };
        }
        let mut scratch = [0; SCRATCH];
        match self.decoder.decode_to_utf8(self.kernels, src, &mut scratch) {
            Some((read @ 1.., written)) => {
                self.position.advance_octets(Form::Utf8, &scratch[..written]);
                self.offset += read as u64;
                read
            }
            _ => self.skip_block::<BLOCK>(src),
        }
    }

    /// Decodes up to `N` code points, or to something ill-formed.
    fn skip_block<const N: usize>(&mut self, src: &[u8]) -> usize {
        let before = self.decoder.clone();
        let mut block = [0; N];
        let mut decoded = self.decoder.decode(src, &mut block, false);
        if matches!(decoded.stop, DecodeStop::Ill(_)) {
            // Back to behind the last code point in front of it.
            self.decoder = before;
            if decoded.written == 0 {
                return 0;
            }
            decoded = self.decoder.decode(src, &mut block[..decoded.written], false);
        }
        self.position.advance_points(&block[..decoded.written]);
        self.offset += decoded.read as u64;
        decoded.read
    }

    /// A code point as it is numbered today.
    fn today(&self, point: u32) -> u32 {
        match self.encoding.info().repertoire.renumbers() {
            true => hangul::from_1_1(point),
            false => point,
        }
    }
}

/// Whether it is the UTF-8 of some memo.
fn is_utf8(encoding: Encoding) -> bool {
    use Encoding as E;
    matches!(encoding, E::Utf8 | E::Utf8Rfc2279 | E::Utf8Rfc2044 | E::Unicode11Utf8)
}
