//! UTF-8 as RFC 3629 §4 has it: validation.
//!
//! The simple version looks at each octet with the three before it:
//!
//! ```text
//! for each position
//!     ill-formed if (previous, current) cannot stand together
//!     ill-formed if "both are trail octets" is not
//!                   "third of a sequence of three or four, or fourth of four"
//! ```
//!
//! Which pairs cannot stand together is looked up by three nibbles, as in J. Keiser,
//! D. Lemire, "Validating UTF-8 in less than one instruction per byte", 2021. Here
//!
//! 1. the octets before come from loads at the places before, instead of from the vector
//!    before: loads are the one thing that validation has to spare;
//! 2. so a block depends on no other, and one that is ASCII together with the three octets
//!    before it is sound;
//! 3. a run of ASCII has a loop of its own, which does not look at the octets before;
//! 4. what is found ill-formed is looked for again, from the last boundary before the block,
//!    by the scalar table, which knows the exact place.

use super::{BLOCK, ascii};
use crate::arch::scalar::{self, Utf8};
use crate::simd::{Simd, Vector};

/// A block behind the three octets before it.
pub(crate) const BEFORE: usize = 3;
const WINDOW: usize = BEFORE + BLOCK;

/// What cannot stand together, one bit for each: the high nibbles of the first octet, its
/// low nibbles, the high nibbles of the second; each a set of bits.
const CLASHES: [(u16, u16, u16); 8] = [
    // A lead octet before what is no trail octet.
    (0xF000, 0xFFFF, 0xF0FF),
    // A trail octet after ASCII.
    (0x00FF, 0xFFFF, 0x0F00),
    // C0, C1: two octets for ASCII.
    (0x1000, 0x0003, 0x0F00),
    // E0 80..9F: three octets for what takes two.
    (0x4000, 0x0001, 0x0300),
    // ED A0..BF: surrogates.
    (0x4000, 0x2000, 0x0C00),
    // F4..FF 90..BF: above U+10FFFF.
    (0x8000, 0xFFF0, 0x0E00),
    // F5..FF 80..8F: the same; F0 80..8F: four octets for what takes three.
    (0x8000, 0xFFE1, 0x0100),
    // Two trail octets, which are right in some places: `TWO_TRAILS`.
    (0x0F00, 0xFFFF, 0x0F00),
];
/// The last of `CLASHES`.
const TWO_TRAILS: u8 = 0x80;

/// For each nibble the set of clashes it takes part in.
const fn nibbles(column: usize) -> [u8; 16] {
    let mut table = [0; 16];
    let mut nibble = 0;
    while nibble < 16 {
        let mut clash = 0;
        while clash < 8 {
            let (first_high, first_low, second_high) = CLASHES[clash];
            let set = [first_high, first_low, second_high][column];
            table[nibble] |= ((set >> nibble & 1) as u8) << clash;
            clash += 1;
        }
        nibble += 1;
    }
    table
}

/// The constants of validation, in registers.
#[derive(Clone, Copy)]
pub(crate) struct Validator<V> {
    first_high: V,
    first_low: V,
    second_high: V,
    low_nibble: V,
    third: V,
    fourth: V,
    two_trails: V,
}

impl<V: Vector> Validator<V> {
    #[inline(always)]
    pub(crate) fn new(simd: V::Simd) -> Self {
        Self {
            first_high: simd.repeat(const { nibbles(0) }),
            first_low: simd.repeat(const { nibbles(1) }),
            second_high: simd.repeat(const { nibbles(2) }),
            low_nibble: simd.splat(0x0F),
            third: simd.splat(0xE0 - TWO_TRAILS),
            fourth: simd.splat(0xF0 - TWO_TRAILS),
            two_trails: simd.splat(TWO_TRAILS),
        }
    }

