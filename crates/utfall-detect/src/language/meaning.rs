//! The meanings of the bytes above 7F in each charset of one byte.
//!
//! `charsets.bin` has them for the charsets that are offered, since decoding these bytes in each
//! charset takes longer than a short text. A test writes the file if `UTFALL_BLESS` is set.

use std::sync::{Mutex, PoisonError};

use utfall::Encoding;

use crate::cost::{Bits, bits};
use crate::model::Model;

/// For each charset: its number in two bytes, its script, a zero, and 128 meanings of four bytes.
static CHARSETS: &[u8] = include_bytes!("charsets.bin");
/// The length of a charset in [`CHARSETS`].
const ROW: usize = 4 + 128 * 4;
/// A control above U+007F. It never occurs in text.
const C1_CONTROL: Bits = bits(40);
/// A letter of another script than the charset's.
const OTHER_LETTER: Bits = bits(15);
/// Whether a letter is a capital.
pub(super) const CAPITALS: u8 = 2;
pub(super) const SMALLS: u8 = 1;

/// Scripts that have charsets of one byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Script {
    Latin,
    Cyrillic,
    Greek,
    Hebrew,
    Arabic,
    Thai,
}

impl Script {
    /// Latin script is last: it is the answer if no script has a letter.
    pub(super) const ALL: [Self; 6] =
        [Self::Cyrillic, Self::Greek, Self::Hebrew, Self::Arabic, Self::Thai, Self::Latin];

    /// Whether a character is a letter of this script.
    pub(super) fn has(self, scalar: char) -> bool {
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

/// The meaning of a byte in a charset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    IllFormed,
    /// Case, as [`CAPITALS`] or [`SMALLS`], and the small letter.
    Letter(u8, char),
    /// Ends a word, or joins two.
    Apostrophe(Bits),
    /// Ends a word, with or without a space around it: `word—word`.
    Dash(Bits),
    /// Cost, and whether it may follow or precede a letter.
    Symbol(Bits, bool, bool),
    Picture(Bits),
}

/// A charset of one byte.
#[derive(Clone)]
pub(super) struct Charset {
    /// The script of most letters above 7F.
    pub(super) script: Script,
    /// The meanings of the bytes above 7F, as far as they are asked for.
    pub(super) kinds: [Kind; 128],
}

impl Charset {
    /// The charset, with the meanings of `bytes` at least.
    pub(super) fn of(encoding: Encoding, bytes: &[u8]) -> Self {
        if cfg!(utfall_js) {
            return Self::kept(encoding);
        }
        let number = (encoding as u16).to_le_bytes();
        match CHARSETS.chunks_exact(ROW).find(|row| row[..2] == number) {
            Some(row) => {
                let mut kinds = [Kind::IllFormed; 128];
                for at in bytes.iter().filter(|byte| **byte >= 0x80).map(|byte| byte & 0x7F) {
                    let at = usize::from(at);
                    let packed = row[4 + 4 * at..][..4].try_into().unwrap_or_default();
                    kinds[at] = Kind::unpacked(u32::from_le_bytes(packed));
                }
                Self { script: Script::ALL[usize::from(row[2])], kinds }
            }
            None => Self::decoded(encoding),
        }
    }

    /// The charset, decoded when it is first needed: modules of `bindings/js` are loaded over a
    /// network, and do without the file.
    fn kept(encoding: Encoding) -> Self {
        static KEPT: Mutex<Vec<(Encoding, Charset)>> = Mutex::new(Vec::new());
        let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, charset)) = kept.iter().find(|(of, _)| *of == encoding) {
            return charset.clone();
        }
        let charset = Self::decoded(encoding);
        kept.push((encoding, charset.clone()));
        charset
    }

    fn decoded(encoding: Encoding) -> Self {
        let mut kinds = [Kind::IllFormed; 128];
        let mut letters = [0; Script::ALL.len()];
        for (byte, one) in (0x80..=0xFF).zip(&mut kinds) {
            let byte = [byte];
            let text = encoding.decode(&byte).unwrap_or_default();
            let Some(scalar) = text.chars().next() else { continue };
            *one = kind(scalar);
            for (count, script) in letters.iter_mut().zip(Script::ALL) {
                *count += u8::from(script.has(scalar));
            }
        }
        let script = letters.iter().zip(Script::ALL).max_by_key(|(count, _)| **count);
        let script = script.map_or(Script::Latin, |(_, script)| script);
        for kind in &mut kinds {
            let is_other = |scalar| {
                let other = Script::ALL.into_iter().find(|script| script.has(scalar));
                other.is_some_and(|other| other != script && other != Script::Latin)
            };
            // The Greek letters of IBM437 and macintosh are signs of mathematics.
            let is_sign = matches!(kind, Kind::Letter(_, small) if is_other(*small));
            if is_sign && script == Script::Latin {
                *kind = Kind::Symbol(OTHER_LETTER, false, false);
            }
        }
        Self { script, kinds }
    }
}

