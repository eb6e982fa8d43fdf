//! Tables of planes of 94 by 94 characters, made of a text with a line for each row of each plane. A
//! dot is a cell without a character.

pub(in crate::codec) const WIDTH: usize = 94;
/// An empty cell. No character of the tables ends in FFFF.
const HOLE: u16 = 0xFFFF;
/// The number of code points of a page.
pub(in crate::codec) const BLOCK: usize = 64;
pub(in crate::codec) const BLOCKS: usize = 0x3_0000 / BLOCK;

/// The characters of a text, with the numbers of their cells.
struct Reader<'a> {
    text: &'a [u8],
    at: usize,
    row: usize,
    column: usize,
}

impl<'a> Reader<'a> {
    const fn new(text: &'a str) -> Self {
        Self { text: text.as_bytes(), at: 0, row: 0, column: 0 }
    }

    /// The next cell with a character, and its code point.
    const fn next(&mut self) -> Option<(usize, u32)> {
        let text = self.text;
        while self.at < text.len() {
            let byte = text[self.at];
            if byte == b'\n' {
                self.row += 1;
                self.column = 0;
                self.at += 1;
                continue;
            }
            let length = match byte {
                ..0x80 => 1,
                0x80..0xE0 => 2,
                0xE0..0xF0 => 3,
                _ => 4,
            };
            let mut point = if length == 1 { byte } else { byte & (0x7F >> length) } as u32;
            let mut next = 1;
            while next < length {
                point = point << 6 | (text[self.at + next] & 0x3F) as u32;
                next += 1;
            }
            self.at += length;
            self.column += 1;
            if point != '.' as u32 {
                return Some((self.row * WIDTH + self.column - 1, point));
            }
        }
        None
    }
}

/// The lower 16 bits of the code points of the cells, or a hole.
pub(in crate::codec) const fn units<const CELLS: usize>(text: &str) -> [u16; CELLS] {
    let mut units = [HOLE; CELLS];
    let mut reader = Reader::new(text);
    while let Some((cell, point)) = reader.next() {
        units[cell] = point as u16;
    }
    units
}

/// A bit for each cell: whether its code point is in plane 2 of Unicode.
pub(in crate::codec) const fn are_in_plane_2<const WORDS: usize>(text: &str) -> [u32; WORDS] {
    let mut bits = [0; WORDS];
    let mut reader = Reader::new(text);
    while let Some((cell, point)) = reader.next() {
        assert!(point >> 16 == 0 || point >> 16 == 2);
        bits[cell / 32] |= (point >> 17) << (cell % 32);
    }
    bits
}

/// The number of the page of each block of code points, and the number of pages: an empty one, and
/// those in use.
pub(in crate::codec) const fn page_of(text: &str) -> ([u16; BLOCKS], usize) {
    let mut numbers = [0; BLOCKS];
    let mut count = 0;
    let mut reader = Reader::new(text);
    while let Some((_, point)) = reader.next() {
        let number = &mut numbers[point as usize / BLOCK];
        if *number == 0 {
            count += 1;
            *number = count;
        }
    }
    (numbers, count as usize + 1)
}

/// The pages: the cells of code points, from 1.
pub(in crate::codec) const fn cell_of<const PAGES: usize>(text: &str) -> [[u16; BLOCK]; PAGES] {
    let (page_of, count) = page_of(text);
    assert!(count == PAGES);
    let mut pages = [[0; BLOCK]; PAGES];
    let mut reader = Reader::new(text);
    while let Some((cell, point)) = reader.next() {
        let slot = &mut pages[page_of[point as usize / BLOCK] as usize][point as usize % BLOCK];
        // If a character has two cells, the first is written.
        if *slot == 0 {
            *slot = cell as u16 + 1;
        }
    }
    pages
}

/// The code point of a cell.
pub(in crate::codec) fn point(units: &[u16], are_in_plane_2: &[u32], cell: usize) -> Option<u32> {
    match *units.get(cell)? {
        HOLE => None,
        unit => Some((are_in_plane_2[cell / 32] >> (cell % 32) & 1) << 17 | u32::from(unit)),
    }
}

/// The cell of a code point.
pub(in crate::codec) fn cell(page_of: &[u16], pages: &[[u16; BLOCK]], point: u32) -> Option<usize> {
    let page = page_of.get(point as usize / BLOCK)?;
    usize::from(pages[usize::from(*page)][point as usize % BLOCK]).checked_sub(1)
}

/// The code points up to U+FFFF in order, and the numbers of their cells.
#[cfg(feature = "cns")]
pub(in crate::codec) const fn sorted<const N: usize>(text: &str) -> [(u16, u16); N] {
    let mut all = [(0, 0); N];
    let mut count = 0;
    let mut reader = Reader::new(text);
    while let Some((cell, point)) = reader.next() {
        assert!(point <= 0xFFFF);
        let mut at = count;
        while at > 0 && all[at - 1].0 > point as u16 {
            all[at] = all[at - 1];
            at -= 1;
        }
        all[at] = (point as u16, cell as u16);
        count += 1;
    }
    assert!(count == N);
    all
}
