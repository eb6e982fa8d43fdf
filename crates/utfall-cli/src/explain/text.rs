//! A line for each unit, for people.

use std::fmt::Write as _;

use anstyle::{AnsiColor, Style};
use unicode_width::UnicodeWidthStr;
use utfall::Encoding;
use utfall::explain::{Bits, Unit, What};

use super::name;
use super::row::Row;
use crate::message;

const PAYLOAD: Style = AnsiColor::Green.on_default().bold();
const REST: Style = Style::new().dimmed();
const PROBLEM: Style = AnsiColor::Red.on_default().bold();
const TITLE: Style = Style::new().bold();
const PLAIN: Style = Style::new();

/// The digits of an offset in an input of unknown size: up to a terabyte.
const LONGEST_OFFSET: usize = 12;

/// Columns between two.
const GAP: &str = "  ";

/// How wide each column is. What is longer goes on in the next line, so that nothing moves.
pub(super) struct Layout {
    offset: usize,
    /// Of what a message has; 0 for text that is no mail.
    written: usize,
    /// How many octets stand in a line.
    octets: usize,
    bits: usize,
    /// 0 where octets are the code units.
    units: usize,
    point: usize,
    is_run: bool,
    is_coloured: bool,
}

impl Layout {
    /// `size` is that of the input, if it is known.
    pub(super) fn new(
        encoding: Encoding,
        size: Option<u64>,
        is_mail: bool,
        is_coloured: bool,
    ) -> Self {
        use Encoding as E;
        let is_run = matches!(encoding, E::Utf7 | E::Utf7Rfc1642 | E::Utf7Imap | E::Unicode11Utf7);
        let (octets, units) = match encoding {
            _ if is_run => (3, 4),
            E::Utf16 | E::Utf16Le | E::Utf16Be | E::Unicode11 | E::Unicode20 => (2, 4),
            E::Ucs2 | E::Ucs2Le | E::Ucs2Be => (2, 4),
            E::Utf32 | E::Utf32Le | E::Utf32Be | E::Ucs4 | E::Ucs4Le | E::Ucs4Be => (4, 8),
            E::Cesu8 | E::Mutf8 | E::Wtf8 => (3, 4),
            E::Scsu => (3, 4),
            E::UsAscii | E::Iso8859_1 => (1, 0),
            _ if generation_of_utf8(encoding) => (4, 0),
            E::UtfEbcdic | E::UtfEbcdicCdra | E::Utf1 => (5, 0),
            E::Bocu1 => (4, 0),
            _ => (2, 0),
        };
        let bits = match is_run {
            // What is carried, and the digits: `(0000) J |001000`.
            true => 7 + octets * 11 - 2,
            false => octets * 10 - 1,
        };
        Self {
            // `offset` is the title.
            offset: size.map_or(LONGEST_OFFSET, |size| size.to_string().len()).max(6),
            written: if is_mail { 9 } else { 0 },
            octets,
            bits,
            units,
            point: match encoding {
                E::Utf8Rfc2044 | E::Utf8Rfc2279 | E::Utf8Perl | E::Utf1 => 10,
                E::Ucs4 | E::Ucs4Le | E::Ucs4Be => 10,
                _ => 8,
            },
            is_run,
            is_coloured,
        }
    }

    /// The names of the columns.
    pub(super) fn head(&self) -> String {
        let mut line = Line::new(self.is_coloured);
        line.put(TITLE, &format!("{:>1$}", "offset", self.offset));
        if self.written > 0 {
            line.column(TITLE, "written", self.written);
        }
        line.column(TITLE, "octets", self.octets_width());
        line.column(TITLE, "bits", self.bits);
        if self.units > 0 {
            line.column(TITLE, "unit", self.units);
        }
        line.column(TITLE, "point", self.point);
        line.column(TITLE, "", name::GLYPH_WIDTH);
        line.column(TITLE, "name", 0);
        line.end()
    }

    fn octets_width(&self) -> usize {
        // `octets` is the title.
        (3 * self.octets - 1).max(6)
    }

