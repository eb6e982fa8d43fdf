//! UTF-8, UTF-16, UTF-32 and Latin-1 in memory, with typed pointers. Code units have the byte order of the
//! machine, and U+FEFF is a character.

use std::ffi::c_char;

use utfall::Encoding;

use crate::arguments::{input, output, store};
use crate::convert::{self, report, utfall_progress};
use crate::errors::{UTFALL_BUG, UTFALL_INVALID_ARGUMENT, utfall_error, utfall_status};
use crate::guard::guard;
use crate::options::Checked;

const IS_BIG: bool = cfg!(target_endian = "big");
const UTF16: Encoding = if IS_BIG { Encoding::Utf16Be } else { Encoding::Utf16Le };
const UTF32: Encoding = if IS_BIG { Encoding::Utf32Be } else { Encoding::Utf32Le };

/// Code units as bytes.
///
/// # Safety
/// As [`input`]; `T` must be an integer.
unsafe fn units<'a, T>(text: *const T, length: usize) -> Option<&'a [u8]> {
    // SAFETY: the same contract.
    let units = unsafe { input(text, length) }?;
    // SAFETY: integers have no padding, and every byte is valid.
    Some(unsafe { std::slice::from_raw_parts(units.as_ptr().cast(), size_of_val(units)) })
}

/// Space for code units as bytes.
///
/// # Safety
/// As [`output`]; `T` must be an integer.
unsafe fn units_mut<'a, T>(out: *mut T, capacity: usize) -> Option<&'a mut [u8]> {
    // SAFETY: the same contract.
    let units = unsafe { output(out, capacity) }?;
    let size = size_of_val(units);
    // SAFETY: integers have no padding, and every byte is valid.
    Some(unsafe { std::slice::from_raw_parts_mut(units.as_mut_ptr().cast(), size) })
}

/// # Safety
/// As the functions below.
#[inline]
unsafe fn validate<T>(
    encoding: Encoding,
    (text, length): (*const T, usize),
    error: *mut utfall_error,
) -> utfall_status {
    guard(UTFALL_BUG, || {
        // SAFETY: the caller passes a text of this length.
        let Some(text) = (unsafe { units(text, length) }) else { return UTFALL_INVALID_ARGUMENT };
        let result = convert::validate(encoding, text).map_err(in_units::<T>);
        // SAFETY: the caller passes NULL or a place for the error.
        unsafe { report(result, error) }
    })
}

/// # Safety
/// As the functions below.
#[inline]
unsafe fn transcode<T, U>(
    encodings: (Encoding, Encoding),
    (text, length): (*const T, usize),
    (out, capacity): (*mut U, usize),
) -> utfall_progress {
    guard(utfall_progress::with_status(UTFALL_BUG), || {
        // SAFETY: the caller passes a text of this length and a buffer of this size.
        let (text, out) = unsafe { (units(text, length), units_mut(out, capacity)) };
        let (Some(text), Some(out)) = (text, out) else {
            return utfall_progress::with_status(UTFALL_INVALID_ARGUMENT);
        };
        let progress = convert::transcode(encodings, &Checked::STRICT, text, out);
        utfall_progress {
            read: progress.read / size_of::<T>(),
            written: progress.written / size_of::<U>(),
            error: in_units::<T>(progress.error),
            status: progress.status,
        }
    })
}

/// # Safety
/// As the functions below.
#[inline]
unsafe fn length<T, U>(
    encodings: (Encoding, Encoding),
    (text, length): (*const T, usize),
    result: *mut usize,
    error: *mut utfall_error,
) -> utfall_status {
    guard(UTFALL_BUG, || {
        // SAFETY: the caller passes a text of this length.
        let (Some(text), false) = (unsafe { units(text, length) }, result.is_null()) else {
            return UTFALL_INVALID_ARGUMENT;
        };
        let found = convert::length(encodings, &Checked::STRICT, text);
        // SAFETY: the caller passes places for the length and the error.
        unsafe {
            store(result, found.unwrap_or_default() / size_of::<U>());
            report(found.map_err(in_units::<T>), error)
        }
    })
}

