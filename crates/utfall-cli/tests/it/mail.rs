//! `utfall mail`: the examples of the UTF-7 RFC as messages, mboxes, and reports.

use std::fs;

use crate::common::{Folder, Run, repository, utfall};
use utfall::Encoding;

fn example(name: &str) -> Vec<u8> {
    fs::read(repository(&format!("examples/mail/{name}.eml"))).unwrap()
}

fn body(bytes: &[u8]) -> &[u8] {
    let end = bytes.windows(2).position(|two| two == b"\n\n").unwrap();
    &bytes[end + 2..]
}

/// Its only line on standard error.
#[track_caller]
fn says(run: &Run, expected: &str) {
    assert_eq!((run.status, run.stderr.trim_end()), (0, expected), "{run:?}");
}

const EXAMPLES: [(&str, &str, &str); 5] = [
    ("hi-mom", "Hi Mom ☺!", "Hi Mom ☺!\n"),
    ("nihongo", "日本語", "日本語\n"),
    ("not-identical", "A≢Α.", "A≢Α.\n"),
    ("pound", "Item 3 is £1.", "Item 3 is £1.\n"),
    ("dashes", "Hi Mom -☺-!", "Hi Mom -☺-!\n"),
];

/// Every worked example, and the four MIME bodies of the RFC: as text, in UTF-8, and back.
#[test]
fn worked_examples() {
    for (name, subject, text) in EXAMPLES {
        let run = utfall("mail --extract", example(name));
        assert!(run.text().contains(&format!("\nSubject: {subject}\n")), "{run:?}");
        assert_eq!(body(&run.stdout), text.as_bytes());
        says(&run, "note: 1 message: 1 text decoded; 1 header field decoded");

        let utf8 = utfall("mail --body 8bit", example(name));
        says(&utf8, "note: 1 message: 1 text converted; 1 header field converted");
        assert_eq!(body(&utf8.stdout), text.as_bytes());
        assert!(utf8.text().contains("charset=UTF-8\n"), "{utf8:?}");
        assert!(utf8.text().contains("Content-Transfer-Encoding: 8bit\n"), "{utf8:?}");

        let back = utfall("mail --to UTF-7", &utf8.stdout);
        says(&back, "note: 1 message: 1 text converted; 1 header field converted");
        // The writer closes every run; the RFC omits this once.
        let expected = String::from_utf8(example(name)).unwrap().replace("A+ImIDkQ.", "A+ImIDkQ-.");
        assert_eq!(body(&back.stdout), body(expected.as_bytes()));
        assert!(back.text().contains("Content-Transfer-Encoding: 7bit\n"), "{back:?}");
        let again = utfall("mail --extract -q", &back.stdout);
        assert_eq!(body(&again.stdout), text.as_bytes());
    }
}

/// The Analects in both forms, byte for byte as in the RFC after a round trip through UTF-8.
#[test]
fn analects() {
    let text = Encoding::Utf7
        .decode(&fs::read(repository("examples/analects.utf7")).unwrap())
        .unwrap()
        .into_owned();
    for name in ["analects", "analects-header-safe"] {
        let run = utfall("mail --extract -q", example(name));
        assert_eq!(body(&run.stdout), text.as_bytes());
        assert!(run.text().contains("Subject: Analects (論語)\n"));
        let utf8 = utfall("mail", example(name));
        let back = utfall("mail --to utf-7", &utf8.stdout);
        // Set O is written directly.
        assert_eq!(body(&back.stdout), body(&example("analects")), "{name}");
    }
    // Nothing to do.
    let run = utfall("mail --to UTF-7", example("analects"));
    assert_eq!(run.stdout, example("analects"));
    says(
        &run,
        "note: 1 message: 0 texts converted, 1 already in the charset; 0 header fields converted, 1 already in the charset",
    );
}

