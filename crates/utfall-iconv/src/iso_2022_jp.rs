//! ISO-2022-JP (RFC 1468), as implemented by glibc. The encoding of that name in `utfall` is the
//! web's, which has more characters and another way to encode them.
//!
//! JIS X 0208 is derived from EUC-JP, whose bytes are the same with the highest bit set.

use crate::table::{Next, Table};

/// The charset whose table has the characters.
pub(crate) const TABLE: &str = "EUC-JP";

const ESCAPE: u8 = 0x1B;

/// The character set selected by an escape sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Set {
    Ascii,
    /// JIS X 0201, in which two characters differ from US-ASCII.
    Roman,
    /// JIS X 0208 of 1978 or 1983, which are treated as one.
    Kanji,
}

impl Set {
    /// The escape sequence that selects it.
    fn escape(self) -> &'static [u8] {
        match self {
            Self::Ascii => b"\x1B(B",
            Self::Roman => b"\x1B(J",
            Self::Kanji => b"\x1B$B",
        }
    }
}

/// The sequence at the start of `src`.
pub(crate) fn next(table: &Table, set: Set, src: &[u8]) -> Next {
    let Some(&first) = src.first() else { return Next::Incomplete };
    if first == ESCAPE {
        // In any other sequence, ESC is an ordinary control character.
        match src.get(..3) {
            None => return Next::Incomplete,
            Some(b"\x1B(B") => return Next::Shift(Set::Ascii, 3),
            Some(b"\x1B(J") => return Next::Shift(Set::Roman, 3),
            Some(b"\x1B$@" | b"\x1B$B") => return Next::Shift(Set::Kanji, 3),
            Some(_) => {}
        }
    }
    match (first, set) {
        (0x80.., _) => Next::Ill(1),
        (0..0x21 | 0x7F, _) | (_, Set::Ascii) => Next::Point(u32::from(first), 1),
        (0x5C, Set::Roman) => Next::Point(0xA5, 1),
        (0x7E, Set::Roman) => Next::Point(0x203E, 1),
        (_, Set::Roman) => Next::Point(u32::from(first), 1),
        (_, Set::Kanji) => match src.get(1) {
            None => Next::Incomplete,
            Some(second @ 0x21..=0x7E) => match table.next(&[first | 0x80, second | 0x80]) {
                next @ Next::Point(_, 2) => next,
                _ => Next::Ill(1),
            },
            Some(_) => Next::Ill(1),
        },
    }
}

/// Fast path: decodes characters of the active set up to an escape sequence. Returns bytes read and code
/// points written.
pub(crate) fn decode_prefix(
    table: &Table,
    set: Set,
    src: &[u8],
    dst: &mut [u32],
) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    while let (Some(first), Some(slot)) = (src.get(read), dst.get_mut(written)) {
        let (point, length) = match (*first, set, src.get(read + 1)) {
            (ESCAPE | 0x80.., ..) | (_, Set::Roman, _) => break,
            (0..0x21 | 0x7F, ..) | (_, Set::Ascii, _) => (u32::from(*first), 1),
            (_, Set::Kanji, Some(second @ 0x21..=0x7E)) => {
                match table.pair(first | 0x80, second | 0x80) {
                    Some(point) => (point, 2),
                    None => break,
                }
            }
            (_, Set::Kanji, _) => break,
        };
        *slot = point;
        read += length;
        written += 1;
    }
    (read, written)
}

/// Appends a code point, with an escape sequence if it needs another set. Returns whether the
/// charset has it.
pub(crate) fn encode(table: &Table, set: &mut Set, point: u32, out: &mut Vec<u8>) -> bool {
    let (wanted, bytes): (Set, [u8; 2]) = match (point, *set) {
        (0x21..0x5C | 0x5D..0x7E, Set::Roman) => (Set::Roman, [point as u8, 0]),
        (0..0x80, _) => (Set::Ascii, [point as u8, 0]),
        (0xA5, _) => (Set::Roman, [0x5C, 0]),
        (0x203E, _) => (Set::Roman, [0x7E, 0]),
        _ => {
            let mut room = [0; crate::table::RUN];
            let (1, 2) = table.encode_prefix(&[point], &mut room) else { return false };
            // Halfwidth katakana begin with the byte 8E.
            let [first @ 0xA1..=0xFF, second, ..] = room else { return false };
            (Set::Kanji, [first & 0x7F, second & 0x7F])
        }
    };
    if *set != wanted {
        out.extend_from_slice(wanted.escape());
        *set = wanted;
    }
    out.extend_from_slice(if wanted == Set::Kanji { &bytes } else { &bytes[..1] });
    true
}

/// Ends a text, in US-ASCII.
pub(crate) fn finish(set: &mut Set, out: &mut Vec<u8>) {
    if *set != Set::Ascii {
        out.extend_from_slice(Set::Ascii.escape());
        *set = Set::Ascii;
    }
}
