//! Finds UTF-8 sequences in the bytes that characters map to in a charset.

use crate::Charset;
use crate::chain::{Loss, is_dropped};
use crate::charset::Mark;
use crate::cost::{NOTHING, Weighed, letters};
use crate::row::{Cell, Row, TAKEN};
use crate::search::LOSSES;

/// How many bits likelier the best candidate for a lost byte must be than any other.
const DETERMINED: i32 = 6;

/// The bytes from 80 to 9F, and the byte A0, in sets of continuation bytes.
const CONTROLS: u64 = 0xFFFF_FFFF;
const NO_BREAK_SPACE: u64 = 1 << (0xA0 - 0x80);

/// A charset, and how its decoder may have lost unmapped bytes.
#[derive(Clone, Copy)]
pub(crate) struct Reader {
    pub(crate) charset: Charset,
    pub(crate) loss: Option<Loss>,
}

/// A sequence that lacks one byte.
struct Broken {
    bytes: [u8; 4],
    place: usize,
    length: usize,
}

impl Reader {
    /// Which losses the row has traces of: a sequence that ends too early, with the right character after it. Without
    /// them, nothing can be restored.
    pub(crate) fn broken(self, row: &Row) -> [bool; LOSSES.len()] {
        let mut found = [false; LOSSES.len()];
        for (from, cell) in row.cells.iter().enumerate() {
            let Some(length) = self.byte(Some(cell), 1).and_then(length) else { continue };
            let is_more = |cell: &&Cell| self.byte(Some(cell), 1).is_some_and(|byte| byte < 0xC0);
            let rest = row.cells[from + 1..].iter().take(length - 1);
            let place = 1 + rest.take_while(is_more).count();
            if place < length {
                let there = row.cells.get(from + place).filter(|cell| cell.depth == 0);
                let there = there.map(Cell::character);
                for (found, loss) in found.iter_mut().zip(LOSSES) {
                    *found |= is_trace(loss, there);
                }
            }
        }
        found
    }

    /// Joins every UTF-8 sequence of the row to one cell. Returns `None` if there is none, or if
    /// there is no loss although one was requested.
    pub(crate) fn undo(self, row: &Row, depth: u8) -> Option<Row> {
        let may_lack_controls = self.loss == Some(Loss::Dropped) && !self.has_controls(row);
        // The sequences: where each begins, its cell, and how many it joins.
        let mut joined: Vec<(usize, Cell, usize)> = Vec::new();
        let mut from = 0;
        while from < row.cells.len() {
            // Most cells begin no sequence.
            if self.byte(row.cells.get(from), depth).and_then(length).is_none() {
                from += 1;
                continue;
            }
            let last = match joined.last() {
                Some((begin, cell, count)) if begin + count == from => Some(cell),
                _ => row.cells[..from].last(),
            };
            match self.sequence(row, from, depth, last, may_lack_controls) {
                Some((cell, count)) => {
                    joined.push((from, cell, count));
                    from += count;
                }
                None if self.is_unresolved(row, from) => return None,
                None => from += 1,
            }
        }
        let has_lost = || joined.iter().any(|(_, cell, _)| cell.loss.is_some());
        let is_sound = match self.loss {
            None => !joined.is_empty(),
            // If other bytes are missing too, the loss was not of U+00A0 alone.
            Some(Loss::Space) => has_lost() && !self.is_cut(row),
            Some(_) => has_lost(),
        };
        if !is_sound {
            return None;
        }
        let mut cells: Vec<Cell> = Vec::with_capacity(row.cells.len());
        let mut from = 0;
        let kept = |from: usize, end: usize| {
            (from..end).map(|at| Cell { from: at as u32, ..row.cells[at] })
        };
        for (begin, cell, count) in joined {
            cells.extend(kept(from, begin));
            cells.push(Cell { from: begin as u32, ..cell });
            from = begin + count;
        }
        cells.extend(kept(from, row.cells.len()));
        Some(Row::new(cells))
    }

    /// Whether a sequence that begins at `from` lost a byte in the way to be undone, and it is not known
    /// which. Then nothing is known of the others that did.
    fn is_unresolved(self, row: &Row, from: usize) -> bool {
        let is_lost = |character| match self.loss {
            Some(Loss::Replaced(sign)) => character == sign,
            Some(Loss::Dropped) => matches!(character, '?' | char::REPLACEMENT_CHARACTER),
            _ => false,
        };
        row.cells.get(from + 1).is_some_and(|cell| is_lost(cell.character()))
    }

    /// Whether the row has a byte from 80 to 9F. Then it was not read as ISO-8859-1 by a decoder that drops
    /// C1 controls.
    fn has_controls(self, row: &Row) -> bool {
        row.cells.iter().any(|cell| matches!(self.byte(Some(cell), 1), Some(0x80..=0x9F)))
    }

