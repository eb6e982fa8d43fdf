//! `--help`: every command has examples, and they run.

use crate::common::{self, commands, utfall};

/// The lines under `Examples:`.
fn examples(command: &str) -> Vec<String> {
    let help = utfall(&format!("{command} --help"), "");
    let mut lines = help.text().lines().skip_while(|line| !line.starts_with("Example")).skip(1);
    let examples: Vec<_> = lines
        .by_ref()
        .take_while(|line| line.starts_with("  "))
        .map(|line| line.trim_start().to_owned())
        .collect();
    assert!(!examples.is_empty(), "`utfall {command} --help` has no examples");
    examples
}

#[test]
fn every_command_has_examples() {
    for command in commands("") {
        for example in examples(&command) {
            let uses = example.contains(&format!("utfall {command}"));
            assert!(uses || command == "iconv", "`{example}` is not an example of {command}");
        }
    }
    assert!(examples("").iter().all(|example| example.contains("utfall ")));
}

/// One screen of a small terminal, with the command above it and the prompt below.
#[test]
fn the_short_help_fits_a_terminal() {
    for args in ["", "-h"] {
        let mut command = common::program();
        let run = common::run(command.args(args.split_whitespace()).env("COLUMNS", "80"), "");
        let text = if args.is_empty() { run.stderr.clone() } else { run.text().to_owned() };
        assert!(text.lines().count() <= 23, "{text}");
        assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
        for command in commands("") {
            let is_shown = command.contains(' ') || text.contains(&format!("  {command} "));
            assert!(is_shown, "{command}: {text}");
        }
    }
    assert_eq!(utfall("help check", "").text(), utfall("check --help", "").text());
}

/// The help of a command on a screen of this width.
fn help(command: &str, flag: &str, columns: usize) -> String {
    let args = command.split(' ').chain([flag]);
    let run = common::run(common::program().args(args).env("COLUMNS", columns.to_string()), "");
    assert_eq!((run.status, run.stderr.as_str()), (0, ""), "{command} {flag}");
    run.text().to_owned()
}

#[test]
fn short_help_of_every_command_fits_a_terminal() {
    for command in commands("") {
        let text = help(&command, "-h", 80);
        assert!(text.lines().count() <= 23, "{command}: {text}");
        for line in text.lines() {
            assert!(line.chars().count() <= 80, "{command}: {line}");
            assert!(!line.starts_with("        "), "{command}: not one line: {line}");
        }
        let end = format!("\n\n`utfall {command} --help` shows all options and examples.\n");
        assert!(text.ends_with(&end), "{command}: {text}");
    }
}

#[test]
fn long_help_is_wrapped_once_at_the_width_of_the_terminal() {
    for (columns, width) in [(60, 60), (80, 80), (200, 100)] {
        for command in commands("") {
            let text = help(&command, "--help", columns);
            let (before, examples) = text.split_once("\nExample").unwrap();
            assert!(
                examples.lines().all(|line| line.chars().count() <= 80),
                "{command}: {examples}"
            );
            let lines: Vec<_> = before.lines().collect();
            for pair in lines.windows(2) {
                let [line, next] = pair else { unreachable!() };
                let length = line.chars().count();
                let is_example = line.starts_with("  FILE:");
                assert!(length <= width || is_example, "{command}, {width}: {line}");
                // A paragraph is not broken before its lines are full.
                let is_text = |line: &str| line.starts_with(|c: char| c.is_alphanumeric());
                if is_text(line) && is_text(next) && !line.ends_with(':') {
                    let word = next.split(' ').next().unwrap().chars().count();
                    assert!(length + 1 + word > width, "{command}, {width}: {line}");
                }
            }
        }
    }
}

#[test]
fn help_is_80_columns_wide_where_the_width_is_unknown() {
    let run = common::run(common::program().args(["convert", "--help"]).env_remove("COLUMNS"), "");
    let width = run.text().lines().map(|line| line.chars().count()).max();
    assert_eq!(width, Some(80));
}

