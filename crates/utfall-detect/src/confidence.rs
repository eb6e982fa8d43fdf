//! Converts bit costs to probabilities.

use utfall::{Encoding, Family};

use crate::cost::Bits;
use crate::facts::Ranking;
use crate::reading::{Foreign, Reading};

/// The lead in bits that doubles the odds. It exceeds 1 because the letters of a text
/// depend on each other, which the model ignores.
const BITS_TO_DOUBLE: f64 = 4.0;
/// The same if the likeliest encoding is a charset, for which letter pairs are known.
const BITS_TO_DOUBLE_OF_CHARSET: f64 = 3.0;

/// The highest confidence without a signature: text that the model does not anticipate is never
/// impossible.
const MOST: f64 = 0.999;
/// The highest confidence for a single-byte charset. Some of these differ in a few letters only.
const MOST_OF_CHARSET: f64 = 0.99;

/// The highest confidence for a text with many foreign letters, or symbols inside words: it may be in
/// a charset that is nearly the same.
const MOST_OF_STRANGE: f64 = 0.89;

/// The highest confidence for a text whose letters are all foreign.
const MOST_OF_FOREIGN: f64 = 0.6;

/// The highest confidence for encodings that are hardly ever used without their signature.
const MOST_OF_RARE: f64 = 0.85;

/// The highest weight of a charset that is not offered. A text without controls and zeros is not
/// binary, so its likeliest encoding keeps a confidence of 0.01 or, with runners-up, a little less.
const MOST_OF_NONE: f64 = 99.0;

/// The confidence of each ranked reading, in non-increasing order.
pub(crate) fn of(ranking: &Ranking) -> Vec<f64> {
    let best = ranking.ranked.first().map_or(0, |ranked| ranked.total);
    let first = ranking.ranked.first().map(|ranked| ranked.reading.encoding);
    let to_double =
        if first.is_some_and(is_charset) { BITS_TO_DOUBLE_OF_CHARSET } else { BITS_TO_DOUBLE };
    let weight = |total: Bits| (-((total - best) as f64) / 16.0 / to_double).exp2();
    let weights: Vec<f64> = ranking.ranked.iter().map(|ranked| weight(ranked.total)).collect();
    let no_text = ranking.no_text.map_or(0.0, weight);
    let most_of_none = if ranking.no_text.is_none() { MOST_OF_NONE } else { f64::INFINITY };
    let none = ranking.none.map_or(0.0, weight).min(most_of_none);
    let sum: f64 = weights.iter().sum::<f64>() + no_text + none;
    let is_confirmed = |encoding| ranking.is_confirmed && first == Some(encoding);
    let most = |reading: &Reading| match reading.encoding {
        encoding if ranking.signature.is_some_and(|(marked, _)| marked == encoding) => 1.0,
        encoding if reading.foreign == Foreign::Many && !is_confirmed(encoding) => MOST_OF_STRANGE,
        Encoding::Utf8 if ranking.may_be_chance => MOST_OF_STRANGE,
        // No charset has text with zeros.
        encoding if ranking.has_zeros && is_charset(encoding) => MOST_OF_FOREIGN,
        _ if reading.foreign == Foreign::All => MOST_OF_FOREIGN,
        encoding if is_charset_of_one_byte(encoding) => MOST_OF_CHARSET,
        encoding if is_rare(encoding) => MOST_OF_RARE,
        _ => MOST,
    };
    let readings = ranking.ranked.iter().map(|ranked| &ranked.reading);
    // The caps must not rank a candidate below a less likely one.
    let mut before = 1.0_f64;
    let confidence = |(weight, reading): (&f64, &Reading)| {
        before = before.min(weight / sum * most(reading));
        before
    };
    weights.iter().zip(readings).map(confidence).collect()
}

fn is_charset(encoding: Encoding) -> bool {
    matches!(encoding.info().family, Family::SingleByte | Family::MultiByte)
}

pub(crate) fn is_charset_of_one_byte(encoding: Encoding) -> bool {
    encoding.info().family == Family::SingleByte && encoding != Encoding::UsAscii
}

pub(crate) fn is_rare(encoding: Encoding) -> bool {
    matches!(encoding.info().family, Family::Utf1 | Family::Ebcdic | Family::Compression)
}
