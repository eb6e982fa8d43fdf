//! `cargo xtask deny`: runs cargo-deny on all lock files: of the workspace, of `fuzz` and of `bindings/datafusion`.
//! Dependencies have a licence that we may use, come from crates.io, have no duplicates, run no
//! unknown code during the build, and have no advisory.
//!
//! `deny.toml` has the rules.

use std::path::Path;
use std::process::{Command, Stdio};

use crate::steps::{self, Outcome, Steps, Stopped};
use crate::tools;

const LACKING: &str = "cargo-deny is missing (`cargo install --locked cargo-deny` takes minutes)";

/// It chooses its dependencies itself, so their duplicates and build scripts are not checked.
const DATAFUSION: &str = "bindings/datafusion/Cargo.toml";

/// Checks all lock files, and then the advisories if they are available.
pub(crate) fn run(steps: &mut Steps, root: &Path) -> Result<(), Stopped> {
    steps.run("licences, sources and duplicates of dependencies", || {
        if !tools::runs(&["cargo-deny", "--version"]) {
            return Ok(Outcome::Skipped(LACKING.to_owned()));
        }
        check(root, "Cargo.toml", &["licenses", "bans", "sources"])?;
        check(root, "fuzz/Cargo.toml", &["licenses", "bans", "sources"])?;
        check(root, DATAFUSION, &["licenses", "sources"])?;
        Ok(Outcome::Passed)
    })?;
    steps.run("advisories against dependencies", || {
        if !tools::runs(&["cargo-deny", "--version"]) {
            return Ok(Outcome::Skipped(LACKING.to_owned()));
        }
        // A failed download and an advisory about a dependency must be distinguished.
        let mut fetch = deny(root, "Cargo.toml", &["fetch", "db"]);
        if steps::run(fetch.stderr(Stdio::null())).is_err() {
            let reason = "the RustSec database cannot be fetched from github.com";
            return Ok(Outcome::Skipped(reason.to_owned()));
        }
        let advisories = ["--disable-fetch", "advisories"];
        check(root, "Cargo.toml", &advisories)?;
        check(root, "fuzz/Cargo.toml", &advisories)?;
        check(root, DATAFUSION, &advisories)?;
        Ok(Outcome::Passed)
    })
}

fn check(root: &Path, manifest: &str, what: &[&str]) -> Result<(), String> {
    let mut check = deny(root, manifest, &["check", "--hide-inclusion-graph"]);
    // A duplicate that is allowed for one lock file need not be in the other.
    check.args([
        "--allow",
        "unmatched-skip",
        "--allow",
        "unmatched-skip-root",
        "--allow",
        "license-exception-not-encountered",
    ]);
    steps::run(check.args(what))
}

fn deny(root: &Path, manifest: &str, args: &[&str]) -> Command {
    let mut command = Command::new("cargo-deny");
    command.args(["--locked", "--manifest-path", manifest]).args(args).current_dir(root);
    command
}
