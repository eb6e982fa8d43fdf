//! UTF-8 to UTF-16 and UTF-32.
//!
//! The simple version computes at each byte the unit that would end there, from the byte and the
//! three before it, and keeps it if one does:
//!
//! ```text
//! for each position
//!     unit = current                       if current is ASCII
//!     unit = current % 64 + before1 * 64 + (before2 is the lead of three) * before2 * 4096
//!     if the next byte is not a continuation byte, or, in UTF-16, before2 is the lead of four
//!         write unit
//! ```
//!
//! In this version:
//!
//! 1. the low and the high bytes of units are computed separately and interleaved, in either byte
//!    order;
//! 2. a shuffle, looked up by the set of units to keep, moves those of eight units together. All
//!    eight are written, and the next eight overwrite the surplus;
//! 3. validation is that of [`utf8`](super::utf8), from the same loads;
//! 4. blocks without sequences of four bytes skip the work for those, and blocks of ASCII are only
//!    widened;
//! 5. text of 16 to some 100 bytes goes in vectors of 128 bits, the last one together with some bytes
//!    before it. If it is ill-formed, it is converted again, one sequence at a time.
//!
//! A position depends on nothing before those three bytes except for the destination of its unit,
//! so the speed is the same for any mixture of lengths. The published algorithms follow the text
//! sequence by sequence or a dozen bytes at a time (D. Lemire, W. Muła, "Transcoding billions of
//! Unicode characters per second with SIMD instructions", 2022). They have to know how far a step
//! got before the next one can start.

use super::BLOCK;
use super::ascii::{self, Widened};
use super::copy;
use super::utf8::{BEFORE, Bytes, Validator, boundary};
use super::utf8_parts::{Parts, Piece, spread};
use crate::arch::scalar::{self, Source, Utf8, Utf16, Utf32};
use crate::kernels::Lossy;
use crate::simd::{Simd, Vector};

/// A block, the three bytes before it, and the byte after it.
const WINDOW: usize = BEFORE + BLOCK + 1;

/// UTF-16 or UTF-32.
pub(crate) trait Units: Widened {
    /// Whether the lowest byte of a unit comes first.
    const LE: bool;

    /// Writes those of eight units that `order` selects to the start of `dst`. `units` has their
    /// lower halves and `upper` the upper ones, in the byte order of this form. `LONG` promises
    /// that no more than four are selected.
    fn put_kept<H: Vector, const LONG: bool>(order: H, units: H, upper: H, dst: &mut [u8]);
}

impl<const LE: bool> Units for Utf16<LE> {
    const LE: bool = LE;

    #[inline(always)]
    fn put_kept<H: Vector, const LONG: bool>(order: H, units: H, _: H, dst: &mut [u8]) {
        order.lookup(units).store(dst);
    }
}

impl<const LE: bool> Units for Utf32<LE> {
    const LE: bool = LE;

    #[inline(always)]
    fn put_kept<H: Vector, const LONG: bool>(order: H, units: H, upper: H, dst: &mut [u8]) {
        let (units, upper) = (order.lookup(units), order.lookup(upper));
        let (first, second) = if LE { (units, upper) } else { (upper, units) };
        first.zip_low16(second).store(dst);
        if !LONG {
            first.zip_high16(second).store(&mut dst[16..]);
        }
    }
}

/// For each set of eight units, the positions of its members among sixteen bytes, followed by
/// zeros.
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
    if src.len() <= 2 * BLOCK
        && let Some(written) = short_ascii::<S::Half, T>(simd.half(), src, dst)
    {
        return (src.len(), written);
    }
    let converter = Converter::<S::Vector>::new(simd);
    let whole = &src[..boundary(src, src.len())];
    let (mut read, mut written) = converter.blocks::<T>(simd, whole, dst);
    while whole.len() - read >= PIECE {
        let mut room = [0; _];
        let piece = Piece::new(whole, read, &mut room);
        let Some(done) = converter.piece::<T, false>(simd, &piece, &mut dst[written..]) else {
            break;
        };
        read += done.read;
        written += done.written;
        if done.read < piece.bytes().len() {
            return (read, written);
        }
    }
    if read == src.len() {
        return (read, written);
    }
    let (bytes, units) = convert_short::<T>(&src[read..], &mut dst[written..]);
    (read + bytes, written + units)
}

