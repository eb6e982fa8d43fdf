//! Progress: a bar on a terminal, lines of JSON, or nothing.

use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde::Serialize;
use utfall_tree::Progress;

use crate::cli::ProgressArg;
use crate::json;

/// The time between lines of JSON.
const PERIOD: Duration = Duration::from_secs(1);

/// A bar for this many bytes, if the number is known and standard error is a terminal.
pub(crate) fn bytes(length: Option<u64>) -> ProgressBar {
    match length {
        Some(length) => bar(length, "{wide_bar} {bytes}/{total_bytes} {bytes_per_sec} {eta}"),
        None => {
            let bar = bar(0, "{spinner} {bytes} {bytes_per_sec}");
            bar.unset_length();
            bar
        }
    }
}

fn bar(length: u64, template: &str) -> ProgressBar {
    let target = match io::stderr().is_terminal() {
        true => ProgressDrawTarget::stderr(),
        false => ProgressDrawTarget::hidden(),
    };
    let bar = ProgressBar::with_draw_target(Some(length), target);
    match ProgressStyle::with_template(template) {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

/// Files of at least this size have a bar of their own.
const LARGE: u64 = 64 << 20;

/// The time before reading several files shows its progress.
const DELAY: Duration = Duration::from_secs(1);

/// The progress of reading. The bar disappears with the last clone.
#[derive(Clone, Debug)]
pub(crate) struct Reading {
    bar: ProgressBar,
    /// `None` for several files, whose sizes are not known in advance.
    size: Option<u64>,
    begun: Instant,
}

impl Reading {
    /// Of one file. `None` unless it is large and standard error is a terminal.
    pub(crate) fn of_file(size: u64) -> Option<Self> {
        let is_shown = size >= LARGE && io::stderr().is_terminal();
        is_shown.then(|| Self::new(bytes(Some(size)), Some(size)))
    }

    /// Of several files. `None` unless standard error is a terminal.
    pub(crate) fn of_files() -> Option<Self> {
        if !io::stderr().is_terminal() {
            return None;
        }
        let bar = bytes(None);
        bar.set_draw_target(ProgressDrawTarget::hidden());
        Some(Self::new(bar, None))
    }

    fn new(bar: ProgressBar, size: Option<u64>) -> Self {
        Self { bar, size, begun: Instant::now() }
    }

    /// Adds bytes that were read. Parts of a file may overlap.
    pub(crate) fn read(&self, bytes: usize) {
        let position = self.bar.position() + bytes as u64;
        self.bar.set_position(position.min(self.size.unwrap_or(u64::MAX)));
        if self.bar.is_hidden() && self.begun.elapsed() >= DELAY {
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
    }

    /// Hides the bar while something else is written.
    pub(crate) fn around<T>(&self, write: impl FnOnce() -> T) -> T {
        self.bar.suspend(write)
    }
}

/// The progress of a run over many files.
pub(crate) struct Files {
    files: u64,
    bytes: u64,
    shown: Shown,
}

enum Shown {
    Bar(ProgressBar),
    Json { begun: Instant, last: Instant },
    Nothing,
}

/// A line of JSON.
#[derive(Serialize)]
#[serde(tag = "type", rename = "progress")]
struct Object {
    files: u64,
    files_total: u64,
    bytes: u64,
    bytes_total: u64,
    seconds: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    seconds_left: Option<f64>,
}

impl Files {
    pub(crate) fn new(how: ProgressArg, is_quiet: bool, files: usize, bytes: u64) -> Self {
        let now = Instant::now();
        let shown = match how {
            ProgressArg::Json => Shown::Json { begun: now, last: now },
            ProgressArg::Auto if !is_quiet && io::stderr().is_terminal() => {
                let template = "{wide_bar} {msg} files {bytes}/{total_bytes} {bytes_per_sec} {eta}";
                Shown::Bar(bar(bytes, template).with_message(format!("0/{files}")))
            }
            ProgressArg::Auto | ProgressArg::None => Shown::Nothing,
        };
        Self { files: files as u64, bytes, shown }
    }

    pub(crate) fn tick(&mut self, at: Progress) {
        match &mut self.shown {
            Shown::Bar(bar) => {
                bar.set_message(format!("{}/{}", at.files, self.files));
                bar.set_position(at.bytes.min(self.bytes));
            }
            Shown::Json { last, .. } if last.elapsed() >= PERIOD => {
                *last = Instant::now();
                self.line(at.files, at.bytes);
            }
            Shown::Json { .. } | Shown::Nothing => {}
        }
    }

    /// Hides the bar while something else is written.
    pub(crate) fn around<T>(&self, write: impl FnOnce() -> T) -> T {
        match &self.shown {
            Shown::Bar(bar) => bar.suspend(write),
            _ => write(),
        }
    }

    pub(crate) fn end(self) {
        match &self.shown {
            Shown::Bar(bar) => bar.finish_and_clear(),
            Shown::Json { .. } => self.line(self.files, self.bytes),
            Shown::Nothing => {}
        }
    }

    fn line(&self, files: u64, bytes: u64) {
        let Shown::Json { begun, .. } = &self.shown else { return };
        let seconds = begun.elapsed().as_secs_f64();
        let left = (self.bytes.saturating_sub(bytes)) as f64 * seconds / bytes as f64;
        let object = Object {
            files,
            files_total: self.files,
            bytes,
            bytes_total: self.bytes,
            seconds,
            seconds_left: left.is_finite().then_some(left),
        };
        // If stderr is closed, the exit status still reports the result.
        _ = json::line(io::stderr().lock(), &object);
    }
}
