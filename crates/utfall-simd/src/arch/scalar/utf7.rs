//! UTF-7, RFC 2152.

use super::{Source, Target, Utf8, Utf16};
use crate::utf7::{CLASSES, DIRECT, NO_DIGIT, RunState, SET_B, Style};

/// In eight classes: the bits of those that are not digits.
const NO_DIGITS: u64 = 0x0101_0101_0101_0101 * NO_DIGIT as u64;
/// The most bytes that one code point takes: a last digit, `-`, and itself; or `+` and six digits.
const ROOM: usize = 7;

/// The parts of the conversions that vectors do.
pub(crate) trait Parts {
    /// Copies direct characters at the start of `src`, as far as there is space. Returns how many.
    fn copy(&self, src: &[u8], dst: &mut [u8]) -> usize;

    /// Converts digits of a run to UTF-8, from the start of a code unit that begins with a digit.
    /// See [`groups`].
    #[inline]
    fn read_run(&self, src: &[u8], dst: &mut [u8]) -> (usize, usize, bool) {
        groups_to_utf8(src, dst)
    }

    /// Writes digits of a run from UTF-8. The first digit begins a code unit. See [`groups_from`].
    #[inline]
    fn write_run(
        &self,
        style: Style,
        state: &mut RunState,
        src: &[u8],
        dst: &mut [u8],
    ) -> (usize, usize) {
        groups_from_utf8(style, state, src, dst)
    }
}

/// Copies one by one, or eight at a time.
struct Table(&'static [bool; 256]);

impl Parts for Table {
    #[inline]
    fn copy(&self, src: &[u8], dst: &mut [u8]) -> usize {
        copy_direct(src, dst, self.0)
    }
}

/// UTF-7 to UTF-8.
pub(crate) fn to_utf8(state: &mut RunState, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
    to_utf8_with(&Table(&DIRECT.0[0]), state, src, dst)
}

/// UTF-7 to UTF-8, with `parts` done by vectors.
#[inline(always)]
pub(crate) fn to_utf8_with(
    parts: &impl Parts,
    state: &mut RunState,
    src: &[u8],
    dst: &mut [u8],
) -> (usize, usize) {
    decode_with(&ByParts(parts, Style::new()), state, src, dst)
}

/// UTF-7 to UTF-16.
pub(crate) fn to_utf16<const LE: bool>(
    state: &mut RunState,
    src: &[u8],
    dst: &mut [u8],
) -> (usize, usize) {
    decode_with(&AsUtf16::<LE>(Style::new()), state, src, dst)
}

/// A form that UTF-7 is converted to.
// Not closures: they would not have the features of a kernel.
pub(crate) trait Read {
    type Form: Target;
    /// Bytes of a direct character.
    const WIDTH: usize;

    /// Converts direct characters at the start of `src`, as far as there is space. Returns how many.
    fn copy(&self, src: &[u8], dst: &mut [u8]) -> usize;

    /// Converts digits of a run, from the start of a code unit that begins with a digit. See
    /// [`groups`].
    fn run(&self, src: &[u8], dst: &mut [u8]) -> (usize, usize, bool);
}

/// A form that is converted to UTF-7.
pub(crate) trait Write {
    type Form: Source;
    /// Bytes of a direct character.
    const WIDTH: usize;

    /// The style in which UTF-7 is written.
    fn style(&self) -> Style;

    /// Converts direct characters at the start of `src`, as far as there is space. Returns how many.
    fn copy(&self, src: &[u8], dst: &mut [u8]) -> usize;

    /// Writes digits of a run. The first digit begins a code unit. See [`groups_from`].
    fn run(&self, state: &mut RunState, src: &[u8], dst: &mut [u8]) -> (usize, usize);
}

/// UTF-8, by parts that vectors do.
struct ByParts<'p, P>(&'p P, Style);

impl<P: Parts> Read for ByParts<'_, P> {
    type Form = Utf8;
    const WIDTH: usize = 1;

    #[inline(always)]
    fn copy(&self, src: &[u8], dst: &mut [u8]) -> usize {
        self.0.copy(src, dst)
    }

    #[inline(always)]
    fn run(&self, src: &[u8], dst: &mut [u8]) -> (usize, usize, bool) {
        self.0.read_run(src, dst)
    }
}

