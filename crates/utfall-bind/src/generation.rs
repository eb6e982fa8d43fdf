//! The four specifications that defined UTF-8, and which of them accept a given text.
//!
//! All of them read a text in the same way up to an ill-formed sequence, and again after all of
//! its continuation bytes. So a text is well-formed by an older specification if each sequence
//! that RFC 3629 rejects is. One pass determines this for all specifications.

use utfall::{Decoder, Encoding, ErrorKind, Options};

use crate::show;

/// A specification that defined UTF-8.
#[derive(Debug)]
pub struct Specification {
    /// The name in JSON.
    pub name: &'static str,
    /// The name in messages, in a list that begins with the oldest.
    title: &'static str,
    encoding: Encoding,
}

/// Oldest first. A sequence that one of them rejects is rejected by all later ones.
pub const SPECIFICATIONS: [Specification; 4] = [
    Specification { name: "RFC 2044", title: "RFC 2044 (1996)", encoding: Encoding::Utf8Rfc2044 },
    Specification {
        name: "draft-yergeau-utf8-rev-00",
        title: "its 1997 draft revision",
        encoding: Encoding::Utf8Rfc2044,
    },
    Specification { name: "RFC 2279", title: "RFC 2279 (1998)", encoding: Encoding::Utf8Rfc2279 },
    Specification { name: "RFC 3629", title: "RFC 3629 (2003)", encoding: Encoding::Utf8 },
];

const RFC_2044: usize = 0;
const RFC_2279: usize = 2;
const RFC_3629: usize = 3;

/// An ill-formed sequence of UTF-8 with all of its continuation bytes.
///
/// ```
/// use utfall::ErrorKind;
/// use utfall_bind::generation::Sequence;
/// let sequence = Sequence::new(ErrorKind::Overlong, b"\xC0\xAE");
/// assert_eq!(sequence.message, "overlong form of U+002E \".\"");
/// assert_eq!(sequence.acceptance(), "accepted by RFC 2044 (1996) and its 1997 draft revision");
/// ```
#[derive(Clone, Debug)]
pub struct Sequence {
    /// The error.
    pub message: String,
    /// The code point by an older specification, if any.
    pub point: Option<u32>,
    /// How many of [`SPECIFICATIONS`] accept it, starting with the oldest.
    accepted: usize,
}

impl Sequence {
    /// Describes a sequence, given the error and all of its bytes.
    #[must_use]
    pub fn new(kind: ErrorKind, bytes: &[u8]) -> Self {
        let point = decode_as_1996(bytes);
        let accepts =
            |specification: &&Specification| specification.encoding.validate(bytes).is_ok();
        let accepted = SPECIFICATIONS.iter().take_while(accepts).count();
        Self { message: describe(kind, bytes, point), point, accepted }
    }

    /// The specifications that accept it, oldest first.
    #[must_use]
    pub fn accepted_by(&self) -> &'static [Specification] {
        &SPECIFICATIONS[..self.accepted]
    }

    /// `accepted by RFC 2044 (1996) and its 1997 draft revision`.
    #[must_use]
    pub fn acceptance(&self) -> String {
        match self.accepted_by() {
            [] => "no UTF-8 specification accepts it".into(),
            [only] => format!("accepted by {}", only.title),
            [first @ .., last] => {
                let first: Vec<_> = first.iter().map(|specification| specification.title).collect();
                format!("accepted by {} and {}", first.join(", "), last.title)
            }
        }
    }
}

/// The code point of one whole sequence by RFC 2044, which has the fewest rules.
fn decode_as_1996(bytes: &[u8]) -> Option<u32> {
    if Encoding::Utf8Rfc2044.validate(bytes).is_err() {
        return None;
    }
    let mut points = [0; 2];
    let mut decoder = Decoder::new(Encoding::Utf8Rfc2044, Options::default());
    let progress = decoder.decode_to_code_points(bytes, &mut points, true);
    (progress.written == 1).then_some(points[0])
}

fn describe(kind: ErrorKind, bytes: &[u8], point: Option<u32>) -> String {
    let announced = bytes.first().map_or(0, |lead| lead.leading_ones() as usize);
    let form = match announced {
        5 => "five-byte form",
        6 => "six-byte form",
        _ => "form",
    };
    let shown = point.map(show::character).unwrap_or_default();
    let is_overlong = point.is_some_and(|point| shortest(point) < bytes.len());
    match (kind, point) {
        (ErrorKind::Overlong | ErrorKind::LongForm, Some(0)) => match form {
            "form" => "overlong NUL (U+0000)".into(),
            _ => format!("overlong NUL (U+0000), {form}"),
        },
        (ErrorKind::Overlong | ErrorKind::LongForm, Some(_)) if is_overlong => {
            format!("overlong {form} of {shown}")
        }
        (ErrorKind::LongForm, Some(_)) => format!("{form} of {shown}"),
        (ErrorKind::Surrogate, Some(_)) => format!("surrogate {shown}"),
        (ErrorKind::OutOfRange, Some(_)) => format!("{shown}, above the maximum U+10FFFF"),
        (ErrorKind::Truncated, _) => {
            format!(
                "incomplete sequence at the end of the input: {} of {announced} bytes",
                bytes.len()
            )
        }
        (_, None) if (2..=6).contains(&announced) => {
            let kind = match kind {
                ErrorKind::MissingTrail => "sequence".into(),
                ErrorKind::Overlong => format!("overlong {form}"),
                ErrorKind::LongForm => form.into(),
                ErrorKind::OutOfRange => "out-of-range value".into(),
                kind => kind.to_string(),
            };
            format!("incomplete {kind}: {} of {announced} bytes", bytes.len())
        }
        _ => kind.to_string(),
    }
}

