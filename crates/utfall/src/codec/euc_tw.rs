//! EUC-TW: US-ASCII, plane 1 of CNS 11643 in two bytes, and all planes in four after 8E.

use super::shared::cns;
use super::{Codec, Decode, Encode, Next, Put, multi_byte};
use crate::info::Info;
use crate::{ErrorKind, Options};

pub(crate) struct EucTw;

impl Codec for EucTw {
    const INFO: Info = Info {
        name: "EUC-TW",
        aliases: &["EUCTW", "OSF0005000a"],
        specification: "CNS 11643, with the characters of the GNU C Library",
        ascii_transparent: true,
        ..multi_byte::INFO
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

#[derive(Clone)]
pub(crate) struct Decoder;

impl Decode for Decoder {
    fn next(&mut self, src: &[u8], last: bool) -> Next {
        let (before, length) = match src {
            [] => return Next::End,
            [byte @ ..0x80, ..] => return Next::Point { point: u32::from(*byte), length: 1 },
            [0x8E, ..] => (2, 4),
            [0xA1..=0xFE, ..] => (0, 2),
            _ => return Next::ill(ErrorKind::Undefined, 1),
        };
        for (at, byte) in src.iter().take(length).enumerate().skip(1) {
            let is_valid = match (at, before) {
                (1, 2) => (0xA1..=0xAF).contains(byte),
                _ => (0xA1..=0xFE).contains(byte),
            };
            if !is_valid {
                return multi_byte::undefined(*byte, at);
            }
        }
        let Some(sequence) = src.get(..length) else {
            return if last { Next::ill(ErrorKind::Truncated, src.len()) } else { Next::End };
        };
        let plane = if before == 0 { 1 } else { sequence[1] - 0xA0 };
        match cns::point(plane, sequence[before] - 0xA0, sequence[before + 1] - 0xA0) {
            Some(point) => Next::Point { point, length },
            None => Next::ill(ErrorKind::Undefined, length),
        }
    }
}

#[derive(Clone)]
pub(crate) struct Encoder;

impl Encode for Encoder {
    fn put(&mut self, point: u32, dst: &mut [u8]) -> Put {
        let (bytes, length) = match point {
            ..0x80 => ([point as u8, 0, 0, 0], 1),
            _ => match cns::cell(point) {
                None => return Put::Unencodable,
                Some([1, row, cell]) => ([row + 0xA0, cell + 0xA0, 0, 0], 2),
                Some([plane, row, cell]) => ([0x8E, plane + 0xA0, row + 0xA0, cell + 0xA0], 4),
            },
        };
        let Some(room) = dst.get_mut(..length) else { return Put::Full };
        room.copy_from_slice(&bytes[..length]);
        Put::Written(length)
    }
}

#[cfg(test)]
mod tests {
    extern crate std;

    use std::collections::HashSet;
    use std::string::String;
    use std::vec::Vec;

    use crate::codec::testing::{self, Item, check_decoding};
    use crate::{Encoding::EucTw, ErrorKind};

    #[test]
    fn worked_examples() {
        let text = "a中文乂\u{20021}";
        let bytes = EucTw.encode(text).expect("in the charset");
        assert_eq!(&bytes[..9], b"a\xC4\xE3\xC5\xC6\x8E\xA2\xA1\xA1");
        assert_eq!(EucTw.decode(&bytes).as_deref(), Ok(text));
        // Plane 1 in four bytes.
        check_decoding(EucTw, b"\x8E\xA1\xC4\xE3a", &[Item::Point(0x4E2D), Item::Point(0x61)]);
        // Two cells have U+5344; the first is written.
        assert_eq!(EucTw.decode(b"\x8E\xA3\xA1\xB8").as_deref(), Ok("卄"));
        assert_eq!(EucTw.encode("卄").expect("in the charset").len(), 2);
        assert!(EucTw.encode("é").is_err());
    }

    #[test]
    fn ill_formed_sequences() {
        let rows: [(&[u8], usize, ErrorKind); 9] = [
            (b"\x80", 1, ErrorKind::Undefined),
            (b"\xC4a", 1, ErrorKind::MissingTrail),
            (b"\xC4\x80", 2, ErrorKind::Undefined),
            (b"\xC4", 1, ErrorKind::Truncated),
            (b"\x8Ea", 1, ErrorKind::MissingTrail),
            (b"\x8E\xB0\xA1\xA1", 2, ErrorKind::Undefined),
            (b"\x8E\xA2\xA1a", 3, ErrorKind::MissingTrail),
            (b"\x8E\xA8\xA1\xA1", 4, ErrorKind::Undefined),
            (b"\x8E\xA2\xA1", 3, ErrorKind::Truncated),
        ];
        for (bytes, length, kind) in rows {
            let error = EucTw.validate(bytes).expect_err("ill-formed");
            assert_eq!((error.length() as usize, error.kind()), (length, kind), "{bytes:02X?}");
        }
        check_decoding(
            EucTw,
            b"\x8E\xA2\xA1a\xC4\xE3",
            &[Item::Ill(0, 3), Item::Point(0x61), Item::Point(0x4E2D)],
        );
    }

    /// Every cell of every plane, and every code point.
    #[test]
    fn it_is_the_charset_of_glibc() {
        let mut text = String::new();
        for plane in 0xA1..=0xAF {
            for row in 0xA1..=0xFE {
                for cell in 0xA1..=0xFE {
                    let bytes = [0x8E, plane, row, cell];
                    let Ok(one) = EucTw.decode(&bytes) else { continue };
                    text.push_str(&one);
                    text.push('\n');
                }
            }
        }
        // One character has two cells.
        assert_eq!(text.lines().count(), 55_442);
        let bytes = EucTw.encode(&text).expect("all are in the charset");
        assert_eq!(EucTw.decode(&bytes).as_deref(), Ok(&*text));
        let known: HashSet<char> = text.chars().collect();
        let others: String = ('\u{80}'..='\u{3FFFF}').filter(|one| !known.contains(one)).collect();
        let encodable: Vec<char> = others
            .chars()
            .filter(|one| EucTw.encode(one.encode_utf8(&mut [0; 4])).is_ok())
            .collect();
        assert_eq!(encodable, []);
        let Some(theirs) = testing::iconv(&["-f", "UTF-8", "-t", "EUC-TW"], text.as_bytes()) else {
            std::println!("skipped: the system has no iconv of glibc");
            return;
        };
        assert!(theirs == *bytes, "the system encodes another text");
        let back = testing::iconv(&["-f", "EUC-TW", "-t", "UTF-8"], &bytes).expect("it ran before");
        assert!(back == text.as_bytes(), "the system decodes another text");
        // Without line ends: glibc drops them together with an ill-formed sequence.
        let others = testing::iconv(&["-c", "-f", "UTF-8", "-t", "EUC-TW"], others.as_bytes());
        assert_eq!(others.as_deref(), Some(&b""[..]));
    }
}
