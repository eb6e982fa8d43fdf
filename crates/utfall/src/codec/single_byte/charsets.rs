//! The single-byte charsets of WHATWG: names, labels, properties.

use super::{Decoder, Encoder, tables};
use crate::Options;
use crate::charset::Charset;
use crate::codec::Codec;
use crate::info::{BoundaryRule, Family, Info, Origin, SplitPoint};
use crate::repertoire::Repertoire;
use crate::route::Side;
#[cfg(not(all(target_arch = "wasm32", target_os = "unknown", feature = "std")))]
use utfall_simd::single_byte::Page;
use utfall_simd::single_byte::{Entries, Inverse, Table};

const SINGLE_BYTE: Info = Info {
    iana: true,
    specification: "WHATWG Encoding §9",
    origin: Origin::Whatwg,
    boundaries: Some(BoundaryRule {
        clause: "WHATWG Encoding §9.1: each byte is a character, or an error",
        is_boundary: |_, _| true,
    }),
    ascii_transparent: true,
    split_point: SplitPoint::Character,
    repertoire: Repertoire::Table,
    clause: |_| "WHATWG Encoding §9.1: no entry in the index of this encoding",
    ..Info::of(Family::SingleByte)
};

/// A codec: its type, and its code points in `tables`.
macro_rules! charset {
    ($name:ident, $units:ident, $info:expr) => {
        pub(crate) struct $name;

        impl $name {
            const TABLE: &'static Table = table!(tables::$units, &[]);
        }

        impl Codec for $name {
            const INFO: Info =
                Info { side: Side::Charset(Charset::SingleByte(Self::TABLE)), ..$info };
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

charset! { Ibm866, IBM866, Info {
    name: "IBM866",
    aliases: &["866", "cp866", "csibm866"],
    ..SINGLE_BYTE
} }
charset! { Iso8859_2, ISO_8859_2, Info {
    name: "ISO-8859-2",
    aliases: &[
        "csisolatin2", "iso-ir-101", "iso8859-2", "iso88592", "iso_8859-2", "iso_8859-2:1987",
        "l2", "latin2",
    ],
    ..SINGLE_BYTE
} }
charset! { Iso8859_3, ISO_8859_3, Info {
    name: "ISO-8859-3",
    aliases: &[
        "csisolatin3", "iso-ir-109", "iso8859-3", "iso88593", "iso_8859-3", "iso_8859-3:1988",
        "l3", "latin3",
    ],
    ..SINGLE_BYTE
} }
charset! { Iso8859_4, ISO_8859_4, Info {
    name: "ISO-8859-4",
    aliases: &[
        "csisolatin4", "iso-ir-110", "iso8859-4", "iso88594", "iso_8859-4", "iso_8859-4:1988",
        "l4", "latin4",
    ],
    ..SINGLE_BYTE
} }
charset! { Iso8859_5, ISO_8859_5, Info {
    name: "ISO-8859-5",
    aliases: &[
        "csisolatincyrillic", "cyrillic", "iso-ir-144", "iso8859-5", "iso88595", "iso_8859-5",
        "iso_8859-5:1988",
    ],
    ..SINGLE_BYTE
} }
charset! { Iso8859_6, ISO_8859_6, Info {
    name: "ISO-8859-6",
    aliases: &[
        "arabic", "asmo-708", "csiso88596e", "csiso88596i", "csisolatinarabic", "ecma-114",
        "iso-8859-6-e", "iso-8859-6-i", "iso-ir-127", "iso8859-6", "iso88596", "iso_8859-6",
        "iso_8859-6:1987",
    ],
    ..SINGLE_BYTE
} }
charset! { Iso8859_7, ISO_8859_7, Info {
    name: "ISO-8859-7",
    aliases: &[
        "csisolatingreek", "ecma-118", "elot_928", "greek", "greek8", "iso-ir-126", "iso8859-7",
        "iso88597", "iso_8859-7", "iso_8859-7:1987", "sun_eu_greek",
    ],
    ..SINGLE_BYTE
} }
charset! { Iso8859_8, ISO_8859_8, Info {
    name: "ISO-8859-8",
    aliases: &[
        "csiso88598e", "csisolatinhebrew", "hebrew", "iso-8859-8-e", "iso-ir-138", "iso8859-8",
        "iso88598", "iso_8859-8", "iso_8859-8:1988", "visual",
    ],
    ..SINGLE_BYTE
} }
charset! { Iso8859_8I, ISO_8859_8, Info {
    name: "ISO-8859-8-I",
    aliases: &["csiso88598i", "logical"],
    ..SINGLE_BYTE
} }
charset! { Iso8859_10, ISO_8859_10, Info {
    name: "ISO-8859-10",
    aliases: &["csisolatin6", "iso-ir-157", "iso8859-10", "iso885910", "l6", "latin6"],
    ..SINGLE_BYTE
} }
charset! { Iso8859_13, ISO_8859_13, Info {
    name: "ISO-8859-13",
    aliases: &["iso8859-13", "iso885913"],
    ..SINGLE_BYTE
} }
charset! { Iso8859_14, ISO_8859_14, Info {
    name: "ISO-8859-14",
    aliases: &["iso8859-14", "iso885914"],
    ..SINGLE_BYTE
} }
charset! { Iso8859_15, ISO_8859_15, Info {
    name: "ISO-8859-15",
    aliases: &["csisolatin9", "iso8859-15", "iso885915", "iso_8859-15", "l9"],
    ..SINGLE_BYTE
} }
charset! { Iso8859_16, ISO_8859_16, Info { name: "ISO-8859-16", ..SINGLE_BYTE } }
charset! { Koi8R, KOI8_R, Info {
    name: "KOI8-R",
    aliases: &["cskoi8r", "koi", "koi8", "koi8_r"],
    ..SINGLE_BYTE
} }
charset! { Koi8U, KOI8_U, Info { name: "KOI8-U", aliases: &["koi8-ru"], ..SINGLE_BYTE } }
charset! { Macintosh, MACINTOSH, Info {
    name: "macintosh",
    aliases: &["csmacintosh", "mac", "x-mac-roman"],
    ..SINGLE_BYTE
} }
charset! { Windows874, WINDOWS_874, Info {
    name: "windows-874",
    aliases: &["dos-874", "iso-8859-11", "iso8859-11", "iso885911", "tis-620"],
    ..SINGLE_BYTE
} }
charset! { Windows1250, WINDOWS_1250, Info {
    name: "windows-1250",
    aliases: &["cp1250", "x-cp1250"],
    ..SINGLE_BYTE
} }
charset! { Windows1251, WINDOWS_1251, Info {
    name: "windows-1251",
    aliases: &["cp1251", "x-cp1251"],
    ..SINGLE_BYTE
} }
charset! { Windows1252, WINDOWS_1252, Info {
    name: "windows-1252",
    aliases: &["cp1252", "x-cp1252"],
    ..SINGLE_BYTE
} }
charset! { Windows1253, WINDOWS_1253, Info {
    name: "windows-1253",
    aliases: &["cp1253", "x-cp1253"],
    ..SINGLE_BYTE
} }
charset! { Windows1254, WINDOWS_1254, Info {
    name: "windows-1254",
    aliases: &[
        "cp1254", "csisolatin5", "iso-8859-9", "iso-ir-148", "iso8859-9", "iso88599",
        "iso_8859-9", "iso_8859-9:1989", "l5", "latin5", "x-cp1254",
    ],
    ..SINGLE_BYTE
} }
charset! { Windows1255, WINDOWS_1255, Info {
    name: "windows-1255",
    aliases: &["cp1255", "x-cp1255"],
    ..SINGLE_BYTE
} }
charset! { Windows1256, WINDOWS_1256, Info {
    name: "windows-1256",
    aliases: &["cp1256", "x-cp1256"],
    ..SINGLE_BYTE
} }
charset! { Windows1257, WINDOWS_1257, Info {
    name: "windows-1257",
    aliases: &["cp1257", "x-cp1257"],
    ..SINGLE_BYTE
} }
charset! { Windows1258, WINDOWS_1258, Info {
    name: "windows-1258",
    aliases: &["cp1258", "x-cp1258"],
    ..SINGLE_BYTE
} }
charset! { MacCyrillic, X_MAC_CYRILLIC, Info {
    name: "x-mac-cyrillic",
    aliases: &["x-mac-ukrainian"],
    iana: false,
    ..SINGLE_BYTE
} }
charset! { UserDefined, X_USER_DEFINED, Info {
    name: "x-user-defined",
    iana: false, specification: "WHATWG Encoding §14.5",
    ..SINGLE_BYTE
} }
