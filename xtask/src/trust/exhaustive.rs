//! `cargo xtask exhaustive`: every sequence of four octets through the kernels; what exactly,
//! `crates/utfall-simd/tests/exhaustive/main.rs` says.

use std::path::Path;
use std::process::ExitCode;

use crate::steps::{self, cargo};

/// The arguments, in any order, and the environment variables that tell the test.
const ARGUMENTS: [(&str, &str); 2] =
    [("--isa", "UTFALL_ISA"), ("--every", "UTFALL_EXHAUSTIVE_EVERY")];

/// Runs it; `args` are in pairs.
///
/// Built as most who use the library build it, since what is judged is that code, and each
/// table takes minutes even so.
pub(crate) fn run(root: &Path, args: &[&str]) -> ExitCode {
    let test = ["test", "--package", "utfall-simd", "--profile", "bench", "--test", "exhaustive"];
    let which = ["--", "--exact", "everything", "--ignored", "--nocapture"];
    let mut command = cargo(root, &[&test[..], &which].concat());
    for (_, variable) in ARGUMENTS {
        command.env_remove(variable);
    }
    for pair in args.chunks(2) {
        let known = ARGUMENTS.iter().find(|(name, _)| *name == pair[0]);
        match (known, pair) {
            (Some((_, variable)), [_, value]) => command.env(variable, value),
            _ => {
                eprintln!("xtask: exhaustive takes --isa <name> and --every <number>");
                return ExitCode::from(2);
            }
        };
    }
    match steps::run(&mut command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("xtask: {message}");
            ExitCode::FAILURE
        }
    }
}
