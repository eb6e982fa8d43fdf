//! Determines the encodings of files.

use std::collections::HashMap;
use std::io::{self, BufRead, Seek};
use std::path::{Path, PathBuf};
use std::{error, fmt, fs};

use utfall::{Decoder, Encoding, Family, Options, Status};

use crate::binary::is_binary;
use crate::walk::Found;

/// The content of a file.
///
/// For a small file, [`fill_buf`](BufRead::fill_buf) returns all the rest.
pub trait Text: BufRead + Seek {}

impl<T: BufRead + Seek> Text for T {}

/// Determines the encoding of a file. Implemented by [`Given`], [`ByContent`] and [`Manifest`].
pub trait Choose: Sync {
    /// Determines the encoding of a file. `text` is at its start.
    ///
    /// # Errors
    /// Returns an error if the text cannot be read.
    fn choose(&self, file: &Found, text: &mut dyn Text) -> io::Result<Choice>;
}

/// The result of [`Choose`].
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Choice {
    /// The file is in this encoding, on this basis.
    Known(Encoding, Basis),
    /// The user stated the first encoding, but the bytes show the second one, on this basis. The
    /// file is not converted, but reported.
    Contradicted(Encoding, Encoding, Basis),
    /// The file is binary, and the user did not state an encoding. It is skipped.
    Binary,
    /// The encoding is unknown, for this reason. The file is skipped and reported.
    Unknown(String),
}

/// How an encoding was determined.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Basis {
    /// The user stated it for all files.
    Given,
    /// The user stated it for this file.
    Listed,
    /// A configuration file states it for files like this one.
    Configured,
    /// The text begins with its byte order mark, which is then not part of the text.
    Mark,
    /// The text is well-formed in this encoding, which is unlikely for other text.
    WellFormed,
    /// It was guessed, with this evidence.
    Guessed(String),
}

/// The same encoding for all files, except those whose bytes contradict it, and files in a directory
/// that look binary.
#[derive(Clone, Copy, Debug)]
pub struct Given {
    /// The encoding.
    pub encoding: Encoding,
    /// Do not check for a contradiction: also convert files that seem to be in another encoding.
    pub force: bool,
}

impl Choose for Given {
    fn choose(&self, file: &Found, text: &mut dyn Text) -> io::Result<Choice> {
        let Self { encoding, force } = *self;
        let has_nul = encoding.encode("a").is_ok_and(|bytes| bytes.contains(&0));
        if !file.is_named && !has_nul && is_binary(text.fill_buf()?) {
            return Ok(Choice::Binary);
        }
        let found = if force { None } else { contradiction(encoding, text)? };
        Ok(match found {
            Some((found, basis)) => Choice::Contradicted(encoding, found, basis),
            None => Choice::Known(encoding, Basis::Given),
        })
    }
}

/// The actual encoding of a text, if the stated one is very unlikely.
fn contradiction(said: Encoding, text: &mut dyn Text) -> io::Result<Option<(Encoding, Basis)>> {
    let first = text.fill_buf()?;
    if let Some((found, length)) = Encoding::for_bom(first) {
        // UTF-16LE and UTF-16 both accept FF FE.
        let is_mark =
            said.decode(&first[..length]).is_ok_and(|text| matches!(&*text, "" | "\u{FEFF}"));
        return Ok((!is_mark).then_some((found, Basis::Mark)));
    }
    // In this family, well-formed UTF-8 is the same text, or ill-formed.
    if said.info().family == Family::Utf8 || !is_utf8_beyond_ascii(text)? {
        return Ok(None);
    }
    Ok(Some((Encoding::Utf8, Basis::WellFormed)))
}

/// Whether a text is well-formed UTF-8 with at least one multi-byte sequence. A text with a NUL is
/// more likely a table of numbers, or UTF-16.
pub(crate) fn is_utf8_beyond_ascii(text: &mut dyn Text) -> io::Result<bool> {
    let (mut has_others, mut has_nul) = (false, false);
    let is_utf8 = is_utf8(text, |piece| {
        has_others |= !piece.is_ascii();
        has_nul |= piece.contains(&0);
    })?;
    Ok(is_utf8 && has_others && !has_nul)
}

/// Uses the byte order mark; without one, detects well-formed UTF-8.
#[derive(Clone, Copy, Debug)]
pub struct ByContent;

impl Choose for ByContent {
    fn choose(&self, file: &Found, text: &mut dyn Text) -> io::Result<Choice> {
        let first = text.fill_buf()?;
        if let Some((encoding, _)) = Encoding::for_bom(first) {
            return Ok(Choice::Known(encoding, Basis::Mark));
        }
        if !file.is_named && is_binary(first) {
            return Ok(Choice::Binary);
        }
        if is_utf8(text, |_| {})? {
            return Ok(Choice::Known(Encoding::Utf8, Basis::WellFormed));
        }
        Ok(Choice::Unknown("no BOM, and not valid UTF-8".into()))
    }
}

