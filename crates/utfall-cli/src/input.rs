//! An input file or standard input, read in pieces. It keeps the bytes before a piece for error
//! messages.

use std::fs::{File, Metadata};
use std::io::{self, Cursor, IsTerminal, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use utfall_bind::file_name::STANDARD_INPUT;
use utfall_tree::{LOOKED_AT, is_binary};

use crate::excerpt::{Around, REACH};
use crate::failure::Failure;
use crate::patient::{self, Patient};
use crate::progress::Reading;
use crate::{likely, message};

/// Bytes read at a time. A piece and its result fit the second-level cache. Smaller pieces need
/// more system calls: 6, 14 and 27 percent of the time for a half, a quarter, an eighth.
const PIECE: usize = 256 * 1024;
/// The number of bytes kept, more than the longest ill-formed sequence.
const MEMORY: usize = 64;
/// Enough for every BOM.
const LONGEST_MARK: usize = 4;

/// An input; `None` is standard input.
pub(crate) type Source = Option<PathBuf>;

/// The inputs that FILE… names: `-` means standard input, and so does an empty list.
pub(crate) fn sources(files: &[PathBuf]) -> Vec<Source> {
    match files {
        [] => vec![None],
        _ => files.iter().map(|file| (file != Path::new("-")).then(|| file.clone())).collect(),
    }
}

/// Reports that standard input is read from a terminal, so that a command that waits for text does not
/// seem to hang. An explicit `-` needs no such note.
pub(crate) fn tell_of_terminal(files: &[PathBuf]) {
    if files.is_empty() && io::stdin().is_terminal() {
        let end = if cfg!(windows) { "Ctrl-Z and Enter" } else { "Ctrl-D" };
        message::note(&format!("reading standard input from the terminal; end with {end}"));
    }
}

/// The name in messages.
pub(crate) fn name(source: &Source) -> String {
    source.as_ref().map_or_else(|| STANDARD_INPUT.into(), |path| message::path(path))
}

/// Whether a file begins like a binary file. Read errors are reported later.
pub(crate) fn looks_binary(path: &Path) -> bool {
    let mut bytes = Vec::new();
    let read =
        File::open(path).and_then(|file| file.take(LOOKED_AT as u64).read_to_end(&mut bytes));
    read.is_ok() && is_binary(&bytes)
}

pub(crate) struct Input {
    source: Source,
    name: String,
    reader: Reader,
    /// The bytes kept, then the piece: `bytes[piece..end]`. Allocated when needed, because some
    /// inputs are only opened to be examined.
    bytes: Vec<u8>,
    piece: usize,
    end: usize,
    /// The offset of `bytes` in the file.
    offset: u64,
    /// The first bytes of the file, once they are no longer kept in `bytes`.
    start: [u8; LONGEST_MARK],
    /// The piece has been read but not returned.
    waiting: bool,
    progress: Option<Reading>,
}

enum Reader {
    File(File),
    Stdin(Patient<io::StdinLock<'static>>),
    Text(Cursor<Vec<u8>>),
}

impl Read for Reader {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::File(file) => file.read(room),
            Self::Stdin(stdin) => stdin.read(room),
            Self::Text(text) => text.read(room),
        }
    }
}

impl Input {
    pub(crate) fn open(source: &Source) -> Result<Self, Failure> {
        let name = name(source);
        let reader = match source {
            Some(path) => {
                let file = File::open(path);
                Reader::File(file.map_err(Failure::io(|| format!("cannot open {name}")))?)
            }
            None => Reader::Stdin(Patient(io::stdin().lock())),
        };
        Ok(Self::new(source.clone(), name, reader))
    }

    /// A text given as an argument.
    pub(crate) fn of_text(name: String, text: Vec<u8>) -> Self {
        Self::new(None, name, Reader::Text(Cursor::new(text)))
    }

    fn new(source: Source, name: String, reader: Reader) -> Self {
        Self {
            source,
            name,
            reader,
            bytes: Vec::new(),
            piece: 0,
            end: 0,
            offset: 0,
            start: [0; LONGEST_MARK],
            waiting: false,
            progress: None,
        }
    }

    /// Shows the progress of reading.
    pub(crate) fn show(&mut self, progress: Option<Reading>) {
        self.progress = progress;
    }

    /// A file from an offset on, if it can seek.
    pub(crate) fn open_at(source: &Source, offset: u64) -> Result<Self, Failure> {
        let mut input = Self::open(source)?;
        if let Reader::File(file) = &mut input.reader {
            let found = file.seek(SeekFrom::Start(offset));
            found.map_err(|error| input.failure(error))?;
            input.offset = offset;
        }
        Ok(input)
    }

    pub(crate) fn source(&self) -> &Source {
        &self.source
    }

    /// The name in messages.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Advances to the next piece.
    pub(crate) fn advance(&mut self) -> Result<(), Failure> {
        if !std::mem::take(&mut self.waiting) {
            self.make_room();
            let forget = self.end.saturating_sub(MEMORY);
            if self.offset == 0 {
                self.start.copy_from_slice(&self.bytes[..LONGEST_MARK]);
            }
            self.bytes.copy_within(forget..self.end, 0);
            self.offset += forget as u64;
            self.end -= forget;
            self.piece = self.end;
            self.end += self.read()?;
        }
        Ok(())
    }

