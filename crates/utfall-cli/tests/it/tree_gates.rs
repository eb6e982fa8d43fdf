//! `utfall convert` on directories: files that need no conversion are unchanged, every skipped file is
//! reported, and `--check` reports whether anything would change.

use std::fs;

use crate::common::{Folder, Run, slashes};
use serde_json::Value;

const UTF8: &[u8] = "café\n".as_bytes();
const UTF16: &[u8] = b"\xFF\xFEa\0\n\0";

/// A directory `d` in which one of five files is in windows-1252.
fn mixed() -> Folder {
    directory(&[
        ("ascii", b"plain\n"),
        ("bom", b"\xEF\xBB\xBFplain\n"),
        ("old", b"caf\xE9\n"),
        ("utf16", UTF16),
        ("utf8", UTF8),
    ])
}

/// A directory `d` with these files.
fn directory(files: &[(&str, &[u8])]) -> Folder {
    let folder = Folder::new();
    fs::create_dir(folder.path("d")).unwrap();
    for (name, bytes) in files {
        fs::write(folder.path("d").join(name), bytes).unwrap();
    }
    folder
}

fn convert(folder: &Folder, args: &str) -> Run {
    folder.utfall(&format!("convert -t UTF-8 {args}"), "")
}

fn objects(run: &Run) -> Vec<Value> {
    run.text().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn what_contradicts_from_is_reported_and_not_converted() {
    let folder = mixed();
    let run = convert(&folder, "-f windows-1252 --in-place d");
    let expected = "\
d/bom: skipped: already UTF-8, by its BOM; to convert it from windows-1252 anyway: --force
d/utf16: skipped: UTF-16LE by its BOM, not windows-1252; to convert it from windows-1252 anyway: --force
d/utf8: skipped: already UTF-8; to convert it from windows-1252 anyway: --force
total: 5 files, 1 converted, 1 unchanged, 3 contradicting -f
";
    assert_eq!(run.status, 1, "{run:?}");
    assert!(slashes(run.text()).starts_with(expected), "{run:?}");
    assert_eq!(folder.read("d/old"), UTF8);
    assert_eq!(folder.read("d/utf8"), UTF8);
    assert_eq!(folder.read("d/bom"), b"\xEF\xBB\xBFplain\n");
    assert_eq!(folder.read("d/utf16"), UTF16);
    // Without a journal, too, a second run turns nothing into mojibake.
    for _ in 0..2 {
        assert_eq!(convert(&folder, "-f latin1 --in-place --no-undo d").status, 1);
        assert_eq!(folder.read("d/utf8"), UTF8);
    }
    let run = convert(&folder, "-f windows-1252 --dry-run --again --format json d");
    let all = objects(&run);
    let of = |name: &str| all.iter().find(|object| object["file"] == name).unwrap();
    let found = |name: &str| [&of(name)["action"], &of(name)["from"], &of(name)["basis"]];
    if cfg!(unix) {
        assert_eq!(found("d/utf8"), ["contradicted", "UTF-8", "valid"]);
        assert_eq!(found("d/utf16"), ["contradicted", "UTF-16LE", "bom"]);
    }
    let total = all.last().unwrap();
    assert_eq!((&total["contradicted"], &total["exit_status"]), (&4.into(), &1.into()));
}

#[test]
fn what_contradicts_from_is_converted_if_forced_or_listed() {
    let mojibake = "cafÃ©\n".as_bytes();
    for args in ["--force d", "--force d/utf8", "--manifest m", "--manifest m d"] {
        let folder = mixed();
        fs::write(folder.path("m"), "d/utf8\twindows-1252\n").unwrap();
        convert(&folder, &format!("-f windows-1252 --in-place {args}"));
        assert_eq!(folder.read("d/utf8"), mojibake, "{args}");
        assert_eq!(folder.read("d/utf16") != UTF16, args == "--force d", "{args}");
    }
}

/// `--only-if needed` skips files that are in TO already: not a problem then.
#[test]
fn what_contradicts_from_is_no_problem_if_it_needs_nothing() {
    let folder = mixed();
    let run = convert(&folder, "-f windows-1252 --only-if needed --in-place -g utf8 -g old d");
    assert_eq!(run.status, 0, "{run:?}");
    assert_eq!(folder.read("d/utf8"), UTF8);
}

/// ASCII is the same in every encoding that has it, a BOM of UTF-16 is one in UTF-16LE, and text in
/// a form of UTF-8 is no contradiction to another form.
#[test]
fn what_does_not_contradict_from_is_converted() {
    let text = "naïve ☺\n";
    for (from, bytes) in [
        ("UTF-8", text.as_bytes()),
        ("CESU-8", text.as_bytes()),
        ("Modified-UTF-8", text.as_bytes()),
        ("WTF-8", text.as_bytes()),
        ("UTF-8", b"\xEF\xBB\xBFx\n"),
        ("UTF-16LE", b"\xFF\xFEa\0\xE9\0"),
        ("UTF-16", b"\xFE\xFF\0a\0\xE9"),
        ("UTF-16BE", b"\0a\0\xE9"),
        ("UTF-32", b"\xFF\xFE\0\0a\0\0\0"),
        ("UTF-7", b"na+AO8-ve\n"),
        ("ISO-2022-JP", b"\x1B$B$\"\x1B(B\n"),
        ("windows-1252", b"plain\n"),
        ("windows-1252", b"na\xEFve \xC3\xA9\n"),
        ("Shift_JIS", b"\x93\xFA\x96\x7B\x8C\xEA\n"),
        ("KOI8-R", b"\xF0\xD2\xC9\xD7\xC5\xD4\n"),
        ("GBK", b"\xC4\xE3\xBA\xC3\n"),
    ] {
        let folder = directory(&[("x", bytes)]);
        let run = convert(&folder, &format!("-f {from} --in-place d"));
        assert_eq!(run.status, 0, "{from}: {run:?}");
        assert!(str::from_utf8(&folder.read("d/x")).is_ok(), "{from}");
    }
}

/// A BOM contradicts other Unicode encodings as well.
#[test]
fn a_bom_of_another_byte_order_contradicts() {
    for (from, bytes) in [
        ("UTF-16BE", &b"\xFF\xFEa\0"[..]),
        ("UTF-16LE", b"\xFE\xFF\0a"),
        ("UTF-8", b"\xFF\xFEa\0"),
        ("UTF-16LE", b"\xFF\xFE\0\0a\0\0\0"),
        ("GB18030", b"\xEF\xBB\xBFx"),
    ] {
        let folder = directory(&[("x", bytes)]);
        let run = convert(&folder, &format!("-f {from} --in-place d"));
        assert_eq!(run.status, 1, "{from}: {run:?}");
        assert!(run.text().contains("by its BOM"), "{from}: {run:?}");
        assert_eq!(folder.read("d/x"), bytes, "{from}");
    }
}

/// A file that an earlier run converted must not be missing in another directory.
#[test]
fn another_tree_gets_every_file_or_a_reason() {
    let folder = mixed();
    fs::write(folder.path("d/picture"), b"\x89PNG\r\n\0\0").unwrap();
    let long = "Größe\n".repeat(1_500_000);
    fs::write(folder.path("d/long"), utfall::Encoding::Iso8859_1.encode(&long).unwrap()).unwrap();
    convert(&folder, "-f windows-1252 --in-place d");
    let again = || convert(&folder, "-f windows-1252 --output-dir out d");
    for (run, old) in [(again(), "2 copied unchanged"), (again(), " 3 unchanged")] {
        assert_eq!(run.status, 1, "{run:?}");
        assert!(run.text().contains("picture: skipped: binary, not copied"), "{run:?}");
        for name in ["ascii", "bom", "old", "utf16", "utf8", "picture", "long"] {
            let has_output = folder.path("out").join(name).exists();
            let is_reported = slashes(run.text()).contains(&format!("d/{name}: "));
            assert!(has_output != is_reported, "{name}: {run:?}");
        }
        let total = run.text().lines().last().unwrap();
        assert!(total.contains(old), "{total}");
    }
    assert_eq!(folder.read("out/old"), UTF8);
    assert!(folder.read("out/long") == long.as_bytes());
    // What `--only-if needed` leaves alone in place is copied elsewhere, and line ends still change.
    let run = convert(&folder, "-f latin1 --only-if needed --output-dir needed -v d/utf8");
    assert_eq!(run.status, 0, "{run:?}");
    assert!(run.text().contains("copied unchanged: seems to be UTF-8"), "{run:?}");
    assert_eq!(folder.read("needed/utf8"), UTF8);
    convert(&folder, "-f latin1 --newline crlf --output-dir crlf d/old");
    assert_eq!(folder.read("crlf/old"), "café\r\n".as_bytes());
    let run = convert(&folder, "-f latin1 --output-dir copy --format json d/old");
    assert_eq!(objects(&run)[0]["action"], "copied");
    assert_eq!(objects(&run)[1]["copied"], 1);
}

/// An argument inside the output directory was left out, and the status was 0.
#[test]
fn an_argument_in_the_output_directory_is_refused() {
    let folder = mixed();
    for args in ["--output-dir . d", "--output-dir d d", "--output-dir d d/old"] {
        convert(&folder, args).fails(2, &["is in the output directory", "--in-place"]);
    }
}

/// A file with two names was written under the first one only.
#[cfg(unix)]
#[test]
fn both_names_of_a_file_get_an_output() {
    let folder = mixed();
    std::os::unix::fs::symlink("old", folder.path("d/link")).unwrap();
    let run = convert(&folder, "-f latin1 --output-dir out d/old d/link");
    assert_eq!(run.status, 0, "{run:?}");
    assert_eq!((folder.read("out/old"), folder.read("out/link")), (UTF8.to_vec(), UTF8.to_vec()));
}

#[test]
fn check_lists_what_would_change_with_status_1_and_writes_nothing() {
    let folder = mixed();
    let run = convert(&folder, "--check -g bom -g utf16 -g utf8 d");
    let expected = "\
d/bom: would be converted: UTF-8 to UTF-8 (by its BOM)
d/utf16: would be converted: UTF-16LE to UTF-8 (by its BOM)
total: 3 files, 2 to be converted, 1 unchanged
";
    assert_eq!((run.status, &*slashes(run.text()), &*run.stderr), (1, expected, ""));
    assert_eq!(folder.read("d/utf16"), UTF16);
    // A dry run succeeds if the run would.
    assert_eq!(convert(&folder, "--dry-run -g bom -g utf16 -g utf8 d").status, 0);
    let run = convert(&folder, "--check -q d/utf16");
    assert_eq!((run.status, run.text()), (1, ""));
    let run = convert(&folder, "--check --in-place d/utf16");
    assert_eq!((run.status, folder.read("d/utf16")), (1, UTF16.to_vec()));
    let run = convert(&folder, "--check --output-dir out d/utf8");
    assert_eq!((run.status, folder.path("out").exists()), (1, false), "{run:?}");
    // Nothing to do.
    convert(&folder, "--check d/ascii d/utf8")
        .gives("total: 2 files, 0 to be converted, 2 unchanged\n");
    assert!(!folder.path(".state").exists());
    // Other problems have the status they always have.
    assert_eq!(convert(&folder, "--check d/utf16 nothing").status, 4);
    assert_eq!(convert(&folder, "--check d/old").status, 1);
    let run = folder.utfall("convert -f UTF-8 -t US-ASCII --check d/utf8", "");
    assert_eq!(run.status, 3, "{run:?}");
    convert(&folder, "--check -o x d/utf8").fails(2, &["cannot be used with"]);
}
