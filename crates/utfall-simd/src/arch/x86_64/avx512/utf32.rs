//! From UTF-32.

use core::arch::x86_64::*;

use super::blocks::convert;
use super::memory::{self, first, load, store, store_first, table};
use super::utf16::{self, put, put_lanes, put_part};
use crate::arch::scalar::{self, Latin1, Utf8, Utf16, Utf32};

/// From this length on, text is converted and validated by blocks, with a test of each.
const FLAT: usize = 8192;
/// After so many bytes, shorter text is tested.
const TESTED: usize = 2048;

/// The kinds of some code points.
struct Seen {
    /// All bits that are set in one of them.
    all: __m512i,
    /// The least of their units, each exclusive or D800: below 800 if one is a surrogate.
    least: __m512i,
}

impl Seen {
    featured!(
        #[inline]
        fn and(self, other: Self) -> Self {
            Self {
                all: _mm512_or_si512(self.all, other.all),
                least: _mm512_min_epu16(self.least, other.least),
            }
        }

        /// Whether all are scalar values below 10000.
        #[inline]
        fn is_basic(&self) -> bool {
            let surrogates = _mm512_cmplt_epu16_mask(self.least, utf16::splat(0x800));
            _mm512_test_epi32_mask(self.all, splat(0xFFFF_0000)) == 0 && surrogates == 0
        }
    );
}

