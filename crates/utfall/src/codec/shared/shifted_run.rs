//! The shifted runs of UTF-7 and of IMAP: Base64 digits that encode big-endian 16-bit units.
//!
//! A run may be of any length, so its state is just the few bits that the last digit of a code
//! point contributes to the next one. Digits that do not complete a code point are left unread,
//! like any incomplete sequence. Where a unit begins follows from the number of bits: the bits of a
//! run end with a digit, and each digit has six.

use utfall_simd::utf7::RunState;

use crate::codec::Ill;
use crate::{ErrorKind, Utf7Tolerance};

/// The value of each byte as a digit, or [`NO_DIGIT`].
pub(in crate::codec) type DigitValues = [u8; 256];

/// Marks a byte that is not a digit of the alphabet. Digits have six bits, so this value survives
/// an OR with them.
pub(in crate::codec) const NO_DIGIT: u8 = 0x80;

/// The inverse of an alphabet.
pub(in crate::codec) const fn digit_values(alphabet: &[u8; 64]) -> DigitValues {
    let mut values = [NO_DIGIT; 256];
    let mut value = 0;
    while value < 64 {
        values[alphabet[value as usize] as usize] = value;
        value += 1;
    }
    values
}

/// How to read the runs of a format.
pub(in crate::codec) struct RunFormat {
    pub(in crate::codec) digits: DigitValues,
    /// The character that begins a run.
    pub(in crate::codec) shift: u8,
    /// A digit that the format does not have, accepted by [`Utf7Tolerance::SLASH_DIGIT`].
    pub(in crate::codec) foreign: Option<u8>,
    /// The relaxed rule that accepts a run directly after another.
    pub(in crate::codec) next_run: Utf7Tolerance,
}

impl RunFormat {
    pub(in crate::codec) fn is_digit(&self, byte: u8) -> bool {
        self.digits[usize::from(byte)] != NO_DIGIT
    }

    /// The relaxed rules that accept these digits.
    fn digits_take(&self, digits: &[u8]) -> Utf7Tolerance {
        match self.foreign {
            Some(byte) if digits.contains(&byte) => Utf7Tolerance::SLASH_DIGIT,
            _ => Utf7Tolerance::NONE,
        }
    }
}

/// The bits left over between two code points while reading a run.
#[derive(Clone, Copy, Default)]
pub(in crate::codec) struct RunReader {
    /// Bits of the last digit that belong to the next unit, in the low end.
    bits: u32,
    /// Their number: 0, 2 or 4.
    count: u32,
}

/// The result of [`RunReader::next`].
pub(in crate::codec) enum Found {
    /// A code point. Its last digit is the last of `length` bytes.
    Point { point: u32, length: usize },
    /// An unpaired surrogate. The run continues.
    Ill(Ill),
    /// Bits left over at the end of the run that violate a rule.
    IllEnd(Ill),
    /// The end of the run. The bits left over, in `length` bytes, are valid padding.
    End { length: usize },
    /// Incomplete: the digits, if any, do not yet make up a code point.
    More,
}

