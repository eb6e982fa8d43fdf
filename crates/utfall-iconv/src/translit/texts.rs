//! The texts of `any_ascii` as modules of WebAssembly have them: packed, and unpacked when they are
//! first used. Its own table would be a fifth of such a module.

use utfall::packed::{Bit, Coder, Mixer, Number, hash};

/// The part of the texts that a code point belongs to. Each is packed separately.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// Stays as it is.
    UsAscii,
    /// Alphabets, symbols, kana.
    Common,
    /// Ideographs: syllables, most of them many times.
    Ideographs,
    /// Syllables that are composed.
    Hangul,
    /// Other scripts, historic scripts, emoji.
    Rest,
}

impl Part {
    pub(super) fn of(point: u32) -> Self {
        match point {
            ..0x80 => Self::UsAscii,
            0x80..0x3400 => Self::Common,
            0xAC00..=0xD7A3 => Self::Hangul,
            0x3400..0xA000 | 0xF900..0xFB00 | 0x2_0000..0x4_0000 => Self::Ideographs,
            _ => Self::Rest,
        }
    }
}

/// Code points, in order, and their texts.
#[derive(Default, PartialEq)]
pub(super) struct Texts {
    points: Vec<u32>,
    /// Where the text of each code point ends.
    ends: Vec<u32>,
    text: String,
}

impl Texts {
    /// Unpacks texts.
    #[cfg(all(target_arch = "wasm32", target_os = "unknown"))]
    pub(super) fn unpacked(packed: &[u8], part: Part) -> Self {
        Self::default().code(&mut utfall::packed::Coder::unpacker(packed), part)
    }

    /// Composes the texts of Hangul syllables.
    pub(super) fn hangul() -> Self {
        let mut texts = Self::default();
        for (point, text) in (0xAC00..).map_while(|point| Some((point, hangul(point)?))) {
            texts.push(point, &text);
        }
        texts
    }

    pub(super) fn push(&mut self, point: u32, text: &str) {
        self.text.push_str(text);
        self.points.push(point);
        self.ends.push(self.text.len() as u32);
    }

    /// The text of a code point, empty if it has none.
    #[cfg(all(target_arch = "wasm32", target_os = "unknown"))]
    pub(super) fn get(&self, point: u32) -> &str {
        self.points.binary_search(&point).map_or("", |at| self.at(at))
    }

    fn at(&self, at: usize) -> &str {
        let start = at.checked_sub(1).map_or(0, |before| self.ends[before] as usize);
        &self.text[start..self.ends[at] as usize]
    }

    /// Packs these texts, or unpacks texts.
    pub(super) fn code(&self, coder: &mut Coder<'_>, part: Part) -> Self {
        let count = coder.raw(17, self.points.len() as u32) as usize;
        let mut texts = Self::default();
        let mut gaps = Number::NEW;
        let mut syllables = Syllables::new();
        let mut words = Words::new();
        let mut last = 0;
        for at in 0..count {
            let (point, text) = match coder.packs() {
                true => (self.points[at], self.at(at)),
                false => (last + 1, ""),
            };
            let point = last + 1 + coder.number(&mut gaps, point - last - 1);
            let text = match part {
                Part::Ideographs => syllables.code(coder, point, text),
                _ => words.code(coder, point, text),
            };
            texts.push(point, &text);
            last = point;
        }
        texts
    }
}

/// Each is one of a few thousand values. The one before says nothing about it.
struct Syllables {
    known: Vec<String>,
    is_new: [Bit; 4],
    numbers: Mixer,
    words: Words,
}

impl Syllables {
    fn new() -> Self {
        Self {
            known: Vec::new(),
            is_new: [Bit::NEW; 4],
            numbers: Mixer::new(2, 17, 12),
            words: Words::new(),
        }
    }

