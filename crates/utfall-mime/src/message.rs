//! The structure of a message: its parts and their positions.
//!
//! The message is read once, line by line, so parsing takes linear time for any input. The number
//! and depth of parts are limited; anything beyond the limits stays one piece. A boundary is a line
//! of its own, as RFC 2046 §5.1.1 requires.

use std::ops::Range;

use utfall::Encoding;

use crate::charset::{self, Basis, Charset, Detect, Guess};
use crate::encoded_word::Rules;
use crate::header::{self, Field, LONGEST_FIELD};
use crate::parameter::{self, Parameters};
use crate::transfer::TransferEncoding;

/// The maximum nesting depth of parts.
pub const DEEPEST: usize = 64;

/// The maximum number of parts in a message.
pub const MOST_PARTS: usize = 10_000;

/// The maximum number of parameters in all `Content-Type` fields of a message. A parameter of two
/// bytes takes two hundred bytes of memory.
const MOST_PARAMETERS: usize = 50_000;

/// The number of bytes of header fields that a detector is given.
const MOST_EVIDENCE: usize = 64 * 1024;

/// A parsed message.
#[derive(Clone, Debug)]
pub struct Message<'a> {
    src: &'a [u8],
    parts: Vec<Part>,
    is_limited: bool,
    is_quoted: bool,
    guess: Guess,
}

/// A part of a message, or the whole message. Offsets are in bytes of the message.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Part {
    /// The part that contains it, as an index into [`Message::parts`].
    pub parent: Option<usize>,
    /// The number of parts that contain it.
    pub depth: usize,
    /// Its header, with the empty line after it.
    pub header: Range<usize>,
    /// Its body, without the line end that belongs to the following boundary.
    pub body: Range<usize>,
    /// The description of the body in the header.
    pub content: Content,
    /// The kind of the body.
    pub kind: PartKind,
    /// The boundary, if it is a multipart.
    boundary: Vec<u8>,
}

/// The kind of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PartKind {
    /// Parts separated by boundaries.
    Multipart,
    /// A message: the next part.
    Message,
    /// Text.
    Text,
    /// Anything else.
    Other,
}

/// The description of a body in its header.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Content {
    /// The media type in lower case, such as `text/plain`, which is the default.
    pub media_type: String,
    /// The value of `Content-Type`, if there is one.
    pub parameters: Option<Parameters>,
    /// The transfer encoding: 7bit if there is no such field, `None` if it is unknown.
    pub transfer: Option<TransferEncoding>,
    /// Whether it is meant to be saved and not displayed.
    pub is_attachment: bool,
}

impl Content {
    /// The charset label.
    ///
    /// ```
    /// use utfall_mime::Message;
    /// let message = Message::parse(b"Content-Type: text/plain; charset=UTF-7\n\nHi Mom +Jjo-!\n");
    /// assert_eq!(message.parts()[0].content.charset(), Some("UTF-7"));
    /// ```
    #[must_use]
    pub fn charset(&self) -> Option<&str> {
        Some(&self.parameters.as_ref()?.get("charset")?.value)
    }

    /// Whether there are two charset labels, so that different readers may use different ones.
    ///
    /// ```
    /// use utfall_mime::Message;
    /// let field = b"Content-Type: text/plain; charset=UTF-8; charset*=''UTF-7\n\n+ADw-\n";
    /// assert!(Message::parse(field).parts()[0].content.has_two_charsets());
    /// ```
    #[must_use]
    pub fn has_two_charsets(&self) -> bool {
        self.parameters.as_ref().is_some_and(|parameters| parameters.is_disputed("charset"))
    }
}

impl<'a> Message<'a> {
    /// Parses a message. Any byte sequence is a message.
    ///
    /// ```
    /// use utfall_mime::{Message, PartKind};
    /// let message = Message::parse(
    ///     b"Content-Type: multipart/mixed; boundary=foo\n\n--foo\n\nHi Mom\n--foo--\n",
    /// );
    /// let [whole, part] = message.parts() else { panic!() };
    /// assert_eq!((whole.kind, part.kind), (PartKind::Multipart, PartKind::Text));
    /// assert_eq!(message.bytes(&part.body), b"Hi Mom");
    /// ```
    #[must_use]
    pub fn parse(src: &'a [u8]) -> Self {
        let mut reader =
            Reader { src, parts: Vec::new(), open: Vec::new(), parameters: 0, is_limited: false };
        reader.begin_part(0, false);
        reader.read();
        let guess = Guess { body: charset_of_text(&reader.parts), ..Guess::default() };
        Self { src, parts: reader.parts, is_limited: reader.is_limited, is_quoted: false, guess }
    }

