//! Which letters beyond ASCII the languages of Latin script have, and no other: where one charset has
//! `ő` another has `õ`, and only the letters around it tell which is meant.

use std::collections::BTreeMap;

use utfall::Encoding;

use crate::sample::Piece;

/// The small letters beyond ASCII of a language, with those of words that it has taken in.
const ALPHABETS: &[&str] = &[
    // Danish and Norwegian, German, Dutch, Swedish and Finnish, Faroese, Icelandic.
    "åæøäéèêëóòôöü",
    "äöüßéàè",
    "áäèéêëíïóôöúûüç",
    "åäöéàüæø",
    "áðíóúýæø",
    "áðéíóúýþæö",
    // French, Italian, Catalan, Spanish, Portuguese, Romanian.
    "àâæçéèêëîïôœùûüÿ",
    "àèéìíîòóùú",
    "àçèéíïñòóúü",
    "áéíñóúü",
    "àáâãçéêíóôõúü",
    "ăâîşţșțé",
    // Irish, Scottish Gaelic, Welsh, Albanian, Maltese, Esperanto, Turkish.
    "áéíóúḃċḋḟġṁṗṡṫ",
    "àèéìòóù",
    "áàâäéèêëíìîïóòôöúùûüŵŷÿýẁẃẅỳ",
    "çëéâ",
    "àċèġħìîòùż",
    "ĉĝĥĵŝŭ",
    "âçğıîöşûü\u{307}",
    // Czech, Slovak, Polish, Hungarian, the South Slavic languages.
    "áčďéěíňóřšťúůýž",
    "áäčďéíĺľňóôŕšťúýž",
    "ąćęłńóśźżé",
    "áéíóöőúüűä",
    "čćđšžéŕ",
    // Estonian, Latvian, Lithuanian, Sami.
    "äöõüšžé",
    "āčēģīķļņōŗšūž",
    "ąčęėįšųūž",
    "áčđŋšŧžåäöø",
    // Vietnamese; with it, the marks of tones that windows-1258 has by themselves.
    "ăâđêôơưáàãạảấầẫậẩắằẵặẳéèẽẹẻếềễệểíìĩịỉóòõọỏốồỗộổớờỡợởúùũụủứừữựửýỳỹỵỷ\u{300}\u{301}\u{303}\u{309}\u{323}",
];

/// What a mark of tone may be on. The dot of a Turkish `İ` in small letters is on one, too.
const VOWELS: &str = "aeiouyăâêôơư";

/// How many letters of a text in this encoding are beyond the alphabet of the language that has
/// most of them. Letters of other scripts are not counted.
pub(crate) fn uncovered(encoding: Encoding, pieces: &[Piece]) -> u64 {
    let mut letters: BTreeMap<char, u64> = BTreeMap::new();
    let mut misplaced = 0;
    for piece in pieces {
        let text = encoding.decode_lossy(&piece.octets).text;
        let mut before = ' ';
        for small in text.chars().flat_map(char::to_lowercase) {
            match small {
                // On a consonant it belongs to no alphabet.
                '\u{300}'..='\u{36F}' if !VOWELS.contains(before) => misplaced += 1,
                '\u{300}'..='\u{36F}' => *letters.entry(small).or_default() += 1,
                _ if is_latin(small) => *letters.entry(small).or_default() += 1,
                _ => {}
            }
            before = small;
        }
    }
    let outside = |alphabet: &&str| -> u64 {
        let is_outside = |(letter, _): &(&char, &u64)| !alphabet.contains(**letter);
        letters.iter().filter(is_outside).map(|(_, count)| count).sum()
    };
    misplaced + ALPHABETS.iter().map(outside).min().unwrap_or(0)
}

/// A letter of Latin-1 Supplement, Latin Extended-A and -B, or Latin Extended Additional.
fn is_latin(scalar: char) -> bool {
    matches!(scalar, '\u{C0}'..='\u{D6}' | '\u{D8}'..='\u{F6}' | '\u{F8}'..='\u{24F}' | '\u{1E00}'..='\u{1EFF}')
}
