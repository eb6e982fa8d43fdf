//! BOCU-1 (UTN #6): the difference to the middle of the previous character's block, in one to four
//! bytes. Binary order is code point order.
//!
//! | lead | trails | differences |
//! |---|---|---|
//! | 50–CF | 0 | −64 to 63 |
//! | 25–4F, D0–FA | 1 | to −10513, to 10512 |
//! | 22–24, FB–FD | 2 | to −187660, to 187659 |
//! | 21, FE | 3 | beyond |
//!
//! There are 243 trail bytes: the twenty controls that have no meaning in mail, then 21–FF. As lead
//! bytes, 00–20 are the characters 00–20.
//!
//! See `docs/decisions.md` §8.

use super::{Codec, Decode, Encode, Next, Put};
use crate::info::{Family, Info, SplitPoint};
use crate::{ErrorKind, Options};

pub(crate) struct Bocu1;

impl Codec for Bocu1 {
    const INFO: Info = Info {
        name: "BOCU-1",
        iana: true,
        aliases: &["csBOCU1", "csBOCU-1", "ibm-1214", "ibm-1215"],
        specification: "UTN #6",
        stateful: true,
        split_point: SplitPoint::Line,
        code_point_order: Some("UTN #6: the binary order is that of code points"),
        signature: b"\xFB\xEE\x28",
        clause: |kind| match kind {
            ErrorKind::Surrogate | ErrorKind::OutOfRange | ErrorKind::Unencodable(_) => {
                "UTN #6: a difference must give a character, 0 to D7FF or E000 to 10FFFF"
            }
            _ => {
                "UTN #6: a lead byte is followed by 1 to 3 trail bytes, none of them \
                 00, 07 to 0F, 1A, 1B, 20"
            }
        },
        ..Info::of(Family::Compression)
    };
    type Decoder = Decoder;
    type Encoder = Encoder;

    fn decoder(_: &Options) -> Decoder {
        Decoder { previous: START }
    }

    fn encoder(_: &Options) -> Encoder {
        Encoder { previous: START }
    }
}

/// The base of the first difference: the middle of US-ASCII.
const START: i32 = 0x40;
/// The lead byte of the difference 0.
const MIDDLE: i32 = 0x90;
/// Resets the state.
const RESET: u8 = 0xFF;

/// The number of trail bytes.
const TRAILS: i32 = 243;

/// The lead bytes for a given number of trail bytes, and the differences they reach. A positive
/// difference is `reach` + (lead − `positive`) · 243ⁿ + trails, a negative one −`reach` + (lead −
/// `negative`) · 243ⁿ + trails.
struct Class {
    positive: i32,
    negative: i32,
    reach: i32,
}

/// For one, two, three trail bytes.
const CLASSES: [Class; 3] = {
    let one = Class { positive: MIDDLE + 64, negative: MIDDLE - 64, reach: 64 };
    let two = after(&one, 43, TRAILS);
    let three = after(&two, 3, TRAILS * TRAILS);
    [one, two, three]
};

/// The class after one with that many lead bytes for each sign and differences for each lead byte.
const fn after(class: &Class, leads: i32, differences: i32) -> Class {
    Class {
        positive: class.positive + leads,
        negative: class.negative - leads,
        reach: class.reach + leads * differences,
    }
}

/// The number of each trail byte, −1 for other bytes.
static NUMBER: [i16; 256] = {
    let mut table = [-1; 256];
    let mut number = 0;
    let mut byte = 0;
    while byte < 256 {
        if matches!(byte, 0x01..=0x06 | 0x10..=0x19 | 0x1C..=0x1F | 0x21..) {
            table[byte] = number;
            number += 1;
        }
        byte += 1;
    }
    assert!(number as i32 == TRAILS);
    table
};

/// The trail byte of each number.
static TRAIL: [u8; TRAILS as usize] = {
    let mut table = [0; TRAILS as usize];
    let mut byte = 0;
    while byte < 256 {
        if NUMBER[byte] >= 0 {
            table[NUMBER[byte] as usize] = byte as u8;
        }
        byte += 1;
    }
    table
};

/// The base for the difference of the next character: the middle of the block of 128, or of the
/// script if that is longer and not aligned.
#[inline]
fn middle(point: i32) -> i32 {
    match point {
        0x3040..=0x309F => 0x3070,
        // All ideographs can be reached with two bytes.
        0x4E00..=0x9FA5 => 0x4E00 + CLASSES[1].reach,
        0xAC00..=0xD7A3 => (0xAC00 + 0xD7A3) / 2,
        _ => (point & !0x7F) + 0x40,
    }
}

#[derive(Clone)]
pub(crate) struct Decoder {
    previous: i32,
}

