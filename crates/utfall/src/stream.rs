//! Text of any length in bounded memory. Pass the input in pieces of any size and receive the
//! output in pieces of any size. Output, errors and offsets do not depend on how either is split.

#[cfg(feature = "std")]
pub mod filter;
#[cfg(feature = "std")]
pub mod io;
#[cfg(feature = "std")]
pub mod parallel;

use core::fmt;

use utfall_simd::units;

use crate::codec::units::{Kind, Reader, Writer};
use crate::encoding::{AnyDecoder, AnyEncoder};
use crate::engine::Engine;
use crate::lines::Position;
use crate::{Action, Bom, Counts, Encoding, Error, Options, Progress, Status};

/// Converts bytes from one encoding to another.
///
/// ```
/// use utfall::{Encoding, Options, Status, Transcoder};
/// let mut transcoder = Transcoder::new(Encoding::Utf8, Encoding::Utf16Be, Options::default());
/// let mut out = [0; 16];
/// // "é", split between two calls.
/// let first = transcoder.transcode(b"\xC3", &mut out, false);
/// assert_eq!((first.read, first.written, first.status), (1, 0, Status::InputEmpty));
/// let second = transcoder.transcode(b"\xA9", &mut out, true);
/// assert_eq!(&out[..second.written], b"\0\xE9");
/// ```
pub struct Transcoder<'h> {
    engine: Engine<'h, AnyDecoder, AnyEncoder>,
}

impl<'h> Transcoder<'h> {
    /// A stream from `source` to `target`.
    #[must_use]
    pub fn new(source: Encoding, target: Encoding, options: Options) -> Self {
        Self { engine: Engine::new(source, target, options) }
    }

    /// Continues after `src`, which a kernel has converted; see [`Engine::resume_after`].
    pub(crate) fn resume_after(&mut self, src: &[u8]) {
        self.engine.resume_after(src);
    }

