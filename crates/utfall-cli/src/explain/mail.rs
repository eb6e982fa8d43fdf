//! `--mail`: the texts of messages, decoded layer by layer.

use std::io::{Cursor, Read};

use utfall::Encoding;
use utfall::explain::Unit;
use utfall_bind::explain::mail::{self, Position, Visitor};
use utfall_bind::guess::charset_of_mail;
use utfall_mime::Message;
use utfall_mime::layers::{Layer, Place, Transfer};
use utfall_mime::mbox::{Item, Mbox};

use super::text::Layout;
use super::{Report, Trouble};
use crate::cli::Format;
use crate::failure::Failure;
use crate::{mbox, message, width};

/// The report of one input. Each text has a layout for its encoding.
struct Mail<'r> {
    report: &'r mut Report,
    /// The size of the input in bytes, if known.
    size: Option<u64>,
    layout: Option<Layout>,
}

impl Visitor for Mail<'_> {
    type Error = Failure;

    fn part(
        &mut self,
        message: &Message<'_>,
        index: usize,
        position: Position,
    ) -> Result<(), Failure> {
        match self.report.format {
            Format::Json => self.report.out.object(&mail::part(message, index, position)),
            Format::Text => Ok(()),
        }
    }

    fn text(&mut self, layer: &Layer<'_>, position: Position) -> Result<(), Failure> {
        self.report.title(layer, position)?;
        let Some(encoding) = layer.encoding() else { return Ok(()) };
        let is_coloured = self.report.out.is_coloured();
        let layout = Layout::new(encoding, self.size, true, is_coloured, width::columns());
        if self.report.format == Format::Text && !self.report.only_layers {
            self.report.out.line(&layout.head())?;
        }
        self.layout = Some(layout);
        Ok(())
    }

    fn unit(
        &mut self,
        encoding: Encoding,
        unit: &Unit<'_>,
        written: (u64, &[u8]),
    ) -> Result<(), Failure> {
        let Some(layout) = &self.layout else { return Ok(()) };
        self.report.unit(encoding, unit, Some(written), layout)
    }
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

        let wanted = self.wanted();
        let mut position = Position::default();
        let mut mail = Mail { report: self, size, layout: None };
        if is_mbox {
            let mut mbox = Mbox::new(reader, mbox::LONGEST);
            let mut visited = 0;
            while let Some(item) = mbox.next().map_err(unreadable)? {
                let bytes = match item {
                    Item::Message(bytes) => {
                        let message = Message::parse_quoted(bytes).with_detector(charset_of_mail);
                        mail::visit(&message, position, &wanted, &mut mail)
                            .map_err(Trouble::Output)?;
                        visited += 1;
                        bytes
                    }
                    Item::Other(bytes) => bytes,
                };
                position.offset += bytes.len() as u64;
                position.message = visited + mbox.too_long();
            }
            if mbox.too_long() > 0 {
                too_long(name);
            }
        } else {
            let mut bytes = Vec::new();
            let most = mbox::LONGEST as u64 + 1;
            (&mut reader).take(most).read_to_end(&mut bytes).map_err(unreadable)?;
            if mail::are_words(&bytes) {
                mail::visit_words(&bytes, &wanted, &mut mail).map_err(Trouble::Output)?;
            } else if bytes.len() > mbox::LONGEST {
                too_long(name);
            } else {
                let message = Message::parse(&bytes).with_detector(charset_of_mail);
                mail::visit(&message, position, &wanted, &mut mail).map_err(Trouble::Output)?;
            }
            position.offset = bytes.len() as u64;
        }
        self.read = position.offset;
        Ok(())
    }

    /// Encoded words outside messages.
    pub(super) fn words(&mut self, name: &str, bytes: &[u8]) -> Result<(), Trouble> {
        self.begin(name, None, false, None).map_err(Trouble::Output)?;
        let wanted = self.wanted();
        let mut mail = Mail { report: self, size: Some(bytes.len() as u64), layout: None };
        let result = mail::visit_words(bytes, &wanted, &mut mail);
        self.read = bytes.len() as u64;
        result.map_err(Trouble::Output)
    }

    fn title(&mut self, layer: &Layer<'_>, position: Position) -> Result<(), Failure> {
        if self.format == Format::Json {
            return self.out.object(&mail::layer(layer, position));
        }
        let offset = position.offset + layer.range.start as u64;
        let length = layer.range.len();
        let field = layer.field.map(|name| message::plain(&String::from_utf8_lossy(name)));
        let label = layer.label.as_deref();
        let label = label.map(|label| message::plain(&String::from_utf8_lossy(label)));
        let transfer = layer.transfer.map(Transfer::name);
        let charset = layer.charset;
        let what = match layer.place {
            Place::EncodedWord => "encoded word",
            Place::Parameter => "parameter",
            Place::Body => "body",
            Place::LongField => "field",
            _ => "text",
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
