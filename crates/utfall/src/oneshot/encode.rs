//! Encoding of a whole text.

#[cfg(feature = "alloc")]
use alloc::{borrow::Cow, vec::Vec};

#[cfg(feature = "alloc")]
use utfall_simd::Layout;

use super::buffer::{BufferError, convert_into};
use super::transcode::transcoded_len;
use super::{SHORT, UTF8, all_of_short, count, own_kernel};
#[cfg(feature = "alloc")]
use super::{UTF16, begin, convert, resume, shared::Shared, short_plain};
#[cfg(feature = "alloc")]
use crate::charset::Charset;
#[cfg(feature = "alloc")]
use crate::engine::append_escape;
use crate::route::Route;
#[cfg(feature = "alloc")]
use crate::{Bom, ErrorKind, Policy};
use crate::{Encoder, Encoding, Error, Options};

/// The size of the space for a piece of the output after an escape, and after more of such pieces.
/// A smaller one would have to be filled more often, a larger one would be cleared in vain.
#[cfg(feature = "alloc")]
const FIRST_PIECE: usize = 128;
#[cfg(feature = "alloc")]
const LONGEST_PIECE: usize = 4096;

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
        match self.shared(Bom::Auto).covers(text) {
            true => Ok(Cow::Borrowed(text.as_bytes())),
            false if self == Self::Utf7 => self.encode_more(text, &Options::default()),
            false => self.encode_anew(text, &Options::default()),
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
        let sides = (UTF8, self.info().side);
        let rest = |begun| {
            let route = Route::at_start(sides.0, sides.1, options);
            self.encode_rest(route, text, options, begun).map(Cow::Owned)
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
            Err(begun) => self.encode_rest(route, text, options, begun).map(Cow::Owned),
        }
    }

    /// Continues after a kernel, given what it wrote and the number of bytes it read.
    #[cfg(feature = "alloc")]
    #[inline(never)]
    fn encode_rest(
        self,
        route: Route,
        text: &str,
        options: &Options,
        begun: (Vec<u8>, usize),
    ) -> Result<Vec<u8>, Error> {
        match self.unencodable_at(route, text, begun.1, options) {
            Some(error) => Err(error),
            None => resume(begun, text.as_bytes(), || Encoder::new(self, *options)),
        }
    }

    /// The error for the character at `at`, where a kernel with enough space has stopped, if it stops
    /// only at characters that the encoding lacks. A stream finds the same error. Setting it up takes
    /// far longer than encoding a short text.
    #[cfg(feature = "alloc")]
    fn unencodable_at(
        self,
        route: Route,
        text: &str,
        at: usize,
        options: &Options,
    ) -> Option<Error> {
        let (Route::Pair(_, Layout::Latin1) | Route::Encode(_, Charset::SingleByte(_))) = route
        else {
            return None;
        };
        if options.on_unencodable != Policy::Strict || options.transliterate.is_some() {
            return None;
        }
        let missing = text.get(at..)?.chars().next()?;
        Some(Error {
            encoding: self,
            offset: at as u64,
            length: missing.len_utf8() as u32,
            kind: ErrorKind::Unencodable(u32::from(missing)),
            run_bit: None,
        })
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
        convert(route, units, || Encoder::new(self, Options::default()))
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
        if text.len() <= SHORT
            && let Some(length) = all_of_short(Self::Utf8, self, text.as_bytes(), buffer)
        {
            return Ok(length);
        }
        self.encode_any_into(text, buffer)
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
        let stream = || Encoder::new(self, Options::default());
        // U+FEFF at the start of a text is text. At the start of bytes it is a BOM, which some
        // targets write themselves.
        let needed = || match text.strip_prefix('\u{FEFF}') {
            Some(_) => self.encoded_len(text),
            None => transcoded_len(Self::Utf8, self, bytes, Options::default()),
        };
        convert_into(route, bytes, buffer, stream, needed)
    }

    /// The exact length of a text in this encoding, in bytes.
    fn encoded_len(self, text: &str) -> Result<usize, Error> {
        count(Encoder::new(self, Options::default()), text.as_bytes())
    }
}
