//! Types that the modules of the ranking share: the results of the stream, and the ranked readings.

use utfall::{Encoding, Family};

use crate::cost::Bits;
use crate::declared::Declared;
use crate::hints::Hints;
use crate::reading::Reading;
use crate::repetition;
use crate::sample::{Piece, has_control};
use crate::utf8::Utf8;

/// Counts of significant byte values in the stream.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Bytes {
    pub(crate) zeros: u64,
    pub(crate) first_zero: Option<u64>,
    /// Control characters other than line ends, tabs, form feeds and escapes.
    pub(crate) controls: u64,
    pub(crate) escapes: u64,
    pub(crate) first_escape: Option<u64>,
}

impl Bytes {
    pub(crate) fn add(&mut self, offset: u64, bytes: &[u8]) {
        for (index, block) in bytes.chunks(64).enumerate() {
            if has_control(block) {
                self.add_block(offset + index as u64 * 64, block);
            }
        }
    }

    fn add_block(&mut self, offset: u64, block: &[u8]) {
        for (at, byte) in block.iter().enumerate() {
            let at = offset + at as u64;
            match byte {
                0 => {
                    self.zeros += 1;
                    self.first_zero.get_or_insert(at);
                }
                0x1B => {
                    self.escapes += 1;
                    self.first_escape.get_or_insert(at);
                }
                b'\t' | b'\n' | b'\r' | 0x0C => {}
                1..0x20 | 0x7F => self.controls += 1,
                _ => {}
            }
        }
    }
}

/// The results of the stream, once it has ended.
pub(crate) struct Facts<'a> {
    pub(crate) pieces: Vec<Piece>,
    /// The pieces without repeated words, if these are most of their evidence.
    blanked: Option<Vec<Piece>>,
    /// Decimal logarithm of the chance that text in a charset is well-formed UTF-8.
    pub(crate) chance: f64,
    pub(crate) utf8: &'a Utf8,
    pub(crate) bytes: Bytes,
    pub(crate) length: u64,
    pub(crate) hints: &'a Hints,
}

impl<'a> Facts<'a> {
    pub(crate) fn new(
        pieces: Vec<Piece>,
        utf8: &'a Utf8,
        bytes: Bytes,
        length: u64,
        hints: &'a Hints,
    ) -> Self {
        let may_be_other = hints.expected.iter().flatten().any(|one| !has_blanks(*one));
        // Binary data has no words.
        let may_be_binary = bytes.zeros + bytes.controls > 0;
        let has_words = utf8.high > 0 && !may_be_binary && !may_be_other;
        let blanked = if has_words { repetition::blanked(&pieces) } else { None };
        let chance = blanked.as_ref().map_or_else(|| utf8.chance(), |it| Utf8::chance_of(it));
        Self { pieces, blanked, chance, utf8, bytes, length, hints }
    }

    /// The pieces, without repeated words: the evidence for encodings in which US-ASCII has its bytes.
    pub(crate) fn blanked(&self) -> &[Piece] {
        self.blanked.as_ref().unwrap_or(&self.pieces)
    }

    /// The pieces that are evidence for an encoding.
    pub(crate) fn pieces_for(&self, encoding: Encoding) -> &[Piece] {
        if has_blanks(encoding) { self.blanked() } else { &self.pieces }
    }
}

/// Whether a space of US-ASCII is one in this encoding, whatever is before it.
pub(crate) fn has_blanks(encoding: Encoding) -> bool {
    matches!(encoding.info().family, Family::Utf8 | Family::SingleByte | Family::MultiByte)
}

/// A reading with its rank.
#[derive(Clone, Debug)]
pub(crate) struct Ranked {
    pub(crate) reading: Reading,
    /// Its cost, including all evidence outside the text.
    pub(crate) total: Bits,
    /// Encodings that decode the sample to the same text.
    pub(crate) same: Vec<Encoding>,
}

/// The ranking, and the facts shared by all candidates.
pub(crate) struct Ranking {
    /// The likeliest first.
    pub(crate) ranked: Vec<Ranked>,
    /// Cost of the input as non-text, if that is possible.
    pub(crate) no_text: Option<Bits>,
    pub(crate) signature: Option<(Encoding, usize)>,
    /// The declaration of the text about itself.
    pub(crate) declared: Option<Declared>,
    /// Whether the bytes and letters of the text confirm the declaration.
    pub(crate) is_confirmed: bool,
    /// The cost at which none of these encodings is likelier than the best.
    pub(crate) none: Option<Bits>,
    /// The encoding over which the first one has no clear lead.
    pub(crate) doubt: Option<Encoding>,
    /// The inner text, if UTF-8 was encoded twice.
    pub(crate) double: Option<Double>,
    /// Whether a text in a charset may be well-formed UTF-8 by chance.
    pub(crate) may_be_chance: bool,
    /// Whether there are zeros.
    pub(crate) has_zeros: bool,
}

/// The UTF-8 text inside double-encoded UTF-8.
pub(crate) struct Double {
    pub(crate) bytes: Vec<u8>,
    /// Cost of the inner text, including the cost of the layer.
    pub(crate) bits: Bits,
}
