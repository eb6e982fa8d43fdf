//! Determines the encoding of text in mail: from its label or, without a usable label, by a guess
//! that is marked as one.

use std::borrow::Cow;
use std::str;

use utfall::{ByteOrder, Encoding, Family, Labels};

/// An encoding, and how it was determined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Charset {
    /// The encoding.
    pub encoding: Encoding,
    /// How it was determined.
    pub basis: Basis,
}

/// How an encoding was determined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Basis {
    /// From the label.
    Label,
    /// There is no label and the text is US-ASCII, which RFC 2045 §5.2 makes the default.
    Ascii,
    /// A guess: the text begins with a byte order mark.
    Mark,
    /// A guess: the text is well-formed UTF-8 and not US-ASCII.
    Validity,
    /// A guess: the charset of the text of the message.
    Body,
    /// A guess by the detector of [`Message::with_detector`](crate::Message::with_detector).
    Detected,
    /// A guess: windows-1252, in which almost any byte sequence is valid.
    Fallback,
    /// A guess against the label: US-ASCII with 8-bit bytes, or ISO 8859-1 with bytes that are
    /// controls there and letters in windows-1252.
    Mislabelled,
}

impl Charset {
    /// Whether the encoding is a guess.
    ///
    /// ```
    /// use utfall_mime::Charset;
    /// assert!(Charset::of(None, b"caf\xE9").unwrap().is_guess());
    /// assert!(!Charset::of(Some(b"ISO-8859-1"), b"caf\xE9").unwrap().is_guess());
    /// ```
    #[must_use]
    pub const fn is_guess(&self) -> bool {
        !matches!(self.basis, Basis::Label | Basis::Ascii)
    }

    /// Determines the encoding of content with this label, or without one. Returns `None` if the
    /// label names an unknown encoding.
    ///
    /// ```
    /// use utfall::Encoding;
    /// use utfall_mime::{Basis, Charset};
    /// let charset = Charset::of(Some(b"unicode-1-1-utf-7"), b"Hi").unwrap();
    /// assert_eq!(charset.encoding, Encoding::Unicode11Utf7);
    /// let charset = Charset::of(Some(b"x-unknown"), "é".as_bytes()).unwrap();
    /// assert_eq!((charset.encoding, charset.basis), (Encoding::Utf8, Basis::Validity));
    /// let charset = Charset::of(Some(b"iso-8859-1"), b"\x93quoted\x94").unwrap();
    /// assert_eq!((charset.encoding, charset.basis), (Encoding::Windows1252, Basis::Mislabelled));
    /// assert_eq!(Charset::of(Some(b"x-klingon"), b"Hi"), None);
    /// ```
    #[must_use]
    pub fn of(label: Option<&[u8]>, bytes: &[u8]) -> Option<Self> {
        Self::of_text(label, bytes, Guess::default())
    }

    /// The same, with the evidence in the message.
    pub(crate) fn of_text(label: Option<&[u8]>, bytes: &[u8], guess: Guess) -> Option<Self> {
        // Other parts may be in other charsets.
        let guess = Guess { body: None, ..guess };
        let guessed = || guess.improve(Self::guess(bytes), |bytes| guess.detect?(bytes), bytes);
        let Some(label) = label.filter(|label| says_something(label)) else {
            return Some(guessed());
        };
        let encoding = find(label)?;
        Some(match encoding {
            Encoding::UsAscii if !bytes.is_ascii() => {
                Self { basis: Basis::Mislabelled, ..guessed() }
            }
            Encoding::Iso8859_1 if bytes.iter().any(|byte| matches!(byte, 0x80..=0x9F)) => {
                Self { encoding: Encoding::Windows1252, basis: Basis::Mislabelled }
            }
            _ => Self { encoding, basis: Basis::Label },
        })
    }

