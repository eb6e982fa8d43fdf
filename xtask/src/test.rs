//! `cargo xtask test`: checks of a change, and those of CI, in tiers.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use std::{fs, str};

use crate::share::Share;
use crate::steps::{self, Outcome, Steps, Stopped, cargo};
use crate::tools::{self, CRATES};
use crate::trust::platforms::Extent;
use crate::trust::{
    api, conformance, coverage, deny, fuzz, limits, mutants, newcomer, platforms, windows,
};
use crate::{bench, bindings, circles, dist, links, markdown, package, picture, voice};

/// A target that has `core` and `alloc` but not `std`: a crate that needs `std` after all does not
/// build for it, whatever the crate claims.
const NO_STD_TARGET: &str = "wasm32v1-none";

/// Text that the first command of the README must print: it detects the encodings of
/// `examples/mixed`.
const README_OUTPUT: &str = "Shift_JIS";

/// Properties that the usual tier does not check.
const USUAL_LEAVES_OUT: &str = "most random and enumerated cases, other processors and systems, fuzzers, other \
                                libraries, the public API, licences, builds from packages";

/// Properties that the quick tier does not check either.
const QUICK_LEAVES_OUT: &str =
    "memory of the command, examples in the documentation, other features";

/// After this time, CI starts no more steps. It has 90 minutes, and the build of DataFusion alone takes ten.
const CI_TIME: Duration = Duration::from_secs(72 * 60);

/// How much to check, and how long that takes.
#[derive(Clone, Copy)]
pub(crate) enum Tier {
    /// Some two minutes after the build: after a change.
    Quick,
    /// Some ten minutes, all builds included: before a change is submitted.
    Usual,
    /// The checks of CI, an hour or more on two cores.
    Ci,
    /// Hours, after all of the above: before a release.
    Deep,
}

/// Runs the checks of a tier, cheap ones first.
pub(crate) fn run(steps: &mut Steps, root: &Path, tier: Tier) -> Result<(), Stopped> {
    match tier {
        Tier::Quick => quick(steps, root),
        Tier::Usual => usual(steps, root),
        Tier::Ci => {
            steps.limit(CI_TIME);
            steps.go_on();
            ci(steps, root)
        }
        Tier::Deep => ci(steps, root).and_then(|()| deep(steps, root)),
    }
}

/// Everything is built as plain `cargo test` builds it.
fn quick(steps: &mut Steps, root: &Path) -> Result<(), Stopped> {
    sources(steps, root)?;
    steps.run("tests, shorter", || {
        println!("   left out: {USUAL_LEAVES_OUT}, {QUICK_LEAVES_OUT}");
        let mut tests = cargo(root, &["test", "--quiet", "--all-features", "--lib", "--tests"]);
        Share::Usual.set(&mut tests).args(["--", "--skip", "memory_is_bounded"]);
        steps::run(&mut tests).map(|()| Outcome::Passed)
    })?;
    results(steps, root)
}

/// As [`quick`], with checks that need more builds.
fn usual(steps: &mut Steps, root: &Path) -> Result<(), Stopped> {
    sources(steps, root)?;
    without_std(steps, root)?;
    documentation(steps, root, &["--all-features"])?;
    steps.run("tests, shorter", || {
        println!("   left out: {USUAL_LEAVES_OUT}");
        let mut tests = cargo(root, &["test", "--all-features"]);
        steps::run(Share::Usual.set(&mut tests)).map(|()| Outcome::Passed)
    })?;
    results(steps, root)
}

/// Checks of sources, and the tests of this program.
fn sources(steps: &mut Steps, root: &Path) -> Result<(), Stopped> {
    format(steps, root)?;
    pages(steps, root)?;
    let lints = ["clippy", "--all-targets", "--all-features", "--", "-D", "warnings"];
    steps.command("lints", &mut cargo(root, &lints))?;
    let tests = ["test", "--quiet", "-p", "xtask"];
    steps.command("tests of xtask: pages and manifests", &mut cargo(root, &tests))
}

/// Checks of what the tests have built.
fn results(steps: &mut Steps, root: &Path) -> Result<(), Stopped> {
    session(steps, root, "debug")?;
    steps.run("contents of packages", || package::run(root, &["--no-build"]))
}

