//! Strings built on the word of a kernel instead of a second validation.
//!
//! Only here may that be done: the kernels it relies on are compared with the oracle
//! over every sequence they can meet.

use crate::Kernels;

/// `octets` as a string, or the length of its well-formed prefix, in octets.
///
/// # Errors
/// If `octets` is not well-formed UTF-8 (RFC 3629 §4): how many octets from the start
/// are. The ill-formed sequence begins there.
///
/// ```
/// use utfall_simd::{dispatch, text};
/// assert_eq!(text::as_str(dispatch::active(), b"abc"), Ok("abc"));
/// assert_eq!(text::as_str(dispatch::active(), b"abc\xFFd"), Err(3));
/// ```
pub fn as_str<'a>(kernels: &Kernels, octets: &'a [u8]) -> Result<&'a str, usize> {
    let prefix = kernels.utf8_prefix(octets);
    if prefix == octets.len() {
        // SAFETY: `utf8_prefix` returns the length of a prefix that is well-formed
        // UTF-8, and that prefix is all of `octets`.
        Ok(unsafe { core::str::from_utf8_unchecked(octets) })
    } else {
        // The kernel may have stopped early; the standard library names the place.
        match core::str::from_utf8(&octets[prefix..]) {
            Ok(_) => as_str(crate::dispatch::scalar(), octets),
            Err(error) => Err(prefix + error.valid_up_to()),
        }
    }
}

/// `octets` as an owned string, or the octets back if they are not well-formed UTF-8.
///
/// # Errors
/// `octets`, unchanged.
///
/// ```
/// use utfall_simd::{dispatch, text};
/// assert_eq!(text::into_string(dispatch::active(), b"abc".to_vec()), Ok("abc".into()));
/// assert!(text::into_string(dispatch::active(), b"\xC0\x80".to_vec()).is_err());
/// ```
#[cfg(feature = "alloc")]
pub fn into_string(
    kernels: &Kernels,
    octets: alloc::vec::Vec<u8>,
) -> Result<alloc::string::String, alloc::vec::Vec<u8>> {
    if as_str(kernels, &octets).is_ok() {
        // SAFETY: `as_str` has just found all of `octets` well-formed.
        Ok(unsafe { alloc::string::String::from_utf8_unchecked(octets) })
    } else {
        Err(octets)
    }
}
