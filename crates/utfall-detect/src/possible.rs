//! Which encodings a text may be in: those that its bytes and the hints allow.

use utfall::{Encoding, Family, Origin};

use crate::facts::Facts;
use crate::reading::is_wide;
use crate::sample::Piece;

/// Decimal logarithm of the chance below which well-formed UTF-8 cannot be anything else.
const SURELY_UTF_8: f64 = -8.0;

/// The encodings that both the bytes and the hints allow.
pub(crate) fn allowed(facts: &Facts<'_>, signature: Option<(Encoding, usize)>) -> Vec<Encoding> {
    let hints = facts.hints;
    let mut encodings = possible(facts);
    let is_seen = |encoding: Encoding| {
        encoding == Encoding::UsAscii
            || encoding == Encoding::Utf8 && facts.utf8.errors == 0
            || signature.is_some_and(|(marked, _)| marked == encoding)
    };
    encodings.retain(|encoding| is_seen(*encoding) || hints.allow(*encoding));
    for encoding in hints.expected.iter().flatten().copied() {
        // Text that is all ASCII is the same in all of these.
        let is_other = facts.utf8.high > 0 || !encoding.info().ascii_transparent;
        // For these two, the byte order is detected.
        let is_open = matches!(encoding, Encoding::Utf16 | Encoding::Utf32);
        if is_other && !is_open && hints.allow(encoding) && !encodings.contains(&encoding) {
            encodings.push(encoding);
        }
    }
    encodings
}

/// Charsets that the web lacks, and that texts of DOS, Macintosh and Unix are in.
const BESIDE_THE_WEB: &[Encoding] = &[
    Encoding::Ibm437,
    Encoding::Cp737,
    Encoding::Ibm775,
    Encoding::Ibm850,
    Encoding::Ibm852,
    Encoding::Ibm855,
    Encoding::Ibm857,
    Encoding::Ibm860,
    Encoding::Ibm861,
    Encoding::Ibm862,
    Encoding::Ibm863,
    Encoding::Ibm865,
    Encoding::Ibm869,
    Encoding::Cp1125,
    Encoding::MacCentraleurope,
    Encoding::MacCroatian,
    Encoding::MacGreek,
    Encoding::MacIcelandic,
    Encoding::MacRomanian,
    Encoding::MacTurkish,
    Encoding::Viscii,
    Encoding::Tcvn5712_1,
    Encoding::Koi8T,
    Encoding::Ptcp154,
    Encoding::Kz1048,
    Encoding::Johab,
    #[cfg(feature = "cns")]
    Encoding::EucTw,
];

/// Whether this charset gives bytes above 7F a meaning, unlike US-ASCII, and is text, unlike the two
/// that the web has for other purposes. Those that only glibc has are too rare.
pub(crate) fn is_charset(encoding: Encoding) -> bool {
    let info = encoding.info();
    matches!(info.family, Family::SingleByte | Family::MultiByte)
        && (matches!(info.origin, Origin::Standard | Origin::Whatwg)
            || BESIDE_THE_WEB.contains(&encoding))
        && ![Encoding::UsAscii, Encoding::Replacement, Encoding::UserDefined].contains(&encoding)
}

/// The encodings that the bytes allow.
fn possible(facts: &Facts<'_>) -> Vec<Encoding> {
    use Encoding as E;
    let mut encodings = Vec::new();
    let has = |byte: u8| facts.pieces.iter().any(|piece| piece.bytes.contains(&byte));
    if facts.utf8.high == 0 {
        encodings.push(E::UsAscii);
        encodings.extend(has(b'+').then_some(E::Utf7));
        encodings.extend(has(b'&').then_some(E::Utf7Imap));
        if facts.bytes.escapes > 0 {
            encodings.push(E::Iso2022Jp);
            encodings.extend(has_any(&facts.pieces, JP_2).then_some(E::Iso2022Jp2));
            #[cfg(feature = "jisx0213")]
            encodings.extend(has_any(&facts.pieces, JP_3).then_some(E::Iso2022Jp3));
            #[cfg(feature = "cns")]
            encodings.extend(has_any(&facts.pieces, MORE_CHINESE).then_some(E::Iso2022CnExt));
        }
        encodings.extend(has_header(&facts.pieces, KOREAN).then_some(E::Iso2022Kr));
        #[cfg(feature = "cns")]
        encodings.extend(has_header(&facts.pieces, CHINESE).then_some(E::Iso2022Cn));
        encodings.extend((hz_runs(&facts.pieces) > 0).then_some(E::Hz));
    } else {
        encodings.push(E::Utf8);
        if facts.utf8.errors > 0 && has_other_utf_8(&facts.pieces) {
            encodings.extend([E::Cesu8, E::Mutf8, E::Wtf8, E::Utf8Rfc2279, E::Utf8Rfc2044]);
        }
        // Text that looks this much like UTF-8 is in no other byte-oriented encoding.
        if facts.utf8.errors > 0 || facts.chance > SURELY_UTF_8 {
            encodings.extend([E::UtfEbcdic, E::UtfEbcdicCdra, E::Utf1]);
            let is_seven_bit = |encoding: &&E| encoding.info().seven_bit;
            let charsets = E::ALL.iter().filter(|encoding| is_charset(**encoding));
            encodings.extend(charsets.filter(|encoding| !is_seven_bit(encoding)));
        }
    }
    encodings.extend([E::Utf16Le, E::Utf16Be]);
    if facts.length >= 4 {
        encodings.extend([E::Utf32Le, E::Utf32Be]);
    }
    debug_assert!(encodings.iter().filter(|encoding| is_wide(**encoding)).count() >= 2);
    encodings
}

