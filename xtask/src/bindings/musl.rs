//! What static programs for musl need.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::steps;

/// The target of the libraries.
pub(super) const TARGET: &str = "x86_64-unknown-linux-musl";

/// The unwinder that comes with Rust for musl. That of the C compiler is made for glibc.
pub(super) fn unwinder(root: &Path) -> Result<PathBuf, String> {
    let mut rustc = Command::new("rustc");
    rustc.args(["--print", "target-libdir", "--target", TARGET]).current_dir(root);
    let folder = String::from_utf8_lossy(&steps::output(&mut rustc, b"")?).into_owned();
    let folder = PathBuf::from(folder.trim_end()).join("self-contained/libunwind.a");
    if folder.is_file() { Ok(folder) } else { Err(format!("no {}", folder.display())) }
}
