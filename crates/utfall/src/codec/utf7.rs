//! UTF-7: RFC 2152, and RFC 1642 before it.
//!
//! Text is US-ASCII; everything else is big-endian UTF-16 in Base64, in runs from `+` to the first
//! byte that is not a Base64 digit. The decoder is strict: `docs/decisions.md` §3 specifies what is
//! ill-formed and where the error begins.

use utfall_simd::utf7::{RunState, SET_B, Style};
use utfall_simd::{Kernels, Layout};

use super::shared::shifted_run::{Found, RunFormat, RunReader, RunWriter, digit_values};
use super::{
    Codec, Decode, DecodeStop, Decoded, Encode, EncodeStop, Encoded, Ill, Next, Put, decode_each,
};
use crate::info::{Family, Info, SplitPoint};
use crate::route::Side;
use crate::{ErrorKind, Options, Utf7Options, Utf7Tolerance};

static RUN: RunFormat = RunFormat {
    digits: digit_values(&SET_B),
    shift: b'+',
    foreign: None,
    next_run: Utf7Tolerance::NONE,
};

/// The bytes that may appear directly: set D, white space, and set O.
static SETS_D_AND_O: &[bool; 256] = Style::new().direct();

const FORMAT: Info = Info {
    seven_bit: true,
    stateful: true,
    split_point: SplitPoint::Line,
    signature: b"+/v8-",
    side: Side::OwnKernel,
    clause: |kind| match kind {
        ErrorKind::NotDirect => "RFC 2152 rule 1: '\\' and '~' are in neither set D nor set O",
        ErrorKind::Control => {
            "RFC 2152 rule 3: tab, CR and LF are the only controls that may appear directly"
        }
        ErrorKind::EightBit => "RFC 2152, overview: characters are encoded as US-ASCII bytes",
        ErrorKind::EmptyShift | ErrorKind::Truncated => {
            "RFC 2152 rule 2: '+' is followed by Base64 or '-'"
        }
        ErrorKind::NonZeroPadding => "RFC 2152 rule 2: bits that are discarded must be zero",
        ErrorKind::DanglingDigit => {
            "RFC 2152 rule 2: a run is padded to the end of a digit, not further"
        }
        ErrorKind::OddBytes => "RFC 2152 rule 2: an odd number of bytes is ill-formed",
        ErrorKind::HighSurrogate
        | ErrorKind::LowSurrogate
        | ErrorKind::Unencodable(0xD800..=0xDFFF) => "RFC 2152 rule 2: surrogates come in pairs",
        _ => "RFC 2152 rule 2: only characters of UTF-16 can be encoded",
    },
    ..Info::of(Family::Utf7)
};

/// A codec of this file.
macro_rules! codec {
    ($name:ident, $info:expr) => {
        pub(crate) struct $name;

        impl Codec for $name {
            const INFO: Info = $info;
            type Decoder = Decoder;
            type Encoder = Encoder;

            fn decoder(options: &Options) -> Decoder {
                Decoder { shifted: false, run: RunReader::default(), allow: options.utf7_tolerance }
            }

            fn encoder(options: &Options) -> Encoder {
                let Utf7Options { shift_set_o, explicit_close } = options.utf7;
                Encoder {
                    shifted: false,
                    run: RunWriter::default(),
                    style: Style::new()
                        .with_shift_set_o(shift_set_o)
                        .with_explicit_close(explicit_close),
                    lone_surrogates: options
                        .utf7_tolerance
                        .contains(Utf7Tolerance::LONE_SURROGATES),
                }
            }
        }
    };
}

codec!(
    Utf7,
    Info {
        name: "UTF-7",
        iana: true,
        aliases: &[
            "csUTF7",
            "utf-7-rfc2152",
            "unicode-2-0-utf-7",
            "x-unicode-2-0-utf-7",
            "cp65000",
            "windows-65000",
        ],
        specification: "RFC 2152",
        ..FORMAT
    }
);

codec!(Rfc1642, Info { name: "UTF-7/RFC1642", specification: "RFC 1642", ..FORMAT });

