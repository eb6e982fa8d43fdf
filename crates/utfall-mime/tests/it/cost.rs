//! The measured costs equal the output of the encoders byte for byte, wherever chunks end.

use std::fs;
use std::path::Path;

use utfall::{Encoding, Options, Origin, Utf7Options};
use utfall_mime::cost::{Costs, Meter, Purpose, Row, Size, Way, measure};
use utfall_mime::encoded_word::{self, Scheme};
use utfall_mime::{base64, quoted_printable};
use utfall_oracle::step;

fn corpora() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/corpora");
    let mut corpora: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "txt"))
        .map(|path| {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            (name, fs::read_to_string(&path).unwrap())
        })
        .collect();
    corpora.sort();
    assert_eq!(corpora.len(), 11);
    corpora
}

/// The first lines of a text, a few thousand bytes.
fn beginning(text: &str) -> &str {
    &text[..text.floor_char_boundary(6000)]
}

/// Texts with features that the corpora lack.
const ODD: [&str; 14] = [
    "",
    "\n",
    "\r",
    "a\r\n\r\r\nb",
    "NUL \0",
    "trailing \t\n. \n.\n--\n>>From here\nFrom there\n",
    "5 = 2+3 ~\\ =?UTF-8?Q?x?=\n",
    "\u{FEFF}mark, and \u{FEFF}within\n",
    "\u{4E0A}\u{4E0A}\u{4E0A}\u{A0A}\u{A0D}\n",
    "¥‾ \u{5C} ｱｲｳ 日本\n",
    "한글과 ASCII と 日本語 и кириллица\n",
    "\u{1F600}\u{10FFFF}\u{80}\u{85}\n",
    "\u{E9}\u{2028}\u{E9}\u{2029}",
    " \n  \n",
];

fn body_options(row: &Row) -> Options {
    let utf7 = Utf7Options::new().with_shift_set_o(row.set_d_only).with_explicit_close(true);
    Options::default().with_utf7(utf7)
}

fn quoted(bytes: &[u8]) -> Size {
    let encoded = quoted_printable::encode(bytes, b"\r\n");
    let soft = encoded.windows(3).filter(|three| three == b"=\r\n").count() as u64;
    Size { bytes: encoded.len() as u64, framing: soft * 3 }
}

fn in_base64(bytes: &[u8]) -> Size {
    let encoded = base64::encode_lines(bytes, b"\r\n");
    let ends = encoded.iter().filter(|byte| matches!(byte, b'\r' | b'\n')).count();
    Size { bytes: encoded.len() as u64, framing: ends as u64 }
}

/// The size of every field as encoded and folded, with the bytes outside the payload.
fn fields(text: &str, charset: Encoding, scheme: Scheme) -> Size {
    let mut size = Size::default();
    for line in text.split("\r\n").filter(|line| !line.is_empty()) {
        let words = encoded_word::encode(line, charset, Some(scheme), 67).unwrap();
        let field = format!("Subject: {}", words.join("\r\n "));
        assert!(field.lines().all(|line| line.len() <= 76), "{field}");
        let payload: usize = words.iter().map(|word| word.split('?').nth(3).unwrap().len()).sum();
        let bytes = field.len() - "Subject: ".len();
        size.bytes += bytes as u64;
        size.framing += (bytes - payload) as u64;
    }
    size
}

/// Compares every figure with the output of the encoders.
fn check(name: &str, text: &str) -> Costs {
    let costs = measure(text);
    let canonical = text.replace("\r\n", "\n").replace('\n', "\r\n");
    assert_eq!(costs.characters, canonical.chars().count() as u64);
    let without_ends = canonical.replace("\r\n", "");
    assert_eq!(costs.field_characters, without_ends.chars().count() as u64);
    for row in &costs.rows {
        let what = format!("{name} in {}", row.name());
        let bytes = row.charset.encode_with(&canonical, body_options(row)).unwrap();
        let decoded = row.charset.decode(&bytes).unwrap();
        assert_eq!(
            decoded.trim_start_matches('\u{FEFF}'),
            canonical.trim_start_matches('\u{FEFF}')
        );
        assert_eq!(row.size(Way::Base64), Some(in_base64(&bytes)), "{what}");
        if let Some(size) = row.size(Way::QuotedPrintable) {
            assert_eq!(size, quoted(&bytes), "{what}");
            let body = quoted_printable::encode(&bytes, b"\r\n");
            assert_eq!(quoted_printable::decode(&body).bytes, &*bytes, "{what}");
        }
        let as_is = bytes.split(|byte| *byte == b'\n').all(|line| {
            let line = line.strip_suffix(b"\r").unwrap_or(line);
            line.len() <= 998 && !line.contains(&0) && !line.contains(&b'\r')
        });
        let as_is = as_is && row.size(Way::QuotedPrintable).is_some();
        let size = Size { bytes: bytes.len() as u64, framing: 0 };
        // Without a further byte, a final CR is not a line end.
        let as_is = as_is && !bytes.ends_with(b"\r");
        assert_eq!(row.size(Way::EightBit), as_is.then_some(size), "{what}");
        let is_7bit = as_is && bytes.is_ascii();
        assert_eq!(row.size(Way::SevenBit), is_7bit.then_some(size), "{what}");
        for (way, scheme) in [(Way::Q, Scheme::Q), (Way::B, Scheme::B)] {
            let is_direct = row.charset == Encoding::Utf7 && !row.set_d_only;
            let expected = (!is_direct).then(|| fields(&canonical, row.charset, scheme));
            assert_eq!(row.size(way), expected, "{what}, {}", way.name());
        }
    }
    costs
}

