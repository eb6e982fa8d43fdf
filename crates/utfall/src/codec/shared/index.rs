//! Tables of East Asian charsets, made at compile time of the indexes in `codec/index`, or in modules of
//! WebAssembly at run time of the packed indexes there.
//!
//! The indexes are those of the Encoding Standard (<https://encoding.spec.whatwg.org/#indexes>),
//! which are under the BSD 3-clause license in source code (`codec/index/LICENSE.txt`). `tests/it/indexes.rs`
//! generates them.
//!
//! An index has a line for each lead byte, with one character for each trail byte. Decoding looks
//! up a cell by lead and trail byte. Encoding looks up a page of 64 code points, then the code.

use utfall_simd::pairs;

/// Defines tables: made at compile time, or in a module of WebAssembly when they are first used. A browser
/// loads all of a module, and the index is smaller.
macro_rules! tables {
    ($($(#[$attribute:meta])* $visibility:vis static $name:ident: $type:ty = $value:expr;)*) => { $(
        #[cfg(not(all(target_arch = "wasm32", target_os = "unknown", feature = "std")))]
        #[allow(clippy::needless_borrow, reason = "needed for the texts of WebAssembly")]
        $(#[$attribute])*
        $visibility static $name: $type = $value;

        #[cfg(all(target_arch = "wasm32", target_os = "unknown", feature = "std"))]
        $(#[$attribute])*
        $visibility static $name: std::sync::LazyLock<std::boxed::Box<$type>> =
            std::sync::LazyLock::new(|| std::boxed::Box::new($value));
    )* };
}
pub(in crate::codec) use tables;

/// Defines texts of indexes for [`tables`]: the ones that are given, or in a module of WebAssembly what a
/// function unpacks when it is first used.
macro_rules! texts {
    ($($visibility:vis static $name:ident = $text:ident or $unpacked:expr;)*) => { $(
        #[cfg(not(all(target_arch = "wasm32", target_os = "unknown", feature = "std")))]
        $visibility const $name: &str = $text;

        #[cfg(all(target_arch = "wasm32", target_os = "unknown", feature = "std"))]
        $visibility static $name: std::sync::LazyLock<&str> =
            std::sync::LazyLock::new(|| $unpacked);
    )* };
}
pub(in crate::codec) use texts;

/// The text of a packed index, for [`texts`].
#[cfg(all(target_arch = "wasm32", target_os = "unknown", feature = "std"))]
pub(in crate::codec) fn unpacked(
    packed: &[u8],
    layout: crate::packed::cells::Layout,
) -> &'static str {
    let mut unpacker = crate::packed::Coder::unpacker(packed);
    crate::packed::cells::Cells::unused().code(&mut unpacker, layout, "").leak()
}

/// The layouts of indexes with 126 rows, by the charset whose standard was extended.
#[cfg(any(
    all(test, feature = "alloc"),
    all(target_arch = "wasm32", target_os = "unknown", feature = "std")
))]
pub(in crate::codec) mod layouts {
    use crate::packed::cells::Layout;

    const WIDE: Layout = Layout::new((0x81, 0xFE), (0x40, 0xFE));

    /// GB 2312 in GB 18030.
    pub(in crate::codec) const GB18030: Layout =
        Layout { older: [(0xA1, 0xF7), (0xA1, 0xFE)], ..WIDE };
    /// KS X 1001 in windows-949.
    pub(in crate::codec) const EUC_KR: Layout =
        Layout { older: [(0xA1, 0xFE), (0xA1, 0xFE)], ..WIDE };
    /// Big5 without the characters of Hong Kong.
    pub(in crate::codec) const BIG5: Layout =
        Layout { older: [(0xA1, 0xFE), (0x40, 0xFE)], ..WIDE };
    pub(in crate::codec) const SHIFT_JIS: Layout = Layout::new((0x81, 0xFC), (0x40, 0xFC));
    pub(in crate::codec) const JIS_X_0212: Layout = Layout::new((0xA1, 0xFE), (0xA1, 0xFE));
}

/// A cell without a character. No cell has a surrogate, so those after it can be
/// [code points above U+FFFF](beyond), by their number.
pub(in crate::codec) const HOLE: u16 = pairs::HOLE;

/// Whether a cell has no code point, or one above U+FFFF.
#[inline(always)]
pub(in crate::codec) const fn is_special(cell: u16) -> bool {
    cell & 0xF800 == HOLE
}

/// How lead and trail bytes map to cells.
#[derive(Clone, Copy)]
pub(in crate::codec) struct Grid {
    /// The lead byte of the first line of the index.
    pub(in crate::codec) first_lead: u8,
    /// The trail byte of the first character of a line.
    pub(in crate::codec) first_trail: u8,
    /// The cells of a row.
    pub(in crate::codec) width: usize,
    /// The trail byte of the first column.
    pub(in crate::codec) from: u8,
}

/// Rows, and trail bytes from 40 on: those of most charsets.
const ROWS: usize = 0x80;
const WIDTH: usize = 0xC0;

