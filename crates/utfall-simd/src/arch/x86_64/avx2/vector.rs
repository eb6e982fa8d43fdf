//! The token and the vector of AVX2.

use super::super::sse42::{Sse42, V128};
use crate::simd::{Simd, Vector, first};
use core::arch::x86_64::*;

type Register = __m256i;

/// Invariant: a value exists only in code that runs with AVX2; see `new`.
#[derive(Clone, Copy)]
pub(crate) struct Avx2(());

impl Avx2 {
    featured! {
        /// Safe to call only from code with these features.
        #[inline]
        pub(crate) fn new() -> Self {
            Self(())
        }
    }
}

/// Invariant: as for [`Avx2`], from which it comes.
#[derive(Clone, Copy)]
pub(crate) struct V256(Register);

impl Simd for Avx2 {
    type Vector = V256;
    type Half = Sse42;

    #[inline(always)]
    fn half(self) -> Sse42 {
        Sse42::within(self)
    }

    #[inline(always)]
    fn load(self, src: &[u8]) -> V256 {
        let bytes: &[u8; 32] = &first(src);
        // SAFETY: 32 bytes are readable; alignment does not matter; the invariant of `Avx2`.
        V256(unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) })
    }

    constructors! { V256:
        load_widened16(src: &[u8]) = _mm256_cvtepu8_epi16(sixteen(first(src)));
        load_widened32(src: &[u8])
            = _mm256_cvtepu8_epi32(_mm_cvtsi64_si128(i64::from_le_bytes(first(src))));
        load_units_widened32(src: &[u8]) = _mm256_cvtepu16_epi32(sixteen(first(src)));
        repeat(bytes: [u8; 16]) = _mm256_broadcastsi128_si256(sixteen(bytes));
        splat(byte: u8) = _mm256_set1_epi8(byte as i8);
        splat16(value: u16) = _mm256_set1_epi16(value as i16);
        splat32(value: u32) = _mm256_set1_epi32(value as i32);
    }

    table128!(V256);

    #[inline(always)]
    fn load_halves<'a>(self, half: impl Fn(usize) -> &'a [u8; 16]) -> V256 {
        self.joined(*half(0), *half(1))
    }
}

impl Avx2 {
    constructors! { V256:
        joined(low: [u8; 16], high: [u8; 16]) = _mm256_set_m128i(sixteen(high), sixteen(low));
    }
}

featured! {
    #[inline]
    fn sixteen(bytes: [u8; 16]) -> __m128i {
        let ([low, high], []) = bytes.as_chunks() else { unreachable!() };
        _mm_set_epi64x(i64::from_le_bytes(*high), i64::from_le_bytes(*low))
    }
}

impl Vector for V256 {
    type Simd = Avx2;
    type Half = V128;
    type Bits = u64;
    const BYTES: usize = 32;

    #[inline(always)]
    fn half(self, number: usize) -> V128 {
        V128::within(self, if number == 0 { self.low() } else { self.high() })
    }

    #[inline(always)]
    fn store(self, dst: &mut [u8]) {
        let bytes: &mut [u8; 32] = dst.first_chunk_mut().expect("enough space for a vector");
        // SAFETY: 32 bytes are writable; alignment does not matter; the invariant of `V256`.
        unsafe { _mm256_storeu_si256(bytes.as_mut_ptr().cast(), self.0) }
    }

