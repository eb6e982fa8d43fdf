//! Possible encodings of a byte stream.

use std::fmt;

use utfall::Encoding;

use crate::Evidence;

/// An encoding that the input may be in.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Candidate {
    /// The encoding. If several decode the sample to the same text, this is the most common one;
    /// [`Evidence::Same`] lists the others.
    pub encoding: Encoding,
    /// The probability, from 0 to 1, that this encoding decodes the input correctly. A confidence
    /// of 0.9 is right nine times in ten; `docs/detect.md` has the measurements.
    pub confidence: f64,
    /// Set only on the first candidate, if it is a single-byte charset: an encoding over which it
    /// has no clear lead. If there is none, 99 of 100 such candidates are right (measured in
    /// `docs/detect.md`), so the text can be converted without asking.
    pub doubt: Option<Encoding>,
    /// The likeliest language, for pre-Unicode charsets: a BCP 47 tag such as `cs` or `zh-hant`.
    pub language: Option<&'static str>,
    /// The reasons, strongest first.
    pub evidence: Vec<Evidence>,
    /// The layer inside the text, if the text is itself an encoding of another text.
    pub inside: Option<Box<Inside>>,
}

/// A text encoded inside another text.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Inside {
    /// The outer layer.
    pub layer: Layer,
    /// The detected encoding of the inner text. Offsets count bytes of the inner text.
    pub candidate: Candidate,
}

/// An encoding layer around a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Layer {
    /// The Base64 transfer encoding (RFC 2045 §6.8).
    Base64,
    /// The quoted-printable transfer encoding (RFC 2045 §6.7).
    QuotedPrintable,
    /// UTF-8 that was decoded as windows-1252 or ISO 8859-1, then encoded as UTF-8 again.
    DoubleUtf8,
}

impl Layer {
    /// The name as a single word for programs to parse. It does not change between versions.
    ///
    /// ```
    /// assert_eq!(utfall_detect::Layer::DoubleUtf8.name(), "double-utf-8");
    /// ```
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Base64 => "base64",
            Self::QuotedPrintable => "quoted-printable",
            Self::DoubleUtf8 => "double-utf-8",
        }
    }
}

impl fmt::Display for Layer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Base64 => "Base64",
            Self::QuotedPrintable => "quoted-printable",
            Self::DoubleUtf8 => "double encoding",
        })
    }
}
