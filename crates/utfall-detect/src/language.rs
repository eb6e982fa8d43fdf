//! Letter pairs: how likely a text in a single-byte charset is in each language.
//!
//! A table per language has the cost of each letter after each other one, whatever the charset. So
//! one table serves all charsets of the language. `cargo xtask detect-quality --train` writes them.

mod names;
mod tables;

use utfall::Encoding;

use crate::cost::{Bits, bits};
use crate::hints::Language;
use crate::model::{ILL_FORMED, Model};
use crate::reading::{Foreign, Reading, start};
use crate::sample::Piece;
pub use names::language_name;
use tables::{COSTS, TABLES};

/// Parts of this length are counted if they have a non-ASCII byte.
const PART: usize = 96;
/// How many different pairs of bytes are looked at.
const MOST_PAIRS: usize = 6000;
/// The letter pairs of US-ASCII count half: they may belong to another language.
const ASCII_SHARE: Bits = 2;
/// How far a language can trail the likeliest one by letters of US-ASCII, which may be those of markup or
/// of a program.
const BEHIND: Bits = bits(100);
/// A capital after a small letter, and a small letter after a capital symbol.
const CAPITAL_INSIDE: Bits = bits(7);
/// A capital at the start of a word.
const CAPITAL: Bits = bits(2);
/// A symbol next to a letter where it does not belong.
const MISPLACED: Bits = bits(4);
/// A symbol between two letters of US-ASCII.
const INSIDE_WORD: Bits = bits(10);
/// Another script among many letters of US-ASCII, and each of its words.
const OTHER_SCRIPT: Bits = bits(10);
const OTHER_WORD: Bits = bits(4);
/// A letter of US-ASCII next to one of another script.
const MIXED: Bits = bits(8);
/// A symbol or a space after a symbol.
const AFTER_SYMBOL: Bits = bits(3);
/// A symbol that has occurred before.
const KNOWN_SYMBOL: Bits = bits(7);
/// Symbols that cost this much are controls.
const CONTROL: Bits = bits(20);
/// A control above U+007F. It never occurs in text.
const C1_CONTROL: Bits = bits(40);
/// A picture after a picture: lines are made of them.
const KNOWN_PICTURE: Bits = bits(5);
/// A letter of US-ASCII next to a symbol.
const BY_SYMBOL: Bits = bits(4);
/// Letters that a language has, but too rarely for its table, are this much likelier than foreign ones.
const OWN: Bits = bits(6);
/// A text is strange if one in this many of its letters is.
const STRANGE: Bits = 12;
/// Languages that have no table of letter pairs, but charsets of their own.
const EAST_ASIAN: [&str; 4] = ["zh-hans", "zh-hant", "ja", "ko"];
/// Whether a letter is a capital.
const CAPITALS: u8 = 2;
const SMALLS: u8 = 1;

/// Scripts that have charsets of one byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Script {
    Latin,
    Cyrillic,
    Greek,
    Hebrew,
    Arabic,
    Thai,
}

impl Script {
    /// Latin script is last: it is the answer if no script has a letter.
    const ALL: [Self; 6] =
        [Self::Cyrillic, Self::Greek, Self::Hebrew, Self::Arabic, Self::Thai, Self::Latin];

    /// Whether a character is a letter of this script.
    fn has(self, scalar: char) -> bool {
        let is_of_block = match self {
            Self::Latin => scalar < '\u{250}',
            Self::Cyrillic => ('\u{400}'..'\u{530}').contains(&scalar),
            Self::Greek => ('\u{370}'..'\u{400}').contains(&scalar),
            Self::Hebrew => ('\u{590}'..'\u{600}').contains(&scalar),
            Self::Arabic => ('\u{600}'..'\u{700}').contains(&scalar),
            Self::Thai => ('\u{E00}'..'\u{E80}').contains(&scalar),
        };
        is_of_block && scalar.is_alphabetic()
    }
}

/// A language. The classes of its square are: no letter; a letter of US-ASCII, or each of them for
/// Latin script; `letters`; other letters.
struct Table {
    language: &'static str,
    script: Script,
    /// The letters that US-ASCII lacks, in order.
    letters: &'static [char],
    /// The number of classes.
    side: usize,
    /// Where the square begins in [`COSTS`].
    start: usize,
}

