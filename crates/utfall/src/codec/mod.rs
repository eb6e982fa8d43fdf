//! The formats, one file each, and the two traits they implement.
//!
//! A file holds everything about its format: its `INFO`, a decoder, an encoder. Decoders
//! and encoders are small `Clone` structs without borrowed data. Both see whole
//! sequences only: what the input cuts in two is joined again in `pivot.rs`, so that no
//! codec needs code for it.

pub(crate) mod ascii;
pub(crate) mod bocu1;
pub(crate) mod cesu8;
pub(crate) mod imap_utf7;
#[cfg(feature = "legacy")]
pub(crate) mod iso_2022_jp;
pub(crate) mod latin1;
#[cfg(feature = "legacy")]
pub(crate) mod legacy;
pub(crate) mod mutf8;
#[cfg(test)]
mod round_trip;
pub(crate) mod scsu;
mod shared;
#[cfg(test)]
mod testing;
pub(crate) mod units;
pub(crate) mod utf1;
pub(crate) mod utf16;
pub(crate) mod utf32;
pub(crate) mod utf7;
pub(crate) mod utf8;
pub(crate) mod utf8_legacy;
pub(crate) mod utf_ebcdic;
pub(crate) mod wtf8;

use utfall_simd::{Form, Kernels};

use crate::info::Info;
use crate::{ErrorKind, Options, Utf7Leniences};

/// The longest incomplete sequence that any decoder leaves unread, in bytes.
pub(crate) const MAX_INCOMPLETE: usize = 15;

/// Ties a row of the registry to its decoder and encoder.
pub(crate) trait Codec {
    const INFO: Info;
    type Decoder: Decode;
    type Encoder: Encode;
    fn decoder(options: &Options) -> Self::Decoder;
    fn encoder(options: &Options) -> Self::Encoder;
}

/// Bytes to code points.
pub(crate) trait Decode: Clone {
    /// What stands at the start of `src`. If `last`, no more input follows it.
    fn next(&mut self, src: &[u8], last: bool) -> Next;

    /// Decodes a prefix of `src` into `dst`. Formats with a kernel override this.
    fn decode(&mut self, src: &[u8], dst: &mut [u32], last: bool) -> Decoded {
        decode_each(self, src, dst, last)
    }

    /// If what follows is plain text of a form that kernels know, that form.
    fn form(&self) -> Option<Form> {
        None
    }

    /// Converts a sound prefix of `src` to UTF-8, and goes on behind it, where a kernel of the
    /// format does that. Returns bytes read and written.
    fn decode_to_utf8(
        &mut self,
        kernels: &Kernels,
        src: &[u8],
        dst: &mut [u8],
    ) -> Option<(usize, usize)> {
        let _ = (kernels, src, dst);
        None
    }

    /// Whether the decoder takes a byte order mark at the start for itself.
    fn removes_bom(&self) -> bool {
        false
    }
}

/// What a decoder finds at the start of its input. Lengths are bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Next {
    /// A code point.
    Point { point: u32, length: usize },
    /// Bytes that stand for nothing themselves: a tag, a shift, a mark.
    Skip { length: usize },
    /// An ill-formed sequence.
    Ill(Ill),
    /// Nothing, or the beginning of a sequence that needs more bytes. Never the latter if
    /// `last`.
    End,
}

/// An ill-formed sequence. The decoder reads `consumed` bytes for it; it begins `back`
/// bytes before the end of those, and is `length` bytes long. In most formats the three
/// are equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ill {
    pub(crate) kind: ErrorKind,
    pub(crate) consumed: usize,
    pub(crate) back: usize,
    pub(crate) length: usize,
    /// In a shifted run, where: see [`Error::run_bit`](crate::Error::run_bit).
    pub(crate) run_bit: Option<u8>,
    /// If it is to pass all the same.
    pub(crate) pass: Option<Pass>,
}

/// What lets an ill-formed sequence pass, and what it stands for then, if for anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Pass {
    pub(crate) by: Utf7Leniences,
    pub(crate) point: Option<u32>,
}

