//! Messages, as rows for the classes of `utfall/mail.py`. Each function parses the message, which takes linear time.

use std::ops::Range;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use utfall::{Decoder, Encoding, Options, Status};
use utfall_bind::guess::charset_of_mail;
use utfall_bind::show;
use utfall_mime::encoded_word::{self, Decoded, LONGEST, Rules, Scheme};
use utfall_mime::header::{self, Field, Kind};
use utfall_mime::layers::{self, Layer};
use utfall_mime::mbox::{Item, Mbox};
use utfall_mime::rewrite::{self, Tally};
use utfall_mime::{Basis, Charset, Message, Part, PartKind, TransferEncoding};

use crate::arguments;
use crate::errors::{self, Place};
use crate::text::detached;

/// The start and end of a part of the message, in bytes.
type Span = (usize, usize);

fn span(range: &Range<usize>) -> Span {
    (range.start, range.end)
}

/// Parses a message, whose `From ` lines may be quoted as in an mbox.
fn parse(data: &[u8], is_quoted: bool) -> Message<'_> {
    let message = if is_quoted { Message::parse_quoted(data) } else { Message::parse(data) };
    message.with_detector(charset_of_mail)
}

fn rules(is_strict: bool) -> Rules {
    if is_strict { Rules::Strict } else { Rules::Lenient }
}

fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// An encoding, and how it was determined, in words that do not change.
type Found = (&'static str, &'static str);

fn found(charset: Charset) -> Found {
    let basis = match charset.basis {
        Basis::Label => "label",
        Basis::Ascii => "ascii",
        Basis::Mark => "bom",
        Basis::Validity => "valid-utf-8",
        Basis::Body => "body",
        Basis::Detected => "detected",
        Basis::Fallback => "fallback",
        Basis::Mislabelled => "mislabelled",
        _ => "guess",
    };
    (charset.encoding.name(), basis)
}

/// A decoded text: text, encoded words, words of unknown charsets, invalid sequences, guess.
type Words = (String, usize, usize, u64, Option<Found>);

fn words(decoded: Decoded) -> Words {
    let Decoded { text, words, unknown, ill_formed, guess, .. } = decoded;
    (text, words, unknown, ill_formed, guess.map(found))
}

/// A header field: name, value, whole field, content; `None` if it is too long to decode.
type FieldRow = (String, Span, Span, Option<Words>);

fn field(field: &Field<'_>) -> FieldRow {
    let value = (field.offset, field.offset + field.value.len());
    let decoded = (!field.is_too_long()).then(|| words(field.decode(Rules::Lenient)));
    (lossy(field.name), value, span(&field.range), decoded)
}

