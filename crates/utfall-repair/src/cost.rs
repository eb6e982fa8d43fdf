//! The improbability of a text in bits: the sum over its characters of how rare each one is, and of
//! how rarely its kind follows the kind of the previous one.
//!
//! Wrongly decoded text is improbable in two ways at once. It has more characters than it should,
//! and they follow each other as in no language: a capital after a small letter, a currency sign
//! after a capital, letters of two scripts in a word. The original text is cheap in both respects.
//! The figures are whole bits, set by hand; `docs/repair.md` has the results.

mod follow;
pub(crate) mod letters;

use std::sync::OnceLock;

use follow::{LETTERS, UNKNOWN};
use unicode_script::{Script, UnicodeScript};

/// The properties of a character that affect the cost of its neighbours.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Space,
    /// `plain`: in US-ASCII.
    Upper {
        script: Script,
        plain: bool,
    },
    Lower {
        script: Script,
        plain: bool,
    },
    /// A letter of a script without case.
    Letter(Script),
    /// A mark that follows a letter of the script; `Inherited` follows any letter.
    Mark(Script),
    Digit,
    /// Punctuation in US-ASCII.
    Punctuation,
    Open,
    Close,
    /// U+2019, which is also an apostrophe.
    Apostrophe,
    Dash,
    /// Follows letters and digits: `°`, `™`, `²`.
    Trailing,
    Currency,
    Symbol,
    /// Box drawing and block elements.
    Drawing,
    /// Mathematics, arrows, shapes.
    Figure,
    Emoji,
    /// Invisible characters that join or modify others.
    Joiner,
    Control,
}

use Kind::*;

/// A character with its kind and rarity.
#[derive(Clone, Copy)]
pub(crate) struct Weighed {
    character: char,
    bits: u8,
    script: Option<Script>,
    /// Its numbers in the table of `follow`.
    first: u8,
    class: u8,
}

/// How many characters are weighed at once, when the first of them is needed.
const PAGE: usize = 64;
/// Characters from here on are many, and are weighed each time.
const PAGED: usize = 0x3100;
static PAGES: [OnceLock<[Weighed; PAGE]>; PAGED / PAGE] = [const { OnceLock::new() }; _];

impl Weighed {
    #[inline]
    pub(crate) fn new(character: char) -> Self {
        let code = character as usize;
        match PAGES.get(code / PAGE) {
            Some(page) => page.get_or_init(|| Self::page(character))[code % PAGE],
            None => Self::weigh(character),
        }
    }

    /// The page of a character.
    #[cold]
    fn page(character: char) -> [Self; PAGE] {
        let first = character as u32 / PAGE as u32 * PAGE as u32;
        let at = |index| char::from_u32(first + index as u32).unwrap_or_default();
        std::array::from_fn(|index| Self::weigh(at(index)))
    }

    fn weigh(character: char) -> Self {
        // Most texts with characters beyond the pages have many of these.
        if let '\u{4E00}'..='\u{9FA5}' = character {
            let (script, class) = (Some(Script::Han), follow::HAN);
            return Self { character, bits: HAN, script, first: 0, class };
        }
        let (kind, bits) = weigh(character);
        let script = script_of(character, kind);
        let (first, class) = (follow::first(kind), follow::class(character, kind));
        Self { character, bits: bits as u8, script, first, class }
    }

    fn kind(self) -> Kind {
        follow::kind(self.class).unwrap_or_else(|| weigh(self.character).0)
    }

    /// Whether it is a letter, a mark or a digit.
    pub(crate) fn is_of_word(self) -> bool {
        matches!(self.kind(), Upper { .. } | Lower { .. } | Letter(_) | Mark(_) | Digit)
    }

    /// Whether text may have it: it is assigned, public, and not a control.
    pub(crate) fn is_credible(self) -> bool {
        // All others are rare.
        if !self.is_rare() {
            return true;
        }
        let is_control =
            self.kind() == Control && !matches!(self.character, '\u{2028}'..='\u{2069}');
        !is_control && !matches!(self.character, '\u{E000}'..='\u{F8FF}' | '\u{F0000}'..)
    }

    /// The script of a letter, a mark, or a sign that only one script has.
    pub(crate) fn script(self) -> Option<Script> {
        self.script
    }

