//! Charsets by their glibc names, or by the labels of the library, and the suffixes of names.

use std::fmt;
use std::sync::OnceLock;

use utfall::{Encoding, Family, Labels};

use crate::iso_2022_jp;
use crate::simple::Simple;
use crate::table::Table;

/// A line for each charset: its name in glibc, then its aliases.
const NAMES: &str = include_str!("names.txt");

/// The number of lines.
const LINES: usize = {
    let (mut at, mut count) = (0, 0);
    while at < NAMES.len() {
        count += (NAMES.as_bytes()[at] == b'\n') as usize;
        at += 1;
    }
    count
};

/// Where each line begins, where its first name ends, and where it ends.
static ENDS: [[u16; 3]; LINES] = {
    let mut ends = [[0; 3]; LINES];
    let (mut begin, mut name, mut at, mut line) = (0, 0, 0, 0);
    while at < NAMES.len() {
        let byte = NAMES.as_bytes()[at];
        if name == 0 && (byte == b' ' || byte == b'\n') {
            name = at;
        }
        if byte == b'\n' {
            ends[line] = [begin as u16, name as u16, at as u16];
            (begin, name) = (at + 1, 0);
            line += 1;
        }
        at += 1;
    }
    ends
};

/// More bytes than any name has.
const LONGEST: usize = 64;

/// A name in [`NAMES`].
#[derive(Clone, Copy)]
struct Name {
    begin: u16,
    /// 0 in an empty slot.
    length: u16,
    line: u16,
}

/// More than twice as many slots as names, so that a search takes one or two steps.
const SLOTS: usize = 4096;

/// The names by their [`hash`]. A name that is not in its slot is in one of the next ones, before the first
/// that is empty. If two charsets have a name, it means the first.
static INDEX: [Name; SLOTS] = {
    let names = NAMES.as_bytes();
    let mut index = [Name { begin: 0, length: 0, line: 0 }; SLOTS];
    let (mut begin, mut at, mut line) = (0, 0, 0);
    while at < names.len() {
        if names[at] == b' ' || names[at] == b'\n' {
            let (_, name) = names.split_at(begin);
            let (name, _) = name.split_at(at - begin);
            let mut slot = hash(name);
            while index[slot].length > 0 {
                slot = (slot + 1) % SLOTS;
            }
            let (begin_of_name, length) = (begin as u16, (at - begin) as u16);
            assert!(names.len() <= u16::MAX as usize && (length as usize) < LONGEST);
            index[slot] = Name { begin: begin_of_name, length, line };
            line += (names[at] == b'\n') as u16;
            begin = at + 1;
        }
        at += 1;
    }
    index
};

/// FNV-1a of a name in capitals, as the number of a slot.
const fn hash(name: &[u8]) -> usize {
    let (mut hash, mut at) = (0x811C_9DC5_u32, 0);
    while at < name.len() {
        hash = (hash ^ name[at].to_ascii_uppercase() as u32).wrapping_mul(0x0100_0193);
        at += 1;
    }
    (hash ^ hash >> 15) as usize % SLOTS
}

impl Name {
    fn text(self) -> &'static str {
        let begin = usize::from(self.begin);
        &NAMES[begin..begin + usize::from(self.length)]
    }
}

/// A charset. Its names are those of glibc, or labels of the library if glibc does not have it.
///
/// ```
/// use utfall_iconv::Charset;
/// let charset = Charset::for_name("latin5").unwrap();
/// assert_eq!(charset.name(), "ISO-8859-9");
/// assert!(charset.other_names().any(|name| name == "ISO-IR-148"));
/// assert_eq!(Charset::for_name("x-mac-greek").unwrap().name(), "x-mac-greek");
/// // The web's charset, where glibc has another one under this name.
/// assert_eq!(Charset::for_name("Shift_JIS").unwrap().name(), "SJIS");
/// assert_eq!(Charset::for_name("Shift_JIS/whatwg").unwrap().name(), "Shift_JIS/whatwg");
/// assert_eq!(Charset::for_name("klingon"), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Charset {
    /// The number of a line of [`NAMES`], or after all of them the number of an encoding in [`Encoding::ALL`].
    index: usize,
}

