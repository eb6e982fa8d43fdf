//! From UTF-16 in either byte order.
//!
//! The simple version, for each code unit: one below U+0080 gives one octet; below U+0800
//! two; a surrogate is looked at together with its other half, the pair gives four; any other
//! unit gives three.
//!
//! Departures:
//! 1. A block of two vectors at a time, by the class of all of its units.
//! 2. A vector without units of three octets: each 16-bit lane is turned into the one or two
//!    octets that it gives, and a table moves them together (Lemire and Muła, 2021). With
//!    three: the first octet goes beside the last two into a lane of 32 bits.
//! 3. Surrogates are not left to scalar code. A pair gives four octets, so its high half may
//!    give the first two and its low half the last two, and both are of the two-octet class.
//!    Only two bits go from the high half to the low one. The vectors of the units before
//!    and after are loaded from memory, so no block waits for the one before: a pair cut by
//!    the end of a block is half written until the next block.
//! 4. The last units, and units for which there may not be room, go through buffers of
//!    their own and the same code.
//! 5. In a lossy conversion an unpaired surrogate becomes U+FFFD in its lane, and nothing
//!    else changes.

use super::compress::{NONE, ONE_OR_BOTH, UP_TO_THREE, compress};
use super::utf16::{is_high, load};
use crate::arch::scalar::{self, Source, Utf8, Utf16};
use crate::kernels::Lossy;
use crate::simd::{Simd, Vector};

/// The most octets in two vectors of units.
const BLOCK: usize = 64;
/// The most octets of UTF-8 that are written for them: three per unit, and what the last
/// vector holds above that.
const ROOM: usize = 3 * BLOCK / 2 + 4;
/// Fewer octets at the end are left to scalar code.
const SHORT: usize = 16;

/// UTF-16 to UTF-8.
#[inline(always)]
pub(crate) fn to_utf8<S: Simd, const LE: bool>(
    simd: S,
    src: &[u8],
    dst: &mut [u8],
) -> (usize, usize) {
    let Lossy { read, written, .. } = blocks_to_utf8::<S, LE, false>(simd, src, dst);
    let (octets, filled) = scalar::convert::<Utf16<LE>, Utf8>(&src[read..], &mut dst[written..]);
    (read + octets, written + filled)
}

/// UTF-16 to UTF-8, with U+FFFD for unpaired surrogates.
#[inline(always)]
pub(crate) fn to_utf8_lossy<S: Simd, const LE: bool>(simd: S, src: &[u8], dst: &mut [u8]) -> Lossy {
    let whole = &src[..src.len() & !1];
    // A high surrogate at the end is not complete, rather than unpaired.
    let complete = match whole.last_chunk() {
        Some(unit) if is_high::<LE>(unit) => &whole[..whole.len() - 2],
        _ => whole,
    };
    let Lossy { read, written, replaced } = blocks_to_utf8::<S, LE, true>(simd, complete, dst);
    let rest = scalar::lossy::<Utf16<LE>, Utf8>(&src[read..], &mut dst[written..]);
    Lossy {
        read: read + rest.read,
        written: written + rest.written,
        replaced: replaced + rest.replaced,
    }
}

/// As many blocks as can be converted whole, and the end of the text unless it is `SHORT`.
#[inline(always)]
fn blocks_to_utf8<S: Simd, const LE: bool, const LOSSY: bool>(
    simd: S,
    src: &[u8],
    dst: &mut [u8],
) -> Lossy {
    let block = 2 * S::Vector::OCTETS;
    let mut done = Lossy::default();
    // The unit before, a block, the unit after. Units that are not there are U+0000: an octet
    // each, last of all.
    let mut units;
    let mut octets = [0; ROOM];
    let mut direct = true;
    loop {
        let left = src.len() - done.read;
        let present = left.min(block) & !1;
        let (input, mut out) = if direct {
            (src, Output { octets: &mut *dst, filled: done.written })
        } else {
            if present < SHORT {
                break;
            }
            units = [0; 2 + BLOCK + 2];
            let copied = left.min(block + 2) & !1;
            units[2..2 + copied].copy_from_slice(&src[done.read..done.read + copied]);
            if done.read > 0 {
                units[..2].copy_from_slice(&src[done.read - 2..done.read]);
            }
            (&units[..2 + block + 2], Output { octets: &mut octets, filled: 0 })
        };
        let start = if direct { done.read } else { 2 };
        let run = run_to_utf8::<S, LE, LOSSY>(simd, input, start, &mut out);
        let filled = out.filled;
        done.replaced += run.replaced;
        if direct {
            done.read += run.read;
            done.written = filled;
        } else if run.sound {
            let filled = filled - (block - present) / 2;
            let Some(room) = dst[done.written..].get_mut(..filled) else {
                done.replaced -= run.replaced;
                break;
            };
            room.copy_from_slice(&octets[..filled]);
            done.read += present;
            done.written += filled;
        }
        if !run.sound {
            break;
        }
        direct = !direct;
    }
    // A pair that a block's end has cut.
    if let Some(high) = done.read.checked_sub(2)
        && let Some((0x1_0000.., _)) = Utf16::<LE>::next(&src[high..])
    {
        done.read -= 2;
        done.written -= 2;
    }
    done
}