    /// The piece, empty at the end.
    pub(crate) fn piece(&self) -> &[u8] {
        &self.bytes[self.piece..self.end]
    }

    /// The first bytes, up to the length of the longest BOM. They are part of the first piece. To
    /// be called before [`Input::advance`].
    pub(crate) fn first_bytes(&mut self) -> Result<&[u8], Failure> {
        while self.end < LONGEST_MARK {
            match self.read()? {
                0 => break,
                count => self.end += count,
            }
        }
        self.waiting = self.end > 0;
        Ok(&self.bytes[..self.end.min(LONGEST_MARK)])
    }

    /// The first bytes, up to the length of a piece. They are the first piece. To be called before
    /// [`Input::advance`].
    pub(crate) fn first_piece(&mut self) -> Result<&[u8], Failure> {
        self.make_room();
        while self.end < self.bytes.len() {
            match self.read()? {
                0 => break,
                count => self.end += count,
            }
        }
        self.waiting = self.end > 0;
        Ok(&self.bytes[..self.end])
    }

    /// Bytes of the file from an offset on, as far as they are still available.
    pub(crate) fn bytes(&self, offset: u64, length: u32) -> &[u8] {
        let begin = offset.saturating_sub(self.offset).min(self.end as u64) as usize;
        let end = self.end.min(begin + length as usize);
        &self.bytes[begin..end]
    }

    /// The surroundings of an offset, as far as they are still available.
    pub(crate) fn around(&self, offset: u64) -> Around {
        let from = offset.saturating_sub(REACH as u64).max(self.offset);
        let bytes = self.bytes(from, 2 * REACH as u32).to_vec();
        let start = self.bytes.get(..LONGEST_MARK).filter(|_| self.offset == 0);
        Around { start: start.unwrap_or(&self.start).into(), offset: from, bytes }
    }

    /// The same for a file that [`Input::whole`] has read. Empty if it cannot be read again.
    pub(crate) fn around_again(&mut self, offset: u64) -> Around {
        let from = offset.saturating_sub(REACH as u64);
        let start = self.part_again(0, LONGEST_MARK);
        Around { start, offset: from, bytes: self.part_again(from, 2 * REACH) }
    }

    /// A sample of the same file.
    pub(crate) fn sample_again(&mut self, offset: u64) -> Vec<u8> {
        let from = offset.saturating_sub(likely::SAMPLE as u64 / 2);
        likely::sample(&self.part_again(from, likely::SAMPLE), from, offset).to_vec()
    }

    fn part_again(&mut self, from: u64, length: usize) -> Vec<u8> {
        let mut bytes = Vec::new();
        if let Reader::File(file) = &mut self.reader {
            let found = file.seek(SeekFrom::Start(from));
            _ = found.and_then(|_| file.take(length as u64).read_to_end(&mut bytes));
        }
        bytes
    }

    /// A sample of the available bytes around an offset, for [`likely`].
    pub(crate) fn sample(&self, offset: u64) -> &[u8] {
        likely::sample(&self.bytes[..self.end], self.offset, offset)
    }

    /// The offset of the piece in the file.
    pub(crate) fn piece_offset(&self) -> u64 {
        self.offset + self.piece as u64
    }

    /// The number of bytes read so far.
    pub(crate) fn length(&self) -> u64 {
        self.offset + self.end as u64
    }

    /// The length of a regular file in bytes.
    pub(crate) fn size(&self) -> Option<u64> {
        match &self.reader {
            Reader::File(file) => file.metadata().ok().filter(Metadata::is_file).map(|m| m.len()),
            Reader::Stdin(_) => None,
            Reader::Text(text) => Some(text.get_ref().len() as u64),
        }
    }

    /// The whole input, instead of pieces.
    pub(crate) fn whole(&mut self) -> impl Read {
        self.waiting = false;
        let rest = Shown { reader: &mut self.reader, progress: self.progress.as_ref() };
        self.bytes[self.piece..self.end].chain(rest)
    }

    /// The failure to read the input.
    pub(crate) fn failure(&self, error: io::Error) -> Failure {
        Failure::io(|| format!("cannot read {}", self.name))(error)
    }

    fn make_room(&mut self) {
        if self.bytes.is_empty() {
            self.bytes = vec![0; MEMORY + PIECE];
        }
    }

    fn read(&mut self) -> Result<usize, Failure> {
        self.make_room();
        let room = &mut self.bytes[self.end..];
        let count = patient::read(&mut self.reader, room).map_err(|error| self.failure(error))?;
        if let Some(progress) = &self.progress {
            progress.read(count);
        }
        Ok(count)
    }
}

/// A reader that shows its progress.
struct Shown<'a> {
    reader: &'a mut Reader,
    progress: Option<&'a Reading>,
}

impl Read for Shown<'_> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        let count = self.reader.read(room)?;
        if let Some(progress) = self.progress {
            progress.read(count);
        }
        Ok(count)
    }
}
