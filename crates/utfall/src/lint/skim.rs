//! Finds the next code point that a linter is interested in, fast where there is none.

mod blocks;

use utfall_simd::{Kernels, Layout};

use super::letters::{
    is_ascii_letter, is_foreign, is_mathematical, is_spaceless, is_variant, joins,
};
use super::{invisible, is_plane_end, twice};

/// The kinds of line ends to stop at, and the previous code point.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wanted {
    pub(super) lf: bool,
    pub(super) crlf: bool,
    pub(super) cr: bool,
    pub(super) before: u32,
}

/// How many of these code points can be skipped.
pub(super) fn points(points: &[u32], wanted: Wanted) -> usize {
    first(points, points.len(), wanted, |point| *point, |_| false)
}

/// How many of the first `room` bytes of text in a form can be skipped. If the text is well-formed,
/// it stops at the start of a sequence.
pub(super) fn bytes(
    kernels: &Kernels,
    form: Layout,
    src: &[u8],
    room: usize,
    wanted: Wanted,
) -> usize {
    let (units16, units32) = (src.as_chunks::<2>().0, src.as_chunks::<4>().0);
    // The high surrogates of U+nFC00 to U+nFFFF, and of rare letters and invisible characters.
    let is_high = |unit: u32| unit & 0xFC3F == 0xD83F || is_rare_plane(unit);
    let (unit, found) = match form {
        Layout::Utf8 => return utf8(kernels, src, room, wanted),
        Layout::Latin1 => (1, first(src, room, wanted, |byte| u32::from(*byte), |_| false)),
        Layout::Utf16Le => {
            let value = |unit: &[u8; 2]| u32::from(u16::from_le_bytes(*unit));
            (2, first(units16, room / 2, wanted, value, is_high))
        }
        Layout::Utf16Be => {
            let value = |unit: &[u8; 2]| u32::from(u16::from_be_bytes(*unit));
            (2, first(units16, room / 2, wanted, value, is_high))
        }
        Layout::Utf32Le => {
            let value = |unit: &[u8; 4]| u32::from_le_bytes(*unit);
            (4, first(units32, room / 4, wanted, value, |_| false))
        }
        Layout::Utf32Be => {
            let value = |unit: &[u8; 4]| u32::from_be_bytes(*unit);
            (4, first(units32, room / 4, wanted, value, |_| false))
        }
    };
    // An incomplete unit is ignored.
    if found == room / unit { room } else { found * unit }
}

/// The last code point of well-formed text.
pub(super) fn last(form: Layout, bytes: &[u8]) -> Option<u32> {
    let unit32 = || bytes.last_chunk::<4>().copied();
    match form {
        Layout::Utf8 => {
            let byte = |back: usize, bits: u8| {
                let at = bytes.len().checked_sub(back);
                at.map(|at| u32::from(bytes[at] & bits) << (6 * (back - 1)))
            };
            let is_trail =
                |back: usize| bytes.len() >= back && bytes[bytes.len() - back] & 0xC0 == 0x80;
            match (1..4).take_while(|back| is_trail(*back)).count() {
                0 => byte(1, 0x7F),
                1 => Some(byte(2, 0x1F)? | byte(1, 0x3F)?),
                2 => Some(byte(3, 0x0F)? | byte(2, 0x3F)? | byte(1, 0x3F)?),
                _ => Some(byte(4, 0x07)? | byte(3, 0x3F)? | byte(2, 0x3F)? | byte(1, 0x3F)?),
            }
        }
        Layout::Latin1 => bytes.last().map(|byte| u32::from(*byte)),
        Layout::Utf16Le => last16(bytes, u16::from_le_bytes),
        Layout::Utf16Be => last16(bytes, u16::from_be_bytes),
        Layout::Utf32Le => unit32().map(u32::from_le_bytes),
        Layout::Utf32Be => unit32().map(u32::from_be_bytes),
    }
}

/// The code points of well-formed text, from its end.
pub(super) fn backwards(form: Layout, mut bytes: &[u8]) -> impl Iterator<Item = u32> {
    core::iter::from_fn(move || {
        let point = last(form, bytes)?;
        let length = match form {
            Layout::Latin1 => 1,
            Layout::Utf8 => char::from_u32(point)?.len_utf8(),
            Layout::Utf16Le | Layout::Utf16Be => 2 + 2 * usize::from(point > 0xFFFF),
            Layout::Utf32Le | Layout::Utf32Be => 4,
        };
        bytes = &bytes[..bytes.len() - length];
        Some(point)
    })
}

