//! `cargo xtask repair-table`: writes the tables of `docs/repair.md`. The test that compares them
//! also generates them.

use std::path::Path;

use crate::steps::{self, cargo};

/// Writes the tables.
pub(crate) fn run(root: &Path) -> Result<(), String> {
    let args = ["test", "--quiet", "--package", "utfall-repair", "--test", "it", "corpora::"];
    steps::run(cargo(root, &args).env("UTFALL_REPAIR", "write"))
}
