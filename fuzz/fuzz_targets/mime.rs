//! Mail: encoded words against the oracle; parts are inside the message; a rewritten message has
//! the same text as before, is valid mail, and is not rewritten again; an mbox read in pieces is
//! the same, and keeps its number of messages.
#![no_main]

use std::io::{self, Read};

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use utfall::Encoding;
use utfall_mime::encoded_word::{LONGEST, Piece, Rules, pieces};
use utfall_mime::header::{Field, Kind};
use utfall_mime::mbox::{Item, Mbox};
use utfall_mime::rewrite::Options;
use utfall_mime::{Message, Part, PartKind, TransferEncoding};

#[derive(Arbitrary, Debug)]
struct Input {
    lines: Vec<Line>,
    is_mbox: bool,
    crlf: bool,
    to: u8,
    body: u8,
    wrap: bool,
    /// How many bytes of an mbox to read at a time, and the limit for its messages.
    cuts: Vec<u8>,
    longest: u8,
}

/// The lines of messages.
#[derive(Arbitrary, Debug)]
enum Line {
    Subject(Vec<Token>),
    To(Vec<Token>),
    Disposition(Vec<Parameter>),
    Type { charset: u8, twice: bool },
    TypeOf(Vec<Parameter>),
    Multipart { name: u8, is_digest: bool },
    Message,
    Boundary(u8),
    Close(u8),
    Transfer(u8),
    From { quotes: u8 },
    Empty,
    Text(Vec<Token>),
    Any(Vec<u8>),
}

#[derive(Arbitrary, Debug)]
enum Token {
    Space,
    Fold,
    Plain,
    Word { charset: u8, base64: bool, text: String },
    Utf7,
    Escape(u8),
    Raw(String),
    Special(u8),
    Any(Vec<u8>),
}

/// `; name*0*=charset''value` and the like.
#[derive(Arbitrary, Debug)]
struct Parameter {
    name: bool,
    section: Option<u8>,
    is_extended: bool,
    charset: Option<u8>,
    is_quoted: bool,
    value: Vec<Token>,
}

const CHARSETS: [&str; 12] = [
    "UTF-8",
    "utf-7",
    "iso-8859-1",
    "us-ascii",
    "windows-1252",
    "koi8-r",
    "x-unknown",
    "iso-2022-jp",
    "utf-16",
    "shift_jis",
    "unicode-1-1-utf-8",
    "gb18030",
];

/// The encodings for writing mail.
const TARGETS: [Encoding; 16] = [
    Encoding::Utf8,
    Encoding::Utf7,
    Encoding::Utf16,
    Encoding::Utf16Le,
    Encoding::UsAscii,
    Encoding::Iso8859_1,
    Encoding::Windows1252,
    Encoding::Koi8R,
    Encoding::Iso2022Jp,
    Encoding::ShiftJis,
    Encoding::EucJp,
    Encoding::EucKr,
    Encoding::Big5,
    Encoding::Gb18030,
    Encoding::Unicode11Utf7,
    Encoding::Unicode11Utf8,
];

const BODIES: [Option<TransferEncoding>; 5] = [
    None,
    Some(TransferEncoding::SevenBit),
    Some(TransferEncoding::EightBit),
    Some(TransferEncoding::QuotedPrintable),
    Some(TransferEncoding::Base64),
];

fn charset(number: u8) -> &'static str {
    CHARSETS[usize::from(number) % CHARSETS.len()]
}

fn push(tokens: &[Token], out: &mut Vec<u8>) {
    for token in tokens {
        match token {
            Token::Space => out.push(b' '),
            Token::Fold => out.extend(b"\n "),
            Token::Plain => out.extend(b"plain"),
            Token::Utf7 => out.extend(b"+ZeVnLIqe-"),
            Token::Escape(byte) => out.extend(format!("={byte:02X}").bytes()),
            Token::Raw(text) => out.extend(text.bytes()),
            Token::Special(number) => {
                const SPECIALS: &[u8; 12] = b"\"\\()<>,;:@'\t";
                out.push(SPECIALS[usize::from(number % 12)]);
            }
            Token::Any(bytes) => out.extend(bytes),
            Token::Word { charset: number, base64, text } => {
                let scheme = if *base64 { "B" } else { "Q" };
                out.extend(format!("=?{}?{scheme}?", charset(*number)).bytes());
                for byte in text.bytes() {
                    match (base64, byte) {
                        (false, b' ') => out.push(b'_'),
                        (false, _) => out.extend(format!("={byte:02X}").bytes()),
                        (true, _) => out.push(byte),
                    }
                }
                out.extend(b"?=");
            }
        }
    }
}

