//! Builds the targets: with AddressSanitizer if there is a nightly toolchain, and always with the
//! instrumentation that tells libFuzzer which code an input has reached.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs, str};

use crate::steps::{self, cargo};
use crate::tools::{self, nightly};

/// Instruments counters and operands of comparisons for libFuzzer, which searches for new ones.
/// The flags are those of `cargo fuzz`.
const COVERAGE: &str = "--cfg fuzzing -Cpasses=sancov-module \
    -Cllvm-args=-sanitizer-coverage-level=4 \
    -Cllvm-args=-sanitizer-coverage-inline-8bit-counters \
    -Cllvm-args=-sanitizer-coverage-pc-table \
    -Cllvm-args=-sanitizer-coverage-trace-compares \
    -Cllvm-args=-simplifycfg-branch-fold-threshold=0";

/// Targets that have been built.
pub(super) struct Build {
    folder: PathBuf,
    /// How they were built, for messages.
    pub(super) how: &'static str,
}

impl Build {
    pub(super) fn path(&self, target: &str) -> PathBuf {
        self.folder.join(target)
    }

    /// The command that runs a target, to be completed with arguments.
    pub(super) fn command(&self, target: &str) -> Command {
        let mut command = Command::new(self.path(target));
        // Leaks are not detected: safe code has other means against them, and the detection is not
        // allowed in every container. Two copies of a static are one to a linker.
        if env::var_os("ASAN_OPTIONS").is_none() {
            command.env("ASAN_OPTIONS", "detect_leaks=0:detect_odr_violation=0");
        }
        command
    }
}

/// The names of the targets in `fuzz/Cargo.toml`.
pub(super) fn targets(root: &Path) -> Result<Vec<String>, String> {
    let manifest = root.join("fuzz/Cargo.toml");
    let text = fs::read_to_string(&manifest).map_err(|error| super::named(&manifest, &error))?;
    Ok(names(&text))
}

/// The names of the programs of a manifest.
fn names(manifest: &str) -> Vec<String> {
    let name = |program: &str| {
        let line = program.lines().find_map(|line| line.strip_prefix("name = "))?;
        Some(line.trim().trim_matches('"').to_owned())
    };
    manifest.split("[[bin]]").skip(1).filter_map(name).collect()
}

/// Builds targets below `scratch`, or returns the reason why that is not possible here.
pub(super) fn build(
    root: &Path,
    scratch: &Path,
    targets: &[String],
) -> Result<Result<Build, String>, String> {
    if cfg!(windows) {
        return Ok(Err("libFuzzer is not built for Windows here".to_owned()));
    }
    let compiler = env::var("CXX").unwrap_or_else(|_| "c++".to_owned());
    if let Some(lacking) = tools::lacking_programs(&[[&compiler, "--version"]], &["g++"])? {
        return Ok(Err(format!("libFuzzer is C++: {lacking}")));
    }
    let host = host(root)?;
    let mut args = vec!["build", "--release", "--locked", "--target", &host];
    targets.iter().for_each(|target| args.extend(["--bin", target]));
    let dir = root.join("fuzz");
    let (mut command, flags, how) = match without_sanitizer(root, scratch)? {
        None => {
            let flags = format!("-Zsanitizer=address {COVERAGE}");
            (nightly(&args), flags, "by nightly with AddressSanitizer")
        }
        Some(reason) => {
            println!("   without AddressSanitizer: {reason}");
            (cargo(&dir, &args), COVERAGE.to_owned(), "without AddressSanitizer")
        }
    };
    command.arg("--target-dir").arg(scratch).current_dir(&dir).env("RUSTFLAGS", flags);
    steps::run(&mut command)?;
    Ok(Ok(Build { folder: scratch.join(&host).join("release"), how }))
}

/// Why AddressSanitizer is not available; `None` if a program built with it runs.
pub(in crate::trust) fn without_sanitizer(
    root: &Path,
    scratch: &Path,
) -> Result<Option<String>, String> {
    let rustc = ["rustup", "run", "nightly", "rustc"];
    if !tools::runs(&[&rustc[..], &["--version"]].concat()) {
        return Ok(Some(tools::NO_NIGHTLY.to_owned()));
    }
    let minor = |command: &mut Command| -> Result<Option<u32>, String> {
        let version = steps::output(command.arg("--version").current_dir(root), b"")?;
        let version = String::from_utf8_lossy(&version).into_owned();
        Ok(version.split('.').nth(1).and_then(|minor| minor.parse().ok()))
    };
    let wanted = minor(&mut Command::new("rustc"))?;
    let found = minor(Command::new(rustc[0]).args(&rustc[1..]))?;
    if found < wanted {
        return Ok(Some("the nightly toolchain is older than this workspace's".to_owned()));
    }
    let (source, program) = (scratch.join("empty.rs"), scratch.join("empty"));
    fs::create_dir_all(scratch)
        .and_then(|()| fs::write(&source, "fn main() {}\n"))
        .map_err(|error| super::named(&source, &error))?;
    let mut compile = Command::new(rustc[0]);
    compile.args(&rustc[1..]).args(["-Zsanitizer=address", "-o"]).args([&program, &source]);
    let compiled = compile.output().is_ok_and(|output| output.status.success());
    if !compiled {
        return Ok(Some("the nightly toolchain cannot compile with it".to_owned()));
    }
    let runs = Command::new(&program).output().is_ok_and(|output| output.status.success());
    Ok((!runs).then(|| "a program built with it does not run here".to_owned()))
}

/// The target triple of this machine.
pub(in crate::trust) fn host(root: &Path) -> Result<String, String> {
    let output = steps::output(Command::new("rustc").arg("-vV").current_dir(root), b"")?;
    let text = str::from_utf8(&output).map_err(|error| format!("rustc: {error}"))?;
    let host = text.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned).ok_or_else(|| "the output of rustc -vV has no host".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_are_programs_of_the_manifest() {
        let manifest = "[package]\nname = \"x\"\n\n[[bin]]\nname = \"a\"\npath = \"a.rs\"\n\n\
                        [[bin]]\nname = \"b\"\n\n[dependencies]\n";
        assert_eq!(names(manifest), ["a", "b"]);
    }
}
