//! `cargo xtask bench`: runs `crates/utfall-bench`, with `simdutf` if it can be built. With
//! `--instructions`, it counts the instructions of AArch64 in QEMU instead of measuring times.

use std::env;
use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, ExitCode};

use crate::steps::{self, Outcome, cargo};
use crate::tools::{PEERS, lacking_programs, lacking_target, target_dir};

/// The argument that asks for instructions.
const INSTRUCTIONS: &str = "--instructions";

/// Runs the bench with the arguments given, and returns its exit status.
pub(crate) fn run(root: &Path, args: &[&str]) -> ExitCode {
    if let Some(at) = args.iter().position(|arg| *arg == INSTRUCTIONS) {
        return match instructions(root, &[&args[..at], &args[at + 1..]].concat()) {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                eprintln!("xtask: {error}");
                ExitCode::FAILURE
            }
        };
    }
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

/// Counts the instructions of AArch64 in QEMU: they depend on nothing else on this machine.
fn instructions(root: &Path, args: &[&str]) -> Result<(), String> {
    const TARGET: &str = "aarch64-unknown-linux-gnu";
    let programs = [["aarch64-linux-gnu-g++", "--version"], ["qemu-aarch64", "--version"]];
    let lacking = lacking_programs(&programs, &["g++-aarch64-linux-gnu", "qemu-user"])?;
    if let Some(lacking) = lacking.or(lacking_target(root, TARGET)?) {
        return Err(lacking);
    }
    let folder = target_dir(root).join("instructions");
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let plugin = folder.join("instructions.so");
    // QEMU 9 changed the interface, but no function that the plugin uses.
    let version = steps::output(Command::new("qemu-aarch64").arg("--version"), b"")?;
    let version = String::from_utf8_lossy(&version);
    let major = version.split(' ').filter_map(|word| word.split('.').next()?.parse().ok()).next();
    let interface = if major.is_some_and(|major: u32| major < 9) { 1 } else { 2 };
    let mut cc = Command::new(env::var("CC").unwrap_or_else(|_| "cc".to_owned()));
    cc.args(["-shared", "-fPIC", "-O2", "-Wall", "-Wextra", "-Werror", "-o"]).arg(&plugin);
    cc.arg(format!("-DPLUGIN_VERSION={interface}"));
    steps::run(cc.arg(root.join("crates/utfall-bench/instructions.c")))?;

    let build = ["build", "--package", "utfall-bench", "--bin", "utfall-bench"];
    let with = ["--features", "simdutf", "--profile", "bench", "--target", TARGET];
    let mut build = cargo(root, &[&build[..], &with].concat());
    build.env("CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER", "aarch64-linux-gnu-gcc");
    steps::run(&mut build)?;

    let program = target_dir(root).join(TARGET).join("release/utfall-bench");
    let counts = folder.join("counts");
    File::create(&counts).map_err(|error| format!("{}: {error}", counts.display()))?;
    let mut qemu = Command::new("qemu-aarch64");
    qemu.args(["-L", "/usr/aarch64-linux-gnu", "-d", "plugin", "-D"]).arg(&counts);
    qemu.arg("-plugin").arg(&plugin).arg(program).arg("--counts").arg(&counts);
    steps::run(qemu.args(args).current_dir(root))
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
