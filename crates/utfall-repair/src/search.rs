//! The search for the chain that explains the characters of a line best.
//!
//! A line is a row of cells, one per character. Undoing a wrong decoding maps characters back to
//! bytes of a charset, and joins two to four cells wherever these form a UTF-8 sequence. The result
//! may be undone again, up to three times. The score of a chain is the number of bits (see
//! [`cost`](crate::cost)) it saves, less the evidence required to believe it. The best chain with a
//! positive score is accepted, and the search restarts on the rest.

use crate::Charset;
use crate::chain::{Chain, Loss, Step};
use crate::charset::marks;
use crate::cost::Weighed;
use crate::row::{Cell, Row, TAKEN};
use crate::sequence::Reader;

/// The most wrong decodings to undo.
const DEEPEST: u8 = 3;
/// How many charsets are tried at each step, starting with those that could explain the most.
const TRIED: usize = 6;
/// How many chains are extended, and how many charsets are tried with losses.
const KEPT: usize = 3;
/// How many times a line is searched, since it may have been assembled from several sources.
const ROUNDS: usize = 4;

/// The evidence required, in bits, that a line is misread at all.
const DOUBT: i32 = 9;
/// For each place in the line.
const DOUBT_OF_GROUP: i32 = 2;
/// For each further step.
const DOUBT_OF_DEPTH: i32 = 2;
/// For each lost byte, and once if any are lost.
const DOUBT_OF_LOSS: i32 = 4;
/// For each neighbour of a place that is a non-ASCII letter, or that the chain could have produced
/// but did not.
const DOUBT_OF_NEIGHBOUR: i32 = 8;
/// For a place next to non-ASCII text that another charset could have produced, when the line is
/// proven to be misread in that charset.
const DOUBT_OF_OTHER: i32 = 40;
/// The most that is subtracted for characters that the chain could have produced but did not.
const LEFT_OVER: i32 = 20;
/// At least one place must be worth this much, so that many weak ones do not add up to a proof.
const STRONG: i32 = 13;
/// A chain with a higher score is proven; further places then need only be worth [`WEAK`].
const PROVEN: i32 = 12;
const WEAK: i32 = -6;
/// How likely it is, in bits, that a line with one proven misreading has another.
const BELIEF: i32 = 6;
/// How much better a rival chain must explain a place to claim it.
const RIVAL: i32 = 8;
/// Ways in which bytes may have been lost.
const LOSSES: [Loss; 4] =
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

/// Whether a line may have something to undo. Quickly rules out most lines.
pub(crate) fn is_suspicious(line: &str) -> bool {
    let (mut lead, mut last, mut last_but_one) = (0, ' ', ' ');
    line.chars().any(|character| {
        let suspicious = if character < '\u{80}' {
            let lost = matches!(character, ' ' | '?');
            lead = 0;
            lost && last == 'Ã' && last_but_one.is_lowercase()
        } else {
            let marks = marks(character);
            let joined = lead & marks.more;
            lead = marks.lead;
            joined != 0
        };
        (last_but_one, last) = (last, character);
        suspicious
    })
}

/// All justified findings in a line, in order.
pub(crate) fn search(line: &[char]) -> Vec<Found> {
    let kept = near_others(line);
    let near: Vec<char> = kept.iter().map(|index| line[*index]).collect();
    let mut line = Row::of_line(&near);
    let (mut all, mut proven) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        let found = best(&line, &mut proven);
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
                }
            }
        }
        line = Row::new(line.cells);
        all.extend(found);
    }
    all.sort_by_key(|found| found.begin);
    for found in &mut all {
        found.begin = kept[found.begin];
        found.end = kept[found.end - 1] + 1;
        found.text.iter_mut().for_each(|(index, _)| *index = kept[*index]);
    }
    all
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
}

/// The findings justified by the best chain. `proven` are the charsets already proven as the last wrong
/// decoding.
fn best(line: &Row, proven: &mut Vec<Charset>) -> Vec<Found> {
    let mut best: Option<Node> = None;
    // The groups of all chains with a positive score.
    let mut rivals: Vec<Vec<Group>> = Vec::new();
    let root = Node { steps: Vec::new(), row: line.clone(), groups: Vec::new(), score: 0 };
    let mut frontier = vec![root];
    for depth in 1..=DEEPEST {
        let mut next: Vec<Node> = Vec::new();
        for node in &frontier {
            for (rank, charset) in candidates(&node.row.cells, depth).into_iter().enumerate() {
                let mut is_worth = rank == 0;
                for loss in [None].into_iter().chain(LOSSES.map(Some)) {
                    // Losses happen in the last step, which is the first to be undone.
                    if loss.is_some_and(|loss| depth > 1 || rank >= KEPT || !is_there(loss, line)) {
                        continue;
                    }
                    let reader = Reader { charset, loss };
                    let node = if loss.is_none() || is_worth {
                        node.undo(reader, depth, line, proven)
                    } else {
                        None
                    };
                    // A step that saves nothing leads nowhere.
                    let Some(node) = node.filter(|node| !node.groups.is_empty()) else { continue };
                    is_worth = true;
                    if node.score > 0 {
                        rivals.push(node.groups.clone());
                    }
                    let place = next.partition_point(|other| other.score >= node.score);
                    next.insert(place, node);
                    next.truncate(KEPT);
                }
            }
        }
        if let Some(first) = next.first()
            && first.score > best.as_ref().map_or(0, |best| best.score)
        {
            best = Some(first.clone());
        }
        frontier = next;
    }
    let Some(mut best) = best else { return Vec::new() };
    let is_best = |group: &Group| {
        rivals.iter().all(|groups| {
            let first = groups.partition_point(|rival| rival.end <= group.begin);
            let mut near = groups[first..].iter().take_while(|rival| rival.begin < group.end);
            near.all(|rival| rival.bits < group.bits + RIVAL)
        })
    };
    if best.groups.iter().any(is_best) {
        best.groups.retain(is_best);
    } else if !proven.is_empty() {
        // The only evidence for it came from other places.
        return self::best(line, &mut Vec::new());
    }
    if best.score > PROVEN {
        proven.push(best.steps[0].charset);
    }
    best.groups.iter().map(|group| best.found(group)).collect()
}

