//! Converts between buffers of any size, as iconv(3) does.

mod few;
mod reader;
mod utf7;
mod writer;

use std::fmt;

#[cfg(test)]
use crate::bulk::Bulk;
use crate::bulk::Late;
use crate::convert::Rules;
use crate::names::{Charset, Code};
use crate::translit;
use reader::{Reader, Stop};
use writer::{WriteStop, Writer};

/// Code points between decoding and encoding.
const BLOCK: usize = 2048;
/// Code points that are decoded where kernels have stopped.
const SLOW: usize = 128;

/// A conversion descriptor: converts from one buffer to another, with the exact rules of iconv(3) about
/// what is read and written when a call stops.
///
/// A character is written completely, or it is not read. The descriptor never holds back input,
/// except in charsets in which a later character changes an earlier one (from CP1255, CP1258,
/// TCVN5712-1 and TSCII, and to BIG5-HKSCS, TSCII and charsets of JIS X 0213), and the bits of an
/// unfinished character of UTF-7.
///
/// ```
/// use utfall_iconv::{Code, Descriptor, End, Rules};
/// let (from, to) = (Code::parse("UTF-8", "")?, Code::parse("UTF-16LE", "")?);
/// let mut descriptor = Descriptor::new(from, to, Rules::default()).unwrap();
/// let mut output = [0; 5];
/// let step = descriptor.step("aé€".as_bytes(), &mut output);
/// assert_eq!((step.read, step.written, step.end), (3, 4, End::OutputFull));
/// assert_eq!(&output[..4], b"a\0\xE9\0");
/// // The first two bytes of "€":
/// let step = descriptor.step(b"\xE2\x82", &mut output);
/// assert_eq!((step.read, step.written, step.end), (0, 0, End::Incomplete));
/// # Ok::<(), &str>(())
/// ```
pub struct Descriptor {
    from: Charset,
    to: Charset,
    reader: Reader,
    writer: Writer,
    rules: Rules,
    /// One of the charsets is glibc's internal one. Then it looks for space before it decodes a
    /// character.
    is_one_step: bool,
    /// The other charset is UCS-4. Then it looks for space first of all.
    is_copy: bool,
    /// The target is that charset.
    is_to_points: bool,
    /// The source may decode to surrogates, and the target has them.
    rejects_surrogates: bool,
    /// For long input only, so that opening a descriptor takes less time.
    points: Vec<u32>,
    /// Kernels for most of a long text.
    bulk: Late,
    /// Code points to replace, regardless of the tables.
    renamed: &'static [(u32, u32)],
}

/// The outcome of [`Descriptor::step`] and [`Descriptor::finish`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub struct Step {
    /// The number of bytes read.
    pub read: usize,
    /// The number of bytes written.
    pub written: usize,
    /// The number of characters that were replaced by others, or omitted because the target lacks
    /// them.
    pub irreversible: usize,
    /// Why the call returned.
    pub end: End,
}

/// Why a call of a [`Descriptor`] returned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// All input was converted.
    Input,
    /// All input was read, but `//IGNORE` omitted some of it. iconv(3) returns -1 and `EILSEQ`.
    Ignored,
    /// The output has no space for the next character, which was not read (`E2BIG`).
    OutputFull,
    /// The input ends within a character, which was not read (`EINVAL`).
    Incomplete,
    /// The next bytes are not a character of the source (`EILSEQ`).
    IllFormed,
    /// The target lacks the next character (`EILSEQ`).
    Unencodable,
}

impl fmt::Debug for Descriptor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = f.debug_struct("Descriptor");
        debug.field("from", &self.from).field("to", &self.to).finish_non_exhaustive()
    }
}

