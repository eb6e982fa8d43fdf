//! Two runs at once on the same files: none is converted twice, and all can be undone.

#![cfg(unix)]

use std::fs::{self, File};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::Duration;
use std::{env, process, thread};

use crate::common::{self, Folder};
use utfall_oracle::rounds;

const FILES: usize = 300;
/// Six kinds of them, each twice.
const ROUNDS: usize = 12;

fn old(number: usize) -> Vec<u8> {
    b"caf\xE9 d\xE9j\xE0 vu\n".repeat(1 + number % 90)
}

fn new(number: usize) -> Vec<u8> {
    "café déjà vu\n".repeat(1 + number % 90).into_bytes()
}

fn path(folder: &Folder, number: usize) -> PathBuf {
    folder.path(&format!("tree/{}/{number}.txt", number % 3))
}

fn tree() -> Folder {
    let folder = Folder::new();
    for number in 0..FILES {
        let path = path(&folder, number);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, old(number)).unwrap();
    }
    folder
}

/// Every file is old or new; says how many are new.
#[track_caller]
fn new_files(folder: &Folder, what: &str) -> usize {
    let is_new = |number: &usize| {
        let there = fs::read(path(folder, *number)).unwrap();
        let is_new = there == new(*number);
        assert!(is_new || there == old(*number), "{what}: {number}: {}", there.escape_ascii());
        is_new
    };
    (0..FILES).filter(is_new).count()
}

