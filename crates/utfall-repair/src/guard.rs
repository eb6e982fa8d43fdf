//! Protects text about wrong decodings, which shows them on purpose.

use std::fmt;

use crate::search::quick::{Explained, Run};
use crate::search::{BARRIER, Found, gaps};
use crate::{Charset, uniform};

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
/// Words before or after examples, in tests, comments and reports of problems.
const CUES: [&str; 20] = [
    "prints",
    "displayed as",
    "displays",
    "shown as",
    "shows up",
    "outputs",
    "output:",
    "becomes",
    "assert",
    "expect",
    "should be",
    "looks like",
    "look like",
    "turns into",
    "turned into",
    "rendered",
    "wrong",
    "corrupt",
    "broken",
    "gibberish",
];
/// Words right before a sign or letter that is an example.
const NAMES: [&str; 16] = [
    "character",
    "characters",
    "symbols",
    "like",
    "such as",
    "show up as",
    "shows up as",
    "showing up as",
    "appear as",
    "appears as",
    "become",
    "becomes",
    "turn into",
    "turns into",
    "turned into",
    "instead of",
];
/// They are at most this long, in characters.
const NAME: usize = 16;
/// For how many lines the name of a charset in a program counts, and in how many bytes.
const NAMED_LINES: usize = 10;
pub(crate) const NAMED_BYTES: usize = 1024;
/// An example has at most this many restored characters.
const EXAMPLE: usize = 16;
/// An example in quotes is at most this long, in characters.
const QUOTED: usize = 40;
/// For how many lines an example makes others likely.
pub(crate) const EXAMPLE_LINES: u64 = 20;
/// The bits of evidence required in a line with one of the likely words.
const MORE: i32 = 14;
/// A group of up to this many characters may be an example.
const SHORT: usize = 3;
/// Signs that follow `√` in formulas. In text misread as macintosh, `√` begins a letter: `√±` is `ñ`.
const AFTER_ROOT: [char; 6] = ['∞', '±', '≥', '≤', '∂', 'µ'];
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
    /// The whole text looks binary: its first 16 KiB contain zero bytes, and damaged lines of UTF-16
    /// do not explain them.
    Binary,
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
            Self::Binary => "it looks binary",
        })
    }
}

