//! The characters of an encoding one by one, for `utfall-iconv`, which makes tables of them.

use core::fmt;

use crate::codec::{Decode, Encode, NO_POINT, Next, Put, Rows};
use crate::encoding::{AnyDecoder, AnyEncoder};
use crate::{Encoding, Options};

/// The characters of an encoding without shift states.
///
/// Not part of the public interface: it may change with any version.
#[doc(hidden)]
pub struct Characters {
    decoder: AnyDecoder,
    encoder: AnyEncoder,
    rows: Option<&'static dyn Rows>,
}

/// The meaning of a sequence of bytes.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Character {
    Point(u32),
    /// One character that is two code points.
    Two([u32; 2]),
    /// The start of a longer sequence.
    Prefix,
    /// Ill-formed, as far as this number of bytes.
    Ill(usize),
}

impl fmt::Debug for Characters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Characters").finish_non_exhaustive()
    }
}

impl Characters {
    /// The characters of `encoding`, with the default mappings.
    #[must_use]
    pub fn new(encoding: Encoding) -> Self {
        let options = Options::strict();
        Self {
            decoder: AnyDecoder::new(encoding, &options),
            encoder: AnyEncoder::new(encoding, &options),
            rows: encoding.rows(),
        }
    }

    /// No code point, in [`row`](Self::row).
    pub const NONE: u32 = NO_POINT;

    /// Writes the code points of the 256 sequences that `prefix` begins, if all of them are complete or
    /// ill-formed, and none is two code points. Returns whether it did, which takes less time than
    /// [`decode`](Self::decode) for each. Encodings without a fast way return `false`.
    pub fn row(&mut self, prefix: &[u8], points: &mut [u32; 256]) -> bool {
        self.rows.is_some_and(|rows| rows.row(prefix, points))
    }

    /// Whether a code point of a [`row`](Self::row) is certainly written as this sequence.
    #[must_use]
    pub fn writes(&self, point: u32, sequence: &[u8]) -> bool {
        self.rows.is_some_and(|rows| rows.writes(point, sequence))
    }

    /// Decodes a sequence whose bytes before the last one are a [prefix](Character::Prefix).
    pub fn decode(&mut self, sequence: &[u8]) -> Character {
        match self.decoder.next(sequence, false) {
            Next::Point { point, length } if length == sequence.len() => Character::Point(point),
            // The decoder has the second code point for the remaining bytes.
            Next::Point { point, length } => match self.decoder.next(&sequence[length..], false) {
                Next::Point { point: second, .. } => Character::Two([point, second]),
                _ => Character::Ill(1),
            },
            Next::Ill(ill) => Character::Ill(ill.length),
            Next::Skip { length } => Character::Ill(length),
            Next::End => Character::Prefix,
        }
    }

    /// Writes the bytes of a code point, of at most four, and returns their number: 0 if the encoding
    /// lacks it.
    pub fn encode(&mut self, point: u32, dst: &mut [u8; 4]) -> usize {
        match self.encoder.put(point, dst) {
            // The code point waits for the next one.
            Put::Written(0) => self.encoder.finish(dst).unwrap_or(0),
            Put::Written(length) => length,
            Put::Full | Put::Unencodable => 0,
        }
    }
}

#[cfg(all(test, feature = "glibc"))]
mod tests {
    extern crate std;

    use super::*;

    #[test]
    fn sequences() {
        let mut big5 = Characters::new(Encoding::Big5Hkscs);
        assert_eq!(big5.decode(b"a"), Character::Point(0x61));
        assert_eq!(big5.decode(b"\x88"), Character::Prefix);
        assert_eq!(big5.decode(b"\x88\x62"), Character::Two([0xCA, 0x304]));
        assert_eq!(big5.decode(b"\x88\x66"), Character::Point(0xCA));
        assert_eq!(big5.decode(b"\x88\x20"), Character::Ill(1));
        assert_eq!(big5.decode(b"\xFF"), Character::Ill(1));
        let mut bytes = [0; 4];
        assert_eq!((big5.encode(0xCA, &mut bytes), &bytes[..2]), (2, &b"\x88\x66"[..]));
        assert_eq!((big5.encode(0x61, &mut bytes), bytes[0]), (1, b'a'));
        assert_eq!(big5.encode(0x1F600, &mut bytes), 0);
    }

    /// Whole rows are what `decode` and `encode` say of each sequence.
    #[test]
    fn rows() {
        let mut count = 0;
        for encoding in Encoding::ALL {
            let mut all = Characters::new(*encoding);
            let leads = (0..=0xFF).map(|lead| std::vec![lead]);
            let after_8f = (0xA1..=0xFE).map(|second| std::vec![0x8F, second]);
            for mut sequence in leads.chain(after_8f) {
                let mut points = [0; 256];
                let is_prefix = Characters::new(*encoding).decode(&sequence) == Character::Prefix;
                if !is_prefix || !all.row(&sequence, &mut points) {
                    continue;
                }
                count += 1;
                for (last, found) in (0..=0xFF).zip(points) {
                    sequence.push(last);
                    match all.decode(&sequence) {
                        Character::Point(point) => assert_eq!(found, point, "{sequence:X?}"),
                        Character::Ill(_) => assert_eq!(found, Characters::NONE, "{sequence:X?}"),
                        other => panic!("{encoding}: {sequence:X?}: {other:?}"),
                    }
                    let mut room = [0; 4];
                    if found != Characters::NONE && all.writes(found, &sequence) {
                        let length = all.encode(found, &mut room);
                        assert_eq!(room[..length], sequence, "{encoding}: U+{found:04X}");
                    }
                    sequence.pop();
                }
            }
        }
        assert!(count > 1000, "{count}");
    }
}
