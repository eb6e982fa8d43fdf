//! Which encoding a file is in.

use std::collections::HashMap;
use std::io::{self, BufRead, Seek};
use std::path::{Path, PathBuf};
use std::{error, fmt, fs};

use utfall::{Decoder, Encoding, Options, Status};

use crate::binary::is_binary;
use crate::walk::Found;

/// The octets of a file.
///
/// Of a small one, [`fill_buf`](BufRead::fill_buf) gives all that is left.
pub trait Text: BufRead + Seek {}

impl<T: BufRead + Seek> Text for T {}

/// Says which encoding a file is in. [`Given`], [`ByContent`] and [`Manifest`] do, in three ways.
pub trait Choose: Sync {
    /// The encoding of a file with this text, which stands at its start.
    ///
    /// # Errors
    /// The text cannot be read.
    fn choose(&self, file: &Found, text: &mut dyn Text) -> io::Result<Choice>;
}

/// What [`Choose`] says.
#[derive(Clone, Debug, PartialEq)]
pub enum Choice {
    /// It is in this encoding, and that is known by this.
    Known(Encoding, Basis),
    /// It is said to be in the first encoding, but its bytes say that it is in the second one, by
    /// this. It is not converted, but reported.
    Contradicted(Encoding, Encoding, Basis),
    /// It is no text, and nobody said that it were one. It is left alone.
    Binary,
    /// Nobody knows, for this reason. It is left alone and reported.
    Unknown(String),
}

/// How an encoding is known.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Basis {
    /// It was said, for all files.
    Given,
    /// It was said for this file.
    Listed,
    /// A configuration file says it, for files like this one.
    Configured,
    /// The text begins with its byte order mark, which is then no part of the text.
    Mark,
    /// The text is well-formed in it, and that is unlikely for other text.
    WellFormed,
    /// It was guessed, with this as evidence.
    Guessed(String),
}

/// Every file is in this encoding, except files in a directory that look binary, or whose bytes
/// contradict it.
#[derive(Clone, Copy, Debug)]
pub struct Given {
    /// The encoding.
    pub encoding: Encoding,
    /// Do not look for a contradiction: convert what seems to be in another encoding, too.
    pub force: bool,
}

impl Choose for Given {
    fn choose(&self, file: &Found, text: &mut dyn Text) -> io::Result<Choice> {
        let Self { encoding, force } = *self;
        let has_nul = encoding.encode("a").is_ok_and(|octets| octets.contains(&0));
        if !file.is_named && !has_nul && is_binary(text.fill_buf()?) {
            return Ok(Choice::Binary);
        }
        // Whoever names a file knows what is in it; whoever names a directory may not.
        let found = match file.is_named || force {
            true => None,
            false => contradiction(encoding, text)?,
        };
        Ok(match found {
            Some((found, basis)) => Choice::Contradicted(encoding, found, basis),
            None => Choice::Known(encoding, Basis::Given),
        })
    }
}

/// The encoding that a text is in, if that can hardly be the one that was said.
fn contradiction(said: Encoding, text: &mut dyn Text) -> io::Result<Option<(Encoding, Basis)>> {
    let first = text.fill_buf()?;
    if let Some((found, length)) = Encoding::for_bom(first) {
        // UTF-16LE and UTF-16 both know what FF FE means.
        let is_mark =
            said.decode(&first[..length]).is_ok_and(|text| matches!(&*text, "" | "\u{FEFF}"));
        return Ok((!is_mark).then_some((found, Basis::Mark)));
    }
    if is_form_of_utf8(said) || !is_utf8_beyond_ascii(text)? {
        return Ok(None);
    }
    Ok(Some((Encoding::Utf8, Basis::WellFormed)))
}

/// Whether well-formed UTF-8 is the same text in this encoding, or ill-formed there.
fn is_form_of_utf8(encoding: Encoding) -> bool {
    use Encoding as E;
    matches!(
        encoding,
        E::Utf8
            | E::Cesu8
            | E::Mutf8
            | E::Wtf8
            | E::Utf8Perl
            | E::Utf8Rfc2279
            | E::Utf8Rfc2044
            | E::Unicode11Utf8
    )
}

