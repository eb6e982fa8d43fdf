//! The program. All of it is in the library of this package.
#![forbid(unsafe_code)]

use std::env;
use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(utfall_cli::run(env::args_os()))
}
