//! The text of a part, decoded from its transfer encoding and charset.

use std::borrow::Cow;
use std::{error, fmt};

use crate::charset::Charset;
use crate::header;
use crate::message::{Message, Part, PartKind};
use crate::quoted_printable::is_from_line;

/// The text of a part.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Text {
    /// The text, with LF line ends.
    pub text: String,
    /// The charset it was decoded from.
    pub charset: Charset,
    /// Number of errors in the transfer encoding, and of ill-formed sequences, each of which was
    /// replaced with U+FFFD.
    pub errors: u64,
}

/// The reason why a part has no text.
///
/// ```
/// use utfall_mime::Message;
/// let message = Message::parse(b"Content-Type: image/png\n\n\x89PNG");
/// let error = message.text(&message.parts()[0]).unwrap_err();
/// assert_eq!(error.to_string(), "part is not text");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum NoText {
    /// Its media type is not text.
    OtherMedia,
    /// Its transfer encoding is unknown.
    UnknownTransferEncoding,
    /// Its charset is unknown.
    UnknownCharset,
}

impl fmt::Display for NoText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::OtherMedia => "part is not text",
            Self::UnknownTransferEncoding => "transfer encoding of the part is not known",
            Self::UnknownCharset => "charset of the part is not known",
        })
    }
}

impl error::Error for NoText {}

impl Message<'_> {
    /// Decodes the text of a part.
    ///
    /// # Errors
    /// Returns an error if the part is not text, or if its transfer encoding or charset is unknown.
    ///
    /// ```
    /// use utfall_mime::Message;
    /// let message = Message::parse(
    ///     b"Content-Type: text/plain; charset=UNICODE-2-0\n\
    ///       Content-Transfer-Encoding: base64\n\nJjo=\n",
    /// );
    /// assert_eq!(message.text(&message.parts()[0]).unwrap().text, "☺");
    /// ```
    pub fn text(&self, part: &Part) -> Result<Text, NoText> {
        if part.kind != PartKind::Text {
            return Err(NoText::OtherMedia);
        }
        let transfer = part.content.transfer.ok_or(NoText::UnknownTransferEncoding)?;
        let body = self.body(part);
        let (bytes, errors) = transfer.decode(&body);
        let label = part.content.charset().map(str::as_bytes);
        let charset =
            Charset::of_text(label, &bytes, self.guess()).ok_or(NoText::UnknownCharset)?;
        let (text, ill_formed) = charset.decode(&bytes);
        Ok(Text { text: with_lf(text.into_owned()), charset, errors: errors as u64 + ill_formed })
    }

    /// The body of a part, without the `>` that an mbox puts before `From `.
    #[must_use]
    pub fn body(&self, part: &Part) -> Cow<'_, [u8]> {
        let body = self.bytes(&part.body);
        if !self.is_quoted() || !has_quoted_line(body) {
            return Cow::Borrowed(body);
        }
        let mut unquoted = Vec::with_capacity(body.len());
        let mut at = 0;
        while let Some(end) = header::line_end(body, at) {
            let line = &body[at..end];
            let is_quoted = line.starts_with(b">") && is_from_line(line);
            unquoted.extend_from_slice(if is_quoted { &line[1..] } else { line });
            at = end;
        }
        Cow::Owned(unquoted)
    }
}

fn has_quoted_line(body: &[u8]) -> bool {
    memchr::memmem::find(body, b">From ").is_some()
}

/// Converts CR LF to LF in place, since a text may take much of the memory available.
fn with_lf(text: String) -> String {
    if memchr::memmem::find(text.as_bytes(), b"\r\n").is_none() {
        return text;
    }
    let mut bytes = text.into_bytes();
    let (mut kept, mut at) = (0, 0);
    while at < bytes.len() {
        at += usize::from(bytes[at..].starts_with(b"\r\n"));
        bytes[kept] = bytes[at];
        (kept, at) = (kept + 1, at + 1);
    }
    bytes.truncate(kept);
    // Only whole characters were removed.
    String::from_utf8(bytes).unwrap_or_default()
}
