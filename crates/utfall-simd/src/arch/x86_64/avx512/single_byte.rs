//! Single-byte charsets, by tables of 128 bytes in registers: `vpermi2b` looks up 64 bytes at once.
//!
//! Charsets in which bytes below 80 are not US-ASCII are left to AVX2, which converts those byte by
//! byte: two tables and a blend for each plane would serve EBCDIC only.

use core::arch::x86_64::*;

use super::memory::{
    bits, bytes, first, load, load_part, moved, splat, store, store_first, store_part,
};
use crate::Lossy;
use crate::arch::scalar::single_byte as scalar;
use crate::arch::x86_64::avx2;
use crate::single_byte::Table;
use crate::units;

/// Bytes up to which it takes longer to load tables than to convert one byte after the other.
const TINY: usize = 8;
/// The same for code units that are encoded: the loop has no sequences to find.
const TINY_UNITS: usize = 32;

/// The numbers from `from` on in steps of `step`, a new one after each `times`.
const fn numbers(from: usize, step: usize, times: usize) -> [u8; 64] {
    let mut table = [0; 64];
    let mut at = 0;
    while at < 64 {
        table[at] = (from + at / times * step) as u8;
        at += 1;
    }
    table
}

/// For `vpermi2b`: the even and the odd bytes of two registers.
static EVEN: [u8; 64] = numbers(0, 2, 1);
static ODD: [u8; 64] = numbers(1, 2, 1);
/// The bytes one and two positions before those of the second register.
static BACK: [[u8; 64]; 2] = [numbers(63, 1, 1), numbers(62, 1, 1)];

/// For `vpermi2b`: interleaves the bytes of two registers with a third one, whose places are `LAST`.
static BY_THREE: [[u8; 64]; 3] = [by_three(0), by_three(1), by_three(2)];
const LAST: [u64; 3] = {
    let mut masks = [0; 3];
    let mut at = 2;
    while at < 192 {
        masks[at / 64] |= 1 << (at % 64);
        at += 3;
    }
    masks
};

const fn by_three(part: usize) -> [u8; 64] {
    let mut table = [0; 64];
    let mut at = 0;
    while at < 64 {
        let place = 64 * part + at;
        table[at] = (place / 3 + if place % 3 == 1 { 64 } else { 0 }) as u8;
        at += 1;
    }
    table
}

/// A table of 128 bytes.
type Half = [__m512i; 2];

featured!(
    /// The entries of a table at bits 0 to 6 of each byte.
    #[inline]
    fn look_up(table: Half, index: __m512i) -> __m512i {
        _mm512_permutex2var_epi8(table[0], index, table[1])
    }

    /// The same under the mask, and zero elsewhere.
    #[inline]
    fn look_up_where(mask: __mmask64, table: Half, index: __m512i) -> __m512i {
        _mm512_maskz_permutex2var_epi8(mask, table[0], index, table[1])
    }

    /// The same under the mask, and the index elsewhere.
    #[inline]
    fn look_up_or_keep(mask: __mmask64, table: Half, index: __m512i) -> __m512i {
        _mm512_mask2_permutex2var_epi8(table[0], index, mask, table[1])
    }

    /// The lower and the upper bytes of the code points of bytes from 80 on.
    #[inline]
    fn code_points(table: &Table) -> [Half; 2] {
        let units = units::bytes(&table.entries.units[128..]).as_chunks().0;
        let [a, b, c, d] = [0, 1, 2, 3].map(|at| load(&units[at]));
        [&EVEN, &ODD].map(|order| {
            let order = bytes(order);
            [_mm512_permutex2var_epi8(a, order, b), _mm512_permutex2var_epi8(c, order, d)]
        })
    }

    /// `vpermq` that makes `unpack` produce text order.
    #[inline]
    fn for_unpack(text: __m512i) -> __m512i {
        _mm512_permutexvar_epi64(_mm512_setr_epi64(0, 4, 1, 5, 2, 6, 3, 7), text)
    }

    /// Writes the bytes under the mask at `dst[*written..]`, if there is space for them.
    #[inline]
    fn put(bytes: __m512i, mask: __mmask64, dst: &mut [u8], written: &mut usize) -> Option<()> {
        let count = mask.count_ones() as usize;
        store_first(dst.get_mut(*written..)?, count, _mm512_maskz_compress_epi8(mask, bytes))?;
        *written += count;
        Some(())
    }
);