impl Ill {
    /// The next `length` bytes.
    pub(crate) fn new(kind: ErrorKind, length: usize) -> Self {
        Self { kind, consumed: length, back: length, length, run_bit: None, pass: None }
    }

    /// The same, passing as `point` if `allowed` has all of `by`.
    pub(crate) fn passing(
        self,
        allowed: Utf7Leniences,
        by: Utf7Leniences,
        point: impl Into<Option<u32>>,
    ) -> Self {
        let pass = Pass { by, point: point.into() };
        Self { pass: allowed.contains(by).then_some(pass), ..self }
    }
}

impl Next {
    /// An ill-formed sequence of the next `length` bytes.
    pub(crate) fn ill(kind: ErrorKind, length: usize) -> Self {
        Self::Ill(Ill::new(kind, length))
    }
}

/// The outcome of [`Decode::decode`]: bytes read, code points written. `read` counts the
/// bytes consumed for an ill-formed sequence too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Decoded {
    pub(crate) read: usize,
    pub(crate) written: usize,
    pub(crate) stop: DecodeStop,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DecodeStop {
    /// The input is used up, but for an incomplete sequence of at most [`MAX_INCOMPLETE`]
    /// bytes at its end.
    Input,
    /// The output is full.
    Output,
    /// An ill-formed sequence. The output had room for one more code point.
    Ill(Ill),
}

/// Decodes one sequence after another.
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

/// Code points to bytes.
pub(crate) trait Encode: Clone {
    /// Writes `point` to the start of `dst`. Nothing is written and nothing changes
    /// unless the answer is [`Put::Written`].
    fn put(&mut self, point: u32, dst: &mut [u8]) -> Put;

    /// Encodes a prefix of `src` into `dst`. Formats with a kernel override this.
    fn encode(&mut self, src: &[u32], dst: &mut [u8]) -> Encoded {
        encode_each(self, src, dst)
    }

    /// Ends the text: closes a run, writes what was held back. Returns how many bytes that
    /// took, or `None` if there is no room for them.
    fn finish(&mut self, dst: &mut [u8]) -> Option<usize> {
        let _ = dst;
        Some(0)
    }

    /// If what follows is plain text of a form that kernels know, that form.
    fn form(&self) -> Option<Form> {
        None
    }

    /// Converts a sound prefix of `src`, which is UTF-8, where a kernel of the format does that.
    /// Returns bytes read and written.
    fn encode_utf8(
        &mut self,
        kernels: &Kernels,
        src: &[u8],
        dst: &mut [u8],
    ) -> Option<(usize, usize)> {
        let _ = (kernels, src, dst);
        None
    }

    /// Bytes that [`encode_utf8`](Self::encode_utf8) makes of all of well-formed UTF-8.
    fn len_of_utf8(&mut self, kernels: &Kernels, src: &[u8]) -> Option<usize> {
        let _ = (kernels, src);
        None
    }

    /// Whether it takes everything and writes nothing.
    fn discards(&self) -> bool {
        false
    }

    /// Whether it wants to be given all that it takes: code points, or bytes of a form.
    fn looks(&self) -> bool {
        false
    }

    /// Takes a sound prefix of `src`, if it [discards](Self::discards) what it takes. Returns its
    /// length.
    fn discard(&mut self, kernels: &Kernels, form: Form, src: &[u8]) -> usize {
        kernels.prefix(form, src)
    }

    /// Makes an encoder that writes a byte order mark of its own accord write none.
    fn omit_bom(&mut self) {}
}

/// The outcome of [`Encode::put`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Put {
    /// So many bytes were written. May be 0, if the encoder holds the code point back.
    Written(usize),
    /// There is no room.
    Full,
    /// The encoding lacks this code point.
    Unencodable,
}

/// The outcome of [`Encode::encode`]: code points read, bytes written. `read` does not
/// count the code point that stopped it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Encoded {
    pub(crate) read: usize,
    pub(crate) written: usize,
    pub(crate) stop: EncodeStop,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EncodeStop {
    /// The input is used up.
    Input,
    /// There is no room for the next code point.
    Output,
    /// The encoding lacks the next code point.
    Unencodable,
}

/// Encodes one code point after another.
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
