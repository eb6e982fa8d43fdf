//! The token and the vector of SSE4.2.

use crate::simd::{Simd, Vector, first};
use core::arch::x86_64::*;

/// Invariant: a value exists only in code that runs with SSE4.2 and SSSE3; see `new`.
#[derive(Clone, Copy)]
pub(crate) struct Sse42(());

impl Sse42 {
    /// Safe to call only from code with these features.
    #[inline]
    #[target_feature(enable = "sse4.2,ssse3,popcnt")]
    pub(crate) fn new() -> Self {
        Self(())
    }

    /// The same vectors under AVX2, which includes SSE4.2.
    #[inline(always)]
    pub(in crate::arch::x86_64) fn within(_: super::super::avx2::Avx2) -> Self {
        Self(())
    }
}

/// Invariant: as for [`Sse42`], from which it comes.
#[derive(Clone, Copy)]
pub(crate) struct V128(__m128i);

impl V128 {
    /// The same register under AVX2, which includes SSE4.2.
    #[inline(always)]
    pub(in crate::arch::x86_64) fn within(_: super::super::avx2::V256, register: __m128i) -> Self {
        Self(register)
    }
}

/// Methods of the token that are one intrinsic.
macro_rules! constructors {
    ($( $name:ident($value:ident: $type:ty) = $intrinsic:ident($argument:expr); )*) => { $(
        #[inline(always)]
        fn $name(self, $value: $type) -> V128 {
            // SAFETY: the invariant of `Sse42`.
            V128(unsafe { $intrinsic($argument) })
        }
    )* };
}

/// Methods of two vectors that are one intrinsic.
macro_rules! binary {
    ($( $name:ident = $intrinsic:ident; )*) => { $(
        #[inline(always)]
        fn $name(self, other: Self) -> Self {
            // SAFETY: the invariant of `V128`.
            Self(unsafe { $intrinsic(self.0, other.0) })
        }
    )* };
}

/// Methods that shift by a constant.
macro_rules! shifts {
    ($( $name:ident = $intrinsic:ident; )*) => { $(
        #[inline(always)]
        fn $name<const BITS: i32>(self) -> Self {
            // SAFETY: the invariant of `V128`.
            Self(unsafe { $intrinsic::<BITS>(self.0) })
        }
    )* };
}

impl Simd for Sse42 {
    type Vector = V128;
    type Half = Self;

    #[inline(always)]
    fn half(self) -> Self {
        self
    }

    #[inline(always)]
    fn load(self, src: &[u8]) -> V128 {
        let octets: &[u8; 16] = &first(src);
        // SAFETY: sixteen bytes are readable; alignment does not matter; the invariant of `Sse42`.
        V128(unsafe { _mm_loadu_si128(octets.as_ptr().cast()) })
    }

    constructors! {
        load_widened16(src: &[u8]) = octets8_to_16(first(src));
        load_widened32(src: &[u8]) = octets4_to_32(first(src));
        load_units_widened32(src: &[u8]) = units4_to_32(first(src));
        splat(octet: u8) = _mm_set1_epi8(octet as i8);
        splat16(value: u16) = _mm_set1_epi16(value as i16);
        splat32(value: u32) = _mm_set1_epi32(value as i32);
    }

    #[inline(always)]
    fn load_halves<'a>(self, half: impl Fn(usize) -> &'a [u8; 16]) -> V128 {
        self.load(half(0))
    }

    #[inline(always)]
    fn repeat(self, octets: [u8; 16]) -> V128 {
        self.load(&octets)
    }
}

#[inline]
#[target_feature(enable = "sse4.1")]
fn octets8_to_16(octets: [u8; 8]) -> __m128i {
    _mm_cvtepu8_epi16(_mm_cvtsi64_si128(i64::from_le_bytes(octets)))
}

#[inline]
#[target_feature(enable = "sse4.1")]
fn octets4_to_32(octets: [u8; 4]) -> __m128i {
    _mm_cvtepu8_epi32(_mm_cvtsi32_si128(i32::from_le_bytes(octets)))
}

#[inline]
#[target_feature(enable = "sse4.1")]
fn units4_to_32(octets: [u8; 8]) -> __m128i {
    _mm_cvtepu16_epi32(_mm_cvtsi64_si128(i64::from_le_bytes(octets)))
}

impl Vector for V128 {
    type Simd = Sse42;
    type Half = Self;
    type Bits = u64;
    const OCTETS: usize = 16;

