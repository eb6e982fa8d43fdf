//! Data packed for modules of WebAssembly, which browsers download: tables and lists in a third to a
//! half of the size that `gzip` reaches. Other builds have the data as it is.
//!
//! Every bit is coded arithmetically with the probability that it had before in its context.
//! A format is one function for both directions: it passes each value to a [`Coder`], which writes it, or
//! ignores it and returns the one that was written.
//!
//! Only integers are used, so that all platforms compute the same.
//!
//! Not part of the public interface: the crates of utfall share it.

pub mod cells;
pub mod rows;

use alloc::vec;
use alloc::vec::Vec;

/// The probability that a bit is 1, learned from the bits in the same context.
#[derive(Clone, Copy, Debug)]
pub struct Bit(u32);

/// In [`Bit`]: the number of bits that were seen, at most [`SEEN`], below the probability.
const COUNT: u32 = 10;
/// Old bits count less than this many new ones.
const SEEN: u32 = 250;

/// How much the n-th bit changes the probability: 1 / (n + 1.6), in 65536ths.
const RATES: [i64; SEEN as usize + 1] = {
    let mut rates = [0; SEEN as usize + 1];
    let mut n = 0;
    while n < rates.len() {
        rates[n] = 655_360 / (10 * n as i64 + 16);
        n += 1;
    }
    rates
};

impl Bit {
    /// Both values are as probable.
    pub const NEW: Self = Self(1 << 31);

    /// In 65536ths, but never 0.
    #[inline(always)]
    fn probability(self) -> u32 {
        (self.0 >> 16).clamp(16, 0xFFFF - 16)
    }

    #[inline(always)]
    fn learn(&mut self, bit: bool) {
        let count = self.0 & ((1 << COUNT) - 1);
        let old = i64::from(self.0 >> COUNT);
        let goal = if bit { (1 << (32 - COUNT)) - 1 } else { 0 };
        let new = old + (((goal - old) * RATES[count as usize]) >> 16);
        self.0 = (new as u32) << COUNT | (count + 1).min(SEEN);
    }
}

/// Writes or reads packed data: a format passes each value to it, and goes on with the value that it
/// returns.
#[derive(Debug)]
pub struct Coder<'p> {
    /// The bytes written so far, unless it reads.
    packed: Option<Vec<u8>>,
    /// The bytes to read.
    rest: &'p [u8],
    /// The next four bytes that were read, and the interval that they are in.
    code: u32,
    low: u32,
    high: u32,
}

impl<'p> Coder<'p> {
    /// Starts to write.
    #[must_use]
    pub fn packer() -> Self {
        Self { packed: Some(Vec::new()), rest: &[], code: 0, low: 0, high: u32::MAX }
    }

    /// Starts to read.
    #[must_use]
    pub fn unpacker(packed: &'p [u8]) -> Self {
        let mut this = Self { packed: None, rest: packed, code: 0, low: 0, high: u32::MAX };
        (0..4).for_each(|_| this.read());
        this
    }

    /// Whether it writes.
    #[must_use]
    pub fn packs(&self) -> bool {
        self.packed.is_some()
    }

    /// The bytes that it wrote.
    #[must_use]
    pub fn finish(self) -> Vec<u8> {
        let mut packed = self.packed.unwrap_or_default();
        // Reading continues with zeros.
        packed.push((self.low >> 24) as u8 + 1);
        packed
    }

    #[inline(always)]
    fn read(&mut self) {
        let byte = match self.rest {
            [byte, rest @ ..] => {
                self.rest = rest;
                *byte
            }
            [] => 0,
        };
        self.code = self.code << 8 | u32::from(byte);
    }

    /// Codes a bit that is 1 with a probability in 65536ths.
    #[inline(always)]
    fn code(&mut self, probability: u32, bit: bool) -> bool {
        let length = u64::from(self.high - self.low);
        let split = self.low + ((length * u64::from(probability)) >> 16) as u32;
        let bit = if self.packed.is_some() { bit } else { self.code <= split };
        if bit {
            self.high = split;
        } else {
            self.low = split + 1;
        }
        while (self.low ^ self.high) >> 24 == 0 {
            match &mut self.packed {
                Some(packed) => packed.push((self.high >> 24) as u8),
                None => self.read(),
            }
            self.low <<= 8;
            self.high = self.high << 8 | 0xFF;
        }
        bit
    }

    /// Codes a bit.
    pub fn bit(&mut self, model: &mut Bit, bit: bool) -> bool {
        let bit = self.code(model.probability(), bit);
        model.learn(bit);
        bit
    }

    /// Codes a value that is less than the number of models, a power of two.
    pub fn tree(&mut self, models: &mut [Bit], value: u32) -> u32 {
        let mut node = 1;
        for at in (0..models.len().ilog2()).rev() {
            node = node << 1 | usize::from(self.bit(&mut models[node], value >> at & 1 == 1));
        }
        (node - models.len()) as u32
    }

    /// Codes a value of this many bits. All values are equally probable.
    pub fn raw(&mut self, bits: u32, value: u32) -> u32 {
        (0..bits)
            .rev()
            .fold(0, |known, at| known << 1 | u32::from(self.code(1 << 15, value >> at & 1 == 1)))
    }

