//! Converts bit costs to probabilities.

use utfall::{Encoding, Family};

use crate::facts::Ranking;
use crate::model::Bits;

/// The lead in bits that doubles the odds. It exceeds 1 because the letters of a text
/// depend on each other, which the model ignores.
const BITS_TO_DOUBLE: f64 = 5.0;

/// The highest confidence without a signature: text that the model does not anticipate is never
/// impossible.
const MOST: f64 = 0.999;
/// The highest confidence for a single-byte charset. Some of these differ in a few letters only,
/// and `chardetng` does not know all of them.
const MOST_OF_CHARSET: f64 = 0.95;

/// The highest confidence for encodings that are hardly ever used without their signature.
const MOST_OF_RARE: f64 = 0.85;

/// The confidence of each ranked reading, in non-increasing order.
pub(crate) fn of(ranking: &Ranking) -> Vec<f64> {
    let best = ranking.ranked.first().map_or(0, |ranked| ranked.total);
    let weight = |total: Bits| (-((total - best) as f64) / 16.0 / BITS_TO_DOUBLE).exp2();
    let weights: Vec<f64> = ranking.ranked.iter().map(|ranked| weight(ranked.total)).collect();
    let no_text = ranking.no_text.map_or(0.0, weight);
    let sum: f64 = weights.iter().sum::<f64>() + no_text;
    let most = |encoding: Encoding| match encoding {
        _ if ranking.signature.is_some_and(|(marked, _)| marked == encoding) => 1.0,
        encoding if is_charset_of_one_byte(encoding) => MOST_OF_CHARSET,
        encoding if is_rare(encoding) => MOST_OF_RARE,
        _ => MOST,
    };
    let encodings = ranking.ranked.iter().map(|ranked| ranked.reading.encoding);
    // The caps must not rank a candidate below a less likely one.
    let mut before = 1.0_f64;
    let confidence = |(weight, encoding): (&f64, Encoding)| {
        before = before.min(weight / sum * most(encoding));
        before
    };
    weights.iter().zip(encodings).map(confidence).collect()
}

pub(crate) fn is_charset_of_one_byte(encoding: Encoding) -> bool {
    encoding.info().family == Family::SingleByte && encoding != Encoding::UsAscii
}

fn is_rare(encoding: Encoding) -> bool {
    matches!(encoding.info().family, Family::Utf1 | Family::Ebcdic | Family::Compression)
}
