//! From UTF-16.
//!
//! To UTF-8, each code unit fills a lane of its own with the bytes it contributes, the last one
//! always at the end of the lane, and unused bytes are compressed away. A high surrogate
//! contributes the first two bytes of its sequence of four, and a low one the other two, for which
//! it needs only two bits of the unit before it. So a pair cut by the end of a block needs no
//! special treatment.

use core::arch::x86_64::*;

use super::blocks::convert;
use super::memory::{self, first, load, store, store_first, store_part};
use crate::arch::scalar::{self, Latin1, Utf8, Utf16, Utf32};

/// Up to this length, in bytes, all of a text of more than two registers is looked at before it is
/// converted to UTF-8.
const FEW: usize = 512;
/// From this length on, text is validated by blocks, with a test of each.
const FLAT: usize = 8192;
/// After so many bytes, shorter text is tested.
const TESTED: usize = 1024;

featured!(
    /// The code units of 64 bytes in native order.
    #[inline]
    fn units<const LE: bool>(bytes: &[u8; 64]) -> __m512i {
        swapped::<LE>(load(bytes))
    }

    /// UTF-16 from or to native byte order.
    #[inline]
    pub(super) fn swapped<const LE: bool>(units: __m512i) -> __m512i {
        // Not a shuffle: all shuffles use the port that compression needs.
        if LE { units } else { _mm512_shldi_epi16::<8>(units, units) }
    }

    /// The same 16-bit lane everywhere.
    #[inline]
    pub(super) fn splat(unit: u16) -> __m512i {
        _mm512_set1_epi16(unit as i16)
    }

    /// Lanes that are surrogates.
    #[inline]
    pub(super) fn surrogates(units: __m512i) -> __mmask32 {
        _mm512_cmpeq_epi16_mask(_mm512_and_si512(units, splat(0xF800)), splat(0xD800))
    }

    /// The positions of pairs in 32 code units. `None` if there is another surrogate, as far as
    /// these units show.
    #[inline]
    fn pairs(units: __m512i, before: u16) -> Option<(__mmask32, __mmask32)> {
        let kind = _mm512_and_si512(units, splat(0xFC00));
        let high = _mm512_cmpeq_epi16_mask(kind, splat(0xD800));
        let low = _mm512_cmpeq_epi16_mask(kind, splat(0xDC00));
        let expected = high << 1 | u32::from(before & 0xFC00 == 0xD800);
        (expected == low).then_some((high, low))
    }

    /// The length of the well-formed prefix, up to a boundary, of the first `count` bytes of 32
    /// code units that begin on a boundary.
    #[inline]
    fn sound(units: __m512i, count: usize) -> usize {
        if surrogates(units) == 0 {
            return count;
        }
        let kind = _mm512_and_si512(units, splat(0xFC00));
        let high = u64::from(_mm512_cmpeq_epi16_mask(kind, splat(0xD800)));
        let low = u64::from(_mm512_cmpeq_epi16_mask(kind, splat(0xDC00)));
        let expected = high << 1;
        let sound = memory::before(expected ^ low, count / 2);
        // A high surrogate at the end is left to the text that follows.
        if expected >> sound & 1 == 1 { 2 * (sound - 1) } else { 2 * sound }
    }
);

#[inline(always)]
fn unit<const LE: bool>(bytes: [u8; 2]) -> u16 {
    if LE { u16::from_le_bytes(bytes) } else { u16::from_be_bytes(bytes) }
}

/// Number of bytes at the end that are a high surrogate.
#[inline(always)]
fn incomplete<const LE: bool>(src: &[u8]) -> usize {
    match src.last_chunk() {
        Some(bytes) if unit::<LE>(*bytes) & 0xFC00 == 0xD800 => 2,
        _ => 0,
    }
}

/// 64 code units and the one before them.
type Block = [u8; 130];

/// The two halves of a block.
#[inline(always)]
fn halves(block: &Block) -> [&[u8; 66]; 2] {
    [block.first_chunk().unwrap(), block.last_chunk().unwrap()]
}

