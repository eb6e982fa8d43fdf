//! A line for each unit, for people.

use std::fmt::Write as _;

use anstyle::{AnsiColor, Style};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};
use utfall::explain::{Bits, Unit, UnitKind};
use utfall::{Encoding, Family};
use utfall_bind::explain::Row;

use super::name;
use crate::message;

const PAYLOAD: Style = AnsiColor::Green.on_default().bold();
const REST: Style = Style::new().dimmed();
const PROBLEM: Style = AnsiColor::Red.on_default().bold();
const TITLE: Style = Style::new().bold();
const PLAIN: Style = Style::new();

/// The digits of an offset in an input of unknown size: up to a terabyte.
const LONGEST_OFFSET: usize = 12;

/// Between two columns.
const GAP: &str = "  ";
/// Before a problem.
const MARK: &str = "! ";

// Titles that a column is at least as wide as.
const OFFSET: &str = "offset";
const BYTES: &str = "bytes";
const POINT: &str = "code point";

/// Names get at least this many columns; fewer bytes to a line make the space.
const SHORTEST_NAME: usize = 22;
/// Next to the digits of UTF-7, which take more columns.
const SHORTEST_NAME_OF_RUN: usize = 14;

/// The widths of the columns. A longer cell continues on the next line, so that columns stay
/// aligned; problems follow on lines of their own.
pub(super) struct Layout {
    /// Of the whole screen.
    width: usize,
    offset: usize,
    /// The bytes as a message has them; 0 for text outside mail.
    written: usize,
    /// How many bytes a line shows.
    bytes: usize,
    /// 0 where the bytes are the code units.
    units: usize,
    point: usize,
    is_run: bool,
    is_coloured: bool,
}

impl Layout {
    /// A layout for an input of `size` bytes, if that is known, on a screen of `width` columns.
    pub(super) fn new(
        encoding: Encoding,
        size: Option<u64>,
        is_mail: bool,
        is_coloured: bool,
        width: usize,
    ) -> Self {
        use Encoding as E;
        let family = encoding.info().family;
        let is_run = family == Family::Utf7;
        let (bytes, units) = match encoding {
            // Three bytes for each code unit of UTF-16.
            E::Cesu8 | E::Mutf8 | E::Wtf8 => (3, 4),
            E::Scsu => (3, 4),
            E::Bocu1 => (4, 0),
            E::UsAscii | E::Iso8859_1 => (1, 0),
            _ => match family {
                Family::Utf7 => (3, 4),
                Family::Utf8 => (4, 0),
                Family::Utf16 => (2, 4),
                Family::Utf32 => (4, 8),
                Family::Ebcdic | Family::Utf1 => (5, 0),
                _ => (2, 0),
            },
        };
        let mut layout = Self {
            width,
            offset: size.map_or(LONGEST_OFFSET, |size| size.to_string().len()).max(OFFSET.len()),
            written: if is_mail { 9 } else { 0 },
            bytes,
            units,
            // The longest is U+7FFFFFFF.
            point: POINT.len(),
            is_run,
            is_coloured,
        };
        let name = if is_run { SHORTEST_NAME_OF_RUN } else { SHORTEST_NAME };
        while layout.bytes > 1 && layout.name_column() + name > width {
            layout.bytes -= 1;
        }
        layout
    }

    /// The names of the columns.
    pub(super) fn head(&self) -> String {
        let mut line = Line::new(self.is_coloured);
        line.put(TITLE, &format!("{OFFSET:>0$}", self.offset));
        if self.written > 0 {
            line.column(TITLE, "written", self.written);
        }
        line.column(TITLE, BYTES, self.bytes_width());
        line.column(TITLE, "bits", self.bits_width());
        if self.units > 0 {
            line.column(TITLE, "unit", self.units);
        }
        line.column(TITLE, POINT, self.point);
        line.column(TITLE, "", name::GLYPH_WIDTH);
        line.column(TITLE, "name", 0);
        line.end()
    }

    fn bytes_width(&self) -> usize {
        (3 * self.bytes - 1).max(BYTES.len())
    }

    fn bits_width(&self) -> usize {
        match self.is_run {
            // The carried bits, and the digits: `(0000) J |001000`.
            true => 7 + self.bytes * 11 - 2,
            false => self.bytes * 10 - 1,
        }
    }

    /// The column where names begin, from 0.
    fn name_column(&self) -> usize {
        let optional = [self.written, self.units].into_iter().filter(|width| *width > 0);
        let others = [self.bytes_width(), self.bits_width(), self.point, name::GLYPH_WIDTH, 0];
        let columns = optional.chain(others).map(|width| GAP.len() + width);
        self.offset + columns.sum::<usize>()
    }

