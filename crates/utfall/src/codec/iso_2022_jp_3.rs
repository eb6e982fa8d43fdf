//! ISO-2022-JP-3 (JIS X 0213): Japanese sets of seven bits, selected by escape sequences.
//!
//! The tables are those of glibc, and the encoder chooses sets as glibc does. It holds back a code point that
//! the next one may combine with.

use super::shared::jis_x_0213::{self, Content};
use super::shared::seven_bit::{self, ESC, JIS_C_6226, Single};
use super::{Codec, Decode, Encode, Next, Put, multi_byte};
use crate::info::{Family, Info};
use crate::repertoire::Repertoire;
use crate::{ErrorKind, Options};

/// A set of characters, written as bytes from 21 to 7E.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Set {
    Single(Single),
    JisX0208,
    /// Plane 1 of JIS X 0213, as of 2000.
    Plane1,
    /// The same with ten characters of 2004.
    Plane1Of2004,
    Plane2,
}

impl Set {
    /// In the order in which the encoder tries them.
    const ALL: [Self; 7] = [
        Self::ASCII,
        Self::Single(Single::Roman),
        Self::JisX0208,
        Self::Plane1,
        Self::Plane1Of2004,
        Self::Plane2,
        Self::Single(Single::Katakana),
    ];
    const ASCII: Self = Self::Single(Single::Ascii);

    const fn designation(self) -> &'static [u8] {
        match self {
            Self::Single(single) => single.designation(),
            Self::JisX0208 => b"\x1B$B",
            Self::Plane1 => b"\x1B$(O",
            Self::Plane1Of2004 => b"\x1B$(Q",
            Self::Plane2 => b"\x1B$(P",
        }
    }

    /// The set, if it has one byte for each character.
    const fn single(self) -> Option<Single> {
        match self {
            Self::Single(single) => Some(single),
            _ => None,
        }
    }

    /// The content of two bytes in another set.
    fn content(self, [row, cell]: [u8; 2]) -> Option<Content> {
        match self {
            Self::JisX0208 => multi_byte::jis_x_0208(row | 0x80, cell | 0x80).map(Content::One),
            // Like glibc, the decoder accepts the characters of 2004 after both designations.
            Self::Plane1 | Self::Plane1Of2004 => jis_x_0213::content([1, row - 0x20, cell - 0x20]),
            Self::Plane2 => jis_x_0213::content([2, row - 0x20, cell - 0x20]),
            Self::Single(_) => None,
        }
    }

    /// The bytes of a code point, the second one 0 if there is only one.
    fn code(self, point: u32) -> Option<[u8; 2]> {
        match self {
            Self::Single(single) => Some([single.byte(point)?, 0]),
            _ if point < 0x80 => None,
            Self::JisX0208 => Some(multi_byte::code_of_jis_x_0208(point)?.map(|byte| byte & 0x7F)),
            Self::Plane1 | Self::Plane1Of2004 | Self::Plane2 => {
                let [plane, row, cell] = jis_x_0213::cell(point)?;
                let is_in = match self {
                    Self::Plane1 => plane == 1 && !jis_x_0213::is_of_2004([plane, row, cell]),
                    Self::Plane1Of2004 => plane == 1,
                    _ => plane == 2,
                };
                is_in.then_some([row + 0x20, cell + 0x20])
            }
        }
    }
}

pub(crate) struct Iso2022Jp3;

impl Codec for Iso2022Jp3 {
    const INFO: Info = Info {
        name: "ISO-2022-JP-3",
        specification: "JIS X 0213, with the characters of the GNU C Library",
        seven_bit: true,
        stateful: true,
        holds_back: true,
        repertoire: Repertoire::Table,
        origin: crate::Origin::Glibc,
        clause: |kind| match kind {
            ErrorKind::Unencodable(_) => {
                "JIS X 0213: the characters of its sets, except 0E, 0F and 1B"
            }
            ErrorKind::InvalidByte => "JIS X 0213: seven bits, without the shifts SO and SI",
            ErrorKind::MissingTrail | ErrorKind::Truncated => "JIS X 0213: incomplete sequence",
            _ => "JIS X 0213: a character of the designated set, or an escape sequence",
        },
        ..Info::of(Family::MultiByte)
    };
    type Decoder = Decoder;
    type Encoder = Encoder;

