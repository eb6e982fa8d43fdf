//! What to do with errors, marks, and the choices an encoding leaves to its writer.

use core::fmt;

use crate::Utf7Leniences;

/// What to do with an ill-formed sequence, or with a code point the output lacks.
///
/// The sixth policy, a callback, is [`Transcoder::on_error`](crate::Transcoder::on_error).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Policy {
    /// Stop and say where.
    #[default]
    Strict,
    /// Decoding: U+FFFD, counted as [`Granularity`] says. Encoding: the substitute of
    /// [`Options::substitute`], else U+FFFD, else `?`.
    Replace,
    /// Decoding: `\xNN` for each octet. Encoding: the code point written as [`Escape`] says.
    Escape(Escape),
    /// Decoding: octet NN ≥ 80 becomes U+DC00 + NN, as in Python (PEP 383). Encoding: such a
    /// surrogate becomes the octet again, in encodings whose code unit is an octet and
    /// that are transparent to ASCII, not in a `str`. Octets below 80, and everything else, stop
    /// as with `Strict`.
    SurrogateEscape,
    /// Leave it out, and count it ([`Transcoder::skipped`](crate::Transcoder::skipped)).
    /// Text is lost, and what stood on both sides of the gap now touches, which has been
    /// used to smuggle markup past filters. For people who come from `iconv -c`.
    Skip,
}

/// How [`Policy::Escape`] writes a code point that the output lacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Escape {
    /// `\u{263A}`, as in Rust and JavaScript.
    #[default]
    Braces,
    /// `&#9786;`, as in XML and HTML.
    Xml,
    /// `\xe9`, `\u263a`, `\U0001f600`, as in Python.
    Python,
}

/// How many U+FFFD stand for ill-formed UTF-8 (and its relatives).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Granularity {
    /// One for each maximal subpart of an ill-formed sequence: the Unicode Standard §3.9,
    /// WHATWG, Rust, Python, ICU.
    #[default]
    MaximalSubpart,
    /// One for each octet.
    PerOctet,
    /// As Java counts: a surrogate in three octets is one, all else as `MaximalSubpart`.
    Jdk,
    /// As Perl counts: one for each sequence that a leading octet announces, up to six
    /// octets, as far as trailing octets follow.
    Perl,
}

/// What to do with a byte order mark at the very start of the text (U8-8).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Bom {
    /// What the encodings say: a mark that decides the byte order is used and removed,
    /// another U+FEFF is text; `UTF-16` and `UTF-32` are written with a mark.
    #[default]
    Auto,
    /// As `Auto`, and a mark that decided the byte order is kept as U+FEFF.
    Keep,
    /// None in the result.
    Strip,
    /// One at the start of the result, if the encoding is a Unicode one.
    Add,
}

/// The choices that UTF-7 leaves to its writer (RFC 2152, rules 1 and 2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Utf7Options {
    /// Shift the characters of set O (``!"#$%&*;<=>@[]^_`{|}``), as mail headers need it.
    pub shift_set_o: bool,
    /// Write `-` after every shifted run, needed or not.
    pub explicit_close: bool,
}

/// Everything a conversion can be told. `Options::default()` is strict.
///
/// ```
/// use utfall::{Encoding, Options, Policy};
/// let options = Options { on_ill_formed: Policy::Replace, ..Options::default() };
/// let octets = utfall::transcode(Encoding::Utf8, Encoding::Utf16Le, b"a\xFF", options).unwrap();
/// assert_eq!(&octets[..], b"a\0\xFD\xFF");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Options {
    /// The decoding side.
    pub on_ill_formed: Policy,
    /// The encoding side.
    pub on_unencodable: Policy,
    /// How U+FFFD is counted.
    pub granularity: Granularity,
    /// What [`Policy::Replace`] writes when decoding, instead of U+FFFD.
    pub replacement: Option<Substitute>,
    /// What [`Policy::Replace`] writes when encoding, instead of U+FFFD or `?`.
    pub substitute: Option<Substitute>,
    /// Text for a code point that the output lacks, looked up before `on_unencodable` applies. What
    /// of that text the output lacks too becomes `?`. Not used with a callback.
    pub transliterate: Option<Transliterate>,
    /// Byte order marks.
    pub bom: Bom,
    /// For UTF-7 output.
    pub utf7: Utf7Options,
    /// What passes in UTF-7 and IMAP mailbox names although it is ill-formed: it is decoded, and
    /// counted, and neither policies nor callbacks see it.
    pub utf7_allow: Utf7Leniences,
}