featured!(
    /// Code units below 800 as UTF-8: two bytes in each lane, and the mask of those that are used.
    #[inline]
    pub(super) fn two_bytes(units: __m512i) -> (__m512i, __mmask64) {
        let long = _mm512_test_epi16_mask(units, splat(0xFF80));
        let ascii = _mm512_slli_epi16::<8>(units);
        let lead = _mm512_srli_epi16::<6>(units);
        // lead | ascii & 3F00
        let parts = _mm512_ternarylogic_epi32::<0xF8>(lead, ascii, splat(0x3F00));
        let bytes = _mm512_mask_add_epi16(ascii, long, parts, splat(0x80C0));
        // A lead byte has bit 7 set, and the last byte is always used.
        (bytes, _mm512_movepi8_mask(_mm512_or_si512(bytes, splat(0x8000))))
    }

    /// Code units as UTF-8, four bytes in each lane of two registers. The units are those of lanes
    /// 0, 1, 2, 3, 8, 9, 10, 11, … and 4, 5, 6, 7, 12, …, the order of `unpack`.
    #[inline]
    pub(super) fn three_bytes(units: __m512i, surrogates: Option<Surrogates>) -> [__m512i; 2] {
        let two = _mm512_test_epi16_mask(units, splat(0xFF80));
        let mut three = _mm512_test_epi16_mask(units, splat(0xF800));
        let ascii = _mm512_slli_epi16::<8>(units);
        let middle = _mm512_srli_epi16::<6>(units);
        // ascii where 3F00, middle elsewhere
        let parts = _mm512_ternarylogic_epi32::<0xCA>(splat(0x3F00), ascii, middle);
        let parts = _mm512_and_si512(parts, splat(0x3F3F));
        let tags = _mm512_mask_mov_epi16(splat(0x80C0), three, splat(0x8080));
        let mut last = _mm512_mask_add_epi16(ascii, two, parts, tags);
        if let Some(Surrogates { high, low, before }) = surrogates {
            three &= !(high | low);
            // For the low surrogate: the unit before gives bits 4 and 5 of the third byte.
            let carried = _mm512_and_si512(_mm512_slli_epi16::<4>(before), splat(0x0030));
            let trail = _mm512_ternarylogic_epi32::<0xF8>(carried, last, splat(0xFFCF));
            last = _mm512_mask_mov_epi16(last, low, trail);
            // For the high surrogate: (scalar value) >> 10, of which 8 bits are in the second byte.
            let value = _mm512_and_si512(units, splat(0x03FF));
            let value = _mm512_add_epi16(value, splat(0x0040));
            let second = _mm512_and_si512(_mm512_slli_epi16::<6>(value), splat(0x3F00));
            let lead = _mm512_or_si512(_mm512_srli_epi16::<8>(value), splat(0x80F0));
            last = _mm512_mask_add_epi16(last, high, second, lead);
        }
        let first = _mm512_and_si512(_mm512_srli_epi16::<4>(units), splat(0x0F00));
        let first = _mm512_maskz_add_epi16(three, first, splat(0xE000));
        [_mm512_unpacklo_epi16(first, last), _mm512_unpackhi_epi16(first, last)]
    }
);

/// The lanes that are surrogates, and the unit before each lane.
pub(super) struct Surrogates {
    pub(super) high: __mmask32,
    pub(super) low: __mmask32,
    pub(super) before: __m512i,
}

impl Surrogates {
    featured!(
        /// The surrogates of units, given those before them in the same order.
        #[inline]
        fn new(units: __m512i, before: __m512i) -> Self {
            let kind = _mm512_and_si512(units, splat(0xFC00));
            Self {
                high: _mm512_cmpeq_epi16_mask(kind, splat(0xD800)),
                low: _mm512_cmpeq_epi16_mask(kind, splat(0xDC00)),
                before,
            }
        }
    );
}

