//! The reasons for a candidate.

use std::fmt;

use utfall::Encoding;

use crate::language_name;

/// A reason for or against a candidate. Offsets count bytes from the start of the stream.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Evidence {
    /// The input is empty.
    Empty,
    /// The text begins with the signature (BOM) of the encoding.
    Signature {
        /// Length of the signature in bytes.
        bytes: usize,
    },
    /// All bytes are below 0x80, and no sequence suggests any encoding other than ASCII.
    Ascii {
        /// Length of the input in bytes.
        bytes: u64,
    },
    /// Multi-byte sequences, all of them well-formed.
    MultiByte {
        /// Number of sequences.
        sequences: u64,
        /// Offset of the first.
        first: u64,
        /// Decimal logarithm of the probability that random bytes would be well-formed too, with
        /// the ASCII bytes left as they are (RFC 3629 §1).
        chance: f64,
    },
    /// Ill-formed sequences, which are evidence against the encoding.
    IllFormed {
        /// Number of sequences.
        count: u64,
        /// Offset of the first.
        first: u64,
        /// Number of bytes decoded in this encoding.
        bytes: u64,
    },
    /// Letters of a script, when decoded in this encoding.
    Letters {
        /// Number of non-ASCII letters in the decoded sample.
        count: u64,
        /// Unicode name of the script of the last one.
        script: &'static str,
    },
    /// Supplementary characters, each encoded as two three-byte surrogates, which UTF-8 forbids.
    SurrogatePairs {
        /// Number of characters.
        count: u64,
    },
    /// Base64 runs that encode other characters.
    Shifts {
        /// Number of runs.
        count: u64,
        /// Offset of the first.
        first: u64,
    },
    /// Places in Base64 runs that hide text which needs no encoding (see [`utfall::hidden`]).
    /// Attackers write such runs, and so do some encoders.
    Hidden {
        /// Number of places.
        count: u64,
        /// Offset of the first.
        first: u64,
    },
    /// Escape sequences that select a character set.
    Escapes {
        /// Number of sequences.
        count: u64,
        /// Offset of the first.
        first: u64,
    },
    /// Zero bytes; half of the bytes of Latin text in UTF-16 are zero.
    Zeros {
        /// Number of zero bytes.
        count: u64,
        /// Offset of the first.
        first: u64,
    },
    /// The language whose letter pairs fit the text best, for single-byte charsets.
    Language {
        /// A BCP 47 tag such as `cs` or `sr-latn`.
        tag: &'static str,
    },
    /// The text declares this encoding, in XML, HTML, CSS, JSP, a header of mail or gettext, a comment
    /// for editors, TeX, SQL, or hunspell's `SET`.
    Declared {
        /// Offset of the label.
        first: u64,
    },
    /// The text declares another encoding, in which it would be a different text.
    Contradicted {
        /// The declared encoding.
        declared: Encoding,
        /// Offset of the label.
        first: u64,
    },
    /// Hangul syllables at the code points of Unicode 1.1 (see [`utfall::unicode11`]).
    OldHangul {
        /// Number of syllables.
        syllables: u64,
        /// Offset of the first.
        first: u64,
    },
    /// The lead over the next candidate: how many bits fewer the text takes in this encoding.
    Ahead {
        /// The lead in bits.
        bits: u64,
        /// The runner-up, or `None` if that is "not text".
        of: Option<Encoding>,
    },
    /// Other encodings that decode the sample to the same text.
    Same {
        /// The encodings.
        encodings: Vec<Encoding>,
    },
}