#[cfg(unix)]
mod unix {
    use std::os::unix::fs::symlink;
    use std::path::{Path, PathBuf};
    use std::process::{Command, Stdio};
    use std::{env, fs};

    use super::examples;
    use crate::common::{commands, program, repository};

    #[test]
    fn examples_run() {
        if Command::new("sh").args(["-c", "true"]).output().is_err() {
            println!("skipped: there is no sh");
            return;
        }
        for command in [vec![String::new()], commands("")].concat() {
            for example in examples(&command) {
                run(&example);
            }
        }
    }

    /// Runs an example in a folder that has the files that it names.
    fn run(example: &str) {
        let folder = tempfile::tempdir().unwrap();
        prepare(example, folder.path());
        let mut shell = Command::new("sh");
        let mut script = match example.strip_prefix("source <(") {
            // That is bash.
            Some(command) => command.trim_end_matches(')').to_owned(),
            None => example.to_owned(),
        };
        if example.starts_with("utfall undo") {
            // There is something to undo, up to the run that is named.
            let made = "utfall convert -q -t UTF-16 --in-place $n.txt";
            script = format!("for n in 1 2 3 4 5 6 7; do cp a.txt $n.txt; {made}; done; {script}");
        }
        shell.args(["-c", &script]).current_dir(folder.path());
        let program = PathBuf::from(program().get_program());
        let found = env::var_os("PATH").unwrap_or_default();
        // Examples call it by its other name too.
        let links = tempfile::tempdir().unwrap();
        symlink(&program, links.path().join("iconv")).unwrap();
        let folders = [links.path(), program.parent().unwrap()].map(PathBuf::from);
        let path = folders.into_iter().chain(env::split_paths(&found));
        shell.env("PATH", env::join_paths(path).unwrap()).env("HOME", folder.path());
        shell.env_remove("UTFALL_ISA").stdin(Stdio::null());
        let output = shell.output().unwrap();
        let (status, said) = (output.status.code(), String::from_utf8_lossy(&output.stderr));
        match status {
            Some(127) if !said.contains("utfall: ") => println!("skipped: {example}: {said}"),
            // The samples may contain what an example searches for, or lack what it needs.
            Some(0 | 1 | 3) => {}
            _ => panic!("`{example}` ended with {status:?}: {said}"),
        }
    }

    /// Makes the files and folders that an example names.
    fn prepare(example: &str, folder: &Path) {
        let text = "\u{FEFF}Grüße, \"Ἀκρόπολις\" & 論語\r\n".repeat(60);
        fs::write(folder.join("a.txt"), &text).unwrap();
        let mut before = "";
        for word in example.split(|c: char| c.is_whitespace() || "<>|'".contains(c)) {
            let is_output = matches!(std::mem::replace(&mut before, word), "-o" | "--output");
            let path = folder.join(word.trim_start_matches("~/"));
            let bytes = match word.rsplit_once('.').map_or("", |(_, extension)| extension) {
                _ if is_output || word.starts_with('-') || word.contains('*') => continue,
                _ if ["docs", "src"].contains(&word) => {
                    fs::create_dir_all(&path).unwrap();
                    fs::write(path.join("a.txt"), &text).unwrap();
                    continue;
                }
                "utf7" => fs::read(repository("examples/analects.utf7")).unwrap(),
                "eml" => fs::read(repository("examples/mail/hi-mom.eml")).unwrap(),
                "mbox" => b"From a@b.example Tue Mar 11 00:00:00 1997\n\nHi\n".into(),
                // Of changes that were made; none.
                "json" => Vec::new(),
                "tsv" => b"a.txt\tUTF-8\n".into(),
                "txt" | "html" | "csv" | "md" | "rs" => text.clone().into(),
                _ if word.starts_with("~/") => Vec::new(),
                _ => continue,
            };
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            // The example creates files in the home directory.
            if !word.starts_with("~/") {
                fs::write(path, bytes).unwrap();
            }
        }
    }
}
