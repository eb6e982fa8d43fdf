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

/// Bytes of US-ASCII that are converted at once.
const WORD: usize = 8;
const HIGH_BITS: u64 = 0x8080_8080_8080_8080;

/// A cell without a character. The caller converts cells with other surrogates.
pub const HOLE: u16 = 0xD800;

/// The code units of pairs. The cell of a pair is `(lead & 7F) * width + (trail & trail_mask)`.
#[derive(Clone, Copy, Debug)]
pub struct Cells<'t> {
    pub(crate) cells: &'t [u16],
    pub(crate) width: u8,
    pub(crate) trail_mask: u8,
    pub(crate) trail_bits: u8,
    has_katakana: bool,
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
        Self { cells, width, trail_mask, trail_bits, has_katakana: false }
    }

    /// The same cells, with the single bytes A1 to DF as the halfwidth katakana U+FF61 to U+FF9F where
    /// no pair begins. Kernels stop at these bytes.
    ///
    /// ```
    /// use utfall_simd::pairs::{Cells, HOLE};
    ///
    /// let cells = [HOLE; 0x80 * 0xC0 + 0x40 + 0x80];
    /// let cells = Cells::new(&cells, 0xC0, 0xFF, 0xC0).with_katakana();
    /// let mut text = [0; 8];
    /// assert_eq!(cells.few_to_utf8(b"a\xB1", &mut text), (2, 4));
    /// assert_eq!(&text[..4], "a\u{FF71}".as_bytes());
    /// ```
    #[inline]
    #[must_use]
    pub const fn with_katakana(self) -> Self {
        Self { has_katakana: true, ..self }
    }

    /// Converts a prefix of short text to UTF-8, one character at a time, which begins sooner than a
    /// kernel. Stops before anything that kernels stop at, and where fewer than four bytes are left.
    /// Returns the bytes read and written.
    #[inline]
    pub fn few_to_utf8(&self, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
        self.few::<Utf8>(src, dst)
    }

    /// The same to UTF-16 in native byte order.
    #[inline]
    pub fn few_to_utf16(&self, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
        self.few::<Utf16>(src, dst)
    }

    #[inline(always)]
    fn few<F: Form>(&self, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
        let (mut read, mut written) = (0, 0);
        loop {
            match src[read..] {
                [byte @ ..0x80, ..] => {
                    if let Some(word) = src[read..].first_chunk()
                        && u64::from_ne_bytes(*word) & HIGH_BITS == 0
                        && let Some(room) = dst[written..].get_mut(..F::WIDTH * WORD)
                    {
                        F::put_word(room, *word);
                        read += WORD;
                        written += F::WIDTH * WORD;
                        continue;
                    }
                    let Some(room) = dst[written..].get_mut(..F::WIDTH) else { break };
                    F::put_byte(room, byte);
                    read += 1;
                    written += F::WIDTH;
                }
                [lead, ref rest @ ..] => {
                    let unit = rest.first().map_or(HOLE, |trail| self.unit(lead, *trail));
                    let Some(room) = dst[written..].first_chunk_mut() else { break };
                    if unit & 0xF800 != HOLE {
                        written += F::put_unit(room, unit);
                        read += 2;
                    } else if self.has_katakana && matches!(lead, 0xA1..0xE0) {
                        written += F::put_unit(room, 0xFF61 - 0xA1 + u16::from(lead));
                        read += 1;
                    } else {
                        break;
                    }
                }
                [] => break,
            }
        }
        (read, written)
    }

    /// The code unit of a pair, or a surrogate.
    #[inline(always)]
    fn unit(&self, lead: u8, trail: u8) -> u16 {
        if trail & self.trail_bits == 0 {
            return HOLE;
        }
        let row = usize::from(lead & 0x7F) * usize::from(self.width);
        self.cells.get(row + usize::from(trail & self.trail_mask)).copied().unwrap_or(HOLE)
    }

    /// The index of the cell of U+0000.
    #[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "only AVX-512 has kernels"))]
    pub(crate) const fn ascii(&self) -> usize {
        self.cells.len() - 0x80
    }

    /// The index of a hole.
    #[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "only AVX-512 has kernels"))]
    pub(crate) const fn hole(&self) -> usize {
        self.ascii() - 1
    }
}

