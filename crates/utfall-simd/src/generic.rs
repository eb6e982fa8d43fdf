//! Algorithms over [`Simd`](crate::simd::Simd), shared by every instruction set with vectors
//! of 128 or 256 bits. All functions are `#[inline(always)]`: the `#[target_feature]`
//! kernel that calls one lends it its features. A closure that is called twice is not inlined,
//! nor is one given to `map` of an array: it then works with vectors in memory, ten times as
//! slowly. Functions, and loops over arrays, are.

pub(crate) mod ascii;
mod compress;
pub(crate) mod latin1;
pub(crate) mod map;
pub(crate) mod remarkable;
pub(crate) mod to_utf8;
pub(crate) mod utf16;
pub(crate) mod utf32;
pub(crate) mod utf7;
pub(crate) mod utf8;
pub(crate) mod utf8_latin1;
mod utf8_parts;
pub(crate) mod utf8_to;

/// Octets in a block, whatever the width of a vector.
pub(crate) const BLOCK: usize = 64;
