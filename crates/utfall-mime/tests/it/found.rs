//! Regression tests for fuzzer findings: each has the message found, or a shorter one with the same
//! fault.

use utfall::Encoding;
use utfall_mime::encoded_word::Rules;
use utfall_mime::rewrite::{Options, Reason};
use utfall_mime::{Message, PartKind, TransferEncoding, base64, parameter};

const TARGETS: [Encoding; 6] = [
    Encoding::Utf8,
    Encoding::Utf7,
    Encoding::Utf16,
    Encoding::Utf16Be,
    Encoding::Utf32,
    Encoding::Ucs2,
];

/// The decoded texts and fields of a message.
fn says(src: &[u8]) -> (Vec<String>, Vec<String>) {
    let message = Message::parse(src);
    let texts = message.parts().iter().filter(|part| part.kind == PartKind::Text);
    let texts = texts.map(|part| message.text(part).unwrap().text).collect();
    let fields = message.parts().iter().flat_map(|part| message.fields(part));
    let fields = fields
        .filter(|field| !field.is("Content-Type") && !field.is("Content-Transfer-Encoding"))
        .filter(|field| !field.is("MIME-Version"))
        .map(|field| field.decode(Rules::Lenient).text)
        .collect();
    (texts, fields)
}

fn rewrite(src: &[u8], to: Encoding) -> Vec<u8> {
    Message::parse(src).rewrite(&Options::to(to)).to_vec()
}

/// Converting preserves the decoded content, and converting again changes nothing.
fn check(src: &[u8], to: Encoding) {
    let new = rewrite(src, to);
    assert_eq!(says(&new), says(src), "{to}: {} -> {}", src.escape_ascii(), new.escape_ascii());
    let again = rewrite(&new, to);
    assert_eq!(again.escape_ascii().to_string(), new.escape_ascii().to_string(), "{to}");
}

/// A text with a BOM followed by U+FEFF lost the latter, since the next reader mistook it for the BOM.
#[test]
fn a_text_that_begins_with_a_bom_after_its_bom() {
    let utf8 = b"Content-Type: text/plain; charset=utf-8\n\n\xEF\xBB\xBF\xEF\xBB\xBFa\n";
    assert_eq!(says(utf8).0, ["\u{FEFF}a\n"]);
    // UTF-16 has exactly one BOM.
    let bytes = base64::encode(b"\xFE\xFF\xFE\xFF\x26\x3A\0\n");
    let head = "Content-Type: text/plain; charset=utf-16\nContent-Transfer-Encoding: base64\n\n";
    let utf16 = format!("{head}{bytes}\n").into_bytes();
    assert_eq!(says(&utf16).0, ["\u{FEFF}\u{263A}\n"]);
    for to in TARGETS {
        check(utf8, to);
        check(&utf16, to);
    }
}

/// U+FEFF at the start of an encoded word, or of 8-bit text, was removed as a BOM, although it was
/// text.
#[test]
fn a_mark_in_a_field_is_text() {
    let coded = b"Subject: a =?utf-8?q?=EF=BB=BFb?= =?utf-7?q?+/v8-c?=\n\n";
    assert_eq!(says(coded).1, ["a \u{FEFF}b\u{FEFF}c"]);
    let raw = b"Subject: \xEF\xBB\xBFa\n\n";
    assert_eq!(says(raw).1, ["\u{FEFF}a"]);
    for to in [Encoding::Utf8, Encoding::Utf7] {
        check(coded, to);
        check(raw, to);
    }
}

/// Encoded words of UTF-16, each with a BOM: after joining, all except the first BOM became text.
#[test]
fn words_that_each_have_a_mark() {
    let words = b"Subject: =?UTF-16?B?/v8AYQ==?= =?UTF-16?B?/v8AYg==?=\n\n";
    assert_eq!(says(words).1, ["ab"]);
    // Words with a single BOM still form one text.
    let joined = b"Subject: =?UTF-16?B?//5hAA==?= =?UTF-16?B?YgA=?=\n\n";
    assert_eq!(says(joined).1, ["ab"]);
    let long = format!("Subject: {}\n\n", "\u{20AC}\u{FEFF}".repeat(80));
    for to in TARGETS {
        check(words, to);
        check(joined, to);
        check(long.as_bytes(), to);
    }
}

/// Sections of a parameter in an encoding with BOMs or states are decoded as one text.
#[test]
fn sections_in_encodings_with_marks_or_states() {
    for text in ["%E2%82%ACb", "%EF%BB%BF%E2%82%AC"] {
        let src = format!("Content-Disposition: inline; filename*=utf-8''{}\n\n", text.repeat(60));
        for to in TARGETS {
            check(src.as_bytes(), to);
        }
    }
}