impl RunReader {
    /// Reads digits from the start of `src` to the end of a code point, or of the run.
    #[inline]
    pub(in crate::codec) fn next(
        &mut self,
        src: &[u8],
        format: &RunFormat,
        allow: Utf7Tolerance,
        last: bool,
    ) -> Found {
        let Self { mut bits, mut count } = *self;
        let run_bit = Some(self.next_bit());
        let mut high = 0;
        for (at, byte) in src.iter().enumerate() {
            let value = format.digits[usize::from(*byte)];
            if value == NO_DIGIT {
                return self.end(src, at, (bits, count, high), format, allow, last);
            }
            let more = bits << 6 | u32::from(value);
            if count < 10 {
                (bits, count) = (more, count + 6);
                continue;
            }
            let rest = count - 10;
            let unit = more >> rest & 0xFFFF;
            let is_low = matches!(unit, 0xDC00..=0xDFFF);
            if high != 0 && !is_low {
                // Consume up to the digit with the surrogate's last bit. The rest of that digit and
                // all digits after it belong to the next unit, which is read again.
                let later = count / 6;
                let length = digits(count + 16) - later as usize;
                let consumed = at - later as usize;
                let kept = count % 6;
                *self = Self { bits: (bits >> (6 * later)) & ((1 << kept) - 1), count: kept };
                let kind = ErrorKind::HighSurrogate;
                let by = format.digits_take(&src[..consumed]) | Utf7Tolerance::LONE_SURROGATES;
                let ill = Ill { consumed, run_bit, ..Ill::new(kind, length) };
                return Found::Ill(ill.passing(allow, by, high));
            }
            (bits, count) = (more & ((1 << rest) - 1), rest);
            let length = at + 1;
            let point = match unit {
                0xD800..=0xDBFF => {
                    high = unit;
                    continue;
                }
                _ if is_low && high == 0 => {
                    *self = Self { bits, count };
                    let kind = ErrorKind::LowSurrogate;
                    let by = format.digits_take(&src[..length]) | Utf7Tolerance::LONE_SURROGATES;
                    let ill = Ill { consumed: length, run_bit, ..Ill::new(kind, self.last_unit()) };
                    return Found::Ill(ill.passing(allow, by, unit));
                }
                _ if is_low => pair(high, unit),
                _ => unit,
            };
            *self = Self { bits, count };
            let foreign = format
                .foreign
                .and_then(|foreign| src[..length].iter().position(|byte| *byte == foreign));
            if let Some(at) = foreign {
                let back = length - at;
                let ill = Ill { consumed: length, back, ..Ill::new(ErrorKind::SlashDigit, 1) };
                return Found::Ill(ill.passing(allow, Utf7Tolerance::SLASH_DIGIT, point));
            }
            return Found::Point { point, length };
        }
        match last {
            true => self.end(src, src.len(), (bits, count, high), format, allow, last),
            false => Found::More,
        }
    }

    /// Ends the run after the first `length` bytes of `src`, with these bits and high surrogate.
    fn end(
        &mut self,
        src: &[u8],
        length: usize,
        (bits, count, high): (u32, u32, u32),
        format: &RunFormat,
        allow: Utf7Tolerance,
        last: bool,
    ) -> Found {
        let kind = match count {
            8.. => ErrorKind::OddBytes,
            6.. => ErrorKind::DanglingDigit,
            _ if bits != 0 => ErrorKind::NonZeroPadding,
            _ if high != 0 => ErrorKind::HighSurrogate,
            _ => {
                *self = Self::default();
                return Found::End { length };
            }
        };
        let mut by = format.digits_take(&src[..length]);
        if count >= 6 {
            by |= Utf7Tolerance::DANGLING_DIGITS;
        }
        if bits != 0 {
            by |= Utf7Tolerance::NON_ZERO_PADDING;
        }
        let run_bit = Some(self.next_bit());
        if high == 0 {
            *self = Self::default();
            let ill = Ill { consumed: length, run_bit, ..Ill::new(kind, digits(count)) };
            return Found::IllEnd(ill.passing(allow, by, None));
        }
        let kind = ErrorKind::HighSurrogate;
        let ill = Ill { consumed: length, run_bit, ..Ill::new(kind, digits(count + 16)) };
        let joined = by | Utf7Tolerance::SPLIT_PAIRS | format.next_run;
        if allow.contains(joined) {
            match low_in_next_run(&src[length..], format, last) {
                Low::Point { low, rest } => {
                    *self = Self { bits: rest, count: 2 };
                    let (consumed, back) = (length + LOW_IN_NEXT_RUN, ill.back + LOW_IN_NEXT_RUN);
                    let by = joined | format.digits_take(&src[length..consumed]);
                    let ill = Ill { consumed, back, ..ill };
                    return Found::Ill(ill.passing(allow, by, pair(high, low)));
                }
                Low::More => return Found::More,
                Low::None => {}
            }
        }
        *self = Self::default();
        Found::IllEnd(ill.passing(allow, by | Utf7Tolerance::LONE_SURROGATES, high))
    }

    /// The position of the next unit in its group of three.
    pub(in crate::codec) fn next_bit(&self) -> u8 {
        // Digits end two bits after the first unit, and four after the second.
        8 * self.count as u8
    }

    /// The digits that hold the unit just read, including the last digit read.
    pub(in crate::codec) fn last_unit(&self) -> usize {
        digits(self.count + 16)
    }

