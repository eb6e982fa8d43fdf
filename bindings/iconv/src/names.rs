//! The names of charsets, for `iconvlist` and `iconv_canonicalize` of libiconv.

use std::ffi::{CStr, CString, c_char, c_int, c_uint, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;
use std::sync::OnceLock;

use utfall_iconv::{Charset, Code};

/// The names of each charset, which live as long as the program.
fn all() -> &'static [Vec<CString>] {
    static ALL: OnceLock<Vec<Vec<CString>>> = OnceLock::new();
    ALL.get_or_init(|| {
        let names = |charset: Charset| {
            let names = [charset.name()].into_iter().chain(charset.other_names());
            names.filter_map(|name| CString::new(name).ok()).collect()
        };
        Charset::all().map(names).collect()
    })
}

/// Calls `function` for each charset, with the number of its names, the names, and `data`, until it
/// returns another number than 0.
///
/// # Safety
/// `function` can be called with these arguments, and does not unwind.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utfall_iconv_names(
    function: Option<unsafe extern "C" fn(c_uint, *const *const c_char, *mut c_void) -> c_int>,
    data: *mut c_void,
) {
    let Some(function) = function else { return };
    let Ok(charsets) = catch_unwind(all) else { return };
    for names in charsets {
        let pointers: Vec<*const c_char> = names.iter().map(|name| name.as_ptr()).collect();
        // SAFETY: as above.
        let status = unsafe { function(pointers.len() as c_uint, pointers.as_ptr(), data) };
        if status != 0 {
            return;
        }
    }
}

/// The main name of a charset, or NULL if it is unknown. The name lives as long as the program.
///
/// # Safety
/// Each argument is NULL or a string that ends with a NUL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utfall_iconv_canonical(
    name: *const c_char,
    locale: *const c_char,
) -> *const c_char {
    if name.is_null() {
        return ptr::null();
    }
    // SAFETY: as above.
    let (name, locale) = unsafe {
        let locale = if locale.is_null() { c"UTF-8" } else { CStr::from_ptr(locale) };
        (CStr::from_ptr(name).to_str(), locale.to_str())
    };
    let (Ok(name), Ok(locale)) = (name, locale) else { return ptr::null() };
    let found = catch_unwind(AssertUnwindSafe(|| {
        let charset = Code::parse(name, locale).ok()?.charset;
        let names = all().iter().find(|names| names[0].as_bytes() == charset.name().as_bytes())?;
        Some(names[0].as_ptr())
    }));
    found.ok().flatten().unwrap_or(ptr::null())
}
