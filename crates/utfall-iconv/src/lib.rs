//! Convert text as glibc's `iconv` does: its charsets under its names, `-c`, `//TRANSLIT`, `//IGNORE`,
//! and the substitutes of libiconv, in streams of bounded memory.
//!
//! ```
//! use utfall_iconv::{Code, Converter, Rules};
//! let (from, to) = (Code::parse("UTF-8", "")?, Code::parse("KOI8-R//TRANSLIT", "")?);
//! let mut converter = Converter::with_codes(from, to, Rules::default()).unwrap();
//! let mut out = Vec::new();
//! converter.convert("5 € — да".as_bytes(), true, &mut out).unwrap();
//! assert_eq!(out, b"5 EUR -- \xC4\xC1");
//! # Ok::<(), &str>(())
//! ```
//!
//! - Conversion, chunk by chunk: [`Converter`]. Between buffers, as in iconv(3): [`Descriptor`]. The options of the command: [`Rules`].
//! - The arguments of `-f` and `-t`, with their suffixes: [`Code`].
//! - Charsets and their names: [`Charset`].
//! - The formats of `--unicode-subst` and `--byte-subst`: [`Format`].
//! - Look-alikes for one character: [`transliteration`].
//!
//! The crate `utfall` has the charsets; this one has the behaviour of glibc. Other encodings of `utfall` have
//! its labels here.
//! [The page about iconv](https://github.com/utfall/utfall/blob/main/docs/iconv.md) lists the
//! differences, with reasons.
#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod bounded;
mod bulk;
mod convert;
mod iso_2022_jp;
mod names;
mod options;
mod shifting;
mod simple;
mod source;
mod subst;
mod table;
mod target;
mod translit;

pub use bounded::{Descriptor, End, Step};
pub use convert::{Converter, Error, ErrorKind, Rules};
pub use names::{Charset, Code};
pub use subst::Format;

/// Replacement text that looks or reads like a character, as written by `//TRANSLIT` for charsets
/// that lack it. Empty for a combining mark, which is omitted; `None` if there is no such text.
///
/// ```
/// assert_eq!(utfall_iconv::transliteration('€'), Some("EUR"));
/// assert_eq!(utfall_iconv::transliteration('\u{E000}'), None);
/// ```
#[must_use]
pub fn transliteration(scalar: char) -> Option<&'static str> {
    translit::text(u32::from(scalar))
}

/// The examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
