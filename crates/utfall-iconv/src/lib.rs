//! An implementation of `iconv` that matches glibc: its charsets and their names, `-c`,
//! `//TRANSLIT` and `//IGNORE`, and the substitutes of libiconv, in streams of bounded memory.
//!
//! [`Converter`] converts text; [`Code`] parses the arguments of `-f` and `-t`; [`Charset`] looks
//! up names. Unicode encodings come from `utfall`; all other charsets are tables of this crate,
//! equal to glibc's. `docs/iconv.md` lists the differences from glibc, with reasons.
#![forbid(unsafe_code)]

mod convert;
mod iso_2022_jp;
mod names;
mod source;
mod subst;
mod table;
mod target;
mod translit;

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
