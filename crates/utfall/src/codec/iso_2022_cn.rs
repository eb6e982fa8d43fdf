//! ISO-2022-CN and ISO-2022-CN-EXT (RFC 1922): US-ASCII; after SO, GB 2312, plane 1 of CNS 11643 or
//! ISO-IR-165; and after the shift `ESC N` or `ESC O` for one character, plane 2 or planes 3 to 7. A
//! designation before the first of each on a line selects it. ISO-IR-165 and planes 3 to 7 are those of
//! ISO-2022-CN-EXT.

use super::shared::{cns, iso_ir_165};
use super::{Codec, Decode, Encode, Next, Put, multi_byte};
use crate::info::{Family, Info};
use crate::repertoire::Repertoire;
use crate::{ErrorKind, Options};

const ESC: u8 = 0x1B;
const SO: u8 = 0x0E;
const SI: u8 = 0x0F;
const SS2: &[u8] = b"\x1BN";
const SS3: &[u8] = b"\x1BO";

/// A set that SO selects.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Set {
    Gb2312,
    Cns1,
    /// A set of ISO-2022-CN-EXT.
    IsoIr165,
}

impl Set {
    const fn designation(self) -> &'static [u8] {
        match self {
            Self::Gb2312 => b"\x1B$)A",
            Self::Cns1 => b"\x1B$)G",
            Self::IsoIr165 => b"\x1B$)E",
        }
    }

    fn point(self, row: u8, cell: u8) -> Option<u32> {
        match self {
            Self::Gb2312 => multi_byte::gb_2312(row | 0x80, cell | 0x80),
            Self::Cns1 => cns::point(1, row - 0x20, cell - 0x20),
            Self::IsoIr165 => iso_ir_165::point(row - 0x20, cell - 0x20),
        }
    }

    fn code(self, point: u32) -> Option<[u8; 2]> {
        match self {
            Self::Gb2312 => Some(multi_byte::code_of_gb_2312(point)?.map(|byte| byte & 0x7F)),
            Self::Cns1 => match cns::cell(point)? {
                [1, row, cell] => Some([row + 0x20, cell + 0x20]),
                _ => None,
            },
            Self::IsoIr165 => Some(iso_ir_165::cell(point)?.map(|byte| byte + 0x20)),
        }
    }
}

/// The designation of plane 2.
const CNS_2: &[u8] = b"\x1B$*H";

/// The designations of planes 3 to 7.
const CNS_3: [&[u8]; 5] = [b"\x1B$+I", b"\x1B$+J", b"\x1B$+K", b"\x1B$+L", b"\x1B$+M"];

const FIRST_PLANE: u8 = 3;
const LAST_PLANE: u8 = 7;

/// The designations of a line, and whether SO is in effect.
#[derive(Clone, Copy, PartialEq, Eq)]
struct State {
    set: Option<Set>,
    has_plane_2: bool,
    /// The plane that [`SS3`] selects.
    plane: Option<u8>,
    is_shifted: bool,
}

impl State {
    const START: Self = Self { set: None, has_plane_2: false, plane: None, is_shifted: false };
}

const INFO: Info = Info {
    specification: "RFC 1922",
    seven_bit: true,
    stateful: true,
    repertoire: Repertoire::Table,
    origin: crate::Origin::Other,
    ..Info::of(Family::MultiByte)
};

/// The clause that an error of one of both violates, except unencodable characters.
const fn clause(kind: ErrorKind) -> &'static str {
    match kind {
        ErrorKind::InvalidByte => "RFC 1922: seven bits, and shifts only after a designation",
        ErrorKind::MissingTrail | ErrorKind::Truncated => "RFC 1922: incomplete sequence",
        _ => "RFC 1922: two bytes of a designated set, 21 to 7E, or a designation",
    }
}

pub(crate) struct Iso2022Cn;

impl Codec for Iso2022Cn {
    const INFO: Info = Info {
        name: "ISO-2022-CN/iana",
        clause: |kind| match kind {
            ErrorKind::Unencodable(_) => {
                "RFC 1922: the charset has US-ASCII, GB 2312 and planes 1 and 2 of CNS 11643, except 0E, 0F and 1B"
            }
            kind => clause(kind),
        },
        ..INFO
    };
    type Decoder = Decoder<false>;
    type Encoder = Encoder<false>;

    fn decoder(_: &Options) -> Self::Decoder {
        Decoder(State::START)
    }

    fn encoder(_: &Options) -> Self::Encoder {
        Encoder(State::START)
    }
}

pub(crate) struct Iso2022CnExt;

