//! To UTF-7.

use core::arch::x86_64::*;

use super::super::memory::{IDENTITY, bytes, first, load, splat, store};
use super::super::utf8::{Units, Window, incomplete, with_three_before};
use super::super::utf16::put;
use super::{LEAD, LONG, NEEDS_MINUS, ROOM, WRITE, classes, direct_run};
use crate::arch::scalar;
use crate::arch::x86_64::avx2;
use crate::utf7::places::to_end;
use crate::utf7::{RunState, SET_B, Style};

/// The AVX2 kernel is faster for text below this length, in bytes, since it needs no whole blocks.
const SHORT: usize = 200;

/// The state before a block that is written. `low` is the low end of the last code unit.
#[derive(Clone, Copy)]
pub(super) struct Written {
    /// 1 in a run, 0 elsewhere.
    pub(super) shifted: u64,
    /// The number of code units in the run, modulo three: 0, 1, 2.
    phase: u64,
    pub(super) low: u8,
}

impl Written {
    #[inline]
    pub(super) fn new(shift: RunState) -> Self {
        Self {
            shifted: u64::from(shift.shifted),
            phase: match shift.count {
                4 => 1,
                2 => 2,
                _ => 0,
            },
            low: shift.bits,
        }
    }

    #[inline]
    pub(super) fn shift(self) -> RunState {
        if self.shifted == 0 {
            return RunState::default();
        }
        let count = [0, 4, 2][self.phase as usize];
        RunState { shifted: true, bits: self.low & ((1 << count) - 1), count }
    }
}

/// The encoding of each of up to 64 code units.
pub(super) struct Plan {
    /// Units in a run, and those that open one.
    run: u64,
    open: u64,
    /// Units with `-` before them.
    closed: u64,
    /// `+` that is written as `+-`.
    plus: u64,
    /// Units after one, or two, of a group of three in a run.
    second: u64,
    third: u64,
    pub(super) valid: u64,
}

impl Plan {
    /// `other`: not written directly. `needs_minus`: ends a run only with `-` before it.
    #[inline(always)]
    pub(super) fn new(
        before: &mut Written,
        [other, plus, needs_minus]: [u64; 3],
        count: usize,
        last: u8,
    ) -> Self {
        /// The positions whose number modulo 3 is 0.
        const THIRDS: u64 = 0x9249_2492_4924_9249;
        let Written { shifted, phase, .. } = *before;
        let valid = u64::MAX >> (64 - count);

        // A run continues through `+`, but does not begin with it.
        let seeds = other & !plus;
        let run = (other.wrapping_add(seeds).wrapping_add(shifted) ^ other | seeds) & other;
        let open = run & !(run << 1 | shifted);
        let end = (run << 1 | shifted) & !run & valid;

        // Offset by the number of units before the block.
        let goes_on = shifted & run;
        let before_of = |phase_wanted| goes_on & u64::from(phase == phase_wanted);
        let [p0, p1, p2] = [THIRDS, THIRDS << 1, THIRDS << 2];
        let a = to_end(run, open & p0 | before_of(0));
        let b = to_end(run, open & p1 | before_of(2));
        let c = to_end(run, open & p2 | before_of(1));
        let first = a & p0 | b & p1 | c & p2;
        let second = a & p1 | b & p2 | c & p0;
        let third = run & !first & !second;
        let after_first = first << 1 | u64::from(phase == 1) & shifted;
        let after_second = second << 1 | u64::from(phase == 2) & shifted;

        let at = count - 1;
        *before = Written {
            shifted: run >> at & 1,
            phase: first >> at & 1 | (second >> at & 1) << 1,
            low: last,
        };
        Self {
            run,
            open,
            closed: end & needs_minus,
            plus: other & !run,
            second: second | after_first & end,
            third: third | after_second & end,
            valid,
        }
    }

    /// The bytes of all units.
    #[inline(always)]
    fn bytes(&self) -> usize {
        let Self { run, open, closed, plus, second, third, valid } = *self;
        let digits = (open | second | third).count_ones() + (run | closed).count_ones();
        (digits + plus.count_ones() + valid.count_ones()) as usize
    }
}

