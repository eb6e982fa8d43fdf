//! UTF-8 as defined in RFC 3629 §4: validation.
//!
//! The simple version looks at each byte together with the three before it:
//!
//! ```text
//! for each position
//!     ill-formed if (previous, current) cannot be adjacent
//!     ill-formed if "both are continuation bytes" is not
//!                   "third of a sequence of three or four, or fourth of four"
//! ```
//!
//! Three nibbles are looked up to find pairs that cannot be adjacent, as in J. Keiser, D. Lemire,
//! "Validating UTF-8 in less than one instruction per byte", 2021. In this version:
//!
//! 1. the preceding bytes are loaded from the preceding addresses instead of shifted in from the
//!    previous vector: loads are the one resource that validation has to spare;
//! 2. so a block depends on no other, and a block that is ASCII together with the three bytes
//!    before it is well-formed;
//! 3. a run of ASCII has a loop of its own, which does not look at the preceding bytes;
//! 4. a block with an error is checked again, from the last boundary before it, to find the exact
//!    offset.

use super::utf8_parts::{Parts, Piece};
use super::{BLOCK, ascii};
use crate::arch::scalar::{self, Source, Utf8};
use crate::kernels::Lossy;
use crate::simd::{Bits, Simd, Vector};

/// Bytes before a block that are looked at together with it.
pub(crate) const BEFORE: usize = 3;
const WINDOW: usize = BEFORE + BLOCK;
/// A vector of 128 bits: the least that is checked at once.
const FIRST: usize = 16;

/// Pairs that cannot be adjacent, one bit for each: the high nibbles of the first byte, its low
/// nibbles, and the high nibbles of the second byte, each as a set of bits.
const CLASHES: [(u16, u16, u16); 8] = [
    // A lead byte before anything except a continuation byte.
    (0xF000, 0xFFFF, 0xF0FF),
    // A continuation byte after ASCII.
    (0x00FF, 0xFFFF, 0x0F00),
    // C0, C1: two bytes for ASCII.
    (0x1000, 0x0003, 0x0F00),
    // E0 80..9F: three bytes for a code point that takes two.
    (0x4000, 0x0001, 0x0300),
    // ED A0..BF: surrogates.
    (0x4000, 0x2000, 0x0C00),
    // F4..FF 90..BF: above U+10FFFF.
    (0x8000, 0xFFF0, 0x0E00),
    // F5..FF 80..8F: the same; F0 80..8F: four bytes for a code point that takes three.
    (0x8000, 0xFFE1, 0x0100),
    // Two continuation bytes, which are valid in some positions: `TWO_TRAILS`.
    (0x0F00, 0xFFFF, 0x0F00),
];
/// The last of `CLASHES`.
const TWO_TRAILS: u8 = 0x80;

