//! Characters that lost their second byte to a space: `Ã` for `à`, `Å` for `Š`, and `Â` for U+00A0.
//!
//! Their second byte is A0. As U+00A0 it looks like a space; mail and HTML make a space of it, and
//! merge that with the next one or trim it. The first byte remains as a capital in an odd place:
//! after a small letter, or alone before two spaces. Correct texts have no capital there in any
//! language, so no other evidence is required. Before one space the language must say which letter
//! was there.

use crate::Charset;
use crate::chain::{Loss, Step};
use crate::context::Context;
use crate::search::Found;

/// The evidence, in bits, where correct text never has such a letter.
const CERTAIN: i32 = 12;
/// The evidence, in bits, from a known word or from the language.
const LIKELY: i32 = 8;

/// The text after the visible half.
#[derive(Clone, Copy, PartialEq)]
enum Gap {
    /// U+00A0 itself.
    Intact,
    /// A space that was U+00A0: another space or the end of the line follows, or the rest of the
    /// word.
    Space,
    /// A space that separates words, or nothing: U+00A0 is gone.
    Trimmed,
}

/// The most letters of a word that are read before or after a place, since the line may be one long
/// word. The words that matter are shorter.
const LONGEST: usize = 24;

/// Findings of such letters outside the places in `found`. Both are sorted by position.
pub(crate) fn find(line: &[char], found: &[Found], context: &Context) -> Vec<Found> {
    let is_half = |index: &usize| matches!(line[*index], 'Ã' | 'Å' | 'Â');
    let begins = found.iter().map(|found| found.begin).chain([line.len() + 1]);
    let ends = [0].into_iter().chain(found.iter().map(|found| found.end));
    // The character after it must be free too, unless the line ends.
    let gaps = ends.zip(begins).map(|(end, begin)| end..begin.saturating_sub(1));
    let mut places = gaps.flatten().filter(is_half).peekable();
    if places.peek().is_none() {
        return Vec::new();
    }
    let text = Text::new(line, found, context);
    let all = places.filter_map(|index| {
        let (restored, gap, bits) = match line[index] {
            'Ã' => text.a_grave(index).map(|(gap, bits)| ('à', gap, bits)),
            'Å' => text.s_caron(index).map(|(gap, bits)| ('Š', gap, bits)),
            _ => text.is_space(index).then_some(('\u{A0}', Gap::Space, CERTAIN)),
        }?;
        let loss = match gap {
            Gap::Intact => None,
            Gap::Space => Some(Loss::Space),
            Gap::Trimmed => Some(Loss::Trimmed),
        };
        let chain = Step::Misread { charset: text.charset, loss }.into();
        let end = index + if gap == Gap::Trimmed { 1 } else { 2 };
        Some(Found { begin: index, end, text: vec![(index, restored)], chain, bits })
    });
    all.collect()
}

/// Whether a charset has these two letters, and U+00A0.
fn has_halves(charset: Charset) -> bool {
    charset.high_byte('Ã') == Some(0xC3)
        && charset.high_byte('Å') == Some(0xC5)
        && charset.high_byte('\u{A0}') == Some(0xA0)
}

/// The charsets in which UTF-8 may have been misread with this result.
pub(crate) fn charsets() -> Vec<Charset> {
    Charset::all().filter(|charset| has_halves(*charset)).collect()
}

/// A line and its properties.
struct Text {
    /// The line after the repairs so far, with marks on the spaces that separate words in it.
    after: Vec<char>,
    /// The index in `after` of each character of the line.
    places: Vec<usize>,
    words: Words,
    charset: Charset,
    /// Whether this line or its neighbors were misread in such a charset.
    is_proven: bool,
    is_after_misread: bool,
}

