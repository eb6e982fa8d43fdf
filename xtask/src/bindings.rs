//! `cargo xtask bindings`: builds and tests what other languages use. `cargo xtask install-c`,
//! `install-duckdb` and `install-iconv` install it.

mod abi;
mod c;
mod datafusion;
mod duckdb;
mod engines;
mod iconv;
mod js;
mod musl;
mod python;
mod web;

use std::path::Path;
use std::process::ExitCode;

use crate::steps::{Steps, Stopped, cargo};

pub(crate) use c::install;
pub(crate) use duckdb::install as install_duckdb;
pub(crate) use iconv::install as install_iconv;
pub(crate) use js::compare as compare_js;
pub(crate) use python::compare as compare_python;
pub(crate) use web::run as web;

/// The profile of the tests, which CI builds anyway.
const PROFILE: &str = "checked";

/// A binding.
struct Binding {
    name: &'static str,
    /// The package with tests in Rust.
    package: Option<&'static str>,
    /// Builds what users get, and tests it with their compilers and programs.
    check: fn(&mut Steps, &Path) -> Result<(), Stopped>,
}

const BINDINGS: [Binding; 8] = [
    Binding { name: "c", package: Some("utfall-c"), check: c::check },
    Binding { name: "iconv", package: Some("utfall-iconv-c"), check: iconv::check },
    Binding { name: "duckdb", package: None, check: duckdb::check },
    Binding { name: "python", package: None, check: python::check },
    Binding { name: "js", package: None, check: js::check },
    Binding { name: "web", package: None, check: web::check },
    Binding { name: "datafusion", package: None, check: datafusion::check },
    Binding { name: "engines", package: None, check: engines::check },
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
            if let Some(package) = binding.package {
                let test = ["test", "--package", package, "--profile", PROFILE];
                let name = format!("{}: tests in Rust", binding.name);
                steps.command(&name, &mut cargo(root, &test))?;
            }
            (binding.check)(steps, root)?;
        }
        Ok(())
    })
}

/// Those that fetch and build the most.
const LAST: [&str; 4] = ["js", "web", "datafusion", "engines"];

/// Runs the checks of all of them but the last, without their tests in Rust.
pub(crate) fn check(steps: &mut Steps, root: &Path) -> Result<(), Stopped> {
    let bindings = BINDINGS.iter().filter(|binding| !LAST.contains(&binding.name));
    bindings.into_iter().try_for_each(|binding| (binding.check)(steps, root))
}

/// The checks of the last.
pub(crate) fn check_last(steps: &mut Steps, root: &Path) -> Result<(), Stopped> {
    let bindings = BINDINGS.iter().filter(|binding| LAST.contains(&binding.name));
    bindings.into_iter().try_for_each(|binding| (binding.check)(steps, root))
}
