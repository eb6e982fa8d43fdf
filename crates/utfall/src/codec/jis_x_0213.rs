//! EUC-JISX0213 and SHIFT_JISX0213: JIS X 0213, in which 25 characters are two code points each.
//!
//! The encoders hold a code point back if the next one may combine with it.

use core::marker::PhantomData;

use super::shared::jis_x_0213::{self, Cell, Content};
use super::{Codec, Decode, Encode, Next, Put, multi_byte};
use crate::info::Info;
use crate::{ErrorKind, Options};

/// The halfwidth katakana of JIS X 0201, whose bytes are A1 to DF.
const KATAKANA: u32 = 0xFF61;

/// The bytes of a character.
#[derive(Clone, Copy)]
pub(crate) struct Bytes([u8; 3], usize);

impl Bytes {
    fn one(byte: u8) -> Self {
        Self([byte, 0, 0], 1)
    }

    fn two(bytes: [u8; 2]) -> Self {
        Self([bytes[0], bytes[1], 0], 2)
    }

    /// Writes them to the start of `dst`, and returns their number.
    fn write(self, dst: &mut [u8]) -> Option<usize> {
        let Self(bytes @ [first, second, _], length) = self;
        match length {
            0 => {}
            1 => *dst.first_mut()? = first,
            2 => *dst.first_chunk_mut()? = [first, second],
            _ => *dst.first_chunk_mut()? = bytes,
        }
        Some(length)
    }
}

/// How bytes contain rows and cells.
pub(crate) trait Form: Clone {
    const NAME: &'static str;
    const ALIASES: &'static [&'static str];
    /// Whether bytes below 80 are US-ASCII.
    const KEEPS_ASCII: bool;
    /// Whether bytes below 80 are never part of a longer sequence.
    const IS_TRANSPARENT: bool;

    /// The length of sequences with this first byte; 0 if none has it.
    fn length(first: u8) -> usize;

    /// Whether a byte can follow this first byte.
    fn is_trail(first: u8, byte: u8) -> bool;

    /// The code point of a sequence outside of JIS X 0213.
    fn other_point(sequence: &[u8]) -> Option<u32>;

    fn cell(sequence: &[u8]) -> Cell;

    /// The bytes of a code point that is not in JIS X 0213.
    fn other_bytes(point: u32) -> Option<Bytes>;

    fn bytes(cell: Cell) -> Bytes;
}

#[derive(Clone)]
pub(crate) struct Euc;

impl Form for Euc {
    const NAME: &'static str = "EUC-JISX0213";
    const ALIASES: &'static [&'static str] = &[];
    const KEEPS_ASCII: bool = true;
    const IS_TRANSPARENT: bool = true;

    fn length(first: u8) -> usize {
        match first {
            ..0x80 => 1,
            0x8E | 0xA1..=0xFE => 2,
            0x8F => 3,
            _ => 0,
        }
    }

    fn is_trail(first: u8, byte: u8) -> bool {
        matches!((first, byte), (0x8E, 0xA1..=0xDF) | (0x8F | 0xA1..=0xFE, 0xA1..=0xFE))
    }

    fn other_point(sequence: &[u8]) -> Option<u32> {
        match *sequence {
            [byte] => Some(u32::from(byte)),
            [0x8E, byte] => Some(KATAKANA + u32::from(byte - 0xA1)),
            _ => None,
        }
    }

    fn cell(sequence: &[u8]) -> Cell {
        match *sequence {
            [0x8F, row, cell] => [2, row - 0xA0, cell - 0xA0],
            [row, cell, ..] => [1, row - 0xA0, cell - 0xA0],
            _ => [0; 3],
        }
    }

    fn other_bytes(point: u32) -> Option<Bytes> {
        match point {
            ..0x80 => Some(Bytes::one(point as u8)),
            KATAKANA..=0xFF9F => Some(Bytes::two([0x8E, 0xA1 + (point - KATAKANA) as u8])),
            _ => None,
        }
    }

    fn bytes([plane, row, cell]: Cell) -> Bytes {
        match plane {
            1 => Bytes::two([row + 0xA0, cell + 0xA0]),
            _ => Bytes([0x8F, row + 0xA0, cell + 0xA0], 3),
        }
    }
}

