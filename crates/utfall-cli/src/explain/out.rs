//! The output of the explanation: standard output, or a pager.

use std::env;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::process::{Child, Command, Stdio};

use crate::failure::Failure;
use crate::patient::Patient;
use crate::{json, screen, stdout};

pub(super) struct Out {
    writer: BufWriter<Box<dyn Write>>,
    pager: Option<Child>,
    is_coloured: bool,
}

impl Out {
    /// `wants_pager` applies to text for people; colors and a pager are only used on a terminal.
    pub(super) fn new(wants_pager: bool, wants_colours: bool) -> Self {
        let choice = anstream::AutoStream::choice(&io::stdout());
        let is_coloured = wants_colours && choice != anstream::ColorChoice::Never;
        let mut pager = match wants_pager && io::stdout().is_terminal() {
            true => pager(),
            false => None,
        };
        let writer: Box<dyn Write> = match pager.as_mut().and_then(|child| child.stdin.take()) {
            Some(stdin) => Box::new(stdin),
            None if is_coloured => Box::new(Patient(anstream::stdout().lock())),
            None => Box::new(stdout::lock()),
        };
        Self { writer: BufWriter::new(writer), pager, is_coloured }
    }

    pub(super) fn is_coloured(&self) -> bool {
        self.is_coloured
    }

    pub(super) fn line(&mut self, text: &str) -> Result<(), Failure> {
        writeln!(self.writer, "{}", screen::lines(text)).map_err(stdout::failed)
    }

    /// As JSON.
    pub(super) fn object(&mut self, object: &impl serde::Serialize) -> Result<(), Failure> {
        json::line(&mut self.writer, object).map_err(stdout::failed)
    }

    /// Waits for the pager, whether or not writing succeeded.
    pub(super) fn end(self, result: Result<(), Failure>) -> Result<(), Failure> {
        let Self { mut writer, pager, .. } = self;
        let flushed = writer.flush().map_err(stdout::failed);
        drop(writer);
        if let Some(mut pager) = pager {
            // The exit status of the pager does not matter.
            _ = pager.wait();
        }
        result.and(flushed)
    }
}

/// The program of `PAGER` with its arguments, or `less`. If it is missing, the output goes to the
/// terminal.
fn pager() -> Option<Child> {
    let chosen = env::var("PAGER").unwrap_or_else(|_| "less".into());
    let mut words = chosen.split_whitespace();
    let program = words.next().filter(|program| *program != "cat")?;
    let mut command = Command::new(program);
    command.args(words).stdin(Stdio::piped());
    if env::var_os("LESS").is_none() {
        // Colors, and no pager for text that fits on the screen.
        command.env("LESS", "FRX");
    }
    command.spawn().ok()
}
