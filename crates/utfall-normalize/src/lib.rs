//! Change line endings and normalize Unicode while text is converted.
//!
//! ```
//! use utfall::{Encoding, Options};
//! use utfall_normalize::{Form, Newline, Normalize, convert};
//!
//! let change = Normalize::new().with_newline(Newline::Lf).with_form(Some(Form::Nfc));
//! let text = "re\u{301}sume\u{301}\r\n";
//! let mut out = Vec::new();
//! let (from, to) = (Encoding::Utf8, Encoding::Iso8859_1);
//! convert(from, to, Options::default(), change, 1, text.as_bytes(), &mut out)?;
//! assert_eq!(out, b"r\xE9sum\xE9\n");
//! # Ok::<(), utfall::parallel::Error>(())
//! ```
//!
//! - A reader to a writer, on one or more threads: [`convert`].
//! - Chunks in memory: a [`Normalize`] with [`utfall::filter::FilteredTranscoder`].
//! - Which line ending, which form: [`Newline`], [`Form`].
//!
//! The change is made between the decoder and the encoder. So it works for every pair of encodings
//! and in bounded memory, and errors are located in the source.
#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod boundary;
mod newline;

use std::borrow::Cow;
use std::fmt;
use std::io::{Read, Write};

use icu_normalizer::{ComposingNormalizerBorrowed, DecomposingNormalizerBorrowed};
use utfall::filter::{Filter, Rejection};
use utfall::parallel::{self, Conversion, Summary};
use utfall::{Encoding, Options};

pub use newline::Newline;

/// The longest sequence between two normalization boundaries that is normalized, in bytes of UTF-8.
///
/// A sequence of combining marks is reordered as a whole, so it must be buffered as a whole.
/// Sequences in natural languages have at most about ten marks. The Stream-Safe Text Format of UAX
/// #15 §13 allows 30 and inserts U+034F into longer ones, which changes the text. This crate
/// rejects text with longer sequences than this limit.
pub const LONGEST: usize = 128 * 1024;

/// A normalization form (UAX #15).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Form {
    /// Canonical decomposition, followed by canonical composition.
    Nfc,
    /// Canonical decomposition.
    Nfd,
    /// Compatibility decomposition, followed by canonical composition: `ﬁ` becomes `fi`, `²`
    /// becomes `2`. This loses distinctions that may be significant (UAX #15 §1.2).
    Nfkc,
    /// Compatibility decomposition.
    Nfkd,
}

/// Changes to apply to a text. The default is none.
///
/// Surrogates and values above 10FFFF, which some encodings can represent, are not changed, and
/// nothing is composed or reordered across them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Normalize {
    /// Conversion of line ends.
    pub newline: Newline,
    /// Normalization, if any.
    pub form: Option<Form>,
}

impl Normalize {
    /// No change.
    #[must_use]
    pub const fn new() -> Self {
        Self { newline: Newline::Keep, form: None }
    }

    /// Sets [`newline`](Self::newline).
    #[must_use]
    pub const fn with_newline(self, newline: Newline) -> Self {
        Self { newline, ..self }
    }

    /// Sets [`form`](Self::form).
    #[must_use]
    pub const fn with_form(self, form: Option<Form>) -> Self {
        Self { form, ..self }
    }

    /// Whether there is nothing to change.
    ///
    /// ```
    /// assert!(utfall_normalize::Normalize::default().is_nothing());
    /// ```
    #[must_use]
    pub fn is_nothing(self) -> bool {
        self == Self::default()
    }
}

impl Form {
    /// Appends `text` in this form.
    fn append(self, text: &str, out: &mut Vec<u8>) {
        let mut out = Text(out);
        let written = match self {
            Self::Nfc => ComposingNormalizerBorrowed::new_nfc().normalize_to(text, &mut out),
            Self::Nfd => DecomposingNormalizerBorrowed::new_nfd().normalize_to(text, &mut out),
            Self::Nfkc => ComposingNormalizerBorrowed::new_nfkc().normalize_to(text, &mut out),
            Self::Nfkd => DecomposingNormalizerBorrowed::new_nfkd().normalize_to(text, &mut out),
        };
        debug_assert!(written.is_ok());
    }

    /// Like [`append`](Self::append), for text with ill-formed bytes, which are copied.
    fn append_bytes(self, bytes: &[u8], out: &mut Vec<u8>) {
        for chunk in bytes.utf8_chunks() {
            self.append(chunk.valid(), out);
            out.extend_from_slice(chunk.invalid());
        }
    }
}

impl Filter for Normalize {
    fn apply(&self, text: &[u8], last: bool, out: &mut Vec<u8>) -> Result<usize, Rejection> {
        let (mut taken, mut too_long) = (text.len(), None);
        if !last {
            if let Some(form) = self.form {
                taken = boundary::last(text, taken, form).unwrap_or(0);
            }
            // The place before a CR is a boundary, too.
            taken = self.newline.settled(&text[..taken]);
        }
        if let Some(form) = self.form {
            too_long = boundary::too_long(text, taken, LONGEST, form);
            taken = too_long.unwrap_or(taken);
        }
        let text = &text[..taken];
        if let Some(form) = self.form {
            if let Ok(Cow::Borrowed(text)) = Encoding::Utf8.decode(text) {
                let append = |lines, out: &mut Vec<u8>| form.append(&text[lines], out);
                self.newline.apply(text.as_bytes(), out, append);
            } else {
                let append = |lines, out: &mut Vec<u8>| form.append_bytes(&text[lines], out);
                self.newline.apply(text, out, append);
            }
        } else {
            self.newline.apply(text, out, |lines, out| out.extend_from_slice(&text[lines]));
        }
        match too_long {
            None => Ok(taken),
            Some(at) => {
                let reason = "a sequence of combining characters too long to be normalized";
                Err(Rejection::new(at, reason))
            }
        }
    }

    fn piece(&self, text: &[u8]) -> usize {
        if text.starts_with(b"\r\n") {
            return 2;
        }
        let next = |from: usize| {
            let after = text[from..].iter().skip(1).position(|byte| byte & 0xC0 != 0x80);
            after.map_or(text.len(), |after| from + 1 + after)
        };
        let mut end = next(0);
        if let Some(form) = self.form {
            while end < text.len() && !boundary::is_before(text, end, form) {
                end = next(end);
            }
        }
        end
    }
}

/// Appends strings to a byte vector.
struct Text<'o>(&'o mut Vec<u8>);

impl fmt::Write for Text<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0.extend_from_slice(text.as_bytes());
        Ok(())
    }
}

/// Converts all of `input` from one encoding to another and applies `change`, on `threads`
/// additional threads. Without a change, this is [`parallel::convert`].
///
/// # Errors
/// As [`parallel::convert`]: the first error in the text, located by byte, line and column of the
/// input.
pub fn convert(
    source: Encoding,
    target: Encoding,
    options: Options,
    change: Normalize,
    threads: usize,
    input: impl Read,
    output: impl Write,
) -> Result<Summary, parallel::Error> {
    let conversion = Conversion::new(source, target, options).threads(threads);
    if change.is_nothing() {
        conversion.run(input, output)
    } else {
        conversion.filter(&change).run(input, output)
    }
}

/// The examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
