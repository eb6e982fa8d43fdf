//! The Python package: its wheel, built and installed as users do, and its tests.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::steps::{self, Outcome, Steps, Stopped, cargo};
use crate::tools::{lacking_programs, runs, target_dir};

/// What builds and audits the wheel.
const TOOLS: [&str; 2] = ["maturin>=1.16,<2", "abi3audit>=0.0.26"];
/// What the tests need beside the wheel.
const TEST_TOOLS: [&str; 2] = ["pytest>=8", "mypy>=1.18"];

/// Packages that read files through the codecs.
const ENGINES: [&str; 3] = ["pandas", "polars", "pyarrow"];

/// Packages whose speed and accuracy are compared.
const RIVALS: [&str; 4] = ["chardet", "charset-normalizer", "faust-cchardet", "ftfy"];

/// The command of the README that installs the package from a clone.
const COMMAND: &str = "pip install ./bindings/python";

/// Runs the examples of a page.
const EXAMPLES: &str = "
import doctest, pathlib, sys
text = pathlib.Path(sys.argv[1]).read_text(encoding='utf-8').replace('```', '')
test = doctest.DocTestParser().get_doctest(text, {}, sys.argv[1], sys.argv[1], 0)
sys.exit(len(test.examples) < 4 or doctest.DocTestRunner().run(test).failed > 0)
";

/// Interpreters without a GIL, the newest first.
const FREE_THREADED: [&str; 2] = ["python3.14t", "python3.13t"];

/// Other interpreters that the wheel is for. The layout of a `str` differs.
const OTHERS: [&str; 3] = ["python3.12", "python3.13", "python3.14"];

/// Engines whose speed is compared. The first is needed; DuckDB needs NumPy.
const COMPARED_ENGINES: [&str; 6] = ["pyarrow", "numpy", "duckdb", "polars", "datafusion", "daft"];

/// The folders of a run.
struct Places {
    source: PathBuf,
    wheels: PathBuf,
    /// The environment of the tools.
    tools: PathBuf,
    /// A new environment, with the wheel.
    fresh: PathBuf,
    /// A new environment for the command of the README.
    readme: PathBuf,
    /// The wheel without a GIL, and its environment.
    free_threaded: PathBuf,
    /// Environments of other interpreters.
    others: PathBuf,
}

pub(crate) fn check(steps: &mut Steps, root: &Path) -> Result<(), Stopped> {
    let here = Places::of(root);
    let lints = ["clippy", "--package", "utfall-python", "--all-targets", "--locked"];
    let mut lints = cargo(root, &lints);
    steps.command("python: lints", lints.args(["--", "-D", "warnings"]))?;
    if wheel(steps, root)?.is_none() {
        return Ok(());
    }
    steps.run("python: abi3audit", || here.audit())?;
    steps.run("python: install", || here.install())?;
    steps.run("python: tests", || here.pytest(&["--ignore=test_engines.py", "."]))?;
    steps.run("python: mypy", || here.mypy())?;
    steps.run("python: stubtest", || here.stubtest())?;
    steps.run("python: pyarrow, Polars, pandas", || here.engines())?;
    steps.run("python: the command of the README", || here.readme(root))?;
    steps.run("python: other versions", || here.other_versions())?;
    steps.run("python: free-threaded", || here.free_threaded())
}

/// Builds the wheel as users get it. Returns its path, or nothing if the tools for that are missing.
pub(super) fn wheel(steps: &mut Steps, root: &Path) -> Result<Option<PathBuf>, Stopped> {
    let here = Places::of(root);
    let mut lacking = None;
    steps.run("python: tools", || {
        lacking = here.prepare()?;
        Ok(lacking.clone().map_or(Outcome::Passed, Outcome::Skipped))
    })?;
    if lacking.is_some() {
        return Ok(None);
    }
    let mut wheel = None;
    steps.run("python: wheel", || {
        wheel = Some(here.build()?);
        Ok(Outcome::Passed)
    })?;
    Ok(wheel)
}

/// Builds the wheel as users get it, and prints its speed and accuracy beside those of Python and of other packages.
pub(crate) fn compare(root: &Path) -> Result<(), String> {
    let here = Places::of(root);
    if let Some(lacking) = here.prepare()? {
        return Err(lacking);
    }
    here.build()?;
    here.install()?;
    for package in RIVALS {
        if let Err(reason) = install(&here.fresh, &[package]) {
            eprintln!("{package} cannot be installed: {reason}");
        }
    }
    steps::run(here.python().arg(here.source.join("bench.py")))?;
    let examples = here.source.join("../../examples/engines");
    for package in COMPARED_ENGINES {
        if let Err(reason) = install(&here.fresh, &[package]) {
            eprintln!("{package} cannot be installed: {reason}");
        }
    }
    steps::run(here.python().arg(examples.join("bench.py")))
}

