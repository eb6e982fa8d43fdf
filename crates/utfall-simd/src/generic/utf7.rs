//! UTF-7. Direct characters are copied by vectors. Of a run, a vector of sixteen digits is six code
//! units, which are converted at once.
//!
//! Two tables of sixteen tell whether a byte is in a set of US-ASCII: the entry for its low nibble
//! has a bit for each high nibble that is in the set with it. Other tables have the distance
//! between a digit and its value (as in Muła and Lemire, "Faster Base64 encoding and decoding using
//! AVX2 instructions", 2018).
//!
//! With vectors of 256 bits, UTF-8 is made of up to twelve units at once, as long as all take two
//! bytes, or all three. Most words in scripts other than Latin fit, so their length needs no branch. On Zen 4,
//! they take 0.7 to 0.85 of the time of six units at once. The same was tried in three other places:
//!
//! - From UTF-8: other scripts take 0.75 of the time, but Korean and Vietnamese 1.05 to 1.15. If
//!   the first byte of a run decides, German, Spanish and Dutch still take 1.05 to 1.15, although that
//!   code converts none of their text. A hint that it is rarely
//!   used makes other scripts take up to 1.4 of the time.
//! - To UTF-16: 0.8 to 1.0 of the time, but Korean 1.04.
//! - From UTF-16: 0.9 to 1.0 of the time in other scripts, but Latin up to 1.15.
//!
//! With these vectors, short runs in long UTF-7 are converted to UTF-8 in [`blocks`]. On Zen 3,
//! that takes 0.57 of the time of run by run for German and Spanish, 0.36 for Hungarian, 0.77 for
//! Russian, and 1.0 for Vietnamese. Scripts with units of three bytes take 1.02 to 1.06, since
//! blocks are tried from time to time.

mod blocks;

use super::compress::NONE;
use super::to_utf8::{EIGHT, TWELVE, put_eight, put_twelve};
use crate::arch::scalar::utf7::{self, Parts, Read, Write};
use crate::arch::scalar::{Target, Utf8, Utf16};
use crate::simd::{Simd, Vector};
use crate::utf7::{CLASSES, DIRECT, NO_DIGIT, RunState, SET_B, Style};

/// By the low nibble: a bit for each high nibble. For direct characters with and without set O, and
/// for digits.
static LOW: [[u8; 16]; 3] = {
    let mut tables = [[0; 16]; 3];
    let mut byte = 0;
    while byte < 128 {
        let is_digit = CLASSES[byte] < NO_DIGIT;
        let sets = [DIRECT.0[0][byte], DIRECT.0[1][byte], is_digit];
        let mut table = 0;
        while table < sets.len() {
            tables[table][byte % 16] |= (sets[table] as u8) << (byte / 16);
            table += 1;
        }
        byte += 1;
    }
    tables
};

/// The index of the table for digits.
const DIGITS: usize = 2;

/// By the high nibble: its bit. Bytes above US-ASCII have none.
const HIGH: [u8; 16] = [1, 2, 4, 8, 16, 32, 64, 128, 0, 0, 0, 0, 0, 0, 0, 0];

/// Number of bytes copied at once in long direct text.
const BLOCK: usize = 64;

/// The digits in a vector, and the code units that they are.
const RUN: usize = 16;
const UNITS: usize = 6;

/// By the number of digits before the end of a run: how many code units they are, and which bits of
/// the last digit are left over. 255 units if that cannot be.
static ENDS: [(u8, u8); RUN] = {
    let mut ends = [(255, 0); RUN];
    let mut units = 0;
    while units < UNITS {
        let digits = (16 * units).div_ceil(6);
        ends[digits] = (units as u8, (1 << (6 * digits - 16 * units)) - 1);
        units += 1;
    }
    ends
};

/// The same for two vectors, with a mask of the bytes of the code units, six in each.
static ENDS_OF_TWO: [(u8, u8, u32); 2 * RUN] = {
    let mut ends = [(255, 0, 0); 2 * RUN];
    let mut units = 0;
    while units < 2 * UNITS {
        let digits = (16 * units).div_ceil(6);
        let (first, second) = if units < UNITS { (units, 0) } else { (UNITS, units - UNITS) };
        let mask = ((1 << (2 * first)) - 1) | (((1 << (2 * second)) - 1) << 16);
        ends[digits] = (units as u8, (1 << (6 * digits - 16 * units)) - 1, mask);
        units += 1;
    }
    ends
};

