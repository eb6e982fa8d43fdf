//! `utfall check --concealed`.

use crate::common::{self, Folder, Run, repository, run, utfall};
use serde_json::{Value, json};

fn objects(run: &Run) -> Vec<Value> {
    run.text().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn text() {
    let run = utfall("check --concealed --all -f UTF-7", "Hi\n+Jjo- +ADw-b+AD4-\n");
    assert_eq!(run.status, 1);
    assert_eq!(run.stderr, "");
    let begin = "error[encoded-markup]: (standard input): line 2";
    let message = "markup that did not need encoding";
    assert_eq!(
        run.text(),
        format!(
            "{begin}, column 3 (byte 10): {message}: \"<\"\n  \
               |\n\
             2 | +Jjo- +ADw-b+AD4-\n  \
               |        ^^^\n  \
               |\n  \
               = note: RFC 2152 rule 1: sets D and O may appear directly\n\n\
             {begin}, column 5 (byte 16): {message}: \">\"\n  \
               |\n\
             2 | +Jjo- +ADw-b+AD4-\n  \
               |              ^^^\n\n\
             (standard input): well-formed UTF-7: 2 problems; concealed text in 2 places\n\
             total: 1 file, 0 ill-formed, 2 problems, 1 with concealed text\n"
        )
    );
    utfall("check --concealed", "caf\u{e9}\n").quietly_gives(
        "(standard input): well-formed UTF-8; no concealed text; \
         valid by RFC 3629, RFC 2279 and RFC 2044\ntotal: 1 file, 0 ill-formed, 0 problems\n",
    );
    // A mark says which encoding it is.
    let run = utfall("check --concealed", b"\xFF\xFEa\0\x3D\xD8");
    assert_eq!(run.status, 1);
    assert!(
        run.text().contains(": line 1, column 2 (byte 4): surrogate without its partner"),
        "{run:?}"
    );
    // What cannot be shown.
    let run = utfall("check --concealed --all", b"a\xC0\x8A\xC0\x80");
    assert!(run.text().contains(": \"\\n\"\n"), "{run:?}");
    assert!(run.text().contains(": \"\\u{0}\"\n"), "{run:?}");
    // Without the flag all is as ever.
    utfall("check -f UTF-7", "+ADw-\n")
        .gives("(standard input): well-formed UTF-7\ntotal: 1 file, 0 ill-formed, 0 problems\n");
}

/// It adds to what `check` finds, in the same report, with one exit status.
#[test]
fn concealed_text_and_everything_else() {
    let text = b"\xEF\xBB\xBFa\xFF\n\xC0\xAF\nx\xEF\xBF\xBD\n";
    let folder = Folder::with([("a", &text[..])]);
    let plain = folder.utfall("check --all a", "");
    let both = folder.utfall("check --all --concealed a", "");
    assert_eq!((plain.status, both.status), (1, 1));
    for line in plain.text().lines().filter(|line| line.contains(" (byte ")) {
        assert!(both.text().contains(line), "{line} is not in {both:?}");
    }
    assert!(both.text().contains("a: line 2, column 1 (byte 6): overlong form: \"/\"\n"));
    assert!(both.text().contains(": 3 problems, 2 warnings; concealed text in 1 place; not valid"));
    for format in ["json", "sarif", "github"] {
        let run = folder.utfall(&format!("check --all --concealed --format {format} a"), "");
        assert_eq!(run.status, 1);
        for rule in ["ill-formed", "overlong", "bom", "replacement-character"] {
            assert!(run.text().contains(rule), "{format}: {run:?}");
        }
    }
    // Text that is only ill-formed fails too, and so does an ill-formed message.
    assert_eq!(utfall("check --concealed", b"a\xFF\n").status, 1);
    let letter = b"Subject: x\n\na\xFF\n";
    let run = utfall("check --concealed", letter);
    assert_eq!(run.status, 1, "{run:?}");
    assert!(
        run.text().contains(": line 3, column 2 (byte 13): FF: byte that never appears"),
        "{run:?}"
    );
    // Kinds are rules.
    let overlong = b"\xC0\xAF\n";
    assert_eq!(utfall("check --concealed --allow overlong,ill-formed", overlong).status, 0);
    let run = utfall("check --rule overlong", overlong);
    assert_eq!((run.status, run.titles().len()), (1, 3), "{run:?}");
    // The first of each kind, unless all are wanted.
    let run = utfall("check --concealed --allow ill-formed", overlong.repeat(3));
    assert_eq!(run.titles().len(), 3, "{run:?}");
    assert!(run.text().contains(": 3 problems, the first is shown, --all shows all;"), "{run:?}");
    assert!(run.text().contains("concealed text in 3 places"), "{run:?}");
}

#[test]
fn mail_and_what_is_taken_for_it() {
    let letter = "From: =?UTF-8?Q?=61?= <a@example.org>\n\nbody\n";
    let run = utfall("check --concealed", letter);
    assert_eq!(run.status, 1);
    assert!(run.text().contains(": line 1, column 17 (byte 16): US-ASCII that did not"), "{run:?}");
    assert!(run.text().contains("concealed text in 1 place (mail)"));
    // Text with colons is not mail, unless --mail is given.
    let notes = "note: =?UTF-8?Q?=61?=\n\nto: remember\n";
    let run = utfall("check --concealed", notes);
    assert_eq!(run.status, 0);
    assert!(run.text().contains("; no concealed text; valid"), "{run:?}");
    assert_eq!(utfall("check --concealed --mail", notes).status, 1);
    assert_eq!(utfall("check --concealed -f UTF-8", letter).status, 0);
}

#[test]
fn mbox_as_json() {
    let mbox = "From a Sat Nov 21 2026\nSubject: 1\n\nbody\n\n\
                From b Sat Nov 21 2026\nTo: =?x?q?=40?=b@example.org\n\
                Content-Type: text/plain; charset=utf-7\n\n>From \u{e9} +AGEAYg-\n";
    let folder = Folder::with([("box", mbox.as_bytes()), ("fine", b"fine")]);
    let run = folder.utfall("check --concealed --format json fine missing box", "");
    assert_eq!(run.status, 4);
    let objects = objects(&run);
    let word = mbox.find("=?x").unwrap();
    let body = mbox.find("AGE").unwrap();
    assert_eq!((&objects[0]["file"], &objects[0]["concealed"]), (&json!("fine"), &json!(0)));
    let reason = format!("cannot open missing: {}", common::no_such_file());
    assert_eq!(objects[1]["error"], reason);
    assert_eq!(
        objects[2],
        json!({
            "version": 2, "type": "problem", "file": "box", "line": 7, "column": 5, "offset": word, "length": 11,
            "kind": "word-in-address", "message": "encoded word in an address", "text": "@",
            "reason": "RFC 2047 §5: an encoded word must not be part of an address",
            "rule": "word-in-address", "level": "error",
        })
    );
    let place = &objects[3];
    assert_eq!(
        (&place["kind"], &place["offset"], &place["text"]),
        (&json!("encoded-ascii"), &json!(body), &json!("ab"),)
    );
    // Columns are code points where it is UTF-8.
    assert_eq!((&place["line"], &place["column"]), (&json!(10), &json!(10)));
    let file = &objects[4];
    assert_eq!((&file["read_as"], &file["bytes"]), (&json!("mail"), &json!(mbox.len())));
    assert_eq!((&file["concealed"], &file["errors"]), (&json!(2), &json!(2)));
    assert_eq!(
        objects[5],
        json!({
            "version": 2, "type": "summary", "files": 3, "errors": 2, "invalid_files": 0,
            "files_with_concealed_text": 1, "unreadable_files": 1, "exit_status": 4,
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
    let run = utfall("check --concealed --all --format json", &letter);
    let places: Vec<_> = objects(&run)
        .iter()
        .filter(|object| object["reason"].is_string())
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
    utfall("check --concealed -f ISO-8859-1", "")
        .fails(2, &["no way to conceal text in ISO-8859-1 is known"]);
    utfall("check --mail", "").fails(2, &["--concealed"]);
    utfall("check --concealed --mail -f UTF-8", "").fails(2, &["cannot be used with"]);
    utfall("check --concealed missing", "").fails(4, &["cannot open missing"]);
}

#[test]
fn examples_have_nothing_hidden() {
    let mut command = common::program();
    command
        .args(["check", "--no-config", "--concealed"])
        .arg(repository("testdata/UTF-8-demo.txt"));
    for file in std::fs::read_dir(repository("examples/mail")).unwrap() {
        command.arg(file.unwrap().path());
    }
    let run = run(&mut command, "");
    assert!(run.text().matches("; no concealed text (mail)").count() > 3, "{run:?}");
    assert!(!run.text().contains("; concealed text"), "{run:?}");
    // And Kuhn's file has all of it.
    let mut command = common::program();
    command
        .args(["check", "--no-config", "--concealed"])
        .arg(repository("testdata/UTF-8-test.txt"));
    let run = common::run(&mut command, "");
    assert_eq!(run.status, 1);
    for kind in [
        "overlong form: \"/\"",
        "five- or six-byte form",
        "surrogate pair instead",
        "surrogate without",
    ] {
        assert!(run.text().contains(kind), "{kind}: {run:?}");
    }
}

/// A field that is too long to be searched or explained, at little cost, is not passed over in silence.
#[test]
fn long_fields_are_named() {
    let message = format!("Subject: {}\n\nx\n", "=?utf-7?q?+AGE-?= ".repeat(16 << 10));
    let run = utfall("check --concealed --mail -", &message);
    assert_eq!(run.status, 1);
    assert!(run.stdout.len() < 1 << 10, "{} bytes", run.stdout.len());
    assert!(run.text().contains("header field too long to be searched"), "{run:?}");
    for args in ["explain --mail", "explain --mail --only problems"] {
        let run = utfall(args, &message);
        let title = "Subject: field of 294913 bytes from 8 on, too long to be explained\n";
        assert!(run.text().contains(title), "{}", run.text());
    }
    let run = utfall("mail --extract", &message);
    assert_eq!(run.text(), "[Subject: 294922 bytes, too long to decode]\n\nx\n");
    run.fails(1, &["not everything was decoded; skipped: 1 header field (1 too long)"]);
}
