//! The report on many files: lines for people, or lines of JSON.

use std::collections::BTreeMap;
use std::path::Path;

use clap::ValueEnum as _;
use serde::Serialize;
use utfall::{Encoding, Error, ErrorKind};
use utfall_tree::{Basis, Converted, Expired, Item, Kept, Operation, Outcome, Trouble};

use super::json::{Summary, object};
use crate::cli::{ConvertArgs, Format, NewlineArg};
use crate::convert::{self, How};
use crate::failure::Failure;
use crate::input::Input;
use crate::likely::{Advice, Likely, Origin};
use crate::progress::Files;
use crate::stdout::Stdout;
use crate::{kept, message};

pub(crate) struct Report {
    out: Stdout,
    format: Format,
    to: Encoding,
    /// The treatment of errors that did not stop a file.
    done_with_errors: &'static str,
    /// The options that change text in the target's encoding.
    changes: String,
    is_dry_run: bool,
    /// Whether a change is a problem.
    is_check: bool,
    /// Whether the output goes to another directory.
    is_elsewhere: bool,
    is_verbose: bool,
    is_quiet: bool,
    total: Total,
    /// The number of files converted from each encoding.
    converted_from: BTreeMap<&'static str, u64>,
    /// Whether the text report lists these numbers.
    is_guess: bool,
    /// The reason why the report is incomplete.
    failed: Option<Failure>,
}

/// Counts over all files.
#[derive(Default, Serialize)]
pub(super) struct Total {
    files: u64,
    converted: u64,
    #[serde(rename = "unchanged")]
    same: u64,
    #[serde(rename = "converted_before")]
    made_before: u64,
    not_needed: u64,
    copied: u64,
    binary: u64,
    unknown: u64,
    contradicted: u64,
    #[serde(rename = "invalid")]
    ill_formed: u64,
    unencodable: u64,
    lossy: u64,
    failed: u64,
}

/// The report on one file.
pub(super) struct Line {
    /// The result, in JSON.
    pub(super) action: &'static str,
    pub(super) from: Option<Encoding>,
    pub(super) basis: Option<Basis>,
    /// The result in words, after the name.
    pub(super) text: String,
    /// Whether the text report has this line even without --verbose.
    is_told: bool,
    /// The likely encoding of an invalid file.
    pub(super) likely: Option<Likely>,
}

/// `--newline lf --nfc`: the options that change the text itself.
fn changes(args: &ConvertArgs) -> String {
    let newline = args.newline.to_possible_value().filter(|_| args.newline != NewlineArg::Keep);
    let newline = newline.map(|value| format!("--newline {}", value.get_name()));
    let flags =
        [(args.nfc, "--nfc"), (args.nfd, "--nfd"), (args.nfkc, "--nfkc"), (args.nfkd, "--nfkd")];
    let flags = flags.into_iter().filter(|(is_set, _)| *is_set).map(|(_, name)| name.to_owned());
    newline.into_iter().chain(flags).collect::<Vec<_>>().join(" ")
}

impl Report {
    pub(crate) fn new(args: &ConvertArgs, to: Encoding) -> Self {
        Self {
            out: Stdout::new(),
            format: args.tree.format,
            to,
            done_with_errors: convert::done_with_errors(args),
            changes: changes(args),
            is_dry_run: args.tree.writes_nothing(),
            is_check: args.tree.check,
            is_elsewhere: args.tree.output_dir.is_some(),
            is_verbose: args.tree.verbose || args.tree.dry_run,
            is_quiet: args.quiet,
            total: Total::default(),
            converted_from: BTreeMap::new(),
            is_guess: args.from.as_deref().is_some_and(How::is_guess),
            failed: None,
        }
    }

    /// Reports a file that cannot be part of the run.
    pub(crate) fn trouble(&mut self, trouble: &Trouble) {
        self.total.failed += 1;
        let path = trouble.path.as_deref().unwrap_or(Path::new("(unknown)"));
        let reason = format!("cannot read: {}", message::io_reason(&trouble.error));
        let line = Line::problem("failed", None, reason);
        if self.is_wanted(&line) {
            self.write(path, &line, None);
        }
    }

    /// Reports the result for a file. The bar of `progress` is hidden meanwhile.
    pub(crate) fn file(&mut self, item: &Item, outcome: &Outcome, progress: &Files) {
        self.total.files += 1;
        let line = self.line(item, outcome);
        if self.is_wanted(&line) {
            progress.around(|| self.write(&item.found.path, &line, Some(outcome)));
        }
    }

