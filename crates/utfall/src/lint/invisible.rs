//! Code points that display nothing, in places where no script needs them: zero-width and other
//! default-ignorable ones, tag characters, variation selectors and blank letters.
//!
//! A run of them is judged by the code points on both sides. Whether a neighbour needs them is
//! decided by its block, since the scripts that need them have blocks of their own.

use alloc::string::String;
use alloc::vec::Vec;

use super::letters::{is_spaceless, joins};
use super::words::Tail;
use super::{FindingKind, Place, Rule, Rules, Tell};
use crate::hidden::SHOWN;

/// Kinds of invisible code points. A run has one kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Tag,
    Variation,
    ZeroWidth,
    Ignorable,
    Blank,
}

impl Kind {
    fn of(point: u32) -> Option<Self> {
        Some(match point {
            0xE0000..=0xE007F => Self::Tag,
            0xFE00..=0xFE0F | 0xE0100..=0xE01EF => Self::Variation,
            0x200B..=0x200D | 0x2060 => Self::ZeroWidth,
            0x034F | 0x17B4 | 0x17B5 | 0x180B..=0x180F | 0x2061..=0x2065 | 0x206A..=0x206F => {
                Self::Ignorable
            }
            0xFFF0..=0xFFFB | 0x1BCA0..=0x1BCA3 | 0x1D173..=0x1D17A => Self::Ignorable,
            0xE0080..=0xE00FF | 0xE01F0..=0xE0FFF => Self::Ignorable,
            0x115F | 0x1160 | 0x2800 | 0x3164 | 0xFFA0 => Self::Blank,
            _ => return None,
        })
    }
}

/// Whether the rules may apply to a code point.
pub(super) fn is_invisible(point: u32) -> bool {
    Kind::of(point).is_some()
}

/// A run of invisible code points that may go on.
#[derive(Debug)]
struct Run {
    kind: Kind,
    begin: Place,
    /// The offset of its end.
    end: u64,
    /// The code point before it, or 0.
    before: u32,
    /// Shortly before it, in its line, there are letters that join, and spaceless ones.
    near: [bool; 2],
    count: u64,
    /// The first of them.
    points: Vec<u32>,
}

/// The runs of a text.
#[derive(Debug, Default)]
pub(super) struct Invisible {
    open: Option<Run>,
    /// The line with a language tag that has not been cancelled.
    tagged_line: u64,
}

/// How many code points before a run show the script of the text.
const NEAR: usize = 32;

/// How many code points of a run are saved: more than a message shows.
const SAVED: usize = 4 * SHOWN + 1;

impl Invisible {
    /// Whether the next code point decides about a run.
    pub(super) fn is_open(&self) -> bool {
        self.open.is_some()
    }

    /// Handles a code point after `before` and `tail`.
    pub(super) fn point(
        &mut self,
        point: u32,
        before: u32,
        tail: Option<&Tail>,
        place: Place,
        rules: Rules,
        tell: Tell<'_>,
    ) {
        let kind = Kind::of(point);
        if self.open.as_ref().is_some_and(|open| Some(open.kind) != kind) {
            self.end(point, rules, tell);
        }
        let Some(kind) = kind else { return };
        let near = |script: fn(u32) -> bool| {
            let back = tail.into_iter().flat_map(Tail::back).take_while(|point| *point != 0x0A);
            back.take(NEAR).any(script)
        };
        let run = self.open.get_or_insert_with(|| Run {
            kind,
            begin: place,
            end: 0,
            before,
            near: [near(joins), near(is_spaceless)],
            count: 0,
            points: Vec::new(),
        });
        run.end = place.offset + place.length;
        run.count += 1;
        if run.points.len() < SAVED {
            run.points.push(point);
        }
    }

    /// Ends a run that is followed by `next`, or by nothing if that is 0.
    pub(super) fn end(&mut self, next: u32, rules: Rules, tell: Tell<'_>) {
        let Some(run) = self.open.take() else { return };
        let line = run.begin.position.line;
        if let [0xE0001, rest @ ..] = &run.points[..]
            && is_language(rest)
        {
            self.tagged_line = line;
            return;
        }
        if run.points == [0xE007F] && self.tagged_line == line {
            self.tagged_line = 0;
            return;
        }
        if let Some(rule) = run.rule(next)
            && rules.contains(rule)
        {
            let place = Place { length: run.end - run.begin.offset, ..run.begin };
            tell(place.finding(rule, run.what()));
        }
    }
}

