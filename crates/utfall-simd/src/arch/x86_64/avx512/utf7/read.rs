//! From UTF-7.

use core::arch::x86_64::*;
use core::hint::{black_box, cold_path};

use super::super::memory::{
    self, BEFORE, IDENTITY, TWICE, bits, bytes, first, load, moved, moved_where, splat, store,
};
use super::super::utf16::{self, Surrogates, put, three_bytes, two_bytes};
use super::{LEAD, LONG, ROOM, WRITE, classes, direct_run, half};
use crate::arch::scalar;
use crate::arch::x86_64::avx2;
use crate::utf7::places::{Before, Places, STRIDE};
use crate::utf7::{CLASSES, NOT_DIRECT, RunState};

/// The AVX2 kernel is faster for text below this length, in bytes, since it needs no whole blocks.
const SHORT: usize = 320;
/// Number of digits read at once from the middle of a run: seven times three code units.
const DIGITS: usize = 56;
/// The code units of those digits.
const UNITS: usize = 21;

/// [`CLASSES`] of ASCII.
pub(super) static READ: [[u8; 64]; 2] = {
    let mut table = [0; 128];
    let mut byte = 0;
    while byte < 128 {
        table[byte] = CLASSES[byte];
        byte += 1;
    }
    [half(&table, 0), half(&table, 1)]
};

impl Before {
    /// The start of the group of three code units whose digits continue at `at`, in a run, and how
    /// many of them are complete. `None` if that is before the text.
    #[inline(always)]
    pub(super) fn group(&self, at: usize) -> Option<(usize, usize)> {
        let number = if self.opened == 1 { 0 } else { (8 - self.began as usize) % 8 };
        Some((at.checked_sub(number)?, [0, 0, 0, 1, 1, 1, 2, 2][number]))
    }
}

/// A block, and what its bytes are. The masks are of the bytes after the first three.
pub(super) struct Block {
    byte: __m512i,
    /// [`CLASSES`].
    class: __m512i,
    /// Digits with one of the two, or four, lowest bits set.
    odd_bits: [u64; 2],
    digits: u64,
    minus: u64,
    pub(super) plus: u64,
    pub(super) ill_formed: u64,
}

impl Block {
    /// Whether all bytes are digits.
    #[inline(always)]
    pub(super) fn is_of_digits(&self) -> bool {
        self.digits == u64::MAX >> 3
    }

    /// The code units. `state` is the state before the block, and becomes the state after it, except
    /// for `high`. `None` if the block is ill-formed.
    #[inline(always)]
    pub(super) fn places(&self, state: &mut Before) -> Option<Places> {
        let masks = [self.digits, self.plus, self.minus, self.ill_formed];
        Places::new(state, masks, self.odd_bits)
    }
}

/// Sets `read` and `written`, after whole groups of digits, so that a block can begin there: a high
/// surrogate at the end (`high`) is read again. Returns the state.
#[inline(always)]
pub(super) fn after_groups(
    src: &[u8],
    high: u64,
    read: &mut usize,
    written: &mut usize,
) -> RunState {
    let state = RunState { shifted: true, ..RunState::default() };
    if high == 0 {
        return state;
    }
    // Two digits and four bits before it.
    *read -= 2;
    *written -= 2;
    RunState { bits: CLASSES[usize::from(src[*read + 2])] & 15, count: 4, ..state }
}

/// Takes back what follows the last code point of the last block, which has begun at `read` less
/// [`STRIDE`]. Returns the state after that code point. `high` as in [`after_groups`].
#[inline(always)]
pub(super) fn back_up(
    places: &Places,
    src: &[u8],
    high: u64,
    read: &mut usize,
    written: &mut usize,
) -> RunState {
    *read -= STRIDE;
    let (bytes, state) = places.last_point(high != 0, &src[*read + 3..]);
    *read += bytes;
    *written -= if high != 0 { 2 } else { 0 };
    state
}

