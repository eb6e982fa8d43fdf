//! Mail: fields, encoded words, parameters, addresses, parts, bodies, mbox files.

use utfall::Encoding;
use utfall_mime::encoded_word::{self, LONGEST, Rules};
use utfall_mime::header::{Kind, LONGEST_FIELD, decode, spans};
use utfall_mime::mbox::Mbox;
use utfall_mime::rewrite::Options;
use utfall_mime::{Charset, Message, base64, cost, hidden, layers, parameter, quoted_printable};

use crate::surface::{Make, Memory, Surface, noise, numbered, repeated, within};

pub(super) fn all() -> Vec<Surface> {
    [fields(), long_fields(), words(), parameters(), messages(), bodies(), boxes()]
        .into_iter()
        .flatten()
        .collect()
}

/// The values of fields, and the functions that process them.
fn fields() -> Vec<Surface> {
    let inputs: Vec<(&str, Make)> = vec![
        ("encoded words", Box::new(repeated("=?UTF-8?Q?=C3=A9?= "))),
        ("encoded words of few letters", Box::new(repeated("=?UTF-7?Q?a?= "))),
        (
            "encoded words of two charsets",
            Box::new(repeated("=?UTF-8?B?w6k=?= =?UTF-16?B?AGE=?= ")),
        ),
        ("unknown charsets", Box::new(repeated("=?x-y?Q?a?= "))),
        ("a long charset", Box::new(within(b"=?", b"-", b"?Q?a?="))),
        ("charsets of zeros", Box::new(repeated("=?utf0000000000000000000000?Q?a?= "))),
        ("words that begin", Box::new(repeated("=?"))),
        ("words that begin with a charset", Box::new(repeated("=?a?Q?"))),
        ("words in words", Box::new(repeated("=?a?Q?=?b?B?"))),
        ("a word without end", Box::new(within(b"=?UTF-8?Q?", b"a", b""))),
        ("a long word", Box::new(within(b"=?UTF-8?B?", b"w6nD", b"?="))),
        ("words that touch", Box::new(repeated("=?UTF-8?Q?a?=x"))),
        ("words of ISO-2022-JP", Box::new(repeated("=?ISO-2022-JP?B?GyRCJCIbKEI=?= "))),
        ("comments in comments", Box::new(repeated("("))),
        ("comments closed", Box::new(repeated(")"))),
        ("comments begun and closed", Box::new(repeated("()"))),
        ("addresses", Box::new(repeated("a b <c@d.e>, "))),
        ("angles", Box::new(repeated("<"))),
        ("quotes", Box::new(repeated("\""))),
        ("escapes in a quote", Box::new(within(b"\"", b"\\", b""))),
        ("groups", Box::new(repeated("a:;"))),
        ("words of an address", Box::new(repeated("a "))),
        ("spaces", Box::new(repeated(" "))),
        ("folds", Box::new(repeated("\r\n "))),
        ("8-bit", Box::new(repeated("\u{e9}\u{3042}"))),
        ("8-bit, not UTF-8", Box::new(repeated(b"\xE9a ".to_vec()))),
        ("noise", Box::new(noise)),
        ("parameters", Box::new(numbered(|number| format!("; a{number}=b")))),
        ("parameters in comments", Box::new(repeated(";(a)b(c)=d"))),
        ("semicolons", Box::new(repeated(";"))),
        ("equal signs", Box::new(repeated("="))),
    ];
    let mut all = Vec::new();
    for (input, make) in inputs {
        let make = std::rc::Rc::new(make);
        let mut add = |name, work: fn(&[u8])| {
            let make = make.clone();
            // A thousand parameters at most.
            all.push(
                Surface::new(name, input, move |n| make(n), work).memory(Memory::PerByte(256)),
            );
        };
        add("field of text", |src| _ = decode(Kind::Text, src, Rules::Lenient));
        add("field of text, strict", |src| _ = decode(Kind::Text, src, Rules::Strict));
        add("field of addresses", |src| _ = decode(Kind::Address, src, Rules::Lenient));
        add("field of phrases", |src| _ = spans(Kind::Phrases, src));
        add("field of parameters", |src| _ = decode(Kind::Parameters, src, Rules::Lenient));
        add("hidden in a field", |src| {
            let text = [b"Subject: ", src, b"\nFrom: ", src, b"\n\n"].concat();
            hidden::find(&Message::parse(&text), |_| {});
        });
        add("layers of a field", |src| {
            let text = [b"From: ", src, b"\n\n"].concat();
            layers::of(&Message::parse(&text), |layer| _ = layer.places().count());
        });
        add("field rewritten", |src| {
            let text = [b"Subject: ", src, b"\nTo: ", src, b"\nContent-Type: a/b", src].concat();
            let rewritten = Message::parse(&text).rewrite(&Options::to(Encoding::Utf7)).to_vec();
            assert!(!rewritten.is_empty());
        });
    }
    all
}

