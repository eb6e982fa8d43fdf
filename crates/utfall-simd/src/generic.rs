//! Algorithms over [`Simd`](crate::simd::Simd), shared by all instruction sets with vectors of 128
//! or 256 bits. All functions are `#[inline(always)]`, so that they are compiled with the features
//! of the `#[target_feature]` kernel that calls them.
//!
//! Closures are not always inlined: one that is called twice is not, nor is one passed to `map` of
//! an array. Such a closure works with vectors in memory, ten times as slowly. Functions and loops
//! over arrays are inlined.

pub(crate) mod ascii;
pub(crate) mod codes;
mod compress;
pub(crate) mod latin1;
pub(crate) mod map;
pub(crate) mod remarkable;
pub(crate) mod single_byte;
pub(crate) mod small;
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

/// Copies a few bytes to the start of `to`, without a call.
#[inline(always)]
pub(crate) fn copy(from: &[u8], to: &mut [u8]) {
    let to = &mut to[..from.len()];
    if !(copy_ends::<128>(from, to)
        || copy_ends::<64>(from, to)
        || copy_ends::<32>(from, to)
        || copy_ends::<16>(from, to)
        || copy_ends::<8>(from, to)
        || copy_ends::<4>(from, to))
    {
        for (to, from) in to.iter_mut().zip(from) {
            *to = *from;
        }
    }
}

/// Copies the first `N` bytes and the last, if there are at least `N` and at most twice as many.
#[inline(always)]
fn copy_ends<const N: usize>(from: &[u8], to: &mut [u8]) -> bool {
    if let (Some(first), Some(last)) = (from.first_chunk::<N>(), from.last_chunk::<N>())
        && let Some(room) = to.first_chunk_mut()
    {
        *room = *first;
        if let Some(room) = to.last_chunk_mut() {
            *room = *last;
        }
        return true;
    }
    false
}
