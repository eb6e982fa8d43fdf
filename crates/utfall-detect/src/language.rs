//! Letter pairs: how likely a text in a single-byte charset is in each language.
//!
//! A table per language has the cost of each letter after each other one, whatever the charset. So
//! one table serves all charsets of the language. `cargo xtask detect-quality --train` writes them.

mod meaning;
mod names;
mod tables;

use utfall::Encoding;

use crate::cost::{Bits, bits};
use crate::hints::Language;
use crate::model::ILL_FORMED;
use crate::reading::{Foreign, Reading, start};
use crate::sample::Piece;
use meaning::{CAPITALS, Charset, Kind, SMALLS, Script};
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
const CAPITAL_INSIDE: Bits = bits(9);
/// A capital at the start of a word.
const CAPITAL: Bits = bits(2);
/// A symbol next to a letter where it does not belong.
const MISPLACED: Bits = bits(4);
/// A symbol between two letters of US-ASCII.
const INSIDE_WORD: Bits = bits(10);
/// An apostrophe between two letters that it hardly ever separates.
const IN_WORD: Bits = bits(5);
/// A letter between two digits.
const IN_NUMBER: Bits = bits(10);
/// Another script among many letters of US-ASCII, and each of its words.
const OTHER_SCRIPT: Bits = bits(10);
const OTHER_WORD: Bits = bits(6);
/// Another script without any of its letters.
const WITHOUT_LETTERS: Bits = bits(12);
/// A language that is rarely written in the charset.
const UNUSUAL: Bits = bits(8);
/// A letter of US-ASCII next to one of another script.
const MIXED: Bits = bits(8);
/// A symbol or a space after a symbol.
const AFTER_SYMBOL: Bits = bits(3);
/// A symbol that has occurred before.
const KNOWN_SYMBOL: Bits = bits(7);
/// Symbols that cost this much are controls.
const CONTROL: Bits = bits(20);
/// A picture after a picture: lines are made of them.
const KNOWN_PICTURE: Bits = bits(5);
/// A letter of US-ASCII next to a symbol.
const BY_SYMBOL: Bits = bits(4);
/// Letters that a language has, but too rarely for its table, are this much likelier than foreign ones.
const OWN: Bits = bits(6);
/// Languages that have no table of letter pairs, but charsets of their own.
const EAST_ASIAN: [&str; 4] = ["zh-hans", "zh-hant", "ja", "ko"];

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
    /// The bytes in these pairs.
    bytes: Vec<u8>,
    /// How often each byte above 7F occurs, and how often it is between two letters of US-ASCII.
    counts: [Bits; 128],
    between: [Bits; 128],
    /// How often it is between two digits.
    in_numbers: [Bits; 128],
    /// How often it is between two letters that an apostrophe hardly ever separates.
    in_words: [Bits; 128],
    /// Pairs of them between small letters of US-ASCII, and how often. A letter of UTF-8 is such a pair.
    twos: Vec<([u8; 2], Bits)>,
    /// Whether nearly all letters around are those of US-ASCII.
    is_latin: bool,
    /// The languages, with the costs of the letters of US-ASCII above that of the likeliest.
    languages: Vec<(&'static Table, Bits)>,
}

