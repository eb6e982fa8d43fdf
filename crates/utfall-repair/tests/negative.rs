//! Text that looks odd and is right stays; and what is known to fail still does.

mod common;

use std::fs;

use common::repository;
use utfall_repair::{Options, repair, repair_with};

/// How many lines there must be.
const LEAST: usize = 500;

#[test]
fn odd_text_that_is_right_stays() {
    let text = fs::read_to_string(repository("testdata/repair/negative.txt")).unwrap();
    let lines: Vec<_> = text.lines().filter(|line| !line.starts_with("# ")).collect();
    assert!(lines.len() >= LEAST, "{}", lines.len());
    let mut wrong = Vec::new();
    for line in &lines {
        // Half of what is believed by default.
        for change in
            repair_with(line.as_bytes(), Options { min_confidence: 0.5, ..Options::default() })
                .changes
        {
            let after = String::from_utf8_lossy(&change.after).into_owned();
            wrong.push(format!("{line}: {after:?}: {} {}", change.chain, change.confidence));
        }
    }
    assert!(wrong.is_empty(), "{} changes:\n{}", wrong.len(), wrong.join("\n"));
    // And all of it at once.
    assert_eq!(repair(text.as_bytes()).octets, text.as_bytes());
}

/// A line of the file is what is there, what would be right, and why it fails. What does not fail
/// any more belongs into another test.
#[test]
fn known_failures_fail() {
    let text = fs::read_to_string(repository("testdata/repair/known-failures.tsv")).unwrap();
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let [broken, right, why] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("not three fields: {line}");
        };
        let octets = repair(broken.as_bytes()).octets;
        assert_ne!(String::from_utf8_lossy(&octets), right, "{why}");
    }
}
