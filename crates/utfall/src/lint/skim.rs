//! Finding the next code point that a linter wants to look at: quick where there is none.

use utfall_simd::Form;

use super::{is_plane_end, twice};

/// Which line ends are wanted, and the code point before.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wanted {
    pub(super) lf: bool,
    pub(super) crlf: bool,
    pub(super) cr: bool,
    pub(super) before: u32,
}

/// How many of these code points are of no interest.
pub(super) fn points(points: &[u32], wanted: Wanted) -> usize {
    first(points, points.len(), wanted, |point| *point, is_plane_end)
}

/// How many of the first `room` octets of text in a form are of no interest. What stops it begins
/// a sequence, if the text is sound.
pub(super) fn octets(form: Form, src: &[u8], room: usize, wanted: Wanted) -> usize {
    let (units16, units32) = (src.as_chunks::<2>().0, src.as_chunks::<4>().0);
    // The high surrogates of U+nFC00 to U+nFFFF.
    let may_end_plane = |unit: u32| unit & 0xFC3F == 0xD83F || is_plane_end(unit);
    let (unit, found) = match form {
        Form::Utf8 => return utf8(src, room, wanted),
        Form::Latin1 => (1, first(src, room, wanted, |octet| u32::from(*octet), |_| false)),
        Form::Utf16Le => {
            let value = |unit: &[u8; 2]| u32::from(u16::from_le_bytes(*unit));
            (2, first(units16, room / 2, wanted, value, may_end_plane))
        }
        Form::Utf16Be => {
            let value = |unit: &[u8; 2]| u32::from(u16::from_be_bytes(*unit));
            (2, first(units16, room / 2, wanted, value, may_end_plane))
        }
        Form::Utf32Le => {
            let value = |unit: &[u8; 4]| u32::from_le_bytes(*unit);
            (4, first(units32, room / 4, wanted, value, is_plane_end))
        }
        Form::Utf32Be => {
            let value = |unit: &[u8; 4]| u32::from_be_bytes(*unit);
            (4, first(units32, room / 4, wanted, value, is_plane_end))
        }
    };
    // What is left of a unit is not looked at.
    if found == room / unit { room } else { found * unit }
}

/// The last code point of sound text.
pub(super) fn last(form: Form, octets: &[u8]) -> Option<u32> {
    let unit16 = || octets.last_chunk::<2>().copied();
    let unit32 = || octets.last_chunk::<4>().copied();
    match form {
        Form::Utf8 => {
            let begin = octets.iter().rposition(|octet| octet & 0xC0 != 0x80)?;
            let text = core::str::from_utf8(&octets[begin..]).ok()?;
            text.chars().next().map(u32::from)
        }
        Form::Latin1 => octets.last().map(|octet| u32::from(*octet)),
        // Of a surrogate pair its half: neither is a letter, which is all that is asked.
        Form::Utf16Le => unit16().map(|unit| u32::from(u16::from_le_bytes(unit))),
        Form::Utf16Be => unit16().map(|unit| u32::from(u16::from_be_bytes(unit))),
        Form::Utf32Le => unit32().map(u32::from_le_bytes),
        Form::Utf32Be => unit32().map(u32::from_be_bytes),
    }
}

/// The first of the first `room` units that is of interest.
fn first<U>(
    units: &[U],
    room: usize,
    wanted: Wanted,
    value: impl Fn(&U) -> u32,
    may_end_plane: impl Fn(u32) -> bool,
) -> usize {
    let mut before = wanted.before;
    for (at, unit) in units[..room].iter().enumerate() {
        let point = value(unit);
        // What most text consists of.
        let is_plain = matches!(point, 0x20..0x7F | 0xF5..0x61C | 0x620..0x2000);
        if !is_plain {
            let next = || units.get(at + 1).map(&value);
            if is_of_interest(point, before, next, wanted) || may_end_plane(point) {
                return at;
            }
        }
        before = point;
    }
    room
}

fn is_of_interest(point: u32, before: u32, next: impl Fn() -> Option<u32>, wanted: Wanted) -> bool {
    match point {
        0x0A => wanted.lf && before != 0x0D,
        0x0D => match next() {
            None => wanted.crlf || wanted.cr,
            Some(0x0A) => wanted.crlf,
            Some(_) => wanted.cr,
        },
        0x09 | 0x0C => false,
        0..0x20 | 0x7F..0xA0 => true,
        0xC2..=0xF4 => next().is_none_or(|next| twice::octet(next).is_some()),
        0x061C | 0x200E | 0x200F | 0x2029..=0x202E | 0x2066..=0x2069 => true,
        0xFDD0..=0xFDEF | 0xFEFF | 0xFFFD => true,
        _ => false,
    }
}

/// Octets that are looked at side by side.
const BLOCK: usize = 64;
/// Octets of a sequence that are looked at.
const AHEAD: usize = 2;

/// [`octets`] of UTF-8.
fn utf8(src: &[u8], room: usize, wanted: Wanted) -> usize {
    let mut at = 0;
    let returns =
        Returns { lf: u8::from(wanted.lf), crlf: u8::from(wanted.crlf), cr: u8::from(wanted.cr) };
    if src.first() == Some(&0x0A) && wanted.lf && wanted.before != 0x0D {
        return 0;
    }
    while at < room
        && let Some(window) = src[at..].first_chunk::<{ BLOCK + AHEAD }>()
    {
        let may_be = block_is_of_interest(window, returns);
        if may_be && let Some(found) = (at..=at + BLOCK).find(|at| is_at(src, *at, wanted)) {
            return found.min(room);
        }
        at += BLOCK;
    }
    let found = (at..room).find(|at| is_at(src, *at, wanted));
    found.unwrap_or(room)
}

