//! The labels of `testdata/vectors/labels.tsv`, as interpreted by IANA, ICU, Perl, mail readers and
//! the web.
//!
//! `Encoding::for_label` must find what their sources say; those of the web are for
//! `Encoding::for_whatwg_label`. If sources contradict each other, IANA is right, and the others
//! are listed here. A dissent that no longer exists fails the test.

use crate::common::testdata;
use utfall::Encoding;

/// A label, the rule set that interprets it differently, and the reason.
#[rustfmt::skip]
const DISSENTS: &[(&str, &str, &str)] = &[
    // No separate encoding here.
    ("ISO-10646-UCS-Basic", "iana", "a selection of code points; no bytes are registered for it"),
    ("csUnicodeASCII", "iana", "a selection of code points; no bytes are registered for it"),
    ("UTF-16,version=1", "icu", "ICU's variant with other rules for the mark"),
    ("UTF-16LE,version=1", "icu", "ICU's variant with other rules for the mark"),
    ("x-UTF-16LE-BOM", "icu", "ICU's variant with other rules for the mark"),
    ("UnicodeBig", "icu", "ICU's variant with other rules for the mark"),
    ("mychrset", "lax", "libmime makes up a name for what it does not know"),
    // UCS is not UTF.
    ("csUnicode", "icu", "IANA: ISO-10646-UCS-2, which has no surrogates"),
    ("csunicode", "mime", "IANA: ISO-10646-UCS-2, which has no surrogates"),
    ("ISO-10646-UCS-2", "icu", "IANA: ISO-10646-UCS-2, which has no surrogates"),
    ("iso-10646-ucs-2", "mime", "IANA: ISO-10646-UCS-2, which has no surrogates"),
    ("ucs-2", "icu", "UCS-2 has no surrogates"),
    ("ucs-2", "mime", "UCS-2 has no surrogates"),
    ("UCS-2", "perl", "with a mark, or big-endian, as ISO-10646-UCS-2"),
    ("UCS2", "perl", "with a mark, or big-endian, as ISO-10646-UCS-2"),
    ("iso-10646-1", "perl", "with a mark, or big-endian, as ISO-10646-UCS-2"),
    ("csUCS4", "icu", "IANA: ISO-10646-UCS-4, which goes to 7FFFFFFF"),
    ("ISO-10646-UCS-4", "icu", "IANA: ISO-10646-UCS-4, which goes to 7FFFFFFF"),
    ("ucs-4", "icu", "UCS-4 goes to 7FFFFFFF"),
    ("UCS4-BE", "perl", "UCS-4 goes to 7FFFFFFF"),
    ("cp1200", "icu", "Windows: code page 1200 is little-endian"),
    // Hangul of Unicode 1.1.
    ("unicode-1-1-utf-7", "icu", "IANA: RFC 1642, with the Hangul of Unicode 1.1"),
    ("unicode-1-1-utf-7", "mail", "IANA: RFC 1642, with the Hangul of Unicode 1.1"),
    ("unicode-1-1-utf-7", "lax", "IANA: RFC 1642, with the Hangul of Unicode 1.1"),
    ("csunicode11utf7", "mail", "IANA: RFC 1642, with the Hangul of Unicode 1.1"),
    ("csunicode11utf7", "lax", "IANA: RFC 1642, with the Hangul of Unicode 1.1"),
    ("unicode-1-1-utf-8", "icu", "RFC 2279 §5: with the Hangul of Unicode 1.1"),
    // Interpretations of the web, shared by some mail readers.
    ("  iSo-8859-1\t ", "mail", "IANA: ISO 8859-1; for_whatwg_label has the web's"),
    ("latin1", "lax", "IANA: ISO 8859-1; for_whatwg_label has the web's"),
    ("  gb2312\t ", "mail", "WHATWG: GBK, whose decoder is that of GB 18030"),
    // Comparison of labels.
    ("UTF8", "mime", "UTS #22 §1.4: hyphens do not count"),
    ("utf8", "mime", "UTS #22 §1.4: hyphens do not count"),
    ("utf-8-strict", "mime", "Perl's name is known; it is no MIME name"),
    ("utf-16*en", "mime", "RFC 2231 §5: the language is not part of the charset's name"),
];

