//! `cargo xtask bench`: runs `crates/utfall-bench`, with `simdutf` if it can be built.

use std::env;
use std::path::Path;
use std::process::{Command, ExitCode};

use crate::steps::{self, Outcome, cargo};

/// Runs the bench with the arguments given, and returns its exit status.
pub(crate) fn run(root: &Path, args: &[&str]) -> ExitCode {
    let without = without_simdutf();
    if let Some(reason) = &without {
        eprintln!("skipping simdutf: {reason}");
    }
    let mut bench = command(root, "bench", without.is_none(), args);
    match bench.status() {
        Ok(status) => status.code().map_or(ExitCode::FAILURE, |code| ExitCode::from(code as u8)),
        Err(error) => {
            eprintln!("xtask: cargo: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Lints the bench and runs each of its cells once: without `simdutf` if there is no C++ compiler.
pub(crate) fn test(root: &Path) -> Result<Outcome, String> {
    let without = without_simdutf();
    let features: &[&str] = if without.is_none() { &["--all-features"] } else { &[] };
    // In the profile of the run, so that the C++ code is built once.
    let lint = [
        "clippy",
        "--package",
        "utfall-bench",
        "--all-targets",
        "--locked",
        "--profile",
        "checked",
    ];
    steps::run(&mut cargo(root, &[&lint, features, &["--", "-D", "warnings"]].concat()))?;
    steps::run(&mut command(root, "checked", without.is_none(), &["--test"]))?;
    Ok(without.map_or(Outcome::Passed, |reason| {
        Outcome::Skipped(format!("simdutf only, the others passed: {reason}"))
    }))
}

fn command(root: &Path, profile: &str, with_simdutf: bool, args: &[&str]) -> Command {
    let features: &[&str] = if with_simdutf { &["--features", "simdutf"] } else { &[] };
    let run = ["run", "--package", "utfall-bench", "--profile", profile];
    cargo(root, &[&run, features, &["--"], args].concat())
}

/// Why `simdutf`, which is C++, cannot be built here; `None` if it can.
pub(crate) fn without_simdutf() -> Option<String> {
    // Its compiler is not on the path, and is found by other means.
    if cfg!(target_env = "msvc") {
        return None;
    }
    let compiler = env::var("CXX").unwrap_or_else(|_| "c++".to_owned());
    let output = Command::new(&compiler).arg("--version").output();
    match output {
        Ok(output) if output.status.success() => None,
        Ok(output) => Some(format!("the C++ compiler {compiler} failed: {}", output.status)),
        Err(error) => Some(format!("cannot run the C++ compiler {compiler}: {error}")),
    }
}
