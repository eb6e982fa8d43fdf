//! A call of a function, with its arguments.

use arrow::array::ArrayRef;
use datafusion_common::{Result, ScalarValue, exec_datafusion_err};
use datafusion_expr::{ColumnarValue, ScalarFunctionArgs};
use utfall::Encoding;
use utfall_bind::label;

use crate::bytes::Bytes;

/// An argument: a value for each row, or one for all rows.
struct Argument {
    values: Bytes,
    is_constant: bool,
}

/// A call of a function on a batch. If all arguments are constants, it has one row.
pub(crate) struct Call {
    pub(crate) name: &'static str,
    pub(crate) rows: usize,
    arguments: Vec<Argument>,
}

impl Call {
    /// Reads the arguments.
    pub(crate) fn new(name: &'static str, args: &ScalarFunctionArgs) -> Result<Self> {
        let mut arguments = Vec::with_capacity(args.args.len());
        for value in &args.args {
            arguments.push(match value {
                ColumnarValue::Array(array) => {
                    Argument { values: Bytes::of(array)?, is_constant: false }
                }
                ColumnarValue::Scalar(scalar) => {
                    Argument { values: Bytes::of(&scalar.to_array()?)?, is_constant: true }
                }
            });
        }
        let is_constant = arguments.iter().all(|argument| argument.is_constant);
        Ok(Self { name, rows: if is_constant { 1 } else { args.number_rows }, arguments })
    }

    /// Whether the result is one value for all rows.
    pub(crate) fn is_constant(&self) -> bool {
        self.arguments.iter().all(|argument| argument.is_constant)
    }

    /// The result of the call, made of an array with its rows.
    pub(crate) fn result(&self, array: ArrayRef) -> Result<ColumnarValue> {
        Ok(match self.is_constant() {
            true => ColumnarValue::Scalar(ScalarValue::try_from_array(&array, 0)?),
            false => ColumnarValue::Array(array),
        })
    }

    /// The values of an argument.
    pub(crate) fn values(&self, argument: usize) -> &Bytes {
        &self.arguments[argument].values
    }

    /// The value of an argument in a row. `None` if it is null, or if there are fewer arguments.
    pub(crate) fn get(&self, argument: usize, row: usize) -> Option<&[u8]> {
        let argument = self.arguments.get(argument)?;
        argument.values.get(if argument.is_constant { 0 } else { row })
    }

    /// The value of an argument that is the same in all rows.
    pub(crate) fn constant(&self, argument: usize) -> Option<&[u8]> {
        let argument = self.arguments.get(argument)?;
        argument.is_constant.then(|| argument.values.get(0)).flatten()
    }

    /// Whether an argument is null in a row. The result is then null too.
    pub(crate) fn has_null(&self, row: usize) -> bool {
        (0..self.arguments.len()).any(|argument| self.get(argument, row).is_none())
    }

    pub(crate) fn argument_count(&self) -> usize {
        self.arguments.len()
    }
}

/// Finds the encodings with the labels of an argument.
#[derive(Default)]
pub(crate) struct Labels<'c> {
    /// Consecutive rows mostly have the same label.
    last: Option<(&'c [u8], Encoding)>,
}

impl<'c> Labels<'c> {
    /// The encoding in a row.
    pub(crate) fn find(&mut self, call: &Call, label: &'c [u8]) -> Result<Encoding> {
        if let Some((known, encoding)) = self.last
            && known == label
        {
            return Ok(encoding);
        }
        let found = label::find(label);
        let encoding = found.map_err(|error| exec_datafusion_err!("{}: {error}", call.name))?;
        self.last = Some((label, encoding));
        Ok(encoding)
    }
}
