//! The command on Windows: built for it here, and its tests run by wine.

use std::path::Path;
use std::process::Command;
use std::{env, fs};

use crate::share::Share;
use crate::steps::{self, Outcome, Steps, Stopped, cargo};
use crate::tools::{lacking_programs, lacking_target, runs, target_dir};

const TARGET: &str = "x86_64-pc-windows-gnu";
const COMPILER: &str = "x86_64-w64-mingw32-gcc";

/// Tests that start a program thousands of times, which takes minutes under wine.
const LEFT_OUT: [&str; 2] = ["vectors", "corpora"];

/// The source of random numbers for Rust's standard library, which wine only has since version 9.
const RANDOM: &str = "\
#include <windows.h>
BOOLEAN NTAPI SystemFunction036(PVOID, ULONG);
__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE bytes, SIZE_T count) {
    return SystemFunction036(bytes, (ULONG)count);
}
";

/// Both steps.
pub(crate) fn run(steps: &mut Steps, root: &Path) -> Result<(), Stopped> {
    steps.run("lints of the command for Windows", || lints(root))?;
    steps.run("tests of the command on Windows (wine)", || tests(root))
}

/// The lints of the command and the crates it consists of.
fn lints(root: &Path) -> Result<Outcome, String> {
    if cfg!(windows) {
        return Ok(Outcome::Skipped("this machine has it; see the step with lints".to_owned()));
    }
    if let Some(lacking) = lacking_target(root, TARGET)? {
        return Ok(Outcome::Skipped(lacking));
    }
    let clippy = ["clippy", "-p", "utfall-cli", "-p", "utfall-tree", "--all-targets"];
    let mut clippy = cargo(root, &clippy);
    steps::run(clippy.args(["--target", TARGET, "--", "-D", "warnings"]))?;
    Ok(Outcome::Passed)
}

/// The tests of the command, under wine.
fn tests(root: &Path) -> Result<Outcome, String> {
    if cfg!(windows) {
        return Ok(Outcome::Skipped("this machine has it; see the step with all tests".to_owned()));
    }
    if let Some(lacking) = lacking_target(root, TARGET)? {
        return Ok(Outcome::Skipped(lacking));
    }
    let packages = ["gcc-mingw-w64-x86-64"];
    if let Some(lacking) = lacking_programs(&[[COMPILER, "--version"]], &packages)? {
        return Ok(Outcome::Skipped(lacking));
    }
    // Debian installs it outside the usual path.
    let wines = ["wine64", "/usr/lib/wine/wine64", "wine"];
    let Some(wine) = wines.into_iter().find(|wine| runs(&[wine, "--version"])) else {
        return Ok(Outcome::Skipped("wine is missing (Debian: wine64)".to_owned()));
    };
    let prefix = target_dir(root).join("wine");
    prepare(&prefix, wine)?;
    let mut test =
        cargo(root, &["test", "-p", "utfall-cli", "--tests", "--no-fail-fast", "--target", TARGET]);
    test.env("CARGO_TARGET_X86_64_PC_WINDOWS_GNU_RUNNER", wine);
    test.arg("--");
    for name in LEFT_OUT {
        test.args(["--skip", name]);
    }
    println!("   left out: {}", LEFT_OUT.join(", "));
    // Debug information is not needed, and would take gigabytes.
    test.env("CARGO_PROFILE_DEV_DEBUG", "false");
    steps::run(wine_environment(Share::Usual.set(&mut test), &prefix))?;
    Ok(Outcome::Passed)
}

/// Prepares a directory that is a disk for wine.
fn prepare(prefix: &Path, wine: &str) -> Result<(), String> {
    let failed = |error| format!("{}: {error}", prefix.display());
    fs::create_dir_all(prefix).map_err(failed)?;
    // Temporary files go to the disk that this machine is for wine, so that their paths look like
    // those of the workspace.
    let temporary = format!("Z:{}", env::temp_dir().display()).replace('/', "\\");
    for name in ["TMP", "TEMP"] {
        let mut set = Command::new(wine);
        set.args(["reg", "add", "HKCU\\Environment", "/v", name, "/d", &temporary, "/f"]);
        steps::output(wine_environment(&mut set, prefix), b"")?;
    }
    let library = prefix.join("drive_c/windows/system32/bcryptprimitives.dll");
    if library.exists() {
        return Ok(());
    }
    let source = prefix.join("random.c");
    fs::write(&source, RANDOM).map_err(failed)?;
    let mut compile = Command::new(COMPILER);
    compile.arg("-shared").arg("-o").arg(library).arg(source).arg("-ladvapi32");
    steps::run(&mut compile)
}

fn wine_environment<'a>(command: &'a mut Command, prefix: &Path) -> &'a mut Command {
    command.env("WINEPREFIX", prefix).env("WINEDEBUG", "-all")
}
