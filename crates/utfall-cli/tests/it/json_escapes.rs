//! Mojibake in JSON escapes: `check` finds it, `repair` fixes it, and escapes stay escapes.

use std::fs;

use crate::common::{Folder, utfall};

const BROKEN: &str = r#"{"name":"Fran\u00c3\u00a7ois","n":1}"#;
const MENDED: &str = r#"{"name":"Fran\u00e7ois","n":1}"#;

#[test]
fn repair_keeps_them_escaped() {
    for (broken, right) in [
        (BROKEN, MENDED),
        (r#"["Fran\u00C3\u00A7ois"]"#, r#"["Fran\u00E7ois"]"#),
        // In both cases, and one of the two as itself.
        (r#"["Fran\u00C3\u00a7ois"]"#, r#"["Fran\u00E7ois"]"#),
        ("[\"FranÃ\\u00a7ois\"]", r#"["Fran\u00e7ois"]"#),
        ("[\"FranÃ§ois\"]", "[\"François\"]"),
        // Beyond U+FFFF: four bytes, three surrogates of CESU-8 each, and a pair beside.
        (r#"["so \u00f0\u009f\u0098\u0080 so"]"#, r#"["so \ud83d\ude00 so"]"#),
        (r#"["so \u00ed\u00a0\u00bd\u00ed\u00b8\u0080 so"]"#, r#"["so \ud83d\ude00 so"]"#),
        (r#"["\ud83d\ude00 Fran\u00c3\u00a7ois"]"#, r#"["\ud83d\ude00 Fran\u00e7ois"]"#),
        // Twice.
        (r#"["Fran\u00c3\u0192\u00c2\u00a7ois"]"#, r#"["Fran\u00e7ois"]"#),
        (r#"["I said it\u00e2\u20ac\u2122s fine"]"#, r#"["I said it\u2019s fine"]"#),
        // Behind escapes of other kinds.
        (
            r#"["\\\u00c3\u00a9l\u00c3\u00a8ves\n\"d\u00c3\u00a9j\u00c3\u00a0\""]"#,
            r#"["\\\u00e9l\u00e8ves\n\"d\u00e9j\u00e0\""]"#,
        ),
    ] {
        utfall("repair -q --json-escapes", broken).quietly_gives(right);
        utfall("repair -q --json-escapes", right).quietly_gives(right);
        if broken.is_ascii() {
            utfall("repair -q", broken).quietly_gives(broken);
        }
    }
    // An escaped backslash does not begin an escape. Pairs and correct text stay unchanged.
    for right in [
        r#"["Fran\\u00c3\\u00a7ois"]"#,
        r#"["\ud83d\ude00", "\ud83d", "\ude00\ud83d", "\u00e9l\u00e8ves", "\u00c", "\u65e5\u672c"]"#,
        // As with unescaped text: text that is shown, and text that is odd but valid.
        r#"["\u00c3\u00a7 is mojibake"]"#,
        r#"["IRM\u00c3", "\u00c9\u00a9"]"#,
    ] {
        utfall("repair -q --json-escapes", right).quietly_gives(right);
    }
}

#[test]
fn files_that_are_json_by_name() {
    let names = ["a.json", "a.JSONL", "a.ndjson", "a.ipynb", "a.geojson"];
    for name in names {
        let folder = Folder::with([(name, BROKEN.as_bytes()), ("a.txt", BROKEN.as_bytes())]);
        folder.utfall(&format!("repair -q {name}"), "").quietly_gives(MENDED);
        folder.utfall(&format!("repair -q --json-escapes=never {name}"), "").quietly_gives(BROKEN);
        folder.utfall("repair -q a.txt", "").quietly_gives(BROKEN);
        let run = folder.utfall(&format!("check --deny warnings {name}"), "");
        assert_eq!(run.status, 1, "{run:?}");
        let found = r#": line 1, column 14 (byte 13): "\u00c3\u00a7" looks like a double-encoded "ç" (UTF-8 read as windows-1252)"#;
        assert!(run.text().contains(&format!("{name}{found}")), "{run:?}");
        for args in [format!("--json-escapes=never {name}"), "a.txt".into()] {
            let run = folder.utfall(&format!("check --deny warnings {args}"), "");
            assert_eq!(run.status, 0, "{run:?}");
        }
        let run = folder.utfall("check --deny warnings --json-escapes a.txt", "");
        assert_eq!(run.status, 1, "{run:?}");
    }
}

#[test]
fn report_and_back() {
    let folder = Folder::with([("a.json", BROKEN.as_bytes())]);
    let run = folder.utfall("repair --dry-run a.json", "");
    assert_eq!(run.status, 1, "{run:?}");
    assert_eq!(
        run.text(),
        "a.json: line 1 (byte 13): \"\\u00c3\\u00a7\" -> \"\\u00e7\": UTF-8 read as windows-1252, then \
         written as JSON escapes (99.9 %)\n1 change in 1 file\n"
    );
    let run = folder.utfall("repair -q --in-place --report report a.json", "");
    assert_eq!((run.status, folder.read("a.json")), (0, MENDED.into()), "{run:?}");
    folder.utfall("repair --undo report a.json", "").quietly_gives(BROKEN);
    folder.utfall("undo", "");
    assert_eq!(folder.read("a.json"), BROKEN.as_bytes());
}

/// JSON is often one line, which is looked at in parts; none may cut an escape.
#[test]
fn one_long_line() {
    for padding in 0..14 {
        let one = |word: &str| {
            format!("\"{}\",\\\\ {word} {},", "x".repeat(padding), r"\u00e9\ud83d\ude00")
        };
        let (broken, right) = (one(r"Fran\u00c3\u00a7ois"), one(r"Fran\u00e7ois"));
        let run = utfall("repair -q --json-escapes", broken.repeat(1200));
        assert!(run.status == 0 && run.text() == right.repeat(1200), "{padding}");
    }
}

#[test]
fn check_finds_what_repair_undoes() {
    for (text, found) in [
        (r#"["\u00c3\u00a9l\u00c3\u00a8ve"]"#, 2),
        (r#"["\u00C3\u00A9l\u00C3\u00A8ve"]"#, 2),
        ("[\"Ã\\u00a9lÃ¨ve\"]", 2),
        (r#"["I said it\u00e2\u20ac\u2122s fine"]"#, 1),
        (r#"["\\\u00c3\u00a9l\u00c3\u00a8ve"]"#, 2),
        (r#"["caf\u00c3\u00a9"#, 1),
        (r#"["Fran\\u00c3\\u00a7ois"]"#, 0),
        (r#"["\u00c3", "\u00a7", "\u00c3\n\u00a7", "\u00c3\\u00a7", "\u00c3\u00g7", "\u00e9"]"#, 0),
        (r#"["parl\u00e9\u2026\u00bb", "MANH\u00c3\u201d"]"#, 0),
    ] {
        let run = utfall("check --json-escapes --rule double-encoding --format json --all", text);
        let count = run.text().lines().filter(|line| line.contains("\"double-encoding\"")).count();
        assert_eq!(count, found, "{text}: {run:?}");
        let run = utfall("check --rule double-encoding --format json --all", text);
        let is_plain = !text.is_ascii();
        assert_eq!(run.text().contains("\"double-encoding\""), is_plain, "{text}: {run:?}");
    }
    // In any encoding, at the place where it is, beside what else is found.
    let text = "[\n \"日本 \u{FFFD} Fran\\u00c3\\u00a7ois \u{FFFD}\"]\r\n";
    for encoding in ["UTF-8", "UTF-16LE", "UTF-32BE", "UTF-7"] {
        let bytes = utfall(&format!("convert -f UTF-8 -t {encoding}"), text).stdout;
        let run =
            utfall(&format!("check -f {encoding} --json-escapes --format json --all"), &bytes);
        let lines: Vec<serde_json::Value> =
            run.text().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let found: Vec<_> = lines.iter().filter(|line| line["type"] == "problem").collect();
        let place = |at: usize| {
            (
                found[at]["rule"].as_str().unwrap(),
                found[at]["line"].as_u64(),
                found[at]["column"].as_u64(),
            )
        };
        assert_eq!(place(0), ("replacement-character", Some(2), Some(6)), "{encoding}");
        assert_eq!(place(1), ("double-encoding", Some(2), Some(12)), "{encoding}");
        assert_eq!(found[1]["original"], "ç", "{encoding}");
        assert_eq!(place(2), ("replacement-character", Some(2), Some(28)), "{encoding}");
    }
}

/// The same however the text is read: a large file is looked at in parts and pieces.
#[test]
fn check_of_a_large_file() {
    let line =
        r#"{"plain":"text that has nothing\n\t\"","name":"Fran\u00c3\u00a7ois"}"#.to_owned() + "\n";
    let folder = Folder::new();
    let count = (20 << 20) / line.len();
    fs::write(folder.path("a.jsonl"), line.repeat(count)).unwrap();
    let run = folder.utfall("check a.jsonl", "");
    assert!(run.text().contains(&format!(": {count} warnings")), "{run:?}");
    fs::write(folder.path("a.jsonl"), line.repeat(count).replace('\n', " ")).unwrap();
    let run = folder.utfall("check a.jsonl", "");
    assert!(run.text().contains(&format!(": {count} warnings")), "{run:?}");
}
