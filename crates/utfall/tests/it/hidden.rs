//! Hidden text: known techniques, ordinary text, and every split.

use std::fs;
use std::path::Path;

use utfall::hidden::{self, Finder, Hidden, Kind, SHOWN};
use utfall::{Encoding, ErrorKind, Options, Utf7Options, imap_name, transcode};
use utfall_oracle::vectors;

fn shown(found: &[Hidden]) -> Vec<(&'static str, u64, u64, &str)> {
    found.iter().map(|one| (one.kind.name(), one.offset, one.length, &*one.text)).collect()
}

#[track_caller]
fn finds(encoding: Encoding, bytes: &[u8], expected: &[(&str, u64, u64, &str)]) {
    assert_eq!(shown(&hidden::find(encoding, bytes)), expected, "{}", bytes.escape_ascii());
    // Split everywhere.
    for step in 1..bytes.len().clamp(2, 9) {
        let mut finder = Finder::new(encoding).unwrap();
        let mut found = Vec::new();
        for piece in bytes.chunks(step) {
            finder.find(piece, false, |one| found.push(one));
            finder.find(b"", false, |one| found.push(one));
        }
        finder.find(b"", true, |one| found.push(one));
        assert_eq!(found, hidden::find(encoding, bytes), "{} by {step}", bytes.escape_ascii());
    }
}

#[test]
fn in_utf7() {
    let utf7 = |bytes: &[u8], expected: &[_]| finds(Encoding::Utf7, bytes, expected);
    // Markup in separate runs, as sent to browsers that guessed UTF-7.
    utf7(
        b"+ADw-script+AD4-alert(+ACI-1+ACI)+ADw-/script+AD4-",
        &[
            ("encoded-markup", 1, 3, "<"),
            ("encoded-markup", 12, 3, ">"),
            ("encoded-markup", 34, 3, "<"),
            ("encoded-markup", 46, 3, ">"),
        ],
    );
    // All of it in one run.
    utf7(b"+ADwAcwBjAHIAaQBwAHQAPg-x", &[("encoded-markup", 1, 22, "<script>")]);
    utf7(b"+AGEAYgBj-", &[("encoded-ascii", 1, 8, "abc")]);
    utf7(b"+AGEAQABi-", &[("encoded-markup", 1, 8, "a@b")]);
    utf7(b"+AC8ALgAu/etc", &[("encoded-markup", 1, 8, "/..")]);
    // Controls.
    utf7(b"a+AAA-b", &[("encoded-control", 2, 3, "\0")]);
    utf7(b"To: a+AA0ACg-Bcc: b", &[("encoded-control", 6, 6, "\r\n")]);
    // At the edge of a run it takes more bytes than outside.
    utf7(b"+AGEgrA-", &[("encoded-ascii", 1, 3, "a")]);
    utf7(b"+IKwAYQ-", &[("encoded-ascii", 3, 4, "a")]);
    // Runs split in two.
    utf7(b"+IKw-+IKw-", &[("null-shift", 5, 1, "")]);
    utf7(b"+2D0-+3gA-", &[("split-surrogates", 1, 8, "\u{1F600}")]);
    utf7(b"+2D0-+IKw-", &[("surrogate", 1, 3, "\\u{D83D}"), ("null-shift", 5, 1, "")]);
    utf7(b"+2D0-x+3gA-", &[("surrogate", 1, 3, "\\u{D83D}"), ("surrogate", 7, 3, "\\u{DE00}")]);
    utf7(b"+2D0", &[("surrogate", 1, 3, "\\u{D83D}")]);
    // The last of three units in eight digits begins inside a digit.
    utf7(b"+IKwgrABh-", &[("encoded-ascii", 6, 3, "a")]);
}

#[test]
fn ordinary_utf7() {
    for text in [
        "Hi Mom +Jjo-!",
        "+ZeVnLIqe-",
        "A+ImIDkQ.",
        // Set O, which some writers shift, and header fields must; the RFC's own example.
        "Hi Mom +JjoAIQ-",
        "+ACEAfQ-",
        "+ACI-Fine+ACI, a+AEA-example.org, x+AD0AJg",
        "1 +- 1, +AFw and +AH4-",
        "+AFwAfgB8-",
        // A run, a hyphen, a run.
        "+IKw--+IKw-",
        "+IKw +IKw-",
        "+--+IKw-+-",
        // Between two characters, a space, hyphen or colon takes no more bytes in the run.
        "+ZeUAIGcs-",
        "+ZeUALWcs-",
        "+ZeUAOmcs-",
        // JavaScript implementations that shift every space.
        "Hi+ACA-Mom+ACA--+Jjo--+ACE-",
        // Ill-formed, but nothing is hidden.
        "a+@b, +I-, +IKx-, +",
    ] {
        finds(Encoding::Utf7, text.as_bytes(), &[]);
    }
}