/// The form of Unicode that a few characters are converted to.
trait Form {
    /// The bytes that a character of US-ASCII takes.
    const WIDTH: usize;

    /// Writes US-ASCII to as much space as it takes.
    fn put_byte(dst: &mut [u8], byte: u8);
    fn put_word(dst: &mut [u8], word: [u8; WORD]);

    /// Writes a code unit of UTF-16 that is not a surrogate, and returns its length.
    fn put_unit(dst: &mut [u8; 4], unit: u16) -> usize;
}

struct Utf8;

impl Form for Utf8 {
    const WIDTH: usize = 1;

    #[inline(always)]
    fn put_byte(dst: &mut [u8], byte: u8) {
        dst[0] = byte;
    }

    #[inline(always)]
    fn put_word(dst: &mut [u8], word: [u8; WORD]) {
        dst.copy_from_slice(&word);
    }

    #[inline(always)]
    fn put_unit(dst: &mut [u8; 4], unit: u16) -> usize {
        let unit = u32::from(unit);
        let tail = 0x80 | unit & 0x3F;
        let (bytes, length) = match unit {
            ..0x80 => (unit, 1),
            0x80..0x800 => (0xC0 | unit >> 6 | tail << 8, 2),
            _ => (0xE0 | unit >> 12 | (0x80 | unit >> 6 & 0x3F) << 8 | tail << 16, 3),
        };
        *dst = bytes.to_le_bytes();
        length
    }
}

/// In native byte order.
struct Utf16;

impl Form for Utf16 {
    const WIDTH: usize = 2;

    #[inline(always)]
    fn put_byte(dst: &mut [u8], byte: u8) {
        dst.copy_from_slice(&u16::from(byte).to_ne_bytes());
    }

    #[inline(always)]
    fn put_word(dst: &mut [u8], word: [u8; WORD]) {
        for (room, byte) in dst.as_chunks_mut().0.iter_mut().zip(word) {
            *room = u16::from(byte).to_ne_bytes();
        }
    }

    #[inline(always)]
    fn put_unit(dst: &mut [u8; 4], unit: u16) -> usize {
        [dst[0], dst[1]] = unit.to_ne_bytes();
        2
    }
}

