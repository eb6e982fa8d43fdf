//! Conversion between a charset and UTF-8 by way of UTF-16, in pieces that stay in the first-level
//! cache. A kernel does one of the two steps, so that only table lookups are left for the other.

use utfall_simd::{Kernels, Layout, Lossy, units};

/// Code units in a piece.
pub(in crate::codec) const PIECE: usize = 1024;
/// The most code units in the first piece. If a kernel stops early there, the rest of its work is
/// wasted, and clearing a larger buffer would take longer than converting short text.
pub(in crate::codec) const FIRST_PIECE: usize = 128;

/// The shortest text for which the two steps are faster than one, in bytes.
pub(in crate::codec) const SHORTEST: usize = 96;

/// Bytes of UTF-8 that a code unit of UTF-16 becomes at most.
const MOST_FROM_A_UNIT: usize = 3;

/// Bytes that are decoded straight to UTF-8 where there is much US-ASCII, before that is looked at
/// again.
const STRAIGHT: usize = 16 * PIECE;

/// A form that a codec converts to or from.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::codec) enum Step {
    Utf8,
    /// In native order.
    Utf16,
}

/// Decodes to UTF-8. `copy_ascii` copies the US-ASCII at the start of the input, and returns its
/// length in bytes. `decode` decodes to a form. To UTF-16, it may stop early, but not before the
/// first sequence unless that is ill-formed or incomplete.
pub(in crate::codec) fn decode(
    kernels: &Kernels,
    src: &[u8],
    dst: &mut [u8],
    copy_ascii: impl Fn(&[u8], &mut [u8]) -> usize,
    mut decode: impl FnMut(Step, &[u8], &mut [u8]) -> Lossy,
) -> Lossy {
    let (mut read, mut written, mut replaced) = (0, 0, 0);
    let mut buffer = [0_u16; PIECE];
    let mut is_mixed = src.len() < SHORTEST;
    while !is_mixed {
        let count = copy_ascii(&src[read..], &mut dst[written..]);
        read += count;
        written += count;
        let room = PIECE.min((dst.len() - written) / MOST_FROM_A_UNIT);
        let made = decode(Step::Utf16, &src[read..], units::bytes_mut(&mut buffer[..room]));
        let text = &buffer[..made.written / 2];
        let (_, length) = kernels.convert(
            units::NATIVE_UTF16,
            Layout::Utf8,
            units::bytes(text),
            &mut dst[written..],
        );
        read += made.read;
        written += length;
        replaced += made.replaced;
        if made.read == 0 || read == src.len() {
            break;
        }
        if has_much_ascii(text) {
            let end = src.len().min(read + STRAIGHT);
            let made = decode(Step::Utf8, &src[read..end], &mut dst[written..]);
            read += made.read;
            written += made.written;
            replaced += made.replaced;
            is_mixed = made.read == 0;
        }
    }
    // Short text, where little space is left, and the sequence at which the loop stopped.
    let end = decode(Step::Utf8, &src[read..], &mut dst[written..]);
    Lossy {
        read: read + end.read,
        written: written + end.written,
        replaced: replaced + end.replaced,
    }
}

/// Whether so much of a text is US-ASCII that one step is faster.
#[cfg_attr(utfall_speed, optimize(speed))]
fn has_much_ascii(text: &[u16]) -> bool {
    let ascii: u16 = text.iter().map(|unit| u16::from(*unit < 0x80)).sum();
    3 * usize::from(ascii) > text.len()
}

/// Encodes UTF-8 in pieces of `MOST` code units. Returns bytes read and written. `copy_ascii`
/// copies the US-ASCII at the start of the input, and returns its length in bytes. `encode` encodes
/// a form. From UTF-8, it may stop anywhere; from UTF-16, only at a code point that it lacks, and
/// where the output is full.
pub(in crate::codec) fn encode<const MOST: usize>(
    kernels: &Kernels,
    src: &[u8],
    dst: &mut [u8],
    copy_ascii: impl Fn(&[u8], &mut [u8]) -> usize,
    mut encode: impl FnMut(Step, &[u8], &mut [u8]) -> (usize, usize),
) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    let mut buffer = [0_u16; MOST];
    let mut piece = FIRST_PIECE;
    loop {
        let count = copy_ascii(&src[read..], &mut dst[written..]);
        read += count;
        written += count;
        let room = units::bytes_mut(&mut buffer[..piece]);
        let (bytes, filled) =
            kernels.convert(Layout::Utf8, units::NATIVE_UTF16, &src[read..], room);
        let (taken, length) = encode(Step::Utf16, &room[..filled], &mut dst[written..]);
        written += length;
        let text = &buffer[..filled / 2];
        if taken < filled {
            return (read + utf8_len(kernels, units::bytes(&text[..taken / 2])), written);
        }
        read += bytes;
        if bytes == 0 || read == src.len() {
            return (read, written);
        }
        if has_much_ascii(text) {
            let end = src.len().min(read + STRAIGHT);
            let (bytes, length) = encode(Step::Utf8, &src[read..end], &mut dst[written..]);
            read += bytes;
            written += length;
        }
        piece = MOST;
    }
}

/// The length in UTF-8 of well-formed UTF-16 in native order.
fn utf8_len(kernels: &Kernels, text: &[u8]) -> usize {
    match units::NATIVE_UTF16 {
        Layout::Utf16Be => kernels.utf8_len_from_utf16be(text),
        _ => kernels.utf8_len_from_utf16le(text),
    }
}