/// The last code point of well-formed UTF-16.
fn last16(bytes: &[u8], value: fn([u8; 2]) -> u16) -> Option<u32> {
    let (_, units) = bytes.as_rchunks::<2>();
    let unit = |back: usize| units.len().checked_sub(back).map(|at| u32::from(value(units[at])));
    let last = unit(1)?;
    Some(match (unit(2), last) {
        (Some(high @ 0xD800..=0xDBFF), 0xDC00..=0xDFFF) => {
            0x1_0000 + ((high - 0xD800) << 10 | (last - 0xDC00))
        }
        _ => last,
    })
}

/// The high surrogates of invisible characters (U+1BCA0, U+1D173, U+E0000 to U+E0FFF), and of
/// mathematical letters (U+1D400).
fn is_rare_plane(unit: u32) -> bool {
    matches!(unit, 0xD82F | 0xD834 | 0xDB40..=0xDB43 | 0xD835)
}

/// The index of the first interesting unit among the first `room`. `is_high` tells of surrogates
/// that may begin an interesting character.
fn first<U>(
    units: &[U],
    room: usize,
    wanted: Wanted,
    value: impl Fn(&U) -> u32,
    is_high: impl Fn(u32) -> bool,
) -> usize {
    let mut before = wanted.before;
    let (mut at, mut next_block) = (0, 1);
    while at < room {
        let point = value(&units[at]);
        // Fast path for text in a single alphabet, and for ideographs.
        let is_plain = matches!(
            point,
            0x20..=0x57 | 0x59..=0x77 | 0x79..=0x7E | 0xF5..0x250 | 0x2B0..0x340 | 0x590..0x5D0
                | 0x620..0x1100 | 0x3400..0xA4D0 | 0xABC0..0xD800
        );
        if !is_plain {
            let begin = at;
            // Line ends do not show another alphabet.
            while point > 0x20
                && at >= next_block
                && at + blocks::LENGTH <= room
                && let Some(block) = units[at - 1..].first_chunk()
                && !blocks::may_be_interesting(block, wanted, &value)
            {
                // The last unit has been judged without the next one.
                at += blocks::LENGTH - 2;
                before = value(&units[at - 1]);
            }
            if at > begin {
                continue;
            }
            if point > 0x20 && at >= next_block {
                next_block = at + blocks::LENGTH;
            }
            let next = || units.get(at + 1).map(&value);
            if is_of_interest(point, before, next, wanted) || is_high(point) {
                return at;
            }
        }
        before = point;
        at += 1;
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
        // The start of `xn--`.
        0x58 | 0x78 => next().is_none_or(|next| matches!(next, 0x4E | 0x6E)),
        0..0x20 | 0x7F..0xA0 => true,
        0xAD => true,
        0xC2..=0xF4 => next().is_none_or(|next| twice::byte(next).is_some()),
        0x061C | 0x200E | 0x200F | 0x2029..=0x202E | 0x2066..=0x2069 => true,
        0xFDD0..=0xFDEF | 0xFEFF | 0xFFFD => true,
        _ if is_plane_end(point) => true,
        _ if is_mathematical(point) => true,
        _ if is_foreign(point) || is_variant(point) => may_mix(before, next()),
        _ => invisible::is_invisible(point) && !is_ordinary(before, point, next()),
    }
}

/// Whether a letter of another script is beside an ASCII letter, or after `@`.
fn may_mix(before: u32, next: Option<u32>) -> bool {
    is_ascii_letter(before) || before == 0x40 || next.is_none_or(is_ascii_letter)
}

/// Whether an invisible character is one of the most frequent ones, in its place: a joiner after a
/// letter that joins, U+200B after a letter of a script without spaces, or a style after an
/// emoji. A run is judged by the linter.
fn is_ordinary(before: u32, point: u32, next: Option<u32>) -> bool {
    match (point, next) {
        (0x200B..=0x200D, Some(next)) => {
            let is_needed = if point == 0x200B { is_spaceless } else { joins };
            is_needed(before) && !matches!(next, 0x200B..=0x200D | 0x2060)
        }
        // In UTF-16, the next unit may be half of a selector.
        (0xFE0E | 0xFE0F, Some(next)) => {
            invisible::takes(before, point)
                && !matches!(next, 0xFE00..=0xFE0F | 0xDB40..=0xDB43 | 0xE0100..=0xE01EF)
        }
        _ => false,
    }
}