    /// Whether a sequence ends too early, and not before a space. A letter that maps to the first
    /// byte of a three- or four-byte sequence may be correct text, and does not count.
    fn is_cut(self, row: &Row) -> bool {
        (0..row.cells.len()).any(|at| {
            let (length, least) = match self.byte(row.cells.get(at), 1) {
                Some(0xC2..=0xDF) => (2, 1),
                Some(0xE0..=0xEF) => (3, 2),
                Some(0xF0..=0xF4) => (4, 2),
                _ => return false,
            };
            let is_more = |cell: &&Cell| {
                self.byte(Some(cell), 1).is_some_and(|byte| (0x80..=0xBF).contains(&byte))
            };
            let found = 1 + row.cells[at + 1..].iter().take(length - 1).take_while(is_more).count();
            let next = row.cells.get(at + found);
            (least..length).contains(&found)
                && next.is_none_or(|cell| cell.depth == 0 && cell.character() != ' ')
        })
    }

    /// The byte from 80 up that a cell maps to, if the cell may be joined.
    fn byte(self, cell: Option<&Cell>, depth: u8) -> Option<u8> {
        let cell = cell.filter(|cell| cell.depth == depth - 1)?;
        match self.charset.byte(cell.mark) {
            0 => None,
            byte => Some(byte),
        }
    }

    /// The sequence at `from` as one cell, with the number of cells that it joins.
    fn sequence(
        self,
        row: &Row,
        from: usize,
        depth: u8,
        last: Option<&Cell>,
        may_lack_controls: bool,
    ) -> Option<(Cell, usize)> {
        let cells = &row.cells[from..];
        let lead = self.byte(cells.first(), depth)?;
        let length = length(lead)?;
        let mut bytes = [lead, 0, 0, 0];
        for place in 1..length {
            let byte = self.byte(cells.get(place), depth);
            match byte.filter(|byte| (0x80..=0xBF).contains(byte)) {
                Some(byte) => bytes[place] = byte,
                None => {
                    let broken = Broken { bytes, place, length };
                    return self.lossy(row, from, broken, last, may_lack_controls);
                }
            }
        }
        let joined = |character, count: usize, surrogates| {
            let mut losses = cells[..count].iter().filter_map(|cell| cell.loss);
            let (loss, end) = (losses.next(), cells[count - 1].end);
            let weighed = Weighed::new(character);
            let mark = Mark::of(character);
            let cell = Cell { weighed, mark, end, depth, surrogates, loss, ..cells[0] };
            losses.next().is_none().then_some((cell, count))
        };
        if let Some(high) = surrogate(&bytes).filter(|unit| *unit < 0xDC00) {
            let mut low = [0; 3];
            for (place, byte) in low.iter_mut().enumerate() {
                *byte = self.byte(cells.get(3 + place), depth)?;
            }
            // A low surrogate must follow.
            let units = [high, surrogate(&low)?];
            let character = char::decode_utf16(units).next()?.ok()?;
            return joined(character, 6, true);
        }
        joined(decoded(&bytes[..length])?, length, false)
    }

    /// Whether a sequence begins at a cell.
    fn is_misread(self, row: &Row, at: usize) -> bool {
        Self { loss: None, ..self }.sequence(row, at, 1, None, false).is_some()
    }

    /// Whether a small letter that may follow `Š` begins at a cell: a restored one, or a sequence.
    fn goes_on(self, row: &Row, at: usize) -> bool {
        let restored = row.cells.get(at).filter(|cell| cell.depth == TAKEN).copied();
        let sequence = || Self { loss: None, ..self }.sequence(row, at, 1, None, false);
        let cell = restored.or_else(|| sequence().map(|(cell, _)| cell));
        cell.map(|cell| cell.character()).is_some_and(|next| {
            next.is_lowercase() && next >= '\u{80}' && letters::follow('š', next)
        })
    }