impl Grid {
    /// Trail bytes from 40 to FE.
    pub(in crate::codec) const WIDE: Self =
        Self { first_lead: 0x81, first_trail: 0x40, width: WIDTH, from: 0 };

    const fn cell(self, lead: usize, column: usize) -> usize {
        (lead & 0x7F) * self.width + column + (self.first_trail - self.from) as usize
    }
}

/// The number of cells of US-ASCII, which follow the pairs.
pub(in crate::codec) const ASCII: usize = 0x80;

/// The cells of a [wide grid](Grid::WIDE).
pub(in crate::codec) type Wide = [u16; ROWS * WIDTH + 0x40 + ASCII];

/// The cell of a pair with a trail byte from 40 on.
#[inline(always)]
pub(in crate::codec) fn wide_cell(cells: &Wide, lead: u8, trail: u8) -> u16 {
    cells[usize::from(lead & 0x7F) * WIDTH + usize::from(trail)]
}

/// The same for kernels.
pub(in crate::codec) fn wide_cells(cells: &[u16], trail_bits: u8) -> pairs::Cells<'_> {
    pairs::Cells::new(cells, WIDTH as u8, 0xFF, trail_bits)
}

/// The cells of an index, and of US-ASCII.
pub(in crate::codec) const fn cells<const N: usize>(text: &str, grid: Grid) -> [u16; N] {
    let mut cells = [HOLE; N];
    let mut byte = 0;
    while byte < ASCII {
        cells[N - ASCII + byte] = byte as u16;
        byte += 1;
    }
    let mut beyond = HOLE;
    let mut reader = Reader::new(text, grid);
    while let Some(entry) = reader.next() {
        cells[grid.cell(entry.lead, entry.column)] = if entry.point > 0xFFFF {
            beyond += 1;
            beyond
        } else {
            entry.point as u16
        };
    }
    cells
}

/// The code points above U+FFFF of an index, less 2_0000. The first is the one of the cell after
/// [`HOLE`].
pub(in crate::codec) const fn beyond<const N: usize>(text: &str, grid: Grid) -> [u16; N] {
    let mut found = [0; N];
    let mut count = 0;
    let mut reader = Reader::new(text, grid);
    while let Some(entry) = reader.next() {
        if entry.point > 0xFFFF {
            assert!(entry.point >> 16 == 2);
            found[count] = entry.point as u16;
            count += 1;
        }
    }
    assert!(count == N);
    found
}

/// A code point above U+FFFF, less 2_0000, and its two bytes.
pub(in crate::codec) type Beyond = (u16, u16);

/// Those that can be encoded, in order: from the lead byte `from` on.
pub(in crate::codec) const fn beyond_codes<const N: usize>(
    text: &str,
    grid: Grid,
    from: usize,
) -> [Beyond; N] {
    let mut found = [(0, 0); N];
    let mut count = 0;
    let mut reader = Reader::new(text, grid);
    while let Some(entry) = reader.next() {
        if entry.point > 0xFFFF && entry.lead >= from {
            let point = entry.point as u16;
            let mut at = count;
            while at > 0 && found[at - 1].0 > point {
                found[at] = found[at - 1];
                at -= 1;
            }
            found[at] = (point, entry.code(grid));
            count += 1;
        }
    }
    assert!(count == N);
    found
}

/// Changes to an inverted index.
#[derive(Clone, Copy)]
pub(in crate::codec) struct Changes {
    /// Codes that are never written: the first and the last of each range.
    pub(in crate::codec) unused: &'static [(u16, u16)],
    /// Code points and their codes, instead of those of the index; 0 for none. A code below 100 is
    /// a single byte.
    pub(in crate::codec) set: &'static [(u16, u16)],
    /// The code of U+FF61, which 62 others follow; 0 if they are as in the index.
    pub(in crate::codec) halfwidth: u16,
}

impl Changes {
    pub(in crate::codec) const NONE: Self = Self { unused: &[], set: &[], halfwidth: 0 };

    const fn uses(self, code: u16) -> bool {
        let mut at = 0;
        while at < self.unused.len() {
            if self.unused[at].0 <= code && code <= self.unused[at].1 {
                return false;
            }
            at += 1;
        }
        true
    }
}

const PAGE: usize = 64;

/// The halfwidth forms of katakana and their punctuation.
const HALFWIDTH: core::ops::Range<u16> = 0xFF61..0xFFA0;

/// The codes of code points up to U+FFFF: [flat](FLAT), or in pages.
pub(in crate::codec) struct Codes<const N: usize> {
    /// Where the page of each 64 code points begins. Unused if the codes are flat.
    pages: [u16; 0x1_0000 / PAGE],
    /// The first page is that of code points without codes.
    codes: [u16; N],
}

/// The number of codes of a flat table, which has one for each code point. A lookup takes half the
/// time of a lookup in pages.
const FLAT: usize = 0x1_0000;

impl<const N: usize> Codes<N> {
    /// The code, or 0.
    #[inline(always)]
    pub(in crate::codec) fn get(&self, unit: u16) -> u16 {
        if N == FLAT {
            return self.codes[usize::from(unit) % N];
        }
        let page = usize::from(self.pages[usize::from(unit) / PAGE]);
        // The minimum changes nothing, and costs less than a branch.
        self.codes[(page + usize::from(unit) % PAGE).min(N - 1)]
    }

