//! `cargo xtask bindings`: builds and tests what other languages use. `cargo xtask install-c` and
//! `install-iconv` install the libraries.

mod abi;
mod c;
mod iconv;
mod musl;

use std::path::Path;
use std::process::ExitCode;

use crate::steps::{Steps, Stopped, cargo};

pub(crate) use c::install;
pub(crate) use iconv::install as install_iconv;

/// The profile of the tests, which CI builds anyway.
const PROFILE: &str = "checked";

/// A binding.
struct Binding {
    name: &'static str,
    package: &'static str,
    /// Builds what users get, and tests it with their compilers and programs.
    check: fn(&mut Steps, &Path) -> Result<(), Stopped>,
}

const BINDINGS: [Binding; 2] = [
    Binding { name: "c", package: "utfall-c", check: c::check },
    Binding { name: "iconv", package: "utfall-iconv-c", check: iconv::check },
];

/// Runs the tests and checks of all of them, or of those named.
pub(crate) fn run(root: &Path, args: &[&str]) -> ExitCode {
    let is_known = |name: &&str| BINDINGS.iter().any(|known| known.name == *name);
    if let Some(name) = args.iter().find(|name| !is_known(name)) {
        let known: Vec<_> = BINDINGS.iter().map(|known| known.name).collect();
        eprintln!("xtask: unknown binding {name:?}; there are {}", known.join(", "));
        return ExitCode::from(2);
    }
    Steps::all(|steps| {
        for binding in BINDINGS.iter().filter(|it| args.is_empty() || args.contains(&it.name)) {
            let test = ["test", "--package", binding.package, "--profile", PROFILE];
            steps.command(&format!("{}: tests in Rust", binding.name), &mut cargo(root, &test))?;
            (binding.check)(steps, root)?;
        }
        Ok(())
    })
}

/// Runs the checks of all of them, without their tests in Rust.
pub(crate) fn check(steps: &mut Steps, root: &Path) -> Result<(), Stopped> {
    BINDINGS.iter().try_for_each(|binding| (binding.check)(steps, root))
}
