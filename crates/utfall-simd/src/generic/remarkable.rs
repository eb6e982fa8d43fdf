//! Text without anything for a linter to look at, as defined in `crate::remarkable`.

use super::{BLOCK, ascii};
use crate::remarkable::{
    self, ALONE_BY_NIBBLE, AROUND_BY_NIBBLE, ByNibble, FOUND, LEAD, RARE_LEAD, TOGETHER_BY_NIBBLE,
    X,
};
use crate::simd::{Simd, Vector};

/// A block and the following bytes that its classes depend on.
const WINDOW: usize = BLOCK + 3;

/// Number of bytes before the first remarkable one.
#[inline(always)]
pub(crate) fn prefix<S: Simd>(simd: S, src: &[u8]) -> usize {
    let tables = Tables::new(simd);
    let mut read = 0;
    while let Some(window) = src[read..].first_chunk::<WINDOW>() {
        let mut found = simd.zero();
        // An ASCII letter is remarkable before a non-ASCII byte or in `xn`, and other sequences
        // have a second byte that is not ASCII.
        if ascii::is_ascii(simd, &window[1..=BLOCK]) {
            for at in (0..BLOCK).step_by(S::Vector::BYTES) {
                let alone = tables.alone(simd.load(&window[at..]));
                found = found.or(tables.found(alone, simd.load(&window[at + 1..])));
            }
        } else {
            let mut leads = simd.zero();
            for at in (0..BLOCK).step_by(S::Vector::BYTES) {
                let bytes = [
                    simd.load(&window[at..]),
                    simd.load(&window[at + 1..]),
                    simd.load(&window[at + 2..]),
                ];
                let alone = tables.alone(bytes[0]);
                leads = leads.or(alone);
                found = found.or(tables.found(alone, bytes[1])).or(tables.together(bytes));
            }
            if has_leads(simd, leads, window) && !found.any() {
                found = around(simd, window);
            }
        }
        if found.any() {
            break;
        }
        read += BLOCK;
    }
    read + remarkable::prefix(&src[read..])
}

/// Whether classes of four bytes may match in a block, by the classes of its bytes.
#[inline(always)]
fn has_leads<S: Simd>(simd: S, leads: S::Vector, window: &[u8; WINDOW]) -> bool {
    let last = remarkable::alone(window[BLOCK]);
    let is_any = |class: u8| last & class != 0 || leads.and(simd.splat(class)).any();
    is_any(RARE_LEAD | LEAD) && (is_any(RARE_LEAD) || has_letters(simd, window))
}

/// Whether there are bytes from 0x40 to 0x7F.
#[inline(always)]
fn has_letters<S: Simd>(simd: S, window: &[u8; WINDOW]) -> bool {
    let mut letters = simd.zero();
    for at in (0..BLOCK).step_by(S::Vector::BYTES).chain([WINDOW - S::Vector::BYTES]) {
        let bytes = simd.load(&window[at..]);
        letters = letters.or(bytes.shl16::<1>().and_not(bytes));
    }
    letters.any_high()
}

/// The classes of four bytes in a block.
#[inline(always)]
fn around<S: Simd>(simd: S, window: &[u8; WINDOW]) -> S::Vector {
    let repeat = |tables: [[u8; 16]; 2]| [simd.repeat(tables[0]), simd.repeat(tables[1])];
    let tables = Tables::new(simd);
    let [first, second, third, fourth] = AROUND_BY_NIBBLE;
    let by_nibble = [repeat(first), repeat(second), repeat(third), repeat(fourth)];
    let mut found = simd.zero();
    for at in (0..BLOCK).step_by(S::Vector::BYTES) {
        let mut all = tables.classes(by_nibble[0], simd.load(&window[at..]));
        for byte in 1..4 {
            all = all.and(tables.classes(by_nibble[byte], simd.load(&window[at + byte..])));
        }
        found = found.or(all);
    }
    found
}

/// The lookup tables, in registers.
#[derive(Clone, Copy)]
struct Tables<V> {
    alone: [V; 2],
    together: [[[V; 2]; 3]; 2],
    low_nibble: V,
    /// The same byte everywhere.
    found: V,
    x: V,
    case: V,
    n: V,
}

impl<V: Vector> Tables<V> {
    #[inline(always)]
    fn new(simd: V::Simd) -> Self {
        let [high, low] = ALONE_BY_NIBBLE;
        let repeat = |tables: [[u8; 16]; 2]| [simd.repeat(tables[0]), simd.repeat(tables[1])];
        let of =
            |[first, second, third]: ByNibble<3>| [repeat(first), repeat(second), repeat(third)];
        Self {
            alone: [simd.repeat(high), simd.repeat(low)],
            together: [of(TOGETHER_BY_NIBBLE[0]), of(TOGETHER_BY_NIBBLE[1])],
            low_nibble: simd.splat(0x0F),
            found: simd.splat(FOUND),
            x: simd.splat(X),
            case: simd.splat(0x20),
            n: simd.splat(b'n'),
        }
    }

    /// The classes of bytes on their own.
    #[inline(always)]
    fn alone(&self, bytes: V) -> V {
        self.classes(self.alone, bytes)
    }

    /// The classes of bytes that are remarkable alone, or as `xn`.
    #[inline(always)]
    fn found(&self, alone: V, second: V) -> V {
        let is_n = second.or(self.case).equal(self.n);
        alone.and(is_n.and(self.x).or(self.found))
    }

    /// The classes of bytes that are remarkable together with those that follow.
    #[inline(always)]
    fn together(&self, bytes: [V; 3]) -> V {
        self.together_by(self.together[0], bytes).or(self.together_by(self.together[1], bytes))
    }

    /// A method, since a closure that is called twice is not compiled into the kernel.
    #[inline(always)]
    fn together_by(&self, tables: [[V; 2]; 3], [first, second, third]: [V; 3]) -> V {
        self.classes(tables[0], first)
            .and(self.classes(tables[1], second))
            .and(self.classes(tables[2], third))
    }

    #[inline(always)]
    fn classes(&self, [high, low]: [V; 2], bytes: V) -> V {
        bytes.high_nibbles().lookup(high).and(bytes.and(self.low_nibble).lookup(low))
    }
}
