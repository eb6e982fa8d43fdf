//! `utfall imap-name`: mailbox names decoded, encoded and checked.

use std::io::{self, BufRead, BufReader, Read};

use serde::Serialize;
use utfall::imap_name::{self, Name};
use utfall::{Encoding, Error};

use crate::cli::{Format, ImapNameArgs};
use crate::excerpt::{Around, Excerpt, Place, REACH};
use crate::failure::Failure;
use crate::message::{self, Annotated};
use crate::patient::Patient;
use crate::stdout::Stdout;
use crate::{input, output, width};

pub(crate) fn run(args: &ImapNameArgs) -> Result<(), Failure> {
    let mode = match &args.mode {
        mode if mode.encode => Mode::Encode,
        mode if mode.check => Mode::Check,
        _ => Mode::Decode,
    };
    if args.names.is_empty() {
        output::refuse_as_stdout(&[None])?;
        output::refuse_as_stderr(&[None])?;
    }
    let mut report = Report {
        out: Stdout::new(),
        mode,
        format: args.format,
        names: 0,
        spellings: Spellings::default(),
        wrong: 0,
        unsaid: 0,
    };
    for name in &args.names {
        report.line(name.as_encoded_bytes())?;
    }
    if args.names.is_empty() {
        input::tell_of_terminal(&[]);
        let mut stdin = BufReader::new(Patient(io::stdin().lock()));
        let mut line = Vec::new();
        loop {
            let skipped = read_line(&mut stdin, &mut line);
            let skipped = skipped.map_err(Failure::io(|| "cannot read (standard input)".into()))?;
            if line.is_empty() {
                break;
            }
            if skipped > 0 {
                report.too_long()?;
                continue;
            }
            let name = line.strip_suffix(b"\n").unwrap_or(&line);
            report.line(name.strip_suffix(b"\r").unwrap_or(name))?;
        }
    }
    report.end()
}

/// The maximum length of a name in bytes. Servers allow a few hundred.
const LONGEST: usize = 64 << 10;
/// The number of problems reported per name; others are counted.
const MOST_PROBLEMS: usize = 16;
/// The number of names explained on standard error; others are counted. --check reports all of
/// them.
const MOST_EXPLAINED: u64 = 1000;
/// The number of bytes of a name that titles of its problems show.
const MOST_SHOWN: usize = 64;
/// The number of characters of a text and of its spelling that standard error shows.
const MOST_SAID: usize = 256;