    #[inline(always)]
    fn half(self, number: usize) -> Self {
        debug_assert_eq!(number, 0);
        self
    }

    #[inline(always)]
    fn store(self, dst: &mut [u8]) {
        let octets: &mut [u8; 16] = dst.first_chunk_mut().expect("enough space for a vector");
        // SAFETY: sixteen bytes are writable; alignment does not matter; the invariant of `V128`.
        unsafe { _mm_storeu_si128(octets.as_mut_ptr().cast(), self.0) }
    }

    binary! {
        and = _mm_and_si128;
        or = _mm_or_si128;
        xor = _mm_xor_si128;
        add = _mm_add_epi8;
        sub = _mm_sub_epi8;
        add16 = _mm_add_epi16;
        sub16 = _mm_sub_epi16;
        add32 = _mm_add_epi32;
        sub32 = _mm_sub_epi32;
        add_saturating = _mm_adds_epu8;
        sub_saturating = _mm_subs_epu8;
        add_saturating16 = _mm_adds_epu16;
        sub_saturating16 = _mm_subs_epu16;
        min = _mm_min_epu8;
        max = _mm_max_epu8;
        min16 = _mm_min_epu16;
        max16 = _mm_max_epu16;
        min32 = _mm_min_epu32;
        max32 = _mm_max_epu32;
        equal = _mm_cmpeq_epi8;
        equal16 = _mm_cmpeq_epi16;
        equal32 = _mm_cmpeq_epi32;
        greater_signed = _mm_cmpgt_epi8;
        greater_signed16 = _mm_cmpgt_epi16;
        greater_signed32 = _mm_cmpgt_epi32;
        zip_low = _mm_unpacklo_epi8;
        zip_high = _mm_unpackhi_epi8;
        zip_low16 = _mm_unpacklo_epi16;
        zip_high16 = _mm_unpackhi_epi16;
        pack16 = _mm_packus_epi16;
        pack32 = _mm_packus_epi32;
        narrow16 = _mm_packus_epi16;
        narrow32 = _mm_packus_epi32;
    }

    shifts! {
        shl16 = _mm_slli_epi16;
        shr16 = _mm_srli_epi16;
        shl32 = _mm_slli_epi32;
        shr32 = _mm_srli_epi32;
    }

    #[inline(always)]
    fn and_not(self, other: Self) -> Self {
        // SAFETY: the invariant of `V128`.
        Self(unsafe { _mm_andnot_si128(other.0, self.0) })
    }

    #[inline(always)]
    fn select(self, other: Self, mask: Self) -> Self {
        // SAFETY: the invariant of `V128`.
        Self(unsafe { _mm_blendv_epi8(other.0, self.0, mask.0) })
    }

    #[inline(always)]
    fn high_nibbles(self) -> Self {
        self.shr16::<4>().and(Sse42(()).splat(0x0F))
    }

    #[inline(always)]
    fn lookup(self, table: Self) -> Self {
        // SAFETY: the invariant of `V128`.
        Self(unsafe { _mm_shuffle_epi8(table.0, self.0) })
    }

    #[inline(always)]
    fn swap16(self) -> Self {
        let order = Sse42(()).repeat([1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14]);
        order.lookup(self)
    }

    #[inline(always)]
    fn swap32(self) -> Self {
        let order = Sse42(()).repeat([3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12]);
        order.lookup(self)
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
        // SAFETY: the invariant of `V128`.
        unsafe { _mm_movemask_epi8(self.0) as u32 }
    }

    #[inline(always)]
    fn mask32(self) -> u32 {
        // SAFETY: the invariant of `V128`.
        unsafe { _mm_movemask_ps(_mm_castsi128_ps(self.0)) as u32 }
    }

    #[inline(always)]
    fn any_high(self) -> bool {
        self.mask() != 0
    }

    #[inline(always)]
    fn any(self) -> bool {
        // SAFETY: the invariant of `V128`.
        unsafe { _mm_testz_si128(self.0, self.0) == 0 }
    }

    #[inline(always)]
    fn sum(self) -> u64 {
        // SAFETY: the invariant of `V128`.
        unsafe { sum(self.0) }
    }
}

#[inline]
#[target_feature(enable = "sse4.1")]
fn sum(octets: __m128i) -> u64 {
    let sums = _mm_sad_epu8(octets, _mm_setzero_si128());
    (_mm_cvtsi128_si64(sums) + _mm_extract_epi64::<1>(sums)) as u64
}
