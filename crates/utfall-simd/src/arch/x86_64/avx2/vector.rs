//! The token and the vector of AVX2.

use super::super::sse42::{Sse42, V128};
use crate::simd::{Simd, Vector, first};
use core::arch::x86_64::*;

/// Invariant: a value exists only in code that runs with AVX2; see `new`.
#[derive(Clone, Copy)]
pub(crate) struct Avx2(());

impl Avx2 {
    /// Safe to call only from code with these features.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    pub(crate) fn new() -> Self {
        Self(())
    }
}

/// Invariant: as for [`Avx2`], from which it comes.
#[derive(Clone, Copy)]
pub(crate) struct V256(__m256i);

/// Methods of the token that are one intrinsic.
macro_rules! constructors {
    ($( $name:ident($value:ident: $type:ty) = $intrinsic:ident($argument:expr); )*) => { $(
        #[inline(always)]
        fn $name(self, $value: $type) -> V256 {
            // SAFETY: the invariant of `Avx2`.
            V256(unsafe { $intrinsic($argument) })
        }
    )* };
}

/// Methods of two vectors that are one intrinsic.
macro_rules! binary {
    ($( $name:ident = $intrinsic:ident; )*) => { $(
        #[inline(always)]
        fn $name(self, other: Self) -> Self {
            // SAFETY: the invariant of `V256`.
            Self(unsafe { $intrinsic(self.0, other.0) })
        }
    )* };
}

/// Methods that shift by a constant.
macro_rules! shifts {
    ($( $name:ident = $intrinsic:ident; )*) => { $(
        #[inline(always)]
        fn $name<const BITS: i32>(self) -> Self {
            // SAFETY: the invariant of `V256`.
            Self(unsafe { $intrinsic::<BITS>(self.0) })
        }
    )* };
}

impl Simd for Avx2 {
    type Vector = V256;
    type Half = Sse42;

    #[inline(always)]
    fn half(self) -> Sse42 {
        Sse42::within(self)
    }

    #[inline(always)]
    fn load(self, src: &[u8]) -> V256 {
        let octets: &[u8; 32] = &first(src);
        // SAFETY: 32 bytes are readable; alignment does not matter; the invariant of `Avx2`.
        V256(unsafe { _mm256_loadu_si256(octets.as_ptr().cast()) })
    }

    constructors! {
        load_widened16(src: &[u8]) = octets16_to_16(first(src));
        load_widened32(src: &[u8]) = octets8_to_32(first(src));
        load_units_widened32(src: &[u8]) = units8_to_32(first(src));
        repeat(octets: [u8; 16]) = repeat(octets);
        splat(octet: u8) = _mm256_set1_epi8(octet as i8);
        splat16(value: u16) = _mm256_set1_epi16(value as i16);
        splat32(value: u32) = _mm256_set1_epi32(value as i32);
    }

    #[inline(always)]
    fn load_halves<'a>(self, half: impl Fn(usize) -> &'a [u8; 16]) -> V256 {
        // SAFETY: the invariant of `Avx2`.
        V256(unsafe { halves(*half(0), *half(1)) })
    }
}

#[inline]
#[target_feature(enable = "avx2")]
fn octets16_to_16(octets: [u8; 16]) -> __m256i {
    _mm256_cvtepu8_epi16(register(octets))
}

#[inline]
#[target_feature(enable = "avx2")]
fn octets8_to_32(octets: [u8; 8]) -> __m256i {
    _mm256_cvtepu8_epi32(_mm_cvtsi64_si128(i64::from_le_bytes(octets)))
}

#[inline]
#[target_feature(enable = "avx2")]
fn units8_to_32(octets: [u8; 16]) -> __m256i {
    _mm256_cvtepu16_epi32(register(octets))
}

#[inline]
#[target_feature(enable = "avx2")]
fn halves(low: [u8; 16], high: [u8; 16]) -> __m256i {
    _mm256_set_m128i(register(high), register(low))
}

#[inline]
#[target_feature(enable = "avx2")]
fn repeat(octets: [u8; 16]) -> __m256i {
    _mm256_broadcastsi128_si256(register(octets))
}

#[inline]
#[target_feature(enable = "avx2")]
fn register(octets: [u8; 16]) -> __m128i {
    let ([low, high], []) = octets.as_chunks() else { unreachable!() };
    _mm_set_epi64x(i64::from_le_bytes(*high), i64::from_le_bytes(*low))
}

impl Vector for V256 {
    type Simd = Avx2;
    type Half = V128;
    type Bits = u64;
    const OCTETS: usize = 32;

    #[inline(always)]
    fn half(self, number: usize) -> V128 {
        let half = if number == 0 {
            // SAFETY: the invariant of `V256`.
            unsafe { _mm256_castsi256_si128(self.0) }
        } else {
            // SAFETY: the invariant of `V256`.
            unsafe { _mm256_extracti128_si256::<1>(self.0) }
        };
        V128::within(self, half)
    }

    #[inline(always)]
    fn store(self, dst: &mut [u8]) {
        let octets: &mut [u8; 32] = dst.first_chunk_mut().expect("enough space for a vector");
        // SAFETY: 32 bytes are writable; alignment does not matter; the invariant of `V256`.
        unsafe { _mm256_storeu_si256(octets.as_mut_ptr().cast(), self.0) }
    }

