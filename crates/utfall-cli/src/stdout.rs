//! Standard output, line by line, for the reports of all subcommands.

use std::io::{self, BufWriter, StdoutLock, Write};

use serde::Serialize;

use crate::failure::Failure;
use crate::patient::Patient;
use crate::{json, screen};

/// Standard output, which waits if it is not ready.
pub(crate) type Raw = Patient<StdoutLock<'static>>;

pub(crate) fn lock() -> Raw {
    Patient(io::stdout().lock())
}

pub(crate) struct Stdout {
    out: BufWriter<Raw>,
}

impl Stdout {
    pub(crate) fn new() -> Self {
        Self { out: BufWriter::new(lock()) }
    }

    /// Writes text without a line end.
    pub(crate) fn part(&mut self, text: &str) -> Result<(), Failure> {
        self.out.write_all(text.as_bytes()).map_err(failed)
    }

    /// Writes a line of a report. Characters that act on a terminal or a CI log are escaped.
    pub(crate) fn text(&mut self, text: &str) -> Result<(), Failure> {
        self.exact(&screen::line(text))
    }

    /// Writes a line for a program.
    pub(crate) fn exact(&mut self, text: &str) -> Result<(), Failure> {
        writeln!(self.out, "{text}").map_err(failed)
    }

    /// The same, for bytes that may not be UTF-8.
    pub(crate) fn exact_bytes(&mut self, line: &[u8]) -> Result<(), Failure> {
        self.out.write_all(line).and_then(|()| self.out.write_all(b"\n")).map_err(failed)
    }

    /// Writes a line of JSON.
    pub(crate) fn object(&mut self, object: &impl Serialize) -> Result<(), Failure> {
        json::line(&mut self.out, object).map_err(failed)
    }

    pub(crate) fn flush(&mut self) -> Result<(), Failure> {
        self.out.flush().map_err(failed)
    }
}

/// The failure to write standard output.
pub(crate) fn failed(error: io::Error) -> Failure {
    Failure::Output { what: "cannot write (standard output)".into(), error }
}
