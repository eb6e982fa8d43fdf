//! `utfall detect`: which encoding files are in.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use serde::Serialize;
use utfall::Encoding;
use utfall_detect::{
    Candidate, Detection, Evidence, Extent, Hints, detect_file_with, detect_reader_with,
};
use utfall_tree::walk;

use crate::cli::{DetectArgs, Format};
use crate::failure::Failure;
use crate::file_name::FileName;
use crate::input::{self, Source};
use crate::patient::Patient;
use crate::stdout::Stdout;
use crate::{message, output};

/// What is less probable is not worth a line.
const LEAST: f64 = 0.005;

pub(crate) fn run(args: &DetectArgs) -> Result<(), Failure> {
    output::refuse_as_stdout(&input::sources(&args.files))?;
    let (mut out, hints) = (Stdout::new(), args.hints.hints()?);
    let (mut is_sure, mut can_read) = (true, true);
    // Standard input may stand among files, which a walk knows nothing of.
    let none = [PathBuf::from("-")];
    let arguments = if args.files.is_empty() { &none[..] } else { &args.files };
    for argument in arguments {
        if argument == Path::new("-") {
            let stdin = Patient(io::stdin().lock());
            let found = detect_reader_with(stdin, extent(args), &hints);
            let found = found.map_err(Failure::io(|| "cannot read (standard input)".into()))?;
            is_sure &= report(args, &mut out, &None, &found)?;
            continue;
        }
        let files = walk(std::slice::from_ref(argument), &args.walk.options());
        for file in output::without_stdout(files.map_err(Failure::Usage)?) {
            let (path, result) = match file {
                Ok(file) => {
                    let found = File::open(&file.path);
                    let found = found.and_then(|open| of_file(open, extent(args), &hints));
                    (Some(file.path), found)
                }
                Err(trouble) => (trouble.path, Err(trouble.error)),
            };
            let path = path.unwrap_or_else(|| argument.clone());
            match result {
                Ok(found) => is_sure &= report(args, &mut out, &Some(path), &found)?,
                Err(error) => {
                    can_read = false;
                    let (name, why) = (message::path(&path), message::io_reason(&error));
                    message::error(&format!("cannot read {name}: {why}"));
                }
            }
        }
    }
    out.flush()?;
    match (can_read, is_sure) {
        (false, _) => Err(Failure::Unreadable),
        (_, false) => Err(Failure::IllFormed),
        _ => Ok(()),
    }
}

fn extent(args: &DetectArgs) -> Extent {
    if args.all { Extent::All } else { Extent::Sample }
}

/// What is no file, a pipe with a name, cannot be sought in.
fn of_file(file: File, extent: Extent, hints: &Hints) -> io::Result<Detection> {
    match file.metadata()?.is_file() {
        true => detect_file_with(file, extent, hints),
        false => detect_reader_with(file, extent, hints),
    }
}

/// Writes what a file is. Whether that is sure.
fn report(
    args: &DetectArgs,
    out: &mut Stdout,
    source: &Source,
    found: &Detection,
) -> Result<bool, Failure> {
    let shown: Vec<&Candidate> = found
        .candidates
        .iter()
        .filter(|candidate| candidate.confidence >= LEAST)
        .take(args.candidates.max(1))
        .collect();
    let is_sure = shown.first().is_some_and(|best| best.confidence >= args.min_confidence);
    match args.format {
        Format::Text => text(out, &input::name(source), &shown, is_sure, found)?,
        Format::Json => out.object(&Object::new(source, &shown, is_sure, found))?,
    }
    Ok(is_sure)
}

fn text(
    out: &mut Stdout,
    name: &str,
    shown: &[&Candidate],
    is_sure: bool,
    found: &Detection,
) -> Result<(), Failure> {
    let read = match found.length {
        Some(length) if length == found.read => String::new(),
        Some(length) => format!("; {} of {length} octets read", found.read),
        None => format!("; {} octets read", found.read),
    };
    let Some((first, others)) = shown.split_first() else {
        return out.text(&format!("{name}: no text{read}"));
    };
    let unsure = if is_sure { "" } else { "unsure, perhaps " };
    out.text(&format!("{name}: {unsure}{}{read}", sentence(first)))?;
    others.iter().try_for_each(|other| out.text(&format!("  or {}", sentence(other))))
}

/// `UTF-8 (0.999, 3 well-formed sequences from octet 1, …)`, and what is inside.
pub(crate) fn sentence(candidate: &Candidate) -> String {
    let mut text = format!("{} ({})", candidate.encoding, reasons(candidate));
    if let Some(inside) = &candidate.inside {
        text += &format!("; inside: {} of {}", inside.layer, sentence(&inside.candidate));
    }
    text
}

/// `0.999, 3 well-formed sequences from octet 1, …`.
pub(crate) fn reasons(candidate: &Candidate) -> String {
    let why: Vec<String> = candidate.evidence.iter().map(Evidence::to_string).collect();
    let why = if why.is_empty() { String::new() } else { format!(", {}", why.join("; ")) };
    confidence(candidate.confidence) + &why
}

/// In as many digits as are worth something: `0.97`, `0.999`; never 1 unless it is.
fn confidence(number: f64) -> String {
    match number {
        1.0 => "1".into(),
        0.99.. => format!("{:.3}", (number * 1000.0).floor() / 1000.0),
        _ => format!("{number:.2}"),
    }
}

/// A line of JSON. `docs/detect.md` says what it means.
#[derive(Serialize)]
struct Object {
    #[serde(flatten)]
    file: FileName,
    sure: bool,
    candidates: Vec<Entry>,
    read: u64,
    length: Option<u64>,
}

#[derive(Serialize)]
struct Entry {
    encoding: &'static str,
    confidence: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    doubt: Option<&'static str>,
    evidence: Vec<Reason>,
    #[serde(skip_serializing_if = "Option::is_none")]
    inside: Option<Inside>,
}

#[derive(Serialize)]
struct Reason {
    kind: &'static str,
    count: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    first: Option<u64>,
    text: String,
}

#[derive(Serialize)]
struct Inside {
    layer: &'static str,
    candidate: Box<Entry>,
}

impl Object {
    fn new(source: &Source, shown: &[&Candidate], sure: bool, found: &Detection) -> Self {
        let file = FileName::of_source(source);
        let candidates = shown.iter().map(|candidate| Entry::new(candidate)).collect();
        Self { file, sure, candidates, read: found.read, length: found.length }
    }
}

impl Entry {
    fn new(candidate: &Candidate) -> Self {
        let reason = |evidence: &Evidence| Reason {
            kind: evidence.name(),
            count: evidence.count(),
            first: evidence.first(),
            text: evidence.to_string(),
        };
        let inside = candidate.inside.as_ref().map(|inside| Inside {
            layer: inside.layer.name(),
            candidate: Box::new(Self::new(&inside.candidate)),
        });
        Self {
            encoding: candidate.encoding.name(),
            // More digits would say more than is known.
            confidence: (candidate.confidence * 10_000.0).floor() / 10_000.0,
            doubt: candidate.doubt.map(Encoding::name),
            evidence: candidate.evidence.iter().map(reason).collect(),
            inside,
        }
    }
}
