//! A block with the bytes before each of its positions, and their errors.

use core::arch::x86_64::*;

use super::super::memory::{BEFORE, bits, bytes, load, load_part, moved, splat, table};

/// 64 positions: the byte at each, and the three before it.
#[derive(Clone, Copy)]
pub(in super::super) struct Window {
    pub(in super::super) byte: __m512i,
    pub(super) before: __m512i,
    pub(super) two_before: __m512i,
    pub(super) three_before: __m512i,
}

impl Window {
    featured!(
        /// Bytes 3 to 66.
        #[inline]
        pub(in super::super) fn new(src: &[u8; 67]) -> Self {
            Self {
                byte: load(src.last_chunk().unwrap()),
                before: load(src[2..].first_chunk().unwrap()),
                two_before: load(src[1..].first_chunk().unwrap()),
                three_before: load(src.first_chunk().unwrap()),
            }
        }

        /// A window with nothing before the first byte.
        #[inline]
        pub(in super::super) fn alone(byte: __m512i) -> Self {
            let shifted =
                |by: usize| _mm512_maskz_permutexvar_epi8(u64::MAX << by, bytes(&BEFORE[by]), byte);
            Self { byte, before: shifted(1), two_before: shifted(2), three_before: shifted(3) }
        }

        /// The bytes from `at` on, of which there are at most 64, padded with zeros. At least three
        /// bytes must precede them.
        #[inline]
        pub(super) fn part(src: &[u8], at: usize) -> Self {
            let end = src.len();
            Self {
                byte: load_part(&src[at..]),
                before: load_part(&src[at - 1..end - 1]),
                two_before: load_part(&src[at - 2..end - 2]),
                three_before: load_part(&src[at - 3..end - 3]),
            }
        }

        /// The end of a text of 65 to 128 bytes: a window whose positions include the bytes from 64
        /// on, which are under the mask, and the byte three before the first position.
        #[inline]
        pub(super) fn after_block(src: &[u8]) -> (Self, __mmask64, u8) {
            let more = src.len() - 64;
            match src.last_chunk() {
                Some(end) => (Self::new(end), u64::MAX << (more.wrapping_neg() & 63), end[0]),
                None => (Self::part(src, 3), !(u64::MAX << more) << (64 - 3), src[0]),
            }
        }

        /// Nonzero where a rule is broken, as far as the bytes up to there show.
        #[inline]
        pub(in super::super) fn errors(self) -> __m512i {
            // Bit 7: a third or fourth byte is required here. The same bit of `pair`: a
            // continuation byte here follows another.
            let third = _mm512_subs_epu8(self.two_before, splat(0xE0 - 0x80));
            let fourth = _mm512_subs_epu8(self.three_before, splat(0xF0 - 0x80));
            let must = _mm512_ternarylogic_epi32::<0xE0>(splat(0x80), third, fourth);
            _mm512_xor_si512(must, self.pair_errors())
        }

        /// The errors of each byte with the one before it.
        #[inline]
        pub(in super::super) fn pair_errors(self) -> __m512i {
            let high = bits(4, 0, 4);
            let lead_high = _mm512_shuffle_epi8(table(&BY_LEAD_HIGH), moved(self.before, high));
            let lead_low = _mm512_and_si512(self.before, splat(0x0F));
            let lead_low = _mm512_shuffle_epi8(table(&BY_LEAD_LOW), lead_low);
            let second = _mm512_shuffle_epi8(table(&BY_SECOND_HIGH), moved(self.byte, high));
            _mm512_ternarylogic_epi32::<0x80>(lead_high, lead_low, second)
        }
    );
}

// Possible errors of two consecutive bytes, one bit each. All three tables must agree.
/// A lead byte without a continuation byte.
const SHORT: u8 = 1 << 0;
/// ASCII, then a continuation byte.
const STRAY: u8 = 1 << 1;
/// E0, then less than A0.
pub(in super::super) const OVERLONG_3: u8 = 1 << 2;
/// F4, then more than 8F; or F5 and up, then more than 8F.
pub(in super::super) const LARGE: u8 = 1 << 3;
/// ED, then more than 9F.
pub(in super::super) const SURROGATE: u8 = 1 << 4;
/// C0 or C1.
pub(in super::super) const OVERLONG_2: u8 = 1 << 5;
/// F0, then less than 90; or F5 and up, then less than 90.
pub(in super::super) const OVERLONG_4: u8 = 1 << 6;
/// Two continuation bytes: valid if the second is a third or fourth byte.
const TRAILS: u8 = 1 << 7;

const BY_LEAD_HIGH: [u8; 16] = {
    let mut table = [STRAY; 16];
    table[0x8] = TRAILS;
    table[0x9] = TRAILS;
    table[0xA] = TRAILS;
    table[0xB] = TRAILS;
    table[0xC] = SHORT | OVERLONG_2;
    table[0xD] = SHORT;
    table[0xE] = SHORT | OVERLONG_3 | SURROGATE;
    table[0xF] = SHORT | LARGE | OVERLONG_4;
    table
};

const BY_LEAD_LOW: [u8; 16] = {
    const ANY: u8 = SHORT | STRAY | TRAILS;
    let mut table = [ANY | LARGE | OVERLONG_4; 16];
    table[0x0] = ANY | OVERLONG_2 | OVERLONG_3 | OVERLONG_4;
    table[0x1] = ANY | OVERLONG_2;
    table[0x2] = ANY;
    table[0x3] = ANY;
    table[0x4] = ANY | LARGE;
    table[0xD] |= SURROGATE;
    table
};

const BY_SECOND_HIGH: [u8; 16] = {
    let mut table = [SHORT; 16];
    table[0x8] = STRAY | TRAILS | OVERLONG_2 | OVERLONG_3 | OVERLONG_4;
    table[0x9] = STRAY | TRAILS | OVERLONG_2 | OVERLONG_3 | LARGE;
    table[0xA] = STRAY | TRAILS | OVERLONG_2 | SURROGATE | LARGE;
    table[0xB] = table[0xA];
    table
};

/// `N` bytes, the first three of which precede `at`.
#[inline(always)]
pub(in super::super) fn with_three_before<const N: usize>(
    src: &[u8],
    at: usize,
) -> Option<&[u8; N]> {
    src.get(at.checked_sub(3)?..)?.first_chunk()
}

/// Whether the three bytes require more.
#[inline(always)]
pub(super) fn asks([a, b, c]: [u8; 3]) -> bool {
    (a >= 0xF0) | (b >= 0xE0) | (c >= 0xC0)
}

/// Number of bytes at the end of well-formed text that are the start of a longer sequence.
#[inline(always)]
pub(in super::super) fn incomplete(src: &[u8]) -> usize {
    match *src {
        [.., 0xC0..=0xFF] => 1,
        [.., 0xE0..=0xFF, _] => 2,
        [.., 0xF0..=0xFF, _, _] => 3,
        _ => 0,
    }
}
