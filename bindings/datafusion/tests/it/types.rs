//! Types of arguments and results.

use std::sync::Arc;

use arrow::array::{ArrayRef, AsArray, FixedSizeBinaryArray, Int64Array, NullArray};
use arrow::compute::cast;
use arrow::datatypes::DataType;
use datafusion_expr::ColumnarValue;

use crate::call::{ALL_TYPES, binary, call, column, field, rows, text, word};

/// The results in layouts of binary data and text, by the type of the argument.
fn layouts(data_type: &DataType) -> (DataType, DataType) {
    match data_type {
        DataType::Binary | DataType::Utf8 => (DataType::Binary, DataType::Utf8),
        DataType::LargeBinary | DataType::LargeUtf8 => (DataType::LargeBinary, DataType::LargeUtf8),
        _ => (DataType::BinaryView, DataType::Utf8View),
    }
}

fn is_text(data_type: &DataType) -> bool {
    matches!(data_type, DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View)
}

#[test]
fn every_type_of_binary_data_and_text() {
    let long = "é".repeat(40);
    let values = text(&[Some("é"), None, Some(""), Some("abc"), Some(&long)]);
    let utf16: Vec<_> = ["é", "", "abc", &long].map(utf16).into();
    let expected_utf16 = [
        Some(utf16[0].clone()),
        None,
        Some(vec![]),
        Some(utf16[2].clone()),
        Some(utf16[3].clone()),
    ];
    for data_type in ALL_TYPES {
        let array = ColumnarValue::Array(cast(&values, &data_type).unwrap());
        let (binary_type, text_type) = layouts(&data_type);

        let decoded = column("utf_decode", &[array.clone(), word("utf-8")]).unwrap();
        assert_eq!((decoded.data_type(), rows(&decoded)), (&text_type, rows(&values)));
        let encoded = column("utf_encode", &[array.clone(), word("utf-16le")]).unwrap();
        assert_eq!((encoded.data_type(), &rows(&encoded)[..]), (&binary_type, &expected_utf16[..]));
        let transcoded =
            column("utf_transcode", &[array.clone(), word("utf-8"), word("utf-16le")]).unwrap();
        assert_eq!((transcoded.data_type(), rows(&transcoded)), (&binary_type, rows(&encoded)));
        let repaired = column("utf_repair", std::slice::from_ref(&array)).unwrap();
        let repaired_type = if is_text(&data_type) { &text_type } else { &binary_type };
        assert_eq!((repaired.data_type(), rows(&repaired)), (repaired_type, rows(&values)));
        let valid = column("utf_valid", &[array.clone(), word("us-ascii")]).unwrap();
        let expected = [Some(false), None, Some(true), Some(true), Some(false)];
        assert_eq!(valid.as_boolean().iter().collect::<Vec<_>>(), expected);
        let guess = column("utf_detect", std::slice::from_ref(&array)).unwrap();
        assert_eq!(field(&guess, "encoding", 3).as_deref(), Some("US-ASCII"));
        let problem = column("utf_problem", &[array, word("us-ascii")]).unwrap();
        let offsets: Vec<_> = (0..5).map(|row| field(&problem, "offset", row)).collect();
        assert_eq!(offsets, [Some("0".into()), None, None, None, Some("0".into())]);
    }
}

fn utf16(text: &str) -> Vec<u8> {
    text.encode_utf16().flat_map(u16::to_le_bytes).collect()
}

#[test]
fn every_type_of_words() {
    let data = ColumnarValue::Array(binary(&[Some(b"\xE9"), Some(b"\xE9")]));
    for data_type in [DataType::Utf8, DataType::LargeUtf8, DataType::Utf8View] {
        let labels = cast(&text(&[Some("latin1"), Some("us-ascii")]), &data_type).unwrap();
        let policies = cast(&text(&[Some("strict"), Some("replace")]), &data_type).unwrap();
        let args = [data.clone(), ColumnarValue::Array(labels), ColumnarValue::Array(policies)];
        let decoded = column("utf_decode", &args).unwrap();
        assert_eq!(rows(&decoded), rows(&text(&[Some("é"), Some("\u{FFFD}")])));
    }
}

#[test]
fn dictionaries_and_fixed_sizes() {
    let words = text(&[Some("Zoë"), None, Some("Zoë"), Some("a")]);
    let dictionary = DataType::Dictionary(DataType::Int32.into(), DataType::Utf8View.into());
    let array = ColumnarValue::Array(cast(&words, &dictionary).unwrap());
    let encoded = column("utf_encode", &[array, word("latin1")]).unwrap();
    assert_eq!(encoded.data_type(), &DataType::BinaryView);
    assert_eq!(
        rows(&encoded),
        rows(&binary(&[Some(b"Zo\xEB"), None, Some(b"Zo\xEB"), Some(b"a")]))
    );

    let fixed = FixedSizeBinaryArray::try_from_iter([*b"a\xE9", *b"bc"].iter()).unwrap();
    let array = ColumnarValue::Array(Arc::new(fixed));
    let decoded = column("utf_decode", &[array, word("latin1")]).unwrap();
    assert_eq!(decoded.data_type(), &DataType::Utf8);
    assert_eq!(rows(&decoded), rows(&text(&[Some("aé"), Some("bc")])));
}

#[test]
fn untyped_nulls() {
    let nulls: ArrayRef = Arc::new(NullArray::new(3));
    for (name, words) in [
        ("utf_valid", 1),
        ("utf_decode", 2),
        ("utf_encode", 2),
        ("utf_transcode", 3),
        ("utf_detect", 0),
        ("utf_problem", 1),
        ("utf_repair", 0),
    ] {
        let args = vec![ColumnarValue::Array(Arc::clone(&nulls)); 1 + words];
        let result = column(name, &args).unwrap();
        assert_eq!(result.null_count(), 3, "{name}");
    }
}

#[test]
fn other_types_are_refused() {
    let number = ColumnarValue::Array(Arc::new(Int64Array::from(vec![1])));
    let refused = |name, args: &[ColumnarValue]| call(name, args, 1).unwrap_err().to_string();
    let message = refused("utf_decode", &[number.clone(), word("utf-8")]);
    let expected = "utf_decode(bytes, encoding [, on_error]): bytes must be binary data or text, not Int64; cast it";
    assert!(message.contains(expected), "{message}");
    let data = ColumnarValue::Array(binary(&[Some(b"a")]));
    let message = refused("utf_valid", &[data.clone(), number]);
    assert!(message.contains("encoding must be text, not Int64; cast it"), "{message}");
    let message = refused("utf_problem", std::slice::from_ref(&data));
    assert!(
        message.contains("utf_problem(bytes, encoding), but there are 1 argument"),
        "{message}"
    );
    let message = refused("utf_repair", &[data, word("utf-8")]);
    assert!(message.contains("expected utf_repair(text), but there are 2 argument"), "{message}");
}
