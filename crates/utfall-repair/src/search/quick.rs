//! The common case: one wrong decoding explains every character of a line that is not US-ASCII. One pass over
//! its bytes proves that, and gives the same result as the search. If the restored text may itself be
//! misread, a second pass examines it.

use super::{
    COMMON, CONTEXT, DOUBT, DOUBT_AFTER_RIGHT, DOUBT_OF_CHANGE, DOUBT_OF_DEPTH, DOUBT_OF_GREEK,
    DOUBT_OF_GROUP, DOUBT_OF_LETTERS, DOUBT_OF_LONE, DOUBT_OF_SCRIPT, DOUBT_OF_SIGNS, Found, NEAR,
    PROVEN, RIGHT, RIVAL, STRONG, STRONG_NEAR, TRIED, WEAK, is_only_a_byte, is_usual,
};
use crate::Charset;
use crate::chain::{Chain, Step};
use crate::charset::{COMMONEST, Mark, marks};
use crate::context::{Context, family};
use crate::cost::{NOTHING, Weighed};
use unicode_script::Script;

/// With this many weak pairs, rivals must be searched.
const WEAK_PAIRS: usize = 8;
/// Digits of the counters: lines with more pairs are searched.
const PLANES: usize = 15;
/// The digit to which a pair adds one. A lead character before a space counts as an eighth of a pair.
const PAIR: usize = 3;
/// The digits that change often.
const OFTEN: usize = 3;
/// Multiplies the hash of a text before each character.
const HASH: u32 = 0x9E37_79B1;
/// How many different texts are compared. Further ones add no evidence.
const KNOWN: usize = 32;
/// How much better than any other charset one must be.
const CLEAR: i32 = 12;

/// A line whose characters beyond US-ASCII are all explained by one charset. The next line uses the same space.
#[derive(Clone, Debug, Default)]
pub(crate) struct Explained {
    characters: Vec<(char, Mark)>,
    pub(crate) runs: Vec<Run>,
    /// The restored texts of all runs.
    bytes: Vec<u8>,
    charset: Option<Charset>,
    /// The charset of an earlier misreading of the restored text, if there was one.
    before: Option<Charset>,
    /// Whether the restored text may be misread, so that it must be examined.
    may_be_misread: bool,
    /// The restored text as a line, and for each of its characters, the index of its source in this line.
    text: Vec<u8>,
    places: Vec<usize>,
    /// The space for an explanation of that text.
    inner: Option<Box<Explained>>,
    /// How many bits likelier the restored text is than the line as it is.
    pub(crate) bits: i32,
    /// The charsets that restore the same, the likeliest of them first.
    pub(crate) charsets: Vec<Charset>,
    letters: Vec<Letters>,
    /// The scripts of the restored text, in the order in which they were last seen.
    pub(crate) scripts: Vec<Script>,
    /// Whether it has signs that are odd next to some letters.
    pub(crate) has_odd: bool,
}

/// Characters in a row that are not US-ASCII.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Run {
    /// Byte range in the line.
    pub(crate) begin: usize,
    pub(crate) end: usize,
    /// How many characters there are.
    pub(crate) count: usize,
    /// Range of its bytes in the restored text. After a single misreading, each byte is one character of
    /// the line.
    first: usize,
    last: usize,
}

impl Explained {
    /// The steps that damaged the line.
    pub(crate) fn chain(&self) -> Option<Chain> {
        let step = |charset| Step::Misread { charset, loss: None };
        let last = step(self.charset?);
        Some(match self.before {
            Some(charset) => Chain::new(vec![step(charset), last]),
            None => last.into(),
        })
    }

    /// The charsets of the first misreading, if there were two, and of the last one.
    pub(crate) fn misreadings(&self) -> Option<(Option<Charset>, Charset)> {
        self.charset.map(|last| (self.before, last))
    }

    /// The restored text of a run.
    pub(crate) fn restored(&self, run: &Run) -> &[u8] {
        &self.bytes[run.first..run.last]
    }