    /// Nothing but zeros if these octets are sound after the ones before them.
    #[inline(always)]
    pub(crate) fn clashes(&self, octets: Octets<V>) -> V {
        let Octets { current, before1, before2, before3 } = octets;
        let pair = before1
            .shr16::<4>()
            .and(self.low_nibble)
            .lookup(self.first_high)
            .and(before1.and(self.low_nibble).lookup(self.first_low))
            .and(current.shr16::<4>().and(self.low_nibble).lookup(self.second_high));
        let after = before2.sub_saturating(self.third).or(before3.sub_saturating(self.fourth));
        after.and(self.two_trails).xor(pair)
    }

    /// Whether a block is sound after the octets before it.
    #[inline(always)]
    fn is_sound(&self, simd: V::Simd, window: &[u8; WINDOW]) -> bool {
        let mut clashes = simd.zero();
        for at in (0..BLOCK).step_by(V::OCTETS) {
            clashes = clashes.or(self.clashes(Octets::load(simd, window, at)));
        }
        !clashes.any()
    }
}

/// Some octets of a block, and for each of them the three before it.
#[derive(Clone, Copy)]
pub(crate) struct Octets<V> {
    pub(crate) current: V,
    pub(crate) before1: V,
    pub(crate) before2: V,
    pub(crate) before3: V,
}

impl<V: Vector> Octets<V> {
    /// Those from `at` in the block on.
    #[inline(always)]
    pub(crate) fn load(simd: V::Simd, window: &[u8], at: usize) -> Self {
        Self {
            before3: simd.load(&window[at..]),
            before2: simd.load(&window[at + 1..]),
            before1: simd.load(&window[at + 2..]),
            current: simd.load(&window[at + 3..]),
        }
    }
}

/// Octets of a well-formed prefix.
#[inline(always)]
pub(crate) fn prefix<S: Simd>(simd: S, src: &[u8]) -> usize {
    if src.len() < SHORT {
        return scalar::prefix::<Utf8>(src);
    }
    let validator = Validator::<S::Vector>::new(simd);
    let start = start(src);
    if !validator.is_sound(simd, &start) {
        return finish(src, 0);
    }
    if src.len() <= BLOCK {
        return boundary(src, src.len());
    }
    // From `BEFORE` octets before the next block on.
    //
    // Each of these made it slower: to go straight on from a run of ASCII to the block behind
    // it (French by a quarter: the second look at it is predicted when the first was not), to
    // gather clashes over many blocks, to take ASCII four blocks at once, to note at the end
    // of a block whether it cuts a sequence short.
    let mut rest = &src[BLOCK - BEFORE..];
    while let Some(window) = rest.first_chunk() {
        if ascii::is_ascii(simd, &window[BEFORE..]) {
            if !is_boundary(window) {
                break;
            }
            rest = &rest[BLOCK..];
            while let Some(window) = rest.first_chunk::<WINDOW>() {
                if !ascii::is_ascii(simd, &window[BEFORE..]) {
                    break;
                }
                rest = &rest[BLOCK..];
            }
        } else {
            if !validator.is_sound(simd, window) {
                break;
            }
            rest = &rest[BLOCK..];
        }
    }
    // What is left, with octets before it once more.
    if rest.len() < WINDOW
        && let Some(last) = src.last_chunk()
        && validator.is_sound(simd, last)
    {
        return boundary(src, src.len());
    }
    finish(src, src.len() - rest.len() + BEFORE)
}

/// Code points in well-formed text.
#[inline(always)]
pub(crate) fn count<S: Simd>(simd: S, src: &[u8]) -> usize {
    units::<S, false>(simd, src)
}

/// Octets of UTF-16 for well-formed text.
#[inline(always)]
pub(crate) fn utf16_len<S: Simd>(simd: S, src: &[u8]) -> usize {
    2 * units::<S, true>(simd, src)
}