/// The mask of all twelve.
const ALL_OF_TWO: u32 = (((1 << (2 * UNITS)) - 1) << 16) | ((1 << (2 * UNITS)) - 1);

/// By the high nibble of a digit: what to add for its value. `/` has the entry before that of `+`.
static VALUES: [u8; 16] = {
    let mut values = [0; 16];
    let mut value = 0_u8;
    while value < 64 {
        let digit = SET_B[value as usize];
        values[digit as usize / 16 - (digit == b'/') as usize] = value.wrapping_sub(digit);
        value += 1;
    }
    values
};

/// The bytes of six code units among those of four groups, each of 24 bits in a lane.
const OF_GROUPS: [u8; 16] = {
    let mut order = [NONE; 16];
    let mut byte = 0;
    while byte < 12 {
        // Groups and the text are big-endian, lanes little-endian.
        order[byte ^ 1] = (4 * (byte / 3) + 2 - byte % 3) as u8;
        byte += 1;
    }
    order
};

/// The bytes of four groups among those of six code units.
const OF_UNITS: [u8; 16] = {
    let mut order = [NONE; 16];
    let mut byte = 0;
    while byte < 12 {
        order[4 * (byte / 3) + 2 - byte % 3] = (byte ^ 1) as u8;
        byte += 1;
    }
    order
};

/// A run of one code unit, which is all that an accent takes. The processor predicts it, and goes on
/// without waiting for its end to be found.
#[inline(always)]
fn one_unit_to_utf8(src: &[u8], dst: &mut [u8]) -> Option<(usize, usize)> {
    let [a, b, c, end]: [u8; 4] = *src.first_chunk()?;
    if CLASSES[usize::from(end)] < NO_DIGIT {
        return None;
    }
    let [a, b, c] = [a, b, c].map(|digit| u32::from(CLASSES[usize::from(digit)]));
    // Two bits are left over.
    if a | b | c >= NO_DIGIT.into() || c & 3 != 0 {
        return None;
    }
    let unit = a << 10 | b << 4 | c >> 2;
    if unit & 0xF800 == 0xD800 {
        return None;
    }
    let written = Utf8::put(dst, unit)?;
    Some((3 + usize::from(end == b'-'), written))
}

/// The code points of the first four sequences of three bytes, in lanes of 32 bits, and FFFF for those
/// that have other bytes.
#[inline(always)]
fn of_three_bytes<S: Simd>(simd: S, bytes: S::Vector) -> (S::Vector, S::Vector) {
    let order = [2, 1, 0, NONE, 5, 4, 3, NONE, 8, 7, 6, NONE, 11, 10, 9, NONE];
    let bytes = simd.repeat(order).lookup(bytes);
    let marks = bytes.and(simd.splat32(0x00F0_C0C0)).equal32(simd.splat32(0x00E0_8080));
    let points = bytes
        .shr32::<4>()
        .and(simd.splat32(0xF000))
        .or(bytes.shr32::<2>().and(simd.splat32(0x0FC0)))
        .or(bytes.and(simd.splat32(0x003F)));
    (points, marks.equal32(simd.zero()).shr32::<16>())
}

/// Sixteen digits for six code units.
#[inline(always)]
fn digits<S: Simd>(simd: S, units: S::Vector) -> S::Vector {
    let groups = simd.repeat(OF_UNITS).lookup(units);
    let values = groups
        .shr32::<18>()
        .or(groups.shr32::<4>().and(simd.splat32(0x3F00)))
        .or(groups.shl32::<10>().and(simd.splat32(0x003F_0000)))
        .or(groups.shl32::<24>().and(simd.splat32(0x3F00_0000)));
    // 0 for small letters, 1 to 12 for the last ones, 13 for capitals.
    let small = values.sub_saturating(simd.splat(51));
    let capital = simd.splat(26).greater_signed(values).and(simd.splat(13));
    small.or(capital).lookup(simd.repeat(DISTANCES)).add(values)
}

/// The distance from the value of a digit to the digit, by its kind: see [`digits`].
static DISTANCES: [u8; 16] = {
    let mut distances = [0; 16];
    let mut value = 0_u8;
    while value < 64 {
        let kind = match value {
            0..26 => 13,
            26..52 => 0,
            _ => value - 51,
        };
        distances[kind as usize] = SET_B[value as usize].wrapping_sub(value);
        value += 1;
    }
    distances
};