/// The bytes of UTF-8 of bytes from 80 on.
struct Utf8 {
    /// The lead bytes of sequences of three; zero for others.
    lead: Half,
    /// The bytes before the last one, or zero.
    middle: Half,
    last: Half,
    /// Whether any sequence has three bytes.
    has_three: bool,
}

featured!(
    #[inline]
    fn utf8_of(table: &Table) -> Utf8 {
        let [lower, upper] = code_points(table);
        let (mut lead, mut middle, mut last) = (lower, lower, lower);
        let mut has_three = false;
        for at in 0..2 {
            let (low, high) = (lower[at], upper[at]);
            let three = _mm512_cmpgt_epu8_mask(high, splat(7));
            let several = _mm512_movepi8_mask(low) | _mm512_test_epi8_mask(high, high);
            // Bits 6 and up of the code point, of which a byte has place for the lower ones.
            let above = _mm512_or_si512(
                moved(low, const { bits(6, 0, 2) }),
                moved(high, const { bits(0, 2, 6) }),
            );
            let of_three = _mm512_or_si512(_mm512_and_si512(above, splat(0x3F)), splat(0x80));
            let of_two = _mm512_maskz_mov_epi8(several, _mm512_or_si512(above, splat(0xC0)));
            let tail = _mm512_or_si512(_mm512_and_si512(low, splat(0x3F)), splat(0x80));
            let top = _mm512_or_si512(moved(high, const { bits(4, 0, 4) }), splat(0xE0));
            lead[at] = _mm512_maskz_mov_epi8(three, top);
            middle[at] = _mm512_mask_mov_epi8(of_two, three, of_three);
            last[at] = _mm512_mask_mov_epi8(low, several, tail);
            has_three |= three != 0;
        }
        Utf8 { lead, middle, last, has_three }
    }

    /// Converts the first `count` bytes of `text`, up to the first that is not a character unless
    /// `LOSSY`. `None` if there is not enough space.
    #[inline]
    fn put_utf8<const LOSSY: bool>(
        tables: &Utf8,
        is_complete: bool,
        text: __m512i,
        mut count: usize,
        dst: &mut [u8],
    ) -> Option<Lossy> {
        let mut written = 0;
        let high = _mm512_movepi8_mask(text);
        let lead = if tables.has_three {
            look_up_where(high, tables.lead, text)
        } else {
            _mm512_setzero_si512()
        };
        if !tables.has_three || _mm512_movepi8_mask(lead) & first(count) == 0 {
            let text = for_unpack(text);
            let high = _mm512_movepi8_mask(text);
            let middle = look_up_where(high, tables.middle, text);
            let last = look_up_or_keep(high, tables.last, text);
            let halves = [_mm512_unpacklo_epi8(middle, last), _mm512_unpackhi_epi8(middle, last)];
            for (at, pairs) in halves.into_iter().enumerate() {
                let mask = _mm512_movepi8_mask(pairs) | 0xAAAA_AAAA_AAAA_AAAA;
                let used = first((2 * count).saturating_sub(64 * at));
                put(pairs, mask & used, dst, &mut written)?;
            }
            return Some(Lossy { read: count, written, replaced: 0 });
        }
        let middle = look_up_where(high, tables.middle, text);
        let last = look_up_or_keep(high, tables.last, text);
        let mut replaced = 0;
        if !is_complete {
            // U+FFFD.
            let ill = _mm512_cmpeq_epi8_mask(lead, splat(0xEF));
            let ill = _mm512_mask_cmpeq_epi8_mask(ill, middle, splat(0xBF));
            let ill = _mm512_mask_cmpeq_epi8_mask(ill, last, splat(0xBD)) & first(count);
            if LOSSY {
                replaced = ill.count_ones() as usize;
            } else {
                count = count.min(ill.trailing_zeros() as usize);
            }
        }
        for (at, (order, places)) in BY_THREE.iter().zip(LAST).enumerate() {
            let order = bytes(order);
            let triples = _mm512_permutex2var_epi8(lead, order, middle);
            let triples = _mm512_mask_permutexvar_epi8(triples, places, order, last);
            let mask = _mm512_movepi8_mask(triples) | places;
            let used = first((3 * count).saturating_sub(64 * at));
            put(triples, mask & used, dst, &mut written)?;
        }
        Some(Lossy { read: count, written, replaced })
    }

    /// To UTF-8.
    #[inline]
    fn decode_to_utf8<const LOSSY: bool>(table: &Table, src: &[u8], dst: &mut [u8]) -> Lossy {
        let mut done = Lossy::default();
        let mut tables = None;
        loop {
            let rest = &src[done.read..];
            let room = &mut dst[done.written..];
            let (text, count) = match rest.first_chunk() {
                Some(block) => (load(block), 64),
                None => (load_part(rest), rest.len()),
            };
            if count == 0 {
                return done;
            }
            if _mm512_movepi8_mask(text) == 0 && store_first(room, count, text).is_some() {
                done.read += count;
                done.written += count;
                continue;
            }
            let tables = tables.get_or_insert_with(|| utf8_of(table));
            let is_complete = table.entries.is_complete;
            let Some(more) = put_utf8::<LOSSY>(tables, is_complete, text, count, room) else {
                let more = scalar::to_utf8::<LOSSY>(table, rest, room);
                return joined(done, more);
            };
            done = joined(done, more);
            if !LOSSY && more.read < count {
                return done;
            }
        }
    }

    pub(super) fn to_utf8(table: &Table, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
        if !table.entries.keeps_ascii {
            return avx2::utf8_from_table(table, src, dst);
        }
        if src.len() <= TINY {
            return scalar::to_utf8_strict(table, src, dst);
        }
        let done = decode_to_utf8::<false>(table, src, dst);
        (done.read, done.written)
    }

    pub(super) fn to_utf8_lossy(table: &Table, src: &[u8], dst: &mut [u8]) -> Lossy {
        if !table.entries.keeps_ascii {
            return avx2::utf8_from_table_lossy(table, src, dst);
        }
        if src.len() <= TINY {
            return scalar::to_utf8::<true>(table, src, dst);
        }
        decode_to_utf8::<true>(table, src, dst)
    }
);

