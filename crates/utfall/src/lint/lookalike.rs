//! Words that look like others, since letters of two scripts look the same (UTS #39, 4 and 5).

use alloc::string::String;

use unicode_security::MixedScript;

use super::letters::{
    is_ascii_letter, is_east_asian, is_foreign, is_frequent_script, is_fullwidth, is_hebrew,
    is_letterlike, is_mathematical, is_phonetic, is_variant,
};
use super::words::Word;
use super::{FindingKind, prototype, punycode};

/// The first and the last letter of Greek, Cyrillic and Armenian.
const FREQUENT: core::ops::RangeInclusive<char> = '\u{380}'..='\u{58F}';

/// For Greek, Cyrillic and Armenian: the Latin letters that look like one of theirs, as bits.
pub(super) type Forms = [u128; 3];

/// The forms, of about 500 letters.
pub(super) fn forms() -> Forms {
    let mut forms = Forms::default();
    for c in FREQUENT {
        if let [latin] = *prototype::of(c).as_bytes()
            && latin.is_ascii_alphabetic()
            && c.is_uppercase() == latin.is_ascii_uppercase()
        {
            forms[script(c)] |= 1 << latin;
        }
    }
    forms
}

/// A word that mixes Latin letters with those of another script, and could be all of one script.
/// `forms` are those of [`forms`].
pub(super) fn word(word: &Word, forms: impl FnOnce() -> Forms) -> Option<FindingKind> {
    let points = without_escape(word.lead, &word.points);
    let text = text(points);
    let (latin, foreign) = (count(points, is_ascii_letter), count(points, is_foreign));
    if latin == 0 || latin + foreign < SHORTEST || text.is_single_script() || is_compound(points) {
        return None;
    }
    if points.iter().any(|point| is_hebrew(*point)) && (word.is_in_hebrew || !is_inside(points)) {
        return None;
    }
    let latin_form = as_latin(&text);
    let frequent = count(points, is_frequent_script);
    let looks_foreign =
        || frequent >= SHORTEST && frequent > latin && has_foreign_form(&text, forms());
    if latin_form.is_none() && !looks_foreign() {
        return None;
    }
    Some(FindingKind::Lookalike { is: text, like: latin_form.unwrap_or_default() })
}

/// A word that looks like one in ASCII, but has letters that identifiers do not have. It is followed
/// by `next`.
pub(super) fn variant(word: &Word, next: u32) -> Option<FindingKind> {
    let points = without_escape(word.lead, &word.points);
    let (latin, variants) = (count(points, is_ascii_letter), count(points, is_variant));
    if variants == 0 || latin + variants < SHORTEST {
        return None;
    }
    let are_all = |kind: fn(u32) -> bool| count(points, kind) == variants;
    let is_excused = if latin == 0 {
        // Text in bold is ordinary, a name in code is not.
        !are_all(is_mathematical) || are_all(is_italic) || !is_in_code(word.lead, next, points)
    } else {
        are_all(is_fullwidth) && (word.is_in_east_asian || is_east_asian(next))
            || are_all(is_phonetic) && (is_transcribed(word.lead) || is_transcribed(next))
            || is_formula(points)
    };
    if is_excused {
        return None;
    }
    let text = text(points);
    let like = as_ascii(&text)?;
    Some(FindingKind::Lookalike { is: text, like })
}

/// A domain with a label that looks like ASCII, in a domain that is otherwise ASCII.
pub(super) fn domain(points: &[u32]) -> Option<FindingKind> {
    let text = text(points);
    let text = text.trim_end_matches(['.', '-']);
    let mut decoded = String::new();
    for label in text.split('.') {
        if !decoded.is_empty() {
            decoded.push('.');
        }
        decoded += punycode::decode(label).as_deref().unwrap_or(label);
    }
    let is_decoded = decoded != text;
    let last = match decoded.rsplit_once('.') {
        Some((_, last)) => last,
        None if is_decoded => "",
        None => return None,
    };
    let has_mixed_label = decoded.split('.').any(|label| !label.is_single_script());
    let is_lookalike = |c: char| is_foreign(u32::from(c)) || is_variant(u32::from(c));
    if !last.is_ascii() && !has_mixed_label || !decoded.contains(is_lookalike) {
        return None;
    }
    let like = as_ascii(&decoded)?;
    Some(match is_decoded {
        true => FindingKind::Punycode { decoded, like },
        false => FindingKind::Lookalike { is: decoded, like },
    })
}

/// Shorter words mix scripts in units, formulas and abbreviations.
const SHORTEST: usize = 3;

fn count(points: &[u32], kind: fn(u32) -> bool) -> usize {
    points.iter().filter(|point| kind(**point)).count()
}

/// The text without soft hyphens.
fn text(points: &[u32]) -> String {
    points.iter().copied().filter(|point| *point != 0xAD).filter_map(char::from_u32).collect()
}

/// Whether a word begins and ends in ASCII. In Hebrew, words such as "and" are a letter before the
/// next word, which may be Latin.
fn is_inside(points: &[u32]) -> bool {
    [points.first(), points.last()].into_iter().flatten().all(|point| *point < 0x80)
}

