//! The bytes of the units in the lanes of a vector.

use super::super::compress::{LAST, NONE, ONE_OR_BOTH, UP_TO_THREE, compress};
use super::super::utf32;
use super::HALF;
use super::units::Units;
use crate::simd::{Simd, Vector};

/// Takes the bytes of units, some units at a time.
pub(super) trait Sink<V: Vector> {
    /// Takes the first `fixed + more` bytes of a vector of 128 bits. The others are zero.
    fn put(&mut self, bytes: V, fixed: usize, more: usize);
}

/// Space of known length for a block, and a vector after it. Its fill level is split into two parts,
/// so that the part known to the compiler is folded into addresses.
pub(super) struct Window<'a> {
    pub(super) bytes: &'a mut [u8],
    pub(super) fixed: usize,
    pub(super) more: usize,
}

impl Window<'_> {
    #[inline(always)]
    pub(super) fn length(&self) -> usize {
        self.fixed + self.more
    }
}

impl<V: Vector> Sink<V> for Window<'_> {
    #[inline(always)]
    fn put(&mut self, bytes: V, fixed: usize, more: usize) {
        let length = self.length();
        bytes.store(&mut self.bytes[length..]);
        self.fixed += fixed;
        self.more += more;
    }
}

/// Space of sixteen bytes or more. Nothing is written after the bytes that fill it.
///
/// Vectors that would go beyond the end are stored before it, where their bytes are wrong. The last
/// sixteen bytes, which include all of those, are composed of the last vectors, at most `LAST`.
pub(super) struct Exact<'a, S: Simd, const LAST: usize> {
    simd: S,
    bytes: &'a mut [u8],
    filled: usize,
    last: [(S::Vector, usize); LAST],
}

impl<'a, S: Simd, const LAST: usize> Exact<'a, S, LAST> {
    /// `simd` has vectors of 128 bits.
    #[inline(always)]
    pub(super) fn new(simd: S, bytes: &'a mut [u8]) -> Self {
        Self { simd, bytes, filled: 0, last: [(simd.zero(), 0); LAST] }
    }

    /// Stores the last sixteen bytes, if some are wrong.
    #[inline(always)]
    pub(super) fn finish(self) {
        if self.bytes.len() - self.filled >= HALF {
            return;
        }
        let (mut end, mut after) = (self.simd.zero(), 0);
        for number in 1..=LAST {
            let (bytes, count) = self.last[LAST - number];
            after += count;
            end = end.or(moved(self.simd, after.min(2 * HALF)).lookup(bytes));
        }
        end.store(&mut self.bytes[self.filled - HALF..]);
    }
}

impl<S: Simd, const LAST: usize> Sink<S::Vector> for Exact<'_, S, LAST> {
    #[inline(always)]
    fn put(&mut self, bytes: S::Vector, fixed: usize, more: usize) {
        let at = self.filled.min(self.bytes.len() - HALF);
        bytes.store(&mut self.bytes[at..]);
        self.filled += fixed + more;
        for number in 1..LAST {
            self.last[number - 1] = self.last[number];
        }
        self.last[LAST - 1] = (bytes, fixed + more);
    }
}

/// Eight to sixteen bytes.
pub(super) struct Few<S: Simd> {
    simd: S,
    bytes: S::Vector,
    filled: usize,
}

impl<S: Simd> Few<S> {
    /// `simd` has vectors of 128 bits.
    #[inline(always)]
    pub(super) fn new(simd: S) -> Self {
        Self { simd, bytes: simd.zero(), filled: 0 }
    }

    /// Stores all bytes. `out` has exactly the length of those.
    #[inline(always)]
    pub(super) fn finish(self, out: &mut [u8]) {
        let after = out.len().clamp(8, HALF) - 8;
        let last = moved(self.simd, HALF + after).lookup(self.bytes);
        let mut eights = [[0; HALF]; 2];
        self.bytes.store(&mut eights[0]);
        last.store(&mut eights[1]);
        out[..8].copy_from_slice(&eights[0][..8]);
        out[after..after + 8].copy_from_slice(&eights[1][..8]);
    }
}

impl<S: Simd> Sink<S::Vector> for Few<S> {
    #[inline(always)]
    fn put(&mut self, bytes: S::Vector, fixed: usize, more: usize) {
        let order = moved(self.simd, HALF - self.filled.min(HALF));
        self.bytes = self.bytes.or(order.lookup(bytes));
        self.filled += fixed + more;
    }
}

