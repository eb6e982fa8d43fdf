//! `testdata/bindings/cases.json`: calls with the answers of Rust, which every binding must give.
//! `UTFALL_BLESS=1` writes the file. `testdata/bindings/README.md` describes its fields.

mod case;
mod conversions;
mod registry;
mod reports;

use std::collections::BTreeMap;

use case::Case;
use utfall_bind::json;

const FILE: &str = "testdata/bindings/cases.json";

const HEAD: &str = "{\n\
    \"about\": \"Written by UTFALL_BLESS=1 cargo test -p utfall-bind. README.md describes the fields.\",\n\
    \"cases\": [\n";

fn cases() -> Vec<Case> {
    [registry::cases(), conversions::cases(), reports::cases()].concat()
}

/// One case a line, so that a difference shows what has changed.
#[test]
fn the_cases_are_current() {
    let lines: Vec<String> = cases().iter().map(json::text).collect();
    utfall_page::compare(FILE, &format!("{HEAD}{}\n]\n}}\n", lines.join(",\n")));
}

#[test]
fn every_function_has_cases() {
    let mut counts = BTreeMap::new();
    let mut errors = 0;
    for case in cases() {
        let line: serde_json::Value = serde_json::from_str(&json::text(&case)).unwrap();
        let call = line["call"].as_str().unwrap().to_owned();
        errors += usize::from(line["error"].is_object());
        *counts.entry(call).or_insert(0) += 1;
    }
    println!("{counts:?}, {errors} errors");
    let least = [
        ("encoding", 60),
        ("label", 10),
        ("bom", 5),
        ("option-error", 8),
        ("validate", 100),
        ("transcode", 200),
        ("stream", 10),
        ("imap-encode", 3),
        ("imap-decode", 5),
        ("detect", 8),
        ("repair", 4),
        ("explain", 6),
        ("explain-mail", 5),
        ("check", 6),
        ("character-name", 5),
    ];
    assert_eq!(counts.len(), least.len());
    for (call, least) in least {
        assert!(counts.get(call).is_some_and(|count| *count >= least), "{call}: {counts:?}");
    }
    assert!(errors > 100);
}
