//! East Asian charsets of one and two bytes.
//!
//! A chunk of text is processed in passes. Each stays in the first-level cache: indices of cells,
//! which need vectors; the cells, which need scalar loads, since gathers take twice the time on Zen
//! 4; the other form, which needs vectors again. A vector load just after scalar stores to the same
//! place would wait for them.

use core::arch::x86_64::*;

use super::memory::{cells_at, first, load, load_part, store, store_first, store_part};
use super::utf16;
use crate::generic::codes;
use crate::pairs::Cells;
use crate::units;

/// The most code units in a chunk.
const CHUNK: usize = 1024;

/// The most code units in the first chunk of long text. An error there wastes the work on the rest
/// of the chunk.
const FIRST_CHUNK: usize = 64;

/// The most code units in short text, which is one chunk. Its buffer is small, so clearing it takes
/// less time.
const SHORT: usize = 256;

/// The most code units that a block adds to a chunk.
const BLOCK: usize = 64;

/// Blocks of US-ASCII after which a chunk ends, since such text needs no tables.
const LONG_ASCII: usize = 4;

featured!(
    /// The lower and the upper 32 bytes, as units.
    #[inline]
    fn widened(bytes: __m512i) -> [__m512i; 2] {
        let upper = _mm512_extracti64x4_epi64::<1>(bytes);
        [_mm512_castsi512_si256(bytes), upper].map(|half| _mm512_cvtepu8_epi16(half))
    }

    /// Finds the cells of at least `limit` units at the start of `src`, if it has as many. Returns
    /// the bytes read and the number of indices. May overwrite indices after these.
    #[inline]
    fn indices(cells: &Cells<'_>, src: &[u8], limit: usize, buffer: &mut [u16]) -> (usize, usize) {
        const ODD: u64 = 0xAAAA_AAAA_AAAA_AAAA;
        let ascii = _mm512_set1_epi16(cells.ascii() as i16);
        let hole = _mm512_set1_epi16(cells.hole() as i16);
        let width = _mm512_set1_epi16(i16::from(cells.width));
        let trail_mask = _mm512_set1_epi8(cells.trail_mask as i8);
        let trail_bits = _mm512_set1_epi8(cells.trail_bits as i8);
        let (mut read, mut count, mut plain) = (0, 0, 0);
        while count < limit && read < src.len() && plain < LONG_ASCII {
            let rest = &src[read..];
            let Some(room) = buffer[count..].first_chunk_mut::<BLOCK>() else { break };
            // A second register has the byte after each.
            let (text, next, length) = match rest.first_chunk::<{ BLOCK + 1 }>() {
                Some([block @ .., _]) => (load(block), load_part(&rest[1..=BLOCK]), BLOCK),
                None => (load_part(rest), load_part(&rest[1..]), rest.len().min(BLOCK)),
            };
            let high = _mm512_movepi8_mask(text);
            if high == 0 {
                let [low, high] = widened(text);
                put(room, [_mm512_add_epi16(low, ascii), _mm512_add_epi16(high, ascii)]);
                read += length;
                count += length;
                plain += 1;
                continue;
            }
            plain = 0;
            // A lead byte is above 7F and does not follow a lead byte. So in a run of such bytes,
            // every other one is a lead byte. A subtraction finds them: its borrow stops at the end
            // of the run.
            let leads_and_ends = ((high << 1 | ODD).wrapping_sub(high)) ^ ODD;
            let trails = leads_and_ends ^ high;
            let leads = leads_and_ends & high;
            // The trail byte of a lead byte at the end is after the block, if anywhere.
            let last = leads & 1 << (length - 1);
            let is_cut = last != 0 && rest.len() == length;
            let starts = first(length) & !trails & !(if is_cut { last } else { 0 });
            let number = starts.count_ones() as usize;
            let are_pairs = _pext_u64(leads, starts);
            let lead = _mm512_maskz_compress_epi8(starts, text);
            let trail = _mm512_maskz_compress_epi8(starts, next);
            let are_holes = are_pairs & _mm512_testn_epi8_mask(trail, trail_bits);
            let row = _mm512_and_si512(lead, _mm512_set1_epi8(0x7F));
            let (rows, columns) = (widened(row), widened(_mm512_and_si512(trail, trail_mask)));
            let index = |half: usize| {
                let pair = _mm512_add_epi16(_mm512_mullo_epi16(rows[half], width), columns[half]);
                let single = _mm512_add_epi16(rows[half], ascii);
                let shift = 32 * half as u32;
                let any = _mm512_mask_mov_epi16(single, (are_pairs >> shift) as u32, pair);
                _mm512_mask_mov_epi16(any, (are_holes >> shift) as u32, hole)
            };
            put(room, [index(0), index(1)]);
            read += length + usize::from(last != 0) - 2 * usize::from(is_cut);
            count += number;
            if is_cut {
                break;
            }
        }
        (read, count)
    }

    #[inline]
    fn put(room: &mut [u16; BLOCK], units: [__m512i; 2]) {
        for (room, units) in units::bytes_mut(room).as_chunks_mut().0.iter_mut().zip(units) {
            store(room, units);
        }
    }

    /// The number of units before the first surrogate.
    #[inline]
    fn sound(units: &[u16]) -> usize {
        let bytes = units::bytes(units);
        for (at, block) in bytes.chunks(64).enumerate() {
            let mask = utf16::surrogates(load_part(block));
            if mask != 0 {
                return 32 * at + mask.trailing_zeros() as usize;
            }
        }
        units.len()
    }

    /// Copies blocks of US-ASCII at the start of `src`, and returns their length.
    #[inline]
    fn ascii(src: &[u8], dst: &mut [u8]) -> usize {
        let blocks = src.as_chunks::<BLOCK>().0.iter().zip(dst.as_chunks_mut().0);
        let mut length = 0;
        for (block, room) in blocks {
            let text = load(block);
            if _mm512_movepi8_mask(text) != 0 {
                break;
            }
            store(room, text);
            length += BLOCK;
        }
        length
    }

    #[inline]
    fn decode<const MOST: usize, const SIZE: usize, const UTF8: bool>(
        cells: &Cells<'_>,
        src: &[u8],
        dst: &mut [u8],
        from_utf16: impl Fn(&[u8], &mut [u8]) -> (usize, usize),
    ) -> (usize, usize) {
        const { assert!(SIZE == MOST + BLOCK) };
        let mut buffer = [0; SIZE];
        let (mut read, mut written) = (0, 0);
        let mut limit = if MOST == SHORT { SHORT } else { FIRST_CHUNK };
        loop {
            if UTF8 {
                let length = ascii(&src[read..], &mut dst[written..]);
                read += length;
                written += length;
            }
            let (bytes, count) = indices(cells, &src[read..], limit, &mut buffer);
            if count == 0 {
                return (read, written);
            }
            for some in buffer[..count.next_multiple_of(32)].as_chunks_mut().0 {
                cells_at(cells, some);
            }
            let units = &buffer[..sound(&buffer[..count])];
            let (taken, length) = from_utf16(units::bytes(units), &mut dst[written..]);
            written += length;
            if taken < 2 * count {
                // A pair is a unit from U+0080 on.
                let pairs = units[..taken / 2].iter().filter(|unit| **unit >= 0x80).count();
                return (read + taken / 2 + pairs, written);
            }
            read += bytes;
            limit = MOST.min(2 * limit);
        }
    }

    /// To UTF-8.
    pub(super) fn to_utf8(cells: &Cells<'_>, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
        let from_utf16 = |src: &[u8], dst: &mut [u8]| utf16::to_utf8::<true>(src, dst);
        match src.len() <= SHORT {
            true => decode::<SHORT, { SHORT + BLOCK }, true>(cells, src, dst, from_utf16),
            false => decode::<CHUNK, { CHUNK + BLOCK }, true>(cells, src, dst, from_utf16),
        }
    }

    /// To UTF-16.
    pub(super) fn to_utf16<const LE: bool>(
        cells: &Cells<'_>,
        src: &[u8],
        dst: &mut [u8],
    ) -> (usize, usize) {
        let from_utf16 = |src: &[u8], dst: &mut [u8]| copy::<LE>(src, dst);
        match src.len() <= SHORT {
            true => decode::<SHORT, { SHORT + BLOCK }, false>(cells, src, dst, from_utf16),
            false => decode::<CHUNK, { CHUNK + BLOCK }, false>(cells, src, dst, from_utf16),
        }
    }

    /// Writes codes of one or two bytes.
    pub(super) fn from_codes(codes: &[u16], dst: &mut [u8]) -> (usize, usize) {
        const LOWER: u64 = 0xAAAA_AAAA_AAAA_AAAA;
        let (mut read, mut written) = (0, 0);
        while read < codes.len() {
            let rest = &codes[read..];
            let code = match rest.first_chunk::<32>() {
                Some(block) => load(units::bytes(block).first_chunk().unwrap()),
                None => load_part(units::bytes(rest)),
            };
            // Padding is zero, too.
            let zero = u64::from(_mm512_testn_epi16_mask(code, code)) | 1 << 32;
            let count = zero.trailing_zeros() as usize;
            let bytes = utf16::swapped::<false>(code);
            let used = (_mm512_test_epi8_mask(bytes, bytes) | LOWER) & first(2 * count);
            let length = used.count_ones() as usize;
            let bytes = _mm512_maskz_compress_epi8(used, bytes);
            if store_first(&mut dst[written..], length, bytes).is_none() {
                break;
            }
            read += count;
            written += length;
            if count < 32 {
                return (read, written);
            }
        }
        let (more, made) = codes::one_by_one(&codes[read..], &mut dst[written..]);
        (read + more, written + made)
    }

    /// Copies as many units as fit.
    #[inline]
    fn copy<const LE: bool>(src: &[u8], dst: &mut [u8]) -> (usize, usize) {
        let length = src.len().min(dst.len() / 2 * 2);
        for (src, dst) in src[..length].chunks(64).zip(dst[..length].chunks_mut(64)) {
            let units = load_part(src);
            store_part(dst, if LE { units } else { utf16::swapped::<false>(units) });
        }
        (length, length)
    }
);