/// The order that moves sixteen bytes so that byte `after - 16` comes first. `after` is at most 32.
#[inline(always)]
fn moved<S: Simd>(simd: S, after: usize) -> S::Vector {
    const ORDER: [u8; 3 * HALF] = {
        let mut order = [NONE; 3 * HALF];
        let mut byte = 0;
        while byte < HALF {
            order[HALF + byte] = byte as u8;
            byte += 1;
        }
        order
    };
    simd.load(&ORDER[after..])
}

/// Converts a vector of units of any kind, some of which are surrogates. Returns the number of
/// unpaired ones. A lossy conversion writes U+FFFD for them; otherwise the output is then
/// unusable.
#[inline(always)]
pub(super) fn any_class<S: Simd, const LOSSY: bool>(
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
    let bytes = two_bytes(simd, units).xor(y).or(below_0800.and(simd.splat16(0x40)));
    let bytes = first_two.select(bytes, high);
    let two = below_0800.or(high).or(low);
    if two.xor(simd.splat(0xFF)).any() {
        put_any(simd, units, bytes, more_bytes(simd, units, two), out);
    } else {
        let ascii = simd.splat16(0x80).greater_signed16(units).and(below_0800);
        let bytes = units.select(bytes, ascii);
        let non_ascii = !ascii.shr16::<8>().pack16(simd.zero()).mask();
        put_pairs(simd, bytes, |half| (non_ascii >> (16 * half)) as u8, out);
    }
    count
}

/// The last two bytes of units from U+0080 up, except for the marker of two-byte sequences.
#[inline(always)]
pub(super) fn two_bytes<S: Simd>(simd: S, units: S::Vector) -> S::Vector {
    units
        .shr16::<6>()
        .and(simd.splat16(0x3F))
        .or(units.shl16::<8>().and(simd.splat16(0x3F00)))
        .or(simd.splat16(0x8080))
}

/// Converts a block of scalar values, some of which are above U+FFFF. If some are not scalar
/// values, returns false, and the output is unusable.
#[inline(always)]
pub(super) fn put_scalars<S: Simd, U: Units>(simd: S, src: &[u8], out: &mut Window) -> bool {
    let mut unsoundness = simd.zero();
    for number in 0..4 {
        let scalars = U::scalars(simd, src, number);
        unsoundness = unsoundness.max32(utf32::unsoundness(simd, scalars));
        put_four_scalars(simd, scalars, out);
    }
    !utf32::any_unsound(simd, unsoundness)
}

/// Converts scalar values in lanes of 32 bits, four in a half.
#[inline(always)]
fn put_four_scalars<S: Simd>(simd: S, scalars: S::Vector, out: &mut Window) {
    let two = scalars.greater_signed32(simd.splat32(0x7F));
    let three = scalars.greater_signed32(simd.splat32(0x7FF));
    let four = scalars.greater_signed32(simd.splat32(0xFFFF));
    // The last byte of an ASCII character has seven bits, others six.
    let last = simd.splat32(0x7F00_0000).and_not(two.and(simd.splat32(0x4000_0000)));
    let bytes = scalars
        .shr32::<18>()
        .or(scalars.shr32::<4>().and(simd.splat32(0x3F00)))
        .or(scalars.shl32::<10>().and(simd.splat32(0x003F_0000)))
        .or(scalars.shl32::<24>().and(last));
    // 80 C0 00 00, 80 80 E0 00 or 80 80 80 F0.
    let marks = two
        .and(simd.splat32(0x80C0_0000))
        .xor(three.and(simd.splat32(0x0040_E000)))
        .xor(four.and(simd.splat32(0x0000_60F0)));
    let bytes = bytes.or(marks);
    // The number of bytes less one: its lower bits, and its upper ones.
    let (lower, upper) = (two.xor(three).xor(four).mask32(), three.mask32());
    let bits = |half: usize| (lower >> (4 * half) & 0xF, upper >> (4 * half) & 0xF);
    let bytes = compress(simd, bytes, &LAST, |half| (bits(half).0 | bits(half).1 << 4) as usize);
    for half in 0..S::Vector::HALVES {
        let (lower, upper) = bits(half);
        let more = lower.count_ones() + 2 * upper.count_ones();
        out.put(bytes.half(half), 4, more as usize);
    }
}

