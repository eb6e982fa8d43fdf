//! `utfall check --hidden`: text that is hidden from whoever looks at the octets.

use std::io::{self, Cursor, Read};

use utfall::Encoding;
use utfall::hidden::Finder;
use utfall::lines::Position;
use utfall_mime::mbox::{Item, Mbox};
use utfall_mime::{Message, hidden};

use super::json;
use super::report::{Detail, Problem, Report, Total};
use super::rules::Level;
use crate::cli::CheckArgs;
use crate::failure::Failure;
use crate::file_name::FileName;
use crate::input::{self, Source};
use crate::{label, mail, message};

/// How much is read to see whether it is mail.
const BEGINNING: u64 = 16 * 1024;
/// How much text is read at a time.
const PIECE: usize = 256 * 1024;

pub(crate) fn run(args: &CheckArgs) -> Result<(), Failure> {
    let from = args.from.as_deref().map(label::find).transpose()?;
    if let Some(from) = from
        && Finder::new(from).is_none()
    {
        return Err(Failure::Usage(format!("nothing is known to be hidden in {from}")));
    }
    let rules = hidden::Kind::all().map(|kind| (kind.name(), kind.to_string(), Level::Error));
    let mut report = Report::new(args, rules)?;
    report.all = true;
    for input in super::inputs(args)? {
        let (source, is_named) = match input {
            Ok(input) => input,
            Err((source, failure)) => {
                report.unreadable(&source, &failure)?;
                continue;
            }
        };
        let name = input::name(&source);
        let before = report.total.errors;
        let looked = look(&source, &name, from, (args.mail, is_named), &mut report);
        report.total.files += u64::from(!matches!(looked, Ok(None)));
        match looked {
            Ok(None) => report.total.binary += 1,
            Ok(Some(looked)) => {
                let places = report.total.errors - before;
                end_file(&mut report, &source, &looked, (places, is_named && !args.quiet))?;
            }
            Err(Trouble::Output(failure)) => return Err(failure),
            Err(Trouble::Input(failure)) => report.unreadable(&source, &failure)?,
        }
    }
    end(report)
}

/// Why the look into one input cannot go on.
enum Trouble {
    /// It cannot be read. The others may be.
    Input(Failure),
    /// The report cannot be written.
    Output(Failure),
}

/// What was looked into.
struct Looked {
    what: &'static str,
    octets: u64,
    /// Messages that were too long.
    too_long: u64,
}

fn look(
    source: &Source,
    name: &str,
    from: Option<Encoding>,
    (is_mail, is_named): (bool, bool),
    report: &mut Report,
) -> Result<Option<Looked>, Trouble> {
    let read = || format!("cannot read {name}");
    let mut reader = mail::open(source, name).map_err(Trouble::Input)?;
    let mut first = Vec::new();
    let beginning = (&mut reader).take(BEGINNING).read_to_end(&mut first);
    beginning.map_err(|error| Trouble::Input(Failure::io(read)(error)))?;
    if !is_named && from.is_none() && utfall_tree::is_binary(&first) {
        return Ok(None);
    }
    let mark = Encoding::for_bom(&first).map(|(encoding, _)| encoding);
    let is_mail = is_mail || from.is_none() && mark.is_none() && looks_like_mail(&first);
    let is_mbox = first.starts_with(mail::FROM);
    let reader = Cursor::new(first).chain(reader);
    let mut look = Look { source, name, octets: 0, line: 1, report };
    let too_long = match is_mail {
        true if is_mbox => look.mbox(reader),
        true => look.message(reader),
        false => look.text(from.or(mark).unwrap_or(Encoding::Utf8), reader).map(|()| 0),
    };
    let what = if is_mail { "mail" } else { from.or(mark).unwrap_or(Encoding::Utf8).name() };
    let octets = look.octets;
    Ok(Some(Looked { what, octets, too_long: too_long? }))
}

/// Whether it begins as an mbox does or with fields of which one is of mail.
fn looks_like_mail(first: &[u8]) -> bool {
    const FIELDS: [&str; 9] = [
        "From",
        "To",
        "Subject",
        "Date",
        "Received",
        "Return-Path",
        "Message-ID",
        "MIME-Version",
        "Content-Type",
    ];
    let message = Message::parse(first);
    let has_field =
        |part| message.fields(part).any(|field| FIELDS.iter().any(|name| field.is(name)));
    first.starts_with(mail::FROM) || message.parts().first().is_some_and(has_field)
}

/// A look into one input.
struct Look<'a> {
    source: &'a Source,
    name: &'a str,
    /// How many octets are behind, and which line begins there.
    octets: u64,
    line: u64,
    report: &'a mut Report,
}

