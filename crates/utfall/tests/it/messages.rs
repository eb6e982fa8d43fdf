//! Text for users: every kind of error can occur and reports what, where and why, and everything
//! that can be displayed has a description.

use std::collections::{BTreeMap, BTreeSet};

use crate::common::Random;
use utfall::explain::{Explainer, UnitKind};
use utfall::lint::{self, Linter, Rule, Rules};
use utfall::{Decoder, Encoder, Encoding, Error, ErrorKind, Options, Status, Transcoder};

/// Bytes that reach deep into various decoders.
const BYTES: &[u8] =
    b"\x00\x01\x0B\x0E\x0F\x1B\x20\x24\x28+-&,/AIKwZ\\~0B3D\x7F\x80\x8F\xA0\xAF\xBF\
    \xC0\xC1\xC2\xD8\xDB\xDC\xDF\xE0\xED\xEF\xF0\xF4\xF5\xF8\xFB\xFC\xFD\xFE\xFF";

/// Sequences that random input seldom contains. Shifted runs: an unpaired high surrogate, US-ASCII,
/// two runs for one, `/` for `,`. Others: a surrogate pair as two three-byte sequences; an escape
/// sequence directly after another; a surrogate in UTF-1, and in UTF-EBCDIC.
const RARE: [&[u8]; 9] = [
    b"+2AAAQQ-",
    b"&2AAAQQ-",
    b"&AGE-",
    b"&AOk-&AOk-",
    b"&AOk/-",
    b"\xED\xA0\xBD\xED\xB8\x80",
    b"\x1B(J\x1B(B",
    b"\xF7\x2F\xC4",
    b"\xDD\x66\x73\x73",
];

/// The errors of a few thousand texts in this encoding.
fn errors(encoding: Encoding) -> Vec<Error> {
    let mut random = Random(0x5EED_0009);
    let mut errors = Vec::new();
    let made = (0..3_000).map(|_| {
        let length = 1 + random.below(12);
        (0..length).map(|_| BYTES[random.below(BYTES.len())]).collect::<Vec<u8>>()
    });
    for text in RARE.map(<[u8]>::to_vec).into_iter().chain(made) {
        let mut decoder = Decoder::new(encoding, Options::default());
        let (mut rest, mut points) = (&text[..], [0; 64]);
        loop {
            let progress = decoder.decode_to_code_points(rest, &mut points, true);
            rest = &rest[progress.read..];
            match progress.status {
                Status::Error(error) => errors.push(error),
                Status::OutputFull => {}
                Status::InputEmpty => break,
            }
        }
        assert_eq!(decoder.offset(), text.len() as u64, "{encoding}");
    }
    let mut encoder = Encoder::new(encoding, Options::default());
    let mut out = [0; 64];
    for point in [0x80, 0xD800, 0xFFFE, 0x1F600, 0x10_FFFF, 0x11_0000, 0x7FFF_FFFF] {
        if let Status::Error(error) = encoder.encode_code_points(&[point], &mut out, false).status {
            assert!(error.is_unencodable(), "{error}");
            errors.push(error);
        }
    }
    errors
}

#[test]
fn every_kind_of_error_says_what_where_and_why() {
    let mut names = BTreeSet::new();
    let mut texts = BTreeMap::new();
    for encoding in Encoding::ALL.iter().copied() {
        for error in errors(encoding) {
            let (kind, clause) = (error.kind(), error.clause());
            let text = error.to_string();
            assert!(clause.len() > 3 && clause.trim() == clause, "{text}");
            assert!(text.ends_with(&format!("({clause})")), "{text}");
            assert!(text.contains(&format!(" at offset {}", error.offset())), "{text}");
            assert!(text.contains(encoding.name()), "{text}");
            assert!(text.contains(&kind.to_string()), "{text}");
            assert_eq!(text.starts_with("invalid "), !error.is_unencodable(), "{text}");
            assert_eq!(text.contains(", bit "), error.run_bit().is_some(), "{text}");
            assert!(kind.name().bytes().all(|byte| byte == b'-' || byte.is_ascii_lowercase()));
            names.insert(kind.name());
            if !error.is_unencodable() {
                texts.insert(kind.to_string(), kind.name());
            }
        }
    }
    // Each kind has its own text and its own name.
    assert_eq!(texts.len() + 1, names.len(), "{texts:?}");
    assert_eq!(ErrorKind::Unencodable(0xE9).to_string(), "U+00E9 cannot be encoded");
    let all = "control dangling-digit eight-bit empty-shift encoded-ascii high-surrogate invalid-byte \
        long-form low-surrogate missing-trail non-zero-padding not-direct null-shift odd-bytes \
        out-of-range overlong reserved slash-digit surrogate truncated undefined unencodable \
        unexpected-trail unterminated";
    // Only the legacy charsets have undefined bytes.
    let all =
        all.split_whitespace().filter(|name| cfg!(feature = "legacy") || *name != "undefined");
    assert_eq!(names, all.collect());
}