/// The rows of plane 2 that follow the 94 of plane 1, before row 78.
const FIRST_ROWS_2: [u8; 9] = [1, 8, 3, 4, 5, 12, 13, 14, 15];

#[derive(Clone)]
pub(crate) struct Shift;

impl Form for Shift {
    const NAME: &'static str = "SHIFT_JISX0213";
    const ALIASES: &'static [&'static str] = &["SHIFTJISX0213"];
    const KEEPS_ASCII: bool = false;
    const IS_TRANSPARENT: bool = false;

    fn length(first: u8) -> usize {
        match first {
            ..=0x7F | 0xA1..=0xDF => 1,
            0x81..=0x9F | 0xE0..=0xFC => 2,
            _ => 0,
        }
    }

    fn is_trail(_: u8, byte: u8) -> bool {
        matches!(byte, 0x40..=0x7E | 0x80..=0xFC)
    }

    fn other_point(sequence: &[u8]) -> Option<u32> {
        match *sequence {
            [b'\\'] => Some(0xA5),
            [b'~'] => Some(0x203E),
            [byte @ ..0x80] => Some(u32::from(byte)),
            [byte] => Some(KATAKANA + u32::from(byte - 0xA1)),
            _ => None,
        }
    }

    fn cell(sequence: &[u8]) -> Cell {
        let [lead, trail, ..] = *sequence else { return [0; 3] };
        let pair = if lead < 0xA0 { lead - 0x81 } else { lead - 0xC1 };
        let column = trail - 0x40 - u8::from(trail > 0x7F);
        let (row, cell) = (2 * pair + column / 94, 1 + column % 94);
        match row.checked_sub(94) {
            None => [1, row + 1, cell],
            Some(row) => match FIRST_ROWS_2.get(usize::from(row)) {
                Some(first) => [2, *first, cell],
                None => [2, 78 + row - FIRST_ROWS_2.len() as u8, cell],
            },
        }
    }

    fn other_bytes(point: u32) -> Option<Bytes> {
        match point {
            0x5C | 0x7E => None,
            0xA5 => Some(Bytes::one(b'\\')),
            0x203E => Some(Bytes::one(b'~')),
            ..0x80 => Some(Bytes::one(point as u8)),
            KATAKANA..=0xFF9F => Some(Bytes::one(0xA1 + (point - KATAKANA) as u8)),
            _ => None,
        }
    }

    fn bytes([plane, row, cell]: Cell) -> Bytes {
        let row = match (plane, FIRST_ROWS_2.iter().position(|first| *first == row)) {
            (1, _) => row - 1,
            (_, Some(at)) => 94 + at as u8,
            (_, None) => 94 + FIRST_ROWS_2.len() as u8 + row - 78,
        };
        let (pair, column) = (row / 2, cell - 1 + 94 * (row % 2));
        let lead = if pair < 0x1F { pair + 0x81 } else { pair + 0xC1 };
        Bytes::two([lead, column + 0x40 + u8::from(column >= 0x3F)])
    }
}

pub(crate) struct JisX0213<F>(PhantomData<F>);

impl<F: Form> Codec for JisX0213<F> {
    const INFO: Info = Info {
        name: F::NAME,
        aliases: F::ALIASES,
        specification: "JIS X 0213, with the characters of the GNU C Library",
        holds_back: true,
        shares_ascii: F::KEEPS_ASCII,
        ascii_transparent: F::IS_TRANSPARENT,
        clause: |kind| match kind {
            ErrorKind::Unencodable(_) => "JIS X 0213: no character has this code point",
            ErrorKind::Truncated => "JIS X 0213: a lead byte at the end of the input",
            ErrorKind::MissingTrail => "JIS X 0213: a lead byte is followed by a trail byte",
            _ => "JIS X 0213: no character has these bytes",
        },
        ..multi_byte::INFO
    };
    type Decoder = Decoder<F>;
    type Encoder = Encoder<F>;

