//! Tables: lines of cells with the same delimiter. The cells of a column come from one source, so
//! they are misread in the same way, or not at all.

use crate::cost::{NOTHING, Weighed};
use crate::guard::Reason;
use crate::search::Found;
use crate::{Charset, spelling, uniform};

/// The delimiters that are tried, in this order.
const DELIMITERS: [char; 4] = ['\t', ';', '|', ','];
/// How many lines a table must have.
const LINES: usize = 4;
/// How many lines are examined.
const SAMPLE: usize = 64;
/// The most cells in a line.
const CELLS: usize = 64;
/// How many cells of a column must be misread before the rest of it follows.
const LEAST: u32 = 2;
/// How many misread cells such a column must have for each correct one.
const MOST: u32 = 4;
/// How many explanations of a column are compared.
const CANDIDATES: usize = 6;
/// The evidence, in bits, that such a cell is misread, if it can be repaired completely.
const FOLLOWS: i32 = 10;
/// Extra bits required of a cell in a column of correct cells.
const DOUBT_OF_COLUMN: i32 = 8;

/// Charsets that may explain the cells of a column, in the order in which they were misread.
#[derive(Clone, Debug)]
struct Candidate {
    charsets: Vec<Charset>,
    /// Cells that they explain completely.
    explained: u32,
    /// How improbable the sample would be, and how badly its letters would fit together, in bits.
    doubt: i32,
}

/// The cells of a column so far.
#[derive(Clone, Debug, Default)]
struct Column {
    candidates: Vec<Candidate>,
    /// Cells that are not US-ASCII.
    all: u32,
    /// Cells that were misread according to their lines.
    misread: u32,
    /// How many misread cells have their restored text in the same line.
    shown: u32,
    /// The cells to examine again once all candidates are known.
    sample: Vec<Vec<char>>,
}

/// The part of a table that has been read.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    delimiter: char,
    columns: Vec<Column>,
    /// Whether to collect cells for the recount. Only those at the start of the text are recounted.
    samples: bool,
}

impl Table {
    /// Recognizes a table at the start of a text: most lines have the same number of delimiters.
    pub(crate) fn of(start: &[u8]) -> Option<Self> {
        let lines: Vec<&[u8]> = start.split(|byte| *byte == b'\n').take(SAMPLE + 1).collect();
        // The last one may be cut.
        let lines = lines.split_last()?.1;
        if lines.len() < LINES {
            return None;
        }
        DELIMITERS.into_iter().find_map(|delimiter| {
            let count = |line: &&[u8]| line.iter().filter(|byte| **byte == delimiter as u8).count();
            let counts: Vec<usize> = lines.iter().map(count).collect();
            let times = |count: &usize| counts.iter().filter(|other| *other == count).count();
            let first = counts.iter().copied().max_by_key(times)?;
            let alike = times(&first);
            let is_table = (1..CELLS).contains(&first) && alike * 10 >= lines.len() * 9;
            is_table.then(|| {
                let columns = vec![Column::default(); first + 1];
                Self { delimiter, columns, samples: true }
            })
        })
    }

    pub(crate) fn delimiter(&self) -> char {
        self.delimiter
    }

    /// The cells of a line, as ranges of characters. Empty if it does not belong to the table.
    fn cells(&self, line: &[char]) -> Vec<(usize, usize)> {
        let end = line.iter().position(|c| matches!(c, '\r' | '\n')).unwrap_or(line.len());
        let mut cells = Vec::with_capacity(self.columns.len());
        let mut begin = 0;
        for cell in line[..end].split(|character| *character == self.delimiter) {
            cells.push((begin, begin + cell.len()));
            begin += cell.len() + 1;
        }
        if cells.len() != self.columns.len() {
            cells.clear();
        }
        cells
    }

    /// Adjusts the findings of a line to its columns: cells follow their column, and weak findings
    /// in a column that is otherwise right are dropped.
    pub(crate) fn adjust(&self, line: &[char], found: &mut Vec<Found>) {
        for ((begin, end), column) in self.cells(line).into_iter().zip(&self.columns) {
            let is_in = |found: &Found| (begin..end).contains(&found.begin);
            match column.misread() {
                Some(charsets) => {
                    let cell = uniform::whole(&line[begin..end], begin, charsets, FOLLOWS);
                    let Some(cell) = cell else { continue };
                    // Text that was misread more often is already found as a whole.
                    let is_deeper = |found: &Found| found.chain.steps().len() > charsets.len();
                    if found.iter().any(|found| is_in(found) && is_deeper(found)) {
                        continue;
                    }
                    found.retain(|found| !is_in(found));
                    found.extend(cell);
                }
                None if column.is_right() => {
                    found.iter_mut().filter(|found| is_in(found)).for_each(|found| {
                        found.bits = found.bits.saturating_sub(DOUBT_OF_COLUMN);
                    });
                }
                None => {}
            }
        }
        found.sort_by_key(|found| found.begin);
    }

    /// Skips a column if most of its cells show misread text on purpose. In other misread columns,
    /// repairs even the cells that seem to show it on purpose.
    pub(crate) fn settle(
        &self,
        line: &[char],
        found: &mut Vec<Found>,
        left: &mut Vec<(Found, Reason)>,
    ) {
        for ((begin, end), column) in self.cells(line).into_iter().zip(&self.columns) {
            let is_in = |found: &Found| (begin..end).contains(&found.begin);
            if column.misread().is_none() {
                continue;
            }
            if column.is_shown() {
                let shown = found.extract_if(.., |found| is_in(found));
                left.extend(shown.map(|found| (found, Reason::Restored)));
            } else {
                let kept =
                    left.extract_if(.., |(found, reason)| is_in(found) && *reason != Reason::Topic);
                found.extend(kept.map(|(found, _)| found));
            }
        }
        found.sort_by_key(|found| found.begin);
    }

