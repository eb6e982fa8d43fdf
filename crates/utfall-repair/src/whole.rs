//! A word is repaired whole or not at all: a half-repaired word is harder to recognize than a
//! damaged one.

use crate::Charset;
use crate::chain::Step;
use crate::charset::marks;
use crate::search::Found;
use crate::search::quick::Explained;

/// How many characters at the end of a part of a line may belong to a sequence that is cut.
const CUT: usize = 24;

/// Removes findings in words that would keep other damage, and returns them. `has_others` says that
/// the line has other characters beyond US-ASCII. `is_whole` is false for a part of a line that goes
/// on. `delimiter` separates the cells of a table.
pub(crate) fn keep(
    line: &[char],
    has_others: bool,
    is_whole: bool,
    delimiter: Option<char>,
    found: &mut Vec<Found>,
) -> Vec<Found> {
    // Without other characters, no word has other damage.
    let is_same = |pair: &[Found]| pair[0].bits == pair[1].bits;
    if !has_others && found.windows(2).all(is_same) {
        return Vec::new();
    }
    let sound = if is_whole { line.len() } else { line.len().saturating_sub(CUT) };
    let (mut from, mut left) = (0, Vec::new());
    while from < found.len() {
        let (begin, mut end) = word(line, found[from].begin, found[from].end, delimiter);
        let mut to = from + 1;
        while let Some(next) = found.get(to).filter(|next| next.begin < end) {
            if next.end > end {
                end = word(line, next.begin, next.end, delimiter).1;
            }
            to += 1;
        }
        let last = from.checked_sub(1).map_or(0, |last| found[last].end);
        let is_cut = is_after_cut_letter(&line[last..], found[from].begin - last, &found[from])
            && !is_nordic(line, found);
        if is_cut || is_damaged(line, (begin, end), sound, &found[from..to]) {
            left.extend(found.drain(from..to));
            continue;
        }
        // They are made together, or none is.
        let least = found[from..to].iter().map(|found| found.bits).min().unwrap_or(0);
        found[from..to].iter_mut().for_each(|found| found.bits = least);
        from = to;
    }
    left
}

/// Whether `Å` and a space before a place may be `Š`, which begins the word: U+00A0 became that space. The line begins
/// after the place before.
fn is_after_cut_letter(line: &[char], begin: usize, found: &Found) -> bool {
    let is_small = found.text.first().is_some_and(|(_, first)| first.is_lowercase());
    let before = |count: usize| begin.checked_sub(count).map(|index| line[index]);
    is_small
        && before(1) == Some(' ')
        && before(2) == Some('Å')
        && !before(3).is_some_and(char::is_alphanumeric)
}

/// Whether a line has other letters of the languages in which `Å` is a word.
fn is_nordic(line: &[char], found: &[Found]) -> bool {
    let restored = found.iter().flat_map(|found| found.text.iter().map(|(_, character)| character));
    line.iter().chain(restored).any(|character| matches!(character, 'å' | 'ä' | 'ö' | 'æ' | 'ø'))
}

/// Whether a line has more damage of another kind than these findings repair. Text in a multi-byte
/// charset, or for a font with its own layout, was read in a single-byte charset, and some of its
/// bytes form UTF-8 by chance.
pub(crate) fn is_other_damage(line: &[char], has_others: bool, found: &[Found]) -> bool {
    if found.is_empty() {
        return false;
    }
    let may_be_odd = |c: char| matches!(c, '\u{A1}'..='\u{BF}' | '\u{300}'..='\u{36F}');
    let has_odd = |found: &Found| found.text.iter().any(|(_, character)| may_be_odd(*character));
    if !has_others && !found.iter().any(has_odd) {
        return false;
    }
    let (mut last, mut odd, mut restored, mut at) = (' ', 0, 0, 0);
    let charset = found.iter().find_map(|found| match found.chain.steps().last() {
        Some(Step::Misread { charset, .. }) => Some(*charset),
        _ => None,
    });
    // A sequence that stays is damage of the same kind.
    let is_sequence = |first: char, second: char| {
        let set = marks(first).lead & marks(second).more;
        charset.is_some_and(|charset| set >> charset.index() & 1 == 1)
    };
    let mut add = |character: char| {
        odd += usize::from(is_odd_pair(last, character) && !is_sequence(last, character));
        last = character;
    };
    for found in found {
        line[at..found.begin].iter().for_each(|character| add(*character));
        found.text.iter().for_each(|(_, character)| add(*character));
        restored += found.text.len();
        at = found.end;
    }
    line[at..].iter().for_each(|character| add(*character));
    odd > 0 && odd * 3 >= restored
}

/// Whether such a pair is in the restored text of an explained line.
pub(crate) fn has_odd_pair(line: &[u8], explained: &Explained) -> bool {
    explained.runs.iter().any(|run| {
        // The character before a run is in US-ASCII.
        let mut last = run.begin.checked_sub(1).map_or(' ', |before| char::from(line[before]));
        let restored = String::from_utf8_lossy(explained.restored(run));
        restored.chars().any(|character| {
            let is_odd = is_odd_pair(last, character);
            last = character;
            is_odd
        })
    })
}

