//! The report of a check, in each format.

use std::borrow::Cow;
use std::fs;
use std::io;

use utfall::Encoding;
use utfall::lines::Position;
pub(crate) use utfall_bind::check::Detail;

use super::github;
use super::json::{self, Object};
use super::rules::Level;
use super::sarif::Sarif;
use super::text;
use crate::cli::{CheckArgs, CheckFormat};
use crate::excerpt::Around;
use crate::failure::Failure;
use crate::file_name::FileName;
use crate::input::{Input, Source};
use crate::message;
use crate::snippet::Layout;
use crate::stdout::Stdout;

/// A problem to report at a place.
pub(crate) struct Problem<'a> {
    pub(crate) source: &'a Source,
    /// The name of the input in messages.
    pub(crate) file: &'a str,
    pub(crate) encoding: Encoding,
    /// The text around the problem, if it was saved.
    pub(crate) around: Option<&'a Around>,
    /// The rule, or the kind of concealed text.
    pub(crate) rule: &'static str,
    pub(crate) level: Level,
    pub(crate) position: Position,
    pub(crate) offset: u64,
    pub(crate) length: u64,
    pub(crate) message: String,
    /// The clause that the text violates, or why the encoding is unnecessary; may be empty.
    pub(crate) clause: &'a str,
    pub(crate) detail: Detail<'a>,
}

impl Problem<'_> {
    /// The text around the problem. Reads the file again if it was not saved.
    pub(crate) fn around(&self) -> Option<Cow<'_, Around>> {
        if let Some(around) = self.around {
            return Some(Cow::Borrowed(around));
        }
        let path = self.source.as_ref()?;
        let is_file = fs::metadata(path).is_ok_and(|metadata| metadata.is_file());
        let mut input = Input::open(self.source).ok().filter(|_| is_file)?;
        Some(Cow::Owned(input.around_again(self.offset)))
    }
}

/// Counts over all files.
#[derive(Clone, Copy, Default)]
pub(crate) struct Total {
    pub(crate) files: u64,
    pub(crate) errors: u64,
    pub(crate) warnings: u64,
    /// Ill-formed files.
    pub(crate) failed: u64,
    /// Files with concealed text.
    pub(crate) concealing: u64,
    pub(crate) unreadable: u64,
    /// Binary files in directories, which were skipped.
    pub(crate) binary: u64,
    /// Problems that the baseline lists.
    pub(crate) known: u64,
    /// Problems not shown because there were too many.
    pub(crate) surplus: u64,
}

/// Writes problems as they are found.
pub(crate) struct Report {
    out: Stdout,
    format: CheckFormat,
    /// Whether to show every problem, not only the first of its rule in each file.
    pub(crate) all: bool,
    /// How many more problems may be shown.
    room: u64,
    /// Whether to write nothing if there are no problems.
    is_quiet: bool,
    pub(crate) total: Total,
    sarif: Option<Sarif>,
    layout: Layout,
    /// Notes already shown for this file.
    said: Vec<String>,
}

