//! Finds blocks of code units without anything interesting. The loops have no branches, so that the
//! compiler vectorizes them.

use super::Wanted;

/// Units that are judged together.
pub(super) const LENGTH: usize = 32;
/// Units in a register that all x86-64 processors have.
const LANES: usize = 8;

/// The first and last unit of a range, and the flags that these units set.
type Range = (u16, u16, u16);

/// Something interesting in itself.
const ALONE: u16 = 1;
/// The windows-1252 characters of the lead and continuation bytes of UTF-8.
const LEAD: u16 = 1 << 1;
const TRAIL: u16 = 1 << 2;
const RETURN: u16 = 1 << 3;
const LINE_FEED: u16 = 1 << 4;
/// Anything beyond the Latin letters of Europe.
const OTHER: u16 = 1 << 5;
/// An ASCII letter, or one of the characters next to them in US-ASCII.
const LETTER: u16 = 1 << 6;
/// A letter of another script, or another one that may look like an ASCII letter.
const LOOKALIKE: u16 = 1 << 7;

const ALL: [Range; 13] = [
    // Controls and the soft hyphen.
    (0, 8, ALONE),
    (0x0B, 0x0C, ALONE),
    (0x0E, 0x1F, ALONE),
    (0x7F, 0x9F, ALONE),
    (0xAD, 0xAD, ALONE),
    // The start of `xn--`.
    (0x58, 0x58, ALONE),
    (0x78, 0x78, ALONE),
    (0x0A, 0x0A, LINE_FEED),
    (0x0D, 0x0D, RETURN),
    (0x80, 0xBF, TRAIL),
    (0xC2, 0xF4, LEAD),
    (0x0152, 0x2122, TRAIL),
    (0x0250, 0xFFFF, OTHER),
];

const OTHERS: [Range; 13] = [
    (0x40, 0x7E, LETTER),
    (0x0250, 0x02AF, LOOKALIKE),
    (0x0370, 0x05FF, LOOKALIKE),
    (0xA4D0, 0xABBF, LOOKALIKE),
    (0xFF00, 0xFF5F, LOOKALIKE),
    // Invisible characters, symbols, scripts that few texts have, and surrogates.
    (0x0340, 0x036F, ALONE),
    (0x061C, 0x061C, ALONE),
    (0x1100, 0x200F, ALONE),
    (0x2028, 0x2E7F, ALONE),
    (0x3164, 0x3164, ALONE),
    (0xD800, 0xDBFF, ALONE),
    (0xFB00, 0xFEFF, ALONE),
    (0xFFA0, 0xFFFF, ALONE),
];

/// Whether any unit except the first may be interesting. The last unit is tested without the unit
/// that follows it.
pub(super) fn may_be_interesting<U>(
    block: &[U; LENGTH],
    wanted: Wanted,
    value: impl Fn(&U) -> u32,
) -> bool {
    // Code points beyond U+FFFF are rare.
    let value = |unit: &U| value(unit).min(0xFFFF) as u16;
    let line_ends = if wanted.lf { LINE_FEED | RETURN } else { 0 }
        | if wanted.cr || wanted.crlf { RETURN } else { 0 };
    let found = found(block, value, &ALL);
    let has = |found: u16, both: u16| found & both == both;
    found & (ALONE | line_ends) != 0
        || has(found, LEAD | TRAIL)
        || found & OTHER != 0 && {
            let found = self::found(block, value, &OTHERS);
            found & ALONE != 0 || has(found, LETTER | LOOKALIKE)
        }
}

/// The findings in a block, as a set of bits.
#[inline(always)]
fn found<U, const COUNT: usize>(
    block: &[U; LENGTH],
    value: impl Fn(&U) -> u16,
    ranges: &[Range; COUNT],
) -> u16 {
    let mut found = [0; LANES];
    for part in block.as_chunks::<LANES>().0 {
        let mut units = [0; LANES];
        for (unit, from) in units.iter_mut().zip(part) {
            *unit = value(from);
        }
        for (first, last, what) in ranges {
            for (found, unit) in found.iter_mut().zip(units) {
                // The compiler makes a vector of the subtraction, but not of a comparison.
                let beyond = unit.wrapping_sub(*first).saturating_sub(last - first);
                *found |= u16::from(beyond == 0).wrapping_neg() & *what;
            }
        }
    }
    found.into_iter().fold(0, |all, one| all | one)
}
