//! How well restored Latin letters fit together. Two charsets may explain a line with different
//! letters, equally common: `früher` or `fråher`. Languages tell them apart, by the letters that
//! occur together, and by their neighbours.
//!
//! It decides between two explanations. It does not count as evidence that a line is misread.

mod table;
mod words;

use table::{LANGUAGES, LETTERS};

use crate::cost::Weighed;

/// The letters of the table are from U+00C0 on.
const FIRST: usize = 0xC0;
const COUNT: usize = 0x250 - FIRST;
/// Kinds of neighbours: each letter of US-ASCII, another letter, and all else.
const CLASSES: usize = 28;
/// Neighbours of this many bits or fewer are usual.
const USUAL: u8 = 4;
/// The most bits of a neighbour.
const ODD: u8 = 8;
/// The most bits by which a letter is rarer in one language than in another.
const FOREIGN: u8 = 6;
/// The bits by which a common word is evidence for its language, and a letter that the language
/// lacks against it; each counts for so many words.
const KNOWN_WORD: i32 = 6;
const FOREIGN_WORD: i32 = 4;
const ENOUGH: usize = 3;
/// How many bits less likely languages without words are.
const SELDOM: i32 = 4;
/// How many words of a line are examined.
const MOST_WORDS: usize = 64;
/// The upper limit of [`doubt`], in bits.
const MOST: i32 = 200;

/// The doubts about a letter.
#[derive(Clone, Copy)]
struct Letter {
    before: [u8; CLASSES],
    after: [u8; CLASSES],
    languages: [u8; LANGUAGES],
    /// How rare it is where it is most frequent.
    rarity: u8,
}

/// The number of a row, from 1, for each letter.
static ROWS: [u8; COUNT] = {
    let mut rows = [0; COUNT];
    let mut row = 0;
    while row < LETTERS.len() {
        rows[LETTERS[row].0 as usize - FIRST] = row as u8 + 1;
        row += 1;
    }
    rows
};

static ALL: [Letter; LETTERS.len()] = {
    let none =
        Letter { before: [0; CLASSES], after: [0; CLASSES], languages: [0; LANGUAGES], rarity: 0 };
    let mut all = [none; LETTERS.len()];
    let mut row = 0;
    while row < LETTERS.len() {
        let (_, before, after, languages) = LETTERS[row];
        let commonest = least(languages.as_bytes());
        all[row] = Letter {
            before: doubts(before.as_bytes(), USUAL, ODD),
            after: doubts(after.as_bytes(), USUAL, ODD),
            languages: doubts(languages.as_bytes(), commonest, u8::MAX),
            rarity: commonest,
        };
        row += 1;
    }
    all
};

/// The smallest entry of a list, in bits.
const fn least(digits: &[u8]) -> u8 {
    let (mut least, mut at) = (u8::MAX, 0);
    while at < digits.len() {
        let bits = digit(digits[at]);
        least = if bits < least { bits } else { least };
        at += 1;
    }
    least
}

/// For each entry of a list, the bits above `usual`, at most `most`.
const fn doubts<const N: usize>(digits: &[u8], usual: u8, most: u8) -> [u8; N] {
    let mut doubts = [0; N];
    let mut at = 0;
    while at < N {
        let bits = digit(digits[at]).saturating_sub(usual);
        doubts[at] = if bits < most { bits } else { most };
        at += 1;
    }
    doubts
}

const fn digit(digit: u8) -> u8 {
    match digit {
        b'0'..=b'9' => digit - b'0',
        _ => digit - b'a' + 10,
    }
}

/// The doubt, in bits, about the letters of a text that `is_meant` selects by index.
pub(crate) fn doubt(text: &[char], is_meant: impl Fn(usize) -> bool) -> i32 {
    let (of_neighbours, of_languages) = doubts_of(text, is_meant, FOREIGN);
    let of_language = of_languages.into_iter().min().unwrap_or(0);
    (of_neighbours + of_language).min(MOST)
}

/// How unlikely it is, in bits, that a line is in each language.
pub(crate) struct Languages([i32; LANGUAGES]);

