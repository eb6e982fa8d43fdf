//! `utfall mail`: messages and mboxes, with one message in memory at a time.

mod files;
mod json;
mod replace;

use std::fs::File;
use std::io::{self, Cursor, IsTerminal, Read as _};
use std::path::Path;

use indicatif::ProgressBar;
use utfall::Encoding;
use utfall_bind::guess::charset_of_mail;
use utfall_mime::encoded_word::{self, Decoded, Piece, Rules};
use utfall_mime::header::Field;
use utfall_mime::mbox::{Item, Mbox};
use utfall_mime::rewrite::{Options, Reason, Report, Tally};
use utfall_mime::{Message, NoText, PartKind, TransferEncoding};

use crate::cli::{BodyArg, Format, MailArgs};
use crate::failure::Failure;
use crate::file_name::FileName;
use crate::input::{self, Source};
use crate::mbox::{FROM, LONGEST};
use crate::output::Output;
use crate::patient::Patient;
use crate::{label, message, progress, screen};
use json::{About, Object, Read};

/// Bytes written at a time.
const BUFFER: usize = 256 * 1024;
/// The number of bytes shown of the name of a field that is too long.
const MOST_OF_NAME: usize = 64;

pub(crate) fn run(args: &MailArgs) -> Result<(), Failure> {
    let options = options(args)?;
    match args {
        MailArgs { in_place: Some(_), .. } => replace::run(args, options),
        MailArgs { extract: false, files, .. } if files.len() > 1 => {
            Err(Failure::Usage("several files need --in-place or --extract".into()))
        }
        _ => write(args, options),
    }
}

/// Writes the new text of all inputs to one output.
fn write(args: &MailArgs, options: Options) -> Result<(), Failure> {
    let mut failures = Failures::default();
    let sources = match &args.files[..] {
        // A directory can only be read with --extract.
        [file] if !args.extract || !file.is_dir() => input::sources(&args.files),
        files if files.iter().any(|file| file == Path::new("-")) => input::sources(files),
        [] => input::sources(&[]),
        _ => files::find(args, &mut failures)?.into_iter().map(Some).collect(),
    };
    if !args.quiet {
        input::tell_of_terminal(&args.files);
    }
    let mut output = Output::open(args.output.as_deref(), &sources, args.overwrite_input)?;
    let screens = args.extract && !args.raw && output.is_terminal();
    let is_only = sources.len() == 1 && failures.is_none();
    let mut results = Vec::new();
    for source in &sources {
        let name = input::name(source);
        let result = open(source, &name).and_then(|reader| {
            let progress = progress(args, source);
            let json = (args.format == Format::Json).then(|| FileName::of_source(source));
            let mut write = |bytes: &[u8]| output.write(bytes).map_err(Failure::of_all);
            let job = Job { screens, json, ..Job::new(args, options, &mut write) };
            let result = job.run(progress.wrap_read(reader), &name);
            progress.finish_and_clear();
            result
        });
        match result {
            Err(failure @ Failure::Output { .. }) => return Err(failure),
            Err(failure) if is_only => return Err(failure),
            result => results.push((name, result)),
        }
    }
    output.finish()?;
    for (name, result) in results {
        failures.survive(result.and_then(|done| done.tell(args, &name, is_only)))?;
    }
    failures.end()
}

/// Failures that concern one of several files.
#[derive(Default)]
struct Failures {
    /// Some file cannot be read or written.
    is_unreadable: bool,
    /// Some file was not converted whole.
    is_refused: bool,
}

impl Failures {
    fn is_none(&self) -> bool {
        !self.is_unreadable && !self.is_refused
    }

    /// Reports a failure, unless it concerns all files.
    fn survive(&mut self, result: Result<(), Failure>) -> Result<(), Failure> {
        match result {
            Err(failure @ (Failure::Refused(_) | Failure::RefusedWithHelp { .. })) => {
                self.is_refused = true;
                failure.report();
                Ok(())
            }
            Err(failure @ (Failure::Io { .. } | Failure::Unreadable)) => {
                self.is_unreadable = true;
                failure.report();
                Ok(())
            }
            result => result,
        }
    }

    /// The result of the run.
    fn end(self) -> Result<(), Failure> {
        match self {
            Self { is_unreadable: true, .. } => Err(Failure::Unreadable),
            Self { is_refused: true, .. } => Err(Failure::IllFormed),
            Self { .. } => Ok(()),
        }
    }
}

