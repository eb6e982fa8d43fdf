//! Charsets by their names, as glibc has them, and what may stand behind a name.

use utfall::Encoding;

/// A line for each charset: its name in glibc, then the others.
const NAMES: &str = include_str!("names.txt");

/// A charset by one of its names.
///
/// ```
/// use utfall_iconv::Charset;
/// let charset = Charset::for_name("latin5").unwrap();
/// assert_eq!(charset.name(), "ISO-8859-9");
/// assert!(charset.other_names().any(|name| name == "ISO-IR-148"));
/// assert_eq!(Charset::for_name("klingon"), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Charset {
    line: &'static str,
}

/// What a charset is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A format of the library.
    Plain(Encoding),
    /// One of two formats. When read, a byte order mark says which, and the machine's own order
    /// is taken if there is none; when written, it is the machine's, behind a mark.
    Marked { little: Encoding, big: Encoding, octets: usize },
    /// One of `tables.txt`.
    Table,
    /// ISO-2022-JP.
    Iso2022Jp,
}

impl Charset {
    /// Every charset, those of Unicode first.
    pub fn all() -> impl Iterator<Item = Self> {
        NAMES.lines().map(|line| Self { line })
    }

    /// The charset with this name, in any case.
    #[must_use]
    pub fn for_name(name: &str) -> Option<Self> {
        Self::all()
            .find(|charset| charset.line.split(' ').any(|known| known.eq_ignore_ascii_case(name)))
    }

    /// The name that glibc gives its module.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.names().next().unwrap_or_default()
    }

    /// Its other names.
    pub fn other_names(self) -> impl Iterator<Item = &'static str> {
        self.names().skip(1)
    }

    fn names(self) -> impl Iterator<Item = &'static str> {
        self.line.split(' ')
    }

    pub(crate) fn kind(self) -> Kind {
        let native = |little, big| if cfg!(target_endian = "little") { little } else { big };
        Kind::Plain(match self.name() {
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
            _ => return Kind::Table,
        })
    }
}

fn marked((little, big): (Encoding, Encoding), octets: usize) -> Kind {
    Kind::Marked { little, big, octets }
}

/// What is said with `-f` and `-t`: a charset, and what may stand behind its name.
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
    /// Which charset.
    pub charset: Charset,
    /// `//TRANSLIT`: write what looks or reads alike for a character that the charset lacks.
    pub transliterate: bool,
    /// `//IGNORE`: leave out what cannot be converted, and fail all the same.
    pub ignore: bool,
    /// `//NON_IDENTICAL_DISCARD` of POSIX 2024: leave out what the charset lacks.
    pub discard: bool,
}

impl Code {
    /// Reads a code as glibc does: suffixes follow the second slash and are separated by `/` or `,`;
    /// unknown suffixes, and characters that no name contains, such as spaces, are ignored. Without
    /// a name it is `locale`, the name of another charset.
    ///
    /// # Errors
    /// The name, if there is no charset with that name.
    pub fn parse<'c>(code: &'c str, locale: &'c str) -> Result<Self, &'c str> {
        let code = without_separators(code);
        // A name may have one slash.
        let (name, suffixes) = match code.match_indices('/').nth(1) {
            Some((second, _)) => (without_separators(&code[..second]), &code[second + 1..]),
            None => (code, ""),
        };
        let known = known_characters(name);
        let charset = match known.is_empty() {
            true => Charset::for_name(locale).ok_or(locale)?,
            false => Charset::for_name(&known).ok_or(name)?,
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

/// Without what may follow a name or a suffix and means nothing.
fn without_separators(code: &str) -> &str {
    code.trim_end_matches([' ', '\t', '\n', '\x0B', '\x0C', '\r', ',', '/'])
}

/// Without the characters that glibc ignores in names.
fn known_characters(name: &str) -> String {
    let is_known = |c: &char| c.is_ascii_alphanumeric() || "_-.,:/".contains(*c);
    name.chars().filter(is_known).collect()
}
