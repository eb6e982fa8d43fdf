//! The lines of a journal: JSON, each with a checksum.
//!
//! A line that is not intact is rejected, whatever happened to the file. Nothing is restored on the
//! basis of a rejected line.

use std::ffi::OsString;
use std::fmt;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, ErrorKind, Write};
use std::path::{Component, Path, PathBuf};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::digest::{self, Digest};

/// The version of the format, and the seed of the checksums.
pub(crate) const VERSION: u32 = 1;
/// The longest line that a run writes: paths are shorter, even with every byte escaped.
const LONGEST: usize = 1 << 20;

/// A line of a journal.
#[derive(Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub(crate) enum Line {
    /// The first line.
    Run(About),
    File(Record),
}

/// The description of a run.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct About {
    /// The version of the format.
    pub(crate) version: u32,
    /// The start time, in seconds since 1970.
    pub(crate) time: u64,
    pub(crate) folder: Name,
    pub(crate) to: String,
}

/// A file that was replaced, or was about to be.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Record {
    /// The number that names the original.
    pub(crate) number: u64,
    pub(crate) path: Name,
    /// Length in bytes and hexadecimal digest of the new file.
    length: u64,
    digest: String,
    pub(crate) from: String,
}

impl Record {
    pub(crate) fn new(number: u64, path: &Path, digest: Digest, from: &str) -> Self {
        Self {
            number,
            path: Name::new(path),
            length: digest.length,
            digest: format!("{:032x}", digest.hash),
            from: from.into(),
        }
    }

    pub(crate) fn digest(&self) -> Option<Digest> {
        let hash = u128::from_str_radix(&self.digest, 16).ok()?;
        Some(Digest { length: self.length, hash })
    }

    /// Whether a run could have written it: an absolute path without `.` and `..`.
    fn is_plausible(&self) -> bool {
        let path = self.path.path();
        let is_plain = |part| !matches!(part, Component::CurDir | Component::ParentDir);
        self.number > 0 && path.is_absolute() && path.components().all(is_plain)
    }
}

/// A path: a string if it is Unicode, otherwise the system's representation.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub(crate) enum Name {
    Text(String),
    Other(OsString),
}

impl Name {
    pub(crate) fn new(path: &Path) -> Self {
        match path.to_str() {
            Some(text) => Self::Text(text.into()),
            None => Self::Other(path.into()),
        }
    }

    pub(crate) fn path(&self) -> PathBuf {
        match self {
            Self::Text(text) => text.into(),
            Self::Other(text) => text.into(),
        }
    }
}

/// Serializes a line. Its last field is the checksum of everything before.
pub(crate) fn write(line: &Line) -> io::Result<Vec<u8>> {
    let mut text = serde_json::to_vec(line)?;
    text.pop();
    let check = check(&text);
    writeln!(text, "{CHECK}{check:032x}\"}}")?;
    Ok(text)
}

const CHECK: &str = ",\"check\":\"";

fn check(text: &[u8]) -> u128 {
    digest::seeded(VERSION.into(), text)
}

/// Parses a line that is exactly as written, except perhaps for the line end.
fn understand(line: &[u8]) -> Option<Line> {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    let inner = line.strip_suffix(b"\"}")?;
    let (text, written) = inner.split_at_checked(inner.len().checked_sub(32)?)?;
    let text = text.strip_suffix(CHECK.as_bytes())?;
    if written != format!("{:032x}", check(text)).as_bytes() {
        return None;
    }
    serde_json::from_slice(line).ok()
}

