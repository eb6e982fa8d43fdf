//! Finds text hidden from anyone who inspects the raw bytes: characters encoded without need, and
//! forms that some readers decode and others ignore.
//!
//! ```
//! use utfall::Encoding;
//! use utfall::hidden::{self, Kind};
//! let found = hidden::find(Encoding::Utf7, b"Hi +ADw-script+AD4- Mom +Jjo-!");
//! let shown: Vec<_> = found.iter().map(|one| (one.kind.name(), one.offset, &*one.text)).collect();
//! assert_eq!(shown, [("encoded-markup", 4, "<"), ("encoded-markup", 15, ">")]);
//! let found = hidden::find(Encoding::Utf8, b"..\xC0\xAFetc");
//! assert_eq!((found[0].kind, found[0].offset, &*found[0].text), (Kind::Overlong, 2, "/"));
//! ```
//!
//! Sequences that are merely ill-formed are not reported: use
//! [`Decoder::validate`](crate::Decoder::validate). `docs/decisions.md` §12 lists what counts as
//! ordinary.

mod units;
mod utf7;
mod utf8;

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::{self, Write as _};

use crate::lines::Position;
use crate::{Encoding, Family};

/// A place where text is hidden.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Hidden {
    /// How it is hidden.
    pub kind: Kind,
    /// The byte offset from the start of the stream. In a shifted run, this is the digit with the
    /// first bit.
    pub offset: u64,
    /// The length in bytes.
    pub length: u64,
    /// The line and column.
    pub position: Position,
    /// The decoded text: the first [`SHOWN`] code points, then `…`. Code points that are not scalar
    /// values are written as `\u{D800}`. Empty if nothing is encoded.
    pub text: String,
    /// The clause that makes the encoding unnecessary or wrong.
    pub reason: &'static str,
}

/// The most code points of hidden text in a report.
pub const SHOWN: usize = 64;

/// How text is hidden.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Kind {
    /// US-ASCII that could have been written directly.
    EncodedAscii,
    /// US-ASCII that includes one of `<>"'&/=@`, as in markup, paths and addresses.
    EncodedMarkup,
    /// Line ends, U+0000 and other controls.
    EncodedControl,
    /// A shifted run directly after another.
    NullShift,
    /// A surrogate pair split between two shifted runs, which some readers decode as a character.
    SplitSurrogates,
    /// A surrogate without its partner.
    Surrogate,
    /// A surrogate pair where a single sequence should encode the character. To readers that join
    /// the pair, it is an overlong form.
    SurrogatePair,
    /// More bytes than the code point needs.
    Overlong,
    /// A five- or six-byte form of UTF-8, which current readers do not decode.
    LongForm,
    /// A byte order mark that begins a line other than the first, or one with swapped bytes, which
    /// is not a character. Some readers change the byte order there.
    MarkInside,
}

impl Kind {
    /// Every kind.
    pub const ALL: [Self; 10] = [
        Self::EncodedAscii,
        Self::EncodedMarkup,
        Self::EncodedControl,
        Self::NullShift,
        Self::SplitSurrogates,
        Self::Surrogate,
        Self::SurrogatePair,
        Self::Overlong,
        Self::LongForm,
        Self::MarkInside,
    ];

    /// The kind as a single word for programs to parse. It does not change between versions.
    ///
    /// ```
    /// assert_eq!(utfall::hidden::Kind::NullShift.name(), "null-shift");
    /// ```
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::EncodedAscii => "encoded-ascii",
            Self::EncodedMarkup => "encoded-markup",
            Self::EncodedControl => "encoded-control",
            Self::NullShift => "null-shift",
            Self::SplitSurrogates => "split-surrogates",
            Self::Surrogate => "surrogate",
            Self::SurrogatePair => "surrogate-pair",
            Self::Overlong => "overlong",
            Self::LongForm => "long-form",
            Self::MarkInside => "mark-inside",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::EncodedAscii => "US-ASCII that did not need encoding",
            Self::EncodedMarkup => "markup that did not need encoding",
            Self::EncodedControl => "encoded control characters",
            Self::NullShift => "shifted run directly after another",
            Self::SplitSurrogates => "surrogate pair in two shifted runs",
            Self::Surrogate => "surrogate without its partner",
            Self::SurrogatePair => "surrogate pair instead of a character",
            Self::Overlong => "overlong form",
            Self::LongForm => "five- or six-byte form",
            Self::MarkInside => "byte order mark inside the text",
        })
    }
}

