//! Additional information about a unit.

use core::fmt;

use super::state::State;
#[cfg(feature = "legacy")]
use crate::Encoding;
#[cfg(feature = "jisx0213")]
use crate::codec::jis_x_0213::{Euc, Form as _, Shift};
use crate::codec::{Next, scsu};

/// Additional information about a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Note {
    /// A shift character that begins a run.
    RunBegins,
    /// An escaped shift character, as in `+-` or `&-`.
    ShiftItself,
    /// The end of a run, and the number of zero bits left over.
    RunEnds {
        /// Bits left over from the last digit: 0, 2 or 4.
        padding: u8,
        /// Whether it is ended by `-`, which is then not text.
        closed: bool,
    },
    /// The byte order of code units, according to a byte order mark.
    ByteOrder {
        /// Whether the least significant byte comes first.
        is_little: bool,
    },
    /// The number of a Hangul syllable in Unicode 1.1.
    Unicode11(u32),
    /// BOCU-1: the code point is `middle` plus `by`.
    Difference {
        /// The middle of the block of the previous character, or 40 at the beginning.
        from: u32,
        /// The difference.
        by: i32,
    },
    /// BOCU-1: the next difference is relative to 40 again.
    Reset,
    /// SCSU: mapped through the window that begins here.
    Window(u32),
    /// SCSU: a tag, alone or with the character it quotes.
    Tag(TagNote),
    /// ISO 2022: switches to another set.
    Escape,
    /// The place of a double-byte character in the table of a standard.
    Cell {
        /// The standard, such as `JIS X 0208`.
        set: &'static str,
        /// The row, from 1.
        row: u8,
        /// The cell of the row, from 1 to 94.
        cell: u8,
    },
    /// The encoding of the text that follows, which must not be read.
    Ignored,
}

/// A tag of SCSU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TagNote {
    /// Its name in UTS #6, without the number: `SC`.
    pub name: &'static str,
    /// Its effect.
    pub does: &'static str,
    /// The number of the window.
    pub window: Option<u8>,
    /// The start of the window.
    pub begin: Option<u32>,
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::RunBegins => f.write_str("start of a shifted run"),
            Self::ShiftItself => f.write_str("a literal shift character"),
            Self::RunEnds { padding, closed } => {
                f.write_str("end of the run")?;
                if !closed {
                    f.write_str(", because no digit follows")?;
                }
                match padding {
                    0 => Ok(()),
                    bits => write!(f, "; the {bits} padding bits are zero, as required"),
                }
            }
            Self::ByteOrder { is_little: true } => f.write_str("little-endian"),
            Self::ByteOrder { is_little: false } => f.write_str("big-endian"),
            Self::Unicode11(point) => write!(f, "U+{point:04X} in Unicode 1.1"),
            Self::Difference { from, by } => write!(f, "U+{from:04X} {by:+}"),
            Self::Reset => f.write_str("reset: the next difference is relative to U+0040"),
            Self::Window(begin) => write!(f, "in the window from U+{begin:04X}"),
            Self::Tag(tag) => tag.fmt(f),
            Self::Cell { set, row, cell } => write!(f, "{set} row {row}, cell {cell}"),
            Self::Escape => f.write_str("switches to another character set"),
            Self::Ignored => f.write_str("ignored"),
        }
    }
}

impl fmt::Display for TagNote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)?;
        if let Some(window) = self.window {
            write!(f, "{window}")?;
        }
        write!(f, ": {}", self.does)?;
        if let Some(begin) = self.begin {
            write!(f, " from U+{begin:04X}")?;
        }
        Ok(())
    }
}

