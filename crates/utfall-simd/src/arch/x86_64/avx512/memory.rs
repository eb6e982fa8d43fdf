//! Loads, stores and constants of 512-bit registers.

use core::arch::x86_64::*;
use core::hint::cold_path;

use crate::pairs::Cells;

featured!(
    /// Loads 64 bytes.
    #[inline]
    pub(super) fn load(src: &[u8; 64]) -> __m512i {
        // SAFETY: `src` is 64 readable bytes; the load needs no alignment.
        unsafe { _mm512_loadu_si512(src.as_ptr().cast()) }
    }

    /// Loads up to 64 bytes, padded with zeros.
    #[inline]
    pub(super) fn load_part(src: &[u8]) -> __m512i {
        // SAFETY: the mask selects at most `src.len()` bytes, which are readable.
        unsafe { _mm512_maskz_loadu_epi8(first(src.len()), src.as_ptr().cast()) }
    }

    /// Stores 64 bytes.
    #[inline]
    pub(super) fn store(dst: &mut [u8; 64], bytes: __m512i) {
        // SAFETY: `dst` is 64 writable bytes; the store needs no alignment.
        unsafe { _mm512_storeu_si512(dst.as_mut_ptr().cast(), bytes) }
    }

    /// Stores 32 bytes.
    #[inline]
    pub(super) fn store_half(dst: &mut [u8; 32], bytes: __m256i) {
        // SAFETY: `dst` is 32 writable bytes; the store needs no alignment.
        unsafe { _mm256_storeu_si256(dst.as_mut_ptr().cast(), bytes) }
    }

    /// Stores as many bytes as `dst` has, but at most 64.
    #[inline]
    pub(super) fn store_part(dst: &mut [u8], bytes: __m512i) {
        // SAFETY: the mask selects at most `dst.len()` bytes, which are writable.
        unsafe { _mm512_mask_storeu_epi8(dst.as_mut_ptr().cast(), first(dst.len()), bytes) }
    }

    /// Stores the first `count` bytes, of at most 64, if they fit. Overwrites the bytes after them
    /// if `dst` has 64 or more: on some processors a masked store takes far longer.
    #[inline]
    pub(super) fn store_first(dst: &mut [u8], count: usize, bytes: __m512i) -> Option<()> {
        match dst.first_chunk_mut() {
            Some(dst) => store(dst, bytes),
            None => store_part(dst.get_mut(..count)?, bytes),
        }
        Some(())
    }

    /// A mask of the first `count` positions.
    #[inline]
    pub(super) fn first(count: usize) -> __mmask64 {
        // The instruction uses only the low byte of the count.
        _bzhi_u64(u64::MAX, count.min(64) as u32)
    }
);

/// How many of the first `count` positions precede the first under the mask. Nothing waits for the
/// mask: the processor predicts that it is empty, as a mask of errors usually is.
#[inline(always)]
pub(super) fn before(mask: u64, count: usize) -> usize {
    if mask == 0 {
        count
    } else {
        cold_path();
        count.min(mask.trailing_zeros() as usize)
    }
}

featured!(
    /// A constant of 64 bytes.
    #[inline]
    pub(super) fn bytes(constant: &'static [u8; 64]) -> __m512i {
        load(constant)
    }

    /// A table of 16 bytes in each 128-bit lane.
    #[inline]
    pub(super) fn table(table: &'static [u8; 16]) -> __m512i {
        // SAFETY: `table` is 16 readable bytes; the load needs no alignment.
        _mm512_broadcast_i32x4(unsafe { _mm_loadu_si128(table.as_ptr().cast()) })
    }

    /// The same byte everywhere.
    #[inline]
    pub(super) fn splat(byte: u8) -> __m512i {
        _mm512_set1_epi8(byte as i8)
    }
);

/// The matrix, for `gf2p8affineqb`, that moves bit `from` to bit `to` for `count` bits and
/// clears the others.
pub(super) const fn bits(from: usize, to: usize, count: usize) -> i64 {
    // Row `7 - i` of the matrix selects the input bits that make bit `i` of the output.
    let mut rows = [0; 8];
    let mut bit = 0;
    while bit < count {
        rows[7 - (to + bit)] = 1 << (from + bit);
        bit += 1;
    }
    i64::from_le_bytes(rows)
}

featured!(
    /// The bits of each byte, moved by a matrix from [`bits`].
    #[inline]
    pub(super) fn moved(bytes: __m512i, matrix: i64) -> __m512i {
        _mm512_gf2p8affine_epi64_epi8::<0>(bytes, _mm512_set1_epi64(matrix))
    }

    /// [`moved`], and zero where the mask is clear.
    #[inline]
    pub(super) fn moved_where(mask: __mmask64, bytes: __m512i, matrix: i64) -> __m512i {
        _mm512_maskz_gf2p8affine_epi64_epi8::<0>(mask, bytes, _mm512_set1_epi64(matrix))
    }
);

