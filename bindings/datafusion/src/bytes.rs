//! Columns of binary data or text, in the three layouts of Arrow.

use std::borrow::Cow;
use std::sync::Arc;

use arrow::array::{
    Array, ArrayRef, AsArray, BinaryArray, BinaryBuilder, BinaryViewArray, BinaryViewBuilder,
    LargeBinaryArray, LargeBinaryBuilder, LargeStringArray, StringArray,
};
use arrow::datatypes::DataType;
use datafusion_common::{Result, exec_datafusion_err, internal_err};

/// The values of a column. Text is its UTF-8.
#[derive(Clone, Debug)]
pub(crate) enum Bytes {
    Small(BinaryArray),
    Large(LargeBinaryArray),
    View(BinaryViewArray),
}

impl Bytes {
    /// Shares the values of an array.
    pub(crate) fn of(array: &ArrayRef) -> Result<Self> {
        Ok(match array.data_type() {
            DataType::Binary => Self::Small(array.as_binary().clone()),
            DataType::Utf8 => Self::Small(array.as_string().clone().into()),
            DataType::LargeBinary => Self::Large(array.as_binary().clone()),
            DataType::LargeUtf8 => Self::Large(array.as_string().clone().into()),
            DataType::BinaryView => Self::View(array.as_binary_view().clone()),
            DataType::Utf8View => Self::View(array.as_string_view().clone().to_binary_view()),
            other => return internal_err!("expected binary data or text, not {other}"),
        })
    }

    pub(crate) fn len(&self) -> usize {
        self.array().len()
    }

    fn array(&self) -> &dyn Array {
        match self {
            Self::Small(array) => array,
            Self::Large(array) => array,
            Self::View(array) => array,
        }
    }

    /// A value; `None` if it is null.
    pub(crate) fn get(&self, row: usize) -> Option<&[u8]> {
        self.array().is_valid(row).then(|| match self {
            Self::Small(array) => array.value(row),
            Self::Large(array) => array.value(row),
            Self::View(array) => array.value(row),
        })
    }

    pub(crate) fn is_ascii(&self) -> bool {
        (0..self.len()).filter_map(|row| self.get(row)).all(<[u8]>::is_ascii)
    }

    /// The values as binary data or text, in the same layout. They are not copied.
    ///
    /// # Errors
    /// If they are to be text and are not valid UTF-8.
    pub(crate) fn into_array(self, is_text: bool) -> Result<ArrayRef> {
        Ok(match (self, is_text) {
            (Self::Small(array), false) => Arc::new(array),
            (Self::Large(array), false) => Arc::new(array),
            (Self::View(array), false) => Arc::new(array),
            (Self::Small(array), true) => Arc::new(StringArray::try_from_binary(array)?),
            (Self::Large(array), true) => Arc::new(LargeStringArray::try_from_binary(array)?),
            (Self::View(array), true) => Arc::new(array.to_string_view()?),
        })
    }

    /// Makes values for a number of rows, in the same layout.
    pub(crate) fn build<'v>(
        &self,
        rows: usize,
        mut value: impl FnMut(usize) -> Result<Option<Cow<'v, [u8]>>>,
    ) -> Result<Self> {
        Ok(match self {
            Self::Small(_) => {
                let mut builder = BinaryBuilder::with_capacity(rows, 0);
                for row in 0..rows {
                    let value = value(row)?;
                    let length = value.as_deref().map_or(0, <[u8]>::len);
                    if i32::try_from(builder.values_slice().len().saturating_add(length)).is_err() {
                        return Err(exec_datafusion_err!(
                            "the result of a batch is larger than 2 GiB: cast the argument to LargeUtf8, \
                             LargeBinary or a view type, or use smaller batches"
                        ));
                    }
                    builder.append_option(value);
                }
                Self::Small(builder.finish())
            }
            Self::Large(_) => {
                let mut builder = LargeBinaryBuilder::with_capacity(rows, 0);
                for row in 0..rows {
                    builder.append_option(value(row)?);
                }
                Self::Large(builder.finish())
            }
            Self::View(_) => {
                let mut builder = BinaryViewBuilder::with_capacity(rows);
                for row in 0..rows {
                    match value(row)? {
                        Some(value) => builder.try_append_value(value)?,
                        None => builder.append_null(),
                    }
                }
                Self::View(builder.finish())
            }
        })
    }
}

/// The type of binary data or text in the layout of another such type.
pub(crate) fn layout_of(other: &DataType, is_text: bool) -> Option<DataType> {
    use DataType as T;
    Some(match (other, is_text) {
        (T::Binary | T::Utf8, true) => T::Utf8,
        (T::Binary | T::Utf8, false) => T::Binary,
        (T::LargeBinary | T::LargeUtf8, true) => T::LargeUtf8,
        (T::LargeBinary | T::LargeUtf8, false) => T::LargeBinary,
        (T::BinaryView | T::Utf8View, true) => T::Utf8View,
        (T::BinaryView | T::Utf8View, false) => T::BinaryView,
        _ => return None,
    })
}

/// Whether a type is one of the three of text.
pub(crate) fn is_text(data_type: &DataType) -> bool {
    matches!(data_type, DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View)
}
