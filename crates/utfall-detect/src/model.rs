//! A model of text that assigns each code point a cost in bits: the more natural the text, the
//! lower its cost.
//!
//! Each reading of the same bytes gets a cost, and the cheapest reading is the likeliest (minimum
//! description length). The figures are rough frequencies, the same for all encodings. They
//! separate text from non-text. The letter pairs of `language.rs` tell languages apart.

use unicode_script::{Script, UnicodeScript};

use crate::cost::{Bits, bits};
use crate::frequent;

/// Cost of an ill-formed sequence.
pub(crate) const ILL_FORMED: Bits = bits(26);
/// Change of script directly after a letter.
const IN_WORD: Bits = bits(9);
/// Change of script in another word.
const OTHER_WORD: Bits = bits(5);
/// An East Asian letter directly after one of another script.
const ATTACHED: Bits = bits(3);
/// A capital after a small letter.
const CAPITAL_INSIDE: Bits = bits(6);
/// An ASCII symbol that repeats the previous one, as in `-----`.
const SAME_AGAIN: Bits = bits(2);
/// Another escape character in a text that already had one: terminal sequences.
const KNOWN_ESCAPE: Bits = bits(6);
/// A non-ASCII symbol that occurred recently.
const KNOWN_SYMBOL: Bits = bits(10);
/// How many of these symbols are remembered.
const KNOWN: usize = 4;

/// The most frequent letters of non-Latin alphabets.
const FREQUENT_LETTERS: &str = "оеаинтсрвлкмдпαοιετσνηυρכלהוירמתאבשنميولاتربइनकरसतमपहयกนรอมาเวด่";
/// The most frequent non-ASCII letters of Latin alphabets.
const FREQUENT_LATIN: &str = "éèàêçôîûâäöüßñáíóúãõåøæìòùłąęśżćńźšžčřěýůąőűşğıđțșāēīūėųįļķģņðþ";

/// Costs of ASCII characters for [`Model::ascii`], in sixteenths of a bit, without context.
const ASCII: [u16; 128] = ascii();

const fn ascii() -> [u16; 128] {
    let mut table = [0; 128];
    let letters = *b"etaoinshrdlcumwfgypbvkjxqz";
    let mut byte = 0;
    while byte < 128 {
        table[byte] = match byte as u8 {
            b' ' => 40,
            b'\n' => 72,
            b'\r' | b'\t' => 88,
            b'0'..=b'9' => 92,
            b'A'..=b'Z' => 104,
            b',' | b'.' => 88,
            b'-' | b'"' | b'\'' | b'(' | b')' | b'/' | b':' | b'_' | b'=' => 100,
            b'!'..=b'~' => 116,
            0x0C => 200,
            _ => 352,
        };
        byte += 1;
    }
    let mut rank = 0;
    while rank < letters.len() {
        // From 3.4 bits for `e` to 7 for `z`, since names and Base64 use all letters.
        let cost = 54 + (rank * rank / 6) as u16;
        table[letters[rank] as usize] = if cost < 112 { cost } else { 112 };
        rank += 1;
    }
    table
}

/// The kinds of ASCII characters. The cost of one after another of its kind differs from [`ASCII`]. Each
/// symbol is a kind of its own, which its byte denotes.
const KIND: [u8; 128] = kinds();
/// Letters come below the symbols: these bytes are controls.
const SMALL: u8 = 0;
const CAPITAL: u8 = 1;
const DIGIT: u8 = 2;
const SPACE: u8 = 3;

const fn kinds() -> [u8; 128] {
    let mut table = [0; 128];
    let mut byte = 0;
    while byte < 128 {
        table[byte] = match byte as u8 {
            b'a'..=b'z' => SMALL,
            b'A'..=b'Z' => CAPITAL,
            b'0'..=b'9' => DIGIT,
            b' ' | b'\n' | b'\r' | b'\t' => SPACE,
            symbol => symbol,
        };
        byte += 1;
    }
    table
}