/// U7-13: the multipart alternative says the same.
#[test]
fn multipart_alternative() {
    let run = utfall("mail --extract -q", example("multipart"));
    assert_eq!(body(&run.stdout), "Hi Mom\n☺\n!\n".as_bytes());
    let run = utfall("mail --to UTF-7", example("multipart"));
    let expected = String::from_utf8(example("multipart")).unwrap();
    let expected =
        expected.replace("UNICODE-2-0", "UTF-7").replace("base64", "7bit").replace("Jjo=", "+Jjo-");
    run.gives(expected);
    says(
        &run,
        "note: 1 message: 1 text converted, 2 already in the charset; 0 header fields converted",
    );
}

/// U8-12: Hangul from before Amendment 5, both ways.
#[test]
fn hangul_of_unicode_1_1() {
    let utf8 = "Subject: =?UTF-8?Q?=ED=95=9C=EA=B5=AD?=\nContent-Type: text/plain; charset=UTF-8\n\n한국어\n";
    let old = utfall("mail --to UNICODE-1-1-UTF-8 --body 8bit", utf8);
    assert_eq!(body(&old.stdout), &*Encoding::Unicode11Utf8.encode("한국어\n").unwrap());
    let shown = String::from_utf8_lossy(&old.stdout).into_owned();
    assert!(
        shown.contains("charset=UNICODE-1-1-UTF-8\n") && shown.contains("=?UNICODE-1-1-UTF-8?"),
        "{shown}"
    );
    let back = utfall("mail --body 8bit", &old.stdout);
    assert_eq!(body(&back.stdout), "한국어\n".as_bytes());
    assert!(utfall("mail --extract", &old.stdout).text().starts_with("Subject: 한국\n"));
    // A syllable that Unicode 1.1 lacked.
    let new = "Content-Type: text/plain; charset=UTF-8\nContent-Transfer-Encoding: 8bit\n\n뷁\n";
    if Encoding::Unicode11Utf8.encode("뷁").is_err() {
        let run = utfall("mail --to UNICODE-1-1-UTF-8", new);
        assert_eq!(run.text(), new);
        run.fails(
            1,
            &["note: 1 message: 0 texts converted, 1 skipped (1 with characters the charset lacks); 0 header fields converted"],
        );
    }
    // In UTF-7 too.
    let seven = utfall("mail --to unicode-1-1-utf-7", utf8);
    assert_eq!(body(&utfall("mail --extract -q", &seven.stdout).stdout), "한국어\n".as_bytes());
}

#[test]
fn mbox() {
    let mut mbox = Vec::new();
    for (index, (name, _, _)) in EXAMPLES.iter().enumerate() {
        mbox.extend(
            format!("From goldsmith@apple.com Tue Mar 11 00:00:0{index} 1997\n").into_bytes(),
        );
        mbox.extend(example(name));
        mbox.extend(b"\n>From here on\n\n");
    }
    let folder = Folder::with([("in.mbox", &mbox[..])]);
    let run = folder.utfall("mail --body 8bit -o out.mbox in.mbox", "");
    run.gives("");
    says(&run, "note: 5 messages: 5 texts converted; 5 header fields converted");
    let out = String::from_utf8(folder.read("out.mbox")).unwrap();
    // The writer leaves no line that an mbox would have to quote.
    assert_eq!(out.matches("\nFrom goldsmith@apple.com Tue").count() + 1, 5);
    assert_eq!(
        out.matches("From=20here").count() + out.matches("=46rom here on").count(),
        5,
        "{out}"
    );
    let texts = folder.utfall("mail --extract -q out.mbox", "");
    assert_eq!(texts.text().matches("\nFrom here on\n").count(), 5, "{texts:?}");
    let before = folder.utfall("mail --extract -q in.mbox", "");
    assert_eq!(before.text().matches("\nFrom here on\n").count(), 5, "{before:?}");
    // Line ends of all kinds, and streams.
    let crlf = String::from_utf8(mbox.clone()).unwrap().replace('\n', "\r\n");
    let run = utfall("mail --to UTF-7", &crlf);
    assert_eq!(run.stdout.escape_ascii().to_string(), crlf.as_bytes().escape_ascii().to_string());
    // An mbox that needs no conversion stays byte for byte.
    let strange = "From a\nContent-Type: text/plain; charset=x\n\n\u{e9}\nFrom inside\n\n\n>>From x\n\nFrom b\n\nc\n\n\n";
    let run = utfall("mail", strange);
    assert_eq!(run.text(), strange);
    run.fails(1, &["1 skipped (1 in an unknown charset)"]);
}

