//! Modified UTF-7 for IMAP mailbox names: RFC 3501 §5.1.3.
//!
//! `&` shifts, `,` replaces `/` as a digit, `-` closes every run, and printable US-ASCII always
//! appears directly. Each name has a single spelling; the decoder rejects all others.
//! `docs/decisions.md` §4 specifies what is ill-formed and where the error begins.

use super::shared::shifted_run::{Found, NO_DIGIT, RunFormat, RunReader, RunWriter, digit_values};
use super::utf7::{not_direct, shift_alone};
use super::{Codec, Decode, Encode, Ill, Next, Pass, Put};
use crate::info::{Family, Info};
use crate::{ErrorKind, Options, Utf7Tolerance};

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+,";
static RUN: RunFormat = RunFormat {
    digits: digit_values(ALPHABET),
    shift: b'&',
    foreign: None,
    next_run: Utf7Tolerance::NULL_SHIFT,
};
/// Like `RUN`, with `/` as another digit.
static RUN_WITH_SLASH: RunFormat = {
    let mut digits = digit_values(ALPHABET);
    digits[b'/' as usize] = digits[b',' as usize];
    RunFormat { digits, foreign: Some(b'/'), ..RUN }
};

pub(crate) struct Utf7Imap;

impl Codec for Utf7Imap {
    const INFO: Info = Info {
        name: "UTF-7-IMAP",
        iana: true,
        aliases: &["csUTF7IMAP", "imap-utf-7", "imap4-utf-7", "IMAP-mailbox-name"],
        specification: "RFC 3501 §5.1.3",
        seven_bit: true,
        stateful: true,
        clause: |kind| match kind {
            ErrorKind::Control | ErrorKind::EightBit => {
                "RFC 3501 §5.1.3: only printable US-ASCII, 20 to 7E, appears directly"
            }
            ErrorKind::EmptyShift | ErrorKind::Truncated => {
                "RFC 3501 §5.1.3: '&' is followed by modified Base64 or '-'"
            }
            ErrorKind::SlashDigit => "RFC 3501 §5.1.3: ',' is used instead of '/'",
            ErrorKind::Unterminated => {
                "RFC 3501 §5.1.3: '-' shifts back, and names end in US-ASCII"
            }
            ErrorKind::NullShift => {
                "RFC 3501 §5.1.3: null shifts ('-&' in Base64) are not permitted"
            }
            ErrorKind::EncodedAscii => {
                "RFC 3501 §5.1.3: Base64 must not represent printable US-ASCII"
            }
            kind => (super::utf7::Utf7::INFO.clause)(kind),
        },
        ..Info::of(Family::Utf7)
    };
    type Decoder = Decoder;
    type Encoder = Encoder;

    fn decoder(options: &Options) -> Decoder {
        let allow = options.utf7_tolerance;
        Decoder { state: State::Direct, run: RunReader::default(), allow }
    }

    fn encoder(_: &Options) -> Encoder {
        Encoder { shifted: false, run: RunWriter::default() }
    }
}

/// The value of a digit.
pub(crate) fn digit(byte: u8) -> Option<u8> {
    Some(RUN.digits[usize::from(byte)]).filter(|value| *value != NO_DIGIT)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Direct,
    /// Directly after a run closed by `-`.
    Closed,
    Shifted,
    /// As `Shifted`, after an error at the end of the run has been reported.
    Reported,
}

#[derive(Clone)]
pub(crate) struct Decoder {
    state: State,
    run: RunReader,
    allow: Utf7Tolerance,
}

impl Decoder {
    /// In a run, the bits of the incomplete code unit and their number.
    pub(crate) fn run_bits(&self) -> Option<(u8, u8)> {
        matches!(self.state, State::Shifted | State::Reported).then(|| self.run.bits())
    }

    #[cfg(feature = "alloc")]
    pub(crate) fn is_shifted(&self) -> bool {
        matches!(self.state, State::Shifted | State::Reported)
    }

    /// Replaces the relaxed rules for subsequent runs.
    #[cfg(feature = "alloc")]
    pub(crate) fn set_allow(&mut self, allow: Utf7Tolerance) {
        self.allow = allow;
    }