/// For each nibble, the set of clashes it takes part in.
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

    /// All zeros if these bytes are well-formed after the bytes before them.
    #[inline(always)]
    pub(crate) fn clashes(&self, bytes: Bytes<V>) -> V {
        let (third, fourth) = (self.third, self.fourth);
        let after = bytes.before2.sub_saturating(third).or(bytes.before3.sub_saturating(fourth));
        after.and(self.two_trails).xor(self.pair(bytes.before1, bytes.current))
    }

    /// The clashes of each of these bytes with the one before, with `TWO_TRAILS` wherever two
    /// continuation bytes meet.
    #[inline(always)]
    pub(crate) fn pair(&self, before1: V, current: V) -> V {
        before1
            .high_nibbles()
            .lookup(self.first_high)
            .and(before1.and(self.low_nibble).lookup(self.first_low))
            .and(current.high_nibbles().lookup(self.second_high))
    }

    /// The length of a well-formed prefix, up to a boundary near the first error or near the end.
    #[inline(always)]
    pub(crate) fn blocks(&self, simd: V::Simd, src: &[u8]) -> usize {
        let Some(first) = src.first_chunk::<FIRST>() else { return 0 };
        if src.len() < WINDOW {
            let sound = ascii::is_short_ascii(simd.half(), src)
                || is_first_sound(simd.half(), first) && is_short_sound(simd.half(), src);
            return if sound { boundary(src, src.len()) } else { 0 };
        }
        let begin = if ascii::is_ascii(simd, &src[..BLOCK]) {
            BLOCK
        } else if is_first_sound(simd.half(), first) {
            16
        } else {
            return 0;
        };
        // Starts `BEFORE` bytes before the next block.
        //
        // Each of these changes made it slower:
        // - to go straight on from a run of ASCII to the next block (French by a quarter: the
        //   second test of that block is predicted when the first was not);
        // - to accumulate clashes over many blocks;
        // - to process ASCII in one block or four at once instead of two;
        // - to record at the end of a block whether it cuts off a sequence.
        //
        // haswell is still faster for ASCII with one other character in every 300 to 500 bytes, by
        // a tenth and more.
        let mut rest = &src[begin - BEFORE..];
        while let Some(window) = rest.first_chunk() {
            if ascii::is_ascii(simd, &window[BEFORE..]) {
                if !is_boundary(window) {
                    break;
                }
                rest = &rest[BLOCK..];
                while let Some(window) = rest.first_chunk::<{ BEFORE + 2 * BLOCK }>() {
                    if !ascii::is_ascii(simd, &window[BEFORE..]) {
                        break;
                    }
                    rest = &rest[2 * BLOCK..];
                }
            } else {
                if !self.is_sound(simd, window) {
                    break;
                }
                rest = &rest[BLOCK..];
            }
        }
        // The remaining bytes, together with some before them.
        if rest.len() < WINDOW
            && let Some(last) = src.last_chunk()
            && (is_boundary(last) && ascii::is_ascii(simd, &last[BEFORE..])
                || self.is_sound(simd, last))
        {
            return boundary(src, src.len());
        }
        boundary(src, src.len() - rest.len() + BEFORE)
    }

    /// The offset of the first clash in a block, or its length.
    #[inline(always)]
    fn first_clash(&self, simd: V::Simd, window: &[u8; WINDOW]) -> usize {
        let mut sound = simd.bits();
        for at in (0..BLOCK).step_by(V::BYTES) {
            let clashes = self.clashes(Bytes::load(simd, window, at));
            sound.put(at, clashes.equal(simd.zero()));
        }
        sound.get().trailing_ones() as usize
    }

    /// Whether a block is well-formed after the bytes before it.
    #[inline(always)]
    fn is_sound(&self, simd: V::Simd, window: &[u8; WINDOW]) -> bool {
        let mut clashes = simd.zero();
        for at in (0..BLOCK).step_by(V::BYTES) {
            clashes = clashes.or(self.clashes(Bytes::load(simd, window, at)));
        }
        !clashes.any()
    }
}

/// Some bytes of a block, and for each of them the three before it.
#[derive(Clone, Copy)]
pub(crate) struct Bytes<V> {
    pub(crate) current: V,
    pub(crate) before1: V,
    pub(crate) before2: V,
    pub(crate) before3: V,
}

impl<V: Vector> Bytes<V> {
    /// The first bytes of a text, with zeros before them; for vectors of 128 bits.
    #[inline(always)]
    pub(crate) fn first(simd: V::Simd, src: &[u8]) -> Self {
        let current = simd.load(src);
        Self {
            before3: simd.repeat(UP[3]).lookup(current),
            before2: simd.repeat(UP[2]).lookup(current),
            before1: simd.repeat(UP[1]).lookup(current),
            current,
        }
    }

    /// The bytes from `at` on, with zeros before the text; for vectors of 128 bits.
    #[inline(always)]
    pub(crate) fn near_start(simd: V::Simd, src: &[u8], at: usize) -> Self {
        Self {
            before3: before_start(simd, src, at, 3),
            before2: before_start(simd, src, at, 2),
            before1: before_start(simd, src, at, 1),
            current: simd.load(&src[at..]),
        }
    }

    /// The last sixteen bytes of a text, for vectors of 128 bits.
    #[inline(always)]
    pub(crate) fn last(simd: V::Simd, src: &[u8]) -> Self {
        let at = src.len() - 16;
        match at.checked_sub(BEFORE) {
            Some(before) => Self::load(simd, &src[before..], 0),
            None => Self::near_start(simd, src, at),
        }
    }

