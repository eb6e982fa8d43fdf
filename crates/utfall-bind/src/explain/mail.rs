//! Mail: the texts of messages, decoded layer by layer.

use std::io::{self, Write};
use std::ops::Range;

use utfall::Encoding;
use utfall::explain::{Explainer, Unit, UnitKind};
use utfall_mime::encoded_word::{self, Piece, Rules};
use utfall_mime::header::LONGEST_FIELD;
use utfall_mime::layers::{self, Layer, Place, Transfer};
use utfall_mime::mbox::{Item, Mbox};
use utfall_mime::{Basis, Message, TransferEncoding};

use super::{LayerProblem, Object, Request, Row, Summary, unit};
use crate::guess::charset_of_mail;
use crate::json::line;
use crate::screen;

/// The maximum size of a message in bytes. Longer messages are skipped.
pub const LONGEST: usize = 64 << 20;

/// The start of an mbox.
pub const FROM: &[u8] = b"From ";

/// The position of a message in its input.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Position {
    /// The index of the message, from 0.
    pub message: u64,
    /// The offset of its first byte.
    pub offset: u64,
}

/// The selection of a report.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// The bytes of the input to explain.
    pub range: Range<u64>,
    /// Whether to report only ill-formed sequences.
    pub only_problems: bool,
    /// Whether to report the texts without their units.
    pub only_layers: bool,
}

impl Wanted {
    /// Whether to report a unit at this position of the input.
    #[must_use]
    pub fn has(&self, unit: &Unit<'_>, place: Range<u64>) -> bool {
        let Range { start, end } = place;
        let begin = self.range.start;
        let ends_after_begin = end > begin || start == end && end == begin;
        ends_after_begin
            && start < self.range.end
            && (!self.only_problems || matches!(unit.what, UnitKind::IllFormed(_)))
    }
}

/// Receives the texts of mail with their units, in order.
pub trait Visitor {
    /// The reason to stop.
    type Error;

    /// Begins a part, before its texts. Reports of problems only have no parts.
    ///
    /// # Errors
    /// Ends the visit.
    fn part(
        &mut self,
        _message: &Message<'_>,
        _index: usize,
        _position: Position,
    ) -> Result<(), Self::Error> {
        Ok(())
    }