/// An error in bytes, in units of a type.
fn in_units<T>(error: utfall_error) -> utfall_error {
    let size = size_of::<T>() as u32;
    utfall_error { offset: error.offset / u64::from(size), length: error.length / size, ..error }
}

/// Checks whether a text is valid UTF-8.
///
/// @param text the text; may be NULL if `length` is 0.
/// @param length its length in bytes.
/// @param error receives the first error, in bytes, or zeros; may be NULL.
/// @return UTFALL_OK if it is valid, else UTFALL_INVALID_TEXT; UTFALL_INVALID_ARGUMENT or UTFALL_BUG.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utfall_utf8_validate(
    text: *const c_char,
    length: usize,
    error: *mut utfall_error,
) -> utfall_status {
    // SAFETY: the same contract.
    unsafe { validate(Encoding::Utf8, (text, length), error) }
}

/// Checks whether a text is valid UTF-16.
///
/// @param text the text; may be NULL if `length` is 0.
/// @param length its length in code units.
/// @param error receives the first error, in code units, or zeros; may be NULL.
/// @return UTFALL_OK if it is valid, else UTFALL_INVALID_TEXT; UTFALL_INVALID_ARGUMENT or UTFALL_BUG.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utfall_utf16_validate(
    text: *const u16,
    length: usize,
    error: *mut utfall_error,
) -> utfall_status {
    // SAFETY: the same contract.
    unsafe { validate(UTF16, (text, length), error) }
}

/// Checks whether a text is valid UTF-32.
///
/// @param text the text; may be NULL if `length` is 0.
/// @param length its length in code points.
/// @param error receives the first error, in code points, or zeros; may be NULL.
/// @return UTFALL_OK if it is valid, else UTFALL_INVALID_TEXT; UTFALL_INVALID_ARGUMENT or UTFALL_BUG.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utfall_utf32_validate(
    text: *const u32,
    length: usize,
    error: *mut utfall_error,
) -> utfall_status {
    // SAFETY: the same contract.
    unsafe { validate(UTF32, (text, length), error) }
}

/// Converts UTF-8 to UTF-16, strictly.
///
/// @param text the text; may be NULL if `length` is 0.
/// @param length its length in bytes.
/// @param out the caller's buffer, which must not overlap the text; may be NULL if `capacity` is 0.
/// @param capacity its size in code units.
/// @return the bytes read, the code units written, the status, and the error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utfall_utf8_to_utf16(
    text: *const c_char,
    length: usize,
    out: *mut u16,
    capacity: usize,
) -> utfall_progress {
    // SAFETY: the same contract.
    unsafe { transcode((Encoding::Utf8, UTF16), (text, length), (out, capacity)) }
}

/// Computes the exact length of UTF-8 converted to UTF-16.
///
/// @param text the text; may be NULL if `length` is 0.
/// @param length its length in bytes.
/// @param result receives the length of the output in code units, 0 after an error; must not be NULL.
/// @param error receives the first error, in bytes, or zeros; may be NULL.
/// @return UTFALL_OK, UTFALL_INVALID_TEXT, UTFALL_INVALID_ARGUMENT or UTFALL_BUG.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utfall_utf8_to_utf16_length(
    text: *const c_char,
    length: usize,
    result: *mut usize,
    error: *mut utfall_error,
) -> utfall_status {
    // SAFETY: the same contract.
    unsafe { self::length::<c_char, u16>((Encoding::Utf8, UTF16), (text, length), result, error) }
}