    fn line(&mut self, item: &Item, outcome: &Outcome) -> Line {
        let total = &mut self.total;
        match outcome {
            Outcome::Converted(converted) => {
                total.converted += 1;
                *self.converted_from.entry(converted.from.name()).or_default() += 1;
                self.converted(converted)
            }
            Outcome::Same(from, basis) => {
                total.same += 1;
                let text = format!("unchanged: {}{}", from.name(), by(basis));
                Line::quiet("unchanged", Some((*from, basis)), text)
            }
            Outcome::MadeBy(run) => {
                total.made_before += 1;
                let text = format!("unchanged: converted by run {run}");
                Line::quiet("converted_before", None, text)
            }
            Outcome::NotNeeded => {
                total.not_needed += 1;
                let text = format!("unchanged: already {}, it seems", self.to.name());
                Line::quiet("not_needed", None, text)
            }
            Outcome::Copied(run) => {
                total.copied += 1;
                let why = match run {
                    Some(run) => format!("converted by run {run}"),
                    None => format!("seems to be {}", self.to.name()),
                };
                let would = if self.is_dry_run { "would be copied" } else { "copied" };
                let line = Line::quiet("copied", None, format!("{would} unchanged: {why}"));
                Line { is_told: self.tells_changes(), ..line }
            }
            Outcome::Binary => {
                total.binary += 1;
                match self.is_elsewhere {
                    // The copy is incomplete without these files.
                    true => {
                        let line =
                            Line::quiet("binary", None, "skipped: binary, not copied".into());
                        Line { is_told: !self.is_quiet, ..line }
                    }
                    false => Line::quiet("binary", None, "skipped: binary".into()),
                }
            }
            Outcome::Contradicted { said, found, basis } => {
                total.contradicted += 1;
                let text = contradicted(*said, (*found, basis), self.to);
                Line::problem("contradicted", Some((*found, basis)), text)
            }
            Outcome::Unknown(why) => {
                total.unknown += 1;
                Line::problem("unknown", None, format!("skipped: cannot tell the encoding; {why}"))
            }
            Outcome::Text { from, basis, error, position, bytes } => {
                let (action, what) = match error.kind() {
                    ErrorKind::Unencodable(point) => {
                        total.unencodable += 1;
                        let character = message::character(point);
                        let to = error.encoding();
                        ("unencodable", format!("{character} cannot be encoded in {to}"))
                    }
                    _ => {
                        total.ill_formed += 1;
                        ("invalid", message::problem(error))
                    }
                };
                let clause = match error.clause() {
                    "" => String::new(),
                    clause => format!(" ({clause})"),
                };
                let bytes = message::bytes(bytes);
                let mut text = format!(
                    "skipped: line {}, column {} (byte {}): {bytes}: {what}{clause}",
                    position.line,
                    position.column,
                    error.offset(),
                );
                let likely = likely(item, error, *from);
                if let Some(likely) = likely {
                    text += &format!("; {}", likely.advice(*from, origin(basis)));
                }
                Line { likely, ..Line::problem(action, Some((*from, basis)), text) }
            }
            Outcome::Lossy(converted) => {
                total.lossy += 1;
                let text = format!("skipped: {} would be lost", self.lost(converted));
                Line::problem("lossy", Some((converted.from, &converted.basis)), text)
            }
            Outcome::Io { operation, error } => {
                total.failed += 1;
                let cannot = match operation {
                    Operation::Read => "cannot read".to_owned(),
                    Operation::Write if item.target == item.source => "cannot write".to_owned(),
                    // The line begins with the name of the source.
                    Operation::Write => format!("cannot write {}", message::path(&item.target)),
                    Operation::Replace => "cannot replace".to_owned(),
                    Operation::BackUp => "cannot keep the original".to_owned(),
                    Operation::Record => "cannot keep the original for undo".to_owned(),
                };
                let reason = message::io_reason(error);
                Line::problem("failed", None, format!("{cannot}: {reason}"))
            }
        }
    }

