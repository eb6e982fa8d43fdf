//! Conversion to other charsets preserves decoded content, and leaves everything else unchanged.

use utfall::Encoding;
use utfall_mime::encoded_word::{self, LONGEST, Piece, Rules};
use utfall_mime::header::Kind;
use utfall_mime::rewrite::{Options, Reason};
use utfall_mime::{Basis, Message, PartKind, TransferEncoding};
use utfall_oracle::step;

const TARGETS: [Encoding; 6] = [
    Encoding::Utf8,
    Encoding::Utf7,
    Encoding::Utf16Be,
    Encoding::Iso8859_1,
    Encoding::Iso2022Jp,
    Encoding::Unicode11Utf8,
];

const BODIES: [Option<TransferEncoding>; 5] = [
    None,
    Some(TransferEncoding::SevenBit),
    Some(TransferEncoding::EightBit),
    Some(TransferEncoding::QuotedPrintable),
    Some(TransferEncoding::Base64),
];

fn rewrite(src: &str, to: Encoding) -> String {
    let message = Message::parse(src.as_bytes());
    String::from_utf8(message.rewrite(&Options::to(to)).to_vec()).unwrap()
}

/// Rewrites a message, and checks that the content is preserved and the result is valid mail.
fn check(src: &[u8], options: &Options) -> Vec<u8> {
    let why = || format!("{options:?}: {}", src.escape_ascii());
    let before = Message::parse(src);
    let rewritten = before.rewrite(options);
    let new = rewritten.to_vec();
    let after = Message::parse(&new);
    let report = rewritten.report();
    assert_eq!(before.parts().len(), after.parts().len(), "{} -> {}", why(), new.escape_ascii());

    let mut changed = 0;
    for (part, other) in before.parts().iter().zip(after.parts()) {
        assert_eq!(part.kind, other.kind, "{}", why());
        let texts = (before.text(part).ok(), after.text(other).ok());
        if let (Some(text), Some(new_text)) = &texts {
            let expected = match part.content.media_type == "text/plain"
                && before.bytes(&part.body) != after.bytes(&other.body)
            {
                true => text.text.replace(['\u{2028}', '\u{2029}'], "\n"),
                false => text.text.clone(),
            };
            assert_eq!(new_text.text, expected, "{} -> {}", why(), new.escape_ascii());
        }
        if part.kind == PartKind::Text && before.bytes(&part.body) != after.bytes(&other.body) {
            changed += 1;
            check_body(after.bytes(&other.body), other.content.transfer.unwrap(), &why());
            assert_eq!(other.content.charset(), Some(options.to.name()), "{}", why());
        }
        check_fields(&before, part, &after, other, options, &why());
    }
    assert!(changed <= report.texts.converted, "{}", why());

    // Another run changes nothing.
    let again = after.rewrite(options);
    assert_eq!(
        again.to_vec().escape_ascii().to_string(),
        new.escape_ascii().to_string(),
        "{}",
        why()
    );
    new
}

fn check_body(body: &[u8], transfer: TransferEncoding, why: &str) {
    for line in body.split(|byte| *byte == b'\n') {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let most = if transfer.is_identity() { 998 } else { 76 };
        assert!(line.len() <= most, "{why}: {}", line.escape_ascii());
        assert!(!line.contains(&b'\r') && !line.contains(&0), "{why}");
        assert!(transfer == TransferEncoding::EightBit || line.is_ascii(), "{why}");
        let text = line.iter().position(|byte| *byte != b'>').unwrap_or(line.len());
        assert!(!line[text..].starts_with(b"From "), "{why}");
    }
}

