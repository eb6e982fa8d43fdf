//! The token and the vector of simd128.
//!
//! This file is only part of builds with the feature. Nothing depends on who has a token, and all
//! intrinsics are safe except those that load and store.

use crate::simd::{Simd, Vector, first};
use core::arch::wasm32::*;

/// The token.
#[derive(Clone, Copy)]
pub(crate) struct Simd128(());

impl Simd128 {
    #[inline(always)]
    pub(crate) fn new() -> Self {
        Self(())
    }
}

#[derive(Clone, Copy)]
pub(crate) struct V128(v128);

/// Methods of the token that are one intrinsic.
macro_rules! constructors {
    ($( $name:ident($value:ident: $type:ty) = $register:expr; )*) => { $(
        #[inline(always)]
        fn $name(self, $value: $type) -> V128 {
            V128($register)
        }
    )* };
}

/// Methods of two vectors that are one intrinsic.
macro_rules! binary {
    ($( $name:ident = $intrinsic:ident; )*) => { $(
        #[inline(always)]
        fn $name(self, other: Self) -> Self {
            Self($intrinsic(self.0, other.0))
        }
    )* };
}

/// Methods that shift by a constant.
macro_rules! shifts {
    ($( $name:ident = $intrinsic:ident; )*) => { $(
        #[inline(always)]
        fn $name<const BITS: i32>(self) -> Self {
            Self($intrinsic(self.0, BITS as u32))
        }
    )* };
}

impl Simd for Simd128 {
    type Vector = V128;
    type Half = Self;

    #[inline(always)]
    fn half(self) -> Self {
        self
    }

    #[inline(always)]
    fn load(self, src: &[u8]) -> V128 {
        let bytes: &[u8; 16] = &first(src);
        // SAFETY: sixteen bytes are readable; alignment does not matter.
        V128(unsafe { v128_load(bytes.as_ptr().cast()) })
    }

    constructors! {
        load_widened16(src: &[u8]) = u16x8_extend_low_u8x16(eight(first(src)));
        load_widened32(src: &[u8]) = bytes4_to_32(first(src));
        load_units_widened32(src: &[u8]) = u32x4_extend_low_u16x8(eight(first(src)));
        splat(byte: u8) = u8x16_splat(byte);
        splat16(value: u16) = u16x8_splat(value);
        splat32(value: u32) = u32x4_splat(value);
    }

    #[inline(always)]
    fn table128(self, bytes: &[u8; 128]) -> [V128; 8] {
        let mut table = [self.zero(); 8];
        for (part, sixteen) in table.iter_mut().zip(bytes.as_chunks().0) {
            *part = self.repeat(*sixteen);
        }
        table
    }

    #[inline(always)]
    fn load_halves<'a>(self, half: impl Fn(usize) -> &'a [u8; 16]) -> V128 {
        self.load(half(0))
    }

    #[inline(always)]
    fn repeat(self, bytes: [u8; 16]) -> V128 {
        self.load(&bytes)
    }
}

#[inline(always)]
fn eight(bytes: [u8; 8]) -> v128 {
    u64x2(u64::from_le_bytes(bytes), 0)
}

#[inline(always)]
fn bytes4_to_32(bytes: [u8; 4]) -> v128 {
    let bytes = u32x4(u32::from_le_bytes(bytes), 0, 0, 0);
    u32x4_extend_low_u16x8(u16x8_extend_low_u8x16(bytes))
}

impl Vector for V128 {
    type Simd = Simd128;
    type Half = Self;
    type Bits = u64;
    const BYTES: usize = 16;

    #[inline(always)]
    fn half(self, number: usize) -> Self {
        debug_assert_eq!(number, 0);
        self
    }

    #[inline(always)]
    fn store(self, dst: &mut [u8]) {
        let bytes: &mut [u8; 16] = dst.first_chunk_mut().expect("enough space for a vector");
        // SAFETY: sixteen bytes are writable; alignment does not matter.
        unsafe { v128_store(bytes.as_mut_ptr().cast(), self.0) }
    }