/// The lanes of the first code units, by their number.
static FIRST: [[u8; 16]; UNITS + 1] = {
    let mut first = [[0; 16]; UNITS + 1];
    let mut byte = 0;
    while byte < 2 * UNITS {
        let mut count = byte / 2 + 1;
        while count <= UNITS {
            first[count][byte] = 0xFF;
            count += 1;
        }
        byte += 1;
    }
    first
};

/// The six code units of sixteen digits; unspecified after a byte that is not a digit.
#[inline(always)]
fn units<S: Simd>(simd: S, digits: S::Vector) -> S::Vector {
    let values = values(simd, digits);
    let twelves = values.and(simd.splat16(0xFF)).shl16::<6>().or(values.shr16::<8>());
    let groups = twelves.and(simd.splat32(0xFFFF)).shl32::<12>().or(twelves.shr32::<16>());
    simd.repeat(OF_GROUPS).lookup(groups)
}

/// The values of digits; unspecified for other bytes.
#[inline(always)]
fn values<S: Simd>(simd: S, digits: S::Vector) -> S::Vector {
    let slash = digits.equal(simd.splat(b'/'));
    digits.high_nibbles().add(slash).lookup(simd.repeat(VALUES)).add(digits)
}

/// Converts digits of a run to UTF-8, as long as all characters in two vectors of 128 bits take two
/// bytes, or all three. Most words are so short that their length is not a branch.
#[inline(always)]
fn words<S: Simd>(simd: S, src: &[u8], dst: &mut [u8]) -> (usize, usize, bool) {
    let (mut read, mut written) = (0, 0);
    while let Some(bytes) = src[read..].first_chunk::<{ 2 * RUN }>()
        && let Some(room) = dst[written..].first_chunk_mut::<TWELVE>()
    {
        let digits = simd.load(bytes);
        let others = are_in(simd, DIGITS, digits).equal(simd.zero()).mask();
        let units = units(simd, digits);
        if others == 0 {
            let Some(width) = put_twelve(simd, units, ALL_OF_TWO, room) else { break };
            read += 2 * RUN;
            written += 2 * UNITS * width;
            continue;
        }
        let count = others.trailing_zeros() as usize % (2 * RUN);
        let (units_before, left_over, those) = ENDS_OF_TWO[count];
        let last = CLASSES[usize::from(bytes[count.saturating_sub(1)])];
        if usize::from(units_before) > 2 * UNITS || last & left_over != 0 {
            break;
        }
        let units_before = usize::from(units_before);
        let filled = match put_twelve(simd, units, those, room) {
            Some(width) => units_before * width,
            None if units_before > UNITS => break,
            None => {
                let room = room.first_chunk_mut().unwrap();
                let Some(filled) = put_eight(simd.half(), units.half(0), units_before, room) else {
                    break;
                };
                filled
            }
        };
        read += count + usize::from(bytes[count] == b'-');
        return (read, written + filled, true);
    }
    (read, written, false)
}

struct Vectors<S> {
    simd: S,
    style: Style,
}

/// Nonzero in the bytes that are in the set of a table of [`LOW`].
#[inline(always)]
fn are_in<S: Simd>(simd: S, set: usize, bytes: S::Vector) -> S::Vector {
    let low = bytes.and(simd.splat(0x0F)).lookup(simd.repeat(LOW[set]));
    low.and(bytes.high_nibbles().lookup(simd.repeat(HIGH)))
}

impl<S: Simd> Vectors<S> {
    /// Nonzero in the bytes of direct characters.
    #[inline(always)]
    fn are_direct<T: Simd>(&self, simd: T, bytes: T::Vector) -> T::Vector {
        are_in(simd, usize::from(self.style.shift_set_o), bytes)
    }
}