    /// Calls `handler` at every error, on both sides, instead of applying the policies. Its
    /// arguments are the error and the bytes of the ill-formed sequence (none for a code point that
    /// cannot be encoded). It must be [`Send`], because the transcoder is.
    ///
    /// ```
    /// use utfall::{Action, Encoding, Options, Substitute, Transcoder};
    /// let mut seen = 0;
    /// let mut handler = |_: &utfall::Error, bytes: &[u8]| {
    ///     seen += bytes.len();
    ///     Action::Substitute(Substitute::new("<?>").unwrap())
    /// };
    /// let mut transcoder = Transcoder::new(Encoding::Utf8, Encoding::Utf8, Options::default())
    ///     .on_error(&mut handler);
    /// let mut out = [0; 16];
    /// let progress = transcoder.transcode(b"a\xFFb", &mut out, true);
    /// assert_eq!(&out[..progress.written], b"a<?>b");
    /// ```
    #[must_use]
    pub fn on_error(
        mut self,
        handler: &'h mut (dyn FnMut(&Error, &[u8]) -> Action + Send + 'h),
    ) -> Self {
        self.engine.set_handler(handler);
        self
    }

    /// A transcoder that continues from the same place, without the callback.
    ///
    /// ```
    /// use utfall::{Encoding, Options, Transcoder};
    /// let mut transcoder = Transcoder::new(Encoding::Utf8, Encoding::Utf7, Options::default());
    /// let (mut out, mut other) = ([0; 16], [0; 16]);
    /// let begun = transcoder.transcode("日".as_bytes(), &mut out, false).written;
    /// let mut fork = transcoder.fork();
    /// let one = transcoder.transcode("本".as_bytes(), &mut out[begun..], true).written;
    /// assert_eq!(&out[..begun + one], b"+ZeVnLA-");
    /// let two = fork.transcode(b"!", &mut other, true).written;
    /// assert_eq!([&out[..begun], &other[..two]].concat(), b"+ZeU!");
    /// ```
    #[must_use]
    pub fn fork(&self) -> Transcoder<'static> {
        Transcoder { engine: self.engine.fork() }
    }

    /// Counts lines and columns, for [`Transcoder::error_position`].
    #[must_use]
    pub fn track_position(mut self) -> Self {
        self.engine.track_position();
        self
    }

    /// The encodings, source first.
    #[must_use]
    pub fn encodings(&self) -> (Encoding, Encoding) {
        self.engine.encodings()
    }

    /// Declares whether another text follows in the same output, with [`Transcoder::next_text`]. If
    /// so, the end of this text does not end the output: a shifted run stays open.
    pub fn set_output_goes_on(&mut self, goes_on: bool) {
        self.engine.set_output_goes_on(goes_on);
    }

    /// Begins another text in the same output: `source` is its encoding, and offsets and positions
    /// start again. `bom` is for the BOM this text may begin with.
    ///
    /// ```
    /// use utfall::{Bom, Encoding, Options, Transcoder};
    /// let mut transcoder = Transcoder::new(Encoding::Utf8, Encoding::Utf7, Options::default());
    /// let mut out = [0; 16];
    /// transcoder.set_output_goes_on(true);
    /// let first = transcoder.transcode("日本".as_bytes(), &mut out, true).written;
    /// transcoder.next_text(Encoding::Utf16, Bom::Auto);
    /// transcoder.set_output_goes_on(false);
    /// let second = transcoder.transcode(b"\xFF\xFE\x9E\x8A", &mut out[first..], true).written;
    /// assert_eq!(&out[..first + second], b"+ZeVnLIqe-");
    /// ```
    pub fn next_text(&mut self, source: Encoding, bom: Bom) {
        self.engine.next_text(source, bom);
    }

    /// Converts bytes from `src` to `dst`. `last` means that nothing follows `src`. In that case,
    /// call again with the unread rest until the status is `InputEmpty`.
    ///
    /// `read` and `written` are in bytes. Only whole characters are written.
    ///
    /// # Errors
    /// As [`Status::Error`], if the policy is to stop; see [`Progress`].
    pub fn transcode(&mut self, src: &[u8], dst: &mut [u8], last: bool) -> Progress {
        self.engine.run(src, dst, last)
    }

    /// The line and column of the last error, if enabled by [`Transcoder::track_position`].
    #[must_use]
    pub fn error_position(&self) -> Option<Position> {
        self.engine.error_position()
    }

    /// How many line ends there were, if the position is tracked.
    #[cfg(feature = "std")]
    pub(crate) fn lines(&self) -> u64 {
        self.engine.position().map_or(0, |position| position.line - 1)
    }

    /// How many errors there have been so far, and what became of them.
    ///
    /// ```
    /// use utfall::{Encoding, Options, Transcoder, Utf7Tolerance};
    /// let utf7_tolerance = Utf7Tolerance::CONTROLS | Utf7Tolerance::BACKSLASH_TILDE;
    /// let options = Options::default().with_utf7_tolerance(utf7_tolerance);
    /// let mut transcoder = Transcoder::new(Encoding::Utf7, Encoding::Utf8, options);
    /// let mut out = [0; 16];
    /// let progress = transcoder.transcode(b"~/~/x", &mut out, true);
    /// assert_eq!(&out[..progress.written], b"~/~/x");
    /// let counts = transcoder.counts();
    /// assert_eq!(counts.tolerated, 2);
    /// assert!(counts.tolerance.names().eq(["backslash-tilde"]));
    /// ```
    #[must_use]
    pub fn counts(&self) -> Counts {
        self.engine.counts()
    }
}

/// Decodes bytes to text in memory: UTF-8, UTF-16 code units, or code points.
///
/// Use the same `decode_to_…` method, or [`Decoder::validate`], for the whole stream.
///
/// ```
/// use utfall::{Decoder, Encoding, Options};
/// let mut decoder = Decoder::new(Encoding::Utf7, Options::default());
/// let mut units = [0_u16; 8];
/// let progress = decoder.decode_to_utf16(b"+2D3eAA-", &mut units, true);
/// assert_eq!(&units[..progress.written], [0xD83D, 0xDE00]);
/// ```
pub struct Decoder<'h> {
    engine: Engine<'h, AnyDecoder, Writer>,
}

impl<'h> Decoder<'h> {
    /// A stream of `encoding`.
    #[must_use]
    pub fn new(encoding: Encoding, options: Options) -> Self {
        let options = options.into_text();
        let engine = Engine::with(
            encoding,
            AnyDecoder::new(encoding, &options),
            Encoding::Utf8,
            Writer::new(Kind::Str, &options),
            options,
        );
        Self { engine }
    }

