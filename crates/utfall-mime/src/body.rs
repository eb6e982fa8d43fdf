//! Encodes bodies: converts text to a charset, and chooses the best transfer encoding.

use std::borrow::Cow;

use memchr::{memchr, memmem};
use utfall::{Encoding, Options, Utf7Options};

use crate::TransferEncoding;
use crate::base64;
use crate::charset;
use crate::encoded_word::is_utf7;
use crate::header::{line_end, trim_line_end};
use crate::quoted_printable::{self, is_from_line};

/// The longest line, in bytes, that every transport carries.
const SHORT: usize = 76;
/// The longest line allowed, in bytes (RFC 5322 §2.1.1).
const LONGEST: usize = 998;

/// The context of a body in its message.
#[derive(Clone, Debug)]
pub(crate) struct Place<'a> {
    /// The line end of the message.
    pub(crate) eol: &'static [u8],
    /// The boundaries that must not begin a line.
    pub(crate) boundaries: Vec<&'a [u8]>,
    /// The body is the last one, so it must end with its own line end.
    pub(crate) needs_eol: bool,
}

/// An encoded body.
#[derive(Clone, Debug)]
pub(crate) struct Body {
    pub(crate) transfer: TransferEncoding,
    pub(crate) bytes: Vec<u8>,
}

/// Encodes text whose line ends are LF, without changing its content. Takes ownership, since text,
/// encoded text and body together could exceed a message's memory limit.
///
/// Uses 7bit if the lines fit. Otherwise uses quoted-printable, which is readable, or Base64 if
/// that is shorter by more than a line and the charset is not UTF-7. Uses `wanted` if that can
/// carry the text.
pub(crate) fn write(
    mut text: String,
    to: Encoding,
    wanted: Option<TransferEncoding>,
    place: &Place<'_>,
) -> Result<Body, utfall::Error> {
    if let Cow::Owned(marked) = charset::with_mark(&text, to) {
        text = marked;
    }
    if !has_ascii_lines(to) {
        let lines = String::from_utf8(with_eol(text.into_bytes(), b"\r\n")).unwrap_or_default();
        return Ok(in_base64(&encoded(lines, to, Options::default())?, place));
    }
    let bytes = encoded(text, to, options())?;
    if memmem::find(&bytes, b"\r\n").is_some() {
        // A CR that is part of the text, but would become part of a line end.
        return Ok(in_base64(&with_eol(bytes, b"\r\n"), place));
    }
    let longest = if wanted.is_none() { SHORT } else { LONGEST };
    let fits = fits(&bytes, longest, place);
    let asked = |transfer| wanted.is_none_or(|wanted| wanted == transfer);
    Ok(match () {
        () if fits
            && bytes.is_ascii()
            && (asked(TransferEncoding::SevenBit) || asked(TransferEncoding::EightBit)) =>
        {
            Body { transfer: TransferEncoding::SevenBit, bytes: with_eol(bytes, place.eol) }
        }
        () if fits && wanted == Some(TransferEncoding::EightBit) => {
            Body { transfer: TransferEncoding::EightBit, bytes: with_eol(bytes, place.eol) }
        }
        () if wanted == Some(TransferEncoding::Base64) || !prefers_quoted(&bytes, to, wanted) => {
            in_base64(&with_eol(bytes, b"\r\n"), place)
        }
        () => {
            let encoded = match place.needs_eol {
                true => quoted_printable::encode_softly(&bytes, place.eol),
                false => quoted_printable::encode(&bytes, place.eol),
            };
            Body { transfer: TransferEncoding::QuotedPrintable, bytes: encoded }
        }
    })
}

/// Encodes text, and keeps only one copy.
fn encoded(text: String, to: Encoding, options: Options) -> Result<Vec<u8>, utfall::Error> {
    let other = match to.encode_with(&text, options)? {
        Cow::Owned(bytes) => Some(bytes),
        Cow::Borrowed(_) => None,
    };
    Ok(match other {
        Some(bytes) => bytes,
        None => text.into_bytes(),
    })
}

/// Closes every run of UTF-7, which RFC 2152 permits and careless readers need.
fn options() -> Options {
    let utf7 = Utf7Options::new().with_explicit_close(true);
    Options::default().with_utf7(utf7)
}

fn prefers_quoted(bytes: &[u8], to: Encoding, wanted: Option<TransferEncoding>) -> bool {
    wanted == Some(TransferEncoding::QuotedPrintable)
        || is_utf7(to)
        || quoted_printable::encoded_len(bytes) <= base64::encoded_len(bytes.len()) + SHORT
}

fn in_base64(bytes: &[u8], place: &Place<'_>) -> Body {
    let mut encoded = base64::encode_lines(bytes, place.eol);
    if place.needs_eol && !encoded.is_empty() {
        encoded.extend_from_slice(place.eol);
    }
    Body { transfer: TransferEncoding::Base64, bytes: encoded }
}

