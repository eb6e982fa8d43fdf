//! From UTF-8.
//!
//! Validation is the three-table lookup of Keiser and Lemire ("Validating UTF-8 in less than one
//! instruction per byte", 2021). Two things differ: the bytes before each position come from
//! overlapping loads, since shuffles share one port with the lookups; nibbles come from
//! `gf2p8affineqb`, which uses the other port.
//!
//! Conversion, in short, for each position of the text:
//!
//! ```text
//! low  = continuation ? (byte before) << 6 | byte & 3F : byte
//! high = continuation ? (byte before) >> 2 & 0F : 0    | two before is E0.. ? that << 4 : 0
//! write low and high, unless byte >= C0 or the byte before >= E0
//! ```
//!
//! A sequence of four bytes writes its high surrogate at the third and its low surrogate at the
//! fourth; UTF-32 writes the code point there. Published algorithms (Clausecker and Lemire,
//! "Transcoding Unicode characters with AVX-512 instructions", 2023) gather the bytes of each
//! character. Here they are combined before anything moves, so that two bytes instead of three or
//! four are moved per code unit.

use core::arch::x86_64::*;

use super::blocks::convert as convert_blocks;
use super::lossy::Sequences;
use super::memory::{
    self, BEFORE, FOUR_TIMES, IDENTITY, TWICE, bits, first, load, load_part, moved, moved_where,
    octets, splat, store, store_part, table, widen, widen_part,
};
use super::utf16::{put, put_part};
use crate::arch::scalar::{self, Latin1, Utf8, Utf16, Utf32};

/// 64 positions: the byte at each, and the three before it.
#[derive(Clone, Copy)]
pub(super) struct Window {
    pub(super) octet: __m512i,
    before: __m512i,
    two_before: __m512i,
    three_before: __m512i,
}

