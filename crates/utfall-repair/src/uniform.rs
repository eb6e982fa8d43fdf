//! Text that was misread as a whole. Where line after line was misread in the same way, a line that the same charsets
//! explain needs no further evidence: correct text does not consist of sequences of UTF-8.

use crate::Charset;
use crate::chain::{Chain, Step};
use crate::context::{Context, family};
use crate::cost::Weighed;
use crate::search::quick::Explained;
use crate::search::{self, COMMON, Found};
use unicode_script::Script;

/// The most evidence, in bits, that such a line was misread too.
const FOLLOWS: i32 = 12;

/// How many lines in a row, and how many characters in them, must be misread in the same way for the text to be misread
/// as a whole.
const LINES: u16 = 2;
const CHARACTERS: usize = 16;

/// Lines in a row that were misread whole, all in the same way.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Uniform {
    lines: u16,
    /// How many characters beyond US-ASCII they have.
    characters: usize,
    /// The charset of the first misreading, if there were two.
    pub(crate) before: Option<Charset>,
    /// The charset of the last misreading of the last line.
    pub(crate) last: Charset,
    /// The evidence for the surest of them, in bits.
    bits: i32,
}

impl Uniform {
    /// Whether they show that the text was misread as a whole.
    pub(crate) fn is_enough(&self) -> bool {
        self.lines >= LINES && self.characters >= CHARACTERS
    }

    /// These lines and the next one.
    pub(crate) fn and(self, next: Self) -> Self {
        Self {
            lines: self.lines.saturating_add(next.lines),
            characters: self.characters.saturating_add(next.characters),
            bits: self.bits.max(next.bits),
            ..next
        }
    }
}

/// How much of a line was misread.
pub(crate) enum Extent {
    /// Every character that is not US-ASCII, in the same way, once or twice.
    Whole(Uniform),
    /// All of them, but some lost bytes, or not all in the same way.
    Varied,
    /// The line has correct characters too.
    Part,
}

/// How much of a line these findings repair. `has_left` says that other misread text stays, and `is_part` that there
/// are correct characters beyond US-ASCII.
pub(crate) fn extent(found: &[Found], has_left: bool, is_part: bool) -> Extent {
    let is_same = |pair: &[Found]| pair[0].chain == pair[1].chain;
    let charsets = found.first().and_then(|found| charsets(&found.chain));
    match charsets.as_deref() {
        _ if is_part => Extent::Part,
        _ if has_left => Extent::Varied,
        Some([before @ .., last]) if before.len() < 2 && found.windows(2).all(is_same) => {
            Extent::Whole(Uniform {
                lines: 1,
                characters: found.iter().map(|found| found.end - found.begin).sum(),
                before: before.first().copied(),
                last: *last,
                bits: found.iter().map(|found| found.bits).min().unwrap_or(0),
            })
        }
        _ => Extent::Varied,
    }
}

/// How much of an explained line was misread.
pub(crate) fn extent_of(explained: &Explained) -> Extent {
    match explained.misreadings() {
        Some((before, last)) => Extent::Whole(Uniform {
            lines: 1,
            characters: explained.runs.iter().map(|run| run.count).sum(),
            before,
            last,
            bits: explained.bits,
        }),
        None => Extent::Varied,
    }
}