/// All properties of an encoding, and the clause for each kind of error.
fn told_of(encoding: Encoding) -> String {
    let info = encoding.info();
    let is = |is: bool, property: &'static str| if is { property } else { "" };
    let properties = [
        is(info.iana, "registered"),
        is(info.is_self_synchronizing(), "self-synchronizing"),
        is(info.ascii_transparent, "ascii-transparent"),
        is(info.seven_bit, "seven-bit"),
        is(info.stateful, "stateful"),
    ];
    let properties: Vec<&str> = properties.into_iter().filter(|one| !one.is_empty()).collect();
    let mut told = format!("{}: {}\n", info.name, info.aliases.join(", "));
    told += &format!("  {}; {}\n", info.specification, properties.join(", "));
    told += &format!(
        "  cut: {}; {:?}; mark {:02X?}\n",
        info.split_point, info.repertoire, info.signature
    );
    if let Some(boundaries) = encoding.boundaries() {
        told += &format!("  boundaries: {}\n", boundaries.clause());
    }
    if let Some(clause) = info.code_point_order {
        told += &format!("  order: {clause}\n");
    }
    let clauses: BTreeMap<&str, &str> =
        errors(encoding).iter().map(|error| (error.kind().name(), error.clause())).collect();
    clauses.iter().for_each(|(kind, clause)| told += &format!("  {kind}: {clause}\n"));
    told
}

/// `encodings.txt` is a reviewed snapshot: a change of the texts must change it too.
#[test]
fn what_is_said_of_each_encoding() {
    let page = include_str!("../encodings.txt").replace("\r\n", "\n");
    let told: String = Encoding::ALL.iter().map(|encoding| told_of(*encoding)).collect();
    if cfg!(feature = "glibc") {
        utfall_page::compare_with("crates/utfall/tests/encodings.txt", &page, &told);
    } else {
        // There are fewer encodings.
        assert!(page.starts_with(&told), "{told}");
    }
}

#[test]
fn what_is_debugged_names_its_encodings() {
    let (source, target) = (Encoding::Utf7, Encoding::Utf16Be);
    let options = Options::default();
    let transcoder = Transcoder::new(source, target, options);
    assert_eq!(format!("{transcoder:?}"), "Transcoder { encodings: (Utf7, Utf16Be), .. }");
    let decoder = Decoder::new(source, options);
    assert_eq!(format!("{decoder:?}"), "Decoder { encoding: Utf7, .. }");
    let encoder = Encoder::new(target, options);
    assert_eq!(format!("{encoder:?}"), "Encoder { encoding: Utf16Be, .. }");
    let linter = Linter::new(source, Rules::ALL, options);
    assert_eq!(format!("{linter:?}"), "Linter { encoding: Utf7, .. }");
    assert_eq!(format!("[{source:>8}]"), "[   UTF-7]");
}

#[test]
fn findings_are_told() {
    let text =
        "\u{FEFF}a\0\u{7}\u{85}\u{202E}Ã©Ã\u{AD}\r\nb\n\u{FEFF}\u{E000}\u{200B}\u{FFFD}\u{9B}";
    let found =
        lint::check(Encoding::Utf8, [text.as_bytes(), b"\xFF"].concat().as_slice(), Rules::ALL);
    let told: Vec<_> =
        found.iter().map(|one| format!("{} {}: {one}", one.offset, one.rule.name())).collect();
    for expected in [
        "0 bom: byte order mark at the start",
        "4 control: control character U+0000 (NUL)",
        "5 control: control character U+0007 (BEL)",
        "8 bidi-unbalanced: unbalanced bidirectional control U+202E (RLO)",
    ] {
        assert!(told.iter().any(|one| one == expected), "{expected} is not in {told:#?}");
    }
    for rule in Rule::ALL {
        assert_eq!(Rule::from_name(rule.name()), Some(*rule));
        assert!(!rule.to_string().is_empty());
    }
    assert_eq!(Rule::from_name("no such rule"), None);
}

/// The notes of a text, each with its offset.
fn notes(encoding: Encoding, text: &[u8]) -> Vec<String> {
    let mut explainer = Explainer::new(encoding);
    let mut told = Vec::new();
    assert_eq!(explainer.encoding(), encoding);
    while let Some(unit) = explainer.next(&text[explainer.offset() as usize..], true) {
        let note = unit.note.map(|note| note.to_string()).unwrap_or_default();
        let kind = match unit.what {
            UnitKind::Character(point) => format!("U+{point:04X}"),
            what => what.name().to_owned(),
        };
        told.push(format!("{} {kind} {note}", unit.offset).trim_end().to_owned());
    }
    told
}

#[test]
fn notes_are_told() {
    assert_eq!(
        notes(Encoding::Utf7, b"+-+AOk +AOk-"),
        [
            "0 U+002B a literal shift character",
            "2 shift start of a shifted run",
            "3 U+00E9",
            "6 shift end of the run, because no digit follows; the 2 padding bits are zero, as required",
            "6 U+0020",
            "7 shift start of a shifted run",
            "8 U+00E9",
            "11 shift end of the run; the 2 padding bits are zero, as required",
        ]
    );
    assert_eq!(
        notes(Encoding::Scsu, b"\x12\xC1\x1D\xA1\x80\x0Fa\xC1"),
        [
            "0 shift SC2: window from U+0400",
            "1 U+0441 in the window from U+0400",
            "2 shift SD5: window from U+FC80",
            "4 U+FC80 in the window from U+FC80",
            "5 shift SCU: Unicode mode",
            "6 U+61C1",
        ]
    );
    assert_eq!(
        notes(Encoding::Bocu1, b"\xD3\x80\xFB\xB5\x90"),
        ["0 U+03CC U+0040 +908", "2 U+CCCC U+03C0 +51468"]
    );
    assert_eq!(notes(Encoding::Utf16, b"\xFF\xFEa\0"), ["0 mark little-endian", "2 U+0061"]);
    assert_eq!(notes(Encoding::Utf16, b"\xFE\xFF\0a"), ["0 mark big-endian", "2 U+0061"]);
}
