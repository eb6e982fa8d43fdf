//! Sequences of a lead byte and continuation bytes `10xxxxxx`: all kinds of UTF-8, CESU-8, Java's
//! UTF-8, WTF-8.
//!
//! | lead | trails | values |
//! |---|---|---|
//! | `0xxxxxxx` | 0 | 0–7F |
//! | `110xxxxx` | 1 | 80–7FF |
//! | `1110xxxx` | 2 | 800–FFFF |
//! | `11110xxx` | 3 | 10000–1FFFFF |
//! | `111110xx` | 4 | 200000–3FFFFFF |
//! | `1111110x` | 5 | 4000000–7FFFFFFF |

use crate::codec::{Next, Put};
use crate::{ErrorKind, Granularity};

/// The rules of a format of this kind.
#[derive(Clone, Copy, Debug)]
pub(in crate::codec) struct Rules {
    /// The longest sequence: 3, 4 (with 10FFFF as the largest value) or 6 bytes.
    pub(in crate::codec) longest: usize,
    /// Whether overlong forms are ill-formed.
    pub(in crate::codec) shortest_form: bool,
    /// Whether surrogates may be encoded in three bytes.
    pub(in crate::codec) surrogates: bool,
}

/// Whether the byte at `index` begins a sequence.
#[inline]
pub(in crate::codec) fn is_boundary(bytes: &[u8], index: usize) -> bool {
    !matches!(bytes[index], 0x80..0xC0)
}

/// The same, where two surrogates in three bytes each are one character.
pub(in crate::codec) fn is_boundary_of_pairs(bytes: &[u8], index: usize) -> bool {
    let is_low = matches!(bytes[index..], [0xED, 0xB0..=0xBF, 0x80..=0xBF, ..]);
    let follows_high = matches!(bytes[..index], [.., 0xED, 0xA0..=0xAF, 0x80..=0xBF]);
    is_boundary(bytes, index) && !(is_low && follows_high)
}

/// The sequence at the start of `src`. `granularity` determines the length of ill-formed ones.
#[inline]
pub(in crate::codec) fn next(
    rules: Rules,
    granularity: Granularity,
    src: &[u8],
    last: bool,
) -> Next {
    match scan(rules, granularity == Granularity::Jdk, src, last) {
        Next::Ill(ill) if granularity == Granularity::Perl => {
            announced(src, last).map_or(Next::End, |length| Next::ill(ill.kind, length))
        }
        found => found,
    }
}

/// The sequence at the start of `src`, the end of a text, by maximal subparts.
#[inline(always)]
pub(in crate::codec) fn at_end(rules: Rules, src: &[u8]) -> Next {
    scan(rules, false, src, true)
}

/// The sequence at the start of `src`, by maximal subparts.
#[inline(always)]
fn scan(rules: Rules, whole_surrogates: bool, src: &[u8], last: bool) -> Next {
    let Some(&lead) = src.first() else { return Next::End };
    let length = match lead {
        0x00..=0x7F => return Next::Point { point: u32::from(lead), length: 1 },
        0x80..=0xBF => return Next::ill(ErrorKind::UnexpectedTrail, 1),
        0xC0..=0xC1 if rules.shortest_form => return Next::ill(ErrorKind::Overlong, 1),
        0xC0..=0xDF => 2,
        0xE0..=0xEF => 3,
        0xF0..=0xF7 => 4,
        0xF8..=0xFB => 5,
        0xFC..=0xFD => 6,
        0xFE..=0xFF => return Next::ill(ErrorKind::InvalidByte, 1),
    };
    if length > rules.longest {
        let kind = if length > 4 { ErrorKind::LongForm } else { ErrorKind::InvalidByte };
        return Next::ill(kind, 1);
    }
    if rules.longest == 4 && lead > 0xF4 {
        return Next::ill(ErrorKind::OutOfRange, 1);
    }

    let mut point = u32::from(lead) & (0x7F >> length);
    for at in 1..length {
        let Some(&byte) = src.get(at) else {
            return if last { Next::ill(ErrorKind::Truncated, at) } else { Next::End };
        };
        if byte & 0xC0 != 0x80 {
            return Next::ill(ErrorKind::MissingTrail, at);
        }
        // The second byte shows whether the sequence can still be valid.
        if at == 1 {
            let overlong = matches!(
                (lead, byte),
                (0xE0, ..0xA0) | (0xF0, ..0x90) | (0xF8, ..0x88) | (0xFC, ..0x84)
            );
            if rules.shortest_form && overlong {
                return Next::ill(ErrorKind::Overlong, 1);
            }
            let surrogate = lead == 0xED && byte >= 0xA0;
            if surrogate && !rules.surrogates && !whole_surrogates {
                return Next::ill(ErrorKind::Surrogate, 1);
            }
            if rules.longest == 4 && lead == 0xF4 && byte >= 0x90 {
                return Next::ill(ErrorKind::OutOfRange, 1);
            }
        }
        point = point << 6 | u32::from(byte & 0x3F);
    }
    // Read as a whole only because the JDK counts it this way.
    if !rules.surrogates && matches!(point, 0xD800..=0xDFFF) && lead == 0xED {
        return Next::ill(ErrorKind::Surrogate, 3);
    }
    Next::Point { point, length }
}

