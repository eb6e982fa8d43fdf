//! All of a text in one call.

#[cfg(feature = "alloc")]
use alloc::{borrow::Cow, string::String, vec, vec::Vec};
use core::fmt;

use utfall_simd::{dispatch, text};

use crate::codec::{Decode, DecodeStop};
use crate::encoding::{AnyDecoder, AnyEncoder};
use crate::{Bom, Encoder, Encoding, Error, Options, Progress, Status, Transcoder, shortcut};
#[cfg(feature = "alloc")]
use crate::{Decoder, Policy};

impl Encoding {
    /// Checks that `octets` are well-formed in this encoding.
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
    pub fn validate(self, octets: &[u8]) -> Result<(), Error> {
        let kernels = dispatch::active();
        let decoder = AnyDecoder::new(self, &Options::default());
        match decoder.form() {
            Some(form) if kernels.prefix(form, octets) == octets.len() => Ok(()),
            _ => self.find_error(decoder, octets),
        }
    }

    /// The first ill-formed sequence.
    fn find_error(self, mut decoder: AnyDecoder, octets: &[u8]) -> Result<(), Error> {
        let kernels = dispatch::active();
        let mut block = [0; 512];
        let mut at = 0;
        loop {
            if let Some(form) = decoder.form() {
                at += kernels.prefix(form, &octets[at..]);
            }
            let decoded = decoder.decode(&octets[at..], &mut block, true);
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
                    });
                }
            }
        }
    }

    /// Decodes to a string. Borrowed if the octets are that string already.
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
    pub fn decode(self, octets: &[u8]) -> Result<Cow<'_, str>, Error> {
        self.decode_with(octets, Options::default())
    }

    /// Decodes to a string, with U+FFFD for each ill-formed sequence and for each code point
    /// that a `str` cannot hold.
    ///
    /// ```
    /// use utfall::Encoding;
    /// let lossy = Encoding::Utf8.decode_lossy(b"a\xE2\x98b");
    /// assert_eq!((&*lossy.text, lossy.errors), ("a\u{FFFD}b", 1));
    /// ```
    #[cfg(feature = "alloc")]
    #[must_use]
    pub fn decode_lossy(self, octets: &[u8]) -> Lossy<'_> {
        if let Some(text) = self.as_str(octets, Options::default()) {
            return Lossy { text: Cow::Borrowed(text), errors: 0 };
        }
        let mut transcoder = Transcoder::new(self, Self::Utf8, Options::both(Policy::Replace));
        let (converted, _) = collect(octets, |src, dst| transcoder.transcode(src, dst, true));
        let errors = transcoder.ill_formed() + transcoder.unencodable();
        Lossy { text: Cow::Owned(string(converted)), errors }
    }

    /// Decodes to a string, as `options` say.
    ///
    /// # Errors
    /// As [`Encoding::decode`], where the policies are to stop.
    ///
    /// ```
    /// use utfall::{Encoding, Escape, Options, Policy};
    /// let options = Options::both(Policy::Escape(Escape::Braces));
    /// assert_eq!(Encoding::Utf8.decode_with(b"a\xFF", options)?, r"a\xff");
    /// # Ok::<(), utfall::Error>(())
    /// ```
    #[cfg(feature = "alloc")]
    pub fn decode_with(self, octets: &[u8], options: Options) -> Result<Cow<'_, str>, Error> {
        if let Some(text) = self.as_str(octets, options) {
            return Ok(Cow::Borrowed(text));
        }
        let mut transcoder = Transcoder::new(self, Self::Utf8, options);
        let (converted, error) = collect(octets, |src, dst| transcoder.transcode(src, dst, true));
        match error {
            Some(error) => Err(error),
            None => match text::into_string(dispatch::active(), converted) {
                Ok(text) => Ok(Cow::Owned(text)),
                // Only octets that surrogate escapes put back make it ill-formed UTF-8.
                Err(octets) => Err(Self::Utf8.validate(&octets).err().unwrap_or(Error {
                    encoding: Self::Utf8,
                    offset: 0,
                    length: 0,
                    kind: crate::ErrorKind::InvalidOctet,
                })),
            },
        }
    }

    /// `octets` as they are, if they are UTF-8 and mean the same text in this encoding.
    #[cfg(feature = "alloc")]
    fn as_str(self, octets: &[u8], options: Options) -> Option<&str> {
        let unchanged = match self {
            Self::Utf8 => matches!(options.bom, Bom::Auto | Bom::Keep),
            _ => {
                self.info().ascii_transparent
                    && self.info().cut == crate::Cut::Character
                    && options.bom != Bom::Add
                    && dispatch::active().ascii_prefix(octets) == octets.len()
            }
        };
        text::as_str(dispatch::active(), octets).ok().filter(|_| unchanged)
    }

    /// Encodes a string. Borrowed if the octets are that string already.
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
    pub fn encode(self, text: &str) -> Result<Cow<'_, [u8]>, Error> {
        self.encode_with(text, Options::default())
    }

    /// Encodes a string, as `options` say.
    ///
    /// # Errors
    /// As [`Encoding::encode`], where the policy is to stop.
    ///
    /// ```
    /// use utfall::{Encoding, Escape, Options, Policy};
    /// let options = Options::both(Policy::Escape(Escape::Xml));
    /// assert_eq!(&*Encoding::UsAscii.encode_with("5 €", options)?, b"5 &#8364;");
    /// # Ok::<(), utfall::Error>(())
    /// ```
    #[cfg(feature = "alloc")]
    pub fn encode_with(self, text: &str, options: Options) -> Result<Cow<'_, [u8]>, Error> {
        if self.as_str(text.as_bytes(), options).is_some() {
            return Ok(Cow::Borrowed(text.as_bytes()));
        }
        let mut encoder = Encoder::new(self, options);
        let (mut octets, mut read) = (vec![0; text.len() + 16], 0);
        let mut written = 0;
        loop {
            let progress = encoder.encode_str(&text[read..], &mut octets[written..], true);
            read += progress.read;
            written += progress.written;
            match progress.status {
                Status::InputEmpty => break,
                Status::Error(error) => return Err(error),
                Status::OutputFull => octets.resize(written + more(text.len(), read, written), 0),
            }
        }
        octets.truncate(written);
        Ok(Cow::Owned(octets))
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
    pub fn decode_to_utf16(self, octets: &[u8]) -> Result<Vec<u16>, Error> {
        let mut decoder = Decoder::new(self, Options::default());
        let (units, error) = collect(octets, |src, dst| decoder.decode_to_utf16(src, dst, true));
        error.map_or(Ok(units), Err)
    }

    /// Encodes UTF-16 code units.
    ///
    /// # Errors
    /// The first unpaired surrogate, or the first code point that the encoding lacks. Offset
    /// and length are code units.
    ///
    /// ```
    /// use utfall::Encoding;
    /// assert_eq!(Encoding::Utf8.encode_utf16(&[0xD83D, 0xDE00])?, "😀".as_bytes());
    /// assert_eq!(Encoding::Utf8.encode_utf16(&[0x61, 0xD83D]).unwrap_err().offset(), 1);
    /// # Ok::<(), utfall::Error>(())
    /// ```
    #[cfg(feature = "alloc")]
    pub fn encode_utf16(self, units: &[u16]) -> Result<Vec<u8>, Error> {
        let mut encoder = Encoder::new(self, Options::default());
        let (octets, error) = collect(units, |src, dst| encoder.encode_utf16(src, dst, true));
        error.map_or(Ok(octets), Err)
    }

    /// Decodes into the caller's buffer, and gives the string that was written.
    ///
    /// # Errors
    /// As [`Encoding::decode`], or [`BufferError::TooSmall`]; [`transcoded_len`] tells how
    /// much room is enough.
    ///
    /// ```
    /// let mut buffer = [0; 8];
    /// assert_eq!(utfall::Encoding::Utf16Le.decode_into(b"a\0", &mut buffer), Ok("a"));
    /// ```
    pub fn decode_into<'b>(
        self,
        octets: &[u8],
        buffer: &'b mut [u8],
    ) -> Result<&'b str, BufferError> {
        let length = transcode_into(self, Self::Utf8, octets, buffer, Options::default())?;
        // Strict conversion to UTF-8 is UTF-8; what a defect here would cost is an empty string.
        Ok(text::as_str(dispatch::active(), &buffer[..length]).unwrap_or_default())
    }

    /// Encodes into the caller's buffer, and returns how many octets were written.
    ///
    /// # Errors
    /// As [`Encoding::encode`], or [`BufferError::TooSmall`].
    ///
    /// ```
    /// let mut buffer = [0; 8];
    /// assert_eq!(utfall::Encoding::Utf16Le.encode_into("a", &mut buffer), Ok(2));
    /// ```
    pub fn encode_into(self, text: &str, buffer: &mut [u8]) -> Result<usize, BufferError> {
        let progress = Encoder::new(self, Options::default()).encode_str(text, buffer, true);
        in_buffer(progress)
    }
}

