//! `utfall cost`: its table, its JSON, and its errors.

use std::fs;

use crate::common::{Folder, repository, utfall};

#[test]
fn table() {
    utfall("cost", "Hi Mom \u{263A}!\n").quietly_gives(
        "\
(standard input): 11 characters of UTF-8; bytes per character:
charset           7bit    8bit   quoted-printable   base64   plain       Q       B
UTF-8                -    1.18*              1.73     1.82       -    3.22    3.11
UTF-7             1.36*   1.36               1.36     1.82       -       -       -
UTF-7 (set D)     1.55    1.55               1.55     2.18       -    3.00*   3.56
UNICODE-2-0          -       -                  -     2.91       -    6.22    4.67
UTF-32               -       -                  -     5.82       -   19.22    9.89
UTF-32LE             -       -                  -     5.45       -   13.89    7.00
ISO-10646-UTF-1      -    1.09               1.27     1.45       -    4.00    4.22
SCSU                 -       -                  -     1.82       -    2.89    3.00
GB18030              -    1.27               1.64     1.82       -    3.33    3.33
as UTF-8 in a body: CESU-8
as UNICODE-2-0 in a body: UTF-16, UTF-16LE, UTF-16BE, ISO-10646-UCS-2
as UTF-32LE in a body: UTF-32BE, ISO-10646-UCS-4
as SCSU in a body: BOCU-1
best in a body, 7-bit transport: UTF-7, 7bit, 1.36
best in a body, 8-bit transport: UTF-8, 8bit, 1.18
best in header fields: UTF-7 (set D), Q, 3.00
",
    );
}

/// All is US-ASCII, which every charset has; a BOM is not part of the text.
#[test]
fn ascii() {
    for (args, text) in [
        ("cost", &b"Hi Mom!\n"[..]),
        ("cost", b"\xEF\xBB\xBFHi Mom!\n"),
        ("cost -f UTF-8", b"\xEF\xBB\xBFHi Mom!\r\n"),
    ] {
        let run = utfall(args, text);
        assert_eq!((run.status, run.stderr.as_str()), (0, ""), "{run:?}");
        let lines: Vec<_> = run.text().lines().collect();
        assert_eq!(lines[0], "(standard input): 9 characters of UTF-8; bytes per character:");
        assert!(lines[2].starts_with("US-ASCII "), "{run:?}");
        let row: Vec<_> = lines[2].split_whitespace().collect();
        assert_eq!(row[1..5], ["1.00*", "1.00", "1.00", "1.33"]);
        assert_eq!(row[5], "1.00*");
        assert!(run.text().contains("\nas US-ASCII in a body: UTF-8, UTF-7,"), "{run:?}");
        assert!(run.text().ends_with(
            "best in a body, 7-bit transport: US-ASCII, 7bit, 1.00\n\
             best in a body, 8-bit transport: US-ASCII, 7bit, 1.00\n\
             best in header fields: US-ASCII, plain, 1.00\n"
        ));
        assert!(lines.iter().all(|line| line.len() <= 100), "{run:?}");
    }
    utfall("cost", "")
        .quietly_gives("(standard input): 0 characters of UTF-8; bytes per character:\n");
}

/// One table for each file.
#[test]
fn files() {
    let folder = Folder::with([("a.txt", b"a\n"), ("b.txt", b"\xE9\n")]);
    let run = folder.utfall("cost -f ISO-8859-1 a.txt b.txt", "");
    assert_eq!(run.status, 0, "{run:?}");
    let heads: Vec<_> =
        run.text().lines().filter(|line| line.ends_with("per character:")).collect();
    assert_eq!(
        heads,
        [
            "a.txt: 3 characters of ISO-8859-1; bytes per character:",
            "b.txt: 3 characters of ISO-8859-1; bytes per character:"
        ]
    );
    assert!(run.text().contains("1.00\n\nb.txt: "), "{run:?}");
    assert!(
        run.text().contains("\nbest in a body, 8-bit transport: ISO-8859-1, 8bit, 1.00\n"),
        "{run:?}"
    );
}

#[test]
fn json() {
    let run = utfall("cost --format json", "\u{65E5}\u{672C}\u{8A9E}");
    assert_eq!((run.status, run.stderr.as_str()), (0, ""), "{run:?}");
    let objects: Vec<serde_json::Value> =
        run.text().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let (file, costs) = objects.split_last().unwrap();
    assert_eq!(
        *file,
        serde_json::json!({
            "version": 2, "type": "file", "file": "(standard input)", "encoding": "UTF-8",
            "characters": 3, "header_characters": 3,
        })
    );
    assert!(costs.iter().all(|cost| cost["type"] == "cost" && cost["file"] == file["file"]));
    let cost = |charset: &str, way: &str| {
        let mut found = costs.iter().filter(|cost| {
            cost["charset"] == charset && cost["form"] == way && cost["set_d_only"] == false
        });
        let cost = found.next().cloned().unwrap();
        assert!(found.next().is_none());
        cost
    };
    assert_eq!(
        cost("UTF-7", "7bit"),
        serde_json::json!({
            "version": 2, "type": "cost", "file": "(standard input)", "charset": "UTF-7", "set_d_only": false,
            "form": "7bit", "bytes": 10, "framing_bytes": 0, "bytes_per_character": 10.0 / 3.0,
            "best_for": [],
        })
    );
    // Two bytes each are 2 2/3 digits.
    assert_eq!(cost("UNICODE-2-0", "base64")["best_for"], serde_json::json!(["body_7bit"]));
    assert_eq!(cost("GBK", "8bit")["best_for"], serde_json::json!(["body_8bit"]));
    // =?GBK?B?…?=
    assert_eq!(cost("GBK", "B")["framing_bytes"], 10);
    assert_eq!(costs.iter().filter(|cost| cost["best_for"] != serde_json::json!([])).count(), 3);
    assert!(costs.iter().all(|cost| cost["charset"] != "ISO-8859-1"));
    // A text without characters has no cost.
    let run = utfall("cost --format json", "");
    assert!(
        run.text().lines().next().unwrap().contains(r#""bytes_per_character":null"#),
        "{run:?}"
    );
}

#[test]
fn failures() {
    utfall("cost -f UTF-8", b"ab\xFF\n").fails(
        1,
        &["(standard input): line 1, column 3 (byte 2): FF: ", "`utfall check --all` shows all"],
    );
    utfall("cost -f klingon", "").fails(2, &["unknown encoding \"klingon\""]);
    utfall("cost no-such-file", "").fails(4, &["cannot open no-such-file"]);
    utfall("cost -f WTF-8", b"\xED\xA0\x80").fails(3, &["U+D800"]);
}

/// The RFC's statement about the Analects: UTF-7 is competitive.
#[test]
fn analects() {
    let text = fs::read(repository("examples/analects.utf7")).unwrap();
    let run = utfall("cost -f UTF-7", text);
    assert_eq!(run.status, 0, "{run:?}");
    let best = "\nbest in a body, 7-bit transport: UTF-7, 7bit, 1.06\n";
    assert!(run.text().contains(best), "{run:?}");
}
