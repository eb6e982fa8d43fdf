//! A table of kernels, called directly.

use utfall::{Encoding, Utf7Options};
use utfall_simd::Kernels;
use utfall_simd::utf7::{RunState, SET_B, Style};

use super::{Engine, UTFALL, engine};
use crate::op::{Kind, Op};

/// The kernel of this name as an engine.
macro_rules! by_name {
    (
        $op:ident, $kernels:ident,
        convert { $($convert:ident)* }
        lossy { $($lossy:ident)* }
        measure { $($measure:ident)* }
    ) => {
        match $op.name {
            $( stringify!($convert) => engine(UTFALL, move |piece, output| {
                $kernels.$convert(piece.bytes, output)
            }), )*
            $( stringify!($lossy) => engine(UTFALL, move |piece, output| {
                let lossy = $kernels.$lossy(piece.bytes, output);
                (lossy.read, lossy.written)
            }), )*
            $( stringify!($measure) => engine(UTFALL, move |piece, _| {
                ($kernels.$measure(piece.bytes), 0)
            }), )*
            _ => None,
        }
    };
}

/// The length of a prefix, or whether it is the whole text.
macro_rules! prefix {
    ($op:ident, $kernels:ident, $prefix:ident) => {
        if matches!($op.kind, Kind::Validate | Kind::ValidateAscii) {
            engine(UTFALL, move |piece, _| {
                (usize::from($kernels.$prefix(piece.bytes) == piece.bytes.len()), 0)
            })
        } else {
            engine(UTFALL, move |piece, _| ($kernels.$prefix(piece.bytes), 0))
        }
    };
}

pub(super) fn engine_for(op: Op, kernels: &'static Kernels) -> Option<Engine> {
    match op.kind {
        Kind::Transcode(Encoding::Utf7, Encoding::Utf8, _) => {
            return engine(UTFALL, move |piece, output| {
                kernels.utf7_to_utf8(&mut RunState::default(), piece.bytes, output)
            });
        }
        Kind::Transcode(Encoding::Utf8, Encoding::Utf7, options) => {
            let style = style(options);
            return engine(UTFALL, move |piece, output| {
                let mut shift = RunState::default();
                let (read, written) = kernels.utf8_to_utf7(style, &mut shift, piece.bytes, output);
                (read, written + end_run(shift, &mut output[written..]))
            });
        }
        Kind::TranscodeLength(Encoding::Utf8, Encoding::Utf7, options) => {
            let style = style(options);
            return engine(UTFALL, move |piece, _| {
                let mut shift = RunState::default();
                let length = kernels.utf7_len_from_utf8(style, &mut shift, piece.bytes);
                (length + end_run(shift, &mut [0; 2]), 0)
            });
        }
        _ => {}
    }
    match op.name {
        "validate_ascii" | "ascii_valid_up_to" => prefix!(op, kernels, ascii_prefix),
        "validate_utf8" | "utf8_valid_up_to" => prefix!(op, kernels, utf8_prefix),
        "validate_utf16le" | "utf16le_valid_up_to" => prefix!(op, kernels, utf16le_prefix),
        "validate_utf16be" | "utf16be_valid_up_to" => prefix!(op, kernels, utf16be_prefix),
        "validate_utf32le" | "utf32le_valid_up_to" => prefix!(op, kernels, utf32le_prefix),
        "validate_utf32be" | "utf32be_valid_up_to" => prefix!(op, kernels, utf32be_prefix),
        _ => by_name!(op, kernels,
            convert {
                utf8_to_utf16le utf8_to_utf16be utf8_to_utf32le utf8_to_utf32be utf8_to_latin1
                utf16le_to_utf8 utf16le_to_utf16be utf16le_to_utf32le utf16le_to_utf32be
                utf16le_to_latin1
                utf16be_to_utf8 utf16be_to_utf16le utf16be_to_utf32le utf16be_to_utf32be
                utf16be_to_latin1
                utf32le_to_utf8 utf32le_to_utf16le utf32le_to_utf16be utf32le_to_utf32be
                utf32le_to_latin1
                utf32be_to_utf8 utf32be_to_utf16le utf32be_to_utf16be utf32be_to_utf32le
                utf32be_to_latin1
                latin1_to_utf8 latin1_to_utf16le latin1_to_utf16be latin1_to_utf32le
                latin1_to_utf32be
            }
            lossy {
                utf8_to_utf8_lossy utf8_to_utf16le_lossy utf8_to_utf16be_lossy
                utf8_to_utf32le_lossy utf8_to_utf32be_lossy
                utf16le_to_utf8_lossy utf16be_to_utf8_lossy
                utf16le_to_utf16le_lossy utf16be_to_utf16be_lossy
            }
            measure {
                utf8_latin1_prefix utf16le_latin1_prefix utf16be_latin1_prefix
                utf8_count utf16le_count utf16be_count
                utf16_len_from_utf8 utf8_len_from_utf16le utf8_len_from_utf16be
                utf8_len_from_utf32le utf8_len_from_utf32be
                utf16_len_from_utf32le utf16_len_from_utf32be utf8_len_from_latin1
                utf8_count_lossy utf16_len_from_utf8_lossy
            }
        ),
    }
}

fn style(Utf7Options { shift_set_o, explicit_close, .. }: Utf7Options) -> Style {
    Style::new().with_shift_set_o(shift_set_o).with_explicit_close(explicit_close)
}

/// Ends the run, if any, in which a kernel has left a UTF-7 text; returns the number of bytes
/// written.
fn end_run(shift: RunState, dst: &mut [u8]) -> usize {
    let digit = usize::from(shift.count() > 0);
    let end = [SET_B[usize::from(shift.bits() << (6 - shift.count()) & 0x3F)], b'-'];
    let end = if shift.is_in_run() { &end[1 - digit..] } else { &[] };
    dst[..end.len()].copy_from_slice(end);
    end.len()
}
