//! The contract of streams (ARCHITECTURE.md, “Contracts”), as assertions about any conversion of
//! any input with any splits. Used by the tests, and by the fuzz targets, which include this file.
//!
//! Invariants of single calls are asserted while a stream runs. Results that must not depend on
//! splits are returned as an [`Outcome`], to be compared.

use utfall::lines::Position;
use utfall::{
    Action, BufferError, Decoder, Encoder, Encoding, Error, Options, Policy, Progress, Status,
    Substitute, Transcoder, Utf7Tolerance, transcode, transcode_into, transcoded_len,
};

/// With this much space there is progress, as [`Status::OutputFull`] promises.
pub(crate) const ENOUGH: usize = 16;

/// The longest incomplete sequence that a stream carries over.
const MOST_KEPT: u64 = 15;

/// The longest text that policies insert for one error.
const MOST_PUT_IN: u64 = 64;

/// Source, target and options.
pub(crate) type Conversion = (Encoding, Encoding, Options);

/// Results that must not depend on how input and output are split.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Outcome {
    /// Bytes, code units or code points.
    pub(crate) output: Vec<u32>,
    /// All errors that stopped the stream, which then continued, and their positions.
    pub(crate) errors: Vec<(Error, Option<Position>)>,
    /// The position of the last error, including those that did not stop the stream.
    pub(crate) last: Option<Position>,
    /// Ill-formed, unencodable, skipped, passed.
    pub(crate) counts: [u64; 4],
    pub(crate) leniences: Utf7Tolerance,
}

/// How to split a stream: sizes of input chunks and of outputs.
pub(crate) struct Cut<P, R> {
    pub(crate) piece: P,
    pub(crate) room: R,
}

/// Everything at once.
pub(crate) fn whole() -> Cut<impl FnMut() -> usize, impl FnMut() -> usize> {
    Cut { piece: || usize::MAX, room: || 1 << 16 }
}

/// These sizes, repeated.
pub(crate) fn sizes(sizes: &[usize]) -> impl FnMut() -> usize + '_ {
    let mut sizes = sizes.iter().copied().cycle();
    move || sizes.next().unwrap_or(1)
}

/// A call of a stream, and its state afterwards.
pub(crate) trait Stream<S, T> {
    fn call(&mut self, src: &[S], dst: &mut [T], last: bool) -> Progress;
    /// Ill-formed, unencodable, skipped, passed.
    fn counts(&self) -> [u64; 4];
    fn place(&self) -> Option<Position>;
    fn leniences(&self) -> Utf7Tolerance;
    /// Invariants after each call, when `_read` units of input have been read.
    fn check(&self, _read: u64, _written: &[T]) {}
    /// Converts that number to the units in which errors count.
    fn reached(&self, read: u64) -> u64 {
        read
    }
}

/// Runs a stream to its end, past all errors. Checks the contract for every call.
pub(crate) fn run<S, T: Copy + Default + Into<u32>>(
    stream: &mut impl Stream<S, T>,
    input: &[S],
    cut: Cut<impl FnMut() -> usize, impl FnMut() -> usize>,
) -> Outcome {
    run_from(stream, 0, input, cut)
}