featured!(
    /// Writes the bytes of 16 lanes that are used: the last of each lane, and those with bit 7 set.
    /// Returns how many there are.
    #[inline]
    pub(super) fn put_lanes(bytes: __m512i, dst: &mut [u8; 64]) -> usize {
        put(bytes, counting(bytes), dst)
    }

    /// The mask of bytes that are used, of 16 lanes: the last of each, and those with bit 7 set.
    #[inline]
    pub(super) fn counting(bytes: __m512i) -> __mmask64 {
        _mm512_movepi8_mask(_mm512_or_si512(bytes, _mm512_set1_epi32(0x8000_0000_u32 as i32)))
    }

    /// Writes the bytes under the mask, using no more space than needed. Returns how many there
    /// are, if they fit.
    #[inline]
    pub(super) fn put_part(bytes: __m512i, mask: __mmask64, dst: &mut [u8]) -> Option<usize> {
        let count = mask.count_ones() as usize;
        store_part(dst.get_mut(..count)?, _mm512_maskz_compress_epi8(mask, bytes));
        Some(count)
    }

    /// Writes the bytes under the mask. Returns how many there are.
    #[inline]
    pub(super) fn put(bytes: __m512i, mask: __mmask64, dst: &mut [u8; 64]) -> usize {
        store(dst, _mm512_maskz_compress_epi8(mask, bytes));
        mask.count_ones() as usize
    }

    /// `vpermq` that makes `unpack` produce text order.
    #[inline]
    pub(super) fn for_unpack(units: __m512i) -> __m512i {
        _mm512_permutexvar_epi64(_mm512_setr_epi64(0, 4, 1, 5, 2, 6, 3, 7), units)
    }

    /// UTF-16 to UTF-8.
    pub(super) fn to_utf8<const LE: bool>(src: &[u8], dst: &mut [u8]) -> (usize, usize) {
        if (129..=FEW).contains(&src.len())
            && let Some(written) = few_below_0800::<LE>(src, dst)
        {
            return (src.len(), written);
        }
        convert!(
            src,
            dst,
            unit 2, nul 1, context 2,
            |src| { let begun = incomplete::<LE>(src); (begun, begun) },
            |src: &Block, dst| {
                let [a, b] = halves(src).map(|half| half.last_chunk().unwrap());
                let (a, b) = (units::<LE>(a), units::<LE>(b));
                if _mm512_test_epi16_mask(_mm512_or_si512(a, b), splat(0xFF80)) == 0 {
                    if unit::<LE>(*src.first_chunk().unwrap()) & 0xFC00 == 0xD800 {
                        return None;
                    }
                    let order = _mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7);
                    let ascii = _mm512_permutexvar_epi64(order, _mm512_packus_epi16(a, b));
                    store(dst.first_chunk_mut()?, ascii);
                    return Some(64);
                }
                let [before_a, before_b] = halves(src);
                let dst = dst.first_chunk_mut::<256>()?;
                let first = half_to_utf8::<LE>(a, before_a, dst.first_chunk_mut().unwrap())?;
                let rest = dst[first..].first_chunk_mut().unwrap();
                let second = half_to_utf8::<LE>(b, before_b, rest)?;
                Some(first + second)
            },
            |bytes, count, dst| {
                let units = swapped::<LE>(bytes);
                if _mm512_test_epi16_mask(units, splat(0xFF80)) == 0 {
                    let bytes = _mm512_zextsi256_si512(_mm512_cvtepi16_epi8(units));
                    store_first(dst, count / 2, bytes)?;
                    return Some((count, count / 2));
                }
                if _mm512_test_epi16_mask(units, splat(0xF800)) == 0 {
                    let (bytes, mask) = two_bytes(units);
                    let written = match dst.first_chunk_mut() {
                        Some(dst) => put(bytes, mask & first(count), dst),
                        None => put_part(bytes, mask & first(count), dst)?,
                    };
                    return Some((count, written));
                }
                let sound = sound(units, count);
                let ordered = for_unpack(units);
                let mut pair = None;
                if surrogates(units) != 0 {
                    // The unit before the first is not used: the first is not a low surrogate.
                    let order = memory::bytes(const { &BEFORE_ORDERED });
                    let before = _mm512_permutexvar_epi16(order, units);
                    pair = Some(Surrogates::new(ordered, before));
                }
                let mut written = 0;
                for (index, bytes) in three_bytes(ordered, pair).into_iter().enumerate() {
                    let mask = counting(bytes) & first((2 * sound).saturating_sub(64 * index));
                    let dst = &mut dst[written..];
                    written += match dst.first_chunk_mut() {
                        Some(dst) => put(bytes, mask, dst),
                        None => put_part(bytes, mask, dst)?,
                    };
                }
                Some((sound, written))
            },
            scalar::convert::<Utf16<LE>, Utf8>,
        )
    }

    /// Converts 32 code units or more to UTF-8, if they are all below 800 and fit. Returns the bytes
    /// written. The largest unit selects the method: in text of this length, branches on each
    /// register would be mispredicted.
    #[inline]
    fn few_below_0800<const LE: bool>(src: &[u8], dst: &mut [u8]) -> Option<usize> {
        let (registers, rest) = src.as_chunks::<64>();
        let any = |any, some: &[u8; 64]| _mm512_or_si512(any, load(some));
        let any = registers.iter().chain(src.last_chunk()).fold(splat(0), any);
        let any = swapped::<LE>(any);
        if !src.len().is_multiple_of(2) || _mm512_test_epi16_mask(any, splat(0xF800)) != 0 {
            return None;
        }
        if _mm512_test_epi16_mask(any, splat(0xFF80)) == 0 {
            return ascii_to_utf8::<LE>(src, dst);
        }
        let mut written = 0;
        let (last, others) = registers.split_last()?;
        for some in others {
            let (bytes, mask) = two_bytes(units::<LE>(some));
            written += put(bytes, mask, dst.get_mut(written..)?.first_chunk_mut()?);
        }
        // Whether there is space for a whole register cannot be predicted here.
        let (bytes, mask) = two_bytes(units::<LE>(last));
        written += put_part(bytes, mask, dst.get_mut(written..)?)?;
        let (bytes, mask) = two_bytes(swapped::<LE>(memory::load_part(rest)));
        written += put_part(bytes, mask & first(rest.len()), dst.get_mut(written..)?)?;
        Some(written)
    }

    /// Converts 32 code units or more of US-ASCII, if they fit. Returns the bytes written.
    #[inline]
    fn ascii_to_utf8<const LE: bool>(src: &[u8], dst: &mut [u8]) -> Option<usize> {
        let dst = dst.get_mut(..src.len() / 2)?;
        let narrow = |some: &[u8; 64], dst: &mut [u8; 32]| {
            memory::store_half(dst, _mm512_cvtepi16_epi8(units::<LE>(some)));
        };
        for (some, dst) in src.as_chunks().0.iter().zip(dst.as_chunks_mut().0) {
            narrow(some, dst);
        }
        narrow(src.last_chunk()?, dst.last_chunk_mut()?);
        Some(dst.len())
    }

    /// Converts 32 code units to UTF-8, given them and the bytes of the unit before them.
    #[inline]
    fn half_to_utf8<const LE: bool>(
        units: __m512i,
        src: &[u8; 66],
        dst: &mut [u8; 128],
    ) -> Option<usize> {
        let before = unit::<LE>(*src.first_chunk().unwrap());
        if _mm512_test_epi16_mask(units, splat(0xF800)) == 0 {
            if before & 0xFC00 == 0xD800 {
                return None;
            }
            let (bytes, mask) = two_bytes(units);
            return Some(put(bytes, mask, dst.first_chunk_mut().unwrap()));
        }
        let ordered = for_unpack(units);
        let mut pair = None;
        if surrogates(units) != 0 || before & 0xFC00 == 0xD800 {
            pairs(units, before)?;
            let before = for_unpack(self::units::<LE>(src.first_chunk().unwrap()));
            pair = Some(Surrogates::new(ordered, before));
        }
        let [low, high] = three_bytes(ordered, pair);
        let written = put_lanes(low, dst.first_chunk_mut().unwrap());
        Some(written + put_lanes(high, dst[written..].first_chunk_mut().unwrap()))
    }
);

