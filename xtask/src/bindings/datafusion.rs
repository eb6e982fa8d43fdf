//! The functions for DataFusion of `bindings/datafusion`, which has a workspace of its own.

use std::env;
use std::path::Path;
use std::process::Command;

use crate::share::FULL;
use crate::steps::{self, Outcome, Steps, Stopped, cargo};
use crate::tools::target_dir;

/// The package that needs all of DataFusion.
const SQL: &str = "utfall-datafusion-sql";

pub(super) fn check(steps: &mut Steps, root: &Path) -> Result<(), Stopped> {
    let root = root.canonicalize().unwrap_or_else(|_| root.to_owned());
    let made = target_dir(&root).join("bindings/datafusion");
    let locked = |subcommand: &str, package: &[&str]| -> Command {
        let mut command = cargo(&root.join("bindings/datafusion"), &[subcommand, "--locked"]);
        command.arg("--target-dir").arg(&made).args(package);
        command
    };
    let deny = ["--all-targets", "--", "-D", "warnings"];
    steps.command("datafusion: lints", locked("clippy", &[]).args(deny))?;
    steps.command("datafusion: tests on arrays", &mut locked("test", &[]))?;
    steps.run("datafusion: SQL", || {
        if env::var_os(FULL).is_none() {
            let reason = format!("building DataFusion takes ten minutes; {FULL}=1 runs it");
            return Ok(Outcome::Skipped(reason));
        }
        steps::run(locked("clippy", &["--package", SQL]).args(deny))?;
        steps::run(&mut locked("test", &["--package", SQL])).map(|()| Outcome::Passed)
    })
}
