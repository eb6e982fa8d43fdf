//! Conversion of a whole text in one call.

#[cfg(feature = "alloc")]
use alloc::{borrow::Cow, string::String, vec::Vec};
use core::fmt;

#[cfg(feature = "alloc")]
use utfall_simd::units::{self, Unit};
use utfall_simd::{Form, dispatch, text};

use crate::codec::{Decode, DecodeStop, Encode};
use crate::encoding::{AnyDecoder, AnyEncoder};
use crate::engine::{SCRATCH, SMALL_BLOCK, SMALL_SCRATCH};
use crate::route::{Route, Side};
#[cfg(feature = "alloc")]
use crate::{Action, Counts, Decoder, Policy, Substitute};
use crate::{Bom, Encoder, Encoding, Error, Options, Progress, Status, Transcoder, shortcut};

/// Text in memory.
const UTF8: Side = Side::Plain(Form::Utf8);
#[cfg(feature = "alloc")]
const UTF16: Side = Side::Plain(units::NATIVE_UTF16);

impl Encoding {
    /// Checks that `bytes` are well-formed in this encoding.
    ///
    /// # Errors
    /// The first ill-formed sequence.
    ///
    /// ```
    /// use utfall::{Encoding, ErrorKind};
    /// assert!(Encoding::Utf8Rfc2279.validate(b"\xF8\x88\x80\x80\x80").is_ok());
    /// let error = Encoding::Utf8.validate(b"\xF8\x88\x80\x80\x80").unwrap_err();
    /// assert_eq!(error.kind(), ErrorKind::LongForm);
    /// ```
    #[inline]
    pub fn validate(self, bytes: &[u8]) -> Result<(), Error> {
        let sound = match self {
            Self::Utf8 => text::utf8_prefix(dispatch::active, bytes),
            _ => match self.info().side.form() {
                Some(form) => dispatch::active().prefix(form, bytes),
                None => return self.find_error(bytes, 0),
            },
        };
        if sound == bytes.len() { Ok(()) } else { self.find_error(bytes, sound) }
    }

    /// The first ill-formed sequence. The first `sound` bytes have none.
    fn find_error(self, bytes: &[u8], sound: usize) -> Result<(), Error> {
        // For short texts, clearing a large buffer would take longer than the check itself.
        match bytes.len() - sound <= SMALL_BLOCK {
            true => self.find_error_by::<SMALL_BLOCK, SMALL_SCRATCH>(bytes, sound),
            false => self.find_error_by::<512, SCRATCH>(bytes, sound),
        }
    }

    fn find_error_by<const POINTS: usize, const BYTES: usize>(
        self,
        bytes: &[u8],
        sound: usize,
    ) -> Result<(), Error> {
        let kernels = dispatch::active();
        let mut decoder = AnyDecoder::new(self, &Options::default());
        let (mut block, mut scratch) = ([0; POINTS], [0; BYTES]);
        let mut at = sound;
        loop {
            match Route::new(decoder.side(), Side::Discarded) {
                Route::Check(form) => at += kernels.prefix(form, &bytes[at..]),
                Route::CheckAsUtf8 => {
                    while let (read @ 1.., _) =
                        decoder.decode_to_utf8(kernels, &bytes[at..], &mut scratch)
                    {
                        at += read;
                    }
                }
                _ => {}
            }
            let decoded = decoder.decode(kernels, &bytes[at..], &mut block, true);
            at += decoded.read;
            match decoded.stop {
                DecodeStop::Input => return Ok(()),
                DecodeStop::Output => {}
                DecodeStop::Ill(ill) => {
                    return Err(Error {
                        encoding: self,
                        offset: (at - ill.back) as u64,
                        length: ill.length as u32,
                        kind: ill.kind,
                        run_bit: ill.run_bit,
                    });
                }
            }
        }
    }

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
        match self.as_str(bytes, Bom::Auto) {
            Some(text) => Ok(Cow::Borrowed(text)),
            None => self.decode_owned(bytes, &Options::default()).map(Cow::Owned),
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
        let (begun, read) = match self.begin_string(bytes, Bom::Auto) {
            Ok(text) => return Lossy { text: Cow::Owned(text), errors: 0 },
            Err(begun) => begun,
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
        let from = self.info().side.form()?;
        let room = shortcut::room(kernels, from, Form::Utf8, bytes);
        let (mut text, made) = text::to_string_lossy(kernels, from, bytes, room)?;
        let mut errors = made.replaced as u64;
        if made.read < bytes.len() {
            // A truncated sequence.
            text.push('\u{FFFD}');
            errors += 1;
        }
        Some(Lossy { text: Cow::Owned(text), errors })
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
            None => self.decode_owned(bytes, &options).map(Cow::Owned),
        }
    }

