//! How frequent ideographs and Hangul syllables are.

use crate::cost::{Bits, bits};

/// Two bits for each of simplified Chinese, traditional Chinese and Japanese, from U+4E00.
static IDEOGRAPHS: &[u8; 0x5200] = include_bytes!("frequent/ideographs.bin");
/// Two bits for each syllable from U+AC00.
static SYLLABLES: &[u8; 2793] = include_bytes!("frequent/syllables.bin");
/// The cost of each level, in bits.
const COSTS: [Bits; 4] = [bits(16), bits(13), bits(10), bits(8)];
const OF_SYLLABLES: [Bits; 4] = [bits(16), bits(13), bits(10), bits(7)];

/// The costs of an ideograph in simplified Chinese, traditional Chinese and Japanese.
pub(crate) fn ideograph(scalar: char) -> [Bits; 3] {
    let at = (scalar as usize).wrapping_sub(0x4E00);
    let levels = IDEOGRAPHS.get(at).copied().unwrap_or_default();
    [0, 2, 4].map(|shift| COSTS[usize::from(levels >> shift & 3)])
}

/// The cost of a Hangul syllable in Korean.
pub(crate) fn syllable(scalar: char) -> Bits {
    let at = (scalar as usize).wrapping_sub(0xAC00);
    let levels = SYLLABLES.get(at / 4).copied().unwrap_or_default();
    OF_SYLLABLES[usize::from(levels >> (at % 4 * 2) & 3)]
}
