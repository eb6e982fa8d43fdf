//! Why octets are taken to be in an encoding.

use std::fmt;

use utfall::Encoding;

/// One reason. Offsets are octets from the start of the stream.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Evidence {
    /// There are no octets.
    Empty,
    /// The text begins with the signature of the encoding, a byte order mark.
    Signature {
        /// How many octets that is.
        octets: usize,
    },
    /// No octet has the highest bit set, and nothing says that it means anything but ASCII.
    Ascii {
        /// How many octets there are.
        octets: u64,
    },
    /// Sequences of more than one octet, all well-formed.
    MultiOctet {
        /// How many.
        sequences: u64,
        /// Where the first begins.
        first: u64,
        /// The decimal logarithm of the probability that octets drawn at random, with those of
        /// ASCII where they are, would be well-formed too (RFC 3629 §1).
        chance: f64,
    },
    /// Ill-formed sequences, which speak against it.
    IllFormed {
        /// How many.
        count: u64,
        /// Where the first begins.
        first: u64,
        /// Of how many octets that were read in this encoding.
        octets: u64,
    },
    /// Letters of a script that reading it in this encoding gives.
    Letters {
        /// How many letters beyond ASCII there are in what was read in this encoding.
        count: u64,
        /// The script of the last of them, as Unicode names it.
        script: &'static str,
    },
    /// Characters beyond U+FFFF as pairs of surrogates of three octets each, which UTF-8 rules out.
    SurrogatePairs {
        /// How many characters.
        count: u64,
    },
    /// Runs of Base64 that stand for other characters.
    Shifts {
        /// How many.
        count: u64,
        /// Where the first begins.
        first: u64,
    },
    /// Places in runs of Base64 where text is hidden that needed none (see [`utfall::hidden`]): what
    /// an attacker writes, and some encoders.
    Hidden {
        /// How many.
        count: u64,
        /// Where the first begins.
        first: u64,
    },
    /// Escape sequences that choose a character set.
    Escapes {
        /// How many.
        count: u64,
        /// Where the first begins.
        first: u64,
    },
    /// Octets that are zero, as half of those of Latin text in UTF-16 are.
    Zeros {
        /// How many.
        count: u64,
        /// Where the first is.
        first: u64,
    },
    /// `chardetng` takes it for this.
    Guess {
        /// In how many of the countries whose habits it knows.
        countries: u32,
        /// How many it was asked about.
        of: u32,
    },
    /// Syllables where Unicode 1.1 had them (see [`utfall::unicode11`]).
    OldHangul {
        /// How many.
        syllables: u64,
        /// Where the first begins.
        first: u64,
    },
    /// How many bits less the text takes, read in this encoding, than in the next one.
    Ahead {
        /// Bits.
        bits: u64,
        /// The next one, or nothing if that is no text at all.
        of: Option<Encoding>,
    },
    /// Other encodings in which what was read is the same text.
    Same {
        /// Which.
        encodings: Vec<Encoding>,
    },
}

impl Evidence {
    /// The kind as one word for programs to read, the same from version to version.
    ///
    /// ```
    /// assert_eq!(utfall_detect::Evidence::Signature { octets: 3 }.name(), "signature");
    /// ```
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Empty => "empty",
            Self::Signature { .. } => "signature",
            Self::Ascii { .. } => "ascii",
            Self::MultiOctet { .. } => "multi-octet",
            Self::IllFormed { .. } => "ill-formed",
            Self::Letters { .. } => "letters",
            Self::SurrogatePairs { .. } => "surrogate-pairs",
            Self::Shifts { .. } => "shifts",
            Self::Hidden { .. } => "hidden",
            Self::Escapes { .. } => "escapes",
            Self::Zeros { .. } => "zeros",
            Self::Guess { .. } => "guess",
            Self::OldHangul { .. } => "old-hangul",
            Self::Ahead { .. } => "ahead",
            Self::Same { .. } => "same",
        }
    }

    /// How many there are of what it is about.
    #[must_use]
    pub fn count(&self) -> u64 {
        match self {
            Self::Empty => 0,
            Self::Signature { octets } => *octets as u64,
            Self::Ascii { octets } => *octets,
            Self::MultiOctet { sequences, .. } => *sequences,
            Self::IllFormed { count, .. }
            | Self::Letters { count, .. }
            | Self::SurrogatePairs { count }
            | Self::Shifts { count, .. }
            | Self::Hidden { count, .. }
            | Self::Escapes { count, .. }
            | Self::Zeros { count, .. } => *count,
            Self::Guess { countries, .. } => u64::from(*countries),
            Self::OldHangul { syllables, .. } => *syllables,
            Self::Ahead { bits, .. } => *bits,
            Self::Same { encodings } => encodings.len() as u64,
        }
    }

    /// The offset of the first of them, if they are somewhere.
    #[must_use]
    pub const fn first(&self) -> Option<u64> {
        match self {
            Self::Signature { .. } => Some(0),
            Self::MultiOctet { first, .. }
            | Self::IllFormed { first, .. }
            | Self::Shifts { first, .. }
            | Self::Hidden { first, .. }
            | Self::Escapes { first, .. }
            | Self::Zeros { first, .. }
            | Self::OldHangul { first, .. } => Some(*first),
            _ => None,
        }
    }
}

/// How many encodings of the same text are named.
const SHOWN: usize = 4;

/// `3 sequences`, `1 sequence`.
fn counted(count: u64, unit: &str) -> String {
    format!("{count} {unit}{}", if count == 1 { "" } else { "s" })
}

impl fmt::Display for Evidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("no octets"),
            Self::Signature { octets } => {
                write!(f, "signature of {} at octet 0", counted(*octets as u64, "octet"))
            }
            Self::Ascii { .. } => f.write_str("all octets are ASCII"),
            Self::MultiOctet { sequences, first, chance } => {
                let sequences = counted(*sequences, "well-formed sequence");
                write!(f, "{sequences} from octet {first}, by chance once in ")?;
                match -chance {
                    // The whole number is as exact as anyone needs it.
                    power if power < 6.0 => write!(f, "{:.0}", 10_f64.powf(power)),
                    power => write!(f, "10^{power:.0}"),
                }
            }
            Self::IllFormed { count, first, octets } => {
                let count = counted(*count, "ill-formed sequence");
                write!(f, "{count} in {octets} octets, the first at octet {first}")
            }
            Self::Letters { count, script } => write!(f, "{}, {script}", counted(*count, "letter")),
            Self::SurrogatePairs { count } => {
                write!(f, "{} as surrogates", counted(*count, "character"))
            }
            Self::Shifts { count, first } => {
                write!(f, "{} of Base64 from octet {first}", counted(*count, "run"))
            }
            Self::Hidden { count, first } => {
                write!(f, "text hidden in {} from octet {first}", counted(*count, "place"))
            }
            Self::Escapes { count, first } => {
                write!(f, "{} from octet {first}", counted(*count, "escape sequence"))
            }
            Self::Zeros { count, first } => {
                write!(f, "{} from octet {first}", counted(*count, "zero octet"))
            }
            Self::Guess { countries, of } => {
                write!(f, "chardetng says so for {countries} of {of} countries")
            }
            Self::OldHangul { syllables, first } => {
                write!(f, "{} of Unicode 1.1 from octet {first}", counted(*syllables, "syllable"))
            }
            Self::Ahead { bits, of: Some(next) } => {
                write!(f, "{} ahead of {next}", counted(*bits, "bit"))
            }
            Self::Ahead { bits, of: None } => {
                write!(f, "{} ahead of no text", counted(*bits, "bit"))
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
