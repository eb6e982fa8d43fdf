//! ISO-2022-CN (RFC 1922): US-ASCII; after SO, GB 2312 or plane 1 of CNS 11643; and plane 2 after
//! the shift `ESC N` for one character. A designation before the first of each on a line selects
//! it.

use super::shared::cns;
use super::{Codec, Decode, Encode, Next, Put, multi_byte};
use crate::info::{Family, Info};
use crate::repertoire::Repertoire;
use crate::{ErrorKind, Options};

const ESC: u8 = 0x1B;
const SO: u8 = 0x0E;
const SI: u8 = 0x0F;
const SS2: &[u8] = b"\x1BN";

/// A set that SO selects.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Set {
    Gb2312,
    Cns1,
}

impl Set {
    const fn designation(self) -> &'static [u8] {
        match self {
            Self::Gb2312 => b"\x1B$)A",
            Self::Cns1 => b"\x1B$)G",
        }
    }

    fn point(self, row: u8, cell: u8) -> Option<u32> {
        match self {
            Self::Gb2312 => multi_byte::gb_2312(row | 0x80, cell | 0x80),
            Self::Cns1 => cns::point(1, row - 0x20, cell - 0x20),
        }
    }

    fn code(self, point: u32) -> Option<[u8; 2]> {
        match self {
            Self::Gb2312 => Some(multi_byte::code_of_gb_2312(point)?.map(|byte| byte & 0x7F)),
            Self::Cns1 => match cns::cell(point)? {
                [1, row, cell] => Some([row + 0x20, cell + 0x20]),
                _ => None,
            },
        }
    }
}

/// The designation of plane 2.
const CNS_2: &[u8] = b"\x1B$*H";

/// The designations of a line, and whether SO is in effect.
#[derive(Clone, Copy, PartialEq, Eq)]
struct State {
    set: Option<Set>,
    has_plane_2: bool,
    is_shifted: bool,
}

impl State {
    const START: Self = Self { set: None, has_plane_2: false, is_shifted: false };
}

pub(crate) struct Iso2022Cn;

impl Codec for Iso2022Cn {
    const INFO: Info = Info {
        name: "ISO-2022-CN/iana",
        specification: "RFC 1922",
        seven_bit: true,
        stateful: true,
        repertoire: Repertoire::Table,
        origin: crate::Origin::Other,
        clause: |kind| match kind {
            ErrorKind::Unencodable(_) => {
                "RFC 1922: the charset has US-ASCII, GB 2312 and planes 1 and 2 of CNS 11643, except 0E, 0F and 1B"
            }
            ErrorKind::InvalidByte => "RFC 1922: seven bits, and shifts only after a designation",
            ErrorKind::MissingTrail | ErrorKind::Truncated => "RFC 1922: incomplete sequence",
            _ => "RFC 1922: two bytes of a designated set, 21 to 7E, or a designation",
        },
        ..Info::of(Family::MultiByte)
    };
    type Decoder = Decoder;
    type Encoder = Encoder;

    fn decoder(_: &Options) -> Decoder {
        Decoder(State::START)
    }

    fn encoder(_: &Options) -> Encoder {
        Encoder(State::START)
    }
}

#[derive(Clone)]
pub(crate) struct Decoder(State);

/// The character whose two bytes follow `before` others.
fn pair(src: &[u8], before: usize, last: bool, point: impl Fn(u8, u8) -> Option<u32>) -> Next {
    match src[before..] {
        [row @ 0x21..=0x7E, cell @ 0x21..=0x7E, ..] => match point(row, cell) {
            Some(point) => Next::Point { point, length: before + 2 },
            None => Next::ill(ErrorKind::Undefined, before + 2),
        },
        [] | [0x21..=0x7E] if !last => Next::End,
        [] | [0x21..=0x7E] => Next::ill(ErrorKind::Truncated, src.len()),
        [0x21..=0x7E, ..] => Next::ill(ErrorKind::MissingTrail, before + 1),
        _ => Next::ill(ErrorKind::MissingTrail, before),
    }
}