/// Damage to the records of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Damage {
    /// The journal is missing, but there are originals.
    NoJournal,
    /// The journal is empty, but there are originals.
    Empty,
    /// The journal is a directory, a pipe or another special file.
    NotAFile,
    /// The journal cannot be read, for this reason.
    Unreadable(String),
    /// A later version of this library wrote the journal.
    Newer(u32),
    /// Lines of the journal are damaged.
    Lines {
        /// The number of the first damaged line, from 1.
        first: u64,
        /// The number of damaged lines.
        count: u64,
    },
    /// The journal does not list this many originals.
    Unnamed(u64),
    /// The directory contains something that no run creates.
    Foreign(PathBuf),
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoJournal => f.write_str("its journal is missing"),
            Self::Empty => f.write_str("its journal is empty"),
            Self::NotAFile => f.write_str("its journal is not a regular file"),
            Self::Unreadable(why) => write!(f, "its journal cannot be read: {why}"),
            Self::Newer(version) => write!(
                f,
                "a newer utfall wrote its journal (version {version}; this one reads up to {VERSION})"
            ),
            Self::Lines { first, count: 1 } => {
                write!(f, "line {first} of its journal is damaged")
            }
            Self::Lines { first, count } => {
                write!(f, "{count} lines of its journal are damaged, the first is line {first}")
            }
            Self::Unnamed(1) => f.write_str("1 of its originals is not in its journal"),
            Self::Unnamed(count) => {
                write!(f, "{count} of its originals are not in its journal")
            }
            // The caller decides how to escape the name.
            Self::Foreign(_) => f.write_str("its directory has a file that no run writes"),
        }
    }
}

/// The content of a journal.
#[derive(Default)]
pub(crate) struct Contents {
    pub(crate) about: Option<About>,
    pub(crate) records: Vec<Record>,
    /// The apparent content of damaged lines: good enough to display, but not to act upon.
    pub(crate) hints: Vec<(u64, PathBuf)>,
    pub(crate) damage: Vec<Damage>,
    /// Whether there is a journal with at least a complete first line.
    pub(crate) has_begun: bool,
    pub(crate) is_missing: bool,
}

impl Contents {
    fn damaged(damage: Damage) -> Self {
        Self { damage: vec![damage], has_begun: true, ..Self::default() }
    }
}

/// Reads a journal to its end, skipping damaged lines. The last line may have been cut off by a
/// kill or a power cut; then its file is untouched.
pub(crate) fn read(path: &Path) -> Contents {
    match fs::symlink_metadata(path) {
        // Opening a pipe would block.
        Ok(metadata) if !metadata.is_file() => return Contents::damaged(Damage::NotAFile),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            return Contents { is_missing: true, ..Contents::default() };
        }
        Ok(_) | Err(_) => {}
    }
    let mut contents = Contents::default();
    match File::open(path).and_then(|file| read_lines(BufReader::new(file), &mut contents)) {
        Ok(()) => contents,
        Err(error) => Contents::damaged(Damage::Unreadable(error.to_string())),
    }
}

fn read_lines(mut reader: impl BufRead, contents: &mut Contents) -> io::Result<()> {
    let (mut line, mut number) = (Vec::new(), 0);
    let (mut first, mut count) = (0, 0);
    while read_line(&mut reader, &mut line)? {
        number += 1;
        contents.has_begun |= line.ends_with(b"\n");
        match understand(&line) {
            Some(Line::Run(about)) if number == 1 && about.version > VERSION => {
                contents.damage.push(Damage::Newer(about.version));
                return Ok(());
            }
            Some(Line::Run(about)) if number == 1 => {
                (contents.about, contents.has_begun) = (Some(about), true);
            }
            Some(Line::File(record)) if number > 1 && record.is_plausible() => {
                contents.records.push(record);
            }
            // The run was interrupted while it wrote this line.
            None if !line.ends_with(b"\n") => contents.hints.extend(hint(&line)),
            _ => {
                contents.hints.extend(hint(&line));
                count += 1;
                first = if count == 1 { number } else { first };
            }
        }
    }
    if count > 0 {
        contents.damage.push(Damage::Lines { first, count });
    }
    Ok(())
}

