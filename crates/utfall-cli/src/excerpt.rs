//! The line around a place in a text, safe to show whatever it contains.
//!
//! Visible characters are shown as they are, others as `<U+202E>`, and ill-formed bytes as `<FF>`.
//! In seven-bit encodings each byte is shown as US-ASCII, since errors in a shifted run are errors
//! in its digits.

use unicode_width::UnicodeWidthStr;
use utfall::{Decoder, Encoding, Error, ErrorKind, Options, SplitPoint, Status};

use crate::{screen, show};

/// The number of bytes used before a place, and the number used from its start on.
pub(crate) const REACH: usize = 256;
/// Columns reserved for the text around a place, however long the place is.
const LEAST: usize = 12;
/// The most bytes of an ill-formed sequence that are shown.
const MOST: usize = 12;
/// Marks text that was cut off.
const REST: &str = "…";

/// The bytes of a text around a place.
#[derive(Clone)]
pub(crate) struct Around {
    /// The first bytes of the text, which may be a BOM.
    pub(crate) start: Vec<u8>,
    /// The offset of `bytes` in the text.
    pub(crate) offset: u64,
    pub(crate) bytes: Vec<u8>,
}

/// A line, or the part of it that can be shown. Nothing in it moves the cursor.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Excerpt {
    pub(crate) before: String,
    /// The marked place.
    pub(crate) at: String,
    pub(crate) after: String,
}

/// A unit of a text: a character, a byte or an ill-formed sequence.
struct Item {
    begin: u64,
    end: u64,
    what: UnitKind,
}

#[derive(Clone, Copy)]
enum UnitKind {
    Point(u32),
    /// A byte of a seven-bit encoding.
    Byte(u8),
    IllFormed,
}

/// The place to mark.
pub(crate) struct Place {
    pub(crate) offset: u64,
    pub(crate) length: u64,
    /// The number of its line.
    pub(crate) line: u64,
    /// Whether it is shown as bytes.
    pub(crate) is_ill_formed: bool,
}

impl Place {
    pub(crate) fn of(error: &Error, line: u64) -> Self {
        let (offset, length) = (error.offset(), u64::from(error.length()));
        let is_ill_formed = !matches!(error.kind(), ErrorKind::Unencodable(_));
        Self { offset, length, line, is_ill_formed }
    }
}

impl Excerpt {
    /// The line that contains `place`, in a text of this encoding, for a screen of `columns`.
    pub(crate) fn new(encoding: Encoding, place: &Place, text: &Around, columns: usize) -> Self {
        let (begin, end) = (place.offset, place.offset + place.length);
        let (items, is_whole) = items(encoding, begin, text);
        let pointed_at = items.iter().filter(|item| item.begin < end && item.end > begin);
        let ends_line = pointed_at.clone().any(Item::ends_line);
        // Minus `12 | ` and an ellipsis on each side.
        let room = columns.saturating_sub(show::digits(place.line) + 3 + 2);
        let at: String = match encoding.info().seven_bit {
            false if place.is_ill_formed => angled(text.part(begin, end)),
            _ => first(pointed_at.map(|item| item.shown(text, true)), room.saturating_sub(LEAST)),
        };
        let at = if at.is_empty() && end > begin { angled(text.part(begin, end)) } else { at };
        let room = room.saturating_sub(at.width().max(1));

        let before: Vec<_> = items.iter().filter(|item| item.end <= begin).collect();
        let after: Vec<_> = items.iter().filter(|item| item.begin >= end && !ends_line).collect();
        let shown_after = |columns| first_line(&after, text, columns);
        // Columns not needed on one side are available to the other.
        let before =
            last_line(&before, text, is_whole, room - shown_after(room * 3 / 8).width().min(room));
        let after = shown_after(room.saturating_sub(before.width()));
        Self { before, at, after }
    }
}

