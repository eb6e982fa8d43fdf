//! The simple characters of a charset, as tables for kernels.

use std::fmt;

use utfall_simd::pairs::{Cells, HOLE};
use utfall_simd::single_byte::Table as SingleByte;
#[cfg(not(target_arch = "wasm32"))]
use utfall_simd::single_byte::{Entries, Inverse, NONE, Page};
use utfall_simd::{Kernels, Layout, units};

use crate::table::{Next, Table};

/// The shortest text that is worth a kernel, in bytes.
const SHORTEST: usize = 96;
/// Bytes that are converted one character at a time after a kernel has stopped.
const SLOW_RUN: usize = 64;
/// Code units that are looked up before their codes are written.
const PIECE: usize = 512;

/// The simple characters of a charset: those of one or two bytes up to U+FFFF.
pub(crate) enum Simple {
    Single(SingleByte),
    Double(Double),
}

/// A charset with US-ASCII, and characters of two bytes.
pub(crate) struct Double {
    cells: Vec<u16>,
    /// The bytes A1 to DF are halfwidth katakana.
    has_katakana: bool,
    /// The code of each code unit: one byte below 100, otherwise two; 0 for others.
    codes: Box<[u16; 0x1_0000]>,
}

impl fmt::Debug for Simple {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Simple").finish_non_exhaustive()
    }
}

impl Simple {
    /// `None` if bytes below 80 are not US-ASCII, or if a character may depend on the next one.
    pub(crate) fn of(table: &Table) -> Option<Self> {
        if !table.is_plain() {
            return None;
        }
        if table.is_single() { single(table).map(Self::Single) } else { double(table) }
    }
}

/// The code unit of a whole sequence.
fn unit(table: &Table, sequence: &[u8]) -> Option<u16> {
    match table.next(sequence) {
        Next::Point(point, length) if length == sequence.len() => {
            u16::try_from(point).ok().filter(|unit| unit & 0xF800 != HOLE)
        }
        _ => None,
    }
}

#[cfg(target_arch = "wasm32")]
fn single(_: &Table) -> Option<SingleByte> {
    None
}

#[cfg(not(target_arch = "wasm32"))]
fn single(table: &Table) -> Option<SingleByte> {
    /// The pages that [`Inverse`] has.
    const PAGES: usize = 128;
    let mut units = [NONE; 256];
    for (byte, entry) in (0..=0xFF).zip(&mut units) {
        *entry = unit(table, &[byte]).unwrap_or(NONE);
    }
    // Characters that glibc only encodes are among these.
    let codes: Vec<(u16, u8)> = (1..=u16::MAX)
        .filter_map(|unit| match table.encode_one(unit.into()) {
            Some(([byte, ..], 1)) => Some((unit, byte)),
            _ => None,
        })
        .collect();
    let mut blocks: Vec<u16> =
        codes.iter().map(|(unit, _)| unit >> 6).chain(units.map(|unit| unit >> 6)).collect();
    blocks.sort_unstable();
    blocks.dedup();
    // Also needed are an empty page, and one page for each group of pages with the same upper four bits.
    if units[0] != 0 || blocks.len() + 0x10 >= PAGES {
        return None;
    }
    let inverse = Inverse::new(&units, &codes);
    // Leaked deliberately: the process keeps each charset until it ends.
    let pages: &'static [Page; PAGES] = Box::leak(Box::new(inverse.pages()));
    let entries = Box::leak(Box::new(Entries::new(&units, &inverse)));
    let made = SingleByte::new(entries, pages);
    let is_same = |unit: u16| {
        let code = table.encode_one(unit.into()).map(|(bytes, _)| bytes[0]);
        made.byte_of(unit.into()) == code
    };
    units.iter().filter(|unit| **unit != NONE).all(|unit| is_same(*unit)).then_some(made)
}