    #[cfg(feature = "alloc")]
    #[inline(never)]
    fn decode_owned(self, bytes: &[u8], options: &Options) -> Result<String, Error> {
        self.begin_string(bytes, options.bom)
            .or_else(|begun| self.decode_rest(begun, bytes, options))
    }

    #[cfg(feature = "alloc")]
    #[inline(never)]
    fn decode_rest(
        self,
        (begun, read): (String, usize),
        bytes: &[u8],
        options: &Options,
    ) -> Result<String, Error> {
        let mut transcoder = Transcoder::new(self, Self::Utf8, options.into_text());
        transcoder.resume_after(&bytes[..read]);
        let (converted, error) = collect(begun.into_bytes(), &bytes[read..], |src, dst| {
            transcoder.transcode(src, dst, true)
        });
        error.map_or_else(|| Ok(string(converted)), Err)
    }

    /// The string, if a kernel converts all of it; otherwise the bytes written so far and the
    /// number of bytes read.
    #[cfg(feature = "alloc")]
    #[inline(always)]
    fn begin_string(self, bytes: &[u8], bom: Bom) -> Result<String, (String, usize)> {
        let route = Route::at_start(self.info().side, UTF8, bom);
        let Route::Pair(from, to) = route else { return Err((String::new(), 0)) };
        if bytes.is_empty() {
            return Ok(String::new());
        }
        let kernels = dispatch::active();
        let room = shortcut::room(kernels, from, to, bytes);
        let (begun, read) = text::to_string(kernels, from, bytes, room);
        if read == bytes.len() { Ok(begun) } else { Err((begun, read)) }
    }

    /// `bytes` unchanged, if they are UTF-8 and mean the same text in this encoding.
    #[cfg(feature = "alloc")]
    #[inline]
    fn as_str(self, bytes: &[u8], bom: Bom) -> Option<&str> {
        self.shared(bom).as_str(bytes)
    }

