//! TSCII: Tamil in the order in which it is written, with a byte for most syllables.
//!
//! In Unicode, a vowel sign follows its consonant. In TSCII, the signs of e, ē and ai precede it,
//! and those of o, ō and au surround it. The encoder holds a consonant back until it has seen
//! whether such a sign follows.

use super::shared::double_byte;
use super::{Codec, Decode, Encode, Next, Put};
use crate::info::{Info, Origin, SplitPoint};
use crate::{ErrorKind, Options};

/// The first code point of the Tamil block, which has 128.
const TAMIL: u16 = 0xB80;
/// Consonants.
const KA: u16 = 0xB95;
const SSA: u16 = 0xBB7;
const SA: u16 = 0xBB8;
const RA: u16 = 0xBB0;
/// Vowel signs.
const I: u16 = 0xBBF;
const II: u16 = 0xBC0;
const U: u16 = 0xBC1;
const UU: u16 = 0xBC2;
const E: u16 = 0xBC6;
const EE: u16 = 0xBC7;
const AI: u16 = 0xBC8;
const O: u16 = 0xBCA;
const OO: u16 = 0xBCB;
const AU: u16 = 0xBCC;
/// The mark of a consonant without a vowel.
const PULLI: u16 = 0xBCD;

/// The second parts of the signs of o and ō, and of au.
const AA_BYTE: u8 = 0xA1;
const AU_BYTE: u8 = 0xAA;
/// The consonants க, ர and ஸ, and the conjunct க்ஷ.
const KA_BYTE: u8 = 0xB8;
const RA_BYTE: u8 = 0xC3;
const SA_BYTE: u8 = 0x85;
const KSSA_BYTE: u8 = 0x87;
/// க் and ஸ்.
const KA_PULLI_BYTE: u8 = 0xEC;
const SA_PULLI_BYTE: u8 = 0x8A;
/// The syllable ஸ்ரீ.
const SRII_BYTE: u8 = 0x82;

/// The code points of the bytes 80 to FF; 0 if a byte is not one code point.
const POINTS: [u16; 0x80] = [
    // Digits, the consonants ஜ, ஷ, ஸ and ஹ, quotation marks, numbers.
    0x0BE6, 0x0BE7, 0x0000, 0x0B9C, 0x0BB7, 0x0BB8, 0x0BB9, 0x0000, // 80
    0x0000, 0x0000, 0x0000, 0x0000, 0x0000, 0x0BE8, 0x0BE9, 0x0BEA, // 88
    0x0BEB, 0x2018, 0x2019, 0x201C, 0x201D, 0x0BEC, 0x0BED, 0x0BEE, // 90
    0x0BEF, 0x0000, 0x0000, 0x0000, 0x0000, 0x0BF0, 0x0BF1, 0x0BF2, // 98
    // Vowel signs, vowels.
    0x0000, 0x0BBE, 0x0BBF, 0x0BC0, 0x0BC1, 0x0BC2, 0x0BC6, 0x0BC7, // A0
    0x0BC8, 0x00A9, 0x0BD7, 0x0B85, 0x0B86, 0x0B87, 0x0B88, 0x0B89, // A8
    0x0B8A, 0x0B8E, 0x0B8F, 0x0B90, 0x0B92, 0x0B93, 0x0B94, 0x0B83, // B0
    // The other consonants.
    0x0B95, 0x0B99, 0x0B9A, 0x0B9E, 0x0B9F, 0x0BA3, 0x0BA4, 0x0BA8, // B8
    0x0BAA, 0x0BAE, 0x0BAF, 0x0BB0, 0x0BB2, 0x0BB5, 0x0BB4, 0x0BB3, // C0
    0x0BB1, 0x0BA9, 0x0000, 0x0000, 0x0000, 0x0000, 0x0000, 0x0000, // C8
    // Syllables.
    0x0000, 0x0000, 0x0000, 0x0000, 0x0000, 0x0000, 0x0000, 0x0000, // D0
    0x0000, 0x0000, 0x0000, 0x0000, 0x0000, 0x0000, 0x0000, 0x0000, // D8
    0x0000, 0x0000, 0x0000, 0x0000, 0x0000, 0x0000, 0x0000, 0x0000, // E0
    0x0000, 0x0000, 0x0000, 0x0000, 0x0000, 0x0000, 0x0000, 0x0000, // E8
    0x0000, 0x0000, 0x0000, 0x0000, 0x0000, 0x0000, 0x0000, 0x0000, // F0
    // The vowel இ again: many programs remove AD, a soft hyphen elsewhere.
    0x0000, 0x0000, 0x0000, 0x0000, 0x0000, 0x0000, 0x0B87, 0x0000, // F8
];

