//! How the encoder chooses windows.
//!
//! A code point with only one sensible encoding is written at once. If there are several, it is
//! held back until [`AHEAD`] more are known or the text ends. Then the first step of the shortest
//! way to write all of them is taken; among equals, the one that [`State::steps`] returns first. A
//! new window replaces the least recently used one.
//!
//! Compared with this, a search through the whole text saves 2.2 % for the emoji corpus of
//! `testdata`, 0.9 % for the Japanese one, and nothing for the Korean one. Alternatives tried:
//! looking ahead by one (emoji take 3 % more), by three (1 % less, in three times the time);
//! preferring quotes to changes (Vietnamese takes 7 % more), `QuoteUnit` to `Unicode` (Japanese
//! takes 1 % more).

use super::{DYNAMIC, SIZE, STATIC, UNALIGNED, is_command, single, unicode, windowless};

/// How many code points the encoder looks ahead.
pub(super) const AHEAD: usize = 2;

/// A way to write a code point. Windows are dynamic unless stated otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// According to the mode: one byte, or UTF-16, quoted if necessary.
    Plain,
    /// Quoted from another window.
    Quote { window: u8 },
    /// Quoted from a static window.
    QuoteStatic { window: u8 },
    /// As a quoted code unit in single-byte mode.
    QuoteUnit,
    /// Change to a window.
    Change { window: u8 },
    /// Redefine the least recently used window, and change to it.
    Place { begin: u32 },
    /// Change to Unicode mode.
    Unicode,
}

/// The state of the decoder after the output so far, and the usage of the windows.
#[derive(Clone)]
pub(super) struct State {
    pub(super) unicode: bool,
    active: u8,
    windows: [u32; 8],
    /// The windows, most recently used first.
    recent: [u8; 8],
}

impl State {
    /// Among the initial windows, those for the scripts least likely to be mixed with others are
    /// replaced first.
    pub(super) const START: Self =
        Self { unicode: false, active: 0, windows: DYNAMIC, recent: [0, 1, 5, 6, 7, 2, 4, 3] };

    /// The byte of a code point that can be written as one.
    #[inline]
    pub(super) fn byte(&self, point: u32) -> Option<u8> {
        if self.unicode {
            return None;
        }
        match point {
            0..SIZE if !is_command(point) => Some(point as u8),
            _ if self.sees(self.active, point) => {
                Some(0x80 + (point - self.windows[usize::from(self.active)]) as u8)
            }
            _ => None,
        }
    }

    fn sees(&self, window: u8, point: u32) -> bool {
        point.wrapping_sub(self.windows[usize::from(window)]) < SIZE
    }

    /// The step, if there is only one.
    pub(super) fn only_step(&self, point: u32) -> Option<Step> {
        let mut only = None;
        let mut count = 0;
        self.steps(point, |step| {
            only = Some(step);
            count += 1;
        });
        only.filter(|_| count == 1)
    }

    /// Calls `each` for the sensible steps, the preferred one first among equals.
    #[cfg_attr(utfall_speed, optimize(speed))]
    fn steps(&self, point: u32, mut each: impl FnMut(Step)) {
        if self.unicode {
            each(Step::Plain);
            if point < SIZE {
                // Any window would do; a recently used one may be needed again.
                return each(Step::Change { window: self.recent[0] });
            }
            for window in self.recent {
                if self.sees(window, point) {
                    each(Step::Change { window });
                }
            }
            return self.placements(point, each);
        }
        if self.byte(point).is_some() {
            return each(Step::Plain);
        }
        // The signature is to be 0E FE FF, too (§8.4).
        if point == 0xFEFF {
            return each(Step::QuoteUnit);
        }
        for window in self.recent {
            if self.sees(window, point) {
                each(Step::Change { window });
                each(Step::Quote { window });
            }
        }
        for (window, begin) in (0..).zip(STATIC) {
            if point.wrapping_sub(begin) < SIZE {
                each(Step::QuoteStatic { window });
            }
        }
        if point < SIZE {
            return;
        }
        self.placements(point, &mut each);
        each(Step::Unicode);
        if point < 0x1_0000 {
            each(Step::QuoteUnit);
        }
    }

    /// Calls `each` for the positions where a new window would contain `point`.
    #[cfg_attr(utfall_speed, optimize(speed))]
    fn placements(&self, point: u32, mut each: impl FnMut(Step)) {
        if windowless(point) || point == 0xFEFF {
            return;
        }
        let unaligned = UNALIGNED.into_iter().filter(|begin| point.wrapping_sub(*begin) < SIZE);
        for begin in unaligned.chain([point & !(SIZE - 1)]) {
            if !self.windows.contains(&begin) {
                each(Step::Place { begin });
            }
        }
    }