/// Whether the rest of a text is well-formed UTF-8. Calls `look` with its pieces.
fn is_utf8(text: &mut dyn Text, mut look: impl FnMut(&[u8])) -> io::Result<bool> {
    let mut decoder = Decoder::new(Encoding::Utf8, Options::default());
    loop {
        let piece = text.fill_buf()?;
        let (length, mut read) = (piece.len(), 0);
        loop {
            let progress = decoder.validate(&piece[read..], length == 0);
            read += progress.read;
            match progress.status {
                Status::InputEmpty => break,
                Status::OutputFull => {}
                Status::Error(_) => return Ok(false),
            }
        }
        if length == 0 {
            return Ok(true);
        }
        look(piece);
        text.consume(length);
    }
}

/// The encodings listed in a manifest, with a fallback for files that it does not list.
///
/// Each line of a manifest has a path relative to the manifest's directory, a tab, and the label of
/// an encoding. Empty lines are ignored.
pub struct Manifest {
    files: Vec<PathBuf>,
    encodings: HashMap<PathBuf, Encoding>,
    otherwise: Box<dyn Choose + Send>,
}

impl fmt::Debug for Manifest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Manifest").field("encodings", &self.encodings).finish_non_exhaustive()
    }
}

/// Why a manifest is invalid.
///
/// ```
/// # use utfall_tree::{ByContent, Manifest};
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("manifest");
/// std::fs::write(&path, "a.txt\tUTF-8\nb.txt UTF-8\n")?;
/// let error = Manifest::read(&path, Box::new(ByContent)).unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "line 2 of the manifest: expected PATH, a tab and ENCODING"
/// );
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub enum ManifestError {
    /// The file cannot be read.
    Io(io::Error),
    /// A line number, starting at 1, and the error in that line.
    Line(usize, String),
}

impl fmt::Display for ManifestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => write!(f, "manifest cannot be read: {error}"),
            Self::Line(line, text) => write!(f, "line {line} of the manifest: {text}"),
        }
    }
}

impl error::Error for ManifestError {
    fn source(&self) -> Option<&(dyn error::Error + 'static)> {
        match self {
            Self::Io(error) => Some(error),
            Self::Line(..) => None,
        }
    }
}

impl Manifest {
    /// Reads a manifest.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, if a line has no tab or an unknown label, or if
    /// a file is listed with two encodings.
    pub fn read(path: &Path, otherwise: Box<dyn Choose + Send>) -> Result<Self, ManifestError> {
        let bytes = fs::read(path).map_err(ManifestError::Io)?;
        let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&bytes);
        let folder = path.parent().unwrap_or(Path::new(""));
        let mut manifest = Self { files: Vec::new(), encodings: HashMap::new(), otherwise };
        for (index, line) in bytes.split(|byte| *byte == b'\n').enumerate() {
            let line = line.strip_suffix(b"\r").unwrap_or(line);
            if !line.is_empty() {
                manifest.add(folder, line).map_err(|text| ManifestError::Line(index + 1, text))?;
            }
        }
        Ok(manifest)
    }

    fn add(&mut self, folder: &Path, line: &[u8]) -> Result<(), String> {
        let tab = line.iter().rposition(|byte| *byte == b'\t');
        let tab = tab.ok_or("expected PATH, a tab and ENCODING")?;
        let label = String::from_utf8_lossy(&line[tab + 1..]);
        let unknown = || format!("unknown encoding \"{}\"", label.escape_debug());
        let encoding = Encoding::for_label(&*label).ok_or_else(unknown)?;
        let path = folder.join(path(&line[..tab]).ok_or("the path is not valid UTF-8")?);
        // Files that do not exist are reported when they are to be converted.
        let known_as = fs::canonicalize(&path).unwrap_or_else(|_| path.clone());
        match self.encodings.insert(known_as, encoding) {
            None => self.files.push(path),
            Some(other) if other == encoding => {}
            Some(other) => return Err(format!("an earlier line says {other}")),
        }
        Ok(())
    }

    /// The listed files, in the order of the manifest.
    #[must_use]
    pub fn files(&self) -> &[PathBuf] {
        &self.files
    }
}

impl Choose for Manifest {
    fn choose(&self, file: &Found, text: &mut dyn Text) -> io::Result<Choice> {
        let known_as = fs::canonicalize(&file.path)?;
        // Under its own name, if links could not be resolved when the manifest was read.
        let listed = self.encodings.get(&known_as).or_else(|| self.encodings.get(&file.path));
        match listed {
            Some(encoding) => Ok(Choice::Known(*encoding, Basis::Listed)),
            None => self.otherwise.choose(file, text),
        }
    }
}

#[cfg(unix)]
fn path(bytes: &[u8]) -> Option<&Path> {
    use std::os::unix::ffi::OsStrExt;
    Some(Path::new(std::ffi::OsStr::from_bytes(bytes)))
}

#[cfg(not(unix))]
fn path(bytes: &[u8]) -> Option<&Path> {
    std::str::from_utf8(bytes).ok().map(Path::new)
}
