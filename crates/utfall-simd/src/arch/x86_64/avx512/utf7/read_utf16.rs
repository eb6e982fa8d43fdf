//! From UTF-7 to UTF-16. Code units are found as for UTF-8, and stored as they are.

use core::arch::x86_64::*;

use super::super::memory::{self, TWICE, bytes, first, load, splat, store, widen};
use super::super::utf16;
use super::LEAD;
use super::classes;
use super::read::{READ, after_groups, back_up, examine, half_of_units, numbers, unit, values_of};
use crate::arch::scalar;
use crate::arch::x86_64::avx2;
use crate::utf7::places::{Before, Places, STRIDE};
use crate::utf7::{NOT_DIRECT, RunState};

/// The AVX2 kernel is faster for text below this length, in bytes, since it needs no whole blocks.
const SHORT: usize = 192;
/// The space, in bytes, for the code units of a block.
const ROOM: usize = 128;
/// Code units read at once from the middle of a run: those of 64 digits.
const UNITS: usize = 24;

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

featured!(
    /// UTF-7 to UTF-16.
    pub(in super::super) fn to_utf16<const LE: bool>(
        shift: &mut RunState,
        src: &[u8],
        dst: &mut [u8],
    ) -> (usize, usize) {
        if src.len() < SHORT {
            return match LE {
                true => avx2::utf7_to_utf16le(shift, src, dst),
                false => avx2::utf7_to_utf16be(shift, src, dst),
            };
        }
        let (mut read, mut written) =
            if shift.shifted { (0, 0) } else { direct_to_utf16::<LE>(src, dst) };
        if read < 3 {
            let lead = &src[..src.len().min(LEAD)];
            (read, written) = scalar::utf7::to_utf16::<LE>(shift, lead, dst);
        }
        if read >= 3 {
            let done = blocks_to_utf16::<LE>(shift, &src[read - 3..], &mut dst[written..]);
            read += done.0;
            written += done.1;
        }
        let rest = scalar::utf7::to_utf16::<LE>(shift, &src[read..], &mut dst[written..]);
        (read + rest.0, written + rest.1)
    }

    /// Converts whole blocks after the first three bytes of `src`. Returns the bytes read after
    /// those, and the bytes written.
    #[inline]
    fn blocks_to_utf16<const LE: bool>(
        shift: &mut RunState,
        src: &[u8],
        dst: &mut [u8],
    ) -> (usize, usize) {
        let (mut read, mut written) = (0, 0);
        let mut before = Before::new(*shift);
        let mut last: Option<Places> = None;
        while let Some(block) = src[read..].first_chunk::<64>()
            && dst[written..].len() >= ROOM
        {
            let block = examine(block);
            if before.shifted | block.plus | block.ill_formed == 0 {
                let (bytes, filled) = direct_to_utf16::<LE>(&src[read + 3..], &mut dst[written..]);
                if bytes > 0 {
                    read += bytes;
                    written += filled;
                    last = None;
                    before = Before::new(RunState::default());
                    *shift = RunState::default();
                    continue;
                }
            }
            if before.shifted == 1
                && block.is_of_digits()
                && let Some((start, done)) = before.group(read + 3)
            {
                let (bytes, filled, high) =
                    digits_to_utf16::<LE>(&src[start..], &mut dst[written..], done, before.high);
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
            let Some((units, high)) = units_to_utf16::<LE>(&places, values, before.high, room)
            else {
                break;
            };
            after.high = high;
            read += STRIDE;
            written += 2 * units;
            before = after;
            last = Some(places);
        }
        if let Some(places) = last {
            *shift = back_up(&places, src, before.high, &mut read, &mut written);
        }
        (read, written)
    }

    /// Converts whole blocks of direct text. Returns the bytes read and written.
    #[inline]
    fn direct_to_utf16<const LE: bool>(src: &[u8], dst: &mut [u8]) -> (usize, usize) {
        let mut read = 0;
        let rooms = dst.as_chunks_mut::<128>().0;
        for (block, room) in src.as_chunks::<64>().0.iter().zip(rooms) {
            let byte = load(block);
            let class = classes(&READ, byte);
            let not_direct = _mm512_test_epi8_mask(class, splat(NOT_DIRECT));
            let plus = _mm512_cmpeq_epi8_mask(byte, splat(b'+'));
            if not_direct | _mm512_movepi8_mask(byte) | plus != 0 {
                break;
            }
            widen::<false, LE>(byte, room.as_chunks_mut().0);
            read += 64;
        }
        (read, 2 * read)
    }

    /// Converts digits from the start of a group of three code units, 64 at a time, all of one run.
    /// The first `done` units have been written. `high`: the unit before is a high surrogate.
    /// Returns the bytes read and written, and whether the last unit is a high surrogate.
    #[inline]
    fn digits_to_utf16<const LE: bool>(
        src: &[u8],
        dst: &mut [u8],
        mut done: usize,
        mut high: u64,
    ) -> (usize, usize, u64) {
        let (mut read, mut written) = (0, 0);
        while let Some(block) = src[read..].first_chunk::<64>()
            && let Some(room) = dst[written..].first_chunk_mut::<64>()
        {
            let byte = load(block);
            let class = classes(&READ, byte);
            if _mm512_movepi8_mask(_mm512_or_si512(class, byte)) != 0 {
                break;
            }
            let bits = _mm512_maddubs_epi16(class, utf16::splat(0x0140));
            let bits = _mm512_madd_epi16(bits, _mm512_set1_epi32(0x0001_1000));
            let units = _mm512_permutexvar_epi8(bytes(&IN_ORDER), bits);
            let units = _mm512_maskz_compress_epi16(u32::MAX << done, units);
            let Some(after) = pending(units, (0, UNITS - done), high) else { break };
            store(room, utf16::swapped::<LE>(units));
            high = after;
            written += 2 * (UNITS - done);
            done = 0;
            read += 64;
        }
        (read, written, high)
    }

    /// Writes the code units of a block. Returns their number, and whether the last one is a high
    /// surrogate. `None` if a surrogate is unpaired.
    #[inline]
    fn units_to_utf16<const LE: bool>(
        places: &Places,
        values: __m512i,
        mut high: u64,
        dst: &mut [u8; ROOM],
    ) -> Option<(usize, u64)> {
        let units = places.units();
        let count = units.count_ones() as usize;
        let direct = _pext_u64(places.direct, units);
        let last = _pext_u64(places.last, units);
        let numbers = numbers(places, units);
        for (half, room) in dst.as_chunks_mut::<64>().0.iter_mut().enumerate() {
            let Some(rest @ 1..) = count.checked_sub(32 * half) else { break };
            let of_half = |mask: u64| (mask >> (32 * half)) as u32;
            let places = _mm512_permutexvar_epi8(memory::bytes(&TWICE[half]), numbers);
            let units = half_of_units(places, values, of_half(direct));
            high = pending(units, (of_half(last), rest.min(32)), high)?;
            store(room, utf16::swapped::<LE>(units));
        }
        Some((count, high))
    }

    /// Whether the last of up to 32 code units is a high surrogate, given the lanes of the last
    /// ones of runs, and their number. `high`: the unit before is a high surrogate. `None` if one is
    /// unpaired; a pair cannot span two runs.
    #[inline]
    fn pending(units: __m512i, (last, count): (u32, usize), high: u64) -> Option<u64> {
        let valid = first(count) as u32;
        if high == 0 && utf16::surrogates(units) & valid == 0 {
            return Some(0);
        }
        let kinds = _mm512_and_si512(units, utf16::splat(0xFC00));
        let highs = _mm512_cmpeq_epi16_mask(kinds, utf16::splat(0xD800)) & valid;
        let lows = _mm512_cmpeq_epi16_mask(kinds, utf16::splat(0xDC00)) & valid;
        let expected = highs << 1 | high as u32;
        if (expected & valid) != lows || highs & last != 0 {
            return None;
        }
        Some(u64::from(highs >> (count - 1) & 1))
    }
);
