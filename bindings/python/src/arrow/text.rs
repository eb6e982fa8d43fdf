//! Arrays of text from bytes that a kernel has checked. That of Arrow takes several times as long.

use arrow_array::{
    Array, BinaryViewArray, GenericBinaryArray, GenericStringArray, OffsetSizeTrait,
    StringViewArray,
};
use arrow_buffer::OffsetBuffer;
use arrow_schema::ArrowError;
use utfall_simd::{dispatch, text};

/// The bytes between the first and the last offset.
pub(super) fn used<'b, O: OffsetSizeTrait>(offsets: &OffsetBuffer<O>, bytes: &'b [u8]) -> &'b [u8] {
    match (offsets.first(), offsets.last()) {
        (Some(first), Some(last)) => &bytes[first.as_usize()..last.as_usize()],
        _ => &[],
    }
}

/// The same array as text, without a copy, if all of it is valid UTF-8.
pub(super) fn of_binary<O: OffsetSizeTrait>(
    array: GenericBinaryArray<O>,
) -> Result<GenericStringArray<O>, ArrowError> {
    let (offsets, bytes, nulls) = array.into_parts();
    let is_valid = text::as_str(dispatch::active(), used(&offsets, &bytes)).is_ok_and(|text| {
        let first = offsets[0].as_usize();
        text.is_ascii() || offsets.iter().all(|at| text.is_char_boundary(at.as_usize() - first))
    });
    if !is_valid {
        return GenericStringArray::try_new(offsets, bytes, nulls);
    }
    // SAFETY: the offsets and nulls are those of an array. The bytes between the first and the last
    // offset are valid UTF-8, and so are those between two others, since each is at the boundary of
    // a character.
    Ok(unsafe { GenericStringArray::new_unchecked(offsets, bytes, nulls) })
}

/// The same for views.
pub(super) fn of_views(array: BinaryViewArray) -> Result<StringViewArray, ArrowError> {
    let kernels = dispatch::active();
    // Those that are null, too.
    let is_valid = (0..array.len()).all(|row| text::as_str(kernels, array.value(row)).is_ok());
    if !is_valid {
        return array.to_string_view();
    }
    // SAFETY: every value is valid UTF-8.
    Ok(unsafe { array.to_string_view_unchecked() })
}