/// Where a text last says that it is about this topic, in bytes.
pub(crate) fn topic(text: &[u8]) -> Option<usize> {
    // Each of the words has one of these, and few lines have any.
    let is_pair =
        |first, second| matches!((first, second), (b'j', b'i') | (b'e', b'-') | (b't', b'f'));
    let is_part = |part: &[u8]| matches!(part, b"jib" | b"e-e" | b"tfa" | b"tf_" | b"tfy");
    if !has_pair(text, is_pair) || !text.windows(3).any(is_part) {
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

/// Each of the words contains one of these.
const PARTS: [&[u8; 4]; 32] = [
    b"jiba", b"oubl", b"rble", b"sdec", b"ad o", b"ce o", b"ws a", b"rs a", b"utf-", b"utf8",
    b"atin", b"1252", b"o-88", b"arse", b"odin", b"rint", b"play", b"wn a", b"ws u", b"utpu",
    b"ecom", b"sser", b"xpec", b"ld b", b" lik", b"d in", b"dere", b"wron", b"rrup", b"roke",
    b"ibbe", b"s in",
];

/// Where each character of US-ASCII is in them: four bits for each.
static PLACES: [u128; 128] = {
    let mut places = [0; 128];
    let mut at = 0;
    while at < 4 * PARTS.len() {
        let byte = PARTS[at / 4][at % 4];
        places[byte as usize] |= 1 << at;
        places[byte.to_ascii_uppercase() as usize] |= 1 << at;
        at += 1;
    }
    places
};

/// The parts that a text has.
fn parts(text: impl Iterator<Item = usize>) -> u128 {
    // A bit for each of the first, second, third and last characters.
    const FIRST: u128 = u128::MAX / 15;
    // The parts that the end of the text so far begins.
    let (mut begun, mut found) = (0, 0);
    for character in text {
        let places = PLACES.get(character).copied().unwrap_or(0);
        begun = (begun << 1 & !FIRST | FIRST) & places;
        found |= begun & FIRST << 3;
    }
    found
}

/// Evidence of the lines before about examples.
#[derive(Clone, Copy, Default)]
pub(crate) struct Nearby<'a> {
    /// The end of the text before the line.
    pub(crate) recent: &'a [u8],
    /// Their topic is misread text.
    pub(crate) is_on_topic: bool,
    /// One of them has an example.
    pub(crate) has_example: bool,
    /// They were misread.
    pub(crate) is_misread: bool,
}

/// Whether a line is the input of an interactive session of Python.
fn is_input(line: &[char]) -> bool {
    let Some(rest) = line.strip_prefix(&['>', '>', '>', ' ']) else { return false };
    // Mail quotes the answer to an answer in the same way.
    let is_of_name = |c: &&char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.');
    let rest = &rest[rest.iter().take_while(is_of_name).count()..];
    matches!(rest, ['(' | '[' | '"' | '\'', ..] | [' ', '=', ..])
}

/// Where a comment of a program begins, or the input of an interactive session.
fn comment(line: &[char]) -> Option<usize> {
    let blanks = line.iter().take_while(|character| character.is_whitespace()).count();
    let begins = |marks: &[&str], text: &[char]| {
        marks.iter().any(|mark| {
            let count = mark.len();
            text.len() >= count && text[..count].iter().copied().eq(mark.chars())
        })
    };
    // Lists have `*` too, but at the start of a line.
    if is_input(line)
        || begins(&["//", "#", "/*", "--", ";", "%", "<!--"], &line[blanks..])
        || blanks > 0 && begins(&["* "], &line[blanks..])
    {
        return Some(blanks);
    }
    // Markup may be before a comment.
    let marks = [" // ", " /* ", " # ", ">// ", ">/* ", "># "];
    let is_comment = |at: &usize| begins(&marks, &line[*at..]);
    (0..line.len()).find(is_comment)
}

/// Whether a place is within quotes.
fn is_in_quotes(line: &[char], found: &Found) -> bool {
    let is_quote = |character: char| {
        matches!(character, '"' | '\'' | '`' | '“' | '”' | '‘' | '’' | '«' | '»' | '„')
    };
    // An apostrophe has letters on both sides.
    let is_of_word = |at: Option<&char>| at.is_some_and(|character| character.is_alphanumeric());
    let is_opener = |at: &usize| {
        is_quote(line[*at]) && !is_of_word(at.checked_sub(1).map(|before| &line[before]))
    };
    let is_closer = |at: &usize| is_quote(line[*at]) && !is_of_word(line.get(at + 1));
    let begin = (found.end.saturating_sub(QUOTED)..found.begin).rev().find(is_opener);
    let end = begin.and_then(|begin| (found.end..line.len().min(begin + QUOTED)).find(is_closer));
    end.is_some()
}

/// Whether words before an example end here. The characters are read backwards.
fn is_named(before: impl Iterator<Item = char>) -> bool {
    let before = before.skip_while(|character| !character.is_alphanumeric()).take(NAME + 1);
    let mut words: Vec<char> = before.map(|character| character.to_ascii_lowercase()).collect();
    words.reverse();
    let words = String::from_iter(words);
    NAMES.iter().any(|name| {
        words.strip_suffix(name).is_some_and(|rest| !rest.ends_with(char::is_alphanumeric))
    })
}

/// Whether all places are single letters or quotation marks apart from words, and prose names one of
/// them as an example. Text has no such letters: `characters like Ã© or â€™`.
fn are_named(line: &[char], found: &[Found]) -> bool {
    let is_of_word = |at: Option<&char>| at.is_some_and(|character| character.is_alphanumeric());
    let is_apart = |found: &Found| {
        !is_of_word(found.begin.checked_sub(1).map(|before| &line[before]))
            && !is_of_word(line.get(found.end))
    };
    // `à` is a word.
    let is_sign = |character: char| {
        matches!(character, 'ß'..='ÿ' | 'À'..='Þ' | '‘'..='‟')
            && !matches!(character, 'à' | '×' | '÷')
    };
    let is_alone = |found: &Found| {
        matches!(found.text[..], [(_, character)] if is_sign(character)) && is_apart(found)
    };
    found.iter().all(is_alone)
        && found.iter().any(|found| is_named(line[..found.begin].iter().rev().copied()))
}

/// Whether an escape of a URL is cut right before a place: `foo%2Â©`. Only tests have such URLs.
fn is_after_cut_escape(before: &[char]) -> bool {
    let is_of_path = |c: char| c.is_ascii_alphabetic() || matches!(c, '/' | '?' | '=' | '&');
    matches!(*before, [.., before, '%', digit] if digit.is_ascii_digit() && is_of_path(before))
}

/// The charsets that a program names in quotes in the lines before: `encoding='cp437'`.
fn named_charsets(recent: &[u8]) -> Vec<Charset> {
    let recent = String::from_utf8_lossy(recent);
    let mut all = Vec::new();
    for line in recent.lines().rev().take(NAMED_LINES) {
        for word in ["coding", "code("] {
            all.extend(line.match_indices(word).filter_map(|(at, _)| {
                let (before, after) = (&line[..at], &line[at + word.len()..]);
                let is_quote = |character: char| matches!(character, '"' | '\'');
                let name = after.trim_start_matches([' ', '=', ':', '"', '\'']);
                let is_quoted = after[..after.len() - name.len()].contains(is_quote)
                    || before.matches(is_quote).count() % 2 == 1;
                let end =
                    name.find(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '-' | '_'));
                // Attributes of XML and HTML describe a document.
                let is_of_program = is_quoted && !before.contains('<');
                is_of_program.then(|| charset(&name[..end.unwrap_or(name.len())]))?
            }));
        }
    }
    all
}

