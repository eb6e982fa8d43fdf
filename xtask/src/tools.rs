//! Requirements of tasks outside this workspace: targets, toolchains, programs.
//!
//! Missing ones are installed if that is possible without asking: targets with `rustup`, programs
//! with `apt-get` if this is Debian and the user is root, as in a container of CI. Otherwise the
//! step that needs them is skipped, and reports the reason.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{env, fs, str};

use crate::steps::{self};

/// All crates except those with dependencies that no other crate uses. This is the same
/// everywhere: cargo rebuilds a dependency for every set of crates that requires other features of
/// it.
pub(crate) const CRATES: [&str; 8] = [
    "--workspace",
    "--exclude",
    "utfall-bench",
    "--exclude",
    "utfall-conformance",
    "--exclude",
    "utfall-python",
    "--all-features",
];

/// Arguments in addition to [`CRATES`] to build a program with the dependencies of the tests: an
/// example has the same requirements as tests, which gives them other features.
pub(crate) const AS_TESTED: [&str; 4] = ["--profile", "checked", "--example", "make_tree"];

/// Those of the excluded crates that compare utfall with others, in the profile of the tests. They
/// are built together: alone, each requires other features of what both use.
pub(crate) const PEERS: [&str; 6] =
    ["--package", "utfall-bench", "--package", "utfall-conformance", "--profile", "checked"];

/// The directory in which cargo builds this workspace.
pub(crate) fn target_dir(root: &Path) -> PathBuf {
    root.join(env::var_os("CARGO_TARGET_DIR").unwrap_or_else(|| "target".into()))
}

/// The crates of this workspace that are published, sorted by name.
pub(crate) fn published(root: &Path) -> Result<Vec<String>, String> {
    let folder = root.join("crates");
    let error = |error| format!("{}: {error}", folder.display());
    let mut names = Vec::new();
    for entry in fs::read_dir(&folder).map_err(error)? {
        let path = entry.map_err(error)?.path();
        let Ok(manifest) = fs::read_to_string(path.join("Cargo.toml")) else { continue };
        if !manifest.contains("publish = false") {
            names.extend(path.file_name().map(|name| name.to_string_lossy().into_owned()));
        }
    }
    names.sort();
    Ok(names)
}

/// Cargo of the nightly toolchain, through rustup: the cargo that runs this program is another
/// one.
pub(crate) fn nightly(args: &[&str]) -> Command {
    let mut command = Command::new("rustup");
    command.args(["run", "nightly", "cargo"]).args(args);
    command
}

/// The path of a program of another crate in this version, in `tools` of the target directory. It
/// is installed if necessary.
pub(crate) fn installed(
    root: &Path,
    name: &str,
    version: &str,
    features: &[&str],
) -> Result<PathBuf, String> {
    let tools = target_dir(root).join("tools");
    let program = tools.join("bin").join(format!("{name}{}", env::consts::EXE_SUFFIX));
    let output = Command::new(&program).arg("--version").stderr(Stdio::null()).output();
    let is_there = output.is_ok_and(|output| {
        let told = String::from_utf8_lossy(&output.stdout);
        told.split_whitespace().any(|word| word.trim_start_matches('v') == version)
    });
    if !is_there {
        let mut install = steps::cargo(root, &["install", name, "--version", version, "--locked"]);
        // In this directory, its dependencies would be built with the profile and the flags of
        // this workspace.
        install.arg("--root").arg(&tools).args(features).env_remove("CARGO_TARGET_DIR");
        steps::run(&mut install)?;
    }
    Ok(program)
}

/// The reason to skip what needs the nightly toolchain, if rustup does not have it.
pub(crate) const NO_NIGHTLY: &str = "the nightly toolchain is not installed";

/// Adds the source of the standard library to the nightly toolchain if necessary. Returns the reason if
/// that fails, or if the toolchain is missing.
pub(crate) fn lacking_source(root: &Path) -> Option<String> {
    let rustc = ["rustup", "run", "nightly", "rustc", "--print", "sysroot"];
    let output = Command::new(rustc[0]).args(&rustc[1..]).stderr(Stdio::null()).output();
    let Some(output) = output.ok().filter(|output| output.status.success()) else {
        return Some(NO_NIGHTLY.to_owned());
    };
    let sysroot = PathBuf::from(String::from_utf8_lossy(&output.stdout).trim());
    if sysroot.join("lib/rustlib/src/rust/library/Cargo.lock").exists() {
        return None;
    }
    let mut add = Command::new("rustup");
    add.args(["component", "add", "rust-src", "--toolchain", "nightly"]);
    let failed = steps::run(add.current_dir(root)).err();
    failed.map(|reason| format!("the source of the standard library cannot be added: {reason}"))
}

