//! Values: null, empty, long, invalid; columns, constants, slices.

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, BinaryArray, StringArray};
use arrow::compute::cast;
use arrow::datatypes::DataType;
use datafusion_common::ScalarValue;
use datafusion_expr::ColumnarValue;

use crate::call::{ALL_TYPES, binary, bytes, call, column, constant, field, rows, text, word};

/// Each function with values for all arguments. A letter is the kind of an argument: bytes, text, encoding, policy.
const CALLS: [(&str, &str); 11] = [
    ("utf_valid", "b"),
    ("utf_valid", "be"),
    ("utf_decode", "be"),
    ("utf_decode", "bep"),
    ("utf_encode", "te"),
    ("utf_encode", "tep"),
    ("utf_transcode", "bee"),
    ("utf_transcode", "beep"),
    ("utf_detect", "b"),
    ("utf_repair", "t"),
    ("utf_problem", "be"),
];

fn scalar(kind: char, is_null: bool) -> ScalarValue {
    match kind {
        // Invalid, so that `utf_problem` is not null.
        'b' => ScalarValue::Binary((!is_null).then(|| b"a\xFF".into())),
        't' => ScalarValue::Utf8((!is_null).then(|| "aé".into())),
        'e' => ScalarValue::Utf8((!is_null).then(|| "UTF-8".into())),
        _ => ScalarValue::Utf8((!is_null).then(|| "replace".into())),
    }
}

#[test]
fn null_makes_null() {
    for (name, kinds) in CALLS {
        let has_policy = kinds.contains('p');
        // Without a policy, bytes must be valid.
        let value = |kind, is_null| match (kind, is_null, name) {
            ('b', false, "utf_decode" | "utf_transcode") if !has_policy => {
                ScalarValue::Binary(Some(b"a".into()))
            }
            _ => scalar(kind, is_null),
        };
        for missing in std::iter::once(None).chain((0..kinds.len()).map(Some)) {
            let values =
                kinds.chars().enumerate().map(|(at, kind)| value(kind, missing == Some(at)));
            let values: Vec<_> = values.collect();
            let constants: Vec<_> = values.iter().cloned().map(ColumnarValue::Scalar).collect();
            let found = constant(name, &constants).unwrap();
            assert_eq!(found.null_count() == 1, missing.is_some(), "{name} {kinds} {missing:?}");
            // Each argument as a column, and all of them; every second row has no null.
            for columns in (0..kinds.len()).map(Some).chain([None]) {
                let mut args = constants.clone();
                for (at, kind) in kinds.chars().enumerate() {
                    if columns.is_none_or(|only| only == at) {
                        let pair = [values[at].clone(), value(kind, false)];
                        let rows = pair.into_iter().cycle().take(6);
                        args[at] = ColumnarValue::Array(ScalarValue::iter_to_array(rows).unwrap());
                    }
                }
                let found = column(name, &args).unwrap();
                let is_varying = missing.is_some_and(|at| columns.is_none_or(|only| only == at));
                let expected = if is_varying {
                    3
                } else if missing.is_some() {
                    6
                } else {
                    0
                };
                assert_eq!(found.null_count(), expected, "{name} {kinds} {missing:?} {columns:?}");
            }
        }
    }
}

#[test]
fn fields_of_a_valid_text_are_null() {
    let found = constant("utf_problem", &[bytes(b"a"), word("utf-8")]).unwrap();
    assert_eq!(found.null_count(), 1);
    assert_eq!(field(&found, "message", 0), None);
    // Binary data: no guess, but an answer.
    let found = constant("utf_detect", &[bytes(&Vec::from_iter(0..40))]).unwrap();
    assert_eq!(found.null_count(), 0);
    assert_eq!(field(&found, "encoding", 0), None);
    assert_eq!(field(&found, "sure", 0).as_deref(), Some("false"));
}

#[test]
fn no_rows() {
    for data_type in ALL_TYPES {
        let none = ColumnarValue::Array(arrow::array::new_empty_array(&data_type));
        for (name, kinds) in CALLS {
            let mut args = vec![none.clone()];
            let words = kinds.chars().skip(1);
            args.extend(words.map(|kind| ColumnarValue::Scalar(scalar(kind, false))));
            assert_eq!(column(name, &args).unwrap().len(), 0, "{name}");
        }
    }
}

