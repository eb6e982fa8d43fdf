//! The charsets: names, labels, properties.

use super::{Decoder, Encoder};
use crate::codec::Codec;
use crate::info::{Family, Info, SplitPoint};
use crate::repertoire::Repertoire;
use crate::{ErrorKind, Options};

const SINGLE_BYTE: Info = Info {
    iana: true,
    family: Family::SingleByte,
    specification: "WHATWG Encoding §9",
    is_boundary: Some(|_, _| true),
    ascii_transparent: true,
    split_point: SplitPoint::Character,
    repertoire: Repertoire::Table,
    clause: |_| "WHATWG Encoding §9.1: no entry in the index of this encoding",
    ..Info::BASE
};

const MULTI_BYTE: Info = Info {
    family: Family::MultiByte,
    is_boundary: None,
    ascii_transparent: false,
    // A line end is never a trail byte, and never part of an ill-formed sequence.
    split_point: SplitPoint::Line,
    clause: |kind| match kind {
        ErrorKind::Truncated => "WHATWG Encoding §10 to §13: a lead byte at the end of the input",
        ErrorKind::MissingTrail => {
            "WHATWG Encoding §10 to §13: no trail byte, or none with an entry in the index"
        }
        _ => "WHATWG Encoding §5: no entry in the index of this encoding",
    },
    ..SINGLE_BYTE
};

/// A codec: its type, and its name in `encoding_rs`.
macro_rules! charset {
    ($name:ident, $charset:ident, $info:expr) => {
        pub(crate) struct $name;

        impl Codec for $name {
            const INFO: Info = $info;
            type Decoder = Decoder;
            type Encoder = Encoder;

            fn decoder(_: &Options) -> Decoder {
                Decoder { charset: encoding_rs::$charset, second: None }
            }

            fn encoder(_: &Options) -> Encoder {
                Encoder { charset: encoding_rs::$charset }
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
charset! { Iso8859_8I, ISO_8859_8_I, Info {
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
charset! { Gbk, GBK, Info {
    name: "GBK",
    aliases: &[
        "chinese", "csgb2312", "csiso58gb231280", "gb2312", "gb_2312", "gb_2312-80", "iso-ir-58",
        "x-gbk",
    ],
    specification: "WHATWG Encoding §10.1",
    ..MULTI_BYTE
} }
charset! { Gb18030, GB18030, Info {
    name: "GB18030",
    specification: "WHATWG Encoding §10.2",
    ..MULTI_BYTE
} }
charset! { Big5, BIG5, Info {
    name: "Big5",
    aliases: &["big5-hkscs", "cn-big5", "csbig5", "x-x-big5"],
    specification: "WHATWG Encoding §11.1",
    ..MULTI_BYTE
} }
charset! { EucJp, EUC_JP, Info {
    name: "EUC-JP",
    aliases: &["cseucpkdfmtjapanese", "x-euc-jp"],
    specification: "WHATWG Encoding §12.1", ascii_transparent: true,
    ..MULTI_BYTE
} }
charset! { ShiftJis, SHIFT_JIS, Info {
    name: "Shift_JIS",
    aliases: &["csshiftjis", "ms932", "ms_kanji", "shift-jis", "sjis", "windows-31j", "x-sjis"],
    specification: "WHATWG Encoding §12.3",
    ..MULTI_BYTE
} }
charset! { EucKr, EUC_KR, Info {
    name: "EUC-KR",
    aliases: &[
        "cseuckr", "csksc56011987", "iso-ir-149", "korean", "ks_c_5601-1987", "ks_c_5601-1989",
        "ksc5601", "ksc_5601", "windows-949",
    ],
    specification: "WHATWG Encoding §13.1",
    ..MULTI_BYTE
} }
charset! { UserDefined, X_USER_DEFINED, Info {
    name: "x-user-defined",
    iana: false, specification: "WHATWG Encoding §14.5",
    ..SINGLE_BYTE
} }