fn format(steps: &mut Steps, root: &Path) -> Result<(), Stopped> {
    steps.command("format", &mut cargo(root, &["fmt", "--all", "--check"]))?;
    let fuzz = ["fmt", "--manifest-path", "fuzz/Cargo.toml", "--check"];
    steps.command("format of fuzz targets", &mut cargo(root, &fuzz))?;
    let datafusion =
        ["fmt", "--manifest-path", "bindings/datafusion/Cargo.toml", "--all", "--check"];
    steps.command("format of functions for DataFusion", &mut cargo(root, &datafusion))?;
    lock_files(steps, root)
}

/// Compares the lock files outside the workspace with what the crates of the workspace need.
fn lock_files(steps: &mut Steps, root: &Path) -> Result<(), Stopped> {
    for (name, manifest) in [
        ("lock file of fuzz targets", "fuzz/Cargo.toml"),
        ("lock file of functions for DataFusion", "bindings/datafusion/Cargo.toml"),
    ] {
        steps.run(name, || {
            let mut metadata = cargo(root, &["metadata", "--locked", "--format-version", "1"]);
            let output = metadata.args(["--manifest-path", manifest]).output();
            let output = output.map_err(|error| format!("cargo metadata: {error}"))?;
            if output.status.success() {
                return Ok(Outcome::Passed);
            }
            Err(String::from_utf8_lossy(&output.stderr).trim_end().to_owned())
        })?;
    }
    Ok(())
}

/// Checks of texts and pages, each of which takes seconds.
fn pages(steps: &mut Steps, root: &Path) -> Result<(), Stopped> {
    steps.run("links of pages", || links::run(root).map(|()| Outcome::Passed))?;
    steps.run("chart of speed", || picture::check_charts(root).map(|()| Outcome::Passed))?;
    steps.run("circles between modules", || circles::run(root).map(|()| Outcome::Passed))?;
    steps.run("plain English", || voice::run(root, &["--check"]).map(|()| Outcome::Passed))
}

/// Compares the picture of a session with the program that the tests have built.
fn session(steps: &mut Steps, root: &Path, profile: &str) -> Result<(), Stopped> {
    steps.run("picture of a session", || {
        picture::check_session(root, profile).map(|()| Outcome::Passed)
    })
}

/// The most important steps come first, since there is a limit of time. The tests and the bench run in the profile `checked` of
/// `Cargo.toml`; the README's command runs in the release build.
fn ci(steps: &mut Steps, root: &Path) -> Result<(), Stopped> {
    format(steps, root)?;
    pages(steps, root)?;
    steps.command(
        "lints",
        cargo(root, &["clippy", "--all-targets", "--locked"])
            .args(CRATES)
            .args(["--", "-D", "warnings"]),
    )?;
    deny::run(steps, root)?;
    without_std(steps, root)?;
    documentation(steps, root, &CRATES)?;
    // The tests skip a shell that is missing; this step reports it.
    steps.run("shells that read the completions", shells)?;
    let mut tests = cargo(root, &["test", "--profile", "checked", "--no-fail-fast"]);
    steps.command("tests", Share::Full.set(tests.args(CRATES)))?;
    session(steps, root, "checked")?;
    steps.run("public API, compared with docs/api", || api::run(root, &[]))?;
    steps.run("first command of README.md", || readme_command(root))?;
    steps.run("release archive", || dist::run(root, &[]))?;
    newcomer::run(steps, root)?;
    bindings::check(steps, root)?;
    platforms::steps(steps, root, Extent::Short)?;
    windows::run(steps, root)?;
    steps.run("crates built from their packages", || package::run(root, &[]))?;
    steps.run("fuzz targets, ten seconds each", || fuzz::smoke(root))?;
    steps.run("lints, tests and build of the comparisons", || bench::build(root))?;
    steps.run("comparison with other libraries, one input in 97", || conformance::step(root))?;
    steps.run("every cell of the bench once", || bench::test(root))?;
    bindings::check_last(steps, root)?;
    steps.run("limits, at small sizes", || limits::run(root, &["--short"]))
}

/// Builds the library in each way that does without std.
fn without_std(steps: &mut Steps, root: &Path) -> Result<(), Stopped> {
    // Both are also built for a target without std, in the third of these steps.
    let core = ["check", "-p", "utfall", "--no-default-features"];
    steps.command("library with core only", &mut cargo(root, &core))?;
    let mut alloc = cargo(root, &core);
    steps.command("library with core and alloc", alloc.args(["--features", "alloc"]))?;
    steps.run("library for a target without std", || no_std_target(root))
}

