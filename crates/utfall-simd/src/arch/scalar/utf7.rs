//! UTF-7, RFC 2152.

use super::{Source, Target, Utf8};
use crate::utf7::{CLASSES, DIRECT, NO_DIGIT, SET_B, Shift, Style};

/// The most that one code point takes: a last digit, `-`, and itself; or `+` and six digits.
const ROOM: usize = 7;

/// UTF-7 to UTF-8.
pub(crate) fn to_utf8(shift: &mut Shift, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    loop {
        if !shift.shifted {
            let octets = copy_direct(&src[read..], &mut dst[written..], &DIRECT.0[0]);
            read += octets;
            written += octets;
            match src[read..] {
                [b'+', b'-', ..] => {
                    let Some(room) = dst.get_mut(written) else { return (read, written) };
                    *room = b'+';
                    read += 2;
                    written += 1;
                }
                [b'+', octet, ..] if is_digit(octet) => {
                    *shift = Shift { shifted: true, ..Shift::default() };
                    read += 1;
                }
                _ => return (read, written),
            }
            continue;
        }
        if shift.count == 0 {
            let (octets, filled) = groups_to_utf8(&src[read..], &mut dst[written..]);
            read += octets;
            written += filled;
        }
        let Some((scalar, octets, after)) = next(*shift, &src[read..]) else {
            // The end of the run, if nothing but padding is left over.
            match src[read..] {
                [octet, ..] if !is_digit(octet) && shift.bits == 0 => {
                    *shift = Shift::default();
                    read += usize::from(octet == b'-');
                    continue;
                }
                _ => return (read, written),
            }
        };
        let Some(filled) = Utf8::put(&mut dst[written..], scalar) else { return (read, written) };
        *shift = after;
        read += octets;
        written += filled;
    }
}

/// Copies octets that stand for themselves.
#[inline]
fn copy_direct(src: &[u8], dst: &mut [u8], direct: &[bool; 256]) -> usize {
    let is_direct = |octet: &u8| direct[usize::from(*octet)];
    let mut count = 0;
    for (octets, room) in src.as_chunks::<8>().0.iter().zip(dst.as_chunks_mut::<8>().0) {
        if !octets.iter().all(is_direct) {
            break;
        }
        *room = *octets;
        count += 8;
    }
    for (octet, room) in src[count..].iter().zip(&mut dst[count..]) {
        if !is_direct(octet) {
            break;
        }
        *room = *octet;
        count += 1;
    }
    count
}

#[inline]
fn is_digit(octet: u8) -> bool {
    CLASSES[usize::from(octet)] < NO_DIGIT
}

/// Groups of eight digits that are three code units without surrogates. Returns `(read,
/// written)`.
#[inline]
fn groups_to_utf8(src: &[u8], dst: &mut [u8]) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    for octets in src.as_chunks::<8>().0 {
        let Some(room) = dst[written..].first_chunk_mut::<9>() else { break };
        let (mut bits, mut any) = (0_u64, 0);
        for octet in octets {
            let value = CLASSES[usize::from(*octet)];
            any |= value;
            bits = bits << 6 | u64::from(value & 0x3F);
        }
        let units = [bits >> 32, bits >> 16 & 0xFFFF, bits & 0xFFFF];
        if any >= NO_DIGIT || units.iter().any(|unit| unit & 0xF800 == 0xD800) {
            break;
        }
        let mut filled = 0;
        for unit in units {
            filled += Utf8::put(&mut room[filled..], unit as u32).unwrap_or_default();
        }
        read += 8;
        written += filled;
    }
    (read, written)
}

/// The code point at the start of `src`, in a run: its digits, and what stands behind it.
/// `None` if the run ends before it does, or a surrogate has no partner.
#[inline]
fn next(shift: Shift, src: &[u8]) -> Option<(u32, usize, Shift)> {
    let (first, octets, shift) = next_unit(shift, src)?;
    match first {
        0xD800..=0xDBFF => {
            let (second, more, shift) = next_unit(shift, &src[octets..])?;
            let low = second.checked_sub(0xDC00).filter(|low| *low < 0x400)?;
            Some((0x1_0000 + ((first - 0xD800) << 10 | low), octets + more, shift))
        }
        0xDC00..=0xDFFF => None,
        _ => Some((first, octets, shift)),
    }
}

