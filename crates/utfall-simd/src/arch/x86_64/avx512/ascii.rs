//! Prefixes of ASCII, and of code points that are in Latin-1.

use core::arch::x86_64::*;

use super::memory::{load, load_part};
use super::utf8;

featured!(
    /// Length in bytes of the ASCII prefix.
    pub(super) fn prefix(src: &[u8]) -> usize {
        let mut read = utf8::ascii(src);
        for part in src[read..].chunks(64) {
            let beyond = _mm512_movepi8_mask(load_part(part));
            if beyond != 0 {
                return read + beyond.trailing_zeros() as usize;
            }
            read += part.len();
        }
        read
    }

    /// Length in bytes of the UTF-16 prefix that is in Latin-1.
    pub(super) fn utf16_latin1_prefix<const LE: bool>(src: &[u8]) -> usize {
        let beyond = _mm512_set1_epi16((if LE { 0xFF00_u16 } else { 0x00FF }) as i16);
        let src = &src[..src.len() / 2 * 2];
        let mut read = 0;
        while let Some(block) = src[read..].first_chunk::<256>() {
            let [a, b, c, d] = [0, 64, 128, 192].map(|at| load(block[at..].first_chunk().unwrap()));
            let abc = _mm512_ternarylogic_epi32::<0xFE>(a, b, c);
            if _mm512_test_epi16_mask(_mm512_or_si512(abc, d), beyond) != 0 {
                break;
            }
            read += 256;
        }
        for part in src[read..].chunks(64) {
            let beyond = _mm512_test_epi16_mask(load_part(part), beyond);
            if beyond != 0 {
                return read + 2 * beyond.trailing_zeros() as usize;
            }
            read += part.len();
        }
        read
    }
);
