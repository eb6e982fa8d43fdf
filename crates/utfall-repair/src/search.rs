//! The search for the chain that explains the characters of a line best.
//!
//! A line is a row of cells, one per character. Undoing a wrong decoding maps characters back to
//! bytes of a charset, and joins two to four cells wherever these form a UTF-8 sequence. The result
//! may be undone again, up to three times. The score of a chain is the number of bits (see
//! [`cost`](crate::cost)) it saves, less the evidence required to believe it. The best chain with a
//! positive score is accepted, and the search restarts on the rest.

pub(crate) mod quick;

use std::cell::LazyCell;
use std::collections::HashSet;
use std::rc::Rc;

use crate::Charset;
use crate::chain::{Chain, Loss, Step};
use crate::charset::{Mark, marks};
use crate::context::{Context, family};
use crate::cost::{NOTHING, Weighed, letters};
use crate::row::{Cell, Row, TAKEN};
use crate::sequence::Reader;
use crate::spelling;
use unicode_script::Script;

/// The most wrong decodings to undo.
const DEEPEST: u8 = 3;
/// How many charsets are tried at each step, starting with those that could explain the most.
const TRIED: usize = 6;
/// How many chains are extended, and how many charsets are tried with losses.
const KEPT: usize = 3;
/// How many times a line is searched, since it may have been assembled from several sources.
const ROUNDS: usize = 4;

/// The evidence required, in bits, that a line is misread at all.
pub(crate) const DOUBT: i32 = 9;
/// For each place in the line.
pub(crate) const DOUBT_OF_GROUP: i32 = 2;
/// For each further step.
const DOUBT_OF_DEPTH: i32 = 2;
/// For each lost byte, and once if any are lost.
const DOUBT_OF_LOSS: i32 = 4;
/// For each neighbour of a place that the chain could have produced but did not.
const DOUBT_OF_NEIGHBOUR: i32 = 8;
/// For each neighbour that is a letter beyond US-ASCII which the chain cannot produce.
const DOUBT_OF_ALIEN: i32 = 12;
/// For a place next to non-ASCII text that another charset could have produced, when the line is
/// proven to be misread in that charset.
const DOUBT_OF_OTHER: i32 = 40;
/// For letters of one script, in a line with other letters of that script, which stay.
const DOUBT_OF_NATIVE: i32 = 24;
/// For letters alone that become one letter of another script than Latin.
const DOUBT_OF_LETTERS: i32 = 8;
/// For signs alone that become one sign, if the charset is not a common one.
const DOUBT_OF_SIGNS: i32 = 5;
/// For one, two or three letters of a script that neither the line nor those before it have.
const DOUBT_OF_SCRIPT: [i32; 3] = [16, 9, 4];
/// Extra bits for a rare charset if the letters of the script are all isolated.
const DOUBT_OF_LONE: i32 = 32;
/// For the same if it is Greek, whose letters are signs in other languages, and the charset is a common
/// one.
const DOUBT_OF_GREEK: i32 = 2;
/// Up to how many bits a charset may be less likely than the first to be a common one.
pub(crate) const COMMON: i32 = 2;
/// For a character that is rare in its own script, unless there are more.
const DOUBT_OF_RARE: i32 = 6;
/// For a rare letter alone, if the charset is not one of the commonest.
const DOUBT_OF_RARE_ALONE: i32 = 10;
/// How many rare characters of a script are credible together.
const RARE: usize = 4;
/// For a line after others that are right.
const DOUBT_AFTER_RIGHT: i32 = 4;
/// How many such lines there must be.
const RIGHT: u16 = 3;
/// For another charset than the one as which lines nearby were misread.
pub(crate) const DOUBT_OF_CHANGE: i32 = 6;
/// How likely it is, in bits, that a line near a misread one is misread in the same way.
pub(crate) const NEAR: i32 = 6;
/// The same as [`STRONG`], near a misread line.
const STRONG_NEAR: i32 = 6;
/// How much better than any other charset one must be to say how the next lines were misread.
pub(crate) const MARGIN: i32 = 5;
/// Bits within which two readings of a place are alike.
const ALIKE: i32 = 4;
/// The most bits for text that was completed.
const COMPLETED: i32 = 4;
/// The most that is subtracted for characters that the chain could have produced but did not.
const LEFT_OVER: i32 = 20;
/// At least one place must be worth this much, so that many weak ones do not add up to a proof.
const STRONG: i32 = 13;
/// A chain with a higher score is proven; further places then need only be worth [`WEAK`].
const PROVEN: i32 = 12;
const WEAK: i32 = -6;
/// How likely it is, in bits, that a line with one proven misreading has another.
const BELIEF: i32 = 6;
/// How unlikely it is, in bits, that the first character of a sequence is text in a misread line.
const LEAD: i32 = 6;
/// How many times more characters another chain must explain to make a rarer one doubtful.
const STRAY: usize = 3;
/// Up to how many bits a charset may be less likely than the first not to be rare.
const SELDOM: i32 = 4;
/// How much better a rival chain must explain a place to claim it.
const RIVAL: i32 = 8;
/// Ways in which bytes may have been lost.
pub(crate) const LOSSES: [Loss; 4] =
    [Loss::Space, Loss::Replaced('?'), Loss::Replaced(char::REPLACEMENT_CHARACTER), Loss::Dropped];

