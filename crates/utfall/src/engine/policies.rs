//! The treatment of errors: the policies, the text they insert, and the counts.

use super::bytes::Bytes;
use super::cursor::CARRY;
use super::queue::{Queue, RAW};
use crate::codec::{Pass, Put, Sink};
use crate::options::{Action, Granularity, Options, Policy};
use crate::{Counts, Encoding, Error, ErrorKind, shortcut};

/// Called for each error instead of applying the policies.
pub(crate) type Handler<'h> = dyn FnMut(&Error, &[u8]) -> Action + Send + 'h;

pub(super) struct Policies<'h> {
    pub(super) options: Options,
    handler: Option<&'h mut Handler<'h>>,
    /// Each ill-formed sequence becomes one U+FFFD, which the target has, so decoding inserts it.
    pub(super) only_replaces: bool,
    queue: Inserted,
    pub(super) counts: Counts,
}

/// Text that policies have inserted, not yet encoded.
#[derive(Clone, Copy)]
struct Inserted {
    /// For an ill-formed sequence; the target may lack it.
    inserted: Queue,
    /// For an unencodable code point.
    substituted: Queue,
    /// The place and length in the input that `inserted` replaces.
    inserted_for: (u64, u32),
    /// Part of `inserted` has been left out, and counted.
    inserted_skipped: bool,
}

/// How far the inserted text was encoded.
pub(super) enum Drained {
    All,
    /// The output is full.
    Full,
    /// The target lacks some of it, and the policy is to stop.
    Stopped(Error),
}

impl<'h> Policies<'h> {
    #[inline]
    pub(super) fn new(options: Options, target: Encoding) -> Self {
        Self {
            options,
            handler: None,
            only_replaces: shortcut::only_replaces(target.info(), &options),
            queue: Inserted {
                inserted: Queue::new(),
                substituted: Queue::new(),
                inserted_for: (0, 0),
                inserted_skipped: false,
            },
            counts: Counts::default(),
        }
    }

