//! Runs of ASCII.

use super::BLOCK;
use crate::arch::scalar;
use crate::simd::{Simd, Vector, first};

/// Octets of the ASCII prefix.
#[inline(always)]
pub(crate) fn prefix<S: Simd>(simd: S, src: &[u8]) -> usize {
    let mut read = 0;
    if src.len() >= 4 * RUN {
        // The rest is loaded faster if no load crosses the end of a cache line.
        if !is_ascii(simd, &src[..BLOCK]) {
            return non_ascii(simd, &first(src)).trailing_zeros() as usize;
        }
        read = src.as_ptr().align_offset(BLOCK).min(BLOCK);
        read += run(simd, &src[read..]);
    }
    while let Some(block) = src[read..].first_chunk::<BLOCK>() {
        let mask = non_ascii(simd, block);
        if mask != 0 {
            return read + mask.trailing_zeros() as usize;
        }
        read += BLOCK;
    }
    // The last octets again, in one block, if there is one.
    if let Some(block) = src.last_chunk::<BLOCK>() {
        return src.len() - BLOCK + non_ascii(simd, block).trailing_zeros() as usize;
    }
    scalar::ascii::prefix(src)
}

/// What is taken at once in a long run of ASCII.
const RUN: usize = 4 * BLOCK;

/// Octets at the start of `src` that are ASCII: a multiple of [`RUN`].
#[inline(always)]
fn run<S: Simd>(simd: S, src: &[u8]) -> usize {
    // No closure here: it would not get the features.
    let mut read = 0;
    while let Some(blocks) = src[read..].first_chunk::<RUN>() {
        if !is_ascii(simd, blocks) {
            break;
        }
        read += RUN;
    }
    read
}

/// Whether all octets are ASCII; there must be a whole number of vectors, and one at least.
#[inline(always)]
pub(crate) fn is_ascii<S: Simd>(simd: S, block: &[u8]) -> bool {
    let mut all = simd.load(block);
    for at in (S::Vector::OCTETS..block.len()).step_by(S::Vector::OCTETS) {
        all = all.or(simd.load(&block[at..]));
    }
    !all.any_high()
}

/// Which octets of a block are not ASCII.
#[inline(always)]
pub(crate) fn non_ascii<S: Simd>(simd: S, block: &[u8; BLOCK]) -> u64 {
    let mut mask = 0;
    for at in (0..BLOCK).step_by(S::Vector::OCTETS) {
        mask |= u64::from(simd.load(&block[at..]).mask()) << at;
    }
    mask
}
