//! The non-ASCII letters of each Latin-script language. Where one charset has `ő` and another has
//! `õ`, only the surrounding letters show which is meant.

use std::collections::BTreeMap;

use utfall::Encoding;

use crate::sample::Piece;

/// Lower-case non-ASCII letters of each language, including those of loanwords.
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
    // Vietnamese, including the combining tone marks of windows-1258.
    "ăâđêôơưáàãạảấầẫậẩắằẵặẳéèẽẹẻếềễệểíìĩịỉóòõọỏốồỗộổớờỡợởúùũụủứừữựửýỳỹỵỷ\u{300}\u{301}\u{303}\u{309}\u{323}",
];

/// Letters that a tone mark may follow. The dot of a lower-cased Turkish `İ` follows one, too.
const VOWELS: &str = "aeiouyăâêôơư";

/// Decodes the text in this encoding and counts the letters outside the alphabet of the
/// best-matching language. Ignores letters of other scripts.
pub(crate) fn uncovered(encoding: Encoding, pieces: &[Piece]) -> u64 {
    let mut letters: BTreeMap<char, u64> = BTreeMap::new();
    let mut misplaced = 0;
    for piece in pieces {
        let text = encoding.decode_lossy(&piece.bytes).text;
        let mut before = ' ';
        for small in text.chars().flat_map(char::to_lowercase) {
            match small {
                // No alphabet has this mark on a consonant.
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

/// Whether this is a letter of Latin-1 Supplement, Latin Extended-A or -B, or Latin Extended
/// Additional.
fn is_latin(scalar: char) -> bool {
    matches!(scalar, '\u{C0}'..='\u{D6}' | '\u{D8}'..='\u{F6}' | '\u{F8}'..='\u{24F}' | '\u{1E00}'..='\u{1EFF}')
}
