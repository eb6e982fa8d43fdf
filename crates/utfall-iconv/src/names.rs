//! Charsets by their glibc names, and the suffixes of names.

use std::collections::HashMap;
use std::fmt;
use std::sync::OnceLock;

use utfall::{Encoding, Family};

use crate::iso_2022_jp;
use crate::table::Table;

/// A line for each charset: its name in glibc, then its aliases.
const NAMES: &str = include_str!("names.txt");

/// More bytes than any name has.
const LONGEST: usize = 32;

/// A charset, found by one of its names.
///
/// ```
/// use utfall_iconv::Charset;
/// let charset = Charset::for_name("latin5").unwrap();
/// assert_eq!(charset.name(), "ISO-8859-9");
/// assert!(charset.other_names().any(|name| name == "ISO-IR-148"));
/// assert_eq!(Charset::for_name("klingon"), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Charset {
    /// The index in [`Known::charsets`].
    index: usize,
}

impl fmt::Debug for Charset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Charset").field(&self.name()).finish()
    }
}

/// An index, made once: programs may open a descriptor for each word.
struct Known {
    charsets: Vec<Details>,
    /// The names in capitals, with the index of the charset.
    names: HashMap<Box<[u8]>, usize>,
}

struct Details {
    line: &'static str,
    name: &'static str,
    kind: Kind,
    /// The table, if it has been read, or `None` if there is none.
    table: OnceLock<Option<Table>>,
}

impl Known {
    fn get() -> &'static Self {
        static KNOWN: OnceLock<Known> = OnceLock::new();
        KNOWN.get_or_init(Self::new)
    }

    fn new() -> Self {
        let mut names = HashMap::new();
        let mut charsets = Vec::new();
        for (index, line) in NAMES.lines().enumerate() {
            for name in line.split(' ') {
                debug_assert!(name.len() < LONGEST, "{name}");
                // If a name is that of two charsets, the first has it.
                names.entry(name.to_ascii_uppercase().into_bytes().into()).or_insert(index);
            }
            let name = line.split(' ').next().unwrap_or_default();
            charsets.push(Details { line, name, kind: kind(name), table: OnceLock::new() });
        }
        Self { charsets, names }
    }
}

/// How a charset is implemented.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// By an encoding of the library.
    Plain(Encoding),
    /// By one of two encodings. When decoding, a BOM selects one; without a BOM, the machine's byte
    /// order is the default. When encoding, a BOM and the machine's byte order are used.
    Marked { little: Encoding, big: Encoding, bytes: usize },
    /// By a table in `tables.txt`, with sequences of more than one byte or code point.
    Table,
    /// By the ISO-2022-JP codec.
    Iso2022Jp,
}

impl Charset {
    /// Every charset, beginning with those of Unicode.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..Known::get().charsets.len()).map(|index| Self { index })
    }

    /// The charset with this name, ignoring case.
    #[must_use]
    pub fn for_name(name: &str) -> Option<Self> {
        Self::for_bytes(name.bytes())
    }

    fn for_bytes(name: impl Iterator<Item = u8>) -> Option<Self> {
        let mut room = [0; LONGEST];
        let mut length = 0;
        for byte in name {
            *room.get_mut(length)? = byte.to_ascii_uppercase();
            length += 1;
        }
        let index = *Known::get().names.get(&room[..length])?;
        Some(Self { index })
    }

    fn details(self) -> &'static Details {
        &Known::get().charsets[self.index]
    }

    /// The name of glibc's module.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.details().name
    }

    /// The aliases.
    pub fn other_names(self) -> impl Iterator<Item = &'static str> {
        self.details().line.split(' ').skip(1)
    }

    pub(crate) fn kind(self) -> Kind {
        self.details().kind
    }

    /// The table with the characters of this charset, if there is one. It is read once, since that takes as
    /// long as the conversion of some hundred kilobytes.
    pub(crate) fn table(self) -> Option<&'static Table> {
        if self.kind() == Kind::Iso2022Jp {
            return Self::for_name(iso_2022_jp::TABLE)?.table();
        }
        let details = self.details();
        details.table.get_or_init(|| Table::read(details.name)).as_ref()
    }
}

