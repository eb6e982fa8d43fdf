//! The report on originals that a run keeps, their lifetime, and places where they cannot be kept.

use std::fs;
use std::process::Command;

use crate::common::{self, Folder, Run};

const OLD: &[u8] = b"caf\xE9\n";
const NEW: &[u8] = "café\n".as_bytes();

fn folder() -> Folder {
    Folder::with([("a", OLD), ("b", OLD), ("c", OLD), ("d", OLD)])
}

fn convert(folder: &Folder, args: &str) -> Run {
    folder.utfall(&format!("convert -f ISO-8859-1 -t UTF-8 --in-place {args}"), "")
}

/// Lets a run have begun so many days ago.
fn age(folder: &Folder, run: u64, days: u64) {
    let path = folder.path(&format!(".state/undo/{run}/journal.jsonl"));
    let text = fs::read_to_string(&path).unwrap();
    let (first, rest) = text.split_once('\n').unwrap();
    let (_, after) = first.split_once("\"time\":").unwrap();
    let (time, _) = after.split_once(',').unwrap();
    let then = time.parse::<u64>().unwrap() - days * 24 * 60 * 60;
    let (line, _) = first.rsplit_once(",\"check\":").unwrap();
    let line = line.replace(time, &then.to_string());
    let check = twox_hash::XxHash3_128::oneshot_with_seed(1, line.as_bytes());
    fs::write(&path, format!("{line},\"check\":\"{check:032x}\"}}\n{rest}")).unwrap();
}

#[test]
fn the_last_line_says_what_is_kept() {
    let folder = folder();
    let last = |run: &Run| run.text().lines().last().unwrap().to_owned();
    assert_eq!(
        last(&convert(&folder, "a b")),
        "run 1: 2 originals kept (10 bytes); to revert: utfall undo 1; \
         to delete them: utfall undo --forget 1"
    );
    fs::write(folder.path("big"), b"caf\xE9\n".repeat(260_000)).unwrap();
    assert_eq!(
        last(&convert(&folder, "big")),
        "run 2: 1 original kept (1.3 MB); to revert: utfall undo 2; \
         to delete them: utfall undo --forget 2"
    );
    let run = convert(&folder, "--format json c");
    let summary: serde_json::Value = serde_json::from_str(&last(&run)).unwrap();
    assert_eq!(
        (&summary["run"], &summary["originals_kept"], &summary["bytes_kept"]),
        (&3.into(), &1.into(), &5.into())
    );
    // Both commands of the report work.
    folder.utfall("undo --forget 2", "").quietly_gives("");
    folder.utfall("undo 1", "").gives("run 1: 2 files restored\n");
    assert_eq!((folder.read("a"), folder.read("c")), (OLD.into(), NEW.into()));
}

#[test]
fn which_run_is_undone_is_said() {
    let folder = folder();
    convert(&folder, "a");
    convert(&folder, "b");
    let run = folder.utfall("undo", "");
    run.gives("run 2: 1 file restored\n");
    assert!(run.stderr.contains("run 2 is the last of 2"), "{run:?}");
    folder.utfall("undo", "").quietly_gives("run 1: 1 file restored\n");
}

#[test]
fn what_is_forgotten_is_not_converted_again() {
    let folder = folder();
    convert(&folder, "a");
    folder.utfall("undo --forget 1", "").quietly_gives("");
    folder.utfall("undo --list", "").quietly_gives("");
    folder.utfall("undo 1", "").fails(2, &["no run 1 to undo"]);
    assert!(!folder.path(".state/undo/1/1").exists());
    let run = convert(&folder, "--verbose a");
    assert!(run.text().contains("a: unchanged: converted by run 1"), "{run:?}");
    assert_eq!(folder.read("a"), NEW);
}

