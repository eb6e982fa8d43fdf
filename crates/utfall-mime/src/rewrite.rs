//! Converts messages to another charset and transfer encoding, as a list of edits, so that
//! everything else stays unchanged byte for byte.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::ops::Range;

use memchr::memmem;
use utfall::Encoding;

use crate::body::{self, Body, Place};
use crate::charset;
use crate::field::{self, Written};
use crate::header::Field;
use crate::message::{Message, Part, PartKind};
use crate::parameter::{self, Parameters};
use crate::text::{NoText, Text};
use crate::{Basis, TransferEncoding};

/// Limit on the memory for new header fields of a message, in bytes; further fields stay as they
/// are.
pub const MOST_NEW: usize = 16 << 20;

/// The fields that determine how a body is read.
const STRUCTURE: [&str; 3] = ["Content-Type", "Content-Transfer-Encoding", "Content-Disposition"];

/// The start of a text signed without MIME (RFC 9580 §7).
const PGP_SIGNED: &str = "-----BEGIN PGP SIGNED MESSAGE-----";

/// Options for rewriting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Options {
    /// The charset of texts and header fields.
    pub to: Encoding,
    /// The transfer encoding of texts, if it can carry them. By default 7bit, if no line has more
    /// than 76 bytes. Otherwise quoted-printable, or Base64 if the charset is not UTF-7 and that is
    /// shorter by more than a line.
    pub body: Option<TransferEncoding>,
    /// Break the lines of `text/plain` that have more than 76 bytes. This changes the text, unless
    /// it is `format=flowed`.
    pub wrap: bool,
    /// Change even signed messages, which breaks their signatures.
    pub force: bool,
}

impl Options {
    /// Changes the charset and uses the defaults for everything else.
    #[must_use]
    pub const fn to(to: Encoding) -> Self {
        Self { to, body: None, wrap: false, force: false }
    }

    /// Sets [`body`](Self::body).
    #[must_use]
    pub fn with_body(self, body: impl Into<Option<TransferEncoding>>) -> Self {
        Self { body: body.into(), ..self }
    }

    /// Sets [`wrap`](Self::wrap).
    #[must_use]
    pub const fn with_wrap(self, wrap: bool) -> Self {
        Self { wrap, ..self }
    }

    /// Sets [`force`](Self::force).
    #[must_use]
    pub const fn with_force(self, force: bool) -> Self {
        Self { force, ..self }
    }
}

/// Why a text or field was left unchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Reason {
    /// It is signed, and a change would break the signature.
    Signed,
    /// It is in a `multipart/encrypted`, whose parts depend on each other.
    Encrypted,
    /// It is an attachment: a file whose bytes must not change.
    Attachment,
    /// Its bytes are ill-formed in its charset or transfer encoding.
    IllFormed,
    /// It has characters that the target charset lacks.
    Unencodable,
    /// Its charset is unknown.
    UnknownCharset,
    /// Its transfer encoding is unknown.
    UnknownTransferEncoding,
    /// Its header is contradictory, so different readers may interpret it differently.
    Ambiguous,
    /// The message has too many or too deeply nested parts.
    TooManyParts,
    /// The field is longer than [`LONGEST_FIELD`](crate::header::LONGEST_FIELD), or the new fields
    /// of the message would exceed [`MOST_NEW`].
    TooLong,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Signed => "signed",
            Self::Encrypted => "encrypted",
            Self::Attachment => "attached",
            Self::IllFormed => "ill-formed",
            Self::Unencodable => "with characters the charset lacks",
            Self::UnknownCharset => "in an unknown charset",
            Self::UnknownTransferEncoding => "in an unknown transfer encoding",
            Self::Ambiguous => "labelled ambiguously",
            Self::TooManyParts => "in messages with too many parts",
            Self::TooLong => "too long",
        })
    }
}

/// Counts of texts or fields.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Tally {
    /// Number converted.
    pub converted: u64,
    /// Number converted from a guessed charset.
    pub guessed: u64,
    /// Number that needed no change.
    pub unchanged: u64,
    /// Number skipped, by reason.
    pub left: BTreeMap<Reason, u64>,
}

impl Tally {
    /// The total number skipped.
    #[must_use]
    pub fn left_alone(&self) -> u64 {
        self.left.values().sum()
    }

