//! How unlikely it is that text in another encoding is well-formed UTF-8 (RFC 3629 §1).

use utfall::{Decoder, Encoding, Options, Status};

use crate::sample::Piece;

/// The fraction of well-formed sequences among all sequences of two, three and four non-ASCII
/// bytes.
const WELL_FORMED: [f64; 3] =
    [1920.0 / 16_384.0, 61_440.0 / 2_097_152.0, 1_048_576.0 / 268_435_456.0];
/// The text is certainly not UTF-8 after this many errors, so counting stops.
const MOST_ERRORS: u64 = 4096;
/// The longest run of non-ASCII bytes whose chance is computed; longer ones count as several.
const LONGEST: usize = 64;

/// Statistics of the stream as UTF-8.
pub(crate) struct Utf8 {
    decoder: Decoder<'static>,
    /// Offset in the stream at which the decoder began.
    base: u64,
    /// Number of runs of non-ASCII bytes, by length.
    runs: [u64; LONGEST + 1],
    run: usize,
    pub(crate) high: u64,
    pub(crate) leads: u64,
    pub(crate) first_high: Option<u64>,
    pub(crate) errors: u64,
    pub(crate) first_error: Option<u64>,
    /// The previous bytes were skipped, so the next ones may continue a character.
    after_gap: bool,
}

impl Default for Utf8 {
    fn default() -> Self {
        Self {
            decoder: Decoder::new(Encoding::Utf8, Options::default()),
            base: 0,
            runs: [0; LONGEST + 1],
            run: 0,
            high: 0,
            leads: 0,
            first_high: None,
            errors: 0,
            first_error: None,
            after_gap: false,
        }
    }
}

impl Utf8 {
    /// Feeds the bytes at an offset of the stream, which directly follow the previous ones. `last`
    /// marks the end. Returns how many ill-formed sequences end in them.
    pub(crate) fn feed(&mut self, offset: u64, mut bytes: &[u8], last: bool) -> u64 {
        self.count(offset, bytes);
        if std::mem::take(&mut self.after_gap) {
            let trails = bytes.iter().take(3).take_while(|o| matches!(**o, 0x80..0xC0)).count();
            bytes = &bytes[trails..];
            self.base = offset + trails as u64;
        }
        let before = self.errors;
        while self.errors < MOST_ERRORS {
            let progress = self.decoder.validate(bytes, last);
            bytes = &bytes[progress.read..];
            let Status::Error(error) = progress.status else { break };
            self.errors += 1;
            self.first_error.get_or_insert(self.base + error.offset());
        }
        if last {
            self.end_run();
        }
        self.errors - before
    }

    /// Notes that bytes were skipped.
    pub(crate) fn skip(&mut self) {
        self.end_run();
        self.decoder = Decoder::new(Encoding::Utf8, Options::default());
        self.after_gap = true;
    }

    /// Counts the runs of non-ASCII bytes, until the first error shows that their chance does not
    /// matter.
    fn count(&mut self, offset: u64, bytes: &[u8]) {
        if self.errors > 0 {
            return;
        }
        if self.first_high.is_none() {
            let first = bytes.iter().position(|byte| !byte.is_ascii());
            self.first_high = first.map(|at| offset + at as u64);
        }
        self.high += bytes.iter().filter(|byte| !byte.is_ascii()).count() as u64;
        self.leads += bytes.iter().filter(|byte| **byte >= 0xC0).count() as u64;
        let (blocks, rest) = bytes.as_chunks::<64>();
        for block in blocks {
            self.count_runs(non_ascii(block), 64);
        }
        let mut block = [0; 64];
        block[..rest.len()].copy_from_slice(rest);
        self.count_runs(non_ascii(&block), rest.len() as u32);
    }

    /// Counts the runs of set bits among the low `left` bits.
    fn count_runs(&mut self, mut mask: u64, mut left: u32) {
        while left > 0 {
            let ones = mask.trailing_ones().min(left);
            self.run += ones as usize;
            if self.run >= LONGEST {
                let longer = self.run - LONGEST;
                self.run = LONGEST;
                self.end_run();
                self.run = longer;
            }
            (mask, left) = (mask.checked_shr(ones).unwrap_or(0), left - ones);
            let zeros = mask.trailing_zeros().min(left);
            if zeros > 0 {
                self.end_run();
            }
            (mask, left) = (mask.checked_shr(zeros).unwrap_or(0), left - zeros);
        }
    }

    fn end_run(&mut self) {
        if self.run > 0 {
            self.runs[self.run] += 1;
            self.run = 0;
        }
    }

    /// The [`chance`](Self::chance) of the sample alone.
    pub(crate) fn chance_of(pieces: &[Piece]) -> f64 {
        let mut utf8 = Self::default();
        for piece in pieces {
            utf8.feed(piece.offset, &piece.bytes, piece.last);
            utf8.skip();
        }
        utf8.chance()
    }

