//! `utfall explain`: each unit of a text, or each problem, in one pass and bounded memory.

mod mail;
mod name;
mod out;
mod text;

use std::borrow::Cow;
use std::ffi::OsStr;
use std::io::{self, Cursor, IsTerminal, Read};
use std::path::Path;

use utfall::Encoding;
use utfall::explain::{Explainer, LOOK_AHEAD, Unit, UnitKind};
use utfall_bind::explain::mail::{Wanted, are_words};
use utfall_bind::explain::{self, Object, Row};

use crate::argument::{self, Argument};
use crate::cli::{ExplainArgs, Format, Only, Span};
use crate::failure::Failure;
use crate::file_name::FileName;
use crate::input::{self, Input};
use crate::likely::{self, Advice, Likely, Origin};
use crate::{label, message, output, patient, width};
use out::Out;
use text::Layout;

/// Bytes read at a time.
const PIECE: usize = 256 * 1024;

pub(crate) fn run(args: &ExplainArgs) -> Result<(), Failure> {
    let from = label::find_from(args.from.as_deref(), args.labels.get())?;
    let is_text = args.format == Format::Text;
    let givens = givens(args)?;
    let files: Vec<_> = givens.iter().filter_map(Given::file).collect();
    output::refuse_as_stdout(&files)?;
    let reads_stdin = files.contains(&None);
    if reads_stdin && args.inputs.is_empty() {
        input::tell_of_terminal(&[]);
    }
    // A pager would read the keyboard that the text comes from.
    let has_pager = is_text && !args.no_pager && !(reads_stdin && io::stdin().is_terminal());
    let mut report = Report {
        out: Out::new(has_pager, is_text),
        format: args.format,
        span: span(args),
        only_problems: args.only == Some(Only::Problems),
        only_layers: args.only == Some(Only::Layers),
        is_mail: args.mail,
        problems: 0,
        unreadable: 0,
        is_first: true,
        file: None,
        read: 0,
        before: 0,
        encoding: None,
        likely: None,
    };
    let result = givens.iter().try_for_each(|given| report.input(given, from));
    let (problems, unreadable) = (report.problems, report.unreadable);
    report.out.end(result)?;
    match (unreadable, problems) {
        (0, 0) => Ok(()),
        (0, _) => Err(Failure::IllFormed),
        _ => Err(Failure::Unreadable),
    }
}

/// The requested range of bytes.
fn span(args: &ExplainArgs) -> Span {
    match (args.range, args.around) {
        (Some(span), _) => span,
        (None, Some(offset)) => Span {
            begin: offset.saturating_sub(args.context),
            end: offset.saturating_add(args.context).saturating_add(1),
        },
        (None, None) => Span { begin: 0, end: u64::MAX },
    }
}

/// The meaning of an INPUT.
enum Given<'a> {
    File(input::Source),
    /// The bytes of the argument, or those that it gives in hexadecimal.
    Bytes {
        name: String,
        bytes: Cow<'a, [u8]>,
        shape: Option<Shape>,
    },
    /// The argument looks like the name of a missing file.
    Missing {
        name: String,
        failure: Failure,
    },
}

impl Given<'_> {
    fn file(&self) -> Option<input::Source> {
        match self {
            Self::File(source) => Some(source.clone()),
            Self::Bytes { .. } | Self::Missing { .. } => None,
        }
    }
}

fn givens(args: &ExplainArgs) -> Result<Vec<Given<'_>>, Failure> {
    if args.given.is_empty() && args.inputs.is_empty() {
        return Ok(vec![Given::File(None)]);
    }
    let texts = args.given.iter().map(|argument| Ok(text(args, argument)));
    texts.chain(args.inputs.iter().map(|argument| given(args, argument))).collect()
}

/// An argument that is a text.
fn text<'a>(args: &ExplainArgs, argument: &'a OsStr) -> Given<'a> {
    let bytes = argument.as_encoded_bytes();
    let shape = Shape::of(bytes).filter(|_| args.from.is_none() && !args.mail);
    Given::Bytes { name: argument::named(argument), bytes: Cow::Borrowed(bytes), shape }
}

