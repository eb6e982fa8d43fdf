//! UTF-32 in either byte order: validation, lengths, and conversion to everything except UTF-8.

use super::compress::{HALF_OR_WHOLE, compress};
use super::map::{Map, finish, map_any};
use super::utf16::CHUNK;
use crate::arch::scalar::{self, Latin1, Utf16, Utf32};
use crate::simd::{Simd, Vector};

/// A vector of units from the start of `src`.
#[inline(always)]
pub(super) fn load<S: Simd, const LE: bool>(simd: S, src: &[u8]) -> S::Vector {
    let units = simd.load(src);
    if LE { units } else { units.swap32() }
}

/// A number that is at most `SOUND` for a scalar value, and above it for any other unit: with
/// 0xD800 flipped, the surrogates are below 0x800, where the subtraction underflows.
#[inline(always)]
pub(super) fn unsoundness<S: Simd>(simd: S, units: S::Vector) -> S::Vector {
    units.xor(simd.splat32(0xD800)).sub32(simd.splat32(0x800))
}

/// See [`unsoundness`]. U+10FFFF and nearby values, flipped, are not above U+10FFFF.
const SOUND: u32 = 0x10_FFFF - 0x800;

/// Whether some of these are above `SOUND`.
#[inline(always)]
pub(super) fn any_unsound<S: Simd>(simd: S, unsoundness: S::Vector) -> bool {
    let sound = simd.splat32(SOUND);
    unsoundness.max32(sound).xor(sound).any()
}

/// The length of the well-formed prefix.
#[inline(always)]
pub(crate) fn prefix<S: Simd, const LE: bool>(simd: S, src: &[u8]) -> usize {
    let bytes = S::Vector::BYTES;
    let mut at = 0;
    while let Some(block) = src.get(at..at + 4 * bytes) {
        let a = unsoundness(simd, load::<S, LE>(simd, block));
        let b = unsoundness(simd, load::<S, LE>(simd, &block[bytes..]));
        let c = unsoundness(simd, load::<S, LE>(simd, &block[2 * bytes..]));
        let d = unsoundness(simd, load::<S, LE>(simd, &block[3 * bytes..]));
        if any_unsound(simd, a.max32(b).max32(c.max32(d))) {
            break;
        }
        at += 4 * bytes;
    }
    while let Some(block) = src.get(at..at + bytes)
        && !any_unsound(simd, unsoundness(simd, load::<S, LE>(simd, block)))
    {
        at += bytes;
    }
    if at == src.len() { at } else { at + scalar::prefix_call::<Utf32<LE>>(&src[at..]) }
}

/// UTF-32 in the other byte order.
#[inline(always)]
pub(crate) fn swap<S: Simd, const LE: bool>(simd: S, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
    let mut at = 0;
    loop {
        let room = (src.len() - at).min(dst.len() - at).min(CHUNK);
        let length = prefix::<S, LE>(simd, &src[at..at + room]);
        if length == 0 {
            return (at, at);
        }
        let (from, to) = (&src[at..at + length], &mut dst[at..at + length]);
        let (read, written, _) = map_any::<S, Swap>(simd, from, to);
        let rest = to[written..].as_chunks_mut().0.iter_mut().zip(from[read..].as_chunks().0);
        for (to, from) in rest {
            let [a, b, c, d] = *from;
            *to = [d, c, b, a];
        }
        at += length;
    }
}

/// Units in the other byte order.
struct Swap;

impl<S: Simd> Map<S> for Swap {
    const UNIT: usize = 4;
    const READ: usize = S::Vector::BYTES;
    const WRITTEN: usize = S::Vector::BYTES;

    #[inline(always)]
    fn step(simd: S, src: &[u8], dst: &mut [u8]) -> (S::Vector, S::Vector) {
        simd.load(src).swap32().store(dst);
        (simd.zero(), simd.zero())
    }

    #[inline(always)]
    fn stops(_: S, _: (S::Vector, S::Vector)) -> bool {
        false
    }
}

/// UTF-32 to Latin-1.
#[inline(always)]
pub(crate) fn to_latin1<S: Simd, const LE: bool>(
    simd: S,
    src: &[u8],
    dst: &mut [u8],
) -> (usize, usize) {
    let (read, written, _) = map_any::<S, ToLatin1<LE>>(simd, src, dst);
    finish::<Utf32<LE>, Latin1>(src, dst, read, written)
}