/// The bytes of the Tamil block; 0 for none. Of two, the last one.
const BYTES: [u8; 0x80] = {
    let (mut bytes, mut at) = ([0; 0x80], 0);
    while at < POINTS.len() {
        if let 0xB80..=0xBFF = POINTS[at] {
            bytes[(POINTS[at] - TAMIL) as usize] = 0x80 + at as u8;
        }
        at += 1;
    }
    bytes
};

/// The byte of a code point.
fn byte(point: u32) -> Option<u8> {
    match point {
        ..0x80 => Some(point as u8),
        0xA9 => Some(0xA9),
        0xB80..=0xBFF => Some(BYTES[point as usize - usize::from(TAMIL)]).filter(|byte| *byte > 0),
        0x2018..=0x2019 => Some(0x91 + (point - 0x2018) as u8),
        0x201C..=0x201D => Some(0x93 + (point - 0x201C) as u8),
        _ => None,
    }
}

fn is_consonant(byte: u8) -> bool {
    matches!(byte, 0x83..=KSSA_BYTE | 0xB8..=0xC9)
}

/// The consonant and the sign of a syllable that is one byte.
fn parts(syllable: u8) -> Option<(u8, u16)> {
    // All of these consonants, except ங and ஞ, have the signs of u and ū in the same order.
    let with_u = |nth: u8| if nth < 2 { 0xB8 + 2 * nth } else { 0xBA + nth };
    Some(match syllable {
        0x88..=0x8C => (syllable - 5, PULLI),
        0x99 => (0xB9, U),
        0x9A => (0xBB, U),
        0x9B => (0xB9, UU),
        0x9C => (0xBB, UU),
        0xCA => (0xBC, I),
        0xCB => (0xBC, II),
        0xCC..=0xDB => (with_u(syllable - 0xCC), U),
        0xDC..=0xEB => (with_u(syllable - 0xDC), UU),
        0xEC..=0xFD => (syllable - 0xEC + 0xB8, PULLI),
        _ => return None,
    })
}

/// The syllable of a consonant and a sign, if it is one byte.
fn syllable(consonant: u8, sign: u16) -> Option<u8> {
    let nth = |consonant: u8| match consonant {
        0xB8 | 0xBA => Some((consonant - 0xB8) / 2),
        0xBC..=0xC9 => Some(consonant - 0xBA),
        _ => None,
    };
    match (sign, consonant) {
        (PULLI, 0x83..=KSSA_BYTE) => Some(consonant + 5),
        (PULLI, 0xB8..=0xC9) => Some(consonant - 0xB8 + 0xEC),
        (U, 0xB9) => Some(0x99),
        (U, 0xBB) => Some(0x9A),
        (UU, 0xB9) => Some(0x9B),
        (UU, 0xBB) => Some(0x9C),
        (I, 0xBC) => Some(0xCA),
        (II, 0xBC) => Some(0xCB),
        (U, _) => Some(0xCC + nth(consonant)?),
        (UU, _) => Some(0xDC + nth(consonant)?),
        _ => None,
    }
}

/// The bytes of a sign before and after its consonant, if one is before it.
fn around(sign: u16) -> Option<(u8, Option<u8>)> {
    Some(match sign {
        E => (0xA6, None),
        EE => (0xA7, None),
        AI => (0xA8, None),
        O => (0xA6, Some(AA_BYTE)),
        OO => (0xA7, Some(AA_BYTE)),
        AU => (0xA6, Some(AU_BYTE)),
        _ => return None,
    })
}

/// The sign that surrounds a consonant.
fn surrounding(before: u8, after: u8) -> Option<u16> {
    match (before, after) {
        (0xA6, AA_BYTE) => Some(O),
        (0xA7, AA_BYTE) => Some(OO),
        // glibc writes A7.
        (0xA6 | 0xA7, AU_BYTE) => Some(AU),
        _ => None,
    }
}

pub(crate) struct Tscii;

