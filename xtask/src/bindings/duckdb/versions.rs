//! The versions of DuckDB that load the extension, from Python's registry.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::steps;
use crate::tools::runs;

/// A version of DuckDB.
pub(super) struct Version {
    pub(super) number: &'static str,
}

/// The oldest first. Wheels before 1.3 are for the platform `linux_amd64_gcc4`.
pub(super) const VERSIONS: [Version; 3] =
    [Version { number: "1.3.2" }, Version { number: "1.4.4" }, Version { number: "2.0.0" }];

impl Version {
    /// A Python with this version, in a virtual environment below `folder`. It is made if necessary. The error
    /// says why that is not possible.
    pub(super) fn python(&self, folder: &Path) -> Result<PathBuf, String> {
        let environment = folder.join(format!("venv-{}", self.number));
        let python = environment.join("bin/python");
        let program = python.to_string_lossy();
        let is_there = format!("import duckdb; assert duckdb.__version__ == '{}'", self.number);
        if !runs(&[&program, "-c", &is_there]) {
            steps::run(Command::new("python3").args(["-m", "venv", "--clear"]).arg(&environment))?;
            let mut pip = Command::new(&python);
            pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]);
            pip.args(["--only-binary", ":all:", "--no-deps", "--retries", "1", "--timeout", "20"]);
            steps::run(pip.arg(format!("duckdb=={}", self.number)))
                .map_err(|error| format!("DuckDB {} cannot be installed: {error}", self.number))?;
        }
        Ok(python)
    }
}