impl Decode for Decoder {
    fn next(&mut self, src: &[u8], last: bool) -> Next {
        let state = &mut self.0;
        match *src {
            [] => Next::End,
            [ESC, ..] => {
                for set in [Set::Gb2312, Set::Cns1] {
                    if src.starts_with(set.designation()) {
                        state.set = Some(set);
                        return Next::Skip { length: set.designation().len() };
                    }
                }
                if src.starts_with(CNS_2) {
                    state.has_plane_2 = true;
                    return Next::Skip { length: CNS_2.len() };
                }
                if src.starts_with(SS2) && state.has_plane_2 {
                    return pair(src, SS2.len(), last, |row, cell| {
                        cns::point(2, row - 0x20, cell - 0x20)
                    });
                }
                let known = [Set::Gb2312.designation(), Set::Cns1.designation(), CNS_2, SS2];
                match known.iter().any(|it| it.starts_with(src) && it.len() > src.len()) {
                    true if last => Next::ill(ErrorKind::Truncated, 1),
                    true => Next::End,
                    false => Next::ill(ErrorKind::Undefined, 1),
                }
            }
            [SO, ..] if state.set.is_some() => {
                state.is_shifted = true;
                Next::Skip { length: 1 }
            }
            [SI, ..] => {
                state.is_shifted = false;
                Next::Skip { length: 1 }
            }
            [SO | 0x80.., ..] => Next::ill(ErrorKind::InvalidByte, 1),
            [0x21..=0x7E, ..] if let (true, Some(set)) = (state.is_shifted, state.set) => {
                pair(src, 0, last, |row, cell| set.point(row, cell))
            }
            [byte, ..] => {
                if byte == b'\n' {
                    *state = State::START;
                }
                Next::Point { point: u32::from(byte), length: 1 }
            }
        }
    }
}

#[derive(Clone)]
pub(crate) struct Encoder(State);

/// Up to two designations or shifts, and a character.
#[derive(Default)]
struct Sequence {
    bytes: [u8; 8],
    length: usize,
}

impl Sequence {
    fn push(&mut self, bytes: &[u8]) {
        self.bytes[self.length..self.length + bytes.len()].copy_from_slice(bytes);
        self.length += bytes.len();
    }
}

impl Encode for Encoder {
    fn put(&mut self, point: u32, dst: &mut [u8]) -> Put {
        let mut after = self.0;
        let mut made = Sequence::default();
        match u8::try_from(point) {
            Ok(ESC | SO | SI) => return Put::Unencodable,
            Ok(byte @ ..0x80) => {
                if after.is_shifted {
                    made.push(&[SI]);
                }
                made.push(&[byte]);
                after.is_shifted = false;
                if byte == b'\n' {
                    after = State::START;
                }
            }
            _ => {
                // The designated set has priority.
                let sets = [after.set.unwrap_or(Set::Gb2312), Set::Gb2312, Set::Cns1];
                if let Some((set, code)) =
                    sets.into_iter().find_map(|set| Some((set, set.code(point)?)))
                {
                    if after.set != Some(set) {
                        made.push(set.designation());
                    }
                    if !after.is_shifted {
                        made.push(&[SO]);
                    }
                    made.push(&code);
                    after = State { set: Some(set), is_shifted: true, ..after };
                } else if let Some([2, row, cell]) = cns::cell(point) {
                    if !after.has_plane_2 {
                        made.push(CNS_2);
                    }
                    made.push(SS2);
                    made.push(&[row + 0x20, cell + 0x20]);
                    after.has_plane_2 = true;
                } else {
                    return Put::Unencodable;
                }
            }
        }
        let Some(room) = dst.get_mut(..made.length) else { return Put::Full };
        room.copy_from_slice(&made.bytes[..made.length]);
        self.0 = after;
        Put::Written(made.length)
    }

    fn finish(&mut self, dst: &mut [u8]) -> Option<usize> {
        if !self.0.is_shifted {
            return Some(0);
        }
        *dst.first_mut()? = SI;
        self.0.is_shifted = false;
        Some(1)
    }
}

#[cfg(test)]
mod tests {
    extern crate std;

    use std::string::String;
    use std::vec::Vec;

    use crate::codec::testing::{self, Item, check_decoding, check_encoding};
    use crate::{Encoding::Iso2022Cn, ErrorKind};

