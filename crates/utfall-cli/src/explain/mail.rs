//! `--mail`: the texts of messages, decoded layer by layer.

use std::io::{Cursor, Read};
use std::ops::Range;

use utfall::explain::Explainer;
use utfall_bind::explain::Object;
use utfall_bind::guess::charset_of_mail;
use utfall_mime::layers::{self, Layer, Place};
use utfall_mime::mbox::{Item, Mbox};
use utfall_mime::{Message, layers::Transfer};

use super::text::Layout;
use super::{Report, Trouble};
use crate::cli::Format;
use crate::failure::Failure;
use crate::{mbox, message, width};

/// The position of a message in its input.
#[derive(Clone, Copy)]
struct Standing {
    /// The index of the message, from 0.
    number: u64,
    offset: u64,
    /// The size of the input in bytes, if known.
    size: Option<u64>,
}

impl Report {
    pub(super) fn mail(
        &mut self,
        name: &str,
        size: Option<u64>,
        mut reader: impl Read,
    ) -> Result<(), Trouble> {
        let unreadable =
            |error| Trouble::Input(Failure::io(|| format!("cannot read {name}"))(error));
        let mut first = Vec::new();
        (&mut reader).take(mbox::FROM.len() as u64).read_to_end(&mut first).map_err(unreadable)?;
        let is_mbox = first == mbox::FROM;
        let mut reader = Cursor::new(first).chain(reader);
        self.begin(name, None, false, None).map_err(Trouble::Output)?;

        let mut standing = Standing { number: 0, offset: 0, size };
        if is_mbox {
            let mut mbox = Mbox::new(reader, mbox::LONGEST);
            while let Some(item) = mbox.next().map_err(unreadable)? {
                let bytes = match item {
                    Item::Message(bytes) => {
                        self.message(
                            &Message::parse_quoted(bytes).with_detector(charset_of_mail),
                            standing,
                        )
                        .map_err(Trouble::Output)?;
                        standing.number += 1;
                        bytes
                    }
                    Item::Other(bytes) => bytes,
                };
                standing.offset += bytes.len() as u64;
            }
            if mbox.too_long() > 0 {
                too_long(name);
            }
        } else {
            let mut bytes = Vec::new();
            let most = mbox::LONGEST as u64 + 1;
            (&mut reader).take(most).read_to_end(&mut bytes).map_err(unreadable)?;
            if bytes.len() > mbox::LONGEST {
                too_long(name);
            } else {
                self.message(&Message::parse(&bytes).with_detector(charset_of_mail), standing)
                    .map_err(Trouble::Output)?;
            }
            standing.offset = bytes.len() as u64;
        }
        self.read = standing.offset;
        Ok(())
    }

    /// Encoded words outside messages.
    pub(super) fn words(&mut self, name: &str, bytes: &[u8]) -> Result<(), Trouble> {
        self.begin(name, None, false, None).map_err(Trouble::Output)?;
        let size = Some(bytes.len() as u64);
        let mut result = Ok(());
        layers::of_words(bytes, |layer| {
            if result.is_ok() {
                result = self.layer(bytes, &layer, Standing { number: 0, offset: 0, size });
            }
        });
        self.read = bytes.len() as u64;
        result.map_err(Trouble::Output)
    }

    fn message(&mut self, message: &Message<'_>, standing: Standing) -> Result<(), Failure> {
        let mut result = Ok(());
        layers::of(message, |layer| {
            if result.is_ok() {
                result = self.layer(message.src(), &layer, standing);
            }
        });
        result
    }

