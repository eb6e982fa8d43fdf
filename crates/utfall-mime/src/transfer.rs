//! Content transfer encodings (RFC 2045 §6).

use std::borrow::Cow;
use std::fmt;

use crate::{base64, quoted_printable};

/// The encoding of a body for transport.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TransferEncoding {
    /// Unencoded US-ASCII in lines of at most 998 bytes.
    SevenBit,
    /// Unencoded, in lines of at most 998 bytes.
    EightBit,
    /// Unencoded, without restrictions.
    Binary,
    /// Quoted-printable (RFC 2045 §6.7).
    QuotedPrintable,
    /// Base64 (RFC 2045 §6.8).
    Base64,
}

impl TransferEncoding {
    /// Looks up the encoding named by a `Content-Transfer-Encoding` field. Ignores case,
    /// surrounding white space and comments, and a superfluous hyphen. Returns `None` for any other
    /// name; such a body is not text (RFC 2045 §6.4).
    ///
    /// ```
    /// use utfall_mime::TransferEncoding;
    /// assert_eq!(TransferEncoding::find(b" Base64 (no line breaks)"), Some(TransferEncoding::Base64));
    /// assert_eq!(TransferEncoding::find(b"x-uuencode"), None);
    /// ```
    #[must_use]
    pub fn find(value: &[u8]) -> Option<Self> {
        let name = value.split(|byte| *byte == b'(' || *byte == b';').next()?.trim_ascii();
        let is = |known: &str| name.eq_ignore_ascii_case(known.as_bytes());
        match () {
            () if is("7bit") || is("7-bit") => Some(Self::SevenBit),
            () if is("8bit") || is("8-bit") => Some(Self::EightBit),
            () if is("binary") => Some(Self::Binary),
            () if is("quoted-printable") => Some(Self::QuotedPrintable),
            () if is("base64") => Some(Self::Base64),
            () => None,
        }
    }

    /// The name.
    ///
    /// ```
    /// assert_eq!(utfall_mime::TransferEncoding::SevenBit.name(), "7bit");
    /// ```
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::SevenBit => "7bit",
            Self::EightBit => "8bit",
            Self::Binary => "binary",
            Self::QuotedPrintable => "quoted-printable",
            Self::Base64 => "base64",
        }
    }

    /// Whether the body is unencoded.
    #[must_use]
    pub const fn is_identity(self) -> bool {
        matches!(self, Self::SevenBit | Self::EightBit | Self::Binary)
    }

    /// Decodes a body. Returns its content and the number of errors.
    ///
    /// ```
    /// use utfall_mime::TransferEncoding;
    /// let (content, errors) = TransferEncoding::QuotedPrintable.decode(b"=E2=98=BA");
    /// assert_eq!((&*content, errors), ("☺".as_bytes(), 0));
    /// ```
    #[must_use]
    pub fn decode(self, body: &[u8]) -> (Cow<'_, [u8]>, usize) {
        let decoded = match self {
            Self::SevenBit | Self::EightBit | Self::Binary => return (Cow::Borrowed(body), 0),
            Self::QuotedPrintable => quoted_printable::decode(body),
            Self::Base64 => base64::decode(body),
        };
        (Cow::Owned(decoded.bytes), decoded.errors)
    }
}

impl fmt::Display for TransferEncoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The result of decoding a transfer encoding.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Decoded {
    /// The content.
    pub bytes: Vec<u8>,
    /// Number of places that have no meaning in the encoding.
    pub errors: usize,
    /// Number of places that are not allowed but can be understood: skipped characters, lines that
    /// are too long, 8-bit bytes.
    pub departures: usize,
}
