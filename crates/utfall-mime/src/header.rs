//! Header fields: their positions, the text in them that may be encoded, and its content.

use std::ops::Range;

use memchr::memchr;

use crate::Charset;
use crate::encoded_word::{self, Decoded, Rules};
use crate::parameter;

/// A header field. Offsets are in bytes of the source that contains the header.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Field<'a> {
    /// The name as written.
    pub name: &'a [u8],
    /// The value after the colon, with the line ends that fold it, but not the last one.
    pub value: &'a [u8],
    /// Offset of the value.
    pub offset: usize,
    /// The whole field, with its line end.
    pub range: Range<usize>,
    /// The charset of 8-bit bytes outside encoded words. For the fields of a
    /// [`Message`](crate::Message), the text of the message is evidence too.
    pub raw: Charset,
}

/// The longest field to decode or rewrite, in bytes, with its name and line ends.
///
/// One byte of a hostile field can cost a hundred bytes of memory and ten of output, so the length
/// limit bounds the cost. Real fields have a few hundred bytes; a list of five thousand addresses
/// fits.
pub const LONGEST_FIELD: usize = 256 * 1024;

impl Field<'_> {
    /// Whether it is longer than [`LONGEST_FIELD`], and so is left unchanged.
    ///
    /// ```
    /// use utfall_mime::header::{LONGEST_FIELD, fields};
    /// let header = [b"Subject: ", &[b'a'; LONGEST_FIELD][..]].concat();
    /// assert!(fields(&header, 0).all(|field| field.is_too_long()));
    /// ```
    #[must_use]
    pub fn is_too_long(&self) -> bool {
        self.range.len() > LONGEST_FIELD
    }

    /// Compares the name, ignoring case.
    ///
    /// ```
    /// let header = b"SUBJECT: Hi\r\n";
    /// let field = utfall_mime::header::fields(header, 0).next().unwrap();
    /// assert!(field.is("Subject"));
    /// assert_eq!((field.value, field.offset), (&b" Hi"[..], 8));
    /// ```
    #[must_use]
    pub fn is(&self, name: &str) -> bool {
        self.name.eq_ignore_ascii_case(name.as_bytes())
    }

    /// The kind of the field.
    #[must_use]
    pub fn kind(&self) -> Kind {
        Kind::of(self.name)
    }

    /// Decodes the text, unfolded and trimmed.
    ///
    /// ```
    /// use utfall_mime::encoded_word::Rules;
    /// let header = b"To: =?UTF-7?Q?J+APY-rg?= (at =?UTF-8?Q?caf=C3=A9?=)\n <=?UTF-8?Q?x?=@example.org>\n";
    /// let field = utfall_mime::header::fields(header, 0).next().unwrap();
    /// // Nothing is decoded in an address.
    /// assert_eq!(field.decode(Rules::Lenient).text, "Jörg (at café) <=?UTF-8?Q?x?=@example.org>");
    /// ```
    #[must_use]
    pub fn decode(&self, rules: Rules) -> Decoded {
        decode_in(self.kind(), self.value, rules, self.raw)
    }
}

/// Iterates over the fields of a header, up to the empty line. `base` is the header's offset in the
/// source. Lines that neither begin nor continue a field are skipped.
pub fn fields(header: &[u8], base: usize) -> impl Iterator<Item = Field<'_>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let begin = at;
            let mut end = line_end(header, at)?;
            // White space begins a continuation.
            while matches!(header.get(end), Some(b' ' | b'\t')) {
                end = line_end(header, end)?;
            }
            at = end;
            let field = &header[begin..end];
            let Some(colon) = colon(field) else { continue };
            let value = trim_line_end(&field[colon + 1..]);
            return Some(Field {
                name: field[..colon].trim_ascii_end(),
                value,
                offset: base + begin + colon + 1,
                range: base + begin..base + end,
                raw: Charset::guess_field(value),
            });
        }
    })
}

