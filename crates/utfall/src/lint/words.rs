//! Words with something suspicious inside: soft hyphens in identifiers, and letters that look like
//! those of another script, or like ASCII ones.

use alloc::vec::Vec;

use super::letters::{
    is_ascii_letter, is_east_asian, is_foreign, is_hebrew, is_mathematical, is_spaceless,
    is_variant,
};
#[cfg(feature = "confusables")]
use super::lookalike;
use super::{FindingKind, Place, Rule, Rules, Tell};

/// Code points of a word. Longer words are not examined.
const LONGEST: usize = 64;

const SOFT_HYPHEN: u32 = 0xAD;

/// Whether one of these rules needs the end of the text that has been read.
pub(super) fn need_tail(rules: Rules) -> bool {
    const RULES: &[Rule] = &[
        Rule::BidiControl,
        Rule::BidiUnbalanced,
        Rule::ZeroWidth,
        Rule::SoftHyphen,
        #[cfg(feature = "confusables")]
        Rule::MixedScript,
        #[cfg(feature = "confusables")]
        Rule::LookalikeLetter,
        #[cfg(feature = "confusables")]
        Rule::LookalikeDomain,
    ];
    RULES.iter().any(|rule| rules.contains(*rule))
}

/// A letter or digit, a mark, `_`, or a soft hyphen. A script without spaces between words,
/// or beside Latin words, ends a word.
fn is_word(point: u32) -> bool {
    match point {
        0x5F | SOFT_HYPHEN | 0x0300..=0x036F => true,
        _ if is_spaceless(point) || is_east_asian(point) => false,
        _ => char::from_u32(point).is_some_and(char::is_alphanumeric),
    }
}

/// A letter with which a word begins that is examined, if it is beside an ASCII letter.
fn is_lookalike(point: u32) -> bool {
    is_foreign(point) || is_variant(point)
}

/// The end of the text that has been read.
#[derive(Clone, Debug, Default)]
pub(super) struct Tail(Vec<u32>);

impl Tail {
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    pub(super) fn push(&mut self, point: u32) {
        if self.0.len() == 2 * KEPT {
            self.0.drain(..KEPT);
        }
        self.0.push(point);
    }

    /// Adds a text, given in reverse.
    pub(super) fn push_text(&mut self, back: impl Iterator<Item = u32>) {
        let (mut text, mut length) = ([0; KEPT], 0);
        for (place, point) in text.iter_mut().zip(back) {
            *place = point;
            length += 1;
        }
        text[..length].iter().rev().for_each(|point| self.push(*point));
    }

    /// The last code points, from the end.
    pub(super) fn back(&self) -> impl Iterator<Item = u32> {
        self.0.iter().rev().copied().take(KEPT)
    }

    /// The last word so far, or `None` if it is too long, and the code point before it, or 0.
    fn word(&self) -> (Option<Vec<u32>>, u32) {
        let mut word: Vec<u32> = self.back().take_while(|point| is_word(*point)).collect();
        word.reverse();
        let lead = self.back().nth(word.len()).unwrap_or(0);
        ((word.len() <= LONGEST).then_some(word), lead)
    }
}

/// Code points before a word that show the script of the text.
const NEAR: usize = 16;

/// Code points of a text that are remembered: the longest word and those before it.
const KEPT: usize = LONGEST + NEAR;

/// A word that is examined to its end.
#[derive(Debug)]
#[cfg_attr(not(feature = "confusables"), expect(dead_code, reason = "for lookalikes"))]
pub(super) struct Word {
    /// The code point before it, or 0.
    pub(super) lead: u32,
    pub(super) points: Vec<u32>,
    is_long: bool,
    /// Shortly before it, in its line, there are East Asian or Hebrew letters.
    pub(super) is_in_east_asian: bool,
    pub(super) is_in_hebrew: bool,
    /// The first soft hyphen.
    soft_hyphen: Option<Place>,
    /// The first foreign letter beside an ASCII letter, or after `@`; or a mathematical letter.
    mixed: Option<Place>,
    /// The start of a domain with a label in Punycode, and its end so far.
    label: Option<Place>,
}