/// A `Content-Type` to which no charset could be added was fixed when its name was rewritten, so
/// that the next run rewrote the text as well.
#[test]
fn a_content_type_that_no_charset_can_be_added_to() {
    let src = b"Content-Type: text/html; name=\xFF (\n\n\xFF\n";
    for to in [Encoding::Utf8, Encoding::Utf7] {
        check(src, to);
    }
    let message = Message::parse(src);
    let report = message.rewrite(&Options::to(Encoding::Utf8)).report().clone();
    assert_eq!((report.texts.left_alone(), report.fields.left_alone()), (1, 1));
}

/// A section after a gap, which readers did not treat as part of the value, became part of it when
/// the value was written in sections.
#[test]
fn a_section_after_a_gap_stays_after_it() {
    for before in ["filename=", "filename*0*=latin1''%FF; filename*1="] {
        let value = "\u{FF}".repeat(30);
        let src = format!("Content-Disposition: inline; filename*3=x; {before}{value}\n\n");
        check(src.as_bytes(), Encoding::Utf8);
        check(src.as_bytes(), Encoding::Utf7);
    }
}

/// A duplicated section: the unused copy came before the rewritten ones. Readers disagree about
/// which one counts, so the field stays unchanged.
#[test]
fn a_section_that_is_there_twice() {
    let value = "\u{FF}".repeat(60);
    let src = format!(
        "Content-Disposition: inline; filename*1=\"{value}\"; filename*1*=; filename*0=\n\n"
    );
    check(src.as_bytes(), Encoding::Utf8);
    let message = Message::parse(src.as_bytes());
    let rewritten = message.rewrite(&Options::to(Encoding::Utf8));
    assert_eq!(rewritten.report().fields.left.get(&Reason::Ambiguous), Some(&1));
}

/// A value in sections whose encoded words contain only US-ASCII, next to a plain one: it was
/// written as a plain one, and readers then used the other.
#[test]
fn a_value_of_ascii_beside_a_plain_one() {
    let src = b"Content-Disposition: inline; name=\"\xFF\"; name*0==?utf-8?q?a?=\n\n";
    assert_eq!(says(src).1, ["inline; name=\"a\""]);
    for to in TARGETS {
        check(src, to);
    }
}

/// The web's encoders for Japanese replace halfwidth katakana, the yen sign and others with similar
/// characters.
#[test]
fn japanese_that_would_become_other_characters() {
    for text in ["\u{FF66}", "\u{A5}", "\u{203E}", "\u{2212}"] {
        let src = format!("Subject: {text}\nContent-Type: text/plain; charset=utf-8\n\n{text}\n");
        for to in [Encoding::Iso2022Jp, Encoding::ShiftJis, Encoding::EucJp] {
            check(src.as_bytes(), to);
        }
    }
}

/// A header without an empty line at the end, because the body began with something other than a
/// field: the new body began with a field.
#[test]
fn a_header_that_ends_without_an_empty_line() {
    let head = b"Content-Transfer-Encoding: quoted-printable\nContent-Type: text/plain; charset=iso-8859-1\n";
    let src = [&head[..], b"\xFF=\nSubject: \n"].concat();
    assert_eq!(says(&src).0, ["\u{FF}Subject:\n"]);
    for to in TARGETS {
        check(&src, to);
    }
}

/// Its first line was parsed as its header, and the rewritten message had it in its text.
#[test]
fn an_attached_message_that_begins_without_an_empty_line() {
    let src = b"Content-Type: message/rfc822\n--3--\ncaf\xE9\n";
    let message = Message::parse(src);
    let inner = &message.parts()[1];
    assert_eq!((inner.header.len(), message.bytes(&inner.body)), (0, &b"--3--\ncaf\xE9\n"[..]));
}

/// The new fields of an attached message without a header were added to the header around it, again
/// each time.
#[test]
fn an_attached_message_without_a_header_gets_one_of_its_own() {
    let src = b"Content-Type: message/rfc822\n--3--\nSubject: x\ncaf\xE9\n";
    for to in TARGETS {
        check(src, to);
    }
}

/// Each section of a parameter restarted the encoding, so that together they were ill-formed, or
/// decoded to another text.
#[test]
fn sections_of_a_parameter_that_are_decoded_together() {
    let text = "日本語のファイル, ÄÖÜ. ".repeat(6);
    let text = text.trim_end();
    for to in
        [Encoding::Iso2022Jp, Encoding::Scsu, Encoding::Bocu1, Encoding::Utf7, Encoding::Utf16]
    {
        let text = text.replace(['Ä', 'Ö', 'Ü'], if to == Encoding::Iso2022Jp { "Я" } else { "é" });
        let sections = parameter::encode("name", &text, b"", to, 60).unwrap();
        assert!(sections.len() > 3, "{to}");
        assert!(sections.iter().all(|section| section.len() <= 60 + "name*00*=".len()), "{to}");
        let value = format!("inline; {}", sections.join("; "));
        let read = parameter::parse(value.as_bytes());
        let name = read.get("name").unwrap();
        assert_eq!((&name.value, name.ill_formed), (&text, 0), "{to}: {value}");
    }
}