impl Around {
    /// The surroundings of `length` bytes at an offset. `bytes` is the available part of the text,
    /// which begins at `begin`.
    pub(crate) fn of(bytes: &[u8], begin: u64, (offset, length): (u64, u64), start: &[u8]) -> Self {
        let at = (offset.saturating_sub(begin) as usize).min(bytes.len());
        let from = at.saturating_sub(REACH);
        let end = bytes.len().min(at + REACH + (length as usize).min(REACH));
        let bytes = bytes[from..end].to_vec();
        Self { start: start.to_vec(), offset: begin + from as u64, bytes }
    }

    fn part(&self, begin: u64, end: u64) -> &[u8] {
        let at = |offset: u64| {
            usize::try_from(offset.saturating_sub(self.offset))
                .map_or(0, |at| at.min(self.bytes.len()))
        };
        &self.bytes[at(begin)..at(end)]
    }
}

impl Item {
    fn ends_line(&self) -> bool {
        matches!(self.what, UnitKind::Point(0x0A) | UnitKind::Byte(b'\n'))
    }

    fn is_return(&self) -> bool {
        matches!(self.what, UnitKind::Point(0x0D) | UnitKind::Byte(b'\r'))
    }

    fn shown(&self, text: &Around, is_pointed_at: bool) -> String {
        match self.what {
            UnitKind::Point(point) => shown(point, is_pointed_at),
            UnitKind::Byte(byte @ b' '..=b'~') => char::from(byte).into(),
            UnitKind::Byte(byte) => angled(&[byte]),
            UnitKind::IllFormed => angled(text.part(self.begin, self.end)),
        }
    }
}

/// The items around `place`, and whether the first one begins a line.
fn items(encoding: Encoding, place: u64, text: &Around) -> (Vec<Item>, bool) {
    let is_start = text.offset == 0;
    let info = encoding.info();
    if info.seven_bit {
        let items = (text.offset..).zip(&text.bytes);
        let item =
            |(at, byte): (u64, &u8)| Item { begin: at, end: at + 1, what: UnitKind::Byte(*byte) };
        return (items.map(item).collect(), is_start);
    }
    let unit = encoding.info().code_unit;
    let before = text.part(text.offset, place);
    let is_ascii = info.split_point == SplitPoint::Character && info.ascii_transparent;
    let line_feed = |bytes: &[u8]| bytes.iter().position(|byte| *byte == b'\n');
    let skipped = match info.split_point {
        // Only the line is needed.
        _ if is_ascii => before.iter().rposition(|byte| *byte == b'\n').unwrap_or(0),
        _ if is_start => 0,
        SplitPoint::Character => (unit - text.offset as usize % unit) % unit,
        SplitPoint::Line => match line_feed(before) {
            Some(line_feed) => line_feed + 1,
            None => return (Vec::new(), false),
        },
        _ => return (Vec::new(), false),
    };
    let mut decoder = Decoder::new(encoding, Options::default());
    if unit > 1 && !is_start {
        // A BOM determines the byte order.
        _ = decoder.decode_to_code_points(
            &text.start[..unit.min(text.start.len())],
            &mut [0; 2],
            false,
        );
    }
    let rest = text.bytes.get(before.len()..).unwrap_or_default();
    let end = line_feed(rest).filter(|_| is_ascii).map(|end| before.len() + end + 1);
    let bytes = text.bytes.get(skipped..end.unwrap_or(text.bytes.len())).unwrap_or_default();
    let at = text.offset + skipped as u64;
    let mut items = match encoding {
        Encoding::Utf8 => utf8_items(bytes, at),
        _ => decoded_items(&mut decoder, bytes, at),
    };
    // Drop the end of a character that began earlier.
    let cut = items.iter().take_while(|item| !is_start && matches!(item.what, UnitKind::IllFormed));
    let cut = cut.count();
    (items.split_off(cut), is_start || info.split_point == SplitPoint::Line)
}