fn push_parameters(parameters: &[Parameter], out: &mut Vec<u8>) {
    for parameter in parameters {
        out.extend(if parameter.name { &b"; filename"[..] } else { b"; name" });
        if let Some(section) = parameter.section {
            out.extend(format!("*{}", section % 4).bytes());
        }
        out.extend(if parameter.is_extended { &b"*="[..] } else { b"=" });
        let quote = if parameter.is_quoted { &b"\""[..] } else { b"" };
        out.extend(quote);
        if let Some(number) = parameter.charset {
            out.extend(format!("{}'en'", charset(number)).bytes());
        }
        let mut value = Vec::new();
        push(&parameter.value, &mut value);
        for byte in value {
            match byte {
                b'=' if parameter.is_extended => out.push(b'%'),
                128.. if parameter.is_extended => out.extend(format!("%{byte:02X}").bytes()),
                byte => out.push(byte),
            }
        }
        out.extend(quote);
    }
}

impl Input {
    fn bytes(&self) -> Vec<u8> {
        let from = b"From a Sat Nov 21 2026";
        let eol = if self.crlf { &b"\r\n"[..] } else { b"\n" };
        let mut out = if self.is_mbox { [&from[..], eol].concat() } else { Vec::new() };
        for line in &self.lines {
            match line {
                Line::Subject(tokens) => {
                    out.extend(b"Subject: ");
                    push(tokens, &mut out);
                }
                Line::To(tokens) => {
                    out.extend(b"To: ");
                    push(tokens, &mut out);
                    out.extend(b" <a@b.example>");
                }
                Line::Disposition(parameters) => {
                    out.extend(b"Content-Disposition: inline");
                    push_parameters(parameters, &mut out);
                }
                Line::Type { charset: number, twice } => {
                    let charset = charset(*number);
                    out.extend(format!("Content-Type: text/plain; charset={charset}").bytes());
                    out.extend(if *twice { &b"; charset=utf-7"[..] } else { b"" });
                }
                Line::TypeOf(parameters) => {
                    out.extend(b"Content-Type: text/html");
                    push_parameters(parameters, &mut out);
                }
                Line::Multipart { name, is_digest } => {
                    let kind = if *is_digest { "digest" } else { "mixed" };
                    let field = format!("Content-Type: multipart/{kind}; boundary={}", name % 4);
                    out.extend(field.bytes());
                }
                Line::Message => out.extend(b"Content-Type: message/rfc822"),
                Line::Boundary(name) => out.extend(format!("--{}", name % 4).bytes()),
                Line::Close(name) => out.extend(format!("--{}--", name % 4).bytes()),
                Line::Transfer(name) => {
                    let name = ["7bit", "8bit", "quoted-printable", "base64", "x-other"]
                        [usize::from(name % 5)];
                    out.extend(format!("Content-Transfer-Encoding: {name}").bytes());
                }
                Line::From { quotes } => {
                    out.extend(b">".repeat(usize::from(quotes % 3)));
                    out.extend(from);
                }
                Line::Empty => {}
                Line::Text(tokens) => push(tokens, &mut out),
                Line::Any(bytes) => out.extend(bytes),
            }
            out.extend(eol);
        }
        out
    }
}

