//! Additional information about a unit.

use core::fmt;

use super::state::State;
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
        (_, Next::Skip { .. }) if bytes.first() == Some(&0x1B) => Some(Note::Escape),
        (_, Next::Skip { .. }) => Some(Note::Ignored),
        _ => None,
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
