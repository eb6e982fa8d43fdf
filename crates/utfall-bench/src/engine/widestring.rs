//! `widestring`: checked strings of UTF-16 and UTF-32 in native byte order.
//!
//! It returns owned strings; they are copied to the output, which is compared.

use widestring::{Utf16Str, Utf16String, Utf32Str, Utf32String};

use super::{Engine, engine};
use crate::op::{Op, Outcome};

const NAME: &str = "widestring";

pub(super) fn engine_for(op: Op) -> Option<Engine> {
    if cfg!(target_endian = "big") {
        return None;
    }
    match op.name {
        "validate_utf16le" => {
            engine(NAME, |piece, _| (usize::from(Utf16Str::from_slice(piece.u16s()).is_ok()), 0))
        }
        "validate_utf32le" => {
            engine(NAME, |piece, _| (usize::from(Utf32Str::from_slice(piece.u32s()).is_ok()), 0))
        }
        "utf8_to_utf16le" => engine(NAME, |piece, output| {
            copy(piece.bytes, output, Utf16String::from_str(piece.text).as_slice())
        }),
        "utf8_to_utf32le" => engine(NAME, |piece, output| {
            copy(piece.bytes, output, Utf32String::from_str(piece.text).as_slice())
        }),
        "utf16le_to_utf8" => engine(NAME, |piece, output| {
            let text = Utf16Str::from_slice(piece.u16s()).map(Utf16Str::to_string);
            copy(piece.bytes, output, text.unwrap_or_default().as_bytes())
        }),
        "utf32le_to_utf8" => engine(NAME, |piece, output| {
            let text = Utf32Str::from_slice(piece.u32s()).map(Utf32Str::to_string);
            copy(piece.bytes, output, text.unwrap_or_default().as_bytes())
        }),
        "utf16le_to_utf32le" => engine(NAME, |piece, output| {
            let text = Utf16Str::from_slice(piece.u16s());
            let text: Utf32String = text.map(|text| text.chars().collect()).unwrap_or_default();
            copy(piece.bytes, output, text.as_slice())
        }),
        "utf32le_to_utf16le" => engine(NAME, |piece, output| {
            let text = Utf32Str::from_slice(piece.u32s());
            let text: Utf16String = text.map(|text| text.chars().collect()).unwrap_or_default();
            copy(piece.bytes, output, text.as_slice())
        }),
        "utf16le_to_utf16le_lossy" => engine(NAME, |piece, output| {
            copy(piece.bytes, output, Utf16String::from_slice_lossy(piece.u16s()).as_slice())
        }),
        _ => None,
    }
}

/// Copies a string to the output.
#[inline(always)]
fn copy<U: bytemuck::NoUninit>(source: &[u8], output: &mut [u8], units: &[U]) -> Outcome {
    let bytes: &[u8] = bytemuck::cast_slice(units);
    output[..bytes.len()].copy_from_slice(bytes);
    (source.len(), bytes.len())
}
