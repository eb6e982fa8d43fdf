//! From UTF-16, UTF-32 and Latin-1 to UTF-8.
//!
//! The simple version, for each code unit: below U+0080 it gives one byte, below U+0800 two. A
//! surrogate is combined with its other half, and the pair gives four. Any other unit gives three.
//!
//! Differences from that:
//! 1. A block of two vectors is processed at a time, by the class of all its units: ASCII, below
//!    U+0800, three bytes each, or any of these. Only ASCII has a branch of its own; within a block
//!    all units of a class are treated alike.
//! 2. Below U+0800, lead bytes and the bytes after them are made apart, as bytes, and a table moves
//!    the one or two of each unit together (after Lemire and Muła, 2021). With units of three
//!    bytes, the first byte goes beside the last two into a lane of 32 bits.
//! 3. Surrogates are not left to scalar code. A pair gives four bytes, so its high half may give
//!    the first two and its low half the last two, and both are in the class of two bytes. Only
//!    two bits go from the high half to the low one. The vectors of the units before and after are
//!    loaded from memory, so no block waits for the one before. A pair cut by the end of a block
//!    is half written until the next block. This has a loop of its own: together with the other
//!    classes it takes more registers than there are, and all were slower by a quarter.
//! 4. The last block goes together with some units that have been written already, and writes no
//!    byte too many: its last sixteen bytes are composed in a register. Through a buffer, short
//!    Vietnamese took up to twice as long. Text shorter than a block goes in groups of eight in
//!    the same way. Only surrogates at the end, and those for which there may not be enough space,
//!    go through separate buffers.
//! 5. In a lossy conversion, an unpaired surrogate becomes U+FFFD in its lane, and nothing else
//!    changes.
//! 6. UTF-32 is narrowed to 16 bits first, and Latin-1 widened. Blocks of UTF-32 with a unit above
//!    U+FFFF have separate code, which works on lanes of 32 bits.
//!
//! Two alternatives were slower with AVX2 on Zen 5. One decides by the blocks so far whether ASCII gets a
//! branch: 0.7 of this speed, both for a text that is converted repeatedly and for 8 MB of lines in
//! 24 languages. The other writes each group of eight at the end to a buffer first: 0.5 on ten units.

mod lanes;
mod units;

use super::copy;
use super::map::finish;
use super::utf16::is_high;
use crate::arch::scalar::{self, Utf8, Utf16};
use crate::kernels::Lossy;
use crate::simd::{Simd, Vector};
use lanes::{
    Exact, Few, Sink, Window, any_class, more_bytes, put_any, put_below_0800, put_eight_below_0800,
    put_latin1, put_scalars, put_threes, two_bytes,
};
pub(super) use lanes::{TWELVE, put_twelve};
use units::Units;

/// The most bytes in a block.
const BLOCK: usize = 128;
/// The bytes before and after a block in a buffer, of which at most a unit is used.
const AROUND: usize = 4;
/// The most bytes of UTF-8 that are written for a block: four for each of 32 units.
const ROOM: usize = 128;
/// Fewer units at the end than this are left to scalar code.
const SHORT: usize = 18;

/// Converts text to UTF-8, up to the first surrogate or code point above U+FFFF. Most texts have
/// neither. Needs little space on the stack.
#[inline(always)]
pub(crate) fn convert_basic<S: Simd, U: Units>(
    simd: S,
    src: &[u8],
    dst: &mut [u8],
) -> (usize, usize) {
    let mut done = Lossy::default();
    if src.len() >= S::Vector::BYTES * U::UNIT {
        let mut out = Output { bytes: &mut *dst, filled: 0 };
        done.read = basic::<S, U>(simd, src, &mut out);
        done.written = out.filled;
        end::<S, U>(simd, src, dst, &mut done);
    } else if src.len() >= HALF * U::UNIT {
        end::<_, U>(simd.half(), src, dst, &mut done);
    } else {
        eights::<_, U>(simd.half(), src, dst, &mut done);
    }
    (done.read, done.written)
}

