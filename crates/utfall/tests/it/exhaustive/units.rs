//! Code units of UTF-16 and UTF-32, and their older relatives.

use utfall::{Decoder, Encoding, Options, Policy, Status};
use utfall_oracle::Item;

/// An encoding, and the bytes of one of its units.
type Order<U, const N: usize> = (Encoding, fn(U) -> [u8; N]);

/// Encodings for pairs of units, with their byte order; the default is big-endian.
const PAIRS: [Order<u16, 2>; 6] = [
    (Encoding::Utf16Le, u16::to_le_bytes),
    (Encoding::Utf16Be, u16::to_be_bytes),
    (Encoding::Utf16, u16::to_be_bytes),
    (Encoding::Ucs2Le, u16::to_le_bytes),
    (Encoding::Ucs2Be, u16::to_be_bytes),
    (Encoding::Ucs2, u16::to_be_bytes),
];

/// Encodings for four-byte values.
const VALUES: [Order<u32, 4>; 6] = [
    (Encoding::Utf32Le, u32::to_le_bytes),
    (Encoding::Utf32Be, u32::to_be_bytes),
    (Encoding::Utf32, u32::to_be_bytes),
    (Encoding::Ucs4Le, u32::to_le_bytes),
    (Encoding::Ucs4Be, u32::to_be_bytes),
    (Encoding::Ucs4, u32::to_be_bytes),
];

/// The text to compare, and buffers for the results.
#[derive(Default)]
pub(crate) struct Compared {
    text: Vec<u8>,
    items: Vec<Item>,
    points: Vec<u32>,
}

/// This unit before each of `units`, followed by a letter.
pub(crate) fn pairs(state: &mut Compared, first: u16, units: &[u16]) {
    for (encoding, order) in PAIRS {
        for part in units.chunks(512) {
            state.text.clear();
            // Not at the start, where U+FEFF would be a BOM.
            state.text.extend(order(0x61));
            for second in part {
                state.text.extend([first, *second, 0x61].map(order).as_flattened());
            }
            state.compare(encoding);
        }
    }
}

/// All values with this upper half.
pub(crate) fn values(state: &mut Compared, high: u16, units: &[u16]) {
    for (encoding, order) in VALUES {
        for part in units.chunks(1024) {
            state.text.clear();
            state.text.extend(order(0x61));
            let values = part.iter().map(|low| u32::from(high) << 16 | u32::from(*low));
            values.for_each(|value| state.text.extend(order(value)));
            state.compare(encoding);
        }
    }
}

impl Compared {
    /// Compares the oracle with a stream that stops at errors, and with one that replaces them.
    fn compare(&mut self, encoding: Encoding) {
        let Self { text, items, points } = self;
        items.clear();
        utfall_oracle::decode(encoding.name(), text, items);
        points.resize(text.len() / 2 + 16, 0);
        let mut decoder = Decoder::new(encoding, Options::default());
        let (mut read, mut expected) = (0, items.iter());
        loop {
            let progress = decoder.decode_to_code_points(&text[read..], points, true);
            for point in &points[..progress.written] {
                assert_eq!(expected.next(), Some(&Item::Point(*point)), "{encoding}: {text:02X?}");
            }
            read += progress.read;
            let Status::Error(error) = progress.status else { break };
            let (offset, length) = (error.offset() as usize, error.length() as usize);
            let ill = Item::Ill { offset, length };
            assert_eq!(expected.next(), Some(&ill), "{encoding}: {text:02X?}");
        }
        assert_eq!((read, expected.next()), (text.len(), None), "{encoding}: {text:02X?}");

        let mut decoder = Decoder::new(encoding, Options::both(Policy::Replace));
        let progress = decoder.decode_to_code_points(text, points, true);
        let replaced = items.iter().map(|item| match item {
            Item::Point(point) => *point,
            Item::Ill { .. } => 0xFFFD,
        });
        let same = replaced.eq(points[..progress.written].iter().copied());
        assert!(same && progress.status == Status::InputEmpty, "{encoding}: {text:02X?} replaced");
    }
}
