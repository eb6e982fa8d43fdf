//! UTF-7 by the program: rules by name, bits, and what may pass.

use crate::common::utfall;
use serde_json::{Value, json};

#[test]
fn check_says_the_rule_the_byte_and_the_bit() {
    // Two units; a third, and padding that is not zero.
    let run = utfall("check -f UTF-7", "a\nb+AEEgrD-");
    assert_eq!(run.status, 1);
    let first = run.text().lines().next().unwrap().to_owned();
    assert_eq!(
        first,
        "error[ill-formed]: (standard input): line 2, column 4 (byte 9): 44: non-zero padding \
         bits in a shifted run, bit 32 of its group of eight digits"
    );
    let note = "= note: RFC 2152 rule 2: bits that are discarded must be zero";
    assert!(run.text().contains(note), "{run:?}");
    let run = utfall("check -f UTF-7 --all --format json", "+IKw~\\\x1B\u{E9}+2AA-+IKwA-+A-+@+");
    let kinds: Vec<(Value, Value)> = run
        .text()
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap())
        .filter(|object| object["type"] == "problem")
        .map(|object| (object["kind"].clone(), object["run_bit"].clone()))
        .collect();
    let expected = [
        ("not-direct", None),
        ("not-direct", None),
        ("control", None),
        ("eight-bit", None),
        ("eight-bit", None),
        ("high-surrogate", Some(0)),
        ("odd-bytes", Some(16)),
        ("dangling-digit", Some(0)),
        ("empty-shift", None),
        ("truncated", None),
    ];
    assert_eq!(kinds, expected.map(|(kind, bit)| (json!(kind), json!(bit))));
}

#[test]
fn what_passes_is_counted() {
    let text = "~\\+IKx-~";
    let run =
        utfall("convert -f UTF-7 -t UTF-8 --utf7-allow backslash-tilde,non-zero-padding", text);
    assert_eq!((run.status, run.text()), (0, "~\\€~"));
    let passed = "4 invalid sequences accepted (non-zero-padding, backslash-tilde)";
    assert!(run.stderr.contains(passed), "{run:?}");
    let run = utfall("convert -q -f UTF-7 -t UTF-8 --utf7-allow backslash-tilde", "~");
    run.quietly_gives("~");
    utfall("convert -f UTF-7 -t UTF-8 --utf7-allow controls", text).fails(
        1,
        &["(byte 0): 7E", "try --utf7-allow backslash-tilde; `utfall check -f UTF-7 --all` shows"],
    );
    utfall("convert -f UTF-7 -t UTF-8", "+2AA-")
        .fails(1, &["= help: `utfall check -f UTF-7 --all`"]);

    let run = utfall("check -f UTF-7 --utf7-allow backslash-tilde", "~~");
    run.quietly_gives(
        "(standard input): well-formed UTF-7; 2 invalid sequences accepted (backslash-tilde)\n\
         total: 1 file, 0 ill-formed, 0 problems\n",
    );
    let run = utfall("check -f UTF-7 --utf7-allow latin1 --format json", "~\u{E9}");
    let mut lines = run.text().lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let file = lines.find(|line| line["type"] == "file").unwrap();
    assert_eq!((&file["allowed"], &file["allowed_by"]), (&json!(2), &json!(["latin1"])));
    assert_eq!(file["errors"], 1);
}

#[test]
fn names_of_leniences() {
    utfall("check --utf7-allow sloppiness", "").fails(2, &["sloppiness", "non-zero-padding"]);
    utfall("check --utf7-allow end-shift-kept,end-shift-dropped", "")
        .fails(2, &["end-shift-dropped or end-shift-kept"]);
    let help = utfall("check --help", "");
    assert!(help.text().contains("split-pairs"), "{help:?}");
}