    /// The lines of a unit: a row of the table, then its problems.
    pub(super) fn row(&self, row: &Row<'_>) -> String {
        let Row { unit, .. } = row;
        let is_problem = row.error.is_some();
        let style = if is_problem { PROBLEM } else { PLAIN };
        let bits = self.bits(unit, is_problem);
        let units = unit.code_units();
        let units = units.as_slice();
        let written = row.written.map(|(_, bytes)| bytes.escape_ascii().to_string());
        let written: Vec<&str> =
            written.as_deref().map(|text| cut(text, self.written)).unwrap_or_default();
        let (name_style, name) = name_of(row);
        let names = wrap(&name, self.width.saturating_sub(self.name_column()).max(1));
        let count = [1, written.len(), unit.bytes.len().div_ceil(self.bytes), bits.len()]
            .into_iter()
            .chain([if self.units > 0 { units.len() } else { 0 }, names.len()])
            .max()
            .unwrap_or(1);

        let mut text = String::new();
        let offset = row.written.map_or(unit.offset, |(offset, _)| offset);
        for index in 0..count {
            let mut line = Line::new(self.is_coloured);
            match index {
                0 => line.put(REST, &format!("{offset:>0$}", self.offset)),
                _ => line.put(PLAIN, &" ".repeat(self.offset)),
            }
            if self.written > 0 {
                line.column(PLAIN, written.get(index).unwrap_or(&""), self.written);
            }
            let bytes = unit.bytes.chunks(self.bytes).nth(index).unwrap_or_default();
            line.column(style, &message::bytes(bytes), self.bytes_width());
            line.cell(bits.get(index).unwrap_or(&Vec::new()), self.bits_width());
            if self.units > 0 {
                let unit = units.get(index).map(|unit| format!("{unit:00$X}", self.units));
                line.column(style, &unit.unwrap_or_default(), self.units);
            }
            let (point, (glyph, width)) = match row.point.filter(|_| index == 0) {
                Some(point) if is_problem => (format!("U+{point:04X}"), Default::default()),
                Some(point) => (format!("U+{point:04X}"), name::glyph(point)),
                None => Default::default(),
            };
            line.column(style, &point, self.point);
            line.put(PLAIN, GAP);
            line.put_wide(PLAIN, &glyph, width, name::GLYPH_WIDTH);
            if let Some(name) = names.get(index) {
                line.column(name_style, name, 0);
            }
            text += &line.end();
            text.push('\n');
        }
        for (style, reason) in self.reasons(row) {
            let mut line = Line::new(self.is_coloured);
            line.put(PLAIN, &" ".repeat(self.offset));
            line.column(style, &reason, 0);
            text += &line.end();
            text.push('\n');
        }
        text.truncate(text.trim_end().len());
        text
    }

    /// The lines below the row: the problem, its clause, and the RFCs that accept it.
    fn reasons(&self, row: &Row<'_>) -> Vec<(Style, String)> {
        let width = self.width.saturating_sub(self.offset + GAP.len() + MARK.len()).max(1);
        let mut lines = Vec::new();
        if let Some(error) = row.error {
            for (at, line) in wrap(&row.says, width).into_iter().enumerate() {
                let mark = if at == 0 { MARK } else { GAP };
                lines.push((PROBLEM, format!("{mark}{line}")));
            }
            lines.extend(indented(error.clause(), width));
        }
        if let Some(sequence) = &row.sequence {
            lines.extend(indented(&sequence.acceptance(), width));
        }
        lines
    }

    /// The bits, line by line, in pieces of one style.
    fn bits(&self, unit: &Unit<'_>, is_problem: bool) -> Vec<Vec<(Style, String)>> {
        let mut lines: Vec<Vec<(Style, String)>> = Vec::new();
        for (at, bits) in unit.bits().enumerate() {
            if at % self.bytes == 0 {
                lines.push(self.before_bits(unit, at));
            } else if let Some(line) = lines.last_mut() {
                line.push((PLAIN, if self.is_run { "  " } else { " " }.into()));
            }
            let line = lines.last_mut().expect("there is a line for each byte");
            if self.is_run && bits.width == 6 {
                line.push((PLAIN, format!("{} ", char::from(unit.bytes[at]))));
            }
            pieces(bits, is_problem, line);
        }
        // Left-over bits of the previous digit, without bytes.
        if lines.is_empty() && unit.carried().is_some() {
            lines.push(self.before_bits(unit, 0));
        }
        lines
    }

