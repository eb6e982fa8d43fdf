//! The charsets of Unicode 1.1: a format, and code points with other numbers than today's.

use core::marker::PhantomData;

use utfall_simd::Kernels;

use super::{
    Codec, Decode, DecodeStop, Decoded, Encode, EncodeStop, Encoded, Ill, Next, Pass, Put,
};
use crate::Options;
use crate::info::Info;
use crate::repertoire::{Repertoire, hangul};
use crate::route::Side;

/// The format `C` for text of Unicode 1.1.
pub(crate) struct Renumbered<C>(PhantomData<C>);

impl<C: Codec> Codec for Renumbered<C> {
    /// Kernels would not change the numbers.
    const INFO: Info =
        Info { repertoire: Repertoire::Unicode11, side: Side::CodePoints, ..C::INFO };
    type Decoder = Decoder<C::Decoder>;
    type Encoder = Encoder<C::Encoder>;

    fn decoder(options: &Options) -> Self::Decoder {
        Decoder { format: C::decoder(options), old: None }
    }

    fn encoder(options: &Options) -> Self::Encoder {
        Encoder { format: C::encoder(options) }
    }
}

#[derive(Clone)]
pub(crate) struct Decoder<D> {
    format: D,
    /// The number in Unicode 1.1 of the code point that `next` returned last, if it has changed.
    old: Option<u32>,
}

impl<D> Decoder<D> {
    pub(crate) fn format(&self) -> &D {
        &self.format
    }

    pub(crate) fn old(&self) -> Option<u32> {
        self.old
    }
}

impl<D: Decode> Decode for Decoder<D> {
    fn next(&mut self, src: &[u8], last: bool) -> Next {
        self.old = None;
        match self.format.next(src, last) {
            Next::Point { point: old, length } => {
                let point = hangul::from_1_1(old);
                self.old = (point != old).then_some(old);
                Next::Point { point, length }
            }
            Next::Ill(ill) => Next::Ill(renumbered(ill)),
            next => next,
        }
    }

    fn decode(&mut self, kernels: &Kernels, src: &[u8], dst: &mut [u32], last: bool) -> Decoded {
        let decoded = self.format.decode(kernels, src, dst, last);
        for point in &mut dst[..decoded.written] {
            *point = hangul::from_1_1(*point);
        }
        let stop = match decoded.stop {
            DecodeStop::Ill(ill) => DecodeStop::Ill(renumbered(ill)),
            stop => stop,
        };
        Decoded { stop, ..decoded }
    }

    fn is_little(&self) -> Option<bool> {
        self.format.is_little()
    }

    fn removes_bom(&self) -> bool {
        self.format.removes_bom()
    }
}

/// An ill-formed sequence may be accepted as a code point.
fn renumbered(ill: Ill) -> Ill {
    let pass = |pass: Pass| Pass { point: pass.point.map(hangul::from_1_1), ..pass };
    Ill { pass: ill.pass.map(pass), ..ill }
}

#[derive(Clone)]
pub(crate) struct Encoder<E> {
    format: E,
}

impl<E: Encode> Encode for Encoder<E> {
    fn put(&mut self, point: u32, dst: &mut [u8]) -> Put {
        hangul::to_1_1(point).map_or(Put::Unencodable, |old| self.format.put(old, dst))
    }

    fn encode(&mut self, kernels: &Kernels, src: &[u32], dst: &mut [u8]) -> Encoded {
        /// Code points to renumber at once.
        const PIECE: usize = 64;
        let (mut read, mut written) = (0, 0);
        for piece in src.chunks(PIECE) {
            let mut old = [0; PIECE];
            let mut count = 0;
            for point in piece.iter().map_while(|point| hangul::to_1_1(*point)) {
                old[count] = point;
                count += 1;
            }
            let encoded = self.format.encode(kernels, &old[..count], &mut dst[written..]);
            read += encoded.read;
            written += encoded.written;
            let stop = match encoded.stop {
                EncodeStop::Input if count < piece.len() => EncodeStop::Unencodable,
                stop => stop,
            };
            if stop != EncodeStop::Input {
                return Encoded { read, written, stop };
            }
        }
        Encoded { read, written, stop: EncodeStop::Input }
    }

    fn finish(&mut self, dst: &mut [u8]) -> Option<usize> {
        self.format.finish(dst)
    }

    fn omit_bom(&mut self) {
        self.format.omit_bom();
    }
}