fn check_words(value: &[u8]) {
    let ours: Vec<_> = pieces(value, Rules::Strict)
        .filter_map(|piece| match piece {
            Piece::Word(word) => Some((word.range.start, word.range.end, word.bytes().to_vec())),
            Piece::Space(_) | Piece::Text(_) => None,
        })
        .collect();
    let oracle: Vec<_> = utfall_oracle::encoded_word::words(value)
        .into_iter()
        .map(|word| (word.begin, word.end, word.bytes))
        .collect();
    assert_eq!(ours, oracle);
    // The pieces have no gaps.
    for rules in [Rules::Strict, Rules::Lenient] {
        let mut at = 0;
        for piece in pieces(value, rules) {
            assert_eq!(piece.range().start, at);
            at = piece.range().end;
        }
        assert_eq!(at, value.len());
    }
}

/// Rewrites a message and returns it.
fn check_message(src: &[u8], is_quoted: bool, options: &Options) -> Vec<u8> {
    let parse = if is_quoted { Message::parse_quoted } else { Message::parse };
    let before = parse(src);
    for part in before.parts() {
        assert!(part.header.start <= part.header.end && part.header.end <= part.body.start);
        assert!(part.body.start <= part.body.end && part.body.end <= src.len());
    }
    let rewritten = before.rewrite(options);
    let new = rewritten.to_vec();
    let after = parse(&new);
    assert_eq!(after.parts().len(), before.parts().len(), "{}", new.escape_ascii());
    let mut changed = 0;
    for (part, other) in before.parts().iter().zip(after.parts()) {
        assert_eq!(other.kind, part.kind);
        assert_eq!(other.parent, part.parent);
        let is_changed = before.bytes(&part.body) != after.bytes(&other.body);
        if part.kind == PartKind::Text {
            check_text((&before, part), (&after, other), options);
            changed += u64::from(is_changed);
            if is_changed {
                check_body(&after, other, options.to);
            }
        } else if part.kind == PartKind::Other {
            assert!(!is_changed);
        }
        check_fields((&before, part), (&after, other), options.to);
    }
    assert!(changed <= rewritten.report().texts.converted);
    let again = after.rewrite(options).to_vec();
    assert_eq!(again.escape_ascii().to_string(), new.escape_ascii().to_string());
    new
}

fn check_text(before: (&Message<'_>, &Part), after: (&Message<'_>, &Part), options: &Options) {
    let text = before.0.text(before.1);
    let Ok(text) = text else {
        assert_eq!(after.0.text(after.1).map(|text| text.text), text.map(|text| text.text));
        return;
    };
    let mut text = text.text;
    let mut found = after.0.text(after.1).expect("it was a text").text;
    let is_plain = before.1.content.media_type == "text/plain";
    if is_plain && before.0.bytes(&before.1.body) != after.0.bytes(&after.1.body) {
        // RFC 2152 does not have a better line end.
        text = text.replace(['\u{2028}', '\u{2029}'], "\n");
        if options.wrap {
            // Lines are broken at white space, which is removed.
            text.retain(|c| !c.is_ascii_whitespace());
            found.retain(|c| !c.is_ascii_whitespace());
        }
    }
    assert_eq!(found, text);
}

/// Checks that a body that was written is valid mail.
fn check_body(message: &Message<'_>, part: &Part, to: Encoding) {
    let transfer = part.content.transfer.expect("it was written");
    assert_eq!(part.content.charset(), Some(to.name()));
    for line in message.bytes(&part.body).split(|byte| *byte == b'\n') {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        assert!(line.len() <= if transfer.is_identity() { 998 } else { 76 });
        assert!(!line.contains(&b'\r') && !line.contains(&0));
        assert!(transfer == TransferEncoding::EightBit || line.is_ascii());
        let text = line.iter().position(|byte| *byte != b'>').unwrap_or(line.len());
        assert!(!line[text..].starts_with(b"From "));
        let is_utf7 = matches!(to, Encoding::Utf7 | Encoding::Unicode11Utf7);
        if is_utf7 && transfer == TransferEncoding::SevenBit {
            // No run crosses a line.
            assert_eq!(to.validate(line), Ok(()));
        }
    }
}