impl Run {
    /// The rule that it breaks.
    fn rule(&self, next: u32) -> Option<Rule> {
        let Self { kind, before, count, .. } = *self;
        let is_each = |belongs: fn(u32, u32, u32) -> bool| {
            self.points.iter().all(|point| belongs(before, *point, next))
        };
        match kind {
            Kind::Tag => (!is_flag(before, &self.points)).then_some(Rule::TagCharacter),
            Kind::Variation if count >= PAYLOAD => Some(Rule::VariationPayload),
            Kind::Variation if count == 1 && takes(before, self.points[0]) => None,
            Kind::Variation => Some(Rule::VariationSelector),
            Kind::ZeroWidth if count < PAYLOAD && is_each(is_needed) => None,
            Kind::ZeroWidth if count < LONG && self.is_of_text(next) => None,
            Kind::ZeroWidth => Some(Rule::ZeroWidth),
            Kind::Ignorable if is_each(is_of_script) => None,
            Kind::Ignorable => Some(Rule::Ignorable),
            Kind::Blank if is_each(is_filler) => None,
            Kind::Blank => Some(Rule::BlankLetter),
        }
    }

    /// Whether zero-width characters belong to the text around them, even if not to a neighbour: a
    /// joiner after a space or a full stop, or twice. In an ASCII word they do not.
    fn is_of_text(&self, next: u32) -> bool {
        let is_ascii_word = |point: u32| {
            char::from_u32(point).is_some_and(|c| c.is_ascii_alphanumeric() || c == '_')
        };
        let is_of = |point: &u32| match point {
            0x200C | 0x200D => self.near[0] || joins(next),
            _ => self.near[1] || is_spaceless(next),
        };
        !(is_ascii_word(self.before) && is_ascii_word(next)) && self.points.iter().all(is_of)
    }

    fn what(&self) -> FindingKind {
        let first = self.points[0];
        let text = match self.kind {
            Kind::Tag => spelled(&self.points),
            Kind::Variation if self.count >= PAYLOAD => carried(&self.points),
            _ => String::new(),
        };
        match (self.count, text.is_empty()) {
            (1, true) => FindingKind::Character(first),
            (count, _) => FindingKind::Characters { first, count, text },
        }
    }
}

/// No script has as many variation selectors or joiners in a row.
const PAYLOAD: u64 = 3;

/// In scripts that need zero-width characters, more of them are typed by mistake. As many can carry
/// a byte.
const LONG: u64 = 8;

/// The ASCII text of tag characters.
fn spelled(points: &[u32]) -> String {
    let letters = points.iter().filter_map(|point| char::from_u32(point.wrapping_sub(0xE0000)));
    shown(letters.filter(|letter| matches!(letter, ' '..='~')))
}

/// The text whose bytes are numbered by variation selectors, if it is text: VS1 is byte 0.
fn carried(points: &[u32]) -> String {
    let bytes = points.iter().map(|point| match point {
        0xFE00..=0xFE0F => (point - 0xFE00) as u8,
        _ => (point - 0xE0100 + 16) as u8,
    });
    let bytes: Vec<u8> = bytes.collect();
    let text = match core::str::from_utf8(&bytes) {
        Ok(text) => text,
        // The end may be cut.
        Err(error) if error.error_len().is_none() => {
            core::str::from_utf8(&bytes[..error.valid_up_to()]).unwrap_or_default()
        }
        Err(_) => "",
    };
    let is_text = |scalar: char| !scalar.is_control() || matches!(scalar, '\n' | '\r' | '\t');
    if text.chars().all(is_text) { shown(text.chars()) } else { String::new() }
}

fn shown(mut scalars: impl Iterator<Item = char>) -> String {
    let mut text: String = scalars.by_ref().take(SHOWN).collect();
    text.extend(scalars.next().map(|_| '…'));
    text
}

/// An emoji tag sequence for the flag of a subdivision: a black flag, an identifier of a
/// subdivision (UTS #35), and the end (UTS #51, ED-14a and C.1).
fn is_flag(base: u32, tags: &[u32]) -> bool {
    let [region @ .., 0xE007F] = tags else { return false };
    let is_letter = |tag: &u32| (0xE0061..=0xE007A).contains(tag);
    let is_digit = |tag: &u32| (0xE0030..=0xE0039).contains(tag);
    let (letters, digits) = (region.iter().take(2), region.iter().take(3));
    let suffix = match region {
        [_, _, suffix @ ..] if letters.clone().all(is_letter) => suffix,
        [_, _, _, suffix @ ..] if digits.clone().all(is_digit) => suffix,
        _ => return false,
    };
    let is_suffix = suffix.iter().all(|tag| is_letter(tag) || is_digit(tag));
    base == 0x1F3F4 && is_suffix && (1..=4).contains(&suffix.len())
}

/// A language in tag characters after U+E0001, deprecated (Unicode 23.9): language, script and
/// region. Or the end of one.
fn is_language(tags: &[u32]) -> bool {
    if tags == [0xE007F] {
        return true;
    }
    let byte = |tag: &u32| u8::try_from(tag.wrapping_sub(0xE0000)).unwrap_or(0);
    let Some(subtags) = tags.first_chunk::<2>().map(|_| tags.split(|tag| byte(tag) == b'-')) else {
        return false;
    };
    let is = |subtag: &[u32], test: fn(&u8) -> bool| subtag.iter().all(|tag| test(&byte(tag)));
    let mut is_last = false;
    subtags.enumerate().all(|(at, subtag)| {
        let was_last = is_last;
        let is_letters = is(subtag, u8::is_ascii_alphabetic);
        let is_digits = is(subtag, u8::is_ascii_digit);
        is_last = at > 0 && subtag.len() != 4;
        match subtag.len() {
            2 | 3 if at == 0 => is_letters,
            4 if at == 1 => is_letters,
            2 => at > 0 && !was_last && is_letters,
            3 => at > 0 && !was_last && is_digits,
            _ => false,
        }
    })
}

