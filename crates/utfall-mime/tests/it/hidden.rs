//! Hidden text in mail: known techniques, and common mail that must not be reported.

use std::fs;
use std::path::{Path, PathBuf};

use utfall::Encoding;
use utfall_mime::encoded_word::{LONGEST, Scheme, encode};
use utfall_mime::hidden::{Hidden, find};
use utfall_mime::rewrite::Options;
use utfall_mime::{Message, TransferEncoding};

fn all(bytes: &[u8]) -> Vec<Hidden> {
    let mut all = Vec::new();
    find(&Message::parse(bytes), |found| all.push(found));
    all
}

/// Each expected finding has a kind, the bytes at its place, and its text.
#[track_caller]
fn finds(bytes: &[u8], expected: &[(&str, &str, &str)]) {
    let found = all(bytes);
    let shown: Vec<_> = found
        .iter()
        .map(|one| {
            let place = &bytes[one.offset..one.offset + one.length];
            (one.kind.name(), std::str::from_utf8(place).unwrap(), &*one.text)
        })
        .collect();
    assert_eq!(shown, expected, "{}", bytes.escape_ascii());
    assert!(found.iter().all(|one| !one.reason.is_empty()));
}

#[test]
fn words_that_hide_ascii() {
    for (field, expected) in [
        (
            "Subject: =?UTF-8?Q?=3Cb=3E_Caf=C3=A9?=",
            &[("encoded-markup", "=3C", "<"), ("encoded-markup", "=3E", ">")][..],
        ),
        ("Subject: =?UTF-8?Q?=68=65llo?=", &[("encoded-ascii", "=68=65", "he")]),
        (
            "Subject: =?UTF-8?Q?=3Cscr=69pt?=",
            &[("encoded-markup", "=3C", "<"), ("encoded-ascii", "=69", "i")],
        ),
        (
            "Subject: a =?UTF-8?B?aGVsbG8=?= b",
            &[("encoded-ascii", "=?UTF-8?B?aGVsbG8=?=", "hello")],
        ),
        ("From: =?x?B?PGI+?= <a@b.example>", &[("encoded-markup", "=?x?B?PGI+?=", "<b>")]),
        // UTF-7 inside.
        ("Subject: =?UTF-7?Q?+AGgAaQ-?=", &[("encoded-ascii", "AGgAaQ", "hi")]),
        (
            "Subject: =?UTF-7?Q?=2BAD=77-_+IKw-?=",
            &[("encoded-ascii", "=77", "w"), ("encoded-markup", "AD=77", "<")],
        ),
        ("Subject: =?UTF-7?B?K0FHRUFZZy0gK0lLdy0=?=", &[("encoded-ascii", "0FHRUFZZy", "ab")]),
        // Overlong forms and surrogates.
        ("Subject: =?UTF-8?Q?..=C0=AF..?=", &[("overlong", "=C0=AF", "/")]),
        ("Subject: =?UTF-8?B?4oKswK8=?=", &[("overlong", "wK8", "/")]),
        // Controls.
        ("Subject: =?UTF-8?Q?Hi=0D=0ABcc:_x?=", &[("encoded-control", "=0D=0A", "\r\n")]),
        ("Subject: =?UTF-8?B?w6kNCkJjYzogeA==?=", &[("encoded-control", "kNCk", "\r\n")]),
        ("Subject: =?UTF-16BE?B?AGEAAA==?=", &[("encoded-control", "AGEAAA==", "a\0")]),
        ("Subject: =?UTF-7?Q?a+AAA-b?=", &[("encoded-control", "AAA", "\0")]),
        // Comments and phrases are searched, too.
        ("To: (=?UTF-8?Q?=61?=) x@example.org", &[("encoded-ascii", "=61", "a")]),
        ("Keywords: a, =?UTF-8?Q?=61?=", &[("encoded-ascii", "=61", "a")]),
    ] {
        finds(format!("{field}\n\n").as_bytes(), expected);
    }
}

#[test]
fn words_in_addresses() {
    for (field, word, text) in [
        ("To: =?utf-8?q?=41=42=43?=hi@example.com", "=?utf-8?q?=41=42=43?=", "ABChi"),
        ("To: =?x?q?=40=3e=00?=foo@example.com", "=?x?q?=40=3e=00?=", "@>\0"),
        ("To: =?utf-7?q?&AGEAYgBj-?=@example.com", "=?utf-7?q?&AGEAYgBj-?=", "&AGEAYgBj-"),
        ("To: <=?utf-7?q?a+AEA-b?=@example.com>", "=?utf-7?q?a+AEA-b?=", "a@b"),
        ("To: \"=?utf-8?q?a?=\"@example.com", "=?utf-8?q?a?=", "a"),
        ("Return-Path: <=?utf-8?q?a?=@example.com>", "=?utf-8?q?a?=", "a"),
        // Replacing an address.
        (
            "To: =?utf-8?q?a=40example.com?=, b@example.com",
            "=?utf-8?q?a=40example.com?=",
            "a@example.com",
        ),
    ] {
        let bytes = format!("{field}\n\n");
        let found = all(bytes.as_bytes());
        assert_eq!(found.len(), 1, "{field}: {found:?}");
        assert_eq!(found[0].kind.name(), "word-in-address");
        assert_eq!(&bytes[found[0].offset..][..found[0].length], word);
        assert!(text.starts_with(&found[0].text) && !found[0].text.is_empty(), "{found:?}");
    }
}

