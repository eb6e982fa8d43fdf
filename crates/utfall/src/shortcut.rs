//! Pairs of encodings that a kernel converts directly.
//!
//! A shortcut is an optimisation: the block of code points in `pivot.rs` defines the answer,
//! and tests demand the same octets, errors and offsets by both ways.

use utfall_simd::Form;

use crate::codec::{Decode, Encode};

/// The two forms to give to [`Kernels::convert`](utfall_simd::Kernels::convert), if decoder
/// and encoder both stand in plain text of a form it knows.
pub(crate) fn find(decoder: &impl Decode, encoder: &impl Encode) -> Option<(Form, Form)> {
    Some((decoder.form()?, encoder.form()?))
}