impl fmt::Debug for Charset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Charset").field(&self.name()).finish()
    }
}

/// Facts about a charset that are found once: programs may open a descriptor for each word.
struct Details {
    kind: OnceLock<Kind>,
    /// The table, or `None` if it cannot be read. Reading it takes as long as the conversion of some
    /// hundred kilobytes.
    table: OnceLock<Option<Box<Table>>>,
    /// The characters that kernels convert; `None` if kernels do not support the charset.
    simple: OnceLock<Option<Box<Simple>>>,
}

static DETAILS: [Details; LINES] =
    [const { Details { kind: OnceLock::new(), table: OnceLock::new(), simple: OnceLock::new() } };
        LINES];

/// The names of the encodings in [`Encoding::ALL`] that glibc does not have.
fn others() -> &'static [Option<String>] {
    static OTHERS: OnceLock<Vec<Option<String>>> = OnceLock::new();
    OTHERS.get_or_init(|| {
        let all_of_glibc: Vec<Encoding> =
            (0..LINES).filter_map(|index| Charset { index }.is_all_of()).collect();
        let name_of = |encoding: &Encoding| {
            let is_other = !all_of_glibc.contains(encoding) && *encoding != Encoding::Replacement;
            is_other.then(|| other_name(*encoding))
        };
        Encoding::ALL.iter().map(name_of).collect()
    })
}

/// The name of an encoding. If glibc has another charset with this name, a vocabulary follows it:
/// `Shift_JIS/whatwg`.
fn other_name(encoding: Encoding) -> String {
    let name = encoding.name();
    if Charset::of_glibc(name.as_bytes()).is_none() {
        return name.to_owned();
    }
    let qualified = Labels::ALL.iter().map(|labels| format!("{name}/{labels}"));
    let mut qualified = qualified.filter(|label| Encoding::for_label(label) == Some(encoding));
    qualified.next().unwrap_or_else(|| name.to_owned())
}

/// How a charset is implemented.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// By an encoding of the library.
    Plain(Encoding),
    /// The same, with a state that bytes change.
    Shifting(Encoding),
    /// By one of two encodings. When decoding, a BOM selects one; without a BOM, the machine's byte
    /// order is the default. When encoding, a BOM and the machine's byte order are used.
    Marked { little: Encoding, big: Encoding, bytes: usize },
    /// By a table: the characters of an encoding, with the additions of `tables.txt`.
    Table(Encoding),
    /// By the ISO-2022-JP codec.
    Iso2022Jp,
    /// This build lacks it.
    Missing,
}

