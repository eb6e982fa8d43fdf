//! The loop over blocks of UTF-16, UTF-32 and Latin-1, and from UTF-8 to Latin-1.

use core::arch::x86_64::*;

use super::memory::{load, load_part, store, store_part};

/// Code units of one, two or four octets.
#[derive(Clone, Copy)]
pub(super) struct Unit {
    pub(super) octets: usize,
    pub(super) little_endian: bool,
}

impl Unit {
    pub(super) const ONE: Self = Self::new(1, true);
    pub(super) const NONE: Self = Self::new(0, true);

    pub(super) const fn new(octets: usize, little_endian: bool) -> Self {
        Self { octets, little_endian }
    }
}

/// What a block is made of. The octets before a block, `BEFORE` of them, belong to it as
/// context.
pub(super) struct Shape<const BEFORE: usize> {
    pub(super) units: &'static UnitPair,
    /// How much of `src` is the start of a sequence that has not ended.
    pub(super) incomplete: fn(&[u8]) -> usize,
    /// What such a start has already written.
    pub(super) begun: usize,
}

impl<const BEFORE: usize> Shape<BEFORE> {
    /// Of text without sequences of several units.
    #[inline(always)]
    pub(super) fn new(units: &'static UnitPair) -> Self {
        Self { units, incomplete: |_| 0, begun: 0 }
    }

    /// How much to convert before blocks begin, so that the output (if it is much shorter,
    /// the input) lies at 64 octets. An access across that takes twice the time, and where
    /// each unit becomes one unit, memory sets the pace.
    #[inline(always)]
    fn to_alignment(&self, src: &[u8], dst: &[u8]) -> usize {
        let UnitPair { unit, nul, .. } = *self.units;
        if src.len() < 1024 {
            0
        } else if 2 * nul >= unit {
            dst.as_ptr().addr().wrapping_neg() % 64 / nul * unit
        } else {
            src.as_ptr().addr().wrapping_neg() % 64 / unit * unit
        }
    }
}

/// The code units of input and output, and how 64 octets of ASCII become the other, as far as
/// that fills 64 octets.
pub(super) struct UnitPair {
    /// Octets of a unit of input, and of NUL in the output.
    unit: usize,
    nul: usize,
    /// The bits that ASCII does not have.
    beyond: [u8; 64],
    /// Where each octet comes from, and which ones do not stay zero.
    places: [u8; 64],
    mask: __mmask64,
}

impl UnitPair {
    /// Where nothing is written, `to` is of no octets.
    pub(super) const fn new(from: Unit, to: Unit) -> Self {
        const fn value_at(unit: Unit) -> usize {
            if unit.little_endian { 0 } else { unit.octets - 1 }
        }
        let (unit, nul) = (from.octets, to.octets);
        let mut units = Self { unit, nul, beyond: [0xFF; 64], places: [0; 64], mask: 0 };
        let mut index = 0;
        while index * unit < 64 {
            let place = index * unit + value_at(from);
            units.beyond[place] = 0x80;
            if nul > 0 && index * nul < 64 {
                let target = index * nul + value_at(to);
                units.places[target] = place as u8;
                units.mask |= 1 << target;
            }
            index += 1;
        }
        units
    }
}