    vectors! {
        and(a, b) = _mm256_and_si256(a, b);
        or(a, b) = _mm256_or_si256(a, b);
        xor(a, b) = _mm256_xor_si256(a, b);
        and_not(a, b) = _mm256_andnot_si256(b, a);
        add(a, b) = _mm256_add_epi8(a, b);
        sub(a, b) = _mm256_sub_epi8(a, b);
        add16(a, b) = _mm256_add_epi16(a, b);
        sub16(a, b) = _mm256_sub_epi16(a, b);
        add32(a, b) = _mm256_add_epi32(a, b);
        sub32(a, b) = _mm256_sub_epi32(a, b);
        sub_saturating(a, b) = _mm256_subs_epu8(a, b);
        min(a, b) = _mm256_min_epu8(a, b);
        max(a, b) = _mm256_max_epu8(a, b);
        max32(a, b) = _mm256_max_epu32(a, b);
        equal(a, b) = _mm256_cmpeq_epi8(a, b);
        equal16(a, b) = _mm256_cmpeq_epi16(a, b);
        equal32(a, b) = _mm256_cmpeq_epi32(a, b);
        greater_signed(a, b) = _mm256_cmpgt_epi8(a, b);
        greater_signed16(a, b) = _mm256_cmpgt_epi16(a, b);
        greater_signed32(a, b) = _mm256_cmpgt_epi32(a, b);
        zip_low(a, b) = _mm256_unpacklo_epi8(a, b);
        zip_high(a, b) = _mm256_unpackhi_epi8(a, b);
        zip_low16(a, b) = _mm256_unpacklo_epi16(a, b);
        zip_high16(a, b) = _mm256_unpackhi_epi16(a, b);
        pack16(a, b) = _mm256_packus_epi16(a, b);
        pack32(a, b) = _mm256_packus_epi32(a, b);
        narrow16(a, b) = _mm256_permute4x64_epi64::<0b11_01_10_00>(_mm256_packus_epi16(a, b));
        narrow32(a, b) = _mm256_permute4x64_epi64::<0b11_01_10_00>(_mm256_packus_epi32(a, b));
        select(a, b, mask) = _mm256_blendv_epi8(b, a, mask);
        lookup(index, table) = _mm256_shuffle_epi8(table, index);
    }

    shifts! {
        shl16(a) = _mm256_slli_epi16::<BITS>(a);
        shr16(a) = _mm256_srli_epi16::<BITS>(a);
        shl32(a) = _mm256_slli_epi32::<BITS>(a);
        shr32(a) = _mm256_srli_epi32::<BITS>(a);
    }

    lookup128!(Avx2);

    #[inline(always)]
    fn high_nibbles(self) -> Self {
        self.shr16::<4>().and(Avx2(()).splat(0x0F))
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
        [self.low_widened16(), self.high_widened16()]
    }

    #[inline(always)]
    fn narrow32_16(self, [b, c, d]: [Self; 3]) -> Self {
        self.pack32(b).pack16(c.pack32(d)).in_order()
    }

    #[inline(always)]
    fn any_high(self) -> bool {
        self.mask() != 0
    }

    values! {
        mask(a) -> u32 = _mm256_movemask_epi8(a) as u32;
        mask32(a) -> u32 = _mm256_movemask_ps(_mm256_castsi256_ps(a)) as u32;
        any(a) -> bool = _mm256_testz_si256(a, a) == 0;
        sum(a) -> u64 = {
            let sums = _mm256_sad_epu8(a, _mm256_setzero_si256());
            let sums = _mm_add_epi64(low(sums), high(sums));
            (_mm_cvtsi128_si64(sums) + _mm_extract_epi64::<1>(sums)) as u64
        };
    }
}

impl V256 {
    values! {
        low(a) -> __m128i = low(a);
        high(a) -> __m128i = high(a);
    }

    vectors! {
        low_widened16(a) = _mm256_cvtepu16_epi32(low(a));
        high_widened16(a) = _mm256_cvtepu16_epi32(high(a));
    }

    vectors! {
        sub_saturating_signed(a, b) = _mm256_subs_epi8(a, b);
    }

    // `in_order` interleaves groups of four bytes from the two halves.
    vectors! {
        in_order(a) = _mm256_permutevar8x32_epi32(a, _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7));
    }
}

featured! {
    #[inline]
    fn low(register: Register) -> __m128i {
        _mm256_castsi256_si128(register)
    }
}

featured! {
    #[inline]
    fn high(register: Register) -> __m128i {
        _mm256_extracti128_si256::<1>(register)
    }
}
