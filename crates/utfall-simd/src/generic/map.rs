//! Conversions where each unit gives one unit, as long as the text is well-formed: swapping,
//! widening, narrowing.

use crate::arch::scalar::{self, Source, Target};
use crate::simd::{Simd, Vector};

/// How one vector is converted.
pub(crate) trait Map<S: Simd> {
    /// Bytes of a source code unit.
    const UNIT: usize;
    /// Bytes read by a step.
    const READ: usize;
    /// Bytes written by a step.
    const WRITTEN: usize;

    /// Converts the start of `src`. The two results are combined with those of other steps by
    /// `or`; [`stops`](Self::stops) tells from them whether all steps were valid.
    fn step(simd: S, src: &[u8], dst: &mut [u8]) -> (S::Vector, S::Vector);
    /// Whether the combined results of some steps show that one was not valid.
    fn stops(simd: S, joined: (S::Vector, S::Vector)) -> bool;
}

/// Converts from the start up to the first group of steps that is not valid. Returns the bytes
/// read and written, and whether that was all that `src` and `dst` allow.
#[inline(always)]
pub(crate) fn map<S: Simd, M: Map<S>>(simd: S, src: &[u8], dst: &mut [u8]) -> (usize, usize, bool) {
    let units = (src.len() / M::UNIT).min(dst.len() / (M::WRITTEN * M::UNIT / M::READ));
    let src = &src[..units * M::UNIT];
    let dst = &mut dst[..units * M::UNIT * M::WRITTEN / M::READ];
    let (mut read, mut written) = (0, 0);
    if dst.len() >= 8 * M::WRITTEN {
        // One step, part of which is then repeated, so that no store crosses a cache line.
        if M::stops(simd, M::step(simd, src, dst)) {
            return (0, 0, false);
        }
        let unit = M::WRITTEN * M::UNIT / M::READ;
        let aligned = dst.as_ptr().align_offset(S::Vector::BYTES);
        if aligned % unit == 0 {
            (read, written) = (aligned * M::READ / M::WRITTEN, aligned);
        }
    }
    while let Some(from) = src[read..].get(..4 * M::READ)
        && let Some(to) = dst[written..].get_mut(..4 * M::WRITTEN)
    {
        let (a, b) = M::step(simd, from, to);
        let (c, d) = M::step(simd, &from[M::READ..], &mut to[M::WRITTEN..]);
        let (e, f) = M::step(simd, &from[2 * M::READ..], &mut to[2 * M::WRITTEN..]);
        let (g, h) = M::step(simd, &from[3 * M::READ..], &mut to[3 * M::WRITTEN..]);
        let joined = (a.or(c).or(e.or(g)), b.or(d).or(f.or(h)));
        if M::stops(simd, joined) {
            return (read, written, false);
        }
        read += 4 * M::READ;
        written += 4 * M::WRITTEN;
    }
    while let Some(from) = src[read..].get(..M::READ)
        && let Some(to) = dst[written..].get_mut(..M::WRITTEN)
    {
        if M::stops(simd, M::step(simd, from, to)) {
            return (read, written, false);
        }
        read += M::READ;
        written += M::WRITTEN;
    }
    // The last units together with some before them.
    if read < src.len()
        && let Some(from) = src.len().checked_sub(M::READ)
    {
        let to = dst.len() - M::WRITTEN;
        if M::stops(simd, M::step(simd, &src[from..], &mut dst[to..])) {
            return (read, written, false);
        }
        return (src.len(), dst.len(), true);
    }
    (read, written, read == src.len())
}

/// The same, with vectors of 128 bits for less than a step.
#[inline(always)]
pub(crate) fn map_any<S: Simd, M: Map<S> + Map<S::Half>>(
    simd: S,
    src: &[u8],
    dst: &mut [u8],
) -> (usize, usize, bool) {
    if S::Vector::HALVES > 1 && src.len() < <M as Map<S>>::READ {
        return map::<S::Half, M>(simd.half(), src, dst);
    }
    map::<S, M>(simd, src, dst)
}

/// Whether `src` is too short for a step with 128 bits, which reads `QUARTERS` quarters of a
/// vector.
#[inline(always)]
pub(crate) fn is_short<S: Simd, const QUARTERS: usize>(_: S, src: &[u8]) -> bool {
    src.len() < QUARTERS * 4
}

/// Finishes a conversion with scalar code.
#[inline(always)]
pub(crate) fn finish<T: Source, U: Target>(
    src: &[u8],
    dst: &mut [u8],
    read: usize,
    written: usize,
) -> (usize, usize) {
    if read == src.len() {
        return (read, written);
    }
    let (bytes, filled) = scalar::convert_call::<T, U>(&src[read..], &mut dst[written..]);
    (read + bytes, written + filled)
}