impl Evidence {
    /// The kind as a single word for programs to parse. It does not change between versions.
    ///
    /// ```
    /// assert_eq!(utfall_detect::Evidence::Signature { bytes: 3 }.name(), "signature");
    /// ```
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Empty => "empty",
            Self::Signature { .. } => "signature",
            Self::Ascii { .. } => "ascii",
            Self::MultiByte { .. } => "multi-byte",
            Self::IllFormed { .. } => "ill-formed",
            Self::Letters { .. } => "letters",
            Self::SurrogatePairs { .. } => "surrogate-pairs",
            Self::Shifts { .. } => "shifts",
            Self::Hidden { .. } => "hidden",
            Self::Escapes { .. } => "escapes",
            Self::Zeros { .. } => "zeros",
            Self::Language { .. } => "language",
            Self::Declared { .. } => "declared",
            Self::Contradicted { .. } => "contradicted",
            Self::OldHangul { .. } => "old-hangul",
            Self::Ahead { .. } => "ahead",
            Self::Same { .. } => "same",
        }
    }

    /// The number of items that this reason counts.
    #[must_use]
    pub fn count(&self) -> u64 {
        match self {
            Self::Empty => 0,
            Self::Signature { bytes } => *bytes as u64,
            Self::Ascii { bytes } => *bytes,
            Self::MultiByte { sequences, .. } => *sequences,
            Self::IllFormed { count, .. }
            | Self::Letters { count, .. }
            | Self::SurrogatePairs { count }
            | Self::Shifts { count, .. }
            | Self::Hidden { count, .. }
            | Self::Escapes { count, .. }
            | Self::Zeros { count, .. } => *count,
            Self::Language { .. } | Self::Declared { .. } | Self::Contradicted { .. } => 1,
            Self::OldHangul { syllables, .. } => *syllables,
            Self::Ahead { bits, .. } => *bits,
            Self::Same { encodings } => encodings.len() as u64,
        }
    }

    /// The byte offset of the first item, if the reason has a position.
    #[must_use]
    pub const fn first(&self) -> Option<u64> {
        match self {
            Self::Signature { .. } => Some(0),
            Self::MultiByte { first, .. }
            | Self::IllFormed { first, .. }
            | Self::Shifts { first, .. }
            | Self::Hidden { first, .. }
            | Self::Escapes { first, .. }
            | Self::Zeros { first, .. }
            | Self::Declared { first }
            | Self::Contradicted { first, .. }
            | Self::OldHangul { first, .. } => Some(*first),
            _ => None,
        }
    }
}

/// How many equivalent encodings are listed.
const SHOWN: usize = 4;

/// `3 sequences`, `1 sequence`.
fn counted(count: u64, unit: &str) -> String {
    format!("{count} {unit}{}", if count == 1 { "" } else { "s" })
}

impl fmt::Display for Evidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("no bytes"),
            Self::Signature { bytes } => {
                write!(f, "signature of {} at byte 0", counted(*bytes as u64, "byte"))
            }
            Self::Ascii { .. } => f.write_str("all bytes are ASCII"),
            Self::MultiByte { sequences, first, chance } => {
                let sequences = counted(*sequences, "well-formed sequence");
                write!(f, "{sequences} from byte {first}, by chance once in ")?;
                match -chance {
                    // A whole number is exact enough.
                    power if power < 6.0 => write!(f, "{:.0}", 10_f64.powf(power)),
                    power => write!(f, "10^{power:.0}"),
                }
            }
            Self::IllFormed { count, first, bytes } => {
                let count = counted(*count, "ill-formed sequence");
                write!(f, "{count} in {bytes} bytes, the first at byte {first}")
            }
            Self::Letters { count, script } => write!(f, "{}, {script}", counted(*count, "letter")),
            Self::SurrogatePairs { count } => {
                write!(f, "{} as surrogates", counted(*count, "character"))
            }
            Self::Shifts { count, first } => {
                write!(f, "{} of Base64 from byte {first}", counted(*count, "run"))
            }
            Self::Hidden { count, first } => {
                write!(f, "text hidden in {} from byte {first}", counted(*count, "place"))
            }
            Self::Escapes { count, first } => {
                write!(f, "{} from byte {first}", counted(*count, "escape sequence"))
            }
            Self::Zeros { count, first } => {
                write!(f, "{} from byte {first}", counted(*count, "zero byte"))
            }
            Self::Language { tag } => {
                write!(f, "letter pairs of {}", language_name(tag).unwrap_or(tag))
            }
            Self::Declared { first } => write!(f, "declared at byte {first}"),
            Self::Contradicted { declared, first } => {
                write!(f, "but the text declares {declared} at byte {first}")
            }
            Self::OldHangul { syllables, first } => {
                write!(f, "{} of Unicode 1.1 from byte {first}", counted(*syllables, "syllable"))
            }
            Self::Ahead { bits, of: Some(next) } => {
                write!(f, "{} ahead of {next}", counted(*bits, "bit"))
            }
            Self::Ahead { bits, of: None } => {
                write!(f, "{} ahead of binary data", counted(*bits, "bit"))
            }
            Self::Same { encodings } => {
                f.write_str("same text in ")?;
                for (index, encoding) in encodings.iter().take(SHOWN).enumerate() {
                    write!(f, "{}{encoding}", if index > 0 { ", " } else { "" })?;
                }
                match encodings.len().saturating_sub(SHOWN) {
                    0 => Ok(()),
                    more => write!(f, " and {more} more"),
                }
            }
        }
    }
}