impl Descriptor {
    /// A conversion according to two codes, with additional `rules`. `None` if this build lacks the
    /// table of one of the charsets.
    #[must_use]
    pub fn new(from: Code, to: Code, rules: Rules) -> Option<Self> {
        let is_one_step = [from, to].iter().any(|code| code.charset.name() == "WCHAR_T");
        Some(Self {
            from: from.charset,
            to: to.charset,
            reader: Reader::new(from.charset)?,
            writer: Writer::new(to.charset)?,
            rules: rules.with_suffixes(to),
            is_copy: is_one_step
                && (from.charset.name() == "UCS-4" || to.charset.name().starts_with("UCS-4")),
            is_to_points: to.charset.name() == "WCHAR_T",
            is_one_step,
            rejects_surrogates: from.charset.name().starts_with("UTF-7")
                && has_surrogates(to.charset),
            points: Vec::new(),
            bulk: Late::Waiting(0),
            renamed: crate::convert::renamed(from.charset, to.charset),
        })
    }

    #[cfg(test)]
    pub(crate) fn use_kernels(&mut self, uses: bool) {
        self.bulk = Late::Ready(if uses { Bulk::new(self.from, self.to) } else { None });
    }

    /// The charset of the input.
    #[must_use]
    pub fn from(&self) -> Charset {
        self.from
    }

    /// The charset of the output.
    #[must_use]
    pub fn to(&self) -> Charset {
        self.to
    }

    /// The current rules.
    #[must_use]
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Changes the rules for the calls that follow.
    pub fn set_rules(&mut self, rules: Rules) {
        self.rules = rules;
    }

    /// Converts as much of `input` as possible. Call it again with the unread bytes and those after them.
    ///
    /// [`Rules::byte`] is not used.
    pub fn step(&mut self, input: &[u8], output: &mut [u8]) -> Step {
        let mut call = Call { begins: !self.reader.is_begun(), ..Call::default() };
        let end = match self.reader.begin(input) {
            Some(read) => {
                call.read = read;
                match self.mark(output) {
                    Some(written) => {
                        call.written = written;
                        match self.quick(input, output, &mut call) {
                            Some(end) => end,
                            None => self.run(input, output, &mut call),
                        }
                    }
                    None => End::OutputFull,
                }
            }
            None => End::Incomplete,
        };
        call.step(end)
    }

    /// Ends a text: writes what is held back, and what returns the output to its initial state (in
    /// ISO-2022-JP and UTF-7). Then the descriptor is as new. If the output is full, call it again
    /// with more space. After [`End::Ignored`], which means that the target lacks the character held
    /// back, call it again too.
    ///
    /// ```
    /// use utfall_iconv::{Code, Descriptor, End, Rules};
    /// let (from, to) = (Code::parse("UTF-8", "")?, Code::parse("ISO-2022-JP", "")?);
    /// let mut descriptor = Descriptor::new(from, to, Rules::default()).unwrap();
    /// let mut output = [0; 5];
    /// assert_eq!(descriptor.step("語".as_bytes(), &mut output).written, 5);
    /// assert_eq!(descriptor.finish(&mut output[..2]).end, End::OutputFull);
    /// assert_eq!(descriptor.finish(&mut output).written, 3);
    /// assert_eq!(&output[..3], b"\x1B(B");
    /// # Ok::<(), &str>(())
    /// ```
    pub fn finish(&mut self, output: &mut [u8]) -> Step {
        let mut call = Call::default();
        while let Some(point) = self.reader.held() {
            let mut points = [point];
            self.rename(&mut points);
            let space = &mut output[call.written..];
            let (_, stop) = self.write(&points, space, &mut call);
            if let Some(end) = stop {
                return call.step(end);
            }
            self.reader.forget_held();
            if call.ignored_character {
                // As in glibc, the next call does the rest.
                return call.step(End::Ignored);
            }
        }
        match self.writer.finish(&mut output[call.written..]) {
            Some(written) => {
                call.written += written;
                self.reset();
                call.step(call.end())
            }
            None => call.step(End::OutputFull),
        }
    }

    /// Begins a new text. Writes nothing, and forgets what is held back.
    pub fn reset(&mut self) {
        self.reader.reset();
        self.writer.reset();
    }

    /// From its internal charset, glibc writes a BOM before it looks at the input. Returns the length, or
    /// `None` if the output has no space.
    fn mark(&mut self, output: &mut [u8]) -> Option<usize> {
        if self.is_one_step { self.writer.mark(output) } else { Some(0) }
    }

