//! What is true of every conversion.

use utfall::{Encoding, Error};

use crate::stream::Outcome;

/// What the oracle finds in `octets`, if it knows the encoding, is what a stream of code points has
/// found without any policy.
pub fn as_oracle(encoding: Encoding, octets: &[u8], found: &Outcome<u32>) {
    use utfall_oracle::Item;
    let (mut expected, mut items) = (Vec::new(), Vec::new());
    if !utfall_oracle::decode(encoding.name(), octets, &mut expected) {
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

/// Whether every code point that comes out of an encoding goes back into it as it was.
pub fn is_invertible(encoding: Encoding) -> bool {
    // Halfwidth katakana are read, and written as fullwidth ones.
    encoding != Encoding::Iso2022Jp
}

/// Whether every text that goes into an encoding comes out of it as it was.
pub fn is_faithful(encoding: Encoding) -> bool {
    // ¥, ‾ and − are written as what they look like.
    is_invertible(encoding) && !matches!(encoding, Encoding::ShiftJis | Encoding::EucJp)
}
