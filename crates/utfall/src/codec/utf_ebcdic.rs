//! UTF-EBCDIC (UTR #16): UTF-8 with five bits per continuation byte (called I8), mapped through a
//! table that puts controls, letters and digits where EBCDIC has them.
//!
//! | I8 bytes | values |
//! |---|---|
//! | 00–9F | 0–9F |
//! | `110xxxxx` `101xxxxx` | A0–3FF |
//! | `1110xxxx` and 2 trailing bytes | 400–3FFF |
//! | `11110xxx` and 3 | 4000–3FFFF |
//! | `111110xx` and 4 | 40000–10FFFF |
//!
//! Every I8 byte is then mapped to the EBCDIC byte of code page 1047, which has LF at 15 and NEL at
//! 25. CDRA swaps the two.
//!
//! See `docs/decisions.md` §6.

use super::{Codec, Decode, Encode, Next, Put};
use crate::info::{BoundaryRule, Family, Info, SplitPoint};
use crate::{ErrorKind, Options};

/// Code page 1047: Perl, z/OS UNIX.
pub(crate) struct UtfEbcdic;

impl Codec for UtfEbcdic {
    const INFO: Info = Info {
        name: "UTF-EBCDIC",
        boundaries: Some(BoundaryRule {
            clause: BOUNDARIES,
            is_boundary: |bytes, index| !continues(CP1047_TO_I8[usize::from(bytes[index])]),
        }),
        ..FORMAT
    };
    type Decoder = Decoder;
    type Encoder = Encoder;

    fn decoder(_: &Options) -> Decoder {
        Decoder { to_i8: &CP1047_TO_I8 }
    }

    fn encoder(_: &Options) -> Encoder {
        Encoder { from_i8: &I8_TO_CP1047 }
    }
}

/// With the line ends of CDRA.
pub(crate) struct Cdra;

impl Codec for Cdra {
    const INFO: Info = Info {
        name: "UTF-EBCDIC/CDRA",
        boundaries: Some(BoundaryRule {
            clause: BOUNDARIES,
            is_boundary: |bytes, index| !continues(CDRA_TO_I8[usize::from(bytes[index])]),
        }),
        ..FORMAT
    };
    type Decoder = Decoder;
    type Encoder = Encoder;

    fn decoder(_: &Options) -> Decoder {
        Decoder { to_i8: &CDRA_TO_I8 }
    }

    fn encoder(_: &Options) -> Encoder {
        Encoder { from_i8: &I8_TO_CDRA }
    }
}

/// The rule by which boundaries are found.
const BOUNDARIES: &str = "UTR #16: I8 bytes A0 to BF appear only after a lead byte";

const FORMAT: Info = Info {
    specification: "UTR #16",
    split_point: SplitPoint::Character,
    signature: b"\xDD\x73\x66\x73",
    clause: |kind| match kind {
        ErrorKind::UnexpectedTrail => "UTR #16: I8 bytes A0 to BF appear only after a lead byte",
        ErrorKind::Overlong => "UTR #16: only the shortest form is valid",
        ErrorKind::Surrogate => "UTR #16: D800 to DFFF must not be encoded",
        ErrorKind::OutOfRange => "UTR #16: the last character is 10FFFF",
        ErrorKind::Unencodable(_) => "UTR #16: characters are 0 to D7FF and E000 to 10FFFF",
        _ => "UTR #16: a lead byte in I8 is followed by 1 to 4 continuation bytes A0 to BF",
    },
    ..Info::of(Family::Ebcdic)
};

type Table = [u8; 256];

