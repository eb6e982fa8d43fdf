//! `utfall undo`.

use std::fs;

use crate::common::{self, Folder, Run, slashes};

const OLD: &[u8] = b"\xFF\xFEa\0";

fn folder() -> Folder {
    Folder::with([("a", OLD), ("b", OLD), ("c", OLD), ("d", OLD)])
}

fn convert(folder: &Folder, files: &str) -> Run {
    folder.utfall(&format!("convert -t UTF-8 --in-place {files}"), "")
}

#[test]
fn nothing_to_undo() {
    let folder = folder();
    let undo = |args: &str| folder.utfall(&format!("undo {args}"), "");
    undo("").fails(2, &["no run to undo"]);
    undo("3").fails(2, &["no run 3 to undo"]);
    undo("--list").quietly_gives("");
    undo("--forget --all").quietly_gives("");
    undo("--all").fails(2, &["--forget"]);
}

#[test]
fn the_last_run_or_another() {
    let folder = folder();
    let undo = |args: &str| folder.utfall(&format!("undo {args}"), "");
    convert(&folder, "a b");
    convert(&folder, "c");
    let list = undo("--list");
    let lines: Vec<_> = list.text().lines().collect();
    assert_eq!(lines.len(), 2, "{list:?}");
    assert!(
        lines[0].starts_with("1  20") && lines[0].contains("  to UTF-8  2 files  8 bytes  in ")
    );
    undo("--dry-run").gives(format!(
        "{}: would be restored\nrun 2: 1 file to be restored\n",
        fs::canonicalize(folder.path("c"))
            .unwrap()
            .display()
            .to_string()
            .trim_start_matches(r"\\?\")
    ));
    assert_eq!(folder.read("c"), b"a");
    undo("1").gives("run 1: 2 files restored\n");
    undo("").gives("run 2: 1 file restored\n");
    assert_eq!([folder.read("a"), folder.read("b"), folder.read("c")], [OLD, OLD, OLD]);
    undo("").fails(2, &[]);
    // Once undone, a run does not block the next.
    assert!(convert(&folder, "a").text().contains("1 converted"));
}

#[test]
fn what_was_changed_since_is_left_alone() {
    let folder = folder();
    convert(&folder, "a b c d");
    fs::write(folder.path("a"), "b").unwrap();
    fs::remove_file(folder.path("b")).unwrap();
    fs::write(folder.path("c"), OLD).unwrap();
    let run = folder.utfall("undo", "");
    assert_eq!(run.status, 1, "{run:?}");
    let said = run.text();
    assert!(said.contains("a: skipped: changed since the run; the original is "), "{said}");
    assert!(said.contains("b: skipped: the file is gone; the original is "), "{said}");
    assert!(said.ends_with(
        "run 1: 1 file restored, 1 as before the run, 1 changed since the run, 1 gone\n"
    ));
    assert_eq!((folder.read("a"), folder.read("d")), (b"b".to_vec(), OLD.to_vec()));
    // The originals still exist, and the rest can be undone when that is possible again.
    assert_eq!(fs::read(folder.path(".state/undo/1/1")).unwrap(), OLD);
    fs::write(folder.path("a"), "a").unwrap();
    let run = folder.utfall("undo --format json", "");
    let summary: serde_json::Value =
        serde_json::from_str(run.text().lines().last().unwrap()).unwrap();
    assert_eq!(
        (&summary["restored"], &summary["unchanged"], &summary["missing"]),
        (&1.into(), &2.into(), &1.into())
    );
    assert_eq!((run.status, folder.read("a")), (1, OLD.to_vec()));
    folder.utfall("undo --forget 1", "").quietly_gives("");
    folder.utfall("undo", "").fails(2, &[]);
}

/// As if the run had been killed between any two of its steps.
#[test]
fn runs_that_were_cut_short() {
    let folder = folder();
    convert(&folder, "a b c d");
    let run = folder.path(".state/undo/1");
    let journal = fs::read_to_string(run.join("journal.jsonl")).unwrap();
    let lines: Vec<_> = journal.split_inclusive('\n').collect();
    let number_of = |name: &str| {
        let line = lines.iter().find(|line| slashes(line).contains(&format!("/{name}\"")));
        let line: serde_json::Value = serde_json::from_str(line.unwrap()).unwrap();
        line["number"].to_string()
    };
    // Before `a` was replaced, with a second name that is a link.
    fs::remove_file(folder.path("a")).unwrap();
    fs::hard_link(run.join(number_of("a")), folder.path("a")).unwrap();
    // Before `b` was, with one that is a copy.
    fs::write(folder.path("b"), OLD).unwrap();
    // An undo was cut short after `c`.
    fs::rename(run.join(number_of("c")), folder.path("c")).unwrap();
    // The line after the last is not whole: the file that it is about was not kept yet.
    fs::write(run.join("journal.jsonl"), journal.clone() + &lines[1][..20]).unwrap();
    folder.utfall("undo", "").gives("run 1: 1 file restored, 3 as before the run\n");
    for name in ["a", "b", "c", "d"] {
        assert_eq!(folder.read(name), OLD, "{name}");
    }
    assert!(!run.exists());
    // Before the journal was there.
    fs::create_dir_all(&run).unwrap();
    folder.utfall("undo", "").gives("run 1: 0 files restored\n");
    assert!(!run.exists());
}

#[test]
fn old_texts_are_not_converted() {
    let folder = folder();
    convert(&folder, "a");
    let run = convert(&folder, "--hidden .");
    assert!(run.text().contains("total: 4 files, 3 converted, 1 unchanged"), "{run:?}");
    folder.utfall("undo 2", "").gives("run 2: 3 files restored\n");
    folder.utfall("undo 1", "").gives("run 1: 1 file restored\n");
    assert_eq!([folder.read("a"), folder.read("d")], [OLD, OLD]);
}

#[test]
fn state_that_cannot_be_written() {
    let folder = folder();
    fs::write(folder.path(".state"), "in the way").unwrap();
    let run = convert(&folder, "a");
    assert_eq!((run.status, folder.read("a")), (4, OLD.to_vec()), "{run:?}");
}

#[test]
fn from_another_directory() {
    let text = "Les \u{C3}\u{A9}t\u{C3}\u{A9}s d\u{C3}\u{A9}j\u{C3}\u{A0} pass\u{C3}\u{A9}s\n";
    for command in ["repair --in-place a", "convert -f UTF-8 -t UTF-16 --in-place a"] {
        let folder = Folder::with([("a", text.as_bytes())]);
        fs::create_dir(folder.path("elsewhere")).unwrap();
        assert_eq!(folder.utfall(command, "").status, 0, "{command}");
        assert_ne!(folder.read("a"), text.as_bytes(), "{command}");
        let mut undo = folder.command();
        undo.arg("undo").current_dir(folder.path("elsewhere"));
        common::run(&mut undo, "").gives("run 1: 1 file restored\n");
        assert_eq!(folder.read("a"), text.as_bytes(), "{command}");
    }
}