impl Text {
    fn new(line: &[char], found: &[Found], context: &Context) -> Self {
        let mut after = Vec::with_capacity(line.len());
        let mut places = Vec::with_capacity(line.len() + 1);
        let mut done = 0;
        for found in found {
            for &character in &line[done..found.begin] {
                places.push(after.len());
                after.push(character);
            }
            places.resize(found.end, after.len());
            after.extend(found.text.iter().map(|(_, character)| *character));
            done = found.end;
        }
        for &character in &line[done..] {
            places.push(after.len());
            after.push(character);
        }
        let proof = found.iter().find_map(|found| match found.chain.steps() {
            [Step::Misread { charset, .. }] => Some(*charset).filter(|c| has_halves(*c)),
            _ => None,
        });
        let all = charsets();
        let near = all.iter().copied().find(|charset| context.has(*charset));
        Self {
            words: Words::new(&after),
            charset: proof.or(near).unwrap_or(all[0]),
            is_proven: proof.is_some() || near.is_some(),
            is_after_misread: near.is_some(),
            after,
            places,
        }
    }

    /// The part of a word before a place, in small letters.
    fn stem(&self, at: usize) -> String {
        let letters = self.after[..at].iter().rev().take_while(|c| c.is_alphabetic());
        let head = letters.take(LONGEST).count();
        self.after[at - head..at].iter().flat_map(|character| character.to_lowercase()).collect()
    }

    /// The letters from a place.
    fn letters(&self, at: usize) -> String {
        let rest = self.after.get(at..).unwrap_or_default();
        rest.iter().take_while(|character| character.is_alphabetic()).take(LONGEST).collect()
    }

    /// The character at a place, unless it ends the line.
    fn at(&self, index: usize) -> Option<char> {
        self.after.get(index).copied().filter(|character| !matches!(character, '\r' | '\n'))
    }

    /// Whether `Ã` is `à`.
    fn a_grave(&self, index: usize) -> Option<(Gap, i32)> {
        let at = self.places[index];
        let stem = self.stem(at);
        let last = at.checked_sub(1).and_then(|last| self.at(last));
        let is_small = last.is_some_and(char::is_lowercase);
        // `Là`, in a line that is known to be misread. Capitals have `Ã` in Portuguese and
        // Vietnamese.
        let is_title = last.is_some_and(char::is_uppercase) && stem.chars().count() == 1;
        // `L'Ã` is the name of the letter: `à` does not follow the article.
        let is_article = matches!(last, Some('\'' | '’')) && self.stem(at - 1) == "l";
        let is_alone = stem.is_empty() && !is_article && last.is_none_or(|last| !last.is_numeric());
        if !(is_small || is_alone || is_title && self.is_proven) {
            return None;
        }
        let (next, second) = (self.at(at + 1), self.at(at + 2));
        let is_word = |character: Option<char>| {
            character
                .is_some_and(|c| c.is_alphanumeric() || matches!(c, '"' | '“' | '«' | '‘' | '('))
        };
        match (next, second) {
            (Some('\u{A0}'), _) if is_small => Some((Gap::Intact, CERTAIN)),
            (Some('\u{A0}'), Some(' ')) if is_title || is_word(self.at(at + 3)) => {
                Some((Gap::Intact, CERTAIN))
            }
            (Some('\u{A0}'), Some(second)) if second.is_lowercase() && !is_alone => {
                Some((Gap::Intact, CERTAIN))
            }
            (Some(' '), Some(' ')) => {
                let is_clear = is_small || is_word(self.at(at + 3)) && !self.is_listed(at);
                is_clear.then_some((Gap::Space, CERTAIN))
            }
            (Some(' '), None) => is_small.then_some((Gap::Space, CERTAIN)),
            // No space precedes these.
            (Some(' '), Some('-' | ',' | '.' | ')')) if is_small => Some((Gap::Space, CERTAIN)),
            (Some(' '), Some(_)) if self.is_cut_word(&stem, at) => Some((Gap::Space, LIKELY)),
            (Some(' '), Some(second)) if is_alone => {
                let is_clear = second.is_alphanumeric() && !self.is_listed(at);
                (is_clear && self.has_preposition()).then_some((Gap::Trimmed, LIKELY))
            }
            (Some(' ') | None, _) => {
                (is_small && self.is_final(&stem)).then_some((Gap::Trimmed, LIKELY))
            }
            _ => None,
        }
    }