    /// The same as the search gives.
    pub(crate) fn found(&self) -> Vec<Found> {
        let Some(chain) = self.chain() else { return Vec::new() };
        let (mut at, mut index) = (0, 0);
        let found = self.runs.iter().map(|run| {
            // The text before the run is in US-ASCII.
            let begin = index + run.begin - at;
            let restored = String::from_utf8_lossy(self.restored(run));
            let place = |at: usize| match self.before {
                Some(_) => self.places[run.first + at] - self.places[run.first],
                None => at,
            };
            let cells = restored.char_indices().map(|(at, letter)| (begin + place(at), letter));
            (at, index) = (run.end, begin + run.count);
            let (chain, bits) = (chain.clone(), self.bits);
            Found { begin, end: index, text: cells.collect(), chain, bits }
        });
        found.collect()
    }

    /// Explains a line. `false` if it is not UTF-8, or the passes are not enough to be certain.
    pub(crate) fn explain(&mut self, line: &[u8], context: &Context) -> bool {
        self.explain_once(line, context, false)
            || self.may_be_misread && self.explain_twice(line, context).is_some()
    }

    /// Explains a line that was misread twice, by a second pass over the text that the first restored.
    fn explain_twice(&mut self, line: &[u8], context: &Context) -> Option<()> {
        self.text.clear();
        self.places.clear();
        let mut at = 0;
        for run in &self.runs {
            let restored = &self.bytes[run.first..run.last];
            let places = std::str::from_utf8(restored).ok()?.char_indices();
            self.places.extend(places.map(|(at, _)| run.first + at));
            self.text.extend_from_slice(&line[at..run.begin]);
            self.text.extend_from_slice(restored);
            at = run.end;
        }
        self.text.extend_from_slice(&line[at..]);
        let mut inner = self.inner.take().unwrap_or_default();
        let is_explained = inner.explain_once(&self.text, context, true);
        if is_explained && inner.runs.len() == self.runs.len() {
            for (run, inner) in self.runs.iter_mut().zip(&inner.runs) {
                (run.first, run.last) = (inner.first, inner.last);
            }
            self.before = inner.charset;
            self.bits = inner.bits;
            self.has_odd = inner.has_odd;
            std::mem::swap(&mut self.bytes, &mut inner.bytes);
            std::mem::swap(&mut self.scripts, &mut inner.scripts);
        }
        self.inner = Some(inner);
        self.before.map(|_| ())
    }

    /// Explains a line by one charset. With `is_inner`, the line is a restored text, and nearby lines do
    /// not count.
    fn explain_once(&mut self, line: &[u8], context: &Context, is_inner: bool) -> bool {
        (self.before, self.may_be_misread) = (None, false);
        let Some(Outline { top, alike, weak }) = self.outline(line) else { return false };
        let Some(charset) = Charset::of_set(top).min_by_key(likelihood) else { return false };
        // Others with the same pairs that restore the same, and those that do not.
        let alike = match alike.get(charset.index()) {
            Some(alike) => top & alike,
            None => self.alike(charset, top),
        };
        let rivals = Charset::of_set(top & !alike);
        if top != alike && weak >= WEAK_PAIRS {
            return false;
        }
        let characters = self.characters.iter();
        self.bytes.clear();
        self.bytes.extend(characters.map(|(_, mark)| charset.byte(*mark)));
        let mut evidence = Evidence::new(rivals, context, is_inner);
        self.letters.clear();
        self.scripts.clear();
        self.has_odd = false;
        for index in 0..self.runs.len() {
            if evidence.add(self, index, line).is_none() {
                // After two misreadings, the restored text has controls, and pairs of characters that
                // look like misread UTF-8.
                if !is_inner && !Charset::of_set(top & !alike).any(|rival| self.is_text(rival)) {
                    self.take_most(top);
                    self.charsets.retain(|other| alike >> other.index() & 1 == 1);
                    let likeliest = if context.has(charset) {
                        charset
                    } else {
                        let mut all = self.charsets.iter().copied();
                        all.find(|other| context.has(*other)).unwrap_or(charset)
                    };
                    self.charset = Some(likeliest);
                    // Other charsets nearby are evidence for other chains.
                    self.may_be_misread = context.has(likeliest) || !context.is_misread();
                }
                return false;
            }
        }
        let Some(bits) = evidence.score(&self.letters, charset) else { return false };
        (self.charset, self.bits) = (Some(charset), bits);
        self.take_most(top);
        if !is_inner && !context.has(charset) {
            // Text nearby makes others likelier.
            for near in self.charsets.iter().filter(|near| context.has(**near)) {
                match evidence.score(&self.letters, *near).filter(|_| top == alike) {
                    Some(bits) if bits > self.bits => {
                        (self.charset, self.bits) = (Some(*near), bits);
                    }
                    Some(_) => {}
                    None => return false,
                }
            }
        }
        self.charsets.retain(|other| alike >> other.index() & 1 == 1);
        true
    }