impl<S: Simd> Parts for Vectors<S> {
    #[inline(always)]
    fn copy(&self, src: &[u8], dst: &mut [u8]) -> usize {
        let (half, mut count) = (self.simd.half(), 0);
        // One between two words: the processor predicts that, and waits for nothing.
        if let ([one, two, ..], [room, ..]) = (src, &mut *dst)
            && !self.style.direct()[usize::from(*two)]
        {
            if !self.style.direct()[usize::from(*one)] {
                return 0;
            }
            *room = *one;
            return 1;
        }
        while let Some(bytes) = src[count..].first_chunk::<16>()
            && let Some(room) = dst[count..].first_chunk_mut::<16>()
        {
            let bytes = half.load(bytes);
            let others = self.are_direct(half, bytes).equal(half.zero()).mask();
            bytes.store(room);
            if others != 0 {
                return count + others.trailing_zeros() as usize;
            }
            count += 16;
            while let Some(block) = src[count..].first_chunk::<BLOCK>()
                && let Some(room) = dst[count..].first_chunk_mut::<BLOCK>()
            {
                let mut all = self.simd.splat(0xFF);
                for at in (0..BLOCK).step_by(S::Vector::BYTES) {
                    let bytes = self.simd.load(&block[at..]);
                    all = all.min(self.are_direct(self.simd, bytes));
                    bytes.store(&mut room[at..]);
                }
                if all.equal(self.simd.zero()).any_high() {
                    break;
                }
                count += BLOCK;
            }
        }
        count + utf7::copy_direct(&src[count..], &mut dst[count..], self.style.direct())
    }

    #[inline(always)]
    fn read_run(&self, src: &[u8], dst: &mut [u8]) -> (usize, usize, bool) {
        if let Some((read, written)) = one_unit_to_utf8(src, dst) {
            return (read, written, true);
        }
        let (mut read, mut written) = (0, 0);
        if S::Vector::BYTES == 2 * RUN {
            let is_end;
            (read, written, is_end) = words(self.simd, src, dst);
            if is_end {
                return (read, written, true);
            }
        }
        let half = self.simd.half();
        while let Some(bytes) = src[read..].first_chunk::<RUN>()
            && let Some(room) = dst[written..].first_chunk_mut::<EIGHT>()
        {
            let digits = half.load(bytes);
            let others = are_in(half, DIGITS, digits).equal(half.zero()).mask();
            let units = units(half, digits);
            if others == 0 {
                let Some(filled) = put_eight(half, units, UNITS, room) else { break };
                read += RUN;
                written += filled;
                continue;
            }
            let count = others.trailing_zeros() as usize % RUN;
            let (units_before, left_over) = ENDS[count];
            let last = CLASSES[usize::from(bytes[count.saturating_sub(1)])];
            if usize::from(units_before) > UNITS || last & left_over != 0 {
                break;
            }
            let Some(filled) = put_eight(half, units, units_before.into(), room) else { break };
            read += count + usize::from(bytes[count] == b'-');
            return (read, written + filled, true);
        }
        let (more, filled, is_end) = utf7::groups_to_utf8(&src[read..], &mut dst[written..]);
        (read + more, written + filled, is_end)
    }

    #[inline(always)]
    fn write_run(
        &self,
        style: Style,
        state: &mut RunState,
        src: &[u8],
        dst: &mut [u8],
    ) -> (usize, usize) {
        if !state.shifted
            && let Some(done) = one_unit_from_utf8(style, src, dst)
        {
            return done;
        }
        let half = self.simd.half();
        let (mut read, mut written) = (0, 0);
        while let Some(bytes) = src[read..].first_chunk::<TEXT>()
            && let Some(room) = dst[written..].first_chunk_mut::<{ 1 + RUN + 1 }>()
        {
            let (units, count, width) = units_from_utf8(half, bytes);
            if count == 0 {
                break;
            }
            read += count * width;
            // Fewer than `UNITS` end before the end of `bytes`.
            let next = |_: &[u8; 16]| Some(bytes[count * width]);
            written += put_units(half, style, state, (units, count), next, room);
            if count < UNITS {
                return (read, written);
            }
        }
        let (more, filled) =
            utf7::groups_from_utf8(style, state, &src[read..], &mut dst[written..]);
        (read + more, written + filled)
    }
}

/// UTF-16 to UTF-7.
#[inline(always)]
pub(crate) fn from_utf16<S: Simd, const LE: bool>(
    simd: S,
    style: Style,
    state: &mut RunState,
    src: &[u8],
    dst: &mut [u8],
) -> (usize, usize) {
    utf7::encode_with(&AsUtf16::<S, LE> { simd, style }, state, src, dst)
}

