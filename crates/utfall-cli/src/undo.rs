//! `utfall undo`.

use std::io;
use std::time::{Duration, UNIX_EPOCH};

use serde::Serialize;
use utfall_tree::{Run, Undone};

use crate::cli::{Format, UndoArgs};
use crate::failure::Failure;
use crate::file_name::FileName;
use crate::stdout::Stdout;
use crate::{interrupt, message};

/// 9999-12-31T23:59:59Z.
const LAST_SECOND: u64 = 253_402_300_799;

pub(crate) fn run(args: &UndoArgs) -> Result<(), Failure> {
    let runs = match utfall_tree::state_folder() {
        Some(state) => utfall_tree::runs(&state).map_err(Failure::io(|| {
            format!("cannot read what runs did in {}", message::path(&state))
        }))?,
        None => Vec::new(),
    };
    if args.list {
        return list(&runs, args.format);
    }
    if args.all {
        return runs.iter().try_for_each(forget);
    }
    let run = match args.run {
        Some(number) => runs.iter().find(|run| run.number() == number),
        None => runs.last(),
    };
    let Some(run) = run else {
        let text = match args.run {
            Some(number) => format!("there is no run {number} that could be undone"),
            None => "there is no run that could be undone".into(),
        };
        return Err(Failure::Usage(text));
    };
    if args.forget { forget(run) } else { undo(run, args) }
}

fn forget(run: &Run) -> Result<(), Failure> {
    run.forget().map_err(Failure::io(|| format!("cannot forget run {}", run.number())))
}

fn list(runs: &[Run], format: Format) -> Result<(), Failure> {
    let mut out = Stdout::new();
    for run in runs {
        let time = time(run.time());
        let (files, octets) = (run.files().count() as u64, run.octets());
        let folder = message::path(&run.begun_in());
        match format {
            Format::Text => out.text(&format!(
                "{}  {time}  to {}  {}  {}  in {folder}",
                run.number(),
                message::plain(run.to()),
                message::count(files, "file"),
                message::count(octets, "octet"),
            ))?,
            Format::Json => out.object(&Object::Run {
                run: run.number(),
                time,
                folder,
                to: run.to(),
                files,
                octets,
            })?,
        }
    }
    out.flush()
}

/// As RFC 3339 writes it, which has four digits for a year: of a clock that was wrong the nearest.
fn time(seconds: u64) -> String {
    let time = UNIX_EPOCH + Duration::from_secs(seconds.min(LAST_SECOND));
    humantime::format_rfc3339_seconds(time).to_string()
}

/// Counts over all files.
#[derive(Default, Serialize)]
struct Total {
    restored: u64,
    as_before: u64,
    changed: u64,
    gone: u64,
    failed: u64,
}

/// A line of JSON. `UNDO_HELP` in `cli/undo.rs` documents it.
#[derive(Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
enum Object<'a> {
    Run {
        run: u64,
        time: String,
        folder: String,
        to: &'a str,
        files: u64,
        octets: u64,
    },
    File {
        #[serde(flatten)]
        file: FileName,
        action: &'static str,
        #[serde(skip_serializing_if = "Option::is_none")]
        old: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        error: Option<String>,
    },
    Summary {
        run: u64,
        #[serde(flatten)]
        total: &'a Total,
        exit_status: u8,
    },
}

fn undo(run: &Run, args: &UndoArgs) -> Result<(), Failure> {
    if !args.dry_run {
        interrupt::watch();
    }
    let (mut out, mut total) = (Stdout::new(), Total::default());
    let mut written = Ok(());
    let undone = run.undo(args.dry_run, |path, undone| {
        let line = total.count(&undone);
        if written.is_err() {
            return;
        }
        written = match args.format {
            Format::Json => out.object(&Object::File {
                file: FileName::of(path),
                action: line.action,
                old: line.old,
                error: line.error,
            }),
            Format::Text if line.is_problem || args.verbose || args.dry_run => {
                out.text(&format!("{}: {}", message::path(path), line.text(args.dry_run)))
            }
            Format::Text => Ok(()),
        };
    });
    undone.map_err(|error: io::Error| {
        Failure::io(|| format!("cannot undo run {}", run.number()))(error)
    })?;
    let outcome = total.outcome();
    written?;
    match args.format {
        Format::Text => out.text(&total.text(run.number(), args.dry_run))?,
        Format::Json => out.object(&Object::Summary {
            run: run.number(),
            total: &total,
            exit_status: outcome.as_ref().err().map_or(0, Failure::exit_status),
        })?,
    }
    out.flush()?;
    outcome
}

/// What is said of one file.
struct Line {
    action: &'static str,
    is_problem: bool,
    old: Option<String>,
    error: Option<String>,
}

impl Line {
    fn text(&self, is_dry_run: bool) -> String {
        let mut text = match self.action {
            "restored" if is_dry_run => "would be put back".into(),
            "restored" => "put back".into(),
            "as_before" => "as before the run".into(),
            "changed" => "left alone: changed since".into(),
            "gone" => "left alone: not there any more".into(),
            _ => format!("cannot be put back: {}", self.error.as_deref().unwrap_or_default()),
        };
        if let Some(old) = &self.old {
            text += &format!("; the old text is {old}");
        }
        text
    }
}

impl Total {
    fn count(&mut self, undone: &Undone) -> Line {
        let (count, action, old, error) = match undone {
            Undone::Restored => (&mut self.restored, "restored", None, None),
            Undone::AsBefore => (&mut self.as_before, "as_before", None, None),
            Undone::Changed(old) => (&mut self.changed, "changed", Some(old), None),
            Undone::Gone(old) => (&mut self.gone, "gone", Some(old), None),
            Undone::Failed(old, error) => (&mut self.failed, "failed", Some(old), Some(error)),
        };
        *count += 1;
        Line {
            action,
            is_problem: old.is_some(),
            old: old.map(|old| message::path(old)),
            error: error.map(message::io_reason),
        }
    }

    fn text(&self, run: u64, is_dry_run: bool) -> String {
        let restored = if is_dry_run { "to be put back" } else { "put back" };
        let mut text = format!("run {run}: {} {restored}", message::count(self.restored, "file"));
        for (count, what) in [
            (self.as_before, "as before the run"),
            (self.changed, "changed since"),
            (self.gone, "not there any more"),
            (self.failed, "failed"),
        ] {
            if count > 0 {
                text += &format!(", {count} {what}");
            }
        }
        text
    }

    fn outcome(&self) -> Result<(), Failure> {
        match (self.failed, self.changed + self.gone) {
            (0, 0) => Ok(()),
            (0, _) => Err(Failure::IllFormed),
            _ => Err(Failure::Unreadable),
        }
    }
}
