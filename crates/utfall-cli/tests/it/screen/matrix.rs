//! Each case with each hostile name: into a pipe, into one in colour, and on a terminal.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread;

use serde_json::Value;

use super::cases::{CASES, Case, Content, Stdout};
use super::hostile;
use crate::common::{Folder, Run, commands, run};
use crate::pty;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Onto {
    Pipe,
    Colours,
    Terminal,
}

impl Content {
    fn bytes(self) -> Vec<u8> {
        match self {
            Self::Text => hostile::text(),
            Self::Sound => hostile::sound(),
            Self::Message => hostile::message(),
            Self::Mbox => hostile::mbox(),
            Self::Mailboxes => hostile::mailboxes(),
            Self::Lines => [hostile::WORD.as_bytes(), b"\t", hostile::WORD.as_bytes()].concat(),
        }
    }
}

/// The arguments, with hostile text inserted.
fn arguments(args: &str, name: &OsStr) -> Vec<OsString> {
    let argument = |arg: &str| -> OsString {
        let with_word = arg.replace("WORD", hostile::WORD);
        match with_word.split_once("NAME") {
            Some((before, after)) => {
                OsString::from_vec([before.as_bytes(), name.as_bytes(), after.as_bytes()].concat())
            }
            None => with_word.into(),
        }
    };
    args.split(' ').map(argument).collect()
}

/// A folder with a hostile name, in which is a file with another.
fn folder(name: &OsStr, content: Content) -> Option<(Folder, std::path::PathBuf)> {
    let folder = Folder::new();
    let inner = folder.path("").join(name);
    let made = fs::create_dir(&inner).and_then(|()| fs::write(inner.join(name), content.bytes()));
    match made {
        Ok(()) => Some((folder, inner)),
        Err(error) => {
            println!("skipped: the file system does not take {name:?}: {error}");
            None
        }
    }
}

fn command(folder: &Folder, inner: &std::path::Path, args: &str, name: &OsStr) -> Command {
    let mut command = folder.command();
    command.current_dir(inner).args(arguments(args, name)).env("PAGER", "cat");
    for variable in ["NO_COLOR", "CLICOLOR_FORCE", "CLICOLOR", "CI", "COLUMNS", "UTFALL_THREADS"] {
        command.env_remove(variable);
    }
    command.env("TERM", "xterm-256color");
    command
}

fn outcome(case: &Case, name: &OsStr, onto: Onto) -> Option<Run> {
    let (folder, inner) = folder(name, case.content)?;
    if !case.before.is_empty() {
        let before = run(&mut command(&folder, &inner, case.before, name), "");
        assert_eq!(before.status, 0, "{}: {before:?}", case.before);
    }
    let mut command = command(&folder, &inner, case.args, name);
    let stdin = case.content.bytes();
    match onto {
        Onto::Pipe => Some(run(&mut command, stdin)),
        Onto::Colours => Some(run(command.env("CLICOLOR_FORCE", "1"), stdin)),
        Onto::Terminal => pty::run(&mut command),
    }
}

/// Whether something hostile is there to be seen, in one way or the other.
fn shows(run: &Run) -> bool {
    let stdout = String::from_utf8_lossy(&run.stdout);
    let escapes = ["u{1b}", "u001b", "<U+001B>", "%1B", "u{202e}", "\\033", "1B"];
    [&*stdout, &run.stderr].iter().any(|text| escapes.iter().any(|escape| text.contains(escape)))
}

#[test]
fn no_report_acts_on_a_terminal_or_a_log() {
    let next = AtomicUsize::new(0);
    let (runs, coloured) = (AtomicUsize::new(0), AtomicUsize::new(0));
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some(case) = CASES.get(next.fetch_add(1, Relaxed)) {
                    try_case(case, &runs, &coloured);
                }
            });
        }
    });
    println!("{runs:?} runs, {coloured:?} in colour");
    assert!(runs.into_inner() > 2 * CASES.len() && coloured.into_inner() > 0);
}

/// Every name into a pipe, and some in colour and on a terminal, which differ in little else.
fn try_case(case: &Case, runs: &AtomicUsize, coloured: &AtomicUsize) {
    let mut is_shown = matches!(case.stdout, Stdout::Constant | Stdout::Alone);
    for (index, name) in hostile::names().iter().enumerate().step_by(utfall_oracle::step(7)) {
        for onto in [Onto::Pipe, Onto::Colours, Onto::Terminal] {
            if onto != Onto::Pipe && index % 5 != 0 {
                continue;
            }
            let Some(run) = outcome(case, name, onto) else { continue };
            runs.fetch_add(1, Relaxed);
            coloured.fetch_add(usize::from(run.stdout.contains(&0x1B)), Relaxed);
            is_shown |= shows(&run);
            judge(case, &run, onto, &format!("{}, {name:?}, {onto:?}", case.args));
        }
    }
    assert!(is_shown, "{}: nothing hostile is in what is said", case.args);
}