/// A lossy conversion.
#[inline(always)]
pub(crate) fn convert_lossy<S: Simd, T: Units>(simd: S, src: &[u8], dst: &mut [u8]) -> Lossy {
    let converter = Converter::<S::Vector>::new(simd);
    let whole = &src[..boundary(src, src.len())];
    let mut done = Lossy::default();
    'text: while whole.len() - done.read >= PIECE {
        let (bytes, units) =
            converter.blocks::<T>(simd, &whole[done.read..], &mut dst[done.written..]);
        done.read += bytes;
        done.written += units;
        // Errors often come close together.
        while whole.len() - done.read >= PIECE {
            let mut room = [0; _];
            let piece = Piece::new(whole, done.read, &mut room);
            let out = &mut dst[done.written..];
            let Some(more) = converter.piece::<T, true>(simd, &piece, out) else { break 'text };
            done.read += piece.bytes().len();
            done.written += more.written;
            done.replaced += more.replaced;
            if more.replaced == 0 {
                break;
            }
        }
    }
    let end = convert_lossy_short::<T>(&src[done.read..], &mut dst[done.written..]);
    Lossy {
        read: done.read + end.read,
        written: done.written + end.written,
        replaced: done.replaced + end.replaced,
    }
}

/// A conversion of sixteen bytes or more, but not many: all at once if possible, otherwise one
/// sequence at a time.
#[inline(always)]
pub(crate) fn convert_few<S: Simd, T: Units>(
    simd: S,
    src: &[u8],
    dst: &mut [u8],
) -> (usize, usize) {
    if let Some(written) = short_ascii::<S::Half, T>(simd.half(), src, dst) {
        return (src.len(), written);
    }
    let whole = boundary(src, src.len());
    let (mut read, mut written) = (0, 0);
    if let Some(filled) = few::<S::Half, T>(simd.half(), &src[..whole], dst) {
        (read, written) = (whole, filled);
    }
    if read == src.len() {
        return (read, written);
    }
    let (bytes, filled) = convert_short::<T>(&src[read..], &mut dst[written..]);
    (read + bytes, written + filled)
}

/// Converts sixteen bytes or more, if they are all ASCII and fit; for vectors of 128 bits. Returns
/// the length of the output.
#[inline(always)]
fn short_ascii<S: Simd, T: Units>(simd: S, src: &[u8], dst: &mut [u8]) -> Option<usize> {
    let out = dst.get_mut(..T::UNIT * src.len())?;
    if !ascii::is_short_ascii(simd, src) {
        return None;
    }
    ascii::widen_short::<S, T>(simd, src, out);
    Some(out.len())
}

/// Converts text a vector at a time, the last one together with some bytes before it; for vectors of
/// 128 bits. Returns the length of the output, or `None` if it does not fit, or if the text is
/// ill-formed or incomplete, or shorter than a vector.
#[inline(always)]
fn few<S: Simd, T: Units>(simd: S, src: &[u8], dst: &mut [u8]) -> Option<usize> {
    if src.len() < 16 || boundary(src, src.len()) != src.len() {
        return None;
    }
    // Eight units are written at once. So without this much space, the last may not fit.
    let most = T::UNIT * src.len();
    if let Some(out) = dst.get_mut(..most) {
        return few_to::<S, T>(simd, src, out);
    }
    let mut buffer = [0; 256];
    let written = few_to::<S, T>(simd, src, buffer.get_mut(..most)?)?;
    copy(&buffer[..written], dst.get_mut(..written)?);
    Some(written)
}

/// The same, with space for a unit for each byte.
#[inline(always)]
fn few_to<S: Simd, T: Units>(simd: S, src: &[u8], out: &mut [u8]) -> Option<usize> {
    let converter = Converter::<S::Vector>::new(simd);
    let last = src.len() - 16;
    let mut bytes = Bytes::first(simd, src);
    let mut clashes = simd.zero();
    let (mut at, mut again, mut written) = (0, 0, 0);
    loop {
        clashes = clashes.or(converter.validator.clashes(bytes));
        // A sequence ends where no continuation byte follows.
        let mut trails = simd.splat(0xC0).greater_signed(bytes.current).mask();
        trails |= u32::from(matches!(src.get(at + 16), Some(0x80..=0xBF))) << 16;
        let mut kept = !trails >> 1 & 0xFFFF;
        let highest = bytes.current.max(bytes.before3);
        if highest.sub_saturating(simd.splat(0xF0 - 0x80)).any_high() {
            if T::UNIT == 2 {
                kept |= leads_four(simd, bytes.before2).mask();
            }
            written -= T::UNIT * (kept & !(u32::MAX << again)).count_ones() as usize;
            let planes = converter.planes::<T, true>(simd, bytes);
            written += push::<T, S::Vector, true, false>(simd, &planes, kept, &mut out[written..]);
        } else {
            written -= T::UNIT * (kept & !(u32::MAX << again)).count_ones() as usize;
            let planes = converter.planes::<T, false>(simd, bytes);
            written += push::<T, S::Vector, false, false>(simd, &planes, kept, &mut out[written..]);
        }
        if at == last {
            break;
        }
        let end = at + 16;
        at = end.min(last);
        again = end - at;
        bytes = match at.checked_sub(BEFORE) {
            Some(window) => Bytes::load(simd, &src[window..], 0),
            None => Bytes::near_start(simd, src, at),
        };
    }
    (!clashes.any()).then_some(written)
}

