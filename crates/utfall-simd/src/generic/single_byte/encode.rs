//! To single-byte charsets.
//!
//! Most other characters of a text are in one window of 128 code points: those of two adjacent lead
//! bytes of UTF-8. A block is looked up in the pages of that window, whether it has few characters
//! of it or only such. The characters outside the window are then put into their places one by
//! one, unless there are too many of them.

use crate::arch::scalar::single_byte as scalar;
use crate::arch::scalar::{Latin1, Source, Utf16};
use crate::generic::{BLOCK, ascii, compress};
use crate::simd::{Bits, Simd, Vector};
use crate::single_byte::{Page, Table};

/// How many characters of a block may be outside the window.
const FEW: u32 = 12;

/// How many characters are converted one by one, if there are more.
const SOME: usize = 40;

/// A block and the byte after it.
const AHEAD: usize = BLOCK + 1;
/// Bytes that a block may write: one for each, and the rest of a vector after the last eight.
const ROOM: usize = BLOCK + 8;

/// The window of Latin-1, from which a text starts.
const FIRST: u8 = 0xC2;

/// 128 consecutive code points, and their bytes.
struct Window<S: Simd> {
    /// The first of the two lead bytes.
    lead: u8,
    bytes: [S::Vector; 8],
}

impl<S: Simd> Window<S> {
    #[inline(always)]
    fn new(simd: S, table: &Table, lead: u8) -> Self {
        let lead = lead & 0xFE;
        let mut bytes = [0; 128];
        let pages: &mut [Page] = bytes.as_chunks_mut().0;
        for (page, lead) in pages.iter_mut().zip([lead, lead | 1]) {
            *page = *table.page(table.entries.leads[usize::from(lead & 0x3F)]);
        }
        Self { lead, bytes: simd.table128(&bytes) }
    }
}

/// From UTF-8.
#[inline(always)]
pub(crate) fn from_utf8<S: Simd>(
    simd: S,
    table: &Table,
    src: &[u8],
    dst: &mut [u8],
) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    if table.entries.keeps_ascii {
        let mut window = Window::new(simd, table, FIRST);
        while let Some(ahead) = src[read..].first_chunk::<AHEAD>()
            && let Some(out) = dst[written..].first_chunk_mut::<ROOM>()
        {
            let block = ahead.first_chunk().expect("a block with the byte after it");
            if ascii::is_ascii(simd, block) {
                ascii::widen_block::<S, Latin1>(simd, block, &mut out[..BLOCK]);
                let run = BLOCK
                    + ascii::widen_run::<S, Latin1>(
                        simd,
                        &src[read + BLOCK..],
                        &mut dst[written + BLOCK..],
                    );
                read += run;
                written += run;
                continue;
            }
            let sets = Sets::new(simd, block, window.lead);
            let lacks = push(simd, &window, &sets, ahead, out);
            let (within, leads) = (sets.within(), sets.leads & sets.within());
            let sound = !sets.high | leads | sets.trails & leads << 1;
            let others = within & (!sound | lacks | leads & !(sets.trails >> 1));
            if others == 0 {
                read += BLOCK - sets.cut();
                written += (sets.kept() & within).count_ones() as usize;
                continue;
            }
            // First bytes of characters outside the window, or of anything else.
            let starts = others & !sets.trails;
            if starts.count_ones() > leads.count_ones() {
                let last = 63 - starts.leading_zeros() as usize;
                if matches!(block[last], 0xC2..=0xDF) {
                    window = Window::new(simd, table, block[last]);
                }
            }
            let patched = match starts.count_ones() {
                ..=FEW => patch(table, &src[read..], out, &sets, starts),
                _ => None,
            };
            let (bytes, count) = match patched {
                Some(done) => done,
                // Many, or one that stops the conversion.
                None => {
                    let done = scalar::from_utf8(table, &src[read..], &mut out[..SOME]);
                    if done.1 < SOME {
                        return (read + done.0, written + done.1);
                    }
                    done
                }
            };
            read += bytes;
            written += count;
        }
    }
    let (bytes, count) = scalar::from_utf8(table, &src[read..], &mut dst[written..]);
    (read + bytes, written + count)
}

/// Sets of bytes of a block.
struct Sets {
    /// Bytes above 7F.
    high: u64,
    trails: u64,
    /// Lead bytes of the window.
    leads: u64,
}

impl Sets {
    #[inline(always)]
    fn new<S: Simd>(simd: S, block: &[u8; BLOCK], lead: u8) -> Self {
        let [mut high, mut trails, mut leads] = [simd.bits(); 3];
        for at in (0..BLOCK).step_by(S::Vector::BYTES) {
            let bytes = simd.load(&block[at..]);
            high.put(at, bytes);
            trails.put(at, simd.splat(0xC0).greater_signed(bytes));
            leads.put(at, is_lead(simd, bytes, lead));
        }
        Self { high: high.get(), trails: trails.get(), leads: leads.get() }
    }

    /// Whether a sequence begins with the last byte, as 0 or 1. It is left to the next block.
    #[inline(always)]
    fn cut(&self) -> usize {
        ((self.high & !self.trails) >> (BLOCK - 1)) as usize
    }

    /// All bytes except such a last one.
    #[inline(always)]
    fn within(&self) -> u64 {
        u64::MAX >> self.cut()
    }

    /// All bytes except continuation bytes.
    #[inline(always)]
    fn kept(&self) -> u64 {
        !self.trails
    }
}

#[inline(always)]
fn is_lead<S: Simd>(simd: S, bytes: S::Vector, lead: u8) -> S::Vector {
    bytes.and(simd.splat(0xFE)).equal(simd.splat(lead))
}