impl Decoder {
    /// The base of the next difference.
    pub(crate) fn previous(&self) -> u32 {
        self.previous as u32
    }

    fn ill(&mut self, kind: ErrorKind, length: usize) -> Next {
        self.previous = START;
        Next::ill(kind, length)
    }

    /// The sequence of a lead byte with trail bytes.
    fn long(&mut self, src: &[u8], last: bool) -> Next {
        let lead = i32::from(src[0]);
        let trails = match lead {
            0x25..=0xFA => 1,
            0x22..=0xFD => 2,
            _ => 3,
        };
        let class = &CLASSES[trails - 1];
        let positive = lead > MIDDLE;
        let mut difference = lead - if positive { class.positive } else { class.negative };
        for at in 1..=trails {
            let Some(&byte) = src.get(at) else {
                return if last { self.ill(ErrorKind::Truncated, at) } else { Next::End };
            };
            let number = i32::from(NUMBER[usize::from(byte)]);
            if number < 0 {
                // As in ICU, the byte that breaks the sequence is part of it.
                return self.ill(ErrorKind::MissingTrail, at + 1);
            }
            difference = difference * TRAILS + number;
        }
        difference += if positive { class.reach } else { -class.reach };

        let length = trails + 1;
        match self.previous + difference {
            0xD800..=0xDFFF => self.ill(ErrorKind::Surrogate, length),
            point @ 0..=0x10_FFFF => {
                self.previous = middle(point);
                Next::Point { point: point as u32, length }
            }
            _ => self.ill(ErrorKind::OutOfRange, length),
        }
    }
}

impl Decode for Decoder {
    #[inline]
    fn next(&mut self, src: &[u8], last: bool) -> Next {
        let Some(&lead) = src.first() else { return Next::End };
        match lead {
            0x50..=0xCF => {
                // Always in the block of 128 of the previous character, or in its script, so never
                // a surrogate.
                let point = self.previous + i32::from(lead) - MIDDLE;
                self.previous = middle(point);
                Next::Point { point: point as u32, length: 1 }
            }
            0x20 => Next::Point { point: 0x20, length: 1 },
            0x00..0x20 => {
                self.previous = START;
                Next::Point { point: u32::from(lead), length: 1 }
            }
            RESET => {
                self.previous = START;
                Next::Skip { length: 1 }
            }
            _ => self.long(src, last),
        }
    }
}

#[derive(Clone)]
pub(crate) struct Encoder {
    previous: i32,
}

impl Encode for Encoder {
    #[inline]
    fn put(&mut self, point: u32, dst: &mut [u8]) -> Put {
        if char::from_u32(point).is_none() {
            return Put::Unencodable;
        }
        let point = point as i32;
        let difference = point - self.previous;
        let (lead, previous) = match point {
            0x20 => (0x20, self.previous),
            0..0x20 => (point, START),
            _ if (-64..64).contains(&difference) => (MIDDLE + difference, middle(point)),
            _ => {
                let put = long(difference, dst);
                if put != Put::Full {
                    self.previous = middle(point);
                }
                return put;
            }
        };
        let Some(byte) = dst.first_mut() else { return Put::Full };
        *byte = lead as u8;
        self.previous = previous;
        Put::Written(1)
    }
}

/// Writes a difference that needs trail bytes.
fn long(difference: i32, dst: &mut [u8]) -> Put {
    let positive = difference > 0;
    let trails = 1 + CLASSES[1..]
        .iter()
        .take_while(|class| !(-class.reach..class.reach).contains(&difference))
        .count();
    let Some(room) = dst.get_mut(..=trails) else { return Put::Full };
    let class = &CLASSES[trails - 1];
    let mut rest = difference - if positive { class.reach } else { -class.reach };
    for byte in room[1..].iter_mut().rev() {
        *byte = TRAIL[rest.rem_euclid(TRAILS) as usize];
        rest = rest.div_euclid(TRAILS);
    }
    room[0] = (rest + if positive { class.positive } else { class.negative }) as u8;
    Put::Written(trails + 1)
}

#[cfg(test)]
mod tests {
    use super::{CLASSES, TRAIL, middle};
    use crate::codec::round_trip;
    use crate::{Encoding, ErrorKind};

    const BOCU1: Encoding = Encoding::Bocu1;

    #[test]
    fn numbers_of_the_specification() {
        assert_eq!(CLASSES.map(|class| class.reach), [64, 10513, 187_660]);
        assert_eq!(CLASSES.map(|class| class.positive), [0xD0, 0xFB, 0xFE]);
        assert_eq!(CLASSES.map(|class| class.negative), [0x50, 0x25, 0x22]);
        assert_eq!((TRAIL[0], TRAIL[19], TRAIL[20], TRAIL[242]), (0x01, 0x1F, 0x21, 0xFF));
        assert_eq!(middle(0x4E00), 0x7711);
        assert_eq!(middle(0xAC00), 0xC1D1);
    }