/// Converts UTF-8 to UTF-32, strictly.
///
/// @param text the text; may be NULL if `length` is 0.
/// @param length its length in bytes.
/// @param out the caller's buffer, which must not overlap the text; may be NULL if `capacity` is 0.
/// @param capacity its size in code points.
/// @return the bytes read, the code points written, the status, and the error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utfall_utf8_to_utf32(
    text: *const c_char,
    length: usize,
    out: *mut u32,
    capacity: usize,
) -> utfall_progress {
    // SAFETY: the same contract.
    unsafe { transcode((Encoding::Utf8, UTF32), (text, length), (out, capacity)) }
}

/// Computes the exact length of UTF-8 converted to UTF-32.
///
/// @param text the text; may be NULL if `length` is 0.
/// @param length its length in bytes.
/// @param result receives the length of the output in code points, 0 after an error; must not be NULL.
/// @param error receives the first error, in bytes, or zeros; may be NULL.
/// @return UTFALL_OK, UTFALL_INVALID_TEXT, UTFALL_INVALID_ARGUMENT or UTFALL_BUG.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utfall_utf8_to_utf32_length(
    text: *const c_char,
    length: usize,
    result: *mut usize,
    error: *mut utfall_error,
) -> utfall_status {
    // SAFETY: the same contract.
    unsafe { self::length::<c_char, u32>((Encoding::Utf8, UTF32), (text, length), result, error) }
}

/// Converts UTF-8 to Latin-1, strictly.
///
/// @param text the text; may be NULL if `length` is 0.
/// @param length its length in bytes.
/// @param out the caller's buffer, which must not overlap the text; may be NULL if `capacity` is 0.
/// @param capacity its size in bytes.
/// @return the bytes read, the bytes written, the status, and the error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utfall_utf8_to_latin1(
    text: *const c_char,
    length: usize,
    out: *mut c_char,
    capacity: usize,
) -> utfall_progress {
    // SAFETY: the same contract.
    unsafe { transcode((Encoding::Utf8, Encoding::Iso8859_1), (text, length), (out, capacity)) }
}

/// Computes the exact length of UTF-8 converted to Latin-1.
///
/// @param text the text; may be NULL if `length` is 0.
/// @param length its length in bytes.
/// @param result receives the length of the output in bytes, 0 after an error; must not be NULL.
/// @param error receives the first error, in bytes, or zeros; may be NULL.
/// @return UTFALL_OK, UTFALL_INVALID_TEXT, UTFALL_INVALID_ARGUMENT or UTFALL_BUG.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utfall_utf8_to_latin1_length(
    text: *const c_char,
    length: usize,
    result: *mut usize,
    error: *mut utfall_error,
) -> utfall_status {
    // SAFETY: the same contract.
    unsafe {
        self::length::<c_char, c_char>(
            (Encoding::Utf8, Encoding::Iso8859_1),
            (text, length),
            result,
            error,
        )
    }
}

/// Converts UTF-16 to UTF-8, strictly.
///
/// @param text the text; may be NULL if `length` is 0.
/// @param length its length in code units.
/// @param out the caller's buffer, which must not overlap the text; may be NULL if `capacity` is 0.
/// @param capacity its size in bytes.
/// @return the code units read, the bytes written, the status, and the error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utfall_utf16_to_utf8(
    text: *const u16,
    length: usize,
    out: *mut c_char,
    capacity: usize,
) -> utfall_progress {
    // SAFETY: the same contract.
    unsafe { transcode((UTF16, Encoding::Utf8), (text, length), (out, capacity)) }
}

/// Computes the exact length of UTF-16 converted to UTF-8.
///
/// @param text the text; may be NULL if `length` is 0.
/// @param length its length in code units.
/// @param result receives the length of the output in bytes, 0 after an error; must not be NULL.
/// @param error receives the first error, in code units, or zeros; may be NULL.
/// @return UTFALL_OK, UTFALL_INVALID_TEXT, UTFALL_INVALID_ARGUMENT or UTFALL_BUG.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utfall_utf16_to_utf8_length(
    text: *const u16,
    length: usize,
    result: *mut usize,
    error: *mut utfall_error,
) -> utfall_status {
    // SAFETY: the same contract.
    unsafe { self::length::<u16, c_char>((UTF16, Encoding::Utf8), (text, length), result, error) }
}

