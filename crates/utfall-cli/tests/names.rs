//! File names that are not Unicode, and such as would move the cursor, through every subcommand.

#![cfg(unix)]

mod common;

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;

use common::{Folder, Run, run};
use serde_json::Value;

const NAME: &[u8] = b"na\xEFve\n.txt";
/// As it is shown.
const SHOWN: &str = "na\u{FFFD}ve\\n.txt";
const OCTETS: &str = "6E 61 EF 76 65 0A 2E 74 78 74";

/// A folder with a file of that name, unless the file system wants Unicode.
fn folder(octets: &[u8]) -> Option<Folder> {
    let folder = Folder::new();
    let path = folder.path("").join(OsStr::from_bytes(NAME));
    match fs::write(path, octets) {
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
    for args in ["check", "check --hidden", "check --hidden --mail", "cost"] {
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
fn json_has_their_octets() {
    let Some(folder) = folder("é\u{FF}".as_bytes()) else { return };
    fs::write(folder.path("plain.txt"), "é").unwrap();
    for args in [
        "cost --format json plain.txt",
        "explain --format json plain.txt",
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
            let octets = object["file_octets"].as_str().unwrap_or_default();
            assert!(octets.ends_with(OCTETS), "{args}: {object}");
        }
        let has_octets = |object: &Value| object.get("file_octets").is_some();
        assert!(!others.iter().any(has_octets), "{args}: {others:?}");
    }
}