    /// Codes a number that is often small.
    pub fn number(&mut self, models: &mut Number, value: u32) -> u32 {
        let length = (value + 1).ilog2();
        let mut bits = 0;
        while self.bit(&mut models.lengths[bits], bits < length as usize) {
            bits += 1;
        }
        let mut known = 1;
        for at in (0..bits).rev() {
            let bit = (value + 1) >> at & 1 == 1;
            let bit = match models.digits[bits].get_mut(known as usize) {
                Some(model) => self.bit(model, bit),
                None => self.code(1 << 15, bit),
            };
            known = known << 1 | u32::from(bit);
        }
        known - 1
    }
}

/// The models of a number: its length, and its first three binary digits after the leading one.
#[derive(Clone, Debug)]
pub struct Number {
    lengths: [Bit; 24],
    digits: [[Bit; 8]; 24],
}

impl Number {
    /// A model of numbers before the first.
    pub const NEW: Self = Self { lengths: [Bit::NEW; 24], digits: [[Bit::NEW; 8]; 24] };
}

/// Several probabilities for each bit, from the models of several contexts, weighted by how well
/// they predicted earlier ones.
#[derive(Debug)]
pub struct Mixer {
    /// The models of the contexts, `1 << size` for each, by hash.
    models: Vec<Bit>,
    size: u32,
    weights: Vec<[i32; MOST_CONTEXTS]>,
    /// The logarithm of odds, by probability in 4096ths; and the reverse.
    stretched: Vec<i16>,
    squashed: Vec<u16>,
}

const MOST_CONTEXTS: usize = 4;
/// One in weights.
const ONE: i32 = 1 << 16;
/// The largest logarithm of odds, in 256ths.
const MOST: i32 = 2047;

impl Mixer {
    /// For so many contexts, with `1 << size` models for each, and a set of weights for each number
    /// below `sets`.
    #[must_use]
    pub fn new(count: usize, size: u32, sets: usize) -> Self {
        // e^(i / 256) for i from 0, multiplied step by step: the same everywhere.
        let mut power = 1.0_f64;
        let mut upper = Vec::new();
        for _ in 0..=MOST {
            upper.push((65536.0 * power / (1.0 + power)) as u16);
            power *= 1.003_913_889_338_347_7;
        }
        let lower = upper[1..].iter().rev().map(|odds| 0_u16.wrapping_sub(*odds));
        let squashed: Vec<u16> = lower.chain(upper.iter().copied()).collect();
        let mut stretched = vec![0; 4096];
        let mut at = 0;
        for (probability, odds) in stretched.iter_mut().enumerate() {
            while at + 1 < squashed.len() && usize::from(squashed[at]) >> 4 < probability {
                at += 1;
            }
            *odds = (at as i32 - MOST) as i16;
        }
        Self {
            models: vec![Bit::NEW; count << size],
            size,
            weights: vec![[ONE * 2 / (count as i32 + 1); MOST_CONTEXTS]; sets],
            stretched,
            squashed,
        }
    }

    /// Codes a bit in these contexts, at a node of a tree; the first is 1.
    pub fn bit(
        &mut self,
        coder: &mut Coder<'_>,
        contexts: &[u32],
        node: u32,
        set: usize,
        bit: bool,
    ) -> bool {
        let (mut inputs, mut places) = ([0; MOST_CONTEXTS], [0; MOST_CONTEXTS]);
        let weights = &mut self.weights[set];
        // The models of up to four bits are neighbours, since memory is slow.
        let depth = node.ilog2() % 4;
        let (group, place) = (node >> depth, 1 << depth | node & ((1 << depth) - 1));
        let group = group.wrapping_mul(0x9E37_79B1);
        let mut sum = 0;
        for (at, context) in contexts.iter().enumerate() {
            let hash = (context ^ group).wrapping_mul(0x85EB_CA6B);
            let hash = hash >> (32 - self.size) & !15 | place;
            places[at] = at << self.size | hash as usize;
            let model = self.models[places[at]];
            inputs[at] = i32::from(self.stretched[(model.0 >> 20) as usize]);
            sum += i64::from(inputs[at]) * i64::from(weights[at]);
        }
        let odds = ((sum >> 16) as i32).clamp(-MOST, MOST);
        let probability = u32::from(self.squashed[(odds + MOST) as usize]).clamp(16, 0xFFFF - 16);
        let bit = coder.code(probability, bit);
        let error = (i32::from(bit) << 16) - probability as i32;
        for (at, place) in places[..contexts.len()].iter().enumerate() {
            self.models[*place].learn(bit);
            weights[at] += (inputs[at] * error + (1 << 13)) >> 14;
        }
        bit
    }

    /// Codes a value of this many bits in these contexts. Each bit has its own set of weights.
    pub fn tree(
        &mut self,
        coder: &mut Coder<'_>,
        contexts: &[u32],
        bits: u32,
        set: usize,
        value: u32,
    ) -> u32 {
        let mut node = 1;
        for at in (0..bits).rev() {
            let set = set * bits as usize + at as usize;
            node =
                node << 1 | u32::from(self.bit(coder, contexts, node, set, value >> at & 1 == 1));
        }
        node - (1 << bits)
    }
}

/// A number that depends on all of these.
#[must_use]
pub fn hash(values: &[u32]) -> u32 {
    values
        .iter()
        .fold(0x2545_F491, |hash, value| (hash ^ value).wrapping_mul(0x9E37_79B1).rotate_left(13))
}
