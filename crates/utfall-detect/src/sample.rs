//! The bounded sample of a stream: its head, and informative pieces spread over the rest.

use std::collections::BTreeMap;

/// Size of the head in bytes.
pub(crate) const HEAD: usize = 4096;
/// Length of the later pieces in bytes, a multiple of every code unit's size.
pub(crate) const PIECE: usize = 1024;
/// The most pieces of each kind.
const PIECES: usize = 16;

/// A contiguous part of the stream.
#[derive(Clone, Debug)]
pub(crate) struct Piece {
    /// Offset in the stream.
    pub(crate) offset: u64,
    pub(crate) bytes: Vec<u8>,
    /// Whether the stream ends after it.
    pub(crate) last: bool,
}

/// How informative a piece is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Interest {
    /// Contains only characters that represent themselves in almost every encoding.
    None,
    /// Contains `+`, `&`, `=` or `~`, which begin encoded text in 7-bit encodings.
    Shift,
    /// Contains non-ASCII bytes, escapes or other controls.
    High,
    /// Contains ill-formed UTF-8, while the text may still be UTF-8.
    Broken,
}

impl Interest {
    /// Classifies a piece by its bytes alone.
    pub(crate) fn of(bytes: &[u8]) -> Self {
        if !bytes.is_ascii() || has_control(bytes) {
            Self::High
        } else if bytes.iter().any(|byte| matches!(byte, b'+' | b'&' | b'=' | b'~')) {
            Self::Shift
        } else {
            Self::None
        }
    }
}

/// Whether there is a control character other than line ends, tabs and form feeds. Without
/// branches, so that the compiler can use vectors.
pub(crate) fn has_control(bytes: &[u8]) -> bool {
    let is_control = |byte: u8| {
        let is_white = (byte == b'\t') | (byte == b'\n') | (byte == 0x0C) | (byte == b'\r');
        (byte < 0x20) & !is_white | (byte == 0x7F)
    };
    bytes.iter().fold(false, |found, byte| found | is_control(*byte))
}

/// Keeps at most [`PIECES`] pieces, spread evenly over those offered.
#[derive(Clone, Debug)]
struct Reservoir {
    pieces: Vec<Piece>,
    /// Keeps one in `stride` pieces.
    stride: u64,
    offered: u64,
}

impl Default for Reservoir {
    fn default() -> Self {
        Self { pieces: Vec::new(), stride: 1, offered: 0 }
    }
}

impl Reservoir {
    fn offer(&mut self, offset: u64, bytes: &[u8]) {
        let index = self.offered;
        self.offered += 1;
        if !index.is_multiple_of(self.stride) {
            return;
        }
        if self.pieces.len() == PIECES {
            let mut keep = [true, false].into_iter().cycle();
            self.pieces.retain(|_| keep.next() == Some(true));
            self.stride *= 2;
            if !index.is_multiple_of(self.stride) {
                return;
            }
        }
        self.pieces.push(Piece { offset, bytes: bytes.to_vec(), last: false });
    }
}

/// The head and the reservoirs.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sample {
    head: Vec<u8>,
    /// The head is complete, because bytes were skipped after it.
    closed: bool,
    shift: Reservoir,
    high: Reservoir,
    broken: Reservoir,
}

impl Sample {
    /// Appends bytes to the head up to its capacity. Returns how many it took.
    pub(crate) fn extend_head(&mut self, bytes: &[u8]) -> usize {
        let room = if self.closed { 0 } else { (HEAD - self.head.len()).min(bytes.len()) };
        self.head.extend_from_slice(&bytes[..room]);
        room
    }

    /// Ends the head early.
    pub(crate) fn close_head(&mut self) {
        self.closed = true;
    }

    /// Offers a piece that follows the head.
    pub(crate) fn offer(&mut self, offset: u64, bytes: &[u8], interest: Interest) {
        match interest {
            Interest::None => {}
            Interest::Shift => self.shift.offer(offset, bytes),
            Interest::High => self.high.offer(offset, bytes),
            Interest::Broken => self.broken.offer(offset, bytes),
        }
    }

    /// The pieces in stream order, with adjacent ones joined. `length` is that of the stream.
    pub(crate) fn pieces(&self, length: u64) -> Vec<Piece> {
        let mut all = BTreeMap::new();
        // If there is anything non-ASCII, pieces that may contain a shift are not needed.
        let kept: &[&Reservoir] = match self.high.offered + self.broken.offered {
            0 => &[&self.shift],
            _ => &[&self.high, &self.broken],
        };
        for piece in kept.iter().flat_map(|reservoir| &reservoir.pieces) {
            all.insert(piece.offset, &piece.bytes);
        }
        let mut pieces = vec![Piece { offset: 0, bytes: self.head.clone(), last: false }];
        for (offset, bytes) in all {
            match pieces.last_mut() {
                Some(before) if before.offset + before.bytes.len() as u64 == offset => {
                    before.bytes.extend_from_slice(bytes);
                }
                _ => pieces.push(Piece { offset, bytes: bytes.clone(), last: false }),
            }
        }
        if let Some(piece) = pieces.last_mut() {
            piece.last = piece.offset + piece.bytes.len() as u64 == length;
        }
        pieces
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_spread_and_in_order() {
        let mut sample = Sample::default();
        assert_eq!(sample.extend_head(&[b'a'; HEAD + 9]), HEAD);
        for index in 0..1000_u64 {
            let offset = HEAD as u64 + index * PIECE as u64;
            sample.offer(offset, &[0xFF; PIECE], Interest::High);
        }
        let pieces = sample.pieces(0);
        let offsets: Vec<_> = pieces.iter().map(|piece| piece.offset / PIECE as u64).collect();
        assert!(offsets.is_sorted() && offsets.len() > PIECES / 2, "{offsets:?}");
        assert!(offsets.last() > Some(&900), "{offsets:?}");
    }
}