/// The likeliest language of a text in a charset.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Likeliest {
    /// The cost of all pairs with a non-ASCII byte, in this language.
    pub(crate) bits: Bits,
    /// A tag of BCP 47.
    pub(crate) language: &'static str,
    /// How many letters are foreign to the language.
    pub(crate) foreign: Foreign,
}

/// The pairs of bytes in a text.
pub(crate) struct Pairs {
    /// Pairs with a non-ASCII byte, and how often they occur.
    high: Vec<(u8, u8, Bits)>,
    /// Whether each byte above 7F occurs, and how often it is between two letters of US-ASCII.
    present: [bool; 128],
    between: [Bits; 128],
    /// Whether nearly all letters around are those of US-ASCII.
    is_latin: bool,
    /// The languages, with the costs of the letters of US-ASCII above that of the likeliest.
    languages: Vec<(&'static Table, Bits)>,
}

/// The meaning of a byte in a charset.
#[derive(Clone, Copy)]
enum Kind {
    IllFormed,
    /// Case, as [`CAPITALS`] or [`SMALLS`], and the small letter.
    Letter(u8, char),
    /// Ends a word, or joins two.
    Apostrophe(Bits),
    /// Cost, and whether it may follow or precede a letter.
    Symbol(Bits, bool, bool),
    Picture(Bits),
}

impl Pairs {
    /// Counts the pairs, near non-ASCII bytes only: other parts of the text may be in another
    /// language.
    pub(crate) fn of(pieces: &[Piece]) -> Self {
        let mut counts = vec![0_u32; 1 << 16];
        let mut between = [0; 128];
        for piece in pieces {
            let mut before = b' ';
            let bytes = &piece.bytes[start(Encoding::Windows1252, piece)..];
            for three in bytes.windows(3) {
                let [first, byte, last] = [three[0], three[1], three[2]];
                if byte >= 0x80 && first.is_ascii_alphabetic() && last.is_ascii_alphabetic() {
                    between[usize::from(byte & 0x7F)] += 1;
                }
            }
            for part in bytes.chunks(PART) {
                let is_near = !part.is_ascii();
                for byte in part {
                    counts[usize::from(before) << 8 | usize::from(*byte)] += u32::from(is_near);
                    before = *byte;
                }
            }
        }
        let (mut high, mut present) = (Vec::new(), [false; 128]);
        let mut ascii = [0_u32; 27 * 27];
        for (pair, count) in counts.iter().enumerate().filter(|(_, count)| **count > 0) {
            let (before, byte) = ((pair >> 8) as u8, pair as u8);
            if before.is_ascii() && byte.is_ascii() {
                ascii[ascii_class(before) * 27 + ascii_class(byte)] += count;
            } else {
                high.push((before, byte, Bits::from(*count)));
                for byte in [before, byte].into_iter().filter(|byte| !byte.is_ascii()) {
                    present[usize::from(byte & 0x7F)] = true;
                }
            }
        }
        // Text in a charset of one byte has fewer. For other data, some of them suffice.
        let step = 1 + high.len() / MOST_PAIRS;
        if step > 1 {
            high = high.into_iter().step_by(step).collect();
            high.iter_mut().for_each(|(.., count)| *count *= step as Bits);
        }
        let cost = |table: &Table| -> Bits {
            let costs = table.costs();
            let of_row = |before: usize| -> Bits {
                let of = |now: usize| {
                    Bits::from(ascii[before * 27 + now])
                        * Bits::from(costs[before * table.side + now])
                };
                // Symbols are the same in all languages.
                (usize::from(before == 0)..27).map(of).sum()
            };
            (0..27).map(of_row).sum::<Bits>() / ASCII_SHARE
        };
        let mut languages: Vec<(&Table, Bits)> = TABLES
            .iter()
            .map(|table| (table, if table.script == Script::Latin { cost(table) } else { 0 }))
            .collect();
        let of_latin = languages.iter().filter(|(table, _)| table.script == Script::Latin);
        let least = of_latin.map(|(_, bits)| *bits).min().unwrap_or(0);
        for (table, bits) in &mut languages {
            *bits = if table.script == Script::Latin { (*bits - least).min(BEHIND) } else { 0 };
        }
        let letters: u32 = (1..27).flat_map(|row| &ascii[row * 27 + 1..][..26]).sum();
        let others: Bits = high.iter().map(|(_, _, count)| count).sum();
        let is_latin = Bits::from(letters) > others * 2;
        Self { high, present, between, is_latin, languages }
    }

