//! `utfall repair`: text, diff, reports, files replaced and restored.

use std::fs;

use crate::common::{Folder, Run, run, utfall};

const BROKEN: &str = "plain\nLes Ã©lÃ¨ves dâ€™abord\nРџСЂРёРІРµС‚ ÃƒÂ©tÃƒÂ©\n";
const MENDED: &str = "plain\nLes élèves d’abord\nПривет été\n";

fn objects(text: &str) -> Vec<serde_json::Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The program in a folder, with its state there too.
fn in_folder(folder: &Folder, args: &str) -> Run {
    let mut command = folder.command();
    command.env("UTFALL_STATE_DIR", folder.path("state"));
    run(command.args(args.split_whitespace()), "")
}

#[test]
fn text() {
    let run = utfall("repair", BROKEN);
    run.gives(MENDED);
    assert!(run.stderr.contains("note: 6 changes;"), "{run:?}");
    utfall("repair -q", BROKEN).quietly_gives(MENDED);
    // Valid text, and text that is not UTF-8, stays.
    utfall("repair", MENDED).quietly_gives(MENDED);
    utfall("repair", b"caf\xE9 \xC3\xA9\n\0\xFF").quietly_gives(b"caf\xE9 \xC3\xA9\n\0\xFF");
    let folder =
        Folder::with([("a", BROKEN.as_bytes()), ("b", b"\xEF\xBB\xBFna\xC3\x83\xC2\xAFve")]);
    folder.utfall("repair -q a b", "").quietly_gives(format!("{MENDED}\u{FEFF}naïve"));
}

#[test]
fn output() {
    let folder = Folder::with([("a", BROKEN.as_bytes())]);
    folder.utfall("repair -q -o b a", "").quietly_gives("");
    assert_eq!(folder.read("b"), MENDED.as_bytes());
    folder.utfall("repair -o a a", "").fails(2, &["--overwrite-input"]);
    folder.utfall("repair -q --overwrite-input -o a a", "").quietly_gives("");
    assert_eq!(folder.read("a"), MENDED.as_bytes());
    assert_eq!(folder.names(), ["a", "b"]);
}

#[test]
fn dry_run() {
    let folder = Folder::with([("a", BROKEN.as_bytes()), ("b", MENDED.as_bytes())]);
    let run = folder.utfall("repair --dry-run a b", "");
    assert_eq!((run.status, run.stderr.as_str()), (1, ""), "{run:?}");
    let lines: Vec<_> = run.text().lines().collect();
    assert_eq!(
        lines[0],
        "a: line 2 (byte 10): \"Ã©\" -> \"é\": UTF-8 read as windows-1252 (99.9 %)"
    );
    assert_eq!(lines[6], "6 changes in 1 file");
    folder.utfall("repair --dry-run b", "").quietly_gives("0 changes in 0 files\n");
    assert_eq!(folder.read("a"), BROKEN.as_bytes());
}

#[test]
fn json() {
    let run = utfall("repair --dry-run --format json", BROKEN);
    assert_eq!((run.status, run.stderr.as_str()), (1, ""), "{run:?}");
    let objects = objects(run.text());
    assert_eq!(objects.len(), 7);
    assert_eq!(
        objects[2],
        serde_json::json!({
            "version": 2, "type": "change", "file": "(standard input)", "line": 2, "offset": 24,
            "offset_after": 20, "before_hex": "C3A2E282ACE284A2", "after_hex": "E28099",
            "before_text": "â€™", "after_text": "’",
            "steps": [{"step": "misread", "charset": "windows-1252"}],
            "confidence": 0.999_999,
        })
    );
    assert_eq!(objects[4]["steps"].as_array().unwrap().len(), 2);
    assert_eq!(
        objects[6],
        serde_json::json!({
            "version": 2, "type": "file", "file": "(standard input)", "action": "to_repair", "changes": 6,
            "bytes": BROKEN.len(), "bytes_after": MENDED.len(),
            "digest": "d0703eb24ca96056625cf13dce5046e5", "digest_after": "d13cb2340dc887229371d402ad3e63f7",
        })
    );
    // Every kind of step.
    let text = b"\xED\xA0\xBD\xED\xB8\x80\nd\xC3\xA9 \xE0\x80\xAF\n\xEF\xBB\xBFx\nl\0i\0n\0e\0\n\0";
    let run = utfall("repair --dry-run --format json", text);
    let steps: Vec<_> = self::objects(run.text())
        .iter()
        .filter_map(|object| Some(object["steps"][0]["step"].as_str()?.to_owned()))
        .collect();
    assert_eq!(steps, ["surrogates", "overlong", "stray_bom", "utf_16le"]);
    utfall("repair --format json", BROKEN).fails(2, &["--report REPORT"]);
}

