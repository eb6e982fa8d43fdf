//! Counts and lengths: the contribution of each register is counted in masks. Text is not
//! byte-swapped; the constants are.

use core::arch::x86_64::*;

use super::memory::{bits, load, load_part, moved, splat, table};
use super::utf32;

/// Sums `weigh` over all of `src`, the last register padded with zero.
macro_rules! sum {
    ($src:expr, $weigh:expr) => {{
        let (blocks, last) = $src.as_chunks::<256>();
        let mut total = 0;
        // Written twice, so that each is inlined.
        let weigh = $weigh;
        for block in blocks {
            for part in block.as_chunks().0 {
                total += weigh(load(part)) as usize;
            }
        }
        let weigh = $weigh;
        for part in last.chunks(64) {
            total += weigh(load_part(part)) as usize;
        }
        total
    }};
}

/// Number of padding bytes after `src` in [`sum!`].
fn padding(src: &[u8]) -> usize {
    src.len().wrapping_neg() % 64
}

featured!(
    /// Code points in UTF-8: all bytes except continuation bytes.
    pub(super) fn utf8(src: &[u8]) -> usize {
        sum!(src, |bytes| leads(bytes)) - padding(src)
    }

    /// Bytes of UTF-16 for UTF-8: two per code point, four from the lead byte F0 on. One lookup is
    /// cheaper than the counts of two masks, but its final sum costs more than a short text is
    /// worth.
    pub(super) fn utf16_from_utf8(src: &[u8]) -> usize {
        /// By the upper four bits.
        const UNITS: [u8; 16] = [1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 1, 1, 1, 2];
        let (blocks, rest) = src.as_chunks::<256>();
        let mut total = _mm512_setzero_si512();
        // As many as fit without overflow of a byte.
        for blocks in blocks.chunks(31) {
            let mut sums = _mm512_setzero_si512();
            for block in blocks {
                for part in block.as_chunks().0 {
                    let upper = moved(load(part), const { bits(4, 0, 4) });
                    sums = _mm512_add_epi8(sums, _mm512_shuffle_epi8(table(&UNITS), upper));
                }
            }
            total = _mm512_add_epi64(total, _mm512_sad_epu8(sums, _mm512_setzero_si512()));
        }
        let units = if blocks.is_empty() { 0 } else { _mm512_reduce_add_epi64(total) as usize };
        let more = sum!(rest, |bytes| {
            leads(bytes) + _mm512_cmpge_epu8_mask(bytes, splat(0xF0)).count_ones()
        });
        2 * (units + more - padding(rest))
    }

    /// The number of bytes that are not continuation bytes.
    #[inline]
    fn leads(bytes: __m512i) -> u32 {
        _mm512_cmpge_epi8_mask(bytes, splat(0xC0)).count_ones()
    }

    /// Bytes of UTF-8 for Latin-1.
    pub(super) fn utf8_from_latin1(src: &[u8]) -> usize {
        src.len() + sum!(src, |bytes| _mm512_movepi8_mask(bytes).count_ones())
    }

    /// A constant in the byte order of the UTF-16 text.
    #[inline]
    fn unit<const LE: bool>(unit: u16) -> __m512i {
        _mm512_set1_epi16((if LE { unit } else { unit.swap_bytes() }) as i16)
    }

    /// A constant in the byte order of the UTF-32 text.
    #[inline]
    fn point<const LE: bool>(point: u32) -> __m512i {
        _mm512_set1_epi32((if LE { point } else { point.swap_bytes() }) as i32)
    }

    /// Code points in UTF-16: all code units except low surrogates.
    pub(super) fn utf16<const LE: bool>(src: &[u8]) -> usize {
        let src = &src[..src.len() / 2 * 2];
        let low = sum!(src, |units| {
            let kind = _mm512_and_si512(units, unit::<LE>(0xFC00));
            _mm512_cmpeq_epi16_mask(kind, unit::<LE>(0xDC00)).count_ones()
        });
        src.len() / 2 - low
    }

    /// Bytes of UTF-8 for UTF-16: a surrogate takes two, half of its pair's four.
    pub(super) fn utf8_from_utf16<const LE: bool>(src: &[u8]) -> usize {
        let src = &src[..src.len() / 2 * 2];
        let more = sum!(src, |units| {
            let two = _mm512_test_epi16_mask(units, unit::<LE>(0xFF80));
            let kind = _mm512_and_si512(units, unit::<LE>(0xF800));
            let three = _mm512_test_epi16_mask(kind, kind);
            let three = _mm512_mask_cmpneq_epi16_mask(three, kind, unit::<LE>(0xD800));
            two.count_ones() + three.count_ones()
        });
        src.len() / 2 + more
    }

    /// Bytes of UTF-8 for UTF-32: looked up by the number of bits of a code point.
    pub(super) fn utf8_from_utf32<const LE: bool>(src: &[u8]) -> usize {
        /// By the number of leading zeros, modulo 32.
        const LENGTHS: [u32; 32] = {
            let mut lengths = [4; 32];
            let mut zeros = 16;
            while zeros <= 32 {
                lengths[zeros % 32] = match zeros {
                    ..=20 => 3,
                    21..=24 => 2,
                    _ => 1,
                };
                zeros += 1;
            }
            lengths
        };
        let src = &src[..src.len() / 4 * 4];
        let [low, high] = [0, 16].map(|from| {
            let bytes: [u8; 64] =
                crate::units::bytes(&LENGTHS[from..from + 16]).try_into().unwrap();
            load(&bytes)
        });
        let mut total = 0;
        // As many as fit without overflow of a lane.
        for part in src.chunks(1 << 24) {
            let (blocks, last) = part.as_chunks();
            let add = |lengths, points| {
                let zeros = _mm512_lzcnt_epi32(utf32::swapped::<LE>(points));
                _mm512_add_epi32(lengths, _mm512_permutex2var_epi32(low, zeros, high))
            };
            let mut lengths = _mm512_setzero_si512();
            for block in blocks {
                lengths = add(lengths, load(block));
            }
            lengths = add(lengths, load_part(last));
            total += _mm512_reduce_add_epi32(lengths) as usize;
            // The padding counts as NULs.
            total -= 16 - last.len() / 4;
        }
        total
    }

    /// Bytes of UTF-16 for UTF-32.
    pub(super) fn utf16_from_utf32<const LE: bool>(src: &[u8]) -> usize {
        let src = &src[..src.len() / 4 * 4];
        let pairs = sum!(src, |points| {
            _mm512_test_epi32_mask(points, point::<LE>(0xFFFF_0000)).count_ones()
        });
        2 * (src.len() / 4 + pairs)
    }
);
