//! Unusual but correct text must not change, and known failures must still fail.

use std::fs;

use crate::common::repository;
use utfall_repair::{Options, repair, repair_with};

/// The least number of lines in the file.
const LEAST: usize = 500;

#[test]
fn odd_text_that_is_right_stays() {
    let text = fs::read_to_string(repository("testdata/repair/negative.txt")).unwrap();
    let lines: Vec<_> = text.lines().filter(|line| !line.starts_with("# ")).collect();
    assert!(lines.len() >= LEAST, "{}", lines.len());
    let mut wrong = Vec::new();
    for line in &lines {
        // A lower confidence than the default of 0.9.
        for change in
            repair_with(line.as_bytes(), Options::default().with_min_confidence(0.5)).changes
        {
            let after = String::from_utf8_lossy(&change.after).into_owned();
            wrong.push(format!("{line}: {after:?}: {} {}", change.chain, change.confidence));
        }
    }
    assert!(wrong.is_empty(), "{} changes:\n{}", wrong.len(), wrong.join("\n"));
    // The whole text at once.
    let changes = repair(text.as_bytes()).changes;
    assert!(changes.is_empty(), "{changes:?}");
}

/// Each line of the file has the input, the right result, and the reason for the failure. Cases
/// that no longer fail belong in another test.
#[test]
fn known_failures_fail() {
    let text = fs::read_to_string(repository("testdata/repair/known-failures.tsv")).unwrap();
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let [broken, right, why] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("not three fields: {line}");
        };
        let bytes = repair(broken.as_bytes()).bytes;
        assert_ne!(String::from_utf8_lossy(&bytes), right, "{why}");
    }
}