/// Costs of ASCII characters after others of their kind.
const AGAIN: [u16; 128] = again();

const fn again() -> [u16; 128] {
    let mut table = ASCII;
    let mut byte = 0;
    while byte < 128 {
        table[byte] = match KIND[byte] {
            SMALL => ASCII[byte],
            // All-caps words are as likely as others.
            CAPITAL => ASCII[byte] - bits(1) as u16,
            DIGIT => 58,
            SPACE => 32,
            _ => SAME_AGAIN as u16,
        };
        byte += 1;
    }
    table
}

/// Whether a code point is in US-ASCII and no control, except tabs and line ends.
const fn is_printable(point: u32) -> bool {
    matches!(point, 0x09 | 0x0A | 0x0C | 0x0D | 0x20..0x7F)
}

/// Scripts that are written together form one group.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Group {
    Cjk,
    Hangul,
    Other(Script),
}

/// The state of the model: the context that affects the cost of the next code point.
#[derive(Clone, Debug, Default)]
pub(crate) struct Model {
    /// Group of the last letter.
    group: Option<Group>,
    previous: Previous,
    /// The cost of all ideographs in each language.
    pub(crate) ideographs: [Bits; 3],
    /// The previous character, if it was an ASCII symbol.
    symbol: Option<u8>,
    /// Whether an escape character has occurred.
    has_escape: bool,
    /// Recent non-ASCII symbols; `oldest` is the next to be replaced.
    known: [Option<char>; KNOWN],
    oldest: usize,
    /// Number of non-ASCII letters.
    pub(crate) letters: u64,
    /// Script of the last of them.
    pub(crate) script: Option<Script>,
    /// Whether there is a letter of East Asia.
    pub(crate) has_eastern: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Previous {
    #[default]
    Start,
    Capital,
    Small,
    /// A letter of a script without case.
    Letter,
    Digit,
    Space,
    Symbol,
    Picture,
}

impl Previous {
    const fn is_letter(self) -> bool {
        matches!(self, Self::Capital | Self::Small | Self::Letter)
    }
}

impl Model {
    /// Adds the next code point and returns its cost.
    pub(crate) fn add(&mut self, point: u32) -> Bits {
        let before = self.symbol.take();
        match point {
            0..0x20 if !matches!(point, 0x09 | 0x0A | 0x0C | 0x0D) => self.control(point),
            0..0x80 => self.ascii(point as u8, before),
            0x80..0xA0 => self.symbol(24),
            _ => match char::from_u32(point) {
                Some(scalar) => self.beyond_ascii(scalar),
                None => self.symbol(26),
            },
        }
    }

    /// Adds the characters of US-ASCII at the start of `points`. Returns how many, and their cost.
    ///
    /// Each costs as much as in [`add`](Self::add). But after a Latin letter, the cost depends on the
    /// character before it alone, so long texts take less time.
    pub(crate) fn add_ascii(&mut self, points: &[u32]) -> (usize, Bits) {
        let count = points.iter().take_while(|point| is_printable(**point)).count();
        let (mut cost, mut rest) = (0, &points[..count]);
        let mut before = None;
        while let Some((first, others)) = rest.split_first()
            && (before.is_none() || self.group != Some(Group::Other(Script::Latin)))
        {
            cost += self.add(*first);
            (before, rest) = (Some(*first), others);
        }
        let Some(before) = before.filter(|_| !rest.is_empty()) else { return (count, cost) };
        let mut kind = KIND[before as usize];
        for point in rest {
            let byte = *point as usize & 0x7F;
            let is_again = kind == KIND[byte];
            kind = KIND[byte];
            cost += Bits::from(if is_again { AGAIN[byte] } else { ASCII[byte] });
        }
        self.symbol = None;
        self.previous = match kind {
            SMALL => Previous::Small,
            CAPITAL => Previous::Capital,
            DIGIT => Previous::Digit,
            SPACE => Previous::Space,
            symbol => {
                self.symbol = Some(symbol);
                Previous::Symbol
            }
        };
        (count, cost)
    }

