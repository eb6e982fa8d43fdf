//! Validation, conversion, streams and names of mailboxes.

use utfall::{
    Decoder, Encoding, Options, Policy, Status, Transcoder, Transliterate, Utf7Tolerance, imap_name,
};
use utfall_bind::options;

use super::case::{Case, Counts, Hex, Problem, Step, Words};

const SAMPLE: &str = "naïve €\n日本語, 한국어, Ελληνικά, русский 😀\n";

/// Invalid in most encodings, after a line end.
const INVALID: [&[u8]; 5] =
    [b"a\n\xFF", b"a\n\xC0\xAE", b"\n\xED\xA0\x80\0", b"ab\n\x81\x30", b"+ZeU \\ +AGE-~\x84"];

/// Invalid UTF-8 of every kind, between letters.
const BROKEN: &[u8] =
    b"a\xC0\xAEb\xE2\x82c\xED\xA0\x80d\xF4\x90\x80\x80e\xF8\x88\x80\x80\x80\nf\x80";

/// What only one of the tolerances accepts.
const DEVIATIONS: [(&str, &str, &[u8]); 15] = [
    ("end-shift-dropped", "UTF-7", b"a+"),
    ("end-shift-kept", "UTF-7", b"a+"),
    ("empty-shift-dropped", "UTF-7", b"a+!b"),
    ("empty-shift-kept", "UTF-7", b"a+!b"),
    ("non-zero-padding", "UTF-7", b"+IKx-"),
    ("dangling-digits", "UTF-7", b"+IKwA-"),
    ("lone-surrogates", "UTF-7", b"+2AA-"),
    ("split-pairs", "UTF-7", b"+2D0-+3gA-"),
    ("controls", "UTF-7", b"a\x01"),
    ("backslash-tilde", "UTF-7", b"\\~"),
    ("latin1", "UTF-7", b"\xE9"),
    ("encoded-ascii", "UTF-7-IMAP", b"&AGE-"),
    ("null-shift", "UTF-7-IMAP", b"&AOk-&AOk-"),
    ("slash-digit", "UTF-7-IMAP", b"&U/BTFw-"),
    ("unterminated", "UTF-7-IMAP", b"&AOk"),
];

pub(super) fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    // The charsets of glibc are tables of one codec: some are enough.
    let is_wanted = |(at, encoding): &(usize, Encoding)| {
        at.is_multiple_of(24) || encoding.info().origin != utfall::Origin::Glibc
    };
    let encodings = Encoding::ALL.iter().copied().enumerate().filter(is_wanted);
    for (_, encoding) in encodings {
        let encoded = encoding.encode_with(SAMPLE, Options::both(Policy::Skip)).unwrap();
        cases.push(validate(encoding, &encoded));
        cases.extend(INVALID.iter().map(|input| validate(encoding, input)));
        // An end without its last byte is incomplete, or a shifted run that is not closed.
        cases.push(validate(encoding, &encoded[..encoded.len().saturating_sub(1)]));
        let strict = transcode(Encoding::Utf8, encoding, &[], SAMPLE.as_bytes());
        let escaped =
            transcode(Encoding::Utf8, encoding, &[("on-error", "escape-xml")], SAMPLE.as_bytes());
        cases.extend([strict, escaped, transcode(encoding, Encoding::Utf8, &[], &encoded)]);
        cases.push(transcode(
            encoding,
            Encoding::Utf16Le,
            &[("on-error", "replace")],
            b"ab\x80\xFF\xD8\x3Dc+Ze",
        ));
    }
    cases.extend(units());
    cases.extend(policies());
    cases.extend(utf7());
    cases.extend(streams());
    cases.extend(mailboxes());
    cases
}

fn validate(encoding: Encoding, input: &[u8]) -> Case {
    let mut decoder = Decoder::new(encoding, Options::default()).track_position();
    let error = match decoder.validate(input, true).status {
        Status::Error(error) => Some(Problem::new(&error, decoder.error_position())),
        _ => None,
    };
    Case::Validate { encoding: encoding.name(), input: Hex(input.to_vec()), error }
}

