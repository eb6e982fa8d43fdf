//! `utf_decode`, `utf_encode` and `utf_transcode`.

use std::borrow::Cow;

use arrow::array::ArrayRef;
use datafusion_common::{Result, exec_datafusion_err, exec_err};
use utfall::{
    Bom, Encoding, Error, ErrorKind, Options, Policy, SplitPoint, Status, Transcoder, lines,
    transcode,
};
use utfall_bind::{options, show};

use crate::call::{Call, Labels};

/// The arguments that have the encodings. Otherwise it is UTF-8.
pub(crate) struct Direction {
    from: Option<usize>,
    to: Option<usize>,
}

impl Direction {
    pub(crate) const DECODE: Self = Self { from: Some(1), to: None };
    pub(crate) const ENCODE: Self = Self { from: None, to: Some(1) };
    pub(crate) const TRANSCODE: Self = Self { from: Some(1), to: Some(2) };

    /// The argument that has the policy.
    fn policy(&self) -> usize {
        1 + usize::from(self.from.is_some()) + usize::from(self.to.is_some())
    }

    /// Whether the result is text.
    pub(crate) fn is_text(&self) -> bool {
        self.to.is_none()
    }
}

/// The treatment of values that cannot be converted.
#[derive(Clone, Copy)]
struct OnError {
    options: Options,
    gives_null: bool,
}

impl OnError {
    fn new(call: &Call, word: &[u8], is_text: bool) -> Result<Self> {
        // A BOM is a part of a file, not of its text.
        let bom = if is_text { Bom::Strip } else { Bom::Auto };
        let strict = Options::strict().with_bom(bom);
        if word == b"null" {
            return Ok(Self { options: strict, gives_null: true });
        }
        let set = options::set(strict, "on-error", &String::from_utf8_lossy(word));
        let options = set.map_err(|message| {
            // `null` is not an option of other commands.
            let message = message.replacen("; expected ", "; expected null, ", 1);
            exec_datafusion_err!("{}: {message}", call.name)
        })?;
        if is_text && options.on_ill_formed == Policy::SurrogateEscape {
            return exec_err!(
                "{}: surrogateescape keeps invalid bytes, which text cannot have; use utf_transcode",
                call.name
            );
        }
        Ok(Self { options, gives_null: false })
    }
}

/// Converts the values of a call.
pub(crate) fn convert(call: &Call, direction: &Direction) -> Result<ArrayRef> {
    let mut rows = Rows::new(call, direction);
    let values = call.values(0);
    let converted = match rows.is_same()? {
        true => values.clone(),
        false => values.build(call.rows, |row| rows.convert(row))?,
    };
    converted.into_array(direction.is_text())
}

/// Converts one row after the other.
struct Rows<'c> {
    call: &'c Call,
    direction: &'c Direction,
    from: Labels<'c>,
    to: Labels<'c>,
    /// The last policy: consecutive rows mostly have the same.
    policy: Option<(&'c [u8], OnError)>,
}

impl<'c> Rows<'c> {
    fn new(call: &'c Call, direction: &'c Direction) -> Self {
        Self { call, direction, from: Labels::default(), to: Labels::default(), policy: None }
    }

    /// Whether no value changes: all are US-ASCII, and both encodings include it.
    fn is_same(&mut self) -> Result<bool> {
        let has_constants =
            (1..self.call.argument_count()).all(|argument| self.call.constant(argument).is_some());
        if !has_constants || self.call.is_constant() {
            return Ok(false);
        }
        // Errors in them are reported for any value.
        let (from, to) = self.encodings(0)?;
        self.policy(0)?;
        Ok(has_ascii(from) && has_ascii(to) && self.call.values(0).is_ascii())
    }

    fn encodings(&mut self, row: usize) -> Result<(Encoding, Encoding)> {
        let call = self.call;
        let find = |labels: &mut Labels<'c>, argument: Option<usize>| {
            let label = argument.and_then(|argument| call.get(argument, row));
            label.map_or(Ok(Encoding::Utf8), |label| labels.find(call, label))
        };
        Ok((find(&mut self.from, self.direction.from)?, find(&mut self.to, self.direction.to)?))
    }

    fn policy(&mut self, row: usize) -> Result<OnError> {
        let word = self.call.get(self.direction.policy(), row).unwrap_or(b"strict");
        if let Some((known, policy)) = self.policy
            && known == word
        {
            return Ok(policy);
        }
        let policy = OnError::new(self.call, word, self.direction.is_text())?;
        self.policy = Some((word, policy));
        Ok(policy)
    }

    fn convert(&mut self, row: usize) -> Result<Option<Cow<'c, [u8]>>> {
        if self.call.has_null(row) {
            return Ok(None);
        }
        let (from, to) = self.encodings(row)?;
        let on_error = self.policy(row)?;
        let text = self.call.get(0, row).unwrap_or_default();
        match transcode(from, to, text, on_error.options) {
            Ok(converted) => Ok(Some(converted)),
            Err(_) if on_error.gives_null => Ok(None),
            Err(error) => {
                let place = place((from, to), on_error.options, text);
                exec_err!("{}: {}", self.call.name, message(&error, place))
            }
        }
    }
}

/// Whether US-ASCII is the same in an encoding, wherever it is.
fn has_ascii(encoding: Encoding) -> bool {
    let info = encoding.info();
    info.ascii_transparent && info.split_point == SplitPoint::Character
}

/// The place of the first error, found by a second conversion.
fn place(
    (from, to): (Encoding, Encoding),
    options: Options,
    text: &[u8],
) -> Option<lines::Position> {
    let mut transcoder = Transcoder::new(from, to, options).track_position();
    let (mut read, mut scratch) = (0, [0; 4096]);
    loop {
        let progress = transcoder.transcode(&text[read..], &mut scratch, true);
        read += progress.read;
        if progress.status != Status::OutputFull {
            return transcoder.error_position();
        }
    }
}

/// The error, its place, and the next step.
fn message(error: &Error, place: Option<lines::Position>) -> String {
    let mut text = format!("{} at byte {}", show::problem(error), error.offset());
    if let Some(lines::Position { line, column }) = place {
        text += &format!(" (line {line}, column {column})");
    }
    let clause = error.clause();
    if !clause.is_empty() {
        text += &format!(": {clause}");
    }
    text += match error.kind() {
        ErrorKind::Unencodable(_) => "; ",
        _ => "; utf_detect guesses the encoding; ",
    };
    text + "'null' as the last argument gives NULL for such values"
}