fn options(args: &MailArgs) -> Result<Options, Failure> {
    let to = args.to.as_deref();
    let to = to.map_or(Ok(Encoding::Utf8), |to| label::find(to, args.labels.get()))?;
    // RFC 2279 names the first, which was never registered; the second is registered for IMAP.
    let is_for_mail = match to {
        Encoding::Unicode11Utf8 => true,
        Encoding::Utf7Imap => false,
        to => to.info().iana,
    };
    if !is_for_mail {
        return Err(Failure::Usage(format!("{to} cannot be the charset of mail")));
    }
    Ok(Options::to(to)
        .with_body(args.body.map(|body| match body {
            BodyArg::SevenBit => TransferEncoding::SevenBit,
            BodyArg::EightBit => TransferEncoding::EightBit,
            BodyArg::Qp => TransferEncoding::QuotedPrintable,
            BodyArg::Base64 => TransferEncoding::Base64,
        }))
        .with_wrap(args.wrap)
        .with_force(args.force))
}

pub(crate) fn open(source: &Source, name: &str) -> Result<Box<dyn io::Read>, Failure> {
    Ok(match source {
        Some(path) => {
            let file = File::open(path);
            Box::new(file.map_err(Failure::io(|| format!("cannot open {name}")))?)
        }
        None => Box::new(Patient(io::stdin().lock())),
    })
}

/// A progress bar, on a terminal that shows nothing else.
fn progress(args: &MailArgs, source: &Source) -> ProgressBar {
    let shows_output = args.output.is_none() && io::stdout().is_terminal();
    if args.quiet || shows_output {
        return ProgressBar::hidden();
    }
    let length =
        source.as_ref().and_then(|path| path.metadata().ok()).filter(|file| file.is_file());
    progress::bytes(length.map(|file| file.len()))
}

/// The conversion of an input.
struct Job<'o> {
    options: Options,
    extracts: bool,
    /// Whether texts go to a terminal, which acts on control characters.
    screens: bool,
    /// The name of the input, for JSON.
    json: Option<FileName>,
    output: &'o mut dyn FnMut(&[u8]) -> Result<(), Failure>,
    /// Output not yet written.
    buffer: Vec<u8>,
    done: Done,
}

/// The result of a conversion.
#[derive(Default)]
struct Done {
    messages: u64,
    too_long: u64,
    /// The input is not a message.
    is_text: bool,
    /// It has encoded words, though.
    has_words: bool,
    report: Report,
    /// Encoded words with 8-bit bytes.
    raw_words: u64,
}

impl Done {
    /// Reports the result.
    fn tell(&self, args: &MailArgs, name: &str, is_only: bool) -> Result<(), Failure> {
        if self.is_text {
            let help = match self.has_words {
                true => "--extract decodes the encoded words of any text",
                false => {
                    "a message begins with header fields, or with an empty line if it has none"
                }
            };
            let done = if args.in_place.is_some() { "skipped" } else { "copied unchanged" };
            let text = format!("{name} is not mail; {done}");
            return Err(Failure::RefusedWithHelp { text, help: help.into() });
        }
        if !args.quiet {
            if args.extract && self.has_words {
                let lines = message::count(self.report.fields.converted, "line");
                message::note(&format!("{name} is not mail; encoded words in {lines} decoded"));
            } else {
                tell(&self.report, self.messages, (name, is_only), args.extract);
            }
            if self.raw_words > 0 {
                let words = message::count(self.raw_words, "encoded word");
                let rule = "RFC 2047 §2 allows only US-ASCII";
                message::warning(&format!("8-bit bytes in {words} were decoded; {rule}"));
            }
        }
        self.refuse(args, name)
    }

    /// Fails if something was left out that needs conversion.
    fn refuse(&self, args: &MailArgs, name: &str) -> Result<(), Failure> {
        match left_out(&self.report, self.too_long, args.extract) {
            Some(text) => Err(Failure::Refused(format!("{name}: {text}"))),
            None => Ok(()),
        }
    }
}

impl<'o> Job<'o> {
    fn new(
        args: &MailArgs,
        options: Options,
        output: &'o mut dyn FnMut(&[u8]) -> Result<(), Failure>,
    ) -> Self {
        Self {
            options,
            extracts: args.extract,
            screens: false,
            json: None,
            output,
            buffer: Vec::with_capacity(BUFFER),
            done: Done::default(),
        }
    }

