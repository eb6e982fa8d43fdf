//! Finds text hidden in a message: by charsets, in encoded words, in addresses, and by
//! contradictory fields.
//!
//! ```
//! use utfall_mime::{Message, hidden};
//! let message = Message::parse(
//!     b"To: =?UTF-8?Q?Jos=C3=A9?= <=?UTF-7?Q?a+AEA-evil.example+AD4-?=@example.org>\n\
//!       Content-Type: text/html; charset=UTF-7\n\
//!       Content-Transfer-Encoding: quoted-printable\n\n\
//!       +ADw=\n-b>\n",
//! );
//! let mut found = Vec::new();
//! hidden::find(&message, |one| found.push((one.kind.name(), one.offset, one.text)));
//! assert_eq!(
//!     found,
//!     [
//!         ("word-in-address", 27, "a@evil.example>".into()),
//!         ("encoded-markup", 161, "<".into()),
//!     ],
//! );
//! ```
//!
//! Parameters other than `charset`, and raw 8-bit bytes in header fields, are not searched.
//! `docs/decisions.md` §12 lists what is common in mail and so is not reported.

use std::fmt;
use std::ops::Range;

use utfall::Encoding;
use utfall::hidden::{self as text, Finder, SHOWN};

use crate::charset::{self, Charset};
use crate::encoded_word::{self, EncodedWord, Piece, Rules, Scheme};
use crate::header::{self, Field, LONGEST_FIELD, Role};
use crate::message::{Message, Part, PartKind};
use crate::parameter;
use crate::places::{self, Places};

/// A place in a message where text is hidden.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Hidden {
    /// How it is hidden.
    pub kind: Kind,
    /// Byte offset in the message.
    pub offset: usize,
    /// Length in bytes of the message.
    pub length: usize,
    /// The decoded text: the first [`SHOWN`] code points, then `…`.
    pub text: String,
    /// The clause that makes the encoding unnecessary or wrong.
    pub reason: &'static str,
}

/// How text is hidden in a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Kind {
    /// A kind that occurs in any text.
    Text(text::Kind),
    /// An encoded word in an address, or one that replaces an address.
    WordInAddress,
    /// Two charsets in one `Content-Type`.
    TwoCharsets,
    /// A second `Content-Type` or `Content-Transfer-Encoding`.
    TwoFields,
    /// A field longer than [`LONGEST_FIELD`], which is not searched.
    LongField,
}

impl Kind {
    /// All kinds.
    pub fn all() -> impl Iterator<Item = Self> {
        let own = [Self::WordInAddress, Self::TwoCharsets, Self::TwoFields, Self::LongField];
        text::Kind::ALL.into_iter().map(Self::Text).chain(own)
    }

    /// The kind as a single word for programs to parse. It does not change between versions.
    ///
    /// ```
    /// assert_eq!(utfall_mime::hidden::Kind::WordInAddress.name(), "word-in-address");
    /// ```
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Text(kind) => kind.name(),
            Self::WordInAddress => "word-in-address",
            Self::TwoCharsets => "two-charsets",
            Self::TwoFields => "two-fields",
            Self::LongField => "long-field",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(kind) => kind.fmt(f),
            Self::WordInAddress => f.pad("encoded word in an address"),
            Self::TwoCharsets => f.pad("two charsets in one field"),
            Self::TwoFields => f.pad("second field that says how to read the body"),
            Self::LongField => f.pad("header field too long to be searched"),
        }
    }
}

/// Searches a whole message and calls `found` for each finding, part by part, header fields before
/// bodies.
///
/// If a header names several charsets, the text is decoded in each of them. Text attachments are
/// searched too.
pub fn find(message: &Message<'_>, mut found: impl FnMut(Hidden)) {
    for part in message.parts() {
        let encodings = header(message, part, &mut found);
        body(message, part, &encodings, &mut found);
    }
}

/// Receives the findings.
type Tell<'t> = &'t mut dyn FnMut(Hidden);

/// How many charsets of a header are tried.
const MOST_CHARSETS: usize = 8;

/// Searches the header of a part. Returns the encodings it names other than the first.
fn header(message: &Message<'_>, part: &Part, tell: Tell<'_>) -> Vec<Encoding> {
    let mut encodings = Vec::new();
    let (mut types, mut transfers) = (0, 0);
    for field in message.fields(part) {
        let is_too_long = field.is_too_long();
        if is_too_long {
            tell(whole(&field, Kind::LongField, "fields of more than 256 KiB are not searched"));
        }
        let count = match () {
            () if field.is("Content-Type") => {
                if !is_too_long {
                    content_type(&field, &mut encodings, tell);
                }
                &mut types
            }
            () if field.is("Content-Transfer-Encoding") => &mut transfers,
            () if is_too_long => continue,
            () => {
                words_of_field(&field, tell);
                continue;
            }
        };
        *count += 1;
        if *count > 1 {
            let reason =
                "RFC 2045 §3: at most one field of a kind; readers take the first or the last";
            tell(whole(&field, Kind::TwoFields, reason));
        }
    }
    encodings
}

