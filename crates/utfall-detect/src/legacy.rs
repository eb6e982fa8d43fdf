//! Pre-Unicode charsets, which `chardetng` distinguishes by letter pairs. It returns a guess
//! without a confidence, so it is asked once per country that it knows. Agreement counts as
//! certainty.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use utfall::Encoding;

use crate::sample::Piece;

/// Countries with different charset habits, as top-level domains.
const COUNTRIES: [&str; 16] = [
    "jp", "kr", "cn", "tw", "ru", "ua", "gr", "il", "tr", "pl", "lt", "ee", "th", "vn", "sa", "is",
];

/// The guesses of `chardetng`.
#[derive(Clone, Debug, Default)]
pub(crate) struct Votes {
    /// The guess without any country.
    pub(crate) guess: Option<Encoding>,
    /// The number of countries per encoding.
    votes: Vec<(Encoding, u32)>,
}

impl Votes {
    /// The number of countries asked about.
    pub(crate) const ASKED: u32 = COUNTRIES.len() as u32;

    /// Asks about text that is not UTF-8.
    pub(crate) fn ask(pieces: &[Piece]) -> Self {
        let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
        for piece in pieces {
            let bytes = &piece.bytes[..];
            // Feed whole lines, so that a character cut in two does not count against an encoding.
            let begin = match piece.offset {
                0 => 0,
                _ => bytes.iter().position(|o| *o == b'\n').map_or(0, |feed| feed + 1),
            };
            let end = if piece.last {
                bytes.len()
            } else {
                bytes.iter().rposition(|o| *o == b'\n').map_or(begin, |feed| feed + 1)
            };
            let whole = match begin < end {
                true => &bytes[begin..end],
                false if piece.offset == 0 => bytes,
                false => continue,
            };
            detector.feed(whole, false);
        }
        detector.feed(b"", pieces.last().is_some_and(|piece| piece.last));
        let guess = |country: Option<&str>| {
            let guess = detector.guess(country.map(str::as_bytes), Utf8Detection::Deny);
            Encoding::for_label(guess.name())
        };
        let mut votes = Self { guess: guess(None), votes: Vec::new() };
        for encoding in COUNTRIES.iter().filter_map(|country| guess(Some(country))) {
            match votes.votes.iter_mut().find(|(known, _)| *known == encoding) {
                Some((_, count)) => *count += 1,
                None => votes.votes.push((encoding, 1)),
            }
        }
        votes
    }

    /// The number of countries that vote for this encoding.
    pub(crate) fn of(&self, encoding: Encoding) -> u32 {
        self.votes.iter().find(|(known, _)| *known == encoding).map_or(0, |(_, count)| *count)
    }
}
