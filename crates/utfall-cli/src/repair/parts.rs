//! Reading a report: the changes of each text, checked as far as possible without the text.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;

use utfall_bind::repair::Object;
use utfall_tree::Digest;

use crate::failure::Failure;
use crate::file_name::FileName;
use crate::patient::Patient;
use crate::{json, message};

/// A change to be reverted.
pub(super) struct Old {
    pub(super) offset: u64,
    pub(super) offset_after: u64,
    pub(super) before: Vec<u8>,
    pub(super) after: Vec<u8>,
}

/// All changes of one text, in order and within it.
pub(super) struct Part {
    pub(super) file: FileName,
    pub(super) changes: Vec<Old>,
    /// Of the original.
    pub(super) before: Digest,
    /// Of the repaired text.
    pub(super) after: Digest,
}

/// The parts of a report. Any doubtful line is an error: a report that is incomplete, reordered or
/// altered would lead to another text than the original.
pub(super) fn read(report: &Path) -> Result<Vec<Part>, Failure> {
    let name = message::path(report);
    let failed = || format!("cannot read {name}");
    let mut reader: Box<dyn BufRead> = match report == Path::new("-") {
        true => Box::new(BufReader::new(Patient(io::stdin()))),
        false => Box::new(BufReader::new(File::open(report).map_err(Failure::io(failed))?)),
    };
    let mut parts = Parts::default();
    let mut line = Vec::new();
    for number in 1_u64.. {
        line.clear();
        if reader.read_until(b'\n', &mut line).map_err(Failure::io(failed))? == 0 {
            break;
        }
        let refused = |why: String| Failure::Refused(format!("{name}:{number}: {why}"));
        let is_whole = line.last() == Some(&b'\n');
        if let Some(version) = json::version(&line).filter(|version| *version != json::VERSION) {
            return Err(refused(format!(
                "this line has version {version} of the report, and this utfall reads version {}: \
                 use the utfall that wrote it",
                json::VERSION
            )));
        }
        let object = serde_json::from_slice(&line).ok().filter(|_| is_whole);
        let object = object.ok_or_else(|| match is_whole {
            true => refused("not a line of a report".into()),
            false => refused("the report is incomplete".into()),
        })?;
        parts.add(object).map_err(refused)?;
    }
    let refused = |why: String| Err(Failure::Refused(format!("{name}: {why}")));
    match parts.open.first() {
        Some((file, _)) => {
            let file = file.shown();
            refused(format!("the report is incomplete: it ends among the changes of {file}"))
        }
        None if parts.all.is_empty() => refused("the report is empty".into()),
        None => Ok(parts.all),
    }
}

#[derive(Default)]
struct Parts {
    all: Vec<Part>,
    /// Changes of a text whose final line is still missing.
    open: Vec<(FileName, Old)>,
}

impl Parts {
    fn add(&mut self, object: Object<'_>) -> Result<(), String> {
        match object {
            Object::Change { file, offset, offset_after, before_hex, after_hex, .. } => {
                if self.open.first().is_some_and(|(open, _)| *open != file) {
                    return Err(format!(
                        "a change of {} among those of another file",
                        file.shown()
                    ));
                }
                let wrong = || "\"before_hex\" or \"after_hex\" is not hexadecimal".to_owned();
                let before = hexadecimal(&before_hex).ok_or_else(wrong)?;
                let after = hexadecimal(&after_hex).ok_or_else(wrong)?;
                self.open.push((file, Old { offset, offset_after, before, after }));
            }
            // The text is as it was there.
            Object::Skipped { .. } => {}
            // The text was not changed.
            Object::File { file, action, .. } if action == "failed" => {
                self.open.clear();
                self.all.retain(|part| part.file != file);
            }
            Object::File { file, changes, bytes, bytes_after, digest, digest_after, .. } => {
                let (Some(digest), Some(digest_after)) = (digest, digest_after) else {
                    return Err("the report has no digests: another version made it".into());
                };
                let open = std::mem::take(&mut self.open);
                if open.len() as u64 != changes || open.iter().any(|(open, _)| *open != file) {
                    return Err(format!(
                        "{} of {}, but {} before this line",
                        message::count(changes, "change"),
                        file.shown(),
                        open.len()
                    ));
                }
                let wrong = || "not a digest".to_owned();
                let part = Part {
                    before: self::digest(bytes, &digest).ok_or_else(wrong)?,
                    after: self::digest(bytes_after, &digest_after).ok_or_else(wrong)?,
                    changes: open.into_iter().map(|(_, old)| old).collect(),
                    file,
                };
                part.check()?;
                self.all.push(part);
            }
        }
        Ok(())
    }
}

impl Part {
    /// Whether the changes are in order and account for the whole difference in length.
    fn check(&self) -> Result<(), String> {
        let (mut end, mut end_after) = (0_u64, 0_u64);
        for (index, old) in self.changes.iter().enumerate() {
            let kept = old.offset.checked_sub(end);
            if kept.is_none() || kept != old.offset_after.checked_sub(end_after) {
                return Err(format!(
                    "change {} of {} is out of order",
                    index + 1,
                    self.file.shown()
                ));
            }
            end = old.offset.saturating_add(old.before.len() as u64);
            end_after = old.offset_after.saturating_add(old.after.len() as u64);
        }
        let kept = self.before.length.checked_sub(end);
        match kept.is_some() && kept == self.after.length.checked_sub(end_after) {
            true => Ok(()),
            false => Err(format!("the changes do not fit the lengths of {}", self.file.shown())),
        }
    }
}

fn digest(length: u64, hash: &str) -> Option<Digest> {
    let is_hash = hash.len() == 32 && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
    let hash = is_hash.then(|| u128::from_str_radix(hash, 16).ok())??;
    Some(Digest { length, hash })
}

/// Bytes in hexadecimal.
fn hexadecimal(text: &str) -> Option<Vec<u8>> {
    let (pairs, []) = text.as_bytes().as_chunks::<2>() else { return None };
    let byte = |pair: &[u8; 2]| {
        let [high, low] = pair.map(|digit| char::from(digit).to_digit(16));
        Some((high? << 4 | low?) as u8)
    };
    pairs.iter().map(byte).collect()
}
