//! How common Latin letters beyond US-ASCII are, and which of them follow each other.

mod table;

use table::LETTERS;

/// Letters from U+00C0 up to here are looked up.
const LAST: usize = 0x24F;
const FIRST: usize = 0xC0;
const COUNT: usize = LAST - FIRST + 1;
const WORDS: usize = COUNT.div_ceil(64);

/// A bit for each pair.
static SETS: [[u64; WORDS]; COUNT] = sets();

const fn sets() -> [[u64; WORDS]; COUNT] {
    let mut sets = [[0; WORDS]; COUNT];
    let mut row = 0;
    while row < LETTERS.len() {
        let (first, _, seconds) = LETTERS[row];
        let bytes = seconds.as_bytes();
        let mut at = 0;
        while at < bytes.len() {
            // All of them have two bytes in UTF-8.
            let second = (bytes[at] as usize & 0x1F) << 6 | (bytes[at + 1] as usize & 0x3F);
            let bit = second - FIRST;
            sets[first as usize - FIRST][bit / 64] |= 1 << (bit % 64);
            at += 2;
        }
        row += 1;
    }
    // It begins names, too few of which are in the texts.
    let (capital, small) = ('Š' as usize - FIRST, 'š' as usize - FIRST);
    let mut word = 0;
    while word < WORDS {
        sets[capital][word] |= sets[small][word];
        word += 1;
    }
    sets
}

/// Bits of a letter that is in no language.
const ABSENT: u8 = 16;

/// How rare each letter is.
static BITS: [u8; COUNT] = {
    let mut bits = [ABSENT; COUNT];
    let mut row = 0;
    while row < LETTERS.len() {
        let (letter, rarity, _) = LETTERS[row];
        bits[letter as usize - FIRST] = rarity;
        row += 1;
    }
    bits
};

/// How rare a letter is among such letters, in bits, in the language that has the most of it. `None` unless
/// it is a Latin letter beyond US-ASCII, from the blocks of the table.
pub(super) fn rarity(letter: char) -> Option<i32> {
    index(letter).map(|index| i32::from(BITS[index]))
}

fn index(letter: char) -> Option<usize> {
    let is_letter = matches!(letter, '\u{C0}'..='\u{24F}') && !matches!(letter, '×' | '÷');
    is_letter.then(|| letter as usize - FIRST)
}

/// Whether the second letter follows the first in some language, or one is not a Latin letter beyond
/// US-ASCII.
pub(crate) fn follow(first: char, second: char) -> bool {
    let (Some(first), Some(second)) = (index(first), index(second)) else { return true };
    SETS[first][second / 64] >> (second % 64) & 1 == 1
}