#[test]
fn signed_messages_are_left_alone() {
    let dkim = "DKIM-Signature: v=1\nSubject: =?utf-7?q?+Jjo-?=\nContent-Type: text/plain; charset=utf-7\n\n+Jjo-\n";
    let run = utfall("mail", dkim);
    assert_eq!(run.text(), dkim);
    run.fails(1, &["1 skipped (1 signed)", "signed messages were skipped; --force"]);
    let run = utfall("mail --force --body 8bit", dkim);
    assert_eq!(body(&run.stdout), "☺\n".as_bytes());
}

#[test]
fn guesses_are_said() {
    let src = b"Subject: caf\xE9\nContent-Type: text/plain; charset=x-unknown\n\nna\xEFve\n";
    let run = utfall("mail", src);
    says(
        &run,
        "note: 1 message: 1 text converted (1 from a guessed charset); 1 header field converted (1 from a guessed charset)",
    );
    let run = utfall("mail --extract", src);
    assert_eq!(
        run.text(),
        "Subject: café\nContent-Type: text/plain; charset=\"x-unknown\"\n\n[text/plain: guessed to be windows-1252]\nnaïve\n"
    );
}

#[test]
fn what_cannot_be_shown_is_named() {
    let src = "Subject: =?utf-8?q?a=0Ab=1B[31m?=\nContent-Type: multipart/mixed; boundary=a\n\n\
        --a\nContent-Type: image/png\n\nPNG\n--a\nContent-Type: text/plain; charset=klingon\n\nx\n\
        --a\nContent-Disposition: attachment\n\ny\n--a--\n";
    let run = utfall("mail --extract -q", src);
    run.quietly_gives(
        "Subject: a\\nb\\u{1b}[31m\nContent-Type: multipart/mixed; boundary=\"a\"\n\n\
         [image/png: 3 bytes, not text]\n[text/plain: 1 byte, in an unknown charset]\n\
         [text/plain: 1 byte, an attachment]\n",
    );
}

#[test]
fn lines_that_are_too_long() {
    let text = "日本語のとても長い行です。".repeat(40);
    let src = format!(
        "Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n{text}\n"
    );
    // Never broken unasked: quoted-printable can carry them.
    let run = utfall("mail -q --to UTF-7", &src);
    assert!(
        run.text().contains("quoted-printable") && run.text().lines().all(|line| line.len() <= 76)
    );
    assert_eq!(
        body(&utfall("mail -q --extract", &run.stdout).stdout),
        format!("{text}\n").as_bytes()
    );
    let run = utfall("mail -q --to UTF-7 --wrap", &src);
    assert!(run.text().contains("7bit") && run.text().lines().all(|line| line.len() <= 76));
    let read = utfall("mail -q --extract", &run.stdout);
    assert_eq!(String::from_utf8_lossy(body(&read.stdout)).replace('\n', ""), text);
}

#[test]
fn usage() {
    utfall("mail --to UTF-88", "").fails(2, &["unknown encoding \"UTF-88\""]);
    utfall("mail --to UTF-7-IMAP", "").fails(2, &["cannot be the charset of mail"]);
    utfall("mail --extract --to UTF-7", "").fails(2, &["--extract"]);
    utfall("mail --body 9bit", "").fails(2, &["7bit"]);
    let folder = Folder::with([("in.eml", b"\n\xE9\n")]);
    folder.utfall("mail nothing.eml", "").fails(4, &["cannot open nothing.eml"]);
    folder.utfall("mail -o in.eml in.eml", "").fails(2, &["--overwrite-input"]);
    assert_eq!(folder.read("in.eml"), b"\n\xE9\n");
    folder.utfall("mail --body 8bit --overwrite-input -o in.eml in.eml", "").gives("");
    assert!(folder.read("in.eml").ends_with("\n\né\n".as_bytes()));
    folder.utfall("mail -o no/such/folder in.eml", "").fails(4, &["cannot write"]);
    assert_eq!(folder.names(), ["in.eml"]);
}

