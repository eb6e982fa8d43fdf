//! `utfall check`: every problem of every file, in one pass and bounded memory.

use serde::Serialize;
#[cfg(test)]
use utfall::ErrorKind;
use utfall::lines::Position;
use utfall::{Decoder, Encoding, Error, Granularity, Options, Status, Utf7Leniences};

use crate::cli::{CheckArgs, Format};
use crate::failure::Failure;
use crate::generation::{Generation, Memo, Sequence, is_utf8};
use crate::input::{self, Input, Source};
use crate::stdout::Stdout;
use crate::{label, lenience, message};

pub(crate) fn run(args: &CheckArgs) -> Result<(), Failure> {
    let from = args.from.as_deref().map(label::find).transpose()?;
    let utf7_allow = lenience::allowed(&args.utf7_allow)?;
    let mut report =
        Report { out: Stdout::new(), format: args.format, all: args.all, total: Total::default() };
    for source in input::sources(&args.files) {
        report.total.files += 1;
        match check(&source, from, utf7_allow, &mut report) {
            Ok(()) => {}
            Err(Trouble::Output(failure)) => return Err(failure),
            Err(Trouble::Input(failure)) => report.unreadable(&source, &failure)?,
        }
    }
    report.end()
}

/// Why the check of one input cannot go on.
enum Trouble {
    /// It cannot be read. The others may be.
    Input(Failure),
    /// The report cannot be written.
    Output(Failure),
}

fn check(
    source: &Source,
    from: Option<Encoding>,
    utf7_allow: Utf7Leniences,
    report: &mut Report,
) -> Result<(), Trouble> {
    let mut input = Input::open(source).map_err(Trouble::Input)?;
    let first = input.first_octets().map_err(Trouble::Input)?;
    let mark = Encoding::for_bom(first).map(|(encoding, _)| encoding);
    let encoding = from.or(mark).unwrap_or(Encoding::Utf8);
    let mut found = Found {
        encoding,
        by_mark: from.is_none() && mark.is_some(),
        problems: 0,
        passed: (!utf7_allow.is_empty()).then_some((0, Utf7Leniences::NONE)),
        generation: (encoding == Encoding::Utf8).then(Generation::default),
    };

    let mut decoder = decoder(encoding, utf7_allow).track_position();
    loop {
        input.advance().map_err(Trouble::Input)?;
        let piece = input.piece();
        let (last, mut read) = (piece.is_empty(), 0);
        loop {
            let progress = decoder.validate(&piece[read..], last);
            read += progress.read;
            match progress.status {
                Status::InputEmpty => break,
                Status::OutputFull => {}
                Status::Error(error) => {
                    let position = decoder.error_position().unwrap_or_default();
                    let problem = Problem::new(&input, error, position);
                    found.add(&problem);
                    let is_first = found.problems == 1;
                    report.problem(&problem, is_first).map_err(Trouble::Output)?;
                }
            }
        }
        if last {
            if let Some(passed) = &mut found.passed {
                *passed = (decoder.passed(), decoder.leniences());
            }
            return report.file(&input, &found).map_err(Trouble::Output);
        }
    }
}

/// A decoder that stops at every problem.
fn decoder<'h>(encoding: Encoding, utf7_allow: Utf7Leniences) -> Decoder<'h> {
    let granularity = match is_utf8(encoding) {
        // A whole sequence as an older memo would have read it: that is how Perl counts.
        true => Granularity::Perl,
        false => Granularity::MaximalSubpart,
    };
    Decoder::new(encoding, Options { granularity, utf7_allow, ..Options::default() })
}

/// The kind and the octets of each ill-formed sequence of UTF-8.
#[cfg(test)]
pub(crate) fn ill_formed_sequences(text: &[u8]) -> Vec<(ErrorKind, Vec<u8>)> {
    let mut decoder = decoder(Encoding::Utf8, Utf7Leniences::NONE);
    let mut read = 0;
    let mut sequences = Vec::new();
    loop {
        let progress = decoder.validate(&text[read..], true);
        read += progress.read;
        match progress.status {
            Status::InputEmpty => return sequences,
            Status::OutputFull => {}
            Status::Error(error) => {
                let begin = error.offset() as usize;
                let octets = &text[begin..begin + error.length() as usize];
                sequences.push((error.kind(), octets.to_vec()));
            }
        }
    }
}