/// Like [`run`], from the middle of an input, of which `input` is the rest.
fn run_from<S, T: Copy + Default + Into<u32>>(
    stream: &mut impl Stream<S, T>,
    begin: u64,
    input: &[S],
    mut cut: Cut<impl FnMut() -> usize, impl FnMut() -> usize>,
) -> Outcome {
    let mut outcome = Outcome::default();
    let mut rest = input;
    let mut read = begin;
    let mut counts = stream.counts();
    // If the output space was too small, it is doubled until it suffices.
    let mut least = 0;
    let mut dst = Vec::new();
    loop {
        let (mut now, later) = rest.split_at(rest.len().min((cut.piece)()));
        rest = later;
        let last = rest.is_empty();
        loop {
            let room = (cut.room)().max(least);
            dst.clear();
            dst.resize(room, T::default());
            let progress = stream.call(now, &mut dst, last);
            assert!(progress.read <= now.len(), "{progress:?} of {}", now.len());
            assert!(progress.written <= room, "{progress:?} into {room}");
            let moved = progress.read + progress.written > 0;
            now = &now[progress.read..];
            read += progress.read as u64;
            let written = &dst[..progress.written];
            outcome.output.extend(written.iter().map(|unit| (*unit).into()));
            stream.check(read, written);

            let before = std::mem::replace(&mut counts, stream.counts());
            assert!(before.iter().zip(counts).all(|(a, b)| *a <= b), "{before:?}, {counts:?}");
            let [ill_formed, unencodable, skipped, _] = counts;
            assert!(skipped <= ill_formed + unencodable, "{counts:?}");

            match progress.status {
                Status::InputEmpty => {
                    assert!(now.is_empty(), "{} are left", now.len());
                    break;
                }
                Status::OutputFull => {
                    assert!(moved || room < ENOUGH, "no progress into {room}");
                    least = if moved { 0 } else { 2 * room + 1 };
                }
                Status::Error(error) => {
                    assert!(error.length() > 0, "{error:?}");
                    let end = error.offset() + u64::from(error.length());
                    assert!(end <= stream.reached(read), "{error:?} after {read}");
                    outcome.errors.push((error, stream.place()));
                    // Insertions of policies may be unencodable themselves.
                    let most = MOST_PUT_IN * (1 + ill_formed + unencodable + read);
                    assert!(outcome.errors.len() as u64 <= most, "{error:?} again and again");
                }
            }
        }
        if last {
            break;
        }
    }
    // After its end, a text stays ended.
    for _ in 0..2 {
        let progress = stream.call(&[], &mut [T::default(); 2 * ENOUGH], true);
        let nothing = Progress { read: 0, written: 0, status: Status::InputEmpty };
        assert_eq!(progress, nothing, "after the end");
    }
    assert_eq!(read - begin, input.len() as u64);
    outcome.last = stream.place();
    outcome.counts = stream.counts();
    outcome.leniences = stream.leniences();
    outcome
}

/// A transcoder, and whether its output may contain raw bytes of the source.
struct Transcoding<'h>(Transcoder<'h>, bool);

impl<'h> Transcoding<'h> {
    fn new((source, target, options): Conversion) -> Self {
        let raw = options.on_unencodable == Policy::SurrogateEscape;
        Self(Transcoder::new(source, target, options).track_position(), raw)
    }
}

impl Stream<u8, u8> for Transcoding<'_> {
    fn call(&mut self, src: &[u8], dst: &mut [u8], last: bool) -> Progress {
        self.0.transcode(src, dst, last)
    }

    fn counts(&self) -> [u64; 4] {
        [
            self.0.counts().ill_formed,
            self.0.counts().unencodable,
            self.0.counts().skipped,
            self.0.counts().tolerated,
        ]
    }

    fn place(&self) -> Option<Position> {
        self.0.error_position()
    }

    fn leniences(&self) -> Utf7Tolerance {
        self.0.counts().tolerance
    }

    /// No character is split between outputs.
    fn check(&self, _read: u64, written: &[u8]) {
        let whole = match self.0.encodings().1 {
            Encoding::Utf8 if !self.1 => {
                let cut =
                    std::str::from_utf8(written).err().is_some_and(|e| e.error_len().is_none());
                !cut
            }
            Encoding::Utf16Le => written.len().is_multiple_of(2) && !ends_high(written, 1),
            Encoding::Utf16Be => written.len().is_multiple_of(2) && !ends_high(written, 2),
            Encoding::Utf32Le | Encoding::Utf32Be | Encoding::Ucs4Le => {
                written.len().is_multiple_of(4)
            }
            _ => true,
        };
        assert!(whole, "a character is split: {written:02X?}");
    }
}