fn check_fields(before: (&Message<'_>, &Part), after: (&Message<'_>, &Part), to: Encoding) {
    const MADE: [&str; 6] = [
        "Content-Type",
        "Content-Transfer-Encoding",
        "MIME-Version",
        "Content-MD5",
        "Content-Length",
        "Lines",
    ];
    let is_kept = |field: &Field<'_>| !MADE.iter().any(|name| field.is(name));
    let old: Vec<_> = before.0.fields(before.1).filter(is_kept).collect();
    let new: Vec<_> = after.0.fields(after.1).filter(is_kept).collect();
    assert_eq!(new.len(), old.len());
    for (old, new) in old.iter().zip(&new) {
        // Quotes are removed where words are encoded; white space at the edge of a word is one
        // space.
        let plain = |text: &str| {
            let text: String = text.chars().filter(|c| !matches!(c, '"' | '\\')).collect();
            text.split_whitespace().collect::<String>()
        };
        let (read, written) = (old.decode(Rules::Lenient), new.decode(Rules::Lenient));
        match old.kind() {
            Kind::Text => assert_eq!(written.text, read.text),
            _ => assert_eq!(plain(&written.text), plain(&read.text)),
        }
        if new.value == old.value {
            continue;
        }
        if new.kind() == Kind::Parameters {
            assert_eq!(written.ill_formed, 0);
            continue;
        }
        let longest = |value: &[u8]| value.split(|o| *o == b'\n').map(<[u8]>::len).max();
        assert!(longest(new.value) <= longest(old.value).max(Some(900)));
        for piece in pieces(new.value, Rules::Strict) {
            let Piece::Word(word) = piece else { continue };
            assert!(word.range.len() <= LONGEST);
            let word_is = |bytes: &[u8]| bytes == &new.value[word.range.clone()];
            let is_old = old.value.windows(word.range.len()).any(word_is);
            if word.encoding() == Some(to) && !is_old {
                // Nothing is split inside a character.
                assert_eq!(to.validate(word.bytes()), Ok(()));
            }
        }
    }
}

/// A reader that returns this many bytes at a time.
struct Cut<'a> {
    rest: &'a [u8],
    cuts: std::iter::Cycle<std::slice::Iter<'a, u8>>,
}

impl Read for Cut<'_> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        let length = self.cuts.next().map_or(self.rest.len(), |cut| usize::from(*cut).max(16));
        let length = length.min(self.rest.len()).min(room.len());
        let (head, rest) = self.rest.split_at(length);
        room[..length].copy_from_slice(head);
        self.rest = rest;
        Ok(length)
    }
}

/// The items of an mbox, and whether they are messages.
fn items(src: &[u8], cuts: &[u8], longest: usize) -> Vec<(bool, Vec<u8>)> {
    let mut mbox = Mbox::new(Cut { rest: src, cuts: cuts.iter().cycle() }, longest);
    let mut items = Vec::new();
    while let Some(item) = mbox.next().expect("a slice can be read") {
        items.push(match item {
            Item::Message(bytes) => (true, bytes.to_vec()),
            Item::Other(bytes) => (false, bytes.to_vec()),
        });
    }
    items
}

fn check_mbox(src: &[u8], input: &Input, options: &Options) {
    let all = |items: &[(bool, Vec<u8>)]| -> Vec<u8> {
        items.iter().flat_map(|(_, bytes)| bytes.iter().copied()).collect()
    };
    let short = items(src, &input.cuts, usize::from(input.longest));
    assert_eq!(all(&short), src);
    let cut = items(src, &input.cuts, usize::MAX);
    let whole = items(src, &[], usize::MAX);
    assert_eq!(cut, whole);
    assert_eq!(all(&whole), src);
    let rewritten: Vec<_> = whole
        .into_iter()
        .map(|(is_message, bytes)| match is_message {
            true => (true, check_message(&bytes, true, options)),
            false => (false, bytes),
        })
        .collect();
    let again = items(&all(&rewritten), &[], usize::MAX);
    assert_eq!(again, rewritten);
}

fuzz_target!(|input: Input| {
    let src = input.bytes();
    check_words(&src);
    let options = Options::to(TARGETS[usize::from(input.to) % TARGETS.len()])
        .with_body(BODIES[usize::from(input.body) % BODIES.len()])
        .with_wrap(input.wrap);
    check_message(&src, false, &options);
    if input.is_mbox {
        check_mbox(&src, &input, &options);
    }
});
