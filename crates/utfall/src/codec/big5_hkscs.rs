//! BIG5-HKSCS of 2008, as glibc has it: a table of `multi_byte`, and four pairs of bytes that are
//! two code points each.

use super::multi_byte::{self, Big5Hkscs as Table};
use super::{Codec, Decode, Encode, Next, Put, Rows};
use crate::Options;
use crate::info::Info;

/// The trail bytes after 88 of `Ê` or `ê` with a macron or a caron, and the codes of these letters
/// alone.
const TWO: [(u8, [u32; 2]); 4] =
    [(0x62, [0xCA, 0x304]), (0x64, [0xCA, 0x30C]), (0xA3, [0xEA, 0x304]), (0xA5, [0xEA, 0x30C])];

pub(crate) struct Big5Hkscs;

impl Codec for Big5Hkscs {
    const INFO: Info = Info { holds_back: true, ..Table::INFO };
    const ROWS: Option<&'static dyn Rows> = Some(&Big5Hkscs);
    type Decoder = Decoder;
    type Encoder = Encoder;

    fn decoder(options: &Options) -> Decoder {
        Decoder { table: Table::decoder(options), second: None }
    }

    fn encoder(options: &Options) -> Encoder {
        Encoder { table: Table::encoder(options), held: None }
    }
}

impl Rows for Big5Hkscs {
    fn row(&self, prefix: &[u8], points: &mut [u32; 256]) -> bool {
        prefix != [0x88] && Table::ROWS.is_some_and(|rows| rows.row(prefix, points))
    }

    fn writes(&self, point: u32, sequence: &[u8]) -> bool {
        Table::ROWS.is_some_and(|rows| rows.writes(point, sequence))
    }
}

#[derive(Clone)]
pub(crate) struct Decoder {
    table: multi_byte::Decoder,
    /// The second of two code points. The lead byte belongs to the first one, and the trail byte to
    /// this one.
    second: Option<u32>,
}

impl Decode for Decoder {
    fn next(&mut self, src: &[u8], last: bool) -> Next {
        if src.is_empty() {
            return Next::End;
        }
        if let Some(point) = self.second.take() {
            return Next::Point { point, length: 1 };
        }
        if let [0x88, trail, ..] = src
            && let Some((_, [first, second])) = TWO.iter().find(|(it, _)| it == trail)
        {
            self.second = Some(*second);
            return Next::Point { point: *first, length: 1 };
        }
        self.table.next(src, last)
    }
}

#[derive(Clone)]
pub(crate) struct Encoder {
    table: multi_byte::Encoder,
    /// A letter that the next code point may change.
    held: Option<u32>,
}

impl Encode for Encoder {
    fn put(&mut self, point: u32, dst: &mut [u8]) -> Put {
        let held = self.held;
        if let Some(letter) = held
            && let Some((trail, _)) = TWO.iter().find(|(_, two)| *two == [letter, point])
        {
            let Some(room) = dst.first_chunk_mut() else { return Put::Full };
            *room = [0x88, *trail];
            self.held = None;
            return Put::Written(room.len());
        }
        let mut room = [0; 8];
        let before = match held.map(|letter| self.table.put(letter, &mut room)) {
            Some(Put::Written(length)) => length,
            _ => 0,
        };
        let waits = TWO.iter().any(|(_, [first, _])| *first == point);
        let after = match self.table.put(point, &mut room[before..]) {
            _ if waits => 0,
            Put::Written(length) => length,
            put => return put,
        };
        let bytes = &room[..before + after];
        let Some(dst) = dst.get_mut(..bytes.len()) else { return Put::Full };
        dst.copy_from_slice(bytes);
        self.held = waits.then_some(point);
        Put::Written(bytes.len())
    }

    fn finish(&mut self, dst: &mut [u8]) -> Option<usize> {
        let Some(letter) = self.held else { return Some(0) };
        match self.table.put(letter, dst) {
            Put::Written(length) => {
                self.held = None;
                Some(length)
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::Encoding::Big5Hkscs;
    use crate::codec::testing::{Item, check_decoding, check_encoding};

    #[test]
    fn letters_with_a_mark() {
        let points = [0xCA, 0x304, 0xEA, 0x61, 0xCA, 0xCA, 0x30C, 0xEA];
        let bytes = b"\x88\x62\x88\xA7a\x88\x66\x88\x64\x88\xA7";
        check_encoding(Big5Hkscs, &points, Ok(bytes));
        check_decoding(Big5Hkscs, bytes, &points.map(Item::Point));
        check_encoding(Big5Hkscs, &[0x61, 0x304], Err(1));
        check_encoding(Big5Hkscs, &[0xCA, 0x1F600], Err(1));
    }
}
