//! Encoding of a whole text.

#[cfg(feature = "alloc")]
use alloc::{borrow::Cow, vec::Vec};

use utfall_simd::dispatch;
#[cfg(feature = "alloc")]
use utfall_simd::{text, units};

use super::buffer::{BufferError, convert_into};
use super::transcode::transcoded_len;
use super::validate::STRICT;
use super::{SHORT, UTF8, all_of_short, count, own_kernel};
#[cfg(feature = "alloc")]
use super::{UTF16, begin, resume, shared::Shared, short_plain};
#[cfg(feature = "alloc")]
use crate::Bom;
#[cfg(feature = "alloc")]
use crate::charset::Charset;
#[cfg(feature = "alloc")]
use crate::engine::append_escape;
use crate::route::Route;
#[cfg(feature = "alloc")]
use crate::route::Side;
use crate::{Encoder, Encoding, Error, ErrorKind, Options, Policy};

/// UTF-16 in memory.
#[cfg(feature = "alloc")]
const NATIVE: Encoding =
    if cfg!(target_endian = "little") { Encoding::Utf16Le } else { Encoding::Utf16Be };

/// The size of the space for a piece of the output after an escape, and after more of such pieces.
/// A smaller one would have to be filled more often, a larger one would be cleared in vain.
#[cfg(feature = "alloc")]
const FIRST_PIECE: usize = 128;
#[cfg(feature = "alloc")]
const LONGEST_PIECE: usize = 4096;

/// The length of text that is encoded without a kernel, in bytes.
#[cfg(feature = "alloc")]
const FEW: usize = 8;

/// The most bytes that a character takes in a charset.
#[cfg(feature = "alloc")]
const LONGEST: usize = 4;