/// Whether a line has traces of such a loss.
fn is_there(loss: Loss, line: &Row) -> bool {
    let has = |sign| {
        let mut pairs = line.cells.windows(2);
        pairs.any(|pair| pair[0].character() >= '\u{80}' && pair[1].character() == sign)
    };
    match loss {
        Loss::Space => has(' '),
        Loss::Replaced(sign) => has(sign),
        Loss::Dropped => true,
    }
}

impl Node {
    /// Extends the chain by one undone step. `None` if that changes nothing.
    fn undo(&self, reader: Reader, depth: u8, line: &Row, proven: &[Charset]) -> Option<Self> {
        let row = reader.undo(&self.row, depth)?;
        let mut steps = self.steps.clone();
        steps.push(reader);
        let mut node = Self { steps, row, groups: Vec::new(), score: 0 };
        node.judge(depth, line, &self.row, proven);
        Some(node)
    }

    /// Finds the groups and the score: their saving over the line, if this step alone is worth
    /// something.
    fn judge(&mut self, depth: u8, line: &Row, parent: &Row, proven: &[Charset]) {
        let is_proven = proven.contains(&self.steps[0].charset);
        // Characters that a proven charset could have produced are damage from that charset only.
        let is_damage = |cell: &Cell| {
            !is_proven
                && line.cells[cell.begin as usize..cell.end as usize].iter().all(|cell| {
                    proven.iter().any(|charset| charset.high_byte(cell.character()).is_some())
                })
        };
        let cells = &self.row.cells;
        let charset = self.steps[self.steps.len() - 1].charset;
        let is_left = |cell: &&Cell| cell.depth < depth && cell.character() >= '\u{80}';
        let could = |cell: &&Cell| is_left(cell) && charset.high_byte(cell.character()).is_some();
        let is_strange =
            |cell: &&Cell| could(cell) || is_left(cell) && cell.character().is_alphabetic();
        let (mut sum, mut step, mut strongest) = (0, 0, 0);
        let mut from = 0;
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
                + DOUBT_OF_LOSS * run.iter().filter(|cell| cell.loss.is_some()).count() as i32
                + DOUBT_OF_NEIGHBOUR * near().filter(is_strange).count() as i32
                + if touches && run.iter().all(is_damage) { DOUBT_OF_OTHER } else { 0 };
            let bits = line.saved(head.begin as usize, tail.end as usize, run) - doubt;
            sum += bits.max(0);
            let until = cells.get(last).map_or(parent.cells.len(), |next| next.from as usize);
            let by_step = parent.saved(head.from as usize, until, run) - doubt;
            step += by_step.max(0);
            strongest = strongest.max(by_step);
            self.groups.extend(groups(cells, first, last, bits, by_step));
        }
        let left_over = (cells.iter().filter(could).count() as i32).min(LEFT_OVER);
        let prior = |reader: &Reader| reader.charset.prior() + DOUBT_OF_DEPTH;
        let priors: i32 = self.steps.iter().map(prior).sum();
        let (doubt, least) = match is_proven {
            true => (left_over - BELIEF, -1),
            false => {
                let lost = if self.steps[0].loss.is_some() { DOUBT_OF_LOSS } else { 0 };
                let by_step =
                    step - DOUBT - left_over - lost - prior(&self.steps[depth as usize - 1]);
                if strongest < STRONG || by_step <= 0 {
                    // Worth nothing alone, but possibly part of a longer chain.
                    sum = 0;
                }
                (DOUBT + left_over + lost + priors - DOUBT_OF_DEPTH, 0)
            }
        };
        self.score = sum - doubt;
        // Once the line is proven to be misread, each place needs less evidence.
        let least = if self.score > PROVEN { WEAK } else { least };
        self.groups.retain(|group| group.bits.min(group.by_step) > least);
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
            chain: Chain(steps),
            bits: match self.score {
                proven if proven > PROVEN => proven,
                score if group.bits.min(group.by_step) > 0 => {
                    score.min(group.bits).min(group.by_step)
                }
                score => score,
            },
        }
    }
}

/// Groups the cells of a run with the same origin. Cells with a loss form their own groups.
fn groups(
    cells: &[Cell],
    mut first: usize,
    end: usize,
    bits: i32,
    by_step: i32,
) -> impl Iterator<Item = Group> {
    std::iter::from_fn(move || {
        let cell = cells[first..end].first()?;
        let alike = |other: &&Cell| other.surrogates == cell.surrogates && other.loss.is_none();
        let count = match cell.loss {
            Some(_) => 1,
            None => cells[first..end].iter().take_while(alike).count(),
        };
        let last = first + count;
        let group =
            Group { first, last, begin: cell.begin, end: cells[last - 1].end, bits, by_step };
        first = last;
        Some(group)
    })
}

/// The charsets in which the most pairs of cells could be part of a sequence.
fn candidates(cells: &[Cell], depth: u8) -> Vec<Charset> {
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
        let marks = marks(cell.character());
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
    all
}