    /// The bits carried into the first line; spaces on the others.
    fn before_bits(&self, unit: &Unit<'_>, at: usize) -> Vec<(Style, String)> {
        if !self.is_run {
            return Vec::new();
        }
        let carried = unit.carried().filter(|_| at == 0);
        let text = carried.map(|(count, bits)| format!("({bits:00$b})", usize::from(count)));
        vec![(PAYLOAD, format!("{:7}", text.unwrap_or_default()))]
    }
}

/// The text of the last column.
fn name_of(row: &Row<'_>) -> (Style, String) {
    match &row.note {
        _ if row.error.is_some() => (PLAIN, String::new()),
        _ if row.unit.what == UnitKind::Shift => (REST, row.says.clone()),
        Some(note) => (PLAIN, format!("{} ({note})", row.says)),
        None => (PLAIN, row.says.clone()),
    }
}

/// Lines below a problem.
fn indented(text: &str, width: usize) -> impl Iterator<Item = (Style, String)> {
    wrap(text, width).into_iter().map(|line| (PLAIN, format!("{GAP}{line}")))
}

/// Lines of at most this many columns, broken at spaces where possible.
fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ').filter(|word| !word.is_empty()) {
        match lines.last_mut() {
            Some(line) if line.width() + 1 + word.width() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => {
                lines.push(String::new());
                for scalar in word.chars() {
                    let is_full = lines.last().is_some_and(|line| {
                        !line.is_empty() && line.width() + scalar.width().unwrap_or(0) > width
                    });
                    if is_full {
                        lines.push(String::new());
                    }
                    lines.last_mut().expect("one was pushed").push(scalar);
                }
            }
        }
    }
    lines
}

/// The bits of a byte, `110|00011`, or of a digit, `1010|00`.
fn pieces(bits: Bits, is_problem: bool, line: &mut Vec<(Style, String)>) {
    let width = usize::from(bits.width);
    let digits = format!("{:01$b}", bits.value, width);
    let payload = if is_problem { PROBLEM } else { PAYLOAD };
    let style = |at: usize| match bits.payload >> (width - 1 - at) & 1 {
        1 => payload,
        _ => REST,
    };
    let marker = match bits.width {
        6 => bits.begins.map(usize::from),
        // Separates the payload from bits before it.
        _ => Some(bits.payload.leading_zeros() as usize).filter(|zeros| (1..8).contains(zeros)),
    };
    let mut put = |style: Style, sign: char| match line.last_mut() {
        Some((last, text)) if *last == style => text.push(sign),
        _ => line.push((style, sign.into())),
    };
    for (at, digit) in digits.chars().enumerate() {
        if marker == Some(at) {
            put(REST, '|');
        }
        put(style(at), digit);
    }
}

/// Pieces of at most this many bytes of US-ASCII.
fn cut(text: &str, width: usize) -> Vec<&str> {
    let mut rest = text;
    std::iter::from_fn(|| {
        let (piece, after) = rest.split_at(rest.len().min(width));
        rest = after;
        (!piece.is_empty()).then_some(piece)
    })
    .collect()
}

/// A line under construction.
struct Line {
    text: String,
    is_coloured: bool,
}

impl Line {
    fn new(is_coloured: bool) -> Self {
        Self { text: String::new(), is_coloured }
    }

    fn put(&mut self, style: Style, text: &str) {
        if self.is_coloured && style != PLAIN && !text.is_empty() {
            _ = write!(self.text, "{style}{text}{style:#}");
        } else {
            self.text += text;
        }
    }

    /// Text whose width differs from its number of characters.
    fn put_wide(&mut self, style: Style, text: &str, width: usize, columns: usize) {
        self.put(style, text);
        self.text += &" ".repeat(columns.saturating_sub(width));
    }

    fn column(&mut self, style: Style, text: &str, columns: usize) {
        self.text += GAP;
        self.put_wide(style, text, text.width(), columns);
    }

    fn cell(&mut self, pieces: &[(Style, String)], columns: usize) {
        self.text += GAP;
        let width = pieces.iter().map(|(_, text)| text.width()).sum::<usize>();
        for (style, text) in pieces {
            self.put(*style, text);
        }
        self.text += &" ".repeat(columns.saturating_sub(width));
    }

    fn end(mut self) -> String {
        self.text.truncate(self.text.trim_end().len());
        self.text
    }
}