/// The end of the line that begins at `at`, after its line end. `None` at the end of `src`.
pub(crate) fn line_end(src: &[u8], at: usize) -> Option<usize> {
    let rest = src.get(at..).filter(|rest| !rest.is_empty())?;
    Some(memchr(b'\n', rest).map_or(src.len(), |end| at + end + 1))
}

/// Removes the line end of a line.
pub(crate) fn trim_line_end(line: &[u8]) -> &[u8] {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    line.strip_suffix(b"\r").unwrap_or(line)
}

/// The position of the colon in a line that begins a field.
pub(crate) fn colon(line: &[u8]) -> Option<usize> {
    let end = line.iter().position(|byte| !matches!(byte, b'!'..=b'9' | b';'..=b'~'))?;
    // White space before the colon is obsolete, but occurs in mail.
    let space = line[end..].iter().position(|byte| !matches!(byte, b' ' | b'\t'))?;
    (end > 0 && line[end + space] == b':').then_some(end + space)
}

/// Which text of a field may be encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// All of it: `Subject`, and every unknown field.
    Text,
    /// Names and comments, but not addresses: `From`.
    Address,
    /// Names separated by commas: `Keywords`.
    Phrases,
    /// The values of parameters: `Content-Type`, `Content-Disposition`.
    Parameters,
    /// Values that are not text: dates, identifiers, and fields written and signed by programs.
    Opaque,
}

impl Kind {
    /// The kind of the field with this name.
    ///
    /// ```
    /// use utfall_mime::header::Kind;
    /// assert_eq!(Kind::of(b"subject"), Kind::Text);
    /// assert_eq!(Kind::of(b"Resent-Cc"), Kind::Address);
    /// assert_eq!(Kind::of(b"ARC-Seal"), Kind::Opaque);
    /// ```
    #[must_use]
    pub fn of(name: &[u8]) -> Self {
        let name = name.to_ascii_lowercase();
        match name.strip_prefix(b"resent-").unwrap_or(&name) {
            b"from"
            | b"sender"
            | b"reply-to"
            | b"to"
            | b"cc"
            | b"bcc"
            | b"mail-followup-to"
            | b"mail-reply-to"
            | b"disposition-notification-to"
            | b"return-receipt-to"
            | b"errors-to"
            | b"apparently-to"
            | b"x-original-to"
            | b"list-id" => Self::Address,
            b"keywords" => Self::Phrases,
            b"content-type" | b"content-disposition" => Self::Parameters,
            b"date"
            | b"message-id"
            | b"in-reply-to"
            | b"references"
            | b"received"
            | b"return-path"
            | b"mime-version"
            | b"content-transfer-encoding"
            | b"content-id"
            | b"content-md5"
            | b"content-length"
            | b"lines"
            | b"status"
            | b"x-status"
            | b"dkim-signature"
            | b"domainkey-signature"
            | b"authentication-results"
            | b"received-spf"
            | b"delivered-to"
            | b"envelope-to"
            | b"list-unsubscribe"
            | b"list-unsubscribe-post"
            | b"list-subscribe"
            | b"list-post"
            | b"list-help"
            | b"list-owner"
            | b"list-archive"
            | b"autocrypt"
            | b"tls-required" => Self::Opaque,
            name if name.starts_with(b"arc-") => Self::Opaque,
            _ => Self::Text,
        }
    }
}

/// The role of a part of a structured value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// Words that name someone, which may be encoded words.
    Phrase,
    /// The content of a comment, which may contain encoded words.
    Comment,
    /// An address, with its angle brackets if it has any. Apparent encoded words in an address are
    /// not decoded; they have been used to deceive software that does.
    Address,
}

/// A part of a structured value. Offsets are in bytes of the value.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Span {
    /// Its role.
    pub role: Role,
    /// Its byte range.
    pub range: Range<usize>,
}

