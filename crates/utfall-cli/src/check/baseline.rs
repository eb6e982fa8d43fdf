//! `utfall check --baseline`: known problems, which are not reported again.
//!
//! A problem is known by its file, its rule and a digest of its line. So it stays known when lines
//! are added above it, but not when its line changes. The digest is cryptographic: nobody can write
//! another line with the same digest.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use utfall::lint::Rule;
use utfall_tree::real_path;

use super::sarif::uri;
use crate::failure::Failure;
use crate::input::Source;
use crate::message;
use crate::output::Output;

/// How much of a line, on each side of a problem, enters the digest.
const REACH: usize = 64 * 1024;
/// Bytes read at a time: the problems that follow are often among them.
const BLOCK: usize = 4 * REACH;
/// Bytes per stored digest.
const KEPT: usize = 16;

/// Known problems: read from a file, or collected for a new file.
pub(crate) struct Baseline {
    path: PathBuf,
    /// The directory of the file, without symbolic links.
    folder: PathBuf,
    /// How often each problem occurs: the number not yet matched, or, in a new baseline, found.
    known: BTreeMap<Key, u64>,
    is_written: bool,
    line: Option<Line>,
    block: Option<Block>,
}

/// The part of a file that was read last.
struct Block {
    source: Source,
    /// The offset of the bytes.
    begin: u64,
    bytes: Vec<u8>,
}

/// The line that was looked up last.
struct Line {
    source: Source,
    number: u64,
    digest: String,
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
struct Key {
    /// The path relative to the directory of the baseline, as in a URI.
    file: String,
    rule: String,
    /// The digest of the line; empty if the problem concerns the whole file.
    line: String,
}

#[derive(Serialize, Deserialize)]
struct Entry {
    #[serde(flatten)]
    key: Key,
    count: u64,
}

impl Baseline {
    /// Reads a baseline.
    pub(crate) fn read(path: &Path) -> Result<Self, Failure> {
        let name = message::path(path);
        let text = std::fs::read(path).map_err(Failure::io(|| format!("cannot read {name}")))?;
        let mut baseline = Self::new(path, false);
        for (index, line) in text.split(|byte| *byte == b'\n').enumerate() {
            if line.trim_ascii().is_empty() {
                continue;
            }
            let entry: Entry = serde_json::from_slice(line)
                .map_err(|error| Failure::Usage(format!("{name}:{}: {error}", index + 1)))?;
            *baseline.known.entry(entry.key).or_default() += entry.count;
        }
        Ok(baseline)
    }

    /// An empty baseline, to be written at the end.
    pub(crate) fn to_write(path: &Path) -> Self {
        Self::new(path, true)
    }

    fn new(path: &Path, is_written: bool) -> Self {
        let folder = real_path(path).parent().map(Path::to_path_buf).unwrap_or_default();
        Self {
            path: path.into(),
            folder,
            known: BTreeMap::new(),
            is_written,
            line: None,
            block: None,
        }
    }

    /// Whether a problem is known. A new baseline adds it.
    pub(crate) fn knows(
        &mut self,
        source: &Source,
        rule: &str,
        (number, offset): (u64, u64),
    ) -> bool {
        let Some(path) = source else { return false };
        let Ok(line) = self.digest(source, path, rule, (number, offset)) else { return false };
        let path = real_path(path);
        let file = uri(path.strip_prefix(&self.folder).unwrap_or(&path));
        let key = Key { file, rule: rule.into(), line };
        if self.is_written {
            *self.known.entry(key).or_default() += 1;
            return true;
        }
        match self.known.get_mut(&key) {
            Some(left @ 1..) => {
                *left -= 1;
                true
            }
            _ => false,
        }
    }

    /// The digest of the line with this number, which contains this offset.
    fn digest(
        &mut self,
        source: &Source,
        path: &Path,
        rule: &str,
        (number, offset): (u64, u64),
    ) -> io::Result<String> {
        let of_file = [Rule::Bom, Rule::MixedNewlines, Rule::FinalNewline];
        if of_file.iter().any(|other| other.name() == rule) {
            return Ok(String::new());
        }
        if let Some(line) = &self.line
            && line.number == number
            && line.source == *source
        {
            return Ok(line.digest.clone());
        }
        let block = match self.block.take() {
            Some(block) if block.source == *source && block.reaches(offset) => block,
            _ => Block::read(source, path, offset)?,
        };
        let digest = Sha256::digest(block.line_at(offset));
        self.block = Some(block);
        let digest: String = digest[..KEPT].iter().map(|byte| format!("{byte:02x}")).collect();
        self.line = Some(Line { source: source.clone(), number, digest: digest.clone() });
        Ok(digest)
    }

    /// Writes a new baseline and reports that. It must not be one of the inputs.
    pub(crate) fn end(self, inputs: &[Source]) -> Result<(), Failure> {
        if !self.is_written {
            return Ok(());
        }
        let mut output = Output::open_apart(&self.path, inputs)?;
        let problems = self.known.values().sum();
        for (key, count) in self.known {
            let line = serde_json::to_string(&Entry { key, count }).map_err(io::Error::from);
            output.write((line.map_err(|error| output.failure(error))? + "\n").as_bytes())?;
        }
        output.finish()?;
        let (count, name) = (message::count(problems, "problem"), message::path(&self.path));
        message::note(&format!("{count} written to {name}"));
        Ok(())
    }
}

impl Block {
    /// Reads the bytes around an offset.
    fn read(source: &Source, path: &Path, offset: u64) -> io::Result<Self> {
        let mut file = File::open(path)?;
        if !file.metadata()?.is_file() {
            return Err(io::ErrorKind::Unsupported.into());
        }
        let begin = offset.saturating_sub(REACH as u64);
        file.seek(SeekFrom::Start(begin))?;
        let mut bytes = Vec::new();
        file.take(BLOCK as u64).read_to_end(&mut bytes)?;
        Ok(Self { source: source.clone(), begin, bytes })
    }

    /// Whether it has the bytes around an offset.
    fn reaches(&self, offset: u64) -> bool {
        let wanted = offset.saturating_sub(REACH as u64)..=offset + REACH as u64;
        let is_at_end = self.bytes.len() < BLOCK;
        let end = self.begin + self.bytes.len() as u64;
        self.begin <= *wanted.start() && (*wanted.end() <= end || is_at_end)
    }

    /// The line around an offset, without its line end; only a part of a long line.
    fn line_at(&self, offset: u64) -> &[u8] {
        let at = ((offset - self.begin) as usize).min(self.bytes.len());
        let (before, after) = self.bytes.split_at(at);
        let (before, after) =
            (&before[at.saturating_sub(REACH)..], &after[..after.len().min(REACH)]);
        let is_end = |byte: &u8| *byte == b'\n';
        let begin = before.iter().rposition(is_end).map_or(0, |end| end + 1);
        let end = after.iter().position(is_end).unwrap_or(after.len());
        let line = &self.bytes[at - before.len() + begin..at + end];
        line.strip_suffix(b"\r").unwrap_or(line)
    }
}