/// Replaces ill-formed bytes; it cannot be part of any sequence.
pub(crate) const BARRIER: char = '\u{10FFFF}';

/// A part of the line with its restored text.
pub(crate) struct Found {
    /// Range of characters in the line.
    pub(crate) begin: usize,
    pub(crate) end: usize,
    /// The restored characters, each with the index in the line where its source begins.
    pub(crate) text: Vec<(usize, char)>,
    pub(crate) chain: Chain,
    /// How many bits likelier it is than the text as it is.
    pub(crate) bits: i32,
}

/// The parts of a line between findings.
pub(crate) fn gaps<'a>(line: &'a [char], found: &[Found]) -> impl Iterator<Item = &'a [char]> {
    let ends = [0].into_iter().chain(found.iter().map(|found| found.end));
    let begins = found.iter().map(|found| found.begin).chain([line.len()]);
    ends.zip(begins).map(|(end, begin)| &line[end..begin])
}

/// Whether a line has characters beyond US-ASCII that were not found.
pub(crate) fn has_others(line: &[char], found: &[Found]) -> bool {
    let is_other = |character: &char| *character >= '\u{80}' && *character != BARRIER;
    gaps(line, found).any(|gap| {
        let all = gap.iter().fold(0, |all, character| all | *character as u32);
        all >= 0x80 && gap.iter().any(is_other)
    })
}

/// Whether a line may have something to undo. Quickly rules out most lines. `None` if it is not UTF-8; the rest of
/// a line that may have something need not be.
pub(crate) fn is_suspicious(line: &[u8]) -> Option<bool> {
    let is_half = |last, before: char| match last {
        'Ã' => !before.is_uppercase(),
        'Å' => !before.is_alphanumeric(),
        'Â' => !before.is_uppercase() && !before.is_whitespace(),
        _ => false,
    };
    let mut end = 0;
    while let Some(begin) = quick::next_high(line, end) {
        let mut last_but_one = ' ';
        let mut last = begin.checked_sub(1).map_or(' ', |before| char::from(line[before]));
        // `é` and U+00A0, which is a sequence only if more follows.
        let (mut lead, mut is_open) = (0, false);
        end = begin;
        while let Some((character, length)) = quick::first_character(&line[end..]) {
            end += length;
            let marks = marks(character);
            let is_pair = lead & marks.more != 0 && !is_open && !is_usual(last, character);
            if is_pair || is_open {
                return Some(true);
            }
            lead = marks.lead;
            is_open = character == '\u{A0}' && matches!(last, 'à'..='ô');
            (last_but_one, last) = (last, character);
        }
        let is_lost = |next: u8| {
            is_open && next == b'?' || matches!(next, b' ' | b'?') && is_half(last, last_but_one)
        };
        match line.get(end) {
            Some(0x80..) => return None,
            Some(next) if is_lost(*next) => return Some(true),
            None if last == 'Ã' && last_but_one.is_lowercase() => return Some(true),
            _ => {}
        }
    }
    Some(false)
}

/// Whether the second letter often follows the first in correct text.
fn is_usual(last: char, next: char) -> bool {
    let is_latin = |letter| matches!(letter, '\u{DF}'..='\u{17F}') && letter != '÷';
    is_ordinary(last, next)
        || is_latin(last) && is_latin(next) && next.is_lowercase() && letters::follow(last, next)
}

