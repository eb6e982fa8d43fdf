//! From single-byte charsets.

use crate::Lossy;
use crate::arch::scalar::{Latin1, single_byte as scalar};
use crate::generic::ascii;
use crate::simd::{Simd, Vector};
use crate::single_byte::{ILL, NONE, Table};

/// Bytes converted at once.
const BLOCK: usize = 64;
/// A block, and bytes after it that may be copied with its last run of ASCII.
const AHEAD: usize = 2 * BLOCK;
/// Space for a block of three-byte sequences and the last store, or for the bytes copied with the
/// last run.
const ROOM: usize = 3 * BLOCK + 1;
/// How many bytes of a block may be other than ASCII, if the runs between them are copied.
const FEW: u32 = 9;
/// Bytes copied at once.
const PART: usize = 32;

/// To UTF-8. Vectors find and copy ASCII. Looking up other bytes in vectors and compressing the result
/// is slower than overlapping stores of four bytes each.
#[inline(always)]
pub(crate) fn to_utf8<S: Simd, const LOSSY: bool>(
    simd: S,
    table: &Table,
    src: &[u8],
    dst: &mut [u8],
) -> Lossy {
    let mut done = Lossy::default();
    while let Some(block) = src[done.read..].first_chunk::<BLOCK>()
        && let Some(room) = dst[done.written..].first_chunk_mut::<ROOM>()
    {
        let others =
            if table.entries.keeps_ascii { ascii::non_ascii(simd, block) } else { u64::MAX };
        if others == 0 {
            ascii::widen_block::<S, Latin1>(simd, block, &mut room[..BLOCK]);
            let (src, dst) = (&src[done.read + BLOCK..], &mut dst[done.written + BLOCK..]);
            let run = BLOCK + ascii::widen_run::<S, Latin1>(simd, src, dst);
            done.read += run;
            done.written += run;
            continue;
        }
        let is_sound = match src[done.read..].first_chunk::<AHEAD>() {
            Some(ahead) if others.count_ones() <= FEW => {
                put_few::<S, LOSSY>(simd, table, (ahead, others), room, &mut done)
            }
            _ => put::<BLOCK, LOSSY>(table, block, room, &mut done),
        };
        if !is_sound {
            break;
        }
    }
    let rest = scalar::to_utf8::<LOSSY>(table, &src[done.read..], &mut dst[done.written..]);
    joined(done, rest)
}

/// Converts a block with the given other bytes between runs of ASCII, as [`put`].
#[inline(always)]
fn put_few<S: Simd, const LOSSY: bool>(
    simd: S,
    table: &Table,
    (ahead, mut others): (&[u8; AHEAD], u64),
    room: &mut [u8; ROOM],
    done: &mut Lossy,
) -> bool {
    let (mut from, mut written, mut seen, mut replaced) = (0, 0, 0, 0);
    while others != 0 {
        let at = others.trailing_zeros() as usize;
        copy::<S, PART>(simd, &ahead[from..], &mut room[written..]);
        if at - from > PART {
            copy::<S, PART>(simd, &ahead[from + PART..], &mut room[written + PART..]);
        }
        written += at - from;
        let entry = table.entries.utf8[usize::from(ahead[at])];
        if let Some(room) = room[written..].first_chunk_mut() {
            *room = entry.to_le_bytes();
        }
        written += scalar::length(entry);
        seen |= entry;
        replaced += (entry >> 31) as usize;
        from = at + 1;
        others &= others - 1;
    }
    if !LOSSY && seen & ILL != 0 {
        return false;
    }
    copy::<S, BLOCK>(simd, &ahead[from..], &mut room[written..]);
    done.read += BLOCK;
    done.written += written + BLOCK - from;
    if LOSSY {
        done.replaced += replaced;
    }
    true
}

/// Copies this many bytes.
#[inline(always)]
fn copy<S: Simd, const N: usize>(simd: S, src: &[u8], dst: &mut [u8]) {
    for at in (0..N).step_by(S::Vector::BYTES) {
        simd.load(&src[at..]).store(&mut dst[at..]);
    }
}

/// The same, strict.
#[inline(always)]
pub(crate) fn to_utf8_strict<S: Simd>(
    simd: S,
    table: &Table,
    src: &[u8],
    dst: &mut [u8],
) -> (usize, usize) {
    let done = to_utf8::<S, false>(simd, table, src, dst);
    (done.read, done.written)
}