    /// Whether it is a mark of another script than Latin after a letter of US-ASCII.
    pub(crate) fn is_lone_mark(self, before: Self) -> bool {
        matches!(self.kind(), Mark(script) if script != Script::Inherited)
            && before.is_plain_letter()
    }

    /// Whether it is rare even in its own script.
    pub(crate) fn is_rare(self) -> bool {
        self.bits() >= RARE
    }

    /// Whether it is a letter that hardly any language has.
    pub(crate) fn is_exotic(self) -> bool {
        let least = match self.kind() {
            Upper { .. } => EXOTIC + 2,
            _ => EXOTIC,
        };
        self.script.is_some() && self.bits() >= least
    }

    pub(crate) fn character(self) -> char {
        self.character
    }

    /// Whether it is a US-ASCII letter.
    pub(crate) fn is_plain_letter(self) -> bool {
        self.character.is_ascii_alphabetic()
    }

    /// Whether it is a small letter in US-ASCII.
    pub(crate) fn is_plain_lower(self) -> bool {
        self.character.is_ascii_lowercase()
    }

    /// How rare it is.
    pub(crate) fn bits(self) -> i32 {
        i32::from(self.bits)
    }

    /// Its cost after two others. `before[0]` is the nearer one.
    #[inline(always)]
    pub(crate) fn cost(self, before: [Self; 2]) -> i32 {
        let [last, first] = before;
        let extra = follow::extra_cost(first.first, last.class, self.class);
        if extra == UNKNOWN || self.character == last.character {
            return self.odd_cost(before);
        }
        if extra >= LETTERS {
            return self.bits() + i32::from(extra - LETTERS) + self.unseen(last);
        }
        self.bits() + i32::from(extra)
    }

    /// The extra cost of a letter after another one, if this is in no language.
    #[inline(never)]
    fn unseen(self, last: Self) -> i32 {
        const CAPITAL: u8 = follow::first(Upper { script: Script::Latin, plain: false });
        let is_upper = |weighed: Self| weighed.first == CAPITAL;
        match letters::follow(last.character, self.character) {
            true => 0,
            false if is_upper(last) && is_upper(self) => UNSEEN_CAPITALS,
            false => UNSEEN,
        }
    }

    /// The same for pairs that the table lacks.
    #[inline(never)]
    fn odd_cost(self, before: [Self; 2]) -> i32 {
        let [last, first] = before;
        let (kind, kind_of_last, kind_of_first) = (self.kind(), last.kind(), first.kind());
        if self.character == last.character && !self.is_of_word() && kind != Control {
            return REPEATED;
        }
        // A root is followed by what it is of.
        if last.character == '√' && self.is_odd_after_root(first) {
            return self.bits() + ROOT;
        }
        // `Ã` alone, or `Â` after something that is not a capital, is how U+00E0 and U+00A0 are misread.
        if self.character == '\u{A0}'
            && matches!(last.character, 'Ã' | 'Â')
            && !matches!(kind_of_first, Upper { .. })
        {
            return self.bits() + ALONE;
        }
        // Greek letters begin with these.
        if matches!(last.character, 'Î' | 'Ï') && matches!(self.character, '\u{B1}'..='\u{BF}') {
            return self.bits() + transition(kind_of_first, kind_of_last, kind) + GREEK;
        }
        // It ends words.
        if last.character == 'ς' && matches!(self.kind(), Upper { .. } | Lower { .. }) {
            return self.bits() + HUMP;
        }
        if !letters::follow(last.character, self.character) {
            let unseen = match (kind_of_last, kind) {
                (Upper { .. }, Upper { .. }) => UNSEEN_CAPITALS,
                _ => UNSEEN,
            };
            return self.bits() + transition(kind_of_first, kind_of_last, kind) + unseen;
        }
        match (kind_of_last, kind) {
            (Drawing, Drawing) => 4,
            (Figure, Figure) => self.bits().min(8),
            (Emoji, Joiner) => 2,
            (Letter(_) | Mark(_), Joiner) => self.bits().min(6),
            (Emoji, Emoji) => self.bits().min(8),
            _ => self.bits() + transition(kind_of_first, kind_of_last, kind),
        }
    }
}