/// Whether two letters are ordinary in a word of Cyrillic, Greek, Hebrew, Arabic or Thai. Text misread as such
/// letters has others too, or a capital after a small letter.
fn is_ordinary(last: char, character: char) -> bool {
    let script = |character| match character {
        '\u{410}'..='\u{42F}' => 1,
        '\u{430}'..='\u{44F}' => 2,
        '\u{391}'..='\u{3A9}' => 3,
        '\u{3AC}'..='\u{3CE}' => 4,
        '\u{5D0}'..='\u{5EA}' => 5,
        '\u{621}'..='\u{64A}' => 6,
        '\u{E01}'..='\u{E3A}' | '\u{E40}'..='\u{E4E}' => 7,
        _ => 0,
    };
    // `Рё`, `Сё`, `пё` and `яё` are letters misread in windows-1251 and KOI8-R.
    if last == 'ё' {
        return matches!(character, 'а'..='я');
    }
    if character == 'ё' {
        return matches!(last, 'а'..='о' | 'р'..='ю');
    }
    // Greek capitals with an accent begin words.
    if matches!(last, '\u{386}' | '\u{388}'..='\u{38F}') {
        return matches!(character, '\u{3AC}'..='\u{3CE}');
    }
    match (script(last), script(character)) {
        (0, _) | (_, 0) => false,
        // A small letter after a capital, never the reverse.
        (1, 2) | (3, 4) => true,
        (last, next) => last == next,
    }
}

/// All justified findings in a line, in order, and the charsets that the line may have been misread as, if
/// no others are likely.
pub(crate) fn search(line: &[char], context: &Context) -> (Vec<Found>, Vec<Charset>) {
    let kept = near_others(line);
    let near: Vec<char> = kept.iter().map(|index| line[*index]).collect();
    let mut line = Row::of_line(&near);
    let (mut all, mut proven) = (Vec::new(), Vec::new());
    let mut certain = Vec::new();
    for _ in 0..ROUNDS {
        let found = best(&line, &mut proven, context, &mut certain);
        if found.is_empty() {
            break;
        }
        for found in &found {
            let ends = found.text.iter().skip(1).map(|(begin, _)| *begin).chain([found.end]);
            for ((begin, character), end) in found.text.iter().zip(ends) {
                for cell in &mut line.cells[*begin..end] {
                    cell.depth = TAKEN;
                    // Its neighbours are now next to this.
                    cell.weighed = Weighed::new(*character);
                    cell.mark = Mark::of(*character);
                }
            }
        }
        line = Row::new(line.cells);
        all.extend(found);
    }
    remove_strays(&mut all);
    all.sort_by_key(|found: &Found| found.begin);
    for found in &mut all {
        found.begin = kept[found.begin];
        found.end = kept[found.end - 1] + 1;
        found.text.iter_mut().for_each(|(index, _)| *index = kept[*index]);
    }
    (all, certain)
}

/// Removes findings with a rare charset where most of the line was misread in the same way except for that charset: they
/// are bytes of the line that only happen to make a text in it.
fn remove_strays(all: &mut Vec<Found>) {
    let size = |found: &Found| found.text.len();
    let mut sizes: Vec<(Chain, usize)> = Vec::new();
    for found in all.iter() {
        match sizes.iter_mut().find(|(chain, _)| *chain == found.chain) {
            Some((_, sum)) => *sum += size(found),
            None => sizes.push((found.chain.clone(), size(found))),
        }
    }
    if sizes.len() < 2 {
        return;
    }
    let sum_of =
        |chain: &Chain| sizes.iter().find(|(other, _)| other == chain).map_or(0, |(_, sum)| *sum);
    all.retain(|found| {
        let own = sum_of(&found.chain);
        !sizes.iter().any(|(chain, sum)| *sum >= STRAY * own && is_rarer(&found.chain, chain))
    });
}

/// Whether a chain differs from another one in a single charset, which is rare and rarer.
fn is_rarer(chain: &Chain, other: &Chain) -> bool {
    let (steps, others) = (chain.steps(), other.steps());
    if steps.len() != others.len() {
        return false;
    }
    let mut differing = steps.iter().zip(others).filter(|(a, b)| a != b);
    match (differing.next(), differing.next()) {
        (Some((Step::Misread { charset, .. }, Step::Misread { charset: other, .. })), None) => {
            charset.prior() > SELDOM && charset.prior() > other.prior()
        }
        _ => false,
    }
}

/// How many US-ASCII characters next to others count as context.
const CONTEXT: usize = 4;

/// The indices of the non-ASCII characters of a line and of their context. Most lines have few.
fn near_others(line: &[char]) -> Vec<usize> {
    let mut kept = Vec::new();
    let mut from = 0;
    for (index, _) in line.iter().enumerate().filter(|(_, character)| **character >= '\u{80}') {
        kept.extend(from.max(index.saturating_sub(CONTEXT))..=index);
        let until = line[index + 1..].iter().take(CONTEXT).take_while(|c| **c < '\u{80}').count();
        from = index + 1 + until;
        kept.extend(index + 1..from);
    }
    kept
}

