//! `utfall undo`.

mod recover;

use std::io;
use std::time::{Duration, UNIX_EPOCH};

use serde::Serialize;
use utfall_tree::{Damage, End, Run, Undone};

use crate::cli::{Format, UndoArgs};
use crate::failure::Failure;
use crate::file_name::FileName;
use crate::stdout::Stdout;
use crate::{interrupt, message};

/// 9999-12-31T23:59:59Z.
const LAST_SECOND: u64 = 253_402_300_799;

pub(crate) fn run(args: &UndoArgs) -> Result<(), Failure> {
    let (runs, others) = match utfall_tree::state_folder() {
        Some(state) => utfall_tree::runs(&state).map_err(Failure::io(|| {
            format!("cannot read the journals in {}", message::path(&state))
        }))?,
        None => Default::default(),
    };
    for other in others {
        message::warning(&format!("ignored: {} is not a run", message::path(&other)));
    }
    if args.list {
        return list(&runs, args.format);
    }
    if args.all {
        return forget_all(&runs);
    }
    let run = choose(&runs, args)?;
    if args.forget {
        return forget(run);
    }
    if args.recover {
        return recover::run(run, &runs, args);
    }
    undo(run, &runs, args)
}

/// The run to undo.
fn choose<'r>(runs: &'r [Run], args: &UndoArgs) -> Result<&'r Run, Failure> {
    if let Some(number) = args.run {
        let run = runs.iter().find(|run| run.number() == number);
        return run.ok_or_else(|| Failure::Usage(format!("no run {number} to undo")));
    }
    let damaged: Vec<_> = runs.iter().filter(|run| !run.damage().is_empty()).collect();
    match (runs, &damaged[..]) {
        ([.., last], _) if args.forget && !last.damage().is_empty() => {
            Err(Failure::UsageWithHelp {
                text: format!("the last run is damaged: {}", damage_text(last)),
                help: format!(
                    "to delete its originals anyway: utfall undo --forget {}",
                    last.number()
                ),
            })
        }
        (_, [one]) if args.recover => Ok(one),
        (_, [first, .., last]) if args.recover => Err(Failure::Usage(format!(
            "{} runs are damaged, {} to {}: name one",
            damaged.len(),
            first.number(),
            last.number()
        ))),
        ([], _) => Err(Failure::Usage("no run to undo".into())),
        ([run], _) => Ok(run),
        ([.., last], _) => {
            message::note(&format!(
                "run {} is the last of {} (`utfall undo --list`); it was started in {} at {}",
                last.number(),
                runs.len(),
                message::path(&last.begun_in()),
                time(last.time()),
            ));
            Ok(last)
        }
    }
}

fn forget(run: &Run) -> Result<(), Failure> {
    run.forget().map_err(Failure::io(|| format!("cannot forget run {}", run.number())))
}

/// A damaged run is only forgotten if its number is given.
fn forget_all(runs: &[Run]) -> Result<(), Failure> {
    let (whole, damaged): (Vec<_>, Vec<_>) = runs.iter().partition(|run| run.damage().is_empty());
    whole.into_iter().try_for_each(forget)?;
    for run in &damaged {
        let number = run.number();
        message::error_with_help(
            &format!("run {number} is damaged and stays: {}", damage_text(run)),
            &format!("`utfall undo --recover {number}` lists its originals"),
        );
    }
    if damaged.is_empty() { Ok(()) } else { Err(Failure::Unreadable) }
}

fn damage_texts(run: &Run) -> Vec<String> {
    let text = |damage: &Damage| match damage {
        Damage::Foreign(path) => format!("{damage}: {}", message::path(path)),
        Damage::Unreadable(why) => message::plain(&format!(
            "its journal cannot be read: {}",
            why.split(" (os error").next().unwrap_or(why)
        )),
        _ => damage.to_string(),
    };
    run.damage().iter().map(text).collect()
}

fn damage_text(run: &Run) -> String {
    damage_texts(run).join("; ")
}

fn list(runs: &[Run], format: Format) -> Result<(), Failure> {
    let mut out = Stdout::new();
    for run in runs {
        let (number, time) = (run.number(), time(run.time()));
        let (files, bytes) = (run.files().count() as u64, run.bytes());
        let folder = message::path(&run.begun_in());
        match format {
            Format::Text => {
                out.text(&format!(
                    "{number}  {time}  to {}  {}  {}  in {folder}",
                    message::plain(run.to()),
                    message::count(files, "file"),
                    message::size(bytes),
                ))?;
                if !run.damage().is_empty() {
                    let damage = damage_text(run);
                    out.text(&format!("   damaged: {damage}: utfall undo --recover {number}"))?;
                }
            }
            Format::Json => out.object(&Object::Run {
                run: number,
                time,
                directory: folder,
                to: run.to(),
                files,
                bytes,
                damage: damage_texts(run),
            })?,
        }
    }
    out.flush()
}

/// A time in RFC 3339, which has four digits for the year; later times become the maximum.
fn time(seconds: u64) -> String {
    let time = UNIX_EPOCH + Duration::from_secs(seconds.min(LAST_SECOND));
    humantime::format_rfc3339_seconds(time).to_string()
}

/// Counts of all files.
#[derive(Default, Serialize)]
struct Total {
    restored: u64,
    unchanged: u64,
    changed: u64,
    missing: u64,
    failed: u64,
}

/// A line of JSON.
#[derive(Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
enum Object<'a> {
    Run {
        run: u64,
        time: String,
        directory: String,
        to: &'a str,
        files: u64,
        bytes: u64,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        damage: Vec<String>,
    },
    File {
        #[serde(flatten)]
        file: FileName,
        #[serde(flatten)]
        line: &'a Line,
    },
    Summary(Summary<'a>),
}

