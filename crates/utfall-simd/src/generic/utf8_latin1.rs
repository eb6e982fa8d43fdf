//! UTF-8 whose code points are in Latin-1: ASCII, and C2 or C3 followed by one continuation byte.
//!
//! The leads and the continuation bytes of a block are two bit sets. The block is well-formed if
//! they cover everything that is not ASCII, and one is the other shifted. The byte of a code point
//! is computed at its first byte: it is the next byte, with bit 6 set after C3. Then the
//! continuation bytes are removed, eight bytes at a time.

use super::{BLOCK, ascii, compress};
use crate::arch::scalar::{self, Latin1, Utf8};
use crate::simd::{Bits, Simd, Vector};

/// A block and the byte after it.
const WINDOW: usize = BLOCK + 1;

/// Bytes that a block may write: one for each, and the rest of a vector after the last eight.
const ROOM: usize = BLOCK + 8;

/// Length in bytes of a well-formed prefix whose code points are in Latin-1.
#[inline(always)]
pub(crate) fn prefix<S: Simd>(simd: S, src: &[u8]) -> usize {
    let (mut rest, mut cut) = (src, false);
    while let Some(block) = rest.first_chunk() {
        if !ascii::is_ascii(simd, block) {
            let sets = Sets::new(simd, block);
            if !sets.is_sound(cut) {
                break;
            }
            cut = sets.is_cut();
        } else if cut {
            break;
        }
        rest = &rest[BLOCK..];
    }
    let read = src.len() - rest.len() - usize::from(cut);
    read + prefix_short(&src[read..])
}

/// A conversion.
#[inline(always)]
pub(crate) fn convert<S: Simd>(simd: S, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
    let (mut rest, mut written, mut cut) = (src, 0, false);
    while let Some(window) = rest.first_chunk::<WINDOW>() {
        let Some(out) = dst[written..].first_chunk_mut::<ROOM>() else { break };
        let block = window.first_chunk().expect("a block in the window");
        if !ascii::is_ascii(simd, block) {
            let sets = Sets::new(simd, block);
            if !sets.is_sound(cut) {
                break;
            }
            cut = sets.is_cut();
            written += push_out(simd, window, !sets.trails, out);
        } else if cut {
            break;
        } else {
            let more = ascii::widen_run::<S, Latin1>(simd, rest, &mut dst[written..]);
            if more > 0 {
                written += more;
                rest = &rest[more..];
                continue;
            }
            let out = &mut dst[written..][..BLOCK];
            ascii::widen_block::<S, Latin1>(simd, block, out);
            written += BLOCK;
        }
        rest = &rest[BLOCK..];
    }
    // The byte of a code point that was cut off has been written; the scalar table sees it
    // complete.
    written -= usize::from(cut);
    let read = src.len() - rest.len() - usize::from(cut);
    let (bytes, more) = convert_short(&src[read..], &mut dst[written..]);
    (read + bytes, written + more)
}

/// The same for short text.
#[inline(never)]
pub(crate) fn prefix_short(src: &[u8]) -> usize {
    scalar::latin1_prefix::<Utf8>(src)
}

/// A conversion of short text.
#[inline(never)]
pub(crate) fn convert_short(src: &[u8], dst: &mut [u8]) -> (usize, usize) {
    scalar::convert::<Utf8, Latin1>(src, dst)
}

/// Sets of bytes of a block.
struct Sets {
    /// C2 and C3.
    leads: u64,
    trails: u64,
    /// Bytes above 7F.
    high: u64,
}

impl Sets {
    #[inline(always)]
    fn new<S: Simd>(simd: S, block: &[u8; BLOCK]) -> Self {
        let [mut leads, mut trails, mut high] = [simd.bits(); 3];
        for at in (0..BLOCK).step_by(S::Vector::BYTES) {
            let bytes = simd.load(&block[at..]);
            leads.put(at, is_lead(simd, bytes));
            trails.put(at, simd.splat(0xC0).greater_signed(bytes));
            high.put(at, bytes);
        }
        Self { leads: leads.get(), trails: trails.get(), high: high.get() }
    }

    /// Whether the block is all Latin-1, after a lead if `cut`.
    #[inline(always)]
    fn is_sound(&self, cut: bool) -> bool {
        (self.leads << 1 | u64::from(cut)) == self.trails && self.leads | self.trails == self.high
    }

    /// Whether the last byte is a lead.
    #[inline(always)]
    fn is_cut(&self) -> bool {
        self.leads >> (BLOCK - 1) == 1
    }
}

#[inline(always)]
fn is_lead<S: Simd>(simd: S, bytes: S::Vector) -> S::Vector {
    bytes.and(simd.splat(0xFE)).equal(simd.splat(0xC2))
}

/// Converts a well-formed block to the start of `out`; `kept` are all bytes except continuation
/// bytes. Returns how many those are.
#[inline(always)]
fn push_out<S: Simd>(simd: S, window: &[u8; WINDOW], kept: u64, out: &mut [u8; ROOM]) -> usize {
    let mut written = 0;
    for at in (0..BLOCK).step_by(S::Vector::BYTES) {
        let bytes = simd.load(&window[at..]);
        let next = simd.load(&window[at + 1..]);
        let lead = is_lead(simd, bytes);
        let bit = bytes.equal(simd.splat(0xC3)).and(simd.splat(0x40));
        let bytes = bytes.and_not(lead).or(next.or(bit).and(lead));
        written += compress::push_kept(simd, bytes, kept >> at, &mut out[written..]);
    }
    written
}