    /// Guesses the encoding of bytes without a label. Never guesses UTF-7, which attackers have
    /// used to smuggle text past filters that do not expect it.
    ///
    /// ```
    /// use utfall::Encoding;
    /// use utfall_mime::{Basis, Charset};
    /// let charset = Charset::guess(b"\xFF\xFEa\0");
    /// assert_eq!((charset.encoding, charset.basis), (Encoding::Utf16Le, Basis::Mark));
    /// assert_eq!(Charset::guess(b"+Jjo-").encoding, Encoding::UsAscii);
    /// ```
    #[must_use]
    pub fn guess(bytes: &[u8]) -> Self {
        let (encoding, basis) = match Encoding::for_bom(bytes) {
            Some((encoding, _)) => (encoding, Basis::Mark),
            None if bytes.is_ascii() => (Encoding::UsAscii, Basis::Ascii),
            None if str::from_utf8(bytes).is_ok() => (Encoding::Utf8, Basis::Validity),
            None => (Encoding::Windows1252, Basis::Fallback),
        };
        Self { encoding, basis }
    }

    /// Guesses the encoding of a header field without a label. A BOM has no meaning there.
    pub(crate) fn guess_field(bytes: &[u8]) -> Self {
        let (encoding, basis) = match str::from_utf8(bytes) {
            Ok(text) if text.is_ascii() => (Encoding::UsAscii, Basis::Ascii),
            Ok(_) => (Encoding::Utf8, Basis::Validity),
            Err(_) => (Encoding::Windows1252, Basis::Fallback),
        };
        Self { encoding, basis }
    }

    /// Guesses the encoding of a header field of a message.
    pub(crate) fn guess_field_of(bytes: &[u8], guess: Guess) -> Self {
        guess.improve(Self::guess_field(bytes), |_| guess.detected, bytes)
    }

    /// Decodes bytes, without a BOM at the start. Returns the text, with U+FFFD for ill-formed
    /// sequences, and the number of these.
    ///
    /// ```
    /// use utfall_mime::Charset;
    /// let charset = Charset::of(Some(b"utf-8"), b"").unwrap();
    /// assert_eq!(charset.decode(b"\xEF\xBB\xBFa\xFF"), ("a\u{FFFD}".into(), 1));
    /// ```
    #[must_use]
    pub fn decode<'a>(&self, bytes: &'a [u8]) -> (Cow<'a, str>, u64) {
        let (mut text, errors) = self.decode_inside(bytes);
        if text.starts_with(MARK) && !takes_mark(self.encoding) {
            text = match text {
                Cow::Borrowed(text) => Cow::Borrowed(&text[MARK.len_utf8()..]),
                Cow::Owned(mut text) => {
                    text.drain(..MARK.len_utf8());
                    Cow::Owned(text)
                }
            };
        }
        (text, errors)
    }

    /// Decodes a piece of a text, where U+FEFF at the start is content.
    pub(crate) fn decode_inside<'a>(&self, bytes: &'a [u8]) -> (Cow<'a, str>, u64) {
        let lossy = self.encoding.decode_lossy(bytes);
        (lossy.text, lossy.errors)
    }
}

/// Guesses the encoding of 8-bit text that is not valid UTF-8.
pub type Detect = fn(&[u8]) -> Option<Encoding>;

/// Evidence for the charset of text without a label in a message.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Guess {
    /// The charset of the message's text, if it is an 8-bit charset.
    pub(crate) body: Option<Encoding>,
    /// The answer of the detector for all 8-bit header fields.
    pub(crate) detected: Option<Encoding>,
    pub(crate) detect: Option<Detect>,
}

impl Guess {
    /// Replaces windows-1252 by a better guess in which the bytes are valid, if any.
    fn improve(
        self,
        guess: Charset,
        detected: impl FnOnce(&[u8]) -> Option<Encoding>,
        bytes: &[u8],
    ) -> Charset {
        let is_valid =
            |encoding: &Encoding| is_eight_bit(*encoding) && encoding.validate(bytes).is_ok();
        let better = |encoding, basis| Charset { encoding, basis };
        if guess.basis != Basis::Fallback {
            return guess;
        }
        let body = self.body.filter(is_valid).map(|encoding| better(encoding, Basis::Body));
        body.or_else(|| {
            let detected = detected(bytes).filter(is_valid);
            detected.map(|encoding| better(encoding, Basis::Detected))
        })
        .unwrap_or(guess)
    }
}

/// Whether an encoding is a legacy charset that writes other characters than those of US-ASCII with
/// 8-bit bytes.
pub(crate) fn is_eight_bit(encoding: Encoding) -> bool {
    let info = encoding.info();
    matches!(info.family, Family::SingleByte | Family::MultiByte)
        && info.ascii_transparent
        && !matches!(encoding, Encoding::UsAscii | Encoding::Iso2022Jp)
}