/// Converts text to UTF-8, from the place where [`convert_basic`] stopped.
#[inline(always)]
pub(crate) fn convert<S: Simd, U: Units>(
    simd: S,
    src: &[u8],
    dst: &mut [u8],
    (read, written): (usize, usize),
) -> (usize, usize) {
    let done = Lossy { read, written, replaced: 0 };
    let Lossy { read, written, .. } = blocks::<S, U, false>(simd, src, dst, done);
    finish::<U, Utf8>(src, dst, read, written)
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
    let done = Lossy::default();
    let Lossy { read, written, replaced } = blocks::<S, Utf16<LE>, true>(simd, complete, dst, done);
    let rest = scalar::lossy::<Utf16<LE>, Utf8>(&src[read..], &mut dst[written..]);
    Lossy {
        read: read + rest.read,
        written: written + rest.written,
        replaced: replaced + rest.replaced,
    }
}

/// Converts as many complete blocks as possible, and the end of the text if that is worthwhile.
#[inline(always)]
fn blocks<S: Simd, U: Units, const LOSSY: bool>(
    simd: S,
    src: &[u8],
    dst: &mut [u8],
    mut done: Lossy,
) -> Lossy {
    let block = U::UNIT * S::Vector::BYTES;
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
            if src.len() >= block {
                end::<_, U>(simd, src, dst, &mut done);
            }
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

/// Bytes of a vector of 128 bits, and units of a block of two.
const HALF: usize = 16;

/// Converts what is left, of at least a block of text: block by block, the last one together with
/// some units that have been written already. It needs no more space than it writes. Stops at
/// surrogates and code points above U+FFFF.
#[inline(always)]
fn end<S: Simd, U: Units>(simd: S, src: &[u8], dst: &mut [u8], done: &mut Lossy) {
    let bytes = S::Vector::BYTES;
    let end = src.len() / U::UNIT * U::UNIT;
    while done.read < end {
        if S::Vector::HALVES > 1 && end - done.read <= HALF * U::UNIT {
            return self::end::<_, U>(simd.half(), src, dst, done);
        }
        let at = done.read.min(end - bytes * U::UNIT);
        let (a, b, above) = U::block(simd, &src[at..end]);
        let class = (a.and(simd.splat16(0xF800)), b.and(simd.splat16(0xF800)));
        let surrogates = simd.splat16(0xD800);
        if class.0.equal16(surrogates).or(class.1.equal16(surrogates)).or(above).any() {
            break;
        }
        let below_0800 = (class.0.equal16(simd.zero()), class.1.equal16(simd.zero()));
        let more = [more_bytes(simd, a, below_0800.0), more_bytes(simd, b, below_0800.1)];
        let all = u64::from(more[0]) | u64::from(more[1]) << bytes;
        let again = (done.read - at) / U::UNIT;
        let start = done.written - again - ones(all & !(u64::MAX << (2 * again)));
        let length = bytes + ones(all);
        let Some(out) = dst.get_mut(start..) else { break };
        if out.len() < length {
            break;
        }
        if all == 0 {
            let mut window = Window { bytes: out, fixed: 0, more: 0 };
            window.put(a.narrow16(b), bytes, 0);
        } else if all & THIRDS == 0 {
            let mut sink = Exact::<_, 2>::new(simd.half(), out);
            let packed = a.pack16(b);
            put_below_0800(simd, (a, b), packed, packed.mask(), &mut sink);
            sink.finish();
        } else {
            let mut sink = Exact::<_, 4>::new(simd.half(), out);
            for (units, below_0800, more) in
                [(a, below_0800.0, more[0]), (b, below_0800.1, more[1])]
            {
                let bytes = two_bytes(simd, units).or(below_0800.and(simd.splat16(0x40)));
                put_any(simd, units, bytes, more, &mut sink);
            }
            sink.finish();
        }
        done.read = at + bytes * U::UNIT;
        done.written = start + length;
    }
}

/// The bits of [`more_bytes`] for third bytes.
const THIRDS: u64 = 0xAAAA_AAAA_AAAA_AAAA;

/// The number of bits set.
#[inline(always)]
fn ones(bits: u64) -> usize {
    bits.count_ones() as usize
}

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
        let below_0800 = class.equal16(simd.zero());
        let more = more_bytes(simd, units, below_0800);
        let there = again + ones(u64::from(more) & !(u64::MAX << (2 * again)));
        let length = 8 + ones(more.into());
        let Some(out) = dst.get_mut(done.written - there..) else { break };
        let Some(out) = out.get_mut(..length) else { break };
        if u64::from(more) & THIRDS == 0 {
            let mut sink = Few::new(simd.half());
            put_eight_below_0800(simd, units, units.pack16(units).mask() as u8, &mut sink);
            sink.finish(out);
        } else {
            let bytes = two_bytes(simd, units).or(below_0800.and(simd.splat16(0x40)));
            if length > HALF {
                let mut sink = Exact::<_, 2>::new(simd.half(), out);
                put_any(simd, units, bytes, more, &mut sink);
                sink.finish();
            } else {
                let mut sink = Few::new(simd.half());
                put_any(simd, units, bytes, more, &mut sink);
                sink.finish(out);
            }
        }
        done.written += length - there;
        done.read = at + 8 * U::UNIT;
    }
}

