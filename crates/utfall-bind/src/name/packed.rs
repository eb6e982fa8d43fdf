//! The list of names as modules of WebAssembly have it: packed, word by word, to 70 % of its size
//! with `gzip`.

use std::collections::HashMap;

use utfall::packed::{Bit, Coder, Mixer, Number, hash};

/// Names of lines: those that repeat a name, those that go to a code point; others are digits.
const REPEAT: u8 = b'=';
const GO_TO: u8 = b'!';

/// The bits of the number of a word. Number 0 is the end of a line.
const WORD: u32 = 14;
/// The bits of a letter. 0 is the end of a word.
const LETTER: u32 = 7;

/// The words and probabilities that the lines before have taught.
struct Models {
    words: Vec<String>,
    numbers: HashMap<String, u32>,
    /// By the sign before, and by the number of words before.
    signs: Vec<[Bit; 128]>,
    gaps: [Number; 2],
    is_new: Mixer,
    word: Mixer,
    letters: Mixer,
}

/// Packs `names.txt`, or unpacks it.
pub(super) fn code(coder: &mut Coder<'_>, list: &str) -> String {
    let mut models = Models {
        words: vec![String::new()],
        numbers: HashMap::from([(String::new(), 0)]),
        signs: vec![[Bit::NEW; 128]; 128 * 8],
        gaps: [Number::NEW; 2],
        is_new: Mixer::new(3, 16, 4),
        word: Mixer::new(3, 18, 4 * WORD as usize),
        letters: Mixer::new(4, 16, 8 * LETTER as usize),
    };
    let lines = coder.raw(16, list.lines().count() as u32);
    let mut lines_of_list = list.lines();
    let mut text = String::new();
    // The numbers of the words of the last name.
    let mut last: Vec<u32> = Vec::new();
    let (mut sign, mut next) = (0, 0);
    for _ in 0..lines {
        let line = lines_of_list.next().unwrap_or("0");
        let model = &mut models.signs[usize::from(sign) << 3 | last.len().min(7)];
        sign = coder.tree(model, u32::from(line.as_bytes()[0])) as u8;
        text.push(char::from(sign));
        if matches!(sign, REPEAT | GO_TO) {
            let start = if sign == GO_TO { next } else { 0 };
            let value = u32::from_str_radix(&line[1..], 16).unwrap_or(start);
            let value = coder.number(&mut models.gaps[usize::from(sign == GO_TO)], value - start);
            let value = start + value;
            text += &format!("{value:X}\n");
            next = if sign == GO_TO { value } else { next + value };
            if sign == GO_TO {
                last.clear();
            }
            continue;
        }
        next += 1;
        let mut words = line[1..].split(' ').filter(|word| !word.is_empty());
        let mut name: Vec<u32> =
            last.iter().copied().take(usize::from(sign.saturating_sub(b'0'))).collect();
        let shared = name.len();
        loop {
            let word = models.code(coder, &last, &name, words.next().unwrap_or_default());
            if word == 0 {
                break;
            }
            if name.len() > shared {
                text.push(' ');
            }
            text += &models.words[word as usize];
            name.push(word);
        }
        text.push('\n');
        last = name;
    }
    text
}

impl Models {
    /// Codes the next word of a name. Returns its number.
    fn code(&mut self, coder: &mut Coder<'_>, last: &[u32], name: &[u32], word: &str) -> u32 {
        let at = name.len();
        let of = |words: &[u32], at: usize| words.get(at).copied().unwrap_or(0);
        let before = at.checked_sub(1).map_or(0, |at| name[at]);
        let above = of(last, at);
        let contexts = [
            hash(&[1, before]),
            hash(&[3, above, before]),
            hash(&[4, above, of(last, at + 1), at as u32]),
        ];
        let number = self.numbers.get(word).copied();
        let set = at.min(3);
        if self.is_new.bit(coder, &contexts, 1, set, number.is_none()) {
            let word = self.spell(coder, above, before, word);
            let number = self.words.len() as u32;
            self.words.push(word.clone());
            self.numbers.insert(word, number);
            return number;
        }
        let number = number.unwrap_or(0);
        self.word.tree(coder, &contexts, WORD, set, number).min(self.words.len() as u32 - 1)
    }

    /// Codes a word that did not occur before.
    fn spell(&mut self, coder: &mut Coder<'_>, above: u32, before: u32, word: &str) -> String {
        let above = &self.words[above as usize];
        let next = next(above);
        let mut known = String::new();
        loop {
            let letter =
                |text: &str, at: usize| text.as_bytes().get(at).map_or(0, |it| u32::from(*it));
            let at = known.len();
            let begins = |text: &str| u32::from(text.as_bytes().starts_with(known.as_bytes()));
            let back = |count: usize| at.checked_sub(count).map_or(0, |at| letter(&known, at));
            let two = back(1) << 8 | back(2);
            let contexts = [
                hash(&[1, two, back(3)]),
                hash(&[2, two]),
                hash(&[3, two, back(3), back(4)]),
                hash(&[
                    4,
                    letter(&next, at),
                    begins(&next),
                    letter(above, at),
                    begins(above),
                    if at == 0 { before } else { 0 },
                ]),
            ];
            let set = at.min(3) << 1 | begins(&next) as usize;
            let value = letter(word, at);
            match self.letters.tree(coder, &contexts, LETTER, set, value) as u8 {
                0 => return known,
                letter => known.push(char::from(letter)),
            }
        }
    }
}

/// A word with the next number, of as many digits: `A002` after `A001`.
fn next(word: &str) -> String {
    let is_digit = |letter: char| letter.is_ascii_digit();
    let Some(start) = word.find(is_digit) else { return String::new() };
    let (head, digits) = word.split_at(start);
    let digits = &digits[..digits.find(|letter| !is_digit(letter)).unwrap_or(digits.len())];
    let number = digits.parse::<u64>().map_or(0, |number| number + 1);
    format!("{head}{number:0width$}", width = digits.len())
}