    fn leave(&mut self, reason: Reason) {
        *self.left.entry(reason).or_default() += 1;
    }

    fn add(&mut self, other: &Self) {
        self.converted += other.converted;
        self.guessed += other.guessed;
        self.unchanged += other.unchanged;
        for (reason, count) in &other.left {
            *self.left.entry(*reason).or_default() += count;
        }
    }
}

/// A summary of the changes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Report {
    /// Texts.
    pub texts: Tally,
    /// Header fields with non-ASCII text.
    pub fields: Tally,
}

impl Report {
    /// Adds the counts of another message.
    pub fn add(&mut self, other: &Self) {
        self.texts.add(&other.texts);
        self.fields.add(&other.fields);
    }
}

/// A replacement of bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Edit {
    /// The byte range in the message.
    pub range: Range<usize>,
    /// The replacement.
    pub bytes: Vec<u8>,
}

/// A rewritten message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rewritten<'a> {
    src: &'a [u8],
    edits: Vec<Edit>,
    report: Report,
}

impl<'a> Rewritten<'a> {
    /// The edits, in order.
    #[must_use]
    pub fn edits(&self) -> &[Edit] {
        &self.edits
    }

    /// The summary of the changes.
    #[must_use]
    pub fn report(&self) -> &Report {
        &self.report
    }

    /// The new message, in pieces.
    pub fn pieces(&self) -> impl Iterator<Item = &[u8]> {
        let begins = std::iter::once(0).chain(self.edits.iter().map(|edit| edit.range.end));
        let ends = self.edits.iter().map(|edit| edit.range.start).chain([self.src.len()]);
        let new = self.edits.iter().map(|edit| &edit.bytes[..]).chain([&[][..]]);
        begins.zip(ends).zip(new).flat_map(|((begin, end), new)| [&self.src[begin..end], new])
    }

    /// The new message.
    ///
    /// ```
    /// use utfall::Encoding;
    /// use utfall_mime::{Message, rewrite::Options};
    /// let message = Message::parse(
    ///     b"Subject: =?UTF-8?Q?Hi_Mom_=E2=98=BA!?=\n\
    ///       Content-Type: text/plain; charset=UTF-8\n\
    ///       Content-Transfer-Encoding: 8bit\n\n\
    ///       Hi Mom \xE2\x98\xBA!\n",
    /// );
    /// assert_eq!(
    ///     message.rewrite(&Options::to(Encoding::Utf7)).to_vec().escape_ascii().to_string(),
    ///     "Subject: =?UTF-7?Q?Hi_Mom_+JjoAIQ-?=\\n\
    ///      Content-Type: text/plain; charset=UTF-7\\n\
    ///      Content-Transfer-Encoding: 7bit\\n\\n\
    ///      Hi Mom +Jjo-!\\n",
    /// );
    /// ```
    #[must_use]
    pub fn to_vec(&self) -> Vec<u8> {
        self.pieces().collect::<Vec<_>>().concat()
    }
}

impl<'a> Message<'a> {
    /// Converts texts and header fields to another charset. See [`Rewritten::to_vec`].
    ///
    /// A text that already is in the charset stays unchanged, unless `options` ask for another
    /// transfer encoding. So does unencoded US-ASCII, whatever the charset (RFC 2046 §4.1.2).
    /// U+2028 and U+2029 in `text/plain` become line breaks (RFC 2152, MIME section).
    #[must_use]
    pub fn rewrite(&self, options: &Options) -> Rewritten<'a> {
        let mut rewriter = Rewriter {
            message: self,
            options: *options,
            eol: self.eol(),
            edits: Vec::new(),
            new: 0,
            report: Report::default(),
            transfers: BTreeMap::new(),
            new_fields: BTreeMap::new(),
            ended: BTreeSet::new(),
            stuck: None,
        };
        rewriter.run();
        let Rewriter { mut edits, report, .. } = rewriter;
        edits.sort_by_key(|edit| (edit.range.start, edit.range.end));
        Rewritten { src: self.src(), edits, report }
    }
}

