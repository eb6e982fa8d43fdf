//! The formats, one file each, and the traits they implement.
//!
//! Each file holds everything about its format: `INFO`, a decoder, an encoder. Decoders and
//! encoders are small `Clone` structs without borrowed data. They only see whole sequences:
//! `engine.rs` joins a sequence that the input splits, so no codec needs code for that.

pub(crate) mod ascii;
#[cfg(feature = "legacy")]
pub(crate) mod big5;
#[cfg(feature = "glibc")]
pub(crate) mod big5_hkscs;
pub(crate) mod bocu1;
pub(crate) mod cesu8;
#[cfg(all(test, feature = "legacy"))]
mod east_asian_tests;
#[cfg(feature = "legacy")]
pub(crate) mod euc_jp;
#[cfg(feature = "legacy")]
pub(crate) mod euc_kr;
#[cfg(feature = "cns")]
pub(crate) mod euc_tw;
#[cfg(feature = "legacy")]
pub(crate) mod gb18030;
#[cfg(feature = "glibc")]
pub(crate) mod gb18030_2005;
pub(crate) mod imap_utf7;
#[cfg(feature = "cns")]
pub(crate) mod iso_2022_cn;
#[cfg(feature = "legacy")]
pub(crate) mod iso_2022_jp;
#[cfg(feature = "glibc")]
pub(crate) mod iso_2022_jp_2;
#[cfg(feature = "jisx0213")]
pub(crate) mod iso_2022_jp_3;
#[cfg(feature = "jisx0213")]
pub(crate) mod jis_x_0213;
pub(crate) mod latin1;
#[cfg(feature = "legacy")]
pub(crate) mod mapped;
#[cfg(feature = "glibc")]
pub(crate) mod multi_byte;
pub(crate) mod mutf8;
#[cfg(all(test, feature = "legacy", feature = "alloc"))]
mod packed_tests;
pub(crate) mod renumbered;
#[cfg(feature = "legacy")]
pub(crate) mod replacement;
#[cfg(test)]
mod round_trip;
pub(crate) mod scsu;
mod shared;
#[cfg(feature = "legacy")]
pub(crate) mod shift_jis;
#[cfg(feature = "glibc")]
pub(crate) mod shifted_pairs;
#[cfg(feature = "legacy")]
pub(crate) mod single_byte;
#[cfg(test)]
mod testing;
#[cfg(feature = "glibc")]
pub(crate) mod tscii;
pub(crate) mod units;
pub(crate) mod utf1;
pub(crate) mod utf16;
pub(crate) mod utf32;
pub(crate) mod utf7;
pub(crate) mod utf8;
pub(crate) mod utf8_legacy;
pub(crate) mod utf_ebcdic;
#[cfg(all(test, feature = "legacy"))]
mod whatwg_tests;
pub(crate) mod wtf8;

use utfall_simd::{Kernels, Layout};

use crate::info::Info;
use crate::route::Side;
use crate::{ErrorKind, Options, Utf7Tolerance};

/// The longest incomplete sequence that a decoder may leave unread, in bytes.
pub(crate) const MAX_INCOMPLETE: usize = 15;

/// Connects a row of the registry with its decoder and encoder.
pub(crate) trait Codec {
    const INFO: Info;
    /// For tables that are made of the whole charset.
    const ROWS: Option<&'static dyn Rows> = None;
    type Decoder: Decode;
    type Encoder: Encode;
    fn decoder(options: &Options) -> Self::Decoder;
    fn encoder(options: &Options) -> Self::Encoder;
}

/// No code point, in [`Rows::row`].
pub(crate) const NO_POINT: u32 = u32::MAX;

/// A fast way to all characters of a charset. It has the methods of [`Characters`](crate::Characters).
pub(crate) trait Rows: Sync {
    fn row(&self, prefix: &[u8], points: &mut [u32; 256]) -> bool;

    fn writes(&self, point: u32, sequence: &[u8]) -> bool;
}

/// Decodes bytes to code points.
pub(crate) trait Decode: Clone {
    /// Decodes the next item at the start of `src`. `last` means that no input follows it.
    fn next(&mut self, src: &[u8], last: bool) -> Next;

    /// Decodes a prefix of `src` into `dst`. Formats with a kernel override this.
    fn decode(&mut self, kernels: &Kernels, src: &[u8], dst: &mut [u32], last: bool) -> Decoded {
        let _ = kernels;
        decode_each(self, src, dst, last)
    }

    /// The kernels for the rest of the text.
    fn side(&self) -> Side {
        Side::CodePoints
    }

    /// Converts a well-formed prefix of `src` to UTF-8 and continues after it, for
    /// [`Side::OwnKernel`]. Returns bytes read and written.
    fn decode_to_utf8(&mut self, kernels: &Kernels, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
        let _ = (kernels, src, dst);
        (0, 0)
    }