    /// Converts everything that a reader gives.
    fn run(mut self, mut reader: impl io::Read, name: &str) -> Result<Done, Failure> {
        let read = || format!("cannot read {name}");
        let mut first = Vec::new();
        (&mut reader).take(FROM.len() as u64).read_to_end(&mut first).map_err(Failure::io(read))?;
        let is_mbox = first == FROM;
        let reader = Cursor::new(first).chain(reader);
        if is_mbox {
            let mut mbox = Mbox::new(reader, LONGEST);
            while let Some(item) = mbox.next().map_err(Failure::io(read))? {
                match item {
                    Item::Message(bytes) => {
                        self.message(&Message::parse_quoted(bytes).with_detector(charset_of_mail))?;
                    }
                    Item::Other(bytes) => self.other(bytes)?,
                }
            }
            self.done.too_long = mbox.too_long();
        } else {
            self.single(reader, read)?;
        }
        let Done { messages, too_long, .. } = self.done;
        self.object(About::Summary { messages, skipped_messages: too_long })?;
        self.flush()?;
        Ok(self.done)
    }

    /// A file with one message.
    fn single(
        &mut self,
        mut reader: impl io::Read,
        read: impl Fn() -> String,
    ) -> Result<(), Failure> {
        let mut bytes = Vec::new();
        (&mut reader)
            .take(LONGEST as u64 + 1)
            .read_to_end(&mut bytes)
            .map_err(Failure::io(&read))?;
        if bytes.is_empty() {
            return Ok(());
        }
        if bytes.len() <= LONGEST {
            let message = Message::parse(&bytes).with_detector(charset_of_mail);
            if self.extracts && !has_header(&message) && has_words(&bytes) {
                return self.words(&bytes);
            }
            self.done.is_text = !self.extracts && !has_header(&message);
            self.done.has_words = self.done.is_text && has_words(&bytes);
            return match self.done.is_text {
                true => self.write(&bytes),
                false => self.message(&message),
            };
        }
        self.done.too_long += 1;
        if self.json.is_some() {
            return Ok(());
        }
        if self.extracts {
            return self
                .write(format!("[message of more than {} MiB]\n", LONGEST >> 20).as_bytes());
        }
        loop {
            self.other(&bytes)?;
            bytes.clear();
            let piece = (&mut reader).take(BUFFER as u64).read_to_end(&mut bytes);
            if piece.map_err(Failure::io(&read))? == 0 {
                return Ok(());
            }
        }
    }

    fn message(&mut self, message: &Message<'_>) -> Result<(), Failure> {
        self.done.messages += 1;
        if self.extracts {
            return self.extract(message);
        }
        let rewritten = message.rewrite(&self.options);
        self.done.report.add(rewritten.report());
        rewritten.pieces().try_for_each(|piece| self.write(piece))
    }

    /// Writes decoded header fields and texts.
    fn extract(&mut self, message: &Message<'_>) -> Result<(), Failure> {
        for part in message.parts() {
            let is_message = message.is_message(part);
            for field in message.fields(part).filter(|_| is_message) {
                if field.is_too_long() {
                    self.extract_long_field(&field)?;
                    continue;
                }
                let decoded = field.decode(Rules::Lenient);
                self.decoded(&decoded);
                let name = String::from_utf8_lossy(field.name);
                if !self.object(About::field(Some(self.done.messages), Some(&name), &decoded))? {
                    self.line(&format!("{name}: {}", decoded.text))?;
                }
            }
            if is_message && self.json.is_none() {
                self.write(b"\n")?;
            }
            if matches!(part.kind, PartKind::Text | PartKind::Other) {
                self.extract_part(message, part)?;
            }
        }
        if message.is_limited() {
            *self.done.report.texts.left.entry(Reason::TooManyParts).or_default() += 1;
            if self.json.is_none() {
                self.write(b"[more parts, not decoded]\n")?;
            }
        }
        Ok(())
    }

