//! Text without anything for a linter to look at, as defined in `crate::remarkable`.

use super::{BLOCK, ascii};
use crate::remarkable::{self, ALONE_BY_NIBBLE, ByNibble, TOGETHER_BY_NIBBLE};
use crate::simd::{Simd, Vector};

/// A block and the following bytes that its classes depend on.
const WINDOW: usize = BLOCK + 2;

/// Number of bytes before the first remarkable one.
#[inline(always)]
pub(crate) fn prefix<S: Simd>(simd: S, src: &[u8]) -> usize {
    let tables = Tables::new(simd);
    let mut read = 0;
    while let Some(window) = src[read..].first_chunk::<WINDOW>() {
        let mut found = simd.zero();
        // An ASCII letter is remarkable before a non-ASCII byte, and other sequences have a second
        // byte that is not ASCII.
        if ascii::is_ascii(simd, &window[1..=BLOCK]) {
            for at in (0..BLOCK).step_by(S::Vector::BYTES) {
                found = found.or(tables.alone(simd.load(&window[at..])));
            }
        } else {
            for at in (0..BLOCK).step_by(S::Vector::BYTES) {
                let bytes = [
                    simd.load(&window[at..]),
                    simd.load(&window[at + 1..]),
                    simd.load(&window[at + 2..]),
                ];
                found = found.or(tables.alone(bytes[0])).or(tables.together(bytes));
            }
        }
        if found.any() {
            break;
        }
        read += BLOCK;
    }
    read + remarkable::prefix(&src[read..])
}

/// The lookup tables, in registers.
#[derive(Clone, Copy)]
struct Tables<V> {
    alone: [V; 2],
    together: [[[V; 2]; 3]; 2],
    low_nibble: V,
}

impl<V: Vector> Tables<V> {
    #[inline(always)]
    fn new(simd: V::Simd) -> Self {
        let [high, low] = ALONE_BY_NIBBLE;
        let repeat = |tables: [[u8; 16]; 2]| [simd.repeat(tables[0]), simd.repeat(tables[1])];
        let of = |[first, second, third]: ByNibble| [repeat(first), repeat(second), repeat(third)];
        Self {
            alone: [simd.repeat(high), simd.repeat(low)],
            together: [of(TOGETHER_BY_NIBBLE[0]), of(TOGETHER_BY_NIBBLE[1])],
            low_nibble: simd.splat(0x0F),
        }
    }

    /// The classes of bytes that are remarkable alone.
    #[inline(always)]
    fn alone(&self, bytes: V) -> V {
        self.classes(self.alone, bytes)
    }

    /// The classes of bytes that are remarkable together with those that follow.
    #[inline(always)]
    fn together(&self, [first, second, third]: [V; 3]) -> V {
        let of = |tables: [[V; 2]; 3]| {
            self.classes(tables[0], first)
                .and(self.classes(tables[1], second))
                .and(self.classes(tables[2], third))
        };
        of(self.together[0]).or(of(self.together[1]))
    }

    #[inline(always)]
    fn classes(&self, [high, low]: [V; 2], bytes: V) -> V {
        bytes.high_nibbles().lookup(high).and(bytes.and(self.low_nibble).lookup(low))
    }
}