/// Converts some bytes to the start of `room`, which must have space for them all. Returns whether
/// all of them are characters; if not, nothing is counted, unless U+FFFD replaces them.
#[inline(always)]
fn put<const N: usize, const LOSSY: bool>(
    table: &Table,
    bytes: &[u8; N],
    room: &mut [u8],
    done: &mut Lossy,
) -> bool {
    let (mut written, mut seen, mut replaced) = (0, 0, 0);
    for &byte in bytes {
        let entry = table.entries.utf8[usize::from(byte)];
        if let Some(room) = room[written..].first_chunk_mut() {
            *room = entry.to_le_bytes();
        }
        written += scalar::length(entry);
        seen |= entry;
        replaced += (entry >> 31) as usize;
    }
    if !LOSSY && seen & ILL != 0 {
        return false;
    }
    done.read += N;
    done.written += written;
    if LOSSY {
        done.replaced += replaced;
    }
    true
}

fn joined(first: Lossy, second: Lossy) -> Lossy {
    Lossy {
        read: first.read + second.read,
        written: first.written + second.written,
        replaced: first.replaced + second.replaced,
    }
}

/// To UTF-16: the lower and the upper bytes of 128 code points are looked up separately.
#[inline(always)]
pub(crate) fn to_utf16<S: Simd, const LE: bool, const LOSSY: bool>(
    simd: S,
    table: &Table,
    src: &[u8],
    dst: &mut [u8],
) -> Lossy {
    let mut done = Lossy::default();
    if table.entries.keeps_ascii {
        let (mut low, mut high) = ([0; 128], [0; 128]);
        for ((low, high), unit) in low.iter_mut().zip(&mut high).zip(&table.entries.units[128..]) {
            [*low, *high] = unit.to_le_bytes();
        }
        let planes = Planes { simd, low: simd.table128(&low), high: simd.table128(&high) };
        done = planes.to_utf16::<LE, LOSSY>(table, src, dst);
    }
    let rest = scalar::to_utf16::<LE, LOSSY>(table, &src[done.read..], &mut dst[done.written..]);
    joined(done, rest)
}

/// The same, strict.
#[inline(always)]
pub(crate) fn to_utf16_strict<S: Simd, const LE: bool>(
    simd: S,
    table: &Table,
    src: &[u8],
    dst: &mut [u8],
) -> (usize, usize) {
    let done = to_utf16::<S, LE, false>(simd, table, src, dst);
    (done.read, done.written)
}

/// The code points of 80 to FF.
struct Planes<S: Simd> {
    simd: S,
    low: [S::Vector; 8],
    high: [S::Vector; 8],
}

impl<S: Simd> Planes<S> {
    #[inline(always)]
    fn to_utf16<const LE: bool, const LOSSY: bool>(
        &self,
        table: &Table,
        src: &[u8],
        dst: &mut [u8],
    ) -> Lossy {
        let simd = self.simd;
        let (mut read, mut replaced) = (0, 0);
        let [none_low, none_high] = NONE.to_le_bytes().map(|byte| simd.splat(byte));
        let top = simd.splat(0x80);
        while let Some(block) = src[read..].get(..S::Vector::BYTES)
            && let Some(room) = dst[2 * read..].get_mut(..2 * S::Vector::BYTES)
        {
            let bytes = simd.load(block);
            let (mut low, mut high) = (bytes, simd.zero());
            if bytes.any_high() {
                let index = bytes.xor(top);
                let is_ascii = bytes.equal(bytes.min(simd.splat(0x7F)));
                low = bytes.select(index.lookup128(&self.low), is_ascii);
                high = index.lookup128(&self.high);
                if !table.entries.is_complete {
                    let ill = low.equal(none_low).and(high.equal(none_high));
                    if ill.any_high() {
                        if !LOSSY {
                            break;
                        }
                        replaced += ill.mask().count_ones() as usize;
                    }
                }
            }
            let (first, second) = if LE { (low, high) } else { (high, low) };
            let (lower, upper) = (first.zip_low(second), first.zip_high(second));
            for half in 0..S::Vector::HALVES {
                lower.half(half).store(&mut room[32 * half..]);
                upper.half(half).store(&mut room[32 * half + 16..]);
            }
            read += S::Vector::BYTES;
        }
        Lossy { read, written: 2 * read, replaced }
    }
}
