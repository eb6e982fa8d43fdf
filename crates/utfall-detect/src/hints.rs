//! Prior knowledge about a text.

use utfall::{ByteOrder, Encoding, Family};

/// Prior knowledge about a text, which narrows the candidates.
///
/// Hints never exclude US-ASCII, a signature or well-formed UTF-8, since these are observed and not
/// guessed.
///
/// ```
/// use utfall::{Encoding, Family};
/// use utfall_detect::{Hints, Language, detect_with};
/// let hints = Hints::default().with_expected([Encoding::Koi8R, Encoding::Ibm866]);
/// assert_eq!(detect_with(b"\xF0\xD2\xC9\xD7\xC5\xD4", &hints)[0].encoding, Encoding::Koi8R);
/// let hints = Hints::default().with_language(Language::for_tag("fr"));
/// assert_eq!(detect_with(b"d\xE9j\xE0 vu", &hints)[0].encoding, Encoding::Windows1252);
/// assert_eq!(detect_with("déjà vu".as_bytes(), &hints)[0].encoding, Encoding::Utf8);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Hints {
    /// The text is in one of these encodings, all equally likely.
    pub expected: Option<Vec<Encoding>>,
    /// The text is in this language. Of the pre-Unicode charsets, only those used for the language
    /// remain candidates. Unicode encodings are not affected.
    pub language: Option<Language>,
}

impl Hints {
    /// Sets [`expected`](Self::expected).
    #[must_use]
    pub fn with_expected(self, expected: impl IntoIterator<Item = Encoding>) -> Self {
        Self { expected: Some(expected.into_iter().collect()), ..self }
    }

    /// Sets [`language`](Self::language).
    #[must_use]
    pub fn with_language(self, language: impl Into<Option<Language>>) -> Self {
        Self { language: language.into(), ..self }
    }

    /// Whether the hints allow an encoding that has to be guessed.
    pub(crate) fn allow(&self, encoding: Encoding) -> bool {
        let is_expected = match &self.expected {
            Some(expected) => expected.iter().any(|one| covers(*one, encoding)),
            None => true,
        };
        let is_of_language = match self.language {
            Some(language) if is_charset(encoding) => language.charsets().contains(&encoding),
            _ => true,
        };
        is_expected && is_of_language
    }

    /// Whether the caller listed this encoding as expected.
    pub(crate) fn expect(&self, encoding: Encoding) -> bool {
        self.expected.is_some() && self.allow(encoding)
    }
}

/// Whether `expected` includes `encoding`. `expected` may leave the byte order open.
pub(crate) fn covers(expected: Encoding, encoding: Encoding) -> bool {
    expected == encoding || encoding.with_byte_order(ByteOrder::Marked) == Some(expected)
}

/// Whether this is a pre-Unicode charset other than US-ASCII.
pub(crate) fn is_charset(encoding: Encoding) -> bool {
    matches!(encoding.info().family, Family::SingleByte | Family::MultiByte)
        && encoding != Encoding::UsAscii
}

/// A language, which determines the charsets to expect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Language {
    row: &'static Row,
}

/// Languages that share the same charsets.
#[derive(Debug, PartialEq, Eq)]
struct Row {
    /// Language subtags of BCP 47. A tag with a script or region comes before the plain one.
    tags: &'static [&'static str],
    charsets: &'static [Encoding],
}

impl Language {
    /// Looks up a BCP 47 tag such as `ru`, `fr-CA` or `zh-Hant`, ignoring case. Returns `None` if
    /// the language is unknown.
    ///
    /// ```
    /// use utfall_detect::Language;
    /// assert!(Language::for_tag("ru").is_some());
    /// assert_eq!(Language::for_tag("ZH-tw"), Language::for_tag("zh-Hant"));
    /// assert_eq!(Language::for_tag("tlh"), None);
    /// ```
    #[must_use]
    pub fn for_tag(tag: &str) -> Option<Self> {
        let tag = tag.replace('_', "-").to_ascii_lowercase();
        let mut tag = &*tag;
        loop {
            if let Some(row) = LANGUAGES.iter().find(|row| row.tags.contains(&tag)) {
                return Some(Self { row });
            }
            (tag, _) = tag.rsplit_once('-')?;
        }
    }

    /// The pre-Unicode charsets used for the language; empty if none is known.
    #[must_use]
    pub fn charsets(self) -> &'static [Encoding] {
        self.row.charsets
    }

    /// All known tags, grouped by charsets.
    pub fn known() -> impl Iterator<Item = (&'static [&'static str], &'static [Encoding])> {
        LANGUAGES.iter().map(|row| (row.tags, row.charsets))
    }
}

