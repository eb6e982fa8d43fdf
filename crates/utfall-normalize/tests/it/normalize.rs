//! Conversion of line ends and normalization, wherever chunks end.

use unicode_normalization::UnicodeNormalization;
use utfall::filter::{self, FilteredTranscoder};
use utfall::parallel;
use utfall::{Encoding, ErrorKind, Options, Policy};
use utfall_normalize::{Form, LONGEST, Newline, Normalize, convert};

const UTF8: (Encoding, Encoding) = (Encoding::Utf8, Encoding::Utf8);
const LF: Normalize = Normalize::new().with_newline(Newline::Lf);
const CRLF: Normalize = Normalize::new().with_newline(Newline::Crlf);
const NFC: Normalize = Normalize::new().with_form(Some(Form::Nfc));
const NFD: Normalize = Normalize::new().with_form(Some(Form::Nfd));

fn changed(change: Normalize, text: &str) -> String {
    let mut out = Vec::new();
    convert(UTF8.0, UTF8.1, Options::default(), change, 1, text.as_bytes(), &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

/// Checks the result for `bytes` in two chunks with each possible cut, and in chunks of one byte.
#[track_caller]
fn check(pair: (Encoding, Encoding), change: Normalize, bytes: &[u8], expected: &[u8]) {
    let whole = bytes.len();
    for cut in 0..=whole {
        let mut out = Vec::new();
        let mut transcoder = FilteredTranscoder::new(pair.0, pair.1, Options::default(), &change);
        transcoder.transcode(&bytes[..cut], false, &mut out).unwrap();
        transcoder.transcode(&bytes[cut..], true, &mut out).unwrap();
        assert_eq!(out, expected, "{pair:?} {change:?} cut at {cut}: {}", bytes.escape_ascii());
    }
    let mut out = Vec::new();
    let mut transcoder = FilteredTranscoder::new(pair.0, pair.1, Options::default(), &change);
    for byte in bytes.chunks(1) {
        transcoder.transcode(byte, false, &mut out).unwrap();
    }
    transcoder.transcode(b"", true, &mut out).unwrap();
    assert_eq!(out, expected, "{pair:?} {change:?} by bytes: {}", bytes.escape_ascii());
}

#[test]
fn line_ends() {
    for (text, lf, crlf) in [
        ("", "", ""),
        ("a", "a", "a"),
        ("a\nb\r\nc\rd", "a\nb\nc\nd", "a\r\nb\r\nc\r\nd"),
        ("\n\n\r\r\n\r\n\r\r", "\n\n\n\n\n\n\n", "\r\n\r\n\r\n\r\n\r\n\r\n\r\n"),
        ("\r\n", "\n", "\r\n"),
        ("\r", "\n", "\r\n"),
        (
            "é\r\n\u{85}\u{2028}\u{2029}\u{B}\u{C}\r",
            "é\n\u{85}\u{2028}\u{2029}\u{B}\u{C}\n",
            "é\r\n\u{85}\u{2028}\u{2029}\u{B}\u{C}\r\n",
        ),
    ] {
        for encoding in [Encoding::Utf8, Encoding::Utf16, Encoding::Utf7, Encoding::Scsu] {
            let encode = |text: &str| encoding.encode(text).unwrap().into_owned();
            check((encoding, encoding), LF, &encode(text), &encode(lf));
            check((encoding, encoding), CRLF, &encode(text), &encode(crlf));
        }
        assert_eq!(changed(Normalize::default(), text), text);
    }
}

/// Canonical order, exclusions, singletons, Hangul, composition across marks and of starters.
const CASES: [&str; 24] = [
    "e\u{301}",
    "\u{e9}\u{323}",
    "a\u{301}\u{323}\u{31b}o\u{31b}\u{323}\u{302}",
    "q\u{307}\u{323}",
    // Blocked by a mark of the same class.
    "a\u{315}\u{300}\u{5ae}\u{300}b",
    // Excluded from composition.
    "\u{958}\u{915}\u{93c} \u{2adc} \u{fb1d}",
    // Singletons.
    "\u{212b}\u{2126}\u{340}\u{f900}\u{2f800}",
    // Decompositions to marks only.
    "\u{344}\u{f73}\u{f71}\u{f75}",
    "\u{1100}\u{1161}\u{11a8}\u{1100}\u{1161}\u{ac00}\u{11a7}\u{ac00}\u{11a8}\u{ac01}\u{11a8}",
    "\u{1100}\u{301}\u{1161}",
    // Starters that compose with the preceding one.
    "\u{9c7}\u{9be}\u{9be}\u{9c7}\u{9d7}",
    "\u{bc6}\u{bbe}\u{bca}\u{cc6}\u{cc2}\u{cd5}",
    "\u{1025}\u{102e}\u{1026}",
    "\u{11131}\u{11127}\u{11347}\u{1133e}\u{114b9}\u{114ba}",
    "\u{16d67}\u{16d67}\u{16d68}\u{16d63}\u{16d67}",
    "\u{1611e}\u{1611e}\u{1611f}\u{16121}",
    // At the start, and alone.
    "\u{301}\u{323}",
    "\n\u{323}\u{301}\n\u{301}e",
    "\u{1d15e}\u{1d165}\u{1d1bb}\u{1d16e}",
    "\u{feff}e\u{301}\u{200d}\u{301}",
    "\u{30ab}\u{3099}\u{ff76}\u{ff9e}",
    "\u{3b1}\u{345}\u{301}\u{1fb4}\u{1f00}\u{345}",
    "\u{5e9}\u{5bc}\u{5c1}\u{fb2c}",
    "plain text",
];

#[test]
fn normalization_is_that_of_others() {
    let pieces: Vec<char> = CASES.iter().flat_map(|case| case.chars()).collect();
    let mut texts: Vec<String> = CASES.iter().map(|case| (*case).to_owned()).collect();
    let mut number = 7_u32;
    for _ in 0..3000 {
        let text = (0..6).map(|_| {
            number = number.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            pieces[(number >> 12) as usize % pieces.len()]
        });
        texts.push(text.collect());
    }
    for text in &texts {
        let (nfc, nfd): (String, String) = (text.nfc().collect(), text.nfd().collect());
        check(UTF8, NFC, text.as_bytes(), nfc.as_bytes());
        check(UTF8, NFD, text.as_bytes(), nfd.as_bytes());
    }
    for text in CASES {
        for encoding in [Encoding::Utf16Be, Encoding::Utf7, Encoding::Gb18030, Encoding::Bocu1] {
            let encode = |text: &str| encoding.encode(text).unwrap().into_owned();
            // The character itself comes before what GB 18030 would treat as its BOM.
            check((encoding, encoding), NFC, &encode(text), &encode(&text.nfc().to_string()));
            check((encoding, encoding), NFD, &encode(text), &encode(&text.nfd().to_string()));
        }
    }
}

#[test]
fn every_character_after_every_kind() {
    let mut text = String::new();
    for character in '\u{80}'..=char::MAX {
        text.extend(['e', character, '\u{323}', character, '\u{1100}', character]);
    }
    let expected: String = text.nfc().collect();
    assert!(changed(NFC, &text) == expected);
    let expected: String = text.nfd().collect();
    assert!(changed(NFD, &text) == expected);
}

#[test]
fn both_at_once() {
    let both = Normalize::new().with_newline(Newline::Crlf).with_form(Some(Form::Nfc));
    check(UTF8, both, "e\u{301}\re\r\n\u{301}\n".as_bytes(), "é\r\ne\r\n\u{301}\r\n".as_bytes());
}

#[test]
fn what_utf8_lacks_stays_and_separates() {
    let pair = (Encoding::Utf8Perl, Encoding::Utf8Perl);
    let text = b"e\xED\xA0\x80\xCC\x81e\xCC\x81\xF4\x90\x80\x80\xCC\x81\r\xED\xB0\x80\r\n";
    let nfc = b"e\xED\xA0\x80\xCC\x81\xC3\xA9\xF4\x90\x80\x80\xCC\x81\n\xED\xB0\x80\n";
    check(pair, Normalize::new().with_newline(Newline::Lf).with_form(Some(Form::Nfc)), text, nfc);
    // Text inserted by a policy is normalized; bytes passed through are not.
    let mut out = Vec::new();
    let options = Options::both(Policy::SurrogateEscape);
    convert(UTF8.0, UTF8.1, options, NFC, 1, &b"e\xCC\x81\xFF\xCC\x81\xCC"[..], &mut out).unwrap();
    assert_eq!(out, b"\xC3\xA9\xFF\xCC\x81\xCC");
}

/// A few megabytes of text, in parts: lines, and one long line at the end.
fn long_text() -> String {
    let mut text = String::new();
    for number in 0..60_000 {
        text.push_str(
            ["e\u{301}t\u{e9} ", "\u{1112}\u{1161}\u{11ab}", "plain text", "q\u{323}"][number % 4],
        );
        text.push_str(["\r\n", "\n", "\r", "", " "][number / 7 % 5]);
    }
    for number in 0..200_000 {
        text.push_str(["no end \u{9c7}", "\u{9be}", "\u{301}", "漢"][number % 4]);
    }
    text
}

#[test]
fn threads_make_no_difference() {
    let text = long_text();
    let both = Normalize::new().with_newline(Newline::Lf).with_form(Some(Form::Nfd));
    let lines = text.replace("\r\n", "\n").replace('\r', "\n");
    for (pair, change, expected) in [
        (UTF8, NFC, text.nfc().to_string()),
        (UTF8, LF, lines.clone()),
        ((Encoding::Utf16Le, Encoding::Utf7), both, lines.nfd().to_string()),
        ((Encoding::Scsu, Encoding::Utf8), both, lines.nfd().to_string()),
    ] {
        let bytes = pair.0.encode(&text).unwrap();
        let expected = pair.1.encode(&expected).unwrap();
        for threads in [1, 2, 5] {
            let mut out = Vec::new();
            let done =
                convert(pair.0, pair.1, Options::default(), change, threads, &bytes[..], &mut out);
            let done = done.unwrap();
            assert!(out == *expected, "{pair:?} {change:?} on {threads}");
            assert_eq!((done.read, done.written), (bytes.len() as u64, out.len() as u64));
        }
    }
}

#[test]
fn places_of_what_the_target_lacks() {
    let pair = (Encoding::Utf8, Encoding::UsAscii);
    let ascii: String = long_text().chars().filter(char::is_ascii).collect();
    let line = 1 + ascii.matches('\n').count() as u64;
    for (end, change, point, bytes, column) in [
        // U+1EB9 is made from two characters; three become U+1EB9 and U+0301.
        ("\r\ne\u{323}\u{301}x", NFC, 0x1EB9, "e\u{323}\u{301}", 1),
        // The character itself is in the source.
        ("\r\nx\u{301}x", NFC, 0x301, "\u{301}", 2),
        ("\r\n..é", NFD, 0x301, "é", 3),
        ("\r\n..漢", LF, 0x6F22, "漢", 3),
    ] {
        let text = ascii.clone() + end;
        let from = text.len() - end.len() + end.find(bytes).unwrap();
        for threads in [1, 2] {
            let mut out = Vec::new();
            let options = Options::default();
            let failed =
                convert(pair.0, pair.1, options, change, threads, text.as_bytes(), &mut out);
            let Err(parallel::Error::Text { error, position, bytes: bad }) = failed else {
                panic!("{failed:?}")
            };
            assert_eq!((error.offset(), &bad[..]), (from as u64, bytes.as_bytes()), "{end:?}");
            assert_eq!((position.line, position.column), (line + 1, column), "{end:?}");
            assert_eq!(error.kind(), ErrorKind::Unencodable(point), "{end:?}");
        }
    }
}

#[test]
fn endless_marks_are_refused() {
    let pair = (Encoding::Utf16Le, Encoding::Utf8);
    let marks =
        |count: usize| "ab\ne".to_owned() + &"\u{323}\u{301}".repeat(count / 2) + "e\u{301}";
    // In UTF-8: e, and two bytes for each mark.
    let most = (LONGEST - 1) / 4 * 2;
    let text = marks(most);
    for change in [NFC, NFD] {
        for threads in [1, 2] {
            let mut out = Vec::new();
            let bytes = pair.0.encode(&text).unwrap();
            convert(pair.0, pair.1, Options::default(), change, threads, &bytes[..], &mut out)
                .unwrap();
            let form = if change == NFC { text.nfc().to_string() } else { text.nfd().to_string() };
            assert!(out == form.into_bytes());

            let bytes = pair.0.encode(&marks(most + 2)).unwrap().into_owned();
            let mut out = Vec::new();
            let failed =
                convert(pair.0, pair.1, Options::default(), change, threads, &bytes[..], &mut out);
            let Err(parallel::Error::Rejected { offset, position, .. }) = failed else {
                panic!("{failed:?}")
            };
            assert_eq!((offset, position.line, position.column), (6, 2, 1));
            assert_eq!(out, b"ab\n");
        }
    }
    // For any chunk size, and for longer text.
    let bytes = pair.0.encode(&marks(4 * LONGEST)).unwrap().into_owned();
    for size in [1, 1000, 40_000, bytes.len()] {
        let mut out = Vec::new();
        let mut transcoder = FilteredTranscoder::new(pair.0, pair.1, Options::default(), &NFD);
        let stopped =
            bytes.chunks(size).find_map(|piece| transcoder.transcode(piece, false, &mut out).err());
        assert!(matches!(stopped.unwrap(), filter::Error::Rejected { offset: 6, .. }));
    }
}

const CR: Normalize = Normalize::new().with_newline(Newline::Cr);
const NFKC: Normalize = Normalize::new().with_form(Some(Form::Nfkc));
const NFKD: Normalize = Normalize::new().with_form(Some(Form::Nfkd));

#[test]
fn line_ends_of_the_classic_mac_os() {
    for (text, cr) in [
        ("", ""),
        ("a\nb\r\nc\rd", "a\rb\rc\rd"),
        ("\n\n\r\r\n\r\n\r\r", "\r\r\r\r\r\r\r"),
        ("\r\n", "\r"),
        ("\n", "\r"),
        ("é\r\n\u{85}\n", "é\r\u{85}\r"),
    ] {
        check(UTF8, CR, text.as_bytes(), cr.as_bytes());
    }
}

/// Halfwidth kana with their marks, and halfwidth Hangul, compose with the preceding character.
#[test]
fn compatibility_forms() {
    for text in [
        "ﬁ ² ½ Ａ",
        "\u{FF76}\u{FF9E}\u{FF76}",
        "\u{30AB}\u{FF9E}",
        "\u{FFA1}\u{FFC2}\u{FFA4}",
        "\u{3131}\u{314F}\u{11A8}",
        "a\u{FC5E}\u{301}\u{FE71}",
        "e\u{301}\u{FB1D}\u{2126}\u{1E9B}\u{323}",
    ] {
        let nfkc: String = text.nfkc().collect();
        let nfkd: String = text.nfkd().collect();
        check(UTF8, NFKC, text.as_bytes(), nfkc.as_bytes());
        check(UTF8, NFKD, text.as_bytes(), nfkd.as_bytes());
    }
}