    /// Parses a message from an mbox, where lines that begin with `From ` are quoted with a `>`,
    /// and lines that begin with `>From ` with another one. The first line may be the mbox's `From
    /// ` line.
    ///
    /// ```
    /// use utfall_mime::Message;
    /// let message = Message::parse_quoted(b"Subject: x\n\n>From here\n");
    /// assert_eq!(message.text(&message.parts()[0]).unwrap().text, "From here\n");
    /// ```
    #[must_use]
    pub fn parse_quoted(src: &'a [u8]) -> Self {
        Self { is_quoted: true, ..Self::parse(src) }
    }

    /// Has a detector guess the charset of 8-bit text without a label that is not valid UTF-8. In
    /// header fields, the charset of the message's text comes first. Without a detector, the guess is
    /// windows-1252, as it is if the text is invalid in the detector's answer.
    ///
    /// ```
    /// use utfall::Encoding;
    /// use utfall_mime::{Basis, Message};
    /// use utfall_mime::encoded_word::Rules;
    /// let message = Message::parse(b"Subject: \xD0\xD2\xC9\xD7\xC5\xD4\n\nHi\n");
    /// let message = message.with_detector(|_| Some(Encoding::Koi8R));
    /// let subject = message.fields(&message.parts()[0]).next().unwrap();
    /// assert_eq!(subject.decode(Rules::Lenient).text, "привет");
    /// assert_eq!(subject.raw.basis, Basis::Detected);
    /// ```
    #[must_use]
    pub fn with_detector(mut self, detect: Detect) -> Self {
        self.guess.detect = Some(detect);
        let mut evidence = Vec::new();
        for field in self.parts.iter().flat_map(|part| self.fields(part)) {
            let is_unknown = field.raw.basis == Basis::Fallback;
            if is_unknown && evidence.len() + field.value.len() < MOST_EVIDENCE {
                evidence.extend_from_slice(field.value);
                evidence.push(b'\n');
            }
        }
        if evidence.is_empty() {
            return self;
        }
        let is_unlabelled = |part: &&Part| {
            let label = part.content.charset();
            is_read(part) && !label.is_some_and(|label| charset::says_something(label.as_bytes()))
        };
        let text = self.parts.iter().find(is_unlabelled).and_then(|part| self.text(part).ok());
        self.guess.body = self.guess.body.or_else(|| {
            let charset = text?.charset;
            Some(charset.encoding).filter(|_| charset.basis == Basis::Detected)
        });
        self.guess.detected = detect(&evidence);
        self
    }

    pub(crate) fn guess(&self) -> Guess {
        self.guess
    }

    pub(crate) fn is_quoted(&self) -> bool {
        self.is_quoted
    }

    /// The bytes of the message.
    #[must_use]
    pub fn src(&self) -> &'a [u8] {
        self.src
    }

    /// The parts, in the order in which they begin. The first one is the whole message.
    #[must_use]
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// Whether the message exceeds the limits on the number or depth of parts.
    #[must_use]
    pub fn is_limited(&self) -> bool {
        self.is_limited
    }

    /// The bytes of a range.
    #[must_use]
    pub fn bytes(&self, range: &Range<usize>) -> &'a [u8] {
        &self.src[range.clone()]
    }

    /// The header fields of a part.
    pub fn fields(&self, part: &Part) -> impl Iterator<Item = Field<'a>> + use<'a> {
        let guess = self.guess;
        let fields = header::fields(&self.src[part.header.clone()], part.header.start);
        fields.map(move |field| {
            let raw = Charset::guess_field_of(field.value, guess);
            Field { raw, ..field }
        })
    }

    /// Whether the header of a part is that of a message, and not only of a part.
    #[must_use]
    pub fn is_message(&self, part: &Part) -> bool {
        part.parent.is_none_or(|parent| self.parts[parent].kind == PartKind::Message)
    }

    /// The file name that a part suggests: `filename` of `Content-Disposition` (RFC 2183 §2.3), or else
    /// `name` of `Content-Type`. It may contain a path. Mail programs encode it in words, too, which
    /// RFC 2047 §5 forbids.
    ///
    /// ```
    /// use utfall_mime::Message;
    /// let message = Message::parse(
    ///     b"Content-Disposition: attachment; filename*=utf-8''na%C3%AFve.txt\n\ntext\n",
    /// );
    /// assert_eq!(message.file_name(&message.parts()[0]).as_deref(), Some("naïve.txt"));
    /// ```
    #[must_use]
    pub fn file_name(&self, part: &Part) -> Option<String> {
        let is_named = |field: &Field<'_>| field.is("Content-Disposition") && !field.is_too_long();
        let disposition = self.fields(part).find(is_named).map(|it| parameter::parse(it.value));
        let declared = disposition.as_ref().and_then(|parameters| parameters.get("filename"));
        let name = declared.or_else(|| part.content.parameters.as_ref()?.get("name"))?;
        Some(name.decode(Rules::Lenient).text)
    }

    /// The boundaries of the multiparts around a part.
    pub fn boundaries(&self, part: &Part) -> impl Iterator<Item = &[u8]> {
        let mut next = part.parent;
        std::iter::from_fn(move || {
            let part = &self.parts[next?];
            next = part.parent;
            Some(part)
        })
        .filter(|part| part.kind == PartKind::Multipart)
        .map(|part| &part.boundary[..])
    }

    /// Whether a multipart has the same boundary as one around it.
    pub(crate) fn has_boundary_of_another(&self, part: &Part) -> bool {
        !part.boundary.is_empty() && self.boundaries(part).any(|around| around == part.boundary)
    }

    /// The line end of the message, as used by its first line.
    #[must_use]
    pub fn eol(&self) -> &'static [u8] {
        let end = memchr::memchr(b'\n', self.src);
        match end.is_some_and(|end| end > 0 && self.src[end - 1] == b'\r') {
            true => b"\r\n",
            false => b"\n",
        }
    }
}