struct Rewriter<'m, 'a> {
    message: &'m Message<'a>,
    options: Options,
    eol: &'static [u8],
    edits: Vec<Edit>,
    /// How much of [`MOST_NEW`] is used.
    new: usize,
    report: Report,
    /// Parts that get another transfer encoding.
    transfers: BTreeMap<usize, TransferEncoding>,
    /// Fields to add to the headers of parts.
    new_fields: BTreeMap<usize, Vec<String>>,
    /// Headers that must end in an empty line, because other text may follow now.
    ended: BTreeSet<usize>,
    stuck: Option<Reason>,
}

impl Rewriter<'_, '_> {
    fn run(&mut self) {
        let mut frozen = self.frozen();
        self.stuck = self.stuck(&frozen);
        let mut is_changed = false;
        for (part, frozen) in self.message.parts().iter().zip(&frozen) {
            self.fields(part, *frozen);
        }
        for (index, part) in self.message.parts().iter().enumerate() {
            if part.kind != PartKind::Text {
                continue;
            }
            frozen[index] = frozen[index].or(self.stuck);
            match self.text(index, part, frozen[index]) {
                Ok(Done::Converted { is_guess }) => {
                    is_changed = true;
                    self.report.texts.converted += 1;
                    self.report.texts.guessed += u64::from(is_guess);
                }
                Ok(Done::Unchanged) => self.report.texts.unchanged += 1,
                Err(reason) => self.report.texts.leave(reason),
            }
        }
        // The texts may all be in parts that were not read.
        let left = &mut self.report.texts.left;
        if self.message.is_limited() && !left.contains_key(&Reason::TooManyParts) {
            left.insert(Reason::TooManyParts, 1);
        }
        self.transfer_fields();
        self.insert();
        if is_changed {
            self.remove_lengths(&frozen);
        }
    }

    /// The reason why a header field in a charset that was guessed from other text of the message
    /// cannot be converted. That text must then stay unchanged, too: without it, or with a new
    /// label on it, the next run would guess another charset.
    fn stuck(&self, frozen: &[Option<Reason>]) -> Option<Reason> {
        let parts = self.message.parts().iter().zip(frozen).filter(|(_, frozen)| frozen.is_none());
        parts
            .flat_map(|(part, _)| self.message.fields(part))
            .filter(|field| !field.is_too_long() && depends_on_texts(field))
            .find_map(|field| field::write(&field, self.options.to, self.eol).err())
    }

    /// For each part, the reason not to change it.
    fn frozen(&self) -> Vec<Option<Reason>> {
        let mut frozen: Vec<Option<Reason>> = Vec::new();
        for part in self.message.parts() {
            // The header of an attached message is as much part of the file as its body.
            let inside = |parent: usize| {
                let is_file = self.message.parts()[parent].content.is_attachment;
                frozen[parent].or(is_file.then_some(Reason::Attachment))
            };
            let around = part.parent.and_then(inside);
            frozen.push(around.or_else(|| self.own_reason(part)));
        }
        frozen
    }

    /// The reason not to change a part and everything in it.
    fn own_reason(&self, part: &Part) -> Option<Reason> {
        let labels = labels(self.message.fields(part));
        let says = |kind: &str| memmem::find(&labels, kind.as_bytes()).is_some();
        let is_structure = |field: &Field<'_>| STRUCTURE.iter().any(|name| field.is(name));
        let is_too_long = |field: Field<'_>| field.is_too_long() && is_structure(&field);
        let has_parts = || says("multipart/") || says("message/");
        match () {
            () if self.message.is_limited() => Some(Reason::TooManyParts),
            () if self.message.fields(part).any(is_too_long) => Some(Reason::TooLong),
            () if says("multipart/encrypted") => Some(Reason::Encrypted),
            () if !self.options.force && (says("multipart/signed") || self.is_signed(part)) => {
                Some(Reason::Signed)
            }
            () if has_parts() && self.is_torn(part) => Some(Reason::Ambiguous),
            () => None,
        }
    }

    fn is_signed(&self, part: &Part) -> bool {
        const SIGNATURES: [&str; 3] =
            ["DKIM-Signature", "ARC-Message-Signature", "DomainKey-Signature"];
        let is_signature =
            |name: &[u8]| SIGNATURES.iter().any(|one| name.eq_ignore_ascii_case(one.as_bytes()));
        self.message.is_message(part)
            && self.message.fields(part).any(|field| is_signature(field.name))
    }