    /// Whether every run, encoded in this charset, is valid UTF-8 without U+0000.
    fn is_text(&self, charset: Charset) -> bool {
        let mut bytes = Vec::new();
        self.runs.iter().all(|run| {
            let characters = &self.characters[run.first..run.last];
            bytes.clear();
            bytes.extend(characters.iter().map(|(_, mark)| charset.byte(*mark)));
            !bytes.contains(&0) && std::str::from_utf8(&bytes).is_ok()
        })
    }

    /// Remembers the likeliest charsets of a set.
    fn take_most(&mut self, set: u64) {
        self.charsets.clear();
        self.charsets.extend(Charset::of_set(set));
        if self.charsets.len() > TRIED {
            self.charsets.sort_by_key(likelihood);
            self.charsets.truncate(TRIED);
        }
    }

    /// Finds the runs, and the charsets that may explain them. `None` if a character is in no charset.
    fn outline(&mut self, line: &[u8]) -> Option<Outline> {
        self.characters.clear();
        self.runs.clear();
        let (mut top, mut alike) = (u64::MAX, [u64::MAX; COMMONEST]);
        let (mut weak, mut end) = (0, 0);
        while let Some(begin) = next_high(line, end) {
            let first = self.characters.len();
            let (mut lead, mut of_pairs, mut is_second) = (0, top, false);
            end = begin;
            while let Some((character, length)) = first_character(&line[end..]) {
                end += length;
                let mark = Mark::of(character);
                if mark == Mark::NONE {
                    return None;
                }
                let sets = mark.sets();
                of_pairs &= if is_second { lead & sets.more } else { u64::MAX };
                is_second = !is_second;
                lead = sets.lead;
                alike = std::array::from_fn(|at| alike[at] & sets.alike[at]);
                self.characters.push((character, mark));
            }
            match line.get(end) {
                // Not UTF-8.
                Some(0x80..) => return None,
                Some(b' ' | b'?') if lead != 0 => weak += 1,
                _ => {}
            }
            // A character that is in no pair.
            top = if is_second { 0 } else { of_pairs };
            let last = self.characters.len();
            self.runs.push(Run { begin, end, count: last - first, first, last });
        }
        // If pairs fill every run, no charset has more of them.
        if top == 0 || weak >= WEAK_PAIRS {
            top = self.most_pairs(line)?;
        }
        (!self.runs.is_empty()).then_some(Outline { top, alike, weak })
    }

    /// The charsets in which the most pairs of characters begin a sequence, as the search counts them.
    fn most_pairs(&self, line: &[u8]) -> Option<u64> {
        let mut counters = Counters::default();
        for run in &self.runs {
            let mut lead = 0;
            for (_, mark) in &self.characters[run.first..run.last] {
                let sets = mark.sets();
                counters.add_pair(lead & sets.more)?;
                lead = sets.lead;
            }
            if matches!(line.get(run.end), Some(b' ' | b'?')) {
                counters.add(lead, 0)?;
            }
        }
        counters.top()
    }

    /// The charsets of a set that map all characters to the same bytes as one of them.
    fn alike(&self, charset: Charset, set: u64) -> u64 {
        let is_alike = |other: &Charset| {
            self.characters.iter().all(|(_, mark)| charset.byte(*mark) == other.byte(*mark))
        };
        Charset::of_set(set).filter(is_alike).fold(0, |all, other| all | 1 << other.index())
    }
}

/// A key that sorts likelier charsets first.
fn likelihood(charset: &Charset) -> (i32, usize) {
    (charset.prior(), charset.index())
}

/// Where the next byte from 80 up is.
pub(super) fn next_high(bytes: &[u8], mut from: usize) -> Option<usize> {
    const HIGH: u64 = u64::from_ne_bytes([0x80; 8]);
    while let Some(block) = bytes.get(from..).and_then(<[u8]>::first_chunk::<8>) {
        let high = u64::from_le_bytes(*block) & HIGH;
        if high != 0 {
            return Some(from + high.trailing_zeros() as usize / 8);
        }
        from += 8;
    }
    let rest = bytes.get(from..)?;
    rest.iter().position(|byte| *byte >= 0x80).map(|index| from + index)
}

