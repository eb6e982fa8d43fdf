//! Decodes and encodes a few characters. A decoder or encoder of the library costs more than that, and some
//! programs convert each character alone.

use utfall::Encoding;

use super::reader::{Read, Stop};
use super::writer::{WriteStop, Written};

/// The number of bytes, or code points, up to which this is faster.
pub(super) const MOST: usize = 32;

/// Decodes a prefix of `src`. `None` if the decoder has to, because there are invalid bytes or the encoding
/// is another one.
pub(super) fn decode(encoding: Encoding, src: &[u8], dst: &mut [u32]) -> Option<Read> {
    let unit = match encoding {
        Encoding::Utf8 => return from_utf8(src, dst),
        Encoding::UsAscii if !src.is_ascii() => return None,
        Encoding::UsAscii | Encoding::Iso8859_1 => {
            return from_units(src, dst, |[byte]| byte.into());
        }
        Encoding::Utf16Le => u16::from_le_bytes,
        Encoding::Utf16Be => u16::from_be_bytes,
        Encoding::Ucs2Le => return from_ucs2(src, dst, u16::from_le_bytes),
        Encoding::Ucs2Be => return from_ucs2(src, dst, u16::from_be_bytes),
        Encoding::Utf32Le => return from_utf32(src, dst, u32::from_le_bytes),
        Encoding::Utf32Be => return from_utf32(src, dst, u32::from_be_bytes),
        Encoding::Ucs4Le => return from_ucs4(src, dst, u32::from_le_bytes),
        Encoding::Ucs4Be => return from_ucs4(src, dst, u32::from_be_bytes),
        _ => return None,
    };
    from_utf16(src, dst, unit)
}

fn from_utf8(src: &[u8], dst: &mut [u32]) -> Option<Read> {
    let text = match str::from_utf8(src) {
        Ok(text) => text,
        Err(error) if error.error_len().is_some() => return None,
        Err(error) => str::from_utf8(&src[..error.valid_up_to()]).ok()?,
    };
    let mut scalars = text.chars();
    let mut written = 0;
    for slot in &mut *dst {
        let Some(scalar) = scalars.next() else { break };
        *slot = scalar.into();
        written += 1;
    }
    let read = text.len() - scalars.as_str().len();
    let stop = match read == src.len() {
        true => Stop::Input,
        false if written == dst.len() => Stop::Full,
        false => Stop::Incomplete,
    };
    Some(Read { read, written, stop })
}

fn from_utf16(src: &[u8], dst: &mut [u32], unit: fn([u8; 2]) -> u16) -> Option<Read> {
    let (mut read, mut written) = (0, 0);
    let unit_at = |at: usize| Some(unit(*src.get(at..)?.first_chunk()?));
    let stop = loop {
        if read == src.len() {
            break Stop::Input;
        }
        let Some(slot) = dst.get_mut(written) else { break Stop::Full };
        let Some(first) = unit_at(read) else { break Stop::Incomplete };
        *slot = match first {
            0xD800..0xDC00 => match unit_at(read + 2) {
                None => break Stop::Incomplete,
                Some(low @ 0xDC00..0xE000) => {
                    read += 2;
                    0x1_0000 + ((u32::from(first) - 0xD800) << 10) + (u32::from(low) - 0xDC00)
                }
                Some(_) => return None,
            },
            0xDC00..0xE000 => return None,
            first => first.into(),
        };
        (read, written) = (read + 2, written + 1);
    };
    Some(Read { read, written, stop })
}

fn from_ucs2(src: &[u8], dst: &mut [u32], unit: fn([u8; 2]) -> u16) -> Option<Read> {
    let is_valid = |unit: &u16| !matches!(unit, 0xD800..0xE000);
    let (units, _) = src.as_chunks();
    if !units.iter().all(|bytes| is_valid(&unit(*bytes))) {
        return None;
    }
    from_units(src, dst, |bytes| unit(bytes).into())
}

fn from_utf32(src: &[u8], dst: &mut [u32], unit: fn([u8; 4]) -> u32) -> Option<Read> {
    let (units, _) = src.as_chunks();
    if !units.iter().all(|bytes| char::from_u32(unit(*bytes)).is_some()) {
        return None;
    }
    from_units(src, dst, unit)
}

fn from_ucs4(src: &[u8], dst: &mut [u32], unit: fn([u8; 4]) -> u32) -> Option<Read> {
    let (units, _) = src.as_chunks();
    if !units.iter().all(|bytes| unit(*bytes) >> 31 == 0) {
        return None;
    }
    from_units(src, dst, unit)
}

