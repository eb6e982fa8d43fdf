//! WHATWG's "replacement", for encodings that are too dangerous to read.

use super::{Codec, Decode, Encode, Next, Put};
use crate::info::{Family, Info, Origin};
use crate::repertoire::Repertoire;
use crate::{ErrorKind, Options};

/// Every text is one error.
pub(crate) struct Replacement;

impl Codec for Replacement {
    const INFO: Info = Info {
        name: "replacement",
        aliases: &["csiso2022kr", "hz-gb-2312", "iso-2022-cn", "iso-2022-cn-ext", "iso-2022-kr"],
        specification: "WHATWG Encoding §14.1",
        origin: Origin::Whatwg,
        stateful: true,
        repertoire: Repertoire::Table,
        clause: |kind| match kind {
            ErrorKind::Unencodable(_) => "WHATWG Encoding §14.1: it has no encoder",
            _ => "WHATWG Encoding §14.1: any text is one error",
        },
        ..Info::of(Family::MultiByte)
    };
    type Decoder = ReplacementDecoder;
    type Encoder = ReplacementEncoder;

    fn decoder(_: &Options) -> ReplacementDecoder {
        ReplacementDecoder { reported: false }
    }

    fn encoder(_: &Options) -> ReplacementEncoder {
        ReplacementEncoder
    }
}

#[derive(Clone)]
pub(crate) struct ReplacementDecoder {
    /// Whether the one error has been reported.
    reported: bool,
}

impl Decode for ReplacementDecoder {
    fn next(&mut self, src: &[u8], _: bool) -> Next {
        match src.len() {
            0 => Next::End,
            _ if !core::mem::replace(&mut self.reported, true) => {
                Next::ill(ErrorKind::Undefined, 1)
            }
            length => Next::Skip { length },
        }
    }
}

#[derive(Clone)]
pub(crate) struct ReplacementEncoder;

impl Encode for ReplacementEncoder {
    fn put(&mut self, _: u32, _: &mut [u8]) -> Put {
        Put::Unencodable
    }
}

#[cfg(test)]
mod tests {
    use crate::Encoding::Replacement;
    use crate::codec::testing::{Item, check_decoding, check_encoding};

    #[test]
    fn replacement_is_one_error() {
        check_decoding(Replacement, b"", &[]);
        check_decoding(Replacement, b"any text", &[Item::Ill(0, 1)]);
        check_encoding(Replacement, &[0x41], Err(0));
    }
}