#[test]
fn two_charsets_and_two_fields() {
    finds(
        b"Content-Type: text/plain; charset=utf-8; charset=utf-7\n\n+ADw-\n",
        &[
            ("two-charsets", "charset=utf-8; charset=utf-7", "utf-8, utf-7"),
            ("encoded-markup", "ADw", "<"),
        ],
    );
    // Two forms of a single parameter.
    finds(
        b"Content-Type: text/plain; charset*=us-ascii''utf-7;\n charset=utf-8\n\n",
        &[("two-charsets", "charset*=us-ascii''utf-7;\n charset=utf-8", "us-ascii''utf-7, utf-8")],
    );
    finds(b"Content-Type: text/plain; charset=utf-8\nContent-type: text/html; charset=utf-7\n\n+AGEAYg-", &[
        ("two-fields", "Content-type: text/html; charset=utf-7", "text/html; charset=utf-7"),
        ("encoded-ascii", "AGEAYg", "ab"),
    ]);
    // One charset, in sections.
    finds(b"Content-Type: text/plain; charset*0=utf-; charset*1=8\n\n", &[]);
}

#[test]
fn bodies() {
    finds(
        b"Content-Type: text/plain; charset=utf-7\n\n+AGgAaQ-\n",
        &[("encoded-ascii", "AGgAaQ", "hi")],
    );
    finds(
        b"Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: quoted-printable\n\n\
          a=\n=C3=A9  \n..=C0=\n=AFetc\n",
        &[("overlong", "=C0=\n=AF", "/")],
    );
    finds(
        b"Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: base64\n\nLi7A\nr2V0Yw==\n",
        &[("overlong", "7A\nr2", "/")],
    );
    // In parts, including those of an attached message.
    finds(
        b"Content-Type: multipart/mixed; boundary=x\n\n--x\nContent-Type: message/rfc822\n\n\
          Subject: =?UTF-8?Q?=61?=\n\n\n--x\nContent-Type: text/plain; charset=UTF-16BE\n\
          Content-Transfer-Encoding: base64\n\n2D0AYQ==\n--x--\n",
        &[("encoded-ascii", "=61", "a"), ("surrogate", "2D0", "\\u{D83D}")],
    );
    // Non-text, and an unknown transfer encoding.
    finds(b"Content-Type: image/png; charset=utf-7\n\n+AGgAaQ-\n", &[]);
    finds(
        b"Content-Type: text/plain; charset=utf-7\nContent-Transfer-Encoding: x\n\n+AGgAaQ-\n",
        &[],
    );
}

#[test]
fn ordinary_fields() {
    for field in [
        "Subject: =?UTF-8?Q?Caf=C3=A9_au_lait?=",
        "Subject: =?ISO-8859-1?Q?Re=3A_=22caf=E9=22_=26_more=2C_50=25=21?=",
        "Subject: =?UTF-7?Q?Hi_Mom_+Jjo-!?=",
        "Subject: =?UTF-7?Q?Hi_Mom_+JjoAIQ-?=",
        "Subject: =?UTF-8?B?Q2Fmw6kgYXUgbGFpdA==?=",
        // A long subject whose last word is US-ASCII, because the encoder cut there.
        "Subject: =?UTF-8?B?4oKsIGlzIHRoZQ==?=\n =?UTF-8?B?ZXVybyBzaWdu?=",
        // Readable as it is.
        "Subject: =?utf-8?Q?Your_order_has_been_shipped?=",
        "From: =?utf-8?Q?Smith=2C_John?= <john@example.org>",
        "From: =?utf-8?Q?'a=40example=2Eorg'_via_list?= <list@example.org>",
        "To: =?utf-8?Q?Undisclosed=3A?= =?utf-8?Q?x?=: a@example.org;",
        // These texts must be encoded to appear in a field.
        "Subject: =?UTF-8?B?PT9VVEYtOD9RP2E/PQ==?=",
        "Subject: =?UTF-8?B?IHNwYWNlIA==?=",
        // Shift sequences and trail bytes are not US-ASCII.
        "Subject: =?ISO-2022-JP?B?GyRCRnxLXDhsGyhC?=",
        "Subject: =?ISO-2022-JP?Q?=1B=24=42=46=7C=4B=5C=1B=28=42?=",
        "Subject: =?Shift_JIS?Q?=83=41=83=43?=",
        "Subject: =?ISO-2022-KR?B?GyQpQw5GfEtcDw==?=",
        "Subject: =?UTF-8?Q?=E2=98?= =?UTF-8?Q?=BA?=",
        "Subject: caf\u{e9}",
        "Content-Type: text/plain; charset=\"utf-8\" (charset=utf-7); name=\"=?UTF-8?Q?=61?=\"",
        "Message-ID: <=?x?q?a?=@example.org>",
    ] {
        finds(format!("{field}\n\n").as_bytes(), &[]);
    }
}