/// Text that two readers would read differently, and text that one of them would see as signed,
/// stays.
/// In the first, which is `multipart/mixed` to those who take the first field, both texts were
/// converted, and the signature was broken for the others.
#[test]
fn contradictory_structures_are_left_alone() {
    let text = "Content-Type: text/plain; charset=utf-7\n\n+Jjo-\n";
    let parts = format!("\n--a\n{text}--a\nContent-Type: application/pgp-signature\n\nx\n--a--\n");
    let mixed = "Content-Type: multipart/mixed; boundary=a\n";
    let signed =
        "Content-Type: multipart/signed; boundary=a; protocol=\"application/pgp-signature\"\n";
    let ambiguous = "1 text (1 labelled ambiguously)";
    for (header, reason) in [
        (format!("{mixed}{signed}"), "1 text (1 signed)"),
        (format!("{signed}{mixed}"), "1 text (1 signed)"),
        (format!("{mixed}Content-Type: MULTIPART/\n Signed; boundary=a\n"), "1 text (1 signed)"),
        (format!("{mixed}Content-Type: multipart (x) / (y) signed\n"), "1 text (1 signed)"),
        ("Content-Type: multipart/mixed; multipart/signed; boundary=a\n".into(), "(1 signed)"),
        ("Content-Type: multipart/encrypted; boundary=a\n".into(), "1 text (1 encrypted)"),
        (format!("{mixed}Content-Type: multipart/mixed; boundary=b\n"), ambiguous),
        (format!("Content-Type: text/html\n{mixed}"), ""),
        (format!("{mixed}Content-Type: text/html\n"), ambiguous),
        ("Content-Type: multipart/mixed; boundary=a; boundary=b\n".into(), ambiguous),
        ("Content-Type: multipart/mixed; boundary=a; boundary*=''b\n".into(), ""),
        ("Content-Type: multipart/mixed; boundary*0=a; boundary*1=\n".into(), ambiguous),
        (
            format!("{mixed}Content-Transfer-Encoding: 8bit\nContent-Transfer-Encoding: base64\n"),
            ambiguous,
        ),
        (format!("{mixed}Content-Transfer-Encoding: base64\n"), ambiguous),
        (format!("{mixed}Content-Disposition: inline\nContent-Disposition: attachment\n"), ""),
    ] {
        let src = format!("Subject: =?utf-7?q?+Jjo-?=\n{header}{parts}");
        let run = utfall("mail --to UTF-8", &src);
        assert_eq!(run.text(), src, "{run:?}");
        if !header.contains("Disposition") {
            run.fails(1, &["nothing was converted; skipped: ", reason, "1 header field (1 "]);
        }
        // In a message that is all right, only this part stays.
        let around = format!(
            "Subject: =?utf-7?q?+Jjo-?=\nContent-Type: multipart/mixed; boundary=out\n\n--out\n{text}--out\n{src}\n--out--\n"
        );
        let run = utfall("mail --to UTF-8 --body 8bit", &around);
        assert!(run.text().contains(&src) && run.text().contains("\n☺\n--out\n"), "{run:?}");
        assert!(run.text().starts_with("Subject: =?UTF-8?Q?=E2=98=BA?=\n"), "{run:?}");
    }
    // A boundary within parts of the same boundary.
    let nested = format!("{mixed}\n--a\n{mixed}\n--a\n{text}--a--\n--a--\n");
    let run = utfall("mail", &nested);
    assert_eq!(run.text(), nested);
    run.fails(1, &[ambiguous]);
    // With --force signed ones are changed, ambiguous and encrypted ones are not.
    let src = format!("{mixed}{signed}{parts}");
    let run = utfall("mail --force", &src);
    assert_eq!(run.text(), src);
    run.fails(1, &[ambiguous]);
    let src = format!("{signed}{parts}");
    assert!(utfall("mail --force --body 8bit", &src).text().contains("\n☺\n"));
}