codec!(
    Unicode11,
    Info {
        name: "UNICODE-1-1-UTF-7",
        iana: true,
        aliases: &["csUnicode11UTF7"],
        specification: "RFC 1642",
        clause: |kind| match kind {
            ErrorKind::Unencodable(0x3400..=0x4DFF | 0xAC00..=0xD7A3) =>
                "RFC 2279 §3: Hangul moved between Unicode 1.1 and 2.0",
            _ => (FORMAT.clause)(kind),
        },
        ..FORMAT
    }
);

#[derive(Clone)]
pub(crate) struct Decoder {
    shifted: bool,
    run: RunReader,
    allow: Utf7Tolerance,
}

impl Decoder {
    /// In a run, the bits of the incomplete code unit and their number.
    pub(crate) fn run_bits(&self) -> Option<(u8, u8)> {
        self.shifted.then(|| self.run.bits())
    }

    fn next_direct(&mut self, src: &[u8], last: bool) -> Next {
        match src {
            [] => Next::End,
            [b'+', b'-', ..] => Next::Point { point: u32::from('+'), length: 2 },
            [b'+', byte, ..] if is_digit(*byte) => {
                self.shifted = true;
                Next::Skip { length: 1 }
            }
            [b'+'] if !last => Next::End,
            [b'+', rest @ ..] => Next::Ill(shift_alone(b'+', rest.is_empty(), self.allow)),
            [byte, ..] if is_direct(*byte) => Next::Point { point: u32::from(*byte), length: 1 },
            [byte, ..] => Next::Ill(not_direct(*byte, self.allow)),
        }
    }

    fn next_shifted(&mut self, src: &[u8], last: bool) -> Next {
        match self.run.next(src, &RUN, self.allow, last) {
            Found::Point { point, length } => Next::Point { point, length },
            Found::Ill(ill) | Found::IllEnd(ill) => Next::Ill(ill),
            Found::More => Next::End,
            Found::End { length } => {
                self.shifted = false;
                Next::Skip { length: length + usize::from(src.get(length) == Some(&b'-')) }
            }
        }
    }
}

impl Decode for Decoder {
    fn next(&mut self, src: &[u8], last: bool) -> Next {
        match self.shifted {
            true => self.next_shifted(src, last),
            false => self.next_direct(src, last),
        }
    }

    fn side(&self) -> Side {
        Side::OwnKernel
    }

    fn decode_to_utf8(&mut self, kernels: &Kernels, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
        let mut state = if self.shifted { self.run.state() } else { RunState::default() };
        let done = kernels.utf7_to_utf8(&mut state, src, dst);
        (self.shifted, self.run) = (state.is_in_run(), state.into());
        done
    }

    fn decode_to_utf16(
        &mut self,
        kernels: &Kernels,
        to: Layout,
        src: &[u8],
        dst: &mut [u8],
    ) -> Option<(usize, usize)> {
        let kernel = kernels.from_utf7(to)?;
        let mut state = if self.shifted { self.run.state() } else { RunState::default() };
        let done = kernel(&mut state, src, dst);
        (self.shifted, self.run) = (state.is_in_run(), state.into());
        Some(done)
    }

    fn decode(&mut self, _: &Kernels, src: &[u8], dst: &mut [u32], last: bool) -> Decoded {
        let (mut read, mut written) = (0, 0);
        loop {
            // Fast path for direct text and well-formed runs …
            let (bytes, points) = match self.shifted {
                true => self.run.read_points(&src[read..], &mut dst[written..], &RUN.digits),
                false => copy_direct(&src[read..], &mut dst[written..]),
            };
            read += bytes;
            written += points;
            if written == dst.len() {
                return Decoded { read, written, stop: DecodeStop::Output };
            }
            match (self.shifted, &src[read..]) {
                (false, [b'+', byte, ..]) if is_digit(*byte) => {
                    self.shifted = true;
                    read += 1;
                    continue;
                }
                (true, [byte, ..]) if !is_digit(*byte) && self.run.is_complete() => {
                    (self.shifted, self.run) = (false, RunReader::default());
                    read += usize::from(*byte == b'-');
                    continue;
                }
                _ => {}
            }
            // … then a single character of anything else.
            let end = dst.len().min(written + 1);
            let slow = decode_each(self, &src[read..], &mut dst[written..end], last);
            read += slow.read;
            written += slow.written;
            if slow.stop != DecodeStop::Output || written == dst.len() {
                return Decoded { read, written, stop: slow.stop };
            }
        }
    }
}