    fn control(&mut self, point: u32) -> Bits {
        let is_known = self.has_escape;
        self.has_escape |= point == 0x1B;
        self.previous = Previous::Symbol;
        match (is_known, point) {
            (true, 0x1B) => KNOWN_ESCAPE,
            (_, 0x1B) => bits(16),
            _ => bits(22),
        }
    }

    fn ascii(&mut self, byte: u8, before: Option<u8>) -> Bits {
        let cost = Bits::from(ASCII[usize::from(byte)]);
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' => {
                let capital = byte.is_ascii_uppercase();
                // Names have capitals inside, and all-caps words are as likely as others.
                let correction = match (capital, self.previous) {
                    (true, Previous::Capital) => -bits(1),
                    (true, Previous::Small) => -CAPITAL_INSIDE,
                    _ => 0,
                };
                self.letter(Group::Other(Script::Latin), capital, !capital) + cost + correction
            }
            b'0'..=b'9' => {
                let run = self.previous == Previous::Digit;
                self.previous = Previous::Digit;
                if run { 58 } else { cost }
            }
            b' ' | b'\n' | b'\r' | b'\t' => {
                let run = self.previous == Previous::Space;
                self.previous = Previous::Space;
                if run { 32 } else { cost }
            }
            _ => {
                self.previous = Previous::Symbol;
                self.symbol = Some(byte);
                if before == Some(byte) { SAME_AGAIN } else { cost }
            }
        }
    }

    fn symbol(&mut self, whole: Bits) -> Bits {
        self.previous = Previous::Symbol;
        bits(whole)
    }

    /// The cost of the context of a letter, without the letter itself.
    fn letter(&mut self, group: Group, capital: bool, small: bool) -> Bits {
        let (before, last) = (self.previous, self.group.replace(group));
        let is_east = |group| matches!(group, Group::Cjk | Group::Hangul);
        let is_after_east = before == Previous::Letter && last.is_some_and(is_east);
        let is_attached = is_east(group) && !is_after_east && before.is_letter();
        let alone = if is_attached { ATTACHED } else { 0 };
        self.previous = match (capital, small) {
            (true, _) => Previous::Capital,
            (_, true) => Previous::Small,
            _ => Previous::Letter,
        };
        let inside = if capital && before == Previous::Small { CAPITAL_INSIDE } else { 0 };
        let unspaced = |group| match group {
            Group::Cjk | Group::Hangul => true,
            Group::Other(script) => matches!(script, Script::Thai | Script::Lao | Script::Khmer),
        };
        alone
            + inside
            + match last {
                Some(last) if last == group => 0,
                None => bits(2),
                Some(last) if unspaced(last) || unspaced(group) => {
                    let latin = [last, group].contains(&Group::Other(Script::Latin));
                    let east = |group| matches!(group, Group::Cjk | Group::Hangul);
                    match latin || (east(last) && east(group)) {
                        true => bits(3),
                        false => IN_WORD,
                    }
                }
                Some(_) if before.is_letter() => IN_WORD,
                Some(_) => OTHER_WORD,
            }
    }

    fn beyond_ascii(&mut self, scalar: char) -> Bits {
        let script = script(scalar);
        match script {
            Script::Common | Script::Inherited => {
                let cost = self.common(scalar);
                if self.known.contains(&Some(scalar)) {
                    return cost.min(KNOWN_SYMBOL);
                }
                self.known[self.oldest] = Some(scalar);
                self.oldest = (self.oldest + 1) % KNOWN;
                cost
            }
            Script::Unknown => self.unknown(scalar),
            _ => {
                self.letters += 1;
                self.script = Some(script);
                self.of_script(scalar, script)
            }
        }
    }

    fn of_script(&mut self, scalar: char, script: Script) -> Bits {
        let group = match script {
            Script::Han | Script::Hiragana | Script::Katakana | Script::Bopomofo => Group::Cjk,
            Script::Hangul => Group::Hangul,
            script => Group::Other(script),
        };
        self.has_eastern |= matches!(group, Group::Cjk | Group::Hangul);
        let (capital, small) = (scalar.is_uppercase(), scalar.is_lowercase());
        let frequent = |list: &str, yes: Bits, no: Bits| {
            if list.contains(scalar) { bits(yes) } else { bits(no) }
        };
        let own = match (script, scalar) {
            (Script::Han, '\u{4E00}'..='\u{9FFF}') => self.ideograph(scalar),
            (Script::Han, '々' | '〇') => bits(10),
            (Script::Han, _) => bits(19),
            (Script::Hiragana, _) => bits(6),
            (Script::Katakana, '\u{FF66}'..='\u{FF9F}') => bits(11),
            (Script::Katakana, _) => bits(7),
            (Script::Bopomofo, _) => bits(12),
            (Script::Hangul, '\u{AC00}'..='\u{D7A3}') => frequent::syllable(scalar),
            (Script::Hangul, _) => bits(16),
            (Script::Latin, 'À'..='\u{24F}') => {
                // Rough classes only: `language.rs` tells languages apart.
                let small = scalar.to_lowercase().next().unwrap_or(scalar);
                let rare = match FREQUENT_LATIN.contains(small) {
                    true => 0,
                    false if scalar <= '\u{17F}' => 1,
                    false => 6,
                };
                bits(8 + rare) + if capital { bits(3) } else { 0 }
            }
            (Script::Latin, '\u{1EA0}'..='\u{1EF9}') => bits(if capital { 13 } else { 9 }),
            (Script::Latin, 'ª' | 'º') => bits(11),
            (Script::Latin, _) => bits(15),
            (Script::Cyrillic, '\u{410}'..='\u{44F}') if !capital => {
                frequent(FREQUENT_LETTERS, 4, 6)
            }
            (Script::Cyrillic, '\u{410}'..='\u{44F}') => bits(8),
            (Script::Cyrillic, '\u{401}'..='\u{45F}' | 'Ґ' | 'ґ') => {
                bits(if capital { 11 } else { 8 })
            }
            (Script::Cyrillic, '\u{490}'..='\u{4FF}') => bits(11),
            (Script::Greek, '\u{386}'..='\u{3CE}') if !capital => frequent(FREQUENT_LETTERS, 4, 6),
            (Script::Greek, '\u{386}'..='\u{3CE}') => bits(9),
            (Script::Greek, _) => bits(13),
            (Script::Hebrew, 'א'..='ת') => frequent(FREQUENT_LETTERS, 4, 6),
            (Script::Arabic, '\u{621}'..='\u{64A}') => frequent(FREQUENT_LETTERS, 4, 6),
            (Script::Arabic, '\u{600}'..='\u{6FF}') => bits(8),
            (Script::Thai, _) => frequent(FREQUENT_LETTERS, 5, 6),
            (Script::Devanagari, _) => frequent(FREQUENT_LETTERS, 5, 6),
            (Script::Georgian | Script::Armenian, _) => bits(if capital { 8 } else { 5 }),
            // A script has about a hundred letters, and presentation forms are rare.
            (_, '\u{530}'..='\u{1CFF}') => bits(6),
            (_, '\u{FB00}'..='\u{FEFF}') => bits(15),
            _ => bits(13),
        };
        own + self.letter(group, capital, small)
    }

    /// The cost of an ideograph in the language that is likeliest so far.
    fn ideograph(&mut self, scalar: char) -> Bits {
        let least = |all: &[Bits; 3]| all.iter().copied().min().unwrap_or(0);
        let before = least(&self.ideographs);
        for (all, one) in self.ideographs.iter_mut().zip(frequent::ideograph(scalar)) {
            *all += one;
        }
        least(&self.ideographs) - before
    }

    fn common(&mut self, scalar: char) -> Bits {
        let previous = self.previous;
        let symbol = |model: &mut Self, cost: Bits| model.symbol(cost);
        match scalar {
            '、' | '。' | '\u{3000}' | '，' => symbol(self, 6),
            '\u{3001}'..='\u{303F}' => symbol(self, 9),
            // Lengthens a vowel, and occurs among letters.
            'ー' | '・' => bits(7),
            '\u{FF01}'..='\u{FF65}' => symbol(self, 9),
            '’' => bits(8),
            '“' | '”' | '–' | '—' | '…' | '«' | '»' | '‘' | '„' | '•' => {
                symbol(self, 9)
            }
            '\u{A0}' => {
                self.previous = Previous::Space;
                bits(10)
            }
            '،' | '؟' | '؛' | 'ـ' | '।' => symbol(self, 7),
            '¿' | '¡' if !previous.is_letter() => symbol(self, 9),
            '°' | '§' | '£' | '©' | '®' | '·' | '€' | '™' | '²' => {
                symbol(self, 11 + if previous.is_letter() { 2 } else { 0 })
            }
            '¤' | '¦' | '¨' | '¬' | '¯' | '¸' => {
                symbol(self, 16 + if previous.is_letter() { 4 } else { 0 })
            }
            '\u{A1}'..='\u{BF}' => symbol(self, 13 + if previous.is_letter() { 4 } else { 0 }),
            '\u{200B}'..='\u{200F}' => bits(10),
            '\u{FE0E}' | '\u{FE0F}' => bits(6),
            '‚' | '‡' | '‰' => symbol(self, 16),
            '\u{2028}'..='\u{202F}' | '\u{2060}'..='\u{206F}' => symbol(self, 15),
            '\u{FEFF}' => symbol(self, 20),
            '\u{FFF0}'..='\u{FFFF}' => symbol(self, 18),
            '\u{2010}'..='\u{205F}' => symbol(self, 11),
            // Box drawing, blocks and pictographs: where there is one, there are more.
            '\u{2500}'..='\u{27BF}' | '\u{1F000}'..='\u{1FAFF}' => {
                let run = previous == Previous::Picture;
                self.previous = Previous::Picture;
                bits(if run { 9 } else { 12 })
            }
            '\u{300}'..='\u{36F}' => bits(if previous.is_letter() { 8 } else { 16 }),
            '\u{64B}'..='\u{65F}' | '\u{951}'..='\u{952}' | '\u{964}'..='\u{965}' => bits(8),
            '\u{E000}'..='\u{F8FF}' => symbol(self, 24),
            '\u{2000}'..='\u{2BFF}' => symbol(self, 12),
            _ => symbol(self, 15),
        }
    }

    fn unknown(&mut self, scalar: char) -> Bits {
        let point = u32::from(scalar);
        self.symbol(match point {
            0xFDD0..=0xFDEF => 36,
            _ if point & 0xFFFE == 0xFFFE => 36,
            0xE000..=0xF8FF | 0xF_0000.. => 24,
            _ => 30,
        })
    }
}