impl Report {
    /// `rules` are the names, titles and levels of the rules that may have findings.
    pub(crate) fn new(
        args: &CheckArgs,
        rules: impl Iterator<Item = (&'static str, String, Level)>,
    ) -> Result<Self, Failure> {
        use CheckFormat::{Github, Short};
        let is_for_machines = matches!(args.format, CheckFormat::Sarif | Github | Short);
        let mut out = Stdout::new();
        let sarif = match args.format {
            CheckFormat::Sarif => Some(Sarif::begin(&mut out, rules)?),
            _ => None,
        };
        Ok(Self {
            out,
            format: args.format,
            all: args.all || is_for_machines,
            room: args.max.unwrap_or(u64::MAX),
            is_quiet: args.quiet,
            total: Total::default(),
            sarif,
            layout: Layout::of(&io::stdout()),
            said: Vec::new(),
        })
    }

    /// Reports a problem. Returns whether it is shown.
    pub(crate) fn problem(
        &mut self,
        problem: &Problem<'_>,
        is_first: bool,
    ) -> Result<bool, Failure> {
        match problem.level {
            Level::Error => self.total.errors += 1,
            Level::Warning => self.total.warnings += 1,
            Level::Off => return Ok(false),
        }
        if !self.all && !is_first {
            return Ok(false);
        }
        if self.room == 0 {
            self.total.surplus += 1;
            return Ok(false);
        }
        self.room -= 1;
        match (&mut self.sarif, self.format) {
            (Some(sarif), _) => sarif.result(&mut self.out, problem)?,
            (None, CheckFormat::Json) => self.out.object(&json::problem(problem))?,
            (None, CheckFormat::Github) => self.out.exact(&github::problem(problem))?,
            (None, CheckFormat::Short) => self.out.text(&text::short(problem))?,
            (None, _) => {
                let text = text::problem(problem, &self.layout, &mut self.said);
                self.out.exact(&text)?;
                self.out.exact("")?;
            }
        }
        Ok(true)
    }

    /// Writes the buffered output.
    pub(crate) fn flush(&mut self) -> Result<(), Failure> {
        self.out.flush()
    }

    /// Whether text around problems is shown.
    pub(crate) fn shows_text(&self) -> bool {
        self.format == CheckFormat::Text
    }

    /// Counts problems that are not shown.
    pub(crate) fn count(&mut self, level: Level, count: u64) {
        match level {
            Level::Error => self.total.errors += count,
            Level::Warning => self.total.warnings += count,
            Level::Off => {}
        }
    }

    /// Writes the summary of a file: as text, unless `None`, with advice on its problems; or as
    /// JSON.
    pub(crate) fn file(
        &mut self,
        text: Option<String>,
        help: Option<String>,
        file: &json::File,
    ) -> Result<(), Failure> {
        self.said.clear();
        match (self.format, text) {
            (CheckFormat::Text, Some(text)) => {
                self.out.exact(&self.layout.line(&text))?;
                if let Some(help) = help {
                    self.out.exact(&self.layout.line(&format!("  help: {help}")))?;
                }
            }
            (CheckFormat::Json, _) => self.out.object(&Object::File(file))?,
            _ => return Ok(()),
        }
        self.out.flush()
    }

    /// Reports a file that cannot be read.
    pub(crate) fn unreadable(&mut self, source: &Source, failure: &Failure) -> Result<(), Failure> {
        self.total.unreadable += 1;
        self.said.clear();
        failure.report();
        let (what, reason) = match failure {
            Failure::Io { what, error } => (what.as_str(), message::io_reason(error)),
            _ => ("", String::new()),
        };
        let error = format!("{what}: {reason}");
        match (&mut self.sarif, self.format) {
            (Some(sarif), _) => sarif.unreadable(source, error),
            (None, CheckFormat::Json) => {
                let error = Some(error);
                self.out.object(&Object::File(&json::File {
                    file: FileName::of_source(source),
                    error,
                    ..json::File::default()
                }))?;
            }
            (None, CheckFormat::Github) => {
                self.out.exact(&github::unreadable(source, &error))?;
            }
            _ => {}
        }
        Ok(())
    }

    /// Writes the total, as text or as JSON. Returns the outcome of the command.
    pub(crate) fn end(
        mut self,
        text: String,
        summary: json::Summary,
        outcome: Result<(), Failure>,
    ) -> Result<(), Failure> {
        let exit_status = outcome.as_ref().err().map_or(0, Failure::exit_status);
        let Total { binary, surplus, known, errors, warnings, unreadable, .. } = self.total;
        let is_silent = self.is_quiet && errors + warnings + unreadable == 0;
        let skipped = (binary > 0).then_some(binary);
        match (self.sarif.take(), self.format) {
            (Some(sarif), _) => sarif.end(&mut self.out, exit_status)?,
            (None, CheckFormat::Json) => {
                let not_shown = (surplus > 0).then_some(surplus);
                self.out.object(&Object::Summary(&json::Summary {
                    skipped_files: skipped,
                    not_shown,
                    known_problems: (known > 0).then_some(known),
                    exit_status,
                    ..summary
                }))?;
            }
            (None, _) if is_silent => {}
            (None, _) => {
                let mut text = text;
                if let Some(binary) = skipped {
                    text += &format!(", {} skipped", message::count(binary, "binary file"));
                }
                if known > 0 {
                    text += &format!(", {known} known");
                }
                if surplus > 0 {
                    text += &format!(", {surplus} not shown");
                }
                self.out.exact(&self.layout.line(&text))?;
            }
        }
        self.out.flush()?;
        outcome
    }
}
