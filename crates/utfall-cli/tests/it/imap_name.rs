//! `utfall imap-name`.

use crate::common::{self, program, run, utfall};
use serde_json::{Value, json};

fn imap_name(args: &[&str], stdin: &[u8]) -> common::Run {
    run(program().arg("imap-name").args(args), stdin)
}

#[test]
fn there_and_back() {
    imap_name(&["~peter/mail/&U,BTFw-/&ZeVnLIqe-", "R&-D"], b"")
        .quietly_gives("~peter/mail/台北/日本語\nR&D\n");
    imap_name(&["--encode", "~peter/mail/台北/日本語", "R&D"], b"")
        .quietly_gives("~peter/mail/&U,BTFw-/&ZeVnLIqe-\nR&-D\n");
    // Lines, as a server sends them or not, and no line at all.
    imap_name(&["--decode"], b"&AOk-\r\n&AOg-").quietly_gives("é\nè\n");
    imap_name(&["--encode"], "é\nè\n".as_bytes()).quietly_gives("&AOk-\n&AOg-\n");
    imap_name(&[], b"").quietly_gives("");
    // A line end in a name does not end a line of the output.
    imap_name(&["a&AAo-b"], b"").quietly_gives("a\\nb\n");
}

#[test]
fn wrong_spellings() {
    let run = imap_name(&["a&", "&AGE-"], b"");
    assert_eq!((run.status, run.text()), (1, "a&\na\n"));
    for part in [
        "error: a&: byte 1: 26: incomplete sequence at the end of the input\n  |\n1 | a&\n  |  ^\n  |\n",
        "  = note: RFC 3501 §5.1.3: '&'",
        "  = help: means \"a&\"; the canonical spelling is a&-\n",
        "&AGE-: byte 1: 41 47 45: US-ASCII inside a shifted run, bit 0 of its group of eight digits",
        "\n2 | &AGE-\n  |  ^^^\n",
        "  = help: means \"a\"; the canonical spelling is a\n",
    ] {
        assert!(run.stderr.contains(part), "{run:?}");
    }
    let run = imap_name(&["--check", "INBOX", "&IKw-&IKw-", "&2AA-"], b"");
    assert_eq!((run.status, run.stderr.as_str()), (1, ""));
    let lines: Vec<_> = run.text().lines().collect();
    assert_eq!(lines[0], "INBOX: canonical");
    assert!(lines[1].starts_with("&IKw-&IKw-: byte 5: 26: shifted run directly after another ("));
    assert_eq!(lines[2], "&IKw-&IKw-: means \"€€\"; the canonical spelling is &IKwgrA-");
    assert!(lines[3].starts_with("&2AA-: byte 1: 32 41 41: unpaired high surrogate"));
    assert_eq!(
        lines[4..],
        ["&2AA-: has no canonical spelling", "total: 3 names, 2 not canonical, 0 collisions"]
    );
    imap_name(&["--check", "a", "b"], b"").quietly_gives(
        "a: canonical\nb: canonical\ntotal: 2 names, 0 not canonical, 0 collisions\n",
    );
}

#[test]
fn collisions() {
    let run =
        imap_name(&["--check"], b"INBOX\ninbox\nEntw&APw-rfe\nEntw\xC3\xBCrfe\nEntw\xFCrfe\n");
    assert_eq!(run.status, 1);
    let collisions: Vec<_> = run.text().lines().filter(|l| l.starts_with("collision")).collect();
    assert_eq!(
        collisions,
        [
            "collision: INBOX, inbox all mean \"INBOX\"",
            "collision: Entw&APw-rfe, Entwürfe, Entw\u{FFFD}rfe all mean \"Entwürfe\"",
        ]
    );
    assert!(run.text().ends_with("total: 5 names, 2 not canonical, 2 collisions\n"));
    // Two spellings that are both right.
    let run = imap_name(&["INBOX", "inbox"], b"");
    assert_eq!((run.status, run.text()), (1, "INBOX\ninbox\n"));
    assert!(run.stderr.contains("collision: "), "{run:?}");
}

