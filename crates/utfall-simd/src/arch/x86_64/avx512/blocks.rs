//! The loop over blocks of UTF-16, UTF-32 and Latin-1.

use super::memory::{load_part, store, store_part};

/// What a block is made of, in octets. The octets before a block, `BEFORE` of them, belong to
/// it as context.
pub(super) struct Shape<const BEFORE: usize> {
    /// A code unit of the input, and what NUL takes in the output.
    pub(super) unit: usize,
    pub(super) nul: usize,
    /// How much of `src` is the start of a sequence that has not ended.
    pub(super) incomplete: fn(&[u8]) -> usize,
    /// What such a start has already written.
    pub(super) begun: usize,
}

impl<const BEFORE: usize> Shape<BEFORE> {
    /// How much to convert before blocks begin, so that the output (if it is much shorter,
    /// the input) lies at 64 octets. An access across that takes twice the time, and where
    /// each unit becomes one unit, memory sets the pace.
    #[inline(always)]
    fn to_alignment(&self, src: &[u8], dst: &[u8]) -> usize {
        if src.len() < 1024 {
            0
        } else if 2 * self.nul >= self.unit {
            dst.as_ptr().addr().wrapping_neg() % 64 / self.nul * self.unit
        } else {
            src.as_ptr().addr().wrapping_neg() % 64 / self.unit * self.unit
        }
    }
}

/// Converts block by block.
///
/// `block` gets `INPUT` octets, the first `BEFORE` of which it had before, as context; it
/// returns octets written, or how many octets of the block stand before the first error. A
/// last, shorter block is padded with NULs, which are taken off again.
///
/// `short_block` is `block` once more, so that each is called in one place and compiled into
/// it; [`by_blocks!`] writes both.
///
/// `finish` converts what there was no room to convert in blocks.
#[inline]
#[target_feature(enable = "avx512cd,avx512vbmi,avx512vbmi2,avx512vl,gfni,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn convert<const BEFORE: usize, const INPUT: usize, const OUTPUT: usize>(
    src: &[u8],
    dst: &mut [u8],
    shape: Shape<BEFORE>,
    mut block: impl FnMut(&[u8; INPUT], &mut [u8; OUTPUT]) -> Result<usize, usize>,
    mut short_block: impl FnMut(&[u8; INPUT], &mut [u8; OUTPUT]) -> Result<usize, usize>,
    finish: impl FnOnce(&[u8], &mut [u8]) -> (usize, usize),
) -> (usize, usize) {
    let mut src = &src[..src.len() - src.len() % shape.unit];
    src = &src[..src.len() - (shape.incomplete)(src)];
    let block_len = INPUT - BEFORE;
    let (mut read, mut written) = (0, 0);
    // Where a short block is put, and what becomes of it.
    let (mut short, mut output) = ([0; INPUT], [0; OUTPUT]);
    let lead = match shape.to_alignment(src, dst) {
        0 if BEFORE > 0 => block_len,
        octets => octets,
    };
    loop {
        if read >= lead {
            while let Some(input) = src[read - BEFORE..].first_chunk()
                && let Some(output) = dst[written..].first_chunk_mut()
                && let Ok(octets) = block(input, output)
            {
                read += block_len;
                written += octets;
            }
        }
        if read >= src.len() {
            break;
        }
        let most = if read < lead { lead } else { block_len };
        let mut count = (src.len() - read).min(most);
        // What is cut in two would look wrong before the padding.
        if count < block_len.min(src.len() - read) && (shape.incomplete)(&src[..read + count]) > 0 {
            count += shape.unit;
        }
        if read >= BEFORE {
            short[..BEFORE].copy_from_slice(&src[read - BEFORE..read]);
        }
        pad(&src[read..read + count], short[BEFORE..].as_chunks_mut().0);
        match short_block(&short, &mut output) {
            Ok(octets) => {
                let octets = octets - (block_len - count) / shape.unit * shape.nul;
                let Some(dst) = dst[written..].get_mut(..octets) else { break };
                copy(&output, dst);
                read += count;
                written += octets;
            }
            Err(sound) => {
                // From here on as if the text ended where the error begins.
                src = &src[..src.len().min(read + sound)];
                src = &src[..src.len() - (shape.incomplete)(src)];
            }
        }
    }
    let begun = (shape.incomplete)(&src[..read.min(src.len())]) + read.saturating_sub(src.len());
    if begun > 0 {
        read -= begun;
        written -= shape.begun;
    }
    let (more_read, more_written) = finish(&src[read..], &mut dst[written..]);
    (read + more_read, written + more_written)
}

/// Puts octets into a block, and zero behind them.
#[inline]
#[target_feature(enable = "avx512cd,avx512vbmi,avx512vbmi2,avx512vl,gfni,bmi1,bmi2,lzcnt,popcnt")]
fn pad(src: &[u8], dst: &mut [[u8; 64]]) {
    let mut rest = src;
    for dst in dst {
        let now = rest.split_off(..rest.len().min(64)).unwrap_or_default();
        store(dst, load_part(now));
    }
}

/// Copies as many octets as `dst` has.
#[inline]
#[target_feature(enable = "avx512cd,avx512vbmi,avx512vbmi2,avx512vl,gfni,bmi1,bmi2,lzcnt,popcnt")]
fn copy(src: &[u8], dst: &mut [u8]) {
    for (src, dst) in src.chunks(64).zip(dst.chunks_mut(64)) {
        store_part(dst, load_part(src));
    }
}

/// [`convert`], with the same closure for both kinds of block.
macro_rules! by_blocks {
    ($src:expr, $dst:expr, $shape:expr, $block:expr, $finish:expr $(,)?) => {
        $crate::arch::x86_64::avx512::blocks::convert($src, $dst, $shape, $block, $block, $finish)
    };
}
pub(super) use by_blocks;