/// A character of this many bits or more is rare.
const RARE: i32 = 13;
/// The same for letters of hardly any language; capitals have two bits more.
const EXOTIC: i32 = 14;

impl Weighed {
    /// Whether a root sign is rarely followed by this: it is followed by what it is the root of, and does
    /// not end a word.
    fn is_odd_after_root(self, before: Self) -> bool {
        match self.kind() {
            Digit | Punctuation | Space => false,
            Upper { .. } | Lower { .. } | Letter(_) => before.script().is_some(),
            _ => true,
        }
    }
}

/// Represents line ends and missing neighbours.
pub(crate) const NOTHING: Weighed = Weighed {
    character: '\n',
    bits: 2,
    script: None,
    first: follow::first(Space),
    class: follow::SPACE,
};

/// Bits of a Han character.
const HAN: u8 = 10;
/// Cost of a repeated sign.
const REPEATED: i32 = 2;
/// Cost of a small letter before a capital, or of two capitals before a small letter, unless all
/// are US-ASCII. No orthography has these.
const HUMP: i32 = 12;
/// Cost of a sign after a root sign.
const ROOT: i32 = 8;
/// Cost of U+00A0 after a single letter of misread text.
const ALONE: i32 = 10;
/// Cost of a sign after a capital with which misread Greek letters begin.
const GREEK: i32 = 9;
/// Cost of two Latin letters that follow each other in no language.
const UNSEEN: i32 = 8;
/// The same for two capitals, which are rarer anyway.
const UNSEEN_CAPITALS: i32 = 3;
/// Cost of a sign between two letters of a script with case.
const WITHIN: i32 = 11;
/// Cost of a letter next to one of another script.
const FOREIGN: i32 = 10;

/// The extra cost of `kind` after `last`, with `first` before that.
const fn transition(first: Kind, last: Kind, kind: Kind) -> i32 {
    match (last, kind) {
        (_, Control | Joiner) => 0,
        (Upper { script: a, .. }, Upper { script: b, .. }) if is_same(a, b) => 1,
        (Lower { script: a, .. }, Lower { script: b, .. }) if is_same(a, b) => 0,
        (Upper { script: a, plain: p }, Lower { script: b, plain: q }) if is_same(a, b) => {
            match first {
                // Two capitals before: an abbreviation with an ending.
                Upper { .. } if p && q => 2,
                Upper { .. } => HUMP,
                _ => 0,
            }
        }
        (Lower { script: a, plain: p }, Upper { script: b, plain: q }) if is_same(a, b) => {
            if p && q { 4 } else { HUMP }
        }
        (
            Upper { script: a, .. } | Lower { script: a, .. } | Letter(a) | Mark(a),
            Upper { script: b, .. } | Lower { script: b, .. } | Letter(b),
        ) => between(a, b),
        (Close | Open | Trailing | Symbol | Currency, Upper { .. } | Lower { .. })
            if matches!(first, Upper { plain: false, .. } | Lower { plain: false, .. }) =>
        {
            WITHIN
        }
        (Close, Lower { plain: false, .. }) if matches!(first, Upper { .. } | Lower { .. }) => {
            WITHIN
        }
        (Dash, Lower { .. }) if matches!(first, Upper { plain: false, .. }) => 4,
        (Upper { plain: false, .. }, Dash) => 4,
        (Letter(a) | Mark(a), Mark(b)) if is_same(a, b) => 0,
        (Letter(_) | Mark(_), Mark(Script::Inherited)) => 2,
        // There is a letter that has the mark.
        (Upper { .. } | Lower { .. }, Mark(Script::Inherited)) => 6,
        (_, Mark(_)) => 9,

        // Non-ASCII capitals occur in words.
        (Upper { plain: false, .. }, Trailing | Symbol | Currency | Open) => match first {
            // A sign after a word in capitals.
            Upper { .. } => 4,
            _ => 8,
        },
        (Upper { plain: false, .. }, Drawing) => 10,
        (Upper { plain: false, .. }, Figure) => 7,

        (Digit, Upper { plain, .. } | Lower { plain, .. }) => {
            if plain {
                2
            } else {
                6
            }
        }
        (Digit, Letter(script)) => {
            if is_cjk(script) {
                1
            } else {
                6
            }
        }
        (Upper { .. } | Lower { .. } | Letter(_) | Mark(_), Digit) => 3,
        (Upper { .. } | Lower { .. } | Letter(_) | Mark(_), Open) => 6,
        (Upper { .. } | Lower { .. } | Letter(_) | Mark(_), Trailing) => 3,
        (Upper { .. } | Lower { .. } | Letter(_) | Mark(_), Symbol | Currency) => 6,
        (Upper { .. } | Lower { .. }, Drawing) => 10,
        (Upper { .. } | Lower { .. }, Figure) => 7,
        (Letter(_) | Mark(_), Drawing | Figure) => 4,
        (Upper { .. } | Lower { .. } | Digit, Emoji) => 4,
        (Digit, Open) => 6,
        (Digit, Symbol | Drawing | Figure) => 2,

        (Space, Close) => 4,
        (Space, Trailing) => 2,
        (Space, Apostrophe) => 2,
        (Space, Dash | Symbol | Currency) => 1,

        (Open, Close | Trailing | Symbol) => 4,
        (Open, Space) => 3,
        (Close, Upper { .. } | Lower { .. } | Letter(_)) => 5,
        (Close, Digit | Open | Symbol | Currency | Trailing) => 3,
        (Apostrophe, Symbol | Currency | Trailing | Open) => 4,
        (Dash, Symbol | Trailing | Close) => 2,

        (Trailing, Upper { .. } | Lower { .. } | Letter(_)) => 5,
        (Trailing, Symbol | Currency | Trailing | Open) => 5,
        (Symbol | Currency, Upper { .. } | Lower { .. } | Letter(_)) => 4,
        (Symbol | Currency, Symbol | Currency | Trailing | Open) => 5,
        (Drawing, Lower { .. }) => 8,
        (Drawing | Figure, Upper { plain, .. } | Lower { plain, .. }) => {
            if plain {
                3
            } else {
                8
            }
        }
        (Drawing | Figure, Letter(_)) => 4,
        (Drawing, Figure | Symbol | Trailing | Currency | Open | Close) => 6,
        (Figure | Symbol | Trailing | Currency | Open, Drawing) => 6,
        (Figure, Symbol | Trailing | Currency) | (Symbol | Trailing | Currency, Figure) => 3,
        _ => 0,
    }
}

