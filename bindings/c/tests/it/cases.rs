//! The cases of `testdata/bindings` through the C functions. The file has the answers of Rust.

mod convert;
mod registry;
mod report;
mod units;

use std::collections::BTreeMap;
use std::ffi::{CStr, c_char};
use std::{fs, ptr};

use serde_json::{Map, Value};
use utfall_c::*;

#[test]
fn cases_are_as_in_rust() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/bindings/cases.json");
    let file: Value = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
    let mut counts = BTreeMap::new();
    for case in file["cases"].as_array().unwrap() {
        let case = Case(case);
        match case.text("call") {
            "encoding" => registry::encoding(case),
            "label" => registry::label(case),
            "bom" => registry::bom(case),
            "option-error" => registry::option_error(case),
            "character-name" => registry::character_name(case),
            "validate" => convert::validate(case),
            "transcode" => convert::transcode(case),
            "stream" => convert::stream(case),
            "imap-encode" => convert::imap_encode(case),
            "imap-decode" => convert::imap_decode(case),
            "detect" => report::detect(case),
            "repair" => report::repair(case),
            "explain" => report::explain(case, utfall_explain_json),
            "explain-mail" => report::explain(case, utfall_explain_mail_json),
            "check" => report::check(case),
            other => panic!("no test for {other}"),
        }
        *counts.entry(case.text("call")).or_insert(0) += 1;
    }
    println!("{counts:?}");
    assert_eq!(counts.len(), 15);
}

/// A case, or a part of it.
#[derive(Clone, Copy)]
struct Case<'a>(&'a Value);

impl<'a> Case<'a> {
    fn get(self, field: &str) -> &'a Value {
        self.0.get(field).unwrap_or_else(|| panic!("no {field} in {}", self.0))
    }

    fn text(self, field: &str) -> &'a str {
        self.get(field).as_str().unwrap()
    }

    fn number(self, field: &str) -> u64 {
        self.get(field).as_u64().unwrap()
    }

    fn bytes(self, field: &str) -> Vec<u8> {
        let digits = self.text(field);
        let pairs = (0..digits.len()).step_by(2);
        pairs.map(|at| u8::from_str_radix(&digits[at..at + 2], 16).unwrap()).collect()
    }

    fn list(self, field: &str) -> impl Iterator<Item = Case<'a>> {
        self.get(field).as_array().unwrap().iter().map(Case)
    }

    fn object(self, field: &str) -> &'a Map<String, Value> {
        self.get(field).as_object().unwrap()
    }

    /// The number of the encoding that a field names; 0 for `null`.
    fn encoding(self, field: &str) -> utfall_encoding {
        self.get(field).as_str().map_or(0, number_of)
    }

    /// The case itself, for messages.
    #[track_caller]
    fn compare<T: PartialEq + std::fmt::Debug>(self, actual: T, expected: T) {
        assert_eq!(actual, expected, "{}", self.0);
    }
}

fn number_of(label: &str) -> utfall_encoding {
    // SAFETY: a label of this length.
    let found = unsafe { utfall_for_label(label.as_ptr().cast(), label.len()) };
    assert_ne!(found, 0, "{label}");
    found
}

fn string(text: *const c_char) -> Option<&'static str> {
    // SAFETY: NULL, or a constant string that ends with NUL.
    (!text.is_null()).then(|| unsafe { CStr::from_ptr(text) }.to_str().unwrap())
}

/// What a function writes to a space of sufficient size.
fn written(write: impl Fn(*mut c_char, usize) -> usize) -> String {
    let mut text = vec![0_u8; write(ptr::null_mut(), 0) + 1];
    let length = write(text.as_mut_ptr().cast(), text.len());
    assert_eq!(text.pop(), Some(0));
    assert_eq!(text.len(), length);
    String::from_utf8(text).unwrap()
}

/// An error in the form of the cases.
fn problem(error: &utfall_error) -> Value {
    if *error == utfall_error::default() {
        return Value::Null;
    }
    // SAFETY: a valid error, and the size of the space.
    let message = written(|text, size| unsafe { utfall_error_message(error, text, size) });
    // SAFETY: as above.
    let clause = written(|text, size| unsafe { utfall_error_clause(error, text, size) });
    let mut value = serde_json::json!({
        "offset": error.offset,
        "length": error.length,
        "kind": string(utfall_kind_name(error.kind)),
        "encoding": string(utfall_name(error.encoding)),
        "message": message,
        "clause": clause,
    });
    if error.line > 0 {
        value["line"] = error.line.into();
        value["column"] = error.column.into();
    }
    if error.run_bit != UTFALL_NO_RUN_BIT {
        value["run_bit"] = error.run_bit.into();
    }
    if error.kind == UTFALL_KIND_UNENCODABLE {
        value["code_point"] = error.code_point.into();
    }
    value
}
