//! Findings and their messages.

use alloc::string::String;
use core::fmt;

use super::{Newlines, Rule};
use crate::Error;
use crate::lines::Position;

/// A suspicious place in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finding {
    /// The rule that found it.
    pub rule: Rule,
    /// The offset of its first byte from the start of the stream. In a shifted run, its first bits
    /// may be in the digit before.
    pub offset: u64,
    /// Its length in bytes; 0 for something missing.
    pub length: u64,
    /// Its line and column.
    pub position: Position,
    /// The suspicious text.
    pub what: FindingKind,
}

/// The suspicious text of a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FindingKind {
    /// A sequence, with its error.
    IllFormed(Error),
    /// A code point.
    Character(u32),
    /// Several code points in a row that display nothing.
    Characters {
        /// The first of them.
        first: u32,
        /// How many there are.
        count: u64,
        /// The text that they spell or carry, or nothing. Of it, the first
        /// [`SHOWN`](crate::hidden::SHOWN) characters, followed by `…` if there are more.
        text: String,
    },
    /// Counts of line ends. The finding is at the first one of the rarest kind.
    Newlines(Newlines),
    /// UTF-8 that was decoded with another encoding, and the original text. Of each, the first
    /// [`SHOWN`](crate::hidden::SHOWN) characters, followed by `…` if there are more.
    DoubleEncoded {
        /// The text as found.
        is: String,
        /// The original text.
        was: String,
    },
    /// A word or a domain that looks like another.
    Lookalike {
        /// The word as found.
        is: String,
        /// The same in ASCII; empty if it looks like a word of another script.
        like: String,
    },
    /// A domain with labels in Punycode (RFC 3492) that looks like another.
    Punycode {
        /// The domain that it encodes.
        decoded: String,
        /// The domain in ASCII that this looks like.
        like: String,
    },
    /// Markup in UTF-7.
    Markup {
        /// The first [`SHOWN`](crate::hidden::SHOWN) characters of the decoded text, followed by `…`
        /// if there are more.
        text: String,
    },
    /// Something is missing.
    Nothing,
}

impl fmt::Display for Finding {
    /// A short message.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.what {
            FindingKind::IllFormed(error) => error.kind().fmt(f),
            FindingKind::Character(0xFEFF) => self.rule.fmt(f),
            FindingKind::Character(point) => {
                self.rule.fmt(f)?;
                code_point(*point, f)
            }
            FindingKind::Characters { first, count, text } => {
                self.rule.fmt(f)?;
                code_point(*first, f)?;
                if *count > 1 {
                    write!(f, " and {} more", count - 1)?;
                }
                match text.is_empty() {
                    true => Ok(()),
                    false => write!(f, ": hidden text \"{}\"", plain(text)),
                }
            }
            FindingKind::Newlines(newlines) => write!(f, "{}: {newlines}", self.rule),
            FindingKind::DoubleEncoded { is, was } => {
                // The text has no backslashes except those of escapes.
                let is_latin1 = is.contains(|c| matches!(c, '\u{80}'..='\u{9F}'))
                    || ["\\u008", "\\u009"].iter().any(|escape| is.contains(escape));
                let charset = if is_latin1 { "ISO-8859-1" } else { "windows-1252" };
                let (is, was) = (plain(is), plain(was));
                write!(
                    f,
                    "\"{is}\" looks like a double-encoded \"{was}\" (UTF-8 read as {charset})"
                )
            }
            FindingKind::Lookalike { is, like } if like.is_empty() => {
                write!(f, "\"{}\" has Latin letters that look like the others", plain(is))
            }
            FindingKind::Lookalike { is, like } => {
                let (is, like) = (plain(is), plain(like));
                write!(f, "\"{is}\" looks like \"{like}\", but has letters ")?;
                f.write_str(self.lookalikes())
            }
            FindingKind::Punycode { decoded, like } => {
                let (decoded, like) = (plain(decoded), plain(like));
                write!(f, "Punycode for \"{decoded}\", which looks like \"{like}\"")
            }
            FindingKind::Markup { text } => write!(f, "{}: \"{}\"", self.rule, plain(text)),
            FindingKind::Nothing => self.rule.fmt(f),
        }
    }
}

impl Finding {
    /// The letters that look like others.
    fn lookalikes(&self) -> &'static str {
        match self.rule {
            #[cfg(feature = "confusables")]
            Rule::LookalikeLetter => "that are not ASCII",
            _ => "of another script",
        }
    }
}

/// Escapes controls, which could move the cursor.
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

/// ` U+200B (ZWSP)`.
fn code_point(point: u32, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    write!(f, " U+{point:04X}")?;
    match (point, abbreviation(point)) {
        (0xFE00..=0xFE0F, _) => write!(f, " (VS{})", point - 0xFE00 + 1),
        (0xE0100..=0xE01EF, _) => write!(f, " (VS{})", point - 0xE0100 + 17),
        (_, "") => Ok(()),
        (_, name) => write!(f, " ({name})"),
    }
}

/// The usual abbreviation of a control or an invisible character.
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
        0xAD => "SHY",
        0x034F => "CGJ",
        0x115F => "HCF",
        0x1160 => "HJF",
        0x180E => "MVS",
        0x200B => "ZWSP",
        0x200C => "ZWNJ",
        0x200D => "ZWJ",
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
        0x2060 => "WJ",
        0x3164 => "HF",
        0xFFA0 => "HWHF",
        _ => "",
    }
}