/// Finds hidden text in a stream of any length, in bounded memory.
///
/// ```
/// use utfall::Encoding;
/// use utfall::hidden::Finder;
/// let mut finder = Finder::new(Encoding::Utf7).unwrap();
/// let mut found = Vec::new();
/// for piece in [&b"+AG"[..], b"EAY", b"gBj-"] {
///     finder.find(piece, false, |one| found.push((one.offset, one.length, one.text)));
/// }
/// finder.find(b"", true, |_| unreachable!());
/// assert_eq!(found, [(1, 8, "abc".into())]);
/// ```
#[derive(Debug)]
pub struct Finder(Form);

#[derive(Debug)]
enum Form {
    Utf7(utf7::Utf7),
    Utf8(Box<utf8::Utf8>),
    Units(units::Units),
}

impl Finder {
    /// A finder for text in this encoding. Supports UTF-7, IMAP mailbox names, UTF-8, UTF-16,
    /// UTF-32 and their relatives; returns `None` for other encodings.
    #[must_use]
    pub fn new(encoding: Encoding) -> Option<Self> {
        let info = encoding.info();
        Some(Self(match info.family {
            Family::Utf7 => Form::Utf7(utf7::Utf7::new(encoding == Encoding::Utf7Imap)),
            Family::Utf8 => Form::Utf8(Box::new(utf8::Utf8::new(encoding))),
            Family::Utf16 | Family::Utf32 => Form::Units(units::Units::new(info)),
            _ => return None,
        }))
    }

    /// Searches the next chunk, the final one if `last`, and calls `found` for each finding, in the
    /// order of offsets.
    pub fn find(&mut self, src: &[u8], last: bool, mut found: impl FnMut(Hidden)) {
        match &mut self.0 {
            Form::Utf7(form) => form.find(src, last, &mut found),
            Form::Utf8(form) => form.find(src, last, &mut found),
            Form::Units(form) => form.find(src, last, &mut found),
        }
    }
}

/// Finds all hidden text in a complete text. Returns nothing if the encoding is not supported.
#[must_use]
pub fn find(encoding: Encoding, text: &[u8]) -> Vec<Hidden> {
    let mut all = Vec::new();
    if let Some(mut finder) = Finder::new(encoding) {
        finder.find(text, true, |found| all.push(found));
    }
    all
}

/// Receives the findings.
type Tell<'t> = &'t mut dyn FnMut(Hidden);

/// The position of a byte: offset, line and column.
#[derive(Clone, Copy, Debug)]
struct Place {
    offset: u64,
    position: Position,
}

impl Place {
    /// A finding that extends from here to `end`.
    fn to(self, end: u64, kind: Kind, text: &Shown, reason: &'static str) -> Hidden {
        let Self { offset, position } = self;
        Hidden { kind, offset, length: end - offset, position, text: text.0.clone(), reason }
    }
}

/// Hidden text, truncated to [`SHOWN`] code points, with its full length in code points.
#[derive(Clone, Debug, Default)]
pub(crate) struct Shown(String, usize);

impl Shown {
    fn one(point: u32) -> Self {
        let mut shown = Self::default();
        shown.push(point);
        shown
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    pub(crate) fn push(&mut self, point: u32) {
        if self.1 < SHOWN {
            match char::from_u32(point) {
                Some(scalar) => self.0.push(scalar),
                None => _ = write!(self.0, "\\u{{{point:X}}}"),
            }
        } else if self.1 == SHOWN {
            self.0.push('…');
        }
        self.1 = self.1.saturating_add(1);
    }
}

/// The character of a surrogate pair.
fn joined(high: u32, low: u32) -> u32 {
    0x1_0000 + ((high & 0x3FF) << 10 | low & 0x3FF)
}

fn is_high(unit: u32) -> bool {
    matches!(unit, 0xD800..=0xDBFF)
}

fn is_low(unit: u32) -> bool {
    matches!(unit, 0xDC00..=0xDFFF)
}
