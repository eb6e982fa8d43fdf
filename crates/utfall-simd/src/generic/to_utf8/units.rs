//! The units that are converted.

use super::super::{utf16, utf32};
use crate::arch::scalar::{Latin1, Source, Utf16, Utf32};
use crate::simd::{Simd, Vector};

/// Text that is converted in vectors of 16-bit units.
pub(crate) trait Units: Source + Sized {
    /// Bytes of a unit.
    const UNIT: usize;
    /// The units at the start of `src`, as many as a vector has bytes. The first two vectors are
    /// meaningless for units above U+FFFF, which set a bit in the third.
    fn block<S: Simd>(simd: S, src: &[u8]) -> (S::Vector, S::Vector, S::Vector);
    /// Half as many units, in the same way.
    fn half_block<S: Simd>(simd: S, src: &[u8]) -> (S::Vector, S::Vector);
    /// The same units, if they have 32 bits: the vector with this number of four.
    fn scalars<S: Simd>(simd: S, src: &[u8], number: usize) -> S::Vector;
    /// The units before and after each unit of a vector at `at`; U+0000 before the text.
    fn around<S: Simd>(simd: S, src: &[u8], at: usize) -> (S::Vector, S::Vector);
}

impl Units for Latin1 {
    const UNIT: usize = 1;

    #[inline(always)]
    fn block<S: Simd>(simd: S, src: &[u8]) -> (S::Vector, S::Vector, S::Vector) {
        let half = S::Vector::BYTES / 2;
        (simd.load_widened16(src), simd.load_widened16(&src[half..]), simd.zero())
    }

    #[inline(always)]
    fn half_block<S: Simd>(simd: S, src: &[u8]) -> (S::Vector, S::Vector) {
        (simd.load_widened16(src), simd.zero())
    }

    #[inline(always)]
    fn scalars<S: Simd>(simd: S, _: &[u8], _: usize) -> S::Vector {
        simd.zero()
    }

    #[inline(always)]
    fn around<S: Simd>(simd: S, _: &[u8], _: usize) -> (S::Vector, S::Vector) {
        (simd.zero(), simd.zero())
    }
}

impl<const LE: bool> Units for Utf16<LE> {
    const UNIT: usize = 2;

    #[inline(always)]
    fn block<S: Simd>(simd: S, src: &[u8]) -> (S::Vector, S::Vector, S::Vector) {
        let b = utf16::load::<S, LE>(simd, &src[S::Vector::BYTES..]);
        (utf16::load::<S, LE>(simd, src), b, simd.zero())
    }

    #[inline(always)]
    fn half_block<S: Simd>(simd: S, src: &[u8]) -> (S::Vector, S::Vector) {
        (utf16::load::<S, LE>(simd, src), simd.zero())
    }

    #[inline(always)]
    fn scalars<S: Simd>(simd: S, _: &[u8], _: usize) -> S::Vector {
        simd.zero()
    }

    #[inline(always)]
    fn around<S: Simd>(simd: S, src: &[u8], at: usize) -> (S::Vector, S::Vector) {
        (load_before::<S, LE>(simd, src, at), load_after::<S, LE>(simd, src, at))
    }
}

impl<const LE: bool> Units for Utf32<LE> {
    const UNIT: usize = 4;

    #[inline(always)]
    fn block<S: Simd>(simd: S, src: &[u8]) -> (S::Vector, S::Vector, S::Vector) {
        let a = Self::scalars(simd, src, 0);
        let b = Self::scalars(simd, src, 1);
        let c = Self::scalars(simd, src, 2);
        let d = Self::scalars(simd, src, 3);
        let above = a.or(b).or(c.or(d)).and(simd.splat32(0xFFFF_0000));
        (a.narrow32(b), c.narrow32(d), above)
    }

    #[inline(always)]
    fn half_block<S: Simd>(simd: S, src: &[u8]) -> (S::Vector, S::Vector) {
        let a = Self::scalars(simd, src, 0);
        let b = Self::scalars(simd, src, 1);
        (a.narrow32(b), a.or(b).and(simd.splat32(0xFFFF_0000)))
    }

    #[inline(always)]
    fn scalars<S: Simd>(simd: S, src: &[u8], number: usize) -> S::Vector {
        utf32::load::<S, LE>(simd, &src[number * S::Vector::BYTES..])
    }

    #[inline(always)]
    fn around<S: Simd>(simd: S, _: &[u8], _: usize) -> (S::Vector, S::Vector) {
        (simd.zero(), simd.zero())
    }
}

/// The units before each unit of a vector at `at`; U+0000 before the text.
#[inline(always)]
fn load_before<S: Simd, const LE: bool>(simd: S, src: &[u8], at: usize) -> S::Vector {
    let bytes = S::Vector::BYTES;
    if at >= 2 {
        return utf16::load::<S, LE>(simd, &src[at - 2..]);
    }
    let mut units = [0; 2 + 32];
    units[2..2 + bytes].copy_from_slice(&src[..bytes]);
    utf16::load::<S, LE>(simd, &units)
}

/// The units after each unit of a vector at `at`; U+0000 after the text.
#[inline(always)]
fn load_after<S: Simd, const LE: bool>(simd: S, src: &[u8], at: usize) -> S::Vector {
    let bytes = S::Vector::BYTES;
    if src.len() >= at + 2 + bytes {
        return utf16::load::<S, LE>(simd, &src[at + 2..]);
    }
    let mut units = [0; 32 + 2];
    units[..bytes].copy_from_slice(&src[at..at + bytes]);
    utf16::load::<S, LE>(simd, &units[2..])
}
