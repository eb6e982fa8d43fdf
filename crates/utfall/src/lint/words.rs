//! Words with something suspicious inside: soft hyphens in identifiers, and letters of one script
//! that look like those of another.

use alloc::vec::Vec;

#[cfg(feature = "confusables")]
use super::lookalike;
use super::{FindingKind, Place, Rule, Rules, Tell};

/// Code points of a word. Longer words are not examined.
const LONGEST: usize = 64;

const SOFT_HYPHEN: u32 = 0xAD;

/// Whether one of these rules needs the end of the text that has been read.
pub(super) fn need_tail(rules: Rules) -> bool {
    const RULES: &[Rule] = &[
        Rule::ZeroWidth,
        Rule::SoftHyphen,
        #[cfg(feature = "confusables")]
        Rule::MixedScript,
        #[cfg(feature = "confusables")]
        Rule::LookalikeDomain,
    ];
    RULES.iter().any(|rule| rules.contains(*rule))
}

/// A letter or digit, a mark, `_`, or a soft hyphen.
fn is_word(point: u32) -> bool {
    match point {
        0x5F | SOFT_HYPHEN | 0x0300..=0x036F => true,
        _ => char::from_u32(point).is_some_and(char::is_alphanumeric),
    }
}

pub(super) fn is_ascii_letter(point: u32) -> bool {
    matches!(point, 0x41..=0x5A | 0x61..=0x7A)
}

/// Letters of scripts with many lookalikes of Latin letters: Greek, Cyrillic, Armenian.
pub(super) fn is_foreign(point: u32) -> bool {
    matches!(point, 0x0380..=0x058F)
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

/// Code points of a text that are remembered: the longest word and the two before it.
const KEPT: usize = LONGEST + 2;

/// A word that is examined to its end.
#[derive(Debug)]
struct Word {
    lead: u32,
    points: Vec<u32>,
    is_long: bool,
    /// The first soft hyphen.
    soft_hyphen: Option<Place>,
    /// The first foreign letter beside an ASCII letter, or after `@`.
    mixed: Option<Place>,
}

impl Word {
    /// The last word of a text.
    fn after(tail: &Tail) -> Self {
        let (word, lead) = tail.word();
        let is_long = word.is_none();
        Self { lead, points: word.unwrap_or_default(), is_long, soft_hyphen: None, mixed: None }
    }

    /// A domain in a mail address, which also has hyphens and full stops.
    fn is_domain(&self) -> bool {
        self.lead == 0x40
    }
}

/// The suspicious words of a text.
#[derive(Debug, Default)]
pub(super) struct Words {
    open: Option<Word>,
    /// The place of the previous code point of the word.
    last: Place,
    /// Made for the first word that needs them.
    #[cfg(feature = "confusables")]
    forms: Option<lookalike::Forms>,
}

impl Words {
    /// Whether the word goes on, so that the next code point must be passed to it.
    pub(super) fn is_open(&self) -> bool {
        self.open.is_some()
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
        if !self.open.as_ref().is_some_and(goes_on) {
            self.end(point, rules, tell);
            let begins = is_foreign(point) && is_word(point) || point == SOFT_HYPHEN && !is_byte;
            if !begins {
                return;
            }
        }
        let word = self.open.get_or_insert_with(|| Word::after(tail));
        if word.points.len() < LONGEST {
            word.points.push(point);
        } else {
            word.is_long = true;
        }
        if point == SOFT_HYPHEN && !is_byte {
            word.soft_hyphen.get_or_insert(place);
        } else if is_foreign(point) && (is_ascii_letter(before) || before == 0x40) {
            word.mixed.get_or_insert(place);
        } else if is_foreign(before) && is_ascii_letter(point) {
            word.mixed.get_or_insert(self.last);
        }
        self.last = place;
    }

    /// Ends a word that is followed by `next`, or by nothing if that is 0.
    pub(super) fn end(&mut self, next: u32, rules: Rules, tell: Tell<'_>) {
        let Some(word) = self.open.take().filter(|word| !word.is_long) else { return };
        if let Some(place) = word.soft_hyphen
            && rules.contains(Rule::SoftHyphen)
            && is_identifier(&word, next)
        {
            tell(place.finding(Rule::SoftHyphen, FindingKind::Character(SOFT_HYPHEN)));
        }
        #[cfg(feature = "confusables")]
        if let Some(place) = word.mixed {
            let rule = if word.is_domain() { Rule::LookalikeDomain } else { Rule::MixedScript };
            if rules.contains(rule)
                && let Some(what) = match rule {
                    Rule::MixedScript => lookalike::word(word.lead, &word.points, || {
                        *self.forms.get_or_insert_with(lookalike::forms)
                    }),
                    _ => lookalike::domain(&word.points),
                }
            {
                tell(place.finding(rule, what));
            }
        }
    }
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
    is_ascii && has_letter && (has_digit || has_hump || is_in_code || points().any(|it| it == 0x5F))
}
