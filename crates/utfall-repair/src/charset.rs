//! The single-byte charsets as which UTF-8 is wrongly decoded: those in the registry of `utfall`,
//! and the DOS code pages.
//!
//! The tables are inverted. For each character, they list the charsets in which it maps to a lead
//! byte of UTF-8, and those in which it maps to a continuation byte. So looking up two characters
//! shows, for all charsets at once, whether they can form a sequence. All of this is done when the
//! crate is compiled, so that the first repair costs as little as the next.

mod decode;

use std::fmt;

use decode::DECODE;

/// The charsets by name: the registered name, or that of the DOS code page. The number says how many
/// bits less likely each one is than the first as a wrong decoding.
const ALL: [(&str, i32); COUNT] = [
    ("windows-1252", 0),
    ("ISO-8859-1", 0),
    ("windows-1251", 2),
    ("windows-1250", 2),
    ("macintosh", 3),
    ("windows-1254", 4),
    ("windows-1253", 4),
    ("windows-1255", 4),
    ("windows-1256", 4),
    ("windows-1257", 4),
    ("windows-1258", 5),
    ("windows-874", 4),
    ("ISO-8859-2", 4),
    ("ISO-8859-15", 5),
    ("KOI8-R", 4),
    ("KOI8-U", 5),
    ("IBM866", 4),
    ("x-mac-cyrillic", 8),
    ("ISO-8859-5", 6),
    ("ISO-8859-7", 8),
    ("ISO-8859-4", 9),
    ("ISO-8859-10", 9),
    ("ISO-8859-13", 8),
    ("ISO-8859-14", 9),
    ("ISO-8859-16", 9),
    ("ISO-8859-3", 9),
    ("IBM437", 3),
    ("IBM850", 3),
    ("IBM852", 4),
    ("IBM855", 6),
    ("IBM858", 6),
    ("IBM720", 6),
    ("IBM737", 5),
    ("IBM775", 6),
    ("IBM860", 7),
    ("IBM861", 8),
    ("IBM862", 6),
    ("IBM863", 8),
    ("IBM865", 7),
    ("IBM869", 7),
];

const COUNT: usize = DECODE.len();
/// How many of the first are more likely than all others.
pub(crate) const COMMONEST: usize = 2;
/// Characters below this are looked up in an array.
const FLAT: usize = 0x2700;

/// A single-byte charset.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Charset(u8);

impl Charset {
    /// All charsets. Ties between equally good explanations go to the earlier one.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..COUNT as u8).map(Self)
    }

    /// The name, as registered with IANA where it is.
    pub fn name(self) -> &'static str {
        ALL[self.index()].0
    }

    /// Looks up a charset by name, ignoring ASCII case.
    ///
    /// ```
    /// # use utfall_repair::Charset;
    /// assert_eq!(Charset::from_name("windows-1252").unwrap().decode(0x80), Some('€'));
    /// ```
    pub fn from_name(name: &str) -> Option<Self> {
        Self::all().find(|charset| charset.name().eq_ignore_ascii_case(name))
    }

    /// The character for a byte, or `None` if the byte is unmapped.
    pub fn decode(self, byte: u8) -> Option<char> {
        match byte.checked_sub(0x80) {
            Some(high) => match DECODE[self.index()][usize::from(high)] {
                UNMAPPED => None,
                unit => char::from_u32(u32::from(unit)),
            },
            None => Some(char::from(byte)),
        }
    }

    /// The byte from 80 up that maps to this character.
    #[inline]
    pub(crate) fn high_byte(self, character: char) -> Option<u8> {
        match self.byte(Mark::of(character)) {
            0 => None,
            byte => Some(byte),
        }
    }

    /// The byte from 80 up that maps to a character, or 0.
    #[inline]
    pub(crate) fn byte(self, mark: Mark) -> u8 {
        TABLES.bytes[self.index()][usize::from(mark.0)]
    }

    /// Unmapped bytes, which a decoder loses.
    pub(crate) fn lost(self) -> &'static [u8] {
        let lost = &TABLES.lost[self.index()];
        &lost.bytes[..lost.count]
    }

    /// The bytes from 80 up that a decoder drops if it drops invisible characters: they are unmapped, controls or
    /// a soft hyphen. The lowest bit is that of 80.
    pub(crate) fn dropped(self) -> u128 {
        TABLES.dropped[self.index()]
    }

    pub(crate) fn index(self) -> usize {
        usize::from(self.0)
    }

    /// How many bits less likely it is than the first charset as a wrong decoding.
    pub(crate) fn prior(self) -> i32 {
        ALL[self.index()].1
    }

    /// The charsets in a bit set.
    pub(crate) fn of_set(mut set: u64) -> impl Iterator<Item = Self> {
        std::iter::from_fn(move || {
            let first = set.trailing_zeros();
            set &= set.wrapping_sub(1);
            (first < 64).then_some(Self(first as u8))
        })
    }
}

