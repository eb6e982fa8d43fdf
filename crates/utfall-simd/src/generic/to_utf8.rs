//! From UTF-16, UTF-32 and Latin-1 to UTF-8.
//!
//! The simple version, for each code unit: below U+0080 it gives one byte, below U+0800 two. A
//! surrogate is combined with its other half, and the pair gives four. Any other unit gives three.
//!
//! Differences from that:
//! 1. A block of two vectors is processed at a time, by the class of all its units.
//! 2. In a vector without units of three bytes, each 16-bit lane becomes the one or two bytes that
//!    it gives, and a table moves them together (Lemire and Muła, 2021). With units of three
//!    bytes, the first byte goes beside the last two into a lane of 32 bits.
//! 3. Surrogates are not left to scalar code. A pair gives four bytes, so its high half may give
//!    the first two and its low half the last two, and both are in the class of two bytes. Only
//!    two bits go from the high half to the low one. The vectors of the units before and after are
//!    loaded from memory, so no block waits for the one before. A pair cut by the end of a block
//!    is half written until the next block.
//! 4. The last units are processed in groups of eight, the very last group together with some that
//!    have been written already. Surrogates among them, and units for which there may not be
//!    enough space, go through separate buffers and the code for blocks. Short text goes in groups
//!    of eight from the start.
//! 5. In a lossy conversion, an unpaired surrogate becomes U+FFFD in its lane, and nothing else
//!    changes.
//! 6. UTF-32 is narrowed to 16 bits first, and Latin-1 widened. Blocks of UTF-32 with a unit above
//!    U+FFFF have separate code, which works on lanes of 32 bits.

mod lanes;
mod rhythm;
mod units;

use super::map::finish;
use super::utf16::is_high;
use crate::arch::scalar::{self, Utf8, Utf16};
use crate::kernels::Lossy;
use crate::simd::{Simd, Vector};
use lanes::{
    Window, any_class, put_any, put_below_0800, put_latin1, put_pairs, put_scalars, put_threes,
    two_bytes, two_or_one,
};
use rhythm::Rhythm;
use units::Units;

/// The most bytes in a block.
const BLOCK: usize = 128;
/// The bytes before and after a block in a buffer, of which at most a unit is used.
const AROUND: usize = 4;
/// The most bytes of UTF-8 that are written for a block: four for each of 32 units.
const ROOM: usize = 128;
/// Fewer units at the end than this are left to scalar code.
const SHORT: usize = 18;

/// Anything to UTF-8.
#[inline(always)]
pub(crate) fn convert<S: Simd, U: Units>(simd: S, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
    let Lossy { read, written, .. } = blocks::<S, U, false>(simd, src, dst);
    finish::<U, Utf8>(src, dst, read, written)
}

/// The same for eight units and more, but not many, without surrogates and code points above
/// U+FFFF: first ASCII, then units of any kind.
#[inline(always)]
pub(crate) fn convert_few<S: Simd, U: Units>(
    simd: S,
    src: &[u8],
    dst: &mut [u8],
) -> Option<(usize, usize)> {
    if src.len() > 2 * FEW * U::UNIT {
        return None;
    }
    let bytes = S::Vector::BYTES;
    let mut done = Lossy::default();
    while let Some(units) = src[done.read..].get(..bytes * U::UNIT)
        && let Some(out) = dst[done.written..].get_mut(..bytes)
    {
        let (a, b, above) = U::block(simd, units);
        if a.or(b).and(simd.splat16(0xFF80)).or(above).any() {
            break;
        }
        a.narrow16(b).store(out);
        done.read += bytes * U::UNIT;
        done.written += bytes;
    }
    if src.len() - done.read > FEW * U::UNIT {
        return None;
    }
    eights::<_, U>(simd.half(), src, dst, &mut done);
    (done.read == src.len()).then_some((done.read, done.written))
}

/// UTF-16 to UTF-8, with U+FFFD for unpaired surrogates.
#[inline(always)]
pub(crate) fn lossy<S: Simd, const LE: bool>(simd: S, src: &[u8], dst: &mut [u8]) -> Lossy {
    let whole = &src[..src.len() & !1];
    // A high surrogate at the end is incomplete rather than unpaired.
    let complete = match whole.last_chunk() {
        Some(unit) if is_high::<LE>(unit) => &whole[..whole.len() - 2],
        _ => whole,
    };
    let Lossy { read, written, replaced } = blocks::<S, Utf16<LE>, true>(simd, complete, dst);
    let rest = scalar::lossy::<Utf16<LE>, Utf8>(&src[read..], &mut dst[written..]);
    Lossy {
        read: read + rest.read,
        written: written + rest.written,
        replaced: replaced + rest.replaced,
    }
}