    #[test]
    fn worked_examples() {
        let text: Vec<u32> = "a中国\n漢乂b".chars().map(u32::from).collect();
        let bytes = b"a\x1B$)A\x0EVP9z\x0F\n\x1B$)G\x0EiG\x1B$*H\x1BN!!\x0Fb";
        check_encoding(Iso2022Cn, &text, Ok(bytes));
        check_decoding(
            Iso2022Cn,
            bytes,
            &text.iter().map(|point| Item::Point(*point)).collect::<Vec<_>>(),
        );
        check_encoding(Iso2022Cn, &[0x61, 0x0E], Err(1));
        check_encoding(Iso2022Cn, &[0x4E2D, 0xF1], Err(1));
    }

    #[test]
    fn ill_formed_sequences() {
        let error = |bytes: &[u8]| {
            let error = Iso2022Cn.validate(bytes).expect_err("ill-formed");
            (error.offset(), error.length() as usize, error.kind())
        };
        assert_eq!(error(b"\x0EVP"), (0, 1, ErrorKind::InvalidByte));
        assert_eq!(error(b"a\xE9"), (1, 1, ErrorKind::InvalidByte));
        assert_eq!(error(b"\x1B$)B"), (0, 1, ErrorKind::Undefined));
        assert_eq!(error(b"\x1BN!!"), (0, 1, ErrorKind::Undefined));
        assert_eq!(error(b"\x1B$"), (0, 1, ErrorKind::Truncated));
        assert_eq!(error(b"\x1B$)A\x0EV"), (5, 1, ErrorKind::Truncated));
        assert_eq!(error(b"\x1B$)A\x0EV\n"), (5, 1, ErrorKind::MissingTrail));
        assert_eq!(error(b"\x1B$)A\x0E}}"), (5, 2, ErrorKind::Undefined));
        assert_eq!(error(b"\x1B$*H\x1BN! "), (4, 3, ErrorKind::MissingTrail));
        // A line end ends all designations.
        assert_eq!(error(b"\x1B$)A\x0EVP\nVP\x0E"), (10, 1, ErrorKind::InvalidByte));
    }

    #[test]
    fn it_is_the_charset_of_glibc() {
        let is_in = |one: &char| Iso2022Cn.encode(one.encode_utf8(&mut [0; 4])).is_ok();
        let mut all: Vec<char> = ('\u{80}'..='\u{FFFF}').filter(is_in).collect();
        assert!(all.len() > 15_000, "{}", all.len());
        let whole: String = all.iter().flat_map(|one| [*one, '\n']).collect();
        let bytes = Iso2022Cn.encode(&whole).expect("all are in the charset");
        assert_eq!(Iso2022Cn.decode(&bytes).as_deref(), Ok(&*whole));
        let to_utf8 = ["-f", "ISO-2022-CN", "-t", "UTF-8"];
        let Some(back) = testing::iconv(&to_utf8, &bytes) else {
            std::println!("skipped: the system has no iconv of glibc");
            return;
        };
        assert!(back == whole.as_bytes(), "the system decodes another text");
        // After a character of plane 2, glibc designates a set without SO.
        all.retain(|one| !matches!(super::cns::cell(u32::from(*one)), Some([2, ..])));
        let mut random = testing::Random(0x5EED_0022);
        let mut text = String::new();
        for _ in 0..20_000 {
            match random.below(4) {
                0 => text.push(all[random.below(all.len())]),
                1 => text.push(all[random.below(1000)]),
                2 => text.push_str("中文"),
                _ => text.push(['a', ' ', '\n'][random.below(3)]),
            }
        }
        text.extend(&all);
        // Where its output buffer is full, glibc repeats designations.
        let text: Vec<char> = text.chars().collect();
        for piece in text.chunks(3000) {
            let piece: String = piece.iter().collect();
            let bytes = Iso2022Cn.encode(&piece).expect("all are in the charset");
            assert_eq!(Iso2022Cn.decode(&bytes).as_deref(), Ok(&*piece));
            let to_cn = ["-f", "UTF-8", "-t", "ISO-2022-CN"];
            let theirs = testing::iconv(&to_cn, piece.as_bytes()).expect("it ran before");
            let at = theirs.iter().zip(&*bytes).position(|(a, b)| a != b);
            assert!(theirs == *bytes, "the system encodes another text, from {at:?}");
        }
    }
}