/// Fields longer than the limit for parsing: they are not changed.
fn long_fields() -> Vec<Surface> {
    let inputs: [(&str, &[u8]); 4] = [
        ("addresses", b"\xE9,"),
        ("encoded words", b"=?UTF-7?Q?+AGE-?= "),
        ("comments", b"(\xE9"),
        ("parameters", b";a=\xE9"),
    ];
    let mut all = Vec::new();
    for (input, text) in inputs {
        let mut add = |name, work: fn(&Message<'_>)| {
            let work = move |src: &[u8]| {
                for field in ["Subject: ", "From: ", "Content-Type: a/b"] {
                    work(&Message::parse(&[field.as_bytes(), src, b"\n\nx\n"].concat()));
                }
            };
            all.push(
                Surface::new(name, input, repeated(text), work)
                    .smallest(LONGEST_FIELD)
                    // The message, and the parsed first 256 KiB of a `Content-Type`.
                    .memory(Memory::PerByte(12)),
            );
        };
        add("long field rewritten", |message| {
            let _ = message.rewrite(&Options::to(Encoding::Utf8)).edits().len();
        });
        add("hidden in a long field", |message| hidden::find(message, |_| {}));
        add("layers of a long field", |message| {
            layers::of(message, |layer| _ = layer.places().count());
        });
    }
    all
}

/// Writing encoded words.
fn words() -> Vec<Surface> {
    let encode = |encoding| {
        move |src: &[u8]| {
            let text = String::from_utf8_lossy(src);
            let _ = encoded_word::encode(&text, encoding, None, LONGEST);
        }
    };
    let mut all = Vec::new();
    for encoding in [Encoding::Utf8, Encoding::Utf7, Encoding::Utf16, Encoding::Iso2022Jp] {
        let name = encoding.name();
        all.push(Surface::new("encoded words written", name, repeated("あa"), encode(encoding)));
    }
    for (input, most) in [("sections of 40", 40), ("one section", usize::MAX)] {
        for encoding in [Encoding::Utf8, Encoding::Utf7, Encoding::Scsu] {
            let input = format!("{}, {input}", encoding.name());
            all.push(Surface::new("parameter written", input, repeated("日本語a"), move |src| {
                let text = String::from_utf8_lossy(src);
                let _ = parameter::encode("filename", &text, b"", encoding, most);
            }));
        }
    }
    all
}

fn parameters() -> Vec<Surface> {
    let inputs: Vec<(&str, Make)> = vec![
        ("sections", Box::new(numbered(|number| format!("; a*{number}*=b%C3%A9")))),
        (
            "sections backwards",
            Box::new(numbered(|number| format!("; a*{}=b", 1_000_000 - number))),
        ),
        ("huge numbers", Box::new(numbered(|number| format!("; a*{}=b", 99_999_999_999 - number)))),
        ("a section again and again", Box::new(repeated("; a*0=b"))),
        ("digits without end", Box::new(within(b"; a*", b"9", b"=b"))),
        ("stars", Box::new(repeated("*"))),
        ("one name", Box::new(repeated("; a=b"))),
        ("boundaries", Box::new(repeated("; boundary=b"))),
        ("percent signs", Box::new(within(b"; a*=UTF-8''", b"%C3%A9", b""))),
        ("a long value", Box::new(within(b"; a=\"", b"b\\", b"\""))),
        ("comments", Box::new(repeated("(;) "))),
        ("folds", Box::new(repeated(";\r\n a=b"))),
    ];
    let mut all = Vec::new();
    for (input, make) in inputs {
        let make = move |n| [&b"a/b"[..], &make(n)].concat();
        all.push(
            Surface::new("parameters parsed, each looked up", input, make, |src| {
                let parameters = parameter::parse(src);
                for name in ["charset", "boundary", "name", "a"] {
                    let _ = (parameters.get(name).is_some(), parameters.count(name));
                }
            })
            // A thousand of them at most.
            .memory(Memory::PerByte(256)),
        );
    }
    all
}

