//! `cargo xtask detect-table`: writes the tables of docs/detect.md. The test that compares them
//! also generates them.

use std::path::Path;

use crate::steps::{self, cargo};

/// Writes the tables.
pub(crate) fn run(root: &Path) -> Result<(), String> {
    let args = ["test", "--quiet", "--package", "utfall-detect", "--test", "it", "page::"];
    steps::run(cargo(root, &args).env("UTFALL_DETECT_TABLE", "write"))
}
