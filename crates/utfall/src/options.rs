//! Options: error policies, byte order marks, and the choices an encoding leaves to its encoder.

use core::fmt;
use core::num::NonZeroU8;

use crate::Utf7Tolerance;

/// How to handle an ill-formed sequence, or a code point that the output encoding lacks.
///
/// For a callback instead of a policy, see [`Transcoder::on_error`](crate::Transcoder::on_error).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Policy {
    /// Stop and report the error.
    #[default]
    Strict,
    /// Decoding: U+FFFD, counted according to [`Granularity`]. Encoding: [`Options::substitute`] if
    /// set, else U+FFFD, else `?`.
    Replace,
    /// Decoding: `\xNN` for each byte. Encoding: the code point in the notation of [`Escape`].
    Escape(Escape),
    /// Decoding: byte NN ≥ 80 becomes U+DC00 + NN, as in Python (PEP 383). Encoding: such a
    /// surrogate becomes the byte again. This needs an ASCII-transparent encoding with byte code
    /// units, and is not possible in a `str`. Bytes below 80 and all other errors stop as with
    /// `Strict`.
    SurrogateEscape,
    /// Leave it out, and count it ([`Counts::skipped`](crate::Counts::skipped)). Text is
    /// lost, and the text before and after the gap is joined, which has been used to smuggle markup
    /// past filters. Provided for users of `iconv -c`.
    Skip,
}

/// How [`Policy::Escape`] writes a code point that the output encoding lacks.
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

/// The number of U+FFFD for ill-formed UTF-8 and its relatives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Granularity {
    /// One for each maximal subpart of an ill-formed sequence: Unicode Standard §3.9, WHATWG, Rust,
    /// Python, ICU.
    #[default]
    MaximalSubpart,
    /// One for each byte.
    PerByte,
    /// As in Java: one for a surrogate encoded in three bytes, otherwise as `MaximalSubpart`.
    Jdk,
    /// As in Perl: one for each sequence of the length announced by its lead byte, up to six bytes,
    /// as far as continuation bytes follow.
    Perl,
}

/// How to handle a byte order mark (BOM) at the very start of the text (RFC 3629 §6).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Bom {
    /// Follow the encodings: a BOM that decides the byte order is used and removed, any other
    /// U+FEFF is text; `UTF-16` and `UTF-32` are written with a BOM.
    #[default]
    Auto,
    /// As `Auto`, but decodes a BOM that decided the byte order as U+FEFF.
    Keep,
    /// Remove the BOM.
    Strip,
    /// Write a BOM at the start of the output, if its encoding is a Unicode encoding.
    Add,
}

/// How to convert characters that vendors of East Asian charsets map to different code points.
///
/// Standards and vendors disagree about some characters. JIS maps the wave dash of JIS X 0208 to
/// U+301C; Microsoft and the web map it to U+FF5E. So text that was decoded with one table often
/// has code points that another one lacks. This option applies to multi-byte charsets.
///
/// ```
/// # #[cfg(feature = "legacy")] {
/// use utfall::{DoubleMappings, Encoding, Options};
/// let options = |rule| Options::strict().with_double_mappings(rule);
/// assert!(Encoding::ShiftJis.encode("〜").is_err());
/// let bytes = Encoding::ShiftJis.encode_with("〜", options(DoubleMappings::Either))?;
/// assert_eq!(&*bytes, b"\x81\x60");
/// assert_eq!(Encoding::ShiftJis.decode(&bytes)?, "～");
/// assert_eq!(Encoding::ShiftJis.decode_with(&bytes, options(DoubleMappings::Jis))?, "〜");
/// // The web writes a yen sign as the byte of a backslash.
/// assert_eq!(&*Encoding::ShiftJis.encode("¥")?, b"\\");
/// assert!(Encoding::ShiftJis.encode_with("¥", options(DoubleMappings::RoundTrip)).is_err());
/// # }
/// # Ok::<(), utfall::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum DoubleMappings {
    /// Follow the charset. On the web, a few characters do not survive a round trip: `¥` (U+00A5),
    /// `‾` (U+203E) and `−` (U+2212) in Japanese, and old private-use code points in GB 18030.
    #[default]
    Table,
    /// Encode only characters that survive a round trip.
    RoundTrip,
    /// Encode both code points: U+301C where the charset has U+FF5E, and the reverse. Also for
    /// U+2016 and U+2225, U+2212 and U+FF0D, U+2014 and U+2015, U+00B7 and U+30FB, and for `¢`,
    /// `£`, `¬`, `¦`, `¥`, `‾` and their fullwidth forms.
    Either,
    /// Encode both, and decode Japanese charsets to the code points of JIS: U+301C, U+2016, U+2212,
    /// `¢`, `£`, `¬`, `¦`. Bytes of US-ASCII are decoded as always.
    Jis,
    /// Encode both, and decode Japanese charsets to the code points of Microsoft: U+FF5E, U+2225,
    /// U+FF0D and fullwidth forms.
    Microsoft,
}

