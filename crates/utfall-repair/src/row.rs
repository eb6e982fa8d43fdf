//! The characters of a line as a row of cells, and their cost.

use crate::chain::Loss;
use crate::charset::Mark;
use crate::cost::{NOTHING, Weighed};

/// Depth of a cell that an earlier round took.
pub(crate) const TAKEN: u8 = u8::MAX;

/// A character and its origin.
#[derive(Clone, Copy)]
pub(crate) struct Cell {
    pub(crate) weighed: Weighed,
    pub(crate) mark: Mark,
    /// Range of characters in the line.
    pub(crate) begin: u32,
    pub(crate) end: u32,
    /// The first cell of the undone row that it was made from.
    pub(crate) from: u32,
    /// How many steps were undone to obtain it.
    pub(crate) depth: u8,
    /// The last of these steps joined surrogates.
    pub(crate) surrogates: bool,
    pub(crate) loss: Option<Loss>,
}

impl Cell {
    pub(crate) fn character(&self) -> char {
        self.weighed.character()
    }
}

/// Cells and their cost.
#[derive(Clone)]
pub(crate) struct Row {
    pub(crate) cells: Vec<Cell>,
    /// Cost of all cells before each one.
    costs: Vec<i32>,
}

impl Row {
    pub(crate) fn new(cells: Vec<Cell>) -> Self {
        let mut costs = Vec::with_capacity(cells.len() + 2);
        let (mut sum, mut before) = (0, [NOTHING; 2]);
        costs.push(0);
        for weighed in cells.iter().map(|cell| cell.weighed).chain([NOTHING]) {
            sum += weighed.cost(before);
            costs.push(sum);
            before = [weighed, before[0]];
        }
        Self { cells, costs }
    }

    pub(crate) fn of_line(line: &[char]) -> Self {
        let cell = |(index, &character): (usize, &char)| Cell {
            weighed: Weighed::new(character),
            mark: Mark::of(character),
            begin: index as u32,
            end: index as u32 + 1,
            from: 0,
            depth: 0,
            surrogates: false,
            loss: None,
        };
        Self::new(line.iter().enumerate().map(cell).collect())
    }

    pub(crate) fn weighed(&self, index: Option<usize>) -> Weighed {
        let cell = index.and_then(|index| self.cells.get(index));
        cell.map_or(NOTHING, |cell| cell.weighed)
    }

    /// How many bits `others` save as a replacement for the cells from `begin` to `end`.
    pub(crate) fn saved(&self, begin: usize, end: usize, others: &[Cell]) -> i32 {
        let mut before =
            [begin.checked_sub(1), begin.checked_sub(2)].map(|index| self.weighed(index));
        let mut sum = 0;
        for cell in others {
            sum += cell.weighed.cost(before);
            before = [cell.weighed, before[0]];
        }
        // The next cell may cost less or more after its new neighbour.
        sum += self.weighed(Some(end)).cost(before);
        self.costs[end + 1] - self.costs[begin] - sum
    }
}