/// Options by their words, and as the library takes them.
fn parse(words: &[(&'static str, &str)]) -> (Words, Options) {
    let mut all = Options::default();
    for (name, value) in words {
        all = match *name {
            "transliterate" => {
                all.with_transliterate(Some(Transliterate(utfall_iconv::transliteration)))
            }
            _ => options::set(all, name, value).unwrap(),
        };
    }
    (words.iter().map(|(name, value)| (*name, (*value).to_owned())).collect(), all)
}

fn transcode(from: Encoding, to: Encoding, words: &[(&'static str, &str)], input: &[u8]) -> Case {
    let (words, options) = parse(words);
    let mut transcoder = Transcoder::new(from, to, options).track_position();
    let mut output = vec![0; 128 * input.len() + 64];
    let progress = transcoder.transcode(input, &mut output, true);
    output.truncate(progress.written);
    let error = match progress.status {
        Status::Error(error) => Some(Problem::new(&error, transcoder.error_position())),
        Status::InputEmpty => None,
        Status::OutputFull => panic!("{from} to {to}: the output is full"),
    };
    if error.is_none() {
        let whole = utfall::transcode(from, to, input, options).unwrap();
        assert_eq!(*whole, output, "{from} to {to}");
    }
    Case::Transcode {
        from: from.name(),
        to: to.name(),
        options: words,
        input: Hex(input.to_vec()),
        output: Hex(output),
        error,
    }
}

/// Between all forms of Unicode in memory, which bindings have functions of their own for.
fn units() -> Vec<Case> {
    use Encoding::{Iso8859_1, Utf8, Utf16Be, Utf16Le, Utf32Be, Utf32Le};
    let forms = [Utf8, Utf16Le, Utf16Be, Utf32Le, Utf32Be, Iso8859_1];
    let narrow = "naïve\nÿ";
    let mut cases = Vec::new();
    for from in forms {
        for to in forms.into_iter().filter(|to| *to != from) {
            let encoded = from.encode(narrow).unwrap();
            // Not valid in any form with more than one byte.
            let broken = [&encoded, &[0xD8; 4][..], &encoded].concat();
            cases.push(transcode(from, to, &[], &encoded));
            cases.push(transcode(from, to, &[], &broken));
            if from != Iso8859_1 {
                let wide = from.encode(SAMPLE).unwrap();
                cases.push(transcode(from, to, &[], &wide));
            }
        }
    }
    cases
}

/// Every word of every option that is not only for UTF-7.
fn policies() -> Vec<Case> {
    use Encoding::{EucJp, ShiftJis, UsAscii, Utf8, Utf16, Utf16Le, Windows1252};
    let mut cases = Vec::new();
    for (word, _) in options::POLICIES {
        let rest = "é\u{FEFF}€😀".as_bytes();
        cases.push(transcode(Utf8, Utf16Le, &[("on-invalid", word)], BROKEN));
        cases.push(transcode(Utf8, UsAscii, &[("on-unencodable", word)], rest));
        cases.push(transcode(Utf8, UsAscii, &[("on-error", word)], &[rest, BROKEN].concat()));
        cases.push(transcode(Utf8, Windows1252, &[("on-error", word)], b"a\xFF\xE2\x82\xACb"));
        cases.push(transcode(UsAscii, Utf8, &[("on-error", word)], b"a\xFFb"));
    }
    for (word, _) in options::GRANULARITIES {
        let words = [("on-error", "replace"), ("granularity", word)];
        cases.push(transcode(Utf8, Utf16Le, &words, BROKEN));
    }
    for (word, _) in options::BOMS {
        for (from, to, input) in [
            (Utf8, Utf16, &b"\xEF\xBB\xBFa"[..]),
            (Utf8, Utf16Le, b"\xEF\xBB\xBFa"),
            (Utf16, Utf8, b"\xFF\xFEa\0"),
            (Utf16, Utf16Le, b"\xFE\xFF\0a"),
            (Utf8, UsAscii, b"a"),
        ] {
            cases.push(transcode(from, to, &[("bom", word)], input));
        }
    }
    for (word, _) in options::DOUBLE_MAPPINGS {
        let words = [("double-mappings", word)];
        cases.push(transcode(ShiftJis, Utf8, &words, b"a\x81\x60"));
        for text in ["～", "〜", "¥"] {
            cases.push(transcode(Utf8, ShiftJis, &words, text.as_bytes()));
        }
    }
    for (word, _) in options::JIS_X_0212 {
        cases.push(transcode(Utf8, EucJp, &[("jis-x-0212", word)], "天丂".as_bytes()));
    }
    let replace = ("on-error", "replace");
    cases.push(transcode(Utf8, Utf16Le, &[replace, ("replacement", "<?>")], BROKEN));
    cases.push(transcode(Utf8, UsAscii, &[replace, ("substitute", "[é]")], "a€".as_bytes()));
    cases.push(transcode(Utf8, UsAscii, &[replace, ("substitute", "")], "a€".as_bytes()));
    let text = "“Ærø” costs 5 €: 😀 日".as_bytes();
    cases.push(transcode(Utf8, UsAscii, &[("transliterate", "yes")], text));
    cases.push(transcode(Utf8, UsAscii, &[replace, ("transliterate", "yes")], text));
    cases
}

/// Every word of the options of UTF-7.
fn utf7() -> Vec<Case> {
    let mut cases = Vec::new();
    let text = "a=1 & <é> 日本!".as_bytes();
    for styles in ["direct", "header", "minimal", "explicit", "header,explicit"] {
        for to in [Encoding::Utf7, Encoding::Utf7Imap] {
            cases.push(transcode(Encoding::Utf8, to, &[("utf7", styles)], text));
        }
    }
    assert_eq!(DEVIATIONS.len(), Utf7Tolerance::NAMED.len());
    for ((word, label, input), (name, ..)) in DEVIATIONS.iter().zip(Utf7Tolerance::NAMED) {
        assert_eq!(word, name);
        let from = Encoding::for_label(label.as_bytes()).unwrap();
        for words in [&[][..], &[("utf7-allow", *word)]] {
            // Lone surrogates have a place in WTF-8.
            cases.push(transcode(from, Encoding::Wtf8, words, input));
        }
    }
    cases
}

fn streams() -> Vec<Case> {
    use Encoding::{Gb18030, Scsu, ShiftJis, UsAscii, Utf7, Utf8, Utf16, Utf16Le};
    let euro: [&[u8]; 5] = [b"a\xE2", b"\x82", b"\xAC\n", b"", b"b\xF0\x9F"];
    let broken: Vec<&[u8]> = BROKEN.chunks(4).collect();
    let words = [("on-error", "replace")];
    let mut cases = vec![
        stream(Utf8, Utf16Le, &[], &euro),
        stream(Utf8, Utf16, &[], &[b"", b"a", b""]),
        stream(Utf8, Utf7, &[], &euro),
        stream(Utf8, UsAscii, &[("on-unencodable", "escape")], &euro),
        stream(Utf8, Utf16Le, &[], &broken),
        stream(Utf8, Utf16Le, &words, &broken),
        stream(Utf8, Utf16Le, &[("on-error", "skip")], &broken),
        stream(Utf8, UsAscii, &[], &["é".as_bytes(), "€😀".as_bytes(), b""]),
        stream(Utf16, Utf8, &[], &[b"\xFF", b"\xFEa", b"\0=", b"\xD8", b"\0\xDEb"]),
        stream(Utf7, Utf8, &[], &[b"a+Z", b"eVnL", b"Iqe-", b"+2D0", b"-b"]),
        stream(Utf7, Utf8, &[("utf7-allow", "split-pairs")], &[b"+2D0-", b"+3gA-", b""]),
        stream(Scsu, Utf8, &[], &[b"\x12", b"\x9C\xBE", b"\xC1\xBA\xB2", b""]),
        stream(Gb18030, Utf8, &[], &[b"\x81", b"\x30", b"\x84", b"\x36\xFF", b"a"]),
        stream(ShiftJis, Utf8, &words, &[b"\x82", b"\xA0\x82", b""]),
    ];
    let all: Vec<&[u8]> = SAMPLE.as_bytes().chunks(1).collect();
    cases.push(stream(Utf8, Encoding::Bocu1, &[], &all));
    cases
}

/// The last piece ends the text.
fn stream(from: Encoding, to: Encoding, words: &[(&'static str, &str)], pieces: &[&[u8]]) -> Case {
    let (words, options) = parse(words);
    let mut transcoder = Transcoder::new(from, to, options).track_position();
    let steps = pieces.iter().enumerate().map(|(at, piece)| {
        let last = at + 1 == pieces.len();
        let (output, errors) = push(&mut transcoder, piece, last);
        Step { input: Hex(piece.to_vec()), last, output: Hex(output), errors }
    });
    let steps = steps.collect();
    let counts = transcoder.counts();
    Case::Stream {
        from: from.name(),
        to: to.name(),
        options: words,
        steps,
        counts: Counts {
            ill_formed: counts.ill_formed,
            unencodable: counts.unencodable,
            skipped: counts.skipped,
            tolerated: counts.tolerated,
        },
    }
}

fn push(transcoder: &mut Transcoder<'_>, mut piece: &[u8], last: bool) -> (Vec<u8>, Vec<Problem>) {
    let (mut output, mut errors) = (Vec::new(), Vec::new());
    loop {
        let mut buffer = [0; 64];
        let progress = transcoder.transcode(piece, &mut buffer, last);
        output.extend_from_slice(&buffer[..progress.written]);
        piece = &piece[progress.read..];
        match progress.status {
            Status::InputEmpty => return (output, errors),
            Status::OutputFull => {}
            Status::Error(error) => errors.push(Problem::new(&error, transcoder.error_position())),
        }
    }
}

fn mailboxes() -> Vec<Case> {
    let names: [&[u8]; 5] =
        [b"INBOX", "Entwürfe & 台北".as_bytes(), "😀".as_bytes(), b"", b"a\n\xC0\xAE"];
    let encoded = names.map(|name| {
        let Case::Validate { error, .. } = validate(Encoding::Utf8, name) else { unreachable!() };
        let output = std::str::from_utf8(name).map(imap_name::encode).unwrap_or_default();
        Case::ImapEncode { input: Hex(name.to_vec()), output: Hex(output.into()), error }
    });
    let spellings: [&[u8]; 7] = [
        b"INBOX",
        b"Entw&APw-rfe &- &U,BTFw-",
        b"&U/BTFw-/Entw\xC3\xBCrfe",
        b"R&D",
        b"&AGE-&AOk-&AOk-",
        b"&2D0-",
        b"",
    ];
    let decoded = spellings.map(|spelling| {
        let name = imap_name::decode(spelling);
        let problems = name.problems().iter().map(|error| Problem::new(error, None));
        Case::ImapDecode {
            input: Hex(spelling.to_vec()),
            output: Hex(name.text().into()),
            problems: problems.collect(),
        }
    });
    encoded.into_iter().chain(decoded).collect()
}
