//! UTF-32 in either byte order, as bytes at any alignment.

use super::{Source, Target};

/// UTF-32; little-endian if `LE`.
pub(crate) struct Utf32<const LE: bool>;

impl<const LE: bool> Utf32<LE> {
    #[inline(always)]
    fn unit(bytes: [u8; 4]) -> u32 {
        if LE { u32::from_le_bytes(bytes) } else { u32::from_be_bytes(bytes) }
    }

    #[inline(always)]
    fn bytes(unit: u32) -> [u8; 4] {
        if LE { unit.to_le_bytes() } else { unit.to_be_bytes() }
    }
}

impl<const LE: bool> Source for Utf32<LE> {
    #[inline(always)]
    fn next(src: &[u8]) -> Option<(u32, usize)> {
        let scalar = Self::unit(*src.first_chunk()?);
        (scalar <= 0x10_FFFF && scalar & 0xFFFF_F800 != 0xD800).then_some((scalar, 4))
    }

    fn ill_formed(src: &[u8]) -> Option<usize> {
        (src.len() >= 4).then_some(4)
    }

    #[inline(always)]
    fn next_ascii(src: &[u8]) -> Option<([u8; 8], usize)> {
        let block: &[u8; 32] = src.first_chunk()?;
        let mut ascii = [0; 8];
        let mut all = 0;
        for (to, from) in ascii.iter_mut().zip(block.as_chunks().0) {
            let unit = Self::unit(*from);
            all |= unit;
            *to = unit as u8;
        }
        (all < 0x80).then_some((ascii, 32))
    }
}

impl<const LE: bool> Target for Utf32<LE> {
    #[inline(always)]
    fn put(dst: &mut [u8], scalar: u32) -> Option<usize> {
        *dst.first_chunk_mut()? = Self::bytes(scalar);
        Some(4)
    }

    #[inline(always)]
    fn put_ascii(dst: &mut [u8], ascii: [u8; 8]) -> Option<usize> {
        let block: &mut [u8; 32] = dst.first_chunk_mut()?;
        for (to, from) in block.as_chunks_mut().0.iter_mut().zip(ascii) {
            *to = Self::bytes(u32::from(from));
        }
        Some(32)
    }
}
