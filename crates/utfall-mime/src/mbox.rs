//! Files of messages (RFC 4155): each message begins with a `From ` line after an empty line.

use std::io::{self, Read};

use memchr::memchr;

/// Bytes read at a time.
const PIECE: usize = 256 * 1024;

/// An item of an mbox.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Item<'a> {
    /// A message, without its `From ` line and without the empty line before the next one. Lines
    /// that begin with `From ` are quoted with `>`: use
    /// [`Message::parse_quoted`](crate::Message::parse_quoted).
    Message(&'a [u8]),
    /// Bytes between messages (`From ` lines and empty lines), and messages above the size limit,
    /// in pieces.
    Other(&'a [u8]),
}

/// Reads an mbox message by message. Its items, concatenated, are the whole file.
///
/// A `From ` line begins a message at the start and after an empty line, whatever the rest of the
/// line is.
///
/// ```
/// use utfall_mime::mbox::{Item, Mbox};
/// let bytes = &b"From a Sat Nov 21 2026\nSubject: 1\n\n>From x\n\nFrom b Sat Nov 21 2026\n\n2\n"[..];
/// let mut mbox = Mbox::new(bytes, 1 << 20);
/// let mut messages = Vec::new();
/// while let Some(item) = mbox.next()? {
///     if let Item::Message(message) = item {
///         messages.push(message.to_vec());
///     }
/// }
/// assert_eq!(messages, [b"Subject: 1\n\n>From x\n".to_vec(), b"\n2\n".to_vec()]);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Mbox<R> {
    reader: R,
    /// Size limit of a message in bytes.
    longest: usize,
    bytes: Vec<u8>,
    /// How much of `bytes` has been returned.
    done: usize,
    /// Where the search for the next `From ` line continues.
    searched: usize,
    is_at_end: bool,
    /// The next line begins a message.
    begins: bool,
    /// Inside a message that is too long.
    is_long: bool,
    too_long: u64,
}

impl<R: Read> Mbox<R> {
    /// Reads messages of at most `longest` bytes. Longer ones become [`Item::Other`].
    pub fn new(reader: R, longest: usize) -> Self {
        Self {
            reader,
            longest,
            bytes: Vec::new(),
            done: 0,
            searched: 0,
            is_at_end: false,
            begins: true,
            is_long: false,
            too_long: 0,
        }
    }

    /// The number of messages that were too long.
    pub fn too_long(&self) -> u64 {
        self.too_long
    }

    /// Returns the next item, or `None` at the end.
    ///
    /// # Errors
    /// Returns an error if the reader fails.
    #[allow(clippy::should_implement_trait)] // The item borrows from `self`.
    pub fn next(&mut self) -> io::Result<Option<Item<'_>>> {
        if self.begins {
            return self.begin();
        }
        loop {
            if let Some(end) = self.find_next() {
                return Ok(Some(self.message(end)));
            }
            let waiting = self.bytes.len() - self.done;
            if self.is_at_end {
                self.begins = true;
                return Ok(match waiting {
                    0 if self.is_long => None,
                    _ => Some(self.message(self.bytes.len())),
                });
            }
            if waiting > self.longest || self.is_long {
                self.too_long += u64::from(!self.is_long);
                self.is_long = true;
                // Keep what may be the empty line before the next message.
                let end = self.bytes.len().saturating_sub(LOOKBACK).max(self.done);
                if end > self.done {
                    let begin = self.done;
                    self.done = end;
                    self.searched = self.searched.max(end);
                    return Ok(Some(Item::Other(&self.bytes[begin..end])));
                }
            }
            self.fill()?;
        }
    }

    /// Returns the `From ` line of a message, or whatever is there instead.
    fn begin(&mut self) -> io::Result<Option<Item<'_>>> {
        loop {
            let rest = &self.bytes[self.done..];
            let line = empty_line(rest);
            let is_from = rest[line..].starts_with(FROM);
            let end = match memchr(b'\n', &rest[line..]) {
                Some(end) if is_from => Some(line + end + 1),
                // A file may begin without one.
                _ if !is_from && (rest.len() >= line + FROM.len() || self.is_at_end) => Some(0),
                _ if self.is_at_end || rest.len() > PIECE => Some(rest.len()),
                _ => None,
            };
            if let Some(end) = end {
                if self.is_at_end && rest.is_empty() {
                    return Ok(None);
                }
                let begin = self.done;
                self.done += end;
                // The line end of this line may precede the next empty line.
                self.searched = self.done.saturating_sub(usize::from(end > 0));
                (self.begins, self.is_long) = (false, false);
                return Ok(Some(Item::Other(&self.bytes[begin..begin + end])));
            }
            self.fill()?;
        }
    }

    /// Ends the message here. The separator before the next message follows.
    fn message(&mut self, end: usize) -> Item<'_> {
        let begin = self.done;
        if end - begin > self.longest && !self.is_long {
            self.too_long += 1;
            self.is_long = true;
        }
        self.done = end;
        self.begins = true;
        match std::mem::take(&mut self.is_long) {
            true => Item::Other(&self.bytes[begin..end]),
            false => Item::Message(&self.bytes[begin..end]),
        }
    }

    /// The end of the message: before the empty line that precedes a `From ` line.
    fn find_next(&mut self) -> Option<usize> {
        while let Some(at) = memchr(b'\n', self.bytes.get(self.searched..)?) {
            let at = self.searched + at;
            let rest = &self.bytes[at + 1..];
            let empty = empty_line(rest);
            if rest.len() < empty + FROM.len() && !self.is_at_end {
                // Too few bytes to decide.
                self.searched = at;
                return None;
            }
            self.searched = at + 1;
            if empty > 0 && rest[empty..].starts_with(FROM) {
                return Some(at + 1);
            }
        }
        self.searched = self.bytes.len();
        None
    }

    fn fill(&mut self) -> io::Result<()> {
        let gone = self.done.min(self.searched);
        self.bytes.drain(..gone);
        self.searched -= gone;
        self.done -= gone;
        // Not a single `read`: with a reader that returns little at a time, each byte would reserve
        // a whole piece and move the buffer.
        let read = self.reader.by_ref().take(PIECE as u64).read_to_end(&mut self.bytes);
        self.is_at_end = read? == 0;
        Ok(())
    }
}

/// The length of the empty line at the start of `rest`, or 0.
fn empty_line(rest: &[u8]) -> usize {
    match rest {
        [b'\n', ..] => 1,
        [b'\r', b'\n', ..] => 2,
        _ => 0,
    }
}

/// The start of a line that begins a message.
const FROM: &[u8] = b"From ";
/// Bytes kept of a message that is returned in pieces: an empty line and `From `.
const LOOKBACK: usize = 9;
