//! `utfall convert --newline`, `--nfc` and `--nfd`.

use crate::common::{self, Folder, utfall};

#[test]
fn line_ends() {
    let text = "a\r\nb\rc\n\u{2028}\r";
    utfall("convert -f UTF-8 -t UTF-8 --newline lf", text).quietly_gives("a\nb\nc\n\u{2028}\n");
    let crlf = "a\r\nb\r\nc\r\n\u{2028}\r\n";
    utfall("convert -f UTF-8 -t UTF-8 --newline crlf", text).quietly_gives(crlf);
    utfall("convert -f UTF-8 -t UTF-8 --newline keep", text).quietly_gives(text);
    let cr = "a\rb\rc\r\u{2028}\r";
    utfall("convert -f UTF-8 -t UTF-8 --newline cr", text).quietly_gives(cr);
    utfall("convert -f UTF-8 -t UTF-8 --newline nel", text).fails(2, &["nel"]);
}

#[test]
fn normalization() {
    let flags = "convert -f UTF-8 -t ISO-8859-1";
    utfall(&format!("{flags} --nfc"), "re\u{301}sume\u{301}").quietly_gives(b"r\xE9sum\xE9");
    utfall("convert -f ISO-8859-1 -t UTF-8 --nfd", b"\xE9\n").quietly_gives("e\u{301}\n");
    utfall("convert -f UTF-8 -t UTF-16 --nfc --newline crlf", "e\u{301}\n")
        .quietly_gives(b"\xFE\xFF\0\xE9\0\r\0\n");
    utfall(&format!("{flags} --nfc --nfd"), "").fails(2, &["--nfc", "--nfd"]);
    utfall("convert -f UTF-8 -t US-ASCII --nfd --on-error skip -q", "été").quietly_gives("ete");
}

#[test]
fn places_are_those_of_the_input() {
    utfall("convert -f UTF-8 -t ISO-8859-1 --nfd", "a\r\n..é.").fails(
        3,
        &["line 2, column 3 (byte 5): C3 A9: U+0301 cannot be encoded in ISO-8859-1", "..é."],
    );
    let run = utfall("convert -f UTF-8 -t UTF-16LE --newline lf", b"a\r\nb\xFF\r\n");
    run.fails(1, &["line 2, column 2 (byte 4): FF: byte that never appears"]);
    assert_eq!(run.stdout, b"a\0\n\0b\0");
    let marks = "\u{301}".repeat(100_000);
    utfall("convert -f UTF-8 -t UTF-8 --nfc", format!("one\ntwo{marks}"))
        .fails(1, &["line 2, column 3 (byte 6): ", "too long to be normalized"]);
}

#[test]
fn several_files_are_one_text() {
    let folder =
        Folder::with([("a", b"\xEF\xBB\xBFe"), ("b", b"\xFE\xFF\x03\x01\0\r"), ("c", b"\n")]);
    folder.utfall("convert -t UTF-8 --nfc a b", "").quietly_gives("é\r");
    folder.utfall("convert -f UTF-8 -t UTF-16BE --newline lf c c", "").quietly_gives(b"\0\n\0\n");
    let run = folder.utfall("convert -t US-ASCII --nfc a b", "");
    run.fails(3, &["a: line 1, column 1 (byte 3): 65: U+00E9 \"é\" cannot be encoded"]);
    std::fs::write(folder.path("cr"), "x\r").unwrap();
    folder
        .utfall("convert -f UTF-8 -t UTF-8 --newline crlf cr c cr", "")
        .quietly_gives("x\r\nx\r\n");
}

#[test]
fn a_large_file_on_several_threads() {
    let folder = Folder::new();
    let line = "a line with e\u{301} and e\u{308}, and its end\r\n";
    let mut text = line.repeat(300_000);
    std::fs::write(folder.path("large"), &text).unwrap();
    let flags = "convert -f UTF-8 -t ISO-8859-1 --nfc --newline lf --threads";
    let expected = b"a line with \xE9 and \xEB, and its end\n".repeat(300_000);
    for threads in [1, 3] {
        let run = folder.utfall(&format!("{flags} {threads} large"), "");
        assert!(run.status == 0 && run.stdout == expected, "{}", run.stderr);
    }
    text.push_str("e\u{304}");
    std::fs::write(folder.path("large"), &text).unwrap();
    let offset = text.len() - 3;
    for threads in [1, 3] {
        let run = folder.utfall(&format!("{flags} {threads} large"), "");
        let place = format!("large: line 300001, column 1 (byte {offset}): 65 CC 84: U+0113");
        run.fails(3, &[&place]);
        assert!(run.stdout == expected);
    }
}

#[test]
fn files_in_place() {
    let folder =
        Folder::with([("a", b"e\xCC\x81\r\n"), ("b", b"plain\n"), ("c", "é\n".as_bytes())]);
    let state = tempfile::tempdir().unwrap();
    let utfall = |args: &str| {
        let mut command = folder.command();
        command.env("UTFALL_STATE_DIR", state.path());
        common::run(command.args(args.split_whitespace()), "")
    };
    let flags = "convert -t UTF-8 --newline lf --nfc --in-place";
    for _ in 0..2 {
        let run = utfall(&format!("{flags} a b c"));
        assert_eq!(run.status, 0, "{run:?}");
        assert_eq!((folder.read("a"), folder.read("b")), ("é\n".into(), b"plain\n".to_vec()));
    }
    // The result of a run has its encoding whatever -f says, but may need another change.
    std::fs::write(folder.path("l"), b"\xE9\r\n").unwrap();
    for (change, expected) in [("", "é\r\n"), ("--newline lf", "é\n"), ("--nfd", "e\u{301}\n")] {
        let run = utfall(&format!("convert -f ISO-8859-1 -t UTF-8 {change} --in-place l"));
        assert_eq!((run.status, folder.read("l")), (0, expected.into()), "{run:?}");
    }
}