impl Languages {
    /// Judges a line by its words, and by the letters of US-ASCII that languages lack.
    pub(crate) fn of(text: &[char]) -> Self {
        let words = text.split(|character| !character.is_alphabetic());
        let words = words.filter(|word| !word.is_empty()).take(MOST_WORDS);
        let mut words: Vec<String> =
            words.map(|word| String::from_iter(word).to_ascii_lowercase()).collect();
        words.sort_unstable();
        words.dedup();
        let sets: Vec<u32> = words.iter().map(|word| words::of(word)).collect();
        let mut bits = [SELDOM; LANGUAGES];
        for (index, language) in words::all().enumerate() {
            let known = sets.iter().filter(|set| **set >> index & 1 == 1);
            let foreign = words.iter().filter(|word| word.bytes().any(|byte| language.lacks(byte)));
            bits[language.index] = FOREIGN_WORD * foreign.take(ENOUGH).count() as i32
                - KNOWN_WORD * known.take(ENOUGH).count() as i32;
        }
        Self(bits)
    }

    /// The same as [`doubt`] for a whole line in one of these languages. It decides between charsets
    /// that explain all of the line. Letters count half as they do in all texts, half as in their
    /// language.
    pub(crate) fn doubt(&self, text: &[char], is_meant: impl Fn(usize) -> bool) -> i32 {
        let meant = text.iter().enumerate().filter(|(index, _)| is_meant(*index));
        let letters = meant.filter_map(|(_, character)| {
            let rarity = i32::from(letter(*character)?.rarity);
            Some(rarity - Weighed::new(*character).bits())
        });
        let of_letters: i32 = letters.sum();
        let (of_neighbours, of_languages) = doubts_of(text, &is_meant, u8::MAX);
        let of_language = of_languages.iter().zip(self.0).map(|(a, b)| a + b).min().unwrap_or(0);
        of_letters / 2 + of_neighbours + of_language
    }
}

/// The doubts about the neighbours of the letters, and about the letters in each language.
fn doubts_of(text: &[char], is_meant: impl Fn(usize) -> bool, most: u8) -> (i32, [i32; LANGUAGES]) {
    let (mut of_neighbours, mut of_languages) = (0, [0_i32; LANGUAGES]);
    for (index, character) in text.iter().enumerate().filter(|(index, _)| is_meant(*index)) {
        let Some(letter) = letter(*character) else { continue };
        let class = |at: Option<&char>| at.map_or(CLASSES - 1, |neighbour| class(*neighbour));
        let before = class(index.checked_sub(1).and_then(|before| text.get(before)));
        let after = class(text.get(index + 1));
        of_neighbours += i32::from(letter.before[before] + letter.after[after]);
        for (sum, doubt) in of_languages.iter_mut().zip(letter.languages) {
            *sum += i32::from(doubt.min(most));
        }
    }
    (of_neighbours, of_languages)
}

fn letter(character: char) -> Option<&'static Letter> {
    let row = |character: char| {
        let row = *ROWS.get((character as usize).checked_sub(FIRST)?)?;
        ALL.get(usize::from(row).checked_sub(1)?)
    };
    if !matches!(character, '\u{C0}'..='\u{24F}') {
        return None;
    }
    row(character).or_else(|| row(character.to_lowercase().next()?))
}

fn class(character: char) -> usize {
    match character.to_ascii_lowercase() {
        small @ 'a'..='z' => small as usize - 'a' as usize,
        other if other.is_alphabetic() => CLASSES - 2,
        _ => CLASSES - 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The doubt about all letters of a text.
    fn of(text: &str) -> i32 {
        doubt(&text.chars().collect::<Vec<_>>(), |_| true)
    }

    #[test]
    fn letters_fit_their_language() {
        for (right, wrong) in [
            ("schließt heute früher als üblich", "schlieüt heute fråher als åblich"),
            ("o niño pequeño", "o niùo pequeùo"),
            ("Horário Padrão", "Horårio Padrão"),
            ("Želim žuti đačić", "Ŝelim ŝuti đačić"),
            ("nie jest dużym", "nie jest duşym"),
        ] {
            assert!(of(right) + 3 <= of(wrong), "{right} {}, {wrong} {}", of(right), of(wrong));
        }
        assert_eq!(of("plain"), 0);
    }
}
