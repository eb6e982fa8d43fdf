//! `utfall repair`: files read in pieces, repaired by lines, reported change by change.

mod given;
mod parts;
mod report;
mod undo;

use std::convert::Infallible;
use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use utfall::{Decoder, Encoding, Status};
use utfall_repair::{Options, Piece, Repairer};
use utfall_tree::{Journal, Keep, Replacement, back_up, is_as_it_was, walk};

use crate::cli::RepairArgs;
use crate::config::Config;
use crate::failure::Failure;
use crate::file_name::FileName;
use crate::input::{self, Input, Source};
use crate::likely::{BEFORE, Likely, Sample};
use crate::output::{self, Output};
use crate::{in_place, interrupt, kept, message};
use given::Given;
use report::{Report, Seen};

pub(crate) fn run(args: &RepairArgs) -> Result<(), Failure> {
    if let Some(report) = &args.undo {
        return undo::run(args, report);
    }
    match args {
        RepairArgs { in_place: Some(_), .. } => in_place(args),
        _ if args.dry_run || args.diff => look(args),
        _ => write_text(args),
    }
}

/// Passes on the pieces of a text. Returns the encoding it looks like if it stays invalid.
fn repair(
    input: &mut Input,
    args: &RepairArgs,
    mut sink: impl FnMut(Piece<'_>) -> Result<(), Failure>,
) -> Result<Option<Likely>, Failure> {
    let mut repairer = Repairer::new(
        Options::new()
            .with_min_confidence(args.min_confidence)
            .with_json_escapes(args.json_escapes.are_read_in(input.source()))
            .with_html_entities(args.html_entities)
            .with_percent_encoding(args.percent_encoding)
            .with_force(args.force),
    );
    let mut rest = Rest::new();
    let mut sink = |piece: Piece<'_>| {
        let Ok(()) = piece.repaired(|bytes| {
            rest.look(bytes, false);
            Ok::<_, Infallible>(())
        });
        sink(piece)
    };
    loop {
        input.advance()?;
        if input.piece().is_empty() {
            break;
        }
        repairer.push(input.piece(), &mut sink)?;
    }
    repairer.finish(sink)?;
    rest.look(b"", true);
    Ok(rest.likely())
}

/// Validates the result of a repair: if it is invalid, the text may never have been UTF-8.
struct Rest {
    decoder: Decoder<'static>,
    /// The last bytes, and the offset of their end.
    recent: Vec<u8>,
    end: u64,
    /// The text around the first error.
    sample: Option<Sample>,
}

impl Rest {
    /// How many recent bytes to keep, for the error and the part of the sample before it.
    const KEPT: usize = BEFORE + 16;

    fn new() -> Self {
        let decoder = Decoder::new(Encoding::Utf8, utfall::Options::default());
        Self { decoder, recent: Vec::new(), end: 0, sample: None }
    }

    /// Looks at the next bytes of the result, the last ones if `is_last`.
    fn look(&mut self, bytes: &[u8], is_last: bool) {
        if let Some(sample) = &mut self.sample {
            return sample.push(bytes);
        }
        let begin = self.end - self.recent.len() as u64;
        self.end += bytes.len() as u64;
        if let Status::Error(error) = self.decoder.validate(bytes, is_last).status {
            let offset = error.offset().saturating_sub(BEFORE as u64).max(begin);
            let skipped = (offset - begin) as usize;
            let recent = self.recent.get(skipped..).unwrap_or_default().to_vec();
            let mut sample = Sample { offset, bytes: recent };
            sample.push(&bytes[skipped.saturating_sub(self.recent.len())..]);
            self.sample = Some(sample);
            return;
        }
        self.recent.extend_from_slice(&bytes[bytes.len().saturating_sub(Self::KEPT)..]);
        // Draining after every short piece would move the bytes too often.
        if self.recent.len() > 4 * Self::KEPT {
            self.recent.drain(..self.recent.len() - Self::KEPT);
        }
    }

    fn likely(&self) -> Option<Likely> {
        self.sample.as_ref().and_then(|sample| sample.likely(Encoding::Utf8))
    }
}

/// Repairs all files as one text.
fn write_text(args: &RepairArgs) -> Result<(), Failure> {
    let all = given::all(args)?;
    let sources: Vec<Source> = all.iter().filter_map(Given::source).cloned().collect();
    let mut output = Output::open(args.output.as_deref(), &sources, args.overwrite_input)?;
    let mut report = Report::silent(args)?;
    if given::reads_stdin(args) && !args.quiet {
        input::tell_of_terminal(&[]);
    }
    for given in &all {
        let mut input = given.open()?;
        report.begin(given.name());
        let likely = repair(&mut input, args, |piece| {
            report.piece(&piece)?;
            piece.repaired(|bytes| output.write(bytes))
        })?;
        report.looks_like(likely, input.source());
        report.end("repaired")?;
    }
    // Without its report, a repair cannot be reverted.
    report.finish()?;
    output.finish()?;
    if !args.quiet {
        report.note();
    }
    Ok(())
}