    /// Decimal logarithm of the probability that random bytes would be well-formed, with the ASCII
    /// bytes left as they are. At most 0.
    pub(crate) fn chance(&self) -> f64 {
        let mut chances = [0.0_f64; LONGEST + 1];
        chances[0] = 1.0;
        for length in 1..=LONGEST {
            chances[length] = (2..=4)
                .filter(|bytes| *bytes <= length)
                .map(|bytes| WELL_FORMED[bytes - 2] * chances[length - bytes])
                .sum();
        }
        // A run that was cut may have an odd byte: it counts as one less.
        chances[1] = 1.0 / 3.0;
        let runs = self.runs.iter().enumerate().skip(1);
        runs.map(|(length, count)| *count as f64 * chances[length].log10()).sum::<f64>().min(0.0)
    }
}

/// Whether a code point of two bytes is so rare that a few of them are more likely pairs of letters in a
/// charset. The marks of macOS file names and of Vietnamese are not.
pub(crate) fn is_rare(point: u32) -> bool {
    matches!(
        point,
        0x13F | 0x140 | 0x149
            | 0x17F..=0x191
            | 0x193..=0x19F
            | 0x1A2..=0x1AE
            | 0x1B1..=0x1CC
            | 0x1DD..=0x217
            | 0x21C..=0x2C5
            | 0x2C8..=0x2D7
            | 0x2DE..=0x2FF
            | 0x305
            | 0x30D..=0x31A
            | 0x31C..=0x322
            | 0x324..=0x326
            | 0x329..=0x36F
            | 0x3CF..=0x3FF
            | 0x460..=0x489
            | 0x500..=0x5CF
            | 0x6D6..=0x6ED
            | 0x700..=0x7FF
    )
}

/// A bit for each byte above 7F, the first byte in the lowest bit.
fn non_ascii(block: &[u8; 64]) -> u64 {
    let (words, _) = block.as_chunks::<8>();
    let bits = words.iter().enumerate().map(|(at, word)| {
        let high = u64::from_le_bytes(*word) & 0x8080_8080_8080_8080;
        // Each of the eight bits arrives in the highest byte once, in order.
        ((high >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56) << (8 * at)
    });
    bits.fold(0, |mask, bits| mask | bits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_those_of_counting_one_by_one() {
        let mut bytes = Vec::new();
        for length in (0..150).chain([63, 64, 65, 127, 128, 129, 64 * 3]) {
            bytes.extend(std::iter::repeat_n(b' ', 1 + length * length % 7));
            bytes.extend("é".bytes().cycle().take(length / 2 * 2));
        }
        let mut expected = [0; LONGEST + 1];
        let mut run = 0;
        for byte in bytes.iter().chain(b" ") {
            if !byte.is_ascii() {
                run += 1;
            }
            if run == LONGEST || byte.is_ascii() && run > 0 {
                expected[run] += 1;
                run = 0;
            }
        }
        for size in [1, 7, 64, 100, 1024, bytes.len()] {
            let mut utf8 = Utf8::default();
            for (at, part) in bytes.chunks(size).enumerate() {
                utf8.feed((at * size) as u64, part, false);
            }
            utf8.feed(bytes.len() as u64, b"", true);
            utf8.end_run();
            assert_eq!((utf8.runs, utf8.errors), (expected, 0), "{size}");
            let high = bytes.iter().filter(|byte| !byte.is_ascii()).count() as u64;
            assert_eq!((utf8.high, utf8.leads, utf8.first_high), (high, high / 2, Some(8)));
        }
    }

    fn of(bytes: &[u8]) -> Utf8 {
        let mut utf8 = Utf8::default();
        utf8.feed(0, bytes, true);
        utf8.feed(bytes.len() as u64, b"", true);
        utf8
    }

    #[test]
    fn chances_are_those_of_counting() {
        // Two bytes: 1920 of 16384.
        assert!((of("aé.".as_bytes()).chance() - (1920.0_f64 / 16384.0).log10()).abs() < 1e-9);
        // Four: two of two, or one of four. Both count.
        let pairs = 1920.0_f64 * 1920.0 + 1_048_576.0;
        let expected = (pairs / 268_435_456.0).log10();
        assert!((of("éé ".as_bytes()).chance() - expected).abs() < 1e-9);
        assert_eq!(of(b"abc").chance(), 0.0);
    }

    #[test]
    fn gaps_are_no_errors() {
        let mut utf8 = Utf8::default();
        utf8.feed(0, b"ab\xE2\x98", false);
        utf8.skip();
        utf8.feed(100, b"\xBA!\xFF", true);
        assert_eq!((utf8.errors, utf8.first_error), (1, Some(102)));
    }
}