#[inline]
fn next_unit(shift: Shift, src: &[u8]) -> Option<(u32, usize, Shift)> {
    let digits = if shift.count == 4 { 2 } else { 3 };
    let mut bits = u32::from(shift.bits);
    for octet in src.get(..digits)? {
        let value = CLASSES[usize::from(*octet)];
        if value >= NO_DIGIT {
            return None;
        }
        bits = bits << 6 | u32::from(value);
    }
    let count = u32::from(shift.count) + 6 * digits as u32 - 16;
    let left = bits & ((1 << count) - 1);
    Some((bits >> count, digits, Shift { shifted: true, bits: left as u8, count: count as u8 }))
}

/// UTF-8 to UTF-7. The end of the text is not written: a run may be open behind it.
pub(crate) fn from_utf8(
    style: Style,
    shift: &mut Shift,
    src: &[u8],
    dst: &mut [u8],
) -> (usize, usize) {
    let direct = style.direct();
    let (mut read, mut written) = (0, 0);
    loop {
        if !shift.shifted {
            let octets = copy_direct(&src[read..], &mut dst[written..], direct);
            read += octets;
            written += octets;
        }
        let Some((scalar, octets)) = Utf8::next(&src[read..]) else { return (read, written) };
        // Most of what goes into runs, where there is room for any.
        if let 0x80..=0xFFFF = scalar
            && let Some(room) = dst[written..].first_chunk_mut::<4>()
        {
            room[0] = b'+';
            let opened = usize::from(!shift.shifted);
            let room = room[opened..].first_chunk_mut().expect("room for three");
            written += opened + put_unit(shift, scalar, room);
            read += octets;
            continue;
        }
        let mut code = [0; ROOM];
        let (length, after) = put(style, *shift, scalar, &mut code);
        let Some(room) = dst.get_mut(written..written + length) else { return (read, written) };
        room.copy_from_slice(&code[..length]);
        *shift = after;
        read += octets;
        written += length;
    }
}

/// The digits of a code unit in a run: two or three. Returns how many.
#[inline]
fn put_unit(shift: &mut Shift, unit: u32, dst: &mut [u8; 3]) -> usize {
    // 16, 18 or 20 bits. A third digit is overwritten if it is not yet due.
    let bits = u32::from(shift.bits) << 16 | unit;
    let count = u32::from(shift.count) + 16;
    for (at, digit) in dst.iter_mut().enumerate() {
        *digit = SET_B[(bits << 2 >> (count - 4 - 6 * at as u32) & 0x3F) as usize];
    }
    let left = count % 6;
    *shift = Shift { shifted: true, bits: (bits & ((1 << left) - 1)) as u8, count: left as u8 };
    (count / 6) as usize
}

/// Octets that [`from_utf8`] writes, if there is room.
pub(crate) fn len_from_utf8(style: Style, shift: &mut Shift, src: &[u8]) -> usize {
    let direct = style.direct();
    let (mut read, mut total) = (0, 0);
    while let Some((scalar, octets)) = Utf8::next(&src[read..]) {
        read += octets;
        if !shift.shifted && scalar < 0x80 && direct[scalar as usize] {
            total += 1;
        } else {
            let (length, after) = put(style, *shift, scalar, &mut [0; ROOM]);
            *shift = after;
            total += length;
        }
    }
    total
}

/// A scalar value: its octets, with what opens or ends a run before it, and what stands behind
/// it.
#[inline]
fn put(style: Style, shift: Shift, scalar: u32, dst: &mut [u8; ROOM]) -> (usize, Shift) {
    let mut length = 0;
    let mut push = |octet: u8| {
        dst[length] = octet;
        length += 1;
    };
    if scalar < 0x80 && style.direct()[scalar as usize] {
        if shift.shifted {
            if shift.count > 0 {
                push(SET_B[usize::from(shift.bits << (6 - shift.count) & 0x3F)]);
            }
            if style.closes_before(scalar as u8) {
                push(b'-');
            }
        }
        push(scalar as u8);
        return (length, Shift::default());
    }
    if scalar == u32::from('+') && !shift.shifted {
        push(b'+');
        push(b'-');
        return (length, Shift::default());
    }
    if !shift.shifted {
        push(b'+');
    }
    let (units, width) = match scalar {
        0..=0xFFFF => (scalar, 16),
        _ => {
            let offset = scalar - 0x1_0000;
            (0xD800_DC00 | (offset & 0xF_FC00) << 6 | offset & 0x3FF, 32)
        }
    };
    let bits = u64::from(shift.bits) << width | u64::from(units);
    let mut count = shift.count + width;
    while count >= 6 {
        count -= 6;
        push(SET_B[(bits >> count & 0x3F) as usize]);
    }
    (length, Shift { shifted: true, bits: bits as u8 & ((1 << count) - 1), count })
}
