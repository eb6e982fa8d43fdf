//! The main conversion path: decoder → block of code points → encoder.
//!
//! [`Engine`] drives it, however the input is split and whatever the size of the output, and is the
//! only place where policies are applied. Blocks do not persist between calls. If the output fills
//! up in the middle of a block, the decoder, a small struct, is reset to its copy from before the
//! block. It then decodes again as far as the encoder got. The same happens, once per error, to
//! find the bytes of a code point that cannot be encoded.

use utfall_simd::{Form, Kernels, Lossy, dispatch, units};

use crate::codec::{
    Decode, DecodeStop, Decoded, Encode, EncodeStop, Ill, MAX_INCOMPLETE, Next, Pass, Put,
};
use crate::encoding::{AnyDecoder, AnyEncoder};
use crate::lines::Position;
use crate::options::{Action, Bom, Escape, Granularity, Options, Policy, Substitute};
use crate::repertoire::hangul;
use crate::route::{Route, Side};
use crate::{Counts, Encoding, Error, ErrorKind, Progress, Status, Utf7Tolerance, shortcut};

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

/// Called for each error instead of applying the policies.
pub(crate) type Handler<'h> = dyn FnMut(&Error, &[u8]) -> Action + Send + 'h;

pub(crate) struct Engine<'h, D, E> {
    source: Encoding,
    target: Encoding,
    decoder: D,
    encoder: E,
    options: Options,
    handler: Option<&'h mut Handler<'h>>,
    /// Each ill-formed sequence becomes one U+FFFD, which the target has; see [`Engine::decode`].
    only_replaces: bool,
    kernels: &'static Kernels,
    /// An incomplete sequence carried over from the previous input.
    carry: Bytes<{ 2 * CARRY }>,
    /// The last bytes read, for ill-formed sequences that begin before the decoder's input.
    recent: Bytes<CARRY>,
    /// The stream offset of the next byte to decode: the first of `carry`.
    offset: u64,
    /// The line and column of that byte, if tracked.
    pub(crate) position: Option<Position>,
    /// The line and column of the last error.
    error_position: Option<Position>,
    /// Replacement text for an ill-formed sequence, not yet encoded; the target may lack it.
    inserted: Queue,
    /// Replacement text for an unencodable code point.
    substituted: Queue,
    /// How many bytes of the input `inserted` replaces.
    inserted_for: (u64, u32),
    /// Part of `inserted` has been left out, and counted.
    inserted_skipped: bool,
    /// The last block ended at an error, so the next error may be near.
    follows_error: bool,
    /// True until something has been decoded.
    start: bool,
    /// U+FEFF is a BOM at the start of bytes, but text at the start of text in memory.
    source_is_bytes: bool,
    finished: bool,
    /// Another text follows in the same output, so the end of this one does not end the output.
    output_goes_on: bool,
    pub(crate) counts: Counts,
    /// Always use the block, never a kernel.
    #[cfg(test)]
    pub(crate) no_shortcuts: bool,
}

/// How many ill-formed sequences have been accepted, and by which relaxed rules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Passed {
    pub(crate) count: u64,
    pub(crate) leniences: Utf7Tolerance,
}

/// Space for an incomplete sequence and at least one more byte.
pub(crate) const CARRY: usize = MAX_INCOMPLETE + 1;

/// The ill-formed sequences of a block that were replaced by U+FFFD, and those that were accepted.
#[derive(Clone, Copy, Default)]
struct Replaced {
    count: u64,
    /// The index in the block after the last of them, if positions are tracked.
    last: usize,
    passed: Passed,
}

/// One code point: its bytes are the first `length` of the `back` bytes before `read`.
struct One {
    point: u32,
    read: usize,
    back: usize,
    length: usize,
}

impl Passed {
    fn add(&mut self, pass: Pass) {
        self.count += 1;
        self.leniences |= pass.by;
    }
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

impl<E: Encode> Engine<'_, AnyDecoder, E> {
    /// Begins another text in the same output.
    pub(crate) fn next_text(&mut self, source: Encoding, bom: Bom) {
        self.options.bom = bom;
        self.source = source;
        self.decoder = AnyDecoder::new(source, &self.options);
        self.carry = Bytes::new();
        self.recent = Bytes::new();
        self.offset = 0;
        self.position = self.position.map(|_| Position::default());
        self.start = true;
    }
}