impl fmt::Debug for Charset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Marks bytes without a character in [`DECODE`].
const UNMAPPED: u16 = 0;

/// The number of a character in the tables. Characters that are in no charset have the same.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Mark(u16);

impl Mark {
    pub(crate) const NONE: Self = Self(0);

    #[inline]
    pub(crate) fn of(character: char) -> Self {
        Self(match TABLES.flat.get(character as usize) {
            Some(index) => *index,
            None => far(character).map_or(0, |far| TABLES.far[far]),
        })
    }

    #[inline]
    pub(crate) fn sets(self) -> &'static Marks {
        &TABLES.marks[usize::from(self.0)]
    }
}

/// The charsets with a character, as sets with one bit per charset.
#[derive(Clone, Copy)]
pub(crate) struct Marks {
    /// Charsets in which it maps to a lead byte of a multi-byte sequence.
    pub(crate) lead: u64,
    /// Charsets in which it maps to a continuation byte.
    pub(crate) more: u64,
    /// For each of the commonest charsets, the charsets that map it to the same byte, or to none as well.
    pub(crate) alike: [u64; COMMONEST],
}

#[inline]
pub(crate) fn marks(character: char) -> &'static Marks {
    Mark::of(character).sets()
}

/// The characters of `macintosh` and of the DOS pages that are not below [`FLAT`].
const fn far(character: char) -> Option<usize> {
    match character {
        '\u{F8FF}' => Some(0),
        '\u{FB01}' => Some(1),
        '\u{FB02}' => Some(2),
        _ => None,
    }
}

struct Tables<const MARKS: usize> {
    lost: [Lost; COUNT],
    dropped: [u128; COUNT],
    /// The first is that of characters that are in no charset.
    marks: [Marks; MARKS],
    /// The byte that maps to each of them, or 0.
    bytes: [[u8; MARKS]; COUNT],
    flat: [u16; FLAT],
    far: [u16; 3],
}

/// Bytes that a decoder loses.
#[derive(Clone, Copy)]
struct Lost {
    bytes: [u8; 128],
    count: usize,
}

/// How many characters all charsets have from 80 up.
const DISTINCT: usize = {
    let mut tables = Tables::<{ COUNT * 128 + 1 }>::EMPTY;
    tables.fill()
};

#[cfg(not(utfall_js))]
static TABLES: Tables<{ DISTINCT + 1 }> = {
    let mut tables = Tables::EMPTY;
    tables.fill();
    tables
};

/// Modules of `bindings/js` are loaded over a network, and compute the tables when they first
/// need them.
#[cfg(utfall_js)]
static TABLES: std::sync::LazyLock<Box<Tables<{ DISTINCT + 1 }>>> =
    std::sync::LazyLock::new(|| {
        let mut tables = Box::new(Tables::EMPTY);
        tables.fill();
        tables
    });

impl<const MARKS: usize> Tables<MARKS> {
    const EMPTY: Self = Self {
        lost: [Lost { bytes: [0; 128], count: 0 }; COUNT],
        dropped: [0; COUNT],
        marks: [Marks { lead: 0, more: 0, alike: [0; COMMONEST] }; MARKS],
        bytes: [[0; MARKS]; COUNT],
        flat: [0; FLAT],
        far: [0; 3],
    };

    /// Adds all charsets. Returns how many characters they have.
    const fn fill(&mut self) -> usize {
        let (mut count, mut at) = (0, 0);
        while at < COUNT * 128 {
            count = self.add(at / 128, at % 128, count);
            at += 1;
        }
        at = 0;
        while at <= count {
            self.compare(at);
            at += 1;
        }
        count
    }

    /// Finds the charsets that agree on a character with one of the commonest.
    const fn compare(&mut self, mark: usize) {
        let mut at = 0;
        while at < COMMONEST * COUNT {
            let (commonest, other) = (at / COUNT, at % COUNT);
            if self.bytes[commonest][mark] == self.bytes[other][mark] {
                self.marks[mark].alike[commonest] |= 1 << other;
            }
            at += 1;
        }
    }

    /// Adds a byte of a charset. `count` is how many characters there are so far.
    const fn add(&mut self, charset: usize, high: usize, mut count: usize) -> usize {
        let (unit, byte) = (DECODE[charset][high], high as u8 + 0x80);
        // The web's windows-1252 has C1 controls for unmapped bytes; stricter decoders lose them.
        if unit == UNMAPPED || (unit < 0xA0 && charset != LATIN1) {
            let lost = &mut self.lost[charset];
            lost.bytes[lost.count] = byte;
            lost.count += 1;
        }
        if matches!(unit, UNMAPPED..0xA0 | 0xAD) {
            self.dropped[charset] |= 1 << high;
        }
        let Some(character) = char::from_u32(unit as u32) else { return count };
        if unit == UNMAPPED {
            return count;
        }
        let index = if (unit as usize) < FLAT {
            &mut self.flat[unit as usize]
        } else if let Some(far) = far(character) {
            &mut self.far[far]
        } else {
            return count;
        };
        if *index == 0 {
            count += 1;
            *index = count as u16;
        }
        let marks = &mut self.marks[*index as usize];
        self.bytes[charset][*index as usize] = byte;
        match byte {
            0x80..=0xBF => marks.more |= 1 << charset,
            0xC2..=0xF4 => marks.lead |= 1 << charset,
            _ => {}
        }
        count
    }
}

