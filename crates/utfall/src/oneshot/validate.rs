//! Validation of a whole text.

use utfall_simd::{dispatch, text};

use crate::charset::Charset;
use crate::codec::ascii::UsAscii;
use crate::codec::utf8::{self, Utf8};
use crate::codec::utf16::{Utf16Be, Utf16Le};
use crate::codec::{Codec, Decode, DecodeStop, Ill, Next};
use crate::encoding::AnyDecoder;
use crate::engine::{SCRATCH, SMALL_BLOCK, SMALL_SCRATCH};
use crate::route::{Route, Side};
use crate::{Encoding, Error, Options};

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
            _ => match self.info().side {
                Side::Plain(form) => dispatch::active().prefix(form, bytes),
                Side::Charset(Charset::SingleByte(table)) if cfg!(feature = "legacy") => {
                    dispatch::active().table_prefix(table, bytes)
                }
                _ => return self.find_error(bytes, 0),
            },
        };
        if sound == bytes.len() { Ok(()) } else { self.find_error(bytes, sound) }
    }

    /// The ill-formed sequence that begins at `at`, a boundary, in an encoding without a state.
    /// A stream finds the same sequence. For a short text, setting it up takes longer than the
    /// conversion.
    #[inline(never)]
    pub(super) fn error_at(self, bytes: &[u8], at: usize, options: &Options) -> Option<Error> {
        let rest = bytes.get(at..)?;
        let next = match self {
            Self::Utf8 => Utf8::decoder(options).next(rest, true),
            Self::UsAscii => UsAscii::decoder(options).next(rest, true),
            Self::Utf16Le => Utf16Le::decoder(options).next(rest, true),
            Self::Utf16Be => Utf16Be::decoder(options).next(rest, true),
            _ if matches!(self.info().side, Side::Plain(_)) => {
                AnyDecoder::new(self, options).next(rest, true)
            }
            _ => return None,
        };
        match next {
            Next::Ill(ill) => Some(self.error_of(at, ill)),
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
    pub(super) fn find_error(self, bytes: &[u8], sound: usize) -> Result<(), Error> {
        let rest = bytes.get(sound..).unwrap_or_default();
        match self {
            Self::Utf8 => {
                if let Some(ill) = utf8::ill_formed(rest) {
                    return Err(self.error_of(sound, ill));
                }
            }
            Self::UsAscii => {
                if let Next::Ill(ill) = UsAscii::decoder(STRICT).next(rest, true) {
                    return Err(self.error_of(sound, ill));
                }
            }
            _ => {}
        }
        self.find_any_error(bytes, sound)
    }

    #[inline(never)]
    fn find_any_error(self, bytes: &[u8], sound: usize) -> Result<(), Error> {
        if let Some(error) = self.error_at(bytes, sound, STRICT) {
            return Err(error);
        }
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