fn check_fields(
    before: &Message<'_>,
    part: &utfall_mime::Part,
    after: &Message<'_>,
    other: &utfall_mime::Part,
    options: &Options,
    why: &str,
) {
    const MADE: [&str; 5] =
        ["Content-Transfer-Encoding", "MIME-Version", "Content-MD5", "Content-Length", "Lines"];
    let is_kept = |field: &utfall_mime::header::Field<'_>| {
        !MADE.iter().any(|name| field.is(name)) && !field.is("Content-Type")
    };
    let old: Vec<_> = before.fields(part).filter(is_kept).collect();
    let new: Vec<_> = after.fields(other).filter(is_kept).collect();
    assert_eq!(old.len(), new.len(), "{why}");
    for (old, new) in old.iter().zip(&new) {
        // Quotes disappear where words are encoded; white space at the edge of a word becomes one
        // space.
        let plain = |text: &str| {
            let text: String = text.chars().filter(|c| !matches!(c, '"' | '\\')).collect();
            text.split_whitespace().collect::<Vec<_>>().join("")
        };
        let (read, written) = (old.decode(Rules::Lenient), new.decode(Rules::Lenient));
        if old.kind() == Kind::Text {
            assert_eq!(written.text, read.text, "{why}");
        }
        assert_eq!(plain(&written.text), plain(&read.text), "{why}");
        if old.value != new.value && !matches!(new.kind(), Kind::Parameters) {
            let words = encoded_word::pieces(new.value, Rules::Lenient);
            for word in words {
                let Piece::Word(word) = word else { continue };
                assert!(word.range.len() <= LONGEST, "{why}");
                if word.encoding() == Some(options.to) {
                    assert!(options.to.validate(word.bytes()).is_ok(), "{why}");
                }
            }
            for line in new.value.split(|byte| *byte == b'\n') {
                assert!(line.len() <= 998, "{why}");
            }
        }
    }
}

#[test]
fn corpora() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/corpora");
    let mut seen = 0;
    for file in std::fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "txt") {
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        let mut end = text.len().min(20_000 / step(10));
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        let text = &text[..end];
        let subject: String = text.chars().filter(|c| !c.is_control()).take(300).collect();
        let head =
            format!("From: \"{}\" <a@b.c>\nSubject: {subject}\n", &subject.replace('"', "")[..0]);
        for (eol, with_label) in [("\n", true), ("\r\n", false)] {
            let label = if with_label { "; charset=utf-8" } else { "" };
            let src = format!("{head}Content-Type: text/plain{label}\n\n{text}").replace('\n', eol);
            for to in TARGETS {
                for body in BODIES {
                    let options = Options::to(to).with_body(body);
                    let new = check(src.as_bytes(), &options);
                    let back = check(&new, &Options::to(Encoding::Utf8));
                    let read = |bytes: &[u8]| {
                        let message = Message::parse(bytes);
                        message.text(&message.parts()[0]).unwrap().text
                    };
                    assert_eq!(read(&back), read(src.as_bytes()));
                }
            }
        }
        seen += 1;
    }
    assert!(seen >= 11);
}

/// When lines are broken, each line fits, and no run of UTF-7 crosses a line (RFC 2152, MIME
/// section).
#[test]
fn wrapped_lines_fit() {
    let text = "日本語のとても長い行で、どこにも空白がありません。".repeat(20);
    let western = "Où êtes-vous allé pendant l’été dernier ? ".repeat(20);
    for text in [&text, &western] {
        let src = format!("Content-Type: text/plain; charset=utf-8\n\nshort\n{text}\n\nlast");
        let message = Message::parse(src.as_bytes());
        let options = Options::to(Encoding::Utf7).with_wrap(true);
        let new = message.rewrite(&options).to_vec();
        let after = Message::parse(&new);
        let part = &after.parts()[0];
        assert_eq!(part.content.transfer, Some(TransferEncoding::SevenBit));
        let body = after.bytes(&part.body);
        for line in body.split(|byte| *byte == b'\n') {
            assert!(line.len() <= 76, "{}", line.escape_ascii());
            assert!(Encoding::Utf7.validate(line).is_ok(), "{}", line.escape_ascii());
        }
        // Only white space at breaks is lost.
        let squeezed = |text: &str| text.split_whitespace().collect::<String>();
        let read = after.text(part).unwrap().text;
        assert_eq!(squeezed(&read), squeezed(&format!("short\n{text}\n\nlast")));
        assert!(read.starts_with("short\n") && read.ends_with("\n\nlast"));
        assert_eq!(after.rewrite(&options).to_vec(), new);
    }
}