/// A conversion of short text, with baseline instructions only.
#[inline(never)]
pub(crate) fn convert_short<T: Units>(src: &[u8], dst: &mut [u8]) -> (usize, usize) {
    scalar::convert::<Utf8, T>(src, dst)
}

/// The same, lossy.
#[inline(never)]
pub(crate) fn convert_lossy_short<T: Units>(src: &[u8], dst: &mut [u8]) -> Lossy {
    scalar::lossy::<Utf8, T>(src, dst)
}

/// A piece at the end that is shorter than this takes less time byte by byte.
const PIECE: usize = 16;

/// The start of the last sequence that begins before `read`, unless it also ends there, and the
/// number of bytes written without it. Everything before `read` must have gone through [`push`].
#[inline(always)]
fn last_boundary<T: Units>(src: &[u8], read: usize, written: usize) -> (usize, usize) {
    let is_trail = |at: usize| (0x80..=0xBF).contains(&src[at]);
    if is_trail(read) {
        // No unit was written for the last byte, but one was for the third of four.
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

    /// Converts blocks up to a boundary, as long as they are complete and well-formed.
    #[inline(always)]
    fn blocks<T: Units>(&self, simd: V::Simd, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
        let (mut read, mut written) = (0, 0);
        // Whether the last bytes went through `Converter::block`.
        let mut pushed = false;
        while src.len() - read > BLOCK {
            if ascii::is_ascii(simd, &src[read..][..BLOCK]) {
                if pushed && boundary(src, read) != read {
                    break;
                }
                let out = &mut dst[written..];
                let mut run = ascii::widen_run::<V::Simd, T>(simd, &src[read..], out);
                if run == 0 {
                    let Some(out) = out.get_mut(..T::UNIT * BLOCK) else { break };
                    ascii::widen_block::<V::Simd, T>(simd, &src[read..], out);
                    run = BLOCK;
                }
                read += run;
                written += T::UNIT * run;
                pushed = false;
                continue;
            }
            // Blocks look at the three bytes before them. Starting with zeros instead, in a copy,
            // took longer: loads that span several stores have to wait for them.
            while read < BEFORE {
                let Some((scalar, length)) = Utf8::next(&src[read..]) else {
                    return (read, written);
                };
                let Some(room) = T::put(&mut dst[written..], scalar) else {
                    return (read, written);
                };
                read += length;
                written += room;
            }
            let Some(window) = src[read - BEFORE..].first_chunk() else { break };
            let Some(out) = dst[written..].get_mut(..T::UNIT * BLOCK) else { break };
            let Some(length) = self.block::<T>(simd, window, out) else { break };
            read += BLOCK;
            written += length;
            pushed = true;
        }
        if pushed {
            (read, written) = last_boundary::<T>(src, read, written);
        }
        (read, written)
    }

    /// Converts a piece up to an ill-formed sequence, or with U+FFFD for it. `None` if `dst` is
    /// too short.
    #[inline(always)]
    fn piece<T: Units, const LOSSY: bool>(
        &self,
        simd: V::Simd,
        piece: &Piece<'_>,
        dst: &mut [u8],
    ) -> Option<Lossy> {
        if let Some(out) = dst.get_mut(..T::UNIT * BLOCK) {
            return Some(self.parts::<T, LOSSY>(simd, piece, out));
        }
        let mut buffer = [0; 4 * BLOCK];
        let done = self.parts::<T, LOSSY>(simd, piece, &mut buffer[..T::UNIT * BLOCK]);
        dst.get_mut(..done.written)?.copy_from_slice(&buffer[..done.written]);
        Some(done)
    }

    /// The same, with space for a block's worth of units.
    #[inline(always)]
    fn parts<T: Units, const LOSSY: bool>(
        &self,
        simd: V::Simd,
        piece: &Piece<'_>,
        out: &mut [u8],
    ) -> Lossy {
        let bytes = piece.bytes();
        if bytes.len() >= 16 && ascii::is_short_ascii(simd.half(), bytes) {
            let (read, written) = (bytes.len(), T::UNIT * bytes.len());
            ascii::widen_short::<<V::Simd as Simd>::Half, T>(
                simd.half(),
                bytes,
                &mut out[..written],
            );
            return Lossy { read, written, replaced: 0 };
        }
        let mut parts = Parts::new(simd, &self.validator, piece);
        if !LOSSY {
            parts = parts.until_ill();
        }
        let mut kept = parts.last | parts.ill;
        if T::UNIT == 2 {
            kept |= parts.third_of_four;
        }
        let mut written = 0;
        for at in (0..BLOCK).step_by(V::BYTES) {
            let places = Places {
                third_of_three: spread(simd, parts.third_of_three, at),
                third_of_four: spread(simd, parts.third_of_four, at),
                fourth: spread(simd, parts.fourth, at),
            };
            let bytes = Bytes::load(simd, piece.window(), at);
            let mut planes = self.planes_at::<T>(simd, bytes, &places);
            if LOSSY {
                let ill = spread(simd, parts.ill, at);
                planes.low = planes.low.and_not(ill).or(ill.and(simd.splat(0xFD)));
                planes.high = planes.high.or(ill);
            }
            written +=
                push::<T, V, true, false>(simd, &planes, (kept >> at) as u32, &mut out[written..]);
        }
        Lossy {
            read: parts.sound.count_ones() as usize,
            written,
            replaced: parts.ill.count_ones() as usize,
        }
    }

    /// Writes the units that end in a block to the start of `out` and returns their length in
    /// bytes, if the block is well-formed.
    #[inline(always)]
    fn block<T: Units>(
        &self,
        simd: V::Simd,
        window: &[u8; WINDOW],
        out: &mut [u8],
    ) -> Option<usize> {
        let mut highest = simd.load(&window[BEFORE + BLOCK - V::BYTES..]);
        for at in (0..BLOCK).step_by(V::BYTES) {
            highest = highest.max(simd.load(&window[at..]));
        }
        if highest.sub_saturating(simd.splat(0xF0 - 0x80)).any_high() {
            return self.block_of::<T, true, false>(simd, window, out);
        }
        if T::UNIT == 4 {
            let mut lowest = simd.splat(0xFF);
            for at in (0..BLOCK).step_by(V::BYTES) {
                lowest = lowest.min(simd.load(&window[BEFORE + at..]));
            }
            if lowest.mask() == u32::MAX >> (32 - V::BYTES) {
                return self.block_of::<T, false, true>(simd, window, out);
            }
        }
        self.block_of::<T, false, false>(simd, window, out)
    }

    /// The same. `FOUR` says whether there may be sequences of four bytes. `LONG` says that there
    /// is no ASCII, so that no more than four units end in eight bytes.
    #[inline(always)]
    fn block_of<T: Units, const FOUR: bool, const LONG: bool>(
        &self,
        simd: V::Simd,
        window: &[u8; WINDOW],
        out: &mut [u8],
    ) -> Option<usize> {
        let mut clashes = simd.zero();
        let mut written = 0;
        for at in (0..BLOCK).step_by(V::BYTES) {
            let bytes = Bytes::load(simd, window, at);
            clashes = clashes.or(self.validator.clashes(bytes));
            let next = simd.load(&window[BEFORE + at + 1..]);
            let mut kept = next.greater_signed(self.last_trail);
            if FOUR && T::UNIT == 2 {
                kept = kept.or(leads_four(simd, bytes.before2));
            }
            let planes = self.planes::<T, FOUR>(simd, bytes);
            written += push::<T, V, FOUR, LONG>(simd, &planes, kept.mask(), &mut out[written..]);
        }
        (!clashes.any()).then_some(written)
    }

    /// The units that end at each byte of a well-formed block.
    #[inline(always)]
    fn planes<T: Units, const FOUR: bool>(&self, simd: V::Simd, bytes: Bytes<V>) -> Planes<V> {
        if FOUR {
            let places = Places {
                third_of_three: bytes
                    .before2
                    .sub_saturating(self.three)
                    .greater_signed(simd.zero()),
                third_of_four: leads_four(simd, bytes.before2),
                fourth: leads_four(simd, bytes.before3),
            };
            return self.planes_at::<T>(simd, bytes, &places);
        }
        let (_, low, high) = self.two(bytes);
        // The value of the lead of three, and zero for any byte below.
        let third = bytes.before2.sub_saturating(self.three);
        Planes { low, high: high.or(third.shl16::<4>()), upper: simd.zero() }
    }

    /// The high nibble of the last byte, and the unit for sequences of up to two bytes.
    #[inline(always)]
    fn two(&self, bytes: Bytes<V>) -> (V, V, V) {
        let Bytes { current, before1, .. } = bytes;
        let nibble = current.high_nibbles();
        let low =
            current.and(self.ascii).or(before1.shl16::<6>().and(nibble.lookup(self.trail_high)));
        let high = before1.shr16::<2>().and(nibble.lookup(self.trail_low));
        (nibble, low, high)
    }

    /// The units that end at bytes at these places in sequences, for blocks with sequences of all
    /// lengths.
    #[inline(always)]
    fn planes_at<T: Units>(&self, simd: V::Simd, bytes: Bytes<V>, places: &Places<V>) -> Planes<V> {
        let Bytes { before1, before2, before3, .. } = bytes;
        let Places { third_of_three, third_of_four, fourth } = *places;
        let (nibble, low, high) = self.two(bytes);
        let bits = before2.and(self.low_nibble);
        if T::UNIT == 4 {
            let high = high.or(bits.and(third_of_three.or(fourth)).shl16::<4>());
            let upper = before3
                .and(simd.splat(0x07))
                .shl16::<2>()
                .or(before2.high_nibbles().and(simd.splat(0x03)))
                .and(fourth);
            return Planes { low, high, upper };
        }
        let high = high.or(bits.and(third_of_three).shl16::<4>());
        // At the third byte of four: D800 + (code point >> 10) - 40. Computes the low byte of
        // this, then the high one, with the borrow.
        let lead_low = before1
            .shl16::<2>()
            .and(simd.splat(0xFC))
            .or(nibble.and(simd.splat(0x03)))
            .sub(simd.splat(0x40));
        let no_borrow = before1.greater_signed(simd.splat(0x8F));
        let lead_high = before2.add(simd.splat(0xE7)).sub(no_borrow);
        // At the fourth byte.
        let high = high.or(fourth.and(simd.splat(0xDC)));
        Planes {
            low: lead_low.select(low, third_of_four),
            high: lead_high.select(high, third_of_four),
            upper: simd.zero(),
        }
    }
}

/// Positions of bytes in a sequence.
struct Places<V> {
    third_of_three: V,
    third_of_four: V,
    fourth: V,
}

/// Writes the units of a vector that are in the set `kept`. Returns their length in bytes.
#[inline(always)]
fn push<T: Units, V: Vector, const FOUR: bool, const LONG: bool>(
    simd: V::Simd,
    planes: &Planes<V>,
    mut kept: u32,
    out: &mut [u8],
) -> usize {
    let units = zip::<T, V>(planes.low, planes.high);
    let upper = if FOUR && T::UNIT == 4 {
        zip::<T, V>(planes.upper, simd.zero())
    } else {
        [simd.zero(); 2]
    };
    let mut written = 0;
    for half in 0..V::HALVES {
        for (units, upper) in units.iter().zip(&upper) {
            let set = kept & 0xFF;
            kept >>= 8;
            let order = simd.half().load(&ORDER[set as usize]);
            T::put_kept::<_, LONG>(order, units.half(half), upper.half(half), &mut out[written..]);
            written += T::UNIT * set.count_ones() as usize;
        }
    }
    written
}

/// Interleaves the bytes of units in their byte order: the lower eight of each half, then the
/// upper eight.
#[inline(always)]
fn zip<T: Units, V: Vector>(low: V, high: V) -> [V; 2] {
    let (first, second) = if T::LE { (low, high) } else { (high, low) };
    [first.zip_low(second), first.zip_high(second)]
}

/// The bytes that are F0 or above.
#[inline(always)]
fn leads_four<V: Vector>(simd: V::Simd, bytes: V) -> V {
    bytes.sub_saturating(simd.splat(0xEF)).greater_signed(simd.zero())
}

/// The unit computed at each byte, by its parts.
struct Planes<V> {
    /// Bits 0 to 7 of the unit.
    low: V,
    /// Bits 8 to 15.
    high: V,
    /// Bits 16 to 20.
    upper: V,
}

/// `value` for the high nibble of continuation bytes, zero for that of others.
const fn trails(value: u8) -> [u8; 16] {
    let mut table = [0; 16];
    let mut nibble = 0x8;
    while nibble < 0xC {
        table[nibble] = value;
        nibble += 1;
    }
    table
}
