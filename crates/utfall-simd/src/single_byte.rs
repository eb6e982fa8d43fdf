//! Single-byte charsets: the tables that their kernels take besides bytes.
//!
//! A [`Table`] is made at compile time from the code points of the 256 bytes. Decoding reads one
//! entry per byte, with its UTF-8 and the length of that. Encoding follows the bytes of the UTF-8,
//! through pages of 64 entries: the lead byte and the bytes before the last one select a page, and
//! the last one an entry of it. Pages without a character are all the first page.
//!
//! ```
//! use utfall_simd::dispatch;
//! use utfall_simd::single_byte::{Entries, Inverse, NONE, Page, Table};
//!
//! // US-ASCII and one more byte: 80 is the euro sign.
//! const UNITS: [u16; 256] = {
//!     let mut units = [NONE; 256];
//!     let mut byte = 0;
//!     while byte < 0x80 {
//!         units[byte] = byte as u16;
//!         byte += 1;
//!     }
//!     units[0x80] = 0x20AC;
//!     units
//! };
//! const INVERSE: Inverse = Inverse::new(&UNITS, &[]);
//! static PAGES: [Page; INVERSE.count()] = INVERSE.pages();
//! static ENTRIES: Entries = Entries::new(&UNITS, &INVERSE);
//! static EURO: Table = Table::new(&ENTRIES, &PAGES);
//!
//! let mut utf8 = [0; 8];
//! let done = dispatch::active().utf8_from_table(&EURO, b"5\x80\x81", &mut utf8);
//! assert_eq!((done, &utf8[..4]), ((2, 4), "5€".as_bytes()));
//! assert_eq!(EURO.byte_of(0x20AC), Some(0x80));
//! ```

/// In the code points of bytes: no character.
pub const NONE: u16 = 0xFFFD;

/// The bytes of 64 consecutive code points; 0 for those that the charset lacks.
pub type Page = [u8; 64];

/// In [`Entries::utf8`]: the number of bytes, above them.
pub(crate) const LENGTH: u32 = 24;
/// In [`Entries::utf8`]: the byte is not a character.
pub(crate) const ILL: u32 = 1 << 31;

/// More pages than any charset needs. One that needed more would not compile.
const MOST_PAGES: usize = 128;

/// A charset of at most 256 characters of the Basic Multilingual Plane, one byte each.
pub struct Table {
    pub(crate) entries: EntriesOfTable,
    pub(crate) pages: PagesOfTable,
}

#[cfg(not(all(target_arch = "wasm32", target_os = "unknown", feature = "std")))]
type EntriesOfTable = &'static Entries;
#[cfg(not(all(target_arch = "wasm32", target_os = "unknown", feature = "std")))]
type PagesOfTable = &'static [Page];
/// A browser loads all of a WebAssembly module, so tables are made when they are first used.
#[cfg(all(target_arch = "wasm32", target_os = "unknown", feature = "std"))]
type EntriesOfTable = std::sync::LazyLock<std::boxed::Box<Entries>>;
#[cfg(all(target_arch = "wasm32", target_os = "unknown", feature = "std"))]
type PagesOfTable = std::sync::LazyLock<std::vec::Vec<Page>>;

/// The entries of a [`Table`]. They are apart from it, since a table has addresses, which the start
/// of a program has to write.
pub struct Entries {
    /// The code point of each byte, or [`NONE`].
    pub(crate) units: [u16; 256],
    /// The UTF-8 of each byte, its first byte lowest; then its length, and [`ILL`] with U+FFFD for
    /// bytes that are not a character.
    pub(crate) utf8: [u32; 256],
    /// By the lead byte of UTF-8, from C0: the page of a two-byte sequence, or the page with the
    /// numbers of the pages of three-byte sequences. C0 and C1 have the pages of US-ASCII, so that
    /// bits 6 to 10 of a code point select an entry too.
    pub(crate) leads: [u8; 64],
    /// Bytes below 80 are US-ASCII, both ways.
    pub(crate) keeps_ascii: bool,
    /// Every byte is a character.
    pub(crate) is_complete: bool,
}