/// What was found in one input.
struct Found {
    encoding: Encoding,
    /// Whether a byte order mark said that it is this encoding.
    by_mark: bool,
    problems: u64,
    /// What `--utf7-allow` let pass, if it is given.
    passed: Option<(u64, Utf7Leniences)>,
    /// For UTF-8.
    generation: Option<Generation>,
}

impl Found {
    fn add(&mut self, problem: &Problem<'_>) {
        self.problems += 1;
        if let (Some(generation), Some(sequence)) = (&mut self.generation, &problem.sequence) {
            let Position { line, column } = problem.position;
            generation.add(sequence, &format!("line {line}, column {column}"));
        }
    }
}

/// One ill-formed sequence.
struct Problem<'i> {
    name: &'i str,
    error: Error,
    position: Position,
    octets: &'i [u8],
    /// For UTF-8.
    sequence: Option<Sequence>,
}

impl<'i> Problem<'i> {
    fn new(input: &'i Input, error: Error, position: Position) -> Self {
        let octets = input.octets(error.offset(), error.length());
        let sequence = is_utf8(error.encoding()).then(|| Sequence::new(error.kind(), octets));
        Self { name: input.name(), error, position, octets, sequence }
    }

    fn message(&self) -> String {
        match &self.sequence {
            Some(sequence) => sequence.message.clone(),
            None => format!("{}{}", self.error.kind(), message::run_bit(&self.error)),
        }
    }
}

/// Counts over all files.
#[derive(Default)]
struct Total {
    files: u64,
    problems: u64,
    ill_formed: u64,
    unreadable: u64,
}

/// Writes what was found, as it is found.
struct Report {
    out: Stdout,
    format: Format,
    all: bool,
    total: Total,
}

impl Report {
    fn problem(&mut self, problem: &Problem<'_>, is_first: bool) -> Result<(), Failure> {
        self.total.problems += 1;
        if !self.all && !is_first {
            return Ok(());
        }
        let Problem { name, error, position, octets, sequence } = problem;
        let (clause, octets) = (error.clause(), message::octets(octets));
        match self.format {
            Format::Text => {
                let (Position { line, column }, offset) = (position, error.offset());
                let message = problem.message();
                let mut text =
                    format!("{name}:{line}:{column}: octet {offset}: {octets}: {message}");
                if !clause.is_empty() {
                    text += &format!(" ({clause})");
                }
                if let Some(sequence) = sequence {
                    text += &format!("; {}", sequence.acceptance());
                }
                self.out.text(&text)
            }
            Format::Json => self.out.object(&Object::Problem {
                file: name,
                line: position.line,
                column: position.column,
                offset: error.offset(),
                length: error.length(),
                octets,
                run_bit: error.run_bit(),
                kind: error.kind().name(),
                message: problem.message(),
                clause,
                accepted_by: sequence.as_ref().map(|sequence| names(sequence.accepted_by())),
                code_point: sequence.as_ref().and_then(|s| Some(format!("U+{:04X}", s.point?))),
            }),
        }
    }

    /// The summary of a file.
    fn file(&mut self, input: &Input, found: &Found) -> Result<(), Failure> {
        self.total.ill_formed += u64::from(found.problems > 0);
        let (name, encoding) = (input.name(), found.encoding.name());
        let generation = found.generation.as_ref();
        match self.format {
            Format::Text => {
                let by_mark = if found.by_mark { " (by its byte order mark)" } else { "" };
                let mut text = match found.problems {
                    0 => format!("{name}: well-formed {encoding}{by_mark}"),
                    problems => {
                        let problems = message::count(problems, "problem");
                        format!("{name}: not well-formed {encoding}{by_mark}: {problems}")
                    }
                };
                if found.problems > 1 && !self.all {
                    text += ", the first is shown, --all shows all";
                }
                if let Some((count @ 1.., by)) = found.passed {
                    text += &format!("; {}", lenience::passed(count, by));
                }
                if let Some(generation) = generation {
                    text += &format!("; {}", generation.sentence());
                }
                self.out.text(&text)?;
            }
            Format::Json => self.out.object(&Object::File {
                file: name,
                encoding: Some(encoding),
                octets: Some(input.length()),
                problems: Some(found.problems),
                well_formed: Some(found.problems == 0),
                passed: found.passed.map(|(count, _)| count),
                leniences: found.passed.map(|(_, by)| by.names().collect()),
                valid: generation.map(|generation| names(generation.satisfied())),
                generation: generation.map(Generation::sentence),
                error: None,
            })?,
        }
        self.out.flush()
    }