impl<P: Parts> Write for ByParts<'_, P> {
    type Form = Utf8;
    const WIDTH: usize = 1;

    #[inline(always)]
    fn style(&self) -> Style {
        self.1
    }

    #[inline(always)]
    fn copy(&self, src: &[u8], dst: &mut [u8]) -> usize {
        self.0.copy(src, dst)
    }

    #[inline(always)]
    fn run(&self, state: &mut RunState, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
        self.0.write_run(self.1, state, src, dst)
    }
}

/// UTF-16, by loops.
struct AsUtf16<const LE: bool>(Style);

impl<const LE: bool> Read for AsUtf16<LE> {
    type Form = Utf16<LE>;
    const WIDTH: usize = 2;

    #[inline]
    fn copy(&self, src: &[u8], dst: &mut [u8]) -> usize {
        widen_direct::<LE>(src, dst)
    }

    #[inline]
    fn run(&self, src: &[u8], dst: &mut [u8]) -> (usize, usize, bool) {
        groups_to_utf16::<LE>(src, dst)
    }
}

impl<const LE: bool> Write for AsUtf16<LE> {
    type Form = Utf16<LE>;
    const WIDTH: usize = 2;

    #[inline]
    fn style(&self) -> Style {
        self.0
    }

    #[inline]
    fn copy(&self, src: &[u8], dst: &mut [u8]) -> usize {
        narrow_direct::<LE>(self.0, src, dst)
    }

    #[inline]
    fn run(&self, state: &mut RunState, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
        groups_from::<Utf16<LE>>(self.0, state, src, dst)
    }
}

/// UTF-7 to a form.
#[inline(always)]
pub(crate) fn decode_with<R: Read>(
    reader: &R,
    state: &mut RunState,
    src: &[u8],
    dst: &mut [u8],
) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    loop {
        if !state.shifted {
            let count = reader.copy(&src[read..], &mut dst[written..]);
            read += count;
            written += R::WIDTH * count;
            match src[read..] {
                [b'+', b'-', ..] => {
                    let Some(filled) = R::Form::put(&mut dst[written..], u32::from('+')) else {
                        return (read, written);
                    };
                    read += 2;
                    written += filled;
                    continue;
                }
                [b'+', byte, ..] if is_digit(byte) => {
                    *state = RunState { shifted: true, ..RunState::default() };
                    read += 1;
                }
                _ => return (read, written),
            }
        }
        if state.count == 0 {
            let (bytes, filled, is_end) = reader.run(&src[read..], &mut dst[written..]);
            read += bytes;
            written += filled;
            if is_end {
                *state = RunState::default();
                continue;
            }
        }
        let Some((scalar, bytes, after)) = next(*state, &src[read..]) else {
            // The end of the run, if only padding is left over.
            match src[read..] {
                [byte, ..] if !is_digit(byte) && state.bits == 0 => {
                    *state = RunState::default();
                    read += usize::from(byte == b'-');
                    continue;
                }
                _ => return (read, written),
            }
        };
        let Some(filled) = R::Form::put(&mut dst[written..], scalar) else {
            return (read, written);
        };
        *state = after;
        read += bytes;
        written += filled;
    }
}

/// Copies direct characters.
#[inline]
pub(crate) fn copy_direct(src: &[u8], dst: &mut [u8], direct: &[bool; 256]) -> usize {
    let is_direct = |byte: &u8| direct[usize::from(*byte)];
    let mut count = 0;
    for (bytes, room) in src.as_chunks::<8>().0.iter().zip(dst.as_chunks_mut::<8>().0) {
        if !bytes.iter().all(is_direct) {
            break;
        }
        *room = *bytes;
        count += 8;
    }
    for (byte, room) in src[count..].iter().zip(&mut dst[count..]) {
        if !is_direct(byte) {
            break;
        }
        *room = *byte;
        count += 1;
    }
    count
}

/// Converts direct characters to UTF-16, and returns how many.
#[inline]
pub(crate) fn widen_direct<const LE: bool>(src: &[u8], dst: &mut [u8]) -> usize {
    let is_direct = |byte: &u8| DIRECT.0[0][usize::from(*byte)];
    let mut count = 0;
    for bytes in src.as_chunks::<8>().0 {
        if !bytes.iter().all(is_direct)
            || Utf16::<LE>::put_ascii(&mut dst[2 * count..], *bytes).is_none()
        {
            break;
        }
        count += 8;
    }
    for byte in &src[count..] {
        if !is_direct(byte) || Utf16::<LE>::put(&mut dst[2 * count..], u32::from(*byte)).is_none() {
            break;
        }
        count += 1;
    }
    count
}

