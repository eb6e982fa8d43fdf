//! Bytes of UTF-8 that a linter looks at: controls except tab, line feed and form feed, and the
//! first bytes of format characters, of noncharacters and of text that may have been encoded
//! twice.
//!
//! A byte is remarkable alone, or together with the two that follow it. Each class is a product of
//! sets of nibbles, so a few lookups find all classes at once. Some classes match more than they
//! are meant for, so a caller that is stopped checks again.

/// Sets of high and low nibbles of a byte that is remarkable alone.
const ALONE: [(u16, u16); 3] = [
    // 00 to 08, 0B, 0D to 0F; 10 to 1F; 7F.
    (0x0001, 0b1110_1001_1111_1111),
    (0x0002, 0xFFFF),
    (0x0080, 0x8000),
];

/// Sets of high and low nibbles of three bytes.
const TOGETHER: [[(u16, u16); 3]; 8] = [
    // C2 80..9F: C1 controls.
    [(1 << 0xC, 1 << 2), (0x0300, 0xFFFF), (0xFFFF, 0xFFFF)],
    // C3 80..BF, before C2, C5, C6, CB or E2: the bytes of `Ã©` and the like.
    [(1 << 0xC, 1 << 3), (0x0F00, 0xFFFF), (0x5000, 0b0000_1000_0110_0100)],
    // D8 9C: U+061C.
    [(1 << 0xD, 1 << 8), (1 << 9, 1 << 0xC), (0xFFFF, 0xFFFF)],
    // E2 80 8E..8F: U+200E and U+200F.
    [(1 << 0xE, 1 << 2), (1 << 8, 1 << 0), (1 << 8, 0xC000)],
    // E2 80 A9..AE: U+2029 to U+202E.
    [(1 << 0xE, 1 << 2), (1 << 8, 1 << 0), (1 << 0xA, 0x7E00)],
    // E2 81 A6..A9: U+2066 to U+2069.
    [(1 << 0xE, 1 << 2), (1 << 8, 1 << 1), (1 << 0xA, 0x03C0)],
    // EF B7, EF BB, EF BF: U+FDD0 to U+FDEF, U+FEFF, U+FFFD and their neighbours.
    [(1 << 0xE, 1 << 0xF), (1 << 0xB, 0x8880), (0xFFFF, 0xFFFF)],
    // F0..F4 8F..BF BF: U+nFFFE and U+nFFFF.
    [(1 << 0xF, 0x001F), (0x0F00, 1 << 0xF), (1 << 0xB, 1 << 0xF)],
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

/// For each high and each low nibble of the first, the second and the third byte, its classes.
pub(crate) const TOGETHER_BY_NIBBLE: [[[u8; 16]; 2]; 3] = {
    let mut tables = [[[0; 16]; 2]; 3];
    let mut byte = 0;
    while byte < 3 {
        let mut nibble = 0;
        while nibble < 16 {
            let mut class = 0;
            while class < TOGETHER.len() {
                let (high, low) = TOGETHER[class][byte];
                tables[byte][0][nibble] |= ((high >> nibble & 1) as u8) << class;
                tables[byte][1][nibble] |= ((low >> nibble & 1) as u8) << class;
                class += 1;
            }
            nibble += 1;
        }
        byte += 1;
    }
    tables
};

/// Number of bytes before the first remarkable one. Bytes after the end count as zeros.
pub(crate) fn prefix(src: &[u8]) -> usize {
    let byte = |at: usize| src.get(at).copied().unwrap_or(0);
    let is_remarkable = |at: &usize| is_remarkable([byte(*at), byte(at + 1), byte(at + 2)]);
    (0..src.len()).find(is_remarkable).unwrap_or(src.len())
}

fn is_remarkable(bytes: [u8; 3]) -> bool {
    let classes = |tables: &[[u8; 16]; 2], byte: u8| {
        tables[0][usize::from(byte >> 4)] & tables[1][usize::from(byte & 0xF)]
    };
    let [first, second, third] = &TOGETHER_BY_NIBBLE;
    let together = classes(first, bytes[0]) & classes(second, bytes[1]) & classes(third, bytes[2]);
    together | classes(&ALONE_BY_NIBBLE, bytes[0]) != 0
}
