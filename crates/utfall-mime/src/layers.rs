//! The texts of a message with their layers: the raw bytes, the transfer encoding or encoded word,
//! and the charset. Maps each decoded byte to its place in the message.
//!
//! ```
//! use utfall_mime::Message;
//! use utfall_mime::layers::{self, Place};
//!
//! let bytes = b"Subject: =?UTF-8?Q?=E2=98=BA?=\n\n+Jjo-\n";
//! let mut seen = Vec::new();
//! layers::of(&Message::parse(bytes), |layer| {
//!     let places: Vec<_> = layer.places().take(2).collect();
//!     seen.push((layer.place, layer.bytes.to_vec(), places));
//! });
//! assert_eq!(seen[0].0, Place::EncodedWord);
//! assert_eq!(seen[0].1, "☺".as_bytes());
//! assert_eq!(seen[0].2, [19..22, 22..25]); // `=E2`, `=98`
//! assert_eq!((seen[1].0, &*seen[1].1), (Place::Body, &b"+Jjo-\n"[..]));
//! ```

use std::borrow::Cow;
use std::ops::Range;

use utfall::Encoding;

use crate::charset::Charset;
use crate::encoded_word::{self, Piece, Rules, Scheme};
use crate::header::{self, Field, Role};
use crate::message::{Message, Part, PartKind};
use crate::parameter::{self, Parameter};
use crate::places;
use crate::transfer::TransferEncoding;

/// A text in a message.
#[derive(Clone, Debug)]
pub struct Layer<'a> {
    /// The part that contains it, as an index into [`Message::parts`].
    pub part: usize,
    /// The kind of text.
    pub place: Place,
    /// The name of its field, unless it is a body.
    pub field: Option<&'a [u8]>,
    /// Its byte range in the message, including all of its syntax: `=?UTF-8?Q?…?=`.
    pub range: Range<usize>,
    /// The transfer encoding from which [`bytes`](Self::bytes) was decoded. `None` if it is
    /// unknown; `bytes` is empty then.
    pub transfer: Option<Transfer>,
    /// The charset label as written, if there is one.
    pub label: Option<Cow<'a, [u8]>>,
    /// The charset: from the label or, without one, guessed. `None` if the label is unknown.
    pub charset: Option<Charset>,
    /// The bytes in that charset.
    pub bytes: Cow<'a, [u8]>,
    /// Number of errors in the transfer encoding.
    pub errors: usize,
    source: Source<'a>,
}

/// The kind of a text in a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Place {
    /// An encoded word in a header field.
    EncodedWord,
    /// The value of a parameter, joined from its sections.
    Parameter,
    /// 8-bit bytes in a header field.
    Field,
    /// A field longer than [`LONGEST_FIELD`](header::LONGEST_FIELD), which is not decoded.
    LongField,
    /// A text body of a message or part.
    Body,
}

/// The encoding that protects bytes from 7-bit transports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Transfer {
    /// The transfer encoding of a body; `8bit` in a header field.
    Encoding(TransferEncoding),
    /// The encoding of an encoded word.
    Scheme(Scheme),
    /// Percent-encoding (RFC 2231): `%C3%A9`.
    Percent,
}

impl Place {
    /// The name as a single word for programs to parse. It does not change between versions.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::EncodedWord => "encoded-word",
            Self::Parameter => "parameter",
            Self::Field => "field",
            Self::LongField => "long-field",
            Self::Body => "body",
        }
    }
}

impl Transfer {
    /// The name: `quoted-printable`, `Q`, `percent`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Encoding(encoding) => encoding.name(),
            Self::Scheme(Scheme::Q) => "Q",
            Self::Scheme(Scheme::B) => "B",
            Self::Percent => "percent",
        }
    }
}

/// The source of decoded bytes.
#[derive(Clone, Debug)]
enum Source<'a> {
    Body(TransferEncoding, &'a [u8], usize),
    Word(Scheme, &'a [u8], usize),
    Listed(Vec<Range<usize>>),
}

impl Layer<'_> {
    /// The encoding of the charset, if known.
    #[must_use]
    pub fn encoding(&self) -> Option<Encoding> {
        self.charset.map(|charset| charset.encoding)
    }

    /// The place in the message of each byte of [`bytes`](Self::bytes). In Base64, two bytes may
    /// share a digit.
    pub fn places(&self) -> Box<dyn Iterator<Item = Range<usize>> + '_> {
        let moved = |by: usize| move |place: Range<usize>| by + place.start..by + place.end;
        match &self.source {
            Source::Body(transfer, body, base) => {
                Box::new(places::of_body(*transfer, body).map(moved(*base)))
            }
            Source::Word(scheme, payload, base) => {
                Box::new(places::of_word(*scheme, payload).map(moved(*base)))
            }
            Source::Listed(places) => Box::new(places.iter().cloned()),
        }
    }
}