    /// The likeliest language in this charset, which has one byte for each character. `None` if the text
    /// costs more than `most` in all of them.
    pub(crate) fn likeliest(&self, encoding: Encoding, most: Bits) -> Option<Likeliest> {
        let kinds = self.kinds(encoding);
        let kind = |byte: u8| (byte >= 0x80).then(|| kinds[usize::from(byte) - 0x80]);
        let script = script(encoding);
        let is_foreign = script != Script::Latin && self.is_latin;
        let mut shared = -self.known(&kinds);
        for (before, byte, count) in &self.high {
            let is_letter = matches!(kind(*byte), Some(Kind::Letter(..)));
            let is_word = is_foreign && is_letter && ascii_class(*before) == 0;
            let word = if is_word && before.is_ascii() { OTHER_WORD } else { 0 };
            shared += count * (apart(*before, *byte, script, is_foreign, &kind) + word);
            if shared > most {
                return None;
            }
        }
        let sandwiched: Bits = kinds
            .iter()
            .zip(self.between)
            .map(|(kind, count)| match kind {
                Kind::Symbol(_, true, true) => count * INSIDE_WORD / 2,
                Kind::Symbol(..) | Kind::Picture(_) => count * INSIDE_WORD,
                _ => 0,
            })
            .sum();
        let other_script = if is_foreign { OTHER_SCRIPT } else { 0 };
        let inside: Bits = kinds
            .iter()
            .zip(self.between)
            .filter(|(kind, _)| !matches!(kind, Kind::Letter(..) | Kind::Apostrophe(_)))
            .map(|(_, count)| count)
            .sum();
        let shared = shared + sandwiched + other_script;
        let is_letter = |byte: u8| matches!(kind(byte), Some(Kind::Letter(..)));
        let with_letter: Vec<_> = self
            .high
            .iter()
            .filter(|(before, byte, _)| is_letter(*before) || is_letter(*byte))
            .collect();
        // These two were made for one language.
        let is_vietnamese = matches!(encoding, Encoding::Viscii | Encoding::Tcvn5712_1);
        let of_script = self.languages.iter().filter(|(table, _)| {
            table.script == script && (!is_vietnamese || table.language == "vi")
        });
        let mut best: Option<Likeliest> = None;
        let mut classes = [0_u8; 256];
        for (table, behind) in of_script {
            let most = best.map_or(most, |best| best.bits).saturating_sub(shared);
            let mut saved = [0; 256];
            for (byte, class) in (0..=255).zip(&mut classes) {
                *class = table.class(byte, &kind);
                let own = rare_letters(table.language);
                if matches!(kind(byte), Some(Kind::Letter(_, letter)) if own.contains(letter)) {
                    saved[usize::from(byte)] = OWN;
                }
            }
            let costs = table.costs();
            let mut all = *behind;
            for (before, byte, count) in &with_letter {
                let (before, now) = (classes[usize::from(*before)], classes[usize::from(*byte)]);
                if before > 0 || now > 0 {
                    let at = usize::from(before) * table.side + usize::from(now);
                    all += count * (Bits::from(costs[at]) - saved[usize::from(*byte)]);
                }
                if all >= most {
                    break;
                }
            }
            if all < most {
                let foreign = |(_, byte, count): &&&(u8, u8, Bits)| {
                    let is_foreign = usize::from(classes[usize::from(*byte)]) == table.side - 1;
                    let is_own = saved[usize::from(*byte)] > 0;
                    if is_foreign && !is_own && is_letter(*byte) { *count } else { 0 }
                };
                let letters = with_letter.iter().filter(|(_, byte, _)| is_letter(*byte));
                let letters: Bits = letters.map(|(_, _, count)| count).sum();
                let strange = with_letter.iter().map(|pair| foreign(&pair)).sum::<Bits>() + inside;
                best = Some(Likeliest {
                    bits: all + shared,
                    language: table.language,
                    foreign: match strange {
                        _ if letters > 0 && strange >= letters => Foreign::All,
                        2.. if strange * STRANGE > letters => Foreign::Many,
                        _ => Foreign::Few,
                    },
                });
            }
        }
        best
    }

