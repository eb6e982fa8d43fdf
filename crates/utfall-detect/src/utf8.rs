//! How unlikely it is that text in another encoding is well-formed UTF-8 (RFC 3629 §1).

use utfall::{Decoder, Encoding, Options, Status};

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
        self.errors - before
    }

    /// Notes that bytes were skipped.
    pub(crate) fn skip(&mut self) {
        self.end_run();
        self.decoder = Decoder::new(Encoding::Utf8, Options::default());
        self.after_gap = true;
    }

    fn count(&mut self, offset: u64, bytes: &[u8]) {
        if bytes.is_ascii() {
            self.end_run();
            return;
        }
        for (at, byte) in bytes.iter().enumerate() {
            match byte {
                0..0x80 => self.end_run(),
                _ => {
                    self.first_high.get_or_insert(offset + at as u64);
                    self.high += 1;
                    self.leads += u64::from(*byte >= 0xC0);
                    self.run += 1;
                    if self.run == LONGEST {
                        self.end_run();
                    }
                }
            }
        }
    }

    fn end_run(&mut self) {
        if self.run > 0 {
            self.runs[self.run] += 1;
            self.run = 0;
        }
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

#[cfg(test)]
mod tests {
    use super::*;

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