/// Octets that are no trail octets; with `FOUR`, leads of four count twice.
#[inline(always)]
fn units<S: Simd, const FOUR: bool>(simd: S, src: &[u8]) -> usize {
    let (Some(first), Some(last)) = (src.first_chunk::<BLOCK>(), src.last_chunk::<BLOCK>()) else {
        let unit = |octet: &u8| u8::from(!(0x80..=0xBF).contains(octet));
        let four = |octet: &u8| u8::from(FOUR && *octet >= 0xF0);
        return usize::from(src.iter().map(|octet| unit(octet) + four(octet)).sum::<u8>());
    };
    // In between no load crosses the end of a cache line.
    let ahead = src.as_ptr().align_offset(BLOCK).min(BLOCK);
    let mut total = in_block::<S, FOUR>(simd, first, u64::MAX.unbounded_shr(64 - ahead as u32));
    let (blocks, behind) = src[ahead..].as_chunks::<BLOCK>();
    // A lane gains at most 2 a vector, or 8 a block.
    for blocks in blocks.chunks(31) {
        let mut lanes = simd.zero();
        for block in blocks {
            for at in (0..BLOCK).step_by(S::Vector::OCTETS) {
                let octets = simd.load(&block[at..]);
                lanes = lanes.sub(octets.greater_signed(simd.splat(0xBF)));
                if FOUR {
                    let four = simd.splat(0xF0);
                    lanes = lanes.sub(octets.max(four).equal(octets));
                }
            }
        }
        total += lanes.sum() as usize;
    }
    let behind = u64::MAX.unbounded_shl(64 - behind.len() as u32);
    total + in_block::<S, FOUR>(simd, last, behind)
}

/// The same of some octets of a block.
#[inline(always)]
fn in_block<S: Simd, const FOUR: bool>(simd: S, block: &[u8; BLOCK], which: u64) -> usize {
    let (mut units, mut fours) = (0, 0);
    for at in (0..BLOCK).step_by(S::Vector::OCTETS) {
        let octets = simd.load(&block[at..]);
        let four = octets.sub_saturating(simd.splat(0xF0 - 0x80));
        units |= u64::from(octets.greater_signed(simd.splat(0xBF)).mask()) << at;
        fours |= u64::from(four.mask()) << at;
    }
    let fours = if FOUR { (fours & which).count_ones() } else { 0 };
    ((units & which).count_ones() + fours) as usize
}

/// Text shorter than this is not worth a block.
const SHORT: usize = 16;

/// The same when all octets before `sound` are sound and an error is near.
#[inline(always)]
fn finish(src: &[u8], sound: usize) -> usize {
    let sound = boundary(src, sound);
    sound + scalar::prefix::<Utf8>(&src[sound..])
}

/// The first block behind zeros, and with zeros behind it if `src` is shorter.
#[inline(always)]
fn start(src: &[u8]) -> [u8; WINDOW] {
    let mut window = [0; WINDOW];
    let block = &mut window[BEFORE..];
    if let Some(octets) = src.first_chunk::<BLOCK>() {
        block.copy_from_slice(octets);
    } else if let (Some(first), Some(last)) = (src.first_chunk::<32>(), src.last_chunk::<32>()) {
        block[..32].copy_from_slice(first);
        block[src.len() - 32..][..32].copy_from_slice(last);
    } else if let (Some(first), Some(last)) = (src.first_chunk::<16>(), src.last_chunk::<16>()) {
        block[..16].copy_from_slice(first);
        block[src.len() - 16..][..16].copy_from_slice(last);
    } else {
        block[..src.len()].copy_from_slice(src);
    }
    window
}

/// The last boundary at or before `at`, where all octets before it are sound, but for a
/// sequence that is cut short by `at`.
#[inline(always)]
pub(crate) fn boundary(src: &[u8], at: usize) -> usize {
    match src[..at] {
        [.., 0xC0..=0xFF] => at - 1,
        [.., 0xE0..=0xFF, _] => at - 2,
        [.., 0xF0..=0xFF, _, _] => at - 3,
        _ => at,
    }
}

/// Whether no sequence is cut short by the start of the block.
#[inline(always)]
pub(crate) fn is_boundary(window: &[u8]) -> bool {
    window[2] < 0xC0 && window[1] < 0xE0 && window[0] < 0xF0
}