featured!(
    /// Classifies the bytes of a block.
    #[inline]
    pub(super) fn examine(block: &[u8; 64]) -> Block {
        let byte = load(block);
        let class = classes(&READ, byte);
        let no_digit = _mm512_movepi8_mask(_mm512_or_si512(class, byte));
        let not_direct = _mm512_test_epi8_mask(class, splat(NOT_DIRECT));
        Block {
            byte,
            class,
            odd_bits: [
                _mm512_test_epi8_mask(class, splat(3)) >> 3,
                _mm512_test_epi8_mask(class, splat(15)) >> 3,
            ],
            digits: !no_digit >> 3,
            minus: _mm512_cmpeq_epi8_mask(byte, splat(b'-')) >> 3,
            plus: _mm512_cmpeq_epi8_mask(byte, splat(b'+')) >> 3,
            ill_formed: (not_direct | _mm512_movepi8_mask(byte)) >> 3,
        }
    }

    /// The values of the digits and direct characters of a block.
    #[inline]
    pub(super) fn values_of(block: &Block, places: &Places) -> __m512i {
        let values = _mm512_mask_mov_epi8(block.class, places.direct << 3, block.byte);
        _mm512_mask_mov_epi8(values, places.plus << 3, splat(b'+'))
    }

    /// UTF-7 to UTF-8.
    pub(in super::super) fn to_utf8(
        shift: &mut RunState,
        src: &[u8],
        dst: &mut [u8],
    ) -> (usize, usize) {
        if src.len() < SHORT {
            return avx2::utf7_to_utf8(shift, src, dst);
        }
        let (mut read, mut written) =
            if shift.shifted { (0, 0) } else { single_units_to_utf8(src, dst) };
        if read < 3 {
            (read, written) = scalar::utf7::to_utf8(shift, &src[..src.len().min(LEAD)], dst);
        }
        if read >= 3 {
            let done = blocks_to_utf8(shift, &src[read - 3..], &mut dst[written..]);
            read += done.0;
            written += done.1;
        }
        let rest = scalar::utf7::to_utf8(shift, &src[read..], &mut dst[written..]);
        (read + rest.0, written + rest.1)
    }

    /// Converts whole blocks after the first three bytes of `src`. Returns the bytes read after
    /// those, and the bytes written.
    #[inline]
    fn blocks_to_utf8(shift: &mut RunState, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
        let (mut read, mut written) = (0, 0);
        let mut before = Before::new(*shift);
        let mut last: Option<Places> = None;
        // Whether the block before had units of three bytes: then this one probably has too.
        let mut wide = false;
        loop {
            if before.shifted == 0 {
                let (bytes, filled) = single_units_to_utf8(&src[read + 3..], &mut dst[written..]);
                if bytes > 0 {
                    read += bytes;
                    written += filled;
                    last = None;
                    *shift = RunState::default();
                }
            }
            let (Some(block), ROOM..) = (src[read..].first_chunk::<64>(), dst[written..].len())
            else {
                break;
            };
            let block = examine(block);
            if before.shifted == 1
                && block.is_of_digits()
                && let Some((start, done)) = before.group(read + 3)
            {
                let (bytes, filled, high) =
                    digits_to_utf8(&src[start..], &mut dst[written..], done, before.high);
                if bytes > 0 {
                    read = start + bytes - 3;
                    written += filled;
                    *shift = after_groups(src, high, &mut read, &mut written);
                    before = Before::new(*shift);
                    last = None;
                    continue;
                }
            }
            let room = dst[written..].first_chunk_mut::<ROOM>().unwrap();
            let mut after = before;
            let Some(places) = block.places(&mut after) else { break };
            let values = values_of(&block, &places);
            let short = match before.high {
                0 if !wide => in_place_to_utf8(&places, values, room.first_chunk_mut().unwrap()),
                _ => None,
            };
            let bytes = match short {
                Some(bytes) => bytes,
                None => match units_to_utf8(&places, values, before.high, room) {
                    Some((bytes, high, is_wide)) => {
                        after.high = high;
                        wide = is_wide;
                        bytes
                    }
                    None => break,
                },
            };
            read += STRIDE;
            written += bytes;
            before = after;
            last = Some(places);
        }
        if let Some(places) = last {
            *shift = back_up(&places, src, before.high, &mut read, &mut written);
        }
        (read, written)
    }

    /// Converts the code units of a block to UTF-8 in place: the bytes of a unit in a run replace
    /// its digits. `None` if a third byte does not fit, or if a run contains a surrogate or ASCII.
    #[inline]
    fn in_place_to_utf8(places: &Places, values: __m512i, dst: &mut [u8; 64]) -> Option<usize> {
        let direct = places.direct << 3;
        let ends = [places.ends[0] << 3, places.ends[1] << 3, places.ends[2] << 3];
        // The digits with the five upper bits of a unit have some of them set.
        let wide = ends[0] & _mm512_test_epi8_mask(values, splat(0x3E)) << 2
            | ends[1] & _mm512_test_epi8_mask(values, splat(0x38)) << 2
            | ends[1] & _mm512_test_epi8_mask(values, splat(0x03)) << 3;
        let too_wide = ends[2] & _mm512_test_epi8_mask(values, splat(0x20)) << 1
            | ends[2] & _mm512_test_epi8_mask(values, splat(0x0F)) << 2;
        if too_wide != 0 {
            return None;
        }
        // Six bits of the unit at the position of each byte: from the upper end of the digit and
        // the lower end of the one before it.
        let before = _mm512_permutexvar_epi8(bytes(&BEFORE[1]), values);
        let first = ends[0] | ends[0] >> 1 | ends[0] >> 2;
        let second = ends[1] | ends[1] >> 1 | ends[1] >> 2;
        let upper = moved_at(first, values, values, bits(2, 0, 4));
        let upper = moved_at(second, upper, values, bits(4, 0, 2));
        let lower = moved_where(first, before, bits(0, 4, 2));
        let lower = moved_at(second, lower, before, bits(0, 2, 4));

        let trails = ends[0] | ends[1] | ends[2];
        let (second_of_three, first_of_three) = (wide >> 1, wide >> 2);
        let first_of_two = trails >> 1 & !second_of_three;
        let tags = _mm512_mask_mov_epi8(splat(0x80), first_of_two, splat(0xC0));
        let sixes = _mm512_ternarylogic_epi32::<0xFE>(upper, lower, tags);
        // For the first of three bytes, four bits.
        let fours = _mm512_ternarylogic_epi32::<0xEA>(sixes, splat(0x0F), splat(0xE0));
        let bytes = _mm512_mask_mov_epi8(sixes, first_of_three, fours);
        let bytes = _mm512_mask_mov_epi8(bytes, direct, values);

        let ascii = _mm512_mask_cmplt_epu8_mask(first_of_two, bytes, splat(0xC2));
        let surrogates = _mm512_mask_cmpeq_epi8_mask(first_of_three, bytes, splat(0xED)) << 1
            & _mm512_test_epi8_mask(bytes, splat(0x20));
        if ascii | surrogates & second_of_three != 0 {
            return None;
        }
        Some(put(bytes, direct | trails | trails >> 1 | first_of_three, dst))
    }

    /// Converts direct text and runs of one code unit, as in most Western languages: blocks of 64
    /// bytes, as long as all runs of a block are of that kind. A run cut by the end of a block is
    /// left to the next one. Returns the bytes read and written.
    #[inline(never)]
    fn single_units_to_utf8(src: &[u8], dst: &mut [u8]) -> (usize, usize) {
        /// A run that begins here or later may continue in the next block.
        const CUT: usize = 64 - 4;
        let (mut read, mut written, mut plain) = (0, 0, 0);
        while let Some(block) = src[read..].first_chunk::<64>()
            && let Some(room) = dst[written..].first_chunk_mut::<64>()
        {
            let byte = load(block);
            let class = classes(&READ, byte);
            let plus = _mm512_cmpeq_epi8_mask(byte, splat(b'+'));
            let not_direct = _mm512_test_epi8_mask(class, splat(NOT_DIRECT));
            let ill_formed = not_direct | _mm512_movepi8_mask(byte);
            if plus | ill_formed == 0 {
                store(room, byte);
                read += 64;
                written += 64;
                plain += 1;
                if plain == LONG {
                    let more = direct_run(&WRITE[0], &src[read..], &mut dst[written..]);
                    read += more;
                    written += more;
                    plain = 0;
                }
                continue;
            }
            plain = 0;
            let mut bytes = 64;
            if plus >> CUT != 0 {
                // Opaque, so that it stays a branch: the next block must not wait for the number.
                bytes = black_box(CUT + (plus >> CUT).trailing_zeros() as usize);
            }
            let set_b = !_mm512_movepi8_mask(_mm512_or_si512(class, byte));
            let minus = _mm512_cmpeq_epi8_mask(byte, splat(b'-'));
            let odd_bits = _mm512_test_epi8_mask(class, splat(3));
            let pair = plus << 1 & minus;
            let open = plus & first(CUT) & !(pair >> 1);
            let one = open << 1 & set_b;
            let two = one << 1 & set_b;
            let three = two << 1 & set_b;
            let digits = one | two | three;
            let longer = three << 1 & set_b;
            let ill_formed = ill_formed & first(bytes);
            if open << 3 ^ three | longer | digits & plus | three & odd_bits | ill_formed != 0 {
                break;
            }
            let direct = !(plus | digits | three << 1 & minus) & first(bytes);

            // As in `in_place_to_utf8`.
            let wide = _mm512_mask_test_epi8_mask(one, class, splat(0x3E));
            let upper = _mm512_and_si512(class, splat(0x3E));
            let surrogates = _mm512_mask_cmpeq_epi8_mask(wide, upper, splat(0x36));
            let before = _mm512_permutexvar_epi8(memory::bytes(&BEFORE[1]), class);
            let upper = moved(class, bits(2, 0, 4));
            let lower = moved(before, bits(0, 4, 2));
            let sixes = _mm512_ternarylogic_epi32::<0xFE>(upper, lower, splat(0x80));
            let lead = two & !(wide << 1);
            let out = _mm512_mask_add_epi8(sixes, lead, sixes, splat(0x40));
            let fours = _mm512_ternarylogic_epi32::<0xEA>(sixes, splat(0x0F), splat(0xE0));
            let out = _mm512_mask_mov_epi8(out, wide, fours);
            let mut out = _mm512_mask_mov_epi8(out, direct, byte);
            let mut used = direct | three | two | wide;
            if surrogates != 0 {
                break;
            }
            let ascii = _mm512_mask_cmplt_epu8_mask(lead, out, splat(0xC2));
            if ascii | pair != 0 {
                cold_path();
                let seven = _mm512_or_si512(upper, moved(before, bits(0, 4, 3)));
                out = _mm512_mask_mov_epi8(out, ascii << 1, seven);
                out = _mm512_mask_mov_epi8(out, pair, splat(b'+'));
                used = (used & !ascii | pair) & first(bytes);
            }
            read += bytes;
            written += put(out, used, room);
        }
        (read, written)
    }
);

