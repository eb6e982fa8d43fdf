//! The common case: one wrong decoding explains every character of a line that is not US-ASCII. One pass
//! proves that, and gives what the search would.

use super::{
    COMMON, DOUBT, DOUBT_AFTER_RIGHT, DOUBT_OF_CHANGE, DOUBT_OF_DEPTH, DOUBT_OF_GREEK,
    DOUBT_OF_GROUP, DOUBT_OF_LETTERS, DOUBT_OF_SCRIPT, DOUBT_OF_SIGNS, Found, NEAR, PROVEN, RIGHT,
    RIVAL, STRONG, STRONG_NEAR, TRIED, WEAK, is_only_a_byte, is_usual,
};
use crate::Charset;
use crate::chain::Step;
use crate::charset::{COMMONEST, Marks, marks};
use crate::context::{Context, family};
use crate::cost::{NOTHING, Weighed};
use unicode_script::Script;

/// How far a letter of US-ASCII counts as a neighbour, as in the search.
const CONTEXT: usize = super::CONTEXT;
/// With this many weak pairs, rivals must be searched.
const WEAK_PAIRS: usize = 8;
/// Digits of the counters: lines with more pairs are searched.
const PLANES: usize = 15;
/// The digit to which a pair adds one. A lead character before a space counts as an eighth of a pair.
const PAIR: usize = 3;
/// Multiplies the hash of a text before each character.
const HASH: u32 = 0x9E37_79B1;
/// How many different texts are compared. Further ones add no evidence.
const KNOWN: usize = 32;

/// The findings of the search, if one pass is enough to be certain of them.
pub(super) fn search(line: &[char], context: &Context) -> Option<(Vec<Found>, Vec<Charset>)> {
    let Outline { top, alike, runs } = outline(line)?;
    // Others are rare, and read more text that is right as a sequence.
    let charset = Charset::of_set(top).next().filter(|charset| charset.is_commonest())?;
    // Others with the same pairs that restore the same, and those that do not.
    let alike = top & alike[charset.index()];
    let rivals = Charset::of_set(top & !alike);
    if top != alike && weak_pairs(line) >= WEAK_PAIRS {
        return None;
    }
    let mut evidence = Evidence::new(charset, rivals, runs.len(), context);
    for (begin, end) in runs {
        evidence.add(line, begin, end)?;
    }
    let score = evidence.score()?;
    let mut others: Vec<Charset> = Charset::of_set(top).collect();
    others.sort_by_key(|charset| (charset.prior(), charset.index()));
    others.truncate(TRIED);
    if !context.has(charset) && others.iter().any(|other| context.has(*other)) {
        return None;
    }
    others.retain(|other| alike >> other.index() & 1 == 1);
    evidence.found.iter_mut().for_each(|found| found.bits = score);
    Some((evidence.found, others))
}

/// The first run of characters that are not US-ASCII.
fn run(line: &[char], from: usize) -> Option<(usize, usize)> {
    let is_other = |character: &char| *character >= '\u{80}';
    let begin = from + line[from..].iter().position(is_other)?;
    let length = line[begin..].iter().position(|character| !is_other(character));
    Some((begin, length.map_or(line.len(), |length| begin + length)))
}

/// Common properties of the characters of a line that are not US-ASCII.
struct Outline {
    /// The charsets with the largest number of pairs that begin a sequence.
    top: u64,
    /// For each of the commonest charsets, the charsets that map all of them to the same bytes.
    alike: [u64; COMMONEST],
    /// Where they are in a row.
    runs: Vec<(usize, usize)>,
}

fn outline(line: &[char]) -> Option<Outline> {
    let mut outline = Outline { top: u64::MAX, alike: [u64::MAX; COMMONEST], runs: Vec::new() };
    let mut from = 0;
    let mut is_clear = true;
    while let Some((begin, end)) = run(line, from) {
        from = end;
        outline.runs.push((begin, end));
        let run = &line[begin..end];
        let mut pairs = run.chunks_exact(2);
        for pair in &mut pairs {
            let (first, second) = (marks(pair[0]), marks(pair[1]));
            outline.top &= first.lead & second.more;
            for (all, (first, second)) in
                outline.alike.iter_mut().zip(first.alike.iter().zip(second.alike))
            {
                *all &= first & second;
            }
        }
        if let [last] = pairs.remainder() {
            outline.alike = std::array::from_fn(|at| outline.alike[at] & marks(*last).alike[at]);
            is_clear = false;
        }
    }
    // If pairs fill every run, no charset has more of them, or a lead character at the end.
    if !is_clear || !Charset::of_set(outline.top).any(Charset::is_commonest) {
        outline.top = most_pairs(line)?;
    }
    Some(outline)
}