    /// Converts a few characters, up to one that is not simply decoded and encoded: then the result is
    /// `None`, and [`Self::run`] does the rest.
    fn quick(&self, input: &[u8], output: &mut [u8], call: &mut Call) -> Option<End> {
        if input.len() > few::MOST || !self.renamed.is_empty() {
            return None;
        }
        while call.read < input.len() {
            let (point, length) = self.reader.one(&input[call.read..])?;
            if length == 0 {
                return (!self.is_one_step).then_some(End::Incomplete);
            }
            let (bytes, count) = self.writer.one(point)?;
            let space = &mut output[call.written..];
            if let Some(space) = space.first_chunk_mut::<4>() {
                // The next character overwrites the surplus bytes.
                *space = bytes;
            } else if let Some(space) = space.get_mut(..count) {
                space.copy_from_slice(&bytes[..count]);
            } else {
                return (!call.begins).then_some(End::OutputFull);
            }
            call.read += length;
            call.written += count;
            call.begins = false;
        }
        Some(End::Input)
    }

    fn run(&mut self, input: &[u8], output: &mut [u8], call: &mut Call) -> End {
        if input.len() <= few::MOST {
            return self.run_with(&mut [0; few::MOST], input, output, call);
        }
        let mut points = std::mem::take(&mut self.points);
        points.resize(BLOCK, 0);
        self.bulk.get(self.from, self.to, input.len());
        let end = self.run_with(&mut points, input, output, call);
        self.points = points;
        end
    }

    fn run_with(
        &mut self,
        points: &mut [u32],
        input: &[u8],
        output: &mut [u8],
        call: &mut Call,
    ) -> End {
        // How to return to the end of the last character that was written, if ill-formed bytes were
        // ignored since: the state at the beginning of a block, its place, and the number of code
        // points. If the next character cannot be written, those bytes are not read either.
        let mut last: Option<(Reader, usize, usize)> = None;
        loop {
            let bulk = self.bulk.get(self.from, self.to, 0);
            let bulk = bulk.filter(|_| input.len() - call.read >= SLOW);
            if let Some(bulk) = bulk
                && self.reader.is_idle()
            {
                let (read, written) = bulk.run(&input[call.read..], &mut output[call.written..]);
                call.read += read;
                call.written += written;
                if read > 0 {
                    last = None;
                    call.begins = false;
                }
            }
            let rest = &input[call.read..];
            // Almost every character has at least one byte, so more code points would be decoded
            // in vain.
            let room = output.len() - call.written;
            let most = if bulk.is_some() { SLOW } else { points.len() };
            let cap = if self.is_to_points { room / 4 } else { room + 1 }.min(most);
            if cap == 0 && !rest.is_empty() {
                let is_short = rest.len() < self.reader.least() && !self.is_copy;
                return if is_short { End::Incomplete } else { End::OutputFull };
            }
            let before = self.reader.clone();
            let got = self.reader.read(rest, &mut points[..cap]);
            self.rename(&mut points[..got.written]);
            let (taken, stop) =
                self.write(&points[..got.written], &mut output[call.written..], call);
            if taken > 0 {
                last = None;
                call.begins = false;
            }
            if let Some(end) = stop {
                let here = (before, call.read, taken);
                let (reader, read, taken) = last.take().unwrap_or(here);
                self.reader = reader;
                if taken == 0 && call.begins {
                    self.reader.begin_again();
                }
                let points = &mut points[..taken];
                call.read = read + self.reader.read_exactly(&input[read..], points);
                return end;
            }
            let begin = call.read;
            call.read += got.read;
            if self.is_one_step && self.is_full(&input[call.read..], &output[call.written..]) {
                return End::OutputFull;
            }
            match got.stop {
                Stop::Full => {}
                Stop::Input => return call.end(),
                // As in glibc, an incomplete end hides ill-formed bytes that were ignored before,
                // but not characters.
                Stop::Incomplete if call.ignored_character && !self.is_one_step => {
                    return End::Ignored;
                }
                Stop::Incomplete => return End::Incomplete,
                Stop::Ill(length) if self.rules.skip => {
                    last.get_or_insert((before, begin, taken));
                    self.reader.skip();
                    call.read += length;
                    call.ignored = true;
                }
                Stop::Ill(_) => return End::IllFormed,
            }
        }
    }

