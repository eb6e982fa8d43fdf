//! Charsets of the classic Mac OS that neither the web nor glibc has: names, labels, properties.

#[cfg(not(all(target_arch = "wasm32", target_os = "unknown", feature = "std")))]
use utfall_simd::single_byte::Page;
use utfall_simd::single_byte::{Entries, Inverse, Table};

use super::{Decoder, Encoder, apple_tables as tables};
use crate::Options;
use crate::charset::Charset;
use crate::codec::Codec;
use crate::info::{BoundaryRule, Family, Info, Origin, SplitPoint};
use crate::repertoire::Repertoire;
use crate::route::Side;

/// A codec: its type, its code points, the name, labels.
macro_rules! charset {
    ($name:ident, $units:ident, $label:literal, $aliases:expr) => {
        pub(crate) struct $name;

        impl $name {
            const TABLE: &'static Table = table!($name, tables::$units, &[]);
        }

        impl Codec for $name {
            const INFO: Info = Info {
                name: $label,
                aliases: $aliases,
                specification: concat!("Apple's mapping file, ", $label),
                origin: Origin::Other,
                boundaries: Some(BoundaryRule {
                    clause: "Apple's mapping file: each byte is a character",
                    is_boundary: |_, _| true,
                }),
                ascii_transparent: true,
                split_point: SplitPoint::Character,
                repertoire: Repertoire::Table,
                shares_ascii: true,
                side: Side::Charset(Charset::SingleByte(Self::TABLE)),
                clause: |_| "Apple's mapping file: the charset lacks this character",
                ..Info::of(Family::SingleByte)
            };
            type Decoder = Decoder;
            type Encoder = Encoder;

            fn decoder(_: &Options) -> Decoder {
                Decoder(Self::TABLE)
            }

            fn encoder(_: &Options) -> Encoder {
                Encoder(Self::TABLE)
            }
        }
    };
}

charset! { MacCroatian, MAC_CROATIAN, "x-mac-croatian", &["MacCroatian", "cp10082"] }
charset! { MacGreek, MAC_GREEK, "x-mac-greek", &["MacGreek", "macgr", "cp10006"] }
charset! { MacIcelandic, MAC_ICELANDIC, "x-mac-icelandic", &["MacIcelandic", "MacIceland", "cp10079"] }
charset! { MacRomanian, MAC_ROMANIAN, "x-mac-romanian", &["MacRomanian", "MacRomania", "cp10010"] }
charset! { MacTurkish, MAC_TURKISH, "x-mac-turkish", &["MacTurkish", "mactr", "cp10081"] }
