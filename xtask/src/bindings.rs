//! `cargo xtask bindings`: builds and tests what other languages use.

mod iconv;

use std::path::Path;

use crate::steps::{Steps, Stopped};

/// Builds and tests the named bindings, or all.
pub(crate) fn run(steps: &mut Steps, root: &Path, names: &[&str]) -> Result<(), Stopped> {
    let all = ["iconv"];
    for name in if names.is_empty() { &all[..] } else { names } {
        match *name {
            "iconv" => iconv::run(steps, root)?,
            other => steps.run(other, || {
                Err(format!("no bindings \"{other}\"; expected one of {}", all.join(", ")))
            })?,
        }
    }
    Ok(())
}