/// Much faster than decoding one character at a time.
fn utf8_items(bytes: &[u8], begin: u64) -> Vec<Item> {
    let (mut items, mut at) = (Vec::with_capacity(bytes.len()), begin);
    for chunk in bytes.utf8_chunks() {
        for scalar in chunk.valid().chars() {
            let end = at + scalar.len_utf8() as u64;
            items.push(Item { begin: at, end, what: UnitKind::Point(scalar.into()) });
            at = end;
        }
        let end = at + chunk.invalid().len() as u64;
        // A character cut off at the end of the available bytes is not invalid.
        let is_cut = end == begin + bytes.len() as u64
            && str::from_utf8(chunk.invalid()).is_err_and(|error| error.error_len().is_none());
        if !chunk.invalid().is_empty() && !is_cut {
            items.push(Item { begin: at, end, what: UnitKind::IllFormed });
        }
        at = end;
    }
    items
}

fn decoded_items(decoder: &mut Decoder, mut bytes: &[u8], mut at: u64) -> Vec<Item> {
    let mut items = Vec::new();
    loop {
        let mut point = [0];
        let progress = decoder.decode_to_code_points(bytes, &mut point, false);
        let (begin, end) = (at, at + progress.read as u64);
        (at, bytes) = (end, &bytes[progress.read..]);
        let ill_formed = match progress.status {
            Status::Error(error) => end.saturating_sub(u64::from(error.length())),
            _ => end,
        };
        if progress.written > 0 {
            items.push(Item { begin, end: ill_formed, what: UnitKind::Point(point[0]) });
        }
        match progress.status {
            Status::InputEmpty => return items,
            Status::Error(_) => {
                items.push(Item { begin: ill_formed, end, what: UnitKind::IllFormed })
            }
            Status::OutputFull => {}
        }
    }
}

/// The last line of `items`, or its end.
fn last_line(items: &[&Item], text: &Around, is_whole: bool, columns: usize) -> String {
    let mut line: Vec<String> = Vec::new();
    let mut width = 0;
    for item in items.iter().rev() {
        if item.ends_line() {
            line.reverse();
            return line.concat();
        }
        let shown = item.shown(text, false);
        width += shown.width();
        if width > columns {
            line.push(REST.into());
            line.reverse();
            return line.concat();
        }
        line.push(shown);
    }
    if !is_whole {
        line.push(REST.into());
    }
    line.reverse();
    line.concat()
}

/// The first line of `items`, or its beginning.
fn first_line(items: &[&Item], text: &Around, columns: usize) -> String {
    let end = items.iter().position(|item| item.ends_line());
    let items = match &items[..end.unwrap_or(items.len())] {
        // The CR of a CRLF belongs to the line end.
        [items @ .., last] if end.is_some() && last.is_return() => items,
        items => items,
    };
    first(items.iter().map(|item| item.shown(text, false)), columns)
}

/// As much as fits, then an ellipsis if anything is left.
fn first(parts: impl Iterator<Item = String>, columns: usize) -> String {
    let (mut line, mut width) = (String::new(), 0);
    for part in parts {
        width += part.width();
        if width > columns {
            line += REST;
            break;
        }
        line += &part;
    }
    line
}

/// A character, or its code point if it is not visible.
fn shown(point: u32, is_pointed_at: bool) -> String {
    if let Ok(ascii @ b' '..=b'~') = u8::try_from(point) {
        return char::from(ascii).into();
    }
    let number = format!("<U+{point:04X}>");
    let Some(scalar) = char::from_u32(point) else { return number };
    if scalar == '\t' && !is_pointed_at {
        return "    ".into();
    }
    // `escape_debug` does not escape visible characters, nor those that combine with the one
    // before.
    let base = if is_pointed_at { "" } else { "o" };
    let alone = format!("{base}{scalar}");
    let is_quoted = matches!(scalar, '"' | '\'' | '\\');
    let is_seen = is_quoted || alone.escape_debug().eq(alone.chars());
    if is_seen && !screen::is_escaped(scalar) { scalar.into() } else { number }
}

