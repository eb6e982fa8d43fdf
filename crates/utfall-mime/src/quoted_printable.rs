//! Quoted-printable (RFC 2045 §6.7).

use memchr::memchr;

use crate::transfer::Decoded;

/// The longest line of an encoded body, in octets, its line end not counted (rule 5).
const LINE: usize = 76;

/// Decodes a body. Line ends stay as they are.
///
/// White space at the end of a line is not part of the text (rule 3). `=` before the end of the
/// line or of the body is a soft line break; `==` is read as one `=`; before anything else
/// that is not two hexadecimal digits, `=` stays and is an error.
///
/// ```
/// use utfall_mime::quoted_printable::decode;
/// assert_eq!(decode(b"caf=C3=A9 =\r\nau lait  \r\n").octets, "café au lait\r\n".as_bytes());
/// let decoded = decode(b"a=XYb");
/// assert_eq!((&decoded.octets[..], decoded.errors), (&b"a=XYb"[..], 1));
/// ```
#[must_use]
pub fn decode(src: &[u8]) -> Decoded {
    let mut decoded = Decoded { octets: Vec::with_capacity(src.len()), ..Decoded::default() };
    let mut rest = src;
    while !rest.is_empty() {
        let (line, end) = match memchr(b'\n', rest) {
            Some(at) if at > 0 && rest[at - 1] == b'\r' => (&rest[..at - 1], &rest[at - 1..=at]),
            Some(at) => (&rest[..at], &rest[at..=at]),
            None => (rest, &rest[rest.len()..]),
        };
        rest = &rest[line.len() + end.len()..];
        decoded.departures += usize::from(line.len() > LINE);
        let is_soft = decode_line(trim_end(line), end.is_empty(), &mut decoded);
        if !is_soft {
            decoded.octets.extend_from_slice(end);
        }
    }
    decoded
}

/// Decodes a line without its end. Says whether a soft line break ends it.
fn decode_line(line: &[u8], is_last: bool, decoded: &mut Decoded) -> bool {
    let mut rest = line;
    while let Some(at) = memchr(b'=', rest) {
        push_literal(&rest[..at], decoded);
        rest = match &rest[at + 1..] {
            [] => {
                decoded.departures += usize::from(is_last);
                return true;
            }
            [high, low, rest @ ..] if high.is_ascii_hexdigit() && low.is_ascii_hexdigit() => {
                decoded.octets.push(digit(*high) << 4 | digit(*low));
                rest
            }
            [b'=', rest @ ..] => {
                decoded.octets.push(b'=');
                decoded.errors += 1;
                rest
            }
            rest => {
                decoded.octets.push(b'=');
                decoded.errors += 1;
                rest
            }
        };
    }
    push_literal(rest, decoded);
    false
}

fn push_literal(octets: &[u8], decoded: &mut Decoded) {
    let odd = |octet: &&u8| !matches!(octet, b'\t' | b' '..=b'~');
    decoded.departures += octets.iter().filter(odd).count();
    decoded.octets.extend_from_slice(octets);
}

/// A line without the white space that transport may have added (rule 3).
fn trim_end(line: &[u8]) -> &[u8] {
    let end = line.iter().rposition(|octet| !matches!(octet, b' ' | b'\t'));
    &line[..end.map_or(0, |end| end + 1)]
}

/// The value of a hexadecimal digit.
pub(crate) fn digit(digit: u8) -> u8 {
    match digit {
        b'0'..=b'9' => digit - b'0',
        _ => (digit | 0x20) - b'a' + 10,
    }
}

/// An octet as `=` and two digits.
pub(crate) fn push_escaped(octet: u8, to: &mut Vec<u8>) {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    to.extend([b'=', DIGITS[usize::from(octet >> 4)], DIGITS[usize::from(octet & 15)]]);
}

