//! GB 18030 of 2005. The edition of 2022, which the web follows, moved 18 characters from code
//! points for private use to code points that Unicode has assigned since.
//!
//! The codec wraps the web's GB18030, and changes only these characters and A3A0.

use super::gb18030::Gb18030;
use super::{Codec, Decode, Encode, Next, Put};
use crate::info::{Info, Origin};
use crate::route::Side;
use crate::{ErrorKind, Options};

/// A code of two bytes, its code point for private use, and the code point of 2022, with the four
/// bytes that have it in 2005. Sorted by each. These are the differences between ICU's table of
/// 2005 and the web's.
#[rustfmt::skip]
const MOVED: [(u16, u16, u16, [u8; 4]); 18] = [
    (0xA6D9, 0xE78D, 0xFE10, *b"\x84\x31\x82\x36"),
    (0xA6DA, 0xE78E, 0xFE12, *b"\x84\x31\x82\x38"),
    (0xA6DB, 0xE78F, 0xFE11, *b"\x84\x31\x82\x37"),
    (0xA6DC, 0xE790, 0xFE13, *b"\x84\x31\x82\x39"),
    (0xA6DD, 0xE791, 0xFE14, *b"\x84\x31\x83\x30"),
    (0xA6DE, 0xE792, 0xFE15, *b"\x84\x31\x83\x31"),
    (0xA6DF, 0xE793, 0xFE16, *b"\x84\x31\x83\x32"),
    (0xA6EC, 0xE794, 0xFE17, *b"\x84\x31\x83\x33"),
    (0xA6ED, 0xE795, 0xFE18, *b"\x84\x31\x83\x34"),
    (0xA6F3, 0xE796, 0xFE19, *b"\x84\x31\x83\x35"),
    (0xFE59, 0xE81E, 0x9FB4, *b"\x82\x35\x90\x37"),
    (0xFE61, 0xE826, 0x9FB5, *b"\x82\x35\x90\x38"),
    (0xFE66, 0xE82B, 0x9FB6, *b"\x82\x35\x90\x39"),
    (0xFE67, 0xE82C, 0x9FB7, *b"\x82\x35\x91\x30"),
    (0xFE6D, 0xE832, 0x9FB8, *b"\x82\x35\x91\x31"),
    (0xFE7E, 0xE843, 0x9FB9, *b"\x82\x35\x91\x32"),
    (0xFE90, 0xE854, 0x9FBA, *b"\x82\x35\x91\x33"),
    (0xFEA0, 0xE864, 0x9FBB, *b"\x82\x35\x91\x34"),
];

/// A code that the web decodes as a second U+3000.
const SPACE: (u16, u32) = (0xA3A0, 0xE5E5);

pub(crate) struct Gb18030Of2005;

impl Codec for Gb18030Of2005 {
    const INFO: Info = Info {
        name: "GB18030-2005",
        iana: false,
        aliases: &["GB18030:2005"],
        specification: "GB 18030-2005, tables of ICU",
        origin: Origin::Other,
        side: Side::CodePoints,
        clause: |kind| match kind {
            ErrorKind::Truncated => "GB 18030: a lead byte at the end of the input",
            ErrorKind::MissingTrail => "GB 18030: no trail byte of a character",
            _ => "GB 18030-2005: no entry in the table",
        },
        ..Gb18030::INFO
    };
    type Decoder = Decoder;
    type Encoder = Encoder;

    fn decoder(options: &Options) -> Decoder {
        Decoder(Gb18030::decoder(options))
    }

    fn encoder(options: &Options) -> Encoder {
        Encoder(Gb18030::encoder(options))
    }
}

#[derive(Clone)]
pub(crate) struct Decoder(<Gb18030 as Codec>::Decoder);

impl Decode for Decoder {
    fn next(&mut self, src: &[u8], last: bool) -> Next {
        match (self.0.next(src, last), src) {
            (Next::Point { point, length: 2 }, &[lead @ (0xA3 | 0xA6 | 0xFE), trail, ..]) => {
                let code = u16::from_be_bytes([lead, trail]);
                let point = match MOVED.binary_search_by_key(&code, |(code, ..)| *code) {
                    Ok(at) => u32::from(MOVED[at].1),
                    Err(_) if code == SPACE.0 => SPACE.1,
                    Err(_) => point,
                };
                Next::Point { point, length: 2 }
            }
            (next, _) => next,
        }
    }
}

