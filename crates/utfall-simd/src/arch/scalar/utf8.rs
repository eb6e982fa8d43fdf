//! UTF-8 as defined in RFC 3629 §4.

use super::{Source, Target, ascii};

pub(crate) struct Utf8;

impl Source for Utf8 {
    #[inline(always)]
    fn next(src: &[u8]) -> Option<(u32, usize)> {
        let lead = *src.first()?;
        match lead {
            0x00..=0x7F => Some((u32::from(lead), 1)),
            0xC2..=0xDF => {
                let [_, b] = *src.first_chunk()?;
                (is_trail(b)).then(|| (u32::from(lead & 0x1F) << 6 | bits(b), 2))
            }
            0xE0..=0xEF => {
                let [_, b, c] = *src.first_chunk()?;
                let scalar = u32::from(lead & 0x0F) << 12 | bits(b) << 6 | bits(c);
                // Shortest form and no surrogates (RFC 3629 §3).
                let legal = scalar >= 0x800 && scalar & 0xF800 != 0xD800;
                (is_trail(b) && is_trail(c) && legal).then_some((scalar, 3))
            }
            0xF0..=0xF4 => {
                let [_, b, c, d] = *src.first_chunk()?;
                let scalar = u32::from(lead & 0x07) << 18 | bits(b) << 12 | bits(c) << 6 | bits(d);
                let legal = (0x1_0000..=0x10_FFFF).contains(&scalar);
                (is_trail(b) && is_trail(c) && is_trail(d) && legal).then_some((scalar, 4))
            }
            _ => None,
        }
    }

    fn ill_formed(src: &[u8]) -> Option<usize> {
        let (lead, rest) = src.split_first()?;
        // RFC 3629 §4: the range of the second byte, and the number of continuation bytes.
        let (second, trails) = match lead {
            0xC2..=0xDF => (0x80..=0xBF, 1),
            0xE0 => (0xA0..=0xBF, 2),
            0xED => (0x80..=0x9F, 2),
            0xE1..=0xEF => (0x80..=0xBF, 2),
            0xF0 => (0x90..=0xBF, 3),
            0xF4 => (0x80..=0x8F, 3),
            0xF1..=0xF3 => (0x80..=0xBF, 3),
            _ => return Some(1),
        };
        if !second.contains(rest.first()?) {
            return Some(1);
        }
        let sound = 1 + rest[1..].iter().take(trails - 1).take_while(|b| is_trail(**b)).count();
        (sound < rest.len()).then_some(1 + sound)
    }

    #[inline(always)]
    fn next_ascii(src: &[u8]) -> Option<([u8; 8], usize)> {
        let block = *src.first_chunk()?;
        ascii::all(block).then_some((block, 8))
    }
}

impl Target for Utf8 {
    #[inline(always)]
    fn put(dst: &mut [u8], scalar: u32) -> Option<usize> {
        match scalar {
            0..=0x7F => {
                *dst.first_mut()? = scalar as u8;
                Some(1)
            }
            0x80..=0x7FF => {
                *dst.first_chunk_mut()? = [0xC0 | (scalar >> 6) as u8, trail(scalar)];
                Some(2)
            }
            0x800..=0xFFFF => {
                *dst.first_chunk_mut()? =
                    [0xE0 | (scalar >> 12) as u8, trail(scalar >> 6), trail(scalar)];
                Some(3)
            }
            _ => {
                *dst.first_chunk_mut()? = [
                    0xF0 | (scalar >> 18) as u8,
                    trail(scalar >> 12),
                    trail(scalar >> 6),
                    trail(scalar),
                ];
                Some(4)
            }
        }
    }

    #[inline(always)]
    fn put_ascii(dst: &mut [u8], ascii: [u8; 8]) -> Option<usize> {
        *dst.first_chunk_mut()? = ascii;
        Some(8)
    }
}

#[inline(always)]
fn is_trail(byte: u8) -> bool {
    byte & 0xC0 == 0x80
}

#[inline(always)]
fn bits(trail: u8) -> u32 {
    u32::from(trail & 0x3F)
}

#[inline(always)]
fn trail(value: u32) -> u8 {
    0x80 | (value & 0x3F) as u8
}

/// Bytes of a scalar value.
#[inline(always)]
pub(super) fn len(scalar: u32) -> usize {
    1 + usize::from(scalar > 0x7F) + usize::from(scalar > 0x7FF) + usize::from(scalar > 0xFFFF)
}

/// Code points: all bytes except continuation bytes.
pub(super) fn count(src: &[u8]) -> usize {
    src.iter().filter(|byte| !is_trail(**byte)).count()
}

/// Bytes of the same text in UTF-16: two for each code point, four from U+10000 up.
pub(super) fn utf16_len(src: &[u8]) -> usize {
    2 * (count(src) + src.iter().filter(|byte| **byte >= 0xF0).count())
}