/// The charset that a program means by a name.
fn charset(name: &str) -> Option<Charset> {
    let name = name.to_ascii_lowercase().replace('_', "-");
    let of_number = |number: &str| {
        let names = ["IBM", "windows-"].map(|kind| format!("{kind}{number}"));
        names.iter().find_map(|name| Charset::from_name(name))
    };
    match (name.strip_prefix("cp"), name.strip_prefix("iso8859")) {
        (Some(number), _) => of_number(number),
        (_, Some(part)) => Charset::from_name(&format!("ISO-8859{part}")),
        _ if matches!(&name[..], "latin1" | "latin-1") => Charset::from_name("ISO-8859-1"),
        _ if name == "mac-roman" => Charset::from_name("macintosh"),
        _ => Charset::from_name(&name),
    }
}

/// Whether a place is the root of a formula: the restored letters do not belong to a word.
fn is_root(line: &[char], found: &Found) -> bool {
    let place = &line[found.begin..found.end];
    let is_pair = |pair: &[char]| pair[0] == '√' && AFTER_ROOT.contains(&pair[1]);
    if !place.len().is_multiple_of(2) || !place.chunks(2).all(is_pair) {
        return false;
    }
    let (before, after) = (&line[..found.begin], &line[found.end..]);
    let letters = |side: &mut dyn Iterator<Item = &char>| {
        side.take_while(|character| character.is_alphabetic()).count()
    };
    let ahead = letters(&mut before.iter().rev());
    let all = ahead + found.text.len() + letters(&mut after.iter());
    // `√∞`, `√∂u`, `x√≥0`.
    all < 2 || ahead == 0 && all < 3 || after.first().is_some_and(char::is_ascii_digit)
}