#[inline]
fn is_digit(byte: u8) -> bool {
    CLASSES[usize::from(byte)] < NO_DIGIT
}

/// [`groups`] to UTF-8.
#[inline]
pub(crate) fn groups_to_utf8(src: &[u8], dst: &mut [u8]) -> (usize, usize, bool) {
    groups::<Utf8, 9>(src, dst, three_to_utf8)
}

/// [`groups`] to UTF-16.
#[inline]
pub(crate) fn groups_to_utf16<const LE: bool>(src: &[u8], dst: &mut [u8]) -> (usize, usize, bool) {
    groups::<Utf16<LE>, 6>(src, dst, |units, dst| {
        if units.iter().any(|unit| is_surrogate(*unit)) {
            return None;
        }
        for (unit, room) in units.iter().zip(dst.as_chunks_mut::<2>().0) {
            Utf16::<LE>::put(room, *unit)?;
        }
        Some(6)
    })
}

/// Converts groups of eight digits that are three code units without surrogates, and the three or
/// six digits at the end of a run that are one or two units. `three` writes the units of a group.
/// Returns the bytes read and written, and whether the run has ended.
#[inline(always)]
fn groups<T: Target, const ROOM: usize>(
    src: &[u8],
    dst: &mut [u8],
    three: impl Fn([u32; 3], &mut [u8; ROOM]) -> Option<usize>,
) -> (usize, usize, bool) {
    let (mut read, mut written) = (0, 0);
    while let Some(bytes) = src[read..].first_chunk::<8>()
        && let Some(room) = dst[written..].first_chunk_mut::<ROOM>()
    {
        let mut classes = 0;
        for byte in bytes {
            classes = classes << 8 | u64::from(CLASSES[usize::from(*byte)]);
        }
        let bits = joined(classes);
        let units = [(bits >> 32) as u32, bits as u32 >> 16, bits as u32 & 0xFFFF];
        let digits = (classes & NO_DIGITS).leading_zeros() as usize / 8;
        if digits == 8 {
            let Some(filled) = three(units, room) else { break };
            read += 8;
            written += filled;
            continue;
        }
        // The number of code units, and the mask of the left-over bits.
        let (count, left_over) = match digits {
            6 => (2, 0xF << 12),
            3 => (1, 0x3 << 30),
            0 => (0, 0),
            _ => break,
        };
        if bits & left_over != 0 || units[..count].iter().any(|unit| is_surrogate(*unit)) {
            break;
        }
        for unit in &units[..count] {
            written += T::put(&mut dst[written..], *unit).unwrap_or_default();
        }
        read += digits;
        read += usize::from(bytes[digits] == b'-');
        return (read, written, true);
    }
    (read, written, false)
}

/// Three code units as UTF-8; `None` if one of them is a surrogate.
#[inline]
fn three_to_utf8(units: [u32; 3], dst: &mut [u8; 9]) -> Option<usize> {
    let [a, b, c] = units;
    if is_surrogate(a) || is_surrogate(b) || is_surrogate(c) {
        return None;
    }
    // Usually all of them take as many bytes as the first.
    let trail = |bits: u32| 0x80 | (bits & 0x3F) as u8;
    if a.min(b).min(c) >= 0x800 {
        let lead = |unit: u32| 0xE0 | (unit >> 12) as u8;
        *dst = [
            lead(a),
            trail(a >> 6),
            trail(a),
            lead(b),
            trail(b >> 6),
            trail(b),
            lead(c),
            trail(c >> 6),
            trail(c),
        ];
        return Some(9);
    }
    if a.min(b).min(c) >= 0x80 && a.max(b).max(c) < 0x800 {
        let lead = |unit: u32| 0xC0 | (unit >> 6) as u8;
        let bytes = [lead(a), trail(a), lead(b), trail(b), lead(c), trail(c)];
        dst[..6].copy_from_slice(&bytes);
        return Some(6);
    }
    let mut filled = 0;
    for unit in units {
        filled += Utf8::put(&mut dst[filled..], unit)?;
    }
    Some(filled)
}

#[inline]
fn is_surrogate(unit: u32) -> bool {
    unit & 0xF800 == 0xD800
}

/// The 48 bits of eight digits.
#[inline]
fn joined(digits: u64) -> u64 {
    let twelves = digits & 0x003F_003F_003F_003F | (digits & 0x3F00_3F00_3F00_3F00) >> 2;
    let bits = twelves & 0x0000_0FFF_0000_0FFF | (twelves & 0x0FFF_0000_0FFF_0000) >> 4;
    bits & 0xFF_FFFF | (bits & 0x00FF_FFFF_0000_0000) >> 8
}

