//! Chains of wrong decodings, and how to reproduce them.

use std::fmt;

use crate::{Charset, Entities, controls, escapes};

/// One step that damaged a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// The UTF-8 bytes were decoded in another charset, and the result was encoded as UTF-8.
    Misread {
        /// The wrong charset.
        charset: Charset,
        /// How the decoder lost bytes that have no character in the charset, if it did.
        loss: Option<Loss>,
    },
    /// Supplementary characters were encoded as two three-byte surrogates (CESU-8).
    Surrogates,
    /// US-ASCII characters were encoded in overlong form, with this many bytes.
    Overlong(u8),
    /// The UTF-16LE bytes were decoded as ISO-8859-1, so that every other character is U+0000.
    Utf16Le,
    /// The UTF-16BE bytes were decoded as ISO-8859-1.
    Utf16Be,
    /// The windows-1252 bytes were decoded as ISO-8859-1, so that characters such as `“` became C1
    /// controls.
    Controls,
    /// A byte order mark was inserted before it, in the middle of a text.
    StrayMark,
    /// The text is in JSON, with characters as escapes such as `\u00e9`, both before and after the
    /// damage. If present, this is the last step of the chain.
    JsonEscapes {
        /// Hexadecimal digits above 9 are upper-case.
        upper: bool,
    },
    /// The text is in HTML or XML, with characters as entities such as `&eacute;` or `&#233;`, both before and after
    /// the damage. If present, this is the last step of the chain.
    HtmlEntities(Entities),
    /// The text is in percent-encoding such as `%C3%A9`, both before and after the damage. If present, this is the
    /// last step of the chain.
    PercentEncoding {
        /// Hexadecimal digits above 9 are upper-case.
        upper: bool,
    },
}

/// How a decoder lost bytes that have no character in its charset.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Loss {
    /// U+00A0, which looks like a space, became a space.
    Space,
    /// U+00A0 was removed as white space: at the end of a line, or next to a space.
    Trimmed,
    /// Unmapped bytes, C1 controls and soft hyphens were dropped.
    Dropped,
    /// Unmapped bytes became `?` or U+FFFD.
    Replaced(char),
}

/// The steps that damaged a text, in the order in which they happened.
#[derive(Clone, PartialEq, Eq)]
pub struct Chain(Steps);

/// Most chains have a single step, which needs no allocation.
#[derive(Clone, PartialEq, Eq)]
enum Steps {
    One(Step),
    /// Any other number of steps.
    Many(Vec<Step>),
}

impl From<Step> for Chain {
    fn from(step: Step) -> Self {
        Self(Steps::One(step))
    }
}

impl Default for Chain {
    fn default() -> Self {
        Self::new(Vec::new())
    }
}

impl Chain {
    /// Creates a chain of these steps, in the order in which they happened.
    pub fn new(steps: Vec<Step>) -> Self {
        match steps[..] {
            [step] => step.into(),
            _ => Self(Steps::Many(steps)),
        }
    }

    /// The steps, in the order in which they happened.
    pub fn steps(&self) -> &[Step] {
        match &self.0 {
            Steps::One(step) => std::slice::from_ref(step),
            Steps::Many(steps) => steps,
        }
    }

    /// Adds a step that happened before or after all others.
    pub(crate) fn insert(&mut self, index: usize, step: Step) {
        let mut steps = self.steps().to_vec();
        steps.insert(index, step);
        *self = Self::new(steps);
    }

    /// Repeats the damage on a UTF-8 text. Returns `None` if that is impossible, because a charset
    /// of the chain has no character for a byte.
    ///
    /// Applied to what [`repair`](crate::repair) restored, it reproduces the original bytes:
    ///
    /// ```
    /// let repaired = utfall_repair::repair("dÃ©jÃ\u{A0} vu".as_bytes());
    /// assert_eq!(repaired.bytes, "déjà vu".as_bytes());
    /// let change = &repaired.changes[0];
    /// assert_eq!(change.chain.apply(&change.after).as_ref(), Some(&change.before));
    /// ```
    pub fn apply(&self, text: &[u8]) -> Option<Vec<u8>> {
        let mut bytes = match self.escape() {
            Some(step) => escapes::undone(text, step),
            None => text.to_vec(),
        };
        for step in self.steps() {
            bytes = step.apply(&bytes)?;
        }
        Some(bytes)
    }

    /// The last step, if it is one of escapes.
    pub(crate) fn escape(&self) -> Option<Step> {
        self.steps().last().copied().filter(|step| step.is_escape())
    }
}

impl Step {
    fn is_escape(self) -> bool {
        use Step::{HtmlEntities, JsonEscapes, PercentEncoding};
        matches!(self, JsonEscapes { .. } | HtmlEntities(_) | PercentEncoding { .. })
    }

