//! The worked examples of the RFCs, by name (U8-9, U8-10, U7-11, U7-13).

use std::fs;
use std::path::PathBuf;

use utfall::{Bom, Encoding, ErrorKind, Options, Utf7Options};

const NOT_IDENTICAL_TO_ALPHA: &str = "A\u{2262}\u{391}.";
const HI_MOM: &str = "Hi Mom \u{263A}!";
const HANGUGO: &str = "\u{D55C}\u{AD6D}\u{C5B4}";
const NIHONGO: &str = "\u{65E5}\u{672C}\u{8A9E}";

/// Every version of UTF-8 decodes and encodes this text with these bytes.
fn same_in_every_utf8(text: &str, bytes: &[u8]) {
    for encoding in
        [Encoding::Utf8, Encoding::Utf8Rfc2279, Encoding::Utf8Rfc2044, Encoding::Utf8Perl]
    {
        assert_eq!(encoding.decode(bytes).unwrap(), text, "{encoding}");
        assert_eq!(&*encoding.encode(text).unwrap(), bytes, "{encoding}");
    }
}

#[test]
fn utf8_not_identical_to_alpha() {
    // RFC 2044 §3, draft-yergeau-utf8-rev-00 §4, RFC 2279 §4, RFC 3629 §7.
    same_in_every_utf8(NOT_IDENTICAL_TO_ALPHA, b"\x41\xE2\x89\xA2\xCE\x91\x2E");
}

#[test]
fn utf8_hi_mom() {
    // RFC 2044 §3.
    same_in_every_utf8(HI_MOM, b"\x48\x69\x20\x4D\x6F\x6D\x20\xE2\x98\xBA\x21");
}

#[test]
fn utf8_hangugo() {
    // draft-yergeau-utf8-rev-00 §4, RFC 2279 §4, RFC 3629 §7.
    same_in_every_utf8(HANGUGO, b"\xED\x95\x9C\xEA\xB5\xAD\xEC\x96\xB4");
}

#[test]
fn utf8_nihongo() {
    // All four documents.
    same_in_every_utf8(NIHONGO, b"\xE6\x97\xA5\xE6\x9C\xAC\xE8\xAA\x9E");
}

#[test]
fn utf8_233b4_after_a_byte_order_mark() {
    // RFC 3629 §7, and §6 on keeping and stripping.
    let bytes = b"\xEF\xBB\xBF\xF0\xA3\x8E\xB4";
    assert_eq!(Encoding::Utf8.decode(bytes).unwrap(), "\u{FEFF}\u{233B4}");
    let strip = Options::default().with_bom(Bom::Strip);
    assert_eq!(Encoding::Utf8.decode_with(bytes, strip).unwrap(), "\u{233B4}");
    let add = Options::default().with_bom(Bom::Add);
    assert_eq!(&*Encoding::Utf8.encode_with("\u{233B4}", add).unwrap(), bytes);
}

#[test]
fn utf8_security_considerations() {
    // RFC 2279 §6, RFC 3629 §10: neither NUL nor "/../".
    let overlong_nul = Encoding::Utf8.validate(b"\xC0\x80").unwrap_err();
    assert_eq!(overlong_nul.kind(), ErrorKind::Overlong);
    let hidden_parent = b"\x2F\xC0\xAE\x2E\x2F";
    for encoding in [Encoding::Utf8, Encoding::Utf8Rfc2279] {
        let error = encoding.validate(hidden_parent).unwrap_err();
        assert_eq!((error.kind(), error.offset()), (ErrorKind::Overlong, 1), "{encoding}");
    }
    assert_eq!(Encoding::Utf8Rfc2044.decode(hidden_parent).unwrap(), "/../");
}

/// UTF-7 and RFC 1642 decode these bytes to this text.
fn utf7_reads(bytes: &str, text: &str) {
    for encoding in [Encoding::Utf7, Encoding::Utf7Rfc1642, Encoding::Unicode11Utf7] {
        assert_eq!(encoding.decode(bytes.as_bytes()).unwrap(), text, "{encoding}");
    }
}

/// … and encode it.
fn utf7_reads_and_writes(bytes: &str, text: &str) {
    utf7_reads(bytes, text);
    assert_eq!(&*Encoding::Utf7.encode(text).unwrap(), bytes.as_bytes());
}

/// … or encode it if every run is closed.
fn utf7_writes_explicitly(bytes: &str, text: &str) {
    utf7_reads(bytes, text);
    let utf7 = Utf7Options::new().with_explicit_close(true);
    let options = Options::default().with_utf7(utf7);
    assert_eq!(&*Encoding::Utf7.encode_with(text, options).unwrap(), bytes.as_bytes());
}