#[test]
fn in_mailbox_names() {
    let imap = |bytes: &[u8], expected: &[_]| finds(Encoding::Utf7Imap, bytes, expected);
    imap(b"&AGE-", &[("encoded-ascii", 1, 3, "a")]);
    // Only one spelling is allowed, so nothing justifies it.
    imap(b"&ZeUAIGcs-", &[("encoded-ascii", 3, 4, " ")]);
    imap(b"INBOX&AC8-a", &[("encoded-markup", 6, 3, "/")]);
    imap(b"&IKw-&IKw-", &[("null-shift", 5, 1, "")]);
    imap(b"~peter/mail/&U,BTFw-/&ZeVnLIqe-", &[]);
    imap(b"R&-D &- &-&IKw-", &[]);
}

#[test]
fn in_utf8() {
    let utf8 = |bytes: &[u8], expected: &[_]| finds(Encoding::Utf8, bytes, expected);
    utf8(b"..\xC0\xAF..", &[("overlong", 2, 2, "/")]);
    utf8(b"\xE0\x80\xAF\xF0\x80\x80\xAF", &[("overlong", 0, 3, "/"), ("overlong", 3, 4, "/")]);
    utf8(
        b"\xF8\x80\x80\x80\xAF\xFC\x80\x80\x80\x80\xAF",
        &[("overlong", 0, 5, "/"), ("overlong", 5, 6, "/")],
    );
    utf8(b"\xC0\x80", &[("overlong", 0, 2, "\0")]);
    utf8(b"\xF0\x82\x82\xAC", &[("overlong", 0, 4, "€")]);
    utf8(b"\xED\xA0\xBD\xED\xB8\x80", &[("surrogate-pair", 0, 6, "\u{1F600}")]);
    utf8(
        b"\xED\xA0\xBDx\xED\xB8\x80",
        &[("surrogate", 0, 3, "\\u{D83D}"), ("surrogate", 4, 3, "\\u{DE00}")],
    );
    utf8(
        b"\xED\xA0\xBD\xED\xA0\xBD\xC0\xAF",
        &[
            ("surrogate", 0, 3, "\\u{D83D}"),
            ("surrogate", 3, 3, "\\u{D83D}"),
            ("overlong", 6, 2, "/"),
        ],
    );
    utf8(b"\xF8\x88\x80\x80\x80", &[("long-form", 0, 5, "\\u{200000}")]);
    utf8(b"\xFC\x84\x80\x80\x80\x80", &[("long-form", 0, 6, "\\u{4000000}")]);
    // Ill-formed, but nothing is hidden: 8-bit text, truncated sequences, values too large.
    utf8(b"caf\xE9 \xC0 \xE0\x80 \x80 \xF4\x90\x80\x80 \xFE\xFF \xC3", &[]);
    // Encodings whose rules include these forms.
    finds(Encoding::Cesu8, b"\xED\xA0\xBD\xED\xB8\x80", &[]);
    finds(Encoding::Cesu8, b"\xED\xA0\xBD", &[("surrogate", 0, 3, "\\u{D83D}")]);
    finds(Encoding::Mutf8, b"\xC0\x80\xED\xA0\xBD\xC0\xAF", &[("overlong", 5, 2, "/")]);
    finds(Encoding::Wtf8, b"\xED\xA0\xBD", &[]);
    finds(Encoding::Wtf8, b"\xED\xA0\xBD\xED\xB8\x80", &[("surrogate-pair", 0, 6, "\u{1F600}")]);
    // Older RFCs decode these forms, but they are still hidden text.
    finds(Encoding::Utf8Rfc2044, b"\xC0\xAF", &[("overlong", 0, 2, "/")]);
}

#[test]
fn in_units() {
    finds(Encoding::Utf16Le, b"\x3D\xD8a\0", &[("surrogate", 0, 2, "\\u{D83D}")]);
    finds(
        Encoding::Utf16Be,
        b"\xDE\0\xD8\x3D\xDE\0\xD8\x3D",
        &[("surrogate", 0, 2, "\\u{DE00}"), ("surrogate", 6, 2, "\\u{D83D}")],
    );
    finds(
        Encoding::Utf16,
        b"\xFE\xFF\0\n\xFE\xFF\xFF\xFE",
        &[("mark-inside", 4, 2, "\u{FEFF}"), ("mark-inside", 6, 2, "\u{FFFE}")],
    );
    finds(Encoding::Utf16, b"\xFF\xFEa\0\x3D\xD8\0\xDE", &[]);
    finds(Encoding::Utf16Le, b"\xFF\xFEa\0", &[]);
    finds(Encoding::Ucs2Be, b"\xD8\x3D\xDE\0", &[("surrogate-pair", 0, 4, "\u{1F600}")]);
    finds(
        Encoding::Utf32,
        b"\0\0\xD8\x3D\0\0\xDE\0\0\0\0a",
        &[("surrogate-pair", 0, 8, "\u{1F600}")],
    );
    finds(
        Encoding::Utf32Le,
        b"\n\0\0\0\xFF\xFE\0\0\0\0\xFE\xFF",
        &[("mark-inside", 4, 4, "\u{FEFF}"), ("mark-inside", 8, 4, "\\u{FFFE0000}")],
    );
}