/// The length of the shortest form.
fn shortest(point: u32) -> usize {
    match point {
        0..=0x7F => 1,
        0x80..=0x7FF => 2,
        0x800..=0xFFFF => 3,
        0x1_0000..=0x1F_FFFF => 4,
        0x20_0000..=0x3FF_FFFF => 5,
        _ => 6,
    }
}

/// The specifications that accept a text, as far as it has been read.
#[derive(Clone, Debug, Default)]
pub struct Generation {
    /// The first problem for each of [`SPECIFICATIONS`].
    refused: [Option<String>; SPECIFICATIONS.len()],
}

impl Generation {
    /// Adds a problem. `place` is its position: `line 1, column 2`.
    pub fn add(&mut self, sequence: &Sequence, place: &str) {
        for refused in &mut self.refused[sequence.accepted..] {
            refused.get_or_insert_with(|| format!("{} at {place}", sequence.message));
        }
    }

    /// The specifications that accept the text.
    pub fn satisfied(&self) -> impl Iterator<Item = &'static Specification> {
        SPECIFICATIONS
            .iter()
            .zip(&self.refused)
            .filter(|(_, why)| why.is_none())
            .map(|(specification, _)| specification)
    }

    /// `valid by RFC 2279 but not RFC 3629: …`.
    #[must_use]
    pub fn sentence(&self) -> String {
        match [RFC_2044, RFC_2279, RFC_3629]
            .map(|specification| self.refused[specification].as_deref())
        {
            [None, None, None] => "valid by RFC 3629, RFC 2279 and RFC 2044".into(),
            [None, None, Some(why)] => format!("valid by RFC 2279 but not RFC 3629: {why}"),
            [None, Some(why), Some(same)] if why == same => format!(
                "valid by RFC 2044 and its 1997 draft revision but not RFC 2279 or RFC 3629: {why}"
            ),
            [None, why_2279, why_3629] => format!(
                "valid by RFC 2044 and its 1997 draft revision; not by RFC 2279: {}; \
                 not by RFC 3629: {}",
                why_2279.unwrap_or_default(),
                why_3629.unwrap_or_default(),
            ),
            [Some(why), ..] => format!("not valid UTF-8 by any RFC: {why}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use utfall::Utf7Tolerance;
    use utfall::lint::{FindingKind, Linter, Rule, Rules};

    use super::*;
    use crate::check::decoder_options;

    /// The kind and the bytes of each ill-formed sequence of UTF-8.
    fn ill_formed_sequences(text: &[u8]) -> Vec<(ErrorKind, Vec<u8>)> {
        let rules = Rules::NONE.with(Rule::IllFormed);
        let options = decoder_options(Encoding::Utf8, Utf7Tolerance::NONE);
        let mut linter = Linter::new(Encoding::Utf8, rules, options);
        let mut sequences = Vec::new();
        linter.check(text, true, |finding| {
            let bytes = &text[finding.offset as usize..][..finding.length as usize];
            if let FindingKind::IllFormed(error) = finding.what {
                sequences.push((error.kind(), bytes.to_vec()));
            }
        });
        sequences
    }

    /// For all short texts of significant bytes, the result agrees with the validators of all
    /// specifications.
    #[test]
    fn sequences_add_up() {
        let bytes = [0x2E, 0x80, 0xA0, 0xBF, 0xC0, 0xC2, 0xE0, 0xED, 0xF0, 0xF4, 0xF8, 0xFC, 0xFE];
        let mut text = Vec::new();
        for number in 0..bytes.len().pow(5) {
            text.clear();
            let mut rest = number;
            while rest > 0 {
                text.push(bytes[rest % bytes.len()]);
                rest /= bytes.len();
            }
            let mut generation = Generation::default();
            for (kind, sequence) in ill_formed_sequences(&text) {
                generation.add(&Sequence::new(kind, &sequence), "");
            }
            for (specification, refused) in SPECIFICATIONS.iter().zip(&generation.refused) {
                let valid = specification.encoding.validate(&text).is_ok();
                assert_eq!(refused.is_none(), valid, "{}: {text:02X?}", specification.name);
            }
        }
    }

    #[test]
    fn descriptions() {
        let describe = |bytes: &[u8]| {
            let (kind, sequence) = ill_formed_sequences(bytes).remove(0);
            assert_eq!(sequence, bytes);
            Sequence::new(kind, bytes).message
        };
        assert_eq!(describe(b"\xC0\x80"), "overlong NUL (U+0000)");
        assert_eq!(describe(b"\xE0\x80\x80"), "overlong NUL (U+0000)");
        assert_eq!(describe(b"\xC0\xAE"), "overlong form of U+002E \".\"");
        assert_eq!(describe(b"\xED\xA0\x80"), "surrogate U+D800");
        assert_eq!(describe(b"\xF8\x88\x80\x80\x80"), "five-byte form of U+200000");
        assert_eq!(describe(b"\xF8\x80\x80\x81\x81"), "overlong five-byte form of U+0041 \"A\"");
        assert_eq!(describe(b"\xFC\x84\x80\x80\x80\x80"), "six-byte form of U+4000000");
        assert_eq!(describe(b"\xF4\x90\x80\x80"), "U+110000, above the maximum U+10FFFF");
        assert_eq!(
            describe(b"\xE2\x98"),
            "incomplete sequence at the end of the input: 2 of 3 bytes"
        );
        assert_eq!(describe(b"\xC0"), "incomplete overlong form: 1 of 2 bytes");
        assert_eq!(describe(b"\xED\xA0"), "incomplete surrogate: 2 of 3 bytes");
        assert_eq!(describe(b"\x80"), "unexpected continuation byte");
        assert_eq!(describe(b"\xFF"), "byte that never appears");
    }
}