/// The cost of a letter of script `b` after one of script `a`.
const fn between(a: Script, b: Script) -> i32 {
    match (is_cjk(a), is_cjk(b)) {
        _ if is_same(a, b) => 0,
        (true, true) if is_same(a, Script::Hangul) || is_same(b, Script::Hangul) => 3,
        (true, true) => 1,
        (true, false) if is_same(b, Script::Latin) => 4,
        (false, true) if is_same(a, Script::Latin) => 6,
        _ => FOREIGN,
    }
}

const fn is_same(a: Script, b: Script) -> bool {
    a as u8 == b as u8
}

const fn is_cjk(script: Script) -> bool {
    use Script::{Bopomofo, Han, Hangul, Hiragana, Katakana};
    matches!(script, Han | Hiragana | Katakana | Hangul | Bopomofo)
}

fn weigh(character: char) -> (Kind, i32) {
    match character {
        ' ' | '\t' | '\n' | '\r' => (Space, 2),
        '0'..='9' => (Digit, 4),
        'a'..='z' => (Lower { script: Script::Latin, plain: true }, 5),
        // Occurs among both small letters and capitals.
        'ß' => (Letter(Script::Latin), 7),
        'A'..='Z' => (Upper { script: Script::Latin, plain: true }, 6),
        '!'..='~' => (Punctuation, 5),
        '\0'..='\u{9F}' => (Control, if character < '\u{7F}' { 16 } else { 22 }),
        '\u{A0}'..='\u{BF}' | '\u{D7}' | '\u{F7}' => latin1_sign(character),
        '\u{2000}'..='\u{2BFF}' => sign(character),
        '\u{2C6}'..='\u{2DF}' => (Symbol, 18),
        '\u{60C}' | '\u{61B}' | '\u{61F}' | '\u{6D4}' => (Close, 6),
        '\u{660}'..='\u{669}' | '\u{6F0}'..='\u{6F9}' | '\u{966}'..='\u{96F}' => (Digit, 7),
        '\u{964}' | '\u{965}' | '\u{5BE}' | '\u{5F3}' | '\u{5F4}' => (Close, 6),
        '\u{3000}' => (Space, 12),
        '\u{3001}'..='\u{3003}'
        | '\u{FF01}'
        | '\u{FF0C}'
        | '\u{FF0E}'
        | '\u{FF1A}'..='\u{FF1F}' => (Close, 5),
        '\u{3005}' | '\u{30FC}' => (Letter(Script::Katakana), 6),
        '\u{3008}'..='\u{3011}' | '\u{FF08}' | '\u{FF09}' => (Punctuation, 6),
        '\u{FF00}'..='\u{FF60}' | '\u{FFE0}'..='\u{FFE6}' => (Punctuation, 8),
        '\u{1F1E6}'..='\u{1F1FF}' | '\u{1F300}'..='\u{1FAFF}' => (Emoji, 10),
        '\u{FE0F}' => (Joiner, 10),
        '\u{FEFF}' => (Joiner, 6),
        '\u{FFFD}' => (Symbol, 14),
        '\u{E000}'..='\u{F8FF}' => (Symbol, 22),
        _ => letter(character),
    }
}

