//! Whether a file is what a run wrote. Chance is the only enemy: no key, no secret.

use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use twox_hash::XxHash3_128;

/// How much is read at a time.
const ROOM: usize = 128 * 1024;

/// The length of a text in octets, and its XXH3 of 128 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Digest {
    /// How many bytes it has.
    pub length: u64,
    /// XXH3 of 128 bits, with a seed of 0.
    pub hash: u128,
}

impl Digest {
    /// That of a file.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn of_file(path: &Path) -> io::Result<Self> {
        of_file(path)
    }
}

/// The [`Digest`] of a text that comes in pieces.
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
    /// Goes on with the text.
    pub fn add(&mut self, octets: &[u8]) {
        self.length += octets.len() as u64;
        self.hash.write(octets);
    }

    /// That of the text so far.
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

pub(crate) fn of_octets(octets: &[u8]) -> Digest {
    Digest { length: octets.len() as u64, hash: XxHash3_128::oneshot(octets) }
}

/// A digest that differs with `seed`, too.
pub(crate) fn seeded(seed: u64, octets: &[u8]) -> u128 {
    XxHash3_128::oneshot_with_seed(seed, octets)
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
