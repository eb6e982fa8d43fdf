//! Functions of one call, labels and mailbox names.

use std::fmt::Write as _;

use utfall::{Encoding, Options, Policy, imap_name, transcode, transcoded_len, unicode11};

use crate::surface::{Surface, noise, numbered, repeated, within};

pub(super) fn all() -> Vec<Surface> {
    let skip = Options::both(Policy::Skip);
    let mut all = Vec::new();
    for encoding in super::encodings() {
        all.push(Surface::new("decode_lossy", encoding.name(), noise, move |src| {
            let _ = encoding.decode_lossy(src);
        }));
        all.push(Surface::new("transcoded_len, errors skipped", encoding.name(), noise, {
            move |src| _ = transcoded_len(encoding, Encoding::Utf8, src, skip)
        }));
    }
    all.extend([
        Surface::new("transcode, errors skipped", "noise to UTF-7", noise, move |src| {
            let _ = transcode(Encoding::Utf8, Encoding::Utf7, src, skip);
        }),
        Surface::new("transcode, errors escaped", "noise to ASCII", noise, |src| {
            let options = Options::both(Policy::Escape(utfall::Escape::Python));
            let _ = transcode(Encoding::Utf8, Encoding::UsAscii, src, options);
        }),
        Surface::new("decode_to_utf16", "a run of UTF-7", within(b"+", b"AGEA", b""), |src| {
            let _ = Encoding::Utf7.decode_to_utf16(src);
        }),
        Surface::new("validate", "an error at the end", within(b"", "é".as_bytes(), b"\xFF"), {
            |src| _ = Encoding::Utf8.validate(src)
        }),
        Surface::new(
            "unicode11::evidence",
            "rare ideographs",
            repeated("\u{3400}\u{3401}"),
            |src| {
                let _ = unicode11::evidence(src);
            },
        ),
        label("punctuation", repeated("-")),
        label("zeros", repeated("0")),
        label("zeros and punctuation", repeated("0-")),
        label("a name, then zeros", within(b"utf-", b"0", b"8")),
        label("a name, then punctuation", within(b"utf", b"_", b"8")),
        Surface::new("Encoding::for_whatwg_label", "spaces", repeated(" "), |src| {
            let _ = Encoding::for_whatwg_label(src);
        }),
    ]);
    let names: [(&str, &[u8]); 7] = [
        ("shifts", b"&"),
        ("runs and slashes", b"&AA/"),
        ("slashes in a run", b"&/////"),
        ("digits without end", b"AAAA"),
        ("runs that follow on runs", b"&AOk-&AOk-"),
        ("8-bit", b"\xC3\xA9\xE9"),
        ("surrogates", b"&2AA-"),
    ];
    for (input, text) in names {
        all.push(name(input, repeated(text)));
    }
    all.push(name("one run", within(b"&", b"AGEA", b"-")));
    all.push(name("one run with slashes", within(b"&", b"AG/A", b"")));
    all.push(Surface::new(
        "imap_name::collisions",
        "many spellings",
        numbered(|number| format!("&AGE{}-{}\n", number % 7, number / 3)),
        |src| {
            let spellings: Vec<&[u8]> = src.split(|byte| *byte == b'\n').collect();
            let _ = imap_name::collisions(&spellings);
        },
    ));
    all
}

fn label(input: &'static str, make: impl Fn(usize) -> Vec<u8> + 'static) -> Surface {
    Surface::new("Encoding::for_label", input, make, |src| {
        let _ = Encoding::for_label(src);
    })
}

/// Each problem takes memory, and a single byte can be one.
fn name(input: &'static str, make: impl Fn(usize) -> Vec<u8> + 'static) -> Surface {
    Surface::new("imap_name::decode, and its messages", input, make, |src| {
        let name = imap_name::decode(src);
        let mut line = String::new();
        for problem in name.problems() {
            line.clear();
            // Writing to a string cannot fail.
            let _ = write!(line, "{problem}");
        }
        let _ = name.canonical();
    })
    .memory(crate::surface::Memory::PerByte(80))
}