/// Finds the phrases, comments and addresses of a value with addresses (RFC 5322 §3.4), or with
/// [phrases](Kind::Phrases).
///
/// ```
/// use utfall_mime::header::{Kind, Role, spans};
/// let value = b" Joe Q. Public <joe@example.org>, jane@example.org (at home)";
/// let found: Vec<_> = spans(Kind::Address, value)
///     .into_iter()
///     .map(|span| (span.role, std::str::from_utf8(&value[span.range]).unwrap()))
///     .collect();
/// assert_eq!(
///     found,
///     [
///         (Role::Phrase, "Joe Q. Public"),
///         (Role::Address, "<joe@example.org>"),
///         (Role::Address, "jane@example.org"),
///         (Role::Comment, "at home"),
///     ],
/// );
/// ```
#[must_use]
pub fn spans(kind: Kind, value: &[u8]) -> Vec<Span> {
    let mut spans = Vec::new();
    // Words of the current mailbox, and what is known about it.
    let mut words: Vec<(usize, usize)> = Vec::new();
    let (mut has_angle, mut has_at) = (false, false);
    let mut at = 0;
    while at <= value.len() {
        let byte = value.get(at).copied();
        match byte {
            None | Some(b',' | b';' | b':') => {
                let is_group = byte == Some(b':');
                let is_phrase = kind == Kind::Phrases || has_angle || is_group || !has_at;
                let role = if is_phrase { Role::Phrase } else { Role::Address };
                let found = words.drain(..).filter(|(begin, end)| begin < end);
                spans.extend(found.map(|(begin, end)| Span { role, range: begin..end }));
                (has_angle, has_at) = (false, false);
                at += 1;
            }
            Some(b' ' | b'\t' | b'\r' | b'\n') => at += 1,
            Some(b'(') => at = comment(value, at, &mut spans),
            Some(b'<') => {
                let end = memchr(b'>', &value[at..]).map_or(value.len(), |end| at + end + 1);
                spans.push(Span { role: Role::Address, range: at..end });
                has_angle = true;
                // The following words do not belong to the ones before.
                words.push((end, end));
                at = end;
            }
            Some(_) => {
                let (end, found_at) = word_end(value, at);
                has_at |= found_at;
                match words.last_mut() {
                    Some((begin, last)) if *begin < *last && is_space(&value[*last..at]) => {
                        *last = end
                    }
                    _ => words.push((at, end)),
                }
                at = end;
            }
        }
    }
    spans.sort_by_key(|span| span.range.start);
    spans
}

fn is_space(bytes: &[u8]) -> bool {
    bytes.iter().all(|byte| matches!(byte, b' ' | b'\t' | b'\r' | b'\n'))
}

/// The end of the word at `at`, and whether it contains an `@`.
fn word_end(value: &[u8], at: usize) -> (usize, bool) {
    if value[at] == b'"' {
        return (quoted_end(value, at), false);
    }
    // A comma in an encoded word is not allowed, but occurs in mail.
    if let Some(word) = encoded_word::word_at(value, at, Rules::Lenient) {
        return (word.range.end, false);
    }
    let rest = &value[at + 1..];
    let end = rest
        .iter()
        .enumerate()
        .position(|(index, byte)| {
            b" \t\r\n\"(<,;:".contains(byte) || *byte == b'=' && rest.get(index + 1) == Some(&b'?')
        })
        .unwrap_or(rest.len());
    (at + 1 + end, value[at..at + 1 + end].contains(&b'@'))
}

/// The end of the quoted string at `at`, after its closing quote.
pub(crate) fn quoted_end(value: &[u8], at: usize) -> usize {
    let mut end = at + 1;
    while let Some(byte) = value.get(end) {
        match byte {
            b'"' => return end + 1,
            b'\\' => end += 2,
            _ => end += 1,
        }
    }
    value.len()
}

