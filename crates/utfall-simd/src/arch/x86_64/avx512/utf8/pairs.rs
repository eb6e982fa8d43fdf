//! Blocks without sequences of more than two bytes.

use core::arch::x86_64::*;

use super::super::memory::{BEFORE, bytes, load, splat, store, store_part};

/// The code units that end at the positions of such a block.
pub(super) struct Pairs {
    byte: __m512i,
    /// At a continuation byte, the lead byte before it less C2; elsewhere zero.
    lead: __m512i,
    ends: __mmask64,
    /// The bytes that are ill-formed, as far as the bytes up to there show.
    pub(super) errors: __mmask64,
}

impl Pairs {
    featured!(
        /// Bytes 3 to 66. `None` if they include bytes from E0 up, or if the three bytes before
        /// them end in a longer sequence, or in C0 or C1.
        #[inline]
        pub(super) fn after(src: &[u8; 67]) -> Option<Self> {
            let byte = load(src.last_chunk().unwrap());
            let [a, b, c, ..] = *src;
            let others = _mm512_cmpge_epu8_mask(byte, splat(0xE0));
            let is_longer = (a >= 0xF0) | (b >= 0xE0) | (c >= 0xE0) | (c & 0xFE == 0xC0);
            (others == 0 && !is_longer).then(|| Self::new(src.last_chunk().unwrap()))
        }

        /// Bytes 1 to 64, after the one before them.
        #[inline]
        pub(super) fn new(src: &[u8; 65]) -> Self {
            let before = load(src.first_chunk().unwrap());
            Self::with_before(load(src.last_chunk().unwrap()), before, u64::from(src[0] >= 0xC0))
        }

        /// A block with nothing before the first byte.
        #[inline]
        pub(super) fn alone(byte: __m512i) -> Self {
            Self::with_before(byte, _mm512_permutexvar_epi8(bytes(&BEFORE[1]), byte), 0)
        }

        /// `carry` is 1 if the byte before the first is a lead byte.
        #[inline]
        fn with_before(byte: __m512i, before: __m512i, carry: u64) -> Self {
            let trail = _mm512_cmplt_epi8_mask(byte, splat(0xC0));
            let lead = _mm512_movepi8_mask(byte) & !trail;
            let overlong = _mm512_mask_cmplt_epu8_mask(lead, byte, splat(0xC2));
            Self {
                byte,
                lead: _mm512_maskz_sub_epi8(trail, before, splat(0xC2)),
                ends: !lead,
                errors: (trail ^ (lead << 1 | carry)) | overlong,
            }
        }

        /// See [`Units::put`](super::Units::put).
        #[inline]
        pub(super) fn put<const LE: bool>(
            &self,
            within: __mmask64,
            dst: &mut [u8],
        ) -> Option<usize> {
            let ends = self.ends & within;
            let count = ends.count_ones() as usize;
            let byte = _mm512_maskz_compress_epi8(ends, self.byte);
            let lead = _mm512_maskz_compress_epi8(ends, self.lead);
            let units = |byte, lead| {
                let lead = _mm512_slli_epi16::<6>(_mm512_cvtepu8_epi16(lead));
                let units = _mm512_add_epi16(_mm512_cvtepu8_epi16(byte), lead);
                super::super::utf16::swapped::<LE>(units)
            };
            let one = units(_mm512_castsi512_si256(byte), _mm512_castsi512_si256(lead));
            let half = |bytes| _mm512_extracti64x4_epi64::<1>(bytes);
            if let Some(dst) = dst.first_chunk_mut::<128>() {
                let dst = dst.as_chunks_mut().0;
                store(&mut dst[0], one);
                if count > 32 {
                    store(&mut dst[1], units(half(byte), half(lead)));
                }
            } else {
                let dst = dst.get_mut(..2 * count)?;
                let (first, second) = dst.split_at_mut(dst.len().min(64));
                store_part(first, one);
                if !second.is_empty() {
                    store_part(second, units(half(byte), half(lead)));
                }
            }
            Some(2 * count)
        }
    );
}