fn double(table: &Table) -> Option<Simple> {
    /// The cells of a pair, and of US-ASCII.
    const WIDTH: usize = 0xC0;
    const PAIRS: usize = 0x7F * WIDTH + 0x100;
    let mut cells = vec![HOLE; PAIRS];
    for lead in 0x80..=0xFF {
        // The last cell is a hole, and a trail byte has one of the two highest bits.
        for trail in 0x40..if lead == 0xFF { 0xFF } else { 0x100 } {
            let cell = &mut cells[usize::from(lead & 0x7F) * WIDTH + trail];
            *cell = unit(table, &[lead, trail as u8]).unwrap_or(HOLE);
        }
    }
    cells.extend(0..0x80);
    let has_katakana =
        (0xA1..0xE0).all(|byte| unit(table, &[byte]) == Some(0xFF61 - 0xA1 + u16::from(byte)));
    let code = |unit: u16| match table.encode_one(unit.into()) {
        Some(([byte, ..], 1)) => u16::from(byte),
        Some(([first, second, ..], 2)) if first > 0 => u16::from(first) << 8 | u16::from(second),
        _ => 0,
    };
    let codes: Box<[u16]> = (0..=u16::MAX).map(code).collect();
    Some(Simple::Double(Double { cells, has_katakana, codes: codes.try_into().ok()? }))
}

impl Double {
    /// Decodes a prefix to UTF-8. Returns the bytes read and written.
    pub(crate) fn decode(&self, kernels: &Kernels, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
        let cells = Cells::new(&self.cells, 0xC0, 0xFF, 0xC0);
        let cells = if self.has_katakana { cells.with_katakana() } else { cells };
        let kernel = kernels.from_pairs(Layout::Utf8);
        let (mut read, mut written) = (0, 0);
        loop {
            if let Some(kernel) = kernel
                && src.len() - read >= SHORTEST
            {
                let (bytes, length) = kernel(&cells, &src[read..], &mut dst[written..]);
                read += bytes;
                written += length;
            }
            // Without a kernel, this loop converts the whole text.
            let end = if kernel.is_none() { src.len() } else { src.len().min(read + SLOW_RUN) };
            let (bytes, length) = cells.few_to_utf8(&src[read..end], &mut dst[written..]);
            read += bytes;
            written += length;
            if bytes == 0 || read == src.len() {
                return (read, written);
            }
        }
    }

    /// Encodes a prefix of UTF-8. Returns the bytes read and written.
    pub(crate) fn encode(&self, kernels: &Kernels, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
        let (mut read, mut written) = (0, 0);
        let (mut units, mut codes) = ([0; PIECE], [0; PIECE]);
        while read < src.len() {
            let (bytes, filled) = kernels.convert(
                Layout::Utf8,
                units::NATIVE_UTF16,
                &src[read..],
                units::bytes_mut(&mut units),
            );
            let text: &[u16] = &units[..filled / 2];
            self.look_up(text, &mut codes);
            let (count, length) = write(kernels, &codes[..text.len()], &mut dst[written..]);
            written += length;
            if count < text.len() {
                let before = units::bytes(&text[..count]);
                read += match units::NATIVE_UTF16 {
                    Layout::Utf16Be => kernels.utf8_len_from_utf16be(before),
                    _ => kernels.utf8_len_from_utf16le(before),
                };
                break;
            }
            read += bytes;
            if bytes == 0 {
                break;
            }
        }
        (read, written)
    }

    fn look_up(&self, text: &[u16], codes: &mut [u16]) {
        for (text, codes) in text.chunks(16).zip(codes.chunks_mut(16)) {
            if text.iter().fold(0, |all, unit| all | unit) < 0x80 {
                codes[..text.len()].copy_from_slice(text);
                continue;
            }
            for (unit, code) in text.iter().zip(codes) {
                *code = self.codes[usize::from(*unit)];
            }
        }
    }
}

/// Writes codes as far as possible. Returns the number of codes, and of bytes.
fn write(kernels: &Kernels, codes: &[u16], dst: &mut [u8]) -> (usize, usize) {
    if let Some(kernel) = kernels.from_codes() {
        return kernel(codes, dst);
    }
    let (mut read, mut written) = (0, 0);
    for code in codes {
        let Some(room) = dst.get_mut(written..).and_then(<[u8]>::first_chunk_mut) else { break };
        if *code == 0 {
            break;
        }
        // In some scripts, the length of the next code is unpredictable, so avoid a branch on it.
        let has_two = *code > 0xFF;
        *room = if has_two { code.to_be_bytes() } else { code.to_le_bytes() };
        written += 1 + usize::from(has_two);
        read += 1;
    }
    (read, written)
}