    /// As [`Transcoder::resume_after`].
    #[cfg(feature = "alloc")]
    pub(crate) fn resume_after(&mut self, src: &[u8]) {
        self.engine.resume_after(src);
    }

    /// As [`Transcoder::on_error`].
    #[must_use]
    pub fn on_error(
        mut self,
        handler: &'h mut (dyn FnMut(&Error, &[u8]) -> Action + Send + 'h),
    ) -> Self {
        self.engine.set_handler(handler);
        self
    }

    /// A decoder that continues from the same place, without the callback. Use it to decode the
    /// same input again, for example more slowly and up to a particular code point.
    ///
    /// ```
    /// use utfall::{Decoder, Encoding, Options};
    /// let mut decoder = Decoder::new(Encoding::Utf8, Options::default());
    /// let mut before = decoder.fork();
    /// let mut points = [0; 8];
    /// let all = decoder.decode_to_code_points("a€b".as_bytes(), &mut points, true);
    /// assert_eq!((all.written, decoder.offset()), (3, 5));
    /// let some = before.decode_to_code_points("a€b".as_bytes(), &mut points[..2], true);
    /// assert_eq!((some.written, before.offset()), (2, 4));
    /// ```
    #[must_use]
    pub fn fork(&self) -> Decoder<'static> {
        Decoder { engine: self.engine.fork() }
    }

    /// The offset of the next byte to decode. Bytes of an incomplete sequence that have been read
    /// already do not count as decoded.
    #[must_use]
    pub fn offset(&self) -> u64 {
        self.engine.offset()
    }

    /// As [`Transcoder::track_position`].
    #[must_use]
    pub fn track_position(mut self) -> Self {
        self.engine.track_position();
        self
    }

    /// As [`Transcoder::error_position`].
    #[must_use]
    pub fn error_position(&self) -> Option<Position> {
        self.engine.error_position()
    }

    /// As [`Transcoder::counts`].
    #[must_use]
    pub fn counts(&self) -> Counts {
        self.engine.counts()
    }

    /// Decodes to UTF-8. Only whole characters are written. Code points that UTF-8 lacks
    /// (surrogates, and values above 10FFFF) are reported as unencodable.
    pub fn decode_to_utf8(&mut self, src: &[u8], dst: &mut [u8], last: bool) -> Progress {
        self.decode_to(Kind::Str, src, dst, last)
    }

    /// Decodes to UTF-16. `written` counts code units.
    pub fn decode_to_utf16(&mut self, src: &[u8], dst: &mut [u16], last: bool) -> Progress {
        let progress = self.decode_to(Kind::Utf16, src, units::bytes_mut(dst), last);
        Progress { written: progress.written / 2, ..progress }
    }

    /// Decodes to code points. `written` counts them. Preserves surrogates and values up to
    /// 7FFFFFFF if the encoding has them.
    ///
    /// ```
    /// use utfall::{Decoder, Encoding, Options};
    /// let mut decoder = Decoder::new(Encoding::Utf8Perl, Options::default());
    /// let mut points = [0; 4];
    /// let progress = decoder.decode_to_code_points(b"a\xED\xA0\x80", &mut points, true);
    /// assert_eq!(&points[..progress.written], [0x61, 0xD800]);
    /// ```
    pub fn decode_to_code_points(&mut self, src: &[u8], dst: &mut [u32], last: bool) -> Progress {
        let progress = self.decode_to(Kind::Points, src, units::bytes_mut(dst), last);
        Progress { written: progress.written / 4, ..progress }
    }

    /// Decodes without writing anything. Errors, positions and counts are those of
    /// [`Decoder::decode_to_code_points`].
    ///
    /// ```
    /// use utfall::{Decoder, Encoding, Options, Status};
    /// let mut decoder = Decoder::new(Encoding::Utf8, Options::default());
    /// assert_eq!(decoder.validate(b"ab\xE2\x98", false).status, Status::InputEmpty);
    /// let progress = decoder.validate(b"\xBAc\xFFd", true);
    /// let Status::Error(error) = progress.status else { panic!() };
    /// assert_eq!((error.offset(), progress.read), (6, 3));
    /// ```
    pub fn validate(&mut self, src: &[u8], last: bool) -> Progress {
        self.decode_to(Kind::Nothing, src, &mut [], last)
    }

    fn decode_to(&mut self, kind: Kind, src: &[u8], dst: &mut [u8], last: bool) -> Progress {
        let writer = Writer::new(kind, self.engine.options());
        self.engine.set_sink(kind.encoding(), writer);
        self.engine.run(src, dst, last)
    }
}