    /// Whether readers may disagree about the parts of a multipart or message.
    fn is_torn(&self, part: &Part) -> bool {
        let content = &part.content;
        let is_encoded = !content.transfer.is_some_and(TransferEncoding::is_identity);
        content.parameters.as_ref().is_some_and(|all| all.is_disputed("boundary"))
            || is_encoded && content.media_type.starts_with("multipart/")
            || self.message.has_boundary_of_another(part)
            || self.is_labelled_twice(part)
    }

    /// Whether a field is duplicated, of which some readers use the first and some the last.
    fn is_labelled_twice(&self, part: &Part) -> bool {
        let count = |name| self.message.fields(part).filter(|field| field.is(name)).count();
        STRUCTURE.into_iter().any(|name| count(name) > 1)
    }

    /// Converts the fields of a part; only counts them if it is frozen.
    fn fields(&mut self, part: &Part, frozen: Option<Reason>) {
        if frozen == Some(Reason::Attachment) {
            return;
        }
        for field in self.message.fields(part) {
            let written = match field.is("Content-Type") && lacks_room_for_charset(part) {
                // Like its text: if the field were fixed, the next run could add the charset.
                true => Err(Reason::Ambiguous),
                false => field::write(&field, self.options.to, self.eol),
            };
            let frozen = frozen.or(self.stuck.filter(|_| depends_on_texts(&field)));
            let written = match (written, frozen) {
                (Ok(Written::Anew { .. }) | Err(_), Some(reason)) => Err(reason),
                (Ok(Written::Anew { edits, .. }), None) if !self.takes(&edits) => {
                    Err(Reason::TooLong)
                }
                (written, _) => written,
            };
            let tally = &mut self.report.fields;
            match written {
                Ok(Written::Anew { edits, is_guess }) => {
                    tally.converted += 1;
                    tally.guessed += u64::from(is_guess);
                    self.edits.extend(edits);
                }
                Ok(Written::Unchanged) => tally.unchanged += 1,
                Ok(Written::Nothing) => {}
                Err(reason) => tally.leave(reason),
            }
        }
    }

    /// Whether the memory limit allows these edits. The cost includes their list entries.
    fn takes(&mut self, edits: &[Edit]) -> bool {
        let cost = |edit: &Edit| edit.bytes.len() + 2 * size_of::<Edit>();
        let new = self.new + edits.iter().map(cost).sum::<usize>();
        let has_room = new <= MOST_NEW;
        if has_room {
            self.new = new;
        }
        has_room
    }

    /// Converts a text. If it is frozen, only checks whether it needs a change.
    fn text(&mut self, index: usize, part: &Part, frozen: Option<Reason>) -> Result<Done, Reason> {
        if part.content.is_attachment {
            return Err(Reason::Attachment);
        }
        // The state of unreadable texts is unknown.
        if let Some(reason @ (Reason::Attachment | Reason::TooManyParts | Reason::TooLong)) = frozen
        {
            return Err(reason);
        }
        match (self.new_body(part), frozen) {
            (Ok(None), _) => Ok(Done::Unchanged),
            (_, Some(reason)) => Err(reason),
            (Ok(Some((body, is_guess))), None) => {
                self.put(index, part, body)?;
                Ok(Done::Converted { is_guess })
            }
            (Err(reason), None) => Err(reason),
        }
    }

