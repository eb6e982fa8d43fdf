//! File names that are not Unicode, and such as would move the cursor, through every subcommand.

#![cfg(unix)]

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;

use crate::common::{Folder, Run, run};
use serde_json::Value;

const NAME: &[u8] = b"na\xEFve\n.txt";
/// As it is shown.
const SHOWN: &str = "na\u{FFFD}ve\\n.txt";
const BYTES: &str = "6E 61 EF 76 65 0A 2E 74 78 74";

/// A folder with a file of that name, unless the file system wants Unicode.
fn folder(bytes: &[u8]) -> Option<Folder> {
    let folder = Folder::new();
    let path = folder.path("").join(OsStr::from_bytes(NAME));
    match fs::write(path, bytes) {
        Ok(()) => Some(folder),
        Err(error) => {
            println!("skipped: the file system does not take the name: {error}");
            None
        }
    }
}

fn utfall(folder: &Folder, args: &str) -> Run {
    let mut command = folder.command();
    run(command.args(args.split_whitespace()).arg(OsStr::from_bytes(NAME)), "")
}

#[test]
fn names_are_read_and_shown() {
    let Some(folder) = folder("é\n".as_bytes()) else { return };
    utfall(&folder, "convert -f UTF-8 -t ISO-8859-1").quietly_gives(b"\xE9\n");
    for args in ["check", "check --concealed", "check --concealed --mail", "cost"] {
        let run = utfall(&folder, args);
        assert!(run.text().starts_with(SHOWN), "{args}: {run:?}");
    }
    utfall(&folder, "explain").fails(0, &[]);
    utfall(&folder, "mail --extract -q").gives("\n[text/plain: guessed to be UTF-8]\né\n");
}

#[test]
fn names_are_written() {
    let Some(folder) = folder(b"old") else { return };
    fs::write(folder.path("in"), "é").unwrap();
    let out = ["convert", "-f", "UTF-8", "-t", "ISO-8859-1", "in", "-o"];
    run(folder.command().args(out).arg(OsStr::from_bytes(NAME)), "").quietly_gives("");
    let written = folder.path("").join(OsStr::from_bytes(NAME));
    assert_eq!(fs::read(written).unwrap(), b"\xE9");
}

#[test]
fn errors_show_them_and_help_can_be_typed() {
    let Some(folder) = folder(b"\xFF") else { return };
    let run = utfall(&folder, "convert -f UTF-8 -t UTF-8");
    let typed = r"`utfall check --all $'na\xefve\n.txt'`";
    run.fails(1, &[&format!("error: {SHOWN}: line 1, column 1"), typed]);
    let run = utfall(&folder, "convert -f UTF-8 -t UTF-8 -o nowhere/out");
    run.fails(4, &["nowhere/out"]);
    fs::remove_file(folder.path("").join(OsStr::from_bytes(NAME))).unwrap();
    utfall(&folder, "check").fails(4, &[&format!("error: cannot open {SHOWN}: No such file")]);
}

#[test]
fn json_has_their_bytes() {
    let Some(folder) = folder("é\u{FF}".as_bytes()) else { return };
    fs::write(folder.path("plain.txt"), "é").unwrap();
    for args in [
        "cost --format json plain.txt",
        "explain --format json plain.txt",
        "detect --min-confidence 0 --format json plain.txt",
        "repair --dry-run --format json plain.txt",
        "convert -t UTF-16 --in-place --verbose --format json plain.txt",
        "undo --format json",
    ] {
        let run = match args.starts_with("undo") {
            true => folder.utfall(args, ""),
            false => utfall(&folder, args),
        };
        let objects = run.text().lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        let (ours, others): (Vec<_>, Vec<_>) = objects
            .filter(|object| object.get("file").is_some())
            .partition(|object| object["file"].as_str().unwrap().ends_with(SHOWN));
        assert!(!ours.is_empty() && !others.is_empty(), "{args}: {run:?}");
        for object in ours {
            let bytes = object["file_hex"].as_str().unwrap_or_default();
            assert!(bytes.ends_with(BYTES), "{args}: {object}");
        }
        let has_bytes = |object: &Value| object.get("file_hex").is_some();
        assert!(!others.iter().any(has_bytes), "{args}: {others:?}");
    }
}