    /// The text that has the same bytes in this encoding as in UTF-8.
    #[cfg(feature = "alloc")]
    #[inline]
    fn shared(self, bom: Bom) -> Shared {
        let info = self.info();
        match self {
            Self::Utf8 if matches!(bom, Bom::Auto | Bom::Keep) => Shared::All,
            Self::Utf8 => Shared::Nothing,
            _ if info.ascii_transparent
                && info.split_point == crate::SplitPoint::Character
                && bom != Bom::Add =>
            {
                Shared::Ascii
            }
            _ => Shared::Nothing,
        }
    }

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
            false => self.encode_owned(text, &Options::default()).map(Cow::Owned),
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
            false => self.encode_owned(text, &options).map(Cow::Owned),
        }
    }

    #[cfg(feature = "alloc")]
    #[inline]
    fn encode_owned(self, text: &str, options: &Options) -> Result<Vec<u8>, Error> {
        let route = Route::at_start(UTF8, self.info().side, options.bom);
        begin(route, text.as_bytes()).or_else(|begun| self.encode_rest(begun, text, options))
    }

    #[cfg(feature = "alloc")]
    #[inline(never)]
    fn encode_rest(
        self,
        (begun, read): (Vec<u8>, usize),
        text: &str,
        options: &Options,
    ) -> Result<Vec<u8>, Error> {
        let mut encoder = Encoder::new(self, *options);
        encoder.resume_after(&text.as_bytes()[..read]);
        let (bytes, error) = collect(begun, &text.as_bytes()[read..], |src, dst| {
            encoder.encode_bytes(src, dst, true)
        });
        error.map_or(Ok(bytes), Err)
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
        let route = Route::at_start(self.info().side, UTF16, Bom::Auto);
        begin(route, bytes).or_else(|begun| self.decode_to_utf16_rest(begun, bytes))
    }

    #[cfg(feature = "alloc")]
    #[inline(never)]
    fn decode_to_utf16_rest(
        self,
        (begun, read): (Vec<u16>, usize),
        bytes: &[u8],
    ) -> Result<Vec<u16>, Error> {
        let mut decoder = Decoder::new(self, Options::default());
        decoder.resume_after(&bytes[..read]);
        let (units, error) =
            collect(begun, &bytes[read..], |src, dst| decoder.decode_to_utf16(src, dst, true));
        error.map_or(Ok(units), Err)
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
        let route = Route::at_start(UTF16, self.info().side, Bom::Auto);
        begin(route, units::octets(units)).or_else(|begun| self.encode_utf16_rest(begun, units))
    }

    #[cfg(feature = "alloc")]
    #[inline(never)]
    fn encode_utf16_rest(
        self,
        (begun, read): (Vec<u8>, usize),
        units: &[u16],
    ) -> Result<Vec<u8>, Error> {
        let mut encoder = Encoder::new(self, Options::default());
        encoder.resume_after(&units::octets(units)[..read]);
        let (bytes, error) =
            collect(begun, &units[read / 2..], |src, dst| encoder.encode_utf16(src, dst, true));
        error.map_or(Ok(bytes), Err)
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
        let (read, written, buffer) = match self.info().side.form() {
            None => (0, 0, buffer),
            Some(from) => match text::write_str(dispatch::active(), from, bytes, buffer) {
                Ok(text) => return Ok(text),
                Err(begun) => begun,
            },
        };
        let mut transcoder = Transcoder::new(self, Self::Utf8, Options::default());
        transcoder.resume_after(&bytes[..read]);
        let rest = transcoder.transcode(&bytes[read..], &mut buffer[written..], true);
        let needed = || transcoded_len(self, Self::Utf8, bytes, Options::default());
        let length = in_buffer(written, rest, needed)?;
        // Strict conversion to UTF-8 gives valid UTF-8. If it did not, an empty string would be
        // returned.
        Ok(text::as_str(dispatch::active(), &buffer[..length]).unwrap_or_default())
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
    pub fn encode_into(self, text: &str, buffer: &mut [u8]) -> Result<usize, BufferError> {
        let bytes = text.as_bytes();
        let route = Route::at_start(UTF8, self.info().side, Bom::Auto);
        let (read, written) = match begin_into(route, bytes, buffer) {
            Ok(written) => return Ok(written),
            Err(begun) => begun,
        };
        let mut encoder = Encoder::new(self, Options::default());
        encoder.resume_after(&bytes[..read]);
        let rest = encoder.encode_bytes(&bytes[read..], &mut buffer[written..], true);
        let needed = || transcoded_len(Self::Utf8, self, bytes, Options::default());
        in_buffer(written, rest, needed)
    }
}

/// Converts bytes from one encoding to another. Borrowed if nothing changes.
///
/// # Errors
/// The first ill-formed sequence or unencodable code point, if the policy for it is to stop.
///
/// ```
/// use utfall::{Encoding, Options, transcode};
/// let utf7 = transcode(Encoding::Utf16Be, Encoding::Utf7, b"\x26\x3A", Options::default())?;
/// assert_eq!(&*utf7, b"+Jjo-");
/// # Ok::<(), utfall::Error>(())
/// ```
#[cfg(feature = "alloc")]
pub fn transcode(
    source: Encoding,
    target: Encoding,
    bytes: &[u8],
    options: Options,
) -> Result<Cow<'_, [u8]>, Error> {
    let shared = source.shared(options.bom).min(target.shared(options.bom));
    if shared.as_str(bytes).is_some() {
        return Ok(Cow::Borrowed(bytes));
    }
    let route = Route::at_start(source.info().side, target.info().side, options.bom);
    let (begun, read) = match begin(route, bytes) {
        Ok(bytes) => return Ok(Cow::Owned(bytes)),
        Err(begun) => begun,
    };
    let mut transcoder = Transcoder::new(source, target, options);
    transcoder.resume_after(&bytes[..read]);
    let (converted, error) =
        collect(begun, &bytes[read..], |src, dst| transcoder.transcode(src, dst, true));
    error.map_or(Ok(Cow::Owned(converted)), Err)
}

/// The text that has the same bytes in an encoding as in UTF-8.
#[cfg(feature = "alloc")]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Shared {
    Nothing,
    Ascii,
    All,
}