    fn decoder(_: &Options) -> Decoder {
        Decoder { set: Set::ASCII, second: None }
    }

    fn encoder(_: &Options) -> Encoder {
        Encoder { set: Set::ASCII, held: None }
    }
}

#[derive(Clone)]
pub(crate) struct Decoder {
    set: Set,
    /// The second of two code points. The first byte of the pair belongs to the first one, and the other
    /// byte to this one.
    second: Option<u32>,
}

impl Decoder {
    /// Interprets a text that begins with [`ESC`].
    fn escape(&mut self, src: &[u8], last: bool) -> Next {
        let known = Set::ALL.map(|set| (set, set.designation()));
        let known = || known.into_iter().chain([(Set::JisX0208, JIS_C_6226)]);
        if let Some((set, designation)) = known().find(|(_, it)| src.starts_with(it)) {
            self.set = set;
            return Next::Skip { length: designation.len() };
        }
        seven_bit::no_escape(src, last, known().map(|(_, it)| it))
    }
}

impl Decode for Decoder {
    fn next(&mut self, src: &[u8], last: bool) -> Next {
        if src.is_empty() {
            return Next::End;
        }
        if let Some(point) = self.second.take() {
            return Next::Point { point, length: 1 };
        }
        if src[0] == ESC {
            return self.escape(src, last);
        }
        let set = self.set;
        seven_bit::character(src, last, set.single(), |pair| match set.content(pair)? {
            Content::One(point) => Some(Next::Point { point, length: 2 }),
            Content::Two([point, second]) => {
                self.second = Some(second);
                Some(Next::Point { point, length: 1 })
            }
        })
    }
}

#[derive(Clone)]
pub(crate) struct Encoder {
    set: Set,
    /// A code point that the next one may combine with.
    held: Option<u32>,
}

/// Up to two characters, each after a designation.
#[derive(Default)]
struct Sequence {
    bytes: [u8; 12],
    length: usize,
}

impl Sequence {
    fn push(&mut self, bytes: &[u8]) {
        self.bytes[self.length..self.length + bytes.len()].copy_from_slice(bytes);
        self.length += bytes.len();
    }

    /// Writes a code of a set after the designation, if another set is in effect.
    fn put(&mut self, set: Set, code: [u8; 2], in_effect: Set) -> Set {
        if set != in_effect {
            self.push(set.designation());
        }
        self.push(if set.single().is_none() { &code } else { &code[..1] });
        set
    }

    fn copy(&self, dst: &mut [u8]) -> Option<usize> {
        dst.get_mut(..self.length)?.copy_from_slice(&self.bytes[..self.length]);
        Some(self.length)
    }
}

impl Encoder {
    /// The set and the bytes of a code point. The set in effect has priority.
    fn way(point: u32, in_effect: Set) -> Option<(Set, [u8; 2])> {
        let sets = [in_effect].into_iter().chain(Set::ALL);
        sets.into_iter().find_map(|set| Some((set, set.code(point)?)))
    }
}

