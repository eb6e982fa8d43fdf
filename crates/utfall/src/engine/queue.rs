//! The text that a policy inserts.

#[cfg(feature = "alloc")]
use alloc::vec::Vec;

use super::cursor::CARRY;
use crate::options::{Escape, Substitute};

/// Marks an entry of a queue as a raw byte. Code points have 31 bits.
pub(super) const RAW: u32 = 0x8000_0000;

/// Marks an entry as a byte to be written as `\xNN`, which is four code points.
const HEX: u32 = 0xC000_0000;
const HEX_LENGTH: u8 = 4;

/// A short queue of code points. It is small because every stream has two of these.
#[derive(Clone, Copy)]
pub(super) struct Queue {
    points: [u32; QUEUE],
    begin: u8,
    end: u8,
    /// How many code points of the first entry have been removed, if that is [`HEX`].
    removed: u8,
    /// How many more times to repeat the points.
    repeats: u8,
}

/// The longest text that a policy inserts.
const QUEUE: usize = Substitute::MAX;
/// `\xNN` for each byte of a sequence, and the longest escape, fit too.
const _: () =
    assert!(CARRY <= QUEUE && "\\u{7FFFFFFF}".len() <= QUEUE && QUEUE <= u8::MAX as usize);

/// Appends the escape of a code point, which is US-ASCII.
#[cfg(feature = "alloc")]
pub(crate) fn append_escape(style: Escape, point: u32, text: &mut Vec<u8>) {
    let mut queue = Queue::new();
    queue.push_escape(style, point);
    text.extend(queue.points[..usize::from(queue.end)].iter().map(|point| *point as u8));
}

impl Queue {
    #[inline]
    pub(super) const fn new() -> Self {
        Self { points: [0; QUEUE], begin: 0, end: 0, removed: 0, repeats: 0 }
    }

    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.begin == self.end
    }

    pub(super) fn first(&self) -> Option<u32> {
        let entry = *self.points[..usize::from(self.end)].get(usize::from(self.begin))?;
        if entry & HEX != HEX {
            return Some(entry);
        }
        let byte = entry as u8;
        let of_digit = |digit: u8| char::from_digit(digit.into(), 16).unwrap_or('0');
        Some(u32::from(match self.removed {
            0 => '\\',
            1 => 'x',
            2 => of_digit(byte >> 4),
            _ => of_digit(byte & 0xF),
        }))
    }

    /// Replaces the first code point, which is not part of [`push_byte`](Self::push_byte).
    pub(super) fn replace_first(&mut self, point: u32) {
        self.points[usize::from(self.begin)] = point;
    }

    pub(super) fn pop(&mut self) {
        if self.points[usize::from(self.begin)] & HEX == HEX {
            self.removed = (self.removed + 1) % HEX_LENGTH;
            if self.removed > 0 {
                return;
            }
        }
        self.begin += 1;
        if self.begin == self.end {
            self.begin = 0;
            match self.repeats {
                0 => self.end = 0,
                _ => self.repeats -= 1,
            }
        }
    }

    /// Repeats all points `count` times in total; 0 empties the queue.
    pub(super) fn repeat(&mut self, count: usize) {
        match count {
            0 => self.end = 0,
            // One for each byte of a sequence.
            _ if self.end > 0 => self.repeats = (count - 1) as u8,
            _ => {}
        }
    }

    pub(super) fn push(&mut self, point: u32) {
        self.points[usize::from(self.end)] = point;
        self.end += 1;
    }

    /// Adds `\xNN`.
    pub(super) fn push_byte(&mut self, byte: u8) {
        self.push(HEX | u32::from(byte));
    }

    pub(super) fn extend(&mut self, points: impl Iterator<Item = u32>) {
        points.for_each(|point| self.push(point));
    }

    fn push_str(&mut self, text: &str) {
        text.bytes().for_each(|byte| self.push(u32::from(byte)));
    }

    /// `mark`, then at least `width` hexadecimal digits.
    fn push_hex(&mut self, mark: &str, value: impl Into<u32>, width: u32) {
        let value = value.into();
        self.push_str(mark);
        let digits = width.max((35 - value.leading_zeros()) / 4);
        for at in (0..digits).rev() {
            let digit = char::from_digit(value >> (4 * at) & 0xF, 16).unwrap_or('0');
            self.push(u32::from(digit));
        }
    }

    pub(super) fn push_escape(&mut self, style: Escape, point: u32) {
        match style {
            Escape::Braces => {
                self.push_hex("\\u{", point, 1);
                self.push_str("}");
            }
            Escape::Xml => {
                self.push_str("&#");
                let digits = point.checked_ilog10().unwrap_or(0) + 1;
                for at in (0..digits).rev() {
                    self.push(u32::from('0') + point / 10_u32.pow(at) % 10);
                }
                self.push_str(";");
            }
            Escape::Python => match point {
                0..=0xFF => self.push_hex("\\x", point, 2),
                0x100..=0xFFFF => self.push_hex("\\u", point, 4),
                _ => self.push_hex("\\U", point, 8),
            },
        }
    }
}
