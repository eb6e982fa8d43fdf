//! Decoding and encoding with a kernel first and one character at a time behind it.

use utfall_simd::{Form, Kernels, units};

use crate::codec::{
    Decode, DecodeStop, Decoded, Encode, EncodeStop, Encoded, decode_each, encode_each,
};

/// How many characters to take one at a time after a kernel has stopped, so that text full
/// of errors does not pay for entering a kernel at each of them.
const SLOW_RUN: usize = 64;

/// [`Decode::decode`] for a format that has a kernel.
pub(in crate::codec) fn decode<D: Decode>(
    decoder: &mut D,
    kernels: &Kernels,
    form: Form,
    src: &[u8],
    dst: &mut [u32],
    last: bool,
) -> Decoded {
    let (mut read, mut written) = (0, 0);
    loop {
        let (octets, filled) = kernels.convert(
            form,
            units::NATIVE_UTF32,
            &src[read..],
            units::octets_mut(&mut dst[written..]),
        );
        read += octets;
        written += filled / 4;

        let end = dst.len().min(written + SLOW_RUN);
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
    form: Form,
    src: &[u32],
    dst: &mut [u8],
) -> Encoded {
    let (mut read, mut written) = (0, 0);
    loop {
        let (octets, filled) = kernels.convert(
            units::NATIVE_UTF32,
            form,
            units::octets(&src[read..]),
            &mut dst[written..],
        );
        read += octets / 4;
        written += filled;

        let end = src.len().min(read + SLOW_RUN);
        let slow = encode_each(encoder, &src[read..end], &mut dst[written..]);
        read += slow.read;
        written += slow.written;
        if slow.stop != EncodeStop::Input || end == src.len() {
            return Encoded { read, written, stop: slow.stop };
        }
    }
}
