//! UTF-1: ISO-IR-178, which is annex G of ISO/IEC 10646-1:1993.
//!
//! `T(z)` is the byte with number `z` among the 190 bytes 21–7E and A0–FF.
//!
//! | lead | follows | values |
//! |---|---|---|
//! | 00–9F | | 0–9F |
//! | A0 | A0–FF | A0–FF |
//! | A1–F5 | T | 100–4015 |
//! | F6–FB | T T | 4016–38E2D |
//! | FC–FD | T T T T | 38E2E–7FFFFFFF |
//!
//! FE would begin values larger than any in the UCS. Since 21–7E may follow a lead byte, US-ASCII
//! bytes do not always represent US-ASCII. 0A and all other controls always represent themselves.
//!
//! See `docs/decisions.md` §5.

use super::{Codec, Decode, Encode, Next, Put};
use crate::info::{Family, Info, SplitPoint};
use crate::repertoire::Repertoire;
use crate::{ErrorKind, Options};

pub(crate) struct Utf1;

impl Codec for Utf1 {
    const INFO: Info = Info {
        name: "ISO-10646-UTF-1",
        iana: true,
        aliases: &["UTF-1", "csISO10646UTF1", "csISO10646-UTF-1"],
        specification: "ISO-IR-178",
        split_point: SplitPoint::Line,
        repertoire: Repertoire::Ucs4,
        signature: b"\xF7\x64\x4C",
        clause: |kind| match kind {
            ErrorKind::InvalidByte => "ISO-IR-178: FE and FF begin nothing below 80000000",
            ErrorKind::OutOfRange => "ISO-IR-178: the last value is 7FFFFFFF",
            ErrorKind::Surrogate => "ISO/IEC 10646-1:1993 §8: D800 to DFFF are not characters",
            ErrorKind::Unencodable(_) => {
                "ISO-IR-178: values are 0 to 7FFFFFFF, without D800 to DFFF"
            }
            _ => "ISO-IR-178: A0 is followed by A0 to FF, A1 to FD by 21 to 7E or A0 to FF",
        },
        ..Info::of(Family::Utf1)
    };
    type Decoder = Decoder;
    type Encoder = Encoder;

    fn decoder(_: &Options) -> Decoder {
        Decoder
    }

    fn encoder(_: &Options) -> Encoder {
        Encoder
    }
}

/// The number of different trail bytes.
const T: u32 = 190;

/// The smallest values of two, three and five bytes.
const TWO: u32 = 0x100;
const THREE: u32 = TWO + (0xF6 - 0xA1) * T;
const FIVE: u32 = THREE + (0xFC - 0xF6) * T * T;

/// The number of a trail byte.
fn number(byte: u8) -> Option<u32> {
    match byte {
        0x21..=0x7E => Some(u32::from(byte) - 0x21),
        0xA0..=0xFF => Some(u32::from(byte) - 0x42),
        _ => None,
    }
}

/// The trail byte of a number: `T(z)`.
fn trail(z: u32) -> u8 {
    (if z < 0x5E { z + 0x21 } else { z + 0x42 }) as u8
}

#[derive(Clone)]
pub(crate) struct Decoder;

impl Decode for Decoder {
    #[inline]
    fn next(&mut self, src: &[u8], last: bool) -> Next {
        let Some(&lead) = src.first() else { return Next::End };
        let (length, first, begin) = match lead {
            0x00..=0x9F => return Next::Point { point: u32::from(lead), length: 1 },
            0xA0 => {
                return match src.get(1) {
                    Some(&byte @ 0xA0..) => Next::Point { point: u32::from(byte), length: 2 },
                    Some(_) => Next::ill(ErrorKind::MissingTrail, 1),
                    None if last => Next::ill(ErrorKind::Truncated, 1),
                    None => Next::End,
                };
            }
            0xA1..=0xF5 => (2, 0xA1, TWO),
            0xF6..=0xFB => (3, 0xF6, THREE),
            0xFC..=0xFD => (5, 0xFC, FIVE),
            0xFE..=0xFF => return Next::ill(ErrorKind::InvalidByte, 1),
        };
        // At most 2 · 190⁴ − 1, which has 32 bits.
        let mut value = u32::from(lead - first);
        for at in 1..length {
            let Some(&byte) = src.get(at) else {
                return if last { Next::ill(ErrorKind::Truncated, at) } else { Next::End };
            };
            let Some(z) = number(byte) else { return Next::ill(ErrorKind::MissingTrail, at) };
            value = value * T + z;
        }
        match value + begin {
            0xD800..=0xDFFF => Next::ill(ErrorKind::Surrogate, length),
            0x8000_0000.. => Next::ill(ErrorKind::OutOfRange, length),
            point => Next::Point { point, length },
        }
    }
}

