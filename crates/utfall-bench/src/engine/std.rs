//! The standard library. Where it has no function for an operation, its iterators over code
//! points, as in handwritten code.
//!
//! Operations on UTF-8 get a `&str`, so they do not validate. Operations that return a `String`
//! allocate it, and copy it to the output, which is compared.

use utfall_simd::Layout;
use utfall_simd::Layout::{Latin1, Utf8, Utf16Be, Utf16Le, Utf32Be, Utf32Le};

use super::{Engine, Piece, engine};
use crate::op::{Kind, Op, Outcome};

const NAME: &str = "std";

/// A loop for each source of code points: `$body` sees `$chars`, an iterator over `Option<char>`,
/// which is `None` for ill-formed sequences.
macro_rules! for_chars {
    ($from:expr, |$piece:ident, $output:ident, $chars:ident| $body:expr) => {
        match $from {
            Utf8 => engine(NAME, |$piece, $output| {
                let $chars = $piece.text.chars().map(Some);
                $body
            }),
            Utf16Le => engine(NAME, |$piece, $output| {
                let units = $piece.u16s().iter().map(|&unit| u16::from_le(unit));
                let $chars = char::decode_utf16(units).map(Result::ok);
                $body
            }),
            Utf16Be => engine(NAME, |$piece, $output| {
                let units = $piece.u16s().iter().map(|&unit| u16::from_be(unit));
                let $chars = char::decode_utf16(units).map(Result::ok);
                $body
            }),
            Utf32Le => engine(NAME, |$piece, $output| {
                let units = $piece.u32s().iter().map(|&unit| u32::from_le(unit));
                let $chars = units.map(char::from_u32);
                $body
            }),
            Utf32Be => engine(NAME, |$piece, $output| {
                let units = $piece.u32s().iter().map(|&unit| u32::from_be(unit));
                let $chars = units.map(char::from_u32);
                $body
            }),
            Latin1 => engine(NAME, |$piece, $output| {
                let $chars = $piece.bytes.iter().map(|&byte| Some(char::from(byte)));
                $body
            }),
        }
    };
}

pub(super) fn engine_for(op: Op) -> Option<Engine> {
    match op.kind {
        Kind::Validate if op.from == Utf8 => {
            engine(NAME, |piece, _| (usize::from(str::from_utf8(piece.bytes).is_ok()), 0))
        }
        Kind::Validate => for_chars!(op.from, |piece, _output, chars| {
            (usize::from(chars.into_iter().all(|c| c.is_some())), 0)
        }),
        Kind::ValidUpTo if op.from == Utf8 => engine(NAME, |piece, _| {
            (str::from_utf8(piece.bytes).map_or_else(|error| error.valid_up_to(), str::len), 0)
        }),
        Kind::ValidUpTo => valid_up_to(op.from),
        Kind::ValidateAscii => engine(NAME, |piece, _| (usize::from(piece.bytes.is_ascii()), 0)),
        Kind::AsciiUpTo => engine(NAME, |piece, _| {
            let up_to = piece.bytes.iter().position(|byte| !byte.is_ascii());
            (up_to.unwrap_or(piece.bytes.len()), 0)
        }),
        // Converting direct text amounts to this copy.
        Kind::Transcode(..) if op.name.ends_with("_direct") => engine(NAME, |piece, output| {
            output.copy_from_slice(piece.bytes);
            (piece.bytes.len(), output.len())
        }),
        Kind::Latin1UpTo | Kind::Transcode(..) | Kind::TranscodeLength(..) => None,
        Kind::Convert => convert(op.from, op.to),
        Kind::Lossy => lossy(op.from, op.to),
        Kind::Count => for_chars!(op.from, |piece, _output, chars| (chars.count(), 0)),
        Kind::Length => length(op.from, op.to),
        Kind::CountLossy => engine(NAME, |piece, _| {
            let chunks = piece.bytes.utf8_chunks();
            let count = chunks.map(|chunk| {
                chunk.valid().chars().count() + usize::from(!chunk.invalid().is_empty())
            });
            (count.sum(), 0)
        }),
        Kind::LengthLossy => engine(NAME, |piece, _| {
            let chunks = piece.bytes.utf8_chunks();
            let count = chunks.map(|chunk| {
                chunk.valid().encode_utf16().count() + usize::from(!chunk.invalid().is_empty())
            });
            (2 * count.sum::<usize>(), 0)
        }),
    }
}

fn valid_up_to(from: Layout) -> Option<Engine> {
    let unit = if matches!(from, Utf32Le | Utf32Be) { 4 } else { 2 };
    if unit == 4 {
        return for_chars!(from, |piece, _output, chars| {
            let mut chars = chars;
            (chars.position(|c| c.is_none()).map_or(piece.bytes.len(), |at| 4 * at), 0)
        });
    }
    for_chars!(from, |piece, _output, chars| {
        (chars.map_while(|c| c.map(|c| 2 * c.len_utf16())).sum(), 0)
    })
}