/// The script of a character. The table of Unicode takes a search, so the letters of most texts
/// come first.
pub(crate) fn script(scalar: char) -> Script {
    match scalar {
        'À'..='Ö' | 'Ø'..='ö' | 'ø'..='\u{24F}' => Script::Latin,
        'α'..='ω' => Script::Greek,
        '\u{400}'..='\u{481}' => Script::Cyrillic,
        'א'..='ת' => Script::Hebrew,
        'ء'..='ؿ' | 'ف'..='ي' => Script::Arabic,
        'ก'..='ฺ' => Script::Thai,
        'ぁ'..='ゖ' => Script::Hiragana,
        'ァ'..='ヺ' | 'ｦ'..='ｯ' => Script::Katakana,
        '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}' => Script::Han,
        '\u{AC00}'..='\u{D7A3}' => Script::Hangul,
        '\u{E000}'..='\u{F8FF}' => Script::Unknown,
        _ => scalar.script(),
    }
}

/// Whether the characters of a script are letters.
pub(crate) const fn is_of_letters(script: Script) -> bool {
    !matches!(script, Script::Common | Script::Inherited | Script::Unknown)
}

/// The cost of the bytes of US-ASCII, without those after other bytes.
pub(crate) fn of_ascii<'a>(pieces: impl Iterator<Item = &'a [u8]>) -> Bits {
    let (mut model, mut bits) = (Model::default(), 0);
    for piece in pieces {
        let mut before = b' ';
        for byte in piece {
            if byte.is_ascii() {
                let cost = model.add(u32::from(*byte));
                bits += if before.is_ascii() { cost } else { 0 };
            }
            before = *byte;
        }
    }
    bits
}