/// Narrows direct characters of UTF-16 at the start of `src`, and returns how many.
#[inline(always)]
fn narrow_direct<S: Simd, const LE: bool>(
    simd: S,
    style: Style,
    src: &[u8],
    dst: &mut [u8],
) -> usize {
    let (half, mut count) = (simd.half(), 0);
    while let Some(bytes) = src[2 * count..].first_chunk::<32>()
        && let Some(room) = dst[count..].first_chunk_mut::<16>()
    {
        let [a, b] = [half.load(bytes), half.load(&bytes[16..])];
        let [a, b] = if LE { [a, b] } else { [a.swap16(), b.swap16()] };
        // Units beyond US-ASCII become 0 or 255, which are not direct.
        let bytes = a.pack16(b);
        let others = are_in(half, usize::from(style.shift_set_o), bytes);
        let others = others.equal(half.zero()).mask();
        bytes.store(room);
        if others != 0 {
            return count + others.trailing_zeros() as usize;
        }
        count += 16;
    }
    count + utf7::narrow_direct::<LE>(style, &src[2 * count..], &mut dst[count..])
}

/// Writes the first `count` code units as digits, and returns how many bytes. Opens the run. Ends it
/// if there are fewer than [`UNITS`] and `next`, which gets all units as bytes, returns a direct character.
#[inline(always)]
fn put_units<S: Simd>(
    simd: S,
    style: Style,
    state: &mut RunState,
    (units, count): (S::Vector, usize),
    next: impl FnOnce(&[u8; 16]) -> Option<u8>,
    room: &mut [u8; 1 + RUN + 1],
) -> usize {
    room[0] = b'+';
    let opened = usize::from(!state.shifted);
    digits(simd, units.and(simd.load(&FIRST[count]))).store(&mut room[opened..]);
    *state = RunState { shifted: true, ..RunState::default() };
    if count == UNITS {
        return opened + RUN;
    }
    let mut all = [0; 16];
    units.store(&mut all);
    if let Some(next) = next(&all)
        && style.direct()[usize::from(next)]
    {
        let end = opened + (16 * count).div_ceil(6);
        room[end] = b'-';
        *state = RunState::default();
        return end + usize::from(style.closes_before(next));
    }
    state.count = (16 * count % 6) as u8;
    state.bits = all[2 * count - 2] & ((1 << state.count) - 1);
    opened + 16 * count / 6
}

/// Writes digits of a run from UTF-16, as [`Parts::write_run`] does from UTF-8.
#[inline(always)]
fn run_from_utf16<S: Simd, const LE: bool>(
    simd: S,
    style: Style,
    state: &mut RunState,
    src: &[u8],
    dst: &mut [u8],
) -> (usize, usize) {
    let half = simd.half();
    let (mut read, mut written) = (0, 0);
    while let Some(bytes) = src[read..].first_chunk::<16>()
        && let Some(room) = dst[written..].first_chunk_mut::<{ 1 + RUN + 1 }>()
    {
        let units = half.load(bytes);
        let units = if LE { units } else { units.swap16() };
        let surrogates = units.and(half.splat16(0xF800)).equal16(half.splat16(0xD800));
        let ascii = units.and(half.splat16(0xFF80)).equal16(half.zero());
        let others = surrogates.or(ascii).mask() | 1 << (2 * UNITS);
        let count = others.trailing_zeros() as usize / 2;
        if count == 0 {
            break;
        }
        read += 2 * count;
        // Fewer than `UNITS` end before the end of `bytes`.
        let next = |all: &[u8; 16]| (all[2 * count + 1] == 0).then_some(all[2 * count]);
        written += put_units(half, style, state, (units, count), next, room);
        if count < UNITS {
            return (read, written);
        }
    }
    let (more, filled) =
        utf7::groups_from::<Utf16<LE>>(style, state, &src[read..], &mut dst[written..]);
    (read + more, written + filled)
}

/// A run of one code unit below U+0800, which is all that an accent takes, before a direct
/// character. See [`one_unit_to_utf8`].
#[inline(always)]
fn one_unit_from_utf8(style: Style, src: &[u8], dst: &mut [u8]) -> Option<(usize, usize)> {
    let [lead, trail, next]: [u8; 3] = *src.first_chunk()?;
    if !style.direct()[usize::from(next)] || !matches!(lead, 0xC2..=0xDF) || trail & 0xC0 != 0x80 {
        return None;
    }
    // The run ends only if the character after it fits, too.
    let [room @ .., _] = dst.first_chunk_mut::<6>()?;
    let unit = usize::from(lead & 0x1F) << 6 | usize::from(trail & 0x3F);
    let digit = |value: usize| SET_B[value & 0x3F];
    *room = [b'+', digit(unit >> 10), digit(unit >> 4), digit(unit << 2), b'-'];
    Some((2, 4 + usize::from(style.closes_before(next))))
}