/// A chain and its result for the line.
#[derive(Clone)]
struct Node {
    /// The step that happened last comes first.
    steps: Vec<Reader>,
    row: Row,
    groups: Vec<Group>,
    score: i32,
    /// The score if all characters were credible, which those between two steps need not be.
    rank: i32,
    /// How badly the restored letters fit together.
    spelling: i32,
}

/// Adjacent cells produced by the same chain: their range in the row, and in the line.
#[derive(Clone, Copy)]
struct Group {
    first: usize,
    last: usize,
    begin: u32,
    end: u32,
    /// Their saving over the line, less the evidence required, and the part of it due to the last
    /// step.
    bits: i32,
    by_step: i32,
    is_credible: bool,
}

/// The findings justified by the best chain. `proven` are the charsets already proven as the last wrong
/// decoding.
fn best(
    line: &Row,
    proven: &mut Vec<Charset>,
    context: &Context,
    certain: &mut Vec<Charset>,
) -> Vec<Found> {
    let mut best: Option<Rc<Node>> = None;
    // The groups of all chains with a positive score.
    let mut rivals: Vec<Rival> = Vec::new();
    // Charsets that would restore the same as another one.
    let mut skipped: Vec<(Charset, Charset)> = Vec::new();
    let root = Node {
        steps: Vec::new(),
        row: line.clone(),
        groups: Vec::new(),
        score: 0,
        rank: 0,
        spelling: 0,
    };
    let mut frontier = vec![Rc::new(root)];
    for depth in 1..=DEEPEST {
        let mut next: Vec<Rc<Node>> = Vec::new();
        for node in &frontier {
            let candidates = candidates(&node.row.cells, depth);
            let (first, most) = match candidates.first() {
                Some(first) => *first,
                None => continue,
            };
            let mut is_whole = false;
            for (rank, (charset, count)) in candidates.into_iter().enumerate() {
                // If one explains all that is there, only its equals are rivals.
                if is_whole && count < most {
                    break;
                }
                let mut is_worth = rank == 0 || proven.contains(&charset);
                // One that would restore the same, and is less likely, need not be tried.
                if is_whole
                    && (!context.has(charset) || context.has(first))
                    && are_alike(charset, first, &node.row.cells, depth)
                {
                    if depth == 1 {
                        skipped.push((first, charset));
                    }
                    continue;
                }
                let broken = LazyCell::new(|| Reader { charset, loss: None }.broken(&node.row));
                let is_broken = |loss| {
                    LOSSES
                        .iter()
                        .position(|other| *other == loss)
                        .is_some_and(|index| broken[index])
                };
                for loss in [None].into_iter().chain(LOSSES.map(Some)) {
                    if is_whole && loss.is_some() {
                        break;
                    }
                    // Losses happen in the last step, which is the first to be undone.
                    let is_rare = |loss| loss != Loss::Space && charset.prior() > COMMON;
                    if loss.is_some_and(|loss| {
                        depth > 1 || rank >= KEPT || is_rare(loss) || !is_broken(loss)
                    }) {
                        continue;
                    }
                    let reader = Reader { charset, loss };
                    let node = if loss.is_none() || is_worth {
                        node.undo(reader, depth, line, proven, context)
                    } else {
                        None
                    };
                    // A step that saves nothing leads nowhere.
                    let Some(node) = node.filter(|node| !node.groups.is_empty()) else { continue };
                    let node = Rc::new(node);
                    is_worth = true;
                    is_whole |= rank == 0 && loss.is_none() && node.is_whole(depth);
                    if node.score > 0 {
                        rivals.push(node.rival());
                    }
                    let is_better = |best: &Rc<Node>| node.merit() > best.merit();
                    if node.score > 0 && best.as_ref().is_none_or(is_better) {
                        best = Some(node.clone());
                    }
                    let place = next.partition_point(|other| other.rank >= node.rank);
                    next.insert(place, node);
                    next.truncate(KEPT);
                }
            }
        }
        frontier = next;
    }
    drop(frontier);
    let Some(best) = best else { return Vec::new() };
    let mut best = Rc::unwrap_or_clone(best);
    best.groups.retain(|group| group.is_credible);
    let is_best = |group: &Group| {
        rivals.iter().all(|Rival { groups, .. }| {
            let first = groups.partition_point(|rival| rival.end <= group.begin);
            let mut near = groups[first..].iter().take_while(|rival| rival.begin < group.end);
            near.all(|rival| rival.bits < group.bits + RIVAL)
        })
    };
    if best.groups.iter().any(is_best) {
        best.groups.retain(is_best);
    } else if !proven.is_empty() {
        // The only evidence for it came from other places.
        return self::best(line, &mut Vec::new(), context, certain);
    }
    if best.score > PROVEN {
        let charset = best.steps[0].charset;
        proven.push(charset);
        let margins = best.groups.iter().map(|group| best.margin(group, &rivals));
        if certain.is_empty() && margins.min().is_some_and(|margin| margin >= MARGIN) {
            // Others that restore the same are as likely.
            let text = best.rival().text;
            let alike = rivals.iter().filter(|rival| rival.text == text);
            certain.extend([charset].into_iter().chain(alike.map(|rival| rival.charset)));
            let skipped = skipped.iter().filter(|(first, _)| certain.contains(first));
            let skipped: Vec<_> = skipped.map(|(_, other)| *other).collect();
            certain.extend(skipped);
        }
    }
    let found = best.groups.iter().map(|group| {
        let found = best.found(group);
        Found { bits: found.bits.min(best.margin(group, &rivals)), ..found }
    });
    found.collect()
}