/// Whether a word is a name in code: after a full stop, `$` or `@`, before a parenthesis, or with a
/// low line.
fn is_in_code(lead: u32, next: u32, points: &[u32]) -> bool {
    matches!(lead, 0x24 | 0x2E | 0x40) || next == 0x28 || points.contains(&0x5F)
}

/// Whether a code point delimits a transcription: `/` or a bracket.
fn is_transcribed(point: u32) -> bool {
    matches!(point, 0x2F | 0x5B | 0x5D)
}

/// The letters of formulas.
fn is_italic(point: u32) -> bool {
    matches!(point, 0x1D434..=0x1D467)
}

/// Whether the only letter that is not ASCII is a name of a formula at an edge: `sin𝑥`, `dimℝ`.
fn is_formula(points: &[u32]) -> bool {
    let is_name = |point: &&u32| {
        is_mathematical(**point) && **point < MATHEMATICAL_DIGITS || is_letterlike(**point)
    };
    let is_at_edge = points.last().filter(is_name).is_some()
        || points.len() <= LONGEST_FORMULA && points.first().filter(is_name).is_some();
    count(points, is_variant) == 1 && is_at_edge
}

/// The first of five times ten.
const MATHEMATICAL_DIGITS: u32 = 0x1D7CE;

/// Letters of `𝑥max` and the like.
const LONGEST_FORMULA: usize = 4;

/// The word without the letters of an escape (`\nТекст`), a placeholder (`%sа`) or a variable.
fn without_escape(lead: u32, points: &[u32]) -> &[u32] {
    let is_part = |point: &u32| is_ascii_letter(*point) || matches!(point, 0x30..=0x39 | 0x5F);
    let count = match (lead, points) {
        // After a backslash; also the fonts of troff, `\fB`.
        (0x5C, [0x66, 0x41..=0x5A, ..]) => 2,
        (0x5C, _) => 1,
        (0x24 | 0x25, _) => points.iter().take_while(|point| is_part(point)).count(),
        _ => 0,
    };
    points.get(count..).unwrap_or_default()
}

/// An abbreviation in Latin capitals with a small Cyrillic or Greek ending, or a name that ends in
/// one: `APIа`, `МассивX`.
fn is_compound(points: &[u32]) -> bool {
    let is_capital = |point: &u32| matches!(point, 0x30..=0x39 | 0x41..=0x5A);
    let is_small = |point: &u32| {
        is_frequent_script(*point) && char::from_u32(*point).is_some_and(char::is_lowercase)
    };
    let stem = points.iter().take_while(|point| is_capital(point)).count();
    let end = points.iter().rev().take_while(|point| is_capital(point)).count();
    let begin = &points[..points.len() - end];
    stem >= 2 && points[stem..].iter().all(is_small)
        || end > 0
            && begin.len() >= SHORTEST
            && begin.last().is_some_and(is_small)
            && begin.iter().all(|point| is_frequent_script(*point))
}

/// The word in ASCII, if every letter of another script has a Latin lookalike. Small Greek letters
/// except omicron are names in formulas, as in `dρ`.
fn as_latin(text: &str) -> Option<String> {
    let is_name = |c: char| matches!(c, 'α'..='ω' | 'ϐ'..='ϖ') && c != 'ο';
    if text.contains(is_name) { None } else { as_ascii(text) }
}

/// A text with ASCII for each letter that looks like it, or `None` if a letter of another script
/// has no such form.
fn as_ascii(text: &str) -> Option<String> {
    let mut like = String::new();
    for c in text.chars() {
        let point = u32::from(c);
        if is_variant(point) {
            like.push(variant_form(c)?);
        } else if is_foreign(point) {
            match prototype::of(c) {
                // Of capital I and small L, the prototype is the latter.
                "l" if c.is_uppercase() => like.push('I'),
                form if form.is_empty() || !form.bytes().all(|it| it.is_ascii_alphabetic()) => {
                    return None;
                }
                form => like.push_str(form),
            }
        } else {
            like.push(c);
        }
    }
    Some(like)
}

/// The ASCII letter or digit that a phonetic, technical or compatibility character looks like.
fn variant_form(c: char) -> Option<char> {
    /// Fullwidth forms are in the order of ASCII.
    const FULLWIDTH: u32 = 0xFEE0;
    match u32::from(c) {
        point if is_fullwidth(point) => char::from_u32(point - FULLWIDTH),
        point @ MATHEMATICAL_DIGITS..=0x1D7FF => {
            char::from_digit((point - MATHEMATICAL_DIGITS) % 10, 10)
        }
        _ => match *prototype::of(c).as_bytes() {
            [b'l'] if c.is_uppercase() => Some('I'),
            [b'r', b'n'] => Some('m'),
            [form] => Some(char::from(form)),
            _ => None,
        },
    }
}

/// Whether every Latin letter of a word has a lookalike in the other script.
fn has_foreign_form(text: &str, forms: Forms) -> bool {
    let script = text.chars().find(|c| FREQUENT.contains(c)).map(script);
    let has_form = |latin: char| script.is_some_and(|it| forms[it] >> u32::from(latin) & 1 == 1);
    text.chars().filter(char::is_ascii_alphabetic).all(has_form)
}

/// Greek, Cyrillic or Armenian.
fn script(c: char) -> usize {
    match c {
        ..'\u{400}' => 0,
        ..'\u{530}' => 1,
        _ => 2,
    }
}