/// Converts UTF-16 to UTF-32, strictly.
///
/// @param text the text; may be NULL if `length` is 0.
/// @param length its length in code units.
/// @param out the caller's buffer, which must not overlap the text; may be NULL if `capacity` is 0.
/// @param capacity its size in code points.
/// @return the code units read, the code points written, the status, and the error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utfall_utf16_to_utf32(
    text: *const u16,
    length: usize,
    out: *mut u32,
    capacity: usize,
) -> utfall_progress {
    // SAFETY: the same contract.
    unsafe { transcode((UTF16, UTF32), (text, length), (out, capacity)) }
}

/// Computes the exact length of UTF-16 converted to UTF-32.
///
/// @param text the text; may be NULL if `length` is 0.
/// @param length its length in code units.
/// @param result receives the length of the output in code points, 0 after an error; must not be NULL.
/// @param error receives the first error, in code units, or zeros; may be NULL.
/// @return UTFALL_OK, UTFALL_INVALID_TEXT, UTFALL_INVALID_ARGUMENT or UTFALL_BUG.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utfall_utf16_to_utf32_length(
    text: *const u16,
    length: usize,
    result: *mut usize,
    error: *mut utfall_error,
) -> utfall_status {
    // SAFETY: the same contract.
    unsafe { self::length::<u16, u32>((UTF16, UTF32), (text, length), result, error) }
}

/// Converts UTF-16 to Latin-1, strictly.
///
/// @param text the text; may be NULL if `length` is 0.
/// @param length its length in code units.
/// @param out the caller's buffer, which must not overlap the text; may be NULL if `capacity` is 0.
/// @param capacity its size in bytes.
/// @return the code units read, the bytes written, the status, and the error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utfall_utf16_to_latin1(
    text: *const u16,
    length: usize,
    out: *mut c_char,
    capacity: usize,
) -> utfall_progress {
    // SAFETY: the same contract.
    unsafe { transcode((UTF16, Encoding::Iso8859_1), (text, length), (out, capacity)) }
}

/// Computes the exact length of UTF-16 converted to Latin-1.
///
/// @param text the text; may be NULL if `length` is 0.
/// @param length its length in code units.
/// @param result receives the length of the output in bytes, 0 after an error; must not be NULL.
/// @param error receives the first error, in code units, or zeros; may be NULL.
/// @return UTFALL_OK, UTFALL_INVALID_TEXT, UTFALL_INVALID_ARGUMENT or UTFALL_BUG.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utfall_utf16_to_latin1_length(
    text: *const u16,
    length: usize,
    result: *mut usize,
    error: *mut utfall_error,
) -> utfall_status {
    // SAFETY: the same contract.
    unsafe {
        self::length::<u16, c_char>((UTF16, Encoding::Iso8859_1), (text, length), result, error)
    }
}

/// Converts UTF-32 to UTF-8, strictly.
///
/// @param text the text; may be NULL if `length` is 0.
/// @param length its length in code points.
/// @param out the caller's buffer, which must not overlap the text; may be NULL if `capacity` is 0.
/// @param capacity its size in bytes.
/// @return the code points read, the bytes written, the status, and the error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utfall_utf32_to_utf8(
    text: *const u32,
    length: usize,
    out: *mut c_char,
    capacity: usize,
) -> utfall_progress {
    // SAFETY: the same contract.
    unsafe { transcode((UTF32, Encoding::Utf8), (text, length), (out, capacity)) }
}