featured!(
    /// UTF-8 to UTF-7.
    pub(in super::super) fn from_utf8(
        style: Style,
        shift: &mut RunState,
        src: &[u8],
        dst: &mut [u8],
    ) -> (usize, usize) {
        if src.len() < SHORT {
            return avx2::utf8_to_utf7(style, shift, src, dst);
        }
        let table = &WRITE[usize::from(style.shift_set_o)];
        let mut read = if shift.shifted { 0 } else { direct_run(table, src, dst) };
        let mut written = read;
        if read < 3 {
            (read, written) =
                scalar::utf7::from_utf8(style, shift, &src[..src.len().min(LEAD)], dst);
        }
        let (mut before, mut plain) = (Written::new(*shift), 0);
        while let Some(block) = with_three_before::<67>(src, read)
            && let Some(room) = dst[written..].first_chunk_mut::<ROOM>()
        {
            let byte = load(block.last_chunk().unwrap());
            let class = classes(table, byte);
            let other = _mm512_movepi8_mask(_mm512_or_si512(class, byte));
            if before.shifted | other == 0 {
                store(room.first_chunk_mut().unwrap(), byte);
                read += 64;
                written += 64;
                plain += 1;
                if plain == LONG {
                    let more = direct_run(table, &src[read..], &mut dst[written..]);
                    read += more;
                    written += more;
                    plain = 0;
                }
                continue;
            }
            plain = 0;
            let low = before.low;
            let Some((bytes, units, plan)) =
                plan::<true>(style, &mut before, block, (class, other))
            else {
                break;
            };
            read += bytes;
            written += put_units(&units, &plan, low, room);
        }
        *shift = before.shift();
        let rest = scalar::utf7::from_utf8(style, shift, &src[read..], &mut dst[written..]);
        (read + rest.0, written + rest.1)
    }

    /// Plans the output of a block: how many bytes after the first three are complete sequences,
    /// their code units, and how each is encoded. `None` if the block is ill-formed. Inlined into
    /// both callers.
    #[inline]
    fn plan<const WRITTEN: bool>(
        style: Style,
        before: &mut Written,
        block: &[u8; 67],
        (class, other): (__m512i, u64),
    ) -> Option<(usize, Units, Plan)> {
        let window = Window::new(block);
        let errors = window.errors();
        if _mm512_test_epi8_mask(errors, errors) != 0 {
            return None;
        }
        let bytes = 64 - incomplete(block);
        let mut units = Units::new::<false>(window, block[0]);
        units.ends &= first(bytes);
        let plus = _mm512_cmpeq_epi8_mask(window.byte, splat(b'+'));
        let needs_minus = match style.explicit_close {
            true => u64::MAX,
            false => _mm512_test_epi8_mask(class, splat(NEEDS_MINUS)),
        };
        let masks = [
            _pext_u64(other, units.ends),
            _pext_u64(plus, units.ends),
            _pext_u64(needs_minus, units.ends),
        ];
        let count = units.ends.count_ones() as usize;
        let plan = Plan::new(before, masks, count, block[2 + bytes]);
        Some((bytes, units, plan))
    }
);

/// For each of 16 lanes: the number of its code unit twice, then that of the one before twice.
static WITH_BEFORE: [[u8; 64]; 4] = {
    let mut tables = [[0; 64]; 4];
    let mut at = 0;
    while at < 256 {
        tables[at / 64][at % 64] = (at as u8 / 4).wrapping_sub((at % 4 / 2) as u8);
        at += 1;
    }
    tables
};

/// The bit positions, in two lanes, of the six bits of three digits: those of a first unit in
/// bytes 1 and 2, and those of a second or third, which begin with bits of the unit before.
const FIRST: i64 = 0x0024_2A00_0004_0A00;
const SECOND: i64 = 0x0022_282E_0002_080E;
const THIRD: i64 = 0x0020_262C_0000_060C;