    /// Whether there is a character to convert, but no space for any.
    fn is_full(&self, input: &[u8], output: &[u8]) -> bool {
        !input.is_empty()
            && (input.len() >= self.reader.least() || self.is_copy)
            && output.len() < self.writer.least()
    }

    fn rename(&self, points: &mut [u32]) {
        if self.renamed.is_empty() {
            return;
        }
        for point in points {
            if let Some((_, to)) = self.renamed.iter().find(|(from, _)| from == point) {
                *point = *to;
            }
        }
    }

    /// Encodes `points` to `output`. Returns how many, and why it stopped early.
    fn write(
        &mut self,
        points: &[u32],
        output: &mut [u8],
        call: &mut Call,
    ) -> (usize, Option<End>) {
        let (mut taken, mut written) = (0, 0);
        let mut end = None;
        while taken < points.len() && end.is_none() {
            let rest = self.without_surrogates(&points[taken..]);
            let done = self.writer.write(rest, &mut output[written..]);
            taken += done.read;
            written += done.written;
            let is_surrogate = done.read == rest.len() && taken < points.len();
            match done.stop {
                WriteStop::Input if !is_surrogate => {}
                WriteStop::Full => end = Some(End::OutputFull),
                WriteStop::Input | WriteStop::Unencodable => {
                    match self.substitute(points[taken], &mut output[written..], call) {
                        Ok(more) => {
                            written += more;
                            taken += 1;
                        }
                        Err(stop) => end = Some(stop),
                    }
                }
            }
        }
        call.written += written;
        (taken, end)
    }

    fn without_surrogates<'p>(&self, points: &'p [u32]) -> &'p [u32] {
        let is_surrogate = |point: &u32| matches!(point, 0xD800..0xE000);
        if !self.rejects_surrogates {
            return points;
        }
        &points[..points.iter().position(is_surrogate).unwrap_or(points.len())]
    }

    /// Handles a code point that the target lacks. Returns the number of bytes written instead.
    fn substitute(&mut self, point: u32, out: &mut [u8], call: &mut Call) -> Result<usize, End> {
        // Tag characters are invisible to software that does not know them.
        if point >> 7 == 0xE_0000 >> 7 {
            return Ok(0);
        }
        let text = translit::text(point).filter(|_| self.rules.transliterate);
        let format = self.rules.unicode.as_ref().map(|format| format.of(point));
        let unknown = self.rules.transliterate.then_some("?");
        for text in [text, format.as_deref(), unknown].into_iter().flatten() {
            if let Some(written) = self.writer.write_whole(text, out)? {
                call.irreversible += 1;
                return Ok(written);
            }
        }
        if !self.rules.skip && !self.rules.discard {
            return Err(End::Unencodable);
        }
        call.irreversible += 1;
        call.ignored_character |= self.rules.skip;
        Ok(0)
    }
}

/// Whether a charset has surrogates as characters, as ISO 10646 once had.
fn has_surrogates(charset: Charset) -> bool {
    charset.name().starts_with("UCS-4") || charset.name() == "WCHAR_T"
}

/// The progress of a call.
#[derive(Default)]
struct Call {
    read: usize,
    written: usize,
    irreversible: usize,
    /// The text begins, and no character of it has been converted.
    begins: bool,
    /// `//IGNORE` omitted ill-formed bytes.
    ignored: bool,
    /// `//IGNORE` omitted a character.
    ignored_character: bool,
}

impl Call {
    /// The end of a call that has read everything.
    fn end(&self) -> End {
        if self.ignored || self.ignored_character { End::Ignored } else { End::Input }
    }

    fn step(&self, end: End) -> Step {
        Step { read: self.read, written: self.written, irreversible: self.irreversible, end }
    }
}
