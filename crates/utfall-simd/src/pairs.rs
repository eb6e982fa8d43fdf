//! Tables of East Asian charsets with one or two bytes per character, as arguments of kernels.
//!
//! Bytes below 80 at the start of a sequence are US-ASCII. A byte above 7F begins a pair. The
//! kernels convert pairs that are one code unit each, and stop before anything else: single bytes
//! above 7F, longer sequences, code points above U+FFFF, errors. The caller converts that.
//!
//! ```
//! use utfall_simd::pairs::{Cells, HOLE};
//! use utfall_simd::{Layout, dispatch};
//!
//! let mut table = [HOLE; 0x80 * 0xC0 + 0x40 + 0x80];
//! for byte in 0..0x80 {
//!     table[0x80 * 0xC0 + 0x40 + byte] = byte as u16;
//! }
//! table[0x02 * 0xC0 + 0xA0] = 0x3042;
//! let cells = Cells::new(&table, 0xC0, 0xFF, 0xC0);
//! let mut text = [0; 8];
//! if let Some(decode) = dispatch::active().from_pairs(Layout::Utf8) {
//!     assert_eq!(decode(&cells, b"a\x82\xA0\x82\x20", &mut text), (3, 4));
//!     assert_eq!(&text[..4], "a\u{3042}".as_bytes());
//! }
//! ```

/// A cell without a character. The caller converts cells with other surrogates.
pub const HOLE: u16 = 0xD800;

/// The code units of pairs. The cell of a pair is `(lead & 7F) * width + (trail & trail_mask)`.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "only AVX-512 has kernels"))]
pub struct Cells<'t> {
    pub(crate) cells: &'t [u16],
    pub(crate) width: u8,
    pub(crate) trail_mask: u8,
    pub(crate) trail_bits: u8,
}

impl<'t> Cells<'t> {
    /// A table of cells: first the pairs, then the 128 cells of US-ASCII. The last pair must be a
    /// [`HOLE`]. Every trail byte must have at least one bit of `trail_bits`.
    ///
    /// # Panics
    /// If the number of cells does not match, or if the last pair is not a hole.
    #[inline]
    #[must_use]
    pub const fn new(cells: &'t [u16], width: u8, trail_mask: u8, trail_bits: u8) -> Self {
        let pairs = 0x7F * width as usize + trail_mask as usize + 1;
        assert!(cells.len() == pairs + 0x80 && cells.len() <= 0x1_0000);
        assert!(cells[pairs - 1] == HOLE);
        Self { cells, width, trail_mask, trail_bits }
    }

    /// The index of the cell of U+0000.
    #[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "as above"))]
    pub(crate) const fn ascii(&self) -> usize {
        self.cells.len() - 0x80
    }

    /// The index of a hole.
    #[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "as above"))]
    pub(crate) const fn hole(&self) -> usize {
        self.ascii() - 1
    }
}

/// A conversion from a charset. Returns the bytes read and written.
pub type FromPairs = fn(&Cells<'_>, &[u8], &mut [u8]) -> (usize, usize);