/// A part: place in the tree, spans of header and body, content, parameters, header fields.
type PartRow = (Tree, (Span, Span), Content, Vec<(String, String)>, Vec<FieldRow>);
/// The index of the part around it, kind, whether its header is that of a message.
type Tree = (Option<usize>, &'static str, bool);
/// Media type, charset label, whether that is ambiguous, transfer encoding, whether it is an attachment, file name.
type Content = (String, Option<String>, bool, Option<&'static str>, bool, Option<String>);

fn part(message: &Message<'_>, part: &Part) -> PartRow {
    let kind = match part.kind {
        PartKind::Multipart => "multipart",
        PartKind::Message => "message",
        PartKind::Text => "text",
        PartKind::Other => "other",
    };
    let content = &part.content;
    let parameters = content.parameters.as_ref();
    let all = parameters.map(|parameters| &parameters.all[..]).unwrap_or_default();
    let row = (
        content.media_type.clone(),
        content.charset().map(str::to_owned),
        content.has_two_charsets(),
        content.transfer.map(TransferEncoding::name),
        content.is_attachment,
        message.file_name(part),
    );
    (
        (part.parent, kind, message.is_message(part)),
        (span(&part.header), span(&part.body)),
        row,
        all.iter().map(|one| (one.name.clone(), one.value.clone())).collect(),
        message.fields(part).map(|one| field(&one)).collect(),
    )
}

/// The parts of a message, and whether there are more.
#[pyfunction]
pub(crate) fn mail_parts(py: Python<'_>, data: &[u8], quoted: bool) -> (Vec<PartRow>, bool) {
    detached(py, data.len(), || {
        let message = parse(data, quoted);
        (message.parts().iter().map(|one| part(&message, one)).collect(), message.is_limited())
    })
}

/// The text of a part, its charset, and the number of errors; or the reason why it cannot be read.
type TextRow = (Option<(String, Found, u64)>, Option<String>);

/// The text of each part.
#[pyfunction]
pub(crate) fn mail_texts(py: Python<'_>, data: &[u8], quoted: bool) -> Vec<TextRow> {
    detached(py, data.len(), || {
        let message = parse(data, quoted);
        let text = |part: &Part| match message.text(part) {
            Ok(text) => (Some((text.text, found(text.charset), text.errors)), None),
            Err(reason) => (None, Some(reason.to_string())),
        };
        message.parts().iter().map(text).collect()
    })
}

/// A text: part, place, field, span, transfer encoding, label, charset.
type LayerHead = (
    usize,
    &'static str,
    Option<String>,
    Span,
    Option<&'static str>,
    Option<String>,
    Option<Found>,
);
/// An invalid sequence: span, kind, message, clause.
type LayerProblem = (Span, &'static str, String, &'static str);
/// The decoding of a text: its bytes in the charset, the text, errors of the transfer encoding, problems.
type LayerBody = (Vec<u8>, Option<String>, usize, Vec<LayerProblem>);

/// Every text of a message.
#[pyfunction]
pub(crate) fn mail_layers(
    py: Python<'_>,
    data: &[u8],
    quoted: bool,
) -> Vec<(LayerHead, LayerBody)> {
    detached(py, data.len(), || {
        let mut rows = Vec::new();
        layers::of(&parse(data, quoted), |layer| rows.push(row(layer)));
        rows
    })
}

fn row(layer: Layer<'_>) -> (LayerHead, LayerBody) {
    let text = layer.charset.map(|charset| charset.decode(&layer.bytes).0.into_owned());
    let problems = problems(&layer);
    let head = (
        layer.part,
        layer.place.name(),
        layer.field.map(lossy),
        span(&layer.range),
        layer.transfer.map(layers::Transfer::name),
        layer.label.as_deref().map(lossy),
        layer.charset.map(found),
    );
    (head, (layer.bytes.into_owned(), text, layer.errors, problems))
}

/// The invalid sequences of a text, with their spans in the message.
fn problems(layer: &Layer<'_>) -> Vec<LayerProblem> {
    let Some(encoding) = layer.encoding() else { return Vec::new() };
    let mut decoder = Decoder::new(encoding, Options::strict());
    let (mut read, mut found) = (0, Vec::new());
    let mut places = None;
    loop {
        let progress = decoder.validate(&layer.bytes[read..], true);
        read += progress.read;
        let Status::Error(error) = progress.status else { return found };
        let places = places.get_or_insert_with(|| layer.places().collect::<Vec<_>>());
        let start = usize::try_from(error.offset()).unwrap_or(usize::MAX);
        let end = start.saturating_add(error.length() as usize);
        let here = places.get(start..end.min(places.len())).unwrap_or_default();
        let all = (
            here.iter().map(|place| place.start).min().unwrap_or(layer.range.start),
            here.iter().map(|place| place.end).max().unwrap_or(layer.range.end),
        );
        found.push((all, error.kind().name(), show::problem(&error), error.clause()));
    }
}

/// The place in the message of each byte of a text.
#[pyfunction]
pub(crate) fn mail_places(py: Python<'_>, data: &[u8], quoted: bool, index: usize) -> Vec<Span> {
    detached(py, data.len(), || {
        let (mut number, mut places) = (0, Vec::new());
        layers::of(&parse(data, quoted), |layer| {
            if number == index {
                places = layer.places().map(|place| span(&place)).collect();
            }
            number += 1;
        });
        places
    })
}

/// Decodes a body from its transfer encoding.
#[pyfunction]
pub(crate) fn decode_body<'py>(
    body: &Bound<'py, PyBytes>,
    transfer: Option<&str>,
) -> Bound<'py, PyBytes> {
    let transfer = transfer.and_then(|name| TransferEncoding::find(name.as_bytes()));
    match transfer.filter(|transfer| !transfer.is_identity()) {
        Some(transfer) => PyBytes::new(body.py(), &transfer.decode(body.as_bytes()).0),
        None => body.clone(),
    }
}

/// Decodes the encoded words of a text.
#[pyfunction]
pub(crate) fn decode_words(value: &[u8], strict: bool) -> Words {
    words(encoded_word::decode(value, rules(strict)))
}