/// `<E2 82>`.
fn angled(bytes: &[u8]) -> String {
    match bytes {
        [] => String::new(),
        [first @ .., _] if first.len() >= MOST => {
            format!("<{} {REST}>", show::bytes(&bytes[..MOST]))
        }
        _ => format!("<{}>", show::bytes(bytes)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The excerpt at the first error of a text whose bytes before `from` have been discarded.
    fn excerpt(encoding: Encoding, bytes: &[u8], from: usize) -> [String; 3] {
        let mut decoder = Decoder::new(encoding, Options::default());
        let progress = decoder.validate(bytes, true);
        let Status::Error(error) = progress.status else { panic!("{progress:?}") };
        let around = Around {
            start: bytes[..bytes.len().min(4)].into(),
            offset: from as u64,
            bytes: bytes[from..].into(),
        };
        let place = Place::of(&error, 1);
        let Excerpt { before, at, after } = Excerpt::new(encoding, &place, &around, 75);
        [before, at, after]
    }

    fn utf_16le(text: &str) -> Vec<u8> {
        text.encode_utf16().flat_map(u16::to_le_bytes).collect()
    }

    #[test]
    fn what_can_be_seen_stands_for_itself() {
        let at = |bytes: &[u8]| excerpt(Encoding::Utf8, bytes, 0);
        assert_eq!(at(b"one\nab\xE2\x82\"c\\\r\nthree"), ["ab", "<E2 82>", "\"c\\"]);
        assert_eq!(at(&["日本".as_bytes(), b"\xFF"].concat()), ["日本", "<FF>", ""]);
        assert_eq!(at(b"a\xE9 b\xE9 c"), ["a", "<E9>", " b<E9> c"]);
        assert_eq!(
            at(&["o\u{301}\u{202E}\u{1}\tx".as_bytes(), b"\xFF\xFE"].concat()),
            ["o\u{301}<U+202E><U+0001>    x", "<FF>", "<FE>"]
        );
    }

    #[test]
    fn long_lines_are_cut() {
        let line = [&b"x".repeat(50)[..], b"\xFF", &b"y".repeat(50)].concat();
        let expected =
            [format!("…{}", "x".repeat(40)), "<FF>".into(), format!("{}…", "y".repeat(24))];
        assert_eq!(excerpt(Encoding::Utf8, &line, 0), expected);
        // As much as fits: a wide character takes two columns, and no text follows.
        let line = ["a日".repeat(30).as_bytes(), b"\xFF"].concat();
        assert_eq!(excerpt(Encoding::Utf8, &line, 0)[0], format!("…日{}", "a日".repeat(21)));
    }

    #[test]
    fn what_is_forgotten_is_not_guessed() {
        // The beginning of a character is missing.
        assert_eq!(excerpt(Encoding::Utf8, b"\xE2\x82\xACa\xFFb", 1), ["…a", "<FF>", "b"]);
        // The beginning of a code unit is missing, and the BOM is not in the excerpt.
        let mut text = utf_16le("\u{FEFF}ab");
        text.extend(b"\x00\xDCc\0\n\0d\0");
        assert_eq!(excerpt(Encoding::Utf16, &text, 0), ["ab", "<00 DC>", "c"]);
        assert_eq!(excerpt(Encoding::Utf16, &text, 3), ["…b", "<00 DC>", "c"]);
        // In SCSU, the meaning of a byte depends on the tags before it.
        let text = b"\x12\xE0\n\x0C";
        assert_eq!(excerpt(Encoding::Scsu, text, 0)[0], "");
        assert_eq!(excerpt(Encoding::Scsu, text, 1), ["…", "<0C>", ""]);
    }

    #[test]
    fn seven_bits_are_bytes() {
        let at = |bytes: &[u8]| excerpt(Encoding::Utf7, bytes, 0);
        assert_eq!(at(b"a\n1 +IKwA- \xE9"), ["1 +IK", "wA", "- <E9>"]);
    }
}