fn documentation(steps: &mut Steps, root: &Path, crates: &[&str]) -> Result<(), Stopped> {
    let mut doc = cargo(root, &["doc", "--no-deps"]);
    steps.command("documentation", doc.args(crates).env("RUSTDOCFLAGS", "-D warnings"))
}

/// Checks that take more time.
fn deep(steps: &mut Steps, root: &Path) -> Result<(), Stopped> {
    steps.run("sequences of four bytes through every kernel and the library", || {
        steps::run(&mut xtask(root, &["exhaustive"])).map(|()| Outcome::Passed)
    })?;
    let seed = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
    let properties = "test -p utfall --all-features --profile checked --test it properties::";
    steps.command(
        "properties of streams, a hundred times as many cases",
        Share::Full
            .set(&mut cargo(root, &properties.split(' ').collect::<Vec<_>>()))
            .env("UTFALL_CASES", "100")
            .env("UTFALL_SEED", seed.to_string()),
    )?;
    platforms::steps(steps, root, Extent::Whole)?;
    steps.run("fuzz targets, a quarter of an hour each", || fuzz::long(root, 900))?;
    steps.run("limits, at large sizes", || limits::run(root, &["--long"]))?;
    steps.run("200 kills of a conversion", || {
        steps::run(&mut xtask(root, &["kill"])).map(|()| Outcome::Passed)
    })?;
    steps.run("comparison with other libraries, all inputs", || {
        steps::run(&mut xtask(root, &["conformance"])).map(|()| Outcome::Passed)
    })?;
    steps.run("utfall iconv compared with glibc's", || {
        steps::run(&mut xtask(root, &["iconv"])).map(|()| Outcome::Passed)
    })?;
    steps.run("lines that the tests reach", || coverage::run(root))?;
    steps.run("changes that a test must detect", || mutants::run(root, &[]))
}

/// Another task of this program.
fn xtask(root: &Path, args: &[&str]) -> Command {
    cargo(root, &[&["xtask"], args].concat())
}

/// Installs the shells that completions are written for, if Debian has them.
fn shells() -> Result<Outcome, String> {
    let shells = [["bash", "--version"], ["fish", "--version"], ["zsh", "--version"]];
    let lacking = tools::lacking_programs(&shells, &["bash", "fish", "zsh"])?;
    Ok(lacking.map_or(Outcome::Passed, Outcome::Skipped))
}

/// Builds the library for [`NO_STD_TARGET`], after adding the target if necessary.
fn no_std_target(root: &Path) -> Result<Outcome, String> {
    if let Some(lacking) = tools::lacking_target(root, NO_STD_TARGET)? {
        return Ok(Outcome::Skipped(lacking));
    }
    let build = ["build", "-p", "utfall", "--target", NO_STD_TARGET];
    let core = ["--no-default-features"];
    let alloc = ["--no-default-features", "--features", "alloc"];
    steps::run(cargo(root, &build).args(core))?;
    steps::run(cargo(root, &build).args(alloc))?;
    Ok(Outcome::Passed)
}

/// Runs the first command of a newcomer, exactly as printed in the README.
fn readme_command(root: &Path) -> Result<Outcome, String> {
    let page = fs::read_to_string(root.join("README.md"))
        .map_err(|error| format!("README.md: {error}"))?;
    let command = markdown::first_block(&page, "sh")
        .and_then(|block| markdown::first_command(&block))
        .ok_or("README.md: there is no ```sh block with a command")?;
    let mut shell = Command::new("sh");
    shell.args(["-c", &command]).current_dir(root);
    let output = steps::output(&mut shell, b"")?;
    let text = String::from_utf8_lossy(&output);
    match text.lines().find(|line| line.contains(README_OUTPUT)) {
        Some(line) => {
            println!("   {} bytes, including: {line}", output.len());
            Ok(Outcome::Passed)
        }
        None if text.trim().is_empty() => Err("it printed nothing".to_owned()),
        None => Err(format!("the word {README_OUTPUT} is not in its output:\n{text}")),
    }
}