/// A finding that covers a whole field.
fn whole(field: &Field<'_>, kind: Kind, reason: &'static str) -> Hidden {
    let begin = &field.value[..field.value.len().min(LONGEST_FIELD)];
    Hidden {
        kind,
        offset: field.range.start,
        length: field.offset - field.range.start + field.value.len(),
        text: shown(String::from_utf8_lossy(begin).trim()),
        reason,
    }
}

fn content_type(field: &Field<'_>, encodings: &mut Vec<Encoding>, tell: Tell<'_>) {
    let charsets = parameter::places(field.value, "charset");
    for (_, label) in &charsets {
        // RFC 2231 puts the charset of the value before it.
        let label = label.rsplit(|byte| *byte == b'\'').next().unwrap_or_default();
        let encoding = charset::find(label);
        encodings.extend(encoding.filter(|_| encodings.len() < MOST_CHARSETS));
    }
    let [(first, _), .., (last, _)] = &charsets[..] else { return };
    let labels: Vec<_> = charsets.iter().map(|(_, label)| String::from_utf8_lossy(label)).collect();
    tell(Hidden {
        kind: Kind::TwoCharsets,
        offset: field.offset + first.range.start,
        length: last.range.end - first.range.start,
        text: shown(&labels.join(", ")),
        reason: "RFC 2045 §5: a parameter occurs once; readers take the first, the last or RFC 2231's",
    });
}

fn body(message: &Message<'_>, part: &Part, named: &[Encoding], tell: Tell<'_>) {
    let Some(transfer) = part.content.transfer.filter(|_| part.kind == PartKind::Text) else {
        return;
    };
    let body = message.bytes(&part.body);
    let (content, _) = transfer.decode(body);
    let label = part.content.charset().map(str::as_bytes);
    let mut encodings: Vec<_> =
        Charset::of(label, &content).iter().map(|charset| charset.encoding).collect();
    for encoding in named {
        if !encodings.contains(encoding) {
            encodings.push(*encoding);
        }
    }
    for mut finder in encodings.into_iter().filter_map(Finder::new) {
        let mut places = Places::new(places::of_body(transfer, body));
        finder.find(&content, true, |found| {
            tell(placed(found, &mut places, part.body.start));
        });
    }
}

/// Maps a finding in decoded bytes to its place in the encoded ones.
fn placed(
    found: text::Hidden,
    places: &mut Places<impl Iterator<Item = Range<usize>>>,
    base: usize,
) -> Hidden {
    let text::Hidden { kind, offset, length, text, reason, .. } = found;
    let place = places.range(offset, length);
    Hidden { kind: Kind::Text(kind), offset: base + place.start, length: place.len(), text, reason }
}

fn words_of_field(field: &Field<'_>, tell: Tell<'_>) {
    let Field { value, offset, .. } = *field;
    match field.kind() {
        header::Kind::Text => words(value, offset, tell),
        kind @ (header::Kind::Address | header::Kind::Phrases) => {
            let mut delimiters =
                value.iter().enumerate().filter(|(_, byte)| b"<:,;".contains(byte));
            let mut next = delimiters.next();
            for span in header::spans(kind, value) {
                let inside = &value[span.range.clone()];
                let base = offset + span.range.start;
                match span.role {
                    Role::Address => words_in_address(inside, base, |_| true, tell),
                    Role::Comment => words(inside, base, tell),
                    Role::Phrase => {
                        while next.is_some_and(|(at, _)| at < span.range.end) {
                            next = delimiters.next();
                        }
                        // Text before an address or a group is a name.
                        let is_name = matches!(next, Some((_, b'<' | b':')));
                        if kind == header::Kind::Address && !is_name {
                            let is_address = |text: &str| text.contains('@');
                            words_in_address(inside, base, is_address, tell);
                        }
                        words(inside, base, tell);
                    }
                }
            }
        }
        header::Kind::Opaque if is_address_alone(field) => {
            words_in_address(value, offset, |_| true, tell);
        }
        header::Kind::Parameters | header::Kind::Opaque => {}
    }
}

/// Fields written by programs that contain only an address.
fn is_address_alone(field: &Field<'_>) -> bool {
    ["Return-Path", "Delivered-To", "Envelope-To"].iter().any(|name| field.is(name))
}

fn words_in_address(src: &[u8], base: usize, is: impl Fn(&str) -> bool, tell: Tell<'_>) {
    let mut at = 0;
    while let Some(found) = memchr::memmem::find(&src[at..], b"=?") {
        at += found;
        let Some(word) = encoded_word::word_at(src, at, Rules::Lenient) else {
            at += 2;
            continue;
        };
        at = word.range.end;
        let text = text_of(&word);
        if is(&text) {
            tell(Hidden {
                kind: Kind::WordInAddress,
                offset: base + word.range.start,
                length: word.range.len(),
                text: shown(&text),
                reason: "RFC 2047 §5: an encoded word must not be part of an address",
            });
        }
    }
}