fn convert(folder: &Folder, state: &str, files: &[&str]) -> Command {
    let mut command = folder.command();
    command.env("UTFALL_STATE_DIR", folder.path(state));
    command.args(["convert", "-f", "ISO-8859-1", "-t", "UTF-8", "--in-place"]).args(files);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Undoes all runs of a state directory, the last one first.
#[track_caller]
fn undo(folder: &Folder, state: &str) {
    let undo = |args: &[&str]| {
        let mut command = folder.command();
        command.env("UTFALL_STATE_DIR", folder.path(state)).arg("undo").args(args);
        common::run(&mut command, "")
    };
    while !undo(&["--list"]).stdout.is_empty() {
        let run = undo(&[]);
        assert_eq!(run.status, 0, "{run:?}");
    }
}

fn said(child: Child) -> (i32, String) {
    let output = child.wait_with_output().unwrap();
    let text = [output.stdout, output.stderr].concat();
    (output.status.code().unwrap(), String::from_utf8(text).unwrap())
}

#[test]
fn no_file_is_converted_twice() {
    let folder = tree();
    let names: Vec<_> = (0..FILES).map(|n| format!("tree/{}/{n}.txt", n % 3)).collect();
    let names: Vec<_> = names.iter().map(String::as_str).collect();
    let (some, others) = names.split_at(FILES / 2);
    let whole: &[&str] = &["tree"];
    let mut refused = 0;
    let rounds = rounds(ROUNDS, 2);
    for round in 0..rounds {
        let (one, other, may_be_refused) = match round % 6 {
            0 => (whole, whole, true),
            1 => (whole, &["tree/1", "tree/2"][..], true),
            2 => (&names[..], &names[..], true),
            3 => (whole, others, true),
            4 => (some, others, false),
            _ => (&["tree/0"][..], &["tree/1", "tree/2"][..], false),
        };
        let other_state = if round % 2 == 0 { ".state" } else { ".other" };
        let first = convert(&folder, ".state", one).spawn().unwrap();
        thread::sleep(Duration::from_millis(round as u64 * 2));
        let second = convert(&folder, other_state, other).spawn().unwrap();
        let ended = [said(first), said(second)];
        let what = format!("round {round}: {ended:?}");
        let converted = new_files(&folder, &what);
        for (status, said) in &ended {
            match status {
                0 => {}
                4 if said.contains("another run is changing ") && may_be_refused => refused += 1,
                // Where one of them had not begun when the other found its files.
                4 if said.contains("it changed after the run began") => {}
                _ => panic!("{what}"),
            }
        }
        if !may_be_refused {
            assert_eq!(converted, FILES, "{what}");
        }
        undo(&folder, ".state");
        undo(&folder, ".other");
        assert_eq!(new_files(&folder, &what), 0, "{what}");
    }
    println!("{refused} of {rounds} second runs were refused");
}

/// Whether the system tells who holds a lock: Linux does, but not in every container.
fn locks_are_listed() -> bool {
    let this = format!(" {} ", process::id());
    (0..8).any(|_| fs::read_to_string("/proc/locks").is_ok_and(|locks| locks.contains(&this)))
}

/// A substitute for a run in `tree/1`: it holds the locks as long as it exists.
#[test]
fn the_other_run_is_named() {
    let folder = tree();
    let lock = File::open(folder.path("tree/1")).unwrap();
    lock.try_lock().unwrap();
    let above = File::open(folder.path("tree")).unwrap();
    above.try_lock_shared().unwrap();
    let system_names_holders = locks_are_listed();
    if !system_names_holders {
        println!("/proc/locks does not list this process's locks: that it is named is not tested");
    }
    let started = env::args().next().unwrap();
    for (files, refused) in
        [("tree", true), ("tree/1", true), ("tree/1/1.txt", true), ("tree/2", false)]
    {
        let run = folder.utfall(&format!("convert -f ISO-8859-1 -t UTF-8 --in-place {files}"), "");
        if !refused {
            assert_eq!(run.status, 0, "{run:?}");
            continue;
        }
        run.fails(
            4,
            &["another run is changing files in ", "/tree", "try again when it has finished"],
        );
        if system_names_holders {
            run.fails(4, &[&format!("process {} (`{started}", process::id()), "started in /"]);
        }
        assert_eq!(new_files(&folder, files), 0);
        let run = folder.utfall(&format!("repair --in-place {files}"), "");
        run.fails(4, &["another run is changing files in "]);
    }
    drop((lock, above));
    // A process that another test starts has copies of the locks until it runs its program.
    let mut status = 4;
    for _ in 0..100 {
        status = folder.utfall("convert -t UTF-8 --in-place tree", "").status;
        if status != 4 {
            break;
        }
        thread::sleep(Duration::from_millis(100));
    }
    assert_eq!(status, 1);
}

/// What keeps files apart where directories cannot be locked, or files were reached by links.
#[test]
fn a_file_that_another_process_has_locked_is_not_replaced() {
    let folder = tree();
    let lock = File::open(path(&folder, 7)).unwrap();
    lock.try_lock().unwrap();
    let convert = "convert -f ISO-8859-1 -t UTF-8 --in-place tree";
    let run = folder.utfall(convert, "");
    assert_eq!((run.status, new_files(&folder, "locked")), (4, FILES - 1), "{run:?}");
    assert!(run.text().contains("tree/1/7.txt: cannot replace: process "), "{run:?}");
    drop(lock);
    assert_eq!(folder.utfall(convert, "").status, 0);
    assert_eq!(new_files(&folder, "again"), FILES);
    // Nor restored.
    let lock = File::open(path(&folder, 8)).unwrap();
    lock.try_lock().unwrap();
    let run = folder.utfall("undo 1", "");
    assert_eq!((run.status, new_files(&folder, "undo")), (4, 2), "{run:?}");
    drop(lock);
    assert_eq!(folder.utfall("undo 1", "").status, 0);
    assert_eq!(folder.utfall("undo", "").status, 0);
    assert_eq!(new_files(&folder, "undo"), 0);
}

#[test]
fn runs_that_follow_each_other_are_undone_from_the_last() {
    let folder = Folder::with([("a", b"caf\xE9\n"), ("b", b"caf\xE9\n")]);
    let convert = |args: &str| {
        let run = folder.utfall(&format!("convert {args} --in-place a b"), "");
        assert_eq!(run.status, 0, "{run:?}");
    };
    convert("-f ISO-8859-1 -t UTF-8");
    convert("-f UTF-8 -t UTF-16LE");
    convert("-f UTF-16LE -t UTF-32BE");
    fs::write(folder.path("b"), "mine").unwrap();
    let run = folder.utfall("undo 1", "");
    assert_eq!(run.status, 1, "{run:?}");
    let says = "a: skipped: run 3 changed it later: undo that run first; the original is ";
    assert!(run.text().contains(says), "{run:?}");
    assert!(run.text().contains("b: skipped: changed since the run; the original is "), "{run:?}");
    let run = folder.utfall("undo 2 --format json", "");
    assert!(run.text().contains("\"changed_by_run\":3"), "{run:?}");
    for _ in 0..3 {
        assert_eq!(folder.utfall("undo 3", "").status, 1);
    }
    assert_eq!(folder.utfall("undo 2", "").status, 1);
    assert_eq!(folder.utfall("undo 1", "").status, 1);
    assert_eq!((folder.read("a"), folder.read("b")), (b"caf\xE9\n".to_vec(), b"mine".to_vec()));
}