    fn decoder(_: &Options) -> Decoder<F> {
        Decoder { second: None, form: PhantomData }
    }

    fn encoder(_: &Options) -> Encoder<F> {
        Encoder { held: None, form: PhantomData }
    }
}

#[derive(Clone)]
pub(crate) struct Decoder<F> {
    /// The second of two code points. The last byte belongs to it, and the others to the first one.
    second: Option<u32>,
    form: PhantomData<F>,
}

impl<F: Form> Decode for Decoder<F> {
    fn next(&mut self, src: &[u8], last: bool) -> Next {
        let Some(&first) = src.first() else { return Next::End };
        if let Some(point) = self.second.take() {
            return Next::Point { point, length: 1 };
        }
        let length = F::length(first);
        let Some(sequence) = src.get(..length) else {
            return match src[1..].iter().find(|byte| !F::is_trail(first, **byte)) {
                // Like glibc: only the first byte is ill-formed.
                Some(_) => Next::ill(ErrorKind::MissingTrail, 1),
                None if last => Next::ill(ErrorKind::Truncated, src.len()),
                None => Next::End,
            };
        };
        let [_, trail @ ..] = sequence else { return Next::ill(ErrorKind::Undefined, 1) };
        if !trail.iter().all(|byte| F::is_trail(first, *byte)) {
            return Next::ill(ErrorKind::MissingTrail, 1);
        }
        if let Some(point) = F::other_point(sequence) {
            return Next::Point { point, length };
        }
        match jis_x_0213::content(F::cell(sequence)) {
            Some(Content::One(point)) => Next::Point { point, length },
            Some(Content::Two([point, second])) => {
                self.second = Some(second);
                Next::Point { point, length: length - 1 }
            }
            None => Next::ill(ErrorKind::Undefined, 1),
        }
    }
}

#[derive(Clone)]
pub(crate) struct Encoder<F> {
    /// A code point that the next one may combine with.
    held: Option<u32>,
    form: PhantomData<F>,
}

impl<F: Form> Encoder<F> {
    fn bytes(point: u32) -> Option<Bytes> {
        F::other_bytes(point).or_else(|| Some(F::bytes(jis_x_0213::cell(point)?)))
    }
}

impl<F: Form> Encode for Encoder<F> {
    fn put(&mut self, point: u32, dst: &mut [u8]) -> Put {
        if let Some(held) = self.held
            && let Some(cell) = jis_x_0213::cell_of_pair(held, point)
        {
            let Some(length) = F::bytes(cell).write(dst) else { return Put::Full };
            self.held = None;
            return Put::Written(length);
        }
        let Some(bytes) = Self::bytes(point) else { return Put::Unencodable };
        let waits = jis_x_0213::begins_pair(point);
        let written = match self.held.and_then(Self::bytes) {
            None if waits => Some(0),
            None => bytes.write(dst),
            Some(before) if waits => before.write(dst),
            Some(before) if dst.len() < before.1 + bytes.1 => None,
            Some(before) => {
                before.write(dst).and_then(|length| Some(length + bytes.write(&mut dst[length..])?))
            }
        };
        let Some(length) = written else { return Put::Full };
        self.held = waits.then_some(point);
        Put::Written(length)
    }

    fn finish(&mut self, dst: &mut [u8]) -> Option<usize> {
        let Some(bytes) = self.held.and_then(Self::bytes) else { return Some(0) };
        let length = bytes.write(dst)?;
        self.held = None;
        Some(length)
    }
}

#[cfg(test)]
mod tests {
    extern crate std;

    use std::string::String;
    use std::vec::Vec;

