//! Simple codecs for every encoding of utfall, for tests only.
//!
//! Each one is written from its specification, one character at a time, and shares no code with
//! the library that it is compared with. `docs/decisions.md` defines ill-formed sequences and
//! their lengths; the modules cite its sections as §1 to §9.
//!
//! Nothing here is fast or incremental: a call takes the whole input. Encodings that read their
//! byte order from a byte order mark drop it (§2); in all others it is text.

#![forbid(unsafe_code)]

mod bocu1;
mod cesu8;
pub mod counted;
pub mod encoded_word;
mod hangul;
mod imap_utf7;
mod mutf8;
mod scsu;
mod sequence;
pub mod shifted;
mod short;
mod single_byte;
mod utf1;
mod utf16;
mod utf32;
mod utf7;
mod utf8;
mod utf_ebcdic;
pub mod vectors;
mod wtf8;

pub use short::{rounds, step};
use utf16::Repertoire::{Ucs2, Utf16};
use utf32::Repertoire::{Ucs4, Utf32};

/// One item found by decoding, in input order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Item {
    /// A code point: usually a scalar value; a surrogate or a value above 10FFFF where the
    /// encoding can carry those.
    Point(u32),
    /// An ill-formed sequence.
    ///
    /// In UTF-7 two neighbours may share a Base64 digit, as a digit can have bits of both.
    Ill {
        /// The offset of its first byte in the input.
        offset: usize,
        /// Its length in bytes, at least one.
        length: usize,
    },
}

/// Names accepted by [`decode`] and [`encode`], case-sensitive.
///
/// ```
/// assert!(utfall_oracle::names().contains(&"UTF-8/RFC2279"));
/// ```
pub fn names() -> &'static [&'static str] {
    &NAMES
}

/// Decodes the whole input and appends its items to `items`. Returns false, and does not change
/// `items`, if the name is unknown.
///
/// ```
/// use utfall_oracle::{Item, decode};
///
/// let mut items = Vec::new();
/// assert!(decode("UTF-8", b"A\xE2\x89", &mut items));
/// assert_eq!(items, [Item::Point(0x41), Item::Ill { offset: 1, length: 2 }]);
/// assert!(!decode("UTF-9", b"A", &mut items));
/// ```
pub fn decode(name: &str, bytes: &[u8], items: &mut Vec<Item>) -> bool {
    match codec(name) {
        Some(codec) => {
            (codec.decode)(bytes, items);
            true
        }
        None => false,
    }
}

/// Encodes code points and appends the bytes to `bytes`.
///
/// `Err(Some(index))` means that the code point at that index cannot be encoded, `Err(None)` that
/// the name is unknown. In both cases `bytes` is unchanged.
///
/// ```
/// use utfall_oracle::encode;
///
/// let mut bytes = Vec::new();
/// assert_eq!(encode("UTF-7", &[0x41, 0x2262, 0x391, 0x2E], &mut bytes), Ok(()));
/// assert_eq!(bytes, b"A+ImIDkQ.");
/// assert_eq!(encode("UTF-8", &[0x41, 0xD800], &mut bytes), Err(Some(1)));
/// assert_eq!(encode("UTF-9", &[0x41], &mut bytes), Err(None));
/// ```
pub fn encode(name: &str, points: &[u32], bytes: &mut Vec<u8>) -> Result<(), Option<usize>> {
    let codec = codec(name).ok_or(None)?;
    let before = bytes.len();
    (codec.encode)(points, bytes).map_err(|index| {
        bytes.truncate(before);
        Some(index)
    })
}

/// The result of an encoder: the index of the first code point that it cannot encode.
type Encoded = Result<(), usize>;

struct Codec {
    name: &'static str,
    decode: fn(&[u8], &mut Vec<Item>),
    encode: fn(&[u32], &mut Vec<u8>) -> Encoded,
}

