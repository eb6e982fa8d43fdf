//! Pairs of encodings that a kernel converts directly.
//!
//! A shortcut is an optimisation: the block of code points in `pivot.rs` defines the answer,
//! and tests demand the same octets, errors and offsets by both ways.

use utfall_simd::{Form, Kernels};

use crate::codec::{Decode, Encode};
use crate::info::Info;

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

/// How many octets well-formed text of one form takes in another, where a kernel can count
/// them.
pub(crate) fn exact_len(kernels: &Kernels, from: Form, to: Form, src: &[u8]) -> Option<usize> {
    use Form::{Latin1, Utf8, Utf16Be, Utf16Le, Utf32Be, Utf32Le};
    Some(match (from, to) {
        (Utf8, Utf16Le | Utf16Be) => kernels.utf16_len_from_utf8(src),
        (Utf8, Utf32Le | Utf32Be) => 4 * kernels.utf8_count(src),
        (Utf16Le, Utf8) => kernels.utf8_len_from_utf16le(src),
        (Utf16Be, Utf8) => kernels.utf8_len_from_utf16be(src),
        (Utf16Le, Utf32Le | Utf32Be) => 4 * kernels.utf16le_count(src),
        (Utf16Be, Utf32Le | Utf32Be) => 4 * kernels.utf16be_count(src),
        (Latin1, Utf8) => kernels.utf8_len_from_latin1(src),
        (Latin1, Utf16Le | Utf16Be) => 2 * src.len(),
        (Latin1, Utf32Le | Utf32Be) => 4 * src.len(),
        (Utf16Le | Utf16Be, Utf16Le | Utf16Be) | (Utf32Le | Utf32Be, Utf32Le | Utf32Be) => {
            src.len()
        }
        _ if from == to => src.len(),
        _ => return None,
    })
}