/// Breaking the lines of flowed text does not change it (RFC 3676 §4.1).
#[test]
fn flowed_text_stays_the_same() {
    let text = "Où êtes-vous allé > pendant  l’été From là dernier ? ".repeat(20) + "fin";
    let word = "é".repeat(100);
    let src = format!(
        "Content-Type: text/plain; charset=utf-8; format=flowed\n\n{text}\n>{text}\n{word} a\nb\n"
    );
    let message = Message::parse(src.as_bytes());
    let options = Options::to(Encoding::Utf7).with_wrap(true);
    let new = message.rewrite(&options).to_vec();
    let after = Message::parse(&new);
    let read = after.text(&after.parts()[0]).unwrap().text;
    assert!(read.lines().take(10).all(|line| line.chars().count() <= 76), "{read}");
    assert!(read.lines().all(|line| !line.starts_with(' ') && !line.starts_with("From ")));
    assert!(read.lines().skip(1).filter(|line| line.starts_with('>')).count() == 1);
    assert_eq!(read.replace(" \n", " "), format!("{text}\n>{text}\n{word} a\nb\n"));
}

#[test]
fn transfer_encodings() {
    for (text, to, expected) in [
        // Lines that fit.
        ("Hi Mom ☺!\n", Encoding::Utf7, "7bit\n\nHi Mom +Jjo-!\n"),
        // Readable, or shorter.
        ("café\n", Encoding::Utf8, "quoted-printable\n\ncaf=C3=A9\n"),
        ("日本語\n", Encoding::Utf8, "quoted-printable\n\n=E6=97=A5=E6=9C=AC=E8=AA=9E\n"),
        ("日本語\n", Encoding::Utf16Be, "base64\n\nZeVnLIqeAA0ACg==\n"),
        // Text that mail systems alter.
        ("☺\nFrom here\n", Encoding::Utf7, "quoted-printable\n\n+Jjo-\n=46rom here\n"),
        ("☺\n>From\n", Encoding::Utf7, "7bit\n\n+Jjo-\n>From\n"),
        ("☺\n>>From me\n", Encoding::Utf7, "quoted-printable\n\n+Jjo-\n=3E>From me\n"),
        // Not a line end.
        ("a\r☺\n", Encoding::Utf7, "quoted-printable\n\na=0D+Jjo-\n"),
        // RFC 2152, MIME section.
        ("a☺\u{2028}b\u{2029}c", Encoding::Utf7, "7bit\n\na+Jjo-\nb\nc"),
    ] {
        let src =
            "Content-Type: text/plain; charset=utf-16be\nContent-Transfer-Encoding: base64\n\n";
        let bytes: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
        // A final line end would change a text that has none.
        let eol = if text.ends_with('\n') { "\n" } else { "" };
        let src = src.to_owned() + &utfall_mime::base64::encode(&bytes) + eol;
        let label = to.name();
        let head =
            format!("Content-Type: text/plain; charset={label}\nContent-Transfer-Encoding: ");
        let found = rewrite(&src, to);
        if to == Encoding::Utf16Be {
            // Unchanged, because the label was right.
            continue;
        }
        assert_eq!(found, head + expected, "{text:?}");
        check(src.as_bytes(), &Options::to(to));
    }
}

#[test]
fn bodies_that_are_asked_for() {
    let src = "Content-Type: text/plain; charset=utf-8\n\nça va\n";
    for (body, expected) in [
        (TransferEncoding::SevenBit, "quoted-printable\n\n=C3=A7a va\n"),
        (TransferEncoding::EightBit, "8bit\n\nça va\n"),
        (TransferEncoding::QuotedPrintable, "quoted-printable\n\n=C3=A7a va\n"),
        (TransferEncoding::Base64, "base64\n\nw6dhIHZhDQo=\n"),
    ] {
        let options = Options::to(Encoding::Utf8).with_body(Some(body));
        let new = String::from_utf8(check(src.as_bytes(), &options)).unwrap();
        let (_, found) = new.split_once("Content-Transfer-Encoding: ").unwrap();
        assert_eq!(found, expected);
    }
    // The parts around it must declare it too.
    let src = "Content-Type: multipart/mixed; boundary=a\n\n--a\nContent-Type: text/plain; charset=latin1\n\
        Content-Transfer-Encoding: base64\n\n5w==\n--a--\n";
    let options = Options::to(Encoding::Utf8).with_body(Some(TransferEncoding::EightBit));
    let new = check(src.as_bytes(), &options);
    let after = Message::parse(&new);
    assert!(
        after.parts().iter().all(|part| part.content.transfer == Some(TransferEncoding::EightBit))
    );
}