/// Encodes text in lines of at most 76 octets. CR LF and LF in `src` are line breaks, written
/// as `eol`; another CR is an octet to be encoded.
///
/// What mail systems change is encoded too: white space at the end of a line, `From ` at its
/// start, behind any number of `>`, since mbox files quote it, `--`, since a boundary begins so,
/// and a `.` alone in a line.
///
/// ```
/// use utfall_mime::quoted_printable::encode;
/// assert_eq!(encode("Fr\u{fc}h \nFrom here".as_bytes(), b"\r\n"), b"Fr=C3=BCh=20\r\n=46rom here");
/// ```
#[must_use]
pub fn encode(src: &[u8], eol: &[u8]) -> Vec<u8> {
    encode_lines(src, eol, false)
}

/// Encodes as [`encode`] does, and ends text that has no line end at its end with a soft line break,
/// for where a body must end with a line end.
///
/// ```
/// use utfall_mime::quoted_printable::encode_softly;
/// assert_eq!(encode_softly(b"no line end", b"\n"), b"no line end=\n");
/// assert_eq!(encode_softly(b"one\n", b"\n"), b"one\n");
/// ```
#[must_use]
pub fn encode_softly(src: &[u8], eol: &[u8]) -> Vec<u8> {
    let ends_softly = !src.is_empty() && !src.ends_with(b"\n");
    let mut out = encode_lines(src, eol, ends_softly);
    if ends_softly {
        out.push(b'=');
        out.extend_from_slice(eol);
    }
    out
}

/// `ends_softly`: a `=` is to follow, and needs its room in the last line.
fn encode_lines(src: &[u8], eol: &[u8], ends_softly: bool) -> Vec<u8> {
    let mut out = Vec::with_capacity(src.len() + src.len() / 4);
    let mut rest = src;
    loop {
        let end = memchr(b'\n', rest);
        let mut line = &rest[..end.unwrap_or(rest.len())];
        if end.is_some() {
            line = line.strip_suffix(b"\r").unwrap_or(line);
        }
        encode_line(line, eol, ends_softly && end.is_none(), &mut out);
        let Some(end) = end else { return out };
        out.extend_from_slice(eol);
        rest = &rest[end + 1..];
    }
}

/// Encodes octets that are no text: every line break in them too.
///
/// ```
/// assert_eq!(utfall_mime::quoted_printable::encode_binary(b"a\r\n", b"\n"), b"a=0D=0A");
/// ```
#[must_use]
pub fn encode_binary(src: &[u8], eol: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(src.len() * 2);
    encode_line(src, eol, false, &mut out);
    out
}

fn encode_line(line: &[u8], eol: &[u8], ends_softly: bool, out: &mut Vec<u8>) {
    let mut column = 0;
    for (at, octet) in line.iter().enumerate() {
        let is_last = at + 1 == line.len();
        let most = if is_last && !ends_softly { LINE } else { LINE - 1 };
        let is_plain = match octet {
            b'=' => false,
            b' ' | b'\t' => !is_last,
            b'!'..=b'~' => true,
            _ => false,
        };
        if column + if is_plain { 1 } else { 3 } > most {
            out.push(b'=');
            out.extend_from_slice(eol);
            column = 0;
        }
        // At the start of any line, also behind a soft line break.
        if is_plain && (column > 0 || !is_fragile(&line[at..])) {
            out.push(*octet);
            column += 1;
        } else {
            push_escaped(*octet, out);
            column += 3;
        }
    }
}

/// Whether mail systems would change a line that begins so.
pub(crate) fn is_fragile(line: &[u8]) -> bool {
    line == b"." || line.starts_with(b"--") || is_from_line(line)
}

/// `From ` behind any number of `>`.
pub(crate) fn is_from_line(line: &[u8]) -> bool {
    let text = line.iter().position(|octet| *octet != b'>').unwrap_or(line.len());
    line[text..].starts_with(b"From ")
}

/// How many octets [`encode`] makes of `src`, soft line breaks aside.
pub(crate) fn encoded_len(src: &[u8]) -> usize {
    let is_plain = |octet: &u8| matches!(octet, b'\t' | b'\n' | b'\r' | b' '..=b'<' | b'>'..=b'~');
    src.len() + 2 * src.iter().filter(|octet| !is_plain(octet)).count()
}