/// Converts as many complete blocks as possible, and the end of the text if that is worthwhile.
#[inline(always)]
fn blocks<S: Simd, U: Units, const LOSSY: bool>(simd: S, src: &[u8], dst: &mut [u8]) -> Lossy {
    let block = U::UNIT * S::Vector::BYTES;
    let mut done = Lossy::default();
    // Where there is not enough input or output space, one block is converted through a buffer.
    let mut units;
    let mut bytes = [0; ROOM];
    let mut aside = false;
    while done.read < src.len() {
        let left = src.len() - done.read;
        let present = left.min(block) / U::UNIT * U::UNIT;
        let (input, start) = if !aside {
            (src, done.read)
        } else if left >= block {
            (&src[..src.len().min(done.read + block + U::UNIT)], done.read)
        } else if is_worth_a_block::<U>(&src[done.read..]) {
            // Missing units are U+0000: a byte each, at the very end.
            units = [0; AROUND + BLOCK];
            copy(&src[done.read..done.read + present], &mut units[AROUND..]);
            if U::UNIT == 2 && done.read > 0 {
                units[AROUND - 2..AROUND].copy_from_slice(&src[done.read - 2..done.read]);
            }
            (&units[..AROUND + block], AROUND)
        } else {
            break;
        };
        let direct = !aside || dst.len() - done.written >= ROOM;
        let mut out = if direct {
            Output { bytes: &mut *dst, filled: done.written }
        } else {
            Output { bytes: &mut bytes, filled: 0 }
        };
        let run = run::<S, U, LOSSY>(simd, input, start, &mut out);
        let filled = out.filled;
        if !aside {
            done.read += run.read;
            done.written = filled;
            done.replaced += run.replaced;
        } else if run.sound {
            let absent = (block - present) / U::UNIT;
            if direct {
                done.written = filled - absent;
            } else {
                let filled = filled - absent;
                let Some(room) = dst[done.written..].get_mut(..filled) else { break };
                copy(&bytes[..filled], room);
                done.written += filled;
            }
            done.read += present;
            done.replaced += run.replaced;
        }
        if !run.sound {
            break;
        }
        if !aside {
            eights::<_, U>(simd.half(), src, dst, &mut done);
        }
        aside = !aside;
    }
    // A pair that the end of a block has cut.
    if U::UNIT == 2
        && let Some(high) = done.read.checked_sub(2)
        && let Some((0x1_0000.., _)) = U::next(&src[high..])
    {
        done.read -= 2;
        done.written -= 2;
    }
    done
}

/// Text of at most this many units after ASCII is converted eight by eight. With twice as many,
/// French of 256 bytes was slower by a fifth.
const FEW: usize = 128;

/// Converts the units after the last block, eight at a time, and at the end the last eight, some
/// of which have been written already; for vectors of 128 bits. Stops at surrogates and code
/// points above U+FFFF.
#[inline(always)]
fn eights<S: Simd, U: Units>(simd: S, src: &[u8], dst: &mut [u8], done: &mut Lossy) {
    let end = src.len() / U::UNIT * U::UNIT;
    while done.read < end && end >= 8 * U::UNIT {
        let at = done.read.min(end - 8 * U::UNIT);
        let (units, above) = U::half_block(simd, &src[at..]);
        let again = (done.read - at) / U::UNIT;
        if !units.and(simd.splat16(0xFF80)).or(above).any() {
            let out = dst.get_mut(done.written - again..);
            let Some(room) = out.and_then(|out| out.first_chunk_mut::<8>()) else { break };
            let mut bytes = [0; 16];
            units.pack16(units).store(&mut bytes);
            room.copy_from_slice(&bytes[..8]);
            done.written += 8 - again;
            done.read = at + 8 * U::UNIT;
            continue;
        }
        let class = units.and(simd.splat16(0xF800));
        if class.equal16(simd.splat16(0xD800)).or(above).any() {
            break;
        }
        // Two bits for each unit that has a second byte, and for each that has a third.
        let second = units.max16(simd.splat16(0x80)).equal16(units).mask();
        let below_0800 = class.equal16(simd.zero());
        let third = !below_0800.mask() & 0xFFFF;
        let those = !(u32::MAX << (2 * again));
        let more = (second & those).count_ones() + (third & those).count_ones();
        let there = again + more as usize / 2;
        let length = 8 + (second.count_ones() + third.count_ones()) as usize / 2;
        let Some(out) = dst.get_mut(done.written - there..) else { break };
        let mut buffer = [0; EIGHT];
        let direct = out.len() >= EIGHT;
        let bytes = if direct { &mut *out } else { &mut buffer };
        let mut window = Window { bytes: &mut bytes[..EIGHT], fixed: 0, more: 0 };
        if third == 0 {
            let non_ascii = units.pack16(units).mask() & 0xFF;
            put_below_0800(simd, units, non_ascii, 0, &mut window);
        } else {
            let bytes = two_bytes(simd, units).or(below_0800.and(simd.splat16(0x40)));
            put_any(simd, units, bytes, below_0800, &mut window);
        }
        if !direct {
            let Some(room) = out.get_mut(..length) else { break };
            copy(&buffer[..length], room);
        }
        done.written += length - there;
        done.read = at + 8 * U::UNIT;
    }
}