    /// Writes the lines of a text that has encoded words but no header.
    fn words(&mut self, text: &[u8]) -> Result<(), Failure> {
        self.done.has_words = true;
        for line in text.split_inclusive(|byte| *byte == b'\n') {
            let decoded = encoded_word::decode(line.trim_ascii_end(), Rules::Lenient);
            self.decoded(&decoded);
            if !self.object(About::field(None, None, &decoded))? {
                self.line(&decoded.text)?;
            }
        }
        Ok(())
    }

    /// Counts a decoded value.
    fn decoded(&mut self, decoded: &Decoded) {
        let tally = &mut self.done.report.fields;
        tally.converted += u64::from(decoded.words > 0 || decoded.guess.is_some());
        tally.guessed += u64::from(decoded.guess.is_some());
        if decoded.ill_formed > 0 {
            *tally.left.entry(Reason::IllFormed).or_default() += 1;
        }
        self.done.raw_words += decoded.raw as u64;
    }

    /// Reports a field that would take too much memory and output.
    fn extract_long_field(&mut self, field: &Field<'_>) -> Result<(), Failure> {
        *self.done.report.fields.left.entry(Reason::TooLong).or_default() += 1;
        let name = &field.name[..field.name.len().min(MOST_OF_NAME)];
        let text = String::from_utf8_lossy(name);
        if self.object(About::long_field(self.done.messages, &text, field.range.len()))? {
            return Ok(());
        }
        let name = message::plain(&String::from_utf8_lossy(name));
        let size = message::count(field.range.len() as u64, "byte");
        self.write(format!("[{name}: {size}, too long to decode]\n").as_bytes())
    }

    fn extract_part(
        &mut self,
        message: &Message<'_>,
        part: &utfall_mime::Part,
    ) -> Result<(), Failure> {
        let media_type = &part.content.media_type;
        let name = message.file_name(part);
        let size = message::count(part.body.len() as u64, "byte");
        let tally = &mut self.done.report.texts;
        let mut leave = |reason| *tally.left.entry(reason).or_default() += 1;
        let why = match message.text(part) {
            _ if part.content.is_attachment && part.kind == PartKind::Text => {
                leave(Reason::Attachment);
                "an attachment"
            }
            Ok(text) => {
                tally.converted += 1;
                if text.errors > 0 {
                    *tally.left.entry(Reason::IllFormed).or_default() += 1;
                }
                if text.charset.is_guess() {
                    tally.guessed += 1;
                }
                let read = Read::text(&text);
                if self.part(media_type, name.as_deref(), read)? {
                    return Ok(());
                }
                if text.charset.is_guess() {
                    let encoding = text.charset.encoding;
                    self.line(&format!("[{media_type}: guessed to be {encoding}]"))?;
                }
                self.body(&text.text)?;
                let ends = text.text.is_empty() || text.text.ends_with('\n');
                return self.write(if ends { b"" } else { b"\n" });
            }
            Err(NoText::UnknownCharset) => {
                leave(Reason::UnknownCharset);
                "in an unknown charset"
            }
            Err(NoText::UnknownTransferEncoding) => {
                leave(Reason::UnknownTransferEncoding);
                "in an unknown transfer encoding"
            }
            Err(_) => "not text",
        };
        let read = Read::skipped(part.body.len(), why);
        if self.part(media_type, name.as_deref(), read)? {
            return Ok(());
        }
        let name = name.map_or(String::new(), |name| format!(", \"{name}\""));
        self.line(&format!("[{media_type}{name}: {size}, {why}]"))
    }

    /// Reports a part as JSON, if that is the format.
    fn part(
        &mut self,
        media_type: &str,
        name: Option<&str>,
        read: Read<'_>,
    ) -> Result<bool, Failure> {
        self.object(About::Part { message: self.done.messages, media_type, name, read })
    }

    /// Writes a line of JSON, if that is the format.
    fn object(&mut self, about: About<'_>) -> Result<bool, Failure> {
        let Some(file) = &self.json else { return Ok(false) };
        let mut line = Vec::new();
        // Writing to memory cannot fail.
        _ = crate::json::line(&mut line, &Object { file, about });
        self.write(&line)?;
        Ok(true)
    }

    /// Writes a line with decoded text.
    fn line(&mut self, text: &str) -> Result<(), Failure> {
        self.write(screen::line(text).as_bytes())?;
        self.write(b"\n")
    }

    /// Writes a decoded text, escaped on a terminal.
    fn body(&mut self, text: &str) -> Result<(), Failure> {
        match self.screens {
            true => self.write(screen::text(text).as_bytes()),
            false => self.write(text.as_bytes()),
        }
    }