/// Reads a line, with its end if it has one; returns `false` at the end of the journal. Truncates a
/// line that is too long, so that it has no line end or fails its checksum.
fn read_line(reader: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<bool> {
    line.clear();
    let mut is_any = false;
    loop {
        let piece = match reader.fill_buf() {
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            piece => piece?,
        };
        if piece.is_empty() {
            return Ok(is_any);
        }
        is_any = true;
        let end = piece.iter().position(|byte| *byte == b'\n');
        let length = end.map_or(piece.len(), |end| end + 1);
        if line.len() + length <= LONGEST {
            line.extend_from_slice(&piece[..length]);
        } else if end.is_some() {
            line.truncate(LONGEST);
            line.push(b'\n');
        }
        reader.consume(length);
        if end.is_some() {
            return Ok(true);
        }
    }
}

/// The number and path that a damaged line seems to have.
fn hint(line: &[u8]) -> Option<(u64, PathBuf)> {
    let path: String = value_of(line, "\"path\":")?;
    Some((value_of(line, "\"number\":")?, path.into()))
}

/// Parses the value of a key, anywhere in a line that may be cut off.
fn value_of<T: DeserializeOwned>(line: &[u8], key: &str) -> Option<T> {
    let at = line.windows(key.len()).position(|there| there == key.as_bytes())?;
    let rest = serde_json::Deserializer::from_slice(&line[at + key.len()..]);
    rest.into_iter().next()?.ok()
}

// The test uses Unix paths.
#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn journal() -> Vec<u8> {
        let about = About {
            version: VERSION,
            time: 1,
            folder: Name::new(Path::new("/x")),
            to: "UTF-8".into(),
        };
        let mut text = write(&Line::Run(about)).unwrap();
        for number in 1..4 {
            let path = PathBuf::from(format!("/x/{number}.txt"));
            let digest = digest::of_bytes(&[number as u8]);
            let record = Record::new(number, &path, digest, "UTF-16");
            text.extend(write(&Line::File(record)).unwrap());
        }
        text
    }

    fn read_bytes(bytes: &[u8]) -> Contents {
        let mut contents = Contents::default();
        read_lines(bytes, &mut contents).unwrap();
        contents
    }

    #[test]
    fn each_byte_counts() {
        let journal = journal();
        let whole = read_bytes(&journal);
        assert_eq!((whole.records.len(), whole.damage.len()), (3, 0));
        for at in 0..journal.len() {
            for change in [1, 0x20, 0x80, 0xFF] {
                let mut other = journal.clone();
                other[at] ^= change;
                let read = read_bytes(&other);
                let is_end = at == journal.len() - 1;
                assert!(is_end || !read.damage.is_empty(), "{at}: {}", other.escape_ascii());
                for record in &read.records {
                    let path = PathBuf::from(format!("/x/{}.txt", record.number));
                    assert_eq!(record.path.path(), path);
                }
            }
            let cut = read_bytes(&journal[..at]);
            assert!(cut.damage.is_empty(), "{at}");
            let whole_lines = journal[..at].iter().filter(|byte| **byte == b'\n').count();
            // A line is complete even without its line end.
            let is_whole = journal.get(at) == Some(&b'\n');
            let lines = whole_lines + usize::from(is_whole);
            assert_eq!(cut.records.len(), lines.saturating_sub(1), "{at}");
        }
    }

    #[test]
    fn lines_that_no_run_writes() {
        let record = |number, path: &str| {
            let record = Record::new(number, Path::new(path), digest::of_bytes(b""), "UTF-8");
            write(&Line::File(record)).unwrap()
        };
        let journal = journal();
        for line in [
            record(9, "relative"),
            record(9, "/x/../y"),
            record(0, "/x/y"),
            vec![b'x'; 3 << 20],
            vec![0; 300],
            journal.split_inclusive(|byte| *byte == b'\n').next().unwrap().to_vec(),
        ] {
            let text = [&journal[..], &line, b"\n", &record(5, "/x/5")].concat();
            let read = read_bytes(&text);
            assert_eq!(read.records.len(), 4);
            assert!(
                matches!(read.damage[..], [Damage::Lines { first: 5, .. }]),
                "{:?}",
                read.damage
            );
        }
        let newer = About { version: 2, ..read_bytes(&journal).about.unwrap() };
        let text = [write(&Line::Run(newer)).unwrap(), record(1, "/x/1")].concat();
        let read = read_bytes(&text);
        assert_eq!((read.records.len(), &read.damage[..]), (0, &[Damage::Newer(2)][..]));
    }
}