/// Removes findings that are shown on purpose, and returns them with the reasons. `has_others` says that the
/// line has other characters beyond US-ASCII.
pub(crate) fn keep(
    line: &[char],
    has_others: bool,
    nearby: Nearby<'_>,
    found: &mut Vec<Found>,
) -> Vec<(Found, Reason)> {
    let mut left = Vec::new();
    if found.iter().all(|found| is_root(line, found)) {
        found.clear();
    }
    let mut remove = |found: &mut Vec<Found>, reason, is_shown: &dyn Fn(&Found) -> bool| {
        left.extend(found.extract_if(.., |found| is_shown(found)).map(|found| (found, reason)));
    };
    if found.iter().any(|found| is_of_table(line, found)) {
        remove(found, Reason::List, &|found| is_of_table(line, found));
    }
    remove(found, Reason::Quoted, &|found| is_after_cut_escape(&line[..found.begin]));
    if found.is_empty() || line.len() > SENTENCE {
        return left;
    }
    // The words are in US-ASCII.
    let parts = gaps(line, found)
        .fold(0, |all, gap| all | parts(gap.iter().map(|character| *character as usize)));
    let lower: String = match parts {
        0 => String::new(),
        _ => line.iter().map(char::to_ascii_lowercase).collect(),
    };
    let has_part = |word: &str, index: usize| {
        parts >> (4 * index) & 0xF != 0 && word.as_bytes().windows(4).any(|w| w == PARTS[index])
    };
    let is_there =
        |word: &&str| (0..PARTS.len()).any(|index| has_part(word, index)) && lower.contains(*word);
    if nearby.is_on_topic || CERTAIN.iter().any(is_there) {
        remove(found, Reason::Topic, &|_| true);
        return left;
    }
    let comment = comment(line);
    let is_example = |found: &Found| {
        comment.is_some_and(|begin| begin < found.begin) || is_in_quotes(line, found)
    };
    // If there is misread text in the rest of the line, that line was misread.
    let may_be_example = !nearby.is_misread && found.iter().all(is_example);
    let named = if may_be_example { named_charsets(nearby.recent) } else { Vec::new() };
    let is_of_named = |found: &Found| {
        let place = &line[found.begin..found.end];
        let is_same = |charset: Charset| {
            let whole = uniform::whole(place, found.begin, &[charset], 0);
            whole.is_some_and(|whole| whole.iter().all(|whole| whole.text == found.text))
        };
        named.iter().copied().any(is_same)
    };
    if may_be_example && (nearby.has_example || found.iter().all(is_of_named)) {
        remove(found, Reason::Topic, &|_| true);
        return left;
    }
    if !nearby.is_misread && are_named(line, found) {
        remove(found, Reason::Quoted, &|_| true);
        return left;
    }
    let count: usize = found.iter().map(|found| found.text.len()).sum();
    let is_cued =
        may_be_example && count <= EXAMPLE && (is_input(line) || CUES.iter().any(is_there));
    let likely = LIKELY.iter().any(is_there);
    let total: i32 = found.iter().map(|found| found.bits).sum();
    if likely && total < MORE {
        remove(found, Reason::Charsets, &|_| true);
    }
    // The rest of the line is correct. If all of it is US-ASCII, it has none of the restored letters.
    let mut right = Vec::new();
    if has_others || !left.is_empty() {
        right = line.to_vec();
        found.iter().for_each(|found| right[found.begin..found.end].fill(BARRIER));
    }
    let shown = |found: &Found| shown(line, &right, found, likely);
    if !is_cued && found.iter().all(|found| shown(found).is_none()) {
        left.sort_by_key(|(found, _)| found.begin);
        return left;
    }
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
    let is_shown = |found: &Found, reason| {
        reason != Reason::Restored || likely || !is_plain || !has_several(found)
    };
    for place in std::mem::take(found) {
        match shown(&place).filter(|reason| is_shown(&place, *reason)) {
            Some(reason) => left.push((place, reason)),
            None => found.push(place),
        }
    }
    // An example in a line is hardly ever the only one.
    if is_cued || may_be_example && !left.is_empty() {
        left.extend(found.drain(..).map(|found| (found, Reason::Quoted)));
    }
    left.sort_by_key(|(found, _)| found.begin);
    left
}