/// The code point at the start of `src`, in a run, the number of its digits, and the state after
/// it. `None` if the run ends before the code point does, or a surrogate is unpaired.
#[inline]
fn next(state: RunState, src: &[u8]) -> Option<(u32, usize, RunState)> {
    let (first, bytes, state) = next_unit(state, src)?;
    match first {
        0xD800..=0xDBFF => {
            let (second, more, state) = next_unit(state, &src[bytes..])?;
            let low = second.checked_sub(0xDC00).filter(|low| *low < 0x400)?;
            Some((0x1_0000 + ((first - 0xD800) << 10 | low), bytes + more, state))
        }
        0xDC00..=0xDFFF => None,
        _ => Some((first, bytes, state)),
    }
}

#[inline]
fn next_unit(state: RunState, src: &[u8]) -> Option<(u32, usize, RunState)> {
    let digits = if state.count == 4 { 2 } else { 3 };
    let mut bits = u32::from(state.bits);
    for byte in src.get(..digits)? {
        let value = CLASSES[usize::from(*byte)];
        if value >= NO_DIGIT {
            return None;
        }
        bits = bits << 6 | u32::from(value);
    }
    let count = u32::from(state.count) + 6 * digits as u32 - 16;
    let left = bits & ((1 << count) - 1);
    Some((bits >> count, digits, RunState { shifted: true, bits: left as u8, count: count as u8 }))
}

/// UTF-8 to UTF-7. The end of the text is not written: a run may still be open after it.
pub(crate) fn from_utf8(
    style: Style,
    state: &mut RunState,
    src: &[u8],
    dst: &mut [u8],
) -> (usize, usize) {
    from_utf8_with(&Table(style.direct()), style, state, src, dst)
}

/// UTF-8 to UTF-7, with `parts` done by vectors.
#[inline(always)]
pub(crate) fn from_utf8_with(
    parts: &impl Parts,
    style: Style,
    state: &mut RunState,
    src: &[u8],
    dst: &mut [u8],
) -> (usize, usize) {
    encode_with(&ByParts(parts, style), state, src, dst)
}

/// UTF-16 to UTF-7.
pub(crate) fn from_utf16<const LE: bool>(
    style: Style,
    state: &mut RunState,
    src: &[u8],
    dst: &mut [u8],
) -> (usize, usize) {
    encode_with(&AsUtf16::<LE>(style), state, src, dst)
}

/// A form to UTF-7.
#[inline(always)]
pub(crate) fn encode_with<W: Write>(
    writer: &W,
    state: &mut RunState,
    src: &[u8],
    dst: &mut [u8],
) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    loop {
        if !state.shifted {
            let count = writer.copy(&src[read..], &mut dst[written..]);
            read += W::WIDTH * count;
            written += count;
        }
        if state.count == 0 {
            let (bytes, filled) = writer.run(state, &src[read..], &mut dst[written..]);
            read += bytes;
            written += filled;
            if bytes > 0 && !state.shifted {
                continue;
            }
        }
        let Some((scalar, bytes)) = W::Form::next(&src[read..]) else { return (read, written) };
        let mut code = [0; ROOM];
        let (length, after) = put(writer.style(), *state, scalar, &mut code);
        let Some(room) = dst.get_mut(written..written + length) else { return (read, written) };
        room.copy_from_slice(&code[..length]);
        *state = after;
        read += bytes;
        written += length;
    }
}

/// Narrows direct characters of UTF-16, and returns how many.
#[inline]
pub(crate) fn narrow_direct<const LE: bool>(style: Style, src: &[u8], dst: &mut [u8]) -> usize {
    let direct = style.direct();
    let mut count = 0;
    while let Some((ascii, _)) = Utf16::<LE>::next_ascii(&src[2 * count..])
        && let Some(room) = dst[count..].first_chunk_mut()
        && ascii.iter().all(|byte| direct[usize::from(*byte)])
    {
        *room = ascii;
        count += 8;
    }
    while let Some((scalar @ 0..0x80, _)) = Utf16::<LE>::next(&src[2 * count..])
        && let Some(room) = dst.get_mut(count)
        && direct[scalar as usize]
    {
        *room = scalar as u8;
        count += 1;
    }
    count
}

/// [`groups_from`] UTF-8.
#[inline]
pub(crate) fn groups_from_utf8(
    style: Style,
    state: &mut RunState,
    src: &[u8],
    dst: &mut [u8],
) -> (usize, usize) {
    groups_from::<Utf8>(style, state, src, dst)
}

