//! Steps: run one after the other, shown with their command line and time,
//! counted, and stopped at the first failure.

use std::env;
use std::ffi::OsStr;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::time::Instant;

/// How a step that did not fail ended.
pub(crate) enum Outcome {
    Passed,
    /// The reason, for people.
    Skipped(String),
}

/// A step failed and has been reported; nothing else is to be run.
pub(crate) struct Stopped;

/// The count of the steps so far.
#[derive(Default)]
pub(crate) struct Steps {
    passed: u32,
    failed: u32,
    skipped: u32,
}

impl Steps {
    /// Runs `body` and prints the closing line, alone on the last line.
    pub(crate) fn all(body: impl FnOnce(&mut Steps) -> Result<(), Stopped>) -> ExitCode {
        let mut steps = Steps::default();
        let result = body(&mut steps);
        println!();
        println!("{} passed, {} failed, {} skipped", steps.passed, steps.failed, steps.skipped);
        match result {
            Ok(()) => ExitCode::SUCCESS,
            Err(Stopped) => ExitCode::FAILURE,
        }
    }

    /// Runs one step and reports how it ended.
    pub(crate) fn run(
        &mut self,
        name: &str,
        body: impl FnOnce() -> Result<Outcome, String>,
    ) -> Result<(), Stopped> {
        println!("\n== {name}");
        let start = Instant::now();
        let result = body();
        let seconds = start.elapsed().as_secs_f64();
        match result {
            Ok(Outcome::Passed) => {
                self.passed += 1;
                println!("   passed, {seconds:.1} s");
                Ok(())
            }
            Ok(Outcome::Skipped(reason)) => {
                self.skipped += 1;
                println!("   SKIPPED, {seconds:.1} s: {reason}");
                Ok(())
            }
            Err(message) => {
                self.failed += 1;
                println!("   FAILED, {seconds:.1} s: {message}");
                Err(Stopped)
            }
        }
    }

    /// Runs a step that is one command.
    pub(crate) fn command(&mut self, name: &str, command: &mut Command) -> Result<(), Stopped> {
        self.run(name, || run(command).map(|()| Outcome::Passed))
    }
}

/// `cargo` with the given arguments, to be run in the folder `dir`.
pub(crate) fn cargo(dir: &Path, args: &[&str]) -> Command {
    // Cargo tells the commands it runs where it is itself.
    let program = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(program);
    command.args(args).current_dir(dir);
    command
}

/// Shows and runs a command whose output is for people. An exit status other
/// than 0 is an error.
pub(crate) fn run(command: &mut Command) -> Result<(), String> {
    show(command);
    let status = command.status().map_err(|error| format!("{}: {error}", program(command)))?;
    if status.success() { Ok(()) } else { Err(format!("{}: {status}", program(command))) }
}

/// Shows and runs a command with `input` as its standard input, and returns its
/// standard output. An exit status other than 0 is an error.
///
/// The input is written before the output is read, so it must be small.
pub(crate) fn output(command: &mut Command, input: &[u8]) -> Result<Vec<u8>, String> {
    show(command);
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| format!("{}: {error}", program(command)))?;
    if let Some(mut stdin) = child.stdin.take() {
        // A command that does not read its input may have closed it.
        let _ = stdin.write_all(input);
    }
    let output =
        child.wait_with_output().map_err(|error| format!("{}: {error}", program(command)))?;
    if output.status.success() {
        Ok(output.stdout)
    } else {
        Err(format!("{}: {}", program(command), output.status))
    }
}

/// Prints a command as it would be typed.
fn show(command: &Command) {
    let mut line = String::new();
    for (key, value) in command.get_envs() {
        if let Some(value) = value {
            line += &format!("{}={} ", key.display(), quoted(value));
        }
    }
    line += &program(command);
    for arg in command.get_args() {
        line += &format!(" {}", quoted(arg));
    }
    println!("   $ {line}");
}

/// The name of a command's program, without its folder.
fn program(command: &Command) -> String {
    let program = Path::new(command.get_program());
    let name = program.file_stem().unwrap_or(command.get_program());
    name.display().to_string()
}

/// One word for a shell.
fn quoted(word: &OsStr) -> String {
    let word = word.to_string_lossy();
    let plain = |c: char| c.is_alphanumeric() || "-_./=:,+@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.into_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}