/// Writes the bytes of ASCII and of the characters in the window, with space for one byte for each
/// other sequence. Returns the lead bytes of characters that the charset lacks.
#[inline(always)]
fn push<S: Simd>(
    simd: S,
    window: &Window<S>,
    sets: &Sets,
    ahead: &[u8; AHEAD],
    out: &mut [u8; ROOM],
) -> u64 {
    let mut lacks = simd.bits();
    let mut written = 0;
    for at in (0..BLOCK).step_by(S::Vector::BYTES) {
        let bytes = simd.load(&ahead[at..]);
        let next = simd.load(&ahead[at + 1..]);
        let lead = is_lead(simd, bytes, window.lead);
        let upper = bytes.and(simd.splat(0x01)).shl16::<6>();
        let index = next.and(simd.splat(0x3F)).or(upper).or(simd.splat(0x80).and_not(lead));
        let found = index.lookup128(&window.bytes);
        lacks.put(at, found.equal(simd.zero()).and(lead));
        let bytes = found.select(bytes, lead);
        written += compress::push_kept(simd, bytes, sets.kept() >> at, &mut out[written..]);
    }
    lacks.get()
}

/// Puts the sequences that begin at `starts` into their places. Returns the bytes read and
/// written, or `None` if one of them is not a character of the charset.
#[inline(always)]
fn patch(
    table: &Table,
    src: &[u8],
    out: &mut [u8; ROOM],
    sets: &Sets,
    mut starts: u64,
) -> Option<(usize, usize)> {
    let within = sets.within();
    let mut read = BLOCK - sets.cut();
    // Continuation bytes of the characters in the window, and of those found.
    let mut expected = (sets.leads & !starts) << 1;
    while starts != 0 {
        let at = starts.trailing_zeros() as usize;
        let (byte, length) = table.byte_of_utf8(&src[at..])?;
        out[(sets.kept() & below(at)).count_ones() as usize] = byte;
        expected |= if length == 3 { 6 << at } else { 2 << at };
        read = read.max(at + length);
        starts &= starts - 1;
    }
    let written = (sets.kept() & within).count_ones() as usize;
    (sets.trails & within == expected & within).then_some((read, written))
}

/// The bytes before one of the block.
#[inline(always)]
fn below(at: usize) -> u64 {
    (1 << at) - 1
}

/// From UTF-16.
#[inline(always)]
pub(crate) fn from_utf16<S: Simd, const LE: bool>(
    simd: S,
    table: &Table,
    src: &[u8],
    dst: &mut [u8],
) -> (usize, usize) {
    let mut written = 0;
    if table.entries.keeps_ascii {
        let mut window = Window::new(simd, table, FIRST);
        while let Some(units) = src[2 * written..].get(..2 * S::Vector::BYTES)
            && let Some(out) = dst[written..].get_mut(..S::Vector::BYTES)
        {
            let others = narrow::<S, LE>(simd, &window, units, out);
            if others == 0 {
                written += S::Vector::BYTES;
                continue;
            }
            let Some(last) = patch_units::<LE>(table, units, out, others) else { break };
            if last < 0x800 && others.count_ones() > FEW / 2 {
                window = Window::new(simd, table, 0xC0 | (last >> 6) as u8);
            }
            written += S::Vector::BYTES;
        }
    }
    let rest = &src[2 * written..];
    let (bytes, count) = scalar::from_utf16::<LE>(table, rest, &mut dst[written..]);
    (2 * written + bytes, written + count)
}

/// Writes the bytes of ASCII and of characters in the window. Returns the indices of the others.
#[inline(always)]
fn narrow<S: Simd, const LE: bool>(
    simd: S,
    window: &Window<S>,
    units: &[u8],
    out: &mut [u8],
) -> u32 {
    let [mut first, mut second] = [simd.load(units), simd.load(&units[S::Vector::BYTES..])];
    if !LE {
        (first, second) = (first.swap16(), second.swap16());
    }
    let upper = simd.splat16(0xFF80);
    if !first.or(second).and(upper).any() {
        first.narrow16(second).store(out);
        return 0;
    }
    let start = simd.splat16(u16::from(window.lead & 0x1F) << 6);
    let matched = are_equal(simd, first.and(upper), second.and(upper), start);
    let is_ascii = are_equal(simd, first.and(upper), second.and(upper), simd.zero());
    let low = first.and(simd.splat16(0x7F)).narrow16(second.and(simd.splat16(0x7F)));
    let found = low.or(simd.splat(0x80).and_not(matched)).lookup128(&window.bytes);
    low.select(found, is_ascii).store(out);
    let sound = is_ascii.or(matched.and_not(found.equal(simd.zero())));
    !sound.mask() & (u32::MAX >> (32 - S::Vector::BYTES))
}

/// Whether the 16-bit lanes of two vectors are equal to those of another one, as bytes.
#[inline(always)]
fn are_equal<S: Simd>(simd: S, first: S::Vector, second: S::Vector, other: S::Vector) -> S::Vector {
    let byte = simd.splat16(0xFF);
    first.equal16(other).and(byte).narrow16(second.equal16(other).and(byte))
}

/// Puts the bytes of other units into their places. Returns the last unit, or `None` if one of them
/// is not in the charset.
#[inline(always)]
fn patch_units<const LE: bool>(
    table: &Table,
    units: &[u8],
    out: &mut [u8],
    mut others: u32,
) -> Option<u32> {
    let mut last = 0;
    while others != 0 {
        let at = others.trailing_zeros() as usize;
        let (point, _) = Utf16::<LE>::next(&units[2 * at..])?;
        out[at] = table.byte_of(point)?;
        last = point;
        others &= others - 1;
    }
    Some(last)
}
