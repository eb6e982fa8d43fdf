//! SCSU (UTS #6; §7).

use crate::{Encoded, Item, is_high, is_low, is_scalar, join, split};

/// UTS #6 table 4: the windows that are only accessible by quoting.
const STATIC: [u32; 8] = [0x0000, 0x0080, 0x0100, 0x0300, 0x2000, 0x2080, 0x2100, 0x3000];

/// UTS #6 table 5: the initial positions of the movable windows.
const INITIAL: [u32; 8] = [0x0080, 0x00C0, 0x0400, 0x0600, 0x0900, 0x3040, 0x30A0, 0xFF00];

struct State {
    unicode_mode: bool,
    active: usize,
    windows: [u32; 8],
}

enum Found {
    Point(u32, usize),
    Command(usize),
    Ill(usize),
}

pub(crate) fn decode(bytes: &[u8], items: &mut Vec<Item>) {
    let mut state = State { unicode_mode: false, active: 0, windows: INITIAL };
    let mut offset = 0;
    while offset < bytes.len() {
        let rest = &bytes[offset..];
        let found = match state.unit(rest) {
            Some((unit, length)) => state.unit_or_pair(unit, length, rest),
            None if state.unicode_mode => state.unicode_tag(rest),
            None => state.single_byte(rest),
        };
        offset += match found {
            Found::Point(point, length) => {
                items.push(Item::Point(point));
                length
            }
            Found::Command(length) => length,
            Found::Ill(length) => {
                items.push(Item::Ill { offset, length });
                length
            }
        };
    }
}

/// US-ASCII and Latin-1 in the initial state, controls quoted with SQ0, the rest of the BMP quoted
/// with SQU, and a short switch to Unicode mode for each code point above FFFF.
pub(crate) fn encode(points: &[u32], bytes: &mut Vec<u8>) -> Encoded {
    for (index, &point) in points.iter().enumerate() {
        if !is_scalar(point) {
            return Err(index);
        }
        match point {
            0x00 | 0x09 | 0x0A | 0x0D | 0x20..=0xFF => bytes.push(point as u8),
            0x01..=0x1F => bytes.extend([0x01, point as u8]),
            0x100..=0xFFFF => {
                bytes.push(0x0E);
                bytes.extend((point as u16).to_be_bytes());
            }
            _ => {
                let (high, low) = split(point);
                bytes.push(0x0F);
                bytes.extend((high as u16).to_be_bytes());
                bytes.extend((low as u16).to_be_bytes());
                bytes.push(0xE0);
            }
        }
    }
    Ok(())
}

impl State {
    /// The 16-bit unit at the start of `rest`, quoted or plain, and its length.
    fn unit(&self, rest: &[u8]) -> Option<(u32, usize)> {
        let (high, low, length) = match (self.unicode_mode, rest) {
            (false, [0x0E, high, low, ..]) => (high, low, 3),
            (true, [0xF0, high, low, ..]) => (high, low, 3),
            (true, [high @ (0x00..=0xDF | 0xF3..=0xFF), low, ..]) => (high, low, 2),
            _ => return None,
        };
        Some((u16::from_be_bytes([*high, *low]).into(), length))
    }

    fn unit_or_pair(&self, unit: u32, length: usize, rest: &[u8]) -> Found {
        if is_high(unit) {
            match self.unit(&rest[length..]) {
                Some((low, more)) if is_low(low) => Found::Point(join(unit, low), length + more),
                _ => Found::Ill(length),
            }
        } else if is_low(unit) {
            Found::Ill(length)
        } else {
            Found::Point(unit, length)
        }
    }

    /// Single-byte mode, everything except a complete SQU.
    fn single_byte(&mut self, rest: &[u8]) -> Found {
        let first = rest[0];
        match first {
            // Controls that represent themselves, and US-ASCII.
            0x00 | 0x09 | 0x0A | 0x0D | 0x20..=0x7F => Found::Point(first.into(), 1),
            // SQ0–SQ7
            0x01..=0x08 => match rest.get(1) {
                Some(&byte) => Found::Point(self.quote(usize::from(first - 0x01), byte), 2),
                None => Found::Ill(1),
            },
            // SDX
            0x0B => self.define_extended(rest),
            // Reserved
            0x0C => Found::Ill(1),
            // SQU, cut off
            0x0E => Found::Ill(rest.len()),
            // SCU
            0x0F => {
                self.unicode_mode = true;
                Found::Command(1)
            }
            // SC0–SC7
            0x10..=0x17 => self.select(usize::from(first - 0x10)),
            // SD0–SD7
            0x18..=0x1F => self.define(usize::from(first - 0x18), rest),
            0x80..=0xFF => Found::Point(self.windows[self.active] + u32::from(first - 0x80), 1),
        }
    }

    /// Unicode mode, everything except complete units.
    fn unicode_tag(&mut self, rest: &[u8]) -> Found {
        let first = rest[0];
        match first {
            // UC0–UC7
            0xE0..=0xE7 => self.select(usize::from(first - 0xE0)),
            // UD0–UD7
            0xE8..=0xEF => self.define(usize::from(first - 0xE8), rest),
            // UDX
            0xF1 => self.define_extended(rest),
            // Reserved
            0xF2 => Found::Ill(1),
            // UQU or a plain unit, cut off
            _ => Found::Ill(rest.len()),
        }
    }

    fn quote(&self, window: usize, byte: u8) -> u32 {
        match byte {
            0x00..=0x7F => STATIC[window] + u32::from(byte),
            0x80..=0xFF => self.windows[window] + u32::from(byte - 0x80),
        }
    }

    /// Switches to single-byte mode with that window.
    fn select(&mut self, window: usize) -> Found {
        self.unicode_mode = false;
        self.active = window;
        Found::Command(1)
    }

    fn define(&mut self, window: usize, rest: &[u8]) -> Found {
        let Some(&index) = rest.get(1) else {
            return Found::Ill(1);
        };
        let Some(start) = window_start(index) else {
            return Found::Ill(2);
        };
        self.windows[window] = start;
        self.select(window);
        Found::Command(2)
    }

    /// Three bits of window number, thirteen bits of window position.
    fn define_extended(&mut self, rest: &[u8]) -> Found {
        let [_, high, low, ..] = *rest else {
            return Found::Ill(rest.len());
        };
        let window = usize::from(high / 0x20);
        self.windows[window] = 0x1_0000 + 0x80 * (u32::from(high % 0x20) * 0x100 + u32::from(low));
        self.select(window);
        Found::Command(3)
    }
}

/// UTS #6 table 3.
fn window_start(index: u8) -> Option<u32> {
    let steps = u32::from(index) * 0x80;
    match index {
        0x01..=0x67 => Some(steps),
        0x68..=0xA7 => Some(steps + 0xAC00),
        0xF9 => Some(0x00C0),
        0xFA => Some(0x0250),
        0xFB => Some(0x0370),
        0xFC => Some(0x0530),
        0xFD => Some(0x3040),
        0xFE => Some(0x30A0),
        0xFF => Some(0xFF60),
        0x00 | 0xA8..=0xF8 => None,
    }
}
