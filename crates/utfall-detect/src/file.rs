//! Detection for files and readers, which reads no more than it needs.

use std::io::{self, ErrorKind, Read, Seek, SeekFrom};

use crate::candidate::Candidate;
use crate::detector::Detector;
use crate::hints::Hints;

/// Files up to this length are read completely.
const WHOLE: u64 = 1 << 20;
/// Bytes read from the beginning of a longer file.
const BEGINNING: u64 = 256 << 10;
/// Number of blocks read after that, the last one at the end.
const BLOCKS: u64 = 12;
/// Length of a block in bytes.
const BLOCK: u64 = 64 << 10;

/// How much of a file to read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Extent {
    /// Up to 1 MiB: the whole file. Longer files: the first 256 KiB, and twelve blocks of 64 KiB
    /// spread over the rest.
    #[default]
    Sample,
    /// The whole file.
    All,
}

/// The result of detection.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Detection {
    /// The candidates, likeliest first. See [`Detector::finish`].
    pub candidates: Vec<Candidate>,
    /// Number of bytes read.
    pub read: u64,
    /// Length of the input in bytes, if known.
    pub length: Option<u64>,
}

/// Detects the encoding of a file or other seekable source.
///
/// # Errors
/// Returns an error if reading or seeking fails.
///
/// ```
/// use std::io::Cursor;
/// use utfall_detect::{Extent, detect_file};
/// let file = Cursor::new("Größe\n".repeat(1_000_000));
/// let found = detect_file(file, Extent::Sample)?;
/// assert_eq!(found.candidates[0].encoding, utfall::Encoding::Utf8);
/// assert_eq!((found.read, found.length), (1 << 20, Some(8_000_000)));
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn detect_file(file: impl Read + Seek, extent: Extent) -> io::Result<Detection> {
    detect_file_with(file, extent, &Hints::default())
}

/// Detects the encoding of a file or other seekable source, given prior knowledge.
///
/// # Errors
/// Returns an error if reading or seeking fails.
pub fn detect_file_with(
    mut file: impl Read + Seek,
    extent: Extent,
    hints: &Hints,
) -> io::Result<Detection> {
    let length = file.seek(SeekFrom::End(0))?;
    file.seek(SeekFrom::Start(0))?;
    if extent == Extent::All || length <= WHOLE {
        return detect_reader_with(file, extent, hints);
    }
    let mut detector = Detector::with_hints(hints.clone());
    feed(&mut detector, (&mut file).take(BEGINNING))?;
    let mut at = BEGINNING;
    // Distance from the start of the first block to that of the last one.
    let first = BEGINNING + (length - BEGINNING - BLOCKS * BLOCK) / BLOCKS;
    let spread = length - BLOCK - first;
    for block in 0..BLOCKS {
        let begin = (first + spread * block / (BLOCKS - 1)) / 4 * 4;
        detector.skip(begin - at);
        file.seek(SeekFrom::Start(begin))?;
        // The last one extends to the end of the file.
        let bytes = if block + 1 == BLOCKS { length - begin } else { BLOCK };
        feed(&mut detector, (&mut file).take(bytes))?;
        at = begin + bytes;
    }
    let read = detector.read();
    Ok(Detection { candidates: detector.finish(), read, length: Some(length) })
}

/// Detects the encoding of a reader that cannot seek. [`Extent::Sample`] reads its first 1 MiB.
///
/// # Errors
/// Returns an error if reading fails.
///
/// ```
/// use utfall_detect::{Extent, detect_reader};
/// let found = detect_reader(&b"\xFE\xFF\x26\x3A"[..], Extent::Sample)?;
/// assert_eq!(found.candidates[0].encoding, utfall::Encoding::Utf16Be);
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn detect_reader(source: impl Read, extent: Extent) -> io::Result<Detection> {
    detect_reader_with(source, extent, &Hints::default())
}

/// Detects the encoding of a reader that cannot seek, given prior knowledge.
///
/// # Errors
/// Returns an error if reading fails.
pub fn detect_reader_with(
    mut source: impl Read,
    extent: Extent,
    hints: &Hints,
) -> io::Result<Detection> {
    let mut detector = Detector::with_hints(hints.clone());
    let most = if extent == Extent::All { u64::MAX } else { WHOLE };
    feed(&mut detector, (&mut source).take(most))?;
    let read = detector.read();
    // Try to read one more byte, to know whether the input ends here.
    let more = if read < most { 0 } else { io::copy(&mut source.take(1), &mut io::sink())? };
    if more > 0 {
        detector.skip(more);
    }
    let length = (more == 0).then_some(read);
    Ok(Detection { candidates: detector.finish(), read, length })
}

fn feed(detector: &mut Detector, mut source: impl Read) -> io::Result<()> {
    let mut room = vec![0; BLOCK as usize];
    loop {
        match source.read(&mut room) {
            Ok(0) => return Ok(()),
            Ok(count) => detector.feed(&room[..count]),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}