/// Common properties of the characters of a line that are not US-ASCII.
struct Outline {
    /// The charsets with the largest number of pairs that begin a sequence.
    top: u64,
    /// For each of the commonest charsets, the charsets that map all of them to the same bytes.
    alike: [u64; COMMONEST],
    /// How many characters that may begin a sequence are before a space.
    weak: usize,
}

/// Counters of all charsets side by side: each plane has one binary digit of each.
#[derive(Default)]
struct Counters([u64; PLANES]);

impl Counters {
    /// Adds one at a digit to the counters of a set. `None` if one is full.
    fn add(&mut self, mut set: u64, digit: usize) -> Option<()> {
        for plane in &mut self.0[digit..] {
            if set == 0 {
                return Some(());
            }
            (*plane, set) = (*plane ^ set, *plane & set);
        }
        (set == 0).then_some(())
    }

    /// Adds a pair. Without branches for the digits that change often.
    #[inline]
    fn add_pair(&mut self, mut set: u64) -> Option<()> {
        for plane in &mut self.0[PAIR..PAIR + OFTEN] {
            (*plane, set) = (*plane ^ set, *plane & set);
        }
        if set == 0 {
            return Some(());
        }
        self.add(set, PAIR + OFTEN)
    }

    /// The charsets with the largest number, if there is any pair.
    fn top(&self) -> Option<u64> {
        let mut top = u64::MAX;
        for plane in self.0.iter().rev() {
            if top & plane != 0 {
                top &= plane;
            }
        }
        self.0[PAIR..].iter().any(|plane| *plane != 0).then_some(top)
    }
}

/// A charset with the same pairs that would restore another text.
struct Rival {
    charset: Charset,
    /// The most that it can save.
    sum: i32,
    /// Whether it explains a part of a run only, so that this is not known.
    is_partial: bool,
}

/// The evidence for a charset, and for others that restore the same.
struct Evidence<'c> {
    rivals: Vec<Rival>,
    context: &'c Context,
    /// The hashes of different texts, and the runs that have them.
    hashes: [u32; KNOWN],
    known: [u32; KNOWN],
    count: usize,
    has_latin: bool,
    has_proof: bool,
    /// Whether two letters in a row were restored.
    has_words: bool,
    is_of_signs: bool,
    /// Whether restored characters look like a part of misread text.
    is_open: bool,
    places: usize,
    sum: i32,
    strongest: i32,
    /// Whether the line is a restored text.
    is_inner: bool,
}

/// Different letters restored of a script, up to as many as could be too few.
#[derive(Clone, Debug)]
struct Letters {
    script: Script,
    all: [char; DOUBT_OF_SCRIPT.len() + 1],
    count: usize,
}

impl<'c> Evidence<'c> {
    fn new(rivals: impl Iterator<Item = Charset>, context: &'c Context, is_inner: bool) -> Self {
        Self {
            rivals: rivals.map(|charset| Rival { charset, sum: 0, is_partial: false }).collect(),
            context,
            hashes: [0; KNOWN],
            known: [0; KNOWN],
            count: 0,
            has_latin: false,
            has_proof: false,
            has_words: false,
            is_of_signs: false,
            is_open: false,
            places: 0,
            sum: 0,
            strongest: 0,
            is_inner,
        }
    }