fn joined(first: Lossy, second: Lossy) -> Lossy {
    Lossy {
        read: first.read + second.read,
        written: first.written + second.written,
        replaced: first.replaced + second.replaced,
    }
}

featured!(
    /// To UTF-16.
    #[inline]
    fn decode_to_utf16<const LE: bool, const LOSSY: bool>(
        table: &Table,
        src: &[u8],
        dst: &mut [u8],
    ) -> Lossy {
        let [lower, upper] = code_points(table);
        let (mut read, mut replaced) = (0, 0);
        let end = src.len().min(dst.len() / 2);
        while read < end {
            let rest = &src[read..end];
            let (text, mut count) = match rest.first_chunk() {
                Some(block) => (load(block), 64),
                None => (load_part(rest), rest.len()),
            };
            let text = for_unpack(text);
            let others = _mm512_movepi8_mask(text);
            let low = look_up_or_keep(others, lower, text);
            let high = look_up_where(others, upper, text);
            if !table.entries.is_complete {
                let ill = _mm512_cmpeq_epi8_mask(high, splat(0xFF));
                if _mm512_mask_cmpeq_epi8_mask(ill, low, splat(0xFD)) != 0 {
                    // In text order.
                    let text = load_part(&rest[..count]);
                    let ill = _mm512_cmpeq_epi8_mask(look_up(upper, text), splat(0xFF));
                    let ill = _mm512_mask_cmpeq_epi8_mask(ill, look_up(lower, text), splat(0xFD));
                    let ill = ill & _mm512_movepi8_mask(text);
                    if LOSSY {
                        replaced += ill.count_ones() as usize;
                    } else {
                        count = ill.trailing_zeros() as usize;
                    }
                }
            }
            let (a, b) = if LE { (low, high) } else { (high, low) };
            let units = [_mm512_unpacklo_epi8(a, b), _mm512_unpackhi_epi8(a, b)];
            let dst = &mut dst[2 * read..2 * (read + count)];
            match dst.as_chunks_mut::<64>() {
                ([one, two], []) => {
                    store(one, units[0]);
                    store(two, units[1]);
                }
                _ => {
                    let (one, two) = dst.split_at_mut(dst.len().min(64));
                    store_part(one, units[0]);
                    store_part(two, units[1]);
                }
            }
            read += count;
            if count < 64 {
                break;
            }
        }
        Lossy { read, written: 2 * read, replaced }
    }

    pub(super) fn to_utf16<const LE: bool>(
        table: &Table,
        src: &[u8],
        dst: &mut [u8],
    ) -> (usize, usize) {
        if !table.entries.keeps_ascii {
            return match LE {
                true => avx2::utf16le_from_table(table, src, dst),
                false => avx2::utf16be_from_table(table, src, dst),
            };
        }
        if src.len() <= TINY {
            return scalar::to_utf16_strict::<LE>(table, src, dst);
        }
        let done = decode_to_utf16::<LE, false>(table, src, dst);
        (done.read, done.written)
    }

    pub(super) fn to_utf16_lossy<const LE: bool>(
        table: &Table,
        src: &[u8],
        dst: &mut [u8],
    ) -> Lossy {
        if !table.entries.keeps_ascii {
            return match LE {
                true => avx2::utf16le_from_table_lossy(table, src, dst),
                false => avx2::utf16be_from_table_lossy(table, src, dst),
            };
        }
        if src.len() <= TINY {
            return scalar::to_utf16::<LE, true>(table, src, dst);
        }
        decode_to_utf16::<LE, true>(table, src, dst)
    }
);