/// The space that eight units need: three bytes for each of four, and a vector after them.
const EIGHT: usize = 12 + 16;

/// Whether the end of a text is converted faster as a block, although it has to be copied, than by
/// scalar code, which is fast for ASCII.
#[inline(always)]
fn is_worth_a_block<U: Units>(src: &[u8]) -> bool {
    if src.len() >= SHORT * U::UNIT
        && let Some((0x80.., bytes)) = U::next(src)
        && let Some((0x80.., _)) = U::next(&src[bytes..])
    {
        true
    } else {
        false
    }
}

/// Copies a few bytes to the start of `to`, without a call.
#[inline(always)]
fn copy(from: &[u8], to: &mut [u8]) {
    let to = &mut to[..from.len()];
    if !(copy_ends::<64>(from, to)
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

/// The blocks that were converted.
struct Run {
    read: usize,
    replaced: usize,
    /// Whether it stopped only at the end of the text or of the output.
    sound: bool,
}

/// Converts blocks of `src` from `start` on, as long as they are complete and fit.
#[inline(always)]
fn run<S: Simd, U: Units, const LOSSY: bool>(
    simd: S,
    src: &[u8],
    start: usize,
    out: &mut Output,
) -> Run {
    let bytes = S::Vector::BYTES;
    let block = U::UNIT * bytes;
    let mut at = start;
    let mut replaced = 0;
    let mut sound = true;
    let mut rhythm = Rhythm::new(bytes);
    while let Some(units) = src[at..].get(..block) {
        let (a, b, above) = U::block(simd, units);
        let class = (a.and(simd.splat16(0xF800)), b.and(simd.splat16(0xF800)));
        if U::UNIT == 1 || !class.0.or(class.1).or(above).any() {
            let read = below_0800::<S, U>(simd, &src[at..], out, &mut rhythm);
            if read == 0 {
                break;
            }
            at += read;
            continue;
        }
        if U::UNIT == 4 && above.any() {
            let Some(mut window) = out.window(4 * bytes) else { break };
            sound = put_scalars::<S, U>(simd, units, &mut window);
            if !sound {
                break;
            }
            out.filled += window.length();
            at += block;
            continue;
        }
        let Some(mut window) = out.window(3 * bytes + 4) else { break };
        let surrogates = simd.splat16(0xD800);
        if class.0.equal16(surrogates).or(class.1.equal16(surrogates)).any() {
            if U::UNIT == 4 {
                sound = false;
                break;
            }
            let mut unpaired = 0;
            for (number, vector) in [a, b].into_iter().enumerate() {
                let (before, after) = U::around(simd, src, at + number * bytes);
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
                    // With 128 bits this costs more than it saves: 5 % for Hindi and Korean.
                    let more = !below_0800.mask() & u32::MAX >> (32 - bytes);
                    if S::Vector::HALVES > 1 && u64::from(more) | rhythm.held == 0 {
                        let non_ascii = units.pack16(units).mask() & 0xFF_00FF;
                        put_below_0800(simd, units, non_ascii, 0, &mut window);
                        continue;
                    }
                    let bytes = two_bytes(simd, units).or(below_0800.and(simd.splat16(0x40)));
                    put_any(simd, units, bytes, below_0800, &mut window);
                }
            }
        }
        out.filled += window.length();
        at += block;
    }
    Run { read: at - start, replaced, sound }
}

/// Converts a run of blocks of units below U+0800; returns how much was read. It is a separate
/// loop, with fewer values to keep in registers.
#[inline(always)]
fn below_0800<S: Simd, U: Units>(
    simd: S,
    src: &[u8],
    out: &mut Output,
    rhythm: &mut Rhythm,
) -> usize {
    let bytes = S::Vector::BYTES;
    let block = U::UNIT * bytes;
    let mut at = 0;
    loop {
        // With 256 bits, only for Latin-1: json and html in UTF-16 were slower by a tenth.
        if rhythm.held != 0 && (S::Vector::HALVES == 1 || U::UNIT == 1) {
            at += all_alike::<S, U>(simd, &src[at..], out, rhythm);
            if rhythm.held != 0 {
                break;
            }
        }
        let Some(units) = src[at..].get(..block) else { break };
        let (a, b, above) = U::block(simd, units);
        if U::UNIT > 1 && a.or(b).and(simd.splat16(0xF800)).or(above).any() {
            break;
        }
        // The highest bit of a byte is preserved, or its unit is above U+00FF and saturates.
        let non_ascii = a.pack16(b).mask();
        rhythm.note(non_ascii == 0);
        if u64::from(non_ascii) | rhythm.held == 0 {
            let Some(mut window) = out.window(bytes) else { break };
            window.put(U::bytes(simd, units, (a, b)), bytes, 0);
            out.filled += window.length();
            at += block;
            if rhythm.is_run() {
                let read = ascii::<S, U>(simd, &src[at..], out);
                rhythm.note_run(read > 0);
                at += read;
            }
            continue;
        }
        let Some(mut window) = out.window(2 * bytes) else { break };
        if U::UNIT == 1 {
            let points = U::bytes(simd, units, (a, b));
            put_latin1(simd, points, points.mask(), &mut window);
        } else {
            for (units, non_ascii) in [(a, non_ascii), (b, non_ascii >> 8)] {
                put_below_0800(simd, units, non_ascii & 0xFF_00FF, rhythm.held, &mut window);
            }
        }
        out.filled += window.length();
        at += block;
    }
    at
}

/// The same while blocks of ASCII are treated like others.
#[inline(always)]
fn all_alike<S: Simd, U: Units>(
    simd: S,
    src: &[u8],
    out: &mut Output,
    rhythm: &mut Rhythm,
) -> usize {
    let bytes = S::Vector::BYTES;
    let block = U::UNIT * bytes;
    let mut at = 0;
    while rhythm.held != 0 {
        // As many blocks as are recorded before the next decision, in a loop with little state.
        let (mut read, mut filled, mut noted) = (0, 0, rhythm.blocks);
        let room = &mut out.bytes[out.filled..];
        let mut latin1 = true;
        for units in src[at..].chunks_exact(block) {
            let (a, b, above) = U::block(simd, units);
            let Some(room) = room[filled..].get_mut(..2 * bytes) else { break };
            let mut window = Window { bytes: room, fixed: 0, more: 0 };
            let narrow = U::bytes(simd, units, (a, b));
            let non_ascii = narrow.mask();
            // Tested once, or the branch would be as hard to predict as those avoided here.
            latin1 &= U::UNIT == 1 || !a.or(b).and(simd.splat16(0xFF00)).or(above).any();
            if latin1 {
                put_latin1(simd, narrow, non_ascii, &mut window);
            } else if !a.or(b).and(simd.splat16(0xF800)).or(above).any() {
                let bits =
                    |first: usize| move |half: usize| (non_ascii >> (first + 8 * half)) as u8;
                put_pairs(simd, two_or_one(simd, a), bits(0), &mut window);
                put_pairs(simd, two_or_one(simd, b), bits(bytes / 2), &mut window);
            } else {
                break;
            }
            filled += window.length();
            read += block;
            noted = noted << 1 | u64::from(non_ascii == 0);
            if noted >> 63 != 0 {
                break;
            }
        }
        out.filled += filled;
        at += read;
        rhythm.blocks = noted;
        if !rhythm.decide() {
            break;
        }
    }
    at
}

/// Converts a run of ASCII; returns how much was read.
#[inline(always)]
fn ascii<S: Simd, U: Units>(simd: S, src: &[u8], out: &mut Output) -> usize {
    let bytes = S::Vector::BYTES;
    let block = U::UNIT * bytes;
    let mut at = 0;
    while let Some(units) = src[at..].get(..2 * block)
        && let Some(mut window) = out.window(2 * bytes)
    {
        if U::UNIT == 1 {
            let a = simd.load(units);
            let b = simd.load(&units[bytes..]);
            if a.or(b).any_high() {
                break;
            }
            window.put(a, bytes, 0);
            window.put(b, bytes, 0);
        } else {
            let (a, b, above) = U::block(simd, units);
            let (c, d, above_too) = U::block(simd, &units[block..]);
            let all = a.or(b).or(c.or(d)).and(simd.splat16(0xFF80));
            if all.or(above).or(above_too).any() {
                break;
            }
            window.put(a.narrow16(b), bytes, 0);
            window.put(c.narrow16(d), bytes, 0);
        }
        out.filled += window.length();
        at += 2 * block;
    }
    at
}

/// UTF-8 being written.
struct Output<'a> {
    bytes: &'a mut [u8],
    filled: usize,
}

impl Output<'_> {
    /// The next bytes, if there are that many.
    #[inline(always)]
    fn window(&mut self, bytes: usize) -> Option<Window<'_>> {
        let bytes = self.bytes[self.filled..].get_mut(..bytes)?;
        Some(Window { bytes, fixed: 0, more: 0 })
    }
}