impl Codec for Iso2022CnExt {
    const INFO: Info = Info {
        name: "ISO-2022-CN-EXT/iana",
        clause: |kind| match kind {
            ErrorKind::Unencodable(_) => {
                "RFC 1922: the charset has US-ASCII, GB 2312, ISO-IR-165 and planes 1 to 7 of CNS 11643, except 0E, 0F and 1B"
            }
            kind => clause(kind),
        },
        ..INFO
    };
    type Decoder = Decoder<true>;
    type Encoder = Encoder<true>;

    fn decoder(_: &Options) -> Self::Decoder {
        Decoder(State::START)
    }

    fn encoder(_: &Options) -> Self::Encoder {
        Encoder(State::START)
    }
}

/// The decoder of ISO-2022-CN, or of ISO-2022-CN-EXT.
#[derive(Clone)]
pub(crate) struct Decoder<const EXT: bool>(State);

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

/// A change of the state by an escape sequence.
#[derive(Clone, Copy)]
enum Change {
    Set(Set),
    Plane2,
    Plane(u8),
    /// A shift for one character, which changes nothing.
    Shift,
}

impl<const EXT: bool> Decoder<EXT> {
    fn known() -> impl Iterator<Item = (&'static [u8], Change)> {
        let set = |set: Set| (set.designation(), Change::Set(set));
        let all = [set(Set::Gb2312), set(Set::Cns1), (CNS_2, Change::Plane2), (SS2, Change::Shift)];
        let planes = CNS_3.into_iter().zip(FIRST_PLANE..);
        let planes = planes.map(|(designation, plane)| (designation, Change::Plane(plane)));
        let of_ext = [set(Set::IsoIr165), (SS3, Change::Shift)].into_iter().chain(planes);
        all.into_iter().chain(of_ext.filter(|_| EXT))
    }

    /// Interprets a text that begins with [`ESC`].
    fn escape(&mut self, src: &[u8], last: bool) -> Next {
        let state = &mut self.0;
        if src.starts_with(SS2) && state.has_plane_2 {
            return pair(src, SS2.len(), last, |row, cell| cns::point(2, row - 0x20, cell - 0x20));
        }
        if let (Some(plane), true) = (state.plane, src.starts_with(SS3)) {
            return pair(src, SS3.len(), last, |row, cell| {
                cns::point(plane, row - 0x20, cell - 0x20)
            });
        }
        if let Some((sequence, change)) = Self::known().find(|(it, _)| src.starts_with(it)) {
            match change {
                Change::Set(set) => state.set = Some(set),
                Change::Plane2 => state.has_plane_2 = true,
                Change::Plane(plane) => state.plane = Some(plane),
                // Before its designation.
                Change::Shift => return Next::ill(ErrorKind::Undefined, 1),
            }
            return Next::Skip { length: sequence.len() };
        }
        match Self::known().any(|(it, _)| it.starts_with(src)) {
            true if last => Next::ill(ErrorKind::Truncated, 1),
            true => Next::End,
            false => Next::ill(ErrorKind::Undefined, 1),
        }
    }
}