const SIMPLIFIED: &[Encoding] = &[
    Encoding::Gbk,
    Encoding::Gb18030,
    Encoding::Hz,
    #[cfg(feature = "cns")]
    Encoding::Iso2022Cn,
];
const TRADITIONAL: &[Encoding] = &[
    Encoding::Big5,
    #[cfg(feature = "cns")]
    Encoding::EucTw,
    #[cfg(feature = "cns")]
    Encoding::Iso2022Cn,
];
const CHINESE: &[Encoding] = &[
    Encoding::Gbk,
    Encoding::Gb18030,
    Encoding::Big5,
    Encoding::Hz,
    #[cfg(feature = "cns")]
    Encoding::EucTw,
    #[cfg(feature = "cns")]
    Encoding::Iso2022Cn,
];

const LANGUAGES: &[Row] = {
    use Encoding as E;
    &[
        Row {
            tags: &[
                "af", "ca", "da", "de", "en", "es", "eu", "fi", "fo", "fr", "ga", "gl", "id", "is",
                "it", "lb", "ms", "nb", "nl", "nn", "no", "pt", "sq", "sv", "sw",
            ],
            charsets: &[
                E::Windows1252,
                E::Iso8859_1,
                E::Iso8859_15,
                E::Macintosh,
                E::Ibm850,
                E::Ibm437,
            ],
        },
        Row {
            tags: &["cy", "gd"],
            charsets: &[E::Iso8859_14, E::Windows1252, E::Iso8859_1, E::Macintosh],
        },
        Row { tags: &["eo", "mt"], charsets: &[E::Iso8859_3] },
        Row { tags: &["se"], charsets: &[E::Iso8859_10, E::Iso8859_4] },
        Row {
            tags: &["bs", "cs", "hr", "hu", "pl", "sk", "sl", "sr-latn"],
            charsets: &[E::Windows1250, E::Iso8859_2, E::Ibm852, E::MacCentraleurope],
        },
        Row { tags: &["ro"], charsets: &[E::Windows1250, E::Iso8859_2, E::Iso8859_16, E::Ibm852] },
        Row { tags: &["az", "tr"], charsets: &[E::Windows1254, E::Ibm857] },
        Row {
            tags: &["et", "lt", "lv"],
            charsets: &[E::Windows1257, E::Iso8859_13, E::Iso8859_4, E::Ibm775],
        },
        Row { tags: &["el"], charsets: &[E::Windows1253, E::Iso8859_7, E::Cp737, E::Ibm869] },
        Row {
            tags: &["be", "bg", "mk", "ru", "sr-cyrl"],
            charsets: &[
                E::Windows1251,
                E::Koi8R,
                E::Ibm866,
                E::Iso8859_5,
                E::MacCyrillic,
                E::Ibm855,
            ],
        },
        Row {
            tags: &["sr"],
            charsets: &[E::Windows1250, E::Iso8859_2, E::Windows1251, E::Iso8859_5, E::MacCyrillic],
        },
        Row {
            tags: &["uk"],
            charsets: &[E::Windows1251, E::Koi8U, E::Ibm866, E::Iso8859_5, E::MacCyrillic],
        },
        Row {
            tags: &["he", "yi"],
            charsets: &[E::Windows1255, E::Iso8859_8, E::Iso8859_8I, E::Ibm862],
        },
        Row { tags: &["ar"], charsets: &[E::Windows1256, E::Iso8859_6] },
        Row { tags: &["fa", "ur"], charsets: &[E::Windows1256] },
        Row { tags: &["kk"], charsets: &[E::Kz1048, E::Ptcp154] },
        Row { tags: &["tg"], charsets: &[E::Koi8T] },
        Row { tags: &["th"], charsets: &[E::Windows874] },
        Row { tags: &["vi"], charsets: &[E::Windows1258, E::Viscii, E::Tcvn5712_1] },
        Row { tags: &["zh-hans", "zh-cn", "zh-sg"], charsets: SIMPLIFIED },
        Row { tags: &["zh-hant", "zh-tw", "zh-hk", "zh-mo"], charsets: TRADITIONAL },
        Row { tags: &["zh"], charsets: CHINESE },
        Row { tags: &["ja"], charsets: &[E::ShiftJis, E::EucJp, E::Iso2022Jp] },
        Row { tags: &["ko"], charsets: &[E::EucKr, E::Johab, E::Iso2022Kr] },
    ]
};
