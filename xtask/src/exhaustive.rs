//! `cargo xtask exhaustive`: every sequence of four octets through the kernels; what exactly,
//! `crates/utfall-simd/tests/exhaustive/main.rs` says.

use std::path::Path;
use std::process::ExitCode;

use crate::steps::{self, cargo};

/// Runs it with one table, or with each this processor has.
///
/// Built as most who use the library build it, since what is judged is that code, and each
/// table takes minutes even so.
pub(crate) fn run(root: &Path, isa: Option<&str>) -> ExitCode {
    let test = ["test", "--package", "utfall-simd", "--profile", "bench", "--test", "exhaustive"];
    let which = ["--", "--exact", "everything", "--ignored", "--nocapture"];
    let mut command = cargo(root, &[&test[..], &which].concat());
    match isa {
        Some(isa) => command.env("UTFALL_ISA", isa),
        None => command.env_remove("UTFALL_ISA"),
    };
    match steps::run(&mut command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("xtask: {message}");
            ExitCode::FAILURE
        }
    }
}