/// The space that [`put_eight`] needs: three bytes for each of four units, and a vector after them.
pub(super) const EIGHT: usize = 12 + 16;

/// Converts the first `count` units of a vector of 128 bits. Returns how many bytes that are, if
/// none is a surrogate.
#[inline(always)]
pub(super) fn put_eight<S: Simd>(
    simd: S,
    units: S::Vector,
    count: usize,
    dst: &mut [u8; EIGHT],
) -> Option<usize> {
    let those = !(u32::MAX << (2 * count));
    let class = units.and(simd.splat16(0xF800));
    if class.equal16(simd.splat16(0xD800)).mask() & those != 0 {
        return None;
    }
    let below_0800 = class.equal16(simd.zero());
    let more = more_bytes(simd, units, below_0800);
    let mut window = Window { bytes: dst, fixed: 0, more: 0 };
    if more & those & THIRDS as u32 == 0 {
        let non_ascii = units.pack16(units).mask() as u8;
        put_eight_below_0800(simd, units, non_ascii, &mut window);
    } else {
        let bytes = two_bytes(simd, units).or(below_0800.and(simd.splat16(0x40)));
        put_any(simd, units, bytes, more, &mut window);
    }
    Some(count + ones((more & those).into()))
}

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
    let block = U::UNIT * S::Vector::BYTES;
    let mut run = Run { read: 0, replaced: 0, sound: true };
    loop {
        let at = start + run.read;
        let read = if U::UNIT == 1 {
            latin1::<S, U>(simd, &src[at..], out)
        } else {
            basic::<S, U>(simd, &src[at..], out)
        };
        run.read += read;
        if U::UNIT == 1 {
            return run;
        }
        let before = run.read;
        while let Some(units) = src[start + run.read..].get(..block)
            && supplementary::<S, U, LOSSY>(simd, units, src, start + run.read, out, &mut run)
        {
            run.read += block;
        }
        if run.read == before {
            return run;
        }
    }
}

