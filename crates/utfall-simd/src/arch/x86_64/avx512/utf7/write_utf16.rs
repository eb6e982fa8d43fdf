//! From UTF-16 to UTF-7. Every code unit has its lane, as from UTF-8, without being looked for.

use core::arch::x86_64::*;

use super::super::memory::{bytes, first, load, load_part, splat, store};
use super::super::utf16;
use super::write::{Plan, Written, put_group};
use super::{NEEDS_MINUS, ROOM, WRITE, classes};
use crate::arch::scalar;
use crate::arch::x86_64::avx2;
use crate::utf7::{RunState, Style};

/// The AVX2 kernel is faster for text below this length, in bytes, since it starts sooner.
const SHORT: usize = 128;

/// For each group of 16 lanes: the number of its code unit, then that of the one before, in 16 bits
/// each.
static WITH_BEFORE: [[u8; 64]; 4] = {
    let mut tables = [[0; 64]; 4];
    let mut at = 0;
    while at < 128 {
        let number = (at as u8 / 2).wrapping_sub(at as u8 % 2) % 64;
        tables[at / 32][2 * (at % 32)] = number;
        at += 1;
    }
    tables
};

featured!(
    /// UTF-16 to UTF-7.
    pub(in super::super) fn from_utf16<const LE: bool>(
        style: Style,
        shift: &mut RunState,
        src: &[u8],
        dst: &mut [u8],
    ) -> (usize, usize) {
        if src.len() < SHORT {
            return match LE {
                true => avx2::utf16le_to_utf7(style, shift, src, dst),
                false => avx2::utf16be_to_utf7(style, shift, src, dst),
            };
        }
        let table = &WRITE[usize::from(style.shift_set_o)];
        let mut before = Written::new(*shift);
        let (mut read, mut written) = (0, 0);
        while let Some(room) = dst[written..].first_chunk_mut::<ROOM>() {
            let rest = &src[read..];
            let mut count = (rest.len() / 2).min(64);
            let units = match rest.as_chunks::<64>().0 {
                [a, b, ..] => [load(a), load(b)],
                _ => {
                    let rest = &rest[..2 * count];
                    let (a, b) = rest.split_at(rest.len().min(64));
                    [load_part(a), load_part(b)]
                }
            };
            let units = units.map(|units| utf16::swapped::<LE>(units));
            if utf16::surrogates(units[0]) | utf16::surrogates(units[1]) != 0 {
                let [high, low] = [of_kind(units, 0xD800), of_kind(units, 0xDC00)];
                // Its partner is in the next block.
                count -= usize::from(count == 64 && high >> 63 == 1);
                if (high << 1 ^ low) & first(count) != 0
                    || count > 0 && high >> (count - 1) & 1 == 1
                {
                    break;
                }
            }
            if count == 0 {
                break;
            }
            let byte = narrowed(units);
            let class = classes(table, byte);
            let other = _mm512_movepi8_mask(_mm512_or_si512(class, byte)) & first(count);
            if before.shifted | other == 0 {
                store(room.first_chunk_mut().unwrap(), byte);
                read += 2 * count;
                written += count;
                continue;
            }
            let plus = _mm512_cmpeq_epi8_mask(byte, splat(b'+'));
            let needs_minus = match style.explicit_close {
                true => u64::MAX,
                false => _mm512_test_epi8_mask(class, splat(NEEDS_MINUS)),
            };
            let low = before.low;
            let last = src[read + 2 * count - if LE { 2 } else { 1 }];
            let plan = Plan::new(&mut before, [other, plus, needs_minus], count, last);
            read += 2 * count;
            written += put_units(units, &plan, low, room);
        }
        *shift = before.shift();
        let rest = scalar::utf7::from_utf16::<LE>(style, shift, &src[read..], &mut dst[written..]);
        (read + rest.0, written + rest.1)
    }

    /// The surrogates of this kind among 64 units.
    #[inline]
    fn of_kind(units: [__m512i; 2], kind: u16) -> u64 {
        let [a, b] = units.map(|units| {
            let kinds = _mm512_and_si512(units, utf16::splat(0xFC00));
            u64::from(_mm512_cmpeq_epi16_mask(kinds, utf16::splat(kind)))
        });
        a | b << 32
    }

    /// Units as bytes; FF for those beyond.
    #[inline]
    fn narrowed(units: [__m512i; 2]) -> __m512i {
        let [a, b] = units.map(|units| _mm512_cvtusepi16_epi8(units));
        _mm512_inserti64x4::<1>(_mm512_castsi256_si512(a), b)
    }

    /// Writes code units. `low` is the low end of the one before them.
    #[inline]
    fn put_units([a, b]: [__m512i; 2], plan: &Plan, low: u8, dst: &mut [u8; ROOM]) -> usize {
        let mut written = 0;
        for (group, with_before) in WITH_BEFORE.iter().enumerate() {
            if plan.valid >> (16 * group) == 0 {
                break;
            }
            let mut lanes = _mm512_permutex2var_epi16(a, bytes(with_before), b);
            if group == 0 {
                lanes = _mm512_mask_mov_epi8(lanes, 1 << 2, splat(low));
            }
            written += put_group(lanes, plan, group, dst[written..].first_chunk_mut().unwrap());
        }
        written
    }
);
