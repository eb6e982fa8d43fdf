//! UTF-8 to UTF-16 and UTF-32.
//!
//! The simple version computes at each octet the unit that would end there, from the octet
//! and the three before it, and keeps it if one does:
//!
//! ```text
//! for each position
//!     unit = current                       if current is ASCII
//!     unit = current % 64 + before1 * 64 + (before2 is the lead of three) * before2 * 4096
//!     if the next octet is no trail octet, or, in UTF-16, before2 is the lead of four
//!         write unit
//! ```
//!
//! Here
//!
//! 1. the octets of units are computed apart, low and high, and zipped: in either byte order;
//! 2. eight units at a time are pushed together by a shuffle that is looked up by which are
//!    kept, and written whole; the next eight overwrite what was not kept;
//! 3. validation is that of [`utf8`](super::utf8), from the same loads;
//! 4. the work for sequences of four octets is left out of blocks that have none, and blocks
//!    of ASCII are only widened.
//!
//! No position depends on what stands before those three octets but for where units go, so
//! the speed is the same whatever the mixture of lengths. The published ways, which follow
//! sequence by sequence or a dozen octets at a time (D. Lemire, W. Muła, "Transcoding
//! billions of Unicode characters per second with SIMD instructions", 2022), have to know how
//! far they came before they can go on.

use super::BLOCK;
use super::ascii::{self, Widened};
use super::utf8::{BEFORE, Octets, Validator, boundary, is_boundary};
use crate::arch::scalar::{self, Utf8, Utf16, Utf32};
use crate::simd::{Simd, Vector};

/// A block behind the three octets before it, and the octet after it.
const WINDOW: usize = BEFORE + BLOCK + 1;

/// UTF-16 or UTF-32.
pub(crate) trait Units: Widened {
    /// Whether the octets of a unit begin with the lowest.
    const LE: bool;

    /// Those of eight units that `order` picks, to the start of `dst`. `units` has their
    /// lower halves and `upper` the upper ones, in the byte order of this form.
    fn put_kept<H: Vector>(order: H, units: H, upper: H, dst: &mut [u8]);
}

impl<const LE: bool> Units for Utf16<LE> {
    const LE: bool = LE;

    #[inline(always)]
    fn put_kept<H: Vector>(order: H, units: H, _: H, dst: &mut [u8]) {
        order.lookup(units).store(dst);
    }
}

impl<const LE: bool> Units for Utf32<LE> {
    const LE: bool = LE;

    #[inline(always)]
    fn put_kept<H: Vector>(order: H, units: H, upper: H, dst: &mut [u8]) {
        let (units, upper) = (order.lookup(units), order.lookup(upper));
        let (first, second) = if LE { (units, upper) } else { (upper, units) };
        first.zip_low16(second).store(dst);
        first.zip_high16(second).store(&mut dst[16..]);
    }
}

/// For each set of eight units, where in sixteen octets its members lie. What is behind them
/// is zero.
static ORDER: [[u8; 16]; 256] = {
    let mut table = [[0x80; 16]; 256];
    let mut set = 0;
    while set < 256 {
        let (mut unit, mut kept) = (0, 0);
        while unit < 8 {
            if set >> unit & 1 == 1 {
                table[set][2 * kept] = 2 * unit;
                table[set][2 * kept + 1] = 2 * unit + 1;
                kept += 1;
            }
            unit += 1;
        }
        set += 1;
    }
    table
};