/// A conversion from a charset. Returns the bytes read and written.
pub type FromPairs = fn(&Cells<'_>, &[u8], &mut [u8]) -> (usize, usize);

/// Writes codes: one byte below 100, otherwise two, the upper one first. Stops before the code 0,
/// and before a code that does not fit. Returns the number of codes read, and of bytes written. May
/// overwrite all of the output.
///
/// ```
/// use utfall_simd::dispatch;
///
/// let mut text = [0; 4];
/// if let Some(write) = dispatch::active().from_codes() {
///     assert_eq!(write(&[0x61, 0x82A0, 0x62, 0, 0x63], &mut text), (3, 4));
///     assert_eq!(&text, b"a\x82\xA0b");
/// }
/// ```
pub type FromCodes = fn(&[u16], &mut [u8]) -> (usize, usize);

#[cfg(all(test, feature = "alloc"))]
mod tests {
    use super::*;
    use alloc::string::String;
    use alloc::vec;
    use alloc::vec::Vec;

    /// Cells in which every fifth pair is a hole, and the others are letters of one, two or three
    /// bytes of UTF-8.
    fn table() -> Vec<u16> {
        let pairs = 0x7F * 0xC0 + 0x100;
        let mut cells: Vec<u16> = (0..pairs)
            .map(|at| match at % 5 {
                0 => HOLE,
                1 => 0x41 + at as u16 % 26,
                2 => 0x430 + at as u16 % 32,
                _ => 0x4E00 + at as u16 % 0x5000,
            })
            .collect();
        cells[pairs - 1] = HOLE;
        cells.extend(0..0x80);
        cells
    }

    /// The text that the cells give, up to the first thing that they do not have, and its length in bytes.
    fn expected(cells: &Cells<'_>, table: &[u16], src: &[u8]) -> (usize, String) {
        let (mut read, mut text) = (0, String::new());
        while let Some(&lead) = src.get(read) {
            if lead < 0x80 {
                text.push(char::from(lead));
                read += 1;
                continue;
            }
            let Some(&trail) = src.get(read + 1) else { break };
            let cell = table[usize::from(lead & 0x7F) * 0xC0 + usize::from(trail)];
            let Some(c) = char::from_u32(cell.into()) else { break };
            if trail & cells.trail_bits == 0 {
                break;
            }
            text.push(c);
            read += 2;
        }
        (read, text)
    }

    #[test]
    fn a_few_pairs_are_as_the_cells_say() {
        let table = table();
        let cells = Cells::new(&table, 0xC0, 0xFF, 0xC0);
        for lead in 0..=0xFF {
            for trail in 0..=0xFF {
                let text =
                    [b'a', lead, trail, b'b', b'c', b'd', b'e', b'f', b'g', b'h', b'i', lead];
                for text in [&text[..], &text[1..3], &text[..2]] {
                    let (read, expected) = expected(&cells, &table, text);
                    let mut utf8 = vec![0; expected.len() + 4];
                    let (bytes, length) = cells.few_to_utf8(text, &mut utf8);
                    assert_eq!((bytes, &utf8[..length]), (read, expected.as_bytes()), "{text:X?}");
                    let units: Vec<u8> =
                        expected.encode_utf16().flat_map(u16::to_ne_bytes).collect();
                    let mut utf16 = vec![0; units.len() + 4];
                    let (bytes, length) = cells.few_to_utf16(text, &mut utf16);
                    assert_eq!((bytes, &utf16[..length]), (read, &units[..]), "{text:X?}");
                }
            }
        }
    }

    #[test]
    fn katakana_are_single_bytes_where_there_is_no_pair() {
        let table = table();
        let cells = Cells::new(&table, 0xC0, 0xFF, 0xC0).with_katakana();
        for lead in 0x80..=0xFF {
            // 20 is not a trail byte, so none of these is a pair.
            for text in [&[lead, b' '][..], &[b'a', lead], &[lead]] {
                let mut utf8 = [0; 16];
                let (read, length) = cells.few_to_utf8(text, &mut utf8);
                let katakana = char::from_u32(0xFEC0 + u32::from(lead));
                let expected: String = match text.iter().position(|byte| *byte == lead) {
                    Some(at) if !(0xA1..0xE0).contains(&lead) => {
                        text[..at].iter().map(|byte| char::from(*byte)).collect()
                    }
                    _ => {
                        let chars = text.iter().filter_map(|byte| match byte {
                            0x80.. => katakana,
                            _ => Some(char::from(*byte)),
                        });
                        chars.collect()
                    }
                };
                assert_eq!(&utf8[..length], expected.as_bytes(), "{text:X?}");
                assert_eq!(read == text.len(), (0xA1..0xE0).contains(&lead), "{text:X?}");
            }
        }
    }

    #[test]
    fn a_few_pairs_fill_no_more_than_there_is() {
        let table = table();
        let cells = Cells::new(&table, 0xC0, 0xFF, 0xC0);
        let text = b"abcdefgh\x81\x43\x81\x47ijklmnop\x81\x43";
        let whole = expected(&cells, &table, text);
        assert_eq!(whole.0, text.len());
        for room in 0..whole.1.len() + 4 {
            let mut utf8 = vec![0; room];
            let (read, length) = cells.few_to_utf8(text, &mut utf8);
            let so_far = expected(&cells, &table, &text[..read]);
            assert_eq!((read, &utf8[..length]), (so_far.0, so_far.1.as_bytes()), "{room}");
        }
    }
}