/// 128 consecutive code points and their bytes; 0 for those that the charset lacks.
///
/// Text is looked up in two windows. A block that has characters of others looks those up too, and
/// the fuller ones stay.
struct Window {
    /// The byte of UTF-8 before the last one, without its lowest bit; or the upper byte of UTF-16.
    before: __m512i,
    /// In UTF-8, the lead byte of a sequence of three; in UTF-16, nothing.
    lead: __m512i,
    /// In UTF-8, whether there are only two bytes, as a mask; in UTF-16, whether bit 7 is clear.
    mask: u64,
    bytes: Half,
}

featured!(
    /// A window without a character.
    #[inline]
    fn no_window() -> Window {
        let zero = _mm512_setzero_si512();
        Window { before: splat(0xFF), lead: splat(0xFF), mask: 0, bytes: [zero, zero] }
    }

    /// The window of a well-formed sequence of two or three bytes of UTF-8, from the byte before its
    /// last one, and the one before that.
    #[inline]
    fn utf8_window(table: &Table, before: u8, lead: u8) -> Window {
        let is_short = before >= 0xC0;
        let pages = if is_short {
            [before & 0xFE, before | 1].map(|lead| table.entries.leads[usize::from(lead & 0x3F)])
        } else {
            let numbers = table.page(table.entries.leads[usize::from(lead & 0x3F)]);
            [before & 0xFE, before | 1].map(|middle| numbers[usize::from(middle & 0x3F)])
        };
        Window {
            before: splat(before & 0xFE),
            lead: splat(lead),
            mask: if is_short { u64::MAX } else { 0 },
            bytes: pages.map(|page| load(table.page(page))),
        }
    }

    /// From UTF-8. Each position that ends a character determines its byte, from the two positions
    /// before it; the others are compressed away.
    pub(super) fn from_utf8(table: &Table, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
        if !table.entries.keeps_ascii {
            return avx2::table_from_utf8(table, src, dst);
        }
        if src.len() <= TINY {
            return scalar::from_utf8(table, src, dst);
        }
        let [mut fuller, mut other] = [no_window(), no_window()];
        let (mut read, mut written) = (0, 0);
        let mut previous = _mm512_setzero_si512();
        // Of the sequence that the block before has begun: the positions of continuation bytes, and
        // that of one which is not the last.
        let (mut due, mut inner) = (0, 0);
        while read < src.len() {
            let rest = &src[read..];
            let (text, used) = match rest.first_chunk() {
                Some(block) => (load(block), u64::MAX),
                None => (load_part(rest), first(rest.len())),
            };
            let high = _mm512_movepi8_mask(text);
            if high | due == 0
                && used == u64::MAX
                && let Some(room) = dst[written..].first_chunk_mut()
            {
                store(room, text);
                read += 64;
                written += 64;
                previous = text;
                continue;
            }
            let trails = _mm512_cmplt_epi8_mask(text, splat(0xC0));
            let leads = high & !trails;
            let threes = leads & _mm512_cmpge_epu8_mask(text, splat(0xE0));
            // C0, C1 and F0 to FF.
            let below = _mm512_sub_epi8(text, splat(0xC2));
            let mut wrong = _mm512_mask_cmpge_epu8_mask(leads, below, splat(0x2E));
            wrong |= (leads << 1 | threes << 2 | due) ^ trails;
            wrong &= used;
            let inside = threes << 1 | inner;
            let ends = !(leads | trails & inside) & used;
            (due, inner) = (leads >> 63 | threes >> 62, threes >> 63);

            let before = _mm512_permutex2var_epi8(previous, bytes(&BACK[0]), text);
            let second = _mm512_permutex2var_epi8(previous, bytes(&BACK[1]), text);
            previous = text;
            // Bits 0 to 5 of the last byte, and bit 0 of the one before.
            let bit = _mm512_slli_epi16::<6>(before);
            let index = _mm512_ternarylogic_epi32::<0xCA>(splat(0x40), bit, text);
            let before = _mm512_and_si512(before, splat(0xFE));
            let mut made = text;
            let mut find = |window: &Window, wanted: u64| {
                let same = _mm512_cmpeq_epi8_mask(second, window.lead) | window.mask;
                let within = wanted & same & _mm512_cmpeq_epi8_mask(before, window.before);
                let found = look_up(window.bytes, index);
                let has = within & _mm512_test_epi8_mask(found, found);
                made = _mm512_mask_mov_epi8(made, has, found);
                has
            };
            let sound = below_first(wrong);
            let others = ends & high & sound;
            let (most, more) = (find(&fuller, others), find(&other, others));
            let mut missing = others & !(most | more);
            let mut stop = wrong;
            while missing != 0 {
                let at = read + missing.trailing_zeros() as usize;
                let lead = at.checked_sub(2).map_or(0, |at| src[at]);
                let window = utf8_window(table, src[at - 1], lead);
                let has = find(&window, missing);
                missing &= !has;
                if missing != 0 && (missing.trailing_zeros() as usize) + read == at {
                    // The charset lacks it.
                    stop = missing;
                    break;
                }
                if has.count_ones() > most.count_ones() {
                    other = core::mem::replace(&mut fuller, window);
                } else if has.count_ones() > more.count_ones() {
                    other = window;
                }
            }
            let mut kept = ends & below_first(stop);
            let room = dst.len() - written;
            if kept.count_ones() as usize > room {
                stop = _pdep_u64(1 << room, kept);
                kept &= below_first(stop);
            }
            let count = kept.count_ones() as usize;
            _ = store_first(&mut dst[written..], count, _mm512_maskz_compress_epi8(kept, made));
            written += count;
            if stop != 0 || used != u64::MAX {
                // The start of the sequence that stopped it, or that the end of the text cuts.
                read = match kept {
                    0 => read - begun(&src[..read]),
                    _ => read + 64 - kept.leading_zeros() as usize,
                };
                return (read, written);
            }
            read += 64;
        }
        (read - begun(&src[..read]), written)
    }
);

