//! `cargo xtask conformance`: runs `crates/utfall-conformance`, which passes the same bytes to
//! other programs and libraries, as far as they are installed.

use std::path::Path;
use std::process::{Command, ExitCode};

use crate::bench::without_simdutf;
use crate::steps::{self, Outcome, cargo};
use crate::tools;

const PACKAGE: &str = "utfall-conformance";

/// The share of inputs in CI: one in this many, and every vector. It is a prime, so that every
/// class of sequences is covered.
const EVERY: &str = "97";

/// Compares with the arguments given.
pub(crate) fn run(root: &Path, args: &[&str]) -> ExitCode {
    match build(root).and_then(|()| steps::run(&mut program(root, "release", args))) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("xtask: {message}");
            ExitCode::FAILURE
        }
    }
}

/// Part of the inputs, for CI, which has built it. Installs the peers where that is possible.
pub(crate) fn step(root: &Path) -> Result<Outcome, String> {
    const ICU: &str =
        "import ctypes.util, sys; sys.exit(ctypes.util.find_library('icuuc') is None)";
    let needs: [(&[&str; 3], &str); 4] = [
        (&["python3", "-c", "import ctypes"], "python3"),
        (&["perl", "-MEncode", "-e1"], "perl"),
        (&["node", "-e", "new TextDecoder"], "nodejs"),
        (&["python3", "-c", ICU], "icu-devtools"),
    ];
    for (command, package) in needs {
        if let Some(lacking) = tools::lacking_programs(&[*command], &[package])? {
            println!("   {lacking}");
        }
    }
    steps::run(&mut program(root, "checked", &["--every", EVERY])).map(|()| Outcome::Passed)
}

/// Builds the program, and that for simdutf if there is a C++ compiler.
fn build(root: &Path) -> Result<(), String> {
    let without = without_simdutf();
    if let Some(reason) = &without {
        println!("skipping simdutf: {reason}");
    }
    let features: &[&str] = if without.is_none() { &["--all-features"] } else { &[] };
    let build = ["build", "--package", PACKAGE, "--bins", "--profile", "bench"];
    steps::run(&mut cargo(root, &[&build, features].concat()))
}

fn program(root: &Path, folder: &str, args: &[&str]) -> Command {
    let mut command = Command::new(tools::target_dir(root).join(folder).join(PACKAGE));
    command.args(args).current_dir(root);
    command
}