impl Codec for Tscii {
    const INFO: Info = Info {
        name: "TSCII",
        aliases: &["csTSCII"],
        origin: Origin::Other,
        specification: "TSCII 1.7",
        holds_back: true,
        ascii_transparent: true,
        split_point: SplitPoint::Line,
        clause: |kind| match kind {
            ErrorKind::Unencodable(_) => {
                "TSCII 1.7: no byte for this code point, or a pulli without a consonant"
            }
            _ => "TSCII 1.7: no character at A0 and FF",
        },
        ..double_byte::INFO
    };
    type Decoder = Decoder;
    type Encoder = Encoder;

    fn decoder(_: &Options) -> Decoder {
        Decoder::default()
    }

    fn encoder(_: &Options) -> Encoder {
        Encoder { held: Held::Nothing }
    }
}

/// The code points of some bytes.
#[derive(Clone, Default)]
pub(crate) struct Decoder {
    points: [u16; 4],
    /// How many there are, and how many were returned.
    count: usize,
    returned: usize,
    /// The number of bytes that have not been assigned to a code point yet.
    left: usize,
}

impl Decoder {
    fn push(&mut self, point: u16) {
        self.points[self.count] = point;
        self.count += 1;
    }

    fn push_consonant(&mut self, consonant: u8) {
        match consonant {
            KSSA_BYTE => [KA, PULLI, SSA].into_iter().for_each(|point| self.push(point)),
            _ => self.push(POINTS[usize::from(consonant & 0x7F)]),
        }
    }

    /// The next code point of the bytes. Each takes a byte as long as there are any, and the last one
    /// takes the rest.
    fn pop(&mut self) -> Next {
        let point = u32::from(self.points[self.returned]);
        self.returned += 1;
        let length = match self.count - self.returned {
            0 => self.left,
            _ => self.left.min(1),
        };
        self.left -= length;
        Next::Point { point, length }
    }
}

impl Decode for Decoder {
    fn next(&mut self, src: &[u8], last: bool) -> Next {
        if self.returned < self.count {
            return self.pop();
        }
        let Some(&first) = src.first() else { return Next::End };
        let at = |index: usize| src.get(index).copied();
        // Whether the byte after the next ones is not known yet.
        let waits = |count: usize| src.len() == count && !last;
        (self.count, self.returned, self.left) = (0, 0, 1);
        match first {
            ..0x80 => return Next::Point { point: first.into(), length: 1 },
            0xA6..=0xA8 => {
                let consonant = at(1).filter(|byte| is_consonant(*byte));
                let before = 1 + usize::from(consonant.is_some());
                if waits(before) {
                    return Next::End;
                }
                let sign = at(before).and_then(|after| surrounding(first, after));
                if let Some(consonant) = consonant {
                    self.push_consonant(consonant);
                }
                self.push(sign.unwrap_or(POINTS[usize::from(first & 0x7F)]));
                self.left = before + usize::from(sign.is_some());
            }
            // glibc writes ஸு, ஸூ, ஹு and ஹூ as ஸ் or ஹ், and a sign.
            0x8A | 0x8B if waits(1) => return Next::End,
            0x8A | 0x8B if let Some(sign @ (0xA4 | 0xA5)) = at(1) => {
                self.push_consonant(first - 5);
                self.push(POINTS[usize::from(sign & 0x7F)]);
                self.left = 2;
            }
            SRII_BYTE => [SA, PULLI, RA, II].into_iter().for_each(|point| self.push(point)),
            _ if is_consonant(first) => self.push_consonant(first),
            _ => match (parts(first), POINTS[usize::from(first & 0x7F)]) {
                (Some((consonant, sign)), _) => {
                    self.push_consonant(consonant);
                    self.push(sign);
                }
                (None, 0) => return Next::ill(ErrorKind::InvalidByte, 1),
                (None, point) => self.push(point),
            },
        }
        self.pop()
    }
}

/// Code points that were read, but not written: the next one may change their bytes.
#[derive(Clone, Copy)]
enum Held {
    Nothing,
    Consonant(u8),
    /// க், perhaps of க்ஷ.
    KaPulli,
    /// ஸ், perhaps of ஸ்ரீ.
    SaPulli,
    /// ஸ்ர.
    SaPulliRa,
}

#[derive(Clone)]
pub(crate) struct Encoder {
    held: Held,
}

/// Some bytes.
#[derive(Clone, Copy, Default)]
struct Bytes {
    bytes: [u8; 4],
    length: usize,
}

impl Bytes {
    fn of(bytes: &[u8]) -> Self {
        Self::default().and(bytes)
    }

    fn and(mut self, bytes: &[u8]) -> Self {
        self.bytes[self.length..][..bytes.len()].copy_from_slice(bytes);
        self.length += bytes.len();
        self
    }