    fn converted(&self, converted: &Converted) -> Line {
        let Converted { from, basis, done, links, .. } = converted;
        let would = if self.is_dry_run { "would be converted" } else { "converted" };
        let to = match &*self.changes {
            changes if *from == self.to && !changes.is_empty() => format!(", with {changes}"),
            _ => format!(" to {}", self.to.name()),
        };
        let mut text = format!("{would}: {}{to}{}", from.name(), by(basis));
        let is_changed = done.counts.ill_formed + done.counts.unencodable > 0;
        if is_changed {
            text += &format!("; {}: {}", self.done_with_errors, self.lost(converted));
        }
        if done.counts.tolerated > 0 {
            text += &format!(
                "; {}",
                crate::lenience::passed(done.counts.tolerated, done.counts.tolerance)
            );
        }
        if *links > 0 {
            let links = message::count(*links, "other hard link");
            text += &format!("; {links} to the original");
        }
        let is_told = is_changed || done.counts.tolerated > 0 || *links > 0 || self.tells_changes();
        Line { is_told, ..Line::quiet("converted", Some((*from, basis)), text) }
    }

    /// Whether the text report lists every file that would change.
    fn tells_changes(&self) -> bool {
        self.is_check && !self.is_quiet
    }

    /// `2 invalid sequences and 1 character not in US-ASCII`.
    fn lost(&self, converted: &Converted) -> String {
        let done = &converted.done;
        let ill_formed = message::count(done.counts.ill_formed, "invalid sequence");
        let unencodable = message::count(done.counts.unencodable, "character");
        let unencodable = format!("{unencodable} not in {}", self.to);
        match (done.counts.ill_formed, done.counts.unencodable) {
            (_, 0) => ill_formed,
            (0, _) => unencodable,
            _ => format!("{ill_formed} and {unencodable}"),
        }
    }

    fn is_wanted(&self, line: &Line) -> bool {
        let is_wanted = match self.format {
            Format::Json => true,
            Format::Text => line.is_told || (self.is_verbose && !self.is_quiet),
        };
        is_wanted && self.failed.is_none()
    }

    fn write(&mut self, path: &Path, line: &Line, outcome: Option<&Outcome>) {
        let result = match self.format {
            Format::Text => self.out.text(&format!("{}: {}", message::path(path), line.text)),
            Format::Json => self.out.object(&object(path, line, outcome, self.to)),
        };
        // Show problems immediately.
        let result = result.and_then(|()| if line.is_told { self.out.flush() } else { Ok(()) });
        self.failed = result.err();
    }

    /// Writes the total and returns the outcome. `removed` is the number of unfinished files of
    /// earlier runs, `kept` describes the originals of this run, and `expired` lists old runs.
    pub(crate) fn end(
        mut self,
        removed: u64,
        kept: Option<Kept>,
        expired: &[Expired],
    ) -> Result<(), Failure> {
        let outcome = self.outcome();
        let exit_status = outcome.as_ref().err().map_or(0, Failure::exit_status);
        let written = match self.failed.take() {
            Some(failure) => Err(failure),
            None => self.write_total(removed, kept, expired, exit_status),
        };
        // The outcome for the files is more important than a failure to report it.
        if let (Err(_), Err(failure)) = (&outcome, &written) {
            failure.report();
        }
        outcome.and(written)
    }

    fn write_total(
        &mut self,
        removed: u64,
        kept: Option<Kept>,
        expired: &[Expired],
        status: u8,
    ) -> Result<(), Failure> {
        match self.format {
            Format::Text if self.is_quiet => {}
            Format::Text => {
                self.write_converted_from()?;
                let text = self.total_text();
                self.out.text(&text)?;
                if removed > 0 {
                    let files = message::count(removed, "unfinished file");
                    self.out.text(&format!("removed: {files} of an interrupted run"))?;
                }
                for expired in expired {
                    self.out.text(&kept::expired_text(expired))?;
                }
                if let Some(text) = kept.and_then(kept::kept_text) {
                    self.out.text(&text)?;
                }
            }
            Format::Json => self.out.object(&Summary {
                kind: "summary",
                total: &self.total,
                converted_from: &self.converted_from,
                removed_unfinished: removed,
                expired: kept::expired_objects(expired),
                run: kept.map(|kept| kept.run),
                originals_kept: kept.map(|kept| kept.files),
                bytes_kept: kept.map(|kept| kept.bytes),
                exit_status: status,
            })?,
        }
        self.out.flush()
    }

