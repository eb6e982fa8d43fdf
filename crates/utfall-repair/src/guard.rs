//! Protects text about wrong decodings, which shows them on purpose.

use crate::search::{BARRIER, Found};

/// Words that occur only in texts about this topic.
const CERTAIN: [&str; 6] =
    ["mojibake", "double-encoded", "double encoded", "doubly encoded", "misdecoded", "garbled"];
/// Words of texts that may be about this topic.
const LIKELY: [&str; 13] = [
    "instead of",
    "in place of",
    "shows as",
    "appears as",
    "utf-8",
    "utf8",
    "latin-1",
    "latin1",
    "windows-1252",
    "cp1252",
    "iso-8859",
    "charset",
    "encoding",
];
/// The bits of evidence required in a line with one of the likely words.
const MORE: i32 = 14;
/// A group of up to this many characters may be an example.
const SHORT: usize = 3;
/// This many characters in a row may be a list.
const LIST: usize = 24;
/// Lines longer than this, in characters, are not sentences about characters.
const SENTENCE: usize = 2000;

/// Removes findings that are shown on purpose.
pub(crate) fn keep(line: &[char], found: &mut Vec<Found>) {
    found.retain(|found| !is_of_table(line, found));
    if found.is_empty() || line.len() > SENTENCE {
        return;
    }
    let lower: String = line.iter().map(char::to_ascii_lowercase).collect();
    if CERTAIN.iter().any(|word| lower.contains(word)) {
        found.clear();
        return;
    }
    let likely = LIKELY.iter().any(|word| lower.contains(word));
    let total: i32 = found.iter().map(|found| found.bits).sum();
    if likely && total < MORE {
        found.clear();
    }
    // The correct part of the line is what was not found.
    let mut right = line.to_vec();
    for found in found.iter() {
        right[found.begin..found.end].fill(BARRIER);
    }
    found.retain(|found| !is_shown(line, &right, found, likely));
}

/// Whether a group belongs to a list of characters, such as a charset table: many in a row, almost
/// all different. UTF-8 sequences share lead bytes.
fn is_of_table(line: &[char], found: &Found) -> bool {
    let is_other = |character: &&char| **character >= '\u{80}';
    let head = line[..found.begin].iter().rev().take(LIST).take_while(is_other).count();
    let tail = line[found.end..].iter().take(LIST).take_while(is_other).count();
    let mut row = line[found.begin - head..found.end + tail].to_vec();
    let length = row.len();
    row.sort_unstable();
    row.dedup();
    length >= LIST && row.len() * 20 >= length * 19
}

/// Whether a group is an example: it is short and quoted, or the line also contains the restored
/// text.
fn is_shown(line: &[char], right: &[char], found: &Found, likely: bool) -> bool {
    let before = found.begin.checked_sub(1).map(|index| line[index]);
    let after = line.get(found.end).copied();
    let of_word = |character: Option<char>| character.is_some_and(char::is_alphanumeric);
    if !of_word(before) && !of_word(after) && found.text.len() <= SHORT {
        let quote = |character: Option<char>| {
            character.is_some_and(|c| {
                matches!(c, '"' | '\'' | '`' | '“' | '”' | '‘' | '’' | '«' | '»' | '„' | '/' | '|')
            })
        };
        let same = |(_, character): &(usize, char)| right.contains(character);
        return likely || quote(before) && quote(after) || found.text.iter().all(same);
    }
    // The surrounding word, after restoration.
    let is_letter = |character: &&char| character.is_alphanumeric();
    let head = line[..found.begin].iter().rev().take_while(is_letter).count();
    let tail = line[found.end..].iter().take_while(is_letter).count();
    let word: Vec<char> = line[found.begin - head..found.begin]
        .iter()
        .copied()
        .chain(found.text.iter().map(|(_, character)| *character))
        .chain(line[found.end..found.end + tail].iter().copied())
        .collect();
    word.len() < 40 && right.windows(word.len()).any(|window| window == word)
}