/// Computes the exact length of UTF-32 converted to UTF-8.
///
/// @param text the text; may be NULL if `length` is 0.
/// @param length its length in code points.
/// @param result receives the length of the output in bytes, 0 after an error; must not be NULL.
/// @param error receives the first error, in code points, or zeros; may be NULL.
/// @return UTFALL_OK, UTFALL_INVALID_TEXT, UTFALL_INVALID_ARGUMENT or UTFALL_BUG.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utfall_utf32_to_utf8_length(
    text: *const u32,
    length: usize,
    result: *mut usize,
    error: *mut utfall_error,
) -> utfall_status {
    // SAFETY: the same contract.
    unsafe { self::length::<u32, c_char>((UTF32, Encoding::Utf8), (text, length), result, error) }
}

/// Converts UTF-32 to UTF-16, strictly.
///
/// @param text the text; may be NULL if `length` is 0.
/// @param length its length in code points.
/// @param out the caller's buffer, which must not overlap the text; may be NULL if `capacity` is 0.
/// @param capacity its size in code units.
/// @return the code points read, the code units written, the status, and the error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utfall_utf32_to_utf16(
    text: *const u32,
    length: usize,
    out: *mut u16,
    capacity: usize,
) -> utfall_progress {
    // SAFETY: the same contract.
    unsafe { transcode((UTF32, UTF16), (text, length), (out, capacity)) }
}

/// Computes the exact length of UTF-32 converted to UTF-16.
///
/// @param text the text; may be NULL if `length` is 0.
/// @param length its length in code points.
/// @param result receives the length of the output in code units, 0 after an error; must not be NULL.
/// @param error receives the first error, in code points, or zeros; may be NULL.
/// @return UTFALL_OK, UTFALL_INVALID_TEXT, UTFALL_INVALID_ARGUMENT or UTFALL_BUG.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utfall_utf32_to_utf16_length(
    text: *const u32,
    length: usize,
    result: *mut usize,
    error: *mut utfall_error,
) -> utfall_status {
    // SAFETY: the same contract.
    unsafe { self::length::<u32, u16>((UTF32, UTF16), (text, length), result, error) }
}

/// Converts UTF-32 to Latin-1, strictly.
///
/// @param text the text; may be NULL if `length` is 0.
/// @param length its length in code points.
/// @param out the caller's buffer, which must not overlap the text; may be NULL if `capacity` is 0.
/// @param capacity its size in bytes.
/// @return the code points read, the bytes written, the status, and the error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utfall_utf32_to_latin1(
    text: *const u32,
    length: usize,
    out: *mut c_char,
    capacity: usize,
) -> utfall_progress {
    // SAFETY: the same contract.
    unsafe { transcode((UTF32, Encoding::Iso8859_1), (text, length), (out, capacity)) }
}

/// Computes the exact length of UTF-32 converted to Latin-1.
///
/// @param text the text; may be NULL if `length` is 0.
/// @param length its length in code points.
/// @param result receives the length of the output in bytes, 0 after an error; must not be NULL.
/// @param error receives the first error, in code points, or zeros; may be NULL.
/// @return UTFALL_OK, UTFALL_INVALID_TEXT, UTFALL_INVALID_ARGUMENT or UTFALL_BUG.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utfall_utf32_to_latin1_length(
    text: *const u32,
    length: usize,
    result: *mut usize,
    error: *mut utfall_error,
) -> utfall_status {
    // SAFETY: the same contract.
    unsafe {
        self::length::<u32, c_char>((UTF32, Encoding::Iso8859_1), (text, length), result, error)
    }
}

/// Converts Latin-1 to UTF-8, strictly.
///
/// @param text the text; may be NULL if `length` is 0.
/// @param length its length in bytes.
/// @param out the caller's buffer, which must not overlap the text; may be NULL if `capacity` is 0.
/// @param capacity its size in bytes.
/// @return the bytes read, the bytes written, the status, and the error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utfall_latin1_to_utf8(
    text: *const c_char,
    length: usize,
    out: *mut c_char,
    capacity: usize,
) -> utfall_progress {
    // SAFETY: the same contract.
    unsafe { transcode((Encoding::Iso8859_1, Encoding::Utf8), (text, length), (out, capacity)) }
}