impl Encoding {
    /// Encodes a string. Borrowed if the string already has those bytes.
    ///
    /// # Errors
    /// The first code point that the encoding lacks.
    ///
    /// ```
    /// use utfall::{Encoding, ErrorKind};
    /// assert_eq!(&*Encoding::Iso8859_1.encode("é")?, [0xE9]);
    /// let error = Encoding::Iso8859_1.encode("5 €").unwrap_err();
    /// assert_eq!((error.offset(), error.kind()), (2, ErrorKind::Unencodable(0x20AC)));
    /// # Ok::<(), utfall::Error>(())
    /// ```
    #[cfg(feature = "alloc")]
    #[inline]
    pub fn encode(self, text: &str) -> Result<Cow<'_, [u8]>, Error> {
        match (self, self.shared(Bom::Auto)) {
            (_, Shared::All) => Ok(Cow::Borrowed(text.as_bytes())),
            (Self::Utf7, _) => self.encode_more(text, STRICT),
            (_, Shared::Ascii) => match text::as_ascii(dispatch::active(), text.as_bytes()) {
                Ok(text) => Ok(Cow::Borrowed(text.as_bytes())),
                Err(at) => self.encode_beyond_ascii(text, at),
            },
            (Self::Utf16Le | Self::Utf16Be | Self::Utf32Le | Self::Utf32Be, _)
                if text.len() <= FEW =>
            {
                Ok(Cow::Owned(self.encode_few(text)))
            }
            _ => self.encode_anew(text, STRICT),
        }
    }

    /// Encodes a few characters to UTF-16 or UTF-32.
    #[cfg(feature = "alloc")]
    #[inline]
    fn encode_few(self, text: &str) -> Vec<u8> {
        fn units<U, const N: usize>(
            units: impl Iterator<Item = U>,
            bytes: impl Fn(U) -> [u8; N],
        ) -> Vec<u8> {
            let mut made = Vec::with_capacity(FEW);
            made.extend(units.map(bytes));
            made.into_flattened()
        }
        match self {
            Self::Utf16Le => units(text.encode_utf16(), u16::to_le_bytes),
            Self::Utf16Be => units(text.encode_utf16(), u16::to_be_bytes),
            Self::Utf32Le => units(text.chars(), |point| u32::from(point).to_le_bytes()),
            _ => units(text.chars(), |point| u32::from(point).to_be_bytes()),
        }
    }

    /// Encodes a string whose first character beyond ASCII is at `at`.
    #[cfg(feature = "alloc")]
    #[inline(never)]
    fn encode_beyond_ascii(self, text: &str, at: usize) -> Result<Cow<'_, [u8]>, Error> {
        match self.unencodable_at(text, at, STRICT) {
            Some(error) => Err(error),
            None => self.encode_anew(text, STRICT),
        }
    }

    /// Encodes a string, according to `options`.
    ///
    /// # Errors
    /// As [`Encoding::encode`], if the policy is to stop.
    ///
    /// ```
    /// use utfall::{Encoding, Escape, Options, Policy};
    /// let options = Options::both(Policy::Escape(Escape::Xml));
    /// assert_eq!(&*Encoding::UsAscii.encode_with("5 €", options)?, b"5 &#8364;");
    /// # Ok::<(), utfall::Error>(())
    /// ```
    #[cfg(feature = "alloc")]
    pub fn encode_with(self, text: &str, options: Options) -> Result<Cow<'_, [u8]>, Error> {
        match self.shared(options.bom).covers(text) {
            true => Ok(Cow::Borrowed(text.as_bytes())),
            false => self.encode_anew(text, &options),
        }
    }

    #[cfg(feature = "alloc")]
    #[inline(never)]
    fn encode_anew<'a>(self, text: &'a str, options: &Options) -> Result<Cow<'a, [u8]>, Error> {
        if self == Self::Utf7 {
            return self.encode_more(text, options);
        }
        if self == Self::UsAscii {
            let at = text::ascii_prefix(dispatch::active, text.as_bytes());
            if let Some(error) = self.unencodable_at(text, at, options) {
                return Err(error);
            }
        }
        let sides = (UTF8, self.info().side);
        let rest = |read| match self.unencodable_at(text, read, options) {
            Some(error) => Err(error),
            None => self.encode_rest(text, options, (Vec::new(), 0)).map(Cow::Owned),
        };
        match short_plain(sides, text.as_bytes(), options, rest) {
            Some(made) => made,
            None => self.encode_more(text, options),
        }
    }

    /// Encodes text that is long, or to another encoding than plain text.
    #[cfg(feature = "alloc")]
    #[inline(never)]
    fn encode_more<'a>(self, text: &'a str, options: &Options) -> Result<Cow<'a, [u8]>, Error> {
        // Looking up the properties of the encoding would take longer than encoding a word.
        if Route::is_by_names(options)
            && let Some(made) = own_kernel::encoded(self, text, options)
        {
            return Ok(made);
        }
        let route = Route::at_start(UTF8, self.info().side, options);
        if let Some(made) = own_kernel::escaping(route, self, text, options) {
            return Ok(Cow::Owned(made));
        }
        let pair = (Self::Utf8, self);
        if let Some(made) = own_kernel::convert(route, pair, text.as_bytes(), options) {
            return Ok(Cow::Owned(made));
        }
        if let Some(made) = self.encode_escaping(route, text, options) {
            return Ok(Cow::Owned(made));
        }
        match begin(route, text.as_bytes()) {
            Ok(made) => Ok(Cow::Owned(made)),
            Err(begun) => self.encode_rest(text, options, begun).map(Cow::Owned),
        }
    }

    /// Continues after a kernel, given what it wrote and the number of bytes it read.
    #[cfg(feature = "alloc")]
    #[inline(never)]
    fn encode_rest(
        self,
        text: &str,
        options: &Options,
        begun: (Vec<u8>, usize),
    ) -> Result<Vec<u8>, Error> {
        let error = match self.info().side {
            // A kernel with enough space stops nowhere else.
            Side::Charset(Charset::SingleByte(_)) => unencodable(self, text, begun.1, options),
            _ => self.unencodable_at(text, begun.1, options),
        };
        match error {
            Some(error) => Err(error),
            None => resume(begun, text.as_bytes(), || Encoder::new(self, *options)),
        }
    }

    /// The error for the character at `at`, if the encoding is US-ASCII or Latin-1 and lacks it,
    /// and `options` are to stop there. A stream finds the same error. Setting it up takes far longer
    /// than encoding a short text.
    #[inline(always)]
    fn unencodable_at(self, text: &str, at: usize, options: &Options) -> Option<Error> {
        let most = match self {
            Self::UsAscii => '\u{7F}',
            Self::Iso8859_1 => '\u{FF}',
            _ => return None,
        };
        let is_lacking = text.get(at..)?.chars().next()? > most;
        if is_lacking { unencodable(self, text, at, options) } else { None }
    }

    /// Encodes to a charset, with an escape for each character that it lacks. A stream would begin
    /// again after each of them. `None` if that is not possible or not wanted.
    #[cfg(feature = "alloc")]
    fn encode_escaping(self, route: Route, text: &str, options: &Options) -> Option<Vec<u8>> {
        let (Route::Encode(..), Policy::Escape(style)) = (route, options.on_unencodable) else {
            return None;
        };
        let direct = route.direct()?;
        let writes_ascii = self.shared(options.bom) == Shared::Ascii;
        if !writes_ascii || options.transliterate.is_some() || options.jis_x_0212 {
            return None;
        }
        // With space for two escapes.
        let mut made = Vec::with_capacity(text.len() + text.len() / 2 + 24);
        let (mut rest, mut piece) = (text, FIRST_PIECE);
        loop {
            let begun = made.len();
            made.resize(begun + piece.min(rest.len() + LONGEST), 0);
            let (read, written) = direct.run(rest.as_bytes(), &mut made[begun..]);
            let is_full = made.len() - begun - written < LONGEST;
            made.truncate(begun + written);
            rest = &rest[read..];
            if is_full {
                piece = LONGEST_PIECE.min(2 * piece);
                continue;
            }
            piece = FIRST_PIECE;
            let Some(missing) = rest.chars().next() else { return Some(made) };
            append_escape(style, u32::from(missing), &mut made);
            rest = &rest[missing.len_utf8()..];
        }
    }

    /// Encodes UTF-16 code units.
    ///
    /// # Errors
    /// The first unpaired surrogate, or the first code point that the encoding lacks. Offset and
    /// length are counted in code units.
    ///
    /// ```
    /// use utfall::Encoding;
    /// assert_eq!(Encoding::Utf8.encode_utf16(&[0xD83D, 0xDE00])?, "😀".as_bytes());
    /// assert_eq!(Encoding::Utf8.encode_utf16(&[0x61, 0xD83D]).unwrap_err().offset(), 1);
    /// # Ok::<(), utfall::Error>(())
    /// ```
    #[cfg(feature = "alloc")]
    #[inline]
    pub fn encode_utf16(self, units: &[u16]) -> Result<Vec<u8>, Error> {
        let route = Route::at_start(UTF16, self.info().side, &Options::strict());
        let bytes = units::bytes(units);
        begin(route, bytes).or_else(|begun| match NATIVE.error_at(bytes, begun.1, STRICT) {
            Some(error) if matches!(route, Route::Pair(..)) => {
                Err(Error { encoding: Self::Utf16, ..error.in_units(2) })
            }
            _ => resume(begun, units, || Encoder::new(self, Options::default())),
        })
    }

    /// Encodes into the caller's buffer, and returns how many bytes were written.
    ///
    /// # Errors
    /// As [`Encoding::encode`], or [`BufferError::TooSmall`].
    ///
    /// ```
    /// let mut buffer = [0; 8];
    /// assert_eq!(utfall::Encoding::Utf16Le.encode_into("a", &mut buffer), Ok(2));
    /// ```
    #[inline]
    pub fn encode_into(self, text: &str, buffer: &mut [u8]) -> Result<usize, BufferError> {
        if self == Self::Utf8 {
            let Some(room) = buffer.get_mut(..text.len()) else {
                return Err(BufferError::TooSmall { needed: text.len() });
            };
            room.copy_from_slice(text.as_bytes());
            return Ok(text.len());
        }
        // The steps of `all_of_short` take as long as the conversion of a word.
        let (bytes, kernels) = (text.as_bytes(), dispatch::active());
        let (read, written) = match self {
            Self::Utf16Le => kernels.utf8_to_utf16le(bytes, buffer),
            Self::Utf16Be => kernels.utf8_to_utf16be(bytes, buffer),
            Self::Utf32Le => kernels.utf8_to_utf32le(bytes, buffer),
            Self::Utf32Be => kernels.utf8_to_utf32be(bytes, buffer),
            Self::Iso8859_1 => kernels.utf8_to_latin1(bytes, buffer),
            _ if bytes.len() <= SHORT => {
                return match all_of_short(Self::Utf8, self, bytes, buffer) {
                    Ok(length) => Ok(length),
                    Err(_) => self.encode_any_into(text, buffer),
                };
            }
            _ => return self.encode_any_into(text, buffer),
        };
        if read == bytes.len() { Ok(written) } else { self.encode_any_into(text, buffer) }
    }

    #[inline(never)]
    fn encode_any_into(self, text: &str, buffer: &mut [u8]) -> Result<usize, BufferError> {
        let bytes = text.as_bytes();
        let route = Route::at_start(UTF8, self.info().side, &Options::strict());
        let pair = (Self::Utf8, self);
        if let Some(length) =
            own_kernel::convert_into(route, pair, bytes, buffer, &Options::default())
        {
            return Ok(length);
        }
        let error_at = |at| match self {
            Self::Iso8859_1 => self.unencodable_at(text, at, STRICT),
            _ => None,
        };
        let stream = || Encoder::new(self, Options::default());
        // U+FEFF at the start of a text is text. At the start of bytes it is a BOM, which some
        // targets write themselves.
        let needed = || match text.strip_prefix('\u{FEFF}') {
            Some(_) => self.encoded_len(text),
            None => transcoded_len(Self::Utf8, self, bytes, Options::default()),
        };
        convert_into(route, bytes, buffer, error_at, stream, needed)
    }

    /// The exact length of a text in this encoding, in bytes.
    fn encoded_len(self, text: &str) -> Result<usize, Error> {
        count(Encoder::new(self, Options::default()), text.as_bytes())
    }
}

/// The error for the character at `at`, which the encoding lacks, if `options` are to stop there.
#[inline(always)]
fn unencodable(encoding: Encoding, text: &str, at: usize, options: &Options) -> Option<Error> {
    if options.on_unencodable != Policy::Strict
        || options.transliterate.is_some()
        || !Route::is_by_names(options)
    {
        return None;
    }
    let missing = text.get(at..)?.chars().next()?;
    Some(Error {
        encoding,
        offset: at as u64,
        length: missing.len_utf8() as u32,
        kind: ErrorKind::Unencodable(u32::from(missing)),
        run_bit: None,
    })
}
