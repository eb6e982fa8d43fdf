//! The likely cause of invalid input: the text is in another encoding.

use std::fs::File;

use serde::{Deserialize, Serialize};
use utfall::{Decoder, Encoding, Family, Options, Status};
use utfall_detect::{Evidence, Extent, Hints, detect, detect_file_with};

use crate::failure::Failure;
use crate::guess::{LIKELY, Verdict, percent};
use crate::input::{Input, Source};
use crate::message;

/// How many bytes around an error the detector is given: enough for a good guess in a few
/// milliseconds.
pub(crate) const SAMPLE: usize = 64 * 1024;

/// The encoding that an invalid text is likely in.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Likely {
    encoding: Encoding,
    confidence: f64,
}

/// The source of the encoding in which a text is invalid.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Origin {
    /// An option, the text itself, or the default: an option overrides it.
    Option,
    /// `utfall.toml`.
    Config,
    /// A manifest, which no option overrides.
    Manifest,
}

/// The same in JSON.
#[derive(Serialize, Deserialize)]
pub(crate) struct Object {
    encoding: String,
    confidence: f64,
}

impl Likely {
    /// The likely encoding of a text that is invalid in `instead_of`, from a sample of it. `None`
    /// unless the sample is valid in the likely encoding.
    pub(crate) fn of(sample: &[u8], instead_of: Encoding) -> Option<Self> {
        let best = detect(sample).into_iter().next()?;
        let is_hidden =
            best.evidence.iter().any(|evidence| matches!(evidence, Evidence::Hidden { .. }));
        let is_wanted = best.confidence >= LIKELY && !is_hidden;
        let is_other = best.encoding != instead_of && !is_form_of(best.encoding, instead_of);
        (is_wanted && is_other && is_valid(sample, best.encoding))
            .then_some(Self { encoding: best.encoding, confidence: best.confidence })
    }

    pub(crate) fn encoding(self) -> Encoding {
        self.encoding
    }

    /// ``this looks like windows-1252 (93 %): try `-f windows-1252` ``. `said` is the encoding that
    /// `origin` determined.
    pub(crate) fn advice(self, said: Encoding, origin: Origin) -> String {
        let label = message::shell_word(self.encoding.name());
        match origin {
            Origin::Option => self.try_this(&format!("-f {label}")),
            Origin::Config => {
                format!(
                    "{}, or correct utfall.toml, which says {said}",
                    self.try_this(&format!("-f {label}"))
                )
            }
            Origin::Manifest => format!("{self}: correct the manifest, which says {said}"),
        }
    }

    /// The same for a command that reads only UTF-8.
    pub(crate) fn advice_to_convert(self, source: &Source) -> String {
        let label = message::shell_word(self.encoding.name());
        let file = argument(source);
        self.try_this(&format!("utfall convert -f {label} -t UTF-8{file}"))
    }

    fn try_this(self, command: &str) -> String {
        format!("{self}: try `{command}`")
    }

    pub(crate) fn object(self) -> Object {
        // More digits would suggest more precision than there is.
        let confidence = (self.confidence * 10_000.0).floor() / 10_000.0;
        Object { encoding: self.encoding.name().into(), confidence }
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
pub(crate) const BEFORE: usize = 512;

/// A sample of a text that arrives in pieces, from shortly before its first error on. It does not
/// depend on how the text is cut.
pub(crate) struct Sample {
    /// Its offset in the text.
    pub(crate) offset: u64,
    pub(crate) bytes: Vec<u8>,
}

impl Sample {
    /// Takes the next bytes of the text.
    pub(crate) fn push(&mut self, bytes: &[u8]) {
        let missing = SAMPLE.saturating_sub(self.bytes.len());
        self.bytes.extend_from_slice(&bytes[..bytes.len().min(missing)]);
    }

    pub(crate) fn likely(&self, instead_of: Encoding) -> Option<Likely> {
        let at = self.offset + BEFORE as u64;
        Likely::of(sample(&self.bytes, self.offset, at), instead_of)
    }
}

/// The bytes around an error at `at`. `bytes` begin at `offset` in the text.
pub(crate) fn sample(bytes: &[u8], offset: u64, at: u64) -> &[u8] {
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

/// The failure for an input without a given encoding: it has no BOM, and is invalid UTF-8 at
/// `offset`.
pub(crate) fn cannot_tell(input: &Input, offset: u64) -> Failure {
    // Detect as `utfall detect` does, if the input can be read again.
    let file = input.source().as_ref().filter(|_| input.size().is_some()).map(File::open);
    let again =
        file.and_then(|file| detect_file_with(file.ok()?, Extent::Sample, &Hints::default()).ok());
    let candidates = match again {
        Some(detection) => detection.candidates,
        None => detect(input.sample(offset)),
    };
    let verdict = Verdict::on(&candidates, None);
    let help = match verdict.to_try() {
        // The input is almost valid.
        Some(best) if best.is_utf8() => {
            let file = argument(input.source());
            format!(
                "`utfall check --all{file}` shows what is invalid in it; -f UTF-8 reads it all the same"
            )
        }
        Some(best) => {
            let label = message::shell_word(best.name());
            format!("try `-f {label}`; without -f, text must have a BOM or be valid UTF-8")
        }
        None => {
            "give the encoding with -f; without it, text must have a BOM or be valid UTF-8".into()
        }
    };
    Failure::RefusedWithHelp { text: verdict.refusal(input.name()), help }
}

/// A file name for a suggested command, with a space before it; empty for standard input.
fn argument(source: &Source) -> String {
    source.as_ref().map_or_else(String::new, |file| format!(" {}", message::shell_path(file)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const FRENCH: &str = "Les élèves français étaient déjà à l'école où ils préféraient être.\n";

    #[test]
    fn says_what_text_looks_like() {
        let bytes = Encoding::Windows1252.encode(FRENCH).unwrap();
        let likely = Likely::of(&bytes, Encoding::Utf8).unwrap();
        let advice = likely.advice(Encoding::Utf8, Origin::Option);
        assert!(advice.contains("looks like windows-1252 ("), "{advice}");
        assert!(advice.ends_with(" %): try `-f windows-1252`"), "{advice}");
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