fn kind(name: &str) -> Kind {
    let native = |little, big| if cfg!(target_endian = "little") { little } else { big };
    Kind::Plain(match name {
        "UTF-8" => Encoding::Utf8,
        "UTF-16" => {
            return marked((Encoding::Utf16Le, Encoding::Utf16Be), 2);
        }
        "UTF-32" => {
            return marked((Encoding::Utf32Le, Encoding::Utf32Be), 4);
        }
        "UNICODE" => {
            return marked((Encoding::Ucs2Le, Encoding::Ucs2Be), 2);
        }
        "UTF-16LE" => Encoding::Utf16Le,
        "UTF-16BE" => Encoding::Utf16Be,
        "UTF-32LE" => Encoding::Utf32Le,
        "UTF-32BE" => Encoding::Utf32Be,
        "UCS-2" => native(Encoding::Ucs2Le, Encoding::Ucs2Be),
        "UNICODELITTLE" => Encoding::Ucs2Le,
        "UNICODEBIG" => Encoding::Ucs2Be,
        "UCS-4" => Encoding::Ucs4Be,
        "UCS-4LE" => Encoding::Ucs4Le,
        "WCHAR_T" => native(Encoding::Ucs4Le, Encoding::Ucs4Be),
        "UTF-7" => Encoding::Utf7,
        "UTF-7-IMAP" => Encoding::Utf7Imap,
        "ANSI_X3.4-1968" => Encoding::UsAscii,
        "ISO-8859-1" => Encoding::Iso8859_1,
        "ISO-2022-JP" => return Kind::Iso2022Jp,
        _ if HAS_MORE.contains(&name) => return Kind::Table,
        // The same tables as these.
        "IBM1162" => Encoding::Windows874,
        "IBM5347" => Encoding::Windows1251,
        "IBM921" => Encoding::Iso8859_13,
        _ => return single_byte(name).map_or(Kind::Table, Kind::Plain),
    })
}

/// Single-byte charsets with a table of their own, because glibc encodes more characters than it decodes:
/// similar ones, or those that it composes of two. The library has no encoding that changes characters.
pub(crate) const HAS_MORE: [&str; 29] = [
    "CP1255",
    "CP1258",
    "TCVN5712-1",
    "IBM1008",
    "IBM1046",
    "IBM1097",
    "IBM1122",
    "IBM1140",
    "IBM1141",
    "IBM1142",
    "IBM1143",
    "IBM1144",
    "IBM1145",
    "IBM1146",
    "IBM1147",
    "IBM1148",
    "IBM1149",
    "IBM1153",
    "IBM1157",
    "IBM1163",
    "IBM1164",
    "IBM4517",
    "IBM4909",
    "IBM4971",
    "IBM856",
    "IBM901",
    "IBM902",
    "IBM922",
    "IBM9448",
];

/// The single-byte charset of the library with glibc's table for this name. If the name itself means
/// another table there, `/glibc` follows it.
fn single_byte(name: &str) -> Option<Encoding> {
    let encoding =
        Encoding::for_label(format!("{name}/glibc")).or_else(|| Encoding::for_label(name))?;
    (encoding.info().family == Family::SingleByte).then_some(encoding)
}

fn marked((little, big): (Encoding, Encoding), bytes: usize) -> Kind {
    Kind::Marked { little, big, bytes }
}

/// An argument of `-f` or `-t`: a charset name with suffixes.
///
/// ```
/// use utfall_iconv::Code;
/// let code = Code::parse("latin1//TRANSLIT//IGNORE", "UTF-8").unwrap();
/// assert_eq!(code.charset.name(), "ISO-8859-1");
/// assert!(code.transliterate && code.ignore);
/// assert_eq!(Code::parse("//IGNORE", "UTF-8").unwrap().charset.name(), "UTF-8");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Code {
    /// The charset.
    pub charset: Charset,
    /// `//TRANSLIT`: replace characters that the charset lacks with text that looks or reads alike.
    pub transliterate: bool,
    /// `//IGNORE`: omit what cannot be converted, but report failure in the end.
    pub ignore: bool,
    /// `//NON_IDENTICAL_DISCARD` (POSIX 2024): omit characters that the charset lacks.
    pub discard: bool,
}

impl Code {
    /// Parses a code as glibc does. Suffixes follow the second slash and are separated by `/` or
    /// `,`. Unknown suffixes, and characters that no name contains, such as spaces, are ignored. An
    /// empty name means `locale`, the name of another charset.
    ///
    /// # Errors
    /// Returns the name if there is no such charset.
    pub fn parse<'c>(code: &'c str, locale: &'c str) -> Result<Self, &'c str> {
        let code = without_separators(code);
        // A name may contain one slash.
        let (name, suffixes) = match code.match_indices('/').nth(1) {
            Some((second, _)) => (without_separators(&code[..second]), &code[second + 1..]),
            None => (code, ""),
        };
        // Like glibc: other characters are ignored.
        let is_known = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-.,:/".contains(byte);
        let mut known = name.bytes().filter(is_known).peekable();
        let charset = match known.peek() {
            None => Charset::for_name(locale).ok_or(locale)?,
            Some(_) => Charset::for_bytes(known).ok_or(name)?,
        };
        let has = |wanted: &str| {
            let mut suffixes = suffixes.split(['/', ',']).map(without_separators);
            suffixes.any(|suffix| suffix.eq_ignore_ascii_case(wanted))
        };
        Ok(Self {
            charset,
            transliterate: has("TRANSLIT"),
            ignore: has("IGNORE"),
            discard: has("NON_IDENTICAL_DISCARD"),
        })
    }
}

/// Removes separators at the end of a name or suffix.
fn without_separators(code: &str) -> &str {
    code.trim_end_matches([' ', '\t', '\n', '\x0B', '\x0C', '\r', ',', '/'])
}
