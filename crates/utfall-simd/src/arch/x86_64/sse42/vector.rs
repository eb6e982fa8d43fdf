//! The token and the vector of SSE4.2.

use crate::simd::{Simd, Vector, first};
use core::arch::x86_64::*;

type Register = __m128i;

/// Invariant: a value exists only in code that runs with SSE4.2 and SSSE3; see `new`.
#[derive(Clone, Copy)]
pub(crate) struct Sse42(());

impl Sse42 {
    featured! {
        /// Safe to call only from code with these features.
        #[inline]
        pub(crate) fn new() -> Self {
            Self(())
        }
    }

    /// The same vectors under AVX2, which includes SSE4.2.
    #[inline(always)]
    pub(in crate::arch::x86_64) fn within(_: super::super::avx2::Avx2) -> Self {
        Self(())
    }
}

/// Invariant: as for [`Sse42`], from which it comes.
#[derive(Clone, Copy)]
pub(crate) struct V128(Register);

impl V128 {
    /// The same register under AVX2, which includes SSE4.2.
    #[inline(always)]
    pub(in crate::arch::x86_64) fn within(_: super::super::avx2::V256, register: Register) -> Self {
        Self(register)
    }
}

impl V128 {
    vectors! {
        sub_saturating_signed(a, b) = _mm_subs_epi8(a, b);
    }
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
        let bytes: &[u8; 16] = &first(src);
        // SAFETY: sixteen bytes are readable; alignment does not matter; the invariant of `Sse42`.
        V128(unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) })
    }

    constructors! { V128:
        load_widened16(src: &[u8]) = _mm_cvtepu8_epi16(eight(first(src)));
        load_widened32(src: &[u8])
            = _mm_cvtepu8_epi32(_mm_cvtsi32_si128(i32::from_le_bytes(first(src))));
        load_units_widened32(src: &[u8]) = _mm_cvtepu16_epi32(eight(first(src)));
        splat(byte: u8) = _mm_set1_epi8(byte as i8);
        splat16(value: u16) = _mm_set1_epi16(value as i16);
        splat32(value: u32) = _mm_set1_epi32(value as i32);
    }

    table128!(V128);

    #[inline(always)]
    fn load_halves<'a>(self, half: impl Fn(usize) -> &'a [u8; 16]) -> V128 {
        self.load(half(0))
    }

    #[inline(always)]
    fn repeat(self, bytes: [u8; 16]) -> V128 {
        self.load(&bytes)
    }
}

featured! {
    #[inline]
    fn eight(bytes: [u8; 8]) -> Register {
        _mm_cvtsi64_si128(i64::from_le_bytes(bytes))
    }
}

impl Vector for V128 {
    type Simd = Sse42;
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
        // SAFETY: sixteen bytes are writable; alignment does not matter; the invariant of `V128`.
        unsafe { _mm_storeu_si128(bytes.as_mut_ptr().cast(), self.0) }
    }

    vectors! {
        and(a, b) = _mm_and_si128(a, b);
        or(a, b) = _mm_or_si128(a, b);
        xor(a, b) = _mm_xor_si128(a, b);
        and_not(a, b) = _mm_andnot_si128(b, a);
        add(a, b) = _mm_add_epi8(a, b);
        sub(a, b) = _mm_sub_epi8(a, b);
        add16(a, b) = _mm_add_epi16(a, b);
        sub16(a, b) = _mm_sub_epi16(a, b);
        add32(a, b) = _mm_add_epi32(a, b);
        sub32(a, b) = _mm_sub_epi32(a, b);
        sub_saturating(a, b) = _mm_subs_epu8(a, b);
        min(a, b) = _mm_min_epu8(a, b);
        max(a, b) = _mm_max_epu8(a, b);
        max32(a, b) = _mm_max_epu32(a, b);
        equal(a, b) = _mm_cmpeq_epi8(a, b);
        equal16(a, b) = _mm_cmpeq_epi16(a, b);
        equal32(a, b) = _mm_cmpeq_epi32(a, b);
        greater_signed(a, b) = _mm_cmpgt_epi8(a, b);
        greater_signed16(a, b) = _mm_cmpgt_epi16(a, b);
        greater_signed32(a, b) = _mm_cmpgt_epi32(a, b);
        zip_low(a, b) = _mm_unpacklo_epi8(a, b);
        zip_high(a, b) = _mm_unpackhi_epi8(a, b);
        zip_low16(a, b) = _mm_unpacklo_epi16(a, b);
        zip_high16(a, b) = _mm_unpackhi_epi16(a, b);
        pack16(a, b) = _mm_packus_epi16(a, b);
        pack32(a, b) = _mm_packus_epi32(a, b);
        narrow16(a, b) = _mm_packus_epi16(a, b);
        narrow32(a, b) = _mm_packus_epi32(a, b);
        select(a, b, mask) = _mm_blendv_epi8(b, a, mask);
        lookup(index, table) = _mm_shuffle_epi8(table, index);
    }

    shifts! {
        shl16(a) = _mm_slli_epi16::<BITS>(a);
        shr16(a) = _mm_srli_epi16::<BITS>(a);
        shl32(a) = _mm_slli_epi32::<BITS>(a);
        shr32(a) = _mm_srli_epi32::<BITS>(a);
    }

    lookup128!(Sse42);

    #[inline(always)]
    fn high_nibbles(self) -> Self {
        self.shr16::<4>().and(Sse42(()).splat(0x0F))
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
    fn any_high(self) -> bool {
        self.mask() != 0
    }

    values! {
        mask(a) -> u32 = _mm_movemask_epi8(a) as u32;
        mask32(a) -> u32 = _mm_movemask_ps(_mm_castsi128_ps(a)) as u32;
        any(a) -> bool = _mm_testz_si128(a, a) == 0;
        sum(a) -> u64 = {
            let sums = _mm_sad_epu8(a, _mm_setzero_si128());
            (_mm_cvtsi128_si64(sums) + _mm_extract_epi64::<1>(sums)) as u64
        };
    }
}