/// Decodes the value of a header field.
#[pyfunction]
pub(crate) fn decode_field(name: &str, value: &[u8], strict: bool) -> Words {
    words(header::decode(Kind::of(name.as_bytes()), value, rules(strict)))
}

/// Encodes a text as encoded words, the first of which has space for `first` bytes.
#[pyfunction]
pub(crate) fn encode_words(
    text: &Bound<'_, PyString>,
    charset: &str,
    scheme: Option<&str>,
    first: Option<usize>,
) -> PyResult<Vec<String>> {
    let encoding = mail_charset(charset)?;
    let scheme = match scheme {
        None => None,
        Some("Q" | "q") => Some(Scheme::Q),
        Some("B" | "b") => Some(Scheme::B),
        Some(_) => return Err(PyValueError::new_err("scheme must be \"Q\" or \"B\"")),
    };
    let utf8 = text.to_str()?;
    encoded_word::encode(utf8, encoding, scheme, first.unwrap_or(LONGEST)).or_else(|error| {
        let start = usize::try_from(error.offset()).unwrap_or(utf8.len());
        let before = utf8.get(..start).unwrap_or_default().chars().count();
        let place = Place::default();
        let made = errors::encode_error(text, encoding, (before, before + 1), &error, place)?;
        Err(PyErr::from_value(made))
    })
}

/// An encoding that can be the charset of mail.
fn mail_charset(label: &str) -> PyResult<Encoding> {
    let encoding = arguments::encoding(label)?;
    let is_for_mail = match encoding {
        // RFC 2279 names the first, which was never registered; the second is registered for IMAP.
        Encoding::Unicode11Utf8 => true,
        Encoding::Utf7Imap => false,
        _ => encoding.info().iana,
    };
    if is_for_mail {
        return Ok(encoding);
    }
    Err(PyValueError::new_err(format!("{encoding} cannot be the charset of mail")))
}

/// Counts: converted, of these from a guess, unchanged, skipped with the reason.
type TallyRow = (u64, u64, u64, Vec<(String, u64)>);

fn tally(tally: &Tally) -> TallyRow {
    let skipped = tally.left.iter().map(|(reason, count)| (reason.to_string(), *count)).collect();
    (tally.converted, tally.guessed, tally.unchanged, skipped)
}

/// Converts a message to another charset. Returns it with counts of texts and of header fields.
#[pyfunction]
pub(crate) fn mail_rewrite<'py>(
    py: Python<'py>,
    data: &[u8],
    quoted: bool,
    charset: &str,
    body: Option<&str>,
    wrap: bool,
    force: bool,
) -> PyResult<(Bound<'py, PyBytes>, TallyRow, TallyRow)> {
    let body = match body {
        None => None,
        Some("7bit") => Some(TransferEncoding::SevenBit),
        Some("8bit") => Some(TransferEncoding::EightBit),
        Some("quoted-printable" | "qp") => Some(TransferEncoding::QuotedPrintable),
        Some("base64") => Some(TransferEncoding::Base64),
        Some(_) => {
            let message = "body must be \"7bit\", \"8bit\", \"quoted-printable\" or \"base64\"";
            return Err(PyValueError::new_err(message));
        }
    };
    let options = rewrite::Options::to(mail_charset(charset)?)
        .with_body(body)
        .with_wrap(wrap)
        .with_force(force);
    let (bytes, report) = detached(py, data.len(), || {
        let rewritten = parse(data, quoted).rewrite(&options);
        (rewritten.to_vec(), rewritten.report().clone())
    });
    Ok((PyBytes::new(py, &bytes), tally(&report.texts), tally(&report.fields)))
}

/// The messages of an mbox.
#[pyfunction]
pub(crate) fn mbox(py: Python<'_>, data: &[u8]) -> PyResult<Vec<Span>> {
    let work = || {
        let (mut mbox, mut at, mut spans) = (Mbox::new(data, usize::MAX), 0, Vec::new());
        while let Some(item) = mbox.next()? {
            let (Item::Message(bytes) | Item::Other(bytes)) = item;
            if matches!(item, Item::Message(_)) {
                spans.push((at, at + bytes.len()));
            }
            at += bytes.len();
        }
        Ok(spans)
    };
    detached(py, data.len(), work)
}
