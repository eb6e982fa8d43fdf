//! Line ends and Unicode normalisation while text is converted.
//!
//! ```
//! use utfall::{Encoding, Options};
//! use utfall_normalize::{Form, Newline, Normalize, convert};
//!
//! let change = Normalize { newline: Newline::Lf, form: Some(Form::Nfc) };
//! let text = "re\u{301}sume\u{301}\r\n";
//! let mut out = Vec::new();
//! let pair = (Encoding::Utf8, Encoding::Iso8859_1);
//! convert(pair, Options::default(), change, 1, text.as_bytes(), &mut out)?;
//! assert_eq!(out, b"r\xE9sum\xE9\n");
//! # Ok::<(), utfall::parallel::Failed>(())
//! ```
//!
//! The change is made between the decoder and the encoder, so it works for every pair of
//! encodings, in bounded memory, and on several threads: [`Normalize`] is a
//! [`utfall::filter::Filter`].
#![forbid(unsafe_code)]

mod boundary;
mod newline;

use std::borrow::Cow;
use std::fmt;
use std::io::{Read, Write};

use icu_normalizer::{ComposingNormalizerBorrowed, DecomposingNormalizerBorrowed};
use utfall::filter::{Filter, Refused};
use utfall::parallel::{self, Done, Failed};
use utfall::{Encoding, Options};

pub use newline::Newline;

/// The longest sequence of characters between two boundaries of normalisation that is
/// normalised, in octets of UTF-8.
///
/// A sequence of combining marks has to be sorted as a whole, so it has to be kept as a whole.
/// The longest that languages need has about ten; the Stream-Safe Text Format of UAX #15 §13
/// allows 30 and puts U+034F into longer ones, which changes the text. Here a text with more
/// than this is refused.
pub const LONGEST: usize = 128 * 1024;

/// A normalisation form (UAX #15).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Form {
    /// Canonical decomposition, then canonical composition.
    Nfc,
    /// Canonical decomposition.
    Nfd,
    /// Compatibility decomposition, then canonical composition: `ﬁ` becomes `fi`, `²` becomes `2`.
    /// Distinctions are lost that text may need (UAX #15 §1.2).
    Nfkc,
    /// Compatibility decomposition.
    Nfkd,
}

/// What is to be changed. The default is nothing.
///
/// Surrogates and values above 10FFFF, which some encodings carry, stay as they are, and
/// nothing is composed or sorted across them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Normalize {
    /// Line ends.
    pub newline: Newline,
    /// Normalisation.
    pub form: Option<Form>,
}

impl Normalize {
    /// Whether nothing is to be changed.
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

    /// The same of what may have more in it than characters, which stays.
    fn append_octets(self, octets: &[u8], out: &mut Vec<u8>) {
        for chunk in octets.utf8_chunks() {
            self.append(chunk.valid(), out);
            out.extend_from_slice(chunk.invalid());
        }
    }
}

impl Filter for Normalize {
    fn apply(&self, text: &[u8], last: bool, out: &mut Vec<u8>) -> Result<usize, Refused> {
        let (mut taken, mut too_long) = (text.len(), None);
        if !last {
            if let Some(form) = self.form {
                taken = boundary::last(text, taken, form).unwrap_or(0);
            }
            // Before CR is a boundary too.
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
                let append = |lines, out: &mut Vec<u8>| form.append_octets(&text[lines], out);
                self.newline.apply(text, out, append);
            }
        } else {
            self.newline.apply(text, out, |lines, out| out.extend_from_slice(&text[lines]));
        }
        match too_long {
            None => Ok(taken),
            Some(at) => {
                let reason = "a sequence of combining characters too long to be normalised";
                Err(Refused { at, reason })
            }
        }
    }

    fn piece(&self, text: &[u8]) -> usize {
        if text.starts_with(b"\r\n") {
            return 2;
        }
        let next = |from: usize| {
            let behind = text[from..].iter().skip(1).position(|octet| octet & 0xC0 != 0x80);
            behind.map_or(text.len(), |behind| from + 1 + behind)
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

/// Where strings are written to the end of octets.
struct Text<'o>(&'o mut Vec<u8>);

impl fmt::Write for Text<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0.extend_from_slice(text.as_bytes());
        Ok(())
    }
}

/// Converts all of `input` from one encoding to another, changed as `change` says, on so many
/// threads besides this one; without a change, as [`parallel::convert`] does.
///
/// # Errors
/// As [`parallel::convert_filtered`]: the first in the order of the text, in octets, lines and
/// columns of the input.
pub fn convert(
    pair: (Encoding, Encoding),
    options: Options,
    change: Normalize,
    threads: usize,
    input: impl Read,
    output: impl Write,
) -> Result<Done, Failed> {
    match change.is_nothing() {
        true => parallel::convert(pair, options, threads, input, output),
        false => parallel::convert_filtered(pair, options, &change, threads, input, output),
    }
}