/// An apparent encoded word in an extended value was decoded or, if an escape hid it, preserved and
/// decoded by the next run.
#[test]
fn what_looks_like_a_word_in_an_extended_value_is_text() {
    let word = "=?utf-8?q?=C3=A9?=";
    for (src, text) in [
        // Extended, in another charset, next to text that must be converted.
        (format!("name*=iso-8859-1''%FF{word}"), format!("\u{FF}{word}")),
        (format!("name*0*=iso-8859-1''%FF; name*1=\"{word}\""), format!("\u{FF}{word}")),
        // All US-ASCII: it stays as it is.
        (format!("name*=us-ascii''{}", word.replace('=', "%3D")), word.to_owned()),
        // A word whose content looks like a word.
        ("name=\"=?utf-8?q?=3D=3Futf-8=3Fq=3F=3DC3=3DA9=3F=3D?=\"".to_owned(), word.to_owned()),
        // Only the escapes make it a word.
        ("name*=utf-8''%C3%A9=%3Futf-8?q?a?=".to_owned(), "\u{E9}=?utf-8?q?a?=".to_owned()),
    ] {
        let src = format!("Content-Disposition: inline; {src}\n\n");
        assert_eq!(says(src.as_bytes()).1, [format!("inline; name=\"{text}\"")], "{src}");
        for to in TARGETS {
            check(src.as_bytes(), to);
        }
    }
    // Sections are joined before words are decoded, so a long one must not be written as a plain
    // value.
    let long = format!("{}{word}", "a".repeat(60));
    let written = parameter::encode("name", &long, b"", Encoding::Utf8, 50).unwrap().join("; ");
    let read = parameter::parse(format!("inline; {written}").as_bytes());
    assert_eq!(read.get("name").unwrap().decode(Rules::Lenient).text, long);
}

/// A word in an unknown charset, next to 8-bit bytes, was rewritten as text, so that readers that
/// know the charset could no longer decode it.
#[test]
fn a_word_in_an_unknown_charset_stays_in_a_parameter() {
    let src = b"Content-Disposition: inline; name=\"=?x-unknown?q?a?= \xC3\xA9\"\n\n";
    check(src, Encoding::Utf8);
    let message = Message::parse(src);
    let rewritten = message.rewrite(&Options::to(Encoding::Utf8));
    assert_eq!(rewritten.report().fields.left.get(&Reason::UnknownCharset), Some(&1));
}

/// A header without an empty line at the end got one with its new field, and the `From ` after it
/// began another message of the mbox.
#[test]
fn an_empty_line_that_would_begin_a_message_of_an_mbox() {
    let src = b"Content-Type: message/rfc822\n\
        From a Sat Nov 21 2026\nContent-Type: text/html; charset=iso-8859-1\n\n\xE9\n";
    let body = Some(TransferEncoding::EightBit);
    let options = Options::to(Encoding::Utf8).with_body(body);
    let new = Message::parse_quoted(src).rewrite(&options).to_vec();
    assert_eq!(
        new.escape_ascii().to_string(),
        "Content-Type: message/rfc822\\nContent-Transfer-Encoding: 8bit\\n\
         From a Sat Nov 21 2026\\nContent-Type: text/html; charset=UTF-8\\n\
         Content-Transfer-Encoding: 8bit\\n\\n\\xc3\\xa9\\n",
    );
    let again = Message::parse_quoted(&new).rewrite(&options).to_vec();
    assert_eq!(again, new);
}

/// A boundary directly after the header that names it, without an empty line, was missed; rewriting
/// ended the header, which exposed the boundary.
#[test]
fn a_boundary_right_after_the_header_that_names_it() {
    let src = b"Content-Type: multipart/mixed; boundary=3\n--3\n--3\n\n\xE9\n--3--\n";
    let message = Message::parse(src);
    let parts: Vec<_> =
        message.parts().iter().map(|part| (part.kind, message.bytes(&part.body))).collect();
    assert_eq!(
        parts,
        [
            (PartKind::Multipart, &src[42..]),
            (PartKind::Text, &b""[..]),
            (PartKind::Text, &b"\xE9"[..])
        ]
    );
    for to in TARGETS {
        check(src, to);
    }
}

/// An invalid language tag from a quoted value was written without quotes, and its `;` began
/// another parameter.
#[test]
fn a_language_that_is_no_tag() {
    let src = b"Content-Disposition: inline; name*=\"iso-8859-1'e;n'\xDE%DE\"\n\n";
    check(src, Encoding::Utf8);
    let message = Message::parse(src);
    let rewritten = message.rewrite(&Options::to(Encoding::Utf8));
    assert_eq!(rewritten.report().fields.left.get(&Reason::Ambiguous), Some(&1));
    let written = parameter::encode("name", "\u{DE}", b"e;n", Encoding::Utf8, 50).unwrap();
    assert_eq!(written, ["name*=UTF-8''%C3%9E"]);
}