    /// Adds a run. `None` if it is not a text in the charset, or a text that must be searched.
    fn add(&mut self, line: &mut Explained, index: usize, bytes: &[u8]) -> Option<()> {
        let run = line.runs[index];
        let weighed = |at: usize| match bytes.get(at) {
            Some(byte) if *byte < 0x80 => Weighed::new(char::from(*byte)),
            // A run is after one character at least.
            Some(_) => Weighed::new(line.characters[run.first - 1].0),
            None => NOTHING,
        };
        let before = [run.begin.wrapping_sub(1), run.begin.wrapping_sub(2)].map(weighed);
        let next = weighed(run.end);
        let characters = &line.characters[run.first..run.last];
        let mut damaged = Text { cost: 0, before };
        for (character, _) in characters {
            damaged.add(Weighed::new(*character));
            self.has_proof |= is_only_a_byte(*character);
        }
        let mut restored = Text { cost: 0, before };
        let (mut has_script, mut is_open) = (false, false);
        let (mut lead, mut hash, mut count) = (0, 0_u32, 0);
        let mut last_script = None;
        let mut rest = &line.bytes[run.first..run.last];
        while !rest.is_empty() {
            let (character, length) = first_character(rest)?;
            rest = &rest[length..];
            let marks = marks(character);
            let is_pair = lead & marks.more != 0;
            is_open |= is_pair && !is_usual(restored.before[0].character(), character);
            lead = marks.lead;
            let weighed = Weighed::new(character);
            // Text that is rare is searched. All that is not credible is rare, except for lone marks.
            if weighed.is_rare()
                || character == '\u{FEFF}'
                || weighed.is_lone_mark(restored.before[0])
            {
                return None;
            }
            restored.add(weighed);
            line.has_odd |= matches!(character, '\u{A1}'..='\u{BF}' | '\u{300}'..='\u{36F}');
            let script = weighed.script().map(family);
            if let Some(script) = script {
                add_letter(&mut line.letters, script, character);
                has_script = true;
                self.has_words |= last_script.is_some();
                if line.scripts.last() != Some(&script) {
                    line.scripts.retain(|known| *known != script);
                    line.scripts.push(script);
                }
            }
            last_script = script;
            hash = hash.wrapping_mul(HASH) ^ character as u32;
            count += 1;
        }
        // So is text that may be misread once more.
        self.is_open |= is_open;
        if is_open && may_be_misread(&line.bytes[run.first..run.last], before, next) {
            return None;
        }
        let (damaged, restored) = (damaged.end(next), restored.end(next));
        let is_letter = |(character, _): &(char, Mark)| Weighed::new(*character).script().is_some();
        let is_foreign = count == 1 && last_script.is_some_and(|script| script != Script::Latin);
        let is_of_letters = is_foreign && characters.iter().all(is_letter);
        let doubt = DOUBT_OF_GROUP + if is_of_letters { DOUBT_OF_LETTERS } else { 0 };
        let bits = damaged - restored - doubt;
        if bits <= WEAK {
            return None;
        }
        self.is_of_signs |= !has_script && !characters.iter().any(is_letter);
        if !self.has_latin {
            // A letter beyond other characters is near those.
            let is_latin = |byte: &u8| byte.is_ascii_alphabetic();
            let mut near = bytes[..run.begin].iter().rev().take(CONTEXT);
            self.has_latin =
                near.any(is_latin) || bytes[run.end..].iter().take(CONTEXT).any(is_latin);
        }
        self.places += count;
        let is_new = self.is_new(line, index, hash);
        for rival in &mut self.rivals {
            let restored = rival.cost(characters, before, next);
            let most = restored.map_or(0, |restored| damaged - restored - DOUBT_OF_GROUP);
            if most >= bits + RIVAL {
                return None;
            }
            rival.sum += if is_new { most.max(0) } else { 0 };
        }
        self.sum += if is_new { bits.max(0) } else { 0 };
        self.strongest = self.strongest.max(bits);
        Some(())
    }

    /// Whether a text is new, and remembers it. The same text again proves nothing more.
    fn is_new(&mut self, line: &Explained, index: usize, hash: u32) -> bool {
        if self.count == KNOWN {
            return false;
        }
        let text = line.restored(&line.runs[index]);
        let is_same = |known: u32| line.restored(&line.runs[known as usize]) == text;
        let mut known = self.hashes[..self.count].iter().zip(self.known);
        if known.any(|(other, known)| *other == hash && is_same(known)) {
            return false;
        }
        (self.hashes[self.count], self.known[self.count]) = (hash, index as u32);
        self.count += 1;
        true
    }

    /// The doubt about letters of scripts that are nowhere else.
    fn novelty(&self, letters: &[Letters], is_common: bool, is_near: bool) -> i32 {
        let has_words = is_common || is_near || self.has_words;
        let doubt = |letters: &Letters| match letters.script {
            Script::Latin if self.has_latin => 0,
            script if script != Script::Latin && !has_words => DOUBT_OF_LONE,
            script if self.context.has_script(script) => 0,
            Script::Greek if is_common => DOUBT_OF_GREEK,
            _ => DOUBT_OF_SCRIPT.get(letters.count - 1).copied().unwrap_or(0),
        };
        letters.iter().map(doubt).sum()
    }

