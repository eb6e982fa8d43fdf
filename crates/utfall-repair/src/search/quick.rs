//! The common case: one wrong decoding explains every character of a line that is not US-ASCII. One pass
//! proves that, and gives what the search would.

use super::{
    COMMON, DOUBT, DOUBT_AFTER_RIGHT, DOUBT_OF_CHANGE, DOUBT_OF_DEPTH, DOUBT_OF_GREEK,
    DOUBT_OF_GROUP, DOUBT_OF_LETTERS, DOUBT_OF_SCRIPT, DOUBT_OF_SIGNS, Found, NEAR, PROVEN, RIGHT,
    RIVAL, STRONG, STRONG_NEAR, TRIED, WEAK, is_only_a_byte, is_usual,
};
use crate::Charset;
use crate::chain::{Chain, Step};
use crate::charset::{Marks, marks};
use crate::context::{Context, family};
use crate::cost::{NOTHING, Weighed};
use unicode_script::Script;

/// How far a letter of US-ASCII counts as a neighbour, as in the search.
const CONTEXT: usize = super::CONTEXT;
/// Digits of the counters: lines with more pairs are searched.
const PLANES: usize = 12;
/// The search counts a lead character before a space as an eighth of a pair.
const WEAK_PAIRS: usize = 8;
/// How many different texts are compared. Further ones add no evidence.
const KNOWN: usize = 32;

/// The findings of the search, if one pass is enough to be certain of them.
pub(super) fn search(line: &[char], context: &Context) -> Option<(Vec<Found>, Vec<Charset>)> {
    let top = most_pairs(line)?;
    let order = |charset: &Charset| (charset.prior(), charset.index());
    let charset = Charset::of_set(top).min_by_key(order)?;
    // Others are rare, and read more text that is right as a sequence.
    if charset.prior() > 0 {
        return None;
    }
    // Others with the same pairs that restore the same, and those that do not.
    let same = |bytes: &[u8]| {
        let is_same = |other: &Charset| bytes[other.index()] == bytes[charset.index()];
        Charset::of_set(top).filter(is_same).fold(0, |set, other| set | 1 << other.index())
    };
    let others = line.iter().filter(|character| **character >= '\u{80}');
    let alike = others.fold(top, |set, character| set & same(&marks(*character).bytes));
    let rivals = Charset::of_set(top & !alike);
    let mut evidence = Evidence::new(charset, rivals, context);
    let mut from = 0;
    while let Some(length) = line[from..].iter().position(|character| *character >= '\u{80}') {
        let begin = from + length;
        let count = line[begin..].iter().take_while(|character| **character >= '\u{80}').count();
        from = begin + count;
        evidence.add(line, begin, from)?;
    }
    let score = evidence.score()?;
    let mut others: Vec<Charset> = Charset::of_set(top).collect();
    others.sort_by_key(order);
    others.truncate(TRIED);
    if !context.has(charset) && others.iter().any(|other| context.has(*other)) {
        return None;
    }
    others.retain(|other| alike >> other.index() & 1 == 1);
    evidence.found.iter_mut().for_each(|found| found.bits = score);
    Some((evidence.found, others))
}

/// The charsets in which the most pairs of characters begin a sequence.
fn most_pairs(line: &[char]) -> Option<u64> {
    // Counters of all charsets side by side: each plane has one binary digit of each.
    let mut planes = [0_u64; PLANES];
    let (mut lead, mut weak) = (0, 0);
    for &character in line {
        if character < '\u{80}' {
            weak += usize::from(lead != 0 && matches!(character, ' ' | '?'));
            lead = 0;
            continue;
        }
        let Marks { lead: next, more, .. } = *marks(character);
        let mut carry = lead & more;
        for plane in &mut planes {
            if carry == 0 {
                break;
            }
            (*plane, carry) = (*plane ^ carry, *plane & carry);
        }
        if carry != 0 {
            return None;
        }
        lead = next;
    }
    if weak >= WEAK_PAIRS {
        return None;
    }
    let mut top = u64::MAX;
    let mut most = 0;
    for (digit, plane) in planes.iter().enumerate().rev() {
        if top & plane != 0 {
            top &= plane;
            most |= 1 << digit;
        }
    }
    (most > 0).then_some(top)
}

