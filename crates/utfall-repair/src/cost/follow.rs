//! A table of the extra cost of a character after others, which adds to its rarity. The rules are in
//! [`Weighed::odd_cost`](super::Weighed).
//!
//! Characters of the same class cost the same after each other. The case of the character before both
//! matters too.

use unicode_script::Script;

use super::{ALONE, GREEK, HUMP, Kind, transition};
use Kind::*;

/// Properties of characters that others of their kind lack.
#[derive(Clone, Copy, PartialEq)]
enum Oddity {
    None,
    /// U+00A0.
    NoBreak,
    /// `Ã` and `Â`, after which that is odd.
    BeforeNoBreak,
    /// `Î` and `Ï`, with which misread Greek letters begin.
    GreekLead,
    /// Signs with which they may go on.
    GreekRest,
    /// `ς`, which ends words.
    Final,
    /// `√`, after which most things are odd.
    Root,
}

const fn oddity(character: char) -> Oddity {
    match character {
        '\u{A0}' => Oddity::NoBreak,
        'Ã' | 'Â' => Oddity::BeforeNoBreak,
        'Î' | 'Ï' => Oddity::GreekLead,
        '\u{B1}'..='\u{BF}' => Oddity::GreekRest,
        'ς' => Oddity::Final,
        '√' => Oddity::Root,
        _ => Oddity::None,
    }
}

const LATIN: Script = Script::Latin;

/// The classes in the table. The first represents all others, which the table lacks.
const CLASSES: [(Kind, Oddity); COUNT] = [
    (Control, Oddity::Root),
    (Space, Oddity::None),
    (Space, Oddity::NoBreak),
    (Upper { script: LATIN, plain: true }, Oddity::None),
    (Lower { script: LATIN, plain: true }, Oddity::None),
    (Upper { script: LATIN, plain: false }, Oddity::None),
    (Upper { script: LATIN, plain: false }, Oddity::BeforeNoBreak),
    (Upper { script: LATIN, plain: false }, Oddity::GreekLead),
    (Lower { script: LATIN, plain: false }, Oddity::None),
    (Letter(LATIN), Oddity::None),
    (Upper { script: Script::Cyrillic, plain: false }, Oddity::None),
    (Lower { script: Script::Cyrillic, plain: false }, Oddity::None),
    (Upper { script: Script::Greek, plain: false }, Oddity::None),
    (Lower { script: Script::Greek, plain: false }, Oddity::None),
    (Lower { script: Script::Greek, plain: false }, Oddity::Final),
    (Letter(Script::Hebrew), Oddity::None),
    (Mark(Script::Hebrew), Oddity::None),
    (Letter(Script::Arabic), Oddity::None),
    (Mark(Script::Arabic), Oddity::None),
    (Letter(Script::Thai), Oddity::None),
    (Mark(Script::Thai), Oddity::None),
    (Letter(Script::Devanagari), Oddity::None),
    (Mark(Script::Devanagari), Oddity::None),
    (Letter(Script::Han), Oddity::None),
    (Letter(Script::Hiragana), Oddity::None),
    (Letter(Script::Katakana), Oddity::None),
    (Letter(Script::Hangul), Oddity::None),
    (Mark(Script::Inherited), Oddity::None),
    (Digit, Oddity::None),
    (Punctuation, Oddity::None),
    (Open, Oddity::None),
    (Open, Oddity::GreekRest),
    (Close, Oddity::None),
    (Close, Oddity::GreekRest),
    (Apostrophe, Oddity::None),
    (Dash, Oddity::None),
    (Trailing, Oddity::None),
    (Trailing, Oddity::GreekRest),
    (Currency, Oddity::None),
    (Symbol, Oddity::None),
    (Symbol, Oddity::GreekRest),
    (Drawing, Oddity::None),
    (Figure, Oddity::None),
    (Emoji, Oddity::None),
    (Joiner, Oddity::None),
    (Control, Oddity::None),
];
const COUNT: usize = 46;

/// The class of a space.
pub(super) const SPACE: u8 = 1;
/// The class of a Han character.
pub(super) const HAN: u8 = 23;

/// The class of a character.
pub(super) fn class(character: char, kind: Kind) -> u8 {
    let own = (kind, oddity(character));
    CLASSES.iter().skip(1).position(|class| *class == own).map_or(0, |index| index as u8 + 1)
}

/// The kind of a class that the table has.
pub(super) fn kind(class: u8) -> Option<Kind> {
    (class > 0).then(|| CLASSES[usize::from(class)].0)
}

/// Kinds of a character two places before, as far as they matter.
const FIRSTS: [Kind; 5] = [
    Space,
    Upper { script: LATIN, plain: true },
    Lower { script: LATIN, plain: true },
    Upper { script: LATIN, plain: false },
    Lower { script: LATIN, plain: false },
];

/// The index in [`FIRSTS`] of the kind that a kind counts as.
pub(super) const fn first(kind: Kind) -> u8 {
    match kind {
        Upper { plain: true, .. } => 1,
        Lower { plain: true, .. } => 2,
        Upper { plain: false, .. } => 3,
        Lower { plain: false, .. } => 4,
        _ => 0,
    }
}