/// The files to repair. Inaccessible files are reported.
fn files(
    args: &RepairArgs,
    named: &[PathBuf],
    report: &mut Report,
) -> Result<Vec<PathBuf>, Failure> {
    let config = Config::load(&args.config)?;
    let found = walk(named, &args.walk.options_with(&config))
        .map_err(|text| Failure::Usage(format!("--glob: {text}")))?;
    let mut files = Vec::new();
    for file in output::without_stdout(found) {
        match file {
            // The report itself is not an input.
            Ok(file) if !file.is_named && report.is(&file.path) => {}
            Ok(file) if !file.is_named && !config.may_repair(&file.path) => {}
            Ok(file) if file.is_named || !input::looks_binary(&file.path) => files.push(file.path),
            Ok(_) => {}
            Err(trouble) => {
                let name = FileName::of(trouble.path.as_deref().unwrap_or(Path::new("(unknown)")));
                let reason = message::io_reason(&trouble.error);
                report.failed(name, &format!("cannot read: {reason}"))?;
            }
        }
    }
    Ok(files)
}

/// Writes a report or a diff.
fn look(args: &RepairArgs) -> Result<(), Failure> {
    output::refuse_as_stdout(&input::sources(&args.files))?;
    let mut report = Report::new(args)?;
    if given::reads_stdin(args) && !args.quiet {
        input::tell_of_terminal(&[]);
    }
    for given in given::in_trees(args, |named| files(args, named, &mut report))? {
        let result = given.open().and_then(|mut input| {
            report.begin(given.name());
            let likely = repair(&mut input, args, |piece| report.piece(&piece))?;
            report.looks_like(likely, input.source());
            report.end("to_repair")
        });
        report.survive(given.name(), result)?;
    }
    report.finish()?;
    match report.changes() {
        0 => report.status(),
        _ => report.status().and(Err(Failure::IllFormed)),
    }
}

/// Repairs files one by one.
fn in_place(args: &RepairArgs) -> Result<(), Failure> {
    let suffix = in_place::suffix(args.in_place.as_ref())?;
    if args.files.is_empty() || args.files.iter().any(|file| file == Path::new("-")) {
        return Err(Failure::Usage("--in-place cannot be used with standard input".into()));
    }
    output::refuse_as_stdout(&input::sources(&args.files))?;
    interrupt::watch();
    let mut report = Report::new(args)?;
    let _locks = kept::lock(&args.files)?;
    let keeping = match suffix.is_some() || args.no_undo {
        true => None,
        false => Some(kept::begin("UTF-8", false, &args.keep)?),
    };
    let journal = keeping.as_ref().map(|keeping| &keeping.journal);
    for path in files(args, &args.files, &mut report)? {
        let result = replace(&path, args, suffix, journal, &mut report);
        report.survive(FileName::of(&path), result)?;
    }
    report.finish()?;
    if let Some(keeping) = keeping.filter(|_| !args.quiet) {
        keeping.tell();
    }
    report.status()
}

/// Replaces a file that needs repairs.
fn replace(
    path: &Path,
    args: &RepairArgs,
    suffix: Option<&OsStr>,
    journal: Option<&Journal>,
    report: &mut Report,
) -> Result<(), Failure> {
    let source: Source = Some(PathBuf::from(path));
    let unread = || format!("cannot read {}", message::path(path));
    let before = in_place::regular(path).map_err(Failure::io(unread))?;
    // Most files need no repair, and are not written.
    let mut seen = Seen::nothing(true);
    let mut skipped = Vec::new();
    let likely = repair(&mut Input::open(&source)?, args, |piece| {
        seen.add(&piece);
        skipped.extend_from_slice(piece.skipped);
        Ok(())
    })?;
    report.begin(FileName::of(path));
    report.looks_like(likely, &source);
    let count = seen.count();
    if count.changes == 0 {
        report.skip(&skipped)?;
        return report.unchanged(count);
    }
    let mut input = Input::open(&source)?;
    let failed = || format!("cannot write {}", message::path(path));
    let mut new = Replacement::of(path).map_err(Failure::io(failed))?;
    let (mut buffer, mut seen) = (Vec::new(), Seen::nothing(true));
    repair(&mut input, args, |piece| {
        report.piece(&piece)?;
        seen.add(&piece);
        piece.repaired(|bytes| {
            buffer.extend_from_slice(bytes);
            match buffer.len() {
                0..HELD => Ok(()),
                _ => flush(&mut buffer, &mut new).map_err(Failure::io(failed)),
            }
        })
    })?;
    flush(&mut buffer, &mut new).map_err(Failure::io(failed))?;
    let target = new.target().to_path_buf();
    // Times in file systems are coarse and can be set, so the text itself is compared too.
    let is_same =
        is_as_it_was(&target, &before).and_then(|is| Ok(is && seen.count().is_of(&target)?));
    if !is_same.map_err(Failure::io(unread))? {
        let changed = io::Error::other("it changed during the repair");
        return Err(Failure::io(|| format!("cannot replace {}", message::path(path)))(changed));
    }
    report.keep("repaired")?;
    if let Some(suffix) = suffix {
        back_up(&target, suffix).map_err(Failure::io(failed))?;
    }
    if let Some(journal) = journal {
        let kept = new.file().seek(SeekFrom::Start(0)).and_then(|_| {
            let text: &mut File = new.file();
            journal.keep_for(&target, text, "UTF-8")
        });
        kept.map_err(Failure::io(|| format!("cannot keep {}", message::path(path))))?;
    }
    // Windows cannot replace an open file.
    drop(input);
    new.finish(Keep::default()).map_err(Failure::io(failed))?;
    report.end("repaired")
}

/// Bytes written at a time.
const HELD: usize = 64 * 1024;

fn flush(buffer: &mut Vec<u8>, new: &mut Replacement) -> io::Result<()> {
    new.file().write_all(buffer)?;
    buffer.clear();
    Ok(())
}
