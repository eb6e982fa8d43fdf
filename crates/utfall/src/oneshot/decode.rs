//! Decoding of a whole text.

#[cfg(feature = "alloc")]
use alloc::{borrow::Cow, string::String, vec::Vec};

use utfall_simd::{Layout, dispatch, text};

use super::buffer::{BufferError, resume_into};
use super::transcode::transcoded_len;
use super::validate::STRICT;
use super::{UTF8, own_kernel};
#[cfg(feature = "alloc")]
use super::{UTF16, begin, collect, resume};
#[cfg(feature = "alloc")]
use crate::Bom;
use crate::charset::Charset;
#[cfg(feature = "alloc")]
use crate::direct::Direct;
use crate::route::{Route, Side};
#[cfg(feature = "alloc")]
use crate::{Action, Counts, Decoder, Error, Policy, Substitute, shortcut};
use crate::{Encoding, Options, Transcoder};

impl Encoding {
    /// Decodes to a string. Borrowed if the bytes already are that string.
    ///
    /// # Errors
    /// The first ill-formed sequence, or the first code point that a `str` cannot hold: a
    /// surrogate, or a value above 10FFFF.
    ///
    /// ```
    /// use std::borrow::Cow;
    /// use utfall::Encoding;
    /// assert!(matches!(Encoding::Utf8.decode(b"abc")?, Cow::Borrowed("abc")));
    /// assert_eq!(Encoding::Utf16Be.decode(&[0x26, 0x3A])?, "☺");
    /// # Ok::<(), utfall::Error>(())
    /// ```
    #[cfg(feature = "alloc")]
    #[inline]
    pub fn decode(self, bytes: &[u8]) -> Result<Cow<'_, str>, Error> {
        if self == Self::Utf8 {
            return match text::as_str(dispatch::active(), bytes) {
                Ok(text) => Ok(Cow::Borrowed(text)),
                // There is an error, so the empty text is never returned.
                Err(sound) => self.find_error(bytes, sound).map(|()| Cow::default()),
            };
        }
        if self == Self::UsAscii {
            return match text::as_ascii(dispatch::active(), bytes) {
                Ok(text) => Ok(Cow::Borrowed(text)),
                Err(sound) => self.find_error(bytes, sound).map(|()| Cow::default()),
            };
        }
        match self.as_str(bytes, Bom::Auto) {
            Some(text) => Ok(Cow::Borrowed(text)),
            None => self.decode_strictly(bytes),
        }
    }

    /// Decodes to a string, with U+FFFD for each ill-formed sequence and for each code point that a
    /// `str` cannot hold.
    ///
    /// ```
    /// use utfall::Encoding;
    /// let lossy = Encoding::Utf8.decode_lossy(b"a\xE2\x98b");
    /// assert_eq!((&*lossy.text, lossy.errors), ("a\u{FFFD}b", 1));
    /// ```
    #[cfg(feature = "alloc")]
    #[must_use]
    pub fn decode_lossy(self, bytes: &[u8]) -> Lossy<'_> {
        if let Some(text) = self.as_str(bytes, Bom::Auto) {
            return Lossy { text: Cow::Borrowed(text), errors: 0 };
        }
        if self == Self::Utf8 && bytes.len() <= FEW {
            return few_lossy(bytes, |_, _| ());
        }
        self.decode_few_lossy(bytes)
    }

    /// [`decode_lossy`](Self::decode_lossy) of text that is not UTF-8 already.
    // All in one function: a result that passes through memory takes longer than a few characters.
    #[cfg(feature = "alloc")]
    #[inline(never)]
    fn decode_few_lossy(self, bytes: &[u8]) -> Lossy<'_> {
        if bytes.is_empty() {
            return Lossy { text: Cow::Borrowed(""), errors: 0 };
        }
        match self.info().side {
            Side::Plain(from) => {
                match text::to_string_of_few_lossy(dispatch::active(), from, bytes) {
                    Some((text, made)) => {
                        Lossy { text: Cow::Owned(text), errors: made.replaced as u64 }
                    }
                    None => self.decode_more_lossy(bytes),
                }
            }
            _ => self.decode_more_lossy(bytes),
        }
    }

    /// [`decode_lossy`](Self::decode_lossy) of text that is not UTF-8 already, and is long or has a
    /// state.
    #[cfg(feature = "alloc")]
    #[inline(never)]
    fn decode_more_lossy(self, bytes: &[u8]) -> Lossy<'_> {
        let strict = Options::strict();
        let route = Route::at_start(self.info().side, UTF8, &strict);
        if let Some(text) = own_kernel::decoded(self, bytes) {
            return Lossy { text, errors: 0 };
        }
        if let Some(made) = own_kernel::convert(route, (self, Self::Utf8), bytes, &strict) {
            return Lossy { text: Cow::Owned(string(made)), errors: 0 };
        }
        let (begun, read) = match self {
            // It has an error.
            Self::Utf8 => (String::new(), 0),
            _ => match self.begin_string(bytes, &strict) {
                Ok(text) => return Lossy { text: Cow::Owned(text), errors: 0 },
                Err(begun) => begun,
            },
        };
        if let Some(lossy) = self.decode_lossy_by_kernel(bytes) {
            return lossy;
        }
        let mut transcoder = Transcoder::new(self, Self::Utf8, Options::both(Policy::Replace));
        transcoder.resume_after(&bytes[..read]);
        let (converted, _) = collect(begun.into_bytes(), &bytes[read..], |src, dst| {
            transcoder.transcode(src, dst, true)
        });
        let Counts { ill_formed, unencodable, .. } = transcoder.counts();
        Lossy { text: Cow::Owned(string(converted)), errors: ill_formed + unencodable }
    }

    #[cfg(feature = "alloc")]
    fn decode_lossy_by_kernel(self, bytes: &[u8]) -> Option<Lossy<'_>> {
        let kernels = dispatch::active();
        let (text, made) = match self.info().side {
            Side::Plain(from) => {
                let room = shortcut::room(kernels, Direct::Pair(from, Layout::Utf8), bytes);
                text::to_string_lossy(kernels, from, bytes, room)?
            }
            Side::Charset(charset @ Charset::SingleByte(table)) => {
                let direct = Direct::Decode(charset, Layout::Utf8);
                let room = shortcut::room(kernels, direct, bytes);
                text::to_string_from_table_lossy(kernels, table, bytes, room)
            }
            Side::Charset(charset) => {
                let room = shortcut::room(kernels, Direct::Decode(charset, Layout::Utf8), bytes);
                let (text, made) = text::to_lossy_vec(bytes, room, |src, dst| {
                    charset.decode_lossy(kernels, Layout::Utf8, src, dst)
                })?;
                (string(text), made)
            }
            _ => return None,
        };
        Some(Lossy::of(text, made, bytes))
    }

    /// Decodes as the web does: a BOM at the start is removed and determines the encoding, whatever
    /// `self` is (WHATWG Encoding §6, "decode", which knows those of UTF-8, UTF-16LE and UTF-16BE;
    /// here those of UTF-32 count too). Returns the text and the encoding it was in.
    ///
    /// # Errors
    /// As [`Encoding::decode`]. Offsets count from the start of `bytes`.
    ///
    /// ```
    /// use utfall::Encoding;
    /// let (text, encoding) = Encoding::Iso8859_1.decode_by_bom(b"\xFF\xFEa\0")?;
    /// assert_eq!((&*text, encoding), ("a", Encoding::Utf16Le));
    /// let (text, encoding) = Encoding::Iso8859_1.decode_by_bom(b"\xE9")?;
    /// assert_eq!((&*text, encoding), ("é", Encoding::Iso8859_1));
    /// # Ok::<(), utfall::Error>(())
    /// ```
    #[cfg(feature = "alloc")]
    pub fn decode_by_bom(self, bytes: &[u8]) -> Result<(Cow<'_, str>, Self), Error> {
        let Some((encoding, length)) = Self::for_bom(bytes) else {
            return Ok((self.decode(bytes)?, self));
        };
        let text = encoding.decode(&bytes[length..]);
        let text = text.map_err(|error| Error { offset: error.offset + length as u64, ..error })?;
        Ok((text, encoding))
    }

    /// Decodes as [`decode_by_bom`](Self::decode_by_bom), with U+FFFD for each ill-formed sequence, as
    /// [`decode_lossy`](Self::decode_lossy) writes it, so it never fails. Except for the BOMs of
    /// UTF-32, this is the "decode" of WHATWG Encoding §6. Returns the text and the encoding it was in.
    ///
    /// ```
    /// use utfall::Encoding;
    /// let (lossy, encoding) = Encoding::Iso8859_1.decode_by_bom_lossy(b"\xEF\xBB\xBFa\xFFb");
    /// assert_eq!((&*lossy.text, lossy.errors, encoding), ("a\u{FFFD}b", 1, Encoding::Utf8));
    /// let (lossy, encoding) = Encoding::Utf16Be.decode_by_bom_lossy(b"\0a\xD8");
    /// assert_eq!((&*lossy.text, lossy.errors, encoding), ("a\u{FFFD}", 1, Encoding::Utf16Be));
    /// ```
    #[cfg(feature = "alloc")]
    #[must_use]
    pub fn decode_by_bom_lossy(self, bytes: &[u8]) -> (Lossy<'_>, Self) {
        let (encoding, length) = Self::for_bom(bytes).unwrap_or((self, 0));
        (encoding.decode_lossy(&bytes[length..]), encoding)
    }

    /// Decodes as [`decode_lossy`](Self::decode_lossy), and reports each ill-formed sequence, and
    /// each code point that a `str` cannot hold, with its bytes (none for a code point).
    ///
    /// ```
    /// use utfall::Encoding;
    /// let mut offsets = Vec::new();
    /// let lossy = Encoding::Utf8.decode_lossy_reporting(b"a\xFFb\xC3", |error, bytes| {
    ///     offsets.push((error.offset(), bytes.to_vec()));
    /// });
    /// assert_eq!(&*lossy.text, "a\u{FFFD}b\u{FFFD}");
    /// assert_eq!(offsets, [(1, vec![0xFF]), (3, vec![0xC3])]);
    /// ```
    #[cfg(feature = "alloc")]
    pub fn decode_lossy_reporting(
        self,
        bytes: &[u8],
        mut report: impl FnMut(&Error, &[u8]) + Send,
    ) -> Lossy<'_> {
        if let Some(text) = self.as_str(bytes, Bom::Auto) {
            return Lossy { text: Cow::Borrowed(text), errors: 0 };
        }
        if self == Self::Utf8 && bytes.len() <= FEW_REPORTED {
            return few_lossy(bytes, |at, sequence| {
                if let Some(error) = self.error_at(bytes, at, STRICT) {
                    report(&error, sequence);
                }
            });
        }
        let mut handler = |error: &Error, sequence: &[u8]| {
            report(error, sequence);
            Action::Substitute(Substitute::REPLACEMENT)
        };
        let mut transcoder =
            Transcoder::new(self, Self::Utf8, Options::default()).on_error(&mut handler);
        let (converted, _) =
            collect(Vec::new(), bytes, |src, dst| transcoder.transcode(src, dst, true));
        let Counts { ill_formed, unencodable, .. } = transcoder.counts();
        Lossy { text: Cow::Owned(string(converted)), errors: ill_formed + unencodable }
    }

    /// Decodes to a string, according to `options`.
    ///
    /// # Errors
    /// As [`Encoding::decode`], if the policy is to stop.
    ///
    /// ```
    /// use utfall::{Encoding, Escape, Options, Policy};
    /// let options = Options::both(Policy::Escape(Escape::Braces));
    /// assert_eq!(Encoding::Utf8.decode_with(b"a\xFF", options)?, r"a\xff");
    /// # Ok::<(), utfall::Error>(())
    /// ```
    #[cfg(feature = "alloc")]
    pub fn decode_with(self, bytes: &[u8], options: Options) -> Result<Cow<'_, str>, Error> {
        match self.as_str(bytes, options.bom) {
            Some(text) => Ok(Cow::Borrowed(text)),
            None => self.decode_anew(bytes, &options),
        }
    }

    /// Decodes to a string that has to be made.
    #[cfg(feature = "alloc")]
    #[inline(never)]
    fn decode_strictly(self, bytes: &[u8]) -> Result<Cow<'_, str>, Error> {
        let Side::Plain(from) = self.info().side else {
            return match own_kernel::decoded(self, bytes) {
                Some(text) => Ok(text),
                None => self.decode_anew(bytes, &Options::default()),
            };
        };
        if bytes.is_empty() {
            return Ok(Cow::Borrowed(""));
        }
        let kernels = dispatch::active();
        let (begun, read) = if bytes.len() <= text::SHORT {
            match text::to_short_string(kernels, from, bytes) {
                Ok(text) => return Ok(Cow::Owned(text)),
                Err(read) => ((String::new(), 0), read),
            }
        } else {
            let room = shortcut::room(kernels, Direct::Pair(from, Layout::Utf8), bytes);
            let (text, read) = text::to_string(kernels, from, bytes, room);
            if read == bytes.len() {
                return Ok(Cow::Owned(text));
            }
            ((text, read), read)
        };
        match self.error_at(bytes, read, STRICT) {
            Some(error) => Err(error),
            None => self.decode_rest(begun, bytes, STRICT).map(Cow::Owned),
        }
    }

    #[cfg(feature = "alloc")]
    #[inline(never)]
    fn decode_anew<'a>(self, bytes: &'a [u8], options: &Options) -> Result<Cow<'a, str>, Error> {
        if let Self::Utf8 | Self::UsAscii = self
            && let Err(error) = self.validate(bytes)
            && let Some(error) = self.error_at(bytes, error.offset as usize, options)
        {
            return Err(error);
        }
        let route = Route::at_start(self.info().side, UTF8, options);
        if matches!(route, Route::ToUtf8) {
            return self.decode_by_own_kernel(route, bytes, options);
        }
        match self.begin_string(bytes, options) {
            Ok(text) => Ok(Cow::Owned(text)),
            Err(begun) => self.decode_rest(begun, bytes, options).map(Cow::Owned),
        }
    }

    #[cfg(feature = "alloc")]
    #[inline(never)]
    fn decode_by_own_kernel<'a>(
        self,
        route: Route,
        bytes: &'a [u8],
        options: &Options,
    ) -> Result<Cow<'a, str>, Error> {
        if let Some(text) = own_kernel::decoded(self, bytes) {
            return Ok(text);
        }
        let pair = (self, Self::Utf8);
        match own_kernel::convert(route, pair, bytes, &options.into_text()) {
            Some(made) => Ok(Cow::Owned(string(made))),
            None => self.decode_rest((String::new(), 0), bytes, options).map(Cow::Owned),
        }
    }

    /// Appends the decoded rest of `bytes` to the string that a kernel has begun.
    #[cfg(feature = "alloc")]
    #[inline(never)]
    fn decode_rest(
        self,
        (begun, read): (String, usize),
        bytes: &[u8],
        options: &Options,
    ) -> Result<String, Error> {
        let stream = || Transcoder::new(self, Self::Utf8, options.into_text());
        resume((begun.into_bytes(), read), bytes, stream).map(string)
    }

    /// The string, if a kernel converts all of it; otherwise the bytes written so far and the
    /// number of bytes read.
    #[cfg(feature = "alloc")]
    #[inline(always)]
    fn begin_string(self, bytes: &[u8], options: &Options) -> Result<String, (String, usize)> {
        let route = Route::at_start(self.info().side, UTF8, options);
        let Some(direct) = route.direct() else { return Err((String::new(), 0)) };
        if bytes.is_empty() {
            return Ok(String::new());
        }
        let few = match direct {
            Direct::Decode(Charset::SingleByte(table), _) => text::to_string_of_few(table, bytes),
            Direct::Decode(Charset::MultiByte(functions), _) => {
                text::to_string_of_few_pairs(&(functions.cells)(), bytes)
            }
            _ => None,
        };
        if let Some(text) = few {
            return Ok(text);
        }
        let kernels = dispatch::active();
        let room = shortcut::room(kernels, direct, bytes);
        let (begun, read) = match direct {
            Direct::Pair(from, _) => text::to_string(kernels, from, bytes, room),
            Direct::Decode(Charset::SingleByte(table), _) => {
                text::to_string_from_table(kernels, table, bytes, room)
            }
            Direct::Decode(charset, to) => {
                let (made, read) =
                    text::to_vec_by(bytes, room, |src, dst| charset.decode(kernels, to, src, dst));
                (string(made), read)
            }
            Direct::Encode(..) => return Err((String::new(), 0)),
        };
        if read == bytes.len() { Ok(begun) } else { Err((begun, read)) }
    }

    /// `bytes` unchanged, if they are UTF-8 and mean the same text in this encoding.
    #[cfg(feature = "alloc")]
    #[inline]
    fn as_str(self, bytes: &[u8], bom: Bom) -> Option<&str> {
        self.shared(bom).as_str(bytes)
    }

    /// Decodes to UTF-16 code units.
    ///
    /// # Errors
    /// As [`Encoding::decode`].
    ///
    /// ```
    /// use utfall::Encoding;
    /// assert_eq!(Encoding::Utf8.decode_to_utf16("😀".as_bytes())?, [0xD83D, 0xDE00]);
    /// # Ok::<(), utfall::Error>(())
    /// ```
    #[cfg(feature = "alloc")]
    #[inline]
    pub fn decode_to_utf16(self, bytes: &[u8]) -> Result<Vec<u16>, Error> {
        match self {
            Self::Iso8859_1 => Ok(bytes.iter().map(|byte| u16::from(*byte)).collect()),
            Self::Utf8 if bytes.len() <= text::FEW_AS_UTF16 => match text::to_few_utf16(bytes) {
                Ok(units) => Ok(units),
                Err(sound) => self.find_error(bytes, sound).map(|()| Vec::new()),
            },
            _ => self.decode_more_to_utf16(bytes),
        }
    }

    #[cfg(feature = "alloc")]
    #[inline(never)]
    fn decode_more_to_utf16(self, bytes: &[u8]) -> Result<Vec<u16>, Error> {
        let route = Route::at_start(self.info().side, UTF16, &Options::strict());
        begin(route, bytes).or_else(|begun| match self.error_at(bytes, begun.1, STRICT) {
            Some(error) if matches!(route, Route::Pair(..)) => Err(error),
            _ => resume(begun, bytes, || Decoder::new(self, Options::default())),
        })
    }

    /// Decodes into the caller's buffer, and returns the string that was written.
    ///
    /// # Errors
    /// As [`Encoding::decode`], or [`BufferError::TooSmall`]. [`transcoded_len`] returns a
    /// sufficient size.
    ///
    /// ```
    /// let mut buffer = [0; 8];
    /// assert_eq!(utfall::Encoding::Utf16Le.decode_into(b"a\0", &mut buffer), Ok("a"));
    /// ```
    pub fn decode_into<'b>(
        self,
        bytes: &[u8],
        buffer: &'b mut [u8],
    ) -> Result<&'b str, BufferError> {
        let kernels = dispatch::active();
        let begun = match self.info().side {
            Side::Plain(from) => text::write_str(kernels, from, bytes, buffer),
            Side::Charset(Charset::SingleByte(table)) => {
                text::write_str_from_table(kernels, table, bytes, buffer)
            }
            Side::Charset(charset) => {
                let (read, written) = charset.decode(kernels, Layout::Utf8, bytes, buffer);
                Err((read, written, buffer))
            }
            side => {
                let route = Route::at_start(side, UTF8, &Options::strict());
                let options = Options::default();
                let pair = (self, Self::Utf8);
                match own_kernel::convert_into(route, pair, bytes, buffer, &options) {
                    Some(length) => {
                        return Ok(text::as_str(kernels, &buffer[..length]).unwrap_or_default());
                    }
                    None => Err((0, 0, buffer)),
                }
            }
        };
        let (read, written, buffer) = match begun {
            Ok(text) => return Ok(text),
            Err(begun) => begun,
        };
        if matches!(self.info().side, Side::Plain(_))
            && let Some(error) = self.error_at(bytes, read, STRICT)
        {
            return Err(BufferError::Text(error));
        }
        let length = if read == bytes.len() && matches!(self.info().side, Side::Charset(_)) {
            written
        } else {
            let stream = || Transcoder::new(self, Self::Utf8, Options::default());
            let needed = || transcoded_len(self, Self::Utf8, bytes, Options::default());
            resume_into((read, written), bytes, buffer, stream, needed)?
        };
        // Strict conversion to UTF-8 gives valid UTF-8. If it did not, an empty string would be
        // returned.
        Ok(text::as_str(dispatch::active(), &buffer[..length]).unwrap_or_default())
    }
}

