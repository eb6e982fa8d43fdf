//! Tables of single-byte charsets.

use alloc::vec;
use alloc::vec::Vec;

use super::{Bit, Coder};

/// The code points of the bytes of a charset.
pub type Row = [u16; 256];

/// The low bits of a code point, whose models are those of its page.
const LOW: u32 = 7;
const PAGES: usize = 1 << (16 - LOW);
/// Contexts of a page: the last one, by its lowest bits.
const NEAR: usize = 64;

struct Models {
    /// Whether a cell is that of the first or second similar row: by the half of the row, and by the answers
    /// for the last cells.
    similar: [[[Bit; 16]; 2]; 2],
    /// Whether it is the one after the last code point that was in neither.
    next: [Bit; 8],
    pages: Vec<[Bit; PAGES]>,
    lows: Vec<[Bit; 1 << LOW]>,
}

/// Codes tables. Most have much in common with two of those before them.
///
/// Returns this many of them, which `rows` has if they are packed.
pub fn code(coder: &mut Coder<'_>, count: usize, rows: &[Row]) -> Vec<Row> {
    let mut models = Models {
        similar: [[[Bit::NEW; 16]; 2]; 2],
        next: [Bit::NEW; 8],
        pages: vec![[Bit::NEW; PAGES]; NEAR],
        lows: vec![[Bit::NEW; 1 << LOW]; PAGES],
    };
    // Before the first is ISO 8859-1.
    let mut known = vec![core::array::from_fn(|byte| byte as u16)];
    for at in 0..count {
        let [first, second] = match rows.get(at) {
            Some(row) => most_similar(&known, row),
            None => [0; 2],
        };
        let bits = at.checked_ilog2().map_or(0, |bits| bits + 1);
        let [first, second] = [first, second].map(|row| coder.raw(bits, row as u32) as usize);
        let row = models.row(coder, [known[first], known[second]], rows.get(at));
        known.push(row);
    }
    known.split_off(1)
}

/// The row that has most cells of another one, and the row that has most of its other cells.
fn most_similar(known: &[Row], row: &Row) -> [usize; 2] {
    let best = |has: &dyn Fn(usize, usize) -> bool| {
        let common = |at: &usize| (0..256).filter(|byte| has(*at, *byte)).count();
        (0..known.len()).max_by_key(common).unwrap_or(0)
    };
    let first = best(&|at, byte| known[at][byte] == row[byte]);
    let second = best(&|at, byte| known[at][byte] == row[byte] && known[first][byte] != row[byte]);
    [first, second]
}

impl Models {
    fn row(&mut self, coder: &mut Coder<'_>, similar: [Row; 2], row: Option<&Row>) -> Row {
        let mut made = [0; 256];
        let (mut last, mut histories, mut nexts) = (0, [0; 2], 0);
        for byte in 0..256 {
            let unit = row.map_or(0, |row| row[byte]);
            let mut found = None;
            for (at, row) in similar.iter().enumerate() {
                if found.is_some() || at > 0 && row[byte] == similar[0][byte] {
                    continue;
                }
                let model = &mut self.similar[at][byte >> 7][histories[at]];
                let is_it = coder.bit(model, unit == row[byte]);
                histories[at] = histories[at] << 1 & 15 | usize::from(is_it);
                found = is_it.then_some(row[byte]);
            }
            made[byte] = found.unwrap_or_else(|| {
                let is_next = coder.bit(&mut self.next[nexts], unit == last + 1);
                nexts = nexts << 1 & 7 | usize::from(is_next);
                last = if is_next { last + 1 } else { self.unit(coder, last, unit) };
                last
            });
        }
        made
    }

    /// Codes a code point after another one.
    fn unit(&mut self, coder: &mut Coder<'_>, last: u16, unit: u16) -> u16 {
        let near = usize::from(last >> LOW) % NEAR;
        let page = coder.tree(&mut self.pages[near], u32::from(unit >> LOW));
        let low = coder.tree(&mut self.lows[page as usize], u32::from(unit) & ((1 << LOW) - 1));
        (page << LOW | low) as u16
    }
}
