//! Words that a text repeats. The same word again is not further evidence: in a list of amounts with
//! `zł`, a letter that is wrong in one line is wrong in all of them.

use std::collections::HashMap;

use crate::sample::Piece;

/// In a text with more different words than this, they may be repeated.
const ENOUGH: usize = 50;
/// How often a word may occur; in a text of many words, more often.
const OFTEN: usize = 2;
/// One more occurrence is allowed for so many different words.
const WORDS_FOR_ONE: usize = 4;
/// The length in bytes from which the same character in a row, as in `———`, is shortened.
const ROW: usize = 14;
/// After how many bytes a row repeats, and a multiple of the lengths of characters that may repeat so:
/// it is shortened by such steps, and no character is cut.
const PERIODS: [(usize, usize); 4] = [(1, 2), (2, 2), (3, 6), (4, 4)];

/// The pieces with spaces instead of words that are repeated too often. Everything else stays in its
/// place. A text with many different words has evidence enough.
pub(crate) fn blanked(pieces: &[Piece]) -> Option<Vec<Piece>> {
    let words: Vec<Vec<Word>> = pieces.iter().map(|piece| words(&piece.bytes)).collect();
    let mut counts: HashMap<&[u8], usize> = HashMap::new();
    for word in words.iter().flatten() {
        counts.insert(&word.bytes, 0);
    }
    if counts.len() > ENOUGH {
        return None;
    }
    let most = OFTEN + counts.len() / WORDS_FOR_ONE;
    let mut blanked = pieces.to_vec();
    for (piece, words) in blanked.iter_mut().zip(&words) {
        for Word { begin, end, bytes } in words {
            piece.bytes[*begin..*end].fill(b' ');
            let count = counts.entry(bytes).or_default();
            *count += 1;
            if *count <= most {
                piece.bytes[*begin..*begin + bytes.len()].copy_from_slice(bytes);
            }
        }
    }
    Some(blanked)
}

/// Bytes from 40 on, at least one of them beyond US-ASCII. In any charset, they are whole characters,
/// mostly letters.
struct Word {
    begin: usize,
    end: usize,
    /// Its bytes, with fewer characters in a row.
    bytes: Vec<u8>,
}

/// The words of a piece. Digits are among the bytes of GB 18030, so a byte between them does not count.
fn words(piece: &[u8]) -> Vec<Word> {
    let mut words = Vec::new();
    let mut end = 0;
    while let Some(begin) = piece[end..].iter().position(|byte| *byte >= 0x40) {
        let begin = end + begin;
        let length = piece[begin..].iter().position(|byte| *byte < 0x40);
        end = length.map_or(piece.len(), |length| begin + length);
        let is_part = end - begin == 1
            && (matches!(piece[..begin], [.., 0x81..=0xFF, b'0'..=b'9'])
                || matches!(piece[end..], [b'0'..=b'9', 0x81..=0xFF, ..]));
        if !piece[begin..end].is_ascii() && !is_part {
            words.push(Word { begin, end, bytes: shortened(&piece[begin..end]) });
        }
    }
    words
}

/// A word with fewer characters in a row.
fn shortened(mut word: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(word.len());
    while let [first, rest @ ..] = word {
        match PERIODS.into_iter().find_map(|(period, step)| Some((row(word, period)?, step))) {
            Some((length, step)) => {
                bytes.extend_from_slice(&word[..step + length % step]);
                word = &word[length..];
            }
            None => {
                bytes.push(*first);
                word = rest;
            }
        }
    }
    bytes
}

/// The length of the row that repeats its first `period` bytes, if a word begins with one.
fn row(word: &[u8], period: usize) -> Option<usize> {
    let pairs = word.iter().zip(word.get(period..)?);
    let length = period + pairs.take_while(|(before, byte)| before == byte).count();
    (length >= ROW && !word[..period].is_ascii()).then_some(length)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blanked_text(text: &[u8]) -> Vec<u8> {
        let piece = Piece { offset: 0, bytes: text.to_vec(), last: true };
        blanked(&[piece]).unwrap().swap_remove(0).bytes
    }

    #[test]
    fn a_word_counts_twice() {
        let (text, expected) = ("1 zł\n2 zł\n3 zł\n4 zł\n", "1 zł\n2 zł\n3    \n4    \n");
        assert_eq!(blanked_text(text.as_bytes()), expected.as_bytes());
        assert_eq!(blanked_text(b"\xA31,\xA32,\xA33"), b"\xA31,\xA32, 3");
        // Rows of 18 bytes.
        let (text, expected) = ("──────┬──────", "──┬──                        ");
        assert_eq!(blanked_text(text.as_bytes()), expected.as_bytes());
        // The Hiragana い is A4 A4 in EUC-JP.
        assert_eq!(blanked_text(b"\xA4\xA4\xA4\xA4\xA4\xAA"), b"\xA4\xA4\xA4\xA4\xA4\xAA");
    }

    #[test]
    fn natural_text_stays() {
        let text =
            "Le café était fermé à midi, et à une heure l'été était déjà là.\nŠárka přišla.\n";
        assert_eq!(blanked_text(text.as_bytes()), text.as_bytes());
        assert_eq!(blanked_text("wooow, naïïf".as_bytes()), "wooow, naïïf".as_bytes());
        // U+1F606 in GB 18030.
        let smileys = b"\x94\x39\xFC\x36\x94\x39\xFC\x36\x94\x39\xFC\x36";
        assert_eq!(blanked_text(smileys), smileys);
    }
}