fn given<'a>(args: &ExplainArgs, argument: &'a OsStr) -> Result<Given<'a>, Failure> {
    if args.hex {
        let bytes = hexadecimal(argument.as_encoded_bytes()).ok_or_else(|| {
            let shown = message::plain(&argument.to_string_lossy());
            Failure::Usage(format!(
                "invalid hex input \"{shown}\": expected bytes such as `2F C0 AE`"
            ))
        })?;
        let name = argument::named(argument);
        return Ok(Given::Bytes { name, bytes: Cow::Owned(bytes), shape: None });
    }
    let text = text(args, argument);
    if args.text {
        return Ok(text);
    }
    // A solidus is also a digit of Base64, and on Windows no name contains a question mark.
    let has_shape = matches!(text, Given::Bytes { shape: Some(_), .. });
    if has_shape && Path::new(argument).symlink_metadata().is_err() {
        return Ok(text);
    }
    match Argument::of(argument, "explain") {
        Ok(Argument::Stdin) => Ok(Given::File(None)),
        Ok(Argument::File(path)) => Ok(Given::File(Some(path.to_owned()))),
        Ok(Argument::Text(_)) => Ok(text),
        Err(failure) => Ok(Given::Missing { name: message::path(Path::new(argument)), failure }),
    }
}

/// Encoded text that an argument clearly contains, although it is US-ASCII and so valid UTF-8.
#[derive(Clone, Copy)]
enum Shape {
    /// One encoded word or more, and nothing else: `=?UTF-8?Q?caf=C3=A9?=`.
    EncodedWords,
    /// One shifted run of UTF-7, ended by a hyphen: `+ZeVnLIqe-`.
    ShiftedRun,
}

impl Shape {
    fn of(bytes: &[u8]) -> Option<Self> {
        if are_words(bytes) {
            return Some(Self::EncodedWords);
        }
        let digits = bytes.strip_prefix(b"+")?.strip_suffix(b"-")?;
        let are_digits = digits.iter().all(|o| o.is_ascii_alphanumeric() || b"+/".contains(o));
        let is_run = !digits.is_empty() && are_digits && Encoding::Utf7.validate(bytes).is_ok();
        is_run.then_some(Self::ShiftedRun)
    }

    /// Reports how the argument is decoded.
    fn note(self, name: &str) {
        let how = match self {
            Self::EncodedWords => "an encoded word, decoded as with --mail",
            Self::ShiftedRun => "UTF-7, decoded as with -f UTF-7",
        };
        message::note(&format!("{name} is {how}; -f UTF-8 explains it as it is"));
    }
}

/// `2F C0 AE`, `2fc0ae`, `0x2F,0xC0`, `\x2F\xC0`.
fn hexadecimal(text: &[u8]) -> Option<Vec<u8>> {
    let text = std::str::from_utf8(text).ok()?;
    let mut bytes = Vec::new();
    for word in text.replace("\\x", " ").replace("0x", " ").split([' ', ',', '\t', '\n']) {
        let (pairs, odd) = word.as_bytes().as_chunks::<2>();
        if !odd.is_empty() {
            return None;
        }
        for pair in pairs {
            let [high, low] = pair.map(|digit| char::from(digit).to_digit(16));
            bytes.push((high? << 4 | low?) as u8);
        }
    }
    Some(bytes)
}

/// Writes the explanation.
struct Report {
    out: Out,
    format: Format,
    span: Span,
    only_problems: bool,
    only_layers: bool,
    is_mail: bool,
    problems: u64,
    unreadable: u64,
    is_first: bool,
    /// The input, if it is a file.
    file: Option<FileName>,
    /// The progress of the explanation of this input, and its problems so far.
    read: u64,
    before: u64,
    /// Its encoding, and what the text around its first problem looks like.
    encoding: Option<Encoding>,
    likely: Option<Option<Likely>>,
}

/// The reason why the explanation of one input stops.
enum Trouble {
    /// It cannot be read. Other inputs may be readable.
    Input(Failure),
    /// The report cannot be written.
    Output(Failure),
}

