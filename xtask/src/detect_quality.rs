//! `cargo xtask detect-quality`: measures `utfall-detect` on texts of Debian packages, beside chardet,
//! charset-normalizer and cchardet.
//!
//! The packages are fetched once with `apt-get`, and unpacked in `target/detect-quality`. No part of
//! them comes into the repository.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::steps::{self, cargo};
use crate::tools;

const USAGE: &str = "\
usage: cargo xtask detect-quality [--training] [--alone] [--train]

  --train     write the tables in crates/utfall-detect/src/language first
  --training  measure the part of the texts that the models are made of, not the part that is held out
  --alone     do not run the other detectors again";

/// The packages, one in each line, after the part that they belong to.
const PACKAGES: &str = "crates/utfall-detect/examples/detect_quality/packages.txt";
/// Runs the other detectors on the same texts, and prints the tables.
const PEERS: &str = "crates/utfall-detect/examples/detect_quality/beside_peers.py";
/// The other detectors, as packages of Python.
const MODULES: [&str; 3] = ["chardet", "charset-normalizer", "faust-cchardet"];

pub(crate) fn run(root: &Path, args: &[&str]) -> Result<(), String> {
    if args.iter().any(|arg| !["--training", "--alone", "--train"].contains(arg)) {
        return Err(USAGE.into());
    }
    let part = if args.contains(&"--training") { "training" } else { "held-out" };
    let folder = texts(root, part)?;
    if args.contains(&"--train") {
        let target = root.join("crates/utfall-detect");
        quality(root, &["train", &folder.to_string_lossy(), &target.to_string_lossy()])?;
    }
    for measure in ["cases", "answers"] {
        quality(root, &[measure, &folder.to_string_lossy(), part])?;
    }
    let modules = folder.join("python");
    if !modules.is_dir() {
        let mut install = Command::new("python3");
        install.args(["-m", "pip", "install", "--quiet", "--target"]).arg(&modules).args(MODULES);
        steps::run(&mut install)?;
    }
    let mut peers = Command::new("python3");
    peers.arg(root.join(PEERS)).arg(&folder).arg(part).env("PYTHONPATH", &modules);
    if args.contains(&"--alone") {
        peers.arg("--utfall-only");
    }
    steps::run(&mut peers)
}

/// The folder with the texts. Collects them first if it is missing.
pub(crate) fn texts(root: &Path, part: &str) -> Result<PathBuf, String> {
    let folder = tools::target_dir(root).join("detect-quality");
    if !folder.join(part).is_dir() {
        fetch(root, &folder)?;
        quality(root, &["collect", &folder.to_string_lossy()])?;
    }
    Ok(folder)
}

/// Runs the example that measures.
fn quality(root: &Path, args: &[&str]) -> Result<(), String> {
    let program =
        ["run", "--release", "--package", "utfall-detect", "--example", "detect_quality", "--"];
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
    download
        .args(["-qq", "download"])
        .args(names.lines().filter_map(|line| line.split_once(' ')).map(|(_, name)| name))
        .current_dir(&packed);
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