/// A chain that explains the line too.
struct Rival {
    charset: Charset,
    groups: Vec<Group>,
    merit: i32,
    /// The characters that it makes of the groups, each with the index in the line where its source begins.
    text: Vec<(u32, char)>,
}

impl Node {
    /// Extends the chain by one undone step. `None` if that changes nothing.
    fn undo(
        &self,
        reader: Reader,
        depth: u8,
        line: &Row,
        proven: &[Charset],
        context: &Context,
    ) -> Option<Self> {
        let row = reader.undo(&self.row, depth)?;
        let mut steps = self.steps.clone();
        steps.push(reader);
        let mut node = Self { steps, row, groups: Vec::new(), score: 0, rank: 0, spelling: 0 };
        node.judge(depth, line, self, proven, context);
        Some(node)
    }

    /// Finds the groups and the score: their saving over the line, if this step alone is worth
    /// something.
    fn judge(
        &mut self,
        depth: u8,
        line: &Row,
        before: &Self,
        proven: &[Charset],
        context: &Context,
    ) {
        let parent = &before.row;
        let is_proven = proven.contains(&self.steps[0].charset);
        let is_near = context.has(self.steps[0].charset);
        let natives = natives(&self.row.cells, depth);
        // Characters that a proven charset could have produced are damage from that charset only.
        let is_damage = |cell: &Cell| {
            !is_proven
                && line.cells[cell.begin as usize..cell.end as usize]
                    .iter()
                    .all(|cell| proven.iter().any(|charset| charset.byte(cell.mark) > 0))
        };
        let cells = &self.row.cells;
        let charset = self.steps[self.steps.len() - 1].charset;
        let is_left = |cell: &&Cell| cell.depth < depth && cell.character() >= '\u{80}';
        let could = |cell: &&Cell| is_left(cell) && charset.byte(cell.mark) > 0;
        let strangeness = |cell: &Cell| match cell {
            cell if could(&cell) => DOUBT_OF_NEIGHBOUR,
            cell if is_left(&cell) && cell.character().is_alphabetic() => DOUBT_OF_ALIEN,
            _ => 0,
        };
        let (mut sum, mut credible, mut step, mut strongest) = (0, 0, 0, 0);
        let (mut from, mut places) = (0, 0);
        let mut has_proof = false;
        let mut known: HashSet<Vec<char>> = HashSet::new();
        let mut is_of_signs = false;
        while from < cells.len() {
            let length = cells[from..].iter().take_while(|cell| cell.depth == depth).count();
            let (first, last) = (from, from + length);
            from = last.max(first + 1);
            let run = &cells[first..last];
            let (Some(head), Some(tail)) = (run.first(), run.last()) else { continue };
            let neighbours = [first.checked_sub(1), Some(last)];
            let near = || neighbours.into_iter().flatten().filter_map(|index| cells.get(index));
            let touches = near().any(|cell| cell.character() >= '\u{80}');
            let doubt = DOUBT_OF_GROUP
                + if is_proven { -LEAD } else { DOUBT_OF_LOSS } * losses(run, depth)
                + near().map(strangeness).sum::<i32>()
                + if touches && run.iter().all(is_damage) { DOUBT_OF_OTHER } else { 0 };
            let before = &line.cells[head.begin as usize..tail.end as usize];
            let is_of_letters = before.iter().all(|cell| cell.weighed.script().is_some());
            let is_foreign =
                run.len() == 1 && script(head).is_some_and(|script| script != Script::Latin);
            let doubt = doubt
                + if is_native(before, &natives) { DOUBT_OF_NATIVE } else { 0 }
                + if is_of_letters && is_foreign { DOUBT_OF_LETTERS } else { 0 };
            has_proof |= before.iter().any(|cell| is_only_a_byte(cell.character()));
            is_of_signs |= before.iter().chain(run).all(|cell| cell.weighed.script().is_none());
            let mut before = first.checked_sub(1).map_or(NOTHING, |index| cells[index].weighed);
            let is_credible = run.iter().all(|cell| {
                let last = std::mem::replace(&mut before, cell.weighed);
                cell.weighed.is_credible() && !cell.weighed.is_lone_mark(last)
            });
            let bits = line.saved(head.begin as usize, tail.end as usize, run) - doubt;
            places += run.len();
            // The same text again proves nothing more.
            let is_new = known.insert(run.iter().map(Cell::character).collect());
            let added = if is_new { bits.max(0) } else { 0 };
            sum += added;
            credible += if is_credible { added } else { 0 };
            let until = cells.get(last).map_or(parent.cells.len(), |next| next.from as usize);
            let by_step = parent.saved(head.from as usize, until, run) - doubt;
            step += if is_new { by_step.max(0) } else { 0 };
            strongest = strongest.max(by_step);
            self.groups.extend(groups(cells, first, last, (bits, by_step), is_credible));
        }
        let left_over = (cells.iter().filter(could).count() as i32).min(LEFT_OVER);
        let prior = |reader: &Reader| reader.charset.prior() + DOUBT_OF_DEPTH;
        let priors: i32 = self.steps.iter().map(prior).sum();
        let is_common = self.steps[0].charset.prior() <= COMMON;
        let novel =
            if has_proof { 0 } else { novelty(cells, depth, context, (is_common, is_near)) };
        let around = match () {
            () if is_near => -NEAR - self.steps[0].charset.prior(),
            () if context.is_misread() => DOUBT_OF_CHANGE,
            () if context.right() >= RIGHT => DOUBT_AFTER_RIGHT,
            () => 0,
        };
        // A single place in a rare charset may be a rare text.
        let rarest = self.steps.iter().map(|reader| reader.charset.prior()).max();
        let is_rare = |cell: &Cell| {
            cell.depth == depth && cell.weighed.is_rare() && cell.weighed.script().is_some()
        };
        let single = match self.steps[0].charset.prior() {
            _ if has_proof => 0,
            _ if places != 1 || is_near => 0,
            prior if rarest > Some(0) && cells.iter().any(is_rare) => prior + DOUBT_OF_RARE_ALONE,
            prior if is_of_signs && !is_common => prior + DOUBT_OF_SIGNS,
            prior => (prior - 3).max(0),
        };
        let (doubt, least) = match is_proven {
            true => (left_over - BELIEF - LEAD * losses(cells, depth), -1),
            false => {
                let lost = if self.steps[0].loss.is_some() { DOUBT_OF_LOSS } else { 0 };
                let doubt = DOUBT + left_over + lost + novel + around + single;
                // Text that a credible step restored, and that is a sequence in all its parts, was
                // misread twice: correct text is not made of sequences.
                let is_further = depth > 1 && before.score > 0 && self.joins_all(depth);
                let known = if is_further { LEAD } else { 0 };
                let of_step = if is_further { novel - known } else { doubt };
                let by_step = step - of_step - prior(&self.steps[depth as usize - 1]);
                let strong = match () {
                    () if is_further => 0,
                    () if is_near => STRONG_NEAR,
                    () => STRONG,
                };
                if strongest < strong || by_step <= 0 {
                    // Worth nothing alone, but possibly part of a longer chain.
                    (sum, credible) = (0, 0);
                }
                (doubt + priors - DOUBT_OF_DEPTH - known, 0)
            }
        };
        self.rank = sum - doubt;
        self.score = credible - doubt;
        if self.score > 0 {
            let text: Vec<char> = self.row.cells.iter().map(Cell::character).collect();
            self.spelling = spelling::doubt(&text, |index| self.row.cells[index].depth == depth);
        }
        // Once the line is proven to be misread, each place needs less evidence.
        let least = if self.score > PROVEN { WEAK } else { least };
        self.groups.retain(|group| group.bits.min(group.by_step) > least);
    }

