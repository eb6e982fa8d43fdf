//! The version.

use std::ffi::c_char;

/// The version of the library, such as `0.1.0`.
///
/// @return a constant string; never NULL.
#[unsafe(no_mangle)]
pub extern "C" fn utfall_version() -> *const c_char {
    const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), "\0");
    VERSION.as_ptr().cast()
}