#[test]
fn diff() {
    let folder = Folder::with([("a", BROKEN.as_bytes()), ("b", "cafÃ©".as_bytes())]);
    let run = folder.utfall("repair --diff a b", "");
    assert_eq!((run.status, run.stderr.as_str()), (1, ""), "{run:?}");
    assert_eq!(
        run.text(),
        "--- a\n+++ a\n\
         @@ -2 +2 @@\n-Les Ã©lÃ¨ves dâ€™abord\n+Les élèves d’abord\n\
         @@ -3 +3 @@\n-РџСЂРёРІРµС‚ ÃƒÂ©tÃƒÂ©\n+Привет été\n\
         --- b\n+++ b\n\
         @@ -1 +1 @@\n-cafÃ©\n\\ No newline at end of file\n+café\n\\ No newline at end of file\n"
    );
    folder.utfall("repair --diff a --format json", "").fails(2, &["--diff"]);
}

#[test]
fn in_place_and_back() {
    let folder = Folder::with([("a", BROKEN.as_bytes()), ("b", MENDED.as_bytes())]);
    let run = in_folder(&folder, "repair --in-place a b");
    assert_eq!(run.status, 0, "{run:?}");
    assert!(run.text().ends_with("6 changes in 1 file\n"), "{run:?}");
    assert!(run.stderr.contains("run 1: 1 original kept ("), "{run:?}");
    assert_eq!(folder.read("a"), MENDED.as_bytes());
    assert_eq!(in_folder(&folder, "undo").status, 0);
    assert_eq!(folder.read("a"), BROKEN.as_bytes());

    let run = in_folder(&folder, "repair -q --in-place=.old a");
    assert_eq!((run.status, run.stderr.as_str()), (0, ""), "{run:?}");
    assert_eq!(folder.read("a.old"), BROKEN.as_bytes());
    assert_eq!(folder.read("a"), MENDED.as_bytes());
    // Nothing is left to do, and so nothing to keep.
    let run = in_folder(&folder, "repair --in-place a b");
    assert_eq!(run.text(), "0 changes in 0 files\n", "{run:?}");
    assert_eq!(run.stderr, "");
    in_folder(&folder, "repair --in-place").fails(2, &["--in-place cannot be used"]);
    in_folder(&folder, "repair --in-place=a/b a").fails(2, &["SUFFIX"]);
}

#[test]
fn directories() {
    let folder = Folder::with([("image", b"\x89PNG\0\xC3\x83\xC2\xA9")]);
    fs::create_dir(folder.path("tree")).unwrap();
    for (name, text) in [("a.txt", BROKEN), ("b.md", BROKEN), ("c.txt", MENDED)] {
        fs::write(folder.path("tree").join(name), text).unwrap();
    }
    fs::rename(folder.path("image"), folder.path("tree").join("image")).unwrap();
    let run = in_folder(&folder, "repair --in-place --no-undo -g *.txt tree");
    assert!(run.text().ends_with("6 changes in 1 file\n"), "{run:?}");
    assert_eq!(fs::read(folder.path("tree").join("b.md")).unwrap(), BROKEN.as_bytes());
    let run = in_folder(&folder, "repair --dry-run --format json tree no-such-file");
    run.fails(4, &["cannot open no-such-file"]);
    let actions: Vec<_> = objects(run.text())
        .iter()
        .filter_map(|object| Some(object["action"].as_str()?.to_owned()))
        .collect();
    assert_eq!(actions, ["unchanged", "to_repair", "unchanged", "failed"]);
}

#[test]
fn undo() {
    let text = BROKEN.repeat(400) + "\u{1F600}";
    let folder = Folder::with([("a", text.as_bytes())]);
    folder.utfall("repair -q -o b --report r a", "").quietly_gives("");
    assert_eq!(folder.read("b"), (MENDED.repeat(400) + "\u{1F600}").as_bytes());
    folder.utfall("repair --undo r b", "").quietly_gives(&text);
    folder.utfall("repair --undo r", folder.read("b")).quietly_gives(&text);
    // A text that was repaired differently.
    let other = "it is not what the report is about";
    folder.utfall("repair --undo r", &text).fails(1, &["does not match the report"]);
    folder.utfall("repair --undo r", "").fails(1, &["does not match the report"]);
    assert!(!folder.utfall("repair --undo r", other).text().contains('Ã'));
    folder.utfall("repair --undo b a", "").fails(1, &["b:1: not a line of a report"]);
    folder.utfall("repair --undo none a", "").fails(4, &["cannot read none"]);
    folder.utfall("repair --undo - -", "").fails(2, &["standard input is both"]);
}

#[test]
fn confidence() {
    let weak = "1 Â°F";
    let run = utfall("repair --dry-run --min-confidence 0.5", weak);
    assert_eq!(run.status, 1, "{run:?}");
    utfall("repair --dry-run --min-confidence 1", BROKEN).quietly_gives("0 changes in 0 files\n");
    for wrong in ["0.4", "1.1", "nan", "much"] {
        utfall(&format!("repair --min-confidence {wrong}"), "").fails(2, &["from 0.5 to 1"]);
    }
}

