//! Quoted-printable (RFC 2045 §6.7).

use memchr::memchr;

use crate::transfer::Decoded;

/// The longest line of an encoded body, in octets, its line end not counted (rule 5).
const LINE: usize = 76;
/// How a line begins that mbox files quote.
const FROM: &[u8] = b"From ";

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
pub(crate) fn trim_end(line: &[u8]) -> &[u8] {
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
    // Behind the `>` that stand here, so that no long row of them is gone over for each line of it.
    let mut text = 0;
    for (at, octet) in line.iter().enumerate() {
        let rest = &line[at..];
        if *octet == b'>' && at >= text {
            text = at + quotes(rest);
        }
        let behind = match rest.len() {
            1 if ends_softly => Behind::SoftBreak,
            1 => Behind::LineEnd,
            _ => Behind::Text,
        };
        let Place { breaks, escapes } = place(*octet, &mut column, behind, || match octet {
            b'>' => line[text..].starts_with(FROM),
            _ => is_fragile(rest),
        });
        if breaks {
            out.push(b'=');
            out.extend_from_slice(eol);
        }
        match escapes {
            true => push_escaped(*octet, out),
            false => out.push(*octet),
        }
    }
}

/// What follows an octet.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Behind {
    Text,
    LineEnd,
    /// One that is written whether there is room or not.
    SoftBreak,
}

/// How an octet is written.
struct Place {
    /// Behind a soft line break.
    breaks: bool,
    /// As `=` and two digits.
    escapes: bool,
}

/// Writes an octet at `column`, and moves that behind it. `is_fragile` is asked at the start of any
/// line, also behind a soft line break.
fn place(
    octet: u8,
    column: &mut usize,
    behind: Behind,
    is_fragile: impl FnOnce() -> bool,
) -> Place {
    let most = if behind == Behind::LineEnd { LINE } else { LINE - 1 };
    let is_plain = match octet {
        b'=' => false,
        b' ' | b'\t' => behind == Behind::Text,
        b'!'..=b'~' => true,
        _ => false,
    };
    let breaks = *column + if is_plain { 1 } else { 3 } > most;
    if breaks {
        *column = 0;
    }
    let escapes = !is_plain || *column == 0 && is_fragile();
    *column += if escapes { 3 } else { 1 };
    Place { breaks, escapes }
}

/// Whether mail systems would change a line that begins so.
pub(crate) fn is_fragile(line: &[u8]) -> bool {
    line == b"." || line.starts_with(b"--") || is_from_line(line)
}

/// `From ` behind any number of `>`.
pub(crate) fn is_from_line(line: &[u8]) -> bool {
    line[quotes(line)..].starts_with(FROM)
}

/// How many `>` a line begins with.
fn quotes(line: &[u8]) -> usize {
    line.iter().position(|octet| *octet != b'>').unwrap_or(line.len())
}

/// How many octets [`encode`] makes of `src`, soft line breaks aside.
pub(crate) fn encoded_len(src: &[u8]) -> usize {
    let is_plain = |octet: &u8| matches!(octet, b'\t' | b'\n' | b'\r' | b' '..=b'<' | b'>'..=b'~');
    src.len() + 2 * src.iter().filter(|octet| !is_plain(octet)).count()
}

/// How many octets [`encode`] makes, with CR LF for line ends, of text that comes in pieces.
#[derive(Clone, Debug, Default)]
pub(crate) struct Length {
    /// Octets, with the line breaks.
    pub(crate) octets: u64,
    /// Those of soft line breaks.
    pub(crate) soft: u64,
    column: usize,
    /// How many `>` are still to be written: what they are depends on what follows them.
    quotes: u64,
    /// What follows them, as far as it is not yet decided.
    rest: Vec<u8>,
}

/// How far an octet other than `>` depends on those behind it.
const AHEAD: usize = "From".len();

impl Length {
    /// Goes on with a piece.
    pub(crate) fn push(&mut self, piece: &[u8]) {
        let mut rest = std::mem::take(&mut self.rest);
        rest.extend_from_slice(piece);
        let mut at = 0;
        while let Some(end) = memchr(b'\n', &rest[at..]) {
            let line = &rest[at..at + end];
            self.line(line.strip_suffix(b"\r").unwrap_or(line), true);
            self.octets += 2;
            self.column = 0;
            at += end + 1;
        }
        at += self.line(&rest[at..], false);
        rest.drain(..at);
        self.rest = rest;
    }

    /// The text is complete.
    pub(crate) fn finish(&mut self) {
        let rest = std::mem::take(&mut self.rest);
        self.line(&rest, true);
    }

    /// Goes on in a line, as far as can be decided; says how far that is.
    fn line(&mut self, line: &[u8], is_end: bool) -> usize {
        let mut at = 0;
        loop {
            let quotes = quotes(&line[at..]);
            self.quotes += quotes as u64;
            at += quotes;
            let rest = &line[at..];
            // A CR might be half of the line end.
            if !is_end && rest.len() <= AHEAD {
                return at;
            }
            if self.quotes > 0 {
                let is_from = rest.starts_with(FROM);
                while self.quotes > 0 {
                    self.quotes -= 1;
                    self.put(b'>', self.quotes == 0 && rest.is_empty(), || is_from);
                }
            }
            let Some(octet) = rest.first() else { return at };
            self.put(*octet, is_end && rest.len() == 1, || is_fragile(rest));
            at += 1;
        }
    }

    fn put(&mut self, octet: u8, is_last: bool, is_fragile: impl FnOnce() -> bool) {
        let behind = if is_last { Behind::LineEnd } else { Behind::Text };
        let Place { breaks, escapes } = place(octet, &mut self.column, behind, is_fragile);
        self.octets += if escapes { 3 } else { 1 };
        if breaks {
            self.octets += 3;
            self.soft += 3;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A row of `>` is gone over once, not for each line of it.
    #[test]
    fn rows_of_quotes_cost_what_other_text_does() {
        let row = [&[b'>'; 1 << 22][..], b"From "].concat();
        let encoded = encode(&row, b"\n");
        assert_eq!(decode(&encoded).octets, row);
        let lines: Vec<_> = encoded.split(|octet| *octet == b'\n').collect();
        assert!(lines.iter().all(|line| line.starts_with(b"=3E") && line.len() <= LINE));
    }

    /// The length of what is encoded, however the text is cut.
    #[test]
    fn length_is_that_of_encode() {
        let parts: [&[u8]; 14] = [
            b">",
            b"From ",
            b"From",
            b"-",
            b".",
            b"\r\n",
            b"\n",
            b"\r",
            b" ",
            b"=",
            b"\xE9",
            b"a",
            b"a plain text of some length, so that lines are full sooner",
            b">>>>",
        ];
        let mut state = 1_u64;
        let mut next = |below: usize| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) as usize % below
        };
        for _ in 0..20_000 {
            let mut text = Vec::new();
            for _ in 0..next(24) {
                text.extend_from_slice(parts[next(parts.len())]);
            }
            let encoded = encode(&text, b"\r\n");
            let soft = memchr::memmem::find_iter(&encoded, b"=\r\n").count() as u64 * 3;
            let mut length = Length::default();
            let mut rest = &text[..];
            while !rest.is_empty() {
                let (piece, tail) = rest.split_at(1 + next(rest.len()));
                length.push(piece);
                rest = tail;
            }
            length.finish();
            assert_eq!((length.octets, length.soft), (encoded.len() as u64, soft), "{text:?}");
        }
    }
}