/// How many more bytes determine whether a byte is interesting.
const AHEAD: usize = 3;

/// [`bytes`] for UTF-8.
fn utf8(kernels: &Kernels, src: &[u8], room: usize, wanted: Wanted) -> usize {
    // The kernel skips line feeds.
    let line_feed = if wanted.lf { line_feed(&src[..room], wanted.before) } else { None };
    let room = line_feed.unwrap_or(room);
    let window = &src[..src.len().min(room + AHEAD)];
    let last = window.len().saturating_sub(AHEAD);
    let mut at = 0;
    // The kernel does not see the character before the text.
    if room > 0 && is_at(src, 0, wanted) {
        return 0;
    }
    while at < last {
        at += kernels.utf8_unremarkable_prefix(&window[at..]);
        if at >= last {
            break;
        }
        if is_at(src, at, wanted) {
            return at;
        }
        // The kernel stops at a letter before one of another script.
        if (0x40..0x7F).contains(&src[at]) && is_at(src, at + 1, wanted) {
            return at + 1;
        }
        at += 1;
    }
    (last..room).find(|at| is_at(src, *at, wanted)).unwrap_or(room)
}

/// The first line feed that is not after a carriage return.
fn line_feed(src: &[u8], before: u32) -> Option<usize> {
    /// Bytes for which the compiler makes vectors.
    const PART: usize = 64;
    if before != 0x0D && src.first() == Some(&b'\n') {
        return Some(0);
    }
    let is_alone = |(before, byte): (&u8, &u8)| (*before != b'\r') & (*byte == b'\n');
    let parts = src.chunks(PART).zip(src.get(1..)?.chunks(PART));
    for (number, (before, now)) in parts.enumerate() {
        if before.iter().zip(now).fold(false, |any, pair| any | is_alone(pair)) {
            let at = before.iter().zip(now).position(is_alone)?;
            return Some(number * PART + at + 1);
        }
    }
    None
}