    /// The same to UTF-16 of this byte order, if there is a kernel for it. With `None`, nothing
    /// changes.
    fn decode_to_utf16(
        &mut self,
        kernels: &Kernels,
        to: Layout,
        src: &[u8],
        dst: &mut [u8],
    ) -> Option<(usize, usize)> {
        let _ = (kernels, to, src, dst);
        None
    }

    /// Whether code units are little-endian, once the input has shown it.
    fn is_little(&self) -> Option<bool> {
        None
    }

    /// Whether the decoder consumes a byte order mark at the start.
    fn removes_bom(&self) -> bool {
        false
    }
}

/// An item at the start of a decoder's input. Lengths are in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Next {
    /// A code point. If a byte has several, the first one has its length, and the others 0.
    Point { point: u32, length: usize },
    /// Bytes that do not represent a character themselves: a tag, a shift, a BOM.
    Skip { length: usize },
    /// An ill-formed sequence.
    Ill(Ill),
    /// The end of the input, or a sequence that needs more bytes. Never the latter if `last`.
    End,
}

/// An ill-formed sequence. The decoder consumes `consumed` bytes for it. It begins `back` bytes
/// before their end and is `length` bytes long. In most formats all three are equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ill {
    pub(crate) kind: ErrorKind,
    pub(crate) consumed: usize,
    pub(crate) back: usize,
    pub(crate) length: usize,
    /// In a shifted run, the bit; see [`Error::run_bit`](crate::Error::run_bit).
    pub(crate) run_bit: Option<u8>,
    /// Set if it is to be accepted anyway.
    pub(crate) pass: Option<Pass>,
}

/// The relaxed rules that accept an ill-formed sequence, and the code point to decode it to, if
/// any.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Pass {
    pub(crate) by: Utf7Tolerance,
    pub(crate) point: Option<u32>,
}

impl Ill {
    /// The next `length` bytes.
    #[inline]
    pub(crate) fn new(kind: ErrorKind, length: usize) -> Self {
        Self { kind, consumed: length, back: length, length, run_bit: None, pass: None }
    }

    /// The same, accepted as `point` if `allowed` has all of `by`.
    pub(crate) fn passing(
        self,
        allowed: Utf7Tolerance,
        by: Utf7Tolerance,
        point: impl Into<Option<u32>>,
    ) -> Self {
        let pass = Pass { by, point: point.into() };
        Self { pass: allowed.contains(by).then_some(pass), ..self }
    }
}

impl Next {
    /// An ill-formed sequence of the next `length` bytes.
    #[inline]
    pub(crate) fn ill(kind: ErrorKind, length: usize) -> Self {
        Self::Ill(Ill::new(kind, length))
    }
}

/// The result of [`Decode::decode`]: bytes read, code points written. `read` includes the bytes
/// consumed for an ill-formed sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Decoded {
    pub(crate) read: usize,
    pub(crate) written: usize,
    pub(crate) stop: DecodeStop,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DecodeStop {
    /// All input was read, except an incomplete sequence of at most [`MAX_INCOMPLETE`] bytes at its
    /// end.
    Input,
    /// The output is full.
    Output,
    /// An ill-formed sequence. The output had space for at least one more code point.
    Ill(Ill),
}

/// Decodes one sequence after another.
#[cfg_attr(utfall_speed, optimize(speed))]
pub(crate) fn decode_each<D: Decode>(
    decoder: &mut D,
    src: &[u8],
    dst: &mut [u32],
    last: bool,
) -> Decoded {
    let (mut read, mut written) = (0, 0);
    let stop = loop {
        if written == dst.len() {
            break DecodeStop::Output;
        }
        match decoder.next(&src[read..], last) {
            Next::Point { point, length } => {
                dst[written] = point;
                written += 1;
                read += length;
            }
            Next::Skip { length } => read += length,
            Next::Ill(ill) => {
                read += ill.consumed;
                break DecodeStop::Ill(ill);
            }
            Next::End => break DecodeStop::Input,
        }
    };
    Decoded { read, written, stop }
}

/// Encodes code points to bytes.
pub(crate) trait Encode: Clone {
    /// Writes `point` to the start of `dst`. Unless the result is [`Put::Written`], nothing is
    /// written and the state does not change.
    fn put(&mut self, point: u32, dst: &mut [u8]) -> Put;

    /// Encodes a prefix of `src` into `dst`. Formats with a kernel override this.
    fn encode(&mut self, kernels: &Kernels, src: &[u32], dst: &mut [u8]) -> Encoded {
        let _ = kernels;
        encode_each(self, src, dst)
    }

    /// Ends the text: closes a run, writes pending code points. Returns how many bytes it wrote, or
    /// `None` if they do not fit.
    fn finish(&mut self, dst: &mut [u8]) -> Option<usize> {
        let _ = dst;
        Some(0)
    }

    /// The kernels for the rest of the output.
    fn side(&self) -> Side {
        Side::CodePoints
    }

    /// Converts a well-formed prefix of `src`, which is UTF-8, for [`Side::OwnKernel`]. Returns
    /// bytes read and written.
    fn encode_utf8(&mut self, kernels: &Kernels, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
        let _ = (kernels, src, dst);
        (0, 0)
    }