impl Word {
    /// The last word of a text.
    fn after(tail: &Tail) -> Self {
        let (word, lead) = tail.word();
        let is_long = word.is_none();
        let points = word.unwrap_or_default();
        let near = |script: fn(u32) -> bool| {
            let back = tail.back().skip(points.len()).take(NEAR);
            back.take_while(|point| *point != 0x0A).any(script)
        };
        Self {
            lead,
            is_long,
            is_in_east_asian: near(is_east_asian),
            is_in_hebrew: near(is_hebrew),
            points,
            soft_hyphen: None,
            mixed: None,
            label: None,
        }
    }

    /// A domain with a label in Punycode, whose prefix ends with the next `-` after a text.
    fn in_punycode(tail: &Tail, begin: Place) -> Self {
        let lead = tail.back().nth(LABEL.len() - 1).unwrap_or(0);
        let points = LABEL.iter().map(|letter| u32::from(*letter)).collect();
        Self { lead, points, label: Some(begin), ..Self::after(&Tail::default()) }
    }

    /// A domain in a mail address or in Punycode, which also has hyphens and full stops.
    fn is_domain(&self) -> bool {
        self.lead == 0x40 || self.label.is_some()
    }

    fn longest(&self) -> usize {
        if self.is_domain() { LONGEST_DOMAIN } else { LONGEST }
    }
}

/// Characters of the longest domain (RFC 1035 §2.3.4).
const LONGEST_DOMAIN: usize = 255;

/// The start of a label in Punycode (RFC 5890 §2.3.2.5).
const LABEL: &[u8; 4] = b"xn--";

/// The start of a label that may be in Punycode.
#[derive(Debug)]
struct Label {
    begin: Place,
    /// How many characters of [`LABEL`] there have been.
    length: usize,
}

/// The suspicious words of a text.
#[derive(Debug, Default)]
pub(super) struct Words {
    open: Option<Word>,
    label: Option<Label>,
    /// The place of the previous code point of the word.
    last: Place,
    /// Made for the first word that needs them.
    #[cfg(feature = "confusables")]
    forms: Option<lookalike::Forms>,
}

impl Words {
    /// Whether the word goes on, so that the next code point must be passed to it.
    pub(super) fn is_open(&self) -> bool {
        self.open.is_some() || self.label.is_some()
    }

    /// Handles a code point after `tail`. `is_byte`: it is a byte of double-encoded text.
    pub(super) fn point(
        &mut self,
        point: u32,
        tail: &Tail,
        place: Place,
        is_byte: bool,
        rules: Rules,
        tell: Tell<'_>,
    ) {
        let before = self.open.as_ref().and_then(|word| word.points.last().copied());
        let before = before.or(tail.back().next()).unwrap_or(0);
        let goes_on =
            |word: &Word| is_word(point) || word.is_domain() && matches!(point, 0x2D | 0x2E);
        let is_in_word = self.open.as_ref().is_some_and(goes_on);
        if !is_in_word {
            self.end(point, rules, tell);
        }
        let label = self.label(point, before, place);
        if let (Some(begin), None) = (label, &self.open) {
            self.open = Some(Word::in_punycode(tail, begin));
            self.last = place;
            return;
        }
        let begins = is_lookalike(point) && is_word(point) || point == SOFT_HYPHEN && !is_byte;
        if !is_in_word && !begins {
            return;
        }
        let word = self.open.get_or_insert_with(|| Word::after(tail));
        if word.points.len() < word.longest() {
            word.points.push(point);
        } else {
            word.is_long = true;
        }
        if point == SOFT_HYPHEN && !is_byte {
            word.soft_hyphen.get_or_insert(place);
        } else if is_lookalike(point) && (is_ascii_letter(before) || before == 0x40)
            || is_mathematical(point)
        {
            word.mixed.get_or_insert(place);
        } else if is_lookalike(before) && is_ascii_letter(point) {
            word.mixed.get_or_insert(self.last);
        }
        if let Some(label) = &mut word.label
            && is_word(point)
        {
            label.length = place.offset + place.length - label.offset;
        }
        self.last = place;
    }

