//! What `iconv` does, as glibc's does it: its charsets under its names, `-c`, `//TRANSLIT`,
//! `//IGNORE`, and the substitutes of libiconv's, in streams of bounded memory.
//!
//! [`Converter`] converts; [`Code`] reads what stands behind `-f` and `-t`; [`Charset`] knows the
//! names. Formats of Unicode are those of `utfall`; all other charsets are tables of this crate,
//! equal to glibc's. `docs/iconv.md` says where the two differ, and why.
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

/// Text that looks or reads like a character, for charsets that lack it: what `//TRANSLIT` writes.
/// Empty for a combining mark, which is left out.
///
/// ```
/// assert_eq!(utfall_iconv::transliteration('€'), Some("EUR"));
/// assert_eq!(utfall_iconv::transliteration('\u{E000}'), None);
/// ```
#[must_use]
pub fn transliteration(scalar: char) -> Option<&'static str> {
    translit::text(u32::from(scalar))
}