fn judge(case: &Case, run: &Run, onto: Onto, what: &str) {
    let is_coloured = onto != Onto::Pipe;
    assert!((0..=4).contains(&run.status) || run.status == 64, "{what}: {run:?}");
    let fault = hostile::fault(run.stderr.as_bytes(), is_coloured, false);
    assert_eq!(fault, None, "{what}, standard error: {run:?}");
    let mut fault = match case.stdout {
        Stdout::Result | Stdout::Alone => return,
        Stdout::Text if onto != Onto::Terminal => return,
        _ => hostile::fault(&run.stdout, is_coloured, case.stdout == Stdout::Github),
    };
    if case.stdout == Stdout::Text {
        // Lines of a text stay lines, and no log is a terminal.
        fault = fault.filter(|fault| !fault.starts_with("a command"));
    }
    assert_eq!(fault, None, "{what}, standard output: {run:?}");
    if case.stdout == Stdout::Json {
        assert!(is_json(run.text()), "{what}: {run:?}");
    }
}

/// One object on each line, or one in all.
fn is_json(text: &str) -> bool {
    let is_value = |text: &str| serde_json::from_str::<Value>(text).is_ok();
    is_value(text) || text.lines().all(is_value)
}

/// A subcommand, or a format of one, that has no case fails here.
#[test]
fn every_subcommand_and_format_has_a_case() {
    let begins = |case: &Case, name: &str| {
        case.args.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
    };
    let names = commands("");
    assert!(names.len() > 12, "{names:?}");
    for name in &names {
        assert!(CASES.iter().any(|case| begins(case, name)), "no case of {name}");
    }
    for (name, flags) in utfall_cli::subcommands() {
        let formats = flags.iter().filter(|(flag, _)| flag == "--format");
        for format in formats.flat_map(|(_, values)| values.iter().flatten()) {
            let flag = format!("--format {format}");
            let has = CASES.iter().any(|case| begins(case, &name) && case.args.contains(&flag));
            assert!(has, "no case of {name} {flag}");
        }
    }
}

/// Errors in arguments and the environment, for each subcommand.
#[test]
fn no_argument_acts_on_a_terminal_or_a_log() {
    let word = hostile::WORD;
    for name in commands("") {
        let wrong = [
            format!("--{word}"),
            format!("--format={word}"),
            format!("-{word}"),
            format!("--threads={word}"),
            format!("--quiet={word}"),
            format!("--from={word}"),
            format!("-f{word}"),
            format!("-t{word}"),
            format!("--output={word}/{word}"),
            word.into(),
        ];
        for wrong in &wrong {
            for is_coloured in [false, true] {
                let folder = Folder::new();
                let mut command = folder.command();
                command.args(name.split(' ')).arg(wrong).env("UTFALL_THREADS", "1");
                if is_coloured {
                    command.env("CLICOLOR_FORCE", "1");
                }
                let run = run(&mut command, "");
                let fault = hostile::fault(run.stderr.as_bytes(), is_coloured, false);
                assert_eq!(fault, None, "{name} {wrong:?}: {run:?}");
            }
        }
        for variable in ["UTFALL_THREADS", "UTFALL_ISA", "UTFALL_STATE_DIR", "LC_ALL", "NO_COLOR"] {
            let folder = Folder::new();
            fs::write(folder.path("in"), hostile::sound()).unwrap();
            let mut command = folder.command();
            command.args(name.split(' ')).arg("in").env(variable, word);
            let run = run(&mut command, "");
            let fault = hostile::fault(run.stderr.as_bytes(), false, false);
            assert_eq!(fault, None, "{name}, {variable}: {run:?}");
        }
    }
    // Such as are read before there is a subcommand.
    for wrong in [word, &format!("--{word}")] {
        let mut command = crate::common::program();
        let run = run(command.arg(wrong), "");
        assert_eq!(run.status, 2);
        assert!(run.stderr.contains("\\u{1b}[2J"), "{run:?}");
        assert_eq!(hostile::fault(run.stderr.as_bytes(), false, false), None, "{run:?}");
    }
}
