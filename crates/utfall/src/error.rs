//! What can be wrong with text, and where.

use core::fmt;

use crate::Encoding;

/// One ill-formed sequence of the input, or one code point the output encoding lacks.
///
/// ```
/// use utfall::{Encoding, ErrorKind};
/// let error = Encoding::Utf8.validate(b"abc\xFF").unwrap_err();
/// assert_eq!((error.offset(), error.length()), (3, 1));
/// assert_eq!(error.kind(), ErrorKind::InvalidOctet);
/// assert_eq!(error.clause(), "RFC 3629 §1: C0, C1 and F5 to FF never appear");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Error {
    pub(crate) encoding: Encoding,
    pub(crate) offset: u64,
    pub(crate) length: u32,
    pub(crate) kind: ErrorKind,
    pub(crate) run_bit: Option<u8>,
}

impl Error {
    /// The encoding whose rule is broken: the input's, or, for
    /// [`ErrorKind::Unencodable`], the output's.
    #[must_use]
    pub const fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// Where the sequence begins, counted from the start of the input stream: in octets, or,
    /// for an [`Encoder`](crate::Encoder), in what it is given.
    #[must_use]
    pub const fn offset(&self) -> u64 {
        self.offset
    }

    /// The same error in a stream that began so much earlier.
    #[cfg(feature = "std")]
    pub(crate) const fn moved(self, by: u64) -> Self {
        Self { offset: self.offset + by, ..self }
    }

    /// How long the sequence is, counted in the same way.
    #[must_use]
    pub const fn length(&self) -> u32 {
        self.length
    }

    /// For what is wrong inside a shifted run of UTF-7: the bit at which it begins.
    ///
    /// A run may be of any length, so bits are counted from 0 at the beginning of a group:
    /// eight digits, 48 bits, three code units. The octet at [`offset`](Self::offset) is digit
    /// `bit / 6` of its group, and the sequence begins at bit `bit % 6` of that digit.
    ///
    /// ```
    /// use utfall::Encoding;
    /// // "A€", and padding that is not zero. The padding begins behind two units.
    /// let error = Encoding::Utf7.validate(b"+AEEgrD-").unwrap_err();
    /// assert_eq!((error.offset(), error.run_bit()), (6, Some(32)));
    /// ```
    #[must_use]
    pub const fn run_bit(&self) -> Option<u32> {
        match self.run_bit {
            Some(bit) => Some(bit as u32),
            None => None,
        }
    }

    /// What is wrong.
    #[must_use]
    pub const fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// The clause of the specification that says so.
    #[must_use]
    pub fn clause(&self) -> &'static str {
        (self.encoding.info().clause)(self.kind)
    }

    /// Whether the input is sound and the output encoding lacks one of its code points.
    #[must_use]
    pub const fn is_unencodable(&self) -> bool {
        matches!(self.kind, ErrorKind::Unencodable(_))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.encoding.name();
        match self.kind {
            ErrorKind::Unencodable(_) => write!(f, "{} in {name}", self.kind)?,
            _ => write!(f, "ill-formed {name}: {}", self.kind)?,
        }
        write!(f, " at offset {}", self.offset)?;
        if let Some(bit) = self.run_bit {
            write!(f, ", from bit {bit} of its eight digits")?;
        }
        write!(f, " ({})", self.clause())
    }
}

impl core::error::Error for Error {}