#[test]
fn lines_and_columns() {
    let places = |encoding, bytes: &[u8]| {
        let found = hidden::find(encoding, bytes);
        found.iter().map(|one| (one.position.line, one.position.column)).collect::<Vec<_>>()
    };
    assert_eq!(places(Encoding::Utf7, b"a\n+Jjo-+- +2D3eAA- +AGE-"), [(2, 6)]);
    assert_eq!(places(Encoding::Utf7, b"+AGEACgBh-+AGE"), [(1, 1), (2, 2), (2, 2)]);
    assert_eq!(places(Encoding::Utf8, "é\né\u{1F600}".as_bytes()), []);
    assert_eq!(places(Encoding::Utf8, b"\xC3\xA9\n\xC3\xA9\xC0\xAF\xC0\xAF"), [(2, 2), (2, 3)]);
    assert_eq!(places(Encoding::Utf16Be, b"\0\n\xD8\x3D\xDE\0\0a\xDE\0"), [(2, 3)]);
}

#[test]
fn what_is_shown_is_bounded() {
    let text = "a".repeat(100_000);
    let digits = Encoding::Utf16Be.encode(&text).unwrap();
    // Three units take eight digits.
    assert_eq!(&digits[..6], b"\0a\0a\0a");
    let mut utf7 = b"+".to_vec();
    utf7.extend(b"AGEAYQBh".repeat(33_333));
    let found = hidden::find(Encoding::Utf7, &utf7);
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].length, found[0].text.chars().count()), (266_664, SHOWN + 1));
}

/// The corpora are ordinary in every encoding.
#[test]
fn nothing_is_hidden_in_corpora() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/corpora");
    let (mut texts, mut looked) = (0, 0);
    for file in fs::read_dir(folder).unwrap() {
        let file = file.unwrap().path();
        if file.extension().is_none_or(|extension| extension != "txt") {
            continue;
        }
        texts += 1;
        let text = fs::read(&file).unwrap();
        for &encoding in Encoding::ALL {
            if Finder::new(encoding).is_none() {
                continue;
            }
            let mut text = text.clone();
            if encoding == Encoding::Utf7Imap {
                // A name has no line ends.
                text.retain(|byte| !matches!(byte, b'\r' | b'\n'));
            }
            let Ok(bytes) = transcode(Encoding::Utf8, encoding, &text, Options::default()) else {
                continue;
            };
            looked += 1;
            let found = hidden::find(encoding, &bytes);
            assert!(found.is_empty(), "{}, {encoding}: {:?}", file.display(), found.first());
        }
        // A writer that shifts set O shifts angle brackets too; nothing else may be reported.
        let utf7 = Utf7Options::new().with_shift_set_o(true).with_explicit_close(true);
        let options = Options::default().with_utf7(utf7);
        let bytes = transcode(Encoding::Utf8, Encoding::Utf7, &text, options).unwrap();
        for found in hidden::find(Encoding::Utf7, &bytes) {
            assert!(found.text.contains(['<', '>']), "{}: {found:?}", file.display());
        }
    }
    assert!(texts >= 11 && looked > 200, "{texts}, {looked}");
}

/// Output of UTF-7 encoders: controls and surrogates, if the input had them, and `<`.
#[test]
fn nothing_else_is_hidden_in_vectors() {
    let mut written = 0;
    for case in vectors::cases() {
        let encoding = match &*case.encoding {
            "utf-7" => Encoding::Utf7,
            "utf-7-imap" => Encoding::Utf7Imap,
            _ => continue,
        };
        if case.direction != "encode" || case.result != "ok" || case.kind != "bytes" {
            continue;
        }
        written += 1;
        for found in hidden::find(encoding, &vectors::bytes(&case.expected)) {
            let is_to_be = matches!(found.kind, Kind::EncodedControl | Kind::Surrogate)
                || found.kind == Kind::EncodedMarkup && found.text.contains('<');
            assert!(is_to_be, "{}: {found:?}", case.id);
        }
    }
    assert!(written > 350, "{written}");
}

