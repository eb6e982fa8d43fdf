//! `cargo xtask fuzz`: builds the targets of `fuzz/` and runs each for some seconds;
//! `fuzz/README.md` describes the requirements and the directories.

pub(in crate::trust) mod build;
mod corpus;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::Mutex;
use std::thread;

use self::build::Build;
use crate::steps::Outcome;
use crate::tools;

/// How long each target runs by default, in seconds.
const SECONDS: u32 = 10;
/// The longest input, in bytes.
const LONGEST: u32 = 1200;

const USAGE: &str = "\
usage: cargo xtask fuzz [--time SECONDS] [TARGET…]
       cargo xtask fuzz --keep [TARGET…]

  --time    run each target for this many seconds (default: 10)
  --keep    run nothing; add inputs to fuzz/corpus that earlier runs have found and that reach new code";

/// Runs targets, or saves what they have found; without names, all of them.
pub(crate) fn run(root: &Path, args: &[&str]) -> ExitCode {
    let (task, names) = match args {
        ["--keep", names @ ..] => (Some(Task::Keep), names),
        ["--time", seconds, names @ ..] => (seconds.parse().ok().map(Task::Run), names),
        names => (Some(Task::Run(SECONDS)), names),
    };
    let targets = match build::targets(root) {
        Ok(targets) => targets,
        Err(message) => return failed(&message),
    };
    let known = names.iter().all(|name| targets.iter().any(|target| target == name));
    let (Some(task), true) = (task, known) else {
        eprintln!("{USAGE}\n\ntargets: {}", targets.join(", "));
        return ExitCode::from(2);
    };
    let is_wanted = |target: &String| names.is_empty() || names.contains(&target.as_str());
    match all(root, targets.into_iter().filter(is_wanted).collect(), task) {
        Ok(Outcome::Passed) => ExitCode::SUCCESS,
        Ok(Outcome::Skipped(reason)) => failed(&reason),
        Err(message) => failed(&message),
    }
}

/// Runs every target for a while, deterministically, as a step of CI: a failure there is due to
/// the change.
pub(crate) fn smoke(root: &Path) -> Result<Outcome, String> {
    all(root, build::targets(root)?, Task::Smoke)
}

/// Runs every target for this many seconds.
pub(crate) fn long(root: &Path, seconds: u32) -> Result<Outcome, String> {
    all(root, build::targets(root)?, Task::Run(seconds))
}

fn failed(message: &str) -> ExitCode {
    eprintln!("xtask: {message}");
    ExitCode::FAILURE
}

/// The operation on targets.
#[derive(Clone, Copy)]
enum Task {
    /// Run for this many seconds with a new seed.
    Run(u32),
    /// Run from the corpus, deterministically.
    Smoke,
    Keep,
}

/// Runs as many at a time as there are processors.
fn all(root: &Path, targets: Vec<String>, task: Task) -> Result<Outcome, String> {
    let scratch = tools::target_dir(root).join("fuzz");
    let build = match build::build(root, &scratch, &targets)? {
        Ok(build) => build,
        Err(reason) => return Ok(Outcome::Skipped(reason)),
    };
    println!("   built {}; logs and new inputs are in {}", build.how, scratch.display());
    let processors = thread::available_parallelism().map_or(1, usize::from);
    let next = Mutex::new(targets.iter());
    let failures = Mutex::new(Vec::new());
    let work = || {
        while let Some(target) = next.lock().ok().and_then(|mut next| next.next()) {
            let done = Target::new(root, &scratch, &build, target).and_then(|target| match task {
                Task::Run(seconds) => target.run(seconds, None),
                Task::Smoke => target.smoke(),
                Task::Keep => corpus::keep(&target),
            });
            match (done, failures.lock()) {
                (Ok(line), _) => println!("   {target}: {line}"),
                (Err(message), Ok(mut failures)) => failures.push(message),
                (Err(_), Err(_)) => return,
            }
        }
    };
    thread::scope(|scope| (0..processors).for_each(|_| drop(scope.spawn(work))));
    let failures = failures.into_inner().map_err(|_| "a thread has panicked")?;
    if failures.is_empty() { Ok(Outcome::Passed) } else { Err(failures.join("\n\n")) }
}

/// One target, and its directories.
struct Target<'a> {
    name: &'a str,
    build: &'a Build,
    /// Inputs that are checked in.
    corpus: PathBuf,
    /// Inputs found by this and earlier runs.
    found: PathBuf,
    /// Inputs that fail.
    artifacts: PathBuf,
    /// Where `corpus` is rebuilt, and temporary inputs are written.
    kept: PathBuf,
    log: PathBuf,
}

impl<'a> Target<'a> {
    /// Creates its directories, except `kept`.
    fn new(root: &Path, scratch: &Path, build: &'a Build, name: &'a str) -> Result<Self, String> {
        let folder = |folder: &str| scratch.join(folder).join(name);
        let target = Self {
            name,
            build,
            corpus: root.join("fuzz/corpus").join(name),
            found: folder("found"),
            artifacts: folder("artifacts"),
            kept: folder("kept"),
            log: scratch.join(format!("{name}.log")),
        };
        for folder in [&target.corpus, &target.found, &target.artifacts] {
            fs::create_dir_all(folder).map_err(|error| named(folder, &error))?;
        }
        Ok(target)
    }