    /// The saving if symbols occur more than once.
    fn known(&self, kinds: &[Kind; 128]) -> Bits {
        let mut counts = [0; 128];
        for (_, byte, count) in self.high.iter().filter(|(_, byte, _)| *byte >= 0x80) {
            counts[usize::from(byte & 0x7F)] += count;
        }
        let of = |(kind, count): (&Kind, Bits)| match kind {
            Kind::Symbol(cost, ..) if *cost < CONTROL && count > 1 => {
                (count - 1) * (cost - KNOWN_SYMBOL).max(0)
            }
            _ => 0,
        };
        kinds.iter().zip(counts).map(of).sum()
    }

    /// The meanings of the bytes above 7F, as far as they occur.
    fn kinds(&self, encoding: Encoding) -> [Kind; 128] {
        let mut kinds = [Kind::IllFormed; 128];
        for (at, one) in kinds.iter_mut().enumerate().filter(|(at, _)| self.present[*at]) {
            if let Ok(text) = encoding.decode(&[0x80 | at as u8]) {
                *one = text.chars().next().map_or(Kind::IllFormed, kind);
            }
        }
        kinds
    }

    /// How many pairs have a non-ASCII byte.
    pub(crate) fn count(&self) -> Bits {
        self.high.iter().map(|(_, _, count)| count).sum()
    }
}

impl Table {
    fn costs(&self) -> &'static [u8] {
        &COSTS[self.start..][..self.side * self.side]
    }

    fn class(&self, byte: u8, kind: &impl Fn(u8) -> Option<Kind>) -> u8 {
        let ascii = if self.script == Script::Latin { 26 } else { 1 };
        match kind(byte) {
            None => (ascii_class(byte) as u8).min(ascii),
            Some(Kind::Letter(_, small)) => match self.letters.binary_search(&small) {
                Ok(at) => 1 + ascii + at as u8,
                Err(_) => self.side as u8 - 1,
            },
            Some(_) => 0,
        }
    }
}

/// The cost of the second byte that is the same in all languages.
fn apart(
    before: u8,
    byte: u8,
    script: Script,
    is_foreign: bool,
    kind: &impl Fn(u8) -> Option<Kind>,
) -> Bits {
    let (first, second) = (kind(before), kind(byte));
    let case = |byte: u8, kind: Option<Kind>| match kind {
        Some(Kind::Letter(case, _)) => case,
        None if byte.is_ascii_uppercase() => CAPITALS,
        None if byte.is_ascii_lowercase() => SMALLS,
        _ => 0,
    };
    let is_letter = |byte: u8, kind: Option<Kind>| match kind {
        Some(Kind::Letter(..)) => true,
        None => byte.is_ascii_alphabetic(),
        _ => false,
    };
    let (after_letter, by_letter) = (is_letter(before, first), is_letter(byte, second));
    let misplaced = match (first, second) {
        (_, Some(Kind::Symbol(_, false, _))) if after_letter => MISPLACED,
        (Some(Kind::Symbol(_, _, false)), _) if by_letter => MISPLACED,
        (_, Some(Kind::Apostrophe(_))) if !after_letter => MISPLACED,
        (Some(Kind::Picture(_)), _) if by_letter => MISPLACED,
        (_, Some(Kind::Picture(_))) if after_letter => MISPLACED,
        _ => 0,
    };
    let own = match second {
        Some(Kind::IllFormed) => ILL_FORMED,
        Some(Kind::Symbol(cost, ..) | Kind::Apostrophe(cost)) => cost,
        Some(Kind::Picture(_)) if matches!(first, Some(Kind::Picture(_))) => KNOWN_PICTURE,
        Some(Kind::Picture(cost)) => cost,
        None if first.is_some() && !after_letter && by_letter => BY_SYMBOL,
        None if !by_letter && !after_letter => AFTER_SYMBOL,
        _ => match (case(before, first), case(byte, second)) {
            (SMALLS, CAPITALS) => CAPITAL_INSIDE,
            (CAPITALS, _) | (_, SMALLS | 0) => 0,
            _ => CAPITAL,
        },
    };
    let is_number = |byte: u8| is_foreign && byte.is_ascii_digit();
    let is_mixed = script != Script::Latin
        && (after_letter || is_number(before))
        && (by_letter || is_number(byte));
    let mixed = if is_mixed && first.is_some() != second.is_some() { MIXED } else { 0 };
    own + misplaced + mixed
}

/// The likeliest language of a text in a pre-Unicode charset.
pub(crate) fn of(reading: &Reading) -> Option<&'static str> {
    match reading.encoding {
        _ if !reading.language.is_empty() => Some(reading.language),
        _ if reading.letters == 0 => None,
        encoding => EAST_ASIAN
            .into_iter()
            .find(|tag| Language::for_tag(tag).is_some_and(|of| of.charsets().contains(&encoding))),
    }
}