    /// Whether `Â` is U+00A0, which became a space. It is a capital of some languages.
    fn is_space(&self, index: usize) -> bool {
        let at = self.places[index];
        let is_before = |last: char| !last.is_uppercase() && !last.is_whitespace();
        at.checked_sub(1).is_some_and(|last| is_before(self.after[last]))
            && self.at(at + 1) == Some(' ')
            && self.at(at + 2).is_some()
    }

    /// Whether the word goes on after the space: `Ã s` is `às`, `ngÃ y` is `ngày`.
    fn is_cut_word(&self, stem: &str, at: usize) -> bool {
        let rest = self.letters(at + 2);
        match stem {
            "" => matches!(&*rest, "s" | "quele" | "quela" | "queles" | "quelas" | "quilo"),
            _ => {
                matches!(&*rest, "i" | "o" | "u" | "y" | "m" | "n" | "ng" | "nh")
                    && self.words.is_vietnamese
            }
        }
    }

    /// Whether `Ã` is the letter itself: a word before it introduces a letter, or it is in a list of
    /// letters.
    fn is_listed(&self, at: usize) -> bool {
        let Some(end) = self.after[..at].iter().rposition(|c| !c.is_whitespace()) else {
            return false;
        };
        let word = self.stem(end + 1);
        let is_letter = word.chars().count() == 1 && self.after[end].is_uppercase();
        let is_sign = !self.after[end].is_alphanumeric()
            && !matches!(
                self.after[end],
                '.' | ',' | ':' | '!' | '?' | ')' | '"' | '»' | '”' | '-' | '\'' | '’'
            );
        let is_article = LETTER.split(' ').any(|known| known == word);
        is_letter || is_sign || is_article
    }

    /// Whether the line is in a language that has the word `à`. Icelandic has `í`, which may look
    /// the same.
    fn has_preposition(&self) -> bool {
        let most = self.words.french.max(self.words.portuguese);
        most > 0 && most > self.words.others
    }

    /// Whether `à` ends a word, and no other letter would.
    fn is_final(&self, stem: &str) -> bool {
        if matches!(stem, "déj" | "voil" | "del" | "hol" | "gi" | "citt" | "catal" | "castell") {
            return true;
        }
        let others = self.words.others;
        match stem {
            "l" | "j" | "ç" => self.words.french > others,
            // `luminosità`; in Czech it may be `í`.
            _ if stem.ends_with("it") && stem.chars().count() > 4 && others == 0 => true,
            "all" | "est" | "dem" | "ser" | "faci" => self.words.catalan > others,
            _ => {
                let is_italian = ["t", "r", "gi"].iter().any(|end| stem.ends_with(end));
                is_italian && stem.chars().count() > 2 && self.words.italian > others
            }
        }
    }

    /// Whether `Å` is `Š`, which begins a word.
    fn s_caron(&self, index: usize) -> Option<(Gap, i32)> {
        let at = self.places[index];
        let gap = match self.at(at + 1)? {
            '\u{A0}' => Gap::Intact,
            ' ' => Gap::Space,
            _ => return None,
        };
        let rest = self.letters(at + 2);
        let begins_word = at.checked_sub(1).is_none_or(|last| !self.after[last].is_alphanumeric());
        // After a number it is the unit.
        let mut before = self.after[..at].iter().rev().filter(|c| !c.is_whitespace());
        let is_unit = before.next().is_some_and(|last| last.is_numeric());
        let is_small = rest.chars().next().is_some_and(char::is_lowercase);
        if !begins_word || is_unit || self.words.is_nordic || !is_small || rest.chars().count() < 2
        {
            return None;
        }
        let has_caron = self.words.has_caron;
        let nordic = self.words.nordic;
        let is_clear = match gap {
            Gap::Intact => nordic == 0,
            _ => {
                let words = self.words.caron;
                has_caron && nordic <= words
                    || self.is_after_misread && nordic == 0
                    || words > 1 + nordic
            }
        };
        is_clear.then_some((gap, if has_caron || gap == Gap::Intact { CERTAIN } else { LIKELY }))
    }
}