/// Non-letters from U+00A0 to U+00FF.
fn latin1_sign(character: char) -> (Kind, i32) {
    match character {
        '\u{A0}' => (Space, 7),
        '¡' | '¿' => (Open, 8),
        '«' => (Open, 7),
        '»' => (Close, 7),
        '£' => (Currency, 9),
        '¢' | '¥' => (Currency, 11),
        '¤' => (Currency, 16),
        '°' => (Trailing, 7),
        'º' | 'ª' | '²' | '³' | '®' | '©' => (Trailing, 10),
        '¹' => (Trailing, 12),
        '½' | '¼' | '¾' => (Trailing, 11),
        '·' | '×' | '±' | '§' | 'µ' | '÷' => (Symbol, 10),
        '\u{AD}' => (Joiner, 12),
        _ => (Symbol, 14),
    }
}

/// Non-letters from U+2000 to U+2BFF.
fn sign(character: char) -> (Kind, i32) {
    match character {
        '\u{200B}'..='\u{200F}' => (Joiner, 14),
        '\u{2009}' | '\u{202F}' => (Space, 10),
        '\u{2000}'..='\u{200A}' => (Space, 14),
        '\u{2010}' | '\u{2011}' => (Dash, 12),
        '–' | '—' | '\u{2212}' => (Dash, 6),
        '\u{2012}' | '\u{2015}' => (Dash, 12),
        '‘' | '“' | '„' => (Open, 6),
        '‚' => (Open, 10),
        '‹' => (Open, 11),
        '’' => (Apostrophe, 6),
        '”' => (Close, 6),
        '›' => (Close, 11),
        '…' => (Close, 6),
        '•' => (Symbol, 8),
        '†' | '‡' | '‰' => (Symbol, 13),
        '\u{2070}'..='\u{209F}' => (Trailing, 12),
        '€' => (Currency, 8),
        '₹' | '₽' | '₩' | '₪' | '₫' => (Currency, 10),
        '\u{20A0}'..='\u{20CF}' => (Currency, 14),
        '™' => (Trailing, 10),
        '№' => (Symbol, 9),
        '\u{2150}'..='\u{218B}' => (Symbol, 12),
        '\u{2190}'..='\u{21FF}' => (Figure, 10),
        '≤' | '≥' | '≠' | '≈' | '∞' | '√' | '∑' => (Figure, 11),
        '\u{2200}'..='\u{23FF}' => (Figure, 12),
        '\u{2500}'..='\u{259F}' => (Drawing, 9),
        '\u{25A0}'..='\u{25FF}' => (Figure, 11),
        '\u{2600}'..='\u{27BF}' => (Emoji, 11),
        '\u{2060}'..='\u{206F}' | '\u{2028}'..='\u{202E}' => (Control, 18),
        '\u{2C00}'.. => (Symbol, 16),
        _ => (Symbol, 14),
    }
}