    /// The score that the search would give a charset that restores the same, if it is a proof.
    fn score(&self, letters: &[Letters], charset: Charset) -> Option<i32> {
        let (prior, is_near) = (charset.prior(), !self.is_inner && self.context.has(charset));
        let around = match () {
            () if self.is_inner => 0,
            () if is_near => -NEAR - prior,
            () if self.context.is_misread() => DOUBT_OF_CHANGE,
            () if self.context.right() >= RIGHT => DOUBT_AFTER_RIGHT,
            () => 0,
        };
        let novel =
            if self.has_proof { 0 } else { self.novelty(letters, prior <= COMMON, is_near) };
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
        let is_near = |rival: &Rival| !self.is_inner && self.context.has(rival.charset);
        let is_near_rival = self.rivals.iter().any(is_near);
        let is_clear = match prior {
            _ if self.rivals.is_empty() => true,
            0 if !self.is_open => score - most >= CLEAR && !is_near_rival,
            _ => most == 0 && !is_near_rival && !self.rivals.iter().any(|rival| rival.is_partial),
        };
        let bits = if self.rivals.is_empty() { score } else { score - most };
        (is_worth && score > PROVEN && is_clear).then_some(bits)
    }
}

fn add_letter(scripts: &mut Vec<Letters>, script: Script, letter: char) {
    let index = scripts.iter().position(|known| known.script == script).unwrap_or_else(|| {
        scripts.push(Letters { script, all: Default::default(), count: 0 });
        scripts.len() - 1
    });
    let Letters { all, count, .. } = &mut scripts[index];
    if *count < all.len() && !all[..*count].contains(&letter) {
        all[*count] = letter;
        *count += 1;
    }
}

impl Rival {
    /// The cost of a run as this charset would restore it. `None` if the result is not credible, or some
    /// characters are not in the charset.
    fn cost(&mut self, run: &[(char, Mark)], before: [Weighed; 2], next: Weighed) -> Option<i32> {
        let mut restored = Text { cost: 0, before };
        let (mut has_all, mut is_credible, mut has_any) = (true, true, false);
        let mut at = 0;
        while at < run.len() {
            let mut bytes = [0; 4];
            let count = bytes.len().min(run.len() - at);
            let marks = run[at..at + count].iter().map(|(_, mark)| *mark);
            bytes.iter_mut().zip(marks).for_each(|(byte, mark)| *byte = self.charset.byte(mark));
            let (character, length) = match first_character(&bytes[..count]) {
                Some(found) => {
                    has_any = true;
                    found
                }
                // The other characters stay.
                None => {
                    has_all &= bytes[0] != 0;
                    (run[at].0, 1)
                }
            };
            at += length;
            let weighed = Weighed::new(character);
            is_credible &= weighed.is_credible() && !weighed.is_lone_mark(restored.before[0]);
            restored.add(weighed);
        }
        let is_whole = has_all && is_credible;
        self.is_partial |= has_any && !is_whole;
        is_whole.then(|| restored.end(next))
    }
}

/// Whether a restored text may be misread in turn: a charset saves something where it maps characters to
/// sequences.
#[cold]
fn may_be_misread(text: &[u8], before: [Weighed; 2], next: Weighed) -> bool {
    let text = String::from_utf8_lossy(text);
    let characters: Vec<char> = text.chars().collect();
    let sets: Vec<_> = characters.iter().map(|character| Mark::of(*character)).collect();
    let pair = |pair: &[Mark]| pair[0].sets().lead & pair[1].sets().more;
    let all = sets.windows(2).fold(0, |all, marks| all | pair(marks));
    Charset::of_set(all).any(|charset| {
        let bytes: Vec<u8> = sets.iter().map(|mark| charset.byte(*mark)).collect();
        let (mut whole, mut at) = (Text { cost: 0, before }, 0);
        while at < bytes.len() {
            if first_character(&bytes[at..]).is_none() {
                whole.add(Weighed::new(characters[at]));
                at += 1;
                continue;
            }
            let mut joined = Text { cost: 0, before: whole.before };
            let mut kept = Text { cost: 0, before: whole.before };
            while let Some((character, length)) = first_character(&bytes[at..]) {
                joined.add(Weighed::new(character));
                characters[at..at + length].iter().for_each(|kept_| kept.add(Weighed::new(*kept_)));
                at += length;
            }
            let next = characters.get(at).map_or(next, |character| Weighed::new(*character));
            let before = kept.before;
            if kept.end(next) - joined.end(next) > DOUBT_OF_GROUP {
                return true;
            }
            whole.before = before;
        }
        false
    })
}

