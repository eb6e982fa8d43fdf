//! Code units as bytes, in native byte order.
//!
//! Kernels read and write bytes, so that one kernel serves both `[u16]` and UTF-16 in a file at
//! any alignment. These views bridge the two without a copy.

use crate::Layout;

/// UTF-16 in native byte order.
pub const NATIVE_UTF16: Layout =
    if cfg!(target_endian = "little") { Layout::Utf16Le } else { Layout::Utf16Be };

/// UTF-32 in native byte order.
pub const NATIVE_UTF32: Layout =
    if cfg!(target_endian = "little") { Layout::Utf32Le } else { Layout::Utf32Be };

/// A code unit of one, two or four bytes: `u8`, `u16` or `u32`. No other type can be one.
pub trait Unit: Copy + sealed::Integer {}
impl Unit for u8 {}
impl Unit for u16 {}
impl Unit for u32 {}

mod sealed {
    /// The types without padding, of which every bit pattern is a value. `unsafe` code relies on
    /// there being no others.
    pub trait Integer {}
    impl Integer for u8 {}
    impl Integer for u16 {}
    impl Integer for u32 {}
}

/// The bytes of `units`.
///
/// ```
/// assert_eq!(utfall_simd::units::bytes(&[0x263A_u16]), 0x263A_u16.to_ne_bytes());
/// ```
#[must_use]
pub fn bytes<U: Unit>(units: &[U]) -> &[u8] {
    // SAFETY: a `Unit` is an integer and has no padding, so all of its bytes are initialized; `u8` has alignment 1;
    // the length in bytes is that of the same slice.
    unsafe { core::slice::from_raw_parts(units.as_ptr().cast(), size_of_val(units)) }
}

/// The bytes of `units`, mutable.
///
/// ```
/// let mut units = [0_u32; 1];
/// utfall_simd::units::bytes_mut(&mut units).copy_from_slice(&7_u32.to_ne_bytes());
/// assert_eq!(units, [7]);
/// ```
#[must_use]
pub fn bytes_mut<U: Unit>(units: &mut [U]) -> &mut [u8] {
    // SAFETY: as in `bytes`; and every bit pattern written is a valid `Unit`.
    unsafe { core::slice::from_raw_parts_mut(units.as_mut_ptr().cast(), size_of_val(units)) }
}