    binary! {
        and = v128_and;
        or = v128_or;
        xor = v128_xor;
        and_not = v128_andnot;
        add = i8x16_add;
        sub = i8x16_sub;
        add16 = i16x8_add;
        sub16 = i16x8_sub;
        add32 = i32x4_add;
        sub32 = i32x4_sub;
        sub_saturating = u8x16_sub_sat;
        min = u8x16_min;
        max = u8x16_max;
        max32 = u32x4_max;
        equal = i8x16_eq;
        equal16 = i16x8_eq;
        equal32 = i32x4_eq;
        greater_signed = i8x16_gt;
        greater_signed16 = i16x8_gt;
        greater_signed32 = i32x4_gt;
        zip_low = zip_low;
        zip_high = zip_high;
        zip_low16 = zip_low16;
        zip_high16 = zip_high16;
        pack16 = u8x16_narrow_i16x8;
        pack32 = u16x8_narrow_i32x4;
        narrow16 = u8x16_narrow_i16x8;
        narrow32 = u16x8_narrow_i32x4;
    }

    shifts! {
        shl16 = i16x8_shl;
        shr16 = u16x8_shr;
        shl32 = i32x4_shl;
        shr32 = u32x4_shr;
    }

    #[inline(always)]
    fn select(self, other: Self, mask: Self) -> Self {
        Self(v128_bitselect(self.0, other.0, mask.0))
    }

    #[inline(always)]
    fn high_nibbles(self) -> Self {
        Self(u8x16_shr(self.0, 4))
    }

    #[inline(always)]
    fn lookup(self, table: Self) -> Self {
        Self(u8x16_swizzle(table.0, self.0))
    }

    #[inline(always)]
    fn swap16(self) -> Self {
        Self(u8x16_shuffle::<1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14>(self.0, self.0))
    }

    #[inline(always)]
    fn swap32(self) -> Self {
        Self(u8x16_shuffle::<3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12>(self.0, self.0))
    }

    #[inline(always)]
    fn lookup128(self, table: &[Self; 8]) -> Self {
        // Indices above 15 give 0.
        let (mut index, mut found) = (self, self.lookup(table[0]));
        for part in &table[1..] {
            index = index.sub(Simd128(()).splat(16));
            found = found.or(index.lookup(*part));
        }
        found
    }

    #[inline(always)]
    fn widen16(self) -> [Self; 2] {
        let zero = self.xor(self);
        [self.zip_low16(zero), self.zip_high16(zero)]
    }

    #[inline(always)]
    fn narrow32_16(self, [b, c, d]: [Self; 3]) -> Self {
        self.pack32(b).pack16(c.pack32(d))
    }

    #[inline(always)]
    fn mask(self) -> u32 {
        u8x16_bitmask(self.0).into()
    }

    #[inline(always)]
    fn mask32(self) -> u32 {
        u32x4_bitmask(self.0).into()
    }

    #[inline(always)]
    fn any_high(self) -> bool {
        self.mask() != 0
    }

    #[inline(always)]
    fn any(self) -> bool {
        v128_any_true(self.0)
    }

    #[inline(always)]
    fn sum(self) -> u64 {
        let sums = u32x4_extadd_pairwise_u16x8(u16x8_extadd_pairwise_u8x16(self.0));
        let [a, b, c, d] = [
            u32x4_extract_lane::<0>(sums),
            u32x4_extract_lane::<1>(sums),
            u32x4_extract_lane::<2>(sums),
            u32x4_extract_lane::<3>(sums),
        ];
        u64::from(a + b + c + d)
    }
}

#[inline(always)]
fn zip_low(a: v128, b: v128) -> v128 {
    u8x16_shuffle::<0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23>(a, b)
}

#[inline(always)]
fn zip_high(a: v128, b: v128) -> v128 {
    u8x16_shuffle::<8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31>(a, b)
}

#[inline(always)]
fn zip_low16(a: v128, b: v128) -> v128 {
    u16x8_shuffle::<0, 8, 1, 9, 2, 10, 3, 11>(a, b)
}

#[inline(always)]
fn zip_high16(a: v128, b: v128) -> v128 {
    u16x8_shuffle::<4, 12, 5, 13, 6, 14, 7, 15>(a, b)
}
