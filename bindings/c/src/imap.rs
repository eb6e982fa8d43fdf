//! Names of mailboxes in IMAP (RFC 3501 §5.1.3).

use std::ffi::c_char;

use utfall::{Bom, Encoding, Options, imap_name, transcode};

use crate::arguments::{output, store, text};
use crate::errors::{
    UTFALL_BUG, UTFALL_INVALID_ARGUMENT, UTFALL_INVALID_TEXT, UTFALL_OK, UTFALL_OUTPUT_FULL,
    utfall_error, utfall_status,
};
use crate::guard::guard;

/// Encodes the name of a mailbox in the modified UTF-7 of IMAP.
///
/// @param name the name in UTF-8; may be NULL if `length` is 0.
/// @param length its length in bytes.
/// @param out the caller's buffer; may be NULL if `capacity` is 0. No NUL is added.
/// @param capacity its size in bytes.
/// @param written receives the length of the encoded name, also if the buffer is too small; must not be NULL.
/// @param error receives the error if the name is not valid UTF-8, else zeros; may be NULL.
/// @return UTFALL_OK; UTFALL_OUTPUT_FULL if the buffer is too small, which is then unchanged;
///   UTFALL_INVALID_TEXT, UTFALL_INVALID_ARGUMENT or UTFALL_BUG.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utfall_imap_encode(
    name: *const c_char,
    length: usize,
    out: *mut c_char,
    capacity: usize,
    written: *mut usize,
    error: *mut utfall_error,
) -> utfall_status {
    guard(UTFALL_BUG, || {
        // SAFETY: the caller passes a name of this length and a buffer of this size.
        let (name, out) = unsafe { (text(name, length), output::<u8>(out.cast(), capacity)) };
        let (Some(name), Some(out), false) = (name, out, written.is_null()) else {
            return UTFALL_INVALID_ARGUMENT;
        };
        let valid = crate::convert::validate(Encoding::Utf8, name);
        // SAFETY: the caller passes NULL or a place for the error.
        let status = unsafe { crate::convert::report(valid, error) };
        // `imap_name::encode` gives the same by another instance of the engine.
        let options = Options::strict().with_bom(Bom::Keep);
        let encoded = transcode(Encoding::Utf8, Encoding::Utf7Imap, name, options);
        let encoded = encoded.unwrap_or_default();
        // SAFETY: it is not NULL, and the caller passes a place for the length.
        unsafe { store(written, encoded.len()) };
        match status {
            UTFALL_OK => copy(&encoded, out),
            status => status,
        }
    })
}

/// Decodes the name of a mailbox. Invalid parts are decoded as well as possible, and reported.
///
/// @param name the name as the server has it; may be NULL if `length` is 0.
/// @param length its length in bytes.
/// @param out the caller's buffer for UTF-8; may be NULL if `capacity` is 0. No NUL is added.
/// @param capacity its size in bytes.
/// @param written receives the length of the decoded name, also if the buffer is too small; must not be NULL.
/// @param error receives the first problem of the name, else zeros; may be NULL.
/// @return UTFALL_OK if this is how IMAP spells the name; UTFALL_INVALID_TEXT if it is decoded but has problems;
///   UTFALL_OUTPUT_FULL if the buffer is too small, which is then unchanged; UTFALL_INVALID_ARGUMENT or
///   UTFALL_BUG.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utfall_imap_decode(
    name: *const c_char,
    length: usize,
    out: *mut c_char,
    capacity: usize,
    written: *mut usize,
    error: *mut utfall_error,
) -> utfall_status {
    guard(UTFALL_BUG, || {
        // SAFETY: the caller passes a name of this length and a buffer of this size.
        let (name, out) = unsafe { (text(name, length), output::<u8>(out.cast(), capacity)) };
        let (Some(name), Some(out), false) = (name, out, written.is_null()) else {
            return UTFALL_INVALID_ARGUMENT;
        };
        let decoded = imap_name::decode(name);
        let problem = decoded.problems().first();
        // SAFETY: the caller passes places for the length and the error.
        unsafe {
            store(written, decoded.text().len());
            store(
                error,
                problem.map_or_else(utfall_error::default, |it| utfall_error::new(it, None)),
            );
        }
        match copy(decoded.text().as_bytes(), out) {
            UTFALL_OK if problem.is_some() => UTFALL_INVALID_TEXT,
            status => status,
        }
    })
}

fn copy(text: &[u8], out: &mut [u8]) -> utfall_status {
    match out.get_mut(..text.len()) {
        Some(place) => {
            place.copy_from_slice(text);
            UTFALL_OK
        }
        None => UTFALL_OUTPUT_FULL,
    }
}
