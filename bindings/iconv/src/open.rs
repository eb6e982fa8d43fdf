//! Opens and closes descriptors.

use std::ffi::{CStr, c_char};
use std::panic::catch_unwind;
use std::ptr;

use utfall_iconv::{Code, Descriptor, Rules};

/// A descriptor for a conversion, or NULL if a charset is unknown. The caller closes it with
/// [`utfall_iconv_close`].
///
/// `locale` is the charset that an empty name means; it is UTF-8 if NULL.
///
/// # Safety
/// Each argument is NULL or a string that ends with a NUL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utfall_iconv_open(
    to: *const c_char,
    from: *const c_char,
    locale: *const c_char,
) -> *mut Descriptor {
    // SAFETY: as above.
    let (to, from, locale) = unsafe { (text(to), text(from), text(locale)) };
    let opened = catch_unwind(|| open(to?, from?, locale.unwrap_or("UTF-8")));
    opened.ok().flatten().map_or(ptr::null_mut(), |descriptor| Box::into_raw(Box::new(descriptor)))
}

fn open(to: &str, from: &str, locale: &str) -> Option<Descriptor> {
    let parse = |code: &str| Code::parse(code, locale).ok();
    Descriptor::new(parse(from)?, parse(to)?, Rules::default())
}

/// # Safety
/// It is NULL, or a string that ends with a NUL and lives as long as the result.
unsafe fn text<'t>(text: *const c_char) -> Option<&'t str> {
    // SAFETY: as above.
    (!text.is_null()).then(|| unsafe { CStr::from_ptr(text) })?.to_str().ok()
}

/// Closes a descriptor. NULL is none.
///
/// # Safety
/// `descriptor` is NULL, or one of [`utfall_iconv_open`] that was not closed and is not used.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utfall_iconv_close(descriptor: *mut Descriptor) {
    if !descriptor.is_null() {
        // SAFETY: `utfall_iconv_open` made it of a box.
        let descriptor = unsafe { Box::from_raw(descriptor) };
        _ = catch_unwind(std::panic::AssertUnwindSafe(|| drop(descriptor)));
    }
}
