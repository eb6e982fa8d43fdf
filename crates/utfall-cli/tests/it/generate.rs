//! `utfall generate`: manual pages and completions.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::common::{Folder, commands, utfall};

/// Whether a program is there. Says that something is skipped if it is not.
fn is_there(program: &str, arg: &str) -> bool {
    let is_there = Command::new(program).arg(arg).output().is_ok();
    if !is_there {
        println!("skipped: there is no {program}");
    }
    is_there
}

#[test]
fn every_command_has_a_page() {
    let folder = Folder::new();
    folder.utfall("generate man pages/man1", "").quietly_gives("");
    let pages = folder.path("pages").join("man1");
    let commands = commands("");
    assert!(commands.iter().any(|name| name == "generate man"), "{commands:?}");
    for name in &commands {
        let title = format!("utfall-{}", name.replace(' ', "-"));
        let page = fs::read_to_string(pages.join(format!("{title}.1"))).unwrap();
        let title = title.replace('-', "\\-");
        for part in [
            format!(".TH {} 1 ", title.replace("\\-", "-")),
            format!(".SH NAME\n{title} \\- "),
            ".SH SYNOPSIS\n".into(),
            ".SH DESCRIPTION\n".into(),
            ".SH OPTIONS\n".into(),
            ".SH EXAMPLES\n".into(),
            ".SH \"SEE ALSO\"\n\\fButfall\\fR(1), ".into(),
        ] {
            assert!(page.contains(&part), "{part:?} is not in the page of {name}:\n{page}");
        }
    }
    // `-h` hides this option, the page does not.
    let page = fs::read_to_string(pages.join("utfall-check.1")).unwrap();
    assert!(page.contains("Follow symbolic links in directories"), "{page}");
    let page = fs::read_to_string(pages.join("utfall.1")).unwrap();
    for part in [".SH \"EXIT STATUS\"\n", ".SH ENVIRONMENT\n", "UTFALL_ISA"] {
        assert!(page.contains(part), "{part:?} is not in {page}");
    }
    assert_eq!(fs::read_dir(&pages).unwrap().count(), commands.len() + 1);
    // Written over without asking.
    folder.utfall("generate man pages/man1", "").quietly_gives("");
    check_pages(&pages);
}

/// With whatever there is to check manual pages.
fn check_pages(pages: &Path) {
    let lints: [(&str, &[&str]); 2] =
        [("mandoc", &["-Tlint", "-Wwarning"]), ("groff", &["-man", "-Kutf8", "-ww", "-z"])];
    for (program, args) in lints {
        if !is_there(program, "--version") {
            continue;
        }
        for page in fs::read_dir(pages).unwrap() {
            let page = page.unwrap().path();
            let output = Command::new(program).args(args).arg(&page).output().unwrap();
            let said = [output.stdout, output.stderr].concat();
            let said = String::from_utf8_lossy(&said);
            // It has no date, and names pages that are not installed.
            let said: Vec<_> = said
                .lines()
                .filter(|line| !line.contains("date") && !line.contains("referenced manual"))
                .collect();
            assert!(said.is_empty(), "{program} on {}:\n{}", page.display(), said.join("\n"));
        }
    }
}

#[test]
fn a_page_that_cannot_be_written() {
    let folder = Folder::with([("file", b"")]);
    let run = folder.utfall("generate man file", "");
    run.fails(4, &["error: cannot write file"]);
    folder.utfall("generate", "").fails(2, &["Usage"]);
    folder.utfall("generate completions tcsh", "").fails(2, &["bash", "fish", "zsh"]);
}

#[test]
fn completions_are_read_by_their_shells() {
    for (shell, check) in [("bash", "-n"), ("zsh", "-n"), ("fish", "--no-execute")] {
        let folder = Folder::new();
        let run = folder.utfall(&format!("generate completions {shell}"), "");
        assert_eq!((run.status, run.stderr.as_str()), (0, ""));
        assert!(run.text().contains("imap-name"), "{run:?}");
        fs::write(folder.path("completions"), &run.stdout).unwrap();
        if is_there(shell, "--version") {
            let output =
                Command::new(shell).arg(check).arg(folder.path("completions")).output().unwrap();
            assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
        }
    }
    for shell in ["elvish", "powershell"] {
        let run = utfall(&format!("generate completions {shell}"), "");
        assert!(run.status == 0 && run.text().contains("imap-name"), "{run:?}");
    }
}

#[cfg(unix)]
#[test]
fn bash_completes() {
    let folder = Folder::new();
    let script = utfall("generate completions bash", "").stdout;
    fs::write(folder.path("completions"), script).unwrap();
    if !is_there("bash", "--version") {
        return;
    }
    let complete = |words: &str| {
        let script = format!(
            "source completions; COMP_WORDS=({words}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); \
             current=\"${{COMP_WORDS[COMP_CWORD]}}\"; \
             _utfall utfall \"$current\" \"${{COMP_WORDS[COMP_CWORD-1]}}\"; echo \"${{COMPREPLY[*]}}\""
        );
        let mut bash = Command::new("bash");
        let output = bash.args(["--norc", "-c", &script]).current_dir(folder.path("")).output();
        String::from_utf8(output.unwrap().stdout).unwrap()
    };
    assert_eq!(complete("utfall conv"), "convert\n");
    assert_eq!(complete("utfall convert --on-error esc"), "escape escape-xml escape-python\n");
    assert_eq!(complete("utfall imap-name --che"), "--check\n");
    assert_eq!(complete("utfall convert -t UTF-16"), "UTF-16 UTF-16LE UTF-16BE\n");
}