#[test]
fn old_runs_expire() {
    let folder = folder();
    convert(&folder, "a");
    convert(&folder, "b");
    age(&folder, 1, 31);
    age(&folder, 2, 29);
    let run = convert(&folder, "c");
    assert!(run.text().contains("\nrun 1: 1 original deleted (5 bytes), 31 days old\n"), "{run:?}");
    assert!(!folder.path(".state/undo/1/1").exists());
    // Its results are still known.
    let again = convert(&folder, "--verbose a");
    assert!(again.text().contains("converted by run 1"), "{again:?}");
    assert!(!again.text().contains("deleted"), "once is enough: {again:?}");
    // As long as somebody wants.
    for (args, variable, stays) in [
        ("", "", true),
        ("--keep 29", "", false),
        ("--keep forever", "", true),
        ("", "30", true),
        ("", "29", false),
        ("--keep 30", "1", true),
    ] {
        fs::write(folder.path("d"), OLD).unwrap();
        let dir = fs::read_dir(folder.path(".state/undo")).unwrap();
        dir.for_each(|run| fs::remove_dir_all(run.unwrap().path()).unwrap());
        fs::write(folder.path("b"), OLD).unwrap();
        convert(&folder, "b");
        age(&folder, 1, 29);
        let line = format!("convert -f ISO-8859-1 -t UTF-8 --in-place {args} d");
        let mut command = folder.command();
        command.args(line.split_whitespace()).env("UTFALL_KEEP", variable);
        let run = common::run(&mut command, "");
        let said = run.text().contains("run 1: 1 original deleted");
        let is_there = folder.path(".state/undo/1/1").exists();
        assert_eq!((run.status, said, is_there), (0, !stays, stays), "{args} {variable}: {run:?}");
    }
    convert(&folder, "--keep soon d").fails(2, &["--keep", "a number of days"]);
    let mut command = folder.command();
    command.args(["repair", "--in-place", "d"]).env("UTFALL_KEEP", "soon");
    common::run(&mut command, "").fails(2, &["UTFALL_KEEP=soon", "a number of days"]);
}

#[test]
fn what_is_not_whole_does_not_expire() {
    let folder = folder();
    convert(&folder, "a b");
    convert(&folder, "c");
    age(&folder, 1, 100);
    age(&folder, 2, 100);
    // Undone in part.
    fs::write(folder.path("a"), "changed").unwrap();
    assert_eq!(folder.utfall("undo 1", "").status, 1);
    let run = convert(&folder, "--format json d");
    assert!(
        run.text().contains(r#""run":1,"originals":1,"bytes":5,"age_days":100,"deleted":false"#)
    );
    assert!(
        run.text().contains(r#""run":2,"originals":1,"bytes":5,"age_days":100,"deleted":true"#)
    );
    fs::write(folder.path("e"), OLD).unwrap();
    let run = convert(&folder, "e");
    let says =
        "run 1: 1 original not deleted, although 100 days old: it was interrupted or partly undone";
    assert!(run.text().contains(says), "{run:?}");
    // Damaged.
    let journal = folder.path(".state/undo/1/journal.jsonl");
    common::misname(&journal, "a", "x");
    fs::write(folder.path("f"), OLD).unwrap();
    let run = convert(&folder, "--ignore-damaged-runs f");
    assert!(run.text().contains("100 days old: it is damaged"), "{run:?}");
    assert!(fs::read_dir(folder.path(".state/undo/1")).unwrap().count() >= 2);
}

#[test]
fn a_state_directory_that_cannot_be_written() {
    let folder = folder();
    fs::write(folder.path("broken"), "cafÃ© crÃ¨me").unwrap();
    for command in ["convert -f ISO-8859-1 -t UTF-8 --in-place", "repair --in-place"] {
        let with = |program: &mut Command, args: &str| {
            let line = format!("{command} {args}");
            common::run(program.args(line.split_whitespace()), "")
        };
        let mut nowhere = folder.command();
        nowhere.env("UTFALL_STATE_DIR", folder.path("a/state"));
        let help = ["UTFALL_STATE_DIR", "--no-undo"];
        with(&mut nowhere, "a broken")
            .fails(4, &["cannot keep the original files in ", help[0], help[1]]);
        let mut nowhere = folder.command();
        nowhere.env_remove("UTFALL_STATE_DIR").env_remove("XDG_STATE_HOME");
        nowhere.env("HOME", folder.path("b"));
        if cfg!(unix) {
            with(&mut nowhere, "a broken")
                .fails(4, &["cannot keep the original files", "--no-undo"]);
        }
        assert_eq!((folder.read("a"), folder.read("broken")), (OLD.into(), "cafÃ© crÃ¨me".into()));
        let mut nowhere = folder.command();
        nowhere.env("UTFALL_STATE_DIR", folder.path("b/state"));
        let run = with(&mut nowhere, "--no-undo --quiet --force broken");
        assert_eq!(run.status, 0, "{run:?}");
        assert_ne!(folder.read("broken"), "cafÃ© crÃ¨me".as_bytes());
        fs::write(folder.path("broken"), "cafÃ© crÃ¨me").unwrap();
    }
}