#[test]
fn fields() {
    let long = "é".repeat(60);
    let utf8 = |value: &str| rewrite(&format!("X: {value}\n\n"), Encoding::Utf8);
    let to = |value: &str| rewrite(&format!("To: {value}\n\n"), Encoding::Utf8);
    for (found, expected) in [
        (utf8("plain"), "X: plain"),
        (utf8("a =?ISO-8859-1?Q?=E9?= b"), "X: a =?UTF-8?Q?=C3=A9?= b"),
        (
            utf8("a  =?ISO-8859-1?Q?=E9?=\n =?ISO-8859-1?Q?=E9?=  b"),
            "X: a  =?UTF-8?Q?=C3=A9=C3=A9?=  b",
        ),
        (utf8("caf\u{e9}, ol\u{e9}"), "X: =?UTF-8?Q?caf=C3=A9=2C_ol=C3=A9?="),
        (utf8("é a é"), "X: =?UTF-8?Q?=C3=A9?= a =?UTF-8?Q?=C3=A9?="),
        // Unchanged; split inside a character; in another scheme.
        (utf8("=?utf-8?q?=C3=A9?="), "X: =?utf-8?q?=C3=A9?="),
        (utf8("=?utf-8?q?=C3?= =?utf-8?q?=A9?="), "X: =?UTF-8?Q?=C3=A9?="),
        (utf8("a (=?utf-8?q?=C3=A9?=)"), "X: a (=?utf-8?q?=C3=A9?=)"),
        // Skipped.
        (utf8("=?x-klingon?q?a?= =?latin1?q?b?="), "X: =?x-klingon?q?a?= =?latin1?q?b?="),
        (utf8("=?utf-7?q?+A?="), "X: =?utf-7?q?+A?="),
        (to("\"Jörg, jr.\" <j@b.c>"), "To: =?UTF-8?Q?J=C3=B6rg=2C_jr=2E?= <j@b.c>"),
        (to("Jörg<j@b.c>"), "To: =?UTF-8?Q?J=C3=B6rg?= <j@b.c>"),
        (
            to("J (Jörg) =?latin1?q?=F6?= <a@b.c>, x@y.z (é)"),
            "To: J (=?UTF-8?Q?J=C3=B6rg?=) =?UTF-8?Q?=C3=B6?= <a@b.c>, x@y.z (\n =?UTF-8?Q?=C3=A9?=)",
        ),
        (
            to("=?latin1?q?a?=@b.c, <=?latin1?q?a?=@b.c>"),
            "To: =?latin1?q?a?=@b.c, <=?latin1?q?a?=@b.c>",
        ),
        (to("=?utf-8?q?=C3=A9?= plain <a@b.c>"), "To: =?utf-8?q?=C3=A9?= plain <a@b.c>"),
        (rewrite("Date: =?latin1?q?a?=\n\n", Encoding::Utf8), "Date: =?latin1?q?a?="),
        (
            rewrite(
                "Content-Disposition: inline; filename=\"=?latin1?q?=E9.txt?=\"; size=5\n\n",
                Encoding::Utf8,
            ),
            "Content-Disposition: inline;\n filename*=UTF-8''%C3%A9.txt; size=5",
        ),
        (
            rewrite(
                "Content-Disposition: inline;\n filename*0*=latin1'fr'%E9;\n filename*1=t\n\n",
                Encoding::Utf7,
            ),
            "Content-Disposition: inline;\n filename*=UTF-7'fr'+AOk-t",
        ),
        (
            rewrite("Content-Type: image/png; name=é\n\n", Encoding::Utf8),
            "Content-Type: image/png;\n name*=UTF-8''%C3%A9",
        ),
    ] {
        assert_eq!(found, format!("{expected}\n\n"));
    }
    // White space before a word is preserved, even where the field is folded.
    let folded = utf8(&format!("{}  é", "a".repeat(70)));
    assert!(folded.ends_with("a\n  =?UTF-8?Q?=C3=A9?=\n\n"), "{folded}");
    // The first word is in the first line.
    let folded = utf8(&long);
    assert!(folded.starts_with("X: =?"));
    assert!(folded.lines().count() > 3 && folded.lines().all(|line| line.len() <= 76), "{folded}");
    let folded = utf8(&format!("{} {long} and then {}", "a".repeat(70), "b".repeat(60)));
    assert!(folded.lines().all(|line| line.len() <= 76), "{folded}");
    assert!(rewrite(&format!("{}: {long}\n\n", "N".repeat(90)), Encoding::Utf8).contains("\n =?"));
}