/// The positions of the units before each lane, in the order of [`for_unpack`].
const BEFORE_ORDERED: [u8; 64] = {
    let mut table = [0; 64];
    let mut lane = 0;
    while lane < 32 {
        // Groups of four units come in the order 0, 4, 1, 5, 2, 6, 3, 7.
        let group = lane / 4;
        let unit = 4 * (group / 2 + group % 2 * 4) + lane % 4;
        table[2 * lane] = (unit as u8).wrapping_sub(1) & 31;
        lane += 1;
    }
    table
};

featured!(
    /// UTF-16 to UTF-32.
    pub(super) fn to_utf32<const LE: bool, const TO_LE: bool>(
        src: &[u8],
        dst: &mut [u8],
    ) -> (usize, usize) {
        if (129..FLAT).contains(&src.len())
            && let Some(written) = all_to_utf32::<LE, TO_LE>(src, dst)
        {
            return (src.len(), written);
        }
        convert!(
            src,
            dst,
            unit 2, nul 4, context 2,
            |src| (incomplete::<LE>(src), 0),
            |src: &Block, dst| {
                let dst = dst.first_chunk_mut::<256>()?;
                let [first, second] = halves(src);
                let first = half_to_utf32::<LE, TO_LE>(first, dst.first_chunk_mut().unwrap())?;
                let dst = dst[first..].first_chunk_mut().unwrap();
                Some(first + half_to_utf32::<LE, TO_LE>(second, dst)?)
            },
            |bytes, count, dst| {
                let sound = sound(swapped::<LE>(bytes), count);
                if surrogates(swapped::<LE>(bytes)) == 0 {
                    let dst = dst.get_mut(..2 * count)?;
                    let (one, two) = dst.split_at_mut(dst.len().min(64));
                    store_part(one, widen::<LE, TO_LE>(bytes, 0));
                    store_part(two, widen::<LE, TO_LE>(bytes, 32));
                    return Some((count, 2 * count));
                }
                let mut written = 0;
                // The unit before the first is not used: the first is not a low surrogate.
                for (index, from) in [0, 32].into_iter().enumerate() {
                    let (points, mask) = points(with_before::<LE>(bytes, from));
                    let within = first((sound / 2).saturating_sub(16 * index)) as u16;
                    let points = _mm512_maskz_compress_epi32(mask & within, points);
                    let bytes = 4 * (mask & within).count_ones() as usize;
                    let points = super::utf32::swapped::<TO_LE>(points);
                    store_first(&mut dst[written..], bytes, points)?;
                    written += bytes;
                }
                Some((sound, written))
            },
            scalar::convert::<Utf16<LE>, Utf32<TO_LE>>,
        )
    }

    /// Converts at least 32 code units to UTF-32 and returns the number of bytes written. `None` if
    /// one of them is a surrogate, or if `dst` is too short. Not every register is tested separately
    /// for surrogates.
    #[inline]
    fn all_to_utf32<const LE: bool, const TO_LE: bool>(
        src: &[u8],
        dst: &mut [u8],
    ) -> Option<usize> {
        let dst = dst.get_mut(..2 * src.len())?;
        // Surrogates differ from D800 by less than 800.
        let nearest = |nearest, bytes| {
            let distance = _mm512_xor_si512(swapped::<LE>(bytes), splat(0xD800));
            _mm512_min_epu16(nearest, distance)
        };
        let any_surrogate = |nearest| _mm512_cmplt_epu16_mask(nearest, splat(0x0800)) != 0;
        let put = |bytes, room: &mut [u8; 128]| {
            let room = room.as_chunks_mut::<64>().0;
            store(&mut room[0], widen::<LE, TO_LE>(bytes, 0));
            store(&mut room[1], widen::<LE, TO_LE>(bytes, 32));
        };
        let end = load(src.last_chunk()?);
        let mut least = nearest(splat(0xFFFF), end);
        for (some, room) in src.chunks(TESTED).zip(dst.chunks_mut(2 * TESTED)) {
            for (some, room) in some.as_chunks().0.iter().zip(room.as_chunks_mut().0) {
                let bytes = load(some);
                least = nearest(least, bytes);
                put(bytes, room);
            }
            if any_surrogate(least) {
                return None;
            }
        }
        put(end, dst.last_chunk_mut()?);
        src.len().is_multiple_of(2).then_some(dst.len())
    }

    /// Converts 32 code units to UTF-32, given the unit before them too. A pair is written at the
    /// position of its low surrogate.
    #[inline]
    fn half_to_utf32<const LE: bool, const TO_LE: bool>(
        src: &[u8; 66],
        dst: &mut [u8; 128],
    ) -> Option<usize> {
        let before = unit::<LE>(*src.first_chunk().unwrap());
        let bytes = load(src.last_chunk().unwrap());
        let order = |unit: u16| splat(if LE { unit } else { unit.swap_bytes() });
        let kind = _mm512_and_si512(bytes, order(0xF800));
        if _mm512_cmpeq_epi16_mask(kind, order(0xD800)) == 0 && before & 0xFC00 != 0xD800 {
            let dst = dst.as_chunks_mut::<64>().0;
            store(&mut dst[0], widen::<LE, TO_LE>(bytes, 0));
            store(&mut dst[1], widen::<LE, TO_LE>(bytes, 32));
            return Some(128);
        }
        pairs(swapped::<LE>(bytes), before)?;
        let mut written = 0;
        // In each lane, a unit and the one before it.
        let lanes =
            [with_before::<LE>(load(src.first_chunk().unwrap()), 2), with_before::<LE>(bytes, 32)];
        for lanes in lanes {
            let (points, mask) = points(lanes);
            let points = _mm512_maskz_compress_epi32(mask, points);
            store(
                dst[written..].first_chunk_mut().unwrap(),
                super::utf32::swapped::<TO_LE>(points),
            );
            written += 4 * mask.count_ones() as usize;
        }
        Some(written)
    }

    /// The code points of 16 code units, each with the unit before it in the upper half of its
    /// lane, and the mask of lanes that have one.
    #[inline]
    fn points(lanes: __m512i) -> (__m512i, __mmask16) {
        let units = _mm512_and_si512(lanes, _mm512_set1_epi32(0xFFFF));
        let kind = _mm512_and_si512(lanes, _mm512_set1_epi32(0xFC00));
        let high = _mm512_cmpeq_epi32_mask(kind, _mm512_set1_epi32(0xD800));
        let low = _mm512_cmpeq_epi32_mask(kind, _mm512_set1_epi32(0xDC00));
        // (before - D800 << 10) + (unit - DC00) + 10000
        let first = _mm512_and_si512(_mm512_srli_epi32::<6>(lanes), _mm512_set1_epi32(!0x3FF));
        let bias = _mm512_set1_epi32(0x1_0000 - (0xD800 << 10) - 0xDC00);
        let first = _mm512_add_epi32(first, bias);
        (_mm512_mask_add_epi32(units, low, units, first), !high)
    }

    /// 16 code units, from byte `from` on, each with the unit before it in the upper half of a
    /// 32-bit lane.
    #[inline]
    fn with_before<const LE: bool>(bytes: __m512i, from: u8) -> __m512i {
        const fn places(swap: bool) -> [u8; 64] {
            let mut table = [0_u8; 64];
            let mut i = 0;
            while i < 64 {
                let unit = (i / 4 * 2 + i % 2) as u8 ^ swap as u8;
                table[i] = if i % 4 < 2 { unit } else { unit.wrapping_sub(2) };
                i += 1;
            }
            table
        }
        let places = memory::bytes(const { &places(!LE) });
        _mm512_permutexvar_epi8(_mm512_add_epi8(places, memory::splat(from)), bytes)
    }

    /// 16 code units, from byte `from` on, as 32-bit lanes in another byte order.
    #[inline]
    fn widen<const LE: bool, const TO_LE: bool>(bytes: __m512i, from: u8) -> __m512i {
        const fn places(swap: bool) -> [u8; 64] {
            let mut table = [0; 64];
            let mut i = 0;
            while i < 64 {
                // Only two of four are selected.
                let place = (i / 4 * 2 + i % 2) as u8;
                table[i] = if swap { place ^ 1 } else { place };
                i += 1;
            }
            table
        }
        let places = const { &places(LE != TO_LE) };
        let places = _mm512_add_epi8(memory::bytes(places), memory::splat(from));
        let mask = if TO_LE { 0x3333_3333_3333_3333 } else { 0xCCCC_CCCC_CCCC_CCCC };
        _mm512_maskz_permutexvar_epi8(mask, places, bytes)
    }

    /// UTF-16 with its bytes swapped.
    pub(super) fn swap<const LE: bool>(src: &[u8], dst: &mut [u8]) -> (usize, usize) {
        let finish = |src: &[u8], dst: &mut [u8]| match LE {
            true => scalar::convert::<Utf16<true>, Utf16<false>>(src, dst),
            false => scalar::convert::<Utf16<false>, Utf16<true>>(src, dst),
        };
        convert!(
            src,
            dst,
            unit 2, nul 2, context 2,
            |src| { let begun = incomplete::<LE>(src); (begun, begun) },
            |src: &Block, dst| {
                let dst = dst.first_chunk_mut::<128>()?;
                check::<LE>(src)?;
                let [a, b] = halves(src).map(|half| load(half.last_chunk().unwrap()));
                let dst = dst.as_chunks_mut().0;
                store(&mut dst[0], swapped::<false>(a));
                store(&mut dst[1], swapped::<false>(b));
                Some(128)
            },
            |bytes, count, dst| {
                let sound = sound(swapped::<LE>(bytes), count);
                store_first(dst, sound, swapped::<false>(bytes))?;
                Some((sound, sound))
            },
            finish,
        )
    }

    /// Whether a block is well-formed, as far as it can tell.
    #[inline]
    fn check<const LE: bool>(src: &Block) -> Option<()> {
        let parts = halves(src).map(|half| load(half.last_chunk().unwrap()));
        let before = unit::<LE>(*src.first_chunk().unwrap());
        if !any_surrogate::<LE, 2>(parts) && before & 0xFC00 != 0xD800 {
            return Some(());
        }
        check_pairs::<LE>(parts, before)
    }

    /// Whether there are surrogates in UTF-16 text.
    #[inline]
    pub(super) fn any_surrogate<const LE: bool, const N: usize>(parts: [__m512i; N]) -> bool {
        let mut least = splat(u16::MAX);
        for units in parts {
            least = _mm512_min_epu16(least, apart_from_surrogates::<LE>(units));
        }
        _mm512_testn_epi16_mask(least, least) != 0
    }

    /// Lanes that are zero for surrogates only: (unit ^ D800) & F800.
    #[inline]
    fn apart_from_surrogates<const LE: bool>(units: __m512i) -> __m512i {
        let order = |unit: u16| splat(if LE { unit } else { unit.swap_bytes() });
        _mm512_ternarylogic_epi32::<0x60>(order(0xF800), units, order(0xD800))
    }

    /// [`check`] of a block with surrogates.
    #[inline]
    fn check_pairs<const LE: bool>(parts: [__m512i; 2], before: u16) -> Option<()> {
        let order = |unit: u16| splat(if LE { unit } else { unit.swap_bytes() });
        let kinds = parts.map(|units| _mm512_and_si512(units, order(0xFC00)));
        let [high, low] = [order(0xD800), order(0xDC00)].map(|kind| {
            let [one, two] = kinds.map(|units| u64::from(_mm512_cmpeq_epi16_mask(units, kind)));
            two << 32 | one
        });
        let expected = high << 1 | u64::from(before & 0xFC00 == 0xD800);
        (expected == low).then_some(())
    }

    /// Length in bytes of the longest well-formed prefix.
    pub(super) fn prefix<const LE: bool>(src: &[u8]) -> usize {
        if !(65..FLAT).contains(&src.len()) {
            return prefix_by_blocks::<LE>(src);
        }
        let read = without_surrogates::<LE>(src);
        if src.len() - read < 2 {
            return read;
        }
        read + prefix_by_blocks::<LE>(&src[read..])
    }

    /// The number of bytes, of one register or more, in which there are no surrogates. Tests at the
    /// end, and once in a while before.
    #[inline]
    fn without_surrogates<const LE: bool>(src: &[u8]) -> usize {
        let whole = &src[..src.len() / 2 * 2];
        let mut read = 0;
        while read < whole.len() {
            let stop = whole.len().min(read + TESTED);
            let mut least = splat(u16::MAX);
            let mut at = read;
            while let Some(block) = whole[at..stop].first_chunk() {
                least = _mm512_min_epu16(least, apart_from_surrogates::<LE>(load(block)));
                at += 64;
            }
            if at < stop
                && let Some(block) = whole.last_chunk()
            {
                least = _mm512_min_epu16(least, apart_from_surrogates::<LE>(load(block)));
            }
            if _mm512_testn_epi16_mask(least, least) != 0 {
                break;
            }
            read = stop;
        }
        read
    }

    /// [`prefix`] of any text.
    #[inline(never)]
    fn prefix_by_blocks<const LE: bool>(src: &[u8]) -> usize {
        convert!(
            src,
            &mut [],
            unit 2, nul 0, context 2,
            |src| (incomplete::<LE>(src), 0),
            |src: &[u8; 258], _| {
                let parts = [2, 66, 130, 194].map(|at| load(src[at..].first_chunk().unwrap()));
                let before = unit::<LE>(*src.first_chunk().unwrap());
                if !any_surrogate::<LE, 4>(parts) && before & 0xFC00 != 0xD800 {
                    return Some(0);
                }
                check_pairs::<LE>([parts[0], parts[1]], before)?;
                let before = unit::<LE>(*src[128..].first_chunk().unwrap());
                check_pairs::<LE>([parts[2], parts[3]], before).map(|()| 0)
            },
            |bytes, count, _| Some((sound(swapped::<LE>(bytes), count), 0)),
            |_, _| (0, 0),
        )
        .0
    }

    /// UTF-16 to Latin-1.
    pub(super) fn to_latin1<const LE: bool>(src: &[u8], dst: &mut [u8]) -> (usize, usize) {
        convert!(
            src,
            dst,
            unit 2, nul 1, context 0,
            |_| (0, 0),
            |src: &[u8; 128], dst| {
                let src = src.as_chunks().0;
                let (a, b) = (units::<LE>(&src[0]), units::<LE>(&src[1]));
                if _mm512_test_epi16_mask(_mm512_or_si512(a, b), splat(0xFF00)) != 0 {
                    return None;
                }
                let order = _mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7);
                store(
                    dst.first_chunk_mut()?,
                    _mm512_permutexvar_epi64(order, _mm512_packus_epi16(a, b)),
                );
                Some(64)
            },
            |bytes, count, dst| {
                let units = swapped::<LE>(bytes);
                let beyond = _mm512_test_epi16_mask(units, splat(0xFF00));
                let sound = 2 * memory::before(beyond.into(), count / 2);
                let bytes = _mm512_zextsi256_si512(_mm512_cvtepi16_epi8(units));
                store_first(dst, sound / 2, bytes)?;
                Some((sound, sound / 2))
            },
            scalar::convert::<Utf16<LE>, Latin1>,
        )
    }
);