/// The positions of the lower byte of a code unit, and of the upper one, once each group of four
/// digits has become 24 bits in a lane of 32.
pub(super) const fn unit(number: usize) -> [u8; 2] {
    let at = 8 * (number as u8 / 3);
    match number % 3 {
        0 => [at + 1, at + 2],
        1 => [at + 6, at],
        _ => [at + 4, at + 5],
    }
}

/// The positions by [`unit`], in order.
static IN_ORDER: [u8; 64] = {
    let mut places = [0; 64];
    let mut number = 0;
    while number < UNITS {
        [places[2 * number], places[2 * number + 1]] = unit(number);
        number += 1;
    }
    places
};

/// For each eight bytes of three-byte units: the four units they belong to.
static OF_THREE: [u8; 64] = {
    let mut places = [0; 64];
    let mut lane = 0;
    while lane < 32 {
        let number = 8 * (lane / 4) / 3 + lane % 4;
        let number = if number < UNITS { number } else { UNITS - 1 };
        [places[2 * lane], places[2 * lane + 1]] = unit(number);
        lane += 1;
    }
    places
};

/// For each byte of three-byte units: the position of its bits in those four units, the mask of
/// its own bits, and its tag.
static THREE: [[u8; 64]; 3] = {
    let mut tables = [[0; 64]; 3];
    let mut at = 0;
    while at < 64 {
        let lane = at / 3 - 8 * (at / 8) / 3;
        let (shift, own, tag) = match at % 3 {
            0 => (12, 0x0F, 0xE0),
            1 => (6, 0x3F, 0x80),
            _ => (0, 0x3F, 0x80),
        };
        tables[0][at] = 16 * lane as u8 + shift;
        [tables[1][at], tables[2][at]] = [own, tag];
        at += 1;
    }
    tables
};

