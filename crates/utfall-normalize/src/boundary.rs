//! Finds places where text can be cut so that its parts can be normalized separately.
//!
//! These are before any character whose full decomposition begins with a starter (a character of
//! combining class 0) that composes with no preceding one. Nothing is reordered or composed across
//! such a place. The decomposition is the canonical one for NFC and NFD, and the compatibility
//! decomposition for NFKC and NFKD.

use icu_normalizer::DecomposingNormalizerBorrowed;
use icu_normalizer::properties::{
    CanonicalCombiningClassMapBorrowed, CanonicalDecompositionBorrowed, Decomposed,
};

use crate::Form;

/// Ranges of the starters that compose with a preceding starter. Composition is stable, so once
/// assigned they do not change between versions of Unicode; a test looks for new ones.
const COMPOSE_BACKWARDS: [(char, char); 31] = [
    ('\u{9BE}', '\u{9BE}'),
    ('\u{9D7}', '\u{9D7}'),
    ('\u{B3E}', '\u{B3E}'),
    ('\u{B56}', '\u{B57}'),
    ('\u{BBE}', '\u{BBE}'),
    ('\u{BD7}', '\u{BD7}'),
    ('\u{CC2}', '\u{CC2}'),
    ('\u{CD5}', '\u{CD6}'),
    ('\u{D3E}', '\u{D3E}'),
    ('\u{D57}', '\u{D57}'),
    ('\u{DCF}', '\u{DCF}'),
    ('\u{DDF}', '\u{DDF}'),
    ('\u{102E}', '\u{102E}'),
    // Vowels and final consonants of Hangul.
    ('\u{1161}', '\u{1175}'),
    ('\u{11A8}', '\u{11C2}'),
    ('\u{1B35}', '\u{1B35}'),
    ('\u{11127}', '\u{11127}'),
    ('\u{1133E}', '\u{1133E}'),
    ('\u{11357}', '\u{11357}'),
    ('\u{113B8}', '\u{113B8}'),
    ('\u{113BB}', '\u{113BB}'),
    ('\u{113C2}', '\u{113C2}'),
    ('\u{113C9}', '\u{113C9}'),
    ('\u{114B0}', '\u{114B0}'),
    ('\u{114BA}', '\u{114BA}'),
    ('\u{114BD}', '\u{114BD}'),
    ('\u{115AF}', '\u{115AF}'),
    ('\u{11930}', '\u{11930}'),
    ('\u{1611E}', '\u{16120}'),
    ('\u{16129}', '\u{16129}'),
    ('\u{16D67}', '\u{16D67}'),
];

/// Whether text can be cut before `character`.
fn begins_anew(character: char, form: Form) -> bool {
    // Decompositions below U+0300 begin with letters, digits or spaces.
    if character < '\u{300}' {
        return true;
    }
    let first = match form {
        Form::Nfc | Form::Nfd => first_of_decomposition(character),
        Form::Nfkc | Form::Nfkd => first_of_compatibility_decomposition(character),
    };
    let composes = |(from, to): &(char, char)| (*from..=*to).contains(&first);
    CanonicalCombiningClassMapBorrowed::new().get_u8(first) == 0
        && !COMPOSE_BACKWARDS.iter().any(composes)
}

fn first_of_compatibility_decomposition(character: char) -> char {
    let mut decomposed =
        DecomposingNormalizerBorrowed::new_nfkd().normalize_iter(std::iter::once(character));
    decomposed.next().unwrap_or(character)
}

fn first_of_decomposition(character: char) -> char {
    let mut first = character;
    loop {
        first = match CanonicalDecompositionBorrowed::new().decompose(first) {
            Decomposed::Default => return first,
            Decomposed::Singleton(one) | Decomposed::Expansion(one, _) => one,
        };
    }
}

/// Whether `text` can be cut at `at`, a character boundary inside it.
pub(crate) fn is_before(text: &[u8], at: usize, form: Form) -> bool {
    if text[at].is_ascii() {
        return true;
    }
    let length = match text[at] {
        0xC0..=0xDF => 2,
        0xE0..=0xEF => 3,
        _ => 4,
    };
    let bytes = text.get(at..at + length).unwrap_or_default();
    // Bytes that are not a character of UTF-8 stay unchanged and separate the text around them.
    let character = str::from_utf8(bytes).ok().and_then(|text| text.chars().next());
    character.is_none_or(|character| begins_anew(character, form))
}

/// The last place to cut `text`: after its start, at most at `limit`, and before its end.
pub(crate) fn last(text: &[u8], limit: usize, form: Form) -> Option<usize> {
    let begins = |at: &usize| text[*at] & 0xC0 != 0x80;
    let last = limit.min(text.len().checked_sub(1)?);
    (1..=last).rev().filter(begins).find(|at| is_before(text, *at, form))
}

/// The start of the first sequence without a cut that is longer than `longest`. The sequence must
/// begin in `text[..taken]` or at `taken`, which is a cut or the end.
pub(crate) fn too_long(text: &[u8], taken: usize, longest: usize, form: Form) -> Option<usize> {
    let mut begin = 0;
    while taken - begin > longest {
        match last(&text[begin..taken], longest, form) {
            Some(length) => begin += length,
            None => return Some(begin),
        }
    }
    (text.len() - taken > longest).then_some(taken)
}

#[cfg(test)]
mod tests {
    use icu_normalizer::properties::CanonicalCompositionBorrowed;

    use super::*;

    /// Compares the list with the data of this version of Unicode, for every character.
    #[test]
    fn every_starter_that_composes_backwards_is_known() {
        let composition = CanonicalCompositionBorrowed::new();
        let mut seconds = Vec::new();
        for whole in '\0'..=char::MAX {
            let Decomposed::Expansion(first, second) =
                CanonicalDecompositionBorrowed::new().decompose(whole)
            else {
                continue;
            };
            if composition.compose(first, second) == Some(whole) {
                assert!(!begins_anew(second, Form::Nfc), "U+{:04X}", u32::from(second));
                seconds.push(second);
            }
        }
        let ccc = CanonicalCombiningClassMapBorrowed::new();
        for (from, to) in COMPOSE_BACKWARDS {
            assert!(seconds.contains(&from) && seconds.contains(&to), "{from:?}");
        }
        // There is no cut before a character that begins with a mark or with one of those starters;
        // there is one before all others.
        for character in '\u{80}'..=char::MAX {
            let first = first_of_decomposition(character);
            let is_inside = ccc.get_u8(first) > 0 || seconds.contains(&first);
            let anew = begins_anew(character, Form::Nfc);
            assert_eq!(anew, !is_inside, "U+{:04X}", u32::from(character));
            // The same for the compatibility decomposition, which is computed in another way.
            let whole = String::from(character);
            let all = DecomposingNormalizerBorrowed::new_nfkd().normalize(&whole).into_owned();
            let first = all.chars().next().unwrap();
            let is_inside = ccc.get_u8(first) > 0 || seconds.contains(&first);
            let anew = begins_anew(character, Form::Nfkc);
            assert_eq!(anew, !is_inside, "compatibility, U+{:04X}", u32::from(character));
        }
    }
}
