//! The single-byte charsets as which UTF-8 is wrongly decoded: those in the registry of `utfall`,
//! and the DOS code pages.
//!
//! The tables are inverted. For each character, they list the charsets in which it maps to a lead
//! byte of UTF-8, and those in which it maps to a continuation byte. So looking up two characters
//! shows, for all charsets at once, whether they can form a sequence.

use std::fmt;
use std::sync::LazyLock;

use oem_cp::code_table as dos;
use utfall::Encoding;

/// Charsets of the registry, by registered name. The number says how many bits less likely each one
/// is than the first as a wrong decoding.
const REGISTERED: [(&str, i32); 26] = [
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
    ("x-mac-cyrillic", 6),
    ("ISO-8859-5", 6),
    ("ISO-8859-7", 5),
    ("ISO-8859-4", 6),
    ("ISO-8859-10", 7),
    ("ISO-8859-13", 6),
    ("ISO-8859-14", 7),
    ("ISO-8859-16", 7),
    ("ISO-8859-3", 7),
];

/// DOS code pages that are not in the registry.
const DOS: [(&str, i32, &[char; 128]); 14] = [
    ("IBM437", 3, &dos::DECODING_TABLE_CP437),
    ("IBM850", 3, &dos::DECODING_TABLE_CP850),
    ("IBM852", 4, &dos::DECODING_TABLE_CP852),
    ("IBM855", 6, &dos::DECODING_TABLE_CP855),
    ("IBM858", 4, &dos::DECODING_TABLE_CP858),
    ("IBM720", 6, &dos::DECODING_TABLE_CP720),
    ("IBM737", 5, &dos::DECODING_TABLE_CP737),
    ("IBM775", 6, &dos::DECODING_TABLE_CP775),
    ("IBM860", 6, &dos::DECODING_TABLE_CP860),
    ("IBM861", 7, &dos::DECODING_TABLE_CP861),
    ("IBM862", 6, &dos::DECODING_TABLE_CP862),
    ("IBM863", 7, &dos::DECODING_TABLE_CP863),
    ("IBM865", 6, &dos::DECODING_TABLE_CP865),
    ("IBM869", 7, &dos::DECODING_TABLE_CP869),
];

const COUNT: usize = REGISTERED.len() + DOS.len();
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
        let index = usize::from(self.0);
        match REGISTERED.get(index) {
            Some((name, _)) => name,
            None => DOS[index - REGISTERED.len()].0,
        }
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
            Some(high) => TABLES.decode[usize::from(self.0)][usize::from(high)],
            None => Some(char::from(byte)),
        }
    }

    /// The byte from 80 up that maps to this character.
    pub(crate) fn high_byte(self, character: char) -> Option<u8> {
        match marks(character).bytes.get(usize::from(self.0)) {
            Some(0) | None => None,
            byte => byte.copied(),
        }
    }

    /// Unmapped bytes, which a decoder loses.
    pub(crate) fn lost(self) -> &'static [u8] {
        &TABLES.lost[usize::from(self.0)]
    }

    pub(crate) fn index(self) -> usize {
        usize::from(self.0)
    }

    /// How many bits less likely it is than the first charset as a wrong decoding.
    pub(crate) fn prior(self) -> i32 {
        let index = usize::from(self.0);
        match REGISTERED.get(index) {
            Some((_, prior)) => *prior,
            None => DOS[index - REGISTERED.len()].1,
        }
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

/// The bytes to which a character maps, by charset. The sets have one bit per charset.
pub(crate) struct Marks {
    /// Charsets in which it maps to a lead byte of a multi-byte sequence.
    pub(crate) lead: u64,
    /// Charsets in which it maps to a continuation byte.
    pub(crate) more: u64,
    bytes: [u8; COUNT],
}

pub(crate) fn marks(character: char) -> &'static Marks {
    let tables = &*TABLES;
    let index = match tables.flat.get(character as usize) {
        Some(index) => *index,
        None => far(character).map_or(0, |far| tables.far[far]),
    };
    &tables.marks[usize::from(index)]
}

/// The characters of `macintosh` and of the DOS pages that are not below [`FLAT`].
fn far(character: char) -> Option<usize> {
    match character {
        '\u{F8FF}' => Some(0),
        '\u{FB01}' => Some(1),
        '\u{FB02}' => Some(2),
        _ => None,
    }
}

struct Tables {
    decode: Vec<[Option<char>; 128]>,
    lost: Vec<Vec<u8>>,
    marks: Vec<Marks>,
    flat: Box<[u16; FLAT]>,
    far: [u16; 3],
}

static TABLES: LazyLock<Tables> = LazyLock::new(|| {
    let mut tables = Tables {
        decode: Vec::with_capacity(COUNT),
        lost: Vec::with_capacity(COUNT),
        marks: vec![Marks { lead: 0, more: 0, bytes: [0; COUNT] }],
        flat: Box::new([0; FLAT]),
        far: [0; 3],
    };
    for (name, _) in REGISTERED {
        tables.add(registered(name));
    }
    for (_, _, table) in DOS {
        tables.add(table.map(Some));
    }
    tables
});

fn registered(name: &str) -> [Option<char>; 128] {
    let encoding = Encoding::for_label(name);
    std::array::from_fn(|high| {
        let byte = [high as u8 + 0x80];
        let text = encoding?.decode(&byte).ok()?;
        // A charset of the registry may itself decode to U+FFFD.
        text.chars().next().filter(|c| *c != char::REPLACEMENT_CHARACTER)
    })
}

impl Tables {
    fn add(&mut self, decode: [Option<char>; 128]) {
        let charset = self.decode.len();
        let mut lost = Vec::new();
        for (byte, character) in (0x80..=0xFF).zip(decode) {
            let Some(character) = character else {
                lost.push(byte);
                continue;
            };
            // The web's windows-1252 has C1 controls for unmapped bytes; stricter decoders lose
            // them.
            if character.is_control() && charset != LATIN1 {
                lost.push(byte);
            }
            let index = match self.flat.get_mut(character as usize) {
                Some(index) => index,
                None => match far(character) {
                    Some(far) => &mut self.far[far],
                    None => continue,
                },
            };
            if *index == 0 {
                *index = self.marks.len() as u16;
                self.marks.push(Marks { lead: 0, more: 0, bytes: [0; COUNT] });
            }
            let marks = &mut self.marks[usize::from(*index)];
            marks.bytes[charset] = byte;
            match byte {
                0x80..=0xBF => marks.more |= 1 << charset,
                0xC2..=0xF4 => marks.lead |= 1 << charset,
                _ => {}
            }
        }
        self.decode.push(decode);
        self.lost.push(lost);
    }
}

/// The index of ISO-8859-1.
const LATIN1: usize = 1;

#[cfg(test)]
mod tests {
    use super::*;

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
            assert!(characters > 90, "{charset:?} has {characters}");
            assert_eq!(Charset::from_name(charset.name()), Some(charset));
        }
        assert_eq!(Charset(LATIN1 as u8).name(), "ISO-8859-1");
    }

    #[test]
    fn lost_bytes() {
        let lost = |name: &str| Charset::from_name(name).unwrap().lost();
        assert_eq!(lost("windows-1252"), [0x81, 0x8D, 0x8F, 0x90, 0x9D]);
        assert_eq!(lost("ISO-8859-1"), []);
        assert_eq!(lost("windows-1251"), [0x98]);
    }
}