    /// The new body of a text, and whether its charset was guessed; `None` if it needs no change.
    fn new_body(&self, part: &Part) -> Result<Option<(Body, bool)>, Reason> {
        let content = &part.content;
        if content.has_two_charsets() || self.is_labelled_twice(part) {
            return Err(Reason::Ambiguous);
        }
        let read = self.message.text(part).map_err(|why| match why {
            NoText::UnknownTransferEncoding => Reason::UnknownTransferEncoding,
            NoText::UnknownCharset | NoText::OtherMedia => Reason::UnknownCharset,
        })?;
        if read.errors > 0 {
            return Err(Reason::IllFormed);
        }
        if read.charset.is_guess() && read.text.contains('\0') {
            // Binary data, or a charset that cannot be guessed.
            return Err(Reason::UnknownCharset);
        }
        let transfer = content.transfer.ok_or(Reason::UnknownTransferEncoding)?;
        let is_plain = content.media_type == "text/plain";
        let Text { mut text, charset, .. } = read;
        let mut is_same = true;
        if is_plain && let Cow::Owned(changed) = body::line_separators_to_lf(&text) {
            (text, is_same) = (changed, false);
        }
        let is_ascii = text.is_ascii()
            && transfer.is_identity()
            && matches!(
                (charset.basis, charset.encoding),
                (Basis::Ascii, _) | (_, Encoding::UsAscii)
            );
        let is_in_charset = charset.encoding == self.options.to && charset.basis == Basis::Label;
        let wanted = self.options.body;
        // Bytes that the header does not declare must be encoded.
        let is_sound =
            transfer != TransferEncoding::SevenBit || self.message.bytes(&part.body).is_ascii();
        let is_wanted = is_sound
            && wanted.is_none_or(|wanted| {
                transfer == wanted
                    || wanted == TransferEncoding::EightBit
                        && transfer == TransferEncoding::SevenBit
            });
        if (is_ascii || is_in_charset) && is_wanted && !self.options.wrap && is_same
            || text.is_empty()
        {
            return Ok(None);
        }
        if !self.options.force && text.contains(PGP_SIGNED) {
            return Err(Reason::Signed);
        }
        if !charset::keeps(&text, self.options.to) {
            return Err(Reason::Unencodable);
        }
        let unencodable = |_| Reason::Unencodable;
        let parameter = |name| content.parameters.as_ref()?.get(name).map(|found| &*found.value);
        let is_flowed = parameter("format").is_some_and(|it| it.eq_ignore_ascii_case("flowed"));
        // If readers delete spaces at line ends, the text's own cannot be distinguished from those
        // of breaks.
        let can_wrap = !is_flowed || parameter("delsp").is_none();
        if self.options.wrap && is_plain && can_wrap {
            let wrapped = body::wrap(&text, self.options.to, is_flowed).map_err(unencodable)?;
            is_same &= wrapped == text;
            text = wrapped;
        }
        let raw = self.message.bytes(&part.body);
        let place = Place {
            eol: self.eol,
            boundaries: self.message.boundaries(part).collect(),
            needs_eol: part.body.end == self.message.src().len() && body::ends_line(raw),
        };
        let body = body::write(text, self.options.to, wanted, &place).map_err(unencodable)?;
        if is_in_charset && is_sound && body.transfer == transfer && is_same {
            return Ok(None);
        }
        Ok(Some((body, charset.is_guess())))
    }

    /// Inserts the new body, and updates the header.
    fn put(&mut self, index: usize, part: &Part, body: Body) -> Result<(), Reason> {
        let content_type = self.message.fields(part).find(|field| field.is("Content-Type"));
        match (&content_type, &part.content.parameters) {
            (Some(field), Some(parameters)) => {
                let edit = field::write_charset(field, parameters, self.options.to, self.eol);
                self.edits.push(edit.ok_or(Reason::Ambiguous)?);
            }
            _ => {
                let fields = self.new_fields.entry(index).or_default();
                let is_message = self.message.is_message(part);
                let has_version = self.message.fields(part).any(|field| field.is("MIME-Version"));
                if is_message && !has_version {
                    fields.push("MIME-Version: 1.0".to_owned());
                }
                fields
                    .push(format!("Content-Type: text/plain; charset={}", self.options.to.name()));
            }
        }
        if part.content.transfer != Some(body.transfer) {
            self.transfers.insert(index, body.transfer);
        }
        if empty_line(self.message.bytes(&part.header)).is_none() {
            // Without it, the new body could begin like a field.
            self.end_header(index);
        }
        if body.transfer == TransferEncoding::EightBit {
            // The parts around it contain 8-bit data, too (RFC 2045 §6.4).
            let mut around = part.parent;
            while let Some(index) = around {
                let part = &self.message.parts()[index];
                if part.content.transfer == Some(TransferEncoding::SevenBit) {
                    self.transfers.insert(index, TransferEncoding::EightBit);
                }
                around = part.parent;
            }
        }
        for field in self.message.fields(part).filter(|field| field.is("Content-MD5")) {
            self.edits.push(Edit { range: field.range, bytes: Vec::new() });
        }
        self.edits.push(Edit { range: part.body.clone(), bytes: body.bytes });
        Ok(())
    }

