//! From Latin-1 to everything except UTF-8, and lengths.

use super::map::{Map, finish, map, map_any};
use crate::arch::scalar::{Latin1, Utf16, Utf32};
use crate::simd::{Simd, Vector};

/// Latin-1 to UTF-16.
#[inline(always)]
pub(crate) fn to_utf16<S: Simd, const LE: bool>(
    simd: S,
    src: &[u8],
    dst: &mut [u8],
) -> (usize, usize) {
    let (read, written, _) = if S::Vector::BYTES == 16 && src.len() >= LONG {
        map::<S, ToUtf16Wide<LE>>(simd, src, dst)
    } else {
        map_any::<S, ToUtf16<LE>>(simd, src, dst)
    };
    finish::<Latin1, Utf16<LE>>(src, dst, read, written)
}

struct ToUtf16<const LE: bool>;

impl<S: Simd, const LE: bool> Map<S> for ToUtf16<LE> {
    const UNIT: usize = 1;
    const READ: usize = S::Vector::BYTES / 2;
    const WRITTEN: usize = S::Vector::BYTES;

    #[inline(always)]
    fn step(simd: S, src: &[u8], dst: &mut [u8]) -> (S::Vector, S::Vector) {
        let units = simd.load_widened16(src);
        (if LE { units } else { units.shl16::<8>() }).store(dst);
        (simd.zero(), simd.zero())
    }

    #[inline(always)]
    fn stops(_: S, _: (S::Vector, S::Vector)) -> bool {
        false
    }
}

/// The same from a vector that is loaded once, for vectors of 128 bits. From [`LONG`] bytes on, it
/// is faster than two loads of half a vector.
struct ToUtf16Wide<const LE: bool>;
const LONG: usize = 128;

impl<S: Simd, const LE: bool> Map<S> for ToUtf16Wide<LE> {
    const UNIT: usize = 1;
    const READ: usize = S::Vector::BYTES;
    const WRITTEN: usize = 2 * S::Vector::BYTES;

    #[inline(always)]
    fn step(simd: S, src: &[u8], dst: &mut [u8]) -> (S::Vector, S::Vector) {
        let (bytes, zero) = (simd.load(src), simd.zero());
        let (first, second) = if LE { (bytes, zero) } else { (zero, bytes) };
        first.zip_low(second).store(dst);
        first.zip_high(second).store(&mut dst[S::Vector::BYTES..]);
        (zero, zero)
    }

    #[inline(always)]
    fn stops(_: S, _: (S::Vector, S::Vector)) -> bool {
        false
    }
}

/// Latin-1 to UTF-32.
#[inline(always)]
pub(crate) fn to_utf32<S: Simd, const LE: bool>(
    simd: S,
    src: &[u8],
    dst: &mut [u8],
) -> (usize, usize) {
    let (read, written, _) = map_any::<S, ToUtf32<LE>>(simd, src, dst);
    finish::<Latin1, Utf32<LE>>(src, dst, read, written)
}

struct ToUtf32<const LE: bool>;

impl<S: Simd, const LE: bool> Map<S> for ToUtf32<LE> {
    const UNIT: usize = 1;
    const READ: usize = S::Vector::BYTES / 4;
    const WRITTEN: usize = S::Vector::BYTES;

    #[inline(always)]
    fn step(simd: S, src: &[u8], dst: &mut [u8]) -> (S::Vector, S::Vector) {
        let units = simd.load_widened32(src);
        (if LE { units } else { units.shl32::<24>() }).store(dst);
        (simd.zero(), simd.zero())
    }

    #[inline(always)]
    fn stops(_: S, _: (S::Vector, S::Vector)) -> bool {
        false
    }
}

/// Bytes of the same text in UTF-8.
#[inline(always)]
pub(crate) fn utf8_len<S: Simd>(simd: S, src: &[u8]) -> usize {
    let bytes = S::Vector::BYTES;
    let length = src.len();
    let (src, end) = src.split_at(src.len() - src.len() % (4 * bytes));
    let mut more = end.iter().filter(|byte| !byte.is_ascii()).count();
    // Separate counts for the four vectors of a block, so that none waits for another. Together
    // they add up to four per block.
    for part in src.chunks(4 * bytes * 63) {
        let mut counts = [simd.zero(); 4];
        for block in part.chunks_exact(4 * bytes) {
            for (number, count) in counts.iter_mut().enumerate() {
                let bytes = simd.load(&block[number * bytes..]);
                *count = count.sub(simd.zero().greater_signed(bytes));
            }
        }
        let [a, b, c, d] = counts;
        let counts = a.add(b).add(c.add(d));
        more += counts.sum() as usize;
    }
    length + more
}
