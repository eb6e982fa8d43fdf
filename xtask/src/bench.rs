//! `cargo xtask bench`: runs `crates/utfall-bench`, with `simdutf` if it can be built.

use std::env;
use std::path::Path;
use std::process::{Command, ExitCode};

use crate::steps::{self, Outcome, cargo};
use crate::tools::{PEERS, target_dir};

/// Runs the bench with the arguments given, and returns its exit status.
pub(crate) fn run(root: &Path, args: &[&str]) -> ExitCode {
    let without = without_simdutf();
    if let Some(reason) = &without {
        eprintln!("skipping simdutf: {reason}");
    }
    let mut bench = command(root, without.is_none(), args);
    match bench.status() {
        Ok(status) => status.code().map_or(ExitCode::FAILURE, |code| ExitCode::from(code as u8)),
        Err(error) => {
            eprintln!("xtask: cargo: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Lints, tests and builds the bench and the comparison of results: without `simdutf` if there is no
/// C++ compiler.
pub(crate) fn build(root: &Path) -> Result<Outcome, String> {
    let features: &[&str] = if without_simdutf().is_none() { &["--all-features"] } else { &[] };
    let cargo = |args: &[&str]| cargo(root, &[args, &PEERS, features].concat());
    let mut lint = cargo(&["clippy", "--locked", "--all-targets"]);
    steps::run(lint.args(["--", "-D", "warnings"]))?;
    steps::run(&mut cargo(&["test", "--locked"]))?;
    steps::run(&mut cargo(&["build", "--locked", "--bins"]))?;
    Ok(Outcome::Passed)
}

/// Runs each cell of the bench that [`build`] has built, once.
pub(crate) fn test(root: &Path) -> Result<Outcome, String> {
    let program = target_dir(root).join("checked").join("utfall-bench");
    steps::run(Command::new(program).arg("--test").current_dir(root))?;
    Ok(without_simdutf().map_or(Outcome::Passed, |reason| {
        Outcome::Skipped(format!("simdutf only, the others passed: {reason}"))
    }))
}

fn command(root: &Path, with_simdutf: bool, args: &[&str]) -> Command {
    let features: &[&str] = if with_simdutf { &["--features", "simdutf"] } else { &[] };
    let run = ["run", "--package", "utfall-bench", "--profile", "bench"];
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
