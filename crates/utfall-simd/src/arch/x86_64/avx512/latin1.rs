//! From Latin-1.

use core::arch::x86_64::*;

use super::blocks::{Shape, Unit, UnitPair, by_blocks};
use super::memory::{load, load_half, store, widen};
use super::utf16::{self, put};
use crate::arch::scalar::{self, Latin1, Utf8, Utf16, Utf32};

/// Latin-1 to UTF-8.
#[target_feature(enable = "avx512cd,avx512vbmi,avx512vbmi2,avx512vl,gfni,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn to_utf8(src: &[u8], dst: &mut [u8]) -> (usize, usize) {
    let pair = const { &UnitPair::new(Unit::ONE, Unit::ONE) };
    let shape = Shape::<0>::new(pair);
    by_blocks!(
        src,
        dst,
        shape,
        |src: &[u8; 256], dst: &mut [u8; 512]| {
            let parts = [0, 64, 128, 192].map(|at| load(src[at..].first_chunk().unwrap()));
            let [a, b, c, d] = parts;
            let abc = _mm512_ternarylogic_epi32::<0xFE>(a, b, c);
            if _mm512_movepi8_mask(_mm512_or_si512(abc, d)) == 0 {
                for (dst, part) in dst.as_chunks_mut().0.iter_mut().zip(parts) {
                    store(dst, part);
                }
                return Ok(256);
            }
            let mut written = 0;
            for part in src.as_chunks::<64>().0 {
                let octets = load(part);
                if _mm512_movepi8_mask(octets) == 0 {
                    store(dst[written..].first_chunk_mut().unwrap(), octets);
                    written += 64;
                    continue;
                }
                for half in part.as_chunks().0 {
                    let units = _mm512_cvtepu8_epi16(load_half(half));
                    let (octets, mask) = utf16::two_octets(units);
                    written += put(octets, mask, dst[written..].first_chunk_mut().unwrap());
                }
            }
            Ok(written)
        },
        scalar::convert::<Latin1, Utf8>
    )
}

/// Latin-1 to UTF-16.
#[target_feature(enable = "avx512cd,avx512vbmi,avx512vbmi2,avx512vl,gfni,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn to_utf16<const LE: bool>(src: &[u8], dst: &mut [u8]) -> (usize, usize) {
    let pair = const { &UnitPair::new(Unit::ONE, Unit::new(2, LE)) };
    let shape = Shape::<0>::new(pair);
    by_blocks!(
        src,
        dst,
        shape,
        |src: &[u8; 128], dst: &mut [u8; 256]| {
            let (src, dst) = (src.as_chunks().0, dst.as_chunks_mut::<128>().0);
            for (src, dst) in src.iter().zip(dst) {
                widen::<false, LE>(load(src), dst.as_chunks_mut().0);
            }
            Ok(256)
        },
        scalar::convert::<Latin1, Utf16<LE>>
    )
}

/// Latin-1 to UTF-32.
#[target_feature(enable = "avx512cd,avx512vbmi,avx512vbmi2,avx512vl,gfni,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn to_utf32<const LE: bool>(src: &[u8], dst: &mut [u8]) -> (usize, usize) {
    let pair = const { &UnitPair::new(Unit::ONE, Unit::new(4, LE)) };
    let shape = Shape::<0>::new(pair);
    by_blocks!(
        src,
        dst,
        shape,
        |src: &[u8; 128], dst: &mut [u8; 512]| {
            let (src, dst) = (src.as_chunks().0, dst.as_chunks_mut::<256>().0);
            for (src, dst) in src.iter().zip(dst) {
                widen::<true, LE>(load(src), dst.as_chunks_mut().0);
            }
            Ok(512)
        },
        scalar::convert::<Latin1, Utf32<LE>>
    )
}