/// Computes the exact length of Latin-1 converted to UTF-8.
///
/// @param text the text; may be NULL if `length` is 0.
/// @param length its length in bytes.
/// @param result receives the length of the output in bytes, 0 after an error; must not be NULL.
/// @param error receives the first error, in bytes, or zeros; may be NULL.
/// @return UTFALL_OK, UTFALL_INVALID_TEXT, UTFALL_INVALID_ARGUMENT or UTFALL_BUG.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utfall_latin1_to_utf8_length(
    text: *const c_char,
    length: usize,
    result: *mut usize,
    error: *mut utfall_error,
) -> utfall_status {
    // SAFETY: the same contract.
    unsafe {
        self::length::<c_char, c_char>(
            (Encoding::Iso8859_1, Encoding::Utf8),
            (text, length),
            result,
            error,
        )
    }
}

/// Converts Latin-1 to UTF-16, strictly.
///
/// @param text the text; may be NULL if `length` is 0.
/// @param length its length in bytes.
/// @param out the caller's buffer, which must not overlap the text; may be NULL if `capacity` is 0.
/// @param capacity its size in code units.
/// @return the bytes read, the code units written, the status, and the error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utfall_latin1_to_utf16(
    text: *const c_char,
    length: usize,
    out: *mut u16,
    capacity: usize,
) -> utfall_progress {
    // SAFETY: the same contract.
    unsafe { transcode((Encoding::Iso8859_1, UTF16), (text, length), (out, capacity)) }
}

/// Computes the exact length of Latin-1 converted to UTF-16.
///
/// @param text the text; may be NULL if `length` is 0.
/// @param length its length in bytes.
/// @param result receives the length of the output in code units, 0 after an error; must not be NULL.
/// @param error receives the first error, in bytes, or zeros; may be NULL.
/// @return UTFALL_OK, UTFALL_INVALID_TEXT, UTFALL_INVALID_ARGUMENT or UTFALL_BUG.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utfall_latin1_to_utf16_length(
    text: *const c_char,
    length: usize,
    result: *mut usize,
    error: *mut utfall_error,
) -> utfall_status {
    // SAFETY: the same contract.
    unsafe {
        self::length::<c_char, u16>((Encoding::Iso8859_1, UTF16), (text, length), result, error)
    }
}

/// Converts Latin-1 to UTF-32, strictly.
///
/// @param text the text; may be NULL if `length` is 0.
/// @param length its length in bytes.
/// @param out the caller's buffer, which must not overlap the text; may be NULL if `capacity` is 0.
/// @param capacity its size in code points.
/// @return the bytes read, the code points written, the status, and the error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utfall_latin1_to_utf32(
    text: *const c_char,
    length: usize,
    out: *mut u32,
    capacity: usize,
) -> utfall_progress {
    // SAFETY: the same contract.
    unsafe { transcode((Encoding::Iso8859_1, UTF32), (text, length), (out, capacity)) }
}

/// Computes the exact length of Latin-1 converted to UTF-32.
///
/// @param text the text; may be NULL if `length` is 0.
/// @param length its length in bytes.
/// @param result receives the length of the output in code points, 0 after an error; must not be NULL.
/// @param error receives the first error, in bytes, or zeros; may be NULL.
/// @return UTFALL_OK, UTFALL_INVALID_TEXT, UTFALL_INVALID_ARGUMENT or UTFALL_BUG.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utfall_latin1_to_utf32_length(
    text: *const c_char,
    length: usize,
    result: *mut usize,
    error: *mut utfall_error,
) -> utfall_status {
    // SAFETY: the same contract.
    unsafe {
        self::length::<c_char, u32>((Encoding::Iso8859_1, UTF32), (text, length), result, error)
    }
}
