//! Whether a guess is good enough to act on, and the message if it is not: one rule and one wording
//! for every subcommand.

use utfall::{Encoding, Family};
use utfall_detect::Candidate;

/// A guess must be at least this probable, unless `--min-confidence` says otherwise.
pub const MIN_CONFIDENCE: f64 = 0.9;
/// A guess must be at least this probable to be suggested.
pub const LIKELY: f64 = 0.5;
/// Less probable guesses are not worth mentioning.
pub const LEAST: f64 = 0.005;

/// The verdict on the candidates for a text.
///
/// ```
/// use utfall_bind::guess::Verdict;
/// let candidates = utfall_detect::detect("Μήνιν ἄειδε, θεά".as_bytes());
/// assert!(Verdict::on(&candidates, None).is_sure());
/// ```
#[derive(Debug)]
pub enum Verdict<'a> {
    /// The best guess is good enough.
    Sure(&'a Candidate),
    /// The best guess is not good enough. The second field is the runner-up.
    Unsure(&'a Candidate, Option<Encoding>),
    /// In this encoding the text has characters that were hidden from filters. Messages
    /// must not suggest decoding them.
    Hidden(&'a Candidate),
    /// There is no guess: the input is binary.
    NoText,
}

impl<'a> Verdict<'a> {
    /// Judges candidates. `least` is the confidence that the user considers sufficient; it replaces
    /// the requirement that the best guess be clearly ahead, too.
    #[must_use]
    pub fn on(candidates: &'a [Candidate], least: Option<f64>) -> Self {
        let mut likely = candidates.iter().filter(|candidate| candidate.confidence >= LEAST);
        let Some(best) = likely.next() else { return Self::NoText };
        if best.evidence.iter().any(|evidence| evidence.name() == "hidden") {
            return Self::Hidden(best);
        }
        let doubt = best.doubt.filter(|_| least.is_none());
        if best.confidence < least.unwrap_or(MIN_CONFIDENCE) || doubt.is_some() {
            return Self::Unsure(best, doubt.or_else(|| Some(likely.next()?.encoding)));
        }
        Self::Sure(best)
    }

    /// Whether the best guess is good enough.
    #[must_use]
    pub fn is_sure(&self) -> bool {
        matches!(self, Self::Sure(_))
    }

    /// `best guess: windows-1252 (85 %), or windows-1250`.
    #[must_use]
    pub fn best_guess(&self) -> String {
        match self {
            Self::Sure(best) => format!("best guess: {}", shown(best)),
            Self::Unsure(best, None) => format!("best guess: {}", shown(best)),
            Self::Unsure(best, Some(next)) => format!("best guess: {}, or {next}", shown(best)),
            Self::Hidden(best) => format!("it has hidden text if it is {}", shown(best)),
            Self::NoText => "it is binary".into(),
        }
    }

    /// `cannot tell the encoding of l1.txt; best guess: windows-1252 (85 %)`.
    #[must_use]
    pub fn refusal(&self, name: &str) -> String {
        let sign = if matches!(self, Self::NoText) { ':' } else { ';' };
        format!("cannot tell the encoding of {name}{sign} {}", self.best_guess())
    }

    /// The encoding to try, if one is likely.
    #[must_use]
    pub fn to_try(&self) -> Option<Encoding> {
        match self {
            Self::Sure(best) | Self::Unsure(best, _) if best.confidence >= LIKELY => {
                Some(best.encoding)
            }
            _ => None,
        }
    }
}

/// The 8-bit charset that text in mail without a label most likely has, if one is likely. UTF-16 and
/// others that header fields cannot contain do not count.
///
/// ```
/// use utfall::Encoding;
/// let subject = Encoding::Koi8R.encode("Привет, как дела?").unwrap();
/// let charset = utfall_bind::guess::charset_of_mail(&subject).unwrap();
/// assert_eq!(charset.decode(&subject).unwrap(), "Привет, как дела?");
/// assert_eq!(utfall_bind::guess::charset_of_mail(b"Hi"), None);
/// ```
#[must_use]
pub fn charset_of_mail(bytes: &[u8]) -> Option<Encoding> {
    let is_possible = |candidate: &Candidate| {
        let info = candidate.encoding.info();
        matches!(info.family, Family::SingleByte | Family::MultiByte)
            && info.ascii_transparent
            && !bytes.is_ascii()
    };
    let candidates: Vec<_> = utfall_detect::detect(bytes).into_iter().filter(is_possible).collect();
    let all: f64 = candidates.iter().map(|candidate| candidate.confidence).sum();
    let best = candidates.first()?;
    (best.confidence >= LIKELY * all).then_some(best.encoding)
}

/// `windows-1252 (85 %)`.
fn shown(candidate: &Candidate) -> String {
    format!("{} ({})", candidate.encoding, percent(candidate.confidence))
}

/// A probability with four decimals, rounded down: more digits would suggest more precision than there
/// is. A number that is too small only in its last bits counts as the one above it.
///
/// ```
/// assert_eq!(utfall_bind::guess::rounded(0.899_95), 0.8999);
/// assert_eq!(utfall_bind::guess::rounded(0.9 - 1e-15), 0.9);
/// ```
#[must_use]
pub fn rounded(confidence: f64) -> f64 {
    (confidence * 10_000.0 + 1e-6).floor() / 10_000.0
}

/// `85 %`; 100 only if there is no doubt.
#[must_use]
pub fn percent(confidence: f64) -> String {
    match confidence {
        1.0 => "100 %".into(),
        0.99.. => "99 %".into(),
        0.01.. => format!("{:.0} %", confidence * 100.0),
        _ => "<1 %".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::percent;

    #[test]
    fn percents_are_not_more_than_is_known() {
        let shown = [0.001, 0.29, 0.854, 0.9899, 0.9999, 1.0].map(percent);
        assert_eq!(shown, ["<1 %", "29 %", "85 %", "99 %", "99 %", "100 %"]);
    }
}
