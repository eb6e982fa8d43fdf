//! Messages of many shapes: the positions of their parts, and limits on work.

use utfall_mime::encoded_word::{self, Rules};
use utfall_mime::header::{self, Kind};
use utfall_mime::{DEEPEST, MOST_PARTS, Message, NoText, PartKind, parameter};

/// Kind, media type and body of each part.
fn outline(src: &[u8]) -> Vec<(PartKind, String, String)> {
    let message = Message::parse(src);
    let parts = message.parts().iter();
    parts
        .map(|part| {
            let body = message.bytes(&part.body).escape_ascii().to_string();
            (part.kind, part.content.media_type.clone(), body)
        })
        .collect()
}

#[test]
fn one_part() {
    for (src, body) in [
        (&b"Subject: a\n\nbody\n"[..], "body\\n"),
        (b"Subject: a\r\n\r\nbody", "body"),
        (b"\nbody\n", "body\\n"),
        (b"", ""),
        (b"Subject: a", ""),
        (b"Subject: a\n", ""),
        // No empty line, and no header at all.
        (b"Subject: a\nbody here\n", "body here\\n"),
        (b"just text\n", "just text\\n"),
        // Folded, with a line of spaces.
        (b"Subject: a\n \n b\n\nbody\n", "body\\n"),
        (b"From me Sat Nov 21 2026\nSubject: a\n\nbody\n", "body\\n"),
    ] {
        let outline = outline(src);
        assert_eq!(
            outline,
            [(PartKind::Text, "text/plain".into(), body.into())],
            "{}",
            src.escape_ascii()
        );
    }
}

#[test]
fn nested() {
    let src = b"Content-Type: multipart/mixed; boundary=\"a\"\n\n\
        preamble --a\n--ab\n\
        --a\nContent-Type: multipart/alternative; boundary=ab\n\n\
        --ab\n\none\n--ab \nContent-Type: text/html\n\n<p>--a\ntwo\n\n--ab--\nepilogue\n\
        --a\nContent-Type: message/rfc822\n\nSubject: inner\nContent-Type: image/png\n\nPNG\n\
        --a--\n\nepilogue\n";
    let outline = outline(src);
    let expected = [
        (PartKind::Multipart, "multipart/mixed"),
        (PartKind::Multipart, "multipart/alternative"),
        (PartKind::Text, "text/plain"),
        (PartKind::Text, "text/html"),
        (PartKind::Message, "message/rfc822"),
        (PartKind::Other, "image/png"),
    ];
    let found: Vec<_> = outline.iter().map(|(kind, media, _)| (*kind, &**media)).collect();
    assert_eq!(found, expected);
    assert_eq!(outline[2].2, "one");
    // The outer boundary does not count within a line.
    assert_eq!(outline[3].2, "<p>--a\\ntwo\\n");
    assert_eq!(outline[5].2, "PNG");
    let message = Message::parse(src);
    let parents: Vec<_> = message.parts().iter().map(|part| part.parent).collect();
    assert_eq!(parents, [None, Some(0), Some(1), Some(1), Some(0), Some(4)]);
    assert_eq!(message.boundaries(&message.parts()[3]).collect::<Vec<_>>(), [&b"ab"[..], b"a"]);
}

#[test]
fn damaged() {
    // The inner multipart has no end; the outer one ends both.
    let src = b"Content-Type: multipart/mixed; boundary=a\n\n--a\n\
        Content-Type: multipart/mixed; boundary=b\n\n--b\n\none\n--a\n\ntwo\n--b\n--a--\n";
    let bodies: Vec<_> = outline(src).into_iter().map(|(_, _, body)| body).collect();
    assert_eq!(bodies[2..], ["one".to_owned(), "two\\n--b".to_owned()]);
    // A header that is ended by a boundary.
    let src = b"Content-Type: multipart/mixed; boundary=a\n\n--a\nContent-Type: text/html\n--a--\n";
    assert_eq!(outline(src)[1], (PartKind::Text, "text/html".into(), String::new()));
    // A boundary that never occurs, and invalid boundaries.
    for boundary in ["x", "\"\"", "\"  \""] {
        let src = format!("Content-Type: multipart/mixed; boundary={boundary}\n\n--\n--y\n");
        assert_eq!(outline(src.as_bytes()).len(), 1);
    }
    // A digest is a multipart of messages.
    let src = b"Content-Type: multipart/digest; boundary=a\n\n--a\n\nSubject: b\n\nbody\n--a--\n";
    assert_eq!(outline(src)[1].0, PartKind::Message);
    assert_eq!(outline(src)[2].2, "body");
}

