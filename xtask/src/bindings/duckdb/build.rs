//! Builds the extension, for the test and for users.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::footer::{footer, platform};
use crate::steps::{self, cargo};
use crate::tools::{lacking_programs, target_dir};

const USAGE: &str = "usage: cargo xtask install-duckdb --to FOLDER";

const WARNINGS: [&str; 5] = ["-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror"];

/// Exceptions of DuckDB may pass through the functions.
const SHARED: [&str; 4] = ["-O2", "-fPIC", "-fexceptions", "-shared"];

/// What Rust's standard library needs.
const LIBRARIES: [&str; 7] =
    ["-Wl,--as-needed", "-lgcc_s", "-lutil", "-lrt", "-lpthread", "-lm", "-ldl"];

/// `cargo xtask install-duckdb`: FOLDER/utfall.duckdb_extension.
pub(crate) fn install(root: &Path, args: &[&str]) -> Result<(), String> {
    let ["--to", folder] = args else { return Err(USAGE.into()) };
    if let Some(lacking) = lacking()? {
        return Err(lacking);
    }
    let extension = Path::new(folder).join("utfall.duckdb_extension");
    Build { root, profile: "release", flags: &[] }.run(&extension)?;
    println!("LOAD '{}';", extension.display());
    Ok(())
}

/// Installs the compiler if necessary. Returns the reason if it is not there afterwards.
pub(super) fn lacking() -> Result<Option<String>, String> {
    if !cfg!(target_os = "linux") {
        return Ok(Some("the extension is linked on Linux only".into()));
    }
    let programs = [["gcc", "--version"], ["nm", "--version"], ["strip", "--version"]];
    lacking_programs(&programs, &["gcc", "libc6-dev", "binutils"])
}

/// How to build.
pub(super) struct Build<'a> {
    pub(super) root: &'a Path,
    pub(super) profile: &'a str,
    pub(super) flags: &'a [&'a str],
}

impl Build<'_> {
    /// Builds the extension `path`. Its name must be `utfall.duckdb_extension`: DuckDB calls
    /// `utfall_init_c_api`.
    pub(super) fn run(&self, path: &Path) -> Result<(), String> {
        let platform = platform().ok_or("DuckDB has no name for this platform")?;
        let library = self.library()?;
        let failed = |error| format!("{}: {error}", path.display());
        path.parent().map_or(Ok(()), fs::create_dir_all).map_err(failed)?;
        steps::run(self.compiler(&library)?.arg("-o").arg(path))?;
        if self.flags.is_empty() {
            steps::run(Command::new("strip").arg(path))?;
        }
        let mut bytes = fs::read(path).map_err(failed)?;
        bytes.extend(footer(platform, env!("CARGO_PKG_VERSION"))?);
        fs::write(path, bytes).map_err(failed)
    }

    /// The static library of `bindings/c`.
    fn library(&self) -> Result<PathBuf, String> {
        let build = ["build", "--package", "utfall-c", "--lib", "--profile", self.profile];
        steps::run(&mut cargo(self.root, &build))?;
        Ok(target_dir(self.root).join(self.profile).join("libutfall_c.a"))
    }

    fn compiler(&self, library: &Path) -> Result<Command, String> {
        let source = self.root.join("bindings/duckdb");
        let mut gcc = Command::new("gcc");
        gcc.args(WARNINGS).args(SHARED).args(self.flags).arg("-DDUCKDB_EXTENSION_NAME=utfall");
        gcc.arg("-isystem").arg(source.join("duckdb"));
        gcc.arg("-I").arg(self.root.join("bindings/c/include"));
        gcc.args(sources(&source.join("src"))?).arg(library);
        gcc.arg(format!("-Wl,--version-script={}", source.join("extension.map").display()));
        // With a sanitizer, its library is loaded before.
        if self.flags.is_empty() {
            gcc.arg("-Wl,--no-undefined");
        }
        gcc.args(["-Wl,--gc-sections", "-Wl,-z,relro,-z,now"]).args(LIBRARIES);
        Ok(gcc)
    }
}

/// The C files of a folder.
fn sources(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let failed = |error| format!("{}: {error}", folder.display());
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        paths.push(entry.map_err(failed)?.path());
    }
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "c"));
    paths.sort();
    Ok(paths)
}