impl<const EXT: bool> Decode for Decoder<EXT> {
    fn next(&mut self, src: &[u8], last: bool) -> Next {
        let state = &mut self.0;
        match *src {
            [] => Next::End,
            [ESC, ..] => self.escape(src, last),
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

/// The encoder of ISO-2022-CN, or of ISO-2022-CN-EXT.
#[derive(Clone)]
pub(crate) struct Encoder<const EXT: bool>(State);

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

    /// Writes a code of a set after SO.
    fn put(&mut self, set: Set, code: [u8; 2], state: &mut State) {
        if state.set != Some(set) {
            self.push(set.designation());
        }
        if !state.is_shifted {
            self.push(&[SO]);
        }
        self.push(&code);
        (state.set, state.is_shifted) = (Some(set), true);
    }
}

impl<const EXT: bool> Encode for Encoder<EXT> {
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
                // The order is glibc's. The designated set has priority.
                let code = |set: Set| Some((set, set.code(point)?));
                let of_planes = cns::cell(point);
                let is_in_plane_2 = matches!(of_planes, Some([2, ..]));
                let in_ext = || code(Set::IsoIr165).filter(|_| EXT && !is_in_plane_2);
                let preferred = match after {
                    // Back from US-ASCII, glibc confuses ISO-IR-165 with plane 1.
                    State { set: Some(Set::IsoIr165), is_shifted: false, .. } => Some(Set::Cns1),
                    State { set, .. } => set,
                };
                let prefers_plane_2 = preferred == Some(Set::Cns1) && is_in_plane_2;
                let gb_2312 = || code(Set::Gb2312).filter(|_| !prefers_plane_2);
                let of_set = preferred.and_then(code).or_else(gb_2312);
                let of_set = of_set.or_else(in_ext).or_else(|| code(Set::Cns1));
                match (of_set, of_planes) {
                    (Some((set, code)), _) => made.put(set, code, &mut after),
                    (None, Some([2, row, cell])) => {
                        if !after.has_plane_2 {
                            made.push(CNS_2);
                        }
                        made.push(SS2);
                        made.push(&[row + 0x20, cell + 0x20]);
                        after.has_plane_2 = true;
                    }
                    (None, Some([plane @ FIRST_PLANE..=LAST_PLANE, row, cell])) if EXT => {
                        if after.plane != Some(plane) {
                            made.push(CNS_3[usize::from(plane - FIRST_PLANE)]);
                        }
                        made.push(SS3);
                        made.push(&[row + 0x20, cell + 0x20]);
                        after.plane = Some(plane);
                    }
                    _ => return Put::Unencodable,
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

    use crate::Encoding::{self, Iso2022Cn, Iso2022CnExt};
    use crate::ErrorKind;
    use crate::codec::testing::{self, Item, check_decoding, check_encoding};

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
    fn worked_examples_of_ext() {
        let text: Vec<u32> =
            "a中¢漢乂丂丂\u{20021}丄b\n並乂腘ｇ＄".chars().map(u32::from).collect();
        let bytes = b"a\x1B$)A\x0EVP\x1B$)E!i\x1B$)GiG\x1B$*H\x1BN!!\x1B$+J\x1BO!&\x1BO!&\
            \x1B$+L\x1BO%_\x1B$+I\x1BO!&\x0Fb\n\
            \x1B$)E\x0E,vz#|U(@\x1B$)A!g\x0F";
        check_encoding(Iso2022CnExt, &text, Ok(bytes));
        let items: Vec<_> = text.iter().map(|point| Item::Point(*point)).collect();
        check_decoding(Iso2022CnExt, bytes, &items);
        // After US-ASCII, plane 1 precedes ISO-IR-165.
        let bytes = b"\x1B$)E\x0E!iVP\x0Fa\x1B$)G\x0EDc\x0F";
        check_encoding(Iso2022CnExt, &[0xA2, 0x4E2D, 0x61, 0x4E2D], Ok(bytes));
        // The row of US-ASCII in ISO-IR-165 is only decoded.
        let ascii = [Item::Point(0x41), Item::Point(0x2E), Item::Point(0x67)];
        check_decoding(Iso2022CnExt, b"\x1B$)E\x0E*A*.+@", &ascii);
        check_encoding(Iso2022Cn, &[0x4E2D, 0x4E02], Err(1));
        // A character of GB 2312 and plane 2, after GB 2312 and after plane 1.
        for encoding in [Iso2022Cn, Iso2022CnExt] {
            check_encoding(encoding, &[0x4E2D, 0x4E07], Ok(b"\x1B$)A\x0EVPMr\x0F"));
            let bytes = b"\x1B$)G\x0EiG\x1B$*H\x1BN!&iG\x0F";
            check_encoding(encoding, &[0x6F22, 0x4E07, 0x6F22], Ok(bytes));
        }
        check_encoding(Iso2022CnExt, &[0x4E2D, 0xF1], Err(1));
        let error = |encoding: Encoding, bytes: &[u8]| {
            let error = encoding.validate(bytes).expect_err("ill-formed");
            (error.offset(), error.length() as usize, error.kind())
        };
        assert_eq!(error(Iso2022Cn, b"\x1B$)E\x0E"), (0, 1, ErrorKind::Undefined));
        assert_eq!(error(Iso2022Cn, b"\x1B$+I"), (0, 1, ErrorKind::Undefined));
        assert_eq!(error(Iso2022CnExt, b"\x1BO!!"), (0, 1, ErrorKind::Undefined));
        assert_eq!(error(Iso2022CnExt, b"\x1B$*H\x1BO!!"), (4, 1, ErrorKind::Undefined));
        assert_eq!(error(Iso2022CnExt, b"\x1B$+I\x1BO!"), (4, 3, ErrorKind::Truncated));
        assert_eq!(error(Iso2022CnExt, b"\x1B$+I\n\x1BO!!"), (5, 1, ErrorKind::Undefined));
    }

    #[test]
    fn ext_is_the_charset_of_glibc() {
        let of_glibc =
            |from: &str, to: &str, bytes: &[u8]| testing::iconv(&["-f", from, "-t", to], bytes);
        let is_in = |one: &char| Iso2022CnExt.encode(one.encode_utf8(&mut [0; 4])).is_ok();
        let mut all: Vec<char> = ('\u{80}'..='\u{3FFFF}').filter(is_in).collect();
        assert_eq!(all.len(), 51_284);
        let whole: String = all.iter().flat_map(|one| [*one, '\n']).collect();
        let bytes = Iso2022CnExt.encode(&whole).expect("all are in the charset");
        assert_eq!(Iso2022CnExt.decode(&bytes).as_deref(), Ok(&*whole));
        let Some(back) = of_glibc("ISO-2022-CN-EXT", "UTF-8", &bytes) else {
            std::println!("skipped: the system has no iconv of glibc");
            return;
        };
        assert!(back == whole.as_bytes(), "the system decodes another text");
        // After a character of planes 2 to 7, glibc writes SI without an SO before.
        let without_si = |bytes: &[u8]| -> Vec<u8> {
            bytes.iter().copied().filter(|byte| *byte != super::SI).collect()
        };
        // Where its output buffer is full, glibc repeats designations and shifts.
        for piece in all.chunks(500) {
            let piece: String = piece.iter().flat_map(|one| [*one, '\n']).collect();
            let bytes = Iso2022CnExt.encode(&piece).expect("all are in the charset");
            let theirs = of_glibc("UTF-8", "ISO-2022-CN-EXT", piece.as_bytes());
            let theirs = theirs.expect("it ran before");
            assert!(without_si(&theirs) == without_si(&bytes), "the system encodes another text");
        }
        let others: String = ('\u{80}'..='\u{DFFFF}').filter(|one| !is_in(one)).collect();
        let to_ext = ["-c", "-f", "UTF-8", "-t", "ISO-2022-CN-EXT"];
        let others = testing::iconv(&to_ext, others.as_bytes());
        assert_eq!(others.as_deref(), Some(&b""[..]));
        // Every pair of every set.
        let mut counts = Vec::new();
        let sets: [&[u8]; 9] = [
            b"\x1B$)A\x0E",
            b"\x1B$)E\x0E",
            b"\x1B$)G\x0E",
            b"\x1B$*H\x1BN",
            b"\x1B$+I\x1BO",
            b"\x1B$+J\x1BO",
            b"\x1B$+K\x1BO",
            b"\x1B$+L\x1BO",
            b"\x1B$+M\x1BO",
        ];
        for set in sets {
            let pairs = (0x21..=0x7E_u8).flat_map(|a| (0x21..=0x7E_u8).map(move |b| [a, b]));
            let all = pairs.map(|pair| [set, &pair, b"\x0F\n"].concat());
            let valid: Vec<_> = all.filter(|one| Iso2022CnExt.validate(one).is_ok()).collect();
            counts.push(valid.len());
            let bytes = valid.concat();
            let text = Iso2022CnExt.decode(&bytes).expect("valid");
            let theirs = of_glibc("ISO-2022-CN-EXT", "UTF-8", &bytes);
            assert!(theirs.as_deref() == Some(text.as_bytes()), "{set:X?}");
        }
        assert_eq!(counts, [7445, 8388, 5867, 7650, 6394, 7286, 8601, 6386, 6537]);
        // After a character of planes 2 to 7, glibc designates a set without SO.
        all.retain(|one| {
            let is_in_plane_2 = matches!(super::cns::cell(u32::from(*one)), Some([2, ..]));
            let bytes = Iso2022CnExt.encode(one.encode_utf8(&mut [0; 4])).map(|it| it.to_vec());
            !is_in_plane_2 && bytes.is_ok_and(|it| it.contains(&super::SO))
        });
        let mut random = testing::Random(0x5EED_0023);
        let mut text: Vec<char> = all.clone();
        for _ in 0..20_000 {
            match random.below(4) {
                0 => text.push(all[random.below(all.len())]),
                1 => text.push(all[random.below(1000)]),
                2 => text.extend("中文".chars()),
                _ => text.push(['a', ' ', '\n'][random.below(3)]),
            }
        }
        // Where its output buffer is full, glibc repeats designations.
        for piece in text.chunks(3000) {
            // At the end of a line that ends in US-ASCII, glibc writes SI again.
            let piece: String = piece.iter().chain(&['中']).collect();
            let bytes = Iso2022CnExt.encode(&piece).expect("all are in the charset");
            assert_eq!(Iso2022CnExt.decode(&bytes).as_deref(), Ok(&*piece));
            let theirs =
                of_glibc("UTF-8", "ISO-2022-CN-EXT", piece.as_bytes()).expect("it ran before");
            let at = theirs.iter().zip(&*bytes).position(|(a, b)| a != b);
            assert!(theirs == *bytes, "the system encodes another text, from {at:?}");
        }
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