/// Reads a line with its end, at most as much as a name may have. Returns the number of bytes
/// skipped.
fn read_line(reader: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<usize> {
    line.clear();
    let most = LONGEST + "\r\n".len();
    reader.by_ref().take(most as u64).read_until(b'\n', line)?;
    match line.len() == most && !line.ends_with(b"\n") {
        true => reader.skip_until(b'\n'),
        false => Ok(0),
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    Decode,
    Encode,
    Check,
}

struct Report {
    out: Stdout,
    mode: Mode,
    format: Format,
    /// The number of names so far.
    names: u64,
    /// Names that were read, for collisions.
    spellings: Spellings,
    /// Names that are not canonical, or texts that are not UTF-8.
    wrong: u64,
    /// The number of these that were not explained, because there were too many.
    unsaid: u64,
}

/// Many names, one after the other.
#[derive(Default)]
struct Spellings {
    bytes: Vec<u8>,
    ends: Vec<usize>,
}

impl Spellings {
    /// Keeps a name, unless it repeats the last one.
    fn push(&mut self, name: &[u8]) {
        if self.all().next_back() != Some(name) {
            self.bytes.extend_from_slice(name);
            self.ends.push(self.bytes.len());
        }
    }

    fn all(&self) -> impl DoubleEndedIterator<Item = &[u8]> {
        (0..self.ends.len()).map(|at| {
            let begin = at.checked_sub(1).map_or(0, |before| self.ends[before]);
            &self.bytes[begin..self.ends[at]]
        })
    }
}

impl Report {
    fn line(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        if bytes.len() > LONGEST {
            return self.too_long();
        }
        self.names += 1;
        match self.mode {
            Mode::Encode => self.encode(bytes),
            Mode::Decode | Mode::Check => self.name(bytes),
        }
    }

    fn too_long(&mut self) -> Result<(), Failure> {
        self.names += 1;
        self.wrong += 1;
        if self.format == Format::Json {
            return self.out.object(&Object::TooLong { number: self.names });
        }
        let number = self.names;
        self.tell(&format!("name {number} is longer than {} KiB; skipped", LONGEST >> 10))
    }

    fn encode(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        let Ok(text) = std::str::from_utf8(bytes) else {
            self.wrong += 1;
            message::error(&format!("{}: not UTF-8", shown(bytes)));
            return Ok(());
        };
        let canonical = imap_name::encode(text);
        match self.format {
            // Output for other programs: printable US-ASCII, and exact.
            Format::Text => self.out.exact(&canonical),
            Format::Json => self.out.object(&Object::Spelling { text, canonical }),
        }
    }

    fn name(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        let name = imap_name::decode(bytes);
        self.wrong += u64::from(!name.is_canonical());
        self.spellings.push(bytes);
        if self.format == Format::Json {
            return self.out.object(&Object::name(bytes, &name));
        }
        match self.mode {
            Mode::Check if name.is_canonical() => {
                self.out.text(&format!("{}: canonical", shown(bytes)))
            }
            Mode::Check => self.report(bytes, &name),
            _ => {
                self.out.text(&message::plain(name.text()))?;
                if !name.is_canonical() {
                    match self.wrong <= MOST_EXPLAINED {
                        true => self.explain(bytes, &name),
                        false => self.unsaid += 1,
                    }
                }
                Ok(())
            }
        }
    }

    /// Writes the problems of a name to the report.
    fn report(&mut self, bytes: &[u8], name: &Name) -> Result<(), Failure> {
        for error in name.problems().iter().take(MOST_PROBLEMS) {
            self.out.text(&format!("{} ({})", title(bytes, error), error.clause()))?;
        }
        let whole = shown(bytes);
        if let Some(more) = more_problems(name) {
            self.out.text(&format!("{}: {more}", beginning(bytes)))?;
        }
        self.out.text(&format!("{whole}: {}", meant(name, usize::MAX)))
    }

    /// Writes the problems of a name to standard error, with the places marked.
    fn explain(&self, bytes: &[u8], name: &Name) {
        let told = name.problems().len().min(MOST_PROBLEMS);
        for (index, error) in name.problems()[..told].iter().enumerate() {
            // Only the surroundings: a long name is not copied for each of its problems.
            let from = (error.offset() as usize).saturating_sub(REACH);
            let near = &bytes[from..bytes.len().min(from + 2 * REACH)];
            let around = Around { start: Vec::new(), offset: from as u64, bytes: near.to_vec() };
            let place = Place::of(error, self.names);
            let help = (index + 1 == told).then(|| meant(name, MOST_SAID));
            message::annotated(&Annotated {
                title: &title(bytes, error),
                line: self.names,
                excerpt: &Excerpt::new(Encoding::Utf7Imap, &place, &around, width::columns()),
                clause: error.clause(),
                help: help.as_slice(),
            });
        }
        if let Some(more) = more_problems(name) {
            message::error(&format!("{}: {more}", beginning(bytes)));
        }
    }

    /// Writes the collisions and the summary.
    fn end(mut self) -> Result<(), Failure> {
        if self.unsaid > 0 {
            let names = message::count(self.unsaid, "more name");
            let verb = if self.unsaid == 1 { "is" } else { "are" };
            message::error(&format!("{names} {verb} not canonical; --check reports all of them"));
        }
        let kept = std::mem::take(&mut self.spellings);
        let spellings: Vec<_> = kept.all().collect();
        let collisions = imap_name::collisions(&spellings);
        for collision in &collisions {
            let mut names: Vec<_> = collision.members.iter().map(|at| spellings[*at]).collect();
            names.sort();
            names.dedup();
            let names: Vec<_> = names.into_iter().map(shown).collect();
            let text = &collision.text;
            match self.format {
                Format::Text => {
                    let (names, text) = (names.join(", "), message::plain(text));
                    self.tell(&format!("collision: {names} all mean \"{text}\""))?;
                }
                Format::Json => self.out.object(&Object::Collision { text, names })?,
            }
        }
        let (total, collisions) = (self.names, collisions.len() as u64);
        let outcome = match (self.wrong, collisions) {
            (0, 0) => Ok(()),
            _ => Err(Failure::IllFormed),
        };
        let wrong = self.wrong;
        match (self.mode, self.format) {
            (Mode::Encode, _) | (Mode::Decode, Format::Text) => {}
            (Mode::Check, Format::Text) => {
                let names = message::count(total, "name");
                let collisions = message::count(collisions, "collision");
                self.out.text(&format!("total: {names}, {wrong} not canonical, {collisions}"))?;
            }
            (_, Format::Json) => self.out.object(&Object::Summary {
                names: total,
                not_canonical: wrong,
                collisions,
                exit_status: outcome.as_ref().err().map_or(0, Failure::exit_status),
            })?,
        }
        self.out.flush()?;
        outcome
    }

    /// Writes a problem to the report of --check, or to standard error.
    fn tell(&mut self, text: &str) -> Result<(), Failure> {
        match self.mode {
            Mode::Check => self.out.text(text),
            _ => {
                message::error(text);
                Ok(())
            }
        }
    }
}

/// A printable form of a spelling.
fn shown(spelling: &[u8]) -> String {
    message::plain(&String::from_utf8_lossy(spelling))
}

/// The beginning of a spelling, to recognize it by.
fn beginning(spelling: &[u8]) -> String {
    let rest = if spelling.len() > MOST_SHOWN { "…" } else { "" };
    shown(&spelling[..spelling.len().min(MOST_SHOWN)]) + rest
}

/// The place of a problem in a spelling, and its kind.
fn title(spelling: &[u8], error: &Error) -> String {
    let what = message::bytes(problem_bytes(spelling, error));
    let (offset, kind, bit) = (error.offset(), error.kind(), message::run_bit(error));
    format!("{}: byte {offset}: {what}: {kind}{bit}", beginning(spelling))
}

/// `and 4093 more problems`.
fn more_problems(name: &Name) -> Option<String> {
    let more = name.problems().len().checked_sub(MOST_PROBLEMS).filter(|more| *more > 0)?;
    Some(format!("and {}", message::count(more as u64, "more problem")))
}

/// The meaning of a name and its canonical spelling, each at most `most` characters.
fn meant(name: &Name, most: usize) -> String {
    let cut = |text: &str| match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    };
    match name.canonical() {
        Some(canonical) => {
            let text = message::plain(&cut(name.text()));
            format!("means \"{text}\"; the canonical spelling is {}", cut(&canonical))
        }
        None => "has no canonical spelling".into(),
    }
}

fn problem_bytes<'n>(name: &'n [u8], error: &Error) -> &'n [u8] {
    let begin = (error.offset() as usize).min(name.len());
    &name[begin..name.len().min(begin + error.length() as usize)]
}