    /// A sequence with one byte lost, if the rest determines that byte.
    fn lossy(
        self,
        row: &Row,
        from: usize,
        Broken { mut bytes, place, length }: Broken,
        last: Option<&Cell>,
        may_lack_controls: bool,
    ) -> Option<(Cell, usize)> {
        let (loss, cells) = (self.loss?, &row.cells[from..]);
        let there = cells.get(place).filter(|cell| cell.depth == 0).map(Cell::character);
        if !is_trace(loss, there) {
            return None;
        }
        // The bytes after the lost one are intact.
        let mut count = place + usize::from(loss != Loss::Dropped);
        for byte in &mut bytes[place + 1..length] {
            *byte = self.byte(cells.get(count), 1)?;
            count += 1;
        }
        let next = row.weighed(Some(from + count));
        // A space that separates two words is a real space, unless `Â` made U+00A0 of it, or a capital
        // that begins a word ends there: `Å koda`.
        let begins_word = last.is_none_or(|cell| !cell.weighed.is_of_word());
        let is_capital = bytes[..length] == [0xC5, 0]
            && begins_word
            && (next.is_plain_lower() || self.goes_on(row, from + count));
        // After `Ã`, which would be `à`, it separates words in any case.
        let is_of_word = next.is_of_word() || self.is_misread(row, from + count);
        let is_of_next = next.is_plain_letter() || bytes[0] == 0xC3 && is_of_word;
        if loss == Loss::Space && is_of_next && bytes[0] != 0xC2 && !is_capital {
            return None;
        }
        // The preceding character must be known as context.
        if last.is_some_and(|cell| self.byte(Some(cell), 1).is_some()) {
            return None;
        }
        let last = last.map_or(NOTHING, |cell| cell.weighed);
        let before = [last, row.weighed(from.checked_sub(2))];
        let mut best: Option<(i32, Weighed, u8)> = None;
        let mut second = i32::MAX;
        // U+00A0 before a space, or at the end, may have gone with the white space.
        let may_be_trimmed =
            loss == Loss::Dropped && there.is_none_or(|there| there.is_ascii_whitespace());
        // The continuation bytes that may have been lost: the lowest bit is that of 80.
        let lost = match loss {
            Loss::Space | Loss::Trimmed => NO_BREAK_SPACE,
            Loss::Replaced(_) => {
                let more = self.charset.lost().iter().filter(|byte| **byte < 0xC0);
                more.fold(0, |all, byte| all | 1 << (byte - 0x80))
            }
            Loss::Dropped if may_lack_controls => self.charset.dropped() as u64 | CONTROLS,
            Loss::Dropped => self.charset.dropped() as u64,
        };
        // A dropped byte may have been anywhere before this place.
        let first_place = if loss == Loss::Dropped { 1 } else { place };
        for at in (first_place..=place).rev() {
            let mut whole = bytes;
            whole.copy_within(at..place, at + 1);
            let mut possible = lost;
            if may_be_trimmed && at + 1 == length {
                possible |= NO_BREAK_SPACE;
            }
            while possible > 0 {
                let byte = 0x80 + possible.trailing_zeros() as u8;
                possible &= possible - 1;
                whole[at] = byte;
                let Some(character) = decoded(&whole[..length]) else { continue };
                let weighed = Weighed::new(character);
                let cost = weighed.cost(before) + next.cost([weighed, last]);
                match best {
                    Some((_, best, _)) if best.character() == character => {}
                    Some((least, ..)) if cost >= least => second = second.min(cost),
                    _ => {
                        second = best.map_or(second, |(least, ..)| least);
                        best = Some((cost, weighed, byte));
                    }
                }
            }
        }
        let (cost, weighed, byte) = best?;
        // Bytes that this charset does not drop only compete.
        if loss == Loss::Dropped && !is_dropped(self.charset, byte) {
            return None;
        }
        // A byte that seems dropped before a space may be A0, which became that space.
        if loss == Loss::Dropped && there == Some(' ') && place + 1 == length {
            bytes[place] = 0xA0;
            if let Some(character) = decoded(&bytes[..length]) {
                let after = row.weighed(Some(from + count + 1));
                let whole = Weighed::new(character);
                let other = whole.cost(before) + after.cost([whole, last]);
                second = second.min(other - after.cost([next, weighed]));
            }
        }
        if second.saturating_sub(cost) < DETERMINED {
            return None;
        }
        let end = cells[count - 1].end;
        let mark = Mark::of(weighed.character());
        Some((Cell { weighed, mark, end, depth: 1, loss: Some(loss), ..cells[0] }, count))
    }
}

/// The length of the sequence that a byte begins.
fn length(lead: u8) -> Option<usize> {
    match lead {
        0xC2..=0xDF => Some(2),
        0xE0..=0xEF => Some(3),
        0xF0..=0xF4 => Some(4),
        _ => None,
    }
}

/// The character of a sequence, if it is valid.
fn decoded(bytes: &[u8]) -> Option<char> {
    let (lead, rest) = bytes.split_first()?;
    let least = match rest.len() {
        1 => '\u{80}',
        2 => '\u{800}',
        _ => '\u{10000}',
    };
    let mut code = u32::from(lead & (0x7F >> bytes.len()));
    for byte in rest {
        if byte & 0xC0 != 0x80 {
            return None;
        }
        code = code << 6 | u32::from(byte & 0x3F);
    }
    char::from_u32(code).filter(|character| *character >= least)
}

/// Whether the character after a part of a sequence, if any, may be the trace of a loss.
fn is_trace(loss: Loss, there: Option<char>) -> bool {
    match loss {
        Loss::Space => there == Some(' '),
        // `halved` finds these.
        Loss::Trimmed => false,
        Loss::Replaced(sign) => there == Some(sign),
        Loss::Dropped => there != Some(char::REPLACEMENT_CHARACTER),
    }
}

/// The surrogate that three bytes encode in CESU-8.
fn surrogate(bytes: &[u8]) -> Option<u16> {
    match *bytes {
        [0xED, second @ 0xA0..=0xBF, third @ 0x80..=0xBF, ..] => {
            Some(0xD800 | u16::from(second - 0xA0) << 6 | u16::from(third & 0x3F))
        }
        _ => None,
    }
}