/// Copies direct bytes; returns bytes read and code points written.
fn copy_direct(src: &[u8], dst: &mut [u32]) -> (usize, usize) {
    let mut count = 0;
    for (bytes, points) in src.as_chunks::<8>().0.iter().zip(dst.as_chunks_mut::<8>().0) {
        if !bytes.iter().all(|byte| is_direct(*byte)) {
            break;
        }
        *points = bytes.map(u32::from);
        count += 8;
    }
    for (byte, point) in src[count..].iter().zip(&mut dst[count..]) {
        if !is_direct(*byte) {
            break;
        }
        *point = u32::from(*byte);
        count += 1;
    }
    (count, count)
}

/// A shift character that neither begins a run nor is part of `+-`.
pub(super) fn shift_alone(shift: u8, at_end: bool, allow: Utf7Tolerance) -> Ill {
    use Utf7Tolerance as L;
    let (kind, kept, dropped) = match at_end {
        true => (ErrorKind::Truncated, L::END_SHIFT_KEPT, L::END_SHIFT_DROPPED),
        false => (ErrorKind::EmptyShift, L::EMPTY_SHIFT_KEPT, L::EMPTY_SHIFT_DROPPED),
    };
    let ill = Ill::new(kind, 1);
    match allow.contains(kept) {
        true => ill.passing(allow, kept, u32::from(shift)),
        false => ill.passing(allow, dropped, None),
    }
}

/// A byte that may not appear directly.
pub(super) fn not_direct(byte: u8, allow: Utf7Tolerance) -> Ill {
    let (kind, by) = match byte {
        0x80.. => (ErrorKind::EightBit, Utf7Tolerance::LATIN1),
        b'\\' | b'~' => (ErrorKind::NotDirect, Utf7Tolerance::BACKSLASH_TILDE),
        _ => (ErrorKind::Control, Utf7Tolerance::CONTROLS),
    };
    Ill::new(kind, 1).passing(allow, by, u32::from(byte))
}

fn is_digit(byte: u8) -> bool {
    RUN.is_digit(byte)
}

/// The value of a digit.
pub(crate) fn digit(byte: u8) -> Option<u8> {
    is_digit(byte).then(|| RUN.digits[usize::from(byte)])
}

#[inline]
fn is_direct(byte: u8) -> bool {
    SETS_D_AND_O[usize::from(byte)]
}

/// The maximum for one character: `+` and six digits; or a last digit, `-`, and the character
/// itself.
const ROOM_FOR_ANY: usize = 8;

/// Whether `point` is a single code unit, and not a surrogate.
fn is_plain_unit(point: u32) -> bool {
    point <= 0xFFFF && point & 0xF800 != 0xD800
}

#[derive(Clone)]
pub(crate) struct Encoder {
    shifted: bool,
    run: RunWriter,
    style: Style,
    lone_surrogates: bool,
}

impl Encoder {
    #[inline]
    fn goes_direct(&self, point: u32) -> bool {
        self.style.direct().get(point as usize) == Some(&true)
    }

    /// The end of a run before the byte `next`, or at the end of the text: a last digit, and `-` if
    /// needed.
    fn close(&self, next: Option<u8>) -> ([u8; 2], usize) {
        let mut bytes = [b'-'; 2];
        let mut length = 0;
        if let Some(digit) = self.run.last_digit(&SET_B) {
            bytes[0] = digit;
            length = 1;
        }
        let closes = next.is_none_or(|byte| self.style.closes_before(byte));
        (bytes, length + usize::from(closes))
    }
}

