//! Bytes of UTF-8 that a linter looks at: controls except tab, line feed and form feed, and the
//! first bytes of format characters, of other invisible characters, of noncharacters, of text that
//! may have been encoded twice, and of letters beside those of another script.
//!
//! A byte is remarkable alone, or together with those that follow it. Each class is a product of
//! sets of nibbles, so a few lookups find eight classes at once. Some classes match more than they
//! are meant for, so a caller that is stopped checks again. Classes of rare bytes are looked up only
//! in blocks that have such bytes.

/// Sets of high and low nibbles of a byte that is remarkable alone: the first five classes. The
/// others say what else is looked up.
const ALONE: [(u16, u16); 8] = [
    // 00 to 08, 0B, 0D to 0F; 10 to 1F; 7F.
    (0x0001, 0b1110_1001_1111_1111),
    (0x0002, 0xFFFF),
    (0x0080, 0x8000),
    // CD: U+034F, and others up to U+037F, which are rare.
    (1 << 0xC, 1 << 0xD),
    // F3: tag characters and variation selectors.
    (1 << 0xF, 1 << 3),
    // C9, CA and F0, and bytes that are never in UTF-8.
    (0x9000, 0x0601),
    // E1, E2, EA, EF.
    (1 << 0xE, 0x8406),
    // X and x.
    (0x00A0, 1 << 8),
];

/// The classes of bytes that are remarkable alone.
pub(crate) const FOUND: u8 = 0x1F;
/// The first bytes of characters of [`AROUND`].
pub(crate) const RARE_LEAD: u8 = 0x20;
/// The same, if they are beside an ASCII letter.
pub(crate) const LEAD: u8 = 0x40;
/// An `x`, which is remarkable before an `n`: `xn--` begins a label in Punycode.
pub(crate) const X: u8 = 0x80;

/// ASCII letters, and others from U+0040 to U+007F.
const LETTER: (u16, u16) = (0x00F0, 0xFFFF);
const ANY: (u16, u16) = (0xFFFF, 0xFFFF);

/// Sets of high and low nibbles of three bytes.
const TOGETHER: [[[(u16, u16); 3]; 8]; 2] = [
    [
        // C2 80..9F: C1 controls.
        [(1 << 0xC, 1 << 2), (0x0300, 0xFFFF), ANY],
        // C3 80..BF, before C2, C5, C6, CB or E2: the bytes of `Ã©` and the like.
        [(1 << 0xC, 1 << 3), (0x0F00, 0xFFFF), (0x5000, 0b0000_1000_0110_0100)],
        // D8 9C: U+061C.
        [(1 << 0xD, 1 << 8), (1 << 9, 1 << 0xC), ANY],
        // E2 80 8B..8F: U+200B to U+200F.
        [(1 << 0xE, 1 << 2), (1 << 8, 1 << 0), (1 << 8, 0xF800)],
        // E2 80 A9..AE: U+2029 to U+202E.
        [(1 << 0xE, 1 << 2), (1 << 8, 1 << 0), (1 << 0xA, 0x7E00)],
        // E2 81 A0..AF: U+2060 to U+206F.
        [(1 << 0xE, 1 << 2), (1 << 8, 1 << 1), (1 << 0xA, 0xFFFF)],
        // EF B7, B8, BB, BE, BF: U+FDD0 to U+FDEF, U+FE00 to U+FE0F, U+FEFF, U+FFA0, U+FFF0 to
        // U+FFFD and their neighbours.
        [(1 << 0xE, 1 << 0xF), (1 << 0xB, 0xC980), ANY],
        // F0..F4 8F..BF BF: U+nFFFE and U+nFFFF. F0 9B B2, F0 9D 85: U+1BCA0 to U+1BCA3, U+1D173
        // to U+1D17A. And others of the same nibbles.
        [(1 << 0xF, 0x001F), (0x0F00, 0xA800), (0x0900, 0x8024)],
    ],
    [
        // C2 AD: the soft hyphen.
        [(1 << 0xC, 1 << 2), (1 << 0xA, 1 << 0xD), ANY],
        // E1 85 9F, E1 85 A0, E3 85 A4: U+115F, U+1160, U+3164 and a few other jamo.
        [(1 << 0xE, 0x000A), (1 << 8, 1 << 5), (0x0600, 0x8011)],
        // E1 9E B4..B5: U+17B4 and U+17B5.
        [(1 << 0xE, 1 << 1), (1 << 9, 1 << 0xE), (1 << 0xB, 0x0030)],
        // E1 A0 8B..8F, E2 A0 80: U+180B to U+180F, U+2800 and their neighbours.
        [(1 << 0xE, 0x0006), (1 << 0xA, 1 << 0), (1 << 8, 0xF801)],
        // An ASCII letter, then CE..CF or D0..D7: Greek, or Cyrillic, Armenian and Hebrew.
        [LETTER, (1 << 0xC, 0xC000), ANY],
        [LETTER, (1 << 0xD, 0x00FF), ANY],
        // The same in reverse.
        [(1 << 0xC, 0xC000), (0x0F00, 0xFFFF), LETTER],
        [(1 << 0xD, 0x00FF), (0x0F00, 0xFFFF), LETTER],
    ],
];