#[test]
fn json_lines() {
    let run = imap_name(&["--check", "--format", "json", "&AOl-", "&AOk-"], b"");
    assert_eq!(run.status, 1);
    let objects: Vec<Value> =
        run.text().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let problem = json!({
        "offset": 3, "length": 1, "hex": "6C", "kind": "non-zero-padding",
        "message": "non-zero padding bits in a shifted run",
        "clause": "RFC 2152 rule 2: bits that are discarded must be zero", "run_bit": 16,
    });
    assert_eq!(
        objects,
        [
            json!({
                "version": 2, "type": "name", "name": "&AOl-", "hex": "26 41 4F 6C 2D", "text": "é",
                "canonical": "&AOk-", "problems": [problem],
            }),
            json!({
                "version": 2, "type": "name", "name": "&AOk-", "hex": "26 41 4F 6B 2D", "text": "é",
                "canonical": "&AOk-", "problems": [],
            }),
            json!({"version": 2, "type": "collision", "text": "é", "names": ["&AOk-", "&AOl-"]}),
            json!({
                "version": 2, "type": "summary", "names": 2, "not_canonical": 1, "collisions": 1,
                "exit_status": 1,
            }),
        ]
    );
    imap_name(&["--encode", "--format", "json", "é"], b"").quietly_gives(
        "{\"version\":2,\"type\":\"spelling\",\"text\":\"é\",\"canonical\":\"&AOk-\"}\n",
    );
}

#[test]
fn usage() {
    utfall("imap-name --encode --check x", "").fails(2, &["--encode", "--check"]);
    let run = imap_name(&["--encode"], b"ok\n\xFF\n");
    assert_eq!((run.status, run.text()), (1, "ok\n"));
    assert!(run.stderr.contains("not UTF-8"), "{run:?}");
}

/// The name stood before each of its problems: 64 MB were written for a name of 16 KB.
#[test]
fn a_long_name_full_of_problems_is_not_told_again_for_each() {
    let name = "&AA/".repeat(1000);
    let output = program().args(["imap-name", "--check", &name]).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(output.stdout.len() < 1_000_000, "{} bytes", output.stdout.len());
}

/// 64 KiB of NUL were told in 103 MB of messages, and each of a million names took a message.
#[test]
fn messages_are_bounded() {
    let run = imap_name(&[], &[0; 64 << 10]);
    assert_eq!((run.status, run.text().len()), (1, (64 << 10) * "\\u{0}".len() + 1));
    assert!(run.stderr.len() < 64 << 10, "{} bytes", run.stderr.len());
    assert_eq!(run.stderr.matches("control").count(), 16);
    run.fails(1, &["…: and 65520 more problems\n", "…\"; the canonical spelling is &AAAAAAAA"]);
    let run = imap_name(&["--check"], &[0; 4 << 10]);
    assert!(run.stdout.len() < 64 << 10, "{} bytes", run.stdout.len());
    assert!(run.text().contains("…: and 4080 more problems\n"), "{run:?}");
    let run = imap_name(&["--format", "json"], &[0; 4 << 10]);
    let name: Value = serde_json::from_str(run.text().lines().next().unwrap()).unwrap();
    assert_eq!(
        (name["problems"].as_array().unwrap().len(), &name["more_problems"]),
        (16, &json!(4080))
    );

    let run = imap_name(&[], &b"\0\n&\n".repeat(1000));
    assert_eq!((run.status, run.text().lines().count()), (1, 2000));
    assert!(
        run.stderr
            .ends_with("error: 1000 more names are not canonical; --check reports all of them\n")
    );
    assert!(run.stderr.len() < 400_000, "{} bytes", run.stderr.len());
    let run = imap_name(&["--check"], &b"\0\n&\n".repeat(1000));
    assert!(run.text().ends_with("total: 2000 names, 2000 not canonical, 0 collisions\n"));
}

/// A line without an end once took all available memory.
#[test]
fn names_that_are_too_long() {
    let list =
        [&[b'a'; 64 << 10][..], b"\n", &[b'b'; (64 << 10) + 1], b"\r\nc\n", &vec![b'd'; 1 << 20]];
    let run = imap_name(&[], &list.concat());
    assert_eq!((run.status, run.text().len()), (1, (64 << 10) + 1 + 2));
    assert_eq!(
        run.stderr,
        "error: name 2 is longer than 64 KiB; skipped\n\
         error: name 4 is longer than 64 KiB; skipped\n",
    );
    let run = imap_name(&["--check", "--format", "json"], &list.concat());
    assert!(
        run.text().contains("\n{\"version\":2,\"type\":\"too_long\",\"number\":4}\n"),
        "{}",
        &run.text()[200_000..]
    );
    assert_eq!(imap_name(&["--encode"], &list.concat()).status, 1);
}