#[derive(Clone)]
pub(crate) struct Encoder(<Gb18030 as Codec>::Encoder);

impl Encode for Encoder {
    fn put(&mut self, point: u32, dst: &mut [u8]) -> Put {
        let pair;
        let bytes: &[u8] = match point {
            _ if point == SPACE.1 => {
                pair = SPACE.0.to_be_bytes();
                &pair
            }
            0x9FB4..=0x9FBB | 0xFE10..=0xFE19 => {
                match MOVED.iter().find(|(_, _, modern, _)| u32::from(*modern) == point) {
                    Some((.., four)) => four,
                    None => return self.0.put(point, dst),
                }
            }
            // The web still writes the code points for private use as these characters.
            _ => return self.0.put(point, dst),
        };
        let Some(room) = dst.get_mut(..bytes.len()) else { return Put::Full };
        room.copy_from_slice(bytes);
        Put::Written(bytes.len())
    }
}

#[cfg(test)]
mod tests {
    extern crate std;

    use std::string::String;

    use crate::Encoding::{Gb18030, Gb18030Of2005};
    use crate::codec::testing;
    use crate::{Options, Policy};

    #[test]
    fn code_points_that_the_edition_of_2022_moved() {
        assert_eq!(Gb18030Of2005.decode(b"\xFE\x59\xA6\xD9").as_deref(), Ok("\u{E81E}\u{E78D}"));
        assert_eq!(Gb18030.decode(b"\xFE\x59\xA6\xD9").as_deref(), Ok("\u{9FB4}\u{FE10}"));
        let moved = Gb18030Of2005.encode("龴︐").expect("all of Unicode is in the charset");
        assert_eq!(&*moved, b"\x82\x35\x90\x37\x84\x31\x82\x36");
        assert_eq!(&*Gb18030.encode("龴︐").expect("here too"), b"\xFE\x59\xA6\xD9");
    }

    #[test]
    fn every_code_point_comes_back() {
        let text: String = ('\0'..=char::MAX).collect();
        let bytes = Gb18030Of2005.encode(&text).expect("all of Unicode is in the charset");
        assert!(Gb18030Of2005.decode(&bytes).is_ok_and(|decoded| decoded == text));
    }

    /// Every pair, and every code point.
    #[test]
    fn it_is_the_charset_of_icu() {
        let icu = |from, to, input: &[u8]| {
            testing::run("uconv", &["-f", from, "-t", to, "--callback", "substitute"], input)
        };
        let mut bytes = std::vec::Vec::new();
        for lead in 0x81..=0xFE_u8 {
            for trail in (0x40..=0x7E).chain(0x80..=0xFE_u8) {
                bytes.extend([lead, trail, b'\n']);
            }
        }
        let Some(theirs) = icu("gb18030", "utf-8", &bytes) else {
            std::println!("skipped: uconv is not installed");
            return;
        };
        let options = Options::both(Policy::Replace);
        let ours = Gb18030Of2005.decode_with(&bytes, options).expect("errors are replaced");
        for (at, (our, their)) in
            ours.lines().zip(String::from_utf8_lossy(&theirs).lines()).enumerate()
        {
            assert_eq!(our, their, "{:02X?}", &bytes[3 * at..3 * at + 2]);
        }
        let text: String = ('!'..=char::MAX).flat_map(|scalar| [scalar, '\n']).collect();
        let theirs = icu("utf-8", "gb18030", text.as_bytes()).expect("it ran before");
        let ours = Gb18030Of2005.encode(&text).expect("all of Unicode is in the charset");
        let lines = ours.split(|byte| *byte == b'\n').zip(theirs.split(|byte| *byte == b'\n'));
        for ((our, their), scalar) in lines.zip('!'..=char::MAX) {
            assert_eq!(our, their, "{scalar:?}");
        }
    }
}