impl Options {
    /// Strict, or the same policy on both sides.
    ///
    /// ```
    /// use utfall::{Options, Policy};
    /// assert_eq!(Options::both(Policy::Skip).on_unencodable, Policy::Skip);
    /// ```
    #[must_use]
    pub fn both(policy: Policy) -> Self {
        Self { on_ill_formed: policy, on_unencodable: policy, ..Self::default() }
    }

    /// The same for text in memory, in which no octet can take the place of a surrogate.
    pub(crate) fn into_text(self) -> Self {
        match self.on_unencodable {
            Policy::SurrogateEscape => Self { on_unencodable: Policy::Strict, ..self },
            _ => self,
        }
    }
}

/// Finds text that looks or reads like a character, for outputs that lack it: at most
/// [`Substitute::MAX`] code points, or nothing, which leaves the character out. `None` leaves it to
/// [`Options::on_unencodable`].
///
/// ```
/// use utfall::{Encoding, Options, Transliterate, transcode};
///
/// let quotes = Transliterate(|character| match character {
///     '“' | '”' => Some("\""),
///     _ => None,
/// });
/// let options = Options { transliterate: Some(quotes), ..Options::default() };
/// let bytes = transcode(Encoding::Utf8, Encoding::UsAscii, "“hi”".as_bytes(), options).unwrap();
/// assert_eq!(bytes, b"\"hi\"");
/// ```
#[derive(Clone, Copy)]
pub struct Transliterate(pub fn(char) -> Option<&'static str>);

impl Transliterate {
    /// The text for a code point, if there is one that is short enough.
    pub(crate) fn text(self, point: u32) -> Option<&'static str> {
        let text = self.0(char::from_u32(point)?)?;
        (text.chars().nth(Substitute::MAX).is_none()).then_some(text)
    }
}

/// Two are equal if they are one function.
impl PartialEq for Transliterate {
    fn eq(&self, other: &Self) -> bool {
        core::ptr::fn_addr_eq(self.0, other.0)
    }
}

impl Eq for Transliterate {}

impl fmt::Debug for Transliterate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Transliterate").finish_non_exhaustive()
    }
}

/// A short text to put in place of something: at most [`Substitute::MAX`] code points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Substitute {
    points: [u32; Self::MAX],
    length: u8,
}

impl Substitute {
    /// The longest substitute, in code points.
    pub const MAX: usize = 24;

    /// `text`, or `None` if it is longer than [`Substitute::MAX`] code points.
    ///
    /// ```
    /// use utfall::Substitute;
    /// assert!(Substitute::new("[?]").is_some());
    /// assert!(Substitute::new(&"long".repeat(10)).is_none());
    /// ```
    #[must_use]
    pub fn new(text: &str) -> Option<Self> {
        let mut this = Self { points: [0; Self::MAX], length: 0 };
        for scalar in text.chars() {
            *this.points.get_mut(usize::from(this.length))? = u32::from(scalar);
            this.length += 1;
        }
        Some(this)
    }

    pub(crate) fn points(&self) -> &[u32] {
        &self.points[..usize::from(self.length)]
    }
}

/// What a callback wants done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Stop with the error, as [`Policy::Strict`] does.
    Stop,
    /// Leave it out, as [`Policy::Skip`] does.
    Skip,
    /// Put this in its place.
    Substitute(Substitute),
}