/// The cost of the bytes as non-text: five classes, weighted by frequency. Binary data has
/// structure, which would save about a fifth.
pub(crate) fn of_no_text<'a>(pieces: impl Iterator<Item = &'a [u8]>) -> Bits {
    /// Size of each class: repeated byte, zero, control, printable ASCII, other.
    const SIZES: [f64; 5] = [1.0, 1.0, 32.0, 95.0, 128.0];
    let (mut counts, mut before) = ([0_u32; SIZES.len()], None);
    for byte in pieces.flatten() {
        counts[match byte {
            0 => 1,
            _ if before == Some(*byte) => 0,
            1..0x20 | 0x7F => 2,
            0x20..0x7F => 3,
            0x80.. => 4,
        }] += 1;
        before = Some(*byte);
    }
    let total = f64::from(counts.iter().sum::<u32>());
    let classes = counts.iter().zip(SIZES).map(|(count, size)| {
        let count = f64::from(*count);
        // The class of each byte is not known in advance and costs extra.
        count * (size.log2() + ((total + 5.0) / (count + 1.0)).log2())
    });
    (classes.sum::<f64>() * 16.0 * 0.8) as Bits
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cost(text: &str) -> Bits {
        let mut model = Model::default();
        text.chars().map(|scalar| model.add(u32::from(scalar))).sum()
    }

    #[test]
    fn text_costs_less_than_the_same_bytes_read_otherwise() {
        // UTF-8 read as windows-1252, KOI8-R as windows-1251, UTF-16 with the wrong byte order.
        for (right, wrong) in [
            ("déjà vu", "dÃ©jÃ vu"),
            ("Привет", "рТЙЧЕФ"),
            ("論語", "隌\u{9e8a}語\u{8ad6}"),
            ("한국어", "햕굍﯂"),
        ] {
            assert!(cost(right) < cost(wrong), "{right}: {} and {}", cost(right), cost(wrong));
        }
    }

    #[test]
    fn ascii_costs_the_same_together_and_one_by_one() {
        let mut random = 1_u64;
        let mut next = |below: u64| {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (random >> 33) % below
        };
        for _ in 0..2000 {
            let (mut together, mut each) = (Model::default(), Model::default());
            for _ in 0..next(8) {
                let other = [0xE9, 0x1B, 0x3BB, 0x4E00, 0x2014, 0x7F][next(6) as usize];
                assert_eq!(together.add(other), each.add(other));
                let points: Vec<u32> = (0..next(12))
                    .map(|_| b"abzABZ019 \n\r\t\x0C\x0B--=++~e".map(u32::from)[next(22) as usize])
                    .collect();
                let (count, cost) = together.add_ascii(&points);
                let expected: Bits = points[..count].iter().map(|point| each.add(*point)).sum();
                assert_eq!(cost, expected, "{points:?}");
                assert!(count == points.len() || points[count] == 0x0B);
                for point in &points[count..] {
                    assert_eq!(together.add(*point), each.add(*point), "{points:?}");
                }
            }
        }
    }

    #[test]
    fn scripts_are_those_of_unicode() {
        for scalar in '\0'..=char::MAX {
            assert_eq!(script(scalar), scalar.script(), "{scalar:?}");
        }
    }

    #[test]
    fn english_takes_fewer_bits_than_ideographs_of_the_same_bytes() {
        assert!(cost("this app can break") < cost("桴獩愠灰挠湡戠敲歡"));
    }
}