impl Encode for Encoder {
    fn put(&mut self, point: u32, dst: &mut [u8]) -> Put {
        if seven_bit::is_control(point) {
            return Put::Unencodable;
        }
        let mut made = Sequence::default();
        let mut after = Self { held: None, ..*self };
        if let Some(held) = self.held
            && let Some([_, row, cell]) = jis_x_0213::cell_of_pair(held, point)
        {
            let set = if self.set == Set::Plane1Of2004 { self.set } else { Set::Plane1 };
            after.set = made.put(set, [row + 0x20, cell + 0x20], self.set);
        } else {
            if let Some((set, code)) = self.held.and_then(|held| Self::way(held, self.set)) {
                after.set = made.put(set, code, self.set);
            }
            let Some((set, code)) = Self::way(point, after.set) else { return Put::Unencodable };
            if jis_x_0213::begins_pair(point) {
                after.held = Some(point);
            } else {
                after.set = made.put(set, code, after.set);
            }
        }
        let Some(length) = made.copy(dst) else { return Put::Full };
        *self = after;
        Put::Written(length)
    }

    fn finish(&mut self, dst: &mut [u8]) -> Option<usize> {
        let mut made = Sequence::default();
        let mut set = self.set;
        if let Some((of_held, code)) = self.held.and_then(|held| Self::way(held, set)) {
            set = made.put(of_held, code, set);
        }
        if set != Set::ASCII {
            made.push(Set::ASCII.designation());
        }
        let length = made.copy(dst)?;
        *self = Self { set: Set::ASCII, held: None };
        Some(length)
    }
}

#[cfg(test)]
mod tests {
    extern crate std;

    use std::string::String;
    use std::vec::Vec;

    use crate::codec::testing::{self, Item, check_decoding, check_encoding};
    use crate::{Encoding::Iso2022Jp3, ErrorKind};

    #[test]
    fn worked_examples() {
        let text: Vec<u32> = "a日éか゚か\n俱é𠂉¥\\ｱ˥˩˥".chars().map(u32::from).collect();
        let bytes = b"a\x1B$BF|\x1B$(O)_$w$+\x1B(B\n\x1B$(Q.!)_\x1B$(P!!\x1B(J\\\x1B(B\\\x1B(I1\
            \x1B$(O+f+`\x1B(B";
        check_encoding(Iso2022Jp3, &text, Ok(bytes));
        let items: Vec<_> = text.iter().map(|point| Item::Point(*point)).collect();
        check_decoding(Iso2022Jp3, bytes, &items);
        check_decoding(Iso2022Jp3, b"\x1B$@0l", &[Item::Point(0x4E00)]);
        // After `Ａ`, JIS X 0208 is in effect.
        check_encoding(Iso2022Jp3, &[0xFF21, 0x304B], Ok(b"\x1B$B#A$+\x1B(B"));
        check_encoding(Iso2022Jp3, &[0x61, 0x0E], Err(1));
        check_encoding(Iso2022Jp3, &[0x304B, 0x1F600], Err(1));
    }

    #[test]
    fn ill_formed_sequences() {
        let error = |bytes: &[u8]| {
            let error = Iso2022Jp3.validate(bytes).expect_err("ill-formed");
            (error.offset(), error.length() as usize, error.kind())
        };
        assert_eq!(error(b"a\xE9"), (1, 1, ErrorKind::InvalidByte));
        assert_eq!(error(b"a\x0E"), (1, 1, ErrorKind::InvalidByte));
        assert_eq!(error(b"\x1B$)A"), (0, 1, ErrorKind::Undefined));
        assert_eq!(error(b"\x1B$("), (0, 1, ErrorKind::Truncated));
        assert_eq!(error(b"\x1B$BF"), (3, 1, ErrorKind::Truncated));
        assert_eq!(error(b"\x1B$BF\n"), (3, 1, ErrorKind::MissingTrail));
        assert_eq!(error(b"\x1B$B~~"), (3, 2, ErrorKind::Undefined));
        assert_eq!(error(b"\x1B$(P\"!"), (4, 2, ErrorKind::Undefined));
        assert_eq!(error(b"\x1B(Iz"), (3, 1, ErrorKind::Undefined));
    }