/// Searches the encoded words of a text, a phrase or a comment.
fn words(src: &[u8], base: usize, tell: Tell<'_>) {
    // Adjacent words form a group, since a writer may encode a whole text and not only the parts
    // that require it.
    let mut group = Vec::new();
    for piece in encoded_word::pieces(src, Rules::Lenient) {
        match piece {
            Piece::Word(word) => group.push(word),
            Piece::Space(_) => {}
            Piece::Text(_) => words_of_group(src, base, &mut group, tell),
        }
    }
    words_of_group(src, base, &mut group, tell);
}

fn words_of_group(src: &[u8], base: usize, group: &mut Vec<EncodedWord<'_>>, tell: Tell<'_>) {
    let texts: Vec<_> = group.iter().map(text_of).collect();
    let is_needless = texts.iter().all(|text| could_stand(text));
    for (word, text) in group.drain(..).zip(texts) {
        if is_needless && word.scheme == Scheme::B && !text.is_empty() {
            tell(Hidden {
                kind: Kind::Text(kind_of(&text)),
                offset: base + word.range.start,
                length: word.range.len(),
                text: shown(&text),
                reason: "RFC 2047 §1: what is encoded is text other than US-ASCII",
            });
        }
        let payload = &src[word.payload.clone()];
        let base = base + word.payload.start;
        if has_ascii(&word) {
            bytes_of_word(&word, payload, base, tell);
        } else if word.encoding().is_some() && text.contains(is_control) {
            tell(Hidden {
                kind: Kind::Text(text::Kind::EncodedControl),
                offset: base,
                length: payload.len(),
                text: shown(&text),
                reason: CONTROL,
            });
        }
        if let Some(mut finder) = word.encoding().and_then(Finder::new) {
            let mut places = Places::new(places::of_word(word.scheme, payload));
            finder.find(word.bytes(), true, |found| tell(placed(found, &mut places, base)));
        }
    }
}

const CONTROL: &str =
    "RFC 2047 §5: an encoded word must not bring line ends or controls into a field";

/// Whether its US-ASCII bytes represent US-ASCII.
fn has_ascii(word: &EncodedWord<'_>) -> bool {
    match word.encoding() {
        Some(encoding) => encoded_word::is_utf7(encoding) || encoding.info().ascii_transparent,
        // Not if it contains shift sequences.
        None => !word.bytes().iter().any(|byte| matches!(byte, 0x0E | 0x0F | 0x1B)),
    }
}

/// Reports controls and, in Q, unnecessarily escaped letters, digits or angle brackets.
fn bytes_of_word(word: &EncodedWord<'_>, payload: &[u8], base: usize, tell: Tell<'_>) {
    let mut run: Option<(text::Kind, Range<usize>, String)> = None;
    let mut flush = |run: &mut Option<(text::Kind, Range<usize>, String)>| {
        let Some((kind, range, text)) = run.take() else { return };
        let kind = if kind == text::Kind::EncodedAscii { kind_of(&text) } else { kind };
        let reason = match kind {
            text::Kind::EncodedControl => CONTROL,
            _ if !text.contains(|c: char| c.is_ascii_alphanumeric() || c == '<' || c == '>') => {
                return;
            }
            _ => "RFC 2047 §4.2: printable US-ASCII may represent itself",
        };
        let (offset, length) = (base + range.start, range.len());
        tell(Hidden { kind: Kind::Text(kind), offset, length, text: shown(&text), reason });
    };
    for (byte, place) in word.bytes().iter().zip(places::of_word(word.scheme, payload)) {
        let is_escape = word.scheme == Scheme::Q && place.len() == 3;
        let kind = match byte {
            _ if is_control(char::from(*byte)) => text::Kind::EncodedControl,
            b' '..=b'~' if is_escape => text::Kind::EncodedAscii,
            _ => {
                flush(&mut run);
                continue;
            }
        };
        if run.as_ref().is_some_and(|(last, ..)| *last != kind) {
            flush(&mut run);
        }
        let (_, range, text) = run.get_or_insert_with(|| (kind, place.clone(), String::new()));
        range.end = place.end;
        text.push(char::from(*byte));
    }
    flush(&mut run);
}

fn is_control(scalar: char) -> bool {
    scalar.is_ascii_control() && scalar != '\t'
}

/// The decoded text of a word; the bytes as characters if its charset is unknown.
fn text_of(word: &EncodedWord<'_>) -> String {
    match Charset::of(Some(word.charset), word.bytes()) {
        Some(charset) => charset.decode(word.bytes()).0.into_owned(),
        None => word.bytes().iter().map(|byte| char::from(*byte)).collect(),
    }
}

/// Whether a field may contain this text unencoded.
fn could_stand(text: &str) -> bool {
    let is_printable = text.bytes().all(|byte| matches!(byte, b' '..=b'~'));
    // Folding loses white space at an edge or in a row, and `=?` begins a word.
    is_printable && !text.contains("=?") && !text.contains("  ") && text.trim().len() == text.len()
}

fn kind_of(text: &str) -> text::Kind {
    match text.contains(['<', '>']) {
        true => text::Kind::EncodedMarkup,
        false => text::Kind::EncodedAscii,
    }
}

/// Truncates a text to the length shown in a report.
fn shown(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
