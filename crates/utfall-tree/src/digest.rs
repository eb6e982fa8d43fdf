//! Detects whether a file is what a run wrote. This guards against accidents only; there is no key
//! or secret.

use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use twox_hash::XxHash3_128;

/// Bytes read at a time.
const ROOM: usize = 128 * 1024;

/// The length of a text in bytes, and its 128-bit XXH3 hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Digest {
    /// Length in bytes.
    pub length: u64,
    /// 128-bit XXH3 with a seed of 0.
    pub hash: u128,
}

impl Digest {
    /// Computes the digest of a file.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read.
    pub fn of_file(path: &Path) -> io::Result<Self> {
        of_file(path)
    }
}

/// Computes the [`Digest`] of a text that arrives in chunks.
///
/// ```
/// let mut digester = utfall_tree::Digester::default();
/// for piece in ["na", "ïve"] {
///     digester.add(piece.as_bytes());
/// }
/// assert_eq!(digester.finish().length, 6);
/// ```
#[derive(Clone, Default)]
pub struct Digester {
    length: u64,
    hash: XxHash3_128,
}

impl Digester {
    /// Adds the next chunk.
    pub fn add(&mut self, bytes: &[u8]) {
        self.length += bytes.len() as u64;
        self.hash.write(bytes);
    }

    /// The digest of the text so far.
    #[must_use]
    pub fn finish(&self) -> Digest {
        Digest { length: self.length, hash: self.hash.finish_128() }
    }
}

impl fmt::Debug for Digester {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Digester").field("length", &self.length).finish_non_exhaustive()
    }
}

pub(crate) fn of_bytes(bytes: &[u8]) -> Digest {
    Digest { length: bytes.len() as u64, hash: XxHash3_128::oneshot(bytes) }
}

/// A hash that depends on `seed`, too.
pub(crate) fn seeded(seed: u64, bytes: &[u8]) -> u128 {
    XxHash3_128::oneshot_with_seed(seed, bytes)
}

pub(crate) fn of_reader(reader: impl Read) -> io::Result<Digest> {
    digest(reader, ROOM)
}

pub(crate) fn of_file(path: &Path) -> io::Result<Digest> {
    let file = File::open(path)?;
    let length = usize::try_from(file.metadata()?.len()).unwrap_or(ROOM);
    digest(file, length.saturating_add(1).min(ROOM))
}

fn digest(mut reader: impl Read, room: usize) -> io::Result<Digest> {
    let (mut digester, mut room) = (Digester::default(), vec![0; room]);
    loop {
        match reader.read(&mut room) {
            Ok(0) => return Ok(digester.finish()),
            Ok(count) => digester.add(&room[..count]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}
