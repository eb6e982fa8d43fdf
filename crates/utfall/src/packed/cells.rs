//! Tables of East Asian charsets.

use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use super::{Bit, Coder, Number};

/// The bytes of a table, and the part of it that is packed first.
#[derive(Clone, Copy, Debug)]
pub struct Layout {
    /// First and last lead byte.
    pub leads: (u8, u8),
    /// First and last trail byte.
    pub trails: (u8, u8),
    /// Lead and trail bytes of an older standard: the other characters continue it.
    pub older: [(u8, u8); 2],
}

impl Layout {
    /// A table without a part of an older standard.
    #[must_use]
    pub const fn new(leads: (u8, u8), trails: (u8, u8)) -> Self {
        Self { leads, trails, older: [leads, trails] }
    }

    fn width(self) -> usize {
        usize::from(self.trails.1 - self.trails.0) + 1
    }

    /// The places of all cells, in the order in which they are packed.
    fn places(self) -> Vec<usize> {
        let is_older = |lead: u8, trail: u8| {
            let [leads, trails] = self.older;
            (leads.0..=leads.1).contains(&lead) && (trails.0..=trails.1).contains(&trail)
        };
        let mut places = Vec::new();
        for older in [true, false] {
            for lead in self.leads.0..=self.leads.1 {
                for trail in self.trails.0..=self.trails.1 {
                    if is_older(lead, trail) == older {
                        let (row, column) = (lead - self.leads.0, trail - self.trails.0);
                        places.push(usize::from(row) * self.width() + usize::from(column));
                    }
                }
            }
        }
        places
    }
}

/// A cell without a character, in the texts.
const HOLE: char = '.';

/// Characters above are not in tables.
const POINTS: usize = 0x3_0000;
/// Steps from one character to the next are shorter than this, or it is coded without the one before.
const LONG: u32 = 1024;
/// The same for steps back, which are short where two orders of one radical differ.
const LONG_BACK: u32 = 256;

/// Codes tables that share few characters.
#[derive(Debug)]
pub struct Cells {
    used: Vec<bool>,
}

/// The models of a table.
struct Models {
    holes: [Bit; 8],
    repeated: [Bit; 4],
    /// Whether a character is coded without the one before: by whether the last two are, and by the
    /// length of the last step.
    jumps: [[Bit; 16]; 4],
    /// Whether a step goes back: by whether the last three did, and by the length of the last one.
    backs: [[Bit; 16]; 8],
    /// Steps forward and back.
    steps: [[Number; 16]; 2],
    pages: [[Bit; 2048]; 2],
}

impl Cells {
    /// No character is used yet.
    #[must_use]
    pub fn unused() -> Self {
        Self { used: vec![false; POINTS] }
    }

    /// Codes a table: a line for each lead byte with a character for each trail byte.
    pub fn code(&mut self, coder: &mut Coder<'_>, layout: Layout, text: &str) -> String {
        let width = layout.width();
        let places = layout.places();
        let mut cells = vec![HOLE; places.len()];
        for (row, line) in text.lines().enumerate() {
            line.chars().enumerate().for_each(|(column, cell)| cells[row * width + column] = cell);
        }
        let mut models = Models {
            holes: [Bit::NEW; 8],
            repeated: [Bit::NEW; 4],
            jumps: [[Bit::NEW; 16]; 4],
            backs: [[Bit::NEW; 16]; 8],
            steps: [const { [Number::NEW; 16] }; 2],
            pages: [[Bit::NEW; 2048]; 2],
        };
        let (mut last, mut holes, mut jumps, mut backs, mut length) = (0x4E00, 0, 0, 0, 0);
        for place in places {
            let is_hole = coder.bit(&mut models.holes[holes], cells[place] == HOLE);
            holes = holes << 1 & 7 | usize::from(is_hole);
            if is_hole {
                continue;
            }
            let mut point = u32::from(cells[place]);
            let is_used = coder.bit(&mut models.repeated[jumps], self.used[point as usize]);
            let step = if coder.packs() { self.step(last, point, is_used) } else { None };
            let jump = coder.bit(&mut models.jumps[jumps][length], step.is_none());
            jumps = jumps << 1 & 3 | usize::from(jump);
            if jump {
                let page = coder.tree(&mut models.pages[usize::from(is_used)], point >> 7);
                point = page << 7 | coder.raw(7, point & 0x7F);
                length = 12;
            } else {
                let (is_back, step) = step.unwrap_or((false, 0));
                let is_back = coder.bit(&mut models.backs[backs][length], is_back);
                backs = backs << 1 & 7 | usize::from(is_back);
                let model = &mut models.steps[usize::from(is_back)][length];
                let step = coder.number(model, step);
                length = (step + 1).ilog2() as usize;
                point = self.reached(last, is_back, step, is_used);
            }
            self.used[point as usize % POINTS] = true;
            cells[place] = char::from_u32(point).unwrap_or(HOLE);
            last = point;
        }
        let mut text = String::new();
        for row in cells.chunks_exact(width) {
            let end = row.iter().rposition(|cell| *cell != HOLE).map_or(0, |last| last + 1);
            text.extend(&row[..end]);
            text.push('\n');
        }
        text
    }

    /// Whether the step from `last` to `point` goes back, and the number of characters between them, without
    /// used ones unless `is_used`. `None` if it is too long.
    fn step(&self, last: u32, point: u32, is_used: bool) -> Option<(bool, u32)> {
        let is_back = point < last;
        let between = self.used.get(last.min(point) as usize + 1..last.max(point) as usize)?;
        let step = between.iter().filter(|used| is_used || !**used).count() as u32;
        (step < if is_back { LONG_BACK } else { LONG }).then_some((is_back, step))
    }

    /// The character that a step from `last` reaches.
    fn reached(&self, last: u32, is_back: bool, step: u32, is_used: bool) -> u32 {
        let next = |point: u32| if is_back { point.wrapping_sub(1) } else { point + 1 };
        let mut left = step;
        let mut point = next(last);
        while left > 0 || !is_used && self.used.get(point as usize) == Some(&true) {
            left -= u32::from(is_used || self.used.get(point as usize) != Some(&true));
            point = next(point);
        }
        point
    }
}