pub(super) fn of(bytes: &[u8], next: Next, before: &State, after: &State) -> Option<Note> {
    match (before, next) {
        (_, Next::Ill(_)) => None,
        (State::Single { .. }, Next::Skip { .. }) => Some(Note::RunBegins),
        (State::Single { .. }, Next::Point { length: 2, .. }) => Some(Note::ShiftItself),
        (State::Run { count, .. }, Next::Skip { .. }) => {
            Some(Note::RunEnds { padding: *count, closed: !bytes.is_empty() })
        }
        (State::Scsu { .. }, _) => of_scsu(bytes, next, before, after),
        (State::Bocu1 { .. }, Next::Skip { .. }) => Some(Note::Reset),
        // Controls and the space are encoded as themselves.
        (State::Bocu1 { .. }, Next::Point { point: 0..=0x20, .. }) => None,
        (State::Bocu1 { previous }, Next::Point { point, .. }) => {
            Some(Note::Difference { from: *previous, by: point as i32 - *previous as i32 })
        }
        (State::Units { .. }, Next::Skip { .. }) => None,
        // Designations, SO and SI of ISO 2022, and `~{` and `~}` of HZ.
        (_, Next::Skip { .. }) if matches!(bytes, [0x1B | 0x0E | 0x0F | b'~', ..]) => {
            Some(Note::Escape)
        }
        (_, Next::Skip { .. }) => Some(Note::Ignored),
        _ => None,
    }
}

/// The place of a character in the table of 94 by 94 characters from which its charset takes it.
#[cfg(feature = "legacy")]
pub(super) fn of_cell(encoding: Encoding, bytes: &[u8]) -> Option<Note> {
    let (set, row, cell) = match (Charset::of(encoding)?, bytes) {
        (Charset::EucJp, [row @ 0xA1..=0xFE, cell @ 0xA1..=0xFE]) => {
            ("JIS X 0208", row - 0xA0, cell - 0xA0)
        }
        (Charset::EucJp, [0x8F, row @ 0xA1..=0xFE, cell @ 0xA1..=0xFE]) => {
            ("JIS X 0212", row - 0xA0, cell - 0xA0)
        }
        (Charset::Iso2022Jp, [row @ 0x21..=0x7E, cell @ 0x21..=0x7E]) => {
            ("JIS X 0208", row - 0x20, cell - 0x20)
        }
        (Charset::ShiftJis, [lead @ (0x81..=0x9F | 0xE0..=0xFC), trail @ 0x40..=0xFC]) => {
            let pair = if *lead < 0xA0 { lead - 0x81 } else { lead - 0xC1 };
            let column = trail - 0x40 - u8::from(*trail > 0x7F);
            ("JIS X 0208", 2 * pair + 1 + column / 94, 1 + column % 94)
        }
        (Charset::Gb2312, [row @ 0xA1..=0xF7, cell @ 0xA1..=0xFE]) => {
            ("GB 2312", row - 0xA0, cell - 0xA0)
        }
        #[cfg(feature = "glibc")]
        (Charset::Hz, [row @ 0x21..=0x77, cell @ 0x21..=0x7E]) => {
            ("GB 2312", row - 0x20, cell - 0x20)
        }
        #[cfg(feature = "glibc")]
        (Charset::Iso2022Kr, [row @ 0x21..=0x7E, cell @ 0x21..=0x7E]) => {
            ("KS X 1001", row - 0x20, cell - 0x20)
        }
        (Charset::EucKr, [row @ 0xA1..=0xFD, cell @ 0xA1..=0xFE]) => {
            ("KS X 1001", row - 0xA0, cell - 0xA0)
        }
        #[cfg(feature = "cns")]
        (Charset::EucTw, [row @ 0xA1..=0xFE, cell @ 0xA1..=0xFE]) => {
            (PLANES[0], row - 0xA0, cell - 0xA0)
        }
        #[cfg(feature = "cns")]
        (Charset::EucTw, [0x8E, plane @ 0xA1..=0xAF, row, cell]) => {
            (PLANES[usize::from(plane - 0xA1)], row - 0xA0, cell - 0xA0)
        }
        #[cfg(feature = "cns")]
        (Charset::Iso2022Cn, [0x1B, b'N', row, cell]) => (PLANES[1], row - 0x20, cell - 0x20),
        #[cfg(feature = "jisx0213")]
        (Charset::EucJisX0213, [0xA1..=0xFE, _] | [0x8F, _, _]) => of_jis_x_0213(Euc::cell(bytes)),
        #[cfg(feature = "jisx0213")]
        (Charset::ShiftJisX0213, [_, _]) => of_jis_x_0213(Shift::cell(bytes)),
        _ => return None,
    };
    Some(Note::Cell { set, row, cell })
}

