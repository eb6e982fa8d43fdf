//! Encodings by their labels: a hash table that is made at compile time, and lists of the labels that mean
//! something else to the web, to IANA or to glibc.

use core::fmt;

use super::Encoding;
#[cfg(feature = "legacy")]
use crate::Origin;

/// A vocabulary: whose meaning a label has, for [`Encoding::for_label_in`].
///
/// Some labels name different tables. `ISO-8859-9` is windows-1254 on the web, and the standard's
/// charset to IANA and glibc. A label that a vocabulary lacks has the meaning of
/// [`Encoding::for_label`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Labels {
    /// The Encoding Standard of WHATWG, as browsers read labels.
    Whatwg,
    /// The registry of IANA, as mail defines labels.
    Iana,
    /// The GNU C Library, as its `iconv` reads names.
    Glibc,
}

impl Labels {
    /// Every vocabulary.
    pub const ALL: &'static [Self] = &[Self::Whatwg, Self::Iana, Self::Glibc];

    /// The name of the vocabulary: `whatwg`, `iana` or `glibc`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Whatwg => "whatwg",
            Self::Iana => "iana",
            Self::Glibc => "glibc",
        }
    }
}

impl fmt::Display for Labels {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// More letters and digits than the longest label has.
const LONGEST: usize = 64;

/// More than twice as many slots as there are labels, so that a search takes one or two steps.
const SLOTS: usize = 4096;

/// The labels by the hash of their letters and digits. A label that is not in its slot is in one of the next
/// ones, before the first that is empty. If two encodings had a label, the first would come first.
#[cfg(not(utfall_js))]
static TABLE: [Slot; SLOTS] = table();
/// Made when it is first used, in a module of the npm package.
#[cfg(utfall_js)]
static TABLE: std::sync::LazyLock<[Slot; SLOTS]> = std::sync::LazyLock::new(table);

const fn table() -> [Slot; SLOTS] {
    let mut table = [Slot::EMPTY; SLOTS];
    let mut encoding = 0;
    while encoding < Encoding::ALL.len() {
        let labels = 1 + Encoding::ALL[encoding].info().aliases.len();
        let mut number = 0;
        while number < labels {
            let label = Slot { encoding: encoding as u16, number: number as u8, mark: 0 }.label();
            let hash = match hash_of(label.as_bytes()) {
                Some(hash) => hash,
                None => panic!("a label is too long, or not ASCII"),
            };
            let mut at = hash as usize % SLOTS;
            while !table[at].is_empty() {
                at = (at + 1) % SLOTS;
            }
            table[at] =
                Slot { encoding: encoding as u16, number: number as u8, mark: mark_of(hash) };
            number += 1;
        }
        encoding += 1;
    }
    table
}

/// A label of an encoding.
#[derive(Clone, Copy)]
struct Slot {
    /// The index in [`Encoding::ALL`].
    encoding: u16,
    /// 0 for the name, otherwise the number of the alias from 1.
    number: u8,
    /// Bits of the hash, to skip most other labels.
    mark: u8,
}

impl Slot {
    const EMPTY: Self = Self { encoding: u16::MAX, number: 0, mark: 0 };

    const fn is_empty(self) -> bool {
        self.encoding == u16::MAX
    }

    const fn encoding(self) -> Encoding {
        Encoding::ALL[self.encoding as usize]
    }

    const fn label(self) -> &'static str {
        let info = self.encoding().info();
        match self.number {
            0 => info.name,
            number => info.aliases[number as usize - 1],
        }
    }
}

const fn mark_of(hash: u32) -> u8 {
    (hash >> 24) as u8
}

/// Letters and digits in lower case, [`OTHER`] for other characters of US-ASCII, and [`NOT_ASCII`].
static FOLDED: [u8; 256] = {
    let mut table = [NOT_ASCII; 256];
    let mut byte = 0;
    while byte < 0x80_u8 {
        table[byte as usize] =
            if byte.is_ascii_alphanumeric() { byte.to_ascii_lowercase() } else { OTHER };
        byte += 1;
    }
    table
};
const OTHER: u8 = 0;
const NOT_ASCII: u8 = 0xFF;

/// The letters and digits of a label in lower case, without leading zeros of numbers. Nothing is
/// copied, so that a search takes little more time than reading the label.
struct Folded<'l> {
    label: &'l [u8],
    at: usize,
    follows_digit: bool,
}