/// Encodes text in memory to bytes: from `str`, UTF-16 code units, or code points.
///
/// Use the same `encode_…` method for the whole stream. In errors, offset and length are in units
/// of the input: bytes, code units, or code points.
///
/// ```
/// use utfall::{Encoder, Encoding, Options};
/// let mut encoder = Encoder::new(Encoding::Utf7, Options::default());
/// let mut out = [0; 16];
/// let progress = encoder.encode_str("日本語", &mut out, true);
/// assert_eq!(&out[..progress.written], b"+ZeVnLIqe-");
/// ```
pub struct Encoder<'h> {
    engine: Engine<'h, Reader, AnyEncoder>,
}

impl<'h> Encoder<'h> {
    /// A stream of `encoding`.
    #[must_use]
    pub fn new(encoding: Encoding, options: Options) -> Self {
        let mut engine = Engine::with(
            Encoding::Utf8,
            Reader::new(Kind::Str, &options),
            encoding,
            AnyEncoder::new(encoding, &options),
            options,
        );
        engine.read_memory();
        Self { engine }
    }

    /// As [`Transcoder::resume_after`].
    pub(crate) fn resume_after(&mut self, src: &[u8]) {
        self.engine.resume_after(src);
    }

    /// As [`Transcoder::on_error`].
    #[must_use]
    pub fn on_error(
        mut self,
        handler: &'h mut (dyn FnMut(&Error, &[u8]) -> Action + Send + 'h),
    ) -> Self {
        self.engine.set_handler(handler);
        self
    }

    /// As [`Transcoder::fork`].
    #[must_use]
    pub fn fork(&self) -> Encoder<'static> {
        Encoder { engine: self.engine.fork() }
    }

    /// As [`Transcoder::counts`].
    #[must_use]
    pub fn counts(&self) -> Counts {
        self.engine.counts()
    }

    /// Encodes a string.
    pub fn encode_str(&mut self, src: &str, dst: &mut [u8], last: bool) -> Progress {
        self.encode_bytes(src.as_bytes(), dst, last)
    }

    /// Encodes UTF-8 in pieces that need not be valid strings themselves.
    pub(crate) fn encode_bytes(&mut self, src: &[u8], dst: &mut [u8], last: bool) -> Progress {
        self.encode_from(Kind::Str, src, dst, last)
    }

    /// Encodes UTF-16. A surrogate pair may be split between calls; an unpaired surrogate is
    /// ill-formed input. `read` counts code units.
    pub fn encode_utf16(&mut self, src: &[u16], dst: &mut [u8], last: bool) -> Progress {
        in_units(self.encode_from(Kind::Utf16, units::bytes(src), dst, last), 2)
    }

    /// Encodes code points with any value up to 7FFFFFFF. `read` counts them.
    pub fn encode_code_points(&mut self, src: &[u32], dst: &mut [u8], last: bool) -> Progress {
        in_units(self.encode_from(Kind::Points, units::bytes(src), dst, last), 4)
    }

    fn encode_from(&mut self, kind: Kind, src: &[u8], dst: &mut [u8], last: bool) -> Progress {
        let reader = Reader::new(kind, self.engine.options());
        self.engine.set_decoder(kind.encoding(), reader);
        self.engine.run(src, dst, last)
    }
}

impl fmt::Debug for Transcoder<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Transcoder").field("encodings", &self.encodings()).finish_non_exhaustive()
    }
}

impl fmt::Debug for Decoder<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (source, _) = self.engine.encodings();
        f.debug_struct("Decoder").field("encoding", &source).finish_non_exhaustive()
    }
}

impl fmt::Debug for Encoder<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (_, target) = self.engine.encodings();
        f.debug_struct("Encoder").field("encoding", &target).finish_non_exhaustive()
    }
}

/// Converts progress from bytes to units of `size` bytes of input.
fn in_units(progress: Progress, size: usize) -> Progress {
    let status = match progress.status {
        Status::Error(error) => Status::Error(error.in_units(size)),
        status => status,
    };
    Progress { read: progress.read / size, written: progress.written, status }
}
