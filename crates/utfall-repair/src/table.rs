//! Tables: lines of cells with the same delimiter. The cells of a column come from one source, so
//! they are misread in the same way, or not at all.

use crate::Charset;
use crate::chain::Step;
use crate::search::Found;

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
/// The evidence, in bits, that such a cell is misread, if it can be repaired completely.
const FOLLOWS: i32 = 10;
/// Extra bits required of a cell in a column of correct cells.
const DOUBT_OF_COLUMN: i32 = 8;

/// The cells of a column so far.
#[derive(Clone, Debug, Default)]
struct Column {
    /// The charset in which cells were misread, and their number.
    charset: Option<Charset>,
    misread: u32,
    /// Cells that are not US-ASCII and were not misread.
    right: u32,
}

/// The part of a table that has been read.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    delimiter: char,
    columns: Vec<Column>,
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
            is_table.then(|| Self { delimiter, columns: vec![Column::default(); first + 1] })
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
            match column.charset {
                Some(charset) if column.is_misread() => {
                    let Some(cell) = whole(&line[begin..end], begin, charset) else { continue };
                    // Text that was misread several times is already found as a whole.
                    if found.iter().any(|found| is_in(found) && found.chain.steps().len() > 1) {
                        continue;
                    }
                    found.retain(|found| !is_in(found));
                    found.extend(cell);
                }
                _ if column.is_right() => {
                    found.iter_mut().filter(|found| is_in(found)).for_each(|found| {
                        found.bits = found.bits.saturating_sub(DOUBT_OF_COLUMN);
                    });
                }
                _ => {}
            }
        }
        found.sort_by_key(|found| found.begin);
    }

    /// Remembers which cells of a line were misread.
    pub(crate) fn learn(&mut self, line: &[char], found: &[Found]) {
        for ((begin, end), column) in self.cells(line).into_iter().zip(&mut self.columns) {
            let mut inside = found.iter().filter(|found| (begin..end).contains(&found.begin));
            let steps = inside.next().map(|found| found.chain.steps());
            match steps {
                Some([Step::Misread { charset, .. }]) => {
                    match column.charset {
                        Some(known) if known != *charset => column.right += 1,
                        _ => column.misread += 1,
                    }
                    column.charset.get_or_insert(*charset);
                }
                Some(_) => {}
                None => {
                    let is_other = line[begin..end].iter().any(|character| *character >= '\u{80}');
                    column.right += u32::from(is_other);
                }
            }
        }
    }
}

impl Column {
    fn is_misread(&self) -> bool {
        self.misread >= LEAST && self.misread >= MOST * self.right
    }

    fn is_right(&self) -> bool {
        self.right >= LEAST && self.right >= MOST * self.misread
    }
}

/// The findings that repair a misread cell, run by run. `None` unless a charset explains every
/// character that is not US-ASCII.
fn whole(cell: &[char], begin: usize, charset: Charset) -> Option<Vec<Found>> {
    let mut all = Vec::new();
    let mut from = 0;
    while let Some(length) = cell[from..].iter().position(|character| *character >= '\u{80}') {
        let first = from + length;
        let run = cell[first..].iter().take_while(|character| **character >= '\u{80}');
        let bytes: Vec<u8> = run.map(|c| charset.high_byte(*c)).collect::<Option<_>>()?;
        let mut place = begin + first;
        let text = std::str::from_utf8(&bytes).ok()?.chars().map(|character| {
            let at = place;
            place += character.len_utf8();
            (at, character)
        });
        let text: Vec<_> = text.collect();
        from = first + bytes.len();
        let chain = Step::Misread { charset, loss: None }.into();
        let (first, end) = (begin + first, begin + from);
        all.push(Found { begin: first, end, text, chain, bits: FOLLOWS });
    }
    (!all.is_empty()).then_some(all)
}
