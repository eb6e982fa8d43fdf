//! `utfall repair`: files read in pieces, repaired by lines, reported change by change.

mod given;
mod parts;
mod report;
mod undo;

use std::ffi::OsStr;
use std::fs::{self, File, Metadata};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use utfall_repair::{Options, Piece, Repairer};
use utfall_tree::{Journal, Keep, Replacement, back_up, is_as_it_was, is_binary, walk};

use crate::cli::RepairArgs;
use crate::config::Config;
use crate::failure::Failure;
use crate::file_name::FileName;
use crate::input::{self, Input, Source};
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

/// Hands over the pieces of a text.
fn repair(
    input: &mut Input,
    args: &RepairArgs,
    mut sink: impl FnMut(Piece<'_>) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let mut repairer = Repairer::new(Options {
        min_confidence: args.min_confidence,
        json_escapes: args.json_escapes.are_read_in(input.source()),
    });
    loop {
        input.advance()?;
        if input.piece().is_empty() {
            return repairer.finish(sink);
        }
        repairer.push(input.piece(), &mut sink)?;
    }
}

/// All files as one text.
fn write_text(args: &RepairArgs) -> Result<(), Failure> {
    let all = given::all(args)?;
    let sources: Vec<Source> = all.iter().filter_map(Given::source).cloned().collect();
    let mut output = Output::open(args.output.as_deref(), &sources, args.overwrite_input)?;
    let mut report = Report::silent(args)?;
    for given in &all {
        let mut input = given.open()?;
        report.begin(given.name());
        repair(&mut input, args, |piece| {
            report.piece(&piece)?;
            piece.repaired(|octets| output.write(octets))
        })?;
        report.end("repaired")?;
    }
    // Without its report, a text cannot be put back.
    report.finish()?;
    output.finish()?;
    if !args.quiet {
        report.note();
    }
    Ok(())
}

/// The files to be looked at. What cannot be is reported.
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
            // The report is none of what it is about.
            Ok(file) if !file.is_named && report.is(&file.path) => {}
            Ok(file) if !file.is_named && !config.may_repair(&file.path) => {}
            Ok(file) if file.is_named || !looks_binary(&file.path) => files.push(file.path),
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

/// Whether a file begins as if it were no text. What cannot be read is found out later.
fn looks_binary(path: &Path) -> bool {
    let mut octets = Vec::new();
    let read = File::open(path)
        .and_then(|file| file.take(utfall_tree::LOOKED_AT as u64).read_to_end(&mut octets));
    read.is_ok() && is_binary(&octets)
}

/// Only the report, or a diff.
fn look(args: &RepairArgs) -> Result<(), Failure> {
    output::refuse_as_stdout(&input::sources(&args.files))?;
    let mut report = Report::new(args)?;
    for given in given::in_trees(args, |named| files(args, named, &mut report))? {
        let result = given.open().and_then(|mut input| {
            report.begin(given.name());
            repair(&mut input, args, |piece| report.piece(&piece))?;
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

/// Each file by itself.
fn in_place(args: &RepairArgs) -> Result<(), Failure> {
    let suffix = in_place::suffix(args.in_place.as_ref())?;
    if args.files.is_empty() || args.files.iter().any(|file| file == Path::new("-")) {
        return Err(Failure::Usage("--in-place needs files; standard input is none".into()));
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
        let expired = keeping.expired.iter().map(kept::expired_text);
        let kept = keeping.journal.kept().and_then(kept::kept_text);
        expired.chain(kept).for_each(|text| message::note(&text));
    }
    report.status()
}

/// Replaces a file if there is something to repair.
fn replace(
    path: &Path,
    args: &RepairArgs,
    suffix: Option<&OsStr>,
    journal: Option<&Journal>,
    report: &mut Report,
) -> Result<(), Failure> {
    let source: Source = Some(PathBuf::from(path));
    let unread = || format!("cannot read {}", message::path(path));
    let before = regular(path).map_err(Failure::io(unread))?;
    // Most files have nothing to repair, and then nothing is to be written.
    let mut seen = Seen::nothing(true);
    repair(&mut Input::open(&source)?, args, |piece| {
        seen.add(&piece);
        Ok(())
    })?;
    report.begin(FileName::of(path));
    let count = seen.count();
    if count.changes == 0 {
        return report.unchanged(count);
    }
    let mut input = Input::open(&source)?;
    let failed = || format!("cannot write {}", message::path(path));
    let mut new = Replacement::of(path).map_err(Failure::io(failed))?;
    let (mut buffer, mut seen) = (Vec::new(), Seen::nothing(true));
    repair(&mut input, args, |piece| {
        report.piece(&piece)?;
        seen.add(&piece);
        piece.repaired(|octets| {
            buffer.extend_from_slice(octets);
            match buffer.len() {
                0..HELD => Ok(()),
                _ => flush(&mut buffer, &mut new).map_err(Failure::io(failed)),
            }
        })
    })?;
    flush(&mut buffer, &mut new).map_err(Failure::io(failed))?;
    let target = new.target().to_path_buf();
    // File systems count time in steps, and times can be set: the text itself is compared, too.
    let is_same =
        is_as_it_was(&target, &before).and_then(|is| Ok(is && seen.count().is_of(&target)?));
    if !is_same.map_err(Failure::io(unread))? {
        let changed = io::Error::other("it was changed while it was repaired");
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
    // Windows replaces no file that is open.
    drop(input);
    new.finish(Keep::default()).map_err(Failure::io(failed))?;
    report.end("repaired")
}

/// What is known of a file that can be replaced: others may keep whoever reads them waiting.
fn regular(path: &Path) -> io::Result<Metadata> {
    let metadata = fs::metadata(path)?;
    match metadata.is_file() {
        true => Ok(metadata),
        false if metadata.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
        false => Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file")),
    }
}

/// How much is written at a time.
const HELD: usize = 64 * 1024;

fn flush(buffer: &mut Vec<u8>, new: &mut Replacement) -> io::Result<()> {
    new.file().write_all(buffer)?;
    buffer.clear();
    Ok(())
}