impl<'l> Folded<'l> {
    const fn new(label: &'l [u8]) -> Self {
        Self { label, at: 0, follows_digit: false }
    }

    /// The next letter or digit; [`NOT_ASCII`] if a byte is neither this nor US-ASCII.
    #[inline(always)]
    const fn advance(&mut self) -> Option<u8> {
        while self.at < self.label.len() {
            let byte = FOLDED[self.label[self.at] as usize];
            self.at += 1;
            if byte == OTHER {
                continue;
            }
            if byte == b'0'
                && !self.follows_digit
                && self.at < self.label.len()
                && self.label[self.at].is_ascii_digit()
            {
                continue;
            }
            self.follows_digit = byte.is_ascii_digit();
            return Some(byte);
        }
        None
    }
}

impl Iterator for Folded<'_> {
    type Item = u8;

    fn next(&mut self) -> Option<u8> {
        self.advance()
    }
}

/// The hash of a label; `None` if it is too long, or not ASCII.
const fn hash_of(label: &[u8]) -> Option<u32> {
    let mut folded = Folded::new(label);
    let (mut hash, mut length) = (0x811C_9DC5_u32, 0);
    while let Some(byte) = folded.advance() {
        if byte == NOT_ASCII || length == LONGEST {
            return None;
        }
        length += 1;
        // FNV-1a.
        hash = (hash ^ byte as u32).wrapping_mul(0x0100_0193);
    }
    Some(hash ^ hash >> 15)
}

/// Whether two labels have the same letters and digits.
fn is_same(one: &[u8], other: &[u8]) -> bool {
    one.eq_ignore_ascii_case(other) || Folded::new(one).eq(Folded::new(other))
}

/// The encoding with this label, which may name its vocabulary: `ISO-8859-9/glibc`.
pub(super) fn find(label: &[u8]) -> Option<Encoding> {
    by_default(label).or_else(|| {
        let slash = label.iter().rposition(|byte| *byte == b'/')?;
        let (name, suffix) = (&label[..slash], &label[slash + 1..]);
        let is_it = |labels: &&Labels| suffix.eq_ignore_ascii_case(labels.name().as_bytes());
        match Labels::ALL.iter().find(is_it)? {
            #[cfg(feature = "legacy")]
            Labels::Whatwg => find_whatwg(name),
            labels => find_in(name, *labels),
        }
    })
}

/// The encoding with this label in a vocabulary, otherwise by default.
pub(super) fn find_in(label: &[u8], labels: Labels) -> Option<Encoding> {
    let found = match labels {
        #[cfg(feature = "legacy")]
        Labels::Whatwg => find_whatwg(label),
        #[cfg(not(feature = "legacy"))]
        Labels::Whatwg => None,
        Labels::Iana => IANA.find(label),
        Labels::Glibc => GLIBC.find(label),
    };
    found.or_else(|| find(label))
}