/// Records the content of the comment at `at`, level by level, and returns its end.
fn comment(value: &[u8], at: usize, spans: &mut Vec<Span>) -> usize {
    let mut depth = 0_usize;
    let mut begin = at;
    let mut end = at;
    while let Some(byte) = value.get(end) {
        match byte {
            b'\\' => end += 1,
            b'(' | b')' => {
                if begin < end {
                    spans.push(Span { role: Role::Comment, range: begin..end });
                }
                depth = if *byte == b'(' { depth + 1 } else { depth - 1 };
                begin = end + 1;
            }
            _ => {}
        }
        end += 1;
        if depth == 0 {
            return end;
        }
    }
    let end = value.len();
    if begin < end {
        spans.push(Span { role: Role::Comment, range: begin..end });
    }
    end
}

/// Decodes the text of a value, unfolded and trimmed.
///
/// ```
/// use utfall_mime::encoded_word::Rules;
/// use utfall_mime::header::{Kind, decode};
/// let value = b" text/plain; name*=utf-8''na%C3%AFve.txt";
/// assert_eq!(decode(Kind::Parameters, value, Rules::Lenient).text, "text/plain; name=\"naïve.txt\"");
/// ```
#[must_use]
pub fn decode(kind: Kind, value: &[u8], rules: Rules) -> Decoded {
    decode_in(kind, value, rules, Charset::guess_field(value))
}

/// The same, with 8-bit bytes in the charset `raw`.
fn decode_in(kind: Kind, value: &[u8], rules: Rules, raw: Charset) -> Decoded {
    let mut decoded = match kind {
        Kind::Text => encoded_word::decode_in(value, rules, raw),
        Kind::Opaque => plain(value, raw),
        Kind::Parameters => parameters(value, rules, raw),
        Kind::Address | Kind::Phrases => {
            let mut all = Decoded::default();
            let mut at = 0;
            for span in spans(kind, value) {
                append(plain(&value[at..span.range.start], raw), &mut all);
                let inside = &value[span.range.clone()];
                append(
                    match span.role {
                        Role::Address => plain(inside, raw),
                        Role::Phrase | Role::Comment => encoded_word::decode_in(inside, rules, raw),
                    },
                    &mut all,
                );
                at = span.range.end;
            }
            append(plain(&value[at..], raw), &mut all);
            all
        }
    };
    let trimmed = decoded.text.trim_matches([' ', '\t', '\r', '\n']);
    if trimmed.len() < decoded.text.len() {
        decoded.text = trimmed.to_owned();
    }
    decoded
}

fn append(decoded: Decoded, all: &mut Decoded) {
    all.text.push_str(&decoded.text);
    all.words += decoded.words;
    all.unknown += decoded.unknown;
    all.raw += decoded.raw;
    all.ill_formed += decoded.ill_formed;
    all.guess = all.guess.or(decoded.guess);
}

/// Unfolds the value and decodes only 8-bit bytes.
fn plain(value: &[u8], raw: Charset) -> Decoded {
    let (text, ill_formed) = raw.decode_inside(value);
    Decoded {
        text: text.chars().filter(|c| !matches!(c, '\r' | '\n')).collect(),
        ill_formed,
        guess: Some(raw).filter(|raw| raw.is_guess() && !value.is_ascii()),
        ..Decoded::default()
    }
}

fn parameters(value: &[u8], rules: Rules, raw: Charset) -> Decoded {
    let field = parameter::parse_in(value, raw);
    let mut all = Decoded { text: field.value, ..Decoded::default() };
    for parameter in field.all {
        let value = parameter.decode(rules);
        all.text.push_str("; ");
        all.text.push_str(&parameter.name);
        all.text.push_str("=\"");
        all.words += value.words + usize::from(parameter.is_extended);
        all.unknown += value.unknown;
        all.raw += value.raw;
        all.ill_formed += value.ill_formed + parameter.ill_formed;
        all.guess = all.guess.or(parameter.guess);
        all.text.push_str(&value.text);
        all.text.push('"');
    }
    all
}
