//! `cargo xtask repair-quality`: measures `utfall-repair` on texts of Debian packages, beside ftfy.
//!
//! The packages are fetched once with `apt-get`, and unpacked in `target/repair-quality`. No part of
//! them comes into the repository.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::steps::{self, cargo};
use crate::tools;

const USAGE: &str = "\
usage: cargo xtask repair-quality [--tuning]

  --tuning  measure the part of the texts that the model is tuned on, not the part that is held out";

/// The packages, one in each line.
const PACKAGES: &str = "crates/utfall-repair/examples/quality/packages.txt";
/// Runs ftfy on the same texts.
const FTFY: &str = "crates/utfall-repair/examples/quality/beside_ftfy.py";

pub(crate) fn run(root: &Path, args: &[&str]) -> Result<(), String> {
    let part = match args {
        [] => "held-out",
        ["--tuning"] => "tuning",
        _ => return Err(USAGE.into()),
    };
    let folder = tools::target_dir(root).join("repair-quality");
    if !folder.join("held-out").is_dir() {
        fetch(root, &folder)?;
        quality(root, &["collect", &folder.to_string_lossy()])?;
    }
    for measure in ["correct", "damaged", "speed"] {
        quality(root, &[measure, &folder.to_string_lossy(), part])?;
    }
    let modules = folder.join("python");
    if !modules.is_dir() {
        let mut install = Command::new("python3");
        install.args(["-m", "pip", "install", "--quiet", "--target"]).arg(&modules).arg("ftfy");
        steps::run(&mut install)?;
    }
    let mut ftfy = Command::new("python3");
    steps::run(ftfy.arg(root.join(FTFY)).arg(&folder).arg(part).env("PYTHONPATH", &modules))
}

/// Runs the example that measures.
fn quality(root: &Path, args: &[&str]) -> Result<(), String> {
    let program = ["run", "--release", "--package", "utfall-repair", "--example", "quality", "--"];
    steps::run(&mut cargo(root, &[&program, args].concat()))
}

/// Fetches and unpacks the packages.
fn fetch(root: &Path, folder: &Path) -> Result<(), String> {
    let error = |error: std::io::Error| format!("{}: {error}", folder.display());
    let (packed, unpacked) = (folder.join("packages"), folder.join("files"));
    fs::create_dir_all(&packed).map_err(error)?;
    fs::create_dir_all(&unpacked).map_err(error)?;
    let names = fs::read_to_string(root.join(PACKAGES)).map_err(error)?;
    let mut download = Command::new("apt-get");
    download.args(["-qq", "download"]).args(names.lines()).current_dir(&packed);
    steps::run(&mut download)?;
    for entry in fs::read_dir(&packed).map_err(error)? {
        let path = entry.map_err(error)?.path();
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let name = name.split('_').next().unwrap_or_default();
        let mut unpack = Command::new("dpkg-deb");
        steps::run(unpack.arg("--extract").arg(&path).arg(unpacked.join(name)))?;
    }
    let mut expand = Command::new("gunzip");
    // Links whose target is in another package are skipped, with status 2.
    _ = expand.args(["--recursive", "--force", "--quiet"]).arg(&unpacked).status();
    Ok(())
}