impl<'h, D: Decode, E: Encode> Engine<'h, D, E> {
    /// An engine with these parts. `source` and `target` are named in errors.
    pub(crate) fn with(
        source: Encoding,
        decoder: D,
        target: Encoding,
        encoder: E,
        options: Options,
    ) -> Self {
        Self {
            source,
            target,
            decoder,
            encoder,
            options,
            handler: None,
            only_replaces: shortcut::only_replaces(target.info(), &options),
            kernels: dispatch::active(),
            carry: Bytes::new(),
            recent: Bytes::new(),
            offset: 0,
            position: None,
            error_position: None,
            inserted: Queue::new(),
            substituted: Queue::new(),
            inserted_for: (0, 0),
            inserted_skipped: false,
            follows_error: false,
            start: true,
            source_is_bytes: true,
            finished: false,
            output_goes_on: false,
            counts: Counts::default(),
            #[cfg(test)]
            no_shortcuts: false,
        }
    }

    /// The same engine at the same place, without the handler.
    pub(crate) fn fork(&self) -> Engine<'static, D, E> {
        Engine {
            source: self.source,
            target: self.target,
            decoder: self.decoder.clone(),
            encoder: self.encoder.clone(),
            options: self.options,
            handler: None,
            only_replaces: shortcut::only_replaces(self.target.info(), &self.options),
            kernels: self.kernels,
            carry: self.carry,
            recent: self.recent,
            offset: self.offset,
            position: self.position,
            error_position: self.error_position,
            inserted: self.inserted,
            substituted: self.substituted,
            inserted_for: self.inserted_for,
            inserted_skipped: self.inserted_skipped,
            follows_error: self.follows_error,
            start: self.start,
            source_is_bytes: self.source_is_bytes,
            finished: self.finished,
            output_goes_on: self.output_goes_on,
            counts: self.counts,
            #[cfg(test)]
            no_shortcuts: self.no_shortcuts,
        }
    }

    /// The stream offset of the next byte to decode.
    pub(crate) fn offset(&self) -> u64 {
        self.offset
    }

    pub(crate) fn set_handler(&mut self, handler: &'h mut Handler<'h>) {
        self.handler = Some(handler);
        self.only_replaces = false;
    }

    pub(crate) fn track_position(&mut self) {
        self.position.get_or_insert_default();
    }

    /// Begins after `src`, which a kernel of [`Route::at_start`] has converted.
    pub(crate) fn resume_after(&mut self, src: &[u8]) {
        self.start &= src.is_empty();
        self.consume(src, src.len());
    }

    /// A copy of the state between two pieces of input, with another encoder and strict about code
    /// points that it lacks.
    #[cfg(feature = "std")]
    pub(crate) fn fork_to<F: Encode>(&self, encoder: F) -> Engine<'static, D, F> {
        let options =
            Options { on_unencodable: Policy::Strict, transliterate: None, ..self.options };
        let decoder = self.decoder.clone();
        let mut fork = Engine::with(self.source, decoder, self.target, encoder, options);
        fork.only_replaces = false;
        fork.carry = self.carry;
        fork.recent = self.recent;
        fork.offset = self.offset;
        fork.position = self.position;
        fork.start = self.start;
        fork
    }

    /// Begins at an offset inside a text, where U+FEFF is not a BOM.
    #[cfg(feature = "alloc")]
    pub(crate) fn begin_inside(&mut self, offset: u64) {
        self.start = false;
        self.offset = offset;
    }

    /// Whether nothing has been decoded yet.
    #[cfg(feature = "alloc")]
    pub(crate) fn is_at_start(&self) -> bool {
        self.start
    }

    /// The offset and position of the next byte.
    #[cfg(feature = "alloc")]
    pub(crate) fn place(&self) -> (u64, Position) {
        (self.offset, self.position.unwrap_or_default())
    }

    #[cfg(feature = "alloc")]
    pub(crate) fn encoder(&self) -> &E {
        &self.encoder
    }

    #[cfg(feature = "alloc")]
    pub(crate) fn encoder_mut(&mut self) -> &mut E {
        &mut self.encoder
    }

    pub(crate) fn read_memory(&mut self) {
        self.source_is_bytes = false;
    }

    pub(crate) fn set_output_goes_on(&mut self, goes_on: bool) {
        self.output_goes_on = goes_on;
    }

    pub(crate) fn error_position(&self) -> Option<Position> {
        self.error_position
    }

    /// Replaces the encoder by another one without state.
    pub(crate) fn set_encoder(&mut self, target: Encoding, encoder: E) {
        self.target = target;
        self.encoder = encoder;
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
        let (mut read, mut written) = (0, 0);
        let status = loop {
            let (bytes, outcome) = self.drain(&mut dst[written..]);
            written += bytes;
            match outcome {
                Outcome::Output => break Status::OutputFull,
                Outcome::Error(error) => break Status::Error(error),
                Outcome::Input | Outcome::More => {}
            }

            let joins = !self.carry.is_empty();
            let step = if !joins {
                let step = self.step(&src[read..], &mut dst[written..], last);
                read += step.read;
                step
            } else {
                let held = self.carry.len();
                let added = self.carry.extend(&src[read..]);
                let all = read + added == src.len();
                let joined = self.carry;
                let step = self.step(joined.as_slice(), &mut dst[written..], last && all);
                if step.read >= held {
                    // The sequence that was split is complete; continue in the input itself.
                    self.carry = Bytes::new();
                    read += step.read - held;
                } else {
                    let waits = matches!(step.outcome, Outcome::Input);
                    self.carry.truncate(if waits { joined.len() } else { held });
                    self.carry.remove_front(step.read);
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
                let kept = self.carry.extend(&src[read..]);
                debug_assert_eq!(read + kept, src.len());
                read += kept;
            }
            // Even an empty text gets its BOM.
            let is_empty = last && core::mem::take(&mut self.start);
            if is_empty && self.options.bom == Bom::Add && self.add_bom() {
                continue;
            }
            break if !last || self.finished || self.output_goes_on {
                Status::InputEmpty
            } else if let Some(bytes) = self.encoder.finish(&mut dst[written..]) {
                written += bytes;
                self.finished = true;
                Status::InputEmpty
            } else {
                Status::OutputFull
            };
        };
        Progress { read, written, status }
    }

    /// The way for the next bytes.
    fn route(&self) -> Route {
        let renumbers = |encoding: Encoding| encoding.info().repertoire.renumbers();
        // A BOM may have to be written first.
        if self.start || renumbers(self.source) || renumbers(self.target) {
            return Route::CodePoints;
        }
        #[cfg(test)]
        if self.no_shortcuts {
            return Route::CodePoints;
        }
        Route::new(self.decoder.side(), self.encoder.side())
    }

    /// Converts some of `src`: by a kernel if there is one, then through a block.
    fn step(&mut self, src: &[u8], dst: &mut [u8], last: bool) -> Step {
        let route = self.route();
        let (read, written) = self.step_by_kernel(route, src, dst);
        let has_kernel = route != Route::CodePoints;
        // A codec with a kernel of its own may have output left at the end.
        if has_kernel && read == src.len() && (route.is_stateless() || !last) {
            return Step { read, written, outcome: Outcome::Input };
        }
        let (src, dst) = (&src[read..], &mut dst[written..]);
        let step = if route.is_stateless()
            && let Some(step) = self.step_over_ill(src, last)
        {
            step
        } else if self.start {
            // Only the first character: after it, a kernel may take over.
            self.step_by_block::<1>(src, dst, last)
        } else if has_kernel || self.is_small(src, dst) {
            self.step_by_block::<SMALL_BLOCK>(src, dst, last)
        } else {
            self.step_by_block::<BLOCK>(src, dst, last)
        };
        Step { read: read + step.read, written: written + step.written, ..step }
    }

    /// Converts with the kernels of a route, and returns the bytes read and written.
    fn step_by_kernel(&mut self, route: Route, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
        let (read, written) = match route {
            Route::CodePoints => return (0, 0),
            Route::Pair(from, to) => self.convert((from, to), src, dst),
            Route::Check(form) => {
                let read = self.encoder.discard(self.kernels, form, src);
                self.advance_bytes(form, &src[..read]);
                (read, 0)
            }
            Route::ToUtf8 => {
                let (read, written) = self.decoder.decode_to_utf8(self.kernels, src, dst);
                self.advance_bytes(Form::Utf8, &dst[..written]);
                (read, written)
            }
            Route::FromUtf8 => {
                let (read, written) = self.encoder.encode_utf8(self.kernels, src, dst);
                self.advance_bytes(Form::Utf8, &src[..read]);
                (read, written)
            }
            Route::CheckAsUtf8 => self.check_as_utf8(src),
            Route::ToUtf8Then(to) => self.by_way_of_utf8(src, dst, |engine, src, middle, dst| {
                let (read, filled) = engine.decoder.decode_to_utf8(engine.kernels, src, middle);
                let (_, written) = engine.kernels.convert(Form::Utf8, to, &middle[..filled], dst);
                (read, filled, written)
            }),
            Route::FromUtf8After(from) => {
                self.by_way_of_utf8(src, dst, |engine, src, middle, dst| {
                    let (read, filled) = engine.kernels.convert(from, Form::Utf8, src, middle);
                    let middle = &middle[..filled];
                    let (_, written) = engine.encoder.encode_utf8(engine.kernels, middle, dst);
                    (read, filled, written)
                })
            }
        };
        self.consume(src, read);
        (read, written)
    }

    /// Checks with the kernel of the decoder.
    fn check_as_utf8(&mut self, src: &[u8]) -> (usize, usize) {
        let (mut read, mut scratch) = (0, [0; SCRATCH]);
        loop {
            let rest = &src[read..];
            let (bytes, filled) = self.decoder.decode_to_utf8(self.kernels, rest, &mut scratch);
            self.advance_bytes(Form::Utf8, &scratch[..filled]);
            read += bytes;
            if bytes == 0 || read == src.len() {
                return (read, 0);
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
            self.advance_bytes(Form::Utf8, &middle[..filled]);
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
        forms @ (from, to): (Form, Form),
        src: &[u8],
        dst: &mut [u8],
    ) -> (usize, usize) {
        let Lossy { read, written, replaced } =
            shortcut::convert(self.kernels, forms, self.is_lossy(), src, dst);
        let (src, dst) = (&src[..read], &dst[..written]);
        self.counts.ill_formed += replaced as u64;
        if let Some(position) = &mut self.position {
            if replaced > 0 {
                let last = shortcut::last_replaced(self.kernels, &self.decoder, forms, src, dst);
                // One column for each sequence, ill-formed or not: as in the output.
                position.advance_bytes(to, &dst[..last]);
                self.error_position = Some(*position);
                position.advance_bytes(to, &dst[last..]);
            } else if dst.len() < src.len() {
                position.advance_bytes(to, dst);
            } else {
                position.advance_bytes(from, src);
            }
        }
        (read, written)
    }

    /// A kernel stops before an ill-formed sequence. No block is needed for one, unless a block can
    /// handle many at once.
    fn step_over_ill(&mut self, src: &[u8], last: bool) -> Option<Step> {
        if self.only_replaces {
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
        self.consume(src, read);
        Some(Step { read, written: 0, outcome })
    }

    /// Whether there is output.
    fn writes(&self) -> bool {
        !matches!(self.encoder.side(), Side::Discarded | Side::Inspected)
    }

    /// Whether a block is likely to yield little: clearing a large one costs more than all work on
    /// a small one.
    fn is_small(&self, src: &[u8], dst: &[u8]) -> bool {
        let is_full = dst.len() <= SMALL_BLOCK && self.writes();
        src.len() <= SMALL_BLOCK || is_full || self.follows_error
    }

    fn step_by_block<const N: usize>(&mut self, src: &[u8], dst: &mut [u8], last: bool) -> Step {
        let before = self.decoder.clone();
        let mut block = [0; N];
        // Almost every code point takes at least one byte of output.
        let room = if self.writes() { dst.len().max(1) } else { N };
        let block = &mut block[..N.min(room)];
        let (decoded, replaced) = self.decode(src, block, last);
        let ill = match decoded.stop {
            DecodeStop::Ill(ill) => Some(ill),
            DecodeStop::Input | DecodeStop::Output => None,
        };

        // How many code points are not written, and how many have no column.
        let (mut first, mut mark) = (0, 0);
        let at_start = self.start;
        if self.start && (decoded.written > 0 || ill.is_some()) {
            self.start = false;
            let marked =
                block[..decoded.written].first() == Some(&0xFEFF) && !self.decoder.removes_bom();
            mark = usize::from(marked && self.source_is_bytes);
            let bom = self.options.bom;
            match bom {
                Bom::Strip if marked => first = 1,
                Bom::Add if !marked && self.add_bom() => {
                    self.decoder = before;
                    return Step { read: 0, written: 0, outcome: Outcome::More };
                }
                // The BOM of the source becomes that of the target.
                _ if marked && self.source_is_bytes => self.encoder.omit_bom(),
                _ => {}
            }
        }

        let points = &mut block[first..decoded.written];
        let encoded = self.encode(points, dst);
        let taken = first + encoded.read;
        self.follows_error = ill.is_some() || matches!(encoded.stop, EncodeStop::Unencodable);
        match encoded.stop {
            EncodeStop::Input => {
                self.advance_over(&block[..taken], mark, replaced);
                let outcome = match (ill, decoded.stop) {
                    (Some(ill), _) => self.ill_formed(src, decoded.read, ill),
                    (None, DecodeStop::Output) => Outcome::More,
                    (None, _) => Outcome::Input,
                };
                self.consume(src, decoded.read);
                Step { read: decoded.read, written: encoded.written, outcome }
            }
            EncodeStop::Output => {
                let (read, replaced) = self.decode_again(before, src, taken, block, last);
                self.advance_over(&block[..taken], mark, replaced);
                self.consume(src, read);
                // A BOM that did not fit in the output still has to be written.
                self.start = at_start && taken == 0;
                Step { read, written: encoded.written, outcome: Outcome::Output }
            }
            EncodeStop::Unencodable => {
                let (behind, replaced) = self.decode_again(before, src, taken, block, last);
                self.advance_over(&block[..taken], mark, replaced);
                let one = self.decode_one(src, behind, last);
                let at = (self.offset + one.read as u64 - one.back as u64, one.length as u32);
                let outcome = self.unencodable(one.point, at);
                self.advance(&[one.point]);
                self.consume(src, one.read);
                Step { read: one.read, written: encoded.written, outcome }
            }
        }
    }

    /// Queues a BOM, if the target has one.
    fn add_bom(&mut self) -> bool {
        if self.target.info().signature.is_empty() {
            return false;
        }
        self.encoder.omit_bom();
        self.inserted.push(0xFEFF);
        true
    }

    /// Decodes. If the policy is just one U+FFFD per ill-formed sequence, it is inserted right
    /// away, to keep text full of errors fast.
    fn decode(&mut self, src: &[u8], block: &mut [u32], last: bool) -> (Decoded, Replaced) {
        let (mut read, mut written, mut replaced) = self.decode_by_kernel(src, block);
        loop {
            let decoded = self.decoder.decode(&src[read..], &mut block[written..], last);
            read += decoded.read;
            written += decoded.written;
            let mut stop = decoded.stop;
            if let DecodeStop::Ill(Ill { pass: Some(pass), .. }) = stop {
                replaced.passed.add(pass);
                if let Some(point) = pass.point {
                    block[written] = point;
                    written += 1;
                }
                if written < block.len() {
                    continue;
                }
                stop = DecodeStop::Output;
            } else if self.only_replaces && matches!(stop, DecodeStop::Ill(_)) {
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
    fn decode_by_kernel(&self, src: &[u8], block: &mut [u32]) -> (usize, usize, Replaced) {
        let Some(form) = self.decoder.side().form().filter(|_| self.is_lossy()) else {
            return Default::default();
        };
        let forms = (form, units::NATIVE_UTF32);
        let dst = units::octets_mut(block);
        let Lossy { read, written, replaced } =
            shortcut::convert(self.kernels, forms, true, src, dst);
        let (src, dst) = (&src[..read], &dst[..written]);
        let last = match self.position {
            Some(_) if replaced > 0 => {
                shortcut::last_replaced(self.kernels, &self.decoder, forms, src, dst) / 4
            }
            _ => 0,
        };
        (read, written / 4, Replaced { count: replaced as u64, last, ..Replaced::default() })
    }

    /// Whether lossy kernels implement the policy.
    fn is_lossy(&self) -> bool {
        self.only_replaces && shortcut::is_lossy(self.source.info(), &self.options)
    }

    /// Decodes exactly `count` code points from `before`, leaves the decoder after them, and
    /// returns their length in bytes and what was inserted.
    fn decode_again(
        &mut self,
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
        let (decoded, replaced) = self.decode(src, &mut block[..count], last);
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
                Next::Point { point, length } => (point, length, length, length),
                Next::Ill(Ill { pass: Some(pass), consumed, back, length, .. }) => {
                    self.counts.tolerated += 1;
                    self.counts.tolerance |= pass.by;
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

    /// The repertoire step and the encoder.
    fn encode(&mut self, points: &mut [u32], dst: &mut [u8]) -> crate::codec::Encoded {
        let from_1_1 = self.source.info().repertoire.renumbers();
        let to_1_1 = self.target.info().repertoire.renumbers();
        if !from_1_1 && !to_1_1 {
            return self.encoder.encode(points, dst);
        }
        let mut points = points;
        if from_1_1 {
            points.iter_mut().for_each(|point| *point = hangul::from_1_1(*point));
        }
        let mut lacking = false;
        if to_1_1 {
            for at in 0..points.len() {
                match hangul::to_1_1(points[at]) {
                    Some(point) => points[at] = point,
                    None => {
                        lacking = true;
                        points = &mut points[..at];
                        break;
                    }
                }
            }
        }
        let mut encoded = self.encoder.encode(points, dst);
        if lacking && encoded.stop == EncodeStop::Input {
            encoded.stop = EncodeStop::Unencodable;
        }
        encoded
    }

    /// Counts bytes as read. Called once per step, after errors have been located.
    fn consume(&mut self, src: &[u8], read: usize) {
        self.offset += read as u64;
        self.recent.keep_last(&src[..read]);
    }

    /// Counts code points that were written, the first `mark` of which have no column, and the
    /// errors among them.
    fn advance_over(&mut self, points: &[u32], mark: usize, replaced: Replaced) {
        self.counts.ill_formed += replaced.count;
        self.counts.tolerated += replaced.passed.count;
        self.counts.tolerance |= replaced.passed.leniences;
        if self.position.is_none() {
            return;
        }
        let mut rest = mark.min(points.len());
        if replaced.count > 0 {
            self.advance(&points[rest..replaced.last]);
            self.error_position = self.position;
            rest = replaced.last;
        }
        self.advance(&points[rest..]);
    }

    fn advance_bytes(&mut self, form: Form, bytes: &[u8]) {
        if let Some(position) = &mut self.position {
            position.advance_bytes(form, bytes);
        }
    }

    fn advance(&mut self, points: &[u32]) {
        if let Some(position) = &mut self.position {
            position.advance_points(points);
        }
    }

    /// Applies the policy for an ill-formed sequence that ends before byte `read`.
    fn ill_formed(&mut self, src: &[u8], read: usize, ill: Ill) -> Outcome {
        let error = Error {
            encoding: self.source,
            offset: self.offset + read as u64 - ill.back as u64,
            length: ill.length as u32,
            kind: ill.kind,
            run_bit: ill.run_bit,
        };
        let bytes = match (&self.handler, self.options.on_ill_formed) {
            // The bytes are not needed.
            (None, Policy::Strict | Policy::Skip) => Bytes::new(),
            _ => self.bytes(src, read, ill),
        };
        let bytes = bytes.as_slice();
        self.counts.ill_formed += 1;
        self.error_position = self.position;
        self.inserted_for = (error.offset, error.length);
        self.inserted_skipped = false;

        let action = match &mut self.handler {
            Some(handler) => handler(&error, bytes),
            None => match self.options.on_ill_formed {
                Policy::Strict => Action::Stop,
                Policy::Skip => Action::Skip,
                Policy::Replace => {
                    let count = match self.options.granularity {
                        Granularity::PerByte => bytes.len(),
                        _ => 1,
                    };
                    match &self.options.replacement {
                        Some(text) => self.inserted.extend(text.points()),
                        None => self.inserted.push(0xFFFD),
                    }
                    self.inserted.repeat(count);
                    return self.go_on();
                }
                Policy::Escape(_) => {
                    bytes.iter().for_each(|byte| self.inserted.push_hex("\\x", *byte, 2));
                    return self.go_on();
                }
                Policy::SurrogateEscape if bytes.iter().all(|byte| !byte.is_ascii()) => {
                    bytes.iter().for_each(|byte| self.inserted.push(0xDC00 + u32::from(*byte)));
                    return self.go_on();
                }
                Policy::SurrogateEscape => Action::Stop,
            },
        };
        match action {
            Action::Stop => {
                self.go_on();
                Outcome::Error(error)
            }
            Action::Skip => {
                self.counts.skipped += 1;
                self.go_on()
            }
            Action::Substitute(text) => {
                self.inserted.extend(text.points());
                self.go_on()
            }
        }
    }

    /// An ill-formed sequence is one column wide.
    fn go_on(&mut self) -> Outcome {
        self.advance(&[0xFFFD]);
        Outcome::More
    }

    /// The bytes of an ill-formed sequence, some of which may have been read earlier.
    fn bytes(&self, src: &[u8], read: usize, ill: Ill) -> Bytes<CARRY> {
        let mut bytes = Bytes::new();
        let earlier = ill.back.saturating_sub(read);
        let recent = self.recent.as_slice();
        bytes.extend(&recent[recent.len().saturating_sub(earlier)..]);
        bytes.extend(&src[read.saturating_sub(ill.back)..read]);
        bytes.truncate(ill.length);
        bytes
    }

    /// Counts an unencodable code point, decoded from `length` bytes at `offset`, and applies the
    /// policy.
    fn unencodable(&mut self, point: u32, at: (u64, u32)) -> Outcome {
        self.counts.unencodable += 1;
        self.error_position = self.position;
        self.substitute(point, at)
    }

    /// Applies the policy for an unencodable code point.
    fn substitute(&mut self, point: u32, (offset, length): (u64, u32)) -> Outcome {
        let point = match self.source.info().repertoire.renumbers() {
            true => hangul::from_1_1(point),
            false => point,
        };
        let kind = ErrorKind::Unencodable(point);
        let error = Error { encoding: self.target, offset, length, kind, run_bit: None };
        let transliterate = self.options.transliterate.filter(|_| self.handler.is_none());
        if let Some(text) = transliterate.and_then(|transliterate| transliterate.text(point)) {
            text.chars().for_each(|scalar| self.substituted.push(u32::from(scalar)));
            return Outcome::More;
        }

        let action = match &mut self.handler {
            Some(handler) => handler(&error, &[]),
            None => match self.options.on_unencodable {
                Policy::Strict => Action::Stop,
                Policy::Skip => Action::Skip,
                Policy::Replace => {
                    match &self.options.substitute {
                        Some(text) => self.substituted.extend(text.points()),
                        None => self.substituted.push(0xFFFD),
                    }
                    return Outcome::More;
                }
                Policy::Escape(style) => {
                    self.substituted.push_escape(style, point);
                    return Outcome::More;
                }
                Policy::SurrogateEscape
                    if self.target.info().ascii_transparent && matches!(point, 0xDC80..=0xDCFF) =>
                {
                    self.substituted.push(RAW | (point & 0xFF));
                    return Outcome::More;
                }
                Policy::SurrogateEscape => Action::Stop,
            },
        };
        match action {
            Action::Stop => Outcome::Error(error),
            Action::Skip => {
                self.counts.skipped += 1;
                Outcome::More
            }
            Action::Substitute(text) => {
                self.substituted.extend(text.points());
                Outcome::More
            }
        }
    }

    /// Encodes what policies have inserted. Returns `More` when all of it is written.
    fn drain(&mut self, dst: &mut [u8]) -> (usize, Outcome) {
        let mut written = 0;
        loop {
            let room = &mut dst[written..];
            if let Some(point) = self.substituted.first() {
                match self.put(point, room) {
                    Put::Written(bytes) => written += bytes,
                    Put::Full => return (written, Outcome::Output),
                    // A substitute that the target lacks becomes `?`, or nothing.
                    Put::Unencodable if point != u32::from('?') => {
                        self.substituted.replace_first(u32::from('?'));
                        continue;
                    }
                    Put::Unencodable => {}
                }
                self.substituted.pop();
            } else if let Some(point) = self.inserted.first() {
                match self.put(point, room) {
                    Put::Written(bytes) => written += bytes,
                    Put::Full => return (written, Outcome::Output),
                    Put::Unencodable => {
                        // It is counted as ill-formed, and as left out once, however many code
                        // points the replacement has.
                        self.inserted.pop();
                        let skipped = self.counts.skipped;
                        let outcome = self.substitute(point, self.inserted_for);
                        if self.counts.skipped > skipped {
                            self.counts.skipped -= u64::from(self.inserted_skipped);
                            self.inserted_skipped = true;
                        }
                        match outcome {
                            Outcome::Error(error) => return (written, Outcome::Error(error)),
                            _ => continue,
                        }
                    }
                }
                self.inserted.pop();
            } else {
                return (written, Outcome::More);
            }
        }
    }

    /// Encodes one code point, or writes one raw byte.
    fn put(&mut self, point: u32, dst: &mut [u8]) -> Put {
        if point & RAW != 0 {
            let Some(byte) = dst.first_mut() else { return Put::Full };
            *byte = point as u8;
            return Put::Written(1);
        }
        let renumbered = match self.target.info().repertoire.renumbers() {
            true => hangul::to_1_1(point),
            false => Some(point),
        };
        renumbered.map_or(Put::Unencodable, |point| self.encoder.put(point, dst))
    }
}

/// Marks an entry of a queue as a raw byte. Code points have 31 bits.
const RAW: u32 = 0x8000_0000;

/// A short queue of code points.
#[derive(Clone, Copy)]
struct Queue {
    points: [u32; QUEUE],
    begin: usize,
    end: usize,
    /// How many more times to repeat the points.
    repeats: usize,
}

/// The longest text that a policy inserts: `\xNN` for each byte of a sequence.
const QUEUE: usize = 4 * CARRY;
const _: () = assert!(Substitute::MAX <= QUEUE);

impl Queue {
    const fn new() -> Self {
        Self { points: [0; QUEUE], begin: 0, end: 0, repeats: 0 }
    }

    fn first(&self) -> Option<u32> {
        self.points[self.begin..self.end].first().copied()
    }

    fn replace_first(&mut self, point: u32) {
        self.points[self.begin] = point;
    }

    fn pop(&mut self) {
        self.begin += 1;
        if self.begin == self.end {
            self.begin = 0;
            match self.repeats {
                0 => self.end = 0,
                _ => self.repeats -= 1,
            }
        }
    }

    /// Repeats all points `count` times in total; 0 empties the queue.
    fn repeat(&mut self, count: usize) {
        match count {
            0 => self.end = 0,
            _ if self.end > 0 => self.repeats = count - 1,
            _ => {}
        }
    }

    fn push(&mut self, point: u32) {
        self.points[self.end] = point;
        self.end += 1;
    }

    fn extend(&mut self, points: &[u32]) {
        points.iter().for_each(|point| self.push(*point));
    }

    fn push_str(&mut self, text: &str) {
        text.bytes().for_each(|byte| self.push(u32::from(byte)));
    }

    /// `mark`, then at least `width` hexadecimal digits.
    fn push_hex(&mut self, mark: &str, value: impl Into<u32>, width: u32) {
        let value = value.into();
        self.push_str(mark);
        let digits = width.max((35 - value.leading_zeros()) / 4);
        for at in (0..digits).rev() {
            let digit = char::from_digit(value >> (4 * at) & 0xF, 16).unwrap_or('0');
            self.push(u32::from(digit));
        }
    }

    fn push_escape(&mut self, style: Escape, point: u32) {
        match style {
            Escape::Braces => {
                self.push_hex("\\u{", point, 1);
                self.push_str("}");
            }
            Escape::Xml => {
                self.push_str("&#");
                let digits = point.checked_ilog10().unwrap_or(0) + 1;
                for at in (0..digits).rev() {
                    self.push(u32::from('0') + point / 10_u32.pow(at) % 10);
                }
                self.push_str(";");
            }
            Escape::Python => match point {
                0..=0xFF => self.push_hex("\\x", point, 2),
                0x100..=0xFFFF => self.push_hex("\\u", point, 4),
                _ => self.push_hex("\\U", point, 8),
            },
        }
    }
}

/// A short byte buffer.
#[derive(Clone, Copy)]
struct Bytes<const N: usize> {
    bytes: [u8; N],
    length: usize,
}

impl<const N: usize> Bytes<N> {
    const fn new() -> Self {
        Self { bytes: [0; N], length: 0 }
    }

    fn len(&self) -> usize {
        self.length
    }

    fn is_empty(&self) -> bool {
        self.length == 0
    }

    fn as_slice(&self) -> &[u8] {
        &self.bytes[..self.length]
    }

    /// Adds as much of `more` as fits, and returns how much that was.
    fn extend(&mut self, more: &[u8]) -> usize {
        let count = more.len().min(N - self.length);
        self.bytes[self.length..][..count].copy_from_slice(&more[..count]);
        self.length += count;
        count
    }

    fn truncate(&mut self, length: usize) {
        self.length = self.length.min(length);
    }

    fn remove_front(&mut self, count: usize) {
        self.bytes.copy_within(count..self.length, 0);
        self.length -= count;
    }

    /// Appends `more` and drops all but the last `N` bytes.
    fn keep_last(&mut self, more: &[u8]) {
        let more = &more[more.len().saturating_sub(N)..];
        let surplus = (self.length + more.len()).saturating_sub(N);
        self.remove_front(surplus);
        self.extend(more);
    }
}