/// The numbers from `from` on, each `times` times.
const fn numbers(from: i8, times: usize) -> [u8; 64] {
    let mut table = [0; 64];
    let mut i = 0;
    while i < 64 {
        table[i] = (from as u8).wrapping_add((i / times) as u8);
        i += 1;
    }
    table
}

/// The numbers from 0 on.
pub(super) static IDENTITY: [u8; 64] = numbers(0, 1);
/// The positions 0 to 3 before each, modulo 64.
pub(super) static BEFORE: [[u8; 64]; 4] =
    [numbers(0, 1), numbers(-1, 1), numbers(-2, 1), numbers(-3, 1)];
/// The numbers from 0 on, each twice.
pub(super) static TWICE: [[u8; 64]; 2] = [numbers(0, 2), numbers(32, 2)];
/// The numbers from 0 on, each four times.
pub(super) static FOUR_TIMES: [[u8; 64]; 4] =
    [numbers(0, 4), numbers(16, 4), numbers(32, 4), numbers(48, 4)];

featured!(
    /// Writes 64 bytes as UTF-16 (`WIDE`: UTF-32) code units of the same value.
    #[inline]
    pub(super) fn widen<const WIDE: bool, const LE: bool>(byte: __m512i, dst: &mut [[u8; 64]]) {
        for (index, dst) in dst.iter_mut().enumerate() {
            store(dst, widened::<WIDE, LE>(byte, index));
        }
    }

    /// Writes the first `count` bytes as [`widen`] does, and returns the bytes read and written. If the output
    /// fits in one register and `dst` has space for that, a whole store overwrites the bytes after it: a load
    /// that follows waits long for a masked store.
    #[inline]
    pub(super) fn widen_part<const WIDE: bool, const LE: bool>(
        byte: __m512i,
        count: usize,
        dst: &mut [u8],
    ) -> Option<(usize, usize)> {
        let times = if WIDE { 4 } else { 2 };
        let done = (count, times * count);
        if times * count <= 64
            && let Some(dst) = dst.first_chunk_mut()
        {
            store(dst, widened::<WIDE, LE>(byte, 0));
            return Some(done);
        }
        let dst = dst.get_mut(..times * count)?;
        // An empty store is faster than a branch to avoid it.
        let stores = match (WIDE, count) {
            (false, _) => 2,
            (true, 0..=16) => 1,
            (true, _) => 4,
        };
        let mut rest = &mut *dst;
        for index in 0..stores {
            let (now, after) = rest.split_at_mut(rest.len().min(64));
            store_part(now, widened::<WIDE, LE>(byte, index));
            rest = after;
        }
        Some(done)
    }

    /// The 64 bytes at `index` of the output of [`widen`].
    #[inline]
    fn widened<const WIDE: bool, const LE: bool>(byte: __m512i, index: usize) -> __m512i {
        let mask = match (WIDE, LE) {
            (false, true) => 0x5555_5555_5555_5555,
            (false, false) => 0xAAAA_AAAA_AAAA_AAAA,
            (true, true) => 0x1111_1111_1111_1111,
            (true, false) => 0x8888_8888_8888_8888,
        };
        let places = bytes(if WIDE { &FOUR_TIMES[index] } else { &TWICE[index] });
        _mm512_maskz_permutexvar_epi8(mask, places, byte)
    }
);

featured!(
    /// Replaces indices by cells.
    #[inline]
    pub(super) fn cells_at(cells: &Cells<'_>, indices: &mut [u16; 32]) {
        let found = load(bytes_of(indices));
        let ascii = _mm512_set1_epi16(cells.ascii() as i16);
        if _mm512_cmplt_epu16_mask(found, ascii) == 0 {
            store(bytes_of_mut(indices), _mm512_sub_epi16(found, ascii));
            return;
        }
        let last = _mm512_set1_epi16((cells.cells.len() - 1) as i16);
        let mut within = [0; 32];
        store(bytes_of_mut(&mut within), _mm512_min_epu16(found, last));
        for (unit, index) in indices.iter_mut().zip(within) {
            // SAFETY: the minimum above is at most the index of the last cell.
            *unit = unsafe { *cells.cells.get_unchecked(usize::from(index)) };
        }
    }

    #[inline]
    fn bytes_of(units: &[u16; 32]) -> &[u8; 64] {
        // SAFETY: both have 64 bytes, and bytes need no alignment.
        unsafe { &*core::ptr::from_ref(units).cast() }
    }

    #[inline]
    fn bytes_of_mut(units: &mut [u16; 32]) -> &mut [u8; 64] {
        // SAFETY: both have 64 bytes, every bit pattern is a valid unit, and bytes need no
        // alignment.
        unsafe { &mut *core::ptr::from_mut(units).cast() }
    }
);