impl Places {
    fn of(root: &Path) -> Self {
        let root = root.canonicalize().unwrap_or_else(|_| root.to_owned());
        let folder = target_dir(&root).join("bindings/python");
        Self {
            source: root.join("bindings/python"),
            wheels: folder.join("wheels"),
            tools: folder.join("tools"),
            fresh: folder.join("fresh"),
            readme: folder.join("readme"),
            free_threaded: folder.join("free-threaded"),
            others: folder.join("others"),
        }
    }

    /// Makes the environment of the tools. Returns why that is impossible.
    fn prepare(&self) -> Result<Option<String>, String> {
        let venv =
            [["python3", "-m", "venv", "--help"], ["python3", "-m", "ensurepip", "--version"]];
        if let Some(lacking) = lacking_programs(&venv, &["python3", "python3-venv"])? {
            return Ok(Some(lacking));
        }
        let is_new_enough = "import sys; sys.exit(sys.version_info < (3, 11))";
        if !runs(&["python3", "-c", is_new_enough]) {
            return Ok(Some("python3 is older than 3.11".into()));
        }
        if !self.tools.join("bin/maturin").exists() {
            environment(&self.tools)?;
        }
        Ok(install(&self.tools, &TOOLS)
            .err()
            .map(|reason| format!("maturin is missing and cannot be installed: {reason}")))
    }

    fn build(&self) -> Result<PathBuf, String> {
        _ = fs::remove_dir_all(&self.wheels);
        let mut maturin = Command::new(self.tools.join("bin/maturin"));
        // As users build it, and as the first command of the README builds most of it.
        maturin.args(["build", "--release", "--out"]).arg(&self.wheels);
        maturin.args(["--interpreter"]).arg(self.tools.join("bin/python"));
        steps::run(maturin.current_dir(&self.source))?;
        self.built()
    }

    fn built(&self) -> Result<PathBuf, String> {
        only_wheel(&self.wheels)
    }

    /// The wheel uses only functions of the stable ABI of Python 3.11.
    fn audit(&self) -> Result<Outcome, String> {
        let wheel = self.built()?;
        if !wheel.to_string_lossy().contains("-cp311-abi3-") {
            return Err(format!("{} is not for the stable ABI of 3.11", wheel.display()));
        }
        let mut audit = Command::new(self.tools.join("bin/abi3audit"));
        steps::run(audit.args(["--strict", "--report"]).arg(wheel))?;
        Ok(Outcome::Passed)
    }

    fn install(&self) -> Result<Outcome, String> {
        _ = fs::remove_dir_all(&self.fresh);
        environment(&self.fresh)?;
        // No other package is needed.
        let wheel = self.built()?;
        install(&self.fresh, &["--no-index", &wheel.to_string_lossy()])?;
        steps::run(self.python().args(["-m", "utfall", "--version"]))?;
        install(&self.fresh, &TEST_TOOLS)?;
        Ok(Outcome::Passed)
    }

    fn python(&self) -> Command {
        let mut python = Command::new(self.fresh.join("bin/python"));
        // Not in `bindings/python`, where the sources would be found instead of the wheel.
        python.current_dir(&self.fresh);
        python
    }

    /// Runs tests with the installed wheel.
    fn pytest(&self, args: &[&str]) -> Result<Outcome, String> {
        let mut pytest = self.python();
        pytest.args(["-m", "pytest", "-q", "-rs", "-p", "no:cacheprovider", "--rootdir"]);
        steps::run(pytest.arg(&self.source).args(args).current_dir(self.source.join("tests")))?;
        Ok(Outcome::Passed)
    }

    /// The same in environments with the packages that the tests need.
    fn engines(&self) -> Result<Outcome, String> {
        match install(&self.fresh, &ENGINES) {
            Ok(()) => self.pytest(&["test_engines.py", "test_arrow.py", "test_docs.py"]),
            Err(reason) => Ok(Outcome::Skipped(format!("they cannot be installed: {reason}"))),
        }
    }

    /// Runs the command of the README as a reader does, and then the examples of the package's
    /// README.
    fn readme(&self, root: &Path) -> Result<Outcome, String> {
        let page = fs::read_to_string(root.join("README.md")).map_err(|error| error.to_string())?;
        if !page.contains(&format!("\n```sh\n{COMMAND}\n")) {
            return Err(format!("README.md has no sh block that begins with {COMMAND:?}"));
        }
        _ = fs::remove_dir_all(&self.readme);
        environment(&self.readme)?;
        let mut path = vec![self.readme.join("bin")];
        path.extend(env::split_paths(&env::var_os("PATH").unwrap_or_default()));
        let path = env::join_paths(path).map_err(|error| error.to_string())?;
        steps::run(Command::new("sh").args(["-c", COMMAND]).env("PATH", path).current_dir(root))?;
        let mut examples = Command::new(self.readme.join("bin/python"));
        examples.args(["-c", EXAMPLES]).arg(self.source.join("README.md"));
        steps::run(examples.current_dir(&self.readme))?;
        Ok(Outcome::Passed)
    }

