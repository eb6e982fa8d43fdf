//! What octets may be.

use std::fmt;

use utfall::Encoding;

use crate::Evidence;

/// An encoding that octets may be in.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Candidate {
    /// The encoding that makes code points of the octets. Of several that make the same of what
    /// was looked at, the most usual; [`Evidence::Same`] has the others.
    pub encoding: Encoding,
    /// How probable it is, from 0 to 1, that it makes the right text of the octets: what is said
    /// with 0.9 is right nine times in ten, as `docs/detect.md` measures.
    pub confidence: f64,
    /// Of a charset of one byte: an encoding that it is not clearly ahead of, if it is the likeliest
    /// one. Of text for which there is none, 99 of 100 are right, as `docs/detect.md` measures; it
    /// may be converted without asking.
    pub doubt: Option<Encoding>,
    /// Why.
    pub evidence: Vec<Evidence>,
    /// What the text in this encoding is in turn, if it is no text for readers.
    pub inside: Option<Box<Inside>>,
}

/// A text inside the text.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Inside {
    /// What is around it.
    pub layer: Layer,
    /// What it is itself. Its offsets are those in what is inside.
    pub candidate: Candidate,
}

/// What may be around a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Layer {
    /// The transfer encoding of RFC 2045 §6.8.
    Base64,
    /// The transfer encoding of RFC 2045 §6.7.
    QuotedPrintable,
    /// UTF-8 that was taken for windows-1252 or ISO 8859-1 and made UTF-8 again.
    DoubleUtf8,
}

impl Layer {
    /// Its name as one word for programs to read, the same from version to version.
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