/// A text and its cost so far.
struct Text {
    cost: i32,
    /// The last two characters.
    before: [Weighed; 2],
}

impl Text {
    #[inline]
    fn add(&mut self, weighed: Weighed) {
        self.cost += weighed.cost(self.before);
        self.before = [weighed, self.before[0]];
    }

    /// The cost before a character.
    fn end(self, next: Weighed) -> i32 {
        self.cost + next.cost(self.before)
    }
}

/// The first character of a text in UTF-8, which is not US-ASCII, and its length.
#[inline]
pub(super) fn first_character(text: &[u8]) -> Option<(char, usize)> {
    match *text {
        [lead @ 0xC2..=0xDF, second @ 0x80..=0xBF, ..] => {
            let code = u32::from(lead & 0x1F) << 6 | u32::from(second & 0x3F);
            Some((char::from_u32(code)?, 2))
        }
        [lead @ 0xE0..=0xEF, second @ 0x80..=0xBF, third @ 0x80..=0xBF, ..] => {
            let code = u32::from(lead & 0x0F) << 12
                | u32::from(second & 0x3F) << 6
                | u32::from(third & 0x3F);
            let character = char::from_u32(code).filter(|character| *character >= '\u{800}')?;
            Some((character, 3))
        }
        [lead @ 0xF0..=0xF4, ..] => {
            let rest = text.get(1..4)?;
            let is_rest = |byte: &u8| (0x80..=0xBF).contains(byte);
            let add = |code: u32, byte: &u8| code << 6 | u32::from(byte & 0x3F);
            let code = rest.iter().fold(u32::from(lead & 0x07), add);
            let character = char::from_u32(code).filter(|character| *character >= '\u{10000}')?;
            rest.iter().all(is_rest).then_some((character, 4))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;
    use crate::chain::Chain;

    const FILES: [&str; 13] = [
        "corpora/Arabic-Lipsum.utf8.txt",
        "corpora/Chinese-Lipsum.utf8.txt",
        "corpora/Emoji-Lipsum.utf8.txt",
        "corpora/Hebrew-Lipsum.utf8.txt",
        "corpora/Japanese-Lipsum.utf8.txt",
        "corpora/Korean-Lipsum.utf8.txt",
        "corpora/Russian-Lipsum.utf8.txt",
        "corpora/wiki-english.utf8.txt",
        "corpora/wiki-french.utf8.txt",
        "repair/greek.txt",
        "repair/negative.txt",
        "repair/polish.txt",
        "repair/vietnamese.txt",
    ];
    /// Lines of each text, and characters of a line.
    const LINES: usize = 16;
    const LONG: usize = 100;

    /// Short parts of lines that are not US-ASCII, spread over the texts.
    fn lines() -> Vec<String> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata");
        let sample = |name: &str| {
            let text = fs::read_to_string(folder.join(name)).unwrap();
            let characters: Vec<Vec<char>> =
                text.lines().map(|line| line.chars().collect()).collect();
            let parts = characters.iter().flat_map(|line| line.chunks(LONG).map(String::from_iter));
            let parts: Vec<String> = parts.filter(|part| !part.is_ascii()).collect();
            let every = parts.len().div_ceil(LINES);
            parts.into_iter().step_by(every).collect::<Vec<_>>()
        };
        FILES.into_iter().flat_map(sample).collect()
    }

    /// What may come before a line: nothing, right lines, lines in its script, misread lines.
    fn contexts(line: &str, charset: Charset) -> Vec<Context> {
        let mut right = Context::default();
        (0..RIGHT).for_each(|_| right.add_right());
        let mut script = right.clone();
        script.add_scripts(line.chars());
        let misread = |charsets: &[Charset]| {
            let mut context = Context::default();
            context.add_misread(charsets);
            context
        };
        let all: Vec<Charset> = Charset::all().collect();
        let others = all.iter().cycle().skip(charset.index() + 7).step_by(3);
        let others: Vec<Charset> = others.take(5).copied().collect();
        vec![Context::default(), right, script, misread(&[charset]), misread(&others)]
    }

    /// Compares the pass with the search. Returns whether the pass is enough.
    fn compare(line: &str, context: &Context) -> bool {
        let mut explained = Explained::default();
        if !explained.explain(line.as_bytes(), context) {
            return false;
        }
        let characters: Vec<char> = line.chars().collect();
        let (found, mut charsets) = super::super::search(&characters, context);
        let all = |found: &[Found]| {
            let of_one =
                |found: &Found| (found.begin, found.end, found.text.clone(), found.chain.clone());
            found.iter().map(of_one).collect::<Vec<(usize, usize, Vec<_>, Chain)>>()
        };
        assert_eq!(all(&explained.found()), all(&found), "{line:?}");
        // The pass estimates rivals of the commonest charsets, but both are sure.
        let is_common = explained.charset.is_some_and(|charset| charset.prior() == 0);
        let (bits, certain) = (explained.bits, 50);
        let is_right = |found: &Found| match is_common {
            true => bits.min(found.bits) >= CLEAR,
            false => found.bits.min(certain) == bits.min(certain),
        };
        assert!(found.iter().all(is_right), "{bits} {line:?}");
        charsets.sort_unstable();
        charsets.dedup();
        explained.charsets.sort_unstable();
        assert_eq!(explained.charsets, charsets, "{line:?}");
        true
    }

    #[test]
    fn the_pass_finds_what_the_search_finds() {
        let lines = lines();
        let (mut all, mut enough) = (0, 0);
        for charset in Charset::all() {
            let step = Step::Misread { charset, loss: None };
            for (index, line) in lines.iter().enumerate() {
                let Some(bytes) = Chain::from(step).apply(line.as_bytes()) else { continue };
                let misread = String::from_utf8(bytes).unwrap();
                let contexts = contexts(line, charset);
                let context = &contexts[(index + charset.index()) % contexts.len()];
                all += 1;
                enough += usize::from(compare(&misread, context));
                // Text with a part of it that is right, or misread in another charset.
                let half: String = misread.chars().skip(index % 7).take(LONG / 2).collect();
                let next = &lines[(index + 1) % lines.len()];
                compare(&format!("{half} {next}"), context);
                compare(&half, context);
            }
        }
        assert!(all > 5000 && enough * 10 > all * 6, "{enough} of {all}");
    }

    /// Whether a line that was misread twice is explained by two passes. If so, its text must be restored.
    fn restores(misread: &str, right: &str, context: &Context) -> bool {
        let mut explained = Explained::default();
        if !explained.explain(misread.as_bytes(), context) || explained.before.is_none() {
            return false;
        }
        let line: Vec<char> = misread.chars().collect();
        let (mut restored, mut at) = (String::new(), 0);
        for found in explained.found() {
            restored.extend(&line[at..found.begin]);
            let ends = found.text.iter().skip(1).map(|(begin, _)| *begin).chain([found.end]);
            for ((begin, character), end) in found.text.iter().zip(ends) {
                restored.push(*character);
                let before = found.chain.apply(character.to_string().as_bytes()).unwrap();
                assert_eq!(before, String::from_iter(&line[*begin..end]).as_bytes());
            }
            at = found.end;
        }
        restored.extend(&line[at..]);
        assert_eq!(restored, right, "{misread:?}");
        true
    }

    #[test]
    fn two_passes_restore_the_text() {
        let lines = lines();
        let (mut all, mut enough) = (0, 0);
        let common: Vec<Charset> = Charset::all().filter(|charset| charset.prior() <= 4).collect();
        for (number, first) in common.iter().enumerate() {
            // The last step is one of the commonest, or another one.
            for last in [common[0], common[1], common[(number * 5 + 2) % common.len()]] {
                let step = |charset| Step::Misread { charset, loss: None };
                let chain = Chain::new(vec![step(*first), step(last)]);
                for (index, line) in lines.iter().enumerate() {
                    let Some(bytes) = chain.apply(line.as_bytes()) else { continue };
                    let misread = String::from_utf8(bytes).unwrap();
                    let contexts = contexts(line, last);
                    let context = &contexts[(index + number) % contexts.len()];
                    all += 1;
                    enough += usize::from(restores(&misread, line, context));
                    let next = &lines[(index + 1) % lines.len()];
                    restores(&format!("{misread} {next}"), &format!("{line} {next}"), context);
                }
            }
        }
        assert!(all > 3000 && enough * 2 > all, "{enough} of {all}");
    }

    #[test]
    fn right_text_is_compared_too() {
        for line in lines() {
            for context in contexts(&line, Charset::all().next().unwrap()) {
                compare(&line, &context);
            }
        }
    }
}