/// Sets of nibbles of four bytes, in text with bytes of [`RARE_LEAD`], or of [`LEAD`] and ASCII
/// letters.
const AROUND: [[(u16, u16); 4]; 5] = [
    // An ASCII letter, then C9 91, A1, AA, AF or CA 8F: phonetic letters.
    [LETTER, (1 << 0xC, 0x0600), (0x0700, 0x8403), ANY],
    // An ASCII letter, then E1 8E..8F, B2, B4..B6, E2 84..85, B2..B5, EA 93, 9C..9F, AC..AE or EF
    // BC..BD: Cherokee, phonetic letters, letterlike symbols, Roman numerals, Coptic, Tifinagh,
    // Lisu, fullwidth letters and digits.
    [LETTER, (1 << 0xE, 0x8406), (0x0F00, 0xF07C), ANY],
    // The same in reverse.
    [(1 << 0xC, 0x0600), (0x0700, 0x8403), LETTER, ANY],
    [(1 << 0xE, 0x8406), (0x0F00, 0xF07C), (0x0F00, 0xFFFF), LETTER],
    // F0 9D 90..9F: mathematical letters and digits.
    [(1 << 0xF, 1 << 0), (1 << 9, 1 << 0xD), (1 << 9, 0xFFFF), ANY],
];

/// For each high and each low nibble, the classes of bytes that are remarkable alone.
pub(crate) const ALONE_BY_NIBBLE: [[u8; 16]; 2] = {
    let mut tables = [[0; 16]; 2];
    let mut nibble = 0;
    while nibble < 16 {
        let mut class = 0;
        while class < ALONE.len() {
            tables[0][nibble] |= ((ALONE[class].0 >> nibble & 1) as u8) << class;
            tables[1][nibble] |= ((ALONE[class].1 >> nibble & 1) as u8) << class;
            class += 1;
        }
        nibble += 1;
    }
    tables
};

/// For each high and each low nibble of each byte, its classes.
pub(crate) type ByNibble<const BYTES: usize> = [[[u8; 16]; 2]; BYTES];

/// For the first and the second eight classes.
pub(crate) const TOGETHER_BY_NIBBLE: [ByNibble<3>; 2] =
    [by_nibble(&TOGETHER[0]), by_nibble(&TOGETHER[1])];

/// For the classes of four bytes.
pub(crate) const AROUND_BY_NIBBLE: ByNibble<4> = by_nibble(&AROUND);

const fn by_nibble<const BYTES: usize>(classes: &[[(u16, u16); BYTES]]) -> ByNibble<BYTES> {
    let mut tables = [[[0; 16]; 2]; BYTES];
    let mut byte = 0;
    while byte < BYTES {
        let mut nibble = 0;
        while nibble < 16 {
            let mut class = 0;
            while class < classes.len() {
                let (high, low) = classes[class][byte];
                tables[byte][0][nibble] |= ((high >> nibble & 1) as u8) << class;
                tables[byte][1][nibble] |= ((low >> nibble & 1) as u8) << class;
                class += 1;
            }
            nibble += 1;
        }
        byte += 1;
    }
    tables
}

/// Number of bytes before the first remarkable one. Bytes after the end count as zeros.
pub(crate) fn prefix(src: &[u8]) -> usize {
    let byte = |at: usize| src.get(at).copied().unwrap_or(0);
    let is_remarkable =
        |at: &usize| is_remarkable([byte(*at), byte(at + 1), byte(at + 2), byte(at + 3)]);
    (0..src.len()).find(is_remarkable).unwrap_or(src.len())
}

/// The classes of a byte on its own.
pub(crate) const fn alone(byte: u8) -> u8 {
    classes(&ALONE_BY_NIBBLE, byte)
}

const fn classes(tables: &[[u8; 16]; 2], byte: u8) -> u8 {
    tables[0][(byte >> 4) as usize] & tables[1][(byte & 0xF) as usize]
}

fn is_remarkable(bytes: [u8; 4]) -> bool {
    let all = |tables: &[[[u8; 16]; 2]]| {
        let classes = tables.iter().zip(bytes).map(|(tables, byte)| classes(tables, byte));
        classes.fold(0xFF, |all, one| all & one) != 0
    };
    let alone = alone(bytes[0]);
    let is_label = alone & X != 0 && bytes[1] | 0x20 == b'n';
    // Two bytes of US-ASCII begin nothing else.
    let is_ascii = bytes[0] < 0x80 && bytes[1] < 0x80;
    alone & FOUND != 0
        || is_label
        || !is_ascii && (TOGETHER_BY_NIBBLE.iter().any(|it| all(it)) || all(&AROUND_BY_NIBBLE))
}