impl Look<'_> {
    fn text(&mut self, encoding: Encoding, mut reader: impl Read) -> Result<(), Trouble> {
        let Some(mut finder) = Finder::new(encoding) else { return Ok(()) };
        let mut piece = vec![0; PIECE];
        loop {
            let count = match reader.read(&mut piece) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                count => count.map_err(|error| self.unreadable(error))?,
            };
            let mut result = Ok(());
            finder.find(&piece[..count], count == 0, |found| {
                if result.is_ok() {
                    result = self.place(
                        (found.kind.name(), found.kind.to_string(), found.position),
                        (found.offset, found.length),
                        (&found.text, found.reason),
                    );
                }
            });
            result.map_err(Trouble::Output)?;
            self.octets += count as u64;
            if count == 0 {
                return Ok(());
            }
        }
    }

    /// A file with one message in it. Says how many were too long.
    fn message(&mut self, reader: impl Read) -> Result<u64, Trouble> {
        let mut octets = Vec::new();
        let result = reader.take(mail::LONGEST as u64 + 1).read_to_end(&mut octets);
        result.map_err(|error| self.unreadable(error))?;
        if octets.len() > mail::LONGEST {
            return Ok(1);
        }
        self.look_into(&Message::parse(&octets))?;
        self.octets += octets.len() as u64;
        Ok(0)
    }

    fn mbox(&mut self, reader: impl Read) -> Result<u64, Trouble> {
        let mut mbox = Mbox::new(reader, mail::LONGEST);
        while let Some(item) = mbox.next().map_err(|error| self.unreadable(error))? {
            let octets = match item {
                Item::Message(octets) => {
                    self.look_into(&Message::parse_quoted(octets))?;
                    octets
                }
                Item::Other(octets) => octets,
            };
            self.octets += octets.len() as u64;
            self.line += line_ends(octets);
        }
        Ok(mbox.too_long())
    }

    fn look_into(&mut self, message: &Message<'_>) -> Result<(), Trouble> {
        let position = Position { line: self.line, column: 1 };
        let mut lines = Lines { src: message.src(), at: 0, position };
        let mut result = Ok(());
        hidden::find(message, |found| {
            if result.is_ok() {
                result = self.place(
                    (found.kind.name(), found.kind.to_string(), lines.position(found.offset)),
                    (self.octets + found.offset as u64, found.length as u64),
                    (&found.text, found.reason),
                );
            }
        });
        result.map_err(Trouble::Output)
    }

    fn place(
        &mut self,
        (rule, message, position): (&'static str, String, Position),
        (offset, length): (u64, u64),
        (text, reason): (&str, &str),
    ) -> Result<(), Failure> {
        let problem = Problem {
            source: self.source,
            file: self.name,
            rule,
            level: Level::Error,
            position,
            offset,
            length,
            message,
            clause: reason,
            detail: Detail::Hidden { text },
        };
        self.report.problem(&problem, true).map(drop)
    }

    fn unreadable(&self, error: io::Error) -> Trouble {
        Trouble::Input(Failure::io(|| format!("cannot read {}", self.name))(error))
    }
}

fn line_ends(octets: &[u8]) -> u64 {
    octets.iter().filter(|octet| **octet == b'\n').count() as u64
}

/// Lines and columns of a message, asked for mostly in ascending order.
struct Lines<'a> {
    src: &'a [u8],
    at: usize,
    position: Position,
}

impl Lines<'_> {
    fn position(&mut self, offset: usize) -> Position {
        let is_back = offset < self.at;
        let between = match is_back {
            true => &self.src[offset..self.at],
            false => &self.src[self.at..offset],
        };
        // What may continue a character of UTF-8 is no column.
        let columns = |octets: &[u8]| octets.iter().filter(|o| **o & 0xC0 != 0x80).count() as u64;
        let position = &mut self.position;
        let lines = line_ends(between);
        match (lines, is_back) {
            (0, true) => position.column -= columns(between),
            (0, false) => position.column += columns(between),
            _ => {
                let before = &self.src[..offset];
                let begin =
                    before.iter().rposition(|octet| *octet == b'\n').map_or(0, |end| end + 1);
                position.line = if is_back { position.line - lines } else { position.line + lines };
                position.column = 1 + columns(&before[begin..]);
            }
        }
        self.at = offset;
        *position
    }
}

/// The summary of a file.
fn end_file(
    report: &mut Report,
    source: &Source,
    looked: &Looked,
    (places, is_named): (u64, bool),
) -> Result<(), Failure> {
    let name = input::name(source);
    report.total.failed += u64::from(places > 0);
    let Looked { what, octets, too_long } = *looked;
    if too_long > 0 {
        report.total.unreadable += 1;
        let count = message::count(too_long, "message");
        let most = mail::LONGEST >> 20;
        message::error(&format!("{name}: {count} of more than {most} MiB not looked into"));
    }
    let found = match places {
        0 if too_long > 0 => "nothing hidden in what was looked into".into(),
        0 => "nothing hidden".into(),
        places => format!("hidden text in {}", message::count(places, "place")),
    };
    let is_listed = is_named || places > 0 || too_long > 0;
    report.file(
        is_listed.then(|| format!("{name}: {found} ({what})")),
        &json::File {
            file: FileName::of_source(source),
            read_as: Some(what),
            octets: Some(octets),
            hidden: Some(places),
            too_long: (too_long > 0).then_some(too_long),
            ..json::File::default()
        },
    )
}

/// The total, and what the command as a whole has to say.
fn end(report: Report) -> Result<(), Failure> {
    let Total { files, errors: places, failed: hidden, unreadable, .. } = report.total;
    let outcome = match (unreadable, hidden) {
        (0, 0) => Ok(()),
        (_, 1..) => Err(Failure::IllFormed),
        _ => Err(Failure::Unreadable),
    };
    let (count, found) = (message::count(files, "file"), message::count(places, "place"));
    let mut text = format!("total: {count}, {hidden} with hidden text, {found}");
    if unreadable > 0 {
        text += &format!(", {unreadable} not read, or not whole");
    }
    let summary = json::Summary {
        files,
        hidden: Some(places),
        hidden_files: Some(hidden),
        unreadable_files: unreadable,
        ..json::Summary::default()
    };
    report.end(text, summary, outcome)
}
