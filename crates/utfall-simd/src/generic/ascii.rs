//! Runs of ASCII.

use super::BLOCK;
use crate::arch::scalar;
use crate::simd::{Simd, Vector};

/// Octets of the ASCII prefix.
#[inline(always)]
pub(crate) fn prefix<S: Simd>(simd: S, src: &[u8]) -> usize {
    let (blocks, _) = src.as_chunks::<BLOCK>();
    let mut read = 0;
    for block in blocks {
        let mask = non_ascii(simd, block);
        if mask != 0 {
            return read + mask.trailing_zeros() as usize;
        }
        read += BLOCK;
    }
    // The last octets again, in one block, if there is one.
    if let Some(block) = src.last_chunk::<BLOCK>() {
        let mask = non_ascii(simd, block);
        return src.len() - BLOCK + (mask.trailing_zeros() as usize);
    }
    scalar::ascii::prefix(src)
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
