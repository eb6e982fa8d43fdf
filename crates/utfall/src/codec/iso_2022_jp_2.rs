//! ISO-2022-JP-2 (RFC 1554): sets of Japan, China and Korea, selected by escape sequences. They also
//! designate the upper half of ISO 8859-1 or ISO 8859-7, which `ESC N` selects for one character.
//!
//! As in glibc, whose tables these are, `ESC ( I` selects the katakana of JIS X 0201 too. The encoder makes
//! the choices of glibc.

use super::shared::seven_bit::{self, ESC, JIS_C_6226, Single};
use super::single_byte::Iso8859_7;
use super::{Codec, Decode, Encode, Next, Put, multi_byte};
use crate::info::{Family, Info};
use crate::repertoire::Repertoire;
use crate::{ErrorKind, Options};

/// Selects a character of [`Upper`].
const SS2: &[u8] = b"\x1BN";

/// A set of characters, written as bytes from 21 to 7E.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Set {
    Single(Single),
    JisX0208,
    JisX0212,
    Gb2312,
    KsX1001,
}

impl Set {
    /// In the order in which the encoder tries them, after the [upper halves](Upper) for the last three.
    const ALL: [Self; 7] = [
        Self::ASCII,
        Self::Single(Single::Roman),
        Self::JisX0208,
        Self::JisX0212,
        Self::Gb2312,
        Self::KsX1001,
        Self::Single(Single::Katakana),
    ];
    const ASCII: Self = Self::Single(Single::Ascii);
    const BEFORE_UPPER: usize = 4;

    const fn designation(self) -> &'static [u8] {
        match self {
            Self::Single(single) => single.designation(),
            Self::JisX0208 => b"\x1B$B",
            Self::JisX0212 => b"\x1B$(D",
            Self::Gb2312 => b"\x1B$A",
            Self::KsX1001 => b"\x1B$(C",
        }
    }

    /// The code point of two bytes in another set.
    fn point_of_pair(self, pair: [u8; 2]) -> Option<u32> {
        let [row, cell] = pair.map(|byte| byte | 0x80);
        match self {
            Self::JisX0208 => multi_byte::jis_x_0208(row, cell),
            Self::JisX0212 => multi_byte::jis_x_0212(row, cell),
            Self::Gb2312 => multi_byte::gb_2312(row, cell),
            Self::KsX1001 => multi_byte::ks_x_1001(row, cell),
            Self::Single(_) => None,
        }
    }

    /// The set, if it has one byte for each character.
    const fn single(self) -> Option<Single> {
        match self {
            Self::Single(single) => Some(single),
            _ => None,
        }
    }

    /// The bytes of a code point, the second one 0 if there is only one.
    fn code(self, point: u32) -> Option<[u8; 2]> {
        let pair = match self {
            Self::Single(single) => return Some([single.byte(point)?, 0]),
            _ if point < 0x80 => return None,
            Self::JisX0208 => multi_byte::code_of_jis_x_0208(point)?,
            Self::JisX0212 => multi_byte::code_of_jis_x_0212(point)?,
            Self::Gb2312 => multi_byte::code_of_gb_2312(point)?,
            Self::KsX1001 => multi_byte::code_of_ks_x_1001(point)?,
        };
        Some(pair.map(|byte| byte & 0x7F))
    }
}

/// The set for one character after [`SS2`].
#[derive(Clone, Copy, PartialEq, Eq)]
enum Upper {
    Latin1,
    Greek,
}

impl Upper {
    const ALL: [Self; 2] = [Self::Latin1, Self::Greek];

    const fn designation(self) -> &'static [u8] {
        match self {
            Self::Latin1 => b"\x1B.A",
            Self::Greek => b"\x1B.F",
        }
    }

    /// The code point of a byte from 20 to 7F.
    fn point(self, byte: u8) -> Option<u32> {
        let byte = byte | 0x80;
        match self {
            Self::Latin1 => Some(u32::from(byte)),
            Self::Greek => match Iso8859_7::decoder(&Options::strict()).next(&[byte], true) {
                Next::Point { point, .. } => Some(point),
                _ => None,
            },
        }
    }

    fn byte(self, point: u32) -> Option<u8> {
        let mut byte = [0];
        match self {
            Self::Latin1 => byte = [u8::try_from(point).ok()?],
            Self::Greek => match Iso8859_7::encoder(&Options::strict()).put(point, &mut byte) {
                Put::Written(_) => {}
                Put::Full | Put::Unencodable => return None,
            },
        }
        (byte[0] >= 0xA0).then_some(byte[0] & 0x7F)
    }
}