#[rustfmt::skip]
static CODECS: [Codec; 33] = [
    Codec { name: "UTF-8",             decode: |o, i| utf8::decode(&utf8::RFC3629, o, i),         encode: |p, o| utf8::encode(&utf8::RFC3629, p, o) },
    Codec { name: "UTF-8/RFC2279",     decode: |o, i| utf8::decode(&utf8::RFC2279, o, i),         encode: |p, o| utf8::encode(&utf8::RFC2279, p, o) },
    Codec { name: "UTF-8/RFC2044",     decode: |o, i| utf8::decode(&utf8::RFC2044, o, i),         encode: |p, o| utf8::encode(&utf8::RFC2044, p, o) },
    Codec { name: "UTF-8/Perl",        decode: |o, i| utf8::decode(&utf8::PERL, o, i),            encode: |p, o| utf8::encode(&utf8::PERL, p, o) },
    Codec { name: "UTF-7",             decode: |o, i| shifted::decode(utf7::read, o, i),             encode: utf7::encode },
    Codec { name: "UTF-7/RFC1642",     decode: |o, i| shifted::decode(utf7::read, o, i),             encode: utf7::encode },
    Codec { name: "UTF-7-IMAP",        decode: |o, i| shifted::decode(imap_utf7::read, o, i),        encode: imap_utf7::encode },
    Codec { name: "UTF-16",            decode: |o, i| utf16::decode_marked(Utf16, o, i),          encode: utf16::encode_marked },
    Codec { name: "UTF-16LE",          decode: |o, i| utf16::decode_little(Utf16, o, i),          encode: |p, o| utf16::encode_little(Utf16, p, o) },
    Codec { name: "UTF-16BE",          decode: |o, i| utf16::decode_big(Utf16, o, i),             encode: |p, o| utf16::encode_big(Utf16, p, o) },
    Codec { name: "ISO-10646-UCS-2",   decode: |o, i| utf16::decode_marked(Ucs2, o, i),           encode: |p, o| utf16::encode_unmarked(Ucs2, p, o) },
    Codec { name: "UCS-2LE",           decode: |o, i| utf16::decode_little(Ucs2, o, i),           encode: |p, o| utf16::encode_little(Ucs2, p, o) },
    Codec { name: "UCS-2BE",           decode: |o, i| utf16::decode_big(Ucs2, o, i),              encode: |p, o| utf16::encode_big(Ucs2, p, o) },
    Codec { name: "UTF-32",            decode: |o, i| utf32::decode_marked(Utf32, o, i),          encode: utf32::encode_marked },
    Codec { name: "UTF-32LE",          decode: |o, i| utf32::decode_little(Utf32, o, i),          encode: |p, o| utf32::encode_little(Utf32, p, o) },
    Codec { name: "UTF-32BE",          decode: |o, i| utf32::decode_big(Utf32, o, i),             encode: |p, o| utf32::encode_big(Utf32, p, o) },
    Codec { name: "ISO-10646-UCS-4",   decode: |o, i| utf32::decode_marked(Ucs4, o, i),           encode: |p, o| utf32::encode_unmarked(Ucs4, p, o) },
    Codec { name: "UCS-4LE",           decode: |o, i| utf32::decode_little(Ucs4, o, i),           encode: |p, o| utf32::encode_little(Ucs4, p, o) },
    Codec { name: "UCS-4BE",           decode: |o, i| utf32::decode_big(Ucs4, o, i),              encode: |p, o| utf32::encode_big(Ucs4, p, o) },
    Codec { name: "CESU-8",            decode: cesu8::decode,                                     encode: cesu8::encode },
    Codec { name: "MUTF-8",            decode: mutf8::decode,                                     encode: mutf8::encode },
    Codec { name: "WTF-8",             decode: wtf8::decode,                                      encode: wtf8::encode },
    Codec { name: "ISO-10646-UTF-1",   decode: utf1::decode,                                      encode: utf1::encode },
    Codec { name: "UTF-EBCDIC",        decode: |o, i| utf_ebcdic::decode(&utf_ebcdic::OPEN, o, i), encode: |p, o| utf_ebcdic::encode(&utf_ebcdic::OPEN, p, o) },
    Codec { name: "UTF-EBCDIC/CDRA",   decode: |o, i| utf_ebcdic::decode(&utf_ebcdic::CDRA, o, i), encode: |p, o| utf_ebcdic::encode(&utf_ebcdic::CDRA, p, o) },
    Codec { name: "SCSU",              decode: scsu::decode,                                      encode: scsu::encode },
    Codec { name: "BOCU-1",            decode: bocu1::decode,                                     encode: bocu1::encode },
    Codec { name: "UNICODE-1-1-UTF-8", decode: |o, i| hangul::decode("UTF-8", o, i),              encode: |p, o| hangul::encode("UTF-8", p, o) },
    Codec { name: "UNICODE-1-1-UTF-7", decode: |o, i| hangul::decode("UTF-7", o, i),              encode: |p, o| hangul::encode("UTF-7", p, o) },
    Codec { name: "UNICODE-1-1",       decode: |o, i| hangul::decode("UNICODE-2-0", o, i),        encode: |p, o| hangul::encode("UNICODE-2-0", p, o) },
    Codec { name: "UNICODE-2-0",       decode: |o, i| utf16::decode_marked(Utf16, o, i),          encode: |p, o| utf16::encode_unmarked(Utf16, p, o) },
    Codec { name: "US-ASCII",          decode: single_byte::decode_ascii,                        encode: single_byte::encode_ascii },
    Codec { name: "ISO-8859-1",        decode: single_byte::decode_latin1,                       encode: single_byte::encode_latin1 },
];

static NAMES: [&str; CODECS.len()] = {
    let mut names = [""; CODECS.len()];
    let mut index = 0;
    while index < names.len() {
        names[index] = CODECS[index].name;
        index += 1;
    }
    names
};

fn codec(name: &str) -> Option<&'static Codec> {
    CODECS.iter().find(|codec| codec.name == name)
}

/// D800–DBFF, the first half of a pair in UTF-16.
fn is_high(value: u32) -> bool {
    (0xD800..=0xDBFF).contains(&value)
}

/// DC00–DFFF, the second half of a pair in UTF-16.
fn is_low(value: u32) -> bool {
    (0xDC00..=0xDFFF).contains(&value)
}

fn is_surrogate(value: u32) -> bool {
    is_high(value) || is_low(value)
}

/// Every code point except the surrogates.
fn is_scalar(value: u32) -> bool {
    value <= 0x10FFFF && !is_surrogate(value)
}

/// The code point that a high and a low surrogate represent.
fn join(high: u32, low: u32) -> u32 {
    0x10000 + (high - 0xD800) * 0x400 + (low - 0xDC00)
}

/// The high and the low surrogate of a code point above FFFF.
fn split(point: u32) -> (u32, u32) {
    let above = point - 0x10000;
    (0xD800 + above / 0x400, 0xDC00 + above % 0x400)
}