/// The status says whether the request was fulfilled: it was 0 where everything was skipped.
#[test]
fn the_status_says_what_was_left_alone() {
    let text = |charset: &str, text: &str| {
        format!("Content-Type: text/plain; charset={charset}\n\n{text}\n")
    };
    let failed = |src: &str, with: &str| {
        let run = utfall("mail -q --to ISO-8859-1", src);
        assert_eq!(run.text(), src);
        run.fails(1, &[with]);
    };
    let nothing = "error: (standard input): nothing was converted; skipped: ";
    failed(
        &text("utf-7", "+Jjo-"),
        &format!("{nothing}1 text (1 with characters the charset lacks)"),
    );
    failed(&text("klingon", "\u{e9}"), &format!("{nothing}1 text (1 in an unknown charset)"));
    failed(&text("utf-7", "+A"), &format!("{nothing}1 text (1 ill-formed)"));
    let dkim = "DKIM-Signature: v=1\nSubject: =?utf-7?q?+AOk-?=\n";
    failed(&format!("{dkim}\nx\n"), &format!("{nothing}1 header field (1 signed)"));
    let run = utfall(
        "mail -q --to ISO-8859-1",
        "Subject: =?utf-7?q?+AOk-?=\n X =?x?q?a?=\nTo: =?utf-7?q?+AOk-?= <a@b>\n\nx\n",
    );
    run.fails(
        1,
        &["not everything was converted; skipped: 1 header field (1 in an unknown charset)"],
    );
    // Text already in the charset is not a failure, signed or not; nor are attachments, which are
    // files.
    let attached =
        "Content-Disposition: attachment\nContent-Type: text/plain; charset=utf-7\n\n+Jjo-\n";
    for src in [
        "Subject: x\n\nx\n".to_owned(),
        format!("{}{}", &dkim[..20], text("us-ascii", "x")),
        format!("DKIM-Signature: v=1\n{}", text("UTF-8", "-----BEGIN PGP SIGNED MESSAGE-----\nx")),
        attached.into(),
    ] {
        utfall("mail -q --to UTF-8", &src).quietly_gives(&src);
    }
}

/// A text that is not a message had header fields put before it.
#[test]
fn what_is_no_message_is_said() {
    for text in ["caf\u{e9}\n", "#!/bin/sh\necho \u{e9}\n", " Subject: \u{e9}\n\n\u{e9}\n"] {
        let run = utfall("mail", text);
        assert_eq!(run.text(), text);
        run.fails(1, &["error: (standard input) is not mail; copied unchanged", "help: "]);
    }
    let run = utfall("mail", "");
    run.gives("");
    assert_eq!(run.stderr, "note: (standard input): no message to convert\n");
    // Texts are shown as they are.
    utfall("mail --extract -q", "caf\u{e9}\n")
        .gives("\n[text/plain: guessed to be UTF-8]\ncaf\u{e9}\n");
}

/// The web's encoders change some characters; a text with one of them stays as it is.
#[test]
fn texts_that_would_not_come_back_are_left() {
    let head = "Content-Type: text/plain; charset=UTF-8\nContent-Transfer-Encoding: 8bit\n\n";
    for (to, c) in [("GBK", '\u{E78D}'), ("gb18030", '\u{E843}'), ("Shift_JIS", '\u{2212}')] {
        let message = format!("{head}{c}\n");
        let run = utfall(&format!("mail --to {to}"), &message);
        assert_eq!(run.text(), message, "{to}: {run:?}");
        run.fails(1, &["1 skipped (1 with characters the charset lacks)"]);
    }
}