fn only_reason(src: &str, to: Encoding) -> Reason {
    let message = Message::parse(src.as_bytes());
    let rewritten = message.rewrite(&Options::to(to));
    assert!(rewritten.edits().is_empty(), "{src}");
    *rewritten.report().texts.left.keys().next().unwrap()
}

#[test]
fn what_is_left_alone() {
    let utf8 = |head: &str, body: &str| only_reason(&format!("{head}\n\n{body}\n"), Encoding::Utf8);
    let plain = "Content-Type: text/plain; charset=utf-7";
    assert_eq!(utf8(plain, "+A"), Reason::IllFormed);
    assert_eq!(utf8("Content-Type: text/plain; charset=klingon", "é"), Reason::UnknownCharset);
    assert_eq!(
        utf8("Content-Type: text/plain; charset=utf-7; charset=utf-8", "+Jjo-"),
        Reason::Ambiguous
    );
    assert_eq!(utf8(&format!("{plain}\n{plain}"), "+Jjo-"), Reason::Ambiguous);
    assert_eq!(
        utf8("Content-Type: text/plain; charset*0=utf-; charset*1=7", "+Jjo-"),
        Reason::Ambiguous
    );
    assert_eq!(
        utf8(&format!("{plain}\nContent-Disposition: attachment"), "+Jjo-"),
        Reason::Attachment
    );
    assert_eq!(
        utf8(&format!("{plain}\nContent-Transfer-Encoding: x"), "+Jjo-"),
        Reason::UnknownTransferEncoding
    );
    assert_eq!(
        utf8(&format!("{plain}\nContent-Transfer-Encoding: quoted-printable"), "=X"),
        Reason::IllFormed
    );
    assert_eq!(
        only_reason(&format!("{plain}\n\n+Jjo-\n"), Encoding::Iso8859_1),
        Reason::Unencodable
    );
    assert_eq!(
        utf8(
            &format!("{plain}\nContent-Transfer-Encoding: 7bit\nContent-Transfer-Encoding: base64"),
            "Jjo="
        ),
        Reason::Ambiguous
    );
    assert_eq!(utf8("Content-Type: text/plain", "\u{e9}\0"), Reason::UnknownCharset);
    let attached = format!(
        "Content-Disposition: attachment\nContent-Type: message/rfc822\n\nSubject: =?utf-7?q?+Jjo-?=\n{plain}"
    );
    assert_eq!(utf8(&attached, "+Jjo-"), Reason::Attachment);
    // Signed.
    assert_eq!(utf8(plain, "-----BEGIN PGP SIGNED MESSAGE-----\n+Jjo-"), Reason::Signed);
    let body =
        format!("Content-Type: multipart/signed; boundary=a\n\n--a\n{plain}\n\n+Jjo-\n--a--\n");
    assert_eq!(only_reason(&body, Encoding::Utf8), Reason::Signed);
    let dkim = format!("DKIM-Signature: v=1\nSubject: =?utf-7?q?+Jjo-?=\n{plain}\n\n+Jjo-\n");
    assert_eq!(only_reason(&dkim, Encoding::Utf8), Reason::Signed);
    let message = Message::parse(dkim.as_bytes());
    let forced = message.rewrite(&Options::to(Encoding::Utf8).with_force(true));
    assert_eq!((forced.report().texts.converted, forced.report().fields.converted), (1, 1));
    // If it is inside another part, only the signed part is skipped.
    let around = format!(
        "Content-Type: multipart/mixed; boundary=b\n\n--b\n{body}\n--b\n{plain}\n\n+Jjo-\n--b--\n"
    );
    let message = Message::parse(around.as_bytes());
    let report = message.rewrite(&Options::to(Encoding::Utf8)).report().clone();
    assert_eq!((report.texts.converted, report.texts.left_alone()), (1, 1));
    // Too many parts.
    let many =
        "Content-Type: multipart/mixed; boundary=a\n\n".to_owned() + &"--a\n\né\n".repeat(10_100);
    assert_eq!(only_reason(&many, Encoding::Utf8), Reason::TooManyParts);
}