featured!(
    /// Converts digits from the start of a group of three code units, [`DIGITS`] at a time, all of
    /// one run. The first `done` units have been written. Returns the bytes read and written, and a
    /// high surrogate at the end, half of whose bytes are written.
    #[inline]
    fn digits_to_utf8(
        src: &[u8],
        dst: &mut [u8],
        mut done: usize,
        mut high: u64,
    ) -> (usize, usize, u64) {
        let (mut read, mut written) = (0, 0);
        while let Some(block) = src[read..].first_chunk::<64>()
            && let Some(room) = dst[written..].first_chunk_mut::<128>()
        {
            let byte = load(block);
            let class = classes(&READ, byte);
            let no_digit = _mm512_movepi8_mask(_mm512_or_si512(class, byte));
            if no_digit & first(DIGITS) != 0 {
                break;
            }
            let bits = _mm512_maddubs_epi16(class, utf16::splat(0x0140));
            let bits = _mm512_madd_epi16(bits, _mm512_set1_epi32(0x0001_1000));
            let units = _mm512_permutexvar_epi8(bytes(&OF_THREE), bits);
            let wide = _mm512_test_epi16_mask(units, utf16::splat(0xF800));
            if done as u64 | high | u64::from(!wide | utf16::surrogates(units)) == 0 {
                let byte = _mm512_multishift_epi64_epi8(bytes(&THREE[0]), units);
                let [own, tags] = [bytes(&THREE[1]), bytes(&THREE[2])];
                let byte = _mm512_ternarylogic_epi32::<0xEA>(byte, own, tags);
                store(room.first_chunk_mut().unwrap(), byte);
                written += 3 * UNITS;
            } else {
                let units = _mm512_permutexvar_epi8(bytes(&IN_ORDER), bits);
                let units = _mm512_maskz_compress_epi16(u32::MAX << done, units);
                let Some((bytes, after, _)) =
                    half_to_utf8::<true>(units, (0, UNITS - done), high, room)
                else {
                    break;
                };
                high = after;
                written += bytes;
                done = 0;
            }
            read += DIGITS;
        }
        (read, written, high)
    }

    /// The bits of each byte moved by a matrix, and those of `other` where the mask is clear.
    #[inline]
    fn moved_at(mask: u64, other: __m512i, bytes: __m512i, matrix: i64) -> __m512i {
        let matrix = _mm512_set1_epi64(matrix);
        _mm512_mask_gf2p8affine_epi64_epi8::<0>(other, mask, bytes, matrix)
    }

    /// The positions of the code units of a block. Their two upper bits say by how many pairs of
    /// bits a unit is too far left.
    #[inline]
    pub(super) fn numbers(places: &Places, units: u64) -> __m512i {
        let [second, fourth, _] = places.ends;
        let numbers = bytes(&IDENTITY);
        let numbers = _mm512_mask_add_epi8(numbers, second << 3, numbers, splat(0x40));
        let numbers = _mm512_mask_add_epi8(numbers, fourth << 3, numbers, splat(0x80));
        _mm512_maskz_compress_epi8(units << 3, numbers)
    }

    /// Converts the code units of a block to UTF-8, like [`half_to_utf8`].
    #[inline]
    fn units_to_utf8(
        places: &Places,
        values: __m512i,
        high: u64,
        dst: &mut [u8; ROOM],
    ) -> Option<(usize, u64, bool)> {
        let units = places.units();
        let count = units.count_ones() as usize;
        let direct = _pext_u64(places.direct, units);
        let last = _pext_u64(places.last, units);
        let numbers = numbers(places, units);
        // A single call: otherwise it would not be inlined into the loop.
        let (mut written, mut high, mut wide) = (0, high, false);
        for (half, twice) in TWICE.iter().enumerate() {
            let Some(rest @ 1..) = count.checked_sub(32 * half) else { break };
            let of_half = |mask: u64| (mask >> (32 * half)) as u32;
            let places = _mm512_permutexvar_epi8(memory::bytes(twice), numbers);
            let units = half_of_units(places, values, of_half(direct));
            let dst = dst[written..].first_chunk_mut().unwrap();
            let (bytes, is_wide);
            (bytes, high, is_wide) =
                half_to_utf8::<false>(units, (of_half(last), rest.min(32)), high, dst)?;
            written += bytes;
            wide |= is_wide;
        }
        Some((written, high, wide))
    }

    /// Up to 32 code units, given twice the position of each, and the lanes of direct characters.
    #[inline]
    pub(super) fn half_of_units(places: __m512i, values: __m512i, direct: u32) -> __m512i {
        // The digit there and the one before it, and the two before those.
        let one = _mm512_sub_epi8(places, utf16::splat(0x0001));
        let one = _mm512_permutexvar_epi8(one, values);
        let two = _mm512_sub_epi8(places, utf16::splat(0x0203));
        let two = _mm512_permutexvar_epi8(two, values);
        let join = utf16::splat(0x0140);
        let (low, high_bits) = (_mm512_maddubs_epi16(one, join), _mm512_maddubs_epi16(two, join));
        let right = _mm512_and_si512(_mm512_srli_epi16::<13>(places), utf16::splat(6));
        let left = _mm512_sub_epi16(utf16::splat(12), right);
        let units =
            _mm512_or_si512(_mm512_sllv_epi16(high_bits, left), _mm512_srlv_epi16(low, right));
        _mm512_mask_srli_epi16::<8>(units, direct, one)
    }

    /// Converts up to 32 code units to UTF-8, given the lanes of the last ones of runs, and their
    /// number. Returns the bytes written, a high surrogate at the end, and whether some unit takes
    /// more than two bytes. `None` if a surrogate is unpaired. Inlined into both loops that call
    /// it.
    #[inline]
    fn half_to_utf8<const OF_DIGITS: bool>(
        units: __m512i,
        (last, count): (u32, usize),
        mut high: u64,
        dst: &mut [u8; 128],
    ) -> Option<(usize, u64, bool)> {
        let units = _mm512_maskz_mov_epi16(first(count) as u32, units);
        if high == 0 && _mm512_test_epi16_mask(units, utf16::splat(0xF800)) == 0 {
            let (bytes, mask) = two_bytes(units);
            let written = put(bytes, mask & first(2 * count), dst.first_chunk_mut().unwrap());
            return Some((written, 0, false));
        }
        let mut pairs = None;
        if high != 0 || utf16::surrogates(units) != 0 {
            let surrogates;
            (surrogates, high) = pair_up(units, (last, count), high)?;
            pairs = Some(surrogates);
        }
        let [a, b] = three_bytes(utf16::for_unpack(units), pairs);
        let written = put_lanes(a, count.min(16), dst.first_chunk_mut().unwrap());
        if count <= 16 {
            return Some((written, high, true));
        }
        let more = put_lanes(b, count - 16, dst[written..].first_chunk_mut().unwrap());
        Some((written + more, high, true))
    }

    /// The surrogates of up to 32 code units, and the last unit if it awaits its partner. `None` if
    /// one is unpaired, as far as can be determined; a pair cannot span two runs.
    #[inline]
    fn pair_up(
        units: __m512i,
        (last, count): (u32, usize),
        high: u64,
    ) -> Option<(Surrogates, u64)> {
        let kinds = _mm512_and_si512(units, utf16::splat(0xFC00));
        let highs = _mm512_cmpeq_epi16_mask(kinds, utf16::splat(0xD800));
        let lows = _mm512_cmpeq_epi16_mask(kinds, utf16::splat(0xDC00));
        let expected = highs << 1 | u32::from(high != 0);
        if (expected ^ lows) & first(count) as u32 | highs & last != 0 {
            return None;
        }
        let before = _mm512_permutexvar_epi8(bytes(&BEFORE[2]), units);
        let before = _mm512_mask_mov_epi16(before, 1, utf16::splat(high as u16));
        let high = if highs >> (count - 1) & 1 == 0 {
            0
        } else {
            let place = utf16::splat(count as u16 - 1);
            _mm512_cvtsi512_si32(_mm512_permutexvar_epi16(place, units)) as u64 & 0xFFFF
        };
        let kinds = utf16::for_unpack(kinds);
        let surrogates = Surrogates {
            high: _mm512_cmpeq_epi16_mask(kinds, utf16::splat(0xD800)),
            low: _mm512_cmpeq_epi16_mask(kinds, utf16::splat(0xDC00)),
            before: utf16::for_unpack(before),
        };
        Some((surrogates, high))
    }

    /// Like [`utf16::put_lanes`], for the first `count` lanes.
    #[inline]
    fn put_lanes(lanes: __m512i, count: usize, dst: &mut [u8; 64]) -> usize {
        let counts = _mm512_or_si512(lanes, _mm512_set1_epi32(0x8000_0000_u32 as i32));
        put(lanes, _mm512_movepi8_mask(counts) & first(4 * count), dst)
    }
);