/// Whether an interesting code point begins here.
fn is_at(src: &[u8], at: usize, wanted: Wanted) -> bool {
    let byte = |ahead: usize| src.get(at + ahead).copied();
    // Where the text is split, more is reported than necessary.
    let is = |ahead: usize, wanted: fn(u8) -> bool| byte(ahead).is_none_or(wanted);
    match src[at] {
        0x0A => {
            let before = at.checked_sub(1).map_or(wanted.before, |at| u32::from(src[at]));
            wanted.lf && before != 0x0D
        }
        0x0D => match byte(1) {
            None => wanted.crlf || wanted.cr,
            Some(0x0A) => wanted.crlf,
            Some(_) => wanted.cr,
        },
        0x09 | 0x0C => false,
        0..0x20 | 0x7F => true,
        0xC2 => is(1, |byte| matches!(byte, 0x80..=0x9F | 0xAD)),
        0xC3 => {
            is(1, |byte| matches!(byte, 0x82..=0xB4))
                && is(2, |byte| matches!(byte, 0xC2 | 0xC5 | 0xC6 | 0xCB | 0xE2))
        }
        // The start of `xn--`.
        b'X' | b'x' => {
            is(1, |byte| matches!(byte, b'N' | b'n'))
                && is(2, |byte| byte == b'-')
                && is(3, |byte| byte == b'-')
        }
        0xCD => is(1, |byte| byte == 0x8F),
        0xC9 | 0xCA | 0xEA => may_mix_at(src, at, wanted),
        0xCE..=0xD6 => {
            let before = at.checked_sub(1).map_or(wanted.before, |at| u32::from(src[at]));
            byte(1).is_none_or(|second| second >= 0x80) && may_mix(before, byte(2).map(u32::from))
        }
        0xD7 => is(1, |byte| byte >= 0x90) && may_mix_at(src, at, wanted),
        0xD8 => is(1, |byte| byte == 0x9C),
        0xE1 => match byte(1) {
            Some(0x85) => is(2, |byte| matches!(byte, 0x9F | 0xA0)),
            Some(0x9E) => is(2, |byte| matches!(byte, 0xB4 | 0xB5)),
            Some(0xA0) => is(2, |byte| matches!(byte, 0x8B..=0x8F)),
            _ => may_mix_at(src, at, wanted),
        },
        0xE2 => match byte(1) {
            Some(0x80) => {
                is(2, |byte| matches!(byte, 0x8B..=0x8F | 0xA9..=0xAE)) && !is_ordinary_at(src, at)
            }
            Some(0x81) => is(2, |byte| matches!(byte, 0xA0..=0xAF)),
            Some(0xA0) => is(2, |byte| byte == 0x80),
            _ => may_mix_at(src, at, wanted),
        },
        0xE3 => is(1, |byte| byte == 0x85) && is(2, |byte| byte == 0xA4),
        0xEF => match byte(1) {
            Some(0xB7) => is(2, |byte| matches!(byte, 0x90..=0xAF)),
            Some(0xB8) => is(2, |byte| byte <= 0x8F) && !is_ordinary_at(src, at),
            Some(0xBB) => is(2, |byte| byte == 0xBF),
            Some(0xBE) => is(2, |byte| byte == 0xA0),
            Some(0xBF) => is(2, |byte| byte >= 0xB0),
            _ => may_mix_at(src, at, wanted),
        },
        0xF3 if is(1, |byte| byte == 0xA0) => true,
        0xF0 if matches!(
            (byte(1), byte(2)),
            (Some(0x9B), Some(0xB2)) | (Some(0x9D), Some(0x85))
        ) =>
        {
            true
        }
        0xF0 if matches!(byte(1), Some(0x9D)) => may_mix_at(src, at, wanted),
        0xF0..=0xF4 => {
            is(1, |byte| matches!(byte, 0x8F | 0x9F | 0xAF | 0xBF))
                && is(2, |byte| byte == 0xBF)
                && is(3, |byte| byte >= 0xBE)
        }
        _ => false,
    }
}

/// Whether a letter that begins here looks like another, and is beside an ASCII letter.
fn may_mix_at(src: &[u8], at: usize, wanted: Wanted) -> bool {
    let bits = |byte: u8, bits: u8| u32::from(byte & bits);
    let (point, length) = match src[at..] {
        [lead @ 0xC0..=0xDF, second @ 0x80..=0xBF, ..] => {
            (bits(lead, 0x1F) << 6 | bits(second, 0x3F), 2)
        }
        [lead @ 0xE0..=0xEF, second @ 0x80..=0xBF, third @ 0x80..=0xBF, ..] => {
            (bits(lead, 0x0F) << 12 | bits(second, 0x3F) << 6 | bits(third, 0x3F), 3)
        }
        [0xF0, second @ 0x80..=0xBF, third @ 0x80..=0xBF, fourth @ 0x80..=0xBF, ..] => {
            (bits(second, 0x3F) << 12 | bits(third, 0x3F) << 6 | bits(fourth, 0x3F), 4)
        }
        // Incomplete or ill-formed: the engine stops here.
        _ => return false,
    };
    let before = at.checked_sub(1).map_or(wanted.before, |at| u32::from(src[at]));
    let next = || src.get(at + length).copied().map(u32::from);
    is_mathematical(point) || (is_foreign(point) || is_variant(point)) && may_mix(before, next())
}

/// [`is_ordinary`] for a character of three bytes, as far as the text around it is known.
fn is_ordinary_at(src: &[u8], at: usize) -> bool {
    let point = match src[at..] {
        [0xE2, 0x80, third, ..] => 0x2000 + u32::from(third & 0x3F),
        [0xEF, 0xB8, third, ..] => 0xFE00 + u32::from(third & 0x3F),
        _ => return false,
    };
    let next = match src[at + 3..] {
        [0xE2, second, third, ..] => {
            0x2000 | u32::from(second & 0x3F) << 6 | u32::from(third & 0x3F)
        }
        [0xEF, second, third, ..] => {
            0xF000 | u32::from(second & 0x3F) << 6 | u32::from(third & 0x3F)
        }
        // Not interesting: any other character, except a selector.
        [lead, ..] if lead != 0xF3 && lead & 0xF0 != 0xE0 => 0,
        [0xE0..=0xEF, ..] if src.len() >= at + 6 => 0,
        _ => return false,
    };
    last(Layout::Utf8, &src[..at]).is_some_and(|before| is_ordinary(before, point, Some(next)))
}

