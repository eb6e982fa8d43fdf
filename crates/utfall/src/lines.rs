//! Lines and columns for messages to people, and the positions of line ends in bytes.

use utfall_simd::Layout;

use crate::{Encoding, SplitPoint};

/// A position in text, counted like in editors: from 1, with columns in code points. U+000A ends a
/// line. An ill-formed sequence is one column wide; a byte order mark at the start of the text has
/// no width.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// The line, from 1.
    pub line: u64,
    /// The column, from 1, in code points.
    pub column: u64,
}

impl Default for Position {
    fn default() -> Self {
        Self { line: 1, column: 1 }
    }
}

impl Position {
    /// The position after `points`.
    pub(crate) fn advance_points(&mut self, points: &[u32]) {
        self.advance(points, |point| *point == 0x0A, |_| true);
    }

    /// The position after bytes that are one character each.
    #[cfg(feature = "alloc")]
    pub(crate) fn advance_single(&mut self, bytes: &[u8]) {
        self.advance_bytes(Layout::Latin1, bytes);
    }

    /// The position after well-formed text in one of the forms that kernels convert.
    pub(crate) fn advance_bytes(&mut self, form: Layout, bytes: &[u8]) {
        let (units16, units32) = (bytes.as_chunks::<2>().0, bytes.as_chunks::<4>().0);
        let is_no_low = |unit: u16| unit & 0xFC00 != 0xDC00;
        match form {
            Layout::Latin1 => self.advance(bytes, |o| *o == 0x0A, |_| true),
            Layout::Utf8 => self.advance(bytes, |o| *o == 0x0A, |o| o & 0xC0 != 0x80),
            Layout::Utf16Le => {
                let unit = |bytes: &[u8; 2]| u16::from_le_bytes(*bytes);
                self.advance(units16, |u| unit(u) == 0x0A, |u| is_no_low(unit(u)));
            }
            Layout::Utf16Be => {
                let unit = |bytes: &[u8; 2]| u16::from_be_bytes(*bytes);
                self.advance(units16, |u| unit(u) == 0x0A, |u| is_no_low(unit(u)));
            }
            Layout::Utf32Le => {
                self.advance(units32, |u| u32::from_le_bytes(*u) == 0x0A, |_| true);
            }
            Layout::Utf32Be => {
                self.advance(units32, |u| u32::from_be_bytes(*u) == 0x0A, |_| true);
            }
        }
    }

    /// The position after `units`, some of which end lines and some of which begin code points.
    fn advance<U>(
        &mut self,
        units: &[U],
        ends_line: impl Fn(&U) -> bool,
        begins_point: impl Fn(&U) -> bool,
    ) {
        let lines = count(units, &ends_line);
        let mut line = units;
        if lines > 0 {
            self.line += lines as u64;
            self.column = 1;
            let begin = units.iter().rposition(&ends_line).map_or(0, |at| at + 1);
            line = &units[begin..];
        }
        self.column += count(line, begins_point) as u64;
    }
}

/// How many of `units` match `is_wanted`. Counted in small integers so that the loop vectorizes.
fn count<U>(units: &[U], wanted: impl Fn(&U) -> bool) -> usize {
    let small = |units: &[U]| units.iter().map(|unit| u8::from(wanted(unit))).sum::<u8>();
    units.chunks(255).map(|units| usize::from(small(units))).sum()
}

/// The line feed of an encoding in which it has the same bytes after a line end as at the start of
/// a text, so that lines can be processed independently.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineEnd {
    /// Bytes per code unit, and the position of the byte 0A in it.
    unit: usize,
    place: usize,
}

impl LineEnd {
    /// `None` if the text before a line can change its meaning.
    ///
    /// ```
    /// use utfall::{Encoding, lines::LineEnd};
    /// let line_end = LineEnd::of(Encoding::Utf16Le).unwrap();
    /// assert_eq!(line_end.unit(), 2);
    /// // U+0A00 is not a line feed.
    /// let text = b"\x00\x0A\x0A\x00x\0\x0A\x00x\0";
    /// assert_eq!(line_end.after_first(text), Some(4));
    /// assert_eq!(line_end.after_last(text), Some(8));
    /// assert_eq!(LineEnd::of(Encoding::Scsu), None);
    /// ```
    #[must_use]
    pub fn of(encoding: Encoding) -> Option<Self> {
        let info = encoding.info();
        let is_bytes = info.split_point == SplitPoint::Character && info.ascii_transparent;
        let (unit, place) = match info.side.form() {
            Some(Layout::Utf16Le) => (2, 0),
            Some(Layout::Utf16Be) => (2, 1),
            Some(Layout::Utf32Le) => (4, 0),
            Some(Layout::Utf32Be) => (4, 3),
            Some(Layout::Utf8 | Layout::Latin1) => (1, 0),
            None if info.split_point == SplitPoint::Line || is_bytes => (1, 0),
            None => return None,
        };
        Some(Self { unit, place })
    }

    /// Bytes per code unit.
    #[must_use]
    pub fn unit(self) -> usize {
        self.unit
    }

    /// The offset after the first line end in these bytes, which begin with a whole unit.
    #[must_use]
    pub fn after_first(self, bytes: &[u8]) -> Option<usize> {
        let mut units = bytes.chunks_exact(self.unit);
        Some((units.position(|unit| self.is_at(unit))? + 1) * self.unit)
    }

    /// The offset after the last line end.
    #[must_use]
    pub fn after_last(self, bytes: &[u8]) -> Option<usize> {
        let units = bytes.chunks_exact(self.unit);
        let after = units.rev().position(|unit| self.is_at(unit))?;
        Some((bytes.len() / self.unit - after) * self.unit)
    }

    fn is_at(self, unit: &[u8]) -> bool {
        let mut bytes = unit.iter().enumerate();
        bytes.all(|(at, byte)| *byte == if at == self.place { 0x0A } else { 0 })
    }
}