/// Calls `found` for each text of a message, part by part, header fields before bodies. Texts are
/// encoded words where they are allowed, encoded parameters, 8-bit bytes in fields, and text
/// bodies.
pub fn of<'a>(message: &Message<'a>, mut found: impl FnMut(Layer<'a>)) {
    for (index, part) in message.parts().iter().enumerate() {
        for field in message.fields(part) {
            of_field(index, &field, &mut found);
        }
        if part.kind == PartKind::Text {
            found(of_body(message, index, part));
        }
    }
}

/// Calls `found` for each encoded word in a text that is not a message, as if it were the value of
/// a field: `=?UTF-8?Q?caf=C3=A9?=`.
///
/// ```
/// let mut seen = Vec::new();
/// utfall_mime::layers::of_words(b"=?UTF-8?Q?caf=C3=A9?=", |layer| seen.push(layer.bytes.to_vec()));
/// assert_eq!(seen, ["café".as_bytes()]);
/// ```
pub fn of_words<'a>(text: &'a [u8], mut found: impl FnMut(Layer<'a>)) {
    let range = 0..text.len();
    let raw = Charset::guess_field(text);
    let field = Field { name: b"", value: text, offset: 0, range: range.clone(), raw };
    words(0, &field, range, &mut |layer| found(Layer { field: None, ..layer }));
}

/// Receives the texts.
type Tell<'t, 'a> = &'t mut dyn FnMut(Layer<'a>);

fn of_body<'a>(message: &Message<'a>, index: usize, part: &Part) -> Layer<'a> {
    let body = message.bytes(&part.body);
    let transfer = part.content.transfer;
    let (bytes, errors) = transfer.map_or_else(Default::default, |t| t.decode(body));
    let label = part.content.charset().map(|label| label.as_bytes().to_vec());
    let charset =
        Charset::of_text(label.as_deref(), &bytes, message.guess()).filter(|_| transfer.is_some());
    Layer {
        part: index,
        place: Place::Body,
        field: None,
        range: part.body.clone(),
        transfer: transfer.map(Transfer::Encoding),
        label: label.map(Cow::Owned),
        charset,
        bytes,
        errors,
        source: match transfer {
            Some(transfer) => Source::Body(transfer, body, part.body.start),
            None => Source::Listed(Vec::new()),
        },
    }
}

fn of_field<'a>(index: usize, field: &Field<'a>, tell: Tell<'_, 'a>) {
    let value = field.value;
    match field.kind() {
        _ if field.is_too_long() => tell(long_field(index, field)),
        header::Kind::Text => words(index, field, 0..value.len(), tell),
        kind @ (header::Kind::Address | header::Kind::Phrases) => {
            for span in header::spans(kind, value) {
                match span.role {
                    Role::Phrase | Role::Comment => words(index, field, span.range, tell),
                    Role::Address => raw(index, field, span.range, tell),
                }
            }
        }
        header::Kind::Parameters => {
            for parameter in parameter::parse_in(value, field.raw).all {
                of_parameter(index, field, &parameter, tell);
            }
        }
        header::Kind::Opaque => raw(index, field, 0..value.len(), tell),
    }
}

fn long_field<'a>(index: usize, field: &Field<'a>) -> Layer<'a> {
    Layer {
        part: index,
        place: Place::LongField,
        field: Some(field.name),
        range: field.offset..field.offset + field.value.len(),
        transfer: None,
        label: None,
        charset: None,
        bytes: Cow::Borrowed(&[]),
        errors: 0,
        source: Source::Listed(Vec::new()),
    }
}

