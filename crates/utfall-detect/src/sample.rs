//! What is kept of a stream to be read in every encoding: its head, and pieces that have
//! something to tell, spread over all of it.

use std::collections::BTreeMap;

/// How much of the head is kept.
pub(crate) const HEAD: usize = 4096;
/// The length of the pieces behind it, a multiple of every code unit's.
pub(crate) const PIECE: usize = 1024;
/// How many pieces of each kind are kept.
const PIECES: usize = 16;

/// A contiguous part of the stream.
#[derive(Clone, Debug)]
pub(crate) struct Piece {
    /// Where it begins.
    pub(crate) offset: u64,
    pub(crate) octets: Vec<u8>,
    /// Whether the stream ends with it.
    pub(crate) last: bool,
}

/// What makes a piece worth keeping.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Interest {
    /// Only what stands for itself in almost every encoding.
    None,
    /// `+`, `&`, `=` or `~`, which begin what 7-bit encodings write otherwise.
    Shift,
    /// Octets with the highest bit, escapes and other controls.
    High,
    /// Ill-formed as UTF-8 where the text as a whole is not known to be something else.
    Broken,
}

impl Interest {
    /// Of a piece by its octets alone.
    pub(crate) fn of(octets: &[u8]) -> Self {
        let is_high = |octet: &u8| !matches!(octet, b'\t' | b'\n' | b'\r' | 0x0C | 0x20..0x7F);
        if octets.iter().any(is_high) {
            Self::High
        } else if octets.iter().any(|octet| matches!(octet, b'+' | b'&' | b'=' | b'~')) {
            Self::Shift
        } else {
            Self::None
        }
    }
}

/// Keeps at most [`PIECES`], spread evenly over those it was offered.
#[derive(Clone, Debug)]
struct Reservoir {
    pieces: Vec<Piece>,
    /// One in so many is kept.
    stride: u64,
    offered: u64,
}

impl Default for Reservoir {
    fn default() -> Self {
        Self { pieces: Vec::new(), stride: 1, offered: 0 }
    }
}

impl Reservoir {
    fn offer(&mut self, offset: u64, octets: &[u8]) {
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
        self.pieces.push(Piece { offset, octets: octets.to_vec(), last: false });
    }
}

/// The head and the reservoirs.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sample {
    head: Vec<u8>,
    /// Something was left out: what comes is none of it.
    closed: bool,
    shift: Reservoir,
    high: Reservoir,
    broken: Reservoir,
}

impl Sample {
    /// Takes octets that directly follow the head so far, as many as it has room for.
    pub(crate) fn extend_head(&mut self, octets: &[u8]) -> usize {
        let room = if self.closed { 0 } else { (HEAD - self.head.len()).min(octets.len()) };
        self.head.extend_from_slice(&octets[..room]);
        room
    }

    /// Ends the head where it is.
    pub(crate) fn close_head(&mut self) {
        self.closed = true;
    }

    /// Offers a piece from behind the head.
    pub(crate) fn offer(&mut self, offset: u64, octets: &[u8], interest: Interest) {
        match interest {
            Interest::None => {}
            Interest::Shift => self.shift.offer(offset, octets),
            Interest::High => self.high.offer(offset, octets),
            Interest::Broken => self.broken.offer(offset, octets),
        }
    }

    /// The pieces in their order, those that adjoin joined. `length` is that of the stream.
    pub(crate) fn pieces(&self, length: u64) -> Vec<Piece> {
        let mut all = BTreeMap::new();
        // Where there is anything beyond ASCII, what only may begin a shift is not needed.
        let kept: &[&Reservoir] = match self.high.offered + self.broken.offered {
            0 => &[&self.shift],
            _ => &[&self.high, &self.broken],
        };
        for piece in kept.iter().flat_map(|reservoir| &reservoir.pieces) {
            all.insert(piece.offset, &piece.octets);
        }
        let mut pieces = vec![Piece { offset: 0, octets: self.head.clone(), last: false }];
        for (offset, octets) in all {
            match pieces.last_mut() {
                Some(before) if before.offset + before.octets.len() as u64 == offset => {
                    before.octets.extend_from_slice(octets);
                }
                _ => pieces.push(Piece { offset, octets: octets.clone(), last: false }),
            }
        }
        if let Some(piece) = pieces.last_mut() {
            piece.last = piece.offset + piece.octets.len() as u64 == length;
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
