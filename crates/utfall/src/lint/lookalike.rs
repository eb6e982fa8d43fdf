//! Words that look like others, since letters of two scripts look the same (UTS #39, 4 and 5).

use alloc::string::String;

use unicode_security::MixedScript;
use unicode_security::confusable_detection::skeleton;

use super::FindingKind;
use super::words::{is_ascii_letter, is_foreign};

/// The first and the last letter of the scripts with lookalikes.
const FOREIGN: core::ops::RangeInclusive<char> = '\u{380}'..='\u{58F}';

/// For Greek, Cyrillic and Armenian: the Latin letters that look like one of theirs, as bits.
pub(super) type Forms = [u128; 3];

/// The forms, of about 500 letters.
pub(super) fn forms() -> Forms {
    let mut forms = Forms::default();
    for c in FOREIGN {
        let mut bytes = [0; 4];
        let mut form = skeleton(c.encode_utf8(&mut bytes)).fuse();
        if let (Some(latin), None) = (form.next(), form.next())
            && latin.is_ascii_alphabetic()
            && c.is_uppercase() == latin.is_ascii_uppercase()
        {
            forms[script(c)] |= 1 << u32::from(latin);
        }
    }
    forms
}

/// A word that mixes Latin letters with those of another script, and could be all of one script.
/// `forms` are those of [`forms`].
pub(super) fn word(
    lead: u32,
    points: &[u32],
    forms: impl FnOnce() -> Forms,
) -> Option<FindingKind> {
    let points = without_escape(lead, points);
    let text: String = points.iter().copied().filter_map(char::from_u32).collect();
    let latin = points.iter().filter(|point| is_ascii_letter(**point)).count();
    let foreign = points.iter().filter(|point| is_foreign(**point)).count();
    if latin == 0 || latin + foreign < SHORTEST || text.is_single_script() || is_compound(points) {
        return None;
    }
    let latin_form = as_latin(&text);
    let looks_foreign =
        || foreign >= SHORTEST && foreign > latin && has_foreign_form(&text, forms());
    if latin_form.is_none() && !looks_foreign() {
        return None;
    }
    Some(FindingKind::Lookalike { is: text, like: latin_form.unwrap_or_default() })
}

/// A domain with a label that looks like ASCII, in a domain that is otherwise ASCII.
pub(super) fn domain(points: &[u32]) -> Option<FindingKind> {
    let text: String = points.iter().copied().filter_map(char::from_u32).collect();
    let text = text.trim_end_matches(['.', '-']);
    let (_, last) = text.rsplit_once('.')?;
    let has_mixed_label = text.split('.').any(|label| !label.is_single_script());
    if !last.is_ascii() && !has_mixed_label {
        return None;
    }
    let like = as_ascii(text)?;
    Some(FindingKind::Lookalike { is: text.into(), like })
}

/// Shorter words mix scripts in units, formulas and abbreviations.
const SHORTEST: usize = 3;

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
    let is_small =
        |point: &u32| is_foreign(*point) && char::from_u32(*point).is_some_and(char::is_lowercase);
    let stem = points.iter().take_while(|point| is_capital(point)).count();
    let end = points.iter().rev().take_while(|point| is_capital(point)).count();
    let begin = &points[..points.len() - end];
    stem >= 2 && points[stem..].iter().all(is_small)
        || end > 0
            && begin.len() >= SHORTEST
            && begin.last().is_some_and(is_small)
            && begin.iter().all(|point| is_foreign(*point))
}

/// The word in ASCII, if every letter of another script has a Latin lookalike. Small Greek letters
/// except omicron are names in formulas, as in `dρ`.
fn as_latin(text: &str) -> Option<String> {
    let is_name = |c: char| matches!(c, 'α'..='ω' | 'ϐ'..='ϖ') && c != 'ο';
    if text.contains(is_name) { None } else { as_ascii(text) }
}

fn as_ascii(text: &str) -> Option<String> {
    let mut like = String::new();
    for c in text.chars() {
        if c.is_ascii() || !FOREIGN.contains(&c) {
            like.push(c);
            continue;
        }
        let begin = like.len();
        like.extend(skeleton(c.encode_utf8(&mut [0; 4])));
        let form = &like[begin..];
        if form.is_empty() || !form.bytes().all(|byte| byte.is_ascii_alphabetic()) {
            return None;
        }
    }
    Some(like)
}

/// Whether every Latin letter of a word has a lookalike in the other script.
fn has_foreign_form(text: &str, forms: Forms) -> bool {
    let script = text.chars().find(|c| FOREIGN.contains(c)).map(script);
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
