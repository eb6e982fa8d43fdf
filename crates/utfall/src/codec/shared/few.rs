//! Encoding of a few characters, one at a time. The loops for longer text begin later than these end
//! with some words.
//!
//! They stop before anything unusual: characters that are not US-ASCII or two bytes, and errors.

use super::double_byte::Charset;
use super::form::NativeUtf16;

/// Bytes of US-ASCII that are converted at once.
const WORD: usize = 8;

/// Whether these bytes are all US-ASCII.
#[inline(always)]
fn are_ascii(word: [u8; WORD]) -> bool {
    u64::from_le_bytes(word) & 0x8080_8080_8080_8080 == 0
}

/// Leaves all text to the loops for longer text.
pub(in crate::codec) fn none(_: &[u8], _: &mut [u8]) -> (usize, usize) {
    (0, 0)
}

/// Encodes UTF-8. Returns bytes read and written.
pub(in crate::codec) fn encode_utf8<C: Charset>(src: &[u8], dst: &mut [u8]) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    loop {
        let (unit, least, length) = match src[read..] {
            [byte @ ..0x80, ..] => {
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
                *room = byte;
                read += 1;
                written += 1;
                continue;
            }
            [lead @ 0xE0..0xF0, second @ 0x80..0xC0, third @ 0x80..0xC0, ..] => {
                let unit = u16::from(lead) << 12 | u16::from(second & 0x3F) << 6;
                (unit | u16::from(third & 0x3F), 0x800, 3)
            }
            [lead @ 0xC0..0xE0, second @ 0x80..0xC0, ..] => {
                (u16::from(lead & 0x1F) << 6 | u16::from(second & 0x3F), 0x80, 2)
            }
            _ => break,
        };
        let Some(room) = dst[written..].first_chunk_mut() else { break };
        let code = C::code(unit);
        if unit < least || code < 0x100 {
            break;
        }
        *room = code.to_be_bytes();
        read += length;
        written += 2;
    }
    (read, written)
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
        let code = C::code(unit);
        let Some(room) = dst[written..].first_chunk_mut() else { break };
        if code < 0x100 {
            break;
        }
        *room = code.to_be_bytes();
        read += 2;
        written += 2;
    }
    (read, written)
}