/// A line of JSON.
#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Object<'a> {
    Spelling {
        text: &'a str,
        canonical: String,
    },
    Name {
        name: String,
        hex: String,
        text: &'a str,
        canonical: Option<String>,
        problems: Vec<Problem>,
        /// The number of problems not in the list.
        #[serde(skip_serializing_if = "Option::is_none")]
        more_problems: Option<usize>,
    },
    TooLong {
        number: u64,
    },
    Collision {
        text: &'a str,
        names: Vec<String>,
    },
    Summary {
        names: u64,
        not_canonical: u64,
        collisions: u64,
        exit_status: u8,
    },
}

#[derive(Serialize)]
struct Problem {
    offset: u64,
    length: u32,
    hex: String,
    kind: &'static str,
    message: String,
    clause: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    run_bit: Option<u32>,
}

impl<'a> Object<'a> {
    fn name(bytes: &[u8], name: &'a Name) -> Self {
        let problems = name.problems().iter().take(MOST_PROBLEMS).map(|error| Problem {
            offset: error.offset(),
            length: error.length(),
            hex: message::bytes(problem_bytes(bytes, error)),
            kind: error.kind().name(),
            message: error.kind().to_string(),
            clause: error.clause(),
            run_bit: error.run_bit(),
        });
        Self::Name {
            name: String::from_utf8_lossy(bytes).into_owned(),
            hex: message::bytes(bytes),
            text: name.text(),
            canonical: name.canonical(),
            problems: problems.collect(),
            more_problems: name
                .problems()
                .len()
                .checked_sub(MOST_PROBLEMS)
                .filter(|more| *more > 0),
        }
    }
}
