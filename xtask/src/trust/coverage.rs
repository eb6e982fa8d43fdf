//! `cargo xtask coverage`: the lines of the library and its kernels that their own tests reach.

use std::path::Path;

use crate::share::Share;
use crate::steps::{self, Outcome, cargo};
use crate::tools::runs;

/// The percentage of lines that must be reached.
const LEAST: &str = "95";

/// Runs the tests of `utfall` and `utfall-simd`, and prints the lines of each file that they
/// reach; fails below [`LEAST`].
///
/// This does not include examples in the documentation, nor the sequences of three bytes in every
/// encoding, which would take hours with every branch counted.
pub(crate) fn run(root: &Path) -> Result<Outcome, String> {
    if !runs(&["cargo", "llvm-cov", "--version"]) {
        let how = "cargo install cargo-llvm-cov --locked; rustup component add llvm-tools";
        return Ok(Outcome::Skipped(format!("cargo-llvm-cov is missing ({how})")));
    }
    let measure = ["llvm-cov", "--profile", "checked", "-p", "utfall", "-p", "utfall-simd"];
    let report = ["--all-features", "--summary-only", "--fail-under-lines", LEAST];
    // One thread: two that count in the same place wait for each other.
    let tests = ["--", "--test-threads=1", "--skip", "every_sequence_of_up_to_three_bytes"];
    let mut command = cargo(root, &[&measure[..], &report, &tests].concat());
    steps::run(Share::Short(1).set(&mut command))?;
    Ok(Outcome::Passed)
}
