//! UTF-7, RFC 2152.
//!
//! General-purpose registers, with one bit for each byte, find the bytes of a block that are in a
//! run, and their numbers in it, all at once. A run continues through all of set B, so adding a
//! bit where it opens to the mask of set B carries to its end. The number of a digit in its run,
//! modulo 8 (three code units), comes from the same addition, done once for each bit of the
//! position where the run began. When writing, the number of a code unit, modulo 3, is found in
//! the same way.
//!
//! When reading, every third, sixth and eighth digit completes a code unit, which is computed from
//! its digit and those before. Two kinds of text need no numbers: runs of one unit, whose three
//! digits follow `+`, and the middle of a long run, read from the start of a group of three units.
//!
//! When writing, every code unit has a lane of four bytes. In a run, these are two or three
//! digits, after `+` or bits of the unit before. Otherwise they are what remains of the run that
//! ends there, `-`, and the byte itself. The unused bytes of a lane are compressed away.

mod read;
mod read_utf16;
mod write;
mod write_utf16;

use core::arch::x86_64::*;

use super::memory::{bytes, load, store};
use crate::utf7::{CLASSES, DIRECT, NO_DIGIT};
pub(super) use read::to_utf8;
pub(super) use read_utf16::to_utf16;
pub(super) use write::{from_utf8, len_from_utf8};
pub(super) use write_utf16::from_utf16;

/// Number of bytes that a block may overwrite.
const ROOM: usize = 256;
/// After this many consecutive direct blocks, more are expected.
const LONG: usize = 4;
/// The most bytes read before the first block, so that three precede it.
const LEAD: usize = 24;

/// The first or second half of a table for 128 bytes.
const fn half(table: &[u8; 128], number: usize) -> [u8; 64] {
    let mut part = [0; 64];
    let mut at = 0;
    while at < 64 {
        part[at] = table[64 * number + at];
        at += 1;
    }
    part
}

/// In [`WRITE`]: not written directly.
const OTHER: u8 = 0x80;
/// In [`WRITE`]: ends a run only with `-` before it.
const NEEDS_MINUS: u8 = 0x40;

/// For ASCII, with set O written directly, and with set O in runs.
static WRITE: [[[u8; 64]; 2]; 2] = {
    const fn table(number: usize) -> [[u8; 64]; 2] {
        let mut table = [0; 128];
        let mut byte = 0;
        while byte < 128 {
            if !DIRECT.0[number][byte] || byte == b'+' as usize {
                table[byte] = OTHER;
            }
            if CLASSES[byte] < NO_DIGIT || byte == b'-' as usize {
                table[byte] |= NEEDS_MINUS;
            }
            byte += 1;
        }
        [half(&table, 0), half(&table, 1)]
    }
    [table(0), table(1)]
};

featured!(
    /// The classes of the bytes, by a table for ASCII.
    #[inline]
    fn classes(table: &'static [[u8; 64]; 2], src: __m512i) -> __m512i {
        _mm512_permutex2var_epi8(bytes(&table[0]), src, bytes(&table[1]))
    }
);

featured!(
    /// Copies whole direct blocks: bytes without the class [`OTHER`].
    #[inline]
    fn direct_run(table: &'static [[u8; 64]; 2], src: &[u8], dst: &mut [u8]) -> usize {
        let mut count = 0;
        for (src, dst) in src.as_chunks::<128>().0.iter().zip(dst.as_chunks_mut::<128>().0) {
            let [a, b] = [0, 64].map(|at| load(src[at..].first_chunk().unwrap()));
            let (class_a, class_b) = (classes(table, a), classes(table, b));
            let other = _mm512_ternarylogic_epi32::<0xFE>(class_a, class_b, _mm512_or_si512(a, b));
            if _mm512_movepi8_mask(other) != 0 {
                break;
            }
            let dst = dst.as_chunks_mut().0;
            store(&mut dst[0], a);
            store(&mut dst[1], b);
            count += 128;
        }
        count
    }
);