impl Kind {
    /// The meaning as a number: a tag of three bits, two flags, and the cost or the letter.
    #[cfg(test)]
    fn packed(self) -> u32 {
        match self {
            Self::IllFormed => 0,
            Self::Letter(case, small) => 1 | u32::from(case) << 3 | u32::from(small) << 5,
            Self::Apostrophe(cost) => 2 | (cost as u32) << 5,
            Self::Symbol(cost, after, before) => {
                3 | u32::from(after) << 3 | u32::from(before) << 4 | (cost as u32) << 5
            }
            Self::Picture(cost) => 4 | (cost as u32) << 5,
            Self::Dash(cost) => 5 | (cost as u32) << 5,
        }
    }

    fn unpacked(packed: u32) -> Self {
        let cost = Bits::from(packed >> 5);
        match packed & 7 {
            1 => match char::from_u32(packed >> 5) {
                Some(small) => Self::Letter((packed >> 3 & 3) as u8, small),
                None => Self::IllFormed,
            },
            2 => Self::Apostrophe(cost),
            3 => Self::Symbol(cost, packed >> 3 & 1 == 1, packed >> 4 & 1 == 1),
            4 => Self::Picture(cost),
            5 => Self::Dash(cost),
            _ => Self::IllFormed,
        }
    }
}

fn kind(scalar: char) -> Kind {
    let cost = || Model::default().add(u32::from(scalar));
    match scalar {
        'ª' | 'º' => Kind::Symbol(bits(11), true, false),
        'µ' => Kind::Symbol(bits(11), false, true),
        // These stand alone, although Unicode has them among the letters.
        'ƒ' | 'ˆ' | 'ˇ' => Kind::Symbol(bits(15), false, false),
        '\u{300}'..='\u{36F}' | '\u{591}'..='\u{5C7}' | '\u{64B}'..='\u{65F}' => {
            Kind::Letter(SMALLS, scalar)
        }
        '\u{E2F}' | '\u{E31}'..='\u{E3A}' | '\u{E46}'..='\u{E4E}' => Kind::Letter(0, scalar),
        '\u{2500}'..='\u{259F}' => Kind::Picture(cost()),
        '\u{80}'..='\u{9F}' => Kind::Symbol(C1_CONTROL, false, false),
        '’' => Kind::Apostrophe(cost()),
        '–' | '—' => Kind::Dash(cost()),
        '\u{A0}' | '-' | '\u{200B}'..='\u{200F}' | 'ـ' | '·' => Kind::Symbol(cost(), true, true),
        '”' | '»' | '…' | '™' | '®' | '°' | '²' | '³' | '،' | '؛' | '؟' | '፡' => {
            Kind::Symbol(cost(), true, false)
        }
        '“' | '„' | '«' | '‘' | '‚' | '¿' | '¡' => Kind::Symbol(cost(), false, true),
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

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::confidence::is_charset_of_one_byte;
    use crate::possible;

    #[test]
    fn the_table_has_all_charsets_that_are_offered() {
        let offered = Encoding::ALL.iter().filter(|encoding| {
            is_charset_of_one_byte(**encoding) && possible::is_charset(**encoding)
        });
        let mut made = Vec::new();
        for encoding in offered {
            let charset = Charset::kept(*encoding);
            assert_eq!(Charset::kept(*encoding).kinds, charset.kinds, "{encoding}");
            made.extend((*encoding as u16).to_le_bytes());
            let script = Script::ALL.iter().position(|script| *script == charset.script);
            made.extend([script.unwrap() as u8, 0]);
            for kind in charset.kinds {
                assert_eq!(Kind::unpacked(kind.packed()), kind, "{encoding}");
                made.extend(kind.packed().to_le_bytes());
            }
        }
        if utfall_page::is_renewed() {
            let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/language/charsets.bin");
            fs::write(path, made).unwrap();
        } else {
            assert!(made == CHARSETS, "run `UTFALL_BLESS=1 cargo test -p utfall-detect --lib`");
        }
    }
}
