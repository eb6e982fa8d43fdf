//! IMAP mailbox names: every spelling can be read, and has one canonical form.

use crate::common::Random;
use utfall::imap_name::{collisions, decode, encode};
use utfall::{Encoding, ErrorKind, ErrorKind as K};
use utfall_oracle::{rounds, step};

/// Spelling, text, errors with their byte offsets, canonical spelling.
type Case = (&'static [u8], &'static str, &'static [(u64, ErrorKind)], &'static str);

/// Spellings on which other programs panic, lose text or disagree. utf7-imap panics on the first
/// three and writes U+007F directly; imapclient reads the trailing `a&` as `a+`; glibc does not
/// report `&AGE-`, and all except one do not report a null shift.
const KNOWN: &[Case] = &[
    (b"&I-", "", &[(1, K::DanglingDigit)], ""),
    (b"&IKx-", "€", &[(3, K::NonZeroPadding)], "&IKw-"),
    (b"&@-", "&@-", &[(0, K::EmptyShift)], "&-@-"),
    (b"a\x7F", "a\x7F", &[(1, K::Control)], "a&AH8-"),
    (b"a&", "a&", &[(1, K::Truncated)], "a&-"),
    (b"&AGE-", "a", &[(1, K::EncodedAscii)], "a"),
    (b"&IKw-&IKw-", "€€", &[(5, K::NullShift)], "&IKwgrA-"),
    (b"&U/BTFw-", "台北", &[(2, K::SlashDigit)], "&U,BTFw-"),
    (b"&IKw/x", "€/x", &[(3, K::Unterminated)], "&IKw-/x"),
    (b"&IKw/x-", "€/x-", &[(3, K::Unterminated)], "&IKw-/x-"),
    (b"&IKw x", "€ x", &[(3, K::Unterminated)], "&IKw- x"),
    (b"&IKw&IKw", "€€", &[(3, K::Unterminated), (7, K::Unterminated)], "&IKwgrA-"),
    (b"&IKx", "&IKx", &[(0, K::Unterminated)], "&-IKx"),
    (b"R&D", "R&D", &[(1, K::Unterminated)], "R&-D"),
    (b"AT&Tee&IKw", "AT&Tee€", &[(2, K::Unterminated), (9, K::Unterminated)], "AT&-Tee&IKw-"),
    (b"&2D0-&3gA-", "😀", &[(1, K::HighSurrogate)], "&2D3eAA-"),
    (b"caf\xE9", "café", &[(3, K::EightBit)], "caf&AOk-"),
    (b"caf\xC3\xA9\xE9", "caféé", &[(3, K::EightBit), (5, K::EightBit)], "caf&AOkA6Q-"),
    (b"&IKw-\xE2\x82\xAC", "€€", &[(5, K::EightBit)], "&IKwgrA-"),
    (b"a\r\nb", "a\r\nb", &[(1, K::Control), (2, K::Control)], "a&AA0ACg-b"),
];

#[test]
fn known_bugs_of_others() {
    for (spelling, text, problems, canonical) in KNOWN {
        let name = decode(spelling);
        let shown = spelling.escape_ascii();
        assert_eq!(name.text(), *text, "{shown}");
        let found: Vec<_> = name.problems().iter().map(|p| (p.offset(), p.kind())).collect();
        assert_eq!(found, *problems, "{shown}");
        assert_eq!(name.canonical().as_deref(), Some(*canonical), "{shown}");
        assert!(decode(canonical.as_bytes()).is_canonical(), "{shown}");
    }
}

#[test]
fn surrogates_without_a_partner() {
    for spelling in ["&2AA-", "&3AA-", "&2AAgrA-", "&2AA-x"] {
        let name = decode(spelling.as_bytes());
        assert!(name.text().contains('\u{FFFD}'), "{spelling}");
        assert_eq!((name.canonical(), name.is_canonical()), (None, false), "{spelling}");
    }
    // A U+FFFD in the spelling itself is preserved.
    assert_eq!(decode(b"&,,0-").canonical().as_deref(), Some("&,,0-"));
    // It is another name.
    assert_eq!(collisions(&["&,,0-", "&2AA-", "&3AA-"]), []);
}