/// The last line of JSON about one run.
#[derive(Serialize)]
struct Summary<'a> {
    run: u64,
    #[serde(flatten)]
    total: &'a Total,
    #[serde(flatten)]
    recovered: Option<Recovered>,
    run_kept: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    damage: Vec<String>,
    exit_status: u8,
}

/// Additional counts of --recover.
#[derive(Clone, Copy, Default, Serialize)]
struct Recovered {
    /// Originals of unknown files.
    unknown: u64,
    copied: u64,
}

impl<'a> Summary<'a> {
    fn new(
        run: &Run,
        end: &End,
        total: &'a Total,
        recovered: Option<Recovered>,
        outcome: &Result<(), Failure>,
    ) -> Self {
        let exit_status = outcome.as_ref().err().map_or(0, Failure::exit_status);
        let (run_kept, damage) = (*end == End::Stays, damage_texts(run));
        Self { run: run.number(), total, recovered, run_kept, damage, exit_status }
    }
}

fn undo(run: &Run, runs: &[Run], args: &UndoArgs) -> Result<(), Failure> {
    let number = run.number();
    if run.newer_version().is_some() {
        message::error_with_help(
            &format!("cannot undo run {number}: {}", damage_text(run)),
            &format!("undo it with that utfall, or: utfall undo --recover {number} --to DIR"),
        );
        return Err(Failure::Unreadable);
    }
    if !args.dry_run {
        interrupt::watch();
    }
    let (mut out, mut total) = (Stdout::new(), Total::default());
    let mut written = Ok(());
    let end = run.undo(runs, args.dry_run, |path, undone| {
        let line = total.count(&undone);
        if written.is_err() {
            return;
        }
        written = match args.format {
            Format::Json => out.object(&Object::File { file: FileName::of(path), line: &line }),
            Format::Text if line.is_problem() || args.verbose || args.dry_run => {
                out.text(&format!("{}: {}", message::path(path), line.text(args.dry_run)))
            }
            Format::Text => Ok(()),
        };
    });
    let end =
        end.map_err(|error: io::Error| Failure::io(|| format!("cannot undo run {number}"))(error))?;
    let outcome = match run.damage().is_empty() {
        true => total.outcome(),
        false => Err(Failure::Unreadable),
    };
    written?;
    match args.format {
        Format::Text => {
            if !run.damage().is_empty() {
                let damage = damage_text(run);
                out.text(&format!(
                    "run {number} stays, since it is damaged: {damage}; \
                     to see what it kept: utfall undo --recover {number}"
                ))?;
            }
            out.text(&total.text(number, args.dry_run))?;
        }
        Format::Json => {
            out.object(&Object::Summary(Summary::new(run, &end, &total, None, &outcome)))?;
        }
    }
    out.flush()?;
    outcome
}

/// The report on one file.
#[derive(Serialize)]
struct Line {
    action: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    original: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    changed_by_run: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

impl Line {
    fn is_problem(&self) -> bool {
        self.original.is_some()
    }

    fn text(&self, is_dry_run: bool) -> String {
        let mut text = match (self.action, self.changed_by_run) {
            ("restored", _) if is_dry_run => "would be restored".into(),
            ("restored", _) => "restored".into(),
            ("unchanged", _) => "as before the run".into(),
            ("changed", Some(run)) => {
                format!("skipped: run {run} changed it later: undo that run first")
            }
            ("changed", None) => "skipped: changed since the run".into(),
            ("missing", _) => "skipped: the file is gone".into(),
            _ => format!("cannot restore: {}", self.error.as_deref().unwrap_or_default()),
        };
        if let Some(original) = &self.original {
            text += &format!("; the original is {original}");
        }
        text
    }
}

impl Total {
    fn count(&mut self, undone: &Undone) -> Line {
        let line = |action| Line { action, original: None, changed_by_run: None, error: None };
        let (count, action, old) = match undone {
            Undone::Restored => (&mut self.restored, "restored", None),
            Undone::AsBefore => (&mut self.unchanged, "unchanged", None),
            Undone::Changed { original, .. } => (&mut self.changed, "changed", Some(original)),
            Undone::Gone(old) => (&mut self.missing, "missing", Some(old)),
            Undone::Failed(old, _) => (&mut self.failed, "failed", Some(old)),
            _ => return line("unknown"),
        };
        *count += 1;
        let changed_by_run = match undone {
            Undone::Changed { by, .. } => *by,
            _ => None,
        };
        let error = match undone {
            Undone::Failed(_, error) => Some(message::plain(&message::io_reason(error))),
            _ => None,
        };
        let original = old.map(|old| message::path(old));
        Line { original, changed_by_run, error, ..line(action) }
    }

    fn text(&self, run: u64, is_dry_run: bool) -> String {
        let restored = if is_dry_run { "to be restored" } else { "restored" };
        let files = message::count(self.restored, "file");
        format!("run {run}: {files} {restored}{}", self.rest())
    }

    /// `, 1 changed since the run`: the files that were not restored.
    fn rest(&self) -> String {
        let mut text = String::new();
        for (count, what) in [
            (self.unchanged, "as before the run"),
            (self.changed, "changed since the run"),
            (self.missing, "gone"),
            (self.failed, "failed"),
        ] {
            if count > 0 {
                text += &format!(", {count} {what}");
            }
        }
        text
    }

    fn outcome(&self) -> Result<(), Failure> {
        match (self.failed, self.changed + self.missing) {
            (0, 0) => Ok(()),
            (0, _) => Err(Failure::IllFormed),
            _ => Err(Failure::Unreadable),
        }
    }
}