    /// The score in comparison with other chains.
    fn merit(&self) -> i32 {
        self.score - self.spelling
    }

    /// Whether a step joins every character that the step before restored.
    fn joins_all(&self, depth: u8) -> bool {
        self.row.cells.iter().all(|cell| cell.depth != depth - 1 || cell.character() < '\u{80}')
    }

    fn rival(&self) -> Rival {
        let cells = self.groups.iter().flat_map(|group| &self.row.cells[group.first..group.last]);
        let text = cells.map(|cell| (cell.begin, cell.character())).collect();
        let charset = self.steps[0].charset;
        Rival { charset, groups: self.groups.clone(), merit: self.merit(), text }
    }

    /// How many bits better this is than any rival that would make another text of a group.
    fn margin(&self, group: &Group, rivals: &[Rival]) -> i32 {
        let cells = &self.row.cells[group.first..group.last];
        let differs = |rival: &&Rival| {
            let first = rival.text.partition_point(|(begin, _)| *begin < group.begin);
            let text = &rival.text[first..];
            let text = &text[..text.partition_point(|(begin, _)| *begin < group.end)];
            let of_cells = cells.iter().map(|cell| (cell.begin, cell.character()));
            !text.is_empty() && !text.iter().copied().eq(of_cells)
        };
        let margin = |rival: &Rival| {
            let first = rival.groups.partition_point(|other| other.end <= group.begin);
            let others = rival.groups[first..].iter().take_while(|other| other.begin < group.end);
            let bits = others.map(|other| other.bits).max().unwrap_or(0);
            (self.merit() - rival.merit).max(group.bits - bits - ALIKE)
        };
        rivals.iter().filter(differs).map(margin).min().unwrap_or(i32::MAX)
    }