impl Charset {
    /// Every charset: first the encodings of Unicode, then the other charsets of glibc, then the rest.
    pub fn all() -> impl Iterator<Item = Self> {
        let others = others().iter().enumerate().filter(|(_, name)| name.is_some());
        (0..LINES).chain(others.map(|(at, _)| LINES + at)).map(|index| Self { index })
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
            *room.get_mut(length)? = byte;
            length += 1;
        }
        let name = &room[..length];
        Self::of_glibc(name).or_else(|| Self::of_library(name))
    }

    fn of_glibc(name: &[u8]) -> Option<Self> {
        let first = hash(name);
        let slots = (0..SLOTS).map(|step| INDEX[(first + step) % SLOTS]);
        let mut slots = slots.take_while(|slot| slot.length > 0);
        let found = slots.find(|slot| slot.text().as_bytes().eq_ignore_ascii_case(name))?;
        Some(Self { index: found.line.into() })
    }

    /// Unlike the library, which ignores punctuation, this finds only the labels themselves.
    fn of_library(name: &[u8]) -> Option<Self> {
        let encoding = Encoding::for_label(name)?;
        let number = Encoding::ALL.iter().position(|it| *it == encoding)?;
        let main = others().get(number)?.as_deref()?;
        let labels =
            [main, encoding.name()].into_iter().chain(encoding.info().aliases.iter().copied());
        let is_it = |label: &str| label.as_bytes().eq_ignore_ascii_case(name);
        labels.into_iter().any(is_it).then_some(Self { index: LINES + number })
    }

    #[cfg(test)]
    pub(crate) fn is_of_glibc(self) -> bool {
        self.other().is_none()
    }

    /// The encoding, if this is not a charset of glibc.
    fn other(self) -> Option<Encoding> {
        Some(Encoding::ALL[self.index.checked_sub(LINES)?])
    }

    /// The names in glibc, the main one first.
    fn line(self) -> &'static str {
        match ENDS.get(self.index) {
            Some([begin, _, end]) => &NAMES[usize::from(*begin)..usize::from(*end)],
            None => "",
        }
    }

    /// The name of glibc's module, or the label of another encoding.
    #[must_use]
    pub fn name(self) -> &'static str {
        match ENDS.get(self.index) {
            Some([begin, end, _]) => &NAMES[usize::from(*begin)..usize::from(*end)],
            None => others()[self.index - LINES].as_deref().unwrap_or_default(),
        }
    }

    /// The aliases.
    pub fn other_names(self) -> impl Iterator<Item = &'static str> {
        let labels = self.other().map_or(&[][..], |encoding| encoding.info().aliases);
        let is_own = move |label: &&str| Self::for_name(label) == Some(self);
        self.line().split(' ').skip(1).chain(labels.iter().copied().filter(is_own))
    }

    pub(crate) fn kind(self) -> Kind {
        match self.other() {
            Some(encoding) if encoding.info().family == Family::SingleByte => Kind::Plain(encoding),
            Some(encoding) => Kind::Shifting(encoding),
            None => *DETAILS[self.index].kind.get_or_init(|| kind(self.name())),
        }
    }

    /// The encoding that decodes as this charset.
    fn is_all_of(self) -> Option<Encoding> {
        match self.kind() {
            Kind::Plain(encoding) | Kind::Shifting(encoding) => Some(encoding),
            Kind::Table(encoding) => (!HAVE_LESS.contains(&self.name())).then_some(encoding),
            Kind::Marked { .. } | Kind::Iso2022Jp | Kind::Missing => None,
        }
    }

    /// The table with the characters of this charset, if there is one.
    pub(crate) fn table(self) -> Option<&'static Table> {
        match self.kind() {
            Kind::Iso2022Jp => Self::for_name(iso_2022_jp::TABLE)?.table(),
            Kind::Table(encoding) => {
                let table = &DETAILS.get(self.index)?.table;
                table.get_or_init(|| Table::read(self.name(), encoding).map(Box::new)).as_deref()
            }
            _ => None,
        }
    }

    /// The characters of this charset that kernels convert, if they support it.
    pub(crate) fn simple(self) -> Option<&'static Simple> {
        let made = || match self.kind() {
            Kind::Table(_) => Simple::of(self.table()?),
            Kind::Plain(encoding) if encoding.info().family == Family::SingleByte => {
                Simple::of(&Table::of(encoding))
            }
            _ => None,
        };
        DETAILS.get(self.index)?.simple.get_or_init(|| made().map(Box::new)).as_deref()
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
        _ => return by_label(name),
    })
}

fn by_label(name: &str) -> Kind {
    let Some(encoding) = Encoding::for_label_in(name, Labels::Glibc) else { return Kind::Missing };
    let info = encoding.info();
    match info.family {
        Family::SingleByte if !HAS_MORE.contains(&name) => Kind::Plain(encoding),
        _ if info.stateful || info.holds_back && name != BIG5_HKSCS => Kind::Shifting(encoding),
        _ => Kind::Table(encoding),
    }
}

/// Charsets that decode less than the encoding of the library: the web's decodes bytes of these that
/// have no character in glibc, and two of them compose characters.
pub(crate) const HAVE_LESS: [&str; 3] = ["CP1255", "CP1258", "GB18030"];

/// The charset whose pairs of code points are in a table. Others leave them to the library.
pub(crate) const BIG5_HKSCS: &str = "BIG5HKSCS";

/// Single-byte charsets in which glibc encodes more characters than it decodes: similar ones, or ones composed
/// of two. The library has no encoding that changes characters.
const HAS_MORE: [&str; 29] = [
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
