//! The main conversion path: decoder → block of code points → encoder, or another sink.
//!
//! [`Engine`] drives it, however the input is split and whatever the size of the output, and is the
//! only place where policies are applied. Blocks do not persist between calls. If the output fills
//! up in the middle of a block, the decoder, a small struct, is reset to its copy from before the
//! block. It then decodes again as far as the encoder got. The same happens, once per error, to
//! find the bytes of a code point that cannot be encoded.

mod bytes;
mod cursor;
mod policies;
mod queue;

use utfall_simd::{Kernels, Layout, Lossy, dispatch, units};

use crate::charset::Charset;
use crate::codec::{Decode, DecodeStop, Decoded, EncodeStop, Ill, Next, Put, Sink};
use crate::direct::Direct;
use crate::encoding::{AnyDecoder, AnyEncoder};
use crate::lines::Position;
use crate::options::{Bom, Options};
use crate::route::{Route, Side};
use crate::{Counts, Encoding, Error, ErrorKind, Progress, Status, Utf7Tolerance, shortcut};
use bytes::Bytes;
use cursor::Cursor;
use policies::{Drained, Handler, Policies};

#[cfg(feature = "std")]
pub(crate) use cursor::CARRY;
#[cfg(feature = "alloc")]
pub(crate) use queue::append_escape;

/// Code points in a block. With its input and output, it fits in the L1 cache.
const BLOCK: usize = 2048;
/// Scratch buffer for kernel output that is discarded or fed to the next kernel.
pub(crate) const SCRATCH: usize = 4096;
/// The same, for input of [`SMALL_BLOCK`] bytes.
pub(crate) const SMALL_SCRATCH: usize = 256;
/// The maximum number of bytes that one byte of UTF-8 can become: in UTF-7, a last digit and `-`,
/// or `+` and three digits followed by `-`.
const MOST_FROM_A_BYTE: usize = 6;
/// The block for short input, and for input after the place where a kernel stopped.
pub(crate) const SMALL_BLOCK: usize = 64;
/// The block for somewhat longer input or output.
const MIDDLE_BLOCK: usize = 256;

pub(crate) struct Engine<'h, D, S> {
    source: Encoding,
    target: Encoding,
    decoder: D,
    sink: S,
    cursor: Cursor,
    policies: Policies<'h>,
    /// U+FEFF is a BOM at the start of bytes, but text at the start of text in memory.
    source_is_bytes: bool,
    end: End,
    /// Always use the block, never a kernel.
    #[cfg(test)]
    pub(crate) no_shortcuts: bool,
}

/// What follows the end of the text.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    /// The end of the output.
    Output,
    /// Another text in the same output, so this one does not end it.
    NextText,
    /// No further text, because the output has ended.
    Finished,
}

/// The ill-formed sequences of a block that were replaced by U+FFFD, and those that were accepted.
#[derive(Clone, Copy, Default)]
struct Replaced {
    count: u64,
    /// The index in the block after the last of them, if positions are tracked.
    last: usize,
    tolerated: u64,
    tolerance: Utf7Tolerance,
}

/// One code point: its bytes are the first `length` of the `back` bytes before `read`.
struct One {
    point: u32,
    read: usize,
    back: usize,
    length: usize,
}

/// The progress of one step, in bytes.
struct Step {
    read: usize,
    written: usize,
    outcome: Outcome,
}

enum Outcome {
    /// All input was read, except an incomplete sequence.
    Input,
    /// The output is full.
    Output,
    /// Input and output remain; continue.
    More,
    Error(Error),
}

impl<'h> Engine<'h, AnyDecoder, AnyEncoder> {
    pub(crate) fn new(source: Encoding, target: Encoding, options: Options) -> Self {
        let decoder = AnyDecoder::new(source, &options);
        let encoder = AnyEncoder::new(target, &options);
        Self::with(source, decoder, target, encoder, options)
    }
}