impl Pairs {
    /// Counts the pairs, near non-ASCII bytes only: other parts of the text may be in another
    /// language.
    pub(crate) fn of(pieces: &[Piece]) -> Self {
        let (mut counts, mut is_first) = (vec![0_u32; 1 << 16], [false; 256]);
        let (mut between, mut in_numbers, mut in_words) = ([0; 128], [0; 128], [0; 128]);
        let mut twos: Vec<[u8; 2]> = Vec::new();
        for piece in pieces {
            let mut before = b' ';
            let bytes = &piece.bytes[start(Encoding::Windows1252, piece)..];
            for three in bytes.windows(3) {
                let [first, byte, last] = [three[0], three[1], three[2]];
                if byte >= 0x80 && first.is_ascii_alphabetic() && last.is_ascii_alphabetic() {
                    between[usize::from(byte & 0x7F)] += 1;
                }
                if byte >= 0x80 && first.is_ascii_digit() && last.is_ascii_digit() {
                    in_numbers[usize::from(byte & 0x7F)] += 1;
                }
            }
            twos.extend(
                bytes.windows(4).filter(|four| is_two_in_word(four)).map(|four| [four[1], four[2]]),
            );
            for five in bytes.windows(5).filter(|five| five[2] >= 0x80) {
                in_words[usize::from(five[2] & 0x7F)] += Bits::from(is_in_word(five));
            }
            for near in bytes.chunks(PART) {
                if near.is_ascii() {
                    before = near[near.len() - 1];
                    continue;
                }
                for part in near.split_inclusive(|byte| ends_part(*byte)) {
                    if part.is_ascii() && part.iter().any(|byte| is_of_code(*byte)) {
                        before = part[part.len() - 1];
                        continue;
                    }
                    for byte in part {
                        counts[usize::from(before) << 8 | usize::from(*byte)] += 1;
                        is_first[usize::from(before)] = true;
                        before = *byte;
                    }
                }
            }
        }
        twos.sort_unstable();
        let twos = twos.chunk_by(|one, other| one == other);
        let twos = twos.map(|same| (same[0], same.len() as Bits)).collect();
        let mut high = Vec::new();
        let mut ascii = [0_u32; 27 * 27];
        // A short text has few of the bytes.
        let pairs = counts.chunks_exact(256).enumerate().filter(|(before, _)| is_first[*before]);
        let pairs = pairs.flat_map(|(before, row)| {
            row.iter().enumerate().map(move |(byte, count)| (before as u8, byte as u8, count))
        });
        for (before, byte, count) in pairs.filter(|(.., count)| **count > 0) {
            if before.is_ascii() && byte.is_ascii() {
                ascii[ascii_class(before) * 27 + ascii_class(byte)] += count;
            } else {
                high.push((before, byte, Bits::from(*count)));
            }
        }
        // Text in a charset of one byte has fewer. For other data, some of them suffice.
        let step = 1 + high.len() / MOST_PAIRS;
        if step > 1 {
            high = high.into_iter().step_by(step).collect();
            high.iter_mut().for_each(|(.., count)| *count *= step as Bits);
        }
        let mut bytes: Vec<u8> =
            high.iter().flat_map(|(before, byte, _)| [*before, *byte]).collect();
        bytes.sort_unstable();
        bytes.dedup();
        let mut of_bytes = [0; 128];
        for (_, byte, count) in high.iter().filter(|(_, byte, _)| *byte >= 0x80) {
            of_bytes[usize::from(byte & 0x7F)] += count;
        }
        // Symbols are the same in all languages.
        let words: Vec<(usize, usize, Bits)> = (1..27 * 27)
            .map(|at| (at / 27, at % 27, Bits::from(ascii[at])))
            .filter(|(.., count)| *count > 0)
            .collect();
        let cost = |table: &Table| -> Bits {
            let costs = table.costs();
            let of = |(before, now, count): &(usize, usize, Bits)| {
                count * Bits::from(costs[before * table.side + now])
            };
            words.iter().map(of).sum::<Bits>() / ASCII_SHARE
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
        let counts = of_bytes;
        Self { high, bytes, counts, between, in_numbers, in_words, twos, is_latin, languages }
    }

    /// The likeliest language in this charset, which has one byte for each character. `None` if the text
    /// costs more than `most` in all of them.
    pub(crate) fn likeliest(&self, encoding: Encoding, most: Bits) -> Option<Likeliest> {
        let Charset { script, kinds } = Charset::of(encoding, &self.bytes);
        let kind = |byte: u8| (byte >= 0x80).then(|| kinds[usize::from(byte) - 0x80]);
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
            .zip(self.between.into_iter().zip(self.in_numbers).zip(self.in_words))
            .map(|(kind, ((count, in_numbers), in_words))| match kind {
                Kind::Letter(..) => in_numbers * IN_NUMBER,
                Kind::Apostrophe(_) => in_words * IN_WORD,
                Kind::Symbol(_, true, true) | Kind::Dash(_) => count * INSIDE_WORD / 2,
                Kind::Symbol(..) | Kind::Picture(_) => count * INSIDE_WORD,
                _ => 0,
            })
            .sum();
        let is_of_script =
            |byte: &u8| matches!(kind(*byte), Some(Kind::Letter(_, small)) if script.has(small));
        let has_letters = script == Script::Latin || self.bytes.iter().any(is_of_script);
        let other_script = if is_foreign { OTHER_SCRIPT } else { 0 };
        let without_letters = if has_letters { 0 } else { WITHOUT_LETTERS };
        let twos = self.twos(&kinds);
        let inside = self.inside(&kinds) + twos;
        let shared = shared + sandwiched + twos * INSIDE_WORD + other_script + without_letters;
        let is_letter = |byte: u8| matches!(kind(byte), Some(Kind::Letter(..)));
        let with_letter: Vec<_> = self
            .high
            .iter()
            .filter(|(before, byte, _)| is_letter(*before) || is_letter(*byte))
            .collect();
        let only = languages_of(encoding);
        let usual = usual_languages(encoding);
        let of_script = self.languages.iter().filter(|(table, _)| {
            table.script == script && only.is_none_or(|only| only.contains(&table.language))
        });
        let (mut best, mut least) = (None, most);
        let mut classes = [0_u8; 256];
        for (table, behind) in of_script {
            let most = least.saturating_sub(shared);
            let mut saved = [0; 256];
            let own = rare_letters(table.language);
            for byte in &self.bytes {
                classes[usize::from(*byte)] = table.class(*byte, &kind);
                if matches!(kind(*byte), Some(Kind::Letter(_, letter)) if own.contains(letter)) {
                    saved[usize::from(*byte)] = OWN;
                }
            }
            let prior = rarity(table.language);
            let costs = table.costs();
            let is_usual = usual.is_none_or(|usual| usual.contains(&table.language));
            let mut all = *behind + prior + if is_usual { 0 } else { UNUSUAL };
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
                least = all + shared;
                best = Some(Likeliest {
                    bits: all + shared - prior,
                    language: table.language,
                    foreign: match strange {
                        _ if letters > 0 && strange >= letters => Foreign::All,
                        2.. if strange * strange_share(script) > letters => Foreign::Many,
                        _ => Foreign::Few,
                    },
                });
            }
        }
        best
    }

