//! Text in memory: `str`, `[u16]`, and `[u32]` code points, accessed as bytes in native byte order.
//! These are not encodings of the registry, but the output of [`Decoder`](crate::Decoder) and the
//! input of [`Encoder`](crate::Encoder).

use utfall_simd::{Kernels, units};

use super::{Codec, Decode, Decoded, EncodeStop, Encoded, Next, Put, Sink, utf8, utf16};
use crate::route::Side;
use crate::{Encoding, ErrorKind, Options};

#[cfg(target_endian = "big")]
use super::utf16::Utf16Be as NativeUtf16;
#[cfg(target_endian = "little")]
use super::utf16::Utf16Le as NativeUtf16;

/// The kinds of text in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// UTF-8.
    Str,
    /// 16-bit code units.
    Utf16,
    /// Code points, any value of 31 bits.
    Points,
    /// Discarded code points. Output only.
    Nothing,
}

impl Kind {
    /// The encoding to name in errors.
    pub(crate) fn encoding(self) -> Encoding {
        match self {
            Self::Str => Encoding::Utf8,
            Self::Utf16 => Encoding::Utf16,
            Self::Points | Self::Nothing => Encoding::Ucs4,
        }
    }
}

#[derive(Clone)]
pub(crate) enum Reader {
    Str(utf8::Decoder),
    Utf16(utf16::Decoder),
    Points,
}

impl Reader {
    pub(crate) fn new(kind: Kind, options: &Options) -> Self {
        match kind {
            Kind::Str => Self::Str(utf8::Utf8::decoder(options)),
            Kind::Utf16 => Self::Utf16(NativeUtf16::decoder(options)),
            Kind::Points | Kind::Nothing => Self::Points,
        }
    }
}

impl Decode for Reader {
    fn next(&mut self, src: &[u8], last: bool) -> Next {
        match self {
            Self::Str(decoder) => decoder.next(src, last),
            Self::Utf16(decoder) => decoder.next(src, last),
            Self::Points => match src.first_chunk() {
                None => Next::End,
                Some(bytes) => match u32::from_ne_bytes(*bytes) {
                    point @ 0..=0x7FFF_FFFF => Next::Point { point, length: 4 },
                    _ => Next::ill(ErrorKind::OutOfRange, 4),
                },
            },
        }
    }

    fn decode(&mut self, kernels: &Kernels, src: &[u8], dst: &mut [u32], last: bool) -> Decoded {
        match self {
            Self::Str(decoder) => decoder.decode(kernels, src, dst, last),
            Self::Utf16(decoder) => decoder.decode(kernels, src, dst, last),
            Self::Points => super::decode_each(self, src, dst, last),
        }
    }

    fn side(&self) -> Side {
        match self {
            Self::Str(decoder) => decoder.side(),
            Self::Utf16(decoder) => decoder.side(),
            // The kernel stops at values that are not scalar values; `next` accepts them.
            Self::Points => Side::Plain(units::NATIVE_UTF32),
        }
    }
}

#[derive(Clone)]
pub(crate) enum Writer {
    Str(utf8::Encoder),
    Utf16(utf16::Encoder),
    Points,
    Nothing,
}

impl Writer {
    pub(crate) fn new(kind: Kind, options: &Options) -> Self {
        match kind {
            Kind::Str => Self::Str(utf8::Utf8::encoder(options)),
            Kind::Utf16 => Self::Utf16(NativeUtf16::encoder(options)),
            Kind::Points => Self::Points,
            Kind::Nothing => Self::Nothing,
        }
    }
}

impl Sink for Writer {
    fn accept(&mut self, kernels: &Kernels, points: &[u32], dst: &mut [u8]) -> Encoded {
        match self {
            Self::Str(encoder) => encoder.accept(kernels, points, dst),
            Self::Utf16(encoder) => encoder.accept(kernels, points, dst),
            Self::Points => {
                let (units, _) = dst.as_chunks_mut();
                let read = units.len().min(points.len());
                for (unit, point) in units.iter_mut().zip(points) {
                    *unit = point.to_ne_bytes();
                }
                let is_all = read == points.len();
                let stop = if is_all { EncodeStop::Input } else { EncodeStop::Output };
                Encoded { read, written: 4 * read, stop }
            }
            Self::Nothing => Encoded { read: points.len(), written: 0, stop: EncodeStop::Input },
        }
    }

    fn side(&self) -> Side {
        match self {
            Self::Str(encoder) => encoder.side(),
            Self::Utf16(encoder) => encoder.side(),
            Self::Points => Side::Plain(units::NATIVE_UTF32),
            Self::Nothing => Side::Discarded,
        }
    }

    fn insert(&mut self, point: u32, dst: &mut [u8]) -> Put {
        match self {
            Self::Str(encoder) => encoder.insert(point, dst),
            Self::Utf16(encoder) => encoder.insert(point, dst),
            Self::Points => {
                let Some(bytes) = dst.first_chunk_mut() else { return Put::Full };
                *bytes = point.to_ne_bytes();
                Put::Written(4)
            }
            Self::Nothing => Put::Written(0),
        }
    }
}