/// How many characters that may begin a sequence are before a space, which the search counts too.
fn weak_pairs(line: &[char]) -> usize {
    let is_weak = |pair: &&[char]| matches!(pair[1], ' ' | '?') && marks(pair[0]).lead != 0;
    line.windows(2).filter(is_weak).count()
}

/// The charsets in which the most pairs of characters begin a sequence, as the search counts them.
fn most_pairs(line: &[char]) -> Option<u64> {
    // Counters of all charsets side by side: each plane has one binary digit of each.
    let mut planes = [0_u64; PLANES];
    let mut lead = 0;
    let mut add = |mut carry, digit: usize| {
        for plane in &mut planes[digit..] {
            if carry == 0 {
                return true;
            }
            (*plane, carry) = (*plane ^ carry, *plane & carry);
        }
        carry == 0
    };
    for &character in line {
        if character < '\u{80}' {
            if lead != 0 {
                if matches!(character, ' ' | '?') && !add(lead, 0) {
                    return None;
                }
                lead = 0;
            }
            continue;
        }
        let Marks { lead: next, more, .. } = *marks(character);
        if !add(lead & more, PAIR) {
            return None;
        }
        lead = next;
    }
    let mut top = u64::MAX;
    for plane in planes.iter().rev() {
        if top & plane != 0 {
            top &= plane;
        }
    }
    planes[PAIR..].iter().any(|plane| *plane != 0).then_some(top)
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
    found: Vec<Found>,
    /// Different texts: a hash, and the index in `found`.
    known: Vec<(u32, usize)>,
    /// The letters restored of each script, up to as many as could be too few.
    scripts: Vec<(Script, Vec<char>)>,
    /// The index of the script of the last letter.
    script: usize,
    has_latin: bool,
    has_proof: bool,
    is_of_signs: bool,
    places: usize,
    sum: i32,
    strongest: i32,
}