    /// The saving if symbols occur more than once.
    fn known(&self, kinds: &[Kind; 128]) -> Bits {
        let of = |(kind, count): (&Kind, Bits)| match kind {
            Kind::Symbol(cost, ..) | Kind::Dash(cost) if *cost < CONTROL && count > 1 => {
                (count - 1) * (cost - KNOWN_SYMBOL).max(0)
            }
            _ => 0,
        };
        kinds.iter().zip(self.counts).map(of).sum()
    }

    /// How often symbols are between two letters, where text has none.
    fn inside(&self, kinds: &[Kind; 128]) -> Bits {
        let is_letter = |byte: u8| match byte {
            0x80.. => matches!(kinds[usize::from(byte & 0x7F)], Kind::Letter(..)),
            _ => byte.is_ascii_alphabetic(),
        };
        let (mut after, mut before) = ([0; 128], [0; 128]);
        for (first, second, count) in &self.high {
            if *second >= 0x80 && is_letter(*first) {
                after[usize::from(second & 0x7F)] += count;
            }
            if *first >= 0x80 && is_letter(*second) {
                before[usize::from(first & 0x7F)] += count;
            }
        }
        let of = |at: usize| match kinds[at] {
            Kind::Letter(..) | Kind::Apostrophe(_) | Kind::Dash(_) => 0,
            Kind::Symbol(_, false, false) | Kind::Picture(_) | Kind::IllFormed => {
                self.between[at].max(after[at].min(before[at]))
            }
            Kind::Symbol(..) => self.between[at],
        };
        (0..128).map(of).sum()
    }

    /// How many pairs of symbols are within words, where text has none.
    fn twos(&self, kinds: &[Kind; 128]) -> Bits {
        let is_symbol = |byte: &u8| {
            let kind = kinds[usize::from(byte & 0x7F)];
            matches!(kind, Kind::Symbol(_, false, false) | Kind::Picture(_) | Kind::IllFormed)
        };
        let twos = self.twos.iter().filter(|(two, _)| two.iter().all(is_symbol));
        twos.map(|(_, count)| count).sum()
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
            // The small letter of `İ`.
            Some(Kind::Letter(_, small)) if small.is_ascii() => {
                (ascii_class(small as u8) as u8).min(ascii)
            }
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
        Some(Kind::Symbol(cost, ..) | Kind::Apostrophe(cost) | Kind::Dash(cost)) => cost,
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

/// A text is strange if one in this many of its letters is. Latin text has names of other languages;
/// in other scripts these are written in letters of US-ASCII.
const fn strange_share(script: Script) -> Bits {
    match script {
        Script::Latin => 12,
        _ => 30,
    }
}

/// A cost that decides between related languages in short texts: the fewer people write a language,
/// the higher.
fn rarity(language: &str) -> Bits {
    bits(match language {
        "en" | "de" | "fr" | "es" | "ru" | "el" | "he" | "ar" | "th" | "vi" => 0,
        "pt" | "it" | "pl" | "nl" | "tr" | "uk" | "cs" | "hu" | "ro" | "sv" => 2,
        "fa" | "bg" | "da" | "fi" | "no" | "sk" | "hr" | "lt" | "lv" | "et" | "sl" | "ca" => 4,
        "sr" | "be" | "mk" | "is" | "sq" | "eu" | "gl" | "ga" | "eo" | "az" | "kk" => 6,
        _ => 8,
    })
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
        "fi" | "et" => "åšž",
        "de" => "àâçèéêëîïñôœ",
        _ => "",
    }
}

/// The languages of a charset that was made only for them. Other languages are not written in it, since
/// the common charsets of the same system cover them.
fn languages_of(encoding: Encoding) -> Option<&'static [&'static str]> {
    Some(match encoding {
        Encoding::Viscii | Encoding::Tcvn5712_1 => &["vi"],
        Encoding::Ptcp154 | Encoding::Kz1048 => &["kk"],
        Encoding::Cp1125 => &["uk", "be", "ru"],
        Encoding::Ibm860 => &["pt"],
        Encoding::Ibm863 => &["fr"],
        Encoding::MacCroatian => &["hr", "sl", "bs", "sr-latn"],
        Encoding::MacIcelandic => &["is"],
        Encoding::MacRomanian => &["ro"],
        Encoding::MacTurkish => &["tr", "az"],
        _ => return None,
    })
}