/// What blocks were converted.
struct Run {
    read: usize,
    replaced: usize,
    /// Whether the end of the text or of the output stopped it.
    sound: bool,
}

/// Blocks of `src` from `start` on, as long as they are whole and there is room.
#[inline(always)]
fn run_to_utf8<S: Simd, const LE: bool, const LOSSY: bool>(
    simd: S,
    src: &[u8],
    start: usize,
    out: &mut Output,
) -> Run {
    let octets = S::Vector::OCTETS;
    let block = 2 * octets;
    let mut at = start;
    let mut replaced = 0;
    let mut sound = true;
    let mut rhythm = Rhythm::NEW;
    while let Some(units) = src[at..].get(..block) {
        let a = load::<S, LE>(simd, units);
        let b = load::<S, LE>(simd, &units[octets..]);
        let class = (a.and(simd.splat16(0xF800)), b.and(simd.splat16(0xF800)));
        if !class.0.or(class.1).any() {
            // The highest bit of an octet is left, or its unit is above U+00FF and saturates.
            let non_ascii = a.pack16(b).mask();
            let held = rhythm.note(non_ascii == 0);
            if u64::from(non_ascii) | held == 0 {
                let Some(mut window) = out.window(block / 2) else { break };
                window.put(a.narrow16(b), block / 2, 0);
                out.filled += window.length();
                at += block;
                at += ascii_to_utf8::<S, LE>(simd, &src[at..], out);
                continue;
            }
            let Some(mut window) = out.window(block) else { break };
            let index = |half: usize| (non_ascii >> (16 * half)) as u8;
            put_below_0800(simd, a, index, &mut window);
            let index = |half: usize| (non_ascii >> (16 * half + 8)) as u8;
            put_below_0800(simd, b, index, &mut window);
            out.filled += window.length();
            at += block;
            continue;
        }
        let Some(mut window) = out.window(3 * block / 2 + 4) else { break };
        let surrogates = simd.splat16(0xD800);
        if class.0.equal16(surrogates).or(class.1.equal16(surrogates)).any() {
            let mut unpaired = 0;
            for (number, vector) in [a, b].into_iter().enumerate() {
                let at = at + number * octets;
                let before = load_before::<S, LE>(simd, src, at);
                let after = load_after::<S, LE>(simd, src, at);
                unpaired += any_class::<S, LOSSY>(simd, vector, before, after, &mut window);
            }
            if LOSSY {
                replaced += unpaired;
            } else if unpaired > 0 {
                sound = false;
                break;
            }
        } else {
            let below_0800 = (class.0.equal16(simd.zero()), class.1.equal16(simd.zero()));
            if !below_0800.0.or(below_0800.1).any() {
                put_threes(simd, a, &mut window);
                put_threes(simd, b, &mut window);
            } else {
                for (units, below_0800) in [(a, below_0800.0), (b, below_0800.1)] {
                    let octets = two_octets(simd, units).or(below_0800.and(simd.splat16(0x40)));
                    put_any(simd, units, octets, below_0800, &mut window);
                }
            }
        }
        out.filled += window.length();
        at += block;
    }
    Run { read: at - start, replaced, sound }
}

/// A run of ASCII; returns how much was read.
#[inline(always)]
fn ascii_to_utf8<S: Simd, const LE: bool>(simd: S, src: &[u8], out: &mut Output) -> usize {
    let octets = S::Vector::OCTETS;
    let mut at = 0;
    while let Some(units) = src[at..].get(..4 * octets)
        && let Some(mut window) = out.window(2 * octets)
    {
        let a = load::<S, LE>(simd, units);
        let b = load::<S, LE>(simd, &units[octets..]);
        let c = load::<S, LE>(simd, &units[2 * octets..]);
        let d = load::<S, LE>(simd, &units[3 * octets..]);
        if a.or(b).or(c.or(d)).and(simd.splat16(0xFF80)).any() {
            break;
        }
        window.put(a.narrow16(b), octets, 0);
        window.put(c.narrow16(d), octets, 0);
        out.filled += window.length();
        at += 4 * octets;
    }
    at
}