/// The index of ISO-8859-1.
const LATIN1: usize = 1;

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use oem_cp::code_table as dos;
    use utfall::Encoding;

    use super::*;

    const DOS: [(&str, &[char; 128]); 14] = [
        ("IBM437", &dos::DECODING_TABLE_CP437),
        ("IBM850", &dos::DECODING_TABLE_CP850),
        ("IBM852", &dos::DECODING_TABLE_CP852),
        ("IBM855", &dos::DECODING_TABLE_CP855),
        ("IBM858", &dos::DECODING_TABLE_CP858),
        ("IBM720", &dos::DECODING_TABLE_CP720),
        ("IBM737", &dos::DECODING_TABLE_CP737),
        ("IBM775", &dos::DECODING_TABLE_CP775),
        ("IBM860", &dos::DECODING_TABLE_CP860),
        ("IBM861", &dos::DECODING_TABLE_CP861),
        ("IBM862", &dos::DECODING_TABLE_CP862),
        ("IBM863", &dos::DECODING_TABLE_CP863),
        ("IBM865", &dos::DECODING_TABLE_CP865),
        ("IBM869", &dos::DECODING_TABLE_CP869),
    ];

    fn decoded(name: &str, byte: u8) -> Option<char> {
        if let Some((_, table)) = DOS.iter().find(|(dos, _)| *dos == name) {
            return Some(table[usize::from(byte - 0x80)]);
        }
        let byte = [byte];
        let text = Encoding::for_label(name).unwrap().decode(&byte).ok()?;
        // A charset of the registry may itself decode to U+FFFD.
        text.chars().next().filter(|c| *c != char::REPLACEMENT_CHARACTER)
    }

    /// The decoders of other crates define the table.
    #[test]
    fn tables_are_those_of_the_decoders() {
        let mut page = "\
//! The characters of the bytes from 80 up in each charset, as UTF-16; 0 if unmapped. Made from the tables of
//! `utfall` and `oem_cp` by `UTFALL_BLESS=1 cargo test -p utfall-repair --lib tables`.

#[rustfmt::skip]
pub(super) const DECODE: [[u16; 128]; 40] = [\n"
            .to_owned();
        for (name, _) in ALL {
            _ = writeln!(page, "    // {name}\n    [");
            for row in 0..8 {
                page += "       ";
                for column in 0..16 {
                    let unit = decoded(name, 0x80 + 16 * row + column).map_or(0, u32::from);
                    _ = write!(page, " 0x{unit:04X},");
                }
                page += "\n";
            }
            page += "    ],\n";
        }
        page += "];\n";
        utfall_page::compare("crates/utfall-repair/src/charset/decode.rs", &page);
    }

    #[test]
    fn tables_are_turned_round() {
        for charset in Charset::all() {
            let mut characters = 0;
            for byte in 0x80..=0xFF {
                let Some(character) = charset.decode(byte) else {
                    assert!(charset.lost().contains(&byte), "{charset:?} {byte:02X}");
                    continue;
                };
                characters += 1;
                assert_eq!(charset.high_byte(character), Some(byte), "{charset:?} {byte:02X}");
                let (lead, more) = (marks(character).lead, marks(character).more);
                assert_eq!(lead >> charset.0 & 1 == 1, (0xC2..=0xF4).contains(&byte));
                assert_eq!(more >> charset.0 & 1 == 1, byte < 0xC0);
            }
            assert!(('\0'..='\x7F').all(|character| charset.high_byte(character).is_none()));
            assert!(characters > 90, "{charset:?} has {characters}");
            assert_eq!(Charset::from_name(charset.name()), Some(charset));
        }
        assert_eq!(Charset(LATIN1 as u8).name(), "ISO-8859-1");
    }

    #[test]
    fn commonest_charsets() {
        for charset in Charset::all() {
            assert_eq!(charset.index() < COMMONEST, charset.prior() == 0);
        }
    }

    #[test]
    fn lost_bytes() {
        let lost = |name: &str| Charset::from_name(name).unwrap().lost();
        assert_eq!(lost("windows-1252"), [0x81, 0x8D, 0x8F, 0x90, 0x9D]);
        assert_eq!(lost("ISO-8859-1"), []);
        assert_eq!(lost("windows-1251"), [0x98]);
    }
}
