//! Files of messages (RFC 4155): each begins with a `From ` line behind an empty one.

use std::io::{self, Read};

use memchr::memchr;

/// How much is read at a time.
const PIECE: usize = 256 * 1024;

/// What an mbox consists of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Item<'a> {
    /// A message, without its `From ` line and without the empty line before the next one. Lines
    /// that begin with `From ` have a `>` before them:
    /// [`Message::parse_quoted`](crate::Message::parse_quoted).
    Message(&'a [u8]),
    /// What is between messages: `From ` lines, empty lines; and messages that are longer than
    /// is allowed, in pieces.
    Other(&'a [u8]),
}

/// Reads an mbox message by message. Its items, one after the other, are all its octets.
///
/// A `From ` line counts at the start and behind an empty line, whatever follows it.
///
/// ```
/// use utfall_mime::mbox::{Item, Mbox};
/// let octets = &b"From a Sat Nov 21 2026\nSubject: 1\n\n>From x\n\nFrom b Sat Nov 21 2026\n\n2\n"[..];
/// let mut mbox = Mbox::new(octets, 1 << 20);
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
    /// The most octets of a message.
    longest: usize,
    octets: Vec<u8>,
    /// What of `octets` has been given out.
    done: usize,
    /// Where the search for the next `From ` line goes on.
    searched: usize,
    is_at_end: bool,
    /// The next line is one of those that begin messages.
    begins: bool,
    /// In a message that is too long.
    is_long: bool,
    too_long: u64,
}

impl<R: Read> Mbox<R> {
    /// Reads messages of at most `longest` octets. Longer ones are [`Item::Other`].
    pub fn new(reader: R, longest: usize) -> Self {
        Self {
            reader,
            longest,
            octets: Vec::new(),
            done: 0,
            searched: 0,
            is_at_end: false,
            begins: true,
            is_long: false,
            too_long: 0,
        }
    }

    /// How many messages were too long.
    pub fn too_long(&self) -> u64 {
        self.too_long
    }

    /// The next item, `None` at the end.
    ///
    /// # Errors
    /// What the reader says.
    #[allow(clippy::should_implement_trait)] // The item borrows from this.
    pub fn next(&mut self) -> io::Result<Option<Item<'_>>> {
        if self.begins {
            return self.begin();
        }
        loop {
            if let Some(end) = self.find_next() {
                return Ok(Some(self.message(end)));
            }
            let waiting = self.octets.len() - self.done;
            if self.is_at_end {
                self.begins = true;
                return Ok(match waiting {
                    0 if self.is_long => None,
                    _ => Some(self.message(self.octets.len())),
                });
            }
            if waiting > self.longest || self.is_long {
                self.too_long += u64::from(!self.is_long);
                self.is_long = true;
                // What may be the empty line before the next message stays.
                let end = self.octets.len().saturating_sub(LOOKBACK).max(self.done);
                if end > self.done {
                    let begin = self.done;
                    self.done = end;
                    self.searched = self.searched.max(end);
                    return Ok(Some(Item::Other(&self.octets[begin..end])));
                }
            }
            self.fill()?;
        }
    }

    /// The `From ` line of a message, or what stands in its place.
    fn begin(&mut self) -> io::Result<Option<Item<'_>>> {
        loop {
            let rest = &self.octets[self.done..];
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
                // The line end of this line may be what the empty line stands behind.
                self.searched = self.done.saturating_sub(usize::from(end > 0));
                (self.begins, self.is_long) = (false, false);
                return Ok(Some(Item::Other(&self.octets[begin..begin + end])));
            }
            self.fill()?;
        }
    }

    /// The message ends here, and what stands before the next one begins.
    fn message(&mut self, end: usize) -> Item<'_> {
        let begin = self.done;
        if end - begin > self.longest && !self.is_long {
            self.too_long += 1;
            self.is_long = true;
        }
        self.done = end;
        self.begins = true;
        match std::mem::take(&mut self.is_long) {
            true => Item::Other(&self.octets[begin..end]),
            false => Item::Message(&self.octets[begin..end]),
        }
    }

    /// Where the message ends: before the empty line that is before a `From ` line.
    fn find_next(&mut self) -> Option<usize> {
        while let Some(at) = memchr(b'\n', self.octets.get(self.searched..)?) {
            let at = self.searched + at;
            let rest = &self.octets[at + 1..];
            let empty = empty_line(rest);
            if rest.len() < empty + FROM.len() && !self.is_at_end {
                // Not enough is here to say.
                self.searched = at;
                return None;
            }
            self.searched = at + 1;
            if empty > 0 && rest[empty..].starts_with(FROM) {
                return Some(at + 1);
            }
        }
        self.searched = self.octets.len();
        None
    }

    fn fill(&mut self) -> io::Result<()> {
        let gone = self.done.min(self.searched);
        self.octets.drain(..gone);
        self.searched -= gone;
        self.done -= gone;
        // Not one `read`: a reader that gives little at a time would have as much room made, and
        // what is kept moved, for each of its octets.
        let read = self.reader.by_ref().take(PIECE as u64).read_to_end(&mut self.octets);
        self.is_at_end = read? == 0;
        Ok(())
    }
}

/// How many octets the empty line has that `rest` begins with.
fn empty_line(rest: &[u8]) -> usize {
    match rest {
        [b'\n', ..] => 1,
        [b'\r', b'\n', ..] => 2,
        _ => 0,
    }
}

/// How a line begins that begins a message.
const FROM: &[u8] = b"From ";
/// How much is kept of a message that is given out in pieces: an empty line and `From `.
const LOOKBACK: usize = 9;