/// The ways in which a sequence can be ill-formed, and one for the encoding side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The input ends inside a sequence.
    Truncated,
    /// A sequence is cut short by an octet that cannot continue it.
    MissingTrail,
    /// A trailing octet without a leading one.
    UnexpectedTrail,
    /// An octet that can stand nowhere, or not here.
    InvalidOctet,
    /// More octets than the code point needs.
    Overlong,
    /// A surrogate where none may be: alone, or encoded as if it were a character.
    Surrogate,
    /// A value above the largest one the encoding has.
    OutOfRange,
    /// A five- or six-octet form, which only the UTF-8 before RFC 3629 had.
    LongForm,
    /// `\` or `~`, which UTF-7 does not let stand for themselves.
    NotDirect,
    /// A control octet that UTF-7 does not let stand for itself.
    Control,
    /// An octet above 7F in a 7-bit encoding.
    EightBit,
    /// A shift character followed by neither Base64 nor `-`.
    EmptyShift,
    /// The two or four bits that pad a shifted run are not all zero.
    NonZeroPadding,
    /// A digit more at the end of a shifted run than its code units need.
    DanglingDigit,
    /// A shifted run of an odd number of octets.
    OddOctets,
    /// A high surrogate in a shifted run without a low one behind it.
    HighSurrogate,
    /// A low surrogate in a shifted run without a high one before it.
    LowSurrogate,
    /// A shifted run that `/` ends, where the digit of that value is `,`.
    SlashDigit,
    /// A shifted run that does not end in `-` where it must.
    Unterminated,
    /// A shifted run directly after another, which should be one.
    NullShift,
    /// US-ASCII inside a shifted run where it must stand for itself.
    EncodedAscii,
    /// A value that the specification keeps reserved.
    Reserved,
    /// Octets that a legacy charset does not define.
    Undefined,
    /// A code point that the output encoding lacks.
    Unencodable(u32),
}

impl ErrorKind {
    /// The kind as one word for programs to read, as in the command's JSON. It stays the same
    /// from version to version, as the [`Display`](fmt::Display) text need not.
    ///
    /// ```
    /// use utfall::{Encoding, ErrorKind};
    ///
    /// let error = Encoding::Utf8.validate(b"/\xC0\xAE./").unwrap_err();
    /// assert_eq!(error.kind(), ErrorKind::Overlong);
    /// assert_eq!(error.kind().name(), "overlong");
    /// ```
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Truncated => "truncated",
            Self::MissingTrail => "missing-trail",
            Self::UnexpectedTrail => "unexpected-trail",
            Self::InvalidOctet => "invalid-octet",
            Self::Overlong => "overlong",
            Self::Surrogate => "surrogate",
            Self::OutOfRange => "out-of-range",
            Self::LongForm => "long-form",
            Self::NotDirect => "not-direct",
            Self::EmptyShift => "empty-shift",
            Self::Control => "control",
            Self::EightBit => "eight-bit",
            Self::NonZeroPadding => "non-zero-padding",
            Self::DanglingDigit => "dangling-digit",
            Self::OddOctets => "odd-octets",
            Self::HighSurrogate => "high-surrogate",
            Self::LowSurrogate => "low-surrogate",
            Self::SlashDigit => "slash-digit",
            Self::Unterminated => "unterminated",
            Self::NullShift => "null-shift",
            Self::EncodedAscii => "encoded-ascii",
            Self::Reserved => "reserved",
            Self::Undefined => "undefined",
            Self::Unencodable(_) => "unencodable",
        }
    }
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Truncated => "input ends inside a sequence",
            Self::MissingTrail => "sequence cut short",
            Self::UnexpectedTrail => "trailing octet without a leading one",
            Self::InvalidOctet => "octet that never appears",
            Self::Overlong => "overlong form",
            Self::Surrogate => "surrogate",
            Self::OutOfRange => "value out of range",
            Self::LongForm => "five- or six-octet form",
            Self::NotDirect => "octet that may not stand for itself",
            Self::EmptyShift => "shift followed by neither Base64 nor '-'",
            Self::Control => "control octet that may not stand for itself",
            Self::EightBit => "octet above 7F",
            Self::NonZeroPadding => "padding bits of a shifted run not zero",
            Self::DanglingDigit => "one digit too many at the end of a shifted run",
            Self::OddOctets => "half a code unit at the end of a shifted run",
            Self::HighSurrogate => "high surrogate without a low one",
            Self::LowSurrogate => "low surrogate without a high one",
            Self::SlashDigit => "'/' in a shifted run, where ',' is the digit",
            Self::Unterminated => "shifted run without its closing '-'",
            Self::NullShift => "shifted run directly after another",
            Self::EncodedAscii => "US-ASCII inside a shifted run",
            Self::Reserved => "reserved value",
            Self::Undefined => "octets the charset does not define",
            Self::Unencodable(point) => return write!(f, "U+{point:04X} cannot be encoded"),
        })
    }
}