    /// Writes a line for each guessed encoding, with most files first.
    fn write_converted_from(&mut self) -> Result<(), Failure> {
        let mut rows: Vec<_> = self.converted_from.iter().filter(|_| self.is_guess).collect();
        if rows.is_empty() {
            return Ok(());
        }
        rows.sort_by_key(|(name, count)| (std::cmp::Reverse(**count), **name));
        let would = if self.is_dry_run { "would be converted" } else { "converted" };
        self.out.text(&format!("{would} from:"))?;
        let width = rows.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
        for (name, count) in rows {
            self.out.text(&format!("  {name:width$}  {}", message::count(*count, "file")))?;
        }
        Ok(())
    }

    fn total_text(&self) -> String {
        let Total { files, converted, same, made_before, not_needed, copied, .. } = self.total;
        let Total { binary, unknown, contradicted, ill_formed, .. } = self.total;
        let Total { unencodable, lossy, failed, .. } = self.total;
        let converted_as = if self.is_dry_run { "to be converted" } else { "converted" };
        let right = same + made_before + not_needed;
        let mut text = format!(
            "total: {}, {converted} {converted_as}, {right} unchanged",
            message::count(files, "file")
        );
        let copied_as = if self.is_dry_run { "to be copied unchanged" } else { "copied unchanged" };
        for (count, what) in [
            (copied, copied_as),
            (binary, "binary"),
            (unknown, "of unknown encoding"),
            (contradicted, "contradicting -f"),
            (ill_formed, "invalid"),
            (unencodable, "not encodable"),
            (lossy, "lossy"),
            (failed, "failed"),
        ] {
            if count > 0 {
                text += &format!(", {count} {what}");
            }
        }
        text
    }

    /// The most serious outcome.
    fn outcome(&self) -> Result<(), Failure> {
        let Total { unknown, contradicted, ill_formed, unencodable, lossy, failed, .. } =
            self.total;
        let changes = if self.is_check { self.total.converted + self.total.copied } else { 0 };
        match (failed, unknown + contradicted + ill_formed + changes, unencodable + lossy) {
            (0, 0, 0) => Ok(()),
            (0, 0, _) => Err(Failure::Unencodable),
            (0, _, _) => Err(Failure::IllFormed),
            _ => Err(Failure::Unreadable),
        }
    }
}

impl Line {
    fn quiet(action: &'static str, from: Option<(Encoding, &Basis)>, text: String) -> Self {
        let (from, basis) = from.map(|(from, basis)| (from, basis.clone())).unzip();
        Self { action, from, basis, text, is_told: false, likely: None }
    }

    fn problem(action: &'static str, from: Option<(Encoding, &Basis)>, text: String) -> Self {
        Self { is_told: true, ..Self::quiet(action, from, text) }
    }
}

/// The encoding that a file looks like which is invalid in the one it was read in.
fn likely(item: &Item, error: &Error, from: Encoding) -> Option<Likely> {
    if error.is_unencodable() {
        return None;
    }
    let mut input = Input::open(&Some(item.source.clone())).ok()?;
    Likely::of(&input.sample_again(error.offset()), from)
}

fn origin(basis: &Basis) -> Origin {
    match basis {
        Basis::Listed => Origin::Manifest,
        Basis::Configured => Origin::Config,
        _ => Origin::Option,
    }
}

/// Why a file is skipped whose bytes contradict the encoding given.
fn contradicted(given: Encoding, (found, basis): (Encoding, &Basis), to: Encoding) -> String {
    let (given, name) = (given.name(), found.name());
    let why = match (found == to, basis) {
        (true, Basis::Mark) => format!("already {name}, by its BOM"),
        (true, _) => format!("already {name}"),
        (false, Basis::Mark) => format!("{name} by its BOM, not {given}"),
        (false, _) => format!("it seems to be {name}, not {given}"),
    };
    format!("skipped: {why}; to convert it from {given} anyway: --force")
}

/// The basis of an encoding, in parentheses; empty if the user gave it.
fn by(basis: &Basis) -> String {
    match basis {
        Basis::Mark => " (by its BOM)".into(),
        Basis::WellFormed => " (valid)".into(),
        Basis::Guessed(evidence) => format!(" (guessed: {})", message::plain(evidence)),
        Basis::Listed => " (from the manifest)".into(),
        Basis::Configured => " (from utfall.toml)".into(),
        _ => String::new(),
    }
}
