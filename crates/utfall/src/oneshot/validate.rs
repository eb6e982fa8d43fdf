//! Validation of a whole text.

use utfall_simd::{dispatch, text};

use crate::charset::Charset;
use crate::codec::ascii::UsAscii;
use crate::codec::{Codec, Decode, DecodeStop, Ill, Next, utf8, utf16, utf32};
use crate::encoding::AnyDecoder;
use crate::engine::{SCRATCH, SMALL_BLOCK, SMALL_SCRATCH};
use crate::route::{Route, Side};
use crate::{Encoding, Error, Granularity, Options, Policy};

/// The default options, which need not be made anew for each error.
pub(super) const STRICT: &Options = &Options::strict();

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
            Self::UsAscii => text::ascii_prefix(dispatch::active, bytes),
            _ => return self.validate_other(bytes),
        };
        if sound == bytes.len() { Ok(()) } else { self.find_error(bytes, sound) }
    }

    #[inline(never)]
    fn validate_other(self, bytes: &[u8]) -> Result<(), Error> {
        let sound = match self.info().side {
            Side::Plain(form) => dispatch::active().prefix(form, bytes),
            Side::Charset(Charset::SingleByte(table)) if cfg!(feature = "legacy") => {
                dispatch::active().table_prefix(table, bytes)
            }
            _ => 0,
        };
        if sound == bytes.len() { Ok(()) } else { self.find_error(bytes, sound) }
    }

    /// The sequence at the start of `src`, the end of a text. [`Next::End`] for encodings that no
    /// kernel checks.
    // Inlined, like all it calls. Otherwise the result goes through memory, and to read it back in
    // other pieces than it was written in takes longer than to find it.
    #[inline(always)]
    pub(super) fn at_end(self, src: &[u8]) -> Next {
        match self {
            Self::Utf8 => utf8::at_end(src),
            Self::UsAscii => UsAscii::decoder(STRICT).next(src, true),
            Self::Utf16Le => utf16::at_end::<true>(src),
            Self::Utf16Be => utf16::at_end::<false>(src),
            Self::Utf32Le => utf32::at_end::<true>(src),
            Self::Utf32Be => utf32::at_end::<false>(src),
            _ => Next::End,
        }
    }

    /// The error at `at`, a boundary, if an ill-formed sequence begins there, and `options` are to
    /// stop at it. A stream finds the same one. For a short text, setting it up takes longer than
    /// the conversion.
    #[inline]
    pub(super) fn error_at(self, bytes: &[u8], at: usize, options: &Options) -> Option<Error> {
        let is_simple = options.on_ill_formed == Policy::Strict
            && options.granularity == Granularity::MaximalSubpart
            && Route::is_by_names(options);
        match self.at_end(bytes.get(at..)?) {
            Next::Ill(ill) if is_simple => Some(self.error_of(at, ill)),
            _ => None,
        }
    }

    /// The error for an ill-formed sequence that the decoder finds at `at`.
    #[inline(always)]
    fn error_of(self, at: usize, ill: Ill) -> Error {
        Error {
            encoding: self,
            offset: (at + ill.consumed - ill.back) as u64,
            length: ill.length as u32,
            kind: ill.kind,
            run_bit: ill.run_bit,
        }
    }

    /// The first ill-formed sequence. The first `sound` bytes have none.
    #[inline(never)]
    pub(crate) fn find_error(self, bytes: &[u8], sound: usize) -> Result<(), Error> {
        if let Next::Ill(ill) = self.at_end(bytes.get(sound..).unwrap_or_default()) {
            return Err(self.error_of(sound, ill));
        }
        self.find_any_error(bytes, sound)
    }

    #[inline(never)]
    fn find_any_error(self, bytes: &[u8], sound: usize) -> Result<(), Error> {
        // For short texts, clearing a large buffer would take longer than the check itself.
        match bytes.len() - sound <= SMALL_BLOCK {
            true => self.find_error_by::<SMALL_BLOCK, SMALL_SCRATCH>(bytes, sound),
            false => self.find_error_by::<512, SCRATCH>(bytes, sound),
        }
    }

    #[inline(never)]
    fn find_error_by<const POINTS: usize, const BYTES: usize>(
        self,
        bytes: &[u8],
        sound: usize,
    ) -> Result<(), Error> {
        let kernels = dispatch::active();
        let mut decoder = AnyDecoder::new(self, STRICT);
        let (mut block, mut scratch) = ([0; POINTS], [0; BYTES]);
        let mut at = sound;
        loop {
            match Route::new(decoder.side(), Side::Discarded) {
                Route::Check(form) => at += kernels.prefix(form, &bytes[at..]),
                Route::CheckCharset(charset) => {
                    at += charset.prefix(kernels, &bytes[at..], &mut scratch);
                }
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
}
