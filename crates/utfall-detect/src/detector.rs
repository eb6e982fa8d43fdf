//! The streaming detector: running counts over all input, and a bounded sample that is analysed at
//! the end.

use std::fmt;

use crate::candidate::Candidate;
use crate::facts::{Bytes, Facts};
use crate::hints::Hints;
use crate::rank;
use crate::sample::{Interest, PIECE, Sample};
use crate::utf8::Utf8;

/// The number of ill-formed sequences whose surrounding bytes are sampled.
const BROKEN: u64 = 256;

/// Detects the encoding of a stream in bounded memory (about 60 KiB).
///
/// ```
/// use utfall::Encoding;
/// use utfall_detect::Detector;
/// let mut detector = Detector::new();
/// for piece in ["日本", "語の", "文"] {
///     detector.feed(piece.as_bytes());
/// }
/// let candidates = detector.finish();
/// assert_eq!(candidates[0].encoding, Encoding::Utf8);
/// assert!(candidates[0].confidence > 0.95);
/// ```
#[derive(Default)]
pub struct Detector {
    hints: Hints,
    sample: Sample,
    utf8: Utf8,
    bytes: Bytes,
    /// Length of the stream, including skipped bytes.
    length: u64,
    read: u64,
    /// Bytes since the last whole piece, which begins at a multiple of [`PIECE`].
    rest: Vec<u8>,
}

impl fmt::Debug for Detector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Detector").field("read", &self.read).finish_non_exhaustive()
    }
}

impl Detector {
    /// A detector at the start of a stream.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// A detector at the start of a stream, with prior knowledge about it.
    #[must_use]
    pub fn with_hints(hints: Hints) -> Self {
        Self { hints, ..Self::default() }
    }

    /// Feeds the next bytes of the stream. Chunks may have any size.
    pub fn feed(&mut self, mut bytes: &[u8]) {
        self.read += bytes.len() as u64;
        let taken = self.sample.extend_head(bytes);
        if taken > 0 {
            self.look(&bytes[..taken], self.length);
            self.length += taken as u64;
            bytes = &bytes[taken..];
        }
        while !bytes.is_empty() {
            let missing = PIECE - self.rest.len();
            if self.rest.is_empty() && bytes.len() >= PIECE {
                self.piece(&bytes[..PIECE]);
                bytes = &bytes[PIECE..];
            } else {
                let taken = missing.min(bytes.len());
                self.rest.extend_from_slice(&bytes[..taken]);
                bytes = &bytes[taken..];
                self.end_piece(PIECE);
            }
        }
    }

    /// Skips `bytes` bytes of the stream; later offsets include them. Skipped bytes are not
    /// evidence, and a character cut by the gap does not count against any encoding.
    pub fn skip(&mut self, bytes: u64) {
        self.end_piece(1);
        self.utf8.skip();
        self.sample.close_head();
        self.length += bytes;
    }

    /// The number of bytes fed so far, without skipped ones.
    #[must_use]
    pub const fn read(&self) -> u64 {
        self.read
    }

    /// Returns the possible encodings, likeliest first; none if the input does not look like text.
    /// The confidences add up to at most 1. The remainder is the probability of binary data or of
    /// an unknown encoding.
    #[must_use]
    pub fn finish(mut self) -> Vec<Candidate> {
        self.end_piece(1);
        self.utf8.feed(self.length, b"", true);
        let pieces = self.sample.pieces(self.length);
        let facts = Facts::new(pieces, &self.utf8, self.bytes, self.length, &self.hints);
        // A text inside this one, in a transfer encoding, is detected in the same way.
        rank::candidates(&facts, |inner| detect(inner).into_iter().next())
    }

    /// Ends the piece if at least this many bytes are pending.
    fn end_piece(&mut self, least: usize) {
        if self.rest.len() >= least {
            let rest = std::mem::take(&mut self.rest);
            self.piece(&rest);
            self.rest = rest;
            self.rest.clear();
        }
    }

    fn piece(&mut self, bytes: &[u8]) {
        let offset = self.length;
        let broken = self.look(bytes, offset) > 0 && self.utf8.errors < BROKEN;
        let interest = if broken { Interest::Broken } else { Interest::of(bytes) };
        self.sample.offer(offset, bytes, interest);
        self.length += bytes.len() as u64;
    }

    fn look(&mut self, bytes: &[u8], offset: u64) -> u64 {
        self.bytes.add(offset, bytes);
        self.utf8.feed(offset, bytes, false)
    }
}

/// Detects the encoding of a complete text. Returns the candidates, likeliest first.
///
/// ```
/// use utfall::Encoding;
/// use utfall_detect::{Evidence, detect};
/// let candidates = detect(b"C\0a\0f\0\xE9\0");
/// assert_eq!(candidates[0].encoding, Encoding::Utf16Le);
/// let candidates = detect(b"Hi Mom +Jjo-!");
/// assert_eq!(candidates[0].encoding, Encoding::Utf7);
/// assert!(candidates[0].evidence.contains(&Evidence::Shifts { count: 1, first: 7 }));
/// // These are not Base64 runs.
/// assert_eq!(detect(b"C++ is not a+b-c").first().unwrap().encoding, Encoding::UsAscii);
/// ```
#[must_use]
pub fn detect(bytes: &[u8]) -> Vec<Candidate> {
    detect_with(bytes, &Hints::default())
}

/// Detects the encoding of a complete text, given prior knowledge. Returns the candidates,
/// likeliest first.
#[must_use]
pub fn detect_with(bytes: &[u8], hints: &Hints) -> Vec<Candidate> {
    let mut detector = Detector::with_hints(hints.clone());
    detector.feed(bytes);
    detector.finish()
}
