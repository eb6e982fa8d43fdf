//! `simdutf8`: validation of UTF-8; `basic` for yes or no, `compat` for the position.

use super::{Engine, engine};
use crate::op::Op;

pub(super) fn engine_for(op: Op) -> Option<Engine> {
    let name = "simdutf8";
    match op.name {
        "validate_utf8" => engine(name, |piece, _| {
            (usize::from(simdutf8::basic::from_utf8(piece.bytes).is_ok()), 0)
        }),
        "utf8_valid_up_to" => engine(name, |piece, _| {
            let result = simdutf8::compat::from_utf8(piece.bytes);
            (result.map_or_else(|error| error.valid_up_to(), str::len), 0)
        }),
        _ => None,
    }
}
