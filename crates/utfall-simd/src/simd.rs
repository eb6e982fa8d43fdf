//! Vectors of 128 and 256 bits, as the algorithms in `generic/` see them.
//!
//! A [`Simd`] is a token: a value of it exists only in code that runs with the features of
//! its instruction set, because its constructor is a `#[target_feature]` function. A
//! [`Vector`] comes only from a token or another vector, so having one is the same proof.
//! All methods are `#[inline(always)]` and must end up in a `#[target_feature]` kernel; a
//! call of one left in the assembly means that a feature was lost on the way.
//!
//! Each operation is one to three instructions on SSE4.2, AVX2, NEON and wasm simd128. A
//! 256-bit vector behaves as two of 128 bits side by side: nothing moves across the middle,
//! unless a method says so. What depends on the order of octets in memory goes through
//! [`half`](Vector::half).
//!
//! A new method goes in when a second algorithm needs it.
#![allow(dead_code, reason = "kernels that use the rest are being written")]

/// The token of an instruction set.
pub(crate) trait Simd: Copy {
    /// Its widest vector.
    type Vector: Vector<Simd = Self>;
    /// The token of the 128-bit vectors; it is this one if they are the widest.
    type Half: Simd<Vector = <Self::Vector as Vector>::Half>;

    /// The token of the 128-bit vectors.
    fn half(self) -> Self::Half;
    /// The first octets of `src`, which must fill a vector. The check goes away where the
    /// compiler knows the length, as with a part of a block.
    fn load(self, src: &[u8]) -> Self::Vector;
    /// As many octets of `src` as a vector has 16-bit lanes, each in one of them, across the
    /// middle.
    fn load_widened16(self, src: &[u8]) -> Self::Vector;
    /// As many octets of `src` as a vector has 32-bit lanes, each in one of them, across the
    /// middle.
    fn load_widened32(self, src: &[u8]) -> Self::Vector;
    /// As many 16-bit units of `src` as a vector has 32-bit lanes, each in one of them, across
    /// the middle.
    fn load_units_widened32(self, src: &[u8]) -> Self::Vector;
    /// The same sixteen octets in each half.
    fn repeat(self, octets: [u8; 16]) -> Self::Vector;
    /// Sixteen octets for each half, given its number.
    fn load_halves<'a>(self, half: impl Fn(usize) -> &'a [u8; 16]) -> Self::Vector;
    /// The same octet everywhere.
    fn splat(self, octet: u8) -> Self::Vector;
    /// The same 16 bits everywhere.
    fn splat16(self, value: u16) -> Self::Vector;
    /// The same 32 bits everywhere.
    fn splat32(self, value: u32) -> Self::Vector;
    /// No bit set.
    #[inline(always)]
    fn zero(self) -> Self::Vector {
        self.splat(0)
    }
    /// For the bits of a block.
    #[inline(always)]
    fn bits(self) -> <Self::Vector as Vector>::Bits {
        Bits::new(self)
    }
}

/// A register of [`OCTETS`](Self::OCTETS) octets. Lanes are in the order of memory and
/// little-endian. The number in a method's name is the width of a lane in bits; without one
/// it is 8, or does not matter.
pub(crate) trait Vector: Copy {
    /// The token that makes it.
    type Simd: Simd<Vector = Self>;
    /// 128 bits.
    type Half: Vector<Half = Self::Half>;
    /// Its masks put together.
    type Bits: Bits<Self>;
    /// 16 or 32.
    const OCTETS: usize;
    /// 1 or 2.
    const HALVES: usize = Self::OCTETS / 16;

    /// The half with this number, the lower one first.
    fn half(self, number: usize) -> Self::Half;
    /// Writes all octets to the start of `dst`, which must have room for them.
    fn store(self, dst: &mut [u8]);

    fn and(self, other: Self) -> Self;
    fn or(self, other: Self) -> Self;
    fn xor(self, other: Self) -> Self;
    /// `self & !other`.
    fn and_not(self, other: Self) -> Self;

    fn add(self, other: Self) -> Self;
    fn sub(self, other: Self) -> Self;
    fn add16(self, other: Self) -> Self;
    fn sub16(self, other: Self) -> Self;
    fn add32(self, other: Self) -> Self;
    fn sub32(self, other: Self) -> Self;
    /// The sum, at most 255.
    fn add_saturating(self, other: Self) -> Self;
    /// The difference, at least 0.
    fn sub_saturating(self, other: Self) -> Self;
    /// The sum, at most 65,535.
    fn add_saturating16(self, other: Self) -> Self;
    /// The difference, at least 0.
    fn sub_saturating16(self, other: Self) -> Self;

