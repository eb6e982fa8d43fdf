//! The name of each encoding for each peer, and the modes in which it can be asked.

use utfall::Encoding::{self, *};

use crate::answer::Mode;

/// Encoding, and its name in CPython, glibc, ICU and Perl; empty if they have none, or none that
/// is meant to be the same.
const NAMES: &[(Encoding, [&str; 4])] = &[
    (Utf8, ["utf-8", "UTF-8", "UTF-8", "UTF-8"]),
    (Utf8Perl, ["", "", "", "utf8"]),
    (Cesu8, ["", "", "CESU-8", ""]),
    (Utf16, ["utf-16", "UTF-16", "UTF-16", "UTF-16"]),
    (Utf16Le, ["utf-16-le", "UTF-16LE", "UTF-16LE", "UTF-16LE"]),
    (Utf16Be, ["utf-16-be", "UTF-16BE", "UTF-16BE", "UTF-16BE"]),
    (Ucs2Le, ["", "UCS-2LE", "", "UCS-2LE"]),
    (Ucs2Be, ["", "UCS-2BE", "", "UCS-2BE"]),
    (Utf32, ["utf-32", "UTF-32", "UTF-32", "UTF-32"]),
    (Utf32Le, ["utf-32-le", "UTF-32LE", "UTF-32LE", "UTF-32LE"]),
    (Utf32Be, ["utf-32-be", "UTF-32BE", "UTF-32BE", "UTF-32BE"]),
    (Ucs4Le, ["", "UCS-4LE", "", ""]),
    (Ucs4Be, ["", "UCS-4BE", "", ""]),
    (Utf7, ["utf-7", "UTF-7", "UTF-7", "UTF-7"]),
    (Utf7Imap, ["", "UTF-7-IMAP", "IMAP-mailbox-name", ""]),
    (Scsu, ["", "", "SCSU", ""]),
    (Bocu1, ["", "", "BOCU-1", ""]),
    (UsAscii, ["ascii", "US-ASCII", "US-ASCII", "ascii"]),
    (Iso8859_1, ["latin-1", "ISO-8859-1", "ISO-8859-1", "iso-8859-1"]),
    (Ibm866, ["cp866", "IBM866", "ibm-866_P100-1995", "cp866"]),
    (Iso8859_2, ["iso8859-2", "ISO-8859-2", "ISO-8859-2", "iso-8859-2"]),
    (Iso8859_3, ["iso8859-3", "ISO-8859-3", "ISO-8859-3", "iso-8859-3"]),
    (Iso8859_4, ["iso8859-4", "ISO-8859-4", "ISO-8859-4", "iso-8859-4"]),
    (Iso8859_5, ["iso8859-5", "ISO-8859-5", "ISO-8859-5", "iso-8859-5"]),
    (Iso8859_6, ["iso8859-6", "ISO-8859-6", "ISO-8859-6", "iso-8859-6"]),
    (Iso8859_7, ["iso8859-7", "ISO-8859-7", "ISO-8859-7", "iso-8859-7"]),
    (Iso8859_8, ["iso8859-8", "ISO-8859-8", "ISO-8859-8", "iso-8859-8"]),
    (Iso8859_10, ["iso8859-10", "ISO-8859-10", "ISO-8859-10", "iso-8859-10"]),
    (Iso8859_13, ["iso8859-13", "ISO-8859-13", "ISO-8859-13", "iso-8859-13"]),
    (Iso8859_14, ["iso8859-14", "ISO-8859-14", "ISO-8859-14", "iso-8859-14"]),
    (Iso8859_15, ["iso8859-15", "ISO-8859-15", "ISO-8859-15", "iso-8859-15"]),
    (Iso8859_16, ["iso8859-16", "ISO-8859-16", "", "iso-8859-16"]),
    (Koi8R, ["koi8-r", "KOI8-R", "KOI8-R", "koi8-r"]),
    (Koi8U, ["koi8-u", "KOI8-U", "KOI8-U", "koi8-u"]),
    (Macintosh, ["mac-roman", "MACINTOSH", "macos-0_2-10.2", "MacRoman"]),
    (Windows874, ["cp874", "CP874", "windows-874-2000", "cp874"]),
    (Windows1250, ["cp1250", "CP1250", "windows-1250", "cp1250"]),
    (Windows1251, ["cp1251", "CP1251", "windows-1251", "cp1251"]),
    (Windows1252, ["cp1252", "CP1252", "windows-1252", "cp1252"]),
    (Windows1253, ["cp1253", "CP1253", "windows-1253", "cp1253"]),
    (Windows1254, ["cp1254", "CP1254", "windows-1254", "cp1254"]),
    (Windows1255, ["cp1255", "CP1255", "windows-1255", "cp1255"]),
    (Windows1256, ["cp1256", "CP1256", "windows-1256", "cp1256"]),
    (Windows1257, ["cp1257", "CP1257", "windows-1257", "cp1257"]),
    (Windows1258, ["cp1258", "CP1258", "windows-1258", "cp1258"]),
    (MacCyrillic, ["mac-cyrillic", "MAC-CYRILLIC", "macos-7_3-10.2", "MacCyrillic"]),
    (Gbk, ["gbk", "GBK", "windows-936-2000", "cp936"]),
    (Gb18030, ["gb18030", "GB18030", "gb18030", ""]),
    (Big5, ["big5hkscs", "BIG5-HKSCS", "Big5-HKSCS", "big5-hkscs"]),
    (EucJp, ["euc-jp", "EUC-JP", "euc-jp-2007", "euc-jp"]),
    (Iso2022Jp, ["iso2022-jp", "ISO-2022-JP", "ISO-2022-JP", "iso-2022-jp"]),
    (ShiftJis, ["cp932", "CP932", "ibm-943_P15A-2003", "cp932"]),
    (EucKr, ["cp949", "UHC", "windows-949-2000", "cp949"]),
];

