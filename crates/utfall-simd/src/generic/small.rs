//! Shorter replacements for some vector kernels, in the modules of `bindings/js`: browsers download
//! these, so they must be small.

use crate::arch::scalar::{Source, Target, Utf8, lossy_by};
use crate::kernels::Lossy;
use crate::simd::{Simd, Vector as _};

type Convert = fn(&[u8], &mut [u8]) -> (usize, usize);

/// The shortest distance between errors, in bytes, for which starting a kernel is worthwhile.
const CLOSE: usize = 128;

/// A lossy conversion by `strict`, or by `few` where errors are close: it is faster for a few bytes.
#[inline(always)]
pub(crate) fn lossy<S: Source, T: Target>(
    src: &[u8],
    dst: &mut [u8],
    few: Convert,
    strict: Convert,
) -> Lossy {
    let mut is_damaged = false;
    lossy_by::<S, T>(src, dst, |src, dst| {
        let mut done = (0, 0);
        if is_damaged {
            let end = src.len().min(CLOSE);
            done = few(&src[..end], dst);
            // In the last three bytes, `few` may have stopped at a character that `end` cuts.
            if done.0 + 3 < end {
                return done;
            }
        }
        let (read, written) = strict(&src[done.0..], &mut dst[done.1..]);
        is_damaged = read < CLOSE;
        (done.0 + read, done.1 + written)
    })
}

/// The code units of the lossy conversion of UTF-8: `units` counts those of a well-formed prefix,
/// whose length `prefix` returns.
#[inline(always)]
pub(crate) fn sum_lossy(
    src: &[u8],
    prefix: fn(&[u8]) -> usize,
    units: impl Fn(&[u8]) -> usize,
) -> usize {
    let (mut read, mut total) = (0, 0);
    while read < src.len() {
        let sound = prefix(&src[read..]);
        total += units(&src[read..read + sound]);
        read += sound;
        while read < src.len() && Utf8::next(&src[read..]).is_none() {
            read += Utf8::ill_formed(&src[read..]).unwrap_or(src.len() - read);
            total += 1;
        }
    }
    total
}

/// The bytes of a piece, which stays in the first-level cache.
const PIECE: usize = 2048;

/// Converts text whose units of `N` bytes are in the other byte order than `convert` takes.
#[inline(never)]
pub(crate) fn from_swapped<S: Simd, const N: usize>(
    simd: S,
    src: &[u8],
    dst: &mut [u8],
    convert: Convert,
) -> (usize, usize) {
    let mut buffer = [0; PIECE];
    let (mut read, mut written) = (0, 0);
    loop {
        let end = src.len().min(read + PIECE);
        let piece = &mut buffer[..end - read];
        piece.copy_from_slice(&src[read..end]);
        swap::<S, N>(simd, piece);
        let (more, length) = convert(piece, &mut dst[written..]);
        read += more;
        written += length;
        // A pair of surrogates may be split between two pieces.
        if more == 0 || read == src.len() {
            return (read, written);
        }
    }
}

/// Converts text to units of `N` bytes in the other byte order than `convert` writes.
#[inline(never)]
pub(crate) fn to_swapped<S: Simd, const N: usize>(
    simd: S,
    src: &[u8],
    dst: &mut [u8],
    convert: Convert,
) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    loop {
        let end = src.len().min(read + PIECE);
        let (more, length) = convert(&src[read..end], &mut dst[written..]);
        swap::<S, N>(simd, &mut dst[written..written + length]);
        read += more;
        written += length;
        // A character may be split between two pieces.
        if more == 0 || read == src.len() {
            return (read, written);
        }
    }
}

/// Changes the byte order of units of two or four bytes.
#[inline(always)]
fn swap<S: Simd, const N: usize>(simd: S, bytes: &mut [u8]) {
    let mut vectors = bytes.chunks_exact_mut(S::Vector::BYTES);
    for vector in &mut vectors {
        let units = simd.load(vector);
        (if N == 2 { units.swap16() } else { units.swap32() }).store(vector);
    }
    vectors.into_remainder().chunks_exact_mut(N).for_each(<[u8]>::reverse);
}