    /// The bits of the incomplete unit, and their number.
    pub(in crate::codec) fn bits(&self) -> (u8, u8) {
        (self.bits as u8, self.count as u8)
    }

    /// Whether the run may end here.
    #[inline]
    pub(in crate::codec) fn is_complete(&self) -> bool {
        self.bits == 0
    }

    /// Fast path: reads digits as long as they form code points. Returns bytes read and code points
    /// written; [`next`](Self::next) reports what stopped it.
    #[inline]
    pub(in crate::codec) fn read_points(
        &mut self,
        src: &[u8],
        dst: &mut [u32],
        values: &DigitValues,
    ) -> (usize, usize) {
        let (mut at, mut read, mut written) = (0, 0, 0);
        let Self { mut bits, mut count } = *self;
        let mut high = 0;
        while let Some(byte) = src.get(at) {
            let value = values[usize::from(*byte)];
            if value == NO_DIGIT {
                break;
            }
            at += 1;
            let more = bits << 6 | u32::from(value);
            if count < 10 {
                (bits, count) = (more, count + 6);
                continue;
            }
            let rest = count - 10;
            let unit = more >> rest & 0xFFFF;
            (bits, count) = (more & ((1 << rest) - 1), rest);
            let Some(room) = dst.get_mut(written) else { break };
            match (unit & 0xFC00, high) {
                (0xD800, 0) => {
                    high = unit;
                    continue;
                }
                (0xDC00, 0xD800..) => {
                    *room = pair(high, unit);
                    high = 0;
                }
                (0xD800 | 0xDC00, _) | (_, 0xD800..) => break,
                _ => *room = unit,
            }
            written += 1;
            // Most runs are short; in a longer one, try whole groups.
            if count == 0 {
                let (bytes, points) = read_groups(&src[at..], &mut dst[written..], values);
                at += bytes;
                written += points;
            }
            read = at;
            *self = Self { bits, count };
        }
        (read, written)
    }
}

/// Reads groups of eight digits that form three units without surrogates, starting at a unit.
/// Returns bytes read and code points written.
#[inline]
fn read_groups(src: &[u8], dst: &mut [u32], values: &DigitValues) -> (usize, usize) {
    let mut count = 0;
    for (bytes, points) in src.as_chunks::<8>().0.iter().zip(dst.as_chunks_mut::<3>().0) {
        let (mut bits, mut any) = (0_u64, 0);
        for byte in bytes {
            let value = values[usize::from(*byte)];
            any |= value;
            bits = bits << 6 | u64::from(value & 0x3F);
        }
        let units = [bits >> 32, bits >> 16 & 0xFFFF, bits & 0xFFFF].map(|unit| unit as u32);
        if any & NO_DIGIT != 0 || units.iter().any(|unit| unit & 0xF800 == 0xD800) {
            break;
        }
        *points = units;
        count += 1;
    }
    (8 * count, 3 * count)
}

/// The code point of a surrogate pair.
fn pair(high: u32, low: u32) -> u32 {
    0x1_0000 + ((high & 0x3FF) << 10) + (low & 0x3FF)
}

/// The number of bytes from the end of a run to the end of a low surrogate that begins the next
/// run.
const LOW_IN_NEXT_RUN: usize = 5;

/// The text after a run that ends in a high surrogate.
enum Low {
    /// A run that begins with a low surrogate; two bits of its third digit are left over.
    Point {
        low: u32,
        rest: u32,
    },
    /// The beginning of something that may be one.
    More,
    None,
}

/// Looks for `-`, a shift character, and a low surrogate at the start of `src`.
fn low_in_next_run(src: &[u8], format: &RunFormat, last: bool) -> Low {
    let mut bits = 0;
    for at in 0..LOW_IN_NEXT_RUN {
        let Some(byte) = src.get(at) else { return if last { Low::None } else { Low::More } };
        let fits = match at {
            0 => *byte == b'-',
            1 => *byte == format.shift,
            _ => format.is_digit(*byte),
        };
        if !fits {
            return Low::None;
        }
        bits = bits << 6 | u32::from(format.digits[usize::from(*byte)] & 0x3F);
    }
    match bits >> 2 & 0xFFFF {
        low @ 0xDC00..=0xDFFF => Low::Point { low, rest: bits & 3 },
        _ => Low::None,
    }
}

