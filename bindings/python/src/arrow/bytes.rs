//! Arrays of bytes in three layouts, whether they are text or not.

use std::sync::Arc;

use arrow_array::builder::BinaryViewBuilder;
use arrow_array::{
    Array, ArrayRef, BinaryArray, BinaryViewArray, GenericBinaryArray, LargeBinaryArray,
    OffsetSizeTrait, cast::AsArray,
};
use arrow_buffer::{BooleanBufferBuilder, NullBuffer, OffsetBuffer};
use arrow_schema::{ArrowError, DataType};

use super::text;

/// An array of bytes. Text is not assumed to be valid: another package made it.
#[derive(Clone, Debug)]
pub(crate) enum Bytes {
    Small(BinaryArray),
    Large(LargeBinaryArray),
    View(BinaryViewArray),
}

/// The result does not fit offsets of 32 bits.
#[derive(Debug)]
pub(crate) struct TooLong;

impl Bytes {
    /// The bytes of an array of text or binary data.
    pub(crate) fn of(array: &ArrayRef) -> Option<Self> {
        Some(match array.data_type() {
            DataType::Binary => Self::Small(array.as_binary().clone()),
            DataType::Utf8 => Self::Small(BinaryArray::from(array.as_string().clone())),
            DataType::LargeBinary => Self::Large(array.as_binary().clone()),
            DataType::LargeUtf8 => Self::Large(LargeBinaryArray::from(array.as_string().clone())),
            DataType::BinaryView => Self::View(array.as_binary_view().clone()),
            DataType::Utf8View => Self::View(array.as_string_view().clone().to_binary_view()),
            _ => return None,
        })
    }

    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Small(array) => array.len(),
            Self::Large(array) => array.len(),
            Self::View(array) => array.len(),
        }
    }

    /// The value at a place; `None` if it is null.
    fn get(&self, at: usize) -> Option<&[u8]> {
        match self {
            Self::Small(array) => array.is_valid(at).then(|| array.value(at)),
            Self::Large(array) => array.is_valid(at).then(|| array.value(at)),
            Self::View(array) => array.is_valid(at).then(|| array.value(at)),
        }
    }

    /// The values; `None` for null.
    pub(crate) fn iter(&self) -> impl Iterator<Item = Option<&[u8]>> {
        (0..self.len()).map(|at| self.get(at))
    }

    /// Whether all values are US-ASCII. Those that are null may count, too.
    pub(crate) fn is_ascii(&self) -> bool {
        match self {
            Self::Small(array) => text::used(array.offsets(), array.values()).is_ascii(),
            Self::Large(array) => text::used(array.offsets(), array.values()).is_ascii(),
            Self::View(_) => self.iter().flatten().all(<[u8]>::is_ascii),
        }
    }

    /// The type of text in the same layout.
    pub(crate) fn text_type(&self) -> DataType {
        match self {
            Self::Small(_) => DataType::Utf8,
            Self::Large(_) => DataType::LargeUtf8,
            Self::View(_) => DataType::Utf8View,
        }
    }

    /// The type of binary data in the same layout.
    pub(crate) fn binary_type(&self) -> DataType {
        match self {
            Self::Small(_) => DataType::Binary,
            Self::Large(_) => DataType::LargeBinary,
            Self::View(_) => DataType::BinaryView,
        }
    }

    /// As binary data, without a copy.
    pub(crate) fn into_binary(self) -> ArrayRef {
        match self {
            Self::Small(array) => Arc::new(array),
            Self::Large(array) => Arc::new(array),
            Self::View(array) => Arc::new(array),
        }
    }

    /// As text, without a copy, if all of it is valid UTF-8.
    pub(crate) fn into_text(self) -> Result<ArrayRef, ArrowError> {
        Ok(match self {
            Self::Small(array) => Arc::new(text::of_binary(array)?),
            Self::Large(array) => Arc::new(text::of_binary(array)?),
            Self::View(array) => Arc::new(text::of_views(array)?),
        })
    }

    /// An array in the same layout, of the values that a function writes. It returns whether there
    /// is one: otherwise, the value is null.
    pub(crate) fn map<E: From<TooLong>>(
        &self,
        write: impl FnMut(usize, &[u8], &mut Output) -> Result<bool, E>,
    ) -> Result<Self, E> {
        Ok(match self {
            Self::Small(array) => Self::Small(map(array, write)?),
            Self::Large(array) => Self::Large(map(array, write)?),
            Self::View(array) => Self::View(map_views(array, write)?),
        })
    }
}