/// Evidence of the language of a line, from its words and letters. Counted once, since a line may
/// have many places.
struct Words {
    french: usize,
    portuguese: usize,
    italian: usize,
    catalan: usize,
    others: usize,
    nordic: usize,
    caron: usize,
    is_vietnamese: bool,
    is_nordic: bool,
    has_caron: bool,
}

impl Words {
    fn new(line: &[char]) -> Self {
        let words = line.split(|character| !character.is_alphabetic());
        let words = words.filter(|word| !word.is_empty() && word.len() < 12);
        let words = words.map(|word| word.iter().flat_map(|c| c.to_lowercase()).collect());
        let words: Vec<String> = words.collect();
        let count = |list: &str| {
            words.iter().filter(|word| list.split(' ').any(|known| known == **word)).count()
        };
        Self {
            french: count(FRENCH),
            portuguese: count(PORTUGUESE),
            italian: count(ITALIAN),
            catalan: count(CATALAN),
            others: count(OTHERS),
            nordic: count(NORDIC),
            caron: count(CARON),
            is_vietnamese: line.iter().any(|letter| is_vietnamese(*letter)),
            is_nordic: line.iter().any(|c| matches!(c, 'å' | 'ä' | 'ö' | 'æ' | 'ø' | 'Æ' | 'Ø')),
            has_caron: line.iter().any(|letter| is_of_caron(*letter)),
        }
    }
}

/// Common words of languages. They need not be all; each word of a list is rare in most of the
/// others.
const FRENCH: &str = "la le les de des du un une et est il elle je nous vous ils que qui dans sur pour \
    par pas plus au aux ce cette son sa ses ou ne sont avec va être";
const PORTUGUESE: &str =
    "o os as da do das dos em para com um uma que não se foi mais por na ao seu sua são é vou vai";
const ITALIAN: &str = "il lo la gli di del della che per non una un con è sono si da le dei più come \
    anche al nel alla dell questo ha";
const CATALAN: &str = "el la els les de del i en un una que no amb per és al dels més com aquest";
/// Words before the name of a letter, and never before `à`.
const LETTER: &str = "le la les un une du lettre caractère o um uma letra caractere lettera carattere letter character the";
/// Languages with words that end in `í`, or are `í`.
const OTHERS: &str = "y los las muy por con su lo más esta hay pero como para está je že se na v do \
    og að er sem á ekki við az és nem hogy egy";
const NORDIC: &str = "og på av som det en et til er den med på i att och för är inte ikke ein ei frå \
    må kan skal vil du vi man";
const CARON: &str = "je na že pro při nebo jako ako alebo ili kao ali ir yra tai kad iz ki za";

/// A letter that only Vietnamese has.
fn is_vietnamese(letter: char) -> bool {
    matches!(letter, '\u{1EA0}'..='\u{1EF9}' | 'ơ' | 'ư' | 'Ơ' | 'Ư')
}

/// A letter of the languages that have `Š`.
fn is_of_caron(letter: char) -> bool {
    matches!(
        letter.to_lowercase().next(),
        Some(
            'č' | 'ř'
                | 'ž'
                | 'š'
                | 'ě'
                | 'ů'
                | 'ň'
                | 'ť'
                | 'ď'
                | 'ľ'
                | 'ć'
                | 'đ'
                | 'ė'
                | 'ų'
                | 'į'
                | 'ū'
        )
    )
}