/// The length of the sequence that the lead byte announces, as far as continuation bytes follow.
/// `None` if more input is needed.
fn announced(src: &[u8], last: bool) -> Option<usize> {
    let wanted = match src[0] {
        0xC0..=0xDF => 2,
        0xE0..=0xEF => 3,
        0xF0..=0xF7 => 4,
        0xF8..=0xFB => 5,
        0xFC..=0xFD => 6,
        _ => 1,
    };
    let found = 1 + src[1..].iter().take(wanted - 1).take_while(|o| **o & 0xC0 == 0x80).count();
    (found == wanted || found < src.len() || last).then_some(found)
}

/// Writes `point` in its shortest form. The caller has checked that the format has it.
#[inline]
#[cfg_attr(utfall_speed, optimize(speed))]
pub(in crate::codec) fn put(point: u32, dst: &mut [u8]) -> Put {
    let (length, mark) = match point {
        0..=0x7F => (1, 0),
        0x80..=0x7FF => (2, 0xC0),
        0x800..=0xFFFF => (3, 0xE0),
        0x1_0000..=0x1F_FFFF => (4, 0xF0),
        0x20_0000..=0x3FF_FFFF => (5, 0xF8),
        0x400_0000..=0x7FFF_FFFF => (6, 0xFC),
        _ => return Put::Unencodable,
    };
    let Some(room) = dst.get_mut(..length) else { return Put::Full };
    let mut rest = point;
    for byte in room[1..].iter_mut().rev() {
        *byte = 0x80 | (rest & 0x3F) as u8;
        rest >>= 6;
    }
    room[0] = mark | rest as u8;
    Put::Written(length)
}

/// A code point above FFFF written as two surrogates of three bytes each, at the start of `src`.
/// `None` if there is none, [`Next::End`] if more bytes are needed.
#[inline]
pub(in crate::codec) fn next_pair(src: &[u8], last: bool) -> Option<Next> {
    let (high, rest) = src.split_first_chunk()?;
    let [0xED, a @ 0xA0..=0xAF, b @ 0x80..=0xBF] = *high else { return None };
    match *rest {
        [0xED, c @ 0xB0..=0xBF, d @ 0x80..=0xBF, ..] => {
            let bits = |byte: u8, count: u32| u32::from(byte) & ((1 << count) - 1);
            let offset = bits(a, 4) << 16 | bits(b, 6) << 10 | bits(c, 4) << 6 | bits(d, 6);
            Some(Next::Point { point: 0x1_0000 + offset, length: 6 })
        }
        [] | [0xED] | [0xED, 0xB0..=0xBF] if !last => Some(Next::End),
        _ => None,
    }
}

/// Writes `point`, as two surrogates if it is above FFFF.
#[inline]
#[cfg_attr(utfall_speed, optimize(speed))]
pub(in crate::codec) fn put_units(point: u32, dst: &mut [u8]) -> Put {
    let Some(offset @ 0..=0xF_FFFF) = point.checked_sub(0x1_0000) else { return put(point, dst) };
    let Some((high, low)) = dst.get_mut(..6).map(|room| room.split_at_mut(3)) else {
        return Put::Full;
    };
    put(0xD800 | offset >> 10, high);
    put(0xDC00 | offset & 0x3FF, low);
    Put::Written(6)
}