    /// The length in bytes of the shortest way to write all of `points`, and its first step. If
    /// none is shorter than `limit`, the length is `limit`.
    #[cfg_attr(utfall_speed, optimize(speed))]
    pub(super) fn shortest(&self, points: &[u32], limit: usize) -> (usize, Step) {
        let Some((&point, rest)) = points.split_first() else { return (0, Step::Plain) };
        let mut best = (limit, Step::Plain);
        self.steps(point, |step| {
            let mut length = self.length(step, point);
            // Each of the others takes at least one byte.
            if length + rest.len() >= best.0 {
                return;
            }
            if !rest.is_empty() {
                let mut after = self.clone();
                after.take(step, point, &mut Bytes::default());
                length += after.shortest(rest, best.0 - length).0;
            }
            if length < best.0 {
                best = (length, step);
            }
        });
        best
    }

    /// How many bytes [`State::take`] writes.
    #[cfg_attr(utfall_speed, optimize(speed))]
    pub(super) fn length(&self, step: Step, point: u32) -> usize {
        let utf16 = match point {
            0x1_0000.. => 4,
            0xE000..=0xF2FF => 3,
            _ => 2,
        };
        match step {
            Step::Plain if self.unicode => utf16,
            Step::Plain => 1,
            Step::Quote { .. } | Step::QuoteStatic { .. } => 2,
            Step::QuoteUnit => 3,
            Step::Change { .. } if is_command(point) => 3,
            Step::Change { .. } => 2,
            Step::Place { begin: 0x1_0000.. } => 4,
            Step::Place { .. } => 3,
            Step::Unicode => 1 + utf16,
        }
    }

    /// Writes `point` in this way.
    #[cfg_attr(utfall_speed, optimize(speed))]
    pub(super) fn take(&mut self, step: Step, point: u32, bytes: &mut Bytes) {
        match step {
            Step::Plain if self.unicode => bytes.push_utf16(point),
            Step::Plain => bytes.push(self.byte(point).unwrap_or_default()),
            Step::Quote { window } => {
                bytes.push(single::SQ + window);
                bytes.push(0x80 | self.within(window, point));
                self.touch(window);
                self.touch(self.active);
            }
            Step::QuoteStatic { window } => {
                bytes.push(single::SQ + window);
                bytes.push((point - STATIC[usize::from(window)]) as u8);
            }
            Step::QuoteUnit => {
                bytes.push(single::SQU);
                bytes.push_unit(point);
            }
            Step::Change { window } => {
                bytes.push(if self.unicode { unicode::UC } else { single::SC } + window);
                self.change(window, point, bytes);
            }
            Step::Place { begin } => {
                let window = self.recent[7];
                self.place(window, begin, bytes);
                self.change(window, point, bytes);
            }
            Step::Unicode => {
                bytes.push(single::SCU);
                bytes.push_utf16(point);
                self.unicode = true;
            }
        }
    }

    fn within(&self, window: u8, point: u32) -> u8 {
        (point - self.windows[usize::from(window)]) as u8
    }

    /// Writes the tag and its operand.
    fn place(&mut self, window: u8, begin: u32, bytes: &mut Bytes) {
        self.windows[usize::from(window)] = begin;
        let blocks = begin / SIZE;
        if let Some(blocks) = blocks.checked_sub(0x1_0000 / SIZE) {
            bytes.push(if self.unicode { unicode::UDX } else { single::SDX });
            bytes.push_unit(u32::from(window) << 13 | blocks);
            return;
        }
        bytes.push(if self.unicode { unicode::UD } else { single::SD } + window);
        bytes.push(match UNALIGNED.iter().position(|known| *known == begin) {
            Some(at) => 0xF9 + at as u8,
            None if begin < 0x3400 => blocks as u8,
            None => (blocks - 0xAC00 / SIZE) as u8,
        });
    }

    /// After the tag: the change, and the code point.
    fn change(&mut self, window: u8, point: u32, bytes: &mut Bytes) {
        self.unicode = false;
        self.active = window;
        self.touch(window);
        match self.byte(point) {
            Some(byte) => bytes.push(byte),
            // Only controls are not part of a window.
            None => self.take(Step::QuoteStatic { window: 0 }, point, bytes),
        }
    }

    fn touch(&mut self, window: u8) {
        let at = self.recent.iter().position(|other| *other == window).unwrap_or(0);
        self.recent[..=at].rotate_right(1);
    }
}

/// Output for a few code points.
#[derive(Default)]
pub(super) struct Bytes {
    bytes: [u8; 16],
    pub(super) length: usize,
}

/// A step writes at most five bytes.
const _: () = assert!(5 * (AHEAD + 1) <= 16);

impl Bytes {
    pub(super) fn as_slice(&self) -> &[u8] {
        &self.bytes[..self.length]
    }

    fn push(&mut self, byte: u8) {
        self.bytes[self.length] = byte;
        self.length += 1;
    }

    fn push_unit(&mut self, unit: u32) {
        self.push((unit >> 8) as u8);
        self.push(unit as u8);
    }

    /// In Unicode mode, E000–F2FF look like tags and must be quoted.
    fn push_utf16(&mut self, point: u32) {
        match point {
            0x1_0000.. => {
                self.push_unit(0xD800 + ((point - 0x1_0000) >> 10));
                self.push_unit(0xDC00 + (point & 0x3FF));
            }
            0xE000..=0xF2FF => {
                self.push(unicode::UQU);
                self.push_unit(point);
            }
            _ => self.push_unit(point),
        }
    }
}