impl Encode for Encoder {
    fn put(&mut self, point: u32, dst: &mut [u8]) -> Put {
        let mut bytes = [0; ROOM_FOR_ANY];
        let mut length = 0;
        let mut run = self.run;
        let shifted = if self.goes_direct(point) {
            let byte = point as u8;
            if self.shifted {
                let (end, count) = self.close(Some(byte));
                bytes[..2].copy_from_slice(&end);
                length = count;
                run = RunWriter::default();
            }
            bytes[length] = byte;
            length += 1;
            false
        } else if point == u32::from('+') && !self.shifted {
            bytes[..2].copy_from_slice(b"+-");
            length = 2;
            false
        } else if Utf7::INFO.repertoire.has(point)
            || self.lone_surrogates && matches!(point, 0xD800..=0xDFFF)
        {
            if !self.shifted {
                bytes[0] = b'+';
                length = 1;
            }
            let mut digits = [0; 6];
            let count = run.put(point, &mut digits, &SET_B);
            bytes[length..][..6].copy_from_slice(&digits);
            length += count;
            true
        } else {
            return Put::Unencodable;
        };
        let Some(room) = dst.get_mut(..length) else { return Put::Full };
        room.copy_from_slice(&bytes[..length]);
        (self.shifted, self.run) = (shifted, run);
        Put::Written(length)
    }

    fn side(&self) -> Side {
        Side::OwnKernel
    }

    fn encode_utf8(&mut self, kernels: &Kernels, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
        let mut state = if self.shifted { self.run.state() } else { RunState::default() };
        let done = kernels.utf8_to_utf7(self.style, &mut state, src, dst);
        (self.shifted, self.run) = (state.is_in_run(), state.into());
        done
    }

    fn encode_utf16(
        &mut self,
        kernels: &Kernels,
        from: Layout,
        src: &[u8],
        dst: &mut [u8],
    ) -> Option<(usize, usize)> {
        let kernel = kernels.to_utf7(from)?;
        let mut state = if self.shifted { self.run.state() } else { RunState::default() };
        let done = kernel(self.style, &mut state, src, dst);
        (self.shifted, self.run) = (state.is_in_run(), state.into());
        Some(done)
    }

    fn len_of_utf8(&mut self, kernels: &Kernels, src: &[u8]) -> Option<usize> {
        let mut state = if self.shifted { self.run.state() } else { RunState::default() };
        let length = kernels.utf7_len_from_utf8(self.style, &mut state, src);
        (self.shifted, self.run) = (state.is_in_run(), state.into());
        Some(length)
    }

    fn encode(&mut self, _: &Kernels, src: &[u32], dst: &mut [u8]) -> Encoded {
        let direct = self.style.direct();
        let goes_direct = |point: u32| direct.get(point as usize) == Some(&true);
        let (mut read, mut written) = (0, 0);
        let stop = loop {
            if self.shifted {
                let (points, bytes) =
                    self.run.write_points(&src[read..], &mut dst[written..], &SET_B, |point| {
                        !goes_direct(point)
                    });
                read += points;
                written += bytes;
            } else {
                for (point, byte) in src[read..].iter().zip(&mut dst[written..]) {
                    if !goes_direct(*point) {
                        break;
                    }
                    *byte = *point as u8;
                    read += 1;
                    written += 1;
                }
            }
            let Some(&point) = src.get(read) else { break EncodeStop::Input };
            // If there is space for a whole character as well, open or close the run in a separate
            // step.
            if dst.len() - written >= ROOM_FOR_ANY {
                if self.shifted && goes_direct(point) {
                    let (bytes, length) = self.close(Some(point as u8));
                    dst[written..][..2].copy_from_slice(&bytes);
                    written += length;
                    (self.shifted, self.run) = (false, RunWriter::default());
                    continue;
                }
                if !self.shifted && is_plain_unit(point) && point != u32::from('+') {
                    dst[written] = b'+';
                    written += 1;
                    self.shifted = true;
                    continue;
                }
            }
            match self.put(point, &mut dst[written..]) {
                Put::Written(bytes) => {
                    read += 1;
                    written += bytes;
                }
                Put::Full => break EncodeStop::Output,
                Put::Unencodable => break EncodeStop::Unencodable,
            }
        };
        Encoded { read, written, stop }
    }

    fn finish(&mut self, dst: &mut [u8]) -> Option<usize> {
        if !self.shifted {
            return Some(0);
        }
        let (bytes, length) = self.close(None);
        dst.get_mut(..length)?.copy_from_slice(&bytes[..length]);
        (self.shifted, self.run) = (false, RunWriter::default());
        Some(length)
    }
}