    /// Remembers which cells of a line were misread.
    pub(crate) fn learn(&mut self, line: &[char], found: &[Found], left: &[(Found, Reason)]) {
        let samples = self.samples;
        for ((begin, end), column) in self.cells(line).into_iter().zip(&mut self.columns) {
            let cell = &line[begin..end];
            let is_full = samples && column.sample.len() >= SAMPLE;
            if is_full || cell.iter().all(|character| *character < '\u{80}') {
                continue;
            }
            let is_in = |found: &&Found| (begin..end).contains(&found.begin);
            let shown = left.iter().find(|(found, reason)| {
                is_in(&found) && matches!(reason, Reason::Restored | Reason::Quoted)
            });
            let misread = found.iter().find(is_in).or(shown.map(|(found, _)| found));
            column.all += 1;
            column.shown += u32::from(shown.is_some());
            if let Some(charsets) = misread.and_then(|found| uniform::charsets(&found.chain)) {
                column.misread += 1;
                column.add(charsets);
            }
            for candidate in &mut column.candidates {
                candidate.count(cell);
            }
            if samples {
                column.sample.push(cell.to_vec());
            }
        }
    }

    /// Counts the cells so far again, with all candidates.
    pub(crate) fn recount(&mut self) {
        self.samples = false;
        for column in &mut self.columns {
            let sample = std::mem::take(&mut column.sample);
            let recount = |candidate: &mut Candidate| candidate.recount(&sample);
            column.candidates.iter_mut().for_each(recount);
            if column.misread < LEAST {
                continue;
            }
            // Several charsets restore most cells to the same text. The cells that tell them apart may be
            // too few to have added the right charset as a candidate.
            let Some(best) = column.best() else { continue };
            let mut others = best.variants();
            others.iter_mut().for_each(recount);
            others.retain(|other| other.merit() > best.merit());
            others.sort_by_key(|other| std::cmp::Reverse(other.merit()));
            others.truncate(CANDIDATES);
            column.candidates.extend(others);
        }
    }
}

impl Candidate {
    fn new(charsets: Vec<Charset>) -> Self {
        Self { charsets, explained: 0, doubt: 0 }
    }

    /// The same with one charset exchanged.
    fn variants(&self) -> Vec<Self> {
        let exchanged = |place: usize| {
            Charset::all().map(move |charset| {
                let mut charsets = self.charsets.clone();
                charsets[place] = charset;
                Self::new(charsets)
            })
        };
        (0..self.charsets.len()).flat_map(exchanged).collect()
    }

    /// A sort key, higher for better explanations: cells explained, number of charsets, likelihood.
    fn merit(&self) -> (u32, usize, i32) {
        let prior: i32 = self.charsets.iter().map(|charset| charset.prior()).sum();
        (self.explained, self.charsets.len(), -self.doubt.saturating_add(prior))
    }

    /// Counts a cell, and returns it as it would be restored.
    fn count(&mut self, cell: &[char]) -> Option<Vec<char>> {
        let found = uniform::whole(cell, 0, &self.charsets, FOLLOWS)?;
        self.explained += 1;
        let mut text = Vec::with_capacity(cell.len());
        let mut at = 0;
        for found in &found {
            text.extend(&cell[at..found.begin]);
            text.extend(found.text.iter().map(|(_, character)| *character));
            at = found.end;
        }
        text.extend(&cell[at..]);
        Some(text)
    }

    /// Counts the cells of a sample that it explains, and rates their restored text as a whole.
    fn recount(&mut self, sample: &[Vec<char>]) {
        self.explained = 0;
        let texts: Vec<Vec<char>> = sample.iter().filter_map(|cell| self.count(cell)).collect();
        let text = texts.join(&'\n');
        let (mut cost, mut before) = (0, [NOTHING; 2]);
        for weighed in text.iter().map(|character| Weighed::new(*character)) {
            cost += weighed.cost(before);
            before = [weighed, before[0]];
        }
        self.doubt = spelling::doubt(&text, |_| true) + cost;
    }
}

impl Column {
    fn add(&mut self, charsets: Vec<Charset>) {
        let is_known = self.candidates.iter().any(|candidate| candidate.charsets == charsets);
        if !is_known && self.candidates.len() < CANDIDATES {
            self.candidates.push(Candidate::new(charsets));
        }
    }

    /// The best candidate, the first of equals.
    fn best(&self) -> Option<&Candidate> {
        self.candidates.iter().rev().max_by_key(|candidate| candidate.merit())
    }

    /// The charsets as which the column was misread, if it was.
    fn misread(&self) -> Option<&[Charset]> {
        let best = self.best()?;
        let is_misread =
            self.misread >= LEAST && best.explained >= MOST * (self.all - best.explained);
        is_misread.then_some(&best.charsets)
    }

    fn is_right(&self) -> bool {
        let right = self.all - self.best().map_or(0, |best| best.explained);
        right >= LEAST && right >= MOST * self.misread
    }

    fn is_shown(&self) -> bool {
        self.shown * 2 > self.misread
    }
}