    /// A file that cannot be read.
    fn unreadable(&mut self, source: &Source, failure: &Failure) -> Result<(), Failure> {
        self.total.unreadable += 1;
        failure.report();
        if self.format == Format::Json {
            let (what, error) = match failure {
                Failure::Io { what, error } => (what.as_str(), message::io_reason(error)),
                _ => ("", String::new()),
            };
            self.out.object(&Object::File {
                file: &input::name(source),
                encoding: None,
                octets: None,
                problems: None,
                well_formed: None,
                passed: None,
                leniences: None,
                valid: None,
                generation: None,
                error: Some(format!("{what}: {error}")),
            })?;
        }
        Ok(())
    }

    /// The total, and what the command as a whole has to say.
    fn end(mut self) -> Result<(), Failure> {
        let Total { files, problems, ill_formed, unreadable } = self.total;
        let outcome = match (unreadable, ill_formed) {
            (0, 0) => Ok(()),
            (0, _) => Err(Failure::IllFormed),
            _ => Err(Failure::Unreadable),
        };
        match self.format {
            Format::Text => {
                let files = message::count(files, "file");
                let problems = message::count(problems, "problem");
                let mut text = format!("total: {files}, {ill_formed} ill-formed, {problems}");
                if unreadable > 0 {
                    text += &format!(", {unreadable} unreadable");
                }
                self.out.text(&text)?;
            }
            Format::Json => self.out.object(&Object::Summary {
                files,
                problems,
                ill_formed_files: ill_formed,
                unreadable_files: unreadable,
                exit_status: outcome.as_ref().err().map_or(0, Failure::exit_status),
            })?,
        }
        self.out.flush()?;
        outcome
    }
}

/// A line of JSON. `CHECK_HELP` in `cli.rs` documents it.
#[derive(Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
enum Object<'a> {
    Problem {
        file: &'a str,
        line: u64,
        column: u64,
        offset: u64,
        length: u32,
        octets: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        run_bit: Option<u32>,
        kind: &'static str,
        message: String,
        clause: &'a str,
        #[serde(skip_serializing_if = "Option::is_none")]
        accepted_by: Option<Vec<&'a str>>,
        #[serde(skip_serializing_if = "Option::is_none")]
        code_point: Option<String>,
    },
    File {
        file: &'a str,
        #[serde(skip_serializing_if = "Option::is_none")]
        encoding: Option<&'a str>,
        #[serde(skip_serializing_if = "Option::is_none")]
        octets: Option<u64>,
        #[serde(skip_serializing_if = "Option::is_none")]
        problems: Option<u64>,
        #[serde(skip_serializing_if = "Option::is_none")]
        well_formed: Option<bool>,
        #[serde(skip_serializing_if = "Option::is_none")]
        passed: Option<u64>,
        #[serde(skip_serializing_if = "Option::is_none")]
        leniences: Option<Vec<&'a str>>,
        #[serde(skip_serializing_if = "Option::is_none")]
        valid: Option<Vec<&'a str>>,
        #[serde(skip_serializing_if = "Option::is_none")]
        generation: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        error: Option<String>,
    },
    Summary {
        files: u64,
        problems: u64,
        ill_formed_files: u64,
        unreadable_files: u64,
        exit_status: u8,
    },
}

fn names(memos: impl IntoIterator<Item = &'static Memo>) -> Vec<&'static str> {
    memos.into_iter().map(|memo| memo.name).collect()
}