/// How many digits, counted back from the end of a digit, hold the last `bits` bits.
fn digits(bits: u32) -> usize {
    bits.div_ceil(6) as usize
}

/// The bits of a run that have not been written yet.
#[derive(Clone, Copy, Default)]
pub(in crate::codec) struct RunWriter {
    /// Bits that do not fill a digit yet, in the low end.
    bits: u64,
    /// Their number: 0, 2 or 4.
    count: u32,
}

impl RunReader {
    /// In a run, the state to pass to a kernel.
    pub(in crate::codec) fn state(self) -> RunState {
        RunState::in_run(self.bits as u8, self.count as u8)
    }
}

impl From<RunState> for RunReader {
    fn from(state: RunState) -> Self {
        Self { bits: state.bits().into(), count: state.count().into() }
    }
}

impl RunWriter {
    /// In a run, the state to pass to a kernel.
    pub(in crate::codec) fn state(self) -> RunState {
        RunState::in_run(self.bits as u8, self.count as u8)
    }
}

impl From<RunState> for RunWriter {
    fn from(state: RunState) -> Self {
        Self { bits: state.bits().into(), count: state.count().into() }
    }
}

impl RunWriter {
    /// Writes the digits of one code point, including the bits left over before: at most six.
    /// Returns their number.
    #[inline]
    pub(in crate::codec) fn put(
        &mut self,
        point: u32,
        dst: &mut [u8; 6],
        alphabet: &[u8; 64],
    ) -> usize {
        let (units, width) = match point {
            0..=0xFFFF => (point, 16),
            _ => {
                let offset = point - 0x1_0000;
                (0xD800_DC00 | (offset & 0xF_FC00) << 6 | offset & 0x3FF, 32)
            }
        };
        self.bits = self.bits << width | u64::from(units);
        self.count += width;
        let count = (self.count / 6) as usize;
        for digit in &mut dst[..count] {
            self.count -= 6;
            *digit = alphabet[(self.bits >> self.count & 0x3F) as usize];
        }
        self.bits &= (1 << self.count) - 1;
        count
    }

    /// The last digit of the run, if bits are left over, which become its high bits.
    pub(in crate::codec) fn last_digit(&self, alphabet: &[u8; 64]) -> Option<u8> {
        (self.count > 0).then(|| alphabet[(self.bits << (6 - self.count) & 0x3F) as usize])
    }

    /// Fast path: writes code points as long as `accept` returns true. Returns code points read and
    /// bytes written.
    #[inline]
    pub(in crate::codec) fn write_points(
        &mut self,
        src: &[u32],
        dst: &mut [u8],
        alphabet: &[u8; 64],
        accept: impl Fn(u32) -> bool,
    ) -> (usize, usize) {
        let (mut read, mut written) = (0, 0);
        for point in src {
            let room = dst.get_mut(written..).and_then(<[u8]>::first_chunk_mut::<6>);
            let Some(room) = room else { break };
            if *point > 0x10_FFFF || point & 0xFFFF_F800 == 0xD800 || !accept(*point) {
                break;
            }
            written += match u16::try_from(*point) {
                Ok(unit) => self.put_unit(unit, room, alphabet),
                Err(_) => self.put(*point, room, alphabet),
            };
            read += 1;
        }
        (read, written)
    }

    /// [`put`](Self::put) for one code unit.
    #[inline]
    fn put_unit(&mut self, unit: u16, dst: &mut [u8; 6], alphabet: &[u8; 64]) -> usize {
        // 16, 18 or 20 bits: two digits or three. The third is overwritten if it is not complete.
        let bits = self.bits << 16 | u64::from(unit);
        let count = self.count + 16;
        for (at, digit) in dst[..3].iter_mut().enumerate() {
            *digit = alphabet[(bits << 2 >> (count - 4 - 6 * at as u32) & 0x3F) as usize];
        }
        self.count = count % 6;
        self.bits = bits & ((1 << self.count) - 1);
        (count / 6) as usize
    }
}

#[cfg(test)]
mod tests {
    extern crate std;

    use core::cell::Cell;
    use std::vec::Vec;

    use utfall_simd::Kernels;