/// A cell with the name of its plane.
#[cfg(feature = "jisx0213")]
fn of_jis_x_0213([plane, row, cell]: [u8; 3]) -> (&'static str, u8, u8) {
    (if plane == 1 { "JIS X 0213 plane 1" } else { "JIS X 0213 plane 2" }, row, cell)
}

/// The planes of CNS 11643.
#[cfg(feature = "cns")]
const PLANES: [&str; 15] = [
    "CNS 11643 plane 1",
    "CNS 11643 plane 2",
    "CNS 11643 plane 3",
    "CNS 11643 plane 4",
    "CNS 11643 plane 5",
    "CNS 11643 plane 6",
    "CNS 11643 plane 7",
    "CNS 11643 plane 8",
    "CNS 11643 plane 9",
    "CNS 11643 plane 10",
    "CNS 11643 plane 11",
    "CNS 11643 plane 12",
    "CNS 11643 plane 13",
    "CNS 11643 plane 14",
    "CNS 11643 plane 15",
];

/// Charsets by how their bytes contain row and cell.
#[cfg(feature = "legacy")]
enum Charset {
    EucJp,
    Iso2022Jp,
    ShiftJis,
    Gb2312,
    EucKr,
    #[cfg(feature = "glibc")]
    Hz,
    #[cfg(feature = "glibc")]
    Iso2022Kr,
    #[cfg(feature = "cns")]
    EucTw,
    #[cfg(feature = "cns")]
    Iso2022Cn,
    #[cfg(feature = "jisx0213")]
    EucJisX0213,
    #[cfg(feature = "jisx0213")]
    ShiftJisX0213,
}

#[cfg(feature = "legacy")]
impl Charset {
    fn of(encoding: Encoding) -> Option<Self> {
        Some(match encoding {
            Encoding::EucJp => Self::EucJp,
            Encoding::Iso2022Jp => Self::Iso2022Jp,
            Encoding::ShiftJis => Self::ShiftJis,
            Encoding::Gbk | Encoding::Gb18030 => Self::Gb2312,
            Encoding::EucKr => Self::EucKr,
            #[cfg(feature = "glibc")]
            Encoding::EucJpGlibc | Encoding::EucJpMs => Self::EucJp,
            #[cfg(feature = "glibc")]
            Encoding::ShiftJisGlibc | Encoding::Windows31JGlibc => Self::ShiftJis,
            #[cfg(feature = "glibc")]
            Encoding::Gb2312Glibc | Encoding::GbkGlibc | Encoding::Gb18030Of2005 => Self::Gb2312,
            #[cfg(feature = "glibc")]
            Encoding::EucKrGlibc | Encoding::Windows949Glibc => Self::EucKr,
            #[cfg(feature = "glibc")]
            Encoding::Hz => Self::Hz,
            #[cfg(feature = "glibc")]
            Encoding::Iso2022Kr => Self::Iso2022Kr,
            #[cfg(feature = "cns")]
            Encoding::EucTw => Self::EucTw,
            #[cfg(feature = "cns")]
            Encoding::Iso2022Cn | Encoding::Iso2022CnExt => Self::Iso2022Cn,
            #[cfg(feature = "jisx0213")]
            Encoding::EucJisX0213 => Self::EucJisX0213,
            #[cfg(feature = "jisx0213")]
            Encoding::ShiftJisX0213 => Self::ShiftJisX0213,
            _ => return None,
        })
    }
}