/// Whether there may be sequences that UTF-8 lacks and one of its relatives has: surrogates,
/// overlong forms, and code points above U+10FFFF.
fn has_other_utf_8(pieces: &[Piece]) -> bool {
    let is_other = |pair: &[u8]| {
        matches!(
            pair,
            [0xC0 | 0xC1 | 0xF4..=0xFD, 0x80..=0xBF]
                | [0xE0, 0x80..=0x9F]
                | [0xED, 0xA0..=0xBF]
                | [0xF0, 0x80..=0x8F]
        )
    };
    pieces.iter().any(|piece| piece.bytes.windows(2).any(is_other))
}

/// The number of runs of HZ (RFC 1843): `~{`, pairs of bytes for ideographs of GB 2312, and `~}`. In
/// TeX, shells and other text, `~{` has no such end.
pub(crate) fn hz_runs(pieces: &[Piece]) -> usize {
    let is_pair =
        |pair: &&[u8]| (0x21..=0x77).contains(&pair[0]) && (0x21..=0x7E).contains(&pair[1]);
    let is_run = |run: &[u8]| {
        let pairs = run.chunks_exact(2).take_while(is_pair).count();
        pairs > 0 && run[2 * pairs..].starts_with(b"~}")
    };
    let of_piece = |piece: &Piece| {
        let starts = piece.bytes.windows(2).enumerate().filter(|(_, two)| *two == b"~{");
        starts.filter(|(at, _)| is_run(&piece.bytes[at + 2..])).count()
    };
    pieces.iter().map(of_piece).sum()
}

/// The header of ISO-2022-KR (RFC 1557) designates its set. It should begin a line, but some programs write it
/// where they need it.
const KOREAN: &[&[u8]] = &[b"\x1B$)C"];
/// The escape sequences of ISO-2022-CN that designate a set for SO (RFC 1922): GB 2312 and CNS 11643 plane 1.
#[cfg(feature = "cns")]
const CHINESE: &[&[u8]] = &[b"\x1B$)A", b"\x1B$)G"];

/// The escape sequences for sets that only ISO-2022-CN-EXT has: ISO-IR-165, and planes 3 to 7.
#[cfg(feature = "cns")]
const MORE_CHINESE: &[&[u8]] =
    &[b"\x1B$)E", b"\x1B$+I", b"\x1B$+J", b"\x1B$+K", b"\x1B$+L", b"\x1B$+M"];
/// The same for ISO-2022-JP-2 (RFC 1554): JIS X 0212, GB 2312, KS X 1001, ISO 8859-1 and -7.
const JP_2: &[&[u8]] = &[b"\x1B$(D", b"\x1B$A", b"\x1B$(C", b"\x1B.A", b"\x1B.F"];
/// The same for ISO-2022-JP-3: the planes of JIS X 0213.
#[cfg(feature = "jisx0213")]
const JP_3: &[&[u8]] = &[b"\x1B$(O", b"\x1B$(P", b"\x1B$(Q"];

fn has_any(pieces: &[Piece], sequences: &[&[u8]]) -> bool {
    let is_in = |piece: &Piece, sequence: &[u8]| {
        piece.bytes.windows(sequence.len()).any(|bytes| bytes == sequence)
    };
    pieces.iter().any(|piece| sequences.iter().any(|sequence| is_in(piece, sequence)))
}

/// Whether the text designates one of these sets before the first SO.
fn has_header(pieces: &[Piece], headers: &[&[u8]]) -> bool {
    const SO: u8 = 0x0E;
    let unshifted = pieces[0].bytes.split(|byte| *byte == SO).next().unwrap_or_default();
    headers.iter().any(|header| unshifted.windows(header.len()).any(|bytes| bytes == *header))
}