/// Every spelling can be read. It has no problems if and only if it is the canonical spelling of
/// its text, and the strict decoder agrees.
fn check(spelling: &[u8]) {
    let name = decode(spelling);
    let shown = spelling.escape_ascii();
    let strict = Encoding::Utf7Imap.decode(spelling);
    assert_eq!(name.is_canonical(), strict.is_ok(), "{shown}");
    if let Ok(text) = strict {
        assert_eq!(name.text(), text, "{shown}");
    }
    let Some(canonical) = name.canonical() else { return };
    assert_eq!(name.is_canonical(), canonical.as_bytes() == spelling, "{shown}");
    assert_eq!(Encoding::Utf7Imap.decode(canonical.as_bytes()).unwrap(), name.text(), "{shown}");
    let mut end = 0;
    for problem in name.problems() {
        assert!(problem.offset() + u64::from(problem.length()) <= spelling.len() as u64, "{shown}");
        assert!(problem.length() > 0 && !problem.clause().is_empty(), "{shown}");
        // Ordered by their ends, as they are read.
        let after = problem.offset() + u64::from(problem.length());
        assert!(after >= end || problem.kind() == K::SlashDigit, "{shown}: {:?}", name.problems());
        end = end.max(after);
    }
}

#[test]
fn every_short_spelling() {
    let alphabet = b"&-,/ABIKwg+ ~\n\x80\xE9";
    for length in 0..=5 {
        for number in (0..16_u32.pow(length)).step_by(step(97)) {
            let bytes: Vec<u8> =
                (0..length).map(|at| alphabet[(number >> (4 * at) & 15) as usize]).collect();
            check(&bytes);
        }
    }
    let mut random = Random(0x5EED_0009);
    let alphabet = b"&&&-----,/AAIKwg+ ~\n\x80\xE9\xC3\xA9\xE2\x82\xAC2D0D3g3A";
    for _ in 0..rounds(200_000, 40) {
        let length = random.below(40);
        let bytes: Vec<u8> = (0..length).map(|_| alphabet[random.below(alphabet.len())]).collect();
        check(&bytes);
    }
}

#[test]
fn every_text_has_a_spelling() {
    for scalar in ('\0'..=char::MAX).step_by(step(97)) {
        let text = String::from(scalar);
        let spelling = encode(&text);
        assert!(spelling.bytes().all(|byte| matches!(byte, 0x20..=0x7E)), "{spelling}");
        let name = decode(spelling.as_bytes());
        assert!(name.is_canonical() && name.text() == text, "{spelling}");
    }
}

#[test]
fn spellings_that_collide() {
    let names = [
        "Entw&APw-rfe",
        "Entw\u{FC}rfe",
        "Sent",
        "&AFMAZQBuAHQ-",
        "Trash",
        "Trash",
        "&IKw-&IKw-",
        "&IKwgrA-",
        "&IKwgrA",
        "inbox",
        "sent",
        "INBOX/x",
        "inbox/x",
    ];
    let found: Vec<_> =
        collisions(&names).into_iter().map(|found| (found.text, found.members)).collect();
    let expected = [("Entwürfe", vec![0, 1]), ("Sent", vec![2, 3]), ("€€", vec![6, 7, 8])];
    assert_eq!(found, expected.map(|(text, members)| (text.to_owned(), members)));
    assert_eq!(collisions(&[""; 0]), []);
}

/// The time is proportional to the length of a spelling; otherwise this one would take hours.
#[test]
fn long_spellings() {
    for piece in ["&", "&/", "&2AA-", "/&IKw-", "&IKx-", "\u{E9}", "&-"] {
        let spelling = piece.repeat(400_000 / piece.len());
        assert!(decode(spelling.as_bytes()).problems().len() <= spelling.len());
    }
}