/// Whether the last unit of UTF-16 is a high surrogate. `from_end` is the distance of its upper
/// byte from the end.
fn ends_high(bytes: &[u8], from_end: usize) -> bool {
    bytes.len() >= 2 && bytes[bytes.len() - from_end] & 0xFC == 0xD8
}

/// Converts bytes from one encoding to another.
pub(crate) fn convert(
    conversion: Conversion,
    input: &[u8],
    cut: Cut<impl FnMut() -> usize, impl FnMut() -> usize>,
) -> Outcome {
    run(&mut Transcoding::new(conversion), input, cut)
}

/// The one-call functions agree with the stream: the same bytes or its first error, and the exact
/// length. A buffer of that length suffices, and none that is shorter.
pub(crate) fn check_one_call(conversion: Conversion, input: &[u8], all: &Outcome) {
    let (source, target, options) = conversion;
    let expected = match all.errors.first() {
        None => Ok(bytes(all)),
        Some((error, _)) => Err(*error),
    };
    let converted = transcode(source, target, input, options).map(|bytes| bytes.into_owned());
    assert_eq!(converted, expected, "{conversion:?} of {input:02X?} in one call");
    let length = transcoded_len(source, target, input, options);
    let expected_length = expected.as_ref().map(|bytes| bytes.len()).map_err(|e| *e);
    assert_eq!(length, expected_length, "length of {conversion:?} of {input:02X?}");
    let Ok(expected) = expected else { return };
    let mut buffer = vec![0; expected.len()];
    let written = transcode_into(source, target, input, &mut buffer, options);
    let same = written == Ok(expected.len()) && buffer == expected;
    assert!(same, "{conversion:?} of {input:02X?} into its length: {written:?}");
    if let Some(less) = expected.len().checked_sub(1) {
        let written = transcode_into(source, target, input, &mut buffer[..less], options);
        let small = Err(BufferError::TooSmall { needed: expected.len() });
        assert_eq!(written, small, "{conversion:?} of {input:02X?} into one less");
    }
}

/// The output of a stream of bytes.
pub(crate) fn bytes(outcome: &Outcome) -> Vec<u8> {
    outcome.output.iter().map(|byte| u8::try_from(*byte).expect("a byte")).collect()
}

/// A callback sees each error with its bytes, in the same order for any split, and its actions are
/// carried out.
pub(crate) fn convert_by_callback(
    conversion: Conversion,
    input: &[u8],
    cut: Cut<impl FnMut() -> usize, impl FnMut() -> usize>,
) -> (Outcome, Vec<(Error, Vec<u8>)>) {
    let mut seen = Vec::new();
    let mut handler = |error: &Error, bytes: &[u8]| {
        let (begin, length) = (error.offset() as usize, error.length() as usize);
        if error.is_unencodable() {
            assert!(bytes.is_empty(), "{error:?} with {bytes:02X?}");
        } else {
            assert_eq!(bytes, &input[begin..begin + length], "{error:?}");
        }
        seen.push((*error, bytes.to_vec()));
        match begin % 4 {
            0 => Action::Stop,
            1 => Action::Skip,
            2 => Action::Substitute(Substitute::new("<é☺>").expect("short")),
            _ => Action::Substitute(Substitute::new("").expect("short")),
        }
    };
    let Transcoding(transcoder, raw) = Transcoding::new(conversion);
    let outcome = run(&mut Transcoding(transcoder.on_error(&mut handler), raw), input, cut);
    (outcome, seen)
}

/// Converts two texts into the same output. Returns the result of each.
pub(crate) fn convert_two(
    conversion: Conversion,
    inputs: [&[u8]; 2],
    mut piece: impl FnMut() -> usize,
    mut room: impl FnMut() -> usize,
) -> [Outcome; 2] {
    let mut stream = Transcoding::new(conversion);
    stream.0.set_output_goes_on(true);
    let first = run(&mut stream, inputs[0], Cut { piece: &mut piece, room: &mut room });
    stream.0.next_text(conversion.0, conversion.2.bom);
    stream.0.set_output_goes_on(false);
    let second = run(&mut stream, inputs[1], Cut { piece, room });
    [first, second]
}