    fn write(self, dst: &mut [u8]) -> Option<usize> {
        dst.get_mut(..self.length)?.copy_from_slice(&self.bytes[..self.length]);
        Some(self.length)
    }
}

impl Held {
    fn bytes(self) -> Bytes {
        match self {
            Self::Nothing => Bytes::default(),
            Self::Consonant(consonant) => Bytes::of(&[consonant]),
            Self::KaPulli => Bytes::of(&[KA_PULLI_BYTE]),
            Self::SaPulli => Bytes::of(&[SA_PULLI_BYTE]),
            Self::SaPulliRa => Bytes::of(&[SA_PULLI_BYTE, RA_BYTE]),
        }
    }

    /// Adds a code point: the bytes that can be written then, and the code points held back. `None`
    /// if the charset lacks it.
    fn and(self, point: u32) -> Option<(Bytes, Self)> {
        let sign = u16::try_from(point).unwrap_or(0);
        let (before, consonant) = match self {
            Self::KaPulli if sign == SSA => {
                return Some((Bytes::default(), Self::Consonant(KSSA_BYTE)));
            }
            Self::SaPulli if sign == RA => return Some((Bytes::default(), Self::SaPulliRa)),
            Self::SaPulliRa if sign == II => return Some((Bytes::of(&[SRII_BYTE]), Self::Nothing)),
            Self::SaPulliRa => (Self::SaPulli.bytes(), RA_BYTE),
            Self::Consonant(consonant) => (Bytes::default(), consonant),
            _ => return self.then(point),
        };
        if let Some((first, after)) = around(sign) {
            let bytes = before.and(&[first, consonant]);
            return Some((after.map_or(bytes, |after| bytes.and(&[after])), Self::Nothing));
        }
        match (sign, consonant) {
            (PULLI, KA_BYTE) => Some((before, Self::KaPulli)),
            (PULLI, SA_BYTE) => Some((before, Self::SaPulli)),
            _ => match syllable(consonant, sign) {
                Some(byte) => Some((before.and(&[byte]), Self::Nothing)),
                None => self.then(point),
            },
        }
    }

    /// Adds a code point that does not combine with those held back.
    fn then(self, point: u32) -> Option<(Bytes, Self)> {
        let before = self.bytes();
        Some(match (byte(point), around(u16::try_from(point).unwrap_or(0))) {
            (Some(consonant), _) if is_consonant(consonant) => (before, Self::Consonant(consonant)),
            (Some(byte), _) => (before.and(&[byte]), Self::Nothing),
            (None, Some((first, Some(after)))) => (before.and(&[first, after]), Self::Nothing),
            (None, _) => return None,
        })
    }
}

impl Encode for Encoder {
    fn put(&mut self, point: u32, dst: &mut [u8]) -> Put {
        let Some((bytes, held)) = self.held.and(point) else { return Put::Unencodable };
        let Some(length) = bytes.write(dst) else { return Put::Full };
        self.held = held;
        Put::Written(length)
    }

    fn finish(&mut self, dst: &mut [u8]) -> Option<usize> {
        let length = self.held.bytes().write(dst)?;
        self.held = Held::Nothing;
        Some(length)
    }
}

#[cfg(test)]
mod tests {
    extern crate std;

    use std::string::String;
    use std::vec::Vec;

    use super::*;
    use crate::Encoding;
    use crate::codec::testing::{self, Item, check_decoding, check_encoding};

    fn points(text: &str) -> Vec<u32> {
        text.chars().map(u32::from).collect()
    }

    fn check(text: &str, bytes: &[u8]) {
        check_encoding(Encoding::Tscii, &points(text), Ok(bytes));
        let items: Vec<_> = points(text).into_iter().map(Item::Point).collect();
        check_decoding(Encoding::Tscii, bytes, &items);
    }