/// How regularly blocks of ASCII and others follow each other.
///
/// A processor that has foretold wrongly whether a block is ASCII loses more time than ASCII
/// saves. Where it cannot know, as with accents here and there, ASCII is treated as anything
/// else.
struct Rhythm {
    /// A bit for each of the last blocks, set for ASCII, below a bit that is always set.
    blocks: u64,
    /// 0 if ASCII is worth a branch of its own, else a bit above those of masks.
    held: u64,
}

impl Rhythm {
    const NEW: Self = Self { blocks: 1, held: 0 };

    /// Notes a block, without a branch on what it is.
    #[inline(always)]
    fn note(&mut self, ascii: bool) -> u64 {
        self.blocks = self.blocks << 1 | u64::from(ascii);
        if self.blocks >> 63 != 0 {
            // How often it would be wrong to expect what came one period before. The period
            // is the distance of the last two blocks that are not ASCII.
            let last = self.blocks.trailing_ones();
            let period = 1 + (self.blocks >> last >> 1).trailing_ones();
            let wrong = (self.blocks ^ self.blocks >> period) << period;
            self.held = u64::from(wrong.count_ones() > 10) << 32;
            self.blocks = 1;
        }
        self.held
    }
}

/// UTF-8 being written.
struct Output<'a> {
    octets: &'a mut [u8],
    filled: usize,
}

impl Output<'_> {
    /// The next octets, if there are so many.
    #[inline(always)]
    fn window(&mut self, octets: usize) -> Option<Window<'_>> {
        let octets = self.octets[self.filled..].get_mut(..octets)?;
        Some(Window { octets, fixed: 0, more: 0 })
    }
}

/// Room of known length for a block. What it holds is counted in two parts, so that the one
/// known to the compiler becomes part of addresses.
struct Window<'a> {
    octets: &'a mut [u8],
    fixed: usize,
    more: usize,
}

impl Window<'_> {
    #[inline(always)]
    fn length(&self) -> usize {
        self.fixed + self.more
    }

    #[inline(always)]
    fn put<V: Vector>(&mut self, octets: V, fixed: usize, more: usize) {
        let length = self.length();
        octets.store(&mut self.octets[length..]);
        self.fixed += fixed;
        self.more += more;
    }
}

/// A vector of units of any kind, of which some are surrogates. Returns how many are not
/// paired, and writes U+FFFD for them in a lossy conversion and something in others.
#[inline(always)]
fn any_class<S: Simd, const LOSSY: bool>(
    simd: S,
    mut units: S::Vector,
    before: S::Vector,
    after: S::Vector,
    out: &mut Window,
) -> usize {
    let mut high = surrogate(simd, units, 0xD800);
    let mut low = surrogate(simd, units, 0xDC00);
    let unpaired = high
        .and_not(surrogate(simd, after, 0xDC00))
        .or(low.and_not(surrogate(simd, before, 0xD800)));
    let mut count = 0;
    if unpaired.any() {
        count = unpaired.mask().count_ones() as usize / 2;
        if !LOSSY {
            return count;
        }
        units = simd.splat16(0xFFFD).select(units, unpaired);
        high = high.and_not(unpaired);
        low = low.and_not(unpaired);
    }
    // 110110ww wwzzzzyy and 110111yy yyxxxxxx give 11110uuu 10uuzzzz 10yyyyyy 10xxxxxx,
    // with u one above w.
    let up = units.add16(simd.splat16(0x40));
    let first_two = up
        .shr16::<8>()
        .and(simd.splat16(0x0007))
        .or(up.shl16::<6>().and(simd.splat16(0x3F00)))
        .or(simd.splat16(0x80F0));
    // Of the bits for y, the upper two are set in a low surrogate.
    let y = simd.splat16(0x03).and_not(before).shl16::<4>().and(low);
    let below_0800 = units.and(simd.splat16(0xF800)).equal16(simd.zero());
    let octets = two_octets(simd, units).xor(y).or(below_0800.and(simd.splat16(0x40)));
    let octets = first_two.select(octets, high);
    let two = below_0800.or(high).or(low);
    if two.xor(simd.splat(0xFF)).any() {
        put_any(simd, units, octets, two, out);
    } else {
        let ascii = simd.splat16(0x80).greater_signed16(units).and(below_0800);
        let octets = units.select(octets, ascii);
        let non_ascii = !ascii.shr16::<8>().pack16(simd.zero()).mask();
        put_pairs(simd, octets, |half| (non_ascii >> (16 * half)) as u8, out);
    }
    count
}