/// Converts octets from one encoding to another. Borrowed if nothing changes.
///
/// # Errors
/// The first ill-formed sequence or code point that cannot be encoded, where the policies
/// are to stop.
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
    octets: &[u8],
    options: Options,
) -> Result<Cow<'_, [u8]>, Error> {
    if source.as_str(octets, options).is_some() && target.as_str(octets, options).is_some() {
        return Ok(Cow::Borrowed(octets));
    }
    let mut transcoder = Transcoder::new(source, target, options);
    let (converted, error) = collect(octets, |src, dst| transcoder.transcode(src, dst, true));
    error.map_or(Ok(Cow::Owned(converted)), Err)
}

/// Converts octets into the caller's buffer, and returns how many were written.
///
/// # Errors
/// As [`transcode()`], or [`BufferError::TooSmall`].
///
/// ```
/// use utfall::{BufferError, Encoding, Options, transcode_into};
/// let mut buffer = [0; 2];
/// let result = transcode_into(Encoding::Utf8, Encoding::Utf16Le, b"abc", &mut buffer, Options::default());
/// assert_eq!(result, Err(BufferError::TooSmall));
/// ```
pub fn transcode_into(
    source: Encoding,
    target: Encoding,
    octets: &[u8],
    buffer: &mut [u8],
    options: Options,
) -> Result<usize, BufferError> {
    in_buffer(Transcoder::new(source, target, options).transcode(octets, buffer, true))
}

