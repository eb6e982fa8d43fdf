//! Messages and help in plain English: the words that `cargo xtask voice` looks for are not in them.

use crate::common::{self, Folder, commands, utfall};

/// Words and phrases that help and messages replace by *byte*, *invalid*, *skipped*, *restored*, ….
const REPLACED: [&str; 11] = [
    "old text",
    "left alone",
    "put back",
    "puts back",
    "right already",
    "memo ",
    "memos",
    "all the same",
    "is said on",
    "are wanted",
    "mended",
];

#[test]
fn help_is_in_plain_english() {
    for command in [vec![String::new()], commands("")].concat() {
        for flag in ["-h", "--help"] {
            let help = utfall(&format!("{command} {flag}"), "");
            let text = help.text().split_whitespace().collect::<Vec<_>>().join(" ");
            for phrase in REPLACED {
                assert!(!text.contains(phrase), "`{command} {flag}` has {phrase:?}: {text}");
            }
            // `bytes` is a field in JSON, `byte` a word that users need not know.
            let mut words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
            assert!(!words.any(|word| word == "octet"), "`{command} {flag}`: {text}");
        }
    }
}

#[test]
fn reports_of_trees_say_what_was_done() {
    let folder = Folder::with([
        ("ascii", b"plain\n"),
        ("binary", b"\0\x01\x02\0"),
        ("latin", b"caf\xE9\n"),
        ("utf16", b"\xFF\xFEa\0\n\0"),
    ]);
    let run = folder.utfall("convert -t UTF-8 --in-place --verbose .", "");
    let text = common::slashes(run.text());
    for line in [
        "./ascii: unchanged: UTF-8 (valid)\n",
        "./binary: skipped: binary\n",
        "./latin: skipped: cannot tell the encoding; best guess: ",
        "./utf16: converted: UTF-16LE to UTF-8 (by its BOM)\n",
        "total: 4 files, 1 converted, 1 unchanged, 1 binary, 1 of unknown encoding\n",
        "; to revert: utfall undo 1; ",
    ] {
        assert!(text.contains(line), "{line:?} is not in {run:?}");
    }
    folder.utfall("undo", "").gives("run 1: 1 file restored\n");
}

#[test]
fn errors_say_what_was_expected() {
    let folder = Folder::with([("list", b"a latin1\n"), ("a", b"caf\xE9\n")]);
    for (args, said) in [
        ("convert -t UTF-8 --in-place -", "--in-place cannot be used with standard input"),
        ("repair --in-place -", "--in-place cannot be used with standard input"),
        ("convert -t UTF-8 --in-place", "no FILE given"),
        ("convert -t UTF-8 --manifest list -n", "list:1: expected PATH, a tab and ENCODING"),
        ("undo 7", "no run 7 to undo"),
        ("explain --hex xyz", "invalid hex input \"xyz\": expected bytes such as `2F C0 AE`"),
        ("explain --range 5..2 a", "the end is before the start"),
        ("explain --range 5 a", "expected A..B"),
        ("repair --min-confidence 2 a", "expected a number from 0.5 to 1"),
        ("mail --to UTF-7-IMAP a", "UTF-7-IMAP cannot be the charset of mail"),
    ] {
        folder.utfall(args, "").fails(2, &[said]);
    }
    let run = folder.utfall("convert -f UTF-8 -t UTF-16 a", "");
    run.fails(1, &["a: line 1, column 4 (byte 3): E9: "]);
}
