//! Protects text about wrong decodings, which shows them on purpose.

use std::fmt;

use crate::search::{BARRIER, Found};

/// Words that occur only in texts about this topic.
const CERTAIN: [&str; 6] =
    ["mojibake", "double-encoded", "double encoded", "doubly encoded", "misdecoded", "garbled"];
/// Parts of words that say this of the lines after them too. The first letter may be a capital.
const TOPIC: [&str; 5] = ["ojibake", "ouble-encod", "tfall repair", "utf_repair", "ftfy"];
/// For how many lines.
pub(crate) const TOPIC_LINES: u64 = 60;
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
/// Signs around an example.
const QUOTES: [char; 12] = ['"', '\'', '`', '“', '”', '‘', '’', '«', '»', '„', '/', '|'];
/// Places of a word are less than this many characters apart.
const WORD: usize = 32;
/// This many characters in a row may be a list.
const LIST: usize = 24;
/// Lines longer than this, in characters, are not sentences about characters.
const SENTENCE: usize = 2000;

/// Why text that looks misread stays as it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Reason {
    /// The line, or one of those before, is about misread text.
    Topic,
    /// The line names charsets, and the evidence is weak.
    Charsets,
    /// It stands alone in quotes.
    Quoted,
    /// The line also has the restored text.
    Restored,
    /// It belongs to a list of characters.
    List,
    /// The rest of the word would stay damaged.
    HalfWord,
    /// The rest of the line is damaged in another way, and this place belongs to that damage.
    OtherDamage,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Topic => "the text is about misread text",
            Self::Charsets => "the line names charsets",
            Self::Quoted => "looks like a quoted example",
            Self::Restored => "the line also has the restored text",
            Self::List => "looks like a list of characters",
            Self::HalfWord => "the rest of the word cannot be repaired",
            Self::OtherDamage => "the line is damaged in another way",
        })
    }
}

/// Where a text last says that it is about this topic, in bytes.
pub(crate) fn topic(text: &[u8]) -> Option<usize> {
    // Each of the words has one of these pairs, and few lines have any.
    let is_pair =
        |first, second| matches!((first, second), (b'j', b'i') | (b'e', b'-') | (b't', b'f'));
    if !has_pair(text, is_pair) {
        return None;
    }
    // Only valid UTF-8 is searched.
    let text = std::str::from_utf8(text).ok()?;
    TOPIC.iter().filter_map(|word| text.rfind(word)).max()
}

/// Whether two bytes in a row are such a pair. All are examined, so that the compiler uses vectors.
pub(crate) fn has_pair(bytes: &[u8], is_pair: impl Fn(u8, u8) -> bool) -> bool {
    let Some(seconds) = bytes.get(1..) else { return false };
    let pairs = bytes.iter().zip(seconds);
    pairs.fold(false, |found, (first, second)| found | is_pair(*first, *second))
}

/// Whether a line may have one of the words: each contains one of these.
fn may_name(line: &[char]) -> bool {
    let mut last = 0_u32;
    line.iter().any(|character| {
        let byte = if character.is_ascii() { character.to_ascii_lowercase() as u32 } else { 0 };
        last = last << 8 | byte;
        matches!(
            &last.to_be_bytes(),
            b"jiba"
                | b"oubl"
                | b"rble"
                | b"sdec"
                | b"ad o"
                | b"ce o"
                | b"ws a"
                | b"rs a"
                | b"utf-"
                | b"utf8"
                | b"atin"
                | b"1252"
                | b"o-88"
                | b"arse"
                | b"odin"
        )
    })
}

