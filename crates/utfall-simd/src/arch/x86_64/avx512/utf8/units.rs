//! The code units that end at the positions of a block.

use core::arch::x86_64::*;

use super::super::lossy::Sequences;
use super::super::memory::{
    FOUR_TIMES, IDENTITY, TWICE, bits, bytes, moved, moved_where, splat, store, store_part,
};
use super::window::Window;

/// The result of a block: the bytes of a code unit at each position where one ends.
pub(in super::super) struct Units {
    pub(in super::super) low: __m512i,
    pub(in super::super) high: __m512i,
    /// The third byte of a code point, if there is a sequence of four.
    pub(super) top: Option<__m512i>,
    pub(in super::super) ends: __mmask64,
}

impl Units {
    featured!(
        /// The units of well-formed text. `WIDE`: UTF-32, otherwise UTF-16.
        #[inline]
        pub(in super::super) fn new<const WIDE: bool>(window: Window, first_three: u8) -> Self {
            let Window { byte, before, two_before, .. } = window;
            let beyond_ascii = _mm512_movepi8_mask(byte);

            let carried = moved_where(beyond_ascii, before, bits(0, 6, 2));
            // A continuation byte has bit 6 clear already.
            let low = _mm512_ternarylogic_epi32::<0xF8>(carried, byte, splat(0x7F));
            // Zero for bytes below E0; four bits of those that lead three.
            let third = moved(_mm512_subs_epu8(two_before, splat(0xE0)), bits(0, 4, 4));
            let high = _mm512_or_si512(moved_where(beyond_ascii, before, bits(2, 0, 4)), third);
            let unfinished = _mm512_max_epu8(byte, _mm512_subs_epu8(before, splat(0x20)));
            let ends = _mm512_cmplt_epu8_mask(unfinished, splat(0xC0));

            // Positions of the third and of the fourth byte of four.
            let third = _mm512_cmpge_epu8_mask(two_before, splat(0xF0));
            if third == 0 && first_three < 0xF0 {
                return Self { low, high, top: None, ends };
            }
            let fourth = third << 1 | u64::from(first_three >= 0xF0);
            Self { low, high, top: None, ends }.with_fours::<WIDE>(window, third, fourth)
        }

        /// The units of any text, as parsed in `sequences`, with U+FFFD where it is ill-formed.
        #[inline]
        pub(in super::super) fn lossy<const WIDE: bool>(
            window: Window,
            sequences: &Sequences,
        ) -> Self {
            let Window { byte, before, two_before, .. } = window;
            let Sequences { member, third, fourth, ends, ill_formed, .. } = *sequences;
            let carried = moved_where(member, before, bits(0, 6, 2));
            let low = _mm512_ternarylogic_epi32::<0xF8>(carried, byte, splat(0x7F));
            let first = moved_where(third, two_before, bits(0, 4, 4));
            let high = _mm512_or_si512(moved_where(member, before, bits(2, 0, 4)), first);
            let low = _mm512_mask_mov_epi8(low, ill_formed, splat(0xFD));
            let high = _mm512_mask_mov_epi8(high, ill_formed, splat(0xFF));
            let units = Self { low, high, top: None, ends: ends | fourth >> 1 };
            if fourth == 0 { units } else { units.with_fours::<WIDE>(window, fourth >> 1, fourth) }
        }

        /// Adds the sequences of four bytes, whose third and fourth bytes are under the masks.
        #[inline]
        fn with_fours<const WIDE: bool>(
            self,
            window: Window,
            third: __mmask64,
            fourth: __mmask64,
        ) -> Self {
            let Self { low, high, ends, .. } = self;
            let Window { byte, before, two_before, three_before } = window;
            if WIDE {
                let more = moved_where(fourth, two_before, bits(0, 4, 4));
                let top = _mm512_or_si512(
                    moved_where(fourth, three_before, bits(0, 2, 3)),
                    moved_where(fourth, two_before, bits(4, 0, 2)),
                );
                let high = _mm512_or_si512(high, more);
                return Self { low, high, top: Some(top), ends: ends & !third };
            }
            // (scalar value >> 10) - 40 + D800; the lead byte less 18 is D8 and up.
            let value = _mm512_or_si512(moved(before, bits(0, 2, 6)), moved(byte, bits(4, 0, 2)));
            let borrow = _mm512_mask_cmplt_epu8_mask(third, value, splat(0x40));
            let low = _mm512_mask_add_epi8(low, third, value, splat(0xC0));
            let high = _mm512_mask_add_epi8(high, third, two_before, splat(0xE8));
            let high = _mm512_mask_add_epi8(high, borrow, high, splat(0xFF));
            let trail = _mm512_ternarylogic_epi32::<0xF8>(splat(0xDC), high, splat(0x03));
            let high = _mm512_mask_mov_epi8(high, fourth, trail);
            Self { low, high, top: None, ends }
        }

        /// Writes the units of the positions under the mask. Uses no more space than needed if
        /// there is little. Returns the number of bytes, if they fit.
        #[inline]
        pub(in super::super) fn put<const WIDE: bool, const LE: bool>(
            &self,
            within: __mmask64,
            dst: &mut [u8],
        ) -> Option<usize> {
            let ends = self.ends & within;
            let count = ends.count_ones() as usize;
            if WIDE {
                let low = _mm512_maskz_compress_epi8(ends, self.low);
                let high = _mm512_maskz_compress_epi8(ends, self.high);
                let top = self.top.map(|top| _mm512_maskz_compress_epi8(ends, top));
                if let Some(dst) = dst.first_chunk_mut::<256>() {
                    let dst = dst.as_chunks_mut().0;
                    store(&mut dst[0], utf32::<LE>(low, high, top, &FOUR_TIMES[0]));
                    store(&mut dst[1], utf32::<LE>(low, high, top, &FOUR_TIMES[1]));
                    if count > 32 {
                        store(&mut dst[2], utf32::<LE>(low, high, top, &FOUR_TIMES[2]));
                        store(&mut dst[3], utf32::<LE>(low, high, top, &FOUR_TIMES[3]));
                    }
                } else {
                    let mut rest = dst.get_mut(..4 * count)?;
                    for places in &FOUR_TIMES[..if count <= 16 { 1 } else { 4 }] {
                        let (now, after) = rest.split_at_mut(rest.len().min(64));
                        store_part(now, utf32::<LE>(low, high, top, places));
                        rest = after;
                    }
                }
                Some(4 * count)
            } else {
                let places = _mm512_maskz_compress_epi8(ends, bytes(&IDENTITY));
                if let Some(dst) = dst.first_chunk_mut::<128>() {
                    let dst = dst.as_chunks_mut().0;
                    store(&mut dst[0], self.utf16::<LE>(places, &TWICE[0]));
                    if count > 32 {
                        store(&mut dst[1], self.utf16::<LE>(places, &TWICE[1]));
                    }
                } else {
                    let dst = dst.get_mut(..2 * count)?;
                    let (one, two) = dst.split_at_mut(dst.len().min(64));
                    store_part(one, self.utf16::<LE>(places, &TWICE[0]));
                    if !two.is_empty() {
                        store_part(two, self.utf16::<LE>(places, &TWICE[1]));
                    }
                }
                Some(2 * count)
            }
        }

        /// 32 code units of UTF-16, selected by `twice` from those at `places`.
        #[inline]
        fn utf16<const LE: bool>(&self, places: __m512i, twice: &'static [u8; 64]) -> __m512i {
            const ODD: __mmask64 = 0xAAAA_AAAA_AAAA_AAAA;
            let places = _mm512_permutexvar_epi8(bytes(twice), places);
            let (even, odd) = if LE { (self.low, self.high) } else { (self.high, self.low) };
            let even = _mm512_permutexvar_epi8(places, even);
            _mm512_mask_permutexvar_epi8(even, ODD, places, odd)
        }
    );
}

featured!(
    /// 16 code points.
    #[inline]
    fn utf32<const LE: bool>(
        low: __m512i,
        high: __m512i,
        top: Option<__m512i>,
        places: &'static [u8; 64],
    ) -> __m512i {
        let places = bytes(places);
        let (first, second, third) = if LE {
            (0x1111_1111_1111_1111, 0x2222_2222_2222_2222, 0x4444_4444_4444_4444)
        } else {
            (0x8888_8888_8888_8888, 0x4444_4444_4444_4444, 0x2222_2222_2222_2222)
        };
        let units = _mm512_maskz_permutexvar_epi8(first, places, low);
        let units = _mm512_mask_permutexvar_epi8(units, second, places, high);
        match top {
            Some(top) => _mm512_mask_permutexvar_epi8(units, third, places, top),
            None => units,
        }
    }
);