#[derive(Clone)]
pub(crate) struct Encoder;

impl Encode for Encoder {
    #[inline]
    fn put(&mut self, point: u32, dst: &mut [u8]) -> Put {
        let (length, first, begin) = match point {
            0xD800..=0xDFFF | 0x8000_0000.. => return Put::Unencodable,
            0..0xA0 => (1, 0, 0),
            0xA0..TWO => (2, 0xA0, 0),
            TWO..THREE => (2, 0xA1, TWO),
            THREE..FIVE => (3, 0xF6, THREE),
            FIVE.. => (5, 0xFC, FIVE),
        };
        let Some(room) = dst.get_mut(..length) else { return Put::Full };
        let mut rest = point - begin;
        match first {
            0 => room[0] = rest as u8,
            0xA0 => room.copy_from_slice(&[0xA0, rest as u8]),
            _ => {
                for byte in room[1..].iter_mut().rev() {
                    *byte = trail(rest % T);
                    rest /= T;
                }
                room[0] = first + rest as u8;
            }
        }
        Put::Written(length)
    }
}

#[cfg(test)]
mod tests {
    use crate::codec::round_trip;
    use crate::{Encoding, ErrorKind};
    use utfall_oracle::step;

    const UTF1: Encoding = Encoding::Utf1;

    #[test]
    fn table_of_iso_ir_178() {
        let rows: [(u32, &[u8]); 18] = [
            (0x7F, b"\x7F"),
            (0x80, b"\x80"),
            (0x9F, b"\x9F"),
            (0xA0, b"\xA0\xA0"),
            (0xBF, b"\xA0\xBF"),
            (0xFF, b"\xA0\xFF"),
            (0x100, b"\xA1\x21"),
            (0x15D, b"\xA1\x7E"),
            (0x15E, b"\xA1\xA0"),
            (0x1BD, b"\xA1\xFF"),
            (0x1BE, b"\xA2\x21"),
            (0x4015, b"\xF5\xFF"),
            (0x4016, b"\xF6\x21\x21"),
            (0xFEFF, b"\xF7\x64\x4C"),
            (0x3_8E2D, b"\xFB\xFF\xFF"),
            (0x3_8E2E, b"\xFC\x21\x21\x21\x21"),
            (0x10_FFFF, b"\xFC\x21\x39\x6E\x6C"),
            (0x7FFF_FFFF, b"\xFD\xBD\x2B\xB9\x40"),
        ];
        for (point, bytes) in rows {
            assert_eq!(round_trip::encoded(UTF1, &[point]), bytes, "{point:X}");
            assert_eq!(round_trip::decoded(UTF1, bytes), [point]);
        }
    }

    #[test]
    fn every_value() {
        round_trip::scalar_values(UTF1);
        for point in (0x11_0000..0x8000_0000).step_by(0xFFF1 * step(3)) {
            assert_eq!(round_trip::decoded(UTF1, &round_trip::encoded(UTF1, &[point])), [point]);
        }
        assert_eq!(super::THREE, 0x4016);
        assert_eq!(super::FIVE, 0x3_8E2E);
    }

    #[test]
    fn ill_formed() {
        let cases: [(&[u8], ErrorKind, u64, u32); 10] = [
            (b"a\xA0", ErrorKind::Truncated, 1, 1),
            (b"\xA0A", ErrorKind::MissingTrail, 0, 1),
            (b"\xA1\x20", ErrorKind::MissingTrail, 0, 1),
            (b"\xA1\x7F", ErrorKind::MissingTrail, 0, 1),
            (b"\xF6\x21\x80", ErrorKind::MissingTrail, 0, 2),
            (b"\xFC\x21\x21\x21", ErrorKind::Truncated, 0, 4),
            (b"\xFE\x21\x21\x21\x21", ErrorKind::InvalidByte, 0, 1),
            // D800 and DFFF are one above F7 2F C3 and one below F7 3A 79.
            (b"\xF7\x2F\xC4", ErrorKind::Surrogate, 0, 3),
            (b"\xF7\x3A\x78", ErrorKind::Surrogate, 0, 3),
            (b"\xFD\xBD\x2B\xB9\x41", ErrorKind::OutOfRange, 0, 5),
        ];
        for (bytes, kind, offset, length) in cases {
            let error = UTF1.validate(bytes).unwrap_err();
            assert_eq!((error.kind(), error.offset(), error.length()), (kind, offset, length));
        }
        round_trip::short_sequences(UTF1);
    }
}
