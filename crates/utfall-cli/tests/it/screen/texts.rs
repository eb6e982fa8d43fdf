//! What stays exact, and where.

use std::fs;
use std::process::Stdio;

use serde_json::Value;

use crate::common::{Folder, run};
use crate::pty;

const BODY: &str = "a\tb\n::x\n\u{1B}[2J\u{9B}31m\u{202E}\u{200F}c\rd\n";

fn message() -> Folder {
    let head = "Subject: =?utf-8?q?=1B[2J=E2=80=AE?=\nContent-Type: text/plain; charset=utf-8\n\n";
    Folder::with([("letter", format!("{head}{BODY}").as_bytes())])
}

const HEAD: &str = "Subject: \\u{1b}[2J\\u{202e}\nContent-Type: text/plain; charset=\"utf-8\"\n\n";

#[test]
fn bodies_are_exact_but_on_a_terminal() {
    let folder = message();
    let exact = format!("{HEAD}{BODY}");
    folder.utfall("mail --extract -q letter", "").quietly_gives(&exact);
    folder.utfall("mail --extract -q --raw letter", "").quietly_gives(&exact);
    folder.utfall("mail --extract -q -o out letter", "").quietly_gives("");
    assert_eq!(folder.read("out"), exact.as_bytes());
    folder.utfall("mail --raw letter", "").fails(2, &["--extract"]);

    let on_terminal = |args: &str| pty::run(folder.command().args(args.split(' ')));
    let Some(run) = on_terminal("mail --extract -q letter") else { return };
    let shown = "a\tb\n::x\n\\u{1b}[2J\\u{9b}31m\\u{202e}\\u{200f}c\\rd\n";
    run.quietly_gives(format!("{HEAD}{shown}"));
    on_terminal("mail --extract -q --raw letter").unwrap().quietly_gives(&exact);
    // A terminal that is named is one.
    let named = on_terminal("mail --extract -q -o /dev/stdout letter").unwrap();
    named.quietly_gives(format!("{HEAD}{shown}"));
}

/// The lines between messages are not bodies.
#[test]
fn envelopes_are_escaped() {
    let folder = Folder::with([("box", b"From \x1B[2J\xE2\x80\xAE\xFF\nSubject: x\n\n\x1B[2J\n")]);
    let run = folder.utfall("mail --extract -q box", "");
    let head = "From \\u{1b}[2J\\u{202e}\u{FFFD}\nSubject: x\n\n";
    run.quietly_gives(format!("{head}\u{1B}[2J\n"));
}

/// Output requested unchanged, as by `cat`.
#[test]
fn conversions_are_exact_on_a_terminal() {
    let folder = Folder::with([("in", BODY.as_bytes())]);
    for args in ["convert -f UTF-8 -t UTF-8 in", "iconv -f UTF-8 -t UTF-8 in", "repair in"] {
        let Some(run) = pty::run(folder.command().args(args.split(' '))) else { return };
        run.quietly_gives(BODY);
    }
}

/// `patch` makes of a text with all that acts what `repair` makes of it, under whatever name.
#[test]
fn diffs_are_exact_but_on_a_terminal() {
    let text = "\u{1B}[2J Ã©lÃ¨ves \u{202E}\u{9B}\n::x\nplain\n";
    let repaired = "\u{1B}[2J élèves \u{202E}\u{9B}\n::x\nplain\n";
    for name in ["in", "a\"b\\", "esc\u{1B}[2J", "line\n::error::x", "\u{202E}txt", "::x"] {
        let folder = Folder::with([(name, text.as_bytes())]);
        let run = run(folder.command().args(["repair", "--diff", name]), "");
        assert_eq!(run.status, 1, "{run:?}");
        let removed = format!("\n-{}\n", text.lines().next().unwrap());
        assert!(run.text().contains(&removed), "{run:?}");
        let names = run.text().lines().take(2).collect::<Vec<_>>().join("\n");
        assert!(!names.contains(['\u{1B}', '\u{202E}']), "{names}");
        if let Some(shown) = pty::run(folder.command().args(["repair", "--diff", name])) {
            assert!(shown.text().contains("\\u{1b}[2J élèves \\u{202e}\\u{9b}"), "{shown:?}");
        }
        fs::write(folder.path("diff"), &run.stdout).unwrap();
        let mut patch = std::process::Command::new("patch");
        patch.args(["-s", "-i", "diff"]).current_dir(folder.path(""));
        match patch.stdin(Stdio::null()).output() {
            Err(error) => println!("skipped: no patch: {error}"),
            // It refuses names with line ends from anyone.
            Ok(output) if !output.status.success() && name.contains('\n') => {
                println!("not patched: {name:?}");
            }
            Ok(output) => {
                assert!(output.status.success(), "{name:?}: {output:?}");
                assert_eq!(folder.read(name), repaired.as_bytes(), "{name:?}");
            }
        }
    }
}

/// A program that reads the JSON gets the original text.
#[test]
fn values_of_json_are_exact() {
    let reads = |args: &str, stdin: &str| -> Value {
        let run = Folder::new().utfall(args, stdin);
        let line = run.text().lines().next().unwrap().to_owned();
        serde_json::from_str(&line).unwrap()
    };
    let text = "\u{1B}[2J\u{7F}\u{9B}\u{202E}\u{2028}##[x]é";
    assert_eq!(reads("imap-name --encode --format json", text)["text"], text);
    let misread: String = "\u{202E}\u{9B}é".bytes().map(char::from).collect();
    let object = reads("check --all --format json", &format!("{misread}\n"));
    assert_eq!(object["original"], "\u{202E}\u{9B}é", "{object}");
    let object =
        reads("repair --dry-run --format json", "don\u{E2}\u{80}\u{99}t caf\u{C3}\u{A9}\n");
    assert_eq!(object["before_text"], "\u{E2}\u{80}\u{99}", "{object}");
}

/// A mailbox name that is encoded is the one to be used.
#[test]
fn encoded_names_are_exact() {
    let run = Folder::new().utfall("imap-name --encode", "::a##[b]\n\u{1B}\n");
    run.quietly_gives("::a##[b]\n&ABs-\n");
}