/// The choices that UTF-7 leaves to its encoder (RFC 2152, rules 1 and 2).
///
/// ```
/// use utfall::{Encoding, Options, Utf7Options};
/// let options = Options::strict().with_utf7(Utf7Options::new().with_explicit_close(true));
/// assert_eq!(&*Encoding::Utf7.encode_with("£1", options)?, b"+AKM-1");
/// assert_eq!(&*Encoding::Utf7.encode_with("£.", options)?, b"+AKM-.");
/// # Ok::<(), utfall::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Utf7Options {
    /// Encode the characters of set O (``!"#$%&*;<=>@[]^_`{|}``) in Base64, as mail headers
    /// require.
    pub shift_set_o: bool,
    /// Write `-` after every shifted run, even if not needed.
    pub explicit_close: bool,
}

impl Utf7Options {
    /// The default: set O directly, and `-` only where it is needed.
    #[must_use]
    pub const fn new() -> Self {
        Self { shift_set_o: false, explicit_close: false }
    }

    /// Sets [`shift_set_o`](Self::shift_set_o).
    #[must_use]
    pub const fn with_shift_set_o(self, shift_set_o: bool) -> Self {
        Self { shift_set_o, ..self }
    }

    /// Sets [`explicit_close`](Self::explicit_close).
    #[must_use]
    pub const fn with_explicit_close(self, explicit_close: bool) -> Self {
        Self { explicit_close, ..self }
    }
}

/// All options of a conversion. [`Options::strict`], the default, stops at the first error;
/// [`Options::lossy`] replaces errors. Methods whose names begin with `with_` change one option.
///
/// ```
/// use utfall::{Encoding, Options, Policy};
/// let options = Options::strict().with_on_ill_formed(Policy::Replace);
/// let bytes = utfall::transcode(Encoding::Utf8, Encoding::Utf16Le, b"a\xFF", options).unwrap();
/// assert_eq!(&bytes[..], b"a\0\xFD\xFF");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Options {
    /// Policy for ill-formed input.
    pub on_ill_formed: Policy,
    /// Policy for code points that the output encoding lacks.
    pub on_unencodable: Policy,
    /// The number of U+FFFD for an ill-formed sequence.
    pub granularity: Granularity,
    /// The text that [`Policy::Replace`] writes for an ill-formed sequence, instead of U+FFFD.
    pub replacement: Option<Substitute>,
    /// The text that [`Policy::Replace`] writes for a code point that the output lacks, instead of
    /// U+FFFD or `?`.
    pub substitute: Option<Substitute>,
    /// Replacement text for a code point that the output lacks, tried before `on_unencodable`
    /// applies. Characters of that text which the output also lacks become `?`. Ignored if there is
    /// a callback.
    pub transliterate: Option<Transliterate>,
    /// Byte order marks.
    pub bom: Bom,
    /// Options for UTF-7 output.
    pub utf7: Utf7Options,
    /// How to convert characters that vendors of East Asian charsets map to different code points.
    pub double_mappings: DoubleMappings,
    /// Whether to write JIS X 0212 in EUC-JP, as 8F and two bytes. The web only reads these
    /// characters; `EUC-JP/glibc` always writes them.
    pub jis_x_0212: bool,
    /// Ill-formed input to accept in UTF-7 and IMAP mailbox names. It is decoded and counted;
    /// policies and callbacks do not see it.
    pub utf7_tolerance: Utf7Tolerance,
}

