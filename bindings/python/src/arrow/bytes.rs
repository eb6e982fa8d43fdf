//! Arrays of bytes in three layouts, whether they are text or not.

use std::borrow::Cow;
use std::sync::Arc;

use arrow_array::builder::{BinaryBuilder, BinaryViewBuilder, LargeBinaryBuilder};
use arrow_array::{
    Array, ArrayRef, BinaryArray, BinaryViewArray, LargeBinaryArray, LargeStringArray, StringArray,
    StringViewArray, cast::AsArray,
};
use arrow_schema::{ArrowError, DataType};

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

    /// Whether all values are US-ASCII.
    pub(crate) fn is_ascii(&self) -> bool {
        self.iter().flatten().all(<[u8]>::is_ascii)
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
            Self::Small(array) => Arc::new(StringArray::try_from_binary(array)?),
            Self::Large(array) => Arc::new(LargeStringArray::try_from_binary(array)?),
            Self::View(array) => {
                let array: StringViewArray = array.to_string_view()?;
                Arc::new(array)
            }
        })
    }

    /// An array in the same layout, of the values that a function makes.
    pub(crate) fn map<E: From<TooLong>>(
        &self,
        mut convert: impl for<'v> FnMut(usize, &'v [u8]) -> Result<Option<Cow<'v, [u8]>>, E>,
    ) -> Result<Self, E> {
        let mut builder = Builder::like(self);
        for (row, value) in self.iter().enumerate() {
            match value {
                None => builder.append(None)?,
                Some(value) => builder.append(convert(row, value)?.as_deref())?,
            }
        }
        Ok(builder.finish())
    }
}

enum Builder {
    Small(BinaryBuilder),
    Large(LargeBinaryBuilder),
    View(BinaryViewBuilder),
}

impl Builder {
    fn like(other: &Bytes) -> Self {
        let rows = other.len();
        match other {
            Bytes::Small(array) => {
                Self::Small(BinaryBuilder::with_capacity(rows, array.value_data().len()))
            }
            Bytes::Large(array) => {
                Self::Large(LargeBinaryBuilder::with_capacity(rows, array.value_data().len()))
            }
            Bytes::View(_) => Self::View(BinaryViewBuilder::with_capacity(rows)),
        }
    }

    fn append(&mut self, value: Option<&[u8]>) -> Result<(), TooLong> {
        match self {
            Self::Small(builder) => {
                let length = builder.values_slice().len() + value.map_or(0, <[u8]>::len);
                if i32::try_from(length).is_err() {
                    return Err(TooLong);
                }
                builder.append_option(value);
            }
            Self::Large(builder) => builder.append_option(value),
            Self::View(builder) => match value {
                Some(value) => builder.try_append_value(value).map_err(|_| TooLong)?,
                None => builder.append_null(),
            },
        }
        Ok(())
    }

    fn finish(self) -> Bytes {
        match self {
            Self::Small(mut builder) => Bytes::Small(builder.finish()),
            Self::Large(mut builder) => Bytes::Large(builder.finish()),
            Self::View(mut builder) => Bytes::View(builder.finish()),
        }
    }
}
