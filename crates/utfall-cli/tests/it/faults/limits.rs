//! Few open files, little memory, limited file sizes: `ulimit` of a shell.

use std::fs;
use std::process::Command;

use crate::common::{Folder, Run, program, run};

const UTF16: &[u8] = b"\xFF\xFEc\0a\0f\0\xE9\0\n\0";
/// The empty line makes a message of it.
const BROKEN: &[u8] = "\nLes Ã©lÃ¨ves\n".as_bytes();
const COMMANDS: &[&str] = &[
    "convert -f UTF-16 -t UTF-8 -o out a",
    "convert -t UTF-8 --in-place tree",
    "convert -t UTF-8 --in-place=.old --threads 3 tree",
    "check --threads 3 tree m",
    "repair -q -o out --report report m",
    "repair --in-place tree m",
    "explain m",
    "detect --min-confidence 0 tree",
    "mail -q -o out m",
    "cost m",
    "iconv -f UTF-16 -t UTF-8 -o out a",
    "imap-name m",
];

fn folder() -> Folder {
    let folder = Folder::with([("a", UTF16), ("m", BROKEN)]);
    for number in 0..8 {
        let below = folder.path(&format!("tree/{number}/x/y"));
        fs::create_dir_all(&below).unwrap();
        fs::write(below.join("z.txt"), UTF16).unwrap();
    }
    folder
}

/// The program under a limit; nothing if the shell has none of this kind.
fn limited(folder: &Folder, limit: &str, args: &str) -> Option<Run> {
    let mut shell = Command::new("sh");
    shell.args(["-c", &format!("trap '' XFSZ; ulimit -{limit} || exit 99; exec \"$0\" {args}")]);
    shell.arg(program().get_program()).current_dir(folder.path(""));
    shell.env("UTFALL_STATE_DIR", folder.path(".state"));
    let run = run(&mut shell, "");
    if run.status == 99 {
        println!("skipped: `sh` has no `ulimit -{limit}`: {}", run.stderr);
        return None;
    }
    Some(run)
}

/// Each file is old or new, and no temporary file remains.
fn files_are_whole(folder: &Folder, run: &Run, said: &str) {
    for number in 0..8 {
        let there = folder.read(&format!("tree/{number}/x/y/z.txt"));
        assert!(there == UTF16 || there == "café\n".as_bytes(), "{said}: {run:?}");
    }
    let m = folder.read("m");
    assert!(m == BROKEN || m == "\nLes élèves\n".as_bytes(), "{said}: {run:?}");
    assert_eq!(folder.read("a"), UTF16, "{said}: {run:?}");
    if let Ok(out) = fs::read(folder.path("out")) {
        let is_mail = out.starts_with(b"MIME-Version: 1.0\n") && out.ends_with(b"ves\n");
        let is_text = out == "café\n".as_bytes() || out == "\nLes élèves\n".as_bytes();
        assert!(is_mail || is_text, "{said}: {run:?}");
    }
}

/// Runs every command under each of the limits under which the program can be loaded at all, and
/// looks at the files.
fn under(limits: impl Iterator<Item = String>, check: impl Fn(&Folder, &Run, &str)) {
    let mut runs = 0;
    for limit in limits {
        let Some(version) = limited(&folder(), &limit, "--version") else { return };
        if version.status != 0 {
            println!("skipped: under `ulimit -{limit}` the program itself cannot be loaded");
            continue;
        }
        for args in COMMANDS {
            let (folder, said) = (folder(), format!("ulimit -{limit}, {args}"));
            let Some(run) = limited(&folder, &limit, args) else { return };
            files_are_whole(&folder, &run, &said);
            check(&folder, &run, &said);
            runs += 1;
        }
    }
    assert!(runs > 0, "every limit was too low to load the program");
}

#[test]
fn few_open_files() {
    under((4..14).map(|files| format!("n {files}")), |folder, run, said| {
        let failed = if said.contains(", iconv") { 1 } else { 4 };
        assert!(run.status == 0 || run.status == failed, "{said}: {run:?}");
        let all = format!("{}{}", run.stderr, run.text());
        assert!(run.status == 0 || all.contains("Too many open files"), "{said}: {run:?}");
        let leftover = folder.names().into_iter().find(|name| name.contains(".utfall-"));
        assert_eq!(leftover, None, "{said}");
    });
}

/// Without memory, Rust programs abort: files are old or new nevertheless.
#[test]
fn little_memory() {
    let kilobytes = [8_000, 12_000, 16_000, 24_000, 40_000, 100_000];
    under(kilobytes.iter().map(|memory| format!("v {memory}")), |_, run, said| {
        assert_ne!(run.status, 101, "{said}: {run:?}");
    });
}

#[test]
fn files_that_may_not_be_long() {
    let text = format!("\n{}", "une ligne\n".repeat(20_000));
    for args in [
        "convert -f UTF-8 -t UTF-16 -o out big",
        "convert -t UTF-16 --in-place big",
        "convert -t UTF-16 --output-dir made big",
        "mail -q --body base64 -o out big",
        "iconv -f UTF-8 -t UTF-16 -o out big",
        "repair -q -o out big",
        "generate man out",
    ] {
        let folder = Folder::with([("big", text.as_bytes())]);
        let limit = if args.starts_with("generate") { "f 1" } else { "f 100" };
        let Some(run) = limited(&folder, limit, args) else { return };
        let failed = if args.starts_with("iconv") { 1 } else { 4 };
        assert_eq!(run.status, failed, "{args}: {run:?}");
        let said = format!("{}{}", run.stderr, run.text());
        assert!(said.contains("File too large"), "{args}: {run:?}");
        assert_eq!(folder.read("big"), text.as_bytes(), "{args}");
        let made = fs::read_dir(folder.path("out")).map_or(0, Iterator::count);
        assert!(!folder.path("out").is_file() && made < 3, "{args}");
    }
}
