//! UTF-7: direct characters by vectors. Runs are short, and left to the scalar functions.
//!
//! Two tables of sixteen tell whether a byte is in a set of US-ASCII: the entry for its low nibble
//! has a bit for each high nibble that is in the set with it.

use crate::arch::scalar::utf7::{self, Copy};
use crate::simd::{Simd, Vector};
use crate::utf7::{DIRECT, RunState, Style};

/// By the low nibble: a bit for each high nibble.
static LOW: [[u8; 16]; 2] = {
    let mut tables = [[0; 16]; 2];
    let mut byte = 0;
    while byte < 128 {
        let mut table = 0;
        while table < 2 {
            tables[table][byte % 16] |= (DIRECT.0[table][byte] as u8) << (byte / 16);
            table += 1;
        }
        byte += 1;
    }
    tables
};

/// By the high nibble: its bit. Bytes above US-ASCII have none.
const HIGH: [u8; 16] = [1, 2, 4, 8, 16, 32, 64, 128, 0, 0, 0, 0, 0, 0, 0, 0];

/// Number of bytes copied at once in long direct text.
const BLOCK: usize = 64;

/// Number of bytes checked one by one first.
const FEW: usize = 4;

struct Direct<S> {
    simd: S,
    style: Style,
}

impl<S: Simd> Direct<S> {
    /// Nonzero in the bytes of direct characters.
    #[inline(always)]
    fn are_direct<T: Simd>(&self, simd: T, bytes: T::Vector) -> T::Vector {
        let low = simd.repeat(LOW[usize::from(self.style.shift_set_o)]);
        let low = bytes.and(simd.splat(0x0F)).lookup(low);
        low.and(bytes.high_nibbles().lookup(simd.repeat(HIGH)))
    }
}

impl<S: Simd> Copy for Direct<S> {
    #[inline(always)]
    fn copy(&self, src: &[u8], dst: &mut [u8]) -> usize {
        let (half, mut count) = (self.simd.half(), 0);
        // Direct characters between two words: the processor predicts how many, and waits for
        // nothing.
        for (byte, room) in src.iter().zip(&mut *dst).take(FEW) {
            if !self.style.direct()[usize::from(*byte)] {
                return count;
            }
            *room = *byte;
            count += 1;
        }
        while let Some(bytes) = src[count..].first_chunk::<16>()
            && let Some(room) = dst[count..].first_chunk_mut::<16>()
        {
            let bytes = half.load(bytes);
            let others = self.are_direct(half, bytes).equal(half.zero()).mask();
            bytes.store(room);
            if others != 0 {
                return count + others.trailing_zeros() as usize;
            }
            count += 16;
            while let Some(block) = src[count..].first_chunk::<BLOCK>()
                && let Some(room) = dst[count..].first_chunk_mut::<BLOCK>()
            {
                let mut all = self.simd.splat(0xFF);
                for at in (0..BLOCK).step_by(S::Vector::BYTES) {
                    let bytes = self.simd.load(&block[at..]);
                    all = all.min(self.are_direct(self.simd, bytes));
                    bytes.store(&mut room[at..]);
                }
                if all.equal(self.simd.zero()).any_high() {
                    break;
                }
                count += BLOCK;
            }
        }
        count + utf7::copy_direct(&src[count..], &mut dst[count..], self.style.direct())
    }
}

/// UTF-7 to UTF-8.
#[inline(always)]
pub(crate) fn to_utf8<S: Simd>(
    simd: S,
    state: &mut RunState,
    src: &[u8],
    dst: &mut [u8],
) -> (usize, usize) {
    utf7::to_utf8_with(&Direct { simd, style: Style::default() }, state, src, dst)
}

/// UTF-8 to UTF-7.
#[inline(always)]
pub(crate) fn from_utf8<S: Simd>(
    simd: S,
    style: Style,
    state: &mut RunState,
    src: &[u8],
    dst: &mut [u8],
) -> (usize, usize) {
    utf7::from_utf8_with(&Direct { simd, style }, style, state, src, dst)
}
