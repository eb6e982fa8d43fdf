//! The loop over blocks of UTF-16, UTF-32 and Latin-1, and from UTF-8 to Latin-1.

use core::arch::x86_64::*;

use super::memory::{load, load_part};

/// From this many bytes on, blocks are worth the branches between them and the rest.
pub(super) const LONG: usize = 1024;

featured!(
    /// Converts text of at most one register at once, if all of it can be converted.
    #[inline]
    pub(super) fn alone<const UNIT: usize>(
        src: &[u8],
        dst: &mut [u8],
        part: impl FnOnce(__m512i, usize, &mut [u8]) -> Option<(usize, usize)>,
    ) -> Option<(usize, usize)> {
        if src.len() > 64 || !src.len().is_multiple_of(UNIT) {
            return None;
        }
        let all = part(load_part(src), src.len(), dst)?;
        (all.0 == src.len()).then_some(all)
    }

    /// Converts text of more than one register and at most two without a loop, if all of it can be
    /// converted and the first register ends on a boundary.
    #[inline]
    pub(super) fn two<const UNIT: usize>(
        src: &[u8],
        dst: &mut [u8],
        register: impl FnOnce(__m512i, usize, &mut [u8]) -> Option<(usize, usize)>,
        part: impl FnOnce(__m512i, usize, &mut [u8]) -> Option<(usize, usize)>,
    ) -> Option<(usize, usize)> {
        let (one, two) = src.split_first_chunk()?;
        if two.len() > 64 || !two.len().is_multiple_of(UNIT) {
            return None;
        }
        let (read, written) = register(load(one), 64, dst)?;
        if read != 64 {
            return None;
        }
        let (read, more) = part(load_part(two), two.len(), &mut dst[written..])?;
        (read == two.len()).then_some((src.len(), written + more))
    }

    /// Converts register by register.
    #[inline(never)]
    pub(super) fn several<const UNIT: usize>(
        src: &[u8],
        dst: &mut [u8],
        mut register: impl FnMut(__m512i, usize, &mut [u8]) -> Option<(usize, usize)>,
        mut part: impl FnMut(__m512i, usize, &mut [u8]) -> Option<(usize, usize)>,
        finish: impl FnOnce(&[u8], &mut [u8]) -> (usize, usize),
    ) -> (usize, usize) {
        let (mut read, mut written) = (0, 0);
        while let Some(now) = src[read..].first_chunk()
            && let Some(more) = register(load(now), 64, &mut dst[written..])
        {
            read += more.0;
            written += more.1;
            // The rest is an error, or the first unit of a sequence.
            if 64 - more.0 > UNIT {
                return (read, written);
            }
        }
        loop {
            let rest = &src[read..];
            if rest.len() < UNIT {
                return (read, written);
            }
            let count = rest.len().min(64) / UNIT * UNIT;
            let dst = &mut dst[written..];
            let Some(more) = part(load_part(&rest[..count]), count, dst) else {
                let more = outlined(rest, dst, finish);
                return (read + more.0, written + more.1);
            };
            read += more.0;
            written += more.1;
            // A sequence may continue after a whole register.
            if count < 64 || 64 - more.0 > UNIT {
                return (read, written);
            }
        }
    }

    /// Converts block by block; `several` converts the text before and after the blocks.
    ///
    /// `incomplete` returns how many of the bytes read by blocks are the start of an incomplete
    /// sequence, one unit or none, and how many bytes were written for it.
    #[inline(never)]
    pub(super) fn long<
        const UNIT: usize,
        const NUL: usize,
        const BEFORE: usize,
        const INPUT: usize,
    >(
        src: &[u8],
        dst: &mut [u8],
        incomplete: impl Fn(&[u8]) -> (usize, usize),
        mut block: impl FnMut(&[u8; INPUT], &mut [u8]) -> Option<usize>,
        several: impl Fn(&[u8], &mut [u8]) -> (usize, usize),
    ) -> (usize, usize) {
        let lead = lead::<UNIT, NUL, BEFORE>(src, dst);
        let (mut read, mut written) = match lead {
            0 => (0, 0),
            _ => several(&src[..lead], dst),
        };
        if lead - read > UNIT {
            return (read, written);
        }
        while let Some(input) = src[read - BEFORE..].first_chunk()
            && let Some(bytes) = block(input, &mut dst[written..])
        {
            read += INPUT - BEFORE;
            written += bytes;
        }
        let begun = incomplete(&src[..read]);
        read -= begun.0;
        written -= begun.1;
        let more = several(&src[read..], &mut dst[written..]);
        (read + more.0, written + more.1)
    }
);

/// How many bytes to convert before the first block, so that there is context for it, and the
/// output (or the input, if the output is much shorter) is aligned to 64 bytes. An access across
/// that boundary takes twice the time, and where each unit becomes one unit, memory is the
/// bottleneck.
#[inline(always)]
fn lead<const UNIT: usize, const NUL: usize, const BEFORE: usize>(src: &[u8], dst: &[u8]) -> usize {
    let misplaced = if 2 * NUL >= UNIT {
        dst.as_ptr().addr().wrapping_neg() % 64 / NUL * UNIT
    } else {
        src.as_ptr().addr().wrapping_neg() % 64 / UNIT * UNIT
    };
    misplaced + if BEFORE == 0 { 0 } else { 64 }
}

/// Calls `finish`, keeping it out of the kernel's code.
#[cold]
#[inline(never)]
fn outlined(
    src: &[u8],
    dst: &mut [u8],
    finish: impl FnOnce(&[u8], &mut [u8]) -> (usize, usize),
) -> (usize, usize) {
    finish(src, dst)
}

/// Converts text.
///
/// `UNIT` and `NUL` are the number of bytes of a unit of input, and of NUL in the output. `NUL` is
/// 0 if nothing is written.
///
/// `block` gets bytes, the first `BEFORE` of which it has had before, as context. It returns the
/// number of bytes written, or `None` if there is an error or not enough space. For `incomplete`,
/// see [`long`].
///
/// `part` gets bytes that begin on a boundary, padded with zeros, and their number. It converts up
/// to the last boundary or the first error, using no more space than needed. It returns the bytes
/// read and written, or `None` if there is not enough space.
///
/// `finish` converts the text for which there was not enough space.
///
/// `part` is expanded at each place where it is called, so that it is inlined there.
macro_rules! convert {
    (
        $src:expr, $dst:expr, unit $unit:literal, nul $nul:literal, context $before:literal,
        $incomplete:expr, $block:expr, $part:expr, $finish:expr $(,)?
    ) => {{
        use $crate::arch::x86_64::avx512::blocks;
        let (src, dst): (&[u8], &mut [u8]) = ($src, $dst);
        let several =
            |src: &[u8], dst: &mut [u8]| blocks::several::<$unit>(src, dst, $part, $part, $finish);
        let short = match src.len() {
            0..=64 => blocks::alone::<$unit>(src, dst, $part),
            _ => blocks::two::<$unit>(src, dst, $part, $part),
        };
        match short {
            Some(all) => all,
            None if src.len() < blocks::LONG => several(src, dst),
            None => blocks::long::<$unit, $nul, $before, _>(src, dst, $incomplete, $block, several),
        }
    }};
}
pub(super) use convert;