/// The script of a letter, a mark, or a sign that only one script has.
fn script_of(character: char, kind: Kind) -> Option<Script> {
    match character {
        '\u{60C}' | '\u{61B}' | '\u{61F}' | '\u{6D4}' => return Some(Script::Arabic),
        '\u{64B}'..='\u{65F}' | '\u{670}' => return Some(Script::Arabic),
        '\u{660}'..='\u{669}' | '\u{6F0}'..='\u{6F9}' => return Some(Script::Arabic),
        '\u{964}' | '\u{965}' | '\u{966}'..='\u{96F}' => return Some(Script::Devanagari),
        '\u{5BE}' | '\u{5F3}' | '\u{5F4}' => return Some(Script::Hebrew),
        '\u{3001}'..='\u{3011}' | '\u{FF01}'..='\u{FF5E}' => return Some(Script::Han),
        _ => {}
    }
    match kind {
        Upper { script, .. } | Lower { script, .. } | Letter(script) | Mark(script) => {
            (script != Script::Inherited).then_some(script)
        }
        _ => None,
    }
}

/// The script of a character. The common ones need no search.
fn script(character: char) -> Script {
    match character {
        '\u{C0}'..='\u{24F}' if !matches!(character, '×' | '÷') => Script::Latin,
        '\u{386}' | '\u{391}'..='\u{3A1}' | '\u{3A3}'..='\u{3CE}' => Script::Greek,
        '\u{400}'..='\u{482}' | '\u{48A}'..='\u{4FF}' => Script::Cyrillic,
        '\u{5D0}'..='\u{5EA}' => Script::Hebrew,
        '\u{620}'..='\u{63F}' | '\u{641}'..='\u{64A}' => Script::Arabic,
        '\u{E01}'..='\u{E3A}' | '\u{E40}'..='\u{E4E}' => Script::Thai,
        '\u{3041}'..='\u{3096}' => Script::Hiragana,
        '\u{30A1}'..='\u{30FA}' => Script::Katakana,
        '\u{4E00}'..='\u{9FFF}' => Script::Han,
        '\u{AC00}'..='\u{D7A3}' => Script::Hangul,
        _ => character.script(),
    }
}

fn letter(character: char) -> (Kind, i32) {
    let script = script(character);
    // The rarity of a capital in its language includes what all others get for it.
    let case = Case::of(character);
    let upper = if case == Case::Upper { 2 } else { 0 };
    let bits = match script {
        Script::Unknown => return (Control, 24),
        Script::Inherited => {
            let common =
                matches!(character, '\u{300}'..='\u{30C}' | '\u{323}' | '\u{327}' | '\u{328}');
            return (Mark(Script::Inherited), if common { 15 } else { 18 });
        }
        Script::Common => return (Symbol, 13),
        Script::Latin => match character {
            'Ã' | 'Â' => 9,
            '\u{1EA0}'..='\u{1EF9}' => 8,
            _ => match letters::rarity(character) {
                Some(rarity) => (5 + rarity * 2 / 3).clamp(6, 15) - upper,
                None => 15,
            },
        },
        Script::Cyrillic => match character {
            '\u{410}'..='\u{44F}' => 5,
            '\u{400}'..='\u{45F}' | '\u{490}' | '\u{491}' => 8,
            _ => 14,
        },
        Script::Greek => match character {
            '\u{386}'..='\u{3CE}' => 5,
            '\u{1F00}'..='\u{1FFF}' => 9,
            _ => 14,
        },
        Script::Hebrew | Script::Thai => 6,
        Script::Arabic => match character {
            '\u{621}'..='\u{652}' => 6,
            '\u{653}'..='\u{6FF}' => 8,
            _ => 15,
        },
        Script::Devanagari => 6,
        Script::Hiragana => 6,
        Script::Katakana if character < '\u{FF00}' => 7,
        Script::Katakana => 12,
        Script::Han => match character {
            '\u{4E00}'..='\u{9FA5}' => HAN.into(),
            _ => 17,
        },
        Script::Hangul => match character {
            '\u{AC00}'..='\u{D7A3}' => 9,
            _ => 13,
        },
        Script::Bengali
        | Script::Gurmukhi
        | Script::Gujarati
        | Script::Tamil
        | Script::Telugu
        | Script::Kannada
        | Script::Malayalam
        | Script::Georgian
        | Script::Armenian => 8,
        _ => 13,
    };
    let plain = false;
    match case {
        // Capitals are rarer.
        Case::Upper => (Upper { script, plain }, bits + 2),
        Case::Lower => (Lower { script, plain }, bits),
        Case::None if is_mark(character) => (Mark(script), bits),
        Case::None => (Letter(script), bits),
    }
}