    #[test]
    fn it_is_the_charset_of_glibc() {
        let of_glibc =
            |from: &str, to: &str, bytes: &[u8]| testing::iconv(&["-f", from, "-t", to], bytes);
        let is_in = |one: &char| Iso2022Jp3.encode(one.encode_utf8(&mut [0; 4])).is_ok();
        let all: Vec<char> = ('\u{80}'..='\u{DFFFF}').filter(is_in).collect();
        assert_eq!(all.len(), 11_274);
        let whole: String = all.iter().flat_map(|one| [*one, '\n']).collect();
        let bytes = Iso2022Jp3.encode(&whole).expect("all are in the charset");
        assert_eq!(Iso2022Jp3.decode(&bytes).as_deref(), Ok(&*whole));
        let Some(back) = of_glibc("ISO-2022-JP-3", "UTF-8", &bytes) else {
            std::println!("skipped: the system has no iconv of glibc");
            return;
        };
        assert!(back == whole.as_bytes(), "the system decodes another text");
        let others: String = ('\u{80}'..='\u{DFFFF}').filter(|one| !is_in(one)).collect();
        let others =
            testing::iconv(&["-c", "-f", "UTF-8", "-t", "ISO-2022-JP-3"], others.as_bytes());
        assert_eq!(others.as_deref(), Some(&b""[..]));
        let mut random = testing::Random(0x5EED_0055);
        let some: Vec<char> = "ab\\~ \t\r\n\0\u{7F}é¥‾俱俠𠂉".chars().collect();
        let mut pieces: Vec<String> =
            all.chunks(1000).map(|chunk| chunk.iter().collect()).collect();
        for _ in 0..20 {
            let mut piece = String::new();
            for _ in 0..1000 {
                match random.below(4) {
                    0 => piece.push(all[random.below(all.len())]),
                    1 => piece.push(some[random.below(some.len())]),
                    _ => piece.push_str(testing::COMBINING[random.below(testing::COMBINING.len())]),
                }
            }
            pieces.push(piece);
        }
        // Each piece is shorter than the buffers of glibc.
        for piece in pieces {
            let bytes = Iso2022Jp3.encode(&piece).expect("all are in the charset");
            assert_eq!(Iso2022Jp3.decode(&bytes).as_deref(), Ok(&*piece));
            let theirs =
                of_glibc("UTF-8", "ISO-2022-JP-3", piece.as_bytes()).expect("it ran before");
            let at = theirs.iter().zip(&*bytes).position(|(a, b)| a != b);
            assert!(theirs == *bytes, "the system encodes another text, from {at:?}");
            let back = of_glibc("ISO-2022-JP-3", "UTF-8", &bytes).expect("it ran before");
            assert!(back == piece.as_bytes(), "the system decodes another text");
        }
        // All pairs of each set.
        let mut counts = Vec::new();
        for escape in [&b"\x1B$B"[..], b"\x1B$@", b"\x1B$(O", b"\x1B$(Q", b"\x1B$(P"] {
            let pairs = (0x21..=0x7E_u8).flat_map(|a| (0x21..=0x7E_u8).map(move |b| [a, b]));
            let (mut bytes, mut count) = (Vec::new(), 0);
            for pair in pairs {
                let one = [escape, &pair].concat();
                if Iso2022Jp3.validate(&one).is_ok() {
                    bytes.extend(one);
                    count += 1;
                } else if random.below(29) == 0 {
                    let theirs = of_glibc("ISO-2022-JP-3", "UTF-8", &one);
                    assert_eq!(theirs.as_deref(), Some(&b""[..]), "{one:X?}");
                }
            }
            let text = Iso2022Jp3.decode(&bytes).expect("valid");
            let theirs = of_glibc("ISO-2022-JP-3", "UTF-8", &bytes);
            assert!(theirs.as_deref() == Some(text.as_bytes()), "{escape:X?}");
            counts.push(count);
        }
        assert_eq!(counts, [6879, 6879, 8797, 8797, 2436]);
    }
}
