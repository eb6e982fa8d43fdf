//! The functions with typed pointers, for cases between forms of the byte order of this machine.

use std::ffi::c_char;

use utfall_c::*;

use super::{Case, problem};

type Convert<T, U> = unsafe extern "C" fn(*const T, usize, *mut U, usize) -> utfall_progress;
type Length<T> =
    unsafe extern "C" fn(*const T, usize, *mut usize, *mut utfall_error) -> utfall_status;

/// Runs the function for the encodings of a case, if there is one.
pub(super) fn compare(case: Case<'_>, input: &[u8], output: &[u8]) {
    let form = |field| match case.text(field) {
        "UTF-16BE" if cfg!(target_endian = "big") => "UTF-16",
        "UTF-16LE" if cfg!(target_endian = "little") => "UTF-16",
        "UTF-32BE" if cfg!(target_endian = "big") => "UTF-32",
        "UTF-32LE" if cfg!(target_endian = "little") => "UTF-32",
        // These have a BOM.
        "UTF-16" | "UTF-32" => "",
        other => other,
    };
    let latin1 = "ISO-8859-1";
    let all = Bytes { case, input, output };
    match (form("from"), form("to")) {
        ("UTF-8", "UTF-16") => {
            all.run::<c_char, u16>(utfall_utf8_to_utf16, utfall_utf8_to_utf16_length)
        }
        ("UTF-8", "UTF-32") => {
            all.run::<c_char, u32>(utfall_utf8_to_utf32, utfall_utf8_to_utf32_length)
        }
        ("UTF-8", to) if to == latin1 => {
            all.run::<c_char, c_char>(utfall_utf8_to_latin1, utfall_utf8_to_latin1_length)
        }
        ("UTF-16", "UTF-8") => {
            all.run::<u16, c_char>(utfall_utf16_to_utf8, utfall_utf16_to_utf8_length)
        }
        ("UTF-16", "UTF-32") => {
            all.run::<u16, u32>(utfall_utf16_to_utf32, utfall_utf16_to_utf32_length)
        }
        ("UTF-16", to) if to == latin1 => {
            all.run::<u16, c_char>(utfall_utf16_to_latin1, utfall_utf16_to_latin1_length)
        }
        ("UTF-32", "UTF-8") => {
            all.run::<u32, c_char>(utfall_utf32_to_utf8, utfall_utf32_to_utf8_length)
        }
        ("UTF-32", "UTF-16") => {
            all.run::<u32, u16>(utfall_utf32_to_utf16, utfall_utf32_to_utf16_length)
        }
        ("UTF-32", to) if to == latin1 => {
            all.run::<u32, c_char>(utfall_utf32_to_latin1, utfall_utf32_to_latin1_length)
        }
        (from, "UTF-8") if from == latin1 => {
            all.run::<c_char, c_char>(utfall_latin1_to_utf8, utfall_latin1_to_utf8_length)
        }
        (from, "UTF-16") if from == latin1 => {
            all.run::<c_char, u16>(utfall_latin1_to_utf16, utfall_latin1_to_utf16_length)
        }
        (from, "UTF-32") if from == latin1 => {
            all.run::<c_char, u32>(utfall_latin1_to_utf32, utfall_latin1_to_utf32_length)
        }
        _ => {}
    }
}

/// A case with its bytes.
struct Bytes<'a> {
    case: Case<'a>,
    input: &'a [u8],
    output: &'a [u8],
}

impl Bytes<'_> {
    fn run<T: Copy + Default, U: Copy + Default>(&self, convert: Convert<T, U>, length: Length<T>) {
        let Self { case, input, output } = *self;
        // Half a unit cannot be passed.
        if !input.len().is_multiple_of(size_of::<T>()) {
            return;
        }
        let (input, size) = (units::<T>(input), size_of::<U>());
        let is_valid = case.get("error").is_null();
        let mut out = vec![U::default(); output.len() / size + if is_valid { 0 } else { 64 }];
        let (mut written, mut error) = (99, utfall_error::default());
        // SAFETY: pointers and lengths of vectors.
        let (progress, status) = unsafe {
            (
                convert(input.as_ptr(), input.len(), out.as_mut_ptr(), out.len()),
                length(input.as_ptr(), input.len(), &mut written, &mut error),
            )
        };
        case.compare(status, if is_valid { UTFALL_OK } else { UTFALL_INVALID_TEXT });
        case.compare((progress.status, progress.error), (status, error));
        out.truncate(progress.written);
        case.compare(bytes(&out), output.to_vec());
        case.compare(written, if is_valid { output.len() / size } else { 0 });
        if is_valid {
            case.compare(progress.read, input.len());
            return;
        }
        // Places are in units of the input.
        let (from, to) = (case.encoding("from"), case.encoding("to"));
        let mut expected = case.get("error").clone();
        for field in ["offset", "length"] {
            expected[field] = (expected[field].as_u64().unwrap() / size_of::<T>() as u64).into();
        }
        case.compare(problem(&error), expected);
        case.compare([from, to].contains(&error.encoding), true);
    }
}

/// Bytes as units of the same total size.
fn units<T: Copy + Default>(bytes: &[u8]) -> Vec<T> {
    let mut units = vec![T::default(); bytes.len() / size_of::<T>()];
    // SAFETY: both have this many bytes, and are integers.
    unsafe {
        std::ptr::copy_nonoverlapping(bytes.as_ptr(), units.as_mut_ptr().cast(), bytes.len())
    };
    units
}

/// Units as bytes.
fn bytes<U>(units: &[U]) -> Vec<u8> {
    // SAFETY: integers have no padding.
    unsafe { std::slice::from_raw_parts(units.as_ptr().cast(), size_of_val(units)) }.to_vec()
}