/// A conversion.
#[inline(always)]
pub(crate) fn convert<S: Simd, T: Units>(simd: S, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
    let converter = Converter::<S::Vector>::new(simd);
    let (mut read, mut written) = (0, 0);
    let start = start(src);
    let mut window = &start;
    // Whether the last octets went through `Converter`.
    let mut pushed = false;
    while src.len() - read > BLOCK {
        let Some(out) = dst[written..].get_mut(..T::UNIT * BLOCK) else { break };
        if !ascii::is_ascii(simd, &window[BEFORE..][..BLOCK]) {
            let Some(length) = converter.block::<T>(simd, window, out) else { break };
            read += BLOCK;
            written += length;
            pushed = true;
        } else if !is_boundary(window) {
            break;
        } else {
            let mut run = ascii::widen_run::<S, T>(simd, &src[read..], &mut dst[written..]);
            if run == 0 {
                let out = &mut dst[written..][..T::UNIT * BLOCK];
                ascii::widen_block::<S, T>(simd, &window[BEFORE..], out);
                run = BLOCK;
            }
            read += run;
            pushed = false;
            written += T::UNIT * run;
        }
        match src[read - BEFORE..].first_chunk() {
            Some(next) => window = next,
            None => break,
        }
    }
    if pushed {
        (read, written) = last_boundary::<T>(src, read, written);
    }
    let (octets, units) = scalar::convert::<Utf8, T>(&src[read..], &mut dst[written..]);
    (read + octets, written + units)
}

/// Where the last sequence that begins before `read` begins, unless it ends there too, and
/// what is written without it. All before `read` was pushed together.
#[inline(always)]
fn last_boundary<T: Units>(src: &[u8], read: usize, written: usize) -> (usize, usize) {
    let is_trail = |at: usize| (0x80..=0xBF).contains(&src[at]);
    if is_trail(read) {
        // No unit was written for the last octet, but one for the third of four.
        let mut start = read - 1;
        while is_trail(start) {
            start -= 1;
        }
        let surrogate = T::UNIT == 2 && src[start] >= 0xF0 && read - start >= 3;
        return (start, if surrogate { written - T::UNIT } else { written });
    }
    let start = boundary(src, read);
    (start, if start < read { written - T::UNIT } else { written })
}

/// The constants of conversion, in registers.
struct Converter<V> {
    validator: Validator<V>,
    trail_high: V,
    trail_low: V,
    ascii: V,
    low_nibble: V,
    three: V,
    last_trail: V,
}

impl<V: Vector> Converter<V> {
    #[inline(always)]
    fn new(simd: V::Simd) -> Self {
        Self {
            validator: Validator::new(simd),
            trail_high: simd.repeat(const { trails(0xC0) }),
            trail_low: simd.repeat(const { trails(0x0F) }),
            ascii: simd.splat(0x7F),
            low_nibble: simd.splat(0x0F),
            three: simd.splat(0xE0),
            last_trail: simd.splat(0xBF),
        }
    }

    /// The units that end in a block, to the start of `out`, and their length in octets, if
    /// the block is sound.
    #[inline(always)]
    fn block<T: Units>(
        &self,
        simd: V::Simd,
        window: &[u8; WINDOW],
        out: &mut [u8],
    ) -> Option<usize> {
        let mut highest = simd.load(&window[BEFORE + BLOCK - V::OCTETS..]);
        for at in (0..BLOCK).step_by(V::OCTETS) {
            highest = highest.max(simd.load(&window[at..]));
        }
        if highest.sub_saturating(simd.splat(0xF0 - 0x80)).any_high() {
            self.block_of::<T, true>(simd, window, out)
        } else {
            self.block_of::<T, false>(simd, window, out)
        }
    }

    /// The same; `FOUR` says whether there may be sequences of four octets.
    #[inline(always)]
    fn block_of<T: Units, const FOUR: bool>(
        &self,
        simd: V::Simd,
        window: &[u8; WINDOW],
        out: &mut [u8],
    ) -> Option<usize> {
        let mut clashes = simd.zero();
        let mut written = 0;
        for at in (0..BLOCK).step_by(V::OCTETS) {
            let octets = Octets::load(simd, window, at);
            clashes = clashes.or(self.validator.clashes(octets));
            let next = simd.load(&window[BEFORE + at + 1..]);
            let Planes { low, high, upper, kept } = self.planes::<T, FOUR>(simd, octets, next);
            let units = zip::<T, V>(low, high);
            let upper = if FOUR && T::UNIT == 4 {
                zip::<T, V>(upper, simd.zero())
            } else {
                [simd.zero(); 2]
            };
            let mut kept = kept.mask();
            for half in 0..V::HALVES {
                for (units, upper) in units.iter().zip(&upper) {
                    let set = kept as u8;
                    kept >>= 8;
                    let order = simd.half().load(&ORDER[usize::from(set)]);
                    T::put_kept(order, units.half(half), upper.half(half), &mut out[written..]);
                    written += T::UNIT * set.count_ones() as usize;
                }
            }
        }
        (!clashes.any()).then_some(written)
    }