/// Removes findings that are shown on purpose, and returns them with the reasons. `is_on_topic` says that the
/// lines before are about misread text.
pub(crate) fn keep(
    line: &[char],
    is_on_topic: bool,
    found: &mut Vec<Found>,
) -> Vec<(Found, Reason)> {
    let mut left = Vec::new();
    let mut remove = |found: &mut Vec<Found>, reason, is_shown: &dyn Fn(&Found) -> bool| {
        left.extend(found.extract_if(.., |found| is_shown(found)).map(|found| (found, reason)));
    };
    remove(found, Reason::List, &|found| is_of_table(line, found));
    if found.is_empty() || line.len() > SENTENCE {
        return left;
    }
    let lower: String = match may_name(line) {
        true => line.iter().map(char::to_ascii_lowercase).collect(),
        false => String::new(),
    };
    if is_on_topic || CERTAIN.iter().any(|word| lower.contains(word)) {
        remove(found, Reason::Topic, &|_| true);
        return left;
    }
    let likely = LIKELY.iter().any(|word| lower.contains(word));
    let total: i32 = found.iter().map(|found| found.bits).sum();
    if likely && total < MORE {
        remove(found, Reason::Charsets, &|_| true);
    }
    // The correct part of the line is what was not found.
    let mut right = line.to_vec();
    for found in found.iter() {
        right[found.begin..found.end].fill(BARRIER);
    }
    // If nothing beyond US-ASCII is left, the restored letters are not there.
    let has_others = right.iter().any(|character| *character >= '\u{80}' && *character != BARRIER);
    // A word with several places is not an example, even if the line has it twice. Code has quotes.
    let is_plain = !line.iter().any(|character| QUOTES.contains(character) || *character == '(');
    let places: Vec<(usize, usize)> = found.iter().map(|found| (found.begin, found.end)).collect();
    let has_several = |found: &Found| {
        let index = places.partition_point(|place| place.0 < found.begin);
        let last = index.checked_sub(1).map(|last| places[last].1..found.begin);
        let next = places.get(index + 1).map(|next| found.end..next.0);
        let is_of_word = |range: std::ops::Range<usize>| {
            range.len() < WORD && !line[range].iter().any(|character| character.is_whitespace())
        };
        [last, next].into_iter().flatten().any(is_of_word)
    };
    for reason in [Reason::Charsets, Reason::Quoted, Reason::Restored] {
        remove(found, reason, &|found| {
            shown(line, &right, has_others, found, likely) == Some(reason)
                && (reason != Reason::Restored || likely || !is_plain || !has_several(found))
        });
    }
    left.sort_by_key(|(found, _)| found.begin);
    left
}

/// Whether a group belongs to a list of characters, such as a charset table: many in a row, almost
/// all different. UTF-8 sequences share lead bytes.
fn is_of_table(line: &[char], found: &Found) -> bool {
    let is_other = |character: &&char| **character >= '\u{80}';
    let head = line[..found.begin].iter().rev().take(LIST).take_while(is_other).count();
    let tail = line[found.end..].iter().take(LIST).take_while(is_other).count();
    let row = &line[found.begin - head..found.end + tail];
    if row.len() < LIST {
        return false;
    }
    // Most texts repeat a character soon.
    let start = &row[..LIST];
    let repeated = (1..LIST).filter(|at| start[..*at].contains(&start[*at])).count();
    if row.len() <= 2 * LIST && repeated * 20 > row.len() {
        return false;
    }
    let length = row.len();
    let mut row = row.to_vec();
    row.sort_unstable();
    row.dedup();
    row.len() * 20 >= length * 19
}

/// Why a group is an example: it is short and quoted, or the line also contains the restored text.
fn shown(
    line: &[char],
    right: &[char],
    has_others: bool,
    found: &Found,
    likely: bool,
) -> Option<Reason> {
    let before = found.begin.checked_sub(1).map(|index| line[index]);
    let after = line.get(found.end).copied();
    let of_word = |character: Option<char>| character.is_some_and(char::is_alphanumeric);
    if !of_word(before) && !of_word(after) && found.text.len() <= SHORT {
        let quote = |character: Option<char>| character.is_some_and(|c| QUOTES.contains(&c));
        // The value of an attribute is data.
        let opener = found.begin.checked_sub(2).map(|index| line[index]);
        // `{Ã©}` is a parameter of TeX, `Andr{Ã©}` is a name.
        let is_braced = before == Some('{') && after == Some('}') && !of_word(opener);
        let is_quoted =
            is_braced || quote(before) && quote(after) && !matches!(opener, Some('=' | '>'));
        let same = |(_, character): &(usize, char)| right.contains(character);
        // In many languages this is a common word, which a line repeats.
        let is_grave = matches!(found.text[..], [(_, 'à')]);
        return match () {
            () if likely => Some(Reason::Charsets),
            () if is_quoted => Some(Reason::Quoted),
            () if !is_grave && found.text.iter().all(same) => Some(Reason::Restored),
            () => None,
        };
    }
    if !has_others {
        return None;
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
    // Most windows differ in their first character.
    let is_word = |window: &[char]| window.first() == word.first() && window == word;
    let is_there = (3..40).contains(&word.len()) && right.windows(word.len()).any(is_word);
    is_there.then_some(Reason::Restored)
}
