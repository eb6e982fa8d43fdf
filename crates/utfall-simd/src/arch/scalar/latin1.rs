//! ISO 8859-1: each byte is the code point of that number.

use super::{Source, Target, ascii};

pub(crate) struct Latin1;

impl Source for Latin1 {
    #[inline(always)]
    fn next(src: &[u8]) -> Option<(u32, usize)> {
        Some((u32::from(*src.first()?), 1))
    }

    fn ill_formed(_: &[u8]) -> Option<usize> {
        None
    }

    #[inline(always)]
    fn next_ascii(src: &[u8]) -> Option<([u8; 8], usize)> {
        let block = *src.first_chunk()?;
        ascii::all(block).then_some((block, 8))
    }
}

impl Target for Latin1 {
    #[inline(always)]
    fn put(dst: &mut [u8], scalar: u32) -> Option<usize> {
        *dst.first_mut()? = u8::try_from(scalar).ok()?;
        Some(1)
    }

    #[inline(always)]
    fn put_ascii(dst: &mut [u8], ascii: [u8; 8]) -> Option<usize> {
        *dst.first_chunk_mut()? = ascii;
        Some(8)
    }
}

/// Bytes of the same text in UTF-8.
pub(super) fn utf8_len(src: &[u8]) -> usize {
    src.len() + src.iter().filter(|byte| !byte.is_ascii()).count()
}