impl<S: Sink> Engine<'_, AnyDecoder, S> {
    /// Begins another text in the same output.
    pub(crate) fn next_text(&mut self, source: Encoding, bom: Bom) {
        self.policies.options.bom = bom;
        self.source = source;
        self.decoder = AnyDecoder::new(source, &self.policies.options);
        self.cursor.restart();
    }
}

impl<'h, D: Decode, S: Sink> Engine<'h, D, S> {
    /// An engine with these parts. `source` and `target` are named in errors.
    pub(crate) fn with(
        source: Encoding,
        decoder: D,
        target: Encoding,
        sink: S,
        options: Options,
    ) -> Self {
        Self {
            source,
            target,
            decoder,
            sink,
            cursor: Cursor::new(),
            policies: Policies::new(options, target),
            source_is_bytes: true,
            end: End::Output,
            #[cfg(test)]
            no_shortcuts: false,
        }
    }

    /// The same engine at the same place, without the handler.
    pub(crate) fn fork(&self) -> Engine<'static, D, S> {
        Engine {
            decoder: self.decoder.clone(),
            sink: self.sink.clone(),
            policies: self.policies.without_handler(self.target),
            ..*self
        }
    }

    /// The stream offset of the next byte to decode.
    pub(crate) fn offset(&self) -> u64 {
        self.cursor.offset
    }

    /// The line and column of that byte, if tracked.
    #[cfg(feature = "alloc")]
    pub(crate) fn position(&self) -> Option<Position> {
        self.cursor.position
    }

    pub(crate) fn counts(&self) -> Counts {
        self.policies.counts
    }

    pub(crate) fn options(&self) -> &Options {
        &self.policies.options
    }

    pub(crate) fn set_handler(&mut self, handler: &'h mut Handler<'h>) {
        self.policies.set_handler(handler);
    }

    pub(crate) fn track_position(&mut self) {
        self.cursor.position.get_or_insert_default();
    }

    /// Begins after `src`, which a kernel of [`Route::at_start`] has converted.
    pub(crate) fn resume_after(&mut self, src: &[u8]) {
        self.cursor.start &= src.is_empty();
        self.cursor.consume(src, src.len());
    }

    /// A copy of the state between two pieces of input, with another sink and strict about code
    /// points that it lacks.
    #[cfg(feature = "std")]
    pub(crate) fn fork_to<F: Sink>(&self, sink: F) -> Engine<'static, D, F> {
        let options = self.policies.options;
        let on_unencodable = crate::Policy::Strict;
        let options = Options { on_unencodable, transliterate: None, ..options };
        let decoder = self.decoder.clone();
        let mut fork = Engine::with(self.source, decoder, self.target, sink, options);
        fork.policies.only_replaces = false;
        fork.cursor = self.cursor;
        fork
    }

    /// Begins at an offset inside a text, where U+FEFF is not a BOM.
    #[cfg(feature = "alloc")]
    pub(crate) fn begin_inside(&mut self, offset: u64) {
        self.cursor.start = false;
        self.cursor.offset = offset;
    }

    /// Whether nothing has been decoded yet.
    #[cfg(feature = "alloc")]
    pub(crate) fn is_at_start(&self) -> bool {
        self.cursor.start
    }

    #[cfg(feature = "alloc")]
    pub(crate) fn sink(&self) -> &S {
        &self.sink
    }

    #[cfg(feature = "alloc")]
    pub(crate) fn sink_mut(&mut self) -> &mut S {
        &mut self.sink
    }

    pub(crate) fn read_memory(&mut self) {
        self.source_is_bytes = false;
    }

    pub(crate) fn set_output_goes_on(&mut self, goes_on: bool) {
        if self.end != End::Finished {
            self.end = if goes_on { End::NextText } else { End::Output };
        }
    }

    pub(crate) fn error_position(&self) -> Option<Position> {
        self.cursor.error_position
    }

    /// Replaces the sink by another one without state.
    pub(crate) fn set_sink(&mut self, target: Encoding, sink: S) {
        self.target = target;
        self.sink = sink;
    }

    /// Replaces the decoder by another one without state.
    pub(crate) fn set_decoder(&mut self, source: Encoding, decoder: D) {
        self.source = source;
        self.decoder = decoder;
    }

    pub(crate) fn encodings(&self) -> (Encoding, Encoding) {
        (self.source, self.target)
    }

    /// Converts bytes; see [`Transcoder::transcode`](crate::Transcoder::transcode).
    pub(crate) fn run(&mut self, src: &[u8], dst: &mut [u8], last: bool) -> Progress {
        let kernels = dispatch::active();
        let (mut read, mut written) = (0, 0);
        let status = loop {
            let (bytes, drained) =
                self.policies.drain(&mut self.sink, self.target, &mut dst[written..]);
            written += bytes;
            match drained {
                Drained::Full => break Status::OutputFull,
                Drained::Stopped(error) => break Status::Error(error),
                Drained::All => {}
            }

            let joins = !self.cursor.carry.is_empty();
            let step = if !joins {
                let step = self.step(kernels, &src[read..], &mut dst[written..], last);
                read += step.read;
                step
            } else {
                let held = self.cursor.carry.len();
                let added = self.cursor.carry.extend(&src[read..]);
                let all = read + added == src.len();
                let joined = self.cursor.carry;
                let step = self.step(kernels, joined.as_slice(), &mut dst[written..], last && all);
                if step.read >= held {
                    // The sequence that was split is complete; continue in the input itself.
                    self.cursor.carry = Bytes::new();
                    read += step.read - held;
                } else {
                    let waits = matches!(step.outcome, Outcome::Input);
                    self.cursor.carry.truncate(if waits { joined.len() } else { held });
                    self.cursor.carry.remove_front(step.read);
                    read += if waits { added } else { 0 };
                }
                step
            };
            written += step.written;
            match step.outcome {
                Outcome::Error(error) => break Status::Error(error),
                Outcome::Output => break Status::OutputFull,
                Outcome::More => continue,
                // Only the joined bytes have been used.
                Outcome::Input if joins && read < src.len() => continue,
                Outcome::Input => {}
            }
            if !joins {
                // An incomplete sequence. Decoders do not leave one if this is the last input.
                let kept = self.cursor.carry.extend(&src[read..]);
                debug_assert_eq!(read + kept, src.len());
                read += kept;
            }
            // Even an empty text gets its BOM.
            let is_empty = last && core::mem::take(&mut self.cursor.start);
            if is_empty && self.policies.options.bom == Bom::Add && self.add_bom() {
                continue;
            }
            break if !last || self.end != End::Output {
                Status::InputEmpty
            } else if let Some(bytes) = self.sink.finish(&mut dst[written..]) {
                written += bytes;
                self.end = End::Finished;
                Status::InputEmpty
            } else {
                Status::OutputFull
            };
        };
        Progress { read, written, status }
    }

    /// The way for the next bytes.
    fn route(&self) -> Route {
        // A BOM may have to be written first.
        if self.cursor.start {
            return Route::CodePoints;
        }
        #[cfg(test)]
        if self.no_shortcuts {
            return Route::CodePoints;
        }
        Route::new(self.decoder.side(), self.sink.side())
    }

    /// Converts some of `src`: by a kernel if there is one, then through a block.
    fn step(&mut self, kernels: &Kernels, src: &[u8], dst: &mut [u8], last: bool) -> Step {
        let route = self.route();
        let (read, written) = self.step_by_kernel(kernels, route, src, dst);
        let has_kernel = route != Route::CodePoints;
        // A codec with a kernel of its own may have output left at the end.
        if has_kernel && read == src.len() && (route.is_stateless() || !last) {
            return Step { read, written, outcome: Outcome::Input };
        }
        let (src, dst) = (&src[read..], &mut dst[written..]);
        let step = if matches!(route, Route::Encode(..) | Route::Between(..))
            && let Some(step) = self.step_over_unencodable(src, last)
        {
            step
        } else if route.is_stateless()
            && let Some(step) = self.step_over_ill(src, last)
        {
            step
        } else if self.cursor.start {
            // Only the first character: after it, a kernel may take over.
            self.step_by_block(kernels, src, dst, &mut [0; 1], last)
        } else {
            // Clearing a large block costs more than all work on a small one.
            let is_little = has_kernel || self.cursor.follows_error;
            let most = if is_little { 0 } else { src.len().min(self.room(dst)) };
            if most <= SMALL_BLOCK {
                self.step_by_block(kernels, src, dst, &mut [0; SMALL_BLOCK], last)
            } else if most <= MIDDLE_BLOCK {
                self.step_by_block(kernels, src, dst, &mut [0; MIDDLE_BLOCK], last)
            } else {
                self.step_by_block(kernels, src, dst, &mut [0; BLOCK], last)
            }
        };
        Step { read: read + step.read, written: written + step.written, ..step }
    }

    /// Converts with the kernels of a route, and returns the bytes read and written.
    fn step_by_kernel(
        &mut self,
        kernels: &Kernels,
        route: Route,
        src: &[u8],
        dst: &mut [u8],
    ) -> (usize, usize) {
        let (read, written) = match route {
            Route::CodePoints => return (0, 0),
            Route::Pair(from, to) => self.convert(kernels, Direct::Pair(from, to), src, dst),
            Route::Decode(from, to) => self.convert(kernels, Direct::Decode(from, to), src, dst),
            Route::Encode(from, to) => self.convert(kernels, Direct::Encode(from, to), src, dst),
            Route::Between(from, to) => self.convert_between(kernels, (from, to), src, dst),
            Route::CheckCharset(charset) => self.check_charset(kernels, charset, src),
            Route::Check(form) => {
                let (read, _) = self.sink.accept_bytes(kernels, form, src, dst);
                self.cursor.advance_bytes(form, &src[..read]);
                (read, 0)
            }
            Route::ToUtf8 => {
                let (read, written) = self.decoder.decode_to_utf8(kernels, src, dst);
                self.cursor.advance_bytes(Layout::Utf8, &dst[..written]);
                (read, written)
            }
            Route::FromUtf8 => {
                let (read, written) = self.sink.accept_bytes(kernels, Layout::Utf8, src, dst);
                self.cursor.advance_bytes(Layout::Utf8, &src[..read]);
                (read, written)
            }
            Route::CheckAsUtf8 => self.check_as_utf8(kernels, src),
            Route::ToUtf8Then(to) => match self.decoder.decode_to_utf16(kernels, to, src, dst) {
                Some((read, written)) => {
                    self.cursor.advance_bytes(to, &dst[..written]);
                    (read, written)
                }
                None => self.by_way_of_utf8(src, dst, |engine, src, middle, dst| {
                    let (read, filled) = engine.decoder.decode_to_utf8(kernels, src, middle);
                    let (_, written) = kernels.convert(Layout::Utf8, to, &middle[..filled], dst);
                    (read, filled, written)
                }),
            },
            Route::FromUtf8After(from) => {
                if let Some((read, written)) = self.sink.accept_utf16(kernels, from, src, dst) {
                    self.cursor.advance_bytes(from, &src[..read]);
                    self.cursor.consume(src, read);
                    return (read, written);
                }
                self.by_way_of_utf8(src, dst, |engine, src, middle, dst| {
                    let (mut read, filled) = kernels.convert(from, Layout::Utf8, src, middle);
                    let text = &middle[..filled];
                    let (taken, written) =
                        engine.sink.accept_bytes(kernels, Layout::Utf8, text, dst);
                    if taken < filled {
                        // Converting again shows how many bytes that was.
                        (read, _) = kernels.convert(from, Layout::Utf8, src, &mut middle[..taken]);
                    }
                    (read, taken, written)
                })
            }
        };
        self.cursor.consume(src, read);
        (read, written)
    }

    /// Checks with the kernel of the decoder.
    fn check_as_utf8(&mut self, kernels: &Kernels, src: &[u8]) -> (usize, usize) {
        let (mut read, mut scratch) = (0, [0; SCRATCH]);
        loop {
            let rest = &src[read..];
            let (bytes, filled) = self.decoder.decode_to_utf8(kernels, rest, &mut scratch);
            self.cursor.advance_bytes(Layout::Utf8, &scratch[..filled]);
            read += bytes;
            if bytes == 0 || read == src.len() {
                return (read, 0);
            }
        }
    }

    /// Checks text in a charset.
    fn check_charset(&mut self, kernels: &Kernels, charset: Charset, src: &[u8]) -> (usize, usize) {
        let (mut read, mut scratch) = (0, [0; SCRATCH]);
        if self.cursor.position.is_none() {
            return (charset.prefix(kernels, src, &mut scratch), 0);
        }
        loop {
            let (bytes, filled) = charset.decode(kernels, Layout::Utf8, &src[read..], &mut scratch);
            self.cursor.advance_bytes(Layout::Utf8, &scratch[..filled]);
            read += bytes;
            if bytes == 0 || read == src.len() {
                return (read, 0);
            }
        }
    }

    /// Converts from one charset to another.
    fn convert_between(
        &mut self,
        kernels: &Kernels,
        (from, to): (Charset, Charset),
        src: &[u8],
        dst: &mut [u8],
    ) -> (usize, usize) {
        let (mut read, mut written, mut middle) = (0, 0, [0; SCRATCH]);
        loop {
            let (rest, room) = (&src[read..], &mut dst[written..]);
            let (mut bytes, mut filled) = from.decode(kernels, Layout::Utf8, rest, &mut middle);
            let (taken, mut length) = to.encode(kernels, Layout::Utf8, &middle[..filled], room);
            let is_cut = taken < filled;
            if is_cut {
                // Decoding again shows how many bytes that was. It may be a little less.
                (bytes, filled) = from.decode(kernels, Layout::Utf8, rest, &mut middle[..taken]);
                (_, length) = to.encode(kernels, Layout::Utf8, &middle[..filled], room);
            }
            self.cursor.advance_bytes(Layout::Utf8, &middle[..filled]);
            read += bytes;
            written += length;
            if is_cut || bytes == 0 || read == src.len() {
                return (read, written);
            }
        }
    }

    /// Converts in two steps; the second has enough space for all output of the first. `convert`
    /// returns bytes read, bytes between the steps, and bytes written.
    fn by_way_of_utf8(
        &mut self,
        src: &[u8],
        dst: &mut [u8],
        convert: impl Fn(&mut Self, &[u8], &mut [u8], &mut [u8]) -> (usize, usize, usize),
    ) -> (usize, usize) {
        let (mut small, mut large);
        let middle: &mut [u8] = if src.len() <= SMALL_BLOCK {
            small = [0; SMALL_SCRATCH];
            &mut small
        } else {
            large = [0; SCRATCH];
            &mut large
        };
        let (mut read, mut written) = (0, 0);
        loop {
            let room = middle.len().min((dst.len() - written) / MOST_FROM_A_BYTE);
            let middle = &mut middle[..room];
            let (bytes, filled, more) = convert(self, &src[read..], middle, &mut dst[written..]);
            self.cursor.advance_bytes(Layout::Utf8, &middle[..filled]);
            read += bytes;
            written += more;
            if bytes == 0 || read == src.len() {
                return (read, written);
            }
        }
    }

    /// Converts with a kernel and returns the bytes read and written. If the kernel can insert
    /// U+FFFD itself, it continues after ill-formed sequences.
    fn convert(
        &mut self,
        kernels: &Kernels,
        direct: Direct,
        src: &[u8],
        dst: &mut [u8],
    ) -> (usize, usize) {
        let Lossy { read, written, replaced } =
            shortcut::convert(kernels, direct, self.is_lossy(), src, dst);
        let (src, dst) = (&src[..read], &dst[..written]);
        self.policies.counts.ill_formed += replaced as u64;
        if let Some(position) = &mut self.cursor.position {
            match direct.layouts() {
                (_, Some(to)) if replaced > 0 => {
                    let last = shortcut::last_replaced(kernels, &self.decoder, direct, src, dst);
                    // One column for each sequence, ill-formed or not: as in the output.
                    position.advance_bytes(to, &dst[..last]);
                    self.cursor.error_position = Some(*position);
                    position.advance_bytes(to, &dst[last..]);
                }
                (from, Some(to)) if from.is_none() || dst.len() < src.len() => {
                    position.advance_bytes(to, dst);
                }
                (Some(from), _) => position.advance_bytes(from, src),
                (None, _) => {}
            }
        }
        (read, written)
    }

    /// A kernel stops before an ill-formed sequence. No block is needed for one, unless a block can
    /// handle many at once.
    fn step_over_ill(&mut self, src: &[u8], last: bool) -> Option<Step> {
        if self.policies.only_replaces {
            return None;
        }
        let before = self.decoder.clone();
        let Next::Ill(ill) = self.decoder.next(src, last) else {
            self.decoder = before;
            return None;
        };
        if ill.pass.is_some() {
            self.decoder = before;
            return None;
        }
        let read = ill.consumed;
        let outcome = self.ill_formed(src, read, ill);
        self.cursor.consume(src, read);
        Some(Step { read, written: 0, outcome })
    }

    /// A kernel stops before a code point that the target lacks. No block is needed for one.
    fn step_over_unencodable(&mut self, src: &[u8], last: bool) -> Option<Step> {
        let before = self.decoder.clone();
        if let Next::Point { point, length } = self.decoder.next(src, last)
            && matches!(self.sink.insert(point, &mut []), Put::Unencodable)
        {
            let outcome = self.unencodable(&One { point, read: length, back: length, length });
            self.cursor.consume(src, length);
            return Some(Step { read: length, written: 0, outcome });
        }
        self.decoder = before;
        None
    }

    /// Whether there is output.
    fn writes(&self) -> bool {
        !matches!(self.sink.side(), Side::Discarded | Side::Inspected)
    }

    /// How many code points fit in `dst`, unless they take less than a code unit each.
    fn room(&self, dst: &[u8]) -> usize {
        let unit = self.target.info().code_unit;
        if self.writes() { (dst.len() / unit).max(1) } else { usize::MAX }
    }

    /// Decodes to a block, and encodes it.
    fn step_by_block(
        &mut self,
        kernels: &Kernels,
        src: &[u8],
        dst: &mut [u8],
        block: &mut [u32],
        last: bool,
    ) -> Step {
        let before = self.decoder.clone();
        let most = block.len().min(self.room(dst));
        let block = &mut block[..most];
        let (decoded, replaced) = self.decode(kernels, src, block, last);
        let ill = match decoded.stop {
            DecodeStop::Ill(ill) => Some(ill),
            DecodeStop::Input | DecodeStop::Output => None,
        };

        // How many code points are not written, and how many have no column.
        let (mut first, mut mark) = (0, 0);
        let at_start = self.cursor.start;
        if self.cursor.start && (decoded.written > 0 || ill.is_some()) {
            self.cursor.start = false;
            let marked =
                block[..decoded.written].first() == Some(&0xFEFF) && !self.decoder.removes_bom();
            mark = usize::from(marked && self.source_is_bytes);
            let bom = self.policies.options.bom;
            match bom {
                Bom::Strip if marked => first = 1,
                Bom::Add if !marked && self.add_bom() => {
                    self.decoder = before;
                    return Step { read: 0, written: 0, outcome: Outcome::More };
                }
                // The BOM of the source becomes that of the target.
                _ if marked && self.source_is_bytes => self.sink.omit_bom(),
                _ => {}
            }
        }

        let points = &block[first..decoded.written];
        let encoded = self.sink.accept(kernels, points, dst);
        let taken = first + encoded.read;
        self.cursor.follows_error =
            ill.is_some() || matches!(encoded.stop, EncodeStop::Unencodable);
        match encoded.stop {
            EncodeStop::Input => {
                self.advance_over(&block[..taken], mark, replaced);
                let outcome = match (ill, decoded.stop) {
                    (Some(ill), _) => self.ill_formed(src, decoded.read, ill),
                    (None, DecodeStop::Output) => Outcome::More,
                    (None, _) => Outcome::Input,
                };
                self.cursor.consume(src, decoded.read);
                Step { read: decoded.read, written: encoded.written, outcome }
            }
            EncodeStop::Output => {
                let (read, replaced) = self.decode_again(kernels, before, src, taken, block, last);
                self.advance_over(&block[..taken], mark, replaced);
                self.cursor.consume(src, read);
                // A BOM that did not fit in the output still has to be written.
                self.cursor.start = at_start && taken == 0;
                Step { read, written: encoded.written, outcome: Outcome::Output }
            }
            EncodeStop::Unencodable => {
                let (after, replaced) = self.decode_again(kernels, before, src, taken, block, last);
                self.advance_over(&block[..taken], mark, replaced);
                let one = self.decode_one(src, after, last);
                let outcome = self.unencodable(&one);
                self.cursor.consume(src, one.read);
                Step { read: one.read, written: encoded.written, outcome }
            }
        }
    }

    /// Queues a BOM, if the target has one.
    fn add_bom(&mut self) -> bool {
        if self.target.info().signature.is_empty() {
            return false;
        }
        self.sink.omit_bom();
        self.policies.insert_bom();
        true
    }

    /// Decodes. If the policy is just one U+FFFD per ill-formed sequence, it is inserted right
    /// away, to keep text full of errors fast.
    fn decode(
        &mut self,
        kernels: &Kernels,
        src: &[u8],
        block: &mut [u32],
        last: bool,
    ) -> (Decoded, Replaced) {
        let (mut read, mut written, mut replaced) = self.decode_by_kernel(kernels, src, block);
        loop {
            let decoded = self.decoder.decode(kernels, &src[read..], &mut block[written..], last);
            read += decoded.read;
            written += decoded.written;
            let mut stop = decoded.stop;
            if let DecodeStop::Ill(Ill { pass: Some(pass), .. }) = stop {
                replaced.tolerated += 1;
                replaced.tolerance |= pass.by;
                if let Some(point) = pass.point {
                    block[written] = point;
                    written += 1;
                }
                if written < block.len() {
                    continue;
                }
                stop = DecodeStop::Output;
            } else if self.policies.only_replaces && matches!(stop, DecodeStop::Ill(_)) {
                block[written] = 0xFFFD;
                replaced = Replaced { count: replaced.count + 1, last: written, ..replaced };
                written += 1;
                if written < block.len() {
                    continue;
                }
                stop = DecodeStop::Output;
            }
            return (Decoded { read, written, stop }, replaced);
        }
    }

    /// The same with a lossy kernel, if there is one and as far as it gets: bytes read, code points
    /// written.
    fn decode_by_kernel(
        &self,
        kernels: &Kernels,
        src: &[u8],
        block: &mut [u32],
    ) -> (usize, usize, Replaced) {
        let direct = match self.decoder.side() {
            Side::Plain(form) if self.is_lossy() => Direct::Pair(form, units::NATIVE_UTF32),
            Side::Charset(charset) if charset.has(units::NATIVE_UTF32) && self.is_lossy() => {
                Direct::Decode(charset, units::NATIVE_UTF32)
            }
            _ => return Default::default(),
        };
        let dst = units::bytes_mut(block);
        let Lossy { read, written, replaced } = shortcut::convert(kernels, direct, true, src, dst);
        let (src, dst) = (&src[..read], &dst[..written]);
        let last = match self.cursor.position {
            Some(_) if replaced > 0 => {
                shortcut::last_replaced(kernels, &self.decoder, direct, src, dst) / 4
            }
            _ => 0,
        };
        (read, written / 4, Replaced { count: replaced as u64, last, ..Replaced::default() })
    }

    /// Whether lossy kernels implement the policy.
    fn is_lossy(&self) -> bool {
        // A U+FFFD of GB 18030 would be mistaken for an error.
        let hides_errors = matches!(self.decoder.side(), Side::Charset(Charset::MultiByte(_)));
        self.policies.only_replaces
            && shortcut::is_lossy(self.source.info(), &self.policies.options)
            && !(hides_errors && self.cursor.position.is_some())
    }

    /// Decodes exactly `count` code points from `before`, leaves the decoder after them, and
    /// returns their length in bytes and what was inserted.
    fn decode_again(
        &mut self,
        kernels: &Kernels,
        before: D,
        src: &[u8],
        count: usize,
        block: &mut [u32],
        last: bool,
    ) -> (usize, Replaced) {
        self.decoder = before;
        if count == 0 {
            return (0, Replaced::default());
        }
        let (decoded, replaced) = self.decode(kernels, src, &mut block[..count], last);
        debug_assert_eq!(decoded.written, count);
        (decoded.read, replaced)
    }

    /// Decodes the first code point at or after `read`, skipping tags and shifts, which are not
    /// characters.
    fn decode_one(&mut self, src: &[u8], mut read: usize, last: bool) -> One {
        loop {
            let (point, consumed, back, length) = match self.decoder.next(&src[read..], last) {
                Next::Skip { length } => {
                    read += length;
                    continue;
                }
                Next::Point { point, length } => {
                    // If a byte becomes several code points, the first one has its length.
                    let back = length.max(1);
                    (point, length, back, back)
                }
                Next::Ill(Ill { pass: Some(pass), consumed, back, length, .. }) => {
                    self.policies.tolerate(pass);
                    let Some(point) = pass.point else {
                        read += consumed;
                        continue;
                    };
                    (point, consumed, back, length)
                }
                // Unreachable: the same bytes gave a code point before.
                Next::Ill(ill) => (0xFFFD, ill.consumed, ill.consumed, ill.consumed),
                Next::End => (0xFFFD, 0, 0, 0),
            };
            return One { point, read: read + consumed, back, length };
        }
    }

    /// Counts code points that were written, the first `mark` of which have no column, and the
    /// errors among them.
    fn advance_over(&mut self, points: &[u32], mark: usize, replaced: Replaced) {
        let counts = &mut self.policies.counts;
        counts.ill_formed += replaced.count;
        counts.tolerated += replaced.tolerated;
        counts.tolerance |= replaced.tolerance;
        if self.cursor.position.is_none() {
            return;
        }
        let mut rest = mark.min(points.len());
        if replaced.count > 0 {
            self.cursor.advance(&points[rest..replaced.last]);
            self.cursor.mark_error();
            rest = replaced.last;
        }
        self.cursor.advance(&points[rest..]);
    }

    /// Applies the policy for an ill-formed sequence that ends before byte `read`.
    fn ill_formed(&mut self, src: &[u8], read: usize, ill: Ill) -> Outcome {
        let error = Error {
            encoding: self.source,
            offset: self.cursor.offset + read as u64 - ill.back as u64,
            length: ill.length as u32,
            kind: ill.kind,
            run_bit: ill.run_bit,
        };
        self.cursor.mark_error();
        let result = self.policies.ill_formed(error, || self.cursor.bytes_of(src, read, ill));
        // It is one column wide.
        self.cursor.advance(&[0xFFFD]);
        result.into()
    }

    /// Applies the policy for an unencodable code point.
    fn unencodable(&mut self, one: &One) -> Outcome {
        let error = Error {
            encoding: self.target,
            offset: self.cursor.offset + one.read as u64 - one.back as u64,
            length: one.length as u32,
            kind: ErrorKind::Unencodable(one.point),
            run_bit: None,
        };
        self.cursor.mark_error();
        let result = self.policies.unencodable(one.point, error);
        self.cursor.advance(&[one.point]);
        result.into()
    }
}

impl From<Result<(), Error>> for Outcome {
    fn from(result: Result<(), Error>) -> Self {
        result.map_or_else(Self::Error, |()| Self::More)
    }
}