impl Window {
    featured!(
        /// Bytes 3 to 66.
        #[inline]
        pub(super) fn new(src: &[u8; 67]) -> Self {
            Self {
                octet: load(src.last_chunk().unwrap()),
                before: load(src[2..].first_chunk().unwrap()),
                two_before: load(src[1..].first_chunk().unwrap()),
                three_before: load(src.first_chunk().unwrap()),
            }
        }

        /// A window with nothing before the first byte.
        #[inline]
        pub(super) fn alone(octet: __m512i) -> Self {
            let shifted = |by: usize| {
                _mm512_maskz_permutexvar_epi8(u64::MAX << by, octets(&BEFORE[by]), octet)
            };
            Self { octet, before: shifted(1), two_before: shifted(2), three_before: shifted(3) }
        }

        /// The bytes from `at` on, of which there are at most 64, padded with zeros. At least three
        /// bytes must precede them.
        #[inline]
        fn part(src: &[u8], at: usize) -> Self {
            let end = src.len();
            Self {
                octet: load_part(&src[at..]),
                before: load_part(&src[at - 1..end - 1]),
                two_before: load_part(&src[at - 2..end - 2]),
                three_before: load_part(&src[at - 3..end - 3]),
            }
        }

        /// Nonzero where a rule is broken, as far as the bytes up to there show.
        #[inline]
        pub(super) fn errors(self) -> __m512i {
            // Bit 7: a third or fourth byte is required here. The same bit of `pair`: a
            // continuation byte here follows another.
            let third = _mm512_subs_epu8(self.two_before, splat(0xE0 - 0x80));
            let fourth = _mm512_subs_epu8(self.three_before, splat(0xF0 - 0x80));
            let must = _mm512_ternarylogic_epi32::<0xE0>(splat(0x80), third, fourth);
            _mm512_xor_si512(must, self.pair_errors())
        }

        /// The errors of each byte with the one before it.
        #[inline]
        pub(super) fn pair_errors(self) -> __m512i {
            let high = bits(4, 0, 4);
            let lead_high = _mm512_shuffle_epi8(table(&BY_LEAD_HIGH), moved(self.before, high));
            let lead_low = _mm512_and_si512(self.before, splat(0x0F));
            let lead_low = _mm512_shuffle_epi8(table(&BY_LEAD_LOW), lead_low);
            let second = _mm512_shuffle_epi8(table(&BY_SECOND_HIGH), moved(self.octet, high));
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
pub(super) const OVERLONG_3: u8 = 1 << 2;
/// F4, then more than 8F; or F5 and up, then more than 8F.
pub(super) const LARGE: u8 = 1 << 3;
/// ED, then more than 9F.
pub(super) const SURROGATE: u8 = 1 << 4;
/// C0 or C1.
pub(super) const OVERLONG_2: u8 = 1 << 5;
/// F0, then less than 90; or F5 and up, then less than 90.
pub(super) const OVERLONG_4: u8 = 1 << 6;
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
pub(super) fn behind<const N: usize>(src: &[u8], at: usize) -> Option<&[u8; N]> {
    src.get(at.checked_sub(3)?..)?.first_chunk()
}

/// Whether the three bytes require more.
#[inline(always)]
fn asks([a, b, c]: [u8; 3]) -> bool {
    (a >= 0xF0) | (b >= 0xE0) | (c >= 0xC0)
}

/// Number of bytes at the end of well-formed text that are the start of a longer sequence.
#[inline(always)]
pub(super) fn incomplete(src: &[u8]) -> usize {
    match *src {
        [.., 0xC0..=0xFF] => 1,
        [.., 0xE0..=0xFF, _] => 2,
        [.., 0xF0..=0xFF, _, _] => 3,
        _ => 0,
    }
}

featured!(
    /// Length in bytes of the longest well-formed prefix.
    pub(super) fn prefix(src: &[u8]) -> usize {
        match src.len() {
            0..=64 => return short_prefix(src).0,
            65..=256 => {
                if let Some(prefix) = few_blocks(src) {
                    return prefix;
                }
            }
            _ => {}
        }
        let mut read = ascii(src);
        while let Some(block) = src[read..].first_chunk()
            && _mm512_movepi8_mask(load(block)) == 0
        {
            read += 64;
        }
        if read > 0
            && src.len() - read < 64
            && let Some(last) = src.last_chunk()
            && _mm512_movepi8_mask(load(last)) == 0
        {
            return src.len();
        }
        if read == 0
            && let Some(first) = src.first_chunk()
        {
            let (sound, is_sound) = sound(first, Window::alone(load(first)));
            if !is_sound {
                return sound;
            }
            read = 64;
        }
        let mut plain = 0;
        while let Some(block) = behind::<131>(src, read) {
            let (one, two) =
                (block.first_chunk::<67>().unwrap(), block.last_chunk::<67>().unwrap());
            let (low, high) = (load(one.last_chunk().unwrap()), load(two.last_chunk().unwrap()));
            if _mm512_movepi8_mask(_mm512_or_si512(low, high)) == 0 {
                if asks(*block.first_chunk().unwrap()) {
                    break;
                }
                read += 128;
                plain += 1;
                if plain == LONG {
                    read += ascii(&src[read..]);
                    plain = 0;
                }
            } else {
                let errors = _mm512_or_si512(Window::new(one).errors(), Window::new(two).errors());
                if _mm512_test_epi8_mask(errors, errors) != 0 {
                    break;
                }
                read += 128;
                plain = 0;
            }
        }
        while src.len() - read > 64
            && let Some(block) = behind::<67>(src, read)
        {
            let errors = Window::new(block).errors();
            let errors = _mm512_test_epi8_mask(errors, errors);
            if errors != 0 {
                return up_to(src, read, errors);
            }
            read += 64;
        }
        // The remaining bytes are the end of a block that has no error before them.
        if let Some(last) = src.last_chunk() {
            let errors = Window::new(last).errors();
            if _mm512_test_epi8_mask(errors, errors) == 0 {
                return src.len() - incomplete(src);
            }
        }
        let errors = Window::part(src, read).errors();
        up_to(src, read, _mm512_test_epi8_mask(errors, errors))
    }
);

/// Length in bytes of the well-formed prefix before the first error at or after `at`, given the
/// mask of errors.
#[inline(always)]
fn up_to(src: &[u8], at: usize, errors: __mmask64) -> usize {
    let sound = at + memory::before(errors, src.len() - at);
    sound - incomplete(&src[..sound])
}

featured!(
    /// Length in bytes of the well-formed prefix of a few blocks, if they have no error. There is
    /// no branch on the data before the end, where the last block overlaps the one before.
    #[inline]
    fn few_blocks(src: &[u8]) -> Option<usize> {
        let (start, end) = (src.first_chunk()?, src.last_chunk::<67>()?);
        let octet = load(start);
        let mut all = _mm512_or_si512(octet, load(end.last_chunk().unwrap()));
        let mut rest = &src[61..];
        while rest.len() > 67
            && let Some(block) = rest.first_chunk::<67>()
        {
            all = _mm512_or_si512(all, load(block.last_chunk().unwrap()));
            rest = &rest[64..];
        }
        if _mm512_movepi8_mask(all) == 0 {
            return Some(src.len());
        }
        let mut errors = _mm512_or_si512(Window::alone(octet).errors(), Window::new(end).errors());
        let mut rest = &src[61..];
        while rest.len() > 67
            && let Some(block) = rest.first_chunk::<67>()
        {
            errors = _mm512_or_si512(errors, Window::new(block).errors());
            rest = &rest[64..];
        }
        (_mm512_test_epi8_mask(errors, errors) == 0).then(|| src.len() - incomplete(src))
    }
);

/// After this many consecutive blocks of ASCII, more is expected, and a dedicated loop is worth
/// the mispredicted branch at its end.
const LONG: usize = 8;

featured!(
    /// Number of bytes in whole blocks of 256 that are ASCII.
    #[inline]
    pub(super) fn ascii(src: &[u8]) -> usize {
        let mut read = 0;
        while let Some(block) = src[read..].first_chunk::<256>() {
            let [a, b, c, d] = [0, 64, 128, 192].map(|at| load(block[at..].first_chunk().unwrap()));
            let abc = _mm512_ternarylogic_epi32::<0xFE>(a, b, c);
            if _mm512_movepi8_mask(_mm512_or_si512(abc, d)) != 0 {
                break;
            }
            read += 256;
        }
        read
    }

    /// Length in bytes of the longest well-formed prefix of up to 64 bytes, and whether the rest
    /// could be completed by more bytes.
    #[inline]
    fn short_prefix(src: &[u8]) -> (usize, bool) {
        let octet = load_part(src);
        if _mm512_movepi8_mask(octet) == 0 {
            return (src.len(), true);
        }
        sound(src, Window::alone(octet))
    }

    /// [`short_prefix`] of a window.
    #[inline]
    fn sound(src: &[u8], window: Window) -> (usize, bool) {
        let errors = window.errors();
        match _mm512_test_epi8_mask(errors, errors) & first(src.len()) {
            // A sequence cut off at the end is not an error yet.
            0 => (src.len() - incomplete(src), true),
            wrong => {
                let sound = wrong.trailing_zeros() as usize;
                (sound - incomplete(&src[..sound]), false)
            }
        }
    }
);

/// The result of a block: the bytes of a code unit at each position where one ends.
pub(super) struct Units {
    pub(super) low: __m512i,
    pub(super) high: __m512i,
    /// The third byte of a code point, if there is a sequence of four.
    top: Option<__m512i>,
    pub(super) ends: __mmask64,
}

impl Units {
    featured!(
        /// The units of well-formed text. `WIDE`: UTF-32, otherwise UTF-16.
        #[inline]
        pub(super) fn new<const WIDE: bool>(window: Window, first_three: u8) -> Self {
            let Window { octet, before, two_before, .. } = window;
            let beyond_ascii = _mm512_movepi8_mask(octet);

            let carried = moved_where(beyond_ascii, before, bits(0, 6, 2));
            // A continuation byte has bit 6 clear already.
            let low = _mm512_ternarylogic_epi32::<0xF8>(carried, octet, splat(0x7F));
            // Zero for bytes below E0; four bits of those that lead three.
            let third = moved(_mm512_subs_epu8(two_before, splat(0xE0)), bits(0, 4, 4));
            let high = _mm512_or_si512(moved_where(beyond_ascii, before, bits(2, 0, 4)), third);
            let unfinished = _mm512_max_epu8(octet, _mm512_subs_epu8(before, splat(0x20)));
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
        pub(super) fn lossy<const WIDE: bool>(window: Window, sequences: &Sequences) -> Self {
            let Window { octet, before, two_before, .. } = window;
            let Sequences { member, third, fourth, ends, ill_formed, .. } = *sequences;
            let carried = moved_where(member, before, bits(0, 6, 2));
            let low = _mm512_ternarylogic_epi32::<0xF8>(carried, octet, splat(0x7F));
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
            let Window { octet, before, two_before, three_before } = window;
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
            let value = _mm512_or_si512(moved(before, bits(0, 2, 6)), moved(octet, bits(4, 0, 2)));
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
        pub(super) fn put<const WIDE: bool, const LE: bool>(
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
                        let (now, behind) = rest.split_at_mut(rest.len().min(64));
                        store_part(now, utf32::<LE>(low, high, top, places));
                        rest = behind;
                    }
                }
                Some(4 * count)
            } else {
                let places = _mm512_maskz_compress_epi8(ends, octets(&IDENTITY));
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
                    store_part(two, self.utf16::<LE>(places, &TWICE[1]));
                }
                Some(2 * count)
            }
        }

        /// 32 code units of UTF-16, selected by `twice` from those at `places`.
        #[inline]
        fn utf16<const LE: bool>(&self, places: __m512i, twice: &'static [u8; 64]) -> __m512i {
            const ODD: __mmask64 = 0xAAAA_AAAA_AAAA_AAAA;
            let places = _mm512_permutexvar_epi8(octets(twice), places);
            let (even, odd) = if LE { (self.low, self.high) } else { (self.high, self.low) };
            let even = _mm512_permutexvar_epi8(places, even);
            _mm512_mask_permutexvar_epi8(even, ODD, places, odd)
        }
    );
}

featured!(
    pub(super) fn to_utf16<const LE: bool>(src: &[u8], dst: &mut [u8]) -> (usize, usize) {
        convert::<false, LE>(src, dst)
    }

    pub(super) fn to_utf32<const LE: bool>(src: &[u8], dst: &mut [u8]) -> (usize, usize) {
        convert::<true, LE>(src, dst)
    }
);

/// A conversion in progress: bytes read and written. The bytes read are well-formed except for a
/// sequence that may be incomplete. If that has four bytes, its high surrogate may have been
/// written.
#[derive(Clone, Copy)]
struct Progress {
    read: usize,
    written: usize,
}

featured!(
    #[inline]
    fn convert<const WIDE: bool, const LE: bool>(src: &[u8], dst: &mut [u8]) -> (usize, usize) {
        match src.len() {
            // The most common short text, before there is a stack frame.
            0..=64 => {
                let octet = load_part(src);
                if _mm512_movepi8_mask(octet) == 0
                    && let Some(all) = widen_part::<WIDE, LE>(octet, src.len(), dst)
                {
                    return all;
                }
                one_block::<WIDE, LE>(src, dst)
            }
            65..=128 => two_blocks::<WIDE, LE>(src, dst),
            _ => by_blocks::<WIDE, LE>(src, dst),
        }
    }

    /// [`convert`] of at most one block that is not ASCII, or does not fit.
    #[inline(never)]
    fn one_block<const WIDE: bool, const LE: bool>(src: &[u8], dst: &mut [u8]) -> (usize, usize) {
        if src.len() < 12 {
            return by_sequence::<WIDE, LE>(src, dst);
        }
        let within = first(src.len());
        let window = Window::alone(load_part(src));
        let errors = window.errors();
        if _mm512_test_epi8_mask(errors, errors) & within == 0
            && incomplete(src) == 0
            && let Some(written) = Units::new::<WIDE>(window, 0).put::<WIDE, LE>(within, dst)
        {
            return (src.len(), written);
        }
        by_blocks::<WIDE, LE>(src, dst)
    }

    /// [`convert`] of more than one block and at most two.
    #[inline(never)]
    fn two_blocks<const WIDE: bool, const LE: bool>(src: &[u8], dst: &mut [u8]) -> (usize, usize) {
        let all = two_blocks_of_ascii::<WIDE, LE>(src, dst);
        match all.or_else(|| two_sound_blocks::<WIDE, LE>(src, dst)) {
            Some(written) => (src.len(), written),
            None => by_blocks::<WIDE, LE>(src, dst),
        }
    }

    /// Converts two overlapping blocks, if they are ASCII and fit. Returns the bytes written.
    #[inline]
    fn two_blocks_of_ascii<const WIDE: bool, const LE: bool>(
        src: &[u8],
        dst: &mut [u8],
    ) -> Option<usize> {
        let [one, two] = [src.first_chunk()?, src.last_chunk()?].map(|block| load(block));
        if _mm512_movepi8_mask(_mm512_or_si512(one, two)) != 0 {
            return None;
        }
        let times = if WIDE { 4 } else { 2 };
        let dst = dst.get_mut(..times * src.len())?;
        widen::<WIDE, LE>(one, dst.get_mut(..64 * times)?.as_chunks_mut().0);
        let last = dst.len() - 64 * times;
        widen::<WIDE, LE>(two, dst[last..].as_chunks_mut().0);
        Some(dst.len())
    }

    /// Converts two overlapping blocks, if they are well-formed and fit. Returns the bytes written.
    #[inline]
    fn two_sound_blocks<const WIDE: bool, const LE: bool>(
        src: &[u8],
        dst: &mut [u8],
    ) -> Option<usize> {
        let (start, end) = (src.first_chunk()?, src.last_chunk::<67>()?);
        let (one, two) = (Window::alone(load(start)), Window::new(end));
        let errors = _mm512_or_si512(one.errors(), two.errors());
        if _mm512_test_epi8_mask(errors, errors) != 0 || incomplete(src) != 0 {
            return None;
        }
        let first = Units::new::<WIDE>(one, 0).put::<WIDE, LE>(u64::MAX, dst)?;
        let units = Units::new::<WIDE>(two, end[0]);
        let more = units.put::<WIDE, LE>(last(src.len() - 64), dst.get_mut(first..)?)?;
        Some(first + more)
    }
);

/// A mask of the last `count` positions of a block; `count` is not 0.
#[inline(always)]
fn last(count: usize) -> __mmask64 {
    u64::MAX << (count.wrapping_neg() & 63)
}

featured!(
    /// [`convert`] of text that is not short, has an error, or does not fit.
    #[inline(never)]
    fn by_blocks<const WIDE: bool, const LE: bool>(src: &[u8], dst: &mut [u8]) -> (usize, usize) {
        let mut at = Progress { read: 0, written: 0 };
        ascii_run::<WIDE, LE>(src, dst, &mut at);
        if at.read == src.len() {
            return (at.read, at.written);
        }
        if at.read == 0
            && let Some(block) = src.first_chunk()
            && let Some(written) = first_block::<WIDE, LE>(block, dst)
        {
            at = Progress { read: 64, written };
        }
        let mut plain = 0;
        while let Some(block) = behind::<67>(src, at.read) {
            let octet = load(block.last_chunk().unwrap());
            if _mm512_movepi8_mask(octet) == 0 && !asks(*block.first_chunk().unwrap()) {
                let room = if WIDE { 256 } else { 128 };
                let Some(room) = dst[at.written..].get_mut(..room) else { break };
                widen::<WIDE, LE>(octet, room.as_chunks_mut().0);
                at.read += 64;
                at.written += room.len();
                plain += 1;
                if plain == LONG {
                    ascii_run::<WIDE, LE>(src, dst, &mut at);
                    plain = 0;
                }
                continue;
            }
            plain = 0;
            let window = Window::new(block);
            let errors = window.errors();
            if _mm512_test_epi8_mask(errors, errors) != 0 {
                break;
            }
            let units = Units::new::<WIDE>(window, block[0]);
            let Some(written) = units.put::<WIDE, LE>(u64::MAX, &mut dst[at.written..]) else {
                break;
            };
            at.written += written;
            at.read += 64;
        }
        // The remaining bytes are the end of a block that has no error before them.
        let rest = src.len() - at.read;
        if (1..64).contains(&rest)
            && at.read >= 64
            && let Some(block) = src.last_chunk::<67>()
            && let Some(written) = last_block::<WIDE, LE>(block, rest, dst, at.written)
        {
            at.read += rest;
            at.written += written;
        }
        // Back up to the last boundary.
        let begun = incomplete(&src[..at.read]);
        at.read -= begun;
        at.written -= if begun == 3 && !WIDE { 2 } else { 0 };
        while at.read < src.len() {
            let before = at.read;
            let end = short::<WIDE, LE>(src, dst, &mut at);
            if end != End::Whole || at.read == before {
                return finish::<WIDE, LE>(src, dst, at, end);
            }
        }
        (at.read, at.written)
    }

    /// Converts the first block of text, if it fits and is well-formed except for a sequence cut by
    /// its end. Returns the bytes written.
    #[inline]
    fn first_block<const WIDE: bool, const LE: bool>(
        src: &[u8; 64],
        dst: &mut [u8],
    ) -> Option<usize> {
        let window = Window::alone(load(src));
        let errors = window.errors();
        if _mm512_test_epi8_mask(errors, errors) != 0 {
            return None;
        }
        Units::new::<WIDE>(window, 0).put::<WIDE, LE>(u64::MAX, dst)
    }

    /// Converts the last `rest` bytes of a block, if they fit and the block is well-formed except
    /// for a sequence cut by its end. The output so far ends with the text before them. Returns the
    /// bytes written.
    #[inline]
    fn last_block<const WIDE: bool, const LE: bool>(
        src: &[u8; 67],
        rest: usize,
        dst: &mut [u8],
        written: usize,
    ) -> Option<usize> {
        let octet = load(src.last_chunk().unwrap());
        if _mm512_movepi8_mask(octet) == 0 {
            // Some units are written again.
            let times = if WIDE { 4 } else { 2 };
            let end = written + times * rest;
            let room = dst.get_mut(end.checked_sub(64 * times)?..end)?;
            widen::<WIDE, LE>(octet, room.as_chunks_mut().0);
            return Some(times * rest);
        }
        let window = Window::new(src);
        let errors = window.errors();
        if _mm512_test_epi8_mask(errors, errors) != 0 {
            return None;
        }
        let units = Units::new::<WIDE>(window, src[0]);
        units.put::<WIDE, LE>(last(rest), dst.get_mut(written..)?)
    }

    /// Converts whole blocks of 64 bytes of ASCII. The text before must be complete, or followed by
    /// ASCII.
    #[inline]
    fn ascii_run<const WIDE: bool, const LE: bool>(src: &[u8], dst: &mut [u8], at: &mut Progress) {
        let times = if WIDE { 4 } else { 2 };
        let (src, dst) = (&src[at.read..], &mut dst[at.written..]);
        let mut read = 0;
        // Part of the first block is written again, so that the rest is aligned to 64 bytes.
        let misplaced = if src.len() < 1024 { 0 } else { dst.as_ptr().addr() % 64 / times };
        while let Some(next) = src[read..].first_chunk::<64>()
            && let Some(room) = dst[times * read..].get_mut(..64 * times)
        {
            let octets = load(next);
            if _mm512_movepi8_mask(octets) != 0 {
                break;
            }
            widen::<WIDE, LE>(octets, room.as_chunks_mut().0);
            read += if read == 0 { 64 - misplaced } else { 64 };
            // Two at a time, as long as possible.
            while let Some(next) = src[read..].first_chunk::<128>()
                && let Some(room) = dst[times * read..].get_mut(..128 * times)
            {
                let [a, b] = [0, 64].map(|at| load(next[at..].first_chunk().unwrap()));
                if _mm512_movepi8_mask(_mm512_or_si512(a, b)) != 0 {
                    break;
                }
                let (first, second) = room.split_at_mut(64 * times);
                widen::<WIDE, LE>(a, first.as_chunks_mut().0);
                widen::<WIDE, LE>(b, second.as_chunks_mut().0);
                read += 128;
            }
        }
        at.read += read;
        at.written += times * read;
    }

    /// 16 code points.
    #[inline]
    fn utf32<const LE: bool>(
        low: __m512i,
        high: __m512i,
        top: Option<__m512i>,
        places: &'static [u8; 64],
    ) -> __m512i {
        let places = octets(places);
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

/// The outcome of a short conversion.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    /// The end of the bytes was reached, except for a sequence that may continue.
    Whole,
    IllFormed,
    NoRoom,
}

featured!(
    /// Converts at most 64 bytes, from a boundary to a boundary, using no more space than needed.
    #[inline]
    fn short<const WIDE: bool, const LE: bool>(
        src: &[u8],
        dst: &mut [u8],
        at: &mut Progress,
    ) -> End {
        let src = &src[at.read..src.len().min(at.read + 64)];
        let dst = &mut dst[at.written..];
        let octet = load_part(src);
        if _mm512_movepi8_mask(octet) == 0 {
            let Some((read, written)) = widen_part::<WIDE, LE>(octet, src.len(), dst) else {
                return End::NoRoom;
            };
            at.read += read;
            at.written += written;
            return End::Whole;
        }
        let window = Window::alone(octet);
        let (count, sound) = sound(src, window);
        let units = Units::new::<WIDE>(window, 0);
        let Some(written) = units.put::<WIDE, LE>(first(count), dst) else { return End::NoRoom };
        at.read += count;
        at.written += written;
        if sound { End::Whole } else { End::IllFormed }
    }

    /// Returns the progress of `at`. If there was too little space for blocks, first converts more,
    /// one sequence at a time.
    #[inline]
    fn finish<const WIDE: bool, const LE: bool>(
        src: &[u8],
        dst: &mut [u8],
        at: Progress,
        end: End,
    ) -> (usize, usize) {
        let Progress { mut read, mut written } = at;
        if end == End::NoRoom {
            let more = by_sequence::<WIDE, LE>(&src[read..], &mut dst[written..]);
            read += more.0;
            written += more.1;
        }
        (read, written)
    }
);

/// Converts one sequence at a time.
#[inline(always)]
fn by_sequence<const WIDE: bool, const LE: bool>(src: &[u8], dst: &mut [u8]) -> (usize, usize) {
    if WIDE {
        scalar::convert::<Utf8, Utf32<LE>>(src, dst)
    } else {
        scalar::convert::<Utf8, Utf16<LE>>(src, dst)
    }
}

/// Number of bytes at the end that are the lead byte of a code point in Latin-1.
fn incomplete_latin1(src: &[u8]) -> usize {
    usize::from(matches!(src, [.., 0xC2 | 0xC3]))
}

/// A block of UTF-8 as Latin-1: a byte for each position, and a mask of those that represent a
/// code point.
type InLatin1 = (__m512i, __mmask64);

featured!(
    /// Converts 64 bytes, given those before each, to Latin-1. `carry` is 1 if the byte before the
    /// first is the lead byte of a code point in Latin-1. Also returns a mask of the bytes that are
    /// invalid in their position, as far as the bytes up to there show.
    #[inline]
    fn latin1(octet: __m512i, before: __m512i, carry: u64) -> (InLatin1, __mmask64) {
        let beyond_ascii = _mm512_movepi8_mask(octet);
        let trail = _mm512_cmplt_epi8_mask(octet, splat(0xC0));
        let lead = _mm512_cmpeq_epi8_mask(_mm512_and_si512(octet, splat(0xFE)), splat(0xC2));
        let wrong = beyond_ascii ^ (lead | trail) | trail ^ (lead << 1 | carry);
        let carried = moved_where(trail, before, bits(0, 6, 2));
        ((_mm512_ternarylogic_epi32::<0xF8>(carried, octet, splat(0x7F)), !lead), wrong)
    }

    /// [`latin1`] of 64 bytes after the one before them, if all are valid.
    #[inline]
    fn block_in_latin1(src: &[u8; 65]) -> Option<InLatin1> {
        let octet = load(src.last_chunk().unwrap());
        let carry = incomplete_latin1(&src[..1]) as u64;
        if u64::from(_mm512_movepi8_mask(octet) != 0) | carry == 0 {
            return Some((octet, u64::MAX));
        }
        let (latin1, wrong) = latin1(octet, load(src.first_chunk().unwrap()), carry);
        (wrong == 0).then_some(latin1)
    }

    /// [`latin1`] of up to 64 bytes that begin on a boundary, and the length of the valid prefix,
    /// up to a boundary.
    #[inline]
    fn part_in_latin1(octet: __m512i, count: usize) -> (InLatin1, usize) {
        if _mm512_movepi8_mask(octet) == 0 {
            return ((octet, first(count)), count);
        }
        let before = _mm512_maskz_permutexvar_epi8(!1, octets(&BEFORE[1]), octet);
        let ((octets, mask), wrong) = latin1(octet, before, 0);
        let sound = memory::before(wrong, count);
        let within = first(sound);
        // A lead byte at the end is left to the text that follows.
        let begins = within & !(within >> 1) & !mask != 0;
        ((octets, mask & within), if begins { sound - 1 } else { sound })
    }

    /// UTF-8 to Latin-1.
    pub(super) fn to_latin1(src: &[u8], dst: &mut [u8]) -> (usize, usize) {
        convert_blocks!(
            src,
            dst,
            units 1 to 1 behind 1,
            |src| (incomplete_latin1(src), 0),
            |src: &[u8; 129], dst| {
                let dst = dst.first_chunk_mut::<128>()?;
                let [a, b] = [1, 65].map(|at| load(src[at..].first_chunk().unwrap()));
                let ascii = _mm512_movepi8_mask(_mm512_or_si512(a, b)) == 0;
                if ascii && incomplete_latin1(&src[..1]) == 0 {
                    let dst = dst.as_chunks_mut().0;
                    store(&mut dst[0], a);
                    store(&mut dst[1], b);
                    return Some(128);
                }
                let (octets, mask) = block_in_latin1(src.first_chunk().unwrap())?;
                let first = put(octets, mask, dst.first_chunk_mut().unwrap());
                let (octets, mask) = block_in_latin1(src.last_chunk().unwrap())?;
                Some(first + put(octets, mask, dst[first..].first_chunk_mut().unwrap()))
            },
            |octets, count, dst| {
                let ((octets, mask), read) = part_in_latin1(octets, count);
                Some((read, put_part(octets, mask, dst)?))
            },
            scalar::convert::<Utf8, Latin1>,
        )
    }

    /// Length in bytes of the longest well-formed prefix whose code points are in Latin-1.
    pub(super) fn latin1_prefix(src: &[u8]) -> usize {
        let (read, _) = convert_blocks!(
            src,
            &mut [],
            units 1 to 0 behind 1,
            |src| (incomplete_latin1(src), 0),
            |src: &[u8; 129], _| {
                block_in_latin1(src.first_chunk().unwrap())?;
                block_in_latin1(src.last_chunk().unwrap()).map(|_| 0)
            },
            |octets, count, _| Some((part_in_latin1(octets, count).1, 0)),
            |_, _| (0, 0),
        );
        read
    }
);