impl Entries {
    /// The entries of a charset from its code points, and what [`Inverse`] made of the same.
    ///
    /// # Panics
    /// If byte 00 is not U+0000, or if a code point is a surrogate.
    #[must_use]
    pub const fn new(units: &[u16; 256], inverse: &Inverse) -> Self {
        assert!(units[0] == 0, "byte 00 is not U+0000");
        let mut utf8 = [0; 256];
        let (mut keeps_ascii, mut is_complete) = (true, true);
        let mut byte = 0;
        while byte < 256 {
            let unit = units[byte];
            assert!(unit & 0xF800 != 0xD800, "a surrogate");
            utf8[byte] = utf8_of(unit);
            is_complete &= unit != NONE;
            if byte < 0x80 {
                let page = inverse.pages[inverse.leads[byte >> 6] as usize];
                keeps_ascii &= unit as usize == byte && page[byte & 0x3F] as usize == byte;
            }
            byte += 1;
        }
        Self { units: *units, utf8, leads: inverse.leads, keeps_ascii, is_complete }
    }
}

impl core::fmt::Debug for Entries {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Entries").finish_non_exhaustive()
    }
}

impl Table {
    /// The table of a charset from its entries and the pages that [`Inverse`] made of the same code
    /// points.
    #[cfg(not(all(target_arch = "wasm32", target_os = "unknown", feature = "std")))]
    #[must_use]
    pub const fn new(entries: &'static Entries, pages: &'static [Page]) -> Self {
        Self { entries, pages }
    }

    /// The table of a charset, made by these functions when it is first used.
    #[cfg(all(target_arch = "wasm32", target_os = "unknown", feature = "std"))]
    #[must_use]
    pub const fn lazy(
        entries: fn() -> std::boxed::Box<Entries>,
        pages: fn() -> std::vec::Vec<Page>,
    ) -> Self {
        Self { entries: EntriesOfTable::new(entries), pages: PagesOfTable::new(pages) }
    }

    /// The code point of a byte, if it is a character.
    #[inline]
    #[must_use]
    pub fn code_point(&self, byte: u8) -> Option<u16> {
        match self.entries.units[byte as usize] {
            NONE => None,
            unit => Some(unit),
        }
    }

    /// The byte of a code point, if the charset has it.
    #[inline]
    #[must_use]
    pub fn byte_of(&self, point: u32) -> Option<u8> {
        let byte = self.page_of(u16::try_from(point).ok()?)[point as usize & 0x3F];
        (byte != 0 || point == 0).then_some(byte)
    }

    /// The page of a code point.
    #[inline(always)]
    pub(crate) fn page_of(&self, point: u16) -> &Page {
        let point = usize::from(point);
        self.page(match point {
            ..0x800 => self.entries.leads[point >> 6],
            _ => self.page(self.entries.leads[32 + (point >> 12)])[point >> 6 & 0x3F],
        })
    }

    /// Whether bytes below 80 are US-ASCII, and US-ASCII is encoded as those.
    #[inline]
    #[must_use]
    pub fn keeps_ascii(&self) -> bool {
        self.entries.keeps_ascii
    }

    /// Whether every byte is a character.
    #[inline]
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.entries.is_complete
    }

    #[inline(always)]
    pub(crate) fn page(&self, number: u8) -> &Page {
        &self.pages[usize::from(number)]
    }

    /// The byte and the length of the well-formed UTF-8 sequence at the start of `src`, if the
    /// charset has that character.
    #[inline(always)]
    pub(crate) fn byte_of_utf8(&self, src: &[u8]) -> Option<(u8, usize)> {
        let (page, last, length) = match *src {
            [lead @ ..0x80, ..] => (self.entries.leads[usize::from(lead >> 6)], lead & 0x3F, 1),
            [lead @ 0xC2..=0xDF, last, ..] => {
                (self.entries.leads[usize::from(lead - 0xC0)], last ^ 0x80, 2)
            }
            [lead @ 0xE0..=0xEF, middle, last, ..] => {
                let numbers = self.page(self.entries.leads[usize::from(lead - 0xC0)]);
                (*numbers.get(usize::from(middle ^ 0x80))?, last ^ 0x80, 3)
            }
            _ => return None,
        };
        // Overlong sequences and surrogates have no page.
        let byte = *self.page(page).get(usize::from(last))?;
        (byte != 0 || length == 1 && src[0] == 0).then_some((byte, length))
    }
}

