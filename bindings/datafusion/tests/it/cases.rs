//! The answers of the Rust library, in `testdata/bindings/cases.json`.

use std::fs;
use std::path::Path;

use arrow::array::{Array, AsArray};
use datafusion_expr::ColumnarValue;
use serde_json::Value;

use crate::call::{binary, bytes, column, constant, field, rows, text, word};

fn cases(call: &str) -> Vec<Value> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/bindings/cases.json");
    let all: Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    let mut cases = all["cases"].as_array().unwrap().clone();
    cases.retain(|case| case["call"] == call);
    assert!(!cases.is_empty(), "{call}");
    cases
}

fn unhex(digits: &Value) -> Vec<u8> {
    let digits = digits.as_str().unwrap();
    let pairs = (0..digits.len()).step_by(2);
    pairs.map(|at| u8::from_str_radix(&digits[at..at + 2], 16).unwrap()).collect()
}

fn str_of(value: &Value) -> &str {
    value.as_str().unwrap()
}

/// A member of an object, as `field` shows it.
fn shown(value: &Value) -> Option<String> {
    match value {
        Value::Null => None,
        Value::String(text) => Some(text.clone()),
        other => Some(other.to_string()),
    }
}

/// All at once, so the encodings are a column.
#[test]
fn validation() {
    let cases = cases("validate");
    let inputs: Vec<_> = cases.iter().map(|case| unhex(&case["input"])).collect();
    let inputs = binary(&inputs.iter().map(|it| Some(&it[..])).collect::<Vec<_>>());
    let labels = text(&cases.iter().map(|case| case["encoding"].as_str()).collect::<Vec<_>>());
    let args = [ColumnarValue::Array(inputs), ColumnarValue::Array(labels)];
    let valid = column("utf_valid", &args).unwrap();
    let problems = column("utf_problem", &args).unwrap();
    for (row, case) in cases.iter().enumerate() {
        let error = &case["error"];
        assert_eq!(valid.as_boolean().value(row), error.is_null(), "{case}");
        assert_eq!(problems.is_null(row), error.is_null(), "{case}");
        for name in ["offset", "length", "line", "column", "kind", "clause", "message"] {
            assert_eq!(field(&problems, name, row), shown(&error[name]), "{name}: {case}");
        }
    }
}

/// The word for the last argument; `None` if there is no such option.
fn policy(case: &Value) -> Option<&str> {
    let options = case["options"].as_object().unwrap();
    match (options.len(), options.get("on-error"), options.get("bom")) {
        (0, ..) => Some("strict"),
        (1, None, Some(bom)) if bom == "strip" => Some("strict"),
        (1, Some(word), _) => word.as_str(),
        _ => None,
    }
}

#[test]
fn conversion() {
    let mut count = 0;
    for case in cases("transcode") {
        let Some(policy) = policy(&case) else { continue };
        let (input, error) = (unhex(&case["input"]), &case["error"]);
        let (from, to) = (str_of(&case["from"]), str_of(&case["to"]));
        let keeps_bom = case["options"].get("bom").is_none();
        let mut calls = Vec::new();
        if keeps_bom {
            calls.push(("utf_transcode", vec![bytes(&input), word(from), word(to)]));
        }
        if to == "UTF-8" && policy != "surrogateescape" {
            calls.push(("utf_decode", vec![bytes(&input), word(from)]));
        }
        if from == "UTF-8" && keeps_bom {
            calls.push(("utf_encode", vec![bytes(&input), word(to)]));
            if let Ok(text) = str::from_utf8(&input) {
                calls.push(("utf_encode", vec![word(text), word(to)]));
            }
        }
        for (name, mut args) in calls {
            count += 1;
            args.push(word(policy));
            let found = constant(name, &args);
            if error.is_null() {
                let output = unhex(&case["output"]);
                let mut expected = &output[..];
                if name == "utf_decode" {
                    expected = expected.strip_prefix("\u{FEFF}".as_bytes()).unwrap_or(expected);
                }
                assert_eq!(rows(&found.unwrap())[0].as_deref(), Some(expected), "{name}: {case}");
                continue;
            }
            let message = found.unwrap_err().to_string();
            let place = format!("at byte {}", error["offset"]);
            for part in [str_of(&error["message"]), &place, str_of(&error["clause"])] {
                assert!(message.contains(part), "{message}: {case}");
            }
            args.pop();
            args.push(word("null"));
            assert_eq!(constant(name, &args).unwrap().null_count(), 1, "{name}: {case}");
        }
    }
    assert!(count > 450, "{count}");
}

#[test]
fn labels() {
    for case in cases("label") {
        let found = constant("utf_valid", &[bytes(b""), word(str_of(&case["label"]))]);
        match &case["message"] {
            Value::Null => assert!(found.unwrap().as_boolean().value(0), "{case}"),
            message => {
                let error = found.unwrap_err().to_string();
                assert!(error.contains(str_of(message)), "{error}: {case}");
            }
        }
    }
}

fn has_options(case: &Value) -> bool {
    !case["options"].as_object().unwrap().is_empty()
}

#[test]
fn detection() {
    for case in cases("detect").iter().filter(|case| !has_options(case)) {
        let found = constant("utf_detect", &[bytes(&unhex(&case["input"]))]).unwrap();
        let report = &case["report"][0];
        let best = &report["candidates"][0];
        assert_eq!(field(&found, "sure", 0), shown(&report["sure"]), "{case}");
        assert_eq!(field(&found, "encoding", 0), shown(&best["encoding"]), "{case}");
        let confidence = field(&found, "confidence", 0).map(|it| it.parse::<f64>().unwrap());
        assert_eq!(confidence, best["confidence"].as_f64(), "{case}");
        let evidence = best["evidence"].as_array().map(|all| {
            let texts: Vec<_> = all.iter().map(|reason| str_of(&reason["text"])).collect();
            texts.join("; ")
        });
        assert_eq!(field(&found, "evidence", 0), evidence, "{case}");
    }
}

#[test]
fn repair() {
    for case in cases("repair").iter().filter(|case| !has_options(case)) {
        let (input, output) = (unhex(&case["input"]), unhex(&case["output"]));
        let found = constant("utf_repair", &[bytes(&input)]).unwrap();
        assert_eq!(rows(&found), [Some(output.clone())], "{case}");
        if let Ok(text) = str::from_utf8(&input) {
            assert_eq!(
                rows(&constant("utf_repair", &[word(text)]).unwrap()),
                [Some(output)],
                "{case}"
            );
        }
    }
}
