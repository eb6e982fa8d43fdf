//! Text without anything for a linter to look at, as defined in `crate::remarkable`.

use core::arch::x86_64::*;

use super::memory::{first, load, load_part};
use crate::remarkable::{
    self, ALONE_BY_NIBBLE, AROUND_BY_NIBBLE, ByNibble, FOUND, LEAD, RARE_LEAD, TOGETHER_BY_NIBBLE,
    X,
};

/// Bytes with which a class of four bytes begins, or that follow an ASCII letter in one.
const LEADS: u8 = RARE_LEAD | LEAD;

/// For each byte of US-ASCII, 1 if it is remarkable alone, and 2 if it is so before an `n`.
const FIRST: [u8; 128] = {
    let mut table = [0; 128];
    let mut byte = 0;
    while byte < table.len() {
        let classes = remarkable::alone(byte as u8);
        table[byte] = (classes & FOUND != 0) as u8 | ((classes & X != 0) as u8) << 1;
        byte += 1;
    }
    table
};

/// For each byte of US-ASCII, the bits of [`FIRST`] that apply before it.
const SECOND: [u8; 128] = {
    let mut table = [1; 128];
    table[b'n' as usize] = 3;
    table[b'N' as usize] = 3;
    table
};

/// Whether each byte is in a class of [`LEADS`].
const IS_LEAD: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < table.len() {
        table[byte] = remarkable::alone(byte as u8) & LEADS != 0;
        byte += 1;
    }
    table
};

featured!(
    /// Number of bytes before the first remarkable one.
    pub(super) fn prefix(src: &[u8]) -> usize {
        let (mut read, mut is_ascii) = (0, true);
        while let Some(window) = src[read..].first_chunk::<67>() {
            if is_ascii && let Some(window) = src[read..].first_chunk::<129>() {
                let load = |at: usize| load(window[at..].first_chunk().expect("it is as long"));
                let second = [load(1), load(65)];
                if _mm512_movepi8_mask(_mm512_or_si512(second[0], second[1])) == 0 {
                    let of = |at: usize| {
                        _mm512_and_si512(ascii(&FIRST, load(64 * at)), ascii(&SECOND, second[at]))
                    };
                    let found = _mm512_or_si512(of(0), of(1));
                    // The tables have no row for a first byte that is not ASCII.
                    if window[0].is_ascii() && _mm512_test_epi8_mask(found, found) == 0 {
                        read += 128;
                        continue;
                    }
                }
            }
            let load = |at: usize| load(window[at..].first_chunk().expect("it is as long"));
            let (bytes, second) = (load(0), load(1));
            let alone = classes(&ALONE_BY_NIBBLE, bytes);
            // An ASCII letter is remarkable before a non-ASCII byte or in `xn`, and other sequences
            // have a second byte that is not ASCII.
            is_ascii = _mm512_movepi8_mask(second) == 0;
            let found = if is_ascii {
                let found = found_alone(alone, second);
                _mm512_test_epi8_mask(found, found)
            } else {
                let third = load(2);
                let mut found = _mm512_or_si512(
                    _mm512_and_si512(alone, _mm512_set1_epi8(FOUND as i8)),
                    together(bytes, second, third),
                );
                let has = |class: u8| _mm512_test_epi8_mask(alone, _mm512_set1_epi8(class as i8));
                let mut around = 0;
                if has(LEADS | X) != 0 || IS_LEAD[usize::from(window[64])] {
                    found = _mm512_or_si512(found, found_alone(alone, second));
                    let fourth = load(3);
                    let has_lead = || has(LEADS) != 0 || IS_LEAD[usize::from(window[64])];
                    // Except for mathematical letters, they are remarkable only next to an ASCII letter.
                    let has_letter = || letters(bytes) | letters(fourth) != 0;
                    if has(RARE_LEAD) != 0 || has_letter() && has_lead() {
                        around = self::around([bytes, second, third, fourth]);
                    }
                }
                _mm512_test_epi8_mask(found, found) | around
            };
            if found != 0 {
                return read + found.trailing_zeros() as usize;
            }
            read += 64;
        }
        while read < src.len() {
            let rest = &src[read..];
            let part = |skipped: usize| load_part(rest.get(skipped..).unwrap_or_default());
            let [bytes, second, third, fourth] = [part(0), part(1), part(2), part(3)];
            let alone = classes(&ALONE_BY_NIBBLE, bytes);
            let found = _mm512_or_si512(found_alone(alone, second), together(bytes, second, third));
            let found =
                _mm512_test_epi8_mask(found, found) | around([bytes, second, third, fourth]);
            let found = found & first(rest.len());
            if found != 0 {
                return read + found.trailing_zeros() as usize;
            }
            read += rest.len().min(64);
        }
        read
    }

    /// Which bytes are from 0x40 to 0x7F.
    #[inline]
    fn letters(bytes: __m512i) -> u64 {
        _mm512_cmpgt_epi8_mask(bytes, _mm512_set1_epi8(0x3F))
    }

    /// A row of a table for each byte of US-ASCII.
    #[inline]
    fn ascii(table: &[u8; 128], bytes: __m512i) -> __m512i {
        let [low, high] = [0, 64].map(|at| load(table[at..].first_chunk().expect("it is as long")));
        _mm512_permutex2var_epi8(low, bytes, high)
    }

    /// The classes of bytes that are remarkable alone, or as `xn`.
    #[inline]
    fn found_alone(alone: __m512i, second: __m512i) -> __m512i {
        let lower = _mm512_or_si512(second, _mm512_set1_epi8(0x20));
        let is_n = _mm512_cmpeq_epi8_mask(lower, _mm512_set1_epi8(b'n' as i8));
        let [found, with_x] = [FOUND, FOUND | X].map(|class| _mm512_set1_epi8(class as i8));
        _mm512_and_si512(alone, _mm512_mask_mov_epi8(found, is_n, with_x))
    }

    /// The classes of bytes that are remarkable together with those that follow.
    #[inline]
    fn together(bytes: __m512i, second: __m512i, third: __m512i) -> __m512i {
        let of = |[of_first, of_second, of_third]: &ByNibble<3>| {
            _mm512_ternarylogic_epi32::<0x80>(
                classes(of_first, bytes),
                classes(of_second, second),
                classes(of_third, third),
            )
        };
        let [one, other] = &TOGETHER_BY_NIBBLE;
        _mm512_or_si512(of(one), of(other))
    }

    /// Which bytes are remarkable with the three that follow.
    #[inline]
    fn around(bytes: [__m512i; 4]) -> u64 {
        let [first, second, third, fourth] = &AROUND_BY_NIBBLE;
        let before = _mm512_and_si512(classes(first, bytes[0]), classes(second, bytes[1]));
        let after = _mm512_and_si512(classes(third, bytes[2]), classes(fourth, bytes[3]));
        _mm512_test_epi8_mask(before, after)
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