/// Units that are in Latin-1.
struct ToLatin1<const LE: bool>;

impl<S: Simd, const LE: bool> Map<S> for ToLatin1<LE> {
    const UNIT: usize = 4;
    const READ: usize = 4 * S::Vector::BYTES;
    const WRITTEN: usize = S::Vector::BYTES;

    #[inline(always)]
    fn step(simd: S, src: &[u8], dst: &mut [u8]) -> (S::Vector, S::Vector) {
        let bytes = S::Vector::BYTES;
        let a = simd.load(src);
        let b = simd.load(&src[bytes..]);
        let c = simd.load(&src[2 * bytes..]);
        let d = simd.load(&src[3 * bytes..]);
        let joined = (a.or(b), c.or(d));
        if LE {
            a.narrow32_16([b, c, d]).store(dst);
        } else {
            let [b, c, d] = [b.shr32::<24>(), c.shr32::<24>(), d.shr32::<24>()];
            a.shr32::<24>().narrow32_16([b, c, d]).store(dst);
        }
        joined
    }

    #[inline(always)]
    fn stops(simd: S, joined: (S::Vector, S::Vector)) -> bool {
        joined.0.or(joined.1).and(simd.splat32(if LE { !0xFF } else { !0xFF00_0000 })).any()
    }
}

/// UTF-32 to UTF-16.
#[inline(always)]
pub(crate) fn to_utf16<S: Simd, const LE: bool, const TO_LE: bool>(
    simd: S,
    src: &[u8],
    dst: &mut [u8],
) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    loop {
        let (from, to) = (&src[read..], &mut dst[written..]);
        let (bytes, filled, all) = map_any::<S, ToUtf16<LE, TO_LE>>(simd, from, to);
        read += bytes;
        written += filled;
        if all {
            return (read, written);
        }
        let (bytes, filled) =
            pairs_to_utf16::<S, LE, TO_LE>(simd, &src[read..], &mut dst[written..]);
        read += bytes;
        written += filled;
        if bytes == 0 {
            break;
        }
    }
    finish::<Utf32<LE>, Utf16<TO_LE>>(src, dst, read, written)
}

/// Units up to U+FFFF.
struct ToUtf16<const LE: bool, const TO_LE: bool>;

impl<S: Simd, const LE: bool, const TO_LE: bool> Map<S> for ToUtf16<LE, TO_LE> {
    const UNIT: usize = 4;
    const READ: usize = 2 * S::Vector::BYTES;
    const WRITTEN: usize = S::Vector::BYTES;

    #[inline(always)]
    fn step(simd: S, src: &[u8], dst: &mut [u8]) -> (S::Vector, S::Vector) {
        let a = load::<S, LE>(simd, src);
        let b = load::<S, LE>(simd, &src[S::Vector::BYTES..]);
        let units = a.narrow32(b);
        (if TO_LE { units } else { units.swap16() }).store(dst);
        (a.or(b), units.and(simd.splat16(0xF800)).equal16(simd.splat16(0xD800)))
    }

    #[inline(always)]
    fn stops(simd: S, joined: (S::Vector, S::Vector)) -> bool {
        joined.0.and(simd.splat32(0xFFFF_0000)).or(joined.1).any()
    }
}

/// Number of steps without scalar values above U+FFFF after which no more are expected.
const CLEAN: u32 = 8;

/// Steps like those of `ToUtf16`, as long as there are scalar values above U+FFFF nearby.
#[inline(always)]
fn pairs_to_utf16<S: Simd, const LE: bool, const TO_LE: bool>(
    simd: S,
    src: &[u8],
    dst: &mut [u8],
) -> (usize, usize) {
    let bytes = S::Vector::BYTES;
    let (mut read, mut written, mut clean) = (0, 0, 0);
    while clean < CLEAN
        && let Some(block) = src.get(read..read + 2 * bytes)
        && let Some(out) = dst[written..].get_mut(..2 * bytes)
    {
        let a = load::<S, LE>(simd, block);
        let b = load::<S, LE>(simd, &block[bytes..]);
        if any_unsound(simd, unsoundness(simd, a).max32(unsoundness(simd, b))) {
            break;
        }
        if !a.or(b).and(simd.splat32(0xFFFF_0000)).any() {
            clean += 1;
            ToUtf16::<LE, TO_LE>::step(simd, block, out);
            read += 2 * bytes;
            written += bytes;
            continue;
        }
        clean = 0;
        let mut filled = 0;
        any_to_utf16::<S, TO_LE>(simd, a, out, &mut filled);
        any_to_utf16::<S, TO_LE>(simd, b, out, &mut filled);
        read += 2 * bytes;
        written += filled;
    }
    (read, written)
}

