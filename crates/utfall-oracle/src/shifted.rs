//! The rules of UTF-7 and of IMAP mailbox names, one by one: the rules that a text breaks, and
//! where (§3, §4).

use crate::{Item, imap_utf7, utf7};

/// One item found by reading, in input order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// A code point.
    Point(u32),
    /// A broken rule.
    Fault(Fault),
}

/// A broken rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The offset of the ill-formed sequence in the input, in bytes.
    pub offset: usize,
    /// Its length in bytes.
    pub length: usize,
    /// The rule.
    pub rule: Rule,
    /// In a run: the bit at which it begins, from the start of eight digits.
    pub bit: Option<usize>,
    /// The code unit that is at fault, if any.
    pub unit: Option<u32>,
    /// A rule about the end of the run that the same sequence also breaks.
    pub also: Option<Rule>,
    /// Some of the bits left over at the end of a run, two or more, are not zero.
    pub non_zero: bool,
    /// At the end of a run that should have been closed: the rule is then not reported.
    pub unclosed: bool,
}

/// The rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rule {
    /// `\` and `~` are not direct.
    NotDirect,
    /// Controls are not direct.
    Control,
    /// Bytes are below 80.
    EightBit,
    /// Base64 or `-` follows a shift character.
    EmptyShift,
    /// The same, at the end of the text.
    Truncated,
    /// Two or four bits of padding are zero.
    NonZeroPadding,
    /// The padding has no more than four bits.
    DanglingDigit,
    /// The number of bytes is even.
    OddBytes,
    /// A low surrogate follows a high one.
    HighSurrogate,
    /// A high surrogate precedes a low one.
    LowSurrogate,
    /// IMAP: a run ends in `-`.
    Unterminated,
    /// IMAP: the same, where `/` ends the run.
    SlashDigit,
    /// IMAP: no run follows directly on another.
    NullShift,
    /// IMAP: no printable US-ASCII in runs.
    EncodedAscii,
}

/// Reads all of the input. `None` if the name is not one of UTF-7 or of IMAP mailbox names.
///
/// ```
/// use utfall_oracle::shifted::{Fault, Reading, Rule, read};
///
/// let readings = read("UTF-7", b"+IKx-").unwrap();
/// let [Reading::Point(0x20AC), Reading::Fault(fault)] = readings[..] else { panic!() };
/// let Fault { offset, length, rule, bit, .. } = fault;
/// assert_eq!((offset, length, rule, bit), (3, 1, Rule::NonZeroPadding, Some(16)));
/// ```
#[must_use]
pub fn read(name: &str, bytes: &[u8]) -> Option<Vec<Reading>> {
    match name {
        "UTF-7" | "UTF-7/RFC1642" => Some(utf7::read(bytes)),
        "UTF-7-IMAP" => Some(imap_utf7::read(bytes)),
        _ => None,
    }
}

pub(crate) fn decode(read: fn(&[u8]) -> Vec<Reading>, bytes: &[u8], items: &mut Vec<Item>) {
    items.extend(read(bytes).into_iter().map(|reading| match reading {
        Reading::Point(point) => Item::Point(point),
        Reading::Fault(Fault { offset, length, .. }) => Item::Ill { offset, length },
    }));
}

/// One byte that is at fault, outside a run.
pub(crate) fn byte(rule: Rule, offset: usize) -> Reading {
    let fault = Fault {
        offset,
        length: 1,
        rule,
        bit: None,
        unit: None,
        also: None,
        non_zero: false,
        unclosed: false,
    };
    Reading::Fault(fault)
}

/// A byte that is not direct.
pub(crate) fn not_direct(bytes: &[u8], offset: usize) -> Reading {
    let rule = match bytes[offset] {
        0x80.. => Rule::EightBit,
        b'\\' | b'~' => Rule::NotDirect,
        _ => Rule::Control,
    };
    byte(rule, offset)
}

/// A shift character without Base64 or `-`, at `offset`.
pub(crate) fn shift_alone(bytes: &[u8], offset: usize) -> Reading {
    let at_end = offset + 1 == bytes.len();
    byte(if at_end { Rule::Truncated } else { Rule::EmptyShift }, offset)
}