featured!(
    /// UTF-32 from or to native byte order.
    #[inline]
    pub(super) fn swapped<const LE: bool>(points: __m512i) -> __m512i {
        const SWAP: [u8; 16] = [3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12];
        if LE { points } else { _mm512_shuffle_epi8(points, table(&SWAP)) }
    }

    /// The same 32-bit lane everywhere.
    #[inline]
    fn splat(point: u32) -> __m512i {
        _mm512_set1_epi32(point as i32)
    }

    /// The 32 code points of a block.
    #[inline]
    fn points<const LE: bool>(src: &[u8; 128]) -> [__m512i; 2] {
        let [a, b] = [src.first_chunk().unwrap(), src.last_chunk().unwrap()];
        [swapped::<LE>(load(a)), swapped::<LE>(load(b))]
    }

    /// A number below 10F800 for scalar values, and not below it for all other units: the first
    /// step maps surrogates to 0 to 7FF, the second makes them underflow.
    #[inline]
    fn folded(points: __m512i) -> __m512i {
        _mm512_sub_epi32(_mm512_xor_si512(points, splat(0xD800)), splat(0x800))
    }

    /// Whether all are scalar values.
    #[inline]
    fn check([a, b]: [__m512i; 2]) -> Option<()> {
        let most = _mm512_max_epu32(folded(a), folded(b));
        (_mm512_cmpge_epu32_mask(most, splat(0x10_F800)) == 0).then_some(())
    }

    /// How many of the first `count` bytes of 16 code points precede the first that is not a scalar
    /// value.
    #[inline]
    fn sound(points: __m512i, count: usize) -> usize {
        let wrong = _mm512_cmpge_epu32_mask(folded(points), splat(0x10_F800));
        4 * memory::before(wrong.into(), count / 4)
    }

    /// 32 code points below 10000 as 16-bit lanes, those of the second register after those of the
    /// first in each 128 bits.
    #[inline]
    fn narrow([a, b]: [__m512i; 2]) -> __m512i {
        _mm512_packus_epi32(a, b)
    }

    /// The result of [`narrow`], in text order.
    #[inline]
    fn in_order(units: __m512i) -> __m512i {
        _mm512_permutexvar_epi64(_mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7), units)
    }

    /// UTF-32 to UTF-8.
    pub(super) fn to_utf8<const LE: bool>(src: &[u8], dst: &mut [u8]) -> (usize, usize) {
        convert!(
            src,
            dst,
            unit 4, nul 1, context 0,
            |_| (0, 0),
            |src: &[u8; 128], dst| {
                let points = points::<LE>(src);
                let all = _mm512_or_si512(points[0], points[1]);
                if _mm512_test_epi32_mask(all, splat(0xFFFF_F800)) == 0 {
                    let units = in_order(narrow(points));
                    if _mm512_test_epi32_mask(all, splat(0xFFFF_FF80)) == 0 {
                        store_first(dst, 32, in_lower_half(_mm512_cvtepi16_epi8(units)))?;
                        return Some(32);
                    }
                    let (bytes, mask) = utf16::two_bytes(units);
                    return Some(put(bytes, mask, dst.first_chunk_mut()?));
                }
                let dst = dst.first_chunk_mut::<128>()?;
                let lanes = if _mm512_test_epi32_mask(all, splat(0xFFFF_0000)) == 0 {
                    let units = narrow(points);
                    if utf16::surrogates(units) != 0 {
                        check(points)?;
                    }
                    utf16::three_bytes(units, None)
                } else {
                    check(points)?;
                    points.map(|points| four_bytes(points))
                };
                let written = put_lanes(lanes[0], dst.first_chunk_mut().unwrap());
                Some(written + put_lanes(lanes[1], dst[written..].first_chunk_mut().unwrap()))
            },
            |bytes, count, dst| {
                let points = swapped::<LE>(bytes);
                if _mm512_test_epi32_mask(points, splat(0xFFFF_FF80)) == 0 {
                    let bytes = _mm512_zextsi128_si512(_mm512_cvtepi32_epi8(points));
                    store_first(dst, count / 4, bytes)?;
                    return Some((count, count / 4));
                }
                let sound = sound(points, count);
                let lanes = four_bytes(points);
                Some((sound, put_part(lanes, utf16::counting(lanes) & first(sound), dst)?))
            },
            scalar::convert::<Utf32<LE>, Utf8>,
        )
    }

    /// 16 code points as UTF-8, the last byte at the end of each lane, zeros before the first.
    #[inline]
    fn four_bytes(points: __m512i) -> __m512i {
        let two = _mm512_cmpge_epu32_mask(points, splat(0x80));
        let three = _mm512_cmpge_epu32_mask(points, splat(0x800));
        let four = _mm512_cmpge_epu32_mask(points, splat(0x1_0000));
        // The bit of 64 at which the bits of each byte begin.
        let from = _mm512_set1_epi64(i64::from_le_bytes([18, 12, 6, 0, 50, 44, 38, 32]));
        let parts = _mm512_multishift_epi64_epi8(from, points);
        let parts = _mm512_and_si512(parts, splat(0x3F3F_3F07));
        let tags = _mm512_mask_mov_epi32(splat(0x80C0_0000), three, splat(0x8080_E000));
        let tags = _mm512_mask_mov_epi32(tags, four, splat(0x8080_80F0));
        _mm512_mask_or_epi32(_mm512_slli_epi32::<24>(points), two, parts, tags)
    }

    /// Length in bytes of the whole code units in one register or more, if all are scalar values.
    #[inline]
    fn flat_prefix<const LE: bool>(src: &[u8]) -> Option<usize> {
        let whole = &src[..src.len() / 4 * 4];
        let mut most = folded(swapped::<LE>(load(whole.last_chunk()?)));
        let (pairs, rest) = whole.as_chunks::<128>();
        for pair in pairs {
            let [a, b] = points::<LE>(pair);
            most = _mm512_max_epu32(most, _mm512_max_epu32(folded(a), folded(b)));
        }
        if let Some(one) = rest.first_chunk() {
            most = _mm512_max_epu32(most, folded(swapped::<LE>(load(one))));
        }
        (_mm512_cmpge_epu32_mask(most, splat(0x10_F800)) == 0).then_some(whole.len())
    }

    /// UTF-32 to UTF-16.
    pub(super) fn to_utf16<const LE: bool, const TO_LE: bool>(
        src: &[u8],
        dst: &mut [u8],
    ) -> (usize, usize) {
        if !(129..FLAT).contains(&src.len()) {
            return to_utf16_by_blocks::<LE, TO_LE>(src, dst);
        }
        let read = flat_to_utf16::<LE, TO_LE>(src, dst);
        if src.len() - read < 4 {
            return (read, read / 2);
        }
        let more = to_utf16_by_blocks::<LE, TO_LE>(&src[read..], &mut dst[read / 2..]);
        (read + more.0, read / 2 + more.1)
    }

    /// Converts code points below 10000, at least two registers. Tests what they are at the end, and
    /// once in a while before. Returns the number of bytes that were converted.
    #[inline]
    fn flat_to_utf16<const LE: bool, const TO_LE: bool>(src: &[u8], dst: &mut [u8]) -> usize {
        let whole = &src[..src.len() / 4 * 4];
        let Some(dst) = dst.get_mut(..whole.len() / 2) else { return 0 };
        let mut read = 0;
        while read < whole.len() {
            let mut seen = Seen { all: _mm512_setzero_si512(), least: utf16::splat(u16::MAX) };
            let stop = whole.len().min(read + TESTED);
            let mut at = read;
            while let Some(block) = whole[at..stop].first_chunk()
                && let Some(out) = dst[at / 2..].first_chunk_mut()
            {
                seen = seen.and(put_units::<LE, TO_LE>(block, out));
                at += 128;
            }
            if at < stop
                && let Some(block) = whole.last_chunk()
                && let Some(out) = dst.last_chunk_mut()
            {
                seen = seen.and(put_units::<LE, TO_LE>(block, out));
            }
            if !seen.is_basic() {
                break;
            }
            read = stop;
        }
        read
    }

    /// Writes 32 code points as code units, as if all were below 10000. Returns what they are.
    #[inline]
    fn put_units<const LE: bool, const TO_LE: bool>(src: &[u8; 128], dst: &mut [u8; 64]) -> Seen {
        let points = points::<LE>(src);
        let units = narrow(points);
        store(dst, utf16::swapped::<TO_LE>(in_order(units)));
        Seen {
            all: _mm512_or_si512(points[0], points[1]),
            least: _mm512_xor_si512(units, utf16::splat(0xD800)),
        }
    }

    /// [`to_utf16`] of any text.
    #[inline(never)]
    fn to_utf16_by_blocks<const LE: bool, const TO_LE: bool>(
        src: &[u8],
        dst: &mut [u8],
    ) -> (usize, usize) {
        convert!(
            src,
            dst,
            unit 4, nul 2, context 0,
            |_| (0, 0),
            |src: &[u8; 128], dst| {
                let points = points::<LE>(src);
                let all = _mm512_or_si512(points[0], points[1]);
                if _mm512_test_epi32_mask(all, splat(0xFFFF_0000)) == 0 {
                    let units = narrow(points);
                    if utf16::surrogates(units) != 0 {
                        check(points)?;
                    }
                    let units = utf16::swapped::<TO_LE>(in_order(units));
                    store(dst.first_chunk_mut()?, units);
                    return Some(64);
                }
                check(points)?;
                let dst = dst.first_chunk_mut::<128>()?;
                let mut written = 0;
                for points in points {
                    let (units, mask) = pairs(points);
                    let units = utf16::swapped::<TO_LE>(_mm512_maskz_compress_epi16(mask, units));
                    store(dst[written..].first_chunk_mut().unwrap(), units);
                    written += 2 * mask.count_ones() as usize;
                }
                Some(written)
            },
            |bytes, count, dst| {
                let points = swapped::<LE>(bytes);
                let sound = sound(points, count);
                if _mm512_test_epi32_mask(points, splat(0xFFFF_0000)) == 0 {
                    let units = in_lower_half(_mm512_cvtepi32_epi16(points));
                    store_first(dst, sound / 2, utf16::swapped::<TO_LE>(units))?;
                    return Some((sound, sound / 2));
                }
                let (units, mask) = pairs(points);
                let mask = mask & first(sound / 2) as u32;
                let units = utf16::swapped::<TO_LE>(_mm512_maskz_compress_epi16(mask, units));
                let written = 2 * mask.count_ones() as usize;
                store_first(dst, written, units)?;
                Some((sound, written))
            },
            scalar::convert::<Utf32<LE>, Utf16<TO_LE>>,
        )
    }

    /// The lower half of a register, with zeros above.
    #[inline]
    fn in_lower_half(bytes: __m256i) -> __m512i {
        _mm512_zextsi256_si512(bytes)
    }

    /// 16 code points as UTF-16, two units in each lane, and the mask of those that are used.
    #[inline]
    fn pairs(points: __m512i) -> (__m512i, __mmask32) {
        let four = _mm512_cmpge_epu32_mask(points, splat(0x1_0000));
        // (value - 10000) >> 10 in the first unit, the 10 bits below in the second.
        let high = _mm512_srli_epi32::<10>(points);
        let low = _mm512_and_si512(_mm512_slli_epi32::<16>(points), splat(0x03FF_0000));
        let pair = _mm512_add_epi32(_mm512_or_si512(high, low), splat(0xDC00_D7C0));
        let units = _mm512_mask_mov_epi32(points, four, pair);
        // The second unit of a lane is used in pairs, where it is not zero.
        let counts = _mm512_or_si512(units, splat(0x0000_0001));
        (units, _mm512_test_epi16_mask(counts, counts))
    }

    /// UTF-32 with its bytes swapped.
    pub(super) fn swap<const LE: bool>(src: &[u8], dst: &mut [u8]) -> (usize, usize) {
        let finish = |src: &[u8], dst: &mut [u8]| match LE {
            true => scalar::convert::<Utf32<true>, Utf32<false>>(src, dst),
            false => scalar::convert::<Utf32<false>, Utf32<true>>(src, dst),
        };
        convert!(
            src,
            dst,
            unit 4, nul 4, context 0,
            |_| (0, 0),
            |src: &[u8; 128], dst| {
                let points = points::<LE>(src);
                check(points)?;
                let dst = dst.first_chunk_mut::<128>()?;
                let dst = dst.as_chunks_mut().0;
                for (dst, points) in dst.iter_mut().zip(points) {
                    store(dst, if LE { swapped::<false>(points) } else { points });
                }
                Some(128)
            },
            |bytes, count, dst| {
                let points = swapped::<LE>(bytes);
                let sound = sound(points, count);
                let bytes = if LE { swapped::<false>(points) } else { points };
                store_first(dst, sound, bytes)?;
                Some((sound, sound))
            },
            finish,
        )
    }

    /// Length in bytes of the longest well-formed prefix.
    pub(super) fn prefix<const LE: bool>(src: &[u8]) -> usize {
        if (65..FLAT).contains(&src.len())
            && let Some(prefix) = flat_prefix::<LE>(src)
        {
            return prefix;
        }
        convert!(
            src,
            &mut [],
            unit 4, nul 0, context 0,
            |_| (0, 0),
            |src: &[u8; 256], _| {
                check(points::<LE>(src.first_chunk().unwrap()))?;
                check(points::<LE>(src.last_chunk().unwrap())).map(|()| 0)
            },
            |bytes, count, _| Some((sound(swapped::<LE>(bytes), count), 0)),
            |_, _| (0, 0),
        )
        .0
    }

    /// UTF-32 to Latin-1.
    pub(super) fn to_latin1<const LE: bool>(src: &[u8], dst: &mut [u8]) -> (usize, usize) {
        convert!(
            src,
            dst,
            unit 4, nul 1, context 0,
            |_| (0, 0),
            |src: &[u8; 256], dst| {
                let halves = [src.first_chunk().unwrap(), src.last_chunk().unwrap()];
                let [[a, b], [c, d]] = halves.map(|half| points::<LE>(half));
                let all = _mm512_or_si512(_mm512_or_si512(a, b), _mm512_or_si512(c, d));
                if _mm512_test_epi32_mask(all, splat(0xFFFF_FF00)) != 0 {
                    return None;
                }
                let bytes = _mm512_packus_epi16(narrow([a, b]), narrow([c, d]));
                let order = _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
                store(dst.first_chunk_mut()?, _mm512_permutexvar_epi32(order, bytes));
                Some(64)
            },
            |bytes, count, dst| {
                let points = swapped::<LE>(bytes);
                let beyond = _mm512_test_epi32_mask(points, splat(0xFFFF_FF00));
                let sound = 4 * memory::before(beyond.into(), count / 4);
                let bytes = _mm512_zextsi128_si512(_mm512_cvtepi32_epi8(points));
                store_first(dst, sound / 4, bytes)?;
                Some((sound, sound / 4))
            },
            scalar::convert::<Utf32<LE>, Latin1>,
        )
    }
);