#[test]
fn no_text() {
    for (header, why) in [
        ("Content-Type: image/png", NoText::OtherMedia),
        ("Content-Transfer-Encoding: x-uuencode", NoText::UnknownTransferEncoding),
        ("Content-Type: text/plain; charset=x-klingon", NoText::UnknownCharset),
    ] {
        let src = format!("{header}\n\nbody\n");
        let message = Message::parse(src.as_bytes());
        assert_eq!(message.text(&message.parts()[0]), Err(why));
    }
}

/// `mail-parser` finds the same structure in the same messages.
#[test]
fn mail_parser_agrees() {
    let analects = include_str!("../../../../examples/analects.utf7");
    let mut compared = 0;
    for eol in ["\n", "\r\n"] {
        for (depth, count) in [(0, 0), (1, 1), (1, 3), (2, 2), (3, 4)] {
            let src = tree(depth, count, analects).replace('\n', eol);
            let ours = Message::parse(src.as_bytes());
            let theirs = mail_parser::MessageParser::new().with_mime_headers().parse(&src).unwrap();
            let leaves = ours.parts().iter().filter(|part| part.kind == PartKind::Text);
            let others = theirs.parts.iter().filter(|part| part.is_text());
            let mut count = 0;
            for (part, other) in leaves.clone().zip(others.clone()) {
                assert_eq!(part.header.start, other.offset_header as usize);
                assert_eq!(part.body.start, other.offset_body as usize);
                assert_eq!(part.body.end, other.offset_end as usize);
                count += 1;
            }
            assert_eq!((count, count), (leaves.count(), others.count()));
            compared += count;
        }
    }
    assert!(compared > 2 * 60, "{compared}");
}

fn tree(depth: usize, count: usize, text: &str) -> String {
    if depth == 0 {
        return format!("Content-Type: text/plain; charset=utf-7\n\n{text}");
    }
    let part = tree(depth - 1, count, text);
    let mut src = format!("Content-Type: multipart/mixed; boundary=\"level {depth}\"\n\n");
    for _ in 0..count {
        src += &format!("--level {depth}\n{part}\n");
    }
    src + &format!("--level {depth}--\n")
}

fn everything(src: &[u8]) {
    let message = Message::parse_quoted(src);
    for part in message.parts() {
        for field in message.fields(part) {
            _ = field.decode(Rules::Lenient);
            _ = field.decode(Rules::Strict);
        }
        _ = message.text(part);
    }
    for to in [utfall::Encoding::Utf8, utfall::Encoding::Utf7] {
        _ = message.rewrite(&utfall_mime::rewrite::Options::to(to)).to_vec();
    }
}

/// How often a hostile piece is repeated. Quadratic work would take 40,000 million steps per case,
/// and the test would not end.
const MANY: usize = 200_000;

/// Parsing and rewriting of repeated input always ends.
#[test]
fn hostile_repetition_comes_to_an_end() {
    let cases: &[(&str, &[u8], &[u8])] = &[
        ("dashes", b"", b"--\n"),
        (
            "parts with missing boundaries",
            b"Content-Type: multipart/mixed; boundary=a\n\n",
            b"--a\nContent-Type: multipart/mixed; boundary=z\n\nb\n",
        ),
        ("fields", b"", b"Content-Type: text/plain\n"),
        ("short fields", b"", b"a:\n"),
        ("begun words", b"Subject: ", b"=?utf-8?q?"),
        ("begun words without space", b"Subject: ", b"=?"),
        ("words", b"Subject: ", b"=?utf-8?q?=C3?= "),
        ("words and others", b"Subject: ", b"\xC3\xA9 a "),
        ("phrases", b"To: ", b"\xC3\xA9 <a>,"),
        ("texts", b"", b"Content-Type: multipart/mixed; boundary=a\n\n--a\n\n\xE9\n"),
        ("long lines", b"", b"\xE9 and more"),
        ("8-bit words", b"Subject: ", b"\xE9 "),
        ("8-bit comments", b"To: ", b"(\xE9)"),
        ("words of UTF-7", b"Subject: ", b"=?utf-7?q?+Jjo?= "),
        ("comments", b"To: ", b"("),
        ("comments that end", b"To: ", b"(()"),
        ("quotes", b"To: ", b"\""),
        ("backslashes", b"To: ", b"\"\\"),
        ("angles", b"To: ", b"<"),
        ("words in addresses", b"To: ", b"a =?utf-8?q?a,"),
        ("equals", b"To: ", b"a==?"),
        ("sections", b"Content-Type: a/b", b";a*0=b"),
        ("parameters", b"Content-Type: a/b", b";a=b;"),
        ("comments in parameters", b"Content-Type: a/b", b";(a=(b"),
        ("folds", b"Subject: ", b"\n "),
        ("soft line breaks", b"Content-Transfer-Encoding: quoted-printable\n\n", b"=  \t"),
        ("padding", b"Content-Transfer-Encoding: base64\n\n", b"A="),
        ("quoted lines", b"", b">>From \n"),
    ];
    for (name, head, piece) in cases {
        let src = [*head, &piece.repeat(MANY), b"\n\nbody"].concat();
        // With `--nocapture`, the last name printed is that of the case that hangs.
        println!("{name}");
        everything(&src);
    }
}