/// Letters that are too rare for the table of their language. Most are exemplar characters of CLDR; those
/// of English are in words that it borrowed.
fn rare_letters(language: &str) -> &'static str {
    match language {
        "en" => "àáâäçèéêëîïñóôöûü",
        "fr" => "ëïüœæ",
        "es" | "gl" => "ïü",
        "it" => "î",
        "nl" => "íúü",
        "pt" => "òü",
        "cy" => "àäìòöùûüẁẃẅỳý",
        "sv" => "àü",
        "da" | "no" | "nn" => "àèêòóôöäü",
        "fi" => "åšž",
        "de" => "àâçèéêëîïñôœ",
        _ => "",
    }
}

/// 0 for a byte that is not a letter, else the place in the alphabet.
fn ascii_class(byte: u8) -> usize {
    match byte.to_ascii_lowercase() {
        small @ b'a'..=b'z' => usize::from(small - b'a') + 1,
        _ => 0,
    }
}

fn kind(scalar: char) -> Kind {
    let cost = || Model::default().add(u32::from(scalar));
    match scalar {
        'ª' | 'º' => Kind::Symbol(bits(11), true, false),
        'µ' => Kind::Symbol(bits(11), false, true),
        '\u{300}'..='\u{36F}' | '\u{591}'..='\u{5C7}' | '\u{64B}'..='\u{65F}' => {
            Kind::Letter(SMALLS, scalar)
        }
        '\u{E2F}' | '\u{E31}'..='\u{E3A}' | '\u{E46}'..='\u{E4E}' => Kind::Letter(0, scalar),
        '\u{2500}'..='\u{259F}' => Kind::Picture(cost()),
        '\u{80}'..='\u{9F}' => Kind::Symbol(C1_CONTROL, false, false),
        '’' => Kind::Apostrophe(cost()),
        '–' | '—' | '\u{A0}' | '-' | '\u{200B}'..='\u{200F}' | 'ـ' | '·' => {
            Kind::Symbol(cost(), true, true)
        }
        '”' | '»' | '…' | '™' | '®' | '°' | '²' | '³' | '،' | '؛' | '؟' | '፡' => {
            Kind::Symbol(cost(), true, false)
        }
        '“' | '„' | '«' | '‘' | '‚' | '¿' | '¡' | '§' | '©' | '•' | '£' | '€' | '№' => {
            Kind::Symbol(cost(), false, true)
        }
        _ if scalar.is_alphabetic() => {
            let case = match (scalar.is_uppercase(), scalar.is_lowercase()) {
                (true, _) => CAPITALS,
                (_, true) => SMALLS,
                _ => 0,
            };
            let small = match scalar {
                'Ș' | 'ș' => 'ş',
                'Ț' | 'ț' => 'ţ',
                'İ' => 'i',
                _ => scalar.to_lowercase().next().unwrap_or(scalar),
            };
            Kind::Letter(case, small)
        }
        _ => Kind::Symbol(cost(), false, false),
    }
}

/// The script of most letters above 7F.
fn script(encoding: Encoding) -> Script {
    let high: [u8; 128] = std::array::from_fn(|at| at as u8 | 0x80);
    let text = encoding.decode_lossy(&high).text;
    let letters = |script: &Script| text.chars().filter(|scalar| script.has(*scalar)).count();
    Script::ALL.into_iter().max_by_key(letters).unwrap_or(Script::Latin)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_script_of_a_charset_is_that_of_its_letters() {
        use Encoding as E;
        for (encodings, expected) in [
            (&[E::Windows1252, E::Windows1258, E::Ibm437, E::Ibm850, E::Viscii][..], Script::Latin),
            (&[E::Windows1251, E::Koi8U, E::Ibm855, E::MacCyrillic], Script::Cyrillic),
            (&[E::Windows1253, E::Iso8859_7, E::Cp737, E::Ibm869], Script::Greek),
            (&[E::Windows1255, E::Iso8859_8, E::Iso8859_8I, E::Ibm862], Script::Hebrew),
            (&[E::Windows1256, E::Iso8859_6], Script::Arabic),
            (&[E::Windows874], Script::Thai),
        ] {
            for encoding in encodings {
                assert_eq!(script(*encoding), expected, "{encoding}");
            }
        }
    }
}
