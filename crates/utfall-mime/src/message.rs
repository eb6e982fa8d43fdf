//! The structure of a message: its parts, and where they stand.
//!
//! The message is read once, line by line, so that it takes linear time whatever is in it. Parts
//! and depth are limited; what is beyond stays one piece. A boundary is a line of its own, as RFC
//! 2046 §5.1.1 has it.

use std::ops::Range;

use crate::header::{self, Field, LONGEST_FIELD};
use crate::parameter::{self, Parameters};
use crate::transfer::TransferEncoding;

/// How deep parts may be in parts.
pub const DEEPEST: usize = 64;

/// How many parts a message may have.
pub const MOST_PARTS: usize = 10_000;

/// How many parameters the `Content-Type` fields of a message may have, all together. A parameter
/// of two octets takes two hundred of memory.
const MOST_PARAMETERS: usize = 50_000;

/// A message, read.
#[derive(Clone, Debug)]
pub struct Message<'a> {
    src: &'a [u8],
    parts: Vec<Part>,
    is_limited: bool,
    is_quoted: bool,
}

/// A part of a message, or all of it. Offsets are octets in the message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Which part it is in, as an index into [`Message::parts`].
    pub parent: Option<usize>,
    /// In how many others it is.
    pub depth: usize,
    /// Its header, with the empty line behind it.
    pub header: Range<usize>,
    /// Its body, without the line end that belongs to the boundary behind it.
    pub body: Range<usize>,
    /// What its header says about its body.
    pub content: Content,
    /// What the body is.
    pub kind: PartKind,
    /// The boundary, if it is a multipart.
    boundary: Vec<u8>,
}

/// What a body is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PartKind {
    /// Other parts, with boundaries around them.
    Multipart,
    /// A message: the next part.
    Message,
    /// Text.
    Text,
    /// Anything else.
    Other,
}

/// What a header says about the body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Content {
    /// `text/plain`, in lower case; the default if there is none.
    pub media_type: String,
    /// The value of `Content-Type`, if there is one.
    pub parameters: Option<Parameters>,
    /// How it is encoded; 7bit if that is not said, `None` if it is not known.
    pub transfer: Option<TransferEncoding>,
    /// Whether it is to be saved, not shown.
    pub is_attachment: bool,
}

impl Content {
    /// The label of its charset.
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

    /// Whether there are two labels of its charset, so that nobody knows which one others believe.
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
    /// Reads a message. Whatever the octets are, they are one.
    ///
    /// ```
    /// use utfall_mime::{Message, PartKind};
    /// let message = Message::parse(
    ///     b"Content-Type: multipart/mixed; boundary=foo\n\n--foo\n\nHi Mom\n--foo--\n",
    /// );
    /// let [whole, part] = message.parts() else { panic!() };
    /// assert_eq!((whole.kind, part.kind), (PartKind::Multipart, PartKind::Text));
    /// assert_eq!(message.octets(&part.body), b"Hi Mom");
    /// ```
    #[must_use]
    pub fn parse(src: &'a [u8]) -> Self {
        let mut reader =
            Reader { src, parts: Vec::new(), open: Vec::new(), parameters: 0, is_limited: false };
        reader.begin_part(0, false);
        reader.read();
        Self { src, parts: reader.parts, is_limited: reader.is_limited, is_quoted: false }
    }

    /// Reads a message as it stands in an mbox, where lines that begin with `From ` have a `>`
    /// before them, and lines that begin with `>From ` one more. The `From ` line of the mbox
    /// may be the first.
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

    pub(crate) fn is_quoted(&self) -> bool {
        self.is_quoted
    }

