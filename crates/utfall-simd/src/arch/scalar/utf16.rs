//! UTF-16 in either byte order, as bytes at any alignment.

use super::{Source, Target};

/// UTF-16; little-endian if `LE`.
pub(crate) struct Utf16<const LE: bool>;

impl<const LE: bool> Utf16<LE> {
    #[inline(always)]
    fn unit(bytes: [u8; 2]) -> u16 {
        if LE { u16::from_le_bytes(bytes) } else { u16::from_be_bytes(bytes) }
    }

    #[inline(always)]
    fn bytes(unit: u16) -> [u8; 2] {
        if LE { unit.to_le_bytes() } else { unit.to_be_bytes() }
    }
}

impl<const LE: bool> Source for Utf16<LE> {
    #[inline(always)]
    fn next(src: &[u8]) -> Option<(u32, usize)> {
        let high = Self::unit(*src.first_chunk()?);
        if high & 0xF800 != 0xD800 {
            return Some((u32::from(high), 2));
        }
        let [_, _, c, d] = *src.first_chunk()?;
        let low = Self::unit([c, d]);
        let paired = high & 0xFC00 == 0xD800 && low & 0xFC00 == 0xDC00;
        let scalar = 0x1_0000 + ((u32::from(high) & 0x3FF) << 10) + (u32::from(low) & 0x3FF);
        paired.then_some((scalar, 4))
    }

    fn ill_formed(src: &[u8]) -> Option<usize> {
        let unit = Self::unit(*src.first_chunk()?);
        // A high surrogate at the end may still get its low surrogate.
        (unit & 0xFC00 == 0xDC00 || src.len() >= 4).then_some(2)
    }

    #[inline(always)]
    fn next_ascii(src: &[u8]) -> Option<([u8; 8], usize)> {
        let block: &[u8; 16] = src.first_chunk()?;
        let mut ascii = [0; 8];
        let mut all = 0;
        for (to, from) in ascii.iter_mut().zip(block.as_chunks().0) {
            let unit = Self::unit(*from);
            all |= unit;
            *to = unit as u8;
        }
        (all < 0x80).then_some((ascii, 16))
    }
}

impl<const LE: bool> Target for Utf16<LE> {
    #[inline(always)]
    fn put(dst: &mut [u8], scalar: u32) -> Option<usize> {
        if let Ok(unit) = u16::try_from(scalar) {
            *dst.first_chunk_mut()? = Self::bytes(unit);
            return Some(2);
        }
        let offset = scalar - 0x1_0000;
        let [a, b] = Self::bytes(0xD800 | (offset >> 10) as u16);
        let [c, d] = Self::bytes(0xDC00 | (offset & 0x3FF) as u16);
        *dst.first_chunk_mut()? = [a, b, c, d];
        Some(4)
    }

    #[inline(always)]
    fn put_ascii(dst: &mut [u8], ascii: [u8; 8]) -> Option<usize> {
        let block: &mut [u8; 16] = dst.first_chunk_mut()?;
        for (to, from) in block.as_chunks_mut().0.iter_mut().zip(ascii) {
            *to = Self::bytes(u16::from(from));
        }
        Some(16)
    }
}

/// Bytes of a scalar value.
#[inline(always)]
pub(super) fn len(scalar: u32) -> usize {
    if scalar > 0xFFFF { 4 } else { 2 }
}