#[rustfmt::skip]
const I8_TO_CP1047: Table = [
    0x00, 0x01, 0x02, 0x03, 0x37, 0x2D, 0x2E, 0x2F, 0x16, 0x05, 0x15, 0x0B, 0x0C, 0x0D, 0x0E, 0x0F,
    0x10, 0x11, 0x12, 0x13, 0x3C, 0x3D, 0x32, 0x26, 0x18, 0x19, 0x3F, 0x27, 0x1C, 0x1D, 0x1E, 0x1F,
    0x40, 0x5A, 0x7F, 0x7B, 0x5B, 0x6C, 0x50, 0x7D, 0x4D, 0x5D, 0x5C, 0x4E, 0x6B, 0x60, 0x4B, 0x61,
    0xF0, 0xF1, 0xF2, 0xF3, 0xF4, 0xF5, 0xF6, 0xF7, 0xF8, 0xF9, 0x7A, 0x5E, 0x4C, 0x7E, 0x6E, 0x6F,
    0x7C, 0xC1, 0xC2, 0xC3, 0xC4, 0xC5, 0xC6, 0xC7, 0xC8, 0xC9, 0xD1, 0xD2, 0xD3, 0xD4, 0xD5, 0xD6,
    0xD7, 0xD8, 0xD9, 0xE2, 0xE3, 0xE4, 0xE5, 0xE6, 0xE7, 0xE8, 0xE9, 0xAD, 0xE0, 0xBD, 0x5F, 0x6D,
    0x79, 0x81, 0x82, 0x83, 0x84, 0x85, 0x86, 0x87, 0x88, 0x89, 0x91, 0x92, 0x93, 0x94, 0x95, 0x96,
    0x97, 0x98, 0x99, 0xA2, 0xA3, 0xA4, 0xA5, 0xA6, 0xA7, 0xA8, 0xA9, 0xC0, 0x4F, 0xD0, 0xA1, 0x07,
    0x20, 0x21, 0x22, 0x23, 0x24, 0x25, 0x06, 0x17, 0x28, 0x29, 0x2A, 0x2B, 0x2C, 0x09, 0x0A, 0x1B,
    0x30, 0x31, 0x1A, 0x33, 0x34, 0x35, 0x36, 0x08, 0x38, 0x39, 0x3A, 0x3B, 0x04, 0x14, 0x3E, 0xFF,
    0x41, 0x42, 0x43, 0x44, 0x45, 0x46, 0x47, 0x48, 0x49, 0x4A, 0x51, 0x52, 0x53, 0x54, 0x55, 0x56,
    0x57, 0x58, 0x59, 0x62, 0x63, 0x64, 0x65, 0x66, 0x67, 0x68, 0x69, 0x6A, 0x70, 0x71, 0x72, 0x73,
    0x74, 0x75, 0x76, 0x77, 0x78, 0x80, 0x8A, 0x8B, 0x8C, 0x8D, 0x8E, 0x8F, 0x90, 0x9A, 0x9B, 0x9C,
    0x9D, 0x9E, 0x9F, 0xA0, 0xAA, 0xAB, 0xAC, 0xAE, 0xAF, 0xB0, 0xB1, 0xB2, 0xB3, 0xB4, 0xB5, 0xB6,
    0xB7, 0xB8, 0xB9, 0xBA, 0xBB, 0xBC, 0xBE, 0xBF, 0xCA, 0xCB, 0xCC, 0xCD, 0xCE, 0xCF, 0xDA, 0xDB,
    0xDC, 0xDD, 0xDE, 0xDF, 0xE1, 0xEA, 0xEB, 0xEC, 0xED, 0xEE, 0xEF, 0xFA, 0xFB, 0xFC, 0xFD, 0xFE,
];

const I8_TO_CDRA: Table = {
    let mut table = I8_TO_CP1047;
    table[0x0A] = 0x25;
    table[0x85] = 0x15;
    table
};

/// Whether a byte of I8 is a continuation byte.
fn continues(byte: u8) -> bool {
    matches!(byte, 0xA0..=0xBF)
}

static CP1047_TO_I8: Table = inverse(&I8_TO_CP1047);
static CDRA_TO_I8: Table = inverse(&I8_TO_CDRA);

const fn inverse(table: &Table) -> Table {
    let mut inverse = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        inverse[table[byte] as usize] = byte as u8;
        byte += 1;
    }
    inverse
}