/// The output of a decoder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Utf8,
    Utf16,
    Points,
    Nothing,
}

impl Kind {
    pub(crate) const ALL: [Self; 4] = [Self::Utf8, Self::Utf16, Self::Points, Self::Nothing];
}

/// A decoder, with a fork that must behave the same in each call.
struct Decoding<'h> {
    decoder: Decoder<'h>,
    kind: Kind,
    /// Calls until a fork is saved; the fork, with the number of bytes it has read.
    until_fork: usize,
    fork: Option<(Decoder<'static>, u64)>,
    read: u64,
}

/// A unit of any output.
#[derive(Clone, Copy, Default)]
struct Unit(u32);

impl From<Unit> for u32 {
    fn from(unit: Unit) -> u32 {
        unit.0
    }
}

fn decode_as(
    decoder: &mut Decoder<'_>,
    kind: Kind,
    src: &[u8],
    dst: &mut [Unit],
    last: bool,
) -> Progress {
    match kind {
        Kind::Nothing => decoder.validate(src, last),
        Kind::Utf8 => {
            let mut bytes = vec![0; dst.len()];
            let progress = decoder.decode_to_utf8(src, &mut bytes, last);
            let text = std::str::from_utf8(&bytes[..progress.written]);
            assert!(text.is_ok(), "not UTF-8: {bytes:02X?}");
            dst.iter_mut().zip(bytes).for_each(|(unit, byte)| unit.0 = byte.into());
            progress
        }
        Kind::Utf16 => {
            let mut units = vec![0; dst.len()];
            let progress = decoder.decode_to_utf16(src, &mut units, last);
            let text = String::from_utf16(&units[..progress.written]);
            assert!(text.is_ok(), "not UTF-16: {units:04X?}");
            dst.iter_mut().zip(units).for_each(|(unit, from)| unit.0 = from.into());
            progress
        }
        Kind::Points => {
            let mut points = vec![0; dst.len()];
            let progress = decoder.decode_to_code_points(src, &mut points, last);
            dst.iter_mut().zip(points).for_each(|(unit, point)| unit.0 = point);
            progress
        }
    }
}

impl Stream<u8, Unit> for Decoding<'_> {
    fn call(&mut self, src: &[u8], dst: &mut [Unit], last: bool) -> Progress {
        let mut fork = self.decoder.fork();
        let before = self.decoder.offset();
        assert_eq!(fork.offset(), before);
        if self.until_fork == 0 && self.fork.is_none() {
            self.fork = Some((self.decoder.fork(), self.read));
        }
        self.until_fork = self.until_fork.saturating_sub(1);
        let progress = decode_as(&mut self.decoder, self.kind, src, dst, last);
        let mut again = vec![Unit::default(); dst.len()];
        let same = decode_as(&mut fork, self.kind, src, &mut again, last);
        assert_eq!(same, progress, "a fork");
        let units = |dst: &[Unit]| dst[..progress.written].iter().map(|u| u.0).collect::<Vec<_>>();
        assert_eq!(units(&again), units(dst), "a fork");
        let says = |d: &Decoder<'_>| {
            (d.offset(), d.counts().ill_formed, d.counts().tolerated, d.error_position())
        };
        assert_eq!(says(&fork), says(&self.decoder), "a fork");
        assert!(self.decoder.offset() >= before, "the offset goes back");
        self.read += progress.read as u64;
        progress
    }

    fn counts(&self) -> [u64; 4] {
        [self.decoder.counts().ill_formed, 0, 0, self.decoder.counts().tolerated]
    }

    fn place(&self) -> Option<Position> {
        self.decoder.error_position()
    }

    fn leniences(&self) -> Utf7Tolerance {
        self.decoder.counts().tolerance
    }

    fn check(&self, read: u64, _written: &[Unit]) {
        let offset = self.decoder.offset();
        assert!(offset <= read && read - offset <= MOST_KEPT, "offset {offset}, read {read}");
    }
}

