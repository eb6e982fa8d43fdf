//! Single-byte charsets: runs of ASCII by vectors, and 128 bytes looked up at once where that is
//! faster than entry by entry.

mod decode;
mod encode;

pub(crate) use decode::{to_utf8, to_utf8_strict, to_utf16, to_utf16_strict};
pub(crate) use encode::{from_utf8, from_utf16};

/// Bytes from which on vectors find and copy ASCII faster than it is converted byte by byte.
pub(crate) const SHORT: usize = 32;
/// Bytes from which on it pays to load a table of 128 bytes into vectors.
pub(crate) const LONG: usize = 96;