/// Looks up the encoding for a label, as [`Encoding::for_label`] does, or else as the web does.
/// Labels that browsers refuse, such as `ISO-2022-KR`, have IANA's meaning, with the feature `glibc` of
/// the crate `utfall`. Returns `None` for other labels.
///
/// ```
/// use utfall::Encoding;
/// use utfall_mime::charset::find;
/// assert_eq!(find(b"csUnicode11UTF7"), Some(Encoding::Unicode11Utf7));
/// assert_eq!(find(b"x-sjis"), Some(Encoding::ShiftJis));
/// assert_eq!(find(b"unknown-8bit"), None);
/// ```
#[must_use]
pub fn find(label: &[u8]) -> Option<Encoding> {
    let label = str::from_utf8(label.trim_ascii()).ok()?;
    // Almost every label is one of these; comparing them is faster than folding a label.
    let common = [
        ("utf-8", Encoding::Utf8),
        ("us-ascii", Encoding::UsAscii),
        ("iso-8859-1", Encoding::Iso8859_1),
        ("utf-7", Encoding::Utf7),
        ("windows-1252", Encoding::Windows1252),
    ];
    if let Some((_, encoding)) = common.iter().find(|(name, _)| label.eq_ignore_ascii_case(name)) {
        return Some(*encoding);
    }
    match Encoding::for_label(label).or_else(|| Encoding::for_whatwg_label(label)) {
        // Labels that browsers refuse. IANA registered them for mail.
        Some(Encoding::Replacement) => Encoding::for_label_in(label, Labels::Iana)
            .filter(|encoding| *encoding != Encoding::Replacement),
        found => found,
    }
}

/// The byte order mark.
const MARK: char = '\u{FEFF}';

/// Duplicates a leading U+FEFF that readers would strip as a BOM.
pub(crate) fn with_mark(text: &str, to: Encoding) -> Cow<'_, str> {
    if text.starts_with(MARK) && !takes_mark(to) {
        Cow::Owned(format!("{MARK}{text}"))
    } else {
        Cow::Borrowed(text)
    }
}

/// Whether the encoding itself includes a BOM, removed when decoding and written if needed when
/// encoding.
pub(crate) fn takes_mark(encoding: Encoding) -> bool {
    encoding.info().byte_order == Some(ByteOrder::Marked)
}

/// Whether the encoded text decodes to the same text. The web's encoders replace some characters
/// (WHATWG Encoding §10.2.2, §12.1.2, §12.2.2, §12.3.2).
pub(crate) fn keeps(text: &str, to: Encoding) -> bool {
    use Encoding as E;
    let is_changed: fn(char) -> bool = match to {
        E::EucJp | E::ShiftJis => |c| matches!(c, '\u{A5}' | '\u{203E}' | '\u{2212}'),
        E::Iso2022Jp => |c| matches!(c, '\u{2212}' | '\u{FF61}'..='\u{FF9F}'),
        // Private use, until Unicode encoded these characters.
        E::Gbk | E::Gb18030 => |c| {
            matches!(
                c,
                '\u{E78D}'
                    ..='\u{E796}'
                        | '\u{E81E}'
                        | '\u{E826}'
                        | '\u{E82B}'
                        | '\u{E82C}'
                        | '\u{E832}'
                        | '\u{E843}'
                        | '\u{E854}'
                        | '\u{E864}'
            )
        },
        _ => return true,
    };
    !text.contains(is_changed)
}

/// The encoding of the text after a BOM.
pub(crate) fn without_mark(encoding: Encoding) -> Encoding {
    if takes_mark(encoding) {
        encoding.with_byte_order(ByteOrder::Big).unwrap_or(encoding)
    } else {
        encoding
    }
}

/// Whether a label names a charset. Programs that do not know it write some others.
pub(crate) fn says_something(label: &[u8]) -> bool {
    const LABELS: [&str; 13] = [
        "",
        "x-unknown",
        "unknown",
        "unknown-8bit",
        "x-unknown-8bit",
        "x-user-defined",
        "8bit",
        "binary",
        "default",
        "default_charset",
        "none",
        "not-specified",
        "unspecified",
    ];
    let label = label.trim_ascii();
    !LABELS.iter().any(|known| label.eq_ignore_ascii_case(known.as_bytes()))
}