#[derive(Clone)]
pub(crate) struct Decoder {
    to_i8: &'static Table,
}

impl Decoder {
    /// The mapping to I8 bytes, whose bits UTR #16 defines.
    pub(crate) fn to_i8(&self) -> &'static Table {
        self.to_i8
    }
}

impl Decode for Decoder {
    #[inline]
    fn next(&mut self, src: &[u8], last: bool) -> Next {
        let Some(&byte) = src.first() else { return Next::End };
        let lead = self.to_i8[usize::from(byte)];
        let length = match lead {
            0x00..=0x9F => return Next::Point { point: u32::from(lead), length: 1 },
            0xA0..=0xBF => return Next::ill(ErrorKind::UnexpectedTrail, 1),
            0xC0..=0xC4 | 0xE0 => return Next::ill(ErrorKind::Overlong, 1),
            0xC5..=0xDF => 2,
            0xE1..=0xEF => 3,
            0xF0..=0xF7 => 4,
            0xF8..=0xF9 => 5,
            0xFA..=0xFF => return Next::ill(ErrorKind::OutOfRange, 1),
        };
        let mut point = u32::from(lead) & (0x7F >> length);
        for at in 1..length {
            let Some(&byte) = src.get(at) else {
                return if last { Next::ill(ErrorKind::Truncated, at) } else { Next::End };
            };
            let trail = self.to_i8[usize::from(byte)];
            if trail & 0xE0 != 0xA0 {
                return Next::ill(ErrorKind::MissingTrail, at);
            }
            // The second byte shows whether the sequence can still be valid.
            match (lead, trail) {
                _ if at > 1 => {}
                (0xF0, ..0xB0) | (0xF8, ..0xA8) => return Next::ill(ErrorKind::Overlong, 1),
                (0xF1, 0xB6..=0xB7) => return Next::ill(ErrorKind::Surrogate, 1),
                (0xF9, 0xA2..) => return Next::ill(ErrorKind::OutOfRange, 1),
                _ => {}
            }
            point = point << 5 | u32::from(trail & 0x1F);
        }
        Next::Point { point, length }
    }
}

#[derive(Clone)]
pub(crate) struct Encoder {
    from_i8: &'static Table,
}

impl Encode for Encoder {
    #[inline]
    fn put(&mut self, point: u32, dst: &mut [u8]) -> Put {
        let (length, mark) = match point {
            0..=0x9F => (1, 0),
            0xA0..=0x3FF => (2, 0xC0),
            0x400..=0x3FFF => (3, 0xE0),
            0xD800..=0xDFFF => return Put::Unencodable,
            0x4000..=0x3_FFFF => (4, 0xF0),
            0x4_0000..=0x10_FFFF => (5, 0xF8),
            _ => return Put::Unencodable,
        };
        let Some(room) = dst.get_mut(..length) else { return Put::Full };
        let mut rest = point;
        for byte in room[1..].iter_mut().rev() {
            *byte = self.from_i8[(0xA0 | rest & 0x1F) as usize];
            rest >>= 5;
        }
        room[0] = self.from_i8[usize::from(mark | rest as u8)];
        Put::Written(length)
    }
}

#[cfg(test)]
mod tests {
    use super::I8_TO_CP1047;
    use crate::codec::round_trip;
    use crate::{Encoding, ErrorKind};

    const PERL: Encoding = Encoding::UtfEbcdic;
    const CDRA: Encoding = Encoding::UtfEbcdicCdra;