/// Two names that are shown alike.
#[test]
fn a_report_tells_names_apart() {
    let Some(folder) = folder("éÃ©".as_bytes()) else { return };
    let other = OsStr::from_bytes(b"na\xEEve\n.txt");
    fs::write(folder.path("").join(other), "Les Ã©lÃ¨ves d'abord").unwrap();
    let mut command = folder.command();
    let args = ["repair", "-q", "--in-place", "--no-undo", "--format", "json"];
    let report = run(command.args(args).args([OsStr::from_bytes(NAME), other]), "");
    assert_eq!(report.status, 0, "{report:?}");
    fs::write(folder.path("report"), &report.stdout).unwrap();
    utfall(&folder, "repair --undo report").quietly_gives("éÃ©");
    let run = run(folder.command().args(["repair", "--undo", "report"]).arg(other), "");
    run.quietly_gives("Les Ã©lÃ¨ves d'abord");
}

/// A name that would clear the screen, end a line, and turn what follows round, in what is said of
/// it.
#[test]
fn no_name_acts_on_a_terminal() {
    let name = "\u{1B}[2J\u{1B}]0;owned\u{7}\u{9B}31m\n\u{202E}txt\u{2066}.\r\u{8}";
    let bad: &[u8] = "caf\u{C3}\u{A9} \u{202E}".as_bytes();
    for args in [
        "convert -f UTF-8 -t US-ASCII",
        "convert -t UTF-8",
        "convert -t UTF-8 -o no-folder/x -f UTF-8",
        "convert -t UTF-16 --in-place --verbose",
        "convert -t US-ASCII --in-place",
        "convert -t US-ASCII --dry-run",
        "check",
        "check --concealed",
        "check --format github",
        "check --format sarif",
        "check --format json",
        "repair --dry-run",
        "repair --in-place",
        "repair --report no-folder/x",
        "explain",
        "detect",
        "detect --format json",
        "mail",
        "mail --to UTF-7-IMAP",
        "cost",
        "cost --format json -f UTF-7",
        "iconv -f UTF-8 -t ASCII",
        "iconv -v -f UTF-8 -t ASCII",
        "undo",
        "generate completions",
        "--no-such-flag",
    ] {
        for is_there in [true, false] {
            let folder = Folder::new();
            if is_there && let Err(error) = fs::write(folder.path(name), bad) {
                println!("skipped: the file system does not take the name: {error}");
                return;
            }
            for flag in ["", "--no-such-flag="] {
                let mut command = folder.command();
                command.args(args.split(' ')).arg(format!("{flag}{name}"));
                let run = run(&mut command, "");
                // Commands that show a text show its content; `explain` treats a missing file as a
                // text.
                let is_text = ["mail", "explain", "convert -t UTF-8"].contains(&args);
                let out = if is_text { "" } else { &String::from_utf8_lossy(&run.stdout) };
                for sign in ['\u{1B}', '\u{7}', '\u{9B}', '\u{202E}', '\u{2066}', '\r', '\u{8}'] {
                    assert!(!run.stderr.contains(sign), "{args}: {sign:?}: {run:?}");
                    assert!(!out.contains(sign), "{args}: {sign:?}: {run:?}");
                }
            }
        }
    }
    // Nor its originals.
    let folder = Folder::new();
    fs::write(folder.path(name), "caf\u{E9}").unwrap();
    let mut command = folder.command();
    run(command.args(["convert", "-t", "UTF-16", "--in-place"]).arg(name), "").gives(
        "total: 1 file, 1 converted, 0 unchanged\nrun 1: 1 original kept (5 bytes); to revert: utfall undo 1; to delete them: utfall undo --forget 1\n",
    );
    for args in ["undo --list", "undo --dry-run", "undo --verbose"] {
        let run = folder.utfall(args, "");
        assert!(run.status == 0 && !run.text().contains('\u{1B}'), "{run:?}");
    }
}

/// Names that are not Unicode are found by a manifest, and in SARIF.
#[test]
fn manifests_and_sarif_have_them() {
    let Some(folder) = folder(b"caf\xE9") else { return };
    let without_line_end = b"na\xEFve.txt";
    let path = folder.path("").join(OsStr::from_bytes(without_line_end));
    fs::write(&path, b"caf\xE9").unwrap();
    fs::write(folder.path("list"), [without_line_end, &b"\tISO-8859-1\n"[..]].concat()).unwrap();
    let run = folder.utfall("convert -t UTF-8 --in-place --manifest list", "");
    assert_eq!((run.status, fs::read(path).unwrap()), (0, "café".into()), "{run:?}");
    let sarif = utfall(&folder, "check --format sarif");
    let log: Value = serde_json::from_str(sarif.text()).unwrap();
    let place = &log["runs"][0]["results"][0]["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "na%EFve%0A.txt", "{log}");
}
