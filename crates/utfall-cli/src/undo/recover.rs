//! `utfall undo --recover`.

use serde::Serialize;
use utfall_tree::{End, Original, Run};

use super::{Line, Recovered, Summary, Total, damage_text};
use crate::cli::{Format, UndoArgs};
use crate::failure::Failure;
use crate::file_name::FileName;
use crate::message;
use crate::stdout::Stdout;

/// A line of JSON.
#[derive(Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
enum Object<'a> {
    Original {
        number: u64,
        bytes: u64,
        #[serde(flatten)]
        file: Option<FileName>,
        #[serde(skip_serializing_if = "Option::is_none")]
        possible_file: Option<String>,
        #[serde(flatten)]
        line: Line,
        #[serde(skip_serializing_if = "Option::is_none")]
        copied_to: Option<String>,
    },
    Summary(Summary<'a>),
}

#[derive(Default)]
struct Counts {
    total: Total,
    recovered: Recovered,
    /// Originals neither restored nor copied.
    left: u64,
    not_copied: u64,
}

pub(super) fn run(run: &Run, runs: &[Run], args: &UndoArgs) -> Result<(), Failure> {
    let (mut out, mut counts, mut written) = (Stdout::new(), Counts::default(), Ok(()));
    let number = run.number();
    if args.format == Format::Text && !run.damage().is_empty() {
        out.text(&format!("run {number} is damaged: {}", damage_text(run)))?;
    }
    let end = run.recover(runs, args.to.as_deref(), args.dry_run, |original| {
        let line = counts.count(original);
        if written.is_err() {
            return;
        }
        written = match args.format {
            Format::Json => out.object(&object(original, line)),
            Format::Text => out.text(&text(original, &line, args.dry_run)),
        };
    });
    let end = end.map_err(Failure::io(|| format!("cannot recover run {number}")))?;
    let outcome = match (counts.total.failed + counts.not_copied, counts.left) {
        (0, 0) => Ok(()),
        (0, _) => Err(Failure::IllFormed),
        _ => Err(Failure::Unreadable),
    };
    written?;
    match args.format {
        Format::Text => {
            if end == End::Stays && !args.dry_run {
                out.text(&format!(
                    "run {number} stays; to delete its originals: utfall undo --forget {number}"
                ))?;
            }
            out.text(&counts.text(run, args.dry_run))?;
        }
        Format::Json => {
            let recovered = Some(counts.recovered);
            let summary = Summary::new(run, &end, &counts.total, recovered, &outcome);
            out.object(&Object::Summary(summary))?;
        }
    }
    out.flush()?;
    outcome
}

impl Counts {
    fn count(&mut self, original: &Original) -> Line {
        self.left += u64::from(!original.is_safe());
        let mut line = match &original.undone {
            Some(undone) => self.total.count(undone),
            None => {
                self.recovered.unknown += 1;
                Line { action: "unknown", original: None, changed_by_run: None, error: None }
            }
        };
        match &original.copied {
            Some(Ok(_)) => self.recovered.copied += 1,
            Some(Err(error)) => {
                self.not_copied += 1;
                line.error = Some(message::plain(&message::io_reason(error)));
            }
            None => {}
        }
        line
    }

    fn text(&self, run: &Run, is_dry_run: bool) -> String {
        let originals = message::count(run.originals(), "original");
        let restored = if is_dry_run { "to be restored" } else { "restored" };
        let mut text = format!(
            "run {}: {originals}, {} {restored}{}",
            run.number(),
            self.total.restored,
            self.total.rest()
        );
        let Recovered { unknown, copied } = self.recovered;
        for (count, what) in [(unknown, "of unknown files"), (copied, "copied")] {
            if count > 0 {
                text += &format!(", {count} {what}");
            }
        }
        text
    }
}

/// `7  1.3 MB  /x/a.txt: restored`.
fn text(original: &Original, line: &Line, is_dry_run: bool) -> String {
    let path = original.path.as_deref().map(message::path);
    let mut text = format!("{}  {}  ", original.number, message::size(original.bytes));
    text += &match (path, &original.perhaps) {
        (Some(path), _) => format!("{path}: {}", line.text(is_dry_run)),
        (None, Some(perhaps)) => format!("unknown file, perhaps {}", message::path(perhaps)),
        (None, None) => "unknown file".into(),
    };
    match &original.copied {
        Some(Ok(to)) => text += &format!("; copied to {}", message::path(to)),
        Some(Err(_)) => {
            let why = line.error.as_deref().unwrap_or_default();
            text += &format!("; cannot be copied: {why}");
        }
        None => {}
    }
    text
}

fn object<'a>(original: &Original, line: Line) -> Object<'a> {
    Object::Original {
        number: original.number,
        bytes: original.bytes,
        file: original.path.as_deref().map(FileName::of),
        possible_file: original.perhaps.as_deref().map(message::path),
        line,
        copied_to: match &original.copied {
            Some(Ok(to)) => Some(message::path(to)),
            _ => None,
        },
    }
}