fn convert(from: Layout, to: Layout) -> Option<Engine> {
    match (from, to) {
        (Utf8, Utf16Le) => engine(NAME, |piece, output| {
            fill(piece, output, piece.text.encode_utf16().map(u16::to_le))
        }),
        (Utf8, Utf16Be) => engine(NAME, |piece, output| {
            fill(piece, output, piece.text.encode_utf16().map(u16::to_be))
        }),
        (Utf16Le, Utf8) if cfg!(target_endian = "little") => engine(NAME, |piece, output| {
            let text = String::from_utf16(piece.u16s()).unwrap_or_default();
            copy(piece, output, text.as_bytes())
        }),
        (_, Utf8) => for_chars!(from, |piece, output, chars| {
            let mut written = 0;
            for c in chars {
                let Some(c) = c else { break };
                written += c.encode_utf8(&mut output[written..]).len();
            }
            (piece.bytes.len(), written)
        }),
        (_, Utf16Le) => {
            for_chars!(from, |piece, output, chars| utf16(piece, output, chars, u16::to_le))
        }
        (_, Utf16Be) => {
            for_chars!(from, |piece, output, chars| utf16(piece, output, chars, u16::to_be))
        }
        (_, Utf32Le) => for_chars!(from, |piece, output, chars| {
            fill(piece, output, chars.map_while(|c| c.map(|c| u32::from(c).to_le())))
        }),
        (_, Utf32Be) => for_chars!(from, |piece, output, chars| {
            fill(piece, output, chars.map_while(|c| c.map(|c| u32::from(c).to_be())))
        }),
        (_, Latin1) => for_chars!(from, |piece, output, chars| {
            fill(piece, output, chars.map_while(|c| c.and_then(|c| u8::try_from(c).ok())))
        }),
    }
}

fn lossy(from: Layout, to: Layout) -> Option<Engine> {
    match (from, to) {
        (Utf8, Utf8) => engine(NAME, |piece, output| {
            copy(piece, output, String::from_utf8_lossy(piece.bytes).as_bytes())
        }),
        (Utf8, Utf16Le) => engine(NAME, |piece, output| {
            let text = String::from_utf8_lossy(piece.bytes);
            fill(piece, output, text.encode_utf16().map(u16::to_le))
        }),
        (Utf8, Utf16Be) => engine(NAME, |piece, output| {
            let text = String::from_utf8_lossy(piece.bytes);
            fill(piece, output, text.encode_utf16().map(u16::to_be))
        }),
        (Utf8, Utf32Le) => engine(NAME, |piece, output| {
            let text = String::from_utf8_lossy(piece.bytes);
            fill(piece, output, text.chars().map(|c| u32::from(c).to_le()))
        }),
        (Utf8, Utf32Be) => engine(NAME, |piece, output| {
            let text = String::from_utf8_lossy(piece.bytes);
            fill(piece, output, text.chars().map(|c| u32::from(c).to_be()))
        }),
        (Utf16Le, Utf8) if cfg!(target_endian = "little") => engine(NAME, |piece, output| {
            copy(piece, output, String::from_utf16_lossy(piece.u16s()).as_bytes())
        }),
        (_, Utf8) => for_chars!(from, |piece, output, chars| {
            let mut written = 0;
            for c in chars {
                let c = c.unwrap_or(char::REPLACEMENT_CHARACTER);
                written += c.encode_utf8(&mut output[written..]).len();
            }
            (piece.bytes.len(), written)
        }),
        (_, Utf16Le) => for_chars!(from, |piece, output, chars| {
            let chars = chars.map(|c| c.or(Some(char::REPLACEMENT_CHARACTER)));
            utf16(piece, output, chars, u16::to_le)
        }),
        (_, Utf16Be) => for_chars!(from, |piece, output, chars| {
            let chars = chars.map(|c| c.or(Some(char::REPLACEMENT_CHARACTER)));
            utf16(piece, output, chars, u16::to_be)
        }),
        _ => None,
    }
}

fn length(from: Layout, to: Layout) -> Option<Engine> {
    match (from, to) {
        (Utf8, Utf16Le) => engine(NAME, |piece, _| (2 * piece.text.encode_utf16().count(), 0)),
        (_, Utf8) => for_chars!(from, |piece, _output, chars| {
            (chars.map(|c| c.map_or(0, char::len_utf8)).sum(), 0)
        }),
        (_, Utf16Le) => for_chars!(from, |piece, _output, chars| {
            (chars.map(|c| c.map_or(0, |c| 2 * c.len_utf16())).sum(), 0)
        }),
        _ => None,
    }
}

/// Writes units to the output.
#[inline(always)]
fn fill<U: bytemuck::Pod>(
    piece: &Piece<'_>,
    output: &mut [u8],
    units: impl Iterator<Item = U>,
) -> Outcome {
    let mut written = 0;
    for (place, unit) in bytemuck::cast_slice_mut::<u8, U>(output).iter_mut().zip(units) {
        *place = unit;
        written += size_of::<U>();
    }
    (piece.bytes.len(), written)
}

/// Writes code points as UTF-16.
#[inline(always)]
fn utf16(
    piece: &Piece<'_>,
    output: &mut [u8],
    chars: impl Iterator<Item = Option<char>>,
    order: fn(u16) -> u16,
) -> Outcome {
    let output: &mut [u16] = bytemuck::cast_slice_mut(output);
    let mut written = 0;
    for c in chars {
        let Some(c) = c else { break };
        let length = c.encode_utf16(&mut output[written..]).len();
        for unit in &mut output[written..written + length] {
            *unit = order(*unit);
        }
        written += length;
    }
    (piece.bytes.len(), 2 * written)
}

/// Copies the result of an allocating function to the output.
#[inline(always)]
fn copy(piece: &Piece<'_>, output: &mut [u8], bytes: &[u8]) -> Outcome {
    output[..bytes.len()].copy_from_slice(bytes);
    (piece.bytes.len(), bytes.len())
}