    /// The same for a conversion to `target`, without the handler.
    pub(super) fn without_handler(&self, target: Encoding) -> Policies<'static> {
        let Self { queue, counts, .. } = *self;
        Policies { queue, counts, ..Policies::new(self.options, target) }
    }

    pub(super) fn set_handler(&mut self, handler: &'h mut Handler<'h>) {
        self.handler = Some(handler);
        self.only_replaces = false;
    }

    /// Counts an ill-formed sequence that is accepted.
    pub(super) fn tolerate(&mut self, pass: Pass) {
        self.counts.tolerated += 1;
        self.counts.tolerance |= pass.by;
    }

    /// Applies the policy for an ill-formed sequence.
    ///
    /// # Errors
    /// If the conversion is to stop.
    pub(super) fn ill_formed(
        &mut self,
        error: Error,
        bytes: impl FnOnce() -> Bytes<CARRY>,
    ) -> Result<(), Error> {
        let bytes = match (&self.handler, self.options.on_ill_formed) {
            // The bytes are not needed.
            (None, Policy::Strict | Policy::Skip) => Bytes::new(),
            _ => bytes(),
        };
        let bytes = bytes.as_slice();
        self.counts.ill_formed += 1;
        self.queue.inserted_for = (error.offset, error.length);
        self.queue.inserted_skipped = false;

        let inserted = &mut self.queue.inserted;
        let action = match &mut self.handler {
            Some(handler) => handler(&error, bytes),
            None => match self.options.on_ill_formed {
                Policy::Strict => Action::Stop,
                Policy::Skip => Action::Skip,
                Policy::Replace => {
                    let count = match self.options.granularity {
                        Granularity::PerByte => bytes.len(),
                        _ => 1,
                    };
                    match &self.options.replacement {
                        Some(text) => inserted.extend(text.points()),
                        None => inserted.push(0xFFFD),
                    }
                    inserted.repeat(count);
                    return Ok(());
                }
                Policy::Escape(_) => {
                    bytes.iter().for_each(|byte| inserted.push_byte(*byte));
                    return Ok(());
                }
                Policy::SurrogateEscape if bytes.iter().all(|byte| !byte.is_ascii()) => {
                    bytes.iter().for_each(|byte| inserted.push(0xDC00 + u32::from(*byte)));
                    return Ok(());
                }
                Policy::SurrogateEscape => Action::Stop,
            },
        };
        match action {
            Action::Stop => return Err(error),
            Action::Skip => self.counts.skipped += 1,
            Action::Substitute(text) => inserted.extend(text.points()),
        }
        Ok(())
    }

    /// Counts an unencodable code point, and applies the policy.
    ///
    /// # Errors
    /// If the conversion is to stop.
    pub(super) fn unencodable(&mut self, point: u32, error: Error) -> Result<(), Error> {
        self.counts.unencodable += 1;
        self.substitute(point, error)
    }

    /// Applies the policy for an unencodable code point.
    fn substitute(&mut self, point: u32, error: Error) -> Result<(), Error> {
        let substituted = &mut self.queue.substituted;
        let transliterate = self.options.transliterate.filter(|_| self.handler.is_none());
        if let Some(text) = transliterate.and_then(|transliterate| transliterate.text(point)) {
            text.chars().for_each(|scalar| substituted.push(u32::from(scalar)));
            return Ok(());
        }

        let action = match &mut self.handler {
            Some(handler) => handler(&error, &[]),
            None => match self.options.on_unencodable {
                Policy::Strict => Action::Stop,
                Policy::Skip => Action::Skip,
                Policy::Replace => {
                    match &self.options.substitute {
                        Some(text) => substituted.extend(text.points()),
                        None => substituted.push(0xFFFD),
                    }
                    return Ok(());
                }
                Policy::Escape(style) => {
                    substituted.push_escape(style, point);
                    return Ok(());
                }
                Policy::SurrogateEscape
                    if error.encoding.info().ascii_transparent
                        && matches!(point, 0xDC80..=0xDCFF) =>
                {
                    substituted.push(RAW | (point & 0xFF));
                    return Ok(());
                }
                Policy::SurrogateEscape => Action::Stop,
            },
        };
        match action {
            Action::Stop => return Err(error),
            Action::Skip => self.counts.skipped += 1,
            Action::Substitute(text) => substituted.extend(text.points()),
        }
        Ok(())
    }

    /// Inserts a BOM before the text.
    pub(super) fn insert_bom(&mut self) {
        self.queue.inserted.push(0xFEFF);
    }

    /// Encodes what policies have inserted, and returns the bytes written.
    #[inline]
    pub(super) fn drain(
        &mut self,
        sink: &mut impl Sink,
        target: Encoding,
        dst: &mut [u8],
    ) -> (usize, Drained) {
        let queue = &self.queue;
        match queue.substituted.is_empty() && queue.inserted.is_empty() {
            true => (0, Drained::All),
            false => self.drain_queue(sink, target, dst),
        }
    }

    fn drain_queue(
        &mut self,
        sink: &mut impl Sink,
        target: Encoding,
        dst: &mut [u8],
    ) -> (usize, Drained) {
        let mut written = 0;
        loop {
            let room = &mut dst[written..];
            if let Some(point) = self.queue.substituted.first() {
                match put(sink, point, room) {
                    Put::Written(bytes) => written += bytes,
                    Put::Full => return (written, Drained::Full),
                    // A substitute that the target lacks becomes `?`, or nothing.
                    Put::Unencodable if point != u32::from('?') => {
                        self.queue.substituted.replace_first(u32::from('?'));
                        continue;
                    }
                    Put::Unencodable => {}
                }
                self.queue.substituted.pop();
            } else if let Some(point) = self.queue.inserted.first() {
                match put(sink, point, room) {
                    Put::Written(bytes) => written += bytes,
                    Put::Full => return (written, Drained::Full),
                    Put::Unencodable => {
                        self.queue.inserted.pop();
                        if let Err(error) = self.substitute_inserted(point, target) {
                            return (written, Drained::Stopped(error));
                        }
                        continue;
                    }
                }
                self.queue.inserted.pop();
            } else {
                return (written, Drained::All);
            }
        }
    }

    /// Applies the policy for an inserted code point that the target lacks. The sequence is counted
    /// as ill-formed, and as left out once, however many code points the replacement has.
    fn substitute_inserted(&mut self, point: u32, target: Encoding) -> Result<(), Error> {
        let (offset, length) = self.queue.inserted_for;
        let kind = ErrorKind::Unencodable(point);
        let error = Error { encoding: target, offset, length, kind, run_bit: None };
        let skipped = self.counts.skipped;
        let result = self.substitute(point, error);
        if self.counts.skipped > skipped {
            self.counts.skipped -= u64::from(self.queue.inserted_skipped);
            self.queue.inserted_skipped = true;
        }
        result
    }
}

/// Encodes one code point, or writes one raw byte.
fn put(sink: &mut impl Sink, point: u32, dst: &mut [u8]) -> Put {
    if point & RAW != 0 {
        let Some(byte) = dst.first_mut() else { return Put::Full };
        *byte = point as u8;
        return Put::Written(1);
    }
    sink.insert(point, dst)
}