/// The result of lossy decoding.
#[cfg(feature = "alloc")]
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Lossy<'a> {
    /// The text. Borrowed if the bytes already were that text.
    pub text: Cow<'a, str>,
    /// The number of errors. Each became one U+FFFD.
    pub errors: u64,
}

#[cfg(feature = "alloc")]
impl Lossy<'_> {
    /// The text that a lossy conversion has made of `bytes`.
    #[inline]
    fn of(mut text: String, made: utfall_simd::Lossy, bytes: &[u8]) -> Self {
        let mut errors = made.replaced as u64;
        if made.read < bytes.len() {
            // A truncated sequence.
            text.push('\u{FFFD}');
            errors += 1;
        }
        Self { text: Cow::Owned(text), errors }
    }
}

/// The length of UTF-8 that [`few_lossy`] makes faster than a kernel, in bytes.
#[cfg(feature = "alloc")]
const FEW: usize = 96;

/// The same for the stream that reports errors.
#[cfg(feature = "alloc")]
const FEW_REPORTED: usize = 1024;

/// Decodes a short text in UTF-8. Reports the offset and the bytes of each ill-formed sequence.
#[cfg(feature = "alloc")]
#[inline]
fn few_lossy(bytes: &[u8], mut report: impl FnMut(usize, &[u8])) -> Lossy<'static> {
    // With space for the first few U+FFFD.
    let mut text = String::with_capacity(bytes.len() + 16);
    let (mut at, mut errors) = (0, 0);
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        at += chunk.valid().len();
        if !chunk.invalid().is_empty() {
            report(at, chunk.invalid());
            text.push('\u{FFFD}');
            at += chunk.invalid().len();
            errors += 1;
        }
    }
    Lossy { text: Cow::Owned(text), errors }
}

/// The result of a strict conversion to UTF-8 as a string.
#[cfg(feature = "alloc")]
fn string(bytes: Vec<u8>) -> String {
    text::into_string(dispatch::active(), bytes)
        .unwrap_or_else(|bytes| String::from_utf8_lossy(&bytes).into_owned())
}