    /// The same for UTF-16 of this byte order, if there is a kernel for it. With `None`, nothing
    /// changes.
    fn encode_utf16(
        &mut self,
        kernels: &Kernels,
        from: Layout,
        src: &[u8],
        dst: &mut [u8],
    ) -> Option<(usize, usize)> {
        let _ = (kernels, from, src, dst);
        None
    }

    /// The number of bytes that [`encode_utf8`](Self::encode_utf8) would write for well-formed
    /// UTF-8.
    fn len_of_utf8(&mut self, kernels: &Kernels, src: &[u8]) -> Option<usize> {
        let _ = (kernels, src);
        None
    }

    /// Suppresses the BOM that the encoder would otherwise write.
    fn omit_bom(&mut self) {}
}

/// Where decoded text goes: to an [encoder](Encode), or to a check that writes nothing.
pub(crate) trait Sink: Clone {
    /// Accepts a prefix of `points`.
    fn accept(&mut self, kernels: &Kernels, points: &[u32], dst: &mut [u8]) -> Encoded;

    /// The kernels for the rest of the text.
    fn side(&self) -> Side {
        Side::CodePoints
    }

    /// Accepts a well-formed prefix of `text`, which is in this form: UTF-8 for
    /// [`Side::OwnKernel`], any for a check. Returns bytes read and written.
    fn accept_bytes(
        &mut self,
        kernels: &Kernels,
        layout: Layout,
        text: &[u8],
        dst: &mut [u8],
    ) -> (usize, usize) {
        let _ = dst;
        (kernels.prefix(layout, text), 0)
    }

    /// The same for UTF-16 of this byte order, if [`Side::OwnKernel`] has a kernel for it.
    fn accept_utf16(
        &mut self,
        kernels: &Kernels,
        from: Layout,
        text: &[u8],
        dst: &mut [u8],
    ) -> Option<(usize, usize)> {
        let _ = (kernels, from, text, dst);
        None
    }

    /// Accepts a code point that a policy inserts, as [`Encode::put`].
    fn insert(&mut self, point: u32, dst: &mut [u8]) -> Put {
        let _ = (point, dst);
        Put::Written(0)
    }

    /// Ends the text, as [`Encode::finish`].
    fn finish(&mut self, dst: &mut [u8]) -> Option<usize> {
        let _ = dst;
        Some(0)
    }

    /// The text begins with a BOM, so none is to be added.
    fn omit_bom(&mut self) {}
}

impl<E: Encode> Sink for E {
    fn accept(&mut self, kernels: &Kernels, points: &[u32], dst: &mut [u8]) -> Encoded {
        self.encode(kernels, points, dst)
    }

    fn side(&self) -> Side {
        Encode::side(self)
    }

    fn accept_bytes(
        &mut self,
        kernels: &Kernels,
        _: Layout,
        text: &[u8],
        dst: &mut [u8],
    ) -> (usize, usize) {
        self.encode_utf8(kernels, text, dst)
    }

    fn accept_utf16(
        &mut self,
        kernels: &Kernels,
        from: Layout,
        text: &[u8],
        dst: &mut [u8],
    ) -> Option<(usize, usize)> {
        self.encode_utf16(kernels, from, text, dst)
    }

    fn insert(&mut self, point: u32, dst: &mut [u8]) -> Put {
        self.put(point, dst)
    }

    fn finish(&mut self, dst: &mut [u8]) -> Option<usize> {
        Encode::finish(self, dst)
    }

    fn omit_bom(&mut self) {
        Encode::omit_bom(self);
    }
}

/// The result of [`Encode::put`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Put {
    /// This many bytes were written; 0 if the encoder holds the code point back.
    Written(usize),
    /// The output has no space.
    Full,
    /// The encoding lacks this code point.
    Unencodable,
}

/// The result of [`Encode::encode`] and [`Sink::accept`]: code points read, bytes written. `read` does not include the
/// code point that stopped it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Encoded {
    pub(crate) read: usize,
    pub(crate) written: usize,
    pub(crate) stop: EncodeStop,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EncodeStop {
    /// All input was read.
    Input,
    /// The output has no space for the next code point.
    Output,
    /// The encoding lacks the next code point.
    Unencodable,
}

/// Encodes one code point after another.
#[cfg_attr(utfall_speed, optimize(speed))]
pub(crate) fn encode_each<E: Encode>(encoder: &mut E, src: &[u32], dst: &mut [u8]) -> Encoded {
    let (mut read, mut written) = (0, 0);
    let stop = loop {
        let Some(&point) = src.get(read) else { break EncodeStop::Input };
        match encoder.put(point, &mut dst[written..]) {
            Put::Written(bytes) => {
                read += 1;
                written += bytes;
            }
            Put::Full => break EncodeStop::Output,
            Put::Unencodable => break EncodeStop::Unencodable,
        }
    };
    Encoded { read, written, stop }
}