    fn transfer_fields(&mut self) {
        for (index, transfer) in std::mem::take(&mut self.transfers) {
            let part = &self.message.parts()[index];
            let mut is_there = false;
            for field in self.message.fields(part) {
                if field.is("Content-Transfer-Encoding") {
                    is_there = true;
                    let range = field.offset..field.offset + field.value.len();
                    self.edits.push(Edit { range, bytes: format!(" {transfer}").into_bytes() });
                }
            }
            if !is_there {
                let fields = self.new_fields.entry(index).or_default();
                fields.push(format!("Content-Transfer-Encoding: {transfer}"));
            }
        }
    }

    /// Adds the new fields at the end of their headers, and the empty line that some headers need
    /// after them.
    fn insert(&mut self) {
        self.end_headers_around();
        for (index, fields) in std::mem::take(&mut self.new_fields) {
            let part = &self.message.parts()[index];
            let header = self.message.bytes(&part.header);
            let empty_line = empty_line(header);
            let mut bytes = Vec::new();
            if !header.is_empty() && !header.ends_with(b"\n") {
                bytes.extend_from_slice(self.eol);
            }
            for field in fields {
                bytes.extend_from_slice(field.as_bytes());
                bytes.extend_from_slice(self.eol);
            }
            // Only where it is necessary: after an empty line, `From ` begins the next message of
            // an mbox.
            if empty_line.is_none() && self.ended.contains(&index) {
                bytes.extend_from_slice(self.eol);
            }
            let at = part.header.end - empty_line.map_or(0, <[u8]>::len);
            self.edits.push(Edit { range: at..at, bytes });
        }
    }

    /// If an empty header follows one without an empty line, the new fields would belong to the
    /// latter.
    fn end_headers_around(&mut self) {
        let parts = self.message.parts();
        let around = |index: &usize| {
            let around = parts[*index].parent?;
            let header = self.message.bytes(&parts[around].header);
            let runs_on = parts[*index].header.is_empty() && empty_line(header).is_none();
            runs_on.then_some(around)
        };
        let around: Vec<_> = self.new_fields.keys().filter_map(around).collect();
        around.into_iter().for_each(|index| self.end_header(index));
    }

    fn end_header(&mut self, index: usize) {
        self.new_fields.entry(index).or_default();
        self.ended.insert(index);
    }

    /// Removes the fields that give the length of a message.
    fn remove_lengths(&mut self, frozen: &[Option<Reason>]) {
        for (part, frozen) in self.message.parts().iter().zip(frozen) {
            if frozen.is_none() && self.message.is_message(part) {
                let is_length = |field: &Field<'_>| field.is("Content-Length") || field.is("Lines");
                let fields = self.message.fields(part).filter(is_length);
                self.edits
                    .extend(fields.map(|field| Edit { range: field.range, bytes: Vec::new() }));
            }
        }
    }
}

/// The content of all `Content-Type` fields of a header, both parsed and raw, in lower case and
/// without white space.
fn labels<'a>(fields: impl Iterator<Item = Field<'a>>) -> Vec<u8> {
    let mut labels = Vec::new();
    for field in fields.filter(|field| field.is("Content-Type") && !field.is_too_long()) {
        labels.extend(parameter::head(field.value).bytes());
        labels.push(b'\n');
        let bytes = field.value.iter().filter(|byte| !byte.is_ascii_whitespace());
        labels.extend(bytes.map(u8::to_ascii_lowercase));
        labels.push(b'\n');
    }
    labels
}

/// Whether there is no safe place for the charset of a text.
fn lacks_room_for_charset(part: &Part) -> bool {
    let lacks =
        |parameters: &Parameters| parameters.errors > 0 && parameters.get("charset").is_none();
    part.kind == PartKind::Text && part.content.parameters.as_ref().is_some_and(lacks)
}

/// The empty line that ends a header, if it has one.
fn empty_line(header: &[u8]) -> Option<&[u8]> {
    [&b"\r\n"[..], b"\n"].into_iter().find(|line| {
        header.strip_suffix(*line).is_some_and(|rest| rest.is_empty() || rest.ends_with(b"\n"))
    })
}

enum Done {
    Converted { is_guess: bool },
    Unchanged,
}

/// Whether the charset of the field's 8-bit bytes was guessed, which depends on the rest of the
/// message.
fn depends_on_texts(field: &Field<'_>) -> bool {
    matches!(field.raw.basis, Basis::Body | Basis::Detected | Basis::Fallback)
}