/// Converts a block with surrogates or code points above U+FFFF. Returns false and converts nothing
/// if the block has neither, does not fit, or has an error. An error clears `run.sound`.
#[inline(always)]
fn supplementary<S: Simd, U: Units, const LOSSY: bool>(
    simd: S,
    units: &[u8],
    src: &[u8],
    at: usize,
    out: &mut Output,
    run: &mut Run,
) -> bool {
    let bytes = S::Vector::BYTES;
    let (a, b, above) = U::block(simd, units);
    let is_surrogate =
        |units: S::Vector| units.and(simd.splat16(0xF800)).equal16(simd.splat16(0xD800));
    if U::UNIT == 4 {
        if !above.or(is_surrogate(a)).or(is_surrogate(b)).any() {
            return false;
        }
        let Some(mut window) = out.window(4 * bytes) else { return false };
        run.sound = put_scalars::<S, U>(simd, units, &mut window);
        if run.sound {
            out.filled += window.length();
        }
        return run.sound;
    }
    if !is_surrogate(a).or(is_surrogate(b)).any() {
        return false;
    }
    let Some(mut window) = out.window(3 * bytes + 4) else { return false };
    let mut unpaired = 0;
    for (number, vector) in [a, b].into_iter().enumerate() {
        let (before, after) = U::around(simd, src, at + number * bytes);
        unpaired += any_class::<S, LOSSY>(simd, vector, before, after, &mut window);
    }
    if LOSSY {
        run.replaced += unpaired;
    } else if unpaired > 0 {
        run.sound = false;
        return false;
    }
    out.filled += window.length();
    true
}

/// Converts blocks of units without surrogates and code points above U+FFFF; returns how much was
/// read.
#[inline(always)]
fn basic<S: Simd, U: Units>(simd: S, src: &[u8], out: &mut Output) -> usize {
    let bytes = S::Vector::BYTES;
    let block = U::UNIT * bytes;
    let mut at = 0;
    while let Some(units) = src[at..].get(..block) {
        let (a, b, above) = U::block(simd, units);
        if !a.or(b).and(simd.splat16(0xF800)).or(above).any() {
            // The highest bit of a byte is preserved, or its unit is above U+00FF and saturates.
            let packed = a.pack16(b);
            let non_ascii = packed.mask();
            if non_ascii == 0 {
                let Some(mut window) = out.window(bytes) else { break };
                window.put(a.narrow16(b), bytes, 0);
                out.filled += bytes;
                at += block;
                at += ascii::<S, U>(simd, &src[at..], out);
                continue;
            }
            let Some(mut window) = out.window(2 * bytes) else { break };
            put_below_0800(simd, (a, b), packed, non_ascii, &mut window);
            out.filled += window.length();
            at += block;
            continue;
        }
        let class = (a.and(simd.splat16(0xF800)), b.and(simd.splat16(0xF800)));
        let surrogates = simd.splat16(0xD800);
        if class.0.equal16(surrogates).or(class.1.equal16(surrogates)).or(above).any() {
            break;
        }
        let Some(mut window) = out.window(3 * bytes + 4) else { break };
        let below_0800 = (class.0.equal16(simd.zero()), class.1.equal16(simd.zero()));
        if !below_0800.0.or(below_0800.1).any() {
            put_threes(simd, a, &mut window);
            put_threes(simd, b, &mut window);
        } else {
            for (units, below_0800) in [(a, below_0800.0), (b, below_0800.1)] {
                let bytes = two_bytes(simd, units).or(below_0800.and(simd.splat16(0x40)));
                let more = more_bytes(simd, units, below_0800);
                put_any(simd, units, bytes, more, &mut window);
            }
        }
        out.filled += window.length();
        at += block;
    }
    at
}

/// Converts blocks of Latin-1; returns how much was read.
#[inline(always)]
fn latin1<S: Simd, U: Units>(simd: S, src: &[u8], out: &mut Output) -> usize {
    let bytes = S::Vector::BYTES;
    let mut at = 0;
    while let Some(points) = src[at..].get(..bytes) {
        let points = simd.load(points);
        let non_ascii = points.mask();
        if non_ascii == 0 {
            let Some(mut window) = out.window(bytes) else { break };
            window.put(points, bytes, 0);
            out.filled += bytes;
            at += bytes;
            at += ascii::<S, U>(simd, &src[at..], out);
            continue;
        }
        let Some(mut window) = out.window(2 * bytes) else { break };
        put_latin1(simd, points, non_ascii, &mut window);
        out.filled += window.length();
        at += bytes;
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