/// A report is not an input, nor one of the files of a directory that it is about.
#[test]
fn report_beside_what_it_is_about() {
    let folder = Folder::with([("a", BROKEN.as_bytes())]);
    for args in [
        "--report a a",
        "--report ./a -o b a",
        "--in-place --report a a",
        "-o b --report b a",
        "-o b --report ./b a",
    ] {
        in_folder(&folder, &format!("repair {args}")).fails(2, &[" is "]);
        assert_eq!((folder.read("a"), folder.names()), (BROKEN.into(), vec!["a".into()]), "{args}");
    }
    for _ in 0..2 {
        fs::write(folder.path("a"), BROKEN).unwrap();
        let run = in_folder(&folder, "repair --in-place --no-undo --report report .");
        assert!(run.status == 0 && run.text().ends_with("6 changes in 1 file\n"), "{run:?}");
        assert_eq!(objects(std::str::from_utf8(&folder.read("report")).unwrap()).len(), 7);
    }
    folder.utfall("repair -q --undo report a", "").gives(BROKEN);
}

/// A report is there whole or not at all, but for --in-place, where it must be there before a file
/// is replaced.
#[test]
fn report_of_what_fails() {
    let folder = Folder::with([("a", BROKEN.as_bytes()), ("report", b"old")]);
    folder.utfall("repair -q --report report a nothing", "").fails(4, &["nothing"]);
    folder.utfall("repair -q -o no-folder/x --report report a", "").fails(4, &["no-folder"]);
    assert_eq!(folder.read("report"), b"old");
    let run = in_folder(&folder, "repair -q --in-place --report report a nothing");
    run.fails(4, &["nothing"]);
    assert!(String::from_utf8(folder.read("report")).unwrap().contains("\"action\":\"repaired\""));
    folder.utfall("repair --undo report a", "").quietly_gives(BROKEN);
}

#[test]
fn escapes() {
    let text = "caf&Atilde;&copy; /caf%C3%83%C2%A9 caf\\u00c3\\u00a9\n";
    for (option, right) in [
        ("--html-entities", text.replace("&Atilde;&copy;", "&eacute;")),
        ("--percent-encoding", text.replace("%C3%83%C2%A9", "%C3%A9")),
        ("--json-escapes", text.replace("\\u00c3\\u00a9", "\\u00e9")),
    ] {
        utfall(&format!("repair -q {option}"), text).quietly_gives(&right);
    }
    utfall("repair", text).quietly_gives(text);
    let folder = Folder::with([("a.html", text.as_bytes())]);
    folder.utfall("repair -q --html-entities --report r -o b a.html", "").quietly_gives("");
    assert!(String::from_utf8(folder.read("r")).unwrap().contains(r#"{"step":"html_entities"}"#));
    folder.utfall("repair -q --undo r b", "").quietly_gives(text);
}

#[test]
fn binary_files_stay() {
    let folder = Folder::with([("a.bin", &b"\0\0 Andr\xC3\x83\xC2\xA9\n"[..])]);
    let run = folder.utfall("repair --in-place a.bin", "");
    let said = "a.bin: skipped: it looks binary; --force repairs it\n0 changes in 0 files\n";
    assert_eq!(run.text(), said);
    let run = folder.utfall("repair --dry-run --json a.bin", "");
    assert_eq!(objects(run.text())[0]["reason"], "binary");
    folder.utfall("repair -q --force a.bin", "").quietly_gives("\0\0 André\n");
}

#[test]
fn skipped() {
    let folder = Folder::with([("a", "It says \"Ã©\" there\ncafÃ©\n".as_bytes())]);
    let run = folder.utfall("repair --dry-run a", "");
    let lines: Vec<_> = run.text().lines().collect();
    assert_eq!(lines[1], "a: skipped: 1 place, looks like a quoted example; --force repairs it");
    assert_eq!(lines[2], "1 change in 1 file");
    let run = folder.utfall("repair --dry-run --json a", "");
    let object = &objects(run.text())[0];
    let of = |field: &str| object[field].as_str().unwrap().to_owned();
    assert_eq!([of("type"), of("reason"), of("after_text")], ["skipped", "quoted", "é"]);
    folder.utfall("repair -q --force a", "").quietly_gives("It says \"é\" there\ncafé\n");
    // A report with such lines undoes the changes.
    folder.utfall("repair -q --report r -o b a", "").quietly_gives("");
    let text = folder.read("a");
    folder.utfall("repair -q --undo r b", "").quietly_gives(&text);
    let run = utfall("repair", "It says \"Ã©\" there\n");
    assert!(run.stderr.contains("note: 1 place skipped;"), "{run:?}");
    let run = in_folder(&folder, "repair --in-place a");
    assert!(run.text().contains("skipped: 1 place"), "{run:?}");
    let run = in_folder(&folder, "repair --in-place a");
    assert!(run.text().contains("skipped: 1 place"), "{run:?}");
}