    #[test]
    fn limits_of_the_i8_table() {
        let rows: [(u32, &[u8]); 14] = [
            (0x9F, b"\xFF"),
            (0xA0, b"\x80\x41"),
            (0x3FF, b"\xB6\x73"),
            (0x400, b"\xB8\x41\x41"),
            (0x3FFF, b"\xDB\x73\x73"),
            (0x4000, b"\xDC\x57\x41\x41"),
            (0xD7FF, b"\xDD\x64\x73\x73"),
            (0xE000, b"\xDD\x67\x41\x41"),
            (0xFEFF, b"\xDD\x73\x66\x73"),
            (0x1_0000, b"\xDE\x41\x41\x41"),
            (0x3_FFFF, b"\xEC\x73\x73\x73"),
            (0x4_0000, b"\xED\x49\x41\x41\x41"),
            (0x10_0000, b"\xEE\x41\x41\x41\x41"),
            (0x10_FFFF, b"\xEE\x42\x73\x73\x73"),
        ];
        for (point, bytes) in rows {
            for encoding in [PERL, CDRA] {
                assert_eq!(round_trip::encoded(encoding, &[point]), bytes, "{point:X}");
                assert_eq!(round_trip::decoded(encoding, bytes), [point]);
            }
        }
        assert_eq!(PERL.info().signature, rows[8].1);
    }

    #[test]
    fn line_ends() {
        assert_eq!(round_trip::encoded(PERL, &[0x0A, 0x85, 0x0D]), b"\x15\x25\x0D");
        assert_eq!(round_trip::encoded(CDRA, &[0x0A, 0x85, 0x0D]), b"\x25\x15\x0D");
        assert_eq!(round_trip::decoded(PERL, b"\x15\x25\x0D"), [0x0A, 0x85, 0x0D]);
        assert_eq!(round_trip::decoded(CDRA, b"\x15\x25\x0D"), [0x85, 0x0A, 0x0D]);
    }

    #[test]
    fn every_value() {
        round_trip::scalar_values(PERL);
        round_trip::scalar_values(CDRA);
    }

    #[test]
    fn ill_formed() {
        // I8 bytes; the first ill-formed sequence, and how many there are.
        let cases: [(&[u8], ErrorKind, u64, u32, u64); 14] = [
            (b"a\xA0", ErrorKind::UnexpectedTrail, 1, 1, 1),
            (b"\xC0\xA0", ErrorKind::Overlong, 0, 1, 2),
            (b"\xC4\xBF", ErrorKind::Overlong, 0, 1, 2),
            (b"\xE0\xB0\xA0", ErrorKind::Overlong, 0, 1, 3),
            (b"\xF0\xAF\xBF\xBF", ErrorKind::Overlong, 0, 1, 4),
            (b"\xF8\xA7\xBF\xBF\xBF", ErrorKind::Overlong, 0, 1, 5),
            (b"\xF1\xB6\xA0\xA0", ErrorKind::Surrogate, 0, 1, 4),
            (b"\xF1\xB7\xBF\xBF", ErrorKind::Surrogate, 0, 1, 4),
            (b"\xF9\xA2\xA0\xA0\xA0", ErrorKind::OutOfRange, 0, 1, 5),
            (b"\xFA\xA0\xA0\xA0\xA0", ErrorKind::OutOfRange, 0, 1, 5),
            (b"\xC5A", ErrorKind::MissingTrail, 0, 1, 1),
            (b"\xF1\xB5\xBFA", ErrorKind::MissingTrail, 0, 3, 1),
            (b"\xF8\xA8\xA0\xA0\xC5\xA0", ErrorKind::MissingTrail, 0, 4, 1),
            (b"\xF8\xA8\xA0\xA0", ErrorKind::Truncated, 0, 4, 1),
        ];
        for (i8_bytes, kind, offset, length, count) in cases {
            let bytes: alloc::vec::Vec<u8> =
                i8_bytes.iter().map(|byte| I8_TO_CP1047[usize::from(*byte)]).collect();
            let error = PERL.validate(&bytes).unwrap_err();
            assert_eq!((error.kind(), error.offset(), error.length()), (kind, offset, length));
            assert_eq!(PERL.decode_lossy(&bytes).errors, count, "{i8_bytes:X?}");
        }
        round_trip::short_sequences(PERL);
        round_trip::short_sequences(CDRA);
    }
}
