//! `simdutf`, the C++ library, through its crate.
//!
//! It has no UTF-32BE. Its byte swap does not check, so `utf16le_to_utf16be` and back are
//! compared with its validation followed by its swap.

use simdutf as peer;

use super::{Engine, SIMDUTF, engine};
use crate::op::Op;

// The crate does not export these two. They are in the library it builds; the names are those that
// the Itanium C++ ABI gives to `simdutf::to_well_formed_utf16le(const char16_t *, size_t, char16_t
// *)` and its counterpart.
#[cfg(unix)]
unsafe extern "C" {
    #[link_name = "_ZN7simdutf22to_well_formed_utf16leEPKDsmPDs"]
    fn to_well_formed_utf16le(source: *const u16, length: usize, output: *mut u16);
    #[link_name = "_ZN7simdutf22to_well_formed_utf16beEPKDsmPDs"]
    fn to_well_formed_utf16be(source: *const u16, length: usize, output: *mut u16);
}

/// Whether all is well-formed.
macro_rules! validate {
    ($function:ident, $units:ident) => {
        engine(SIMDUTF, |piece, _| (usize::from(peer::$function(piece.$units())), 0))
    };
}

/// The offset of the first error.
macro_rules! valid_up_to {
    ($function:ident, $units:ident) => {
        engine(SIMDUTF, |piece, _| {
            let units = piece.$units();
            (peer::$function(units).count * size_of_val(units) / units.len().max(1), 0)
        })
    };
}

/// A conversion from units to units.
macro_rules! convert {
    ($function:ident, $from:ty, $to:ty) => {
        engine(SIMDUTF, |piece, output| {
            let (source, length) = (piece.bytes.as_ptr().cast(), piece.bytes.len());
            // SAFETY: the source is as long as it says and aligned (`Piece`); the output is
            // aligned and as long as the expected result (`Room::Exact`), and that is how much
            // this function writes for well-formed text.
            let written = unsafe {
                peer::$function(source, length / size_of::<$from>(), output.as_mut_ptr().cast())
            };
            (length, written * size_of::<$to>())
        })
    };
}

/// A function of a slice that returns a number of items of this many bytes.
macro_rules! measure {
    ($function:ident, $units:ident, $bytes:literal) => {
        engine(SIMDUTF, |piece, _| (peer::$function(piece.$units()) * $bytes, 0))
    };
}

/// Validation, then a swap.
macro_rules! swap {
    ($validate:ident) => {
        engine(SIMDUTF, |piece, output| {
            let units = piece.u16s();
            if !peer::$validate(units) {
                return (0, 0);
            }
            // SAFETY: the output is aligned, and as long as the source.
            unsafe {
                peer::change_endianness_utf16(
                    units.as_ptr(),
                    units.len(),
                    output.as_mut_ptr().cast(),
                );
            }
            (piece.bytes.len(), piece.bytes.len())
        })
    };
}

/// UTF-16 made well-formed.
#[cfg(unix)]
macro_rules! well_formed {
    ($function:ident) => {
        engine(SIMDUTF, |piece, output| {
            let units = piece.u16s();
            // SAFETY: the output is aligned, and as long as the source.
            unsafe { $function(units.as_ptr(), units.len(), output.as_mut_ptr().cast()) };
            (piece.bytes.len(), piece.bytes.len())
        })
    };
}

pub(super) fn engine_for(op: Op) -> Option<Engine> {
    match op.name {
        "validate_ascii" => validate!(validate_ascii, u8s),
        "validate_utf8" => validate!(validate_utf8, u8s),
        "validate_utf16le" => validate!(validate_utf16le, u16s),
        "validate_utf16be" => validate!(validate_utf16be, u16s),
        "validate_utf32le" => validate!(validate_utf32, u32s),
        "ascii_valid_up_to" => valid_up_to!(validate_ascii_with_errors, u8s),
        "utf8_valid_up_to" => valid_up_to!(validate_utf8_with_errors, u8s),
        "utf16le_valid_up_to" => valid_up_to!(validate_utf16le_with_errors, u16s),
        "utf16be_valid_up_to" => valid_up_to!(validate_utf16be_with_errors, u16s),
        "utf32le_valid_up_to" => valid_up_to!(validate_utf32_with_errors, u32s),
        "utf8_to_utf16le" => convert!(convert_utf8_to_utf16le, u8, u16),
        "utf8_to_utf16be" => convert!(convert_utf8_to_utf16be, u8, u16),
        "utf8_to_utf32le" => convert!(convert_utf8_to_utf32, u8, u32),
        "utf8_to_latin1" => convert!(convert_utf8_to_latin1, u8, u8),
        "utf16le_to_utf8" => convert!(convert_utf16le_to_utf8, u16, u8),
        "utf16le_to_utf16be" => swap!(validate_utf16le),
        "utf16le_to_utf32le" => convert!(convert_utf16le_to_utf32, u16, u32),
        "utf16le_to_latin1" => convert!(convert_utf16le_to_latin1, u16, u8),
        "utf16be_to_utf8" => convert!(convert_utf16be_to_utf8, u16, u8),
        "utf16be_to_utf16le" => swap!(validate_utf16be),
        "utf16be_to_utf32le" => convert!(convert_utf16be_to_utf32, u16, u32),
        "utf16be_to_latin1" => convert!(convert_utf16be_to_latin1, u16, u8),
        "utf32le_to_utf8" => convert!(convert_utf32_to_utf8, u32, u8),
        "utf32le_to_utf16le" => convert!(convert_utf32_to_utf16le, u32, u16),
        "utf32le_to_utf16be" => convert!(convert_utf32_to_utf16be, u32, u16),
        "utf32le_to_latin1" => convert!(convert_utf32_to_latin1, u32, u8),
        "latin1_to_utf8" => convert!(convert_latin1_to_utf8, u8, u8),
        "latin1_to_utf16le" => convert!(convert_latin1_to_utf16le, u8, u16),
        "latin1_to_utf16be" => convert!(convert_latin1_to_utf16be, u8, u16),
        "latin1_to_utf32le" => convert!(convert_latin1_to_utf32, u8, u32),
        #[cfg(unix)]
        "utf16le_to_utf16le_lossy" => well_formed!(to_well_formed_utf16le),
        #[cfg(unix)]
        "utf16be_to_utf16be_lossy" => well_formed!(to_well_formed_utf16be),
        "utf8_count" => measure!(count_utf8, u8s, 1),
        "utf16le_count" => measure!(count_utf16le, u16s, 1),
        "utf16be_count" => measure!(count_utf16be, u16s, 1),
        "utf16_len_from_utf8" => measure!(utf16_length_from_utf8, u8s, 2),
        "utf8_len_from_utf16le" => measure!(utf8_length_from_utf16le, u16s, 1),
        "utf8_len_from_utf16be" => measure!(utf8_length_from_utf16be, u16s, 1),
        "utf8_len_from_utf32le" => measure!(utf8_length_from_utf32, u32s, 1),
        "utf16_len_from_utf32le" => measure!(utf16_length_from_utf32, u32s, 2),
        "utf8_len_from_latin1" => measure!(utf8_length_from_latin1, u8s, 1),
        _ => None,
    }
}
