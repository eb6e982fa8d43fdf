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
            const TABLE: &'static Table = table!($name, tables::$units, &[]);
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
        "csisolatin2", "iso-ir-101", "iso8859-2", "iso88592", "iso_8859-2", "iso_8859-2:1987", "l2",
        "latin2", "8859_2", "osf00010002", "ibm912", "cp912",
    ],
    of_web: 8,
    ..SINGLE_BYTE
} }
charset! { Iso8859_3, ISO_8859_3, Info {
    name: "ISO-8859-3",
    aliases: &[
        "csisolatin3", "iso-ir-109", "iso8859-3", "iso88593", "iso_8859-3", "iso_8859-3:1988", "l3",
        "latin3", "8859_3", "osf00010003",
    ],
    of_web: 8,
    ..SINGLE_BYTE
} }
charset! { Iso8859_4, ISO_8859_4, Info {
    name: "ISO-8859-4",
    aliases: &[
        "csisolatin4", "iso-ir-110", "iso8859-4", "iso88594", "iso_8859-4", "iso_8859-4:1988", "l4",
        "latin4", "8859_4", "osf00010004",
    ],
    of_web: 8,
    ..SINGLE_BYTE
} }
charset! { Iso8859_5, ISO_8859_5, Info {
    name: "ISO-8859-5",
    aliases: &[
        "csisolatincyrillic", "cyrillic", "iso-ir-144", "iso8859-5", "iso88595", "iso_8859-5",
        "iso_8859-5:1988", "8859_5", "osf00010005", "ibm915", "cp915",
    ],
    of_web: 7,
    ..SINGLE_BYTE
} }
charset! { Iso8859_6, ISO_8859_6, Info {
    name: "ISO-8859-6",
    aliases: &[
        "arabic", "asmo-708", "csiso88596e", "csiso88596i", "csisolatinarabic", "ecma-114",
        "iso-8859-6-e", "iso-8859-6-i", "iso-ir-127", "iso8859-6", "iso88596", "iso_8859-6",
        "iso_8859-6:1987", "8859_6", "osf00010006", "ibm1089", "cp1089",
    ],
    of_web: 13,
    ..SINGLE_BYTE
} }
charset! { Iso8859_7, ISO_8859_7, Info {
    name: "ISO-8859-7",
    aliases: &[
        "csisolatingreek", "ecma-118", "elot_928", "greek", "greek8", "iso-ir-126", "iso8859-7",
        "iso88597", "iso_8859-7", "iso_8859-7:1987", "sun_eu_greek", "iso_8859-7:2003", "8859_7",
        "osf00010007", "ibm813", "cp813",
    ],
    of_web: 11,
    ..SINGLE_BYTE
} }
charset! { Iso8859_8, ISO_8859_8, Info {
    name: "ISO-8859-8",
    aliases: &[
        "csiso88598e", "csisolatinhebrew", "hebrew", "iso-8859-8-e", "iso-ir-138", "iso8859-8",
        "iso88598", "iso_8859-8", "iso_8859-8:1988", "visual", "8859_8", "osf00010008", "ibm916",
        "cp916",
    ],
    of_web: 10,
    ..SINGLE_BYTE
} }
charset! { Iso8859_8I, ISO_8859_8, Info {
    name: "ISO-8859-8-I",
    aliases: &["csiso88598i", "logical"],
    ..SINGLE_BYTE
} }
charset! { Iso8859_10, ISO_8859_10, Info {
    name: "ISO-8859-10",
    aliases: &[
        "csisolatin6", "iso-ir-157", "iso8859-10", "iso885910", "l6", "latin6", "iso_8859-10:1992",
        "osf0001000a",
    ],
    of_web: 6,
    ..SINGLE_BYTE
} }
charset! { Iso8859_13, ISO_8859_13, Info {
    name: "ISO-8859-13",
    aliases: &[
        "iso8859-13", "iso885913", "ibm921", "cp921", "csibm921", "iso-ir-179", "latin7", "l7",
        "baltic", "csiso885913",
    ],
    of_web: 2,
    ..SINGLE_BYTE
} }
charset! { Iso8859_14, ISO_8859_14, Info {
    name: "ISO-8859-14",
    aliases: &[
        "iso8859-14", "iso885914", "iso-ir-199", "latin8", "l8", "iso_8859-14:1998", "iso-celtic",
        "csiso885914",
    ],
    of_web: 2,
    ..SINGLE_BYTE
} }
charset! { Iso8859_15, ISO_8859_15, Info {
    name: "ISO-8859-15",
    aliases: &[
        "csisolatin9", "iso8859-15", "iso885915", "iso_8859-15", "l9", "iso-ir-203", "latin-9",
        "iso_8859-15:1998", "csiso885915",
    ],
    of_web: 5,
    ..SINGLE_BYTE
} }
charset! { Iso8859_16, ISO_8859_16, Info {
    name: "ISO-8859-16",
    aliases: &["iso-ir-226", "latin10", "l10", "iso_8859-16:2001", "csiso885916"],
    of_web: 0,
    ..SINGLE_BYTE
} }
charset! { Koi8R, KOI8_R, Info {
    name: "KOI8-R",
    aliases: &["cskoi8r", "koi", "koi8", "koi8_r"],
    ..SINGLE_BYTE
} }
charset! { Koi8U, KOI8_U, Info {
    name: "KOI8-U",
    aliases: &["koi8-ru", "cskoi8u"],
    of_web: 1,
    ..SINGLE_BYTE
} }
charset! { Macintosh, MACINTOSH, Info {
    name: "macintosh",
    aliases: &["csmacintosh", "mac", "x-mac-roman"],
    ..SINGLE_BYTE
} }
charset! { Windows874, WINDOWS_874, Info {
    name: "windows-874",
    aliases: &[
        "dos-874", "iso-8859-11", "iso8859-11", "iso885911", "tis-620", "ibm1162", "cp1162",
        "csibm11621162", "cswindows874", "cstis620",
    ],
    of_web: 5,
    ..SINGLE_BYTE
} }
charset! { Windows1250, WINDOWS_1250, Info {
    name: "windows-1250",
    aliases: &["cp1250", "x-cp1250", "cswindows1250"],
    of_web: 2,
    ..SINGLE_BYTE
} }
charset! { Windows1251, WINDOWS_1251, Info {
    name: "windows-1251",
    aliases: &["cp1251", "x-cp1251", "ibm5347", "cp5347", "csibm5347", "cswindows1251"],
    of_web: 2,
    ..SINGLE_BYTE
} }
charset! { Windows1252, WINDOWS_1252, Info {
    name: "windows-1252",
    aliases: &["cp1252", "x-cp1252", "cswindows1252"],
    of_web: 2,
    ..SINGLE_BYTE
} }
charset! { Windows1253, WINDOWS_1253, Info {
    name: "windows-1253",
    aliases: &["cp1253", "x-cp1253", "cswindows1253"],
    of_web: 2,
    ..SINGLE_BYTE
} }
charset! { Windows1254, WINDOWS_1254, Info {
    name: "windows-1254",
    aliases: &[
        "cp1254", "csisolatin5", "iso-8859-9", "iso-ir-148", "iso8859-9", "iso88599", "iso_8859-9",
        "iso_8859-9:1989", "l5", "latin5", "x-cp1254", "cswindows1254",
    ],
    of_web: 11,
    ..SINGLE_BYTE
} }
charset! { Windows1255, WINDOWS_1255, Info {
    name: "windows-1255",
    aliases: &["cp1255", "x-cp1255", "ms-hebr", "cswindows1255"],
    of_web: 2,
    ..SINGLE_BYTE
} }
charset! { Windows1256, WINDOWS_1256, Info {
    name: "windows-1256",
    aliases: &["cp1256", "x-cp1256", "ms-arab", "cswindows1256"],
    of_web: 2,
    ..SINGLE_BYTE
} }
charset! { Windows1257, WINDOWS_1257, Info {
    name: "windows-1257",
    aliases: &["cp1257", "x-cp1257", "cswindows1257"],
    of_web: 2,
    ..SINGLE_BYTE
} }
charset! { Windows1258, WINDOWS_1258, Info {
    name: "windows-1258",
    aliases: &["cp1258", "x-cp1258", "cswindows1258"],
    of_web: 2,
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
