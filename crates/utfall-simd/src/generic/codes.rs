//! The codes of East Asian charsets, as bytes.

use super::compress::{ONE_OR_BOTH, compress};
use crate::simd::{Simd, Vector};
use crate::units;

/// Writes codes: see [`FromCodes`](crate::pairs::FromCodes).
#[inline(always)]
pub(crate) fn to_bytes<S: Simd>(simd: S, codes: &[u16], dst: &mut [u8]) -> (usize, usize) {
    /// Lanes in half a vector.
    const LANES: usize = 8;
    let bytes = units::bytes(codes);
    let (mut read, mut written) = (0, 0);
    while bytes.len() - 2 * read >= S::Vector::BYTES && dst.len() - written >= S::Vector::BYTES {
        let code = simd.load(&bytes[2 * read..]);
        if code.equal16(simd.zero()).any() {
            break;
        }
        let upper = code.shr16::<8>();
        let mut ones = upper.pack16(upper).equal(simd.zero()).mask();
        // Two bytes, the upper one first, or the lower one.
        let ordered = code.select(code.swap16(), upper.equal16(simd.zero()));
        let mut two = [0; 2];
        for set in &mut two {
            *set = usize::from(!ones as u8);
            ones >>= 2 * LANES;
        }
        let packed = compress(simd, ordered, &ONE_OR_BOTH, |half| two[half]);
        for (half, set) in two.iter().enumerate().take(S::Vector::HALVES) {
            packed.half(half).store(&mut dst[written..]);
            written += LANES + set.count_ones() as usize;
        }
        read += S::Vector::BYTES / 2;
    }
    let (more, made) = one_by_one(&codes[read..], &mut dst[written..]);
    (read + more, written + made)
}

/// The same for the end, and where space is short.
#[inline]
pub(crate) fn one_by_one(codes: &[u16], dst: &mut [u8]) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    for code in codes {
        let bytes = code.to_be_bytes();
        let bytes = if bytes[0] == 0 { &bytes[1..] } else { &bytes };
        let Some(room) = dst[written..].get_mut(..bytes.len()).filter(|_| *code != 0) else {
            break;
        };
        room.copy_from_slice(bytes);
        read += 1;
        written += bytes.len();
    }
    (read, written)
}
