//! `repair --undo`: the original of a text, restored from the report of its changes.
//!
//! Nothing is written before everything is verified: the report is complete and in order, the text has
//! the length and digest that the report gives, and so does the restored original.

use std::io::Write;
use std::path::Path;

use tempfile::SpooledTempFile;
use utfall_tree::{Digest, Digester};

use super::parts::{self, Old, Part};
use crate::cli::RepairArgs;
use crate::failure::Failure;
use crate::file_name::FileName;
use crate::input::{self, Input, Source};
use crate::message;
use crate::output::Output;

/// Bytes of an original held in memory until it is verified.
const HELD: usize = 8 << 20;

pub(super) fn run(args: &RepairArgs, report: &Path) -> Result<(), Failure> {
    let sources = input::sources(&args.files);
    if report == Path::new("-") && sources.contains(&None) {
        return Err(Failure::Usage("standard input is both REPORT and FILE".into()));
    }
    let parts = parts::read(report)?;
    let all_sources = [&sources[..], &input::sources(&[report.into()])].concat();
    let mut output = Output::open(args.output.as_deref(), &all_sources, args.overwrite_input)?;
    input::tell_of_terminal(&args.files);
    // If OUT is a file, it appears at the end or not at all.
    let waits = !output.is_file();
    let mut held = SpooledTempFile::new(HELD);
    let cannot_hold = || "cannot keep the original in a temporary file until it is verified".into();
    for source in &sources {
        let part = part_about(source, sources.len(), &parts, report)?;
        put_back(source, part, report, |bytes| match waits {
            true => held.write_all(bytes).map_err(Failure::io(cannot_hold)),
            false => output.write(bytes),
        })?;
    }
    if waits {
        use std::io::{Read, Seek};
        held.rewind().map_err(Failure::io(cannot_hold))?;
        let mut room = vec![0; 64 << 10];
        loop {
            let count = held.read(&mut room).map_err(Failure::io(cannot_hold))?;
            if count == 0 {
                break;
            }
            output.write(&room[..count])?;
        }
    }
    output.finish()
}

/// The changes of a text. If the report is about a single text, it applies to this one under any
/// name.
fn part_about<'p>(
    source: &Source,
    sources: usize,
    parts: &'p [Part],
    report: &Path,
) -> Result<&'p Part, Failure> {
    let name = FileName::of_source(source);
    let of_name = || parts.iter().filter(|part| part.file == name);
    // A file that was named twice was repaired only once.
    let changed = of_name().find(|part| !part.changes.is_empty());
    match (changed.or(of_name().next()), parts) {
        (Some(part), _) => Ok(part),
        (None, [part]) if sources == 1 => Ok(part),
        (None, _) => {
            let text = format!("{} does not mention {}", message::path(report), name.shown());
            Err(Failure::Refused(text))
        }
    }
}

/// Passes on the original of a text in parts, or returns why it cannot be restored.
fn put_back(
    source: &Source,
    part: &Part,
    report: &Path,
    mut put: impl FnMut(&[u8]) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let mut input = Input::open(source)?;
    let name = input.name().to_owned();
    let (mut now, mut original) = (Digester::default(), Digester::default());
    let mut put = |bytes: &[u8]| {
        original.add(bytes);
        put(bytes)
    };
    let mut changes = part.changes.iter().peekable();
    // Text not yet passed on, and its offset.
    let (mut text, mut offset) = (Vec::new(), 0);
    loop {
        input.advance()?;
        let is_last = input.piece().is_empty();
        now.add(input.piece());
        text.extend_from_slice(input.piece());
        let mut done = 0;
        while let Some(Old { offset_after, before, after, .. }) = changes.peek() {
            let begin = usize::try_from(offset_after - offset).unwrap_or(usize::MAX);
            let end = begin.saturating_add(after.len());
            if end > text.len() && !is_last {
                break;
            }
            if text.get(begin..end) != Some(after) {
                return Err(not_the_text(&name, *offset_after));
            }
            put(&text[done..begin])?;
            put(before)?;
            done = end;
            changes.next();
        }
        // Keep text that may be the start of a change.
        let wait = changes.peek().map_or(u64::MAX, |old| old.offset_after) - offset;
        let until = usize::try_from(wait).unwrap_or(usize::MAX).clamp(done, text.len());
        put(&text[done..until])?;
        text.drain(..until);
        offset += until as u64;
        if is_last {
            break;
        }
    }
    match (now.finish(), original.finish()) {
        (now, _) if now != part.after => Err(another_text(&name, now, part.after)),
        (_, original) if original != part.before => Err(Failure::Refused(format!(
            "{}: the report was altered: it does not lead to the original of {name}",
            message::path(report)
        ))),
        _ => Ok(()),
    }
}

fn not_the_text(name: &str, offset: u64) -> Failure {
    let text = "does not match the report from byte";
    Failure::Refused(format!("{name} {text} {offset} on"))
}

fn another_text(name: &str, now: Digest, then: Digest) -> Failure {
    let why = match now.length == then.length {
        true => "its digest differs".into(),
        false => format!("it has {} bytes, not {}", now.length, then.length),
    };
    Failure::Refused(format!("{name} does not match the report: {why}"))
}
