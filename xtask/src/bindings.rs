//! `cargo xtask bindings`: builds and tests what other languages use. `cargo xtask install-c` and
//! `install-iconv` install the libraries.

mod abi;
mod c;
mod iconv;

use std::path::Path;
use std::process::ExitCode;

use crate::steps::{Steps, Stopped};

pub(crate) use c::install;
pub(crate) use iconv::install as install_iconv;

/// A binding, and its steps.
type Binding = (&'static str, fn(&mut Steps, &Path) -> Result<(), Stopped>);

const BINDINGS: [Binding; 2] = [("c", c::run), ("iconv", iconv::run)];

/// Runs all of them, or those named.
pub(crate) fn run(root: &Path, args: &[&str]) -> ExitCode {
    let is_known = |name: &&str| BINDINGS.iter().any(|(known, _)| known == name);
    if let Some(name) = args.iter().find(|name| !is_known(name)) {
        let known: Vec<_> = BINDINGS.iter().map(|(name, _)| *name).collect();
        eprintln!("xtask: unknown binding {name:?}; there are {}", known.join(", "));
        return ExitCode::from(2);
    }
    let wanted = BINDINGS.iter().filter(|(name, _)| args.is_empty() || args.contains(name));
    Steps::all(|steps| wanted.into_iter().try_for_each(|(_, run)| run(steps, root)))
}
