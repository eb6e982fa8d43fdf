//! The role of each byte in a block of UTF-7 that is read, with one bit for each byte. The comment
//! on `arch/x86_64/avx512/utf7.rs` explains how digits are numbered.

use super::{CLASSES, RunState};

/// Number of bytes of a block that are read. The three before them are available as well.
pub(crate) const STRIDE: usize = 61;
/// The positions of a block.
const BLOCK: u64 = (1 << STRIDE) - 1;
/// The positions whose number has bit 0, 1 or 2 set.
const PLACE: [u64; 3] = [0xAAAA_AAAA_AAAA_AAAA, 0xCCCC_CCCC_CCCC_CCCC, 0xF0F0_F0F0_F0F0_F0F0];

/// The bits from each seed to the end of the span of ones that begins there.
#[inline(always)]
pub(crate) fn to_end(spans: u64, seeds: u64) -> u64 {
    (spans.wrapping_add(seeds) ^ spans) & spans
}

/// The state before a block.
#[derive(Clone, Copy)]
pub(crate) struct Before {
    /// 1 in a run, 0 elsewhere.
    pub(crate) shifted: u64,
    /// 1 if the previous byte is the `+` that opens the run.
    pub(crate) opened: u64,
    /// 1 if the run may end here.
    pub(crate) complete: u64,
    /// The position, modulo 8 and relative to this block, where the run began.
    pub(crate) began: u64,
    /// The last code unit if it is a high surrogate, otherwise 0.
    pub(crate) high: u64,
}

impl Before {
    #[inline]
    pub(crate) fn new(shift: RunState) -> Self {
        Self {
            shifted: u64::from(shift.shifted),
            opened: 0,
            complete: u64::from(shift.bits == 0),
            // After 3 or 6 digits.
            began: match shift.count {
                2 => 5,
                4 => 2,
                _ => 0,
            },
            high: 0,
        }
    }
}

/// The role of each position of a block.
pub(crate) struct Places {
    /// Direct characters, and the `-` of `+-`.
    pub(crate) direct: u64,
    /// The `-` of `+-`.
    pub(crate) plus: u64,
    /// The last digits of runs.
    #[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "for AVX-512"))]
    pub(crate) last: u64,
    /// The digits that complete the first, second and third of three code units.
    pub(crate) ends: [u64; 3],
}

impl Places {
    /// Parses a block; `None` if it is ill-formed. `set_b`, `plus`, `minus`: the positions of
    /// these. `ill_formed`: bytes that are ill-formed anywhere. `odd_bits`: the digits with one of
    /// the last 2, or 4 bits set.
    #[inline(always)]
    pub(crate) fn new(
        before: &mut Before,
        [set_b, plus, minus, ill_formed]: [u64; 4],
        odd_bits: [u64; 2],
    ) -> Option<Self> {
        let Before { shifted, opened, complete, began, high } = *before;
        let run = (set_b.wrapping_add(plus).wrapping_add(shifted) ^ set_b | plus) & set_b;
        let open = run & !(run << 1 | shifted);
        let digits = run & !open;
        let after_open = open << 1 | opened;
        let after_digit = digits << 1 | shifted & !opened;

        let pair = after_open & minus;
        let absorbed = after_digit & minus;
        let direct = !run & !absorbed & BLOCK;

        // At each digit, the position where its run began.
        let starts = after_open & digits;
        let goes_on = shifted & !opened & digits;
        let m0 = to_end(digits, starts & PLACE[0] | goes_on & began);
        let m1 = to_end(digits, starts & PLACE[1] | goes_on & began >> 1);
        let m2 = to_end(digits, starts & PLACE[2] | goes_on & began >> 2);
        // The number of each digit: its position minus that.
        let [p0, p1, p2] = PLACE;
        let borrow = !p0 & m0;
        let (k0, k1) = (p0 ^ m0, p1 ^ m1 ^ borrow);
        let borrow = !p1 & (m1 | borrow) | m1 & borrow;
        let k2 = p2 ^ m2 ^ borrow;
        let ends = [digits & !k2 & k1 & !k0, digits & k2 & !k1 & k0, digits & k2 & k1 & k0];

        let sound = ends[0] & !odd_bits[0] | ends[1] & !odd_bits[1] | ends[2];
        let last = digits & !(run >> 1) & (BLOCK >> 1);
        let may_end = complete & u64::from(high == 0);
        let cut = shifted & !opened & !may_end & !run;
        let empty = after_open & !run & !minus & BLOCK;
        if ill_formed | last & !sound | cut & 1 | empty != 0 {
            return None;
        }
        const END: usize = STRIDE - 1;
        *before = Before {
            shifted: run >> END & 1,
            opened: open >> END & 1,
            complete: sound >> END & 1,
            // The next block begins 61 positions later, which is 5 modulo 8.
            began: ((m0 >> END & 1 | (m1 >> END & 1) << 1 | (m2 >> END & 1) << 2) + 3) % 8,
            high,
        };
        Some(Self { direct, plus: pair, last, ends })
    }

    /// The positions where a code unit is complete.
    #[inline(always)]
    pub(crate) fn units(&self) -> u64 {
        self.direct | self.ends[0] | self.ends[1] | self.ends[2]
    }

    /// The last code point: how many bytes of the block there are up to its end, and the state
    /// after it. `high`: the last code unit is the first of two.
    pub(crate) fn last_point(&self, high: bool, src: &[u8]) -> (usize, RunState) {
        let mut units = self.units();
        if high {
            units ^= 1 << units.ilog2();
        }
        let at = units.ilog2();
        let count = match self.ends.map(|ends| ends >> at & 1) {
            [0, 0, 0] => return (at as usize + 1, RunState::default()),
            [1, _, _] => 2,
            [_, 1, _] => 4,
            _ => 0,
        };
        let bits = CLASSES[usize::from(src[at as usize])] & ((1 << count) - 1);
        (at as usize + 1, RunState { shifted: true, bits, count })
    }
}