    /// Whether the last step explains every character that is not US-ASCII.
    fn is_whole(&self, depth: u8) -> bool {
        let is_right = |cell: &Cell| match cell.depth == depth {
            true => !cell.weighed.is_rare(),
            false => cell.character() < '\u{80}',
        };
        self.score > PROVEN && self.row.cells.iter().all(is_right)
    }

    fn found(&self, group: &Group) -> Found {
        let cells = &self.row.cells[group.first..group.last];
        let misread = |(index, reader): (usize, &Reader)| Step::Misread {
            charset: reader.charset,
            loss: cells[0].loss.filter(|_| index == 0),
        };
        let mut steps: Vec<Step> = self.steps.iter().enumerate().map(misread).collect();
        if cells[0].surrogates {
            steps.push(Step::Surrogates);
        }
        steps.reverse();
        Found {
            begin: group.begin as usize,
            end: group.end as usize,
            text: cells.iter().map(|cell| (cell.begin as usize, cell.character())).collect(),
            chain: Chain::new(steps),
            bits: match self.score {
                completed if cells[0].loss.is_some() => completed.min(COMPLETED),
                proven if proven > PROVEN => proven,
                score if group.bits.min(group.by_step) > 0 => {
                    score.min(group.bits).min(group.by_step)
                }
                score => score,
            },
        }
    }
}

/// Whether a character is one of the five C1 controls without a character in windows-1252. Text has them in no
/// charset: they come from bytes of a sequence.
fn is_only_a_byte(character: char) -> bool {
    matches!(character, '\u{81}' | '\u{8D}' | '\u{8F}' | '\u{90}' | '\u{9D}')
}

/// How many cells of a step lost a byte.
fn losses(cells: &[Cell], depth: u8) -> i32 {
    cells.iter().filter(|cell| cell.depth == depth && cell.loss.is_some()).count() as i32
}

/// The scripts of the letters that a step leaves alone, without Latin, which is everywhere.
fn natives(cells: &[Cell], depth: u8) -> Vec<Script> {
    let mut scripts: Vec<Script> = Vec::new();
    for script in cells.iter().filter(|cell| cell.depth != depth).filter_map(script) {
        if script != Script::Latin && !scripts.contains(&script) {
            scripts.push(script);
        }
    }
    scripts
}

fn script(cell: &Cell) -> Option<Script> {
    cell.weighed.script().map(family)
}

/// Whether a text is of letters alone, of one of these scripts.
fn is_native(cells: &[Cell], natives: &[Script]) -> bool {
    let Some(first) = cells.first().and_then(script) else { return false };
    natives.contains(&first) && cells.iter().all(|cell| script(cell) == Some(first))
}

