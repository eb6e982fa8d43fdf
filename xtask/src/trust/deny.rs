//! `cargo xtask deny`: what we depend on has a licence that we may use, comes from crates.io, once,
//! runs nothing while we build that we do not know of, and has no advisory against it.
//!
//! `deny.toml` says it in full; cargo-deny looks. Both lock files are checked: that of the workspace,
//! and that of `fuzz`.

use std::path::Path;
use std::process::{Command, Stdio};

use crate::steps::{self, Outcome, Steps, Stopped};
use crate::tools;

const LACKING: &str = "there is no cargo-deny (`cargo install --locked cargo-deny` takes minutes)";

/// Checks both lock files, and then looks for advisories if they can be had.
pub(crate) fn run(steps: &mut Steps, root: &Path) -> Result<(), Stopped> {
    steps.run("licences, sources and doubles of dependencies", || {
        if !tools::runs(&["cargo-deny", "--version"]) {
            return Ok(Outcome::Skipped(LACKING.to_owned()));
        }
        check(root, "Cargo.toml", &["licenses", "bans", "sources"])?;
        check(root, "fuzz/Cargo.toml", &["licenses", "bans", "sources"])?;
        Ok(Outcome::Passed)
    })?;
    steps.run("advisories against dependencies", || {
        if !tools::runs(&["cargo-deny", "--version"]) {
            return Ok(Outcome::Skipped(LACKING.to_owned()));
        }
        // What cannot be fetched is one thing, what has been fetched and speaks of us another.
        let mut fetch = deny(root, "Cargo.toml", &["fetch", "db"]);
        if steps::run(fetch.stderr(Stdio::null())).is_err() {
            let reason = "the database of RustSec cannot be fetched from github.com";
            return Ok(Outcome::Skipped(reason.to_owned()));
        }
        let advisories = ["--disable-fetch", "advisories"];
        check(root, "Cargo.toml", &advisories)?;
        check(root, "fuzz/Cargo.toml", &advisories)?;
        Ok(Outcome::Passed)
    })
}

fn check(root: &Path, manifest: &str, what: &[&str]) -> Result<(), String> {
    let mut check = deny(root, manifest, &["check", "--hide-inclusion-graph"]);
    // What is passed over in one lock file need not be in the other.
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