    use crate::codec::units::{Kind, Writer};
    use crate::codec::{Codec, Decode, Decoded, MAX_INCOMPLETE, Next, imap_utf7, utf7};
    use crate::engine::Engine;
    use crate::route::Side;
    use crate::{Encoding, Options, Policy, Status, Utf7Tolerance};

    /// A decoder that counts the bytes passed to it.
    #[derive(Clone)]
    struct Counting<'c, D> {
        decoder: D,
        shown: &'c Cell<usize>,
    }

    impl<D: Decode> Decode for Counting<'_, D> {
        fn next(&mut self, src: &[u8], last: bool) -> Next {
            self.shown.set(self.shown.get() + src.len());
            self.decoder.next(src, last)
        }

        fn decode(
            &mut self,
            kernels: &Kernels,
            src: &[u8],
            dst: &mut [u32],
            last: bool,
        ) -> Decoded {
            self.shown.set(self.shown.get() + src.len());
            self.decoder.decode(kernels, src, dst, last)
        }

        fn side(&self) -> Side {
            self.decoder.side()
        }

        fn decode_to_utf8(
            &mut self,
            kernels: &Kernels,
            src: &[u8],
            dst: &mut [u8],
        ) -> (usize, usize) {
            self.shown.set(self.shown.get() + src.len());
            self.decoder.decode_to_utf8(kernels, src, dst)
        }
    }

    /// How many bytes are passed to a decoder whose input arrives byte by byte and whose output is
    /// `kind`.
    fn shown<C: Codec>(
        encoding: Encoding,
        kind: Kind,
        utf7_tolerance: Utf7Tolerance,
        bytes: &[u8],
    ) -> usize {
        let options = Options { utf7_tolerance, ..Options::both(Policy::Replace) };
        let shown = Cell::new(0);
        let decoder = Counting { decoder: C::decoder(&options), shown: &shown };
        let writer = Writer::new(kind, &options);
        let mut engine = Engine::with(encoding, decoder, Encoding::Utf8, writer, options);
        let mut out = [0; 64];
        for byte in bytes.chunks(1) {
            let progress = engine.run(byte, &mut out, false);
            assert_eq!((progress.read, progress.status), (1, Status::InputEmpty));
        }
        assert_eq!(engine.run(&[], &mut out, true).status, Status::InputEmpty);
        shown.get()
    }

    /// A decoder that takes quadratic time in the length of a run would see millions of bytes here.
    #[test]
    fn one_byte_at_a_time_is_linear() {
        let length = 40_000 / utfall_oracle::step(8);
        let pieces: [&[u8]; 8] =
            [b"text ", b"AAAA", b"2D3eAA", b"+AOk-r", b"&AOk-r", b"~\x80", b"+2D0-", b"&2D0-"];
        let all = Utf7Tolerance::NAMED.iter().fold(Utf7Tolerance::NONE, |all, one| all | one.1);
        for piece in pieces {
            for shift in ["", "+", "&"] {
                for allow in [Utf7Tolerance::NONE, all] {
                    let text = |length: usize| -> Vec<u8> {
                        let begin = shift.bytes();
                        begin.chain(piece.iter().copied().cycle()).take(length).collect()
                    };
                    let imap = Encoding::Utf7Imap;
                    let shown = |bytes: &[u8]| {
                        [
                            shown::<utf7::Utf7>(Encoding::Utf7, Kind::Points, allow, bytes),
                            shown::<utf7::Utf7>(Encoding::Utf7, Kind::Str, allow, bytes),
                            shown::<imap_utf7::Utf7Imap>(imap, Kind::Str, allow, bytes),
                        ]
                    };
                    let (once, twice) = (shown(&text(length)), shown(&text(2 * length)));
                    for (once, twice) in once.into_iter().zip(twice) {
                        assert!(
                            twice <= 2 * once + 16 * MAX_INCOMPLETE,
                            "{piece:02X?}: {once}, {twice}"
                        );
                        // Incomplete input is passed again with each byte, at most three times.
                        assert!(once <= 3 * MAX_INCOMPLETE * length, "{piece:02X?}: {once}");
                    }
                }
            }
        }
    }

    #[test]
    fn state_is_small() {
        assert!(size_of::<utf7::Decoder>() <= 16);
        assert!(size_of::<imap_utf7::Decoder>() <= 16);
    }
}
