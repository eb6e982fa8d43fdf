//! Steps: run one after the other, shown with their command line and time, and summarized at the end.
//! A failure stops them, except in CI.

use std::env;
use std::ffi::OsStr;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

/// The outcome of a step that did not fail.
pub(crate) enum Outcome {
    Passed,
    /// Skipped, with the reason.
    Skipped(String),
}

/// A step failed and has been reported; the remaining steps must not run.
pub(crate) struct Stopped;

/// The steps so far.
#[derive(Default)]
pub(crate) struct Steps {
    done: Vec<Step>,
    /// After this time no step is started, and the time it stands for.
    limit: Option<(Instant, Duration)>,
    /// Whether steps run after a failure.
    goes_on: bool,
}

/// A finished step.
struct Step {
    name: String,
    seconds: f64,
    ended: Ended,
}

enum Ended {
    Passed,
    Skipped(String),
    Failed,
}

impl Steps {
    /// Runs `body` and prints the summary. Its last line has the totals only.
    pub(crate) fn all(body: impl FnOnce(&mut Steps) -> Result<(), Stopped>) -> ExitCode {
        let mut steps = Steps::default();
        let result = body(&mut steps);
        print!("\n{}", steps.summary());
        let has_failed = steps.done.iter().any(|step| matches!(step.ended, Ended::Failed));
        if result.is_err() || has_failed { ExitCode::FAILURE } else { ExitCode::SUCCESS }
    }

    /// From now on, a failure does not prevent the steps after it, so that one run finds all failures.
    pub(crate) fn go_on(&mut self) {
        self.goes_on = true;
    }

    /// From now on, steps that would begin later than this are skipped.
    pub(crate) fn limit(&mut self, time: Duration) {
        self.limit = Some((Instant::now() + time, time));
    }

    /// Runs one step and reports its outcome.
    pub(crate) fn run(
        &mut self,
        name: &str,
        body: impl FnOnce() -> Result<Outcome, String>,
    ) -> Result<(), Stopped> {
        println!("\n== {name}");
        let start = Instant::now();
        let result = match self.limit {
            Some((end, time)) if start >= end => {
                let minutes = time.as_secs() / 60;
                Ok(Outcome::Skipped(format!("the steps before it took {minutes} minutes")))
            }
            _ => body(),
        };
        let seconds = start.elapsed().as_secs_f64();
        let (ended, told) = match result {
            Ok(Outcome::Passed) => {
                println!("   passed, {seconds:.1} s");
                (Ended::Passed, Ok(()))
            }
            Ok(Outcome::Skipped(reason)) => {
                println!("   SKIPPED, {seconds:.1} s: {reason}");
                (Ended::Skipped(reason), Ok(()))
            }
            Err(message) => {
                println!("   FAILED, {seconds:.1} s: {message}");
                (Ended::Failed, if self.goes_on { Ok(()) } else { Err(Stopped) })
            }
        };
        self.done.push(Step { name: name.to_owned(), seconds, ended });
        told
    }

    /// A line for each step, with the reason if it was skipped, and one with the totals.
    fn summary(&self) -> String {
        let mut text = String::new();
        let (mut passed, mut failed, mut skipped) = (0, 0, 0);
        for Step { name, seconds, ended } in &self.done {
            text += &format!("{seconds:7.1} s  {name}");
            match ended {
                Ended::Passed => passed += 1,
                Ended::Skipped(reason) => {
                    skipped += 1;
                    text += &format!(": SKIPPED, {reason}");
                }
                Ended::Failed => {
                    failed += 1;
                    text += ": FAILED";
                }
            }
            text.push('\n');
        }
        let all: f64 = self.done.iter().map(|step| step.seconds).sum();
        text += &format!("{all:7.1} s  in all\n\n");
        text += &format!("{passed} passed, {failed} failed, {skipped} skipped\n");
        text
    }

    /// Runs a step that is one command.
    pub(crate) fn command(&mut self, name: &str, command: &mut Command) -> Result<(), Stopped> {
        self.run(name, || run(command).map(|()| Outcome::Passed))
    }
}

/// `cargo` with the given arguments, to be run in the directory `dir`.
pub(crate) fn cargo(dir: &Path, args: &[&str]) -> Command {
    // Cargo tells the commands it runs where it is.
    let program = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(program);
    command.args(args).current_dir(dir);
    command
}

/// Shows and runs a command whose output goes to the terminal. An exit status other than 0 is an
/// error.
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

/// The name of a command's program, without its directory.
fn program(command: &Command) -> String {
    let program = Path::new(command.get_program());
    let name = program.file_stem().unwrap_or(command.get_program());
    name.display().to_string()
}

/// A word quoted for a shell.
fn quoted(word: &OsStr) -> String {
    let word = word.to_string_lossy();
    let plain = |c: char| c.is_alphanumeric() || "-_./=:,+@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.into_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn summary_tells_every_step_and_why_one_was_skipped() {
        let step = |name: &str, seconds, ended| Step { name: name.to_owned(), seconds, ended };
        let steps = Steps {
            done: vec![
                step("format", 0.44, Ended::Passed),
                step("wasm", 1.0, Ended::Skipped("there is no node".to_owned())),
                step("tests", 410.0, Ended::Failed),
            ],
            limit: None,
            goes_on: false,
        };
        let expected = "    0.4 s  format\n    1.0 s  wasm: SKIPPED, there is no node\n  410.0 s  \
                        tests: FAILED\n  411.4 s  in all\n\n1 passed, 1 failed, 1 skipped\n";
        assert_eq!(steps.summary(), expected);
    }

    #[test]
    fn failure_stops_steps_unless_they_go_on() {
        let mut steps = Steps::default();
        assert!(steps.run("lints", || Err("it ran".to_owned())).is_err());
        steps.go_on();
        assert!(steps.run("tests", || Err("it ran".to_owned())).is_ok());
        assert!(steps.summary().ends_with("0 passed, 2 failed, 0 skipped\n"));
    }

    #[test]
    fn steps_after_the_limit_are_skipped() {
        let mut steps = Steps::default();
        assert!(steps.run("format", || Ok(Outcome::Passed)).is_ok());
        steps.limit(Duration::ZERO);
        assert!(steps.run("tests", || Err("it ran".to_owned())).is_ok());
        assert!(steps.summary().contains("tests: SKIPPED, the steps before it took 0 minutes"));
        assert!(steps.summary().ends_with("1 passed, 0 failed, 1 skipped\n"));
    }
}