    fn min(self, other: Self) -> Self;
    fn max(self, other: Self) -> Self;
    fn min16(self, other: Self) -> Self;
    fn max16(self, other: Self) -> Self;
    fn min32(self, other: Self) -> Self;
    fn max32(self, other: Self) -> Self;

    /// All bits of a lane set where equal, none where not; so for every comparison.
    fn equal(self, other: Self) -> Self;
    fn equal16(self, other: Self) -> Self;
    fn equal32(self, other: Self) -> Self;
    /// `self > other` as signed numbers.
    fn greater_signed(self, other: Self) -> Self;
    fn greater_signed16(self, other: Self) -> Self;
    fn greater_signed32(self, other: Self) -> Self;
    /// `self` where the lane of `mask` has all bits set, `other` where it has none.
    fn select(self, other: Self, mask: Self) -> Self;

    fn shl16<const BITS: i32>(self) -> Self;
    fn shr16<const BITS: i32>(self) -> Self;
    fn shl32<const BITS: i32>(self) -> Self;
    fn shr32<const BITS: i32>(self) -> Self;
    /// The upper four bits of each octet, as a number.
    fn high_nibbles(self) -> Self;
    /// Each octet of `self` is an index into the sixteen octets of `table` in the same half:
    /// 0 to 15, or with its highest bit set for 0. Other indices give anything.
    fn lookup(self, table: Self) -> Self;
    /// The octets of each 16-bit lane swapped.
    fn swap16(self) -> Self;
    /// The octets of each 32-bit lane reversed.
    fn swap32(self) -> Self;

    /// Octets of the lower eight of each half in turn: `self[0], other[0], self[1], …`.
    fn zip_low(self, other: Self) -> Self;
    /// The same of the upper eight.
    fn zip_high(self, other: Self) -> Self;
    fn zip_low16(self, other: Self) -> Self;
    fn zip_high16(self, other: Self) -> Self;
    /// The 16-bit lanes of `self`, then of `other`, as octets, in each half; a lane above 255,
    /// taken as signed, gives 255, one below 0 gives 0.
    fn pack16(self, other: Self) -> Self;
    /// The 32-bit lanes of `self`, then of `other`, in 16 bits, in each half; a lane above
    /// 65,535, taken as signed, gives 65,535, one below 0 gives 0.
    fn pack32(self, other: Self) -> Self;

    /// As [`pack16`](Self::pack16), across the middle: all lanes of `self` come first.
    fn narrow16(self, other: Self) -> Self;
    /// As [`pack32`](Self::pack32), across the middle: all lanes of `self` come first.
    fn narrow32(self, other: Self) -> Self;

    /// The lower half of the 16-bit lanes, and the upper one, in 32 bits each, across the middle.
    fn widen16(self) -> [Self; 2];

    /// The 32-bit lanes of this and three other vectors as octets, across the middle: what
    /// `pack32`, and `pack16` then, would give.
    fn narrow32_16(self, others: [Self; 3]) -> Self;

    /// The highest bit of each octet, the first one's lowest.
    fn mask(self) -> u32;
    /// The highest bit of each 32-bit lane, the first one's lowest.
    fn mask32(self) -> u32;
    /// Whether the highest bit of some octet is set.
    fn any_high(self) -> bool;
    /// Whether any bit is set.
    fn any(self) -> bool;
    /// The sum of all octets.
    fn sum(self) -> u64;
}

/// The [`mask`](Vector::mask)s of the vectors of a block, put together: NEON has no
/// instruction for one, but is quick with four.
pub(crate) trait Bits<V: Vector>: Copy {
    fn new(simd: V::Simd) -> Self;
    /// Puts in the vector that begins at this place.
    fn put(&mut self, at: usize, vector: V);
    /// The highest bit of each octet, the first one's lowest.
    fn get(self) -> u64;
}

/// For instruction sets that have an instruction.
impl<V: Vector> Bits<V> for u64 {
    #[inline(always)]
    fn new(_: V::Simd) -> Self {
        0
    }

    #[inline(always)]
    fn put(&mut self, at: usize, vector: V) {
        *self |= u64::from(vector.mask()) << at;
    }

    #[inline(always)]
    fn get(self) -> u64 {
        self
    }
}

/// The start of `src` as an array.
#[inline(always)]
pub(crate) fn first<const N: usize>(src: &[u8]) -> [u8; N] {
    *src.first_chunk().expect("enough octets for a vector")
}
