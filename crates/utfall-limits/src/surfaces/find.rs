//! Functions that examine text: lints, explanations, hidden text, detection, repair. Functions
//! that change it on the way: line ends, normalization, iconv's rules.

use std::convert::Infallible;

use utfall::explain::Explainer;
use utfall::filter::FilteredTranscoder;
use utfall::hidden::Finder;
use utfall::lint::{Linter, Rules};
use utfall::{Encoding, Options, Policy};
use utfall_detect::Detector;
use utfall_normalize::{Form, Newline, Normalize};
use utfall_repair::Repairer;

use crate::surface::{Make, Memory, Surface, Work, noise, repeated, within};

pub(super) fn all() -> Vec<Surface> {
    let mut all = Vec::new();
    for encoding in [
        Encoding::Utf8,
        Encoding::Utf8Perl,
        Encoding::Utf7,
        Encoding::Utf7Imap,
        Encoding::Utf16,
        Encoding::Utf32Be,
        Encoding::Scsu,
        Encoding::Iso2022Jp,
        Encoding::Gb18030,
    ] {
        all.extend(looked_at(encoding, "noise", noise));
    }
    let texts: [(&'static str, Encoding, &'static str); 10] = [
        ("embeddings without end", Encoding::Utf8, "\u{202E}"),
        ("embeddings and lines", Encoding::Utf8, "\u{202E}\u{2066}\n\u{2069}"),
        ("carriage returns", Encoding::Utf8, "\r"),
        ("mixed line ends", Encoding::Utf8, "\r\n\r\n\n"),
        ("marks", Encoding::Utf8, "\u{FEFF}"),
        ("UTF-8 read as Latin-1", Encoding::Utf8, "Ã©"),
        ("UTF-8 read as Latin-1, begun", Encoding::Utf8, "ÃÃ"),
        ("runs of ASCII", Encoding::Utf7, "+AGE-"),
        ("a run of ASCII", Encoding::Utf7, "AGEAYgBj"),
        ("controls", Encoding::Utf8, "\u{1}\u{85}\u{9F}"),
    ];
    for (input, encoding, text) in texts {
        let head = if text == "AGEAYgBj" { &b"+"[..] } else { b"" };
        all.extend(looked_at(encoding, input, within(head, text.as_bytes(), b"")));
    }
    all.extend(detected());
    all.extend(repaired());
    all.extend(changed());
    all
}

/// Goes through `src` byte by byte.
fn each_byte(src: &[u8], mut look: impl FnMut(&[u8], bool)) {
    src.iter().for_each(|byte| look(&[*byte], false));
    look(b"", true);
}

fn looked_at(
    encoding: Encoding,
    input: &'static str,
    make: impl Fn(usize) -> Vec<u8> + Clone + 'static,
) -> Vec<Surface> {
    let input = match input {
        "noise" => encoding.name().to_owned(),
        input => format!("{}: {input}", encoding.name()),
    };
    let surface = |name, work: Work| {
        // The linter saves up to 125 open controls, and the end of the text.
        Surface::new(name, &*input, make.clone(), work).memory(Memory::Constant(9 << 10))
    };
    let mut all = vec![
        surface(
            "lint",
            Box::new(move |src| {
                let mut linter = Linter::new(encoding, Rules::ALL, Options::default());
                linter.check(src, true, |_| {});
            }),
        ),
        surface(
            "lint, byte by byte",
            Box::new(move |src| {
                let mut linter = Linter::new(encoding, Rules::ALL, Options::default());
                each_byte(src, |src, last| linter.check(src, last, |_| {}));
            }),
        ),
        surface(
            "explain",
            Box::new(move |src| {
                let mut explainer = Explainer::new(encoding);
                let mut at = 0;
                while let Some(unit) = explainer.next(&src[at..], true) {
                    at += unit.bytes.len();
                    let _ = (unit.bits().count(), unit.code_units());
                }
            }),
        ),
        surface(
            "explain problems",
            Box::new(move |src| {
                let mut explainer = Explainer::new(encoding);
                let mut at = 0;
                loop {
                    at += explainer.skip_well_formed(&src[at..]);
                    let Some(unit) = explainer.next(&src[at..], true) else { break };
                    at += unit.bytes.len();
                }
            }),
        ),
    ];
    if Finder::new(encoding).is_some() {
        all.push(surface(
            "hidden",
            Box::new(move |src| {
                let mut finder = Finder::new(encoding);
                finder.iter_mut().for_each(|finder| finder.find(src, true, |_| {}));
            }),
        ));
        all.push(surface(
            "hidden, byte by byte",
            Box::new(move |src| {
                let Some(mut finder) = Finder::new(encoding) else { return };
                each_byte(src, |src, last| finder.find(src, last, |_| {}));
            }),
        ));
    }
    all
}