/// The outcome of a conversion that had all of the input and all of the room.
fn in_buffer(progress: Progress) -> Result<usize, BufferError> {
    match progress.status {
        Status::InputEmpty => Ok(progress.written),
        Status::OutputFull => Err(BufferError::TooSmall),
        Status::Error(error) => Err(BufferError::Text(error)),
    }
}

/// How many octets [`transcode()`] would give, exactly, errors and policies included.
///
/// Between UTF-8, UTF-16, UTF-32 and Latin-1 in a fixed byte order, well-formed text is only
/// counted; everything else is converted into a small buffer and thrown away.
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
    octets: &[u8],
    options: Options,
) -> Result<u64, Error> {
    if matches!(options.bom, Bom::Auto | Bom::Keep) {
        let kernels = dispatch::active();
        let decoder = AnyDecoder::new(source, &options);
        let encoder = AnyEncoder::new(target, &options);
        let forms = shortcut::find((source.info(), &decoder), (target.info(), &encoder));
        if let Some((from, to)) = forms
            && kernels.prefix(from, octets) == octets.len()
            && let Some(length) = shortcut::exact_len(kernels, from, to, octets)
        {
            return Ok(length as u64);
        }
    }
    let mut transcoder = Transcoder::new(source, target, options);
    let mut scratch = [0; 4096];
    let (mut read, mut written) = (0, 0);
    loop {
        let progress = transcoder.transcode(&octets[read..], &mut scratch, true);
        read += progress.read;
        written += progress.written as u64;
        match progress.status {
            Status::InputEmpty => return Ok(written),
            Status::OutputFull => {}
            Status::Error(error) => return Err(error),
        }
    }
}

/// A lossy decoding.
#[cfg(feature = "alloc")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lossy<'a> {
    /// The text. Borrowed if the octets were that text already.
    pub text: Cow<'a, str>,
    /// How many U+FFFD were put in.
    pub errors: u64,
}

/// Why a conversion into a buffer failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BufferError {
    /// Something is wrong with the text.
    Text(Error),
    /// Nothing is wrong with the text; the buffer is too small.
    TooSmall,
}

impl fmt::Display for BufferError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(error) => error.fmt(f),
            Self::TooSmall => f.write_str("the buffer is too small"),
        }
    }
}

impl core::error::Error for BufferError {}

/// Runs a stream to its end, or to its first error, into a growing vector.
#[cfg(feature = "alloc")]
fn collect<S, T: Copy + Default>(
    src: &[S],
    mut run: impl FnMut(&[S], &mut [T]) -> Progress,
) -> (Vec<T>, Option<Error>) {
    let mut out = vec![T::default(); src.len() + 16];
    let (mut read, mut written) = (0, 0);
    let error = loop {
        let progress = run(&src[read..], &mut out[written..]);
        read += progress.read;
        written += progress.written;
        match progress.status {
            Status::InputEmpty => break None,
            Status::Error(error) => break Some(error),
            Status::OutputFull => {
                out.resize(written + more(src.len(), read, written), T::default());
            }
        }
    };
    out.truncate(written);
    (out, error)
}

/// How much more output to make room for: as much for the rest of the input as for what was
/// read.
#[cfg(feature = "alloc")]
fn more(length: usize, read: usize, written: usize) -> usize {
    (length - read) * (written / read.max(1) + 1) + 32
}

/// A string of what a strict conversion to UTF-8 gave.
#[cfg(feature = "alloc")]
fn string(octets: Vec<u8>) -> String {
    text::into_string(dispatch::active(), octets)
        .unwrap_or_else(|octets| String::from_utf8_lossy(&octets).into_owned())
}