    fn format(&self) -> &'static RunFormat {
        match self.allow.contains(Utf7Tolerance::SLASH_DIGIT) {
            true => &RUN_WITH_SLASH,
            false => &RUN,
        }
    }

    fn next_direct(&mut self, src: &[u8], last: bool) -> Next {
        let (state, next) = match src {
            [] => return Next::End,
            [b'&'] if !last => return Next::End,
            [b'&', b'-', ..] => (State::Direct, Next::Point { point: u32::from('&'), length: 2 }),
            [b'&', byte, ..] if self.format().is_digit(*byte) => {
                let next = match self.state {
                    State::Closed => {
                        let ill = Ill::new(ErrorKind::NullShift, 1);
                        Next::Ill(ill.passing(self.allow, Utf7Tolerance::NULL_SHIFT, None))
                    }
                    _ => Next::Skip { length: 1 },
                };
                (State::Shifted, next)
            }
            [b'&', rest @ ..] => {
                (State::Direct, Next::Ill(shift_alone(b'&', rest.is_empty(), self.allow)))
            }
            [byte @ 0x20..=0x7E, ..] => {
                (State::Direct, Next::Point { point: u32::from(*byte), length: 1 })
            }
            [byte, ..] => (State::Direct, Next::Ill(not_direct(*byte, self.allow))),
        };
        self.state = state;
        next
    }

    fn next_shifted(&mut self, src: &[u8], last: bool) -> Next {
        let run_bit = Some(self.run.next_bit());
        let encoded_ascii = |run: &RunReader, point, consumed, by| {
            let ill = Ill::new(ErrorKind::EncodedAscii, run.last_unit());
            let by = Utf7Tolerance::ENCODED_ASCII | by;
            Next::Ill(Ill { consumed, run_bit, ..ill }.passing(self.allow, by, point))
        };
        let digits = match self.run.next(src, self.format(), self.allow, last) {
            Found::Point { point: point @ 0x20..=0x7E, length } => {
                return encoded_ascii(&self.run, point, length, Utf7Tolerance::NONE);
            }
            Found::Point { point, length } => return Next::Point { point, length },
            Found::Ill(ill) => {
                return match ill.pass {
                    Some(Pass { by, point: Some(point @ 0x20..=0x7E) }) => {
                        encoded_ascii(&self.run, point, ill.consumed, by)
                    }
                    _ => Next::Ill(ill),
                };
            }
            // The end of the run remains to be checked.
            Found::IllEnd(ill) if ill.pass.is_some() => return Next::Ill(ill),
            Found::IllEnd(ill) => {
                self.state = State::Reported;
                let kind = match src.get(ill.consumed) {
                    Some(b'/') => ErrorKind::SlashDigit,
                    _ => ill.kind,
                };
                return Next::Ill(Ill { kind, ..ill });
            }
            Found::More => return Next::End,
            Found::End { length } => length,
        };
        let reported = self.state == State::Reported;
        if src.get(digits) == Some(&b'-') {
            self.state = State::Closed;
            return Next::Skip { length: digits + 1 };
        }
        self.state = State::Direct;
        match reported {
            true => Next::Skip { length: digits },
            false => {
                let kind = match src.get(digits) {
                    Some(b'/') if !self.allow.contains(Utf7Tolerance::UNTERMINATED) => {
                        ErrorKind::SlashDigit
                    }
                    _ => ErrorKind::Unterminated,
                };
                let ill = Ill { consumed: digits, ..Ill::new(kind, 1) };
                Next::Ill(ill.passing(self.allow, Utf7Tolerance::UNTERMINATED, None))
            }
        }
    }
}

impl Decode for Decoder {
    fn next(&mut self, src: &[u8], last: bool) -> Next {
        match self.state {
            State::Direct | State::Closed => self.next_direct(src, last),
            State::Shifted | State::Reported => self.next_shifted(src, last),
        }
    }
}

#[derive(Clone)]
pub(crate) struct Encoder {
    shifted: bool,
    run: RunWriter,
}

impl Encoder {
    /// The end of a run: a last digit if bits are left over, and `-`.
    fn close(&self) -> ([u8; 2], usize) {
        match self.run.last_digit(ALPHABET) {
            Some(digit) => ([digit, b'-'], 2),
            None => ([b'-', 0], 1),
        }
    }
}

impl Encode for Encoder {
    fn put(&mut self, point: u32, dst: &mut [u8]) -> Put {
        // The maximum: `&` and six digits, or two bytes of an end and `&-`.
        let mut bytes = [0; 8];
        let mut length = 0;
        let mut run = self.run;
        let shifted = match point {
            0x20..=0x7E => {
                if self.shifted {
                    let (end, count) = self.close();
                    bytes[..2].copy_from_slice(&end);
                    length = count;
                    run = RunWriter::default();
                }
                bytes[length] = point as u8;
                length += 1;
                if point == u32::from('&') {
                    bytes[length] = b'-';
                    length += 1;
                }
                false
            }
            _ if Utf7Imap::INFO.repertoire.has(point) => {
                if !self.shifted {
                    bytes[0] = b'&';
                    length = 1;
                }
                let mut digits = [0; 6];
                let count = run.put(point, &mut digits, ALPHABET);
                bytes[length..][..6].copy_from_slice(&digits);
                length += count;
                true
            }
            _ => return Put::Unencodable,
        };
        let Some(room) = dst.get_mut(..length) else { return Put::Full };
        room.copy_from_slice(&bytes[..length]);
        (self.shifted, self.run) = (shifted, run);
        Put::Written(length)
    }

    fn finish(&mut self, dst: &mut [u8]) -> Option<usize> {
        if !self.shifted {
            return Some(0);
        }
        let (bytes, length) = self.close();
        dst.get_mut(..length)?.copy_from_slice(&bytes[..length]);
        (self.shifted, self.run) = (false, RunWriter::default());
        Some(length)
    }
}