/// Texts inside texts, letters of many scripts, and near misses of encodings.
fn detected() -> Vec<Surface> {
    let inputs: [(&'static str, &'static [u8]); 11] = [
        ("letters of one byte", b"\xE9t\xE9 "),
        ("UTF-7", b"+AGE-"),
        ("shifts", b"+"),
        ("escapes", b"\x1B$B\x1B(B"),
        ("encoded words", b"=?UTF-8?Q?=C3=A9?= "),
        ("encoded words without end", b"=?UTF-8?B?"),
        ("quoted-printable", b"=C3=A9"),
        ("Base64", b"w6nDqcOp\n"),
        ("references", b"&#233;&eacute;"),
        ("UTF-16", b"a\0b\0"),
        ("Shift_JIS", b"\x82\xA0\x83\x41"),
    ];
    let mut all = Vec::new();
    let mut add = |input: &'static str, make: Make| {
        let make = std::rc::Rc::new(make);
        let at_once = make.clone();
        let detect = |src: &[u8]| {
            let mut detector = Detector::new();
            detector.feed(src);
            let _ = detector.finish();
        };
        let bytes = |src: &[u8]| {
            let mut detector = Detector::new();
            src.iter().for_each(|byte| detector.feed(&[*byte]));
            let _ = detector.finish();
        };
        // A sample of the text, and its decodings.
        let memory = Memory::Constant(1 << 20);
        all.push(
            Surface::new("detect", input, move |n| at_once(n), detect)
                .memory(memory)
                .smallest(4 << 10),
        );
        all.push(
            Surface::new("detect, byte by byte", input, move |n| make(n), bytes)
                .memory(memory)
                .smallest(4 << 10),
        );
    };
    add("noise", Box::new(noise));
    for (input, text) in inputs {
        add(input, Box::new(repeated(text)));
    }
    all
}

fn repaired() -> Vec<Surface> {
    let inputs: [(&'static str, &'static str); 13] = [
        ("one wrong decoding", "Ã© "),
        ("one wrong decoding, lines", "Ã© l’Ã©tÃ©\n"),
        ("three wrong decodings", "Ãƒâ€šÃ‚Â©"),
        ("leads only", "Ã"),
        ("leads and what was lost", "aÃ bÃ?"),
        ("letters that are right", "étè àé "),
        ("signs", "â€œâ€\u{9d}â€™"),
        ("Cyrillic", "РќРµ РІ СЃРёР»Р°С… "),
        ("letters of Greek", "Î±Î² Ã©Î³"),
        ("surrogates", "\u{FFFD}Ã\u{FFFD}"),
        ("zeros", "a\0b\0Ã©\0"),
        ("marks", "\u{FEFF}\n"),
        ("examples of wrong decodings", "Ã© for é, "),
    ];
    let mut all = Vec::new();
    let mut add = |input: &'static str, make: Make| {
        let make = std::rc::Rc::new(make);
        let whole = make.clone();
        // A part of a line, as cells, for the steps that are tried.
        let memory = Memory::Constant(16 << 20);
        let push = |step: usize| {
            move |src: &[u8]| {
                let mut repairer = Repairer::new(utfall_repair::Options::default());
                let sink = |_: utfall_repair::Piece<'_>| Ok::<(), Infallible>(());
                for piece in src.chunks(step) {
                    let Ok(()) = repairer.push(piece, sink);
                }
                let Ok(()) = repairer.finish(sink);
            }
        };
        all.push(
            Surface::new("repair", input, move |n| whole(n), push(64 << 10))
                .memory(memory)
                .smallest(1 << 9),
        );
        all.push(
            Surface::new("repair, byte by byte", input, move |n| make(n), push(1))
                .memory(memory)
                .smallest(1 << 9),
        );
    };
    add("noise", Box::new(noise));
    for (input, text) in inputs {
        add(input, Box::new(repeated(text)));
    }
    all
}