    use crate::Encoding::{self, EucJisX0213, ShiftJisX0213};
    use crate::ErrorKind;
    use crate::codec::testing::{self, Item, check_decoding, check_encoding};

    const BOTH: [Encoding; 2] = [EucJisX0213, ShiftJisX0213];

    #[test]
    fn worked_examples() {
        let text: Vec<u32> = "aｱ日か゚かæ̀æ俱𠂉˥˩˥".chars().map(u32::from).collect();
        let euc = b"a\x8E\xB1\xC6\xFC\xA4\xF7\xA4\xAB\xAB\xC4\xA9\xDC\xAE\xA1\x8F\xA1\xA1\xAB\xE6\xAB\xE0";
        let shift =
            b"a\xB1\x93\xFA\x82\xF5\x82\xA9\x86\x63\x85\x7B\x87\x9F\xF0\x40\x86\x86\x86\x80";
        for (encoding, bytes) in [(EucJisX0213, &euc[..]), (ShiftJisX0213, shift)] {
            check_encoding(encoding, &text, Ok(bytes));
            let items: Vec<_> = text.iter().map(|point| Item::Point(*point)).collect();
            check_decoding(encoding, bytes, &items);
            check_encoding(encoding, &[0x61, 0x309A], Err(1));
            check_encoding(encoding, &[0x304B, 0x1F600], Err(1));
        }
        check_encoding(ShiftJisX0213, &[0xA5, 0x203E], Ok(b"\\~"));
        check_encoding(ShiftJisX0213, &[0x5C], Err(0));
        check_encoding(EucJisX0213, &[0x5C, 0x7E], Ok(b"\\~"));
        check_encoding(EucJisX0213, &[0xA5], Err(0));
    }

    #[test]
    fn ill_formed_sequences() {
        let rows: [(Encoding, &[u8], usize, ErrorKind); 12] = [
            (EucJisX0213, b"\x80", 1, ErrorKind::Undefined),
            (EucJisX0213, b"\xA4a", 1, ErrorKind::MissingTrail),
            (EucJisX0213, b"\xA4", 1, ErrorKind::Truncated),
            (EucJisX0213, b"\x8E\xE0", 1, ErrorKind::MissingTrail),
            (EucJisX0213, b"\x8F\xA2\xA1", 1, ErrorKind::Undefined),
            (EucJisX0213, b"\x8F\xA2a", 1, ErrorKind::MissingTrail),
            (EucJisX0213, b"\x8Fa", 1, ErrorKind::MissingTrail),
            (EucJisX0213, b"\x8F\xA2", 2, ErrorKind::Truncated),
            (ShiftJisX0213, b"\xA0", 1, ErrorKind::Undefined),
            (ShiftJisX0213, b"\x81\x7F", 1, ErrorKind::MissingTrail),
            (ShiftJisX0213, b"\xFC\xFC", 1, ErrorKind::Undefined),
            (ShiftJisX0213, b"\x81", 1, ErrorKind::Truncated),
        ];
        for (encoding, bytes, length, kind) in rows {
            let error = encoding.validate(bytes).expect_err("ill-formed");
            assert_eq!((error.length() as usize, error.kind()), (length, kind), "{bytes:02X?}");
        }
        check_decoding(
            EucJisX0213,
            b"\x8F\xA2\xA1\xA4\xA2",
            &[Item::Ill(0, 1), Item::Point(0x25C6), Item::Point(0x3042)],
        );
    }

    /// Every sequence of up to three bytes that may be a character.
    fn sequences(encoding: Encoding) -> Vec<Vec<u8>> {
        let singles = (0..=0xFF).map(|byte| std::vec![byte]);
        let pairs = (0x80..=0xFF).flat_map(|a| (0..=0xFF).map(move |b| std::vec![a, b]));
        let triples = (0x80..=0xFF).flat_map(|a| (0x80..=0xFF).map(move |b| std::vec![0x8F, a, b]));
        let triples = triples.filter(|_| encoding == EucJisX0213);
        singles.chain(pairs).chain(triples).collect()
    }