/// Labels that mean something else in a vocabulary than by default.
struct Meanings<const N: usize> {
    rows: [(&'static str, Encoding); N],
    /// The hash of each label.
    hashes: [u32; N],
}

impl<const N: usize> Meanings<N> {
    const fn new(rows: [(&'static str, Encoding); N]) -> Self {
        let mut hashes = [0; N];
        let mut at = 0;
        while at < N {
            hashes[at] = match hash_of(rows[at].0.as_bytes()) {
                Some(hash) => hash,
                None => panic!("a label is too long, or not ASCII"),
            };
            at += 1;
        }
        Self { rows, hashes }
    }

    fn find(&self, label: &[u8]) -> Option<Encoding> {
        let wanted = hash_of(label)?;
        let is_it = |(known, _): &&(&'static str, Encoding)| is_same(known.as_bytes(), label);
        let hashes = self.hashes.iter().zip(&self.rows).filter(|(hash, _)| **hash == wanted);
        hashes.map(|(_, row)| row).find(is_it).map(|(_, encoding)| *encoding)
    }
}

/// UCS-2 and UCS-4 in the byte order of the machine, which glibc uses where it reads no mark.
#[cfg(feature = "glibc")]
const UCS2: Encoding =
    if cfg!(target_endian = "little") { Encoding::Ucs2Le } else { Encoding::Ucs2Be };
#[cfg(feature = "glibc")]
const UCS4: Encoding =
    if cfg!(target_endian = "little") { Encoding::Ucs4Le } else { Encoding::Ucs4Be };

/// 1 if there are labels of ISO-2022-CN and ISO-2022-CN-EXT.
#[cfg(feature = "glibc")]
const HAS_CNS: usize = if cfg!(feature = "cns") { 1 } else { 0 };

/// Labels registered with IANA for another table than that of the web.
#[cfg(feature = "glibc")]
#[rustfmt::skip]
static IANA: Meanings<{ 38 + 4 * HAS_CNS }> = Meanings::new([
    ("ISO-8859-9", Encoding::Iso8859_9Glibc),
    ("ISO_8859-9:1989", Encoding::Iso8859_9Glibc),
    ("iso-ir-148", Encoding::Iso8859_9Glibc),
    ("latin5", Encoding::Iso8859_9Glibc),
    ("l5", Encoding::Iso8859_9Glibc),
    ("csISOLatin5", Encoding::Iso8859_9Glibc),
    ("TIS-620", Encoding::Tis620Glibc),
    ("csTIS620", Encoding::Tis620Glibc),
    ("ISO-8859-11", Encoding::Tis620Glibc),
    ("KOI8-U", Encoding::Koi8UGlibc),
    ("csKOI8U", Encoding::Koi8UGlibc),
    ("windows-1250", Encoding::Windows1250Glibc),
    ("cswindows1250", Encoding::Windows1250Glibc),
    ("windows-1251", Encoding::Windows1251Glibc),
    ("cswindows1251", Encoding::Windows1251Glibc),
    ("windows-1252", Encoding::Windows1252Glibc),
    ("cswindows1252", Encoding::Windows1252Glibc),
    ("windows-1253", Encoding::Windows1253Glibc),
    ("cswindows1253", Encoding::Windows1253Glibc),
    ("windows-1254", Encoding::Windows1254Glibc),
    ("cswindows1254", Encoding::Windows1254Glibc),
    ("windows-1257", Encoding::Windows1257Glibc),
    ("cswindows1257", Encoding::Windows1257Glibc),
    ("EUC-KR", Encoding::EucKrGlibc),
    ("csEUCKR", Encoding::EucKrGlibc),
    ("GB2312", Encoding::Gb2312Glibc),
    ("csGB2312", Encoding::Gb2312Glibc),
    ("Shift_JIS", Encoding::ShiftJisGlibc),
    ("MS_Kanji", Encoding::ShiftJisGlibc),
    ("csShiftJIS", Encoding::ShiftJisGlibc),
    ("EUC-JP", Encoding::EucJpGlibc),
    ("csEUCPkdFmtJapanese", Encoding::EucJpGlibc),
    ("Extended_UNIX_Code_Packed_Format_for_Japanese", Encoding::EucJpGlibc),
    ("Big5", Encoding::Big5Glibc),
    ("csBig5", Encoding::Big5Glibc),
    ("HZ-GB-2312", Encoding::Hz),
    ("ISO-2022-KR", Encoding::Iso2022Kr),
    ("csISO2022KR", Encoding::Iso2022Kr),
    #[cfg(feature = "cns")]
    ("ISO-2022-CN", Encoding::Iso2022Cn),
    #[cfg(feature = "cns")]
    ("csISO2022CN", Encoding::Iso2022Cn),
    #[cfg(feature = "cns")]
    ("ISO-2022-CN-EXT", Encoding::Iso2022CnExt),
    #[cfg(feature = "cns")]
    ("csISO2022CNEXT", Encoding::Iso2022CnExt),
]);
#[cfg(not(feature = "glibc"))]
static IANA: Meanings<0> = Meanings::new([]);

/// Names of glibc for another table than the default.
#[cfg(feature = "glibc")]
#[rustfmt::skip]
static GLIBC: Meanings<{ 78 + 3 * HAS_CNS }> = Meanings::new([
    ("UNICODE", Encoding::Ucs2),
    ("UCS-2", UCS2),
    ("ISO-10646/UCS2", UCS2),
    ("OSF00010100", UCS2),
    ("OSF00010101", UCS2),
    ("OSF00010102", UCS2),
    ("UCS-4", Encoding::Ucs4Be),
    ("ISO-10646/UCS4", Encoding::Ucs4Be),
    ("CSUCS4", Encoding::Ucs4Be),
    ("ISO-10646", Encoding::Ucs4Be),
    ("10646-1:1993", Encoding::Ucs4Be),
    ("10646-1:1993/UCS4", Encoding::Ucs4Be),
    ("OSF00010104", Encoding::Ucs4Be),
    ("OSF00010105", Encoding::Ucs4Be),
    ("OSF00010106", Encoding::Ucs4Be),
    ("WCHAR_T", UCS4),
    ("CP1250", Encoding::Windows1250Glibc),
    ("WINDOWS-1250", Encoding::Windows1250Glibc),
    ("CP1251", Encoding::Windows1251Glibc),
    ("WINDOWS-1251", Encoding::Windows1251Glibc),
    ("CP1252", Encoding::Windows1252Glibc),
    ("WINDOWS-1252", Encoding::Windows1252Glibc),
    ("CP1253", Encoding::Windows1253Glibc),
    ("WINDOWS-1253", Encoding::Windows1253Glibc),
    ("CP1254", Encoding::Windows1254Glibc),
    ("WINDOWS-1254", Encoding::Windows1254Glibc),
    ("CP1257", Encoding::Windows1257Glibc),
    ("WINDOWS-1257", Encoding::Windows1257Glibc),
    ("ISO-8859-9", Encoding::Iso8859_9Glibc),
    ("ISO_8859-9:1989", Encoding::Iso8859_9Glibc),
    ("ISO-IR-148", Encoding::Iso8859_9Glibc),
    ("LATIN5", Encoding::Iso8859_9Glibc),
    ("L5", Encoding::Iso8859_9Glibc),
    ("CSISOLATIN5", Encoding::Iso8859_9Glibc),
    ("ISO-8859-11", Encoding::Iso8859_11Glibc),
    ("TIS-620", Encoding::Tis620Glibc),
    ("WINDOWS-874", Encoding::Ibm874),
    ("KOI-8", Encoding::Koi8Glibc),
    ("KOI8-RU", Encoding::Ibm1167),
    ("KOI8-U", Encoding::Koi8UGlibc),
    ("MACINTOSH", Encoding::MacintoshGlibc),
    ("MAC", Encoding::MacintoshGlibc),
    ("CSMACINTOSH", Encoding::MacintoshGlibc),
    ("EUC-KR", Encoding::EucKrGlibc),
    ("CSEUCKR", Encoding::EucKrGlibc),
    ("OSF0004000a", Encoding::EucKrGlibc),
    ("GB2312", Encoding::Gb2312Glibc),
    ("csGB2312", Encoding::Gb2312Glibc),
    ("GBK", Encoding::GbkGlibc),
    ("GB13000", Encoding::GbkGlibc),
    ("CP936", Encoding::GbkGlibc),
    ("MS936", Encoding::GbkGlibc),
    ("WINDOWS-936", Encoding::GbkGlibc),
    ("SJIS", Encoding::ShiftJisGlibc),
    ("SHIFT_JIS", Encoding::ShiftJisGlibc),
    ("MS_KANJI", Encoding::ShiftJisGlibc),
    ("CSSHIFTJIS", Encoding::ShiftJisGlibc),
    ("EUC-JP", Encoding::EucJpGlibc),
    ("CSEUCPKDFMTJAPANESE", Encoding::EucJpGlibc),
    ("OSF00030010", Encoding::EucJpGlibc),
    ("UJIS", Encoding::EucJpGlibc),
    ("BIG5", Encoding::Big5Glibc),
    ("BIG-FIVE", Encoding::Big5Glibc),
    ("CN-BIG5", Encoding::Big5Glibc),
    ("CP950", Encoding::Big5Glibc),
    ("BIG5-HKSCS", Encoding::Big5Hkscs),
    ("UHC", Encoding::Windows949Glibc),
    ("CP949", Encoding::Windows949Glibc),
    ("MSCP949", Encoding::Windows949Glibc),
    ("OSF100203B5", Encoding::Windows949Glibc),
    ("CP932", Encoding::Windows31JGlibc),
    ("WINDOWS-31J", Encoding::Windows31JGlibc),
    ("MS932", Encoding::Windows31JGlibc),
    ("SJIS-OPEN", Encoding::Windows31JGlibc),
    ("SJIS-WIN", Encoding::Windows31JGlibc),
    ("CSWINDOWS31J", Encoding::Windows31JGlibc),
    ("ISO-2022-KR", Encoding::Iso2022Kr),
    ("CSISO2022KR", Encoding::Iso2022Kr),
    #[cfg(feature = "cns")]
    ("ISO-2022-CN", Encoding::Iso2022Cn),
    #[cfg(feature = "cns")]
    ("CSISO2022CN", Encoding::Iso2022Cn),
    #[cfg(feature = "cns")]
    ("ISO-2022-CN-EXT", Encoding::Iso2022CnExt),
]);
#[cfg(not(feature = "glibc"))]
static GLIBC: Meanings<0> = Meanings::new([]);

fn by_default(label: &[u8]) -> Option<Encoding> {
    let wanted = hash_of(label)?;
    let mut at = wanted as usize % SLOTS;
    loop {
        let slot = TABLE[at];
        if slot.is_empty() {
            return None;
        }
        if slot.mark == mark_of(wanted) && is_same(slot.label().as_bytes(), label) {
            return Some(slot.encoding());
        }
        at = (at + 1) % SLOTS;
    }
}

/// The encoding with this label on the web.
#[cfg(feature = "legacy")]
pub(super) fn find_whatwg(label: &[u8]) -> Option<Encoding> {
    let is_space = |byte: &u8| matches!(byte, b'\t' | b'\n' | b'\x0C' | b'\r' | b' ');
    let start = label.iter().position(|byte| !is_space(byte))?;
    let end = label.iter().rposition(|byte| !is_space(byte))?;
    let label = &label[start..=end];
    let mut buffer = [0; LONGEST];
    let lower = buffer.get_mut(..label.len())?;
    lower.copy_from_slice(label);
    lower.make_ascii_lowercase();
    if let Some(encoding) = only_whatwg(lower) {
        return Some(encoding);
    }
    // The other labels of the web are those of its encodings here, letter for letter.
    let found = by_default(lower)?;
    let info = found.info();
    let is_known = core::iter::once(info.name)
        .chain(info.aliases.iter().copied().take(info.of_web))
        .any(|known| known.as_bytes().eq_ignore_ascii_case(lower));
    (is_known && info.origin == Origin::Whatwg).then_some(found)
}

/// Labels of WHATWG Encoding §4.2 that mean something else here, or nothing; in lower case.
#[cfg(feature = "legacy")]
fn only_whatwg(label: &[u8]) -> Option<Encoding> {
    Some(match label {
        b"unicode-1-1-utf-8" | b"unicode11utf8" | b"unicode20utf8" | b"utf-8" | b"utf8"
        | b"x-unicode20utf8" => Encoding::Utf8,
        b"ansi_x3.4-1968" | b"ascii" | b"cp819" | b"csisolatin1" | b"ibm819" | b"iso-8859-1"
        | b"iso-ir-100" | b"iso8859-1" | b"iso88591" | b"iso_8859-1" | b"iso_8859-1:1987"
        | b"l1" | b"latin1" | b"us-ascii" => Encoding::Windows1252,
        b"csunicode" | b"iso-10646-ucs-2" | b"ucs-2" | b"unicode" | b"unicodefeff" | b"utf-16"
        | b"utf-16le" => Encoding::Utf16Le,
        b"unicodefffe" | b"utf-16be" => Encoding::Utf16Be,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    extern crate std;

    use std::format;
    use std::string::String;
    use std::vec::Vec;

    use super::*;

    fn labels() -> impl Iterator<Item = (Encoding, &'static str)> {
        Encoding::ALL.iter().flat_map(|encoding| {
            let info = encoding.info();
            let labels = core::iter::once(info.name).chain(info.aliases.iter().copied());
            labels.map(|label| (*encoding, label))
        })
    }

    /// Other ways to write a label.
    fn variants(label: &str) -> Vec<String> {
        // Whether a zero leads a number may depend on what is between the digits.
        let is_between = |c: char| !c.is_ascii_alphanumeric() && !label.contains('0');
        let bare = label.replace(is_between, "");
        [label, &label.to_uppercase(), &label.to_lowercase(), &format!("_{label}-"), &bare]
            .map(String::from)
            .into()
    }

    #[test]
    fn every_label_is_found_however_it_is_written() {
        for (encoding, label) in labels() {
            for variant in variants(label) {
                assert_eq!(find(variant.as_bytes()), Some(encoding), "{variant}");
            }
            for other in [format!("{label}x"), format!("{label}é"), label.repeat(9)] {
                let known = labels().any(|(_, known)| known.eq_ignore_ascii_case(&other));
                assert!(known || find(other.as_bytes()).is_none(), "{other}");
            }
        }
        for zeros in ["utf-07", "UTF 0016le", "iso-08859-1"] {
            assert!(find(zeros.as_bytes()).is_some(), "{zeros}");
        }
        for nothing in ["", "-", " ", "_:_", "é"] {
            assert_eq!(find(nothing.as_bytes()), None, "{nothing:?}");
        }
    }

    /// A row of a list would be superfluous if it had the default meaning, or were there twice.
    #[test]
    #[cfg(feature = "glibc")]
    fn vocabularies_list_what_differs() {
        for (rows, labels) in [(&IANA.rows[..], Labels::Iana), (&GLIBC.rows[..], Labels::Glibc)] {
            for (label, encoding) in rows {
                assert_ne!(Encoding::for_label(label), Some(*encoding), "{label}");
                for variant in variants(label) {
                    assert_eq!(find_in(variant.as_bytes(), labels), Some(*encoding), "{variant}");
                }
                let hash = |label: &str| hash_of(label.as_bytes()).expect("a label");
                let same = rows.iter().filter(|(other, _)| hash(other) == hash(label));
                assert_eq!(same.count(), 1, "{label} in {labels}");
            }
        }
    }

    #[test]
    #[cfg(feature = "glibc")]
    fn a_label_may_name_its_vocabulary() {
        for (label, expected) in [
            ("ISO-8859-1/whatwg", Some(Encoding::Windows1252)),
            ("iso-8859-1/IANA", Some(Encoding::Iso8859_1)),
            ("latin5/glibc", Some(Encoding::Iso8859_9Glibc)),
            ("latin5/iana", Some(Encoding::Iso8859_9Glibc)),
            ("UTF-8/glibc", Some(Encoding::Utf8)),
            ("IBM437/whatwg", None),
            ("latin5/libiconv", None),
            ("/glibc", None),
        ] {
            assert_eq!(Encoding::for_label(label), expected, "{label}");
        }
    }

    #[test]
    fn encodings_are_found_by_their_numbers() {
        for encoding in Encoding::ALL {
            assert_eq!(Encoding::try_from(*encoding as u16), Ok(*encoding));
        }
        assert!(Encoding::ALL.is_sorted());
        assert!(Encoding::try_from(199).is_err() && Encoding::try_from(u16::MAX).is_err());
    }

    /// A search ends after a few steps.
    #[test]
    fn no_label_is_far_from_its_slot() {
        let count = labels().count();
        assert!(2 * count < SLOTS, "{count} labels");
        let mut run = 0;
        for slot in TABLE {
            run = if slot.is_empty() { 0 } else { run + 1 };
            assert!(run < 16, "{run} slots in a row");
        }
    }

    #[test]
    #[cfg(feature = "legacy")]
    fn labels_of_the_web_are_those_of_encoding_rs() {
        let others = [
            "unicode-1-1-utf-8",
            "unicode11utf8",
            "unicode20utf8",
            "x-unicode20utf8",
            "ascii",
            "ansi_x3.4-1968",
            "cp819",
            "csisolatin1",
            "ibm819",
            "iso8859-1",
            "iso88591",
            "iso-ir-100",
            "iso_8859-1",
            "iso_8859-1:1987",
            "l1",
            "latin1",
            "us-ascii",
            "csunicode",
            "ucs-2",
            "iso-10646-ucs-2",
            "unicode",
            "unicodefeff",
            "unicodefffe",
            "utf-16",
        ];
        let known = labels().map(|(_, label)| label).chain(others);
        let mut found = 0;
        for label in known.flat_map(|label| {
            variants(label)
                .into_iter()
                .chain([format!("\t\n {label}\x0C\r"), format!("\x0B{label}")])
        }) {
            let theirs = encoding_rs::Encoding::for_label(label.as_bytes());
            let ours = find_whatwg(label.as_bytes());
            let theirs = theirs.map(|theirs| theirs.name().to_lowercase());
            assert_eq!(ours.map(|ours| ours.name().to_lowercase()), theirs, "{label:?}");
            found += usize::from(ours.is_some());
        }
        assert!(found > 600, "{found}");
    }
}
