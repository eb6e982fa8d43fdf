//! From Latin-1.

use core::arch::x86_64::*;

use super::blocks::convert;
use super::memory::{bits, first, load, moved, store, store_first, widen, widen_part};
use super::utf16::{self, put, put_part};
use crate::arch::scalar::{self, Latin1, Utf8, Utf16, Utf32};

featured!(
    /// Latin-1 to UTF-8.
    pub(super) fn to_utf8(src: &[u8], dst: &mut [u8]) -> (usize, usize) {
        convert!(
            src,
            dst,
            unit 1, nul 1, context 0,
            |_| (0, 0),
            |src: &[u8; 256], dst| {
                let parts = [0, 64, 128, 192].map(|at| load(src[at..].first_chunk().unwrap()));
                let [a, b, c, d] = parts;
                let abc = _mm512_ternarylogic_epi32::<0xFE>(a, b, c);
                if _mm512_movepi8_mask(_mm512_or_si512(abc, d)) == 0 {
                    let dst = dst.first_chunk_mut::<256>()?;
                    for (dst, part) in dst.as_chunks_mut().0.iter_mut().zip(parts) {
                        store(dst, part);
                    }
                    return Some(256);
                }
                let dst = dst.first_chunk_mut::<512>()?;
                let mut written = 0;
                for part in src.as_chunks::<64>().0 {
                    let bytes = load(part);
                    if _mm512_movepi8_mask(bytes) == 0 {
                        store(dst[written..].first_chunk_mut().unwrap(), bytes);
                        written += 64;
                        continue;
                    }
                    for (bytes, mask) in two_bytes(bytes) {
                        written += put(bytes, mask, dst[written..].first_chunk_mut().unwrap());
                    }
                }
                Some(written)
            },
            |bytes, count, dst| {
                if _mm512_movepi8_mask(bytes) == 0 {
                    store_first(dst, count, bytes)?;
                    return Some((count, count));
                }
                let mut written = 0;
                if let Some(dst) = dst.first_chunk_mut::<128>() {
                    for (index, (bytes, mask)) in two_bytes(bytes).into_iter().enumerate() {
                        let mask = mask & first((2 * count).saturating_sub(64 * index));
                        written += put(bytes, mask, dst[written..].first_chunk_mut().unwrap());
                    }
                    return Some((count, written));
                }
                for (index, (bytes, mask)) in two_bytes(bytes).into_iter().enumerate() {
                    let mask = mask & first((2 * count).saturating_sub(64 * index));
                    written += put_part(bytes, mask, &mut dst[written..])?;
                }
                Some((count, written))
            },
            scalar::convert::<Latin1, Utf8>,
        )
    }

    /// Latin-1 to UTF-16.
    pub(super) fn to_utf16<const LE: bool>(src: &[u8], dst: &mut [u8]) -> (usize, usize) {
        convert!(
            src,
            dst,
            unit 1, nul 2, context 0,
            |_| (0, 0),
            |src: &[u8; 128], dst| {
                let dst = dst.first_chunk_mut::<256>()?;
                let (src, dst) = (src.as_chunks().0, dst.as_chunks_mut::<128>().0);
                for (src, dst) in src.iter().zip(dst) {
                    widen::<false, LE>(load(src), dst.as_chunks_mut().0);
                }
                Some(256)
            },
            |bytes, count, dst| widen_part::<false, LE>(bytes, count, dst),
            scalar::convert::<Latin1, Utf16<LE>>,
        )
    }

    /// Latin-1 to UTF-32.
    pub(super) fn to_utf32<const LE: bool>(src: &[u8], dst: &mut [u8]) -> (usize, usize) {
        convert!(
            src,
            dst,
            unit 1, nul 4, context 0,
            |_| (0, 0),
            |src: &[u8; 128], dst| {
                let dst = dst.first_chunk_mut::<512>()?;
                let (src, dst) = (src.as_chunks().0, dst.as_chunks_mut::<256>().0);
                for (src, dst) in src.iter().zip(dst) {
                    widen::<true, LE>(load(src), dst.as_chunks_mut().0);
                }
                Some(512)
            },
            |bytes, count, dst| widen_part::<true, LE>(bytes, count, dst),
            scalar::convert::<Latin1, Utf32<LE>>,
        )
    }

    /// 64 bytes as UTF-8: two bytes for each, and the mask of those that are used.
    #[inline]
    fn two_bytes(bytes: __m512i) -> [(__m512i, __mmask64); 2] {
        /// The trail bytes, which are always used.
        const TRAILS: u64 = 0xAAAA_AAAA_AAAA_AAAA;
        let long = _mm512_movepi8_mask(bytes);
        let bytes = utf16::for_unpack(bytes);
        // C0 and the upper two bits; and the byte without bit 6, if it has bit 7.
        let upper = const { bits(6, 0, 2) };
        let lead = _mm512_gf2p8affine_epi64_epi8::<0xC0>(bytes, _mm512_set1_epi64(upper));
        let trail = _mm512_andnot_si512(moved(bytes, const { bits(7, 6, 1) }), bytes);
        let pairs = [_mm512_unpacklo_epi8(lead, trail), _mm512_unpackhi_epi8(lead, trail)];
        let masks = [long as u32, (long >> 32) as u32];
        let used = masks.map(|long| _pdep_u64(long.into(), !TRAILS) | TRAILS);
        [(pairs[0], used[0]), (pairs[1], used[1])]
    }
);