    /// Inverts an index. Of several codes of one code point, the first is used.
    pub(in crate::codec) const fn new(text: &str, grid: Grid, changes: Changes) -> Self {
        let pages = if N == FLAT { [0; 0x1_0000 / PAGE] } else { pages(text, grid, changes) };
        let mut this = Self { pages, codes: [0; N] };
        let mut ascii = 0;
        while ascii < 0x80 {
            let slot = this.slot(ascii);
            this.codes[slot] = ascii;
            ascii += 1;
        }
        let mut reader = Reader::new(text, grid);
        while let Some(entry) = reader.next() {
            let code = entry.code(grid);
            if entry.point <= 0xFFFF && changes.uses(code) {
                let slot = this.slot(entry.point as u16);
                if this.codes[slot] == 0 {
                    this.codes[slot] = code;
                }
            }
        }
        let mut at = 0;
        while at < changes.set.len() {
            let slot = this.slot(changes.set[at].0);
            this.codes[slot] = changes.set[at].1;
            at += 1;
        }
        let mut point = HALFWIDTH.start;
        while point < HALFWIDTH.end && changes.halfwidth != 0 {
            let slot = this.slot(point);
            this.codes[slot] = changes.halfwidth + (point - HALFWIDTH.start);
            point += 1;
        }
        this
    }

    const fn slot(&self, unit: u16) -> usize {
        if N == FLAT {
            return unit as usize;
        }
        self.pages[unit as usize / PAGE] as usize + unit as usize % PAGE
    }
}

/// The number of codes of a table for text in this charset: flat, or in pages in a module of
/// WebAssembly, where they take less than half of the space.
pub(in crate::codec) const fn room(text: &str, grid: Grid, changes: Changes) -> usize {
    if cfg!(target_arch = "wasm32") { size(text, grid, changes) } else { FLAT }
}

/// The number of codes in all pages.
pub(in crate::codec) const fn size(text: &str, grid: Grid, changes: Changes) -> usize {
    let pages = pages(text, grid, changes);
    let (mut most, mut at) = (0, 0);
    while at < pages.len() {
        if pages[at] as usize > most {
            most = pages[at] as usize;
        }
        at += 1;
    }
    most + PAGE
}

const fn pages(text: &str, grid: Grid, changes: Changes) -> [u16; 0x1_0000 / PAGE] {
    let mut pages = [0; 0x1_0000 / PAGE];
    let mut reader = Reader::new(text, grid);
    while let Some(entry) = reader.next() {
        if entry.point <= 0xFFFF && changes.uses(entry.code(grid)) {
            pages[entry.point as usize / PAGE] = 1;
        }
    }
    let mut at = 0;
    while at < changes.set.len() {
        pages[changes.set[at].0 as usize / PAGE] = 1;
        at += 1;
    }
    if changes.halfwidth != 0 {
        pages[HALFWIDTH.start as usize / PAGE] = 1;
        pages[HALFWIDTH.end as usize / PAGE] = 1;
    }
    // US-ASCII.
    pages[0] = 1;
    pages[1] = 1;
    let (mut at, mut end) = (0, PAGE as u16);
    while at < pages.len() {
        if pages[at] != 0 {
            pages[at] = end;
            end += PAGE as u16;
        }
        at += 1;
    }
    pages
}

/// A character of an index.
struct Entry {
    lead: usize,
    column: usize,
    point: u32,
}

impl Entry {
    const fn code(&self, grid: Grid) -> u16 {
        (self.lead << 8) as u16 | (grid.first_trail as usize + self.column) as u16
    }
}

/// Reads the characters of an index.
struct Reader<'t> {
    text: &'t [u8],
    at: usize,
    lead: usize,
    column: usize,
}

impl<'t> Reader<'t> {
    const fn new(text: &'t str, grid: Grid) -> Self {
        Self { text: text.as_bytes(), at: 0, lead: grid.first_lead as usize, column: 0 }
    }

    const fn next(&mut self) -> Option<Entry> {
        while self.at < self.text.len() {
            let byte = self.text[self.at];
            match byte {
                b'\n' => {
                    self.lead += 1;
                    self.column = 0;
                    self.at += 1;
                }
                b'.' => {
                    self.column += 1;
                    self.at += 1;
                }
                _ => {
                    let entry =
                        Entry { lead: self.lead, column: self.column, point: self.point(byte) };
                    self.column += 1;
                    return Some(entry);
                }
            }
        }
        None
    }

    /// The code point of a sequence of UTF-8 that begins with `first`.
    const fn point(&mut self, first: u8) -> u32 {
        let length = match first {
            ..0xE0 => 2,
            0xE0..0xF0 => 3,
            _ => 4,
        };
        let mut point = first as u32 & (0x7F >> length);
        let end = self.at + length;
        self.at += 1;
        while self.at < end {
            point = point << 6 | (self.text[self.at] & 0x3F) as u32;
            self.at += 1;
        }
        point
    }
}