/// Whether two characters never follow each other in correct text: a sign next to a letter that is
/// not US-ASCII, two signs, or a mark without a letter.
fn is_odd_pair(first: char, second: char) -> bool {
    let is_sign = |c| {
        matches!(c, '¢' | '£' | '¤' | '¥' | '¦' | '§' | '¨' | '¬' | '¯' | '±' | '´' | '¶' | '¸')
            || matches!(c, '¼'..='¾')
    };
    let is_letter = |c: char| c >= '\u{C0}' && c.is_alphabetic();
    let is_before = is_sign(first) || matches!(first, '»' | '®');
    let is_after = is_sign(second) || matches!(second, '¡' | '¿' | '«');
    is_before && is_letter(second)
        || is_after && is_letter(first)
        || is_before && is_after && first != second
        || first.is_whitespace() && matches!(second, '\u{300}'..='\u{36F}')
}

/// The word around a range.
fn word(line: &[char], begin: usize, end: usize, delimiter: Option<char>) -> (usize, usize) {
    let is_of_word = |character: &&char| {
        !matches!(character, ' ' | '\t' | '\n' | '\r') && Some(**character) != delimiter
    };
    let head = line[..begin].iter().rev().take_while(is_of_word).count();
    let tail = line[end..].iter().take_while(is_of_word).count();
    (begin - head, end + tail)
}

/// Whether a word would still be damaged after these repairs.
fn is_damaged(line: &[char], (begin, end): (usize, usize), sound: usize, found: &[Found]) -> bool {
    // The word after the repairs, with a mark on the characters that stay.
    let mut after: Vec<(char, bool)> = Vec::with_capacity(end - begin);
    let mut at = begin;
    for found in found {
        after.extend(line[at..found.begin].iter().map(|character| (*character, true)));
        after.extend(found.text.iter().map(|(_, character)| (*character, false)));
        at = found.end;
    }
    // The end of a part is not known.
    after.extend(line[at..end].iter().map(|character| (*character, true)));
    after.truncate(after.len() - end.saturating_sub(sound.max(at)));
    let charsets = found.iter().filter_map(|found| match found.chain.steps().last() {
        Some(Step::Misread { charset, .. }) => Some(*charset),
        _ => None,
    });
    let mut charsets: Vec<_> = charsets.collect();
    // A place may have the same characters in several charsets. The commonest one shows what else is damaged.
    charsets.extend(Charset::all().next());
    charsets.sort_unstable();
    charsets.dedup();
    // More letters that would have been misread, and were not, than restored ones.
    let is_high = |&&(character, is_left): &&(char, bool)| {
        is_left
            && character.is_alphabetic()
            && charsets.iter().any(|charset| charset.high_byte(character).is_some())
    };
    let restored: usize = found.iter().map(|found| found.text.len()).sum();
    if after.iter().filter(is_high).count() > restored {
        return true;
    }
    (0..after.len()).any(|index| {
        let (character, is_left) = after[index];
        if !is_left || character < '\u{80}' {
            return false;
        }
        if character == char::REPLACEMENT_CHARACTER {
            return true;
        }
        let bytes = charsets.iter().filter_map(|charset| charset.high_byte(character));
        let mut leads = bytes.filter(|byte| (0xC2..=0xF4).contains(byte)).peekable();
        let last = index.checked_sub(1).map(|last| after[last].0);
        let next = after.get(index + 1).copied();
        if leads.peek().is_some() {
            // Latin letters begin with these. This one would have been misread too, and lost a byte.
            let is_letter =
                character.is_alphabetic() && leads.any(|byte| (0xC3..=0xC5).contains(&byte));
            // A sequence that lost a byte, or was not restored.
            let is_more = |next: char| {
                let bytes = charsets.iter().filter_map(|charset| charset.high_byte(next));
                bytes.into_iter().any(|byte| (0x80..=0xBF).contains(&byte))
            };
            let is_cut = match next {
                None => character.is_uppercase() && !is_capital(last),
                Some((char::REPLACEMENT_CHARACTER, _)) => true,
                // A question ends in a small letter.
                Some(('?', is_left)) => {
                    is_left && (index + 2 < after.len() || !character.is_lowercase())
                }
                Some((next, true)) => {
                    is_more(next) || is_letter && is_within_restored(&after, index)
                }
                // The rest of the word was misread, so that this letter was too, and lost a byte.
                Some((next, false)) => character.is_alphabetic() && next.is_alphabetic(),
            };
            let is_odd = character.is_uppercase() && last.is_some_and(char::is_lowercase);
            return is_odd || is_cut;
        }
        // The rest of a sequence.
        let is_rest = charsets.iter().any(|charset| {
            charset.high_byte(character).is_some_and(|byte| (0x80..=0xBF).contains(&byte))
        });
        let is_within = last.is_some_and(char::is_alphanumeric)
            && next.is_some_and(|(next, _)| next.is_alphanumeric());
        is_rest
            && is_within
            && !character.is_alphanumeric()
            && !matches!(character, '’' | '·' | '-' | '–' | '—')
    })
}

/// Whether a letter that stays is among letters with restored ones.
fn is_within_restored(word: &[(char, bool)], index: usize) -> bool {
    let is_letter = |letter: &&(char, bool)| letter.0.is_alphabetic();
    let mut after = word[index + 1..].iter().take_while(is_letter);
    let mut before = word[..index].iter().rev().take_while(is_letter);
    let is_restored = |letter: &(char, bool)| !letter.1;
    after.any(is_restored) || before.any(is_restored)
}

/// Whether a character is a capital, so that another one may follow.
fn is_capital(character: Option<char>) -> bool {
    character.is_some_and(char::is_uppercase)
}
