//! `utfall check` and `utfall list`.

use crate::common::{Folder, Run, has_encoding, utfall};
use serde_json::{Value, json};
use utfall::Encoding;

/// The four sequences on which the older RFCs differ.
fn four() -> Folder {
    Folder::with([
        ("overlong", b"\x2F\xC0\xAE\x2E\x2F"),
        ("surrogate", b"\xED\xA0\x80"),
        ("five", b"\xF8\x88\x80\x80\x80"),
        ("zero", b"\xC0\x80"),
        ("fine", b"fine\n"),
    ])
}

fn lines(run: &Run) -> Vec<&str> {
    run.titles()
}

/// The objects of JSON Lines.
fn objects(run: &Run) -> Vec<Value> {
    run.text().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn sequences_of_older_memos() {
    let folder = four();
    let old = "accepted by RFC 2044 (1996) and its 1997 draft revision";
    for (file, problem, acceptance, generation) in [
        (
            "overlong",
            "error[ill-formed]: overlong: line 1, column 2 (byte 1): C0 AE: overlong form of U+002E \".\"",
            old,
            "valid by RFC 2044 and its 1997 draft revision but not RFC 2279 or RFC 3629: \
             overlong form of U+002E \".\" at line 1, column 2",
        ),
        (
            "surrogate",
            "error[ill-formed]: surrogate: line 1, column 1 (byte 0): ED A0 80: surrogate U+D800",
            old,
            "valid by RFC 2044 and its 1997 draft revision but not RFC 2279 or RFC 3629: \
             surrogate U+D800 at line 1, column 1",
        ),
        (
            "five",
            "error[ill-formed]: five: line 1, column 1 (byte 0): F8 88 80 80 80: five-byte form of U+200000",
            "accepted by RFC 2044 (1996), its 1997 draft revision and RFC 2279 (1998)",
            "valid by RFC 2279 but not RFC 3629: five-byte form of U+200000 at line 1, column 1",
        ),
        (
            "zero",
            "error[ill-formed]: zero: line 1, column 1 (byte 0): C0 80: overlong NUL (U+0000)",
            old,
            "valid by RFC 2044 and its 1997 draft revision but not RFC 2279 or RFC 3629: \
             overlong NUL (U+0000) at line 1, column 1",
        ),
    ] {
        for flags in ["", "--all"] {
            let run = folder.utfall(&format!("check {flags} {file}"), "");
            assert_eq!((run.status, run.stderr.as_str()), (1, ""), "{run:?}");
            let [first, summary, total] = lines(&run)[..] else { panic!("{run:?}") };
            assert_eq!(first, problem, "{run:?}");
            assert!(run.text().contains("\n  = note: RFC 3629 §3: "), "{run:?}");
            assert!(run.text().contains(&format!("\n  = note: {acceptance}\n")), "{run:?}");
            assert_eq!(summary, format!("{file}: not well-formed UTF-8: 1 problem; {generation}"));
            assert_eq!(total, "total: 1 file, 1 ill-formed, 1 problem");
        }
    }
}

#[test]
fn well_formed() {
    let run = four().utfall("check fine fine", "");
    run.quietly_gives(
        "fine: well-formed UTF-8; valid by RFC 3629, RFC 2279 and RFC 2044\n\
         fine: well-formed UTF-8; valid by RFC 3629, RFC 2279 and RFC 2044\n\
         total: 2 files, 0 ill-formed, 0 problems\n",
    );
}

#[test]
fn first_problem_or_all() {
    let text = b"\xFF\n\xC0\x80\xED\xA0\x80|\xE2\x98";
    let run = utfall("check", text);
    assert_eq!(run.status, 1);
    assert_eq!(
        lines(&run),
        [
            "error[ill-formed]: (standard input): line 1, column 1 (byte 0): FF: byte that never \
             appears",
            "(standard input): not well-formed UTF-8: 4 problems, the first is shown, --all shows \
             all; not valid UTF-8 by any RFC: byte that never appears at line 1, column 1",
            "total: 1 file, 1 ill-formed, 4 problems",
        ]
    );
    let run = utfall("check --all", text);
    assert_eq!(lines(&run).len(), 6);
    assert_eq!(
        lines(&run)[1..4],
        [
            "error[ill-formed]: (standard input): line 2, column 1 (byte 2): C0 80: overlong NUL (U+0000)",
            "error[ill-formed]: (standard input): line 2, column 2 (byte 4): ED A0 80: surrogate U+D800",
            "error[ill-formed]: (standard input): line 2, column 4 (byte 8): E2 98: incomplete sequence at the end of the input: 2 of 3 bytes",
        ]
    );
}

/// Each RFC has its own reason.
#[test]
fn generations_with_two_reasons() {
    let run = utfall("check", b"\xF8\x88\x80\x80\x80\n\xC0\x80");
    assert!(
        lines(&run)[1].ends_with(
            "valid by RFC 2044 and its 1997 draft revision; not by RFC 2279: overlong NUL \
             (U+0000) at line 2, column 1; not by RFC 3629: five-byte form of U+200000 at \
             line 1, column 1"
        ),
        "{run:?}"
    );
}

/// A sequence cut in two by the end of a piece of input.
#[test]
fn sequences_far_into_the_input() {
    for before in [65_534, 65_535, 131_070, 131_071, 131_134, 131_135] {
        let mut text = vec![b'a'; before];
        text.extend(b"\xF8\x88\x80\x80\x80b");
        let run = utfall("check --all", &text);
        let place = format!("line 1, column {} (byte {before}): F8 88 80 80 80:", before + 1);
        assert!(lines(&run)[0].contains(&place), "{run:?}");
        assert_eq!(lines(&run).len(), 3);
    }
}

#[test]
fn other_encodings() {
    let check = |flags: &str, stdin: &[u8]| utfall(&format!("check --all {flags}"), stdin);
    let run = check("-f UTF-16LE", b"a\0\n\0b\0\x00\xD8c\0\0\xDC");
    assert_eq!(run.status, 1);
    assert_eq!(
        lines(&run),
        [
            "error[ill-formed]: (standard input): line 2, column 2 (byte 6): 00 D8: surrogate",
            "error[ill-formed]: (standard input): line 2, column 4 (byte 10): 00 DC: surrogate",
            "(standard input): not well-formed UTF-16LE: 2 problems",
            "total: 1 file, 1 ill-formed, 2 problems",
        ]
    );
    check("-f UTF-8/RFC2279", b"\xF8\x88\x80\x80\x80").gives(
        "(standard input): well-formed UTF-8/RFC2279\ntotal: 1 file, 0 ill-formed, 0 problems\n",
    );
    let run = check("-f UTF-8/RFC2279", b"\xC0\x80");
    assert!(run.text().contains("C0 80: overlong NUL (U+0000)\n"), "{run:?}");
    assert!(run.text().contains("= note: RFC 2279 §2"), "{run:?}");
    if has_encoding("UTF-7") {
        let run = check("-f UTF-7", b"a\n+Jjo- \xFF");
        assert!(run.text().contains(": line 2, column 3 (byte 8): FF: byte above 7F"));
    }
    utfall("check -f utf-88", "").fails(2, &["did you mean \"UTF-8\""]);
}

#[test]
fn marks_decide() {
    let run = utfall("check", b"\xFF\xFEa\0\0\xDC");
    assert!(run.text().contains(": line 1, column 2 (byte 4): 00 DC: surrogate"), "{run:?}");
    assert!(run.text().contains("not well-formed UTF-16LE (by its BOM): 1 problem"));
    let run = utfall("check", b"\xEF\xBB\xBFa\xFF");
    assert!(run.text().contains(": line 1, column 2 (byte 4): FF"), "{run:?}");
    // Unless -f says something else.
    let run = utfall("check -f UTF-8", b"\xFF\xFEa\0");
    assert!(run.text().contains(": line 1, column 1 (byte 0): FF"), "{run:?}");
}

#[test]
fn json() {
    let folder = four();
    let run = folder.utfall("check --format json overlong five fine nothing", "");
    run.fails(4, &["cannot open nothing"]);
    let objects = objects(&run);
    assert_eq!(
        objects[0],
        json!({
            "version": 2, "type": "problem", "file": "overlong", "line": 1, "column": 2, "offset": 1,
            "length": 2, "hex": "C0 AE", "kind": "overlong",
            "message": "overlong form of U+002E \".\"",
            "clause": "RFC 3629 §3: there is only one valid way to encode a character",
            "accepted_by": ["RFC 2044", "draft-yergeau-utf8-rev-00"], "code_point": "U+002E",
            "rule": "ill-formed", "level": "error",
        })
    );
    assert_eq!(objects[1]["type"], "file");
    assert_eq!(objects[1]["accepted_by"], json!(["RFC 2044", "draft-yergeau-utf8-rev-00"]));
    assert_eq!(objects[2]["kind"], "long-form");
    assert_eq!(
        objects[3]["explanation"],
        "valid by RFC 2279 but not RFC 3629: five-byte form of U+200000 at line 1, column 1"
    );
    assert_eq!(
        objects[4],
        json!({
            "version": 2, "type": "file", "file": "fine", "encoding": "UTF-8", "bytes": 5, "errors": 0,
            "valid": true, "explanation": "valid by RFC 3629, RFC 2279 and RFC 2044",
            "accepted_by": ["RFC 2044", "draft-yergeau-utf8-rev-00", "RFC 2279", "RFC 3629"],
        })
    );
    assert_eq!(objects[5]["file"], "nothing");
    assert!(objects[5]["error"].as_str().unwrap().starts_with("cannot open nothing: "));
    assert_eq!(
        objects[6],
        json!({
            "version": 2, "type": "summary", "files": 4, "errors": 2, "invalid_files": 2,
            "unreadable_files": 1, "exit_status": 4,
        })
    );
    assert_eq!(objects.len(), 7);
}

#[test]
fn json_of_many_problems() {
    let run = utfall("check --all --format json", b"\xFF\n".repeat(10_000));
    let objects = objects(&run);
    assert_eq!((run.status, objects.len()), (1, 10_002));
    let last = &objects[9_999];
    assert_eq!((&last["line"], &last["offset"]), (&json!(10_000), &json!(19_998)));
    assert_eq!(objects[10_001]["errors"], 10_000);
    // Without --all the first, but all are counted.
    let run = utfall("check --format json", b"\xFF\n".repeat(10_000));
    assert_eq!(run.text().lines().count(), 3);
    assert!(run.text().contains("\"errors\":10000"));
}

#[test]
fn exit_status() {
    let folder = four();
    assert_eq!(folder.utfall("check fine", "").status, 0);
    assert_eq!(folder.utfall("check fine five fine", "").status, 1);
    assert_eq!(folder.utfall("check five nothing fine", "").status, 4);
    assert_eq!(folder.utfall("check nothing fine", "").status, 4);
    assert_eq!(folder.utfall("check --format xml fine", "").status, 2);
}

#[test]
fn list() {
    let text = utfall("list", "");
    text.quietly_gives(text.text());
    let json = utfall("list --format json", "");
    json.quietly_gives(json.text());
    let list: Value = serde_json::from_str(json.text()).unwrap();
    assert_eq!((&list["version"], &list["type"]), (&json!(2), &json!("list")));
    let rows = list["encodings"].as_array().unwrap();
    assert_eq!(rows.len(), Encoding::ALL.len());
    for (row, encoding) in rows.iter().zip(Encoding::ALL) {
        assert_eq!(row["name"], encoding.name());
        assert_eq!(row["ascii_transparent"], encoding.info().ascii_transparent);
        for alias in row["aliases"].as_array().unwrap() {
            assert_eq!(Encoding::for_label(alias.as_str().unwrap()), Some(*encoding));
        }
        assert!(text.text().lines().any(|line| line == encoding.name()), "{encoding}");
    }
    let utf8 = &rows[0];
    assert_eq!(
        (&utf8["specification"], &utf8["cut"], &utf8["bom"], &utf8["stateful"]),
        (&json!("RFC 3629"), &json!("character"), &json!("EF BB BF"), &json!(false))
    );
}