    /// Builds a wheel for an interpreter without a GIL, and runs the tests with it.
    fn free_threaded(&self) -> Result<Outcome, String> {
        let Some(python) = FREE_THREADED.into_iter().find(|python| runs(&[python, "--version"]))
        else {
            let names = FREE_THREADED.join(" nor ");
            return Ok(Outcome::Skipped(format!("neither {names} is on the path")));
        };
        let folder = &self.free_threaded;
        _ = fs::remove_dir_all(folder);
        let (venv, wheels) = (folder.join("venv"), folder.join("wheels"));
        let mut maturin = Command::new(self.tools.join("bin/maturin"));
        maturin.args(["build", "--release", "--interpreter", python, "--out"]).arg(&wheels);
        steps::run(maturin.current_dir(&self.source))?;
        let wheel = only_wheel(&wheels)?;
        let is_free_threaded = wheel.to_string_lossy().contains("t-");
        if !is_free_threaded {
            return Err(format!("{} is not for an interpreter without a GIL", wheel.display()));
        }
        steps::run(Command::new(python).args(["-m", "venv"]).arg(&venv))?;
        install(&venv, &["--no-index", &wheel.to_string_lossy()])?;
        install(&venv, &["pytest>=8"])?;
        // An extension that does not declare its support would turn the GIL on.
        let has_no_gil = "import sys, utfall; sys.exit(sys._is_gil_enabled())";
        let run = || Command::new(venv.join("bin/python"));
        steps::run(run().args(["-c", has_no_gil]).current_dir(folder))?;
        let mut pytest = run();
        pytest.args(["-m", "pytest", "-q", "-rs", "-p", "no:cacheprovider", "--rootdir"]);
        pytest.arg(&self.source).args(["--ignore=test_engines.py", "."]);
        steps::run(pytest.current_dir(self.source.join("tests")))?;
        Ok(Outcome::Passed)
    }

    /// Runs the tests of conversions in other interpreters.
    fn other_versions(&self) -> Result<Outcome, String> {
        let found: Vec<_> =
            OTHERS.into_iter().filter(|python| runs(&[python, "--version"])).collect();
        if found.is_empty() {
            return Ok(Outcome::Skipped(format!("none of {} is on the path", OTHERS.join(", "))));
        }
        let wheel = self.built()?;
        _ = fs::remove_dir_all(&self.others);
        for python in found {
            let venv = self.others.join(python);
            steps::run(Command::new(python).args(["-m", "venv"]).arg(&venv))?;
            install(&venv, &["--no-index", &wheel.to_string_lossy()])?;
            install(&venv, &["pytest>=8"])?;
            let mut pytest = Command::new(venv.join("bin/python"));
            pytest.args(["-m", "pytest", "-q", "-rs", "-p", "no:cacheprovider", "--rootdir"]);
            pytest.arg(&self.source).args(["test_convert.py", "test_codecs.py"]);
            steps::run(pytest.current_dir(self.source.join("tests")))?;
        }
        Ok(Outcome::Passed)
    }

    fn mypy(&self) -> Result<Outcome, String> {
        let mut mypy = self.python();
        mypy.args(["-m", "mypy", "--strict", "--package", "utfall"]);
        steps::run(&mut mypy)?;
        let mut users = self.python();
        users.args(["-m", "mypy", "--strict"]).arg(self.source.join("tests/typed.py"));
        steps::run(&mut users)?;
        Ok(Outcome::Passed)
    }

    /// The stubs of the compiled part are those of its functions.
    fn stubtest(&self) -> Result<Outcome, String> {
        let mut stubtest = self.python();
        stubtest.args(["-m", "mypy.stubtest", "utfall._utfall", "--allowlist"]);
        steps::run(stubtest.arg(self.source.join("tests/stubtest.txt")))?;
        Ok(Outcome::Passed)
    }
}

/// The wheel in a folder, which has no other.
fn only_wheel(folder: &Path) -> Result<PathBuf, String> {
    let entries = fs::read_dir(folder).map_err(|error| error.to_string())?;
    let mut wheels: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    match wheels.pop() {
        Some(wheel) if wheels.is_empty() => Ok(wheel),
        _ => Err(format!("expected one wheel in {}", folder.display())),
    }
}

pub(super) fn environment(folder: &Path) -> Result<(), String> {
    steps::run(Command::new("python3").args(["-m", "venv"]).arg(folder))
}

pub(super) fn install(environment: &Path, packages: &[&str]) -> Result<(), String> {
    let mut pip = Command::new(environment.join("bin/python"));
    pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]);
    steps::run(pip.args(packages))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// There is one version of everything.
    #[test]
    fn the_package_has_the_version_of_the_workspace() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        let project = fs::read_to_string(root.join("bindings/python/pyproject.toml")).unwrap();
        let line = concat!("\nversion = \"", env!("CARGO_PKG_VERSION"), "\"\n");
        assert!(project.contains(line), "pyproject.toml lacks {line:?}");
    }
}