/// Decodes bytes to text in memory. A decoder forked before call `fork_at` must then behave like
/// the original.
pub(crate) fn decode(
    (source, options): (Encoding, Options),
    kind: Kind,
    input: &[u8],
    fork_at: usize,
    cut: Cut<impl FnMut() -> usize, impl FnMut() -> usize>,
) -> Outcome {
    let new = |decoder, until_fork| Decoding { decoder, kind, until_fork, fork: None, read: 0 };
    let mut stream = new(Decoder::new(source, options).track_position(), fork_at);
    let outcome = run(&mut stream, input, cut);
    if let Some((fork, read)) = stream.fork.take() {
        let mut fork = new(fork, usize::MAX);
        let after = run_from(&mut fork, read, &input[read as usize..], whole());
        let from = outcome.output.len() - after.output.len();
        assert_eq!(outcome.output[from..], after.output, "after a fork");
        let from = outcome.errors.len() - after.errors.len();
        assert_eq!(outcome.errors[from..], after.errors, "after a fork");
        let says = |o: &Outcome| (o.counts, o.leniences, o.last);
        assert_eq!(says(&outcome), says(&after), "after a fork");
    }
    assert!(kind != Kind::Nothing || outcome.output.is_empty());
    outcome
}

/// Text in memory.
pub(crate) enum Text<'a> {
    Str(&'a [char]),
    Utf16(&'a [u16]),
    Points(&'a [u32]),
}

/// Encodes text in memory to bytes.
pub(crate) fn encode(
    (target, options): (Encoding, Options),
    text: &Text<'_>,
    cut: Cut<impl FnMut() -> usize, impl FnMut() -> usize>,
) -> Outcome {
    let mut stream = Writing { encoder: Encoder::new(target, options), bytes: None };
    match text {
        Text::Str(text) => {
            stream.bytes = Some(0);
            run::<char, u8>(&mut stream, text, cut)
        }
        Text::Utf16(units) => run::<u16, u8>(&mut stream, units, cut),
        Text::Points(points) => run::<u32, u8>(&mut stream, points, cut),
    }
}

/// An encoder. For strings, errors count bytes: those read so far.
struct Writing<'h> {
    encoder: Encoder<'h>,
    bytes: Option<u64>,
}

macro_rules! writing {
    ($unit:ty, $call:expr) => {
        impl Stream<$unit, u8> for Writing<'_> {
            fn call(&mut self, src: &[$unit], dst: &mut [u8], last: bool) -> Progress {
                let call: fn(&mut Self, &[$unit], &mut [u8], bool) -> Progress = $call;
                call(self, src, dst, last)
            }

            fn counts(&self) -> [u64; 4] {
                [0, self.encoder.counts().unencodable, 0, 0]
            }

            fn place(&self) -> Option<Position> {
                None
            }

            fn leniences(&self) -> Utf7Tolerance {
                Utf7Tolerance::NONE
            }

            fn reached(&self, read: u64) -> u64 {
                self.bytes.unwrap_or(read)
            }
        }
    };
}

writing!(u16, |this, src, dst, last| this.encoder.encode_utf16(src, dst, last));
writing!(u32, |this, src, dst, last| this.encoder.encode_code_points(src, dst, last));
writing!(char, |this, src, dst, last| {
    let text: String = src.iter().collect();
    let progress = this.encoder.encode_str(&text, dst, last);
    this.bytes = this.bytes.map(|bytes| bytes + progress.read as u64);
    // Whole characters are read.
    Progress { read: text[..progress.read].chars().count(), ..progress }
});
