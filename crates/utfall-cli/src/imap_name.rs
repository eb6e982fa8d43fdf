//! `utfall imap-name`: mailbox names read, spelled and checked.

use std::io::{self, BufRead, BufReader};

use serde::Serialize;
use utfall::imap_name::{self, Name};
use utfall::{Encoding, Error};

use crate::cli::{Format, ImapNameArgs};
use crate::excerpt::{Around, Excerpt, REACH};
use crate::failure::Failure;
use crate::message::{self, Annotated};
use crate::output;
use crate::patient::Patient;
use crate::stdout::Stdout;

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
    let mut report =
        Report { out: Stdout::new(), mode, format: args.format, spellings: Vec::new(), wrong: 0 };
    for name in &args.names {
        report.line(name.as_encoded_bytes())?;
    }
    if args.names.is_empty() {
        let mut stdin = BufReader::new(Patient(io::stdin().lock()));
        let mut line = Vec::new();
        loop {
            line.clear();
            let read = stdin.read_until(b'\n', &mut line);
            if read.map_err(Failure::io(|| "cannot read (standard input)".into()))? == 0 {
                break;
            }
            let name = line.strip_suffix(b"\n").unwrap_or(&line);
            report.line(name.strip_suffix(b"\r").unwrap_or(name))?;
        }
    }
    report.end()
}

/// How many octets of a name stand before each of its problems.
const MOST_SHOWN: usize = 256;

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
    /// All that were read, for collisions.
    spellings: Vec<Vec<u8>>,
    /// Names that are not canonical, or texts that are none.
    wrong: u64,
}

impl Report {
    fn line(&mut self, octets: &[u8]) -> Result<(), Failure> {
        match self.mode {
            Mode::Encode => self.encode(octets),
            Mode::Decode | Mode::Check => self.name(octets),
        }
    }

    fn encode(&mut self, octets: &[u8]) -> Result<(), Failure> {
        let Ok(text) = std::str::from_utf8(octets) else {
            self.wrong += 1;
            message::error(&format!("{}: not UTF-8", shown(octets)));
            return Ok(());
        };
        let canonical = imap_name::encode(text);
        match self.format {
            // A result, to be used: printable US-ASCII, and exact.
            Format::Text => self.out.exact(&canonical),
            Format::Json => self.out.object(&Encoded { text, canonical }),
        }
    }

    fn name(&mut self, octets: &[u8]) -> Result<(), Failure> {
        let name = imap_name::decode(octets);
        self.wrong += u64::from(!name.is_canonical());
        self.spellings.push(octets.to_vec());
        if self.format == Format::Json {
            return self.out.object(&Object::name(octets, &name));
        }
        if self.mode == Mode::Decode {
            self.out.text(&message::plain(name.text()))?;
        } else if name.is_canonical() {
            self.out.text(&format!("{}: canonical", shown(octets)))?;
        }
        if name.is_canonical() {
            return Ok(());
        }
        let meant = match name.canonical() {
            Some(canonical) => {
                format!("reads \"{}\", which is spelled {canonical}", message::plain(name.text()))
            }
            None => "has no right spelling".into(),
        };
        // Enough of a name that has no end to know it by; it is told whole once.
        let (whole, begin) = (shown(octets), shown(&octets[..octets.len().min(MOST_SHOWN)]));
        let rest = if octets.len() > MOST_SHOWN { "…" } else { "" };
        for (index, error) in name.problems().iter().enumerate() {
            let what = message::octets(problem_octets(octets, error));
            let (offset, kind, bit) = (error.offset(), error.kind(), message::run_bit(error));
            let title = format!("{begin}{rest}: octet {offset}: {what}: {kind}{bit}");
            if self.mode == Mode::Check {
                self.out.text(&format!("{title} ({})", error.clause()))?;
                continue;
            }
            // Not all of a name that has no end, for each problem in it.
            let from = (offset as usize).saturating_sub(REACH);
            let near = &octets[from..octets.len().min(from + 2 * REACH)];
            let around = Around { start: Vec::new(), offset: from as u64, octets: near.to_vec() };
            let is_last = index + 1 == name.problems().len();
            message::annotated(&Annotated {
                title: &title,
                line: self.spellings.len() as u64,
                excerpt: &Excerpt::new(Encoding::Utf7Imap, error, &around),
                clause: error.clause(),
                help: if is_last { &meant } else { "" },
            });
        }
        match self.mode {
            Mode::Check => self.out.text(&format!("{whole}: {meant}")),
            _ => Ok(()),
        }
    }

    /// The collisions, and what the command as a whole has to say.
    fn end(mut self) -> Result<(), Failure> {
        let spellings = std::mem::take(&mut self.spellings);
        let collisions = imap_name::collisions(&spellings);
        for collision in &collisions {
            let mut names: Vec<_> = collision.members.iter().map(|at| &spellings[*at]).collect();
            names.sort();
            names.dedup();
            let names: Vec<_> = names.into_iter().map(|name| shown(name)).collect();
            let text = &collision.text;
            match self.format {
                Format::Text => {
                    let (names, text) = (names.join(", "), message::plain(text));
                    self.tell(&format!("collision: {names} all read \"{text}\""))?;
                }
                Format::Json => self.out.object(&Object::Collision { text, names })?,
            }
        }
        let (total, collisions) = (spellings.len() as u64, collisions.len() as u64);
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

    /// What is wrong: the report of --check, else for standard error.
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

/// A spelling, as it can be shown.
fn shown(spelling: &[u8]) -> String {
    message::plain(&String::from_utf8_lossy(spelling))
}

fn problem_octets<'n>(name: &'n [u8], error: &Error) -> &'n [u8] {
    let begin = (error.offset() as usize).min(name.len());
    &name[begin..name.len().min(begin + error.length() as usize)]
}

#[derive(Serialize)]
struct Encoded<'a> {
    text: &'a str,
    canonical: String,
}

/// A line of JSON. `IMAP_NAME_HELP` in `cli.rs` documents it.
#[derive(Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
enum Object<'a> {
    Name {
        name: String,
        octets: String,
        text: &'a str,
        canonical: Option<String>,
        problems: Vec<Problem>,
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
    octets: String,
    kind: &'static str,
    message: String,
    clause: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    run_bit: Option<u32>,
}

impl<'a> Object<'a> {
    fn name(octets: &[u8], name: &'a Name) -> Self {
        let problems = name.problems().iter().map(|error| Problem {
            offset: error.offset(),
            length: error.length(),
            octets: message::octets(problem_octets(octets, error)),
            kind: error.kind().name(),
            message: error.kind().to_string(),
            clause: error.clause(),
            run_bit: error.run_bit(),
        });
        Self::Name {
            name: String::from_utf8_lossy(octets).into_owned(),
            octets: message::octets(octets),
            text: name.text(),
            canonical: name.canonical(),
            problems: problems.collect(),
        }
    }
}