impl Report {
    fn input(&mut self, given: &Given<'_>, from: Option<Encoding>) -> Result<(), Failure> {
        (self.read, self.before) = (0, self.problems);
        (self.encoding, self.likely) = (None, None);
        self.file = match given {
            Given::File(source) => Some(FileName::of_source(source)),
            Given::Bytes { .. } | Given::Missing { .. } => None,
        };
        let (name, result) = match given {
            Given::Bytes { name, bytes, shape } => {
                let size = Some(bytes.len() as u64);
                if let Some(shape) = shape {
                    shape.note(name);
                }
                let from =
                    from.or(matches!(shape, Some(Shape::ShiftedRun)).then_some(Encoding::Utf7));
                let result = match (self.is_mail, shape) {
                    (true, _) => self.mail(name, size, Cursor::new(bytes)),
                    (false, Some(Shape::EncodedWords)) => self.words(name, bytes),
                    (false, _) => self.text(name, from, size, bytes, Cursor::new(bytes)),
                };
                (name.clone(), result)
            }
            Given::File(source) => (input::name(source), self.file(source, from)),
            Given::Missing { name, failure } => return self.unreadable(name, failure),
        };
        match result {
            Ok(()) => self.end(&name, None),
            Err(Trouble::Output(failure)) => Err(failure),
            Err(Trouble::Input(failure)) => self.unreadable(&name, &failure),
        }
    }

    /// Other inputs are still explained.
    fn unreadable(&mut self, name: &str, failure: &Failure) -> Result<(), Failure> {
        failure.report();
        self.unreadable += 1;
        self.end(name, Some(failure))
    }

    fn file(&mut self, source: &input::Source, from: Option<Encoding>) -> Result<(), Trouble> {
        let mut input = Input::open(source).map_err(Trouble::Input)?;
        let name = input.name().to_owned();
        if self.is_mail {
            return self.mail(&name, input.size(), input.whole());
        }
        let first = input.first_bytes().map_err(Trouble::Input)?.to_vec();
        self.text(&name, from, input.size(), &first, input.whole())
    }

    /// `first` are its first bytes, enough for a BOM.
    fn text(
        &mut self,
        name: &str,
        from: Option<Encoding>,
        size: Option<u64>,
        first: &[u8],
        reader: impl Read,
    ) -> Result<(), Trouble> {
        let mark = Encoding::for_bom(first).map(|(encoding, _)| encoding);
        let encoding = from.or(mark).unwrap_or(Encoding::Utf8);
        let by_mark = from.is_none() && mark.is_some();
        let layout = Layout::new(encoding, size, false, self.out.is_coloured(), width::columns());
        self.encoding = Some(encoding);
        let begun = self.begin(name, Some(encoding), by_mark, Some(&layout));
        begun.map_err(Trouble::Output)?;

        let mut window = Window::new(name, reader);
        let mut explainer = Explainer::new(encoding);
        while self.step(&mut explainer, &mut window, &layout)? {}
        Ok(())
    }

    /// Explains a unit, or skips several. Returns whether there are more.
    fn step<R: Read>(
        &mut self,
        explainer: &mut Explainer,
        window: &mut Window<'_, R>,
        layout: &Layout,
    ) -> Result<bool, Trouble> {
        self.read = explainer.offset();
        let rest = window.rest();
        let passed = match self.span.begin.checked_sub(self.read) {
            Some(ahead @ 1..) => rest.len().min(usize::try_from(ahead).unwrap_or(usize::MAX)),
            _ if self.only_problems => rest.len(),
            _ => 0,
        };
        if passed > 0 {
            let passed = explainer.skip_well_formed(&rest[..passed]);
            window.consume(passed);
        }
        if explainer.offset() >= self.span.end {
            return Ok(false);
        }
        let rest = window.rest();
        let seen = if window.is_at_end || rest.len() >= LOOK_AHEAD {
            explainer.next(rest, window.is_at_end)
        } else {
            None
        };
        let Some(unit) = seen else {
            // The rest may have been skipped.
            self.read = explainer.offset();
            return window.fill().map_err(|error| {
                Trouble::Input(Failure::io(|| format!("cannot read {}", window.name))(error))
            });
        };
        let length = unit.bytes.len();
        if self.wanted().has(&unit, unit.offset..unit.offset + length as u64) {
            if matches!(unit.what, UnitKind::IllFormed(_)) {
                let sample = || window.sample(unit.offset);
                self.likely.get_or_insert_with(|| Likely::of(sample(), explainer.encoding()));
            }
            self.unit(explainer.encoding(), &unit, None, layout).map_err(Trouble::Output)?;
        }
        window.consume(length);
        Ok(true)
    }

