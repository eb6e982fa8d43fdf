//! The programs of `examples/engines`, tested with the real engines and the wheel.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::python;
use crate::steps::{self, Outcome, Steps, Stopped};
use crate::tools::{lacking_programs, target_dir};

/// The folders of a run.
struct Places {
    python: PathBuf,
    examples: PathBuf,
    /// An environment with the engines, kept between runs: it has 1.5 GB.
    environment: PathBuf,
}

pub(crate) fn check(steps: &mut Steps, root: &Path) -> Result<(), Stopped> {
    let root = root.canonicalize().unwrap_or_else(|_| root.to_owned());
    let here = Places {
        python: root.join("bindings/python"),
        examples: root.join("examples/engines"),
        environment: target_dir(&root).join("bindings/engines/venv"),
    };
    let Some(wheel) = python::wheel(steps, &root)? else { return Ok(()) };
    let mut lacking = None;
    steps.run("engines: install", || {
        lacking = here.install(&wheel)?;
        Ok(lacking.clone().map_or(Outcome::Passed, Outcome::Skipped))
    })?;
    if lacking.is_some() {
        return Ok(());
    }
    steps.run("engines: pandas, Polars, pyarrow", || {
        here.pytest(&here.python.join("tests"), "test_engines.py")
    })?;
    steps.run("engines: columns", || here.examples("test_columns.py"))?;
    steps.run("engines: large columns", || here.examples("test_large_columns.py"))?;
    steps.run("engines: Spark", || here.spark())?;
    steps.run("engines: docs/engines.md", || here.examples("test_page.py"))
}

impl Places {
    /// Returns the reason if the engines cannot be installed.
    fn install(&self, wheel: &Path) -> Result<Option<String>, String> {
        if !self.environment.join("bin/python").exists() {
            python::environment(&self.environment)?;
        }
        let requirements = self.examples.join("requirements.txt");
        if let Err(reason) =
            python::install(&self.environment, &["-r", &requirements.to_string_lossy()])
        {
            return Ok(Some(format!("the engines cannot be installed: {reason}")));
        }
        // Its version stays the same while it changes.
        let again = ["--no-index", "--no-deps", "--force-reinstall", &wheel.to_string_lossy()];
        python::install(&self.environment, &again)?;
        Ok(None)
    }

    fn spark(&self) -> Result<Outcome, String> {
        match lacking_programs(&[["java", "-version"]], &["openjdk-17-jre-headless"])? {
            Some(lacking) => Ok(Outcome::Skipped(lacking)),
            None => self.examples("test_spark.py"),
        }
    }

    fn examples(&self, tests: &str) -> Result<Outcome, String> {
        self.pytest(&self.examples.join("tests"), tests)
    }

    fn pytest(&self, folder: &Path, tests: &str) -> Result<Outcome, String> {
        let mut pytest = Command::new(self.environment.join("bin/python"));
        pytest.args(["-m", "pytest", "-q", "-rsP", "-p", "no:cacheprovider"]);
        steps::run(pytest.arg(tests).current_dir(folder))?;
        Ok(Outcome::Passed)
    }
}
