//! Properties of every conversion.

use utfall::{Encoding, Error};

use crate::stream::Outcome;

/// Asserts that a stream of code points, without any policy, has found what the oracle finds in
/// `bytes`, if the oracle knows the encoding.
pub fn as_oracle(encoding: Encoding, bytes: &[u8], found: &Outcome<u32>) {
    use utfall_oracle::Item;
    let (mut expected, mut items) = (Vec::new(), Vec::new());
    if !utfall_oracle::decode(encoding.name(), bytes, &mut expected) {
        return;
    }
    let mut errors = found.errors.iter().peekable();
    let ill = |error: &Error| Item::Ill {
        offset: error.offset() as usize,
        length: error.length() as usize,
    };
    for (at, point) in found.written.iter().enumerate() {
        while let Some((error, ..)) = errors.next_if(|(.., before)| *before == at) {
            items.push(ill(error));
        }
        items.push(Item::Point(*point));
    }
    items.extend(errors.map(|(error, ..)| ill(error)));
    assert_eq!(items, expected);
}

/// Whether every decoded code point is encoded to the same bytes again.
pub fn is_invertible(encoding: Encoding) -> bool {
    // Halfwidth katakana can be decoded, but are encoded as fullwidth ones.
    encoding != Encoding::Iso2022Jp
}

/// Whether every encoded text is decoded to the same text again.
pub fn is_faithful(encoding: Encoding) -> bool {
    // ¥, ‾ and − are encoded as lookalikes.
    is_invertible(encoding) && !matches!(encoding, Encoding::ShiftJis | Encoding::EucJp)
}
