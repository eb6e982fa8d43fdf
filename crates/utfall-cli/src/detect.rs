//! `utfall detect`: the encoding of files.

mod manifest;
mod text;

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use utfall_bind::detect::{Object, shown};
use utfall_detect::{
    Candidate, Detection, Evidence, Extent, Hints, detect_file_with, detect_reader_with,
};
use utfall_tree::walk;

use crate::cli::{DetectArgs, DetectFormat};
use crate::failure::Failure;
use crate::file_name::FileName;
use crate::guess::Verdict;
use crate::input::{self, Source};
use crate::patient::{Ended, Patient};
use crate::stdout::Stdout;
use crate::{message, output};
use manifest::Manifest;
use text::Columns;

/// The number of candidates that `--verbose` shows.
const VERBOSE_CANDIDATES: usize = 3;

/// A file to examine, or the error that prevents it.
struct Input {
    source: Source,
    /// Whether it is itself an argument, not a file in a directory.
    is_named: bool,
    trouble: Option<io::Error>,
}

/// The answer for a file.
struct Answer<'a> {
    source: &'a Source,
    is_named: bool,
    found: &'a Detection,
    /// The candidates to be shown, the likeliest first.
    shown: Vec<&'a Candidate>,
    verdict: Verdict<'a>,
}

pub(crate) fn run(args: &DetectArgs) -> Result<(), Failure> {
    output::refuse_as_stdout(&input::sources(&args.files))?;
    let hints = args.hints.hints(args.labels.get())?;
    let inputs = inputs(args)?;
    let mut report = Report::new(args, &inputs)?;
    let mut can_read = true;
    input::tell_of_terminal(&args.files);
    for input in inputs {
        let Input { source, is_named, trouble } = input;
        let found = match trouble {
            Some(error) => Err(error),
            None => look(&source, report.extent, &hints),
        };
        match found {
            Ok(found) => report.file(&source, is_named, &found)?,
            Err(error) => {
                can_read = false;
                let (name, why) = (input::name(&source), message::io_reason(&error));
                message::error(&format!("cannot read {name}: {why}"));
            }
        }
    }
    let is_sure = report.end()?;
    match (can_read, is_sure) {
        (false, _) => Err(Failure::Unreadable),
        (_, false) => Err(Failure::IllFormed),
        _ => Ok(()),
    }
}

/// The inputs that FILE… names. One of them may be standard input, which a walk does not know.
fn inputs(args: &DetectArgs) -> Result<Vec<Input>, Failure> {
    let stdin = || Input { source: None, is_named: true, trouble: None };
    if args.files.is_empty() {
        return Ok(vec![stdin()]);
    }
    let mut inputs = Vec::new();
    for argument in &args.files {
        if argument == Path::new("-") {
            inputs.push(stdin());
            continue;
        }
        let files = walk(std::slice::from_ref(argument), &args.walk.options());
        for file in output::without_stdout(files.map_err(Failure::Usage)?) {
            inputs.push(match file {
                Ok(file) => {
                    Input { source: Some(file.path), is_named: file.is_named, trouble: None }
                }
                Err(trouble) => {
                    let path: PathBuf = trouble.path.unwrap_or_else(|| argument.clone());
                    Input { source: Some(path), is_named: true, trouble: Some(trouble.error) }
                }
            });
        }
    }
    Ok(inputs)
}

fn look(source: &Source, extent: Extent, hints: &Hints) -> io::Result<Detection> {
    let Some(path) = source else {
        return detect_reader_with(Ended::new(Patient(io::stdin().lock())), extent, hints);
    };
    let file = File::open(path)?;
    // Only regular files can seek; a named pipe cannot.
    match file.metadata()?.is_file() {
        true => detect_file_with(file, extent, hints),
        false => detect_reader_with(file, extent, hints),
    }
}

/// Writes the answers.
struct Report<'a> {
    args: &'a DetectArgs,
    out: Stdout,
    columns: Columns,
    manifest: Option<Manifest>,
    /// How much of a file to read.
    extent: Extent,
    is_sure: bool,
}

impl<'a> Report<'a> {
    fn new(args: &'a DetectArgs, inputs: &[Input]) -> Result<Self, Failure> {
        let manifest = match args.format {
            DetectFormat::Manifest => Some(Manifest::new(inputs)?),
            DetectFormat::Text | DetectFormat::Json => None,
        };
        // A manifest decides how files are converted, so a sample is not enough.
        let extent = if args.all || manifest.is_some() { Extent::All } else { Extent::Sample };
        let columns = Columns::new(inputs.iter().map(|input| input::name(&input.source)));
        Ok(Self { args, out: Stdout::new(), columns, manifest, extent, is_sure: true })
    }

    fn file(&mut self, source: &Source, is_named: bool, found: &Detection) -> Result<(), Failure> {
        let most = match (self.args.candidates, self.args.verbose) {
            (Some(most), _) => most,
            (None, true) => VERBOSE_CANDIDATES,
            (None, false) => 1,
        };
        let shown = shown(found, most);
        let verdict = Verdict::on(&found.candidates, self.args.min_confidence);
        let is_sure = verdict.is_sure();
        let answer = Answer { source, is_named, found, shown, verdict };
        if let Some(manifest) = &mut self.manifest {
            self.is_sure &= manifest.file(&answer, &mut self.out)?;
            return Ok(());
        }
        self.is_sure &= is_sure;
        match self.args.format {
            DetectFormat::Json => {
                let name = FileName::of_source(source);
                self.out.object(&Object::new(name, found, &answer.shown, is_sure))
            }
            _ if self.args.brief => self.out.text(text::word(&answer)),
            _ => text::write(&answer, &self.columns, self.args.verbose, &mut self.out),
        }
    }

    /// Ends the report. Returns whether all encodings are known.
    fn end(mut self) -> Result<bool, Failure> {
        self.out.flush()?;
        if let Some(manifest) = self.manifest {
            manifest.end();
        }
        Ok(self.is_sure)
    }
}

/// `0.999, 3 well-formed sequences from byte 1, …`.
pub(crate) fn reasons(candidate: &Candidate) -> String {
    let why: Vec<String> = candidate.evidence.iter().map(Evidence::to_string).collect();
    let why = if why.is_empty() { String::new() } else { format!(", {}", why.join("; ")) };
    confidence(candidate.confidence) + &why
}

/// A confidence with its meaningful digits: `0.97`, `0.999`; `1` only if it is exactly 1.
fn confidence(number: f64) -> String {
    match number {
        1.0 => "1".into(),
        0.99.. => format!("{:.3}", (number * 1000.0).floor() / 1000.0),
        _ => format!("{number:.2}"),
    }
}