    /// The bytes of the block from `at` on.
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

/// For each distance, the shuffle that moves sixteen bytes up by it and fills with zeros.
static UP: [[u8; 16]; BEFORE + 1] = {
    let mut orders = [[0x80; 16]; BEFORE + 1];
    let mut places = 0;
    while places <= BEFORE {
        let mut byte = places;
        while byte < 16 {
            orders[places][byte] = (byte - places) as u8;
            byte += 1;
        }
        places += 1;
    }
    orders
};

/// The sixteen bytes `places` before `at`, with zeros before the text; for vectors of 128 bits.
#[inline(always)]
fn before_start<S: Simd>(simd: S, src: &[u8], at: usize, places: usize) -> S::Vector {
    let missing = places.saturating_sub(at).min(BEFORE);
    simd.load(&UP[missing]).lookup(simd.load(&src[at.saturating_sub(places)..]))
}

/// Whether the first sixteen bytes are well-formed; for vectors of 128 bits.
#[inline(always)]
fn is_first_sound<S: Simd>(simd: S, src: &[u8; FIRST]) -> bool {
    !Validator::<S::Vector>::new(simd).clashes(Bytes::first(simd, src)).any()
}

/// Whether text of [`FIRST`] bytes or more is well-formed if its first sixteen are; for vectors of
/// 128 bits.
#[inline(always)]
fn is_short_sound<S: Simd>(simd: S, src: &[u8]) -> bool {
    let validator = Validator::<S::Vector>::new(simd);
    let mut clashes = validator.clashes(Bytes::last(simd, src));
    let mut rest = &src[16 - BEFORE..];
    while rest.len() > BEFORE + 16 {
        clashes = clashes.or(validator.clashes(Bytes::load(simd, rest, 0)));
        rest = &rest[16..];
    }
    !clashes.any()
}

/// The length of the well-formed prefix of ill-formed text of [`FIRST`] bytes or more; for vectors
/// of 128 bits.
#[inline(always)]
fn first_error<S: Simd>(simd: S, src: &[u8]) -> usize {
    let validator = Validator::<S::Vector>::new(simd);
    let (mut at, mut bytes) = (0, Bytes::first(simd, src));
    loop {
        let sound = validator.clashes(bytes).equal(simd.zero()).mask().trailing_ones() as usize;
        if sound < 16 || at + 16 == src.len() {
            return boundary(src, at + sound);
        }
        at += 16;
        if at + 16 <= src.len() {
            bytes = Bytes::load(simd, &src[at - BEFORE..], 0);
        } else {
            (at, bytes) = (src.len() - 16, Bytes::last(simd, src));
        }
    }
}

/// Length in bytes of a well-formed prefix.
#[inline(always)]
pub(crate) fn prefix<S: Simd>(simd: S, src: &[u8]) -> usize {
    let validator = Validator::<S::Vector>::new(simd);
    let whole = &src[..boundary(src, src.len())];
    let mut read = validator.blocks(simd, whole);
    // Find the exact end: the first clash, or the start of the sequence that it cuts off.
    while read < whole.len() {
        let before = read.checked_sub(BEFORE);
        let next = before.and_then(|before| whole[before..].first_chunk());
        let (window, at) = match (next, whole.last_chunk()) {
            (Some(window), _) => (window, read),
            (None, Some(window)) if before.is_some() => (window, whole.len() - BLOCK),
            _ if (FIRST..WINDOW).contains(&whole.len()) => {
                return first_error(simd.half(), whole);
            }
            _ => return read + prefix_short(&whole[read..]),
        };
        let clash = validator.first_clash(simd, window);
        read = boundary(whole, at + clash);
        if clash < BLOCK || at + BLOCK == whole.len() {
            break;
        }
    }
    read
}

/// The same for short text.
#[inline(never)]
pub(crate) fn prefix_short(src: &[u8]) -> usize {
    let (chunks, _) = src.as_chunks::<8>();
    if let Some(last) = src.last_chunk()
        && chunks.iter().chain([last]).all(|chunk| scalar::ascii::all(*chunk))
    {
        return src.len();
    }
    let mut read = 0;
    while let Some((_, length)) = Utf8::next(&src[read..]) {
        read += length;
    }
    read
}

/// Code points in well-formed text.
#[inline(always)]
pub(crate) fn count<S: Simd>(simd: S, src: &[u8]) -> usize {
    units::<S, false>(simd, src)
}

/// Bytes of UTF-16 for well-formed text.
#[inline(always)]
pub(crate) fn utf16_len<S: Simd>(simd: S, src: &[u8]) -> usize {
    2 * units::<S, true>(simd, src)
}

/// Code points of the lossy conversion.
#[inline(always)]
pub(crate) fn count_lossy<S: Simd>(simd: S, src: &[u8]) -> usize {
    units_lossy::<S, false>(simd, src)
}

/// Bytes of UTF-16 of the lossy conversion.
#[inline(always)]
pub(crate) fn utf16_len_lossy<S: Simd>(simd: S, src: &[u8]) -> usize {
    2 * units_lossy::<S, true>(simd, src)
}

/// Code points of the lossy conversion of short text.
#[inline(never)]
pub(crate) fn count_lossy_short(src: &[u8]) -> usize {
    scalar::sum_lossy::<Utf8>(src, |_| 1)
}

/// Bytes of UTF-16 of the lossy conversion of short text.
#[inline(never)]
pub(crate) fn utf16_len_lossy_short(src: &[u8]) -> usize {
    scalar::sum_lossy::<Utf8>(src, |scalar| if scalar > 0xFFFF { 4 } else { 2 })
}

/// Like [`units`], with one unit for each ill-formed subpart.
#[inline(always)]
fn units_lossy<S: Simd, const FOUR: bool>(simd: S, src: &[u8]) -> usize {
    let validator = Validator::<S::Vector>::new(simd);
    let whole = &src[..boundary(src, src.len())];
    let (mut read, mut total) = (0, 0);
    while read < whole.len() {
        let sound = validator.blocks(simd, &whole[read..]);
        total += units::<S, FOUR>(simd, &whole[read..read + sound]);
        read += sound;
        // Errors often come close together.
        while read < whole.len() {
            let mut room = [0; _];
            let piece = Piece::new(whole, read, &mut room);
            let parts = Parts::new(simd, &validator, &piece);
            let fours = if FOUR { parts.fourth.count_ones() } else { 0 };
            total += (parts.last.count_ones() + parts.ill.count_ones() + fours) as usize;
            read += piece.bytes().len();
            if parts.ill == 0 {
                break;
            }
        }
    }
    total + scalar::sum_lossy::<Utf8>(&src[read..], |_| 1)
}

/// Number of bytes except continuation bytes; with `FOUR`, leads of four count twice.
#[inline(always)]
fn units<S: Simd, const FOUR: bool>(simd: S, src: &[u8]) -> usize {
    let (Some(first), Some(last)) = (src.first_chunk::<BLOCK>(), src.last_chunk::<BLOCK>()) else {
        let unit = |byte: &u8| u8::from(!(0x80..=0xBF).contains(byte));
        let four = |byte: &u8| u8::from(FOUR && *byte >= 0xF0);
        return usize::from(src.iter().map(|byte| unit(byte) + four(byte)).sum::<u8>());
    };
    // The loads in between do not cross the end of a cache line.
    let ahead = src.as_ptr().align_offset(BLOCK).min(BLOCK);
    let mut total = in_block::<S, FOUR>(simd, first, u64::MAX.unbounded_shr(64 - ahead as u32));
    let (blocks, after) = src[ahead..].as_chunks::<BLOCK>();
    // Separate lanes for the vectors of a block, so that none waits for another. Together they
    // grow by at most 2 per vector, or 8 per block.
    for blocks in blocks.chunks(31) {
        let mut lanes = [simd.zero(); 4];
        for block in blocks {
            for (at, lanes) in (0..BLOCK).step_by(S::Vector::BYTES).zip(&mut lanes) {
                let bytes = simd.load(&block[at..]);
                *lanes = lanes.sub(bytes.greater_signed(simd.splat(0xBF)));
                if FOUR {
                    let four = simd.splat(0xF0);
                    *lanes = lanes.sub(bytes.max(four).equal(bytes));
                }
            }
        }
        let [a, b, c, d] = lanes;
        total += a.add(b).add(c.add(d)).sum() as usize;
    }
    let after = u64::MAX.unbounded_shl(64 - after.len() as u32);
    total + in_block::<S, FOUR>(simd, last, after)
}

/// The same for selected bytes of a block.
#[inline(always)]
fn in_block<S: Simd, const FOUR: bool>(simd: S, block: &[u8; BLOCK], which: u64) -> usize {
    let [mut units, mut fours] = [simd.bits(); 2];
    for at in (0..BLOCK).step_by(S::Vector::BYTES) {
        let bytes = simd.load(&block[at..]);
        let four = bytes.sub_saturating(simd.splat(0xF0 - 0x80));
        units.put(at, bytes.greater_signed(simd.splat(0xBF)));
        fours.put(at, four);
    }
    let fours = if FOUR { (fours.get() & which).count_ones() } else { 0 };
    ((units.get() & which).count_ones() + fours) as usize
}

/// Copies up to a block and pads it with zeros.
#[inline(always)]
pub(crate) fn pad(src: &[u8], block: &mut [u8; BLOCK]) {
    *block = [0; BLOCK];
    if !ends::<32>(src, block)
        && !ends::<16>(src, block)
        && !ends::<8>(src, block)
        && !ends::<4>(src, block)
    {
        for (to, from) in block.iter_mut().zip(src) {
            *to = *from;
        }
    }
}

/// Copies `N` to twice as many bytes as the first `N` and the last.
#[inline(always)]
fn ends<const N: usize>(src: &[u8], block: &mut [u8; BLOCK]) -> bool {
    if let (Some(first), Some(last)) = (src.first_chunk::<N>(), src.last_chunk::<N>()) {
        block[..N].copy_from_slice(first);
        block[src.len() - N..][..N].copy_from_slice(last);
        return true;
    }
    false
}

/// A lossy conversion to well-formed UTF-8.
#[inline(always)]
pub(crate) fn repair<S: Simd>(simd: S, src: &[u8], dst: &mut [u8]) -> Lossy {
    let validator = Validator::<S::Vector>::new(simd);
    let whole = &src[..boundary(src, src.len())];
    let mut done = Lossy::default();
    while done.read < whole.len() {
        let rest = &whole[done.read..];
        let sound = validator.blocks(simd, rest);
        let out = &mut dst[done.written..];
        let length = boundary(rest, sound.min(out.len()));
        out[..length].copy_from_slice(&rest[..length]);
        done.read += length;
        done.written += length;
        // Errors often come close together.
        while done.read < whole.len() {
            let Some(out) = dst[done.written..].first_chunk_mut::<REPAIRED>() else { break };
            let mut room = [0; _];
            let piece = Piece::new(whole, done.read, &mut room);
            let parts = Parts::new(simd, &validator, &piece);
            done.written += put_repaired(simd, &piece, &parts, out);
            done.read += piece.bytes().len();
            done.replaced += parts.ill.count_ones() as usize;
            if parts.ill == 0 {
                break;
            }
        }
        if dst.len() - done.written < REPAIRED {
            break;
        }
    }
    let end = repair_short(&src[done.read..], &mut dst[done.written..]);
    Lossy {
        read: done.read + end.read,
        written: done.written + end.written,
        replaced: done.replaced + end.replaced,
    }
}

/// The same for short text.
#[inline(never)]
pub(crate) fn repair_short(src: &[u8], dst: &mut [u8]) -> Lossy {
    scalar::lossy::<Utf8, Utf8>(src, dst)
}

/// The space that a piece may need: three bytes for each, and a block after the last.
const REPAIRED: usize = 4 * BLOCK;

/// Writes the parts of a piece, with U+FFFD for the ill-formed ones.
#[inline(always)]
fn put_repaired<S: Simd>(
    simd: S,
    piece: &Piece<'_>,
    parts: &Parts,
    out: &mut [u8; REPAIRED],
) -> usize {
    let mut bytes = [0; 2 * BLOCK];
    bytes[..BLOCK].copy_from_slice(piece.block());
    let begin = parts.ill | parts.sound;
    let end = BLOCK - piece.within().leading_zeros() as usize;
    let (mut ill, mut written) = (parts.ill, 0);
    let mut read = piece.within().trailing_zeros() as usize;
    loop {
        // Everything up to the next ill-formed subpart, and more.
        let next = (ill.trailing_zeros() as usize).min(end);
        for at in (0..BLOCK).step_by(16) {
            simd.half().load(&bytes[read + at..]).store(&mut out[written + at..]);
        }
        written += next - read;
        if ill == 0 {
            return written;
        }
        out[written..][..3].copy_from_slice(&[0xEF, 0xBF, 0xBD]);
        written += 3;
        ill &= ill - 1;
        let after = begin & u64::MAX.unbounded_shl(next as u32 + 1);
        read = (after.trailing_zeros() as usize).min(end);
    }
}

/// The last boundary at or before `at`. All bytes before `at` must be well-formed, except for a
/// sequence that `at` cuts off.
#[inline(always)]
pub(crate) fn boundary(src: &[u8], at: usize) -> usize {
    match src[..at] {
        [.., 0xC0..=0xFF] => at - 1,
        [.., 0xE0..=0xFF, _] => at - 2,
        [.., 0xF0..=0xFF, _, _] => at - 3,
        _ => at,
    }
}

/// Whether the start of the block does not cut off a sequence.
#[inline(always)]
pub(crate) fn is_boundary(window: &[u8]) -> bool {
    window[2] < 0xC0 && window[1] < 0xE0 && window[0] < 0xF0
}