    /// The lines of a unit.
    pub(super) fn row(&self, row: &Row<'_>) -> String {
        let Row { unit, .. } = row;
        let is_problem = row.error.is_some();
        let style = if is_problem { PROBLEM } else { PLAIN };
        let bits = self.bits(unit, is_problem);
        let units = unit.code_units();
        let units = units.as_slice();
        let written = row.written.map(|(_, octets)| octets.escape_ascii().to_string());
        let written: Vec<&str> =
            written.as_deref().map(|text| cut(text, self.written)).unwrap_or_default();
        let says = self.says(row);
        let count = [1, written.len(), unit.octets.len().div_ceil(self.octets), bits.len()]
            .into_iter()
            .chain([if self.units > 0 { units.len() } else { 0 }, says.len()])
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
            let octets = unit.octets.chunks(self.octets).nth(index).unwrap_or_default();
            line.column(style, &message::octets(octets), self.octets_width());
            line.cell(bits.get(index).unwrap_or(&Vec::new()), self.bits);
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
            if let Some((style, said)) = says.get(index) {
                line.column(*style, said, 0);
            }
            text += &line.end();
            text.push('\n');
        }
        text.truncate(text.trim_end().len());
        text
    }

    /// What stands in the last column, line by line.
    fn says(&self, row: &Row<'_>) -> Vec<(Style, String)> {
        let mut lines = Vec::new();
        match (row.error, &row.note) {
            (Some(error), _) => {
                lines.push((PROBLEM, format!("! {}", row.says)));
                lines.push((PLAIN, format!("  {}", error.clause())));
                lines.retain(|(_, line)| !line.trim().is_empty());
            }
            (None, Some(note)) if row.unit.what != What::Shift => {
                lines.push((PLAIN, format!("{} ({note})", row.says)));
            }
            _ if row.unit.what == What::Shift => lines.push((REST, row.says.clone())),
            _ => lines.push((PLAIN, row.says.clone())),
        }
        if let Some(sequence) = &row.sequence {
            lines.push((PLAIN, format!("  {}", sequence.acceptance())));
        }
        lines
    }

    /// The bits, line by line, in pieces of one style.
    fn bits(&self, unit: &Unit<'_>, is_problem: bool) -> Vec<Vec<(Style, String)>> {
        let mut lines: Vec<Vec<(Style, String)>> = Vec::new();
        for (at, bits) in unit.bits().enumerate() {
            if at % self.octets == 0 {
                lines.push(self.before_bits(unit, at));
            } else if let Some(line) = lines.last_mut() {
                line.push((PLAIN, if self.is_run { "  " } else { " " }.into()));
            }
            let line = lines.last_mut().expect("there is one for each octet");
            if self.is_run && bits.width == 6 {
                line.push((PLAIN, format!("{} ", char::from(unit.octets[at]))));
            }
            pieces(bits, is_problem, line);
        }
        // Bits that are left of the digit before, and no octets.
        if lines.is_empty() && unit.carried().is_some() {
            lines.push(self.before_bits(unit, 0));
        }
        lines
    }

    /// What was carried into the first line; room for it in the others.
    fn before_bits(&self, unit: &Unit<'_>, at: usize) -> Vec<(Style, String)> {
        if !self.is_run {
            return Vec::new();
        }
        let carried = unit.carried().filter(|_| at == 0);
        let text = carried.map(|(count, bits)| format!("({bits:00$b})", usize::from(count)));
        vec![(PAYLOAD, format!("{:7}", text.unwrap_or_default()))]
    }
}

fn generation_of_utf8(encoding: Encoding) -> bool {
    crate::generation::is_utf8(encoding) || encoding == Encoding::Utf8Perl
}

/// The bits of an octet: `110|00011`, or of a digit: `1010|00`.
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
        // In front of the payload, if something else is there too.
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

/// Pieces of at most so many octets, of US-ASCII.
fn cut(text: &str, width: usize) -> Vec<&str> {
    let mut rest = text;
    std::iter::from_fn(|| {
        let (piece, behind) = rest.split_at(rest.len().min(width));
        rest = behind;
        (!piece.is_empty()).then_some(piece)
    })
    .collect()
}

/// A line that is being written.
struct Line {
    text: String,
    is_coloured: bool,
}

impl Line {
    fn new(is_coloured: bool) -> Self {
        Self { text: String::new(), is_coloured }
    }

    fn put(&mut self, style: Style, text: &str) {
        match self.is_coloured && style != PLAIN && !text.is_empty() {
            true => _ = write!(self.text, "{style}{text}{style:#}"),
            false => self.text += text,
        }
    }

    /// What is of another width than it has characters.
    fn put_wide(&mut self, style: Style, text: &str, width: usize, room: usize) {
        self.put(style, text);
        self.text += &" ".repeat(room.saturating_sub(width));
    }

    fn column(&mut self, style: Style, text: &str, room: usize) {
        self.text += GAP;
        self.put_wide(style, text, text.width(), room);
    }

    fn cell(&mut self, pieces: &[(Style, String)], room: usize) {
        self.text += GAP;
        let width = pieces.iter().map(|(_, text)| text.width()).sum::<usize>();
        for (style, text) in pieces {
            self.put(*style, text);
        }
        self.text += &" ".repeat(room.saturating_sub(width));
    }

    fn end(mut self) -> String {
        self.text.truncate(self.text.trim_end().len());
        self.text
    }
}