    #[test]
    fn signature() {
        assert_eq!(round_trip::encoded(BOCU1, &[0xFEFF]), BOCU1.info().signature);
    }

    /// Texts from ICU's tests, with the bytes that ICU writes.
    #[test]
    fn texts_of_icu() {
        let rows: [(&[u32], &[u8]); 9] = [
            (&[0x41, 0x2262, 0x391, 0x2E], b"\x91\xF3\xB6\x2F\xF1\x4C\x87"),
            (&[0x1, 0xE40, 0x20, 0x9, 0xFEFF], b"\x01\xDE\x83\x20\x09\xFB\xEE\x28"),
            (&[0xDF, 0xE6, 0xDF, 0xE6], b"\xD0\x6C\xB6\xAF\xB6"),
            (
                &[0x930, 0x20, 0x918, 0x909, 0x3086, 0x304D, 0x20, 0x3053, 0x4000],
                b"\xD9\x32\x20\x68\x59\xF9\x28\x6D\x20\x73\xE0\x2D",
            ),
            (
                &[0x4E00, 0x7777, 0x20, 0x9FA5, 0x4E00, 0xAC00, 0xBCDE, 0x20, 0xD7A3],
                b"\xFB\x33\xAA\xD0\x33\x20\xFA\x83\x25\x01\xFB\x16\x87\x4B\x16\x20\xE6\xBD",
            ),
            (
                &[0x3086, 0x304D, 0x20, 0x3053, 0x4000, 0x1_0000],
                b"\xFB\x11\x9D\x6D\x20\x73\xE0\x2D\xFB\xAB\xC2",
            ),
            (&[0x2_15DD, 0xFEFF], b"\xFD\x2D\xE7\x23\xF8\x9E"),
            (&[0xF_EDEE, 0x20, 0x61], b"\xFE\x18\x86\x96\x20\x21\xF1\x86\xC6"),
            (
                &[0xFE88, 0xFE70, 0x10_FFFF, 0x61],
                b"\xFB\xED\xA4\x4F\xF0\xFE\x18\x9B\xB8\x21\xF0\x59\x26",
            ),
        ];
        for (points, bytes) in rows {
            assert_eq!(round_trip::encoded(BOCU1, points), bytes, "{points:X?}");
            assert_eq!(round_trip::decoded(BOCU1, bytes), points);
        }
    }

    #[test]
    fn reset() {
        assert_eq!(round_trip::decoded(BOCU1, b"\xD9\x32\xFF\x91\xFF"), [0x930, 0x41]);
        assert_eq!(round_trip::decoded(BOCU1, b"\xD9\x32\x20\x90"), [0x930, 0x20, 0x940]);
        assert_eq!(round_trip::decoded(BOCU1, b"\xD9\x32\x0A\x91"), [0x930, 0xA, 0x41]);
    }

    #[test]
    fn every_value() {
        round_trip::scalar_values(BOCU1);
    }

    #[test]
    fn ill_formed() {
        let cases: [(&[u8], ErrorKind, u64, u32); 10] = [
            (b"\x91\xFB", ErrorKind::Truncated, 1, 1),
            (b"\xFE\x21\x21", ErrorKind::Truncated, 0, 3),
            (b"\xD0\x20", ErrorKind::MissingTrail, 0, 2),
            (b"\xFB\x00A", ErrorKind::MissingTrail, 0, 2),
            (b"\xFB\xEE\x0D", ErrorKind::MissingTrail, 0, 3),
            (b"\xFE\x21\x21\x1B", ErrorKind::MissingTrail, 0, 4),
            // U+DC00 and U+D800 as written by ICU.
            (b"\xFB\xC9\x48", ErrorKind::Surrogate, 0, 3),
            (b"\x50\xFE\x19\xB4\x55", ErrorKind::OutOfRange, 1, 4),
            (b"\x4F\x01", ErrorKind::OutOfRange, 0, 2),
            (b"\x21\x01\x01\x01", ErrorKind::OutOfRange, 0, 4),
        ];
        for (bytes, kind, offset, length) in cases {
            let error = BOCU1.validate(bytes).unwrap_err();
            assert_eq!((error.kind(), error.offset(), error.length()), (kind, offset, length));
        }
        // After each of them, differences count from 40 again.
        assert_eq!(&*BOCU1.decode_lossy(b"\xD9\x32\xD0\x20\x91").text, "\u{930}\u{FFFD}A");
        assert_eq!(&*BOCU1.decode_lossy(b"\xD9\x32\xFE\xFF\xFF\xFF\x91").text, "\u{930}\u{FFFD}A");
        round_trip::short_sequences(BOCU1);
    }
}