#[test]
fn guesses_are_counted_and_labelled() {
    for (head, body, count) in [
        ("", &b"caf\xE9\n"[..], 1),
        ("Content-Type: text/plain\n", "café\n".as_bytes(), 1),
        ("Content-Type: text/plain; charset=x-unknown\n", b"caf\xE9\n", 1),
        ("Content-Type: text/plain; charset=us-ascii\n", b"caf\xE9\n", 1),
        ("Content-Type: text/plain; charset=latin1\n", b"caf\xE9\n", 0),
        ("Content-Type: text/plain; charset=latin1\n", b"\x93caf\xE9\x94\n", 1),
    ] {
        let src = [format!("Subject: x\n{head}\n").as_bytes(), body].concat();
        let message = Message::parse(&src);
        let rewritten = message.rewrite(&Options::to(Encoding::Utf8));
        let texts = &rewritten.report().texts;
        assert_eq!((texts.converted, texts.guessed), (1, count), "{head}");
        let new = rewritten.to_vec();
        let new = Message::parse(&new);
        assert_eq!(new.parts()[0].content.charset(), Some("UTF-8"));
        assert!(!new.text(&new.parts()[0]).unwrap().charset.is_guess());
        assert!(new.text(&new.parts()[0]).unwrap().text.contains("café"));
        assert_eq!(
            new.fields(&new.parts()[0]).filter(|f| f.is("MIME-Version")).count(),
            usize::from(head.is_empty())
        );
    }
}

#[test]
fn the_rest_stays_byte_for_byte() {
    let src = b"Received: from x\r\n\tby y\r\nSUBJECT:a  \t\xE9\r\nTo : \"a\\\"b\" <c@d>\r\n\
        content-type:Multipart/Mixed;\r\n\tBOUNDARY=\"=_a\"  (comment)\r\n\r\npreamble \xFF\r\n--=_a  \r\n\
        Content-Type: application/octet-stream\r\n\r\n\0\x01\r\xFF\r\n--=_a\r\n\
        Content-Type: TEXT/plain; format=flowed; CHARSET=\"utf-7\"; delsp=no\r\n\r\n+Jjo-\r\n--=_a--\r\nepilogue \xFE";
    let new = check(src, &Options::to(Encoding::Utf8));
    let expected = b"Received: from x\r\n\tby y\r\nSUBJECT:a  \t=?UTF-8?Q?=C3=A9?=\r\nTo : \"a\\\"b\" <c@d>\r\n\
        content-type:Multipart/Mixed;\r\n\tBOUNDARY=\"=_a\"  (comment)\r\n\r\npreamble \xFF\r\n--=_a  \r\n\
        Content-Type: application/octet-stream\r\n\r\n\0\x01\r\xFF\r\n--=_a\r\n\
        Content-Type: TEXT/plain; format=flowed; CHARSET=UTF-8; delsp=no\r\n\
        Content-Transfer-Encoding: quoted-printable\r\n\r\n=E2=98=BA\r\n--=_a--\r\nepilogue \xFE";
    assert_eq!(new.escape_ascii().to_string(), expected.escape_ascii().to_string());
}

#[test]
fn lengths_that_are_wrong_now_go() {
    let src = "Content-Length: 6\nLines: 1\nContent-MD5: x\nContent-Type: text/plain; charset=utf-7\n\n+Jjo-\n";
    let found = rewrite(src, Encoding::Utf8);
    assert!(
        !found.contains("Content-Length") && !found.contains("Lines") && !found.contains("MD5"),
        "{found}"
    );
    let plain = "Content-Length: 3\n\nabc\n";
    assert_eq!(rewrite(plain, Encoding::Utf8), plain);
}

