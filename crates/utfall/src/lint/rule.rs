//! The rules and their names.

use core::fmt;

macro_rules! rules {
    ($( $(#[$doc:meta])* $variant:ident = $name:literal, $title:literal
        $(, if $feature:literal)?; )*) => {
        /// A check for one kind of suspicious text.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum Rule {
            $( $(#[$doc])* $(#[cfg(feature = $feature)])? $variant, )*
        }

        impl Rule {
            /// Every rule.
            pub const ALL: &[Self] = &[ $( $(#[cfg(feature = $feature)])? Self::$variant, )* ];

            /// A stable name for use by programs and options.
            ///
            /// ```
            /// use utfall::lint::Rule;
            /// assert_eq!(Rule::BomInside.name(), "bom-inside");
            /// assert_eq!(Rule::from_name("bom-inside"), Some(Rule::BomInside));
            /// ```
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $( $(#[cfg(feature = $feature)])? Self::$variant => $name, )*
                }
            }
        }

        impl fmt::Display for Rule {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(match self {
                    $( $(#[cfg(feature = $feature)])? Self::$variant => $title, )*
                })
            }
        }
    };
}

rules! {
    /// A sequence that is not valid in the encoding.
    IllFormed = "ill-formed", "ill-formed sequence";
    /// A byte order mark at the start, in an encoding that has only one byte order.
    Bom = "bom", "byte order mark at the start";
    /// U+FEFF after the start.
    BomInside = "bom-inside", "byte order mark inside the text";
    /// Line ends of more than one kind; see [`Newline`](super::Newline).
    MixedNewlines = "mixed-newlines", "mixed line ends";
    /// A code point that will never be assigned to a character: U+FDD0 to U+FDEF, and the last two
    /// of each plane (Unicode 23.7).
    Noncharacter = "noncharacter", "noncharacter";
    /// U+202A to U+202E or U+2066 to U+2069, opened and closed in one line. They change the order
    /// in which text is displayed (UAX #9).
    BidiControl = "bidi-control", "bidirectional embedding, override or isolate";
    /// Such a control that is not closed in its line, or closes nothing. In lines with letters of
    /// right-to-left scripts, only an override counts; others are reported as `bidi-control`.
    BidiUnbalanced = "bidi-unbalanced", "unbalanced bidirectional control";
    /// U+200E, U+200F or U+061C: common in Arabic and Hebrew.
    BidiMark = "bidi-mark", "bidirectional mark";
    /// U+FFFD: text has been lost in an earlier conversion.
    ReplacementCharacter = "replacement-character", "replacement character";
    /// UTF-8 that was decoded as windows-1252 or ISO-8859-1 and encoded again.
    DoubleEncoding = "double-encoding", "double-encoded UTF-8 (read as windows-1252 or Latin-1)";
    /// C0 and C1 controls and U+007F, except tab, line feed, form feed, carriage return and U+0085.
    Control = "control", "control character";
    /// Text whose last line has no line end.
    FinalNewline = "final-newline", "missing line end at the end of the text";
    /// Tag characters, U+E0000 to U+E007F, which spell ASCII invisibly. The flag of a subdivision
    /// (UTS #51, ED-14a), such as that of Scotland, and the tag of a language are not reported.
    TagCharacter = "tag-character", "tag character";
    /// Three or more variation selectors in a row. There are 256 of them, one for each byte.
    VariationPayload = "variation-payload", "variation selectors in a row";
    /// One or two variation selectors after a character without variants (Unicode 23.4).
    VariationSelector = "variation-selector", "misplaced variation selector";
    /// U+200B to U+200D and U+2060 where no script and no emoji needs them, or three in a row.
    ZeroWidth = "zero-width", "zero-width character";
    /// Other default-ignorable code points (Unicode 5.21) outside their own script, and interlinear
    /// annotations.
    Ignorable = "default-ignorable", "default-ignorable code point";
    /// U+115F, U+1160, U+3164 and U+FFA0 without Hangul beside them, and U+2800 without Braille.
    /// They are letters or symbols, but look like spaces.
    BlankLetter = "blank-letter", "blank letter";
    /// U+00AD in an identifier, after each letter of a word, or twice in a row. Elsewhere in prose it
    /// is ordinary.
    SoftHyphen = "soft-hyphen", "soft hyphen in an identifier";
    /// A UTF-7 run that encodes `<` or `>`, in UTF-8 text that starts like HTML. Readers that guess
    /// UTF-7 decode it (RFC 2152, rule 2).
    Utf7Markup = "utf7-markup", "markup in UTF-7";
    /// A word that mixes Latin letters with those of Greek, Cyrillic or another script, and looks
    /// like a word of one script (UTS #39, 5.1). Needs the feature `confusables`.
    MixedScript = "mixed-script", "mixed scripts", if "confusables";
    /// A word with phonetic, fullwidth, mathematical or other letters that identifiers do not have,
    /// and that looks like one in ASCII (UTS #39, 3.1 and 4). Needs the feature `confusables`.
    LookalikeLetter = "lookalike-letter", "lookalike letter", if "confusables";
    /// A domain of a mail address, or in Punycode, that looks like one in ASCII (UTS #39, 4). Needs
    /// the feature `confusables`.
    LookalikeDomain = "lookalike-domain", "lookalike domain", if "confusables";
}

impl Rule {
    /// The rule with this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|rule| rule.name() == name)
    }
}

/// A set of rules.
///
/// ```
/// use utfall::lint::{Rule, Rules};
/// let rules: Rules = [Rule::Bom, Rule::Control].into_iter().collect();
/// assert!(rules.contains(Rule::Bom) && !rules.contains(Rule::IllFormed));
/// assert_eq!(Rules::ALL.iter().count(), Rule::ALL.len());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Rules(u32);

impl Rules {
    /// No rule.
    pub const NONE: Self = Self(0);
    /// Every rule.
    pub const ALL: Self = Self((1 << Rule::ALL.len()) - 1);

    /// Whether the set has this rule.
    #[must_use]
    pub const fn contains(self, rule: Rule) -> bool {
        self.0 >> rule as u32 & 1 == 1
    }

    /// This set and one more rule.
    #[must_use]
    pub const fn with(self, rule: Rule) -> Self {
        Self(self.0 | 1 << rule as u32)
    }

    /// This set without one rule.
    #[must_use]
    pub const fn without(self, rule: Rule) -> Self {
        Self(self.0 & !(1 << rule as u32))
    }

    /// The rules of the set.
    pub fn iter(self) -> impl Iterator<Item = Rule> {
        Rule::ALL.iter().copied().filter(move |rule| self.contains(*rule))
    }
}

impl FromIterator<Rule> for Rules {
    fn from_iter<I: IntoIterator<Item = Rule>>(rules: I) -> Self {
        rules.into_iter().fold(Self::NONE, Self::with)
    }
}
