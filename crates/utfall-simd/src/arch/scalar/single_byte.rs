//! Single-byte charsets, by the entries of their [`Table`].

use super::{ASCII_AGAIN, Source, Target};
use crate::Lossy;
use crate::single_byte::{ILL, LENGTH, NONE, Table};

/// A conversion to any form. With `LOSSY`, bytes that are not a character become U+FFFD.
#[inline(always)]
pub(crate) fn decode<T: Target, const LOSSY: bool>(
    table: &Table,
    src: &[u8],
    dst: &mut [u8],
) -> Lossy {
    let mut done = Lossy::default();
    loop {
        while table.entries.keeps_ascii
            && let Some(ascii) = src[done.read..].first_chunk()
            && super::ascii::all(*ascii)
            && let Some(room) = T::put_ascii(&mut dst[done.written..], *ascii)
        {
            done.read += 8;
            done.written += room;
        }
        let mut ascii = 0;
        while ascii < ASCII_AGAIN {
            let Some(&byte) = src.get(done.read) else { return done };
            let unit = table.entries.units[usize::from(byte)];
            if !LOSSY && unit == NONE {
                return done;
            }
            let Some(room) = T::put(&mut dst[done.written..], u32::from(unit)) else { return done };
            done.read += 1;
            done.written += room;
            done.replaced += usize::from(unit == NONE);
            ascii = if byte < 0x80 { ascii + 1 } else { 0 };
        }
    }
}

/// The same, strict.
pub(crate) fn decode_strict<T: Target>(
    table: &Table,
    src: &[u8],
    dst: &mut [u8],
) -> (usize, usize) {
    let done = decode::<T, false>(table, src, dst);
    (done.read, done.written)
}

/// A conversion to UTF-8, one byte at a time without a branch on its length.
#[inline(always)]
pub(crate) fn to_utf8<const LOSSY: bool>(table: &Table, src: &[u8], dst: &mut [u8]) -> Lossy {
    let mut done = Lossy::default();
    for &byte in src {
        let entry = table.entries.utf8[usize::from(byte)];
        if !LOSSY && entry & ILL != 0 {
            break;
        }
        let bytes = entry.to_le_bytes();
        let length = length(entry);
        let room = &mut dst[done.written..];
        if let Some(room) = room.first_chunk_mut() {
            *room = bytes;
        } else if length <= room.len() {
            // At most three bytes.
            for (room, byte) in room.iter_mut().zip(&bytes[..length]) {
                *room = *byte;
            }
        } else {
            break;
        }
        done.read += 1;
        done.written += length;
        done.replaced += usize::from(entry & ILL != 0);
    }
    done
}

/// The same, strict.
pub(crate) fn to_utf8_strict(table: &Table, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
    let done = to_utf8::<false>(table, src, dst);
    (done.read, done.written)
}

/// The number of bytes of an entry of [`Entries::utf8`](crate::single_byte::Entries::utf8).
#[inline(always)]
pub(crate) fn length(entry: u32) -> usize {
    (entry >> LENGTH & 3) as usize
}

/// A conversion to UTF-16, one byte at a time.
#[inline(always)]
pub(crate) fn to_utf16<const LE: bool, const LOSSY: bool>(
    table: &Table,
    src: &[u8],
    dst: &mut [u8],
) -> Lossy {
    let (mut read, mut replaced) = (0, 0);
    // Without a branch for each byte.
    for (bytes, room) in src.as_chunks::<8>().0.iter().zip(dst.as_chunks_mut::<16>().0) {
        let units = bytes.map(|byte| table.entries.units[usize::from(byte)]);
        let ill = units.iter().filter(|unit| **unit == NONE).count();
        if !LOSSY && ill > 0 {
            break;
        }
        for (room, unit) in room.as_chunks_mut().0.iter_mut().zip(units) {
            *room = if LE { unit.to_le_bytes() } else { unit.to_be_bytes() };
        }
        read += 8;
        replaced += ill;
    }
    for (&byte, room) in src[read..].iter().zip(dst[2 * read..].as_chunks_mut::<2>().0) {
        let unit = table.entries.units[usize::from(byte)];
        if !LOSSY && unit == NONE {
            break;
        }
        *room = if LE { unit.to_le_bytes() } else { unit.to_be_bytes() };
        read += 1;
        replaced += usize::from(unit == NONE);
    }
    Lossy { read, written: 2 * read, replaced }
}

/// The same, strict.
pub(crate) fn to_utf16_strict<const LE: bool>(
    table: &Table,
    src: &[u8],
    dst: &mut [u8],
) -> (usize, usize) {
    let done = to_utf16::<LE, false>(table, src, dst);
    (done.read, done.written)
}

/// A conversion from UTF-8, one sequence at a time.
#[inline(always)]
pub(crate) fn from_utf8(table: &Table, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
    let mut read = 0;
    for (written, room) in dst.iter_mut().enumerate() {
        let Some((byte, length)) = table.byte_of_utf8(&src[read..]) else { return (read, written) };
        *room = byte;
        read += length;
    }
    (read, dst.len())
}

/// A conversion from UTF-16, one unit at a time: surrogates have no page.
#[inline(always)]
pub(crate) fn from_utf16<const LE: bool>(
    table: &Table,
    src: &[u8],
    dst: &mut [u8],
) -> (usize, usize) {
    let mut written = 0;
    for (bytes, room) in src.as_chunks::<2>().0.iter().zip(&mut *dst) {
        let unit = if LE { u16::from_le_bytes(*bytes) } else { u16::from_be_bytes(*bytes) };
        let Some(byte) = table.byte_of(u32::from(unit)) else { break };
        *room = byte;
        written += 1;
    }
    (2 * written, written)
}

/// A conversion from any form.
#[inline(always)]
pub(crate) fn encode<S: Source>(table: &Table, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    loop {
        while table.entries.keeps_ascii
            && let Some((ascii, length)) = S::next_ascii(&src[read..])
            && let Some(room) = dst[written..].first_chunk_mut()
        {
            *room = ascii;
            read += length;
            written += 8;
        }
        let mut ascii = 0;
        while ascii < ASCII_AGAIN {
            let (Some((point, length)), Some(room)) = (S::next(&src[read..]), dst.get_mut(written))
            else {
                return (read, written);
            };
            let Some(byte) = table.byte_of(point) else { return (read, written) };
            *room = byte;
            read += length;
            written += 1;
            ascii = if point < 0x80 { ascii + 1 } else { 0 };
        }
    }
}

/// The length of the prefix without a byte that is not a character.
pub(crate) fn prefix(table: &Table, src: &[u8]) -> usize {
    if table.entries.is_complete {
        return src.len();
    }
    let is_ill = |byte: &u8| table.entries.units[usize::from(*byte)] == NONE;
    // Without a branch for each byte, most of which are characters.
    let (blocks, rest) = src.as_chunks::<16>();
    let sound = blocks
        .iter()
        .take_while(|block| !block.iter().fold(false, |found, byte| found | is_ill(byte)))
        .count();
    let last = blocks.get(sound).map_or(rest, |block| block);
    16 * sound + last.iter().take_while(|byte| !is_ill(byte)).count()
}
