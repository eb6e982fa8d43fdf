//! Encoding of a few characters, one at a time. The loops for longer text begin later than these end
//! with some words.
//!
//! They stop before anything unusual: characters of more than two bytes, and errors.

use super::double_byte::Charset;
use super::form::NativeUtf16;

/// Bytes of US-ASCII that are converted at once.
pub(in crate::codec) const WORD: usize = 8;

/// Whether these bytes are all US-ASCII.
#[inline(always)]
fn are_ascii(word: [u8; WORD]) -> bool {
    u64::from_le_bytes(word) & 0x8080_8080_8080_8080 == 0
}

/// Whether these bytes are all US-ASCII, without those that [shift](super::form::is_shift).
#[inline(always)]
pub(in crate::codec) fn are_text(word: [u8; WORD]) -> bool {
    const ONES: u64 = 0x0101_0101_0101_0101;
    let word = u64::from_le_bytes(word);
    // A bit of some byte is set if any byte is zero.
    let zeros = |bytes: u64| bytes.wrapping_sub(ONES) & !bytes;
    let shifts = zeros(word ^ (0x1B * ONES)) | zeros((word & (0xFE * ONES)) ^ (0x0E * ONES));
    (word | shifts) & (0x80 * ONES) == 0
}

/// The code point of two or three bytes of UTF-8 at the start of a text, and their number.
/// Surrogates count as code points.
#[inline(always)]
pub(in crate::codec) fn unit_of_utf8(src: &[u8]) -> Option<(u16, usize)> {
    match *src {
        [lead @ 0xE0..0xF0, second @ 0x80..0xC0, third @ 0x80..0xC0, ..] => {
            let unit = u16::from(lead) << 12 | u16::from(second & 0x3F) << 6;
            let unit = unit | u16::from(third & 0x3F);
            (unit >= 0x800).then_some((unit, 3))
        }
        [lead @ 0xC2..0xE0, second @ 0x80..0xC0, ..] => {
            Some((u16::from(lead & 0x1F) << 6 | u16::from(second & 0x3F), 2))
        }
        _ => None,
    }
}

/// Leaves all text to the loops for longer text.
pub(in crate::codec) fn none(_: &[u8], _: &mut [u8]) -> (usize, usize) {
    (0, 0)
}

/// Encodes UTF-8. Returns bytes read and written.
pub(in crate::codec) fn encode_utf8<C: Charset>(src: &[u8], dst: &mut [u8]) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    while let Some(first) = src.get(read) {
        if *first < 0x80 {
            if let (Some(word), Some(room)) =
                (src[read..].first_chunk::<WORD>(), dst[written..].first_chunk_mut())
                && are_ascii(*word)
            {
                *room = *word;
                read += WORD;
                written += WORD;
                continue;
            }
            let Some(room) = dst.get_mut(written) else { break };
            *room = *first;
            read += 1;
            written += 1;
            continue;
        }
        let Some((unit, length)) = unit_of_utf8(&src[read..]) else { break };
        let Some(bytes) = put_code(C::code(unit), &mut dst[written..]) else { break };
        read += length;
        written += bytes;
    }
    (read, written)
}

/// Writes a code of one or two bytes, and returns their number, if there is space for two.
#[inline(always)]
fn put_code(code: u16, dst: &mut [u8]) -> Option<usize> {
    let room = dst.first_chunk_mut()?;
    match code {
        0 => None,
        1..0x100 => {
            room[0] = code as u8;
            Some(1)
        }
        _ => {
            *room = code.to_be_bytes();
            Some(2)
        }
    }
}

/// Encodes UTF-16 in native order. Returns bytes read and written.
pub(in crate::codec) fn encode_utf16<C: Charset>(src: &[u8], dst: &mut [u8]) -> (usize, usize) {
    const ABOVE_ASCII: u64 = 0xFF80_FF80_FF80_FF80;
    let (mut read, mut written) = (0, 0);
    while let Some(bytes) = src[read..].first_chunk() {
        let unit = NativeUtf16::unit(*bytes);
        if unit < 0x80 {
            if let (Some(units), Some(room)) =
                (src[read..].first_chunk::<8>(), dst[written..].first_chunk_mut::<4>())
                && u64::from_ne_bytes(*units) & ABOVE_ASCII == 0
            {
                let (units, _) = units.as_chunks::<2>();
                for (room, unit) in room.iter_mut().zip(units) {
                    *room = NativeUtf16::unit(*unit) as u8;
                }
                read += 8;
                written += 4;
                continue;
            }
            let Some(room) = dst.get_mut(written) else { break };
            *room = unit as u8;
            read += 2;
            written += 1;
            continue;
        }
        let Some(bytes) = put_code(C::code(unit), &mut dst[written..]) else { break };
        read += 2;
        written += bytes;
    }
    (read, written)
}
