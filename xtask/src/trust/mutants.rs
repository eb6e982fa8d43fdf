//! `cargo xtask mutants`: changes the codecs in one place at a time; a test must detect each
//! change. `.cargo/mutants.toml` defines the changes and the tests.

use std::path::Path;

use crate::share::Share;
use crate::steps::{self, Outcome, cargo};
use crate::tools::{runs, target_dir};

/// Makes the changes that `args` select (`--shard 0/12`: every twelfth), each in a copy of the
/// workspace. The file `mutants/mutants.out/missed.txt` of the target directory lists those that
/// no test detected, and the step fails.
pub(crate) fn run(root: &Path, args: &[&str]) -> Result<Outcome, String> {
    if !runs(&["cargo", "mutants", "--version"]) {
        let how = "cargo install cargo-mutants --locked";
        return Ok(Outcome::Skipped(format!("cargo-mutants is missing ({how})")));
    }
    let output = target_dir(root).join("mutants");
    let output = output.display().to_string();
    let mutants = ["mutants", "-p", "utfall", "--output", &output, "--sharding", "round-robin"];
    // A change of a codec is detected within a few cases, or not at all.
    steps::run(Share::Short(4).set(&mut cargo(root, &[&mutants, args].concat())))?;
    Ok(Outcome::Passed)
}