/// Line ends, normalization, iconv.
fn changed() -> Vec<Surface> {
    let mut all = Vec::new();
    let forms = [
        ("line ends", Normalize::new().with_newline(Newline::Crlf).with_form(None)),
        ("NFC", Normalize::new().with_newline(Newline::Keep).with_form(Some(Form::Nfc))),
        ("NFD", Normalize::new().with_newline(Newline::Lf).with_form(Some(Form::Nfd))),
    ];
    let inputs: [(&'static str, &'static str); 6] = [
        ("carriage returns", "\r"),
        ("combining marks", "\u{301}\u{316}"),
        ("marks to be sorted", "\u{345}\u{315}\u{302}\u{316}\u{334}"),
        ("Hangul in jamo", "\u{1112}\u{1161}\u{11AB}"),
        ("letters that grow", "\u{1D160}\u{FB2C}"),
        ("letters and marks", "a\u{301}\r\n"),
    ];
    for (what, change) in forms {
        for (input, text) in inputs {
            for step in [1, 4096] {
                let work = move |src: &[u8]| {
                    let options = Options::both(Policy::Replace);
                    let mut stream = FilteredTranscoder::new(
                        Encoding::Utf8,
                        Encoding::Utf16Le,
                        options,
                        &change,
                    );
                    let mut out = Vec::new();
                    for piece in src.chunks(step) {
                        out.clear();
                        if stream.transcode(piece, false, &mut out).is_err() {
                            return;
                        }
                    }
                    let _ = stream.transcode(b"", true, &mut out);
                };
                let name = match step {
                    1 => "normalize, byte by byte",
                    _ => "normalize",
                };
                let input = format!("{what}: {input}");
                // The longest sequence to be normalized at once: read, changed, and sorted.
                let surface = Surface::new(name, input, repeated(text), work);
                all.push(surface.memory(Memory::Constant(4 << 20)));
            }
        }
    }
    for (from, to) in [
        ("UTF-8", "ASCII//TRANSLIT"),
        ("UTF-8", "ISO-8859-15//TRANSLIT//IGNORE"),
        ("UTF-8", "ISO-2022-JP//IGNORE"),
        ("UTF-16", "UTF-7//IGNORE"),
        ("UTF-7", "CP437//TRANSLIT//IGNORE"),
        ("ISO-2022-JP", "UTF-8//IGNORE"),
        ("GB18030", "UTF-8//IGNORE"),
    ] {
        for (input, make) in [
            ("noise", Box::new(noise) as Make),
            ("ligatures", Box::new(repeated("\u{FDFA}㌀Ǆ½"))),
            ("letters and marks", Box::new(repeated("o\u{301}ư\u{30A}"))),
            ("escapes", Box::new(repeated("\x1B$B\x1B(B"))),
        ] {
            let work = move |src: &[u8]| {
                let code = |code| utfall_iconv::Code::parse(code, "UTF-8");
                let (Ok(from), Ok(to)) = (code(from), code(to)) else { return };
                let rules = utfall_iconv::Rules::default().with_skip(true);
                let Some(mut stream) = utfall_iconv::Converter::with_codes(from, to, rules) else {
                    return;
                };
                let mut out = Vec::new();
                for piece in src.chunks(1) {
                    out.clear();
                    let _ = stream.convert(piece, false, &mut out);
                }
                let _ = stream.convert(b"", true, &mut out);
            };
            // Tables of a charset.
            let surface = Surface::new("iconv", format!("{from} to {to}: {input}"), make, work);
            all.push(surface.memory(Memory::Constant(1 << 20)));
        }
    }
    all
}
