//! Where no thread can be started, one does the work.

// What makes them impossible elsewhere is not known.
#![cfg(all(target_os = "linux", target_pointer_width = "64"))]

use std::fs;
use std::process::Command;

use crate::common::{Folder, run};

/// More than there is of address space.
fn without_threads(folder: &Folder, args: &str) -> Command {
    let mut command = folder.command();
    command.env("RUST_MIN_STACK", (1_u64 << 60).to_string());
    command.args(args.split_whitespace()).args(["--threads", "4"]);
    command
}

/// It panicked: threads were taken for granted.
#[test]
fn a_large_file_is_converted() {
    let folder = Folder::new();
    let text = "naïve – a line of text\n".repeat(350_000);
    fs::write(folder.path("in"), &text).unwrap();
    let run = run(&mut without_threads(&folder, "convert -f UTF-8 -t UTF-7 in"), "");
    let back = folder.utfall("convert -f UTF-7 -t UTF-8", &run.stdout);
    assert!(run.status == 0 && run.stderr.is_empty(), "{}", run.stderr);
    assert!(back.stdout == text.as_bytes());
}

#[test]
fn files_are_checked() {
    let folder = Folder::with([("a", b"sound\n"), ("b", b"not\xFF\n"), ("c", b"sound\n")]);
    let run = run(&mut without_threads(&folder, "check a b c"), "");
    let expected = folder.utfall("check --threads 1 a b c", "");
    assert_eq!((run.status, &run.stdout), (1, &expected.stdout), "{run:?}");
    assert_eq!(run.stderr, expected.stderr);
}

#[test]
fn trees_are_converted() {
    let folder = Folder::with([("a", b"caf\xE9\n"), ("b", b"ascii\n"), ("c", b"\xFCber\n")]);
    let large = b"na\xEFve\n".repeat(2_000_000);
    fs::write(folder.path("large"), &large).unwrap();
    let args = "convert -f ISO-8859-1 -t UTF-8 --in-place a b c large";
    let run = run(&mut without_threads(&folder, args), "");
    assert_eq!(run.status, 0, "{run:?}");
    assert_eq!(folder.read("a"), "café\n".as_bytes());
    assert_eq!(folder.read("b"), b"ascii\n");
    assert_eq!(folder.read("c"), "über\n".as_bytes());
    assert!(folder.read("large") == "naïve\n".repeat(2_000_000).as_bytes());
}