    /// Begins a text. Reports of problems only have no texts without problems.
    ///
    /// # Errors
    /// Ends the visit.
    fn text(&mut self, layer: &Layer<'_>, position: Position) -> Result<(), Self::Error>;

    /// A unit of this text, with its offset in the input and its bytes there.
    ///
    /// # Errors
    /// Ends the visit.
    fn unit(
        &mut self,
        encoding: Encoding,
        unit: &Unit<'_>,
        written: (u64, &[u8]),
    ) -> Result<(), Self::Error>;
}

/// Visits the texts of a message.
///
/// # Errors
/// Returns the error of the visitor.
pub fn visit<V: Visitor>(
    message: &Message<'_>,
    position: Position,
    wanted: &Wanted,
    visitor: &mut V,
) -> Result<(), V::Error> {
    let mut result = Ok(());
    let mut parts = Parts { message, position, wanted, next: 0 };
    layers::of(message, |layer| {
        if result.is_ok() {
            result = parts
                .begin(layer.part + 1, visitor)
                .and_then(|()| visit_layer(message.src(), &layer, position, wanted, visitor));
        }
    });
    result?;
    parts.begin(message.parts().len(), visitor)
}

/// The remaining parts of a message.
struct Parts<'m, 'a> {
    message: &'m Message<'a>,
    position: Position,
    wanted: &'m Wanted,
    next: usize,
}

impl Parts<'_, '_> {
    /// Begins the parts before `end`.
    fn begin<V: Visitor>(&mut self, end: usize, visitor: &mut V) -> Result<(), V::Error> {
        let Self { message, position, wanted, .. } = *self;
        for index in self.next..end {
            self.next = index + 1;
            let part = &message.parts()[index];
            let begin = position.offset + part.header.start as u64;
            let is_in_range = position.offset + part.body.end as u64 > wanted.range.start
                && begin < wanted.range.end;
            if is_in_range && !wanted.only_problems {
                visitor.part(message, index, position)?;
            }
        }
        Ok(())
    }
}

/// Visits encoded words outside messages.
///
/// # Errors
/// Returns the error of the visitor.
pub fn visit_words<V: Visitor>(
    bytes: &[u8],
    wanted: &Wanted,
    visitor: &mut V,
) -> Result<(), V::Error> {
    let mut result = Ok(());
    layers::of_words(bytes, |layer| {
        if result.is_ok() {
            result = visit_layer(bytes, &layer, Position::default(), wanted, visitor);
        }
    });
    result
}

fn visit_layer<V: Visitor>(
    src: &[u8],
    layer: &Layer<'_>,
    position: Position,
    wanted: &Wanted,
    visitor: &mut V,
) -> Result<(), V::Error> {
    let begin = position.offset + layer.range.start as u64;
    let end = position.offset + layer.range.end as u64;
    if layer.range.is_empty() || end <= wanted.range.start || begin >= wanted.range.end {
        return Ok(());
    }
    let mut has_begun = !wanted.only_problems || layer.place == Place::LongField;
    if has_begun {
        visitor.text(layer, position)?;
    }
    let Some(encoding) = layer.encoding().filter(|_| !wanted.only_layers) else { return Ok(()) };
    let mut explainer = Explainer::new(encoding);
    let mut places = layer.places();
    // The end of the previous unit.
    let mut last = layer.range.start;
    loop {
        let at = explainer.offset() as usize;
        if wanted.only_problems {
            let skipped = explainer.skip_well_formed(&layer.bytes[at..]);
            last = skipped.checked_sub(1).and_then(|n| places.nth(n)).map_or(last, |p| p.end);
        }
        let at = explainer.offset() as usize;
        let Some(unit) = explainer.next(&layer.bytes[at..], true) else { return Ok(()) };
        let place = joined(places.by_ref().take(unit.bytes.len())).unwrap_or(last..last);
        last = place.end;
        let offset = position.offset + place.start as u64;
        if !wanted.has(&unit, offset..offset + place.len() as u64) {
            continue;
        }
        if !std::mem::replace(&mut has_begun, true) {
            visitor.text(layer, position)?;
        }
        let written = src.get(place).unwrap_or_default();
        visitor.unit(encoding, &unit, (offset, written))?;
    }
}

/// From the first place to the last. The sections of a parameter may be in any order; for these it
/// is only the first place.
fn joined(mut places: impl Iterator<Item = Range<usize>>) -> Option<Range<usize>> {
    let first = places.next()?;
    Some(places.fold(first, |all, place| match place.start >= all.start {
        true => all.start..place.end.max(all.end),
        false => all,
    }))
}

/// Whether a text is not mail, but consists of encoded words, such as `=?UTF-8?Q?caf=C3=A9?=`.
///
/// ```
/// use utfall_bind::explain::mail::are_words;
/// assert!(are_words(b"=?UTF-8?Q?caf=C3=A9?= =?UTF-7?Q?+Jjo-?=\n"));
/// assert!(!are_words(b"Subject: =?UTF-8?Q?caf=C3=A9?=\n"));
/// ```
#[must_use]
pub fn are_words(text: &[u8]) -> bool {
    let text = text.trim_ascii();
    text.starts_with(b"=?")
        && text.ends_with(b"?=")
        && !encoded_word::pieces(text, Rules::Lenient).any(|piece| matches!(piece, Piece::Text(_)))
}

/// The `part` object, which precedes the texts of a part.
#[must_use]
pub fn part(message: &Message<'_>, index: usize, position: Position) -> Object<'static> {
    let part = &message.parts()[index];
    Object::Part {
        message_index: position.message,
        part_index: index,
        parent_index: part.parent,
        media_type: screen::plain(&part.content.media_type),
        attachment: part.content.is_attachment,
        offset: position.offset + part.header.start as u64,
        length: part.body.end.saturating_sub(part.header.start),
        transfer_encoding: part.content.transfer.map(TransferEncoding::name),
        charset: part.content.charset().map(screen::plain),
    }
}

/// The `layer` object, which precedes the units of a text.
#[must_use]
pub fn layer(layer: &Layer<'_>, position: Position) -> Object<'static> {
    let plain = |text: &[u8]| screen::plain(&String::from_utf8_lossy(text));
    let text = layer.charset.map(|charset| charset.decode(&layer.bytes).0.into_owned());
    Object::Layer {
        message_index: position.message,
        part_index: layer.part,
        place: layer.place.name(),
        field: layer.field.map(plain),
        offset: position.offset + layer.range.start as u64,
        length: layer.range.len(),
        transfer_encoding: layer.transfer.map(Transfer::name),
        charset: layer.label.as_deref().map(plain),
        encoding: layer.charset.map(|charset| charset.encoding.name()),
        guessed: layer.charset.is_some_and(|charset| charset.is_guess()),
        text,
        problems: problems(layer),
    }
}

/// The problems of the transfer encoding and the charset of a text.
fn problems(layer: &Layer<'_>) -> Vec<LayerProblem> {
    let mut all = Vec::new();
    let mut add = |message: String, clause| all.push(LayerProblem { message, clause });
    if layer.place == Place::LongField {
        add(format!("longer than {} KiB, so it is not decoded", LONGEST_FIELD >> 10), None);
        return all;
    }
    let Some(transfer) = layer.transfer else {
        let clause = "RFC 2045 §6.4: readers treat a body with an unknown encoding as binary";
        add("unknown transfer encoding".into(), Some(clause));
        return all;
    };
    if layer.errors > 0 {
        let clause = match transfer {
            Transfer::Encoding(TransferEncoding::QuotedPrintable) => Some("RFC 2045 §6.7"),
            Transfer::Encoding(TransferEncoding::Base64) => Some("RFC 2045 §6.8"),
            _ => None,
        };
        let places =
            if layer.errors == 1 { "1 place" } else { &format!("{} places", layer.errors) };
        add(format!("{places} without a meaning in {}", transfer.name()), clause);
    }
    match (layer.charset.map(|charset| charset.basis), layer.place) {
        (None, Place::EncodedWord) => {
            add(
                "unknown charset".into(),
                Some("RFC 2047 §6.2: readers may show words in an unknown charset undecoded"),
            );
        }
        (None, _) => {
            let clause = "RFC 2049 §2 (6): readers treat text in an unknown charset as binary";
            add("unknown charset".into(), Some(clause));
        }
        (Some(Basis::Label | Basis::Ascii), _) => {}
        (Some(Basis::Mislabelled), _) => add("not in the charset of its label".into(), None),
        (Some(_), Place::Field) => {
            let clause = "RFC 5322 §2.2: header fields are US-ASCII; RFC 6532 §3.2 permits UTF-8";
            add("8-bit bytes in a header field".into(), Some(clause));
        }
        (Some(_), _) => {
            let clause = "RFC 2045 §5.2: without a label, the charset is US-ASCII";
            add("8-bit text without a known charset".into(), Some(clause));
        }
    }
    all
}

/// Writes the report as JSON.
struct Report<'o> {
    out: &'o mut dyn Write,
    problems: u64,
}

impl Visitor for Report<'_> {
    type Error = io::Error;

    fn part(&mut self, message: &Message<'_>, index: usize, position: Position) -> io::Result<()> {
        line(&mut self.out, &part(message, index, position))
    }

    fn text(&mut self, text: &Layer<'_>, position: Position) -> io::Result<()> {
        line(&mut self.out, &layer(text, position))
    }

    fn unit(
        &mut self,
        encoding: Encoding,
        seen: &Unit<'_>,
        written: (u64, &[u8]),
    ) -> io::Result<()> {
        self.problems += u64::from(matches!(seen.what, UnitKind::IllFormed(_)));
        line(&mut self.out, &unit(&Row::new(encoding, seen, Some(written))))
    }
}

/// Writes the report of `utfall explain --mail --json` on a message, an mbox or encoded words: an
/// `input` object, a `part` for each part of a message, a `layer` for each text, followed by its
/// units, and an `end`. The encoding of the request is ignored.
///
/// # Errors
/// Returns the error of `out`.
///
/// ```
/// use utfall_bind::explain::{Request, mail};
/// let mut out = Vec::new();
/// let message = b"Subject: =?UTF-8?Q?caf=C3=A9?=\n\nhello\n";
/// let summary = mail::explain(message, &Request::default(), &mut out)?;
/// assert_eq!((summary.bytes, summary.problems), (message.len() as u64, 0));
/// let report = String::from_utf8(out).unwrap();
/// assert!(report.contains(r#""place":"encoded-word","field":"Subject""#));
/// assert!(report.contains(r#""name":"LATIN SMALL LETTER E WITH ACUTE""#));
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn explain(text: &[u8], request: &Request<'_>, out: &mut dyn Write) -> io::Result<Summary> {
    let input = Object::Input { input: request.name, file: None, encoding: None, by_bom: false };
    line(&mut *out, &input)?;
    let Request { only_problems, only_layers, .. } = *request;
    let wanted = Wanted { range: request.range.clone(), only_problems, only_layers };
    let mut report = Report { out, problems: 0 };
    let mut position = Position::default();
    if text.starts_with(FROM) {
        let mut mbox = Mbox::new(text, LONGEST);
        let mut visited = 0;
        while let Some(item) = mbox.next()? {
            let bytes = match item {
                Item::Message(bytes) => {
                    let message = Message::parse_quoted(bytes).with_detector(charset_of_mail);
                    visit(&message, position, &wanted, &mut report)?;
                    visited += 1;
                    bytes
                }
                Item::Other(bytes) => bytes,
            };
            position.offset += bytes.len() as u64;
            position.message = visited + mbox.too_long();
        }
    } else if are_words(text) {
        visit_words(text, &wanted, &mut report)?;
        position.offset = text.len() as u64;
    } else if text.len() <= LONGEST {
        let message = Message::parse(text).with_detector(charset_of_mail);
        visit(&message, position, &wanted, &mut report)?;
        position.offset = text.len() as u64;
    }
    let is_too_long = position.offset < text.len() as u64;
    let Report { out, problems } = report;
    let bytes = position.offset;
    line(
        out,
        &Object::End {
            input: request.name,
            file: None,
            bytes,
            problems,
            likely: None,
            error: is_too_long.then(|| format!("a message of more than {} MiB", LONGEST >> 20)),
        },
    )?;
    Ok(Summary { bytes, problems })
}