/// Nested parts, many parts, strings that are almost boundaries.
fn messages() -> Vec<Surface> {
    let multipart = |boundary: &str| format!("Content-Type: multipart/mixed; boundary={boundary}");
    let nested = move |number: usize| {
        let outer = if number == 0 { String::new() } else { format!("--{}\n", "b".repeat(number)) };
        format!("{outer}{}\n\n", multipart(&"b".repeat(number + 1)))
    };
    let parts = |line: &'static str| {
        move |n| within(b"Content-Type: multipart/mixed; boundary=b\n\n", line.as_bytes(), b"")(n)
    };
    let long = move |n: usize| {
        let boundary = "b".repeat(60);
        let lines = format!("--{}c\n", &boundary[..59]);
        [multipart(&boundary).as_bytes(), b"\n\n", &repeated(lines)(n)].concat()
    };
    let deep_lines = move |n: usize| {
        let head: String = (0..70).map(nested).collect();
        [head.as_bytes(), &repeated(format!("--{}c\n", "b".repeat(69)))(n)].concat()
    };
    let inputs: Vec<(&str, Make)> = vec![
        ("parts in parts", Box::new(numbered(nested))),
        ("lines that are nearly boundaries, 64 deep", Box::new(deep_lines)),
        ("messages in messages", Box::new(repeated("Content-Type: message/rfc822\n\n"))),
        ("parts", Box::new(parts("--b\n"))),
        ("parts with headers", Box::new(parts("--b\nA: b\n\nc\n"))),
        ("parts that end", Box::new(parts("--b--\n"))),
        ("digests", Box::new(parts("--b\nContent-Type: multipart/digest; boundary=b\n\n"))),
        ("boundaries begun", Box::new(long)),
        (
            "a long boundary",
            Box::new(|n| {
                let boundary = "b".repeat(n / 2);
                let head = format!("Content-Type: multipart/mixed; boundary={boundary}\n\n");
                [head.as_bytes(), &repeated("--bbb\n")(n / 2)].concat()
            }),
        ),
        ("fields", Box::new(repeated("A: b\n"))),
        (
            "fields that say how to read it",
            Box::new(repeated("Content-Type: text/plain; charset=UTF-8\n")),
        ),
        ("fields of transfer encodings", Box::new(repeated("Content-Transfer-Encoding: base64\n"))),
        ("a field that goes on", Box::new(within(b"A: b\n", b" c\n", b""))),
        ("a line without end", Box::new(repeated("a"))),
        ("a name without end", Box::new(repeated("A-"))),
        ("a field without end", Box::new(within(b"A:", b"b", b""))),
        ("line ends", Box::new(repeated("\n"))),
        ("carriage returns", Box::new(repeated("\r"))),
        ("noise", Box::new(noise)),
        (
            "a body of 8-bit",
            Box::new(within(b"Content-Type: text/plain; charset=Latin1\n\n", b"\xE9\n", b"")),
        ),
        (
            "a body of UTF-7",
            Box::new(within(b"Content-Type: text/plain; charset=UTF-7\n\n", b"+AGE-", b"")),
        ),
        (
            "parameters in parts",
            Box::new(parts("--b\nContent-Type:a/b;a;a;a;a;a;a;a;a;a;a;a;a;a;a;a;a;a;a;a;a\n\n\n")),
        ),
        ("charsets", Box::new(within(b"Content-Type: a/b", b"; charset=UTF-7", b"\n\n+AGE-"))),
    ];
    let mut all = Vec::new();
    for (input, make) in inputs {
        let make = std::rc::Rc::new(make);
        let mut add = |name, work: fn(&[u8])| {
            let make = make.clone();
            // Ten thousand parts at most.
            all.push(
                Surface::new(name, input, move |n| make(n), work)
                    .memory(Memory::PerByte(160))
                    .smallest(4 << 10),
            );
        };
        add("message parsed", |src| _ = Message::parse(src));
        add("message read", |src| {
            let message = Message::parse_quoted(src);
            for part in message.parts() {
                let _ = (message.text(part), message.boundaries(part).count());
            }
        });
        add("hidden in a message", |src| hidden::find(&Message::parse(src), |_| {}));
        add("layers of a message", |src| {
            layers::of(&Message::parse(src), |layer| _ = layer.places().count());
        });
        add("message rewritten", |src| {
            let message = Message::parse(src);
            let _ = message.rewrite(&Options::to(Encoding::Utf8)).to_vec();
        });
    }
    all
}

