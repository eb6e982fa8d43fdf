//! Counts of bytes, which suffice to read a text in any charset of one byte.

use utfall::{Decoder, Encoding, Options, Status};

use crate::model::{is_of_letters, script};
use crate::reading::{CUT, Hash, Reading, start};
use crate::sample::Piece;

/// How often each byte occurs in the sample, and where.
pub(crate) struct Counts {
    /// The bytes that occur, in order.
    bytes: Vec<Byte>,
}

#[derive(Clone, Copy, Default)]
struct Byte {
    byte: u8,
    count: u64,
    /// The sum of the factors of its places in [`Hash`].
    factors: u64,
    /// The offset of its last place.
    last: u64,
    /// How often it occurs where no cut explains an error, and the offset of the first such place.
    uncut: u64,
    first_uncut: Option<u64>,
}

impl Counts {
    pub(crate) fn of(pieces: &[Piece]) -> Self {
        let mut all = [Byte::default(); 256];
        let mut hash = Hash::START;
        for piece in pieces {
            // All charsets of one byte start at the same place.
            let begin = start(Encoding::Windows1252, piece);
            let begins_at = piece.offset + begin as u64;
            for (byte, offset) in piece.bytes[begin..].iter().zip(begins_at..) {
                let of = &mut all[usize::from(*byte)];
                of.byte = *byte;
                of.count += 1;
                of.factors = of.factors.wrapping_add(hash.factor);
                of.last = offset;
                if begins_at == 0 || offset >= begins_at + CUT {
                    of.uncut += 1;
                    of.first_uncut.get_or_insert(offset);
                }
                hash.skip();
            }
        }
        Self { bytes: all.into_iter().filter(|byte| byte.count > 0).collect() }
    }

    /// The reading in a charset of one byte, without its cost.
    pub(crate) fn read(&self, encoding: Encoding) -> Reading {
        let mut reading = Reading::of(encoding);
        let bytes: Vec<u8> = self.bytes.iter().map(|of| of.byte).collect();
        let mut decoder = Decoder::new(encoding, Options::default());
        let (mut points, mut rest, mut last_letter) = ([0; 256], &self.bytes[..], 0);
        while !rest.is_empty() {
            let bytes = &bytes[self.bytes.len() - rest.len()..];
            let progress = decoder.decode_to_code_points(bytes, &mut points, true);
            let (found, others) = rest.split_at(progress.written);
            rest = others;
            for (of, point) in found.iter().zip(points) {
                reading.points += of.count;
                reading.hash.add_all(of.factors, u64::from(point));
                let letter = char::from_u32(point).filter(|scalar| *scalar >= '\u{A0}').map(script);
                if let Some(script) = letter.filter(|script| is_of_letters(*script)) {
                    reading.letters += of.count;
                    if of.last >= last_letter {
                        (last_letter, reading.script) = (of.last, Some(script));
                    }
                }
            }
            if matches!(progress.status, Status::Error(_)) {
                let Some((of, others)) = rest.split_first() else { break };
                rest = others;
                reading.errors += of.uncut;
                reading.hash.add_all(of.factors, Hash::ILL_FORMED);
                let firsts = [reading.first_error, of.first_uncut];
                reading.first_error = firsts.into_iter().flatten().min();
            }
        }
        reading
    }
}

#[cfg(test)]
mod tests {
    use utfall::Family;

    use super::*;
    use crate::cost::Bits;
    use crate::reading::read;

    #[test]
    fn counts_read_like_a_decoder() {
        let head: Vec<u8> = (0..=255).chain(*b"\nd\xE9j\xE0 vu\n").collect();
        let rest: Vec<u8> = (0..2048_u32).map(|at| (at * at / 7) as u8).collect();
        let pieces = [
            Piece { offset: 0, bytes: head, last: false },
            Piece { offset: 4096, bytes: rest, last: true },
        ];
        let counts = Counts::of(&pieces);
        let is_of_one_byte = |encoding: &&Encoding| encoding.info().family == Family::SingleByte;
        for encoding in Encoding::ALL.iter().filter(is_of_one_byte) {
            let counted = counts.read(*encoding);
            let decoded = read(*encoding, &pieces, usize::MAX, Bits::MAX);
            let of = |reading: &Reading| {
                let Reading { errors, first_error, points, letters, script, .. } = *reading;
                (errors, first_error, points, letters, script, reading.hash.sum)
            };
            assert_eq!(of(&counted), of(&decoded), "{encoding}");
        }
    }
}