/// The most bytes that are reserved beyond the length of the input.
const MOST_SPARE: usize = 64 << 20;

fn map<O: OffsetSizeTrait, E: From<TooLong>>(
    array: &GenericBinaryArray<O>,
    mut write: impl FnMut(usize, &[u8], &mut Output) -> Result<bool, E>,
) -> Result<GenericBinaryArray<O>, E> {
    let offsets = array.value_offsets();
    let total = (offsets[array.len()] - offsets[0]).as_usize();
    // Most text grows by less. Memory that is not needed is never touched, and costs nothing.
    let room = total + total.min(MOST_SPARE);
    let mut output = Output { bytes: Vec::with_capacity(room), scratch: Vec::new() };
    let mut ends = Vec::with_capacity(array.len() + 1);
    ends.push(O::default());
    let mut lacking = Vec::new();
    for row in 0..array.len() {
        if array.is_valid(row) && !write(row, array.value(row), &mut output)? {
            lacking.push(row);
        }
        ends.push(O::from_usize(output.bytes.len()).ok_or(TooLong)?);
    }
    let nulls = without(array.nulls(), array.len(), &lacking);
    let mut bytes = output.bytes;
    // Memory of the same size is used again by the next column; a smaller piece of it would not be.
    if bytes.capacity() / 2 > bytes.len() {
        bytes.shrink_to_fit();
    }
    Ok(GenericBinaryArray::new(OffsetBuffer::new(ends.into()), bytes.into(), nulls))
}

/// The values that are not null, and not among these rows.
fn without(nulls: Option<&NullBuffer>, rows: usize, lacking: &[usize]) -> Option<NullBuffer> {
    if lacking.is_empty() {
        return nulls.cloned();
    }
    let mut present = BooleanBufferBuilder::new(rows);
    match nulls {
        Some(nulls) => present.append_buffer(nulls.inner()),
        None => present.append_n(rows, true),
    }
    lacking.iter().for_each(|row| present.set_bit(*row, false));
    Some(NullBuffer::new(present.finish()))
}

/// The builder copies each value: up to 12 bytes into the view itself.
fn map_views<E: From<TooLong>>(
    array: &BinaryViewArray,
    mut write: impl FnMut(usize, &[u8], &mut Output) -> Result<bool, E>,
) -> Result<BinaryViewArray, E> {
    let mut builder = BinaryViewBuilder::with_capacity(array.len());
    let mut output = Output::default();
    for row in 0..array.len() {
        output.bytes.clear();
        if array.is_valid(row) && write(row, array.value(row), &mut output)? {
            builder.try_append_value(&output.bytes).map_err(|_| TooLong)?;
        } else {
            builder.append_null();
        }
    }
    Ok(builder.finish())
}

/// The bytes of a column that is being made.
#[derive(Debug, Default)]
pub(crate) struct Output {
    bytes: Vec<u8>,
    /// Space for one value. It stays in the cache, and memory that is not needed is never touched:
    /// to get it from the system takes longer than to copy a value.
    scratch: Vec<u8>,
}

impl Output {
    /// Space for at least this many bytes. Bytes that were written there stay.
    pub(crate) fn space(&mut self, size: usize) -> &mut [u8] {
        if self.scratch.len() < size {
            self.scratch.resize(size, 0);
        }
        &mut self.scratch
    }

    /// Keeps the first bytes of the space.
    pub(crate) fn keep(&mut self, size: usize) {
        self.bytes.extend_from_slice(&self.scratch[..size]);
    }

    pub(crate) fn push(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }
}
