//! `utfall check --concealed`: text whose encoding hides it from people and filters that read the bytes.

use std::io::{self, Read};

use utfall::Encoding;
use utfall::hidden::Finder;
use utfall::lines::Position;
use utfall_mime::Message;
use utfall_mime::hidden::{self, Kind};
use utfall_mime::mbox::{Item, Mbox};

use super::scan::{Enough, Lint, Sink};
use crate::{mbox, patient};

/// How many bytes are examined to recognize mail.
const BEGINNING: usize = 16 * 1024;
/// The bytes searched at a time. Every two of them may contain a finding.
const PIECE: usize = 8 * 1024;

/// Where to search for concealed text.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Search {
    No,
    /// In text, and in input that looks like mail.
    Yes,
    /// In all input, as mail.
    Mail,
}

/// A place where text is concealed.
#[derive(Debug)]
pub(crate) struct Concealed {
    pub(crate) rule: &'static str,
    pub(crate) message: String,
    pub(crate) position: Position,
    pub(crate) offset: u64,
    pub(crate) length: u64,
    /// The decoded text.
    pub(crate) text: String,
    /// Why the encoding is unnecessary or wrong.
    pub(crate) reason: &'static str,
}

impl Concealed {
    fn new(
        kind: Kind,
        position: Position,
        (offset, length): (u64, u64),
        text: String,
        reason: &'static str,
    ) -> Self {
        let (rule, message) = (kind.name(), kind.to_string());
        Self { rule, message, position, offset, length, text, reason }
    }
}

impl Search {
    /// Whether an input with these first bytes is searched as mail. `from` is its encoding, if
    /// known.
    pub(super) fn takes_for_mail(self, from: Option<Encoding>, first: &[u8]) -> bool {
        match self {
            Self::No => false,
            Self::Yes => from.is_none() && looks_like_mail(first),
            Self::Mail => true,
        }
    }
}

/// Whether it begins like an mbox, or with header fields of which one belongs to mail.
fn looks_like_mail(first: &[u8]) -> bool {
    const FIELDS: [&str; 9] = [
        "From",
        "To",
        "Subject",
        "Date",
        "Received",
        "Return-Path",
        "Message-ID",
        "MIME-Version",
        "Content-Type",
    ];
    let message = Message::parse(&first[..first.len().min(BEGINNING)]);
    let has_field =
        |part| message.fields(part).any(|field| FIELDS.iter().any(|name| field.is(name)));
    first.starts_with(mbox::FROM) || message.parts().first().is_some_and(has_field)
}

/// Searches text while it is linted.
pub(super) struct Text(Finder);

impl Text {
    pub(super) fn new(encoding: Encoding) -> Option<Self> {
        Finder::new(encoding).map(Self)
    }

    /// Passes the bytes to `take` in pieces: the piece, whether it is the last, and its findings.
    pub(super) fn pieces<'p>(
        &mut self,
        bytes: &'p [u8],
        is_last: bool,
        mut take: impl FnMut(&'p [u8], bool, Vec<Concealed>) -> Result<(), Enough>,
    ) -> Result<(), Enough> {
        let mut rest = bytes;
        loop {
            let (piece, others) = rest.split_at(rest.len().min(PIECE));
            let is_end = is_last && others.is_empty();
            let mut found = Vec::new();
            self.0.find(piece, is_end, |place| {
                let (kind, span) = (Kind::Text(place.kind), (place.offset, place.length));
                found.push(Concealed::new(kind, place.position, span, place.text, place.reason));
            });
            take(piece, is_end, found)?;
            if others.is_empty() {
                return Ok(());
            }
            rest = others;
        }
    }
}

/// Searches and lints mail.
pub(super) struct Mail<'l, 's, 'k> {
    pub(super) lint: &'l mut Lint,
    pub(super) sink: &'k mut Sink<'s>,
    /// The offset and the line number at which the next message begins.
    pub(super) bytes: u64,
    pub(super) line: u64,
}

impl Mail<'_, '_, '_> {
    /// Searches a message or an mbox. Returns how many messages were too long to be searched.
    pub(super) fn look(
        &mut self,
        is_mbox: bool,
        reader: impl Read,
    ) -> io::Result<Result<u64, Enough>> {
        if is_mbox { self.mbox(reader) } else { self.message(reader) }
    }

    fn message(&mut self, mut reader: impl Read) -> io::Result<Result<u64, Enough>> {
        let mut bytes = Vec::new();
        reader.by_ref().take(mbox::LONGEST as u64 + 1).read_to_end(&mut bytes)?;
        let mut result = self.lint(&bytes);
        if bytes.len() <= mbox::LONGEST {
            return Ok(result.and_then(|()| self.search(&Message::parse(&bytes))).map(|()| 0));
        }
        bytes.truncate(mbox::LONGEST);
        while result.is_ok() {
            match patient::read(&mut reader, &mut bytes)? {
                0 => break,
                count => result = self.lint(&bytes[..count]),
            }
        }
        Ok(result.map(|()| 1))
    }

    fn mbox(&mut self, reader: impl Read) -> io::Result<Result<u64, Enough>> {
        let mut mbox = Mbox::new(reader, mbox::LONGEST);
        while let Some(item) = mbox.next()? {
            let bytes = match item {
                Item::Message(bytes) | Item::Other(bytes) => bytes,
            };
            let mut result = self.lint(bytes);
            if let Item::Message(message) = item {
                result = result.and_then(|()| self.search(&Message::parse_quoted(message)));
            }
            if result.is_err() {
                return Ok(Err(Enough));
            }
            self.bytes += bytes.len() as u64;
            self.line += line_ends(bytes);
        }
        Ok(Ok(mbox.too_long()))
    }

    fn lint(&mut self, bytes: &[u8]) -> Result<(), Enough> {
        self.lint.feed(bytes, false, self.sink)
    }

    fn search(&mut self, message: &Message<'_>) -> Result<(), Enough> {
        let position = Position { line: self.line, column: 1 };
        let mut lines = Lines { src: message.src(), at: 0, position };
        let mut result = Ok(());
        hidden::find(message, |place| {
            if result.is_ok() {
                let position = lines.position(place.offset);
                let span = (self.bytes + place.offset as u64, place.length as u64);
                let found = Concealed::new(place.kind, position, span, place.text, place.reason);
                let text = (message.src(), self.bytes);
                result = self.lint.concealed(found, Some(text), self.sink);
            }
        });
        result
    }
}

fn line_ends(bytes: &[u8]) -> u64 {
    bytes.iter().filter(|byte| **byte == b'\n').count() as u64
}

/// Finds lines and columns of a message. Most requests have ascending offsets.
struct Lines<'a> {
    src: &'a [u8],
    at: usize,
    position: Position,
}

impl Lines<'_> {
    fn position(&mut self, offset: usize) -> Position {
        let is_back = offset < self.at;
        let between = if is_back { &self.src[offset..self.at] } else { &self.src[self.at..offset] };
        // Continuation bytes of UTF-8 do not begin a column.
        let columns = |bytes: &[u8]| bytes.iter().filter(|o| **o & 0xC0 != 0x80).count() as u64;
        let position = &mut self.position;
        let lines = line_ends(between);
        match (lines, is_back) {
            (0, true) => position.column -= columns(between),
            (0, false) => position.column += columns(between),
            _ => {
                let before = &self.src[..offset];
                let begin = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
                position.line = if is_back { position.line - lines } else { position.line + lines };
                position.column = 1 + columns(&before[begin..]);
            }
        }
        self.at = offset;
        *position
    }
}