    /// The start of a label whose prefix ends here.
    fn label(&mut self, point: u32, before: u32, place: Place) -> Option<Place> {
        let letter = char::from_u32(point).unwrap_or_default();
        let is = |other: u8| letter.eq_ignore_ascii_case(&char::from(other));
        let Some(mut label) = self.label.take().filter(|label| is(LABEL[label.length])) else {
            let begins = is(LABEL[0]) && !is_word(before) && before != 0x2D;
            self.label = begins.then_some(Label { begin: place, length: 1 });
            return None;
        };
        label.length += 1;
        let begin = label.begin;
        if label.length < LABEL.len() {
            self.label = Some(label);
            return None;
        }
        Some(begin)
    }

    /// Ends a word that is followed by `next`, or by nothing if that is 0.
    pub(super) fn end(&mut self, next: u32, rules: Rules, tell: Tell<'_>) {
        if next == 0 {
            self.label = None;
        }
        let Some(word) = self.open.take().filter(|word| !word.is_long) else { return };
        if let Some(place) = word.soft_hyphen
            && rules.contains(Rule::SoftHyphen)
            && (is_identifier(&word, next) || is_broken_up(&word))
        {
            tell(place.finding(Rule::SoftHyphen, FindingKind::Character(SOFT_HYPHEN)));
        }
        #[cfg(feature = "confusables")]
        if let Some(place) = word.label.or(word.mixed) {
            let is_domain = word.is_domain() && word.points.contains(&0x2E);
            let rule = if is_domain || word.label.is_some() {
                Rule::LookalikeDomain
            } else if word.points.iter().any(|point| is_foreign(*point)) {
                Rule::MixedScript
            } else {
                Rule::LookalikeLetter
            };
            if rules.contains(rule)
                && let Some(what) = match rule {
                    Rule::MixedScript => {
                        lookalike::word(&word, || *self.forms.get_or_insert_with(lookalike::forms))
                    }
                    Rule::LookalikeLetter => lookalike::variant(&word, next),
                    _ => lookalike::domain(&word.points),
                }
            {
                tell(place.finding(rule, what));
            }
        }
    }
}

/// Whether soft hyphens are between all letters of a word, or side by side, where no hyphenation
/// puts them.
fn is_broken_up(word: &Word) -> bool {
    let parts = || word.points.split(|point| *point == SOFT_HYPHEN);
    let inner = parts().count().saturating_sub(2);
    let has_empty_part = parts().skip(1).take(inner).any(<[u32]>::is_empty);
    has_empty_part || inner >= 2 && parts().all(|part| part.len() <= 1)
}

/// Whether a word is a name in code and not one in prose: it has `_`, digits or a capital letter
/// inside, or punctuation of code around it.
fn is_identifier(word: &Word, next: u32) -> bool {
    let is_lower = |point: u32| matches!(point, 0x61..=0x7A);
    let is_upper = |point: u32| matches!(point, 0x41..=0x5A);
    let points = || word.points.iter().copied().filter(|point| *point != SOFT_HYPHEN);
    let has_letter = points().any(is_ascii_letter);
    let has_digit = points().any(|point| matches!(point, 0x30..=0x39));
    let has_hump =
        points().zip(points().skip(1)).any(|(one, other)| is_lower(one) && is_upper(other));
    let is_ascii = points().all(|point| point < 0x80);
    let is_in_code = matches!(word.lead, 0x24 | 0x40) || next == 0x28;
    // At the edges, it may be emphasis in Markdown.
    let is_low_line = |point: &u32| *point == 0x5F;
    let mut has_low_line = points().skip_while(is_low_line).skip_while(|it| !is_low_line(it));
    let has_low_line = has_low_line.any(|point| !is_low_line(&point));
    has_low_line || is_ascii && has_letter && (has_digit || has_hump || is_in_code)
}