    fn wanted(&self) -> Wanted {
        let Span { begin, end } = self.span;
        let Self { only_problems, only_layers, .. } = *self;
        Wanted { range: begin..end, only_problems, only_layers }
    }

    fn unit(
        &mut self,
        encoding: Encoding,
        unit: &Unit<'_>,
        written: Option<(u64, &[u8])>,
        layout: &Layout,
    ) -> Result<(), Failure> {
        self.problems += u64::from(matches!(unit.what, UnitKind::IllFormed(_)));
        let row = Row::new(encoding, unit, written);
        match self.format {
            Format::Text => self.out.line(&layout.row(&row)),
            Format::Json => self.out.object(&explain::unit(&row)),
        }
    }

    fn begin(
        &mut self,
        name: &str,
        encoding: Option<Encoding>,
        by_mark: bool,
        layout: Option<&Layout>,
    ) -> Result<(), Failure> {
        match self.format {
            Format::Text => {
                if !std::mem::take(&mut self.is_first) {
                    self.out.line("")?;
                }
                let by_mark = if by_mark { " (by its BOM)" } else { "" };
                let encoding = encoding.map_or("mail", Encoding::name);
                self.out.line(&format!("{name}: {encoding}{by_mark}"))?;
                layout.map_or(Ok(()), |layout| self.out.line(&layout.head()))
            }
            Format::Json => self.out.object(&Object::Input {
                input: name,
                file: self.file.as_ref(),
                encoding: encoding.map(Encoding::name),
                by_bom: by_mark,
            }),
        }
    }

    fn end(&mut self, name: &str, failure: Option<&Failure>) -> Result<(), Failure> {
        let (bytes, problems) = (self.read, self.problems - self.before);
        let likely = self.likely.flatten();
        match (self.format, failure) {
            // The error has been reported.
            (Format::Text, Some(_)) => Ok(()),
            (Format::Text, None) => {
                let shown = message::count(problems, "problem");
                self.out.line(&format!("{name}: {}, {shown}", message::count(bytes, "byte")))?;
                let (Some(likely), Some(said)) = (likely, self.encoding) else { return Ok(()) };
                self.out.line(&format!("  help: {}", likely.advice(said, Origin::Option)))
            }
            (Format::Json, _) => self.out.object(&Object::End {
                input: name,
                file: self.file.as_ref(),
                bytes,
                problems,
                likely: likely.map(Likely::object),
                error: failure.map(|failure| match failure {
                    Failure::Io { error, .. } => message::io_reason(error),
                    Failure::NoSuchFile { .. } => "no such file".into(),
                    _ => String::new(),
                }),
            }),
        }
    }
}

/// The part of an input being examined.
struct Window<'n, R> {
    name: &'n str,
    reader: R,
    bytes: Vec<u8>,
    begin: usize,
    end: usize,
    is_at_end: bool,
}

impl<'n, R: Read> Window<'n, R> {
    fn new(name: &'n str, reader: R) -> Self {
        let bytes = vec![0; LOOK_AHEAD + PIECE];
        Self { name, reader, bytes, begin: 0, end: 0, is_at_end: false }
    }

    fn rest(&self) -> &[u8] {
        &self.bytes[self.begin..self.end]
    }

    /// A sample of the available bytes around an offset, for [`likely`].
    fn sample(&self, offset: u64) -> &[u8] {
        let begin = offset.saturating_sub(self.begin as u64);
        likely::sample(&self.bytes[..self.end], begin, offset)
    }

    fn consume(&mut self, count: usize) {
        self.begin += count;
    }

    /// Reads more. Returns whether anything is left.
    fn fill(&mut self) -> io::Result<bool> {
        if self.is_at_end {
            return Ok(false);
        }
        self.bytes.copy_within(self.begin..self.end, 0);
        self.end -= std::mem::take(&mut self.begin);
        let count = patient::read(&mut self.reader, &mut self.bytes[self.end..])?;
        self.end += count;
        self.is_at_end = count == 0;
        Ok(true)
    }
}