impl<'c> Evidence<'c> {
    fn new(
        charset: Charset,
        rivals: impl Iterator<Item = Charset>,
        runs: usize,
        context: &'c Context,
    ) -> Self {
        Self {
            charset,
            rivals: rivals.map(|charset| Rival { charset, sum: 0 }).collect(),
            context,
            found: Vec::with_capacity(runs),
            known: Vec::with_capacity(runs.min(KNOWN)),
            scripts: Vec::new(),
            script: 0,
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
        let run = &line[begin..end];
        let weighed = |index: Option<usize>| {
            let character = index.and_then(|index| line.get(index));
            character.map_or(NOTHING, |character| Weighed::new(*character))
        };
        let before = [weighed(begin.checked_sub(1)), weighed(begin.checked_sub(2))];
        let next = weighed(Some(end));
        let mut damaged = Text { cost: 0, before };
        let mut restored = Text { cost: 0, before };
        let mut text = Vec::with_capacity(run.len() / 2);
        let mut has_script = false;
        let (mut at, mut lead, mut hash) = (0, 0, 0_u32);
        while at < run.len() {
            let (character, length) = first_character(&run[at..], self.charset)?;
            for &character in &run[at..at + length] {
                damaged.add(character);
                self.has_proof |= is_only_a_byte(character);
            }
            // Text that is rare, or may be misread once more, is searched.
            let marks = marks(character);
            let last = restored.before[0].character();
            if lead & marks.more != 0 && !is_usual(last, character) {
                return None;
            }
            lead = marks.lead;
            let weighed = restored.add(character);
            if weighed.is_rare() || !weighed.is_credible() || character == '\u{FEFF}' {
                return None;
            }
            if let Some(script) = weighed.script() {
                has_script = true;
                self.add_script(family(script), character);
            }
            text.push((begin + at, character));
            hash = hash.wrapping_mul(HASH) ^ character as u32;
            at += length;
        }
        let script = restored.before[0].script().map(family);
        let (damaged, restored) = (damaged.end(next), restored.end(next));
        let is_letter = |character: &char| Weighed::new(*character).script().is_some();
        let is_foreign = text.len() == 1 && script.is_some_and(|script| script != Script::Latin);
        let is_of_letters = is_foreign && run.iter().all(is_letter);
        let doubt = DOUBT_OF_GROUP + if is_of_letters { DOUBT_OF_LETTERS } else { 0 };
        let bits = damaged - restored - doubt;
        if bits <= WEAK {
            return None;
        }
        self.is_of_signs |= !has_script && !run.iter().any(is_letter);
        if !self.has_latin {
            let near = line[begin.saturating_sub(CONTEXT)..begin].iter();
            let mut near = near.chain(line[end..].iter().take(CONTEXT));
            self.has_latin = near.any(char::is_ascii_alphabetic);
        }
        self.places += text.len();
        // The same text again proves nothing more.
        let is_same = |index: usize| {
            let known = self.found[index].text.iter().map(|(_, character)| character);
            known.eq(text.iter().map(|(_, character)| character))
        };
        let is_known = |known: &(u32, usize)| known.0 == hash && is_same(known.1);
        let is_new = self.known.len() < KNOWN && !self.known.iter().any(is_known);
        for rival in &mut self.rivals {
            let restored = rival.cost(run, before, next);
            let most = restored.map_or(0, |restored| damaged - restored - DOUBT_OF_GROUP);
            if most >= bits + RIVAL {
                return None;
            }
            rival.sum += if is_new { most.max(0) } else { 0 };
        }
        if is_new {
            self.known.push((hash, self.found.len()));
            self.sum += bits.max(0);
        }
        self.strongest = self.strongest.max(bits);
        let chain = Step::Misread { charset: self.charset, loss: None }.into();
        self.found.push(Found { begin, end, text, chain, bits });
        Some(())
    }

    fn add_script(&mut self, script: Script, letter: char) {
        let index = match self.scripts.get(self.script) {
            Some(last) if last.0 == script => self.script,
            _ => self.scripts.iter().position(|known| known.0 == script).unwrap_or_else(|| {
                self.scripts.push((script, Vec::with_capacity(DOUBT_OF_SCRIPT.len() + 1)));
                self.scripts.len() - 1
            }),
        };
        self.script = index;
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
    /// The cost of a run as this charset would restore it. `None` if the result is not credible, or some
    /// characters are not in the charset.
    fn cost(&self, run: &[char], before: [Weighed; 2], next: Weighed) -> Option<i32> {
        let (mut restored, mut at, mut has_all) = (Text { cost: 0, before }, 0, true);
        while at < run.len() {
            let (character, length) = match first_character(&run[at..], self.charset) {
                Some(found) => found,
                // The other characters stay.
                None => {
                    has_all &= self.charset.high_byte(run[at]).is_some();
                    (run[at], 1)
                }
            };
            at += length;
            if !restored.add(character).is_credible() {
                return None;
            }
        }
        has_all.then(|| restored.end(next))
    }
}

/// A text and its cost so far.
struct Text {
    cost: i32,
    /// The last two characters.
    before: [Weighed; 2],
}

impl Text {
    #[inline]
    fn add(&mut self, character: char) -> Weighed {
        let weighed = Weighed::new(character);
        self.cost += weighed.cost(self.before);
        self.before = [weighed, self.before[0]];
        weighed
    }

    /// The cost before a character.
    fn end(self, next: Weighed) -> i32 {
        self.cost + next.cost(self.before)
    }
}

/// The character whose UTF-8 sequence begins a run as read in a charset, and the length of the sequence.
#[inline(always)]
fn first_character(run: &[char], charset: Charset) -> Option<(char, usize)> {
    let lead = charset.high_byte(*run.first()?)?;
    let rest = |character: &char| charset.high_byte(*character).filter(|byte| *byte < 0xC0);
    match lead {
        0xC2..=0xDF => {
            let code = u32::from(lead & 0x1F) << 6 | u32::from(rest(run.get(1)?)? & 0x3F);
            Some((char::from_u32(code)?, 2))
        }
        _ => first_of_more(run, lead, rest),
    }
}

/// The same for longer sequences.
fn first_of_more(
    run: &[char],
    lead: u8,
    rest: impl Fn(&char) -> Option<u8>,
) -> Option<(char, usize)> {
    let (length, least) = match lead {
        0xE0..=0xEF => (3, '\u{800}'),
        0xF0..=0xF4 => (4, '\u{10000}'),
        _ => return None,
    };
    let mut code = u32::from(lead) & (0x7F >> length);
    for character in run.get(1..length)? {
        code = code << 6 | u32::from(rest(character)? & 0x3F);
    }
    let character = char::from_u32(code).filter(|character| *character >= least)?;
    Some((character, length))
}
