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
            let units = self.moved(ends);
            if let Some(dst) = dst.first_chunk_mut::<128>() {
                let dst = dst.as_chunks_mut().0;
                store(&mut dst[0], units.first::<LE>());
                if count > 32 {
                    store(&mut dst[1], units.second::<LE>());
                }
            } else {
                let dst = dst.get_mut(..2 * count)?;
                let (first, second) = dst.split_at_mut(dst.len().min(64));
                store_part(first, units.first::<LE>());
                if !second.is_empty() {
                    store_part(second, units.second::<LE>());
                }
            }
            Some(2 * count)
        }

        /// Writes all units, and more bytes after them. Returns the number of bytes that count.
        #[inline]
        pub(super) fn put_whole<const LE: bool>(&self, dst: &mut [u8; 128]) -> usize {
            let units = self.moved(self.ends);
            let dst = dst.as_chunks_mut().0;
            store(&mut dst[0], units.first::<LE>());
            store(&mut dst[1], units.second::<LE>());
            2 * self.ends.count_ones() as usize
        }

        /// Writes all units, and nothing after them, if they fit. No branch depends on how many
        /// there are, in well-formed text. Returns the number of bytes.
        #[inline]
        pub(super) fn put_exactly<const LE: bool>(&self, dst: &mut [u8]) -> Option<usize> {
            let units = self.moved(self.ends);
            let dst = dst.get_mut(..2 * self.ends.count_ones() as usize)?;
            let (first, second) = dst.split_first_chunk_mut()?;
            store(first, units.first::<LE>());
            store_part(second, units.second::<LE>());
            Some(dst.len())
        }

        /// The parts of the units of the positions under the mask, moved to the start.
        #[inline]
        fn moved(&self, ends: __mmask64) -> Moved {
            Moved {
                byte: _mm512_maskz_compress_epi8(ends, self.byte),
                lead: _mm512_maskz_compress_epi8(ends, self.lead),
            }
        }
    );
}

/// The parts of up to 64 code units: a byte, and the lead byte less C2.
struct Moved {
    byte: __m512i,
    lead: __m512i,
}

impl Moved {
    featured!(
        /// The first 32 code units.
        #[inline]
        fn first<const LE: bool>(&self) -> __m512i {
            units::<LE>(_mm512_castsi512_si256(self.byte), _mm512_castsi512_si256(self.lead))
        }

        /// The other 32.
        #[inline]
        fn second<const LE: bool>(&self) -> __m512i {
            let half = |bytes| _mm512_extracti64x4_epi64::<1>(bytes);
            units::<LE>(half(self.byte), half(self.lead))
        }
    );
}

featured!(
    /// Code units from their parts.
    #[inline]
    fn units<const LE: bool>(byte: __m256i, lead: __m256i) -> __m512i {
        let lead = _mm512_slli_epi16::<6>(_mm512_cvtepu8_epi16(lead));
        let units = _mm512_add_epi16(_mm512_cvtepu8_epi16(byte), lead);
        super::super::utf16::swapped::<LE>(units)
    }
);
