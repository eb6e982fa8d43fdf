//! `cargo xtask mutants`: the codecs, changed in one place at a time; a test must see each change.
//! `.cargo/mutants.toml` says what is changed and which tests look.

use std::path::Path;

use crate::steps::{self, Outcome, cargo};
use crate::tools::{runs, target_dir};

/// Makes the changes that `args` leave (`--shard 0/12`: every twelfth), each in a copy of the
/// workspace. What no test saw stands in `mutants/mutants.out/missed.txt` of the target folder, and
/// the step fails.
pub(crate) fn run(root: &Path, args: &[&str]) -> Result<Outcome, String> {
    if !runs(&["cargo", "mutants", "--version"]) {
        let how = "cargo install cargo-mutants --locked";
        return Ok(Outcome::Skipped(format!("cargo-mutants is missing ({how})")));
    }
    let output = target_dir(root).join("mutants");
    let output = output.display().to_string();
    let mutants = ["mutants", "-p", "utfall", "--output", &output, "--sharding", "round-robin"];
    // A change of a codec is seen within a few cases, or by none.
    let mut command = cargo(root, &[&mutants, args].concat());
    steps::run(command.env("UTFALL_TEST_SHORT", "4"))?;
    Ok(Outcome::Passed)
}