#[cfg(feature = "alloc")]
impl Shared {
    /// `bytes` as a string, if they are such text.
    #[inline]
    fn as_str(self, bytes: &[u8]) -> Option<&str> {
        match self {
            Self::Nothing => None,
            Self::Ascii => text::as_ascii(dispatch::active(), bytes),
            Self::All => text::as_str(dispatch::active(), bytes).ok(),
        }
    }

    /// Whether `text` is such text.
    #[inline]
    fn covers(self, text: &str) -> bool {
        self == Self::All || self.as_str(text.as_bytes()).is_some()
    }
}

/// Converts bytes into the caller's buffer, and returns the number of bytes written.
///
/// # Errors
/// As [`transcode()`], or [`BufferError::TooSmall`].
///
/// ```
/// use utfall::{BufferError, Encoding, Options, transcode_into};
/// let mut buffer = [0; 2];
/// let result = transcode_into(Encoding::Utf8, Encoding::Utf16Le, b"abc", &mut buffer, Options::default());
/// assert_eq!(result, Err(BufferError::TooSmall { needed: 6 }));
/// ```
pub fn transcode_into(
    source: Encoding,
    target: Encoding,
    bytes: &[u8],
    buffer: &mut [u8],
    options: Options,
) -> Result<usize, BufferError> {
    let route = Route::at_start(source.info().side, target.info().side, options.bom);
    let (read, written) = match begin_into(route, bytes, buffer) {
        Ok(written) => return Ok(written),
        Err(begun) => begun,
    };
    let mut transcoder = Transcoder::new(source, target, options);
    transcoder.resume_after(&bytes[..read]);
    let rest = transcoder.transcode(&bytes[read..], &mut buffer[written..], true);
    in_buffer(written, rest, || transcoded_len(source, target, bytes, options))
}

/// The number of bytes written, if a kernel converted everything; otherwise the bytes read and
/// written.
#[inline]
fn begin_into(route: Route, bytes: &[u8], buffer: &mut [u8]) -> Result<usize, (usize, usize)> {
    let Route::Pair(from, to) = route else { return Err((0, 0)) };
    let (read, written) = dispatch::active().convert(from, to, bytes, buffer);
    if read == bytes.len() { Ok(written) } else { Err((read, written)) }
}

/// The outcome of a conversion that was given the whole input and the whole buffer, following what
/// a kernel had written.
///
/// If the buffer is full, `needed` counts how large it would have to be.
fn in_buffer(
    written: usize,
    rest: Progress,
    needed: impl FnOnce() -> Result<usize, Error>,
) -> Result<usize, BufferError> {
    match rest.status {
        Status::InputEmpty => Ok(written + rest.written),
        Status::OutputFull => Err(BufferError::TooSmall { needed: needed()? }),
        Status::Error(error) => Err(BufferError::Text(error)),
    }
}

/// The exact number of bytes that [`transcode()`] would return, including replacements for errors.
///
/// Between UTF-8, UTF-16, UTF-32 and Latin-1 with a fixed byte order, this only counts, for
/// well-formed text and for ill-formed UTF-8 with U+FFFD as replacement. In all other cases, it
/// converts piece by piece into a small buffer and discards the result.
///
/// # Errors
/// As [`transcode()`].
///
/// ```
/// use utfall::{Encoding, Options, Policy, transcoded_len};
/// let options = Options::both(Policy::Replace);
/// assert_eq!(transcoded_len(Encoding::Utf8, Encoding::Utf16Le, b"a\xFF", options), Ok(4));
/// ```
pub fn transcoded_len(
    source: Encoding,
    target: Encoding,
    bytes: &[u8],
    options: Options,
) -> Result<usize, Error> {
    let (info, to_info) = (source.info(), target.info());
    let kernels = dispatch::active();
    let (mut read, mut written) = (0, 0);
    match Route::at_start(info.side, to_info.side, options.bom) {
        Route::Pair(from, to) => {
            let sound = &bytes[..kernels.prefix(from, bytes)];
            if let Some(length) = shortcut::exact_len(kernels, from, to, sound) {
                let rest = &bytes[sound.len()..];
                if rest.is_empty() {
                    return Ok(length);
                }
                if shortcut::is_lossy(info, &options)
                    && shortcut::only_replaces(to_info, &options)
                    && let Some(more) = shortcut::lossy_len(kernels, from, to, rest)
                {
                    return Ok(length + more);
                }
                (read, written) = (sound.len(), length);
            }
        }
        Route::FromUtf8 => {
            if let Some(length) = len_of_utf8(target, bytes, &options) {
                return Ok(length);
            }
        }
        _ => {}
    }
    let mut transcoder = Transcoder::new(source, target, options);
    transcoder.resume_after(&bytes[..read]);
    let mut scratch = [0; SCRATCH];
    loop {
        let progress = transcoder.transcode(&bytes[read..], &mut scratch, true);
        read += progress.read;
        written += progress.written;
        match progress.status {
            Status::InputEmpty => return Ok(written),
            Status::OutputFull => {}
            Status::Error(error) => return Err(error),
        }
    }
}