/// The sets in effect.
#[derive(Clone, Copy, PartialEq, Eq)]
struct State {
    set: Set,
    /// Until the end of the line.
    upper: Option<Upper>,
}

impl State {
    const START: Self = Self { set: Set::ASCII, upper: None };
}

pub(crate) struct Iso2022Jp2;

impl Codec for Iso2022Jp2 {
    const INFO: Info = Info {
        name: "ISO-2022-JP-2",
        iana: true,
        aliases: &["csISO2022JP2"],
        specification: "RFC 1554",
        seven_bit: true,
        stateful: true,
        repertoire: Repertoire::Table,
        origin: crate::Origin::Other,
        clause: |kind| match kind {
            ErrorKind::Unencodable(_) => {
                "RFC 1554: the characters of its sets, except 0E, 0F and 1B"
            }
            ErrorKind::InvalidByte => "RFC 1554: seven bits, without the shifts SO and SI",
            ErrorKind::MissingTrail | ErrorKind::Truncated => "RFC 1554: incomplete sequence",
            _ => "RFC 1554: a character of the designated set, or an escape sequence",
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

impl Decoder {
    /// Interprets a text that begins with [`ESC`].
    fn escape(&mut self, src: &[u8], last: bool) -> Next {
        let state = &mut self.0;
        if src.starts_with(JIS_C_6226) {
            state.set = Set::JisX0208;
            return Next::Skip { length: JIS_C_6226.len() };
        }
        for set in Set::ALL {
            if src.starts_with(set.designation()) {
                state.set = set;
                return Next::Skip { length: set.designation().len() };
            }
        }
        for upper in Upper::ALL {
            if src.starts_with(upper.designation()) {
                state.upper = Some(upper);
                return Next::Skip { length: upper.designation().len() };
            }
        }
        if let (Some(upper), true) = (state.upper, src.starts_with(SS2)) {
            return match src.get(SS2.len()) {
                Some(byte @ 0x20..0x80) => match upper.point(*byte) {
                    Some(point) => Next::Point { point, length: SS2.len() + 1 },
                    None => Next::ill(ErrorKind::Undefined, SS2.len() + 1),
                },
                Some(_) => Next::ill(ErrorKind::MissingTrail, SS2.len()),
                None if last => Next::ill(ErrorKind::Truncated, SS2.len()),
                None => Next::End,
            };
        }
        let known = Set::ALL.map(Set::designation).into_iter();
        let known = known.chain(Upper::ALL.map(Upper::designation)).chain([JIS_C_6226, SS2]);
        seven_bit::no_escape(src, last, known)
    }
}

impl Decode for Decoder {
    fn next(&mut self, src: &[u8], last: bool) -> Next {
        if src.first() == Some(&ESC) {
            return self.escape(src, last);
        }
        if src.first() == Some(&b'\n') {
            self.0.upper = None;
        }
        let set = self.0.set;
        seven_bit::character(src, last, set.single(), |pair| {
            Some(Next::Point { point: set.point_of_pair(pair)?, length: 2 })
        })
    }
}

#[derive(Clone)]
pub(crate) struct Encoder(State);

/// How a code point is written: in a set, or as one character of an upper half.
enum Way {
    Set(Set, [u8; 2]),
    Upper(Upper, u8),
}

impl Encoder {
    fn way(&self, point: u32) -> Option<Way> {
        let State { set, upper } = self.0;
        let of_set = |set: Set| Some(Way::Set(set, set.code(point)?));
        let of_upper = |upper: Upper| Some(Way::Upper(upper, upper.byte(point)?));
        let (before, after) = Set::ALL.split_at(Set::BEFORE_UPPER);
        // The sets in effect have priority.
        of_set(set)
            .or_else(|| upper.and_then(of_upper))
            .or_else(|| before.iter().copied().find_map(of_set))
            .or_else(|| Upper::ALL.into_iter().find_map(of_upper))
            .or_else(|| after.iter().copied().find_map(of_set))
    }
}

impl Encode for Encoder {
    fn put(&mut self, point: u32, dst: &mut [u8]) -> Put {
        if seven_bit::is_control(point) {
            return Put::Unencodable;
        }
        let mut after = self.0;
        // A designation if it is needed, the shift, one or two bytes.
        let (single, pair);
        let (designation, shift, code): (&[u8], &[u8], &[u8]) = match self.way(point) {
            None => return Put::Unencodable,
            Some(Way::Set(set, bytes)) => {
                after.set = set;
                pair = bytes;
                let code = if set.single().is_none() { &pair[..] } else { &pair[..1] };
                (if set == self.0.set { b"" } else { set.designation() }, b"", code)
            }
            Some(Way::Upper(upper, byte)) => {
                after.upper = Some(upper);
                single = [byte];
                let is_new = self.0.upper != Some(upper);
                (if is_new { upper.designation() } else { b"" }, SS2, &single)
            }
        };
        if point == u32::from(b'\n') {
            after.upper = None;
        }
        let length = designation.len() + shift.len() + code.len();
        let Some(room) = dst.get_mut(..length) else { return Put::Full };
        let bytes = designation.iter().chain(shift).chain(code);
        room.iter_mut().zip(bytes).for_each(|(room, byte)| *room = *byte);
        self.0 = after;
        Put::Written(length)
    }

    fn finish(&mut self, dst: &mut [u8]) -> Option<usize> {
        if self.0.set == Set::ASCII {
            return Some(0);
        }
        let end = Set::ASCII.designation();
        dst.get_mut(..end.len())?.copy_from_slice(end);
        self.0.set = Set::ASCII;
        Some(end.len())
    }
}

#[cfg(test)]
mod tests {
    extern crate std;

    use std::string::String;
    use std::vec::Vec;

    use crate::codec::testing::{self, Item, check_decoding, check_encoding};
    use crate::{Encoding::Iso2022Jp2, ErrorKind};

    #[test]
    fn worked_examples() {
        let text: Vec<u32> = "a日é中国가¥\\«€\n«ｱ".chars().map(u32::from).collect();
        let bytes = b"a\x1B$BF|\x1B$(D+1\x1B$BCf9q\x1B$(C0!\x1B(J\\\x1B(B\\\
            \x1B.A\x1BN+\x1B.F\x1BN$\n\x1B.A\x1BN+\x1B(I1\x1B(B";
        check_encoding(Iso2022Jp2, &text, Ok(bytes));
        let items: Vec<_> = text.iter().map(|point| Item::Point(*point)).collect();
        check_decoding(Iso2022Jp2, bytes, &items);
        // The edition of 1978 has the same table here.
        let old = [Item::Point(0x4E00), Item::Point(0x4E02), Item::Point(0xFF5E)];
        check_decoding(Iso2022Jp2, b"\x1B$@0l\x1B$(D0!\"7", &old);
        check_encoding(Iso2022Jp2, &[0x4E02, 0x7E], Ok(b"\x1B$(D0!\x1B(B~"));
        check_encoding(Iso2022Jp2, &[0x61, 0x0E], Err(1));
        check_encoding(Iso2022Jp2, &[0x4E2D, 0x85], Err(1));
        check_encoding(Iso2022Jp2, &[0x4E2D, 0x1F600], Err(1));
    }

    #[test]
    fn ill_formed_sequences() {
        let error = |bytes: &[u8]| {
            let error = Iso2022Jp2.validate(bytes).expect_err("ill-formed");
            (error.offset(), error.length() as usize, error.kind())
        };
        assert_eq!(error(b"a\xE9"), (1, 1, ErrorKind::InvalidByte));
        assert_eq!(error(b"a\x0E"), (1, 1, ErrorKind::InvalidByte));
        assert_eq!(error(b"\x1B$)A"), (0, 1, ErrorKind::Undefined));
        assert_eq!(error(b"\x1BNi"), (0, 1, ErrorKind::Undefined));
        assert_eq!(error(b"\x1B$("), (0, 1, ErrorKind::Truncated));
        assert_eq!(error(b"\x1B.A\x1BN"), (3, 2, ErrorKind::Truncated));
        assert_eq!(error(b"\x1B.A\x1BN\n"), (3, 2, ErrorKind::MissingTrail));
        assert_eq!(error(b"\x1B.F\x1BN\x7F"), (3, 3, ErrorKind::Undefined));
        assert_eq!(error(b"\x1B$BF"), (3, 1, ErrorKind::Truncated));
        assert_eq!(error(b"\x1B$BF\n"), (3, 1, ErrorKind::MissingTrail));
        assert_eq!(error(b"\x1B$B~~"), (3, 2, ErrorKind::Undefined));
        assert_eq!(error(b"\x1B(Iz"), (3, 1, ErrorKind::Undefined));
        // A line end ends the designation of an upper half.
        assert_eq!(error(b"\x1B.A\x1BNi\n\x1BNi"), (7, 1, ErrorKind::Undefined));
    }

    #[test]
    fn it_is_the_charset_of_glibc() {
        let is_in = |one: &char| Iso2022Jp2.encode(one.encode_utf8(&mut [0; 4])).is_ok();
        let all: Vec<char> = ('\u{80}'..='\u{FFFF}').filter(is_in).collect();
        assert_eq!(all.len(), 18_670);
        let of_glibc =
            |from: &str, to: &str, bytes: &[u8]| testing::iconv(&["-f", from, "-t", to], bytes);
        let whole: String = all.iter().flat_map(|one| [*one, '\n']).collect();
        let bytes = Iso2022Jp2.encode(&whole).expect("all are in the charset");
        assert_eq!(Iso2022Jp2.decode(&bytes).as_deref(), Ok(&*whole));
        let Some(back) = of_glibc("ISO-2022-JP-2", "UTF-8", &bytes) else {
            std::println!("skipped: the system has no iconv of glibc");
            return;
        };
        assert!(back == whole.as_bytes(), "the system decodes another text");
        let mut random = testing::Random(0x5EED_0054);
        // Without `~`, which glibc writes as a fullwidth tilde after a character of JIS X 0212.
        let some: Vec<char> = "ab\\ \t\r\n\0\u{7F}é«²¼\u{A0}¥‾日中丂가ⅡΆ€₯ｱ｡⅔ά".chars().collect();
        let mut text: Vec<char> = all.clone();
        for _ in 0..20_000 {
            text.push(match random.below(4) {
                0 => all[random.below(all.len())],
                1 => all[random.below(300)],
                _ => some[random.below(some.len())],
            });
        }
        // Each piece is shorter than the buffers of glibc.
        for piece in text.chunks(3000) {
            let piece: String = piece.iter().collect();
            let bytes = Iso2022Jp2.encode(&piece).expect("all are in the charset");
            assert_eq!(Iso2022Jp2.decode(&bytes).as_deref(), Ok(&*piece));
            let theirs =
                of_glibc("UTF-8", "ISO-2022-JP-2", piece.as_bytes()).expect("it ran before");
            let at = theirs.iter().zip(&*bytes).position(|(a, b)| a != b);
            assert!(theirs == *bytes, "the system encodes another text, from {at:?}");
        }
        // All pairs of each set, and all characters of both upper halves.
        for escape in [&b"\x1B$B"[..], b"\x1B$@", b"\x1B$(D", b"\x1B$A", b"\x1B$(C"] {
            let pairs = (0x21..=0x7E_u8).flat_map(|a| (0x21..=0x7E_u8).map(move |b| [a, b]));
            let mut bytes = Vec::new();
            for pair in pairs {
                let one = [escape, &pair].concat();
                if Iso2022Jp2.validate(&one).is_ok() {
                    bytes.extend(one);
                } else if random.below(29) == 0 {
                    let theirs = of_glibc("ISO-2022-JP-2", "UTF-8", &one);
                    assert_eq!(theirs.as_deref(), Some(&b""[..]), "{one:X?}");
                }
            }
            let text = Iso2022Jp2.decode(&bytes).expect("valid");
            let theirs = of_glibc("ISO-2022-JP-2", "UTF-8", &bytes);
            assert!(theirs.as_deref() == Some(text.as_bytes()), "{escape:X?}");
        }
    }
}