    /// The octets of the message.
    #[must_use]
    pub fn src(&self) -> &'a [u8] {
        self.src
    }

    /// Its parts, in the order in which they begin. The first one is all of it.
    #[must_use]
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// Whether it has more parts, or deeper ones, than are read.
    #[must_use]
    pub fn is_limited(&self) -> bool {
        self.is_limited
    }

    /// The octets that stand there.
    #[must_use]
    pub fn octets(&self, range: &Range<usize>) -> &'a [u8] {
        &self.src[range.clone()]
    }

    /// The header fields of a part.
    pub fn fields(&self, part: &Part) -> impl Iterator<Item = Field<'a>> + use<'a> {
        header::fields(&self.src[part.header.clone()], part.header.start)
    }

    /// Whether the header of a part is that of a message, not only of a part.
    #[must_use]
    pub fn is_message(&self, part: &Part) -> bool {
        part.parent.is_none_or(|parent| self.parts[parent].kind == PartKind::Message)
    }

    /// The boundaries of the multiparts a part is in.
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

    /// Whether a multipart has the boundary of one that it is in.
    pub(crate) fn has_boundary_of_another(&self, part: &Part) -> bool {
        !part.boundary.is_empty() && self.boundaries(part).any(|around| around == part.boundary)
    }

    /// The line end it is written with: that of its first line.
    #[must_use]
    pub fn eol(&self) -> &'static [u8] {
        let end = memchr::memchr(b'\n', self.src);
        match end.is_some_and(|end| end > 0 && self.src[end - 1] == b'\r') {
            true => b"\r\n",
            false => b"\n",
        }
    }
}

struct Reader<'a> {
    src: &'a [u8],
    parts: Vec<Part>,
    /// The parts that have begun and not ended, each in the one before.
    open: Vec<usize>,
    /// How many parameters have been read.
    parameters: usize,
    is_limited: bool,
}

impl Reader<'_> {
    /// A part begins, and its header. `is_digest` says what it is if it does not say so itself.
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
                    // What ends the header may be the very boundary that it names.
                    boundary = self.boundary(line);
                }
            }
            if let Some((level, is_last)) = boundary {
                if in_header {
                    // It ends without an empty line.
                    self.end_header(at, at);
                }
                in_header = !is_last && self.boundary_line(level, at, end);
                if is_last {
                    // What follows up to the boundary around it is its epilogue.
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

    /// Which open multipart has this boundary, and whether it is the last one.
    fn boundary(&self, line: &[u8]) -> Option<(usize, bool)> {
        let line = line.strip_prefix(b"--")?.trim_ascii_end();
        self.open.iter().enumerate().rev().find_map(|(level, part)| {
            let part = &self.parts[*part];
            let rest = line.strip_prefix(&part.boundary[..])?;
            let is_boundary = !part.boundary.is_empty() && (rest.is_empty() || rest == b"--");
            is_boundary.then_some((level, !rest.is_empty()))
        })
    }

    /// The next part of a multipart begins. Says whether its header follows.
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

    /// The parts in the multipart at this level end before its boundary, which begins at `at`.
    fn close(&mut self, level: usize, at: usize) {
        for part in self.open.drain(level + 1..) {
            let body = &mut self.parts[part].body;
            // The line end before it belongs to the boundary.
            let before = header::trim_line_end(&self.src[..at]).len();
            body.end = before.max(body.start);
        }
    }

    /// A multipart ends behind its last boundary, whatever follows that.
    fn end_body(&mut self, part: Option<usize>, end: usize) {
        if let Some(part) = part {
            self.parts[part].body.end = end;
        }
    }

    /// A line of a header. Says whether it goes on.
    fn header_line(&mut self, line: &[u8], at: usize, end: usize) -> bool {
        if line.is_empty() {
            return self.end_header(end, end);
        }
        let Some(part) = self.open.last().map(|part| &self.parts[*part]) else { return false };
        let is_first = at == part.header.start;
        let is_continuation = !is_first && matches!(line[0], b' ' | b'\t');
        // An mbox begins a message so, and some put it into files of one message.
        let is_from_line = is_first && quoted_from(line);
        if is_continuation || is_from_line || header::colon(line).is_some() {
            return true;
        }
        // A body without the empty line before it; if that is a message, this is its first line.
        self.end_header(at, at) && self.header_line(line, at, end)
    }

    /// The header of the innermost part ends. Says whether another one follows, that of a message
    /// in this part.
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

/// As much of a value as is read.
fn beginning(value: &[u8]) -> &[u8] {
    &value[..value.len().min(LONGEST_FIELD)]
}

/// `From ` or, as it comes out of an mbox that was not read as one, `>From `.
fn quoted_from(line: &[u8]) -> bool {
    line.starts_with(b"From ") || line.starts_with(b">From ")
}