struct Row {
    label: String,
    mode: String,
    /// A name, or `None` if there must be no such encoding.
    expected: Option<String>,
}

fn rows() -> Vec<Row> {
    let table = std::fs::read_to_string(testdata("vectors/labels.tsv")).unwrap();
    let row = |line: &str| {
        let fields: Vec<&str> = line.split('\t').collect();
        let bytes: Vec<u8> = (0..fields[4].len())
            .step_by(2)
            .map(|at| u8::from_str_radix(&fields[4][at..at + 2], 16).unwrap())
            .collect();
        Row {
            label: String::from_utf8(bytes).unwrap(),
            mode: fields[5].to_string(),
            expected: (fields[7] == "ok").then(|| fields[9].to_string()),
        }
    };
    table.lines().skip(1).map(row).collect()
}

/// Whether this build has the encodings that the rows of `mode` name.
fn runs(mode: &str) -> bool {
    cfg!(feature = "legacy") || !matches!(mode, "whatwg" | "mail")
}

/// The encoding that the label has here, and whether the row agrees.
fn look_up(row: &Row) -> Option<(Option<Encoding>, bool)> {
    let found = match row.mode.as_str() {
        mode if !runs(mode) => return None,
        "iana" | "icu" | "mime" | "lax" | "perl" | "mail" => Encoding::for_label(&row.label),
        #[cfg(feature = "legacy")]
        "whatwg" => Encoding::for_whatwg_label(&row.label),
        mode => panic!("unknown mode {mode}"),
    };
    let agrees = match &row.expected {
        Some(name) => found.is_some() && found == Encoding::for_label(name),
        None => found.is_none(),
    };
    Some((found, agrees))
}

#[test]
fn labels_mean_what_their_sources_say() {
    let mut wrong = Vec::new();
    let mut dissenting = vec![false; DISSENTS.len()];
    let (mut agreed, mut left_out) = (0, 0);
    for row in rows() {
        let Some((found, agrees)) = look_up(&row) else {
            left_out += 1;
            continue;
        };
        let listed =
            DISSENTS.iter().position(|(label, mode, _)| *label == row.label && *mode == row.mode);
        match (agrees, listed) {
            (true, _) => agreed += 1,
            (false, Some(at)) => dissenting[at] = true,
            (false, None) => wrong.push(format!(
                "{:?} in {}: found {found:?}, expected {:?}",
                row.label, row.mode, row.expected
            )),
        }
    }
    println!("{agreed} agree, {left_out} need feature `legacy`, dissents:");
    for ((label, mode, why), dissents) in DISSENTS.iter().zip(dissenting) {
        println!("  {label:?} in {mode}: {why}");
        if runs(mode) && !dissents {
            wrong.push(format!("{label:?} in {mode} is listed as a dissent and is none"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The folding of labels must not give two encodings the same label.
#[test]
fn no_two_encodings_share_a_label() {
    for encoding in Encoding::ALL {
        let info = encoding.info();
        for label in info.aliases.iter().chain([&info.name]) {
            assert_eq!(Encoding::for_label(label), Some(*encoding), "{label}");
        }
    }
}

/// Labels of encoded words may be looked up many times. If each lookup scanned a long label
/// repeatedly, this test would take days.
#[test]
fn long_labels_are_looked_at_once() {
    let long = |text: &str| Encoding::for_label(text.repeat(1 << 20));
    assert_eq!(long("-"), None);
    assert_eq!(long("0"), None);
    assert_eq!(long("0-"), None);
    let between = |text: &str| Encoding::for_label(format!("utf{}8", text.repeat(1 << 20)));
    assert_eq!(between("_"), Some(Encoding::Utf8));
    assert_eq!(between("0"), Some(Encoding::Utf8));
    assert_eq!(between("0_"), None);
}
