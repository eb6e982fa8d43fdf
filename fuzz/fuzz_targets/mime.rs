//! Mail: encoded words against the oracle; parts lie in the message; what was rewritten says what
//! it said before, and is not rewritten again.
#![no_main]

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use utfall::Encoding;
use utfall_mime::encoded_word::{Piece, Rules, pieces};
use utfall_mime::rewrite::Options;
use utfall_mime::{Message, PartKind};

#[derive(Arbitrary, Debug)]
struct Input {
    lines: Vec<Line>,
    to: u8,
}

/// What messages are made of.
#[derive(Arbitrary, Debug)]
enum Line {
    Subject(Vec<Token>),
    To(Vec<Token>),
    Type { charset: u8, twice: bool },
    Multipart(u8),
    Boundary(u8),
    Close(u8),
    Transfer(u8),
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
    Any(Vec<u8>),
}

const CHARSETS: [&str; 8] = [
    "UTF-8",
    "utf-7",
    "iso-8859-1",
    "us-ascii",
    "windows-1252",
    "koi8-r",
    "x-unknown",
    "iso-2022-jp",
];

fn push(tokens: &[Token], out: &mut Vec<u8>) {
    for token in tokens {
        match token {
            Token::Space => out.push(b' '),
            Token::Fold => out.extend(b"\n "),
            Token::Plain => out.extend(b"plain"),
            Token::Utf7 => out.extend(b"+ZeVnLIqe-"),
            Token::Escape(octet) => out.extend(format!("={octet:02X}").bytes()),
            Token::Any(octets) => out.extend(octets),
            Token::Word { charset, base64, text } => {
                let charset = CHARSETS[usize::from(charset % 8)];
                let scheme = if *base64 { "B" } else { "Q" };
                out.extend(format!("=?{charset}?{scheme}?").bytes());
                for octet in text.bytes() {
                    match (base64, octet) {
                        (false, b' ') => out.push(b'_'),
                        (false, _) => out.extend(format!("={octet:02X}").bytes()),
                        (true, _) => out.push(octet),
                    }
                }
                out.extend(b"?=");
            }
        }
    }
}

impl Input {
    fn message(&self) -> Vec<u8> {
        let mut out = Vec::new();
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
                Line::Type { charset, twice } => {
                    let charset = CHARSETS[usize::from(charset % 8)];
                    out.extend(format!("Content-Type: text/plain; charset={charset}").bytes());
                    out.extend(if *twice { &b"; charset=utf-7"[..] } else { b"" });
                }
                Line::Multipart(name) => out.extend(
                    format!("Content-Type: multipart/mixed; boundary={}", name % 4).bytes(),
                ),
                Line::Boundary(name) => out.extend(format!("--{}", name % 4).bytes()),
                Line::Close(name) => out.extend(format!("--{}--", name % 4).bytes()),
                Line::Transfer(name) => {
                    let name = ["7bit", "8bit", "quoted-printable", "base64", "x-other"]
                        [usize::from(name % 5)];
                    out.extend(format!("Content-Transfer-Encoding: {name}").bytes());
                }
                Line::Empty => {}
                Line::Text(tokens) => push(tokens, &mut out),
                Line::Any(octets) => out.extend(octets),
            }
            out.push(b'\n');
        }
        out
    }
}

fn check_words(value: &[u8]) {
    let ours: Vec<_> = pieces(value, Rules::Strict)
        .filter_map(|piece| match piece {
            Piece::Word(word) => Some((word.range.start, word.range.end, word.octets().to_vec())),
            Piece::Space(_) | Piece::Text(_) => None,
        })
        .collect();
    let oracle: Vec<_> = utfall_oracle::encoded_word::words(value)
        .into_iter()
        .map(|word| (word.begin, word.end, word.octets))
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

/// What every text of a message says.
fn texts(message: &Message<'_>) -> Vec<Option<String>> {
    let parts = message.parts().iter().filter(|part| part.kind == PartKind::Text);
    parts.map(|part| message.text(part).ok().map(|text| text.text.replace("\r\n", "\n"))).collect()
}

fuzz_target!(|input: Input| {
    let src = input.message();
    check_words(&src);
    let message = Message::parse(&src);
    for part in message.parts() {
        assert!(part.header.start <= part.header.end && part.header.end <= part.body.start);
        assert!(part.body.start <= part.body.end && part.body.end <= src.len());
        for field in message.fields(part) {
            _ = field.decode(Rules::Lenient);
        }
    }
    let to = [Encoding::Utf8, Encoding::Utf7, Encoding::Utf16][usize::from(input.to % 3)];
    let rewritten = message.rewrite(&Options::to(to)).to_vec();
    let again = Message::parse(&rewritten);
    assert_eq!(texts(&again), texts(&message));
    let twice = again.rewrite(&Options::to(to));
    assert_eq!(twice.to_vec(), rewritten);
});