/// Repairs a line in the way in which the lines before it were misread. Returns the findings, and the charsets that
/// restore them. `None` if no charset explains every character beyond US-ASCII, or if `found` is better.
pub(crate) fn follow(
    line: &[char],
    found: &[Found],
    context: &Context,
) -> Option<(Vec<Found>, Vec<Charset>)> {
    let uniform = context.uniform()?;
    let last = context.last_charsets(uniform);
    let is_complete = !found.is_empty() && !search::has_others(line, found);
    if is_complete && found.iter().any(|found| is_better(found, uniform, &last)) {
        return None;
    }
    // A short line may be correct, and form a sequence by chance: `CAFÉ…`. Its letters would be exotic.
    let is_usual = |weighed: Weighed| {
        let is_known = |script| script == Script::Latin || context.has_script(family(script));
        !found.is_empty() || !weighed.is_exotic() && weighed.script().is_none_or(is_known)
    };
    let is_credible = |found: &Found| {
        let mut restored = found.text.iter().map(|(_, character)| Weighed::new(*character));
        restored.all(|weighed| weighed.is_credible() && is_usual(weighed))
    };
    let mut followed: Option<(Vec<Found>, Vec<Charset>)> = None;
    for charset in last {
        let charsets: Vec<Charset> = uniform.before.into_iter().chain([charset]).collect();
        let Some(all) = whole(line, 0, &charsets, uniform.bits.min(FOLLOWS)) else { continue };
        match &mut followed {
            Some((first, alike)) => {
                let is_same = |(a, b): (&Found, &Found)| a.text == b.text;
                if first.iter().zip(&all).all(is_same) {
                    alike.push(charset);
                }
            }
            None if all.iter().all(is_credible) => followed = Some((all, vec![charset])),
            None => {}
        }
    }
    followed
}

/// Whether a finding explains its line better than the lines before: it undoes more misreadings, and the first one in a
/// common charset, or the last one in another charset.
fn is_better(found: &Found, uniform: Uniform, last: &[Charset]) -> bool {
    let charset = |step: &Step| match step {
        Step::Misread { charset, .. } => Some(*charset),
        _ => None,
    };
    match found.chain.steps() {
        [] => false,
        [first, ..] if found.chain.steps().len() > 1 + usize::from(uniform.before.is_some()) => {
            charset(first).is_none_or(|charset| charset.prior() <= COMMON)
        }
        [.., step] => charset(step).is_none_or(|charset| !last.contains(&charset)),
    }
}

/// The findings that repair a misread text, run by run. `None` unless the charsets, in the order in which they were
/// misread, explain every character that is not US-ASCII. `begin` is the index of the text in its line.
pub(crate) fn whole(
    text: &[char],
    begin: usize,
    charsets: &[Charset],
    bits: i32,
) -> Option<Vec<Found>> {
    let step = |charset: &Charset| Step::Misread { charset: *charset, loss: None };
    let chain = Chain::new(charsets.iter().map(step).collect());
    let mut all = Vec::new();
    let mut from = 0;
    while let Some(length) = text[from..].iter().position(|character| *character >= '\u{80}') {
        let first = from + length;
        let run = text[first..].iter().take_while(|character| **character >= '\u{80}');
        let places = run.enumerate().map(|(at, character)| (begin + first + at, *character));
        let mut restored: Vec<(usize, char)> = places.collect();
        from = first + restored.len();
        for charset in charsets.iter().rev() {
            restored = undone(&restored, *charset)?;
        }
        let (begin, end, chain) = (begin + first, begin + from, chain.clone());
        all.push(Found { begin, end, text: restored, chain, bits });
    }
    (!all.is_empty()).then_some(all)
}

/// The charsets of a chain that consists only of misreadings without lost bytes.
pub(crate) fn charsets(chain: &Chain) -> Option<Vec<Charset>> {
    let charset = |step: &Step| match step {
        Step::Misread { charset, loss: None } => Some(*charset),
        _ => None,
    };
    chain.steps().iter().map(charset).collect()
}

/// Undoes a misreading. `None` if the charset lacks a character, or the result is not UTF-8. Each restored
/// character has the index of the character where its source begins.
fn undone(text: &[(usize, char)], charset: Charset) -> Option<Vec<(usize, char)>> {
    let bytes = text.iter().map(|(_, character)| charset.high_byte(*character));
    let bytes: Vec<u8> = bytes.collect::<Option<_>>()?;
    let restored = std::str::from_utf8(&bytes).ok()?;
    Some(restored.char_indices().map(|(at, character)| (text[at].0, character)).collect())
}
