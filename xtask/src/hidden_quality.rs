//! `cargo xtask hidden-quality`: measures how often the rules of `utfall check` for hidden text report
//! ordinary text, on the texts of `detect-quality`.

use std::path::Path;

use crate::detect_quality;
use crate::steps::{self, cargo};

const USAGE: &str = "\
usage: cargo xtask hidden-quality [RULE]

Prints the table of docs/check.md, or the lines that RULE reports.";

pub(crate) fn run(root: &Path, args: &[&str]) -> Result<(), String> {
    if args.len() > 1 || args.iter().any(|arg| arg.starts_with('-')) {
        return Err(USAGE.into());
    }
    let folder = detect_quality::texts(root, "held-out")?;
    let program = ["run", "--release", "--package", "utfall", "--features", "confusables"];
    let example = ["--example", "hidden_quality", "--", &folder.to_string_lossy()];
    steps::run(&mut cargo(root, &[&program[..], &example, args].concat()))
}
