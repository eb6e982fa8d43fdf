//! `cargo xtask costs`: writes `docs/costs.md`. The test that compares the page also generates it.

use std::path::Path;

use crate::steps::{self, cargo};

/// Writes the page.
pub(crate) fn run(root: &Path) -> Result<(), String> {
    let args = ["test", "--quiet", "--package", "utfall-mime", "--test", "it", "costs_page::"];
    steps::run(cargo(root, &args).env("UTFALL_COSTS", "write"))
}