/// Whether each LF of the text is one byte `0A`, and that byte is nothing else. In SCSU, as in
/// UTF-16, it is also the second byte of U+4E0A.
pub(crate) fn has_ascii_lines(encoding: Encoding) -> bool {
    encoding.encode("A\n").is_ok_and(|bytes| &*bytes == b"A\n")
        && encoding.encode("\u{4E0A}").map_or(true, |bytes| memchr(b'\n', &bytes).is_none())
}

/// Whether the body needs no transfer encoding, in lines of at most `longest` bytes.
fn fits(bytes: &[u8], longest: usize, place: &Place<'_>) -> bool {
    if memchr(0, bytes).is_some() || place.needs_eol && !bytes.ends_with(b"\n") {
        return false;
    }
    let mut at = 0;
    while let Some(end) = line_end(bytes, at) {
        let line = &bytes[at..end];
        let line = line.strip_suffix(b"\n").unwrap_or(line);
        let is_boundary = line
            .strip_prefix(b"--")
            .is_some_and(|rest| place.boundaries.iter().any(|boundary| rest.starts_with(boundary)));
        // mbox files would quote `From `.
        if line.len() > longest
            || memchr(b'\r', line).is_some()
            || is_boundary
            || is_from_line(line)
        {
            return false;
        }
        at = end;
    }
    true
}

/// Replaces each LF with `eol`.
fn with_eol(bytes: Vec<u8>, eol: &[u8]) -> Vec<u8> {
    if eol == b"\n" || memchr(b'\n', &bytes).is_none() {
        return bytes;
    }
    let mut out = Vec::with_capacity(bytes.len() + bytes.len() / 32);
    let mut at = 0;
    while let Some(end) = line_end(&bytes, at) {
        let line = &bytes[at..end];
        match line.strip_suffix(b"\n") {
            Some(line) => {
                out.extend_from_slice(line);
                out.extend_from_slice(eol);
            }
            None => out.extend_from_slice(line),
        }
        at = end;
    }
    out
}

/// Breaks lines that have more than 76 bytes in `to`, at white space if there is any. Breaking and
/// encoding go together, so that each line fits with its runs closed (RFC 2152, MIME section).
///
/// In `format=flowed`, readers ignore a break after a space, and the space stays (RFC 3676 §4.1). A
/// line without such a place stays long. So do quoted lines, whose quote marks would have to be
/// repeated.
pub(crate) fn wrap(text: &str, to: Encoding, is_flowed: bool) -> Result<String, utfall::Error> {
    let length = |line: &str| to.encode_with(line, options()).map(|bytes| bytes.len());
    let mut wrapped = String::new();
    for line in text.split_inclusive('\n') {
        let (mut rest, end) = match line.strip_suffix('\n') {
            Some(rest) => (rest, "\n"),
            None => (line, ""),
        };
        while rest.len() > SHORT / 4 && length(first(rest, SHORT + 1))? > SHORT {
            // Find the longest prefix that fits. No character takes less than one byte.
            let (mut fits, mut not) = (1, SHORT + 1);
            while fits + 1 < not {
                let middle = fits + (not - fits) / 2;
                if length(first(rest, middle))? <= SHORT { fits = middle } else { not = middle }
            }
            let head = first(rest, fits);
            let (head, skip) = match break_at(rest, head, is_flowed) {
                // The space is part of the break.
                Some(at) if is_flowed => (&head[..=at], 0),
                // White space at a line end might be lost, so the break replaces it.
                Some(at) => (&head[..at], 1),
                None if is_flowed => break,
                None => (head, 0),
            };
            wrapped.push_str(head);
            wrapped.push('\n');
            rest = &rest[head.len() + skip..];
        }
        wrapped.push_str(rest);
        wrapped.push_str(end);
    }
    Ok(wrapped)
}

/// The best white space for a break in `head`, a prefix of `line`.
fn break_at(line: &str, head: &str, is_flowed: bool) -> Option<usize> {
    if !is_flowed {
        return head.rfind([' ', '\t']).filter(|at| *at > 0);
    }
    // These have another meaning at the start of a line (RFC 3676 §4.4).
    let is_free = |rest: &str| !rest.starts_with([' ', '>']) && !rest.starts_with("From ");
    let spaces = head.match_indices(' ').map(|(at, _)| at);
    spaces.rev().find(|at| *at > 0 && !line.starts_with('>') && is_free(&line[at + 1..]))
}

/// The first `count` characters of a text.
fn first(text: &str, count: usize) -> &str {
    text.char_indices().nth(count).map_or(text, |(at, _)| &text[..at])
}

/// Replaces U+2028 and U+2029 with line ends (RFC 2152, MIME section).
pub(crate) fn line_separators_to_lf(text: &str) -> Cow<'_, str> {
    match text.contains(['\u{2028}', '\u{2029}']) {
        true => Cow::Owned(text.replace(['\u{2028}', '\u{2029}'], "\n")),
        false => Cow::Borrowed(text),
    }
}

/// Whether a body ends with a line end.
pub(crate) fn ends_line(bytes: &[u8]) -> bool {
    bytes.len() > trim_line_end(bytes).len()
}