/// The charset of the first text that has one, if 8-bit text in header fields may have it too.
fn charset_of_text(parts: &[Part]) -> Option<Encoding> {
    let labels =
        parts.iter().filter(|part| is_read(part)).filter_map(|part| part.content.charset());
    let label = labels.map(str::as_bytes).find(|label| charset::says_something(label))?;
    match charset::find(label)? {
        // The same characters, and letters instead of controls.
        Encoding::Iso8859_1 => Some(Encoding::Windows1252),
        other => Some(other).filter(|encoding| charset::is_eight_bit(*encoding)),
    }
}

/// Whether a part is text that people read in the message.
fn is_read(part: &Part) -> bool {
    part.kind == PartKind::Text && !part.content.is_attachment
}

struct Reader<'a> {
    src: &'a [u8],
    parts: Vec<Part>,
    /// The parts that have not ended yet, each within the previous one.
    open: Vec<usize>,
    /// Number of parameters read.
    parameters: usize,
    is_limited: bool,
}

impl Reader<'_> {
    /// Begins a part with its header. `is_digest` selects the default media type.
    fn begin_part(&mut self, at: usize, is_digest: bool) {
        let parent = self.open.last().copied();
        let media_type = if is_digest { "message/rfc822" } else { "text/plain" };
        self.open.push(self.parts.len());
        self.parts.push(Part {
            parent,
            depth: self.open.len() - 1,
            header: at..at,
            body: at..at,
            content: Content {
                media_type: media_type.into(),
                parameters: None,
                transfer: Some(TransferEncoding::SevenBit),
                is_attachment: false,
            },
            kind: PartKind::Other,
            boundary: Vec::new(),
        });
    }

    fn read(&mut self) {
        let mut in_header = true;
        let mut at = 0;
        while let Some(end) = header::line_end(self.src, at) {
            let line = header::trim_line_end(&self.src[at..end]);
            let mut boundary = self.boundary(line);
            if boundary.is_none() && in_header {
                in_header = self.header_line(line, at, end);
                if !in_header {
                    // The line that ends the header may be the very boundary that it names.
                    boundary = self.boundary(line);
                }
            }
            if let Some((level, is_last)) = boundary {
                if in_header {
                    // The header ends without an empty line.
                    self.end_header(at, at);
                }
                in_header = !is_last && self.boundary_line(level, at, end);
                if is_last {
                    // The epilogue follows, up to the boundary around it.
                    self.close(level, at);
                    let part = self.open.pop();
                    self.end_body(part, end);
                }
            }
            at = end;
        }
        if in_header {
            self.end_header(at, at);
        }
        while let Some(part) = self.open.pop() {
            self.parts[part].body.end = self.src.len();
        }
    }

    /// The open multipart with this boundary, and whether this is its last boundary.
    fn boundary(&self, line: &[u8]) -> Option<(usize, bool)> {
        let line = line.strip_prefix(b"--")?.trim_ascii_end();
        self.open.iter().enumerate().rev().find_map(|(level, part)| {
            let part = &self.parts[*part];
            let rest = line.strip_prefix(&part.boundary[..])?;
            let is_boundary = !part.boundary.is_empty() && (rest.is_empty() || rest == b"--");
            is_boundary.then_some((level, !rest.is_empty()))
        })
    }

    /// Begins the next part of a multipart. Returns whether its header follows.
    fn boundary_line(&mut self, level: usize, at: usize, end: usize) -> bool {
        self.close(level, at);
        if self.is_full() {
            self.is_limited = true;
            return false;
        }
        let multipart = self.open.last().map(|part| &self.parts[*part]);
        let is_digest = multipart.is_some_and(|part| part.content.media_type == "multipart/digest");
        self.begin_part(end, is_digest);
        true
    }

    fn is_full(&self) -> bool {
        self.parts.len() >= MOST_PARTS || self.parameters >= MOST_PARAMETERS
    }

    /// Ends the parts in the multipart at this level before its boundary, which begins at `at`.
    fn close(&mut self, level: usize, at: usize) {
        for part in self.open.drain(level + 1..) {
            let body = &mut self.parts[part].body;
            // The line end before it belongs to the boundary.
            let before = header::trim_line_end(&self.src[..at]).len();
            body.end = before.max(body.start);
        }
    }

    /// Ends a multipart after its last boundary, whatever follows.
    fn end_body(&mut self, part: Option<usize>, end: usize) {
        if let Some(part) = part {
            self.parts[part].body.end = end;
        }
    }

    /// Reads a header line. Returns whether the header continues.
    fn header_line(&mut self, line: &[u8], at: usize, end: usize) -> bool {
        if line.is_empty() {
            return self.end_header(end, end);
        }
        let Some(part) = self.open.last().map(|part| &self.parts[*part]) else { return false };
        let is_first = at == part.header.start;
        let is_continuation = !is_first && matches!(line[0], b' ' | b'\t');
        // An mbox begins a message this way, and some programs save it in files of single messages.
        let is_from_line = is_first && quoted_from(line);
        if is_continuation || is_from_line || header::colon(line).is_some() {
            return true;
        }
        // The body begins without an empty line. If it is a message, this is its first line.
        self.end_header(at, at) && self.header_line(line, at, end)
    }

    /// Ends the header of the innermost part. Returns whether another header follows: that of a
    /// message inside this part.
    fn end_header(&mut self, end: usize, body: usize) -> bool {
        let Some(index) = self.open.last().copied() else { return false };
        let part = &mut self.parts[index];
        part.header.end = end;
        part.body = body..body;
        let header = &self.src[part.header.clone()];
        for field in header::fields(header, 0) {
            if field.is("Content-Type") && part.content.parameters.is_none() {
                let parameters = parameter::parse(beginning(field.value));
                self.parameters += parameters.all.len();
                part.content.media_type = parameters.media_type().to_owned();
                part.content.parameters = Some(parameters);
            } else if field.is("Content-Transfer-Encoding") {
                part.content.transfer = TransferEncoding::find(field.value);
            } else if field.is("Content-Disposition") {
                part.content.is_attachment =
                    parameter::parse(beginning(field.value)).value == "attachment";
            }
        }
        let kind = part.content.media_type.split('/').next();
        let boundary = part.content.parameters.as_ref().and_then(|p| p.get("boundary"));
        let is_identity = part.content.transfer.is_some_and(TransferEncoding::is_identity);
        part.kind = match (kind, boundary) {
            (Some("multipart"), Some(boundary)) if !boundary.value.trim_end().is_empty() => {
                part.boundary = boundary.value.trim_end().as_bytes().to_vec();
                PartKind::Multipart
            }
            (Some("message"), _) if is_identity => match &part.content.media_type[..] {
                "message/rfc822" | "message/global" => PartKind::Message,
                _ => PartKind::Other,
            },
            (Some("text"), _) => PartKind::Text,
            _ => PartKind::Other,
        };
        let has_parts = matches!(part.kind, PartKind::Multipart | PartKind::Message);
        if has_parts && (self.open.len() > DEEPEST || self.is_full()) {
            self.is_limited = true;
            self.parts[index].kind = PartKind::Other;
            self.parts[index].boundary.clear();
            return false;
        }
        let is_message = self.parts[index].kind == PartKind::Message;
        if is_message {
            self.begin_part(body, false);
        }
        is_message
    }
}

/// The prefix of a value that is read.
fn beginning(value: &[u8]) -> &[u8] {
    &value[..value.len().min(LONGEST_FIELD)]
}

/// `From ` or `>From `, as found in messages extracted from an mbox without unquoting.
fn quoted_from(line: &[u8]) -> bool {
    line.starts_with(b"From ") || line.starts_with(b">From ")
}