/// Text of up to 64 octets, in and out, if all of it is ASCII. Such strings are too short for
/// blocks.
#[inline]
#[target_feature(enable = "avx512cd,avx512vbmi,avx512vbmi2,avx512vl,gfni,bmi1,bmi2,lzcnt,popcnt")]
fn short_ascii<const BEFORE: usize>(
    src: &[u8],
    dst: &mut [u8],
    shape: &Shape<BEFORE>,
) -> Option<(usize, usize)> {
    let UnitPair { unit, nul, beyond, places, mask } = shape.units;
    let octets = src.len() / unit * nul;
    if src.len() > 64 || octets > 64 || octets > dst.len() {
        return None;
    }
    let input = load_part(src);
    if _mm512_test_epi8_mask(input, load(beyond)) != 0 {
        return None;
    }
    let output = _mm512_maskz_permutexvar_epi8(*mask, load(places), input);
    store_part(&mut dst[..octets], output);
    Some((src.len(), octets))
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
    let unit = shape.units.unit;
    let mut src = &src[..src.len() - src.len() % unit];
    if src.len() >= 4 * unit
        && let Some(all) = short_ascii(src, dst, &shape)
    {
        return all;
    }
    if src.len() < 12 * unit {
        return finish(src, dst);
    }
    src = &src[..src.len() - (shape.incomplete)(src)];
    let (mut read, mut written) = (0, 0);
    let lead = match shape.to_alignment(src, dst) {
        0 if BEFORE > 0 => INPUT - BEFORE,
        octets => octets,
    };
    loop {
        if read >= lead {
            while let Some(input) = src[read - BEFORE..].first_chunk()
                && let Some(output) = dst[written..].first_chunk_mut()
                && let Ok(octets) = block(input, output)
            {
                read += INPUT - BEFORE;
                written += octets;
            }
        }
        if read >= src.len() {
            break;
        }
        let most = if read < lead { lead } else { INPUT - BEFORE };
        match short(
            &src[read.saturating_sub(BEFORE)..],
            read.min(BEFORE),
            most,
            &mut dst[written..],
            &shape,
            &mut short_block,
        ) {
            Short::Done { octets_read, octets_written } => {
                read += octets_read;
                written += octets_written;
            }
            // From here on as if the text ended where the error begins.
            Short::Error { sound } => {
                src = &src[..src.len().min(read + sound)];
                src = &src[..src.len() - (shape.incomplete)(src)];
            }
            Short::NoRoom => break,
        }
    }
    let begun = (shape.incomplete)(&src[..read.min(src.len())]) + read.saturating_sub(src.len());
    if begun > 0 {
        read -= begun;
        written -= shape.begun;
    }
    if read >= src.len() {
        return (read, written);
    }
    let (more_read, more_written) = finish(&src[read..], &mut dst[written..]);
    (read + more_read, written + more_written)
}

/// What became of a short block.
enum Short {
    Done { octets_read: usize, octets_written: usize },
    Error { sound: usize },
    NoRoom,
}

/// Converts at most `most` octets behind the first `before` of `src`, by way of a whole block
/// on the stack.
#[inline]
#[target_feature(enable = "avx512cd,avx512vbmi,avx512vbmi2,avx512vl,gfni,bmi1,bmi2,lzcnt,popcnt")]
fn short<const BEFORE: usize, const INPUT: usize, const OUTPUT: usize>(
    src: &[u8],
    before: usize,
    most: usize,
    dst: &mut [u8],
    shape: &Shape<BEFORE>,
    block: &mut impl FnMut(&[u8; INPUT], &mut [u8; OUTPUT]) -> Result<usize, usize>,
) -> Short {
    let whole = INPUT - BEFORE;
    let (mut input, mut output) = ([0; INPUT], [0; OUTPUT]);
    let (context, src) = src.split_at(before);
    let mut count = src.len().min(most);
    // What is cut in two would look wrong before the padding.
    if count < whole.min(src.len()) && (shape.incomplete)(&src[..count]) > 0 {
        count += shape.units.unit;
    }
    if before == BEFORE {
        input[..BEFORE].copy_from_slice(context);
    }
    pad(&src[..count], input[BEFORE..].as_chunks_mut().0);
    match block(&input, &mut output) {
        Ok(octets) => {
            let octets = octets - (whole - count) / shape.units.unit * shape.units.nul;
            let Some(dst) = dst.get_mut(..octets) else { return Short::NoRoom };
            copy(&output, dst);
            Short::Done { octets_read: count, octets_written: octets }
        }
        Err(sound) => Short::Error { sound },
    }
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