/// Converts two vectors of units below U+0800. `packed` is the result of their `pack16`, and
/// `non_ascii` its mask.
#[inline(always)]
pub(super) fn put_below_0800<S: Simd>(
    simd: S,
    (a, b): (S::Vector, S::Vector),
    packed: S::Vector,
    non_ascii: u32,
    out: &mut impl Sink<<S::Vector as Vector>::Half>,
) {
    let lead = a.shr16::<6>().pack16(b.shr16::<6>()).or(simd.splat(0xC0));
    let first = lead.select(packed, simd.zero().greater_signed(packed));
    let low_bits = simd.splat16(0x3F);
    let second = a.and(low_bits).pack16(b.and(low_bits)).or(simd.splat(0x80));
    // Each half has eight units of `a`, then eight of `b`.
    for (pairs, shift) in [(first.zip_low(second), 0), (first.zip_high(second), 8)] {
        for half in 0..S::Vector::HALVES {
            let both = (non_ascii >> (16 * half + shift)) as u8;
            let bytes =
                compress(simd.half(), pairs.half(half), &ONE_OR_BOTH, |_| usize::from(both));
            out.put(bytes, 8, ones(both));
        }
    }
}

/// Converts eight units below U+0800 in a vector of 128 bits. `non_ascii` has a bit for each that is
/// not ASCII.
#[inline(always)]
pub(super) fn put_eight_below_0800<S: Simd>(
    simd: S,
    units: S::Vector,
    non_ascii: u8,
    out: &mut impl Sink<<S::Vector as Vector>::Half>,
) {
    let pairs = two_or_one(simd, units);
    let bytes = compress(simd, pairs, &ONE_OR_BOTH, |_| non_ascii.into());
    out.put(bytes.half(0), 8, ones(non_ascii));
}

/// The bytes of units below U+0800, in a lane each.
#[inline(always)]
fn two_or_one<S: Simd>(simd: S, units: S::Vector) -> S::Vector {
    let two = units
        .shr16::<6>()
        .or(units.shl16::<8>().and(simd.splat16(0x3F00)))
        .or(simd.splat16(0x80C0));
    two.select(units, units.greater_signed16(simd.splat16(0x7F)))
}

/// Converts code points up to U+00FF. The bits of `non_ascii` mark those above U+007F, which take
/// two bytes, with the lead byte C2 or C3.
#[inline(always)]
pub(super) fn put_latin1<S: Simd>(simd: S, points: S::Vector, non_ascii: u32, out: &mut Window) {
    let lead = simd.splat(0xC2).sub(points.greater_signed(simd.splat(0xBF)));
    let first = lead.select(points, simd.zero().greater_signed(points));
    let second = points.and(simd.splat(0xBF));
    let (low, high) = (first.zip_low(second), first.zip_high(second));
    let index = |byte: usize| (non_ascii >> byte & 0xFF) as usize;
    let low = compress(simd, low, &ONE_OR_BOTH, |half| index(16 * half));
    let high = compress(simd, high, &ONE_OR_BOTH, |half| index(16 * half + 8));
    let before =
        |byte: u32| byte as usize + (non_ascii & !(u32::MAX << byte)).count_ones() as usize;
    for half in 0..S::Vector::HALVES {
        low.half(half).store(&mut out.bytes[before(16 * half as u32)..]);
        high.half(half).store(&mut out.bytes[before(16 * half as u32 + 8)..]);
    }
    out.fixed += S::Vector::BYTES;
    out.more += non_ascii.count_ones() as usize;
}

/// The units that are surrogates beginning with these six bits.
#[inline(always)]
fn surrogate<S: Simd>(simd: S, units: S::Vector, bits: u16) -> S::Vector {
    units.and(simd.splat16(0xFC00)).equal16(simd.splat16(bits))
}