/// Random messages of significant pieces: nothing panics, converted text keeps its content, and
/// another run changes nothing.
#[test]
fn whatever_it_is() {
    let vocabulary: &[&[u8]] = &[
        b"=?utf-8?q?=C3=A9?=",
        b"=?latin1?q?=E9?=",
        b"=?utf-7?q?+Jjo-?=",
        b"=?utf-7?b?K0pqby0=?=",
        b" ",
        b" ",
        b"=?x?q?a?=",
        b"\n ",
        b"(",
        b")",
        b"<a@b.c>",
        b"\"",
        b"\\",
        b",",
        b";",
        b":",
        b"a",
        b"word",
        b"\xE9",
        b"\xC3\xA9",
        b"=E9",
        b"+Jjo-",
        b"+",
        b"=",
        b"--a",
        b"From ",
        b"filename=x",
        b"name*=utf-8''%C3%A9",
        b"name*0*=latin1''%E9",
        b"name*1*=%E9",
        b"name=\xE9",
        b";",
        b"\r",
        b"\xE2\x80\xA8",
        b"~",
        b"\\",
    ];
    let heads: &[&[u8]] = &[
        b"Subject: ",
        b"To: ",
        b"X-Y: ",
        b"Keywords: ",
        b"Content-Disposition: inline; ",
        b"From: ",
        b"Comments:",
    ];
    let types: &[&[u8]] = &[
        b"",
        b"Content-Type: text/plain\n",
        b"Content-Type: text/plain; charset=utf-7\n",
        b"Content-Type: text/html; charset=latin1\n",
        b"Content-Type: text/plain; charset=utf-8; name=\xE9\n",
        b"Content-Transfer-Encoding: base64\n",
        b"Content-Transfer-Encoding: quoted-printable\n",
    ];
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    let mut random = |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 33) as usize % below
    };
    for _ in 0..6_000 {
        let mut src = Vec::new();
        let fill = |src: &mut Vec<u8>, count: usize, random: &mut dyn FnMut(usize) -> usize| {
            for _ in 0..random(count) {
                src.extend_from_slice(vocabulary[random(vocabulary.len())]);
            }
        };
        for _ in 0..random(3) {
            src.extend_from_slice(heads[random(heads.len())]);
            fill(&mut src, 12, &mut random);
            src.extend_from_slice(b"\n");
        }
        let is_multipart = random(3) == 0;
        for part in 0..if is_multipart { 3 } else { 1 } {
            match (is_multipart, part) {
                (true, 0) => {
                    src.extend_from_slice(b"Content-Type: multipart/mixed; boundary=a\n\n--a\n")
                }
                (true, _) => src.extend_from_slice(b"\n--a\n"),
                _ => {}
            }
            src.extend_from_slice(types[random(types.len())]);
            src.extend_from_slice(types[random(types.len())]);
            src.extend_from_slice(b"\n");
            for _ in 0..random(4) {
                fill(&mut src, 30, &mut random);
                src.extend_from_slice(if random(2) == 0 { b"\n" } else { b"\r\n" });
            }
        }
        let body = BODIES[random(BODIES.len())];
        let options = Options::to(TARGETS[random(TARGETS.len())]).with_body(body);
        check(&src, &options);
    }
}

/// The byte `0A` is also half of U+4E0A in SCSU, and was treated as a line break.
#[test]
fn scsu_has_no_lines() {
    let text = "上海上海 海上\nabc\n";
    let message = format!(
        "Content-Type: text/plain; charset=UTF-8\r\n\
         Content-Transfer-Encoding: 8bit\r\n\r\n{}",
        text.replace('\n', "\r\n"),
    );
    let message = Message::parse(message.as_bytes());
    let bytes = message.rewrite(&Options::to(Encoding::Scsu)).pieces().collect::<Vec<_>>().concat();
    let rewritten = Message::parse(&bytes);
    let part = &rewritten.parts()[0];
    assert_eq!(part.content.transfer, Some(TransferEncoding::Base64));
    assert_eq!(rewritten.text(part).unwrap().text, text);
}

/// A field without encoded words has the charset of the text, or the detector's answer.
#[test]
fn eight_bit_fields_in_the_charset_of_the_text() {
    let subject = b"Subject: \xCF\xF0\xE8\xE2\xE5\xF2\n";
    let cyrillic = b"Content-Type: text/plain; charset=windows-1251\n\n\xC4\xE0\n";
    let src = [&subject[..], cyrillic].concat();
    let message = Message::parse(&src);
    let field = message.fields(&message.parts()[0]).next().unwrap();
    assert_eq!(field.decode(Rules::Lenient).text, "Привет");
    assert_eq!(field.raw.basis, Basis::Body);
    let new = check(&src, &Options::to(Encoding::Utf8).with_body(BODIES[2]));
    let new = String::from_utf8(new).unwrap();
    assert!(new.contains("=?UTF-8?B?0J/RgNC40LLQtdGC?=") && new.ends_with("\n\nДа\n"), "{new}");

    // UTF-8 is valid, and comes first.
    let src = ["Subject: é\n".as_bytes(), cyrillic].concat();
    let message = Message::parse(&src);
    assert_eq!(message.fields(&message.parts()[0]).next().unwrap().raw.basis, Basis::Validity);

    // In the charset of an attachment, it would be another text.
    let file = b"Content-Disposition: attachment\n";
    let src = [&subject[..], file, cyrillic].concat();
    let parse = || Message::parse(&src);
    let raw = |message: &Message<'_>| message.fields(&message.parts()[0]).next().unwrap().raw;
    assert_eq!(raw(&parse()).basis, Basis::Fallback);
    let detected = raw(&parse().with_detector(|_| Some(Encoding::Windows1251)));
    assert_eq!((detected.encoding, detected.basis), (Encoding::Windows1251, Basis::Detected));
    // An answer that a header field cannot have does not count.
    let wrong = parse().with_detector(|_| Some(Encoding::Utf16Le));
    assert_eq!(raw(&wrong).basis, Basis::Fallback);
}

