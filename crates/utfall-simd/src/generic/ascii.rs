//! Runs of ASCII: finding them, and writing them in other forms.

use super::BLOCK;
use crate::arch::scalar::{self, Latin1, Target, Utf16, Utf32};
use crate::simd::{Bits, Simd, Vector, first};

/// Length in bytes of the ASCII prefix.
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
    // The last bytes as one block, some of them for the second time, if there are that many.
    if let Some(block) = src.last_chunk::<BLOCK>() {
        return src.len() - BLOCK + non_ascii(simd, block).trailing_zeros() as usize;
    }
    prefix_short(src)
}

/// The same for short text.
#[inline(never)]
pub(crate) fn prefix_short(src: &[u8]) -> usize {
    scalar::ascii::prefix(src)
}

/// Number of bytes processed at once in a long run of ASCII.
const RUN: usize = 4 * BLOCK;

/// Number of ASCII bytes at the start of `src`, rounded down to a multiple of [`RUN`].
#[inline(always)]
fn run<S: Simd>(simd: S, src: &[u8]) -> usize {
    // Not a closure: it would not get the features.
    let mut read = 0;
    while let Some(blocks) = src[read..].first_chunk::<RUN>() {
        if !is_ascii(simd, blocks) {
            break;
        }
        read += RUN;
    }
    read
}

/// A form in which ASCII has the same numbers, in units of some width.
pub(crate) trait Widened: Target {
    /// Bytes of a unit.
    const UNIT: usize;

    /// Writes as many characters as a vector has units to the start of `dst`.
    fn put_widened<S: Simd>(simd: S, bytes: &[u8], dst: &mut [u8]);
}

impl Widened for Latin1 {
    const UNIT: usize = 1;

    #[inline(always)]
    fn put_widened<S: Simd>(simd: S, bytes: &[u8], dst: &mut [u8]) {
        simd.load(bytes).store(dst);
    }
}

impl<const LE: bool> Widened for Utf16<LE> {
    const UNIT: usize = 2;

    #[inline(always)]
    fn put_widened<S: Simd>(simd: S, bytes: &[u8], dst: &mut [u8]) {
        let units = simd.load_widened16(bytes);
        let units = if LE { units } else { units.shl16::<8>() };
        units.store(dst);
    }
}

impl<const LE: bool> Widened for Utf32<LE> {
    const UNIT: usize = 4;

    #[inline(always)]
    fn put_widened<S: Simd>(simd: S, bytes: &[u8], dst: &mut [u8]) {
        let units = simd.load_widened32(bytes);
        let units = if LE { units } else { units.shl32::<24>() };
        units.store(dst);
    }
}

/// Writes a block to `out`, which has exactly the length needed.
///
/// This uses halves of vectors. A store of 256 bits across the end of a cache line takes several
/// times as long as one of 128, and ASCII copied to an arbitrary address was twice as slow with
/// them.
#[inline(always)]
pub(crate) fn widen_block<S: Simd, T: Widened>(simd: S, block: &[u8], out: &mut [u8]) {
    for at in (0..BLOCK).step_by(16 / T::UNIT) {
        T::put_widened(simd.half(), &block[at..], &mut out[T::UNIT * at..]);
    }
}

/// Number of bytes written at once in a long run. Four blocks were slower by a tenth into UTF-16.
const WIDENED_RUN: usize = 2 * BLOCK;

/// Writes a long run of ASCII at the start of `src`, or part of it, to the start of `dst`. Returns
/// the number of characters: none, or at least a block.
#[inline(always)]
pub(crate) fn widen_run<S: Simd, T: Widened>(simd: S, src: &[u8], dst: &mut [u8]) -> usize {
    let (Some(blocks), Some(out)) =
        (src.first_chunk::<WIDENED_RUN>(), dst.get_mut(..T::UNIT * WIDENED_RUN))
    else {
        return 0;
    };
    if !is_ascii(simd, blocks) {
        return 0;
    }
    widen_block::<S, T>(simd, blocks, &mut out[..T::UNIT * BLOCK]);
    // Writes some of these again, so that no store crosses the end of a cache line.
    let mut read = out.as_ptr().align_offset(BLOCK).min(BLOCK) / T::UNIT;
    while let Some(blocks) = src[read..].first_chunk::<WIDENED_RUN>() {
        let Some(out) = dst[T::UNIT * read..].get_mut(..T::UNIT * WIDENED_RUN) else { break };
        if !is_ascii(simd, blocks) {
            break;
        }
        for at in (0..WIDENED_RUN).step_by(S::Vector::BYTES / T::UNIT) {
            T::put_widened(simd, &blocks[at..], &mut out[T::UNIT * at..]);
        }
        read += WIDENED_RUN;
    }
    read.max(BLOCK)
}

/// Whether `src`, of sixteen bytes or more, is all ASCII; for vectors of 128 bits.
#[inline(always)]
pub(crate) fn is_short_ascii<S: Simd>(simd: S, src: &[u8]) -> bool {
    let mut all = simd.load(&src[src.len() - 16..]);
    let mut rest = src;
    while rest.len() > 16 {
        all = all.or(simd.load(rest));
        rest = &rest[16..];
    }
    !all.any_high()
}

/// Writes sixteen characters or more to `out`, which has exactly the length needed; for vectors of
/// 128 bits.
#[inline(always)]
pub(crate) fn widen_short<S: Simd, T: Widened>(simd: S, src: &[u8], out: &mut [u8]) {
    let step = 16 / T::UNIT;
    let last = src.len() - step;
    let mut at = 0;
    while at < last {
        T::put_widened(simd, &src[at..], &mut out[T::UNIT * at..]);
        at += step;
    }
    T::put_widened(simd, &src[last..], &mut out[T::UNIT * last..]);
}

/// Whether all bytes are ASCII. There must be a whole number of vectors, at least one.
#[inline(always)]
pub(crate) fn is_ascii<S: Simd>(simd: S, block: &[u8]) -> bool {
    let mut all = simd.load(block);
    for at in (S::Vector::BYTES..block.len()).step_by(S::Vector::BYTES) {
        all = all.or(simd.load(&block[at..]));
    }
    !all.any_high()
}

/// The bytes of a block that are not ASCII.
#[inline(always)]
pub(crate) fn non_ascii<S: Simd>(simd: S, block: &[u8; BLOCK]) -> u64 {
    let mut bits = simd.bits();
    for at in (0..BLOCK).step_by(S::Vector::BYTES) {
        bits.put(at, simd.load(&block[at..]));
    }
    bits.get()
}