    #[inline(always)]
    fn planes<T: Units, const FOUR: bool>(
        &self,
        simd: V::Simd,
        octets: Octets<V>,
        next: V,
    ) -> Planes<V> {
        let Octets { current, before1, before2, before3 } = octets;
        let nibble = current.shr16::<4>().and(self.low_nibble);
        let low =
            current.and(self.ascii).or(before1.shl16::<6>().and(nibble.lookup(self.trail_high)));
        let high = before1.shr16::<2>().and(nibble.lookup(self.trail_low));
        // The value of the lead of three, and zero for any octet below.
        let third = before2.sub_saturating(self.three);
        let kept = next.greater_signed(self.last_trail);
        let upper = simd.zero();
        if !FOUR {
            return Planes { low, high: high.or(third.shl16::<4>()), upper, kept };
        }
        let at_fourth = leads_four(simd, before3);
        if T::UNIT == 4 {
            let beyond = third.greater_signed(simd.zero()).or(at_fourth);
            let high = high.or(before2.and(self.low_nibble).and(beyond).shl16::<4>());
            let upper = before3
                .sub_saturating(simd.splat(0xF0))
                .shl16::<2>()
                .or(before2.shr16::<4>().and(simd.splat(0x03)).and(at_fourth));
            return Planes { low, high, upper, kept };
        }
        let high = high.or(third.and(self.low_nibble).shl16::<4>());
        // At the third octet: D800 + (code point >> 10) - 40. Of this the lowest
        // octet, then the one above, with the borrow.
        let at_third = leads_four(simd, before2);
        let lead_low = before1
            .shl16::<2>()
            .and(simd.splat(0xFC))
            .or(nibble.and(simd.splat(0x03)))
            .sub(simd.splat(0x40));
        let borrow_not = before1.greater_signed(simd.splat(0x8F));
        let lead_high = before2.add(simd.splat(0xE7)).sub(borrow_not);
        // At the fourth octet.
        let high = high.or(at_fourth.and(simd.splat(0xDC)));
        Planes {
            low: lead_low.select(low, at_third),
            high: lead_high.select(high, at_third),
            upper,
            kept: kept.or(at_third),
        }
    }
}

/// Octets in the byte order of units, two by two: in each half, the lower eight, the upper
/// eight.
#[inline(always)]
fn zip<T: Units, V: Vector>(low: V, high: V) -> [V; 2] {
    let (first, second) = if T::LE { (low, high) } else { (high, low) };
    [first.zip_low(second), first.zip_high(second)]
}

/// Which octets are F0 or above.
#[inline(always)]
fn leads_four<V: Vector>(simd: V::Simd, octets: V) -> V {
    octets.sub_saturating(simd.splat(0xEF)).greater_signed(simd.zero())
}

/// What is computed at each octet.
struct Planes<V> {
    /// Bits 0 to 7 of the unit.
    low: V,
    /// Bits 8 to 15.
    high: V,
    /// Bits 16 to 20.
    upper: V,
    /// The highest bit says whether a unit ends here.
    kept: V,
}

/// `value` for the high nibble of trail octets, zero for that of others.
const fn trails(value: u8) -> [u8; 16] {
    let mut table = [0; 16];
    let mut nibble = 0x8;
    while nibble < 0xC {
        table[nibble] = value;
        nibble += 1;
    }
    table
}

/// The first block behind zeros.
#[inline(always)]
fn start(src: &[u8]) -> [u8; WINDOW] {
    let mut window = [0; WINDOW];
    if let Some(octets) = src.first_chunk::<{ BLOCK + 1 }>() {
        window[BEFORE..].copy_from_slice(octets);
    }
    window
}