impl core::fmt::Debug for Table {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Table").finish_non_exhaustive()
    }
}

/// The UTF-8 of a code point with its length, as in [`Entries::utf8`].
const fn utf8_of(unit: u16) -> u32 {
    let unit = unit as u32;
    match unit {
        0..0x80 => 1 << LENGTH | unit,
        0x80..0x800 => 2 << LENGTH | (0x80 | unit & 0x3F) << 8 | 0xC0 | unit >> 6,
        _ => {
            let ill = if unit == NONE as u32 { ILL } else { 0 };
            let last = 0x80 | unit & 0x3F;
            ill | 3 << LENGTH | last << 16 | (0x80 | unit >> 6 & 0x3F) << 8 | 0xE0 | unit >> 12
        }
    }
}

/// The pages of a [`Table`], while it is made.
pub struct Inverse {
    leads: [u8; 64],
    pages: [Page; MOST_PAGES],
    count: usize,
}

impl Inverse {
    /// The inverse of the code points of 256 bytes. If several bytes have the same code point, the
    /// first of them encodes it. `more` are code points with the bytes that encode them, if these
    /// are not, or not first, in `units`.
    #[must_use]
    pub const fn new(units: &[u16; 256], more: &[(u16, u8)]) -> Self {
        let mut this = Self { leads: [0; 64], pages: [[0; 64]; MOST_PAGES], count: 1 };
        let mut byte = 0;
        while byte < 256 {
            // 0 says that there is no character, except on the first page.
            if units[byte] != NONE && units[byte] != 0 {
                let entry = this.entry(units[byte]);
                if *entry == 0 {
                    *entry = byte as u8;
                }
            }
            byte += 1;
        }
        let mut at = 0;
        while at < more.len() {
            *this.entry(more[at].0) = more[at].1;
            at += 1;
        }
        this
    }

    /// The number of pages.
    #[must_use]
    pub const fn count(&self) -> usize {
        self.count
    }

    /// The pages, for [`Table::lazy`].
    #[cfg(all(target_arch = "wasm32", target_os = "unknown", feature = "std"))]
    #[must_use]
    pub fn to_vec(&self) -> std::vec::Vec<Page> {
        self.pages[..self.count].to_vec()
    }

    /// The pages.
    ///
    /// # Panics
    /// If their number is less than `N`.
    #[must_use]
    pub const fn pages<const N: usize>(&self) -> [Page; N] {
        let mut pages = [[0; 64]; N];
        let mut at = 0;
        while at < N {
            pages[at] = self.pages[at];
            at += 1;
        }
        pages
    }

    const fn entry(&mut self, unit: u16) -> &mut u8 {
        let unit = unit as usize;
        let lead = if unit < 0x800 { unit >> 6 } else { 32 + (unit >> 12) };
        if self.leads[lead] == 0 {
            self.leads[lead] = self.new_page();
        }
        let mut page = self.leads[lead] as usize;
        if unit >= 0x800 {
            if self.pages[page][unit >> 6 & 0x3F] == 0 {
                self.pages[page][unit >> 6 & 0x3F] = self.new_page();
            }
            page = self.pages[page][unit >> 6 & 0x3F] as usize;
        }
        &mut self.pages[page][unit & 0x3F]
    }

    const fn new_page(&mut self) -> u8 {
        self.count += 1;
        (self.count - 1) as u8
    }
}

impl core::fmt::Debug for Inverse {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Inverse").finish_non_exhaustive()
    }
}
