//! An argument that is a file, or a text: the rule that `explain` and `repair` share.

use crate::common::{Folder, Run, run};

/// Runs a subcommand with one argument more, which may have spaces.
fn with(folder: &Folder, args: &str, argument: &str) -> Run {
    let mut command = folder.command();
    // Names do not continue on another line there.
    command.env("COLUMNS", "200");
    run(command.args(args.split_whitespace()).arg(argument), "")
}

#[test]
fn repair_takes_a_text() {
    let folder = Folder::new();
    with(&folder, "repair -q", "cafÃ©").quietly_gives("café\n");
    with(&folder, "repair -q", "I said itâ€™s fine").quietly_gives("I said it’s fine\n");
    // Text that is valid, or may be, stays.
    with(&folder, "repair -q", "café").quietly_gives("café\n");
    with(&folder, "repair -q", "plain and fine").quietly_gives("plain and fine\n");
    with(&folder, "repair -q", "naÃ¯ve\n").quietly_gives("naïve\n");
    let run = with(&folder, "repair --dry-run", "cafÃ©");
    assert_eq!(run.status, 1, "{run:?}");
    assert!(run.text().starts_with("the argument \"cafÃ©\": line 1 (byte 3): \"Ã©\" -> \"é\""));
    with(&folder, "repair -q -o out", "cafÃ©").quietly_gives("");
    assert_eq!(folder.read("out"), "café\n".as_bytes());
    // A file of that name is one.
    std::fs::write(folder.path("cafÃ©"), "naÃ¯ve").unwrap();
    with(&folder, "repair -q", "cafÃ©").quietly_gives("naïve");
    with(&folder, "repair -q --text", "cafÃ©").quietly_gives("café\n");
    // A text is not replaced.
    with(&folder, "repair --in-place", "thÃ©").fails(4, &["thÃ©"]);
    with(&folder, "repair --in-place --text", "thÃ©").fails(2, &["--text"]);
}

/// As with `grep -e` and `sed -e`: whatever it looks like, and more than once.
#[test]
fn an_option_takes_a_text() {
    let folder = Folder::with([("here.txt", b"in the file".as_slice())]);
    with(&folder, "repair -q -e", "missing.txt").quietly_gives("missing.txt\n");
    with(&folder, "repair -q -e", "here.txt").quietly_gives("here.txt\n");
    with(&folder, "repair -q -e", "--cafÃ©").quietly_gives("--café\n");
    with(&folder, "repair -q -e cafÃ© -e", "thÃ©").quietly_gives("café\nthé\n");
    // Files follow.
    with(&folder, "repair -q -e cafÃ©", "here.txt").quietly_gives("café\nin the file");
    let run = with(&folder, "repair --dry-run -e cafÃ© -e", "thÃ©");
    assert!(run.status == 1 && run.text().ends_with("2 changes in 2 files\n"), "{run:?}");
    with(&folder, "repair --in-place -e", "thÃ©").fails(2, &["-e <TEXT>"]);

    let run = with(&folder, "explain -e é -e", "-x.txt");
    assert_eq!((run.status, &*run.stderr), (0, ""), "{run:?}");
    assert!(run.text().contains("LATIN SMALL LETTER E WITH ACUTE"), "{run:?}");
    assert!(run.text().contains("HYPHEN-MINUS"), "{run:?}");
    let run = with(&folder, "explain -e", "here.txt");
    assert!(run.text().ends_with("8 bytes, 0 problems\n"), "{run:?}");
    let run = with(&folder, "explain -e here.txt", "here.txt");
    assert!(run.text().ends_with("here.txt: 11 bytes, 0 problems\n"), "{run:?}");
    with(&folder, "explain --hex -e", "C3").fails(2, &["-e <TEXT>"]);
}

/// It was repaired, or explained, as if it were the text.
#[test]
fn a_missing_file_is_no_text() {
    let folder = Folder::new();
    for name in ["missing.txt", "no/such", "cafÃ©/thÃ©", "missing.t7z"] {
        for verb in ["explain", "repair"] {
            let run = with(&folder, verb, name);
            run.fails(
                4,
                &[&format!("no such file: {name}"), &format!("to {verb} the text"), "--text "],
            );
            assert_eq!(run.stdout, b"", "{run:?}");
            assert_eq!(with(&folder, &format!("{verb} --text"), name).status, 0);
        }
    }
    // There is nothing to repair in it, but something to explain.
    with(&folder, "repair", "missing").fails(4, &["no such file: missing"]);
    for text in ["missing", "é.txt", "a file.txt", "A+ImIDkQ.", "10."] {
        let run = with(&folder, "explain", text);
        assert_eq!((run.status, &*run.stderr), (0, ""), "{run:?}");
    }
    let run = with(&folder, "explain --format json", "missing.txt");
    assert_eq!(run.status, 4, "{run:?}");
    assert!(run.text().contains("\"error\":\"no such file\""), "{run:?}");
    // The other is explained.
    let run = with(&folder, "explain missing", "missing.txt");
    assert!(run.status == 4 && run.text().contains("LATIN SMALL LETTER M"), "{run:?}");
}

#[test]
fn a_lone_encoded_word_is_decoded() {
    let folder = Folder::new();
    for (word, name) in [
        ("=?UTF-8?Q?caf=C3=A9?=", "LATIN SMALL LETTER E WITH ACUTE"),
        // A solidus in it, as in the name of a file.
        ("=?utf-8?B?4piA/yE=?=", "BLACK SUN WITH RAYS"),
        ("=?ISO-8859-1?Q?=E9?= =?UTF-7?Q?+Jjo-?=", "WHITE SMILING FACE"),
    ] {
        let run = with(&folder, "explain", word);
        assert!(run.text().contains(name), "{run:?}");
        assert!(run.stderr.contains("decoded as with --mail"), "{run:?}");
        let run = with(&folder, "explain -f UTF-8 --text", word);
        assert!(!run.text().contains(name) && run.stderr.is_empty(), "{run:?}");
    }
    let run = with(&folder, "explain --format json", "=?UTF-8?Q?caf=C3=A9?=");
    assert!(
        run.text().contains("\"place\":\"encoded-word\",\"offset\":0,\"length\":21"),
        "{run:?}"
    );
    // Not alone.
    let run = with(&folder, "explain", "=?UTF-8?Q?=C3=A9?= or =?UTF-8?Q?=C3=A9?=");
    assert!(!run.text().contains("ACUTE") && run.stderr.is_empty(), "{run:?}");
}

#[test]
fn a_lone_shifted_run_is_decoded() {
    let folder = Folder::new();
    for (text, name) in [("+ZeVnLIqe-", "IDEOGRAPH-8A9E"), ("+AC8/Lw-", "SOLIDUS")] {
        let run = with(&folder, "explain", text);
        assert!(run.text().contains(name) && run.text().contains(": UTF-7\n"), "{run:?}");
        assert!(run.stderr.contains("decoded as with -f UTF-7"), "{run:?}");
        let run = with(&folder, "explain --text -f UTF-8", text);
        assert!(!run.text().contains("IDEOGRAPH") && run.stderr.is_empty(), "{run:?}");
    }
    // A number, an ampersand of UTF-7, text that is not a run, and text with more than a run.
    for text in ["+15551234", "+-", "+a-", "+AGE-+AGE-", "A+AGE-"] {
        let run = with(&folder, "explain", text);
        assert!(run.text().contains(": UTF-8\n") && run.stderr.is_empty(), "{run:?}");
    }
}