/// The last two octets of units from U+0080 up, but for the mark of two octets.
#[inline(always)]
fn two_octets<S: Simd>(simd: S, units: S::Vector) -> S::Vector {
    units
        .shr16::<6>()
        .and(simd.splat16(0x3F))
        .or(units.shl16::<8>().and(simd.splat16(0x3F00)))
        .or(simd.splat16(0x8080))
}

/// Units below U+0800.
#[inline(always)]
fn put_below_0800<S: Simd>(
    simd: S,
    units: S::Vector,
    non_ascii: impl Fn(usize) -> u8,
    out: &mut Window,
) {
    let two = units
        .shr16::<6>()
        .or(units.shl16::<8>().and(simd.splat16(0x3F00)))
        .or(simd.splat16(0x80C0));
    let octets = two.select(units, units.greater_signed16(simd.splat16(0x7F)));
    put_pairs(simd, octets, non_ascii, out);
}

/// Which units are the surrogates that begin with these six bits.
#[inline(always)]
fn surrogate<S: Simd>(simd: S, units: S::Vector, bits: u16) -> S::Vector {
    units.and(simd.splat16(0xFC00)).equal16(simd.splat16(bits))
}

/// Units of three octets.
#[inline(always)]
fn put_threes<S: Simd>(simd: S, units: S::Vector, out: &mut Window) {
    let first = units.shr16::<12>().or(simd.splat16(0xE0));
    let octets = two_octets(simd, units);
    let order = simd.repeat([0, 2, 3, 4, 6, 7, 8, 10, 11, 12, 14, 15, NONE, NONE, NONE, NONE]);
    let low = order.lookup(first.zip_low16(octets));
    let high = order.lookup(first.zip_high16(octets));
    for half in 0..S::Vector::HALVES {
        out.put(low.half(half), 12, 0);
        out.put(high.half(half), 12, 0);
    }
}

/// Units of any kind. `octets` are the last two octets of each, `two` says where there are no
/// more.
#[inline(always)]
fn put_any<S: Simd>(
    simd: S,
    units: S::Vector,
    octets: S::Vector,
    two: S::Vector,
    out: &mut Window,
) {
    let ascii = units.and(simd.splat16(0xFF80)).equal16(simd.zero());
    // The octet of an ASCII character comes second, where it is in nobody's way.
    let first = units.shr16::<12>().or(units.shl16::<8>()).or(simd.splat16(0xE0));
    let low = first.zip_low16(octets);
    let high = first.zip_high16(octets);
    // Two bits per unit: whether it gives a second octet, and a third.
    let more = !two.and(ascii.or(simd.splat16(0xFF00))).mask();
    let index = |half: usize, shift| (more >> (16 * half + shift)) as u8;
    let low = compress(simd, low, &UP_TO_THREE, |half| index(half, 0).into());
    let high = compress(simd, high, &UP_TO_THREE, |half| index(half, 8).into());
    for half in 0..S::Vector::HALVES {
        out.put(low.half(half), 4, ones(index(half, 0)));
        out.put(high.half(half), 4, ones(index(half, 8)));
    }
}

/// Lanes of 16 bits: the first octet, or both where the index of its half has a bit.
#[inline(always)]
fn put_pairs<S: Simd>(simd: S, pairs: S::Vector, both: impl Fn(usize) -> u8, out: &mut Window) {
    let octets = compress(simd, pairs, &ONE_OR_BOTH, |half| both(half).into());
    for half in 0..S::Vector::HALVES {
        out.put(octets.half(half), 8, ones(both(half)));
    }
}

/// How many bits are set.
#[inline(always)]
fn ones(bits: u8) -> usize {
    u64::from(bits).count_ones() as usize
}

/// The units before each of a vector at `at`; U+0000 before the text.
#[inline(always)]
fn load_before<S: Simd, const LE: bool>(simd: S, src: &[u8], at: usize) -> S::Vector {
    let octets = S::Vector::OCTETS;
    if at >= 2 {
        return load::<S, LE>(simd, &src[at - 2..]);
    }
    let mut units = [0; 2 + 32];
    units[2..2 + octets].copy_from_slice(&src[..octets]);
    load::<S, LE>(simd, &units)
}

/// The units after each of a vector at `at`; U+0000 after the text.
#[inline(always)]
fn load_after<S: Simd, const LE: bool>(simd: S, src: &[u8], at: usize) -> S::Vector {
    let octets = S::Vector::OCTETS;
    if src.len() >= at + 2 + octets {
        return load::<S, LE>(simd, &src[at + 2..]);
    }
    let mut units = [0; 32 + 2];
    units[..octets].copy_from_slice(&src[at..at + octets]);
    load::<S, LE>(simd, &units[2..])
}