#[test]
fn columns_that_do_not_start_at_their_first_value() {
    let values: Vec<_> = (0..40).map(|i| (i % 7 != 3).then(|| format!("é{i}"))).collect();
    let all: ArrayRef = Arc::new(StringArray::from(values));
    for data_type in ALL_TYPES {
        let array = cast(&all, &data_type).unwrap().slice(5, 20);
        let ascii = column("utf_encode", &[ColumnarValue::Array(array.clone()), word("utf-8")]);
        assert_eq!(rows(&ascii.unwrap()), rows(&array), "{data_type}");
        let valid = column("utf_valid", &[ColumnarValue::Array(array)]).unwrap();
        assert_eq!((valid.len(), valid.null_count()), (20, 3), "{data_type}");
    }
}

#[test]
fn ascii_is_shared() {
    for data_type in ALL_TYPES {
        let values = text(&[Some("a text of more than twelve bytes"), None, Some("b")]);
        let array = cast(&values, &data_type).unwrap();
        let decoded =
            column("utf_decode", &[ColumnarValue::Array(array.clone()), word("latin1")]).unwrap();
        assert_eq!(rows(&decoded), rows(&values));
        let data = |array: &ArrayRef| array.to_data().buffers()[1].as_ptr();
        assert_eq!(data(&decoded), data(&array), "{data_type}");
    }
    // UTF-7 has other bytes for some of it, and errors are still found.
    let values = ColumnarValue::Array(text(&[Some("1 + 1")]));
    let encoded = column("utf_encode", &[values.clone(), word("utf-7")]).unwrap();
    assert_eq!(rows(&encoded), [Some(b"1 +- 1".to_vec())]);
    let error = column("utf_encode", &[values, word("utf-9")]).unwrap_err().to_string();
    assert!(error.contains("unknown encoding"), "{error}");
}

#[test]
fn one_bad_value_in_the_middle() {
    let values: Vec<Vec<u8>> = (0..10_000)
        .map(|i| if i == 5000 { b"a\n\xC3(".to_vec() } else { format!("é{i}").into_bytes() })
        .collect();
    for data_type in &ALL_TYPES[..3] {
        let array: ArrayRef = Arc::new(BinaryArray::from_iter_values(&values));
        let array = ColumnarValue::Array(cast(&array, data_type).unwrap());
        let error = column("utf_decode", &[array.clone(), word("utf-8")]).unwrap_err().to_string();
        for part in [
            "utf_decode: ",
            "at byte 2 (line 2, column 1): RFC 3629 §",
            "; utf_detect guesses the encoding; 'null' as the last argument gives NULL",
        ] {
            assert!(error.contains(part), "{error}");
        }
        for (policy, expected) in [
            ("null", None),
            ("replace", Some("a\n\u{FFFD}(")),
            ("skip", Some("a\n(")),
            ("escape", Some("a\n\\xc3(")),
        ] {
            let found =
                column("utf_decode", &[array.clone(), word("utf-8"), word(policy)]).unwrap();
            for (row, found) in rows(&found).into_iter().enumerate() {
                let expected = match row {
                    5000 => expected.map(|it| it.as_bytes().to_vec()),
                    _ => Some(values[row].clone()),
                };
                assert_eq!(found, expected, "{policy}, row {row}");
            }
        }
        let valid = column("utf_valid", std::slice::from_ref(&array)).unwrap();
        let wrong: Vec<_> =
            (0..values.len()).filter(|row| !valid.as_boolean().value(*row)).collect();
        assert_eq!(wrong, [5000]);
        let problems = column("utf_problem", &[array, word("utf-8")]).unwrap();
        assert_eq!(problems.len() - problems.null_count(), 1);
        assert_eq!(field(&problems, "line", 5000).as_deref(), Some("2"));
    }
}