/// Transfer encodings, charsets, costs.
fn bodies() -> Vec<Surface> {
    let inputs: [(&str, &[u8]); 9] = [
        ("equal signs", b"="),
        ("spaces", b" "),
        ("spaces and lines", b"   \n"),
        ("soft line ends", b"=\r\n"),
        ("spaces before soft ends", b"=   "),
        ("digits", b"=3D"),
        ("letters", b"AAAA"),
        ("8-bit", b"\xC3\xA9 "),
        ("padding", b"A=="),
    ];
    let mut all = Vec::new();
    for (input, text) in inputs {
        let mut add = |name, work: fn(&[u8])| {
            all.push(Surface::new(name, input, repeated(text), work));
        };
        add("quoted-printable decoded", |src| _ = quoted_printable::decode(src));
        add("quoted-printable encoded", |src| _ = quoted_printable::encode(src, b"\r\n"));
        add("quoted-printable encoded softly", |src| {
            let _ = quoted_printable::encode_softly(src, b"\n");
        });
        add("Base64 decoded", |src| _ = base64::decode(src));
        add("Base64 encoded", |src| _ = base64::encode_lines(src, b"\r\n"));
        add("charset guessed", |src| _ = Charset::guess(src));
    }
    for (input, text) in [
        ("letters", "a"),
        ("letters beyond all", "\u{10FFFD}a"),
        ("line ends", "\r\n\r"),
        ("a line without end", "é "),
    ] {
        all.push(
            Surface::new("costs", input, repeated(text), |src| {
                let text = String::from_utf8_lossy(src);
                let mut meter = cost::Meter::new();
                let mut rest = &*text;
                while !rest.is_empty() {
                    let (head, tail) = rest.split_at(rest.chars().next().map_or(0, char::len_utf8));
                    meter.push(head);
                    rest = tail;
                }
                let _ = meter.finish();
            })
            .smallest(4 << 10)
            // Candidates, and the part of a line that has not been measured yet.
            .memory(Memory::Constant(4 << 20)),
        );
    }
    all
}

fn boxes() -> Vec<Surface> {
    let inputs: [(&str, &[u8]); 6] = [
        ("From lines", b"\nFrom \n"),
        ("quoted From lines", b">From \n"),
        ("From lines without end", b"From "),
        ("line ends", b"\n"),
        ("messages of one line", b"From a\n\nb\n\n"),
        ("carriage returns", b"\r\n\r"),
    ];
    let mut all = Vec::new();
    for (input, text) in inputs {
        for (name, step) in [("mbox", usize::MAX), ("mbox, byte by byte", 1)] {
            let work = move |src: &[u8]| {
                let mut mbox = Mbox::new(Slowly(src, step), 1 << 20);
                while let Ok(Some(item)) = mbox.next() {
                    if let utfall_mime::mbox::Item::Message(message) = item {
                        let _ = Message::parse_quoted(message);
                    }
                }
            };
            // A block of input, and a message.
            let surface = Surface::new(name, input, repeated(text), work);
            all.push(surface.memory(Memory::Constant(1 << 20)));
        }
    }
    all
}

/// A reader that returns this many bytes at a time.
struct Slowly<'s>(&'s [u8], usize);

impl std::io::Read for Slowly<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let most = buffer.len().min(self.1);
        std::io::Read::read(&mut self.0, &mut buffer[..most])
    }
}
