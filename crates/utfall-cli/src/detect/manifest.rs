//! `--format manifest`: what `utfall convert --manifest` reads.

use std::io::{self, IsTerminal};
use std::path::Path;

use utfall::{ByteOrder, Encoding};
use utfall_detect::Candidate;

use super::{Answer, Input};
use crate::failure::Failure;
use crate::guess::Verdict;
use crate::stdout::Stdout;
use crate::{input, message};

pub(super) struct Manifest {
    /// Whether the output is a terminal, which would act on control characters in names.
    is_shown: bool,
    /// The number of files that are not listed.
    left_out: u64,
}

impl Manifest {
    pub(super) fn new(inputs: &[Input]) -> Result<Self, Failure> {
        if inputs.iter().any(|input| input.source.is_none()) {
            return Err(Failure::UsageWithHelp {
                text: "a manifest cannot list standard input, which has no name".into(),
                help: "name files or directories; a single dot is all files in this directory"
                    .into(),
            });
        }
        let is_shown = io::stdout().is_terminal();
        Ok(Self { is_shown, left_out: 0 })
    }

    /// Writes the line of a file. Returns whether its encoding is known, or is not needed.
    pub(super) fn file(&mut self, answer: &Answer<'_>, out: &mut Stdout) -> Result<bool, Failure> {
        let Some(path) = answer.source else { return Ok(true) };
        let Verdict::Sure(best) = answer.verdict else {
            let is_skipped = !answer.is_named && input::looks_binary(path);
            if !is_skipped {
                self.leave_out(&answer.verdict.refusal(&message::path(path)));
            }
            return Ok(is_skipped);
        };
        let Some(name) = listed(path) else {
            let name = message::path(path);
            self.leave_out(&format!("a manifest cannot list {name}: it has no line for this name"));
            return Ok(false);
        };
        let encoding = listed_as(best);
        if self.is_shown {
            out.text(&format!("{}\t{encoding}", message::path(path)))?;
        } else {
            out.exact_bytes(&[name, b"\t", encoding.as_bytes()].concat())?;
        }
        Ok(true)
    }

    fn leave_out(&mut self, why: &str) {
        self.left_out += 1;
        message::error(why);
    }

    /// Prints a note about the files that are not listed.
    pub(super) fn end(&self) {
        if self.left_out > 0 {
            let files = message::count(self.left_out, "file");
            message::note(&format!(
                "{files} left out of the manifest: add lines by hand, or narrow the candidates \
                 with --expect or --language"
            ));
        }
    }
}

/// The name of the encoding in a manifest.
fn listed_as(best: &Candidate) -> &'static str {
    if best.evidence.iter().any(|evidence| evidence.name() == "signature") {
        by_signature(best.encoding).name()
    } else {
        best.encoding.name()
    }
}

/// The encoding that reads the byte order mark as such, so that it does not become text.
fn by_signature(encoding: Encoding) -> Encoding {
    encoding.with_byte_order(ByteOrder::Marked).unwrap_or(encoding)
}

/// The name of a file in a manifest, or `None` if it cannot be listed: a line feed would end the
/// line.
fn listed(path: &Path) -> Option<&[u8]> {
    let name = path.as_os_str().as_encoded_bytes();
    let is_readable = cfg!(unix) || path.to_str().is_some();
    (is_readable && !name.contains(&b'\n')).then_some(name)
}
