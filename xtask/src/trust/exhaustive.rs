//! `cargo xtask exhaustive`: every sequence of four bytes through the kernels and through the
//! library; the tests describe the details.

use std::path::Path;
use std::process::ExitCode;

use crate::share::Share;
use crate::steps::{self, cargo};

/// The arguments, in any order, and the environment variables that pass them to the tests.
const ARGUMENTS: [(&str, &str); 3] = [
    ("--isa", "UTFALL_ISA"),
    ("--every", "UTFALL_EXHAUSTIVE_EVERY"),
    ("--only", "UTFALL_EXHAUSTIVE_ONLY"),
];

/// Parts that can be run alone: the name, the package and the test.
const PARTS: [(&str, &str, &str); 3] = [
    ("rows", "utfall-simd", "bounds::longer_rows"),
    ("kernels", "utfall-simd", "exhaustive::everything"),
    ("library", "utfall", "exhaustive::everything"),
];

/// Runs one part or all; `args` may begin with the name of one, the others are in pairs.
///
/// Built with the optimizations that most users of the library have, since that code is checked,
/// and since each part takes long even so.
pub(crate) fn run(root: &Path, args: &[&str]) -> ExitCode {
    let (only, args) = match args {
        [first, rest @ ..] if !first.starts_with('-') => (Some(*first), rest),
        _ => (None, args),
    };
    let parts = || PARTS.iter().filter(|(name, ..)| only.is_none_or(|only| only == *name));
    let mut variables = Vec::new();
    for pair in args.chunks(2) {
        let known = ARGUMENTS.iter().find(|(name, _)| *name == pair[0]);
        if let (Some((_, variable)), [_, value]) = (known, pair) {
            variables.push((variable, value));
        }
    }
    if parts().count() == 0 || variables.len() < args.len().div_ceil(2) {
        eprintln!(
            "xtask: exhaustive takes rows, kernels or library, and --isa <name>, --every \
             <number>; library also takes --only <part>,<part>, as it names them"
        );
        return ExitCode::from(2);
    }
    for (_, package, test) in parts() {
        let args = ["test", "-p", package, "--profile", "bench", "--test", "it"];
        let which = ["--", "--exact", test, "--ignored", "--nocapture"];
        let mut command = cargo(root, &[&args[..], &which].concat());
        for (_, variable) in ARGUMENTS {
            command.env_remove(variable);
        }
        Share::Full.set(&mut command).envs(variables.iter().copied());
        if let Err(message) = steps::run(&mut command) {
            eprintln!("xtask: {message}");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}
