//! The likely cause of invalid input: the text is in another encoding.
//!
//! ```
//! use utfall::Encoding;
//! use utfall_bind::likely::Likely;
//! let text = b"Les \xE9l\xE8ves fran\xE7ais \xE9taient d\xE9j\xE0 \xE0 l'\xE9cole.\n".repeat(3);
//! let likely = Likely::of(&text, Encoding::Utf8).unwrap();
//! assert_eq!(likely.encoding(), Encoding::Windows1252);
//! ```

use serde::{Deserialize, Serialize};
use utfall::{Decoder, Encoding, Family, Options, Status};
use utfall_detect::{Evidence, detect};

use crate::guess::{LIKELY, percent, rounded};

/// How many bytes around an error the detector is given: enough for a good guess in a few
/// milliseconds.
pub const SAMPLE: usize = 64 * 1024;

/// The encoding that an invalid text is likely in.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Likely {
    encoding: Encoding,
    confidence: f64,
}

/// The same in JSON.
#[derive(Debug, Serialize, Deserialize)]
pub struct Object {
    encoding: String,
    confidence: f64,
}

impl Likely {
    /// The likely encoding of a text that is invalid in `instead_of`, from a sample of it. `None`
    /// unless the sample is valid in the likely encoding. A single byte is valid in too many.
    #[must_use]
    pub fn of(sample: &[u8], instead_of: Encoding) -> Option<Self> {
        if sample.len() < 2 {
            return None;
        }
        let best = detect(sample).into_iter().next()?;
        let is_hidden =
            best.evidence.iter().any(|evidence| matches!(evidence, Evidence::Hidden { .. }));
        let is_wanted = best.confidence >= LIKELY && !is_hidden;
        let is_other = best.encoding != instead_of && !is_form_of(best.encoding, instead_of);
        (is_wanted && is_other && is_valid(sample, best.encoding))
            .then_some(Self { encoding: best.encoding, confidence: best.confidence })
    }

    /// The encoding.
    #[must_use]
    pub fn encoding(self) -> Encoding {
        self.encoding
    }

    /// The same for JSON.
    #[must_use]
    pub fn object(self) -> Object {
        Object { encoding: self.encoding.name().into(), confidence: rounded(self.confidence) }
    }
}

impl std::fmt::Display for Likely {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "this looks like {} ({})", self.encoding, percent(self.confidence))
    }
}

/// Whether a text looks like a form of the encoding it was read in.
fn is_form_of(best: Encoding, instead_of: Encoding) -> bool {
    use Encoding as E;
    match best {
        // UTF-7 without shifts.
        E::UsAscii => instead_of.info().family == Family::Utf7,
        // Do not suggest decoding overlong forms, which may hide text from filters.
        E::Utf8Rfc2044 | E::Utf8Rfc2279 | E::Utf8Perl => true,
        _ => false,
    }
}

/// Whether a sample is valid. It may end inside a character.
fn is_valid(sample: &[u8], encoding: Encoding) -> bool {
    let mut decoder = Decoder::new(encoding, Options::default());
    !matches!(decoder.validate(sample, false).status, Status::Error(_))
}

/// How many bytes before an error are part of a [`Sample`].
pub const BEFORE: usize = 512;

/// A sample of a text that arrives in pieces, from shortly before its first error on. It does not
/// depend on how the text is cut.
#[derive(Debug)]
pub struct Sample {
    /// Its offset in the text.
    pub offset: u64,
    /// Its bytes, at most [`SAMPLE`].
    pub bytes: Vec<u8>,
}

impl Sample {
    /// Takes the next bytes of the text.
    pub fn push(&mut self, bytes: &[u8]) {
        let missing = SAMPLE.saturating_sub(self.bytes.len());
        self.bytes.extend_from_slice(&bytes[..bytes.len().min(missing)]);
    }

    /// The likely encoding of the text.
    #[must_use]
    pub fn likely(&self, instead_of: Encoding) -> Option<Likely> {
        let at = self.offset + BEFORE as u64;
        Likely::of(sample(&self.bytes, self.offset, at), instead_of)
    }
}

/// The bytes around an error at `at`. `bytes` begin at `offset` in the text.
#[must_use]
pub fn sample(bytes: &[u8], offset: u64, at: u64) -> &[u8] {
    let at = usize::try_from(at.saturating_sub(offset)).unwrap_or(usize::MAX).min(bytes.len());
    let begin = at.saturating_sub(SAMPLE / 2);
    let sample = &bytes[begin..bytes.len().min(begin + SAMPLE)];
    let begin = match offset + begin as u64 {
        0 => 0,
        place => boundary(sample, place, at - begin),
    };
    &sample[begin..]
}

/// The start of a character, at most `end`, in bytes from the middle of a text in almost any
/// encoding.
fn boundary(bytes: &[u8], offset: u64, end: usize) -> usize {
    let before = &bytes[..end];
    let found = match bytes.contains(&0) {
        // UTF-16 or UTF-32.
        true => (offset.next_multiple_of(4) - offset) as usize,
        false => before.iter().position(|byte| *byte == b'\n').map_or(0, |line_feed| line_feed + 1),
    };
    found.min(end)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FRENCH: &str = "Les élèves français étaient déjà à l'école où ils préféraient être.\n";

    #[test]
    fn says_what_text_looks_like() {
        let bytes = Encoding::Windows1252.encode(FRENCH).unwrap();
        let likely = Likely::of(&bytes, Encoding::Utf8).unwrap();
        let text = likely.to_string();
        assert!(text.starts_with("this looks like windows-1252 ("), "{text}");
        // UTF-8 with one invalid byte is still UTF-8, and noise has no likely encoding.
        assert_eq!(Likely::of(b"caf\xC3\xA9 \xC3\xA8 \xC3\xA0 \xFF", Encoding::Utf8), None);
        assert_eq!(Likely::of(b"\x80\x81\x00\xFE\x07", Encoding::Utf8), None);
        assert_eq!(Likely::of(b"a tilde: ~", Encoding::Utf7), None);
    }

    #[test]
    fn samples_begin_where_a_character_does() {
        let text = Encoding::Utf16Le.encode(FRENCH).unwrap().repeat(2000);
        let middle = sample(&text[1..], 1, 120_001);
        assert_eq!(Likely::of(middle, Encoding::Utf8).unwrap().encoding(), Encoding::Utf16Le);
        let text = Encoding::ShiftJis.encode("日本語の文章です。\n").unwrap().repeat(10_000);
        let middle = sample(&text[1..], 1, 120_001);
        assert_eq!(Likely::of(middle, Encoding::Utf8).unwrap().encoding(), Encoding::ShiftJis);
        assert_eq!(sample(b"abc", 0, 2), b"abc");
        assert_eq!(sample(b"abc", 10, 2), b"abc");
    }
}