/// Whether a code point of interest begins here.
fn is_at(src: &[u8], at: usize, wanted: Wanted) -> bool {
    let octet = |ahead: usize| src.get(at + ahead).copied();
    // Where the text is cut, more is looked at than has to be.
    let is = |ahead: usize, wanted: fn(u8) -> bool| octet(ahead).is_none_or(wanted);
    match src[at] {
        0x0A => {
            let before = at.checked_sub(1).map_or(wanted.before, |at| u32::from(src[at]));
            wanted.lf && before != 0x0D
        }
        0x0D => match octet(1) {
            None => wanted.crlf || wanted.cr,
            Some(0x0A) => wanted.crlf,
            Some(_) => wanted.cr,
        },
        0x09 | 0x0C => false,
        0..0x20 | 0x7F => true,
        0xC2 => is(1, |octet| octet < 0xA0),
        0xC3 => {
            is(1, |octet| matches!(octet, 0x82..=0xB4))
                && is(2, |octet| matches!(octet, 0xC2 | 0xC5 | 0xC6 | 0xCB | 0xE2))
        }
        0xD8 => is(1, |octet| octet == 0x9C),
        0xE2 => match octet(1) {
            Some(0x80) => is(2, |octet| matches!(octet, 0x8E | 0x8F | 0xA9..=0xAE)),
            Some(0x81) => is(2, |octet| matches!(octet, 0xA6..=0xA9)),
            _ => false,
        },
        0xEF => match octet(1) {
            Some(0xB7) => is(2, |octet| matches!(octet, 0x90..=0xAF)),
            Some(0xBB) => is(2, |octet| octet == 0xBF),
            Some(0xBF) => is(2, |octet| octet >= 0xBD),
            _ => false,
        },
        0xF0..=0xF4 => {
            is(1, |octet| octet & 0x0F == 0x0F)
                && is(2, |octet| octet == 0xBF)
                && is(3, |octet| octet >= 0xBE)
        }
        _ => false,
    }
}

/// Which line ends are wanted, 1 or 0.
#[derive(Clone, Copy)]
struct Returns {
    lf: u8,
    crlf: u8,
    cr: u8,
}

/// Whether [`is_at`] may say so anywhere in a block, or of a line feed behind it. Written so that
/// the compiler does it with vectors.
fn block_is_of_interest(window: &[u8; BLOCK + AHEAD], returns: Returns) -> bool {
    let at = |ahead: usize| -> &[u8; BLOCK] {
        window[ahead..].first_chunk().expect("the window is as long")
    };
    let (first, second, third) = (at(0), at(1), at(2));
    let (mut found, mut high) = (0, 0);
    for (a, b) in first.iter().zip(second) {
        let is_control = (*a < 0x20) & (a.wrapping_sub(0x09) > 4) | (*a == 0x0B) | (*a == 0x7F);
        let (cr, lf) = (u8::from(*a == 0x0D), u8::from(*b == 0x0A));
        let newline = cr & (lf & returns.crlf | (lf ^ 1) & returns.cr) | (cr ^ 1) & lf & returns.lf;
        found |= u8::from(is_control) | newline;
        high |= a;
    }
    if high < 0x80 || found != 0 {
        return found != 0;
    }
    for ((a, b), c) in first.iter().zip(second).zip(third) {
        let (a, b, c) = (*a, *b, *c);
        let c1 = (a == 0xC2) & (b < 0xA0);
        let twice = (a == 0xC3)
            & ((c | 0x20 == 0xE2) | (c & 0xFC == 0xC4) | (c == 0xCB))
            & (b.wrapping_sub(0x82) <= 0xB4 - 0x82);
        let mark = (a == 0xD8) & (b == 0x9C);
        // From U+2029 to U+202E, and from U+2066 to U+206B; and U+200E and U+200F.
        let embedding = c.wrapping_sub(0xA9).wrapping_add((b & 1) * 3) <= 5;
        let general = (a == 0xE2) & (b & 0xFE == 0x80) & (embedding | (c & 0xFE == 0x8E));
        let special = (a == 0xEF) & (b & 0xF3 == 0xB3);
        let plane = (a >= 0xF0) & (b & 0x0F == 0x0F) & (c == 0xBF);
        found |= u8::from(c1 | twice | mark | general | special | plane);
    }
    found != 0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The block says yes wherever the slow way does, at each place of it.
    #[test]
    fn blocks_miss_nothing() {
        let heads = [0x0A, 0x0D, 0x1B, 0x61, 0x7F, 0xC2, 0xC3, 0xC4, 0xD8, 0xE2, 0xEF, 0xF0, 0xF4];
        let mut lengths = [0; 2];
        for bits in 0..8 {
            let wanted =
                Wanted { lf: bits & 1 > 0, crlf: bits & 2 > 0, cr: bits & 4 > 0, before: 0 };
            for head in heads {
                for second in 0..=255 {
                    for third in (0x80..=0xFF).chain([0x0A, 0x0D]) {
                        let mut text = [b'a'; BLOCK + 8];
                        let place = usize::from(second ^ third) % BLOCK;
                        text[place..][..4].copy_from_slice(&[head, second, third, 0xBF]);
                        let slow = (0..text.len()).find(|at| is_at(&text, *at, wanted));
                        let quick = utf8(&text, text.len(), wanted);
                        assert_eq!(quick, slow.unwrap_or(text.len()), "{text:02X?}");
                        lengths[usize::from(slow.is_some())] += 1;
                    }
                }
            }
        }
        assert!(lengths.iter().all(|count| *count > 1000));
    }
}