/// Whether a character has a variant for a selector (Unicode 23.4): emoji and text style, the
/// blocks with standardized variants, and ideographs (UTS #37).
pub(super) fn takes(base: u32, selector: u32) -> bool {
    let is_ideograph = matches!(base, 0x3005..=0x3007 | 0x3400..=0x4DBF | 0x4E00..=0x9FFF)
        || matches!(base, 0xF900..=0xFAFF | 0x20000..=0x3FFFF);
    let is_hieroglyph = matches!(base, 0x13000..=0x143FF);
    match selector {
        0xFE0E | 0xFE0F => {
            is_pictograph(base) || matches!(base, 0x23 | 0x2A | 0x30..=0x39 | 0x20E3)
        }
        0xFE00..=0xFE02 if is_ideograph || is_hieroglyph => true,
        0xFE00 | 0xFE01 => matches!(
            base,
            0x30 | 0x1000..=0x109F | 0x2018..=0x201D | 0x2100..=0x22FF | 0x2A00..=0x2AFF
                | 0x3001 | 0x3002 | 0xA840..=0xA877 | 0xA9E0..=0xA9FF | 0xAA60..=0xAA7F
                | 0xFF01..=0xFF1F | 0x10AC0..=0x10AFF
        ),
        0xFE03..=0xFE06 => is_hieroglyph,
        _ => selector >= 0xE0100 && is_ideograph,
    }
}

/// Characters with emoji style, and others in their blocks.
fn is_pictograph(point: u32) -> bool {
    matches!(
        point,
        0xA9 | 0xAE | 0x203C | 0x2049 | 0x2100..=0x214F | 0x2190..=0x21FF | 0x2300..=0x23FF
            | 0x2460..=0x24FF | 0x25A0..=0x27BF | 0x2900..=0x297F | 0x2B00..=0x2BFF | 0x3030
            | 0x303D | 0x3297 | 0x3299 | 0x1F000..=0x1FBFF
    )
}

/// Whether a zero-width character between two others belongs there.
fn is_needed(before: u32, point: u32, next: u32) -> bool {
    match point {
        // An emoji may end with U+FE0F, U+20E3 or the end of a tag sequence.
        0x200D if is_pictograph(next) => {
            is_pictograph(before) || matches!(before, 0xFE0F | 0x20E3 | 0xE007F) || joins(before)
        }
        0x200C | 0x200D => joins(before) || joins(next),
        _ => is_spaceless(before) || is_spaceless(next),
    }
}

/// Whether another default-ignorable code point is beside its own script.
fn is_of_script(before: u32, point: u32, next: u32) -> bool {
    let is_beside = |script: fn(u32) -> bool| script(before) || script(next);
    match point {
        // It separates combining marks: Latin, Hebrew, Arabic and others.
        0x034F => is_beside(
            |other| matches!(other, 0x0300..=0x036F | 0x0590..=0x08FF | 0x1AB0..=0x1AFF | 0x1DC0..=0x1DFF),
        ),
        0x17B4 | 0x17B5 => is_beside(|other| matches!(other, 0x1780..=0x17FF)),
        0x180B..=0x180F => matches!(before, 0x1800..=0x180A | 0x1810..=0x18AF | 0x11660..=0x1167F),
        // Invisible operators in MathML, and beside mathematical letters.
        0x2061..=0x2064 => {
            matches!((before, next), (0x3E, 0x3C))
                || is_beside(|it| matches!(it, 0x1D400..=0x1D7FF))
        }
        0x1BCA0..=0x1BCA3 => is_beside(|other| matches!(other, 0x1BC00..=0x1BC9F)),
        0x1D173..=0x1D17A => is_beside(|other| matches!(other, 0x1D100..=0x1D1FF)),
        _ => false,
    }
}

/// Whether a blank letter is beside letters that it fills up: Hangul syllables in parts (Unicode
/// 18.6), or Braille.
fn is_filler(before: u32, point: u32, next: u32) -> bool {
    let is_beside = |block: fn(u32) -> bool| block(before) || block(next);
    match point {
        0x2800 => is_beside(|other| matches!(other, 0x2801..=0x28FF)),
        0x3164 => is_beside(|other| matches!(other, 0x3131..=0x318E if other != 0x3164)),
        0xFFA0 => is_beside(|other| matches!(other, 0xFFA1..=0xFFDC)),
        _ => is_beside(
            |other| matches!(other, 0x1100..=0x115E | 0x1161..=0x11FF | 0xA960..=0xA97F | 0xD7B0..=0xD7FF),
        ),
    }
}