    /// Copies bytes that are not a message, or too many for one.
    fn other(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        if self.json.is_some() {
            return Ok(());
        }
        let is_from_line =
            || bytes.trim_ascii().starts_with(FROM) && !bytes.trim_ascii().contains(&b'\n');
        match self.screens || self.extracts && is_from_line() {
            true => self.write(screen::text(&String::from_utf8_lossy(bytes)).as_bytes()),
            false => self.write(bytes),
        }
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        if self.buffer.len() + bytes.len() > BUFFER {
            self.flush()?;
        }
        if bytes.len() > BUFFER {
            return (self.output)(bytes);
        }
        self.buffer.extend_from_slice(bytes);
        Ok(())
    }

    fn flush(&mut self) -> Result<(), Failure> {
        let result = (self.output)(&self.buffer);
        self.buffer.clear();
        result
    }
}

/// Whether the input begins as a message does: with a field, or with the empty line of an empty
/// header.
fn has_header(message: &Message<'_>) -> bool {
    message.parts().first().is_some_and(|whole| !whole.header.is_empty())
}

/// Whether a text has encoded words in a known charset.
fn has_words(text: &[u8]) -> bool {
    let is_known = |piece| matches!(piece, Piece::Word(word) if word.encoding().is_some());
    encoded_word::pieces(text, Rules::Lenient).any(is_known)
}

/// Reports the results.
fn tell(report: &Report, messages: u64, (name, is_only): (&str, bool), extracts: bool) {
    if messages == 0 {
        return message::note(&format!("{name}: no message to convert"));
    }
    let done = if extracts { "decoded" } else { "converted" };
    let messages = message::count(messages, "message");
    let texts = told(&report.texts, "text", done);
    let name = if is_only { String::new() } else { format!("{name}: ") };
    let fields = told(&report.fields, "header field", done);
    message::note(&format!("{name}{messages}: {texts}; {fields}"));
    let signed =
        [&report.texts, &report.fields].iter().any(|one| one.left.contains_key(&Reason::Signed));
    if signed {
        message::warning(
            "signed messages were skipped; --force converts them and breaks their signatures",
        );
    }
}

/// A report of the text that should have been converted but was not. Attachments are files and do
/// not count.
fn left_out(report: &Report, too_long: u64, extracts: bool) -> Option<String> {
    let mut left = Vec::new();
    if too_long > 0 {
        let count = message::count(too_long, "message");
        left.push(format!("{count} of more than {} MiB", LONGEST >> 20));
    }
    for (tally, unit) in [(&report.texts, "text"), (&report.fields, "header field")] {
        // The output shows text with U+FFFD, and the names of other parts.
        let counts = |reason| match extracts {
            true => matches!(reason, Reason::TooManyParts | Reason::TooLong),
            false => reason != Reason::Attachment,
        };
        let reasons: Vec<_> = tally.left.iter().filter(|(reason, _)| counts(**reason)).collect();
        let count = reasons.iter().map(|(_, count)| **count).sum();
        if count > 0 {
            let reasons: Vec<_> =
                reasons.iter().map(|(reason, count)| format!("{count} {reason}")).collect();
            left.push(format!("{} ({})", message::count(count, unit), reasons.join(", ")));
        }
    }
    let converted = report.texts.converted + report.fields.converted;
    let how_much = if converted == 0 { "nothing" } else { "not everything" };
    let done = if extracts { "decoded" } else { "converted" };
    (!left.is_empty()).then(|| format!("{how_much} was {done}; skipped: {}", left.join(", ")))
}

fn told(tally: &Tally, unit: &str, done: &str) -> String {
    let mut text = format!("{} {done}", message::count(tally.converted, unit));
    if tally.guessed > 0 {
        text += &format!(" ({} from a guessed charset)", tally.guessed);
    }
    if tally.unchanged > 0 {
        text += &format!(", {} already in the charset", tally.unchanged);
    }
    if tally.left_alone() > 0 {
        let reasons: Vec<_> =
            tally.left.iter().map(|(reason, count)| format!("{count} {reason}")).collect();
        let left = if done == "decoded" { "not decoded completely" } else { "skipped" };
        text += &format!(", {} {left} ({})", tally.left_alone(), reasons.join(", "));
    }
    text
}