/// Whether a text is well-formed UTF-8, and has a multibyte sequence to show it. One with a NUL is
/// more likely a table of numbers, or UTF-16.
pub(crate) fn is_utf8_beyond_ascii(text: &mut dyn Text) -> io::Result<bool> {
    let (mut has_others, mut has_nul) = (false, false);
    let is_utf8 = is_utf8(text, |piece| {
        has_others |= !piece.is_ascii();
        has_nul |= piece.contains(&0);
    })?;
    Ok(is_utf8 && has_others && !has_nul)
}

/// A byte order mark says it; what has none is UTF-8 if it is well-formed UTF-8.
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
        Ok(Choice::Unknown("no byte order mark, and not well-formed UTF-8".into()))
    }
}

/// Whether the rest of a text is well-formed UTF-8. `look` sees its pieces.
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

/// What a manifest says of each file, and something else of those that it does not name.
///
/// A manifest has lines of a path, a tab and a label: the path from the manifest's folder, the
/// label of an encoding. Empty lines mean nothing.
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

/// Why a manifest is none.
///
/// ```
/// # use utfall_tree::{ByContent, Manifest};
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("manifest");
/// std::fs::write(&path, "a.txt\tUTF-8\nb.txt UTF-8\n")?;
/// let error = Manifest::read(&path, Box::new(ByContent)).unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "line 2 of the manifest: a path, a tab and an encoding are wanted"
/// );
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub enum ManifestError {
    /// It cannot be read.
    Io(io::Error),
    /// A line, counted from 1, and what is wrong with it.
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
    /// It cannot be read; a line has no tab; a label is unknown; a file is named twice, with two
    /// encodings.
    pub fn read(path: &Path, otherwise: Box<dyn Choose + Send>) -> Result<Self, ManifestError> {
        let octets = fs::read(path).map_err(ManifestError::Io)?;
        let folder = path.parent().unwrap_or(Path::new(""));
        let mut manifest = Self { files: Vec::new(), encodings: HashMap::new(), otherwise };
        for (index, line) in octets.split(|octet| *octet == b'\n').enumerate() {
            let line = line.strip_suffix(b"\r").unwrap_or(line);
            if !line.is_empty() {
                manifest.add(folder, line).map_err(|text| ManifestError::Line(index + 1, text))?;
            }
        }
        Ok(manifest)
    }

    fn add(&mut self, folder: &Path, line: &[u8]) -> Result<(), String> {
        let tab = line.iter().rposition(|octet| *octet == b'\t');
        let tab = tab.ok_or("a path, a tab and an encoding are wanted")?;
        let label = String::from_utf8_lossy(&line[tab + 1..]);
        let unknown = || format!("unknown encoding \"{}\"", label.escape_debug());
        let encoding = Encoding::for_label(&label).ok_or_else(unknown)?;
        let path = folder.join(path(&line[..tab]).ok_or("the path is not well-formed UTF-8")?);
        // What cannot be found is reported when it is to be converted.
        let known_as = fs::canonicalize(&path).unwrap_or_else(|_| path.clone());
        match self.encodings.insert(known_as, encoding) {
            None => self.files.push(path),
            Some(other) if other == encoding => {}
            Some(other) => return Err(format!("the file is in {other} by a line before")),
        }
        Ok(())
    }

    /// The files that it names, in its order.
    #[must_use]
    pub fn files(&self) -> &[PathBuf] {
        &self.files
    }
}

impl Choose for Manifest {
    fn choose(&self, file: &Found, text: &mut dyn Text) -> io::Result<Choice> {
        let known_as = fs::canonicalize(&file.path)?;
        // Under its own name, if links could not be followed when the manifest was read.
        let listed = self.encodings.get(&known_as).or_else(|| self.encodings.get(&file.path));
        match listed {
            Some(encoding) => Ok(Choice::Known(*encoding, Basis::Listed)),
            None => self.otherwise.choose(file, text),
        }
    }
}

#[cfg(unix)]
fn path(octets: &[u8]) -> Option<&Path> {
    use std::os::unix::ffi::OsStrExt;
    Some(Path::new(std::ffi::OsStr::from_bytes(octets)))
}

#[cfg(not(unix))]
fn path(octets: &[u8]) -> Option<&Path> {
    std::str::from_utf8(octets).ok().map(Path::new)
}
