//! `utfall repair --undo`: a text as it was, from the report of what was changed.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;

use super::report::Object;
use crate::cli::RepairArgs;
use crate::failure::Failure;
use crate::file_name::FileName;
use crate::input::{self, Input};
use crate::message;
use crate::output::Output;
use crate::patient::Patient;

/// A change, to be taken back.
struct Old {
    file: FileName,
    offset_after: u64,
    before: Vec<u8>,
    after: Vec<u8>,
}

pub(super) fn run(args: &RepairArgs, report: &Path) -> Result<(), Failure> {
    let all = read(report)?;
    let sources = input::sources(&args.files);
    if report == Path::new("-") && sources.contains(&None) {
        return Err(Failure::Usage("standard input is both REPORT and FILE".into()));
    }
    let is_of_one = all.windows(2).all(|pair| pair[0].file == pair[1].file);
    let all_sources = [&sources[..], &input::sources(&[report.into()])].concat();
    let mut output = Output::open(args.output.as_deref(), &all_sources, args.overwrite_input)?;
    for source in &sources {
        let mut input = Input::open(source)?;
        let name = FileName::of_source(source);
        // A report about one text is about this one, under whatever name it is now.
        let is_meant = |old: &&Old| (is_of_one && sources.len() == 1) || old.file == name;
        let mut changes: VecDeque<&Old> = all.iter().filter(is_meant).collect();
        let mut text = Vec::new();
        let mut offset = 0;
        loop {
            input.advance()?;
            let is_last = input.piece().is_empty();
            text.extend_from_slice(input.piece());
            let mut done = 0;
            while let Some(old) = changes.front() {
                let other = || not_the_text(input.name(), old.offset_after);
                let begin = old.offset_after.checked_sub(offset).ok_or_else(other)?;
                let begin = usize::try_from(begin).unwrap_or(usize::MAX);
                let end = begin.saturating_add(old.after.len());
                if end > text.len() {
                    match is_last {
                        true => return Err(other()),
                        false => break,
                    }
                }
                if begin < done || text[begin..end] != old.after {
                    return Err(other());
                }
                output.write(&text[done..begin])?;
                output.write(&old.before)?;
                done = end;
                changes.pop_front();
            }
            // What may be the start of a change waits.
            let wait = changes.front().map_or(u64::MAX, |old| old.offset_after) - offset;
            let until = usize::try_from(wait).unwrap_or(usize::MAX).clamp(done, text.len());
            output.write(&text[done..until])?;
            text.drain(..until);
            offset += until as u64;
            if is_last {
                break;
            }
        }
    }
    output.finish()
}

fn not_the_text(name: &str, offset: u64) -> Failure {
    message::error(&format!(
        "{name}: this is not what the report is about, from octet {offset} on"
    ));
    Failure::IllFormed
}

fn read(report: &Path) -> Result<Vec<Old>, Failure> {
    let name = message::path(report);
    let failed = || format!("cannot read {name}");
    let reader: Box<dyn BufRead> = match report == Path::new("-") {
        true => Box::new(BufReader::new(Patient(io::stdin()))),
        false => Box::new(BufReader::new(File::open(report).map_err(Failure::io(failed))?)),
    };
    let mut all = Vec::new();
    for (index, line) in reader.lines().enumerate() {
        let line = line.map_err(Failure::io(failed))?;
        let wrong = || Failure::Usage(format!("{name}:{}: no line of a report", index + 1));
        match serde_json::from_str(&line).map_err(|_| wrong())? {
            Object::Change { file, offset_after, before, after, .. } => all.push(Old {
                file,
                offset_after,
                before: octets(&before).ok_or_else(wrong)?,
                after: octets(&after).ok_or_else(wrong)?,
            }),
            Object::File { .. } => {}
        }
    }
    Ok(all)
}

/// Octets in hexadecimal.
fn octets(text: &str) -> Option<Vec<u8>> {
    let pairs = text.as_bytes().chunks(2);
    pairs.map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok()).collect()
}
