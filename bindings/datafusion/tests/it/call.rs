//! Calls functions as DataFusion does: converts the arguments to the types that the function chooses, and checks
//! the type of the result.

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, BinaryArray, StringArray};
use arrow::compute::cast;
use arrow::datatypes::{DataType, Field, FieldRef, Float64Type, Int64Type};
use datafusion_common::{Result, ScalarValue};
use datafusion_expr::type_coercion::functions::fields_with_udf;
use datafusion_expr::{ColumnarValue, ReturnFieldArgs, ScalarFunctionArgs, ScalarUDF};

pub(crate) const ALL_TYPES: [DataType; 6] = [
    DataType::Binary,
    DataType::LargeBinary,
    DataType::BinaryView,
    DataType::Utf8,
    DataType::LargeUtf8,
    DataType::Utf8View,
];

pub(crate) fn function(name: &str) -> Arc<ScalarUDF> {
    let functions = utfall_datafusion::functions();
    functions.into_iter().find(|it| it.name() == name).expect(name)
}

pub(crate) fn binary(values: &[Option<&[u8]>]) -> ArrayRef {
    Arc::new(BinaryArray::from(values.to_vec()))
}

pub(crate) fn text(values: &[Option<&str>]) -> ArrayRef {
    Arc::new(StringArray::from(values.to_vec()))
}

pub(crate) fn word(text: &str) -> ColumnarValue {
    ColumnarValue::Scalar(ScalarValue::from(text))
}

pub(crate) fn bytes(value: &[u8]) -> ColumnarValue {
    ColumnarValue::Scalar(ScalarValue::Binary(Some(value.to_vec())))
}

/// The result of a call with a number of rows.
pub(crate) fn call(name: &str, args: &[ColumnarValue], rows: usize) -> Result<ColumnarValue> {
    let function = function(name);
    let given: Vec<FieldRef> =
        args.iter().map(|it| Arc::new(Field::new("it", it.data_type(), true))).collect();
    let fields = fields_with_udf(&given, function.as_ref())?;
    let mut coerced = Vec::new();
    for (arg, field) in args.iter().zip(&fields) {
        coerced.push(match arg {
            ColumnarValue::Array(array) => ColumnarValue::Array(cast(array, field.data_type())?),
            ColumnarValue::Scalar(it) => ColumnarValue::Scalar(it.cast_to(field.data_type())?),
        });
    }
    let return_field = function.return_field_from_args(ReturnFieldArgs {
        arg_fields: &fields,
        scalar_arguments: &vec![None; fields.len()],
    })?;
    let result = function.invoke_with_args(ScalarFunctionArgs {
        args: coerced,
        arg_fields: fields,
        number_rows: rows,
        return_field: Arc::clone(&return_field),
        config_options: Arc::default(),
    })?;
    assert_eq!(&result.data_type(), return_field.data_type(), "{name}");
    Ok(result)
}

/// The result of a call on columns.
pub(crate) fn column(name: &str, args: &[ColumnarValue]) -> Result<ArrayRef> {
    let is_array = |it: &&ColumnarValue| matches!(it, ColumnarValue::Array(_));
    let Some(ColumnarValue::Array(first)) = args.iter().find(is_array) else {
        panic!("{name}: no column");
    };
    match call(name, args, first.len())? {
        ColumnarValue::Array(array) => {
            assert_eq!(array.len(), first.len(), "{name}");
            Ok(array)
        }
        ColumnarValue::Scalar(scalar) => panic!("{name}: a constant: {scalar}"),
    }
}

/// The result of a call with constants, as an array of one row.
pub(crate) fn constant(name: &str, args: &[ColumnarValue]) -> Result<ArrayRef> {
    match call(name, args, 1000)? {
        ColumnarValue::Scalar(scalar) => scalar.to_array(),
        ColumnarValue::Array(array) => panic!("{name}: {} rows", array.len()),
    }
}

/// The bytes of each row.
pub(crate) fn rows(array: &ArrayRef) -> Vec<Option<Vec<u8>>> {
    let array = cast(array, &DataType::LargeBinary).expect("binary data or text");
    array.as_binary::<i64>().iter().map(|it| it.map(<[u8]>::to_vec)).collect()
}

/// A field of a struct, as text. `None` if it or the struct is null.
pub(crate) fn field(array: &ArrayRef, name: &str, row: usize) -> Option<String> {
    let records = array.as_struct();
    let column = records.column_by_name(name).expect(name);
    if records.is_null(row) || column.is_null(row) {
        return None;
    }
    Some(match column.data_type() {
        DataType::Utf8 => column.as_string::<i32>().value(row).to_owned(),
        DataType::Int64 => column.as_primitive::<Int64Type>().value(row).to_string(),
        DataType::Float64 => column.as_primitive::<Float64Type>().value(row).to_string(),
        DataType::Boolean => column.as_boolean().value(row).to_string(),
        other => panic!("{name}: {other}"),
    })
}
