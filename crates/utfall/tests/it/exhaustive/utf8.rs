//! Sequences of bytes in each form of UTF-8 and its relatives.

use std::ops::Range;

use utfall::{Decoder, Encoding, Granularity, Options, Policy, Status};
use utfall_oracle::Item;
use utfall_oracle::counted::{self, Rule};

/// Encodings made of sequences of bytes.
pub(crate) const PROFILES: [Encoding; 7] = [
    Encoding::Utf8,
    Encoding::Utf8Rfc2279,
    Encoding::Utf8Rfc2044,
    Encoding::Utf8Perl,
    Encoding::Cesu8,
    Encoding::Mutf8,
    Encoding::Wtf8,
];

/// A text of many sequences, each followed by a letter that ends it, with the expected results.
pub(crate) struct Batch {
    profile: Encoding,
    text: Vec<u8>,
    /// Ill-formed sequences: offset, length, kind.
    ill: Vec<(u64, u32, &'static str)>,
    /// Code points without ill-formed sequences, and with U+FFFD for each granularity.
    points: Vec<u32>,
    replaced: [Vec<u32>; GRANULARITIES.len()],
    /// The [`GRANULARITIES`] to test with this text.
    counted_by: Range<usize>,
    items: Vec<Item>,
    counted: Vec<Item>,
    out: Vec<u32>,
}

const GRANULARITIES: [Granularity; 4] =
    [Granularity::MaximalSubpart, Granularity::PerByte, Granularity::Jdk, Granularity::Perl];

impl Batch {
    pub(crate) fn new(profile: Encoding) -> Self {
        Self {
            profile,
            text: Vec::new(),
            ill: Vec::new(),
            points: Vec::new(),
            replaced: [const { Vec::new() }; 4],
            counted_by: 0..GRANULARITIES.len(),
            items: Vec::new(),
            counted: Vec::new(),
            out: Vec::new(),
        }
    }

    /// Adds a sequence and a letter; at the end, the sequence alone.
    pub(crate) fn push(&mut self, sequence: &[u8], is_last: bool) {
        let name = self.profile.name();
        let begin = self.text.len();
        self.text.extend_from_slice(sequence);
        if !is_last {
            self.text.push(b'a');
        }
        let bytes = &self.text[begin..];
        self.items.clear();
        utfall_oracle::decode(name, bytes, &mut self.items);
        let mut any = false;
        for item in &self.items {
            match *item {
                Item::Point(point) => self.points.push(point),
                Item::Ill { offset, length } => {
                    any = true;
                    let why = counted::why(name, &bytes[offset..], length);
                    self.ill.push(((begin + offset) as u64, length as u32, why));
                }
            }
        }
        for way in self.counted_by.clone() {
            let rule = match GRANULARITIES[way] {
                Granularity::Jdk => Some(Rule::Jdk),
                Granularity::Perl => Some(Rule::Perl),
                _ => None,
            };
            let items = match rule {
                Some(rule) if any => {
                    self.counted.clear();
                    counted::decode(name, bytes, rule, &mut self.counted);
                    &self.counted
                }
                _ => &self.items,
            };
            let is_per_byte = GRANULARITIES[way] == Granularity::PerByte;
            for item in items {
                match *item {
                    Item::Point(point) => self.replaced[way].push(point),
                    Item::Ill { length, .. } => {
                        let count = if is_per_byte { length } else { 1 };
                        self.replaced[way].extend(std::iter::repeat_n(0xFFFD, count));
                    }
                }
            }
        }
    }

    /// Decodes the text, and begins another.
    pub(crate) fn check(&mut self) {
        let profile = self.profile;
        let text = &self.text[..];
        self.out.resize(text.len() + 16, 0);
        let mut decoder = Decoder::new(profile, Options::default());
        let (mut read, mut written, mut ill) = (0, 0, self.ill.iter());
        loop {
            let progress =
                decoder.decode_to_code_points(&text[read..], &mut self.out[written..], true);
            read += progress.read;
            written += progress.written;
            let Status::Error(error) = progress.status else { break };
            let found = (error.offset(), error.length(), error.kind().name());
            let expected = ill.next();
            assert_eq!(Some(&found), expected, "{profile}: {}", near(text, found.0));
        }
        assert_eq!(ill.next(), None, "{profile}: {text:02X?}");
        assert!(self.out[..written] == self.points, "{profile}: {text:02X?}");
        assert_eq!(read, text.len());

        let first = profile.validate(text).err().map(|error| (error.offset(), error.length()));
        let expected = self.ill.first().map(|(offset, length, _)| (*offset, *length));
        assert_eq!(first, expected, "{profile}: validate {text:02X?}");

        for way in self.counted_by.clone() {
            let (granularity, expected) = (GRANULARITIES[way], &mut self.replaced[way]);
            let options = Options::both(Policy::Replace).with_granularity(granularity);
            let mut decoder = Decoder::new(profile, options);
            let progress = decoder.decode_to_code_points(text, &mut self.out, true);
            assert_eq!(progress.status, Status::InputEmpty);
            let differs =
                self.out[..progress.written].iter().zip(&*expected).position(|(a, b)| a != b);
            let same = differs.is_none() && progress.written == expected.len();
            assert!(same, "{profile}, {granularity:?}: code point {differs:?} of {text:02X?}");
            expected.clear();
        }
        self.text.clear();
        self.ill.clear();
        self.points.clear();
    }
}

/// Whether the second byte may continue a sequence that the first one begins.
pub(crate) fn continues([a, b]: [u8; 2]) -> bool {
    a >= 0xC0 && (0x80..=0xBF).contains(&b)
}

/// The bytes around an offset.
fn near(text: &[u8], offset: u64) -> String {
    let from = (offset as usize).saturating_sub(4);
    format!("{:02X?} from {from} on", &text[from..text.len().min(from + 16)])
}

/// All sequences of four bytes that begin with these two and continue with `bytes`. Longer
/// sequences are also tested at the end of a text.
///
/// After a byte that is complete alone, there are three others. If the letter is among `bytes`,
/// those three and the letter are another of these sequences. So U+FFFD is counted by only one
/// granularity here, in rotation.
pub(crate) fn from_two(batch: &mut Batch, [a, b]: [u8; 2], bytes: &[u8]) {
    for &c in bytes {
        let way = usize::from(a ^ b ^ c) % GRANULARITIES.len();
        let is_again = !continues([a, b]) && bytes.contains(&b'a');
        batch.counted_by = if is_again { way..way + 1 } else { 0..GRANULARITIES.len() };
        for &d in bytes {
            batch.push(&[a, b, c, d], false);
        }
        batch.check();
        // Truncation after three bytes is tested with the sequences of three.
        let is_long = a >= 0xF0 || a == 0xED;
        if is_long && [b, c].iter().all(|byte| (0x80..=0xBF).contains(byte)) {
            for &d in bytes {
                batch.push(&[a, b, c, d], true);
                batch.check();
            }
        }
    }
}

/// Sequences of up to three bytes, of which the third is among `thirds`, each at the end of a text
/// and before a letter.
pub(crate) fn up_to_three(batch: &mut Batch, a: u8, seconds: &[u8], thirds: &[u8]) {
    batch.push(&[a], true);
    batch.check();
    for &b in seconds {
        batch.push(&[a, b], true);
        batch.check();
        for &c in thirds {
            batch.push(&[a, b, c], false);
        }
        batch.check();
        // Only sequences that more bytes could complete differ at the end.
        if a >= 0xC0 {
            for &c in thirds {
                batch.push(&[a, b, c], true);
                batch.check();
            }
        }
    }
}