    fn layer(&mut self, src: &[u8], layer: &Layer<'_>, standing: Standing) -> Result<(), Failure> {
        let begin = standing.offset + layer.range.start as u64;
        let end = standing.offset + layer.range.end as u64;
        if layer.range.is_empty() || end <= self.span.begin || begin >= self.span.end {
            return Ok(());
        }
        // With --only problems, valid texts get no title.
        let mut has_title = !self.only_problems || layer.place == Place::LongField;
        if has_title {
            self.title(layer, standing)?;
        }
        let Some(encoding) = layer.encoding() else { return Ok(()) };
        let layout =
            Layout::new(encoding, standing.size, true, self.out.is_coloured(), width::columns());
        if has_title && self.format == Format::Text {
            self.out.line(&layout.head())?;
        }
        let mut explainer = Explainer::new(encoding);
        let mut places = layer.places();
        // The end of the previous unit.
        let mut last = layer.range.start;
        loop {
            let at = explainer.offset() as usize;
            if self.only_problems {
                let skipped = explainer.skip_well_formed(&layer.bytes[at..]);
                last = skipped.checked_sub(1).and_then(|n| places.nth(n)).map_or(last, |p| p.end);
            }
            let at = explainer.offset() as usize;
            let Some(unit) = explainer.next(&layer.bytes[at..], true) else { return Ok(()) };
            let place = joined(places.by_ref().take(unit.bytes.len())).unwrap_or(last..last);
            last = place.end;
            let offset = standing.offset + place.start as u64;
            if !self.wants(&unit, offset..offset + place.len() as u64) {
                continue;
            }
            if !std::mem::replace(&mut has_title, true) {
                self.title(layer, standing)?;
                if self.format == Format::Text {
                    self.out.line(&layout.head())?;
                }
            }
            let written = src.get(place).unwrap_or_default();
            self.unit(encoding, &unit, Some((offset, written)), &layout)?;
        }
    }

    fn title(&mut self, layer: &Layer<'_>, standing: Standing) -> Result<(), Failure> {
        let offset = standing.offset + layer.range.start as u64;
        let length = layer.range.len();
        let field = layer.field.map(|name| message::plain(&String::from_utf8_lossy(name)));
        let label = layer.label.as_deref();
        let label = label.map(|label| message::plain(&String::from_utf8_lossy(label)));
        let transfer = layer.transfer.map(Transfer::name);
        let charset = layer.charset;
        if self.format == Format::Json {
            return self.out.object(&Object::Layer {
                message_index: standing.number,
                part_index: layer.part,
                place: layer.place.name(),
                field,
                offset,
                length,
                transfer_encoding: transfer,
                charset: label,
                encoding: charset.map(|charset| charset.encoding.name()),
                guessed: charset.is_some_and(|charset| charset.is_guess()),
            });
        }
        let what = match layer.place {
            Place::EncodedWord => "encoded word",
            Place::Parameter => "parameter",
            Place::Body => "body",
            Place::LongField => "field",
            _ => "bytes",
        };
        let whose = match (field, layer.place) {
            (Some(field), _) => format!("{field}: "),
            // An encoded word outside a message.
            (None, Place::EncodedWord) => String::new(),
            (None, _) => format!("part {}: ", layer.part),
        };
        let mut text = format!(
            "\n{whose}{what} of {} from {offset} on",
            message::count(length as u64, "byte")
        );
        text += &match transfer {
            Some(name) => format!(", {name}"),
            None if layer.place == Place::LongField => ", too long to be explained".into(),
            None => ", in an unknown transfer encoding".into(),
        };
        if layer.errors > 0 {
            text += &format!(" with {}", message::count(layer.errors as u64, "error"));
        }
        text += &match (label, charset) {
            (Some(label), None) if layer.transfer.is_some() => {
                format!(", unknown charset \"{label}\"")
            }
            (_, None) => String::new(),
            (Some(label), Some(charset)) if charset.is_guess() => {
                format!(", charset \"{label}\", read as {}", charset.encoding)
            }
            (Some(_), Some(charset)) => format!(", charset {}", charset.encoding),
            (None, Some(charset)) if charset.is_guess() => {
                format!(", no charset, read as {}", charset.encoding)
            }
            (None, Some(charset)) => format!(", no charset, so {}", charset.encoding),
        };
        self.out.line(&text)
    }
}

fn too_long(name: &str) {
    let most = mbox::LONGEST >> 20;
    message::note(&format!("{name}: a message of more than {most} MiB was skipped"));
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
