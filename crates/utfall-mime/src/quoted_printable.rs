//! Quoted-printable (RFC 2045 §6.7).

use memchr::memchr;

use crate::transfer::Decoded;

/// The longest line of an encoded body, in bytes without its line end (rule 5).
const LINE: usize = 76;
/// The start of a line that mbox files quote.
const FROM: &[u8] = b"From ";

/// Decodes a body. Line ends are preserved.
///
/// White space at the end of a line is removed (rule 3). `=` before the end of a line or of the
/// body is a soft line break, and `==` is read as one `=`. Before anything else that is not two
/// hexadecimal digits, `=` is copied and counts as an error.
///
/// ```
/// use utfall_mime::quoted_printable::decode;
/// assert_eq!(decode(b"caf=C3=A9 =\r\nau lait  \r\n").bytes, "café au lait\r\n".as_bytes());
/// let decoded = decode(b"a=XYb");
/// assert_eq!((&decoded.bytes[..], decoded.errors), (&b"a=XYb"[..], 1));
/// ```
#[must_use]
pub fn decode(src: &[u8]) -> Decoded {
    let mut decoded = Decoded { bytes: Vec::with_capacity(src.len()), ..Decoded::default() };
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
            decoded.bytes.extend_from_slice(end);
        }
    }
    decoded
}

/// Decodes a line without its end. Returns whether it ends with a soft line break.
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
                decoded.bytes.push(digit(*high) << 4 | digit(*low));
                rest
            }
            [b'=', rest @ ..] => {
                decoded.bytes.push(b'=');
                decoded.errors += 1;
                rest
            }
            rest => {
                decoded.bytes.push(b'=');
                decoded.errors += 1;
                rest
            }
        };
    }
    push_literal(rest, decoded);
    false
}

fn push_literal(bytes: &[u8], decoded: &mut Decoded) {
    let odd = |byte: &&u8| !matches!(byte, b'\t' | b' '..=b'~');
    decoded.departures += bytes.iter().filter(odd).count();
    decoded.bytes.extend_from_slice(bytes);
}

/// Removes trailing white space, which transports may have added (rule 3).
pub(crate) fn trim_end(line: &[u8]) -> &[u8] {
    let end = line.iter().rposition(|byte| !matches!(byte, b' ' | b'\t'));
    &line[..end.map_or(0, |end| end + 1)]
}

/// The value of a hexadecimal digit.
pub(crate) fn digit(digit: u8) -> u8 {
    match digit {
        b'0'..=b'9' => digit - b'0',
        _ => (digit | 0x20) - b'a' + 10,
    }
}

/// Appends a byte as `=` and two digits.
pub(crate) fn push_escaped(byte: u8, to: &mut Vec<u8>) {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    to.extend([b'=', DIGITS[usize::from(byte >> 4)], DIGITS[usize::from(byte & 15)]]);
}

/// Encodes text in lines of at most 76 bytes. CR LF and LF in `src` are line breaks, written as
/// `eol`; any other CR is escaped.
///
/// Also escapes what mail systems alter: white space at the end of a line, a `.` alone on a line,
/// and two line prefixes. These are `From ` after any number of `>`, which mbox files quote, and
/// `--`, which begins a boundary.
///
/// ```
/// use utfall_mime::quoted_printable::encode;
/// assert_eq!(encode("Fr\u{fc}h \nFrom here".as_bytes(), b"\r\n"), b"Fr=C3=BCh=20\r\n=46rom here");
/// ```
#[must_use]
pub fn encode(src: &[u8], eol: &[u8]) -> Vec<u8> {
    encode_lines(src, eol, false)
}

/// Like [`encode`], but ends text without a final line end with a soft line break, for bodies that
/// must end with a line end.
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

/// `ends_softly`: reserves space in the last line for the `=` that follows.
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

/// Encodes binary data: escapes every line break, too.
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
    // The end of the current run of `>`, so that each run is scanned only once.
    let mut text = 0;
    for (at, byte) in line.iter().enumerate() {
        let rest = &line[at..];
        if *byte == b'>' && at >= text {
            text = at + quotes(rest);
        }
        let following = match rest.len() {
            1 if ends_softly => Following::SoftBreak,
            1 => Following::LineEnd,
            _ => Following::Text,
        };
        let Place { breaks, escapes } = place(*byte, &mut column, following, || match byte {
            b'>' => line[text..].starts_with(FROM),
            _ => is_fragile(rest),
        });
        if breaks {
            out.push(b'=');
            out.extend_from_slice(eol);
        }
        match escapes {
            true => push_escaped(*byte, out),
            false => out.push(*byte),
        }
    }
}