/// How much better than any other charset one must be.
const CLEAR: i32 = 12;

/// A charset with the same pairs that would restore another text.
struct Rival {
    charset: Charset,
    /// The most that it can save.
    sum: i32,
}

/// The evidence for one charset.
struct Evidence<'c> {
    charset: Charset,
    rivals: Vec<Rival>,
    context: &'c Context,
    bytes: Vec<u8>,
    found: Vec<Found>,
    known: Vec<Vec<char>>,
    /// The letters restored of each script, up to as many as could be too few.
    scripts: Vec<(Script, Vec<char>)>,
    has_latin: bool,
    has_proof: bool,
    is_of_signs: bool,
    places: usize,
    sum: i32,
    strongest: i32,
}

impl<'c> Evidence<'c> {
    fn new(charset: Charset, rivals: impl Iterator<Item = Charset>, context: &'c Context) -> Self {
        Self {
            charset,
            rivals: rivals.map(|charset| Rival { charset, sum: 0 }).collect(),
            context,
            bytes: Vec::new(),
            found: Vec::new(),
            known: Vec::new(),
            scripts: Vec::new(),
            has_latin: false,
            has_proof: false,
            is_of_signs: false,
            places: 0,
            sum: 0,
            strongest: 0,
        }
    }

    /// Adds a run of characters that are not US-ASCII. `None` if they are not a text in the charset, or a text that
    /// must be searched.
    fn add(&mut self, line: &[char], begin: usize, end: usize) -> Option<()> {
        let at = |index: Option<usize>| index.and_then(|index| line.get(index));
        let weighed = |index| at(index).map_or(NOTHING, |character| Weighed::new(*character));
        let before = [weighed(begin.checked_sub(1)), weighed(begin.checked_sub(2))];
        let next = weighed(Some(end));
        let (mut last, mut cost) = (before, 0);
        let (mut is_of_letters, mut has_script) = (true, false);
        self.bytes.clear();
        for &character in &line[begin..end] {
            self.bytes.push(self.charset.high_byte(character)?);
            let weighed = Weighed::new(character);
            cost += weighed.cost(last);
            last = [weighed, last[0]];
            is_of_letters &= weighed.script().is_some();
            has_script |= weighed.script().is_some();
            self.has_proof |= is_only_a_byte(character);
        }
        cost += next.cost(last);
        let damaged = cost;
        let bytes = std::mem::take(&mut self.bytes);
        let restored = std::str::from_utf8(&bytes).ok()?;
        let mut text = Vec::with_capacity(restored.len() / 2);
        let (mut last, mut place) = (before, begin);
        for character in restored.chars() {
            let weighed = Weighed::new(character);
            // Text that is rare, or may be misread once more, is searched.
            let is_next = place > begin;
            let previous = last[0].character();
            let is_again = is_next
                && marks(previous).lead & marks(character).more != 0
                && !is_usual(previous, character);
            if is_again || !weighed.is_credible() || weighed.is_rare() || character == '\u{FEFF}' {
                return None;
            }
            cost -= weighed.cost(last);
            last = [weighed, last[0]];
            if let Some(script) = weighed.script() {
                has_script = true;
                self.add_script(family(script), character);
            }
            text.push((place, character));
            place += character.len_utf8();
        }
        self.bytes = bytes;
        cost -= next.cost(last);
        let script = last[0].script().map(family);
        let is_foreign = text.len() == 1 && script.is_some_and(|script| script != Script::Latin);
        let doubt = DOUBT_OF_GROUP + if is_of_letters && is_foreign { DOUBT_OF_LETTERS } else { 0 };
        let bits = cost - doubt;
        if bits <= WEAK {
            return None;
        }
        self.is_of_signs |= !has_script;
        let near = line[begin.saturating_sub(CONTEXT)..begin].iter();
        let near = near.chain(line[end..].iter().take(CONTEXT));
        self.has_latin = self.has_latin || near.into_iter().any(char::is_ascii_alphabetic);
        self.places += text.len();
        // The same text again proves nothing more.
        let is_known = self
            .known
            .iter()
            .any(|known| known.iter().copied().eq(text.iter().map(|(_, character)| *character)));
        let is_new = self.known.len() < KNOWN && !is_known;
        for rival in &mut self.rivals {
            let restored = rival.cost(&line[begin..end], before, next);
            let most = restored.map_or(0, |restored| damaged - restored - DOUBT_OF_GROUP);
            if most >= bits + RIVAL {
                return None;
            }
            rival.sum += if is_new { most.max(0) } else { 0 };
        }
        if is_new {
            self.known.push(text.iter().map(|(_, character)| *character).collect());
            self.sum += bits.max(0);
        }
        self.strongest = self.strongest.max(bits);
        let chain = Chain(vec![Step::Misread { charset: self.charset, loss: None }]);
        self.found.push(Found { begin, end, text, chain, bits });
        Some(())
    }