/// The languages that a charset of Latin script was made for. Others are rarely written in it, even if it has
/// their letters.
fn usual_languages(encoding: Encoding) -> Option<&'static [&'static str]> {
    use Encoding as E;
    Some(match encoding {
        E::Windows1252 | E::Iso8859_1 | E::Iso8859_15 | E::Macintosh | E::Ibm850 | E::Ibm437 => &[
            "en", "de", "fr", "es", "pt", "it", "nl", "ca", "gl", "eu", "ga", "gd", "cy", "br",
            "oc", "sq", "da", "sv", "no", "nn", "fi", "is", "et",
        ],
        E::Windows1250 | E::Iso8859_2 => {
            &["cs", "sk", "pl", "hu", "sl", "hr", "bs", "ro", "sr-latn", "sq", "de"]
        }
        E::Ibm852 => &["cs", "sk", "pl", "hu", "sl", "hr", "bs", "ro", "sr-latn", "sq"],
        E::MacCentraleurope => {
            &["cs", "sk", "pl", "hu", "sl", "hr", "bs", "sr-latn", "et", "lt", "lv"]
        }
        E::Iso8859_16 => &["ro", "pl", "hu", "sl", "hr", "bs", "sr-latn", "sq"],
        E::Windows1257 | E::Iso8859_4 | E::Ibm775 => &["et", "lt", "lv"],
        E::Iso8859_13 => &["et", "lt", "lv", "pl"],
        E::Windows1254 | E::Ibm857 => &["tr", "az"],
        E::Iso8859_3 => &["eo", "mt", "tr"],
        E::Iso8859_10 => &["se", "is", "da", "sv", "no", "nn", "fi", "et", "lt", "lv"],
        E::Iso8859_14 => &["cy", "ga", "gd", "br"],
        E::Ibm861 => &["is"],
        E::Ibm865 => &["da", "no", "nn"],
        E::Windows1258 => &["vi"],
        _ => return None,
    })
}

/// Whether the second and third of four bytes are beyond US-ASCII, and the others small letters.
fn is_two_in_word(four: &[u8]) -> bool {
    four[1] >= 0x80
        && four[2] >= 0x80
        && four[0].is_ascii_lowercase()
        && four[3].is_ascii_lowercase()
}

/// Whether the third of five bytes is in a word where an apostrophe would be odd: before a consonant and
/// more letters, or after two letters before a last vowel. English has `we’ll`, other languages `l’eau`
/// and `l’a`.
fn is_in_word(five: &[u8]) -> bool {
    let is_letter = |at: usize| five[at].is_ascii_alphabetic();
    let is_vowel = matches!(five[3].to_ascii_lowercase(), b'a' | b'e' | b'i' | b'o' | b'u' | b'y');
    let is_short = matches!(&five[3..], b"ll" | b"re" | b"ve" | b"em");
    is_letter(1)
        && is_letter(3)
        && match is_letter(4) {
            true => !is_vowel && five[3] != b'h' && five[3].is_ascii_lowercase() && !is_short,
            false => is_vowel && is_letter(0),
        }
}

/// Whether text may end here, and markup, a program or a number begin.
fn ends_part(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\t' | b':' | b';' | b'"' | b'|') || is_of_code(byte)
}

/// Whether text near this byte may be markup or a program, whose words are English.
fn is_of_code(byte: u8) -> bool {
    matches!(byte, b'<' | b'>' | b'=' | b'{' | b'}' | b'[' | b']')
}

/// 0 for a byte that is not a letter, else the place in the alphabet.
fn ascii_class(byte: u8) -> usize {
    match byte.to_ascii_lowercase() {
        small @ b'a'..=b'z' => usize::from(small - b'a') + 1,
        _ => 0,
    }
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
                assert_eq!(Charset::of(*encoding, b"").script, expected, "{encoding}");
            }
        }
    }
}