impl Options {
    /// The default: stop at the first error.
    #[must_use]
    pub const fn strict() -> Self {
        Self {
            on_ill_formed: Policy::Strict,
            on_unencodable: Policy::Strict,
            granularity: Granularity::MaximalSubpart,
            replacement: None,
            substitute: None,
            transliterate: None,
            bom: Bom::Auto,
            utf7: Utf7Options::new(),
            double_mappings: DoubleMappings::Table,
            jis_x_0212: false,
            utf7_tolerance: Utf7Tolerance::NONE,
        }
    }

    /// Replaces each ill-formed sequence, and each code point that the target lacks.
    #[must_use]
    pub const fn lossy() -> Self {
        Self { on_ill_formed: Policy::Replace, on_unencodable: Policy::Replace, ..Self::strict() }
    }

    /// The same policy for decoding and encoding.
    ///
    /// ```
    /// use utfall::{Options, Policy};
    /// assert_eq!(Options::both(Policy::Skip).on_unencodable, Policy::Skip);
    /// ```
    #[must_use]
    pub fn both(policy: Policy) -> Self {
        Self { on_ill_formed: policy, on_unencodable: policy, ..Self::default() }
    }

    /// Sets [`on_ill_formed`](Self::on_ill_formed).
    #[must_use]
    pub const fn with_on_ill_formed(self, on_ill_formed: Policy) -> Self {
        Self { on_ill_formed, ..self }
    }

    /// Sets [`on_unencodable`](Self::on_unencodable).
    #[must_use]
    pub const fn with_on_unencodable(self, on_unencodable: Policy) -> Self {
        Self { on_unencodable, ..self }
    }

    /// Sets [`granularity`](Self::granularity).
    #[must_use]
    pub const fn with_granularity(self, granularity: Granularity) -> Self {
        Self { granularity, ..self }
    }

    /// Sets [`replacement`](Self::replacement).
    #[must_use]
    pub fn with_replacement(self, replacement: impl Into<Option<Substitute>>) -> Self {
        Self { replacement: replacement.into(), ..self }
    }

    /// Sets [`substitute`](Self::substitute).
    #[must_use]
    pub fn with_substitute(self, substitute: impl Into<Option<Substitute>>) -> Self {
        Self { substitute: substitute.into(), ..self }
    }

    /// Sets [`transliterate`](Self::transliterate).
    #[must_use]
    pub fn with_transliterate(self, transliterate: impl Into<Option<Transliterate>>) -> Self {
        Self { transliterate: transliterate.into(), ..self }
    }

    /// Sets [`bom`](Self::bom).
    #[must_use]
    pub const fn with_bom(self, bom: Bom) -> Self {
        Self { bom, ..self }
    }

    /// Sets [`utf7`](Self::utf7).
    #[must_use]
    pub const fn with_utf7(self, utf7: Utf7Options) -> Self {
        Self { utf7, ..self }
    }

    /// Sets [`double_mappings`](Self::double_mappings).
    #[must_use]
    pub const fn with_double_mappings(self, double_mappings: DoubleMappings) -> Self {
        Self { double_mappings, ..self }
    }

    /// Sets [`jis_x_0212`](Self::jis_x_0212).
    ///
    /// ```
    /// # #[cfg(feature = "legacy")] {
    /// use utfall::{Encoding, Options};
    /// let options = Options::strict().with_jis_x_0212(true);
    /// assert!(Encoding::EucJp.encode("丂").is_err());
    /// assert_eq!(&*Encoding::EucJp.encode_with("丂", options)?, b"\x8F\xB0\xA1");
    /// # }
    /// # Ok::<(), utfall::Error>(())
    /// ```
    #[must_use]
    pub const fn with_jis_x_0212(self, jis_x_0212: bool) -> Self {
        Self { jis_x_0212, ..self }
    }