/// The positions below the first one of a mask.
#[inline(always)]
fn below_first(mask: u64) -> u64 {
    !mask & mask.wrapping_sub(1)
}

/// The bytes of the sequence of two or three that the end of a text cuts. All before it is
/// well-formed.
#[inline(always)]
fn begun(text: &[u8]) -> usize {
    match *text {
        [.., 0xC0..=0xFF] => 1,
        [.., 0xE0..=0xFF, _] => 2,
        _ => 0,
    }
}

featured!(
    /// The window of a code unit.
    #[inline]
    fn utf16_window(table: &Table, unit: u16) -> Window {
        let pages = [unit & 0xFF80, unit | 0x40].map(|unit| table.page_of(unit));
        Window {
            before: splat((unit >> 8) as u8),
            lead: _mm512_setzero_si512(),
            mask: if unit & 0x80 == 0 { u64::MAX } else { 0 },
            bytes: pages.map(|page| load(page)),
        }
    }

    /// From UTF-16. Surrogates are in no window.
    pub(super) fn from_utf16<const LE: bool>(
        table: &Table,
        src: &[u8],
        dst: &mut [u8],
    ) -> (usize, usize) {
        if !table.entries.keeps_ascii {
            return match LE {
                true => avx2::table_from_utf16le(table, src, dst),
                false => avx2::table_from_utf16be(table, src, dst),
            };
        }
        if src.len() <= 2 * TINY_UNITS {
            return scalar::from_utf16::<LE>(table, src, dst);
        }
        let [mut fuller, mut other] = [no_window(), no_window()];
        let units = src.as_chunks::<2>().0;
        let end = units.len().min(dst.len());
        let mut at = 0;
        while at < end {
            let rest = units[at..end].as_flattened();
            let (one, two, used) = match rest.as_chunks() {
                ([one, two, ..], _) => (load(one), load(two), u64::MAX),
                ([one], rest) => (load(one), load_part(rest), first(32 + rest.len() / 2)),
                ([], rest) => (load_part(rest), _mm512_setzero_si512(), first(rest.len() / 2)),
            };
            let [low, high] = if LE { [&EVEN, &ODD] } else { [&ODD, &EVEN] };
            let low = _mm512_permutex2var_epi8(one, bytes(low), two);
            let high = _mm512_permutex2var_epi8(one, bytes(high), two);
            let bit = _mm512_movepi8_mask(low);
            let others = (bit | _mm512_test_epi8_mask(high, high)) & used;
            let (mut made, mut stop) = (low, 0);
            if others != 0 {
                let mut find = |window: &Window, wanted: u64| {
                    let same = bit ^ window.mask;
                    let within = wanted & same & _mm512_cmpeq_epi8_mask(high, window.before);
                    let found = look_up(window.bytes, low);
                    let has = within & _mm512_test_epi8_mask(found, found);
                    made = _mm512_mask_mov_epi8(made, has, found);
                    has
                };
                let (most, more) = (find(&fuller, others), find(&other, others));
                let mut missing = others & !(most | more);
                while missing != 0 {
                    let place = missing.trailing_zeros() as usize;
                    let unit = units[at + place];
                    let unit = if LE { u16::from_le_bytes(unit) } else { u16::from_be_bytes(unit) };
                    let window = utf16_window(table, unit);
                    let has = find(&window, missing);
                    missing &= !has;
                    if missing.trailing_zeros() as usize == place {
                        stop = missing;
                        break;
                    }
                    if has.count_ones() > most.count_ones() {
                        other = core::mem::replace(&mut fuller, window);
                    } else if has.count_ones() > more.count_ones() {
                        other = window;
                    }
                }
            }
            let count = (used & below_first(stop)).count_ones() as usize;
            _ = store_first(&mut dst[at..], count, made);
            at += count;
            if count < 64 {
                break;
            }
        }
        (2 * at, at)
    }
);