    fn apply(self, bytes: &[u8]) -> Option<Vec<u8>> {
        let text = || std::str::from_utf8(bytes).ok();
        let mut out = Vec::with_capacity(bytes.len() * 2);
        let put = |out: &mut Vec<u8>, character: char| {
            out.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
        };
        match self {
            Self::Misread { charset, loss } => {
                for &byte in bytes {
                    match loss {
                        Some(Loss::Space) if byte == 0xA0 => out.push(b' '),
                        Some(Loss::Trimmed) if byte == 0xA0 => {}
                        Some(Loss::Dropped) if is_dropped(charset, byte) => {}
                        Some(Loss::Replaced(sign)) if charset.lost().contains(&byte) => {
                            put(&mut out, sign);
                        }
                        _ => put(&mut out, charset.decode(byte)?),
                    }
                }
            }
            Self::Surrogates => {
                for character in text()?.chars() {
                    match character.len_utf8() {
                        4 => {
                            for unit in character.encode_utf16(&mut [0; 2]) {
                                out.extend(long_form(u32::from(*unit), 3));
                            }
                        }
                        _ => put(&mut out, character),
                    }
                }
            }
            Self::Overlong(length) => {
                for character in text()?.chars() {
                    out.extend(long_form(u32::from(character), length));
                }
            }
            Self::Utf16Le | Self::Utf16Be => {
                for unit in text()?.encode_utf16() {
                    let pair = match self {
                        Self::Utf16Le => unit.to_le_bytes(),
                        _ => unit.to_be_bytes(),
                    };
                    for byte in pair {
                        put(&mut out, char::from(byte));
                    }
                }
            }
            Self::Controls => {
                for character in text()?.chars() {
                    put(&mut out, controls::of(character).unwrap_or(character));
                }
            }
            Self::StrayMark => {
                put(&mut out, '\u{FEFF}');
                out.extend(bytes);
            }
            Self::JsonEscapes { .. } | Self::HtmlEntities(_) | Self::PercentEncoding { .. } => {
                out = escapes::escaped(text()?, Some(self));
            }
        }
        Some(out)
    }
}

/// Encodes a number in UTF-8 form with `length` bytes (two to four), which may be overlong.
fn long_form(number: u32, length: u8) -> impl Iterator<Item = u8> {
    let mark = !(0xFF_u8 >> length);
    (0..length).rev().map(move |place| {
        let bits = (number >> (6 * u32::from(place))) as u8;
        if place + 1 == length { mark | bits } else { 0x80 | bits & 0x3F }
    })
}

/// Whether a decoder that drops invisible characters drops this byte: it is unmapped, a control or
/// a soft hyphen.
pub(crate) fn is_dropped(charset: Charset, byte: u8) -> bool {
    byte.checked_sub(0x80).is_some_and(|high| charset.dropped() >> high & 1 == 1)
}

impl fmt::Debug for Chain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Chain").field(&self.steps()).finish()
    }
}

impl fmt::Display for Chain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, step) in self.steps().iter().enumerate() {
            if index > 0 {
                f.write_str(", then ")?;
            }
            step.fmt(f)?;
        }
        Ok(())
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Misread { charset, loss } => {
                write!(f, "UTF-8 read as {}", charset.name())?;
                match loss {
                    None => Ok(()),
                    Some(Loss::Space) => f.write_str(" with U+00A0 made a space"),
                    Some(Loss::Trimmed) => f.write_str(" with U+00A0 trimmed"),
                    Some(Loss::Dropped) => f.write_str(" with a byte left out"),
                    Some(Loss::Replaced(sign)) => write!(f, " with a byte replaced by {sign}"),
                }
            }
            Self::Surrogates => f.write_str("written as CESU-8"),
            Self::Overlong(length) => write!(f, "written in an overlong form of {length} bytes"),
            Self::Utf16Le => f.write_str("UTF-16LE read as ISO-8859-1"),
            Self::Utf16Be => f.write_str("UTF-16BE read as ISO-8859-1"),
            Self::Controls => f.write_str("windows-1252 read as ISO-8859-1"),
            Self::StrayMark => f.write_str("written after a byte order mark"),
            Self::JsonEscapes { .. } => f.write_str("written as JSON escapes"),
            Self::HtmlEntities(_) => f.write_str("written as HTML entities"),
            Self::PercentEncoding { .. } => f.write_str("written in percent-encoding"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_step() {
        let misread =
            |name, loss| Step::Misread { charset: Charset::from_name(name).unwrap(), loss };
        for (step, text, bytes) in [
            (misread("windows-1252", None), "é”", "Ã©â€\u{9D}".as_bytes()),
            (misread("windows-1252", Some(Loss::Dropped)), "”", "â€".as_bytes()),
            (misread("windows-1252", Some(Loss::Trimmed)), "là", "lÃ".as_bytes()),
            (misread("windows-1252", Some(Loss::Replaced('?'))), "”", "â€?".as_bytes()),
            (misread("windows-1251", Some(Loss::Space)), "Р", "Р ".as_bytes()),
            (Step::Surrogates, "a\u{1F600}", b"a\xED\xA0\xBD\xED\xB8\x80"),
            (Step::Overlong(2), "/", b"\xC0\xAF"),
            (Step::Overlong(3), "/", b"\xE0\x80\xAF"),
            (Step::Overlong(4), "/", b"\xF0\x80\x80\xAF"),
            (Step::Utf16Le, "aé", "a\0é\0".as_bytes()),
            (Step::Utf16Be, "aé", "\0a\0é".as_bytes()),
            (Step::Controls, "“é”…", "\u{93}é\u{94}\u{85}".as_bytes()),
            (Step::StrayMark, "a", "\u{FEFF}a".as_bytes()),
            (Step::JsonEscapes { upper: false }, "aé\u{1F600}", br"a\u00e9\ud83d\ude00"),
            (Step::JsonEscapes { upper: true }, "é", br"\u00E9"),
            (Step::HtmlEntities(Entities::Named), "é&", b"&eacute;&"),
            (Step::PercentEncoding { upper: true }, "é", b"%C3%A9"),
        ] {
            let done = step.apply(text.as_bytes()).unwrap();
            assert_eq!(done, bytes, "{step}: {}", done.escape_ascii());
        }
        let undefined = misread("windows-1253", None);
        assert_eq!(undefined.apply(b"\xD2\x80"), None);
    }
}
