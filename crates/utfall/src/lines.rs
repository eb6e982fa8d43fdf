//! Lines and columns, for messages to people.

use utfall_simd::Form;

/// A place in text, counted as editors count: from 1, columns in code points. A line ends
/// after U+000A. An ill-formed sequence is one column wide, a byte order mark at the start of
/// the text none.
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
    /// The place behind `points`.
    pub(crate) fn advance_points(&mut self, points: &[u32]) {
        let lines = points.iter().filter(|point| **point == 0x0A).count();
        self.advance(lines, || {
            let begin = points.iter().rposition(|point| *point == 0x0A).map_or(0, |at| at + 1);
            points.len() - begin
        });
    }

    /// The place behind well-formed text in one of the forms that kernels convert.
    pub(crate) fn advance_octets(&mut self, form: Form, octets: &[u8]) {
        match form {
            Form::Latin1 => {
                self.advance_units(octets.as_chunks().0, |&[unit]| unit == 0x0A, |_| true)
            }
            Form::Utf8 => self.advance_units(
                octets.as_chunks().0,
                |&[unit]| unit == 0x0A,
                |&[unit]| unit & 0xC0 != 0x80,
            ),
            Form::Utf16Le => self.advance_units(
                octets.as_chunks().0,
                |unit| *unit == [0x0A, 0],
                |[_, high]| high & 0xFC != 0xDC,
            ),
            Form::Utf16Be => self.advance_units(
                octets.as_chunks().0,
                |unit| *unit == [0, 0x0A],
                |[high, _]| high & 0xFC != 0xDC,
            ),
            Form::Utf32Le => {
                self.advance_units(octets.as_chunks().0, |unit| *unit == [0x0A, 0, 0, 0], |_| true);
            }
            Form::Utf32Be => {
                self.advance_units(octets.as_chunks().0, |unit| *unit == [0, 0, 0, 0x0A], |_| true);
            }
        }
    }

    /// The place behind `units`, of which some end lines and some begin code points.
    fn advance_units<const N: usize>(
        &mut self,
        units: &[[u8; N]],
        ends_line: impl Fn(&[u8; N]) -> bool,
        begins_point: impl Fn(&[u8; N]) -> bool,
    ) {
        let lines = units.iter().filter(|unit| ends_line(unit)).count();
        self.advance(lines, || {
            let begin = units.iter().rposition(&ends_line).map_or(0, |at| at + 1);
            units[begin..].iter().filter(|unit| begins_point(unit)).count()
        });
    }

    /// Past so many line ends, and then so many columns.
    fn advance(&mut self, lines: usize, columns: impl FnOnce() -> usize) {
        if lines > 0 {
            self.line += lines as u64;
            self.column = 1;
        }
        self.column += columns() as u64;
    }
}