#[cfg(all(test, feature = "std"))]
mod tests {
    use utfall_oracle::{rounds, step};
    use utfall_simd::dispatch;

    use super::*;

    /// Bytes of a block of the kernels.
    const BLOCK: usize = 64;

    /// The fast paths stop wherever the slow one does, at each position of a block.
    #[test]
    fn nothing_is_missed() {
        let heads = [
            0x0A, 0x0D, 0x1B, 0x61, 0x78, 0x7F, 0xC2, 0xC3, 0xC4, 0xC9, 0xCD, 0xD0, 0xD7, 0xD8,
            0xE1, 0xE2, 0xE3, 0xEA, 0xEF, 0xF0, 0xF3, 0xF4,
        ];
        let mut lengths = [0; 2];
        for bits in 0..8 {
            let wanted =
                Wanted { lf: bits & 1 > 0, crlf: bits & 2 > 0, cr: bits & 4 > 0, before: 0 };
            for head in heads {
                for second in (0x80..=0xFF).chain(0..0x80).step_by(step(7)) {
                    for third in (0x80..=0xFF).chain([0x0A, 0x0D]).step_by(step(3)) {
                        let mut text = [b'a'; BLOCK + 8];
                        let place = usize::from(second ^ third) % BLOCK;
                        text[place..][..4].copy_from_slice(&[head, second, third, 0xBF]);
                        let slow = (0..text.len()).find(|at| is_at(&text, *at, wanted));
                        let slow = slow.unwrap_or(text.len());
                        for kernels in dispatch::available() {
                            let quick = utf8(kernels, &text, text.len(), wanted);
                            assert_eq!(quick, slow, "{}: {text:02X?}", kernels.name());
                        }
                        lengths[usize::from(slow < text.len())] += 1;
                    }
                }
            }
        }
        assert!(lengths.iter().all(|count| *count > rounds(1000, 999)), "{lengths:?}");
    }

    /// Blocks are skipped only where no unit is interesting.
    #[test]
    fn nothing_is_missed_in_blocks() {
        let units = [
            0x0A, 0x0D, 0x1B, 0x20, 0x40, 0x61, 0x6E, 0x78, 0x7F, 0x85, 0xA0, 0xAD, 0xC3, 0xE9,
            0x0152, 0x0251, 0x034F, 0x0391, 0x0430, 0x05D0, 0x061C, 0x0E01, 0x115F, 0x13A0, 0x180B,
            0x200B, 0x2019, 0x202E, 0x20AC, 0x2102, 0x3164, 0x4E00, 0xA731, 0xAC00, 0xD83F, 0xDFFE,
            0xDB40, 0xFB1D, 0xFE0F, 0xFEFF, 0xFF21, 0xFFA0, 0xFFFD, 0x1D400, 0x1F600, 0xE0041,
            0x2FFFE,
        ];
        let mut lengths = [0; 2];
        for bits in 0..8 {
            let wanted =
                Wanted { lf: bits & 1 > 0, crlf: bits & 2 > 0, cr: bits & 4 > 0, before: 0 };
            for filler in [0x61, 0x20, 0x0436, 0x4E01] {
                for one in units {
                    for other in units.into_iter().step_by(step(1)) {
                        let mut text = [filler; 3 * blocks::LENGTH];
                        let place = (one ^ other) as usize % (text.len() - 1);
                        (text[place], text[place + 1]) = (one, other);
                        let slow = (0..text.len()).find(|at| {
                            let before = at.checked_sub(1).map_or(0, |at| text[at]);
                            let next = || text.get(at + 1).copied();
                            is_of_interest(text[*at], before, next, wanted)
                        });
                        let slow = slow.unwrap_or(text.len());
                        assert_eq!(points(&text, wanted), slow, "{text:04X?} {wanted:?}");
                        lengths[usize::from(slow < text.len())] += 1;
                    }
                }
            }
        }
        assert!(lengths.iter().all(|count| *count > rounds(1000, 999)), "{lengths:?}");
    }
}