/// Whether nothing in an explained line may be shown on purpose, so that `keep` would remove nothing.
pub(crate) fn shows_nothing(line: &[u8], nearby: Nearby<'_>, explained: &Explained) -> bool {
    let is_quote = |byte: u8| QUOTES.contains(&char::from(byte));
    let is_shown = |run: &Run| {
        if run.count >= LIST && is_list(explained.restored(run)) {
            return true;
        }
        if run.count <= 2 && line[run.begin..].starts_with("√".as_bytes()) {
            return true;
        }
        let Some(before) = run.begin.checked_sub(1).map(|index| line[index]) else { return false };
        let is_cut = before.is_ascii_digit() && line[..run.begin - 1].ends_with(b"%");
        let is_apart = !before.is_ascii_alphanumeric()
            && !line.get(run.end).is_some_and(u8::is_ascii_alphanumeric);
        let words = || line[..run.begin].iter().rev().map(|byte| char::from(*byte));
        if is_cut || is_apart && !nearby.is_misread && is_named(words()) {
            return true;
        }
        let Some(after) = line.get(run.end).copied() else { return false };
        let is_quoted = is_quote(before) && is_quote(after) || (before, after) == (b'{', b'}');
        let is_first = |byte: &&u8| **byte & 0xC0 != 0x80;
        is_quoted && explained.restored(run).iter().filter(is_first).count() <= SHORT
    };
    let is_example =
        !nearby.is_misread && (nearby.has_example || !named_charsets(nearby.recent).is_empty());
    if is_example || line.starts_with(b">>> ") || explained.runs.iter().any(is_shown) {
        return false;
    }
    let mut at = 0;
    let mut found = 0;
    for run in &explained.runs {
        found |= parts(line[at..run.begin].iter().map(|byte| usize::from(*byte)));
        at = run.end;
    }
    found |= parts(line[at..].iter().map(|byte| usize::from(*byte)));
    if found == 0 {
        return true;
    }
    let lower = String::from_utf8_lossy(line).to_ascii_lowercase();
    let words = CERTAIN.iter().chain(&LIKELY).chain(&CUES);
    !words.into_iter().any(|word| lower.contains(word))
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
    is_list(row)
}

/// Whether almost all characters are different.
fn is_list<T: Copy + Ord>(row: &[T]) -> bool {
    // Most texts repeat a character soon.
    let length = row.len();
    let mut repeated = 0;
    for part in row.chunks(LIST) {
        for at in 1..part.len() {
            repeated += usize::from(part[..at].contains(&part[at]));
            if repeated * 20 > length {
                return false;
            }
        }
    }
    let mut row = row.to_vec();
    row.sort_unstable();
    row.dedup();
    row.len() * 20 >= length * 19
}

/// Why a group is an example: it is short and quoted, or the line also contains the restored text.
fn shown(line: &[char], right: &[char], found: &Found, likely: bool) -> Option<Reason> {
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
    if right.is_empty() {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_has_a_part() {
        for word in CERTAIN.iter().chain(&LIKELY).chain(&CUES) {
            let found = parts(word.to_uppercase().bytes().map(usize::from));
            let is_in = |part: &[u8; 4]| word.as_bytes().windows(4).any(|window| window == part);
            let mut parts = PARTS.iter().enumerate().filter(|(_, part)| is_in(part));
            assert!(parts.any(|(index, _)| found >> (4 * index) & 0xF != 0), "{word}");
        }
        assert_eq!(parts("ut f8, enc\u{e9}oding, ja".bytes().map(usize::from)), 0b1000 << (4 * 14));
        assert_eq!(parts("in od\u{e9}in".bytes().map(usize::from)), 0);
    }
}
