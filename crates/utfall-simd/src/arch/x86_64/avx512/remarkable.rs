//! Text without anything for a linter to look at, as defined in `crate::remarkable`.

use core::arch::x86_64::*;

use super::memory::{first, load, load_part};
use crate::remarkable::{ALONE_BY_NIBBLE, ByNibble, TOGETHER_BY_NIBBLE};

featured!(
    /// Number of bytes before the first remarkable one.
    pub(super) fn prefix(src: &[u8]) -> usize {
        let mut read = 0;
        while let Some(window) = src[read..].first_chunk::<66>() {
            let bytes = load(window.first_chunk().expect("it is as long"));
            let alone = classes(&ALONE_BY_NIBBLE, bytes);
            // An ASCII letter is remarkable before a non-ASCII byte, and other sequences have a
            // second byte that is not ASCII.
            let second = load(window[1..].first_chunk().expect("it is as long"));
            let found = if _mm512_movepi8_mask(second) == 0 {
                alone
            } else {
                let third = load(window[2..].first_chunk().expect("it is as long"));
                _mm512_or_si512(alone, together(bytes, second, third))
            };
            let found = _mm512_test_epi8_mask(found, found);
            if found != 0 {
                return read + found.trailing_zeros() as usize;
            }
            read += 64;
        }
        while read < src.len() {
            let rest = &src[read..];
            let bytes = load_part(rest);
            let (second, third) =
                (load_part(&rest[1..]), load_part(rest.get(2..).unwrap_or_default()));
            let found =
                _mm512_or_si512(classes(&ALONE_BY_NIBBLE, bytes), together(bytes, second, third));
            let found = _mm512_test_epi8_mask(found, found) & first(rest.len());
            if found != 0 {
                return read + found.trailing_zeros() as usize;
            }
            read += rest.len().min(64);
        }
        read
    }

    /// The classes of bytes that are remarkable together with those that follow.
    #[inline]
    fn together(bytes: __m512i, second: __m512i, third: __m512i) -> __m512i {
        let of = |[of_first, of_second, of_third]: &ByNibble| {
            _mm512_ternarylogic_epi32::<0x80>(
                classes(of_first, bytes),
                classes(of_second, second),
                classes(of_third, third),
            )
        };
        let [one, other] = &TOGETHER_BY_NIBBLE;
        _mm512_or_si512(of(one), of(other))
    }

    #[inline]
    fn classes([high, low]: &[[u8; 16]; 2], bytes: __m512i) -> __m512i {
        let nibble = _mm512_set1_epi8(0x0F);
        let highs = _mm512_and_si512(_mm512_srli_epi16::<4>(bytes), nibble);
        let lows = _mm512_and_si512(bytes, nibble);
        let high = _mm512_shuffle_epi8(repeat(high), highs);
        _mm512_and_si512(high, _mm512_shuffle_epi8(repeat(low), lows))
    }

    /// The same sixteen bytes in each quarter.
    #[inline]
    fn repeat(bytes: &[u8; 16]) -> __m512i {
        let [low, high] =
            [0, 8].map(|at| i64::from_le_bytes(*bytes[at..].first_chunk().expect("it is as long")));
        _mm512_broadcast_i32x4(_mm_set_epi64x(high, low))
    }
);
