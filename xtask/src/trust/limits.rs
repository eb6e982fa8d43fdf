//! `cargo xtask limits`: checks that hostile input takes linear time and bounded memory, counted
//! by callgrind.
//!
//! The crate `utfall-limits` has the surfaces and their limits; this task builds and runs it.

use std::path::Path;
use std::process::Command;

use crate::steps::{self, Outcome, cargo};
use crate::tools;

pub(crate) const USAGE: &str =
    "usage: cargo xtask limits [--short | --long] [--only TEXT] [--write]";

/// The page with the table.
const PAGE: &str = "docs/limits.md";

/// Measures, and fails if a limit is exceeded.
pub(crate) fn run(root: &Path, args: &[&str]) -> Result<Outcome, String> {
    let mut rest = args.iter();
    while let Some(arg) = rest.next() {
        match *arg {
            "--short" | "--long" | "--write" => {}
            "--only" if rest.next().is_some() => {}
            _ => return Err(USAGE.to_owned()),
        }
    }
    if !cfg!(target_os = "linux") {
        return Ok(Outcome::Skipped("valgrind is only used on Linux".to_owned()));
    }
    if let Some(lacking) = tools::lacking_programs(&[["valgrind", "--version"]], &["valgrind"])? {
        return Ok(Outcome::Skipped(lacking));
    }
    // As for the tests, so that CI has built nearly all of it.
    let mut build = cargo(root, &["build", "--bins"]);
    steps::run(build.args(tools::CRATES).args(tools::AS_TESTED))?;
    let folder = tools::target_dir(root).join("checked");
    table_is_right(&folder.join("utfall"))?;
    let mut limits = Command::new(folder.join("utfall-limits"));
    limits.arg("--utfall").arg(folder.join("utfall")).current_dir(root);
    for arg in args {
        limits.arg(arg);
        if *arg == "--write" {
            limits.arg(PAGE);
        }
    }
    steps::run(&mut limits).map(|()| Outcome::Passed)
}

/// Under valgrind the processor has no AVX-512, whatever the real one has. The program must choose
/// its table of kernels accordingly: instructions that valgrind does not know would kill it.
fn table_is_right(utfall: &Path) -> Result<(), String> {
    let text = "caf\u{e9} \u{65e5}\u{672c} \u{1F600}\n".repeat(100);
    let mut valgrind = Command::new("valgrind");
    valgrind.args(["--tool=none", "-q"]).arg(utfall).args(["convert", "-f", "UTF-8"]);
    valgrind.args(["-t", "UTF-16LE"]);
    let converted = steps::output(valgrind.env_remove("UTFALL_ISA"), text.as_bytes())?;
    let wanted: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    match converted == wanted {
        true => Ok(()),
        false => Err("utfall gives a different result under valgrind".to_owned()),
    }
}
