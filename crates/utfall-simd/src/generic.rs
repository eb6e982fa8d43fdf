//! Algorithms over [`Simd`](crate::simd::Simd), shared by all instruction sets with vectors of 128
//! or 256 bits. All functions are `#[inline(always)]`, so that they are compiled with the features
//! of the `#[target_feature]` kernel that calls them.
//!
//! Closures are not always inlined: one that is called twice is not, nor is one passed to `map` of
//! an array. Such a closure works with vectors in memory, ten times as slowly. Functions and loops
//! over arrays are inlined.

pub(crate) mod ascii;
mod compress;
pub(crate) mod latin1;
pub(crate) mod map;
pub(crate) mod remarkable;
pub(crate) mod single_byte;
pub(crate) mod to_utf8;
pub(crate) mod utf16;
pub(crate) mod utf32;
pub(crate) mod utf7;
pub(crate) mod utf8;
pub(crate) mod utf8_latin1;
mod utf8_parts;
pub(crate) mod utf8_to;

/// Bytes in a block, whatever the width of a vector.
pub(crate) const BLOCK: usize = 64;
