//! Vectors of 128 and 256 bits, as used by the algorithms in `generic/`.
//!
//! A [`Simd`] is a token: a value of it exists only in code that runs with the features of its
//! instruction set, because its constructor is a `#[target_feature]` function. A [`Vector`] comes
//! only from a token or another vector, so having one proves the same. All methods are
//! `#[inline(always)]` and must end up in a `#[target_feature]` kernel. If the assembly still
//! contains a call of one, a feature was lost on the way.
//!
//! Each operation is one to three instructions on SSE4.2, AVX2, NEON and wasm simd128. A 256-bit
//! vector behaves as two of 128 bits side by side: nothing crosses the middle unless a method's
//! documentation says so. Operations that depend on the byte order in memory go through
//! [`half`](Vector::half).
//!
//! Add a method when a second algorithm needs it.

/// The token of an instruction set.
pub(crate) trait Simd: Copy {
    /// The widest vector of the instruction set.
    type Vector: Vector<Simd = Self>;
    /// The token of the 128-bit vectors: this one, if they are the widest.
    type Half: Simd<Vector = <Self::Vector as Vector>::Half>;

    /// The token of the 128-bit vectors.
    fn half(self) -> Self::Half;
    /// Loads the first bytes of `src`, which must fill a vector. The check disappears where the
    /// compiler knows the length, as for a part of a block.
    fn load(self, src: &[u8]) -> Self::Vector;
    /// Loads as many bytes of `src` as a vector has 16-bit lanes, one into each, across the
    /// middle.
    fn load_widened16(self, src: &[u8]) -> Self::Vector;
    /// Loads as many bytes of `src` as a vector has 32-bit lanes, one into each, across the
    /// middle.
    fn load_widened32(self, src: &[u8]) -> Self::Vector;
    /// Loads as many 16-bit units of `src` as a vector has 32-bit lanes, one into each, across the
    /// middle.
    fn load_units_widened32(self, src: &[u8]) -> Self::Vector;
    /// The same sixteen bytes in each half.
    fn repeat(self, bytes: [u8; 16]) -> Self::Vector;
    /// Sixteen bytes for each half, given its number.
    fn load_halves<'a>(self, half: impl Fn(usize) -> &'a [u8; 16]) -> Self::Vector;
    /// The same byte everywhere.
    fn splat(self, byte: u8) -> Self::Vector;
    /// The same 16 bits everywhere.
    fn splat16(self, value: u16) -> Self::Vector;
    /// The same 32 bits everywhere.
    fn splat32(self, value: u32) -> Self::Vector;
    /// No bit set.
    #[inline(always)]
    fn zero(self) -> Self::Vector {
        self.splat(0)
    }
    /// A table for [`Vector::lookup128`].
    fn table128(self, bytes: &[u8; 128]) -> [Self::Vector; 8];
    /// An accumulator for the bits of a block.
    #[inline(always)]
    fn bits(self) -> <Self::Vector as Vector>::Bits {
        Bits::new(self)
    }
}

/// A register of [`BYTES`](Self::BYTES) bytes. Lanes are in memory order and little-endian. The
/// number in a method's name is the width of a lane in bits; without a number it is 8, or does not
/// matter.
pub(crate) trait Vector: Copy {
    /// The token that makes this vector.
    type Simd: Simd<Vector = Self>;
    /// The vector of 128 bits.
    type Half: Vector<Half = Self::Half>;
    /// The masks of the vectors of a block, combined.
    type Bits: Bits<Self>;
    /// 16 or 32.
    const BYTES: usize;
    /// 1 or 2.
    const HALVES: usize = Self::BYTES / 16;

    /// The half with this number, the lower one first.
    fn half(self, number: usize) -> Self::Half;
    /// Writes all bytes to the start of `dst`, which must have space for them.
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
    /// The difference, at least 0.
    fn sub_saturating(self, other: Self) -> Self;

    fn min(self, other: Self) -> Self;
    fn max(self, other: Self) -> Self;
    fn max32(self, other: Self) -> Self;

    /// All bits of a lane are set if equal, none if not. The same holds for every comparison.
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
    /// The upper four bits of each byte, as a number.
    fn high_nibbles(self) -> Self;
    /// Each byte of `self` is an index into the sixteen bytes of `table` in the same half. It is 0
    /// to 15, or has its highest bit set to give 0. The result for other indices is unspecified.
    fn lookup(self, table: Self) -> Self;
    /// Each byte of `self` is an index into 128 bytes, of which [`Simd::table128`] made `table`, or
    /// has its highest bit set to give 0.
    fn lookup128(self, table: &[Self; 8]) -> Self;
    /// Swaps the bytes of each 16-bit lane.
    fn swap16(self) -> Self;
    /// Reverses the bytes of each 32-bit lane.
    fn swap32(self) -> Self;

    /// Interleaves the lower eight bytes of each half: `self[0], other[0], self[1], …`.
    fn zip_low(self, other: Self) -> Self;
    /// Interleaves the upper eight bytes of each half.
    fn zip_high(self, other: Self) -> Self;
    fn zip_low16(self, other: Self) -> Self;
    fn zip_high16(self, other: Self) -> Self;
    /// The 16-bit lanes of `self`, then of `other`, as bytes, in each half. Lanes are signed and
    /// saturate: above 255 to 255, below 0 to 0.
    fn pack16(self, other: Self) -> Self;
    /// The 32-bit lanes of `self`, then of `other`, in 16 bits, in each half. Lanes are signed and
    /// saturate: above 65,535 to 65,535, below 0 to 0.
    fn pack32(self, other: Self) -> Self;

    /// Like [`pack16`](Self::pack16), across the middle: all lanes of `self` come first.
    fn narrow16(self, other: Self) -> Self;
    /// Like [`pack32`](Self::pack32), across the middle: all lanes of `self` come first.
    fn narrow32(self, other: Self) -> Self;

    /// The lower and the upper half of the 16-bit lanes, in 32 bits each, across the middle.
    fn widen16(self) -> [Self; 2];

    /// The 32-bit lanes of this and three other vectors as bytes, across the middle: the result of
    /// `pack32` followed by `pack16`.
    fn narrow32_16(self, others: [Self; 3]) -> Self;

    /// The highest bit of each byte, that of the first byte lowest.
    fn mask(self) -> u32;
    /// The highest bit of each 32-bit lane, that of the first lane lowest.
    fn mask32(self) -> u32;
    /// Whether the highest bit of any byte is set.
    fn any_high(self) -> bool;
    /// Whether any bit is set.
    fn any(self) -> bool;
    /// The sum of all bytes.
    fn sum(self) -> u64;
}

/// The [`mask`](Vector::mask)s of the vectors of a block, combined. NEON has no instruction for a
/// single mask, but is quick with four.
pub(crate) trait Bits<V: Vector>: Copy {
    fn new(simd: V::Simd) -> Self;
    /// Adds the vector that begins at this offset.
    fn put(&mut self, at: usize, vector: V);
    /// The highest bit of each byte, that of the first byte lowest.
    fn get(self) -> u64;
}

/// For instruction sets that have a mask instruction.
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
    *src.first_chunk().expect("enough bytes for a vector")
}