/// UTF-8, UTF-7 and UTF-16 represent all texts; charsets that cannot represent a text are omitted.
#[test]
fn figures_are_those_of_the_encoders() {
    for (name, text) in corpora() {
        let text = beginning(&text);
        let costs = check(&name, text);
        let canonical = text.replace('\n', "\r\n");
        for encoding in Encoding::ALL {
            let has = costs.rows.iter().any(|row| row.charset == *encoding);
            let bytes = encoding.encode(&canonical);
            let can =
                bytes.is_ok_and(|bytes| encoding.decode(&bytes).is_ok_and(|t| t == canonical));
            assert!(!has || can, "{name}: {encoding}");
            let is_glibc = matches!(encoding.info().origin, Origin::Glibc | Origin::Other);
            if encoding.info().iana && !is_glibc && can && !has {
                let apart = [Encoding::Utf7Imap, Encoding::Unicode11, Encoding::Unicode11Utf7];
                assert!(apart.contains(encoding), "{name}: {encoding}");
            }
        }
    }
    for text in ODD {
        check(text, text);
        check("long", &text.repeat(70));
    }
}

/// US-ASCII first, then other text: charsets that shared counts must separate.
#[test]
fn charsets_part() {
    let ascii = "plain text = ASCII\n".repeat(4000 / step(10));
    let costs = check("part", &format!("{ascii}\u{E9}\n{ascii}"));
    assert!(costs.rows.iter().any(|row| row.charset == Encoding::Iso8859_15));
    assert!(costs.rows.iter().all(|row| row.charset != Encoding::UsAscii));
    assert!(costs.rows.iter().all(|row| row.charset != Encoding::Iso8859_5));
    assert_eq!(check("ascii", &ascii).rows.len(), measure("").rows.len());
}

#[test]
fn pieces_do_not_matter() {
    for text in ODD.into_iter().chain([&*ODD.concat()]) {
        let text = &*text.repeat(3);
        let costs = measure(text);
        for size in [1, 2, 3, 7] {
            let mut meter = Meter::new();
            let mut rest = text;
            while !rest.is_empty() {
                let at = rest.char_indices().nth(size).map_or(rest.len(), |(at, _)| at);
                meter.push(&rest[..at]);
                meter.push("");
                rest = &rest[at..];
            }
            assert_eq!(meter.finish(), costs, "{text:?} in pieces of {size}");
        }
    }
    let (name, text) = corpora().swap_remove(10);
    assert_eq!(name, "wiki-french.utf8.txt");
    let mut meter = Meter::new();
    text.split_inclusive(' ').for_each(|word| meter.push(word));
    assert_eq!(meter.finish(), measure(&text));
}

/// A line may have at most 998 bytes.
#[test]
fn long_lines() {
    let size = |text: &str, way| measure(text).rows[0].size(way);
    let line = "x".repeat(998);
    assert!(size(&format!("{line}\n{line}"), Way::SevenBit).is_some());
    assert_eq!(size(&format!("{line}x\n"), Way::SevenBit), None);
    assert_eq!(size(&format!("a\n{line}x"), Way::EightBit), None);
    let value = &line[9..];
    assert!(size(&format!("{value}\n"), Way::Plain).is_some());
    assert_eq!(size(&format!("{value}x\n"), Way::Plain), None);
    assert_eq!(size("a =?b\n", Way::Plain), None);
    assert_eq!(size("a\tb\n", Way::Plain).map(|size| size.bytes), Some(3));
    // A field value is split here at the latest.
    let costs = measure(&"x".repeat(1 << 17));
    assert_eq!(costs.field_characters, 1 << 17);
}

/// The best ways according to RFC 2152.
#[test]
fn best() {
    let best = |text: &str| {
        [Purpose::Body7Bit, Purpose::Body8Bit, Purpose::Header].map(|purpose| {
            let costs = measure(text);
            let (row, way) = costs.best(purpose).unwrap();
            format!("{} {}", row.name(), way.name())
        })
    };
    assert_eq!(best("Hi Mom!\n"), ["US-ASCII 7bit", "US-ASCII 7bit", "US-ASCII plain"]);
    assert_eq!(best("Hi Mom ☺!\n"), ["UTF-7 7bit", "UTF-8 8bit", "UTF-7 (set D) Q"]);
    assert_eq!(best("日本語。\u{1F600}\n"), ["UTF-7 7bit", "GB18030 8bit", "UTF-7 (set D) Q"]);
}