/// The note for a byte order mark.
pub(super) fn of_mark(state: &State) -> Option<Note> {
    match state {
        State::Units { is_little, .. } => Some(Note::ByteOrder { is_little: *is_little }),
        _ => None,
    }
}

fn of_scsu(bytes: &[u8], next: Next, before: &State, after: &State) -> Option<Note> {
    let State::Scsu { unicode, active, windows } = before else { return None };
    let State::Scsu { active: begin, .. } = after else { return None };
    let tag = *bytes.first()?;
    let changes =
        |name, window| TagNote { name, does: "window", window: Some(window), begin: Some(*begin) };
    let note = match (unicode, tag) {
        (false, 0x01..=0x08) => {
            let window = tag - 1;
            let at = usize::from(window);
            let (does, begin) = match bytes.get(1) {
                Some(0x80..) => ("one character from the dynamic window", windows[at]),
                _ => ("one character from the static window", scsu::STATIC[at]),
            };
            TagNote { name: "SQ", does, window: Some(window), begin: Some(begin) }
        }
        (false, 0x0E) => unit("SQU"),
        (true, 0xF0) => unit("UQU"),
        (false, 0x0F) => TagNote { name: "SCU", does: "Unicode mode", window: None, begin: None },
        (false, 0x10..=0x17) => changes("SC", tag & 7),
        (true, 0xE0..=0xE7) => changes("UC", tag & 7),
        (false, 0x18..=0x1F) => changes("SD", tag & 7),
        (true, 0xE8..=0xEF) => changes("UD", tag & 7),
        (false, 0x0B) => changes("SDX", bytes.get(1)? >> 5),
        (true, 0xF1) => changes("UDX", bytes.get(1)? >> 5),
        (false, 0x80..) if matches!(next, Next::Point { .. }) => {
            return Some(Note::Window(*active));
        }
        _ => return None,
    };
    Some(Note::Tag(note))
}

fn unit(name: &'static str) -> TagNote {
    TagNote { name, does: "one code unit", window: None, begin: None }
}

#[cfg(all(test, feature = "cns", feature = "jisx0213"))]
mod tests {
    use super::*;

    #[test]
    fn rows_and_cells() {
        let rows: [(Encoding, &[u8], &str, u8, u8); 10] = [
            (Encoding::EucTw, b"\xC4\xE3", "CNS 11643 plane 1", 36, 67),
            (Encoding::EucTw, b"\x8E\xA2\xA1\xA1", "CNS 11643 plane 2", 1, 1),
            (Encoding::EucTw, b"\x8E\xAF\xA1\xA2", "CNS 11643 plane 15", 1, 2),
            (Encoding::Iso2022Cn, b"\x1BN!\x22", "CNS 11643 plane 2", 1, 2),
            (Encoding::Iso2022CnExt, b"\x1BN!\x22", "CNS 11643 plane 2", 1, 2),
            (Encoding::EucJisX0213, b"\xAE\xA1", "JIS X 0213 plane 1", 14, 1),
            (Encoding::EucJisX0213, b"\x8F\xFE\xA2", "JIS X 0213 plane 2", 94, 2),
            (Encoding::ShiftJisX0213, b"\x87\x9F", "JIS X 0213 plane 1", 14, 1),
            (Encoding::Gb18030Of2005, b"\xB0\xA1", "GB 2312", 16, 1),
            (Encoding::Windows949Glibc, b"\xB0\xA2", "KS X 1001", 16, 2),
        ];
        for (encoding, bytes, set, row, cell) in rows {
            let expected = Some(Note::Cell { set, row, cell });
            assert_eq!(of_cell(encoding, bytes), expected, "{encoding}");
        }
        assert_eq!(of_cell(Encoding::EucTw, b"a"), None);
        assert_eq!(of_cell(Encoding::EucJisX0213, b"\x8E\xB1"), None);
        // The designation before decides between GB 2312 and plane 1.
        assert_eq!(of_cell(Encoding::Iso2022Cn, b"VP"), None);
    }
}