/// Code units that are valid, and code points.
fn from_units<const N: usize>(
    src: &[u8],
    dst: &mut [u32],
    unit: impl Fn([u8; N]) -> u32,
) -> Option<Read> {
    let (units, _) = src.as_chunks();
    let written = units.iter().zip(&mut *dst).map(|(bytes, slot)| *slot = unit(*bytes)).count();
    let read = written * N;
    let stop = match read == src.len() {
        true => Stop::Input,
        false if written == dst.len() => Stop::Full,
        false => Stop::Incomplete,
    };
    Some(Read { read, written, stop })
}

/// The code point at the start of `src`, which is not empty, and its length in bytes, or 0 if it is
/// incomplete. `None` if it is invalid, or the encoding is another one.
pub(super) fn one(encoding: Encoding, src: &[u8]) -> Option<(u32, usize)> {
    if encoding == Encoding::Utf8 {
        return one_of_utf8(src);
    }
    let mut point = [0];
    let read = decode(encoding, &src[..src.len().min(4)], &mut point)?;
    Some((point[0], read.read))
}

fn one_of_utf8(src: &[u8]) -> Option<(u32, usize)> {
    let first = src[0];
    let (length, second) = match first {
        0..0x80 => return Some((first.into(), 1)),
        0xC2..0xE0 => (2, 0x80..0xC0),
        0xE0 => (3, 0xA0..0xC0),
        0xED => (3, 0x80..0xA0),
        0xE1..0xF0 => (3, 0x80..0xC0),
        0xF0 => (4, 0x90..0xC0),
        0xF1..0xF4 => (4, 0x80..0xC0),
        0xF4 => (4, 0x80..0x90),
        _ => return None,
    };
    let mut point = u32::from(first) & (0x7F >> length);
    for at in 1..length {
        let Some(byte) = src.get(at) else { return Some((0, 0)) };
        let is_valid = if at == 1 { second.contains(byte) } else { byte >> 6 == 0b10 };
        if !is_valid {
            return None;
        }
        point = point << 6 | u32::from(byte & 0x3F);
    }
    Some((point, length))
}

/// Encodes a prefix of `points`. `least` is the length of the shortest character in bytes. `None` if the
/// encoder has to, because the encoding is another one.
pub(super) fn encode(
    encoding: Encoding,
    least: usize,
    points: &[u32],
    dst: &mut [u8],
) -> Option<Written> {
    let mut written = 0;
    for (read, point) in points.iter().enumerate() {
        let space = &mut dst[written..];
        let stopped = |stop| Some(Written { read, written, stop });
        if space.len() < least {
            return stopped(WriteStop::Full);
        }
        let mut room = [0; 4];
        match sequence(encoding, *point, &mut room)? {
            0 => return stopped(WriteStop::Unencodable),
            length => {
                let Some(space) = space.get_mut(..length) else {
                    return stopped(WriteStop::Full);
                };
                space.copy_from_slice(&room[..length]);
                written += length;
            }
        }
    }
    Some(Written { read: points.len(), written, stop: WriteStop::Input })
}

/// Writes the bytes of a code point, and returns how many there are: none if the encoding lacks it. `None` if
/// the encoder has to.
pub(super) fn sequence(encoding: Encoding, point: u32, room: &mut [u8; 4]) -> Option<usize> {
    let scalar = char::from_u32(point);
    let units = |to_bytes: fn(u16) -> [u8; 2], room: &mut [u8; 4]| {
        let mut units = [0; 2];
        let units = scalar.map_or(&[][..], |scalar| &*scalar.encode_utf16(&mut units));
        for (unit, space) in units.iter().zip(room.as_chunks_mut::<2>().0) {
            *space = to_bytes(*unit);
        }
        2 * units.len()
    };
    Some(match encoding {
        Encoding::Utf8 => scalar.map_or(0, |scalar| scalar.encode_utf8(room).len()),
        Encoding::Utf16Le => units(u16::to_le_bytes, room),
        Encoding::Utf16Be => units(u16::to_be_bytes, room),
        Encoding::Ucs2Le | Encoding::Ucs2Be => {
            let Some(unit) = scalar.and_then(|scalar| u16::try_from(scalar).ok()) else {
                return Some(0);
            };
            let bytes = match encoding {
                Encoding::Ucs2Le => unit.to_le_bytes(),
                _ => unit.to_be_bytes(),
            };
            room[..2].copy_from_slice(&bytes);
            2
        }
        Encoding::Utf32Le | Encoding::Utf32Be if scalar.is_none() => 0,
        Encoding::Ucs4Le | Encoding::Ucs4Be if point >> 31 != 0 => 0,
        Encoding::Utf32Le | Encoding::Ucs4Le => {
            *room = point.to_le_bytes();
            4
        }
        Encoding::Utf32Be | Encoding::Ucs4Be => {
            *room = point.to_be_bytes();
            4
        }
        _ => return None,
    })
}