/// Converts units of three bytes.
#[inline(always)]
pub(super) fn put_threes<S: Simd>(simd: S, units: S::Vector, out: &mut Window) {
    let first = units.shr16::<12>().or(simd.splat16(0xE0));
    let bytes = two_bytes(simd, units);
    let order = simd.repeat([0, 2, 3, 4, 6, 7, 8, 10, 11, 12, 14, 15, NONE, NONE, NONE, NONE]);
    let low = order.lookup(first.zip_low16(bytes));
    let high = order.lookup(first.zip_high16(bytes));
    for half in 0..S::Vector::HALVES {
        out.put(low.half(half), 12, 0);
        out.put(high.half(half), 12, 0);
    }
}

/// Two bits for each unit: whether it gives a second byte, and a third. `two` marks the units that
/// have no more than two.
#[inline(always)]
pub(super) fn more_bytes<S: Simd>(simd: S, units: S::Vector, two: S::Vector) -> u32 {
    let ascii = units.and(simd.splat16(0xFF80)).equal16(simd.zero());
    let every = u32::MAX >> (32 - S::Vector::BYTES);
    !two.and(ascii.or(simd.splat16(0xFF00))).mask() & every
}

/// Converts units of any kind. `bytes` are the last two bytes of each, and `more` is the result of
/// [`more_bytes`].
#[inline(always)]
pub(super) fn put_any<S: Simd>(
    simd: S,
    units: S::Vector,
    bytes: S::Vector,
    more: u32,
    out: &mut impl Sink<<S::Vector as Vector>::Half>,
) {
    // The byte of an ASCII character comes second, where nothing else uses it.
    let first = units.shr16::<12>().or(units.shl16::<8>()).or(simd.splat16(0xE0));
    let low = first.zip_low16(bytes);
    let high = first.zip_high16(bytes);
    for half in 0..S::Vector::HALVES {
        for (lanes, shift) in [(low, 16 * half), (high, 16 * half + 8)] {
            let more = (more >> shift) as u8;
            let bytes = compress(simd.half(), lanes.half(half), &UP_TO_THREE, |_| more.into());
            out.put(bytes, 4, ones(more));
        }
    }
}

/// Writes lanes of 16 bits: the first byte, or both where the index of the half has a bit.
#[inline(always)]
pub(super) fn put_pairs<S: Simd>(
    simd: S,
    pairs: S::Vector,
    both: impl Fn(usize) -> u8,
    out: &mut Window,
) {
    let bytes = compress(simd, pairs, &ONE_OR_BOTH, |half| both(half).into());
    for half in 0..S::Vector::HALVES {
        out.put(bytes.half(half), 8, ones(both(half)));
    }
}

/// The number of bits set.
#[inline(always)]
fn ones(bits: u8) -> usize {
    u64::from(bits).count_ones() as usize
}

/// The space that [`put_twelve`] needs: three bytes for each of ten units, and a vector after them.
pub(in super::super) const TWELVE: usize = 30 + 16;

/// Converts up to twelve units, six in each half of a vector of 256 bits; `those` are the first of them.
/// Returns the number of bytes of each, if all take two, or all three.
#[inline(always)]
pub(in super::super) fn put_twelve<S: Simd>(
    simd: S,
    units: S::Vector,
    those: u32,
    dst: &mut [u8; TWELVE],
) -> Option<usize> {
    let class = units.and(simd.splat16(0xF800));
    let below_0800 = class.equal16(simd.zero());
    let ascii = units.and(simd.splat16(0xFF80)).equal16(simd.zero());
    let twos = below_0800.and_not(ascii).mask();
    let bytes = two_bytes(simd, units);
    if twos & those == those {
        let bytes = bytes.or(simd.splat16(0x0040));
        bytes.half(0).store(&mut dst[..]);
        bytes.half(1).store(&mut dst[12..]);
        return Some(2);
    }
    let surrogates = class.equal16(simd.splat16(0xD800));
    if below_0800.or(surrogates).mask() & those != 0 {
        return None;
    }
    let first = units.shr16::<12>().or(simd.splat16(0xE0));
    let order = simd.repeat([0, 2, 3, 4, 6, 7, 8, 10, 11, 12, 14, 15, NONE, NONE, NONE, NONE]);
    let low = order.lookup(first.zip_low16(bytes));
    let high = order.lookup(first.zip_high16(bytes));
    low.half(0).store(&mut dst[..]);
    high.half(0).store(&mut dst[12..]);
    low.half(1).store(&mut dst[18..]);
    high.half(1).store(&mut dst[30..]);
    Some(3)
}
