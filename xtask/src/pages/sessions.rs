//! `cargo xtask sessions`: writes the output in `docs/sessions`. The test that compares it also
//! generates it.

use std::path::Path;

use crate::steps::{self, cargo};

/// Writes the pages.
pub(crate) fn run(root: &Path) -> Result<(), String> {
    let args = ["test", "--quiet", "--package", "utfall-cli", "--test", "it", "sessions::"];
    steps::run(cargo(root, &args).env("UTFALL_SESSIONS", "overwrite"))
}