    /// The command that runs the target, to be completed with arguments; it writes its log.
    fn command(&self) -> Result<Command, String> {
        let log = fs::File::create(&self.log).map_err(|error| named(&self.log, &error))?;
        let both = log.try_clone().map_err(|error| named(&self.log, &error))?;
        let mut command = self.build.command(self.name);
        command.stdout(log).stderr(both);
        Ok(command)
    }

    /// Runs it from the corpus alone, and saves nothing.
    fn smoke(mut self) -> Result<String, String> {
        self.found = self.kept.clone();
        if self.found.exists() {
            fs::remove_dir_all(&self.found).map_err(|error| named(&self.found, &error))?;
        }
        fs::create_dir_all(&self.found).map_err(|error| named(&self.found, &error))?;
        self.run(SECONDS, Some(1))
    }

    /// Runs it for this many seconds, and returns a summary in one line.
    fn run(&self, seconds: u32, seed: Option<u32>) -> Result<String, String> {
        let before = files(&self.artifacts)?;
        let mut command = self.command()?;
        // libFuzzer appends the name of a file to this.
        let artifacts = format!("-artifact_prefix={}/", self.artifacts.display());
        command.args([&artifacts, "-len_control=0", "-print_final_stats=1", "-timeout=60"]);
        command.args([format!("-max_total_time={seconds}"), format!("-max_len={LONGEST}")]);
        command.args(seed.map(|seed| format!("-seed={seed}")));
        command.args([&self.found, &self.corpus]);
        let status = command.status().map_err(|error| format!("{}: {error}", self.name))?;
        let log = fs::read(&self.log).map_err(|error| named(&self.log, &error))?;
        let log = String::from_utf8_lossy(&log);
        if status.success() {
            return summary(&log).ok_or_else(|| self.failure(&log, "its log has no figures"));
        }
        let after = files(&self.artifacts)?;
        Err(match after.iter().find(|file| !before.contains(file)) {
            Some(file) => self.advice(&log, file),
            None => self.failure(&log, &status.to_string()),
        })
    }

    /// The description of a failure: the message of a panic, or the end of the log.
    fn failure(&self, log: &str, reason: &str) -> String {
        let lines: Vec<&str> = log.lines().collect();
        let lines = match lines.iter().position(|line| line.contains(" panicked at ")) {
            Some(panic) => &lines[panic..lines.len().min(panic + 5)],
            None => &lines[lines.len().saturating_sub(30)..],
        };
        let lines = lines.join("\n");
        format!("{lines}\n{}: {reason}; full log: {}", self.name, self.log.display())
    }

    /// What to do with a failing input.
    fn advice(&self, log: &str, file: &Path) -> String {
        let binary = self.build.path(self.name);
        let (name, binary, file) = (self.name, binary.display(), file.display());
        format!(
            "{}\n\n\
             {name}: the input {file} fails.\n\
             - {binary} {file}\n  runs it again\n\
             - {binary} -minimize_crash=1 -max_total_time=60 {file}\n  makes it small\n\
             Write a test that fails for the same reason, with a name that describes it, fix the \
             library, then run the fuzzer again.",
            self.failure(log, "found something"),
        )
    }
}

/// The figures of libFuzzer's log.
fn summary(log: &str) -> Option<String> {
    let number = |line: &str| line.split_whitespace().next()?.parse::<u64>().ok();
    let stat = |name| log.lines().find_map(|line| number(line.strip_prefix(name)?));
    let executions = stat("stat::number_of_executed_units:")?;
    let new = stat("stat::new_units_added:")?;
    let seconds = log.lines().rev().find_map(|line| {
        let (_, after) = line.strip_prefix("Done ")?.split_once(" runs in ")?;
        number(after)
    })?;
    let edges = log.lines().rev().find_map(|line| number(line.split_once(" cov: ")?.1));
    let edges = edges.unwrap_or(0);
    let each = executions / seconds.max(1);
    Some(format!("{executions} executions, {each} a second, {edges} edges, {new} new inputs"))
}

/// The files of a directory.
fn files(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let entries = fs::read_dir(folder).map_err(|error| named(folder, &error))?;
    Ok(entries.flatten().map(|entry| entry.path()).filter(|path| path.is_file()).collect())
}

fn named(path: &Path, error: &std::io::Error) -> String {
    format!("{}: {error}", path.display())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_those_of_the_log() {
        let log = "\
            INFO: Seed: 1\n\
            #7\tINITED cov: 21 ft: 30 corp: 1/1b exec/s: 0 rss: 40Mb\n\
            #900\tDONE   cov: 345 ft: 999 corp: 20/300b lim: 800 exec/s: 90 rss: 41Mb\n\
            Done 900 runs in 9 second(s)\n\
            stat::number_of_executed_units: 900\n\
            stat::average_exec_per_sec:     90\n\
            stat::new_units_added:          12\n";
        let line = "900 executions, 100 a second, 345 edges, 12 new inputs";
        assert_eq!(summary(log).as_deref(), Some(line));
        assert_eq!(summary("INFO: Seed: 1\n"), None);
    }
}