    fn add_script(&mut self, script: Script, letter: char) {
        let known = self.scripts.iter().position(|(known, _)| *known == script);
        let index = known.unwrap_or_else(|| {
            self.scripts.push((script, Vec::new()));
            self.scripts.len() - 1
        });
        let letters = &mut self.scripts[index].1;
        if letters.len() <= DOUBT_OF_SCRIPT.len() && !letters.contains(&letter) {
            letters.push(letter);
        }
    }

    /// The doubt about letters of scripts that are nowhere else.
    fn novelty(&self) -> i32 {
        let is_common = self.charset.prior() <= COMMON;
        let doubt = |(script, letters): &(Script, Vec<char>)| match script {
            Script::Latin if self.has_latin => 0,
            script if self.context.has_script(*script) => 0,
            Script::Greek if is_common => DOUBT_OF_GREEK,
            _ => DOUBT_OF_SCRIPT.get(letters.len() - 1).copied().unwrap_or(0),
        };
        self.scripts.iter().map(doubt).sum()
    }

    /// The score that the search would give, if it is a proof.
    fn score(&self) -> Option<i32> {
        let prior = self.charset.prior();
        let is_near = self.context.has(self.charset);
        let around = match () {
            () if is_near => -NEAR - prior,
            () if self.context.is_misread() => DOUBT_OF_CHANGE,
            () if self.context.right() >= RIGHT => DOUBT_AFTER_RIGHT,
            () => 0,
        };
        let novel = if self.has_proof { 0 } else { self.novelty() };
        let single = match self.places {
            _ if self.has_proof || is_near => 0,
            1 if self.is_of_signs && prior > COMMON => prior + DOUBT_OF_SIGNS,
            1 => (prior - 3).max(0),
            _ => 0,
        };
        let doubt = DOUBT + novel + around + single + prior;
        let strong = if is_near { STRONG_NEAR } else { STRONG };
        let is_worth = self.strongest >= strong && self.sum > doubt + DOUBT_OF_DEPTH;
        let score = self.sum - doubt;
        // The search may find that a rival has less.
        let best = |rival: &Rival| rival.sum - DOUBT - rival.charset.prior();
        let most = self.rivals.iter().map(best).max().unwrap_or(0).max(0);
        let is_near_rival = self.rivals.iter().any(|rival| self.context.has(rival.charset));
        let is_clear = self.rivals.is_empty() || score - most >= CLEAR && !is_near_rival;
        let bits = if self.rivals.is_empty() { score } else { score - most };
        (is_worth && score > PROVEN && is_clear).then_some(bits)
    }
}

impl Rival {
    /// The cost of a run as this charset would restore it. `None` if the result is not credible.
    fn cost(&self, run: &[char], before: [Weighed; 2], next: Weighed) -> Option<i32> {
        let bytes: Vec<u8> = run
            .iter()
            .map(|character| self.charset.high_byte(*character))
            .collect::<Option<_>>()?;
        let (mut last, mut cost, mut place) = (before, 0, 0);
        let mut add = |character| {
            let weighed = Weighed::new(character);
            cost += weighed.cost(last);
            last = [weighed, last[0]];
            weighed.is_credible()
        };
        for chunk in bytes.utf8_chunks() {
            let mut is_credible = chunk.valid().chars().all(&mut add);
            place += chunk.valid().len();
            // The other characters stay.
            let end = place + chunk.invalid().len();
            is_credible &= run[place..end].iter().copied().all(&mut add);
            place = end;
            if !is_credible {
                return None;
            }
        }
        Some(cost + next.cost(last))
    }
}
