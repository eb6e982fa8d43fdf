//! Detects the Hangul of Unicode 1.1 in UTF-8 text (RFC 2279 §5).
//!
//! Unicode 1.1 had its Hangul syllables at U+3400–4DFF, where rare ideographs are today. Text from
//! before 1996 without the label `UNICODE-1-1-UTF-8` looks like a text of these ideographs. Only
//! their frequencies and neighbours distinguish the two.

use crate::repertoire::hangul;

/// Evidence for and against the Hangul of Unicode 1.1. Counts are in code points, offsets in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Evidence {
    /// Code points at U+3400–4DFF, where Unicode 1.1 had its syllables.
    pub syllables: u64,
    /// How many of these would be among the 2,350 of KS C 5601, which make up almost all Korean
    /// text.
    pub common: u64,
    /// How many of them would be among the thirty most frequent, which make up a third of Korean
    /// text.
    pub frequent: u64,
    /// How many of them directly follow another one, as the syllables of a word do.
    pub adjacent: u64,
    /// The offset of the first one.
    pub first: Option<u64>,
    /// The offset of the last one.
    pub last: Option<u64>,
    /// Syllables at their place since Unicode 2.0: a text does not mix the two.
    pub modern: u64,
    /// Ideographs at U+4E00–9FFF, which accompany the rare ones at U+3400–4DFF.
    pub ideographs: u64,
    /// Code points above U+FFFF, which Unicode 1.1 did not have.
    pub supplementary: u64,
    /// Ill-formed sequences.
    pub ill_formed: u64,
}

impl Evidence {
    /// Whether the text is probably Korean in Unicode 1.1. It must have at least two syllables at
    /// the old place and more of them than ideographs. Of these syllables, 19 in 20 must be common
    /// and one in ten among the most frequent. Any evidence against it makes the result false.
    #[must_use]
    pub const fn is_likely(&self) -> bool {
        let against = self.modern + self.supplementary + self.ill_formed;
        against == 0
            && self.syllables >= 2
            && self.syllables > self.ideographs
            && self.common >= self.syllables - self.syllables / 20
            && self.frequent >= self.syllables.div_ceil(10)
    }
}

/// Looks for the Hangul of Unicode 1.1 in UTF-8.
///
/// ```
/// use utfall::{Encoding, unicode11::evidence};
/// let old = Encoding::Unicode11Utf8.encode("한국어는 이렇게 씁니다")?;
/// let found = evidence(&old);
/// assert!(found.is_likely());
/// assert_eq!((found.syllables, found.first, found.modern), (10, Some(0), 0));
/// // Rare ideographs, and modern Korean.
/// assert!(!evidence("㐀㐁㐂 䶵".as_bytes()).is_likely());
/// assert!(!evidence("한국어".as_bytes()).is_likely());
/// # Ok::<(), utfall::Error>(())
/// ```
#[must_use]
pub fn evidence(bytes: &[u8]) -> Evidence {
    let mut found = Evidence::default();
    let mut offset = 0;
    for chunk in bytes.utf8_chunks() {
        let mut follows = false;
        for (at, scalar) in chunk.valid().char_indices() {
            let point = u32::from(scalar);
            let is_old = matches!(point, 0x3400..=0x4DFF);
            match point {
                0x3400..=0x4DFF => {
                    let syllable = hangul::from_1_1(point);
                    found.syllables += 1;
                    found.common += (point < COMMON_END) as u64;
                    found.frequent += FREQUENT.contains(&syllable) as u64;
                    found.adjacent += follows as u64;
                    found.first = found.first.or(Some(offset + at as u64));
                    found.last = Some(offset + at as u64);
                }
                0x4E00..=0x9FFF => found.ideographs += 1,
                0xAC00..=0xD7A3 => found.modern += 1,
                0x1_0000.. => found.supplementary += 1,
                _ => {}
            }
            follows = is_old;
        }
        found.ill_formed += u64::from(!chunk.invalid().is_empty());
        offset += (chunk.valid().len() + chunk.invalid().len()) as u64;
    }
    found
}

/// The end of the 2,350 syllables of KS C 5601, which come first and in their original order.
const COMMON_END: u32 = 0x3400 + 2350;

/// The most frequent syllables of Korean text.
const FREQUENT: [u32; 30] = [
    '이' as u32,
    '다' as u32,
    '는' as u32,
    '에' as u32,
    '의' as u32,
    '을' as u32,
    '가' as u32,
    '고' as u32,
    '하' as u32,
    '은' as u32,
    '를' as u32,
    '로' as u32,
    '지' as u32,
    '한' as u32,
    '도' as u32,
    '사' as u32,
    '기' as u32,
    '어' as u32,
    '그' as u32,
    '자' as u32,
    '리' as u32,
    '시' as u32,
    '나' as u32,
    '서' as u32,
    '인' as u32,
    '대' as u32,
    '들' as u32,
    '일' as u32,
    '아' as u32,
    '해' as u32,
];

#[cfg(test)]
mod tests {
    extern crate std;

    use std::string::String;
    use std::{format, fs};

    use super::*;
    use crate::Encoding;

    fn corpus(name: &str) -> String {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/corpora");
        fs::read_to_string(format!("{folder}/{name}")).unwrap()
    }

    #[test]
    fn the_common_ones_come_first() {
        assert_eq!(hangul::from_1_1(COMMON_END - 1), 0xD79D);
        assert!(hangul::from_1_1(COMMON_END) < 0xD79D);
        assert!(FREQUENT.iter().all(|syllable| hangul::to_1_1(*syllable).unwrap() < COMMON_END));
    }

    /// Real Korean in Unicode 1.1: the whole text, and most pieces of 40 characters.
    #[test]
    fn korean() {
        let text = corpus("Korean-Lipsum.utf8.txt");
        let old = Encoding::Unicode11Utf8.encode(&text).unwrap();
        let found = evidence(&old);
        assert!(found.is_likely(), "{found:?}");
        assert!(
            found.frequent * 4 > found.syllables && found.adjacent * 2 > found.syllables,
            "{found:?}"
        );
        let scalars: std::vec::Vec<char> = text.chars().collect();
        let (mut likely, mut all) = (0, 0);
        for piece in scalars.chunks(40) {
            let piece: String = piece.iter().collect();
            likely +=
                u64::from(evidence(&Encoding::Unicode11Utf8.encode(&piece).unwrap()).is_likely());
            all += 1;
        }
        assert!(likely * 10 >= all * 9, "{likely} of {all} pieces");
    }

    #[test]
    fn other_text() {
        for name in
            ["Korean-Lipsum", "Chinese-Lipsum", "Japanese-Lipsum", "wiki-french", "Emoji-Lipsum"]
        {
            let text = corpus(&format!("{name}.utf8.txt"));
            assert!(!evidence(text.as_bytes()).is_likely(), "{name}");
        }
        // All the rare ideographs, and each pair of neighbours.
        let rare: std::vec::Vec<char> = ('\u{3400}'..='\u{4DBF}').collect();
        let text: String = rare.iter().collect();
        assert!(!evidence(text.as_bytes()).is_likely());
        let pairs = rare
            .windows(2)
            .filter(|pair| evidence(String::from_iter(*pair).as_bytes()).is_likely());
        assert!(pairs.count() < 60);
        // A single one among other ideographs.
        assert!(!evidence("㑁一二三".as_bytes()).is_likely());
        assert!(!evidence(b"").is_likely());
        let broken = evidence(b"\xE3\x90\x80\xFF\xE3\x90\x81");
        assert_eq!((broken.syllables, broken.ill_formed, broken.last), (2, 1, Some(4)));
    }
}
