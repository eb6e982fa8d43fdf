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