/// Bytes of text that [`units_from_utf8`] reads.
const TEXT: usize = 28;

/// The code units of the characters at the start of a text, if all have the same length of two or
/// three bytes, up to six; unspecified after them. Also returns their number and that length.
#[inline(always)]
fn units_from_utf8<S: Simd>(simd: S, bytes: &[u8; TEXT]) -> (S::Vector, usize, usize) {
    let first = simd.load(bytes);
    let (units, wrong, width) = if bytes[0] < 0xE0 {
        let marks = first.and(simd.splat16(0xC0E0)).equal16(simd.splat16(0x80C0));
        let overlong = first.and(simd.splat16(0x001E)).equal16(simd.zero());
        let lead = first.and(simd.splat16(0x1F)).shl16::<6>();
        let units = lead.or(first.shr16::<8>().and(simd.splat16(0x3F)));
        (units, overlong.or(marks.equal16(simd.zero())), 2)
    } else {
        let (a, wrong_a) = of_three_bytes(simd, first);
        let (b, wrong_b) = of_three_bytes(simd, simd.load(&bytes[12..]));
        let units = a.pack32(b);
        let class = units.and(simd.splat16(0xF800));
        let outside = class.equal16(simd.zero()).or(class.equal16(simd.splat16(0xD800)));
        (units, outside.or(wrong_a.pack32(wrong_b)), 3)
    };
    let count = (wrong.mask() | 1 << (2 * UNITS)).trailing_zeros() as usize / 2;
    (units, count, width)
}

/// UTF-7 to UTF-8.
#[inline(always)]
pub(crate) fn to_utf8<S: Simd>(
    simd: S,
    state: &mut RunState,
    src: &[u8],
    dst: &mut [u8],
) -> (usize, usize) {
    utf7::to_utf8_with(&Vectors { simd, style: Style::default() }, state, src, dst)
}

/// Text of this length, in bytes, is long.
pub(crate) const LONG: usize = 320;

/// Whether [`long_to_utf8`] is faster: with vectors of 256 bits.
#[inline(always)]
pub(crate) fn has_blocks<S: Simd>(_: S) -> bool {
    S::Vector::BYTES == 2 * RUN
}

/// UTF-7 to UTF-8 for long text, with vectors of 256 bits: as [`to_utf8`], and short runs in
/// [`blocks`].
#[inline(always)]
pub(crate) fn long_to_utf8<S: Simd>(
    simd: S,
    state: &mut RunState,
    src: &[u8],
    dst: &mut [u8],
) -> (usize, usize) {
    let (mut read, mut written, mut stretch) = (0, 0, blocks::BEFORE);
    loop {
        let end = src.len().min(read + stretch);
        let (bytes, filled) = to_utf8(simd, state, &src[read..end], &mut dst[written..]);
        read += bytes;
        written += filled;
        if end == src.len() {
            return (read, written);
        }
        // It stops early if the text is ill-formed, or the output full.
        if end - read > LONGEST {
            stretch = src.len();
            continue;
        }
        let before = read;
        blocks::to_utf8(simd, state, (src, &mut read), (dst, &mut written));
        stretch = if read - before < GOOD { MOST.min(4 * stretch) } else { LEAST };
    }
}

/// The most bytes at the end of a text that are not read: `+`, and a code point whose last digit is
/// missing.
const LONGEST: usize = 6;
/// How much text without short runs is read before blocks are tried again: at first, and at most.
const LEAST: usize = 32;
const MOST: usize = 8192;
/// After blocks with fewer bytes, four times as much.
const GOOD: usize = 512;

/// UTF-7 to UTF-16.
#[inline(always)]
pub(crate) fn to_utf16<S: Simd, const LE: bool>(
    simd: S,
    state: &mut RunState,
    src: &[u8],
    dst: &mut [u8],
) -> (usize, usize) {
    utf7::decode_with(&AsUtf16::<S, LE> { simd, style: Style::new() }, state, src, dst)
}

/// UTF-16, by vectors.
struct AsUtf16<S, const LE: bool> {
    simd: S,
    style: Style,
}

impl<S: Simd, const LE: bool> Read for AsUtf16<S, LE> {
    type Form = Utf16<LE>;
    const WIDTH: usize = 2;

