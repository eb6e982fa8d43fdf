//! ISO 8859-1 with the C0 and C1 controls: byte NN is code point NN.
//!
//! WHATWG assigns the label `iso-8859-1` to windows-1252. Here it has IANA's meaning; use
//! `windows-1252` (feature `legacy`) for the other.

use utfall_simd::{Kernels, Layout};

use super::shared::kernel;
use super::{Codec, Decode, Decoded, Encode, Encoded, Next, Put};
use crate::Options;
use crate::info::{BoundaryRule, Family, Info, SplitPoint};
use crate::repertoire::Repertoire;
use crate::route::Side;

pub(crate) struct Iso8859_1;

impl Codec for Iso8859_1 {
    const INFO: Info = Info {
        name: "ISO-8859-1",
        iana: true,
        aliases: &[
            "ISO_8859-1:1987",
            "ISO_8859-1",
            "iso-ir-100",
            "latin1",
            "l1",
            "IBM819",
            "CP819",
            "csISOLatin1",
            "8859_1",
            "osf00010001",
        ],
        specification: "ISO/IEC 8859-1:1998",
        boundaries: Some(BoundaryRule {
            clause: "ISO/IEC 8859-1: a character is one byte",
            is_boundary: |_, _| true,
        }),
        ascii_transparent: true,
        split_point: SplitPoint::Character,
        code_point_order: Some("ISO/IEC 8859-1: the code of a character is its code point"),
        repertoire: Repertoire::Latin1,
        side: Side::Plain(Layout::Latin1),
        clause: |_| "ISO/IEC 8859-1: 256 characters, 00 to FF",
        ..Info::of(Family::SingleByte)
    };
    type Decoder = Latin1;
    type Encoder = Latin1;

    fn decoder(_: &Options) -> Latin1 {
        Latin1
    }

    fn encoder(_: &Options) -> Latin1 {
        Latin1
    }
}

/// Both decoder and encoder.
#[derive(Clone)]
pub(crate) struct Latin1;

impl Decode for Latin1 {
    fn next(&mut self, src: &[u8], _: bool) -> Next {
        src.first().map_or(Next::End, |o| Next::Point { point: u32::from(*o), length: 1 })
    }

    fn decode(&mut self, kernels: &Kernels, src: &[u8], dst: &mut [u32], last: bool) -> Decoded {
        kernel::decode(self, kernels, Layout::Latin1, src, dst, last)
    }

    fn side(&self) -> Side {
        Side::Plain(Layout::Latin1)
    }
}

impl Encode for Latin1 {
    fn put(&mut self, point: u32, dst: &mut [u8]) -> Put {
        let Ok(value) = u8::try_from(point) else { return Put::Unencodable };
        let Some(byte) = dst.first_mut() else { return Put::Full };
        *byte = value;
        Put::Written(1)
    }

    fn encode(&mut self, kernels: &Kernels, src: &[u32], dst: &mut [u8]) -> Encoded {
        kernel::encode(self, kernels, Layout::Latin1, src, dst)
    }

    fn side(&self) -> Side {
        Side::Plain(Layout::Latin1)
    }
}