    #[test]
    fn worked_examples() {
        check("தமிழ் 2", b"\xBE\xC1\xA2\xFA 2");
        check(
            "கெ கே கை கொ கோ கௌ",
            b"\xA6\xB8 \xA7\xB8 \xA8\xB8 \xA6\xB8\xA1 \xA7\xB8\xA1 \xA6\xB8\xAA",
        );
        check("ஜெ ஷொ ஸை ஹௌ க்ஷெ", b"\xA6\x83 \xA6\x84\xA1 \xA8\x85 \xA6\x86\xAA \xA6\x87");
        check("ஸ்ரீ ஸ்ரு ஸ்ரெ ஸ்ர் ஸ்ர ஸ்", b"\x82 \x8A\xD5 \x8A\xA6\xC3 \x8A\xF7 \x8A\xC3 \x8A");
        check("க் க்ஷ க்ஷ் க்க", b"\xEC \x87 \x8C \xEC\xB8");
        check("டி டீ டு டூ ஙு ஞூ ஸு ஹூ", b"\xCA \xCB \xCE \xDE \x99 \x9C \x85\xA4 \x86\xA5");
        check("\u{BC6} \u{BCA} \u{BCC} \u{BC6}", b"\xA6 \xA6\xA1 \xA6\xAA \xA6");
        check("“௧௲”©", b"\x93\x81\x9F\x94\xA9");
        // Read, but not written.
        let only_read: [(&[u8], &str); 4] = [
            (b"\xAD", "இ"),
            (b"\x8A\xA4\x8B\xA5\x8B", "ஸுஹூஹ்"),
            (b"\xA7\xB8\xAA\xA7\xAA", "கௌ\u{BCC}"),
            (b"\xEC\x84", "க்ஷ"),
        ];
        for (bytes, text) in only_read {
            let items: Vec<_> = points(text).into_iter().map(Item::Point).collect();
            check_decoding(Encoding::Tscii, bytes, &items);
        }
        check_encoding(Encoding::Tscii, &points("இகெ\u{BBE}"), Ok(b"\xFE\xA6\xB8\xA1"));
        for (text, index) in [("\u{BCD}", 0), ("கு\u{BCD}", 2), ("க\u{A0}", 1), ("ஸ்ர😀", 3)]
        {
            check_encoding(Encoding::Tscii, &points(text), Err(index));
        }
    }

    #[test]
    fn ill_formed_sequences() {
        use Item::{Ill, Point};
        check_decoding(Encoding::Tscii, b"\xA0\xFF", &[Ill(0, 1), Ill(1, 1)]);
        let items = [Point(0xB95), Point(0xBC6), Ill(2, 1), Point(0xBC7), Ill(4, 1)];
        check_decoding(Encoding::Tscii, b"\xA6\xB8\xFF\xA7\xA0", &items);
        // The byte decodes to four code points, and US-ASCII lacks all of them.
        let mut decoder =
            crate::Transcoder::new(Encoding::Tscii, Encoding::UsAscii, Options::strict());
        let mut offsets = Vec::new();
        let mut rest = &b"a\x82"[..];
        loop {
            let progress = decoder.transcode(rest, &mut [0; 8], true);
            rest = &rest[progress.read..];
            match progress.status {
                crate::Status::Error(error) => offsets.push((error.offset(), error.length())),
                _ => break,
            }
        }
        assert_eq!(offsets, [(1, 1); 4]);
    }

    /// Whether glibc decodes these bytes differently: signs before ஜ, ஷ, ஸ, ஹ and க்ஷ, and of au.
    fn is_decoded_differently(bytes: &[u8]) -> bool {
        bytes.windows(2).any(|pair| matches!(pair, [0xA6..=0xA8, 0x83..=0x87] | [0xA6, 0xAA]))
            || bytes.windows(3).any(|three| matches!(three, [0xA6, 0xB8..=0xC9, 0xAA]))
    }

    /// Whether glibc encodes this text differently: signs as above, ஸு, ஸூ, ஹு and ஹூ, and a sign
    /// after ஸ்ர.
    fn is_encoded_differently(text: &[u32]) -> bool {
        let is_pair = |pair: &[u32]| {
            matches!(
                *pair,
                [0xB9C | 0xBB7..=0xBB9, 0xBC6..=0xBC8 | 0xBCA..=0xBCC]
                    | [0xBB8 | 0xBB9, 0xBC1 | 0xBC2]
            )
        };
        let is_four = |four: &[u32]| {
            matches!(four, [0xBB8, 0xBCD, 0xBB0, 0xBC1 | 0xBC2 | 0xBC6..=0xBC8 | 0xBCA..=0xBCD])
        };
        text.contains(&0xBCC) || text.windows(2).any(is_pair) || text.windows(4).any(is_four)
    }