    fn code(&mut self, coder: &mut Coder<'_>, point: u32, text: &str) -> String {
        // They are in Mandarin up to here, and in various languages after it.
        let block = match point {
            ..0x4E00 => 0,
            0x4E00..0xFB00 => 1,
            0xFB00..0x2_A6E0 => 2,
            _ => 3,
        };
        let number = match coder.packs() {
            true => self.known.iter().position(|known| known == text),
            false => None,
        };
        if coder.bit(&mut self.is_new[block], coder.packs() && number.is_none()) {
            let text = self.words.code(coder, 0, text);
            self.known.push(text.clone());
            return text;
        }
        let contexts = [0, hash(&[block as u32])];
        let number = number.unwrap_or(0) as u32;
        let number = self.numbers.tree(coder, &contexts, 12, 0, number);
        self.known.get(number as usize).cloned().unwrap_or_default()
    }
}

/// Texts that are similar to the one before, or go on counting: `k kh g gh`, `A1 A2 A3`.
struct Words {
    letters: Mixer,
    last: String,
    /// The hash of the text before the last one.
    before: u32,
}

/// The bits of a letter of US-ASCII. 0 is the end of a text.
const LETTER: u32 = 7;

impl Words {
    fn new() -> Self {
        Self { letters: Mixer::new(4, 17, 8 * LETTER as usize), last: String::new(), before: 0 }
    }

    fn code(&mut self, coder: &mut Coder<'_>, point: u32, text: &str) -> String {
        let last = hash_of(&self.last);
        let next = next(&self.last);
        let mut known = String::new();
        loop {
            let letter =
                |text: &str| text.as_bytes().get(known.len()).map_or(0, |it| u32::from(*it));
            let begins = |text: &str| text.as_bytes().starts_with(known.as_bytes());
            let so_far = hash_of(&known);
            let contexts = [
                hash(&[1, so_far, point >> 7]),
                hash(&[2, so_far, last]),
                hash(&[
                    3,
                    letter(&self.last),
                    u32::from(begins(&self.last)),
                    letter(&next),
                    u32::from(begins(&next)),
                ]),
                hash(&[4, so_far, last, self.before]),
            ];
            let set = known.len().min(3) << 1 | usize::from(begins(&self.last));
            let value = letter(text);
            match self.letters.tree(coder, &contexts, LETTER, set, value) as u8 {
                0 => break,
                letter => known.push(char::from(letter)),
            }
        }
        self.before = last;
        self.last.clone_from(&known);
        known
    }
}

fn hash_of(text: &str) -> u32 {
    text.bytes().fold(0, |known, byte| hash(&[known, u32::from(byte)]))
}

/// A text with the next number.
fn next(text: &str) -> String {
    let is_digit = |letter: char| letter.is_ascii_digit();
    let Some(start) = text.find(is_digit) else { return String::new() };
    let (head, digits) = text.split_at(start);
    let digits = &digits[..digits.find(|letter| !is_digit(letter)).unwrap_or(digits.len())];
    format!("{head}{}", digits.parse::<u64>().map_or(0, |number| number + 1))
}

/// The text of a Hangul syllable.
fn hangul(point: u32) -> Option<String> {
    const LEADING: [&str; 19] = [
        "g", "kk", "n", "d", "tt", "l", "m", "b", "pp", "s", "ss", "", "j", "jj", "ch", "k", "t",
        "p", "h",
    ];
    const VOWEL: [&str; 21] = [
        "a", "ae", "ya", "yae", "eo", "e", "yeo", "ye", "o", "wa", "wae", "oe", "yo", "u", "wo",
        "we", "wi", "yu", "eu", "ui", "i",
    ];
    const TRAILING: [&str; 28] = [
        "", "g", "kk", "gs", "n", "nj", "nh", "d", "l", "lg", "lm", "lb", "ls", "lt", "lp", "lh",
        "m", "b", "bs", "s", "ss", "ng", "j", "ch", "k", "t", "p", "h",
    ];
    let index = point.checked_sub(0xAC00)? as usize;
    let leading = LEADING.get(index / (VOWEL.len() * TRAILING.len()))?;
    let vowel = VOWEL[index / TRAILING.len() % VOWEL.len()];
    let trailing = TRAILING[index % TRAILING.len()];
    let mut text = format!("{leading}{vowel}{trailing}");
    text[..1].make_ascii_uppercase();
    Some(text)
}