/// Converts a vector of scalar values.
#[inline(always)]
fn any_to_utf16<S: Simd, const TO_LE: bool>(
    simd: S,
    scalars: S::Vector,
    out: &mut [u8],
    filled: &mut usize,
) {
    let above = scalars.greater_signed32(simd.splat32(0xFFFF));
    // The high half first: 0xD800 + (scalar >> 10) - (0x1_0000 >> 10).
    let high = scalars.shr32::<10>().add32(simd.splat32(0xD7C0));
    let low = scalars.and(simd.splat32(0x3FF)).or(simd.splat32(0xDC00)).shl32::<16>();
    let units = high.or(low).select(scalars, above);
    let units = if TO_LE { units } else { units.swap16() };
    let above = above.mask32();
    let index = |half: usize| (above >> (4 * half) & 0xF) as usize;
    let units = compress(simd, units, &HALF_OR_WHOLE, index);
    for half in 0..S::Vector::HALVES {
        units.half(half).store(&mut out[*filled..]);
        *filled += 8 + 2 * index(half).count_ones() as usize;
    }
}

/// Bytes of well-formed text in UTF-8.
#[inline(always)]
pub(crate) fn utf8_len<S: Simd, const LE: bool>(simd: S, src: &[u8]) -> usize {
    lengths::<S, Utf8Length, LE>(simd, src)
}

/// Bytes of well-formed text in UTF-16.
#[inline(always)]
pub(crate) fn utf16_len<S: Simd, const LE: bool>(simd: S, src: &[u8]) -> usize {
    2 * lengths::<S, Utf16Length, LE>(simd, src)
}

/// Units of another form that a scalar value takes.
trait Length<S: Simd> {
    /// The number of units beyond the first, negated, in lanes of 32 bits.
    fn more(simd: S, scalars: S::Vector) -> S::Vector;
    fn of(scalar: u32) -> usize;
}

struct Utf8Length;
struct Utf16Length;

impl<S: Simd> Length<S> for Utf8Length {
    #[inline(always)]
    fn more(simd: S, scalars: S::Vector) -> S::Vector {
        scalars
            .greater_signed32(simd.splat32(0x7F))
            .add32(scalars.greater_signed32(simd.splat32(0x7FF)))
            .add32(scalars.greater_signed32(simd.splat32(0xFFFF)))
    }

    #[inline(always)]
    fn of(scalar: u32) -> usize {
        1 + usize::from(scalar > 0x7F) + usize::from(scalar > 0x7FF) + usize::from(scalar > 0xFFFF)
    }
}

impl<S: Simd> Length<S> for Utf16Length {
    #[inline(always)]
    fn more(simd: S, scalars: S::Vector) -> S::Vector {
        scalars.greater_signed32(simd.splat32(0xFFFF))
    }

    #[inline(always)]
    fn of(scalar: u32) -> usize {
        1 + usize::from(scalar > 0xFFFF)
    }
}

#[inline(always)]
fn lengths<S: Simd, L: Length<S>, const LE: bool>(simd: S, src: &[u8]) -> usize {
    let bytes = S::Vector::BYTES;
    let units = src.len() / 4;
    let (src, end) = src.split_at(src.len() - src.len() % (4 * bytes));
    let mut total = units - end.len() / 4;
    for unit in end.as_chunks().0 {
        total += L::of(if LE { u32::from_le_bytes(*unit) } else { u32::from_be_bytes(*unit) });
    }
    // Separate counts for the four vectors of a block, so that none waits for another. Together
    // they add up to twelve per block, and only their lower 16 bits are summed.
    for part in src.chunks(4 * bytes * 4096) {
        let mut counts = [simd.zero(); 4];
        for block in part.chunks_exact(4 * bytes) {
            for (number, count) in counts.iter_mut().enumerate() {
                let scalars = load::<S, LE>(simd, &block[number * bytes..]);
                *count = count.sub32(L::more(simd, scalars));
            }
        }
        let [a, b, c, d] = counts;
        let counts = a.add32(b).add32(c.add32(d));
        total += counts.and(simd.splat32(0xFF)).sum() as usize;
        total += (counts.shr32::<8>().sum() as usize) << 8;
    }
    total
}