    #[inline(always)]
    fn copy(&self, src: &[u8], dst: &mut [u8]) -> usize {
        widen_direct::<S, LE>(self.simd, src, dst)
    }

    #[inline(always)]
    fn run(&self, src: &[u8], dst: &mut [u8]) -> (usize, usize, bool) {
        run_to_utf16::<S, LE>(self.simd, src, dst)
    }
}

impl<S: Simd, const LE: bool> Write for AsUtf16<S, LE> {
    type Form = Utf16<LE>;
    const WIDTH: usize = 2;

    #[inline(always)]
    fn style(&self) -> Style {
        self.style
    }

    #[inline(always)]
    fn copy(&self, src: &[u8], dst: &mut [u8]) -> usize {
        narrow_direct::<S, LE>(self.simd, self.style, src, dst)
    }

    #[inline(always)]
    fn run(&self, state: &mut RunState, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
        run_from_utf16::<S, LE>(self.simd, self.style, state, src, dst)
    }
}

/// Converts direct characters at the start of `src` to UTF-16, and returns how many.
#[inline(always)]
fn widen_direct<S: Simd, const LE: bool>(simd: S, src: &[u8], dst: &mut [u8]) -> usize {
    let (half, mut count) = (simd.half(), 0);
    // As in `Vectors::copy`.
    if let ([one, two, ..], Some(room)) = (src, dst.first_chunk_mut::<2>())
        && !Style::new().direct()[usize::from(*two)]
    {
        if !Style::new().direct()[usize::from(*one)] {
            return 0;
        }
        return usize::from(Utf16::<LE>::put(room, u32::from(*one)).is_some());
    }
    while let Some(bytes) = src[count..].first_chunk::<16>()
        && let Some(room) = dst[2 * count..].first_chunk_mut::<32>()
    {
        let (bytes, zero) = (half.load(bytes), half.zero());
        let others = are_in(half, 0, bytes).equal(zero).mask();
        let (first, second) = if LE { (bytes, zero) } else { (zero, bytes) };
        first.zip_low(second).store(room);
        first.zip_high(second).store(&mut room[16..]);
        if others != 0 {
            return count + others.trailing_zeros() as usize;
        }
        count += 16;
    }
    count + utf7::widen_direct::<LE>(&src[count..], &mut dst[2 * count..])
}

/// Converts digits of a run to UTF-16, as [`Parts::read_run`] does to UTF-8.
#[inline(always)]
fn run_to_utf16<S: Simd, const LE: bool>(
    simd: S,
    src: &[u8],
    dst: &mut [u8],
) -> (usize, usize, bool) {
    let half = simd.half();
    let (mut read, mut written) = (0, 0);
    while let Some(bytes) = src[read..].first_chunk::<RUN>()
        && let Some(room) = dst[written..].first_chunk_mut::<16>()
    {
        let digits = half.load(bytes);
        let others = are_in(half, DIGITS, digits).equal(half.zero()).mask();
        let units = units(half, digits);
        let surrogates = units.and(half.splat16(0xF800)).equal16(half.splat16(0xD800)).mask();
        (if LE { units } else { units.swap16() }).store(room);
        if others == 0 {
            if surrogates & ((1 << (2 * UNITS)) - 1) != 0 {
                break;
            }
            read += RUN;
            written += 2 * UNITS;
            continue;
        }
        let count = others.trailing_zeros() as usize % RUN;
        let (units_before, left_over) = ENDS[count];
        let last = CLASSES[usize::from(bytes[count.saturating_sub(1)])];
        let units_before = usize::from(units_before);
        if units_before > UNITS
            || last & left_over != 0
            || surrogates & ((1 << (2 * units_before)) - 1) != 0
        {
            break;
        }
        read += count + usize::from(bytes[count] == b'-');
        return (read, written + 2 * units_before, true);
    }
    let (more, filled, is_end) = utf7::groups_to_utf16::<LE>(&src[read..], &mut dst[written..]);
    (read + more, written + filled, is_end)
}

/// UTF-8 to UTF-7.
#[inline(always)]
pub(crate) fn from_utf8<S: Simd>(
    simd: S,
    style: Style,
    state: &mut RunState,
    src: &[u8],
    dst: &mut [u8],
) -> (usize, usize) {
    utf7::from_utf8_with(&Vectors { simd, style }, style, state, src, dst)
}
