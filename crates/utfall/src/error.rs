//! Errors: what is wrong with a text, and where.

use core::fmt;

use crate::Encoding;

/// One ill-formed sequence of the input, or one code point that the output encoding lacks.
///
/// ```
/// use utfall::{Encoding, ErrorKind};
/// let error = Encoding::Utf8.validate(b"abc\xFF").unwrap_err();
/// assert_eq!((error.offset(), error.length()), (3, 1));
/// assert_eq!(error.kind(), ErrorKind::InvalidByte);
/// assert_eq!(error.clause(), "RFC 3629 §1: C0, C1 and F5 to FF never appear");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Error {
    pub(crate) encoding: Encoding,
    pub(crate) offset: u64,
    pub(crate) length: u32,
    pub(crate) kind: ErrorKind,
    pub(crate) run_bit: Option<u8>,
}

impl Error {
    /// The encoding whose rule is violated: that of the input or, for [`ErrorKind::Unencodable`],
    /// of the output.
    #[must_use]
    pub const fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// The start of the sequence, counted from the start of the input stream: in bytes, or for an
    /// [`Encoder`](crate::Encoder) in units of its input.
    #[must_use]
    pub const fn offset(&self) -> u64 {
        self.offset
    }

    /// The same error in a stream that began `by` units earlier.
    #[cfg(feature = "std")]
    pub(crate) const fn moved(self, by: u64) -> Self {
        Self { offset: self.offset + by, ..self }
    }

    /// The same error, counted in units of `size` bytes.
    pub(crate) const fn in_units(self, size: usize) -> Self {
        Self { offset: self.offset / size as u64, length: self.length / size as u32, ..self }
    }

    /// The length of the sequence, in the same units.
    #[must_use]
    pub const fn length(&self) -> u32 {
        self.length
    }

    /// For errors inside a shifted run of UTF-7: the bit at which the ill-formed sequence begins.
    ///
    /// A run may be of any length, so bits are counted from the start of a group: eight digits, 48
    /// bits, three code units. The byte at [`offset`](Self::offset) is digit `bit / 6` of its
    /// group, and the sequence begins at bit `bit % 6` of that digit.
    ///
    /// ```
    /// use utfall::Encoding;
    /// // "A€" with non-zero padding, which begins after two units.
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

    /// The kind of error.
    #[must_use]
    pub const fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// The clause of the specification that is violated.
    #[must_use]
    pub fn clause(&self) -> &'static str {
        (self.encoding.info().clause)(self.kind)
    }

    /// Whether the input is well-formed, but the output encoding lacks one of its code points.
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
            _ => write!(f, "invalid {name}: {}", self.kind)?,
        }
        write!(f, " at offset {}", self.offset)?;
        if let Some(bit) = self.run_bit {
            write!(f, ", bit {bit} of its group of eight digits")?;
        }
        write!(f, " ({})", self.clause())
    }
}

impl core::error::Error for Error {}

/// The ways in which a sequence can be ill-formed, and one kind for code points that cannot be
/// encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The input ends inside a sequence.
    Truncated,
    /// A sequence is cut short by a byte that cannot continue it.
    MissingTrail,
    /// A continuation byte without a lead byte.
    UnexpectedTrail,
    /// A byte that is never valid, or not at this point.
    InvalidByte,
    /// More bytes than the code point needs.
    Overlong,
    /// A surrogate that is not allowed here: unpaired, or encoded like a character.
    Surrogate,
    /// A value above the largest one of the encoding.
    OutOfRange,
    /// A five- or six-byte form, as in UTF-8 before RFC 3629.
    LongForm,
    /// `\` or `~`, which UTF-7 does not allow to appear directly.
    NotDirect,
    /// A control character that UTF-7 does not allow to appear directly.
    Control,
    /// A byte above 7F in a 7-bit encoding.
    EightBit,
    /// A shift character followed by neither Base64 nor `-`.
    EmptyShift,
    /// The two or four padding bits of a shifted run are not all zero.
    NonZeroPadding,
    /// One more digit at the end of a shifted run than its code units need.
    DanglingDigit,
    /// A shifted run that encodes an odd number of bytes.
    OddBytes,
    /// A high surrogate in a shifted run that is not followed by a low one.
    HighSurrogate,
    /// A low surrogate in a shifted run that does not follow a high one.
    LowSurrogate,
    /// A shifted run ended by `/` where the digit of that value is `,`.
    SlashDigit,
    /// A shifted run without its mandatory final `-`.
    Unterminated,
    /// A shifted run directly after another, with which it should be merged.
    NullShift,
    /// US-ASCII inside a shifted run, where it must appear directly.
    EncodedAscii,
    /// A value reserved by the specification.
    Reserved,
    /// Bytes that a legacy charset does not define.
    Undefined,
    /// A code point that the output encoding lacks.
    Unencodable(u32),
}

impl ErrorKind {
    /// A stable name for use by programs, as in the command's JSON output. Unlike the
    /// [`Display`](fmt::Display) text, it does not change between versions.
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
            Self::InvalidByte => "invalid-byte",
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
            Self::OddBytes => "odd-bytes",
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
            Self::Truncated => "incomplete sequence at the end of the input",
            Self::MissingTrail => "incomplete sequence",
            Self::UnexpectedTrail => "unexpected continuation byte",
            Self::InvalidByte => "byte that never appears",
            Self::Overlong => "overlong form",
            Self::Surrogate => "surrogate",
            Self::OutOfRange => "value out of range",
            Self::LongForm => "five- or six-byte form",
            Self::NotDirect => "character not allowed outside a shifted run",
            Self::EmptyShift => "shift character followed by neither Base64 nor '-'",
            Self::Control => "control character not allowed outside a shifted run",
            Self::EightBit => "byte above 7F",
            Self::NonZeroPadding => "non-zero padding bits in a shifted run",
            Self::DanglingDigit => "extra digit at the end of a shifted run",
            Self::OddBytes => "half a code unit at the end of a shifted run",
            Self::HighSurrogate => "unpaired high surrogate",
            Self::LowSurrogate => "unpaired low surrogate",
            Self::SlashDigit => "'/' instead of ',' in a shifted run",
            Self::Unterminated => "shifted run not closed by '-'",
            Self::NullShift => "shifted run directly after another",
            Self::EncodedAscii => "US-ASCII inside a shifted run",
            Self::Reserved => "reserved value",
            Self::Undefined => "undefined byte sequence",
            Self::Unencodable(point) => return write!(f, "U+{point:04X} cannot be encoded"),
        })
    }
}