/// Writes three code units at a time from U+0080 up, without surrogates, as eight digits of a run.
/// Opens a run unless `state` is in one, and ends it before a direct character. Returns the bytes
/// read and written.
#[inline(always)]
pub(crate) fn groups_from<F: Source>(
    style: Style,
    state: &mut RunState,
    src: &[u8],
    dst: &mut [u8],
) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    // `+`, the digits, `-`.
    while let Some(room) = dst[written..].first_chunk_mut::<10>() {
        let (mut bits, mut count) = (0_u64, 0);
        while count < 3
            && let Some((scalar @ 0x80..=0xFFFF, bytes)) = F::next(&src[read..])
        {
            bits |= u64::from(scalar) << (32 - 16 * count);
            count += 1;
            read += bytes;
        }
        if count == 0 && !state.shifted {
            break;
        }
        room[0] = b'+';
        let opened = usize::from(!state.shifted);
        for (at, digit) in room[opened..][..8].iter_mut().enumerate() {
            *digit = SET_B[(bits >> (42 - 6 * at) & 0x3F) as usize];
        }
        *state = RunState { shifted: true, ..RunState::default() };
        if count == 3 {
            written += opened + 8;
            continue;
        }
        match F::next(&src[read..]) {
            Some((scalar @ 0..0x80, _)) if style.direct()[scalar as usize] => {
                let end = opened + 3 * count;
                room[end] = b'-';
                written += end + usize::from(style.closes_before(scalar as u8));
                *state = RunState::default();
            }
            _ => {
                // Two or five whole digits, and four or two bits.
                written += opened + 16 * count / 6;
                state.count = (16 * count % 6) as u8;
                state.bits = (bits >> (48 - 16 * count)) as u8 & ((1 << state.count) - 1);
            }
        }
        break;
    }
    (read, written)
}

/// Number of bytes that [`from_utf8`] writes, given enough space.
pub(crate) fn len_from_utf8(style: Style, state: &mut RunState, src: &[u8]) -> usize {
    let direct = style.direct();
    let (mut read, mut total) = (0, 0);
    loop {
        if !state.shifted {
            let rest = src[read..].iter();
            let bytes = rest.take_while(|byte| direct[usize::from(**byte)]).count();
            read += bytes;
            total += bytes;
        }
        let Some((scalar, bytes)) = Utf8::next(&src[read..]) else { return total };
        read += bytes;
        if let 0x80..=0xFFFF = scalar {
            // Two digits, or three with bits of the previous unit.
            total += usize::from(!state.shifted) + 2 + usize::from(state.count > 0);
            let count = (state.count + 16) % 6;
            *state = RunState { shifted: true, bits: scalar as u8 & ((1 << count) - 1), count };
        } else {
            let (length, after) = put(style, *state, scalar, &mut [0; ROOM]);
            *state = after;
            total += length;
        }
    }
}

/// Writes a scalar value, after the characters that open or end a run before it. Returns the length
/// and the state after it.
#[inline]
fn put(style: Style, state: RunState, scalar: u32, dst: &mut [u8; ROOM]) -> (usize, RunState) {
    let mut length = 0;
    let mut push = |byte: u8| {
        dst[length] = byte;
        length += 1;
    };
    if scalar < 0x80 && style.direct()[scalar as usize] {
        if state.shifted {
            if state.count > 0 {
                push(SET_B[usize::from(state.bits << (6 - state.count) & 0x3F)]);
            }
            if style.closes_before(scalar as u8) {
                push(b'-');
            }
        }
        push(scalar as u8);
        return (length, RunState::default());
    }
    if scalar == u32::from('+') && !state.shifted {
        push(b'+');
        push(b'-');
        return (length, RunState::default());
    }
    if !state.shifted {
        push(b'+');
    }
    let (units, width) = match scalar {
        0..=0xFFFF => (scalar, 16),
        _ => {
            let offset = scalar - 0x1_0000;
            (0xD800_DC00 | (offset & 0xF_FC00) << 6 | offset & 0x3FF, 32)
        }
    };
    let bits = u64::from(state.bits) << width | u64::from(units);
    let mut count = state.count + width;
    while count >= 6 {
        count -= 6;
        push(SET_B[(bits >> count & 0x3F) as usize]);
    }
    (length, RunState { shifted: true, bits: bits as u8 & ((1 << count) - 1), count })
}