#[test]
fn depth_and_number_are_limited() {
    let mut src = Vec::new();
    for level in 0..500 {
        src.extend(
            format!("Content-Type: multipart/mixed; boundary=b{level}\n\n--b{level}\n")
                .into_bytes(),
        );
    }
    let message = Message::parse(&src);
    assert!(message.is_limited());
    assert!(message.parts().iter().all(|part| part.depth <= DEEPEST));
    let nested = b"Content-Type: message/rfc822\n\n".repeat(500);
    assert!(Message::parse(&nested).is_limited());
    let many = b"--a\n\n".repeat(MOST_PARTS + 5);
    let many = [b"Content-Type: multipart/mixed; boundary=a\n\n", &many[..]].concat();
    let message = Message::parse(&many);
    assert!(message.is_limited() && message.parts().len() <= MOST_PARTS);
    assert!(!Message::parse(b"\n").is_limited());
}

/// Random input of pieces significant to each parser: no panics, no gaps between pieces, ranges
/// within the input.
#[test]
fn whatever_it_is() {
    let vocabulary: &[&[u8]] = &[
        b"=?",
        b"?=",
        b"?q?",
        b"?B?",
        b"utf-7",
        b"utf-8",
        b"=C3",
        b"=A9",
        b"+Jjo-",
        b"Jjo=",
        b" ",
        b"\n",
        b"\r\n",
        b"\n ",
        b"\t",
        b"(",
        b")",
        b"<",
        b">",
        b"\"",
        b"\\",
        b",",
        b";",
        b":",
        b"@",
        b"=",
        b"*",
        b"*0*",
        b"*1",
        b"''",
        b"%",
        b"%E9",
        b"\xE9",
        b"\xFF",
        b"\0",
        b"--",
        b"--a",
        b"--a--",
        b"a",
        b"From ",
        b">From ",
        b"Content-Type",
        b"multipart/mixed",
        b"boundary=a",
        b"message/rfc822",
        b"charset=",
        b"Content-Transfer-Encoding: base64\n",
        b"Subject: ",
        b"To: ",
        b"\n\n",
        b"text/html",
        b"name=",
    ];
    let mut state = 0x2545_F491_4F6C_DD1D_u64;
    let mut random = |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 33) as usize % below
    };
    for _ in 0..20_000 {
        let mut src = Vec::new();
        for _ in 0..random(40) {
            src.extend_from_slice(vocabulary[random(vocabulary.len())]);
        }
        everything(&src);
        for rules in [Rules::Strict, Rules::Lenient] {
            let mut end = 0;
            for piece in encoded_word::pieces(&src, rules) {
                assert_eq!(piece.range().start, end);
                assert!(piece.range().end > end);
                end = piece.range().end;
            }
            assert_eq!(end, src.len());
        }
        let mut end = 0;
        for span in header::spans(Kind::Address, &src) {
            assert!(
                span.range.start >= end && span.range.end <= src.len(),
                "{}",
                src.escape_ascii()
            );
            end = span.range.end;
        }
        for one in parameter::parse(&src).all {
            for section in one.sections {
                assert!(src.get(section.range.clone()).is_some());
                assert!(section.range.start <= section.value.start);
                assert_eq!(section.range.end, section.value.end);
            }
        }
        let message = Message::parse(&src);
        for part in message.parts() {
            assert!(part.header.end <= part.body.start && part.body.end <= src.len());
        }
    }
}