    binary! {
        and = _mm256_and_si256;
        or = _mm256_or_si256;
        xor = _mm256_xor_si256;
        add = _mm256_add_epi8;
        sub = _mm256_sub_epi8;
        add16 = _mm256_add_epi16;
        sub16 = _mm256_sub_epi16;
        add32 = _mm256_add_epi32;
        sub32 = _mm256_sub_epi32;
        add_saturating = _mm256_adds_epu8;
        sub_saturating = _mm256_subs_epu8;
        add_saturating16 = _mm256_adds_epu16;
        sub_saturating16 = _mm256_subs_epu16;
        min = _mm256_min_epu8;
        max = _mm256_max_epu8;
        min16 = _mm256_min_epu16;
        max16 = _mm256_max_epu16;
        min32 = _mm256_min_epu32;
        max32 = _mm256_max_epu32;
        equal = _mm256_cmpeq_epi8;
        equal16 = _mm256_cmpeq_epi16;
        equal32 = _mm256_cmpeq_epi32;
        greater_signed = _mm256_cmpgt_epi8;
        greater_signed16 = _mm256_cmpgt_epi16;
        greater_signed32 = _mm256_cmpgt_epi32;
        zip_low = _mm256_unpacklo_epi8;
        zip_high = _mm256_unpackhi_epi8;
        zip_low16 = _mm256_unpacklo_epi16;
        zip_high16 = _mm256_unpackhi_epi16;
        pack16 = _mm256_packus_epi16;
        pack32 = _mm256_packus_epi32;
        narrow16 = narrow16;
        narrow32 = narrow32;
    }

    shifts! {
        shl16 = _mm256_slli_epi16;
        shr16 = _mm256_srli_epi16;
        shl32 = _mm256_slli_epi32;
        shr32 = _mm256_srli_epi32;
    }

    #[inline(always)]
    fn and_not(self, other: Self) -> Self {
        // SAFETY: the invariant of `V256`.
        Self(unsafe { _mm256_andnot_si256(other.0, self.0) })
    }

    #[inline(always)]
    fn select(self, other: Self, mask: Self) -> Self {
        // SAFETY: the invariant of `V256`.
        Self(unsafe { _mm256_blendv_epi8(other.0, self.0, mask.0) })
    }

    #[inline(always)]
    fn high_nibbles(self) -> Self {
        self.shr16::<4>().and(Avx2(()).splat(0x0F))
    }

    #[inline(always)]
    fn lookup(self, table: Self) -> Self {
        // SAFETY: the invariant of `V256`.
        Self(unsafe { _mm256_shuffle_epi8(table.0, self.0) })
    }

    #[inline(always)]
    fn swap16(self) -> Self {
        let order = Avx2(()).repeat([1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14]);
        order.lookup(self)
    }

    #[inline(always)]
    fn swap32(self) -> Self {
        let order = Avx2(()).repeat([3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12]);
        order.lookup(self)
    }

    #[inline(always)]
    fn widen16(self) -> [Self; 2] {
        // SAFETY: the invariant of `V256`.
        unsafe { [Self(low16_to_32(self.0)), Self(high16_to_32(self.0))] }
    }

    #[inline(always)]
    fn narrow32_16(self, [b, c, d]: [Self; 3]) -> Self {
        let halves = self.pack32(b).pack16(c.pack32(d));
        // SAFETY: the invariant of `V256`.
        Self(unsafe { in_order(halves.0) })
    }

    #[inline(always)]
    fn mask(self) -> u32 {
        // SAFETY: the invariant of `V256`.
        unsafe { _mm256_movemask_epi8(self.0) as u32 }
    }

    #[inline(always)]
    fn mask32(self) -> u32 {
        // SAFETY: the invariant of `V256`.
        unsafe { _mm256_movemask_ps(_mm256_castsi256_ps(self.0)) as u32 }
    }

    #[inline(always)]
    fn any_high(self) -> bool {
        self.mask() != 0
    }

    #[inline(always)]
    fn any(self) -> bool {
        // SAFETY: the invariant of `V256`.
        unsafe { _mm256_testz_si256(self.0, self.0) == 0 }
    }

    #[inline(always)]
    fn sum(self) -> u64 {
        // SAFETY: the invariant of `V256`.
        unsafe { sum(self.0) }
    }
}

#[inline]
#[target_feature(enable = "avx2")]
fn narrow16(a: __m256i, b: __m256i) -> __m256i {
    _mm256_permute4x64_epi64::<0b11_01_10_00>(_mm256_packus_epi16(a, b))
}

#[inline]
#[target_feature(enable = "avx2")]
fn narrow32(a: __m256i, b: __m256i) -> __m256i {
    _mm256_permute4x64_epi64::<0b11_01_10_00>(_mm256_packus_epi32(a, b))
}

#[inline]
#[target_feature(enable = "avx2")]
fn low16_to_32(units: __m256i) -> __m256i {
    _mm256_cvtepu16_epi32(_mm256_castsi256_si128(units))
}

#[inline]
#[target_feature(enable = "avx2")]
fn high16_to_32(units: __m256i) -> __m256i {
    _mm256_cvtepu16_epi32(_mm256_extracti128_si256::<1>(units))
}

/// Interleaves groups of four bytes from the two halves.
#[inline]
#[target_feature(enable = "avx2")]
fn in_order(halves: __m256i) -> __m256i {
    _mm256_permutevar8x32_epi32(halves, _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7))
}

#[inline]
#[target_feature(enable = "avx2")]
fn sum(octets: __m256i) -> u64 {
    let sums = _mm256_sad_epu8(octets, _mm256_setzero_si256());
    let sums = _mm_add_epi64(_mm256_castsi256_si128(sums), _mm256_extracti128_si256::<1>(sums));
    (_mm_cvtsi128_si64(sums) + _mm_extract_epi64::<1>(sums)) as u64
}