fn words<'a>(index: usize, field: &Field<'a>, range: Range<usize>, tell: Tell<'_, 'a>) {
    let src = &field.value[range.clone()];
    for piece in encoded_word::pieces(src, Rules::Lenient) {
        match piece {
            Piece::Word(word) => {
                let base = field.offset + range.start;
                let payload = base + word.payload.start;
                tell(Layer {
                    part: index,
                    place: Place::EncodedWord,
                    field: Some(field.name),
                    range: base + word.range.start..base + word.range.end,
                    transfer: Some(Transfer::Scheme(word.scheme)),
                    label: Some(Cow::Borrowed(word.charset)),
                    charset: Charset::of(Some(word.charset), word.bytes()),
                    bytes: Cow::Owned(word.bytes().to_vec()),
                    errors: 0,
                    source: Source::Word(word.scheme, &src[word.payload], payload),
                });
            }
            Piece::Text(text) => {
                raw(index, field, range.start + text.start..range.start + text.end, tell);
            }
            Piece::Space(_) => {}
        }
    }
}

/// Reports bytes that are not all US-ASCII as they are.
fn raw<'a>(index: usize, field: &Field<'a>, range: Range<usize>, tell: Tell<'_, 'a>) {
    let bytes = &field.value[range.clone()];
    if bytes.is_ascii() {
        return;
    }
    let begin = field.offset + range.start;
    tell(Layer {
        part: index,
        place: Place::Field,
        field: Some(field.name),
        range: begin..begin + bytes.len(),
        transfer: Some(Transfer::Encoding(TransferEncoding::EightBit)),
        label: None,
        charset: Some(field.raw),
        bytes: Cow::Borrowed(bytes),
        errors: 0,
        source: Source::Body(TransferEncoding::EightBit, bytes, begin),
    });
}

fn of_parameter<'a>(index: usize, field: &Field<'a>, one: &Parameter, tell: Tell<'_, 'a>) {
    let (bytes, places) = bytes_of(field, one);
    if !one.is_extended && bytes.is_ascii() {
        return;
    }
    let begin = places.iter().map(|place| place.start).min().unwrap_or(field.offset);
    let end = places.iter().map(|place| place.end).max().unwrap_or(begin);
    let (transfer, charset) = match one.is_extended {
        true => (Transfer::Percent, Charset::of(Some(&one.charset), &bytes)),
        false => (Transfer::Encoding(TransferEncoding::EightBit), one.guess),
    };
    tell(Layer {
        part: index,
        place: Place::Parameter,
        field: Some(field.name),
        // Sections may appear in any order.
        range: begin..end,
        transfer: Some(transfer),
        label: (!one.charset.is_empty()).then(|| Cow::Owned(one.charset.clone())),
        charset,
        bytes: Cow::Owned(bytes),
        errors: 0,
        source: Source::Listed(places),
    });
}

/// The bytes of a parameter's value, and the place of each in the message.
fn bytes_of(field: &Field<'_>, parameter: &Parameter) -> (Vec<u8>, Vec<Range<usize>>) {
    let (mut bytes, mut places) = (Vec::new(), Vec::new());
    let mut put = |byte, range: Range<usize>| {
        bytes.push(byte);
        places.push(field.offset + range.start..field.offset + range.end);
    };
    for section in &parameter.sections {
        let name = field.value[section.range.start..section.value.start].trim_ascii_end();
        let name = name.strip_suffix(b"=").unwrap_or(name).trim_ascii_end();
        let without_star = name.strip_suffix(b"*");
        let is_extended = without_star.is_some();
        let is_first = without_star.is_some_and(|n| !n.contains(&b'*') || n.ends_with(b"*0"));
        let Range { start: mut at, mut end } = section.value;
        let is_quoted = field.value[at..end].starts_with(b"\"");
        if is_quoted {
            at += 1;
            end -= usize::from(end > at && field.value[end - 1] == b'"');
        }
        if is_first {
            // The first section's value begins with charset and language.
            let mut quotes = (at..end).filter(|at| field.value[*at] == b'\'');
            at = quotes.nth(1).map_or(at, |quote| quote + 1);
        }
        while at < end {
            let (byte, length) = match &field.value[at..end] {
                [b'%', high, low, ..] if is_extended => match (digit(*high), digit(*low)) {
                    (Some(high), Some(low)) => (high << 4 | low, 3),
                    _ => (b'%', 1),
                },
                [b'\\', quoted @ (b'"' | b'\\'), ..] if is_quoted => (*quoted, 2),
                rest => (rest[0], 1),
            };
            put(byte, at..at + length);
            at += length;
        }
    }
    (bytes, places)
}

fn digit(byte: u8) -> Option<u8> {
    char::from(byte).to_digit(16).map(|digit| digit as u8)
}
