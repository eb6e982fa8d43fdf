//! Hidden text in UTF-16, UTF-32 and their relatives: surrogates, and byte order marks inside the
//! text.

use super::{Kind, Place, Shown, Tell, is_high, is_low, joined};
use crate::lines::Position;
use crate::{ByteOrder, Info};

#[derive(Debug)]
pub(super) struct Units {
    width: usize,
    is_big_endian: bool,
    /// Whether a BOM may change the byte order.
    takes_mark: bool,
    /// Whether a surrogate pair is a character.
    has_pairs: bool,
    here: Place,
    /// The bytes of an incomplete unit.
    waiting: [u8; 4],
    count: usize,
    /// A high surrogate, which a low one may follow.
    high: Option<(Place, u32)>,
}

impl Units {
    /// For an encoding of UTF-16's or UTF-32's family.
    pub(super) fn new(info: &Info) -> Self {
        Self {
            width: info.code_unit,
            // Without a BOM the byte order is big-endian.
            is_big_endian: info.byte_order != Some(ByteOrder::Little),
            takes_mark: info.byte_order == Some(ByteOrder::Marked),
            has_pairs: info.has_surrogate_pairs(),
            here: Place { offset: 0, position: Position::default() },
            waiting: [0; 4],
            count: 0,
            high: None,
        }
    }

    pub(super) fn find(&mut self, src: &[u8], last: bool, tell: Tell<'_>) {
        for byte in src {
            self.waiting[self.count] = *byte;
            self.count += 1;
            if self.count == self.width {
                self.count = 0;
                self.unit(tell);
            }
        }
        if last {
            self.end_high(tell);
        }
    }

    fn unit(&mut self, tell: Tell<'_>) {
        let bytes = &self.waiting[..self.width];
        let join = |value: u32, byte: &u8| value << 8 | u32::from(*byte);
        let mut unit = match self.is_big_endian {
            true => bytes.iter().fold(0, join),
            false => bytes.iter().rev().fold(0, join),
        };
        let place = self.here;
        let end = place.offset + self.width as u64;
        self.here.offset = end;
        let swapped = if self.width == 2 { 0xFFFE } else { 0xFFFE_0000 };
        if place.offset == 0 && (unit == 0xFEFF || self.takes_mark && unit == swapped) {
            // The BOM, which is not text.
            self.is_big_endian ^= unit == swapped;
            return;
        }
        if let Some((begin, high)) = self.high
            && is_low(unit)
        {
            self.high = None;
            unit = joined(high, unit);
            if !self.has_pairs {
                tell(begin.to(end, Kind::SurrogatePair, &Shown::one(unit), SURROGATES));
            }
            // The pair has the column of its high surrogate.
            return;
        }
        self.end_high(tell);
        let position = &mut self.here.position;
        match unit {
            0x0A => *position = Position { line: position.line + 1, column: 1 },
            _ => position.column += 1,
        }
        if is_high(unit) {
            self.high = Some((place, unit));
        } else if is_low(unit) {
            self.surrogate(place, unit, tell);
        } else if unit == swapped || unit == 0xFEFF && place.position.column == 1 {
            // Elsewhere it is a zero width no-break space, its meaning until Unicode 3.2.
            const MARK: &str = "Unicode 23.8: a byte order mark appears only at the start";
            tell(place.to(end, Kind::MarkInside, &Shown::one(unit), MARK));
        }
    }

    fn end_high(&mut self, tell: Tell<'_>) {
        if let Some((place, high)) = self.high.take() {
            self.surrogate(place, high, tell);
        }
    }

    fn surrogate(&self, place: Place, unit: u32, tell: Tell<'_>) {
        let end = place.offset + self.width as u64;
        tell(place.to(end, Kind::Surrogate, &Shown::one(unit), SURROGATES));
    }
}

const SURROGATES: &str = "Unicode 3.9, D90 and D91: surrogates appear only in UTF-16, in pairs";