    #[test]
    fn they_are_the_charsets_of_glibc() {
        for encoding in BOTH {
            let name = encoding.name();
            let mut texts = Vec::new();
            for bytes in sequences(encoding) {
                let Ok(text) = encoding.decode(&bytes).map(String::from) else { continue };
                assert_eq!(encoding.encode(&text).as_deref(), Ok(&bytes[..]), "{name}");
                // Two characters of one byte each are not a character of two.
                if text.chars().count() == 1
                    || text.ends_with(['\u{309A}', '\u{300}', '\u{301}'])
                    || text.contains(['\u{2E5}', '\u{2E9}'])
                {
                    texts.push((bytes, text));
                }
            }
            let pairs = texts.iter().filter(|(_, text)| text.chars().count() == 2).count();
            assert_eq!((texts.len(), pairs), (11_424, 25), "{name}");
            let known: std::collections::HashSet<char> =
                texts.iter().flat_map(|(_, text)| text.chars()).collect();
            let others: String =
                (char::MIN..='\u{DFFFF}').filter(|it| !known.contains(it)).collect();
            let is_in = |one: char| encoding.encode(one.encode_utf8(&mut [0; 4])).is_ok();
            assert_eq!(others.chars().find(|one| is_in(*one)), None, "{name}");
            let mut random = testing::Random(0x5EED_0213);
            let all: Vec<&str> = texts.iter().map(|(_, text)| &**text).collect();
            let mut pieces: Vec<String> = all.chunks(1000).map(|chunk| chunk.join("\n")).collect();
            for _ in 0..50 {
                let mut piece = String::new();
                for _ in 0..1000 {
                    piece.push_str(match random.below(3) {
                        0 => all[random.below(all.len())],
                        _ => testing::COMBINING[random.below(testing::COMBINING.len())],
                    });
                }
                pieces.push(piece);
            }
            // Shorter than the buffers of glibc: where one ends, its decoder writes the second code
            // point of a pair without end.
            for piece in pieces {
                let bytes = encoding.encode(&piece).expect("all are in the charset");
                assert_eq!(encoding.decode(&bytes).as_deref(), Ok(&*piece));
                let theirs = testing::iconv(&["-f", "UTF-8", "-t", name], piece.as_bytes());
                let Some(theirs) = theirs else {
                    std::println!("skipped: the system has no iconv of glibc");
                    return;
                };
                assert!(theirs == *bytes, "the system encodes another text in {name}");
                let back = testing::iconv(&["-f", name, "-t", "UTF-8"], &bytes);
                let is_same = back.as_deref() == Some(piece.as_bytes());
                assert!(is_same, "the system decodes another text in {name}");
            }
            // glibc writes these two as the yen sign and the overline.
            let others = others.replace(['\\', '~'], "");
            let others = testing::iconv(&["-c", "-f", "UTF-8", "-t", name], others.as_bytes());
            assert_eq!(others.as_deref(), Some(&b""[..]), "{name}");
            // Damaged sequences, one in each line: both drop the same bytes with `-c`.
            let mut damaged = Vec::new();
            for _ in 0..2_000 {
                let length = 1 + random.below(5);
                damaged.extend((0..length).map(|_| {
                    [0x81, 0x8E, 0x8F, 0xA1, 0xDF, 0xE0, 0xF5, 0xFC, 0xFF, b'a', b'@']
                        [random.below(11)]
                }));
                damaged.push(random.below(256) as u8);
                damaged.push(b'\n');
            }
            let theirs = testing::iconv(&["-c", "-f", name, "-t", "UTF-8"], &damaged);
            let mut ours = String::new();
            for item in testing::decode(encoding, &[&damaged], 4096) {
                if let Item::Point(point) = item {
                    ours.push(char::from_u32(point).expect("a scalar value"));
                }
            }
            assert!(theirs.as_deref() == Some(ours.as_bytes()), "-c, {name}");
        }
    }
}
