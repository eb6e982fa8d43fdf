//! `docs/sessions`, and the examples of other pages in `docs`, of the README and of this crate's README:
//! the output of each command, as the program prints it today.
//!
//! Each page is a session in one shell, in a folder that begins with the files of `examples`, and
//! UTF-8-test.txt.
//! `cargo xtask pages sessions` records the answers anew.

#![cfg(unix)]

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use crate::common::{self, program, repository};

/// Stands between the answers of two commands.
const MARKER: &str = "-- answered --";

#[test]
fn answers_are_as_recorded() {
    if !shell_answers() {
        println!("skipped: there is no `sh` with `printf` and `cat`");
        return;
    }
    for page in pages() {
        let text = fs::read_to_string(&page).unwrap();
        let name = page.strip_prefix(repository("")).unwrap().to_str().unwrap();
        utfall_page::compare_with(name, &text, &recorded(&text));
    }
}

#[test]
fn every_subcommand_has_a_page() {
    for name in common::commands("").iter().filter(|name| !name.contains(' ')) {
        let page = folder().join(format!("{name}.md"));
        let text = fs::read_to_string(&page).unwrap_or_default();
        let uses = |line: &str| line.starts_with("$ ") && line.contains(&format!("utfall {name}"));
        assert!(text.lines().any(uses), "docs/sessions/{name}.md has no `$ utfall {name}`");
    }
}

fn folder() -> PathBuf {
    repository("docs/sessions")
}

/// The pages with commands to run.
fn pages() -> Vec<PathBuf> {
    let mut pages = Vec::new();
    for folder in [folder(), repository("docs"), repository("crates/utfall-cli"), repository("")] {
        let entries = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path());
        let runs = |path: &PathBuf| {
            path.extension().is_some_and(|extension| extension == "md")
                && fs::read_to_string(path).unwrap().contains("\n```console\n")
        };
        let before = pages.len();
        pages.extend(entries.filter(runs));
        assert!(pages.len() > before, "no page of {} has a command", folder.display());
    }
    pages.sort();
    pages
}

/// The page with today's answers.
fn recorded(page: &str) -> String {
    let commands: Vec<_> = lines(page).filter_map(|line| line.command()).collect();
    let mut answers = answers(&commands).into_iter();
    let mut new = String::new();
    for line in lines(page) {
        match line {
            Line::Prose(text) => new += text,
            Line::Command(text) => {
                new += text;
                new += &answers.next().unwrap();
                if !new.ends_with('\n') {
                    new.push('\n');
                }
            }
            Line::Answer => {}
        }
    }
    new
}

/// A line of a page, with its end.
enum Line<'a> {
    Prose(&'a str),
    Command(&'a str),
    Answer,
}

impl<'a> Line<'a> {
    fn command(&self) -> Option<&'a str> {
        match self {
            Self::Command(text) => text.strip_prefix("$ "),
            _ => None,
        }
    }
}

/// The lines of a page. In blocks of `console`, lines that begin with `$ ` are commands, others
/// answers.
fn lines(page: &str) -> impl Iterator<Item = Line<'_>> {
    let mut is_inside = false;
    page.split_inclusive('\n').map(move |line| {
        match line.trim_end() {
            "```console" => is_inside = true,
            "```" => is_inside = false,
            _ if is_inside && line.starts_with("$ ") => return Line::Command(line),
            _ if is_inside => return Line::Answer,
            _ => {}
        }
        Line::Prose(line)
    })
}

/// What each command writes, on standard output and standard error.
fn answers(commands: &[&str]) -> Vec<String> {
    let mut script = String::from("exec 2>&1 </dev/null\n");
    for command in commands {
        // `$?` of the command is there for the next one.
        script += &format!("{command}recorded=$?; printf '\\n{MARKER}\\n'; (exit $recorded)\n");
    }
    let folder = tempfile::tempdir().unwrap();
    copy(&repository("examples"), folder.path());
    fs::copy(repository("testdata/UTF-8-test.txt"), folder.path().join("UTF-8-test.txt")).unwrap();
    let mut shell = Command::new("sh");
    shell.args(["-c", &script]).current_dir(folder.path()).env_clear();
    // The program is found by its name, and nothing of this machine shows.
    let program = PathBuf::from(program().get_program());
    let found = env::var_os("PATH").unwrap_or_default();
    let found = [program.parent().unwrap().into()].into_iter().chain(env::split_paths(&found));
    shell.env("PATH", env::join_paths(found).unwrap()).env("HOME", folder.path());
    let output = shell.output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let separator = format!("\n{MARKER}\n");
    let mut answers: Vec<_> = text.split(&separator).map(String::from).collect();
    assert_eq!(answers.pop().as_deref(), Some(""), "sh did not get to the end: {text}");
    assert_eq!(answers.len(), commands.len(), "{text}");
    answers
}

fn copy(from: &Path, to: &Path) {
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let copied = to.join(path.file_name().unwrap());
        if path.is_dir() {
            fs::create_dir(&copied).unwrap();
            copy(&path, &copied);
        } else {
            fs::copy(&path, &copied).unwrap();
        }
    }
}

fn shell_answers() -> bool {
    Command::new("sh")
        .args(["-c", "printf a | cat"])
        .output()
        .is_ok_and(|output| output.status.success())
}
