//! The DuckDB extension of `bindings/duckdb`: built from C and the static library, and tested in several
//! versions of DuckDB.

mod build;
mod footer;
mod versions;

use std::path::{Path, PathBuf};
use std::process::Command;

use super::PROFILE;
use crate::steps::{self, Outcome, Steps, Stopped};
use crate::tools::{lacking_programs, target_dir};
use build::Build;
use versions::{VERSIONS, Version};

pub(crate) use build::install;

/// The pages whose examples run.
const PAGES: [&str; 2] = ["docs/duckdb.md", "bindings/duckdb/README.md"];

/// Where the test puts the extensions and the versions of DuckDB.
struct Places {
    root: PathBuf,
    made: PathBuf,
}

pub(super) fn check(steps: &mut Steps, root: &Path) -> Result<(), Stopped> {
    if !cfg!(all(target_os = "linux", target_env = "gnu")) {
        return steps.run("duckdb", || {
            Ok(Outcome::Skipped("the test of the extension needs Linux with glibc".into()))
        });
    }
    let root = root.canonicalize().unwrap_or_else(|_| root.to_owned());
    let here = Places { made: target_dir(&root).join("bindings/duckdb"), root };
    steps.run("duckdb: extension", || here.build("plain", &[]))?;
    steps.run("duckdb: exported symbols", || here.symbols())?;
    for version in &VERSIONS {
        steps.run(&format!("duckdb: DuckDB {}", version.number), || here.test(version))?;
    }
    steps.run("duckdb: AddressSanitizer", || here.sanitized())
}

impl Places {
    /// The extension that was built under a name.
    fn extension(&self, name: &str) -> PathBuf {
        self.made.join(name).join("utfall.duckdb_extension")
    }

    fn build(&self, name: &str, flags: &[&str]) -> Result<Outcome, String> {
        if let Some(lacking) = build::lacking()? {
            return Ok(Outcome::Skipped(lacking));
        }
        let build = Build { root: &self.root, profile: PROFILE, flags };
        build.run(&self.extension(name)).map(|()| Outcome::Passed)
    }

    /// The extension shows the function that DuckDB calls, and nothing else.
    fn symbols(&self) -> Result<Outcome, String> {
        if let Some(lacking) = build::lacking()? {
            return Ok(Outcome::Skipped(lacking));
        }
        let mut nm = Command::new("nm");
        nm.args(["-D", "--defined-only", "--format=just-symbols"]).arg(self.extension("plain"));
        let shown = String::from_utf8_lossy(&steps::output(&mut nm, b"")?).into_owned();
        match shown.trim() == "utfall_init_c_api" {
            true => Ok(Outcome::Passed),
            false => Err(format!("the extension exports\n{shown}")),
        }
    }

    /// Why the tests cannot run.
    fn lacking(&self) -> Result<Option<String>, String> {
        let lacking = build::lacking()?;
        let python =
            [["python3", "-m", "venv", "--help"], ["python3", "-m", "ensurepip", "--version"]];
        match lacking {
            Some(lacking) => Ok(Some(lacking)),
            None => lacking_programs(&python, &["python3", "python3-venv"]),
        }
    }

    fn test(&self, version: &Version) -> Result<Outcome, String> {
        if let Some(lacking) = self.lacking()? {
            return Ok(Outcome::Skipped(lacking));
        }
        match version.python(&self.made) {
            Ok(python) => self.run(&python, "plain", &[], &[]),
            Err(lacking) => Ok(Outcome::Skipped(lacking)),
        }
    }

    /// Runs the tests with an extension.
    fn run(
        &self,
        python: &Path,
        name: &str,
        variables: &[(&str, &str)],
        args: &[&str],
    ) -> Result<Outcome, String> {
        let mut tests = Command::new(python);
        tests.arg(self.root.join("bindings/duckdb/tests/run.py")).arg(self.extension(name));
        tests.arg(self.root.join("testdata/bindings/cases.json"));
        tests.args(PAGES.map(|page| self.root.join(page))).args(args);
        tests.envs(variables.iter().copied());
        steps::run(&mut tests).map(|()| Outcome::Passed)
    }

    /// The same tests, with checks of every access to memory in the C code.
    fn sanitized(&self) -> Result<Outcome, String> {
        if let Some(lacking) = self.lacking()? {
            return Ok(Outcome::Skipped(lacking));
        }
        let [.., newest] = &VERSIONS;
        let python = match newest.python(&self.made) {
            Ok(python) => python,
            Err(lacking) => return Ok(Outcome::Skipped(lacking)),
        };
        self.build("sanitized", &["-g", "-O1", "-fsanitize=address,undefined"])?;
        // AddressSanitizer needs the function that throws exceptions when it starts.
        let libraries = [library("libasan.so")?, library("libstdc++.so.6")?].join(":");
        // Python does not free everything at its end.
        let options = "detect_leaks=0:halt_on_error=1";
        let variables = [("LD_PRELOAD", &*libraries), ("ASAN_OPTIONS", options)];
        self.run(&python, "sanitized", &variables, &["--without-memory"])
    }
}

/// The path of a library of the compiler.
fn library(name: &str) -> Result<String, String> {
    let mut gcc = Command::new("gcc");
    let path = steps::output(gcc.arg(format!("-print-file-name={name}")), b"")?;
    Ok(String::from_utf8_lossy(&path).trim().to_owned())
}