/// The doubt about letters of scripts that are nowhere else, and about rare characters.
fn novelty(
    cells: &[Cell],
    depth: u8,
    context: &Context,
    (is_common, is_near): (bool, bool),
) -> i32 {
    // Script, different letters restored, rare ones among them, other letters.
    let mut scripts: Vec<(Script, usize, usize, usize)> = Vec::new();
    let mut known = HashSet::new();
    let mut signs = 0;
    // Letters that stand alone are not words of a script.
    let mut pairs = cells.windows(2);
    let is_restored = |cell: &Cell| cell.depth == depth && script(cell).is_some();
    let has_words = is_common || is_near || pairs.any(|pair| pair.iter().all(is_restored));
    for cell in cells {
        let Some(script) = script(cell) else {
            signs += i32::from(cell.depth == depth && cell.weighed.is_rare());
            continue;
        };
        if cell.depth == depth && !known.insert(cell.character()) {
            continue;
        }
        let index = scripts.iter().position(|known| known.0 == script).unwrap_or_else(|| {
            scripts.push((script, 0, 0, 0));
            scripts.len() - 1
        });
        let known = &mut scripts[index];
        match cell.depth == depth {
            true => {
                known.1 += 1;
                known.2 += usize::from(cell.weighed.is_rare());
            }
            false => known.3 += 1,
        }
    }
    let doubt = |&(script, restored, rare, others): &(Script, usize, usize, usize)| {
        let is_new = restored > 0 && others == 0 && !context.has_script(script);
        // A neighboring line in another language proves nothing about this line.
        let is_lone = restored > 0 && others == 0 && !has_words && script != Script::Latin;
        let novel = match script {
            Script::Greek if is_new && rare == 0 && is_common => DOUBT_OF_GREEK,
            _ if is_lone => DOUBT_OF_LONE,
            _ if is_new => DOUBT_OF_SCRIPT.get(restored - 1).copied().unwrap_or(0),
            _ => 0,
        };
        novel + if rare < RARE { DOUBT_OF_RARE * rare as i32 } else { 0 }
    };
    scripts.iter().map(doubt).sum::<i32>() + DOUBT_OF_RARE * signs.min(3)
}

/// Groups the cells of a run with the same origin. Cells with a loss form their own groups.
fn groups(
    cells: &[Cell],
    mut first: usize,
    end: usize,
    (bits, by_step): (i32, i32),
    is_credible: bool,
) -> impl Iterator<Item = Group> {
    std::iter::from_fn(move || {
        let cell = cells[first..end].first()?;
        let alike = |other: &&Cell| other.surrogates == cell.surrogates && other.loss.is_none();
        let count = match cell.loss {
            Some(_) => 1,
            None => cells[first..end].iter().take_while(alike).count(),
        };
        let last = first + count;
        let (begin, end) = (cell.begin, cells[last - 1].end);
        let group = Group { first, last, begin, end, bits, by_step, is_credible };
        first = last;
        Some(group)
    })
}

/// Whether two charsets have the same bytes for the cells that a step may join.
fn are_alike(a: Charset, b: Charset, cells: &[Cell], depth: u8) -> bool {
    let is_open = |cell: &&Cell| cell.depth == depth - 1 && cell.character() >= '\u{80}';
    cells.iter().filter(is_open).all(|cell| a.byte(cell.mark) == b.byte(cell.mark))
}

/// The charsets in which the most pairs of cells could be part of a sequence.
fn candidates(cells: &[Cell], depth: u8) -> Vec<(Charset, u32)> {
    let mut counts = [0_u32; 64];
    let mut lead = 0;
    for cell in cells {
        if cell.depth != depth - 1 || matches!(cell.character(), '\0'..='\x7F' | '\u{FFFD}') {
            // `Ã` before a space may have lost a byte.
            if lead != 0
                && cell.depth == depth - 1
                && matches!(cell.character(), ' ' | '?' | char::REPLACEMENT_CHARACTER)
            {
                for charset in Charset::of_set(lead) {
                    counts[charset.index()] += 1;
                }
            }
            lead = 0;
            continue;
        }
        let marks = cell.mark.sets();
        for charset in Charset::of_set(lead & marks.more) {
            counts[charset.index()] += 8;
        }
        lead = marks.lead;
    }
    let mut all: Vec<_> = Charset::all().filter(|charset| counts[charset.index()] > 0).collect();
    all.sort_by_key(|charset| {
        let index = charset.index();
        (std::cmp::Reverse(counts[index]), charset.prior(), index)
    });
    all.truncate(TRIED);
    all.into_iter().map(|charset| (charset, counts[charset.index()])).collect()
}