/// Everything that [`imap_name`] reports in random names is found here too; in correct names only
/// controls are found.
#[test]
fn mailbox_names_agree() {
    let mut state = 5_u64;
    let mut random = |below: u64| {
        state = state.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(0x1405_7B7E_F767_814F);
        (state >> 33) % below
    };
    let (mut canonical, mut needless) = (0, 0);
    for _ in 0..100_000 {
        let pieces =
            ["&", "&", "-", "-", "AGE", "IKw", "Jjo", "ADwA", "gr", "Q", "2D0", "3gA", "x"];
        let name: String = (0..random(9)).map(|_| pieces[random(13) as usize]).collect();
        let found = hidden::find(Encoding::Utf7Imap, name.as_bytes());
        let read = imap_name::decode(name.as_bytes());
        if read.is_canonical() {
            canonical += 1;
            assert!(found.iter().all(|one| one.kind == Kind::EncodedControl), "{name}: {found:?}");
        }
        for problem in read.problems() {
            if !matches!(problem.kind(), ErrorKind::EncodedAscii | ErrorKind::NullShift) {
                continue;
            }
            needless += 1;
            // A pair split between two runs is one place.
            let is_in =
                |one: &Hidden| (one.offset..one.offset + one.length).contains(&problem.offset());
            assert!(found.iter().any(is_in), "{name}: {problem}: {found:?}");
        }
    }
    assert!(canonical > 5000 && needless > 4000, "{canonical}, {needless}");
}

/// Texts built character by character, directly or in runs, with known results.
#[test]
fn random_runs() {
    let mut state = 1_u64;
    let mut random = |below: u64| {
        state = state.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(0x1405_7B7E_F767_814F);
        (state >> 33) % below
    };
    let mut kinds = [0; 3];
    for _ in 0..20_000 {
        let mut bytes = Vec::new();
        let mut expected = Vec::new();
        for _ in 0..random(4) {
            bytes.extend_from_slice([&b"x "[..], b"-", b"+-"][random(3) as usize]);
            // A run of these characters, whose units end in their own digits.
            let run: Vec<char> = (0..=random(6))
                .map(|_| {
                    ['a', '.', '<', '!', '\\', '\n', 'é', '日', '\u{1F600}'][random(9) as usize]
                })
                .collect();
            let units: Vec<u16> =
                run.iter().flat_map(|c| c.encode_utf16(&mut [0; 2]).to_vec()).collect();
            bytes.push(b'+');
            let begin = bytes.len();
            let bits: Vec<u8> = units
                .iter()
                .flat_map(|unit| (0..16).rev().map(move |bit| (unit >> bit & 1) as u8))
                .collect();
            for digit in bits.chunks(6) {
                let value =
                    (0..6).fold(0, |value, bit| value << 1 | digit.get(bit).copied().unwrap_or(0));
                bytes.push(
                    b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
                        [usize::from(value)],
                );
            }
            bytes.push(b'-');
            // Stretches of US-ASCII in it.
            let mut at = 0;
            let mut unit = 0;
            while at < run.len() {
                let end = at + run[at..].iter().take_while(|c| c.is_ascii()).count();
                if end == at {
                    unit += run[at].len_utf16();
                    at += 1;
                    continue;
                }
                let text: String = run[at..end].iter().collect();
                let stands = |c: &char| "a.\n".contains(*c);
                let needless = text.contains("aa")
                    || run[at..end].windows(2).any(|two| two.iter().all(stands))
                    || at == 0 && stands(&run[0])
                    || end == run.len() && stands(&run[end - 1]);
                let kind = match () {
                    () if text.contains('\n') => Some(Kind::EncodedControl),
                    () if text.contains('<') => Some(Kind::EncodedMarkup),
                    () if needless => Some(Kind::EncodedAscii),
                    () => None,
                };
                if let Some(kind) = kind {
                    let first = begin + unit * 16 / 6;
                    let last = begin + ((unit + end - at) * 16 - 1) / 6;
                    kinds[kind as usize] += 1;
                    expected.push((kind.name(), first as u64, (last + 1 - first) as u64, text));
                }
                unit += end - at;
                at = end;
            }
        }
        let found = hidden::find(Encoding::Utf7, &bytes);
        let expected: Vec<_> = expected.iter().map(|(a, b, c, d)| (*a, *b, *c, &**d)).collect();
        assert_eq!(shown(&found), expected, "{}", bytes.escape_ascii());
    }
    assert!(kinds.iter().all(|count| *count > 1000), "{kinds:?}");
}