fn repository(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(name)
}

fn files(folder: &str) -> Vec<PathBuf> {
    let files = fs::read_dir(repository(folder)).unwrap();
    files.map(|file| file.unwrap().path()).collect()
}

#[test]
fn examples_are_ordinary() {
    let messages = files("examples/mail");
    assert!(messages.len() >= 8);
    for file in messages {
        let bytes = fs::read(&file).unwrap();
        assert_eq!(all(&bytes), [], "{}", file.display());
        // The same in other charsets.
        let message = Message::parse(&bytes);
        for to in [Encoding::Utf7, Encoding::Utf8] {
            let rewritten: Vec<u8> =
                message.rewrite(&Options::to(to)).pieces().flatten().copied().collect();
            assert_eq!(all(&rewritten), [], "{} in {to}", file.display());
        }
    }
}

/// The corpora as bodies and subjects.
#[test]
fn corpora_are_ordinary() {
    let (mut bodies, mut subjects) = (0, 0);
    for file in files("testdata/corpora") {
        let Ok(text) = fs::read_to_string(&file) else { continue };
        let head = "Content-Type: text/plain; charset=UTF-8\nContent-Transfer-Encoding: 8bit\n";
        let bytes = format!("{head}\n{text}").into_bytes();
        let message = Message::parse(&bytes);
        for to in [Encoding::Utf7, Encoding::Utf8, Encoding::Utf16] {
            for body in [TransferEncoding::QuotedPrintable, TransferEncoding::Base64] {
                let options = Options::to(to).with_body(Some(body));
                let rewritten: Vec<u8> =
                    message.rewrite(&options).pieces().flatten().copied().collect();
                bodies += 1;
                assert_eq!(all(&rewritten), [], "{} in {to}, {body}", file.display());
            }
        }
        for line in text.lines().filter(|line| !line.is_ascii()).take(200) {
            // Cut each line to the length of a subject.
            let line: String =
                line.trim().chars().filter(|c| !"<>".contains(*c)).take(150).collect();
            if line.is_ascii() {
                continue;
            }
            for to in [Encoding::Utf7, Encoding::Utf8, Encoding::Utf16Be] {
                for scheme in [Scheme::Q, Scheme::B] {
                    let words = encode(&line, to, Some(scheme), LONGEST).unwrap();
                    let bytes = format!("Subject: {}\n\n", words.join("\n "));
                    subjects += 1;
                    assert_eq!(all(bytes.as_bytes()), [], "{bytes}");
                }
            }
        }
    }
    assert!(bodies >= 66 && subjects > 3000, "{bodies} {subjects}");
}

/// For any input, the search ends, and each place is inside the message.
#[test]
fn random_messages() {
    let pieces: [&[u8]; 24] = [
        b"To: ",
        b"Subject: ",
        b"Content-Type: text/plain; charset=",
        b"utf-7",
        b"utf-8",
        b"; charset=",
        b"Content-Transfer-Encoding: ",
        b"base64",
        b"quoted-printable",
        b"\n",
        b"\n\n",
        b"\r\n ",
        b"=?utf-7?q?",
        b"=?utf-8?b?",
        b"?=",
        b"+AGE",
        b"-",
        b"=C0=AF",
        b"AGE=",
        b"<",
        b"@",
        b", ",
        b"\xC0\xAF",
        b"=\n",
    ];
    let mut state = 3_u64;
    let mut random = |below: usize| {
        state = state.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(0x1405_7B7E_F767_814F);
        (state >> 33) as usize % below
    };
    let mut places = 0;
    for _ in 0..30_000 {
        let bytes: Vec<u8> = (0..random(20)).flat_map(|_| pieces[random(24)].to_vec()).collect();
        for found in all(&bytes) {
            places += 1;
            assert!(
                found.length > 0 && found.offset + found.length <= bytes.len(),
                "{found:?} {}",
                bytes.escape_ascii()
            );
        }
    }
    assert!(places > 300, "{places}");
}