/// Marks pairs that the characters themselves decide.
pub(super) const UNKNOWN: i8 = i8::MIN;
/// Is added to the extra cost of two Latin letters beyond US-ASCII. If they follow each other in no language, they
/// cost more.
pub(super) const LETTERS: i8 = 64;

/// Digits of a class.
const DIGITS: u32 = 6;
/// The extra cost by the character two places before, the one before, and the character, as in [`place`].
static EXTRA: [i8; FIRSTS.len() << (2 * DIGITS)] = {
    let mut all = [UNKNOWN; FIRSTS.len() << (2 * DIGITS)];
    let mut first = 0;
    while first < FIRSTS.len() {
        let rows = [FIRST, UPPER, LOWER, HIGH_UPPER, HIGH_LOWER][first];
        let mut last = 0;
        while last < COUNT {
            let mut next = 0;
            while next < COUNT {
                all[place(first as u8, last as u8, next as u8)] = rows[last][next];
                next += 1;
            }
            last += 1;
        }
        first += 1;
    }
    all
};

#[inline]
const fn place(first: u8, last: u8, next: u8) -> usize {
    ((first as usize) << (2 * DIGITS)) | ((last as usize) << DIGITS) | next as usize
}

/// The extra cost of a class after two others, or [`UNKNOWN`]. `first` comes from [`first`](self::first).
#[inline]
pub(super) fn extra_cost(first: u8, last: u8, next: u8) -> i8 {
    EXTRA[place(first, last, next)]
}

// One constant each, since the compiler bounds the work for one.
const FIRST: [[i8; COUNT]; COUNT] = after(FIRSTS[0]);
const UPPER: [[i8; COUNT]; COUNT] = after(FIRSTS[1]);
const LOWER: [[i8; COUNT]; COUNT] = after(FIRSTS[2]);
const HIGH_UPPER: [[i8; COUNT]; COUNT] = after(FIRSTS[3]);
const HIGH_LOWER: [[i8; COUNT]; COUNT] = after(FIRSTS[4]);

const fn after(first: Kind) -> [[i8; COUNT]; COUNT] {
    let mut all = [[UNKNOWN; COUNT]; COUNT];
    let mut last = 1;
    while last < COUNT {
        let mut next = 1;
        while next < COUNT {
            all[last][next] = extra(first, CLASSES[last], CLASSES[next]);
            next += 1;
        }
        last += 1;
    }
    all
}

const fn extra(first: Kind, (last, odd): (Kind, Oddity), (next, other): (Kind, Oddity)) -> i8 {
    let is_letter = matches!(next, Upper { .. } | Lower { .. });
    let bits = match (odd, other) {
        (Oddity::BeforeNoBreak, Oddity::NoBreak) if !matches!(first, Upper { .. }) => ALONE,
        (Oddity::GreekLead, Oddity::GreekRest) => transition(first, last, next) + GREEK,
        (Oddity::Final, _) if is_letter => HUMP,
        _ if is_latin(last) && is_latin(next) => transition(first, last, next) + LETTERS as i32,
        _ => match (last, next) {
            (Drawing, Drawing) | (Figure, Figure) | (Emoji, Joiner | Emoji) => return UNKNOWN,
            (Letter(_) | Mark(_), Joiner) => return UNKNOWN,
            _ => transition(first, last, next),
        },
    };
    bits as i8
}

/// Whether it is a Latin letter beyond US-ASCII.
const fn is_latin(kind: Kind) -> bool {
    match kind {
        Upper { script, plain: false } | Lower { script, plain: false } | Letter(script) => {
            script as u8 == LATIN as u8
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::super::Weighed;

    #[test]
    fn classes_by_number() {
        assert!(super::class(' ', super::Space) == super::SPACE);
        assert!(super::class('一', super::Letter(super::Script::Han)) == super::HAN);
    }

    #[test]
    fn the_table_has_the_cost_of_the_rules() {
        let ranges =
            ['\0'..='\u{24F}', 'Α'..='я', 'א'..='ת', '\u{610}'..='\u{660}', '\u{900}'..='\u{910}']
                .into_iter()
                .chain([
                    'ก'..='็',
                    '\u{2010}'..='\u{2040}',
                    '€'..='₿',
                    '←'..='↑',
                    '√'..='≥',
                    '─'..='▒',
                ])
                .chain([
                    'あ'..='う',
                    'ア'..='ウ',
                    '一'..='三',
                    '가'..='각',
                    '\u{FE0F}'..='\u{FE0F}',
                ])
                .chain([
                    '😀'..='😂',
                    'Ա'..='Բ',
                    'ა'..='ბ',
                    '\u{300}'..='\u{302}',
                    '\u{FFFD}'..='\u{FFFD}',
                ]);
        let all: Vec<Weighed> = ranges.flatten().map(Weighed::new).collect();
        for first in
            ['\n', 'A', 'a', 'É', 'é', 'Я', 'я', 'Ա', 'ß', '1', '“', 'あ'].map(Weighed::new)
        {
            for last in &all {
                for next in &all {
                    let right = next.odd_cost([*last, first]);
                    let pair = (first.character(), last.character(), next.character());
                    assert_eq!(next.cost([*last, first]), right, "{pair:?}");
                }
            }
        }
    }
}