#[test]
fn a_character_that_the_target_lacks() {
    let text = word("10 €");
    let error = constant("utf_encode", &[text.clone(), word("latin1")]).unwrap_err().to_string();
    let expected =
        "utf_encode: U+20AC \"€\" cannot be encoded in ISO-8859-1 at byte 3 (line 1, column 4)";
    assert!(error.contains(expected) && error.contains("'null'"), "{error}");
    assert!(!error.contains("utf_detect"), "{error}");
    for (policy, expected) in
        [("null", None), ("replace", Some("10 ?")), ("escape-xml", Some("10 &#8364;"))]
    {
        let found = constant("utf_encode", &[text.clone(), word("latin1"), word(policy)]).unwrap();
        assert_eq!(rows(&found), [expected.map(|it| it.as_bytes().to_vec())]);
    }
}

#[test]
fn wrong_words() {
    let error = |name, args: &[_]| call(name, args, 100).unwrap_err().to_string();
    let message = error("utf_valid", &[bytes(b""), word("utf-9")]);
    assert!(
        message.contains("utf_valid: unknown encoding \"utf-9\"; did you mean \"UTF-8\""),
        "{message}"
    );
    let message = error("utf_decode", &[bytes(b"a"), word("utf-8"), word("ignore")]);
    let expected =
        "utf_decode: on-error: unknown value \"ignore\"; expected null, strict, replace, ";
    assert!(message.contains(expected), "{message}");
    let message = error("utf_decode", &[bytes(b"a"), word("utf-8"), word("surrogateescape")]);
    assert!(
        message.contains("surrogateescape keeps invalid bytes")
            && message.contains("utf_transcode")
    );
    // In the middle of a column.
    let labels: Vec<_> =
        (0..100).map(|i| Some(if i == 50 { "klingon" } else { "utf-8" })).collect();
    let message = error("utf_decode", &[bytes(b"a"), ColumnarValue::Array(text(&labels))]);
    assert!(message.contains("unknown encoding \"klingon\""), "{message}");
    // Rows with null are not looked at.
    let nulls = ColumnarValue::Array(binary(&[None, None]));
    assert_eq!(column("utf_decode", &[nulls, word("utf-8")]).unwrap().null_count(), 2);
}

#[test]
fn a_bom_is_no_text() {
    for (label, data) in [
        ("utf-8", &b"\xEF\xBB\xBFa"[..]),
        ("utf-16", b"\xFE\xFF\0a"),
        ("utf-16", b"\xFF\xFEa\0"),
        ("utf-16le", b"\xFF\xFEa\0"),
    ] {
        let found = constant("utf_decode", &[bytes(data), word(label)]).unwrap();
        assert_eq!(rows(&found), [Some(b"a".to_vec())], "{label}");
    }
    let kept = [bytes(b"\xEF\xBB\xBFa"), word("utf-8"), word("utf-8")];
    assert_eq!(rows(&constant("utf_transcode", &kept).unwrap()), [Some(b"\xEF\xBB\xBFa".to_vec())]);
}

#[test]
fn repair_of_some_rows() {
    let values = [Some("dÃ©jÃ\u{A0} vu"), None, Some("naïve"), Some("")];
    for data_type in ALL_TYPES {
        let array = ColumnarValue::Array(cast(&text(&values), &data_type).unwrap());
        let found = column("utf_repair", &[array]).unwrap();
        assert_eq!(rows(&found), rows(&text(&[Some("déjà vu"), None, Some("naïve"), Some("")])));
    }
}

#[test]
fn labels_by_row() {
    let (labels, data): (Vec<_>, Vec<_>) = (0..300)
        .map(|i| [("latin1", &b"\xE9"[..]), ("utf-8", b"\xC3\xA9"), ("utf-16be", b"\0\xE9")][i % 3])
        .map(|(label, data)| (Some(label), Some(data)))
        .unzip();
    let args = [ColumnarValue::Array(binary(&data)), ColumnarValue::Array(text(&labels))];
    let found = column("utf_decode", &args).unwrap();
    assert!(rows(&found).iter().all(|row| row.as_deref() == Some("é".as_bytes())));
    assert_eq!(found.data_type(), &DataType::Utf8);
}
