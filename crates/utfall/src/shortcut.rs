//! Pairs of encodings that a kernel converts directly.
//!
//! A shortcut is an optimisation: the block of code points in `pivot.rs` defines the answer,
//! and tests demand the same octets, errors and offsets by both ways.

use utfall_simd::Form;

use crate::codec::{Decode, Encode};
use crate::encoding::Info;

/// The two forms to give to [`Kernels::convert`](utfall_simd::Kernels::convert), if decoder
/// and encoder both stand in plain text of a form it knows, and nothing is renumbered
/// between them.
pub(crate) fn find(
    (source, decoder): (&Info, &impl Decode),
    (target, encoder): (&Info, &impl Encode),
) -> Option<(Form, Form)> {
    if source.repertoire.renumbers() || target.repertoire.renumbers() {
        return None;
    }
    Some((decoder.form()?, encoder.form()?))
}