    #[test]
    fn bytes_are_decoded_as_in_glibc() {
        let pairs = (0..=0xFF).flat_map(|a| (0..=0xFF).map(move |b| std::vec![a, b]));
        let around = |before: u8| {
            let others = (0x80..=0xFF).flat_map(move |a| (0x80..=0xFF).map(move |b| (a, b)));
            others.map(move |(a, b)| std::vec![before, a, b])
        };
        let triples = [0x8A, 0xA6, 0xA7, 0xA8].into_iter().flat_map(around);
        let all: Vec<Vec<u8>> =
            pairs.chain(triples).filter(|bytes: &Vec<u8>| !bytes.contains(&b'\n')).collect();
        let same: Vec<_> = all.iter().filter(|bytes| !is_decoded_differently(bytes)).collect();
        assert_eq!((all.len(), all.len() - same.len()), (130_561, 2_146));
        let lines = same.iter().map(|bytes| &***bytes).collect::<Vec<_>>().join(&b'\n');
        let Some(theirs) = testing::iconv(&["-c", "-f", "TSCII", "-t", "UTF-8"], &lines) else {
            std::println!("skipped: the system has no iconv of glibc");
            return;
        };
        let mut ours = String::new();
        for item in testing::decode(Encoding::Tscii, &[&lines], 4096) {
            if let Item::Point(point) = item {
                ours.push(char::from_u32(point).expect("a scalar value"));
            }
        }
        let theirs = String::from_utf8(theirs).expect("valid");
        for ((ours, theirs), bytes) in ours.split('\n').zip(theirs.split('\n')).zip(same) {
            assert_eq!(ours, theirs, "{bytes:02X?}");
        }
    }

    #[test]
    fn text_is_encoded_as_in_glibc() {
        if !testing::has_iconv() {
            std::println!("skipped: the system has no iconv of glibc");
            return;
        }
        let is_around = |point: u32| u16::try_from(point).is_ok_and(|it| around(it).is_some());
        let has = |point: &u32| byte(*point).is_some() || is_around(*point);
        let all: Vec<u32> = (0xB80..0xC00).filter(|point| has(point) || *point == 0xBCD).collect();
        let some = [0x61, 0xB95, 0xB9F, 0xBB0, 0xBB7, 0xBB8, 0xBC0, 0xBC1, 0xBC6, 0xBCA, 0xBCD];
        let mut texts: Vec<Vec<u32>> = (0..0x11_0000).map(|point| std::vec![point]).collect();
        let mut longer: Vec<Vec<u32>> = texts.iter().filter(|it| has(&it[0])).cloned().collect();
        for (count, next) in [(2, &all[..]), (3, &all), (4, &some), (5, &some)] {
            let begins =
                longer.iter().filter(|it| count < 4 || it.iter().all(|it| some.contains(it)));
            let added =
                begins.flat_map(|it| next.iter().map(|point| [&it[..], &[*point]].concat()));
            longer = added.collect();
            texts.extend_from_slice(&longer);
        }
        // The system's iconv leaves out code points that the charset lacks.
        let is_encodable = |text: &Vec<u32>| {
            !text.contains(&0x0A) && testing::encode(Encoding::Tscii, text, 9, 64).is_ok()
        };
        let mut expected = Vec::new();
        let mut lines = String::new();
        let mut different = 0;
        for text in texts.iter().filter(|text| is_encodable(text)) {
            if is_encoded_differently(text) {
                different += 1;
                continue;
            }
            lines.extend(text.iter().map(|point| char::from_u32(*point).expect("a scalar value")));
            lines.push('\n');
            expected.extend(testing::encode(Encoding::Tscii, text, 9, 64).expect("encodable"));
            expected.push(b'\n');
        }
        let count = lines.lines().count();
        assert!(count > 100_000 && different > 10_000, "{count} {different}");
        let theirs = testing::iconv(&["-f", "UTF-8", "-t", "TSCII"], lines.as_bytes());
        let theirs = theirs.expect("it ran before");
        let (ours, theirs) = (expected.split(|it| *it == b'\n'), theirs.split(|it| *it == b'\n'));
        for ((ours, theirs), text) in ours.zip(theirs).zip(lines.lines()) {
            assert_eq!(ours, theirs, "{text}");
        }
        // glibc has no other character.
        let others = (0..0xE_0000).filter_map(char::from_u32);
        let others: String = others.filter(|it| byte(*it as u32).is_none()).collect();
        let others = others.replace(['\u{BCA}', '\u{BCB}', '\u{BCC}'], "");
        let others = testing::iconv(&["-c", "-f", "UTF-8", "-t", "TSCII"], others.as_bytes());
        assert_eq!(others.as_deref(), Some(&b""[..]));
    }
}
