//! What is found, in words.

use alloc::string::String;
use core::fmt;

use super::{Newlines, Rule};
use crate::Error;
use crate::lines::Position;

/// A place where something is suspicious.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finding {
    /// By which rule.
    pub rule: Rule,
    /// Where it begins, in bytes from the start of the stream. In a shifted run, its first bits
    /// may stand in the digit before.
    pub offset: u64,
    /// How many bytes it takes; none for what is missing.
    pub length: u64,
    /// Its line and column.
    pub position: Position,
    /// What it is.
    pub what: What,
}

/// What is suspicious.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum What {
    /// A sequence, and what is wrong with it.
    IllFormed(Error),
    /// This code point.
    Character(u32),
    /// These line ends; the finding stands at the first of the rarest kind.
    Newlines(Newlines),
    /// Text that was UTF-8, and what it was then: the first
    /// [`SHOWN`](crate::hidden::SHOWN) characters of each, then `…`.
    Twice {
        /// What is there.
        is: String,
        /// What it was.
        was: String,
    },
    /// Something that is not there.
    Nothing,
}

impl fmt::Display for Finding {
    /// What is wrong, in a few words.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.what {
            What::IllFormed(error) => error.kind().fmt(f),
            What::Character(0xFEFF) => self.rule.fmt(f),
            What::Character(point) => {
                write!(f, "{} U+{point:04X}", self.rule)?;
                match abbreviation(*point) {
                    "" => Ok(()),
                    name => write!(f, " ({name})"),
                }
            }
            What::Newlines(newlines) => write!(f, "{}: {newlines}", self.rule),
            What::Twice { is, was } => {
                write!(f, "\"{}\" is \"{}\" of which UTF-8 was read as ", plain(is), plain(was))?;
                let is_latin1 = is.contains(|c| matches!(c, '\u{80}'..='\u{9F}'));
                f.write_str(if is_latin1 { "ISO-8859-1" } else { "windows-1252" })
            }
            What::Nothing => self.rule.fmt(f),
        }
    }
}

/// Controls as escapes: they could move the cursor.
fn plain(text: &str) -> impl fmt::Display {
    struct Plain<'t>(&'t str);
    impl fmt::Display for Plain<'_> {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            use fmt::Write;
            for scalar in self.0.chars() {
                match scalar.is_control() {
                    true => scalar.escape_unicode().fmt(f)?,
                    false => f.write_char(scalar)?,
                }
            }
            Ok(())
        }
    }
    Plain(text)
}

/// The abbreviation by which a control is known.
fn abbreviation(point: u32) -> &'static str {
    match point {
        0x00 => "NUL",
        0x07 => "BEL",
        0x08 => "BS",
        0x0B => "VT",
        0x1A => "SUB",
        0x1B => "ESC",
        0x7F => "DEL",
        0x061C => "ALM",
        0x200E => "LRM",
        0x200F => "RLM",
        0x202A => "LRE",
        0x202B => "RLE",
        0x202C => "PDF",
        0x202D => "LRO",
        0x202E => "RLO",
        0x2066 => "LRI",
        0x2067 => "RLI",
        0x2068 => "FSI",
        0x2069 => "PDI",
        _ => "",
    }
}