/// Adds a target if necessary. Returns the reason if that fails.
pub(crate) fn lacking_target(root: &Path, target: &str) -> Result<Option<String>, String> {
    if target_is_installed(root, target)? {
        return Ok(None);
    }
    let mut add = Command::new("rustup");
    add.args(["target", "add", target]).current_dir(root);
    Ok(steps::run(&mut add).err().map(|reason| {
        format!("the target {target} is not installed and cannot be added: {reason}")
    }))
}

/// Asks the compiler, so that it also works without `rustup`.
fn target_is_installed(root: &Path, target: &str) -> Result<bool, String> {
    let mut rustc = Command::new("rustc");
    rustc.args(["--print", "target-libdir", "--target", target]);
    let libdir = steps::output(rustc.current_dir(root), b"")?;
    let libdir = str::from_utf8(&libdir).map_err(|error| format!("rustc: {error}"))?;
    Ok(Path::new(libdir.trim_end()).is_dir())
}

/// Installs `packages` unless all of `programs` run. Returns the reason if they do not run
/// afterwards.
pub(crate) fn lacking_programs<const N: usize>(
    programs: &[[&str; N]],
    packages: &[&str],
) -> Result<Option<String>, String> {
    let lacking =
        || programs.iter().find(|program| !runs(program.as_slice())).map(|program| program[0]);
    let Some(program) = lacking() else { return Ok(None) };
    if !is_root() || !runs(&["apt-get", "--version"]) {
        let packages = packages.join(" ");
        return Ok(Some(format!("{program} is missing or too old (Debian: {packages})")));
    }
    let apt_get = || {
        let mut command = Command::new("apt-get");
        command.args(["-qq", "-o", "Acquire::Retries=0", "-o", "Acquire::http::Timeout=20"]);
        command.env("DEBIAN_FRONTEND", "noninteractive").stdout(Stdio::null());
        command
    };
    let install = ["install", "-y", "--no-install-recommends"];
    let installed = steps::run(apt_get().arg("update"))
        .and_then(|()| steps::run(apt_get().args(install).args(packages)));
    Ok(match installed {
        Err(reason) => Some(format!("{program} is missing and cannot be installed: {reason}")),
        Ok(()) => lacking().map(|program| format!("{program} is missing or too old")),
    })
}

/// Whether a command succeeds.
pub(crate) fn runs(command: &[&str]) -> bool {
    let [program, args @ ..] = command else { return false };
    let status = Command::new(program)
        .args(args)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    status.is_ok_and(|status| status.success())
}

fn is_root() -> bool {
    let id = Command::new("id").arg("-u").stderr(Stdio::null()).output();
    id.is_ok_and(|output| output.stdout.trim_ascii() == b"0")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The version in the manifests is the one that CI builds with, and the one on the pages.
    #[test]
    fn one_version_of_rust_everywhere() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        let read = |path: &str| fs::read_to_string(root.join(path)).unwrap();
        let quoted = |text: &str, key: &str| -> String {
            let line = text.lines().find(|line| line.starts_with(key)).unwrap();
            line.split('"').nth(1).unwrap().to_owned()
        };
        let stated = quoted(&read("Cargo.toml"), "rust-version");
        let channel = quoted(&read("rust-toolchain.toml"), "channel");
        assert_eq!(channel, format!("{stated}.0"), "rust-toolchain.toml and Cargo.toml");
        assert!(read("README.md").contains(&format!("Rust {stated}")), "README.md");
        for entry in fs::read_dir(root.join("crates")).unwrap() {
            let path = entry.unwrap().path().join("Cargo.toml");
            let Ok(manifest) = fs::read_to_string(&path) else { continue };
            assert!(manifest.contains("\nrust-version.workspace = true\n"), "{}", path.display());
        }
    }
}