    /// Sets [`utf7_tolerance`](Self::utf7_tolerance).
    #[must_use]
    pub const fn with_utf7_tolerance(self, utf7_tolerance: Utf7Tolerance) -> Self {
        Self { utf7_tolerance, ..self }
    }

    /// The options for a conversion to text in memory, where a byte cannot replace a surrogate.
    pub(crate) fn into_text(self) -> Self {
        match self.on_unencodable {
            Policy::SurrogateEscape => Self { on_unencodable: Policy::Strict, ..self },
            _ => self,
        }
    }
}

/// Finds text that looks or reads like a character, for outputs that lack the character: at most
/// [`Substitute::MAX`] code points, or an empty string to leave the character out. `None` falls
/// back to [`Options::on_unencodable`].
///
/// ```
/// use utfall::{Encoding, Options, Transliterate, transcode};
///
/// let quotes = Transliterate(|character| match character {
///     '“' | '”' => Some("\""),
///     _ => None,
/// });
/// let options = Options::default().with_transliterate(Some(quotes));
/// let bytes = transcode(Encoding::Utf8, Encoding::UsAscii, "“hi”".as_bytes(), options).unwrap();
/// assert_eq!(&bytes[..], b"\"hi\"");
/// ```
#[derive(Clone, Copy)]
pub struct Transliterate(pub fn(char) -> Option<&'static str>);

impl Transliterate {
    /// The text for a code point, if it exists and is short enough.
    pub(crate) fn text(self, point: u32) -> Option<&'static str> {
        let text = self.0(char::from_u32(point)?)?;
        (text.chars().nth(Substitute::MAX).is_none()).then_some(text)
    }
}

/// Equal if both are the same function.
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

/// A short replacement text: at most [`Substitute::MAX`] code points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Substitute {
    /// Three bytes for each code point: every stream has two of these, and is made for short text too.
    points: [[u8; 3]; Self::MAX],
    /// The number of code points, and 1, so that `None` takes no space.
    end: NonZeroU8,
}

impl Substitute {
    /// The maximum length of a substitute, in code points.
    pub const MAX: usize = 24;

    /// U+FFFD.
    #[cfg(feature = "alloc")]
    pub(crate) const REPLACEMENT: Self = {
        let Some(this) = Self::EMPTY.with(0xFFFD) else { panic!("one code point fits") };
        this
    };

    /// `text`, or `None` if it is longer than [`Substitute::MAX`] code points.
    ///
    /// ```
    /// use utfall::Substitute;
    /// assert!(Substitute::new("[?]").is_some());
    /// assert!(Substitute::new(&"long".repeat(10)).is_none());
    /// ```
    #[must_use]
    pub fn new(text: &str) -> Option<Self> {
        text.chars().try_fold(Self::EMPTY, |this, scalar| this.with(scalar as u32))
    }

    const EMPTY: Self = Self { points: [[0; 3]; Self::MAX], end: NonZeroU8::MIN };

    /// The same text and another code point, if there is space.
    const fn with(mut self, point: u32) -> Option<Self> {
        let at = self.end.get() as usize - 1;
        let [low, middle, high, _] = point.to_le_bytes();
        if at == Self::MAX {
            return None;
        }
        self.points[at] = [low, middle, high];
        self.end = self.end.saturating_add(1);
        Some(self)
    }

    /// The text.
    ///
    /// ```
    /// use utfall::Substitute;
    /// assert_eq!(Substitute::new("[?]").unwrap().chars().collect::<String>(), "[?]");
    /// ```
    pub fn chars(&self) -> impl Iterator<Item = char> {
        self.points().map(|point| char::from_u32(point).unwrap_or(char::REPLACEMENT_CHARACTER))
    }

    pub(crate) fn points(&self) -> impl Iterator<Item = u32> {
        let points = &self.points[..usize::from(self.end.get() - 1)];
        points.iter().map(|[low, middle, high]| u32::from_le_bytes([*low, *middle, *high, 0]))
    }
}

/// How to go on after an error, as decided by a callback.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Action {
    /// Stop with the error, as [`Policy::Strict`] does.
    Stop,
    /// Leave it out, as [`Policy::Skip`] does.
    Skip,
    /// Write this instead.
    Substitute(Substitute),
}
