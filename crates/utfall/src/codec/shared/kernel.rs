//! Decoding and encoding with a fast path, and one character at a time where it stops.

use utfall_simd::{Kernels, Layout, units};

use crate::codec::{
    Decode, DecodeStop, Decoded, Encode, EncodeStop, Encoded, decode_each, encode_each,
};

/// How many characters to process one at a time after the fast path has stopped. Few if it got far,
/// and increasingly many if not, so that text unsuitable for it does not pay its entry cost for
/// each character.
#[derive(Default)]
struct SlowRun {
    length: usize,
}

impl SlowRun {
    /// The next count, given how many characters the fast path has just converted.
    fn next(&mut self, fast: usize) -> usize {
        const LONGEST: usize = 64;
        self.length = if fast >= 32 { 1 } else { (2 * self.length).clamp(8, LONGEST) };
        self.length
    }
}

/// [`Decode::decode`] for a format that has a kernel.
pub(in crate::codec) fn decode<D: Decode>(
    decoder: &mut D,
    kernels: &Kernels,
    layout: Layout,
    src: &[u8],
    dst: &mut [u32],
    last: bool,
) -> Decoded {
    decode_with(decoder, src, dst, last, |_, src, dst| convert_in(kernels, layout, src, dst))
}

/// [`Decode::decode`] with a function that decodes a prefix of whole, well-formed sequences, and
/// returns bytes read and code points written. It may always return `(0, 0)`.
pub(in crate::codec) fn decode_with<D: Decode>(
    decoder: &mut D,
    src: &[u8],
    dst: &mut [u32],
    last: bool,
    mut prefix: impl FnMut(&mut D, &[u8], &mut [u32]) -> (usize, usize),
) -> Decoded {
    let (mut read, mut written) = (0, 0);
    let mut slow_run = SlowRun::default();
    loop {
        let (bytes, points) = prefix(decoder, &src[read..], &mut dst[written..]);
        read += bytes;
        written += points;

        let end = dst.len().min(written + slow_run.next(points));
        let slow = decode_each(decoder, &src[read..], &mut dst[written..end], last);
        read += slow.read;
        written += slow.written;
        if slow.stop != DecodeStop::Output || end == dst.len() {
            return Decoded { read, written, stop: slow.stop };
        }
    }
}

/// [`Encode::encode`] for a format that has a kernel.
pub(in crate::codec) fn encode<E: Encode>(
    encoder: &mut E,
    kernels: &Kernels,
    layout: Layout,
    src: &[u32],
    dst: &mut [u8],
) -> Encoded {
    encode_with(encoder, src, dst, |_, src, dst| convert_out(kernels, layout, src, dst))
}

/// [`Encode::encode`] with a function that encodes a prefix, and returns code points read and bytes
/// written. It may always return `(0, 0)`.
pub(in crate::codec) fn encode_with<E: Encode>(
    encoder: &mut E,
    src: &[u32],
    dst: &mut [u8],
    mut prefix: impl FnMut(&mut E, &[u32], &mut [u8]) -> (usize, usize),
) -> Encoded {
    let (mut read, mut written) = (0, 0);
    let mut slow_run = SlowRun::default();
    loop {
        let (points, bytes) = prefix(encoder, &src[read..], &mut dst[written..]);
        read += points;
        written += bytes;

        let end = src.len().min(read + slow_run.next(points));
        let slow = encode_each(encoder, &src[read..end], &mut dst[written..]);
        read += slow.read;
        written += slow.written;
        if slow.stop != EncodeStop::Input || end == src.len() {
            return Encoded { read, written, stop: slow.stop };
        }
    }
}

/// Converts from `layout` to code points with a kernel: bytes read, code points written.
pub(in crate::codec) fn convert_in(
    kernels: &Kernels,
    layout: Layout,
    src: &[u8],
    dst: &mut [u32],
) -> (usize, usize) {
    let (read, filled) = kernels.convert(layout, units::NATIVE_UTF32, src, units::bytes_mut(dst));
    (read, filled / 4)
}

/// Converts from code points to `layout` with a kernel: code points read, bytes written.
pub(in crate::codec) fn convert_out(
    kernels: &Kernels,
    layout: Layout,
    src: &[u32],
    dst: &mut [u8],
) -> (usize, usize) {
    let (taken, written) = kernels.convert(units::NATIVE_UTF32, layout, units::bytes(src), dst);
    (taken / 4, written)
}