/// Old Russian mail: the subject has no label, but the text has.
#[test]
fn eight_bit_fields_are_in_the_charset_of_the_text_or_guessed() {
    let subject = Encoding::Koi8R.encode("Приглашение на конференцию").unwrap();
    let labelled = b"\nContent-Type: text/plain; charset=koi8-r\n\nx\n";
    let run = utfall("mail --extract -q", [b"Subject: ", &*subject, labelled].concat());
    assert!(run.text().starts_with("Subject: Приглашение на конференцию\n"), "{run:?}");
    let run = utfall("mail --extract", [b"Subject: ", &*subject, b"\n\nx\n"].concat());
    assert!(run.text().starts_with("Subject: Приглашение на конференцию\n"), "{run:?}");
    assert!(run.stderr.contains("1 header field decoded (1 from a guessed charset)"), "{run:?}");
}

#[test]
fn encoded_words_with_8_bit_bytes_are_decoded_and_reported() {
    let run = utfall("mail --extract", "Subject: =?UTF-8?Q?Café?=\n\nx\n");
    assert!(run.text().starts_with("Subject: Café\n"), "{run:?}");
    assert!(run.stderr.contains("8-bit bytes in 1 encoded word were decoded"), "{run:?}");
}

#[test]
fn a_lone_encoded_word() {
    utfall("mail --extract -q", "=?UTF-7?Q?Hi_Mom_+Jjo-!?=\n=?UTF-8?Q?caf=C3=A9?= au lait")
        .gives("Hi Mom ☺!\ncafé au lait\n");
    let run = utfall("mail", "=?UTF-7?Q?Hi_Mom_+Jjo-!?=\n");
    run.fails(1, &["is not mail; copied unchanged", "--extract decodes the encoded words"]);
}

#[test]
fn folds_are_not_shown() {
    let run = utfall("mail --extract -q", "Subject: one\r\n\ttwo\r\n\r\nx\r\n");
    run.gives("Subject: one two\n\nx\n");
}

/// Files by name and in directories are replaced if they need it, and restored by `undo`. A note that
/// begins like a message is no mail.
#[test]
fn several_files_in_place() {
    let (mom, nihongo) = (example("hi-mom"), example("nihongo"));
    let ascii = b"Date: x\nFrom: a@example.com\n\nhi\n";
    let mbox = [b"From a\n", &mom[..], b"\nFrom b\n", &nihongo].concat();
    let note = b"Name: \xE9\n\nnot mail\n";
    let files: [(&str, &[u8]); 5] =
        [("a.eml", &mom), ("b", &nihongo), ("box", &mbox), ("plain.eml", ascii), ("note", note)];
    let folder = Folder::with(files);
    let run = folder.utfall("mail --in-place --body 8bit .", "");
    assert_eq!(run.status, 0, "{run:?}");
    for line in [
        "note: ./a.eml: 1 message: 1 text converted; 1 header field converted",
        "note: ./box: 2 messages: 2 texts converted; 2 header fields converted",
        "note: 3 files converted, 1 unchanged",
        "note: run 1: 3 originals kept (",
    ] {
        assert!(run.stderr.lines().any(|it| it.starts_with(line)), "{line}: {run:?}");
    }
    for (name, original) in &files[..3] {
        let now = folder.read(name);
        assert!(now != *original && String::from_utf8(now.clone()).is_ok(), "{name}");
        let alone = utfall("mail --body 8bit", original);
        assert_eq!(now, alone.stdout, "{name}");
    }
    for (name, original) in &files[3..] {
        assert_eq!(&folder.read(name), original, "{name}");
    }
    // Nothing is left to do.
    let again = folder.utfall("mail --in-place --body 8bit .", "");
    says(&again, "note: 0 files converted, 4 unchanged");
    let list = folder.utfall("undo --list", "");
    assert!(list.text().contains("  to UTF-8 mail  3 files  "), "{list:?}");
    assert_eq!(folder.utfall("undo", "").status, 0);
    for (name, original) in files {
        assert_eq!(folder.read(name), original, "{name}");
    }
}