/// Otherwise the next run would read the field in the new charset of the text.
#[test]
fn a_field_that_stays_keeps_the_text_it_was_guessed_from() {
    // U+20AC is not in KOI8-R.
    let src = b"Subject: \xCF\xF0\x88\nTo: \xC4\xE0 <a@b>\n\
        Content-Type: text/plain; charset=windows-1251\n\
        Content-Transfer-Encoding: 8bit\n\n\xC4\xE0\n";
    let options = Options::to(Encoding::Koi8R);
    let rewritten = Message::parse(src).rewrite(&options);
    assert_eq!(rewritten.to_vec(), src);
    assert_eq!(rewritten.report().texts.left[&Reason::Unencodable], 1);
    assert_eq!(rewritten.report().fields.left[&Reason::Unencodable], 2);
    assert_ne!(Message::parse(src).rewrite(&Options::to(Encoding::Utf8)).to_vec(), src);
    // Adding a label would change the guess, too. KOI8-R lacks U+00FB.
    let src = b"Subject: \xFB\n\na=\n";
    let options = options.with_body(TransferEncoding::QuotedPrintable);
    assert_eq!(Message::parse(src).rewrite(&options).to_vec(), src);
    check(src, &options);
}

/// Programs write 8-bit bytes into Q, and other readers accept them.
#[test]
fn encoded_words_with_8_bit_bytes() {
    let decoded = encoded_word::decode("=?UTF-8?Q?Café_au_lait?= x".as_bytes(), Rules::Lenient);
    assert_eq!((&*decoded.text, decoded.words, decoded.raw), ("Café au lait x", 1, 1));
    let decoded = encoded_word::decode(b"=?iso-8859-1?q?Caf\xE9?=", Rules::Lenient);
    assert_eq!((&*decoded.text, decoded.raw, decoded.ill_formed), ("Café", 1, 0));
    let strict = encoded_word::decode("=?UTF-8?Q?Café?=".as_bytes(), Rules::Strict);
    assert_eq!((&*strict.text, strict.words), ("=?UTF-8?Q?Café?=", 0));
    let base64 = encoded_word::decode("=?UTF-8?B?Café?=".as_bytes(), Rules::Lenient);
    assert_eq!((&*base64.text, base64.words), ("=?UTF-8?B?Café?=", 0));
    let new = check("Subject: =?UTF-8?Q?Café?=\n\nx\n".as_bytes(), &Options::to(Encoding::Utf8));
    assert_eq!(new, b"Subject: =?UTF-8?Q?Caf=C3=A9?=\n\nx\n");
}

/// Programs fold at a space, and begin the next line with a tab.
#[test]
fn folding_tabs_are_spaces() {
    let text = |value: &[u8]| encoded_word::decode(value, Rules::Lenient).text;
    assert_eq!(text(b"one\r\n\ttwo\tthree\n\t four"), "one two\tthree  four");
    assert_eq!(text(b"one\r\r\n\ttwo"), "one two");
    assert_eq!(text(b"=?utf-8?q?=0D=09?="), "\r\t");
}

/// Folding at a tab would change the text, since readers turn that tab into a space.
#[test]
fn lines_are_not_folded_at_tabs() {
    for length in 0..120 {
        for space in ["\t", "\t\t", " \t", "\t ", " "] {
            let plain = "x".repeat(length);
            let src = format!("Subject: {plain}{space}é{space}{plain}\n\n");
            check(src.as_bytes(), &Options::to(Encoding::Utf8));
        }
    }
}