#[test]
fn utf7_not_identical_to_alpha() {
    utf7_reads_and_writes("A+ImIDkQ.", NOT_IDENTICAL_TO_ALPHA);
}

#[test]
fn utf7_hi_mom_between_hyphens() {
    utf7_writes_explicitly("Hi Mom -+Jjo--!", "Hi Mom -\u{263A}-!");
    utf7_reads_and_writes("Hi Mom -+Jjo--!", "Hi Mom -\u{263A}-!");
}

#[test]
fn utf7_nihongo() {
    utf7_reads_and_writes("+ZeVnLIqe-", NIHONGO);
}

#[test]
fn utf7_four_mime_bodies() {
    utf7_writes_explicitly("Hi Mom +Jjo-!", HI_MOM);
    utf7_reads_and_writes("+ZeVnLIqe-", NIHONGO);
    utf7_reads_and_writes("A+ImIDkQ.", NOT_IDENTICAL_TO_ALPHA);
    utf7_reads_and_writes("Item 3 is +AKM-1.", "Item 3 is \u{A3}1.");
}

#[test]
fn utf7_plus_sign() {
    utf7_reads_and_writes("U+-9F08", "U+9F08");
}

fn example(name: &str) -> String {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name);
    fs::read_to_string(path).unwrap()
}

#[test]
fn utf7_analects_in_both_forms() {
    // Appendix A: with set O written directly, and with set D only. Both close every run.
    let (direct, header_safe) = (example("analects.utf7"), example("analects-header-safe.utf7"));
    let text = Encoding::Utf7.decode(direct.as_bytes()).unwrap();
    assert!(text.starts_with("Below is the full Chinese text of the Analects (\u{8AD6}\u{8A9E})."));
    utf7_writes_explicitly(&direct, &text);
    utf7_reads(&header_safe, &text);
    let utf7 = Utf7Options::new().with_shift_set_o(true).with_explicit_close(true);
    let options = Options::default().with_utf7(utf7);
    assert_eq!(&*Encoding::Utf7.encode_with(&text, options).unwrap(), header_safe.as_bytes());
}

#[test]
fn utf7_multipart_alternative() {
    // Discussion: "Hi Mom ", then `Jjo=` in Base64 labelled UNICODE-2-0, then "!".
    let parts = [
        Encoding::UsAscii.decode(b"Hi Mom ").unwrap(),
        Encoding::Unicode20.decode(b"\x26\x3A").unwrap(),
        Encoding::UsAscii.decode(b"!").unwrap(),
    ];
    assert_eq!(parts.concat(), HI_MOM);
}

#[test]
fn hangul_before_amendment_5() {
    // U8-12. "Hangugo" was at 3CA2 3476 3971; syllables that Unicode 1.1 lacked cannot be encoded.
    for encoding in [Encoding::Unicode11Utf8, Encoding::Unicode11Utf7, Encoding::Unicode11] {
        let bytes = encoding.encode(HANGUGO).unwrap();
        assert_eq!(encoding.decode(&bytes).unwrap(), HANGUGO, "{encoding}");
        let lacking = encoding.encode("\u{D7A3}").unwrap_err();
        assert_eq!(lacking.kind(), ErrorKind::Unencodable(0xD7A3), "{encoding}");
        let moved = encoding.encode("x\u{3400}").unwrap_err();
        assert_eq!((moved.kind(), moved.offset()), (ErrorKind::Unencodable(0x3400), 1));
    }
    assert_eq!(&*Encoding::Unicode11.encode(HANGUGO).unwrap(), b"\x3C\xA2\x34\x76\x39\x71");
    // Modern text with the old label is not changed.
    assert_eq!(Encoding::Unicode11Utf8.decode(HANGUGO.as_bytes()).unwrap(), HANGUGO);
    assert_eq!(Encoding::Unicode11Utf8.decode("\u{3400}".as_bytes()).unwrap(), "\u{AC00}");
}

#[test]
fn hangul_table_is_that_of_testdata() {
    let path =
        PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../testdata/hangul-unicode-1.1.tsv");
    let text = fs::read_to_string(path).unwrap();
    let mut rows = 0;
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split('\t').collect();
        let old = char::from_u32(u32::from_str_radix(fields[0], 16).unwrap()).unwrap();
        let old = old.to_string();
        assert_eq!(Encoding::Unicode11Utf8.decode(old.as_bytes()).unwrap(), fields[2], "{line}");
        assert_eq!(&*Encoding::Unicode11Utf8.encode(fields[2]).unwrap(), old.as_bytes(), "{line}");
        rows += 1;
    }
    assert_eq!(rows, 6656);
}