/// The case of a letter.
#[derive(Clone, Copy, PartialEq)]
enum Case {
    Upper,
    Lower,
    None,
}

impl Case {
    /// The case of a letter beyond US-ASCII. The common ones need no search.
    fn of(letter: char) -> Self {
        match letter {
            '\u{C0}'..='\u{D6}' | '\u{D8}'..='\u{DE}' => Self::Upper,
            '\u{DF}'..='\u{F6}' | '\u{F8}'..='\u{FF}' => Self::Lower,
            '\u{391}'..='\u{3A1}' | '\u{3A3}'..='\u{3AB}' | '\u{400}'..='\u{42F}' => Self::Upper,
            '\u{3AC}'..='\u{3CE}' | '\u{430}'..='\u{45F}' => Self::Lower,
            '\u{5D0}'..='\u{109F}' => Self::None,
            '\u{2E80}'..='\u{A4CF}' | '\u{AC00}'..='\u{D7A3}' => Self::None,
            letter if letter.is_uppercase() => Self::Upper,
            letter if letter.is_lowercase() => Self::Lower,
            _ => Self::None,
        }
    }
}

/// Marks of the scripts that have many. All other marks count as letters.
fn is_mark(character: char) -> bool {
    match character {
        '\u{591}'..='\u{5C7}' | '\u{64B}'..='\u{65F}' | '\u{670}' => true,
        '\u{E31}' | '\u{E34}'..='\u{E3A}' | '\u{E47}'..='\u{E4E}' => true,
        // The nine Indic scripts have the same layout, from U+0900, each in 128 code points.
        '\u{900}'..='\u{D7F}' => {
            matches!(character as u32 & 0x7F, 0x00..=0x03 | 0x3C | 0x3E..=0x4D)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cost(text: &str) -> i32 {
        let mut before = [NOTHING; 2];
        text.chars().chain("\n".chars()).fold(0, |sum, character| {
            let weighed = Weighed::new(character);
            let cost = weighed.cost(before);
            before = [weighed, before[0]];
            sum + cost
        })
    }

    #[test]
    fn text_is_cheaper_than_what_it_is_misread_as() {
        for (text, misread) in [
            ("café", "cafÃ©"),
            ("20 °C", "20 Â°C"),
            ("don’t", "donâ€™t"),
            ("Привет", "РџСЂРёРІРµС‚"),
            ("Привет", "ÐŸÑ€Ð¸Ð²ÐµÑ‚"),
            ("ΑΒΓ", "Î‘Î’Î“"),
            ("日本", "æ—¥æœ¬"),
            ("ไทย", "เน„เธ—เธข"),
        ] {
            assert!(cost(text) + 14 < cost(misread), "{} {}", cost(text), cost(misread));
        }
    }

    #[test]
    fn common_cases_are_those_of_unicode() {
        for character in '\u{C0}'..='\u{FFFF}' {
            let is_sign = matches!(character, '×' | '÷');
            let (is_upper, is_lower) = (character.is_uppercase(), character.is_lowercase());
            let case = Case::of(character);
            assert!(is_sign || (case == Case::Upper) == is_upper, "{character:?}");
            assert!(is_sign || (case == Case::Lower) == is_lower, "{character:?}");
        }
    }

    #[test]
    fn common_scripts_are_those_of_unicode() {
        for character in '\u{80}'..='\u{FFFF}' {
            // A letter that is common to scripts is counted with its neighbours.
            let right = character.script();
            assert!(script(character) == right, "{:04X}: {right:?}", u32::from(character));
        }
    }

    #[test]
    fn odd_text_is_cheaper_than_what_it_could_be_read_as() {
        for (text, reading) in
            [("IRMÃ” e", "IRMÔ e"), ("—Да", "фа"), ("l’été", "lՎté"), ("╚═╝", "╚ͼ"), ("รก", "á")]
        {
            assert!(cost(text) < cost(reading) + 12, "{} {}", cost(text), cost(reading));
        }
    }
}