/// The length of well-formed UTF-8 in an encoding whose kernel can count it.
fn len_of_utf8(target: Encoding, bytes: &[u8], options: &Options) -> Option<usize> {
    let kernels = dispatch::active();
    let mut encoder = AnyEncoder::new(target, options);
    if kernels.utf8_prefix(bytes) < bytes.len() {
        return None;
    }
    let length = encoder.len_of_utf8(kernels, bytes)?;
    encoder.finish(&mut [0; SCRATCH]).map(|end| length + end)
}

/// The result of lossy decoding.
#[cfg(feature = "alloc")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lossy<'a> {
    /// The text. Borrowed if the bytes already were that text.
    pub text: Cow<'a, str>,
    /// How many U+FFFD were inserted.
    pub errors: u64,
}

/// Why a conversion into a buffer failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BufferError {
    /// The text is ill-formed, or cannot be encoded.
    Text(Error),
    /// The text is correct, but the buffer is too small.
    TooSmall {
        /// How many bytes it would have to have.
        needed: usize,
    },
}

impl From<Error> for BufferError {
    fn from(error: Error) -> Self {
        Self::Text(error)
    }
}

impl fmt::Display for BufferError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(error) => error.fmt(f),
            Self::TooSmall { needed } => {
                write!(f, "the buffer is too small: {needed} bytes are needed")
            }
        }
    }
}

impl core::error::Error for BufferError {}

/// The vector, if a kernel fills all of it; otherwise what it wrote and the number of bytes read.
#[cfg(feature = "alloc")]
#[inline(always)]
fn begin<T: Unit + Default>(route: Route, bytes: &[u8]) -> Result<Vec<T>, (Vec<T>, usize)> {
    let Route::Pair(from, to) = route else { return Err((Vec::new(), 0)) };
    if bytes.is_empty() {
        return Ok(Vec::new());
    }
    let kernels = dispatch::active();
    let room = shortcut::room(kernels, from, to, bytes) / size_of::<T>();
    let (begun, read) = text::to_vec(kernels, from, to, bytes, room);
    if read == bytes.len() { Ok(begun) } else { Err((begun, read)) }
}

/// Runs a stream to its end, or to its first error. The output grows after what a kernel wrote.
#[cfg(feature = "alloc")]
fn collect<S, T: Copy + Default>(
    mut out: Vec<T>,
    src: &[S],
    mut run: impl FnMut(&[S], &mut [T]) -> Progress,
) -> (Vec<T>, Option<Error>) {
    let begun = out.len();
    let (mut read, mut written) = (0, begun);
    out.resize(begun + src.len() + 16, T::default());
    let error = loop {
        let progress = run(&src[read..], &mut out[written..]);
        read += progress.read;
        written += progress.written;
        match progress.status {
            Status::InputEmpty => break None,
            Status::Error(error) => break Some(error),
            Status::OutputFull => {
                out.resize(written + more(src.len(), read, written - begun), T::default());
            }
        }
    };
    out.truncate(written);
    (out, error)
}

/// How much to grow the output: in proportion to the rest of the input.
#[cfg(feature = "alloc")]
fn more(length: usize, read: usize, written: usize) -> usize {
    (length - read) * (written / read.max(1) + 1) + 32
}

/// The result of a strict conversion to UTF-8 as a string.
#[cfg(feature = "alloc")]
fn string(bytes: Vec<u8>) -> String {
    text::into_string(dispatch::active(), bytes)
        .unwrap_or_else(|bytes| String::from_utf8_lossy(&bytes).into_owned())
}