featured!(
    /// Writes code units. `low` is the low end of the one before them.
    #[inline]
    fn put_units(units: &Units, plan: &Plan, low: u8, dst: &mut [u8; 256]) -> usize {
        const LANES: __mmask64 = 0x1111_1111_1111_1111;
        let numbers = _mm512_maskz_compress_epi8(units.ends, bytes(&IDENTITY));
        let mut written = 0;
        for (group, with_before) in WITH_BEFORE.iter().enumerate() {
            if plan.valid >> (16 * group) == 0 {
                break;
            }
            let places = _mm512_permutexvar_epi8(bytes(with_before), numbers);
            let lanes = _mm512_permutexvar_epi8(places, units.low);
            let mut lanes = _mm512_mask_permutexvar_epi8(lanes, LANES << 1, places, units.high);
            if group == 0 {
                lanes = _mm512_mask_mov_epi8(lanes, 1 << 2, splat(low));
            }
            written += put_group(lanes, plan, group, dst[written..].first_chunk_mut().unwrap());
        }
        written
    }

    /// Writes 16 code units of a block. Each has a lane of four bytes: itself, and the lower byte of
    /// the unit before in the third. Inlined into both loops that call it.
    #[inline]
    pub(super) fn put_group(
        lanes: __m512i,
        plan: &Plan,
        group: usize,
        dst: &mut [u8; 64],
    ) -> usize {
        const LANES: __mmask64 = 0x1111_1111_1111_1111;
        let Plan { run, open, closed, plus, second, third, valid } = *plan;
        let of_group = |mask: u64| (mask >> (16 * group)) as u16;
        let from = _mm512_set1_epi64(FIRST);
        let from = _mm512_mask_mov_epi32(from, of_group(second), _mm512_set1_epi64(SECOND));
        let from = _mm512_mask_mov_epi32(from, of_group(third), _mm512_set1_epi64(THIRD));
        let digits = _mm512_multishift_epi64_epi8(from, lanes);
        let digits = _mm512_permutexvar_epi8(digits, bytes(&SET_B));
        // A last digit, `-`, the byte, `-` of `+-`.
        let (keep, plus_sign) = (_mm512_set1_epi32(0xFF), _mm512_set1_epi32(0x2B));
        let direct = _mm512_slli_epi32::<16>(lanes);
        let direct = _mm512_or_si512(direct, _mm512_set1_epi32(0x2D00_2D00));
        let lanes = _mm512_mask_ternarylogic_epi32::<0xEA>(digits, !of_group(run), keep, direct);
        let lanes = _mm512_mask_ternarylogic_epi32::<0xBA>(lanes, of_group(open), keep, plus_sign);
        let used = _pdep_u64((open | second | third) >> (16 * group), LANES)
            | _pdep_u64((run | closed) >> (16 * group), LANES << 1)
            | _pdep_u64(valid >> (16 * group), LANES << 2)
            | _pdep_u64(plus >> (16 * group), LANES << 3);
        put(lanes, used, dst)
    }

    /// Number of bytes that [`from_utf8`] writes, given enough space.
    pub(in super::super) fn len_from_utf8(style: Style, shift: &mut RunState, src: &[u8]) -> usize {
        let table = &WRITE[usize::from(style.shift_set_o)];
        let (mut read, mut total) =
            scalar::utf7::from_utf8(style, shift, &src[..src.len().min(LEAD)], &mut [0; 8 * LEAD]);
        let mut before = Written::new(*shift);
        while let Some(block) = with_three_before::<67>(src, read) {
            let byte = load(block.last_chunk().unwrap());
            let class = classes(table, byte);
            let other = _mm512_movepi8_mask(_mm512_or_si512(class, byte));
            if before.shifted | other == 0 {
                read += 64;
                total += 64;
                continue;
            }
            let Some((bytes, _, plan)) = plan::<false>(style, &mut before, block, (class, other))
            else {
                break;
            };
            read += bytes;
            total += plan.bytes();
        }
        *shift = before.shift();
        total + scalar::utf7::len_from_utf8(style, shift, &src[read..])
    }
);