/// The context after a byte.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Following {
    Text,
    LineEnd,
    /// A soft line break that is written even if the line still has space.
    SoftBreak,
}

/// How a byte is written.
struct Place {
    /// After a soft line break.
    breaks: bool,
    /// As `=` and two digits.
    escapes: bool,
}

/// Decides how to write a byte at `column`, and advances `column`. Calls `is_fragile` at the start
/// of every line, including after a soft line break.
fn place(
    byte: u8,
    column: &mut usize,
    following: Following,
    is_fragile: impl FnOnce() -> bool,
) -> Place {
    let most = if following == Following::LineEnd { LINE } else { LINE - 1 };
    let is_plain = match byte {
        b'=' => false,
        b' ' | b'\t' => following == Following::Text,
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

/// Whether mail systems would alter a line that begins with this.
pub(crate) fn is_fragile(line: &[u8]) -> bool {
    line == b"." || line.starts_with(b"--") || is_from_line(line)
}

/// `From ` after any number of `>`.
pub(crate) fn is_from_line(line: &[u8]) -> bool {
    line[quotes(line)..].starts_with(FROM)
}

/// The number of `>` at the start of a line.
fn quotes(line: &[u8]) -> usize {
    line.iter().position(|byte| *byte != b'>').unwrap_or(line.len())
}

/// The length of [`encode`]'s output for `src`, without soft line breaks.
pub(crate) fn encoded_len(src: &[u8]) -> usize {
    let is_plain = |byte: &u8| matches!(byte, b'\t' | b'\n' | b'\r' | b' '..=b'<' | b'>'..=b'~');
    src.len() + 2 * src.iter().filter(|byte| !is_plain(byte)).count()
}

/// The length of [`encode`]'s output, with CR LF line ends, for text that arrives in chunks.
#[derive(Clone, Debug, Default)]
pub(crate) struct Length {
    /// Bytes, including line breaks.
    pub(crate) bytes: u64,
    /// Bytes of soft line breaks.
    pub(crate) soft: u64,
    column: usize,
    /// Number of pending `>`, whose form depends on what follows.
    quotes: u64,
    /// Undecided text after them.
    rest: Vec<u8>,
}

/// The look-ahead in bytes required for any byte other than `>`.
const AHEAD: usize = "From".len();

impl Length {
    /// Adds the next chunk.
    pub(crate) fn push(&mut self, piece: &[u8]) {
        let mut rest = std::mem::take(&mut self.rest);
        rest.extend_from_slice(piece);
        let mut at = 0;
        while let Some(end) = memchr(b'\n', &rest[at..]) {
            let line = &rest[at..at + end];
            self.line(line.strip_suffix(b"\r").unwrap_or(line), true);
            self.bytes += 2;
            self.column = 0;
            at += end + 1;
        }
        at += self.line(&rest[at..], false);
        rest.drain(..at);
        self.rest = rest;
    }

    /// Ends the text.
    pub(crate) fn finish(&mut self) {
        let rest = std::mem::take(&mut self.rest);
        self.line(&rest, true);
    }

    /// Continues a line as far as can be decided. Returns how far that is.
    fn line(&mut self, line: &[u8], is_end: bool) -> usize {
        let mut at = 0;
        loop {
            let quotes = quotes(&line[at..]);
            self.quotes += quotes as u64;
            at += quotes;
            let rest = &line[at..];
            // A CR may be half of the line end.
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
            let Some(byte) = rest.first() else { return at };
            self.put(*byte, is_end && rest.len() == 1, || is_fragile(rest));
            at += 1;
        }
    }

    fn put(&mut self, byte: u8, is_last: bool, is_fragile: impl FnOnce() -> bool) {
        let following = if is_last { Following::LineEnd } else { Following::Text };
        let Place { breaks, escapes } = place(byte, &mut self.column, following, is_fragile);
        self.bytes += if escapes { 3 } else { 1 };
        if breaks {
            self.bytes += 3;
            self.soft += 3;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A run of `>` is scanned once, not once per line.
    #[test]
    fn rows_of_quotes_cost_what_other_text_does() {
        let row = [&[b'>'; 1 << 22][..], b"From "].concat();
        let encoded = encode(&row, b"\n");
        assert_eq!(decode(&encoded).bytes, row);
        let lines: Vec<_> = encoded.split(|byte| *byte == b'\n').collect();
        assert!(lines.iter().all(|line| line.starts_with(b"=3E") && line.len() <= LINE));
    }

    /// The length equals that of the encoded text, wherever chunks end.
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
            assert_eq!((length.bytes, length.soft), (encoded.len() as u64, soft), "{text:?}");
        }
    }
}