/// Encodings of the web that have no row in [`NAMES`].
const WEB_ONLY: &[Encoding] = &[Iso8859_8I, Replacement, UserDefined];

/// Every encoding that any peer has, in the order of the page.
pub(crate) fn encodings() -> impl Iterator<Item = Encoding> {
    NAMES.iter().map(|(encoding, _)| *encoding).chain(WEB_ONLY.iter().copied())
}

/// Whether it is a charset of the Encoding Standard that is not a Unicode format.
pub(crate) fn is_legacy(encoding: Encoding) -> bool {
    encoding >= Ibm866
}

/// Whether its characters have more than one byte.
pub(crate) fn is_multi_byte(encoding: Encoding) -> bool {
    matches!(encoding, Gbk | Gb18030 | Big5 | EucJp | Iso2022Jp | ShiftJis | EucKr)
}

/// The name of the encoding for `peer`, if it can be asked in this mode.
pub(crate) fn label(peer: &str, encoding: Encoding, mode: Mode) -> Option<&'static str> {
    use Mode::{Encode, Mark, Replace, Strict};
    let marked = matches!(encoding, Utf8 | Utf16Le | Utf16Be);
    let named = |column: usize| {
        let row = NAMES.iter().find(|(known, _)| *known == encoding)?;
        Some(row.1[column]).filter(|name| !name.is_empty())
    };
    let web = || {
        let unicode = matches!(encoding, Utf8 | Utf16Le | Utf16Be);
        (unicode || is_legacy(encoding)).then(|| encoding.name())
    };
    match (peer, mode) {
        ("CPython", Mark) => (encoding == Utf8).then_some("utf-8-sig"),
        ("CPython", _) => named(0),
        ("glibc", Strict | Encode) => named(1),
        ("ICU", Strict | Replace | Encode) => named(2),
        ("Perl", Strict | Replace | Encode) => named(3),
        ("Node", Strict | Replace) => web().filter(|_| encoding != Replacement),
        ("Node", Encode) => (encoding == Utf8).then_some("utf-8"),
        ("encoding_rs", Strict | Replace | Encode) => {
            // It encodes these as UTF-8, as forms do.
            let as_utf8 = matches!(encoding, Utf16Le | Utf16Be | Replacement) && mode == Encode;
            web().filter(|_| !as_utf8)
        }
        ("Node" | "encoding_rs", Mark) => marked.then(|| encoding.name()),
        ("simdutf", Strict | Encode) => match encoding {
            UsAscii if mode == Strict => Some("ascii"),
            Utf8 => Some("utf-8"),
            Utf16Le => Some("utf-16le"),
            Utf16Be => Some("utf-16be"),
            Utf32Le if mode == Strict => Some("utf-32le"),
            _ => None,
        },
        _ => None,
    }
}