#[test]
fn in_place_with_a_suffix_or_without_undo() {
    let mom = example("hi-mom");
    let folder = Folder::with([("a.eml", &mom)]);
    assert_eq!(folder.utfall("mail -q --in-place=.old a.eml", "").status, 0);
    assert_eq!((folder.read("a.eml.old"), folder.names().len()), (mom.clone(), 2));
    let folder = Folder::with([("a.eml", &mom)]);
    let run = folder.utfall("mail --in-place --no-undo a.eml", "");
    assert_eq!((run.status, run.stderr.contains("kept")), (0, false), "{run:?}");
    folder.utfall("undo", "").fails(2, &["no run to undo"]);
    assert!(folder.read("a.eml") != mom);
}

/// One failure does not stop the others, and the exit status says that there was one.
#[test]
fn files_that_cannot_be_converted_in_place() {
    let mom = example("hi-mom");
    let unknown = b"Date: x\nFrom: a\nContent-Type: text/plain; charset=x-none\n\n\xE9\n";
    let folder = Folder::with([("a", b"no\x80mail"), ("b", unknown), ("c", &mom)]);
    let run = folder.utfall("mail --in-place a b c", "");
    run.fails(1, &["a is not mail; skipped", "b: nothing was converted; skipped: 1 text"]);
    assert!(run.stderr.contains("note: 1 file converted, 1 unchanged\n"), "{run:?}");
    assert_eq!((folder.read("a"), folder.read("b")), (b"no\x80mail".into(), unknown.into()));
    assert!(folder.read("c") != mom);
    folder.utfall("mail --in-place none c", "").fails(4, &["none", "1 unchanged"]);
    for usage in [
        "mail --in-place",
        "mail --in-place -",
        "mail --in-place -o x c",
        "mail b c",
        "mail --no-undo c",
        // Only --extract prints JSON, and it writes no message.
        "mail --to UTF-8 --json c",
        "mail --to UTF-8 --format json c",
        "mail --to UTF-8 --raw c",
        "mail --body base64 --json c",
        "mail --in-place --json c",
        "mail --extract --in-place c",
    ] {
        let run = folder.utfall(usage, "");
        assert_eq!((run.status, &run.stdout[..]), (2, &b""[..]), "{usage}");
    }
}

#[test]
fn several_files_are_extracted() {
    let (mom, nihongo) = (example("hi-mom"), example("nihongo"));
    let folder = Folder::with([("a", &mom), ("b", &nihongo), ("note", b"Name: x\n")]);
    let run = folder.utfall("mail --extract .", "");
    let expected = [&mom, &nihongo].map(|it| utfall("mail --extract", it).stdout).concat();
    assert_eq!((run.status, &run.stdout), (0, &expected), "{run:?}");
    let run = folder.utfall("mail --extract --json none b", "");
    run.fails(4, &["none", "note: b: 1 message"]);
    assert!(run.text().lines().all(|line| line.contains("\"file\":\"b\"")), "{run:?}");
}

/// An RFC 2231 value that holds an encoded word as text is not decoded by a second run.
#[test]
fn twice_is_once() {
    for field in [
        "Content-Disposition: attachment; filename*=iso-8859-1''=?utf-8?q?=C3=A9?=%E9",
        "Content-Disposition: attachment; filename*=utf-8''%3D?utf-8?q?x?=",
        "Content-Disposition: attachment; filename*0*=utf-8''=?utf-8?q?; filename*1=\"=C3=A9?=\"",
        "Content-Disposition: attachment; filename=\"=?utf-8?q?=3D=3Futf-8=3Fq=3Fx=3F=3D?=\"",
    ] {
        for to in ["UTF-8", "UTF-7", "ISO-8859-1", "UTF-16BE"] {
            let message = format!("{field}\nContent-Type: image/png\n\nx\n");
            let command = format!("mail -q --to {to}");
            let once = utfall(&command, &message);
            let again = utfall(&command, &once.stdout);
            assert_eq!(again.stdout, once.stdout, "{to}: {field}");
            let name = |text: &[u8]| utfall("mail -q --extract", text).text().to_owned();
            let value = |text: String| text.replace(['\n', ' '], "").to_lowercase();
            assert!(value(name(&once.stdout)).contains("=?utf-8?q?"), "{to}: {once:?}");
        }
    }
}
