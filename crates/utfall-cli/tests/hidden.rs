//! `utfall check --hidden`.

mod common;

use common::{Folder, Run, repository, run, utfall};
use serde_json::{Value, json};

fn objects(run: &Run) -> Vec<Value> {
    run.text().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn text() {
    let run = utfall("check --hidden -f UTF-7", "Hi\n+Jjo- +ADw-b+AD4-\n");
    assert_eq!(run.status, 1);
    assert_eq!(run.stderr, "");
    let reason = "RFC 2152 rule 1: sets D and O may stand for themselves";
    let message = "3 octets: markup that did not need encoding";
    assert_eq!(
        run.text(),
        format!(
            "(standard input):2:3: octet 10: {message}: \"<\" ({reason})\n\
             (standard input):2:5: octet 16: {message}: \">\" ({reason})\n\
             (standard input): hidden text in 2 places (UTF-7)\n\
             total: 1 file, 1 with hidden text, 2 places\n"
        )
    );
    utfall("check --hidden", "caf\u{e9}\n").quietly_gives(
        "(standard input): nothing hidden (UTF-8)\ntotal: 1 file, 0 with hidden text, 0 places\n",
    );
    // A mark says which encoding it is.
    let run = utfall("check --hidden", b"\xFF\xFEa\0\x3D\xD8");
    assert_eq!(run.status, 1);
    assert!(
        run.text().contains(":1:2: octet 4: 2 octets: surrogate without its partner"),
        "{run:?}"
    );
    // What cannot be shown.
    let run = utfall("check --hidden", b"a\xC0\x8A\xC0\x80");
    assert!(run.text().contains(": \"\\n\" (RFC 3629"), "{run:?}");
    assert!(run.text().contains(": \"\\u{0}\" (RFC 3629"), "{run:?}");
    // Without the flag all is as ever.
    utfall("check -f UTF-7", "+ADw-\n")
        .gives("(standard input): well-formed UTF-7\ntotal: 1 file, 0 ill-formed, 0 problems\n");
}

#[test]
fn mail_and_what_is_taken_for_it() {
    let letter = "From: =?UTF-8?Q?=61?= <a@example.org>\n\nbody\n";
    let run = utfall("check --hidden", letter);
    assert_eq!(run.status, 1);
    assert!(run.text().contains(":1:17: octet 16: 3 octets: US-ASCII that did not"), "{run:?}");
    assert!(run.text().contains("hidden text in 1 place (mail)"));
    // Text with colons is no mail, unless it is said to be.
    let notes = "note: =?UTF-8?Q?=61?=\n\nto: remember\n";
    utfall("check --hidden", notes).gives(
        "(standard input): nothing hidden (UTF-8)\ntotal: 1 file, 0 with hidden text, 0 places\n",
    );
    assert_eq!(utfall("check --hidden --mail", notes).status, 1);
    assert_eq!(utfall("check --hidden -f UTF-8", letter).status, 0);
}

#[test]
fn mbox_as_json() {
    let mbox = "From a Sat Nov 21 2026\nSubject: 1\n\nbody\n\n\
                From b Sat Nov 21 2026\nTo: =?x?q?=40?=b@example.org\n\
                Content-Type: text/plain; charset=utf-7\n\n>From \u{e9} +AGEAYg-\n";
    let folder = Folder::with([("box", mbox.as_bytes()), ("fine", b"fine")]);
    let run = folder.utfall("check --hidden --format json fine missing box", "");
    assert_eq!(run.status, 1);
    let objects = objects(&run);
    let word = mbox.find("=?x").unwrap();
    let body = mbox.find("AGE").unwrap();
    assert_eq!(
        objects[0],
        json!({
            "type": "file", "file": "fine", "read_as": "UTF-8", "octets": 4, "hidden": 0,
        })
    );
    let reason = format!("cannot open missing: {}", common::no_such_file());
    assert_eq!(objects[1]["error"], reason);
    assert_eq!(
        objects[2],
        json!({
            "type": "hidden", "file": "box", "line": 7, "column": 5, "offset": word, "length": 11,
            "kind": "word-in-address", "message": "encoded word in an address", "text": "@",
            "reason": "RFC 2047 §5: an encoded word must not be part of an address",
        })
    );
    let place = &objects[3];
    assert_eq!(
        (&place["kind"], &place["offset"], &place["text"]),
        (&json!("encoded-ascii"), &json!(body), &json!("ab"),)
    );
    // Columns are code points where it is UTF-8.
    assert_eq!((&place["line"], &place["column"]), (&json!(10), &json!(10)));
    assert_eq!(
        objects[4],
        json!({
            "type": "file", "file": "box", "read_as": "mail", "octets": mbox.len(), "hidden": 2,
        })
    );
    assert_eq!(
        objects[5],
        json!({
            "type": "summary", "files": 3, "hidden": 2, "hidden_files": 1, "unreadable_files": 1,
            "exit_status": 1,
        })
    );
}

#[test]
fn lines_and_columns_of_places_out_of_order() {
    // Of one word the whole is reported first, of two charsets the first, then the second.
    let letter = "Subject: a\n b =?UTF-7?B?K0FEdy0=?= x\n\
                  Content-Type: text/plain; charset=utf-8; charset=utf-7\n\n\
                  +AGEAYg-\n  \u{e9}+AGEAYg- x\n";
    let letter = [letter.as_bytes(), b"\xC0\xAF\n"].concat();
    let run = utfall("check --hidden --format json", &letter);
    let places: Vec<_> = objects(&run)
        .iter()
        .filter(|object| object["type"] == "hidden")
        .map(|object| {
            let number = |name: &str| object[name].as_u64().unwrap();
            let offset = number("offset") as usize;
            let before = std::str::from_utf8(&letter[..offset]).unwrap();
            let line = 1 + before.matches('\n').count() as u64;
            let column = 1 + before.rsplit('\n').next().unwrap().chars().count() as u64;
            assert_eq!((number("line"), number("column")), (line, column), "{object}");
            (object["kind"].as_str().unwrap().to_owned(), line)
        })
        .collect();
    let kind = |kind: &str, line| (kind.to_owned(), line);
    assert_eq!(
        places,
        [
            kind("encoded-markup", 2),
            kind("encoded-markup", 2),
            kind("two-charsets", 3),
            kind("overlong", 7),
            kind("encoded-ascii", 5),
            kind("encoded-ascii", 6),
        ]
    );
}

#[test]
fn flags_that_do_not_go_together() {
    utfall("check --hidden -f ISO-8859-1", "")
        .fails(2, &["nothing is known to be hidden in ISO-8859-1"]);
    utfall("check --hidden --all", "").fails(2, &["cannot be used with"]);
    utfall("check --mail", "").fails(2, &["--hidden"]);
    utfall("check --hidden --mail -f UTF-8", "").fails(2, &["cannot be used with"]);
    utfall("check --hidden missing", "").fails(4, &["cannot open missing"]);
}

#[test]
fn examples_have_nothing_hidden() {
    let mut command = common::program();
    command.args(["check", "--hidden"]).arg(repository("testdata/UTF-8-demo.txt"));
    for file in std::fs::read_dir(repository("examples/mail")).unwrap() {
        command.arg(file.unwrap().path());
    }
    let run = run(&mut command, "");
    assert_eq!(run.status, 0, "{run:?}");
    assert_eq!(run.text().matches("nothing hidden (mail)").count(), run.text().lines().count() - 2);
    // And Kuhn's file has all of it.
    let mut command = common::program();
    command.args(["check", "--hidden"]).arg(repository("testdata/UTF-8-test.txt"));
    let run = common::run(&mut command, "");
    assert_eq!(run.status, 1);
    for kind in [
        "overlong form: \"/\"",
        "five- or six-octet form",
        "surrogate pair in place",
        "surrogate without",
    ] {
        assert!(run.text().contains(kind), "{kind}: {run:?}");
    }
}

/// A field that is too long to be searched or explained, at little cost, is not passed over in silence.
#[test]
fn long_fields_are_named() {
    let message = format!("Subject: {}\n\nx\n", "=?utf-7?q?+AGE-?= ".repeat(16 << 10));
    let run = utfall("check --hidden --mail -", &message);
    assert_eq!(run.status, 1);
    assert!(run.stdout.len() < 1 << 10, "{} bytes", run.stdout.len());
    assert!(run.text().contains("header field too long to be searched"), "{run:?}");
    for args in ["explain --mail", "explain --mail --only problems"] {
        let run = utfall(args, &message);
        let title = "Subject: field of 294913 octets from 8 on, too long to be explained\n";
        assert!(run.text().contains(title), "{}", run.text());
    }
    let run = utfall("mail --extract", &message);
    assert_eq!(run.text(), "[Subject: 294922 bytes, too long to decode]\n\nx\n");
    run.fails(1, &["nothing was decoded; left alone: 1 header field (1 too long)"]);
}
